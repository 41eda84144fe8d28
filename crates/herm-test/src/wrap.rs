//! Ways to run a command through something else, and ways to merely mention it.

use std::fmt::Write;

/// Commands that are refused whatever they are wrapped in, with the rule that says so.
pub const FLOOR: &[(&str, &str)] = &[
    ("rm -rf /", "delete-root"),
    ("rm -rf ~", "delete-home"),
    ("rm -rf /etc", "delete-system-directory"),
    ("mkfs.ext4 /dev/sda1", "format-device"),
    ("dd if=/dev/zero of=/dev/sda", "format-device"),
    ("kill -9 -1", "kill-everything"),
    ("chmod -R 777 /", "destroy-permissions"),
    ("reboot", "power-off"),
];

/// A way to run a command: the text that does it.
pub type Wrapper = fn(&str) -> String;

/// Ways to run a command line. Each keeps the meaning of whatever it is given, even of another wrapper.
pub const WRAPPERS: &[(&str, Wrapper)] = &[
    ("bash -c", |line| format!("bash -c {}", quote(line))),
    ("sh -ec", |line| format!("/bin/sh -ec {}", quote(line))),
    ("sudo", |line| format!("sudo bash -c {}", quote(line))),
    ("sudo -u", |line| format!("sudo -u root -- sh -c {}", quote(line))),
    ("env", |line| format!("env A=b sh -c {}", quote(line))),
    ("env -i", |line| format!("/usr/bin/env -i sh -c {}", quote(line))),
    ("timeout", |line| format!("timeout -k 1 5 sh -c {}", quote(line))),
    ("nice", |line| format!("nice -n 10 sh -c {}", quote(line))),
    ("nohup", |line| format!("nohup sh -c {} &", quote(line))),
    ("stdbuf", |line| format!("stdbuf -oL sh -c {}", quote(line))),
    ("setsid", |line| format!("setsid sh -c {}", quote(line))),
    ("ionice", |line| format!("ionice -c 3 sh -c {}", quote(line))),
    ("time", |line| format!("time sh -c {}", quote(line))),
    ("command", |line| format!("command sh -c {}", quote(line))),
    ("exec", |line| format!("exec sh -c {}", quote(line))),
    ("xargs", |line| format!("echo x | xargs -I @@ sh -c {}", quote(line))),
    ("find", |line| format!("find . -maxdepth 0 -exec sh -c {} \\;", quote(line))),
    ("a launcher nobody knows", |line| format!("unheard-of --times 3 -- sh -c {}", quote(line))),
    ("a launcher nobody knows, by a word", |line| format!("unheard-of exec sh -c {}", quote(line))),
    ("busybox", |line| format!("busybox sh -c {}", quote(line))),
    ("eval", |line| format!("eval {}", quote(line))),
    ("variable", |line| format!("c={}; eval \"$c\"", quote(line))),
    ("group", |line| format!("{{ {line}\n}}")),
    ("subshell", |line| format!("({line}\n)")),
    ("substitution", |line| format!("echo \"$({line}\n)\"")),
    ("process", |line| format!("cat <({line}\n)")),
    ("if", |line| format!("if true; then {line}\nfi")),
    ("else", |line| format!("if false; then :; else {line}\nfi")),
    ("for", |line| format!("for i in 1; do {line}\ndone")),
    ("while", |line| format!("while :; do {line}\nbreak; done")),
    ("case", |line| format!("case x in x) {line}\n;; esac")),
    ("function", |line| format!("run() {{ {line}\n}}\nrun")),
    ("and", |line| format!("true && {{ {line}\n}}")),
    ("or", |line| format!("false || {{ {line}\n}}")),
    ("after", |line| format!("ls; {line}")),
    ("before", |line| format!("{line}\nls")),
    ("here-document", |line| format!("bash <<'END_{n}'\n{line}\nEND_{n}", n = line.len())),
    ("here-string", |line| format!("bash <<< {}", quote(line))),
    ("pipe", |line| format!("printf '%s\\n' {} | sh", quote(line))),
    ("base64", |line| format!("echo {} | base64 -d | bash", base64(line))),
    ("script", |line| format!("printf '%s' {} > run.sh; sh run.sh", quote(line))),
    ("source", |line| format!("source <(printf '%s' {})", quote(line))),
    ("trap", |line| format!("trap {} EXIT", quote(line))),
    ("python", |line| format!("python3 -c {}", quote(&format!("import os; os.system({})", literal(line))))),
    ("perl", |line| format!("perl -e {}", quote(&format!("system({});", literal(line))))),
];

/// Ways to mention a text without running it.
pub const MENTIONS: &[(&str, Wrapper)] = &[
    ("echo", |line| format!("echo {}", quote(line))),
    ("printf", |line| format!("printf '%s\\n' {}", quote(line))),
    ("commit", |line| format!("git commit -m {}", quote(line))),
    ("grep", |line| format!("grep -rn {} docs", quote(line))),
    ("variable", |line| format!("text={}; echo \"$text\"", quote(line))),
    ("here-document", |line| format!("cat <<'END_{n}'\n{line}\nEND_{n}", n = line.len())),
    ("file", |line| format!("printf '%s' {} > notes.txt", quote(line))),
    ("uncalled function", |line| format!("run() {{ {line}\n}}")),
    ("never", |line| format!("exit 0\n{line}")),
];

/// The text in single quotes.
#[must_use]
pub fn quote(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// The text as a double-quoted literal that Python and Perl read alike.
fn literal(text: &str) -> String {
    let mut literal = String::from("\"");
    for letter in text.chars() {
        match letter {
            '\n' => literal.push_str("\\n"),
            '"' | '\\' | '$' | '@' => {
                // As a number: the two languages do not agree on how these are escaped.
                let _ = write!(literal, "\\x{:02x}", u32::from(letter));
            }
            _ => literal.push(letter),
        }
    }
    literal + "\""
}

fn base64(text: &str) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for chunk in text.as_bytes().chunks(3) {
        let byte = |at: usize| u32::from(chunk.get(at).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for place in 0..4 {
            let digit = bits >> (18 - 6 * place) & 63;
            let letter = ALPHABET.get(usize::try_from(digit).unwrap_or(0)).copied().unwrap_or(b'A');
            out.push(if place <= chunk.len() { char::from(letter) } else { '=' });
        }
    }
    out
}

/// Numbers that look random and are the same every time.
#[derive(Debug)]
pub struct Dice(u64);

impl Dice {
    /// Dice that always fall in the same way from here on.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(seed | 1)
    }

    /// A number below `count`.
    pub fn below(&mut self, count: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % u64::try_from(count.max(1)).unwrap_or(1)).unwrap_or(0)
    }

    /// One of them.
    pub fn pick<'a, T>(&mut self, among: &'a [T]) -> Option<&'a T> {
        among.get(self.below(among.len()))
    }
}

/// A floor command in up to `depth` wrappers, what they are, and the rule that must refuse it.
#[must_use]
pub fn wrapped(dice: &mut Dice, depth: usize) -> (String, String, &'static str) {
    let (command, rule) = dice.pick(FLOOR).copied().unwrap_or_default();
    let (mut text, mut names) = (command.to_owned(), command.to_owned());
    for _ in 0..dice.below(depth + 1) {
        if let Some((name, wrap)) = dice.pick(WRAPPERS) {
            text = wrap(&text);
            names = format!("{name}({names})");
        }
    }
    (text, names, rule)
}
