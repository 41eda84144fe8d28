//! Names, literals, brackets, and what follows them.

use std::rc::Rc;

use super::super::ast::{Clause, Comprehension, Expression, Node, Step, TextPart, Trailer};
use super::super::lexer::{Kind, Within, tokens};
use super::super::strings::{Inside, Part, bytes_of, parts, unescape};
use super::targets::check_target;
use super::{Parse, Parser, Problem};
use crate::gap::Reason;

/// What reading a field of a formatted string costs over its tokens.
const FIELD: usize = 8;
/// What reading the text between two fields costs: it is copied three times.
const BETWEEN_FIELDS: usize = 2;

impl Parser<'_, '_> {
    /// An atom with its attributes, calls and subscripts.
    pub(super) fn primary(&mut self) -> Parse<Expression> {
        let start = self.start();
        let atom = self.atom()?;
        let mut trailers = Vec::new();
        while self.kind() == Kind::Operator {
            let kind = match self.word() {
                "." => {
                    self.advance();
                    Step::Attribute(self.name()?)
                }
                "(" => {
                    self.advance();
                    Step::Call(self.deeper(Self::arguments)?)
                }
                "[" => {
                    self.advance();
                    let index = self.deeper(Self::subscript)?;
                    self.expect_operator("]")?;
                    Step::Subscript(index)
                }
                _ => break,
            };
            trailers.push(Trailer { span: self.since(start), kind });
        }
        if trailers.is_empty() {
            return Ok(atom);
        }
        Ok(Expression { span: self.since(start), kind: Node::Trail(Box::new(atom), trailers) })
    }

    fn subscript(&mut self) -> Parse<Expression> {
        let start = self.start();
        let first = self.slice()?;
        if !self.at_operator(",") {
            return Ok(first);
        }
        let mut items = vec![first];
        while self.operator(",") && !self.at_operator("]") {
            items.push(self.slice()?);
        }
        Ok(Expression { span: self.since(start), kind: Node::Tuple(items) })
    }

    fn slice(&mut self) -> Parse<Expression> {
        let start = self.start();
        let bound = |parser: &mut Self| {
            let absent = [":", "]", ","].iter().any(|operator| parser.at_operator(operator));
            if absent { Ok(None) } else { parser.starred_or(Self::named).map(Some) }
        };
        let low = bound(self)?;
        if !self.at_operator(":") {
            return low.ok_or_else(|| self.problem());
        }
        self.advance();
        let high = bound(self)?;
        let step = if self.operator(":") { bound(self)? } else { None };
        Ok(Expression { span: self.since(start), kind: Node::Slice(Box::new([low, high, step])) })
    }

    fn atom(&mut self) -> Parse<Expression> {
        let start = self.start();
        let kind = match self.kind() {
            Kind::Name => Node::Name(self.name()?),
            Kind::Number => self.number()?,
            Kind::String => self.text()?,
            Kind::Keyword => self.constant()?,
            Kind::Operator => return self.bracket(),
            Kind::Dedent | Kind::End | Kind::Error | Kind::Indent | Kind::Newline => {
                return Err(self.problem());
            }
        };
        Ok(Expression { span: self.since(start), kind })
    }

    fn constant(&mut self) -> Parse<Node> {
        let node = match self.word() {
            "None" => Node::None,
            "True" => Node::Bool(true),
            "False" => Node::Bool(false),
            _ => return Err(self.problem()),
        };
        self.advance();
        Ok(node)
    }

    fn number(&mut self) -> Parse<Node> {
        let digits: String = self.word().to_ascii_lowercase();
        if digits.ends_with('_') || digits.contains("__") {
            return Err(self.problem());
        }
        let node = number(&digits.replace('_', "")).ok_or_else(|| self.problem())?;
        self.advance();
        Ok(node)
    }

    fn bracket(&mut self) -> Parse<Expression> {
        let start = self.start();
        let opening = self.word();
        match opening {
            "(" | "[" | "{" | "..." | "`" => self.advance(),
            _ => return Err(self.problem()),
        }
        match opening {
            "(" => self.deeper(|parser| parser.parenthesis(start)),
            "[" => self.deeper(|parser| parser.list(start)),
            "{" => self.deeper(|parser| parser.braces(start)),
            "..." => Ok(Expression { span: self.since(start), kind: Node::Ellipsis }),
            _ => Err(self.problem()),
        }
    }

    fn parenthesis(&mut self, start: u32) -> Parse<Expression> {
        if self.operator(")") {
            return Ok(Expression { span: self.since(start), kind: Node::Tuple(Vec::new()) });
        }
        if self.at_keyword("yield") {
            let value = self.yield_expression()?;
            self.expect_operator(")")?;
            return Ok(value);
        }
        let first = self.starred_or(Self::named)?;
        if self.begins_comprehension() {
            let generator = self.comprehension(start, first, None)?;
            self.expect_operator(")")?;
            return Ok(generator);
        }
        if self.operator(")") {
            let starred = matches!(first.kind, Node::Starred(_));
            return if starred { Err(self.problem()) } else { Ok(first) };
        }
        let items = self.rest_of_items(first, ")")?;
        Ok(Expression { span: self.since(start), kind: Node::Tuple(items) })
    }

