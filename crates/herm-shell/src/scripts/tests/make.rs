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
