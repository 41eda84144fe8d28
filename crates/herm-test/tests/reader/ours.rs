//! The normal form of what our reader makes of a text: commands, source texts of words, kinds of compounds.

use herm_shell::ast::{Command, CommandKind, Item, Join, List, Part, Word};
use herm_shell::fuel::Fuel;
use herm_shell::reader::read;
use herm_shell::span::Span;

/// The normal form, or `None` where something is not valid.
pub(crate) fn normal(text: &str) -> Option<String> {
    let reading = read(text, &Fuel::new(10_000_000));
    reading.problems.is_empty().then(|| Normal(text).list(&reading.list))
}

struct Normal<'t>(&'t str);

impl Normal<'_> {
    fn list(&self, list: &List) -> String {
        list.items.iter().map(|item| self.item(item)).collect::<Vec<_>>().join("\n")
    }

    fn item(&self, item: &Item) -> String {
        let mut out = String::new();
        for (join, pipeline) in &item.pipelines {
            out += match join {
                Join::And => " && ",
                Join::First => "",
                Join::Or => " || ",
            };
            out += if pipeline.negated { "! " } else { "" };
            let commands: Vec<_> = pipeline.commands.iter().map(|command| self.command(command)).collect();
            out += &commands.join(" | ");
        }
        out + if item.background { " &" } else { "" }
    }

    fn command(&self, command: &Command) -> String {
        match &command.kind {
            CommandKind::Arithmetic(_) => "((".to_owned(),
            CommandKind::Case { word, arms } => {
                let arms = arms.iter().map(|arm| {
                    let patterns: Vec<_> = arm.patterns.iter().map(|word| self.word(word)).collect();
                    format!("({}) {}", patterns.join("|"), self.list(&arm.list))
                });
                format!("case {} {}", self.word(word), arms.collect::<Vec<_>>().join(";"))
            }
            CommandKind::Condition(_) => "[[".to_owned(),
            CommandKind::Coprocess { command, .. } => format!("coproc {}", self.command(command)),
            CommandKind::For { name, words, body, .. } => {
                let words =
                    words.as_ref().map(|words| words.iter().map(|word| self.word(word)).collect::<Vec<_>>());
                format!("for {name} {words:?} {}", self.list(body))
            }
            CommandKind::ForArithmetic { body, .. } => format!("for (( {}", self.list(body)),
            CommandKind::Function { name, body } => format!("{name}() {}", self.command(body)),
            CommandKind::Group(list) => format!("{{ {} }}", self.list(list)),
            CommandKind::If { branches, otherwise } => {
                let branches = branches.iter().map(|(condition, body)| {
                    format!("if {} then {} ", self.list(condition), self.list(body))
                });
                branches.collect::<Vec<_>>().concat()
                    + &otherwise.as_ref().map(|list| format!("else {}", self.list(list))).unwrap_or_default()
            }
            CommandKind::Simple { assignments, words } => {
                let assigned = assignments.iter().map(|assignment| self.source(assignment.span));
                let words = words.iter().map(|word| self.word(word));
                format!("{:?}", assigned.chain(words).collect::<Vec<_>>())
            }
            CommandKind::Subshell(list) => format!("( {} )", self.list(list)),
            CommandKind::While { condition, body, .. } => {
                format!("while {} do {}", self.list(condition), self.list(body))
            }
        }
    }

    fn word(&self, word: &Word) -> String {
        match word.parts.as_slice() {
            [Part::Process(_, list, _)] => format!("<( {} )", self.list(list)),
            _ => self.source(word.span),
        }
    }

    fn source(&self, span: Span) -> String {
        let range = span.start as usize..span.end as usize;
        self.0.get(range).unwrap_or("<bad span>").replace("\\\n", "")
    }
}
