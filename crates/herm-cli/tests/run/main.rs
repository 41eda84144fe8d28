//! `herm run` and those around it, with real processes.

#![expect(clippy::disallowed_methods, reason = "tests make their own files and processes")]
#![expect(clippy::indexing_slicing, reason = "a test that finds nothing there has failed")]
#![expect(clippy::panic, reason = "a test that cannot go on has failed")]
#![expect(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod adrift;
mod agents;
mod approvals;
mod asking;
mod below;
mod clients;
mod code;
mod confined;
mod delivery;
mod denials;
mod doctor;
mod doors;
mod egress;
mod environment;
mod everyday;
mod faults;
mod full;
mod grants;
mod guard;
mod handed;
mod hermes_home;
mod hooks;
mod hooks_decided;
mod import;
mod init;
mod keeping;
mod killed;
mod latency;
mod made;
mod mcp;
mod memory;
mod missing;
mod model;
mod nested;
mod observe;
mod place;
mod planted;
mod projects;
mod readme;
mod record;
mod regenerable;
mod remains;
mod replay;
mod running;
mod sandbox;
mod scanner;
mod seen;
mod serving;
mod sessions;
mod settings;
mod shell;
mod shims;
mod smart;
mod sockets;
mod staged;
mod strays;
mod tickets;
mod tirith;
mod told;
mod tools;
mod trying;
mod undoing;
mod yolo;
