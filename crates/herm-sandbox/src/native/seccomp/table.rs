//! What becomes of each system call, by groups, with the reasons.
//!
//! A call that stands nowhere is unknown. Numbers from 424 on are the same on every architecture; those that the C library's
//! tables may lack are written out.

use std::collections::BTreeMap;

use libc::{
    SYS_accept, SYS_accept4, SYS_acct, SYS_add_key, SYS_adjtimex, SYS_bind, SYS_bpf, SYS_brk, SYS_capget,
    SYS_capset, SYS_chdir, SYS_chroot, SYS_clock_adjtime, SYS_clock_getres, SYS_clock_gettime,
    SYS_clock_nanosleep, SYS_clock_settime, SYS_clone, SYS_close, SYS_close_range, SYS_connect,
    SYS_copy_file_range, SYS_delete_module, SYS_dup, SYS_dup3, SYS_epoll_create1, SYS_epoll_ctl,
    SYS_epoll_pwait, SYS_epoll_pwait2, SYS_eventfd2, SYS_execve, SYS_execveat, SYS_exit, SYS_exit_group,
    SYS_faccessat, SYS_faccessat2, SYS_fadvise64, SYS_fallocate, SYS_fanotify_init, SYS_fanotify_mark,
    SYS_fchdir, SYS_fchmod, SYS_fchmodat, SYS_fchown, SYS_fchownat, SYS_fcntl, SYS_fdatasync, SYS_fgetxattr,
    SYS_finit_module, SYS_flistxattr, SYS_flock, SYS_fremovexattr, SYS_fsconfig, SYS_fsetxattr, SYS_fsmount,
    SYS_fsopen, SYS_fspick, SYS_fstat, SYS_fstatfs, SYS_fsync, SYS_ftruncate, SYS_futex, SYS_futex_waitv,
    SYS_get_mempolicy, SYS_get_robust_list, SYS_getcpu, SYS_getcwd, SYS_getdents64, SYS_getegid, SYS_geteuid,
    SYS_getgid, SYS_getgroups, SYS_getitimer, SYS_getpeername, SYS_getpgid, SYS_getpid, SYS_getppid,
    SYS_getpriority, SYS_getrandom, SYS_getresgid, SYS_getresuid, SYS_getrusage, SYS_getsid, SYS_getsockname,
    SYS_getsockopt, SYS_gettid, SYS_gettimeofday, SYS_getuid, SYS_getxattr, SYS_init_module,
    SYS_inotify_add_watch, SYS_inotify_init1, SYS_inotify_rm_watch, SYS_io_cancel, SYS_io_destroy,
    SYS_io_getevents, SYS_io_setup, SYS_io_submit, SYS_io_uring_enter, SYS_io_uring_register,
    SYS_io_uring_setup, SYS_ioctl, SYS_ioprio_get, SYS_ioprio_set, SYS_kcmp, SYS_kexec_load, SYS_keyctl,
    SYS_kill, SYS_landlock_add_rule, SYS_landlock_create_ruleset, SYS_landlock_restrict_self, SYS_lgetxattr,
    SYS_linkat, SYS_listen, SYS_listxattr, SYS_llistxattr, SYS_lookup_dcookie, SYS_lremovexattr, SYS_lseek,
    SYS_lsetxattr, SYS_madvise, SYS_mbind, SYS_membarrier, SYS_memfd_create, SYS_memfd_secret,
    SYS_migrate_pages, SYS_mincore, SYS_mkdirat, SYS_mknodat, SYS_mlock, SYS_mlock2, SYS_mlockall, SYS_mmap,
    SYS_mount, SYS_mount_setattr, SYS_move_mount, SYS_move_pages, SYS_mprotect, SYS_mq_getsetattr,
    SYS_mq_notify, SYS_mq_open, SYS_mq_timedreceive, SYS_mq_timedsend, SYS_mq_unlink, SYS_mremap, SYS_msgctl,
    SYS_msgget, SYS_msgrcv, SYS_msgsnd, SYS_msync, SYS_munlock, SYS_munlockall, SYS_munmap,
    SYS_name_to_handle_at, SYS_nanosleep, SYS_newfstatat, SYS_nfsservctl, SYS_open_by_handle_at,
    SYS_open_tree, SYS_openat, SYS_perf_event_open, SYS_personality, SYS_pidfd_getfd, SYS_pidfd_open,
    SYS_pidfd_send_signal, SYS_pipe2, SYS_pivot_root, SYS_pkey_alloc, SYS_pkey_free, SYS_pkey_mprotect,
    SYS_ppoll, SYS_prctl, SYS_pread64, SYS_preadv, SYS_preadv2, SYS_prlimit64, SYS_process_madvise,
    SYS_process_mrelease, SYS_process_vm_readv, SYS_process_vm_writev, SYS_pselect6, SYS_ptrace,
    SYS_pwrite64, SYS_pwritev, SYS_pwritev2, SYS_quotactl, SYS_quotactl_fd, SYS_read, SYS_readahead,
    SYS_readlinkat, SYS_readv, SYS_reboot, SYS_recvfrom, SYS_recvmmsg, SYS_recvmsg, SYS_remap_file_pages,
    SYS_removexattr, SYS_renameat2, SYS_request_key, SYS_restart_syscall, SYS_rseq, SYS_rt_sigaction,
    SYS_rt_sigpending, SYS_rt_sigprocmask, SYS_rt_sigqueueinfo, SYS_rt_sigreturn, SYS_rt_sigsuspend,
    SYS_rt_sigtimedwait, SYS_rt_tgsigqueueinfo, SYS_sched_get_priority_max, SYS_sched_get_priority_min,
    SYS_sched_getaffinity, SYS_sched_getattr, SYS_sched_getparam, SYS_sched_getscheduler,
    SYS_sched_rr_get_interval, SYS_sched_setaffinity, SYS_sched_setattr, SYS_sched_setparam,
    SYS_sched_setscheduler, SYS_sched_yield, SYS_seccomp, SYS_semctl, SYS_semget, SYS_semop, SYS_semtimedop,
    SYS_sendfile, SYS_sendmmsg, SYS_sendmsg, SYS_sendto, SYS_set_mempolicy, SYS_set_mempolicy_home_node,
    SYS_set_robust_list, SYS_set_tid_address, SYS_setdomainname, SYS_setfsgid, SYS_setfsuid, SYS_setgid,
    SYS_setgroups, SYS_sethostname, SYS_setitimer, SYS_setns, SYS_setpgid, SYS_setpriority, SYS_setregid,
    SYS_setresgid, SYS_setresuid, SYS_setreuid, SYS_setsid, SYS_setsockopt, SYS_settimeofday, SYS_setuid,
    SYS_setxattr, SYS_shmat, SYS_shmctl, SYS_shmdt, SYS_shmget, SYS_shutdown, SYS_sigaltstack, SYS_signalfd4,
    SYS_socket, SYS_socketpair, SYS_splice, SYS_statfs, SYS_statx, SYS_swapoff, SYS_swapon, SYS_symlinkat,
    SYS_sync, SYS_syncfs, SYS_sysinfo, SYS_syslog, SYS_tee, SYS_tgkill, SYS_timer_create, SYS_timer_delete,
    SYS_timer_getoverrun, SYS_timer_gettime, SYS_timer_settime, SYS_timerfd_create, SYS_timerfd_gettime,
    SYS_timerfd_settime, SYS_times, SYS_tkill, SYS_truncate, SYS_umask, SYS_umount2, SYS_uname, SYS_unlinkat,
    SYS_unshare, SYS_userfaultfd, SYS_utimensat, SYS_vhangup, SYS_vmsplice, SYS_wait4, SYS_waitid, SYS_write,
    SYS_writev, c_long,
};

