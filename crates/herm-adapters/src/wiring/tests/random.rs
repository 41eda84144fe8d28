//! Documents at random: whatever is accepted comes back byte for byte.

use std::fmt::Write as _;
use std::path::Path;

use super::super::{Edit, Format, Piece, Scope, trust};
use super::files::{call, wired};
use crate::Agent;

/// Numbers that are the same each time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % u64::try_from(most).unwrap()).unwrap()
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }
}

/// How many documents of each kind.
const DOCUMENTS: u64 = 1000;

fn rounds(piece: &Piece, least: u64, document: impl Fn(&mut Dice) -> String) {
    let mut accepted = 0;
    for seed in 1..=DOCUMENTS {
        let before = document(&mut Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15)));
        let Ok(after) = piece.install(Some(&before)) else { continue };
        accepted += 1;
        assert!(piece.is_current(&after), "{before:?}\n{after:?}");
        assert_eq!(piece.install(Some(&after)).as_ref(), Ok(&after), "{before:?}");
        let out = piece.remove(&after, Some(&before));
        assert_eq!(
            out.as_ref().ok().and_then(Option::as_ref),
            Some(&before),
            "{before:?}\n{after:?}\n{out:?}"
        );
    }
    assert!(accepted >= least, "only {accepted} were accepted");
}

#[test]
fn json_comes_back() {
    for agent in [Agent::ClaudeCode, Agent::Gemini, Agent::Cursor, Agent::Windsurf, Agent::Copilot] {
        for scope in [Scope::User, Scope::System] {
            let mut piece = wired(agent, scope).remove(0);
            if let Edit::Entries { format, .. } = &mut piece.edit {
                *format = Format::Json;
            }
            rounds(&piece, DOCUMENTS / 4, |dice| {
                let mut text = String::from(dice.pick(&["", "\u{feff}", "// é\n", "\n", "/* x */ "]));
                let newline = dice.pick(&["\n", "\r\n"]);
                json(dice, &mut text, 0, newline);
                text.push_str(dice.pick(&["", "\n", " // end", "\r\n"]));
                text
            });
        }
    }
}

fn gap(dice: &mut Dice, text: &mut String, newline: &str) {
    for _ in 0..dice.below(3) {
        match dice.below(8) {
            0 => text.push_str(" // ]} \"\u{fc}"),
            1 => text.push_str("/* , */"),
            2 => text.push('\t'),
            3 | 4 => text.push_str("  "),
            _ => {}
        }
        if text.ends_with('\u{fc}') || dice.below(3) == 0 {
            text.push_str(newline);
        }
    }
}

fn json(dice: &mut Dice, text: &mut String, depth: usize, newline: &str) {
    let kind = if depth == 0 { 0 } else { dice.below(6) };
    match kind {
        0 | 1 if depth < 4 => {
            let (open, close) = if kind == 0 { ('{', '}') } else { ('[', ']') };
            text.push(open);
            gap(dice, text, newline);
            let number = dice.below(4);
            for at in 0..number {
                if kind == 0 {
                    let names = [
                        "hooks",
                        "PreToolUse",
                        "BeforeTool",
                        "a",
                        "version",
                        "hooksConfig",
                        "enabled",
                        "preToolUse",
                    ];
                    let name = if depth == 0 && at == 0 { "hooks" } else { dice.pick(&names) };
                    write!(text, "\"{name}\"").unwrap();
                    gap(dice, text, newline);
                    text.push(':');
                    gap(dice, text, newline);
                }
                json(dice, text, depth + 1, newline);
                gap(dice, text, newline);
                if at + 1 < number || dice.below(4) == 0 {
                    text.push(',');
                    gap(dice, text, newline);
                }
            }
            text.push(close);
        }
        _ => {
            text.push_str(dice.pick(&[
                "1",
                "-2.5e3",
                "true",
                "null",
                "\"\"",
                "\"a\\\"]}// \"",
                "\"\u{e9}\"",
            ]));
        }
    }
}

