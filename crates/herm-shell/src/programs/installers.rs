//! Package managers of systems, and pip.

use super::arguments::Parsed;
use super::kinds::hook;
use super::operands::named;
use super::schema::{
    Aim, Deed, Do, Operands, Opt, Program, Role, Source, Syntax, deed, flag, program, quiet, value,
};
use crate::effect::{Flags, Verb};
use crate::lang::Lang;
use crate::sink::Sink;
use crate::value::Value;

const HELP: Opt = flag("--help --version", Do::Stop);
const INSTALL: Deed = deed(Verb::Install, Aim::Each("package"), Flags::NONE);
const INSTALL_GLOBAL: Deed = deed(Verb::Install, Aim::Each("package"), Flags::GLOBAL);
const UNINSTALL: Deed = deed(Verb::Uninstall, Aim::Each("package"), Flags::GLOBAL);
const SOURCE: Deed = deed(Verb::Configure, Aim::Each("package"), Flags::FOREIGN_SOURCE);

const APT: &[Opt] = &[
    flag(
        "--help --version -v -h -s --simulate --just-print --dry-run --recon --no-act --print-uris",
        Do::Stop,
    ),
    value("-o --option", Role::Inert),
    value("-t --target-release --default-release -a --host-architecture -q", Role::Inert),
    value("-c --config-file", Role::Read),
    flag("--allow-unauthenticated --force-yes --allow-insecure-repositories", Do::Set(Flags::FORCE)),
    quiet(
        "-y --yes --assume-yes -f -m -u -V -d --no-install-recommends --install-recommends --purge --auto-remove",
    ),
];
const DNF: &[Opt] = &[
    flag("--help --version -h --assumeno", Do::Stop),
    value("--setopt", Role::Prefixed(&[("pluginpath=", Role::Library), ("pluginconfpath=", Role::Library)])),
    value(
        "-c --config --installroot --releasever --enablerepo --disablerepo --repo --exclude -x -d -e --rpmverbosity --forcearch --advisory",
        Role::Inert,
    ),
    flag("--nogpgcheck", Do::Set(Flags::FORCE)),
    quiet("-y --assumeyes -q --quiet -v -b --best -C --cacheonly --skip-broken --allowerasing"),
];

