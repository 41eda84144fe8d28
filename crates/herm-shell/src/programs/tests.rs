//! Every description is well formed.

use std::collections::HashSet;

use super::FAMILIES;
use super::schema::{Do, Naming, Opt, Program, Role, Syntax, Takes};
use crate::effect::{Target, Verb};
use crate::lang::Lang;

fn programs() -> impl Iterator<Item = &'static Program> {
    FAMILIES.iter().flat_map(|family| family.iter())
}

fn with_subs(program: &'static Program) -> Vec<&'static Program> {
    let mut all = vec![program];
    all.extend(program.subs.iter().flat_map(with_subs));
    all
}

#[test]
fn no_program_is_described_twice() {
    let mut seen = HashSet::new();
    for name in programs().flat_map(|program| program.names) {
        assert!(seen.insert(name), "`{name}` is described twice");
    }
}

#[test]
fn no_subcommand_is_hidden_by_an_earlier_one() {
    for program in programs().flat_map(with_subs) {
        let mut seen: Vec<&str> = Vec::new();
        for name in program.subs.iter().flat_map(|sub| sub.names) {
            let hidden =
                seen.iter().any(|earlier| name == earlier || name.starts_with(&format!("{earlier} ")));
            assert!(!hidden, "`{name}` of {:?} is hidden", program.names);
            seen.push(name);
        }
    }
}

#[test]
fn names_are_plain_words() {
    for program in programs() {
        assert!(!program.names.is_empty());
        for name in program.names {
            assert!(!name.is_empty() && !name.contains([' ', '/']), "{name}");
        }
    }
}

#[test]
fn options_are_spelt_as_options() {
    for program in programs().flat_map(with_subs) {
        for option in program.options {
            for name in option.names.split(' ') {
                assert!(
                    is_spelt_right(name, program.syntax),
                    "{:?}: `{name}` in `{}`",
                    program.names,
                    option.names
                );
            }
        }
    }
}

fn is_spelt_right(name: &str, syntax: Syntax) -> bool {
    match syntax {
        Syntax::KeyValue => name.ends_with('=') || name.starts_with("--"),
        Syntax::Expression
        | Syntax::FirstOperandEnds
        | Syntax::Gnu
        | Syntax::SingleDash
        | Syntax::TarBundle
        | Syntax::Words => name.starts_with('-') && name.len() > 1 || name.starts_with('/'),
    }
}

#[test]
fn no_option_is_listed_twice() {
    for program in programs().flat_map(with_subs) {
        let mut seen = HashSet::new();
        for name in program.options.iter().flat_map(|option| option.names.split(' ')) {
            assert!(seen.insert(name), "{:?}: `{name}`", program.names);
        }
    }
}

#[test]
fn an_option_with_a_role_takes_a_value() {
    // What makes standard input code does so by being there.
    let wants = |does: Do| match does {
        Do::Is(role) => !matches!(role, Role::Interact(_)),
        Do::Before(_) | Do::StopWith(_) => true,
        Do::Emit(_) | Do::Nothing | Do::Operands(_) | Do::Set(_) | Do::Stop => false,
    };
    let lacks = |option: &&Opt| wants(option.does) && option.takes == Takes::Nothing;
    for program in programs().flat_map(with_subs) {
        assert!(!program.options.iter().any(|option| lacks(&option)), "{:?}", program.names);
    }
}

/// What a text does.
fn analysis(text: &str) -> crate::Analysis {
    let setting = crate::Setting {
        cwd: "/home/dev/project",
        home: "/home/dev",
        user: Some("dev"),
        world: &crate::world::Blind,
        limits: crate::Limits::default(),
        input: crate::Input::default(),
    };
    crate::analyse(text, Lang::Shell, &setting)
}

/// Whether a text deletes everything.
fn deletes_everything(text: &str) -> bool {
    let everything = |target: &Target| matches!(target, Target::Path(path) if path.path == "/");
    analysis(text).effects.iter().any(|effect| effect.verb == Verb::Delete && everything(&effect.target))
}

#[test]
fn input_that_is_code_is_read_behind_every_program_that_runs_it() {
    let is_code = |program: &&Program| matches!(program.stdin, Role::Code(Lang::Shell));
    let missed: Vec<&str> = programs()
        .filter(is_code)
        .flat_map(|program| program.names)
        .filter(|name| !name.contains('*') && !deletes_everything(&format!("{name} <<< 'rm -rf /'")))
        .copied()
        .collect();
    assert!(missed.is_empty(), "{missed:?}");
}

#[test]
fn variable_that_is_code_is_read_behind_every_program_that_runs_it() {
    let mut missed = Vec::new();
    for program in programs() {
        let Some(name) = program.names.first().filter(|name| !name.contains('*')) else { continue };
        for (variable, _) in program.env.iter().filter(|(_, role)| matches!(role, Role::Code(Lang::Shell))) {
            if !deletes_everything(&format!("{variable}='rm -rf /' {name} x"))
                && !deletes_everything(&format!("{variable}='rm -rf /' {name}"))
            {
                missed.push((name, variable));
            }
        }
    }
    assert!(missed.is_empty(), "{missed:?}");
}

#[test]
fn abbreviated_option_with_code_is_read_like_the_whole_one() {
    let mut missed = Vec::new();
    for program in programs().filter(|program| program.syntax == Syntax::Gnu) {
        let Some(name) = program.names.first().filter(|name| !name.contains('*')) else { continue };
        let all: Vec<&str> = program.options.iter().flat_map(|option| option.names.split(' ')).collect();
        let runs = |option: &&Opt| matches!(option.does, Do::Is(Role::Code(Lang::Shell)));
        let long = program.options.iter().filter(runs).flat_map(|option| option.names.split(' '));
        for option in long.filter(|option| option.starts_with("--")) {
            if !deletes_everything(&format!("{name} {option}='rm -rf /' x")) {
                continue;
            }
            for end in 3..option.len() {
                let short = option.get(..end).unwrap_or_default();
                let is_clear = all.iter().filter(|other| other.starts_with(short)).count() == 1;
                if is_clear && !deletes_everything(&format!("{name} {short}='rm -rf /' x")) {
                    missed.push(format!("{name} {short}"));
                }
            }
        }
    }
    assert!(missed.is_empty(), "{missed:?}");
}

/// What a command does, by verb.
fn verbs(command: &str) -> Vec<Verb> {
    analysis(command).effects.iter().map(|effect| effect.verb).collect()
}

#[test]
fn sub_command_cut_short_does_what_the_whole_one_does() {
    let mut missed = Vec::new();
    for program in programs().filter(|program| program.naming == Naming::Short) {
        let Some(name) = program.names.first() else { continue };
        let all: Vec<&str> = program.subs.iter().flat_map(|sub| sub.names).copied().collect();
        let plain = program.subs.iter().filter(|sub| !sub.does.is_empty()).flat_map(|sub| sub.names);
        for whole in plain.filter(|whole| !whole.contains(' ')) {
            for end in 2..whole.len() {
                let short = whole.get(..end).unwrap_or_default();
                let is_clear = all.iter().filter(|other| other.starts_with(short)).count() == 1;
                if is_clear && verbs(&format!("{name} {short} x")) != verbs(&format!("{name} {whole} x")) {
                    missed.push(format!("{name} {short}"));
                }
            }
        }
    }
    assert!(missed.is_empty(), "{missed:?}");
    assert_eq!(verbs("nmcli con del x"), verbs("nmcli connection delete x"));
    assert!(verbs("yarn publ").is_empty(), "only what takes short names is read so");
}

#[test]
fn variables_bring_options_to_the_sub_command_that_their_name_says() {
    let destroys = |command: &str| verbs(command).contains(&Verb::Destroy);
    assert!(destroys("TF_CLI_ARGS_apply=-destroy terraform apply"));
    assert!(destroys("TF_CLI_ARGS=-destroy terraform -chdir=x apply"));
    assert!(!destroys("TF_CLI_ARGS_plan=-destroy terraform apply"));
    assert!(!destroys("TF_CLI_ARGS_apply=-destroy terraform plan"));
    let publishes = |command: &str| verbs(command).contains(&Verb::Publish);
    assert!(
        !publishes("npm_config_dry_run=true npm publish")
            && publishes("NPM_CONFIG_DRY_RUN=false npm publish")
    );
    assert!(publishes("npm publish --dry-run=false") && !publishes("npm publish --dry-run=true"));
}
