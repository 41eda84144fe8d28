//! Texts that write the files which say what a command runs, so that these name each other.

use std::fmt::Write;

use super::HIDDEN;

/// Hostile texts of about `size` bytes, each with a name.
pub(super) fn texts(size: usize) -> Vec<(String, String)> {
    let repeated = |unit: &str, share: usize| unit.repeat((size / share / unit.len()).max(1));
    let long = "a".repeat(size / 2);
    let texts = [
        (
            "package",
            "composer.json",
            format!("{{\"scripts\":{{\"x\":[{}\"a\"]}}}}", repeated("\"@x\",", 1)),
            "composer run x;".to_owned(),
        ),
        (
            "small package",
            "composer.json",
            "{\"scripts\":{\"x\":[\"@x\",\"@x\",\"@x\",\"@x\",\"@x\",\"@x\"]}}".to_owned(),
            repeated("composer run x;", 1),
        ),
        (
            "chained packages",
            "composer.json",
            format!(
                "{{\"scripts\":{{{}\"y\":\"a\"}}}}",
                numbered(size, |n| format!("\"x{n}\":[\"@x{m}\",\"@x{m}\"],", m = n + 1))
            ),
            "composer run x0;".to_owned(),
        ),
        (
            "package of shells",
            "package.json",
            "{\"scripts\":{\"prex\":\"npm run x\",\"x\":\"npm run x; npm run x\",\"postx\":\"yarn x\"}}"
                .to_owned(),
            repeated("npm run x;", 1),
        ),
        (
            "large package",
            "package.json",
            format!("{{\"scripts\":{{{}\"x\":\"a\"}}}}", repeated("\"a\":\"b\",", 2)),
            repeated("npm run x;", 2),
        ),
        (
            "tasks",
            "Taskfile.yml",
            format!(
                "tasks:\n{}",
                numbered(size, |n| format!(
                    "  x{n}:\n    deps: [x{}, x{}, x{n}]\n    cmds:\n      - task: x0\n      - rm a{n}\n",
                    n + 1,
                    n + 2
                ))
            ),
            "task x0;".to_owned(),
        ),
        (
            "tasks of themselves",
            "Taskfile.yml",
            "tasks:\n  x:\n    deps: [x, x]\n    cmds:\n      - task x; task x\n      - task x\n".to_owned(),
            repeated("task x;", 1),
        ),
        (
            "large task file",
            "Taskfile.yml",
            format!("tasks:\n  x:\n    cmds:\n{}  y:\n    cmds: [a]\n", repeated("      - a\n", 2)),
            repeated("task y;", 2),
        ),
        (
            "templates",
            "Taskfile.yml",
            format!(
                "vars:\n  A: {long}\ntasks:\n  x:\n    cmds:\n{}",
                repeated("      - a {{.A}}{{.A}}\n", 2)
            ),
            "task x;".to_owned(),
        ),
        (
            "many templates",
            "Taskfile.yml",
            format!(
                "vars:\n{}tasks:\n  x:\n    cmds:\n      - a {}\n",
                numbered(size / 2, |n| format!("  A{n}: b\n")),
                repeated("{{.B}}", 2)
            ),
            "task x;".to_owned(),
        ),
        (
            "directories of tasks",
            "Taskfile.yml",
            format!("tasks:\n  x:\n    dir: {long}\n    cmds:\n{}", repeated("      - a\n", 2)),
            "task x;".to_owned(),
        ),
    ];
    texts.into_iter().map(|(name, file, content, run)| written(name, file, &content, &run)).collect()
}

fn written(name: &str, file: &str, content: &str, run: &str) -> (String, String) {
    (format!("manifest {name}"), format!("cat > {file} <<'A'\n{content}\nA\n{run}\n{HIDDEN}"))
}

fn numbered(size: usize, make: fn(usize) -> String) -> String {
    let mut text = String::with_capacity(size);
    for number in 0.. {
        if text.len() >= size {
            break;
        }
        let _ = write!(text, "{}", make(number));
    }
    text
}
