//! What is done with terminals.

use std::sync::Arc;

use herm_adapters::acp::{Deed, Exit, Ticket, Wish};
use herm_adapters::jsonrpc::{Failure, INVALID_PARAMS};
use serde_json::{Value, json};

use super::Pump;
use crate::acp::Ended;
use crate::acp::terminal::Terminal;

impl Pump {
    pub(super) fn began(&mut self, wish: &Wish, terminal: Arc<Terminal>) -> Option<Ended> {
        // What goes on by itself is not called off with what is being decided about.
        self.wishes.retain(|_, (other, ..)| *other != wish.ticket);
        let name = self.proxy.terminal_name(self.desk.number());
        let Some(line) = self.proxy.answer(&wish.ticket, Ok(json!({"terminalId": name}))) else {
            // Whoever asked for it has taken it back.
            terminal.cancel.cancel();
            return None;
        };
        self.proxy.does(wish);
        self.terminals.insert(name, terminal);
        self.tell_agent(&line)
    }

    pub(super) fn over(&mut self, terminal: &Arc<Terminal>) -> Option<Ended> {
        let found = self.terminals.iter().find(|(_, other)| Arc::ptr_eq(other, terminal));
        let name = found.map(|(name, _)| name.clone())?;
        let exit = terminal.exit().map_or(Value::Null, Exit::told);
        for ticket in self.ends.remove(&name).unwrap_or_default() {
            if let Some(line) = self.proxy.answer(&ticket, Ok(exit.clone())) {
                self.tell_agent(&line);
            }
        }
        let terminals = &self.terminals;
        let look = |name: &str| terminals.get(name).map(|terminal| terminal.text());
        let line = self.proxy.over(&name, &look);
        line.and_then(|line| self.tell_editor(&line))
    }

    pub(super) fn terminal(&mut self, ticket: &Ticket, name: &str, deed: Deed) -> Option<Ended> {
        let outcome = match (self.terminals.get(name), deed) {
            (None, _) => Err(Failure::new(INVALID_PARAMS, "herm: there is no such terminal")),
            (Some(terminal), Deed::Output) => Ok(terminal.output()),
            (Some(terminal), Deed::Kill) => {
                terminal.cancel.cancel();
                Ok(json!({}))
            }
            (Some(terminal), Deed::Release) => {
                terminal.cancel.cancel();
                self.release(name);
                Ok(json!({}))
            }
            (Some(terminal), Deed::Wait) => {
                let Some(exit) = terminal.exit() else {
                    self.ends.entry(name.to_owned()).or_default().push(ticket.clone());
                    return None;
                };
                Ok(exit.told())
            }
        };
        let line = self.proxy.answer(ticket, outcome);
        line.and_then(|line| self.tell_agent(&line))
    }

    /// Forgets a terminal. Whoever waited for its end is told of it.
    fn release(&mut self, name: &str) {
        self.terminals.remove(name);
        self.proxy.forget(name);
        for ticket in self.ends.remove(name).unwrap_or_default() {
            if let Some(line) = self.proxy.answer(&ticket, Ok(Exit::Signal("SIGTERM").told())) {
                self.tell_agent(&line);
            }
        }
    }
}
