//! What is done beside listening while a program runs.

use std::time::Duration;

use super::{Demand, Output, Stream};
use crate::native::Held;

/// Whoever listens to a program, with what holds for it: that is looked after meanwhile.
pub(crate) struct Attending<'a> {
    pub(crate) output: &'a mut dyn Output,
    pub(crate) held: &'a Held,
}

impl Output for Attending<'_> {
    fn stdout(&mut self, bytes: &[u8]) {
        self.output.stdout(bytes);
    }

    fn stderr(&mut self, bytes: &[u8]) {
        self.output.stderr(bytes);
    }

    fn demand(&mut self, stream: Stream) -> Demand {
        self.output.demand(stream)
    }

    fn attend(&mut self) {
        self.held.attend();
        self.output.attend();
    }

    fn held_up(&mut self) -> Duration {
        self.output.held_up()
    }
}
