//! Text programs whose output can be computed.
//!
//! A disguised command is often only a filter away: `echo cm0gLXJmIC8= | base64 -d | sh`. These are the filters that
//! are worth running here. Each is a function of its arguments and input; an option that is not known makes the
//! output unknown, never wrong ([`computed`] says how that is held).

pub(crate) mod awk;
mod bytes;
mod coding;
mod columns;
mod computed;
pub(crate) mod decode;
mod dump;
mod echo;
pub(crate) mod encode;
mod escape;
pub(crate) mod inflate;
mod lines;
mod options;
mod packing;
mod printf;
mod regex;
mod search;
mod sed;
mod streams;
mod translate;
mod words;

pub(crate) use self::regex::{Dialect, groups};
pub(crate) use self::sed::handed;
use crate::fuel::Fuel;
use crate::value::{Provenance, Value};
use computed::Computed;
use streams::Streams;

/// The most text that is computed.
const LARGEST: usize = 64 * 1024;

/// Who answers to a name that bash has for itself, as programs have it too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Speaker {
    /// A program of that name: `env echo`, `/usr/bin/printf`.
    Program,
    /// Bash itself.
    Shell,
}

/// What a program prints, when that can be computed from its arguments, its standard input and the files it reads.
///
/// `None`: it cannot; what is known of its input's origin still holds for its output.
pub(crate) fn compute(
    speaker: Speaker,
    program: &str,
    arguments: &[Value],
    stdin: &Value,
    read: &mut dyn FnMut(&Value) -> Value,
    fuel: &Fuel,
) -> Option<Value> {
    let mut streams = Streams { stdin, read, fuel };
    let filter = FILTERS.iter().find(|filter| filter.names.contains(&program))?;
    let output = match filter.run {
        Run::Passes(run) | Run::Reads(run) => run(program, arguments, &mut streams),
        Run::Says(run) => run(speaker, arguments),
    };
    let origin = arguments.iter().fold(Provenance::NONE, |all, argument| all | argument.provenance);
    let output = output?.from(origin).into_value();
    streams::affordable(&output, fuel).then_some(output)
}

/// A filter. Where it computes text, the first of its names stand in the grammar by which the oracle makes up pipelines:
/// what no real program was asked about is not computed.
struct Filter {
    names: &'static [&'static str],
    run: Run,
}

enum Run {
    /// What went in comes out, there or behind the one that unpacks it again.
    Passes(fn(&str, &[Value], &mut Streams<'_>) -> Option<Computed>),
    /// It computes text from its input, or from its words alone.
    Reads(fn(&str, &[Value], &mut Streams<'_>) -> Option<Computed>),
    /// It says its words, in the way of whoever it is.
    Says(fn(Speaker, &[Value]) -> Option<Computed>),
}

const FILTERS: &[Filter] = &[
    reads(AWKS, |_, words, streams| awk::awk(words, streams)),
    reads(&["base32", "base64", "basenc"], coding::base),
    passes(&["buffer", "mbuffer", "pv"], |_, words, streams| lines::passed_on(words, streams)),
    reads(&["basename", "dirname", "expr", "seq"], |name, words, _| words::compute(name, words)),
    reads(&["cat"], |_, words, streams| lines::cat(words, streams)),
    reads(&["cut"], |_, words, streams| columns::cut(words, streams)),
    reads(&["dd"], |_, words, streams| lines::dd(words, streams)),
    reads(&["egrep", "fgrep", "grep"], search::grep),
    reads(&["expand", "iconv", "unexpand"], lines::unchanged),
    reads(&["fold", "head", "nl", "rev", "sort", "strings", "tac", "tail", "uniq", "wc"], lines::filter),
    reads(&["hexdump", "od"], dump::od),
    reads(&["jq"], |_, words, streams| words::jq(words, streams)),
    reads(&["openssl"], |_, words, streams| coding::openssl(words, streams)),
    passes(packing::NAMES, packing::run),
    reads(&["paste"], |_, words, streams| columns::paste(words, streams)),
    reads(&["sed"], |_, words, streams| sed::sed(words, streams)),
    passes(&["tee"], |_, words, streams| lines::tee(words, streams)),
    reads(&["tr"], |_, words, streams| translate::tr(words, streams)),
    reads(&["xxd"], |_, words, streams| dump::xxd(words, streams)),
    Filter { names: &["echo"], run: Run::Says(echo::echo) },
    Filter { names: &["printf"], run: Run::Says(printf::printf) },
];

/// The names of awk. Which of them a machine calls so is the oracle's own choice.
const AWKS: &[&str] = &["awk", "gawk", "mawk", "nawk"];

const fn passes(
    names: &'static [&'static str],
    run: fn(&str, &[Value], &mut Streams<'_>) -> Option<Computed>,
) -> Filter {
    Filter { names, run: Run::Passes(run) }
}

const fn reads(
    names: &'static [&'static str],
    run: fn(&str, &[Value], &mut Streams<'_>) -> Option<Computed>,
) -> Filter {
    Filter { names, run: Run::Reads(run) }
}

#[cfg(test)]
mod tests;
