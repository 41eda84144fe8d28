//! The command line that an agent is given, and how to know it again.

use crate::Agent;

/// How an agent calls herm.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The agent.
    pub agent: Agent,
    /// Where herm lies.
    pub program: String,
    /// Where herm keeps its files, if not at the usual place: a hook heeds no variable that says so.
    pub herm_home: Option<String>,
    /// What a person has added.
    pub added: Added,
}

/// What a person has added to a line that calls herm, which stays when the line is written again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Added {
    /// When herm refuses by itself, if sooner than usual.
    deadline: Option<u64>,
    /// Options with their values.
    options: Vec<(&'static str, String)>,
}

/// The options that are a person's to add. Where herm keeps its files is said by whoever wires it.
const ADDED: &[&str] = &["--ask", "--config", "--home", "--preset"];

impl Added {
    /// What was added to these lines. Where they differ, the first that says something counts.
    #[must_use]
    pub fn to(agent: Agent, lines: &[String]) -> Self {
        let mut added = Self::default();
        for line in lines.iter().filter(|line| is_ours(line, agent)) {
            let words = words(line).unwrap_or_default();
            for option in ADDED {
                let is_new = added.options.iter().all(|(known, _)| known != option);
                added
                    .options
                    .extend(value_of(&words, option).filter(|_| is_new).map(|value| (*option, value)));
            }
            let sooner = value_of(&words, "--deadline").and_then(|value| value.parse().ok());
            let sooner = sooner.filter(|sooner| (1..patience(agent).deadline).contains(sooner));
            added.deadline = added.deadline.or(sooner);
        }
        added
    }
}

/// The value of an option: `--option value` or `--option=value`.
fn value_of(words: &[String], option: &str) -> Option<String> {
    let mut words = words.iter();
    words
        .find_map(|word| match word.strip_prefix(option)? {
            "" => Some(None),
            joined => joined.strip_prefix('=').map(|value| Some(value.to_owned())),
        })?
        .or_else(|| words.next().cloned())
}

impl Call {
    /// The words of the command, of which no shell reads any.
    #[must_use]
    pub fn words(&self) -> Vec<String> {
        let deadline = self.added.deadline.unwrap_or(patience(self.agent).deadline).to_string();
        let words =
            [&self.program, "hook", self.agent.word(), "--deadline", &deadline].map(ToOwned::to_owned);
        let home = self.herm_home.iter().flat_map(|home| ["--herm-home".to_owned(), home.clone()]);
        let added =
            self.added.options.iter().flat_map(|(option, value)| [(*option).to_owned(), value.clone()]);
        words.into_iter().chain(home).chain(added).collect()
    }

    /// The command as a shell reads it, and Python's `shlex` as well.
    ///
    /// Where the agent would run a tool whose hook was killed, has crashed or is not there, somebody else refuses then.
    #[must_use]
    pub fn line(&self) -> String {
        let words: Vec<String> = self.words().iter().map(|word| quoted(word)).collect();
        let line = words.join(" ");
        match self.agent {
            // The shell has said on standard error what became of herm, without which one of them would run the tool.
            Agent::Codex | Agent::Gemini => format!("{line} || exit 2"),
            Agent::Hermes => format!("{} {line}", STAND_IN.map(quoted).join(" ")),
            Agent::ClaudeCode
            | Agent::Cline
            | Agent::Copilot
            | Agent::Cursor
            | Agent::Goose
            | Agent::OpenCode
            | Agent::Pi
            | Agent::Windsurf => line,
        }
    }
}

/// Starts herm for an agent that uses no shell and heeds only what is printed, and refuses unless herm has decided. Whatever herm
/// said before it failed is dropped: two answers would count for none.
const STAND_IN: [&str; 3] = [
    "/bin/sh",
    "-c",
    r#"said=$("$0" "$@") || [ $? -eq 2 ] || said="{\"decision\":\"block\",\"reason\":\"herm did not answer\"}"; printf %s "$said""#,
];

/// How long an agent waits for its hook, in seconds, and when herm answers at the latest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// When the agent goes on without an answer, which for most of them means that it runs the tool.
    pub agent: u64,
    /// When herm refuses by itself. Well before that: a machine under load is slow to write.
    pub deadline: u64,
}

/// As long as each agent permits.
#[must_use]
pub const fn patience(agent: Agent) -> Patience {
    let longest = agent.protocol().patience.longest;
    let margin = match longest / 10 {
        ..10 => 10,
        60.. => 60,
        tenth => tenth,
    };
    Patience { agent: longest, deadline: longest - margin }
}

/// Where herm keeps its files, as a line says that calls it; nothing where it says nothing.
#[must_use]
pub fn named_home(line: &str) -> Option<String> {
    value_of(&words(line)?, "--herm-home")
}

