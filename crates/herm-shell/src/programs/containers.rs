//! Containers and virtual machines of this machine: what they may touch of it, and what is lost with them.

use super::arguments::Parsed;
use super::container_life;
use super::container_run;
use super::phrases::{
    HELP, LOGS_IN, destroys, destroys_all, emit, operands_from, publishes, restarts, run_from, stops, sub,
    values,
};
use super::schema::{
    Aim, Deed, Do, Operands, Opt, Program, Role, Source, Syntax, attached, deed, flag, program, quiet, value,
};
use crate::effect::{Flags, Verb};
use crate::sink::Sink;
use crate::value::Value;

pub(super) static PROGRAMS: &[Program] = &[
    program(&["docker", "podman", "nerdctl", "finch", "docker-machine"]).options(ENGINE_OPTIONS).subs(ENGINE),
    program(&["buildctl"]).options(&[HELP, values("--addr --tlsdir --wait --timeout")]).subs(&[
        program(&["build"])
            .options(&[
                values("-o --output --export-cache --import-cache --frontend --opt --local --secret --ssh --progress"),
                value("--metadata-file", Role::Write),
            ])
            .refine(sent_to_registry),
        program(&["prune"]).does(&[destroys_all("image")]),
        program(&["du", "debug"]),
    ]),
    // It publishes what it builds, unless it is told to keep it.
    program(&["ko"]).options(&[HELP]).subs(&[
        program(&["build", "publish", "resolve", "apply", "create"])
            .options(&[
                flag("-L --local --push=false", Do::Stop),
                quiet("-B --base-import-paths --bare -P --preserve-import-paths"),
                values("-t --tags --platform -f --filename -j --jobs --image-refs --image-label --sbom"),
            ])
            .does(&[publishes_image()]),
        program(&["delete"]).does(&[destroys("cluster resource")]),
        program(&["login"]).does(&[LOGS_IN]),
        program(&["deps", "version", "run"]),
    ]),
    program(&["docker-compose", "podman-compose"]).options(COMPOSE_OPTIONS).subs(COMPOSE),
    program(&["buildah"]).options(&[HELP, values("--root --storage-driver")]).subs(&[
        program(&["run"])
            .syntax(Syntax::FirstOperandEnds)
            .options(container_run::OPTIONS)
            .refine(container_run::execute),
        program(&["unshare"]).syntax(Syntax::FirstOperandEnds).operands(Operands::Each(&[Role::Argv])),
        program(&["rm"]).options(&[flag("-a --all", Do::Set(Flags::ALL))]).does(&[destroys("container")]),
        program(&["push"]).does(&[publishes("image")]),
        program(&["login", "logout"]).does(&[LOGS_IN]),
    ]),
    program(&["skopeo"]).options(&[HELP]).subs(&[
        sub(&["delete"], &[destroys("image")]),
        sub(&["login", "logout"], &[LOGS_IN]),
        program(&["copy", "sync"])
            .options(&[values("--src-creds --dest-creds --authfile --format --src --dest")])
            .refine(copied_to_registry),
    ]),
    program(&["crane", "gcrane"]).options(&[HELP, values("--platform")]).subs(&[
        program(&["push", "copy", "cp"]).refine(pushed),
        sub(
            &["append", "mutate", "tag", "index append"],
            &[deed(Verb::Publish, Aim::First("image"), Flags::NONE)],
        ),
        sub(&["delete"], &[destroys("image")]),
        sub(&["auth login", "auth logout"], &[LOGS_IN]),
        program(&["ls", "manifest", "digest", "config", "catalog", "pull", "export", "validate", "version"]),
    ]),
    program(&["oras"]).options(&[HELP]).subs(&[
        program(&["copy", "cp"]).refine(pushed),
        sub(
            &["push", "attach", "tag", "manifest push", "blob push"],
            &[deed(Verb::Publish, Aim::First("image"), Flags::NONE)],
        ),
        sub(&["manifest delete", "blob delete"], &[destroys("image")]),
        sub(&["login", "logout"], &[LOGS_IN]),
        program(&["pull", "discover", "manifest fetch", "blob fetch", "repo ls", "repo tags", "version"]),
    ]),
    program(&["ctr", "crictl"])
        .options(&[HELP, values("-a --address -n --namespace -r --runtime-endpoint")])
        .subs(&[
            program(&["run"])
                .syntax(Syntax::FirstOperandEnds)
                .options(container_run::OPTIONS)
                .refine(container_run::start),
            program(&["exec", "task exec", "tasks exec"])
                .syntax(Syntax::FirstOperandEnds)
                .options(container_run::OPTIONS)
                .refine(container_run::execute),
            sub(
                &["rm", "rmp", "containers delete", "containers rm", "container rm"],
                &[destroys("container")],
            ),
            sub(&["stop", "stopp", "task kill", "tasks kill"], &[stops("container")]),
        ]),
    program(&["lxc", "incus"]).options(&[HELP, values("--project --force-local")]).subs(&[
        program(&["exec"])
            .syntax(Syntax::FirstOperandEnds)
            .options(&[values("--env --user --group --cwd --mode"), quiet("-t -T -n")])
            .refine(container_run::system_container),
        sub(
            &["shell", "console"],
            &[deed(Verb::Escalate, Aim::First("container"), Flags::INTERACTIVE.and(Flags::HOST_ACCESS))],
        ),
        program(&["delete", "rm"])
            .options(&[flag("-f --force", Do::Set(Flags::FORCE))])
            .does(&[destroys("container")]),
        sub(&["stop", "pause"], &[stops("container")]),
        sub(&["restart"], &[restarts("container")]),
        sub(&["storage delete", "storage volume delete"], &[destroys("volume")]),
        sub(&["network delete", "network rm"], &[destroys("network")]),
        sub(&["image delete", "image rm"], &[destroys("image")]),
        program(&["launch", "init", "config set", "config device add"])
            .refine(container_run::system_container_settings),
    ]),
    program(&["virsh"])
        .options(&[HELP, values("-c --connect -k -K -l --log")])
        .refine(super::machines::connection)
        .subs(&[
            program(&[
                "create",
                "define",
                "net-create",
                "net-define",
                "pool-create",
                "pool-define",
                "attach-device",
                "update-device",
            ])
            .options(&[quiet("--validate --paused --persistent --live --config --current")])
            .operands(Operands::None)
            .refine(super::machines::description),
            sub(&["destroy", "undefine", "snapshot-delete", "managedsave-remove"], &[destroys("container")]),
            sub(
                &["vol-delete", "vol-wipe", "pool-destroy", "pool-delete", "pool-undefine"],
                &[destroys("volume")],
            ),
            sub(&["net-destroy", "net-undefine"], &[destroys("network")]),
            sub(&["shutdown", "suspend"], &[stops("container")]),
            sub(&["reboot", "reset"], &[restarts("container")]),
        ]),
    program(&["vagrant"])
        .options(&[HELP, flag("-v", Do::Stop)])
        .env(super::machines::VAGRANT)
        .refine(super::machines::vagrantfile)
        .subs(&[
            program(&["destroy"])
                .options(&[flag("-f --force", Do::Set(Flags::FORCE))])
                .does(&[destroys("container")]),
            sub(&["halt", "suspend"], &[stops("container")]),
            sub(&["box remove", "snapshot delete"], &[destroys("image")]),
            program(&["ssh"])
                .options(&[values("-c --command -p --plain")])
                .refine(container_run::machine_shell),
        ]),
    program(&[
        "multipass",
        "colima",
        "limactl",
        "lima",
        "orb",
        "orbctl",
        "tart",
        "prlctl",
        "VBoxManage",
        "vboxmanage",
        "qm",
        "pct",
        "minikube",
        "k3d",
        "kind",
    ])
    .options(&[HELP])
    .subs(&[
        sub(
            &["delete", "purge", "rm", "destroy", "unregistervm", "cluster delete", "prune", "factory-reset"],
            &[destroys("container")],
        ),
        sub(&["stop", "suspend", "shutdown", "kill", "cluster stop"], &[stops("container")]),
        program(&["exec", "shell"]).syntax(Syntax::FirstOperandEnds).refine(container_run::execute),
        program(&["env", "docker-env", "podman-env"]).stdout(Source::Settings),
    ]),
    program(&["systemd-nspawn"])
        .syntax(Syntax::FirstOperandEnds)
        .options(&[
            value("-D --directory", Role::Inert),
            values("-i --image -u --user -M --machine --bind --bind-ro --setenv -E --capability"),
            values("--tmpfs --template -H --hostname"),
            quiet("-b --boot -q --quiet -x --ephemeral --read-only --private-network -n"),
        ])
        .refine(container_run::nspawn),
    program(&["machinectl"]).options(&[HELP]).subs(&[
        sub(&["remove", "clean"], &[destroys("container")]),
        sub(&["poweroff", "terminate", "kill", "stop"], &[stops("container")]),
        sub(&["reboot"], &[restarts("container")]),
        program(&["shell"])
            .syntax(Syntax::FirstOperandEnds)
            .does(&[deed(Verb::Escalate, Aim::First("container"), Flags::NONE)])
            .refine(|parsed, sink| run_from(parsed, sink, 1)),
    ]),
    // These share the home directory and the user's rights: what runs in them runs here.
    program(&["distrobox", "toolbox"]).subs(&[
        program(&["enter", "run"])
            .syntax(Syntax::FirstOperandEnds)
            .options(&[values("-n --name -c --container"), quiet("-r --root")])
            .refine(|parsed, sink| {
                let plain = || {
                    if parsed.subcommands.contains(&"run") { operands_from(parsed, 0) } else { Vec::new() }
                };
                super::phrases::run(sink, &super::phrases::after_dashes(parsed).unwrap_or_else(plain));
            }),
        sub(&["rm"], &[destroys("container")]),
    ]),
];

