use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use super::*;
use crate::sys::trial::{Outcome, finish, in_child, start};

/// A group with these bounds, or nothing where this machine has none for us, which is then said with reasons.
fn group(bounds: &Bounds) -> Option<Group> {
    match Group::create(&Hierarchies::find().unwrap(), bounds) {
        Ok(group) => {
            assert!(group.report().values().all(|holding| matches!(holding, Holding::Together(_))));
            Some(group)
        }
        Err(error) => {
            assert!(error.to_string().len() > "there is no control group: ".len());
            assert!(!can_make_groups(), "{error}");
            println!("not tried: {error}");
            None
        }
    }
}

/// Whether every bound is governed by a tree that can be written to: one of version 1, or one of version 2 at whose top we are.
fn can_make_groups() -> bool {
    let hierarchies = Hierarchies::find().unwrap();
    let writable = |path: &Path| rustix::fs::access(path.join(MEMBERS), rustix::fs::Access::WRITE_OK).is_ok();
    let governs = |bound: Bound, top: &Path| {
        let governors = files::words(&top.join("cgroup.controllers"));
        writable(top) && bound.controller().is_some_and(|name| governors.contains(name))
    };
    Bound::OF_GROUPS.into_iter().all(|bound| match (hierarchies.one(bound), hierarchies.two()) {
        (Some(own), _) => writable(own),
        (None, Some(tree)) => tree.own == tree.top && governs(bound, &tree.top),
        (None, None) => false,
    })
}

fn paths(group: &Group) -> Vec<PathBuf> {
    group.places.iter().map(|place| place.path.clone()).collect()
}

#[test]
fn too_much_memory_ends_whoever_asks_for_it() {
    const LIMIT: usize = 32 << 20;
    let Some(group) = group(&Bounds { memory: Some(LIMIT as u64), ..Bounds::default() }) else { return };
    let touch = |size: usize| std::hint::black_box(vec![1_u8; size]).last().copied().map_or(0, i32::from);
    assert_eq!(in_child(|| touch(2 * LIMIT)), Outcome::Returned(1), "outside there is room");
    let inside = |size: usize| {
        in_child(|| {
            group.entrances().join(Birth::Outside).unwrap();
            touch(size)
        })
    };
    assert_eq!(inside(LIMIT / 8), Outcome::Returned(1));
    assert_eq!(group.statistics().memory_kills, Some(0));
    assert_eq!(inside(2 * LIMIT), Outcome::Killed(libc::SIGKILL));
    let statistics = group.statistics();
    assert_eq!(statistics.memory_kills, Some(1));
    assert!(statistics.peak_memory.is_none_or(|peak| peak >= (LIMIT / 2) as u64));
}

/// Two governors may share a tree. Where its list of threads cannot be opened, nothing is held for either.
#[test]
fn what_cannot_be_entered_holds_no_bound() {
    let scratch = crate::Scratch::new(&std::env::temp_dir()).unwrap();
    let mut group = Group { places: Vec::new(), entrances: Entrances::default(), report: Report::new() };
    for bound in ["the first", "the next"] {
        let error = group.below(scratch.path()).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::NotFound, "{bound}");
    }
    assert_eq!(paths(&group), Vec::<PathBuf>::new());
    assert_eq!(files::below(scratch.path()), Vec::<PathBuf>::new(), "nothing of it is left");
}

#[test]
fn too_many_processes_are_not_made() {
    let Some(group) = group(&Bounds { processes: Some(4), ..Bounds::default() }) else { return };
    let outcome = in_child(|| {
        group.entrances().join(Birth::Outside).unwrap();
        threads_until_refused()
    });
    assert_eq!(outcome, Outcome::Returned(4), "with itself, three more");
    assert_eq!(group.statistics().refused_processes, Some(1));
}

#[test]
fn without_a_group_too_many_processes_of_a_user_are_not_made() {
    let mut report = Report::new();
    let limits = limits::limits(&Bounds { processes: Some(4), ..Bounds::default() }, &mut report);
    assert_eq!(report[&Bound::Processes], Holding::EachUser);
    let outcome = in_child(|| {
        // Root is exempt, and becomes somebody who has no other processes. Anybody else stays and has more than enough.
        let _ = rustix::thread::set_thread_uid(rustix::process::Uid::from_raw(
            2_000_000_000 + std::process::id(),
        ));
        limits::apply(&limits).unwrap();
        i32::from((1..=4).contains(&threads_until_refused()))
    });
    assert_eq!(outcome, Outcome::Returned(1));
}

/// Makes threads that wait: which one was refused.
fn threads_until_refused() -> i32 {
    let mut waiting = Vec::new();
    for count in 1..10 {
        let (keep, wait) = channel::<()>();
        match std::thread::Builder::new().spawn(move || wait.recv()) {
            Ok(_) => waiting.push(keep),
            Err(error) if error.raw_os_error() == Some(libc::EAGAIN) => return count,
            Err(_) => return 100,
        }
    }
    101
}

