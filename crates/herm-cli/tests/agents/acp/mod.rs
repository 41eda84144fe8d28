//! Real agents in an editor, with `herm acp` in between and without their hooks.
//!
//! What they ask about is what the tests are about: most run commands themselves, and what they do not ask about is only seen.

#[expect(dead_code, reason = "the tests without an agent need more of it")]
#[path = "../../acp/conversation.rs"]
mod conversation;
mod editor;
mod schema;

use serde_json::{Value, json};

use crate::client::Client;
use crate::model::{Call, prompt};
use crate::place::eventually;
use crate::stage::Stage;
use editor::Editor;

/// An agent in an editor.
struct InEditor {
    client: &'static Client,
    /// How it is started there.
    command: &'static [&'static str],
    /// Has it ask its person.
    cautious: fn(&Stage),
    /// Whether it says what it would run.
    tells: bool,
    /// Whether it asks before it runs something harmless.
    asks_always: bool,
}

/// What nobody may approve, and what does no harm if it runs.
const FLOOR: &str = "wipefs -a /dev/herm-no-such-disk; touch floor";

/// A person is asked about it, by herm and by the agents.
const ASKED: &str = "git push --force nowhere main; rm -rf nothing-here; touch asked";

impl InEditor {
    /// What was asked and what was left behind, where the person answers every question like this.
    fn run(&self, calls: &dyn Fn(&Stage) -> Vec<Call>, answer: &'static str) -> (Stage, Vec<Value>) {
        let stage = Stage::new(self.client);
        (self.cautious)(&stage);
        self.run_on(stage, calls, answer)
    }

    fn run_on(
        &self,
        stage: Stage,
        calls: &dyn Fn(&Stage) -> Vec<Call>,
        answer: &'static str,
    ) -> (Stage, Vec<Value>) {
        let mut command = stage.place.command("setsid");
        command.args(["--wait", "timeout", "--kill-after", "5", "120"]).arg(stage.herm());
        command.args(["acp", "--name", self.client.word, "--home"]).arg(stage.place.home());
        command.arg("--herm-home").arg(stage.place.guard()).arg("--").args(self.command);
        stage.lead(&mut command);
        let mut editor = Editor::start(&mut command);
        editor.prompt(stage.place.work("").to_str().unwrap(), &prompt(&calls(&stage)), |_| answer);
        let questions = editor.questions().into_iter().cloned().collect();
        editor.close();
        stage.is_left();
        (stage, questions)
    }

    /// What is asked is shown as it is; what is refused is not asked.
    fn shows(&self) {
        let calls = |_: &Stage| vec![(self.client.shell)(ASKED), (self.client.shell)(FLOOR)];
        let (stage, questions) = self.run(&calls, "allow_once");
        let story = format!("{questions:#?}\n{}", stage.model.told());
        let first = questions.first().unwrap_or_else(|| panic!("nobody was asked: {story}"));
        let tool = &first["params"]["toolCall"];
        let (title, text) =
            (tool["title"].as_str().unwrap(), tool["content"][0]["content"]["text"].as_str().unwrap());
        if self.tells {
            assert!(title.contains(ASKED) && text.contains("[force-push]"), "{story}");
            assert_eq!(questions.len(), 1, "what nobody may approve is not asked: {story}");
            // What it does not ask about is its own affair without hooks, and seen.
            let is_seen = stage.place.ledger().iter().any(|record| record["body"]["decision"] == "seen");
            assert_eq!(stage.place.work("floor").exists(), !self.asks_always, "{story}");
            assert_eq!(is_seen, !self.asks_always, "{story}");
        } else {
            assert!(title.contains("not known") && text.contains("does not say"), "{story}");
            let kinds =
                questions.iter().flat_map(|question| question["params"]["options"].as_array().unwrap());
            assert!(kinds.clone().all(|option| option["kind"] != "allow_always"), "{story}");
        }
        assert!(stage.place.work("asked").exists(), "{story}");
    }

    /// What herm says is the protocol, and so is what it makes of what this agent says.
    fn is_spoken(&self) {
        schema::is_spoken();
        let (_, questions) = self.run(&|_| vec![(self.client.shell)(ASKED)], "allow_once");
        let schema = schema::Schema::read();
        for question in &questions {
            schema.check("RequestPermissionRequest", &question["params"]);
        }
        assert!(!questions.is_empty());
    }

    /// With its hooks besides, everything is decided about: what herm asks is asked once, in the editor.
    fn is_wired(&self) {
        let stage = Stage::new(self.client);
        (self.cautious)(&stage);
        stage.wire();
        let calls = |_: &Stage| ["touch plain", ASKED, FLOOR].map(self.client.shell).to_vec();
        let (stage, questions) = self.run_on(stage, &calls, "allow_once");
        let story = format!("{questions:#?}\n{}", stage.model.told());
        let asked = questions.iter().filter(|question| question.to_string().contains("touch asked")).count();
        assert_eq!(asked, 1, "{story}");
        assert!(stage.place.work("plain").exists() && stage.place.work("asked").exists(), "{story}");
        assert!(!stage.place.work("floor").exists(), "{story}");
    }