const ENGINE_OPTIONS: &[Opt] = &[
    values("-H --host -c --context --config -l --log-level --tlscacert --tlscert --tlskey"),
    values("--url --connection --root --runroot"),
    values("--namespace --address --storage-driver --storage-opt --identity"),
    values("--cgroup-manager"),
    quiet("-D --debug --tls --tlsverify -r --remote"),
    flag("--help --version", Do::Stop),
];

const ENGINE: &[Program] = &[
    program(&["run", "create", "container run", "container create"])
        .syntax(Syntax::FirstOperandEnds)
        .options(container_run::OPTIONS)
        .refine(container_run::start),
    program(&["exec", "container exec"])
        .syntax(Syntax::FirstOperandEnds)
        .options(container_run::OPTIONS)
        .refine(container_run::execute),
    program(&["unshare"]).syntax(Syntax::FirstOperandEnds).operands(Operands::Each(&[Role::Argv])),
    program(&["compose"]).options(COMPOSE_OPTIONS).subs(COMPOSE),
    program(&["cp", "container cp"])
        .options(&[quiet("-a --archive -L --follow-link -q --quiet")])
        .operands(Operands::LastIs(Role::TransferFrom, Role::TransferTo)),
    program(&["rm", "container rm", "container remove", "pod rm"])
        .options(&[
            flag("-f --force", Do::Set(Flags::FORCE)),
            flag("-a --all", Do::Set(Flags::ALL)),
            quiet("-l --link -v --volumes"),
        ])
        .refine(container_life::delete),
    // An image that can be pulled or built again is no loss, unless containers still use it.
    program(&["rmi", "image rm", "image remove"])
        .options(&[flag("-f --force -a --all", Do::Emit(destroys("image"))), quiet("--no-prune")]),
    program(&["image prune"]).options(PRUNE).does(&[destroys_all("image")]),
    program(&["container prune", "pod prune"]).options(PRUNE).does(&[destroys_all("container")]),
    program(&["volume prune"]).options(PRUNE).does(&[destroys_all("volume")]),
    program(&["network prune"]).options(PRUNE).does(&[destroys_all("network")]),
    program(&["builder prune", "buildx prune"]).options(&[
        flag("-a --all", Do::Emit(destroys_all("image"))),
        values("--filter"),
        quiet("-f --force"),
    ]),
    program(&["system prune"])
        .options(&[
            flag("--volumes", Do::Emit(destroys_all("volume"))),
            values("--filter"),
            quiet("-a --all -f --force"),
        ])
        .does(&[destroys_all("container"), destroys_all("image")]),
    sub(&["system reset"], &[destroys_all("container"), destroys_all("volume")]),
    program(&["volume rm", "volume remove"])
        .options(&[flag("-f --force", Do::Set(Flags::FORCE)), flag("-a --all", Do::Set(Flags::ALL))])
        .does(&[destroys("volume")]),
    sub(&["network rm", "network remove"], &[destroys("network")]),
    sub(&["machine rm", "machine reset", "context rm"], &[destroys("container")]),
    program(&["swarm leave"])
        .options(&[flag("-f --force", Do::Set(Flags::FORCE))])
        .does(&[destroys("cluster")]),
    sub(&["service rm", "stack rm", "stack down", "node rm", "config rm"], &[destroys("cluster resource")]),
    sub(&["secret rm"], &[destroys("secret")]),
    program(&[
        "stop",
        "kill",
        "pause",
        "container stop",
        "container kill",
        "container pause",
        "pod stop",
        "pod kill",
    ])
    .options(&[values("-s --signal -t --time --timeout --filter"), flag("-a --all", Do::Set(Flags::ALL))])
    .refine(container_life::stop),
    program(&["restart", "container restart", "pod restart"])
        .options(&[values("-s --signal -t --time --timeout"), flag("-a --all", Do::Set(Flags::ALL))])
        .refine(container_life::restart),
    program(&["push", "image push", "manifest push"])
        .options(&[quiet("-a --all-tags -q --quiet")])
        .does(&[publishes("image")]),
    program(&["buildx imagetools create"])
        .options(&[
            flag("--dry-run", Do::Stop),
            values("-t --tag -f --file --annotation --builder --platform"),
            quiet("--append"),
        ])
        .does(&[publishes_image()]),
    program(&["buildx bake"])
        .options(&[
            flag("--push", Do::Emit(publishes_image())),
            flag("--print --check", Do::Stop),
            value("--metadata-file", Role::Write),
            values("-f --file --set --progress --allow --builder --provenance --sbom"),
        ])
        .refine(sent_to_registry),
    program(&["buildx build", "build", "image build"]).refine(sent_to_registry).options(&[
        flag("--push", Do::Emit(publishes_image())),
        value("--iidfile --metadata-file", Role::Write),
        values("-t --tag -f --file --build-arg --target --platform --label --network --secret"),
        values("--ssh --cache-from --cache-to"),
        values("-o --output --progress --add-host -m --memory --shm-size --ulimit --builder"),
        values("--build-context -v --volume"),
    ]),
    program(&["login", "logout"])
        .options(&[values("-u --username -p --password"), quiet("--password-stdin")])
        .does(&[LOGS_IN]),
    program(&["save", "image save", "export", "container export"])
        .options(&[value("-o --output", Role::Write)]),
    program(&["load", "image load", "import"]).options(&[value("-i --input", Role::Read)]),
    program(&["plugin install"]).options(&[quiet("--grant-all-permissions")]).does(&[deed(
        Verb::Install,
        Aim::First("package"),
        Flags::NONE,
    )]),
    program(&["inspect", "container inspect", "image inspect", "logs", "ps", "images"])
        .stdout(Source::Unknown),
];

