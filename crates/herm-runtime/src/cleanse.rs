//! Results of tools without their secrets, in the shape in which they came.

use std::cell::RefCell;
use std::path::Path;

use herm_scan::Redactor;
use serde_json::Value;

use crate::setup::{self, Problem, Setup};

/// The same result without its secrets, or without our own alone when the policy wants the others shown; nothing when it has none.
///
/// # Errors
/// When the file of herm's secrets cannot be read: their values could not be taken out.
pub fn cleansed(setup: &Setup, result: &Value) -> Result<Option<Value>, Problem> {
    if setup.policy.security.redact_secrets == Some(false) {
        return without(&setup.guard, result, Redactor::only_holding);
    }
    without_secrets(&setup.guard, result)
}

/// The same, whatever the policy wants: for what is no result of a tool.
pub(crate) fn without_secrets(guard: &Path, result: &Value) -> Result<Option<Value>, Problem> {
    without(guard, result, Redactor::holding)
}

fn without(guard: &Path, result: &Value, redactor: fn(&str) -> Redactor) -> Result<Option<Value>, Problem> {
    let secrets = setup::held(guard)?.unwrap_or_default();
    let (any, beside) = (RefCell::new(redactor(&secrets)), RefCell::new(Redactor::only_holding(&secrets)));
    let cleaner = Cleaner {
        any: &|text| any.borrow_mut().redact(text),
        beside: &|text| beside.borrow_mut().redact(text),
    };
    let clean = clean(result, &cleaner);
    Ok((clean != *result).then_some(clean))
}

/// What takes secrets out.
struct Cleaner<'a> {
    any: &'a dyn Fn(&str) -> String,
    /// Those of our own, beside their names.
    beside: &'a dyn Fn(&str) -> String,
}

/// Every text in a value, also those that are keys. How deep it is was bounded when it was read.
fn clean(value: &Value, cleaner: &Cleaner<'_>) -> Value {
    match value {
        Value::String(text) => Value::String((cleaner.any)(text)),
        Value::Array(items) => items.iter().map(|item| clean(item, cleaner)).collect(),
        Value::Object(fields) => named(fields, cleaner),
        Value::Bool(_) | Value::Null | Value::Number(_) => value.clone(),
    }
}

/// A value whose name gives it away has no shape of its own, so both are looked at together.
fn named(fields: &serde_json::Map<String, Value>, cleaner: &Cleaner<'_>) -> Value {
    let redact = cleaner.any;
    let field = |(key, value): (&String, &Value)| {
        let head = format!("{key}=");
        let value = match value {
            Value::String(text) if is_word(text) => {
                let whole = redact(&format!("{head}{text}"));
                Value::String(whole.strip_prefix(&head).map_or_else(|| redact(text), str::to_owned))
            }
            // Of several words, only what is ours goes by its name.
            Value::String(text) => {
                let whole = (cleaner.beside)(&format!("{head}{text}"));
                Value::String(redact(whole.strip_prefix(&head).unwrap_or(text)))
            }
            // So does a number.
            Value::Number(_) => {
                let whole = format!("{head}{value}");
                let clean = (cleaner.beside)(&whole);
                if clean == whole { value.clone() } else { Value::String("[REDACTED]".to_owned()) }
            }
            Value::Array(_) | Value::Bool(_) | Value::Null | Value::Object(_) => clean(value, cleaner),
        };
        (redact(key), value)
    };
    fields.iter().map(field).collect()
}

fn is_word(text: &str) -> bool {
    !text.is_empty() && !text.contains(char::is_whitespace)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn cleaned(value: &Value) -> Value {
        let any = |text: &str| Redactor::holding("DESK=48392\nGREETING=good day\n").redact(text);
        let beside = |text: &str| Redactor::only_holding("DESK=48392\nGREETING=good day\n").redact(text);
        clean(value, &Cleaner { any: &any, beside: &beside })
    }

    #[test]
    fn secrets_go_and_the_shape_stays() {
        let token = format!("ghp_{}", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
        let result = json!({"stdout": format!("token: {token}\nok"), "code": 0, "list": [token, null, true]});
        let clean = cleaned(&result);
        assert!(!clean.to_string().contains(&token), "{clean}");
        assert_eq!(
            (&clean["code"], &clean["list"][1], &clean["list"][2]),
            (&json!(0), &json!(null), &json!(true))
        );
        assert!(clean["stdout"].as_str().unwrap().ends_with("\nok"));
    }

    #[test]
    fn what_is_ours_goes_beside_its_name() {
        let result = json!({"DESK": "48392", "GREETING": "good day to you", "port": 48392, "other": "48392"});
        let expected =
            json!({"DESK": "[REDACTED]", "GREETING": "[REDACTED] to you", "port": 48392, "other": "48392"});
        assert_eq!(cleaned(&result), expected);
        assert_eq!(
            cleaned(&json!({"DESK": 48392, "x": [1, true]})),
            json!({"DESK": "[REDACTED]", "x": [1, true]})
        );
    }

    #[test]
    fn what_has_none_stays_as_it_is() {
        let result = json!({"stdout": "MAX_TOKENS=100\nlet key = map.get(\"key\");", "interrupted": false});
        assert_eq!(cleaned(&result), result);
    }
}
