//! What `herm run --backend sandbox` shows of the machine, with real processes.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use rustix::process::geteuid;

use crate::place::{Place, Ran};

/// Places of root and of somebody else: what holds must hold for both.
fn places() -> [Place; 2] {
    [Place::new(), Place::unprivileged()]
}

/// Files in the home of a place.
fn keep(place: &Place, files: &[(&str, &str)]) {
    for (name, content) in files {
        let file = place.home().join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, content).unwrap();
    }
    place.give();
}

/// A script in the workspace, which is not read as a command would be.
fn scripted(place: &Place, script: &str) -> Command {
    place.file("look.sh", script);
    place.give();
    place.herm(&["run", "--yolo", "--backend", "sandbox", "sh look.sh"])
}

fn allow(file: &Path, mode: u32) {
    fs::set_permissions(file, fs::Permissions::from_mode(mode)).unwrap();
}

/// A path that leads to a directory of the home first.
fn path_with(place: &Place, directory: &str) -> String {
    let usual = std::env::var("PATH").unwrap_or_default();
    format!("{}:{usual}", place.home().join(directory).display())
}

#[test]
fn what_is_written_in_a_workspace_below_a_toolchain_stays() {
    for place in places() {
        keep(&place, &[("work/bin/tool", ""), ("work/lib/tool", ""), (".cargo/env", "")]);
        for below in [".cargo/x", ".local/lib/x", "go/pkg/x", "go/src/ex/app", "work/app", "work/lib/x"] {
            let workspace = place.home().join(below);
            fs::create_dir_all(&workspace).unwrap();
            place.give();
            let mut herm = place.herm(&[
                "run",
                "--backend",
                "sandbox",
                "echo data > made; cat made; echo x > ../beside",
            ]);
            herm.env("PATH", path_with(&place, "work/bin")).env("GOPATH", place.home().join("work"));
            let ran = Ran::of(herm.current_dir(&workspace));
            assert_eq!(ran.stdout, "data\n", "{below}: {ran:?}");
            let made = fs::read_to_string(workspace.join("made"));
            assert_eq!(made.ok().as_deref(), Some("data\n"), "{below}: {ran:?}");
            assert!(!workspace.join("../beside").exists(), "{below}: {ran:?}");
        }
    }
}

#[test]
fn what_is_written_where_the_settings_allow_it_stays_though_tools_keep_things_there() {
    for place in places() {
        place.config("sandbox: {writable: [~/.cache/bazel, ~/.cargo/registry]}\n");
        keep(&place, &[(".cache/bazel/old", "old"), (".cargo/registry/old", "old"), (".cargo/env", "env")]);
        let script = "for at in .cache/bazel .cargo/registry; do cat ~/$at/old; echo new > ~/$at/made; done; \
                      cat ~/.cargo/env";
        let ran = place.run(&["run", "--backend", "sandbox", script]);
        assert_eq!(ran.stdout, "oldoldenv", "{ran:?}");
        for at in [".cache/bazel/made", ".cargo/registry/made"] {
            assert_eq!(fs::read_to_string(place.home().join(at)).ok().as_deref(), Some("new\n"), "{ran:?}");
        }
    }
}

#[test]
fn beside_a_directory_of_programs_nothing_is_seen_that_is_not_theirs() {
    for place in places() {
        keep(
            &place,
            &[
                ("work/bin/tool", "#!/bin/sh\necho tool\n"),
                ("work/other/notes.txt", "s3cret"),
                ("work/.env", "s3cret"),
                (".config/bin/other", "#!/bin/sh\necho other\n"),
                (".config/gh/hosts.yml", "s3cret"),
                ("go/src/private/x.go", "s3cret"),
                ("go/pkg/mod/cached", "cached\n"),
            ],
        );
        let look = "sh \"$(command -v tool)\"; sh \"$(command -v other)\"; cat ~/go/pkg/mod/cached; grep -rs s3cret ~";
        let mut herm = scripted(&place, look);
        let path =
            format!("{}:{}", place.home().join(".config/bin").display(), path_with(&place, "work/bin"));
        for file in ["work/bin/tool", ".config/bin/other"] {
            allow(&place.home().join(file), 0o755);
        }
        let ran = Ran::of(herm.env("PATH", path));
        assert_eq!(ran.stdout, "tool\nother\ncached\n", "{ran:?}");
    }
}

#[test]
fn tools_in_the_directory_of_herm_are_not_shown() {
    for place in places() {
        fs::create_dir_all(place.guard().join("kit/bin")).unwrap();
        keep(&place, &[(".herm/kit/bin/tool", "s3cret")]);
        let mut herm = scripted(&place, "grep -rs s3cret ~; echo looked");
        let ran = Ran::of(herm.env("PATH", path_with(&place, ".herm/kit/bin")));
        assert_eq!(ran.stdout, "looked\n", "{ran:?}");
    }
}