/// `docker build -o type=registry`, `--cache-to type=registry`, `bake --set '*.output=type=image,push=true'`: what is built goes to a registry.
fn sent_to_registry(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let is_yes = |value: &str| matches!(value, "" | "1" | "t" | "true" | "yes");
    let mut fields = parsed.values("-o --output --cache-to --export-cache --set").map(Value::shown);
    let is_sent = fields.any(|text| {
        text.split([',', '=']).collect::<Vec<_>>().windows(2).any(|pair| match pair {
            ["type", "registry"] => true,
            ["push", value] => is_yes(value),
            _ => false,
        })
    });
    if is_sent && !parsed.stopped {
        emit(sink, Verb::Publish, "image", "", Flags::NONE);
    }
}

const fn publishes_image() -> super::schema::Deed {
    deed(Verb::Publish, Aim::Kind("image"), Flags::NONE)
}

const PRUNE: &[Opt] = &[values("--filter"), quiet("-a --all -f --force")];

const COMPOSE_OPTIONS: &[Opt] = &[
    values("-f --file -p --project-name --project-directory --profile --env-file --ansi"),
    values("--parallel --progress -H --host"),
    flag("--help --version --dry-run", Do::Stop),
];

/// The volumes that a project names.
const VOLUMES: Deed = deed(Verb::Destroy, Aim::Kind("volume"), Flags::IRREVERSIBLE);

