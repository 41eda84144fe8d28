//! Disks, partitions, volumes, file systems, mounts.

use super::arguments::Parsed;
use super::operands::named;
use super::schema::{
    Aim, Deed, Do, Operands, Opt, Program, Role, Syntax, attached, deed, flag, program, quiet, value,
    value_does,
};
use crate::effect::{Flags, Verb};
use crate::lang::Lang;
use crate::sink::Sink;

const HELP: Opt = flag("--help --version", Do::Stop);
const WIPE: Deed = deed(Verb::Format, Aim::Paths, Flags::IRREVERSIBLE);
const VOLUME: Deed = deed(Verb::Format, Aim::Each("volume group"), Flags::IRREVERSIBLE);
const FILE_SYSTEM: Deed = deed(Verb::Format, Aim::Each("file system"), Flags::IRREVERSIBLE);
const CHANGE_VOLUME: Deed = deed(Verb::Configure, Aim::Each("volume group"), Flags::NONE);
const CHANGE_FILE_SYSTEM: Deed = deed(Verb::Configure, Aim::Each("file system"), Flags::NONE);
const CHANGE_DEVICE: Deed = deed(Verb::Configure, Aim::Each("device"), Flags::NONE);
const LVM: &[Opt] = &[
    HELP,
    flag("-t --test", Do::Stop),
    flag("-f --force", Do::Set(Flags::FORCE)),
    value(
        "-A --autobackup -S --select --config -L --size -l --extents -n --name -s -c --pvs -i --stripes",
        Role::Inert,
    ),
    quiet("-y --yes -v -q -d"),
];

