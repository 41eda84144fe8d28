//! Emptied tables.

use herm_shell::Verb;

use super::is_emptying;
use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::named::{of_kind, the};
use crate::rules::rule::{Layer, Report, Rule};

/// A table that is emptied.
pub static SQL_TRUNCATE: Rule = Rule {
    name: "sql-truncate",
    title: "SQL TRUNCATE",
    layer: Layer::Command,
    stance: Stance::Ask,
    finds: "A table that is emptied.",
    matters: "All rows go at once, without a trace in most logs.",
    instead: "Delete with a condition, in a transaction.",
    suggestion: r#"psql -c "SELECT count(*) FROM users""#,
    examples: &[
        r#"psql -c "TRUNCATE TABLE users""#,
        r#"mysql -e "TRUNCATE users""#,
        r#"psql -c "truncate users cascade""#,
    ],
    near_misses: &[
        r#"psql -c "SELECT count(*) FROM users""#,
        r#"git commit -m "Truncate long names""#,
        "truncate --help",
    ],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    let emptied = of_kind(facts, Verb::Destroy, &["rows", "table"]);
    for (effect, name) in emptied.filter(|(effect, _)| is_emptying(effect)) {
        report.effect(effect, format!("empties {}", the("table", name)));
    }
}
