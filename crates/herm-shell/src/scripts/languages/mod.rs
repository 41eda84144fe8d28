//! What the calls of each language do: data, one file a language.

mod awk;
mod javascript;
mod lua;
mod other;
mod perl;
mod php;
mod r;
mod ruby;

pub(super) use awk::AWK;
pub(super) use javascript::JAVASCRIPT;
pub(super) use lua::LUA;
pub(super) use other::read as read_other;
pub(super) use perl::PERL;
pub(super) use php::{PHP, code_of as php_code};
pub(super) use r::R;
pub(super) use ruby::RUBY;

use super::engine::{Reader, Val};
use super::scanner::Profile;
use crate::lang::Lang;
use crate::value::Provenance;

/// How a language is written that the engine reads.
pub(super) const fn profile(lang: Lang) -> Option<&'static Profile> {
    match lang {
        Lang::Awk => Some(&AWK.profile),
        Lang::JavaScript => Some(&JAVASCRIPT.profile),
        Lang::Lua => Some(&LUA.profile),
        Lang::Perl => Some(&PERL.profile),
        Lang::Php => Some(&PHP.profile),
        Lang::R => Some(&R.profile),
        Lang::Ruby => Some(&RUBY.profile),
        Lang::Cmd
        | Lang::Debugger
        | Lang::Ex
        | Lang::Make
        | Lang::Other(_)
        | Lang::PowerShell
        | Lang::Python
        | Lang::Sed
        | Lang::Shell
        | Lang::Sql
        | Lang::Tcl => None,
    }
}

/// A function whose name is the first argument is called with the others.
fn call_by_name(reader: &mut Reader<'_>, arguments: &[Val]) -> Val {
    match arguments.split_first() {
        Some((callee, rest)) => reader.call_value(callee, rest),
        None => Val::list(Vec::new()),
    }
}

/// Functions that compute a text are known by name (`texts`); what one yields otherwise is not.
fn unknown(_reader: &mut Reader<'_>, arguments: &[Val]) -> Val {
    let origin = arguments.iter().fold(Provenance::NONE, |all, argument| all | argument.provenance());
    Val::unknown("computed", origin)
}
