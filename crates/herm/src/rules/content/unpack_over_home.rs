//! An archive that is unpacked where dot files or the system live.

use herm_shell::{Places, Target, Verb};

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::{Layer, Report, Rule};

/// An archive that is unpacked where dot files or the system live.
pub static UNPACK_OVER_HOME: Rule = Rule {
    name: "unpack-over-home",
    title: "archive unpacked over personal or system files",
    layer: Layer::Content,
    stance: Stance::Ask,
    finds: "An archive that is unpacked where dot files or the system live.",
    matters: "The archive decides which files there are replaced: shell startup files, keys, programs.",
    instead: "Unpack it in a new directory and look at it first.",
    suggestion: "tar -tf backup.tar",
    examples: &["tar -xzf x.tgz -C ~", "unzip -o x.zip -d ~", "sudo tar -xf x.tar -C /"],
    near_misses: &["tar -xzf x.tgz", "tar -xzf x.tgz -C build", "unzip x.zip -d /tmp/x", "tar -tf x.tgz"],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for effect in facts.effects().filter(|effect| effect.verb == Verb::Write && unpacks(&effect.by)) {
        let Target::Path(path) = &effect.target else { continue };
        if path.is_catastrophic_to_lose() || path.places.any(Places::SSH | Places::SYSTEM_CONFIG) {
            report.effect(effect, format!("unpacks an archive over `{}`", path.shown));
        }
    }
}

fn unpacks(program: &str) -> bool {
    matches!(
        program,
        "tar" | "bsdtar" | "gtar" | "unzip" | "7z" | "7za" | "7zz" | "cpio" | "pax" | "unrar" | "unar" | "ar"
    )
}