    /// A no holds.
    fn obeys(&self) {
        let (stage, questions) = self.run(&|_| vec![(self.client.shell)(ASKED)], "reject_once");
        assert!(!questions.is_empty() && !stage.place.work("asked").exists(), "{questions:#?}");
    }

    /// What it runs unasked is recorded as seen, and what it asks about as decided.
    fn is_seen(&self) {
        let (stage, questions) = self.run(&|_| vec![(self.client.shell)("touch plain")], "allow_once");
        assert!(stage.place.work("plain").exists(), "{questions:#?}\n{}", stage.model.told());
        assert_eq!(!questions.is_empty(), self.asks_always, "{questions:#?}");
        let word = if self.asks_always { "allow" } else { "seen" };
        eventually("nothing was recorded", || {
            stage
                .place
                .ledger()
                .iter()
                .any(|record| record["body"]["decision"] == word && record["body"]["door"] == "acp")
        });
    }

    /// A change is shown, and a protected file is not written.
    fn edits(&self) {
        let calls = |stage: &Stage| {
            let path = |name: &str| stage.place.work(name).to_str().unwrap().to_owned();
            stage.place.file("keys/.ssh/known_hosts", "");
            vec![
                (self.client.write)(&path("plain.txt")),
                (self.client.write)(&path("keys/.ssh/authorized_keys")),
            ]
        };
        let (stage, questions) = self.run(&calls, "allow_once");
        let story = format!("{questions:#?}\n{}", stage.model.told());
        assert!(stage.place.work("plain.txt").exists(), "{story}");
        assert!(!stage.place.work("keys/.ssh/authorized_keys").exists(), "{story}");
        let content = questions
            .iter()
            .flat_map(|question| question["params"]["toolCall"]["content"].as_array().unwrap());
        let diff = content
            .clone()
            .find(|block| block["type"] == "diff")
            .unwrap_or_else(|| panic!("no change was shown: {story}"));
        assert_eq!(diff["newText"], json!("written"), "{story}");
        assert!(
            questions.iter().all(|question| !question.to_string().contains("authorized_keys")),
            "{story}"
        );
    }
}

/// The tests that an agent in an editor has to pass.
macro_rules! in_editor {
    ($module:ident, $agent:expr, [$($test:ident: $scenario:ident),* $(,)?]) => {
        mod $module {
            use super::InEditor;

            static AGENT: InEditor = $agent;

            $(
                #[test]
                fn $test() {
                    let test = concat!(module_path!(), "::", stringify!($test));
                    crate::space::apart(AGENT.client, test, |_| AGENT.$scenario());
                }
            )*
        }
    };
}

in_editor!(
    opencode,
    InEditor {
        client: &crate::opencode::CLIENT,
        command: &["opencode", "acp"],
        cautious: |stage| {
            let settings = ".config/opencode/opencode.json";
            stage.change(settings, r#""bash":"allow""#, r#""bash":"ask""#);
            stage.change(settings, r#""edit":"allow""#, r#""edit":"ask""#);
        },
        tells: true,
        asks_always: true,
    },
    [
        what_it_asks_is_shown_as_it_is: shows,
        a_no_holds: obeys,
        what_it_does_is_known: is_seen,
        a_change_is_shown: edits,
    ]
);

in_editor!(
    gemini,
    InEditor {
        client: &crate::gemini::CLIENT,
        command: &["gemini", "--acp", "-m", "gemini-2.5-pro"],
        cautious: |_| {},
        tells: false,
        asks_always: true,
    },
    [
        what_it_asks_is_shown_as_it_is: shows,
        a_no_holds: obeys,
        what_it_does_is_known: is_seen,
        a_change_is_shown: edits,
    ]
);

in_editor!(
    copilot,
    InEditor {
        client: &crate::copilot::CLIENT,
        command: &["copilot", "--acp"],
        cautious: |_| {},
        tells: true,
        asks_always: true,
    },
    [
        what_it_asks_is_shown_as_it_is: shows,
        a_no_holds: obeys,
        what_it_does_is_known: is_seen,
        a_change_is_shown: edits,
    ]
);

in_editor!(
    hermes,
    InEditor {
        client: &crate::hermes::CLIENT,
        command: &["hermes", "acp"],
        cautious: |_| {},
        tells: true,
        asks_always: false,
    },
    [
        what_it_asks_is_shown_as_it_is: shows,
        a_no_holds: obeys,
        what_it_does_is_known: is_seen,
        a_change_is_shown: edits,
    ]
);

in_editor!(
    claude_code,
    InEditor {
        client: &crate::claude_code::IN_EDITOR,
        command: &["claude-agent-acp"],
        cautious: |_| {},
        tells: true,
        asks_always: true,
    },
    [
        what_it_asks_is_shown_as_it_is: shows,
        a_no_holds: obeys,
        what_it_does_is_known: is_seen,
        a_change_is_shown: edits,
        it_is_the_protocol_that_is_spoken: is_spoken,
        its_hooks_go_with_it: is_wired,
    ]
);
