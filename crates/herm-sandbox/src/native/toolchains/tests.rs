//! Which directories are shown, and which are not.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use super::*;
use crate::Scratch;

#[test]
fn what_a_run_could_have_left_behind_is_not_followed() {
    let scratch = Scratch::new(&std::env::temp_dir()).unwrap();
    let home = fs::canonicalize(scratch.path()).unwrap();
    for directory in ["kit/bin", "secret", "work/tools", "scripts"] {
        fs::create_dir_all(home.join(directory)).unwrap();
    }
    fs::write(home.join("secret/key"), "").unwrap();
    fs::write(home.join("kit/bin/cc"), "").unwrap();
    // A link among programs of the workspace, one that leads through it, and one in place of a directory.
    symlink(home.join("secret/key"), home.join("work/tools/key")).unwrap();
    symlink(home.join("work/tools/key"), home.join("scripts/key")).unwrap();
    symlink(home.join("secret"), home.join("work/bin")).unwrap();
    symlink(home.join("kit/bin/cc"), home.join("scripts/cc")).unwrap();
    let path =
        std::env::join_paths(["work/tools", "work/bin", "scripts"].map(|name| home.join(name))).unwrap();
    let environment = [("PATH".into(), path), ("CARGO_HOME".into(), home.join("work/bin").into())];
    let believed = find(&environment, &home, &[home.join("work")]);
    assert_eq!(believed, [home.join("kit/bin"), home.join("scripts")]);
    let credulous = find(&environment, &home, &[]);
    assert!(credulous.contains(&home.join("secret")), "the test can see it: {credulous:?}");
}

/// What is found with a variable of a home in which there are these files.
fn found(files: &[&str], name: &str, value: &str) -> Vec<String> {
    let scratch = Scratch::new(&std::env::temp_dir()).unwrap();
    let home = fs::canonicalize(scratch.path()).unwrap();
    for file in files.iter().map(|file| home.join(file)) {
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, "").unwrap();
    }
    let roots = find(&[(name.into(), home.join(value).into())], &home, &[]);
    roots.iter().map(|root| root.strip_prefix(&home).unwrap().to_str().unwrap().to_owned()).collect()
}

#[test]
fn beside_programs_only_what_is_theirs_is_seen() {
    let path = |files: &[&str], value| found(files, "PATH", value);
    assert_eq!(path(&["work/bin/x", "work/other/notes.txt"], "work/bin"), ["work/bin"]);
    assert_eq!(path(&["work/bin/x", "work/lib/y", "work/other/z"], "work/bin"), ["work/bin", "work/lib"]);
    assert_eq!(path(&["node/bin/node", "node/lib/x", "node/LICENSE"], "node/bin"), ["node"]);
    assert_eq!(path(&[".local/bin/x", ".local/share/keyrings/k"], ".local/bin"), [".local/bin"]);
    assert_eq!(path(&[".config/bin/x", ".config/gh/hosts.yml"], ".config/bin"), [".config/bin"]);
    assert_eq!(path(&["kit/bin/x", "kit/lib/y", "kit/.env"], "kit/bin"), ["kit/bin", "kit/lib"]);
    assert!(path(&[".ssh/id_rsa"], ".ssh").is_empty());
    assert!(path(&["work/app/.git/HEAD", "work/x"], "work").is_empty());
    assert_eq!(path(&["scripts/x", "scripts/y"], "scripts"), ["scripts"]);
    assert_eq!(path(&["sdk/host/fxr/x", "sdk/dotnet", "sdk/sdk/x"], "sdk"), ["sdk"]);
    assert_eq!(path(&["zig/lib/std.zig", "zig/notes.txt", "zig/more/x"], "zig"), ["zig/lib"]);
}

#[test]
fn variables_show_tools_and_not_what_is_worked_on() {
    let files = ["go/bin/x", "go/pkg/mod/y", "go/src/private/x.go", "work/bin/x", "work/app/main.go"];
    assert_eq!(found(&files, "GOPATH", "work"), ["go/bin", "go/pkg", "work/bin"]);
    assert_eq!(found(&["jdk/bin/java", "jdk/lib/modules"], "JAVA_HOME", "jdk"), ["jdk"]);
    let project = ["app/bin/python", "app/lib/x", "app/pyvenv.cfg", "app/.git/HEAD", "app/main.py"];
    assert_eq!(found(&project, "VIRTUAL_ENV", "app"), ["app/bin", "app/lib", "app/pyvenv.cfg"]);
    for (name, value) in [("CARGO_HOME", ".config"), ("JAVA_HOME", ""), ("NVM_DIR", ".ssh")] {
        assert!(found(&[".config/x", ".ssh/id_rsa"], name, value).is_empty(), "{name}");
    }
}

#[test]
fn a_link_to_a_script_shows_the_script_and_not_its_project() {
    let scratch = Scratch::new(&std::env::temp_dir()).unwrap();
    let home = fs::canonicalize(scratch.path()).unwrap();
    for file in ["bin/own", "work/app/run.sh", "work/app/notes.txt", "venv/lib/x", "venv/pyvenv.cfg"] {
        fs::create_dir_all(home.join(file).parent().unwrap()).unwrap();
        fs::write(home.join(file), "").unwrap();
    }
    fs::create_dir(home.join("venv/bin")).unwrap();
    symlink("/bin/sh", home.join("venv/bin/python")).unwrap();
    symlink(home.join("work/app/run.sh"), home.join("bin/run")).unwrap();
    fs::write(home.join("bin/own"), format!("#!{}/venv/bin/python\n", home.display())).unwrap();
    symlink("bin", home.join("also")).unwrap();
    // In the middle of other things, programs are shown one by one.
    fs::set_permissions(home.join("work/app/run.sh"), fs::Permissions::from_mode(0o755)).unwrap();
    fs::create_dir(home.join("work/app/data")).unwrap();
    let beside = find(&[("PATH".into(), home.join("work/app").into())], &home, &[]);
    assert_eq!(beside, [home.join("work/app/run.sh")]);
    let found = find(&[("PATH".into(), home.join("also").into())], &home, &[]);
    assert_eq!(found, ["also", "bin", "venv", "work/app/run.sh"].map(|name| home.join(name)));
}
