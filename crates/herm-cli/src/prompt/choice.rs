//! Choosing an answer: letters and arrows pick one, Enter gives it.

use herm::approval::Answer;
use herm_runtime::asked::Asked;

use super::keys::Key;

/// What came of asking at a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Typed {
    /// An answer.
    Answer(Answer),
    /// The person left without one.
    Cancel,
    /// The time is over, or somebody else has answered.
    Nothing,
}

/// When a question comes up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Occasion {
    /// Before anything runs: whoever types, types to us.
    Before,
    /// While something runs at this terminal: a person may be typing to it.
    During,
}

/// What a key leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pressed {
    /// What was typed is no answer, and was meant for somebody else: it is asked again.
    Again,
    /// An end.
    End(Typed),
    /// Nothing yet.
    More,
}

/// The answers to choose from, and the one that is picked.
#[derive(Clone, Debug)]
pub(super) struct Choice<'a> {
    asked: &'a Asked,
    answers: Vec<Answer>,
    picked: Option<usize>,
    occasion: Occasion,
    /// How much was typed since the question, or since it was taken back.
    typed: usize,
}

impl<'a> Choice<'a> {
    pub(super) fn of(asked: &'a Asked, occasion: Occasion) -> Self {
        Self { asked, answers: asked.answers(), picked: None, occasion, typed: 0 }
    }

    /// What an answer is called.
    pub(super) const fn word(&self, answer: Answer) -> &'static str {
        self.asked.word(answer)
    }

    pub(super) fn answers(&self) -> &[Answer] {
        &self.answers
    }

    /// The answer that Enter would give now; silence is a no.
    pub(super) fn picked(&self) -> Option<Answer> {
        self.picked.and_then(|at| self.answers.get(at)).copied()
    }

    /// Whether more was typed than an answer has letters: a command, perhaps, that happens to end in one of ours.
    pub(super) const fn is_muddled(&self) -> bool {
        self.typed > 1
    }

    pub(super) fn press(&mut self, key: Key) -> Pressed {
        match key {
            Key::Back => self.clear(),
            Key::Cancel => return Pressed::End(Typed::Cancel),
            Key::Char(letter) => self.letter(letter),
            Key::Enter if self.is_muddled() => {
                self.clear();
                return Pressed::Again;
            }
            Key::Enter => return Pressed::End(Typed::Answer(self.picked().unwrap_or(Answer::Deny))),
            Key::Left if self.walks() => self.pick(|at, last| at.map_or(last, |at| at.saturating_sub(1))),
            Key::Right if self.walks() => self.pick(|at, last| at.map_or(0, |at| (at + 1).min(last))),
            Key::Left | Key::Other | Key::Right => self.muddle(),
        }
        Pressed::More
    }

    fn letter(&mut self, letter: char) {
        self.typed = self.typed.saturating_add(1);
        let answer = self.asked.typed(&letter.to_string()).filter(|_| !self.is_muddled());
        self.picked = self.answers.iter().position(|known| Some(*known) == answer);
    }

    /// Whether arrows walk through the answers. To a program that runs, they mean something else.
    fn walks(&self) -> bool {
        self.occasion == Occasion::Before
    }

    fn pick(&mut self, next: impl FnOnce(Option<usize>, usize) -> usize) {
        self.picked = Some(next(self.picked, self.answers.len().saturating_sub(1)));
    }

    fn muddle(&mut self) {
        self.typed = self.typed.saturating_add(2);
        self.picked = None;
    }

    const fn clear(&mut self) {
        self.typed = 0;
        self.picked = None;
    }
}

#[cfg(test)]
mod tests {
    use herm_runtime::asked::Trying;
    use serde_json::json;

    use super::super::keys::keys;
    use super::super::words::tests::following;
    use super::*;

    fn asked(always: bool, trying: Trying) -> Asked {
        Asked { always, trying, ..following(&json!({})) }
    }

    fn after(asked: &Asked, keys: &[Key]) -> Option<Answer> {
        answered(asked, Occasion::Before, keys)
    }

    fn answered(asked: &Asked, occasion: Occasion, keys: &[Key]) -> Option<Answer> {
        let mut choice = Choice::of(asked, occasion);
        let end = |key: &Key| match choice.press(*key) {
            Pressed::End(typed) => Some(typed),
            Pressed::Again | Pressed::More => None,
        };
        match keys.iter().find_map(end)? {
            Typed::Answer(answer) => Some(answer),
            Typed::Cancel | Typed::Nothing => None,
        }
    }

