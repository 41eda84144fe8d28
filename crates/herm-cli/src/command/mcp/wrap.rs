//! `herm mcp wrap`

use std::io::{self, Write};
use std::net::SocketAddr;
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::ArgMatches;
use herm::policy::mcp::is_server_name;
use herm_runtime::asked::Asked;
use herm_runtime::companion::{Speaker, lines};
use herm_runtime::mcp::wrap::{Face, Failure, Given, Server, Whom, Wrap, listen, wrap};
use herm_runtime::people::{Heard, People};
use herm_runtime::perform::Cancel;
use herm_runtime::setup::{Problem, Trust};
use herm_runtime::{Reply, Setup, Wishes, ancestry};

use crate::arguments;
use crate::command::{complain, fail};
use crate::exit::Exit;
use crate::people::AtHand;
use crate::render::escape::escape;
use crate::render::run::words;

/// Stands between an agent and a server.
pub(super) fn run(matches: &ArgMatches) -> Exit {
    let guarded = ancestry::is_guarded();
    let loosening = ["config", "home", "herm-home", "preset"];
    if let Some(name) = loosening.into_iter().find(|name| guarded && matches.contains_id(name)) {
        let why =
            format!("`--{name}` is for people: a command that herm runs cannot choose what holds for it");
        complain("herm", &why);
        return Exit::Deny;
    }
    let wanted = match wanted(matches) {
        Ok(wanted) => wanted,
        Err(why) => return fail(&why),
    };
    let wishes = Wishes {
        guard: matches.get_one::<String>("herm-home").map(PathBuf::from),
        trust: Trust::Machine,
        ..arguments::wishes(matches)
    };
    let face: Arc<dyn Face> = Arc::new(AtServer { wishes, guarded });
    let talked = match matches.get_one::<SocketAddr>("listen") {
        Some(address) => listen(&wanted, &face, *address, say_where),
        None => talk(&wanted, &face),
    };
    match talked {
        Ok(()) => Exit::Allow,
        Err(failure) => {
            let told = failure.to_string();
            for line in told.lines() {
                let (who, what) =
                    line.split_once(": ").filter(|(who, _)| *who == "hint").unwrap_or(("herm", line));
                complain(who, what.strip_prefix("herm: ").unwrap_or(what));
            }
            if let Failure::Setup(problem) = &failure
                && let Some(hint) = problem.hint()
            {
                complain("hint", &hint);
            }
            Exit::Deny
        }
    }
}

/// Talks with the agent on standard input and output.
fn talk(wanted: &Wrap, face: &Arc<dyn Face>) -> Result<(), Failure> {
    let speaker = Speaker::new(io::stdout().as_fd().try_clone_to_owned()?)?;
    wrap(wanted, face, lines(io::stdin())?, &speaker)
}

/// Says where to connect to, and where the token is that is needed for it.
fn say_where(address: SocketAddr, token: &Path) {
    complain(
        "herm",
        &format!("listening on http://{address}/mcp for whoever knows the token in {}", token.display()),
    );
}

fn wanted(matches: &ArgMatches) -> Result<Wrap, String> {
    let words: Vec<String> = matches.get_many("server").into_iter().flatten().cloned().collect();
    let url = matches.get_one::<String>("url");
    let name = match matches.get_one::<String>("name") {
        Some(name) if is_server_name(name) => name.clone(),
        Some(name) => {
            return Err(format!("`{name}` is no name of a server: use letters, digits, `-`, `_` and `.`"));
        }
        None => url.map_or_else(|| name_of(&words), |url| name_of_host(url)),
    };
    let env = matches.get_many::<String>("env").into_iter().flatten().map(|text| given(text)).collect();
    let whom = match matches.get_one::<String>("ask").map(String::as_str) {
        Some("client") => Whom::Client,
        Some(_) | None => Whom::Herm,
    };
    let server = match url {
        Some(url) => Server::Remote { url: url.clone(), fields: fields(matches)? },
        None => Server::Program { words, env, confined: matches.get_flag("sandbox") },
    };
    Ok(Wrap { name, server, whom })
}

fn fields(matches: &ArgMatches) -> Result<Vec<(String, String)>, String> {
    let field = |text: &String| {
        let (name, value) = text.split_once('=').ok_or_else(|| format!("`{text}` has no `=`"))?;
        Ok((name.trim().to_owned(), value.trim().to_owned()))
    };
    matches.get_many::<String>("header").into_iter().flatten().map(field).collect()
}

/// What a server elsewhere is called after its host.
fn name_of_host(url: &str) -> String {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let host = rest.split(['/', '?', '#', ':']).next().unwrap_or_default();
    if is_server_name(host) { host.to_owned() } else { "server".to_owned() }
}

fn given(text: &str) -> Given {
    match text.split_once('=') {
        Some((name, value)) => Given { name: name.to_owned(), value: Some(value.to_owned()) },
        None => Given { name: text.to_owned(), value: None },
    }
}

/// What a server is called after its command: after the package where something else runs it.
fn name_of(words: &[String]) -> String {
    let base = |word: &String| {
        let last = word.rsplit('/').find(|part| !part.is_empty()).unwrap_or_default();
        last.split('@').next().unwrap_or_default().to_owned()
    };
    let runs_others = |name: &str| RUNNERS.contains(&name);
    let mut names = words.iter().filter(|word| !word.starts_with('-')).map(base);
    let name = names.find(|name| !runs_others(name) && is_server_name(name));
    name.unwrap_or_else(|| "server".to_owned())
}

/// Programs that run others.
const RUNNERS: &[&str] = &[
    "bunx", "deno", "dlx", "docker", "env", "exec", "node", "npx", "pnpm", "python", "python3", "run", "uv",
    "uvx", "yarn",
];

/// How herm shows itself to whoever started it.
#[derive(Debug)]
struct AtServer {
    wishes: Wishes,
    guarded: bool,
}

impl Face for AtServer {
    /// What holds here, whatever the environment says.
    fn setup(&self) -> Result<Setup, Problem> {
        let mut setup = Setup::new(self.wishes.clone())?;
        if self.guarded {
            setup.ask_in_any_case();
        }
        Ok(setup)
    }

    fn ask(&self, setup: &Setup, cancel: &Cancel, asked: &Asked, seconds: u32) -> Heard {
        AtHand::new(setup, cancel).ask(asked, seconds)
    }

    fn refusal(&self, reply: &Reply) -> String {
        let lines = words(reply).into_iter().map(|(who, what)| format!("{who}: {}", escape(&what)));
        lines.collect::<Vec<_>>().join("\n")
    }

    fn tell(&self, line: &str) {
        // Nothing is left to be done when standard error is closed.
        let _ = writeln!(io::stderr(), "{}", escape(line));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_is_called_after_its_command() {
        for (command, name) in [
            ("npx -y @modelcontextprotocol/server-filesystem /srv", "server-filesystem"),
            ("npx -y mcp-remote@1.2.3 https://example.com", "mcp-remote"),
            ("/usr/local/bin/github-mcp-server stdio", "github-mcp-server"),
            ("uvx mcp-server-git", "mcp-server-git"),
            ("node dist/index.js", "index.js"),
            ("node", "server"),
        ] {
            let words: Vec<_> = command.split(' ').map(str::to_owned).collect();
            assert_eq!(name_of(&words), name, "{command}");
        }
        assert_eq!(name_of_host("https://mcp.linear.app:443/mcp"), "mcp.linear.app");
    }
}
