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
                 cd ~ && python3 -m http.server --bind 93.184.216.34 80 >/dev/null 2>&1 & server=$!\n\
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
