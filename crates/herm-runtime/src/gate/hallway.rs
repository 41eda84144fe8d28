//! The doors of a network that outlives the calls in it.

use std::io;
use std::sync::Arc;

use herm_proxy::Names;
use herm_sandbox::native::{Doors as Sockets, Gate};

use super::Porter;

/// Holds the doors of a shell's network. Somebody stands at them during a call, and nobody between two.
///
/// What one call may reach is nothing that a later one may: each has a porter of its own, who ends every connection that was made
/// during the call when it is over. What an earlier call has left in the background is judged by what the one may reach that goes on
/// just then.
#[derive(Debug, Default)]
pub(crate) struct Hallway {
    sockets: Option<Sockets>,
    /// Somebody in the background may know an address from an earlier call.
    book: Arc<Names>,
}

impl Hallway {
    /// Has a porter stand at the doors. Whoever has waited there since nobody did is turned away.
    pub(crate) fn welcome(&self, porter: &mut Porter) -> io::Result<()> {
        let Some(sockets) = &self.sockets else { return Ok(()) };
        sockets.turn_away()?;
        porter.stand_at(sockets.duplicate()?, Arc::clone(&self.book))
    }
}

impl Gate for Hallway {
    fn open(&mut self, sockets: Sockets) -> io::Result<()> {
        self.sockets = Some(sockets);
        Ok(())
    }
}