/// A word that a POSIX shell reads as it is.
#[must_use]
pub fn quoted(word: &str) -> String {
    let is_plain = |character: char| character.is_ascii_alphanumeric() || "/._-+=:,@%".contains(character);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// The words of a line, as a POSIX shell takes them apart. Nothing when a quote is open at its end.
#[must_use]
pub fn words(line: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut rest = line.chars();
    while let Some(character) = rest.next() {
        match character {
            ' ' | '\t' | '\n' => words.extend(word.take()),
            '\'' => {
                let text = word.get_or_insert_default();
                loop {
                    match rest.next()? {
                        '\'' => break,
                        other => text.push(other),
                    }
                }
            }
            '"' => {
                let text = word.get_or_insert_default();
                loop {
                    match rest.next()? {
                        '"' => break,
                        '\\' => text.push(rest.next()?),
                        other => text.push(other),
                    }
                }
            }
            '\\' => word.get_or_insert_default().push(rest.next()?),
            other => word.get_or_insert_default().push(other),
        }
    }
    words.extend(word);
    Some(words)
}

/// Whether a command line is one that herm writes for this agent, wherever herm lies.
#[must_use]
pub fn is_ours(line: &str, agent: Agent) -> bool {
    let words = words(line).unwrap_or_default();
    let words = words.strip_prefix(STAND_IN.map(ToOwned::to_owned).as_slice()).unwrap_or(&words);
    let [program, hook, named, rest @ ..] = words else { return false };
    // A herm that is called otherwise is known by what nobody else says.
    let is_herm = program.rsplit('/').next() == Some("herm");
    let says_so = rest.first().is_some_and(|word| word == "--deadline");
    (is_herm || says_so) && hook == "hook" && named == agent.word()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(program: &str) -> Call {
        Call { agent: Agent::Codex, program: program.to_owned(), herm_home: None, added: Added::default() }
    }

    #[test]
    fn a_line_is_taken_apart_into_what_it_was_made_of() {
        for program in ["/usr/bin/herm", "/home/an n/it's/herm", "/a\"b\\c/$x/herm", "/opt/herm-1.2"] {
            let call = call(program);
            let read = words(&call.line()).unwrap();
            let (said, otherwise) = read.split_at(call.words().len());
            assert_eq!(
                (said, otherwise.join(" ").as_str()),
                (call.words().as_slice(), "|| exit 2"),
                "{program}"
            );
            assert!(is_ours(&call.line(), Agent::Codex));
            assert!(!is_ours(&call.line(), Agent::Gemini));
        }
        assert_eq!(call("/usr/bin/herm").line(), "/usr/bin/herm hook codex --deadline 3540 || exit 2");
        let elsewhere = Call { herm_home: Some("/srv/a b".to_owned()), ..call("/herm") };
        assert_eq!(elsewhere.line(), "/herm hook codex --deadline 3540 --herm-home '/srv/a b' || exit 2");
        for agent in Agent::ALL {
            let call = Call { agent: *agent, ..elsewhere.clone() };
            assert_eq!(named_home(&call.line()).as_deref(), Some("/srv/a b"), "{agent:?}");
            assert_eq!(named_home(&Call { herm_home: None, ..call }.line()), None, "{agent:?}");
        }
    }

    #[test]
    fn what_a_person_added_stays() {
        for agent in Agent::ALL {
            let plain = Call { agent: *agent, ..call("/usr/bin/herm") };
            for more in
                ["--ask herm --preset strict", "--ask=herm --preset=strict", "--preset 'strict' --ask herm"]
            {
                let line = plain.line().replace("--deadline", &format!("{more} --deadline"));
                let again = Call { added: Added::to(*agent, &[plain.line(), line]), ..plain.clone() };
                assert!(again.line().contains("--ask herm --preset strict"), "{agent:?}: {}", again.line());
                assert!(is_ours(&again.line(), *agent));
                assert_eq!(Added::to(*agent, &[again.line()]), again.added, "it stays as it is");
            }
        }
    }

    #[test]
    fn only_a_sooner_deadline_stays() {
        let with = |seconds: &str| {
            let line = format!("/usr/bin/herm hook codex --deadline {seconds}");
            Call { added: Added::to(Agent::Codex, &[line]), ..call("/herm") }.words()[4].clone()
        };
        assert_eq!(with("100"), "100");
        for other in ["0", "3541", "99999999999999999999", "-1", "soon"] {
            assert_eq!(with(other), "3540", "{other}");
        }
    }

    #[test]
    fn nothing_else_is_taken_over() {
        let line =
            "/opt/old/herm hook codex --deadline 3540 --herm-home /elsewhere --shim --verbose".to_owned();
        assert_eq!(Added::to(Agent::Codex, &[line, "echo --preset permissive".to_owned()]), Added::default());
    }

    #[test]
    fn somebody_refuses_in_herms_place_where_no_shell_does() {
        let call = Call { agent: Agent::Hermes, ..call("/home/it's/herm") };
        let read = words(&call.line()).unwrap();
        assert_eq!(read.strip_prefix(STAND_IN.map(ToOwned::to_owned).as_slice()), Some(&*call.words()));
        assert!(is_ours(&call.line(), Agent::Hermes) && !is_ours(&call.line(), Agent::Codex));
        assert!(!is_ours("/bin/sh -c true /usr/bin/herm hook hermes --deadline 270", Agent::Hermes));
    }

    #[test]
    fn commands_of_others_are_not_ours() {
        for line in [
            "",
            "herm",
            "herm hook",
            "/usr/bin/hermes hook codex",
            "echo herm hook codex",
            "'herm hook codex",
        ] {
            assert!(!is_ours(line, Agent::Codex), "{line}");
        }
    }

    #[test]
    fn herm_answers_before_the_agent_goes_on() {
        for agent in Agent::ALL {
            assert!(patience(*agent).deadline < patience(*agent).agent, "{agent:?}");
            assert!(agent.deadline().as_secs() <= patience(*agent).agent, "{agent:?}");
        }
        let set = [Agent::Codex, Agent::Hermes, Agent::Cline].map(|agent| patience(agent).deadline);
        assert_eq!(set, [3540, 270, 20]);
    }
}
