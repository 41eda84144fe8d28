//! Plain patterns of the kind that other guards go by, to compare the judge with.
//!
//! They are written after the published behaviour of Hermes 0.19 (its hardline and dangerous tables). A judge that understands commands
//! must stop at least what these stop; where it does not, somebody has looked.

use regex_lite::{Regex, RegexBuilder};

/// A pattern and the kind of command that it catches.
#[derive(Debug)]
pub struct Pattern {
    /// The kind of command.
    pub name: &'static str,
    matcher: Regex,
}

impl Pattern {
    /// Returns whether the pattern is found in a command.
    #[must_use]
    pub fn catches(&self, command: &str) -> bool {
        self.matcher.is_match(command)
    }
}

/// Returns every pattern, ready to match.
///
/// # Panics
/// When a pattern of the table is not valid.
#[must_use]
#[expect(clippy::panic, reason = "a pattern that is not valid must be named")]
pub fn all() -> Vec<Pattern> {
    let build =
        |text: &str| RegexBuilder::new(text).case_insensitive(true).dot_matches_new_line(true).build();
    let pattern = |(name, text): &(&'static str, &str)| {
        let matcher = build(text).unwrap_or_else(|error| panic!("{name}: {error}"));
        Pattern { name, matcher }
    };
    TABLE.iter().map(pattern).collect()
}

