//! git and other version control: what loses work, rewrites history, publishes, or runs code that a setting names.

mod alias;
mod config;
mod fetch;
mod others;
mod paths;
mod push;
mod record;
mod references;
mod repository;
mod worktree;

pub(super) use push::is_protected;

use super::arguments::Parsed;
use super::listings::found_here;
use super::phrases::{DRY_RUN, HELP, destroys, destroys_all, emit, joined_from, option, sub, values};
use super::schema::{
    Aim, Deed, Do, Operands, Opt, Program, Role, Source, Syntax, attached, deed, flag, program, quiet, value,
};
use crate::effect::{Flags, Verb};
use crate::lang::Lang;
use crate::sink::Sink;

pub(super) static PROGRAMS: &[Program] = &[
    program(&["git"]).options(OPTIONS).subs(SUBS).env(ENV).refine(git),
    program(&["git-filter-repo"]).options(FILTER_REPO).does(REWRITES).operands(Operands::None),
    program(&["bfg"]).options(&[HELP, values("-b -B -D -fi -fe -rt")]).does(REWRITES),
    others::HG,
    others::SVN,
    others::JJ,
];

/// What the command line, and then the repository, says runs.
fn git(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let settings = config::given_for_one_command(parsed, sink);
    alias::called(parsed, &settings, sink);
    record::words(parsed, sink);
    repository::own_code(parsed, sink);
}

const SHELL: Role = Role::Code(Lang::Shell);
const EVERYTHING: Flags = Flags::IRREVERSIBLE.and(Flags::ALL);
const LOSES_CHANGES: Deed = deed(Verb::Discard, Aim::Kind("work tree"), EVERYTHING);
const REWRITES: &[Deed] = &[deed(Verb::Rewrite, Aim::Kind("history"), Flags::IRREVERSIBLE)];

const OPTIONS: &[Opt] = &[
    value("-C", Role::Directory),
    // Read by the refinement: the key decides what the value is.
    values("-c"),
    values("--git-dir --work-tree --namespace --super-prefix --config-env --attr-source"),
    values("--list-cmds"),
    attached("--exec-path", Do::Is(Role::Library)),
    quiet("-p -P --paginate --no-pager --bare --no-replace-objects --literal-pathspecs"),
    quiet("--glob-pathspecs"),
    quiet("--noglob-pathspecs --icase-pathspecs --no-optional-locks --no-lazy-fetch"),
    quiet("--no-advice"),
    flag("--version --help --html-path --man-path --info-path", Do::Stop),
];

const ENV: &[(&str, Role)] = &[
    ("GIT_SSH_COMMAND", SHELL),
    ("GIT_SSH", Role::Program),
    ("GIT_PAGER", SHELL),
    ("PAGER", SHELL),
    ("GIT_EDITOR", SHELL),
    ("VISUAL", SHELL),
    ("EDITOR", SHELL),
    ("GIT_SEQUENCE_EDITOR", SHELL),
    ("GIT_EXTERNAL_DIFF", SHELL),
    ("GIT_PROXY_COMMAND", SHELL),
    ("GIT_ASKPASS", Role::Program),
    ("SSH_ASKPASS", Role::Program),
    ("GIT_EXEC_PATH", Role::Library),
    ("GIT_TEMPLATE_DIR", Role::Library),
];

