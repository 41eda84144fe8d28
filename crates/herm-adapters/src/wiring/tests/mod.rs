//! Every agent, every format: in, again, and out.

mod files;
mod random;
mod refusals;
