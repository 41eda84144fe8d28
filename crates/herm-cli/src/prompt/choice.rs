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

/// The answers to choose from, and the one that is picked.
#[derive(Clone, Debug)]
pub(super) struct Choice<'a> {
    asked: &'a Asked,
    answers: Vec<Answer>,
    picked: Option<usize>,
}

impl<'a> Choice<'a> {
    pub(super) fn of(asked: &'a Asked) -> Self {
        Self { asked, answers: asked.answers(), picked: None }
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

    /// What a key leads to: an end, or nothing yet.
    pub(super) fn press(&mut self, key: Key) -> Option<Typed> {
        let last = self.answers.len().saturating_sub(1);
        match key {
            Key::Back => self.picked = None,
            Key::Cancel => return Some(Typed::Cancel),
            Key::Char(letter) => {
                let typed = self.asked.typed(&letter.to_string());
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
    use herm_runtime::asked::Trying;
    use serde_json::json;

    use super::super::words::tests::following;
    use super::*;

    fn asked(always: bool, trying: Trying) -> Asked {
        Asked { always, trying, ..following(&json!({})) }
    }

    fn after(asked: &Asked, keys: &[Key]) -> Option<Answer> {
        let mut choice = Choice::of(asked);
        match keys.iter().find_map(|key| choice.press(*key))? {
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
        assert_eq!(Choice::of(&usual).press(Key::Cancel), Some(Typed::Cancel));
        for letter in ['x', 't', 'k'] {
            assert_eq!(after(&usual, &[Key::Char(letter), Key::Enter]), Some(Answer::Deny));
        }
        assert_eq!(after(&usual, &[Key::Char('o'), Key::Char('x'), Key::Enter]), Some(Answer::Deny));
        assert_eq!(after(&usual, &[Key::Char('o'), Key::Back, Key::Enter]), Some(Answer::Deny));
        let once = asked(false, Trying::Impossible);
        assert_eq!(after(&once, &[Key::Char('a'), Key::Enter]), Some(Answer::Deny));
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