const SUBS: &[Program] = &[
    // What loses work that no commit holds.
    program(&["reset"]).options(&[
        flag("--hard --merge", Do::Emit(LOSES_CHANGES)),
        quiet("-q --quiet --soft --mixed --keep -p --patch -N --intent-to-add"),
        quiet("--recurse-submodules"),
        values("--pathspec-from-file"),
    ]),
    program(&["checkout"]).options(CHECKOUT).refine(paths::checkout),
    program(&["checkout-index"]).options(&[flag("-f --force", Do::Emit(LOSES_CHANGES))]),
    program(&["read-tree"]).options(&[flag("--reset", Do::Emit(LOSES_CHANGES))]),
    program(&["restore"]).options(RESTORE).refine(paths::restore),
    program(&["switch"]).options(&[
        flag("-f --force --discard-changes", Do::Emit(LOSES_CHANGES)),
        values("-c --create -C --force-create --orphan --conflict"),
        attached("--track --recurse-submodules", Do::Nothing),
        quiet("-t"),
        quiet("-d --detach -m --merge -q --quiet --guess --no-guess --ignore-other-worktrees"),
    ]),
    program(&["clean"]).options(&[
        flag("-n --dry-run", Do::Stop),
        flag("-f --force", Do::Emit(deed(Verb::Destroy, Aim::Kind("untracked files"), Flags::IRREVERSIBLE))),
        flag("-d", Do::Set(Flags::RECURSIVE)),
        flag("-x -X", Do::Set(Flags::ALL)),
        values("-e --exclude"),
        quiet("-q --quiet -i --interactive"),
    ]).refine(worktree::clean),
    program(&["rm"])
        .options(&[
            DRY_RUN,
            flag("-n", Do::Stop),
            quiet("-r -f --force --cached -q --quiet --ignore-unmatch --sparse"),
            values("--pathspec-from-file"),
        ])
        .refine(paths::remove),
    program(&["stash"]).options(STASH).refine(record::stash).subs(&[
        sub(&["drop"], &[destroys("stash")]),
        sub(&["clear"], &[destroys_all("stash")]),
        program(&["push", "save"]),
        program(&["apply", "branch", "create", "list", "pop", "show", "store"]),
    ]),
    program(&["notes"]).subs(&[program(&["add", "append", "edit"]).options(NOTES).refine(record::message_file)]),
    program(&["commit-tree"]).options(NOTES).refine(record::message_file),
    program(&["worktree"]).subs(&[
        program(&["add"])
            .options(&[
                values("-b -B --reason"),
                quiet("-f --force -d --detach --checkout --no-checkout --lock -q --quiet --orphan --guess-remote"),
            ])
            .refine(worktree::add),
        program(&["remove"]).options(&[quiet("-f --force")]).refine(worktree::remove),
    ]),
    program(&["submodule"]).subs(&[
        program(&["foreach"])
            .syntax(Syntax::FirstOperandEnds)
            .options(&[quiet("--recursive -q --quiet")])
            .refine(|parsed, sink| {
                super::kinds::hook(&joined_from(parsed, 0), Flags::NONE, sink);
            }),
        program(&["deinit"]).options(&[
            flag("-f --force", Do::Emit(deed(Verb::Discard, Aim::Each("work tree"), Flags::FORCE))),
            quiet("--all"),
        ]),
    ]),
    program(&["apply"])
        .options(&[
            flag("--check --stat --numstat --summary -h --help", Do::Stop),
            values("--directory --exclude --include -p -C --whitespace --build-fake-ancestor"),
            quiet("--unsafe-paths -R --reverse --reject -3 --3way --index --cached -v"),
        ])
        .refine(paths::apply),
    // What loses or rewrites history.
    program(&["branch"]).options(BRANCH).refine(delete_branch),
    program(&["tag"]).options(&[
        flag("-d --delete", Do::Emit(destroys("tag"))),
        value("-F --file", Role::Read),
        values("-m --message -u --local-user --sort --format --cleanup --points-at"),
        values("--contains --merged"),
        values("--no-contains --no-merged --trailer"),
        attached("-n --column --color", Do::Nothing),
        quiet("-a --annotate -s --sign -l --list -f --force -v --verify -i --ignore-case"),
    ])
    .refine(record::message_file),
    program(&["reflog"]).subs(&[
        program(&["expire"])
            .options(&[
                flag("-n --dry-run", Do::Stop),
                quiet("--all --rewrite --updateref --stale-fix --verbose"),
                values("--expire --expire-unreachable"),
            ])
            .does(&[destroys_all("reflog")]),
        program(&["delete"]).options(&[flag("-n --dry-run", Do::Stop)]).does(&[destroys("reflog")]),
    ]),
    program(&["gc"])
        .options(&[attached("--prune", Do::Nothing), quiet("--aggressive --auto -q --quiet --force")])
        .refine(collect_garbage),
    program(&["prune"])
        .options(&[flag("-n --dry-run", Do::Stop), quiet("-v --verbose --progress"), values("--expire")])
        .does(&[deed(Verb::Destroy, Aim::Kind("history"), Flags::IRREVERSIBLE)]),
    program(&["filter-branch"]).options(FILTER_BRANCH).does(REWRITES),
    program(&["filter-repo"]).options(FILTER_REPO).does(REWRITES),
    program(&["rebase"]).options(&[
        value("-x --exec", SHELL),
        flag("--root", Do::Emit(deed(Verb::Rewrite, Aim::Kind("history"), Flags::ALL))),
        values("--onto -s --strategy -X --strategy-option --whitespace -C --empty"),
        attached("-S --gpg-sign -r --rebase-merges --autosquash", Do::Nothing),
        quiet("-i --interactive -q --quiet -v --verbose --abort --continue --skip --quit"),
        quiet("--autostash --no-autostash"),
    ]),
    program(&["update-ref"]).options(&[
        flag("-d --delete", Do::Emit(deed(Verb::Destroy, Aim::First("branch"), Flags::FORCE))),
        values("-m"),
        quiet("--stdin -z --no-deref --create-reflog"),
    ])
    .refine(references::update),
    program(&["replace"]).options(&[flag("-d --delete -l --list", Do::Stop)]),
    // What reaches out.
    program(&["push"]).options(PUSH).refine(push::push),
    program(&["send-pack"]).options(&[value("--receive-pack --exec", SHELL)]).refine(push::push),
    program(&["clone"]).options(CLONE).refine(push::clone),
    program(&["fetch", "pull"]).options(FETCH).refine(fetch::fetch),
    program(&["ls-remote", "fetch-pack"])
        .options(&[
            value("--upload-pack --exec", SHELL),
            values("-o --server-option --sort --depth"),
            quiet("-h --heads -b --branches -t --tags --refs -q --quiet --exit-code --get-url"),
            quiet("--symref --all"),
        ])
        .refine(push::reach),
    program(&["remote"]).options(&[quiet("-v --verbose")]).subs(&[
        program(&["add"])
            .options(&[values("-t -m"), attached("--mirror", Do::Nothing), quiet("-f --tags --no-tags")])
            .refine(push::reach),
        program(&["set-url"]).options(&[quiet("--push --add --delete")]).refine(push::reach),
    ]),
    program(&["archive"]).options(&[
        value("--exec", SHELL),
        value("-o --output", Role::Write),
        values("--format --prefix --remote --add-file --add-virtual-file --mtime"),
    ]),
    program(&["request-pull", "daemon"]).options(&[values("--port --listen --base-path --user --group")]),
    program(&["instaweb"])
        .options(&[value("-d --httpd", SHELL), value("-b --browser", Role::Program), values("-p --port")])
        .does(&[deed(Verb::Listen, Aim::None, Flags::NONE)]),
    program(&["send-email"])
        .options(&[
            value("--sendmail-cmd --to-cmd --cc-cmd --header-cmd --batch-command", SHELL),
            values("--to --cc --bcc --from --subject --smtp-server --smtp-user --smtp-pass"),
            values("--in-reply-to --identity"),
            DRY_RUN,
        ])
        .does(&[deed(Verb::Send, Aim::Kind("message"), Flags::NONE)])
        .refine(config::mail_program),
    // What shows a stored password.
    program(&["credential"]).subs(&[sub(&["fill"], &[super::phrases::SHOWS_SECRET]).stdout(Source::Secret)]),
    program(&["credential-store", "credential-cache"]).subs(&[sub(
        &["get"],
        &[super::phrases::SHOWS_SECRET],
    )
    .stdout(Source::Secret)]),
    // What runs a command that it is given.
    program(&["bisect"])
        .subs(&[program(&["run"]).syntax(Syntax::FirstOperandEnds).operands(Operands::Each(&[Role::Argv]))]),
    program(&["grep"])
        .options(&[
            attached("-O --open-files-in-pager", Do::Is(SHELL)),
            values("-e -f -A -B -C -m --max-count --max-depth --threads"),
            quiet("-l -L --files-with-matches --name-only --files-without-match"),
        ])
        .refine(names_files),
    program(&["ls-files"])
        .options(&[values("-x --exclude -X --exclude-from --exclude-per-directory --with-tree --format")])
        .refine(|_, sink| sink.print(found_here())),
    program(&["rev-parse"]).options(&[quiet("--show-toplevel")]).refine(repository::top),
    program(&["difftool"]).options(&[
        value("-x --extcmd", SHELL),
        values("-t --tool"),
        quiet("-y --no-prompt -d --dir-diff"),
    ]),
    program(&["config"]).options(CONFIG).refine(config::stored),
    program(&["init"]).options(&[
        value("--template", Role::Library),
        values("-b --initial-branch --separate-git-dir --object-format"),
        attached("--shared", Do::Nothing),
    ]),
    // What reads or writes files of this machine.
    program(&["diff"]).options(DIFF).all(Role::Read).refine(names_files),
    program(&[
        "log",
        "show",
        "whatchanged",
        "format-patch",
        "diff-tree",
        "diff-index",
        "diff-files",
        "range-diff",
    ])
    .options(DIFF),
    program(&["bundle"]).subs(&[program(&["create"]).operands(Operands::Each(&[Role::Write, Role::Inert]))]),
    program(&["commit"]).options(COMMIT).refine(|parsed, sink| {
        paths::stage(parsed, sink);
        record::message_file(parsed, sink);
    }),
    program(&["add", "stage"])
        .options(&[
            flag("-n --dry-run", Do::Stop),
            attached("--chmod", Do::Nothing),
            values("--pathspec-from-file"),
            quiet("-v --verbose -f --force -i --interactive -p --patch -e --edit -u --update -A --all --no-all -N"),
            quiet("--ignore-removal --no-ignore-removal --intent-to-add --refresh --ignore-errors --ignore-missing"),
            quiet("--sparse --renormalize --no-warn-embedded-repo --pathspec-file-nul"),
        ])
        .refine(paths::stage),
    program(&["update-index"])
        .options(&[
            quiet("--add --force --remove --replace --refresh --really-refresh -q --ignore-submodules --unmerged"),
            quiet("--ignore-missing --assume-unchanged --no-assume-unchanged --skip-worktree --no-skip-worktree"),
            quiet("--force-remove --verbose --again -g --stdin -z"),
            values("--cacheinfo --chmod --index-version"),
        ])
        .refine(|parsed, sink| {
            if parsed.has("--add") {
                paths::stage(parsed, sink);
            }
        }),
    program(&["hash-object"]).options(&[values("-t --path"), quiet("-w --stdin --stdin-paths --no-filters --literally")]).all(Role::Read).refine(
        |parsed, sink| {
            if parsed.has("-w") {
                paths::stage(parsed, sink);
            }
        },
    ),
];

