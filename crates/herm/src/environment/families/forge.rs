//! Tokens of source forges, and whoever answers git's question for a password.

use crate::environment::family::{Family, Passing};

/// Tokens of source forges, and whoever answers git's question for a password.
pub(super) static FAMILY: Family = Family {
    name: "source forge",
    what: "a token of a source forge",
    passing: Passing::Declared,
    names: &[
        "GH_ENTERPRISE_TOKEN",
        "GH_TOKEN",
        "GITHUB_ENTERPRISE_TOKEN",
        "GITHUB_PAT",
        "GITHUB_PERSONAL_ACCESS_TOKEN",
        "GITHUB_TOKEN",
        "GITLAB_PRIVATE_TOKEN",
        "GITLAB_TOKEN",
        "GIT_ASKPASS",
        "GIT_TOKEN",
        "GL_TOKEN",
        "HUB_CONFIG",
    ],
    prefixes: &[
        "BITBUCKET_",
        "CODEBERG_",
        "FORGEJO_",
        "GERRIT_HTTP_",
        "GITEA_",
        "GITHUB_APP_",
        "VSCODE_GIT_",
    ],
    examples: &[
        "BITBUCKET_APP_PASSWORD",
        "GH_TOKEN",
        "GITHUB_APP_ID",
        "GITHUB_PAT",
        "GITHUB_TOKEN",
        "GITLAB_TOKEN",
        "GIT_ASKPASS",
        "VSCODE_GIT_IPC_HANDLE",
    ],
    near_misses: &["GH_HOST", "GH_PAGER", "GITHUB_WORKSPACE", "GIT_AUTHOR_NAME", "GIT_EDITOR", "SSH_ASKPASS"],
    ..Family::EMPTY
};
