//! What is shown of the outside: as it is, for a program alone, locked, or not at all.

use std::ffi::CString;
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};

use super::{Builder, Rule, STORE, SYSTEM, Stands, relative, text_of, whole};
use crate::native::Failure;
use crate::native::identity::Identity;
use crate::sys::mounts::{Access, Source, Step, copy, map_owners};

impl Builder<'_> {
    /// A toolchain, to be changed for the program alone. Where something lies in it whose changes are `kept`, the rest of it is only read:
    /// beside what stays, nothing must look as if it stayed.
    pub(super) fn tool(&mut self, path: &Path, kept: &[PathBuf]) -> Result<(), Failure> {
        let Some(real) = self.tracer.trace(path).map(|found| found.real) else { return Ok(()) };
        if kept.iter().any(|own| real.starts_with(own)) {
            return Ok(());
        }
        let holds_kept = kept.iter().any(|own| own.starts_with(&real));
        self.lend(path, if holds_kept { Access::ReadOnly } else { Access::Writable })
    }

    /// A directory as it is outside, to be changed for the program alone.
    ///
    /// Even read-only it is more than a bind: sockets and pipes in it are nobody's here, while those in a read-only mount can be
    /// spoken to.
    pub(super) fn lend(&mut self, path: &Path, access: Access) -> Result<(), Failure> {
        let Some(real) = self.follow(path)?.filter(|real| !self.is_shown(real, Access::ReadOnly)) else {
            return Ok(());
        };
        if !real.is_dir() {
            return self.show(&real, Access::ReadOnly);
        }
        if access == Access::Writable && self.nearest(&real) == Stands::Lent {
            return Ok(());
        }
        self.place(&real)?;
        let [lower, upper, work] = [self.space(0o755)?, self.space(0o755)?, self.space(0o755)?];
        let layer = |name: &str, path: &CString| (text_of(name), Some(path.clone()));
        let mut options = vec![
            layer("lowerdir", &lower),
            layer("upperdir", &upper),
            layer("workdir", &work),
            (text_of("volatile"), None),
        ];
        if matches!(self.identity, Identity::Same { .. }) {
            options.push((text_of("userxattr"), None));
        }
        let source = self.source(&real)?;
        let target = relative(&real)?;
        self.steps.push(Step::Overlay { lower, source, target: target.clone(), options });
        if access == Access::ReadOnly {
            self.steps.push(Step::Again { from: target.clone(), target, access });
        }
        self.allow(&real, rule(access, &real))?;
        let stands = if access == Access::Writable { Stands::Lent } else { Stands::Shown(access) };
        self.places.insert(real, stands);
        Ok(())
    }

    /// Shows something as it is outside.
    pub(super) fn show(&mut self, path: &Path, access: Access) -> Result<(), Failure> {
        let Some(real) = self.follow(path)?.filter(|real| !self.is_shown(real, access)) else {
            return Ok(());
        };
        if real.is_dir() {
            self.place(&real)?;
        } else {
            self.point(&real)?;
        }
        // A workspace in the middle of the system is the program's own like any other.
        let is_of_the_system = access == Access::ReadOnly && SYSTEM.iter().any(|part| real.starts_with(part));
        let source = if is_of_the_system && !self.is_shown(&real, Access::Writable) {
            Source::Path(whole(&real)?)
        } else {
            self.source(&real)?
        };
        self.steps.push(Step::Bind { source, target: relative(&real)?, access });
        self.allow(&real, rule(access, &real))?;
        self.places.insert(real, Stands::Shown(access));
        Ok(())
    }

    /// Shows a file somewhere else than it is.
    pub(super) fn give(&mut self, file: &Path, target: &Path) -> Result<(), Failure> {
        self.point(target)?;
        let real = self.tracer.trace(file).map_or_else(|| file.to_owned(), |found| found.real);
        let source = self.source(&real)?;
        self.steps.push(Step::Bind { source, target: relative(target)?, access: Access::ReadOnly });
        self.allow(target, Rule::Read)
    }

    /// Shows something that must not be changed, in directories that may be. A link may have been left there by an earlier run, so
    /// what it leads to is not shown if it was not to be seen anyway.
    pub(super) fn lock(&mut self, path: &Path) -> Result<(), Failure> {
        let Some(real) = self.tracer.trace(path).map(|found| found.real) else { return Ok(()) };
        let is_of_the_kernel = ["/proc", "/dev", "/sys"].iter().any(|own| real.starts_with(own));
        if is_of_the_kernel || !self.is_shown(&real, Access::Writable) {
            return Ok(());
        }
        real.parent().map_or(Ok(()), |above| self.pin(above))?;
        self.show(&real, Access::ReadOnly)
    }

    /// Makes a directory, and those above it, mounts of their own, which cannot be renamed: others could be put in their place.
    pub(super) fn pin(&mut self, directory: &Path) -> Result<(), Failure> {
        if !self.is_shown(directory, Access::Writable) {
            return Ok(());
        }
        // From the outside in, so that no mount covers another.
        let above: Vec<&Path> =
            directory.ancestors().take_while(|above| !self.places.contains_key(*above)).collect();
        for above in above.into_iter().rev() {
            let (from, target) = (relative(above)?, relative(above)?);
            self.steps.push(Step::Again { from, target, access: Access::Writable });
            self.places.insert(above.to_owned(), Stands::Shown(Access::Writable));
        }
        Ok(())
    }

    /// Something of the person's, shown as the program's own.
    pub(super) fn source(&self, real: &Path) -> Result<Source, Failure> {
        let path = whole(real)?;
        let Some(owners) = &self.owners else { return Ok(Source::Path(path)) };
        let doing = || format!("show `{}` as the program's own", real.display());
        let tree = copy(&path).map_err(|cause| Failure::kernel(doing(), cause))?;
        map_owners(tree.as_fd(), owners.as_fd()).map_err(|cause| Failure::kernel(doing(), cause))?;
        Ok(Source::Taken(tree))
    }

    /// Puts nothing in the place of a socket.
    pub(super) fn cover(&mut self, socket: &Path) -> Result<(), Failure> {
        let from = relative(&Path::new(STORE).join("empty"))?;
        self.steps.push(Step::Cover { from, target: relative(socket)? });
        Ok(())
    }

    /// Puts nothing in place of what can be seen.
    pub(super) fn hide(&mut self, path: &Path) -> Result<(), Failure> {
        let Some(real) = self.tracer.trace(path).map(|found| found.real) else { return Ok(()) };
        if !self.is_of_outside(&real) {
            return Ok(());
        }
        let is_changed = matches!(self.nearest(&real), Stands::Lent | Stands::Shown(Access::Writable));
        if real.is_dir() && is_changed {
            // Whoever keeps secrets there writes there, too.
            let from = self.space(0o755)?;
            self.steps.push(Step::Again { from, target: relative(&real)?, access: Access::Writable });
            return Ok(());
        }
        let name = if real.is_dir() { "nothing" } else { "empty" };
        let from = relative(&Path::new(STORE).join(name))?;
        self.steps.push(Step::Again { from, target: relative(&real)?, access: Access::ReadOnly });
        Ok(())
    }
}

/// What may be done to something that is shown.
fn rule(access: Access, real: &Path) -> Rule {
    match access {
        Access::Writable => Rule::Full,
        _ if real.starts_with("/sys") => Rule::Read,
        Access::Device | Access::ReadOnly => Rule::ReadExecute,
    }
}
