//! Spellings in which bash evaluates arithmetic, and what that runs.
//!
//! Each holds `PAYLOAD`, which stands for a command: a harmless one where bash is asked, and one that must never run
//! where the judge is.

/// Spellings that run the payload, one a line.
const RUNNING: &str = include_str!("arithmetic.txt");
/// Spellings that do not run it, or hold none.
const CALM: &str = include_str!("arithmetic_calm.txt");

/// What one call leaves in a shell, which of it goes on, and a later call that runs the payload with it.
pub const CALLS: &[(&str, &str, &str)] = &[
    ("x='a[$(PAYLOAD)0]'", "x", "(( x ))"),
    ("x='a[$(PAYLOAD)0]'", "x", "let y=x"),
    ("x='a[$(PAYLOAD)0]'", "x", "[[ x -eq 1 ]]"),
    ("x='a[$(PAYLOAD)0]'", "x", "echo ${HOME:x}"),
    ("x='a[$(PAYLOAD)0]'", "x", "b[x]=1"),
    ("x='a[$(PAYLOAD)0]'", "x", "RANDOM=x"),
    ("x='a[$(PAYLOAD)0]'", "x", "read \"$x\" <<< 1"),
    ("x='a[$(PAYLOAD)0]'; y=x", "x y", "echo $((y))"),
    ("x='$(PAYLOAD)'", "x", "echo \"${x@P}\""),
    ("b=(1 2 'a[$(PAYLOAD)0]')", "b", "(( b[2] ))"),
    ("declare -A m=([k]='a[$(PAYLOAD)0]')", "m", "(( m[k] ))"),
    ("declare -i n=1", "n", "n='a[$(PAYLOAD)0]'"),
    ("declare -ai n=(1)", "n", "n[3]='a[$(PAYLOAD)0]'"),
    ("declare -n r='a[$(PAYLOAD)0]'", "r", "echo $r"),
    ("declare -n r='b[x]'", "r", "x='a[$(PAYLOAD)0]'; echo $r"),
    ("x='a[$(PAYLOAD)0]'; declare -n r=x", "x r", "(( r ))"),
];

/// Spellings that run the payload.
pub fn running() -> impl Iterator<Item = &'static str> {
    RUNNING.lines()
}

/// Spellings that do not run it, or hold none.
pub fn calm() -> impl Iterator<Item = &'static str> {
    CALM.lines()
}

/// A spelling with a command for its payload.
#[must_use]
pub fn with(spelling: &str, payload: &str) -> String {
    spelling.replace("PAYLOAD", payload)
}
