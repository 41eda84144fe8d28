use std::collections::BTreeSet;

use libc::{EAFNOSUPPORT, ENOSYS, EPERM, EPROTONOSUPPORT, ESOCKTNOSUPPORT};

use super::assemble::{
    ALLOW, AND, ARCHITECTURE, ARCHITECTURE_AT, ARGUMENTS_AT, ERROR, FOREIGN_NUMBERS, JUMP, JUMP_IF_ANY,
    JUMP_IF_AT_LEAST, JUMP_IF_EQUAL, KILL, LOAD, NUMBER_AT, RETURN,
};
use super::table::{GROUPS, verdicts};
use super::*;
use crate::sys::filter::install;
use crate::sys::trial::{Outcome, call, in_child};

const PROFILES: [Profile; 2] = [Profile::Nested, Profile::Standard];

/// What the kernel's machine does with a call: the action, and how many instructions it took.
fn run(filter: &Filter, architecture: u32, number: u32, arguments: [u64; 6]) -> (u32, usize) {
    let (mut at, mut held, mut steps) = (0_usize, 0_u32, 0_usize);
    loop {
        let one = filter.instructions()[at];
        steps += 1;
        at += 1;
        let go = |yes: bool| usize::from(if yes { one.jt } else { one.jf });
        match one.code {
            LOAD => held = word(one.k, architecture, number, arguments),
            AND => held &= one.k,
            JUMP => at += one.k as usize,
            JUMP_IF_EQUAL => at += go(held == one.k),
            JUMP_IF_AT_LEAST => at += go(held >= one.k),
            JUMP_IF_ANY => at += go(held & one.k != 0),
            RETURN => return (one.k, steps),
            code => panic!("no such instruction: {code:#x}"),
        }
    }
}

fn word(at: u32, architecture: u32, number: u32, arguments: [u64; 6]) -> u32 {
    match at {
        NUMBER_AT => number,
        ARCHITECTURE_AT => architecture,
        _ => {
            assert_eq!((at - ARGUMENTS_AT) % 8, 0, "only low halves are looked at");
            u32::try_from(arguments[((at - ARGUMENTS_AT) / 8) as usize] & 0xffff_ffff).unwrap()
        }
    }
}

fn action(profile: Profile, number: libc::c_long, arguments: [u64; 6]) -> u32 {
    run(&Filter::new(profile, Modes::Shared), ARCHITECTURE, u32::try_from(number).unwrap(), arguments).0
}

fn error(number: i32) -> u32 {
    ERROR | number.unsigned_abs()
}

#[test]
fn every_row_of_the_table_gets_its_verdict() {
    for profile in PROFILES {
        let filter = Filter::new(profile, Modes::Shared);
        for (number, verdict) in verdicts(profile) {
            let (found, _) = run(&filter, ARCHITECTURE, number, [0; 6]);
            match verdict {
                Verdict::Allow => assert_eq!(found, ALLOW, "{number}"),
                Verdict::Refuse(expected) => assert_eq!(found, error(expected), "{number}"),
                Verdict::Kill => assert_eq!(found, KILL, "{number}"),
                Verdict::Inspect(_) => assert_ne!(found, error(ENOSYS), "{number}"),
            }
        }
    }
}

#[test]
fn no_call_stands_in_two_groups() {
    let mut seen = BTreeSet::new();
    for number in GROUPS.iter().flat_map(|group| group.calls) {
        assert!(seen.insert(number), "{number} stands twice");
    }
    assert!(seen.len() > 300, "{}", seen.len());
}

#[test]
fn whatever_is_unknown_does_not_exist() {
    for profile in PROFILES {
        let filter = Filter::new(profile, Modes::Shared);
        let known = verdicts(profile);
        for number in (0..2000).chain([0x3fff_ffff, u32::MAX]).filter(|number| !known.contains_key(number)) {
            assert_eq!(run(&filter, ARCHITECTURE, number, [0; 6]).0, error(ENOSYS), "{number}");
        }
        assert_eq!(action(profile, libc::SYS_clone3, [0; 6]), error(ENOSYS));
    }
}

