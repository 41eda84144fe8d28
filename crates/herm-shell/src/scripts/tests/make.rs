//! Makefiles.

use super::recorder::{Recorder, check, said};
use crate::lang::Lang;
use crate::random::Random;
use crate::scripts::make;
use crate::value::{Provenance, Value};

/// The commands that run.
fn recipe(text: &str, given: &[&str]) -> Vec<String> {
    let given: Vec<Value> = given.iter().copied().map(Value::literal).collect();
    commands(text, &given)
}

fn commands(text: &str, given: &[Value]) -> Vec<String> {
    let mut recorder = Recorder::new();
    make::read(text, given, &mut recorder);
    recorder.said.iter().filter_map(|line| line.strip_prefix("shell: ")).map(str::to_owned).collect()
}

#[test]
fn makefiles_are_expanded() {
    let text = "CC = gcc\nall: build\n\t@echo done\nbuild: a.c\n\t$(CC) -o $@ $<\nclean:\n\trm -rf $(OUT)\n.PHONY: all clean\n";
    assert_eq!(recipe(text, &[]), ["gcc -o build a.c", "echo done"]);
    assert_eq!(recipe(text, &["clean"]), ["rm -rf ${OUT}"]);
    assert_eq!(recipe(text, &["clean", "OUT=out dir"]), ["rm -rf out dir"]);
    assert_eq!(recipe("x:;@crontab -r", &["x"]), ["crontab -r"]);
    assert_eq!(recipe("$(info $(shell halt))", &[]), ["halt"]);
    assert_eq!(recipe("X := $(shell id)\nall:\n\techo $(X)\n", &[]), ["id", "echo $(id)"]);
    assert_eq!(recipe("C = ha\nall:\n\t$(C)lt\n", &[]), ["halt"]);
    assert_eq!(recipe("%.o: %.c\n\tcc $@\nall: x.o\n", &["all"]), ["cc x.o"]);
    assert_eq!(
        recipe("all:\n\tfor i in 1 2; do \\\n\t echo $$i; done\n", &[]),
        ["for i in 1 2; do \\\n echo $i; done"]
    );
    check(
        Lang::Make,
        &[
            ("$(file >/dev/stdout,$(file </etc/shadow))", "Read /etc/shadow"),
            ("all:\n\trm -rf /x\n", "shell: rm -rf /x"),
        ],
    );
}

#[test]
fn targets_and_needs_are_expanded_too() {
    let text = "EXT = .so\nLIBS = lib.a lib$(EXT)\nall: $(LIBS)\nlib.a: x.o\n\tar rs $@ x.o\nlib$(EXT): x.lo\n\tcc -shared -o $@ $^\n\
                %: %.o\n\tcc $^ -o $@\n%.o: %.c x.h\n\tcc -c $<\nx.lo: x.c\n\tcc -fPIC -c $< -o $@\n";
    let ran = recipe(text, &[]);
    for command in ["ar rs lib.a x.o", "cc -shared -o lib.so x.lo", "cc -c x.c", "cc -fPIC -c x.c -o x.lo"] {
        assert!(ran.iter().any(|line| line == command), "{command}: {ran:#?}");
    }
    assert!(ran.iter().all(|line| !line.contains('$')), "{ran:#?}");
}

