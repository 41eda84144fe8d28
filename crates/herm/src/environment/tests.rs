//! Families by their examples, and surfaces by what they keep.

use super::*;

fn kept(names: &[&str], surface: Surface, passthrough: &Passthrough) -> Vec<String> {
    let variables = names.iter().map(|name| (OsString::from(name), OsString::from("/x")));
    let kept = filter(variables, surface, passthrough);
    let names = kept.into_iter().map(|(name, _)| name.into_string().unwrap());
    names.filter(|name| MARKS.iter().all(|(mark, _)| mark != name)).collect()
}

fn keeps(name: &str, surface: Surface) -> bool {
    !kept(&[name], surface, &Passthrough::default()).is_empty()
}

const SURFACES: [Surface; 3] = [Surface::ExecuteCode, Surface::Mcp, Surface::Terminal];

#[test]
fn families_hold_their_examples_and_no_surface_keeps_one() {
    for held in FAMILIES {
        assert!(held.examples.len() >= 7, "{}", held.name);
        for name in held.examples {
            assert_eq!(family(name).map(|found| found.name), Some(held.name), "{name}");
            assert!(SURFACES.into_iter().all(|surface| !keeps(name, surface)), "{name}");
        }
    }
}

#[test]
fn families_hold_none_of_their_near_misses() {
    for held in FAMILIES {
        assert!(held.near_misses.len() >= 3, "{}", held.name);
        for name in held.near_misses {
            assert_eq!(family(name).map(|found| found.name), None, "{name}");
            assert!(keeps(name, Surface::Terminal), "{name}");
        }
    }
}

#[test]
fn tables_are_in_capitals_and_kept_names_would_be_caught() {
    for held in FAMILIES {
        let parts = [held.names, held.prefixes, held.suffixes, held.parts, held.words, held.kept];
        for entry in parts.into_iter().flatten() {
            assert_eq!(entry, &entry.to_uppercase(), "{}", held.name);
        }
        let strict = Family { kept: &[], ..*held };
        assert!(held.kept.iter().all(|name| strict.holds(name)), "{}", held.name);
    }
}

#[test]
fn a_command_gets_what_a_person_works_with() {
    let everyday = [
        "HOME",
        "USER",
        "LANG",
        "LC_ALL",
        "TERM",
        "SHELL",
        "TMPDIR",
        "XDG_RUNTIME_DIR",
        "DISPLAY",
        "EDITOR",
        "TZ",
        "CI",
        "CARGO_HOME",
        "GOPATH",
        "JAVA_HOME",
        "NVM_DIR",
        "PYTHONPATH",
        "HTTPS_PROXY",
        "NO_COLOR",
        "COLUMNS",
        "SHLVL",
        "CC",
        "CFLAGS",
        "KUBECONFIG",
        "DOCKER_HOST",
        "SSH_AUTH_SOCK",
        "WSL_DISTRO_NAME",
        "NODE_ENV",
        "RUST_LOG",
        "MY_PROJECT_SETTING",
    ];
    assert_eq!(kept(&everyday, Surface::Terminal, &Passthrough::default()), everyday);
    assert!(!keeps("VIRTUAL_ENV", Surface::Terminal) && !keeps("CONDA_PREFIX", Surface::Terminal));
}

#[test]
fn a_script_gets_little() {
    let wanted = [
        "PATH",
        "HOME",
        "USER",
        "LANG",
        "LC_CTYPE",
        "TERM",
        "TMPDIR",
        "TMP",
        "TEMP",
        "SHELL",
        "LOGNAME",
        "XDG_CACHE_HOME",
        "PYTHONPATH",
        "VIRTUAL_ENV",
        "CONDA_DEFAULT_ENV",
        "HERMES_HOME",
        "HERMES_PROFILE",
        "HERMES_CONFIG",
        "HERMES_ENV",
    ];
    assert_eq!(kept(&wanted, Surface::ExecuteCode, &Passthrough::default()), wanted);
    let secrets = [
        "PATH_KEY",
        "USER_TOKEN",
        "HOME_SECRET",
        "LANG_PASSWORD",
        "TERM_CREDENTIAL",
        "TMP_PASSWD",
        "USER_AUTH",
        "XDG_DSN",
        "CONDA_WEBHOOK",
        "USER_CREDS",
        "SHELL_BEARER",
        "HOMEAPIKEY",
        "XDG_AUTHOR",
        "USERKEYBOARD",
    ];
    assert!(secrets.into_iter().all(|name| !keeps(name, Surface::ExecuteCode)));
    let others = [
        "SSH_AUTH_SOCK",
        "DISPLAY",
        "MY_PROJECT_SETTING",
        "SHELLOPTS",
        "TERMINAL_SSH_KEY",
        "KUBECONFIG",
        "HERMES_OTHER",
    ];
    assert!(others.into_iter().all(|name| !keeps(name, Surface::ExecuteCode)));
}

