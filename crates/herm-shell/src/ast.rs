//! The tree that the reader makes of a shell text.
//!
//! Spans are byte offsets into the text that was read. Words keep their quoting, because what a word becomes
//! depends on it; here-document bodies stand with their redirection.

use std::rc::Rc;

use crate::span::Span;

/// A list of commands: a whole text, or what stands between `do` and `done`, in `$( )` and so on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct List {
    /// The and-or lists in order.
    pub items: Vec<Item>,
}

/// One and-or list and how it ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// The pipelines, each with how it is joined to the one before.
    pub pipelines: Vec<(Join, Pipeline)>,
    /// Whether it ends in `&`.
    pub background: bool,
}

/// How a pipeline is joined to the one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Join {
    /// `&&`.
    And,
    /// It is the first.
    First,
    /// `||`.
    Or,
}

/// Commands joined by `|`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pipeline {
    /// The commands; `|&` is a `2>&1` redirection on the command before it.
    pub commands: Vec<Command>,
    /// Whether `!` stands before it.
    pub negated: bool,
    /// Whether `time` stands before it.
    pub timed: bool,
    /// Where.
    pub span: Span,
}

/// One command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// What it is.
    pub kind: CommandKind,
    /// Its redirections, in order.
    pub redirects: Vec<Redirect>,
    /// Where.
    pub span: Span,
}

/// One arm of a `case`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arm {
    /// What the word is compared with.
    pub patterns: Vec<Word>,
    /// What runs.
    pub list: List,
    /// What comes behind it.
    pub then: Then,
}

/// What comes behind an arm of a `case` that was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Then {
    /// `;;`: nothing.
    End,
    /// `;&`: the next arm, whatever its patterns are.
    Next,
    /// `;;&`: the next arm that matches.
    Test,
}

/// The kinds of command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CommandKind {
    /// `(( … ))`, unparsed inside.
    Arithmetic(Word),
    /// `case WORD in … esac`.
    Case {
        /// The word that is matched.
        word: Word,
        /// The arms.
        arms: Vec<Arm>,
    },
    /// `[[ … ]]`: its words, operators as literal words.
    Condition(Vec<Word>),
    /// `coproc NAME? COMMAND`.
    Coprocess {
        /// The array that gets its descriptors.
        name: String,
        /// What runs beside the shell.
        command: Box<Command>,
    },
    /// `for NAME in …; do … done`, and `select`.
    For {
        /// The variable.
        name: String,
        /// The words; `None` for the positional parameters.
        words: Option<Vec<Word>>,
        /// Whether somebody chooses one of the words, or none.
        select: bool,
        /// The body.
        body: List,
    },
    /// `for (( … ; … ; … )); do … done`: the three expressions unparsed.
    ForArithmetic {
        /// The three expressions.
        header: Word,
        /// The body.
        body: List,
    },
    /// `NAME() …` or `function NAME …`; a body that is not a group is wrapped into one.
    Function {
        /// The name.
        name: String,
        /// The body with its redirections.
        body: Rc<Command>,
    },
    /// `{ …; }`.
    Group(List),
    /// `if … then … elif … else … fi`.
    If {
        /// Conditions and what they lead to, in order.
        branches: Vec<(List, List)>,
        /// What `else` leads to.
        otherwise: Option<List>,
    },
    /// A program, builtin or function with its words, or assignments alone.
    Simple {
        /// `NAME=value` before the first word.
        assignments: Vec<Assignment>,
        /// The words. Assignment-like words after `export`, `declare` and so on are words too; the array in
        /// `export a=(b 'c')` is bare text with its elements' parts in it: `a=(b `, quoted `c`, `)`.
        words: Vec<Word>,
    },
    /// `( … )`.
    Subshell(List),
    /// `while … do … done`, and `until`.
    While {
        /// The condition.
        condition: List,
        /// Whether it goes on as long as the condition fails.
        until: bool,
        /// The body.
        body: List,
    },
}

/// `NAME=value`, `NAME+=value`, `NAME[index]=value`, `NAME=( … )`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assignment {
    /// The variable.
    pub name: String,
    /// The subscript, unparsed.
    pub index: Option<Word>,
    /// Whether `+=` adds to what is there.
    pub append: bool,
    /// The value.
    pub value: AssignedValue,
    /// Where.
    pub span: Span,
}

/// What is assigned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AssignedValue {
    /// `( … )`: the elements, each with its subscript if it has one.
    Array(Vec<(Option<Word>, Word)>),
    /// A word.
    Scalar(Word),
}

