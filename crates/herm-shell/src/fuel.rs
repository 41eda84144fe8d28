//! How much work a text may cost.
//!
//! Work is counted, not timed: the same text gets the same answer on a loaded machine.

use std::cell::Cell;

/// A tank of work units, shared by everything that reads one call.
#[derive(Debug)]
pub struct Fuel(Cell<u32>);

/// The tank is empty: what is left was not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfFuel;

impl Fuel {
    /// A tank holding `units`; a unit is roughly one token read or one word expanded.
    #[must_use]
    pub fn new(units: u32) -> Self {
        Self(Cell::new(units))
    }

    /// Takes `units` from the tank.
    ///
    /// # Errors
    /// When fewer are left; the tank is then empty.
    pub fn spend(&self, units: u32) -> Result<(), OutOfFuel> {
        let left = self.0.get().checked_sub(units);
        self.0.set(left.unwrap_or(0));
        left.map(|_| ()).ok_or(OutOfFuel)
    }

    /// What is left.
    #[must_use]
    pub fn left(&self) -> u32 {
        self.0.get()
    }
}
