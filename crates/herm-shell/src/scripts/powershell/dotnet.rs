//! .NET's types and methods.

use super::parser::Parser;
use super::{Item, Shell};
use crate::effect::{Flags, Verb};
use crate::filters::decode;
use crate::value::{Provenance, Value};

impl Shell<'_> {
    /// `[Type]::Method(…)`, `[char]105`, `[string]$x`.
    pub(super) fn typed(&mut self, parser: &mut Parser<'_>) -> Item {
        let (name, _) = parser.bracketed();
        let name = name.trim().to_ascii_lowercase();
        let name = name.strip_prefix("system.").unwrap_or(&name).to_owned();
        if parser.rest().starts_with("::") {
            parser.pos += 2;
            return self.member(parser, &Item::object(&name));
        }
        parser.skip_blanks();
        let value = self.term(parser);
        match name.as_str() {
            "char" | "char[]" => characters(&value),
            _ => value,
        }
    }

    /// A member after its dot, with its arguments if it is called.
    pub(super) fn member(&mut self, parser: &mut Parser<'_>, value: &Item) -> Item {
        let start = parser.offset();
        let name = parser.take_while(|c| c.is_alphanumeric() || c == '_').to_ascii_lowercase();
        if parser.peek() != Some('(') {
            return Self::property(value, &name);
        }
        let (inner, at) = parser.bracketed();
        let mut arguments = Vec::new();
        let mut list = Parser::new(inner, at);
        while !list.ended() && !self.stopped {
            list.skip_separators();
            let before = list.pos;
            arguments.push(self.term(&mut list));
            list.skip_blanks();
            while list.peek() == Some('+') {
                list.advance();
                list.skip_blanks();
                let right = self.term(&mut list);
                if let Some(last) = arguments.last_mut() {
                    last.text.push(&right.text);
                }
                list.skip_blanks();
            }
            if list.pos == before {
                list.advance();
            }
        }
        self.sink.at(crate::scripts::span(start, parser.offset()));
        let (first, second) = (arguments.first().cloned(), arguments.get(1).cloned());
        let (first, second) = (first.unwrap_or_default(), second.unwrap_or_default());
        if let Some(item) = self.method(value, &name, &first, &second) {
            self.sink.followed(crate::scripts::span(start, start + name.len()));
            return item;
        }
        method_of_text(value, &name, &first, &second)
    }

    fn property(value: &Item, name: &str) -> Item {
        if value.object.is_empty() {
            return Item { text: value.text.clone(), ..value.clone() };
        }
        Item::object(&format!("{}.{name}", value.object))
    }

    /// What a method does that is described.
    fn method(&mut self, value: &Item, name: &str, first: &Item, second: &Item) -> Option<Item> {
        let object = value.object.rsplit('.').next().unwrap_or_default();
        let item = match (object, name) {
            (_, "downloadstring" | "downloaddata" | "getstringasync" | "openread") => {
                self.download(&first.text)
            }
            (_, "downloadfile") => {
                let content = self.download(&first.text);
                self.sink.write(&second.text, &content.text, Flags::TRUNCATE);
                Item::default()
            }
            (_, "uploadstring" | "uploadfile" | "uploaddata" | "uploadvalues") => {
                self.sink.connect(Verb::Send, &first.text, Flags::UPLOAD, second.text.provenance);
                Item::default()
            }
            ("convert", "frombase64string") => Item { object: "base64".to_owned(), ..first.clone() },
            (_, "getstring") => Self::bytes_as_text(&value.object, first),
            ("file", "readalltext" | "readalllines" | "readallbytes" | "opentext") => {
                Item::text(self.sink.read(&first.text))
            }
            ("file", "writealltext" | "writeallbytes" | "writealllines" | "create") => {
                self.written(first, second, Flags::TRUNCATE)
            }
            ("file", "appendalltext" | "appendalllines") => self.written(first, second, Flags::APPEND),
            ("file", "delete") => self.deleted(first, Flags::NONE),
            ("directory", "delete") => {
                let all = second.known() == "true";
                self.deleted(first, if all { Flags::RECURSIVE } else { Flags::NONE })
            }
            ("file" | "directory", "move") => {
                self.sink.path(Verb::Delete, &first.text, Flags::MOVE);
                self.written(second, &Item::default(), Flags::TRUNCATE)
            }
            ("process", "start") => {
                let mut argv = vec![first.text.clone()];
                argv.extend(second.known().split_whitespace().map(Value::literal));
                Item::text(self.sink.run(&argv, &Value::default()))
            }
            ("scriptblock", "create") => self.evaluate(&first.text),
            ("environment", "getenvironmentvariables") => self.environment(),
            ("environment", "getenvironmentvariable") => Item::text(self.sink.variable(&first.known())),
            ("environment", "getfolderpath") => Item::text(Value::literal(self.sink.home())),
            ("tcpclient" | "socket", "connect") => self.connect(first, second),
            ("array", "reverse") => Item::default(),
            _ => return None,
        };
        Some(item)
    }

    fn written(&mut self, path: &Item, content: &Item, flags: Flags) -> Item {
        self.sink.write(&path.text, &content.text, flags);
        Item::default()
    }

    fn deleted(&mut self, path: &Item, flags: Flags) -> Item {
        self.sink.path(Verb::Delete, &path.text, flags);
        Item::default()
    }

    pub(super) fn download(&mut self, url: &Value) -> Item {
        self.sink.connect(Verb::Connect, url, Flags::DOWNLOAD, Provenance::NONE);
        Item::text(Value::unknown(url.shown(), Provenance::NETWORK))
    }

    /// Connects; from now on what is unknown comes from there.
    pub(super) fn connect(&mut self, host: &Item, port: &Item) -> Item {
        let mut to = host.text.clone();
        to.push_str(":");
        to.push(&port.text);
        self.sink.connect(Verb::Connect, &to, Flags::NONE, Provenance::NONE);
        self.wiring.connected(self.sink);
        Item::object("tcpclient")
    }

    fn bytes_as_text(encoding: &str, value: &Item) -> Item {
        if value.object != "base64" {
            return value.clone();
        }
        let bytes = value.text.known().and_then(|text| decode::base64(&text));
        let wide = encoding.contains("unicode");
        let text =
            bytes.and_then(|bytes| if wide { decode::utf16(&bytes) } else { String::from_utf8(bytes).ok() });
        let value =
            text.map_or_else(|| Value::unknown("decoded text", value.text.provenance), Value::literal);
        Item::text(value.from(Provenance::DECODED))
    }
}

