//! Frameworks and migration tools whose tasks throw a database away.

use super::arguments::{Parsed, is_short_for};
use super::phrases::{DRY_RUN, HELP, emit, publishes, sub, values};
use super::schema::{Aim, Deed, Do, Operands, Program, Role, deed, flag, program, quiet, value};
use crate::effect::{Flags, Verb};
use crate::lang::Lang;
use crate::sink::Sink;

pub(super) static PROGRAMS: &[Program] = &[
    program(&["prisma"]).options(&[HELP, values("--schema --config")]).subs(&[
        program(&["migrate reset"])
            .options(&[quiet("-f --force --skip-seed --skip-generate")])
            .does(&[EVERY_TABLE]),
        program(&["db push"]).options(&[
            flag("--force-reset --accept-data-loss", Do::Emit(EVERY_TABLE)),
            quiet("--skip-generate"),
        ]),
        program(&["db execute"])
            .options(&[
                value("--file", Role::Script(Lang::Sql)),
                values("--url"),
                flag("--stdin", Do::Nothing),
            ])
            .stdin(Role::Code(Lang::Sql)),
        program(&["migrate deploy"]),
    ]),
    program(&["rails"])
        .options(&[HELP])
        .subs(&[
            program(&["runner", "r"])
                .options(&[values("-e --environment")])
                .operands(Operands::Each(&[Role::Code(Lang::Ruby), Role::Inert])),
            program(&[
                "new", "generate", "g", "server", "s", "console", "c", "test", "t", "routes", "destroy", "d",
                "about",
            ]),
        ])
        .refine(tasks),
    program(&["rake"])
        .options(&[
            value("-e --execute -p --execute-print -E --execute-continue", Role::Code(Lang::Ruby)),
            values("-f --rakefile -I -j"),
            value("-r --require", Role::Library),
            flag("-T --tasks -n --dry-run -P -h --help -V --version", Do::Stop),
        ])
        .refine(tasks),
    program(&["artisan"])
        .options(&[
            flag("-h --help --version -V --pretend", Do::Stop),
            quiet("--force --seed -n -q"),
            values("--env --database --path --step"),
        ])
        .subs(&[program(&["tinker"]).options(&[value("--execute", Role::Code(Lang::Php))])])
        .refine(tasks),
    program(&["manage.py", "django-admin"])
        .options(&[
            values("--settings --pythonpath --database"),
            flag("-h --help --version", Do::Stop),
            quiet("--noinput --no-input"),
        ])
        .subs(&[
            sub(&["flush", "reset_db", "reset_schema"], &[EVERY_TABLE]),
            program(&["shell", "shell_plus"])
                .options(&[value("-c --command", Role::Code(Lang::Python))])
                .stdin(Role::Code(Lang::Python)),
            program(&["dbshell"]).options(&[value("-c", Role::Code(Lang::Sql))]).stdin(Role::Code(Lang::Sql)),
            program(&["migrate"]).refine(django_migrate),
        ]),
    program(&["drush", "wp"])
        .options(&[
            HELP,
            DRY_RUN,
            value("--exec", Role::Code(Lang::Php)),
            value("--require", Role::Library),
            values("--env --url --user --path --ssh -r --root -l --uri"),
        ])
        .subs(&[
            program(&["eval", "ev", "php-eval", "php:eval"])
                .operands(Operands::Each(&[Role::Code(Lang::Php), Role::Inert])),
            program(&["eval-file", "php-script", "php:script"])
                .operands(Operands::Each(&[Role::Script(Lang::Php), Role::Inert])),
        ])
        .refine(tasks),
    program(&[
        "sequelize",
        "sequelize-cli",
        "knex",
        "typeorm",
        "typeorm-ts-node-commonjs",
        "mikro-orm",
        "node-ace",
        "ace",
        "adonis",
        "strapi",
        "dbmate",
        "sqlx",
        "diesel",
        "sea-orm-cli",
        "goose",
        "migrate",
        "flyway",
        "liquibase",
        "hasura",
        "console",
        "symfony",
        "doctrine",
        "meteor",
        "drizzle-kit",
        "alembic",
        "flask",
    ])
    .options(&[
        HELP,
        DRY_RUN,
        flag("--dump-sql --version", Do::Stop),
        values("-d --dataSource --config --env --url -u --database -database -path -source"),
        values("--admin-secret --endpoint --project"),
    ])
    .refine(tasks),
    program(&["cap"]).options(&[flag("-T -n --dry-run -h --help", Do::Stop)]).refine(capistrano),
    program(&["fastlane"]).options(&[HELP]).subs(&[program(&[
        "deliver",
        "release",
        "pilot",
        "supply",
        "upload_to_app_store",
        "upload_to_play_store",
    ])
    .does(&[publishes("deployment")])]),
];

