//! Pipelines of filters print what herm says they print.

use std::fmt::Write;

use herm_shell::Value;
use herm_test::judge::analyse;
use herm_test::oracle::{Grammar, Random, Shell, Verdict, effort, judged, worlds};

const FILTERS: &str = include_str!("../../src/oracle/filters.txt");

/// How many pipelines of a kind are made up.
const MANY: usize = 100;

#[test]
fn sed_is_exact_or_a_hole() {
    hold("sed", 3);
}

#[test]
fn grep_is_exact_or_a_hole() {
    hold("grep", 2);
}

#[test]
fn awk_is_exact_or_a_hole() {
    hold("awk", 2);
}

#[test]
fn tr_is_exact_or_a_hole() {
    hold("tr", 1);
}

#[test]
fn columns_are_exact_or_a_hole() {
    hold("columns", 1);
}

#[test]
fn lines_are_exact_or_a_hole() {
    hold("lines", 2);
}

#[test]
fn codings_are_exact_or_a_hole() {
    hold("coding", 1);
}

#[test]
fn printing_is_exact_or_a_hole() {
    hold("print", 3);
}

#[test]
fn words_are_exact_or_a_hole() {
    hold("words", 1);
}

#[test]
fn jq_is_exact_or_a_hole() {
    hold("jq", 1);
}

/// Makes up pipelines of a kind and compares herm with every world in which they can be run here.
fn hold(kind: &str, share: usize) {
    let grammar = Grammar::new(FILTERS);
    let mut random = Random::new(21);
    let pipelines: Vec<_> = (0..MANY * share * effort())
        .map(|_| grammar.text(kind, &mut random))
        .filter(|pipeline| !ends_bash(pipeline))
        .collect();
    let ours: Vec<_> = pipelines.iter().map(|pipeline| printed(pipeline)).collect();
    let exact = ours.iter().flatten().filter(|value| value.known().is_some()).count();
    let wrong: String = worlds().map(|world| differences(world, &pipelines, &ours)).collect();
    assert!(wrong.is_empty(), "{wrong}");
    assert!(exact * 50 > pipelines.len(), "hardly anything is computed: {exact} of {}", pipelines.len());
}

/// Whether bash itself ends by a pipeline: its `printf` takes a width of twenty digits for a reason to abort.
fn ends_bash(pipeline: &str) -> bool {
    let numbers = pipeline.split(|letter: char| !letter.is_ascii_digit());
    pipeline.contains('*') && numbers.map(str::len).any(|digits| digits > 9)
}

fn differences(world: Shell, pipelines: &[String], ours: &[Option<Value>]) -> String {
    let real = world.prints(pipelines);
    assert_eq!(real.len(), pipelines.len(), "{world:?} did not answer everything");
    let mut wrong = String::new();
    for ((pipeline, ours), real) in pipelines.iter().zip(ours).zip(&real) {
        let verdict = ours.as_ref().map_or(Verdict::Wrong, |ours| judged(ours, real));
        if verdict == Verdict::Wrong {
            let ours = ours.as_ref().map(|ours| &ours.pieces);
            let _ = writeln!(wrong, "{world:?}: {pipeline}\n  real: {real:?}\n  ours: {ours:?}");
        }
    }
    wrong
}

/// What the pipeline prints, by herm.
fn printed(pipeline: &str) -> Option<Value> {
    let analysis = analyse(&format!("marker \"$({pipeline}\nprintf .)\""));
    let run = analysis.invocations.into_iter().find(|run| run.program.as_ref() == "marker")?;
    run.arguments.into_iter().next()
}
