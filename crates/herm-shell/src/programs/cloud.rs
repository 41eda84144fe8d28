//! Clients of clouds and hosting platforms, read by their verbs.

use std::rc::Rc;

use super::arguments::Parsed;
use super::emulator;
use super::phrases::{DRY_RUN, HELP, LOGS_IN, SHOWS_SECRET, destroys, emit, publishes, sub, values};
use super::schema::{
    Aim, Do, Operands, Opt, Program, Role, Source, Syntax, deed, flag, program, quiet, value,
};
use super::verbs;
use crate::effect::{Flags, Realm, Verb};
use crate::lang::Lang;
use crate::sink::Sink;
use crate::value::{Provenance, Value};

pub(super) static PROGRAMS: &[Program] = &[
    program(&["aws", "awslocal"]).options(AWS_OPTIONS).refine(aws),
    program(&["gcloud"])
        .options(GCLOUD_OPTIONS)
        .subs(&[
            sub(&["auth print-access-token", "auth print-identity-token"], &[SHOWS_SECRET])
                .stdout(Source::Secret),
            sub(&["auth application-default print-access-token"], &[SHOWS_SECRET]).stdout(Source::Secret),
            sub(&["auth login", "auth revoke", "auth activate-service-account"], &[LOGS_IN]),
            sub(&["secrets versions access"], &[SHOWS_SECRET]).stdout(Source::Secret),
            sub(
                &["iam service-accounts keys create"],
                &[deed(Verb::Account, Aim::Kind("cloud resource"), Flags::NONE)],
            ),
            program(&["config"]),
            program(&["compute ssh"]).options(&[values("--command")]).refine(console),
            program(&["storage cp", "storage mv", "storage rsync"])
                .options(&[quiet("-r -R --recursive")])
                .operands(Operands::None)
                .refine(bucket_copy),
            sub(
                &["compute instances add-metadata", "compute project-info add-metadata"],
                &[deed(Verb::Account, Aim::Kind("cloud resource"), Flags::NONE)],
            ),
            program(&["sql import", "storage ls", "components"]),
        ])
        .refine(emulator::gcloud),
    program(&["az"])
        .options(AZ_OPTIONS)
        .subs(&[
            sub(
                &["account get-access-token", "keyvault secret show", "storage account keys list"],
                &[SHOWS_SECRET],
            )
            .stdout(Source::Secret),
            program(&[
                "role assignment create",
                "ad user create",
                "ad app credential reset",
                "ad sp credential reset",
            ])
            .does(&[deed(Verb::Account, Aim::Kind("cloud resource"), Flags::NONE)]),
            program(&["storage blob upload", "storage file upload", "storage blob upload-batch"])
                .options(&[value("-f --file --source -s", Role::SendFile)]),
            program(&["webapp up", "webapp deploy", "functionapp deployment"])
                .does(&[publishes("deployment")]),
            program(&["vm run-command invoke"])
                .options(&[values("--command-id"), value("--scripts", Role::Code(Lang::Shell))]),
        ])
        .refine(emulator::az),
    program(&["gsutil"]).options(&[HELP, values("-o -u -i"), quiet("-m -q -D")]).subs(&[
        program(&["cp", "mv"])
            .options(&[quiet("-r -R -e -n -z -p")])
            .operands(Operands::None)
            .refine(bucket_copy),
        program(&["rsync"])
            .options(&[quiet("-r -R -e"), flag("-d", Do::Emit(destroys("bucket"))), flag("-n", Do::Stop)])
            .operands(Operands::None)
            .refine(bucket_copy),
        sub(&["rm"], &[destroys("bucket")]).options(&[flag("-r -R -a", Do::Set(Flags::RECURSIVE))]),
        sub(&["rb"], &[destroys("bucket")]),
        program(&["iam", "acl"])
            .subs(&[sub(&["ch", "set"], &[deed(Verb::Account, Aim::Kind("cloud resource"), Flags::NONE)])]),
    ]),
    program(&["bq"]).options(&[HELP, values("--project_id --dataset_id --location --format")]).subs(&[
        sub(&["rm"], &[destroys("table")]),
        program(&["query"])
            .options(&[values("--destination_table"), DRY_RUN])
            .operands(Operands::Each(&[Role::Code(Lang::Sql)])),
    ]),
    program(&["s3cmd", "s5cmd"])
        .options(&[HELP, DRY_RUN, values("-c --config --endpoint-url --profile")])
        .subs(&[
            sub(&["rb", "del", "rm"], &[destroys("bucket")])
                .options(&[flag("-r --recursive", Do::Set(Flags::RECURSIVE))]),
            program(&["sync", "mirror"])
                .options(&[flag("--delete --delete-removed --remove", Do::Emit(destroys("bucket")))]),
            sub(
                &["setpolicy", "policy set", "anonymous set"],
                &[deed(Verb::Account, Aim::Kind("bucket"), Flags::NONE)],
            ),
        ]),
    program(&["rclone"])
        .options(&[
            HELP,
            DRY_RUN,
            flag("-n", Do::Stop),
            values("--config --transfers --include --exclude --filter"),
        ])
        .subs(&[
            sub(&["delete", "deletefile", "purge", "rmdirs"], &[destroys("bucket")]),
            program(&["sync"])
                .operands(Operands::LastIs(Role::TransferFrom, Role::TransferTo))
                .does(&[deed(Verb::Destroy, Aim::Kind("bucket"), Flags::NONE)]),
            program(&["copy", "move", "copyto", "moveto"])
                .operands(Operands::LastIs(Role::TransferFrom, Role::TransferTo)),
            sub(&["config show", "config dump", "config file"], &[SHOWS_SECRET]).stdout(Source::Secret),
            program(&["rcd", "serve"]).does(&[deed(Verb::Listen, Aim::None, Flags::NONE)]),
        ]),
    program(&["vault", "bao"])
        .syntax(Syntax::SingleDash)
        .options(&[HELP, values("-address -namespace -field -format")])
        .subs(&[
            sub(
                &[
                    "secrets disable",
                    "auth disable",
                    "kv delete",
                    "kv destroy",
                    "kv metadata delete",
                    "delete",
                ],
                &[destroys("secret")],
            )
            .syntax(Syntax::SingleDash),
            sub(
                &["lease revoke", "token revoke", "policy delete", "operator seal", "audit disable"],
                &[destroys("secret")],
            )
            .syntax(Syntax::SingleDash),
            sub(&["kv get", "read", "print token", "unwrap"], &[SHOWS_SECRET])
                .syntax(Syntax::SingleDash)
                .stdout(Source::Secret),
            sub(&["login", "token create"], &[LOGS_IN]).syntax(Syntax::SingleDash),
        ]),
    program(&["nomad", "consul", "boundary", "waypoint"])
        .syntax(Syntax::SingleDash)
        .options(&[HELP, values("-address -namespace -region -token -http-addr")])
        .subs(&[
            sub(&["job stop", "stop"], &[destroys("deployment")]).syntax(Syntax::SingleDash),
            sub(&["system gc", "leave", "force-leave", "node drain"], &[destroys("cluster resource")])
                .syntax(Syntax::SingleDash),
            program(&["kv"]).subs(&[
                sub(&["delete"], &[destroys("key space")])
                    .syntax(Syntax::SingleDash)
                    .options(&[flag("-recurse", Do::Set(Flags::RECURSIVE))]),
                program(&["get", "put", "list"]),
            ]),
            program(&["alloc exec", "exec"]),
        ])
        .refine(verbs::read),
    // Platforms that deploy when they are called.
    program(&["vercel"])
        .options(&[
            HELP,
            flag("-v --version", Do::Stop),
            values("--env -e --build-env -b --token -t --scope -S --cwd --local-config -A"),
            values("--global-config -Q --regions --meta -m"),
        ])
        .subs(&[
            program(&[
                "dev", "ls", "list", "inspect", "logs", "whoami", "pull", "link", "build", "init", "help",
                "teams", "switch",
            ]),
            sub(&["login", "logout"], &[LOGS_IN]),
            sub(&["remove", "rm"], &[destroys("deployment")]),
            sub(&["promote", "rollback", "alias set", "deploy", "redeploy"], &[publishes("deployment")]),
            program(&["env", "secrets", "domains", "domain", "dns", "certs", "project", "projects", "alias"])
                .refine(verbs::read_below),
        ])
        .does(&[publishes("deployment")]),
    program(&["surge", "gh-pages"]).options(&[HELP]).does(&[publishes("deployment")]),
    program(&["wrangler"])
        .options(PLATFORM_OPTIONS)
        .subs(&[
            program(&["deploy", "publish", "pages deploy", "versions upload"])
                .options(&[DRY_RUN])
                .does(&[publishes("deployment")]),
            program(&["d1 execute"]).options(&[
                value("--command", Role::Code(Lang::Sql)),
                value("--file", Role::Script(Lang::Sql)),
            ]),
            sub(&["kv:key delete", "kv key delete", "r2 object delete"], &[destroys("key space")]),
            program(&["dev", "tail", "types", "init"]),
        ])
        .refine(verbs::read),
    program(&["railway"])
        .options(PLATFORM_OPTIONS)
        .subs(&[
            sub(&["up", "redeploy"], &[publishes("deployment")]),
            sub(&["down", "delete"], &[destroys("deployment")]),
            program(&["run", "shell"]).operands(Operands::Each(&[Role::Argv])),
            sub(&["variables"], &[SHOWS_SECRET]),
        ])
        .refine(verbs::read),
    program(&["supabase"])
        .options(PLATFORM_OPTIONS)
        .subs(&[
            sub(&["db reset"], &[deed(Verb::Destroy, Aim::Kind("table"), Flags::ALL)]),
            program(&["db push", "functions deploy", "config push"])
                .options(&[DRY_RUN])
                .does(&[publishes("deployment")]),
            program(&["start", "db diff", "gen", "migration"]),
        ])
        .refine(verbs::read),
    program(&["heroku"])
        .options(HEROKU_OPTIONS)
        .subs(&[
            sub(&["config", "config:get"], &[SHOWS_SECRET]).stdout(Source::Secret),
            sub(&["auth:token"], &[SHOWS_SECRET]).stdout(Source::Secret),
            sub(&["pg:reset"], &[deed(Verb::Destroy, Aim::Each("database"), Flags::ALL)]),
            sub(
                &["access:update", "access:add", "members:add", "members:set"],
                &[deed(Verb::Account, Aim::Kind("cloud resource"), Flags::NONE)],
            ),
            sub(
                &["maintenance:on", "ps:scale"],
                &[deed(Verb::Service, Aim::Each("deployment"), Flags::STOP)],
            ),
            program(&["run", "run:detached", "run:inside"]).syntax(Syntax::FirstOperandEnds).refine(dyno),
        ])
        .refine(verbs::read),
    program(&["netlify", "ntl"])
        .options(PLATFORM_OPTIONS)
        .subs(&[
            sub(&["env:clone"], &[deed(Verb::Destroy, Aim::Kind("secret"), Flags::NONE)]),
            program(&["dev", "build", "init", "link", "status"]),
        ])
        .refine(verbs::read),
    program(&["fly", "flyctl"])
        .options(FLY_OPTIONS)
        .subs(&[
            program(&["ssh console"]).options(&[values("-C --command")]).refine(console),
            sub(&["auth token", "tokens create"], &[SHOWS_SECRET]).stdout(Source::Secret),
        ])
        .refine(verbs::read),
    // Read by their verbs alone.
    program(&[
        "doctl",
        "render",
        "firebase",
        "ibmcloud",
        "oci",
        "aliyun",
        "linode-cli",
        "hcloud",
        "scw",
        "eksctl",
        "kops",
        "databricks",
        "vultr-cli",
        "exo",
        "upctl",
        "civo",
        "ovhcloud",
        "yc",
        "tccli",
        "openstack",
        "cf",
        "eb",
        "amplify",
        "ecs-cli",
        "rosa",
        "metal",
        "flarectl",
        "turso",
        "pscale",
        "neonctl",
        "atlas",
        "confluent",
        "convex",
        "modal",
        "kamal",
        "dokku",
        "caprover",
        "azcopy",
        "shopify",
        "sanity",
        "eas",
    ])
    .options(PLATFORM_OPTIONS)
    .refine(verbs::read),
];

