//! Clusters: what is deleted from them, stopped in them and run in them.

use std::rc::Rc;

use super::arguments::Parsed;
use super::container_run::is_interactive_shell;
use super::phrases::{
    DRY_RUN, HELP, LOGS_IN, after_dashes, destroys, emit, operands_from, option, publishes, restarts, run,
    shown, stops, sub, values,
};
use super::schema::{
    Aim, Do, Operands, Opt, Program, Role, Source, Syntax, attached, deed, flag, program, quiet, value,
};
use super::verbs;
use crate::effect::{Flags, Realm, Target, Verb};
use crate::sink::Sink;
use crate::value::{Provenance, Value};

pub(super) static PROGRAMS: &[Program] = &[
    program(&["kubectl", "k", "oc", "kubecolor", "microk8s.kubectl"])
        .options(OPTIONS)
        .env(&[("KUBECONFIG", Role::Inert)])
        .subs(SUBS)
        .refine(credential_plugin),
    program(&["k3s", "microk8s"]).options(&[HELP]).subs(&[
        program(&["kubectl"]).options(OPTIONS).subs(SUBS),
        sub(&["reset"], &[destroys("cluster")]),
        sub(&["stop"], &[stops("cluster")]),
    ]),
    program(&["helm"]).options(HELM_OPTIONS).subs(&[
        program(&["uninstall", "delete", "del", "un"])
            .options(&[attached("--dry-run", Do::Stop), quiet("--keep-history --wait")])
            .does(&[destroys("release")]),
        program(&["rollback"]).options(&[attached("--dry-run", Do::Stop)]).does(&[restarts("release")]),
        program(&["upgrade"]).options(&[
            attached("--dry-run", Do::Stop),
            flag("--force --reset-values", Do::Emit(restarts("release"))),
            value("--post-renderer", Role::Program),
            values("-f --values --set --set-string --set-file --version --timeout"),
            quiet("-i --install --atomic --wait"),
        ]),
        program(&["install", "template"]).options(&[
            attached("--dry-run", Do::Stop),
            value("--post-renderer", Role::Program),
            values("-f --values --set --set-string --set-file --version --timeout"),
        ]),
        program(&["push"]).does(&[publishes("registry package")]),
        program(&["registry login", "registry logout"]).does(&[LOGS_IN]),
        program(&["plugin install"]).does(&[deed(
            Verb::Install,
            Aim::First("package"),
            Flags::FOREIGN_SOURCE,
        )]),
    ]),
    program(&["kubeadm"])
        .options(&[HELP])
        .subs(&[program(&["reset"]).options(&[DRY_RUN, quiet("-f --force")]).does(&[destroys("cluster")])]),
    program(&["k3s-uninstall.sh", "k3s-agent-uninstall.sh", "rke2-uninstall.sh"])
        .does(&[destroys("cluster")]),
    program(&[
        "argocd",
        "flux",
        "istioctl",
        "linkerd",
        "velero",
        "kn",
        "tkn",
        "argo",
        "rancher",
        "calicoctl",
        "cilium",
        "kubeseal",
        "vcluster",
    ])
    .options(&[HELP, DRY_RUN, values("-n --namespace --context --kubeconfig --server -o --output")])
    .subs(&[
        program(&["uninstall", "uninstall-all"]).does(&[destroys("cluster resource")]),
        program(&["app sync", "create", "reconcile", "check", "version", "logs"]),
    ])
    .refine(|parsed, sink| verbs::read_of(parsed, sink, "cluster resource")),
    program(&["kubectx", "kubens", "stern", "kustomize", "k9s"]).options(&[HELP]),
];

const OPTIONS: &[Opt] = &[
    values("-n --namespace --context --cluster --kubeconfig -s --server --user --token"),
    values("--as --as-group --as-uid -l --selector"),
    values("--field-selector --certificate-authority --client-certificate --client-key"),
    values("--request-timeout -v --cache-dir"),
    values("-o --output -f --filename -k --kustomize -c --container --timeout"),
    values("--grace-period --type -p --patch --template"),
    attached("--dry-run", Do::Nothing),
    flag("-h --help", Do::Stop),
    quiet("-A --all-namespaces --all --force --now --wait -R --recursive"),
    quiet("--insecure-skip-tls-verify"),
];