#[test]
fn every_form_of_rule_is_followed() {
    let cases = [
        ("a b: %: x/%.c\n\tcc $< -o $@ $*\n", "cc x/a.c -o a a"),
        ("all: m.o\n.c.o:\n\tcc -c $<\n", "cc -c m.c"),
        ("all: | dir\ndir:\n\tmkdir $@\n", "mkdir dir"),
        ("a::\n\techo 1\na::\n\techo 2\n", "echo 2"),
        ("all: F = -g\nall:\n\tcc $(F)\n", "cc -g"),
        ("F = -O\nall: F += -g\nall:\n\tcc $(F)\n", "cc -O -g"),
        ("O = $(S:.c=.o)\nS = a.c b.c\nall: $(O)\n%.o: %.c\n\tcc -c $<\n", "cc -c b.c"),
        ("all: out/a.o\nout/%.o: src/%.c\n\tcc -o $(@D)/$(@F) $<\n", "cc -o out/a.o src/a.c"),
        (".DEFAULT_GOAL := b\na:\n\techo a\nb:\n\techo b\n", "echo b"),
        ("all: x\n.DEFAULT:\n\techo $@\n", "echo x"),
        (".ONESHELL:\nall:\n\tcd x\n\trm y\n", "cd x\nrm y"),
        ("define both\nrm $(1)\nrm $(2)\nendef\nall:\n\t$(call both,a,b)\n", "rm b"),
        (
            "define rule\n$(1):\n\techo $(1)\nendef\nall: p\n$(foreach p,p q,$(eval $(call rule,$(p))))\n",
            "echo p",
        ),
        (
            "all:\n\techo $(filter-out b,a b) $(patsubst %.c,%.o,x.c) $(notdir a/b) $(addprefix -I,u v)\n",
            "echo a x.o b -Iu -Iv",
        ),
        (
            "ifeq ($(V),1)\nQ = loud\nelse ifeq ($(V),)\nQ = quiet\nelse\nQ = other\nendif\nall:\n\techo $(Q)\n",
            "echo quiet",
        ),
        ("all:\n\techo $(if $(V),set,unset)\n", "echo unset"),
    ];
    for (text, wanted) in cases {
        let ran = recipe(text, &[]);
        assert!(ran.iter().any(|line| line == wanted), "{text}\nwanted {wanted:?}: {ran:#?}");
    }
}

#[test]
fn what_is_wanted_decides() {
    let text = "CMD = echo\nall:\n\t$(CMD) all\nother:\n\t$(CMD) other\n";
    assert_eq!(recipe(text, &["other"]), ["echo other"]);
    assert_eq!(recipe(text, &["CMD=halt"]), ["halt all"]);
    assert_eq!(commands(text, &[Value::unknown("$target", Provenance::OUTSIDE)]), ["echo other", "echo all"]);
}

#[test]
fn what_is_not_known_could_be_anything_that_fits() {
    let needs = |list: &str| format!("all: {list}\n%.o: %.c\n\tcc $@\nnuke:\n\thalt\n");
    let halts = |list: &str| recipe(&needs(list), &[]).iter().any(|line| line == "halt");
    assert!(halts("$(shell cat list)"));
    assert!(halts("$(shell ls)"));
    for list in [
        "$(patsubst %.c,%.o,$(wildcard src/*.c))",
        "$(patsubst %.c,%.o,$(shell find src -name '*.c'))",
        "$(shell find . -type f -name '*.c')",
    ] {
        assert!(!halts(list), "{list}");
    }
    let made = recipe(&needs("$(patsubst %.c,%.o,$(wildcard src/*.c))"), &[]);
    assert_eq!(made, ["cc src/*.o"]);
}

#[test]
fn a_condition_on_what_is_not_known_is_taken_both_ways() {
    let text = "ifeq ($(shell uname),Linux)\nall:\n\techo linux\nelse\nall:\n\thalt\nendif\n";
    let ran = recipe(text, &[]);
    assert!(ran.contains(&"echo linux".to_owned()) && ran.contains(&"halt".to_owned()), "{ran:#?}");
    let text = "ifdef FROM_OUTSIDE\nX = halt\nelse\nX = echo\nendif\nall:\n\t$(X) now\n";
    let ran = recipe(text, &[]);
    assert!(ran.contains(&"echo now".to_owned()) && ran.contains(&"halt now".to_owned()), "{ran:#?}");
}

#[test]
fn what_is_included_and_not_known_is_a_gap() {
    let gap =
        |text: &str| said(Lang::Make, text).iter().any(|line| line.starts_with("gap Code Runtime include "));
    assert!(gap("include $(shell cat list)\nall:\n"));
    assert!(gap("include mk/*.mk\nall:\n"));
    assert!(!gap("-include $(patsubst %.c,%.d,$(wildcard src/*.c))\nall:\n"));
    assert!(!gap("include rules.mk\nall:\n"));
}

#[test]
fn another_shell_runs_the_recipes() {
    let text = "SHELL = ./mine\nall:\n\techo x\n";
    assert!(said(Lang::Make, text).contains(&"run ./mine -c echo x".to_owned()));
    let text = "SHELL = python3\nall:\n\tprint(1)\n";
    assert!(said(Lang::Make, text).contains(&"run python3 -c print(1)".to_owned()));
    assert_eq!(recipe("SHELL := /bin/bash\nall:\n\techo x\n", &[]), ["echo x"]);
}

