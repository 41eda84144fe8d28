//! Where a path leads as the kernel walks it: behind a link, `..` is the parent of where the link leads.

use super::{Extent, PathTarget, resolve};
use crate::programs::arguments::tail;
use crate::value::Value;

/// Where an absolute path leads, each of its `..` taken where it stands. `real` says where links lead, if they do.
#[must_use]
pub fn physical(path: &str, real: &dyn Fn(&str) -> Option<String>) -> String {
    let mut here = String::new();
    let mut may_be_link = false;
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                if may_be_link {
                    here = followed(&here, real);
                }
                may_be_link = false;
                climb(&mut here);
            }
            name => {
                may_be_link = true;
                here.push('/');
                here.push_str(name);
            }
        }
    }
    let here = if may_be_link { followed(&here, real) } else { here };
    if here.is_empty() { "/".to_owned() } else { here }
}

/// Where a path without `..` leads. What is not there leads where its name says.
fn followed(path: &str, real: &dyn Fn(&str) -> Option<String>) -> String {
    let Some(real) = real(path) else { return path.to_owned() };
    let mut normal = String::new();
    for part in real.split('/') {
        match part {
            "" | "." => {}
            ".." => climb(&mut normal),
            name => {
                normal.push('/');
                normal.push_str(name);
            }
        }
    }
    normal
}

fn climb(path: &mut String) {
    path.truncate(path.rfind('/').unwrap_or(0));
}

/// A word as an absolute path with its `..` in place, if it has any: then the names alone do not say where it leads.
#[must_use]
pub fn climbing(value: &Value, directory: Option<&str>) -> Option<String> {
    let text = value.known()?;
    if !text.split('/').any(|part| part == "..") || text.contains('\\') {
        return None;
    }
    if text.starts_with('/') { Some(text.into_owned()) } else { Some(format!("{}/{text}", directory?)) }
}

/// Where a path leads of which only the beginning is known (`link/*`), if not where its names say.
#[must_use]
pub fn within(
    value: &Value,
    directory: Option<&str>,
    home: &str,
    real: &dyn Fn(&str) -> Option<String>,
) -> Option<PathTarget> {
    let prefix = value.known_prefix();
    let cut = prefix.rfind('/').filter(|cut| *cut > 0)?;
    let above = Value::literal(prefix.get(..cut)?);
    let named = resolve(&above, directory, home);
    if named.extent != Extent::Exact {
        return None;
    }
    let path = climbing(&above, directory).unwrap_or_else(|| named.path.clone());
    let real = physical(&path, real);
    if real == named.path {
        return None;
    }
    let mut path = Value::literal(format!("{}/", real.trim_end_matches('/')));
    path.push(&tail(value, cut + 1));
    let there = resolve(&path, None, home);
    Some(PathTarget { shown: value.shown(), ..there })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn real(path: &str) -> Option<String> {
        let links = [("/w/l", "/etc/ssl"), ("/w/r", "/usr"), ("/etc/up", "/w/odd/../l/..")];
        links.iter().find_map(|(from, to)| {
            let rest = path.strip_prefix(from)?;
            (rest.is_empty() || rest.starts_with('/')).then(|| format!("{to}{rest}"))
        })
    }

    #[test]
    fn a_climb_behind_a_link_starts_where_it_leads() {
        for (path, leads) in [
            ("/w/l/../passwd", "/etc/passwd"),
            ("/w/l/certs/../../passwd", "/etc/passwd"),
            ("/w/./l//../shadow", "/etc/shadow"),
            ("/w/r/..", "/"),
            ("/w/r/../etc", "/etc"),
            ("/w/r/../w/l/..", "/etc"),
            ("/w/a/../b", "/w/b"),
            ("/w/l", "/etc/ssl"),
            ("/../..", "/"),
            ("/etc/up/x", "/w/x"),
        ] {
            assert_eq!(physical(path, &real), leads, "{path}");
        }
    }

    #[test]
    fn only_what_climbs_needs_a_second_look() {
        let climbing = |text: &str| climbing(&Value::literal(text), Some("/w"));
        assert_eq!(climbing("l/../x").as_deref(), Some("/w/l/../x"));
        assert_eq!(climbing("/a/..").as_deref(), Some("/a/.."));
        for text in ["a", "/a/b", "a..b", "..a/b", r"C:\a\..\b"] {
            assert_eq!(climbing(text), None, "{text}");
        }
    }
}
