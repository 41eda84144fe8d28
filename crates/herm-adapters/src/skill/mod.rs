//! Sheets of instructions that an agent shows its model, and the commands in them that it runs on the way.
//!
//! What is run where the agent would show it only is judged for nothing; what is shown where it would be run is not judged at all. So
//! wherever a reading is in doubt, it is the one that runs more.

mod blocks;
mod given;
mod head;

use crate::event::{Dialect, Use};
use head::Head;

/// A sheet, as it lies in a file.
#[derive(Clone, Copy, Debug)]
pub struct Sheet<'a> {
    /// All of its text.
    pub text: &'a str,
    /// The directory that it lies in.
    pub directory: &'a str,
}

impl Sheet<'_> {
    /// Whether its head gives it this name.
    #[must_use]
    pub fn is_named(&self, name: &str) -> bool {
        let head = Head::of(self.text);
        let is_own = |own: &String| own.trim().eq_ignore_ascii_case(name);
        if head.is_clear() { head.texts("name").iter().any(is_own) } else { head.may_say(name) }
    }

    /// What Claude Code runs when it shows this sheet, with what the model gives it.
    #[must_use]
    pub fn run_by_claude_code(&self, given: Option<&str>) -> Vec<Use> {
        let head = Head::of(self.text);
        let Some(whole) = given::put_in(self.text, given, &head) else { return vec![Use::Unknown] };
        let whole = whole.replace("${CLAUDE_SKILL_DIR}", self.directory);
        // Hooks that it brings along are run from then on.
        let brings = head.may_have(&["hooks"]).then_some(Use::Unknown);
        let commands = blocks::spaced(&whole).into_iter().chain(blocks::fenced(&whole));
        let is_power = |text: &String| text.to_lowercase().contains("powershell");
        let is_other =
            head.texts("shell").iter().any(is_power) || !head.is_clear() && head.may_say("powershell");
        let dialects: &[Dialect] =
            if is_other { &[Dialect::Shell, Dialect::PowerShell] } else { &[Dialect::Shell] };
        let run = commands.flat_map(|text| dialects.iter().map(move |dialect| (text.clone(), *dialect)));
        brings
            .into_iter()
            .chain(run.map(|(text, dialect)| Use::Command { text, dialect, cwd: None }))
            .collect()
    }

    /// What Hermes runs when it shows this sheet, where it is told to.
    #[must_use]
    pub fn run_by_hermes(&self) -> Vec<Use> {
        let whole = self.text.replace("${HERMES_SKILL_DIR}", self.directory);
        let run = |text| Use::Command { text, dialect: Dialect::Shell, cwd: Some(self.directory.to_owned()) };
        blocks::anywhere(&whole).into_iter().map(run).collect()
    }

    /// What Claude Code runs when it starts the sub-agent that a sheet with this text describes: the sheets that are shown to it at once,
    /// and whatever the head of this one brings along.
    #[must_use]
    pub fn started_by_claude_code(text: &str) -> Vec<Use> {
        let head = Head::of(text);
        if head.may_have(&["hooks", "mcpservers"]) || !head.is_clear() && head.may_have(&["skills"]) {
            return vec![Use::Unknown];
        }
        head.names("skills").into_iter().map(|name| Use::Skill { name, given: None }).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(text: &str, given: Option<&str>) -> Vec<String> {
        let name = |one: Use| if let Use::Command { text, .. } = one { text } else { format!("{one:?}") };
        Sheet { text, directory: "/srv/zap" }.run_by_claude_code(given).into_iter().map(name).collect()
    }

    #[test]
    fn both_kinds_of_blocks_run() {
        let text = "---\nname: zap\n---\nNow: !`date +%F`\n```!\r\nuname -a\r\nls ${CLAUDE_SKILL_DIR}\n```\n";
        assert_eq!(run(text, None), ["date +%F", "uname -a\nls /srv/zap"]);
        assert_eq!(run("wow!`no` and `code`\n```sh\nls\n```\n", None), Vec::<String>::new());
    }

    #[test]
    fn what_the_model_gives_is_part_of_what_runs() {
        assert_eq!(run("!`ls $ARGUMENTS`", Some("a; id")), ["ls a; id"]);
        assert_eq!(run("---\narguments: [one, two]\n---\n!`ls $two $0 $9`", Some("a b")), ["ls b a $9"]);
        assert_eq!(run("!`ls \\$ARGUMENTS $ARGUMENTS[1]`", Some("a b")), ["ls $ARGUMENTS b"]);
        // Which word is which is not told by blanks alone.
        assert_eq!(run("!`ls $1`", Some("'a b' c")), ["Unknown"]);
        // What is given can make a block of what was none.
        assert_eq!(run("!$ARGUMENTS", Some("`id`")), ["id"]);
        assert_eq!(run("!`id", Some("x` y")), ["id\n\nARGUMENTS: x"]);
    }

    #[test]
    fn what_a_head_brings_along_is_unknown() {
        for head in ["hooks:\n  Stop: []", "'ho\u{6f}ks': {}", "\"\\x68ooks\": {}", "? [\nhooks: {"] {
            assert_eq!(run(&format!("---\n{head}\n---\nHello"), None), ["Unknown"], "{head}");
        }
        let agent = |head: &str| Sheet::started_by_claude_code(&format!("---\n{head}\n---\n"));
        let shown = |name: &str| Use::Skill { name: name.to_owned(), given: None };
        assert_eq!(agent("name: a\nskills: zap, b:c"), [shown("zap"), shown("b:c")]);
        assert_eq!(agent("name: a\nskills:\n  - zap"), [shown("zap")]);
        assert_eq!(agent("name: a\nmcpServers: {x: {command: y}}"), [Use::Unknown]);
        assert_eq!(agent("name: a"), []);
    }

    #[test]
    fn hermes_runs_what_stands_in_one_line() {
        let sheet = Sheet { text: "a!`id` !`no\nt` !`ls ${HERMES_SKILL_DIR}`", directory: "/s" };
        let run = |text: &str| Use::Command {
            text: text.to_owned(),
            dialect: Dialect::Shell,
            cwd: Some("/s".to_owned()),
        };
        assert_eq!(sheet.run_by_hermes(), [run("id"), run("ls /s")]);
    }
}
