//! Whatever moment a process is killed at, the workspace is put back exactly.

use std::os::unix::process::ExitStatusExt;

use herm_sandbox::changes::{Error, Recovered, Recovery, Status};

use super::picture::assert_same;
use super::rescue::texts;
use super::world::{On, World, command, keep, operate, steps};

const MAKE: &str = "mkdir|d
    mkdir|d/deep
    write|d/a|one
    write|d/b|two
    write|d/deep/c|three
    mkdir|e
    write|e/f|four
    chmod|e/f|400
    write|g|five
    link|g|h
    symlink|g|l
    fifo|e/pipe
    chmod|e|555
    acl|g|u::6,u:1:6,g::0,m::6,o::0
    acl|d/a|u::6,u:1:6,g::0,m::6,o::0
    default|d|u::7,u:1:7,g::0,m::7,o::0";

/// Something of every kind, in few steps.
pub(super) const WORK: &str = "write|d/a|ONE
    rename|d/deep|moved
    chmod|e|755
    rmtree|e
    symlink|d|e
    append|g|more
    remove|l
    mkdir|l
    write|l/new|x
    link|d/b|b
    write|d/n|x
    chmod|d|700";

/// Runs the example that kills itself at a step, and says whether it was killed.
pub(super) fn killed(world: &World, action: &str, step: usize) -> bool {
    let tests = std::env::current_exe().unwrap();
    let built = tests.parent().unwrap().parent().unwrap().join("examples/tries");
    let mut command = command(built.to_str().unwrap());
    command.arg(world.home()).args(["t", action, &step.to_string()]);
    let status = command.status().unwrap();
    assert!(status.success() || status.signal() == Some(9), "{action} {step}: {status:?}");
    !status.success()
}

fn grounds() -> impl Iterator<Item = On> {
    On::all().into_iter().filter(|on| *on != On::User)
}

/// For an overlay the workspace has no files with several names, as `Tries::begin` would choose it.
pub(super) fn make(on: On) -> World {
    let text = if on == On::Copy { MAKE.to_owned() } else { MAKE.replace("link|g|h", "write|h|six") };
    World::new(&steps(&text))
}

#[test]
fn keeping_that_is_killed_at_any_step_is_rolled_back_and_can_be_repeated() {
    for on in grounds() {
        let (world, reference) = (make(on), make(on));
        let before = world.picture();
        drop(world.tried("t", on, &steps(WORK)));
        let mut step = 0;
        while killed(&world, "keep", step) {
            let was = world.tries.list().unwrap()[0].status;
            let recovered = recover(&world);
            let is_kept = world.tries.list().unwrap()[0].status == Status::Kept;
            if is_kept {
                assert!(recovered.is_empty());
                break;
            }
            assert_eq!(recovered.len(), usize::from(was == Status::Interrupted));
            assert!(
                recovered.iter().all(|done| done.outcome == Recovered::RolledBack && done.left.is_empty())
            );
            assert_same(&world.picture(), &before, &format!("{on:?}, killed at step {step}"));
            step += 1;
        }
        assert!(step > 25, "{step}");
        operate(&reference.workspace, &steps(WORK));
        assert_same(&world.picture(), &reference.picture(), &format!("{on:?}, kept in the end"));
        world.tries.undo("t", &mut || {}).unwrap();
        assert_same(&world.picture(), &before, &format!("{on:?}, undone"));
    }
}

#[test]
fn undoing_that_is_killed_at_any_step_is_finished() {
    let mut finished = 0;
    for step in 0.. {
        let world = make(On::Copy);
        let before = world.picture();
        let (attempt, comparison) = world.tried("t", On::Copy, &steps(WORK));
        keep(&attempt, &comparison);
        drop(attempt);
        if !killed(&world, "undo", step) {
            assert!(step > 15, "{step}");
            assert!(finished > 15, "{finished}");
            return;
        }
        for recovered in recover(&world) {
            assert_eq!(recovered.outcome, Recovered::Undone);
            assert!(recovered.left.is_empty());
            finished += 1;
        }
        assert_same(&world.picture(), &before, &format!("killed at step {step}"));
        assert!(world.tries.list().unwrap().is_empty());
    }
}

