//! Clients of services: clouds, containers, clusters, key stores. A client does what the program of the same service does, so
//! its calls are read as that program's command lines, whose tables know what is lost, granted or revealed.

use std::rc::Rc;

use super::{Arguments, Id, Interpreter, Object, Thing, split_words};
use crate::effect::{Flags, ProcessTarget, Target, Verb};
use crate::lang::Lang;
use crate::value::{Provenance, Value};

/// The class of a client. What it is about are words: the program, then the nouns that were passed (`docker containers`).
pub(in crate::python) const CLIENT: &str = "client";

/// How many words are kept of the way from a client to one of its things.
const MAX_WORDS: usize = 8;

impl Interpreter<'_> {
    /// A client of a service, or one of its things.
    pub(in crate::python) fn client(&mut self, words: &str) -> Object {
        let mut thing = self.new_thing(CLIENT, Value::literal(words));
        thing.provenance = Provenance::NETWORK;
        thing.content = Object::unknown("a reply", Provenance::NETWORK);
        self.heap.thing(thing)
    }

    /// `client.containers`, `database["users"]`: a noun on the way.
    pub(super) fn client_noun(&mut self, id: Id, noun: &str) -> Object {
        let Some(words) = self.client_words(id) else { return Object::None };
        if words.split(' ').count() >= MAX_WORDS || noun.contains(' ') {
            return Object::Thing(id);
        }
        self.client(&format!("{words} {noun}"))
    }

    fn client_words(&self, id: Id) -> Option<String> {
        let thing = self.heap.thing_at(id).filter(|thing| &*thing.class == CLIENT)?;
        thing.about.known().map(std::borrow::Cow::into_owned)
    }

    pub(super) fn is_client(&self, id: Id) -> bool {
        self.heap.thing_at(id).is_some_and(|thing| &*thing.class == CLIENT)
    }

    pub(super) fn client_method(
        &mut self,
        id: Id,
        thing: &Thing,
        name: &str,
        arguments: &Arguments,
    ) -> Object {
        let Some(words) = self.client_words(id) else { return Object::None };
        let words: Vec<&str> = words.split(' ').collect();
        if name == "__enter__" {
            return Object::Thing(id);
        }
        if self.uploads(thing, name, arguments) {
            return Object::None;
        }
        let reply = Object::unknown(name, Provenance::NETWORK);
        match words.split_first() {
            Some((&"aws", nouns)) => self.aws_method(id, nouns, name, arguments).unwrap_or(reply),
            Some((&"docker", nouns)) => self.docker_method(id, nouns, name, arguments).unwrap_or(reply),
            Some((&"kubectl", _)) => self.cluster_method(name, arguments).unwrap_or(reply),
            Some((&"redis-cli", _)) => self.redis_method(name, arguments).unwrap_or(reply),
            Some((&"mongosh", _)) => self.mongo_method(id, name, arguments).unwrap_or(reply),
            Some((&"ps", nouns)) => self.other_process(id, nouns, name, arguments).unwrap_or(reply),
            Some((&program, nouns)) => self.verb_of_client(id, program, nouns, name).unwrap_or(reply),
            None => reply,
        }
    }

    /// What is handed over leaves this machine.
    fn uploads(&mut self, thing: &Thing, name: &str, arguments: &Arguments) -> bool {
        let names_file = matches!(name, "upload_file" | "upload_from_filename" | "fput_object");
        let sends = names_file
            || matches!(
                name,
                "put_object"
                    | "upload_blob"
                    | "upload_fileobj"
                    | "upload_from_file"
                    | "upload_from_string"
                    | "publish"
            );
        if sends {
            let mut data = self.provenance_of(arguments);
            if names_file {
                let path = self.argument(arguments, if name == "fput_object" { 2 } else { 0 }, "Filename");
                data |= self.read(&path).provenance;
            }
            self.connect(Verb::Send, &thing.about, Flags::UPLOAD, data);
        }
        sends
    }

    fn run_client(&mut self, argv: &[&str]) {
        let argv: Vec<Value> = argv.iter().map(|word| Value::literal(*word)).collect();
        self.run(&argv, &Value::default());
    }

    /// `boto3.client("ec2").terminate_instances(…)`, `boto3.resource("s3").Bucket("b").delete()`.
    fn aws_method(&mut self, id: Id, nouns: &[&str], name: &str, arguments: &Arguments) -> Option<Object> {
        let Some(service) = nouns.first() else {
            let service = self.argument(arguments, 0, "service_name");
            let service = service.known().unwrap_or("service".into());
            return Some(self.client(&format!("aws {}", aws_service(&service))));
        };
        if name.starts_with(|first: char| first.is_ascii_uppercase()) {
            return Some(self.client_noun(id, &name.to_ascii_lowercase()));
        }
        if (*service, name) == ("ssm", "send_command") {
            self.sent_commands(arguments);
        }
        // Taking on a role is how a program gets its rights, and shows them to nobody.
        if name.starts_with("assume_role") || name == "get_session_token" {
            return None;
        }
        if is_a_step(name) {
            return Some(Object::Thing(id));
        }
        let operation = match (name, nouns.last()) {
            ("delete" | "terminate" | "stop" | "reboot", Some(noun)) => format!("{name}-{noun}"),
            _ => name.replace('_', "-"),
        };
        let decrypts =
            arguments.named("WithDecryption").is_some_and(|given| self.truth(given) != Some(false));
        let mut argv = vec!["aws", service, operation.as_str()];
        argv.extend(decrypts.then_some("--with-decryption"));
        self.run_client(&argv);
        let secret = if operation.starts_with("get-secret") { Provenance::SECRET } else { Provenance::NONE };
        Some(Object::unknown(name, Provenance::NETWORK | secret))
    }

    /// `Parameters={"commands": […]}`: a shell on the instances runs them.
    fn sent_commands(&mut self, arguments: &Arguments) {
        let Some(parameters) = arguments.named("Parameters").cloned() else { return };
        let commands = self.item(&parameters, &Object::text("commands"));
        for command in self.elements(&commands).unwrap_or_default() {
            let command = self.text_of(&command);
            self.remotely("the instances", |this| drop(this.code(Lang::Shell, &command)));
        }
    }

    /// `docker.from_env().containers.run("image", "command", privileged=True)`.
    fn docker_method(&mut self, id: Id, nouns: &[&str], name: &str, arguments: &Arguments) -> Option<Object> {
        let noun = match nouns.first().copied() {
            Some("containers") => "container",
            Some("volumes") => "volume",
            Some("images") => "image",
            Some("networks") => "network",
            Some(_) | None => return None,
        };
        let one = nouns.get(1).copied().unwrap_or("it");
        match name {
            "run" | "create" if noun == "container" => self.run_container(arguments),
            "exec_run" => {
                let command = self.argument(arguments, 0, "cmd");
                let mut argv = ["docker", "exec", one].map(Value::literal).to_vec();
                argv.extend(split_words(&command));
                self.run(&argv, &Value::default());
            }
            "list" => return Some(Object::Thing(id)),
            "get" => {
                let named = arguments.plain.first().and_then(Object::known_text);
                return Some(self.client_noun(id, named.as_deref().unwrap_or("it")));
            }
            "prune" => self.run_client(&["docker", noun, "prune", "--force"]),
            "remove" => {
                let forced = arguments.named("force").is_some_and(|given| self.truth(given) != Some(false));
                let force: &[&str] = if forced { &["--force"] } else { &[] };
                self.run_client(&[&["docker", noun, "rm"], force, &[one]].concat());
            }
            "kill" | "stop" | "restart" => self.run_client(&["docker", noun, name, one]),
            _ => return None,
        }
        None
    }

    fn run_container(&mut self, arguments: &Arguments) {
        let mut argv = ["docker", "run"].map(Value::literal).to_vec();
        if arguments.named("privileged").is_some_and(|given| self.truth(given) != Some(false)) {
            argv.push(Value::literal("--privileged"));
        }
        for (name, option) in [("pid_mode", "--pid"), ("network_mode", "--network"), ("ipc_mode", "--ipc")] {
            if let Some(mode) = arguments.named(name).and_then(Object::known_text) {
                argv.push(Value::literal(format!("{option}={mode}")));
            }
        }
        for mount in self.container_volumes(arguments) {
            argv.extend([Value::literal("-v"), mount]);
        }
        argv.push(self.argument(arguments, 0, "image"));
        let commands = match arguments.get(1, "command").cloned() {
            Some(command) => self.argvs(&command),
            None => vec![Vec::new()],
        };
        for command in commands {
            self.run(&[argv.clone(), command].concat(), &Value::default());
        }
    }

    /// `{"/from": {"bind": "/to"}}`, or `["/from:/to"]`.
    fn container_volumes(&mut self, arguments: &Arguments) -> Vec<Value> {
        match arguments.named("volumes").cloned() {
            Some(Object::Dict(volumes)) => {
                let entries = self.heap.entries(volumes).to_vec();
                entries
                    .iter()
                    .map(|(from, how)| {
                        let to = self.item(how, &Object::text("bind"));
                        let mut mount = self.text_of(from);
                        mount.push_str(":");
                        mount.push(&self.text_of(&to));
                        mount
                    })
                    .collect()
            }
            Some(list) => {
                let volumes = self.elements(&list).unwrap_or_default();
                volumes.iter().map(|volume| self.text_of(volume)).collect()
            }
            None => Vec::new(),
        }
    }

    /// `CoreV1Api().delete_namespaced_pod("web", "default")`.
    fn cluster_method(&mut self, name: &str, arguments: &Arguments) -> Option<Object> {
        let rest = name.strip_prefix("delete_")?;
        let all = rest.starts_with("collection_");
        let noun = rest.trim_start_matches("collection_").trim_start_matches("namespaced_").replace('_', "");
        let which = arguments.get(0, "name").and_then(Object::known_text);
        let which = if all { "--all" } else { which.as_deref().unwrap_or("it") };
        self.run_client(&["kubectl", "delete", &noun, which]);
        None
    }

    /// `Redis().flushall()`, `Redis().execute_command("FLUSHALL")`.
    fn redis_method(&mut self, name: &str, arguments: &Arguments) -> Option<Object> {
        let mut argv = vec![Value::literal("redis-cli")];
        match name {
            "flushall" | "flushdb" | "shutdown" => argv.push(Value::literal(name)),
            "config_set" => argv.extend(["config", "set"].map(Value::literal)),
            "execute_command" => {}
            _ => return None,
        }
        for argument in &arguments.plain {
            argv.push(self.text_of(argument));
        }
        self.run(&argv, &Value::default());
        None
    }

    /// `MongoClient().drop_database("prod")`, `client.prod.users.delete_many({})`.
    fn mongo_method(&mut self, id: Id, name: &str, arguments: &Arguments) -> Option<Object> {
        let everything = match arguments.plain.first() {
            Some(Object::Dict(filter)) => self.heap.entries(*filter).is_empty(),
            Some(_) => false,
            None => true,
        };
        let code = match name {
            "drop_database" => "db.dropDatabase()",
            "drop" | "drop_collection" => "db.collection.drop()",
            "delete_many" if everything => "db.collection.deleteMany({})",
            "get_database" | "get_collection" | "get_default_database" => return Some(Object::Thing(id)),
            _ => return None,
        };
        self.run_client(&["mongosh", "--eval", code]);
        None
    }

    /// `psutil.Process(pid).kill()`; a program's own children are its own affair.
    fn other_process(&mut self, id: Id, nouns: &[&str], name: &str, arguments: &Arguments) -> Option<Object> {
        let (target, wide) = match nouns.first().copied() {
            Some("any") => (ProcessTarget::Matching(".".to_owned()), Flags::ALL),
            Some("own") => return (name == "children").then_some(Object::Thing(id)),
            Some(number) => {
                (number.parse().map_or(ProcessTarget::Unknown, ProcessTarget::Number), Flags::NONE)
            }
            None => return None,
        };
        let signal = match name {
            "kill" => Flags::KILL_SIGNAL,
            "send_signal" if arguments.plain.first().and_then(Object::int) == Some(9) => Flags::KILL_SIGNAL,
            "send_signal" | "terminate" | "suspend" => Flags::NONE,
            "children" | "parent" | "parents" => return Some(Object::Thing(id)),
            _ => return None,
        };
        self.effect(Verb::Kill, Target::Process(target), signal | wide, Provenance::NONE);
        None
    }

    /// `storage.Client().bucket("b").delete()`, `groups.begin_delete("g")`: by the verb alone.
    fn verb_of_client(&mut self, id: Id, program: &str, nouns: &[&str], name: &str) -> Option<Object> {
        let verb = name.strip_prefix("begin_").unwrap_or(name);
        if verb == "delete" || verb.starts_with("delete_") || verb == "undeploy" {
            let noun = nouns.last().copied().unwrap_or("resource");
            self.run_client(&[program, noun, "delete", noun]);
            return None;
        }
        (is_a_step(name) || name.starts_with("get_") || matches!(name, "bucket" | "blob" | "collection"))
            .then_some(Object::Thing(id))
    }

    /// `local["rm"]`, `rm["-rf", "build"]`: a command that more words are bound to.
    pub(super) fn bound_command(&mut self, name: &Rc<str>, index: &Object) -> Option<Object> {
        if &**name == "plumbum.local" {
            let program = index.known_text()?;
            return Some(Object::library(&format!("plumbum.cmd.{program}")));
        }
        name.starts_with("plumbum.cmd.").then(|| {
            let words = self.elements(index).filter(|_| !matches!(index, Object::Text(_)));
            let words = words.unwrap_or_else(|| vec![index.clone()]);
            self.heap.partial(Object::Library(Rc::clone(name)), Arguments::of(words))
        })
    }
}

/// The name that `aws` has for a service.
fn aws_service(service: &str) -> &str {
    if service == "s3" { "s3api" } else { service }
}

/// Words that lead from a set of things to some of them.
fn is_a_step(name: &str) -> bool {
    matches!(name, "all" | "filter" | "limit" | "pages" | "page_size" | "list" | "list_blobs")
}
