//! Commands: cmdlets by name and alias, everything else as a program.

use super::parser::Parser;
use super::{Item, LIST_MOST, Shell, encoded_argument};
use crate::effect::{Flags, ProcessTarget, Realm, Target, Verb};
use crate::gap::{Position, Reason};
use crate::lang::Lang;
use crate::value::{Piece, Provenance, Value};

/// A word of a command.
pub(super) struct Word {
    item: Item,
    /// The name of a parameter, in lower case, without its dash.
    parameter: Option<String>,
}

/// What a word costs: it is read, and copied wherever it is handed on.
const WORD: u32 = 2;

impl Shell<'_> {
    /// The words of a command, up to a bar or the end of the statement.
    pub(super) fn words(&mut self, parser: &mut Parser<'_>) -> Vec<Word> {
        let mut words = Vec::new();
        let mut head = None;
        while !self.stopped {
            parser.skip_blanks();
            let before = parser.pos;
            let (start, is_first) = (parser.offset(), words.is_empty());
            match parser.peek() {
                Some('&') if words.is_empty() && parser.second() != Some('&') => parser.advance(),
                Some('.') if words.is_empty() && parser.second() == Some(' ') => parser.advance(),
                None | Some('\n' | ';' | '|' | ')' | '}' | '&' | '#') => break,
                Some(',') => {
                    parser.advance();
                    parser.skip_blanks();
                    let next = self.word(parser);
                    if let Some(last) = words.last_mut() {
                        extend(last, &next);
                    }
                }
                Some(_) => words.push(self.word(parser)),
            }
            if is_first && !words.is_empty() {
                head = Some(crate::scripts::span(start, parser.offset()));
            }
            if parser.pos == before {
                break;
            }
        }
        self.head = head;
        words
    }

    fn word(&mut self, parser: &mut Parser<'_>) -> Word {
        self.stopped |= self.sink.spend(WORD).is_err();
        match parser.peek() {
            Some('\'' | '"' | '$' | '(' | '@' | '{') => Word { item: self.term(parser), parameter: None },
            Some('-') if parser.at_expression() => Word { item: self.expression(parser), parameter: None },
            Some('-') if parser.second().is_some_and(char::is_alphabetic) => {
                let text = parser.take_while(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '='));
                let name = text.trim_start_matches('-').to_ascii_lowercase();
                let glued = parser.peek() == Some(':');
                parser.pos += usize::from(glued);
                Word { item: Item::text(Value::literal(text)), parameter: Some(name) }
            }
            Some(_) | None => Word { item: Item::text(self.bare(parser)), parameter: None },
        }
    }

    fn bare(&mut self, parser: &mut Parser<'_>) -> Value {
        let mut value = Value::default();
        while let Some(c) = parser.peek().filter(|_| !self.stopped) {
            match c {
                c if c.is_whitespace() || matches!(c, ';' | '|' | '(' | ')' | '}' | ',') => break,
                '`' => {
                    parser.advance();
                    if let Some(escaped) = parser.peek() {
                        value.push_str(escaped.encode_utf8(&mut [0; 4]));
                        parser.advance();
                    }
                }
                '\'' => value.push_str(&parser.single()),
                '"' => value.push(&self.double(parser)),
                '$' => value.push(&self.variable(parser).text),
                c => {
                    value.push_str(c.encode_utf8(&mut [0; 4]));
                    parser.advance();
                }
            }
        }
        value
    }

    /// Runs a command.
    pub(super) fn command(&mut self, words: &[Word], input: Option<&Item>) -> Item {
        let Some((head, arguments)) = words.split_first() else { return Item::default() };
        if let Some((code, at)) = &head.item.block {
            return self.block(&code.clone(), *at);
        }
        let called = head.item.known().to_ascii_lowercase();
        let name =
            ALIASES.iter().find(|(alias, _)| *alias == called).map_or(called.as_str(), |(_, name)| *name);
        let call = Call::new(arguments);
        if call.switch("whatif", 2) {
            return Item::default();
        }
        // On Unix `rm -rf` is the program, which bundles its options.
        let bundled = arguments
            .iter()
            .any(|word| word.parameter.as_deref().is_some_and(|name| matches!(name, "rf" | "fr" | "rfv")));
        if bundled && name == "remove-item" {
            return self.program(words);
        }
        let head = self.head.take();
        if let Some(item) = self.cmdlet(name, &call, input) {
            if let Some(at) = head {
                self.sink.followed(at);
            }
            return item;
        }
        if is_cmdlet(name) {
            let data = input.map(|item| item.text.provenance).unwrap_or_default();
            return Item::text(Value::unknown(name, data));
        }
        self.program(words)
    }

    /// What a command does that is one of PowerShell's own.
    fn cmdlet(&mut self, name: &str, call: &Call<'_>, input: Option<&Item>) -> Option<Item> {
        let item = match name {
            "remove-item" => self.remove(call, input),
            "invoke-expression" => {
                let code = call.value(&["command"], 0).or_else(|| input.cloned()).unwrap_or_default();
                self.evaluate(&code.text)
            }
            "invoke-webrequest" | "invoke-restmethod" => self.request(call),
            "start-bitstransfer" => {
                let content = self.download(&call.text(&["source"], 0));
                self.sink.write(&call.text(&["destination"], 1), &content.text, Flags::TRUNCATE);
                Item::default()
            }
            "start-process" => self.start(call),
            "stop-process" => self.stop_process(call),
            "stop-computer" | "restart-computer" => self.named(Verb::Power, "power state", "", Flags::NONE),
            "format-volume" | "clear-disk" | "initialize-disk" | "remove-partition" => {
                let device = call.text(&["driveletter", "number"], 0).shown();
                self.named(Verb::Format, "device", &device, Flags::IRREVERSIBLE)
            }
            "set-executionpolicy" => self.execution_policy(call),
            "set-mppreference" | "add-mppreference" | "disable-windowsoptionalfeature" => {
                self.named(Verb::Disable, "guard", name, Flags::NONE)
            }
            "clear-eventlog" | "remove-eventlog" | "limit-eventlog" => {
                self.named(Verb::Destroy, "audit", name, Flags::IRREVERSIBLE)
            }
            "set-netfirewallprofile" | "disable-netfirewallrule" | "remove-netfirewallrule" => {
                self.named(Verb::Disable, "firewall", name, Flags::NONE)
            }
            "register-scheduledtask" | "register-scheduledjob" => self.named(
                Verb::Persist,
                "schedule",
                &call.text(&["taskname", "name"], 0).shown(),
                Flags::NONE,
            ),
            "new-service" => {
                self.named(Verb::Persist, "service", &call.text(&["name"], 0).shown(), Flags::NONE)
            }
            "new-itemproperty" | "set-itemproperty" if runs_at_login(&call.text(&["path"], 0).shown()) => {
                self.named(Verb::Persist, "service", name, Flags::NONE)
            }
            "stop-service" | "remove-service" | "suspend-service" => {
                self.named(Verb::Service, "service", &call.text(&["name"], 0).shown(), Flags::STOP)
            }
            "new-localuser" | "remove-localuser" | "add-localgroupmember" => {
                self.named(Verb::Account, "account", &call.text(&["name"], 0).shown(), Flags::NONE)
            }
            "set-content" | "out-file" | "add-content" | "tee-object" | "clear-content" | "new-item" => {
                self.write(name, call, input)
            }
            "get-content" => self.read(call, input),
            "copy-item" | "move-item" | "rename-item" => self.transfer(name, call, input),
            "invoke-command" => self.invoke(call),
            "new-object" => self.create(call),
            "get-childitem" | "get-item"
                if call.text(&["path"], 0).shown().to_ascii_lowercase().starts_with("env:") =>
            {
                self.environment()
            }
            "get-childitem" => self.children(call, input),
            "get-item" | "resolve-path" => {
                let (paths, narrowed) = self.paths(call, input);
                Item { narrowed: narrowed == Flags::NARROWED, ..list_of(&paths) }
            }
            "sort-object" | "get-unique" => input.cloned()?,
            "select-object" => some_of(input?),
            "write-output" | "write-host" => Item::text(call.text(&["object"], 0)),
            "powershell" | "pwsh" | "powershell.exe" => self.nested(call.words),
            "start-job" => self.given_blocks(call, input),
            "where-object" => {
                self.blocks(call, input);
                some_of(input?)
            }
            // `% FullName`: a member of each item.
            "foreach-object" if !call.words.iter().any(|word| word.item.block.is_some()) => input.cloned()?,
            "foreach-object" | "measure-command" | "if" | "while" | "for" | "foreach" | "else" | "try"
            | "catch" | "finally" | "function" | "do" | "switch" | "elseif" => self.blocks(call, input),
            _ => return None,
        };
        Some(item)
    }

    fn named(&mut self, verb: Verb, kind: &'static str, name: &str, flags: Flags) -> Item {
        self.sink.effect(verb, Target::Named(kind, name.to_owned()), flags, Provenance::NONE);
        Item::default()
    }

    /// Another program runs.
    fn program(&mut self, words: &[Word]) -> Item {
        let home = self.sink.home();
        let argv: Vec<Value> = words
            .iter()
            .flat_map(|word| word.item.all())
            .map(|word| super::super::at_home(&word, &home))
            .collect();
        Item::text(self.sink.run(&argv, &Value::default()))
    }

    fn remove(&mut self, call: &Call<'_>, input: Option<&Item>) -> Item {
        let when = |set: bool, flag: Flags| if set { flag } else { Flags::NONE };
        let flags =
            when(call.switch("recurse", 1), Flags::RECURSIVE) | when(call.switch("force", 2), Flags::FORCE);
        let (paths, narrowed) = self.paths(call, input);
        for path in paths {
            self.sink.path(Verb::Delete, &path, flags | narrowed);
        }
        Item::default()
    }

    /// The paths that a command is given, or those that come through its pipe, and whether they are only some of those.
    fn paths(&self, call: &Call<'_>, input: Option<&Item>) -> (Vec<Value>, Flags) {
        let home = self.sink.home();
        let given = call.value(&["path", "literalpath", "filepath"], 0).or_else(|| input.cloned());
        let path = |path: &Value| super::super::globbed(&super::super::at_home(path, &home));
        let is_narrowed = given.as_ref().is_some_and(|given| given.narrowed);
        let paths = given.iter().flat_map(Item::all).map(|given| path(&given)).collect();
        (paths, if is_narrowed { Flags::NARROWED } else { Flags::NONE })
    }

    /// What stands in a directory, or what a filter leaves of it.
    fn children(&mut self, call: &Call<'_>, input: Option<&Item>) -> Item {
        let (mut paths, narrowed) = self.paths(call, input);
        if paths.is_empty() {
            paths.push(Value::literal("."));
        }
        let is_chosen =
            ["filter", "include", "exclude"].iter().any(|name| call.value(&[name], usize::MAX).is_some())
                || call.operands().nth(1).is_some();
        for path in &mut paths {
            if path.pieces.iter().any(|piece| matches!(piece, Piece::Glob(_))) {
                continue;
            }
            let ends = path.known().is_some_and(|path| path.ends_with(['/', '\\']));
            path.push_str(if ends { "" } else { "/" });
            path.push(&super::super::globbed(&Value::literal("*")));
        }
        Item { narrowed: is_chosen || narrowed == Flags::NARROWED, ..list_of(&paths) }
    }

    fn request(&mut self, call: &Call<'_>) -> Item {
        let url = call.text(&["uri"], 0);
        if let Some(file) = call.value(&["infile"], 9) {
            let content = self.sink.read(&file.text);
            self.sink.connect(Verb::Send, &url, Flags::UPLOAD, content.provenance);
        }
        if let Some(body) = call.value(&["body"], 9) {
            self.sink.connect(Verb::Send, &url, Flags::UPLOAD, body.text.provenance);
        }
        let content = self.download(&url);
        if let Some(path) = call.value(&["outfile"], 9) {
            self.sink.write(&path.text, &content.text, Flags::TRUNCATE);
        }
        content
    }

    fn start(&mut self, call: &Call<'_>) -> Item {
        if call.text(&["verb"], 9).shown().eq_ignore_ascii_case("runas") {
            self.sink.escalate();
        }
        let mut argv = vec![self.beside(call.text(&["filepath"], 0))];
        let arguments = call.value(&["argumentlist", "args"], 1);
        for argument in arguments.iter().flat_map(Item::all) {
            match argument.known() {
                Some(text) => argv.extend(text.split_whitespace().map(Value::literal)),
                None => argv.push(argument),
            }
        }
        Item::text(self.sink.run(&argv, &Value::default()))
    }

    /// A program that the text itself put beside it is found there without a path.
    fn beside(&self, program: Value) -> Value {
        let plain = program.known().is_some_and(|name| !name.contains(['/', '\\']));
        if !plain || self.sink.made_here(&program).is_empty() {
            return program;
        }
        let mut here = Value::literal("./");
        here.push(&program);
        here
    }

    fn stop_process(&mut self, call: &Call<'_>) -> Item {
        let flags = if call.switch("force", 1) { Flags::FORCE | Flags::KILL_SIGNAL } else { Flags::NONE };
        let target = match (call.value(&["name", "processname"], 9), call.value(&["id"], 0)) {
            (Some(name), _) if name.known() == "*" => ProcessTarget::All,
            (Some(name), _) => ProcessTarget::Matching(name.text.shown()),
            (None, Some(id)) => id.known().parse().map_or(ProcessTarget::Unknown, ProcessTarget::Number),
            (None, None) => ProcessTarget::Unknown,
        };
        self.sink.effect(Verb::Kill, Target::Process(target), flags, Provenance::NONE);
        Item::default()
    }

    fn execution_policy(&mut self, call: &Call<'_>) -> Item {
        let policy = call.text(&["executionpolicy"], 0).shown().to_ascii_lowercase();
        if matches!(policy.as_str(), "bypass" | "unrestricted") {
            return self.named(Verb::Disable, "guard", "execution policy", Flags::NONE);
        }
        Item::default()
    }

    fn write(&mut self, name: &str, call: &Call<'_>, input: Option<&Item>) -> Item {
        if name == "new-item" && call.value(&["value"], 9).is_none() {
            return Item::default();
        }
        let piped = input.filter(|_| name != "clear-content").map(|item| item.text.clone());
        let content =
            call.value(&["value", "inputobject"], 1).map(|item| item.text).or(piped).unwrap_or_default();
        let appends = name == "add-content" || call.switch("append", 1);
        // Cmdlets that change files take them out of a pipe; the others write what comes there.
        let changes = matches!(name, "add-content" | "clear-content" | "set-content");
        let content = super::written(&content);
        let (paths, narrowed) = self.paths(call, input.filter(|_| changes));
        for path in paths {
            let flags = if appends { Flags::APPEND } else { Flags::TRUNCATE };
            self.sink.write(&path, &content, flags | narrowed);
        }
        Item::default()
    }

    fn read(&mut self, call: &Call<'_>, input: Option<&Item>) -> Item {
        let mut content = Value::default();
        for path in self.paths(call, input).0 {
            content.push(&self.sink.read(&path));
        }
        Item::text(content)
    }

    fn transfer(&mut self, name: &str, call: &Call<'_>, input: Option<&Item>) -> Item {
        // What comes through the pipe leaves the first place to where it goes.
        let names = ["path", "literalpath"];
        let is_piped = input.is_some() && call.value(&names, 1).is_none();
        let to = call.text(&["destination", "newname"], usize::from(!is_piped));
        let to = super::super::at_home(&to, &self.sink.home());
        let (from, narrowed) =
            if is_piped { self.paths(&Call::new(&[]), input) } else { self.paths(call, input) };
        for from in from {
            if name == "copy-item" {
                let content = self.sink.read(&from);
                self.sink.write(&to, &content, Flags::TRUNCATE);
            } else {
                self.sink.path(Verb::Delete, &from, Flags::MOVE | narrowed);
                self.sink.path(Verb::Write, &to, Flags::TRUNCATE);
            }
        }
        Item::default()
    }

    fn invoke(&mut self, call: &Call<'_>) -> Item {
        if let Some(host) = call.value(&["computername"], 9) {
            self.sink.enter(Realm::Remote(host.text.shown().into()));
        }
        self.given_blocks(call, None)
    }

    /// Runs the blocks that a command is there to run; without one it is handed code that is not known.
    fn given_blocks(&mut self, call: &Call<'_>, input: Option<&Item>) -> Item {
        if !call.words.iter().any(|word| word.item.block.is_some()) {
            self.sink.gap(Position::Unfollowed, Reason::Runtime, "script block");
        }
        self.blocks(call, input)
    }

    /// Runs the blocks among the arguments.
    fn blocks(&mut self, call: &Call<'_>, input: Option<&Item>) -> Item {
        if let Some(input) = input {
            let mut items = input.all().into_iter();
            self.variables.set(
                "_",
                Item { items: Vec::new(), text: items.next().unwrap_or_default(), ..input.clone() },
            );
            for item in items {
                self.variables.set_perhaps("_", Item::text(item));
            }
            self.repeats = true;
        }
        let mut last = Item::default();
        for word in call.words {
            if let Some((code, at)) = &word.item.block {
                last = self.block(&code.clone(), *at);
            }
        }
        last
    }

    fn create(&mut self, call: &Call<'_>) -> Item {
        let name = call.text(&["typename"], 0).shown().to_ascii_lowercase();
        if name.ends_with("tcpclient") {
            let arguments = call.value(&["argumentlist"], 1).unwrap_or_default().all();
            let part = |at: usize| Item::text(arguments.get(at).cloned().unwrap_or_default());
            return self.connect(&part(0), &part(1));
        }
        Item::object(&name)
    }

    /// `powershell -c …`, `powershell -enc …`.
    fn nested(&mut self, arguments: &[Word]) -> Item {
        let words: Vec<String> = arguments.iter().map(|word| word.item.text.shown()).collect();
        if let Some(code) = encoded_argument(&words) {
            return Item::text(
                self.sink.code(Lang::PowerShell, &Value::literal(code).from(Provenance::DECODED)),
            );
        }
        let mut argv = vec![Value::literal("pwsh")];
        argv.extend(arguments.iter().map(|word| word.item.text.clone()));
        Item::text(self.sink.run(&argv, &Value::default()))
    }
}

