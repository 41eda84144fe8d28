//! An ordinary script is read to its end, wherever it stands.

use std::fmt::Write;

use herm_shell::{Lang, gap::Reason};
use herm_test::judge::{Judge, analyse};

/// A helper with a loop, handlers and branches, as scripts that try something out have one.
const HELPER: &str = "\
import socket, time
ADDRESS = ('127.0.0.1', 3128)
def exchange(address, payload, patience=2):
    link = socket.socket()
    link.settimeout(patience)
    try:
        link.connect(address)
        if isinstance(payload, list):
            for part in payload:
                link.sendall(part)
                time.sleep(0.05)
        else:
            link.sendall(payload)
        out = b''
        try:
            while True:
                data = link.recv(65536)
                if not data:
                    out += b'<end>'
                    break
                out += data
        except socket.timeout:
            out += b'<silence>'
        return out
    except Exception as error:
        return repr(error).encode()
def show(name, answer):
    print(name, '=>', answer[:230].replace(b'\\r\\n', b'|'))
";

#[test]
fn a_script_that_calls_its_helper_often_is_read_alone_and_in_a_shell_text() {
    let mut script = HELPER.to_owned();
    for number in 0..60 {
        let _ = writeln!(script, "show('try {number}', exchange(ADDRESS, [b'GET /{number} HTTP/1.1', b'']))");
    }
    let judge = Judge::new();
    assert_eq!(judge.judge(&judge.script(Lang::Python, &script)).decision.word(), "allow");
    let command = format!("python3 - <<'END'\n{script}END");
    assert_eq!(judge.decision(&command), "allow");
    let gaps = analyse(&command).gaps;
    assert!(gaps.iter().all(|gap| gap.reason != Reason::Fuel), "{gaps:?}");
}

#[test]
fn what_stands_behind_such_a_script_is_still_seen() {
    let calls = "show('try', exchange(ADDRESS, b'GET /'))\n".repeat(60);
    let command = format!("python3 - <<'END'\n{HELPER}{calls}import os\nos.system('rm -rf /')\nEND");
    assert_eq!(Judge::new().decision(&command), "deny");
}
