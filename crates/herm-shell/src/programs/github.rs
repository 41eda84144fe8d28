//! Clients of code hosts: GitHub, GitLab.

use super::arguments::Parsed;
use super::phrases::{HELP, LOGS_IN, SHOWS_SECRET, destroys, emit, publishes, restarts, sub, values};
use super::schema::{Aim, Deed, Do, Opt, Program, Role, Source, deed, flag, program, quiet, value};
use super::{forge_api, verbs};
use crate::effect::{Flags, Verb};
use crate::lang::Lang;
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
        program(&["api"]).options(API).refine(forge_api::api),
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
    // Whatever protects the branch is passed by.
    program(&["pr merge"]).options(&[
        flag("--admin", Do::Emit(deed(Verb::Publish, Aim::First("review"), Flags::FORCE))),
        value("-F --body-file", Role::SendFile),
        values("-A --author-email -b --body --match-head-commit -t --subject"),
        quiet("--auto -d --delete-branch --disable-auto -m --merge -r --rebase -s --squash"),
    ]),
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
    program(&["api"]).options(API).refine(forge_api::api),
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
    program(&["api"]).options(API).refine(forge_api::api),
    sub(&["config"], &[]),
];

/// A new repository that is public and gets what is here.
fn created(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if parsed.has("--public") && parsed.has("-s --source --push") {
        emit(sink, Verb::Publish, "repository", super::phrases::shown(parsed, 0), Flags::METADATA);
    }
}

/// `gh alias set x '!cmd'`, `gh alias set x 'repo delete'`: judged where it is set, as if it ran.
fn alias(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let Some(meaning) = parsed.operand(1) else { return };
    if let Some(code) = super::kinds::strip_prefix(meaning, "!") {
        super::kinds::hook(&code, Flags::NONE, sink);
    } else if parsed.has("-s --shell") {
        super::kinds::hook(meaning, Flags::NONE, sink);
    } else {
        let mut line = Value::literal("gh ");
        line.push(meaning);
        sink.hooked_code(Lang::Shell, &line);
    }
}
