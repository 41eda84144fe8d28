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
