//! Schemas made anew.

use herm_shell::Verb;

use super::is_reset;
use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::named::of_kind;
use crate::rules::rule::{Layer, Report, Rule};

/// A task that drops every table to make them anew.
pub static RESET_SCHEMA: Rule = Rule {
    name: "reset-schema",
    title: "reset database schema",
    layer: Layer::Command,
    stance: Stance::Ask,
    finds: "A task that drops every table to make them anew.",
    matters: "The data is gone; which database it hits is decided by an environment variable.",
    instead: "Apply the migrations that are missing.",
    suggestion: "npx prisma migrate deploy",
    examples: &[
        "npx prisma migrate reset --force",
        "php artisan migrate:fresh --force",
        "python manage.py flush --noinput",
        "rails db:reset",
        "npx prisma db push --accept-data-loss",
        "alembic downgrade base",
        "flyway clean",
    ],
    near_misses: &[
        "npx prisma migrate deploy",
        "php artisan migrate",
        "python manage.py migrate",
        "rails db:migrate",
        "alembic upgrade head",
        "npx prisma generate",
    ],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for (effect, _) in of_kind(facts, Verb::Destroy, &["table"]).filter(|(effect, _)| is_reset(effect)) {
        report.effect(effect, "drops every table of the database");
    }
}
