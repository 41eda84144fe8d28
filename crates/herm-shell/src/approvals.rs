//! Variables that switch off the approvals of herm or of Hermes, whatever sets them.

use crate::value::Value;

/// The variables that herm or Hermes heeds when it starts: the first two end all questions, the third one those about new hooks, and
/// the last one leaves the hooks out, and with them the guard that is one.
pub(crate) const LOOSENING: [&str; 4] =
    ["HERMES_YOLO_MODE", "HERM_YOLO_MODE", "HERMES_ACCEPT_HOOKS", "HERMES_SAFE_MODE"];

/// Whether a variable is one of them.
pub(crate) fn is_loosening(name: &str) -> bool {
    LOOSENING.contains(&name)
}

/// What a variable says that is a switch, the mildest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Switch {
    Off,
    /// What it says is not known.
    Unclear,
    On,
}

impl Switch {
    /// Whatever is not known as off is on: who heeds the variable decides what counts.
    pub(crate) fn of(value: &Value) -> Self {
        match value.known() {
            None => Self::Unclear,
            Some(text) => match text.trim().to_ascii_lowercase().as_str() {
                "" | "0" | "false" | "n" | "no" | "off" => Self::Off,
                _ => Self::On,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Provenance;

    #[test]
    fn only_what_is_known_as_off_is_off() {
        for off in ["", "0", "false", "No", " OFF "] {
            assert_eq!(Switch::of(&Value::literal(off)), Switch::Off, "{off}");
        }
        for on in ["1", "true", "yes", "on", "2", "enabled"] {
            assert_eq!(Switch::of(&Value::literal(on)), Switch::On, "{on}");
        }
        assert_eq!(Switch::of(&Value::unknown("$x", Provenance::OUTSIDE)), Switch::Unclear);
    }
}
