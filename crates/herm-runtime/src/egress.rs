//! Where confined processes may connect to: the configuration as it is now, and the credentials that it names.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use herm::approval::{Denial, Grant};
use herm::call::{Action, Call, SessionId};
use herm::fetch::Fetch;
use herm::{Decision, Engine, Finding};
use herm_proxy::vault::NoCredential;
use herm_proxy::{Credential, Judge, Judgement, Objection, Question, Vault};
use herm_scan::Redactor;
use herm_store::Digest;

use crate::asked::{Asked, Mention};
use crate::books::{Follows, Memory};
use crate::consult::reviewer::Dotenv;
use crate::gate::Reach;
use crate::setup::Setup;
use crate::{files, identity, sites};

/// Judges connections by the configuration as it is now: when a file of it changes, it is read again.
#[derive(Debug)]
pub(crate) struct Watched {
    setup: Setup,
    session: SessionId,
    reach: Reach,
    memory: Mutex<Memory>,
    held: Mutex<Held>,
}

#[derive(Debug)]
struct Held {
    engine: Arc<Engine>,
    stamp: Stamp,
    looked: Instant,
}

/// Which files there were, and as of when.
type Stamp = Vec<Option<String>>;

/// How long what was read is taken to be as it was.
const FRESH: Duration = Duration::from_secs(1);

impl Watched {
    /// Judges the connections of a session, which may reach so much and remembers this.
    #[must_use]
    pub(crate) fn new(setup: Setup, session: SessionId, reach: Reach, memory: Memory) -> Self {
        let engine = Arc::new(Engine::new(reach.policy(setup.policy.clone())));
        let held = Held { stamp: stamp(&setup, &engine), engine, looked: Instant::now() };
        Self { setup, session, reach, memory: Mutex::new(memory), held: Mutex::new(held) }
    }

    fn engine(&self) -> Arc<Engine> {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        if held.looked.elapsed() >= FRESH {
            // Taken before anything is read: what changes meanwhile is noticed the next time.
            let stamp = stamp(&self.setup, &held.engine);
            if stamp != held.stamp {
                let engine = self.read_again(&held.engine);
                let same = engine.policy().shared_files() == held.engine.policy().shared_files();
                held.stamp = if same { stamp } else { Stamp::new() };
                held.engine = Arc::new(engine);
            }
            held.looked = Instant::now();
        }
        Arc::clone(&held.engine)
    }

    /// What cannot be read any more may say something else now: until it can, what held holds, and connections are asked about.
    fn read_again(&self, before: &Engine) -> Engine {
        let read = self.setup.policy_now().map(|policy| self.reach.policy(policy));
        Engine::new(read.unwrap_or_else(|_| {
            let mut policy = before.policy().clone();
            policy.blocklist.miss("config.yaml");
            policy
        }))
    }
}

impl Watched {
    fn call(&self, fetch: Fetch) -> Call {
        Call { session: self.session.clone(), ..self.setup.call(Action::Fetch(fetch)) }
    }

    /// What the rules say, and what was said before in the session: a no holds, and a yes covers what it was said to.
    fn rule(&self, call: &Call) -> Decision {
        let ruling = self.engine().check_unseen(call);
        let action = digest(call);
        let memory = self.memory.lock().unwrap_or_else(PoisonError::into_inner);
        let said = memory.denials.iter().flat_map(|denial| denial.objections(&ruling.facts, &action));
        let said = said.collect();
        let ruling = ruling.tighten(said);
        let (facts, now) = (&ruling.facts, SystemTime::now());
        // What may be used so many times only is not counted here, so it does not count.
        let lasting = |grant: &&Grant| grant.terms.uses.is_none();
        let covered = |finding: &Finding| {
            let mut grants = memory.grants.iter().filter(lasting);
            grants.any(|grant| grant.covers(finding, call, facts, &action, now))
        };
        match ruling.decision {
            Decision::Ask(question) => question.without(covered),
            decided @ (Decision::Allow(_) | Decision::Deny(_)) => decided,
        }
    }

