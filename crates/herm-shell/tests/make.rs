//! What making something does, where the makefile can be seen.

use std::collections::HashMap;
use std::fmt::Write as _;

use herm_shell::gap::Reason;
use herm_shell::world::{Script, World};
use herm_shell::{Analysis, Lang, Limits, Setting, Target, Verb, analyse};

/// A directory of scripts.
#[derive(Debug)]
struct Folder(HashMap<&'static str, String>);

impl World for Folder {
    fn script(&self, path: &str) -> Script {
        let name = path.strip_prefix("/home/ann/app/").unwrap_or(path);
        self.0.get(name).map_or(Script::Absent, |text| Script::Text(text.clone()))
    }

    fn resolve(&self, _path: &str) -> Option<String> {
        None
    }

    fn variable(&self, _name: &str) -> Option<String> {
        None
    }
}

fn analysis(command: &str, files: &[(&'static str, &str)]) -> Analysis {
    let files = files.iter().map(|(name, text)| (*name, (*text).to_owned())).collect();
    let world = Folder(files);
    let setting = Setting {
        cwd: "/home/ann/app",
        home: "/home/ann",
        user: None,
        world: &world,
        limits: Limits::default(),
        input: herm_shell::Input::default(),
    };
    analyse(command, Lang::Shell, &setting)
}

/// What is deleted, each once.
fn deleted(analysis: &Analysis) -> Vec<&str> {
    let deletes = analysis.effects.iter().filter(|effect| effect.verb == Verb::Delete);
    let mut paths: Vec<&str> = deletes
        .filter_map(|effect| match &effect.target {
            Target::Path(path) => Some(path.path.as_str()),
            Target::Code(..)
            | Target::Environment
            | Target::Host(_)
            | Target::Named(..)
            | Target::None
            | Target::Process(_) => None,
        })
        .collect();
    paths.dedup();
    paths
}

#[test]
fn the_target_that_is_named_is_the_one_that_runs() {
    let files = [("Makefile", "all:\n\techo all\nclean:\n\trm -r out\nX = here\nput:\n\trm -r $(X)\n")];
    let of = |command: &str| deleted(&analysis(command, &files)).join(" ");
    assert_eq!(of("make"), "");
    assert_eq!(of("make clean"), "/home/ann/app/out");
    assert_eq!(of("make -j4 all clean"), "/home/ann/app/out");
    assert_eq!(of("bash -c 'make clean' all"), "/home/ann/app/out");
    assert_eq!(of("make put X=there"), "/home/ann/app/there");
    assert_eq!(of("make --eval='X=there' clean"), "/home/ann/app/out");
}

#[test]
fn the_makefile_that_make_looks_for_first_is_the_one_that_counts() {
    let files = [("Makefile", "all:\n\techo all\n"), ("GNUmakefile", "all:\n\trm -r out\n")];
    assert_eq!(deleted(&analysis("make", &files)), ["/home/ann/app/out"]);
    let files =
        [("makefile", "include more.mk\nall: $(ALSO)\n"), ("more.mk", "ALSO = gone\ngone:\n\trm -r out\n")];
    assert_eq!(deleted(&analysis("make all", &files)), ["/home/ann/app/out"]);
}

#[test]
fn a_makefile_that_makes_itself_is_read_to_its_end() {
    let text = "all:\n\t$(MAKE) part\n\t$(MAKE) all\npart:\n\trm -r out\n\t$(MAKE) all\n";
    let found = analysis("make", &[("Makefile", text)]);
    assert_eq!(deleted(&found), ["/home/ann/app/out"]);
    assert!(found.gaps.is_empty(), "{:?}", found.gaps);
    let found = analysis("./again x", &[("again", "#!/bin/sh\nrm -r out\n[ -e ok ] || ./again x\n")]);
    assert_eq!(deleted(&found), ["/home/ann/app/out"]);
    assert!(found.gaps.is_empty(), "{:?}", found.gaps);
}

/// What hangs on a variable is another run: it is followed.
#[test]
fn a_script_that_starts_itself_otherwise_is_followed() {
    let text = "#!/bin/sh\nif [ \"$STEP\" = 2 ]; then rm -r out; else STEP=2 ./again; fi\n";
    assert_eq!(deleted(&analysis("STEP=1 ./again", &[("again", text)])), ["/home/ann/app/out"]);
}

#[test]
fn a_long_makefile_is_read_to_its_end() {
    let mut text = String::from("CC = gcc\nFLAGS = -O2 -g -Wall -I. -Iinclude\n");
    for n in 0..300 {
        let _ = writeln!(text, "OBJECTS += src/part{n}.o\nsrc/part{n}.o: src/part{n}.c include/all.h");
    }
    text.push_str("all: $(OBJECTS)\n\t$(CC) -o app $(OBJECTS)\n%.o: %.c\n\t$(CC) $(FLAGS) -c $< -o $@\n");
    let found = analysis("make all", &[("Makefile", &text)]);
    assert!(found.gaps.is_empty(), "{:?}", found.gaps);
    let written = |path: &str| {
        found.effects.iter().any(|effect| {
            effect.verb == Verb::Write && matches!(&effect.target, Target::Path(own) if own.shown == path)
        })
    };
    assert!(written("src/*.o") && written("app"), "{:#?}", found.effects);
}

#[test]
fn a_makefile_that_grows_without_end_is_too_much() {
    let mut text = String::from("X0 = aaaaaaaaaaaaaaaa\n");
    for n in 1..40 {
        let _ = writeln!(text, "X{n} = $(X{0}) $(X{0})", n - 1);
    }
    text.push_str("all: $(X39)\n\techo $(X39)\n");
    let found = analysis("make", &[("Makefile", &text)]);
    assert!(found.gaps.iter().any(|gap| gap.reason == Reason::Fuel), "{:?}", found.gaps);
    let found = analysis("make", &[("Makefile", "include Makefile\nall:\n\techo x\n")]);
    assert!(found.gaps.iter().any(|gap| gap.reason == Reason::Depth), "{:?}", found.gaps);
}

/// Several makefiles and texts are one; options and settings that bring others are not passed over.
#[test]
fn what_the_command_line_brings_is_part_of_the_makefile() {
    let files = [
        ("a.mk", "X = rm -r out\n"),
        ("b.mk", "all:\n\t$(X)\n"),
        ("Makefile", "X ?= echo\nall:\n\t$(X)\n"),
        ("c.mk", "include d.mk\nall:\n\techo\n"),
        ("inc/d.mk", "Y := $(shell rm -r out)\n"),
        ("e.mk", "X = echo\nall:\n\t$(X)\n"),
        ("f.mk", "all:\n\techo\nf.mk: FORCE\n\trm -r out\nFORCE:\n"),
    ];
    for command in [
        "make -f a.mk -f b.mk",
        "make --eval='X=rm -r out'",
        "make -I inc -f c.mk",
        "X='rm -r out' make -e -f e.mk",
        "make -f f.mk",
    ] {
        assert_eq!(deleted(&analysis(command, &files)), ["/home/ann/app/out"], "{command}");
    }
    for command in ["MAKEFLAGS='--eval=x' make", "make MAKEFLAGS=--eval=x", "GNUMAKEFLAGS=\"$(cat x)\" make"]
    {
        assert!(!analysis(command, &files).gaps.is_empty(), "{command}");
    }
    assert!(analysis("MAKEFLAGS=-j4 make", &files).gaps.is_empty());
}

#[test]
fn a_recipe_of_just_with_parameters_is_found() {
    let files = [("justfile", "build arg=\"x\":\n    rm -r out\n")];
    assert_eq!(deleted(&analysis("just build", &files)), ["/home/ann/app/out"]);
}
