//! Bash as an oracle, texts to ask it about, and the judge as tests ask it.

#![forbid(unsafe_code)]

pub mod arithmetic;
pub mod bash;
pub mod clock;
pub mod corpora;
pub mod everyday;
pub mod hostile;
pub mod judge;
pub mod oracle;
pub mod patterns;
pub mod probe;
pub mod words;
pub mod wrap;
