//! What redaction costs where a text was made to be slow: `cargo bench -p herm-scan --bench slow`.
//!
//! Each kind is something that makes readers look back, ahead or at the same bytes again, over and over. It fails if one is slower than the
//! floor, or if four times the text takes more than six times as long.

#![expect(clippy::print_stdout, reason = "a benchmark reports")]

use std::hint::black_box;
use std::process::ExitCode;
use std::time::Duration;

use herm_scan::Redactor;
use rustix::time::{ClockId, clock_gettime};

/// A text, and the one that is four times as long.
const SIZES: [usize; 2] = [16 * 1024, 64 * 1024];

/// Megabytes a second that no kind may be slower than.
const FLOOR: f64 = 0.8;

/// How much longer four times the text may take.
const LINEAR: f64 = 6.0;

/// The best of so many counts; of more where it would fail, since other programs have their turns as well.
const ROUNDS: usize = 2;
const MORE: usize = 8;

/// How long a line is; the last is one line, however long.
const LINES: [usize; 3] = [90, 4000, usize::MAX];

fn main() -> ExitCode {
    let mut all: Vec<Timed> = KINDS
        .iter()
        .filter(|kind| chosen(kind))
        .flat_map(|kind| LINES.map(|line| Timed::new(kind, line)))
        .collect();
    all.sort_by(|one, two| one.speed.total_cmp(&two.speed));
    for slow in all.iter().take(12) {
        println!(
            "{:6.1} MB/s, four times as much in {:4.1} times: {:?} in {}",
            slow.speed,
            slow.growth,
            slow.kind,
            slow.lines()
        );
    }
    let wrong: Vec<_> = all.iter().filter(|timed| !timed.holds()).collect();
    for wrong in &wrong {
        println!(
            "over: {:.1} MB/s, {:.1} times: {:?} in {}",
            wrong.speed,
            wrong.growth,
            wrong.kind,
            wrong.lines()
        );
    }
    println!(
        "{} kinds, {} over: {}",
        all.len(),
        wrong.len(),
        if wrong.is_empty() { "kept" } else { "missed" }
    );
    if wrong.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Whether a kind is to be measured: all of them, or those that an argument names.
fn chosen(kind: &str) -> bool {
    let mut wanted = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).peekable();
    wanted.peek().is_none() || wanted.any(|wanted| kind.contains(&wanted))
}

/// How long one kind of text takes.
struct Timed {
    kind: &'static str,
    line: usize,
    /// Megabytes a second of the longer text.
    speed: f64,
    /// How many times as long the longer one takes.
    growth: f64,
}

impl Timed {
    fn new(kind: &'static str, line: usize) -> Self {
        let first = Self::of(kind, line, ROUNDS);
        if first.holds() { first } else { Self::of(kind, line, MORE) }
    }

    fn of(kind: &'static str, line: usize, rounds: usize) -> Self {
        let [short, long] = SIZES.map(|size| best(&text(kind, line, size), rounds));
        let [_, size] = SIZES;
        let speed = f64::from(u32::try_from(size).unwrap_or(u32::MAX)) / long.as_secs_f64() / 1e6;
        Self { kind, line, speed, growth: long.as_secs_f64() / short.as_secs_f64() }
    }

    fn holds(&self) -> bool {
        self.speed >= FLOOR && self.growth <= LINEAR
    }

    fn lines(&self) -> String {
        if self.line == usize::MAX { "one line".to_owned() } else { format!("lines of {}", self.line) }
    }
}

fn best(text: &[u8], rounds: usize) -> Duration {
    let time = |_| {
        let start = used();
        let mut out = Vec::with_capacity(text.len());
        let mut redactor = Redactor::new();
        redactor.feed(black_box(text), &mut out);
        redactor.finish(&mut out);
        black_box(out);
        used().saturating_sub(start)
    };
    (0..rounds).map(time).min().unwrap_or(Duration::MAX)
}

/// How long this thread has had a processor. Beside other work, a clock on the wall measures that work as well.
fn used() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(
        u64::try_from(time.tv_sec).unwrap_or_default(),
        u32::try_from(time.tv_nsec).unwrap_or_default(),
    )
}

/// A kind over and over, in lines of a length.
fn text(kind: &str, line: usize, size: usize) -> Vec<u8> {
    let mut text: Vec<u8> = kind.bytes().cycle().take(size).collect();
    for end in text.chunks_mut(line).filter_map(<[u8]>::last_mut) {
        *end = b'\n';
    }
    text
}