    /// Takes note of a no, so that whoever tries again is not asked about again.
    pub(crate) fn deny(&self, denial: Option<Denial>) {
        self.memory.lock().unwrap_or_else(PoisonError::into_inner).denials.extend(denial);
    }

    /// The question as it is shown. What cannot be described any more is asked about as it stands, for this once.
    pub(crate) fn asked(&self, question: &Question) -> Asked {
        let call = self.call(Fetch::endpoint(question.to.clone()));
        let findings = match self.rule(&call) {
            Decision::Ask(asked) => asked.findings,
            Decision::Allow(_) | Decision::Deny(_) => Vec::new(),
        };
        let action = digest(&call);
        let redact = |text: &str| Redactor::default().redact(text);
        let mut asked = Asked::new(&identity::fresh(), &call, &action, &findings, &redact);
        let same = |(finding, objection): (&Finding, &Objection)| finding.rule == objection.rule;
        let minded = &question.objections;
        if findings.len() != minded.len() || !findings.iter().zip(minded).all(same) {
            (asked.follows, asked.always) = (Follows::default(), false);
        }
        asked.mentions = minded.iter().map(mention).collect();
        asked.command = format!("connect to {}", question.to);
        asked
    }
}

/// What one rule minds. The address has no place in a command that could be pointed at.
fn mention(objection: &Objection) -> Mention {
    Mention {
        rule: objection.rule.to_owned(),
        title: "connect to a host".to_owned(),
        reason: objection.reason.clone(),
        instead: objection.instead.clone(),
        span: None,
    }
}

/// What names a connection: where it goes.
pub(crate) fn digest(call: &Call) -> String {
    Digest::of(format!("connect {}", call.action.text()).as_bytes()).to_string()
}

impl Judge for Watched {
    fn judge(&self, fetch: Fetch) -> Judgement {
        Judgement::from(&self.rule(&self.call(fetch)))
    }
}

fn stamp(setup: &Setup, engine: &Engine) -> Stamp {
    let own = setup.sources.iter().map(|(_, file)| PathBuf::from(file));
    let shared =
        engine.policy().shared_files().iter().map(|file| sites::place(file, &setup.home, &setup.guard));
    let user = [setup.guard.join("config.yaml")];
    let repositories = setup.repositories().into_iter().flatten();
    own.chain(shared).chain(user).chain(repositories).map(|file| files::identity(&file)).collect()
}

/// The credentials of a configuration: what keeps them, and the variables that hold their placeholders.
#[derive(Debug)]
pub(crate) struct Kept {
    /// What keeps them.
    pub(crate) vault: Vault,
    /// The variables of a confined process: name and placeholder.
    pub(crate) variables: Vec<(String, String)>,
}

/// Why credentials cannot be kept.
#[derive(Debug)]
pub(crate) enum NotKept {
    /// No authority can be made.
    Authority(io::Error),
    /// One cannot be used; this is its line in `.env`.
    Credential(String, NoCredential),
    /// There is no such line in `.env`.
    Missing(String),
    /// The file cannot be read.
    Unreadable(PathBuf),
}

impl fmt::Display for NotKept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Authority(error) => write!(f, "no authority can be made for the sandbox: {error}"),
            Self::Credential(name, why) => write!(f, "`{name}` cannot be put in on the way: {why}"),
            Self::Missing(name) => write!(f, "`{name}` is not in `.env`"),
            Self::Unreadable(file) => write!(f, "cannot read `{}`", file.display()),
        }
    }
}

impl std::error::Error for NotKept {}