#[test]
fn a_recipe_is_the_last_argument_of_whatever_runs_it() {
    let wanted = "run /bin/rm -rf /x".to_owned();
    assert!(said(Lang::Make, "SHELL = /bin/rm\n.SHELLFLAGS = -rf\nall:\n\t@/x\n").contains(&wanted));
    for (given, wanted) in [
        (&["SHELL=/bin/rm", ".SHELLFLAGS=-rf"][..], "run /bin/rm -rf /x"),
        (&["SHELL=rm -r"], "run rm -r -c /x"),
    ] {
        let given: Vec<Value> = given.iter().copied().map(Value::literal).collect();
        let mut recorder = Recorder::new();
        make::read("all:\n\t/x\n", &given, &mut recorder);
        assert!(recorder.said.iter().any(|line| line == wanted), "{wanted}: {:#?}", recorder.said);
    }
    assert!(recipe("SHELL = rm\nall:\n\t$(HOME)/x\n", &[]).contains(&"rm -c \"${HOME}/x\"".to_owned()));
    for shell in ["SHELL=/bin/bash", "SHELL=/usr/bin/env bash"] {
        assert_eq!(recipe("all:\n\techo x\n", &[shell]), ["echo x"], "{shell}");
    }
    let mut unknown = Value::literal("SHELL=");
    unknown.push(&Value::unknown("$x", crate::value::Provenance::NONE));
    assert_eq!(commands("all:\n\techo x\n", &[unknown]), ["echo x"]);
}

#[test]
fn rules_that_need_one_another_end() {
    for text in [
        "a: b\n\techo a\nb: a\n\techo b\n",
        "%: %.o\n\tcc $@\n%.o: %\n\tcc -c $@\nall: x\n",
        "A = $(B)\nB = $(A)\nall:\n\techo $(A)\n",
        "define x\n$(call x)\nendef\n$(eval $(call x))\n",
        "$(eval $(value X))\nX = $(eval $(value X))\n",
    ] {
        let _ = recipe(text, &[]);
    }
}

#[test]
fn pieces_of_makefiles_in_any_order_are_survived() {
    const PIECES: &[&str] = &[
        "\n",
        "\n\t",
        " ",
        ":",
        "::",
        "=",
        ":=",
        "+=",
        "?=",
        "!=",
        "%",
        "%.o",
        "x",
        "y.c",
        "$(",
        "${",
        ")",
        "}",
        "$@",
        "$<",
        "$(X)",
        "X",
        ",",
        ";",
        "\\\n",
        "#",
        "define X\n",
        "endef\n",
        "ifeq (",
        "ifdef X\n",
        "else\n",
        "endif\n",
        "include x\n",
        "$(eval ",
        "$(call X,",
        "$(foreach x,",
        "$(shell ",
        "$(if ",
        "$(patsubst %,",
        "$(wildcard *",
        ".PHONY:",
        ".ONESHELL:",
        "SHELL =",
        "$$",
        "|",
        "*",
        "é",
        "\u{1}",
        "$(value X",
        "$(file >x,",
    ];
    let mut random = Random::new();
    for _ in 0..400 {
        let text: String = (0..80).map(|_| random.one_of(PIECES)).collect();
        let mut recorder = Recorder::new();
        make::read(&text, &[Value::literal("x"), Value::literal("X=$(X)")], &mut recorder);
        make::read(&text, &[Value::unknown("$x", Provenance::OUTSIDE)], &mut recorder);
    }
}

