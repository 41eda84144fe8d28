//! Whatever the text, following it as Python ends and does not panic.

#![no_main]

use herm_shell::effect::{Flags, Realm, Target, Verb};
use herm_shell::fuel::{Fuel, OutOfFuel};
use herm_shell::gap::{Position, Reason};
use herm_shell::sink::Sink;
use herm_shell::{Lang, Provenance, Span, Value};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| herm_shell::python::read(text, &mut Deaf(Fuel::new(500_000))));

/// A sink that keeps nothing and knows nothing.
struct Deaf(Fuel);

fn unknown() -> Value {
    Value::unknown("unknown", Provenance::OUTSIDE)
}

impl Sink for Deaf {
    fn effect(&mut self, _: Verb, _: Target, _: Flags, _: Provenance) {}
    fn path(&mut self, _: Verb, _: &Value, _: Flags) {}
    fn write(&mut self, _: &Value, _: &Value, _: Flags) {}
    fn read(&mut self, _: &Value) -> Value {
        unknown()
    }
    fn connect(&mut self, _: Verb, _: &Value, _: Flags, _: Provenance) {}
    fn code(&mut self, _: Lang, _: &Value) -> Value {
        unknown()
    }
    fn interact(&mut self, _: Lang) {}
    fn script(&mut self, _: Lang, _: &Value, _: &[Value]) {}
    fn run(&mut self, _: &[Value], _: &Value) -> Value {
        unknown()
    }
    fn run_each(&mut self, _: &[Value], _: &str, _: &[Value]) {}
    fn enter(&mut self, _: Realm) {}
    fn escalate(&mut self) {}
    fn change_directory(&mut self, _: &Value) {}
    fn set_variable(&mut self, _: &str, _: &Value) {}
    fn gap(&mut self, _: Position, _: Reason, _: &str) {}
    fn stdin(&self) -> Value {
        unknown()
    }
    fn print(&mut self, _: Value) {}
    fn at(&mut self, _: Span) {}
    fn home(&self) -> String {
        "/home/user".to_owned()
    }
    fn directory(&self) -> Option<String> {
        None
    }
    fn variable(&self, _: &str) -> Value {
        unknown()
    }
    fn spend(&mut self, units: u32) -> Result<(), OutOfFuel> {
        self.0.spend(units)
    }
}
