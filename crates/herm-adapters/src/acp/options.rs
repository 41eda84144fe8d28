//! What a person may choose from, and what is told to the agent of it.
//!
//! Agents name, order and classify their options as they like. So each is known by its id, and where its id says something else than
//! its kind, the narrower of the two holds. What is shown carries our words. A yes that lasts is kept here, and the agent is told
//! of this once only: so it asks again, and what it asks is judged again.

use serde_json::{Value, json};

use crate::fields::Fields;

/// What can be chosen, the narrowest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Choice {
    /// No.
    Deny,
    /// Yes, this time.
    Once,
    /// Yes, for the rest of the session.
    Session,
    /// Yes, and do not ask again.
    Always,
}

/// What a person may choose from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options(Vec<Offered>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Offered {
    id: String,
    name: String,
    choice: Choice,
}

/// What a person chose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chosen {
    /// What it means.
    pub choice: Choice,
    /// The agent's option for it; nothing where it has none, and is told that nothing was chosen.
    pub option: Option<String>,
}

/// How many options are taken.
const MOST: usize = 32;

/// How many characters of an agent's own name for an option are shown.
const LONGEST_NAME: usize = 60;

/// What ids of ours begin with. No agent may have one like it.
const OURS: &str = "herm:";

impl Options {
    /// Reads what an agent offers; nothing when that is no list in which every option has an id of its own.
    #[must_use]
    pub fn read(told: &Value) -> Option<Self> {
        let told = told.as_array().filter(|told| told.len() <= MOST)?;
        let mut offered: Vec<Offered> = Vec::new();
        for option in told {
            let fields = Fields::of(option)?;
            let (id, kind) = (fields.text("optionId")?, fields.text("kind"));
            if id.starts_with(OURS) || offered.iter().any(|other| other.id == id) {
                return None;
            }
            let choice = meant(&id, kind.as_deref());
            offered.push(Offered { id, name: fields.text("name").unwrap_or_default(), choice });
        }
        Some(Self(offered))
    }

    /// Those of a question that nobody but us asks.
    #[must_use]
    pub const fn none() -> Self {
        Self(Vec::new())
    }

    /// What is shown, where this may be chosen: the agent's options under words of ours, and ours where it has none.
    #[must_use]
    pub fn shown(&self, may: &[Choice]) -> Vec<Value> {
        let least = self.least();
        let choices = [Choice::Once, Choice::Session, Choice::Always, Choice::Deny];
        let wanted = choices.into_iter().filter(|choice| *choice == Choice::Deny || may.contains(choice));
        let possible =
            wanted.filter(|choice| *choice == Choice::Deny || least.is_none_or(|least| least <= *choice));
        possible.flat_map(|choice| self.options_for(choice)).collect()
    }

    fn options_for(&self, choice: Choice) -> Vec<Value> {
        let same: Vec<_> = self.0.iter().filter(|offered| offered.choice == choice).collect();
        // An agent that offers nothing but refusals is not given a yes. One of ours stands for no option of the agent's.
        let is_ours =
            same.is_empty() && (choice == Choice::Deny || self.0.is_empty() || self.least().is_some());
        let of_agent = same.iter().map(|offered| {
            let name = if same.len() > 1 {
                format!("{} ({})", choice.words(), offered.plain_name())
            } else {
                choice.words().to_owned()
            };
            option(&offered.id, &name, offered.kind())
        });
        let own = is_ours.then(|| option(&choice.own(), choice.words(), choice.kind()));
        of_agent.chain(own).collect()
    }

    /// What the id of an option means, where this may be chosen. One that nobody offered is a no.
    #[must_use]
    pub fn chosen(&self, id: &str, may: &[Choice]) -> Chosen {
        let offered = self.0.iter().find(|offered| offered.id == id);
        let own =
            [Choice::Once, Choice::Session, Choice::Always].into_iter().find(|choice| choice.own() == id);
        let shown = self.shown(may);
        let is_shown = shown.iter().any(|option| option.get("optionId").and_then(Value::as_str) == Some(id));
        match (offered.map(|offered| offered.choice).or(own), offered) {
            (Some(Choice::Deny), Some(offered)) if is_shown => {
                Chosen { choice: Choice::Deny, option: Some(offered.id.clone()) }
            }
            (Some(choice @ (Choice::Once | Choice::Session | Choice::Always)), _) if is_shown => {
                self.yes(choice)
            }
            _ => self.no(),
        }
    }

    /// A yes of this breadth. The agent is told the narrowest that it has.
    #[must_use]
    pub fn yes(&self, choice: Choice) -> Chosen {
        let narrowest = self.least().and_then(|least| self.first(least));
        match narrowest {
            Some(option) => Chosen { choice, option: Some(option) },
            None if self.0.is_empty() => Chosen { choice, option: None },
            None => self.no(),
        }
    }

