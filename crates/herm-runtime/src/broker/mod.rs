//! Questions, and whoever answers them from another terminal.

mod protocol;
