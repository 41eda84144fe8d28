//! A workspace as large as real ones are.

use std::fs;
use std::path::Path;
use std::time::Instant;

use super::picture::assert_same;
use super::world::{On, World, keep, operate, steps};

const FILES: usize = 50_000;

/// Directories of a hundred files each.
#[expect(clippy::disallowed_methods, reason = "tests make their own files")]
fn fill(workspace: &Path) {
    let old = fs::FileTimes::new()
        .set_modified(std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_450_000_000));
    for directory in 0..FILES / 100 {
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

/// Five thousand files renamed with their directory, five thousand deleted, a thousand changed, a thousand created.
fn work() -> String {
    let mut lines = vec!["rmtree|p1".to_owned(), "rmtree|p2/d2".to_owned(), "mkdir|p2/d2".to_owned()];
    lines.extend((0..10).flat_map(|n| (0..100).map(move |file| format!("append|p3/d{n}3/f{file}.txt|more"))));
    lines.extend((0..10).flat_map(|n| {
        let files = (0..100).map(move |file| format!("write|p4/new{n}/f{file}|new"));
        std::iter::once(format!("mkdir|p4/new{n}")).chain(files)
    }));
    steps(&lines.join("\n"))
}

#[test]
fn fifty_thousand_files_are_compared_kept_and_undone() {
    for on in On::all() {
        let renames = if on == On::User { "" } else { "\nrename\tp0\tmoved" };
        let work = work() + renames;
        let (world, reference) = (World::new(""), World::new(""));
        fill(&world.workspace);
        fill(&reference.workspace);
        let before = world.picture();
        let begun = Instant::now();
        let mut lap = begun;
        let mut times = Vec::new();
        let mut time = |what: &str| {
            times.push(format!("{what} {} ms", lap.elapsed().as_millis()));
            eprintln!("{}", times.last().unwrap());
            lap = Instant::now();
        };
        let attempt = world.begin("t", on);
        time("begin");
        let ended = world.run(&attempt, &work);
        let failed = ended.lines().find(|line| !line.starts_with("ok "));
        assert_eq!(failed, None, "{on:?}");
        time("run");
        let comparison = attempt.compare().unwrap();
        time("compare");
        let summary = herm_sandbox::changes::Summary::new(&attempt, &comparison).unwrap();
        time("sum up");
        keep(&attempt, &comparison);
        time("keep");
        operate(&reference.workspace, &work);
        assert_same(&world.picture(), &reference.picture(), &format!("{on:?}, kept"));
        time("check");
        world.tries.undo("t", &mut || {}).unwrap();
        time("undo");
        assert_same(&world.picture(), &before, &format!("{on:?}, undone"));
        println!("{on:?}: {} changes, {:?}: {}", comparison.changes.len(), summary.counts, times.join(", "));
        assert!(summary.items.len() < 4_000, "what goes along with a directory is one line");
    }
}
