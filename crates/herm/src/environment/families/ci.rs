//! Tokens of build servers, and the files by which one step speaks to the next.

use crate::environment::family::{Family, Passing};

/// Tokens of build servers, and the files by which one step speaks to the next.
///
/// What is written to `GITHUB_ENV` or `GITHUB_PATH` becomes the environment of every later step of the build.
pub(super) static FAMILY: Family = Family {
    name: "CI",
    what: "a token or a channel of a build server",
    passing: Passing::ByPerson,
    names: &[
        "BITRISE_BUILD_API_TOKEN",
        "BUILDKITE_AGENT_ACCESS_TOKEN",
        "CI_REPOSITORY_URL",
        "CODECOV_TOKEN",
        "COVERALLS_REPO_TOKEN",
        "DRONE_TOKEN",
        "GITHUB_ENV",
        "GITHUB_OUTPUT",
        "GITHUB_PATH",
        "GITHUB_STATE",
        "GITHUB_STEP_SUMMARY",
        "JENKINS_API_TOKEN",
        "SYSTEM_ACCESSTOKEN",
        "TRAVIS_API_TOKEN",
    ],
    prefixes: &[
        "ACTIONS_CACHE_",
        "ACTIONS_ID_TOKEN_",
        "ACTIONS_RESULTS_",
        "ACTIONS_RUNTIME_",
        "CIRCLE_OIDC_",
        "CIRCLE_TOKEN",
        "CI_DEPENDENCY_PROXY_",
        "CI_DEPLOY_",
        "CI_JOB_JWT",
        "CI_JOB_TOKEN",
        "CI_REGISTRY_",
        "SONAR_",
    ],
    examples: &[
        "ACTIONS_ID_TOKEN_REQUEST_URL",
        "ACTIONS_RUNTIME_TOKEN",
        "ACTIONS_RUNTIME_URL",
        "BUILDKITE_AGENT_ACCESS_TOKEN",
        "CI_JOB_JWT_V2",
        "CI_JOB_TOKEN",
        "CI_REGISTRY_USER",
        "CI_REPOSITORY_URL",
        "CODECOV_TOKEN",
        "GITHUB_ENV",
        "GITHUB_PATH",
        "SYSTEM_ACCESSTOKEN",
    ],
    near_misses: &["CI", "CI_COMMIT_SHA", "GITHUB_ACTIONS", "GITHUB_REPOSITORY", "GITHUB_SHA", "RUNNER_OS"],
    ..Family::EMPTY
};
