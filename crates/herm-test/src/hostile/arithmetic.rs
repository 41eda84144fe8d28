//! Texts that are hard on whoever follows what arithmetic runs.

use super::HIDDEN;

/// Something over and over.
const REPEATED: &[(&str, &str)] = &[
    ("names", "((a+b*c));"),
    ("comparisons of names", "a=b;b=c;[[ a -eq b+c ]];"),
    ("integers", "declare -i a;a=b+c;"),
    ("references", "declare -n a=b;a=c;"),
    ("subscripts", "a[b[c]]=d;: ${a[b]} ${d:a:b};"),
    ("named elements", "read 'a[b[c]]';unset 'a[b]';"),
    ("prompts", "a='\\044b\\w';: ${a@P};"),
];

/// Small texts that would become large ones.
const BOMBS: &[(&str, &str)] = &[
    ("of itself", "x='a[$((x))$((x))]'; ((x)); let x; : ${b[x]}"),
    ("of two", "x='a[$((y))$y]'; y='b[$((x))$x]'; ((x+y))"),
    ("of itself and something unknown", "x=\"a[$RANDOM\\$((x))\\$x+x]\"; ((x)); : ${!x}"),
    ("of assignments", "x='a[${x:=b}${x:+$x$x}x]+x'; ((x))"),
    ("of changes", "x='a[${c=b}${d=c}$(x=c; ((x)))]+x'; y='x+x+x'; ((y+x+y))"),
    ("of prompts", "x='${x@P}${x@P}'; : \"${x@P}\""),
    ("of integers", "declare -i x y; x='y=x+x'; y='x=y+y'; x+=x; y+=y"),
    ("of references", "declare -n r=s; declare -n s=r; ((r)); r=1; declare -n t='a[t]'; ((t)); : $t"),
    ("of loops", "for ((x=0;x<9;y)); do for ((y=x;y<9;x)); do x=y+x+x; y=x+y+y; done; done"),
];

/// Hostile texts of about `size` bytes, each with a name.
pub(super) fn texts(size: usize) -> Vec<(String, String)> {
    let repeated = REPEATED.iter().map(|(name, unit)| {
        (format!("repeated {name}"), format!("{}\n{HIDDEN}", unit.repeat((size / unit.len()).max(1))))
    });
    let bombs = BOMBS.iter().map(|(name, text)| (format!("arithmetic {name}"), format!("{text}\n{HIDDEN}")));
    let chains = [
        ("chain", chain(size, |n| format!("a{n}=a{};", n + 1))),
        ("doubling chain", chain(size, |n| format!("a{n}=a{m}+a{m};", m = n + 1))),
        ("expanded chain", chain(size, |n| format!("a{n}='b[$a{m}$a{m}]';", m = n + 1))),
    ];
    let half = size / 2;
    let large = [
        ("names", format!("a=b;b=c;: $(({}a));{HIDDEN}", "a+".repeat(half))),
        ("names of elements", format!("a=(b c);: $(({}a));{HIDDEN}", "a[a]+".repeat(size / 5))),
        ("evaluated text", format!("a='{}';{}{HIDDEN}", "b+".repeat(half), "((a));".repeat(500))),
        ("evaluated number", format!("a='{}';{}{HIDDEN}", "9".repeat(half), "((a+a+a+a));".repeat(500))),
        ("evaluated array", format!("a=({});{}{HIDDEN}", "b ".repeat(half), "((a[0]));".repeat(500))),
        ("expanded text", format!("a='{}';{}{HIDDEN}", "$b".repeat(half), "((a));".repeat(500))),
        ("substituted text", format!("a='{}';((a));{HIDDEN}", "b[$(:)]+".repeat(size / 8))),
        ("escaped prompt", format!("a='{}';: ${{a@P}};{HIDDEN}", "\\044".repeat(size / 4))),
    ];
    let large = large.into_iter().chain(chains);
    let large = large.map(|(name, text)| (format!("large {name} in arithmetic"), text));
    repeated.chain(bombs).chain(large).collect()
}

/// Variables that hold one another, and are evaluated after each.
fn chain(size: usize, link: fn(usize) -> String) -> String {
    let mut text = String::with_capacity(size);
    for number in 0.. {
        if text.len() >= size {
            break;
        }
        text.push_str(&link(number));
        text.push_str("((a0));");
    }
    format!("{text}\n{HIDDEN}")
}
