//! Files of a project that say what runs: where they are found, and what it means if one cannot be read.

use crate::lang::Lang;
use crate::sink::Sink;
use crate::value::Value;

/// How many directories upwards a manifest is looked for.
const LEVELS: usize = 24;

/// The text of a file that says what runs. If it is there and its text is not known, then so is what runs.
pub(super) fn text_of(path: &Value, sink: &mut dyn Sink) -> Option<String> {
    let text = sink.shown(path);
    if text.is_none() && sink.is_there(path) {
        sink.script(Lang::Other("manifest"), path, &[]);
    }
    text
}

/// The text of the first of these names in the working directory, or else in the nearest directory above that has one.
/// What it says runs there, so that becomes the working directory.
pub(super) fn nearest(names: &[&str], sink: &mut dyn Sink) -> Option<String> {
    let directory = sink.directory();
    let levels = directory.map_or(0, |path| path.split('/').filter(|name| !name.is_empty()).count());
    for level in 0..=levels.min(LEVELS) {
        let above = "../".repeat(level);
        let mut paths = names.iter().map(|name| Value::literal(format!("{above}{name}")));
        if let Some(path) = paths.find(|path| sink.is_there(path)) {
            let text = text_of(&path, sink);
            if level > 0 {
                sink.change_directory(&Value::literal(above));
            }
            return text;
        }
    }
    None
}
