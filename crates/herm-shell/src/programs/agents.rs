//! Agents and their guards: Hermes, herm, and the command lines of other agents.

use std::borrow::Cow;

use super::arguments::Parsed;
use super::phrases::{
    HELP, LOGS_IN, after_dashes, destroys, emit, joined_from, operands_from, option, run, sub, values,
};
use super::schema::{
    Aim, Deed, Do, Operands, Opt, Program, Role, Syntax, deed, flag, program, quiet, value_does,
};
use crate::effect::{Flags, Verb};
use crate::lang::Lang;
use crate::sink::Sink;
use crate::value::Value;

pub(super) static PROGRAMS: &[Program] = &[
    program(&["hermes", "hermes_cli.main", "hermes_cli", "hermes-agent"])
        .options(&[
            flag("--yolo --accept-hooks --dangerously-skip-permissions", Do::Emit(APPROVALS_OFF)),
            HERMES_VALUES,
            HERMES_RESUMED,
            STOPS,
            HERMES_QUIET,
        ])
        .subs(HERMES)
        .refine(told_to_ask_nobody),
    program(&["openclaw", "moltbot", "clawdbot"])
        .options(&[
            flag("--yolo --accept-hooks --dangerously-skip-permissions", Do::Emit(YOLO)),
            HERMES_VALUES,
            HERMES_RESUMED,
            STOPS,
            HERMES_QUIET,
        ])
        .subs(HERMES),
    program(&["hermes-gateway"]).does(&[GATEWAY_STARTED]),
    program(&["herm"])
        .options(&[
            values("--config --home --profile --color"),
            flag("--yolo", Do::Emit(APPROVALS_OFF)),
            STOPS,
        ])
        .subs(HERM),
    program(&["tirith", "cc-safety-net", "nah", "dcg"]).options(&[HELP]).subs(&[sub(
        &["disable", "uninstall", "off", "pause", "trust"],
        &[deed(Verb::Disable, Aim::Kind("guard"), Flags::NONE)],
    )]),
    program(&["claude", "claude-code"])
        .options(&[
            flag("--dangerously-skip-permissions --allow-dangerously-skip-permissions", Do::Emit(YOLO)),
            values("--permission-mode --model --allowedTools --disallowedTools --add-dir"),
            values("--mcp-config --settings"),
            values("--append-system-prompt --system-prompt --output-format --input-format"),
            values("--session-id -r --resume --max-turns"),
            flag("-h --help -v --version", Do::Stop),
        ])
        .subs(&[
            sub(&["config set", "config add", "config remove"], &[CONFIGURED]),
            program(&["mcp add", "mcp add-json"])
                .options(&[values("-s --scope -e --env -t --transport -H --header")])
                .refine(tool_server),
            sub(&["mcp remove"], &[CONFIGURED]),
            sub(&["update", "install", "setup-token", "doctor", "migrate-installer"], &[]),
            sub(&["login", "logout"], &[LOGS_IN]),
        ])
        .refine(permission_mode),
    program(&["codex"])
        .options(&[
            flag("--dangerously-bypass-approvals-and-sandbox --yolo", Do::Emit(YOLO)),
            flag("--dangerously-bypass-hook-trust", Do::Emit(YOLO)),
            values("-c --config -m --model -p --profile -s --sandbox -a --ask-for-approval -C --cd"),
            values("-i --image --oss --local-provider"),
            flag("-h --help -V --version", Do::Stop),
        ])
        .subs(&[
            program(&[
                "sandbox linux",
                "sandbox macos",
                "sandbox landlock",
                "sandbox seatbelt",
                "debug landlock",
                "debug seatbelt",
            ])
            .syntax(Syntax::FirstOperandEnds)
            .options(&[quiet("--full-auto")])
            .operands(Operands::Each(&[Role::Argv])),
            program(&["mcp add"]).options(&[values("--env --url")]).refine(tool_server),
            sub(&["login", "logout"], &[LOGS_IN]),
        ])
        .refine(permission_mode),
    program(&["gemini", "qwen", "crush", "iflow"])
        .options(&[
            flag("-y --yolo", Do::Emit(YOLO)),
            values("--approval-mode -m --model"),
            flag("-h --help --version", Do::Stop),
        ])
        .refine(permission_mode),
    program(&[
        "cline",
        "copilot",
        "cursor-agent",
        "amp",
        "droid",
        "opencode",
        "auggie",
        "kiro-cli",
        "q",
        "aider",
        "kimi",
        "codebuddy",
        "grok",
        "vibe",
        "plandex",
        "roo",
    ])
    .options(&[
        flag("--yolo --dangerously-allow-all --dangerously-skip-permissions", Do::Emit(YOLO)),
        flag("--skip-permissions-unsafe", Do::Emit(YOLO)),
        flag("--allow-all-tools --allow-all --trust-all-tools --auto-approve-everything", Do::Emit(YOLO)),
        value_does("--approval-mode", Do::Nothing),
        flag("-h --help --version", Do::Stop),
        values("-m --model --prompt"),
        quiet("-p --print"),
    ])
    .refine(permission_mode),
];

