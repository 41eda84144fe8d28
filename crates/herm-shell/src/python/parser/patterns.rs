//! The patterns of `case`: all that is kept of them are the names that they bind.

use super::super::ast::Name;
use super::super::lexer::Kind;
use super::{Parse, Parser};

impl Parser<'_, '_> {
    /// A pattern, or several with commas between them.
    pub(super) fn open_pattern(&mut self, names: &mut Vec<Name>) -> Parse<()> {
        self.star_pattern(names)?;
        while self.operator(",") {
            if self.at_operator(":") || self.at_keyword("if") {
                break;
            }
            self.star_pattern(names)?;
        }
        Ok(())
    }

    fn star_pattern(&mut self, names: &mut Vec<Name>) -> Parse<()> {
        if self.operator("*") { self.capture(names) } else { self.pattern(names) }
    }

    fn capture(&mut self, names: &mut Vec<Name>) -> Parse<()> {
        let name = self.name()?;
        if &*name != "_" {
            names.push(name);
        }
        Ok(())
    }

    fn pattern(&mut self, names: &mut Vec<Name>) -> Parse<()> {
        self.deeper(|parser| {
            parser.closed_pattern(names)?;
            while parser.operator("|") {
                parser.closed_pattern(names)?;
            }
            if parser.keyword("as") { parser.capture(names) } else { Ok(()) }
        })
    }

    fn closed_pattern(&mut self, names: &mut Vec<Name>) -> Parse<()> {
        match self.kind() {
            Kind::String => {
                while self.take(Kind::String) {}
                Ok(())
            }
            Kind::Number => self.number_pattern(),
            Kind::Keyword if matches!(self.word(), "None" | "True" | "False") => {
                self.advance();
                Ok(())
            }
            Kind::Name => self.name_pattern(names),
            Kind::Operator => self.bracket_pattern(names),
            Kind::Dedent | Kind::End | Kind::Error | Kind::Indent | Kind::Keyword | Kind::Newline => {
                Err(self.problem())
            }
        }
    }

    /// A number, which may be a sum with an imaginary one.
    fn number_pattern(&mut self) -> Parse<()> {
        loop {
            if !self.take(Kind::Number) {
                return Err(self.problem());
            }
            if !(self.operator("+") || self.operator("-")) {
                return Ok(());
            }
        }
    }

    fn name_pattern(&mut self, names: &mut Vec<Name>) -> Parse<()> {
        let dotted = self.word_of(self.peek(1)) == ".";
        let name = self.dotted()?;
        if self.operator("(") {
            return self.listed(names, ")", Self::class_argument);
        }
        if !dotted && &*name != "_" {
            names.push(name);
        }
        Ok(())
    }

    fn class_argument(&mut self, names: &mut Vec<Name>) -> Parse<()> {
        if self.kind() == Kind::Name && self.word_of(self.peek(1)) == "=" {
            self.advance();
            self.advance();
        }
        self.pattern(names)
    }

    fn bracket_pattern(&mut self, names: &mut Vec<Name>) -> Parse<()> {
        let opening = self.word();
        self.advance();
        match opening {
            "-" => self.number_pattern(),
            "(" => self.listed(names, ")", Self::star_pattern),
            "[" => self.listed(names, "]", Self::star_pattern),
            "{" => self.listed(names, "}", Self::mapping_item),
            _ => Err(self.problem()),
        }
    }

    fn mapping_item(&mut self, names: &mut Vec<Name>) -> Parse<()> {
        if self.operator("**") {
            return self.capture(names);
        }
        self.closed_pattern(&mut Vec::new())?;
        self.expect_operator(":")?;
        self.pattern(names)
    }

    fn listed(
        &mut self,
        names: &mut Vec<Name>,
        end: &str,
        item: fn(&mut Self, &mut Vec<Name>) -> Parse<()>,
    ) -> Parse<()> {
        while !self.at_operator(end) {
            item(self, names)?;
            if !self.operator(",") {
                break;
            }
        }
        self.expect_operator(end)
    }
}
