//! Paths: `os.path`, `pathlib`, and listings of directories.

use std::rc::Rc;

use super::{Access, Arguments, Interpreter, Object};
use crate::effect::{Flags, Verb};
use crate::mode::mode_bits;
use crate::value::{Piece, Provenance, Value};

/// `os.path.join(base, name)`.
pub(in crate::python) fn join(base: &Value, name: &Value) -> Value {
    let absolute = name.known_prefix().starts_with('/');
    if absolute || (base.pieces.is_empty()) {
        return name.clone();
    }
    let below = matches!(base.pieces.last(), Some(Piece::Glob(glob)) if glob == "**");
    if below && matches!(name.pieces.as_slice(), [Piece::Glob(glob)] if glob == "*") {
        return base.clone();
    }
    let mut joined = base.clone();
    if !base.shown().ends_with('/') && !base.shown().is_empty() {
        joined.push_str("/");
    }
    super::append(&mut joined, name);
    joined
}

/// Anything below a directory.
pub(in crate::python) fn below(directory: &Value) -> Value {
    join(directory, &Value { pieces: vec![Piece::Glob("**".to_owned())], provenance: Provenance::NONE })
}

impl Interpreter<'_> {
    /// The arguments of a call whose path starts at an open directory (`dir_fd=`), with the whole path in them.
    pub(in crate::python) fn below_descriptor(&mut self, arguments: &Arguments) -> Option<Arguments> {
        let from = arguments.named.iter().find(|(name, _)| name.ends_with("dir_fd"))?.1.clone();
        let Object::Thing(id) = from else { return None };
        let directory = self.heap.thing_at(id).filter(|thing| &*thing.class == "file")?.about.clone();
        let mut arguments = arguments.clone();
        let path = arguments.plain.first_mut()?;
        *path = Object::value(join(&directory, &self.text_of(path)));
        Some(arguments)
    }
}

/// Any one name.
pub(in crate::python) fn any_name() -> Object {
    Object::value(Value { pieces: vec![Piece::Glob("*".to_owned())], provenance: Provenance::NONE })
}

/// A pattern as written, its wildcards as globs.
pub(in crate::python) fn pattern(value: &Value) -> Value {
    let mut result = Value { pieces: Vec::new(), provenance: value.provenance };
    for piece in &value.pieces {
        let Piece::Literal(text) = piece else {
            result.pieces.push(piece.clone());
            continue;
        };
        let mut rest = text.as_str();
        while let Some(at) = rest.find(['*', '?', '[']) {
            let (before, after) = rest.split_at_checked(at).unwrap_or((rest, ""));
            let length = after.find('/').unwrap_or(after.len());
            let (glob, tail) = after.split_at_checked(length).unwrap_or((after, ""));
            result.push_str(before);
            result.pieces.push(Piece::Glob(glob.to_owned()));
            rest = tail;
        }
        result.push_str(rest);
    }
    // `**/*` is everything below, as `**` is.
    if let [.., Piece::Glob(deep), Piece::Literal(slash), Piece::Glob(any)] = result.pieces.as_slice()
        && deep == "**"
        && slash == "/"
        && any == "*"
    {
        result.pieces.truncate(result.pieces.len() - 2);
    }
    result
}

