//! SQL and redis.

use super::recorder::{Recorder, check, silent};
use crate::lang::Lang;
use crate::scripts::redis;
use crate::value::Value;

#[test]
fn statements_that_destroy_are_found() {
    check(
        Lang::Sql,
        &[
            ("DROP DATABASE prod", "Destroy database prod [irreversible]"),
            ("drop table if exists users;", "Destroy table users [irreversible]"),
            ("DROP TABLE a, public.b CASCADE", "Destroy table public.b [irreversible]"),
            ("DROP TABLE \"Users\"", "Destroy table Users [irreversible]"),
            ("SELECT 1; DROP SCHEMA x", "Destroy database x [irreversible]"),
            ("DROP/**/TABLE users", "Destroy table users [irreversible]"),
            ("-- c\nDROP TABLE users", "Destroy table users [irreversible]"),
            ("/*!50000 DROP TABLE users */", "Destroy table users [irreversible]"),
            ("TRUNCATE users", "Destroy rows users [irreversible] [everything] [without a condition]"),
            ("DELETE FROM users", "Destroy rows users [irreversible] [without a condition]"),
            ("DELETE FROM users WHERE 1=1", "Destroy rows users [irreversible] [without a condition]"),
            ("DELETE FROM users WHERE true;", "Destroy rows users [irreversible] [without a condition]"),
            (
                "DELETE FROM users WHERE id=3 OR 1=1",
                "Destroy rows users [irreversible] [without a condition]",
            ),
            ("UPDATE users SET admin = true", "Destroy rows users [irreversible] [without a condition]"),
            ("ALTER TABLE users DROP COLUMN name", "Destroy table users [irreversible]"),
            ("ALTER TABLE t DELETE WHERE 1", "Destroy rows t [irreversible] [without a condition]"),
            (
                "ALTER TABLE d.t ON CLUSTER c UPDATE a = 1 WHERE true",
                "Destroy rows d.t [irreversible] [without a condition]",
            ),
            ("DETACH TABLE t PERMANENTLY", "Destroy table t [irreversible]"),
            ("GRANT ALL PRIVILEGES ON *.* TO 'x'@'%'", "Account account x [everything]"),
            ("DROP USER bob", "Destroy account bob [irreversible]"),
            ("EXECUTE 'DROP TABLE users'", "Destroy table users [irreversible]"),
            ("DO $$ BEGIN DROP TABLE users; END $$", "Destroy table users [irreversible]"),
            (
                "WITH d AS (DELETE FROM users RETURNING *) SELECT * FROM d",
                "Destroy rows users [irreversible] [without a condition]",
            ),
        ],
    );
}

#[test]
fn statements_and_commands_that_reach_outside_are_found() {
    check(
        Lang::Sql,
        &[
            ("COPY t FROM PROGRAM 'halt'", "shell: halt"),
            ("COPY (SELECT 1) TO PROGRAM 'halt'", "shell: halt"),
            ("COPY t TO '/etc/x'", "Write /etc/x = results [emptying]"),
            ("COPY t FROM '/etc/passwd'", "Read /etc/passwd"),
            ("SELECT 'p' INTO OUTFILE '/etc/x'", "Write /etc/x = results [emptying]"),
            ("SELECT LOAD_FILE('/etc/shadow')", "Read /etc/shadow"),
            ("SELECT pg_read_file('/etc/shadow')", "Read /etc/shadow"),
            ("EXEC xp_cmdshell 'del /s C:\\x'", "cmd: del /s C:\\x"),
            ("\\! halt", "shell: halt"),
            ("\\o /etc/x", "Write /etc/x = results [emptying]"),
            ("\\copy t to '/etc/x'", "Write /etc/x = results [emptying]"),
            ("\\copy t from program 'halt'", "shell: halt"),
            (".shell halt", "shell: halt"),
            (".system rm -rf /x", "shell: rm -rf /x"),
            (".output /etc/x\nselect 1;", "Write /etc/x = results [emptying]"),
            (".once |sh\nselect 'halt';", "shell: sh"),
            (".read /tmp/x.sql", "script sql /tmp/x.sql"),
            (".import /etc/shadow t", "Read /etc/shadow"),
            (".load /tmp/x.so", "Execute /tmp/x.so [through a hook]"),
            ("SELECT load_extension('/tmp/x.so')", "Execute /tmp/x.so [through a hook]"),
            ("select writefile('/x', 'p')", "Write /x = p [emptying]"),
            ("select count(writefile(name, '')) from fsdir('/x')", "Write /x/* =  [emptying]"),
            (
                "with f as (select name from fsdir('/x')) select writefile(f.name, z()) from f",
                "Write /x/* = expression [emptying]",
            ),
            ("select hex(readfile(name)) from fsdir('/x')", "Read /x/*"),
            ("select writefile('/x/' || name, '') from t", "Write /x/name =  [emptying]"),
            ("select load_extension('/x/' || 'y')", "Execute /x/y [through a hook]"),
            ("select edit('x', 'halt')", "shell: halt"),
            ("select lo_export(7, '/x')", "Write /x = results [emptying]"),
            ("system halt", "shell: halt"),
            ("select 1 \\g |sh", "shell: sh"),
        ],
    );
}

