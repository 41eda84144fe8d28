//! The words in which programs are described.
//!
//! A description is data: what each option and operand *is* (a file that is read, a host, code). One parser applies
//! it ([`super::arguments`]), so that bundles, `--option=value`, abbreviations and `--` are right everywhere. What
//! data cannot say is a small function, [`Program::refine`].

use super::arguments::Parsed;
use crate::effect::{Flags, Verb};
use crate::lang::Lang;
use crate::sink::Sink;

/// What a program's arguments mean.
#[derive(Clone, Copy, Debug)]
pub struct Program {
    /// Its names. A sub-command's name may be several words (`"system prune"`), each must match in order, options
    /// may stand between them. A name that ends in `*` matches any word that begins so (`mkfs.*`, `delete-*`).
    pub names: &'static [&'static str],
    /// How its arguments are written.
    pub syntax: Syntax,
    /// How the names of its sub-commands may be written. It holds for theirs, too.
    pub naming: Naming,
    /// Its options. Those of a parent hold for its sub-commands, too.
    pub options: &'static [Opt],
    /// Its sub-commands. The first one whose name matches is taken; none matching leaves the parent's own meaning.
    pub subs: &'static [Program],
    /// What its operands are.
    pub operands: Operands,
    /// What running it does, whatever its operands.
    pub does: &'static [Deed],
    /// What it does with standard input.
    pub stdin: Role,
    /// What it prints.
    pub stdout: Source,
    /// Environment variables that it obeys. A parent's hold for its sub-commands, too. A `*` in a name stands for any letters
    /// (`CARGO_TARGET_*_RUNNER`); for [`Role::Options`] it is a sub-command, for [`Role::Setting`] an option.
    pub env: &'static [(&'static str, Role)],
    /// What data cannot say. It runs after the roles were applied, a parent's before its sub-command's, and not at
    /// all when an option stopped the program.
    pub refine: Option<Refine>,
}

/// A function for what data cannot say.
pub type Refine = fn(&Parsed<'_>, &mut dyn Sink);

/// How arguments are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Syntax {
    /// find's way: paths first, then an expression of words beginning with `-`, `(` or `!`; options are whole words.
    Expression,
    /// The first operand ends the options; what follows belongs to it (`sudo`, `env`, `python`, `ssh`).
    FirstOperandEnds,
    /// GNU's way: options anywhere, bundles, `--`, abbreviated long options.
    Gnu,
    /// dd's way: `key=value` operands, each an option named `key=`.
    KeyValue,
    /// One dash before long names (`java`, `terraform`, `openssl`): no bundles, `-name value`, `-name=value`.
    SingleDash,
    /// tar's way: GNU, and the first word may be a bundle without a dash.
    TarBundle,
    /// Every word is an operand, even one that begins with a dash (`echo`, `test`).
    Words,
}

/// How the names of sub-commands may be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Naming {
    /// In full, or cut short wherever that is still one name (`npm publ`). Where several begin so, the program would take none; but
    /// a table need not list all that there are, so the one is taken that does most.
    Short,
    /// In full.
    Whole,
}

/// An option.
#[derive(Clone, Copy, Debug)]
pub struct Opt {
    /// Its spellings, separated by blanks: `"-r -R --recursive"`. For [`Syntax::KeyValue`]: `"of="`.
    pub names: &'static str,
    /// Whether it takes a value.
    pub takes: Takes,
    /// What it does.
    pub does: Do,
}

/// Whether an option takes a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// Only glued on: `-i.bak`, `--color=auto`.
    Attached,
    /// Only glued on behind this mark: `-d:NYTProf`. Other letters are options of their own (`-de 1`).
    Behind(&'static str),
    /// None.
    Nothing,
    /// One, unless the next word is an option itself (`vim -e -s -c wq`).
    Operand,
    /// The words up to one of these (`-exec … ;`), or to the end.
    Until(&'static [&'static str]),
    /// One.
    Value,
    /// This many, each a word of its own (`bwrap --bind FROM TO`).
    Values(u8),
}

