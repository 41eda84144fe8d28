//! The way out of the sandbox, in a network that the test has made: it has a public address and a name for it.

use std::fs;

use crate::place::{Place, Ran};

/// Runs a script with herm as `$herm`, where `www.example.com` is a web server with a public address, and nothing else is
/// reached. `None` where no network can be made.
#[expect(clippy::print_stdout, reason = "a test that is skipped says why")]
fn in_a_network(place: &Place, script: &str) -> Option<Ran> {
    let permitted = Ran::of(place.command("unshare").args(["-mn", "ip", "link", "set", "lo", "up"]));
    if permitted.code != Some(0) {
        println!("skipped: no network can be made here");
        return None;
    }
    let hosts = place.home().join("hosts");
    fs::write(&hosts, "127.0.0.1 localhost\n93.184.216.34 www.example.com\n").unwrap();
    let setup = "ip link set lo up && ip addr add 93.184.216.34/32 dev lo && mount --bind ~/hosts /etc/hosts\n\
                 (cd ~ && exec python3 -m http.server --bind 93.184.216.34 80 >/dev/null 2>&1) & server=$!\n\
                 for i in $(seq 100); do (exec 3<>/dev/tcp/93.184.216.34/80) 2>/dev/null && break; sleep 0.05; done\n\
                 cd \"$WORK\"\n";
    let script = format!("{setup}{script}\nkill $server\n");
    let mut command = place.command("setsid");
    command
        .args(["--wait", "unshare", "-mn", "bash", "-c", &script])
        .env("herm", env!("CARGO_BIN_EXE_herm"))
        .env("WORK", place.work(""));
    Some(Ran::of(&mut command))
}

/// A page that the server has, and a script that the judge cannot know to fetch it.
fn prepare(place: &Place) {
    fs::write(place.home().join("page"), "the page\n").unwrap();
    place.file(
        "fetch.py",
        "import sys, urllib.request\nprint(urllib.request.urlopen(sys.argv[1]).read().decode())\n",
    );
}

#[test]
fn a_host_that_the_command_names_is_reached() {
    let place = Place::new();
    prepare(&place);
    let script = "$herm run --backend sandbox 'curl -sS -m 9 http://www.example.com/page'\n\
                  $herm run --backend sandbox 'curl -sS -m 9 --noproxy \"*\" http://www.example.com/page'";
    let Some(ran) = in_a_network(&place, script) else { return };
    assert_eq!(ran.stdout, "the page\nthe page\n", "{ran:?}");
}

#[test]
fn another_host_is_refused_where_nobody_is_asked() {
    let place = Place::new();
    prepare(&place);
    place.file("where", "http://www.example.com/page");
    let script = "$herm run --yolo --backend sandbox 'python3 fetch.py \"$(cat where)\"'";
    let Some(ran) = in_a_network(&place, script) else { return };
    assert!(!ran.stdout.contains("the page") && ran.stderr.contains("403"), "{ran:?}");
    let said = ran.stderr.contains("no connection to `www.example.com:80`: ");
    assert!(said, "the program itself says little: {ran:?}");
}

#[test]
fn a_list_of_the_persons_holds_for_all() {
    let place = Place::new();
    prepare(&place);
    place.config("egress:\n  allowed_domains: [www.example.net]\n");
    let script = "$herm run --yolo --backend sandbox 'curl -sS -m 9 http://www.example.com/page'";
    let Some(ran) = in_a_network(&place, script) else { return };
    assert!(!ran.stdout.contains("the page"), "{ran:?}");
    place.config("egress:\n  allowed_domains: [www.example.com]\n");
    let script = "$herm run --backend sandbox 'python3 fetch.py http://www.example.com/page'\n$herm audit export --format jsonl";
    let Some(ran) = in_a_network(&place, script) else { return };
    assert!(ran.stdout.starts_with("the page\n"), "{ran:?}");
    assert!(ran.stdout.contains("\"www.example.com:80\"") && ran.stdout.contains("93.184.216.34"), "{ran:?}");
}

