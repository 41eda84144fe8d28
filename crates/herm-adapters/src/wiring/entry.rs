//! What herm wants a file to say, and which step leads there.

use super::command;
use super::item::{Item, Key};
use super::refused::Refused;
use crate::Agent;

/// Something that a file should say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    /// An item of a list, known again by the command in it.
    Item {
        /// Where the list stands.
        list: Vec<String>,
        /// What it says.
        item: Item,
        /// Whether it may say more.
        likeness: Likeness,
    },
    /// A value at a place of its own.
    Value {
        /// Where it stands.
        at: Vec<String>,
        /// What it says.
        value: Item,
        /// What becomes of another value there.
        standing: Standing,
    },
}

/// How like ours an item must be to stay as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Likeness {
    /// It may say more than ours.
    AtLeast,
    /// It says the same: a condition or `async` more, and it would no longer hold anything back.
    Exact,
}

/// What becomes of another value at that place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It stays; ours is what a file needs to be one at all, and goes only with everything else.
    Needed,
    /// It makes way for ours.
    Pinned,
}

/// One change to a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// A member more in a mapping.
    Insert { map: Vec<Key>, key: String, value: Item },
    /// An item more in a list.
    Push { list: Vec<Key>, item: Item },
    /// Another value in the place of one.
    Replace { at: Vec<Key>, value: Item },
    /// One member or item less.
    Take { from: Vec<Key>, key: Key },
}

/// Where a list grows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Back,
    Front,
}

/// Whose an item is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Whose {
    Ours,
    Shared(usize),
    Theirs,
}

impl Entry {
    /// The step to what is wanted; nothing when all is as it should be.
    pub(crate) fn install(&self, root: &Item, agent: Agent) -> Result<Option<Step>, Refused> {
        match self {
            Self::Item { list, item, likeness } => match locate(root, list)? {
                Located::Missing { depth } => {
                    insertion(list, depth, Item::List(vec![item.clone()])).map(Some)
                }
                Located::There(Item::Null) => {
                    insertion_into_null(list, Item::List(vec![item.clone()])).map(Some)
                }
                Located::There(found @ Item::List(_)) => {
                    let place = names(list);
                    match ours(found, agent, list, Some(item))? {
                        None => Ok(Some(Step::Push { list: place, item: item.clone() })),
                        Some((_, Whose::Shared(_))) => Err(Refused::Shared(list.join("."))),
                        Some((at, _)) if found.items().get(at).is_some_and(|it| likeness.holds(it, item)) => {
                            Ok(None)
                        }
                        Some((at, _)) => {
                            Ok(Some(Step::Replace { at: below(&place, Key::Index(at)), value: item.clone() }))
                        }
                    }
                }
                Located::There(_) => Err(Refused::Unexpected(list.join("."))),
            },
            Self::Value { at, value, standing } => match (locate(root, at)?, standing) {
                (Located::Missing { depth }, _) => insertion(at, depth, value.clone()).map(Some),
                (Located::There(_), Standing::Needed) => Ok(None),
                (Located::There(found), Standing::Pinned) if found.same(value) => Ok(None),
                (Located::There(Item::List(_) | Item::Map(_) | Item::Null), Standing::Pinned) => {
                    Err(Refused::Unexpected(at.join(".")))
                }
                (Located::There(_), Standing::Pinned) => {
                    Ok(Some(Step::Replace { at: names(at), value: value.clone() }))
                }
            },
        }
    }

    /// The step back; nothing when there is nothing of ours. `original` is what the file said before; `needed` is what stands in it
    /// only for the sake of the rest.
    pub(crate) fn remove(
        &self,
        root: &Item,
        agent: Agent,
        original: Option<&Item>,
        needed: &[&String],
    ) -> Result<Option<Step>, Refused> {
        match self {
            Self::Item { list, item, .. } => {
                let Located::There(found @ Item::List(_)) = locate(root, list)? else { return Ok(None) };
                let place = names(list);
                Ok(match ours(found, agent, list, Some(item))? {
                    None => None,
                    Some((at, Whose::Shared(handler))) => Some(Step::Take {
                        from: below(&below(&place, Key::Index(at)), Key::Name("hooks".to_owned())),
                        key: Key::Index(handler),
                    }),
                    Some((at, _)) => Some(least(root, original, below(&place, Key::Index(at)))),
                })
            }
            Self::Value { at, value, standing } => {
                let place = names(at);
                let before = original.and_then(|original| original.at(&place));
                let Located::There(found) = locate(root, at)? else { return Ok(None) };
                match before {
                    // Somebody has changed it since.
                    _ if !found.same(value) => Ok(None),
                    Some(before) if before.same(value) => Ok(None),
                    Some(before) => Ok(Some(Step::Replace { at: place, value: before.clone() })),
                    None if *standing == Standing::Needed && has_grown(root, original, needed) => Ok(None),
                    None => Ok(Some(least(root, original, place))),
                }
            }
        }
    }

