//! Changed repositories.

use herm_shell::{Flags, Verb};

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::named::{of_kind, the};
use crate::rules::rule::{Layer, Report, Rule};

/// A repository whose visibility, name or state is changed on a code host.
pub static CHANGE_REPOSITORY: Rule = Rule {
    name: "change-repository",
    title: "change repository visibility or name",
    layer: Layer::Command,
    stance: Stance::Ask,
    finds: "A repository whose visibility, name, state or rights are changed on a code host, also by its raw interface.",
    matters: "A private repository that becomes public cannot be made unseen.",
    instead: "Look at its settings first.",
    suggestion: "gh repo view owner/name",
    examples: &[
        "gh repo edit --visibility public",
        "gh repo archive owner/name --yes",
        "gh repo rename other",
        "gh repo create owner/name --public --source . --push",
        "gh api user/keys -f key=x",
        "gh api graphql -f query='mutation { updateRepository(input: {}) { clientMutationId } }'",
        "gh api -X PUT repos/owner/name/collaborators/other -f permission=admin",
    ],
    near_misses: &[
        "gh repo view",
        "gh repo create owner/name --private",
        "gh api repos/owner/name/collaborators",
        "gh api repos/owner/name/issues/7/comments -f body=text",
        "gh api graphql -f query='{ viewer { login } }'",
        "gh repo edit --description text",
        "gh repo clone owner/name",
    ],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for (effect, name) in
        of_kind(facts, Verb::Publish, &["repository"]).filter(|(effect, _)| effect.flags.has(Flags::METADATA))
    {
        report.effect(
            effect,
            format!(
                "changes {}: who sees it, who may do what, or what it is called",
                the("repository", name)
            ),
        );
    }
}
