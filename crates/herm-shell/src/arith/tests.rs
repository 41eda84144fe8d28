use super::*;

fn value(text: &str) -> Option<i64> {
    let mut lookup = |name: &str| match name {
        "n" => Some("7".to_owned()),
        "e" => Some("n + 1".to_owned()),
        "loop" => Some("loop".to_owned()),
        "a[1]" => Some("5".to_owned()),
        "unknown" => None,
        _ => Some(String::new()),
    };
    run(text, &mut lookup, &Fuel::new(10_000)).map(|outcome| outcome.value)
}

#[test]
fn computes_as_bash_does() {
    let cases = [
        ("", 0),
        ("1+2*3", 7),
        ("(1+2)*3", 9),
        ("-2**2", 4),
        ("2**3**2", 512),
        ("-7/2", -3),
        ("-7%3", -1),
        ("16#ff", 255),
        ("0x1f + 010", 39),
        ("64#@_", 62 * 64 + 63),
        ("36#Z", 35),
        ("n > 5 ? 1 : 0", 1),
        ("1 ? 2 : 3, 4", 4),
        ("e * 2", 16),
        ("a[1] + 1", 6),
        ("unset", 0),
        ("1 || unknown", 1),
        ("0 && 1/0", 0),
        ("1 ? 2 : unknown", 2),
        ("!n", 0),
        ("~0", -1),
        ("- - 3", 3),
        ("x = 3, x * 2", 6),
        ("x += 4, x <<= 1, x", 8),
        ("y = x = 2, y + x", 4),
        ("n++ + n", 15),
        ("++n", 8),
        ("1 << 4 | 1", 17),
        ("1 < 2 == 1", 1),
        ("9223372036854775807 + 1", i64::MIN),
        ("5 & 3 ^ 1", 0),
        ("1 - -1", 2),
    ];
    for (text, expected) in cases {
        assert_eq!(value(text), Some(expected), "{text}");
    }
}

#[test]
fn refuses_what_cannot_be_known() {
    for text in ["unknown", "1/0", "08", "2 ** -1", "loop", "1 +", "(1", "1 2", "2#3", "$x", "1 ? 2", "%"] {
        assert_eq!(value(text), None, "{text}");
    }
}

#[test]
fn reports_assignments() {
    let outcome =
        run("a = 1, b[2] += 3, 0 && (c = 4)", &mut |_| Some(String::new()), &Fuel::new(1000)).unwrap();
    assert_eq!(outcome.assignments, [("a".to_owned(), 1), ("b[2]".to_owned(), 3)]);
}

#[test]
fn bombs_are_refused() {
    assert_eq!(value(&"(".repeat(1 << 20)), None);
    assert_eq!(value(&"~".repeat(1 << 20)), None);
    assert_eq!(value(&("2**".repeat(100_000) + "2")), None);
    assert_eq!(value(&("a=".repeat(100_000) + "2")), None);
    assert_eq!(value(&("1?".repeat(100_000) + "2")), None);
    assert_eq!(value(&"1+".repeat(1 << 20)), None);
    assert_eq!(value(&"a[".repeat(1 << 18)), None);
}