#[test]
fn another_abi_is_killed() {
    for profile in PROFILES {
        let filter = Filter::new(profile, Modes::Shared);
        let read = u32::try_from(libc::SYS_read).unwrap();
        for architecture in [0, 0x4000_0003, 0x4000_0028, ARCHITECTURE ^ 1, u32::MAX] {
            assert_eq!(run(&filter, architecture, read, [0; 6]).0, KILL, "{architecture:#x}");
        }
        for number in FOREIGN_NUMBERS.into_iter().flat_map(|first| [first, first | read, u32::MAX - 1]) {
            assert_eq!(run(&filter, ARCHITECTURE, number, [0; 6]).0, KILL, "{number:#x}");
        }
    }
}

#[test]
fn a_call_costs_few_comparisons() {
    for profile in PROFILES {
        let filter = Filter::new(profile, Modes::Shared);
        let plain = verdicts(profile).into_iter().filter(|(_, verdict)| *verdict == Verdict::Allow);
        let most = plain.map(|(number, _)| run(&filter, ARCHITECTURE, number, [0; 6]).1).max();
        // Three that look at the architecture and load the number, eight comparisons with a long jump or two, and the end.
        assert!(most.unwrap() <= 14, "{most:?}");
        assert!(filter.instructions().len() < 1000);
    }
}

#[test]
fn namespaces_are_for_those_who_sandbox_themselves() {
    const THREAD: u64 = 0x003d_0f00;
    for namespace in
        [0x0002_0000, 0x0200_0000, 0x0400_0000, 0x0800_0000, 0x1000_0000, 0x2000_0000, 0x4000_0000]
    {
        for flags in [namespace, namespace | 0x11, namespace | 0xffff_ffff_0000_0000] {
            for number in [libc::SYS_clone, libc::SYS_unshare] {
                let arguments = [flags, 0, 0, 0, 0, 0];
                assert_eq!(action(Profile::Standard, number, arguments), error(EPERM), "{flags:#x}");
                assert_eq!(action(Profile::Nested, number, arguments), ALLOW, "{flags:#x}");
            }
        }
    }
    assert_eq!(action(Profile::Standard, libc::SYS_clone, [THREAD, 0, 0, 0, 0, 0]), ALLOW);
    assert_eq!(action(Profile::Standard, libc::SYS_unshare, [0x80, 0, 0, 0, 0, 0]), error(EPERM));
    assert_eq!(action(Profile::Standard, libc::SYS_unshare, [0x600, 0, 0, 0, 0, 0]), ALLOW);
    assert_eq!(action(Profile::Standard, libc::SYS_setns, [3, 0, 0, 0, 0, 0]), error(EPERM));
}

#[test]
fn a_terminal_is_not_typed_into_whatever_the_high_bits_are() {
    for request in [0x5412_u64, 0x541c, 0x541d, 0x5423] {
        for high in [0, 1 << 32, 0xffff_ffff << 32] {
            for profile in PROFILES {
                let found = action(profile, libc::SYS_ioctl, [0, request | high, 0, 0, 0, 0]);
                assert_eq!(found, error(EPERM), "{request:#x}");
            }
        }
    }
    // The size of the window.
    assert_eq!(action(Profile::Standard, libc::SYS_ioctl, [0, 0x5413, 0, 0, 0, 0]), ALLOW);
}

/// Not to block, and to close when a program starts.
const FLAGS: u64 = 0o2_004_000;

#[test]
fn sockets_are_of_few_kinds() {
    let socket = |family, kind, protocol| {
        let arguments = [family, kind, protocol, 0, 0, 0];
        let found = action(Profile::Standard, libc::SYS_socket, arguments);
        assert_eq!(found, action(Profile::Nested, libc::SYS_socket, arguments));
        found
    };
    for (family, kind, protocol) in [
        (1, 1, 0),
        (1, 5, 0),
        (2, 1, 0),
        (2, 1, 6),
        (2, 1, 262),
        (10, 2, 17),
        (2, 2, 1),
        (10, 2, 58),
        (16, 3, 0),
        (16, 2, 0),
    ] {
        assert_eq!(socket(family, kind, protocol), ALLOW, "{family} {kind} {protocol}");
        assert_eq!(socket(family | 1 << 32, kind | FLAGS, protocol), ALLOW, "{family} {kind} {protocol}");
    }
    for (family, kind, protocol, expected) in [
        (2, 3, 1, EPERM),
        (10, 3, 58, EPERM),
        (2, 3, 255, EPERM),
        (2, 10, 0, ESOCKTNOSUPPORT),
        (2, 6, 33, ESOCKTNOSUPPORT),
        (2, 5, 132, ESOCKTNOSUPPORT),
        (2, 1, 132, EPROTONOSUPPORT),
        (2, 1, 256, EPROTONOSUPPORT),
        (2, 2, 115, EPROTONOSUPPORT),
        (16, 3, 12, EPROTONOSUPPORT),
        (16, 3, 9, EPROTONOSUPPORT),
        (16, 3, 15, EPROTONOSUPPORT),
        (17, 3, 0, EAFNOSUPPORT),
        (31, 1, 0, EAFNOSUPPORT),
        (38, 5, 0, EAFNOSUPPORT),
        (40, 1, 0, EAFNOSUPPORT),
        (44, 3, 0, EAFNOSUPPORT),
    ] {
        assert_eq!(socket(family, kind | FLAGS, protocol), error(expected), "{family} {kind} {protocol}");
    }
    assert_eq!(action(Profile::Standard, libc::SYS_socketpair, [1, 1, 0, 0, 0, 0]), ALLOW);
    assert_eq!(action(Profile::Standard, libc::SYS_socketpair, [30, 1, 0, 0, 0, 0]), error(EAFNOSUPPORT));
}

