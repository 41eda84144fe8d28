//! Real programs, with nothing but their usual settings.

use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

use crate::secure::{Trusted, files};
use crate::space::apart;
use crate::stage::Stage;

/// What a program said.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) error: String,
}

/// Runs a program with the proxy in its environment. `None` where there is no such program, which is said.
#[expect(clippy::disallowed_methods, reason = "tests run real programs")]
pub(crate) fn run(
    stage: &Stage,
    program: &str,
    arguments: &[&str],
    variables: &[(&str, &str)],
) -> Option<Ran> {
    let http = format!("http://{}", stage.address);
    let mut command = Command::new(program);
    for name in ["http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"] {
        command.env(name, &http);
    }
    for name in [
        "no_proxy",
        "NO_PROXY",
        "CURL_CA_BUNDLE",
        "GIT_SSL_CAINFO",
        "PIP_CERT",
        "REQUESTS_CA_BUNDLE",
        "SSL_CERT_DIR",
        "SSL_CERT_FILE",
    ] {
        command.env_remove(name);
    }
    let Ok(done) = command.args(arguments).envs(variables.iter().copied()).output() else {
        println!("skipped: there is no `{program}` here");
        return None;
    };
    Some(Ran {
        code: done.status.code(),
        out: String::from_utf8_lossy(&done.stdout).into_owned(),
        error: String::from_utf8_lossy(&done.stderr).into_owned(),
    })
}

pub(crate) fn curl(stage: &Stage, arguments: &[&str]) -> Option<Ran> {
    run(stage, "curl", &[&["-sS", "--max-time", "20"], arguments].concat(), &[])
}

#[expect(clippy::disallowed_methods, reason = "tests make their own files")]
fn write(path: &Path, content: impl AsRef<[u8]>) -> String {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, content).unwrap();
    path.to_str().unwrap().to_owned()
}

/// A site over HTTPS with the files of a directory, and the file with the authority that it is known by.
fn site(directory: &TempDir) -> String {
    let trusted = Trusted::new();
    trusted.serve("93.184.216.34:443", &["site.example"], files(directory.path().join("site")));
    write(&directory.path().join("authority.pem"), trusted.pem())
}

#[test]
fn curl_goes_through_every_door() {
    apart("clients::curl_goes_through_every_door", || {
        let directory = TempDir::new().unwrap();
        write(&directory.path().join("site/file"), "content");
        let authority = site(&directory);
        let stage = Stage::new("");
        let fetched = |arguments: &[&str]| curl(&stage, &[&["--cacert", &authority], arguments].concat());
        let Some(ran) = fetched(&["https://site.example/file"]) else { return };
        assert_eq!((ran.code, ran.out.as_str()), (Some(0), "content"), "{ran:?}");
        for scheme in ["socks5", "socks5h"] {
            let proxy = format!("{scheme}://{}", stage.address);
            let resolve = if scheme == "socks5" {
                "site.example:443:93.184.216.34"
            } else {
                "unused.example:1:1.2.3.4"
            };
            let ran =
                fetched(&["--resolve", resolve, "--proxy", &proxy, "https://site.example/file"]).unwrap();
            assert_eq!((ran.code, ran.out.as_str()), (Some(0), "content"), "{scheme}: {ran:?}");
        }
        for refused in [
            "https://169.254.169.254/",
            "https://inside.example/",
            "https://127.0.0.1/",
            "https://nowhere.example/",
        ] {
            let ran = fetched(&[refused]).unwrap();
            assert!(ran.error.contains("403"), "{refused}: {ran:?}");
        }
        // A front: the connection is for one host, the handshake for another.
        let fronted =
            fetched(&["--connect-to", "other.example:443:site.example:443", "https://other.example/"])
                .unwrap();
        assert!(fronted.code == Some(35) && fronted.error.contains("denied"), "{fronted:?}");
    });
}

#[test]
fn git_clones_over_https() {
    apart("clients::git_clones_over_https", || {
        let directory = TempDir::new().unwrap();
        let (work, bare) = (directory.path().join("work"), directory.path().join("site/repo.git"));
        let (work, bare) = (work.to_str().unwrap(), bare.to_str().unwrap());
        write(&directory.path().join("work/README"), "hello");
        let stage = Stage::new("");
        let quiet = [
            ("GIT_CONFIG_GLOBAL", "/dev/null"),
            ("GIT_CONFIG_SYSTEM", "/dev/null"),
            ("GIT_TERMINAL_PROMPT", "0"),
        ];
        let git = |arguments: &[&str]| run(&stage, "git", arguments, &quiet);
        if git(&["--version"]).is_none() {
            return;
        }
        let me = ["-c", "user.name=me", "-c", "user.email=me@site.example"];
        for step in [
            &["init", "-q", work][..],
            &["-C", work, "add", "."],
            &[&["-C", work][..], &me, &["commit", "-qm", "one"]].concat(),
            &["clone", "-q", "--bare", work, bare],
            &["-C", bare, "update-server-info"],
        ] {
            let ran = git(step).unwrap();
            assert_eq!(ran.code, Some(0), "{step:?}: {ran:?}");
        }
        let authority = site(&directory);
        let verified = format!("http.sslCAInfo={authority}");
        let clone = |url: &str, name: &str| {
            let target = directory.path().join(name);
            let ran = git(&["-c", &verified, "clone", "-q", url, target.to_str().unwrap()]).unwrap();
            (ran, target.join("README"))
        };
        let (ran, file) = clone("https://site.example/repo.git", "cloned");
        assert!(ran.code == Some(0) && file.exists(), "{ran:?}");
        let (ran, file) = clone("https://inside.example/repo.git", "refused");
        assert!(ran.error.contains("403") && !file.exists(), "{ran:?}");
    });
}