#[test]
fn the_machines_own_services_stay_out_of_reach() {
    let place = Place::new();
    prepare(&place);
    let script = "(cd ~ && exec python3 -m http.server --bind 127.0.0.1 8123 >/dev/null 2>&1) & own=$!\n\
                  for i in $(seq 100); do (exec 3<>/dev/tcp/127.0.0.1/8123) 2>/dev/null && break; sleep 0.05; done\n\
                  $herm run --yolo --backend sandbox 'curl -sS -m 9 http://127.0.0.1:8123/page; curl -sS -m 9 --proxy http://127.0.0.1:3128 --noproxy \"\" http://localhost:8123/page'\n\
                  kill $own";
    let Some(ran) = in_a_network(&place, script) else { return };
    assert!(!ran.stdout.contains("the page"), "{ran:?}");
}

/// herm at a terminal, in a script: each step waits for a text and types an answer.
fn at_terminal(steps: &[(&str, &str)], arguments: &str) -> String {
    let driver = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/run/terminal.py");
    let steps: Vec<_> = steps.iter().map(|(text, keys)| format!("'{text}' '{keys}'")).collect();
    format!("python3 {driver} 24 100 {} -- $herm {arguments}", steps.join(" "))
}

/// Fetches a page of each host that a file names, two at a time.
const BOTH: &str = "import sys, threading, urllib.request\n\
                    def fetch(url):\n    try: print(urllib.request.urlopen(url).read().decode(), end='')\n    except OSError as e: print('refused', e)\n\
                    ts = [threading.Thread(target=fetch, args=(open('where').read(),)) for _ in range(2)]\n\
                    [t.start() for t in ts]; [t.join() for t in ts]\n\
                    print('typed:', repr(sys.stdin.readline()))\n";

#[test]
fn an_unknown_host_is_asked_about_at_the_terminal_of_the_run_once() {
    let place = Place::new();
    prepare(&place);
    place.file("where", "http://www.example.com/page");
    place.file("both.py", BOTH);
    place.config("egress:\n  allowed_domains: [www.example.net]\n");
    // The answer goes to herm; what is typed after it to the command.
    let steps = [("Choice", "o\\r"), ("the page", "mine\\r")];
    let script = at_terminal(&steps, "run --backend sandbox 'python3 both.py'");
    let Some(ran) = in_a_network(&place, &script) else { return };
    assert_eq!(ran.stdout.matches("connect to www.example.com:80").count(), 1, "{ran:?}");
    assert_eq!(ran.stdout.matches("the page").count(), 2, "{ran:?}");
    assert!(ran.stdout.contains("typed: 'mine\\n'"), "{ran:?}");
    // However the command has left the terminal, the question can be seen.
    let (before, _) = ran.stdout.split_once("DANGEROUS").unwrap_or_else(|| panic!("{ran:?}"));
    assert!(before.contains("\x18\x1b\\\x1b[!p\x1b[0m"), "{ran:?}");
}

#[test]
fn what_is_typed_to_a_command_does_not_answer_what_comes_up_meanwhile() {
    let place = Place::new();
    prepare(&place);
    place.config("egress:\n  allowed_domains: [www.example.net]\n");
    let steps = [
        ("eny", "ls\\r"),
        ("Choice", "ls\\r"),
        ("Choice", "java\\r"),
        ("Choice", "\\x1b[B\\r"),
        ("Choice", "d\\r"),
    ];
    let script = at_terminal(
        &steps,
        "run --backend sandbox 'python3 fetch.py \"$(printf http://www.example.com/page)\"'",
    );
    let Some(ran) = in_a_network(&place, &script) else { return };
    assert!(ran.stdout.contains("connect to www.example.com:80"), "{ran:?}");
    assert!(ran.stdout.contains("✗ Denied") && !ran.stdout.contains('✓'), "{ran:?}");
    assert!(!ran.stdout.contains("the page"), "{ran:?}");
}

