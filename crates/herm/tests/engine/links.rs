//! Links: `..` behind one leads to the parent of where it leads, not back.

use std::collections::BTreeMap;

use herm::call::{Action, Call, CallId, Door, Exec, Principal, SessionId};
use herm::{AbsPath, Engine, Ruling};
use herm_shell::Lang;
use herm_shell::world::{Script, World};

use crate::common::policy;

/// A machine with links.
#[derive(Debug)]
struct Links(BTreeMap<&'static str, &'static str>);

impl World for Links {
    fn script(&self, _: &str) -> Script {
        Script::Absent
    }

    fn resolve(&self, path: &str) -> Option<String> {
        let ends = path.match_indices('/').map(|(at, _)| at).skip(1).chain([path.len()]);
        ends.filter_map(|end| path.split_at_checked(end))
            .find_map(|(above, rest)| Some(format!("{}{rest}", self.0.get(above)?)))
    }

    fn guard(&self) -> Option<&str> {
        Some("/srv/tools/watch")
    }

    fn variable(&self, _: &str) -> Option<String> {
        None
    }
}

fn world() -> Links {
    Links(BTreeMap::from([
        ("/home/dev/project/w", "/home/dev/.herm/wiring"),
        ("/home/dev/project/l", "/etc/ssl"),
        ("/home/dev/project/r", "/usr"),
        ("/home/dev/project/s", "/home/dev/project/deep/store"),
        ("/home/dev/project/harmless", "/home/dev/project/deep"),
        ("/etc/moved", "/srv/moved"),
        ("/home/dev/project/tools", "/srv/tools"),
        ("/sbin/reboot", "/bin/systemctl"),
        ("/sbin/rm", "/bin/busybox"),
        ("/home/dev/project/ls", "/bin/rm"),
        ("/home/dev/project/mine", "/bin/rm"),
        ("/home/dev/project/cat", "/bin/systemctl"),
        ("/usr/bin/vi", "/usr/bin/vim.basic"),
        ("/home/dev/project/p", "/etc/passwd"),
        ("/home/dev/project/deep/k", "/home/dev/.ssh/authorized_keys"),
        ("/home/dev/.ssh/authorized_keys2", "/home/dev/project/notes"),
    ]))
}

fn act(action: Action) -> Ruling {
    let home = AbsPath::new("/home/dev").unwrap();
    let call = Call {
        id: CallId("1".to_owned()),
        door: Door::CommandLine,
        principal: Principal { name: Some("dev".to_owned()), home },
        session: SessionId::default(),
        cwd: AbsPath::new("/home/dev/project").unwrap(),
        action,
    };
    Engine::new(policy("")).check(&call, &world())
}

fn decision(text: &str) -> &'static str {
    act(Action::Exec(Exec::new(text, Lang::Shell))).decision.word()
}

fn assert_denied(commands: &[&str]) {
    for command in commands {
        assert_eq!(decision(command), "deny", "{command}");
    }
}

/// Some programs do what the link is called that they are started by, and a link can be called anything.
#[test]
fn a_program_counts_by_its_name_and_by_where_it_leads() {
    assert_denied(&["/sbin/reboot", "/sbin/rm -rf /", "./ls -rf /", "./mine -rf /"]);
    assert_eq!(decision("./cat stop sshd"), decision("systemctl stop sshd"));
    assert_eq!(decision("./cat stop sshd"), "ask");
    for command in ["/usr/bin/vi notes.txt", "./ls notes.txt", "/sbin/rm notes.txt"] {
        assert_eq!(decision(command), "allow", "{command}");
    }
}

#[test]
fn a_climb_behind_a_link_does_not_get_round_what_is_protected() {
    assert_denied(&[
        "echo x > w/../observing",
        "echo x > ./w/.././observing",
        "echo x > l/../passwd",
        "cp x l/../sudoers",
        "echo x | tee l/../passwd",
        "mv a.txt l/../passwd",
        "cp sudoers l/..",
        "ln -sf /tmp/x l/../passwd",
        "python3 -c \"open('l/../passwd','w')\"",
        "perl -e 'open(F, \">\", \"l/../passwd\")'",
        "node -e \"require('fs').writeFileSync('l/../passwd', '')\"",
        "ruby -e 'File.write(\"l/../passwd\", \"\")'",
        "php -r 'file_put_contents(\"l/../passwd\", \"\");'",
        "git -C l/.. init && cd l && echo x > ../passwd",
        "env -C l sh -c 'echo x > ../passwd'",
    ]);
    assert_eq!(decision("cat l/../shadow"), "ask");
    assert_eq!(decision("frobnicate l/../shadow"), "ask");
    assert_eq!(decision("frobnicate l/../shad*"), "ask");
}

