//! Questions about connections, asked at the terminal that a run is on.
//!
//! They come up on the proxy's threads. The person is asked by the thread that carries the command's output and its keys: while it
//! asks, neither goes on, so what the person types reaches nobody else, and nothing is written over the question.

use std::sync::mpsc::{self, Receiver, Sender, SyncSender};
use std::time::{Duration, Instant};

use herm::approval::Answer;

use crate::asked::Asked;
use crate::books::Books;
use crate::people::{Heard, People};

/// A question that waits for its answer.
#[derive(Debug)]
pub(crate) struct Ring {
    asked: Asked,
    say: SyncSender<Answer>,
}

/// Where questions come from.
#[derive(Clone, Debug)]
pub(crate) struct Button(Sender<Ring>);

/// Where they are heard.
pub(crate) type Rings = Receiver<Ring>;

/// A button, and where it is heard.
pub(crate) fn bell() -> (Button, Rings) {
    let (button, rings) = mpsc::channel();
    (Button(button), rings)
}

/// How long past its time an answer may take, since others may be asked about first.
const SLACK: Duration = Duration::from_mins(5);

impl Button {
    /// Nobody there, and silence, is a no.
    pub(crate) fn answer(&self, asked: Asked, seconds: u32) -> Answer {
        let (say, hear) = mpsc::sync_channel(1);
        if self.0.send(Ring { asked, say }).is_err() {
            return Answer::Deny;
        }
        hear.recv_timeout(Duration::from_secs(u64::from(seconds)) + SLACK).unwrap_or(Answer::Deny)
    }
}

/// Whoever answers at the terminal of a run.
#[derive(Debug)]
pub(crate) struct Doorkeeper<'a> {
    rings: Rings,
    people: &'a mut dyn People,
    books: &'a dyn Books,
    seconds: u32,
    /// How many more questions a person is bothered with.
    left: u32,
    /// How many were refused because there were too many.
    unasked: u32,
}

/// How many questions a person is bothered with by one run: whoever wants to reach more hosts than this is refused.
const MOST_QUESTIONS: u32 = 32;

impl<'a> Doorkeeper<'a> {
    /// One who asks these people, and waits for so many seconds each time.
    pub(crate) fn new(rings: Rings, people: &'a mut dyn People, books: &'a dyn Books, seconds: u32) -> Self {
        Self { rings, people, books, seconds, left: MOST_QUESTIONS, unasked: 0 }
    }

    /// What whoever asked for the run is told about questions that nobody was asked.
    pub(crate) fn note(&self) -> Option<String> {
        let (connections, were) = match self.unasked {
            0 => return None,
            1 => ("1 connection".to_owned(), "was"),
            many => (format!("{many} connections"), "were"),
        };
        Some(format!(
            "{connections} {were} refused unasked: nobody is asked more than {MOST_QUESTIONS} times during a run"
        ))
    }

    /// Asks whatever waits to be asked. Says how long that took.
    pub(crate) fn attend(&mut self) -> Duration {
        let begun = Instant::now();
        let mut took = Duration::ZERO;
        while let Ok(Ring { asked, say }) = self.rings.try_recv() {
            let answer = self.ask(&asked);
            // Whoever wanted to connect may have given up.
            let _ = say.send(answer);
            took = begun.elapsed();
        }
        took
    }

