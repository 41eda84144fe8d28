//! Where there is no working directory, or none that can be said.

use std::fs;

use crate::place::{Place, Ran};

/// Places of root and of somebody else, where nobody says where commands run.
fn places() -> [Place; 2] {
    let places = [Place::new().unsaid(), Place::unprivileged().unsaid()];
    for place in &places {
        fs::write(place.home().join("mine"), "secret").unwrap();
        place.give();
    }
    places
}

/// Ways to be nowhere: in a directory that is gone, and in one whose name is not text.
const NOWHERE: &[&str] = &["mkdir sub && cd sub && rmdir ../sub", r"mkdir -p $'odd\xff' && cd $'odd\xff'"];

/// What must not run, and where it would be seen that it did.
const REACHES: &str = "cat ~/mine; touch ~/escaped; pwd";

/// Starts herm there, with the words that follow its name.
fn nowhere(place: &Place, way: &str, words: &str) -> Ran {
    let script = format!("{way} && {words}");
    Ran::of(&mut place.herm_by(&["bash", "-c", &script]))
}

#[track_caller]
fn nothing_ran(place: &Place, ran: &Ran) {
    assert!(!ran.stdout.contains("secret") && !ran.stderr.contains("no sandbox"), "{ran:?}");
    assert!(!place.home().join("escaped").exists(), "{ran:?}");
    assert!(format!("{}{}", ran.stdout, ran.stderr).contains("the working directory"), "{ran:?}");
}

#[test]
fn nothing_runs_there() {
    for place in places() {
        for way in NOWHERE {
            for (words, code) in [
                (format!("\"$0\" run '{REACHES}'"), 125),
                (format!("\"$0\" run --backend local '{REACHES}'"), 125),
                (format!("\"$0\" run --cwd . '{REACHES}'"), 125),
                (format!("\"$0\" try --discard '{REACHES}'"), 125),
                ("printf '{\"command\": \"cat ~/mine\"}\\n' | \"$0\" shell --json".to_owned(), 125),
                ("\"$0\" undo".to_owned(), 3),
                ("\"$0\" check 'cat x'".to_owned(), 3),
            ] {
                let ran = nowhere(&place, way, &words);
                nothing_ran(&place, &ran);
                assert_eq!(ran.code, Some(code), "{words}: {ran:?}");
            }
        }
    }
}

/// An agent runs the command itself, there or elsewhere: nobody knows where what was judged would happen.
#[test]
fn agents_are_refused_there() {
    let event = r#"{"session_id":"s","transcript_path":"/t","cwd":"CWD","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"touch x"}}"#;
    for place in places() {
        for way in NOWHERE {
            for cwd in ["/srv", "."] {
                let told = event.replace("CWD", cwd);
                let ran = nowhere(&place, way, &format!("printf '%s' '{told}' | \"$0\" hook claude-code"));
                nothing_ran(&place, &ran);
                assert!(ran.code == Some(2) || ran.stdout.contains("deny"), "{ran:?}");
            }
            for door in ["mcp serve", "acp -- true"] {
                let ran = nowhere(&place, way, &format!("\"$0\" {door} < /dev/null"));
                assert!(ran.code != Some(0), "{door}: {ran:?}");
                nothing_ran(&place, &ran);
            }
        }
    }
}

/// The same with a directory that only a link can be said of.
#[test]
fn a_name_that_leads_to_one_without_a_name_is_none_either() {
    for place in places() {
        let way = r"mkdir -p $'odd\xff' && ln -sfn $'odd\xff' link && cd link";
        nothing_ran(&place, &nowhere(&place, way, &format!("\"$0\" run '{REACHES}'")));
        let ran = place.run(&["run", "--cwd", "link", REACHES]);
        assert_eq!(ran.code, Some(125), "{ran:?}");
        nothing_ran(&place, &ran);
    }
}