#[test]
fn who_has_closed_its_streams_is_asked_about_all_the_same() {
    let place = Place::new();
    prepare(&place);
    place.config("egress:\n  allowed_domains: [www.example.net]\n");
    let script = at_terminal(
        &[("Choice", "o\\r")],
        "run --backend sandbox --captured 'exec >&- 2>&-; python3 fetch.py http://www.example.com/page >got'",
    );
    let Some(ran) = in_a_network(&place, &script) else { return };
    assert!(ran.stdout.contains("Allowed once"), "{ran:?}");
    assert_eq!(fs::read_to_string(place.work("got")).unwrap().trim(), "the page", "{ran:?}");
}

#[test]
fn who_was_refused_and_tries_again_is_not_asked_about_again() {
    let place = Place::new();
    prepare(&place);
    place.file("where", "http://www.example.com/page");
    place.file(
        "retry.py",
        "import urllib.request\nfor _ in range(3):\n    try: print(urllib.request.urlopen(open('where').read()).read())\n    except OSError as e: print('refused')\n",
    );
    place.config("egress:\n  allowed_domains: [www.example.net]\n");
    let script = at_terminal(&[("Choice", "d\\r")], "run --backend sandbox 'python3 retry.py'");
    let Some(ran) = in_a_network(&place, &script) else { return };
    assert_eq!(ran.stdout.matches("connect to www.example.com:80").count(), 1, "{ran:?}");
    assert!(ran.stdout.matches("refused").count() >= 3 && !ran.stdout.contains("the page"), "{ran:?}");
}

#[test]
fn what_is_answered_at_the_terminal_holds_as_long_as_it_was_said() {
    let place = Place::new();
    prepare(&place);
    place.file("where", "http://www.example.com/page");
    place.config("egress:\n  allowed_domains: [www.example.net]\n");
    let run = "run --session one --backend sandbox 'python3 fetch.py \"$(cat where)\"'";
    let fetch =
        "run --session one --backend sandbox --captured 'python3 fetch.py http://www.example.com/page'";
    // Refused, and not asked about again in this session.
    let script = format!("{}\n{}", at_terminal(&[("Choice", "d\\r")], fetch), at_terminal(&[], fetch));
    let Some(ran) = in_a_network(&place, &script) else { return };
    assert_eq!(ran.stdout.matches("Choice [").count(), 1, "{ran:?}");
    assert!(!ran.stdout.contains("the page"), "{ran:?}");
    let other = run.replace("one", "two").replace("\"$(cat where)\"", "http://www.example.com/page");
    // Allowed for the session, and not asked about again in it.
    let script = format!("{}\n{}", at_terminal(&[("Choice", "s\\r")], &other), at_terminal(&[], &other));
    let Some(ran) = in_a_network(&place, &script) else { return };
    assert_eq!(ran.stdout.matches("the page").count(), 2, "{ran:?}");
    let other = other.replace("two", "three");
    let again = other.replace("three", "four");
    // For ever: another session is not asked either.
    let script = format!("{}\n{}", at_terminal(&[("Choice", "a\\r")], &other), at_terminal(&[], &again));
    let Some(ran) = in_a_network(&place, &script) else { return };
    assert_eq!(ran.stdout.matches("the page").count(), 2, "{ran:?}");
}

#[test]
fn a_command_that_reads_from_the_terminal_cannot_answer() {
    let place = Place::new();
    prepare(&place);
    place.config("egress:\n  allowed_domains: [www.example.net]\n");
    let script = at_terminal(
        &[("", "o\\ro\\ro\\r")],
        "run --stdin --captured --backend sandbox 'python3 fetch.py http://www.example.com/page'",
    );
    let Some(ran) = in_a_network(&place, &script) else { return };
    assert!(!ran.stdout.contains("the page") && ran.stdout.contains("403"), "{ran:?}");
}

/// A shell that is spoken to from a script, a line for each call.
fn spoken(calls: &[&str]) -> String {
    let lines: Vec<_> = calls.iter().map(|call| serde_json::json!({ "command": call }).to_string()).collect();
    format!("$herm shell --json --yolo --backend sandbox <<'CALLS'\n{}\nCALLS", lines.join("\n"))
}

