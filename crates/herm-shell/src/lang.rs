//! The languages that code can be in.

/// A language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Lang {
    /// awk, gawk, mawk.
    Awk,
    /// Windows' `cmd`.
    Cmd,
    /// gdb's and lldb's commands.
    Debugger,
    /// ed, ex and vi commands.
    Ex,
    /// JavaScript for Node, Deno or Bun.
    JavaScript,
    /// Lua.
    Lua,
    /// A makefile.
    Make,
    /// A language that herm does not read.
    Other(&'static str),
    /// Perl.
    Perl,
    /// PHP.
    Php,
    /// PowerShell.
    PowerShell,
    /// Python.
    Python,
    /// R.
    R,
    /// Ruby.
    Ruby,
    /// sed.
    Sed,
    /// bash, and the shells that are close enough to it.
    Shell,
    /// SQL, with the client's own commands.
    Sql,
    /// Tcl and expect.
    Tcl,
}

impl Lang {
    /// The name, as `--language` takes it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Awk => "awk",
            Self::Cmd => "cmd",
            Self::Debugger => "debugger",
            Self::Ex => "ex",
            Self::JavaScript => "javascript",
            Self::Lua => "lua",
            Self::Make => "make",
            Self::Other(name) => name,
            Self::Perl => "perl",
            Self::Php => "php",
            Self::PowerShell => "powershell",
            Self::Python => "python",
            Self::R => "r",
            Self::Ruby => "ruby",
            Self::Sed => "sed",
            Self::Shell => "shell",
            Self::Sql => "sql",
            Self::Tcl => "tcl",
        }
    }
}
