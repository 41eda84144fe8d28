//! Installs from an address or index that is not the usual registry, or a system package from a file, or makes such a source the default.

use herm_shell::{Effect, Flags, Value, Verb};

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::rule::{Layer, Report, Rule};
use crate::rules::subject::things;

pub(crate) static FOREIGN_PACKAGE: Rule = Rule {
    name: "foreign-package",
    title: "package from a foreign source",
    layer: Layer::Command,
    stance: Stance::Ask,
    finds: "Installs from an address or index that is not the usual registry, or a system package from a file, or makes such a source the default.",
    matters: "Installing runs the package's own code, and nobody but its owner has looked at it.",
    instead: "Install the released version from the registry.",
    suggestion: "pip install requests",
    examples: &[
        "pip install --index-url http://pkgs.example/simple x",
        "PIP_INDEX_URL=http://pkgs.example/simple pip install x",
        "npm install https://files.example/x.tgz",
        "cargo install --git https://git.example/x",
        "pip install git+https://git.example/x",
        "pip config set global.index-url http://pkgs.example/simple",
        "npm install --registry=http://npm.example x",
        "npm config set registry http://npm.example",
        "yarn config set npmRegistryServer http://npm.example",
        "npm install x@git+https://git.example/x",
        "go env -w GOPROXY=http://proxy.example",
        "sudo dpkg -i tool_1.0_all.deb",
    ],
    near_misses: &[
        "pip install requests",
        "npm install",
        "pip install torch --index-url https://download.pytorch.org/whl/cpu",
        "npm install -g typescript",
        "npm config set registry https://registry.npmjs.org/",
        "npm install @scope/x@latest",
        "npm config set @scope:registry https://npm.example",
        "go env -w GOPROXY=https://proxy.golang.org,direct",
        "pip install -e .",
        "sudo apt-get install -y jq",
        "dpkg --info tool_1.0_all.deb",
    ],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for (effect, name) in things(facts, Verb::Install, "package") {
        if let Some(source) = foreign_source(facts, effect, name) {
            report.effect(effect, format!("installs from `{source}`, which is not the usual registry"));
        }
    }
    let sources = things(facts, Verb::Configure, "package")
        .filter(|(effect, _)| effect.flags.has(Flags::FOREIGN_SOURCE));
    for (effect, name) in sources.filter(|(_, name)| !is_usual(name)) {
        report.effect(effect, format!("lets packages come from `{name}` from now on"));
    }
}

/// The address that a package is named by, or the index that the command names.
fn foreign_source(facts: &Facts, effect: &Effect, name: &str) -> Option<String> {
    if effect.flags.has(Flags::FOREIGN_SOURCE) || is_address(name) && !is_usual(name) {
        return Some(name.to_owned());
    }
    let invocation = facts.shell.invocations.get(effect.invocation)?;
    let given = index(&invocation.arguments).or_else(|| index_variable(&invocation.environment));
    given.filter(|address| !is_usual(address))
}

/// Variables whose value is where packages come from.
const INDEX_VARIABLES: &[&str] = &[
    "NPM_CONFIG_REGISTRY",
    "PIP_EXTRA_INDEX_URL",
    "PIP_INDEX_URL",
    "UV_DEFAULT_INDEX",
    "UV_EXTRA_INDEX_URL",
    "UV_INDEX",
    "UV_INDEX_URL",
    "npm_config_registry",
];

fn index_variable(environment: &[(String, Value)]) -> Option<String> {
    let given = environment.iter().filter(|(name, _)| INDEX_VARIABLES.contains(&name.as_str()));
    given.map(|(_, value)| value.shown()).find(|address| address.contains("://"))
}

/// Options whose value is where packages come from.
const INDEXES: &[&str] = &[
    "-i",
    "--index-url",
    "--extra-index-url",
    "--registry",
    "--index",
    "--default-index",
    "--git",
    "--repository",
    "--source",
];

fn index(arguments: &[Value]) -> Option<String> {
    let mut words = arguments.iter().map(Value::shown).peekable();
    while let Some(word) = words.next() {
        let (option, glued) =
            word.split_once('=').map_or((word.as_str(), None), |(option, value)| (option, Some(value)));
        let address = glued.map(str::to_owned).or_else(|| words.peek().cloned());
        if INDEXES.contains(&option) && address.as_deref().is_some_and(|address| address.contains("://")) {
            return address;
        }
    }
    None
}

/// Whether a package is named by where it lies instead of by its name.
fn is_address(package: &str) -> bool {
    let place = package.split(" @ ").last().unwrap_or(package).trim_start();
    // `name@git+https://…`.
    let behind = place.split_once('@').map_or("", |(_, behind)| behind);
    [
        "http://",
        "https://",
        "ftp://",
        "git://",
        "git+",
        "hg+",
        "svn+",
        "ssh://",
        "git@",
        "github:",
        "gitlab:",
        "bitbucket:",
    ]
    .iter()
    .any(|scheme| place.starts_with(scheme) || behind.starts_with(scheme))
}

/// Registries that everybody uses.
const USUAL: &[&str] = &[
    "api.nuget.org",
    "archive.ubuntu.com",
    "conda.anaconda.org",
    "crates.io",
    "deb.debian.org",
    "dl-cdn.alpinelinux.org",
    "download.pytorch.org",
    "files.pythonhosted.org",
    "index.crates.io",
    "localhost",
    "127.0.0.1",
    "npm.jsr.io",
    "npm.pkg.github.com",
    "packagist.org",
    "proxy.golang.org",
    "pypi.nvidia.com",
    "pypi.org",
    "pypi.python.org",
    "registry.npmjs.org",
    "registry.yarnpkg.com",
    "repo.anaconda.com",
    "repo.maven.apache.org",
    "repo1.maven.org",
    "rubygems.org",
    "test.pypi.org",
];

fn is_usual(address: &str) -> bool {
    let host = address.split_once("://").map_or(address, |(_, rest)| rest);
    let host = host.split(['/', ':', '?']).next().unwrap_or_default();
    USUAL.iter().any(|usual| host.eq_ignore_ascii_case(usual))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_not_names() {
        for address in [
            "https://x.example/p.tgz",
            "p@git+https://x.example/p",
            "git+https://x.example/p",
            "p @ git+ssh://x",
            "github:a/b",
        ] {
            assert!(is_address(address), "{address}");
        }
        for name in ["requests", "@scope/name@1.2", "react@latest", ".", "./dist/x.whl", "torch==2.0"] {
            assert!(!is_address(name), "{name}");
        }
    }

    #[test]
    fn usual_registries_by_whole_host() {
        assert!(is_usual("https://pypi.org/simple") && is_usual("https://download.pytorch.org/whl/cpu"));
        assert!(!is_usual("https://pypi.org.evil.example/simple") && !is_usual("http://10.0.0.1/simple"));
    }

    #[test]
    fn an_index_stands_after_its_option_or_is_glued_on() {
        let index = |text: &str| index(&text.split(' ').map(Value::literal).collect::<Vec<_>>());
        assert_eq!(index("install -i http://a x").as_deref(), Some("http://a"));
        assert_eq!(index("install --registry=http://a x").as_deref(), Some("http://a"));
        assert_eq!(index("install --source foo x"), None);
    }
}