/// Texts for which make runs `halt`.
#[test]
fn what_make_would_run_is_handed_on() {
    let cases = [
        // Conditions that hang on what is not known.
        "U := $(shell uname)\nifeq ($(U),A)\nX = echo\nelse ifeq ($(U),B)\nX = halt\nelse\nX = echo\nendif\nall:\n\t$(X)\n",
        "U := $(shell uname)\nifeq ($(U),A)\nX = halt\nelse\nX = echo\nendif\nifeq ($(U),B)\nY = echo\nelse\nY = $(X)\nendif\nall:\n\t$(Y)\n",
        "ifdef FROM_OUTSIDE\nfirst:\n\techo\nendif\nall:\n\thalt\n",
        "X = echo\nifdef FROM_OUTSIDE\nX = halt\nendif\nY := $(X)\nall:\n\t$(Y)\n",
        "V ?= 0\nifneq ($(V),0)\nX := $(shell halt)\nendif\nall:\n\techo\n",
        // What is not known does not count as known.
        "ifneq ($(HOME),)\nX := $(shell halt)\nendif\nall:\n\techo\n",
        "X := $(if $(HOME),$(shell halt))\nall:\n\techo\n",
        "X := $(foreach d,$(HOME),$(shell halt))\nall:\n\techo\n",
        "X := $(and $(wildcard *),$(shell halt))\nall:\n\techo\n",
        "X := $(or $(wildcard *.zzz),$(shell halt))\nall:\n\techo\n",
        "ifeq ($(wildcard /absent),)\nX := $(shell halt)\nendif\nall:\n\techo\n",
        "ifneq ($(CURDIR),.)\nX := $(shell halt)\nendif\nall:\n\techo\n",
        "ifeq ($(MAKELEVEL),0)\nX := $(shell halt)\nendif\nall:\n\techo\n",
        "ifneq ($(MAKE_VERSION),)\nX := $(shell halt)\nendif\nall:\n\techo\n",
        "ifeq ($(sort a a),a)\nX := $(shell halt)\nendif\nall:\n\techo\n",
        "ifeq ($(strip  a   b ),a b)\nX := $(shell halt)\nendif\nall:\n\techo\n",
        "ifneq ($(findstring $(shell uname),Linux),)\nX := $(shell halt)\nendif\nall:\n\techo\n",
        "all:\n\t$(word 2,echo halt)\n",
        // What is expanded at once runs, wherever it stands.
        "$(eval X := $(shell halt))\nall:\n\techo\n",
        "all:\n\t$(eval X := $(shell halt))\n\techo\n",
        "vpath %.c $(shell halt)\nall:\n\techo\n",
        "export $(shell halt)\nall:\n\techo\n",
        "unexport $(shell halt)\nall:\n\techo\n",
        "undefine X$(shell halt)\nall:\n\techo\n",
        "define X$(shell halt)\nendef\nall:\n\techo\n",
        "all: X := $(shell halt)\nall:\n\techo\n",
        "all: X != halt\nall:\n\techo\n",
        ".SECONDEXPANSION:\nall: $$(shell halt)\n\techo\n",
        "all:\n\techo '$(shell halt)'\n",
        "all:\n\t: # $(shell halt)\n",
        // Rules on one line, and signs that are escaped.
        "all: $(S)\nS = x\nx:\n\thalt\n",
        "S = ; halt\nall: $(S)\n",
        "all: a\\:b\na\\:b:\n\thalt\n",
        // Definitions, and what recipes begin with.
        ".RECIPEPREFIX = >\nall:\n>halt\n",
        "define X\necho hi\nendef # c\nall:\n\thalt\n",
        "override define X\nhalt\nendef\nall:\n\t$(X)\n",
        "export define X =\nhalt\nendef\nall:\n\t$(X)\n",
        "define A\ndefine B\nhalt\nendef\nendef\n$(eval $(A))\nall:\n\t$(B)\n",
        // Makefiles are made as well.
        "all: ; echo hi\n-include gen.mk\ngen.mk: ; halt\n",
        "all: ; echo hi\nMakefile: FORCE\n\thalt\nFORCE:\n",
        "all: ; echo\n%: FORCE ; halt\nFORCE: ;\n",
        // Variables of targets, and of what they need.
        "X = echo\n%: X = halt\nall:\n\t$(X)\n",
        "X =\nall: X = 1\nall:\n\t$(if $(X),halt,echo)\n",
        "X = echo\nall: X = halt\nall:\n\t$(X:%.c=%.o)\n",
        "X = echo\nall: X = halt\nall:\n\t$(firstword $(X))\n",
        "all: halt\n\t$(foreach d,$^,$(d))\nhalt:\n",
        "define X\n\tdefine Y\nendef\nall:\n\thalt\n",
        "X = echo\nall: X = halt\nall: sub\nsub:\n\t$(X)\n",
    ];
    for text in cases {
        let ran = recipe(text, &[]);
        assert!(ran.iter().any(|line| line.trim() == "halt"), "{text}\n{ran:#?}");
    }
}