    /// A no.
    #[must_use]
    pub fn no(&self) -> Chosen {
        let exact =
            self.0.iter().find(|offered| offered.choice == Choice::Deny && offered.kind() == "reject_once");
        let option = exact.map(|offered| offered.id.clone()).or_else(|| self.first(Choice::Deny));
        Chosen { choice: Choice::Deny, option }
    }

    /// Whether the agent offers this option.
    #[must_use]
    pub fn has(&self, id: &str) -> bool {
        self.0.iter().any(|offered| offered.id == id)
    }

    /// The narrowest yes that the agent has.
    fn least(&self) -> Option<Choice> {
        self.0.iter().map(|offered| offered.choice).filter(|choice| *choice != Choice::Deny).min()
    }

    fn first(&self, choice: Choice) -> Option<String> {
        self.0.iter().find(|offered| offered.choice == choice).map(|offered| offered.id.clone())
    }
}

impl Offered {
    /// As much of what the agent calls it as tells it from another, and nothing that could deceive the eye.
    fn plain_name(&self) -> String {
        let is_plain = |c: &char| c.is_ascii_alphanumeric() || " ,.'-_".contains(*c);
        self.name.chars().filter(is_plain).take(LONGEST_NAME).collect()
    }

    /// A refusal that lasts is told apart, since the agent may remember it.
    fn kind(&self) -> &'static str {
        let lasts = self.choice == Choice::Deny && plain(&self.id).contains("always");
        if lasts { "reject_always" } else { self.choice.kind() }
    }
}

impl Choice {
    const fn words(self) -> &'static str {
        match self {
            Self::Always => "Always allow this",
            Self::Deny => "Reject",
            Self::Once => "Allow once",
            Self::Session => "Allow for this session",
        }
    }

    const fn kind(self) -> &'static str {
        match self {
            Self::Always | Self::Session => "allow_always",
            Self::Deny => "reject_once",
            Self::Once => "allow_once",
        }
    }

    fn own(self) -> String {
        let word = match self {
            Self::Always => "allow_always",
            Self::Deny => "reject_once",
            Self::Once => "allow_once",
            Self::Session => "allow_session",
        };
        format!("{OURS}{word}")
    }
}

fn option(id: &str, name: &str, kind: &str) -> Value {
    json!({"optionId": id, "name": name, "kind": kind})
}

/// What an option means: what its id says or what its kind says, whichever is narrower. One of no known kind is a no.
fn meant(id: &str, kind: Option<&str>) -> Choice {
    let by_kind = match kind {
        Some("allow_once") => Choice::Once,
        Some("allow_always") => Choice::Always,
        Some(_) | None => Choice::Deny,
    };
    by_id(id).map_or(by_kind, |by_id| by_id.min(by_kind))
}

fn by_id(id: &str) -> Option<Choice> {
    match plain(id).as_str() {
        "accept" | "allow" | "allow_once" | "approve" | "approved" | "once" | "proceed_once" | "yes" => {
            Some(Choice::Once)
        }
        "accept_for_session" | "allow_for_session" | "allow_session" | "approved_for_session" | "session" => {
            Some(Choice::Session)
        }
        "allow_always" | "always" | "always_allow" | "proceed_always" => Some(Choice::Always),
        "abort" | "cancel" | "denied" | "deny" | "deny_always" | "deny_once" | "never" | "no" | "reject"
        | "reject_always" | "reject_once" => Some(Choice::Deny),
        _ => None,
    }
}

