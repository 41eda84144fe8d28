//! Rows deleted without a condition.

use herm_shell::{Flags, Verb};

use super::is_emptying;
use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::named::{of_kind, the};
use crate::rules::rule::{Layer, Report, Rule};

/// A deletion or change of every row of a table.
pub static SQL_DELETE_ALL: Rule = Rule {
    name: "sql-delete-all",
    title: "SQL DELETE without WHERE",
    layer: Layer::Command,
    stance: Stance::Ask,
    finds: "A deletion or change of every row of a table.",
    matters: "A forgotten condition is the oldest accident there is.",
    instead: "Say which rows.",
    suggestion: r#"psql -c "DELETE FROM users WHERE id = 7""#,
    examples: &[
        r#"psql -c "DELETE FROM users""#,
        r#"mysql -e "delete from users;""#,
        r#"mongosh --eval "db.users.deleteMany({})""#,
    ],
    near_misses: &[
        r#"psql -c "DELETE FROM users WHERE id = 7""#,
        r#"psql -c "SELECT * FROM users""#,
        r#"grep -rn "delete from" src/"#,
    ],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    let deleted = of_kind(facts, Verb::Destroy, &["rows"]);
    for (effect, name) in
        deleted.filter(|(effect, _)| effect.flags.has(Flags::NO_WHERE) && !is_emptying(effect))
    {
        report.effect(effect, format!("deletes every row of {}", the("table", name)));
    }
}
