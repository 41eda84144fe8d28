//! A computed value is exact or it is a hole: every filter and every function that computes text is compared with the
//! real program, on values that a grammar makes up.

mod filters;
mod languages;