fn list_of(paths: &[Value]) -> Item {
    match paths {
        [only] => Item::text(only.clone()),
        several => Item {
            text: several.first().cloned().unwrap_or_default(),
            items: several.to_vec(),
            ..Item::default()
        },
    }
}

fn some_of(item: &Item) -> Item {
    Item { narrowed: true, ..item.clone() }
}

fn extend(word: &mut Word, next: &Word) {
    if word.item.items.is_empty() {
        word.item.items.push(word.item.text.clone());
    }
    word.item.items.extend(next.item.all());
    word.item.items.truncate(LIST_MOST);
}

/// Keys of the registry that say what runs when somebody logs in.
fn runs_at_login(key: &str) -> bool {
    let key = key.to_ascii_lowercase();
    key.contains("currentversion") && (key.contains("\\run") || key.contains("winlogon"))
}

/// Whether a name is a cmdlet's: a verb, a dash, a noun.
fn is_cmdlet(name: &str) -> bool {
    name.split_once('-').is_some_and(|(verb, noun)| VERBS.contains(&verb) && !noun.is_empty())
}

const VERBS: &[&str] = &[
    "add",
    "clear",
    "compare",
    "convertfrom",
    "convertto",
    "convert",
    "copy",
    "enable",
    "export",
    "find",
    "format",
    "get",
    "group",
    "import",
    "install",
    "join",
    "measure",
    "new",
    "out",
    "pop",
    "push",
    "read",
    "register",
    "remove",
    "resolve",
    "save",
    "select",
    "set",
    "show",
    "sort",
    "split",
    "start",
    "stop",
    "test",
    "update",
    "wait",
    "where",
    "write",
    "use",
    "tee",
    "disable",
];