#[test]
fn a_climb_behind_a_link_does_not_get_round_the_floor() {
    for command in [
        "rm -rf r/..",
        "rm -rf r/../etc",
        "rm -rf r/../*",
        "rm -rf r/lib/../../*",
        "rm -rf \"$PWD\"/r/../etc",
        "cd r && rm -rf ../etc",
        "cd -P r/.. && rm -rf etc",
        "cd r/.. && rm -rf ./etc",
    ] {
        let ruling = act(Action::Exec(Exec::new(command, Lang::Shell)));
        let floor = ["delete-root", "delete-system-directory"];
        assert!(
            ruling.findings.iter().any(|finding| floor.contains(&finding.rule)),
            "{command}: {:?}",
            ruling.findings
        );
    }
}

#[test]
fn links_of_the_same_text_count_too() {
    assert_denied(&[
        "ln -s /usr q; rm -rf q/../etc",
        "ln -s /usr q; ln -s q p; rm -rf p/../etc",
        "ln -s q p; ln -s /usr q; rm -rf p/../etc",
        "ln -s /etc/ssl q; echo x > q/../passwd",
        "ln -s ../../../etc /home/dev/project/q; echo x > q/passwd",
        "ln -s ../etc /tmp/q; echo x > /tmp/q/passwd",
        "ln -sfn /etc harmless; echo x > harmless/passwd",
        "rm harmless; ln -s /etc/ssl harmless; echo x > harmless/../passwd",
        "false && ln -sfn deep r; rm -rf r/../etc",
        "ln /home/dev/.bashrc sub/x; echo x >> sub/x",
        "python3 -c \"import os; os.symlink('/etc/ssl', 'q'); open('q/../passwd', 'w')\"",
        "perl -e 'symlink(\"/etc/ssl\", \"q\"); open(F, \">\", \"q/../passwd\")'",
        "ruby -e 'File.symlink(\"/etc/ssl\", \"q\"); File.write(\"q/../passwd\", \"\")'",
        "node -e \"const fs = require('fs'); fs.symlinkSync('/etc/ssl', 'q'); fs.writeFileSync('q/../passwd', '')\"",
    ]);
    let many: Vec<_> = (0..80).map(|number| format!("ln -s a b{number}")).collect();
    assert_eq!(decision(&format!("{}; ln -s /etc/ssl q; echo x > q/../passwd", many.join("; "))), "deny");
}

/// Whoever deletes, renames or replaces a link does nothing to what it leads to.
#[test]
fn a_link_itself_may_go() {
    for command in [
        "rm p",
        "rm -f ./p",
        "unlink p",
        "unlink /home/dev/project/p",
        "rm ~/project/p",
        "rm p l w deep/k",
        "ln -sfn deep/store p",
        "ln -sfn deep l",
        "ln -sfT deep l",
        "ln --symbolic --force --no-dereference deep l",
        "mv p q",
        "mv l old",
        "mv deep/k deep/old",
        "ln -s /etc q; rm q",
        "rm harmless && mkdir harmless",
    ] {
        assert_eq!(decision(command), "allow", "{command}");
    }
    // It is no more than anything else of that name would be.
    for (link, plain) in [
        ("rm -rf l", "rm -rf plain"),
        ("rm -rf r", "rm -rf plain"),
        ("rm -rf -- \"$PWD\"/l", "rm -rf -- \"$PWD\"/plain"),
        ("cd deep && rm ../p && rm k", "cd deep && rm ../plain && rm plain"),
        ("ln -s / q && rm -rf q", "ln -s deep q && rm -rf q"),
        ("rm s/../../p", "rm s/../../plain"),
    ] {
        let rules = |text| {
            let ruling = act(Action::Exec(Exec::new(text, Lang::Shell)));
            ruling.findings.iter().map(|finding| finding.rule).collect::<Vec<_>>()
        };
        assert_eq!((decision(link), rules(link)), (decision(plain), rules(plain)), "{link}");
    }
}

#[test]
fn what_a_link_leads_to_is_not_reached_through_its_name() {
    assert_denied(&[
        "rm -rf l/",
        "rm -rf l//",
        "rm -rf l/.",
        "rm -rf l/*",
        "rm -rf r/",
        "rm -rf r/*",
        "rm l/../passwd",
        "x=l/; rm -rf $x",
        "rm -rf \"$PWD\"/r/",
        "cd l && rm -rf ../passwd",
        "rm -rf l/../../etc",
        "unlink l/../passwd",
        "rm ~/.ssh/authorized_keys2",
        "echo x > p",
        "echo x >> p",
        "cp x p",
        "cat x | tee p",
        "truncate -s 0 p",
        "shred p",
        "shred -u p",
        "sed -i s/a/b/ p",
        "dd if=x of=p",
        "mv x p",
        "mv x l/../passwd",
        "mv l/../passwd x",
        "ln -sfn x /etc/passwd",
        "ln -sfn x l/../passwd",
        "ln -sfn x ~/.ssh/authorized_keys2",
        "ln -sf x p",
        "ln -sfn /etc deep/q; echo x > deep/q/passwd",
        "ln -s / q; rm -rf q/",
        "ln -s / q; rm -rf q/*",
        "ln -s / q; rm -rf q/etc",
        "ln -s /etc q; rm q/passwd",
    ]);
    for (link, plain) in [("rm /etc/moved", "rm /etc/plain"), ("chmod 777 p", "chmod 777 /etc/passwd")] {
        assert_eq!((decision(link), decision(plain)), ("ask", "ask"), "{link}");
    }
}

