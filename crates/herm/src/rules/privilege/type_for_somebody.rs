//! Typing in place of a person.

use herm_shell::{Effect, Flags, Places, Verb};

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::rule::{Layer, Report, Rule};
use crate::rules::subject::{paths, things};

/// Putting keys into a terminal or a window that is not the text's own.
pub static TYPE_FOR_SOMEBODY: Rule = Rule {
    name: "type-for-somebody",
    title: "type into another terminal or window",
    layer: Layer::Command,
    stance: Stance::Ask,
    finds: "Keys that are put into a pane, a terminal or a window which neither the same text has opened nor, as its receipts show, an earlier command of the session; and writing to another's terminal.",
    matters: "A person may be asked something there: what is typed answers in their place, and nobody has judged what runs.",
    instead: "Open a session of its own in the same command, and type there.",
    suggestion: "tmux new-session -d -s work \\; send-keys -t work 'npm test' Enter",
    examples: &[
        "tmux send-keys -t 0 o Enter",
        "tmux send-keys -t work once Enter",
        "tmux send-keys -t 0 'npm test' Enter",
        "tmux send-keys -t work 'npm test' Enter o Enter",
        "tmux run-shell 'npm test'",
        "tmux pipe-pane -I -t 0 'echo o'",
        "tmux set-buffer o \\; paste-buffer -t 0",
        "screen -S main -X stuff 'o\\n'",
        "zellij action write-chars o",
        "wezterm cli send-text --pane-id 0 o",
        "kitty @ send-text o",
        "xdotool type o",
        "ydotool type o",
        "python3 -c \"import fcntl, termios; fcntl.ioctl(0, termios.TIOCSTI, b'o')\"",
        "perl -e 'ioctl(STDIN, 0x5412, \"o\")'",
        "echo o > /dev/pts/0",
    ],
    near_misses: &[
        "tmux new-session -d -s x; tmux send-keys -t x 'npm test' Enter",
        "tmux new-session -d -s x python3 \\; send-keys -t x 'print(1)' Enter",
        "tmux send-keys -t work 'npm test' Enter",
        "tmux split-window -h; tmux send-keys -t 1 'npm test' Enter",
        "tmux send-keys -t work C-c",
        "tmux capture-pane -p -t 0",
        "screen -dmS s; screen -S s -X stuff 'ls\\n'",
        "xdotool getactivewindow",
        "echo hi > /dev/tty",
    ],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for (effect, name) in things(facts, Verb::Send, "terminal")
        .filter(|(effect, name)| !is_own(facts, effect, name) && !effect.flags.has(Flags::FRESH))
    {
        let shown = if name.is_empty() { "the terminal in front" } else { name };
        report.effect(effect, format!("types into `{shown}`"));
    }
    for (effect, name) in
        things(facts, Verb::Send, "pane").filter(|(effect, _)| !follows_opening(facts, effect))
    {
        let shown = if name.is_empty() { "the pane in front" } else { name };
        report.effect(effect, format!("runs a command in `{shown}`, which may be anybody's"));
    }
    let written = paths(facts, &[Verb::Write])
        .filter(|(effect, path)| path.places.has(Places::TERMINAL) && !effect.flags.has(Flags::METADATA));
    for (effect, path) in written {
        report.effect(effect, format!("writes to another terminal, `{}`", path.shown));
    }
}

/// Whether the text has opened a pane before: a number or a mark may then be that of its own.
fn follows_opening(facts: &Facts, typed: &Effect) -> bool {
    things(facts, Verb::Configure, "own terminal").any(|(opened, _)| opened.invocation <= typed.invocation)
}

/// Whether the text has opened the session before it types there.
fn is_own(facts: &Facts, typed: &Effect, session: &str) -> bool {
    !session.is_empty()
        && things(facts, Verb::Configure, "own terminal")
            .any(|(opened, name)| name == session && opened.invocation <= typed.invocation)
}
