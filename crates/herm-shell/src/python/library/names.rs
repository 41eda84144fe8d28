//! Names of modules and of what they hold.

use std::rc::Rc;

use super::table::DEEDS;

/// Modules, and parts of modules, that are known under another name.
const ALIASES: &[(&str, &str)] = &[
    ("posix", "os"),
    ("nt", "os"),
    ("posixpath", "os.path"),
    ("ntpath", "os.path"),
    ("genericpath", "os.path"),
    ("_io", "io"),
    ("__builtin__", "builtins"),
    ("_socket", "socket"),
    ("_posixsubprocess", "subprocess"),
    ("_pickle", "pickle"),
    ("cPickle", "pickle"),
    ("_thread", "thread"),
    ("urllib2", "urllib.request"),
    ("urllib.urlopen", "urllib.request.urlopen"),
    ("urllib.urlretrieve", "urllib.request.urlretrieve"),
    ("commands", "subprocess"),
    ("pathlib2", "pathlib"),
    ("pathlib.PosixPath", "pathlib.Path"),
    ("pathlib.PurePath", "pathlib.Path"),
    ("pathlib.PurePosixPath", "pathlib.Path"),
    ("multiprocess", "multiprocessing"),
    ("subprocess32", "subprocess"),
    ("httplib", "http.client"),
    ("io.open", "builtins.open"),
    ("io.open_code", "builtins.open"),
    ("codecs.open", "builtins.open"),
    ("bz2.open", "builtins.open"),
    ("gzip.open", "builtins.open"),
    ("lzma.open", "builtins.open"),
    ("tokenize.open", "builtins.open"),
    ("aiofiles.open", "builtins.open"),
    ("io.FileIO", "builtins.open"),
    ("builtins.file", "builtins.open"),
    ("httpx.Client", "requests.Session"),
    ("httpx.AsyncClient", "requests.Session"),
    ("aiohttp.ClientSession", "requests.Session"),
    ("urllib3.PoolManager", "requests.Session"),
    ("requests.session", "requests.Session"),
    ("cloudpickle", "pickle"),
    ("dill", "pickle"),
    ("_pickle", "pickle"),
    ("ruamel.yaml", "yaml"),
    ("oyaml", "yaml"),
    ("asyncio.subprocess.create_subprocess_shell", "asyncio.create_subprocess_shell"),
    ("importlib.__import__", "builtins.__import__"),
    ("os.environb", "os.environ"),
    ("os.getenvb", "os.getenv"),
    ("os.popen2", "os.popen"),
    ("os.popen3", "os.popen"),
    ("os.popen4", "os.popen"),
    ("multiprocessing.pool.Pool", "multiprocessing.Pool"),
    ("multiprocessing.pool.ThreadPool", "multiprocessing.Pool"),
    ("multiprocessing.dummy.Pool", "multiprocessing.Pool"),
    ("multiprocessing.context.Process", "multiprocessing.Process"),
    ("concurrent.futures.thread.ThreadPoolExecutor", "concurrent.futures.ThreadPoolExecutor"),
    ("six.moves.urllib", "urllib"),
    ("six.moves.builtins", "builtins"),
];

/// The one name under which something is described.
pub(in crate::python) fn canonical(name: &str) -> Rc<str> {
    let mut name = name.to_owned();
    for (alias, plain) in ALIASES {
        // Most differ in the first letter already.
        if alias.as_bytes().first() == name.as_bytes().first()
            && let Some(rest) = name.strip_prefix(alias)
            && (rest.is_empty() || rest.starts_with('.'))
        {
            name = format!("{plain}{rest}");
        }
    }
    if let Some(rest) = name.strip_prefix("httpx.")
        && matches!(rest, "get" | "post" | "put" | "patch" | "delete" | "head" | "request" | "stream")
    {
        name = format!("requests.{rest}");
    }
    Rc::from(name)
}

/// Modules that matter even when their import was not seen.
const MODULES: &[&str] = &[
    "asyncio",
    "atexit",
    "base64",
    "binascii",
    "builtins",
    "bz2",
    "code",
    "codecs",
    "concurrent",
    "ctypes",
    "fileinput",
    "ftplib",
    "functools",
    "getpass",
    "glob",
    "gzip",
    "http",
    "httpx",
    "importlib",
    "io",
    "itertools",
    "json",
    "linecache",
    "marshal",
    "multiprocessing",
    "operator",
    "os",
    "os.path",
    "pathlib",
    "pickle",
    "platform",
    "posix",
    "pty",
    "requests",
    "runpy",
    "shlex",
    "shutil",
    "signal",
    "smtplib",
    "socket",
    "sqlite3",
    "stat",
    "string",
    "subprocess",
    "sys",
    "tarfile",
    "tempfile",
    "threading",
    "timeit",
    "types",
    "urllib",
    "winreg",
    "yaml",
    "zipfile",
    "zlib",
];

/// Modules that other modules import, and through which they can be reached.
const CORE: &[&str] = &[
    "builtins",
    "codecs",
    "importlib",
    "io",
    "os",
    "pathlib",
    "posix",
    "shutil",
    "socket",
    "subprocess",
    "sys",
];

