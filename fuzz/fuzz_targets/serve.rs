//! Whatever a client says to the server of tools, it is answered, served or left alone; nobody is served who has not introduced itself.

#![no_main]

use herm_adapters::jsonrpc::Message;
use herm_adapters::mcp::serve::{Age, Server, Step};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|said: &[u8]| {
    let mut server = Server::new("0");
    let mut is_introduced = false;
    for line in said.split(|byte| *byte == b'\n') {
        let Ok(message) = Message::read(line) else { continue };
        is_introduced |= matches!(&message, Message::Request(request) if request.method == "initialize");
        match server.hear(message) {
            Step::Call(call) => assert!(call.client.age == Age::Newer || is_introduced),
            Step::Say(answer) => assert!(Message::read(&answer.line()).is_ok()),
            Step::Answered(_) | Step::CalledOff(_) | Step::Nothing => {}
        }
    }
});
