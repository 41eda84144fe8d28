//! What tools are given under which names: commands, files, links, contents.
//!
//! One table for every door, so that what is a command at one is none the less one at another.

/// The words of a name such as `read_file`, `readFile` or `read-file`, in lower case.
#[must_use]
pub fn words_of(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_small = false;
    for c in name.chars() {
        let begins = c.is_uppercase() && was_small;
        was_small = c.is_lowercase() || c.is_ascii_digit();
        if begins || !c.is_alphanumeric() {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| c.is_alphanumeric()) {
            word.extend(c.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Whether tools are given commands or code under this key.
#[must_use]
pub fn is_command(key: &str) -> bool {
    has_one_of(key, COMMANDS)
}

/// Whether each text of a list under this key is a command of its own.
#[must_use]
pub fn is_commands(key: &str) -> bool {
    has_one_of(key, &["cmds", "commands", "scripts", "statements"])
}

/// Whether tools are given the arguments of a command under this key.
#[must_use]
pub fn is_arguments(key: &str) -> bool {
    has_one_of(key, ARGUMENTS)
}

/// Whether a program is given under this key what it reads.
#[must_use]
pub fn is_input(key: &str) -> bool {
    has_one_of(key, &["heredoc", "stdin"])
        || ["input", "inputdata", "inputtext"].contains(&plain(key).as_str())
}

/// Whether tools are given statements for a database under this key.
#[must_use]
pub fn is_sql(key: &str) -> bool {
    has_one_of(key, &["sql"])
}

/// Whether tools are given questions under this key, which may be statements for a database.
#[must_use]
pub fn is_query(key: &str) -> bool {
    has_one_of(key, &["queries", "query", "statement", "statements"])
}

/// Whether tools are given words under this key about what they do, and not what it is done with.
#[must_use]
pub fn is_inert(key: &str) -> bool {
    has_one_of(key, INERT)
}

/// Whether what tools are given under this key, however deep, is about what they do, and not what it is done with.
#[must_use]
pub fn is_aside(key: &str) -> bool {
    has_one_of(key, &["env", "environment", "headers", "labels", "metadata"])
}

/// Whether tools are told under this key that everything below a directory counts as well.
#[must_use]
pub fn is_recursive(key: &str) -> bool {
    has_one_of(key, &["recurse", "recursive", "recursively"])
}

/// Whether tools are given files under this key.
#[must_use]
pub fn is_place(key: &str) -> bool {
    has_one_of(key, PLACES)
}

/// Whether tools are given files under this key that a program beside it may be meant to take, and not where it runs.
#[must_use]
pub fn is_operand(key: &str) -> bool {
    let places = ["cwd", "dir", "directory", "dirpath", "folder", "root", "workdir"];
    is_place(key) && !has_one_of(key, &places) && !is_link(key)
}

/// Whether tools are given hosts under this key, among other things that are called so.
#[must_use]
pub fn is_address(key: &str) -> bool {
    has_one_of(key, &["address", "addr", "domain", "ip", "ipaddress", "ipv4", "ipv6", "server", "servers"])
}

/// Whether tools are given links under this key.
#[must_use]
pub fn is_link(key: &str) -> bool {
    has_one_of(key, LINKS)
}

/// Whether tools are given words under this key that are meant to be read, and may have many lines.
#[must_use]
pub fn is_prose(key: &str) -> bool {
    has_one_of(key, PROSE)
}

/// Whether tools are given what stands in a file under this key.
#[must_use]
pub fn is_content(key: &str) -> bool {
    has_one_of(key, CONTENTS)
}

fn has_one_of(key: &str, known: &[&str]) -> bool {
    let is_known = |word: &String| known.contains(&word.as_str());
    // Capitals alone, as in `COMMANDLINE` or `filePATH`, make words of their own.
    words_of(key).iter().any(is_known) || known.contains(&plain(key).as_str())
}

/// A key however its words are joined.
#[must_use]
pub fn plain(key: &str) -> String {
    key.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

const ARGUMENTS: &[&str] = &[
    "arg",
    "args",
    "argument",
    "arguments",
    "argv",
    "flag",
    "flags",
    "operands",
    "options",
    "opts",
    "parameters",
    "params",
    "switches",
];

const INERT: &[&str] = &[
    "agent",
    "author",
    "branch",
    "category",
    "comment",
    "date",
    "description",
    "encoding",
    "env",
    "environment",
    "explanation",
    "format",
    "goal",
    "id",
    "ids",
    "instruction",
    "instructions",
    "intent",
    "justification",
    "kind",
    "label",
    "labels",
    "lang",
    "language",
    "message",
    "messages",
    "mode",
    "model",
    "name",
    "names",
    "note",
    "notes",
    "owner",
    "prompt",
    "question",
    "reason",
    "ref",
    "repo",
    "repository",
    "role",
    "session",
    "summary",
    "tag",
    "tags",
    "task",
    "thought",
    "timeout",
    "timestamp",
    "title",
    "type",
    "user",
    "username",
    "uuid",
    "version",
];

const COMMANDS: &[&str] = &[
    "argv",
    "bash",
    "cmd",
    "cmdline",
    "cmds",
    "code",
    "command",
    "commandline",
    "commands",
    "exec",
    "executable",
    "execute",
    "powershell",
    "program",
    "pwsh",
    "run",
    "script",
    "scripts",
    "sh",
    "shell",
    "statement",
    "statements",
    "zsh",
];

const PLACES: &[&str] = &[
    "absolutepath",
    "abspath",
    "cwd",
    "dest",
    "destination",
    "dir",
    "directories",
    "directory",
    "dirpath",
    "file",
    "filename",
    "filenames",
    "filepath",
    "filepaths",
    "files",
    "folder",
    "folders",
    "from",
    "location",
    "newpath",
    "oldpath",
    "output",
    "path",
    "paths",
    "root",
    "source",
    "src",
    "target",
    "to",
    "uri",
    "uris",
    "workdir",
];

const LINKS: &[&str] = &[
    "endpoint",
    "endpoints",
    "host",
    "hostname",
    "href",
    "link",
    "links",
    "uri",
    "uris",
    "url",
    "urls",
    "webhook",
    "website",
];

const PROSE: &[&str] = &[
    "body",
    "code",
    "comment",
    "content",
    "contents",
    "css",
    "description",
    "diff",
    "html",
    "markdown",
    "message",
    "note",
    "notes",
    "patch",
    "prompt",
    "script",
    "snippet",
    "str",
    "string",
    "summary",
    "text",
];

const CONTENTS: &[&str] = &[
    "content",
    "contents",
    "diff",
    "filetext",
    "newstr",
    "newstring",
    "newtext",
    "oldstr",
    "oldstring",
    "oldtext",
    "patch",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_means_the_same_however_it_is_joined() {
        for key in ["shellCommand", "shell_command", "command-line", "CMDLINE", "argv", "exec", "code"] {
            assert!(is_command(key), "{key}");
        }
        for key in ["comment", "recommended", "encode", "shells", "truncate"] {
            assert!(!is_command(key), "{key}");
        }
        assert!(is_place("targetFile") && is_place("FILEPATH") && !is_place("profile"));
        assert!(is_link("imageUrl") && !is_link("linked"));
        assert!(is_input("stdin") && is_input("input") && is_input("inputText") && !is_input("input_file"));
        assert!(is_operand("target_file") && !is_operand("cwd") && !is_operand("url"));
        assert!(is_sql("rawSql") && is_query("query") && is_inert("session_id") && is_arguments("options"));
    }
}