#[test]
fn toolchains_come_without_the_credentials_in_them() {
    for place in places() {
        keep(
            &place,
            &[
                (".cabal/config", "-- password:\nusername: ann\npassword: s3cret\n"),
                (".cargo/config.toml", "[registries.mine]\ntoken = \"s3cret\"\n"),
                (".cargo/credentials.toml", "s3cret"),
                (".cargo/me.p12", "s3cret"),
                (".cargo/me.pem", "-----BEGIN PRIVATE KEY-----\ns3cret\n"),
                (".conda/.condarc", "channels: ['https://ann:s3cret@host.example']\n"),
                (".dotnet/corefx/cryptography/x509stores/my/a.pfx", "s3cret"),
                (".gem/credentials", "s3cret"),
                (".ivy2/.credentials", "s3cret"),
                (".local/share/uv/credentials/host", "s3cret"),
                (".npm/.npmrc", "//host.example/:_authToken=s3cret\n"),
                (".nuget/NuGet/NuGet.Config", "<add key=\"ClearTextPassword\" value=\"s3cret\" />\n"),
                (".nvm/versions/node/v1/etc/npmrc", "//host.example/:_authToken=s3cret\n"),
                (".sbt/.credentials", "s3cret"),
                (".sbt/1.0/credentials.sbt", "s3cret"),
                (".sbt/repositories", "plain\n"),
                (".stack/upload/credentials.json", "s3cret"),
                (".m2/settings.xml", "s3cret"),
                (".m2/repository/kept", "plain\n"),
                (".gradle/gradle.properties", "s3cret"),
                (".gradle/caches/kept", "plain\n"),
            ],
        );
        let ran = Ran::of(&mut scripted(
            &place,
            "cat ~/.sbt/repositories ~/.m2/repository/kept ~/.gradle/caches/kept; grep -rs s3cret ~",
        ));
        assert_eq!(ran.stdout, "plain\nplain\nplain\n", "{ran:?}");
    }
}

/// A command behind which files of ours stand in the place of some of the system's, for it alone.
fn with_in_place(place: &Place, files: &[(PathBuf, &str)], command: &Command) -> Command {
    let mut other = place.command("unshare");
    let binds = "while [ \"$1\" != -- ]; do mount --bind \"$1\" \"$2\" && shift 2 || exit 99; done; shift; exec \"$@\"";
    other.args(["--mount", "--propagation", "private", "sh", "-c", binds, "sh"]);
    for (ours, theirs) in files.iter().filter(|(_, theirs)| Path::new(theirs).exists()) {
        other.arg(ours).arg(theirs);
    }
    other.arg("--").arg(command.get_program()).args(command.get_args());
    other
}

#[test]
fn a_workspace_in_the_middle_of_the_system_can_be_changed() {
    if !geteuid().is_root() || !Path::new("/opt").exists() {
        return;
    }
    for place in places() {
        let opt = place.home().with_file_name("opt");
        fs::create_dir_all(opt.join("app/.git")).unwrap();
        fs::write(opt.join("app/.git/config"), "[core]\n").unwrap();
        allow(&opt.join("app/.git/config"), 0o600);
        place.give_also(&opt);
        let run = "cat .git/config; echo data > made; echo x > .git/config; echo x > ../beside";
        let herm = place.herm(&["run", "--yolo", "--backend", "sandbox", run]);
        let mut inner = Command::new("sh");
        inner.args(["-c", "cd /opt/app && exec \"$@\"", "sh"]).arg(herm.get_program()).args(herm.get_args());
        let ran = Ran::of(&mut with_in_place(&place, &[(opt.clone(), "/opt")], &inner));
        let made = fs::read_to_string(opt.join("app/made"));
        assert_eq!(made.ok().as_deref(), Some("data\n"), "{ran:?}");
        assert!(ran.stdout == "[core]\n" && !opt.join("beside").exists(), "{ran:?}");
        assert_eq!(fs::read_to_string(opt.join("app/.git/config")).unwrap(), "[core]\n", "{ran:?}");
    }
}

#[test]
fn secrets_and_names_of_the_machine_are_not_seen() {
    if !geteuid().is_root() {
        return;
    }
    let look = "cat /etc/shadow; cat /etc/ssl/private/* 2> /dev/null; cat /etc/hostname /etc/machine-id; cat /proc/cmdline";
    for place in places() {
        let ours = place.home().with_file_name("etc");
        fs::create_dir_all(ours.join("private")).unwrap();
        for name in ["shadow", "hostname", "machine-id", "private/key"] {
            fs::write(ours.join(name), "s3cret\n").unwrap();
        }
        // Somebody else reads it by a group, and whom root becomes because everybody may.
        allow(&ours.join("shadow"), if place.is_unprivileged() { 0o640 } else { 0o644 });
        std::os::unix::fs::chown(ours.join("shadow"), Some(0), Some(42)).unwrap();
        let herm = scripted(&place, look);
        let mut grouped = Command::new(herm.get_program());
        grouped.args(
            herm.get_args().map(|word| if word == "--clear-groups" { "--groups=42".as_ref() } else { word }),
        );
        let files = [
            (ours.join("shadow"), "/etc/shadow"),
            (ours.join("hostname"), "/etc/hostname"),
            (ours.join("machine-id"), "/etc/machine-id"),
            (ours.join("private"), "/etc/ssl/private"),
        ];
        let ran = Ran::of(&mut with_in_place(&place, &files, &grouped));
        assert!(ran.code.is_some() && !ran.stdout.contains("s3cret"), "{ran:?}");
        assert!(ran.stdout.starts_with("herm\n"), "{ran:?}");
        let lines = ran.stdout.lines().count();
        assert_eq!(lines, if Path::new("/etc/machine-id").exists() { 2 } else { 1 }, "{ran:?}");
        let outside = fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap();
        let inside = place.run(&["run", "--backend", "sandbox", "cat /proc/sys/kernel/random/boot_id"]);
        assert!(inside.code == Some(0) && inside.stdout != outside, "{inside:?}");
    }
}