impl Interpreter<'_> {
    /// `~` and `~user` at the beginning become home directories.
    pub(in crate::python) fn expand_user(&self, path: &Value) -> Value {
        let prefix = path.known_prefix();
        let Some(rest) = prefix.strip_prefix('~') else { return path.clone() };
        if !(rest.is_empty() || rest.starts_with('/')) {
            return path.clone();
        }
        let mut value = Value { pieces: Vec::new(), provenance: path.provenance };
        value.push_str(&self.home());
        value.push_str(rest);
        let mut skipped = 0;
        for piece in &path.pieces {
            if skipped < prefix.len()
                && let Piece::Literal(text) = piece
            {
                skipped += text.len();
            } else {
                value.push(&Value { pieces: vec![piece.clone()], provenance: Provenance::NONE });
            }
        }
        value
    }

    pub(super) fn path_attribute(&mut self, path: &Rc<Value>, name: &Rc<str>) -> Object {
        match &**name {
            "parent" => Object::Path(Rc::new(directory_of(path))),
            "name" => Object::value(base_of(path)),
            "stem" | "suffix" | "suffixes" | "parts" | "anchor" | "drive" | "root" => {
                match (path.known(), &**name) {
                    (Some(text), "stem") => Object::text(stem(&text)),
                    _ => self.unknown_from(name, &Object::Path(Rc::clone(path))),
                }
            }
            "parents" => {
                let parents = [1, 2, 3, 4].iter().scan((**path).clone(), |current, _| {
                    *current = directory_of(current);
                    Some(Object::Path(Rc::new(current.clone())))
                });
                let parents = parents.collect();
                self.heap.list(parents)
            }
            _ => Object::Method(Rc::new((Object::Path(Rc::clone(path)), Rc::clone(name)))),
        }
    }

    /// Methods of `pathlib` paths.
    pub(in crate::python) fn path_method(
        &mut self,
        path: &Rc<Value>,
        name: &str,
        arguments: &Arguments,
    ) -> Object {
        let first = arguments.plain.first().cloned();
        match name {
            "unlink" | "rmdir" => self.path(Verb::Delete, path, Flags::NONE),
            "rmtree" => self.path(Verb::Delete, path, Flags::RECURSIVE),
            "write_text" | "write_bytes" => {
                let content = self.argument(arguments, 0, "data");
                self.write(path, &content, Flags::TRUNCATE);
            }
            "read_text" | "read_bytes" => return Object::value(self.read(path)),
            "open" => {
                let mode = arguments.get(0, "mode").and_then(Object::known_text).unwrap_or_default();
                return self.open_file(path, &mode);
            }
            "chmod" | "lchmod" => self.change_mode(path, first.as_ref()),
            "rename" | "replace" | "move" => {
                let target = self.argument(arguments, 0, "target");
                self.move_path(path, &target);
                return Object::Path(Rc::new(target));
            }
            "symlink_to" | "hardlink_to" => {
                let target = self.argument(arguments, 0, "target");
                self.link(path, &target);
            }
            "link_to" => {
                let link = self.argument(arguments, 0, "target");
                self.link(&link, path);
            }
            "touch" => self.path(Verb::Write, path, Flags::APPEND),
            "joinpath" => {
                let mut joined = (**path).clone();
                for part in &arguments.plain {
                    let part = self.text_of(part);
                    joined = join(&joined, &part);
                }
                return Object::Path(Rc::new(joined));
            }
            "expanduser" => return Object::Path(Rc::new(self.expand_user(path))),
            "resolve" | "absolute" | "with_suffix" | "relative_to" | "as_posix" | "__str__"
            | "__fspath__" => {
                return Object::Path(Rc::clone(path));
            }
            "with_name" => {
                let name = self.argument(arguments, 0, "name");
                return Object::Path(Rc::new(join(&directory_of(path), &name)));
            }
            "glob" | "rglob" => {
                let wanted = self.argument(arguments, 0, "pattern");
                let base = if name == "rglob" { below(path) } else { (**path).clone() };
                let found = Object::Path(Rc::new(join(&base, &pattern(&wanted))));
                return self.heap.list(vec![found]);
            }
            "iterdir" => {
                let any = self.text_of(&any_name());
                let found = Object::Path(Rc::new(join(path, &any)));
                return self.heap.list(vec![found]);
            }
            "walk" => return self.walk(path, true),
            "copy" | "copy_into" => {
                let target = self.argument(arguments, 0, "target");
                self.copy(path, &target);
            }
            "home" => return Object::Path(Rc::new(Value::literal(self.home()))),
            "cwd" => return Object::Path(Rc::new(self.working_directory())),
            "mkdir" => {}
            _ => return self.unknown_from(name, &Object::Path(Rc::clone(path))),
        }
        Object::None
    }

    /// `os.walk`: directories, and any names in them.
    pub(in crate::python) fn walk(&mut self, top: &Value, as_paths: bool) -> Object {
        let root = below(top);
        let root = if as_paths { Object::Path(Rc::new(root)) } else { Object::value(root) };
        let (directories, files) = (self.heap.list(vec![any_name()]), self.heap.list(vec![any_name()]));
        let entry = self.heap.tuple(vec![root, directories, files]);
        self.heap.list(vec![entry])
    }

    pub(in crate::python) fn change_mode(&mut self, path: &Value, mode: Option<&Object>) {
        let bits = mode.and_then(Object::int).and_then(|bits| u32::try_from(bits).ok());
        let flags = bits.map_or(Flags::NONE, mode_bits);
        self.path(Verb::ChangeMode, path, flags);
    }

    pub(in crate::python) fn move_path(&mut self, from: &Value, to: &Value) {
        self.path(Verb::Delete, from, Flags::MOVE);
        self.path(Verb::Write, to, Flags::TRUNCATE);
    }

    pub(in crate::python) fn copy(&mut self, from: &Value, to: &Value) {
        let content = self.read(from);
        self.write(to, &content, Flags::TRUNCATE);
    }

    /// `open(path, mode)`.
    /// Standard input as a file: `open(0)`.
    pub(in crate::python) fn open_input(&mut self) -> Object {
        let content = self.stdin();
        let mut thing = self.new_thing("file", Value::literal("/dev/stdin"));
        thing.provenance = content.provenance;
        thing.content = Object::value(content);
        thing.access = Access::Read;
        self.heap.thing(thing)
    }

    pub(in crate::python) fn open_file(&mut self, path: &Value, mode: &str) -> Object {
        let access = if mode.contains(['w', 'x']) {
            Access::Replace
        } else if mode.contains('a') {
            Access::Append
        } else if mode.contains('+') {
            Access::Edit
        } else {
            Access::Read
        };
        let content =
            if access == Access::Read { self.read(path) } else { super::hole("a file", Provenance::FILE) };
        let mut thing = self.new_thing("file", path.clone());
        thing.provenance = if access == Access::Read { content.provenance } else { Provenance::NONE };
        thing.content = Object::value(content);
        thing.access = access;
        self.heap.thing(thing)
    }
}

