//! Statements that destroy, or that reach outside of the database.

use super::lexer::{Kind, Token};
use super::{DEPTH_MOST, read_nested};
use crate::effect::{Flags, Target, Verb};
use crate::gap::{Position, Reason};
use crate::lang::Lang;
use crate::sink::Sink;
use crate::value::{Provenance, Value};

/// Says what a statement does.
pub(super) fn read(statement: &[Token], depth: u32, sink: &mut dyn Sink) {
    let Some((first, rest)) = statement.split_first() else { return };
    match first.text.to_ascii_uppercase().as_str() {
        "DROP" => drop(rest, sink),
        "TRUNCATE" => truncate(rest, sink),
        "DELETE" => delete(rest, sink),
        "UPDATE" => update(rest, sink),
        "ALTER" => alter(rest, sink),
        "GRANT" => grant(rest, sink),
        "CREATE" if rest.iter().take(3).any(|token| token.is_any(&["USER", "ROLE", "LOGIN"])) => {
            account(rest, sink);
        }
        "COPY" => copy(rest, sink),
        "DETACH" if rest.last().is_some_and(|token| token.is("PERMANENTLY")) => drop(rest, sink),
        "SHUTDOWN" => named(Verb::Service, "service", "database", Flags::STOP, sink),
        "PREPARE" if depth < DEPTH_MOST && rest.iter().any(|token| token.is("AS")) => {
            let body = rest.iter().skip_while(|token| !token.is("AS")).skip(1).cloned();
            read(&body.collect::<Vec<_>>(), depth + 1, sink);
        }
        "EXEC" | "EXECUTE" | "PREPARE" | "DO" | "CALL" => nested(rest, depth, sink),
        "LOAD" => load(rest, sink),
        "VACUUM" => written_after(rest, "INTO", sink),
        "ATTACH" => attach(rest, sink),
        "WITH" | "EXPLAIN" => inner(rest, depth, sink),
        "BEGIN" | "START"
            if rest.first().is_some_and(|token| !token.is_any(&["TRANSACTION", "WORK"]))
                && depth < DEPTH_MOST =>
        {
            read(rest, depth + 1, sink);
        }
        _ => {}
    }
    functions(statement, sink);
    executed(first, rest, sink);
}

/// A statement that is only made when it runs: `EXECUTE format(…)` in a block, `EXECUTE IMMEDIATE x`, `EXEC(@x)`.
fn executed(first: &Token, rest: &[Token], sink: &mut dyn Sink) {
    if first.is("PREPARE") {
        let made = rest.iter().position(|token| token.is("FROM")).and_then(|at| rest.get(at + 1));
        if made.is_some_and(|made| made.kind != Kind::Text) && !rest.iter().any(|token| token.is("AS")) {
            sink.gap(Position::Unfollowed, Reason::Runtime, "PREPARE");
        }
        return;
    }
    let is_block = first
        .is_any(&["BEGIN", "DECLARE", "DO", "FOR", "IF", "ELSE", "ELSIF", "LOOP", "WHILE", "END", "THEN"]);
    let runs = |token: &Token| token.is_any(&["EXECUTE", "EXEC"]);
    let at =
        if runs(first) { Some(0) } else { rest.iter().position(runs).filter(|_| is_block).map(|at| at + 1) };
    let Some(at) = at else { return };
    let behind = rest.get(at..).unwrap_or_default();
    let behind = without(behind, &["IMMEDIATE"]);
    let is_direct =
        runs(first) && !rest.first().is_some_and(|token| token.is("IMMEDIATE") || token.is_sign("("));
    let is_known = behind.first().is_some_and(|token| token.kind == Kind::Text)
        && behind.get(1).is_none_or(|next| !next.is_sign("|"));
    // The name of a statement that was prepared, or of a procedure.
    if !(is_direct || is_known) {
        sink.gap(Position::Unfollowed, Reason::Runtime, "EXECUTE");
    }
}

/// `ATTACH DATABASE 'path' AS x`: what is in that file can be read then.
fn attach(rest: &[Token], sink: &mut dyn Sink) {
    if let Some(path) = without(rest, &["DATABASE"]).first().filter(|path| path.kind == Kind::Text) {
        sink.read(&crate::programs::database_file(&Value::literal(path.text.as_str())));
    }
}