#[test]
fn yaml_comes_back() {
    rounds(&wired(Agent::Hermes, Scope::User).remove(0), DOCUMENTS / 3, |dice| {
        let newline = dice.pick(&["\n", "\n", "\r\n"]);
        let mut text = String::from(dice.pick(&["", "---\n", "# top\n", "\n"]));
        let mut names = vec!["a", "hooks", "model", "b c", "\"q\"", "z"];
        for _ in 0..dice.below(5) {
            let name = names.remove(dice.below(names.len()));
            let comment = dice.pick(&["", " # c", "   "]);
            match (name, dice.below(9)) {
                (_, 0) => write!(text, "{name}:{comment}{newline}").unwrap(),
                (_, 1) => write!(text, "{name}: [1, {{x: y}}, 'é']{comment}{newline}").unwrap(),
                (_, 2) => write!(text, "{name}: |{newline}  text: # no{newline}   - more{newline}{newline}")
                    .unwrap(),
                (_, 3) => write!(text, "{name}: {{}}{comment}{newline}").unwrap(),
                ("hooks", 4) => {
                    let indent = dice.pick(&["", "  ", "   "]);
                    write!(text, "hooks:{comment}{newline}  pre_tool_call:{newline}").unwrap();
                    for _ in 0..=dice.below(3) {
                        write!(
                            text,
                            "  {indent}- command: /x{comment}{newline}  {indent}  timeout: 3{newline}"
                        )
                        .unwrap();
                    }
                }
                ("hooks", 5) => {
                    write!(text, "hooks:{newline}  # c{newline}  other: [a]{comment}{newline}  pre_tool_call: []{newline}").unwrap();
                }
                ("hooks", 6) => {
                    write!(text, "hooks: {{other: 1, pre_tool_call: [ {{command: x}} ]}}{newline}").unwrap();
                }
                ("hooks", 7) => {
                    write!(text, "hooks:{newline}    other:{newline}    pre_tool_call:{comment}{newline}")
                        .unwrap();
                }
                (_, _) => write!(text, "{name}: 'it''s'{comment}{newline}").unwrap(),
            }
            if dice.below(4) == 0 {
                text.push_str(newline);
            }
        }
        if dice.below(3) == 0 {
            text.truncate(text.trim_end_matches(['\r', '\n']).len());
        }
        text
    });
}

#[test]
fn toml_comes_back() {
    let hooks = wired(Agent::Codex, Scope::User).remove(0).install(None).unwrap();
    let trust = trust(&call(Agent::Codex), Scope::User, Path::new("/h"), &hooks).unwrap();
    for piece in [trust, wired(Agent::Codex, Scope::System).remove(0)] {
        rounds(&piece, DOCUMENTS / 3, |dice| {
            let newline = dice.pick(&["\n", "\n", "\r\n"]);
            let mut text = String::from(dice.pick(&["", "\u{feff}", "# top\n", "\n\n"]));
            for line in ["a = 1", "b = \"\"\"x\n[features]\n\"\"\"", "c = [1,\n 2]", "d.e = 1979-05-27"] {
                if dice.below(2) == 0 {
                    write!(text, "{line}{}{newline}", dice.pick(&["", " # c", "  "])).unwrap();
                }
            }
            for table in [
                "[features]\nx = 1",
                "[features.y]\nhooks = 1",
                "[projects.\"/a b\"]\ntrust_level = \"t\"",
                "[hooks.state.\"z:pre_tool_use:0:0\"]\ntrusted_hash = 'h'",
                "[[hooks.PreToolUse]]\nmatcher = 'x'\n[[hooks.PreToolUse.hooks]]\ncommand = 'y'",
                "[features]\nhooks = false",
            ] {
                if dice.below(4) == 0 {
                    write!(text, "{}{table}{newline}", dice.pick(&["", "\n", "# c\n"])).unwrap();
                }
            }
            if dice.below(3) == 0 {
                text.truncate(text.trim_end_matches(['\r', '\n']).len());
            }
            text
        });
    }
}
