use super::{FILTERS, Run, Speaker};
use crate::fuel::Fuel;
use crate::value::{Piece, Provenance, Value};

fn compute(
    program: &str,
    arguments: &[Value],
    stdin: &Value,
    read: &mut dyn FnMut(&Value) -> Value,
    fuel: &Fuel,
) -> Option<Value> {
    super::compute(Speaker::Shell, program, arguments, stdin, read, fuel)
}

fn words(words: &[&str]) -> Vec<Value> {
    words.iter().map(|word| Value::literal(*word)).collect()
}

fn output(stdin: &str, command: &[&str]) -> Option<Value> {
    let mut read = |file: &Value| match file.known().as_deref() {
        Some("greeting") => Value::literal("hello\nworld\n"),
        _ => Value::unknown("file", Provenance::FILE),
    };
    let (program, arguments) = command.split_first().unwrap();
    compute(program, &words(arguments), &Value::literal(stdin), &mut read, &Fuel::new(100_000))
}

/// What a command prints; `?` when it cannot be computed.
fn run(stdin: &str, command: &[&str]) -> String {
    output(stdin, command)
        .and_then(|value| value.known().map(std::borrow::Cow::into_owned))
        .unwrap_or("?".into())
}

#[test]
fn echo_follows_bash() {
    assert_eq!(run("", &["echo", "a", "b"]), "a b\n");
    assert_eq!(run("", &["echo", "-n", "-e", r"\x72\x6d"]), "rm");
    assert_eq!(run("", &["echo", "-ne", r"a\tb"]), "a\tb");
    assert_eq!(run("", &["echo", r"\x72"]), "\\x72\n");
    assert_eq!(run("", &["echo", "-x", "-n"]), "-x -n\n");
    assert_eq!(run("", &["echo", "-e", r"a\cb", "c"]), "a");
    assert_eq!(run("", &["echo"]), "\n");
}

/// The grammar by which the oracle makes up pipelines.
const GRAMMAR: &str = include_str!("../../../herm-test/src/oracle/filters.txt");

#[test]
fn filter_that_computes_text_has_an_oracle() {
    let word = |letter: char| letter == '-' || letter.is_alphanumeric();
    let is_asked = |name: &str| {
        let lines = GRAMMAR.lines().filter(|line| !line.starts_with('#'));
        lines.flat_map(|line| line.split(|letter| !word(letter))).any(|found| found == name)
    };
    for filter in FILTERS.iter().filter(|filter| !matches!(filter.run, Run::Passes(_))) {
        let names: Vec<_> = filter.names.iter().filter(|name| !super::AWKS[1..].contains(name)).collect();
        assert!(names.iter().all(|name| is_asked(name)), "{names:?} are computed without an oracle");
    }
}

#[test]
fn program_is_not_taken_for_the_builtin_of_its_name() {
    let run = |words: &[&str]| {
        let (program, arguments) = words.split_first().unwrap();
        let arguments: Vec<_> = arguments.iter().map(|word| Value::literal(*word)).collect();
        let (input, fuel) = (Value::default(), Fuel::new(1000));
        let output =
            super::compute(Speaker::Program, program, &arguments, &input, &mut |_| Value::default(), &fuel);
        output.map(|value| value.shown())
    };
    assert_eq!(run(&["echo", "a", "b"]).as_deref(), Some("a b\n"));
    assert_eq!(run(&["echo", "-n", "a"]).as_deref(), Some("a"));
    assert_eq!(run(&["printf", r"%s-%d\n\057", "a", "7"]).as_deref(), Some("a-7\n/"));
    for doubtful in [
        ["echo", "-e", "a"].as_slice(),
        &["echo", r"a\tb"],
        &["echo", "-n", "-E"],
        &["printf", "%b", "a"],
        &["printf", "%q", "a"],
        &["printf", r"\x41"],
        &["printf", r"\u0041"],
        &["printf", "%d", "0x1F"],
    ] {
        assert_eq!(run(doubtful), None, "{doubtful:?}");
    }
}