/// A redirection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Redirect {
    /// The descriptor on its left: a number, or `{name}`. `None` is the operator's usual one.
    pub descriptor: Option<Descriptor>,
    /// What it does.
    pub operator: RedirectOperator,
    /// The file, the descriptor or the here-string; for a here-document its body (parts quoted if the delimiter was).
    pub target: Word,
    /// Where, operator and target.
    pub span: Span,
}

/// A descriptor on the left of a redirection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Descriptor {
    /// `{name}>`.
    Named(String),
    /// `2>`.
    Number(u32),
}

/// The redirection operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RedirectOperator {
    /// `>>`.
    Append,
    /// `&>>`.
    AppendBoth,
    /// `>|`.
    Clobber,
    /// `<&`.
    DuplicateInput,
    /// `>&`.
    DuplicateOutput,
    /// `<<` and `<<-`; tabs are already stripped for the latter.
    HereDocument,
    /// `<<<`.
    HereString,
    /// `<`.
    Input,
    /// `>`.
    Output,
    /// `&>`.
    OutputBoth,
    /// `<>`.
    ReadWrite,
}

/// A word, in parts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Word {
    /// The parts.
    pub parts: Vec<Part>,
    /// Where.
    pub span: Span,
}

/// A part of a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// `$(( … ))` and `$[ … ]`, with the expansions inside already read; plain text in it is [`Part::Quoted`].
    Arithmetic(Vec<Part>),
    /// Unquoted text that may hold braces, tildes and globs; backslashes are already resolved into [`Part::Quoted`].
    Bare(String),
    /// `$( … )` and backticks.
    Command(List, Span),
    /// `"…"` and `$"…"`: its parts; bare text in it is [`Part::Quoted`].
    DoubleQuoted(Vec<Part>),
    /// `$name`, `${…}`.
    Parameter(Box<Parameter>),
    /// `<( … )` and `>( … )`.
    Process(Direction, List, Span),
    /// `'…'`, `$'…'` (decoded), an escaped character: text that nothing more happens to.
    Quoted(String),
}

/// Which way a process substitution goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// `<( … )`: the file gives what the commands write.
    From,
    /// `>( … )`: what is written to the file goes to the commands.
    To,
}

/// A parameter expansion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// The name: a variable, a number, or one of `@ * # ? - $ ! _`.
    pub name: String,
    /// The subscript in `${name[…]}`.
    pub index: Option<Word>,
    /// `${!name…}`.
    pub indirect: bool,
    /// Whether a `:` stands before the operation, so that an empty value counts as none (`:-` and not `-`).
    pub or_empty: bool,
    /// What is done to the value.
    pub operation: Operation,
    /// Where.
    pub span: Span,
}

/// What `${name…}` does to the value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operation {
    /// `${x:=w}`, `${x=w}`.
    AssignDefault(Word),
    /// `${x^}` `${x^^}` `${x,}` `${x,,}` `${x~}` `${x~~}` with the operator and its pattern.
    Case(String, Word),
    /// `${x:-w}`, `${x-w}`.
    Default(Word),
    /// `${x:?w}`, `${x?w}`.
    Error(Word),
    /// `${#x}`.
    Length,
    /// `${!prefix*}`, `${!x[@]}`.
    Names,
    /// Nothing.
    Plain,
    /// `${x#p}` and `${x##p}` (`longest`).
    RemovePrefix {
        /// The pattern.
        pattern: Word,
        /// Whether the longest match goes.
        longest: bool,
    },
    /// `${x%p}` and `${x%%p}` (`longest`).
    RemoveSuffix {
        /// The pattern.
        pattern: Word,
        /// Whether the longest match goes.
        longest: bool,
    },
    /// `${x/p/r}`, `${x//p/r}`, `${x/#p/r}`, `${x/%p/r}`.
    Replace {
        /// The pattern.
        pattern: Word,
        /// What takes its place.
        replacement: Word,
        /// `/`, `//`, `/#` or `/%`.
        kind: ReplaceKind,
    },
    /// `${x:offset:length}`, both arithmetic, unparsed.
    Substring {
        /// Where it begins.
        offset: Word,
        /// How long it is.
        length: Option<Word>,
    },
    /// `${x@Q}` and its kin.
    Transform(char),
    /// `${x:+w}`, `${x+w}`.
    UseAlternative(Word),
}

/// Which matches are replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReplaceKind {
    /// All.
    All,
    /// The first.
    First,
    /// One at the beginning.
    Prefix,
    /// One at the end.
    Suffix,
}