/// The table that a statement makes and that was not there before: `CREATE TABLE x` fails where it was.
pub(super) fn made(statement: &[Token]) -> Option<String> {
    let (first, rest) = statement.split_first()?;
    let rest = without(rest, &["TEMPORARY", "TEMP"]);
    let is_table = first.is("CREATE") && rest.first().is_some_and(|token| token.is("TABLE"));
    let rest = rest.get(1..).filter(|rest| is_table && !rest.first().is_some_and(|token| token.is("IF")))?;
    names(rest).into_iter().next()
}

/// Whether all that a statement drops, empties or deletes from are tables that the same text made.
pub(super) fn drops_own(statement: &[Token], own: &[String]) -> bool {
    let Some((first, rest)) = statement.split_first() else { return false };
    let rest = match first.text.to_ascii_uppercase().as_str() {
        "DROP" if rest.first().is_some_and(|token| token.is("TABLE")) => {
            without(rest, &["TABLE", "IF", "EXISTS"])
        }
        "TRUNCATE" => without(rest, &["TABLE", "ONLY"]),
        "DELETE" => without(rest, &["FROM", "ONLY"]),
        _ => return false,
    };
    let names = names(rest);
    !names.is_empty() && names.iter().all(|name| own.contains(name))
}

fn named(verb: Verb, kind: &'static str, name: &str, flags: Flags, sink: &mut dyn Sink) {
    sink.effect(verb, Target::Named(kind, name.to_owned()), flags, Provenance::NONE);
}

fn destroy(kind: &'static str, name: &str, flags: Flags, sink: &mut dyn Sink) {
    named(Verb::Destroy, kind, name, flags | Flags::IRREVERSIBLE, sink);
}

/// The names between commas at the beginning, each with its schema.
fn names(tokens: &[Token]) -> Vec<String> {
    let mut names = vec![String::new()];
    for token in tokens {
        match token.kind {
            Kind::Sign if token.text == "," => names.push(String::new()),
            Kind::Sign if token.text == "." || token.text == "*" => {
                if let Some(last) = names.last_mut() {
                    last.push_str(&token.text);
                }
            }
            Kind::Word
                if token.is_any(&[
                    "CASCADE", "RESTRICT", "ON", "SET", "WHERE", "USING", "AS", "RESTART", "CONTINUE",
                    "PURGE",
                ]) =>
            {
                break;
            }
            Kind::Word | Kind::Name | Kind::Text => match names.last_mut() {
                Some(last) if last.is_empty() || last.ends_with('.') => last.push_str(&token.text),
                Some(_) | None => break,
            },
            Kind::Client | Kind::End | Kind::Number | Kind::Sign => break,
        }
    }
    names.retain(|name| !name.is_empty());
    names
}

fn without<'t>(tokens: &'t [Token], words: &[&str]) -> &'t [Token] {
    let skipped = tokens.iter().take_while(|token| token.is_any(words)).count();
    tokens.get(skipped..).unwrap_or_default()
}

fn drop(rest: &[Token], sink: &mut dyn Sink) {
    if rest.first().is_some_and(|token| token.is_any(&["TEMPORARY", "TEMP"])) {
        return;
    }
    let rest = without(rest, &["MATERIALIZED", "FOREIGN", "UNIQUE", "IF", "PUBLIC"]);
    let Some((kind, rest)) = rest.split_first() else { return };
    if kind.kind != Kind::Word {
        return;
    }
    let kind = match kind.text.to_ascii_uppercase().as_str() {
        "DATABASE" | "SCHEMA" | "TABLESPACE" | "OWNED" | "KEYSPACE" => "database",
        "INDEX" => "index",
        "USER" | "ROLE" | "LOGIN" => "account",
        "TABLE" | "TABLES" | "VIEW" | "SEQUENCE" | "TYPE" | "FUNCTION" | "PROCEDURE" | "TRIGGER"
        | "EXTENSION" | "COLLECTION" => "table",
        _ => return,
    };
    let rest = without(rest, &["CONCURRENTLY", "IF", "EXISTS", "BY"]);
    for name in names(rest) {
        destroy(kind, &name, Flags::NONE, sink);
    }
}

fn truncate(rest: &[Token], sink: &mut dyn Sink) {
    for name in names(without(rest, &["TABLE", "ONLY"])) {
        destroy("rows", &name, Flags::NO_WHERE | Flags::ALL, sink);
    }
}

fn delete(rest: &[Token], sink: &mut dyn Sink) {
    let Some(from) = rest.iter().position(|token| token.is("FROM")).filter(|at| *at < 4) else { return };
    let rest = without(rest.get(from + 1..).unwrap_or_default(), &["ONLY"]);
    if !conditional(rest) {
        let name = names(rest).into_iter().next().unwrap_or_default();
        destroy("rows", &name, Flags::NO_WHERE, sink);
    }
}

