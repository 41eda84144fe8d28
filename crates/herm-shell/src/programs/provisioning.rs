//! Infrastructure that is described in files: terraform and its kin, and configuration management.

use std::rc::Rc;

use super::arguments::Parsed;
use super::kinds::hook;
use super::phrases::{DRY_RUN, HELP, destroys, emit, publishes, shown, sub, values};
use super::schema::{Aim, Deed, Do, Opt, Program, Role, Syntax, attached, deed, flag, program, quiet, value};
use super::verbs;
use crate::effect::{Flags, Realm, Verb};
use crate::lang::Lang;
use crate::sink::Sink;
use crate::value::{Provenance, Value};

pub(super) static PROGRAMS: &[Program] = &[
    program(&["terraform", "tofu", "terragrunt", "opentofu", "tf"])
        .syntax(Syntax::SingleDash)
        .options(TERRAFORM_OPTIONS)
        .env(&[("TF_CLI_ARGS", Role::Options), ("TF_CLI_ARGS_*", Role::Options)])
        .subs(TERRAFORM),
    program(&["pulumi"])
        .options(&[
            HELP,
            value("-C --cwd", Role::Directory),
            values("-s --stack --color -p --parallel -m --message"),
        ])
        .subs(&[
            program(&["destroy", "down"])
                .options(&[flag("--preview-only", Do::Stop), quiet("-y --yes -f --skip-preview")])
                .does(&[GONE]),
            program(&["stack rm"]).options(&[quiet("-f --force -y --yes")]).does(&[GONE]),
            program(&["up", "update"]).options(&[flag("-y --yes -f --skip-preview", Do::Emit(APPLIED))]),
            sub(&["state delete", "state unprotect", "cancel", "stack import"], &[STATE]),
            program(&["config", "stack", "preview", "refresh", "logs", "login", "new", "import"]),
        ]),
    program(&["cdk", "cdktf", "serverless", "sls", "sam", "sst", "zappa", "chalice"])
        .options(&[
            HELP,
            DRY_RUN,
            values("-s --stage -r --region --profile --stack-name -a --app -c --context --config"),
            values("-o --output"),
            flag("--force -f --no-prompts --yes", Do::Set(Flags::FORCE)),
        ])
        .subs(&[
            program(&["destroy", "remove", "delete", "undeploy"]).does(&[GONE]),
            program(&["deploy"]).does(&[publishes("deployment")]),
            program(&["rollback"]).does(&[deed(Verb::Service, Aim::Kind("deployment"), Flags::RESTART)]),
        ]),
    program(&["ansible"]).options(ANSIBLE_OPTIONS).refine(ansible),
    program(&["ansible-playbook", "ansible-pull", "ansible-console"])
        .options(PLAYBOOK_OPTIONS)
        .all(Role::Read)
        .refine(playbook),
    program(&["ansible-galaxy"]).options(&[HELP]).subs(&[
        program(&["collection publish", "role import"]).does(&[publishes("registry package")]),
        program(&["role delete"]).does(&[destroys("registry package")]),
        program(&["install", "collection install", "role install"]).does(&[deed(
            Verb::Install,
            Aim::Each("package"),
            Flags::NONE,
        )]),
    ]),
    program(&["ansible-vault"])
        .options(&[HELP, values("--vault-id --vault-password-file --output")])
        .subs(&[program(&["view", "decrypt"]).does(&[super::phrases::SHOWS_SECRET])]),
    program(&["salt", "salt-call", "salt-ssh", "salt-run"])
        .options(&[HELP, values("-c --config-dir --out -t --timeout"), quiet("-L -E -G --local")])
        .refine(salt),
    program(&["puppet"]).options(&[HELP, flag("--noop", Do::Stop)]).subs(&[
        program(&["apply"])
            .options(&[value("-e --execute", Role::Code(Lang::Other("puppet")))])
            .all(Role::Read)
            .refine(puppet),
        program(&["filebucket"])
            .options(&[values("-b --bucket -s --server"), quiet("-l --local -r --remote")])
            .all(Role::Read),
        sub(&["node clean", "node purge", "node deactivate", "cert clean"], &[destroys("cluster resource")]),
    ]),
    program(&["knife", "chef", "chef-client", "packer"])
        .options(&[HELP])
        .subs(&[
            program(&["exec"]).options(&[value("-E --exec", Role::Code(Lang::Ruby))]),
            program(&["ssh"]),
            program(&["build", "validate", "fmt", "init"]),
        ])
        .refine(|parsed, sink| verbs::read_of(parsed, sink, "cluster resource")),
];

/// Functions of salt that run no shell and still end something.
const SALT_STATES: &[&str] =
    &["file.remove", "system.halt", "system.poweroff", "system.reboot", "system.shutdown"];

const GONE: Deed = deed(Verb::Destroy, Aim::Each("infrastructure"), Flags::IRREVERSIBLE);
const APPLIED: Deed = deed(Verb::Publish, Aim::Kind("infrastructure"), Flags::FORCE);
const STATE: Deed = deed(Verb::Rewrite, Aim::Each("infrastructure"), Flags::NONE);

