//! Whether a call is well-formed.

use super::Threshold;
use crate::call::Call;
use crate::finding::Finding;
use crate::rules::Report;
use crate::rules::policy::MALFORMED_CALL;

/// The longest text that is handed on at all; shorter ones may still be more than the reader takes.
const LONGEST: usize = 1 << 20;

/// Sizes and characters.
#[derive(Debug)]
pub(crate) struct Input;

impl Threshold for Input {
    fn admit(&self, call: &Call) -> Vec<Finding> {
        let text = call.action.text();
        let mut findings = Vec::new();
        let mut report = Report::new(&MALFORMED_CALL, &mut findings);
        if text.contains('\0') {
            report.call("holds a NUL character, which no program can be given");
        }
        if text.len() > LONGEST {
            report.call(format!("is longer than {LONGEST} bytes"));
        }
        findings
    }
}
