//! Dropped databases.

use herm_shell::Verb;

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::named::{kind, of_kind, the};
use crate::rules::rule::{Layer, Report, Rule};

/// A whole database, or an account of it, that is dropped.
pub static DROP_DATABASE: Rule = Rule {
    name: "drop-database",
    title: "drop a database",
    layer: Layer::Command,
    stance: Stance::Ask,
    finds: "A whole database, or an account of it, that is dropped.",
    matters: "Every table goes with it.",
    instead: "Dump it first.",
    suggestion: "pg_dump prod -f prod.sql",
    examples: &[
        "dropdb prod",
        r#"psql -c "DROP DATABASE prod""#,
        "mysqladmin drop prod",
        "rails db:drop",
        r#"mongosh --eval "db.dropDatabase()""#,
    ],
    near_misses: &["createdb prod", "pg_dump prod", r#"psql -c "SELECT 1""#, "rails db:migrate"],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for (effect, name) in of_kind(facts, Verb::Destroy, &["account", "database"]) {
        report.effect(effect, format!("drops {}", the(kind(effect), name)));
    }
}