    /// What nobody has said is not remembered.
    fn ask(&mut self, asked: &Asked) -> Answer {
        let Some(left) = self.left.checked_sub(1) else {
            self.unasked = self.unasked.saturating_add(1);
            return Answer::Deny;
        };
        self.left = left;
        let Heard::Answer { answer, .. } = self.people.interrupt(asked, self.seconds) else {
            return Answer::Deny;
        };
        // What cannot be kept is asked again.
        let _ = self.books.keep(answer, asked);
        answer
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use herm_store::{Digest, Kind};
    use serde_json::Value;

    use super::*;
    use crate::asked::Trying;
    use crate::books::{Error, Follows, Memory};

    /// Says one thing to everybody, and counts.
    #[derive(Debug)]
    struct Person(Heard, usize);

    impl People for Person {
        fn ask(&mut self, _: &Asked, _: u32) -> Heard {
            self.1 += 1;
            self.0.clone()
        }
    }

    /// Remembers what it is told to keep.
    #[derive(Debug, Default)]
    struct Notes(std::cell::RefCell<Vec<Answer>>);

    impl Books for Notes {
        fn receipt(&self) -> String {
            String::new()
        }
        fn append(&self, _: Kind, _: &str, _: Value) -> Result<(), Error> {
            Ok(())
        }
        fn memory(&self, _: &str) -> Result<Memory, Error> {
            Ok(Memory::default())
        }
        fn spend(&self, _: &str, _: &[String]) -> bool {
            false
        }
        fn late_answer(&self, _: &str, _: Digest) -> Option<(Answer, String)> {
            None
        }
        fn consented(&self, _: &str, _: &str) -> Option<bool> {
            None
        }
        fn keep(&self, answer: Answer, _: &Asked) -> Result<(), Error> {
            self.0.borrow_mut().push(answer);
            Ok(())
        }
    }

    fn asked() -> Asked {
        Asked {
            id: String::new(),
            session: String::new(),
            command: "connect to a.example:443".to_owned(),
            cwd: "/".to_owned(),
            digest: String::new(),
            mentions: Vec::new(),
            always: false,
            follows: Follows::default(),
            trying: Trying::Impossible,
        }
    }

    #[expect(clippy::disallowed_methods, reason = "whoever asks is not who answers")]
    fn beside<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> thread::JoinHandle<T> {
        thread::spawn(work)
    }

    fn heard(heard: Heard) -> (Answer, Vec<Answer>) {
        let (button, rings) = bell();
        let waiting = beside(move || button.answer(asked(), 1));
        let (mut person, notes) = (Person(heard, 0), Notes::default());
        let mut keeper = Doorkeeper::new(rings, &mut person, &notes, 1);
        while !waiting.is_finished() {
            let _ = keeper.attend();
            thread::yield_now();
        }
        assert_eq!(person.1, 1);
        (waiting.join().unwrap(), notes.0.into_inner())
    }

    #[test]
    fn an_answer_is_passed_on_and_kept() {
        for answer in [Answer::Once, Answer::Session, Answer::Always, Answer::Deny] {
            assert_eq!(heard(Heard::Answer { answer, by: String::new() }), (answer, vec![answer]));
        }
    }

    #[test]
    fn silence_is_a_no_that_is_not_kept() {
        assert_eq!(heard(Heard::Silence), (Answer::Deny, vec![]));
        assert_eq!(heard(Heard::Nobody(String::new())), (Answer::Deny, vec![]));
    }

    #[test]
    fn there_is_an_end_to_questions() {
        let (button, rings) = bell();
        let waiting = beside(move || [0, 1, 2].map(|_| button.answer(asked(), 1)));
        let yes = Heard::Answer { answer: Answer::Once, by: String::new() };
        let (mut person, notes) = (Person(yes, 0), Notes::default());
        let mut keeper = Doorkeeper { left: 2, ..Doorkeeper::new(rings, &mut person, &notes, 1) };
        assert_eq!(keeper.note(), None);
        while !waiting.is_finished() {
            let _ = keeper.attend();
            thread::yield_now();
        }
        assert_eq!(waiting.join().unwrap(), [Answer::Once, Answer::Once, Answer::Deny]);
        assert!(
            keeper.note().unwrap().starts_with("1 connection was refused unasked"),
            "{:?}",
            keeper.note()
        );
        assert_eq!(person.1, 2);
    }

    #[test]
    fn nobody_waits_for_whoever_has_gone() {
        let (button, rings) = bell();
        let waiting = beside(move || (button.answer(asked(), 60), button.answer(asked(), 60)));
        let first = rings.recv().unwrap();
        drop((first, rings));
        assert_eq!(waiting.join().unwrap(), (Answer::Deny, Answer::Deny));
    }
}
