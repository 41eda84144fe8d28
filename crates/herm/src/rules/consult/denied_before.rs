//! What was denied before in this session.

use super::judge;
use crate::finding::Stance;
use crate::rules::{Layer, Rule};

/// What was denied before in this session. The examples hold after `rm -rf build` was denied.
pub static DENIED_BEFORE: Rule = Rule {
    name: "denied-before",
    title: "denied before in this session",
    layer: Layer::Consult,
    stance: Stance::Deny,
    finds: "What a person denied earlier in this session, however it is spelt now.",
    matters: "A no is meant for the effect. Asking for it in other words is asking again.",
    instead: "Do not retry or rephrase it; say what you need it for and wait.",
    suggestion: "",
    examples: &[
        "rm -rf build",
        "find build -delete",
        "python3 -c \"import shutil; shutil.rmtree('build')\"",
        "cd build && rm -rf *",
    ],
    near_misses: &["rm -rf dist", "ls build", "rm -rf builds", "mkdir -p build"],
    judge,
};