fn update(rest: &[Token], sink: &mut dyn Sink) {
    let rest = without(rest, &["LOW_PRIORITY", "IGNORE", "ONLY", "OR", "REPLACE", "ROLLBACK"]);
    let sets = rest.iter().any(|token| token.is("SET"));
    if sets && !conditional(rest) {
        let name = names(rest).into_iter().next().unwrap_or_default();
        destroy("rows", &name, Flags::NO_WHERE, sink);
    }
}

/// Whether a condition narrows what a statement touches.
fn conditional(tokens: &[Token]) -> bool {
    if tokens.iter().any(|token| token.is("LIMIT")) {
        return true;
    }
    let Some(at) = tokens.iter().position(|token| token.is("WHERE")) else { return false };
    let condition: Vec<&Token> =
        tokens.iter().skip(at + 1).take_while(|token| !token.is_any(&["RETURNING", "ORDER"])).collect();
    !condition.split(|token| token.is("OR")).any(|part| part.split(|token| token.is("AND")).all(always))
}

/// Whether a comparison is true whatever the row: `1`, `1=1`, `true`, `'a'='a'`.
fn always(part: &[&Token]) -> bool {
    let bare: Vec<&&Token> = part.iter().filter(|token| !token.is_sign("(") && !token.is_sign(")")).collect();
    let constant = |token: &Token| token.kind == Kind::Number || token.kind == Kind::Text;
    match bare.as_slice() {
        [only] => only.is("TRUE") || (only.kind == Kind::Number && only.text != "0"),
        [left, sign, right] => {
            sign.is_sign("=")
                && left.kind == right.kind
                && left.text == right.text
                && (constant(left) || left.kind == Kind::Word)
        }
        [left, first, _, right] => {
            let unequal = first.is_sign("<") || first.is_sign("!") || first.is_sign("=");
            unequal && constant(left) && constant(right) && (left.text == right.text) == first.is_sign("=")
        }
        _ => false,
    }
}

fn alter(rest: &[Token], sink: &mut dyn Sink) {
    let is_table = rest.first().is_some_and(|token| token.is("TABLE"));
    if rest.first().is_some_and(|token| token.is_any(&["USER", "ROLE", "LOGIN"])) {
        return account(rest, sink);
    }
    if is_table && mutates(rest) {
        let name = names(table_of(rest)).into_iter().next().unwrap_or_default();
        return destroy("rows", &name, Flags::NO_WHERE, sink);
    }
    let Some(at) = rest.iter().position(|token| token.is("DROP")).filter(|_| is_table) else { return };
    let what = rest.get(at + 1);
    let harmless = [
        "CONSTRAINT",
        "DEFAULT",
        "NOT",
        "FOREIGN",
        "PRIMARY",
        "INDEX",
        "KEY",
        "EXPRESSION",
        "IDENTITY",
        "CHECK",
    ];
    let alters_column = at
        .checked_sub(2)
        .and_then(|before| rest.get(before))
        .is_some_and(|token| token.is_any(&["COLUMN", "ALTER"]));
    if what.is_some_and(|token| token.is_any(&harmless)) || alters_column {
        return;
    }
    let name = names(table_of(rest)).into_iter().next().unwrap_or_default();
    destroy("table", &name, Flags::NONE, sink);
}

/// What follows `TABLE`.
fn table_of(rest: &[Token]) -> &[Token] {
    without(rest.get(1..).unwrap_or_default(), &["IF", "EXISTS", "ONLY"])
}

/// `ClickHouse`'s `ALTER TABLE t DELETE WHERE 1` and `… UPDATE a = 1 WHERE 1`: every row is rewritten.
fn mutates(rest: &[Token]) -> bool {
    let at = rest.iter().skip(2).position(|token| token.is_any(&["DELETE", "UPDATE"])).map(|at| at + 2);
    let mutation = at.and_then(|at| rest.get(at + 1..)).unwrap_or_default();
    let cascades = at.and_then(|at| rest.get(at - 1)).is_some_and(|before| before.is("ON"));
    mutation.iter().any(|token| token.is("WHERE")) && !cascades && !conditional(mutation)
}