/// Another agent asks nobody.
const YOLO: Deed = deed(Verb::Disable, Aim::Kind("guard"), Flags::FORCE);
/// herm or Hermes asks nobody.
const APPROVALS_OFF: Deed = deed(Verb::Disable, Aim::Kind("approvals"), Flags::FORCE);
const CONFIGURED: Deed = deed(Verb::Configure, Aim::First("guard"), Flags::NONE);
const APPROVED: Deed = deed(Verb::Account, Aim::Kind("guard"), Flags::NONE);
const SWITCHED_OFF: Deed = deed(Verb::Disable, Aim::Each("guard"), Flags::NONE);
const GATEWAY_STOPPED: Deed = deed(Verb::Service, Aim::Kind("gateway"), Flags::STOP);
const GATEWAY_RESTARTED: Deed = deed(Verb::Service, Aim::Kind("gateway"), Flags::RESTART);
const GATEWAY_STARTED: Deed = deed(Verb::Service, Aim::Kind("gateway"), Flags::START);
const SCHEDULED: Deed = deed(Verb::Persist, Aim::Kind("schedule"), Flags::NONE);

const HERMES_VALUES: Opt =
    values("-p --profile -m --model -q --query -t --toolsets -s --skills --provider -r");
const HERMES_RESUMED: Opt = values("--resume -z --oneshot");
const HERMES_QUIET: Opt = quiet("-c --continue -w --worktree --verbose --quiet");
const STOPS: Opt = flag("-h --help -V --version", Do::Stop);

const HERMES: &[Program] = &[
    program(&["config set", "config unset", "config edit", "config migrate", "config reset"]).refine(setting),
    sub(&["gateway stop", "gateway uninstall", "gateway disable", "daemon stop"], &[GATEWAY_STOPPED]),
    sub(&["gateway restart", "update", "daemon restart"], &[GATEWAY_RESTARTED]),
    program(&["gateway run"]).options(&[quiet("--replace -v")]).does(&[GATEWAY_STARTED]),
    sub(
        &[
            "pairing approve",
            "pairing allow",
            "devices approve",
            "approvals approve",
            "approvals allow",
            "approvals set",
        ],
        &[APPROVED],
    ),
    sub(&["hooks remove", "hooks revoke", "hooks disable", "security disable", "guard off"], &[SWITCHED_OFF]),
    sub(&["approvals off", "yolo"], &[APPROVALS_OFF]),
    sub(
        &[
            "hooks add",
            "hooks allow",
            "hooks install",
            "mcp add",
            "plugins install",
            "plugins enable",
            "skills trust",
        ],
        &[CONFIGURED],
    ),
    sub(&["uninstall", "profile delete", "profile remove"], &[SWITCHED_OFF]),
    sub(&["cron create", "cron add", "cron edit", "cron run", "schedule add"], &[SCHEDULED]),
    sub(&["sessions delete", "sessions prune", "memory clear", "memory reset"], &[destroys("session")]),
    sub(&["login", "logout", "auth add", "auth remove", "auth reset"], &[LOGS_IN]),
    program(&[
        "config",
        "gateway",
        "cron",
        "hooks",
        "pairing",
        "approvals",
        "sessions",
        "profile",
        "kanban",
        "chat",
        "status",
        "doctor",
        "logs",
        "skills",
        "tools",
        "version",
        "memory",
        "auth",
        "mcp",
        "insights",
    ]),
];

