//! Text programs whose output can be computed.
//!
//! A disguised command is often only a filter away: `echo cm0gLXJmIC8= | base64 -d | sh`. These are the filters that
//! are worth running here. Each is a function of its arguments and input; an option that is not known makes the
//! output unknown, never wrong.

mod awk;
mod bytes;
mod coding;
mod columns;
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

use crate::fuel::Fuel;
use crate::value::{Provenance, Value};
use streams::Streams;

/// The most text that is computed.
const LARGEST: usize = 64 * 1024;

/// What a program prints, when that can be computed from its arguments, its standard input and the files it reads.
///
/// `None`: it cannot; what is known of its input's origin still holds for its output.
pub(crate) fn compute(
    program: &str,
    arguments: &[Value],
    stdin: &Value,
    read: &mut dyn FnMut(&Value) -> Value,
    fuel: &Fuel,
) -> Option<Value> {
    let mut streams = Streams { stdin, read, fuel };
    let output = run(program, arguments, &mut streams)?;
    let origin = arguments.iter().fold(Provenance::NONE, |all, argument| all | argument.provenance);
    streams::affordable(&output, fuel).then(|| output.from(origin))
}

/// Whether the program that has a builtin's name reads these arguments in another way than the builtin.
pub(crate) fn only_shells_read(program: &str, arguments: &[Value]) -> bool {
    const OWN: &[&str] =
        &["\\u", "\\U", "\\E", "%q", "%Q", "%b", "%c", "*", "\\0", "\\4", "\\5", "\\6", "\\7"];
    matches!(program, "echo" | "printf")
        && arguments.iter().any(|argument| OWN.iter().any(|own| argument.shown().contains(own)))
}

fn run(program: &str, arguments: &[Value], streams: &mut Streams<'_>) -> Option<Value> {
    match program {
        "awk" | "gawk" | "mawk" | "nawk" => awk::awk(arguments, streams),
        "base16" | "base32" | "base64" | "basenc" | "gbase64" => coding::base(program, arguments, streams),
        "basename" | "dirname" | "expr" | "seq" => words::compute(program, arguments),
        "buffer" | "mbuffer" | "pv" => lines::passed_on(arguments, streams),
        "cat" => lines::cat(arguments, streams),
        "cut" => columns::cut(arguments, streams),
        "dd" => lines::dd(arguments, streams),
        "echo" => echo::echo(arguments),
        "egrep" | "fgrep" | "grep" => search::grep(program, arguments, streams),
        "expand" | "iconv" | "unexpand" => lines::unchanged(program, arguments, streams),
        "fold" | "head" | "nl" | "rev" | "sort" | "strings" | "tac" | "tail" | "uniq" | "wc" => {
            lines::filter(program, arguments, streams)
        }
        "jq" => words::jq(arguments, streams),
        "openssl" => coding::openssl(arguments, streams),
        "paste" => columns::paste(arguments, streams),
        "printf" => printf::printf(arguments),
        "sed" => sed::sed(arguments, streams),
        "tee" => Some(streams.stdin.clone()),
        "tr" => translate::tr(arguments, streams),
        "hexdump" | "od" => dump::od(program, arguments, streams),
        "xxd" => dump::xxd(arguments, streams),
        _ if packing::knows(program) => packing::run(program, arguments, streams),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
