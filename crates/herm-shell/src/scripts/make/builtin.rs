//! What make runs for files that no rule of the makefile makes: its own rules, with the makefile's variables.

use super::Make;
use super::text::has_mark;

/// Make's own commands, by the variable that leads them.
const COMMANDS: &[(&str, &str)] = &[
    ("CC", "-c -o x.o x.c"),
    ("CXX", "-c -o x.o x.cc"),
    ("CPP", "-o x.i x.c"),
    ("FC", "-c -o x.o x.f"),
    ("AS", "-o x.o x.s"),
    ("AR", "rv x.a x.o"),
    ("LEX", "-t x.l"),
    ("YACC", "x.y"),
    ("COMPILE.c", "-o x.o x.c"),
    ("COMPILE.cc", "-o x.o x.cc"),
    ("COMPILE.cpp", "-o x.o x.cpp"),
    ("COMPILE.C", "-o x.o x.C"),
    ("COMPILE.s", "-o x.o x.s"),
    ("COMPILE.S", "-o x.o x.S"),
    ("COMPILE.f", "-o x.o x.f"),
    ("LINK.o", "-o x x.o"),
    ("LINK.c", "-o x x.c"),
    ("LINK.cc", "-o x x.cc"),
    ("LINK.cpp", "-o x x.cpp"),
];

/// What stands in those commands besides.
const FLAGS: &[&str] = &[
    "ARFLAGS",
    "ASFLAGS",
    "CFLAGS",
    "CPPFLAGS",
    "CXXFLAGS",
    "FFLAGS",
    "LDFLAGS",
    "LDLIBS",
    "LOADLIBES",
    "OUTPUT_OPTION",
    "TARGET_ARCH",
    "TARGET_MACH",
];

/// Whether make has a rule of its own for such a file.
pub(super) fn is_built_in(target: &str) -> bool {
    let name = target.rsplit('/').next().unwrap_or(target);
    name.rsplit_once('.').is_none_or(|(_, end)| matches!(end, "o" | "a")) || has_mark(name)
}

impl Make<'_> {
    /// Runs make's own commands, as far as the makefile has a say in them.
    pub(super) fn run_built_in(&mut self) {
        let set = |make: &Self, name: &str| {
            make.variables.contains_key(name) || make.wanted.variable(name).is_some()
        };
        let flags: Vec<String> =
            FLAGS.iter().filter(|name| set(self, name)).map(|name| format!("$({name})")).collect();
        let flags = flags.join(" ");
        for (name, files) in COMMANDS {
            if !set(self, name) && (flags.is_empty() || *name != "CC") {
                continue;
            }
            self.ran.clear();
            let line = format!("$({name}) {flags} {files}");
            self.each_way(|make| {
                let command = make.recipe(&line, None);
                make.command(&command);
            });
        }
    }
}
