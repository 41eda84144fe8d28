use std::io::Cursor;
use std::path::PathBuf;
use std::sync::Mutex;

use herm_adapters::LONGEST;
use herm_sandbox::process::Ending;

use super::*;

fn program(script: &str) -> Spec {
    Spec {
        program: "/bin/sh".into(),
        arguments: vec!["-c".into(), script.into()],
        cwd: PathBuf::from("/"),
        environment: vec![("PATH".into(), "/usr/bin:/bin".into())],
        time: Duration::from_mins(1),
        grace: Duration::from_millis(100),
        input: Input::Empty,
        confinement: None,
    }
}

fn line(heard: Heard) -> String {
    match heard {
        Heard::Line(line) => String::from_utf8(line).unwrap(),
        other @ (Heard::TooLong | Heard::Over(_)) => panic!("it said {other:?}"),
    }
}

#[test]
fn both_sides_are_heard_until_one_has_said_everything() {
    let grumbled = Arc::new(Mutex::new(Vec::new()));
    let aside = Arc::clone(&grumbled);
    let spec = program("while read -r line; do echo \"you said $line\"; echo hm >&2; done; echo bye");
    let companion = Companion::start(spec, move |line| aside.lock().unwrap().push(line.to_vec())).unwrap();
    for word in ["one", "two"] {
        companion.speaker().say(format!("{word}\n").as_bytes()).unwrap();
        assert_eq!(line(companion.hear()), format!("you said {word}"));
    }
    companion.speaker().close();
    assert_eq!(line(companion.hear()), "bye");
    let Heard::Over(Some(Ok(execution))) = companion.hear() else { panic!("it should be over") };
    assert_eq!(execution.ending, Ending::Exited(0));
    assert_eq!(*grumbled.lock().unwrap(), [b"hm".to_vec(), b"hm".to_vec()]);
    assert!(matches!(companion.hear(), Heard::Over(None)));
}

#[test]
fn nothing_of_it_is_left_when_it_is_dropped() {
    let companion = Companion::start(program("sleep 60 & echo $!; trap '' TERM; wait"), |_| {}).unwrap();
    let child = line(companion.hear());
    drop(companion);
    assert!(!PathBuf::from(format!("/proc/{child}")).exists(), "{child} still runs");
}

#[test]
fn whoever_does_not_listen_is_not_waited_for() {
    let companion = Companion::start(program("echo ready; sleep 60"), |_| {}).unwrap();
    assert_eq!(line(companion.hear()), "ready");
    let piece = vec![b'x'; 1 << 20];
    let error = (0..200).find_map(|_| companion.speaker().say(&piece).err()).unwrap();
    assert_eq!(error.kind(), io::ErrorKind::WouldBlock);
}

#[test]
fn whoever_talks_without_end_is_heard_no_faster_than_wanted() {
    let companion = Companion::start(program("yes"), |_| {}).unwrap();
    for _ in 0..3 * WAITING {
        assert_eq!(line(companion.hear()), "y");
    }
}

#[test]
fn what_cannot_be_started_is_heard_of() {
    let spec = Spec { program: "/nonexistent".into(), ..program("") };
    let companion = Companion::start(spec, |_| {}).unwrap();
    assert!(matches!(companion.hear(), Heard::Over(Some(Err(_)))));
}

#[test]
fn lines_come_whole_and_none_is_longer_than_a_message() {
    let mut bytes = b"one\r\n\ntwo".to_vec();
    bytes.push(b'\n');
    bytes.extend(vec![b'x'; LONGEST + 1]);
    bytes.extend(b"\nlast");
    let heard = lines(Cursor::new(bytes)).unwrap();
    assert_eq!(line(heard.recv().unwrap()), "one");
    assert_eq!(line(heard.recv().unwrap()), "two");
    assert!(matches!(heard.recv().unwrap(), Heard::TooLong));
    assert_eq!(line(heard.recv().unwrap()), "last");
    assert!(matches!(heard.recv().unwrap(), Heard::Over(None)));
}
