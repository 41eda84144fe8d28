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
    has_one_of(key, &["args", "arguments", "argv", "parameters", "params"])
}

/// Whether tools are given files under this key.
#[must_use]
pub fn is_place(key: &str) -> bool {
    has_one_of(key, PLACES)
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
pub(crate) fn plain(key: &str) -> String {
    key.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

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
    }
}