fn characters(value: &Item) -> Item {
    let all: Option<String> = value
        .all()
        .iter()
        .map(|number| {
            number.known().and_then(|number| number.trim().parse::<u32>().ok()).and_then(char::from_u32)
        })
        .collect();
    if let Some(text) = all {
        let items = text.chars().map(Value::literal).collect();
        Item { text: Value::literal(text).from(Provenance::DECODED), items, ..Item::default() }
    } else {
        let items = value.known().chars().take(4096).map(Value::literal).collect();
        Item { items, ..value.clone() }
    }
}

fn method_of_text(value: &Item, name: &str, first: &Item, second: &Item) -> Item {
    let known = value.text.known().map(std::borrow::Cow::into_owned);
    let Some(text) = known.filter(|_| value.object.is_empty()) else {
        return Item {
            text: Value::unknown(name, value.text.provenance),
            object: value.object.clone(),
            ..Item::default()
        };
    };
    let (from, to) = (first.known(), second.known());
    let result = match name {
        "replace" if !from.is_empty() && text.len() < 1 << 14 && to.len() < 64 => text.replace(&from, &to),
        "tolower" => text.to_lowercase(),
        "toupper" => text.to_uppercase(),
        "trim" => text.trim().to_owned(),
        "tochararray" => return characters(value),
        _ => text,
    };
    Item::text(Value::literal(result).from(value.text.provenance))
}
