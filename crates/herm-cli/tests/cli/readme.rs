//! What the README shows is what the binary says.

use crate::test::Test;

const README: &str = include_str!("../../../../README.md");

#[test]
fn every_console_block_is_true() {
    let mut files = Vec::new();
    let mut judged = 0;
    for (command, output) in console() {
        if let Some(name) = command.strip_prefix("cat ") {
            files.push((name.to_owned(), output));
            continue;
        }
        let words = words(&command);
        let arguments: Vec<_> = words.iter().skip(1).map(String::as_str).collect();
        let test = Test::new(&arguments);
        let test = files.iter().fold(test, |test, (name, content)| test.file(name, content));
        assert_eq!(test.stdout(), output, "{command}");
        judged += 1;
    }
    assert!(judged >= 6, "{judged}");
}

#[test]
fn the_configuration_holds_what_it_promises() {
    let yaml = fenced("yaml").next().unwrap();
    Test::new(&["config", "test"]).config(&yaml).answers(0, "1 test passed\n");
}

/// Commands with what follows them.
fn console() -> Vec<(String, String)> {
    let mut shown: Vec<(String, String)> = Vec::new();
    for line in fenced("console").collect::<String>().lines() {
        match (line.strip_prefix("$ "), shown.last_mut()) {
            (Some(command), _) => shown.push((command.to_owned(), String::new())),
            (None, Some((_, output))) => output.extend([line, "\n"]),
            (None, None) => {}
        }
    }
    shown
}

/// The blocks in this language.
fn fenced(language: &str) -> impl Iterator<Item = String> {
    let opening = format!("```{language}\n");
    let blocks: Vec<_> = README.split(&opening).skip(1).map(str::to_owned).collect();
    blocks.into_iter().map(|rest| rest.split("```").next().unwrap_or_default().to_owned())
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
