//! SQL of any dialect, with the commands of the clients: psql's `\!`, sqlite's `.shell`, mysql's `system`.

mod client;
mod lexer;
mod statement;

use super::span;
use crate::sink::Sink;

use lexer::{Kind, Token};

/// Reads statements and client commands.
pub(super) fn read(text: &str, sink: &mut dyn Sink) {
    let Ok(units) = u32::try_from(text.len() / 16 + 1) else { return };
    if sink.spend(units).is_err() {
        return;
    }
    read_nested(text, 0, sink);
}

/// How deeply statements may be given as strings to others.
const DEPTH_MOST: u32 = 4;

fn read_nested(text: &str, depth: u32, sink: &mut dyn Sink) {
    let mut statement: Vec<Token> = Vec::new();
    let mut defining = false;
    let mut made: Vec<String> = Vec::new();
    for token in lexer::tokens(text) {
        match token.kind {
            Kind::Client => {
                finish(&std::mem::take(&mut statement), &mut defining, &mut made, depth, sink);
                sink.at(span(token.at, token.at + token.text.len()));
                client::command(&token.text, sink);
            }
            Kind::End => finish(&std::mem::take(&mut statement), &mut defining, &mut made, depth, sink),
            Kind::Name | Kind::Number | Kind::Sign | Kind::Text | Kind::Word => statement.push(token),
        }
    }
    finish(&statement, &mut defining, &mut made, depth, sink);
}

/// A statement has ended. What stands in the body of a trigger or a function only runs when that is called.
fn finish(statement: &[Token], defining: &mut bool, made: &mut Vec<String>, depth: u32, sink: &mut dyn Sink) {
    let (Some(first), Some(last)) = (statement.first(), statement.last()) else { return };
    if *defining {
        *defining = !first.is("END");
        return;
    }
    sink.at(span(first.at, last.at + last.text.len()));
    let body = first.is("CREATE")
        && statement.iter().take(6).any(|token| token.is_any(&["TRIGGER", "PROCEDURE", "FUNCTION", "EVENT"]));
    *defining = body && statement.iter().any(|token| token.is("BEGIN"));
    made.extend(statement::made(statement));
    if !body && !statement::drops_own(statement, made) {
        statement::read(statement, depth, sink);
    }
}
