//! `herm mcp serve` with the reference implementations of clients.
//!
//! `cargo xtask setup` installs them, as `xtask/references.toml` says; `HERM_REFERENCES`, which `cargo xtask test` sets, says where.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use toml::Table;

use crate::place::{Place, Ran};

/// A client, if it is there.
struct Client {
    shelf: PathBuf,
    program: PathBuf,
    driver: PathBuf,
}

impl Client {
    #[expect(clippy::print_stdout, reason = "a test that is skipped says why")]
    fn find(name: &str) -> Option<Self> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let list: Table =
            fs::read_to_string(root.join("../../xtask/references.toml")).unwrap().parse().unwrap();
        let clients = list["package"].as_array().unwrap().iter();
        let client = clients
            .map(|one| one.as_table().unwrap())
            .find(|one| one["name"].as_str() == Some(name))
            .unwrap();
        let word = |key: &str| client[key].as_str().unwrap();
        let shelf =
            Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("../references/{name}-{}", word("version")));
        if fs::read_to_string(shelf.join("ready")).is_ok_and(|hash| hash == word("hash")) {
            let shelf = fs::canonicalize(shelf).unwrap();
            let program =
                if word("from") == "pip" { shelf.join("venv/bin/python") } else { PathBuf::from("node") };
            return Some(Self {
                program,
                driver: root.join("tests/run/clients").join(word("driver")),
                shelf,
            });
        }
        assert!(
            std::env::var_os("HERM_REFERENCES").is_none(),
            "`cargo xtask setup` has not installed {name}"
        );
        println!("skipped: {name} is not installed");
        None
    }

    /// What comes of a scenario.
    fn play(&self, place: &Place, mode: &str, steps: &[Value]) -> Value {
        let home = place.home().to_str().unwrap().to_owned();
        let scenario = json!({
            "command": [place.binary(), "mcp", "serve", "--home", home, "--backend", "local"], "cwd": place.work(""),
            "env": {"HOME": home, "PATH": std::env::var("PATH").unwrap()}, "mode": mode, "steps": steps,
        });
        let file = place.home().join("scenario.json");
        fs::write(&file, scenario.to_string()).unwrap();
        let mut command = place.command("setsid");
        command.arg("--wait").arg(&self.program).arg(&self.driver).arg(file).arg(&self.shelf);
        let ran = Ran::of(&mut command);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        ran.json()
    }
}

/// Every tool once, every kind of answer, with what must come of it.
fn works(name: &str, mode: &str, version: Option<&str>) {
    let Some(client) = Client::find(name) else { return };
    let place = Place::new();
    place.file("build/x", "");
    place.file("keep/x", "");
    fs::create_dir_all(place.home().join(".ssh")).unwrap();
    fs::write(place.home().join(".ssh/id_rsa"), "key\n").unwrap();
    let accept = json!([{"action": "accept", "content": {"answer": "once"}}]);
    let decline = json!([{"action": "decline"}]);
    let patch = "*** Begin Patch\n*** Update File: a.txt\n@@\n-one\n+two\n*** End Patch\n";
    let steps = [
        json!({"tool": "terminal", "arguments": {"command": "mkdir -p sub; cd sub; x=1"}}),
        json!({"tool": "terminal", "arguments": {"command": "basename \"$PWD\"; echo $x"}}),
        json!({"tool": "execute_code", "arguments": {"code": "print(6 * 7)"}}),
        json!({"tool": "write_file", "arguments": {"path": "a.txt", "content": "one\n"}}),
        json!({"tool": "patch", "arguments": {"patch": patch}}),
        json!({"tool": "read_file", "arguments": {"path": "a.txt"}}),
        json!({"tool": "terminal", "arguments": {"command": "rm -rf build", "cwd": "."}, "answers": accept}),
        json!({"tool": "terminal", "arguments": {"command": "rm -rf keep", "cwd": "."}, "answers": decline}),
        json!({"tool": "read_file", "arguments": {"path": "~/.ssh/id_rsa"}, "answers": [{"action": "cancel"}]}),
        json!({"tool": "fetch", "arguments": {"url": "http://169.254.169.254/"}}),
        json!({"tool": "approve", "arguments": {"tool_name": "Bash", "input": {"command": "ls"}, "tool_use_id": "t"}}),
        json!({"tool": "terminal", "arguments": {"cmd": "ls"}}),
    ];
    let told = client.play(&place, mode, &steps);
    assert!(version.is_none_or(|version| told["version"] == version), "{told}");
    assert_eq!(told["tools"].as_array().unwrap().len(), 7, "{told}");
    let step = |at: usize| {
        let step = &told["steps"][at];
        (step["text"].as_str().unwrap_or_else(|| panic!("{told}")), step["isError"].as_bool().unwrap())
    };
    let asked = |at: usize| told["steps"][at]["asked"].as_array().unwrap().len();
    assert_eq!(step(1), ("sub\n1", false));
    assert_eq!(step(2), ("42", false));
    assert_eq!(step(5), ("two\n", false));
    assert_eq!(told["steps"][5]["data"]["total_lines"], 1);
    assert_eq!((asked(6), step(6).1, place.work("build").exists()), (1, false, false), "{told}");
    assert_eq!((asked(7), step(7).1, place.work("keep/x").exists()), (1, true, true), "{told}");
    assert!(step(7).0.contains("the user denied this command"), "{told}");
    assert!(asked(8) == 1 && step(8).1 && !step(8).0.contains("key\n"), "{told}");
    assert!(step(9).1 && step(9).0.contains("metadata-service"), "{told}");
    assert_eq!(step(10), ("{\"behavior\":\"allow\",\"updatedInput\":{\"command\":\"ls\"}}", false));
    assert!(step(11).1 && step(11).0.contains("there is no `cmd`"), "{told}");
}

#[test]
fn the_first_python_client_is_served() {
    works("python-1", "legacy", Some("2025-11-25"));
}

#[test]
fn the_second_python_client_is_served_in_both_ages() {
    works("python-2", "legacy", Some("2025-11-25"));
    works("python-2", "auto", Some("2026-07-28"));
}

#[test]
fn the_first_node_client_is_served() {
    works("node-1", "legacy", None);
}

#[test]
fn the_second_node_client_is_served_in_both_ages() {
    works("node-2", "legacy", None);
    works("node-2", "auto", Some("2026-07-28"));
}
