//! Files that the text wrote and that a tool then loads by itself: `conftest.py`, `.pre-commit-config.yaml`, a script that a variable or
//! an option names.

use super::machine::Machine;
use super::net::{begins_with_a_program, starts};
use super::scope::Scope;
use super::suppose::{SUPPOSITIONS, Starter};
use crate::effect::Certainty;
use crate::lang::Lang;
use crate::programs;
use crate::programs::arguments::Argument;
use crate::programs::schema::Syntax;
use crate::value::Value;

/// Tools that load a file which is not called after them.
const LOADING: &[(&str, &[&str])] = &[
    ("bundle", &["gemfile"]),
    ("cargo", &["build.rs"]),
    ("direnv", &[".envrc"]),
    ("foreman", &["procfile"]),
    ("gradlew", &["build.gradle", "init.gradle", "settings.gradle"]),
    ("honcho", &["procfile"]),
    ("mvn", &["pom.xml"]),
    ("overmind", &["procfile"]),
    ("pip", &["setup.py"]),
    ("pip3", &["setup.py"]),
    ("pod", &["podfile"]),
    ("pytest", &["conftest.py", "pytest.ini"]),
    ("scons", &["sconstruct"]),
    ("uv", &["setup.py"]),
];

/// Programs that hand files on, or take them for data, whatever they are called.
const CARRIERS: &[&str] = &[
    "basename",
    "cat",
    "chgrp",
    "chmod",
    "chown",
    "cmp",
    "cp",
    "cut",
    "diff",
    "dirname",
    "docker",
    "du",
    "echo",
    "file",
    "find",
    "gh",
    "git",
    "grep",
    "head",
    "install",
    "less",
    "ln",
    "ls",
    "mkdir",
    "more",
    "mv",
    "nl",
    "podman",
    "printf",
    "readlink",
    "realpath",
    "rm",
    "rsync",
    "scp",
    "sed",
    "shellcheck",
    "sort",
    "stat",
    "tail",
    "tar",
    "tee",
    "test",
    "touch",
    "tree",
    "wc",
    "wget",
    "xxd",
    "zip",
];

/// Words behind which the name of a tool stands that is started.
const STARTING: &[&str] = &["-m", "dlx", "exec", "run", "x"];

/// Programs whose first operand is the name of a tool that is started.
const LAUNCHERS: &[&str] = &["bunx", "npx", "pipx", "pnpx", "uvx"];

/// How many files are loaded in all.
const MOST: usize = 16;

impl Machine<'_> {
    /// Reads the code in files of the text that a program loads.
    pub(super) fn load_written(&mut self, starter: Starter<'_>, arguments: &[Argument], scope: &Scope) {
        let is_said = programs::find(starter.name).is_some_and(|program| program.syntax == Syntax::Words);
        if self.files.size() == 0
            || is_said
            || CARRIERS.contains(&starter.name)
            || self.supposing >= SUPPOSITIONS
        {
            return;
        }
        let tools = tools(starter.name, arguments);
        let mut names: Vec<String> = option_values(arguments);
        names.extend(
            scope.exported().filter_map(|(_, value)| value.known()).map(std::borrow::Cow::into_owned),
        );
        loop {
            let next = self.files.contents().find(|(path, _)| {
                !self.loaded.contains(*path)
                    && (is_called_after(path, &tools) || names.iter().any(|name| leads_to(name, path)))
            });
            let Some((path, content)) = next.map(|(path, content)| (path.to_owned(), content.clone())) else {
                return;
            };
            if self.loaded.len() >= MOST || !self.spend_bytes(content.size()) {
                return;
            }
            names.extend(content.known().map(std::borrow::Cow::into_owned));
            self.load(&path, &content, starter, scope);
            self.loaded.insert(path);
        }
    }

    fn load(&mut self, path: &str, content: &Value, starter: Starter<'_>, scope: &Scope) {
        let codes = match language(path, content) {
            Some(Lang::Python) => vec![(Lang::Python, with_hooks(content))],
            Some(lang) => vec![(lang, content.clone())],
            None => commands(&content.known_prefix()).map(|code| (Lang::Shell, code)).collect(),
        };
        if language(path, content).is_none() {
            for line in content.known_prefix().lines() {
                self.net_value(starter, line, scope);
            }
        }
        for (lang, code) in codes {
            let certainty = Certainty::May;
            let mut inner = Scope {
                certainty,
                stdin: None,
                within: Some(starter.invocation),
                hooked: true,
                ..scope.clone()
            };
            self.undone(|machine| {
                let _ = machine.code_at(lang, &code, &mut inner, starter.invocation, starter.span);
            });
        }
    }
}

/// The tools that a command line starts.
fn tools(program: &str, arguments: &[Argument]) -> Vec<String> {
    let words: Vec<_> = arguments.iter().map(|argument| argument.value.known_prefix()).collect();
    let mut tools = vec![program.to_lowercase()];
    if LAUNCHERS.contains(&program) {
        tools.extend(words.iter().find(|word| !word.starts_with('-')).map(|word| word.to_lowercase()));
    }
    let behind =
        words.iter().zip(words.iter().skip(1)).filter(|(before, _)| STARTING.contains(&before.as_ref()));
    tools.extend(behind.map(|(_, tool)| tool.to_lowercase()));
    tools
}

