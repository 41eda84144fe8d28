//! Calls that work on files.

use std::cell::Cell;
use std::rc::Rc;

use super::val::LIST_MOST;
use super::{Handle, HandleKind, Reader, Val};
use crate::effect::{Flags, Verb};
use crate::filters::decode;
use crate::mode::mode_bits;
use crate::value::{Provenance, Value};

impl Reader<'_> {
    pub(super) fn touch(&mut self, verb: Verb, arguments: &[Val], index: usize, flags: Flags) -> Val {
        for path in self.paths(arguments.get(index)) {
            self.sink.path(verb, &path, flags);
        }
        Val::list(Vec::new())
    }

    /// A link is made to what is named first.
    pub(super) fn link(&mut self, arguments: &[Val], index: usize) -> Val {
        let to = self.argument_text(arguments, 0);
        for path in self.paths(arguments.get(index)) {
            self.sink.link(&path, &to, Flags::NONE);
        }
        Val::list(Vec::new())
    }

    /// The paths that an argument names: itself, or the items of a list.
    fn paths(&mut self, argument: Option<&Val>) -> Vec<Value> {
        let items = argument.map(Val::items).unwrap_or_default();
        items.iter().filter(|item| !item.is_options()).map(|item| self.text(item)).collect()
    }

    pub(super) fn delete(&mut self, arguments: &[Val], flags: Flags) -> Val {
        let mut flags = flags;
        for argument in arguments.iter().filter(|argument| argument.is_options()) {
            flags |= option_flag(argument, &["recursive"], Flags::RECURSIVE);
            flags |= option_flag(argument, &["force"], Flags::FORCE);
        }
        if arguments.is_empty() && self.lang() == crate::lang::Lang::Perl {
            let topic = self.topic();
            self.sink.path(Verb::Delete, &topic, flags);
        }
        for argument in arguments
            .iter()
            .filter(|argument| !argument.is_options() && !matches!(argument, Val::Function(_)))
        {
            for path in self.paths(Some(argument)).into_iter().take(LIST_MOST) {
                self.sink.path(Verb::Delete, &path, flags);
            }
        }
        Val::list(Vec::new())
    }

    pub(super) fn change_mode(&mut self, mode: Option<&Val>, path: Option<&Val>) -> Val {
        let flags = mode.map(mode_flags).unwrap_or_default();
        for path in self.paths(path) {
            self.sink.path(Verb::ChangeMode, &path, flags);
        }
        Val::list(Vec::new())
    }

    /// A file, or a URL where the language opens those the same way.
    pub(super) fn read_file(&mut self, arguments: &[Val], index: usize) -> Val {
        let path = self.argument_text(arguments, index);
        // Ruby's `IO.read("|command")`.
        if self.lang() == crate::lang::Lang::Ruby && path.known_prefix().starts_with('|') {
            return self.open(arguments, index, usize::MAX);
        }
        if let Some(number) = arguments.get(index).and_then(Val::number) {
            return if number == 0 { Val::value(self.sink.stdin()) } else { Val::list(Vec::new()) };
        }
        self.read_path(&path)
    }

    pub(super) fn read_path(&mut self, path: &Value) -> Val {
        let start = path.known_prefix();
        if matches!(start.as_str(), "php://stdin" | "/dev/stdin" | "-") {
            return Val::value(self.sink.stdin());
        }
        if let Some(data) = start.strip_prefix("data:") {
            return Val::value(data_url(data));
        }
        if is_url(&start) {
            return self.fetch_url(path);
        }
        let local = match start.strip_prefix("file://") {
            Some(rest) if path.known().is_some() => Value::literal(rest),
            Some(_) | None => path.clone(),
        };
        Val::value(self.sink.read(&local))
    }

    pub(super) fn write_file(
        &mut self,
        arguments: &[Val],
        index: usize,
        content: usize,
        flags: Flags,
    ) -> Val {
        let path = self.argument_text(arguments, index);
        let content = match arguments.get(content) {
            Some(list @ Val::List(_)) => self.joined(&list.items(), ""),
            Some(other) => self.text(&other.clone()),
            None => Value::default(),
        };
        let appends = arguments.iter().skip(2).any(appends);
        let flags = if appends { Flags::APPEND } else { flags };
        self.write_data(&path, &content, flags);
        Val::list(Vec::new())
    }

    /// Writes a file, for certain or on some ways through the code.
    pub(in crate::scripts) fn write_data(&mut self, path: &Value, content: &Value, flags: Flags) {
        if self.is_certain() {
            self.sink.write(path, content, flags);
        } else {
            self.sink.write_perhaps(path, content, flags);
        }
    }

    pub(super) fn rename(&mut self, arguments: &[Val], from: usize, to: usize) -> Val {
        let source = self.argument_text(arguments, from);
        let target = self.argument_text(arguments, to);
        self.sink.path(Verb::Delete, &source, Flags::MOVE);
        self.sink.path(Verb::Write, &target, Flags::TRUNCATE);
        Val::list(Vec::new())
    }

    pub(super) fn copy(&mut self, arguments: &[Val], from: usize, to: usize) -> Val {
        let content = match arguments.get(from) {
            Some(Val::Handle(handle)) => handle.content.clone(),
            Some(Val::Text(value)) if value.provenance.has(Provenance::NETWORK) => value.as_ref().clone(),
            Some(source) => {
                let path = self.text(&source.clone());
                self.read_path(&path).plain()
            }
            None => Value::default(),
        };
        match arguments.get(to) {
            Some(Val::Handle(handle)) => self.write_handle(&Rc::clone(handle), &content),
            Some(target) => {
                let target = self.text(&target.clone());
                self.write_data(&target, &content, Flags::TRUNCATE);
            }
            None => {}
        }
        Val::list(Vec::new())
    }

    /// Opens a file; the mode says what for.
    pub(super) fn open(&mut self, arguments: &[Val], path: usize, mode: usize) -> Val {
        let target = self.argument_text(arguments, path);
        let options = arguments.iter().find_map(|argument| argument.keyed(&["flags", "mode"]));
        let mode = options
            .or_else(|| arguments.get(mode).cloned())
            .and_then(|mode| mode.known())
            .unwrap_or_default();
        let start = target.known_prefix();
        if let Some(command) = start.strip_prefix('|') {
            let mut rest = Value::literal(command);
            target.pieces.iter().skip(1).for_each(|piece| rest.pieces.push(piece.clone()));
            return self.shell(&rest);
        }
        self.open_mode(&target, &mode)
    }

    pub(in crate::scripts) fn open_mode(&mut self, target: &Value, mode: &str) -> Val {
        let kind = if mode.starts_with(['a']) {
            HandleKind::Append
        } else if mode.starts_with(['w', 'x', 'c']) || mode.contains('+') {
            HandleKind::Write
        } else {
            let content = self.read_path(target).plain();
            return self.handle(HandleKind::Read, target.clone(), content);
        };
        self.handle(kind, target.clone(), Value::default())
    }

    pub(in crate::scripts) fn handle(&mut self, kind: HandleKind, to: Value, content: Value) -> Val {
        let handle = Rc::new(Handle { kind, to, content, used: Cell::new(false) });
        self.handles.push(Rc::clone(&handle));
        Val::Handle(handle)
    }

    /// Something is written to an open handle.
    pub(super) fn write_handle(&mut self, handle: &Rc<Handle>, content: &Value) {
        let first = !handle.used.replace(true);
        match handle.kind {
            HandleKind::Write if first => self.write_data(&handle.to, content, Flags::TRUNCATE),
            HandleKind::Write | HandleKind::Append => self.write_data(&handle.to, content, Flags::APPEND),
            HandleKind::PipeTo => self.feed(&handle.to.clone(), content),
            HandleKind::Socket => self.sink.connect(Verb::Send, &handle.to, Flags::NONE, content.provenance),
            HandleKind::Read => {}
        }
    }
}