    #[test]
    fn a_letter_and_enter_answer() {
        let all = asked(true, Trying::Offered);
        for (letter, answer) in [
            ('o', Answer::Once),
            ('s', Answer::Session),
            ('a', Answer::Always),
            ('t', Answer::Try),
            ('d', Answer::Deny),
            ('S', Answer::Session),
        ] {
            assert_eq!(after(&all, &[Key::Char(letter)]), None);
            assert_eq!(after(&all, &[Key::Char(letter), Key::Enter]), Some(answer));
        }
    }

    #[test]
    fn arrows_walk_through_the_answers_and_stop_at_the_ends() {
        let usual = asked(true, Trying::Impossible);
        assert_eq!(after(&usual, &[Key::Right, Key::Enter]), Some(Answer::Once));
        assert_eq!(after(&usual, &[Key::Right, Key::Right, Key::Enter]), Some(Answer::Session));
        assert_eq!(after(&usual, &[Key::Left, Key::Right, Key::Enter]), Some(Answer::Deny));
        assert_eq!(after(&usual, &[Key::Right, Key::Left, Key::Left, Key::Enter]), Some(Answer::Once));
    }

    #[test]
    fn everything_else_is_a_no() {
        let usual = asked(true, Trying::Impossible);
        assert_eq!(after(&usual, &[Key::Enter]), Some(Answer::Deny));
        let cancelled = Choice::of(&usual, Occasion::Before).press(Key::Cancel);
        assert_eq!(cancelled, Pressed::End(Typed::Cancel));
        for letter in ['x', 't', 'k'] {
            assert_eq!(after(&usual, &[Key::Char(letter), Key::Enter]), Some(Answer::Deny));
        }
        assert_eq!(after(&usual, &[Key::Char('o'), Key::Back, Key::Enter]), Some(Answer::Deny));
        let once = asked(false, Trying::Impossible);
        assert_eq!(after(&once, &[Key::Char('a'), Key::Enter]), Some(Answer::Deny));
    }

    #[test]
    fn what_is_typed_to_somebody_else_is_no_answer() {
        let all = asked(true, Trying::Offered);
        for occasion in [Occasion::Before, Occasion::During] {
            for text in
                [&b"ls\r"[..], b"java\r", b"ox\r", b"x s\r", b"1s\r", b"\x1b[200~s\x1b[201~\r", b"\x1bs\r"]
            {
                let mut choice = Choice::of(&all, occasion);
                let pressed: Vec<_> = keys(text).into_iter().map(|key| choice.press(key)).collect();
                let (last, before) = pressed.split_last().unwrap();
                assert_eq!(*last, Pressed::Again, "{occasion:?} {text:?}");
                assert!(before.iter().all(|pressed| *pressed == Pressed::More), "{occasion:?} {text:?}");
                assert!(choice.picked().is_none(), "{occasion:?} {text:?}");
            }
            // Whoever meant it takes it back, or says it when asked again.
            assert_eq!(answered(&all, occasion, &keys(b"ls\x7fo\r")), Some(Answer::Once));
            assert_eq!(answered(&all, occasion, &keys(b"ls\ro\r")), Some(Answer::Once));
        }
    }

    #[test]
    fn arrows_are_no_answer_while_something_runs() {
        let all = asked(true, Trying::Offered);
        for arrows in [&b"\x1b[B\r"[..], b"\x1bOB\r", b"\x1b[C\x1b[C\r", b"\x1b[As\r", b"s\x1b[B\r"] {
            assert_eq!(answered(&all, Occasion::During, &keys(arrows)), None, "{arrows:?}");
        }
    }

    #[test]
    fn what_was_tried_is_kept_by_its_own_letter_alone() {
        let over = asked(true, Trying::Over(String::new()));
        assert_eq!(after(&over, &[Key::Char('k'), Key::Enter]), Some(Answer::Once));
        for letter in ['o', 'y', 's', 'a', 't', 'd'] {
            assert_eq!(after(&over, &[Key::Char(letter), Key::Enter]), Some(Answer::Deny), "{letter}");
        }
    }
}
