//! Operators and names.

/// Operators between two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Binary {
    Add,
    And,
    BitAnd,
    BitOr,
    BitXor,
    Divide,
    Equal,
    Greater,
    GreaterOrEqual,
    Less,
    LessOrEqual,
    Multiply,
    Or,
    Power,
    Remainder,
    ShiftLeft,
    ShiftRight,
    Subtract,
    Unequal,
}

/// Each before those that it begins with, and how tightly it binds.
const BINARY: [(&str, Binary, u8); 19] = [
    ("||", Binary::Or, 1),
    ("&&", Binary::And, 2),
    ("==", Binary::Equal, 6),
    ("!=", Binary::Unequal, 6),
    ("<<", Binary::ShiftLeft, 8),
    (">>", Binary::ShiftRight, 8),
    ("<=", Binary::LessOrEqual, 7),
    (">=", Binary::GreaterOrEqual, 7),
    ("**", Binary::Power, 11),
    ("|", Binary::BitOr, 3),
    ("^", Binary::BitXor, 4),
    ("&", Binary::BitAnd, 5),
    ("<", Binary::Less, 7),
    (">", Binary::Greater, 7),
    ("+", Binary::Add, 9),
    ("-", Binary::Subtract, 9),
    ("*", Binary::Multiply, 10),
    ("/", Binary::Divide, 10),
    ("%", Binary::Remainder, 10),
];

impl Binary {
    /// The operator that `text` begins with, and what follows it.
    pub(super) fn read(text: &str) -> Option<(Self, &str)> {
        BINARY.iter().find_map(|(sign, operator, _)| Some((*operator, text.strip_prefix(sign)?)))
    }

    pub(super) fn tightness(self) -> u8 {
        BINARY.iter().find(|(_, operator, _)| *operator == self).map_or(0, |(_, _, tightness)| *tightness)
    }

    /// Whether the right side counts, given the left.
    pub(super) fn needs_right(self, left: i64) -> bool {
        !(self == Self::And && left == 0 || self == Self::Or && left != 0)
    }

    pub(super) fn apply(self, left: i64, right: i64) -> Option<i64> {
        Some(match self {
            Self::Add => left.wrapping_add(right),
            Self::And => i64::from(left != 0 && right != 0),
            Self::BitAnd => left & right,
            Self::BitOr => left | right,
            Self::BitXor => left ^ right,
            Self::Divide | Self::Remainder if right == 0 => return None,
            Self::Divide => left.wrapping_div(right),
            Self::Equal => i64::from(left == right),
            Self::Greater => i64::from(left > right),
            Self::GreaterOrEqual => i64::from(left >= right),
            Self::Less => i64::from(left < right),
            Self::LessOrEqual => i64::from(left <= right),
            Self::Multiply => left.wrapping_mul(right),
            Self::Or => i64::from(left != 0 || right != 0),
            Self::Power => power(left, u64::try_from(right).ok()?),
            Self::Remainder => left.wrapping_rem(right),
            Self::ShiftLeft => left.wrapping_shl(low_bits(right)),
            Self::ShiftRight => left.wrapping_shr(low_bits(right)),
            Self::Subtract => left.wrapping_sub(right),
            Self::Unequal => i64::from(left != right),
        })
    }
}

/// By squaring, so that a large exponent costs no more than 64 steps.
fn power(mut base: i64, mut exponent: u64) -> i64 {
    let mut value = 1i64;
    while exponent > 0 {
        if exponent & 1 == 1 {
            value = value.wrapping_mul(base);
        }
        base = base.wrapping_mul(base);
        exponent >>= 1;
    }
    value
}

/// The processor shifts by what fits.
fn low_bits(count: i64) -> u32 {
    u32::try_from(count & 63).unwrap_or(0)
}

/// Operators that assign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Assign {
    /// `=`.
    Plain,
    /// `+=` and so on.
    With(Binary),
}

const ASSIGN: [(&str, Binary); 10] = [
    ("+=", Binary::Add),
    ("-=", Binary::Subtract),
    ("*=", Binary::Multiply),
    ("/=", Binary::Divide),
    ("%=", Binary::Remainder),
    ("<<=", Binary::ShiftLeft),
    (">>=", Binary::ShiftRight),
    ("&=", Binary::BitAnd),
    ("^=", Binary::BitXor),
    ("|=", Binary::BitOr),
];

impl Assign {
    /// The operator that `text` begins with, and what follows it.
    pub(super) fn read(text: &str) -> Option<(Self, &str)> {
        if let Some(behind) = text.strip_prefix('=').filter(|behind| !behind.starts_with('=')) {
            return Some((Self::Plain, behind));
        }
        ASSIGN.iter().find_map(|(sign, operator)| Some((Self::With(*operator), text.strip_prefix(sign)?)))
    }
}

/// The name that `text` begins with, with its subscript, and what follows it.
pub(super) fn name(text: &str) -> Option<(&str, &str)> {
    let is_start = |first: char| first.is_ascii_alphabetic() || first == '_';
    text.starts_with(is_start).then_some(())?;
    let length = text.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
    let length = length + text.get(length..).map_or(0, subscript);
    text.split_at_checked(length)
}

/// How long the subscript is that `text` begins with.
pub(crate) fn subscript(text: &str) -> usize {
    let mut level = 0usize;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'[' => level += 1,
            b']' => level = level.saturating_sub(1),
            _ => {}
        }
        if level == 0 {
            return if byte == b']' { at + 1 } else { 0 };
        }
    }
    0
}
