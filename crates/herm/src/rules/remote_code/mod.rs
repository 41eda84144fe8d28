//! Code that runs without anyone here having read it.

pub mod decode_to_shell;
pub mod load_from_temp;
pub mod pipe_to_shell;

use herm_shell::{Effect, Target};

/// What runs, for a reason: "a shell script", "the program `/tmp/x`".
fn what_runs(effect: &Effect) -> String {
    match &effect.target {
        Target::Code(lang, _) => format!("{} code", lang.name()),
        Target::Path(path) => format!("`{}`", path.shown),
        Target::Environment | Target::Host(_) | Target::Named(..) | Target::None | Target::Process(_) => {
            "code".to_owned()
        }
    }
}