/// With these, only names of files of the work tree are printed.
fn names_files(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if parsed.has("-l -L --files-with-matches --name-only --files-without-match") {
        sink.print(found_here());
    }
}

const CHECKOUT: &[Opt] = &[
    values("-b -B --orphan --conflict --pathspec-from-file -U --unified"),
    values("--inter-hunk-context"),
    attached("--track --recurse-submodules", Do::Nothing),
    quiet("-t -f --force -q --quiet -m --merge -d --detach -l --ours --theirs -p --patch"),
    quiet("--guess --no-guess --progress"),
    quiet("--overlay --no-overlay --ignore-skip-worktree-bits --ignore-other-worktrees"),
    quiet("--overwrite-ignore"),
    quiet("--no-recurse-submodules --pathspec-file-nul --no-track"),
];

const RESTORE: &[Opt] = &[
    values("-s --source --conflict --pathspec-from-file -U --unified --inter-hunk-context"),
    quiet("-S --staged -W --worktree -p --patch -q --quiet --progress --ours --theirs -m"),
    quiet("--merge --overlay"),
];

const BRANCH: &[Opt] = &[
    flag("-D", Do::Emit(deed(Verb::Destroy, Aim::Each("branch"), Flags::FORCE))),
    quiet("-d --delete -f --force -m --move -M -c --copy -C -l --list -r --remotes -a"),
    quiet("--all -v --verbose -q --quiet"),
    quiet("--show-current --edit-description --unset-upstream -i --ignore-case --no-track"),
    quiet("--create-reflog"),
    values("-u --set-upstream-to --sort --format --contains --no-contains --merged"),
    values("--no-merged --points-at"),
    attached("-t --track --column --color --abbrev", Do::Nothing),
];