#[test]
fn what_a_hole_may_change_is_a_hole() {
    let hole = Value::unknown("$x", Provenance::OUTSIDE);
    let print = |words: &[Value]| {
        let (program, arguments) = words.split_first().unwrap();
        let (input, fuel) = (Value::default(), Fuel::new(1000));
        let program = program.known().unwrap().into_owned();
        compute(&program, arguments, &input, &mut |_| Value::default(), &fuel).map(|value| value.shown())
    };
    let mut cut = Value::literal(r"rm\");
    cut.push(&hole);
    // It may be `-e`, or go on with an escape.
    assert_eq!(print(&[Value::literal("echo"), hole.clone(), Value::literal(r"\x2f")]), None);
    assert_eq!(print(&[Value::literal("echo"), Value::literal("-e"), cut]), None);
    // Only a part of the known text is printed.
    let mut word = Value::literal("rm ");
    word.push(&hole);
    assert_eq!(print(&[Value::literal("printf"), Value::literal("%.2s"), word]).as_deref(), Some("rm $x"));
}

#[test]
fn printf_recycles_its_format_and_knows_its_conversions() {
    assert_eq!(run("", &["printf", r"\162\155 %s\n", "-rf", "/"]), "rm -rf\nrm /\n");
    assert_eq!(run("", &["printf", "%s%s", "f", "ind"]), "find");
    assert_eq!(run("", &["printf", "%b", r"\x72\0155"]), "rm");
    assert_eq!(
        run("", &["printf", "%03o|%x|%X|%5d|%-3d|%05d", "114", "255", "255", "7", "7", "-7"]),
        "162|ff|FF|    7|7  |-0007"
    );
    assert_eq!(run("", &["printf", "%c%c", "rx", "my"]), "rm");
    assert_eq!(run("", &["printf", "%d", "'A"]), "65");
    assert_eq!(run("", &["printf", "%.2s%%", "rmx"]), "rm%");
    assert_eq!(run("", &["printf", "%*s", "4", "a"]), "   a");
    assert_eq!(run("", &["printf", "%q", "a b"]), "a\\ b");
    assert_eq!(run("", &["printf", r"%s\0", "x"]), "x\0");
    assert_eq!(run("", &["printf", "x%s"]), "x");
    assert_eq!(run("", &["printf", "-v", "x", "y"]), "?");
    assert_eq!(run("", &["printf", "%(%Y)T", "1"]), "?");
    assert_eq!(run("", &["printf", "%999999999d", "1"]), "?");
}

#[test]
fn holes_survive_where_that_is_safe() {
    let hole = Value::unknown("$x", Provenance::OUTSIDE);
    let fuel = Fuel::new(1000);
    let mut read = |_: &Value| Value::default();
    let said =
        compute("echo", &[Value::literal("rm"), hole.clone()], &Value::default(), &mut read, &fuel).unwrap();
    assert_eq!(said.shown(), "rm $x\n");
    assert!(said.provenance.has(Provenance::OUTSIDE));
    let printed =
        compute("printf", &[Value::literal("%s!"), hole.clone()], &Value::default(), &mut read, &fuel)
            .unwrap();
    assert_eq!(printed.shown(), "$x!");
    let upper = compute("tr", &words(&["a-z", "A-Z"]), &said, &mut read, &fuel).unwrap();
    assert_eq!(upper.shown(), "RM $x\n");
    assert!(compute("rev", &[], &said, &mut read, &fuel).is_none());
    assert!(compute("base64", &words(&["-d"]), &said, &mut read, &fuel).is_none());
    let glob = Value { pieces: vec![Piece::Glob("*".into())], provenance: Provenance::NONE };
    assert!(compute("echo", &[glob], &Value::default(), &mut read, &fuel).unwrap().has_hole());
}

#[test]
fn decoders_decode_and_say_so() {
    for (stdin, command) in [
        ("cm0gLXJmIC8=\n", ["base64", "-d"].as_slice()),
        ("cm0gLXJm\nIC8", &["base64", "--decode"]),
        ("cm0*gLXJmIC8=", &["base64", "-di"]),
        ("OJWSALLSMYQC6===", &["base32", "-d"]),
        ("726D202D7266202F", &["basenc", "--base16", "-d"]),
        ("726d202d7266202f\n", &["xxd", "-r", "-p"]),
        ("726d 202d 7266 202f", &["xxd", "-r", "-ps"]),
        ("00000000: 726d 202d 7266 202f                      rm -rf /\n", &["xxd", "-r"]),
        ("cm0gLXJmIC8=", &["openssl", "base64", "-d", "-A"]),
        ("cm0gLXJmIC8=\n", &["openssl", "enc", "-base64", "-d"]),
        ("cm0gLXJmIC8=\n", &["openssl", "enc", "-d", "-a"]),
        ("ez -es /", &["tr", "A-Za-z", "N-ZA-Mn-za-m"]),
        ("ez -es /", &["tr", "a-z", "n-za-m"]),
        ("/ fr- mr", &["rev"]),
    ] {
        assert_eq!(run(stdin, command), "rm -rf /", "{command:?}");
        assert!(output(stdin, command).unwrap().provenance.has(Provenance::DECODED), "{command:?}");
    }
    assert_eq!(run("x", &["openssl", "enc", "-d", "-aes-256-cbc", "-a"]), "?");
    assert_eq!(run("x", &["openssl", "enc", "-d"]), "?");
    assert_eq!(run("%%%", &["base64", "-d"]), "?");
    assert_eq!(run("cm0gLXJmIC8=!junk", &["base64", "-d"]), "rm -rf /");
    assert_eq!(run("cm0=IC8=", &["base64", "-d"]), "rm /");
}

#[test]
fn text_that_only_some_programs_decode_is_that_or_nothing() {
    for (stdin, command) in [
        ("cm0gLXJmIC8=", ["base64", "-D"].as_slice()),
        ("cm0gLXJmIC8=", &["openssl", "base64", "-d"]),
        ("cm0gLXJmIC8=", &["openssl", "enc", "-d", "-a"]),
    ] {
        let printed = output(stdin, command).unwrap();
        let [Piece::Hole(hole)] = printed.pieces.as_slice() else { panic!("{command:?}: {printed:?}") };
        let choices: Vec<_> = hole.choices.iter().flat_map(|all| all.iter()).map(Value::known).collect();
        assert_eq!(choices, [Some("rm -rf /".into()), Some("".into())], "{command:?}");
    }
    assert_eq!(run("ojwsallsmyqc6===\n", &["openssl", "base64", "-d"]), "?");
}

#[test]
fn fields_are_cut_at_blanks_alone() {
    assert_eq!(run("a b\r\n", &["awk", "{print $NF}"]), "b\r\n");
    assert_eq!(run("a\u{a0}b c\n", &["awk", "{print $1}"]), "a\u{a0}b\n");
    assert_eq!(run("", &["awk", "BEGIN{print 011}"]), "?");
}

#[test]
fn encoders_encode() {
    assert_eq!(run("rm -rf /", &["base64"]), "cm0gLXJmIC8=\n");
    assert_eq!(run("rm -rf /", &["base64", "-w0"]), "cm0gLXJmIC8=");
    assert_eq!(run("rm -rf /", &["base32"]), "OJWSALLSMYQC6===\n");
    assert_eq!(run("rm", &["xxd", "-p"]), "726d\n");
    assert_eq!(run("rm", &["xxd"]), "?");
}

#[test]
fn compressed_text_is_unpacked() {
    let packed = run("H4sIAAAAAAACAyvKVdAtSlPQBwBcTPLsCAAAAA==", &["base64", "-d"]);
    assert_eq!(run(&packed, &["gunzip"]), "rm -rf /");
    assert_eq!(run(&packed, &["gzip", "-dc"]), "rm -rf /");
    assert_eq!(run(&packed, &["zcat"]), "rm -rf /");
    assert_eq!(run(&packed, &["gzip"]), "?");
    assert_eq!(run("no", &["gunzip"]), "?");
    assert_eq!(run("rm -rf /", &["xz"]), "?");
    let long = "H4sIAAAAAAACA13TS27DMBAD0H1O4QsU9Mzo29vk52QToEiKnr82NBIgamkChvkof37vP8v6vbxfy9d7W/B5/2HF6XM8lvlxlYpLS3ROihVcry2yOcox43a7tSzMWcoJ9/20MM5hrNE/I1EgAY+W5DkJZng+W1TmyKLifD63rM6ZZsFlP16aMKQODvKQtcKLCYFoQa8lBFJDxrZtHpJISQmP/XhKJLl0EiGTvAZ4OSGUpIbRjVRi0H03H06IJSQ5lvOGSixWOosSi9YKr6fMIgW9nJKLWN7H8/WUXGI61vOGSiw1dxYlllIDvJ0SSxHD6EYs2RTjWiqxpCjHft7QiCXmzmLEEkqFtzNiCWtBL2fEYpox7qYRi4Z07Nf/PHKR1F2MXQK8nRGLYTQjlKqKcTOt8gvlGO95+gdVJeYlTwQAAA==";
    let text = run(&run(long, &["base64", "-d"]), &["zcat"]);
    assert!(text.starts_with("step 0: rm -rf /srv/0/\nstep 1:") && text.ends_with("/841/hhhh\n"), "{text}");
}

#[test]
fn what_was_packed_is_unpacked_by_the_same_kind() {
    let packed = output("rm -rf /", &["xz", "-9"]).unwrap();
    let unpacked = |command: &[&str]| {
        let (program, arguments) = command.split_first().unwrap();
        let mut read = |_: &Value| Value::default();
        compute(program, &words(arguments), &packed, &mut read, &Fuel::new(1_000))
    };
    assert_eq!(unpacked(&["xz", "-dc"]).unwrap().known().unwrap(), "rm -rf /");
    assert_eq!(unpacked(&["xzcat"]).unwrap().known().unwrap(), "rm -rf /");
    assert!(unpacked(&["gunzip"]).is_none());
    assert!(unpacked(&["rev"]).is_none());
}

#[test]
fn tr_knows_its_sets() {
    assert_eq!(run("r%m%", &["tr", "-d", "%"]), "rm");
    assert_eq!(run("aabb", &["tr", "-s", "a"]), "abb");
    assert_eq!(run("a1b2", &["tr", "-cd", "[:alpha:]"]), "ab");
    assert_eq!(run("RM", &["tr", "[:upper:]", "[:lower:]"]), "rm");
    assert_eq!(run("a_b", &["tr", "_", "\\n"]), "a\nb");
    assert_eq!(run("abc", &["tr", "abc", "x"]), "xxx");
    assert_eq!(run("a b", &["tr", "-c", "a-z", "_"]), "a_b");
    assert_eq!(run("x", &["tr", "--what", "a", "b"]), "?");
    assert_eq!(run("x", &["tr", "a"]), "?");
    assert!(!output("RM", &["tr", "A-Z", "a-z"]).unwrap().provenance.has(Provenance::DECODED));
}

#[test]
fn line_filters_work_on_lines() {
    assert_eq!(run("a\nb\nc\n", &["tac"]), "c\nb\na\n");
    assert_eq!(run("a\nb\nc\n", &["head", "-n", "2"]), "a\nb\n");
    assert_eq!(run("a\nb\nc\n", &["head", "-1"]), "a\n");
    assert_eq!(run("a\nb\nc\n", &["head", "-n-1"]), "a\nb\n");
    assert_eq!(run("abc", &["head", "-c2"]), "ab");
    assert_eq!(run("a\nb\nc\n", &["tail", "-n1"]), "c\n");
    assert_eq!(run("a\nb\nc\n", &["tail", "-n", "+2"]), "b\nc\n");
    assert_eq!(run("abc", &["tail", "-c", "2"]), "bc");
    assert_eq!(run("b\na\nb\n", &["sort", "-ru"]), "b\na\n");
    assert_eq!(run("10\n9\n", &["sort", "-n"]), "9\n10\n");
    assert_eq!(run("a\na\nb\n", &["uniq"]), "a\nb\n");
    assert_eq!(run("abcd\n", &["fold", "-w2"]), "ab\ncd\n");
    assert_eq!(run("a\nb\n", &["wc", "-l"]), "2\n");
    assert_eq!(run("a\nb\n", &["paste", "-sd", ""]), "ab\n");
    assert_eq!(run("a\nb\n", &["paste", "-s", "-d", " "]), "a b\n");
    assert_eq!(run("x\ny\nz\n", &["paste", "-d:", "greeting", "-"]), "hello:x\nworld:y\n:z\n");
    assert_eq!(run("x\n", &["paste", "-s", "greeting", "-"]), "hello\tworld\nx\n");
    assert_eq!(run("a\nb\nc\n", &["paste", "-sd", ",;"]), "a,b;c\n");
    assert_eq!(run("x\n", &["paste", "-", "-"]), "?");
    assert_eq!(run("ab\u{0}abc\n", &["strings", "-n", "3"]), "abc\n");
    assert_eq!(run("r\u{0}m\u{0}", &["iconv", "-f", "UTF-16LE", "-t", "UTF-8"]), "rm");
    assert_eq!(run("x", &["pv", "-q"]), "x");
    assert_eq!(run("", &["cat", "greeting"]), "hello\nworld\n");
    assert_eq!(run("x", &["cat", "greeting", "-"]), "hello\nworld\nx");
    assert_eq!(run("x", &["cat", "other"]), "?");
    assert_eq!(run("x", &["cat", "-n"]), "?");
    assert_eq!(run("x", &["tee", "out"]), "x");
    assert_eq!(run("a\nb\n", &["tee", "/dev/stdout"]), "?");
    assert_eq!(run("x", &["dd", "bs=1", "status=none"]), "x");
    assert_eq!(run("x", &["sort", "-k2"]), "?");
}

#[test]
fn cut_takes_columns_and_fields() {
    assert_eq!(run("zzrmzz\n", &["cut", "-c3-4"]), "rm\n");
    assert_eq!(run("a:rm:c\n", &["cut", "-d:", "-f2"]), "rm\n");
    assert_eq!(run("a:b:c\n", &["cut", "-d", ":", "-f", "1,3-"]), "a:c\n");
    assert_eq!(run("a:b\n", &["cut", "-d:", "-f1", "--complement"]), "b\n");
    assert_eq!(run("a b\n", &["cut", "-d:", "-f2"]), "a b\n");
    assert_eq!(run("abc\n", &["cut", "-b", "-2"]), "ab\n");
}

#[test]
fn sed_substitutes() {
    assert_eq!(run("rm_SP_-rf_SP_/\n", &["sed", "s/_SP_/ /g"]), "rm -rf /\n");
    assert_eq!(run("a/b\n", &["sed", "s|/|x|"]), "axb\n");
    assert_eq!(run("ab\n", &["sed", "-E", "s/(a)(b)/\\2\\1&/"]), "baab\n");
    assert_eq!(run("a.b\n", &["sed", "s/\\./\\//"]), "a/b\n");
    assert_eq!(run("xbx\n", &["sed", "s/x//2"]), "xb\n");
    assert_eq!(run("a\nb\n", &["sed", "-n", "2p"]), "b\n");
    assert_eq!(run("a\nb\n", &["sed", "1d"]), "b\n");
    assert_eq!(run("a\nb\nc\n", &["sed", "-n", "/b/,/c/p"]), "?");
    assert_eq!(run("a\nb\n", &["sed", "$!d"]), "b\n");
    assert_eq!(run("abc\n", &["sed", "y/abc/xyz/"]), "xyz\n");
    assert_eq!(run("ab\n", &["sed", "-e", "s/a/x/", "-e", "s/b/y/"]), "xy\n");
    assert_eq!(run("aa\n", &["sed", "s/a*//g"]), "\n");
    assert_eq!(run("foo", &["sed", "s/o*/x/g"]), "xfx");
    assert_eq!(run("a\nb", &["sed", "$d"]), "a\n");
    assert_eq!(run("a\nb", &["sed", "p"]), "a\na\nb\nb");
    assert_eq!(run("x", &["sed", "s/x/y/e"]), "?");
    assert_eq!(run("RM x\n", &["sed", "s/RM/\\L&\\E -RF/"]), "rm -RF x\n");
    assert_eq!(run("x\n", &["sed", "s/x/\\u&/"]), "?");
    assert_eq!(run("x", &["sed", "-i", "s/x/y/", "f"]), "?");
    assert_eq!(run("x", &["sed", "1e id"]), "?");
}

#[test]
fn grep_selects() {
    assert_eq!(run("ab\ncd\n", &["grep", "c"]), "cd\n");
    assert_eq!(run("ab\ncd\n", &["grep", "-v", "c"]), "ab\n");
    assert_eq!(run("x rm y\n", &["grep", "-oE", "r[a-z]"]), "rm\n");
    assert_eq!(run("a.b\nacb\n", &["grep", "-F", "a.b"]), "a.b\n");
    assert_eq!(run("a", &["grep", "-r", "a"]), "?");
}

#[test]
fn awk_prints_fields() {
    assert_eq!(run("x rm -rf\n", &["awk", "{print $2, $3}"]), "rm -rf\n");
    assert_eq!(run("x:y\n", &["awk", "-F:", "{print $NF}"]), "y\n");
    assert_eq!(run("", &["awk", r#"BEGIN{print "rm" " -rf"; printf "%s\n", "/"}"#]), "rm -rf\n/\n");
    assert_eq!(run("x", &["awk", "{system($0)}"]), "?");
    assert_eq!(run("x\n", &["awk", "{print}"]), "x\n");
    assert_eq!(run("RM /\n", &["awk", "{print tolower($1), toupper(\"x\")}"]), "rm X\n");
}

#[test]
fn what_programs_and_locales_read_in_different_ways_is_unknown() {
    for (stdin, command) in [
        ("B\na\n", ["sort"].as_slice()),
        ("é\n", &["cut", "-c1"]),
        ("é\n", &["sed", "s/./x/"]),
        ("ab\n", &["tr", "a-b", "[x*]"]),
        ("ab\n", &["tr", "-c", "a", "xy"]),
        ("a\n", &["sed", "s/*a/x/"]),
        ("x\n", &["grep", "a\\|*x"]),
        ("x\n", &["awk", r#"BEGIN{printf "%s%s\n", "a"}"#]),
        (r#"{"a":"x","a":"y","b":1}"#, &["jq", "-r", ".a"]),
        ("", &["jq", "-rn", r#""\(1)""#]),
        ("", &["expr", "a", ":", "^a"]),
    ] {
        assert_eq!(run(stdin, command), "?", "{command:?}");
    }
}

#[test]
fn longest_alternative_is_taken() {
    assert_eq!(run("abrm -rf /\n", &["sed", "-E", "s/a|ab//"]), "rm -rf /\n");
    assert_eq!(run("x;rm -rf /\n", &["grep", "-oE", "x|x;rm.*"]), "x;rm -rf /\n");
    assert_eq!(run("a\r\n", &["sed", "s/a/b/"]), "b\r\n");
}

#[test]
fn words_are_computed() {
    assert_eq!(run("", &["basename", "/a/b.sh", ".sh"]), "b\n");
    assert_eq!(run("", &["basename", "/"]), "/\n");
    assert_eq!(run("", &["dirname", "/a/b"]), "/a\n");
    assert_eq!(run("", &["dirname", "/a"]), "/\n");
    assert_eq!(run("", &["dirname", "a"]), ".\n");
    assert_eq!(run("", &["expr", "3", "+", "4"]), "7\n");
    assert_eq!(run("", &["expr", "substr", "xrmx", "2", "2"]), "rm\n");
    assert_eq!(run("", &["expr", "xxrm", ":", "xx\\(.*\\)"]), "rm\n");
    assert_eq!(run("", &["expr", "abc", ":", "b"]), "0\n");
    assert_eq!(run("", &["expr", "abc", ":", "a."]), "2\n");
    assert_eq!(run("", &["jq", "-rn", r#"["rm", "-rf"] | join(" ")"#]), "rm -rf\n");
    assert_eq!(run("", &["seq", "3"]), "1\n2\n3\n");
    assert_eq!(run("", &["seq", "-s", " ", "5", "-2", "1"]), "5 3 1\n");
    assert_eq!(run("", &["seq", "3", "3", "1"]), "");
    assert_eq!(run("", &["seq", "1", "10", "-2"]), "");
    assert_eq!(run("", &["seq", "1000000000"]), "?");
    assert_eq!(run(r#""rm -rf \/""#, &["jq", "-r", "."]), "rm -rf /\n");
    assert_eq!(run(r#"{"a":"x", "c":"rm"}"#, &["jq", "-r", ".c"]), "rm\n");
}

#[test]
fn output_and_work_are_bounded() {
    let large = "a".repeat(70_000);
    assert_eq!(run(&large, &["rev"]), "?");
    let half = "a".repeat(40_000);
    assert_eq!(run(&half, &["sed", "s/a/bb/g"]), "?");
    let fuel = Fuel::new(3);
    let mut read = |_: &Value| Value::default();
    assert!(compute("rev", &[], &Value::literal(half), &mut read, &fuel).is_none());
    assert!(compute("unheard-of", &[], &Value::default(), &mut read, &fuel).is_none());
}