    fn list(&mut self, start: u32) -> Parse<Expression> {
        if self.operator("]") {
            return Ok(Expression { span: self.since(start), kind: Node::List(Vec::new()) });
        }
        let first = self.starred_or(Self::named)?;
        if self.begins_comprehension() {
            let list = self.comprehension(start, first, None)?;
            self.expect_operator("]")?;
            return Ok(list);
        }
        let items = self.rest_of_items(first, "]")?;
        Ok(Expression { span: self.since(start), kind: Node::List(items) })
    }

    fn rest_of_items(&mut self, first: Expression, end: &str) -> Parse<Vec<Expression>> {
        let mut items = vec![first];
        while self.operator(",") {
            if self.at_operator(end) {
                break;
            }
            items.push(self.starred_or(Self::named)?);
        }
        self.expect_operator(end)?;
        Ok(items)
    }

    fn braces(&mut self, start: u32) -> Parse<Expression> {
        if self.at_operator("}") || self.at_operator("**") {
            return self.dictionary(start, Vec::new());
        }
        let first = self.starred_or(Self::named)?;
        if self.operator(":") {
            let value = self.expression()?;
            if self.begins_comprehension() {
                let dictionary = self.comprehension(start, first, Some(value))?;
                self.expect_operator("}")?;
                return Ok(dictionary);
            }
            if !self.operator(",") {
                self.expect_operator("}")?;
                return Ok(Expression {
                    span: self.since(start),
                    kind: Node::Dict(vec![(Some(first), value)]),
                });
            }
            return self.dictionary(start, vec![(Some(first), value)]);
        }
        if self.begins_comprehension() {
            let set = self.comprehension(start, first, None)?;
            self.expect_operator("}")?;
            return Ok(set);
        }
        let items = self.rest_of_items(first, "}")?;
        Ok(Expression { span: self.since(start), kind: Node::Set(items) })
    }

    fn dictionary(
        &mut self,
        start: u32,
        mut items: Vec<(Option<Expression>, Expression)>,
    ) -> Parse<Expression> {
        while !self.at_operator("}") {
            if self.operator("**") {
                items.push((None, self.operands()?));
            } else {
                let key = self.expression()?;
                self.expect_operator(":")?;
                items.push((Some(key), self.expression()?));
            }
            if !self.operator(",") {
                break;
            }
        }
        self.expect_operator("}")?;
        Ok(Expression { span: self.since(start), kind: Node::Dict(items) })
    }

    pub(super) fn begins_comprehension(&self) -> bool {
        self.at_keyword("for") || (self.at_keyword("async") && self.word_of(self.peek(1)) == "for")
    }

    pub(super) fn comprehension(
        &mut self,
        start: u32,
        element: Expression,
        value: Option<Expression>,
    ) -> Parse<Expression> {
        let mut clauses = Vec::new();
        while self.begins_comprehension() {
            self.keyword("async");
            self.expect_keyword("for")?;
            let target = self.loop_target()?;
            self.expect_keyword("in")?;
            let items = self.disjunction()?;
            let mut conditions = Vec::new();
            while self.keyword("if") {
                conditions.push(self.condition()?);
            }
            clauses.push(Clause { target, items, conditions });
        }
        let comprehension = Comprehension { element, value, clauses };
        Ok(Expression { span: self.since(start), kind: Node::Comprehension(Box::new(comprehension)) })
    }

    /// A condition of a comprehension: no bare conditional expression, but a walrus may stand there.
    fn condition(&mut self) -> Parse<Expression> {
        let walrus = self.kind() == Kind::Name && self.word_of(self.peek(1)) == ":=";
        if walrus || self.at_keyword("lambda") { self.named() } else { self.disjunction() }
    }

    /// The targets of `for`, before `in`.
    pub(super) fn loop_target(&mut self) -> Parse<Expression> {
        let start = self.start();
        let mut items = vec![self.starred_or(Self::operands)?];
        let mut tuple = false;
        while self.operator(",") {
            tuple = true;
            if self.at_keyword("in") {
                break;
            }
            items.push(self.starred_or(Self::operands)?);
        }
        let single = if tuple { None } else { items.pop() };
        let target =
            single.unwrap_or_else(|| Expression { span: self.since(start), kind: Node::Tuple(items) });
        check_target(&target)?;
        Ok(target)
    }