const COMPOSE: &[Program] = &[
    program(&["down"])
        .options(&[
            flag("-v --volumes", Do::Emit(VOLUMES)),
            values("-t --timeout --rmi"),
            quiet("--remove-orphans"),
        ])
        .refine(container_life::stop_project),
    program(&["stop", "kill", "pause"])
        .options(&[values("-t --timeout -s --signal")])
        .refine(container_life::stop_project),
    program(&["restart"]).options(&[values("-t --timeout")]).refine(container_life::restart_project),
    program(&["rm"])
        .options(&[flag("-v --volumes", Do::Emit(VOLUMES)), quiet("-f --force -s --stop -a")])
        .refine(container_life::delete_of_project),
    program(&["push"]).does(&[publishes("image")]),
    program(&["build"]).options(&[
        flag("--push", Do::Emit(publishes_image())),
        values("--build-arg --builder -m --memory --progress --ssh"),
        attached("--pull", Do::Nothing),
    ]),
    program(&["exec"])
        .syntax(Syntax::FirstOperandEnds)
        .options(container_run::OPTIONS)
        .refine(container_run::execute),
    program(&["run"])
        .syntax(Syntax::FirstOperandEnds)
        .options(container_run::OPTIONS)
        .refine(container_run::start_of_project),
    program(&["cp"]).operands(Operands::LastIs(Role::TransferFrom, Role::TransferTo)),
    program(&["create", "start", "up"])
        .options(&[attached("--pull", Do::Nothing)])
        .refine(container_run::project),
    program(&["pull", "ps", "logs", "config", "images", "top", "port", "ls", "version"])
        .options(&[attached("--pull", Do::Nothing)]),
];

/// `crane push FILE IMAGE`, `crane copy FROM TO`: what is published is named last.
fn pushed(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if let Some(image) = parsed.operands.last() {
        emit(sink, Verb::Publish, "image", image.value.shown(), Flags::NONE);
    }
}

/// What is copied to a registry is published; a directory or an archive is not.
fn copied_to_registry(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let to = parsed.operands.last().map(|argument| argument.value.shown()).unwrap_or_default();
    let to_registry = to.starts_with("docker://")
        || parsed.value("--dest").is_some_and(|kind| kind.known().as_deref() == Some("docker"));
    if to_registry {
        emit(sink, Verb::Publish, "image", to, Flags::NONE);
    }
}