use super::inspect::Call;
use super::{Profile, Verdict};

/// The verdict on each call that is known.
pub(super) fn verdicts(profile: Profile) -> BTreeMap<u32, Verdict> {
    let mut verdicts = BTreeMap::new();
    for group in GROUPS {
        let verdict = match profile {
            Profile::Nested => group.nested,
            Profile::Standard => group.standard,
        };
        for number in group.calls.iter().filter_map(|number| u32::try_from(*number).ok()) {
            verdicts.insert(number, verdict);
        }
    }
    verdicts
}

/// Calls that are treated alike.
pub(super) struct Group {
    pub(super) calls: &'static [c_long],
    pub(super) nested: Verdict,
    pub(super) standard: Verdict,
}

pub(super) const GROUPS: &[Group] = &[
    allowed(FILES),
    allowed(FILES_OF_ONE_ARCHITECTURE),
    allowed(DESCRIPTORS),
    allowed(DESCRIPTORS_OF_ONE_ARCHITECTURE),
    allowed(MEMORY),
    allowed(PROCESSES),
    allowed(PROCESSES_OF_ONE_ARCHITECTURE),
    allowed(TRACING),
    allowed(IDENTITY),
    allowed(SCHEDULING),
    allowed(TIME),
    allowed(TIME_OF_ONE_ARCHITECTURE),
    allowed(MESSAGES),
    allowed(NETWORK),
    allowed(RESTRAINT),
    inspected(&[SYS_fchmod], Call::Mode(1)),
    inspected(&[SYS_fchmodat, FCHMODAT2, SYS_mknodat], Call::Mode(2)),
    inspected(&[SYS_openat], Call::Open { flags: 2, mode: 3 }),
    inspected(MODES_OF_ONE_ARCHITECTURE, Call::Mode(1)),
    inspected(OPENING_OF_ONE_ARCHITECTURE, Call::Open { flags: 1, mode: 2 }),
    inspected(&[SYS_ioctl], Call::Ioctl),
    inspected(&[SYS_personality], Call::Personality),
    inspected(&[SYS_socket], Call::Socket),
    inspected(&[SYS_socketpair], Call::Socketpair),
    Group { calls: &[SYS_clone], nested: Verdict::Allow, standard: Verdict::Inspect(Call::Clone) },
    Group { calls: &[SYS_unshare], nested: Verdict::Allow, standard: Verdict::Inspect(Call::Unshare) },
    Group { calls: OWN_WORLD, nested: Verdict::Allow, standard: REFUSED },
    Group { calls: NEW_MOUNTS, nested: Verdict::Refuse(libc::ENOSYS), standard: REFUSED },
    refused(KEYRINGS),
    refused(UNSEEN_REQUESTS),
    refused(INSIDES_OF_THE_KERNEL),
    refused(THE_MACHINE),
    refused(THE_MACHINE_OF_ONE_ARCHITECTURE),
    refused(AROUND_PATHS),
    refused(OTHERS),
];

