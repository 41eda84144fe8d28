//! Calls of what is computed or not known.

use super::recorder::said;
use crate::lang::Lang;

#[test]
fn texts_that_are_computed_are_exact_or_unknown() {
    let rows = [
        (Lang::Ruby, r#"system("RM".tr("A-Z", "a-z") + " x")"#, "rm x"),
        (Lang::Ruby, r#"system("XXm".sub("X", "") + " x")"#, "Xm x"),
        (Lang::JavaScript, r#"require("child_process").execSync("aab".replace("a", "r"))"#, "rab"),
        (Lang::JavaScript, r#"require("child_process").execSync([..."mr"].reverse().join(""))"#, "rm"),
        (Lang::JavaScript, r#"require("child_process").execSync("xrm".slice(1, 3))"#, "rm"),
        (Lang::Perl, r#"system(("RM" ^ "  ") . " x")"#, "rm x"),
    ];
    for (lang, code, command) in rows {
        let lines = said(lang, code);
        assert!(lines.iter().any(|line| line.starts_with(&format!("shell: {command}"))), "{code}: {lines:?}");
    }
}

#[test]
fn operand_of_what_is_not_computed_is_not_taken_for_the_result() {
    let rows = [
        (Lang::Ruby, r#"system("RM".swapcase + " x")"#),
        (Lang::Ruby, r#"system("RM".tr("^a", "b") + " x")"#),
        (Lang::Ruby, r#"system("RM".sub(/(.)/, '\1') + " x")"#),
        (Lang::JavaScript, r#"require("child_process").execSync("RM".replace(/R/, f) + " x")"#),
        (Lang::Perl, r#"system(lcfirst("RM") . " x")"#),
        (Lang::Perl, r#"system(sprintf("%.1s", "RM") . " x")"#),
        (Lang::Php, r#"system(trim("RM", "M") . " x");"#),
        (Lang::Php, r#"system(~"RM" . " x");"#),
    ];
    for (lang, code) in rows {
        let lines = said(lang, code);
        assert!(!lines.iter().any(|line| line.contains("shell: RM")), "{code}: {lines:?}");
        assert!(lines.iter().any(|line| line.starts_with("shell: ")), "{code}: {lines:?}");
    }
}

#[test]
fn texts_reach_functions_that_no_table_knows() {
    let rows = [
        (Lang::JavaScript, r#"foo("rm -rf /")"#, "reaches rm -rf /"),
        (Lang::JavaScript, r#"foo("rm", ["-rf", "/"])"#, "reaches rm -rf /"),
        (Lang::Php, r#"call_user_func($f, "rm -rf /");"#, "reaches rm -rf /"),
        (Lang::Perl, r#"$_ = "rm -rf /"; s/(.*)/`$1`/e"#, "reaches rm -rf /"),
    ];
    for (lang, code, line) in rows {
        let lines = said(lang, code);
        assert!(lines.iter().any(|said| said == line), "{code}: {lines:?}");
    }
    for code in [r#"console.warn("rm -rf /")"#, r#"foo("x")"#, r#"expect("rm -rf /")"#] {
        let lines = said(Lang::JavaScript, code);
        assert!(!lines.iter().any(|said| said.starts_with("reaches")), "{code}: {lines:?}");
    }
}

#[test]
fn perl_kill_takes_its_signal_from_a_pair() {
    let lines = said(Lang::Perl, "kill KILL => -1");
    assert!(lines.iter().any(|line| line.starts_with("Kill All")), "{lines:?}");
}