    /// The name of what stands in a file only for the sake of the rest.
    pub(crate) fn needed(&self) -> Option<&String> {
        match self {
            Self::Value { at, standing: Standing::Needed, .. } => at.first(),
            Self::Item { .. } | Self::Value { standing: Standing::Pinned, .. } => None,
        }
    }

    /// Whether a file says it, but for where herm lies and how long it may take.
    pub(crate) fn is_alike(&self, root: &Item, agent: Agent) -> bool {
        match self {
            Self::Item { list, item, .. } => own(root, list, agent)
                .is_some_and(|found| without_call(found, agent).same(&without_call(item, agent))),
            Self::Value { .. } => false,
        }
    }

    /// Whether a file says it.
    pub(crate) fn holds(&self, root: &Item, agent: Agent) -> bool {
        matches!(self.install(root, agent), Ok(None))
    }
}

/// Whether a file says something that it did not say before herm came, and that is not herm's.
fn has_grown(root: &Item, original: Option<&Item>, needed: &[&String]) -> bool {
    root.pairs().iter().any(|(name, value)| {
        let before = original.and_then(|original| original.get(name));
        !needed.contains(&name) && !before.is_some_and(|before| before.same(value))
    })
}

impl Likeness {
    fn holds(self, found: &Item, wanted: &Item) -> bool {
        match self {
            Self::Exact => found.same(wanted),
            Self::AtLeast => wanted
                .pairs()
                .iter()
                .all(|(key, value)| found.get(key).is_some_and(|found| found.same(value))),
        }
    }
}

/// An item without herm's command and without times.
fn without_call(item: &Item, agent: Agent) -> Item {
    match item {
        Item::List(items) => Item::List(items.iter().map(|item| without_call(item, agent)).collect()),
        Item::Map(pairs) => {
            let kept = |(key, value): &(String, Item)| {
                let is_call = value.as_text().is_some_and(|line| command::is_ours(line, agent));
                let is_free = is_call || key.starts_with("timeout");
                (key.clone(), if is_free { Item::Null } else { without_call(value, agent) })
            };
            Item::Map(pairs.iter().map(kept).collect())
        }
        Item::Flag(_) | Item::Null | Item::Number(_) | Item::Text(_) => item.clone(),
    }
}

/// The item of this list that is ours.
pub(crate) fn own<'a>(root: &'a Item, list: &[String], agent: Agent) -> Option<&'a Item> {
    let Ok(Located::There(found)) = locate(root, list) else { return None };
    let (at, _) = ours(found, agent, list, None).ok()??;
    found.items().get(at)
}

/// Where in a list ours is: the one that is about the same as what is wanted, where that says about what.
fn ours(
    list: &Item,
    agent: Agent,
    path: &[String],
    wanted: Option<&Item>,
) -> Result<Option<(usize, Whose)>, Refused> {
    let event = wanted.and_then(|wanted| wanted.get("event"));
    let is_about_it =
        |item: &Item| event.is_none_or(|event| item.get("event").is_some_and(|found| found.same(event)));
    let mut found = list
        .items()
        .iter()
        .enumerate()
        .filter(|(_, item)| is_about_it(item))
        .map(|(at, item)| (at, whose(item, agent)))
        .filter(|(_, whose)| *whose != Whose::Theirs);
    let first = found.next();
    if found.next().is_some() {
        return Err(Refused::Twice(path.join(".")));
    }
    Ok(first)
}

fn whose(item: &Item, agent: Agent) -> Whose {
    let handlers = item.get("hooks").map(Item::items).unwrap_or_default();
    if handlers.is_empty() {
        return if has_our_command(item, agent) { Whose::Ours } else { Whose::Theirs };
    }
    match handlers.iter().position(|handler| has_our_command(handler, agent)) {
        None => Whose::Theirs,
        Some(_) if handlers.len() == 1 => Whose::Ours,
        Some(at) => Whose::Shared(at),
    }
}

/// The command of a hook, by whatever name its agent calls it.
pub(crate) fn command_of(handler: &Item) -> Option<&str> {
    ["command", "bash"].iter().find_map(|name| handler.get(name)?.as_text())
}

fn has_our_command(handler: &Item, agent: Agent) -> bool {
    command_of(handler).is_some_and(|line| command::is_ours(line, agent))
}

/// How far a path leads.
enum Located<'a> {
    /// So many of its names are there.
    Missing {
        depth: usize,
    },
    There(&'a Item),
}

