//! What a run is confined to.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use herm::environment::Credential;
use herm::git::Sets;
use herm_sandbox::native::{Confinement, Network, PROXY, View, Workspace};
use herm_sandbox::process::Spec;

use crate::gate::Lent;
use crate::perform::Circumstances;
use crate::setup::Setup;
use crate::{author, files, interpreter, secrets, settings};

/// Confines what is about to be started to the workspace, and to its own directory.
pub(crate) fn confine(
    spec: &mut Spec,
    workspace: &Workspace,
    circumstances: &Circumstances<'_>,
    setup: &Setup,
) {
    let home = Path::new(setup.home.as_str());
    // Names of places that are not there lead programs astray.
    spec.environment.retain(|(name, _)| !ELSEWHERE.iter().any(|gone| name == gone));
    let mut confinement = Confinement::to_workspace(workspace, &spec.cwd, home, &spec.environment);
    settings::apply(&mut confinement, &setup.policy.sandbox);
    if !workspace.writable().any(|root| spec.cwd.starts_with(root)) {
        confinement.view.writable.push(spec.cwd.clone());
    }
    let sandbox = &setup.policy.sandbox;
    let own: Vec<PathBuf> =
        [Some(setup.guard.clone()), files::real(&setup.guard)].into_iter().flatten().collect();
    confinement.view.tools.retain(|tool| !is_in(tool, &own));
    confinement.view.hidden = hidden(&confinement.view, setup, home);
    confinement.view.locked.extend(settings::paths(&sandbox.writable).flat_map(levers));
    confinement.view.hidden.push(setup.guard.clone());
    if circumstances.ground.is_some() {
        // What is tried must not count, so only what stands in for the workspace can be changed.
        // The directory that code was given for itself is gone afterwards in any case.
        let (own, kept): (Vec<_>, Vec<_>) =
            confinement.view.writable.split_off(1).into_iter().partition(|path| *path == spec.cwd);
        confinement.view.writable.extend(own);
        confinement.view.readable.extend(kept);
    }
    confinement.view.ground.clone_from(&circumstances.ground);
    confinement.view.locked.extend(circumstances.mounts.iter().cloned());
    confinement.view.written =
        author::of(home).map(|text| (home.join(".gitconfig"), text)).into_iter().collect();
    if circumstances.porter.is_some() || circumstances.is_lasting {
        confinement.network = Network::Guarded;
        spec.environment.extend(directions());
    }
    if let Some(lent) = circumstances.porter.as_ref().and_then(|porter| porter.lent()) {
        let authority = home.join(".herm-authority.pem");
        spec.environment.extend(lend(lent, &authority));
        confinement.view.written.push((authority, authorities(&lent.certificate)));
    }
    let credential = |file: &Credential| (file.source.as_str().into(), file.target.as_str().into());
    // What nobody could know gets nothing that is worth stealing.
    if !circumstances.is_tight {
        confinement.view.given = setup.passing.credentials.iter().map(credential).collect();
    }
    let opens = match &circumstances.sets_git {
        Sets::Anything => false,
        Sets::Only => true,
        Sets::WithGitAlone(remotes) => workspace.has_git_run_nothing(remotes),
    };
    if opens {
        open_settings(&mut confinement, &mut spec.environment, workspace);
    }
    confinement.required = settings::required(setup, confinement.network);
    spec.confinement = Some(confinement);
}

/// Lets git change the settings of the repository. It is the git of the system: what stands in its place on the way that the
/// environment says was not judged.
fn open_settings(
    confinement: &mut Confinement,
    environment: &mut Vec<(OsString, OsString)>,
    workspace: &Workspace,
) {
    let Some(place) = interpreter::git() else { return };
    environment.retain(|(name, _)| name != "PATH");
    environment.push(("PATH".into(), place.into()));
    confinement.view.locked.retain(|path| *path != workspace.settings());
    confinement.view.opened = Some(workspace.settings());
}

/// What makes others run code in a directory that commands may change.
fn levers(root: PathBuf) -> Vec<PathBuf> {
    Workspace { root, history: None }.levers()
}

/// The way to the proxy, for programs that ask for it.
fn directions() -> Vec<(OsString, OsString)> {
    let http = format!("http://{PROXY}");
    let socks = format!("socks5h://{PROXY}");
    let own = "localhost,127.0.0.1,::1".to_owned();
    [("http_proxy", &http), ("https_proxy", &http), ("all_proxy", &socks), ("no_proxy", &own)]
        .into_iter()
        .flat_map(|(name, value)| {
            [name.to_owned(), name.to_uppercase()].map(|name| (name.into(), value.into()))
        })
        .collect()
}

/// Placeholders, and where programs look for whom to trust.
fn lend(lent: &Lent, authorities: &Path) -> Vec<(OsString, OsString)> {
    let placeholders = lent.variables.iter().map(|(name, value)| (name.into(), value.into()));
    let trust = TRUST.iter().map(|name| (name.into(), authorities.into()));
    placeholders.chain(trust).collect()
}

/// Variables by which programs find the authorities that they trust.
const TRUST: &[&str] = &[
    "AWS_CA_BUNDLE",
    "CARGO_HTTP_CAINFO",
    "CURL_CA_BUNDLE",
    "GIT_SSL_CAINFO",
    "NODE_EXTRA_CA_CERTS",
    "PIP_CERT",
    "REQUESTS_CA_BUNDLE",
    "SSL_CERT_FILE",
];

/// The authorities of the system, and one more.
fn authorities(one: &str) -> String {
    let known =
        ["/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem"];
    let system = known.iter().find_map(|path| files::text(Path::new(path))).unwrap_or_default();
    format!("{system}\n{one}")
}

/// Variables that name a place outside.
const ELSEWHERE: &[&str] = &["TEMP", "TMP", "TMPDIR", "XDG_RUNTIME_DIR"];

/// Whether something lies in a directory, as it is called or as it really is.
fn is_in(path: &Path, directories: &[PathBuf]) -> bool {
    let paths = [Some(path.to_owned()), files::real(path)];
    let holds = |directory: &PathBuf| paths.iter().flatten().any(|path| path.starts_with(directory));
    directories.iter().any(holds)
}

/// The person's secrets in what is shown. Nothing covers what commands may change, or what they do there would be lost.
fn hidden(view: &View, setup: &Setup, home: &Path) -> Vec<PathBuf> {
    let sandbox = &setup.policy.sandbox;
    let tools: BTreeSet<PathBuf> = view.tools.iter().filter_map(|tool| files::real(tool)).collect();
    let given = settings::paths(&sandbox.readable).chain(settings::paths(&sandbox.writable));
    let in_given = given.flat_map(|root| secrets::in_directory(&root, home));
    let found = tools.iter().flat_map(|root| secrets::in_tools(root, home)).chain(in_given);
    let kept: Vec<PathBuf> = view.writable.iter().filter_map(|path| files::real(path)).collect();
    found
        .filter(|secret| !kept.iter().any(|own| own.starts_with(secret)))
        .collect::<BTreeSet<_>>()
        .into_iter()
        .collect()
}
