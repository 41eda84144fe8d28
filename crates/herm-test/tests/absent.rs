//! Paths of which it can be seen that nothing is there.

use herm_test::judge::{Empty, Judge};

#[test]
fn path_that_is_not_there_is_printed_as_nothing() {
    let judge = Judge::new();
    let decided = |text: &str| judge.judge_in(&judge.call(text), &Empty).decision.word();
    for text in [
        "d=$(realpath -q ./gone/gone); rm -rf \"$d\"/usr",
        "rm -rf \"$(readlink -f no/such)/etc\"",
        "x=$(readlink link); rm -rf \"$x/home\"",
    ] {
        assert_eq!(decided(text), "deny", "{text}");
    }
    // What is to come is printed all the same, and what the text has made is there.
    for text in [
        "d=$(realpath -m ./gone/gone); rm -rf \"$d\"/usr",
        "mkdir -p gone; echo x > gone/here; d=$(realpath gone/x); rm -rf \"$d\"/usr",
    ] {
        assert_eq!(decided(text), "ask", "{text}");
    }
}