pub(super) static PROGRAMS: &[Program] = &[
    program(&["apt", "apt-get", "aptitude", "nala"]).options(APT).refine(apt_settings).subs(&[
        program(&["install", "reinstall", "build-dep", "satisfy"]).does(&[INSTALL_GLOBAL]).refine(package_files),
        program(&["remove", "purge", "autoremove", "autopurge"]).does(&[UNINSTALL]),
        program(&["dist-upgrade", "full-upgrade", "upgrade", "update"]),
    ]),
    program(&["add-apt-repository", "apt-add-repository"]).options(&[HELP, flag("-L --list", Do::Stop)]).does(&[SOURCE]),
    program(&["apt-key"])
        .options(&[HELP])
        .subs(&[program(&["list", "finger", "export", "exportall"])])
        .does(&[SOURCE]),
    program(&["dpkg"])
        .options(&[
            flag("--help --version -l --list -L --listfiles -s --status -S --search -p --print-avail -V --verify --get-selections --no-act --dry-run --simulate -c --contents -I --info", Do::Stop),
            quiet("-i --install --unpack"),
            quiet("-r --remove -P --purge"),
            value("--pre-invoke --post-invoke", Role::Code(Lang::Shell)),
            value("--root --admindir --instdir --path-exclude --log", Role::Inert),
            flag("--force-all --force-depends --force-remove-essential", Do::Set(Flags::FORCE)),
        ])
        .operands(Operands::None)
        .refine(low_level),
    program(&["rpm"])
        .options(&[
            flag("--help --version -q --query -V --verify -K --checksig --test", Do::Stop),
            quiet("-i --install -U --upgrade -F --freshen"),
            quiet("-e --erase"),
            value("--eval -E", Role::Inert),
            value("--root --dbpath --prefix --define -D", Role::Inert),
            value("--pipe", Role::Code(Lang::Shell)),
            quiet("--force --nodeps -v -h --hash"),
        ])
        .operands(Operands::None)
        .refine(|parsed, sink| {
            super::escapes_system::rpm_macros(parsed, sink);
            low_level(parsed, sink);
        }),
    program(&["yum", "dnf", "dnf5", "microdnf", "tdnf", "rpm-ostree"]).options(DNF).refine(dnf_settings).subs(&[
        program(&["install", "reinstall", "localinstall", "groupinstall", "downgrade", "localupdate"]).does(&[INSTALL_GLOBAL]).refine(package_files),
        program(&["remove", "erase", "autoremove", "groupremove", "uninstall"]).does(&[UNINSTALL]),
        program(&["config-manager", "copr enable"]).does(&[SOURCE]),
    ]),
    program(&["zypper"]).options(&[HELP, quiet("-n --non-interactive --no-gpg-checks"), value("-R --root --repo", Role::Inert)]).subs(&[
        program(&["install", "in"]).does(&[INSTALL_GLOBAL]).refine(package_files),
        program(&["remove", "rm"]).does(&[UNINSTALL]),
        program(&["addrepo", "ar"]).does(&[SOURCE]),
    ]),
    program(&["pacman", "yay", "paru", "pamac"])
        .options(&[
            flag("--help --version -h -V -Q --query -p --print -T --deptest -F --files", Do::Stop),
            quiet("-S --sync"),
            quiet("-U --upgrade"),
            quiet("-R --remove"),
            value("--config --root --dbpath --hookdir --cachedir --overwrite --ignore", Role::Inert),
            quiet("-y -u -n -s -c -i -l -g -q -d --noconfirm --needed"),
        ])
        .operands(Operands::None)
        .refine(pacman),
    program(&["apk"]).options(&[HELP, value("-X --repository -p --root --keys-dir --repositories-file", Role::Inert), flag("--allow-untrusted", Do::Set(Flags::FORCE)), quiet("--no-cache -U -u -q -v --update"), flag("-s --simulate", Do::Stop)]).subs(&[
        program(&["add"]).options(&[value("-t --virtual", Role::Inert)]).does(&[INSTALL_GLOBAL]).refine(package_files),
        program(&["del"]).does(&[UNINSTALL]),
    ]),
    program(&["brew"]).options(&[flag("-n --dry-run --help --version", Do::Stop)]).subs(&[
        program(&["install", "reinstall", "upgrade"]).does(&[INSTALL]),
        program(&["uninstall", "remove", "rm", "autoremove"]).does(&[UNINSTALL]),
        program(&["shellenv"]).stdout(Source::Settings),
        program(&["tap"]).refine(tap),
        program(&["services stop", "services kill"]).does(&[deed(Verb::Service, Aim::Each("service"), Flags::STOP)]),
        program(&["services restart"]).does(&[deed(Verb::Service, Aim::Each("service"), Flags::RESTART)]),
        program(&["services start"]).does(&[deed(Verb::Service, Aim::Each("service"), Flags::START)]),
    ]),
    program(&["snap"]).subs(&[
        program(&["run"]).options(&[flag("--shell", Do::Emit(super::kinds::SHELL_WITHIN))]).operands(Operands::None),
        program(&["install", "refresh"]).options(&[flag("--dangerous", Do::Set(Flags::FOREIGN_SOURCE)), value("--channel --revision", Role::Inert), quiet("--classic --devmode")]).does(&[INSTALL_GLOBAL]),
        program(&["remove"]).options(&[quiet("--purge")]).does(&[UNINSTALL]),
        program(&["stop", "disable"]).does(&[deed(Verb::Service, Aim::Each("service"), Flags::STOP)]),
        program(&["restart"]).does(&[deed(Verb::Service, Aim::Each("service"), Flags::RESTART)]),
    ]),
    program(&["flatpak"]).options(&[HELP, quiet("-y --assumeyes --user --system")]).subs(&[
        program(&["install"]).does(&[INSTALL_GLOBAL]),
        program(&["uninstall", "remove"]).does(&[UNINSTALL]),
        program(&["remote-add"]).options(&[quiet("--if-not-exists")]),
        program(&["run"])
            .syntax(Syntax::FirstOperandEnds)
            .options(&[value("--command --branch --arch --cwd --env", Role::Inert)])
            .refine(flatpak_run),
    ]),
    program(&["nix-env"]).options(&[
        flag("--help --version -q --query --dry-run", Do::Stop),
        flag("-i --install -iA -u --upgrade", Do::Emit(INSTALL)),
        flag("-e --uninstall", Do::Emit(UNINSTALL)),
        value("-f --file -p --profile -A --attr -I", Role::Inert),
    ]),
    program(&["nix-collect-garbage", "nix-channel", "nix-instantiate", "nix-build", "nixos-option"]),
    program(&["nixos-rebuild", "home-manager", "darwin-rebuild"]),
    program(&["port"]).subs(&[program(&["install", "upgrade"]).does(&[INSTALL_GLOBAL]), program(&["uninstall"]).does(&[UNINSTALL])]),
    program(&["emerge"]).options(&[
        flag("--help --version -p --pretend -s --search", Do::Stop),
        flag("-C --unmerge -c --depclean -P --prune", Do::Emit(UNINSTALL)),
        quiet("-a -v -u -D -N -1 --sync"),
    ]),
    program(&["pkg", "pkg_add", "pkg_delete", "xbps-install", "xbps-remove", "opkg", "eopkg", "swupd", "choco", "scoop", "winget"])
        .options(&[HELP, quiet("-y -f")])
        .operands(Operands::None)
        .refine(verb_or_name),
    program(&["pip", "pip2", "pip3", "pip3.*"])
        .options(&[
            HELP,
            value(
                "-i --index-url --extra-index-url -r --requirement -c --constraint -e --editable -t --target --prefix --root --src \
                 -f --find-links --platform --python-version --implementation --abi --only-binary --no-binary --progress-bar \
                 --timeout --retries --cache-dir --log --python --proxy --trusted-host --cert --group --config-settings -C \
                 --global-option --build-option --report -d --dest",
                Role::Inert,
            ),
            flag("--dry-run", Do::Stop),
            quiet("--user -U --upgrade -q -v -y --yes --no-deps --pre --no-cache-dir --break-system-packages --force-reinstall"),
        ])
        .subs(&[
            program(&["install", "download", "wheel"]).does(&[INSTALL]).refine(setup_script),
            program(&["uninstall"]).does(&[deed(Verb::Uninstall, Aim::Each("package"), Flags::NONE)]),
            program(&["config set"]).refine(setting),
            program(&["config edit"]).options(&[value("--editor", Role::Code(Lang::Shell))]),
        ]),
    program(&["rebar3", "pub", "sdk", "corepack", "pre-commit"]),
];

