//! What operators make of their operands.

use std::rc::Rc;

use super::super::ast::{Comparison, Expression, Operator};
use super::collections::bound;
use super::{Interpreter, MAX_TEXT, Object, joined};
use crate::value::{Provenance, Value};

impl Interpreter<'_> {
    pub(super) fn binary(&mut self, left: &Object, operator: Operator, right: &Object) -> Object {
        if !self.spend_on(left) || !self.spend_on(right) {
            return self.unknown_of(left, right);
        }
        if matches!(left, Object::OneOf(_)) || matches!(right, Object::OneOf(_)) {
            return self.binary_choices(left, operator, right);
        }
        match operator {
            Operator::Add => self.add(left, right),
            Operator::Multiply => self.multiply(left, right),
            Operator::Modulo if is_text(left) => self.percent(left, right),
            Operator::Divide if matches!(left, Object::Path(_)) || matches!(right, Object::Path(_)) => {
                let (left, right) = (self.text_of(left), self.text_of(right));
                Object::Path(Rc::new(super::paths::join(&left, &right)))
            }
            Operator::Or => self.either(left, right),
            Operator::And
            | Operator::Divide
            | Operator::FloorDivide
            | Operator::MatrixMultiply
            | Operator::Modulo
            | Operator::Power
            | Operator::ShiftLeft
            | Operator::ShiftRight
            | Operator::Subtract
            | Operator::Xor => self.arithmetic(left, operator, right),
        }
    }

    fn binary_choices(&mut self, left: &Object, operator: Operator, right: &Object) -> Object {
        let mut result: Option<Object> = None;
        for left in left.choices() {
            for right in right.choices() {
                let object = self.binary(left, operator, right);
                result = Some(match result {
                    Some(earlier) => earlier.or(object),
                    None => object,
                });
            }
        }
        result.unwrap_or(Object::None)
    }

    fn add(&mut self, left: &Object, right: &Object) -> Object {
        match (left, right) {
            (Object::Int(left), Object::Int(right)) => int(left.checked_add(*right)),
            (Object::Bytes(left, from), Object::Bytes(right, also))
                if left.len() + right.len() <= MAX_TEXT =>
            {
                Object::Bytes(left.iter().chain(right.iter()).copied().collect(), *from | *also)
            }
            (Object::List(_) | Object::Tuple(_), _) | (_, Object::List(_) | Object::Tuple(_)) => {
                let mut items = self.elements(left).unwrap_or_else(|| vec![left.clone()]);
                items.extend(self.elements(right).unwrap_or_else(|| vec![right.clone()]));
                bound(&mut items);
                self.heap.list(items)
            }
            _ if is_text(left) || is_text(right) => {
                let (left, right) = (self.text_of(left), self.text_of(right));
                Object::value(joined(&left, &right))
            }
            _ => self.unknown_of(left, right),
        }
    }

    fn multiply(&mut self, left: &Object, right: &Object) -> Object {
        let (object, times) = match (left, right) {
            (Object::Int(left), Object::Int(right)) => return int(left.checked_mul(*right)),
            (Object::Int(times), object) | (object, Object::Int(times)) => (object, *times),
            _ => return self.unknown_of(left, right),
        };
        let times = usize::try_from(times).unwrap_or(0);
        match object {
            Object::Text(value) => match value.known() {
                Some(text)
                    if text.len().saturating_mul(times) <= MAX_TEXT
                        && self.spend(text.len().saturating_mul(times) / 64) =>
                {
                    Object::value(Value::literal(text.repeat(times)).from(value.provenance))
                }
                Some(_) | None => self.unknown_of(left, right),
            },
            Object::Bytes(bytes, from) => {
                // A long run of one byte matters only as something that is written.
                let times = times.min(MAX_TEXT / bytes.len().max(1) / 16);
                Object::Bytes(bytes.repeat(times).into(), *from)
            }
            Object::List(id) | Object::Tuple(id) => {
                let items = self.heap.items(*id).to_vec();
                let times = times.min(256 / items.len().max(1));
                let items = std::iter::repeat_n(items, times).flatten().collect();
                self.heap.list(items)
            }
            object => self.unknown_of(object, right),
        }
    }

    /// `a | b`: numbers, sets and dictionaries.
    fn either(&mut self, left: &Object, right: &Object) -> Object {
        match (left, right) {
            (Object::Dict(one), Object::Dict(two)) => {
                let mut entries = self.heap.entries(*one).to_vec();
                entries.extend(self.heap.entries(*two).to_vec());
                self.heap.dict(entries)
            }
            (Object::List(_), Object::List(_)) => self.add(left, right),
            _ => self.arithmetic(left, Operator::Or, right),
        }
    }

    fn arithmetic(&mut self, left: &Object, operator: Operator, right: &Object) -> Object {
        let (Some(one), Some(two)) = (left.int(), right.int()) else { return self.unknown_of(left, right) };
        let shift = u32::try_from(two).ok();
        int(match operator {
            Operator::Add => one.checked_add(two),
            Operator::And => Some(one & two),
            Operator::Divide | Operator::MatrixMultiply => None,
            Operator::FloorDivide => floor_divide(one, two),
            Operator::Modulo => {
                floor_divide(one, two).and_then(|times| one.checked_sub(times.checked_mul(two)?))
            }
            Operator::Multiply => one.checked_mul(two),
            Operator::Or => Some(one | two),
            Operator::Power => shift.and_then(|power| one.checked_pow(power)),
            Operator::ShiftLeft => {
                shift.filter(|&shift| shift < 62).and_then(|shift| one.checked_mul(1 << shift))
            }
            Operator::ShiftRight => shift.and_then(|shift| one.checked_shr(shift)),
            Operator::Subtract => one.checked_sub(two),
            Operator::Xor => Some(one ^ two),
        })
    }

    fn unknown_of(&mut self, left: &Object, right: &Object) -> Object {
        Object::unknown("a value", self.provenance(left) | self.provenance(right))
    }

    /// Comparisons are decided only between plain, known things.
    pub(super) fn comparison(&mut self, first: &Expression, rest: &[(Comparison, Expression)]) -> Object {
        let mut left = self.evaluate(first);
        let mut truth = Some(true);
        for (comparison, right) in rest {
            let right = self.evaluate(right);
            truth = match (truth, Self::compare(&left, *comparison, &right)) {
                (Some(true), result) => result,
                (Some(false), _) => Some(false),
                (None, _) => None,
            };
            left = right;
        }
        truth.map_or_else(|| Object::unknown("a comparison", Provenance::NONE), Object::Bool)
    }

    fn compare(left: &Object, comparison: Comparison, right: &Object) -> Option<bool> {
        let plain = |object: &Object| {
            matches!(object, Object::Int(_) | Object::Bool(_) | Object::None) || object.known_text().is_some()
        };
        match comparison {
            Comparison::In | Comparison::NotIn => return None,
            Comparison::Equal | Comparison::Is if plain(left) && plain(right) => {
                return Some(same(left, right));
            }
            Comparison::NotEqual | Comparison::IsNot if plain(left) && plain(right) => {
                return Some(!same(left, right));
            }
            Comparison::Equal
            | Comparison::Greater
            | Comparison::GreaterEqual
            | Comparison::Is
            | Comparison::IsNot
            | Comparison::Less
            | Comparison::LessEqual
            | Comparison::NotEqual => {}
        }
        let (left, right) = (left.int()?, right.int()?);
        match comparison {
            Comparison::Greater => Some(left > right),
            Comparison::GreaterEqual => Some(left >= right),
            Comparison::Less => Some(left < right),
            Comparison::LessEqual => Some(left <= right),
            Comparison::Equal
            | Comparison::In
            | Comparison::Is
            | Comparison::IsNot
            | Comparison::NotEqual
            | Comparison::NotIn => None,
        }
    }
}

/// Whether two known objects are equal; where they came from does not count.
fn same(left: &Object, right: &Object) -> bool {
    match (left.known_text(), right.known_text()) {
        (Some(left), Some(right)) => left == right,
        _ => left == right,
    }
}

fn is_text(object: &Object) -> bool {
    matches!(object, Object::Text(_) | Object::Bytes(..))
}

fn int(number: Option<i64>) -> Object {
    number.map_or_else(|| Object::unknown("a number", Provenance::NONE), Object::Int)
}

fn floor_divide(one: i64, two: i64) -> Option<i64> {
    let quotient = one.checked_div(two)?;
    let inexact = one.checked_rem(two)? != 0 && (one < 0) != (two < 0);
    Some(quotient - i64::from(inexact))
}
