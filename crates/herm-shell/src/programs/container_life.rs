//! Containers that are stopped, started again or deleted, and which of them are there again after one more command.
//!
//! That is so of a container of this machine's engine that is called by its name, and of the services of the project: `docker start`, `docker run` or
//! `docker compose up` brings them back, and volumes stay. It is not so of whatever a search finds, of another machine's, of a project that is called
//! by its name, nor where volumes or images go along.

use std::borrow::Cow;

use super::arguments::Parsed;
use super::phrases::emit;
use crate::effect::{Flags, Verb};
use crate::sink::Sink;

pub(super) fn stop(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    by_name(parsed, sink, Verb::Service, Flags::STOP);
}

pub(super) fn restart(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    by_name(parsed, sink, Verb::Service, Flags::RESTART);
}

pub(super) fn delete(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    by_name(parsed, sink, Verb::Destroy, Flags::IRREVERSIBLE);
}

pub(super) fn stop_project(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    of_project(parsed, sink, Verb::Service, Flags::STOP);
}

pub(super) fn restart_project(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    of_project(parsed, sink, Verb::Service, Flags::RESTART);
}

pub(super) fn delete_of_project(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    of_project(parsed, sink, Verb::Destroy, Flags::IRREVERSIBLE);
}

/// `docker stop NAME…`.
fn by_name(parsed: &Parsed<'_>, sink: &mut dyn Sink, verb: Verb, flags: Flags) {
    let stays = is_at_hand(parsed, sink) && !parsed.has("-a --all -v --volumes --filter");
    each(parsed, sink, verb, flags, |name| stays && name.is_some_and(is_name));
}

/// `docker compose stop SERVICE…`: without one, all of the project's.
fn of_project(parsed: &Parsed<'_>, sink: &mut dyn Sink, verb: Verb, flags: Flags) {
    let named = parsed.has("-p --project-name --project-directory")
        || ["COMPOSE_PROJECT_NAME", "COMPOSE_FILE"].iter().any(|name| sink.changes_variable(name));
    let takes_images = parsed.value("--rmi").is_some_and(|which| which.known().as_deref() != Some("local"));
    let stays = is_at_hand(parsed, sink) && !named && !takes_images && !parsed.has("-v --volumes");
    let all = parsed.operands.is_empty();
    each(parsed, sink, verb, flags, |name| stays && (all || name.is_some_and(is_name)));
}

fn each(
    parsed: &Parsed<'_>,
    sink: &mut dyn Sink,
    verb: Verb,
    flags: Flags,
    stays: impl Fn(Option<&str>) -> bool,
) {
    let flags = flags | parsed.flags;
    let given = |stays: bool| if stays { flags | Flags::RESTORABLE } else { flags };
    if parsed.operands.is_empty() {
        emit(sink, verb, "container", "", given(stays(None)));
    }
    for operand in &parsed.operands {
        let known = operand.value.known();
        sink.at(operand.span);
        emit(sink, verb, "container", operand.value.shown(), given(stays(known.as_deref())));
    }
}

/// Whether it is the engine of this machine that is spoken to.
fn is_at_hand(parsed: &Parsed<'_>, sink: &dyn Sink) -> bool {
    let told = parsed.has("-H --host -c --context --url --connection -r --remote --config");
    let variables = ["DOCKER_HOST", "DOCKER_CONTEXT", "CONTAINER_HOST", "DOCKER_CONFIG"];
    let set = variables.iter().any(|name| {
        let known = sink.variable(name).known().map(Cow::into_owned);
        sink.changes_variable(name)
            || known.is_some_and(|value| !value.is_empty() && !value.starts_with("unix://"))
    });
    parsed.program != "docker-machine" && !told && !set
}

/// Whether it is a name that says nothing of others who use it.
fn is_name(name: &str) -> bool {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "_.-".contains(letter);
    let parts = || name.split(|letter: char| !letter.is_ascii_alphanumeric());
    !name.is_empty() && name.chars().all(plain) && !parts().any(|part| OTHERS.contains(&part))
}

/// Parts of names by which people tell what others use.
const OTHERS: &[&str] = &["hermes", "herm", "live", "prod", "production"];