/// Installing a directory runs its `setup.py`; one that the text wrote is read.
pub(super) fn setup_script(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let directories =
        parsed.operands.iter().map(|operand| &operand.value).chain(parsed.values("-e --editable"));
    let scripts: Vec<Value> = directories
        .filter(|directory| directory.known_prefix().starts_with(['/', '.']))
        .map(|directory| super::requests::inside(Some(directory), &Value::literal("setup.py")))
        .collect();
    for script in scripts {
        let text = sink.read(&script);
        if text.known().is_some() {
            sink.code(Lang::Python, &text);
        }
    }
}

/// A setting that decides where all later packages come from.
fn setting(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let (key, value) = (parsed.word(0).unwrap_or_default(), parsed.word(1).unwrap_or_default());
    if ["index-url", "extra-index-url", "trusted-host", "proxy"].iter().any(|name| key.ends_with(name)) {
        named(Verb::Configure, "package", &value, parsed.flags | Flags::FOREIGN_SOURCE, sink);
    }
}

fn low_level(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let removes =
        parsed.has("-r --remove -P --purge") && parsed.program == "dpkg" || parsed.has("-e --erase");
    let installs = parsed.has("-i --install --unpack -U --upgrade -F --freshen");
    for package in parsed.operands.iter().filter(|_| removes || installs) {
        let name = package.value.shown();
        let verb = if removes { Verb::Uninstall } else { Verb::Install };
        named(verb, "package", &name, parsed.flags | Flags::GLOBAL, sink);
    }
    if installs {
        package_files(parsed, sink);
    }
}