/// Whether this is a module of which something is described.
pub(in crate::python) fn is_module(name: &str) -> bool {
    MODULES.contains(&name)
}

/// Those of which no library has a part of the same name.
const UNMISTAKABLE: &[&str] = &["builtins", "os", "posix", "shutil", "subprocess", "sys"];

/// The module that another one has under this name because it imports it.
pub(in crate::python) fn core_module<'n>(module: &str, name: &'n str) -> Option<&'n str> {
    let plain = name.strip_prefix('_').unwrap_or(name);
    let leads = UNMISTAKABLE.contains(&plain) || is_module(module) && CORE.contains(&plain);
    (leads && module != plain && !module.is_empty()).then_some(plain)
}

/// Whether Python knows this name without an import.
pub(in crate::python) fn is_builtin(name: &str) -> bool {
    let plain = [
        "isinstance",
        "issubclass",
        "hasattr",
        "callable",
        "id",
        "hash",
        "Exception",
        "object",
        "slice",
        "complex",
        "float",
        "bool",
    ];
    plain.contains(&name) || super::describes(&format!("builtins.{name}"))
}

/// The names of a module that are described.
pub(in crate::python) fn names_in(module: &str) -> impl Iterator<Item = &'static str> {
    let module = format!("{module}.");
    let first = DEEDS.partition_point(|(known, _)| *known < module.as_str());
    let deeds = DEEDS.get(first..).unwrap_or_default();
    deeds
        .iter()
        .map_while(move |(known, _)| known.strip_prefix(module.as_str()))
        .filter(|rest| !rest.contains('.'))
}

/// A constant that is a text.
pub(in crate::python) fn constant_text(module: &str, name: &str) -> Option<&'static str> {
    Some(match (module, name) {
        ("os" | "os.path", "sep") => "/",
        ("os" | "os.path", "curdir") => ".",
        ("os" | "os.path", "pardir") => "..",
        ("os" | "os.path", "devnull") => "/dev/null",
        ("os" | "os.path", "pathsep") => ":",
        ("os", "linesep") => "\n",
        ("sys", "builtin_module_names") => "('builtins', 'sys')",
        ("sys", "executable" | "_base_executable") => "python3",
        ("string", "ascii_lowercase") => "abcdefghijklmnopqrstuvwxyz",
        ("string", "ascii_uppercase") => "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
        ("string", "ascii_letters") => "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
        ("string", "digits") => "0123456789",
        ("string", "hexdigits") => "0123456789abcdefABCDEF",
        ("string", "punctuation") => "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~",
        ("string", "printable") => {
            "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~ \t\n\r\x0b\x0c"
        }
        _ => return None,
    })
}

/// A constant that is a number, as Linux has it.
pub(in crate::python) fn constant_number(module: &str, name: &str) -> Option<i64> {
    let length = module.len() + 1 + name.len();
    let is_it = |known: &str| {
        known.len() == length
            && known.strip_prefix(module).and_then(|rest| rest.strip_prefix('.')) == Some(name)
    };
    NUMBERS.iter().find(|(known, _)| is_it(known)).map(|(_, number)| *number)
}

const NUMBERS: &[(&str, i64)] = &[
    ("asyncio.subprocess.PIPE", -1),
    ("os.O_APPEND", 0o2000),
    ("os.O_CREAT", 0o100),
    ("os.O_RDONLY", 0),
    ("os.O_RDWR", 2),
    ("os.O_TRUNC", 0o1000),
    ("os.O_WRONLY", 1),
    ("os.P_NOWAIT", 0),
    ("os.P_WAIT", 0),
    ("signal.SIGHUP", 1),
    ("signal.SIGINT", 2),
    ("signal.SIGKILL", 9),
    ("signal.SIGQUIT", 3),
    ("signal.SIGTERM", 15),
    ("signal.SIGUSR1", 10),
    ("signal.SIGUSR2", 12),
    ("signal.Signals.SIGHUP", 1),
    ("signal.Signals.SIGINT", 2),
    ("signal.Signals.SIGKILL", 9),
    ("signal.Signals.SIGQUIT", 3),
    ("signal.Signals.SIGTERM", 15),
    ("signal.Signals.SIGUSR1", 10),
    ("signal.Signals.SIGUSR2", 12),
    ("stat.S_IEXEC", 0o100),
    ("stat.S_IRGRP", 0o040),
    ("stat.S_IROTH", 0o004),
    ("stat.S_IRUSR", 0o400),
    ("stat.S_IRWXG", 0o070),
    ("stat.S_IRWXO", 0o007),
    ("stat.S_IRWXU", 0o700),
    ("stat.S_ISGID", 0o2000),
    ("stat.S_ISUID", 0o4000),
    ("stat.S_IWGRP", 0o020),
    ("stat.S_IWOTH", 0o002),
    ("stat.S_IWUSR", 0o200),
    ("stat.S_IXGRP", 0o010),
    ("stat.S_IXOTH", 0o001),
    ("stat.S_IXUSR", 0o100),
    ("subprocess.DEVNULL", -3),
    ("subprocess.PIPE", -1),
    ("subprocess.STDOUT", -2),
];