/// Whether tools load a file because of its name.
fn is_called_after(path: &str, tools: &[String]) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path).to_lowercase();
    tools.iter().any(|tool| {
        let is_own = tool.len() > 2 && name.contains(tool.as_str()) && name != *tool;
        is_own || LOADING.iter().any(|(other, names)| other == tool && names.contains(&name.as_str()))
    })
}

/// The values of options, and words that stand behind one.
fn option_values(arguments: &[Argument]) -> Vec<String> {
    let words: Vec<_> = arguments.iter().map(|argument| argument.value.known_prefix()).collect();
    let is_option = |word: &str| word.starts_with('-') && word.len() > 1;
    let behind = words.iter().zip(words.iter().skip(1)).filter(|(before, _)| is_option(before));
    let glued = words.iter().filter(|word| is_option(word));
    behind.map(|(_, word)| word).chain(glued).cloned().collect()
}

/// Whether a text names a file: by its path, or as it is called in the working directory.
fn leads_to(text: &str, path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let is_whole =
        text.rsplit(['=', '/']).next() == Some(name) && !text.trim_start_matches("./").contains('/');
    text.contains(path) || is_whole
}

/// The language of a file; of settings, none.
fn language(path: &str, content: &Value) -> Option<Lang> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let ending = name.rsplit_once('.').map(|(_, ending)| ending);
    Some(match ending {
        Some("R" | "r") => Lang::R,
        Some("awk") => Lang::Awk,
        Some("bash" | "envrc" | "sh" | "zsh") => Lang::Shell,
        Some("cmake") => Lang::Other("cmake"),
        Some("cjs" | "js" | "mjs" | "ts") => Lang::JavaScript,
        Some("lua") => Lang::Lua,
        Some("php") => Lang::Php,
        Some("pl" | "pm") => Lang::Perl,
        Some("ps1" | "psm1") => Lang::PowerShell,
        Some("py") => Lang::Python,
        Some("rb") => Lang::Ruby,
        Some("tcl") => Lang::Tcl,
        _ if matches!(
            name,
            "Brewfile" | "Fastfile" | "Gemfile" | "Guardfile" | "Podfile" | "Rakefile" | "Vagrantfile"
        ) =>
        {
            Lang::Ruby
        }
        _ if name == "CMakeLists.txt" => Lang::Other("cmake"),
        _ if content.known_prefix().starts_with("#!") => super::code::language_of(content, Lang::Shell),
        _ => return None,
    })
}

/// Python that is loaded: whatever loads it calls the functions in it.
fn with_hooks(content: &Value) -> Value {
    let text = content.known_prefix();
    let names =
        text.lines().filter_map(|line| line.strip_prefix("def ").or_else(|| line.strip_prefix("async def ")));
    let names: Vec<&str> =
        names.filter_map(|line| line.split_once('(')).map(|(name, _)| name.trim()).collect();
    let mut code = content.clone();
    if !names.is_empty() {
        code.push_str(&format!("\nimport loader\nloader.call({})\n", names.join(", ")));
    }
    code
}

/// The commands in settings: what stands behind a name that says so, `entry: …`, `Match exec "…"`.
fn commands(settings: &str) -> impl Iterator<Item = Value> {
    settings.lines().filter_map(command).filter(|code| begins_with_a_program(code)).map(Value::literal)
}

fn command(line: &str) -> Option<String> {
    let ends = line.char_indices().filter(|(_, mark)| ":=\"' \t".contains(*mark)).map(|(at, _)| at);
    let value = ends.filter_map(|end| line.split_at_checked(end)).find_map(|(before, rest)| {
        let name = last(before).trim_matches(|mark: char| mark.is_whitespace() || "-\"'".contains(mark));
        (is_command_name(name)).then_some(rest)
    })?;
    let value = value.trim_start_matches([':', '=', ' ', '\t', '|', '>']).trim();
    let inside = |first: char, last: char| value.strip_prefix(first).and_then(|rest| rest.strip_suffix(last));
    let plain = match inside('[', ']') {
        Some(list) => list.split(',').map(str::trim).collect::<Vec<_>>().join(" "),
        None => inside('"', '"').or_else(|| inside('\'', '\'')).unwrap_or(value).to_owned(),
    };
    Some(plain).filter(|command| !command.is_empty())
}

/// The end of a text in which the name of a setting has room. A whole file may be one line.
fn last(text: &str) -> &str {
    let start = text.len().saturating_sub(NAME);
    (start..=text.len()).find_map(|start| text.get(start..)).unwrap_or_default()
}

/// No name of a setting is longer.
const NAME: usize = 96;

fn is_command_name(name: &str) -> bool {
    starts(name)
        || name
            .rsplit(char::is_whitespace)
            .next()
            .is_some_and(|word| matches!(word, "entry" | "hook" | "script"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_tell_commands_from_other_values() {
        let found = |line: &str| command(line);
        assert_eq!(found("        entry: bash -c 'rm -rf ~'").as_deref(), Some("bash -c 'rm -rf ~'"));
        assert_eq!(found("Match exec \"rm -rf /home/dev\"").as_deref(), Some("rm -rf /home/dev"));
        assert_eq!(found("ProxyCommand nc %h 22").as_deref(), Some("nc %h 22"));
        assert_eq!(found(r#"command = ["sh", "-c", "reboot"]"#).as_deref(), Some(r#""sh" "-c" "reboot""#));
        assert_eq!(found("name: remove everything"), None);
        assert_eq!(found("IdentityFile ~/.ssh/id"), None);
    }
}
