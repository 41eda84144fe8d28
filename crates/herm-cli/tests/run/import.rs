//! `herm import hermes`: what comes over, as what, and what does not.

use std::fs;

use herm_cli::parity::{Answer, TABLES};
use herm_runtime::import::{Narrow, narrow};
use serde_json::Value;

use crate::place::{Place, Ran};

const HERMES: &str = "\
model: x
approvals:
  mode: smart
  timeout: 90.0
  cron_mode: approve
  deny:
  - 'git push --force*'
  - 'docker:*'
  - 7
  -
command_allowlist:
- recursive delete
- git force push (rewrites remote history)
- npm test
- git *
- rm
- ./deploy.sh
- make build && make test
- format filesystem
- script execution via -e/-c flag
- xargs with rm
- tirith:shortened_url
- execute_code
- '\\brm\\s+-[^\\s]*r'
terminal:
  backend: docker
  timeout: 120
  env_passthrough: [TENOR_KEY, OPENAI_API_KEY]
security:
  redact_secrets: no
  tirith_enabled: yes
  website_blocklist:
    enabled: true
    domains: [blocked.example, 'a b']
    shared_files: [sites.txt, /srv/sites.txt]
hooks:
  pre_tool_call:
  - command: /usr/bin/true
";

const OWN: &str = "# mine\ncommand_allowlist:\n  - npm test # often\napprovals: {deny: [halt]} # never\n";

fn with(hermes: &str, own: &str) -> Place {
    let place = Place::new();
    fs::create_dir_all(place.home().join(".hermes")).unwrap();
    fs::write(place.home().join(".hermes/config.yaml"), hermes).unwrap();
    place.config(own);
    place
}

fn config(place: &Place) -> String {
    fs::read_to_string(place.guard().join("config.yaml")).unwrap()
}

fn fates(ran: &Ran) -> Vec<String> {
    let told = ran.json();
    let line =
        |line: &Value| format!("{} {}", line["fate"].as_str().unwrap(), line["written"].as_str().unwrap());
    told["lines"].as_array().unwrap().iter().map(line).collect()
}

#[test]
fn what_becomes_of_everything_is_told() {
    let place = with(HERMES, OWN);
    let ran = place.run(&["import", "hermes", "--dry-run", "--json"]);
    assert_eq!(ran.code, Some(1), "something is left");
    assert_eq!(
        fates(&ran),
        [
            "taken git push --force*",
            "left docker:*",
            "taken 7",
            "left Null",
            "translated recursive delete",
            "translated git force push (rewrites remote history)",
            "already npm test",
            "wider git *",
            "wider rm",
            "wider ./deploy.sh",
            "left make build && make test",
            "left format filesystem",
            "left script execution via -e/-c flag",
            "wider xargs with rm",
            "left tirith:shortened_url",
            "left execute_code",
            "left \\brm\\s+-[^\\s]*r",
            "wider smart",
            "translated 90.0",
            "wider no",
            "translated yes",
            "taken true",
            "taken 120",
            "taken blocked.example",
            "left a b",
            "translated sites.txt",
            "taken /srv/sites.txt",
            "taken TENOR_KEY",
            "left OPENAI_API_KEY",
            "left approve",
            "left …",
            "left docker",
        ]
    );
    assert_eq!(config(&place), OWN, "nothing is written");
    assert_eq!(ran.json()["written"], false);
}