#[test]
fn a_debugger_may_switch_off_randomised_addresses_and_no_more() {
    for (personality, expected) in [
        (0, ALLOW),
        (0x0004_0000, ALLOW),
        (0xffff_ffff, ALLOW),
        (0x0040_0000, error(EPERM)),
        (0x0044_0000, error(EPERM)),
        (6, error(EPERM)),
    ] {
        let arguments = [personality, 0, 0, 0, 0, 0];
        assert_eq!(action(Profile::Standard, libc::SYS_personality, arguments), expected, "{personality:#x}");
    }
}

/// Makes a call under the filter: the error it had.
fn filtered(profile: Profile, number: libc::c_long, arguments: [usize; 6]) -> Outcome {
    let filter = Filter::new(profile, Modes::Shared);
    in_child(|| {
        install(&filter).unwrap();
        call(number, arguments)
    })
}

#[test]
fn the_kernel_refuses_what_the_table_refuses() {
    let open = |number: &libc::c_long| in_child(|| call(*number, [0; 6])) != Outcome::Returned(EPERM);
    let numbers = [
        libc::SYS_keyctl,
        libc::SYS_add_key,
        libc::SYS_io_uring_setup,
        libc::SYS_userfaultfd,
        libc::SYS_bpf,
        libc::SYS_perf_event_open,
        libc::SYS_mount,
        libc::SYS_umount2,
        libc::SYS_setns,
        libc::SYS_fsopen,
        libc::SYS_open_by_handle_at,
        libc::SYS_kcmp,
        libc::SYS_sethostname,
    ];
    // Without the filter, arguments of nothing but noughts are refused for other reasons, or accepted, unless whoever runs
    // this is confined already.
    assert!(numbers.iter().any(open));
    for number in numbers {
        assert_eq!(filtered(Profile::Standard, number, [0; 6]), Outcome::Returned(EPERM), "{number}");
    }
    assert_eq!(filtered(Profile::Standard, libc::SYS_clone3, [0; 6]), Outcome::Returned(ENOSYS));
    assert_eq!(filtered(Profile::Standard, 1999, [0; 6]), Outcome::Returned(ENOSYS));
}

#[test]
fn the_kernel_looks_at_arguments() {
    let unshare = |profile| filtered(profile, libc::SYS_unshare, [0x1000_0000, 0, 0, 0, 0, 0]);
    assert_eq!(unshare(Profile::Standard), Outcome::Returned(EPERM));
    assert_eq!(unshare(Profile::Nested), Outcome::Returned(0));
    let socket = |family, kind, protocol| {
        filtered(Profile::Standard, libc::SYS_socket, [family, kind, protocol, 0, 0, 0])
    };
    assert_eq!(socket(1, 1, 0), Outcome::Returned(0));
    assert_eq!(socket(10, 1, 0), Outcome::Returned(0));
    assert_eq!(socket(16, 3, 0), Outcome::Returned(0));
    assert_eq!(socket(16, 3, 12), Outcome::Returned(EPROTONOSUPPORT));
    assert_eq!(socket(2, 3, 1), Outcome::Returned(EPERM));
    assert_eq!(socket(17, 3, 0), Outcome::Returned(EAFNOSUPPORT));
    let typing = [0, (1 << 32) | 0x5412, 0, 0, 0, 0];
    assert_eq!(filtered(Profile::Standard, libc::SYS_ioctl, typing), Outcome::Returned(EPERM));
}