pub(in crate::python) fn directory_of(path: &Value) -> Value {
    let mut pieces = path.pieces.clone();
    while let Some(last) = pieces.pop() {
        if let Piece::Literal(text) = &last
            && let Some(at) = text.rfind('/')
        {
            let kept = text.get(..at.max(1)).unwrap_or_default();
            pieces.push(Piece::Literal(kept.to_owned()));
            return Value { pieces, provenance: path.provenance };
        }
        if matches!(&last, Piece::Hole(_)) {
            // The directory of something unknown is unknown too, but as unknown as it was.
            pieces.push(last);
            return Value { pieces, provenance: path.provenance };
        }
    }
    Value { pieces: vec![Piece::Literal(".".to_owned())], provenance: path.provenance }
}

pub(in crate::python) fn base_of(path: &Value) -> Value {
    let mut kept = Vec::new();
    for piece in path.pieces.iter().rev() {
        if let Piece::Literal(text) = piece
            && let Some((_, base)) = text.rsplit_once('/')
        {
            kept.push(Piece::Literal(base.to_owned()));
            break;
        }
        kept.push(piece.clone());
    }
    kept.reverse();
    Value { pieces: kept, provenance: path.provenance }
}

fn stem(path: &str) -> String {
    let base = path.rsplit('/').next().unwrap_or_default();
    base.rsplit_once('.').map_or(base, |(stem, _)| if stem.is_empty() { base } else { stem }).to_owned()
}