pub(super) static PROGRAMS: &[Program] = &[
    program(&["mkfs", "mkfs.*", "mke2fs", "mkswap", "mkdosfs", "mkntfs", "mkexfatfs", "mkreiserfs", "mkudffs", "newfs", "newfs_*"])
        .options(&[
            flag("--help --version -V -n --dry-run", Do::Stop),
            value("-t --type -b -L --label -N -m -i -I -O -E -U --uuid -J -d -s -S -g -G -r -T -e -o -p --pagesize", Role::Inert),
            quiet("-F -f --force -q -v -c -j -K -D"),
        ])
        .does(&[WIPE]),
    program(&["wipefs"]).options(&[
        flag("--help --version -n --no-act", Do::Stop),
        flag("-a --all", Do::Emit(WIPE)),
        value_does("-o --offset", Do::Emit(WIPE)),
        value("-t --types -O --output", Role::Inert),
        attached("-b --backup", Do::Nothing),
        quiet("-f --force -q -i -J -p"),
    ]),
    program(&["blkdiscard", "blkzone"]).options(&[HELP, value("-o --offset -l --length -p --step", Role::Inert), quiet("-f -s -z -v")]).does(&[WIPE]),
    program(&["gdisk", "cgdisk", "cfdisk"]).operands(Operands::None).refine(partition),
    program(&["fdisk", "sfdisk"])
        .options(&[
            flag("--help --version -l --list -d --dump -J --json -s --show-size -g --show-geometry -T --list-types -F --list-free -n --no-act -x --list-details -V --verify", Do::Nothing),
            value("-b --sector-size -C --cylinders -H --heads -S --sectors -t --type -o --output -N --partno -O --backup-file -Y --label", Role::Inert),
            quiet("--delete --force -f -w -c -u -B -L -a --append -q"),
        ])
        .operands(Operands::None)
        .refine(partition),
    program(&["sgdisk"]).options(&[
        flag("--help --version -P --pretend", Do::Stop),
        flag("-Z --zap-all -z --zap -o --clear -g --mbrtogpt -s --sort -G --randomize-guids -e --move-second-header", Do::Emit(WIPE)),
        value_does("-n --new -d --delete -t --typecode -l --load-backup -R --replicate -m --gpttombr -r --transpose -N --largest-new -A --attributes -u --partition-guid -U --disk-guid -c --change-name -h --hybrid", Do::Emit(WIPE)),
        value("-b --backup", Role::Write),
        value("-i --info -a --set-alignment", Role::Inert),
        quiet("-p --print -v --verify -L -E -F -f -D -S -O"),
    ]),
    program(&["parted", "gparted"])
        .options(&[flag("--help --version -l --list", Do::Stop), value("-a --align", Role::Inert), quiet("-s --script -m --machine -f --fix")])
        .operands(Operands::None)
        .refine(parted),
    program(&["cryptsetup", "cryptsetup-reencrypt"])
        .options(&[HELP, value("-c --cipher -s --key-size -h --hash -S --key-slot -l --keyfile-size -i --iter-time -M --type --label --uuid --pbkdf -b -o", Role::Inert), value("-d --key-file --header", Role::Read), quiet("-q --batch-mode -v -y --force-password")])
        .subs(&[
            program(&["luksFormat", "erase", "luksErase", "reencrypt", "luksHeaderRestore", "luksKillSlot", "luksRemoveKey", "convert", "resize"]).does(&[WIPE]),
            program(&["open", "luksOpen", "close", "luksClose", "luksAddKey", "luksChangeKey", "luksSuspend", "luksResume", "create", "remove"]).does(&[CHANGE_DEVICE]),
        ]),
    program(&["lvremove", "vgremove", "pvremove"]).options(LVM).does(&[VOLUME]),
    program(&["pvcreate"]).options(LVM).does(&[WIPE]),
    program(&["lvreduce", "vgreduce", "lvresize", "lvconvert", "pvmove", "vgcfgrestore", "vgsplit", "vgmerge", "pvresize", "vgexport", "vgchange", "lvchange", "lvcreate", "vgcreate", "lvextend", "vgextend", "lvrename", "vgrename"])
        .options(LVM)
        .does(&[CHANGE_VOLUME]),
    program(&["lvm"]).syntax(Syntax::FirstOperandEnds).all(Role::Argv),
    program(&["lvs", "vgs", "pvs", "lvdisplay", "vgdisplay", "pvdisplay", "pvscan", "vgscan", "lvscan", "lsblk", "blkid", "findmnt", "smartctl", "dumpe2fs", "swaplabel", "partx", "lsscsi", "e2label", "findfs"]),
    program(&["zpool"]).subs(&[
        program(&["destroy", "labelclear"]).options(&[quiet("-f")]).does(&[VOLUME]),
        program(&["create"]).options(&[quiet("-f"), value("-o -O -m -R -t", Role::Inert), flag("-n", Do::Stop)]).does(&[VOLUME]),
        program(&["add", "attach", "detach", "offline", "remove", "replace", "export", "split", "clear", "rollback", "import", "set", "upgrade"]).does(&[CHANGE_VOLUME]),
    ]),
    program(&["zfs"]).subs(&[
        program(&["destroy"]).options(&[flag("-n", Do::Stop), flag("-r -R", Do::Set(Flags::RECURSIVE)), quiet("-f -p -v -d")]).does(&[FILE_SYSTEM]),
        program(&["rollback", "unmount", "umount", "promote", "rename", "set", "inherit", "recv", "receive", "mount"]).does(&[CHANGE_FILE_SYSTEM]),
    ]),
    program(&["btrfs"]).shortened().subs(&[
        program(&["subvolume delete"]).does(&[FILE_SYSTEM]),
        program(&["device delete", "device remove", "replace start", "check", "rescue", "balance start", "filesystem resize"]).does(&[CHANGE_FILE_SYSTEM]),
    ]),
    program(&["mdadm"]).options(&[
        flag("--help --version -D --detail -Q --query -E --examine", Do::Stop),
        flag("--zero-superblock", Do::Emit(WIPE)),
        flag("-C --create -B --build", Do::Emit(WIPE)),
        flag("-S --stop -f --fail -r --remove --set-faulty", Do::Emit(CHANGE_DEVICE)),
        value("-l --level -n --raid-devices -x --spare-devices -c --chunk -m --metadata -N --name", Role::Inert),
    ]),
    program(&["hdparm"]).options(&[
        value("--user-master --fwdownload -B -S -M -s", Role::Inert),
        value_does("--security-erase --security-erase-enhanced --security-set-pass --security-disable --write-sector --make-bad-sector --repair-sector", Do::Emit(WIPE)),
        flag("--trim-sector-ranges --trim-sector-ranges-stdin --dco-restore --sanitize-block-erase --sanitize-crypto-scramble --sanitize-overwrite", Do::Emit(WIPE)),
        quiet("-i -I -t -T -g --yes-i-know-what-i-am-doing --please-destroy-my-drive"),
    ]),
    program(&["nvme"]).subs(&[
        program(&["format", "sanitize", "delete-ns", "write-zeroes", "write-uncor", "write", "dsm", "detach-ns", "create-ns", "security-send"])
            .options(&[value("-n --namespace-id -s --ses -l --lbaf -a --sanact -t --timeout -c -d", Role::Inert), quiet("-f --force")])
            .does(&[WIPE]),
        program(&["fw-download", "fw-commit", "fw-activate", "reset", "subsystem-reset", "set-feature"]).does(&[CHANGE_DEVICE]),
    ]),
    program(&["badblocks"]).options(&[flag("-w", Do::Emit(WIPE)), flag("-n", Do::Emit(CHANGE_DEVICE)), value("-b -c -e -d -o -p -t -i", Role::Inert)]).operands(Operands::Each(&[Role::Inert])),
    program(&["sg_format", "sg_sanitize", "sg_unmap", "nwipe"]).does(&[WIPE]),
    program(&["debugfs"]).options(&[flag("-w", Do::Emit(WIPE)), value("-R", Role::Inert), value("-f", Role::Read), value("-b -s -d", Role::Inert)]).operands(Operands::None).refine(debugfs),
    program(&["tune2fs", "resize2fs", "xfs_growfs", "xfs_admin", "xfs_repair", "e2fsck", "fsck", "fsck.*", "ntfsfix", "ntfsresize", "btrfstune", "reiserfsck", "dosfsck"])
        .options(&[flag("--help --version -l -n -N -V -M -P", Do::Stop), value("-c -C -e -E -i -I -j -J -L -m -o -O -r -T -u -U -t", Role::Inert), quiet("-y -p -a -f -v")])
        .does(&[CHANGE_FILE_SYSTEM]),
    program(&["diskutil"]).subs(&[
        program(&["eraseDisk", "eraseVolume", "erasedisk", "erasevolume", "reformat", "zeroDisk", "randomDisk", "secureErase", "partitionDisk", "resizeVolume", "splitPartition", "mergePartitions", "apfs deleteContainer", "apfs deleteVolume", "apfs eraseVolume", "apfs deleteSnapshot", "coreStorage delete", "cs delete"])
            .does(&[deed(Verb::Format, Aim::Each("device"), Flags::IRREVERSIBLE)]),
        program(&["mount", "unmount", "umount", "eject", "mountDisk", "unmountDisk"]).does(&[deed(Verb::Mount, Aim::Each("mount"), Flags::NONE)]),
    ]),
    program(&["dmsetup"]).options(&[HELP, value("-f --target --select -S -o --options -O --sort --separator", Role::Inert)]).subs(&[
        program(&["ls", "status", "table", "info"]).options(&[value("--exec", Role::Code(Lang::Shell))]),
        program(&["remove", "remove_all", "wipe_table", "clear", "create", "load", "reload", "suspend", "rename"]).does(&[CHANGE_DEVICE]),
    ]),
    program(&["losetup"]).options(&[value("-o --offset -j --associated", Role::Inert), quiet("-a -l -f --find --show -P -d -D -r")]),
    program(&["blockdev"]).options(&[
        flag("--setro --setrw --rereadpt", Do::Emit(CHANGE_DEVICE)),
        value_does("--setra --setfra --setbsz", Do::Emit(CHANGE_DEVICE)),
        quiet("--getsize64 --getsz --getss --getro --getra --report --getbsz --flushbufs"),
    ]),
    program(&["fsfreeze", "fstrim"]).options(&[HELP, flag("-n --dry-run", Do::Stop), quiet("-f -u -a -A -v")]).does(&[CHANGE_FILE_SYSTEM]),
    program(&["mount", "umount", "fusermount", "fusermount3", "pmount", "udisksctl"])
        .options(&[
            flag("--help --version -l --show-labels -V", Do::Nothing),
            value("-t --types -o --options -L --label -U --uuid -O --test-opts -T --fstab -N --namespace -b --block-device", Role::Inert),
            quiet("-a --all -R --recursive"),
            quiet("-f -v -w -r -n --bind --rbind --move -B -M -i -s -z -q -u"),
        ])
        .operands(Operands::None)
        .refine(mount),
    program(&["swapoff", "swapon"]).options(&[flag("--help --version -s --summary --show", Do::Stop), quiet("-a --all -v")]).does(&[deed(Verb::Configure, Aim::Each("swap"), Flags::NONE)]),
    program(&["format", "format.com"]).syntax(Syntax::Words).operands(Operands::None).refine(format),
    program(&["diskpart"]).does(&[deed(Verb::Format, Aim::Kind("device"), Flags::NONE)]),
];

