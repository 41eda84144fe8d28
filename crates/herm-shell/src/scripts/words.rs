//! Words of command lines, as far as scripts need them.

/// The words of a text, cut at blanks.
pub(super) fn blanks(text: &str) -> Vec<String> {
    text.split_whitespace().take(64).map(str::to_owned).collect()
}

/// Whether a command is a shell that waits for someone to type: no script, no `-c`.
pub(super) fn waits(words: &[String]) -> bool {
    let mut words =
        words.iter().map(String::as_str).skip_while(|word| matches!(*word, "exec" | "env" | "sudo"));
    let Some(program) = words.next() else { return false };
    is_shell(program) && words.all(|word| is_stream(word) || (word.starts_with('-') && !word.contains('c')))
}

/// Whether a program is a shell, by its plain name.
pub(super) fn is_shell(program: &str) -> bool {
    let name = program.rsplit(['/', '\\']).next().unwrap_or(program);
    let name = name.strip_suffix(".exe").unwrap_or(name);
    SHELLS.contains(&name)
}

const SHELLS: &[&str] =
    &["sh", "bash", "zsh", "dash", "ksh", "ash", "fish", "csh", "tcsh", "rbash", "cmd", "powershell", "pwsh"];

/// A redirection between streams: `<&3`, `2>&1`, `0>&1`.
fn is_stream(word: &str) -> bool {
    word.contains(['<', '>', '&'])
}

/// The name that code gives back when it does nothing else: `return process`.
pub(super) fn returned_name(code: &str) -> Option<String> {
    let name = code.trim().trim_end_matches(';').trim();
    let name = name.strip_prefix("return").map_or(name, str::trim_start);
    let plain = !name.is_empty()
        && name.len() < 80
        && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | '$'));
    plain.then(|| name.to_owned())
}

/// The first string literal in the call of a function whose name begins with `name`: `system("ls")`.
pub(super) fn quoted_argument(code: &str, name: &str) -> Option<String> {
    let mut rest = code;
    while let Some((before, after)) = rest.split_once(name) {
        let whole = !before.ends_with(|c: char| c.is_alphanumeric() || c == '_');
        let arguments =
            after.trim_start_matches(|c: char| c.is_alphanumeric() || c.is_whitespace()).strip_prefix('(');
        if let Some(arguments) = arguments.filter(|_| whole) {
            let arguments = arguments.trim_start();
            let quote = arguments.chars().next().filter(|c| matches!(c, '"' | '\''))?;
            return Some(until_quote(arguments.get(1..).unwrap_or_default(), quote));
        }
        rest = after;
    }
    None
}

/// The text before an unescaped quote.
pub(super) fn until_quote(text: &str, quote: char) -> String {
    let mut escaped = false;
    text.chars()
        .take_while(|c| {
            let ends = *c == quote && !escaped;
            escaped = *c == '\\' && !escaped;
            !ends
        })
        .collect()
}