const PUSH: &[Opt] = &[
    flag("-n --dry-run", Do::Stop),
    value("--receive-pack --exec", SHELL),
    values("--repo -o --push-option --recurse-submodules"),
    attached("--force-with-lease --signed", Do::Nothing),
    quiet("-f --force -d --delete --mirror --all --branches --prune --tags --follow-tags"),
    quiet("-u --set-upstream -q --quiet"),
    quiet("-v --verbose --porcelain --progress --verify --no-verify --atomic --thin"),
    quiet("--no-thin --force-if-includes -4 -6"),
];

const CLONE: &[Opt] = &[
    value("-u --upload-pack", SHELL),
    value("--template", Role::Library),
    values("-c --config"),
    values("-o --origin -b --branch --depth --reference --reference-if-able"),
    values("--separate-git-dir -j --jobs --filter"),
    values("--shallow-since --shallow-exclude --server-option --bundle-uri --revision"),
    values("--ref-format"),
    attached("--recurse-submodules --recursive", Do::Nothing),
    quiet("-l --local --no-hardlinks -s --shared -q --quiet -v --verbose -n --no-checkout"),
    quiet("--bare --mirror --no-tags"),
    quiet("--single-branch --no-single-branch --progress --sparse --dissociate"),
];

const FETCH: &[Opt] = &[
    value("--upload-pack", SHELL),
    values("--depth --deepen --shallow-since --shallow-exclude -j --jobs --refmap -o"),
    values("--server-option --filter"),
    values("-s --strategy -X --strategy-option --negotiation-tip"),
    attached("--recurse-submodules -r --rebase -S --gpg-sign", Do::Nothing),
    quiet("-a --append --all -f --force -k --keep -p --prune -P --prune-tags -t --tags -n"),
    quiet("--no-tags --unshallow -v -q -u --update-head-ok"),
];

