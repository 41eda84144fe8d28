//! What the README and the guides show of `herm run` is what happens.

use crate::place::Place;

const PAGES: [(&str, &str); 6] = [
    ("README.md", include_str!("../../../../README.md")),
    ("approvals.md", include_str!("../../../../docs/guides/approvals.md")),
    ("audit.md", include_str!("../../../../docs/guides/audit.md")),
    ("network.md", include_str!("../../../../docs/guides/network.md")),
    ("running.md", include_str!("../../../../docs/guides/running.md")),
    ("sandbox.md", include_str!("../../../../docs/guides/sandbox.md")),
];

const PROMPTS: [&str; 2] = ["Choice [o/s/a/t/D]: ", "Choice [k/D]: "];

/// The blocks of a page are one story: each has what the ones before it left.
#[test]
fn every_transcript_is_true() {
    let mut told = 0;
    for (page, text) in PAGES {
        let place = Place::new().unsaid();
        place.file("build/out.o", "");
        let mut status = None;
        for (command, shown) in transcript(text) {
            let happened = match command.as_str() {
                "echo $?" => format!("{}\n", status.unwrap_or_default()),
                _ => happens(&place, &command, &shown, &mut status),
            };
            assert_eq!(same(&place, &happened), same(&place, &shown), "{page}: {command}");
            told += 1;
        }
    }
    assert!(told >= 26, "{told}");
}

/// Runs a command, at a terminal where a question is shown. What stands behind the question is what is typed.
fn happens(place: &Place, command: &str, shown: &str, status: &mut Option<i32>) -> String {
    let words = words(command);
    let arguments: Vec<_> = words.iter().skip(1).map(String::as_str).collect();
    let asked = PROMPTS.iter().find_map(|prompt| Some((*prompt, shown.split_once(prompt)?.1)));
    let Some((prompt, behind)) = asked else {
        let ran = place.run(&arguments);
        *status = ran.code;
        return ran.stdout + &ran.stderr;
    };
    let typed = behind.lines().next().unwrap_or_default();
    // Wide enough for every line: where one is broken depends on how long the name of the place is.
    let ran = place.at_terminal(400, &[("Choice", &format!(r"{typed}\r"))], &arguments);
    *status = ran.code;
    let plain = COLOURS.iter().fold(ran.stdout, |text, code| text.replace(code, "")).replace('\r', "");
    let answered = format!("{prompt}{typed}");
    // Where the terminal shows what is typed, it is there already.
    if plain.contains(&answered) { plain } else { plain.replace(prompt, &answered) }
}

const COLOURS: [&str; 4] = ["\x1b[1;31m", "\x1b[1;32m", "\x1b[1;33m", "\x1b[0m"];

/// Names and times differ from run to run, and where it happens from machine to machine.
fn same(place: &Place, text: &str) -> String {
    let work = place.work("");
    let text = text.replace(work.to_string_lossy().trim_end_matches('/'), "/home/dev/project");
    text.lines()
        .map(|line| line.split(' ').map(masked).collect::<Vec<_>>().join(" ").trim_end().to_owned() + "\n")
        .collect()
}

fn masked(word: &str) -> &str {
    let hexadecimal = |word: &str| word.len() >= 16 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
    let time = |word: &str| word.starts_with("20") && word.ends_with('Z') && word.contains('T');
    let session = |word: &str| word.starts_with("terminal-") || word.starts_with("daemon-");
    match word {
        _ if hexadecimal(word.trim_end_matches('`')) => "ID",
        _ if time(word) => "TIME",
        _ if session(word) => "SESSION",
        _ => word,
    }
}

/// Commands with what follows them.
fn transcript(page: &str) -> Vec<(String, String)> {
    let mut told: Vec<(String, String)> = Vec::new();
    for block in page.split("```terminal\n").skip(1) {
        for line in block.split("```").next().unwrap_or_default().lines() {
            match (line.strip_prefix("$ "), told.last_mut()) {
                (Some(command), _) => told.push((command.to_owned(), String::new())),
                (None, Some((_, shown))) => {
                    shown.push_str(line);
                    shown.push('\n');
                }
                (None, None) => panic!("{line}"),
            }
        }
    }
    told
}

/// Words as a shell takes them, with single quotes only.
fn words(command: &str) -> Vec<String> {
    let quoted = |(number, part): (usize, &str)| {
        if number % 2 == 1 {
            vec![part.to_owned()]
        } else {
            part.split_whitespace().map(str::to_owned).collect()
        }
    };
    command.split('\'').enumerate().flat_map(quoted).collect()
}
