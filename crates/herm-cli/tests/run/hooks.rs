//! Hooks around a run.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use crate::place::Place;

#[test]
fn a_hook_is_told_afterwards_once_somebody_consented() {
    let place = Place::new();
    let told = place.work("told");
    let hook = place.file("hook.sh", &format!("#!/bin/sh\ncat > {}\necho '{{}}'\n", told.display()));
    fs::set_permissions(&hook, fs::Permissions::from_mode(0o755)).unwrap();
    place.config(&format!("hooks: {{post_tool_call: [{{command: {}}}]}}\n", hook.display()));
    let without = place.run(&["run", "echo hi"]);
    assert_eq!(without.stdout, "hi\n", "{without:?}");
    assert!(!told.exists() && without.stderr.contains("hook.sh"), "{without:?}");
    let yes = place.at_terminal(100, &[("Choice", r"o\r")], &["run", "echo hi; exit 4"]);
    assert_eq!(yes.code, Some(4), "{yes:?}");
    let told: serde_json::Value = serde_json::from_str(&fs::read_to_string(told).unwrap()).unwrap();
    assert_eq!(told["hook_event_name"], "post_tool_call", "{told}");
    assert!(told.to_string().contains(r#""exit_code":4"#), "{told}");
    let records = place.ledger();
    assert_eq!(records.len(), 4, "{records:?}");
}
