//! Tells hooks what became of a call.

use herm::call::Call;
use herm_sandbox::process::Cancel;
use serde_json::Value;

use crate::consent::Decided;
use crate::consult::Place;
use crate::consult::hooks::{Hooks, Occasion};
use crate::runtime::Runtime;

impl Runtime<'_> {
    /// Tells the hooks that want to know what became of a call, as it is recorded. What they say changes nothing; it is
    /// handed on to whoever asked.
    pub(crate) fn tell(&self, call: &Call, outcome: Value, cancel: &Cancel) -> Vec<String> {
        let place = Place::new(&self.setup);
        let kept = Decided(self.books.as_ref());
        let hooks = Hooks::new(&self.engine.policy().hooks, &place, &kept);
        let said = hooks.after(&Occasion::of(call), outcome, cancel);
        said.into_iter().map(|finding| self.redact(&finding.reason)).collect()
    }
}