/// What an option does.
#[derive(Clone, Copy, Debug)]
pub enum Do {
    /// Its value is this, and comes before what the program runs otherwise (`bash --rcfile`).
    Before(Role),
    /// Something happens: see [`Deed`].
    Emit(Deed),
    /// Its value is this.
    Is(Role),
    /// Nothing that matters.
    Nothing,
    /// The operands are this instead of what the program says (`sed -i`, `tar -x`).
    Operands(Operands),
    /// Every effect of this invocation gets these flags.
    Set(Flags),
    /// The program does nothing but print (`--help`, `--version`, `--dry-run`): no effects, no operands.
    Stop,
    /// Its value is this, and what follows are the program's own arguments (`python -c`).
    StopWith(Role),
}

/// What the operands are.
#[derive(Clone, Copy, Debug)]
pub enum Operands {
    /// These in order, the rest as the last says.
    Each(&'static [Role]),
    /// All but the last are the first role, the last is the second (`cp`, `scp`). A single one is the first.
    LastIs(Role, Role),
    /// None that matters.
    None,
    /// All of them.
    Rest(Role),
}

/// What a word is.
#[derive(Clone, Copy, Debug)]
pub enum Role {
    /// Added at the end of this file.
    Append,
    /// This word and all that follow are a command with its arguments.
    Argv,
    /// One word that holds a command with its arguments, split at blanks, no shell (`-o ProxyCommand` is a shell's).
    ArgvText,
    /// `@file` means the file's content, else the text itself; then as the role says.
    AtFile(&'static Role),
    /// Code.
    Code(Lang),
    /// What follows happens in this directory.
    Directory,
    /// Deleted.
    Delete,
    /// Text in which the shell runs substitutions (`PS4`).
    Expanded,
    /// `NAME=value` for the command that follows.
    Environment,
    /// Of a variable: options of the program itself, which stand before those that it is given.
    Options,
    /// A host, `user@host`, `host:port`.
    Host,
    /// Nothing that matters.
    Inert,
    /// Standard input is code in this language, whatever else runs (`python -i`, `vim -e`). An option or a variable says so by
    /// being there; for [`Program::stdin`] it always holds, where [`Role::Code`] holds if nothing else is given.
    Interact(Lang),
    /// A shared object, plugin or module file that is loaded and so runs.
    Library,
    /// A new link is made here.
    Link,
    /// Moved away from here.
    MoveFrom,
    /// The permission bits, owner or attributes of this file change.
    ChangeMode,
    /// Its owner changes.
    ChangeOwner,
    /// A file of code in a language that a program loads besides what it is for: an add-on, a filter, a start file.
    Plugin(Lang),
    /// The word begins with one of these (and the rest is the role), or is inert: `of=`, `tcp:`, `user@`.
    Prefixed(&'static [(&'static str, Role)]),
    /// A program file that runs.
    Program,
    /// Read.
    Read,
    /// A program file in a language that runs with the arguments that follow.
    Script(Lang),
    /// Of a variable whose name has a `*`: the value of the long option that stands there, in any case and with dashes for
    /// underscores (`npm_config_dry_run`).
    Setting,
    /// The text is sent out.
    Send,
    /// The file is sent out.
    SendFile,
    /// `host:path` (scp, rsync): remote when it has a host, else a local path that is read (and sent, if another
    /// operand is remote).
    TransferFrom,
    /// `host:path`: remote when it has a host, else a local path that is written.
    TransferTo,
    /// A URL that is fetched.
    Url,
    /// Written.
    Write,
}

/// What happens when a program, a sub-command or an option is used.
#[derive(Clone, Copy, Debug)]
pub struct Deed {
    /// What.
    pub verb: Verb,
    /// To what.
    pub aim: Aim,
    /// How.
    pub flags: Flags,
}