fn answers(ran: &Ran) -> Vec<serde_json::Value> {
    ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|_| panic!("{ran:?}"))).collect()
}

/// Goes on fetching a page until it is gone, and says each time whether it came.
const AGAIN: &str = "import time, urllib.request\n\
                     while True:\n    \
                     try: said = urllib.request.urlopen('http://www.example.com/page', timeout=3).read().decode().strip()\n    \
                     except OSError as e: said = 'refused'\n    \
                     open('said', 'a').write(said + chr(10))\n    \
                     time.sleep(0.05)\n";

#[test]
fn a_call_of_a_shell_reaches_what_it_names_and_a_later_one_does_not() {
    let place = Place::new();
    prepare(&place);
    place.file("again.py", AGAIN);
    place.file("hold.py", "import socket, time\ns = socket.create_connection(('www.example.com', 80))\nopen('held', 'w').write('yes')\ntry: said = s.recv(9)\nexcept OSError: said = b'cut'\nopen('held', 'w').write(repr(said))\ntime.sleep(60)\n");
    let script = spoken(&[
        "curl -sS -m 9 http://www.example.com/page",
        "python3 again.py & python3 hold.py & until grep -q yes held; do sleep 0.05; done; until grep -q page said; do sleep 0.05; done; echo http://www.example.com/page; curl -sS -m 9 http://www.example.com/page",
        "rm said; until [ -s said ]; do sleep 0.05; done; sleep 0.5; sort -u said; cat held",
        "curl -sS -m 9 \"$(cat where)\"",
        "curl -sS -m 9 http://www.example.com/page",
    ]);
    place.file("where", "http://www.example.com/page");
    let Some(ran) = in_a_network(&place, &script) else { return };
    let answers = answers(&ran);
    let said = |at: usize| answers[at]["stdout"].as_str().unwrap_or_else(|| panic!("{ran:?}"));
    assert_eq!(said(0), "the page\n", "{ran:?}");
    assert!(said(1).ends_with("the page\n"), "{ran:?}");
    assert!(said(2).starts_with("refused\n") && !said(2).contains("page"), "{ran:?}");
    assert!(!said(2).contains("yes"), "a connection was not cut: {ran:?}");
    assert!(!said(3).contains("the page"), "{ran:?}");
    assert_eq!(said(4), "the page\n", "{ran:?}");
}

#[test]
fn connections_are_recorded_with_the_call_that_they_were_made_in() {
    let place = Place::new();
    prepare(&place);
    let script = spoken(&[
        "curl -sS -m 9 http://www.example.com/page",
        "true",
        "curl -sS -m 9 http://www.example.org/page",
    ]);
    let Some(ran) = in_a_network(&place, &script) else { return };
    let outcomes: Vec<_> = place.ledger().into_iter().filter(|record| record["kind"] == "outcome").collect();
    let to = |at: usize| outcomes[at]["body"]["connections"].to_string();
    assert_eq!(outcomes.len(), 3, "{ran:?}");
    assert!(to(0).contains("www.example.com:80") && to(0).contains("passed"), "{}", to(0));
    assert!(!to(1).contains("www.example"), "{}", to(1));
    assert!(to(2).contains("www.example.org:80") && to(2).contains("unresolved-host"), "{}", to(2));
}