#[test]
fn pip_installs_from_an_index() {
    apart("clients::pip_installs_from_an_index", || {
        let directory = TempDir::new().unwrap();
        let stage = Stage::new("");
        let root = directory.path().join("site");
        let script = "import sys, zipfile\nz = zipfile.ZipFile(sys.argv[1], 'w')\nd = 'herm_test-1.0.dist-info/'\nz.writestr('herm_test.py', 'x = 1\\n')\nz.writestr(d + 'METADATA', 'Metadata-Version: 2.1\\nName: herm-test\\nVersion: 1.0\\n')\nz.writestr(d + 'WHEEL', 'Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n')\nz.writestr(d + 'RECORD', '')\nz.close()\n";
        let wheel = "herm_test-1.0-py3-none-any.whl";
        write(&root.join("simple/herm-test/index.html"), format!("<a href=\"../../{wheel}\">{wheel}</a>"));
        let Some(made) = run(&stage, "python3", &["-c", script, root.join(wheel).to_str().unwrap()], &[])
        else {
            return;
        };
        assert_eq!(made.code, Some(0), "{made:?}");
        let authority = site(&directory);
        let target = directory.path().join("installed");
        let pip = |index: &str| {
            let arguments = [
                "-m",
                "pip",
                "--isolated",
                "--disable-pip-version-check",
                "--retries",
                "0",
                "install",
                "--no-cache-dir",
                "--proxy",
            ];
            let proxy = format!("http://{}", stage.address);
            let more = [
                &proxy,
                "--cert",
                &authority,
                "--index-url",
                index,
                "--target",
                target.to_str().unwrap(),
                "herm-test",
            ];
            run(&stage, "python3", &[&arguments[..], &more].concat(), &[]).unwrap()
        };
        let refused = pip("https://inside.example/simple/");
        assert_ne!(refused.code, Some(0), "{refused:?}");
        let ran = pip("https://site.example/simple/");
        if ran.error.contains("No module named pip") {
            println!("skipped: there is no pip here");
            return;
        }
        assert!(ran.code == Some(0) && target.join("herm_test.py").exists(), "{ran:?}");
    });
}

/// Packs a directory. `None` where there is no `tar`.
fn pack(stage: &Stage, directory: &Path, inside: &str, archive: &Path) -> Option<()> {
    let (from, to) = (directory.to_str().unwrap(), archive.to_str().unwrap());
    let ran = run(stage, "tar", &["-czf", to, "-C", from, inside], &[])?;
    assert_eq!(ran.code, Some(0), "{ran:?}");
    Some(())
}