const EVERY_TABLE: Deed = deed(Verb::Destroy, Aim::Kind("table"), Flags::ALL.and(Flags::IRREVERSIBLE));

/// What a task throws away. Words of a task that are apart (`schema drop`) are read as joined by colons.
const LOSSES: &[(&str, &str)] = &[
    ("clean", "table"),
    ("database:drop", "database"),
    ("database:reset", "table"),
    ("db:drop", "database"),
    ("db:drop:all", "database"),
    ("db:migrate:reset", "table"),
    ("db:migrate:undo:all", "table"),
    ("db:purge", "database"),
    ("db:reset", "table"),
    ("db:schema:load", "table"),
    ("db:structure:load", "table"),
    ("db:truncate_all", "table"),
    ("db:wipe", "table"),
    ("doctrine:database:drop", "database"),
    ("doctrine:schema:drop", "table"),
    ("down", "table"),
    ("downgrade:base", "table"),
    ("drop", "database"),
    ("drop-all", "table"),
    ("dropall", "table"),
    ("fresh", "table"),
    ("metadata:clear", "table"),
    ("migrate:fresh", "table"),
    ("migrate:refresh", "table"),
    ("migrate:reset", "table"),
    ("migrate:rollback:--all", "table"),
    ("migration:fresh", "table"),
    ("migration:reset", "table"),
    ("migration:rollback", "table"),
    ("orm:schema-tool:drop", "table"),
    ("redo", "table"),
    ("reset", "table"),
    ("schema:drop", "table"),
    ("sql-drop", "database"),
    ("sql:drop", "database"),
    ("db:downgrade:base", "table"),
];

/// Bare words that mean a loss for these tools only: `down` is harmless to most.
const BARE: &[(&str, &[&str])] = &[
    ("flyway", &["clean"]),
    ("liquibase", &["drop-all", "dropall"]),
    ("dbmate", &["drop"]),
    ("migrate", &["drop", "down"]),
    ("goose", &["reset"]),
    ("meteor", &["reset"]),
    ("drizzle-kit", &["drop"]),
    ("sea-orm-cli", &["fresh", "reset"]),
];

fn tasks(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if !parsed.subcommands.is_empty() || parsed.stopped {
        return;
    }
    let words: Vec<String> = parsed.words().map(|word| word.to_ascii_lowercase()).collect();
    let pairs = words.windows(2).map(|pair| pair.join(":"));
    let found = words
        .iter()
        .cloned()
        .chain(pairs)
        .find_map(|task| loss(parsed.program, &task).map(|kind| (kind, task)));
    if let Some((kind, task)) = found {
        let flags = if kind == "table" { Flags::ALL } else { Flags::NONE };
        emit(sink, Verb::Destroy, kind, task, flags | Flags::IRREVERSIBLE);
    }
}

fn loss(program: &str, task: &str) -> Option<&'static str> {
    let is_named = |name: &str| name == task || SHORTENED.contains(&program) && is_cut_short(name, task);
    let known = LOSSES.iter().find(|(name, _)| is_named(name)).map(|(_, kind)| *kind)?;
    let bare = !task.contains(':') && !task.starts_with("sql-");
    let said = BARE.iter().any(|(tool, words)| *tool == program && words.contains(&task));
    (!bare || said).then_some(known)
}

/// Tools that take names of tasks that are cut short, each part between colons by itself.
const SHORTENED: &[&str] = &["artisan", "console", "doctrine", "drush", "symfony"];

/// Whether a task of several parts is meant, cut short no further than to what begins like nothing harmless.
fn is_cut_short(name: &str, task: &str) -> bool {
    name.contains(':') && task.contains(':') && is_short_for(name, task)
}

/// `migrate APP zero` takes every table of an application away.
fn django_migrate(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if parsed.word(1).as_deref() == Some("zero") {
        emit(sink, Verb::Destroy, "table", parsed.word(0).unwrap_or_default(), Flags::ALL);
    }
}

/// `cap production deploy`.
fn capistrano(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if parsed.words().any(|word| word == "deploy" || word.starts_with("deploy:")) {
        emit(sink, Verb::Publish, "deployment", parsed.word(0).unwrap_or_default(), Flags::NONE);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_that_lose_data_are_known() {
        assert_eq!(loss("rails", "db:drop"), Some("database"));
        assert_eq!(loss("typeorm", "schema:drop"), Some("table"));
        assert_eq!(loss("alembic", "downgrade:base"), Some("table"));
        assert_eq!(loss("flyway", "clean"), Some("table"));
    }

    #[test]
    fn everyday_tasks_are_not() {
        for (program, task) in [
            ("rails", "db:seed"),
            ("rake", "clean"),
            ("rails", "db:migrate"),
            ("alembic", "upgrade"),
            ("goose", "down"),
            ("rake", "reset"),
        ] {
            assert_eq!(loss(program, task), None, "{program} {task}");
        }
    }
}
