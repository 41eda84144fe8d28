//! Names for what is remembered.

use crate::error::Error;

/// A name that nothing else has: 16 hexadecimal digits from the operating system.
///
/// # Errors
///
/// When the operating system has no random numbers.
pub fn random() -> Result<String, Error> {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes).map_err(Error::Random)?;
    Ok(format!("{:016x}", u64::from_le_bytes(bytes)))
}
