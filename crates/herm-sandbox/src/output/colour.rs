//! Colours and styles of text on a terminal.

/// The parameters without those that make text invisible; `None` when they are not colours, or nothing remains.
pub(super) fn visible(parameters: &str) -> Option<String> {
    if !parameters.chars().all(|found| found.is_ascii_digit() || matches!(found, ';' | ':')) {
        return None;
    }
    let mut kept = Vec::new();
    let mut rest = parameters.split(';');
    while let Some(one) = rest.next() {
        if one.trim_start_matches('0') != CONCEAL {
            kept.push(one);
        }
        // A colour by number is followed by what says which: an 8 there is no style.
        if matches!(one, "38" | "48" | "58") {
            let kind = rest.next();
            let count = match kind {
                Some("5") => 1,
                Some("2") => 3,
                _ => 0,
            };
            kept.extend(kind);
            kept.extend(rest.by_ref().take(count));
        }
    }
    (!kept.is_empty()).then(|| kept.join(";"))
}

const CONCEAL: &str = "8";

/// Whether nothing is coloured afterwards.
pub(super) fn is_reset(parameters: &str) -> bool {
    parameters.chars().all(|found| matches!(found, '0' | ';'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invisible_text_is_made_visible() {
        assert_eq!(visible("1;8;31").as_deref(), Some("1;31"));
        assert_eq!(visible("8"), None);
        assert_eq!(visible("08"), None);
        assert_eq!(visible("38;5;8").as_deref(), Some("38;5;8"));
        assert_eq!(visible("48;2;8;8;8;1").as_deref(), Some("48;2;8;8;8;1"));
        assert_eq!(visible("").as_deref(), Some(""));
        assert_eq!(visible("4:3").as_deref(), Some("4:3"));
        assert_eq!(visible("?25"), None);
    }

    #[test]
    fn resets_are_known() {
        assert!(is_reset("") && is_reset("0") && is_reset("0;0"));
        assert!(!is_reset("31") && !is_reset("0;31") && !is_reset("38;5;0"));
    }
}