#[test]
fn recovering_can_be_killed_as_well() {
    for (first, second) in [(14, 0), (18, 2), (22, 5), (25, 9), (28, 14), (28, 17)] {
        let world = make(On::Copy);
        let before = world.picture();
        drop(world.tried("t", On::Copy, &steps(WORK)));
        assert!(killed(&world, "keep", first), "{first}");
        assert!(killed(&world, "recover", second), "{first} {second}");
        assert!(killed(&world, "recover", second + 1), "{first} {second}");
        assert_eq!(recover(&world).len(), 1);
        assert_same(&world.picture(), &before, &format!("killed at {first}, and at {second}"));
    }
}

#[test]
fn what_others_did_after_the_crash_is_left_to_them() {
    let world = make(On::Copy);
    let before = world.picture();
    drop(world.tried("t", On::Copy, &steps(WORK)));
    let step = (0..100).find(|step| killed(&world, "keep", *step) && world.path("l/new").exists()).unwrap();
    world.edit(&steps("append|l/new|mine\nremove|d/b"));
    let recovered = recover(&world);
    let left: Vec<_> = recovered[0].left.iter().map(|left| left.path.to_str().unwrap()).collect();
    assert_eq!(left, ["l/new", "l", "d/b"], "{step}");
    // The link that was there had to make room.
    let link = recovered[0].left[1].original.as_ref().unwrap();
    assert!(link.ends_with("rescued/t/l") && link.is_symlink());
    assert!([0, 2].iter().all(|place| recovered[0].left[*place].original.is_none()), "{recovered:?}");
    assert!(world.path("l/new").exists() && world.path("e/f").exists());
    let mut all = world.picture();
    let mut wanted = before;
    for path in ["", "l", "l/new", "d/b"].map(std::path::PathBuf::from) {
        all.remove(&path);
        wanted.remove(&path);
    }
    assert_same(&all, &wanted, "everything else is as it was");
}

#[test]
fn a_damaged_journal_is_not_acted_upon() {
    let world = make(On::Copy);
    drop(world.tried("t", On::Copy, &steps(WORK)));
    assert!(killed(&world, "keep", 30));
    let now = world.picture();
    let plan = world.home().join("tries/t/plan");
    std::fs::File::options().write(true).open(&plan).unwrap().set_len(100).unwrap();
    let answers = world.tries.recover(&mut || {}).unwrap();
    assert!(matches!(answers.as_slice(), [(id, Err(Error::Damaged(_)))] if id == "t"), "{answers:?}");
    assert_same(&world.picture(), &now, "left as it was found");
    assert!(matches!(world.tries.discard("t"), Err(Error::Unknown(_))));
    let next = world.begin("next", On::Copy);
    assert!(
        matches!(next.keep(&next.compare().unwrap(), &mut || {}), Err(Error::Damaged(_))),
        "it stands in the way"
    );
    let saved = world.tries.give_up("t").unwrap().unwrap();
    assert!(texts(&saved).contains(&"one".to_owned()));
    keep(&next, &next.compare().unwrap());
}

#[test]
#[expect(clippy::disallowed_methods, reason = "tests make their own files")]
fn a_workspace_that_is_gone_does_not_stand_in_the_way_of_others() {
    let (world, other) = (make(On::Copy), make(On::Copy));
    drop(world.tried("t", On::Copy, &steps(WORK)));
    assert!(killed(&world, "keep", 25));
    std::fs::rename(&world.workspace, world.workspace.with_file_name("elsewhere")).unwrap();
    let attempt = world.tries.begin_on_copy("other", &other.workspace).unwrap();
    world.run(&attempt, "write\tnew\tx");
    keep(&attempt, &attempt.compare().unwrap());
    assert!(other.path("new").exists());
    let answers = world.tries.recover(&mut || {}).unwrap();
    assert!(matches!(answers.as_slice(), [(id, Err(Error::Io { .. }))] if id == "t"), "{answers:?}");
}

/// Everything that was cut short is seen to.
pub(super) fn recover(world: &World) -> Vec<Recovery> {
    let answers = world.tries.recover(&mut || {}).unwrap();
    answers.into_iter().map(|(_, answer)| answer.unwrap()).collect()
}
