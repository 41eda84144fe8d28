//! Words by which the languages start programs, delete, end processes and load code: data.

use crate::lang::Lang;

/// What comes of a word, in bits: what a reader reports of a kind accounts for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Outcome(u8);

impl Outcome {
    /// What files hold, or that they are there, changes.
    pub(super) const CHANGE: Self = Self(1);
    /// Processes end.
    pub(super) const END: Self = Self(2);
    /// Programs start, or code runs.
    pub(super) const START: Self = Self(4);

    pub(super) const fn bits(self) -> u8 {
        self.0
    }
}

/// What stands before a word for it to mean this.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    /// Anything, or nothing.
    Any,
    /// Nothing: it is no member. A member of one of these is the same.
    Bare(&'static [&'static str]),
    /// One of these.
    Of(&'static [&'static str]),
}

/// A word.
#[derive(Debug)]
pub(super) struct Word {
    pub(super) name: &'static str,
    pub(super) owner: Owner,
    pub(super) outcome: Outcome,
}

const fn row(owner: Owner, outcome: Outcome, name: &'static str) -> Word {
    Word { name, owner, outcome }
}

/// Rows with the same owner and outcome.
macro_rules! rows {
    ($($owner:expr, $outcome:ident: $($name:literal)*;)*) => {
        &[$($(row($owner, Outcome::$outcome, $name)),*),*]
    };
}

/// The words of a language.
pub(super) fn of(lang: Lang) -> &'static [Word] {
    match lang {
        Lang::Awk => AWK,
        Lang::JavaScript => JAVASCRIPT,
        Lang::Lua => LUA,
        Lang::Perl => PERL,
        Lang::Php => PHP,
        Lang::PowerShell => POWERSHELL,
        Lang::R => R,
        Lang::Ruby => RUBY,
        Lang::Tcl => TCL,
        // What these say is read word by word, or by an interpreter.
        Lang::Cmd
        | Lang::Debugger
        | Lang::Ex
        | Lang::Make
        | Lang::Other(_)
        | Lang::Python
        | Lang::Sed
        | Lang::Shell
        | Lang::Sql => &[],
    }
}

const AWK: &[Word] = rows! {
    Owner::Any, START: "system";
};

const NODE_FILES: &[&str] = &["fs", "fsp", "fsPromises", "promises", "fse", "Deno"];
const NODE_PROCESSES: &[&str] = &["child_process", "childProcess", "cp", "proc"];

const JAVASCRIPT: &[Word] = rows! {
    Owner::Any, CHANGE: "rmSync" "unlinkSync" "rmdirSync" "truncateSync" "emptyDirSync" "removeSync" "unlink" "rimraf" "rmdir";
    Owner::Bare(NODE_FILES), CHANGE: "rm" "truncate" "emptyDir" "ftruncate";
    Owner::Of(&["Deno"]), CHANGE: "remove";
    Owner::Any, START: "execSync" "spawnSync" "execFileSync" "execFile" "runInThisContext" "runInNewContext" "runInContext"
        "_load" "_compile" "dlopen" "execve" "AsyncFunction" "GeneratorFunction";
    Owner::Bare(NODE_PROCESSES), START: "spawn" "fork" "execa";
    Owner::Of(NODE_PROCESSES), START: "exec";
    Owner::Bare(&["globalThis", "window", "global", "self"]), START: "eval" "Function";
    Owner::Of(&["process"]), END: "kill" "abort" "reallyExit" "_kill";
};

const LUA: &[Word] = rows! {
    Owner::Any, START: "execute" "popen" "loadstring" "dofile" "loadfile";
    Owner::Bare(&["_G"]), START: "load";
    Owner::Of(&["os"]), CHANGE: "remove" "rename";
    Owner::Any, CHANGE: "rmdir";
};

const PERL: &[Word] = rows! {
    Owner::Bare(&["CORE", "GLOBAL", "POSIX", "main"]), START: "system" "exec" "readpipe" "fork" "syscall" "open3" "open2" "require";
    Owner::Any, CHANGE: "rmtree" "remove_tree" "unlink";
    Owner::Bare(&["CORE", "GLOBAL", "POSIX", "main"]), CHANGE: "rmdir" "truncate";
    Owner::Bare(&["CORE", "GLOBAL", "POSIX", "main"]), END: "kill";
};

const PHP: &[Word] = rows! {
    Owner::Bare(&[]), START: "system" "exec" "shell_exec" "passthru" "popen" "proc_open" "pcntl_exec" "pcntl_fork"
        "create_function" "assert" "eval";
    Owner::Bare(&[]), CHANGE: "unlink" "rmdir";
    Owner::Bare(&[]), END: "posix_kill";
};

const POWERSHELL: &[Word] = rows! {
    Owner::Any, CHANGE: "remove-item" "clear-content" "clear-item" "remove-itemproperty" "format-volume" "clear-disk"
        "initialize-disk" "remove-partition";
    Owner::Of(&[""]), CHANGE: "delete";
    Owner::Any, START: "invoke-expression" "iex" "start-process" "invoke-command" "invoke-wmimethod" "invoke-cimmethod" "start-job";
    Owner::Of(&[""]), START: "invokescript" "shellexecute" "newscriptblock" "invokemember" "invokeverb" "invokecommand" "getmethod"
        "getmethods";
    Owner::Any, END: "stop-process" "stop-computer" "restart-computer";
    Owner::Of(&[""]), END: "kill";
};

const R: &[Word] = rows! {
    Owner::Any, START: "system" "system2" "shell.exec" "shell";
    Owner::Any, CHANGE: "unlink" "file.remove" "file_delete" "dir_delete";
    Owner::Any, END: "pskill";
};

const RUBY_KERNEL: &[&str] = &["Kernel", "Process", "PTY", "IO", "Open3", "POSIX"];

const RUBY: &[Word] = rows! {
    Owner::Bare(RUBY_KERNEL), START: "system" "exec" "spawn" "fork" "syscall" "eval" "popen" "popen2" "popen2e" "popen3"
        "capture2" "capture2e" "capture3" "pipeline";
    Owner::Any, START: "instance_eval" "class_eval" "module_eval" "InstructionSequence";
    Owner::Any, CHANGE: "rm_rf" "rm_r" "rm_f" "remove_entry" "remove_entry_secure" "remove_dir" "remove_file" "rmtree" "unlink";
    Owner::Of(&["File", "Dir"]), CHANGE: "delete" "rmdir" "truncate";
    Owner::Of(&["FileUtils"]), CHANGE: "rm" "rmdir" "mv";
    Owner::Of(&["Process"]), END: "kill";
};

const TCL: &[Word] = rows! {
    Owner::Any, START: "exec" "spawn" "exp_spawn";
    Owner::Of(&["file"]), CHANGE: "delete";
    Owner::Any, END: "kill";
};
