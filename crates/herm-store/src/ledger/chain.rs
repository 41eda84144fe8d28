//! Follows the hashes from record to record, and tells what a break in them means.
//!
//! A record that is not what it was shows in the one after it, which holds its hash; the head is the one after the last.
//! Where a record's own note of the hash before it was changed, both sides of it break: then the changed one is the
//! last of that run of breaks, since the next one fits, and those before it have nothing left that vouches for them.

use super::Flaw;
use super::head::Head;
use crate::digest::Digest;

/// The chain so far.
#[derive(Debug)]
pub(crate) struct Chain {
    flaws: Vec<Flaw>,
    head: Option<Head>,
    tip: Tip,
    /// Ranges of records that were skipped over, and may turn up later.
    skipped: Vec<(u64, u64)>,
    /// The first record of a run in which none has the hash that the next one holds.
    broken: Option<u64>,
    /// Lines since the tip that could not be read: how many, and which is the first.
    unreadable: Option<(u64, u64)>,
}

/// The latest record that is in its order.
#[derive(Clone, Copy, Debug)]
struct Tip {
    seq: u64,
    trust: Trust,
}

/// What is known of a record, so what the next one can be held against.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Trust {
    /// It is known to be changed, and its hash says nothing.
    Lost,
    /// It has this hash, and the next one will tell whether it should.
    Open(Digest),
    /// It has this hash, and should.
    Sure(Digest),
}

impl Chain {
    pub(crate) fn new(head: Option<Head>) -> Self {
        let tip = Tip { seq: 0, trust: Trust::Sure(Digest::ZERO) };
        Self { flaws: Vec::new(), head, tip, skipped: Vec::new(), broken: None, unreadable: None }
    }

    /// A line that is no record.
    pub(crate) fn unreadable(&mut self, line: u64) {
        let (count, _) = self.unreadable.get_or_insert((0, line));
        *count += 1;
    }

    /// A record.
    pub(crate) fn readable(&mut self, seq: u64, previous: Digest, hash: Digest, line: u64) {
        let next = self.tip.seq + 1;
        if self.tip.trust == Trust::Open(previous) || self.tip.trust == Trust::Sure(previous) {
            self.follows(seq, hash);
        } else if seq < next {
            self.out_of_order(seq, line);
        } else if seq > next {
            self.skips(seq, hash);
        } else {
            self.breaks(hash);
        }
    }

    /// A record that holds the hash of the tip belongs here, even if it says that it is another.
    fn follows(&mut self, seq: u64, hash: Digest) {
        let next = self.tip.seq + 1;
        self.foreign_lines();
        self.tip_is_sound();
        if seq == next {
            self.advance(next, Trust::Open(hash));
        } else {
            self.altered(next, next);
            self.advance(next, Trust::Lost);
        }
    }

    /// A record that is the next one and does not hold the hash of the tip: one of both was changed.
    fn breaks(&mut self, hash: Digest) {
        let next = self.tip.seq + 1;
        self.foreign_lines();
        match self.tip.trust {
            Trust::Lost => self.advance(next, Trust::Open(hash)),
            Trust::Open(_) => {
                self.broken.get_or_insert(self.tip.seq);
                self.advance(next, Trust::Open(hash));
            }
            Trust::Sure(_) => {
                self.altered(next, next);
                self.advance(next, Trust::Lost);
            }
        }
    }

    /// Records are missing before this one; or they stand there and cannot be read.
    fn skips(&mut self, seq: u64, hash: Digest) {
        let (first, last) = (self.tip.seq + 1, seq - 1);
        self.give_up_run();
        match self.unreadable.take() {
            Some(_) => self.altered(first, last),
            None => self.skipped.push((first, last)),
        }
        self.advance(seq, Trust::Open(hash));
    }

    fn out_of_order(&mut self, seq: u64, line: u64) {
        let Some(place) = self.skipped.iter().position(|(first, last)| (*first..=*last).contains(&seq))
        else {
            return self.flaws.push(Flaw::Repeated { seq, line });
        };
        let (first, last) = self.skipped.remove(place);
        let around = [(first, seq - 1), (seq + 1, last)];
        self.skipped.extend(around.into_iter().filter(|(first, last)| first <= last));
        self.flaws.push(Flaw::Reordered { seq, line });
    }

    /// Nothing is missing where these lines stand, so they were put there.
    fn foreign_lines(&mut self) {
        if let Some((_, line)) = self.unreadable.take() {
            self.flaws.push(Flaw::Foreign { line });
        }
    }

    /// Ends a run of breaks: the record before the tip is not what the tip says it was.
    fn tip_is_sound(&mut self) {
        if let Some(first) = self.broken.take() {
            let changed = self.tip.seq - 1;
            self.unvouched(first, changed);
            self.altered(changed, changed);
        }
    }

    /// Ends a run of breaks after which nothing tells which of them was changed.
    fn give_up_run(&mut self) {
        if let Some(first) = self.broken.take() {
            self.altered(first, self.tip.seq);
        }
    }

    fn advance(&mut self, seq: u64, trust: Trust) {
        self.tip = Tip { seq, trust };
        let Some(head) = self.head.filter(|head| head.seq == seq) else { return };
        match trust {
            Trust::Open(hash) if hash == head.hash => {
                self.tip_is_sound();
                self.tip.trust = Trust::Sure(hash);
            }
            Trust::Open(_) => {
                if let Some(first) = self.broken.take() {
                    self.unvouched(first, seq);
                }
                self.altered(seq, seq);
                self.tip.trust = Trust::Lost;
            }
            Trust::Lost | Trust::Sure(_) => {}
        }
    }

    /// What was found, once there are no more lines.
    pub(crate) fn finish(mut self) -> Vec<Flaw> {
        self.give_up_run();
        let first = self.tip.seq + 1;
        let missing = self.head.map_or(0, |head| head.seq.saturating_sub(self.tip.seq));
        let changed = self.unreadable.map_or(0, |(count, _)| count.min(missing));
        if changed == 0 {
            self.foreign_lines();
        } else {
            self.altered(first, first + changed - 1);
        }
        if missing > changed {
            self.flaws.push(Flaw::Truncated { first: first + changed, last: first + missing - 1 });
        }
        let removed = self.skipped.iter().map(|(first, last)| Flaw::Removed { first: *first, last: *last });
        self.flaws.extend(removed);
        self.flaws
    }

    fn altered(&mut self, first: u64, last: u64) {
        self.flaws.push(Flaw::Altered { first, last });
    }

    /// The records from the first up to the one that was changed.
    fn unvouched(&mut self, first: u64, changed: u64) {
        if first < changed {
            self.flaws.push(Flaw::Unvouched { first, last: changed - 1 });
        }
    }
}