const TERRAFORM_OPTIONS: &[Opt] = &[
    value("-chdir", Role::Directory),
    flag("-help --help -h -version --version", Do::Stop),
    values("-var -var-file -target -state -state-out -backup -lock-timeout -parallelism"),
    value("-plugin-dir", Role::Library),
    values("-replace -backend-config -out"),
    values("--terragrunt-working-dir --terragrunt-config --working-dir"),
    attached("-lock -input -refresh -backend -upgrade -get", Do::Nothing),
    quiet("-no-color -compact-warnings -json"),
];

const TERRAFORM: &[Program] = &[
    program(&["destroy"])
        .syntax(Syntax::SingleDash)
        .options(&[flag("-auto-approve --auto-approve", Do::Set(Flags::FORCE))])
        .does(&[GONE]),
    program(&["run-all destroy", "destroy-all", "run --all destroy"])
        .syntax(Syntax::SingleDash)
        .does(&[deed(Verb::Destroy, Aim::Kind("infrastructure"), Flags::ALL)]),
    program(&["run-all apply", "apply-all"]).syntax(Syntax::SingleDash).does(&[APPLIED]),
    program(&["apply"])
        .syntax(Syntax::SingleDash)
        .options(&[
            flag("-destroy --destroy", Do::Emit(GONE)),
            flag("-auto-approve --auto-approve", Do::Emit(APPLIED)),
        ])
        .refine(apply),
    sub(&["state rm", "state mv", "state push", "state replace-provider"], &[STATE])
        .syntax(Syntax::SingleDash),
    program(&["workspace delete"])
        .syntax(Syntax::SingleDash)
        .options(&[flag("-force", Do::Set(Flags::FORCE))])
        .does(&[GONE]),
    program(&["force-unlock"]).syntax(Syntax::SingleDash).options(&[quiet("-force")]).does(&[STATE]),
    program(&["login", "logout"]).syntax(Syntax::SingleDash).does(&[super::phrases::LOGS_IN]),
    program(&["console"]).syntax(Syntax::SingleDash).refine(console),
    program(&["fmt"])
        .syntax(Syntax::SingleDash)
        .options(&[quiet("-check -diff -recursive"), attached("-list -write", Do::Nothing)])
        .all(Role::Read),
    program(&["plan"]).syntax(Syntax::SingleDash).options(&[quiet("-destroy -detailed-exitcode")]),
];

const ANSIBLE_OPTIONS: &[Opt] = &[
    flag("--help -h --version -C --check --list-hosts --syntax-check", Do::Stop),
    values("-m --module-name -a --args -i --inventory -u --user -l --limit -f --forks -e"),
    values("--extra-vars -t --tags -T --timeout"),
    values("--private-key --key-file -c --connection --become-user --become-method"),
    values("--vault-password-file -B -P"),
    quiet("-b --become -k --ask-pass -K --ask-become-pass -v -vv -vvv -o --one-line"),
];

const PLAYBOOK_OPTIONS: &[Opt] = &[
    flag("--help -h --version -C --check --list-hosts --list-tasks --list-tags", Do::Stop),
    flag("--syntax-check", Do::Stop),
    values("-i --inventory -u --user -l --limit -f --forks -e --extra-vars -t --tags"),
    values("--skip-tags -T --timeout"),
    values("--private-key --key-file -c --connection --become-user --become-method"),
    values("--vault-password-file --start-at-task"),
    values("-U --url -d --directory"),
    quiet("-b --become -k --ask-pass -K --ask-become-pass -v -vv -vvv -D --diff"),
];

/// `yes` on standard input answers the question that would have held it back.
fn apply(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let answered = sink.stdin().known().is_some_and(|text| text.trim() == "yes");
    if answered && !parsed.has("-auto-approve --auto-approve") {
        emit(sink, Verb::Publish, "infrastructure", "", Flags::FORCE);
    }
}

/// `ansible HOSTS -m shell -a CODE`.
fn ansible(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let module = parsed.value("-m --module-name").and_then(Value::known).unwrap_or_else(|| "command".into());
    if matches!(module.rsplit('.').next(), Some("reboot" | "shutdown")) {
        in_host(parsed, sink);
        return emit(sink, Verb::Power, "power state", "", Flags::NONE);
    }
    let Some(code) = parsed.value("-a --args").cloned() else { return };
    if matches!(module.rsplit('.').next(), Some("shell" | "command" | "raw" | "script")) {
        in_host(parsed, sink);
        sink.code(Lang::Shell, &code);
    } else {
        in_host(parsed, sink);
        module_files(&code, sink);
    }
}

/// `src=PATH` is read, `dest=PATH` and `path=PATH` are written.
fn module_files(settings: &Value, sink: &mut dyn Sink) {
    let Some(text) = settings.known() else { return };
    let absent = text.split_ascii_whitespace().any(|setting| setting == "state=absent");
    for (name, path) in text.split_ascii_whitespace().filter_map(|setting| setting.split_once('=')) {
        let path = Value::literal(path);
        match name {
            "src" => {
                sink.read(&path);
            }
            "dest" | "path" | "name" if absent && path.known_prefix().starts_with(['/', '~']) => {
                sink.path(Verb::Delete, &path, Flags::RECURSIVE | Flags::FORCE);
            }
            "dest" | "path" => {
                sink.write(&path, &Value::unknown("content", Provenance::NONE), Flags::TRUNCATE);
            }
            _ => {}
        }
    }
}