const REFUSED: Verdict = Verdict::Refuse(libc::EPERM);

const fn allowed(calls: &'static [c_long]) -> Group {
    Group { calls, nested: Verdict::Allow, standard: Verdict::Allow }
}

const fn inspected(calls: &'static [c_long], call: Call) -> Group {
    Group { calls, nested: Verdict::Inspect(call), standard: Verdict::Inspect(call) }
}

const fn refused(calls: &'static [c_long]) -> Group {
    Group { calls, nested: REFUSED, standard: REFUSED }
}

/// Files by their paths. The mounts, the owners and Landlock say which.
///
/// Those that give a file its mode are looked at, below. `mknodat` is for pipes; the kernel makes no devices for whoever lacks
/// the right to on the whole machine. A handle from `name_to_handle_at` compares files; opening one is refused. `openat2`
/// stands nowhere, and so is unknown: the mode of what it makes lies in memory, where a filter cannot look. Libraries fall
/// back to `openat`.
const FILES: &[c_long] = &[
    SYS_chdir,
    SYS_faccessat,
    SYS_faccessat2,
    SYS_fchdir,
    SYS_fchown,
    SYS_fchownat,
    FILE_GETATTR,
    SYS_fstat,
    SYS_fstatfs,
    SYS_ftruncate,
    SYS_getcwd,
    SYS_getdents64,
    SYS_getxattr,
    GETXATTRAT,
    SYS_fgetxattr,
    SYS_flistxattr,
    SYS_fremovexattr,
    SYS_fsetxattr,
    SYS_inotify_add_watch,
    SYS_inotify_init1,
    SYS_inotify_rm_watch,
    SYS_lgetxattr,
    SYS_linkat,
    SYS_listxattr,
    LISTXATTRAT,
    SYS_llistxattr,
    SYS_lremovexattr,
    SYS_lsetxattr,
    SYS_mkdirat,
    SYS_name_to_handle_at,
    SYS_newfstatat,
    SYS_readlinkat,
    SYS_removexattr,
    REMOVEXATTRAT,
    SYS_renameat2,
    SYS_setxattr,
    SETXATTRAT,
    SYS_statfs,
    SYS_statx,
    SYS_symlinkat,
    SYS_truncate,
    SYS_umask,
    SYS_unlinkat,
    SYS_utimensat,
];

