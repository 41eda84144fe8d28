//! What a shell is told, and what it tells.
//!
//! Everything that comes before the call's own text is done in a process in which nothing has been redefined yet, and reads what it runs
//! from a file that nobody else has open. What comes after it may be led astray, and is not relied upon: whatever
//! it writes down is read as the text that the next call begins with.

use super::Text;

/// What bash is given to run: wait for the word to go, read, define, run, write down. In one line, so that the lines of the call's text are
/// counted from one.
///
/// The account goes to a descriptor that is closed while the text runs. Where the text leaves the shell (`exit`, `set -e`), it is written on the
/// way out, unless the text has put a trap of its own there.
pub(super) fn driver() -> String {
    let account = account();
    // A shell that traces says so before it stops.
    let look = "builtin set -- \"$?\" \"$-\"; builtin set +x;";
    format!(
        "IFS= builtin read -r -n 1 -u {GO} || exit 125; \
         IFS= builtin read -r -d '' -u {SCRIPT}; set -- \"$REPLY\"; \
         IFS= builtin read -r -d '' -u {SCRIPT}; set -- \"$1\" \"$REPLY\"; \
         unset REPLY BASH_EXECUTION_STRING; exec {SCRIPT}<&- {GO}<&-; \
         trap '{{ [[ ${{3-}} = {WRITTEN} ]] || {{ {look} }} }} 2>/dev/null; [[ ${{3-}} = {WRITTEN} ]] || {account}' EXIT; \
         eval \"$1\"; \
         {{ eval \"\\builtin shift 2; $2\"; }} {ACCOUNT}>&-; \
         {{ {look} }} 2>/dev/null; {account}; builtin set -- \"$1\" - {WRITTEN}; builtin exit \"$1\""
    )
}

/// Where the script lies, the word to go comes from, and the account goes to.
const SCRIPT: i32 = crate::sys::spawner::FIRST_GIVEN;
const GO: i32 = SCRIPT + 1;
const ACCOUNT: i32 = SCRIPT + 2;

/// What stands in the third place once the account was written.
const WRITTEN: &str = "written";

/// The parts of an account after the letters of its options, each ended by a nought. Options come first: those that would be in the way
/// are lifted then.
const PARTS: [&str; 8] = [
    "builtin shopt -po; builtin set +eu",
    "builtin shopt -p",
    "builtin pwd",
    "builtin declare -p",
    "builtin declare -f",
    "builtin declare -F",
    "builtin alias -p",
    "builtin umask -p",
];

/// The last word of an account that is whole.
const WHOLE: &[u8] = b"whole\0";

fn account() -> String {
    let parts = PARTS.map(|part| format!("{part}; builtin printf \"\\0\"; ")).concat();
    format!(
        "{{ builtin printf \"%s\\0\" \"$2\"; {parts}builtin printf \"whole\\0\"; }} 2>/dev/null >&{ACCOUNT}"
    )
}

/// What is written where the driver reads: two texts, each ended by a nought.
pub(super) fn script(call: Text<'_>) -> Vec<u8> {
    let mut script = Vec::new();
    script.extend(call.definitions.as_bytes());
    script.push(0);
    script.extend(call.options.as_bytes());
    script.extend(call.text.as_bytes());
    script.push(0);
    script
}

/// What a shell says that it has become. Nothing of it is to be believed before it was read as the text that it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Account {
    /// The letters of its options.
    pub letters: String,
    /// Its options, as `set` commands.
    pub options: String,
    /// More of its options, as `shopt` commands.
    pub settings: String,
    /// Where it is.
    pub directory: String,
    /// Its variables, as `declare` commands.
    pub variables: String,
    /// Its functions.
    pub functions: String,
    /// What functions there are, with their attributes.
    pub attributes: String,
    /// Its aliases, as `alias` commands.
    pub aliases: String,
    /// The permissions that new files do not get, as an `umask` command.
    pub mask: String,
}

impl Account {
    /// Reads what was written down. Nothing when it is not whole, or not text.
    pub(super) fn read(bytes: &[u8]) -> Option<Self> {
        let text = std::str::from_utf8(bytes.strip_suffix(WHOLE)?).ok()?;
        let parts: Vec<&str> = text.split_terminator('\0').collect();
        let [letters, options, settings, directory, variables, functions, attributes, aliases, mask] =
            <[&str; 9]>::try_from(parts).ok()?.map(str::to_owned);
        let directory = directory.strip_suffix('\n')?.to_owned();
        Some(Self { letters, options, settings, directory, variables, functions, attributes, aliases, mask })
    }
}