fn is_url(text: &str) -> bool {
    ["http://", "https://", "ftp://", "ftps://"].iter().any(|scheme| text.starts_with(scheme))
}

/// What a `data:` URL holds, after the scheme.
pub(in crate::scripts) fn data_url(data: &str) -> Value {
    let (kind, body) = data.split_once(',').unwrap_or(("", data));
    if !kind.ends_with("base64") {
        return Value::literal(body);
    }
    let decoded = decode::base64(body).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    decoded.map_or_else(|| Value::unknown("data", Provenance::NONE), Value::literal).from(Provenance::DECODED)
}

fn option_flag(options: &Val, keys: &[&str], flag: Flags) -> Flags {
    match options.keyed(keys) {
        Some(Val::Name(name, _)) if matches!(name.to_ascii_lowercase().as_str(), "true" | "t") => flag,
        Some(Val::Number(number)) if number != 0 => flag,
        Some(_) | None => Flags::NONE,
    }
}

/// Whether an argument says that a file is added to.
fn appends(argument: &Val) -> bool {
    match argument {
        Val::Name(name, _) => name.contains("APPEND"),
        Val::Number(number) => number & 8 != 0,
        Val::List(_) | Val::OneOf(_) | Val::Pair(_) => {
            argument.keyed(&["flag", "flags", "mode", "append"]).is_some_and(|mode| {
                mode.known().is_some_and(|mode| mode.starts_with('a'))
                    || matches!(mode, Val::Name(name, _) if &*name == "true")
            })
        }
        Val::Function(_) | Val::Handle(_) | Val::Text(_) => false,
    }
}

/// What a mode, as a number or as digits, gives and takes.
pub(in crate::scripts) fn mode_flags(mode: &Val) -> Flags {
    let bits = match mode {
        Val::Number(bits) => Some(*bits),
        Val::Text(value) => {
            value.known().and_then(|text| i64::from_str_radix(text.trim_start_matches("0o"), 8).ok())
        }
        Val::Function(_) | Val::Handle(_) | Val::List(_) | Val::Name(..) | Val::OneOf(_) | Val::Pair(_) => {
            None
        }
    };
    bits.and_then(|bits| u32::try_from(bits).ok()).map_or(Flags::NONE, mode_bits)
}