/// `chmod`, `creat` and `mknod`, which newer architectures never had.
#[cfg(target_arch = "x86_64")]
const MODES_OF_ONE_ARCHITECTURE: &[c_long] = &[libc::SYS_chmod, libc::SYS_creat, libc::SYS_mknod];
#[cfg(target_arch = "aarch64")]
const MODES_OF_ONE_ARCHITECTURE: &[c_long] = &[];

#[cfg(target_arch = "x86_64")]
const OPENING_OF_ONE_ARCHITECTURE: &[c_long] = &[libc::SYS_open];
#[cfg(target_arch = "aarch64")]
const OPENING_OF_ONE_ARCHITECTURE: &[c_long] = &[];

/// What newer architectures never had under these names.
#[cfg(target_arch = "x86_64")]
const FILES_OF_ONE_ARCHITECTURE: &[c_long] = &[
    libc::SYS_access,
    libc::SYS_chown,
    libc::SYS_futimesat,
    libc::SYS_getdents,
    libc::SYS_inotify_init,
    libc::SYS_lchown,
    libc::SYS_link,
    libc::SYS_lstat,
    libc::SYS_mkdir,
    libc::SYS_readlink,
    libc::SYS_rename,
    libc::SYS_renameat,
    libc::SYS_rmdir,
    libc::SYS_stat,
    libc::SYS_symlink,
    libc::SYS_unlink,
    libc::SYS_utime,
    libc::SYS_utimes,
];
/// `renameat`, which the C library's table lacks.
#[cfg(target_arch = "aarch64")]
const FILES_OF_ONE_ARCHITECTURE: &[c_long] = &[38];

/// Files, pipes and bells that are open. `vmsplice` and the like move bytes that the caller could have copied.
///
/// The first kind of asynchronous input and output (`io_setup` …) is what databases use; each request is checked like the
/// call it stands for.
const DESCRIPTORS: &[c_long] = &[
    CACHESTAT,
    SYS_close,
    SYS_close_range,
    SYS_copy_file_range,
    SYS_dup,
    SYS_dup3,
    SYS_epoll_create1,
    SYS_epoll_ctl,
    SYS_epoll_pwait,
    SYS_epoll_pwait2,
    SYS_eventfd2,
    SYS_fadvise64,
    SYS_fallocate,
    SYS_fcntl,
    SYS_fdatasync,
    SYS_flock,
    SYS_fsync,
    SYS_io_cancel,
    SYS_io_destroy,
    SYS_io_getevents,
    IO_PGETEVENTS,
    SYS_io_setup,
    SYS_io_submit,
    SYS_lseek,
    SYS_pipe2,
    SYS_ppoll,
    SYS_pread64,
    SYS_preadv,
    SYS_preadv2,
    SYS_pselect6,
    SYS_pwrite64,
    SYS_pwritev,
    SYS_pwritev2,
    SYS_read,
    SYS_readahead,
    SYS_readv,
    SYS_sendfile,
    SYS_signalfd4,
    SYS_splice,
    SYS_sync,
    SYNC_FILE_RANGE,
    SYS_syncfs,
    SYS_tee,
    SYS_vmsplice,
    SYS_write,
    SYS_writev,
];

