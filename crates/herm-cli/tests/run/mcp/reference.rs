//! The reference servers and the reference client, with herm between them.
//!
//! `cargo xtask setup` installs what `xtask/references.toml` names; `HERM_REFERENCES`, which `cargo xtask test` sets, says where.

use std::fs;
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

use crate::place::{Place, Ran, eventually};

/// Where the reference implementations are.
pub(super) struct Shelf(PathBuf);

impl Shelf {
    #[expect(clippy::print_stdout, reason = "a test that is skipped says why")]
    pub(super) fn find() -> Option<Self> {
        let shelf = std::env::var("HERM_REFERENCES").ok();
        if shelf.is_none() {
            println!("skipped: `cargo xtask test` installs the reference implementations of MCP");
        }
        shelf.map(|place| Self(place.into()))
    }

    /// Where one of them is, whichever version that is.
    pub(super) fn place(&self, name: &str) -> PathBuf {
        let places = fs::read_dir(&self.0).unwrap().map(|entry| entry.unwrap().path());
        let is_it = |place: &PathBuf| {
            let own = place.file_name().and_then(|file| file.to_str()?.strip_prefix(name)?.strip_prefix('-'));
            own.is_some()
        };
        places.into_iter().find(is_it).unwrap()
    }

    pub(super) fn python(&self) -> String {
        self.place("python-2").join("venv/bin/python").to_str().unwrap().to_owned()
    }

    fn server(&self, name: &str) -> String {
        let program = self.place(name).join("node_modules/.bin").join(format!("mcp-server-{name}"));
        program.to_str().unwrap().to_owned()
    }

    /// What the reference client says came of these calls to a server behind herm.
    fn through(&self, place: &Place, mode: &str, calls: &Value, wrapped: &[&str]) -> Value {
        let home = place.home();
        let head = [
            "--",
            place.binary().to_str().unwrap(),
            "mcp",
            "wrap",
            "--name",
            "ref",
            "--home",
            home.to_str().unwrap(),
        ];
        self.ask(place, mode, calls, &[&head, wrapped].concat())
    }

    fn ask(&self, place: &Place, mode: &str, calls: &Value, where_to: &[&str]) -> Value {
        let mut command = place.command(&self.python());
        command.arg(script("reference.py")).args([mode, &calls.to_string()]).args(where_to);
        let ran = Ran::of(&mut command);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        ran.json()
    }
}

pub(super) fn script(name: &str) -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/run/mcp").join(name);
    file.to_str().unwrap().to_owned()
}

/// A place where these tools are not asked about, and this port may be connected to.
fn allowing(port: Option<u16>) -> Place {
    let place = Place::new();
    let endpoints =
        port.map(|port| format!("egress: {{endpoints: ['127.0.0.1:{port}']}}\n")).unwrap_or_default();
    place.config(&format!("mcp: {{servers: {{ref: {{allow: ['*']}}}}}}\n{endpoints}"));
    place
}

pub(super) fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// A process that ends with the test.
pub(super) struct Ends(Child);

