//! Databases of other programs, which are looked at and never changed.

use std::path::Path;

use rusqlite::types::ValueRef;
use rusqlite::{Connection, OpenFlags, Row};

use crate::error::Error;

/// What Hermes keeps of one turn of its model: the tools that it called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// The conversation.
    pub session: String,
    /// The directory of the session, where it is known.
    pub cwd: Option<String>,
    /// When, in milliseconds since the beginning of 1970.
    pub millis: u64,
    /// The calls, as JSON; nothing if they are too long to be looked at.
    pub calls: Option<String>,
}

/// Whose file it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holding {
    /// A copy of our own, beside which files may be made.
    Copy,
    /// The program's own: nothing is locked, and no file is made beside it. Nothing of its log is seen.
    Original,
}

/// Hands over the turns of a `state.db` of Hermes, in their order.
///
/// # Errors
/// When it is no such database, or is damaged.
pub fn hermes_turns(path: &Path, holding: Holding, mut take: impl FnMut(Turn)) -> Result<(), Error> {
    let failed = Error::database("read", path);
    let mut read = || {
        let connection = open(path, holding)?;
        let has_cwd = column(&connection, "sessions", "cwd")?;
        let cwd = if has_cwd { "(SELECT cwd FROM sessions WHERE id = session_id)" } else { "NULL" };
        let sql = format!(
            "SELECT session_id, {cwd}, timestamp, CASE WHEN length(tool_calls) <= {LONGEST} THEN tool_calls END \
             FROM messages WHERE role = 'assistant' AND tool_calls IS NOT NULL ORDER BY id"
        );
        let mut statement = connection.prepare(&sql)?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            take(turn(row)?);
        }
        Ok(())
    };
    read().map_err(failed)
}

/// Longer calls than any hook is told.
const LONGEST: usize = 16 << 20;

#[expect(clippy::disallowed_methods, reason = "the one place where databases of others are opened")]
fn open(path: &Path, holding: Holding) -> rusqlite::Result<Connection> {
    let shared = OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_NOFOLLOW;
    let connection = match holding {
        Holding::Copy => Connection::open_with_flags(path, shared | OpenFlags::SQLITE_OPEN_READ_WRITE),
        Holding::Original => {
            let flags = shared | OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
            Connection::open_with_flags(format!("file:{}?immutable=1", encoded(path)), flags)
        }
    }?;
    // A schema is a program of whoever made the file.
    connection
        .execute_batch("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA query_only = ON;")?;
    let is_table = "SELECT count(*) FROM sqlite_schema WHERE name IN ('messages', 'sessions') AND type = 'table' \
                    AND sql NOT LIKE 'CREATE VIRTUAL%'";
    let tables: u32 = connection.query_row(is_table, [], |row| row.get(0))?;
    if tables == 2 { Ok(connection) } else { Err(rusqlite::Error::InvalidQuery) }
}

/// A path as a link has it.
fn encoded(path: &Path) -> String {
    use std::fmt::Write as _;
    let mut text = String::new();
    for byte in path.as_os_str().as_encoded_bytes() {
        if byte.is_ascii_alphanumeric() || b"/._-".contains(byte) {
            text.push(char::from(*byte));
        } else {
            // A text takes whatever is written to it.
            let _ = write!(text, "%{byte:02X}");
        }
    }
    text
}

fn column(connection: &Connection, table: &str, column: &str) -> rusqlite::Result<bool> {
    let sql = "SELECT count(*) FROM pragma_table_info(?1) WHERE name = ?2";
    connection.query_row(sql, [table, column], |row| row.get::<_, u32>(0)).map(|count| count > 0)
}

/// Columns hold whatever was put into them.
fn turn(row: &Row<'_>) -> rusqlite::Result<Turn> {
    let text = |at: usize| Ok::<_, rusqlite::Error>(row.get_ref(at)?.as_str().ok().map(str::to_owned));
    let seconds = match row.get_ref(2)? {
        ValueRef::Real(seconds) => seconds,
        ValueRef::Integer(seconds) => f64::from(i32::try_from(seconds).unwrap_or(i32::MAX)),
        ValueRef::Blob(_) | ValueRef::Null | ValueRef::Text(_) => 0.0,
    };
    let since = std::time::Duration::try_from_secs_f64(seconds).unwrap_or_default();
    let millis = u64::try_from(since.as_millis()).unwrap_or_default();
    Ok(Turn { session: text(0)?.unwrap_or_default(), cwd: text(1)?, millis, calls: text(3)? })
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "tests make their own files")]
mod tests {
    use super::*;

    const SCHEMA: &str = "CREATE TABLE sessions (id TEXT PRIMARY KEY, cwd TEXT); \
        CREATE TABLE messages (id INTEGER PRIMARY KEY, session_id TEXT, role TEXT, content TEXT, tool_calls TEXT, timestamp REAL);";

    fn made(sql: &str) -> (tempfile::TempDir, std::path::PathBuf) {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("a b%#?.db");
        Connection::open(&path).unwrap().execute_batch(sql).unwrap();
        (home, path)
    }

    fn turns(path: &Path) -> Result<Vec<Turn>, Error> {
        let mut turns = Vec::new();
        hermes_turns(path, Holding::Original, |turn| turns.push(turn)).map(|()| turns)
    }

    #[test]
    fn turns_come_in_order_and_nothing_is_made_or_changed() {
        let rows = "INSERT INTO sessions VALUES ('s1', '/srv'); INSERT INTO messages VALUES \
            (2, 's2', 'assistant', '', '[2]', 1794823781.5), (1, 's1', 'assistant', '', '[1]', 1794823780), \
            (3, 's1', 'user', '', '[3]', 1.0), (4, 's1', 'assistant', 'done', NULL, 1.0), (5, x'00', 'assistant', '', 7, 'soon');";
        let (home, path) = made(&format!("{SCHEMA}{rows}"));
        let before = std::fs::read(&path).unwrap();
        let turns = turns(&path).unwrap();
        let brief: Vec<_> =
            turns.iter().map(|turn| (turn.session.as_str(), turn.cwd.as_deref(), turn.millis)).collect();
        assert_eq!(
            brief,
            [("s1", Some("/srv"), 1_794_823_780_000), ("s2", None, 1_794_823_781_500), ("", None, 0)]
        );
        assert_eq!(turns[1].calls.as_deref(), Some("[2]"));
        assert_eq!(std::fs::read(&path).unwrap(), before);
        assert_eq!(std::fs::read_dir(home.path()).unwrap().count(), 1);
    }

    #[test]
    fn what_is_no_such_database_is_an_error() {
        for sql in [
            "CREATE TABLE other (id);",
            "CREATE TABLE sessions (id); CREATE VIEW messages AS SELECT 1 AS id, 's' AS session_id, 'assistant' AS role, '[]' AS tool_calls, 1 AS timestamp;",
            "CREATE TABLE sessions (id); CREATE TABLE messages (id);",
        ] {
            assert!(turns(&made(sql).1).is_err(), "{sql}");
        }
        let home = tempfile::tempdir().unwrap();
        for bytes in [&b""[..], b"SQLite format 3\0", b"nothing of the kind"] {
            let path = home.path().join("state.db");
            std::fs::write(&path, bytes).unwrap();
            assert!(turns(&path).is_err());
        }
        assert!(turns(&home.path().join("absent.db")).is_err());
    }

    #[test]
    fn a_link_is_not_followed() {
        let (home, path) = made(SCHEMA);
        let link = home.path().join("link.db");
        std::os::unix::fs::symlink(&path, &link).unwrap();
        assert!(turns(&link).is_err());
    }
}
