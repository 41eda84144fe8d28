//! Clients of code hosts: GitHub, GitLab.

use super::arguments::Parsed;
use super::phrases::{HELP, LOGS_IN, SHOWS_SECRET, destroys, emit, publishes, restarts, sub, values};
use super::schema::{Aim, Deed, Do, Opt, Program, Role, Source, deed, flag, program, quiet, value};
use super::verbs;
use crate::effect::{Flags, Verb};
use crate::sink::Sink;
use crate::value::Value;

pub(super) static PROGRAMS: &[Program] = &[
    program(&["gh"])
        .options(OPTIONS)
        .subs(GH)
        .refine(|parsed, sink| verbs::read_of(parsed, sink, "repository")),
    program(&["glab"])
        .options(OPTIONS)
        .subs(GLAB)
        .refine(|parsed, sink| verbs::read_of(parsed, sink, "repository")),
    program(&["hub", "tea"]).options(OPTIONS).subs(&[
        program(&["delete", "repo delete", "repos rm"]).does(&[REPOSITORY_GONE]),
        program(&["release delete"]).does(&[destroys("release")]),
        program(&["release create"]).does(&[publishes("release")]),
        program(&["gist create"]).all(Role::SendFile),
        program(&["api"]).options(API).refine(api),
    ]),
];

const REPOSITORY_GONE: Deed = deed(Verb::Destroy, Aim::Each("repository"), Flags::IRREVERSIBLE);
const REPOSITORY_CHANGED: Deed = deed(Verb::Publish, Aim::Each("repository"), Flags::METADATA);

const OPTIONS: &[Opt] = &[HELP, flag("--version", Do::Stop), values("-R --repo --hostname")];

const API: &[Opt] = &[
    values("-X --method -f --raw-field -F --field -H --header -q --jq -t --template"),
    values("--cache --input -p --preview"),
    quiet("-i --include --paginate --silent --slurp"),
];

const GH: &[Program] = &[
    program(&["repo create"]).options(&[
values("-d --description -h --homepage -s --source -r --remote -t --team -p --template -l --license -g --gitignore"),
        quiet("--public --private --internal --push -c --clone --add-readme --disable-wiki --disable-issues"),
    ])
    .refine(created),
    program(&["repo delete"]).options(&[quiet("--yes --confirm")]).does(&[REPOSITORY_GONE]),
    program(&["repo archive", "repo rename", "repo unarchive"])
        .options(&[quiet("-y --yes")])
        .does(&[REPOSITORY_CHANGED]),
    program(&["repo edit"]).options(&[
        super::schema::value_does(
            "--visibility",
            Do::Emit(deed(Verb::Publish, Aim::Kind("repository"), Flags::METADATA)),
        ),
        values("-d --description -h --homepage --default-branch --add-topic --remove-topic"),
    ]),
    program(&["repo deploy-key add", "repo deploy-key delete"]).does(&[LOGS_IN]),
    program(&["repo sync"]).options(&[
        flag("--force", Do::Emit(deed(Verb::Rewrite, Aim::Kind("branch"), Flags::FORCE))),
        values("-b --branch -s --source"),
    ]),
    program(&["release delete", "release delete-asset"])
        .options(&[quiet("-y --yes --cleanup-tag")])
        .does(&[destroys("release")]),
    program(&["release create", "release upload", "release edit"])
        .options(&[
            value("-F --notes-file", Role::Read),
            values("-t --title -n --notes --target --discussion-category"),
            quiet("--clobber -d --draft -p --prerelease --generate-notes"),
        ])
        .does(&[deed(Verb::Publish, Aim::First("release"), Flags::NONE)]),
    program(&["secret delete", "secret remove", "variable delete", "variable remove"])
        .options(&[values("-o --org -e --env -a --app -u")])
        .does(&[destroys("secret")]),
    program(&["secret set", "variable set"])
        .options(&[values("-b --body -o --org -e --env -a --app -f --env-file -v --visibility")]),
    program(&["gist create"])
        .options(&[values("-d --desc -f --filename"), quiet("-p --public -w --web")])
        .all(Role::SendFile),
    program(&["gist delete"]).options(&[quiet("--yes")]).does(&[destroys("repository")]),
    program(&["workflow disable"]).does(&[deed(Verb::Service, Aim::Each("deployment"), Flags::DISABLE)]),
    program(&[
        "run cancel",
        "run delete",
        "run rerun",
        "cache delete",
        "label delete",
        "extension remove",
        "alias delete",
    ]),
    program(&["auth token"]).does(&[SHOWS_SECRET]).stdout(Source::Secret),
    program(&["auth status"])
        .options(&[flag("-t --show-token", Do::Emit(deed(Verb::Read, Aim::Kind("secret"), Flags::NONE)))]),
    program(&[
        "auth login",
        "auth logout",
        "auth refresh",
        "auth setup-git",
        "ssh-key add",
        "ssh-key delete",
        "gpg-key add",
        "gpg-key delete",
    ])
    .does(&[LOGS_IN]),
    program(&["codespace delete"]).does(&[destroys("container")]),
    program(&["issue delete", "project delete", "issue transfer"]).does(&[destroys("repository")]),
    program(&["extension install", "ext install"]).does(&[deed(
        Verb::Install,
        Aim::First("package"),
        Flags::FOREIGN_SOURCE,
    )]),
    program(&["alias set"]).options(&[quiet("-s --shell --clobber")]).refine(alias),
    program(&["api"]).options(API).refine(api),
    program(&["config"]),
];

