//! Programs that change who may do what with a file.

use super::arguments::Parsed;
use super::operands::every;
use super::schema::{Do, Operands, Opt, Program, Role, Syntax, flag, program, quiet, value};
use crate::effect::{Flags, Verb};
use crate::mode::mode;
use crate::sink::Sink;
use crate::value::Value;

const HELP: Opt = flag("--help --version", Do::Stop);
const RECURSIVE: Opt = flag("-R --recursive", Do::Set(Flags::RECURSIVE));
const REFERENCE: Opt = value("--reference", Role::Inert);

pub(super) static PROGRAMS: &[Program] = &[
    program(&["chmod", "gchmod"])
        .options(&[
            HELP,
            RECURSIVE,
            REFERENCE,
            quiet("-v --verbose -c --changes --silent --quiet -f --preserve-root --no-preserve-root -h -H -L -P"),
            quiet("-r -w -x -X -s -t -u -g -o -a"),
        ])
        .operands(Operands::None)
        .refine(chmod),
    program(&["chown", "gchown", "chgrp", "gchgrp"])
        .options(&[
            HELP,
            RECURSIVE,
            REFERENCE,
            value("--from", Role::Inert),
            quiet("-v --verbose -c --changes -f --silent --quiet -h --no-dereference --dereference -H -L -P --preserve-root"),
        ])
        .operands(Operands::None)
        .refine(chown),
    program(&["chattr"]).syntax(Syntax::Words).operands(Operands::None).refine(chattr),
    program(&["setfacl"])
        .options(&[
            HELP,
            RECURSIVE,
            flag("--test", Do::Stop),
            value("-m --modify -x --remove --set", Role::Inert),
            value("-M --modify-file -X --remove-file --set-file --restore", Role::Read),
            quiet("-b --remove-all -k --remove-default -d --default -n -L -P"),
        ])
        .operands(Operands::None)
        .refine(setfacl),
    program(&["setcap"]).options(&[HELP, super::schema::flag("-v -h", super::schema::Do::Stop), value("-n", Role::Inert), quiet("-q -r")]).operands(Operands::None).refine(setcap),
    program(&["xattr"]).options(&[HELP, quiet("-l -p -s -v -x"), flag("-r", Do::Set(Flags::RECURSIVE)), flag("-d -w", Do::Nothing), flag("-c", Do::Nothing)]).operands(Operands::None).refine(xattr),
    program(&["chcon", "restorecon", "chflags", "setfattr"])
        .options(&[HELP, RECURSIVE, REFERENCE, value("-n -v -x -t -u -r -l", Role::Inert)])
        .refine(|parsed, sink| every(Verb::ChangeAttributes, Flags::NONE, parsed, sink)),
    program(&["icacls", "cacls"]).syntax(Syntax::Words).operands(Operands::None).refine(icacls),
    program(&["takeown"]).syntax(Syntax::Words).operands(Operands::None).refine(takeown),
    program(&["getfacl", "lsattr", "getcap", "getfattr", "getsebool"])
        .options(&[HELP, value("-n -m", Role::Inert)])
        .refine(super::operands::look),
    program(&["umask"]).syntax(Syntax::Words),
];

fn looks_like_mode(text: &str) -> bool {
    !text.is_empty()
        && (text.chars().all(|c| c.is_digit(8))
            || text.contains(['+', '-', '=']) && text.chars().all(|c| "ugoarwxXst+-=,01234567".contains(c)))
}

/// The mode is the first operand, unless it was written like an option (`chmod -x f`) or taken from another file.
fn chmod(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let taken = taken_away(parsed);
    let elsewhere = parsed.has("--reference") || taken.is_some();
    let first = parsed.word(0);
    let absent = parsed.operands.len() == 1 && first.as_deref().is_some_and(|word| !looks_like_mode(word));
    let written = if elsewhere { taken } else { first };
    let flags = written.map_or(Flags::NONE, |text| mode(&text));
    for operand in parsed.operands.iter().skip(usize::from(!elsewhere && !absent)) {
        let lent = if parsed.has("--reference") && reaches_many(parsed, &operand.value) {
            SHUT
        } else {
            Flags::NONE
        };
        sink.path(Verb::ChangeMode, &operand.value, flags | lent | parsed.flags);
    }
}

/// A mode that looks like options: `chmod -rx f`.
fn taken_away(parsed: &Parsed<'_>) -> Option<String> {
    let rights = ["-r", "-w", "-x", "-X", "-s", "-t", "-u", "-g", "-o", "-a"];
    let named = parsed.options.iter().filter_map(|given| rights.iter().find(|right| given.name == **right));
    let letters: String = named.filter_map(|right| right.strip_prefix('-')).collect();
    (!letters.is_empty()).then(|| format!("-{letters}"))
}

/// The mode of another file may be any: what many files get from it may leave none of them to be read, or let everybody write.
const SHUT: Flags = Flags::NO_ACCESS.and(Flags::RECURSIVE);

/// Whether more than one file is meant.
fn reaches_many(parsed: &Parsed<'_>, path: &Value) -> bool {
    parsed.flags.has(Flags::RECURSIVE) || path.has_glob()
}

/// Whether a file that lends its owner may be root's: one outside of the working directory and the home.
fn is_anyones(path: &Value, sink: &dyn Sink) -> bool {
    let beginning = path.known_prefix();
    let own = sink.home();
    !path.has_hole() && beginning.starts_with('/') && !beginning.starts_with(own.trim_end_matches('/'))
}