/// Each has options that only list; anything else opens the table for changes.
fn partition(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let lists = match parsed.program {
        "fdisk" => {
            ["-l", "--list", "-s", "--getsz", "-x", "--list-details", "--help", "--version", "-V"].as_slice()
        }
        "gdisk" | "cgdisk" | "cfdisk" => ["-l", "--help", "--version", "-V"].as_slice(),
        _ => &[
            "-l",
            "--list",
            "-d",
            "--dump",
            "-J",
            "--json",
            "-s",
            "--show-size",
            "-g",
            "--show-geometry",
            "-T",
            "--list-types",
            "-F",
            "--list-free",
            "-n",
            "--no-act",
            "-V",
            "--verify",
            "--help",
            "--version",
        ],
    };
    if !parsed.options.iter().any(|given| lists.contains(&given.name.as_str())) {
        super::operands::every(Verb::Format, Flags::IRREVERSIBLE, parsed, sink);
    }
}

/// `parted DEVICE [COMMAND …]`: some commands only print; none given starts a session that can do anything.
fn parted(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let Some(device) = parsed.operand(0) else { return };
    let harmless = parsed.word(1).is_some_and(|command| {
        ["print", "p", "unit", "u", "help", "h", "quit", "q", "version", "align-check", "select"]
            .contains(&command.as_str())
    });
    let changes = parsed.words().any(|word| {
        [
            "mklabel",
            "mktable",
            "mkpart",
            "rm",
            "resizepart",
            "resize",
            "move",
            "set",
            "toggle",
            "name",
            "rescue",
            "disk_set",
            "type",
            "mkfs",
        ]
        .contains(&word.as_str())
    });
    if changes || !harmless {
        sink.path(Verb::Format, device, parsed.flags | Flags::IRREVERSIBLE);
    }
}

