//! sed, ed, vim and gdb.

use super::recorder::{check, said_with, silent};
use crate::lang::Lang;

#[test]
fn what_sed_does_outside_is_found() {
    check(
        Lang::Sed,
        &[
            ("1e halt", "shell: halt"),
            ("1e exec /bin/sh 1>&0", "shell: exec /bin/sh 1>&0"),
            (r"s/.*/chmod -R 777 \//e", "shell: chmod -R 777 /"),
            ("s|.*|halt|e", "shell: halt"),
            ("w /etc/x", "Write /etc/x = stdin [emptying] <outside>"),
            ("1s/.*/payload/w /etc/x", "Write /etc/x = payload [emptying]"),
            ("r /etc/shadow", "Read /etc/shadow"),
            ("$!{N;e halt\n}", "shell: halt"),
            ("/a/,/b/w /etc/x", "Write /etc/x = stdin [emptying] <outside>"),
        ],
    );
    assert!(said_with(Lang::Sed, "e", "halt").contains(&"shell: halt".to_owned()));
    assert!(said_with(Lang::Sed, "s/x/halt/e", "x -p").contains(&"shell: halt -p".to_owned()));
    silent(
        Lang::Sed,
        &[
            "s/a/b/",
            "s/foo/bar/g",
            "/^\\s*$/d",
            "s/[()]//g",
            "s!.*/!!",
            "s/ [^:]*$//;s/ [^:]*:*/ /g;s/://g",
            "s/../& /g",
            "1p",
            "/:1$/{s///;p}",
            "/./,$!d",
            "1a Line of text here",
            "s/git reset --hard/safe/",
            "1i e halt",
            "s/x/w \\/etc\\/y/",
            "y/abc/wer/",
            "s#\\(a\\)#\\1/home/x/bin#",
            "s/\\(.....\\)\\(.....\\)/\\1\\n\\2/",
            ":a;N;$!ba;s/\\n/ /g",
            "10,20p",
            "s/e/w/gI",
            "/a/I,+3d",
            "$=",
        ],
    );
}

#[test]
fn what_editors_do_outside_is_found() {
    check(
        Lang::Ex,
        &[
            (":!halt", "shell: halt"),
            ("!rm -rf /x", "shell: rm -rf /x"),
            (":!echo key >> ~/.ssh/authorized_keys", "shell: echo key >> ~/.ssh/authorized_keys"),
            ("r !id", "shell: id"),
            ("%!sh", "shell: sh"),
            ("w !sh", "shell: sh"),
            ("1,$w /etc/x", "Write /etc/x = buffer [emptying]"),
            ("w! ~/.bashrc", "Write /home/ada/.bashrc = buffer [emptying]"),
            ("r /etc/shadow", "Read /etc/shadow"),
            (":set shell=/bin/sh | shell", "run /bin/sh"),
            (":sh", "Execute shell  [interactive] [through a hook]"),
            (":term rm -rf /x", "run rm -rf /x"),
            (":py3 import os; os.system('id')", "python: import os; os.system('id')"),
            (":lua os.execute('halt')", "shell: halt"),
            (":call system('halt')", "shell: halt"),
            (":silent !halt", "shell: halt"),
            (":sil! execute '!halt'", "shell: halt"),
            (":so /tmp/x.vim", "script ex /tmp/x.vim"),
            ("a\n!not this\n.\n!halt", "shell: halt"),
            (":echo 1 | !halt", "shell: halt"),
            ("%s/a/b/g | w /etc/x", "Write /etc/x = buffer [emptying]"),
        ],
    );
    silent(
        Lang::Ex,
        &[
            ":wq",
            "qa!",
            ":q!",
            "%s/foo/bar/g",
            "1,$p",
            ":set nu",
            "g/x/d",
            "a\n!halt\n.\nw",
            "%s/a|w b/c/",
            ":normal gg",
            "syntax on",
            "$",
            "1d",
        ],
    );
}

#[test]
fn what_debuggers_do_outside_is_found() {
    check(
        Lang::Debugger,
        &[
            ("shell halt", "shell: halt"),
            ("!halt", "shell: halt"),
            ("!/bin/sh", "shell: /bin/sh"),
            ("call system(\"halt\")", "shell: halt"),
            ("call (int)system(\"halt\")", "shell: halt"),
            ("p system(\"halt\")", "shell: halt"),
            ("python import os; os.system('id')", "python: import os; os.system('id')"),
            ("python\nimport os\nend", "python: import os\n".trim_end()),
            ("source /tmp/x.gdb", "script debugger /tmp/x.gdb"),
            ("dump memory /etc/x 0 1", "Write /etc/x [emptying]"),
            ("platform shell halt", "shell: halt"),
            ("pipe info functions | sh", "shell: sh"),
        ],
    );
    silent(
        Lang::Debugger,
        &[
            "run",
            "bt",
            "info registers",
            "print x",
            "break main",
            "quit",
            "set pagination off",
            "p shell",
            "x/10i $pc",
            "thread apply all bt",
        ],
    );
}