#[test]
fn a_share_of_the_processor_is_not_exceeded() {
    let Some(group) = group(&Bounds { processor: Some(100), ..Bounds::default() }) else { return };
    let entrances = group.entrances();
    let child = start(|| {
        entrances.join(Birth::Outside).unwrap();
        loop {
            std::hint::spin_loop();
        }
    });
    // On a busy machine it takes a while to use even a tenth of a processor.
    let begin = Instant::now();
    let throttled = || group.statistics().throttled.unwrap();
    while throttled() < Duration::from_millis(50) && begin.elapsed() < Duration::from_mins(1) {
        std::thread::sleep(Duration::from_millis(20));
    }
    group.kill();
    assert_eq!(finish(child), Outcome::Killed(libc::SIGKILL));
    assert!(throttled() >= Duration::from_millis(50), "{:?}", group.statistics());
}

#[test]
fn it_goes_with_all_that_runs_in_it() {
    let bounds =
        Bounds { memory: Some(1 << 28), processes: Some(20), processor: Some(500), ..Bounds::default() };
    let Some(group) = group(&bounds) else { return };
    assert_eq!(group.report().len(), 3);
    let paths = paths(&group);
    let entrances = group.entrances();
    let (ours, theirs) = rustix::pipe::pipe().unwrap();
    let child = start(|| {
        entrances.join(Birth::Outside).unwrap();
        rustix::io::write(&theirs, b"in").unwrap();
        std::thread::sleep(Duration::from_mins(1));
        0
    });
    rustix::io::read(&ours, &mut [0_u8; 2]).unwrap();
    let pid = child.as_raw_nonzero().to_string();
    assert!(paths.iter().all(|path| files::words(&path.join(MEMBERS)).contains(&pid)));
    drop(group);
    assert_eq!(finish(child), Outcome::Killed(libc::SIGKILL));
    assert!(paths.iter().all(|path| !path.exists()), "{paths:?}");
}

#[test]
fn a_group_whose_maker_was_killed_is_cleared_by_the_next() {
    let bounds = Bounds { processes: Some(20), ..Bounds::default() };
    let Some(own) = group(&bounds) else { return };
    let expected = paths(&own).len();
    drop(own);
    let (ours, theirs) = rustix::pipe::pipe().unwrap();
    let outcome = in_child(|| {
        let group = Group::create(&Hierarchies::find().unwrap(), &bounds).unwrap();
        let names: Vec<String> = paths(&group).iter().map(|path| path.display().to_string()).collect();
        assert!(paths(&group).iter().all(|path| path.exists()));
        rustix::io::write(&theirs, names.join("\n").as_bytes()).unwrap();
        // As if it had been killed: nothing is dropped.
        std::mem::forget(group);
        0
    });
    assert_eq!(outcome, Outcome::Returned(0));
    let mut space = [0_u8; 4096];
    let length = rustix::io::read(&ours, &mut space).unwrap();
    let left: Vec<&Path> = std::str::from_utf8(&space[..length]).unwrap().lines().map(Path::new).collect();
    assert_eq!(left.len(), expected);
    let next = group(&bounds).unwrap();
    assert!(left.iter().all(|path| !path.exists()));
    drop(next);
}

#[test]
fn a_machine_without_groups_says_so() {
    let none = Hierarchies::parse("", "");
    let bounds = Bounds { memory: Some(1), processor: Some(1), ..Bounds::default() };
    let error = Group::create(&none, &bounds).unwrap_err();
    assert_eq!(error.to_string(), "there is no control group: no tree of control groups has it");
    assert_eq!(error.report.len(), 2);
}

#[test]
fn without_a_group_limits_hold_for_each_process() {
    const LIMIT: usize = 64 << 20;
    let bounds = Bounds {
        memory: Some(LIMIT as u64),
        file_size: Some(1000),
        open_files: Some(40),
        ..Bounds::default()
    };
    let mut report = Report::new();
    let limits = limits::limits(&bounds, &mut report);
    assert!(report.values().all(|holding| *holding == Holding::EachProcess));
    let outcome = in_child(|| {
        limits::apply(&limits).unwrap();
        let memory = Vec::<u8>::new().try_reserve_exact(2 * LIMIT).is_err();
        let files: Vec<_> = (0..40).map(|_| rustix::pipe::pipe()).collect();
        let is_full = files.last().unwrap().is_err();
        drop(files);
        crate::survive_outgrown_files().unwrap();
        let file = rustix::fs::memfd_create(c"big", rustix::fs::MemfdFlags::CLOEXEC).unwrap();
        let is_cut = rustix::io::pwrite(&file, &[0; 2000], 0) == Ok(1000);
        i32::from(memory && is_full && is_cut)
    });
    assert_eq!(outcome, Outcome::Returned(1));
}