/// Names and patterns.
const TABLE: &[(&str, &str)] = &[
    (
        "root delete",
        r#"(?:^|\n|[;&|`(]|\$\()\s*(?:sudo(?:\s+-\w+)*\s+)?(?:env(?:\s+\w+=\S*)*\s+)?(?:(?:exec|nohup|setsid|time)\s+)*rm\s+(?:-\S+\s+)*["']?/(?:/|\.|\.\.|\./|\*)?["']?(?:\s|$|;|&|\|)"#,
    ),
    (
        "system delete",
        r#"(?:^|\n|[;&|`(]|\$\()\s*(?:sudo(?:\s+-\w+)*\s+)?(?:env(?:\s+\w+=\S*)*\s+)?(?:(?:exec|nohup|setsid|time)\s+)*rm\s+(?:-\S+\s+)*["']?/(?:home|root|etc|usr|var|bin|sbin|boot|lib)(?:/\*)?["']?(?:\s|$|;)"#,
    ),
    (
        "home delete",
        r#"(?:^|\n|[;&|`(]|\$\()\s*(?:sudo(?:\s+-\w+)*\s+)?(?:env(?:\s+\w+=\S*)*\s+)?(?:(?:exec|nohup|setsid|time)\s+)*rm\s+(?:-\S+\s+)*["']?(?:~|\$home|\$\{home\})(?:/|/\*)?["']?(?:\s|$|;)"#,
    ),
    ("mkfs", r"\bmkfs(?:\.\w+)?\b"),
    ("dd raw", r"\bdd\b[^;|\n]*of=/dev/(?:sd|nvme|hd|mmcblk|vd|xvd)"),
    ("redirect raw", r">\s*/dev/(?:sd|nvme|hd|mmcblk|vd|xvd)"),
    ("fork bomb", r":\(\)\s*\{\s*:\s*\|\s*:\s*&\s*\}\s*;\s*:"),
    ("kill all", r"\bkill\s+(?:-\S+\s+)*-1\b"),
    (
        "shutdown",
        r"(?:^|\n|[;&|`(]|\$\()\s*(?:sudo(?:\s+-\w+)*\s+)?(?:env(?:\s+\w+=\S*)*\s+)?(?:(?:exec|nohup|setsid|time)\s+)*(?:shutdown|reboot|halt|poweroff)\b",
    ),
    (
        "init",
        r"(?:^|\n|[;&|`(]|\$\()\s*(?:sudo(?:\s+-\w+)*\s+)?(?:env(?:\s+\w+=\S*)*\s+)?(?:(?:exec|nohup|setsid|time)\s+)*(?:tel)?init\s+[06]\b",
    ),
    (
        "systemctl power",
        r"(?:^|\n|[;&|`(]|\$\()\s*(?:sudo(?:\s+-\w+)*\s+)?(?:env(?:\s+\w+=\S*)*\s+)?(?:(?:exec|nohup|setsid|time)\s+)*systemctl\s+(?:poweroff|reboot|halt|kexec)\b",
    ),
    ("delete in root path", r"\brm\s+(?:-\S+\s+)*/"),
    ("recursive delete", r"\brm\s+-\w*r"),
    ("recursive delete long", r"\brm\s+--recursive"),
    ("cmd del", r"\bcmd(?:\.exe)?\s+/[ck]\s.*\b(?:del|erase|rd|rmdir)\b"),
    ("ps del", r"\b(?:powershell|pwsh)\b.*\b(?:remove-item|rmdir|erase|del|rd|ri|rm)\b"),
    ("ps enc", r"\b(?:powershell|pwsh)\b.*\s-e(?:nc|ncodedcommand)?\s"),
    ("world writable", r"\bchmod\s+(?:-\S+\s+)*(?:777|666|o\+w|a\+w)"),
    ("chown root", r"\bchown\s+-\w*r\w*\s+root|chown\s+--recur\w*\s+root"),
    ("disk copy", r"\bdd\s+.*if="),
    ("sql drop", r"\bdrop\s+(?:table|database)\b"),
    ("sql delete", r#"\bdelete\s+from\s+\w+\s*(?:;|$|["'])"#),
    ("sql truncate", r"\btruncate\s+(?:table\s+)?\w"),
    ("overwrite etc", r">\s*(?:/etc/|/private/(?:etc|var|tmp|home)/)"),
    ("systemctl stop", r"\bsystemctl\s+(?:-\S+\s+)*(?:stop|restart|disable|mask)\b"),
    ("pkill -9", r"\bpkill\s+-9|killall\s+(?:-9|-kill|-sigkill|-r|-s\s+(?:kill|sigkill|9))"),
    ("curl sh", r"\b(?:curl|wget)\b.*\|\s*(?:sh|bash)\b"),
    ("sh <(curl", r"\b(?:bash|sh|zsh|ksh)\s+<\s*<?\(?\s*(?:curl|wget)"),
    ("eval curl", r#"(?:\beval|\bsource|(?:^|[;&|\s])\.)\s+["']?(?:\$\(|`)\s*(?:curl|wget)"#),
    ("b64 sh", r"\bbase(?:64|32|16)\s+(?:-d|--decode).*\|\s*(?:sh|bash|zsh|ksh|dash)\b"),
    ("xxd sh", r"\bxxd\s+-r.*\|\s*(?:sh|bash|zsh|dash|ksh)\b"),
    ("tr sh", r"\becho\b.*\|\s*tr\b.*\|\s*(?:sh|bash|zsh|dash|ksh)\b"),
    ("openssl sh", r"\bopenssl\s+(?:base64|enc)\s+.*-d.*\|\s*(?:sh|bash|zsh|dash|ksh)\b"),
    (
        "tee sens",
        r"\btee\b.*(?:/etc/|/private/(?:etc|var|tmp|home)/|/dev/sd|(?:~|\$home|\$\{home\})/\.ssh/|\.hermes/(?:\.env|config\.yaml)|(?:~|\$home|\$\{home\})/\.(?:bashrc|zshrc|profile|bash_profile|zprofile|netrc|pgpass|npmrc|pypirc))",
    ),
    (
        "redir sens",
        r#">>?\s*["']?(?:/etc/|/private/(?:etc|var|tmp|home)/|/dev/sd|(?:~|\$home|\$\{home\})/\.ssh/|\.hermes/(?:\.env|config\.yaml)|(?:~|\$home|\$\{home\})/\.(?:bashrc|zshrc|profile|bash_profile|zprofile|netrc|pgpass|npmrc|pypirc))"#,
    ),
    ("tee proj", r#"\btee\s+(?:-\S+\s+)*\S*(?:\.env(?:\.\w+)*|config\.yaml)(?:\s|$|["';|&])"#),
    ("redir proj", r#">>?\s*\S*(?:\.env(?:\.\w+)*|config\.yaml)(?:\s|$|["';|&])"#),
    ("xargs rm", r"\bxargs\b.*\brm\b"),
    ("find rm", r"\bfind\b.*-exec(?:dir)?\s+(?:/\S*/)?rm\b"),
    ("find delete", r"\bfind\b.*-delete\b"),
    ("hermes gateway", r"\bhermes\s+(?:-\S+\s+)*(?:gateway\s+(?:stop|restart)|update)\b"),
    ("compose", r"\bdocker\s+compose\s+(?:restart|stop|kill|down)\b"),
    ("docker", r"\bdocker\s+(?:restart|stop|kill)\b"),
    ("gateway run", r"\bgateway\s+run\b.*(?:&\s*$|disown|setsid)|nohup\b.*gateway\s+run"),
    ("pkill hermes", r"\b(?:pkill|killall)\b.*(?:hermes|gateway|cli\.py)"),
    ("kill pgrep", r"\bkill\b.*(?:\$\(|`)\s*(?:pgrep|pidof)"),
    ("launchctl", r"\blaunchctl\s+(?:stop|kickstart|bootout|unload|kill|disable|remove)\b.*hermes"),
    ("cp etc", r"\b(?:cp|mv|install)\b.*\s/(?:etc|private)/"),
    ("cp proj", r#"\b(?:cp|mv|install)\b.*\s\S*(?:\.env(?:\.\w+)*|config\.yaml)(?:\s|$|["';|&])"#),
    (
        "cp sens",
        r"\b(?:cp|mv|install)\b.*\s(?:/etc/|/private/(?:etc|var|tmp|home)/|/dev/sd|(?:~|\$home|\$\{home\})/\.ssh/|\.hermes/(?:\.env|config\.yaml)|(?:~|\$home|\$\{home\})/\.(?:bashrc|zshrc|profile|bash_profile|zprofile|netrc|pgpass|npmrc|pypirc))\S*\s*$",
    ),
    (
        "sed sens",
        r"\bsed\s+(?:-\S*i|--in-place).*(?:/etc/|/private/(?:etc|var|tmp|home)/|/dev/sd|(?:~|\$home|\$\{home\})/\.ssh/|\.hermes/(?:\.env|config\.yaml)|(?:~|\$home|\$\{home\})/\.(?:bashrc|zshrc|profile|bash_profile|zprofile|netrc|pgpass|npmrc|pypirc))",
    ),
    (
        "perl -i sens",
        r"\b(?:perl|ruby)\b.*\s-\S*i.*(?:/etc/|/private/(?:etc|var|tmp|home)/|/dev/sd|(?:~|\$home|\$\{home\})/\.ssh/|\.hermes/(?:\.env|config\.yaml)|(?:~|\$home|\$\{home\})/\.(?:bashrc|zshrc|profile|bash_profile|zprofile|netrc|pgpass|npmrc|pypirc))",
    ),
    ("sh heredoc", r"\b(?:bash|sh|zsh|ksh)\s+<<"),
    ("reset hard", r"\bgit\s+reset\s+--h"),
    ("push force", r"\bgit\s+push\b.*(?:--forc|\s-f\b)"),
    ("git clean", r"\bgit\s+clean\s+-\w*f"),
    (
        "branch -d",
        r"\bgit\s+branch\s+-d\b|git\s+branch\b.*(?:-d|--delete)\b.*(?:-f|--force)\b|git\s+branch\b.*(?:-f|--force)\b.*(?:-d|--delete)\b",
    ),
    ("chmod +x run", r"\bchmod\s+\+x\b.*;\s*\./"),
    ("sudo flag", r"\bsudo\s+(?:-\S+\s+)*-(?:-st|-a|s|a|\w*[sa])"),
];
