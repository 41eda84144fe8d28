//! Programs that put files somewhere: copies, moves, links, images.

use super::arguments::Parsed;
use super::operands::{inside, is_unknown};
use super::schema::{Do, Operands, Opt, Program, Role, Syntax, attached, flag, program, quiet, value};
use crate::effect::{Flags, Target, Verb};
use crate::mode::mode;
use crate::sink::Sink;
use crate::value::{Provenance, Value};

const HELP: Opt = flag("--help --version", Do::Stop);
const TARGET: Opt = value("-t --target-directory", Role::Inert);
const COMMON: &[Opt] = &[
    HELP,
    TARGET,
    flag("-r -R --recursive -a --archive", Do::Set(Flags::RECURSIVE)),
    flag("-f --force", Do::Set(Flags::FORCE)),
    value("-S --suffix --sparse", Role::Inert),
    attached("--backup --preserve --no-preserve --reflink --update --context", Do::Nothing),
    quiet("-i -n -v -u -p -d -l --link -s --symbolic-link -x -L -P --no-dereference -H -T -b -Z"),
];

pub(super) static PROGRAMS: &[Program] = &[
    program(&["cp", "gcp", "copy"]).options(COMMON).operands(Operands::None).refine(copy),
    program(&["mv", "gmv"]).options(COMMON).operands(Operands::None).refine(rename),
    program(&["ln", "gln"])
        .options(&[
            HELP,
            TARGET,
            flag("-f --force", Do::Set(Flags::FORCE)),
            value("-S --suffix", Role::Inert),
            attached("--backup", Do::Nothing),
            quiet("-s -n --no-dereference -v -r -i -b -L -P -T --no-target-directory -d -F"),
        ])
        .operands(Operands::None)
        .refine(link),
    program(&["link"]).operands(Operands::Each(&[Role::Read, Role::Link])),
    program(&["install", "ginstall"])
        .options(&[
            HELP,
            TARGET,
            flag("-d --directory", Do::Nothing),
            value("-m --mode", Role::Inert),
            value("-o --owner -g --group -S --suffix", Role::Inert),
            attached("--backup", Do::Nothing),
            value("--strip-program", Role::Program),
        ])
        .operands(Operands::None)
        .refine(install),
    program(&["tee", "gtee"])
        .options(&[
            HELP,
            flag("-a --append", Do::Set(Flags::APPEND)),
            attached("--output-error", Do::Nothing),
        ])
        .operands(Operands::None)
        .refine(tee),
    program(&["dd", "gdd", "dcfldd", "dc3dd", "ddrescue"])
        .syntax(Syntax::KeyValue)
        .options(&[
            value("if=", Role::Inert),
            value("of=", Role::Inert),
            value(
                "count= bs= ibs= obs= cbs= skip= seek= iseek= oseek= conv= iflag= oflag= status=",
                Role::Inert,
            ),
        ])
        .refine(dd),
    program(&["qemu-img"]).subs(&[
        program(&["dd"])
            .syntax(Syntax::KeyValue)
            .options(&[value("if=", Role::Read), value("of=", Role::Write)]),
        program(&["convert"])
            .options(&[value("-f -O -o -S -l -m", Role::Inert)])
            .operands(Operands::LastIs(Role::Read, Role::Write)),
        program(&["create"])
            .options(&[value("-f -o -b -F", Role::Inert)])
            .operands(Operands::Each(&[Role::Write, Role::Inert])),
    ]),
    program(&["truncate"])
        .options(&[
            HELP,
            value("-s --size", Role::Inert),
            value("-r --reference", Role::Inert),
            quiet("-c --no-create -o --io-blocks"),
        ])
        .operands(Operands::None)
        .refine(truncate),
    program(&["fallocate"])
        .options(&[
            HELP,
            value("-l --length -o --offset", Role::Inert),
            flag(
                "-d --dig-holes -p --punch-hole -z --zero-range -c --collapse-range",
                Do::Set(Flags::IN_PLACE),
            ),
        ])
        .all(Role::Write)
        .refine(allocate),
    program(&["rename", "prename", "file-rename", "perl-rename"])
        .options(&[quiet("-n -v -f"), value("-e", Role::Code(crate::lang::Lang::Perl))])
        .operands(Operands::Each(&[Role::Code(crate::lang::Lang::Perl), Role::MoveFrom])),
    program(&["mmv", "vidir", "qmv"]),
    program(&["update-alternatives", "alternatives"])
        .options(&[
            flag("--display --query --list --get-selections", Do::Stop),
            quiet("--install --set --force --config --auto --remove"),
        ])
        .refine(alternatives),
];

/// The sources, the destination, and whether that is surely a directory.
struct Transfer<'a> {
    sources: Vec<&'a Value>,
    destination: Option<&'a Value>,
    into_directory: bool,
}