const GLAB: &[Program] = &[
    program(&["repo delete"]).does(&[REPOSITORY_GONE]),
    program(&["repo archive", "repo transfer"]).does(&[REPOSITORY_CHANGED]),
    program(&["release delete"]).does(&[destroys("release")]),
    program(&["release create", "release upload"]).does(&[deed(
        Verb::Publish,
        Aim::First("release"),
        Flags::NONE,
    )]),
    program(&["variable delete"]).does(&[destroys("secret")]),
    program(&["variable get", "variable export"]).does(&[SHOWS_SECRET]).stdout(Source::Secret),
    program(&["snippet create"]).all(Role::SendFile),
    program(&["auth login", "auth logout", "ssh-key add", "ssh-key delete"]).does(&[LOGS_IN]),
    program(&["ci delete", "ci cancel"]).does(&[restarts("deployment")]),
    program(&["api"]).options(API).refine(api),
    sub(&["config"], &[]),
];

/// `gh api -X DELETE …`, and mutations that delete.
fn api(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let endpoint = super::phrases::shown(parsed, 0);
    let deletes = super::phrases::option(parsed, "-X --method").as_deref() == Some("delete");
    let fields: Vec<String> = parsed.values("-f --raw-field -F --field").map(Value::shown).collect();
    let mutates = endpoint == "graphql"
        && fields.iter().any(|field| field.contains("mutation") && field.contains("delete"));
    let writes =
        matches!(super::phrases::option(parsed, "-X --method").as_deref(), Some("patch" | "post" | "put"));
    if deletes || mutates {
        emit(sink, Verb::Destroy, "repository", endpoint, Flags::IRREVERSIBLE);
    } else if writes && RIGHTS.iter().any(|part| endpoint.contains(part)) {
        emit(sink, Verb::Publish, "repository", endpoint, Flags::METADATA);
    }
    for file in fields.iter().filter_map(|field| field.split_once("=@").map(|(_, file)| file)) {
        let content = sink.read(&Value::literal(file));
        sink.connect(Verb::Send, &Value::literal("api.github.com"), Flags::UPLOAD, content.provenance);
    }
}

/// A new repository that is public and gets what is here.
fn created(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if parsed.has("--public") && parsed.has("-s --source --push") {
        emit(sink, Verb::Publish, "repository", super::phrases::shown(parsed, 0), Flags::METADATA);
    }
}

/// Parts of addresses behind which stands who may do what with a repository, and what is told of it to whom.
const RIGHTS: &[&str] =
    &["/collaborators", "/keys", "/hooks", "/protection", "/secrets", "/transfer", "/invitations"];

/// `gh alias set x '!cmd'`: judged where it is set, as if it ran.
fn alias(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let Some(text) = parsed.word(1) else { return };
    let code = text.strip_prefix('!').or_else(|| parsed.has("-s --shell").then_some(text.as_str()));
    if let Some(code) = code {
        super::kinds::hook(&Value::literal(code), Flags::NONE, sink);
    }
}