#[test]
fn npm_installs_from_a_registry() {
    apart("clients::npm_installs_from_a_registry", || {
        let directory = TempDir::new().unwrap();
        let (stage, root) = (Stage::new(""), directory.path().join("site"));
        write(&directory.path().join("package/package.json"), r#"{"name": "herm-test", "version": "1.0.0"}"#);
        let tarball = "https://site.example/herm-test-1.0.0.tgz";
        let version =
            format!(r#"{{"name": "herm-test", "version": "1.0.0", "dist": {{"tarball": "{tarball}"}}}}"#);
        let index = format!(
            r#"{{"name": "herm-test", "dist-tags": {{"latest": "1.0.0"}}, "versions": {{"1.0.0": {version}}}}}"#
        );
        write(&root.join("herm-test/index.json"), index);
        if pack(&stage, directory.path(), "package", &root.join("herm-test-1.0.0.tgz")).is_none() {
            return;
        }
        let authority = site(&directory);
        let (home, prefix) = (directory.path().join("home"), directory.path().join("installed"));
        let (home, place) = (home.to_str().unwrap(), prefix.to_str().unwrap());
        let npm = |registry: &str| {
            let fixed = [
                "install",
                "--no-audit",
                "--no-fund",
                "--no-update-notifier",
                "--fetch-retries=0",
                "--userconfig=/dev/null",
            ];
            let more = [
                "--cache",
                home,
                "--cafile",
                &authority,
                "--registry",
                registry,
                "--prefix",
                place,
                "herm-test",
            ];
            run(&stage, "npm", &[&fixed[..], &more].concat(), &[("HOME", home)])
        };
        let Some(ran) = npm("https://site.example/") else { return };
        assert!(
            ran.code == Some(0) && prefix.join("node_modules/herm-test/package.json").exists(),
            "{ran:?}"
        );
        let refused = npm("https://inside.example/").unwrap();
        assert_ne!(refused.code, Some(0), "{refused:?}");
    });
}

#[test]
fn cargo_fetches_from_a_registry() {
    apart("clients::cargo_fetches_from_a_registry", || {
        let directory = TempDir::new().unwrap();
        let (stage, root) = (Stage::new(""), directory.path().join("site"));
        let manifest = "[package]\nname = \"herm-test\"\nversion = \"1.0.0\"\nedition = \"2021\"\n";
        write(&directory.path().join("herm-test-1.0.0/Cargo.toml"), manifest);
        write(&directory.path().join("herm-test-1.0.0/src/lib.rs"), "");
        let archive = root.join("dl/herm-test-1.0.0.crate");
        write(&root.join("dl/.keep"), "");
        if pack(&stage, directory.path(), "herm-test-1.0.0", &archive).is_none() {
            return;
        }
        let Some(sum) = run(&stage, "sha256sum", &[archive.to_str().unwrap()], &[]) else { return };
        let sum = sum.out.split(' ').next().unwrap().to_owned();
        write(
            &root.join("index/config.json"),
            r#"{"dl": "https://site.example/dl/{crate}-{version}.crate"}"#,
        );
        let entry = format!(
            r#"{{"name":"herm-test","vers":"1.0.0","deps":[],"cksum":"{sum}","features":{{}},"yanked":false}}"#
        );
        write(&root.join("index/he/rm/herm-test"), entry + "\n");
        let needs = "[package]\nname = \"needs\"\nversion = \"1.0.0\"\nedition = \"2021\"\n[dependencies]\nherm-test = { version = \"1\", registry = \"site\" }\n[workspace]\n";
        let project = write(&directory.path().join("needs/Cargo.toml"), needs);
        write(&directory.path().join("needs/src/lib.rs"), "");
        let authority = site(&directory);
        let home = directory.path().join("home");
        let variables = [
            ("CARGO_HOME", home.to_str().unwrap()),
            ("CARGO_HTTP_CAINFO", &authority),
            ("CARGO_NET_RETRY", "0"),
            ("CARGO_REGISTRIES_SITE_INDEX", "sparse+https://site.example/index/"),
        ];
        let Some(ran) = run(&stage, "cargo", &["fetch", "--manifest-path", &project], &variables) else {
            return;
        };
        assert_eq!(ran.code, Some(0), "{ran:?}");
        assert!(
            stage.told(1).iter().any(|(to, outcome, _)| to == "site.example:443" && *outcome == "passed")
        );
    });
}

#[test]
fn java_fetches_a_page() {
    apart("clients::java_fetches_a_page", || {
        let directory = TempDir::new().unwrap();
        let stage = Stage::new("");
        write(&directory.path().join("site/file"), "content");
        let authority = site(&directory);
        let store = directory.path().join("store.p12");
        let store = store.to_str().unwrap();
        let imports =
            ["-importcert", "-noprompt", "-alias", "test", "-storetype", "PKCS12", "-storepass", "changeit"];
        let imports = [&imports[..], &["-file", &authority, "-keystore", store]].concat();
        let Some(made) = run(&stage, "keytool", &imports, &[]) else { return };
        assert_eq!(made.code, Some(0), "{made:?}");
        let program = "import java.net.*;\nclass Fetch { public static void main(String[] a) throws Exception {\n  try (var in = new URL(a[0]).openStream()) { System.out.write(in.readAllBytes()); }\n  System.out.flush();\n} }\n";
        let source = write(&directory.path().join("Fetch.java"), program);
        let port = format!("-Dhttps.proxyPort={}", stage.address.port());
        let trust = format!("-Djavax.net.ssl.trustStore={store}");
        let java = |link: &str| {
            let settings =
                ["-Dhttps.proxyHost=127.0.0.1", &port, &trust, "-Djavax.net.ssl.trustStorePassword=changeit"];
            run(&stage, "java", &[&settings[..], &[&source, link]].concat(), &[])
        };
        let Some(ran) = java("https://site.example/file") else { return };
        if ran.error.contains("jdk.compiler") {
            println!("skipped: this `java` compiles nothing");
            return;
        }
        assert_eq!((ran.code, ran.out.as_str()), (Some(0), "content"), "{ran:?}");
        let refused = java("https://inside.example/file").unwrap();
        assert!(refused.code == Some(1) && refused.error.contains("403"), "{refused:?}");
    });
}