/// Commands on the hosts that a pattern names; `localhost` is this machine.
fn in_host(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let host = shown(parsed, 0);
    if parsed.has("-b --become") {
        sink.escalate();
    }
    if !matches!(host.as_str(), "localhost" | "127.0.0.1")
        && parsed.value("-c --connection").and_then(Value::known).as_deref() != Some("local")
    {
        sink.enter(Realm::Remote(Rc::from(host)));
    }
}

/// `salt TARGET cmd.run CODE`.
fn salt(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if let Some(at) = parsed.words().position(|word| SALT_STATES.contains(&word.as_str())) {
        if parsed.program != "salt-call" {
            sink.enter(Realm::Remote(Rc::from(shown(parsed, 0))));
        }
        return match (parsed.word(at).as_deref(), parsed.operand(at + 1)) {
            (Some("file.remove"), Some(path)) => sink.path(Verb::Delete, path, Flags::RECURSIVE),
            _ => emit(sink, Verb::Power, "power state", "", Flags::NONE),
        };
    }
    let place = parsed.operands.iter().position(|operand| {
        matches!(
            operand.value.known().as_deref(),
            Some("cmd.run" | "cmd.shell" | "cmd.run_all" | "cmd.script")
        )
    });
    let Some(code) = place.and_then(|place| parsed.operand(place + 1)).cloned() else { return };
    if parsed.program != "salt-call" {
        sink.enter(Realm::Remote(Rc::from(shown(parsed, 0))));
    }
    sink.code(Lang::Shell, &code);
}

/// `file("PATH")` and its siblings show what is in a file.
fn console(_parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let input = sink.stdin();
    let Some(text) = input.known() else { return };
    for name in ["file(", "filebase64(", "templatefile(", "fileset("] {
        for part in text.split(name).skip(1) {
            let path = part.trim_start().trim_start_matches('"').split('"').next().unwrap_or_default();
            let path = path.strip_prefix('~').map_or_else(|| path.to_owned(), |rest| sink.home() + rest);
            sink.read(&Value::literal(path));
        }
    }
}

/// `puppet apply -e "exec { 'CODE': }"`: the title of an exec is its command, that of a file is a path.
fn puppet(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let files: Vec<Value> = parsed.operands.iter().map(|operand| operand.value.clone()).collect();
    let mut manifests: Vec<Value> = files.iter().map(|file| sink.read(file)).collect();
    manifests.extend(parsed.values("-e --execute").cloned());
    for manifest in manifests.iter().map(Value::shown) {
        for command in titles(&manifest, "exec") {
            hook(&Value::literal(command), Flags::NONE, sink);
        }
        for path in titles(&manifest, "file").iter().filter(|path| path.starts_with('/')) {
            sink.path(Verb::Write, &Value::literal(path.clone()), Flags::NONE);
        }
    }
}

/// The titles of the resources of a kind.
fn titles(manifest: &str, kind: &str) -> Vec<String> {
    let resources = manifest.split(kind).skip(1).filter(|rest| rest.trim_start().starts_with('{'));
    let title = |rest: &str| {
        let (_, rest) = rest.split_once('{')?;
        let quote = rest.trim_start().chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
        rest.split(quote).nth(1).map(str::to_owned)
    };
    resources.filter_map(title).collect()
}

/// A playbook that was just written is read for the commands of its tasks.
fn playbook(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    for argument in &parsed.operands {
        let text = sink.read(&argument.value);
        let Some(text) = text.known() else { continue };
        for command in tasks(&text) {
            hook(&Value::literal(command), Flags::NONE, sink);
        }
    }
}

/// The commands of `shell:`, `command:`, `raw:` tasks, in block or flow style.
fn tasks(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for line in text.lines() {
        for word in ["shell:", "command:", "raw:"] {
            let Some((_, rest)) = line.split_once(word) else { continue };
            let command = rest.trim().trim_end_matches(['}', ']']).trim_matches(['"', '\'']);
            if !command.is_empty() {
                found.push(command.to_owned());
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_of_resources_are_found() {
        assert_eq!(titles("exec { '/bin/id -u': path => '/bin' }", "exec"), ["/bin/id -u"]);
        assert_eq!(titles(r#"file { "/etc/motd": content => "file" }"#, "file"), ["/etc/motd"]);
        assert!(titles("notify { 'exec': }", "exec").is_empty());
    }

    #[test]
    fn commands_of_tasks_are_found() {
        assert_eq!(tasks("[{hosts: localhost, tasks: [shell: /bin/sh </dev/tty]}]"), ["/bin/sh </dev/tty"]);
        assert_eq!(tasks("- hosts: all\n  tasks:\n    - command: \"ls -l\"\n"), ["ls -l"]);
        assert!(tasks("- hosts: all\n  roles: [web]").is_empty());
    }
}
