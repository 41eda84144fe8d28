//! The tirith program as a second opinion, by a stand-in that records how it is called.

use std::fs;
use std::time::{Duration, Instant};

use crate::place::{Place, Ran};

/// A stand-in that records its arguments, one a line, and then does this.
fn with_tirith(ending: &str, settings: &str) -> Place {
    let place = Place::new();
    let script = format!("#!/bin/bash\nprintf '<%s>\\n' \"$@\" > \"$HERM_HOME/called\"\n{ending}\n");
    let path = place.program("stand-in/tirith", &script);
    place.config(&format!("security: {{tirith_enabled: true, tirith_path: {path}{settings}}}\n"));
    place
}

fn asks(place: &Place, why: &str) {
    let ran = place.run(&["run", "touch made"]);
    assert_eq!(ran.code, Some(126), "{why}: {ran:?}");
    assert!(ran.stderr.contains("a person must say yes") && ran.stderr.contains(why), "{why}: {ran:?}");
    assert!(!place.work("made").exists());
    let ran = place.at_terminal(80, &[("Choice", r"o\r")], &["run", "touch made"]);
    assert!(ran.code == Some(0) && place.work("made").exists(), "{why}: {ran:?}");
}

fn refuses(place: &Place, ran: &Ran, why: &str) {
    assert_eq!(ran.code, Some(126), "{ran:?}");
    assert!(ran.stderr.contains("this is not allowed") && ran.stderr.contains(why), "{ran:?}");
    assert!(!place.work("made").exists());
    let record = place.ledger().pop().unwrap();
    assert_eq!(record["body"]["findings"][0]["rule"], "tirith-finding");
}

#[test]
fn it_is_called_as_it_wants_to_be() {
    let place = with_tirith("exit 0", "");
    let command = "printf '%s' \"$HOME\" --json -- 'a  b' > made";
    assert_eq!(place.run(&["run", command]).code, Some(0));
    let called = fs::read_to_string(place.guard().join("called")).unwrap();
    assert_eq!(
        called,
        format!("<check>\n<--json>\n<--non-interactive>\n<--shell>\n<posix>\n<-->\n<{command}>\n")
    );
}

#[test]
fn its_exit_code_decides() {
    let clean = with_tirith("exit 0", "");
    assert_eq!(clean.run(&["run", "touch made"]).code, Some(0));
    let blocking = with_tirith("exit 1", "");
    refuses(&blocking, &blocking.run(&["run", "touch made"]), "tirith blocks it");
    asks(&with_tirith("exit 2", ""), "tirith warns of it");
    asks(&with_tirith("exit 7", ""), "it ended with code 7");
    asks(&with_tirith("kill -9 $$", ""), "signal 9 ended it");
    asks(&with_tirith("exit 1", ", tirith_block: ask"), "tirith blocks it");
}

#[test]
fn a_slow_one_is_not_waited_for() {
    let place = with_tirith("sleep 60", ", tirith_timeout: 1");
    let began = Instant::now();
    asks(&place, "it takes longer than 1 s");
    assert!(began.elapsed() < Duration::from_secs(20));
}

#[test]
fn a_missing_one_follows_the_configuration() {
    let missing = |settings: &str| {
        let place = Place::new();
        place
            .config(&format!("security: {{tirith_enabled: true, tirith_path: /nowhere/tirith{settings}}}\n"));
        place
    };
    for settings in ["", ", tirith_fail_open: true"] {
        let place = missing(settings);
        let told = place.run(&["run", "--json", "touch made"]).json();
        assert!(told["exit_code"] == 0 && place.work("made").exists(), "{told}");
        assert_eq!(
            (told["findings"][0]["rule"].as_str(), told["findings"][0]["stance"].as_str()),
            (Some("tirith-finding"), Some("note"))
        );
    }
    let place = missing(", tirith_fail_open: false");
    refuses(&place, &place.run(&["run", "touch made"]), "tirith is not there");
}

#[test]
fn it_is_not_called_unless_it_is_enabled_nor_for_what_is_refused_anyway() {
    let place = with_tirith("exit 1", "");
    assert_eq!(place.run(&["run", "rm -rf /"]).code, Some(126));
    assert!(!place.guard().join("called").exists());
    let off = Place::new();
    let path = off.program("stand-in/tirith", "#!/bin/sh\nexit 1\n");
    off.config(&format!("security: {{tirith_enabled: false, tirith_path: {path}}}\n"));
    assert_eq!(off.run(&["run", "true"]).code, Some(0));
}
