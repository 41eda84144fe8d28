//! Expressions of programming languages, as their interpreters compute them.

use std::process::{Command, Stdio};

use herm_shell::Lang;

use super::shells::answers;

/// What an interpreter says of an expression that fails: nothing that herm says of it can be wrong.
pub const FAILED: &str = "\u{1e}";

/// What stands between the values that one expression yields.
pub const BETWEEN: &str = "\u{1f}";

/// A language with an interpreter on this machine.
#[derive(Debug)]
pub struct Speaker {
    /// The language.
    pub lang: Lang,
    /// Expressions that are harmless.
    pub grammar: &'static str,
    /// How a program of the language hands the value `@` to the program `marker`.
    pub sink: &'static str,
    program: &'static str,
    arguments: &'static [&'static str],
    /// Reads pieces of code that end with NUL, and prints what each is, with a NUL behind it.
    driver: &'static str,
}

/// What no one knows who reads the code: the value of the variable `h`.
const HELD: &str = " Held x";

/// Every language that is compared.
pub const SPEAKERS: &[Speaker] = &[
    Speaker {
        lang: Lang::Perl,
        grammar: include_str!("languages/perl.txt"),
        sink: "system(\"marker\", @);",
        program: "perl",
        arguments: &["-e"],
        driver: r#"
            local $/ = "\0"; our $h = " Held x"; $SIG{ALRM} = sub { die }; $SIG{__WARN__} = sub {};
            for my $e (<STDIN>) {
                chomp $e; local $, ; local $_ = "";
                my @r = eval $e;
                my $t = $@ ? "\x1e" : do { local $, ; local $" = ""; join("\x1f", map { defined $_ ? $_ : "" } @r) };
                utf8::encode($t) if utf8::is_utf8($t);
                print $t =~ /\0/ ? "\x1e" : $t, "\0";
            }"#,
    },
    Speaker {
        lang: Lang::Ruby,
        grammar: include_str!("languages/ruby.txt"),
        sink: "\nsystem(\"marker\", @)",
        program: "ruby",
        arguments: &["-W0", "-e"],
        driver: r#"
            $h = " Held x"; def h; $h.dup; end
            STDIN.read.split("\0").each do |e|
                begin
                    r = eval(e, TOPLEVEL_BINDING.dup)
                    raise if r.to_s.b.include?("\0")
                    raise unless r.is_a?(String) || r.is_a?(Symbol) || r.is_a?(Numeric)
                    print r.to_s.b, "\0"
                rescue Exception
                    print "\x1e\0"
                end
            end"#,
    },
    Speaker {
        lang: Lang::JavaScript,
        grammar: include_str!("languages/javascript.txt"),
        sink: ";require('child_process').spawnSync('marker', [@]);",
        program: "node",
        arguments: &["-e"],
        driver: r#"
            const { Script, createContext } = require("vm"); let out = "";
            const all = require("fs").readFileSync(0, "utf8").split("\0"); all.pop();
            for (const e of all) {
                try {
                    const r = (0, eval)("{ let h = ' Held x'; " + e + "\n}");
                    if (String(r).includes("\0")) throw 0;
                    out += String(r) + "\0";
                } catch (error) { out += "\x1e\0"; }
            }
            process.stdout.write(out);"#,
    },
    Speaker {
        lang: Lang::Php,
        grammar: include_str!("languages/php.txt"),
        sink: "pcntl_exec(\"marker\", [@]);",
        program: "php",
        arguments: &["-d", "display_errors=0", "-d", "log_errors=0", "-r"],
        driver: r#"
            function one($e) { $h = " Held x"; return eval($e); }
            $all = explode("\0", stream_get_contents(STDIN)); array_pop($all);
            foreach ($all as $e) {
                try {
                    $r = one($e);
                    echo is_array($r) || is_object($r) || str_contains($r, "\0") ? "\x1e" : strval($r), "\0";
                } catch (\Throwable $error) { echo "\x1e\0"; }
            }"#,
    },
    Speaker {
        lang: Lang::Lua,
        grammar: include_str!("languages/lua.txt"),
        sink: " posix.exec(\"marker\", (@))",
        program: "lua5.4",
        arguments: &["-e"],
        driver: r#"
            h = " Held x"
            for e in (io.read("a")):gmatch("([^\0]*)\0") do
                local f = load(e)
                local ok, r = pcall(f)
                if ok and not tostring(r):find("\0") and (type(r) == "string" or type(r) == "number") then io.write(r, "\0") else io.write("\x1e\0") end
            end"#,
    },
    Speaker {
        lang: Lang::Tcl,
        grammar: include_str!("languages/tcl.txt"),
        sink: "\nexec marker @",
        program: "tclsh",
        arguments: &[],
        driver: "",
    },
];

impl Speaker {
    /// Whether the interpreter is there.
    ///
    /// # Panics
    /// When it is missing where everything is said to be installed.
    #[must_use]
    #[expect(clippy::print_stderr, reason = "what was skipped is said")]
    pub fn is_here(&self) -> bool {
        let mut command = Command::new("sh");
        let quiet = command.args(["-c", &format!("command -v {}", self.program)]).stdout(Stdio::null());
        let found = quiet.status().is_ok_and(|status| status.success());
        if !found {
            assert!(std::env::var_os("CI").is_none(), "{} is not installed", self.program);
            eprintln!("skipped: {} is not installed: run `cargo xtask setup`", self.program);
        }
        found
    }

    /// What each piece of code yields, by one process of the interpreter.
    ///
    /// They do run: hand in only what is known to be harmless.
    #[must_use]
    pub fn yields(&self, codes: &[(String, String)]) -> Vec<String> {
        let mut command = Command::new(self.program);
        command.env_clear().stderr(Stdio::null());
        command.envs([("PATH", "/usr/bin:/bin"), ("HOME", "/nonexistent"), ("LC_ALL", "C.UTF-8")]);
        command.args(self.arguments);
        if !self.driver.is_empty() {
            command.arg(self.driver);
        }
        let script: String = codes.iter().map(|(before, value)| self.whole(before, value)).collect();
        answers(command, &script)
    }

    /// The code that the driver reads; for Tcl, which has no option for code, the program itself.
    fn whole(&self, before: &str, value: &str) -> String {
        match self.lang {
            Lang::Lua => format!("{before} return {value}\0"),
            Lang::Php => format!("{before} return {value};\0"),
            Lang::Tcl => {
                let code = format!("set h {{{HELD}}}; {before}\nset result {value}");
                let quoted =
                    code.chars().fold(String::new(), |quoted, c| format!("{quoted}\\u{:04x}", u32::from(c)));
                format!(
                    "fconfigure stdout -encoding utf-8 -translation lf\nset i [interp create]\n\
                     if {{[catch {{$i eval \"{quoted}\"}} r]}} {{ set r \\x1e }}\nif {{[string first \\0 $r] >= 0}} {{ set r \\x1e }}\n\
                     puts -nonewline \"$r\\0\"\ninterp delete $i\n"
                )
            }
            Lang::Awk
            | Lang::Cmd
            | Lang::Debugger
            | Lang::Ex
            | Lang::JavaScript
            | Lang::Make
            | Lang::Other(_)
            | Lang::Perl
            | Lang::PowerShell
            | Lang::Python
            | Lang::R
            | Lang::Ruby
            | Lang::Sed
            | Lang::Shell
            | Lang::Sql => format!("{before}\n{value}\0"),
        }
    }
}
