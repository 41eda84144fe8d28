//! How a language's text is cut into tokens.

use crate::lang::Lang;

/// How a language is written, as far as finding calls and strings needs it.
#[expect(clippy::struct_excessive_bools, reason = "each is a plain fact about how a language is written")]
#[derive(Clone, Copy, Debug)]
pub(in crate::scripts) struct Profile {
    /// The language.
    pub lang: Lang,
    /// What begins a comment that ends with the line.
    pub line_comments: &'static [&'static str],
    /// What begins and ends a longer comment.
    pub block_comments: &'static [(&'static str, &'static str)],
    /// Characters that begin a variable: `$`, `@`.
    pub sigils: &'static str,
    /// Quotes inside of which escapes are read.
    pub quotes: &'static str,
    /// Quotes inside of which everything but the quote stands for itself.
    pub raw_quotes: &'static str,
    /// What a backtick quotes.
    pub backtick: Backtick,
    /// What is put into strings.
    pub interpolation: Interpolation,
    /// Quotes of many shapes: `q{}`, `%w[]`, `[[ ]]`.
    pub quoting: Quoting,
    /// Whether `/…/` may be a regular expression.
    pub regexes: bool,
    /// Whether a line's end may end a statement.
    pub newlines: bool,
    /// Characters other than letters, digits and `_` that names may hold.
    pub name_extra: &'static str,
    /// Operators that join texts.
    pub concat: &'static [&'static str],
    /// Whether two values side by side are joined (awk).
    pub juxtaposed: bool,
    /// Whether calls may do without parentheses.
    pub bare_calls: BareCalls,
    /// Whether names are the same in upper and lower case.
    pub ignores_case: bool,
    /// Words that are no values: they end a list of arguments.
    pub keywords: &'static [&'static str],
}

/// What a backtick quotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::scripts) enum Backtick {
    /// A command for the shell.
    Command,
    /// Nothing: it is an operator, or a raw string.
    Raw,
    /// A string with `${…}`.
    Template,
}

/// What is put into strings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::scripts) enum Interpolation {
    /// `$x`, `$(…)`, `${…}`.
    Dollar,
    /// `#{…}`.
    Hash,
    /// Nothing.
    None,
    /// `$x`, `@x`, `${x}`, `@{[…]}`, `$x{key}`.
    Perl,
    /// `$x`, `{$x}`, `${x}`.
    Php,
}

/// Quotes of many shapes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::scripts) enum Quoting {
    /// `[[…]]`, `[==[…]==]`.
    Lua,
    /// None.
    None,
    /// `q`, `qq`, `qw`, `qx`, `qr`, `m`, `s`, `tr`, `y`, `<<EOF`.
    Perl,
    /// `<<<EOF`.
    Php,
    /// `%q`, `%w`, `%x`, `%r`, `<<~EOF`, `:name`.
    Ruby,
}

/// Which calls may do without parentheses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::scripts) enum BareCalls {
    /// Those of known functions, with a list of values between commas.
    Lists,
    /// None.
    None,
    /// Those with a single string or table (`require "x"`).
    Strings,
    /// Those of known functions, with values between blanks (Lisp, Haskell).
    Words,
}

/// A language with C's look: the others differ from it.
pub(in crate::scripts) const C_LIKE: Profile = Profile {
    lang: Lang::JavaScript,
    line_comments: &["//"],
    block_comments: &[("/*", "*/")],
    sigils: "",
    quotes: "\"'",
    raw_quotes: "",
    backtick: Backtick::Raw,
    interpolation: Interpolation::None,
    quoting: Quoting::None,
    regexes: false,
    newlines: true,
    name_extra: "",
    concat: &["+"],
    juxtaposed: false,
    bare_calls: BareCalls::None,
    ignores_case: false,
    keywords: &[],
};
