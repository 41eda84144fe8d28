//! Methods of objects that are not known: some names say enough.

use std::rc::Rc;

use super::super::library;
use super::{Arguments, Interpreter, Object};
use crate::effect::{Flags, Target, Verb};
use crate::lang::Lang;
use crate::value::Value;

/// Methods that mean the same on whatever module or object they are found.
const TELLING: &[(&str, &str)] = &[
    ("system", "os.system"),
    ("popen", "os.popen"),
    ("Popen", "subprocess.Popen"),
    ("check_output", "subprocess.check_output"),
    ("check_call", "subprocess.check_call"),
    ("getoutput", "subprocess.getoutput"),
    ("rmtree", "shutil.rmtree"),
    ("urlopen", "urllib.request.urlopen"),
    ("urlretrieve", "urllib.request.urlretrieve"),
];

/// How statements begin that change something.
const STATEMENTS: &[&str] = &[
    "ALTER", "ATTACH", "COPY", "CREATE", "DELETE", "DROP", "EXEC", "GRANT", "INSERT", "REVOKE", "TRUNCATE",
    "UPDATE",
];

/// Methods of a query that leave all of its rows.
const KEEPING: &[&str] = &[
    "all",
    "defer",
    "distinct",
    "only",
    "order_by",
    "prefetch_related",
    "reverse",
    "select_related",
    "using",
];

/// How queries end that hold every row of a model: those of a manager of Django's, and those of a session of `SQLAlchemy`.
const EVERY_ROW: &[&str] = &[
    "._base_manager",
    "._base_manager.all()",
    "._default_manager",
    "._default_manager.all()",
    ".objects",
    ".objects.all()",
    ".query",
    "session.query()",
];

pub(super) fn holds_every_row(object: &Object) -> bool {
    matches!(object, Object::Unknown(unknown) if EVERY_ROW.iter().any(|end| unknown.shown.ends_with(end)))
}

impl Interpreter<'_> {
    pub(super) fn unknown_method(
        &mut self,
        receiver: &Object,
        name: &Rc<str>,
        arguments: &Arguments,
    ) -> Object {
        if let Some((_, library)) = TELLING.iter().find(|(method, _)| *method == &**name)
            && arguments.plain.first().is_some_and(|first| !matches!(first, Object::Unknown(_)))
            && let Some(result) = library::call(self, library, arguments)
        {
            return result;
        }
        match &**name {
            "execute" | "executescript" | "executemany" | "raw" | "read_sql" => self.sql(arguments),
            "delete" | "_raw_delete"
                if holds_every_row(receiver) && (arguments.plain.is_empty() || &**name == "_raw_delete") =>
            {
                let Object::Unknown(rows) = receiver else { return Object::None };
                let target = Target::Named("rows", rows.shown.clone());
                self.effect(
                    Verb::Destroy,
                    target,
                    Flags::NO_WHERE | Flags::IRREVERSIBLE,
                    self.provenance(receiver),
                );
                return Object::None;
            }
            // What does not narrow a query leaves it as it was.
            _ if holds_every_row(receiver)
                && (KEEPING.contains(&&**name)
                    || matches!(&**name, "filter" | "exclude")
                        && arguments.plain.is_empty()
                        && arguments.named.is_empty()) =>
            {
                return receiver.clone();
            }
            "unlink" | "write_text" | "write_bytes" | "rmdir" if Self::is_path_like(receiver) => {
                let path = Rc::new(self.text_of(receiver));
                return self.path_method(&path, name, arguments);
            }
            _ => {}
        }
        if let Object::Unknown(unknown) = receiver
            && unknown.shown.starts_with("git.Repo")
            && unknown.shown.rsplit('.').next() == Some("git")
        {
            return self.git(name, arguments);
        }
        let called = self.method_value(receiver, name);
        self.actions += 1;
        self.call_unknown(&called, arguments)
    }

    /// `repository.git.push("--force")` is the program of that name.
    fn git(&mut self, name: &str, arguments: &Arguments) -> Object {
        let mut argv = vec![Value::literal("git"), Value::literal(name.replace('_', "-"))];
        for (option, _) in arguments.named.iter().filter(|(_, value)| self.truth(value) != Some(false)) {
            let dashes = if option.len() == 1 { "-" } else { "--" };
            argv.push(Value::literal(format!("{dashes}{}", option.replace('_', "-"))));
        }
        for argument in &arguments.plain {
            argv.push(self.text_of(argument));
        }
        let output = self.run(&argv, &Value::default());
        Object::value(output)
    }

    /// An unknown object whose name says that it is a path.
    fn is_path_like(object: &Object) -> bool {
        let Object::Unknown(unknown) = object else { return false };
        let shown = unknown.shown.to_ascii_lowercase();
        ["path", "file", "dir", "folder"].iter().any(|word| shown.contains(word))
    }

    /// A statement handed to a database.
    pub(in crate::python) fn sql(&mut self, arguments: &Arguments) {
        let Some(first) = arguments.plain.first().cloned() else { return };
        for choice in first.choices() {
            let text = self.text_of(choice);
            let begins =
                text.known_prefix().split_whitespace().next().unwrap_or_default().to_ascii_uppercase();
            if STATEMENTS.contains(&begins.as_str()) {
                self.code(Lang::Sql, &text);
            }
        }
    }
}
