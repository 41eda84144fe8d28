//! Mercurial, Subversion and Jujutsu.

use crate::effect::{Flags, Verb};
use crate::lang::Lang;
use crate::programs::arguments::Parsed;
use crate::programs::kinds::hook;
use crate::programs::phrases::{DRY_RUN, HELP, destroys, emit, sub, values};
use crate::programs::schema::{Aim, Deed, Do, Program, Role, Syntax, deed, flag, program, quiet, value};
use crate::sink::Sink;
use crate::value::Value;

const LOSES_CHANGES: Deed = deed(Verb::Discard, Aim::Each("work tree"), Flags::NONE);
const LOSES_ALL: Deed = deed(Verb::Discard, Aim::Kind("work tree"), Flags::ALL);
const REWRITES: Deed = deed(Verb::Rewrite, Aim::Kind("history"), Flags::IRREVERSIBLE);

pub(super) const HG: Program = program(&["hg"])
    .shortened()
    .options(&[
        value("-R --repository --cwd", Role::Directory),
        values("--config --encoding --pager --color"),
        DRY_RUN,
    ])
    .env(&[("HGEDITOR", Role::Code(Lang::Shell)), ("PAGER", Role::Code(Lang::Shell))])
    .refine(mercurial_settings)
    .subs(&[
        program(&["update", "up", "checkout", "co"])
            .options(&[flag("-C --clean", Do::Emit(LOSES_ALL)), values("-r --rev")]),
        sub(&["revert"], &[LOSES_CHANGES])
            .options(&[values("-r --rev"), flag("-a --all", Do::Set(Flags::ALL))]),
        sub(&["purge", "clean"], &[destroys("untracked files")]).options(&[flag("-p --print", Do::Stop)]),
        sub(&["strip", "rollback", "histedit"], &[REWRITES]),
        program(&["push"]).options(&[
            flag("-f --force", Do::Emit(deed(Verb::Rewrite, Aim::Kind("remote branch"), Flags::FORCE))),
            values("-r --rev -b --branch -e --ssh"),
        ]),
        program(&[
            "annotate", "blame", "bisect", "bookmark", "branch", "branches", "cat", "config", "diff", "files",
        ]),
        program(&[
            "grep", "heads", "help", "history", "identify", "id", "init", "log", "manifest", "merge", "move",
        ]),
        program(&[
            "mv", "outgoing", "out", "parents", "paths", "phase", "recover", "resolve", "root", "serve",
        ]),
        program(&[
            "shelve", "status", "st", "summary", "sum", "tag", "tags", "tip", "unshelve", "verify", "version",
        ]),
        program(&["add", "addremove", "commit", "ci"])
            .options(&[
                DRY_RUN,
                values(
                    "-I --include -X --exclude -m --message -l --logfile -d --date -u --user -s --similarity",
                ),
            ])
            .refine(super::paths::stage),
        program(&["clone", "pull", "incoming"])
            .options(&[value("-e --ssh --remotecmd", Role::Code(Lang::Shell)), values("-r --rev")]),
    ]);

pub(super) const SVN: Program = program(&["svn"])
    .options(&[HELP, values("--username --password --config-dir --config-option -r --revision -m --message")])
    .subs(&[
        sub(&["revert"], &[LOSES_CHANGES]).options(&[flag("-R --recursive", Do::Set(Flags::RECURSIVE))]),
        program(&["cleanup"])
            .options(&[flag("--remove-unversioned --remove-ignored", Do::Emit(destroys("untracked files")))]),
        program(&["add", "import"])
            .options(&[
                values("--targets --depth"),
                quiet("-q --quiet -N --force --no-ignore --auto-props --parents"),
            ])
            .refine(super::paths::stage),
        program(&["diff"]).options(&[value("--diff-cmd", Role::Program)]),
        program(&["commit", "ci", "update", "up"])
            .options(&[value("--editor-cmd --diff3-cmd", Role::Code(Lang::Shell))]),
    ]);

pub(super) const JJ: Program = program(&["jj"])
    .options(&[HELP, value("-R --repository", Role::Directory), values("--config --at-op --color")])
    .subs(&[
        sub(&["op abandon", "operation abandon"], &[destroys("history")]),
        program(&["file track"]).refine(super::paths::stage),
        program(&["commit", "ci", "split", "squash"])
            .options(&[
                values("-m --message -r --revision --from --into -t --to --author --tool"),
                quiet("-i --interactive"),
            ])
            .refine(super::paths::stage),
        program(&["util exec"]).syntax(Syntax::FirstOperandEnds).all(Role::Argv),
        program(&["git push"]).options(&[
            DRY_RUN,
            flag("--deleted", Do::Emit(deed(Verb::Destroy, Aim::Kind("remote branch"), Flags::ALL))),
            flag("--all", Do::Emit(deed(Verb::Publish, Aim::Kind("remote branch"), Flags::ALL))),
            values("--remote -b --bookmark -c --change -r --revisions"),
        ]),
    ]);

/// `hg --config alias.x='!cmd' x`, `--config hooks.pre-log=cmd`.
fn mercurial_settings(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let settings: Vec<String> =
        parsed.values("--config").filter_map(Value::known).map(std::borrow::Cow::into_owned).collect();
    for (key, value) in settings.iter().filter_map(|setting| setting.split_once('=')) {
        if let Some(code) = mercurial_code(key, value) {
            hook(&Value::literal(code), Flags::NONE, sink);
        } else if key.starts_with("extensions.") && value.contains('/') {
            sink.path(Verb::Execute, &Value::literal(value), Flags::HOOK);
        } else if key.starts_with("hooks.") {
            emit(sink, Verb::Persist, "hook", key, Flags::HOOK);
        }
    }
}

fn mercurial_code<'a>(key: &str, value: &'a str) -> Option<&'a str> {
    match key.split_once('.')?.0 {
        "alias" => value.strip_prefix('!'),
        "hooks" => (!value.starts_with("python:")).then_some(value),
        "ui" | "pager" | "merge-tools" => {
            matches!(key, "ui.editor" | "ui.ssh" | "pager.pager").then_some(value)
        }
        _ => None,
    }
}