const FILTER_BRANCH: &[Opt] = &[
    value(
        "--setup --env-filter --tree-filter --index-filter --parent-filter --msg-filter --commit-filter",
        SHELL,
    ),
    value("--tag-name-filter", SHELL),
    values("--subdirectory-filter --original -d --state-branch"),
    quiet("-f --force --prune-empty"),
];

const FILTER_REPO: &[Opt] = &[
    flag("--analyze --dry-run --version -h --help", Do::Stop),
    value(
        "--commit-callback --blob-callback --filename-callback --message-callback",
        Role::Code(Lang::Python),
    ),
    value("--name-callback --email-callback --refname-callback --tag-callback", Role::Code(Lang::Python)),
    values("--path --path-glob --path-regex --path-rename --subdirectory-filter"),
    values("--to-subdirectory-filter"),
    values("--replace-text --mailmap --strip-blobs-bigger-than --paths-from-file --source"),
    values("--target --refs"),
    quiet("--force -f --invert-paths --partial"),
];

const STASH: &[Opt] = &[
    values("-m --message --pathspec-from-file"),
    quiet("-p --patch -S --staged -k --keep-index --no-keep-index -q --quiet -u --include-untracked"),
    quiet("--no-include-untracked -a --all --index --only-untracked --pathspec-file-nul"),
];

const NOTES: &[Opt] = &[
    value("-F --file", Role::Read),
    values("-m --message -C --reuse-message -c --reedit-message -p --separator --ref"),
    quiet("-f --force --allow-empty --stripspace --no-stripspace -e --edit"),
];

const CONFIG: &[Opt] = &[
    values("-f --file --blob --type --default --comment --value"),
    quiet("--global --system --local --worktree --add --replace-all --unset --unset-all"),
    quiet("--get --get-all --get-regexp"),
    quiet("--get-urlmatch -l --list -e --edit --rename-section --remove-section"),
    quiet("--show-origin --show-scope -z --null"),
    quiet("--name-only --bool --int --path --includes --no-includes --all --fixed-value"),
];

const DIFF: &[Opt] = &[
    value("--output", Role::Write),
    values("-O --order-file -S -G -U --unified -l --since --until --after --before"),
    values("--author --committer --grep"),
    values("--format -n --max-count --skip -L --diff-filter -o --output-directory"),
    values("--inter-hunk-context"),
];

const COMMIT: &[Opt] = &[
    value("-F --file -t --template", Role::Read),
    values("-m --message -C --reuse-message -c --reedit-message --fixup --squash --author"),
    values("--date --trailer --cleanup"),
    values("--pathspec-from-file"),
    attached("-S --gpg-sign -u --untracked-files", Do::Nothing),
    quiet("-a --all -p --patch --reset-author --short --branch --porcelain --long -z"),
    quiet("--null -s --signoff -n --no-verify"),
    quiet("--allow-empty --allow-empty-message -e --edit --no-edit --amend -i --include"),
    quiet("-o --only -q --quiet -v --verbose"),
];

/// `git branch --delete --force` in either order; `-D` alone is in the table.
fn delete_branch(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if !(parsed.has("-d --delete") && parsed.has("-f --force")) {
        return;
    }
    for name in parsed.words() {
        emit(sink, Verb::Destroy, "branch", name, Flags::FORCE);
    }
}

/// Garbage that is collected at once leaves no two weeks to find a lost commit again.
fn collect_garbage(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if option(parsed, "--prune").is_some_and(|when| when == "now" || when == "all") {
        emit(sink, Verb::Destroy, "history", "", Flags::IRREVERSIBLE);
    }
}