const AWS_OPTIONS: &[Opt] = &[
    flag("--help --dry-run --dryrun --version", Do::Stop),
    values("--profile --region --output --query --endpoint-url --color --cli-read-timeout"),
    values("--cli-connect-timeout --ca-bundle"),
    flag("--recursive", Do::Set(Flags::RECURSIVE)),
    flag("--force", Do::Set(Flags::FORCE)),
    quiet("--quiet --debug --no-verify-ssl --no-paginate --no-sign-request --no-cli-pager"),
];

const GCLOUD_OPTIONS: &[Opt] = &[
    flag("--help -h --version", Do::Stop),
    values("--project --account --configuration --format --filter --zone --region"),
    values("--impersonate-service-account --verbosity --location"),
    flag("--quiet -q", Do::Set(Flags::FORCE)),
];

const AZ_OPTIONS: &[Opt] = &[
    flag("--help -h --version", Do::Stop),
    values("--subscription --output -o --query --name -n --resource-group -g --location -l"),
    values("--account-name --vault-name --registry -r"),
    flag("--yes -y", Do::Set(Flags::FORCE)),
];

const PLATFORM_OPTIONS: &[Opt] = &[
    flag("--help -h --version", Do::Stop),
    values("--project -p --token -t --config -c --context --output -o --format --region"),
    values("--site --environment --profile"),
    flag("--force -f --yes -y", Do::Set(Flags::FORCE)),
    DRY_RUN,
];

