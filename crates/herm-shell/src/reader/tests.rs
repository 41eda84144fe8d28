use super::{Reading, read};
use crate::ast::{
    AssignedValue, Command, CommandKind, Descriptor, Direction, Operation, Part, RedirectOperator, Word,
};
use crate::fuel::Fuel;
use crate::gap::Reason;
use crate::span::Span;

fn read_all(text: &str) -> Reading {
    read(text, &Fuel::new(100_000))
}

/// The commands of a valid text, whatever joins them.
fn commands(text: &str) -> Vec<Command> {
    let reading = read_all(text);
    assert!(reading.problems.is_empty(), "{text}: {:?}", reading.problems);
    let items = reading.list.items.into_iter();
    items.flat_map(|item| item.pipelines).flat_map(|(_, pipeline)| pipeline.commands).collect()
}

fn only(text: &str) -> Command {
    let mut commands = commands(text);
    assert_eq!(commands.len(), 1, "{text}");
    commands.remove(0)
}

fn words(command: &Command) -> &[Word] {
    let CommandKind::Simple { words, .. } = &command.kind else { panic!("not simple: {command:?}") };
    words
}

/// The parts of the last word of the only command.
fn last(text: &str) -> Vec<Part> {
    words(&only(text)).last().unwrap().parts.clone()
}

fn operation(text: &str) -> (String, bool, Operation) {
    let Part::Parameter(parameter) = last(&format!("echo {text}")).remove(0) else { panic!("{text}") };
    (parameter.name, parameter.indirect, parameter.operation)
}

fn bare(text: &str) -> Part {
    Part::Bare(text.to_owned())
}

fn quoted(text: &str) -> Part {
    Part::Quoted(text.to_owned())
}

fn at(text: &str, span: Span) -> &str {
    text.get(span.start as usize..span.end as usize).unwrap()
}

/// The words of the simple commands, as they are written.
fn sources(text: &str) -> Vec<Vec<String>> {
    let items = read_all(text).list.items.into_iter();
    let all = items.flat_map(|item| item.pipelines).flat_map(|(_, pipeline)| pipeline.commands);
    let simple = all.filter(|command| matches!(command.kind, CommandKind::Simple { .. }));
    simple
        .map(|command| words(&command).iter().map(|word| at(text, word.span).to_owned()).collect())
        .collect()
}