const HERM: &[Program] = &[
    sub(
        &[
            "pause",
            "off",
            "disable",
            "uninit",
            "stop",
            "daemon stop",
            "serve stop",
            "rules disable",
            "observe on",
        ],
        &[SWITCHED_OFF],
    ),
    sub(&["yolo"], &[APPROVALS_OFF]),
    // A question that is open is a person's to answer.
    sub(
        &["approvals approve", "approvals answer", "approvals allow", "approve", "allow"],
        &[deed(Verb::Account, Aim::Kind("guard"), Flags::FORCE)],
    ),
    sub(
        &[
            "grants add",
            "grants allow",
            "hooks allow",
            "trust",
            "pairing approve",
            // Whoever starts it is the client that its questions go to.
            "mcp serve",
            // What a server says next is taken as it is, then.
            "mcp pins forget",
            // Only agents call it, about what their tools do: it hands out tickets, and is told that a person has spoken.
            "hook",
        ],
        &[APPROVED],
    ),
    // The same, and a program is started by it.
    program(&["acp", "mcp wrap"])
        .options(&[
            values("--ask --config --cwd --env --header --herm-home --home --listen --name --preset --url"),
            quiet("--allow-unasked --sandbox"),
            HELP,
        ])
        .does(&[APPROVED])
        .refine(nested),
    program(&["config set"]).does(&[CONFIGURED]).refine(own_setting),
    sub(
        &["config unset", "config edit", "init", "profile use", "grants import", "hooks deny", "import"],
        &[CONFIGURED],
    ),
    sub(&["gateway stop"], &[GATEWAY_STOPPED]),
    sub(&["gateway restart"], &[GATEWAY_RESTARTED]),
    sub(&["gateway run"], &[GATEWAY_STARTED]),
    program(&["run", "try"])
        .options(&[
            values(
                "--backend --config --cwd --home --language --preset --profile --session --skill --timeout",
            ),
            values("--herm-home"),
            // It stands for a yes that was given to a hook, which alone hands it out.
            value_does("--ticket", Do::Emit(APPROVED)),
            quiet("--captured --interactive --json --stdin"),
            flag("--yolo", Do::Emit(APPROVALS_OFF)),
            HELP,
        ])
        .refine(nested),
    program(&["shell"])
        .options(&[
            values("--backend --config --cwd --home --preset --session --skill --timeout"),
            quiet("--json"),
            flag("--yolo", Do::Emit(APPROVALS_OFF)),
            HELP,
        ])
        .stdin(Role::Code(Lang::Shell))
        .refine(nested),
    program(&[
        "check",
        "explain",
        "rules",
        "scan",
        "redact",
        "url",
        "audit",
        "doctor",
        "grants",
        "approvals",
        "config",
        "hooks",
        "mcp pins",
        "observe",
        "replay",
        "undo",
        "fence",
        "version",
    ]),
];

/// Settings that decide what an agent may do.
const GUARDED: &[&str] = &[
    "approvals",
    "command_allowlist",
    "security",
    "hooks",
    "file_safety",
    "sandbox",
    "terminal.backend",
    "terminal.container_",
    "yolo",
    "gateway.allow",
    "website",
    "fence",
];

/// `hermes config set KEY VALUE`: some settings are the guard.
fn setting(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let key = parsed.word(0).unwrap_or_default();
    if parsed.word(1).is_some_and(|value| asks_nobody(&key, &value)) {
        return emit(sink, Verb::Disable, "approvals", key, Flags::FORCE);
    }
    let guarded = key.is_empty() || GUARDED.iter().any(|start| key.starts_with(start));
    let verb = if guarded { Verb::Disable } else { Verb::Configure };
    emit(sink, verb, "guard", key, Flags::NONE);
}

