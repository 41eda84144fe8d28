//! Windows' own programs, as far as they run foreign code, change who may do what, or lose records.

use super::arguments::Parsed;
use super::kinds::joined;
use super::operands::named;
use super::phrases::variable_from;
use super::requests::{downloaded, fetch};
use super::schema::{Operands, Program, Syntax, program};
use crate::effect::{Flags, Verb};
use crate::gap::{Position, Reason};
use crate::lang::Lang;
use crate::sink::Sink;
use crate::value::Value;

pub(super) static PROGRAMS: &[Program] = &[
    words(&["bitsadmin", "bitsadmin.exe"]).refine(transfer),
    words(&["cipher", "cipher.exe", "fsutil", "fsutil.exe"]).refine(wipe),
    words(&["mshta", "msiexec", "regsvr32", "rundll32"]).refine(run_fetched),
    words(&["mshta.exe", "msiexec.exe", "regsvr32.exe", "rundll32.exe"]).refine(run_fetched),
    words(&["cscript", "cscript.exe", "wscript", "wscript.exe"]).refine(host),
    words(&["net", "net.exe", "net1"]).refine(net),
    words(&["rd"]).refine(remove_directory),
    words(&["reg", "reg.exe"]).refine(registry),
    words(&["setenv", "setx", "setx.exe"]).refine(|parsed, sink| variable_from(parsed, 0, sink)),
    words(&["start"]).refine(start),
    words(&["forfiles", "forfiles.exe"]).refine(for_files),
    words(&["wmic", "wmic.exe"]).refine(management),
];

const fn words(names: &'static [&'static str]) -> Program {
    program(names).syntax(Syntax::Words).operands(Operands::None)
}

/// Every word, in lower case.
fn lowered(parsed: &Parsed<'_>) -> Vec<String> {
    parsed.all.iter().map(|argument| argument.value.shown().to_ascii_lowercase()).collect()
}

/// Addresses among the words: `http://…`, also behind a switch (`/i:http://…`) or a scheme of its own.
fn addresses(parsed: &Parsed<'_>) -> Vec<Value> {
    let address = |word: &str| {
        let at = ["http://", "https://", "ftp://"].iter().filter_map(|scheme| word.find(scheme)).min()?;
        word.get(at..).map(Value::literal)
    };
    parsed.all.iter().filter_map(|argument| address(&argument.value.shown())).collect()
}

/// What is fetched runs: a page with script, a package, a library's registration. So does script in the word itself.
fn run_fetched(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let script = |word: &String| ["javascript:", "vbscript:"].iter().any(|scheme| word.starts_with(scheme));
    let fetched = addresses(parsed);
    let starts = |word: &String| STARTS.iter().any(|name| word.contains(name));
    if let Some(at) = lowered(parsed).iter().position(starts) {
        let command: Vec<Value> = parsed.all.iter().skip(at + 1).map(|word| word.value.clone()).collect();
        sink.code(Lang::Cmd, &joined(&command));
    }
    if fetched.is_empty() && !lowered(parsed).iter().any(script) {
        return load(parsed, sink);
    }
    fetch(&fetched, sink);
    sink.code(Lang::JavaScript, &downloaded());
}

/// `rundll32 LIBRARY,FUNCTION`, `regsvr32 LIBRARY`, `mshta PAGE`: code that nobody here can read, unless it is Windows' own.
fn load(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let words = parsed.all.iter().map(|argument| &argument.value);
    let libraries =
        words.filter_map(library).filter(|(shown, _)| !OWN.contains(&shown.to_ascii_lowercase().as_str()));
    for (shown, library) in libraries.collect::<Vec<_>>() {
        // What was fetched before runs here as any program that was.
        sink.run(&[library], &Value::default());
        sink.gap(Position::Unfollowed, Reason::Language, &shown);
    }
}

