//! Whatever is called a secret.

use crate::environment::family::{Family, Passing};

/// Whatever is called a secret.
///
/// Some words count wherever they stand, as in `MYTOKEN`; short ones only as whole words, so that `KEYBOARD`, `MONKEY` and
/// `COMPASS` are none. A name that is caught by mistake costs a line in `terminal.env_passthrough`; one that is let through by
/// mistake costs the secret. So mistakes are kept by name, never by pattern.
pub(super) static FAMILY: Family = Family {
    name: "secret",
    what: "a secret, by its name",
    passing: Passing::Declared,
    parts: &[
        "ACCESS_KEY",
        "APIKEY",
        "API_KEY",
        "BEARER",
        "COOKIE",
        "CREDENTIAL",
        "PASSCODE",
        "PASSPHRASE",
        "PASSWD",
        "PASSWORD",
        "PRIVATE_KEY",
        "SECRET",
        "TOKEN",
        "WEBHOOK",
    ],
    words: &[
        "AUTH", "CRED", "CREDS", "DSN", "HMAC", "JWT", "KEY", "KEYS", "OAUTH", "OTP", "PASS", "PAT", "PSK",
        "PWD", "TOTP",
    ],
    kept: &[
        // Where one is and where one was.
        "PWD",
        // The way to a person's keys, not a key. It is found in the temporary directory without being told, and without it
        // `git fetch` fails; what is done with it is judged when it is done. Scripts and servers do not get it.
        "SSH_AUTH_SOCK",
        // Whether a library splits text in parallel.
        "TOKENIZERS_PARALLELISM",
    ],
    examples: &[
        "MY_CUSTOM_KEY",
        "ANOTHER_TOKEN",
        "SOMETOKEN",
        "SECRET",
        "APP_SECRET_KEY_BASE",
        "DB_PASS",
        "FTP_PWD",
        "ADMIN_PASSWORD",
        "ROOT_PASSWD",
        "GPG_PASSPHRASE",
        "SERVICE_CREDENTIALS_JSON",
        "PROXY_AUTH",
        "SIGNING_KEY",
        "API_KEY2",
        "KEYS",
        "MyApiKey",
        "SESSION_COOKIE",
        "AZP_PAT",
        "X_JWT",
        "VAULT-KEY",
        "token",
    ],
    near_misses: &[
        "PWD",
        "OLDPWD",
        "SSH_AUTH_SOCK",
        "TOKENIZERS_PARALLELISM",
        "KEYBOARD",
        "KEYMAP",
        "XKEYSYMDB",
        "MONKEY_PATCH",
        "COMPASS_DIR",
        "BYPASS_CACHE",
        "PASSENGER_APP_ENV",
        "XAUTHORITY",
        "GIT_AUTHOR_EMAIL",
        "XDG_SESSION_ID",
        "DBUS_SESSION_BUS_ADDRESS",
        "PATH",
        "PATTERN",
        "GPG_TTY",
        "GNUPGHOME",
    ],
    ..Family::EMPTY
};