const SUBS: &[Program] = &[
    program(&["create clusterrolebinding", "create rolebinding", "adm policy"]).refine(bind),
    program(&["create token", "whoami"]).refine(token),
    program(&["proxy"])
        .options(&[
            values("--address --port --www-prefix --api-prefix --accept-hosts --accept-paths"),
            values("--reject-paths --reject-methods --unix-socket --keepalive"),
            value("--www", Role::Inert),
        ])
        .refine(proxy),
    program(&["delete"])
        .options(&[quiet("--ignore-not-found"), attached("--cascade", Do::Nothing)])
        .refine(delete),
    program(&["drain"])
        .options(&[quiet("--ignore-daemonsets --delete-emptydir-data --disable-eviction")])
        .refine(unless_dry_drain),
    program(&["cordon"]).refine(unless_dry_drain),
    program(&["scale"]).options(&[values("--replicas --current-replicas")]).refine(scale),
    sub(&["rollout undo", "rollout restart"], &[restarts("deployment")]),
    program(&["set"]).refine(set),
    program(&["replace", "apply", "create"])
        .options(&[quiet("--prune --server-side --overwrite --record")])
        .refine(replace),
    program(&["exec", "rsh"])
        .syntax(Syntax::FirstOperandEnds)
        .options(&[quiet("-i --stdin -t --tty -q --quiet -it")])
        .refine(execute),
    program(&["debug"])
        .options(&[values("--image --target --profile --copy-to"), quiet("-i -t -it")])
        .refine(debug),
    program(&["run"])
        .options(&[
            values("--image --env --port --restart --labels --overrides --image-pull-policy"),
            flag("--privileged", Do::Emit(deed(Verb::Escalate, Aim::First("pod"), Flags::HOST_ACCESS))),
        ])
        .refine(overridden),
    program(&["patch"]).refine(overridden),
    program(&["cp"])
        .options(&[quiet("--no-preserve")])
        .operands(Operands::LastIs(Role::TransferFrom, Role::TransferTo)),
    program(&["get"]).refine(get),
    program(&["config"]).subs(&[
        program(&["view"])
            .options(&[flag("--raw", Do::Emit(deed(Verb::Read, Aim::Kind("secret"), Flags::NONE)))])
            .stdout(Source::Unknown),
        program(&["use-context", "set-context", "get-contexts", "current-context", "set"]),
        sub(&["delete-cluster", "delete-context", "delete-user"], &[destroys("cluster resource")]),
    ]),
    sub(&["login", "logout"], &[LOGS_IN]),
    program(&["delete-project", "adm prune"]).does(&[destroys("cluster resource")]),
];

const HELM_OPTIONS: &[Opt] = &[
    values("-n --namespace --kube-context --kubeconfig --kube-apiserver --kube-token"),
    values("--registry-config --repository-config"),
    flag("-h --help", Do::Stop),
    quiet("--debug --no-hooks"),
];

/// `--dry-run`, `--dry-run=client`; `--dry-run=none` is no dry run.
fn is_dry(parsed: &Parsed<'_>) -> bool {
    parsed.has("--dry-run") && option(parsed, "--dry-run").as_deref() != Some("none")
}

