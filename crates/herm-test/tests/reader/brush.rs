//! The same normal form of what brush makes of a text.

use brush_parser::ast::{
    AndOr, Command, CommandPrefixOrSuffixItem as Piece, CompoundCommand, CompoundList, IfClauseCommand,
    Pipeline, Program, SeparatorOperator, SimpleCommand, Word,
};
use brush_parser::{Parser, ParserOptions};

/// The normal form, or `None` where brush rejects the text.
pub(crate) fn normal(text: &str) -> Option<String> {
    let options = ParserOptions::default();
    let mut parser = Parser::new(text.as_bytes(), &options);
    parser.parse_program().ok().map(|program| of_program(&program))
}

fn of_program(program: &Program) -> String {
    program.complete_commands.iter().map(of_list).collect::<Vec<_>>().join("\n")
}

fn of_list(list: &CompoundList) -> String {
    let items = list.0.iter().map(|item| {
        let mut out = of_pipeline(&item.0.first);
        for more in &item.0.additional {
            let (join, pipeline) = match more {
                AndOr::And(pipeline) => (" && ", pipeline),
                AndOr::Or(pipeline) => (" || ", pipeline),
            };
            out = out + join + &of_pipeline(pipeline);
        }
        out + if matches!(item.1, SeparatorOperator::Async) { " &" } else { "" }
    });
    items.collect::<Vec<_>>().join("\n")
}

fn of_pipeline(pipeline: &Pipeline) -> String {
    let commands: Vec<_> = pipeline.seq.iter().map(of_command).collect();
    format!("{}{}", if pipeline.bang { "! " } else { "" }, commands.join(" | "))
}

fn of_command(command: &Command) -> String {
    match command {
        Command::Simple(simple) => of_simple(simple),
        Command::Compound(compound, _) => of_compound(compound),
        Command::Function(function) => {
            let body = of_compound(&function.body.0);
            let is_group = matches!(function.body.0, CompoundCommand::BraceGroup(_));
            let body = if is_group { body } else { format!("{{ {body} }}") };
            format!("{}() {body}", function.fname.value)
        }
        Command::ExtendedTest(..) => "[[".to_owned(),
    }
}

fn of_compound(compound: &CompoundCommand) -> String {
    match compound {
        CompoundCommand::Arithmetic(_) => "((".to_owned(),
        CompoundCommand::ArithmeticForClause(clause) => format!("for (( {}", of_list(&clause.body.list)),
        CompoundCommand::BraceGroup(group) => format!("{{ {} }}", of_list(&group.list)),
        CompoundCommand::CaseClause(case) => {
            let arms = case.cases.iter().map(|arm| {
                let patterns: Vec<_> = arm.patterns.iter().map(of_word).collect();
                format!("({}) {}", patterns.join("|"), arm.cmd.as_ref().map(of_list).unwrap_or_default())
            });
            format!("case {} {}", of_word(&case.value), arms.collect::<Vec<_>>().join(";"))
        }
        CompoundCommand::Coprocess(coprocess) => format!("coproc {}", of_command(&coprocess.body)),
        CompoundCommand::ForClause(clause) => {
            let words = clause.values.as_ref().map(|words| words.iter().map(of_word).collect::<Vec<_>>());
            format!("for {} {words:?} {}", clause.variable_name, of_list(&clause.body.list))
        }
        CompoundCommand::IfClause(clause) => of_if(clause),
        CompoundCommand::Subshell(shell) => format!("( {} )", of_list(&shell.list)),
        CompoundCommand::UntilClause(clause) | CompoundCommand::WhileClause(clause) => {
            format!("while {} do {}", of_list(&clause.0), of_list(&clause.1.list))
        }
    }
}

fn of_if(clause: &IfClauseCommand) -> String {
    let first = format!("if {} then {} ", of_list(&clause.condition), of_list(&clause.then));
    let branches = clause.elses.iter().flatten().map(|branch| match &branch.condition {
        Some(condition) => format!("if {} then {} ", of_list(condition), of_list(&branch.body)),
        None => format!("else {}", of_list(&branch.body)),
    });
    first + &branches.collect::<String>()
}

fn of_simple(simple: &SimpleCommand) -> String {
    let before = simple.prefix.iter().flat_map(|prefix| &prefix.0).filter_map(of_piece);
    let name = simple.word_or_name.iter().map(of_word);
    let behind = simple.suffix.iter().flat_map(|suffix| &suffix.0).filter_map(of_piece);
    format!("{:?}", before.chain(name).chain(behind).collect::<Vec<_>>())
}

fn of_piece(piece: &Piece) -> Option<String> {
    match piece {
        Piece::IoRedirect(_) => None,
        Piece::AssignmentWord(_, word) | Piece::Word(word) => Some(of_word(word)),
        Piece::ProcessSubstitution(_, shell) => Some(format!("<( {} )", of_list(&shell.list))),
    }
}

fn of_word(word: &Word) -> String {
    word.value.replace("\\\n", "")
}
