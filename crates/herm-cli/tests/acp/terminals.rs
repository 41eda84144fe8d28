//! Commands that an agent has run in a terminal.

use std::fs;

use serde_json::{Value, json};

use crate::conversation::{Conversation, Place, offered, selected, shown};

const CREATE: &str = "terminal/create";

fn create(both: &mut Conversation, id: i64, params: Value) -> String {
    both.agent_asks(id, CREATE, params);
    let answer = both.agent_hears();
    answer["result"]["terminalId"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned()
}

fn used(both: &mut Conversation, method: &str, terminal: &str) -> Value {
    both.agent_asks(1000, &format!("terminal/{method}"), json!({"terminalId": terminal}));
    let answer = both.agent_hears();
    assert_eq!(answer["id"], 1000);
    answer
}

#[test]
fn a_command_runs_here_and_not_in_the_editor() {
    let mut both = Conversation::opened(Place::new(), &[]);
    fs::write(both.place.path("home/mine"), "mine").unwrap();
    let home = both.place.path("home");
    let script = format!("echo out; echo err >&2; pwd; echo x > made; cat {}/mine; exit 3", home.display());
    let terminal = create(&mut both, 1, json!({"command": script}));
    assert_eq!(used(&mut both, "wait_for_exit", &terminal)["result"], json!({"exitCode": 3, "signal": null}));
    let output = used(&mut both, "output", &terminal);
    let text = output["result"]["output"].as_str().unwrap();
    assert!(
        text.contains("out\n") && text.contains("err\n") && text.contains(&both.place.work("")),
        "{text}"
    );
    assert!(text.contains("mine: No such file") && !text.contains("\nmine\n"), "it is confined: {text}");
    assert_eq!(
        (&output["result"]["truncated"], &output["result"]["exitStatus"]["exitCode"]),
        (&json!(false), &json!(3))
    );
    assert_eq!(fs::read_to_string(both.place.work("made")).unwrap(), "x\n");
    assert_eq!(used(&mut both, "release", &terminal)["result"], json!({}));
    assert_eq!(used(&mut both, "output", &terminal)["error"]["code"], -32602);
    both.editor_hears_nothing();
    let (_, place) = both.close();
    let records = place.records();
    let intent = records.iter().find(|record| record["body"]["backend"] == "sandbox").unwrap();
    assert_eq!(intent["body"]["door"], "acp");
}

#[test]
fn what_is_asked_about_waits_and_what_is_refused_does_not_begin() {
    let mut both = Conversation::opened(Place::new(), &[]);
    both.agent_asks(1, CREATE, json!({"command": "git", "args": ["push", "--force"]}));
    let question = both.editor_hears();
    assert_eq!(question["params"]["toolCall"]["title"], "herm: run git push --force");
    assert!(shown(&question).contains("[force-push]"), "{question}");
    assert!(offered(&question).contains(&"herm:allow_session"), "{question}");
    both.editor_says(&selected(&question, "herm:reject_once"));
    let answer = both.agent_hears();
    assert!(answer["error"]["message"].as_str().unwrap().contains("the user denied"), "{answer}");
    assert_eq!(both.editor_hears()["params"]["update"]["status"], "failed");
    both.agent_asks(2, CREATE, json!({"command": "rm -rf / --no-preserve-root"}));
    assert_eq!(both.agent_hears()["error"]["code"], -32010);
    both.agent_asks(
        3,
        CREATE,
        json!({"command": "make", "env": [{"name": "LD_PRELOAD", "value": "/tmp/x.so"}]}),
    );
    assert_eq!(
        both.editor_hears()["method"],
        "session/request_permission",
        "variables are part of what is judged"
    );
}

#[test]
fn what_goes_on_is_heard_ended_and_kept_short() {
    let mut both = Conversation::opened(Place::new(), &[]);
    let terminal = create(&mut both, 1, json!({"command": "echo begun; sleep 600"}));
    while !used(&mut both, "output", &terminal)["result"]["output"].as_str().unwrap().contains("begun") {}
    assert_eq!(used(&mut both, "output", &terminal)["result"]["exitStatus"], Value::Null);
    both.agent_asks(7, "terminal/wait_for_exit", json!({"terminalId": terminal}));
    assert_eq!(used(&mut both, "kill", &terminal)["result"], json!({}));
    let ended = both.agent_hears();
    assert_eq!((&ended["id"], &ended["result"]["signal"]), (&json!(7), &json!("SIGTERM")));
    let terminal = create(&mut both, 2, json!({"command": "seq 1 200000", "outputByteLimit": 50}));
    used(&mut both, "wait_for_exit", &terminal);
    let output = used(&mut both, "output", &terminal)["result"].clone();
    assert!(output["output"].as_str().unwrap().ends_with("199999\n200000\n"), "{output}");
    assert!(output["output"].as_str().unwrap().len() <= 50 && output["truncated"] == true);
}

#[test]
fn secrets_are_not_told() {
    let mut both = Conversation::opened(Place::new(), &[]);
    let token = format!("ghp_{}", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
    both.place.write("notes", &token);
    let terminal = create(&mut both, 1, json!({"command": "cat notes"}));
    used(&mut both, "wait_for_exit", &terminal);
    assert_eq!(used(&mut both, "output", &terminal)["result"]["output"], "[REDACTED]");
}

#[test]
fn an_agent_cannot_choose_a_directory_in_which_less_holds() {
    let mut both = Conversation::opened(Place::new(), &[]);
    std::os::unix::fs::symlink("/", both.place.work("root")).unwrap();
    let outside = [
        "/".to_owned(),
        "/etc".to_owned(),
        both.place.work("root"),
        both.place.work("root/etc"),
        both.place.work(".."),
        "src".to_owned(),
    ];
    for (id, cwd) in outside.iter().enumerate() {
        both.agent_asks(i64::try_from(id).unwrap(), CREATE, json!({"command": "pwd", "cwd": cwd}));
        assert!(both.agent_hears()["error"].is_object(), "{cwd}");
    }
    let cwd = both.place.work("src");
    let terminal = create(&mut both, 9, json!({"command": "pwd", "cwd": cwd}));
    used(&mut both, "wait_for_exit", &terminal);
    assert_eq!(used(&mut both, "output", &terminal)["result"]["output"], format!("{cwd}\n"));
}

#[test]
fn the_editor_is_shown_text_in_the_place_of_our_terminals() {
    let mut both = Conversation::opened(Place::new(), &[]);
    let terminal = create(
        &mut both,
        1,
        json!({"command": "until [ -e go ]; do sleep 0.05; done; echo '```'; echo done"}),
    );
    let update = json!({"jsonrpc": "2.0", "method": "session/update", "params": {"sessionId": "s", "update": {
        "sessionUpdate": "tool_call", "toolCallId": "c", "title": "t", "kind": "execute", "status": "in_progress", "new": 1,
        "content": [{"type": "terminal", "terminalId": terminal}, {"type": "terminal", "terminalId": "theirs"}],
    }}});
    both.agent_says(&update);
    let passed = both.editor_hears();
    let content = &passed["params"]["update"]["content"];
    assert_eq!((&content[0]["type"], &content[1]["terminalId"]), (&json!("content"), &json!("theirs")));
    assert_eq!(passed["params"]["update"]["new"], 1);
    both.place.write("go", "");
    let over = both.editor_hears();
    assert_eq!(over["params"]["update"]["toolCallId"], "c");
    let text = over["params"]["update"]["content"][0]["content"]["text"].as_str().unwrap();
    assert!(text.contains("done") && text.starts_with("````"), "{text}");
}

#[test]
fn what_runs_in_a_terminal_is_nobody_who_may_loosen_anything() {
    let place = Place::new();
    place.configure("terminal: {backend: local}\n");
    let mut both = Conversation::opened(place, &[]);
    let command = format!("{} run --yolo 'touch loose'", env!("CARGO_BIN_EXE_herm"));
    both.agent_asks(1, CREATE, json!({"command": &command}));
    assert!(both.agent_hears().to_string().contains("[yolo]"));
    // Where it is not seen, the one inside refuses.
    both.place.write("unseen", &command);
    both.agent_asks(2, CREATE, json!({"command": r#"eval "$(sed -n p unseen)""#}));
    let question = both.editor_hears();
    both.editor_says(&selected(&question, "herm:allow_once"));
    let terminal = both.agent_hears()["result"]["terminalId"].as_str().unwrap().to_owned();
    assert_eq!(used(&mut both, "wait_for_exit", &terminal)["result"]["exitCode"], 126);
    let output = used(&mut both, "output", &terminal);
    assert!(output.to_string().contains("for people"), "{output}");
    assert!(!fs::exists(both.place.work("loose")).unwrap());
}

#[test]
fn what_an_agent_runs_does_not_answer_for_its_person() {
    let place = Place::new();
    place.configure("terminal: {backend: local}\n");
    let mut both = Conversation::opened(place, &[]);
    both.agent_asks(1, "session/request_permission", crate::conversation::to_run("rm -rf src"));
    both.editor_hears();
    let listed: Value = serde_json::from_str(&both.place.herm(&["approvals", "list", "--json"])).unwrap();
    let id = listed["questions"][0]["id"].as_str().unwrap().to_owned();
    let herm = env!("CARGO_BIN_EXE_herm");
    let home = both.place.path("home");
    // From where it is, and from a session of its own that has left its family.
    // Said openly it would be refused before it starts.
    std::fs::write(both.place.path("work/words"), format!("{herm} approvals answer {id} once")).unwrap();
    let script = format!(
        "export HERM_HOME={0}/.herm HOME={0}; export WORDS=\"$(cat words)\"; $WORDS
         setsid -f sh -c '$WORDS > late 2>&1; touch done'
         until [ -e done ]; do sleep 0.05; done; cat late",
        home.display()
    );
    both.agent_asks(2, CREATE, json!({"command": script}));
    let terminal = match both.either() {
        (true, question) => {
            both.editor_says(&selected(&question, "herm:allow_once"));
            both.agent_hears()
        }
        (false, answer) => answer,
    };
    let terminal =
        terminal["result"]["terminalId"].as_str().unwrap_or_else(|| panic!("{terminal}")).to_owned();
    used(&mut both, "wait_for_exit", &terminal);
    let output = used(&mut both, "output", &terminal);
    assert_eq!(output.to_string().matches("started by").count(), 2, "{output}");
    let listed: Value = serde_json::from_str(&both.place.herm(&["approvals", "list", "--json"])).unwrap();
    assert_eq!(listed["questions"][0]["id"], id, "the question still stands");
}
