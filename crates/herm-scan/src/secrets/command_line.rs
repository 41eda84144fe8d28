//! Passwords that programs are given as arguments.

use super::Found;
use super::bytes::{ALNUM, BLANK, between, byte, from, is, run};
use super::plausible::{Writing, is_password, is_url_password};
use super::value;

/// How a program takes a password.
#[derive(Debug)]
pub(crate) struct Program {
    pub(super) name: &'static str,
    options: &'static [Argument],
}

/// An option that a password follows.
#[derive(Debug)]
enum Argument {
    /// Right behind it: `-psecret`.
    Glued(&'static str),
    /// As the next word: `-p secret`.
    Next(&'static str),
    /// After a user and a colon in the next word: `-u user:secret`.
    User(&'static str),
    /// As the last word of the command, where a letter is among the options: `-nb user secret`.
    Last(u8),
}

use Argument::{Glued, Last, Next, User};

pub(super) static PROGRAMS: &[Program] = &[
    Program { name: "7z", options: &[Glued("p")] },
    Program { name: "7za", options: &[Glued("p")] },
    Program { name: "curl", options: &[User("u"), User("-user"), User("U"), User("-proxy-user")] },
    Program { name: "htpasswd", options: &[Last(b'b')] },
    Program { name: "http", options: &[User("a"), User("-auth")] },
    Program { name: "https", options: &[User("a"), User("-auth")] },
    Program { name: "ldapadd", options: &[Next("w")] },
    Program { name: "ldapdelete", options: &[Next("w")] },
    Program { name: "ldapmodify", options: &[Next("w")] },
    Program { name: "ldapsearch", options: &[Next("w")] },
    Program { name: "ldapwhoami", options: &[Next("w")] },
    // Of whatever is logged in to: `docker`, `podman`, `az`, `helm registry`. Elsewhere `-p` is a port or a project.
    Program { name: "login", options: &[Next("p")] },
    Program { name: "mariadb", options: &[Glued("p")] },
    Program { name: "mongo", options: &[Next("p")] },
    Program { name: "mongosh", options: &[Next("p")] },
    Program { name: "mysql", options: &[Glued("p")] },
    Program { name: "mysqladmin", options: &[Glued("p")] },
    Program { name: "mysqldump", options: &[Glued("p")] },
    Program { name: "redis", options: &[Next("a")] },
    Program { name: "sqlcmd", options: &[Next("P")] },
    Program { name: "sshpass", options: &[Glued("p"), Next("p")] },
    Program { name: "unzip", options: &[Next("P"), Glued("P")] },
    Program { name: "xh", options: &[User("a"), User("-auth")] },
    Program { name: "zip", options: &[Next("P")] },
];

impl Program {
    /// The password after the option whose first letter, or second dash, stands here.
    pub(super) fn find(&self, text: &[u8], at: usize) -> Option<Found> {
        self.options.iter().find_map(|option| option.find(text, at))
    }
}

impl Argument {
    fn find(&self, text: &[u8], at: usize) -> Option<Found> {
        let (Glued(name) | Next(name) | User(name)) = self else {
            let Last(letter) = self else { return None };
            return last(text, at, *letter);
        };
        let end = from(text, at).starts_with(name.as_bytes()).then_some(at + name.len())?;
        let apart = is(byte(text, end), BLANK) || byte(text, end) == b'=';
        match self {
            Glued(_) if !is(byte(text, end), BLANK) => password(text, end),
            Next(_) if apart => password(text, run(text, end + 1, BLANK)),
            User(_) if apart => after_user(text, run(text, end + 1, BLANK)),
            User(name) if name.len() == 1 => after_user(text, end),
            Glued(_) | Next(_) | User(_) | Last(_) => None,
        }
    }
}

/// The last word of a command with an option: a user, or a file and a user, stand before it.
fn last(text: &[u8], at: usize, letter: u8) -> Option<Found> {
    let letters = run(text, at, ALNUM);
    if !between(text, at, letters).contains(&letter) {
        return None;
    }
    let mut words = 0;
    let mut value = value::word(text, letters)?;
    while let Some(next) = value::word(text, value.end + usize::from(value.writing == Writing::Quoted)) {
        let is_over = matches!(byte(text, next.start), b'|' | b';' | b'&' | b'>' | b'<' | b'#');
        if is_over || words > 6 {
            break;
        }
        (value, words) = (next, words + 1);
    }
    let fits = words > 0 && is_password(value.of(text), Writing::Bare);
    fits.then_some(Found { start: value.start, end: value.end, kind: "password" })
}

fn password(text: &[u8], at: usize) -> Option<Found> {
    let value = value::after(text, at, Writing::Bare)?;
    let port = value.of(text).iter().all(|byte| byte.is_ascii_digit() || *byte == b':');
    (!port && is_password(value.of(text), Writing::Quoted)).then_some(Found {
        start: value.start,
        end: value.end,
        kind: "password",
    })
}

fn after_user(text: &[u8], at: usize) -> Option<Found> {
    let word = value::after(text, at, Writing::Bare)?;
    let colon = word.start + word.of(text).iter().position(|byte| *byte == b':')? + 1;
    let value = match value::after(text, colon, Writing::Bare)? {
        // Quotes around both are not quotes around the password.
        value if word.writing == Writing::Quoted => value::Value { start: colon, end: word.end, ..value },
        value => value,
    };
    is_url_password(value.of(text)).then_some(Found { start: value.start, end: value.end, kind: "password" })
}
