//! Our own settings, and those of Hermes.

use crate::environment::family::{Family, Passing};

/// Our own settings, and those of Hermes.
///
/// They hold keys, and switches that would loosen a herm that a child starts. `_HERMES_FORCE_<NAME>` brings back a
/// variable that was dropped in Hermes; here it is one more that is dropped. What is kept says where things are.
pub(super) static FAMILY: Family = Family {
    name: "own",
    what: "a setting of the agent itself",
    passing: Passing::Never,
    names: &["HERM", "HERMES"],
    prefixes: &["AGENT_FOUNDRY_", "HERMES_", "HERM_", "_HERMES_", "_HERM_"],
    kept: &["HERMES_CONFIG", "HERMES_ENV", "HERMES_HOME", "HERMES_PROFILE", "HERM_HOME"],
    examples: &[
        "HERMES_API_KEY",
        "HERMES_EXEC_ASK",
        "HERMES_SESSION_KEY",
        "HERMES_YOLO_MODE",
        "HERM_POLICY",
        "_HERMES_FORCE_OPENAI_API_KEY",
        "hermes_api_key",
    ],
    near_misses: &["HERMES_HOME", "HERMES_PROFILE", "HERMIT_ENV", "HERM_HOME", "THERMES_X"],
    ..Family::EMPTY
};
