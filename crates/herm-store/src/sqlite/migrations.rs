//! Brings a database up to this version, a step at a time.

use rusqlite::Connection;

use super::Database;
use crate::error::Error;

/// The steps in their order. One that was published is never changed.
const STEPS: &[&str] = &[
    include_str!("../../migrations/0001_memory.sql"),
    include_str!("../../migrations/0002_trying.sql"),
    include_str!("../../migrations/0003_tickets.sql"),
];

/// The version of the database, which is the number of steps that it has taken.
pub(super) fn version(database: &Database) -> Result<usize, Error> {
    database.read("read", user_version)
}

/// Takes the steps that are missing; all of them or none.
pub(super) fn run(database: &Database) -> Result<(), Error> {
    run_steps(database, STEPS)
}

fn run_steps(database: &Database, steps: &[&str]) -> Result<(), Error> {
    let found = version(database)?;
    if found > steps.len() {
        return Err(Error::Newer { path: database.path.clone(), found, known: steps.len() });
    }
    if found == steps.len() {
        return Ok(());
    }
    database.write("bring up to date", |transaction| {
        // Another process may have been quicker.
        let found = user_version(transaction)?;
        steps.iter().skip(found).try_for_each(|step| transaction.execute_batch(step))?;
        transaction.pragma_update(None, "user_version", found.max(steps.len()).to_string())
    })
}

fn user_version(connection: &Connection) -> rusqlite::Result<usize> {
    let version: u32 = connection.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    Ok(usize::try_from(version).unwrap_or(usize::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn database() -> (tempfile::TempDir, Database) {
        let home = tempfile::tempdir().unwrap();
        let database = Database::open(home.path().join("herm.db")).unwrap();
        (home, database)
    }

    fn tables(database: &Database) -> i64 {
        let count = "SELECT count(*) FROM sqlite_schema";
        database.read("read", |connection| connection.query_row(count, [], |row| row.get(0))).unwrap()
    }

    #[test]
    fn a_new_database_has_taken_all_steps() {
        let (_home, database) = database();
        assert_eq!(version(&database).unwrap(), STEPS.len());
    }

    #[test]
    fn only_missing_steps_are_taken() {
        let (_home, database) = database();
        let mut steps = STEPS.to_vec();
        steps.push("CREATE TABLE more (one INTEGER) STRICT;");
        let before = tables(&database);
        run_steps(&database, &steps).unwrap();
        run_steps(&database, &steps).unwrap();
        assert_eq!(tables(&database), before + 1);
        assert_eq!(version(&database).unwrap(), steps.len());
    }

    #[test]
    fn a_step_that_fails_leaves_everything_as_it_was() {
        let (_home, database) = database();
        let mut steps = STEPS.to_vec();
        steps.push("CREATE TABLE more (one INTEGER) STRICT;");
        steps.push("CREATE TABLE again (one INTEGER) STRICT; CREATE TABLE again (one INTEGER) STRICT;");
        let before = tables(&database);
        assert!(run_steps(&database, &steps).is_err());
        assert_eq!(tables(&database), before);
        assert_eq!(version(&database).unwrap(), STEPS.len());
    }

    #[test]
    fn what_was_answered_before_there_were_tries_is_still_there() {
        let connection = Connection::open_in_memory().unwrap();
        let (first, then) = STEPS.split_first().unwrap();
        connection.execute_batch(first).unwrap();
        for (number, answer) in ["'always'", "'deny'", "'once'", "'session'", "NULL"].into_iter().enumerate()
        {
            let state = if answer == "NULL" { "pending" } else { "answered" };
            let insert = format!(
                "INSERT INTO questions (id, session, asked, expires, pid, started, uid, binding, shown, state, answer)
                 VALUES ('q{number}', 's', 1, 2, 3, 4, 5, 'b', '{{}}', '{state}', {answer})"
            );
            connection.execute(&insert, []).unwrap();
        }
        for step in then {
            connection.execute_batch(step).unwrap();
        }
        let answers = "SELECT group_concat(id || coalesce(answer, ''), ' ') FROM (SELECT * FROM questions ORDER BY number)";
        let found: String = connection.query_row(answers, [], |row| row.get(0)).unwrap();
        assert_eq!(found, "q0always q1deny q2once q3session q4");
        connection
            .execute("UPDATE questions SET state = 'answered', answer = 'try' WHERE id = 'q4'", [])
            .unwrap();
        let wrong = "UPDATE questions SET answer = 'perhaps' WHERE id = 'q4'";
        assert!(connection.execute(wrong, []).is_err());
        let next =
            "INSERT INTO questions (id, session, asked, expires, pid, started, uid, binding, shown, state)
                    VALUES ('new', 's', 1, 2, 3, 4, 5, 'b', '{}', 'pending') RETURNING number";
        let number: i64 = connection.query_row(next, [], |row| row.get(0)).unwrap();
        assert_eq!(number, 6, "the order goes on");
    }

    #[test]
    fn a_newer_database_is_left_alone() {
        let (home, database) = database();
        database.write("change", |change| change.pragma_update(None, "user_version", 99)).unwrap();
        drop(database);
        let error = Database::open(home.path().join("herm.db")).unwrap_err();
        assert!(matches!(error, Error::Newer { found: 99, .. }), "{error}");
        assert!(error.hint().unwrap().contains("newer herm"));
    }
}