/// The library in a word, without the function that is called there.
fn library(word: &Value) -> Option<(String, Value)> {
    let shown = word.shown();
    let name = shown.split(',').next().unwrap_or(&shown).trim_matches('"').to_owned();
    let is_switch = shown.starts_with(['/', '-']) && !shown.get(1..).unwrap_or_default().contains('/');
    let ends = name.to_ascii_lowercase();
    let is_code = ENDS.iter().any(|end| ends.ends_with(end)) || shown.contains(',') || word.known().is_none();
    (is_code && !is_switch).then(|| {
        let path = if name.contains(['/', '\\', ':']) { name.clone() } else { format!("./{name}") };
        let library = if word.known().is_some() { Value::literal(path) } else { word.clone() };
        (name, library)
    })
}

/// How names of such code end.
const ENDS: &[&str] = &[".cpl", ".dll", ".hta", ".ocx"];

/// Libraries of Windows whose functions show something or lock the screen, named without a directory.
const OWN: &[&str] =
    &["keymgr.dll", "powrprof.dll", "printui.dll", "shell32.dll", "sysdm.cpl", "timedate.cpl", "user32.dll"];

/// Functions of libraries that start what follows them.
const STARTS: &[&str] =
    &["shellexec_rundll", "routethecall", "openurl", "shellexec_rundlla", "launchapplication"];

/// `start [TITLE] [/SWITCH…] PROGRAM…`: a program with its operands is run; a lone word is opened as whatever it is.
fn start(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let is_switch = |word: &Value| word.known().is_some_and(|word| word.is_empty() || word.starts_with('/'));
    let words: Vec<Value> =
        parsed.all.iter().map(|word| word.value.clone()).skip_while(|word| is_switch(word)).collect();
    if words.len() > 1 {
        sink.code(Lang::Cmd, &joined(&words));
    }
}

/// `forfiles /p DIRECTORY /c "COMMAND @path"` runs the command for everything that is there.
fn for_files(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let after = |switch: &str| {
        let mut words = parsed.all.iter().map(|word| &word.value);
        words.by_ref().find(|word| word.shown().eq_ignore_ascii_case(switch))?;
        words.next()
    };
    let Some(command) = after("/c") else { return };
    let Some(text) = command.known() else {
        sink.code(Lang::Cmd, command);
        return;
    };
    let directory = after("/p").map_or_else(|| ".".to_owned(), Value::shown);
    let each = format!("{}\\*", directory.trim_end_matches('\\'));
    let line = ["@path", "@PATH", "@relpath", "@file"]
        .iter()
        .fold(text.into_owned(), |line, mark| line.replace(mark, &each));
    sink.code(Lang::Cmd, &Value::literal(line).from(command.provenance));
}

/// A script of Windows' own hosts.
fn host(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let mut words =
        parsed.all.iter().map(|word| &word.value).skip_while(|word| word.known_prefix().starts_with("//"));
    if let Some(script) = words.next() {
        let arguments: Vec<Value> = words.cloned().collect();
        let is_javascript = script.shown().to_ascii_lowercase().ends_with(".js");
        let lang = if is_javascript { Lang::JavaScript } else { Lang::Other("vbscript") };
        sink.script(lang, script, &arguments);
    }
}

fn transfer(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let fetched = addresses(parsed);
    if let Some(file) = parsed.all.last().filter(|_| !fetched.is_empty()) {
        fetch(&fetched, sink);
        sink.write(&file.value, &downloaded(), Flags::TRUNCATE);
    }
}

/// `net user NAME … /add`, `net localgroup GROUP NAME /add`, `net stop SERVICE`.
fn net(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let words = lowered(parsed);
    let name = words.get(1).cloned().unwrap_or_default();
    let changes = words
        .iter()
        .any(|word| ["/add", "/delete", "/active", "/domain"].iter().any(|end| word.starts_with(end)));
    match words.first().map(String::as_str) {
        Some("user" | "localgroup" | "group") if changes || words.len() > 2 => {
            named(Verb::Account, "account", &name, Flags::NONE, sink);
        }
        Some("stop" | "pause") => named(Verb::Service, "service", &name, Flags::STOP, sink),
        Some("start" | "continue") if words.len() > 1 => {
            named(Verb::Service, "service", &name, Flags::START, sink);
        }
        Some(_) | None => {}
    }
}

