//! Whatever an agent tells its hook, it is understood or an error, and a refusal of it has words.

#![no_main]

use herm_adapters::{Agent, Answer, Phase};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|told: &[u8]| {
    for &agent in Agent::ALL {
        let Ok(event) = agent.decode(told) else { continue };
        let reply = agent.encode(&event, &Answer::Refuse(String::new()));
        assert!(event.phase != Phase::Before || !reply.stdout.is_empty(), "{agent:?}");
        let _ = agent.encode(&event, &Answer::Pass);
    }
});
