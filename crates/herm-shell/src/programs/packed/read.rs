//! Reads programs back from their bytes.

use super::super::schema::{Aim, Deed, Do, Operands, Opt, Program, Refine, Role, Takes};
use super::codes;
use crate::effect::Flags;
use crate::lang::Lang;

/// What is left to read. Nothing comes back where the bytes are not what was written.
pub(super) struct Reader {
    pub(super) rest: &'static [u8],
    pub(super) refine: &'static [Option<Refine>],
}

impl Reader {
    fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(*first)
    }

    fn bits(&mut self) -> Option<u64> {
        let (mut bits, mut shift) = (0, 0);
        loop {
            let byte = self.byte()?;
            bits |= u64::from(byte & 0x7f).checked_shl(shift)?;
            if byte & 0x80 == 0 {
                return Some(bits);
            }
            shift += 7;
        }
    }

    fn number(&mut self) -> Option<usize> {
        usize::try_from(self.bits()?).ok()
    }

    pub(super) fn text(&mut self) -> Option<&'static str> {
        str::from_utf8(self.bytes()?).ok()
    }

    pub(super) fn bytes(&mut self) -> Option<&'static [u8]> {
        let length = self.number()?;
        let (bytes, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        Some(bytes)
    }

    /// A list that stays: each program is read once, and there are only so many.
    fn list<T>(&mut self, read: impl Fn(&mut Self) -> Option<T>) -> Option<&'static [T]> {
        let count = self.number()?;
        if count == 0 {
            return Some(&[]);
        }
        let items: Vec<T> = (0..count).map(|_| read(self)).collect::<Option<_>>()?;
        Some(items.leak())
    }

    pub(super) fn program(&mut self) -> Option<Program> {
        Some(Program {
            names: self.list(Self::text)?,
            syntax: self.byte().and_then(codes::syntax_of)?,
            naming: self.byte().and_then(codes::naming_of)?,
            options: self.list(Self::option)?,
            operands: self.operands()?,
            does: self.list(Self::deed)?,
            stdin: self.role()?,
            stdout: self.byte().and_then(codes::source_of)?,
            env: self.list(Self::pair)?,
            refine: match self.number()?.checked_sub(1) {
                Some(at) => *self.refine.get(at)?,
                None => None,
            },
            subs: self.list(Self::program)?,
        })
    }

    fn option(&mut self) -> Option<Opt> {
        Some(Opt { names: self.text()?, takes: self.takes()?, does: self.does()? })
    }

    fn takes(&mut self) -> Option<Takes> {
        Some(match self.byte()? {
            0 => Takes::Attached,
            1 => Takes::Nothing,
            2 => Takes::Until(self.list(Self::text)?),
            3 => Takes::Value,
            4 => Takes::Values(self.byte()?),
            5 => Takes::Behind(self.text()?),
            6 => Takes::Operand,
            _ => return None,
        })
    }

    fn does(&mut self) -> Option<Do> {
        Some(match self.byte()? {
            0 => Do::Emit(self.deed()?),
            1 => Do::Is(self.role()?),
            2 => Do::Nothing,
            3 => Do::Operands(self.operands()?),
            4 => Do::Set(self.flags()?),
            5 => Do::Stop,
            6 => Do::StopWith(self.role()?),
            7 => Do::Before(self.role()?),
            _ => return None,
        })
    }

    fn operands(&mut self) -> Option<Operands> {
        Some(match self.byte()? {
            0 => Operands::Each(self.list(Self::role)?),
            1 => Operands::LastIs(self.role()?, self.role()?),
            2 => Operands::None,
            3 => Operands::Rest(self.role()?),
            _ => return None,
        })
    }

    fn role(&mut self) -> Option<Role> {
        Some(match self.byte()? {
            codes::AT_FILE => Role::AtFile(Box::leak(Box::new(self.role()?))),
            codes::CODE => Role::Code(self.lang()?),
            codes::INTERACT => Role::Interact(self.lang()?),
            codes::PLUGIN => Role::Plugin(self.lang()?),
            codes::PREFIXED => Role::Prefixed(self.list(Self::pair)?),
            codes::SCRIPT => Role::Script(self.lang()?),
            plain => codes::role_of(plain)?,
        })
    }

    fn pair(&mut self) -> Option<(&'static str, Role)> {
        Some((self.text()?, self.role()?))
    }

    fn lang(&mut self) -> Option<Lang> {
        match self.byte()? {
            codes::OTHER => Some(Lang::Other(self.text()?)),
            plain => codes::lang_of(plain),
        }
    }

    fn deed(&mut self) -> Option<Deed> {
        let verb = self.byte().and_then(codes::verb_of)?;
        let flags = self.flags()?;
        let aim = match self.byte()? {
            0 => Aim::Each(self.text()?),
            1 => Aim::First(self.text()?),
            2 => Aim::Kind(self.text()?),
            3 => Aim::None,
            4 => Aim::Paths,
            _ => return None,
        };
        Some(Deed { verb, aim, flags })
    }

    fn flags(&mut self) -> Option<Flags> {
        self.bits().map(Flags::from_bits)
    }
}
