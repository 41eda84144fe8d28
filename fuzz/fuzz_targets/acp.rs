//! Whatever an editor and an agent say through the proxy between them, what has effects is decided about and answered once, and what
//! either side is told can be read. A line that begins with `<` is the editor's, and any other the agent's.

#![no_main]

use herm_adapters::acp::{Proxy, REFUSED, Step, What};
use herm_adapters::jsonrpc::{Failure, Message};
use libfuzzer_sys::fuzz_target;

const OPENS: &[u8] =
    br#"{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":"/srv","mcpServers":[]}}"#;
const OPENED: &[u8] = br#"{"jsonrpc":"2.0","id":1,"result":{"sessionId":"s"}}"#;

fuzz_target!(|said: &[u8]| {
    let mut proxy = Proxy::new("x", None);
    let ours = proxy.terminal_name(1);
    let look = |name: &str| (name == ours).then(String::new);
    let _ = (proxy.from_editor(OPENS), proxy.from_agent(OPENED, &look));
    for line in said.split(|byte| *byte == b'\n') {
        let steps = match line.strip_prefix(b"<") {
            Some(line) => proxy.from_editor(line),
            None => proxy.from_agent(line, &look),
        };
        for step in steps {
            heed(&mut proxy, step);
        }
    }
});

fn heed(proxy: &mut Proxy, step: Step) {
    let no = || Err(Failure::new(REFUSED, "no"));
    match step {
        Step::Agent(line) => assert!(Message::read(&line).is_ok()),
        Step::Decide(wish) => {
            let passes = matches!(wish.what, What::Read(_) | What::Write { .. });
            let once = if passes { proxy.pass(&wish) } else { proxy.answer(&wish.ticket, no()) };
            assert!(once.is_some_and(|line| Message::read(&line).is_ok()), "{wish:?}");
            assert_eq!((proxy.pass(&wish), proxy.answer(&wish.ticket, no())), (None, None));
            match &wish.what {
                What::Permit(permission) => drop(proxy.refused(&wish.session, &permission.tool.id, "no")),
                What::Terminal(_) => proxy.does(&wish),
                What::Read(_) | What::Write { .. } => {}
            }
        }
        Step::Editor(line) => match Message::read(&line) {
            Ok(Message::Request(request)) => assert!(!has_effects(&request.method), "{}", request.method),
            Ok(Message::Notification(said)) => assert!(!has_effects(&said.method), "{}", said.method),
            Ok(Message::Response(_)) => {}
            Err(malformed) => panic!("{malformed}"),
        },
        Step::Terminal(ticket, ..) => {
            assert!(proxy.answer(&ticket, no()).is_some() && proxy.answer(&ticket, no()).is_none());
        }
        Step::Answered(..)
        | Step::CalledOff(_)
        | Step::End(_)
        | Step::Note(_)
        | Step::Read(_)
        | Step::Saw(..)
        | Step::Withdrawn(_)
        | Step::Wrote(..) => {}
    }
}

/// Whether it may reach an editor only once it was decided about.
fn has_effects(method: &str) -> bool {
    let families = ["_mcp/", "fs/", "mcp/", "terminal/"];
    method == "session/request_permission" || families.iter().any(|family| method.starts_with(family))
}
