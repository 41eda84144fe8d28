//! Text that is compressed and unpacked again.
//!
//! The bytes that a compressor writes are not computed: they differ between versions and levels. What they hold is
//! known all the same, and comes out again where the same kind of program unpacks it. Between the two it is a hole,
//! so that nothing else that reads it takes it for text.

use super::computed::{Computed, Known};
use super::inflate;
use super::options::{Options, parse};
use super::streams::Streams;
use crate::value::{Piece, Provenance, Value};

/// A format: the programs that pack unless they are told `-d`, and those that only unpack.
struct Format {
    name: &'static str,
    packers: &'static [&'static str],
    unpackers: &'static [&'static str],
    printers: &'static [&'static str],
}

const FORMATS: &[Format] = &[
    Format {
        name: "gzip",
        packers: &["gzip", "pigz"],
        unpackers: &["gunzip", "unpigz"],
        printers: &["gzcat", "zcat"],
    },
    Format { name: "bzip2", packers: &["bzip2", "pbzip2"], unpackers: &["bunzip2"], printers: &["bzcat"] },
    Format { name: "xz", packers: &["pixz", "xz"], unpackers: &["unxz"], printers: &["xzcat"] },
    Format { name: "lzma", packers: &["lzma"], unpackers: &["unlzma"], printers: &["lzcat"] },
    Format { name: "zstd", packers: &["zstd"], unpackers: &["unzstd"], printers: &["zstdcat"] },
    Format { name: "lz4", packers: &["lz4"], unpackers: &["unlz4"], printers: &["lz4cat"] },
    Format { name: "compress", packers: &["compress"], unpackers: &["uncompress"], printers: &[] },
    Format { name: "brotli", packers: &["brotli"], unpackers: &[], printers: &[] },
    Format { name: "lzip", packers: &["lzip"], unpackers: &[], printers: &[] },
    Format { name: "lzop", packers: &["lzop"], unpackers: &[], printers: &[] },
];

/// All programs that pack or unpack.
pub(super) const NAMES: &[&str] = &[
    "brotli",
    "bunzip2",
    "bzcat",
    "bzip2",
    "compress",
    "gunzip",
    "gzcat",
    "gzip",
    "lz4",
    "lz4cat",
    "lzcat",
    "lzip",
    "lzma",
    "lzop",
    "pbzip2",
    "pigz",
    "pixz",
    "uncompress",
    "unlz4",
    "unlzma",
    "unpigz",
    "unxz",
    "unzstd",
    "xz",
    "xzcat",
    "zcat",
    "zstd",
    "zstdcat",
];

const LONG: &[(&str, char)] = &[
    ("decompress", 'd'),
    ("uncompress", 'd'),
    ("stdout", 'c'),
    ("to-stdout", 'c'),
    ("force", 'f'),
    ("quiet", 'q'),
    ("best", '9'),
    ("fast", '1'),
    ("keep", 'k'),
];

/// What a program that packs or unpacks prints.
pub(super) fn run(program: &str, arguments: &[Value], streams: &mut Streams<'_>) -> Option<Computed> {
    let format = format_of(program)?;
    let options = parse(arguments, "dcfqkn0123456789", LONG)?;
    let printer = format.printers.contains(&program);
    if !options.operands.is_empty() && !printer && !options.has('c') {
        return None;
    }
    if printer || options.has('d') || format.unpackers.contains(&program) {
        unpack(format, &options, streams)
    } else {
        pack(format, &options, streams)
    }
}

fn format_of(program: &str) -> Option<&'static Format> {
    let all =
        |format: &&Format| [format.packers, format.unpackers, format.printers].concat().contains(&program);
    FORMATS.iter().find(all)
}

fn pack(format: &Format, options: &Options, streams: &mut Streams<'_>) -> Option<Computed> {
    let input = streams.map(&options.operands, |text| Some(text.to_owned()))?.into_value();
    let text = Known::of(&input)?;
    Some(Computed::hidden(format!("{}{}", mark(format), &*text), &text))
}

fn unpack(format: &Format, options: &Options, streams: &mut Streams<'_>) -> Option<Computed> {
    let input = streams.input(&options.operands);
    let output = match packed_here(&input, format) {
        Some(packed) => packed,
        None if format.name == "gzip" => inflate::gunzip(&options.operands, streams)?,
        None => return None,
    };
    Some(output.from(Provenance::DECODED))
}

/// The text that this format's packer was given, when what it wrote is all there is.
fn packed_here(input: &Value, format: &Format) -> Option<Computed> {
    let [Piece::Hole(hole)] = input.pieces.as_slice() else { return None };
    let text = Value::literal(hole.shown.strip_prefix(&mark(format))?).from(input.provenance);
    Some(Computed::unchanged(text))
}

/// How a packed text is shown. The line feed is in no name of a variable and in no description of a program's output.
fn mark(format: &Format) -> String {
    format!("what {} packed:\n", format.name)
}