const HEROKU_OPTIONS: &[Opt] = &[
    flag("--help -h --version", Do::Stop),
    values("--app -a --remote -r --confirm -c --team -t"),
    flag("--force -f", Do::Set(Flags::FORCE)),
];

const FLY_OPTIONS: &[Opt] = &[
    flag("--help -h --version", Do::Stop),
    values("--app -a --config -c --access-token -t --target --team-name --concourse-url"),
    values("--org -o --region -r"),
    flag("--force -f --yes -y", Do::Set(Flags::FORCE)),
];

/// Operations that print a secret.
const AWS_SECRETS: &[(&str, &str)] = &[
    ("secretsmanager", "get-secret-value"),
    ("secretsmanager", "batch-get-secret-value"),
    ("sts", "get-session-token"),
    ("sts", "assume-role"),
    ("configure", "export-credentials"),
    ("ec2", "create-key-pair"),
    ("ec2", "get-password-data"),
];

/// aws: a service, an operation, options. `aws s3` alone speaks like a shell.
fn aws(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if parsed.words().any(|word| word == "help") {
        return;
    }
    let (Some(service), Some(operation)) = (parsed.word(0), parsed.word(1)) else { return };
    for argument in parsed.all {
        for mark in ["file://", "fileb://"] {
            if let Some(path) = super::kinds::strip_prefix(&argument.value, mark) {
                sink.read(&path);
            }
        }
    }
    // What is configured lies here, whoever answers.
    if service != "configure" && emulator::answers_aws(parsed, sink) {
        if (service.as_str(), operation.as_str()) != ("s3", "rm") && service == "s3" {
            s3_transfer(parsed, sink);
        }
        return;
    }
    if AWS_SECRETS.contains(&(service.as_str(), operation.as_str())) {
        emit(sink, Verb::Read, "secret", format!("{service} {operation}"), Flags::NONE);
    }
    match (service.as_str(), operation.as_str()) {
        ("s3", "rm") if parsed.has("--recursive") => bucket(parsed, sink, 2),
        ("s3", "sync") if parsed.has("--delete") => bucket(parsed, sink, 3),
        ("s3", "rb") => bucket(parsed, sink, 2),
        ("s3", "cp" | "mv" | "sync") => s3_transfer(parsed, sink),
        ("s3", _) => {}
        ("configure", "get") if parsed.word(2).is_some_and(|name| is_secret_setting(&name)) => {
            emit(sink, Verb::Read, "secret", "aws configuration", Flags::NONE);
        }
        ("ssm", "send-command") => sent_command(parsed, sink),
        ("ssm", "get-parameter" | "get-parameters" | "get-parameters-by-path")
            if parsed.has("--with-decryption") =>
        {
            emit(sink, Verb::Read, "secret", "ssm parameter", Flags::NONE);
        }
        _ => verbs::read_operation(parsed, sink),
    }
}