#[cfg(target_arch = "x86_64")]
#[test]
fn the_kernel_kills_x32() {
    let number = libc::SYS_getpid | 0x4000_0000;
    assert_ne!(in_child(|| call(number, [0; 6])), Outcome::Killed(libc::SIGSYS), "without the filter");
    assert_eq!(filtered(Profile::Standard, number, [0; 6]), Outcome::Killed(libc::SIGSYS));
}

#[test]
fn it_cannot_be_taken_back_and_lets_threads_and_children_live() {
    let filter = Filter::new(Profile::Standard, Modes::Shared);
    let outcome = in_child(|| {
        install(&filter).unwrap();
        let threads: Vec<_> = (0..4).map(|_| std::thread::Builder::new().spawn(|| 1).unwrap()).collect();
        let sum: i32 = threads.into_iter().map(|thread| thread.join().unwrap()).sum();
        let child = in_child(|| call(libc::SYS_keyctl, [0; 6]));
        i32::from(sum == 4 && child == Outcome::Returned(EPERM))
    });
    assert_eq!(outcome, Outcome::Returned(1));
}

#[test]
fn nobody_makes_a_setuid_file() {
    let making = u64::from(u32::try_from(libc::O_CREAT | libc::O_WRONLY).unwrap());
    let unnamed = u64::from(u32::try_from(libc::O_TMPFILE | libc::O_RDWR).unwrap());
    for profile in PROFILES {
        for mode in [0o4755, 0o6755, 0o104_755] {
            assert_eq!(action(profile, libc::SYS_fchmod, [3, mode, 0, 0, 0, 0]), error(EPERM));
            assert_eq!(action(profile, libc::SYS_fchmodat, [3, 0, mode, 0, 0, 0]), error(EPERM));
            assert_eq!(action(profile, 452, [3, 0, mode, 0, 0, 0]), error(EPERM));
            assert_eq!(action(profile, libc::SYS_mknodat, [3, 0, mode, 0, 0, 0]), error(EPERM));
            for flags in [making, unnamed] {
                assert_eq!(action(profile, libc::SYS_openat, [3, 0, flags, mode, 0, 0]), error(EPERM));
            }
            // Garbage that the kernel does not look at.
            assert_eq!(action(profile, libc::SYS_openat, [3, 0, 0, mode, 0, 0]), ALLOW);
        }
        for mode in [0o644, 0o755, 0o2775, 0o1777] {
            assert_eq!(action(profile, libc::SYS_fchmod, [3, mode, 0, 0, 0, 0]), ALLOW);
            assert_eq!(action(profile, libc::SYS_openat, [3, 0, making, mode, 0, 0]), ALLOW);
        }
        assert_eq!(action(profile, libc::SYS_openat2, [0; 6]), error(ENOSYS));
    }
}

#[test]
fn nobody_makes_a_setgid_file_where_root_started_it() {
    let making = u64::from(u32::try_from(libc::O_CREAT | libc::O_WRONLY).unwrap());
    for profile in PROFILES {
        let filter = Filter::new(profile, Modes::Plain);
        let action = |number: libc::c_long, arguments| {
            run(&filter, ARCHITECTURE, u32::try_from(number).unwrap(), arguments).0
        };
        for mode in [0o2755, 0o4755, 0o6755, 0o102_755] {
            assert_eq!(action(libc::SYS_fchmod, [3, mode, 0, 0, 0, 0]), error(EPERM));
            assert_eq!(action(libc::SYS_fchmodat, [3, 0, mode, 0, 0, 0]), error(EPERM));
            assert_eq!(action(452, [3, 0, mode, 0, 0, 0]), error(EPERM));
            assert_eq!(action(libc::SYS_mknodat, [3, 0, mode, 0, 0, 0]), error(EPERM));
            assert_eq!(action(libc::SYS_openat, [3, 0, making, mode, 0, 0]), error(EPERM));
            assert_eq!(action(libc::SYS_openat, [3, 0, 0, mode, 0, 0]), ALLOW);
        }
        for mode in [0o644, 0o755, 0o1777] {
            assert_eq!(action(libc::SYS_fchmod, [3, mode, 0, 0, 0, 0]), ALLOW);
            assert_eq!(action(libc::SYS_openat, [3, 0, making, mode, 0, 0]), ALLOW);
        }
    }
}