/// A link that was moved leads where it did.
#[test]
fn what_is_done_through_a_link_that_was_moved_counts() {
    assert_denied(&[
        "mv p q; echo x > q",
        "mv p q && cp x q",
        "mv p q; echo x >> ./q",
        "mv l q; echo x > q/../passwd",
        "mv r q; rm -rf q/",
        "mv r q; rm -rf q/*",
        "mv p deep; echo x > deep/p",
        "mv -t deep p; echo x > deep/p",
        "mv p deep/; echo x > deep/p",
        "mv p x deep; echo x > deep/p",
        "mv p q; mv q z; echo x > z",
        "mv l deep; echo x > deep/l/../passwd",
        "mv r deep; rm -rf deep/r/*",
        "mv r /tmp; rm -rf /tmp/r/*",
        "mv p /tmp/q; echo x > /tmp/q",
        "ln -s /etc/passwd a; mv a b; echo x > b",
        "ln -s /etc a; mv a b; echo x > b/passwd",
        "mv p $(cat where)",
        "mv p \"$1\"",
    ]);
}

/// A copy of a link is a link, and some copies are nothing else.
#[test]
fn what_is_done_through_a_copied_link_counts() {
    assert_denied(&[
        "cp -P p q; echo x > q",
        "cp -a p q; echo x > q",
        "cp -d p deep; echo x > deep/p",
        "cp -r l q; echo x > q/../passwd",
        "cp --no-dereference p q; echo x > q",
        "cp -s /etc/passwd q; echo x > q",
        "cp --symbolic-link /etc/passwd q; echo x > q",
        "cp -l /etc/passwd q; echo x > q",
        "cp -l /etc/passwd deep; echo x > deep/passwd",
        "cp -sr /etc q; echo x > q/passwd",
        "cp -s /etc/passwd deep; echo x > deep/passwd",
        "cp -Rl /etc deep; echo x > deep/etc/passwd",
    ]);
    for command in
        ["cp p q; echo x > q", "cp -r deep q; echo x > q/y", "cp -a s q; echo x > q/y", "cp -l a b"]
    {
        assert_eq!(decision(command), "allow", "{command}");
    }
}

#[test]
fn a_shell_goes_up_by_the_names_that_it_came_by() {
    assert_denied(&[
        "cd /etc/moved && cd .. && echo x > passwd",
        "cd /etc/moved/.. && echo x > passwd",
        "cd /etc/moved; pushd /tmp; popd; cd ..; echo x > passwd",
        "cd /etc/moved; cd /tmp; cd -; cd ..; echo x > passwd",
    ]);
}

#[test]
fn links_inside_the_workspace_stay_everyday() {
    for command in [
        "echo x > s/../a.txt",
        "cat s/../README.md",
        "cd s && cat ../x",
        "cd s && cd .. && cargo build",
        "rm s/../x.log",
        "ls r/../etc",
        "cat ../other/README.md",
        "ln -s deep/store q; cat q/../x",
    ] {
        assert_eq!(decision(command), "allow", "{command}");
    }
}

#[test]
fn a_name_for_the_guards_own_files_asks() {
    for command in [
        "ln -s ~/.herm/wiring q7",
        "ln -s ~/.herm q7",
        "ln ~/.herm/config.yaml q7",
        "python3 -c \"import os; os.symlink('/home/dev/.herm/wiring', 'q')\"",
    ] {
        assert_ne!(decision(command), "allow", "{command}");
    }
    for command in ["ln -s ~/.cache/x q", "ln -s build/out current", "ls -l ~/.herm"] {
        assert_eq!(decision(command), "allow", "{command}");
    }
}

#[test]
fn the_program_that_judges_is_protected_wherever_it_lies() {
    assert_denied(&[
        "cp x /srv/tools/watch",
        "rm /srv/tools/watch",
        "chmod -x /srv/tools/watch",
        "cp x tools/watch",
    ]);
    for path in ["/srv/tools/watch", "tools/watch", "tools/../tools/watch"] {
        assert_eq!(act(Action::Write(path.to_owned())).decision.word(), "deny", "{path}");
    }
    assert_eq!(act(Action::Write("notes/watch".to_owned())).decision.word(), "allow");
}