fn delete(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if is_dry(parsed) {
        return;
    }
    let what = parsed.word(0).unwrap_or_default();
    let (noun, glued) = what.split_once('/').map_or((what.as_str(), None), |(noun, name)| (noun, Some(name)));
    let kind = match noun {
        "ns" | "namespace" | "namespaces" | "project" => "namespace",
        "pod" | "pods" | "po" => "pod",
        "pvc"
        | "pv"
        | "persistentvolumeclaim"
        | "persistentvolumeclaims"
        | "persistentvolume"
        | "persistentvolumes" => "volume",
        "secret" | "secrets" => "secret",
        _ => "cluster resource",
    };
    let name = glued.map_or_else(|| shown(parsed, 1), str::to_owned);
    let name = if name.is_empty() { noun.to_owned() } else { name };
    let all = if parsed.has("--all") || parsed.has("-A --all-namespaces") { Flags::ALL } else { Flags::NONE };
    emit(sink, Verb::Destroy, kind, name, all | Flags::IRREVERSIBLE);
}

fn unless_dry_drain(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if !is_dry(parsed) {
        emit(sink, Verb::Service, "cluster resource", shown(parsed, 0), Flags::STOP);
    }
}

/// Scaling up costs; scaling to nothing stops.
fn scale(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let some =
        option(parsed, "--replicas").and_then(|text| text.parse::<u32>().ok()).is_some_and(|count| count > 0);
    if !some && !is_dry(parsed) {
        emit(sink, Verb::Service, "deployment", shown(parsed, 0), Flags::STOP);
    }
}

/// `kubectl set image|env|resources` rolls the workload over to new pods at once.
fn set(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if !is_dry(parsed) && !parsed.has("--list") {
        emit(sink, Verb::Service, "deployment", shown(parsed, 1), Flags::RESTART);
    }
}

/// `run --overrides JSON` and `patch -p JSON` say anything about a pod that a manifest can.
fn overridden(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let text = parsed.value("--overrides -p --patch").and_then(Value::known);
    if text.is_some_and(|text| reaches_host(&text)) && !is_dry(parsed) {
        emit(sink, Verb::Escalate, "pod", shown(parsed, 0), Flags::HOST_ACCESS);
    }
}

/// Whether a manifest, in JSON or YAML, makes a pod privileged, has it share what the node has, or mounts what a
/// container must not have of it.
fn reaches_host(manifest: &str) -> bool {
    let between = |letter: char| letter.is_whitespace() || "{}[]\"',:".contains(letter);
    let words: Vec<&str> = manifest.split(between).filter(|word| !word.is_empty() && *word != "-").collect();
    words.iter().enumerate().any(|(at, word)| {
        let behind = words.get(at + 1..).unwrap_or_default();
        let is_set = behind.iter().take(2).any(|word| *word == "true");
        match word.rsplit('/').next().unwrap_or_default() {
            "privileged" | "hostPID" | "hostIPC" | "hostNetwork" => is_set,
            "hostPath" => {
                let path = behind.iter().take(4).skip_while(|word| **word != "path").nth(1);
                path.is_some_and(|path| opens_node(path))
            }
            _ => false,
        }
    })
}

/// Directories of a node that whoever has them has the node.
fn opens_node(path: &str) -> bool {
    let path = path.trim_end_matches('/');
    path.is_empty()
        || [
            "/etc",
            "/root",
            "/home",
            "/proc",
            "/var",
            "/var/run",
            "/run",
            "/var/lib",
            "/var/lib/kubelet",
            "/boot",
            "/dev",
        ]
        .contains(&path)
        || path.starts_with("/etc/kubernetes")
        || path.rsplit('.').next() == Some("sock")
}

/// Forced, the old object is deleted first; pruned, everything that the files do not name is.
fn replace(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if let Some(manifest) = manifest(parsed, sink).filter(|_| !is_dry(parsed)) {
        if reaches_host(&manifest) {
            emit(sink, Verb::Escalate, "pod", "", Flags::HOST_ACCESS);
        }
        if binds_administrator(&manifest) {
            emit(sink, Verb::Account, "cluster resource", "cluster-admin", Flags::NONE);
        }
    }
    if !is_dry(parsed) && parsed.has("--force --prune") {
        let file = parsed.value("-f --filename").map(crate::value::Value::shown).unwrap_or_default();
        emit(sink, Verb::Destroy, "cluster resource", file, Flags::FORCE);
    }
}