/// Reads the credentials that the configuration names. `None` where it names none.
///
/// # Errors
/// When one is not there or cannot be used: a command that needs it would fail in a way that nobody understands.
pub(crate) fn credentials(setup: &Setup) -> Result<Option<Kept>, NotKept> {
    let named = &setup.policy.egress.credentials;
    if named.is_empty() {
        return Ok(None);
    }
    let dotenv = secrets(&setup.guard)?;
    let mut variables = Vec::new();
    let mut credentials = Vec::new();
    for each in named {
        let secret = dotenv.value(&each.secret).ok_or_else(|| NotKept::Missing(each.secret.clone()))?;
        let credential = Credential::new(secret.reveal(), each.hosts.clone(), each.headers.clone())
            .map_err(|why| NotKept::Credential(each.secret.clone(), why))?;
        variables.push((each.variable.clone(), credential.placeholder().to_owned()));
        credentials.push(credential);
    }
    Ok(Some(Kept { vault: Vault::new(credentials).map_err(NotKept::Authority)?, variables }))
}

fn secrets(guard: &Path) -> Result<Dotenv, NotKept> {
    Dotenv::load(&guard.join(".env")).map_err(|unreadable| NotKept::Unreadable(unreadable.0))
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;
    use crate::Wishes;

    #[expect(clippy::disallowed_methods, reason = "tests make their own files")]
    fn write(directory: &TempDir, name: &str, content: &str) -> PathBuf {
        let file = directory.path().join(name);
        std::fs::write(&file, content).unwrap();
        file
    }

    fn setup(directory: &TempDir, config: &str) -> Setup {
        let place = directory.path().to_str().unwrap().to_owned();
        let config = Some(write(directory, "config.yaml", config));
        let mut setup =
            Setup::new(Wishes { config, cwd: Some(place.clone()), home: Some(place), ..Wishes::default() })
                .unwrap();
        setup.guard = directory.path().to_owned();
        setup
    }

    fn allows(watched: &Watched, link: &str) -> bool {
        // What was read is taken to be fresh for a while.
        watched.held.lock().unwrap().looked = Instant::now().checked_sub(2 * FRESH).unwrap();
        watched.judge(Fetch::url(link)) == Judgement::Allow
    }

    #[test]
    fn a_list_that_changes_is_read_again() {
        let directory = TempDir::new().unwrap();
        let shared = write(&directory, "sites.txt", "one.example\n");
        let config = format!(
            "security: {{website_blocklist: {{enabled: true, shared_files: ['{}']}}}}",
            shared.to_str().unwrap()
        );
        let watched = Watched::new(
            setup(&directory, &config),
            SessionId::default(),
            Reach::default(),
            Memory::default(),
        );
        let both = |watched: &Watched| {
            ["https://one.example", "https://other.example"].map(|link| allows(watched, link))
        };
        assert_eq!(both(&watched), [false, true]);
        write(&directory, "sites.txt", "other.example\n# and no more\n");
        assert_eq!(both(&watched), [true, false]);
        write(&directory, "config.yaml", "security: {website_blocklist: {enabled: nonsense}}");
        assert_eq!(both(&watched), [false, false]);
        write(&directory, "config.yaml", "egress: {allowed_domains: [one.example]}");
        assert_eq!(both(&watched), [true, false]);
    }

    #[test]
    fn what_an_outer_repository_says_holds_when_an_inner_one_is_read_again() {
        let directory = TempDir::new().unwrap();
        let mut setup = setup(&directory, "");
        let inner = directory.path().join("inner");
        std::fs::create_dir(&inner).unwrap();
        write(&directory, ".herm.yaml", "egress: {allowed_domains: [one.example]}");
        write(&directory, "inner/.herm.yaml", "egress: {allowed_domains: [one.example, two.example]}");
        setup.cwd = herm::AbsPath::new(inner.to_str().unwrap()).unwrap();
        setup.policy = setup.policy_now().unwrap();
        let watched = Watched::new(setup, SessionId::default(), Reach::default(), Memory::default());
        let both = |watched: &Watched| {
            ["https://one.example", "https://two.example"].map(|link| allows(watched, link))
        };
        assert_eq!(both(&watched), [true, false]);
        write(
            &directory,
            "inner/.herm.yaml",
            "egress: {allowed_domains: [one.example, two.example, c.example]}",
        );
        assert_eq!(both(&watched), [true, false]);
        write(&directory, "inner/.herm.yaml", "egress: {allowed_domains: [two.example]}");
        assert_eq!(both(&watched), [false, false]);
    }

    #[test]
    fn credentials_are_kept_behind_placeholders() {
        let directory = TempDir::new().unwrap();
        write(&directory, ".env", "API_KEY=real-secret-1\nSHORT=abc\n");
        let named = |secret: &str| {
            let config = format!(
                "egress: {{credentials: {{api: {{secret: '${{{secret}}}', hosts: [api.example]}}}}}}"
            );
            credentials(&setup(&directory, &config))
        };
        let kept = named("API_KEY").unwrap().unwrap();
        assert_eq!(kept.variables[0].0, "API_KEY");
        assert!(kept.variables[0].1.starts_with("herm-placeholder-"), "{:?}", kept.variables);
        assert!(!format!("{kept:?}").contains("real-secret"));
        assert!(kept.vault.certificate().starts_with("-----BEGIN CERTIFICATE-----\n"));
        assert_eq!(named("ABSENT").unwrap_err().to_string(), "`ABSENT` is not in `.env`");
        assert!(named("SHORT").unwrap_err().to_string().contains("shorter than 8"));
        assert!(credentials(&setup(&directory, "")).unwrap().is_none());
    }

    /// The question about a host that is not listed, under what a session remembers.
    fn remembering(memory: Memory) -> (TempDir, Watched) {
        let directory = TempDir::new().unwrap();
        let config = "egress: {allowed_domains: [listed.example]}";
        let watched = Watched::new(setup(&directory, config), SessionId::default(), Reach::default(), memory);
        (directory, watched)
    }

    fn host(name: &str) -> Fetch {
        Fetch::endpoint(herm::host::Endpoint { host: herm::host::Host::read(name).unwrap(), port: 443 })
    }

    fn question(watched: &Watched) -> Question {
        let fetch = host("a.example");
        let to = fetch.to().unwrap().clone();
        let Judgement::Ask(objections) = watched.judge(fetch) else { panic!("it is not asked about") };
        Question { to, objections }
    }

    #[test]
    fn what_was_said_before_in_a_session_holds_for_its_connections() {
        let (_directory, watched) = remembering(Memory::default());
        let asked = watched.asked(&question(&watched));
        assert!(asked.always && asked.command == "connect to a.example:443", "{asked:?}");
        let scope = asked.follows.session.first().unwrap().clone();
        let grant = |uses| Grant {
            id: String::new(),
            scope: scope.clone(),
            terms: herm::approval::Terms { uses, ..Default::default() },
        };
        let granted = |uses| remembering(Memory { grants: vec![grant(uses)], denials: Vec::new() });
        let (_directory, lasting) = granted(None);
        assert_eq!(lasting.judge(host("a.example")), Judgement::Allow);
        assert!(matches!(lasting.judge(host("b.example")), Judgement::Ask(_)));
        let (_directory, counted) = granted(Some(1));
        assert!(matches!(counted.judge(host("a.example")), Judgement::Ask(_)));
        watched.deny(asked.follows.denial.clone());
        assert!(matches!(watched.judge(host("a.example")), Judgement::Deny(_)));
        assert!(matches!(watched.judge(host("b.example")), Judgement::Ask(_)));
        let denials = vec![asked.follows.denial.clone().unwrap()];
        let (_directory, denied) = remembering(Memory { grants: vec![grant(None)], denials });
        assert!(matches!(denied.judge(host("a.example")), Judgement::Deny(_)));
        assert!(matches!(denied.judge(host("b.example")), Judgement::Ask(_)));
    }

    #[test]
    fn what_cannot_be_described_any_more_is_asked_for_once() {
        let (_directory, watched) = remembering(Memory::default());
        let mut other = question(&watched);
        other.objections.first_mut().unwrap().rule = "private-address";
        let asked = watched.asked(&other);
        assert_eq!((asked.always, asked.follows), (false, Follows::default()));
        assert_eq!(asked.mentions.first().unwrap().rule, "private-address");
    }
}
