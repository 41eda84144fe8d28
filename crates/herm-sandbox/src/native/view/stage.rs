//! Something that stands in for the workspace.

use std::ffi::{CString, OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use super::{Builder, Rule, Stands, plain, relative, text, text_of};
use crate::changes::{Ground, Options};
use crate::native::Failure;
use crate::sys::mounts::{Access, Step};

impl Builder<'_> {
    /// Puts something else in the place of a directory.
    pub(super) fn stage(&mut self, root: &Path, ground: &Ground) -> Result<(), Failure> {
        self.place(root)?;
        let target = relative(root)?;
        let step = match ground {
            Ground::Copy(copy) => Step::Bind { source: self.source(copy)?, target, access: Access::Writable },
            Ground::Overlay(options) => {
                Step::Mount { kind: c"overlay", target, options: self.settings(options)?, flags: plain() }
            }
        };
        self.steps.push(step);
        self.allow(root, Rule::Full)?;
        self.places.insert(root.to_owned(), Stands::Shown(Access::Writable));
        Ok(())
    }

    /// How an overlay is mounted whose layers are the program's own.
    fn settings(&mut self, wanted: &Options) -> Result<Vec<(CString, Option<CString>)>, Failure> {
        let above = wanted.upper.parent().unwrap_or(&wanted.upper);
        let lower = self.layer(&wanted.lower, Access::ReadOnly)?;
        let above = self.layer(above, Access::Writable)?;
        let inside = |path: &Path| above.join(path.file_name().unwrap_or_default());
        let (upper, work) = (inside(&wanted.upper), inside(&wanted.work));
        let setting = |(key, value): (&str, Option<OsString>)| {
            let value = value.map(|value| text(Path::new(&value))).transpose()?;
            Ok((text_of(key), value))
        };
        Options { lower, upper, work, ..wanted.clone() }.settings().into_iter().map(setting).collect()
    }

    /// Shows a directory where an overlay can name it, and says where that is.
    fn layer(&mut self, path: &Path, access: Access) -> Result<PathBuf, Failure> {
        let target = self.space(0o755)?;
        let named = PathBuf::from(OsStr::from_bytes(target.as_bytes()));
        self.steps.push(Step::Bind { source: self.source(path)?, target, access });
        Ok(named)
    }
}
