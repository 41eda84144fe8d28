//! Prints what a command would do: `cargo run -p herm-shell --example facts -- 'rm -rf build'`.

use herm_shell::world::Blind;
use herm_shell::{Lang, Limits, Setting, analyse};

#[expect(clippy::print_stdout, reason = "printing is what this example is for")]
fn main() {
    let mut arguments = std::env::args().skip(1);
    let text = arguments.next().unwrap_or_default();
    let lang = if arguments.next().is_some() { Lang::Python } else { Lang::Shell };
    let setting = Setting {
        cwd: "/home/dev/project",
        home: "/home/dev",
        user: Some("dev"),
        world: &Blind,
        limits: Limits::default(),
        input: herm_shell::Input::default(),
    };
    let analysis = analyse(&text, lang, &setting);
    for invocation in &analysis.invocations {
        let arguments: Vec<String> = invocation.arguments.iter().map(herm_shell::Value::shown).collect();
        println!("runs    {} {arguments:?}", invocation.program);
    }
    for effect in &analysis.effects {
        println!(
            "does    {:?} {:?} {:?} by {} from {:?}",
            effect.verb,
            effect.target,
            effect.flags.words().collect::<Vec<_>>(),
            effect.by,
            effect.provenance.words().collect::<Vec<_>>()
        );
    }
    for gap in &analysis.gaps {
        println!("gap     {gap:?}");
    }
    for note in &analysis.notes {
        println!("note    {note:?}");
    }
}