/// What `-f` names: standard input, or a file that may be looked at.
fn manifest(parsed: &Parsed<'_>, sink: &mut dyn Sink) -> Option<String> {
    let file = parsed.value("-f --filename")?.clone();
    if file.known().as_deref() == Some("-") {
        return sink.stdin().known().map(std::borrow::Cow::into_owned);
    }
    sink.shown(&file)
}

/// Whether a manifest gives somebody every right there is.
fn binds_administrator(manifest: &str) -> bool {
    manifest.contains("RoleBinding") && manifest.contains("cluster-admin")
}

fn execute(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let command = after_dashes(parsed).unwrap_or_else(|| operands_from(parsed, 1));
    let pod = shown(parsed, 0);
    if is_interactive_shell(&command) || command.is_empty() {
        emit(sink, Verb::Escalate, "pod", pod.clone(), Flags::INTERACTIVE);
    }
    sink.enter(Realm::Remote(Rc::from(pod)));
    run(sink, &command);
}

/// A debug pod on a node sees the node's whole file system.
fn debug(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if parsed.word(0).is_some_and(|word| word.starts_with("node/")) {
        emit(sink, Verb::Escalate, "pod", shown(parsed, 0), Flags::HOST_ACCESS);
    }
}

/// Listing secrets shows their names; printing one shows what it holds.
fn get(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let secrets =
        parsed.word(0).is_some_and(|word| matches!(word.split('/').next(), Some("secret" | "secrets")));
    let whole = option(parsed, "-o --output").is_some_and(|form| {
        ["yaml", "json", "jsonpath", "go-template", "custom-columns", "template"]
            .iter()
            .any(|start| form.starts_with(start))
    });
    if secrets && whole {
        emit(sink, Verb::Read, "secret", shown(parsed, 1), Flags::NONE);
    }
}

fn bind(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if !is_dry(parsed) {
        emit(sink, Verb::Account, "cluster resource", shown(parsed, 0), Flags::NONE);
    }
}

fn token(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let asks = parsed.subcommands.contains(&"token") || parsed.has("-t --show-token");
    if asks {
        emit(sink, Verb::Read, "secret", shown(parsed, 0), Flags::NONE);
    }
}

/// `proxy --www DIRECTORY` serves files of this machine; `--address` says to whom.
fn proxy(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let everyone = parsed.value("--address").and_then(Value::known).is_some_and(|at| !is_loopback(&at));
    let flags = if everyone { Flags::GLOBAL } else { Flags::NONE };
    sink.effect(Verb::Listen, Target::None, flags, Provenance::NONE);
    if let Some(directory) = parsed.value("--www") {
        sink.path(Verb::Read, directory, Flags::RECURSIVE);
    }
}

fn is_loopback(address: &str) -> bool {
    address.starts_with("127.") || matches!(address, "localhost" | "::1")
}

/// A kubeconfig may name a program that fetches the credentials: `exec:` with `command:` and `args:`.
fn credential_plugin(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let Some(text) = parsed.value("--kubeconfig").cloned().and_then(|path| sink.shown(&path)) else { return };
    let mut argv: Vec<Value> = Vec::new();
    let mut arguments = false;
    for line in text.lines().map(str::trim) {
        if let Some(command) = line.strip_prefix("command:") {
            argv.push(Value::literal(unquoted(command)));
        } else if let Some(list) = line.strip_prefix("args:") {
            arguments = true;
            let words =
                list.trim().trim_matches(['[', ']']).split(',').filter(|word| !word.trim().is_empty());
            argv.extend(words.map(|word| Value::literal(unquoted(word))));
        } else if let Some(word) = line.strip_prefix("- ").filter(|_| arguments) {
            argv.push(Value::literal(unquoted(word)));
        } else {
            arguments = false;
        }
    }
    if !argv.is_empty() {
        run(sink, &argv);
    }
}

fn unquoted(word: &str) -> &str {
    word.trim().trim_matches(['"', '\''])
}
