//! What the reader says about programs, told to a sink that only remembers.

mod benign;
mod bounds;
mod hostile;
mod oracle;
mod properties;
mod recorder;
mod understood;
