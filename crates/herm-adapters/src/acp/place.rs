//! Where a session works.

use serde_json::Value;

use crate::fields::Fields;

/// Where a session works, as its editor says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Its directory.
    pub cwd: String,
    /// Further directories that belong to it.
    pub besides: Vec<String>,
}

impl Place {
    /// What an editor says of a session that it opens.
    pub(super) fn read(params: &Value) -> Option<Self> {
        let fields = Fields::of(params)?;
        let cwd = fields.text("cwd").filter(|cwd| cwd.starts_with('/'))?;
        let besides = fields.value("additionalDirectories").and_then(Value::as_array).into_iter().flatten();
        let besides =
            besides.filter_map(Value::as_str).filter(|path| path.starts_with('/')).map(str::to_owned);
        Some(Self { cwd, besides: besides.collect() })
    }
}
