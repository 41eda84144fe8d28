use super::*;

#[test]
fn matches_as_bash_does() {
    let yes = [
        ("abc", "abc"),
        ("a*c", "abbbc"),
        ("*", ""),
        ("?", "é"),
        ("[a-c]x", "bx"),
        ("[!a-c]x", "dx"),
        ("[^a]", "b"),
        ("[]a]", "]"),
        ("[a-]", "-"),
        ("[[:digit:]]*", "7up"),
        ("[[:upper:][:digit:]_]", "_"),
        ("[\\]]", "]"),
        ("\\*", "*"),
        ("[abc", "[abc"),
        ("@(a|b)c", "bc"),
        ("?(a)b", "b"),
        ("*(ab)", "ababab"),
        ("+([0-9])", "123"),
        ("!(a)", "b"),
        ("!(a|b)*", "c"),
        ("!(*.txt)", "x.c"),
        ("@(a|@(b|c)d)", "cd"),
        ("*.@(tar|zip).gz", "x.tar.gz"),
        ("a\\|b", "a|b"),
        ("*a*b*c*", "xxaxxbxxcxx"),
    ];
    for (pattern, text) in yes {
        assert!(Pattern::new(pattern).matches(text), "{pattern} {text}");
    }
    let no = [
        ("abc", "ab"),
        ("a*c", "ab"),
        ("?", ""),
        ("[a-c]", "d"),
        ("[!a]", "a"),
        ("\\*", "x"),
        ("@(a|b)", "c"),
        ("+(a)", ""),
        ("!(a)", "a"),
        ("!(*.txt)", "x.txt"),
        ("?(a)", "aa"),
    ];
    for (pattern, text) in no {
        assert!(!Pattern::new(pattern).matches(text), "{pattern} {text}");
    }
}

#[test]
fn finds_the_ends() {
    let star = Pattern::new("*/");
    assert_eq!((star.shortest_prefix("a/b/c"), star.longest_prefix("a/b/c")), (Some(2), Some(4)));
    let dots = Pattern::new(".*");
    assert_eq!((dots.shortest_suffix("é.b.c"), dots.longest_suffix("é.b.c")), (Some(4), Some(2)));
    assert_eq!(Pattern::new("x").longest_prefix("abc"), None);
    assert_eq!(Pattern::new("b*").find_all("abcb", 1).first(), Some(&(1..4)));
}

fn with(text: &str) -> Replacement {
    let mut replacement = Replacement::default();
    replacement.push(text);
    replacement
}

#[test]
fn an_ampersand_is_the_match() {
    let replace = |text: &str| Pattern::new("b?").replace("abcabc", ReplaceKind::All, &with(text));
    assert_eq!(replace("<&&>"), "a<bcbc>a<bcbc>");
    assert_eq!(replace(r"\&"), "a&a&");
    let mut quoted = with("&");
    quoted.push_quoted("&");
    assert_eq!(Pattern::new("a").replace("abc", ReplaceKind::First, &quoted), "a&bc");
}

#[test]
fn replaces() {
    let replace = |pattern: &str, kind| Pattern::new(pattern).replace("abcabc", kind, &with("X"));
    assert_eq!(replace("a", ReplaceKind::First), "Xbcabc");
    assert_eq!(replace("a", ReplaceKind::All), "XbcXbc");
    assert_eq!(replace("a", ReplaceKind::Prefix), "Xbcabc");
    assert_eq!(replace("bc", ReplaceKind::Suffix), "abcaX");
    assert_eq!(replace("", ReplaceKind::Prefix), "Xabcabc");
    assert_eq!(replace("", ReplaceKind::All), "abcabc");
    assert_eq!(replace("[bc]", ReplaceKind::All), "aXXaXX");
    assert_eq!(replace("b*", ReplaceKind::All), "aX");
    assert_eq!(replace("+(b|c)", ReplaceKind::All), "aXaX");
}

#[test]
fn quoted_text_matches_itself() {
    for text in ["a*b", "[x]", "@(a|b)", "\\", "!(x)", "[!a-b]"] {
        assert!(Pattern::new(&Pattern::quote(text)).matches(text), "{text}");
    }
}

#[test]
fn hostile_patterns_end() {
    let text = "a".repeat(5000);
    for pattern in ["*a".repeat(500), "+(+(+(a)))b".to_owned(), "!(".repeat(3000), "*(a|aa|aaa)b".to_owned()]
    {
        assert!(!Pattern::new(&(pattern + "b")).matches(&text));
    }
    let nested = "!(".repeat(20) + "a" + &")".repeat(20);
    let _ = Pattern::new(&nested).matches(&text);
    let _ = Pattern::new(&"[".repeat(1 << 18)).matches(&text);
    let _ = Pattern::new(&"[:".repeat(1 << 18)).matches(&text);
    let _ = Pattern::new("*").replace(&text, ReplaceKind::All, &with("x"));
    assert_eq!(Pattern::new("a").replace(&text, ReplaceKind::All, &with("b")), "b".repeat(5000));
}