fn grant(rest: &[Token], sink: &mut dyn Sink) {
    let all = rest.first().is_some_and(|token| token.is_any(&["ALL", "SUPER", "SUPERUSER"]));
    if !all {
        return;
    }
    let to = rest.iter().position(|token| token.is("TO")).and_then(|at| rest.get(at + 1));
    named(Verb::Account, "account", to.map_or("", |token| token.text.as_str()), Flags::ALL, sink);
}

fn account(rest: &[Token], sink: &mut dyn Sink) {
    let at = rest.iter().position(|token| token.is_any(&["USER", "ROLE", "LOGIN"])).unwrap_or(0);
    let name = without(rest.get(at + 1..).unwrap_or_default(), &["IF", "NOT", "EXISTS"]).first();
    named(Verb::Account, "account", name.map_or("", |token| token.text.as_str()), Flags::NONE, sink);
}

/// `COPY t TO 'path'`, `COPY t FROM PROGRAM 'cmd'`.
fn copy(rest: &[Token], sink: &mut dyn Sink) {
    let Some(at) = rest.iter().rposition(|token| token.is_any(&["TO", "FROM"])) else { return };
    let from = rest.get(at).is_some_and(|token| token.is("FROM"));
    let after = rest.get(at + 1..).unwrap_or_default();
    match after {
        [program, command, ..] if program.is("PROGRAM") && command.kind == Kind::Text => {
            shell(&command.text, sink);
        }
        [path, ..] if path.kind == Kind::Text && from => {
            sink.read(&Value::literal(path.text.as_str()));
        }
        [path, ..] if path.kind == Kind::Text => write(&path.text, sink),
        _ => {}
    }
}

fn shell(command: &str, sink: &mut dyn Sink) {
    sink.code(Lang::Shell, &Value::literal(command));
}

fn write(path: &str, sink: &mut dyn Sink) {
    sink.write(&Value::literal(path), &Value::unknown("results", Provenance::NONE), Flags::TRUNCATE);
}

/// A statement given as a string to another.
fn nested(rest: &[Token], depth: u32, sink: &mut dyn Sink) {
    let inner = rest.iter().find(|token| token.kind == Kind::Text).filter(|_| depth < DEPTH_MOST);
    let calls_shell = rest.iter().any(|token| token.is("xp_cmdshell"));
    if let Some(text) = inner.filter(|_| !calls_shell) {
        read_nested(&text.text, depth + 1, sink);
    }
}

/// Statements inside of `WITH` and `EXPLAIN ANALYZE`.
fn inner(rest: &[Token], depth: u32, sink: &mut dyn Sink) {
    let explains = rest.first().is_some_and(|token| token.kind == Kind::Word && !token.is("ANALYZE"));
    for (at, token) in
        rest.iter().enumerate().filter(|(_, token)| token.is_any(&["DELETE", "UPDATE", "TRUNCATE"])).take(8)
    {
        let opens = at == 0
            || rest
                .get(at - 1)
                .is_some_and(|before| before.is_sign("(") || before.is_sign(")") || before.is("ANALYZE"));
        let body = rest.get(at..).unwrap_or_default();
        let closes = body.iter().position(|token| token.is_sign(")")).unwrap_or(body.len());
        let body = body.get(..closes).unwrap_or_default();
        if opens && (!explains || token.is_any(&["DELETE", "UPDATE"])) && depth < DEPTH_MOST {
            match token.text.to_ascii_uppercase().as_str() {
                "DELETE" => delete(body.get(1..).unwrap_or_default(), sink),
                "UPDATE" => update(body.get(1..).unwrap_or_default(), sink),
                _ => {}
            }
        }
    }
}

/// `LOAD DATA INFILE 'path'`, `LOAD 'library'`.
fn load(rest: &[Token], sink: &mut dyn Sink) {
    match rest {
        [library, ..] if library.kind == Kind::Text => {
            sink.path(Verb::Execute, &Value::literal(library.text.as_str()), Flags::HOOK);
        }
        _ => {
            let path = rest
                .iter()
                .skip_while(|token| !token.is("INFILE"))
                .nth(1)
                .filter(|path| path.kind == Kind::Text);
            if let Some(path) = path {
                sink.read(&Value::literal(path.text.as_str()));
            }
        }
    }
}

fn written_after(tokens: &[Token], word: &str, sink: &mut dyn Sink) {
    let path = tokens.iter().skip_while(|token| !token.is(word)).nth(1);
    if let Some(path) = path.filter(|path| path.kind == Kind::Text) {
        write(&path.text, sink);
    }
}

