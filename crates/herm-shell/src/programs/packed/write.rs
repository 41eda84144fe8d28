//! Writes programs down as bytes. All of it runs while the crate is compiled.

use super::super::schema::{Aim, Deed, Do, Operands, Opt, Program, Refine, Role, Takes};
use super::codes;
use crate::lang::Lang;

/// Bytes as they are written; past the end they are only counted.
pub(super) struct Writer<const BYTES: usize, const REFINED: usize> {
    pub(super) bytes: [u8; BYTES],
    pub(super) length: usize,
    /// Functions have no number: they stand aside, in the order in which they are met.
    pub(super) refine: [Option<Refine>; REFINED],
    pub(super) refined: usize,
}

/// Writes how many there are, and then each.
macro_rules! list {
    ($writer:ident, $items:expr, $write:ident) => {
        let mut items = $items;
        $writer.number(items.len());
        while let [first, rest @ ..] = items {
            $writer.$write(first);
            items = rest;
        }
    };
}

/// How many bytes a number takes.
pub(super) const fn number_length(number: usize) -> usize {
    let (mut rest, mut length) = (number, 1);
    while rest > 0x7f {
        rest >>= 7;
        length += 1;
    }
    length
}

impl<const BYTES: usize, const REFINED: usize> Writer<BYTES, REFINED> {
    pub(super) const fn new() -> Self {
        Self { bytes: [0; BYTES], length: 0, refine: [None; REFINED], refined: 0 }
    }

    #[expect(clippy::indexing_slicing, reason = "a wrong place does not compile")]
    const fn byte(&mut self, byte: u8) {
        if self.length < BYTES {
            self.bytes[self.length] = byte;
        }
        self.length += 1;
    }

    const fn number(&mut self, number: usize) {
        self.bits(number as u64);
    }

    /// Seven bits a byte, the lowest first; the eighth says that more follow.
    const fn bits(&mut self, mut bits: u64) {
        while bits > 0x7f {
            self.byte((bits & 0x7f) as u8 | 0x80);
            bits >>= 7;
        }
        self.byte((bits & 0x7f) as u8);
    }

    const fn text(&mut self, text: &str) {
        self.number(text.len());
        let bytes = text.as_bytes();
        if let Some((_, rest)) = self.bytes.split_at_mut_checked(self.length)
            && let Some((place, _)) = rest.split_at_mut_checked(bytes.len())
        {
            place.copy_from_slice(bytes);
        }
        self.length += bytes.len();
    }

    const fn word(&mut self, word: &&str) {
        self.text(word);
    }

    /// The number of a variant. One without a number could not be read back, and does not compile.
    const fn code(&mut self, code: Option<u8>) {
        assert!(code.is_some(), "a variant has no number");
        if let Some(code) = code {
            self.byte(code);
        }
    }

    pub(super) const fn program(&mut self, program: &Program) {
        list!(self, program.names, word);
        self.code(codes::syntax(&program.syntax));
        self.code(codes::naming(&program.naming));
        list!(self, program.options, option);
        self.operands(&program.operands);
        list!(self, program.does, deed);
        self.role(&program.stdin);
        self.code(codes::source(&program.stdout));
        list!(self, program.env, pair);
        self.refined(program.refine);
        list!(self, program.subs, program);
    }

    #[expect(clippy::indexing_slicing, reason = "a wrong place does not compile")]
    const fn refined(&mut self, refine: Option<Refine>) {
        if refine.is_none() {
            return self.number(0);
        }
        if self.refined < REFINED {
            self.refine[self.refined] = refine;
        }
        self.refined += 1;
        self.number(self.refined);
    }

    const fn option(&mut self, option: &Opt) {
        self.text(option.names);
        match option.takes {
            Takes::Attached => self.byte(0),
            Takes::Nothing => self.byte(1),
            Takes::Until(ends) => {
                self.byte(2);
                list!(self, ends, word);
            }
            Takes::Value => self.byte(3),
            Takes::Values(count) => {
                self.byte(4);
                self.byte(count);
            }
            Takes::Behind(mark) => {
                self.byte(5);
                self.text(mark);
            }
            Takes::Operand => self.byte(6),
        }
        match &option.does {
            Do::Emit(deed) => {
                self.byte(0);
                self.deed(deed);
            }
            Do::Is(role) => {
                self.byte(1);
                self.role(role);
            }
            Do::Nothing => self.byte(2),
            Do::Operands(operands) => {
                self.byte(3);
                self.operands(operands);
            }
            Do::Set(flags) => {
                self.byte(4);
                self.bits(flags.bits());
            }
            Do::Stop => self.byte(5),
            Do::StopWith(role) => {
                self.byte(6);
                self.role(role);
            }
            Do::Before(role) => {
                self.byte(7);
                self.role(role);
            }
        }
    }

    const fn operands(&mut self, operands: &Operands) {
        match operands {
            Operands::Each(roles) => {
                self.byte(0);
                list!(self, *roles, role);
            }
            Operands::LastIs(first, last) => {
                self.byte(1);
                self.role(first);
                self.role(last);
            }
            Operands::None => self.byte(2),
            Operands::Rest(role) => {
                self.byte(3);
                self.role(role);
            }
        }
    }

    const fn role(&mut self, role: &Role) {
        if let Role::AtFile(inner) = role {
            self.byte(codes::AT_FILE);
            self.role(inner);
        } else if let Role::Code(lang) = role {
            self.byte(codes::CODE);
            self.lang(*lang);
        } else if let Role::Interact(lang) = role {
            self.byte(codes::INTERACT);
            self.lang(*lang);
        } else if let Role::Prefixed(pairs) = role {
            self.byte(codes::PREFIXED);
            list!(self, *pairs, pair);
        } else if let Role::Plugin(lang) = role {
            self.byte(codes::PLUGIN);
            self.lang(*lang);
        } else if let Role::Script(lang) = role {
            self.byte(codes::SCRIPT);
            self.lang(*lang);
        } else {
            self.code(codes::role(role));
        }
    }

    const fn pair(&mut self, pair: &(&str, Role)) {
        self.text(pair.0);
        self.role(&pair.1);
    }

    const fn lang(&mut self, lang: Lang) {
        if let Lang::Other(name) = lang {
            self.byte(codes::OTHER);
            self.text(name);
        } else {
            self.code(codes::lang(&lang));
        }
    }

    const fn deed(&mut self, deed: &Deed) {
        self.code(codes::verb(&deed.verb));
        self.bits(deed.flags.bits());
        match deed.aim {
            Aim::Each(kind) => {
                self.byte(0);
                self.text(kind);
            }
            Aim::First(kind) => {
                self.byte(1);
                self.text(kind);
            }
            Aim::Kind(kind) => {
                self.byte(2);
                self.text(kind);
            }
            Aim::None => self.byte(3),
            Aim::Paths => self.byte(4),
        }
    }
}