/// What a deed is done to.
#[derive(Clone, Copy, Debug)]
pub enum Aim {
    /// Each operand, as a named thing of this kind: `Named("service", operand)`. None given: one with an empty name.
    Each(&'static str),
    /// The first operand, as a named thing of this kind.
    First(&'static str),
    /// A thing of this kind without a name: `Named(kind, "")`.
    Kind(&'static str),
    /// Nothing in particular.
    None,
    /// The operands, as paths.
    Paths,
}

/// What a program prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// What it was given to read, and standard input, changed beyond knowing (`sort`, `grep`): taint passes through.
    Input,
    /// Decoded input.
    Decoded,
    /// Something from the network.
    Network,
    /// Nothing.
    Nothing,
    /// Secrets.
    Secret,
    /// Settings of its own making, written as shell code for `eval` (`ssh-agent`, `pyenv init`): running them does
    /// no more than running the program did.
    Settings,
    /// Something of its own that nothing is known of.
    Unknown,
    /// A text filter that the evaluator can compute (`echo`, `base64`, `tr` …): see `filters`.
    Computed,
}

/// A program by these names, GNU syntax, of which nothing is said yet.
#[must_use]
pub const fn program(names: &'static [&'static str]) -> Program {
    Program {
        names,
        syntax: Syntax::Gnu,
        naming: Naming::Whole,
        options: &[],
        subs: &[],
        operands: Operands::Rest(Role::Inert),
        does: &[],
        stdin: Role::Inert,
        stdout: Source::Unknown,
        env: &[],
        refine: None,
    }
}

impl Program {
    /// How its arguments are written.
    #[must_use]
    pub const fn syntax(mut self, syntax: Syntax) -> Self {
        self.syntax = syntax;
        self
    }

    /// The names of its sub-commands may be cut short.
    #[must_use]
    pub const fn shortened(mut self) -> Self {
        self.naming = Naming::Short;
        self
    }

    /// Its options.
    #[must_use]
    pub const fn options(mut self, options: &'static [Opt]) -> Self {
        self.options = options;
        self
    }

    /// Its sub-commands.
    #[must_use]
    pub const fn subs(mut self, subs: &'static [Program]) -> Self {
        self.subs = subs;
        self
    }

    /// What its operands are.
    #[must_use]
    pub const fn operands(mut self, operands: Operands) -> Self {
        self.operands = operands;
        self
    }

    /// All operands are this.
    #[must_use]
    pub const fn all(self, role: Role) -> Self {
        self.operands(Operands::Rest(role))
    }

    /// What running it does.
    #[must_use]
    pub const fn does(mut self, does: &'static [Deed]) -> Self {
        self.does = does;
        self
    }

    /// What it does with standard input.
    #[must_use]
    pub const fn stdin(mut self, role: Role) -> Self {
        self.stdin = role;
        self
    }

    /// What it prints.
    #[must_use]
    pub const fn stdout(mut self, source: Source) -> Self {
        self.stdout = source;
        self
    }

    /// Environment variables that it obeys.
    #[must_use]
    pub const fn env(mut self, env: &'static [(&'static str, Role)]) -> Self {
        self.env = env;
        self
    }

    /// What data cannot say.
    #[must_use]
    pub const fn refine(mut self, refine: Refine) -> Self {
        self.refine = Some(refine);
        self
    }
}

/// An option without a value.
#[must_use]
pub const fn flag(names: &'static str, does: Do) -> Opt {
    Opt { names, takes: Takes::Nothing, does }
}

/// An option with a value of this role.
#[must_use]
pub const fn value(names: &'static str, role: Role) -> Opt {
    Opt { names, takes: Takes::Value, does: Do::Is(role) }
}

/// An option with a value, which does something else than naming its role.
#[must_use]
pub const fn value_does(names: &'static str, does: Do) -> Opt {
    Opt { names, takes: Takes::Value, does }
}

/// An option whose value, if any, is glued on.
#[must_use]
pub const fn attached(names: &'static str, does: Do) -> Opt {
    Opt { names, takes: Takes::Attached, does }
}

/// An option whose value is the words up to an end mark: a command.
#[must_use]
pub const fn until(names: &'static str, ends: &'static [&'static str], role: Role) -> Opt {
    Opt { names, takes: Takes::Until(ends), does: Do::Is(role) }
}

/// An option that makes standard input code, whatever else runs.
#[must_use]
pub const fn interactive(names: &'static str, lang: Lang) -> Opt {
    flag(names, Do::Is(Role::Interact(lang)))
}

/// An option with a value that runs before what the program is given otherwise.
#[must_use]
pub const fn before(names: &'static str, role: Role) -> Opt {
    value_does(names, Do::Before(role))
}

/// Options that do nothing that matters, without values.
#[must_use]
pub const fn quiet(names: &'static str) -> Opt {
    flag(names, Do::Nothing)
}

/// Something that happens.
#[must_use]
pub const fn deed(verb: Verb, aim: Aim, flags: Flags) -> Deed {
    Deed { verb, aim, flags }
}
