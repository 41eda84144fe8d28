//! How much work a text may cost.
//!
//! Work is counted, not timed: the same text gets the same answer on a loaded machine.

use std::cell::Cell;

/// A tank of work units, shared by everything that reads one call.
#[derive(Debug)]
pub struct Fuel {
    left: Cell<u32>,
    /// What the tank is charged for a unit.
    price: u32,
}

/// The tank is empty: what is left was not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfFuel;

impl Fuel {
    /// A tank holding `units`; a unit is roughly one token read or one word expanded.
    #[must_use]
    pub fn new(units: u32) -> Self {
        Self::priced(units, 1)
    }

    /// A tank for a language whose own steps are smaller: `units` of the shell, each of which is worth `price` steps.
    pub(crate) fn priced(units: u32, price: u32) -> Self {
        Self { left: Cell::new(units.saturating_mul(price)), price }
    }

    /// Takes `units` from the tank.
    ///
    /// # Errors
    /// When fewer are left; the tank is then empty.
    pub fn spend(&self, units: u32) -> Result<(), OutOfFuel> {
        self.step(units.saturating_mul(self.price))
    }

    /// Takes smaller steps from the tank.
    pub(crate) fn step(&self, steps: u32) -> Result<(), OutOfFuel> {
        let left = self.left.get().checked_sub(steps);
        self.left.set(left.unwrap_or(0));
        left.map(|_| ()).ok_or(OutOfFuel)
    }

    /// What is left.
    #[must_use]
    pub fn left(&self) -> u32 {
        self.left.get() / self.price.max(1)
    }
}