#[cfg(target_arch = "x86_64")]
const DESCRIPTORS_OF_ONE_ARCHITECTURE: &[c_long] = &[
    libc::SYS_dup2,
    libc::SYS_epoll_create,
    libc::SYS_epoll_wait,
    libc::SYS_eventfd,
    libc::SYS_pipe,
    libc::SYS_poll,
    libc::SYS_select,
    libc::SYS_signalfd,
];
#[cfg(target_arch = "aarch64")]
const DESCRIPTORS_OF_ONE_ARCHITECTURE: &[c_long] = &[];

/// A program's own memory, its protection and where it lies.
const MEMORY: &[c_long] = &[
    SYS_brk,
    SYS_get_mempolicy,
    SYS_madvise,
    MAP_SHADOW_STACK,
    SYS_mbind,
    SYS_membarrier,
    SYS_memfd_create,
    SYS_memfd_secret,
    SYS_mincore,
    SYS_mlock,
    SYS_mlock2,
    SYS_mlockall,
    SYS_mmap,
    SYS_mprotect,
    SYS_mremap,
    MSEAL,
    SYS_msync,
    SYS_munlock,
    SYS_munlockall,
    SYS_munmap,
    SYS_pkey_alloc,
    SYS_pkey_free,
    SYS_pkey_mprotect,
    SYS_remap_file_pages,
    SYS_set_mempolicy,
    SYS_set_mempolicy_home_node,
];

/// Processes, threads and signals. Whom they can name is up to the process namespace.
///
/// `clone3` stands nowhere, and so is unknown: its flags lie in memory, where a filter cannot look. Libraries fall back to
/// `clone`.
const PROCESSES: &[c_long] = &[
    SYS_execve,
    SYS_execveat,
    SYS_exit,
    SYS_exit_group,
    SYS_futex,
    FUTEX_REQUEUE,
    FUTEX_WAIT,
    SYS_futex_waitv,
    FUTEX_WAKE,
    SYS_get_robust_list,
    SYS_getpgid,
    SYS_getpid,
    SYS_getppid,
    SYS_getsid,
    SYS_gettid,
    SYS_kill,
    SYS_pidfd_open,
    SYS_pidfd_send_signal,
    SYS_prctl,
    SYS_process_madvise,
    SYS_process_mrelease,
    SYS_restart_syscall,
    SYS_rseq,
    SYS_rt_sigaction,
    SYS_rt_sigpending,
    SYS_rt_sigprocmask,
    SYS_rt_sigqueueinfo,
    SYS_rt_sigreturn,
    SYS_rt_sigsuspend,
    SYS_rt_sigtimedwait,
    SYS_rt_tgsigqueueinfo,
    SYS_set_robust_list,
    SYS_set_tid_address,
    SYS_setpgid,
    SYS_setsid,
    SYS_sigaltstack,
    SYS_tgkill,
    SYS_tkill,
    SYS_wait4,
    SYS_waitid,
];

#[cfg(target_arch = "x86_64")]
const PROCESSES_OF_ONE_ARCHITECTURE: &[c_long] = &[
    libc::SYS_arch_prctl,
    libc::SYS_fork,
    libc::SYS_getpgrp,
    libc::SYS_pause,
    libc::SYS_vfork,
    libc::SYS_getrlimit,
    libc::SYS_setrlimit,
];
/// `getrlimit` and `setrlimit`, which the C library's table lacks.
#[cfg(target_arch = "aarch64")]
const PROCESSES_OF_ONE_ARCHITECTURE: &[c_long] = &[163, 164];

/// Debuggers, `strace`, and the leak checks of the sanitisers, which trace their own parent.
///
/// A filter cannot tell whom a number names, but the process namespace can: nobody outside has one. Within, whoever
/// traces could have been the traced one anyway: all have the same rights, and since Linux 4.8 a traced call is filtered
/// after the tracer has changed it. What watches over the sandbox from within is not dumpable, hence not traceable.
const TRACING: &[c_long] = &[SYS_process_vm_readv, SYS_process_vm_writev, SYS_ptrace];