#[test]
fn the_rest_of_a_line_is_kept() {
    let cases = [
        ("all: ; X=1 ; halt\n", "X=1 ; halt"),
        ("all: x\\( ; halt\nx\\(: ;\n", "halt"),
        ("all:\n\tha\\\n\tlt\n", "ha\\\nlt"),
        ("all:\n\t# nothing \\\n\thalt\n", "# nothing \\\nhalt"),
        ("all: a\nall: b\n\techo $^\na b:\n", "echo b a"),
        ("all: | a\n\techo $|\na:\n", "echo a"),
        ("CC = halt ;\nall: x.o\n", "halt ;  -c -o x.o x.c"),
        ("COMPILE.c = halt ;\nall: x.o\n", "halt ;  -o x.o x.c"),
        ("all:\n\techo $(addsuffix /,$(LOGNAME))\n", "echo $(make-says)/"),
        ("all:\n\techo $(LOGNAME:%=%/)\n", "echo $(make-says)/"),
        ("all:\n\techo $(abspath $(LOGNAME))\n", "echo $(make-says)"),
        (".ONESHELL:\nall:\n\techo a\n\t@halt\n", "halt"),
    ];
    for (text, wanted) in cases {
        let ran = recipe(text, &[]);
        assert!(ran.iter().any(|line| line == wanted), "{text}\nwanted {wanted:?}: {ran:#?}");
    }
    assert!(
        recipe("ifeq ($(MAKECMDGOALS),x)\nX := $(shell halt)\nendif\nx:\n\techo\n", &["x"])
            .contains(&"halt".to_owned())
    );
    assert!(recipe("ifndef X\nall:\n\thalt\nendif\n", &["X="]).contains(&"halt".to_owned()));
    assert!(recipe("override X = halt\nall:\n\t$(X)\n", &["X=echo"]).contains(&"halt".to_owned()));
    assert_eq!(recipe("all:\n\tsh x\n\techo y > x\n\tsh x\n", &[]), ["sh x", "echo y > x", "sh x"]);
}

#[test]
fn what_is_not_read_is_a_gap() {
    let gap = |text: &str| said(Lang::Make, text).iter().any(|line| line.starts_with("gap Code "));
    for text in [
        "load ./x.so\nall:\n\techo\n",
        "something else\nall:\n\techo\n",
        ".SHELLFLAGS = -c 'halt' x\nall:\n\techo\n",
        "SHELL = bash -c 'halt'\nall:\n\techo\n",
        "all: SHELL = ./x\nall:\n\techo\n",
        "export BASH_ENV = ./x\nall:\n\techo\n",
        "export PATH := ./b:$(PATH)\nall:\n\techo\n",
        "MAKEFLAGS += --eval=x\nall:\n\techo\n",
    ] {
        assert!(gap(text), "{text}");
    }
    let deep: Vec<String> = (0..40).map(|n| format!("A{n} = $(A{})\n", n + 1)).collect();
    let deep = deep.concat();
    assert!(gap(&format!("{deep}A40 = halt\nall:\n\t$(A0)\n")));
    let many: Vec<String> =
        (0..6).map(|n| format!("ifdef E{n}\nX{n} = a\nelse\nX{n} = b\nendif\n")).collect();
    let many = many.concat();
    assert!(gap(&format!("{many}all:\n\t$(X0)$(X1)$(X2)$(X3)$(X4)$(X5)\n")));
    for text in [
        "SHELL := /usr/bin/env bash\n.SHELLFLAGS := -eu -o pipefail -c\nMAKEFLAGS += --no-builtin-rules -j4\nall:\n\techo\n",
        "ifeq ($(V),1)\nQ =\nelse\nQ = @\nendif\nifdef DEBUG\nCFLAGS += -g -O0\nelse\nCFLAGS += -O2\nendif\nall: x.o\n%.o: %.c\n\t$(Q)$(CC) $(CFLAGS) -c $< -o $@\n",
        "OS := $(shell uname -s)\nifeq ($(OS),Darwin)\nEXT = dylib\nelse\nEXT = so\nendif\nall: lib.$(EXT)\nlib.%: a.c\n\tcc -shared -o $@ $<\n",
    ] {
        assert!(!gap(text), "{text}\n{:#?}", said(Lang::Make, text));
    }
}
