//! Dropped tables.

use herm_shell::Verb;

use super::{is_emptying, is_reset};
use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::named::{kind, of_kind, the};
use crate::rules::rule::{Layer, Report, Rule};

/// A table, an index or a schema that is dropped.
pub static SQL_DROP: Rule = Rule {
    name: "sql-drop",
    title: "SQL DROP",
    layer: Layer::Command,
    stance: Stance::Ask,
    finds: "A table, an index or a schema that is dropped.",
    matters: "The rows go with it.",
    instead: "Rename it, and drop it when nobody misses it.",
    suggestion: r#"psql -c "ALTER TABLE users RENAME TO users_old""#,
    examples: &[
        r#"psql -c "DROP TABLE users""#,
        r#"mysql -e "DROP TABLE users""#,
        r#"mongosh --eval "db.users.drop()""#,
        r#"sqlite3 app.db "DROP TABLE users""#,
    ],
    near_misses: &[
        r#"psql -c "SELECT * FROM users""#,
        r#"psql -c "CREATE TABLE users (id int)""#,
        r#"echo "DROP TABLE users""#,
    ],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    let dropped = of_kind(facts, Verb::Destroy, &["index", "table"]);
    for (effect, name) in dropped.filter(|(effect, _)| !is_emptying(effect) && !is_reset(effect)) {
        report.effect(effect, format!("drops {}", the(kind(effect), name)));
    }
}
