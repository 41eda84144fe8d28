//! rsync and its kin, which can delete what the source does not have.

use super::arguments::Parsed;
use super::schema::{Do, Operands, Opt, Program, Role, attached, flag, program, quiet, value};
use crate::effect::{Flags, Realm, Verb};
use crate::lang::Lang;
use crate::sink::Sink;
use crate::value::Value;

pub(super) static PROGRAMS: &[Program] = &[
    program(&["rsync", "grsync"])
        .options(RSYNC)
        .operands(Operands::LastIs(Role::TransferFrom, Role::TransferTo))
        .env(&[("RSYNC_RSH", Role::Code(Lang::Shell)), ("RSYNC_CONNECT_PROG", Role::Code(Lang::Shell))])
        .refine(rsync),
    program(&["unison"]).options(&[flag("-help -version", Do::Stop)]),
];

const DELETES: &str = "--delete --del --delete-before --delete-during --delete-delay --delete-after --delete-excluded \
     --delete-missing-args";

const RSYNC: &[Opt] = &[
    flag("--help --version -n --dry-run --list-only", Do::Stop),
    quiet(DELETES),
    quiet("--remove-source-files"),
    value("-e --rsh", Role::Code(Lang::Shell)),
    value("--include-from --exclude-from --files-from --password-file --read-batch", Role::Read),
    value("--log-file --write-batch --only-write-batch", Role::Write),
    value(
        "-f --filter --include --exclude -T --temp-dir --backup-dir --suffix --compare-dest --copy-dest --link-dest --bwlimit \
         --timeout --contimeout --port --partial-dir --chmod --chown --out-format -B --block-size -M --remote-option --info \
         --debug --max-size --min-size --modify-window --sockopts --usermap --groupmap --iconv --checksum-choice --cc \
         --compress-level --zl --compress-choice --zc --max-delete --rsync-path --protocol --address --log-file-format \
         --stop-after --stop-at --skip-compress --early-input --config --dparam --checksum-seed --max-alloc --copy-as",
        Role::Inert,
    ),
    attached("--no-motd", Do::Nothing),
    quiet(
        "-a -v -z -r -l -p -t -g -o -D -u -x -h -P -c -i -H -A -X -S -W -L -K -k -R -d -E -I -s -q -C -m -b -0 -4 -6 -O -J -U -N -F -y",
    ),
];

fn rsync(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let Some((target, sources)) = parsed.operands.split_last().filter(|(_, sources)| !sources.is_empty())
    else {
        return;
    };
    if parsed.has("--remove-source-files") {
        for source in sources.iter().filter(|source| remote(&source.value).is_none()) {
            sink.path(Verb::Delete, &source.value, parsed.flags | Flags::MOVE);
        }
    }
    if parsed.has(DELETES) {
        delete_in(&target.value, parsed.flags | Flags::RECURSIVE, sink);
    }
}

/// What the source lacks is deleted in the target, here or on the other machine.
fn delete_in(target: &Value, flags: Flags, sink: &mut dyn Sink) {
    match remote(target) {
        None => sink.path(Verb::Delete, target, flags),
        Some((host, path)) => {
            sink.enter(Realm::Remote(host.into()));
            sink.path(Verb::Delete, &Value::literal(path), flags);
        }
    }
}

/// The host and path of `host:path` or `rsync://host/path`.
fn remote(operand: &Value) -> Option<(String, String)> {
    let text = operand.known()?;
    if let Some(rest) = text.strip_prefix("rsync://") {
        let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
        return Some((host.to_owned(), format!("/{path}")));
    }
    let (host, path) = text.split_once(':')?;
    (!host.is_empty() && !host.contains('/'))
        .then(|| (host.to_owned(), path.trim_start_matches(':').to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_stands_before_the_colon() {
        let remote = |text: &str| remote(&Value::literal(text));
        assert_eq!(remote("u@h:/srv"), Some(("u@h".to_owned(), "/srv".to_owned())));
        assert_eq!(remote("rsync://h/mod/x"), Some(("h".to_owned(), "/mod/x".to_owned())));
        assert_eq!(remote("./a:b"), None);
        assert_eq!(remote("/srv"), None);
    }
}
