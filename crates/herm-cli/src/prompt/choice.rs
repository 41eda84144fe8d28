//! Choosing an answer: letters and arrows pick one, Enter gives it.

use herm::approval::Answer;

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

/// The answers to choose from, and the one that is picked.
#[derive(Clone, Debug)]
pub(super) struct Choice {
    answers: Vec<Answer>,
    picked: Option<usize>,
}

impl Choice {
    pub(super) fn new(always: bool) -> Self {
        let mut answers = vec![Answer::Once, Answer::Session, Answer::Always, Answer::Deny];
        answers.retain(|answer| always || *answer != Answer::Always);
        Self { answers, picked: None }
    }

    pub(super) fn answers(&self) -> &[Answer] {
        &self.answers
    }

    /// The answer that Enter would give now; silence is a no.
    pub(super) fn picked(&self) -> Option<Answer> {
        self.picked.and_then(|at| self.answers.get(at)).copied()
    }

    /// What a key leads to: an end, or nothing yet.
    pub(super) fn press(&mut self, key: Key) -> Option<Typed> {
        let last = self.answers.len().saturating_sub(1);
        match key {
            Key::Back => self.picked = None,
            Key::Cancel => return Some(Typed::Cancel),
            Key::Char(letter) => {
                let typed = Answer::from_typed(&letter.to_string());
                self.picked = self.answers.iter().position(|answer| Some(*answer) == typed);
            }
            Key::Enter => return Some(Typed::Answer(self.picked().unwrap_or(Answer::Deny))),
            Key::Left => self.picked = Some(self.picked.map_or(last, |at| at.saturating_sub(1))),
            Key::Other => {}
            Key::Right => self.picked = Some(self.picked.map_or(0, |at| (at + 1).min(last))),
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(always: bool, keys: &[Key]) -> Option<Answer> {
        let mut choice = Choice::new(always);
        match keys.iter().find_map(|key| choice.press(*key))? {
            Typed::Answer(answer) => Some(answer),
            Typed::Cancel | Typed::Nothing => None,
        }
    }

    #[test]
    fn a_letter_and_enter_answer() {
        for (letter, answer) in [
            ('o', Answer::Once),
            ('s', Answer::Session),
            ('a', Answer::Always),
            ('d', Answer::Deny),
            ('S', Answer::Session),
        ] {
            assert_eq!(after(true, &[Key::Char(letter)]), None);
            assert_eq!(after(true, &[Key::Char(letter), Key::Enter]), Some(answer));
        }
    }

    #[test]
    fn arrows_walk_through_the_answers_and_stop_at_the_ends() {
        assert_eq!(after(true, &[Key::Right, Key::Enter]), Some(Answer::Once));
        assert_eq!(after(true, &[Key::Right, Key::Right, Key::Enter]), Some(Answer::Session));
        assert_eq!(after(true, &[Key::Left, Key::Right, Key::Enter]), Some(Answer::Deny));
        assert_eq!(after(true, &[Key::Right, Key::Left, Key::Left, Key::Enter]), Some(Answer::Once));
    }

    #[test]
    fn everything_else_is_a_no() {
        assert_eq!(after(true, &[Key::Enter]), Some(Answer::Deny));
        assert_eq!(Choice::new(true).press(Key::Cancel), Some(Typed::Cancel));
        assert_eq!(after(true, &[Key::Char('x'), Key::Enter]), Some(Answer::Deny));
        assert_eq!(after(true, &[Key::Char('o'), Key::Char('x'), Key::Enter]), Some(Answer::Deny));
        assert_eq!(after(true, &[Key::Char('o'), Key::Back, Key::Enter]), Some(Answer::Deny));
        assert_eq!(after(false, &[Key::Char('a'), Key::Enter]), Some(Answer::Deny));
    }
}
