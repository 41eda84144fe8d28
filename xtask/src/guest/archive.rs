//! The file system that a guest begins with: its first process, and the modules for its disk.

use std::fs;
use std::path::{Path, PathBuf};

use super::disk::libraries;

/// Writes it as the kernel reads it.
pub(super) fn make(place: &Path, first: &Path, modules: &[PathBuf]) -> Result<PathBuf, String> {
    let mut archive = Archive::default();
    archive.file("init", first, 0o755)?;
    for library in libraries(first)? {
        archive.file(library.to_string_lossy().trim_start_matches('/'), &library, 0o755)?;
    }
    for (index, module) in modules.iter().enumerate() {
        let name = module.file_name().unwrap_or_default().to_string_lossy();
        archive.file(&format!("modules/{index:02}-{name}"), module, 0o644)?;
    }
    let path = place.join("memory");
    fs::write(&path, archive.finish())
        .map_err(|error| format!("cannot write `{}`: {error}", path.display()))?;
    Ok(path)
}

/// The format `newc`: for each file a head of numbers, its name and its bytes, each filled up to four.
#[derive(Default)]
struct Archive {
    bytes: Vec<u8>,
    directories: Vec<String>,
    number: usize,
}

const FILE: usize = 0o100_000;
const DIRECTORY: usize = 0o040_000;

impl Archive {
    fn file(&mut self, name: &str, source: &Path, mode: usize) -> Result<(), String> {
        let bytes =
            fs::read(source).map_err(|error| format!("cannot read `{}`: {error}", source.display()))?;
        for (end, _) in name.match_indices('/') {
            let above = name.get(..end).unwrap_or_default().to_owned();
            if !self.directories.contains(&above) {
                self.entry(&above, DIRECTORY | 0o755, &[]);
                self.directories.push(above);
            }
        }
        self.entry(name, FILE | mode, &bytes);
        Ok(())
    }

    fn entry(&mut self, name: &str, mode: usize, bytes: &[u8]) {
        self.number += 1;
        let numbers = [self.number, mode, 0, 0, 1, 0, bytes.len(), 0, 0, 0, 0, name.len() + 1, 0];
        self.bytes.extend(b"070701");
        for number in numbers {
            self.bytes.extend(format!("{number:08x}").bytes());
        }
        self.bytes.extend(name.as_bytes());
        self.bytes.push(0);
        self.fill();
        self.bytes.extend(bytes);
        self.fill();
    }

    fn fill(&mut self) {
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
    }

    fn finish(mut self) -> Vec<u8> {
        self.entry("TRAILER!!!", 0, &[]);
        self.bytes
    }
}