/// A command's arguments.
struct Call<'w> {
    words: &'w [Word],
}

impl<'w> Call<'w> {
    fn new(words: &'w [Word]) -> Self {
        Self { words }
    }

    /// Whether a switch is given, abbreviated to no fewer than `least` letters.
    fn switch(&self, name: &str, least: usize) -> bool {
        self.words
            .iter()
            .filter_map(|word| word.parameter.as_deref())
            .any(|own| own.len() >= least && name.starts_with(own))
    }

    /// The value of a parameter by one of its names, or the operand at `position`.
    fn value(&self, names: &[&str], position: usize) -> Option<Item> {
        let at = self.words.iter().position(|word| {
            word.parameter.as_deref().is_some_and(|own| {
                // `-File` is a switch, and no short form of `-FilePath`.
                own.len() > 1 && !SWITCHES.contains(&own) && names.iter().any(|name| name.starts_with(own))
            })
        });
        if let Some(at) = at {
            return self.words.get(at + 1).map(|word| word.item.clone());
        }
        self.operands().nth(position).map(|word| word.item.clone())
    }

    fn text(&self, names: &[&str], position: usize) -> Value {
        self.value(names, position).unwrap_or_default().text
    }

    /// The words that are neither parameters nor their values.
    fn operands(&self) -> impl Iterator<Item = &'w Word> {
        let mut taken = false;
        self.words.iter().filter(move |word| {
            let is_value = std::mem::take(&mut taken);
            match &word.parameter {
                Some(name) => {
                    taken = !SWITCHES.iter().any(|switch| switch.starts_with(name.as_str()));
                    false
                }
                None => !is_value,
            }
        })
    }
}