#[test]
fn quotes_become_parts() {
    assert_eq!(
        last("a\\ b'c'\"d\"e"),
        [bare("a"), quoted(" "), bare("b"), quoted("c"), Part::DoubleQuoted(vec![quoted("d")]), bare("e")]
    );
    assert_eq!(last(r#""\$x \n \"""#), [Part::DoubleQuoted(vec![quoted("$x \\n \"")])]);
    assert_eq!(last("''"), [quoted("")]);
    assert_eq!(last("r\\\nm"), [bare("rm")]);
    assert_eq!(last("a\r"), [bare("a\r")]);
}

#[test]
fn ansi_escapes_are_decoded() {
    let cases = [
        (r"\x72\155", "rm"),
        (r"\u00e9\U1F600", "é\u{1F600}"),
        (r"\xc3\xa9", "é"),
        (r"\e\cA\?\'", "\u{1b}\u{1}?'"),
        (r"\q\x", r"\q\x"),
        (r"a\0b", "a"),
        (r"\x{41}", "A"),
        (r"\18", "\u{1}8"),
    ];
    for (escaped, expected) in cases {
        assert_eq!(last(&format!("$'{escaped}'")), [quoted(expected)], "{escaped}");
    }
}

#[test]
fn arithmetic_is_told_from_subshells() {
    assert_eq!(last("echo $((1+(2)))"), [Part::Arithmetic(vec![quoted("1+(2)")])]);
    assert!(matches!(last("echo $((a) | b)")[..], [Part::Command(..)]));
    assert!(matches!(only("((a))").kind, CommandKind::Arithmetic(_)));
    assert!(matches!(only("((a); b)").kind, CommandKind::Subshell(_)));
    assert!(matches!(only("for ((;;)) { a; }").kind, CommandKind::ForArithmetic { .. }));
    assert!(matches!(last("echo $[1+a[2]]")[..], [Part::Arithmetic(_)]));
}

#[test]
fn parameters_have_operations() {
    assert!(matches!(operation("${x:-d}").2, Operation::Default(word) if word.parts == [bare("d")]));
    assert_eq!(operation("${!x}"), ("x".to_owned(), true, Operation::Plain));
    assert_eq!(operation("${!x@}"), ("x".to_owned(), true, Operation::Names));
    assert_eq!(operation("${!x[@]}"), ("x".to_owned(), true, Operation::Names));
    assert_eq!(operation("${#x}"), ("x".to_owned(), false, Operation::Length));
    assert_eq!(operation("${#}"), ("#".to_owned(), false, Operation::Plain));
    assert_eq!(operation("${##}"), ("#".to_owned(), false, Operation::Length));
    assert_eq!(operation("${x@Q}"), ("x".to_owned(), false, Operation::Transform('Q')));
    assert_eq!(operation("${10}"), ("10".to_owned(), false, Operation::Plain));
    assert_eq!(operation("$10").0, "1");
    assert!(matches!(operation("${##a}").2, Operation::RemovePrefix { longest: false, .. }));
    assert!(matches!(
        operation("${x//a/b}").2,
        Operation::Replace { kind: crate::ast::ReplaceKind::All, .. }
    ));
    assert!(matches!(operation("${x:1:2}").2, Operation::Substring { length: Some(_), .. }));
    assert!(matches!(operation("${x: -1}").2, Operation::Substring { length: None, .. }));
    assert!(matches!(operation("${x:a?b:c}").2, Operation::Substring { length: None, .. }));
    assert!(matches!(operation("${x^^}").2, Operation::Case(operator, _) if operator == "^^"));
}

#[test]
fn assignments_are_told_from_words() {
    let CommandKind::Simple { assignments, words } = only("a=1 b+=(x [k]=y) c[i+1]=z cmd d=2").kind else {
        panic!()
    };
    let names: Vec<_> =
        assignments.iter().map(|assignment| (assignment.name.as_str(), assignment.append)).collect();
    assert_eq!(names, [("a", false), ("b", true), ("c", false)]);
    assert!(matches!(&assignments[1].value, AssignedValue::Array(elements) if elements.len() == 2));
    assert!(assignments[2].index.is_some());
    assert_eq!(words.len(), 2);
    assert_eq!(last("export a=(1 'b c')"), [bare("a=(1 "), quoted("b c"), bare(")")]);
}

#[test]
fn redirections_have_descriptors() {
    let command = only("a 2>f {fd}<g &>>h <<<i >&2 3<>j");
    let found: Vec<_> = command.redirects.iter().map(|redirect| redirect.operator).collect();
    assert_eq!(
        found,
        [
            RedirectOperator::Output,
            RedirectOperator::Input,
            RedirectOperator::AppendBoth,
            RedirectOperator::HereString,
            RedirectOperator::DuplicateOutput,
            RedirectOperator::ReadWrite
        ]
    );
    assert_eq!(command.redirects[0].descriptor, Some(Descriptor::Number(2)));
    assert_eq!(command.redirects[1].descriptor, Some(Descriptor::Named("fd".to_owned())));
    let both = &commands("a |& b")[0].redirects[0];
    assert_eq!(
        (both.operator, &both.descriptor),
        (RedirectOperator::DuplicateOutput, &Some(Descriptor::Number(2)))
    );
    assert!(matches!(last("a <(b)")[..], [Part::Process(Direction::From, ..)]));
}

#[test]
fn here_documents_stand_with_their_redirection() {
    let body = |text: &str| commands(text)[0].redirects[0].target.parts.clone();
    assert_eq!(body("cat <<'E'\n$x\nE\nnext"), [quoted("$x\n")]);
    assert!(
        matches!(&body("cat <<E\na $x\nE")[..], [Part::Quoted(a), Part::Parameter(_), Part::Quoted(_)] if a == "a ")
    );
    assert_eq!(body("cat <<-E\n\ta\n\t\tb\n\tE\n"), [quoted("a\nb\n")]);
    assert_eq!(body("cat <<E\n\"a\\\nb\\$\nE\n"), [quoted("\"ab$\n")]);
    assert_eq!(body("cat <<E\nto the end"), [quoted("to the end")]);
    let two = only("cat <<A <<'B'\na\nA\nb\nB");
    assert_eq!(two.redirects[1].target.parts, [quoted("b\n")]);
    let Part::Command(list, _) = last("echo $(cat <<E\nx\nE\n)").remove(0) else { panic!() };
    assert_eq!(list.items[0].pipelines[0].1.commands[0].redirects[0].target.parts, [quoted("x\n")]);
    let reading = read_all("bash <<E\nrm $(cat <<F\ny\nF\n)\nE\n");
    assert!(reading.problems.is_empty());
    assert_eq!(sources("cat <<E; a\nx\nE\nb"), [vec!["cat"], vec!["a"], vec!["b"]]);
}

#[test]
fn backticks_are_read_as_commands() {
    let text = "echo `a \\`b\\` \\$c`";
    let Part::Command(list, span) = last(text).remove(0) else { panic!() };
    assert_eq!(at(text, span), "`a \\`b\\` \\$c`");
    let inner = &list.items[0].pipelines[0].1.commands[0];
    assert_eq!(words(inner).len(), 3);
    assert!(matches!(words(inner)[1].parts[..], [Part::Command(..)]));
    assert_eq!(at(text, words(inner)[0].span), "a");
}

#[test]
fn functions_have_groups_as_bodies() {
    for text in
        ["f() { a; }", "f () (a)", "function f { a; }", "function f() if a; then b; fi", "f() { a; } >x"]
    {
        let CommandKind::Function { name, body } = only(text).kind else { panic!("{text}") };
        assert_eq!(name, "f");
        assert!(matches!(body.kind, CommandKind::Group(_)), "{text}");
    }
}

#[test]
fn negated_subshells_are_not_globs() {
    assert!(matches!(only("!(a b)").kind, CommandKind::Subshell(_)));
    assert_eq!(last("ls !(a|b c)"), [bare("!(a|b c)")]);
}

#[test]
fn conditions_keep_operators_as_words() {
    let CommandKind::Condition(words) = only("[[ ! ( a<b && $c =~ ^(x y)+$ ) ]]").kind else { panic!() };
    let shown: Vec<_> = words.iter().map(|word| word.parts.first().cloned().unwrap()).collect();
    assert_eq!(shown[..5], [bare("!"), bare("("), bare("a"), bare("<"), bare("b")]);
    assert_eq!(shown[8], bare("^(x y)+$"));
}

#[test]
fn reading_goes_on_behind_an_error() {
    let cases: [(&str, &[&[&str]]); 7] = [
        ("find . -delete 'open", &[&["find", ".", "-delete", "'open"]]),
        ("a )\nb", &[&["a"], &["b"]]),
        ("a; fi; b", &[&["a"], &["b"]]),
        ("a ;; b", &[&["a"], &["b"]]),
        ("| a; b", &[&["a"], &["b"]]),
        ("a &&\n; b", &[&["a"], &["b"]]),
        ("if a; b", &[]),
    ];
    for (text, expected) in cases {
        let reading = read_all(text);
        assert!(reading.problems.iter().any(|problem| problem.reason == Reason::Syntax), "{text}");
        assert_eq!(sources(text), expected, "{text}");
    }
    assert!(!read_all("echo (rm x)").problems.is_empty());
    assert_eq!(read_all("echo (rm x)").list.items.len(), 2);
}
