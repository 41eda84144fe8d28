//! Modules and names.

use std::rc::Rc;

use super::super::ast::Alias;
use super::super::library;
use super::{Annotations, Interpreter, Object, paths};
use crate::lang::Lang;
use crate::value::{Provenance, Value};

impl Interpreter<'_> {
    pub(super) fn import(&mut self, alias: &Alias) {
        self.import_file(&alias.name);
        self.uses_library(&library::canonical(&alias.name));
        let object = Object::Library(library::canonical(&alias.name));
        if let Some(name) = &alias.known_as {
            self.bind(name, object);
        } else {
            let first = alias.name.split('.').next().unwrap_or_default();
            self.bind(&Rc::from(first), Object::Library(library::canonical(first)));
        }
    }

    /// A module that the text itself wrote.
    fn import_file(&mut self, module: &str) {
        let path = module.replace('.', "/");
        let directories = [Value::default()].into_iter().chain(self.module_directories.clone());
        for directory in directories.collect::<Vec<_>>() {
            for file in [format!("{path}.py"), format!("{path}/__init__.py")].map(Value::literal) {
                let file = if directory.pieces.is_empty() { file } else { paths::join(&directory, &file) };
                if !self.sink.made_here(&file).is_empty() && self.speaks() {
                    self.sink.import(Lang::Python, &file);
                }
            }
        }
    }

    /// `sys.path.insert(0, directory)`.
    pub(in crate::python) fn search_modules_in(&mut self, directory: Value) {
        if self.module_directories.len() < 8 && !self.module_directories.contains(&directory) {
            self.module_directories.push(directory);
        }
    }

    pub(super) fn import_from(&mut self, module: &str, relative: bool, names: &[Alias]) {
        self.import_file(module);
        if module == "__future__"
            && self.elsewhere == 0
            && names.iter().any(|alias| &*alias.name == "annotations")
        {
            self.annotations = Annotations::Kept;
        }
        for alias in names {
            let known_as = alias.known_as.as_ref().unwrap_or(&alias.name);
            if &*alias.name == "*" {
                self.import_all(module);
            } else if relative {
                let name = format!(".{module}.{}", alias.name);
                self.bind(known_as, Object::library(&name));
            } else {
                self.uses_library(&library::canonical(&format!("{module}.{}", alias.name)));
                let holder = Object::Library(library::canonical(module));
                let object = self.attribute(&holder, &alias.name);
                self.bind(known_as, object);
            }
        }
    }

    /// Every name of a module that is described becomes a name of the program.
    fn import_all(&mut self, module: &str) {
        let module = library::canonical(module);
        self.uses_library(&module);
        for name in library::names_in(&module) {
            if !self.spend(2) {
                return;
            }
            let object = Object::library(&format!("{module}.{name}"));
            self.bind(&Rc::from(name), object);
        }
    }

    /// What a name stands for: the program's own names first, then what Python brings.
    pub(super) fn name(&mut self, name: &Rc<str>) -> Object {
        if let Some(object) = self.lookup(name) {
            self.heap.mention(&object);
            return object;
        }
        match &**name {
            "__builtins__" => Object::library("builtins"),
            "__name__" => Object::text("__main__"),
            // Scripts mostly lie where they are run; what they do is mostly done around them.
            "__file__" => {
                Object::value(super::paths::join(&self.working_directory(), &Value::literal("__file__")))
            }
            other if library::is_builtin(other) => Object::library(&format!("builtins.{other}")),
            // The import may stand in text that was executed before.
            other if library::is_module(other) => Object::Library(library::canonical(other)),
            other => Object::unknown(other, Provenance::NONE),
        }
    }

    pub(super) fn lookup(&self, name: &Rc<str>) -> Option<Object> {
        let mut next = Some(self.scope);
        while let Some(id) = next {
            let scope = self.heap.scope_at(id)?;
            if let Some(object) = scope.names.get(name) {
                return Some(object.clone());
            }
            next = scope.parent;
        }
        None
    }
}