    /// String literals that stand next to each other.
    fn text(&mut self) -> Parse<Node> {
        let mut parts = Vec::new();
        let (mut bytes, mut seen_bytes) = (Vec::new(), false);
        while self.kind() == Kind::String {
            let literal = Literal::new(self.word(), self.start() as usize);
            if literal.bytes != seen_bytes && !(parts.is_empty() && bytes.is_empty()) {
                return Err(self.problem());
            }
            seen_bytes = literal.bytes;
            self.literal(&literal, &mut parts, &mut bytes)?;
            self.advance();
        }
        Ok(if seen_bytes { Node::Bytes(Rc::from(bytes)) } else { Node::Text(parts) })
    }

    fn literal(&mut self, literal: &Literal, into: &mut Vec<TextPart>, bytes: &mut Vec<u8>) -> Parse<()> {
        let raw = self.text.get(literal.start..literal.end).unwrap_or_default();
        if literal.formatted {
            let inside = if literal.raw { Inside::Raw } else { Inside::Escaped };
            return self.fields(literal.start, literal.end, inside, into);
        }
        let text = if literal.raw { raw.to_owned() } else { unescape(raw) };
        if literal.bytes {
            bytes.extend(bytes_of(&text));
        } else {
            into.push(TextPart::Literal(text));
        }
        Ok(())
    }

    fn fields(&mut self, start: usize, end: usize, inside: Inside, into: &mut Vec<TextPart>) -> Parse<()> {
        let parts = parts(self.text, start, end, inside).ok_or_else(|| self.problem())?;
        for part in parts {
            match part {
                Part::Plain(start, end) => {
                    self.pay(BETWEEN_FIELDS)?;
                    let raw =
                        self.text.get(start..end).unwrap_or_default().replace("{{", "{").replace("}}", "}");
                    into.push(TextPart::Literal(if inside == Inside::Raw { raw } else { unescape(&raw) }));
                }
                Part::Field { start, end, specification } => {
                    let value = self.field(start, end)?;
                    let mut format = Vec::new();
                    if let Some((start, end)) = specification {
                        self.deeper(|parser| parser.fields(start, end, Inside::Specification, &mut format))?;
                    }
                    into.push(TextPart::Field(value, format));
                }
            }
        }
        Ok(())
    }

    /// Takes work units.
    fn pay(&mut self, units: usize) -> Parse<()> {
        if (self.meter)(units) { Ok(()) } else { Err(Problem { reason: Reason::Fuel, ..self.problem() }) }
    }

    /// An expression inside an f-string: its tokens take the place of the others until it is read.
    fn field(&mut self, start: usize, end: usize) -> Parse<Expression> {
        let inner = tokens(self.text, start, end, Within::Field);
        // A field is read by a pass of its own, which costs more than its tokens.
        self.pay(inner.len() + FIELD)?;
        let outer = (std::mem::replace(&mut self.tokens, inner), std::mem::take(&mut self.at));
        let result = self.deeper(|parser| {
            let yielded = parser.at_keyword("yield");
            let value = if yielded { parser.yield_expression()? } else { parser.list_with_stars()? };
            if parser.kind() == Kind::End { Ok(value) } else { Err(parser.problem()) }
        });
        (self.tokens, self.at) = outer;
        result
    }
}

/// A string literal, taken apart.
struct Literal {
    raw: bool,
    bytes: bool,
    formatted: bool,
    /// Where its inside stands in the text.
    start: usize,
    end: usize,
}

impl Literal {
    fn new(word: &str, at: usize) -> Self {
        let prefix = word.bytes().take_while(u8::is_ascii_alphabetic).count();
        let has = |letter: u8| word.bytes().take(prefix).any(|byte| byte.eq_ignore_ascii_case(&letter));
        let quoted = word.get(prefix..).unwrap_or_default();
        let triple = quoted.len() >= 6 && (quoted.starts_with("\"\"\"") || quoted.starts_with("'''"));
        let quote = if triple { 3 } else { 1 };
        Self {
            raw: has(b'r'),
            bytes: has(b'b'),
            formatted: has(b'f') || has(b't'),
            start: at + prefix + quote,
            end: (at + word.len()).saturating_sub(quote),
        }
    }
}

/// A number without underscores, lower case; `None` when it is none.
fn number(digits: &str) -> Option<Node> {
    for (prefix, radix) in [("0x", 16), ("0o", 8), ("0b", 2)] {
        if let Some(rest) = digits.strip_prefix(prefix) {
            let valid = !rest.is_empty() && rest.chars().all(|digit| digit.is_digit(radix));
            return valid.then(|| i64::from_str_radix(rest, radix).map_or(Node::Float, Node::Int));
        }
    }
    if digits.bytes().all(|byte| byte.is_ascii_digit()) {
        // `0755` was octal in Python 2; in Python 3 it is no number at all.
        let radix = if digits.len() > 1 && digits.starts_with('0') { 8 } else { 10 };
        return Some(i64::from_str_radix(digits, radix).map_or(Node::Float, Node::Int));
    }
    let real = digits.strip_suffix(['j', 'l']).unwrap_or(digits);
    real.parse::<f64>().ok().map(|_| Node::Float)
}
