use crate::test::Test;

#[test]
fn every_rule_is_listed_and_explained() {
    let rules: serde_json::Value = serde_json::from_str(&Test::new(&["rules", "--json"]).stdout()).unwrap();
    let listed = Test::new(&["rules"]).stdout();
    for rule in rules.as_array().unwrap() {
        let name = rule["name"].as_str().unwrap();
        assert!(listed.lines().any(|line| line.split(' ').next() == Some(name)), "{name}");
    }
    assert_eq!(listed.lines().count(), rules.as_array().unwrap().len());
}

#[test]
fn a_rule_is_explained_by_its_name() {
    Test::new(&["explain", "strict-eval"]).answers(
        0,
        "strict-eval (deny): bare eval or exec\n\nfinds: `eval` or `exec`, in the strict preset.\nwhy: What runs is not what \
         is written.\ninstead: Write the command itself.\n\nIt finds:\n  eval ls\n  exec bash\n  eval \"$x\"\n\nIt does not \
         find:\n  ls\n  echo eval\n  docker exec web ls\n",
    );
}

#[test]
fn an_unknown_rule_suggests_its_neighbours() {
    Test::new(&["explain", "strict-evil"]).fails(
        "herm: there is no rule `strict-evil`; did you mean `strict-eval`, `strict-login` or `strict-power`?\n",
    );
    Test::new(&["explain", "x"]).fails("herm: there is no rule `x`; `herm rules` lists them\n");
}

#[test]
fn the_schema_is_json() {
    let schema: serde_json::Value = serde_json::from_str(&Test::new(&["config", "schema"]).stdout()).unwrap();
    assert_eq!(schema["properties"]["approvals"]["properties"]["timeout"]["type"], "integer");
}

#[test]
fn completions_and_the_manual_page_are_printed() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        assert!(Test::new(&["completions", shell]).stdout().contains("herm"), "{shell}");
    }
    assert!(Test::new(&["man"]).stdout().contains(".SH SYNOPSIS"));
}