fn is_secret_setting(name: &str) -> bool {
    ["secret", "token"].iter().any(|part| name.contains(part))
}

/// `--parameters commands=CODE`, or a list of them in JSON: a shell on the instances runs it.
fn sent_command(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let mut words = parsed.all.iter().skip_while(|argument| argument.value.known_prefix() != "--parameters");
    let given = words.nth(1).and_then(|argument| argument.value.known());
    let code = given.as_deref().and_then(|text| text.split_once("commands")).map(|(_, code)| code);
    sink.enter(Realm::Remote(Rc::from("ssm")));
    let code = match code {
        Some(code) => Value::literal(
            code.trim_start_matches(['"', '=', ':', '[', ' ']).trim_end_matches(['"', ']', '}', ' ']),
        ),
        None => Value::unknown("the command sent", Provenance::OUTSIDE),
    };
    sink.code(Lang::Shell, &code);
}

fn bucket(parsed: &Parsed<'_>, sink: &mut dyn Sink, operand: usize) {
    emit(sink, Verb::Destroy, "bucket", super::phrases::shown(parsed, operand), Flags::IRREVERSIBLE);
}

/// Files of this machine that go up are sent, those that come down are written.
fn s3_transfer(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let (Some(from), Some(to)) = (parsed.operand(2), parsed.operand(3)) else { return };
    let remote = |value: &crate::value::Value| value.known_prefix().starts_with("s3://");
    if !remote(from) && remote(to) {
        let content = sink.read(from);
        sink.connect(Verb::Send, to, Flags::UPLOAD, content.provenance);
    } else if remote(from) && !remote(to) {
        sink.path(Verb::Write, to, Flags::DOWNLOAD);
    }
}

/// `heroku run COMMAND…`.
fn dyno(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    sink.enter(Realm::Remote(Rc::from("heroku")));
    super::phrases::run_from(parsed, sink, 0);
}

/// `fly ssh console -C CODE`, `gcloud compute ssh HOST --command CODE`.
fn console(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let Some(code) = parsed.value("-C --command").cloned() else { return };
    sink.enter(Realm::Remote(Rc::from(super::phrases::shown(parsed, 0))));
    sink.code(Lang::Shell, &code);
}

/// `gsutil cp FROM… TO`: what is here is sent or written, what is there is fetched.
fn bucket_copy(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let words: Vec<Value> = parsed.operands.iter().map(|operand| operand.value.clone()).collect();
    let Some((to, from)) = words.split_last() else { return };
    let remote = |word: &Value| word.known_prefix().contains("://");
    for source in from.iter().filter(|source| !remote(source)) {
        if remote(to) {
            super::requests::send_file(source, std::slice::from_ref(to), sink);
        } else {
            sink.read(source);
        }
    }
    if !remote(to) {
        let content = Value::unknown("what was fetched", Provenance::NETWORK);
        sink.write(to, &content, Flags::TRUNCATE);
    }
}