/// `herm config set KEY VALUE`.
fn own_setting(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let (key, value) = (parsed.word(0).unwrap_or_default(), parsed.word(1).unwrap_or_default());
    if asks_nobody(&key, &value) {
        emit(sink, Verb::Disable, "approvals", key, Flags::FORCE);
    }
}

/// Whether a setting with this value ends all questions.
fn asks_nobody(key: &str, value: &str) -> bool {
    let is = |wanted: &[&str]| wanted.iter().any(|word| value.eq_ignore_ascii_case(word));
    match key {
        "approvals.mode" => is(&["false", "off", "yolo"]),
        "approvals.preset" | "preset" => is(&["permissive"]),
        "yolo" => is(&["1", "on", "true", "yes"]),
        _ => false,
    }
}

/// `hermes -q /yolo`, `echo /yolo | hermes`: a line that is meant for the agent and not for its model.
fn told_to_ask_nobody(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let said = parsed.values("-q --query -z --oneshot").cloned().chain([sink.stdin()]);
    let is_switch = |line: &str| line.split_whitespace().next() == Some("/yolo");
    if said.filter_map(|text| text.known().map(Cow::into_owned)).any(|text| text.lines().any(is_switch)) {
        emit(sink, Verb::Disable, "approvals", "/yolo", Flags::FORCE);
    }
}

/// `herm run SCRIPT`, `herm run -- PROGRAM…`. It is judged here as well: the herm inside may have been given another
/// configuration, or another home.
fn nested(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if parsed.stopped {
        return;
    }
    other_configuration(parsed, sink);
    if let Some(command) = after_dashes(parsed) {
        return run(sink, &command);
    }
    let lang = match option(parsed, "--language").as_deref() {
        Some("python") => Lang::Python,
        Some(_) | None => Lang::Shell,
    };
    if !parsed.operands.is_empty() {
        let output = sink.code(lang, &joined_from(parsed, 0));
        sink.print(output);
    }
}

/// `HERM_HOME=/tmp/x herm run …`, `herm run --config x …`: what holds inside is what the command chose, and that may be
/// nothing. Which file will be there by then cannot be known.
fn other_configuration(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    for name in ["HERM_HOME", "HERMES_HOME", "HOME"] {
        if sink.changes_variable(name) {
            emit(sink, Verb::Disable, "approvals", name, Flags::FORCE);
        }
    }
    let strict = |text: &Value| text.known().as_deref() == Some("strict");
    for (name, loosens) in [
        ("--config", parsed.value("--config").is_some()),
        ("--home", parsed.value("--home").is_some()),
        ("--preset", parsed.value("--preset").is_some_and(|preset| !strict(preset))),
    ] {
        if loosens {
            emit(sink, Verb::Disable, "approvals", name, Flags::FORCE);
        }
    }
}

/// Modes in which an agent asks nobody.
fn permission_mode(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let is = |names: &'static str, wanted: &[&str]| {
        parsed
            .values(names)
            .filter_map(Value::known)
            .any(|text| wanted.contains(&text.to_ascii_lowercase().as_str()))
    };
    let asks_nobody = is("--permission-mode", &["bypasspermissions"])
        || is("--approval-mode", &["yolo"])
        || is("-s --sandbox", &["danger-full-access"])
        || is(
            "-c --config",
            &[
                "approval_policy=never",
                "approval_policy=\"never\"",
                "sandbox_mode=danger-full-access",
                "sandbox_mode=\"danger-full-access\"",
            ],
        );
    if asks_nobody {
        emit(sink, Verb::Disable, "guard", parsed.program, Flags::FORCE);
    }
}

/// `claude mcp add NAME -- COMMAND…`: the agent will start it from now on.
fn tool_server(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    emit(sink, Verb::Configure, "guard", super::phrases::shown(parsed, 0), Flags::NONE);
    run(sink, &after_dashes(parsed).unwrap_or_else(|| operands_from(parsed, 1)));
}