impl Drop for Ends {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

pub(super) fn serve(command: &mut Command, port: u16) -> Ends {
    let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let child = Ends(child);
    eventually("the server listens", || TcpStream::connect(("127.0.0.1", port)).is_ok());
    child
}

#[test]
fn the_filesystem_server_keeps_what_it_has_and_touches_nothing_protected() {
    let Some(shelf) = Shelf::find() else { return };
    let place = allowing(None);
    let note = place.file("notes/a.txt", "hello\n");
    let calls = json!([
        ["read_text_file", {"path": note}],
        ["write_file", {"path": place.work("notes/b.txt"), "content": "new"}],
        ["write_file", {"path": place.home().join(".bashrc"), "content": "evil"}],
        ["read_multiple_files", {"paths": [note, place.home().join(".ssh/id_rsa")]}],
    ]);
    let served = shelf.server("filesystem");
    let told = shelf.through(
        &place,
        "auto",
        &calls,
        &["--", &served, place.home().parent().unwrap().to_str().unwrap()],
    );
    let failed: Vec<_> =
        told["results"].as_array().unwrap().iter().map(|one| one["failed"] == true).collect();
    assert_eq!(failed, [false, false, true, true], "{told}");
    assert_eq!(told["results"][0]["text"], "hello\n");
    assert_eq!(std::fs::read_to_string(place.work("notes/b.txt")).unwrap(), "new");
    assert!(told["results"][2]["text"].as_str().unwrap().contains("protected-write"), "{told}");
    assert!(!place.home().join(".bashrc").exists());
}

#[test]
fn the_server_for_everything_asks_and_reports_through_herm() {
    let Some(shelf) = Shelf::find() else { return };
    let place = allowing(None);
    place.config("mcp: {servers: {ref: {allow: ['*'], sampling: allow}}}\n");
    let calls = json!([
        ["echo", {"message": "hi"}],
        ["get-sum", {"a": 2, "b": 3}],
        ["trigger-long-running-operation", {"duration": 1, "steps": 2}],
        ["get-env", {}],
        ["trigger-sampling-request", {"prompt": "say something", "maxTokens": 10}],
    ]);
    let told = shelf.through(&place, "legacy", &calls, &["--", &shelf.server("everything")]);
    let text = |at: usize| told["results"][at]["text"].as_str().unwrap().to_owned();
    assert!(text(0).contains("hi") && text(1).contains('5') && text(2).contains("completed"), "{told}");
    let environ: Value = serde_json::from_str(&text(3)).unwrap();
    assert!(
        environ
            .as_object()
            .unwrap()
            .keys()
            .all(|name| ["HOME", "PATH", "TERM", "TMPDIR"].contains(&name.as_str())),
        "{environ}"
    );
    assert!(text(4).contains("sampled"), "{told}");
}

#[test]
fn both_eras_are_spoken_with_the_reference_server_and_client() {
    let Some(shelf) = Shelf::find() else { return };
    let calls = json!([["read_note", {"path": "a"}], ["read_note", {"path": "~/.ssh/id_rsa"}]]);
    for (mode, version) in [("legacy", "2025-11-25"), ("auto", "2026-07-28")] {
        let place = allowing(None);
        let told =
            shelf.through(&place, mode, &calls, &["--", &shelf.python(), &script("reference_server.py")]);
        assert_eq!(told["version"], version, "{told}");
        assert_eq!(told["results"][0]["text"], "the note a says token=[REDACTED]");
        assert!(told["results"][1]["text"].as_str().unwrap().contains("credential-read"), "{told}");
    }
}

#[test]
fn the_reference_client_asks_its_person_in_both_eras() {
    let Some(shelf) = Shelf::find() else { return };
    for mode in ["legacy", "auto"] {
        let place = Place::new();
        let served =
            ["--ask", "client", "--", &shelf.python(), &script("reference_server.py")].map(str::to_owned);
        let served: Vec<_> = served.iter().map(String::as_str).collect();
        let told = shelf.through(&place, mode, &json!([["environ", {}]]), &served);
        assert_eq!(told["results"][0]["failed"], false, "{mode}: {told}");
        assert!(told["asked"][0].as_str().unwrap().contains("ref/environ"), "{mode}: {told}");
    }
}

#[test]
fn servers_in_http_are_spoken_to_in_both_eras() {
    let Some(shelf) = Shelf::find() else { return };
    let port = free_port();
    let place = allowing(Some(port));
    let url = format!("http://127.0.0.1:{port}/mcp");
    let mut command = place.command(&shelf.python());
    let server = serve(command.arg(script("reference_server.py")).arg(port.to_string()), port);
    for (mode, version) in [("legacy", "2025-11-25"), ("auto", "2026-07-28")] {
        let told = shelf.through(&place, mode, &json!([["read_note", {"path": "a"}]]), &["--url", &url]);
        assert_eq!(
            (&told["version"], &told["results"][0]["text"]),
            (&json!(version), &json!("the note a says token=[REDACTED]"))
        );
    }
    drop(server);
    let port = free_port();
    let place = allowing(Some(port));
    let url = format!("http://127.0.0.1:{port}/mcp");
    let mut command = place.command(&shelf.server("everything"));
    let _server = serve(command.arg("streamableHttp").env("PORT", port.to_string()), port);
    let calls =
        json!([["echo", {"message": "hi"}], ["trigger-long-running-operation", {"duration": 1, "steps": 2}]]);
    let told = shelf.through(&place, "auto", &calls, &["--url", &url]);
    assert!(told["results"][0]["text"].as_str().unwrap().contains("hi"), "{told}");
    assert!(told["results"][1]["text"].as_str().unwrap().contains("completed"), "{told}");
}

#[test]
fn clients_in_http_are_let_in_with_the_token() {
    let Some(shelf) = Shelf::find() else { return };
    for (mode, version) in [("legacy", "2025-11-25"), ("auto", "2026-07-28")] {
        let place = allowing(None);
        let port = free_port();
        let home = place.home();
        let (python, server) = (shelf.python(), script("reference_server.py"));
        let address = format!("127.0.0.1:{port}");
        let words = [
            "mcp",
            "wrap",
            "--name",
            "ref",
            "--home",
            home.to_str().unwrap(),
            "--listen",
            &address,
            "--",
            &python,
            &server,
        ];
        let _herm = serve(&mut place.herm(&words), port);
        let tokens =
            std::fs::read_dir(place.guard().join("mcp")).unwrap().flatten().map(|entry| entry.path());
        let token =
            tokens.into_iter().find(|path| path.extension().is_some_and(|end| end == "token")).unwrap();
        let token = std::fs::read_to_string(token).unwrap();
        let url = format!("http://{address}/mcp");
        let told = shelf.ask(&place, mode, &json!([["read_note", {"path": "a"}]]), &[&url, &token]);
        assert_eq!(told["version"], version, "{told}");
        assert_eq!(told["results"][0]["text"], "the note a says token=[REDACTED]");
    }
}
