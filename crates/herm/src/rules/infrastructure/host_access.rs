//! Containers with access to the host.

use herm_shell::{Flags, Places, Verb};

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::named::{kind, of_kind, the};
use crate::rules::rule::{Layer, Report, Rule};
use crate::rules::subject::paths;

/// A container that is privileged, shares the host's namespaces, or mounts the root directory, a home or the engine's socket.
pub static HOST_ACCESS: Rule = Rule {
    name: "container-host-access",
    title: "container with access to the host",
    layer: Layer::Command,
    stance: Stance::Ask,
    finds: "A container that is privileged, shares the host's namespaces, or mounts the root directory, a home or the engine's socket; or a request to that socket.",
    matters: "Whoever is root in such a container is root on this machine.",
    instead: "Mount only the directory that is needed, read-only where it can be.",
    suggestion: r#"docker run --rm -v "$PWD":/app -w /app node:22 npm test"#,
    examples: &[
        "docker run --privileged alpine",
        "docker run -v /:/host alpine ls",
        "docker run -v /var/run/docker.sock:/var/run/docker.sock alpine",
        "docker run --pid=host alpine ps",
        "docker run --cap-add=SYS_ADMIN alpine",
        "kubectl debug node/n1 --image=alpine",
        "kubectl create -f - <<E\nkind: Pod\nspec: {volumes: [{name: h, hostPath: {path: /}}]}\nE",
        "printf 'kind: Pod\\nspec: {hostPID: true}\\n' > pod.yaml; kubectl apply -f pod.yaml",
        r#"kubectl run x --image=alpine --overrides='{"spec":{"hostPID":true}}'"#,
        r#"kubectl run x --image=alpine --overrides='{"spec":{"volumes":[{"name":"h","hostPath":{"path":"/"}}]}}'"#,
        r#"kubectl patch deploy x -p '{"spec":{"containers":[{"securityContext":{"privileged": true}}]}}'"#,
        "kubectl apply -f - <<'E'\nspec:\n  volumes:\n  - name: h\n    hostPath:\n      path: /\nE",
        "curl --unix-socket /var/run/docker.sock -X POST http://d/containers/create",
        "nc -U /var/run/docker.sock",
    ],
    near_misses: &[
        "docker run --rm alpine true",
        r#"docker run -v "$PWD":/app node npm test"#,
        "docker run -v /host:/x alpine true",
        "docker run --rm --network=none alpine true",
        r#"kubectl run x --image=alpine --overrides='{"spec":{"securityContext":{"privileged":false}}}'"#,
        r#"kubectl patch deploy x -p '{"spec":{"replicas":2}}'"#,
        "kubectl apply -f - <<'E'\nkind: ConfigMap\ndata:\n  privileged: maybe\nE",
        "kubectl apply -f - <<'E'\nspec:\n  volumes:\n  - name: data\n    hostPath:\n      path: /srv/data\nE",
        "curl -s --unix-socket /var/run/docker.sock http://d/containers/json",
        "curl --unix-socket ./app.sock -X POST http://localhost/x",
    ],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    let opened = of_kind(facts, Verb::Escalate, &["container", "mount", "pod"]);
    for (effect, name) in opened.filter(|(effect, _)| effect.flags.has(Flags::HOST_ACCESS)) {
        let reason = if kind(effect) == "mount" {
            format!("gives a container `{name}` of this machine")
        } else {
            format!("lets {} reach out of its walls", the(kind(effect), name))
        };
        report.effect(effect, reason);
    }
    let sent = paths(facts, &[Verb::Send]).filter(|(effect, path)| {
        path.places.has(Places::CONTAINER_SOCKET) && !effect.flags.has(Flags::METADATA)
    });
    for (effect, path) in sent {
        report.effect(effect, format!("tells the engine behind `{}` what to do", path.shown));
    }
}
