//! Colour, where a person wants it.

use std::io::{self, IsTerminal};

use herm_runtime::environment::Variable;

/// A colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Colour {
    /// For what is fine.
    Green,
    /// For what is refused.
    Red,
    /// For what is asked.
    Yellow,
}

/// Text in a colour, if there is a terminal that shows it and a person who wants it.
pub(crate) fn paint(text: &str, colour: Colour) -> String {
    if wanted() { paint_always(text, colour) } else { text.to_owned() }
}

/// Text in a colour, for who has found out that it is wanted.
pub(crate) fn paint_always(text: &str, colour: Colour) -> String {
    let code = match colour {
        Colour::Green => "32",
        Colour::Red => "31",
        Colour::Yellow => "33",
    };
    format!("\x1b[1;{code}m{text}\x1b[0m")
}

/// Whether there is a terminal that shows colour, and a person who wants it.
pub(crate) fn wanted() -> bool {
    let is = |variable: Variable, value: &str| variable.value().as_deref() == Some(value);
    if Variable::NoColor.value().is_some() {
        return false;
    }
    if Variable::CliColorForce.value().is_some_and(|value| value != "0") {
        return true;
    }
    !is(Variable::CliColor, "0") && !is(Variable::Term, "dumb") && io::stdout().is_terminal()
}
