//! Shells whose streams are a connection.

use crate::effect::{Flags, Target, Verb};
use crate::lang::Lang;
use crate::sink::Sink;
use crate::value::Provenance;

/// What is known of a connection and of a shell that may hang on it. Which stream goes where is not followed: a
/// one-liner that has both has them for one purpose.
#[derive(Debug, Default)]
pub(super) struct Wiring {
    socket: bool,
    shell: bool,
    said: bool,
}

impl Wiring {
    /// There is a connection.
    pub(super) fn connected(&mut self, sink: &mut dyn Sink) {
        self.socket = true;
        self.look(sink);
    }

    /// There is a shell that waits for input, or text from the connection runs.
    pub(super) fn shell(&mut self, sink: &mut dyn Sink) {
        self.shell = true;
        self.look(sink);
    }

    /// Whether there is a connection.
    pub(super) fn has_socket(&self) -> bool {
        self.socket
    }

    /// Whether there is a shell that waits.
    pub(super) fn has_shell(&self) -> bool {
        self.shell
    }

    /// Says, once, that the other end drives a shell.
    fn look(&mut self, sink: &mut dyn Sink) {
        if self.socket && self.shell && !self.said {
            self.said = true;
            let flags = Flags::REMOTE_CONTROL | Flags::INTERACTIVE;
            sink.effect(Verb::Execute, Target::Code(Lang::Shell, None), flags, Provenance::NETWORK);
        }
    }
}