/// Without operands it lists what is mounted.
fn mount(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let Some(operand) = parsed.operands.last() else {
        if parsed.has("-a --all -R --recursive") {
            named(Verb::Mount, "mount", "all", parsed.flags | Flags::ALL, sink);
        }
        return;
    };
    named(Verb::Mount, "mount", &operand.value.shown(), parsed.flags, sink);
}

/// Windows' `format C:`; a program of that name with other operands is somebody's formatter.
fn format(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let drive = |word: &String| {
        word.len() == 2 && word.ends_with(':') && word.starts_with(|c: char| c.is_ascii_alphabetic())
    };
    if let Some(drive) = parsed.words().find(drive) {
        named(Verb::Format, "file system", &drive, parsed.flags | Flags::IRREVERSIBLE, sink);
    }
}

/// `debugfs -R 'cat FILE'` reads past the permissions; without a request it is a console with a shell in it.
fn debugfs(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let Some(request) = parsed.value("-R").and_then(crate::value::Value::known) else {
        for code in super::escapes_system::lines_after("!", sink) {
            super::kinds::hook(&crate::value::Value::literal(code), Flags::NONE, sink);
        }
        return super::kinds::console(sink);
    };
    let mut words = request.split_ascii_whitespace();
    if let (Some("cat" | "dump" | "rdump" | "dump_inode"), Some(path)) = (words.next(), words.next()) {
        sink.read(&crate::value::Value::literal(path));
    }
}