const KINDS: &[&str] = &[
    // Signs alone.
    "=",
    ":",
    ",",
    ">",
    "~",
    "\"",
    "'",
    "`",
    "\\",
    "\\\"",
    "<",
    "{",
    "[",
    "(",
    ")",
    "|",
    "&",
    ";",
    "@",
    "://",
    "-",
    "_",
    ".",
    "/",
    "\u{1b}[31m",
    "\u{1b}[",
    "%20",
    "&#34;",
    "\\u0022",
    "**",
    "->",
    "::",
    "==",
    "=>",
    "a=",
    "a:",
    "a=b,",
    "a=\"",
    "\"a\": ",
    "\"a\",",
    "a|b|",
    // Names without values, and values without names.
    "password",
    "password ",
    "password=",
    "password = ",
    "password: ",
    "\"password\": ",
    "\"password\",",
    "password\"",
    "password=\"",
    "password='a' ",
    "password\\",
    "token",
    "token ",
    "token=",
    "key ",
    "key: ",
    "secret:",
    "API_KEY=",
    "Authorization: ",
    "Bearer ",
    "Basic ",
    "pw ",
    "pin 1",
    "password is ",
    "password of the ",
    "the password to ",
    "is ",
    "is: ",
    "token is a ",
    "key for x is ",
    "password (a) ",
    "password\u{1b}[0m ",
    "password=[",
    "password=[\"a\",",
    "password={",
    "password=${",
    "password=\"${",
    "password -> ",
    "password=a -> \"",
    "password <b>",
    "password</td><td>",
    // Elements.
    "<a>",
    "<password>",
    "<password",
    "<password><b>",
    "</password>",
    "<key>",
    "<a b=\"c\">",
    "<add key=\"password\" value=\"",
    "name=\"password\" ",
    "\"name\": \"password\", ",
    "\"value\": \"a1\", \"name\": \"password\", ",
    // Programs, options and addresses.
    "curl -u ",
    "mysql -p",
    "--password ",
    "--token=",
    "-p ",
    "htpasswd -b a ",
    "echo a | ",
    "echo '",
    "ENV ",
    "$ cat .env ",
    "https://",
    "https://a:",
    "https://a:b@",
    "//a:b@",
    "a:b@c/",
    "https://hooks.slack.com/services/",
    "https://a/hooks/",
    "https://infura.io/v3/",
    "?token=",
    "&sig=",
    // Tokens that nearly are some.
    "eyJ",
    "eyJhbGciOiJIUzI1NiJ9.",
    "eyJhbGciOiJIUzI1NiJ9.eyJ",
    "ghp_",
    "sk-",
    "AKIA",
    "xoxb-",
    "LS0tLS1CRUdJ",
    "1234567890",
    "123456:",
    "A",
    "aB3",
    "0123456789abcdef",
    "MTk4NjIyNDgzNDcxOTI1MjQ4.",
    "a1c2Q~",
    ".atlasv1.",
    "$1$",
    "$2a$",
    "pbkdf2",
    "{SSHA}",
    "-us12",
    "BEGIN ",
    "-----BEGIN PRIVATE KEY-----",
    "-----BEGIN ",
    "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC",
    "Private-Lines: 2",
    "[REDACTED]",
    "REDACTED",
    // Codes, rows, cookies and sentences.
    "code ",
    "code: ",
    "verification code ",
    "the door code is ",
    "1234 is your code ",
    "card 4",
    "card 4539 ",
    "user ",
    "user on #",
    "its a / ",
    "use a / ",
    "log in with ",
    "a@b.c,",
    "a@b.c|d|",
    "https://a|b|",
    "Cookie: a=b; ",
    "Cookie: ",
    "one for ",
    "seed words ",
    "recovery code ",
    "login(\"a\", ",
    "connect(\"a\",\"b\",",
    "set(\"password\", ",
    "getenv(\"password\", ",
    "password(\"a\") ",
    "password.encode(\"",
    "IDENTIFIED BY '",
    "VALUES ('a','b'),",
    "set password ",
    "username a secret 5 ",
    "snmp-server community ",
    "host:5432:db:user:",
    "machine a login b password ",
    // Other letters.
    "\u{e9}",
    "\u{43f}\u{430}\u{440}\u{43e}\u{43b}\u{44c} ",
    "\u{43f}\u{430}\u{440}\u{43e}\u{43b}",
    "\u{5bc6}\u{7801}",
    "\u{5bc6}\u{7801}: ",
    "Passwort f\u{fc}r ",
    "contrase\u{f1}a ",
    "\u{201c}password\u{201d} ",
    "\u{2502} ",
    "\u{2502} password ",
];