#[test]
fn a_server_gets_a_short_list_and_nothing_is_passed_through() {
    let wanted = ["PATH", "HOME", "USER", "LANG", "LC_ALL", "TERM", "SHELL", "TMPDIR", "XDG_DATA_HOME"];
    assert_eq!(kept(&wanted, Surface::Mcp, &Passthrough::default()), wanted);
    assert!(["LC_CTYPE", "EDITOR", "PYTHONPATH", "home"].into_iter().all(|name| !keeps(name, Surface::Mcp)));
    let mut passthrough = Passthrough::default();
    passthrough.declare("TENOR_API_KEY", Declared::InSkill, true).unwrap();
    assert!(kept(&["TENOR_API_KEY"], Surface::Mcp, &passthrough).is_empty());
    assert_eq!(kept(&["TENOR_API_KEY"], Surface::Terminal, &passthrough), ["TENOR_API_KEY"]);
    assert_eq!(kept(&["TENOR_API_KEY"], Surface::ExecuteCode, &passthrough), ["TENOR_API_KEY"]);
}

#[test]
fn every_command_and_script_knows_where_it_runs() {
    for surface in [Surface::ExecuteCode, Surface::Terminal] {
        let theirs = filter([("HERM".into(), "0".into())], surface, &Passthrough::default());
        let expected = MARKS.map(|(name, value)| (OsString::from(name), OsString::from(value)));
        assert_eq!(theirs, expected);
    }
    assert_eq!(filter([("HERM".into(), "0".into())], Surface::Mcp, &Passthrough::default()), []);
}

#[test]
fn values_that_are_secrets_are_dropped_whatever_their_name() {
    let value = |value: &str| {
        filter([("PLACE".into(), value.into())], Surface::Terminal, &Passthrough::default()).len()
            - MARKS.len()
    };
    assert_eq!(value("http://proxy:8080"), 1);
    assert_eq!(value("http://me:secret@proxy:8080"), 0);
}

#[cfg(unix)]
#[test]
fn names_that_are_no_text_are_dropped_and_values_may_be_anything() {
    use std::os::unix::ffi::OsStringExt;
    let odd = || OsString::from_vec(vec![b'A', 0xFF]);
    let theirs =
        filter([(odd(), "1".into()), ("A".into(), odd())], Surface::Terminal, &Passthrough::default());
    assert_eq!(theirs.len(), 1 + MARKS.len());
    assert_eq!(theirs[0].1, odd());
}

#[test]
fn what_was_declared_and_is_set_is_passed_on() {
    let mut passthrough = Passthrough::default();
    let mut declare = |name: &str, by, is_set| passthrough.declare(name, by, is_set);
    assert_eq!(declare("TENOR_API_KEY", Declared::InSkill, true).unwrap(), Registration::Passed);
    assert_eq!(declare("MY_CUSTOM_KEY", Declared::InConfiguration, true).unwrap(), Registration::Passed);
    assert_eq!(declare("ANOTHER_TOKEN", Declared::InConfiguration, false).unwrap(), Registration::Unset);
    assert_eq!(declare("AWS_PROFILE", Declared::InSkill, true).unwrap(), Registration::Passed);
    let names = ["TENOR_API_KEY", "MY_CUSTOM_KEY", "ANOTHER_TOKEN"];
    assert_eq!(kept(&names, Surface::Terminal, &passthrough), ["TENOR_API_KEY", "MY_CUSTOM_KEY"]);
}

#[test]
fn the_agents_own_secrets_are_never_passed_on() {
    let mut passthrough = Passthrough::default();
    for name in [
        "OPENROUTER_API_KEY",
        "ANTHROPIC_API_KEY",
        "TELEGRAM_BOT_TOKEN",
        "AUXILIARY_VISION_API_KEY",
        "HERMES_API_KEY",
        "GATEWAY_RELAY_A_SECRET",
        "_HERMES_FORCE_OPENAI_API_KEY",
        "openai_api_key",
    ] {
        for by in [Declared::InConfiguration, Declared::InSkill] {
            assert!(passthrough.declare(name, by, true).is_err(), "{name}");
        }
    }
    assert_eq!(passthrough, Passthrough::default());
    let refused = passthrough.declare("OPENAI_API_KEY", Declared::InSkill, true).unwrap_err();
    assert_eq!(refused.to_string(), "it is a key or an address of a model provider");
}

#[test]
fn a_skill_cannot_make_programs_run_other_code() {
    let mut passthrough = Passthrough::default();
    assert!(passthrough.declare("LD_PRELOAD", Declared::InSkill, true).is_err());
    assert!(passthrough.declare("GITHUB_ENV", Declared::InSkill, true).is_err());
    assert!(passthrough.declare("LD_LIBRARY_PATH", Declared::InConfiguration, true).is_ok());
}

#[test]
fn what_is_no_name_is_refused() {
    for name in ["", "A B", "1A", "A=B", "BASH_FUNC_x%%", "Ä"] {
        assert!(matches!(
            Passthrough::default().declare(name, Declared::InConfiguration, true),
            Err(NotPassed::NoName)
        ));
    }
}
