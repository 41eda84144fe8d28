//! Passwords that programs are given as arguments.

use super::Found;
use super::bytes::{ALNUM, BLANK, between, byte, from, is, run};
use super::chosen::{Manner, is_chosen};
use super::name::Strength;
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
    /// The same with another sign between.
    Pair(&'static str, u8),
    /// As the last word of the command, where a letter is among the options: `-nb user secret`.
    Last(u8),
}

use Argument::{Glued, Last, Next, Pair, User};

pub(super) static PROGRAMS: &[Program] = &[
    Program { name: "7z", options: &[Glued("p")] },
    Program { name: "7za", options: &[Glued("p")] },
    Program { name: "curl", options: &[User("u"), User("-user"), User("U"), User("-proxy-user")] },
    Program { name: "bcp", options: &[Next("P")] },
    Program { name: "cqlsh", options: &[Next("p")] },
    Program { name: "cypher", options: &[Next("p")] },
    Program { name: "etcdctl", options: &[User("-user")] },
    Program { name: "evil", options: &[Next("p")] },
    Program { name: "htpasswd", options: &[Last(b'b')] },
    Program { name: "http", options: &[User("a"), User("-auth")] },
    Program { name: "https", options: &[User("a"), User("-auth")] },
    Program { name: "ipmitool", options: &[Next("P")] },
    Program { name: "isql", options: &[Next("P")] },
    Program { name: "ldapadd", options: &[Next("w")] },
    Program { name: "ldapdelete", options: &[Next("w")] },
    Program { name: "ldapmodify", options: &[Next("w")] },
    Program { name: "ldappasswd", options: &[Next("w"), Next("s"), Next("a")] },
    Program { name: "ldapsearch", options: &[Next("w")] },
    Program { name: "ldapwhoami", options: &[Next("w")] },
    Program { name: "lftp", options: &[Pair("u", b',')] },
    // Of whatever is logged in to: `docker`, `podman`, `az`, `helm registry`. Elsewhere `-p` is a port or a project.
    Program { name: "login", options: &[Next("p")] },
    Program { name: "mariadb", options: &[Glued("p")] },
    Program { name: "mongo", options: &[Next("p")] },
    Program { name: "mongosh", options: &[Next("p")] },
    Program { name: "mongodump", options: &[Next("p")] },
    Program { name: "mongoexport", options: &[Next("p")] },
    Program { name: "mongoimport", options: &[Next("p")] },
    Program { name: "mongorestore", options: &[Next("p")] },
    Program { name: "mosquitto", options: &[Next("P")] },
    Program { name: "mysql", options: &[Glued("p")] },
    Program { name: "mysqladmin", options: &[Glued("p")] },
    Program { name: "mysqldump", options: &[Glued("p")] },
    Program { name: "mysqlimport", options: &[Glued("p")] },
    Program { name: "ncftp", options: &[Next("p")] },
    Program { name: "ncftpput", options: &[Next("p")] },
    Program { name: "nxc", options: &[Next("p")] },
    Program { name: "plink", options: &[Next("pw")] },
    Program { name: "pscp", options: &[Next("pw")] },
    Program { name: "psftp", options: &[Next("pw")] },
    Program { name: "psexec", options: &[Next("p")] },
    Program { name: "rdesktop", options: &[Next("p")] },
    Program { name: "rpcclient", options: &[Pair("U", b'%')] },
    Program { name: "redis", options: &[Next("a")] },
    Program { name: "smbclient", options: &[Pair("U", b'%')] },
    Program { name: "smbget", options: &[Pair("U", b'%')] },
    Program { name: "snmpget", options: &[Next("A"), Next("X"), Next("c")] },
    Program { name: "snmpwalk", options: &[Next("A"), Next("X"), Next("c")] },
    Program { name: "sqlcmd", options: &[Next("P")] },
    Program { name: "ssh-keygen", options: &[Next("P"), Next("N")] },
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
        let (Glued(name) | Next(name) | User(name) | Pair(name, _)) = self else {
            let Last(letter) = self else { return None };
            return last(text, at, *letter);
        };
        let end = from(text, at).starts_with(name.as_bytes()).then_some(at + name.len())?;
        let apart = is(byte(text, end), BLANK) || byte(text, end) == b'=';
        match self {
            Glued(_) if !is(byte(text, end), BLANK) => password(text, end),
            Next(_) if apart => password(text, run(text, end + 1, BLANK)),
            User(_) if apart => after_user(text, run(text, end + 1, BLANK), b':'),
            User(name) if name.len() == 1 => after_user(text, end, b':'),
            Pair(_, sign) => after_user(text, run(text, end, BLANK), *sign),
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
    let is_one = is_password(value.of(text), Writing::Quoted)
        || is_chosen(value.of(text), Strength::Password, Manner::Line);
    (!port && is_one).then_some(Found { start: value.start, end: value.end, kind: "password" })
}

fn after_user(text: &[u8], at: usize, sign: u8) -> Option<Found> {
    let word = value::after(text, at, Writing::Bare)?;
    let colon = word.start + word.of(text).iter().position(|byte| *byte == sign)? + 1;
    let value = match value::after(text, colon, Writing::Bare)? {
        // Quotes around both are not quotes around the password.
        value if word.writing == Writing::Quoted => value::Value { start: colon, end: word.end, ..value },
        value => value,
    };
    is_url_password(value.of(text)).then_some(Found { start: value.start, end: value.end, kind: "password" })
}