impl<'a> Transfer<'a> {
    fn of(parsed: &'a Parsed<'_>) -> Self {
        let mut sources: Vec<_> = parsed.operands.iter().map(|operand| &operand.value).collect();
        let directory = parsed.value("-t --target-directory");
        let destination = directory.or_else(|| if sources.len() > 1 { sources.pop() } else { None });
        let into_directory = directory.is_some()
            || sources.len() > 1
            || destination.is_some_and(|path| path.shown().ends_with('/') || is_directory(path));
        Self { sources, destination, into_directory }
    }

    /// Where a source, or a link, may be afterwards: a destination may be a directory, whatever it looks like. Nothing where that cannot be known.
    fn places(&self, source: &Value) -> Option<Vec<Value>> {
        let destination = self.destination.filter(|destination| destination.known().is_some())?;
        source.known()?;
        let itself = (!self.into_directory).then(|| destination.clone());
        // In this order: what is inside is then looked for behind the link that the other one has become.
        Some(itself.into_iter().chain([inside(destination, source)]).collect())
    }

    fn landing(&self, source: &Value) -> Option<Value> {
        let destination = self.destination?;
        Some(if self.into_directory { inside(destination, source) } else { destination.clone() })
    }
}

/// Directories that every machine has, or that are spelt as one.
fn is_directory(path: &Value) -> bool {
    path.known().is_some_and(|path| {
        matches!(
            path.as_ref(),
            "." | ".." | "~" | "/" | "/etc" | "/tmp" | "/usr/bin" | "/bin" | "/usr/local/bin" | "/dev"
        ) || path.ends_with("/.")
            || path.ends_with("/..")
            || path.ends_with("/.ssh")
            || path.ends_with(".d")
    })
}

/// Nothing is left of a file whose new size is none, or that of nothing.
fn truncate(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let size = parsed.value("-s --size").map(Value::shown).unwrap_or_default();
    let number =
        size.trim_start_matches(['<', ' ']).trim_end_matches(|unit: char| unit.is_ascii_alphabetic());
    let none = !number.is_empty() && number.bytes().all(|digit| digit == b'0');
    let as_nothing =
        parsed.value("-r --reference").is_some_and(|file| file.known().as_deref() == Some("/dev/null"));
    for file in &parsed.operands {
        let content = if none || as_nothing {
            Value::default()
        } else {
            Value::content_of("what truncate leaves".to_owned(), Provenance::FILE)
        };
        sink.write(&file.value, &content, parsed.flags | Flags::TRUNCATE);
    }
}

fn copy(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let transfer = Transfer::of(parsed);
    for source in &transfer.sources {
        let content = sink.read(source);
        let Some(landing) = transfer.landing(source) else { continue };
        sink.write(&landing, &content, parsed.flags | Flags::TRUNCATE);
        let places = transfer.places(source).into_iter().flatten();
        if parsed.has("-l --link -s --symbolic-link") {
            sink.link(&landing, source, parsed.flags);
            places.for_each(|place| sink.moved(&landing, &place));
        } else if parsed.has("-a --archive -d -P --no-dereference -r -R --recursive") {
            places.for_each(|place| sink.moved(source, &place));
        }
    }
}

/// A move into `/dev/null` is a deletion in disguise.
fn rename(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let transfer = Transfer::of(parsed);
    let lost = transfer.destination.and_then(Value::known).is_some_and(|path| path == "/dev/null");
    for source in &transfer.sources {
        if lost {
            sink.path(Verb::Delete, source, parsed.flags | Flags::RECURSIVE | Flags::IRREVERSIBLE);
            continue;
        }
        let content = sink.read(source);
        let places = transfer.places(source);
        let flags = parsed.flags | Flags::MOVE;
        // A link itself is moved. Where it is then must be known, or nobody would see what is done through it.
        match &places {
            _ if is_unknown(source) => {}
            Some(_) => sink.name(Verb::Delete, source, flags),
            None => sink.path(Verb::Delete, source, flags),
        }
        if let Some(landing) = transfer.landing(source) {
            sink.write(&landing, &content, parsed.flags | Flags::TRUNCATE);
        }
        places.into_iter().flatten().for_each(|place| sink.moved(source, &place));
    }
}

fn link(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let transfer = Transfer::of(parsed);
    for source in &transfer.sources {
        sink.path(Verb::Read, source, parsed.flags);
        let landing = transfer.landing(source).unwrap_or_else(|| inside(&Value::literal("."), source));
        if parsed.has("-n -T --no-dereference --no-target-directory") {
            sink.relink(&landing, source, parsed.flags);
        } else {
            sink.link(&landing, source, parsed.flags);
        }
    }
}