fn chown(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let elsewhere = parsed.has("--reference");
    let owner = parsed.word(0).unwrap_or_default();
    let lent = parsed.value("--reference").is_some_and(|file| is_anyones(file, sink));
    let to_root = !parsed.program.ends_with("chgrp") && (lent || !elsewhere && is_root(&owner));
    let flags = if to_root { Flags::TO_ROOT } else { Flags::NONE };
    for operand in parsed.operands.iter().skip(usize::from(!elsewhere)) {
        sink.path(Verb::ChangeOwner, &operand.value, flags | parsed.flags);
    }
}

fn is_root(owner: &str) -> bool {
    matches!(owner.split([':', '.']).next(), Some("root" | "0" | "+0"))
}

/// `chattr [-RVf] [+-=mode] file…`: a word of letters after a sign is a mode, except for the options.
fn chattr(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let mut flags = parsed.flags;
    let mut files: Vec<&Value> = Vec::new();
    for argument in parsed.all {
        match argument.value.known().as_deref() {
            Some("-R") => flags |= Flags::RECURSIVE,
            Some(word) if word.starts_with('-') && word.contains(['i', 'a']) => flags |= Flags::FORCE,
            Some(word) if word.starts_with(['-', '+', '=']) => {}
            Some(_) | None => files.push(&argument.value),
        }
    }
    for file in files {
        sink.path(Verb::ChangeAttributes, file, flags);
    }
}

fn setfacl(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let entry = parsed.value("-m --modify --set").map(Value::shown).unwrap_or_default();
    let open = ["o::rw", "o:rw", "other::rw", "other:rw"].iter().any(|all| entry.contains(all));
    every(Verb::ChangeAttributes, if open { Flags::WORLD_WRITABLE } else { Flags::NONE }, parsed, sink);
}

/// `icacls FILE /grant Everyone:F /T`.
fn icacls(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let words: Vec<String> = parsed.words().map(|word| word.to_ascii_lowercase()).collect();
    let everybody = |word: &String| {
        let word = word.trim_start_matches('*');
        let open = word.rsplit(':').next().is_some_and(|rights| {
            rights.ends_with(['f', 'm', 'w'])
                || rights.contains("(f)")
                || rights.contains("(m)")
                || rights.contains("(w)")
        });
        open && ["everyone:", "users:", "authenticated users:", "s-1-1-0:"]
            .iter()
            .any(|who| word.starts_with(who))
    };
    let grants = words.iter().any(|word| matches!(word.as_str(), "/grant" | "/grant:r" | "/g" | "/p"));
    let changes =
        ["/grant", "/deny", "/remove", "/reset", "/setowner", "/inheritance", "/g", "/p", "/d", "/r"];
    if !words.iter().any(|word| changes.iter().any(|change| word.split(':').next() == Some(change))) {
        return;
    }
    let open = if grants && words.iter().any(everybody) { Flags::WORLD_WRITABLE } else { Flags::NONE };
    let deep = if words.iter().any(|word| word == "/t") { Flags::RECURSIVE } else { Flags::NONE };
    if let Some(path) = parsed.operand(0) {
        sink.path(Verb::ChangeAttributes, path, open | deep);
    }
}

/// `xattr -d com.apple.quarantine FILE`, `xattr -c FILE`: the mark that has a download checked before it runs is gone.
fn xattr(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let quarantine = parsed.word(0).is_some_and(|name| name == "com.apple.quarantine");
    if parsed.has("-c") || parsed.has("-d -w") && quarantine {
        super::operands::named(Verb::Disable, "guard", "quarantine", Flags::NONE, sink);
    }
    let names = if parsed.has("-c") { 0 } else { 1 + usize::from(parsed.has("-w")) };
    for file in parsed.operands.iter().skip(names).filter(|_| parsed.has("-c -d -w")) {
        sink.path(Verb::ChangeAttributes, &file.value, parsed.flags);
    }
}

/// `takeown /f PATH /r` makes whoever runs it the owner, with `/a` the administrators.
fn takeown(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let named = |name: &str| parsed.words().position(|word| word.eq_ignore_ascii_case(name));
    let deep = if named("/r").is_some() { Flags::RECURSIVE } else { Flags::NONE };
    let to = if named("/a").is_some() { Flags::TO_ROOT } else { Flags::NONE };
    if let Some(path) = named("/f").and_then(|at| parsed.operand(at + 1)) {
        sink.path(Verb::ChangeOwner, path, to | deep);
    }
}

/// A capability on a file is setuid in small portions.
fn setcap(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let removes = parsed.options.iter().any(|given| given.name == "-r");
    for operand in parsed.operands.iter().skip(usize::from(!removes)) {
        let flags = if removes { Flags::NONE } else { Flags::SETUID };
        sink.path(Verb::ChangeAttributes, &operand.value, flags | parsed.flags);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_no_mode() {
        assert!(looks_like_mode("a+rwX") && looks_like_mode("644"));
        assert!(!looks_like_mode("/") && !looks_like_mode("..") && !looks_like_mode("src"));
    }

    #[test]
    fn root_by_name_or_number() {
        assert!(is_root("root:root") && is_root("0") && is_root("root:"));
        assert!(!is_root("rooty") && !is_root(":root") && !is_root("1000:0"));
    }
}
