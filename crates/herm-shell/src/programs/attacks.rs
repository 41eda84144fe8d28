//! Tools that are made to attack: to guess passwords, to take part in other people's traffic, to break into machines, to use
//! up somebody's machine for coins. What each does is a fact about it, whatever its options say.

use super::kinds::HELP;
use super::schema::{Aim, Deed, Do, Opt, Program, Role, Syntax, deed, flag, program, value, value_does};
use crate::effect::{Flags, Verb};
use crate::lang::Lang;

/// The kinds of what they are after.
const PASSWORDS: &[Deed] = &[deed(Verb::Escalate, Aim::Kind("passwords"), Flags::NONE)];
const TRAFFIC: &[Deed] = &[deed(Verb::Escalate, Aim::Kind("traffic"), Flags::NONE)];
const MACHINE: Deed = deed(Verb::Escalate, Aim::Kind("machines"), Flags::NONE);
const MACHINES: &[Deed] = &[MACHINE];
const COINS: &[Deed] = &[deed(Verb::Escalate, Aim::Kind("computing time"), Flags::NONE)];

const OPTIONS: &[Opt] = &[
    HELP,
    flag("-V", Do::Stop),
    value("--eval", Role::Code(Lang::Python)),
    value("-s --scripts", Role::Script(Lang::Python)),
];

/// The family.
pub(super) static PROGRAMS: &[Program] = &[
    // A look at one's own address is a test like any other; what takes data or a shell is none.
    program(&["sqlmap"]).options(&[
        HELP,
        value("--eval", Role::Code(Lang::Python)),
        value("-u --url -r -D -T -C", Role::Inert),
        flag("--dump --dump-all --passwords --os-shell --os-pwn --sql-shell", Do::Emit(MACHINE)),
        value_does("--file-read --file-write --os-cmd --sql-query", Do::Emit(MACHINE)),
    ]),
    program(&[
        "hydra",
        "medusa",
        "ncrack",
        "patator",
        "crowbar",
        "brutespray",
        "kerbrute",
        "thc-hydra",
        "legba",
    ])
    .syntax(Syntax::Words)
    .does(PASSWORDS),
    program(&["aircrack-ng", "fcrackzip", "pdfcrack", "rarcrack", "ophcrack", "wifite", "reaver", "bully"])
        .options(OPTIONS)
        .all(Role::Read)
        .does(PASSWORDS),
    program(&[
        "responder",
        "Responder.py",
        "bettercap",
        "ettercap",
        "arpspoof",
        "dnsspoof",
        "dsniff",
        "mitm6",
    ])
    .options(OPTIONS)
    .does(TRAFFIC),
    program(&[
        "aireplay-ng",
        "airodump-ng",
        "mdk3",
        "mdk4",
        "ntlmrelayx.py",
        "impacket-ntlmrelayx",
        "sslstrip",
    ])
    .options(OPTIONS)
    .does(TRAFFIC),
    program(&["msfcli", "crackmapexec", "cme", "netexec", "nxc", "evil-winrm"])
        .options(OPTIONS)
        .does(MACHINES),
    program(&[
        "impacket-psexec",
        "psexec.py",
        "impacket-wmiexec",
        "wmiexec.py",
        "impacket-smbexec",
        "smbexec.py",
    ])
    .options(OPTIONS)
    .does(MACHINES),
    program(&[
        "linpeas",
        "linpeas.sh",
        "winpeas",
        "winPEAS.exe",
        "LinEnum.sh",
        "linenum.sh",
        "lse.sh",
        "pspy",
        "pspy64",
    ])
    .does(MACHINES),
    program(&[
        "linux-exploit-suggester.sh",
        "les.sh",
        "unix-privesc-check",
        "traitor",
        "deepce.sh",
        "cdk_linux_amd64",
    ])
    .does(MACHINES),
    program(&["slowloris", "goldeneye", "t50", "mhddos"])
        .options(&[HELP, flag("-v", Do::Stop), value("-p --destport -c --count -i --interval", Role::Inert)])
        .does(MACHINES),
    program(&[
        "xmrig", "xmr-stak", "cpuminer", "minerd", "cgminer", "bfgminer", "ethminer", "nbminer", "t-rex",
        "lolMiner",
    ])
    .syntax(Syntax::SingleDash)
    .options(&[flag("-h --help -V --version", Do::Stop)])
    .does(COINS),
    program(&[
        "phoenixminer",
        "PhoenixMiner",
        "teamredminer",
        "gminer",
        "srbminer",
        "SRBMiner-MULTI",
        "xmrig-proxy",
    ])
    .syntax(Syntax::SingleDash)
    .options(&[flag("-h --help -V --version", Do::Stop)])
    .does(COINS),
];
