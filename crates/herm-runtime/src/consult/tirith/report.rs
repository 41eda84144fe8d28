//! What tirith writes about what it found.

use herm::rules::consult::TIRITH_FINDING;
use herm::{Finding, Stance};
use serde_json::Value;

use crate::consult::{finding, quoted};

/// The most findings that are passed on.
const MOST: usize = 50;

/// What it found, all with one stance. What cannot be read says nothing.
pub(super) fn findings(stdout: &[u8], stance: Stance) -> Vec<Finding> {
    let report: Value = serde_json::from_slice(stdout).unwrap_or_default();
    let found = report.get("findings").and_then(Value::as_array);
    let described = found.into_iter().flatten().filter_map(described);
    described
        .take(MOST)
        .map(|reason| finding(&TIRITH_FINDING, stance, reason, TIRITH_FINDING.instead))
        .collect()
}

/// `[HIGH] title: description (rule)`, as far as it is there.
fn described(found: &Value) -> Option<String> {
    let field = |name| found.get(name).and_then(Value::as_str).map(quoted).filter(|text| !text.is_empty());
    let rule = field("rule_id");
    let mut reason = field("title").or_else(|| rule.clone())?;
    if let Some(severity) = field("severity") {
        reason = format!("[{severity}] {reason}");
    }
    if let Some(description) = field("description") {
        reason = format!("{reason}: {description}");
    }
    if let Some(rule) = rule {
        reason = format!("{reason} ({rule})");
    }
    Some(reason)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reasons(stdout: &str) -> Vec<String> {
        findings(stdout.as_bytes(), Stance::Ask).into_iter().map(|finding| finding.reason).collect()
    }

    #[test]
    fn findings_are_described_as_far_as_they_are_there() {
        let report = r#"{"findings":[
            {"rule_id":"punycode_domain","severity":"HIGH","title":"Punycode","description":"a\n\u001b[2Jhost"},
            {"rule_id":"plain_http"},
            {"severity":"LOW"},
            7
        ],"summary":"x"}"#;
        assert_eq!(
            reasons(report),
            ["[HIGH] Punycode: a [2Jhost (punycode_domain)", "plain_http (plain_http)"]
        );
    }

    #[test]
    fn what_cannot_be_read_says_nothing() {
        for text in ["", "no", "[]", "{}", r#"{"findings":{}}"#, r#"{"findings":"#] {
            assert_eq!(reasons(text), [""; 0], "{text}");
        }
    }

    #[test]
    fn there_is_an_end_to_findings() {
        let many = vec![r#"{"title":"t"}"#; 80].join(",");
        assert_eq!(reasons(&format!("{{\"findings\":[{many}]}}")).len(), 50);
    }
}
