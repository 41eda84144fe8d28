//! Random trees and random work: kept, the workspace is what the work itself would have made of it; undone, it is as it was.

use super::picture::assert_same;
use super::world::{On, World, keep, operate};

/// A small generator with a seed, so that a failure can be repeated.
pub(crate) struct Chance(u64);

impl Chance {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap() % limit
    }

    fn pick<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices.get(self.below(choices.len())).unwrap()
    }

    /// A path of a few levels with names that meet again and again.
    fn path(&mut self) -> String {
        let depth = 1 + self.below(3);
        (0..depth).map(|_| self.pick(&["a", "b", "c", "d"])).collect::<Vec<_>>().join("/")
    }
}

fn tree(chance: &mut Chance, on: On) -> String {
    let mut lines = Vec::new();
    for _ in 0..25 {
        let path = chance.path();
        lines.push(match chance.below(8) {
            0..=2 => format!("mkdir\t{path}"),
            3..=5 => format!("write\t{path}\t{}", "text ".repeat(chance.below(4))),
            6 => format!("symlink\t{}\t{path}", chance.pick(&["a", "b", "nowhere/at all"])),
            _ if on == On::Copy => format!("link\t{}\t{path}", chance.path()),
            _ => format!("mode\t{path}\t{}", chance.pick(&["600", "755", "444"])),
        });
    }
    lines.join("\n")
}

fn work(chance: &mut Chance) -> String {
    let mut lines = Vec::new();
    for _ in 0..30 {
        let path = chance.path();
        lines.push(match chance.below(14) {
            0 => format!("mkdir\t{path}"),
            1 | 2 => format!("write\t{path}\t{}", "other ".repeat(chance.below(4))),
            3 => format!("append\t{path}\tmore"),
            4 => format!("symlink\t{}\t{path}", chance.pick(&["a", "b", "nowhere/at all"])),
            5 => format!("link\t{}\t{path}", chance.path()),
            6 => format!("mode\t{path}\t{}", chance.pick(&["600", "755", "700"])),
            7 => format!("touch\t{path}\t1400000000"),
            8 => format!("remove\t{path}"),
            9 => format!("rmtree\t{path}"),
            10 => format!("xattr\t{path}\tuser.note\t{}", chance.pick(&["x", "y"])),
            11 => format!("rmdir\t{path}"),
            _ => format!("rename\t{path}\t{}", chance.path()),
        });
    }
    lines.join("\n")
}

fn check(seed: u64, on: On) {
    let chance = &mut Chance::new(seed);
    let (made, work) = (tree(chance, on), work(chance));
    let (world, reference) = (World::loose(&made), World::loose(&made));
    let before = world.picture();
    assert_same(&reference.picture(), &before, "both begin alike");
    let attempt = world.begin("t", on);
    let ended = world.run(&attempt, &work);
    // What an overlay of a user lacks is refused there; then the work that was done is what counts.
    let done: Vec<&str> = ended.lines().filter_map(|line| line.strip_prefix("ok ")).collect();
    let plain =
        operate(&reference.workspace, if on == On::User { done.join("\n") } else { work.clone() }.as_str());
    if on != On::User {
        assert_eq!(ended, plain, "seed {seed} on {on:?}: a try feels like the workspace");
    }
    let comparison = attempt.compare().unwrap();
    keep(&attempt, &comparison);
    assert_same(
        &world.picture(),
        &reference.picture(),
        &format!("seed {seed} on {on:?}, kept after\n{made}\n--\n{ended}"),
    );
    world.tries.undo("t", &mut || {}).unwrap();
    assert_same(&world.picture(), &before, &format!("seed {seed} on {on:?}, undone"));
}

/// How many trees are made for each ground.
const TREES: u64 = 10;

#[test]
fn on_a_copy() {
    (0..TREES).for_each(|seed| check(seed, On::Copy));
}

#[test]
fn on_an_overlay_of_root() {
    if rustix::process::geteuid().is_root() {
        (0..TREES).for_each(|seed| check(seed, On::Root));
    }
}

#[test]
fn on_an_overlay_of_a_user() {
    (0..TREES).for_each(|seed| check(seed, On::User));
}
