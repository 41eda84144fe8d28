//! Tools named for git and for code hosts.

use serde_json::json;

use super::runs;

#[test]
fn what_git_is_told_is_what_it_does() {
    for (name, input, command) in [
        ("git_push", json!({"force": true}), "git push --force origin"),
        ("gitPush", json!({"remote": "up", "branch": "main", "force": true}), "git push --force up main"),
        ("git_push", json!({"branch": "+main"}), "git push origin +main"),
        ("git_push", json!({"forceWithLease": true, "branch": "x"}), "git push --force-with-lease origin x"),
        ("git_push", json!({"force": "yes", "branch": "a b"}), "git push --force origin a\\ b"),
        ("git_push", json!({"force": false, "branch": "x"}), "git push origin x"),
        ("git_reset", json!({"mode": "hard", "commit": "HEAD~1"}), "git reset --hard HEAD\\~1"),
        ("git_clean", json!({"force": true, "directories": true}), "git clean -f -d"),
        ("git_branch", json!({"mode": "delete", "branchName": "x", "force": true}), "git branch -D x"),
        ("git_checkout", json!({"repo_path": "/w", "branch_name": "x"}), "git checkout x"),
        ("git_checkout", json!({"files": ["a", "b"]}), "git checkout -- a b"),
        ("git_stash", json!({"mode": "clear"}), "git stash clear"),
        ("git_tag", json!({"mode": "delete", "tagName": "v1"}), "git tag -d v1"),
        ("delete_branch", json!({"owner": "a", "repo": "b", "branch": "c"}), "git push origin --delete c"),
        (
            "delete_file",
            json!({"owner": "a", "repo": "b", "path": "x.md", "message": "away", "branch": "c"}),
            "gh api -X DELETE repos/a/b/contents/x.md",
        ),
        ("delete_repository", json!({"owner": "a", "repo": "b"}), "gh repo delete a/b"),
        ("merge_pull_request", json!({"owner": "a", "repo": "b", "pullNumber": 5}), "gh pr merge 5 -R a/b"),
        (
            "push_files",
            json!({"owner": "a", "repo": "b", "branch": "c", "force": true, "files": []}),
            "git push --force origin c",
        ),
    ] {
        let found = runs(name, &input);
        assert!(found.contains(&format!("Shell {command}")), "{name} {input}: {found:?}");
    }
    for (name, input) in [
        ("git_status", json!({"repo_path": "."})),
        ("git_commit", json!({"message": "Force the push"})),
        ("push_files", json!({"files": ["a"], "force": true})),
        ("git_branch", json!({"branch_type": "local"})),
        ("push_notification", json!({"force": true})),
    ] {
        assert_eq!(runs(name, &input), Vec::<String>::new(), "{name} {input}");
    }
}