/// Who one is. Nobody here has the right to become somebody whom the user namespace does not map.
const IDENTITY: &[c_long] = &[
    SYS_capget,
    SYS_capset,
    SYS_getegid,
    SYS_geteuid,
    SYS_getgid,
    SYS_getgroups,
    SYS_getresgid,
    SYS_getresuid,
    SYS_getuid,
    SYS_setfsgid,
    SYS_setfsuid,
    SYS_setgid,
    SYS_setgroups,
    SYS_setregid,
    SYS_setresgid,
    SYS_setresuid,
    SYS_setreuid,
    SYS_setuid,
];

/// Priorities, limits (which can only be lowered) and what the machine is.
const SCHEDULING: &[c_long] = &[
    SYS_getcpu,
    SYS_getpriority,
    SYS_getrandom,
    SYS_getrusage,
    SYS_ioprio_get,
    SYS_ioprio_set,
    SYS_prlimit64,
    SYS_sched_get_priority_max,
    SYS_sched_get_priority_min,
    SYS_sched_getaffinity,
    SYS_sched_getattr,
    SYS_sched_getparam,
    SYS_sched_getscheduler,
    SYS_sched_rr_get_interval,
    SYS_sched_setaffinity,
    SYS_sched_setattr,
    SYS_sched_setparam,
    SYS_sched_setscheduler,
    SYS_sched_yield,
    SYS_setpriority,
    SYS_sysinfo,
    SYS_uname,
];

/// Clocks that are read, and timers.
const TIME: &[c_long] = &[
    SYS_clock_getres,
    SYS_clock_gettime,
    SYS_clock_nanosleep,
    SYS_getitimer,
    SYS_gettimeofday,
    SYS_nanosleep,
    SYS_setitimer,
    SYS_timer_create,
    SYS_timer_delete,
    SYS_timer_getoverrun,
    SYS_timer_gettime,
    SYS_timer_settime,
    SYS_timerfd_create,
    SYS_timerfd_gettime,
    SYS_timerfd_settime,
    SYS_times,
];

#[cfg(target_arch = "x86_64")]
const TIME_OF_ONE_ARCHITECTURE: &[c_long] = &[libc::SYS_alarm, libc::SYS_time];
#[cfg(target_arch = "aarch64")]
const TIME_OF_ONE_ARCHITECTURE: &[c_long] = &[];

/// Queues, semaphores and shared memory, of the sandbox's own: `PostgreSQL` starts with shared memory.
const MESSAGES: &[c_long] = &[
    SYS_mq_getsetattr,
    SYS_mq_notify,
    SYS_mq_open,
    SYS_mq_timedreceive,
    SYS_mq_timedsend,
    SYS_mq_unlink,
    SYS_msgctl,
    SYS_msgget,
    SYS_msgrcv,
    SYS_msgsnd,
    SYS_semctl,
    SYS_semget,
    SYS_semop,
    SYS_semtimedop,
    SYS_shmat,
    SYS_shmctl,
    SYS_shmdt,
    SYS_shmget,
];

/// Sockets that are there already. Which there can be is looked at when they are made.
const NETWORK: &[c_long] = &[
    SYS_accept,
    SYS_accept4,
    SYS_bind,
    SYS_connect,
    SYS_getpeername,
    SYS_getsockname,
    SYS_getsockopt,
    SYS_listen,
    SYS_recvfrom,
    SYS_recvmmsg,
    SYS_recvmsg,
    SYS_sendmmsg,
    SYS_sendmsg,
    SYS_sendto,
    SYS_setsockopt,
    SYS_shutdown,
];

/// What a program confines itself with further.
const RESTRAINT: &[c_long] =
    &[SYS_landlock_add_rule, SYS_landlock_create_ruleset, SYS_landlock_restrict_self, SYS_seccomp];

/// What a tool that sandboxes others does to the namespaces it has made. Everybody else has no business with mounts.
const OWN_WORLD: &[c_long] =
    &[SYS_chroot, SYS_mount, SYS_pivot_root, SYS_setdomainname, SYS_sethostname, SYS_setns, SYS_umount2];

/// The newer ways to mount. They are unknown to tools that may mount, which fall back to `mount`: the parsers of mount
/// options behind `fsconfig` have let people out of containers before.
const NEW_MOUNTS: &[c_long] = &[
    SYS_fsconfig,
    SYS_fsmount,
    SYS_fsopen,
    SYS_fspick,
    SYS_mount_setattr,
    SYS_move_mount,
    SYS_open_tree,
    OPEN_TREE_ATTR,
];

