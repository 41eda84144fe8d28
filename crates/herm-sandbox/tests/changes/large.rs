//! A workspace as large as real ones are.

use std::fs;
use std::path::Path;
use std::time::Instant;

use super::picture::assert_same;
use super::world::{On, World, keep, operate, steps};

/// Directories of a hundred files each.
#[expect(clippy::disallowed_methods, reason = "tests make their own files")]
fn fill(workspace: &Path, files: usize) {
    let old = fs::FileTimes::new()
        .set_modified(std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_450_000_000));
    for directory in 0..files / 100 {
        let path = workspace.join(format!("p{}/d{directory}", directory % 10));
        fs::create_dir_all(&path).unwrap();
        for file in 0..100 {
            let path = path.join(format!("f{file}.txt"));
            fs::write(&path, format!("file {file} of {directory}\n")).unwrap();
            fs::File::options().write(true).open(&path).unwrap().set_times(old).unwrap();
        }
    }
    operate(workspace, "");
}

/// A tenth of the files renamed with their directory, a tenth deleted, five hundred changed, a thousand created.
fn work() -> String {
    let mut lines =
        ["rename|p0|moved", "rmtree|p1", "rmtree|p2/d2", "mkdir|p2/d2"].map(str::to_owned).to_vec();
    lines.extend(
        (0..5).flat_map(|n| (0..100).map(move |file| format!("append|p3/d{}/f{file}.txt|more", n * 10 + 3))),
    );
    lines.extend((0..10).flat_map(|n| {
        let files = (0..100).map(move |file| format!("write|p4/new{n}/f{file}|new"));
        std::iter::once(format!("mkdir|p4/new{n}")).chain(files)
    }));
    steps(&lines.join("\n"))
}

#[test]
fn fifty_thousand_files_are_compared_kept_and_undone() {
    let on = if rustix::process::geteuid().is_root() { On::Root } else { On::Copy };
    println!("{}", check(50_000, on));
}

#[test]
fn five_thousand_files_are_compared_kept_and_undone_on_a_copy() {
    println!("{}", check(5_000, On::Copy));
}

/// Says how long each part took.
fn check(files: usize, on: On) -> String {
    let work = work();
    let world = World::new("");
    fill(&world.workspace, files);
    let before = world.picture();
    let mut laps = Laps { last: Instant::now(), told: Vec::new() };
    let attempt = world.begin("t", on);
    laps.lap("begin");
    let ended = world.run(&attempt, &work);
    assert_eq!(ended.lines().find(|line| !line.starts_with("ok ")), None, "{on:?}");
    laps.lap("run");
    let comparison = attempt.compare().unwrap();
    laps.lap("compare");
    let summary = herm_sandbox::changes::Summary::new(&attempt, &comparison).unwrap();
    laps.lap("sum up");
    keep(&attempt, &comparison);
    laps.lap("keep");
    drop(attempt);
    let kept = world.picture();
    laps.last = Instant::now();
    world.tries.undo("t", &mut || {}).unwrap();
    laps.lap("undo");
    assert_same(&world.picture(), &before, "undone");
    operate(&world.workspace, &work);
    assert_same(&kept, &world.picture(), "kept");
    assert!(summary.items.len() < 4_000, "what goes along with a directory is one line");
    format!("{on:?}: {} changes, {:?}: {}", comparison.changes.len(), summary.counts, laps.told.join(", "))
}

struct Laps {
    last: Instant,
    told: Vec<String>,
}

impl Laps {
    fn lap(&mut self, what: &str) {
        self.told.push(format!("{what} {} ms", self.last.elapsed().as_millis()));
        self.last = Instant::now();
    }
}