/// Asks for a name in every way that programs do, and says what came.
const NAMES: &str = "import socket, struct\n\
                     def question(kind):\n    \
                     name = b''.join(bytes([len(l)]) + l for l in (b'www', b'example', b'com')) + bytes(1)\n    \
                     return struct.pack('>6H', 7, 0x100, 1, 0, 0, 0) + name + struct.pack('>2H', kind, 1)\n\
                     def over(kind, where):\n    \
                     s = socket.socket(socket.AF_INET, kind); s.settimeout(9); s.connect(where); return s\n\
                     def tcp(bytes, where):\n    \
                     s = over(socket.SOCK_STREAM, where); s.sendall(struct.pack('>H', len(bytes)) + bytes); return s.recv(512)[2:]\n\
                     def udp(bytes, where):\n    \
                     s = over(socket.SOCK_DGRAM, where); s.send(bytes); return s.recv(512)\n\
                     for ask in (udp, tcp):\n    \
                     for where in (('8.8.8.8', 53), ('127.0.0.53', 53)):\n        \
                     for kind in (1, 28, 33): a = ask(question(kind), where); print(ask.__name__, kind, a[3] & 15, a[7], socket.inet_ntoa(a[-4:]) if a[7] else '')\n\
                     print(sorted({a[4][0] for a in socket.getaddrinfo('www.example.com', 80)}))\n\
                     try: socket.getaddrinfo('www.example.com', 80, socket.AF_INET6); print('six')\n\
                     except OSError as e: print('no six')\n\
                     try: socket.create_connection(('2606:2800:220:1::34', 80)); print('out')\n\
                     except OSError as e: print(e.strerror)\n";

#[test]
fn names_are_answered_inside_however_they_are_asked_for() {
    let place = Place::new();
    prepare(&place);
    place.file("names.py", NAMES);
    let Some(ran) = in_a_network(&place, "$herm run --yolo --backend sandbox 'python3 names.py'") else {
        return;
    };
    let once = |ask: &str| format!("{ask} 1 0 1 198.18.0.1\n{ask} 28 0 0 \n{ask} 33 0 0 \n");
    let expected = format!(
        "{}{}['198.18.0.1']\nno six\nNetwork is unreachable\n",
        once("udp").repeat(2),
        once("tcp").repeat(2)
    );
    assert_eq!(ran.stdout, expected, "{ran:?}");
}

#[test]
fn a_page_is_fetched_and_every_place_that_it_leads_to_is_judged() {
    let place = Place::new();
    fs::write(place.home().join("page"), "the page\x1b[2J token=ghp_R7q2Xz9LmK4vT1bN8wYc3JdF6hGsPa5EuQ0o\n")
        .unwrap();
    let script = "$herm fetch http://www.example.com/page; echo \"code $?\"\n\
                  $herm fetch --json --max-bytes 3 http://www.example.com/page; echo \"code $?\"\n\
                  $herm fetch http://www.example.com/none >/dev/null; echo \"code $?\"\n\
                  for link in http://127.0.0.1/ file:///etc/passwd http://www.example.org/ data:,x; do $herm fetch $link; echo \"code $?\"; done";
    let Some(ran) = in_a_network(&place, script) else { return };
    assert!(ran.stdout.starts_with("the page"), "{ran:?}");
    assert!(!ran.stdout.contains("ghp_R7q2") && !ran.stdout.contains('\x1b'), "{ran:?}");
    assert!(
        ran.stdout.contains("\"content\":\"the\"") && ran.stdout.contains("\"truncated\":true"),
        "{ran:?}"
    );
    let codes: Vec<_> = ran.stdout.lines().filter_map(|line| line.strip_prefix("code ")).collect();
    assert_eq!(codes, ["0", "0", "22", "126", "126", "126", "126"], "{ran:?}");
    let ledger = place.ledger();
    let fetched = &ledger[1]["body"];
    assert_eq!((&ledger[0]["kind"], &ledger[1]["kind"]), (&"intent".into(), &"outcome".into()), "{ledger:?}");
    assert_eq!(fetched["fetch"]["status"], 200, "{ledger:?}");
    assert_eq!(fetched["connections"][0]["address"], "93.184.216.34", "{ledger:?}");
}

#[test]
fn a_page_of_an_unknown_host_is_asked_about_once() {
    let place = Place::new();
    prepare(&place);
    place.config("egress:\n  allowed_domains: [www.example.net]\n");
    let script = format!(
        "{}\n$herm fetch http://www.example.com/page; echo \"code $?\"",
        at_terminal(&[("Choice", "o\\r")], "fetch http://www.example.com/page")
    );
    let Some(ran) = in_a_network(&place, &script) else { return };
    assert_eq!(ran.stdout.matches("the page").count(), 1, "{ran:?}");
    assert!(ran.stdout.ends_with("code 126\n"), "{ran:?}");
}