#[test]
fn harmless_statements_say_nothing() {
    silent(
        Lang::Sql,
        &[
            "SELECT 1",
            "SELECT count(*) FROM users;",
            "SELECT 'DROP TABLE users'",
            "-- DROP TABLE users",
            "/* DROP TABLE users */ SELECT 1",
            "INSERT INTO t VALUES ('x; DROP TABLE users')",
            "SELECT * FROM deleted WHERE a = 'TRUNCATE'",
            "DELETE FROM users WHERE id = 3",
            "ALTER TABLE t DELETE WHERE id = 3",
            "ALTER TABLE t ADD FOREIGN KEY (a) REFERENCES b (c) ON DELETE CASCADE",
            "DETACH TABLE t",
            "UPDATE users SET name = 'x' WHERE id = 3",
            "Please DROP TABLE users when done",
            "CREATE TABLE t (id int)",
            ".tables",
            ".schema users",
            "\\dt",
            "\\d users",
            "EXPLAIN SELECT 1",
            "SHOW TABLES",
            "DESCRIBE users",
            "PRAGMA table_info(t)",
            ".mode csv",
            "DROP TEMPORARY TABLE x",
            "ALTER TABLE t ADD COLUMN x int",
            "ALTER TABLE t ALTER COLUMN x DROP NOT NULL",
            "CREATE INDEX i ON t(x)",
            "\\timing on",
            "BEGIN; COMMIT;",
            "CREATE TRIGGER t AFTER INSERT ON a BEGIN DELETE FROM b; END;",
            "SELECT \"drop\" FROM t",
            "GRANT SELECT ON t TO bob",
        ],
    );
}

fn redis_says(words: &[&str]) -> Vec<String> {
    let words: Vec<Value> = words.iter().map(|word| Value::literal(*word)).collect();
    let mut recorder = Recorder::new();
    redis::read(&words, &mut recorder);
    recorder.said
}

#[test]
fn redis_commands_that_destroy_are_found() {
    assert_eq!(redis_says(&["FLUSHALL"]), ["Destroy key space  [irreversible] [everything]"]);
    assert_eq!(redis_says(&["flushdb"]), ["Destroy key space  [irreversible]"]);
    assert_eq!(redis_says(&["CONFIG", "SET", "dir", "/root/.ssh"]), ["Write /root/.ssh [emptying]"]);
    assert_eq!(redis_says(&["SHUTDOWN"]), ["Service database redis [stopped]"]);
    assert_eq!(redis_says(&["EVAL", "os.execute('halt')", "0"]), ["lua: os.execute('halt')", "shell: halt"]);
    assert!(redis_says(&["GET", "flushall"]).is_empty());
    assert!(redis_says(&["PING"]).is_empty());
}