/// A package that is a file of this machine comes from no registry, and its scripts run as root.
fn package_files(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    const ENDINGS: &[&str] =
        &[".apk", ".deb", ".eopkg", ".ipk", ".pkg", ".pkg.tar.zst", ".rpm", ".txz", ".xbps"];
    for package in parsed.words().filter(|name| ENDINGS.iter().any(|ending| name.ends_with(ending))) {
        let flags = parsed.flags | Flags::GLOBAL | Flags::FOREIGN_SOURCE;
        named(Verb::Install, "package", &package, flags, sink);
    }
}

fn pacman(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let verb = if parsed.has("-R --remove") { Verb::Uninstall } else { Verb::Install };
    for package in parsed.words() {
        named(verb, "package", &package, parsed.flags | Flags::GLOBAL, sink);
    }
    if parsed.has("-U --upgrade") {
        package_files(parsed, sink);
    }
}

/// `brew tap owner/name URL` adds a source that nobody but its owner looks after.
fn tap(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if let Some(address) = parsed.word(1) {
        named(Verb::Configure, "package", &address, Flags::FOREIGN_SOURCE, sink);
    }
}

fn verb_or_name(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let first = parsed.word(0).unwrap_or_default();
    let removes = matches!(first.as_str(), "remove" | "delete" | "uninstall" | "bundle-remove")
        || matches!(parsed.program, "pkg_delete" | "xbps-remove");
    let installs = matches!(first.as_str(), "install" | "add" | "bundle-add")
        || matches!(parsed.program, "pkg_add" | "xbps-install");
    if removes || installs {
        let verb = if removes { Verb::Uninstall } else { Verb::Install };
        named(
            verb,
            "package",
            &parsed.words().last().unwrap_or_default(),
            parsed.flags | Flags::GLOBAL,
            sink,
        );
    }
    if installs {
        package_files(parsed, sink);
    }
}

/// Settings that name a command to run before or after: `DPkg::Pre-Invoke::=CODE`, or `Pre-Invoke {"CODE";}` in a file.
fn apt_settings(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if parsed.stopped {
        return;
    }
    for setting in parsed.values("-o --option").filter_map(Value::known) {
        if let Some((_, code)) = setting.split_once('=').filter(|(name, _)| invokes(name)) {
            hook(&Value::literal(code), Flags::NONE, sink);
        }
    }
    let files: Vec<Value> = parsed.values("-c --config-file").cloned().collect();
    for text in files.iter().map(|file| sink.read(file)).collect::<Vec<_>>().iter().filter_map(Value::known) {
        let Some((_, rest)) = text.split_once("-Invoke") else { continue };
        for code in rest.split('"').skip(1).step_by(2) {
            hook(&Value::literal(code), Flags::NONE, sink);
        }
    }
}

fn invokes(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name.contains("-invoke") || name.contains("pre-install-pkgs") || name.contains("proxy-auto-detect")
}

/// `pluginpath=DIRECTORY` in a settings file: what is there is loaded.
fn dnf_settings(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    for file in parsed.values("-c --config") {
        let text = sink.read(file);
        let Some(text) = text.known() else { continue };
        for (name, path) in text.lines().filter_map(|line| line.split_once('=')) {
            if matches!(name.trim(), "pluginpath" | "pluginconfpath") {
                super::kinds::load_path(&Value::literal(path.trim()), sink);
            }
        }
    }
}

/// `flatpak run --command=CMD APP ARGUMENTS…` starts another program than the one that the application is for.
fn flatpak_run(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if let Some(program) = parsed.value("--command").cloned() {
        let command: Vec<Value> =
            std::iter::once(program).chain(super::kinds::operands_from(parsed, 1)).collect();
        super::kinds::run(&command, sink);
    }
}
