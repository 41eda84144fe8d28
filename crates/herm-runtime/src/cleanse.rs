//! Results of tools without their secrets, in the shape in which they came.

use std::path::Path;

use herm_scan::Redactor;
use serde_json::Value;

use crate::setup::{self, Problem, Setup};

/// The same result without its secrets; nothing when it has none, or when the policy wants them shown.
///
/// # Errors
/// When the file of herm's secrets cannot be read: their values could not be taken out.
pub fn cleansed(setup: &Setup, result: &Value) -> Result<Option<Value>, Problem> {
    if setup.policy.security.redact_secrets == Some(false) {
        return Ok(None);
    }
    without_secrets(&setup.guard, result)
}

/// The same, whatever the policy wants: for what is no result of a tool.
pub(crate) fn without_secrets(guard: &Path, result: &Value) -> Result<Option<Value>, Problem> {
    let secrets = setup::held(guard)?.unwrap_or_default();
    let clean = clean(result, &|text| Redactor::with_values(herm_scan::held_secrets(&secrets)).redact(text));
    Ok((clean != *result).then_some(clean))
}

/// Every text in a value, also those that are keys. How deep it is was bounded when it was read.
fn clean(value: &Value, redact: &dyn Fn(&str) -> String) -> Value {
    match value {
        Value::String(text) => Value::String(redact(text)),
        Value::Array(items) => items.iter().map(|item| clean(item, redact)).collect(),
        Value::Object(fields) => named(fields, redact),
        Value::Bool(_) | Value::Null | Value::Number(_) => value.clone(),
    }
}

/// A value whose name gives it away has no shape of its own, so both are looked at together.
fn named(fields: &serde_json::Map<String, Value>, redact: &dyn Fn(&str) -> String) -> Value {
    let field = |(key, value): (&String, &Value)| {
        let value = match value.as_str().filter(|text| is_word(text)) {
            Some(text) => {
                let head = format!("{key}=");
                let whole = redact(&format!("{head}{text}"));
                Value::String(whole.strip_prefix(&head).map_or_else(|| redact(text), str::to_owned))
            }
            None => clean(value, redact),
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
        clean(value, &|text| Redactor::with_values(Vec::new()).redact(text))
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
    fn what_has_none_stays_as_it_is() {
        let result = json!({"stdout": "MAX_TOKENS=100\nlet key = map.get(\"key\");", "interrupted": false});
        assert_eq!(cleaned(&result), result);
    }
}