/// Keyrings belong to users, not to namespaces: they hold tickets and disk keys of the whole login.
const KEYRINGS: &[c_long] = &[SYS_add_key, SYS_keyctl, SYS_request_key];

/// Requests that the kernel carries out by itself: no filter sees them, so none of what stands here would hold.
const UNSEEN_REQUESTS: &[c_long] = &[SYS_io_uring_enter, SYS_io_uring_register, SYS_io_uring_setup];

/// Programs in the kernel, counters that show others' secrets, and page faults that stop the kernel midway: each a
/// favourite of those who break it.
const INSIDES_OF_THE_KERNEL: &[c_long] =
    &[SYS_bpf, SYS_lookup_dcookie, SYS_perf_event_open, SYS_syslog, SYS_userfaultfd];

/// What is the machine's: its kernel, modules, clock, swap, quotas, accounts, terminals.
///
/// Asking for the clock's state and setting it are one call, `adjtimex`, told apart by what a pointer leads to.
const THE_MACHINE: &[c_long] = &[
    SYS_acct,
    SYS_adjtimex,
    SYS_clock_adjtime,
    SYS_clock_settime,
    SYS_delete_module,
    SYS_finit_module,
    SYS_init_module,
    KEXEC_FILE_LOAD,
    SYS_kexec_load,
    SYS_nfsservctl,
    SYS_quotactl,
    SYS_quotactl_fd,
    SYS_reboot,
    SYS_settimeofday,
    SYS_swapoff,
    SYS_swapon,
    SYS_vhangup,
];

/// Ports of the hardware, and segments of memory from the age of 16 bits.
#[cfg(target_arch = "x86_64")]
const THE_MACHINE_OF_ONE_ARCHITECTURE: &[c_long] =
    &[libc::SYS_ioperm, libc::SYS_iopl, libc::SYS_modify_ldt, libc::SYS_uselib];
#[cfg(target_arch = "aarch64")]
const THE_MACHINE_OF_ONE_ARCHITECTURE: &[c_long] = &[];

/// Files without a path: a handle names any file of a file system, mounted here or not. `fanotify` reports on whole mounts.
const AROUND_PATHS: &[c_long] = &[SYS_fanotify_init, SYS_fanotify_mark, SYS_open_by_handle_at];

/// Other processes' descriptors and insides, which no debugger needs these for, and their pages.
const OTHERS: &[c_long] = &[SYS_kcmp, SYS_migrate_pages, SYS_move_pages, SYS_pidfd_getfd];

const CACHESTAT: c_long = 451;
const FCHMODAT2: c_long = 452;
const MAP_SHADOW_STACK: c_long = 453;
const FUTEX_WAKE: c_long = 454;
const FUTEX_WAIT: c_long = 455;
const FUTEX_REQUEUE: c_long = 456;
const MSEAL: c_long = 462;
const SETXATTRAT: c_long = 463;
const GETXATTRAT: c_long = 464;
const LISTXATTRAT: c_long = 465;
const REMOVEXATTRAT: c_long = 466;
const OPEN_TREE_ATTR: c_long = 467;
const FILE_GETATTR: c_long = 468;

#[cfg(target_arch = "x86_64")]
const IO_PGETEVENTS: c_long = 333;
#[cfg(target_arch = "aarch64")]
const IO_PGETEVENTS: c_long = 292;

#[cfg(target_arch = "x86_64")]
const SYNC_FILE_RANGE: c_long = 277;
#[cfg(target_arch = "aarch64")]
const SYNC_FILE_RANGE: c_long = 84;

#[cfg(target_arch = "x86_64")]
const KEXEC_FILE_LOAD: c_long = 320;
#[cfg(target_arch = "aarch64")]
const KEXEC_FILE_LOAD: c_long = 294;

#[cfg(not(any(target_arch = "aarch64", target_arch = "x86_64")))]
compile_error!("the filter of system calls knows the numbers of x86_64 and aarch64 only");