/// An id as it is compared: agents join words in several ways.
fn plain(id: &str) -> String {
    let mut plain = String::new();
    for letter in id.chars() {
        if letter.is_uppercase() && !plain.is_empty() && !plain.ends_with('_') {
            plain.push('_');
        }
        plain.extend(if letter == '-' { '_' } else { letter }.to_lowercase());
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: &[Choice] = &[Choice::Once, Choice::Session, Choice::Always];

    fn options(told: &[(&str, &str)]) -> Options {
        let told = told.iter().map(|(id, kind)| json!({"optionId": id, "name": "Allow", "kind": kind}));
        Options::read(&told.collect()).unwrap()
    }

    fn ids(shown: &[Value]) -> Vec<&str> {
        shown.iter().map(|option| option["optionId"].as_str().unwrap()).collect()
    }

    fn hermes() -> Options {
        options(&[
            ("allow_once", "allow_once"),
            ("allow_session", "allow_always"),
            ("allow_always", "allow_always"),
            ("deny", "reject_once"),
            ("deny_always", "reject_always"),
        ])
    }

    #[test]
    fn options_are_known_by_their_ids() {
        let hermes = hermes();
        let meant = |id: &str| hermes.chosen(id, ALL).choice;
        assert_eq!(
            ["allow_once", "allow_session", "allow_always", "deny", "deny_always"].map(meant),
            [Choice::Once, Choice::Session, Choice::Always, Choice::Deny, Choice::Deny]
        );
        // What lasts is kept here: the agent is told of this once.
        for id in ["allow_once", "allow_session", "allow_always"] {
            assert_eq!(hermes.chosen(id, ALL).option.as_deref(), Some("allow_once"), "{id}");
        }
        assert_eq!(hermes.chosen("deny_always", ALL).option.as_deref(), Some("deny_always"));
    }

    #[test]
    fn what_nobody_offered_is_a_no() {
        let hermes = hermes();
        for id in ["", "allow", "ALLOW_ONCE", "herm:allow_always", "herm:allow_once"] {
            assert_eq!(
                hermes.chosen(id, ALL),
                Chosen { choice: Choice::Deny, option: Some("deny".to_owned()) },
                "{id}"
            );
        }
        assert_eq!(hermes.chosen("allow_always", &[Choice::Once]).choice, Choice::Deny);
        assert_eq!(hermes.chosen("allow_session", &[Choice::Once]).choice, Choice::Deny);
        assert_eq!(hermes.chosen("allow_once", &[]).choice, Choice::Deny);
    }

    #[test]
    fn the_narrower_of_id_and_kind_holds() {
        let lying = options(&[
            ("reject_once", "allow_always"),
            ("allow_always", "reject_once"),
            ("x", "allow_once"),
            ("y", "frobnicate"),
            ("allow_session", "allow_once"),
        ]);
        let meant = |id: &str| lying.chosen(id, ALL).choice;
        assert_eq!(
            ["reject_once", "allow_always", "x", "y", "allow_session"].map(meant),
            [Choice::Deny, Choice::Deny, Choice::Once, Choice::Deny, Choice::Once]
        );
    }

    #[test]
    fn what_the_agent_lacks_is_added() {
        let most = options(&[("once", "allow_once"), ("always", "allow_always"), ("reject", "reject_once")]);
        assert_eq!(ids(&most.shown(ALL)), ["once", "herm:allow_session", "always", "reject"]);
        let session = most.chosen("herm:allow_session", ALL);
        assert_eq!(session, Chosen { choice: Choice::Session, option: Some("once".to_owned()) });
        assert_eq!(ids(&most.shown(&[Choice::Once])), ["once", "reject"]);
        let no_refusal = options(&[("yes", "allow_once")]);
        assert_eq!(ids(&no_refusal.shown(&[Choice::Once])), ["yes", "herm:reject_once"]);
        assert_eq!(no_refusal.chosen("herm:reject_once", ALL), Chosen { choice: Choice::Deny, option: None });
    }

    #[test]
    fn an_agent_that_takes_no_yes_is_given_none() {
        let no = options(&[("deny", "reject_once")]);
        assert_eq!(ids(&no.shown(ALL)), ["deny"]);
        assert_eq!(no.yes(Choice::Once).choice, Choice::Deny);
        let broad = options(&[("allow_always", "allow_always"), ("deny", "reject_once")]);
        assert_eq!(ids(&broad.shown(ALL)), ["allow_always", "deny"]);
        assert_eq!(broad.chosen("allow_always", ALL).option.as_deref(), Some("allow_always"));
    }

    #[test]
    fn names_are_ours() {
        let lying = Options::read(&json!([
            {"optionId": "allow_once", "name": "Cancel", "kind": "allow_once"},
            {"optionId": "deny", "name": "OK", "kind": "reject_once"},
        ]));
        let shown = lying.unwrap().shown(&[Choice::Once]);
        assert_eq!(shown[0]["name"], "Allow once");
        assert_eq!(shown[1]["name"], "Reject");
    }

    #[test]
    fn our_own_questions_have_options_of_ours() {
        let own = Options::none();
        assert_eq!(ids(&own.shown(&[Choice::Once])), ["herm:allow_once", "herm:reject_once"]);
        assert_eq!(own.chosen("herm:allow_once", &[Choice::Once]).choice, Choice::Once);
        assert_eq!(own.chosen("herm:allow_always", &[Choice::Once]).choice, Choice::Deny);
    }

    #[test]
    fn options_that_cannot_be_told_apart_are_refused() {
        for told in [
            json!([{"optionId": "a", "kind": "allow_once"}, {"optionId": "a", "kind": "reject_once"}]),
            json!([{"optionId": "herm:allow_once", "kind": "allow_once"}]),
            json!([{"kind": "allow_once"}]),
            json!([{"optionId": 1}]),
            json!({}),
            json!(null),
        ] {
            assert_eq!(Options::read(&told), None, "{told}");
        }
    }
}