fn install(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if parsed.has("-d --directory") {
        return super::operands::create(parsed, sink);
    }
    let given = parsed.value("-m --mode").and_then(Value::known).map(|text| mode(&text));
    let transfer = Transfer::of(parsed);
    for source in &transfer.sources {
        let content = sink.read(source);
        let Some(landing) = transfer.landing(source) else { continue };
        sink.write(&landing, &content, parsed.flags | Flags::TRUNCATE);
        if let Some(bits) = given {
            sink.path(Verb::ChangeMode, &landing, parsed.flags | bits);
        }
    }
}

/// Standard input is written to every operand.
pub(super) fn tee(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let content = sink.stdin();
    let how = if parsed.flags.has(Flags::APPEND) { Flags::NONE } else { Flags::TRUNCATE };
    for operand in &parsed.operands {
        sink.write(&operand.value, &content, parsed.flags | how);
    }
    sink.print(content);
}

fn dd(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let source = parsed.value("if=");
    let mut content = match source {
        Some(source) => sink.read(source),
        None => sink.stdin(),
    };
    if parsed.has("count=") {
        content.provenance = content.provenance.without(Provenance::ENDLESS);
    }
    let content = portion(parsed, content);
    let Some(target) = parsed.value("of=") else { return sink.print(content) };
    let keeps = parsed.value("conv=").is_some_and(|conv| conv.shown().contains("notrunc"));
    let how = if keeps { Flags::IN_PLACE } else { Flags::TRUNCATE };
    sink.write(target, &content, parsed.flags | how);
}

/// What dd takes of its input, and makes of it.
fn portion(parsed: &Parsed<'_>, content: Value) -> Value {
    let conversions = parsed.value("conv=").map(Value::shown).unwrap_or_default();
    let harmless =
        |word: &str| matches!(word, "" | "notrunc" | "noerror" | "fsync" | "fdatasync" | "nocreat" | "excl");
    let converts = !conversions.split(',').all(harmless);
    let moves = parsed.has("seek= oseek=");
    if !converts && !moves && !parsed.has("skip= iseek= count=") {
        return content;
    }
    let taken = if converts || moves { None } else { content.known().and_then(|text| taken(parsed, &text)) };
    match taken {
        Some(text) => Value::literal(text).from(content.provenance),
        None => Value::unknown("output of dd", content.provenance | Provenance::OUTSIDE),
    }
}

/// `skip=` and `count=` blocks of `bs=` bytes.
fn taken(parsed: &Parsed<'_>, text: &str) -> Option<String> {
    let number = |names: &'static str| match parsed.value(names) {
        None => Some(None),
        Some(given) => given.known()?.parse::<usize>().ok().map(Some),
    };
    if parsed.has("iflag=") {
        return None;
    }
    let block = number("bs= ibs=")?.unwrap_or(512);
    let from = number("skip= iseek=")?.unwrap_or(0).checked_mul(block)?.min(text.len());
    let most = number("count=")?.map_or(Some(usize::MAX), |count| count.checked_mul(block))?;
    let to = from.saturating_add(most).min(text.len());
    text.get(from..to).map(str::to_owned)
}

/// More than any disk holds.
fn allocate(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let length = parsed.options.iter().find(|given| given.name == "-l" || given.name == "--length");
    let Some(size) = length.and_then(|given| given.values.first()).and_then(Value::known) else { return };
    if bytes(&size).is_some_and(|bytes| bytes >= 1 << 40) {
        sink.effect(Verb::Exhaust, Target::None, parsed.flags, Provenance::NONE);
    }
}

/// The number of bytes in `10G`, `4MiB`, `1TB`.
fn bytes(size: &str) -> Option<u64> {
    let digits = size.trim_end_matches(|c: char| !c.is_ascii_digit());
    let unit = size.get(digits.len()..)?.chars().next().map_or('B', |c| c.to_ascii_uppercase());
    let power = "BKMGTPEZY".find(unit)?;
    digits.parse::<u64>().ok()?.checked_mul(1024_u64.checked_pow(u32::try_from(power).ok()?)?)
}

fn alternatives(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if let (true, Some(path)) =
        (parsed.options.iter().any(|given| given.name == "--install"), parsed.operand(0))
    {
        sink.path(Verb::Link, path, parsed.flags);
    }
    let at = if parsed.has("--install") { 2 } else { 1 };
    if let (true, Some(path)) = (parsed.has("--install --set"), parsed.operand(at)) {
        super::kinds::load_path(path, sink);
    }
}

#[cfg(test)]
mod tests {
    use super::bytes;

    #[test]
    fn sizes_have_units() {
        assert_eq!(bytes("512"), Some(512));
        assert_eq!(bytes("4K"), Some(4096));
        assert_eq!(bytes("10000G"), Some(10_000 << 30));
        assert_eq!(bytes("x"), None);
        assert_eq!(bytes("99999999999999999999G"), None);
    }
}