/// Keys that say what runs when somebody logs in, hold passwords, or are gone afterwards.
fn registry(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let words = lowered(parsed);
    let key = words.get(1).cloned().unwrap_or_default();
    let starts = key.contains("currentversion") && (key.ends_with("run") || key.ends_with("runonce"))
        || key.contains("winlogon")
        || key.contains("image file execution options");
    match words.first().map(String::as_str) {
        Some("add" | "import" | "restore") if starts => {
            named(Verb::Persist, "service", &key, Flags::NONE, sink);
        }
        Some("add") if key.contains("defender") => named(Verb::Disable, "guard", &key, Flags::NONE, sink),
        Some("delete" | "import" | "restore") => {
            named(Verb::Configure, "registry key", &key, Flags::IRREVERSIBLE, sink);
        }
        Some("save" | "export") if ["sam", "security", "system"].iter().any(|hive| key.ends_with(hive)) => {
            named(Verb::Read, "secret", &key, Flags::NONE, sink);
        }
        Some(_) | None => {}
    }
}

/// `wmic process call create COMMAND`, `wmic shadowcopy delete`.
fn management(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let words = lowered(parsed);
    if words.iter().any(|word| word == "delete") {
        let kind = if words.iter().any(|word| word == "shadowcopy") { "volume" } else { "registry key" };
        named(Verb::Destroy, kind, &words.join(" "), Flags::IRREVERSIBLE, sink);
    }
    if let Some(at) = words.iter().position(|word| word == "create") {
        let command: Vec<Value> = parsed.all.iter().skip(at + 1).map(|word| word.value.clone()).collect();
        sink.code(Lang::Cmd, &joined(&command));
    }
}

/// `cipher /w` overwrites what was deleted, `fsutil usn deletejournal` forgets what was changed.
fn wipe(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let words = lowered(parsed);
    if words.iter().any(|word| word.starts_with("/w:") || word == "deletejournal") {
        named(Verb::Destroy, "audit", &words.join(" "), Flags::IRREVERSIBLE, sink);
    }
}

/// Written at a shell's prompt, it still is what it is at its own.
fn remove_directory(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let mut command = vec![Value::literal("rd")];
    command.extend(parsed.all.iter().map(|argument| argument.value.clone()));
    sink.code(Lang::Cmd, &joined(&command));
}

#[cfg(test)]
mod tests {
    use crate::gap::Position;
    use crate::world::Blind;
    use crate::{Input, Lang, Limits, Setting, analyse};

    /// Whether a command runs code that nobody could follow.
    fn loads(text: &str) -> bool {
        let setting = Setting {
            cwd: "/home/ann/app",
            home: "/home/ann",
            user: None,
            world: &Blind,
            limits: Limits::default(),
            input: Input::default(),
        };
        let analysis = analyse(text, Lang::Shell, &setting);
        analysis.gaps.iter().any(|gap| gap.position == Position::Unfollowed)
    }

    #[test]
    fn code_of_libraries_is_not_followed_unless_it_is_that_of_windows() {
        let libraries = [
            "x.dll,Main",
            "x,Main",
            ".\\\\x.dll,Main 1",
            "/tmp/x.dll,#1",
            "./shell32.dll,Control_RunDLL",
            "$X,Main",
        ];
        for library in libraries.map(|library| format!("rundll32 {library}")) {
            assert!(loads(&library) && loads(&library.replace("rundll32", "rundll32.exe")), "{library}");
        }
        assert!(
            loads("regsvr32 /s x.dll")
                && loads("mshta page.hta")
                && loads("rundll32 shell32.dll,Control_RunDLL x.cpl")
        );
        for own in [
            "rundll32",
            "rundll32 user32.dll,LockWorkStation",
            "rundll32 SHELL32.dll,Control_RunDLL",
            "regsvr32 /?",
        ] {
            assert!(!loads(own), "{own}");
        }
    }
}
