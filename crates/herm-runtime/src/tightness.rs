//! What could not be known runs tighter.

use herm::call::{Call, CallId, Door, Exec, Principal, SessionId};
use herm::host::Host;
use herm::policy::{Policy, Site};
use herm::{AbsPath, Action, Engine};
use herm_shell::Lang;
use herm_shell::world::Blind;

use crate::gate::Reach;

fn reach(command: &str) -> Reach {
    let call = Call {
        id: CallId::default(),
        door: Door::CommandLine,
        principal: Principal { name: None, home: AbsPath::new("/home/ann").unwrap() },
        session: SessionId::default(),
        cwd: AbsPath::new("/home/ann/app").unwrap(),
        action: Action::Exec(Exec::new(command, Lang::Shell)),
    };
    let ruling = Engine::new(Policy::default()).check(&call, &Blind);
    Reach::of(&ruling.facts, &ruling.findings)
}

fn reaches(reach: &Reach, policy: Policy) -> bool {
    let host = Host::read("a.example").unwrap();
    let lists = reach.policy(policy).egress.allowed;
    !lists.is_empty() && lists.iter().all(|list| list.iter().any(|site| site.allows(&host)))
}

const FETCH: &str = "curl -sS https://a.example/x -o x";

#[test]
fn what_is_known_reaches_the_hosts_that_it_names() {
    for command in [FETCH, "curl -sS https://a.example/x -o x; rm -rf build", "curl https://a.example | sort"]
    {
        let known = reach(command);
        assert!(!known.is_tight() && reaches(&known, Policy::default()), "{command}");
    }
}

#[test]
fn what_could_not_be_known_reaches_only_what_the_policy_lists() {
    for rest in [
        r#"eval "$CODE""#,
        r#"bash -c "$(some-tool)""#,
        r#"rm -rf "$(cat list)""#,
        r#"cat "$FILE""#,
        r#""$TOOL" run"#,
        "echo 'unfinished",
    ] {
        let command = format!("{FETCH}; {rest}");
        let unknown = reach(&command);
        assert!(unknown.is_tight(), "{command}");
        assert!(!reaches(&unknown, Policy::default()), "{command}");
        let mut listing = Policy::default();
        listing.egress.allowed = vec![vec![Site::exactly(Host::read("a.example").unwrap())]];
        assert!(reaches(&unknown, listing), "{command}");
    }
}