#[test]
fn what_is_narrow_comes_over_and_every_other_byte_stays() {
    let place = with(HERMES, OWN);
    let ran = place.run(&["import", "hermes"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.stderr.contains("6 settings that would loosen more: left out"), "{ran:?}");
    let after = config(&place);
    assert!(after.starts_with("# mine\ncommand_allowlist:\n  - npm test # often\n"), "{after}");
    assert!(after.contains("  - 'rule:recursive-delete program:rm'\n"), "{after}");
    assert!(after.contains(" # never\n"), "{after}");
    let checked = place.run(&["config", "check"]);
    assert_eq!((checked.code, checked.stderr.as_str()), (Some(0), ""));
    let decision = |command: &str| place.run(&["check", command]).code;
    assert_eq!(decision("rm -rf build"), Some(0));
    assert_eq!(decision("find build -delete"), Some(2), "another program");
    assert_eq!(decision("rm -rf /"), Some(1));
    assert_eq!(decision("git push -f"), Some(0), "the same deed");
    assert_eq!(decision("git push --force origin x"), Some(1), "the deny rule came over");
    assert_eq!(decision("git reset --hard"), Some(2), "`git *` did not");
    assert_eq!(decision("halt"), Some(1), "the rule that was there");
    assert_eq!(place.run(&["url", "--no-dns", "https://blocked.example"]).code, Some(1));
    let again = place.run(&["import", "hermes", "--json"]);
    assert_eq!(again.json()["written"], false, "what is there is not taken again");
    assert_eq!(config(&place), after);
    let hermes = fs::read_to_string(place.home().join(".hermes/config.yaml")).unwrap();
    assert_eq!(hermes, HERMES, "nothing of Hermes is changed");
}

#[test]
fn what_is_wider_comes_over_if_somebody_says_so() {
    let place = with(HERMES, OWN);
    let ran = place.run(&["import", "hermes", "--yes"]);
    assert_eq!(ran.code, Some(1), "some things cannot come over at all: {ran:?}");
    let decision = |command: &str| place.run(&["check", command]).code;
    assert_eq!(decision("git reset --hard"), Some(0));
    assert_eq!(decision("rm -rf /"), Some(1));
    let place = with(HERMES, OWN);
    let asked = place.at_terminal(100, &[("loosens more?", r"y\r")], &["import", "hermes"]);
    assert!(asked.stdout.contains("wider          command_allowlist: git *"), "{asked:?}");
    assert!(config(&place).contains("- 'git *'"), "{asked:?}");
    let place = with(HERMES, OWN);
    let _ = place.at_terminal(100, &[("loosens more?", r"\r")], &["import", "hermes"]);
    assert!(!config(&place).contains("git *") && config(&place).contains("rule:force-push"));
}

/// To Hermes these are texts of commands that nobody runs; here they would open a rule.
#[test]
fn what_is_a_name_only_here_does_not_come_over_unseen() {
    let names = ["read credentials", "unknown-code", "rule:force-push", "effect:delete path:/**", "deploy"];
    let place = with(&format!("command_allowlist: ['{}']\n", names.join("', '")), "");
    let ran = place.run(&["import", "hermes", "--json"]);
    assert_eq!(fates(&ran), names.map(|name| format!("wider {name}")));
    assert_eq!(config(&place), "");
}

#[test]
fn what_is_all_narrow_needs_nobody() {
    let place = with("command_allowlist: [SQL DROP]\napprovals: {mode: manual}\n", "");
    let ran = place.run(&["import", "hermes"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{ran:?}");
    assert_eq!(config(&place), "command_allowlist:\n  - 'rule:sql-drop'\n");
}

#[test]
fn what_cannot_be_read_or_is_the_same_brings_nothing() {
    let place = with("a: [\n", OWN);
    let ran = place.run(&["import", "hermes"]);
    assert!(ran.code == Some(3) && config(&place) == OWN, "{ran:?}");
    let missing = place.run(&["import", "hermes", "--from", "/nowhere"]);
    assert!(
        missing.code == Some(3) && missing.stderr.contains("there is no `/nowhere/config.yaml`"),
        "{missing:?}"
    );
    let guard = place.guard().to_str().unwrap().to_owned();
    let same = place.run(&["import", "hermes", "--from", &guard]);
    assert!(same.code == Some(3) && same.stderr.contains("is herm's own configuration already"), "{same:?}");
}

#[test]
fn what_herm_runs_takes_nothing_over() {
    let place = with(HERMES, OWN);
    let script = format!("{} import hermes --yes", place.binary().display());
    let _ = place.at_terminal(100, &[("Choice", r"o\r")], &["run", &script]);
    assert_eq!(config(&place), OWN);
}

#[test]
fn what_drives_a_terminal_is_written_out() {
    let place = with("command_allowlist: [\"a\\e[2J b\\u202e\"]\n", "");
    let ran = place.run(&["import", "hermes", "--dry-run"]);
    assert!(!ran.stdout.contains(['\u{1b}', '\u{202e}']), "{ran:?}");
    assert!(ran.stdout.contains("\\u{1b}[2J"), "{ran:?}");
}

/// Each description covers the command that Hermes would ask about by that name, and not what lies beside it.
#[test]
fn narrow_entries_cover_what_they_stand_for() {
    let table = TABLES.iter().find(|table| table.title == "Dangerous patterns").unwrap();
    let (mut seen, mut wrong) = (0, Vec::new());
    for row in table.rows {
        let known = narrow(row.name).unwrap_or_else(|| panic!("{}", row.name));
        let Narrow::Entries(entries) = known else { continue };
        seen += 1;
        let place = Place::new();
        let list: Vec<_> = entries.iter().map(|entry| format!("'{entry}'")).collect();
        place.config(&format!("command_allowlist: [{}]\n", list.join(", ")));
        // Some commands do something else besides, which another description is for.
        let judged = place.run(&["check", "--no-files", "--json", row.example]).json();
        let Answer::Rules(rules) = row.answer else { continue };
        let is_asked = |finding: &&Value| {
            finding["stance"] == "ask" && rules.iter().any(|rule| finding["rule"] == *rule)
        };
        let asked = judged["findings"].as_array().unwrap().iter().filter(is_asked);
        wrong.extend(asked.map(|finding| format!("{}: {finding}", row.name)));
        let beside = place.run(&["check", "--no-files", &format!("{}; shred -u notes", row.example)]);
        assert_eq!(beside.code, Some(2), "{}: {beside:?}", row.name);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(seen > 30, "{seen}");
}

#[test]
fn what_can_be_read_in_two_ways_does_not_come_over_in_one() {
    for hermes in [
        "x: &x ['git push*']\napprovals:\n  deny: *x\n",
        "approvals:\n  <<: {deny: ['git push*']}\n",
        "approvals: {deny: [a]}\napprovals: {deny: ['git push*']}\n",
    ] {
        let place = with(hermes, "");
        let ran = place.run(&["import", "hermes"]);
        assert_eq!(ran.code, Some(3), "{hermes}: {ran:?}");
        assert_eq!(config(&place), "", "{hermes}");
    }
    for hermes in ["approvals:\n  deny: 'git push*'\n", "approvals:\n  deny: [\"git\\rpush\", halt]\n"] {
        let place = with(hermes, "");
        let ran = place.run(&["import", "hermes", "--json"]);
        assert_eq!(ran.code, Some(1), "something is left: {ran:?}");
        assert!(fates(&ran).iter().any(|fate| fate.starts_with("left ")), "{ran:?}");
    }
}

#[test]
fn a_whole_text_of_hermes_is_wider_here() {
    let place = with("command_allowlist: ['rm -rf build', 'rule:recursive-delete program:rm']\n", "");
    let ran = place.run(&["import", "hermes", "--json"]);
    assert_eq!(fates(&ran), ["wider rm -rf build", "wider rule:recursive-delete program:rm"]);
    assert_eq!(place.run(&["check", "cd ~ && rm -rf build"]).code, Some(2));
}
