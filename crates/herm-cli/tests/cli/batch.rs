use crate::test::Test;

fn answers(input: &str) -> Vec<serde_json::Value> {
    let stdout = Test::new(&["check", "--batch"]).input(input).stdout();
    stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn every_line_is_answered_in_order() {
    let row = |id: u32| format!("{}\n", serde_json::json!({ "id": id, "input": "echo 'x" }));
    let input: String = (0..500).map(row).collect();
    let ids: Vec<_> = answers(&input).iter().map(|answer| answer["id"].as_u64()).collect();
    assert_eq!(ids, (0..500).map(Some).collect::<Vec<_>>());
}

#[test]
fn a_finding_has_all_its_fields() {
    let answer = answers(r#"{"id": "a", "input": "echo 'unfinished", "more": 1}"#).remove(0);
    assert_eq!((&answer["id"], &answer["decision"]), (&"a".into(), &"ask".into()));
    let finding = &answer["findings"][0];
    assert_eq!(
        (&finding["rule"], &finding["stance"], &finding["gap"]),
        (&"unread-text".into(), &"ask".into(), &true.into())
    );
    assert!(finding["span"].is_array() && finding["reason"].is_string() && finding["instead"].is_string());
}

#[test]
fn a_line_that_cannot_be_judged_is_refused() {
    Test::new(&["check", "--batch"])
        .input("nonsense\n\n{\"id\": 7}\n{\"id\": \"r\", \"input\": \"ls\", \"cwd\": \"here\"}\n[]\n")
        .answers(
            0,
            concat!(
                r#"{"decision":"deny","error":"not valid JSON: expected ident at line 1 column 2","findings":[],"id":null}"#,
                "\n",
                r#"{"decision":"deny","error":"`input` must be a text","findings":[],"id":7}"#,
                "\n",
                r#"{"decision":"deny","error":"cannot use `cwd`: the path is not absolute","findings":[],"id":"r"}"#,
                "\n",
                r#"{"decision":"deny","error":"`input` must be a text","findings":[],"id":null}"#,
                "\n",
            ),
        );
}

#[test]
fn the_last_line_needs_no_end() {
    assert_eq!(answers(r#"{"id": 1, "input": "a\u0000b"}"#).remove(0)["decision"], "deny");
}

#[test]
fn nothing_in_is_nothing_out() {
    Test::new(&["check", "--batch"]).answers(0, "");
}

#[test]
fn a_line_is_judged_by_the_repository_that_it_runs_in() {
    let test = Test::new(&["check", "--batch"])
        .file("tight/.herm.yaml", "approvals: {deny: ['make *']}\n")
        .file("broken/.herm.yaml", "approvals: {preset: permissive}\n");
    let row = |cwd: &str| serde_json::json!({ "input": "make test", "cwd": cwd }).to_string();
    let rows = ["tight/src", "broken", "other"].map(|name| row(&test.path(name)));
    let stdout = test.input(&rows.join("\n")).stdout();
    let decisions: Vec<serde_json::Value> = stdout
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["decision"].clone())
        .collect();
    assert_eq!(decisions, ["deny", "deny", "allow"]);
}