fn locate<'a>(root: &'a Item, path: &[String]) -> Result<Located<'a>, Refused> {
    let mut item = root;
    for (depth, name) in path.iter().enumerate() {
        let pairs = match item {
            Item::Map(pairs) => pairs,
            Item::Null => return Ok(Located::Missing { depth }),
            Item::Flag(_) | Item::List(_) | Item::Number(_) | Item::Text(_) => {
                return Err(Refused::Unexpected(
                    path.iter().take(depth).cloned().collect::<Vec<_>>().join("."),
                ));
            }
        };
        if pairs.iter().any(|(key, _)| key == "<<") {
            return Err(Refused::Merged);
        }
        let mut found = pairs.iter().filter(|(key, _)| key == name);
        match (found.next(), found.next()) {
            (None, _) => return Ok(Located::Missing { depth }),
            (Some((_, value)), None) => item = value,
            (Some(_), Some(_)) => return Err(Refused::Duplicate(name.clone())),
        }
    }
    Ok(Located::There(item))
}

/// A member with everything that is missing below it.
fn insertion(path: &[String], depth: usize, value: Item) -> Result<Step, Refused> {
    let (there, missing) = path.split_at_checked(depth).ok_or(Refused::Unclear)?;
    let (key, inner) = missing.split_first().ok_or(Refused::Unclear)?;
    let value = inner.iter().rev().fold(value, |value, name| Item::Map(vec![(name.clone(), value)]));
    Ok(Step::Insert { map: names(there), key: key.clone(), value })
}

fn insertion_into_null(path: &[String], value: Item) -> Result<Step, Refused> {
    if path.is_empty() { Err(Refused::Unclear) } else { Ok(Step::Replace { at: names(path), value }) }
}

/// Takes away as much as would be left empty and was not there before.
fn least(root: &Item, original: Option<&Item>, mut path: Vec<Key>) -> Step {
    loop {
        let Some(key) = path.pop() else { return Step::Take { from: Vec::new(), key: Key::Index(0) } };
        let before = original.and_then(|original| original.at(&path));
        let was_there = before.is_some();
        let others = root.at(&path).is_some_and(|item| item.items().len() + item.pairs().len() > 1);
        if before == Some(&Item::Null) && !path.is_empty() && !others {
            return Step::Replace { at: path, value: Item::Null };
        }
        if path.is_empty() || others || was_there {
            return Step::Take { from: path, key };
        }
    }
}

fn names(path: &[String]) -> Vec<Key> {
    path.iter().cloned().map(Key::Name).collect()
}

fn below(path: &[Key], key: Key) -> Vec<Key> {
    path.iter().cloned().chain([key]).collect()
}

impl Step {
    /// What a file says after this step, by which the step in its text is checked.
    pub(crate) fn applied(&self, root: &Item, end: End) -> Option<Item> {
        match self {
            Self::Insert { map, key, value } => changed(root, map, |item| {
                let mut pairs = match item {
                    Item::Map(pairs) => pairs.clone(),
                    Item::Null => Vec::new(),
                    Item::Flag(_) | Item::List(_) | Item::Number(_) | Item::Text(_) => return None,
                };
                pairs.push((key.clone(), value.clone()));
                Some(Item::Map(pairs))
            }),
            Self::Push { list, item: more } => changed(root, list, |item| {
                let mut items = item.items().to_vec();
                items.insert(if end == End::Front { 0 } else { items.len() }, more.clone());
                Some(Item::List(items))
            }),
            Self::Replace { at, value } => changed(root, at, |_| Some(value.clone())),
            Self::Take { from, key } => changed(root, from, |item| without(item, key)),
        }
    }
}

fn without(item: &Item, key: &Key) -> Option<Item> {
    match (item, key) {
        (Item::List(items), Key::Index(index)) => {
            let mut items = items.clone();
            (*index < items.len()).then(|| items.remove(*index))?;
            Some(Item::List(items))
        }
        (Item::Map(pairs), Key::Name(name)) => {
            Some(Item::Map(pairs.iter().filter(|(key, _)| key != name).cloned().collect()))
        }
        (Item::Flag(_) | Item::List(_) | Item::Map(_) | Item::Null | Item::Number(_) | Item::Text(_), _) => {
            None
        }
    }
}

fn changed(root: &Item, path: &[Key], change: impl FnOnce(&Item) -> Option<Item>) -> Option<Item> {
    let Some((key, rest)) = path.split_first() else { return change(root) };
    match (root, key) {
        (Item::Map(pairs), Key::Name(name)) => {
            let mut pairs = pairs.clone();
            let (_, value) = pairs.iter_mut().find(|(key, _)| key == name)?;
            *value = changed(value, rest, change)?;
            Some(Item::Map(pairs))
        }
        (Item::List(items), Key::Index(index)) => {
            let mut items = items.clone();
            let value = items.get_mut(*index)?;
            *value = changed(value, rest, change)?;
            Some(Item::List(items))
        }
        (Item::Flag(_) | Item::List(_) | Item::Map(_) | Item::Null | Item::Number(_) | Item::Text(_), _) => {
            None
        }
    }
}
