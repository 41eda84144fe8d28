//! What each reader must find, and what it must not.

mod awk;
mod calls;
mod cmake;
mod database;
mod editors;
mod hostile;
mod javascript;
mod lua;
mod make;
mod other;
mod perl;
mod php;
mod r;
mod recorder;
mod recursion;
mod ruby;
mod tcl;
mod windows;
