//! Expressions of programming languages yield what herm says they yield.

use std::fmt::Write;

use herm_shell::{Input, Lang, Limits, Setting, Value};
use herm_test::judge::{CWD, HOME};
use herm_test::oracle::{BETWEEN, FAILED, Grammar, Random, SPEAKERS, Speaker, Verdict, effort, judged};

/// How many expressions of a language are made up.
const MANY: usize = 600;

#[test]
fn perl_is_exact_or_a_hole() {
    hold(Lang::Perl);
}

#[test]
fn ruby_is_exact_or_a_hole() {
    hold(Lang::Ruby);
}

#[test]
fn javascript_is_exact_or_a_hole() {
    hold(Lang::JavaScript);
}

#[test]
fn php_is_exact_or_a_hole() {
    hold(Lang::Php);
}

#[test]
fn lua_is_exact_or_a_hole() {
    hold(Lang::Lua);
}

#[test]
fn tcl_is_exact_or_a_hole() {
    hold(Lang::Tcl);
}

/// What one expression yields, by herm.
enum Ours {
    /// One of these.
    Values(Vec<Value>),
    /// Something that could not be followed.
    Gap,
}

fn hold(lang: Lang) {
    let Some(speaker) = SPEAKERS.iter().find(|speaker| speaker.lang == lang && speaker.is_here()) else {
        return;
    };
    let grammar = Grammar::new(speaker.grammar);
    let mut random = Random::new(21);
    let codes: Vec<_> = (0..MANY * effort())
        .filter_map(|_| {
            let text = grammar.text("top", &mut random);
            text.split_once('¦').map(|(before, value)| (before.to_owned(), value.to_owned()))
        })
        .filter(|(before, value)| before.len() + value.len() < 400)
        .collect();
    let real = speaker.yields(&codes);
    assert_eq!(real.len(), codes.len(), "{lang:?} did not answer {:?}", codes.get(real.len()));
    let (mut wrong, mut wrongs, mut failed, mut exact) = (String::new(), 0, 0, 0);
    for (code, real) in codes.iter().zip(&real) {
        if real == FAILED {
            failed += 1;
            continue;
        }
        let ours = yielded(speaker, code);
        match verdict(&ours, real) {
            Verdict::Exact => exact += 1,
            Verdict::Hole => {}
            Verdict::Wrong => {
                wrongs += 1;
                let _ = writeln!(wrong, "{}¦{}\n  real: {real:?}\n  ours: {}", code.0, code.1, shown(&ours));
            }
        }
    }
    let all = codes.len();
    assert!(wrongs == 0, "{wrongs} of {all}\n{wrong}");
    assert!(failed * 2 < all, "{failed} of {all} are no expressions");
    assert!(exact * 8 > all, "hardly anything is computed: {exact} of {all}");
}

fn shown(ours: &Ours) -> String {
    match ours {
        Ours::Gap => "a gap".to_owned(),
        Ours::Values(values) => {
            values.iter().map(|value| format!("{:?}", value.pieces)).collect::<Vec<_>>().join(" ")
        }
    }
}

fn verdict(ours: &Ours, real: &str) -> Verdict {
    let Ours::Values(values) = ours else { return Verdict::Hole };
    let verdicts: Vec<_> = values.iter().map(|value| judged(value, real)).collect();
    let best = [Verdict::Exact, Verdict::Hole].into_iter().find(|best| verdicts.contains(best));
    best.unwrap_or(Verdict::Wrong)
}

/// The values that reach `marker`, several of one call in one text.
fn yielded(speaker: &Speaker, (before, value): &(String, String)) -> Ours {
    let program = format!("{before}{}", speaker.sink.replace('@', value));
    let setting = Setting {
        cwd: CWD,
        home: HOME,
        user: Some("dev"),
        world: &herm_shell::world::Blind,
        limits: Limits::default(),
        input: Input::default(),
    };
    let analysis = herm_shell::analyse(&program, speaker.lang, &setting);
    let mut values = Vec::new();
    for run in analysis.invocations.iter().filter(|run| run.program.as_ref() == "marker") {
        let mut whole = Value::default();
        for (index, argument) in run.arguments.iter().enumerate() {
            whole.push_str(if index > 0 { BETWEEN } else { "" });
            whole.push(argument);
        }
        values.push(whole);
    }
    if values.is_empty() && !analysis.gaps.is_empty() { Ours::Gap } else { Ours::Values(values) }
}