/// Parameters without a value.
const SWITCHES: &[&str] = &[
    "recurse",
    "force",
    "confirm",
    "whatif",
    "verbose",
    "append",
    "nonewline",
    "passthru",
    "wait",
    "nonewwindow",
    "usebasicparsing",
    "asstring",
    "raw",
    "directory",
    "file",
    "hidden",
    "skipcertificatecheck",
    "asbytestream",
];

const ALIASES: &[(&str, &str)] = &[
    ("rm", "remove-item"),
    ("del", "remove-item"),
    ("erase", "remove-item"),
    ("rd", "remove-item"),
    ("rmdir", "remove-item"),
    ("ri", "remove-item"),
    ("iex", "invoke-expression"),
    ("iwr", "invoke-webrequest"),
    ("irm", "invoke-restmethod"),
    ("saps", "start-process"),
    ("start", "start-process"),
    ("spps", "stop-process"),
    ("sasv", "start-service"),
    ("spsv", "stop-service"),
    ("gc", "get-content"),
    ("type", "get-content"),
    ("sc", "set-content"),
    ("ac", "add-content"),
    ("clc", "clear-content"),
    ("tee", "tee-object"),
    ("ni", "new-item"),
    ("cpi", "copy-item"),
    ("copy", "copy-item"),
    ("mi", "move-item"),
    ("move", "move-item"),
    ("rni", "rename-item"),
    ("ren", "rename-item"),
    ("gci", "get-childitem"),
    ("dir", "get-childitem"),
    ("gi", "get-item"),
    ("icm", "invoke-command"),
    ("%", "foreach-object"),
    ("?", "where-object"),
    ("foreach", "foreach-object"),
    ("where", "where-object"),
    ("select", "select-object"),
    ("sort", "sort-object"),
    ("gu", "get-unique"),
    ("rvpa", "resolve-path"),
    ("echo", "write-output"),
    ("write", "write-output"),
    ("sajb", "start-job"),
];
