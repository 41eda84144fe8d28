//! Commands behind a prompt whose output is a secret: `$ cat vpn.pass`, `$ aws configure get aws_secret_access_key`.

use super::super::bytes::{ALNUM, BLANK, between, byte, contains, from, is};
use super::super::name::{Strength, strength};

/// The longest command that is read.
const LONGEST: usize = 400;

/// How much may stand before the sign of a prompt.
const PROMPT: usize = 64;

/// What the output of the command on a line is; `None` if there is no command, or an ordinary one.
pub(super) fn asks_for(line: &[u8]) -> Option<Strength> {
    if let Some(file) = headed(line) {
        return names(file).filter(|said| *said >= Strength::Secret).map(|_| Strength::Password);
    }
    let command = after_prompt(line).filter(|command| command.len() <= LONGEST)?;
    let has = |words: &&[u8]| command.windows(words.len()).any(|window| window == *words);
    if CHANGING.iter().any(has) {
        return None;
    }
    if TELLING.iter().any(has) {
        return Some(Strength::Password);
    }
    let reads = firsts(command).any(|word| READERS.contains(&base(word))) || ASKING.iter().any(has);
    let said = words(command).skip(1).filter_map(names).max();
    said.filter(|said| reads && *said >= Strength::Secret)
}

/// The file whose lines follow: `==> /etc/app/.vault_pass <==`, `# .vault_pass`.
fn headed(line: &[u8]) -> Option<&[u8]> {
    let shown = line.strip_prefix(b"==> ").and_then(|line| line.strip_suffix(b" <=="));
    let noted = || line.strip_prefix(b"# ").or_else(|| line.strip_prefix(b"--- "));
    let file = shown.or_else(noted)?;
    let is_file =
        file.iter().any(|byte| matches!(byte, b'.' | b'/')) && !file.iter().any(|byte| is(*byte, BLANK));
    (is_file && !matches!(file.last(), Some(b'.' | b':'))).then_some(file)
}

/// Whether a line is a prompt with a command, or one that waits for it.
pub(super) fn is_prompt(line: &[u8]) -> bool {
    after_prompt(line).is_some()
        || matches!(line.trim_ascii_end().last(), Some(b'$' | b'#')) && line.len() <= PROMPT
}

/// The command behind the sign of a prompt.
fn after_prompt(line: &[u8]) -> Option<&[u8]> {
    let is_sign = |two: &[u8]| matches!(two, [b'$' | b'#' | b'%' | b'>', b' ']);
    let near = between(line, 0, line.len().min(PROMPT));
    let sign = near.windows(2).position(is_sign)? + 2;
    // An arrow is none: `fn a(b) -> C`.
    if near.get(..sign - 1).is_some_and(|before| before.ends_with(b"->") || before.ends_with(b"=>")) {
        return None;
    }
    // A comment begins as the prompt of somebody who may do anything.
    let is_comment = between(line, 0, sign).trim_ascii() == b"#"
        && !COMMENTS.iter().any(|word| from(line, sign).starts_with(word));
    if is_comment {
        return None;
    }
    // What stands before a prompt is a user, a host and a directory.
    let words = between(line, 0, sign)
        .split(|byte| is(*byte, BLANK))
        .filter(|word| word.iter().any(|byte| is(*byte, ALNUM)));
    (words.count() <= 3).then(|| from(line, sign).trim_ascii())
}

/// Commands that no comment begins with.
const COMMENTS: &[&[u8]] = &[
    b"cat /",
    b"cat .",
    b"cat ~",
    b"cat \"",
    b"echo $",
    b"echo \"$",
    b"printenv ",
    b"aws ",
    b"vault ",
    b"kubectl ",
    b"op ",
    b"wg ",
    b"openssl ",
];

fn words(command: &[u8]) -> impl Iterator<Item = &[u8]> {
    command
        .split(|byte| is(*byte, BLANK) || matches!(byte, b'|' | b';' | b'(' | b')'))
        .filter(|word| !word.is_empty())
}

/// The first word of each command in a row, behind what runs it as somebody else.
fn firsts(command: &[u8]) -> impl Iterator<Item = &[u8]> {
    let is_other = |word: &&[u8]| {
        matches!(*word, b"sudo" | b"doas" | b"env" | b"command" | b"exec")
            || word.contains(&b'=')
            || word.starts_with(b"-")
    };
    command.split(|byte| matches!(byte, b'|' | b';' | b'&')).filter_map(move |part| {
        part.split(|byte| is(*byte, BLANK)).filter(|word| !word.is_empty()).find(|word| !is_other(word))
    })
}

/// A word without its directories.
fn base(word: &[u8]) -> &[u8] {
    word.rsplit(|byte| *byte == b'/').next().unwrap_or_default()
}