/// Functions and clauses that reach outside, wherever they stand in a statement.
fn functions(statement: &[Token], sink: &mut dyn Sink) {
    let listed = listed(statement);
    for (at, token) in statement.iter().enumerate().filter(|(_, token)| token.kind == Kind::Word) {
        let rest = statement.get(at + 1..).unwrap_or_default();
        let called = rest.first().is_some_and(|token| token.is_sign("("));
        let argument =
            |which: usize| computed(arguments(rest).get(which).copied().unwrap_or_default(), &listed);
        let text = || {
            let text = rest.iter().take(6).find(|token| token.kind == Kind::Text);
            let unknown = || Value::unknown("expression", Provenance::NONE);
            text.map_or_else(unknown, |token| Value::literal(token.text.as_str()))
        };
        match token.text.to_ascii_lowercase().as_str() {
            "outfile" | "dumpfile" => write(&text().shown(), sink),
            "utl_file" if called => {
                sink.read(&text());
            }
            "load_file"
            | "pg_read_file"
            | "pg_read_binary_file"
            | "lo_import"
            | "readfile"
            | "read_text"
            | "read_blob"
                if called =>
            {
                sink.read(&argument(0));
            }
            "pg_ls_dir" if called => sink.path(Verb::Read, &argument(0), Flags::METADATA),
            "lo_export" if called => {
                sink.write(&argument(1), &Value::unknown("results", Provenance::NONE), Flags::TRUNCATE);
            }
            "writefile" if called => sink.write(&argument(0), &argument(1), Flags::TRUNCATE),
            "load_extension" if called => sink.path(Verb::Execute, &argument(0), Flags::HOOK),
            // sqlite's shell starts what it is given as the editor; without one it takes that of the environment.
            "edit" if called => {
                if arguments(rest).len() > 1 {
                    sink.code(Lang::Shell, &argument(1));
                } else if sink.changes_variable("VISUAL") {
                    let editor = sink.variable("VISUAL");
                    sink.code(Lang::Shell, &editor);
                }
            }
            "sys_exec" | "sys_eval" if called => {
                sink.code(Lang::Shell, &argument(0));
            }
            "xp_cmdshell" => {
                sink.code(Lang::Cmd, &text());
            }
            _ => {}
        }
    }
}

/// The arguments of a call, from its parenthesis on.
fn arguments(call: &[Token]) -> Vec<&[Token]> {
    let mut depth = 0_usize;
    let mut ends = Vec::new();
    for (at, token) in call.iter().enumerate() {
        match token.text.as_str() {
            "(" if token.kind == Kind::Sign => depth += 1,
            ")" if token.kind == Kind::Sign && depth == 1 => {
                ends.push(at);
                break;
            }
            ")" if token.kind == Kind::Sign => depth = depth.saturating_sub(1),
            "," if token.kind == Kind::Sign && depth == 1 => ends.push(at),
            _ => {}
        }
    }
    let mut start = 1;
    let mut arguments = Vec::new();
    for end in ends {
        arguments.push(call.get(start..end).unwrap_or_default());
        start = end + 1;
    }
    arguments
}

/// What an expression becomes: texts that are joined; names of files where a listing of a directory is selected from.
fn computed(expression: &[Token], listed: &[Value]) -> Value {
    let mut value = Value::default();
    let mut depth = 0_usize;
    for part in expression.split(|token| {
        match token.text.as_str() {
            "(" if token.kind == Kind::Sign => depth += 1,
            ")" if token.kind == Kind::Sign => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && token.is_sign("|")
    }) {
        match part {
            // Between the two signs of `||`.
            [] => {}
            [text] if text.kind == Kind::Text => value.push_str(&text.text),
            [.., name] if name.is("name") && part.len() <= 3 => match listed {
                [only] => value.push(only),
                _ => value.push(&Value::unknown("name", Provenance::NONE)),
            },
            _ => value.push(&Value::unknown("expression", Provenance::NONE)),
        }
    }
    value
}

/// The paths that a statement goes through: `fsdir("/x")` is everything in it.
fn listed(statement: &[Token]) -> Vec<Value> {
    let calls = statement.iter().enumerate().filter(|(_, token)| token.is_any(&["FSDIR", "LSDIR"]));
    calls
        .filter_map(|(at, _)| {
            let arguments = arguments(statement.get(at + 1..)?);
            let mut path = computed(arguments.first()?, &[]);
            path.push_str("/");
            path.push(&crate::scripts::globbed(&Value::literal("*")));
            Some(path)
        })
        .collect()
}