/// What a word of a command names: a file, a variable, a path into a document.
fn names(word: &[u8]) -> Option<Strength> {
    let is_sign = |byte: &u8| matches!(byte, b'"' | b'\'' | b'$' | b'{' | b'}' | b'<' | b',');
    let start = word.iter().position(|byte| !is_sign(byte)).unwrap_or(word.len());
    let end = word.iter().rposition(|byte| !is_sign(byte)).map_or(start, |end| end + 1);
    let word = between(word, start, end);
    let word = base(word);
    let dot = word.iter().rposition(|byte| *byte == b'.');
    let ending = dot.map_or(&b""[..], |dot| from(word, dot + 1));
    if SOURCES.contains(&ending) {
        return None;
    }
    if ending == b"key" || word.ends_with(b"cookie") || word.ends_with(b".nk") {
        return Some(Strength::Secret);
    }
    let whole = strength(word);
    let stem = dot.filter(|dot| *dot > 0).and_then(|dot| strength(between(word, 0, dot)));
    // The scheme of an address to a secret names it: `op://vault/item/password`.
    whole.max(stem).filter(|_| byte(word, 0) != b'-' || word.contains(&b'='))
}

/// What files of programs and documents end with: their lines are no secrets.
const SOURCES: &[&[u8]] = &[
    b"rs", b"py", b"js", b"ts", b"tsx", b"jsx", b"go", b"java", b"md", b"html", b"css", b"c", b"h", b"cpp",
    b"rb", b"php", b"sh", b"vue", b"kt", b"swift", b"cs", b"sql", b"xml", b"rst", b"log", b"pl", b"lua",
    b"scala", b"test", b"snap", b"pub", b"crt", b"diff", b"patch", b"lock",
];

/// What does something else with it than to show it.
const CHANGING: &[&[u8]] = &[
    b" > ",
    b" >> ",
    b"| wc",
    b"sum",
    b"| grep -c",
    b"| pbcopy",
    b"| xclip",
    b"| kubectl",
    b"| docker",
    b"| gh secret",
    b"--password-stdin",
    b"git log",
    b"git grep",
    b"git diff",
    b"git show",
    b"ls ",
    b" -c '",
    b"grep -r",
    b"grep -l",
    b"rg -l",
    b"curl ",
];

/// Programs that show what they are asked for.
const READERS: &[&[u8]] = &[
    b"cat",
    b"head",
    b"tail",
    b"less",
    b"more",
    b"bat",
    b"type",
    b"Get-Content",
    b"gc",
    b"echo",
    b"printf",
    b"printenv",
    b"jq",
    b"yq",
    b"base64",
    b"gpg",
    b"age",
    b"sops",
    b"vault",
    b"op",
    b"pass",
    b"bw",
    b"doppler",
    b"chamber",
    b"infisical",
    b"berglas",
    b"keyctl",
    b"xxd",
    b"hexdump",
    b"cut",
    b"awk",
    b"sed",
    b"tr",
    b"strings",
    b"terraform",
    b"pulumi",
    b"dotenv",
    b"Write-Output",
    b"Write-Host",
    b"print",
    b"redis-cli",
    b"crudini",
];

/// Commands whose output is a secret.
const TELLING: &[&[u8]] = &[
    b"print-access-token",
    b"print-identity-token",
    b"get-access-token",
    b" auth token",
    b"pass show ",
    b"op read ",
    b"wg genkey",
    b"wg genpsk",
    b"openssl rand ",
    b"pwgen",
    b"pwmake",
    b"apg ",
    b"lpass show ",
    b"gopass show ",
    b"secret-tool lookup",
    b"keyring get ",
    b"get-login-password",
    b"create token ",
    b"find-generic-password",
    b"find-internet-password",
    b"makepasswd",
    b"mkpasswd",
    b"kubeadm token",
    b"docker swarm join-token",
    b"keepassxc-cli show",
    b"ansible-vault view",
    b"ansible-vault decrypt",
    b"chezmoi secret",
    b"uuidgen --secret",
    b"secrets versions access",
    b"get-secret-value",
    b"--showsecret",
    b"initial-password",
    b"consul keygen",
    b"gossip keyring generate",
    b"dumpprivkey",
    b"reset-password",
    b".erlang.cookie",
    b".google_authenticator",
    b"nsc export keys",
    b"agent token",
    b"auth print",
];

/// Commands whose output is what they name.
const ASKING: &[&[u8]] = &[
    b"jsonpath",
    b"-field=",
    b"-field ",
    b"get-secret",
    b"secret get",
    b"secret show",
    b"secrets get",
    b"secrets versions access",
    b"config get",
    b"config:get",
    b"configure get",
    b"config show",
    b"item get",
    b" -raw ",
    b"get-parameter",
    b"keyvault secret",
    b"--query",
    b"go-template",
];

/// Whether a line has nothing on it but what a command was asked for: one word, or a few in a row.
pub(super) fn is_bare(line: &[u8]) -> bool {
    let word = line.trim_ascii();
    let is_code = matches!(word.last(), Some(b',' | b';' | b'(' | b'{' | b'[' | b'|' | b'\''));
    let is_sentence = is_code
        || contains(word, b": ")
        || contains(word, b" = ")
        || word.ends_with(b":")
        || word.starts_with(b"-----");
    !word.is_empty() && !is_sentence && word.split(|byte| is(*byte, BLANK)).count() <= 8
}
