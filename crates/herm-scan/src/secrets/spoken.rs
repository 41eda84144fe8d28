//! Secrets that words announce rather than signs: `The password for ann is …`, `IDENTIFIED BY '…'`, `AUTH …`.

use super::Found;
use super::bytes::{
    ALNUM, BLANK, DASH, DIGIT, DOT, LETTER, LOWER, NEWLINE, QUOTE, SPACE, WORD, before, between, byte,
    contains, from, is, run, until,
};
use super::chosen::{Manner, is_chosen, is_marked};
use super::name::Strength;
use super::plausible::{
    Writing, is_credential, is_made_up, is_password, is_pin, is_plain, is_secret, is_worded,
};
use super::sentence;
use super::value::{self, Value};
use super::{card, coded};

/// Words that a secret may follow, and how to tell.
pub(super) static WORDS: &[(&str, Spoken)] = &[
    ("is ", said),
    ("is: ", said),
    ("BY ", identified),
    ("by '", identified),
    ("AUTH ", sent),
    ("requirepass ", set),
    ("masterauth ", set),
    ("on >", allowed),
    ("PSK \"", shared),
    ("EAP \"", shared),
    ("XAUTH \"", shared),
    ("rootpw ", last_word),
    ("add_user ", last_word),
    ("change_password ", last_word),
    ("community ", community),
    ("rocommunity ", community),
    ("rwcommunity ", community),
    ("ConvertTo-SecureString ", converted),
    ("echo ", piped),
    ("printf ", piped),
    ("net use ", mounted),
    ("Authorization ", authorized),
    ("login(", called),
    ("logon(", called),
    ("signIn(", called),
    ("signin(", called),
    ("authenticate(", called),
    ("auth=(", called),
    ("auth(", called),
    ("BasicAuth(", called),
    ("basicAuth(", called),
    ("HTTPBasicAuth(", called),
    ("HTTPDigestAuth(", called),
    ("SetBasicAuth(", called),
    ("Credentials(", called),
    ("NetworkCredential(", called),
    ("UsernamePasswordCredentials(", called),
    ("PasswordAuthentication(", called),
    ("mysqli(", connected),
    ("connect(", connected),
    ("getConnection(", connected),
    ("PDO(", connected),
    ("DriverManager.getConnection(", connected),
    ("is ", paired),
    ("login: ", paired),
    ("Login: ", paired),
    ("creds: ", paired),
    ("Creds: ", paired),
    ("credentials: ", paired),
    ("Credentials: ", paired),
    ("Zugang: ", paired),
    ("Zugangsdaten: ", paired),
    ("account: ", paired),
    ("hmac", keytab),
    ("admin / ", paired_at),
    ("root / ", paired_at),
    ("user / ", paired_at),
    ("guest / ", paired_at),
    ("administrator / ", paired_at),
    ("PLAIN}", in_scheme),
    ("CLEARTEXT}", in_scheme),
    ("CLEAR}", in_scheme),
    ("RSA ", shared_last),
    ("ECDSA ", shared_last),
    ("stats auth ", of_account),
    ("PSK 0x", shared_bare),
    ("PSK 0s", shared_bare),
    ("PASS ", passed),
    ("LOGIN ", logged_in),
    ("AUTH\" \"", authed),
    ("send \"", sent_to_prompt),
    ("Basic ", basic),
    ("construct(", connected),
    ("PlainAuth(", connected),
    ("Credentials.basic(", called),
    ("pw_set(", connected),
    ("rp ", slashed),
    ("p:", slashed),
    ("pk 0x", wallet),
    ("key1 ", of_storage),
    ("key2 ", of_storage),
    ("hooks.zapier.com/hooks/catch/", hooked),
    ("open.feishu.cn/open-apis/bot/v2/hook/", hooked),
    ("open.larksuite.com/open-apis/bot/v2/hook/", hooked),
    ("private-", calendar),
    ("login <<< ", given_in),
    ("stdin <<< ", given_in),
    ("code ", coded::read),
    ("code: ", coded::read),
    ("code.", coded::read),
    ("code,", coded::read),
    ("Code ", coded::read),
    ("Code: ", coded::read),
    ("CODE ", coded::read),
    ("CODE: ", coded::read),
    ("codes ", coded::read),
    ("código ", coded::read),
    ("Código ", coded::read),
    ("código: ", coded::read),
    ("codice ", coded::read),
    ("Codice ", coded::read),
    ("codi ", coded::read),
    ("kod ", coded::read),
    ("Kod ", coded::read),
    ("kode ", coded::read),
    ("koden ", coded::read),
    ("Koden ", coded::read),
    ("koodi ", coded::read),
    ("combination ", coded::read),
    ("net user ", added),
    ("impacket-", of_domain),
    ("psexec.py ", of_domain),
    ("wmiexec.py ", of_domain),
    ("secretsdump.py ", of_domain),
    ("grub.pbkdf2.", of_boot),
    ("hmac.new(", keyed_call),
    ("hmac.New(", keyed_call),
    ("createHmac(", keyed_call),
    ("Fernet(", keyed_call),
    ("createCipheriv(", keyed_call),
    ("createDecipheriv(", keyed_call),
    ("NewCipher(", keyed_call),
    ("SecretKeySpec(", keyed_call),
    ("AES.new(", keyed_call),
    ("from_key(", keyed_call),
    ("Wallet(", keyed_call),
    ("privateKeyToAccount(", keyed_call),
    ("TAN ", coded::read),
    ("TAN: ", coded::read),
    ("CVV", card::back),
    ("CVC", card::back),
    ("cvv", card::back),
    ("cvc", card::back),
    ("WIFI:", shared_in_air),
    ("login=", login_of),
    ("socks5 ", proxied),
    ("socks4 ", proxied),
    ("socks5\t", proxied),
    ("accounts: [", accounts),
    ("accounts\": [", accounts),
    ("accounts = [", accounts),
    ("card", card::number),
    ("Card", card::number),
    ("CARD", card::number),
    ("Visa ", card::number),
    ("code\": \"", card::code),
    ("code\":\"", card::code),
    ("pass:", encrypting),
    ("user ", access_list),
    ("log in with ", paired_near),
    ("Log in with ", paired_near),
    ("log in as ", paired_near),
    ("login with ", paired_near),
    ("Login with ", paired_near),
    ("sign in with ", paired_near),
    ("Sign in with ", paired_near),
    ("signed in with ", paired_near),
    ("logged in with ", paired_near),
    ("its ", paired_behind),
    ("it's ", paired_behind),
    ("use ", paired_behind),
    ("try ", paired_behind),
    ("login is ", paired_near),
    ("Login is ", paired_near),
    ("creds are ", paired_near),
    ("P$", portable),
    ("H$", portable),
    ("S$", portable),
    ("pbkdf2", hashed),
    ("PBKDF2", hashed),
    ("bcrypt_sha256$", hashed),
    ("argon2$", hashed),
    ("scrypt$", hashed),
    ("scrypt:", hashed),
    ("sha1$", hashed),
    ("sha256$", hashed),
    ("sha512$", hashed),
    ("SCRAM-SHA-256$", hashed),
];

/// Tells what secret the word announces that stands at a position.
pub(super) type Spoken = fn(&[u8], usize) -> Option<Found>;

/// How far back a sentence is looked at.
const SENTENCE: usize = 64;

/// `Your new API key is: …`, `password for ann is …`
fn said(text: &[u8], at: usize) -> Option<Found> {
    let sign = usize::from(byte(text, at + 2) == b':');
    let value = trimmed(text, value::word(text, at + 2 + sign)?);
    let secret = value.of(text);
    // Most words that stand here can be nothing, whatever the sentence says.
    let has_digit = secret.iter().any(|byte| is(*byte, DIGIT));
    if secret.len() < 4 || !has_digit && !is_secret(secret) {
        return None;
    }
    let sentence = between(text, at.saturating_sub(SENTENCE), at);
    let sentence = sentence.rsplit(|byte| matches!(byte, b'\n' | b'.' | b';' | b'=')).next()?;
    let strength = sentence::names(sentence)?;
    let mixed = has_digit && secret.iter().any(|byte| is(*byte, LETTER));
    let fits = match strength {
        Strength::Password => {
            mixed && is_password(secret, Writing::Quoted) && (!is_plain(secret) || sign > 0)
        }
        Strength::Secret => is_secret(secret),
        Strength::Pin => is_pin(secret),
        Strength::Authorization | Strength::Weak => false,
    };
    (fits && !value::is_expression(text, &value)).then_some(found(value, "secret"))
}

/// `IDENTIFIED BY '…'`, `IDENTIFIED WITH … BY '…'`
fn identified(text: &[u8], at: usize) -> Option<Found> {
    let near = between(text, at.saturating_sub(SENTENCE), at).to_ascii_lowercase();
    let value = value::word(text, at + 2).filter(|value| value.writing == Writing::Quoted)?;
    let is_told = near.windows(10).any(|word| word == b"identified");
    let secret = value.of(text);
    let fits = is_password(secret, Writing::Bare) || is_worded(secret);
    (is_told && fits).then_some(found(value, "password"))
}

/// `: PSK "…"`, `ann : EAP "…"` in the secrets of a gateway: in quotes, at the end of the line.
fn shared(text: &[u8], at: usize) -> Option<Found> {
    let value = value::word(text, run(text, at, ALNUM)).filter(|value| value.writing == Writing::Quoted)?;
    let line = between(text, at.saturating_sub(SENTENCE), at).rsplit(|byte| is(*byte, NEWLINE)).next()?;
    let is_one =
        line.trim_ascii_end().ends_with(b":") && is(byte(text, run(text, value.end + 1, BLANK)), NEWLINE);
    let fits = is_password(value.of(text), Writing::Bare) || is_worded(value.of(text));
    (is_one && fits).then_some(found(value, "password"))
}

/// `rootpw --plaintext …`, `rabbitmqctl add_user ann …`: the last word of the line.
fn last_word(text: &[u8], at: usize) -> Option<Found> {
    let near = between(text, at, text.len().min(at + SENTENCE));
    let line = near.split(|byte| is(*byte, NEWLINE)).next()?.trim_ascii_end();
    let start = line.iter().rposition(|byte| is(*byte, BLANK))? + 1;
    let quote = usize::from(is(byte(line, start), QUOTE));
    let value = Value { start: at + start + quote, end: at + line.len() - quote, writing: Writing::Bare };
    let secret = value.of(text);
    (byte(secret, 0) != b'-' && is_password(secret, Writing::Bare)).then_some(found(value, "password"))
}

/// `AUTH …`, `AUTH user …`, as a client of Redis says it: the last word of its line.
fn sent(text: &[u8], at: usize) -> Option<Found> {
    let mut value = value::word(text, at + 4)?;
    let next = run(text, value.end, BLANK);
    if !is(byte(text, next), NEWLINE) {
        value = value::word(text, value.end)?;
    }
    let is_last = is(byte(text, run(text, value.end, BLANK)), NEWLINE);
    let secret = value.of(text);
    // Methods of other protocols are in capitals: `AUTH CRAM-MD5`.
    let is_one = !is_plain(secret) || is_made_up(secret) && secret.iter().any(|byte| is(*byte, LOWER));
    (is_last && is_password(secret, Writing::Quoted) && is_one).then_some(found(value, "password"))
}

/// `requirepass …` in the settings of Redis: the last word of its line.
fn set(text: &[u8], at: usize) -> Option<Found> {
    let value = value::word(text, run(text, at, ALNUM))?;
    let is_last = is(byte(text, run(text, value.end, BLANK | QUOTE)), NEWLINE);
    (is_last && is_password(value.of(text), Writing::Bare)).then_some(found(value, "password"))
}

/// `user ann on >…` in the users of Redis.
fn allowed(text: &[u8], at: usize) -> Option<Found> {
    let before = between(text, at.saturating_sub(SENTENCE), at).rsplit(|byte| is(*byte, NEWLINE)).next()?;
    let is_user = contains(before, b"user ");
    let end =
        from(text, at + 4).iter().position(|byte| is(*byte, SPACE)).map_or(text.len(), |end| at + 4 + end);
    let value = Value { start: at + 4, end, writing: Writing::Bare };
    (is_user && is_password(value.of(text), Writing::Bare)).then_some(found(value, "password"))
}

/// `snmp-server community … RO`, `rocommunity …`
fn community(text: &[u8], at: usize) -> Option<Found> {
    let before = between(text, 0, at);
    let is_one = byte(text, at) == b'r' || before.ends_with(b"snmp-server ") || before.ends_with(b"snmp ");
    let value = value::word(text, run(text, at, ALNUM))?;
    let is_public = [&b"public"[..], b"private"].contains(&value.of(text));
    let fits = is_one && !is_public && is_password(value.of(text), Writing::Bare);
    fits.then_some(found(value, "password"))
}

/// The password of a user of a network device, behind the number of its encoding: `secret 9 …`, `password 0 …`.
pub(super) fn of_device(text: &[u8], at: usize) -> Option<Found> {
    let end = run(text, at, ALNUM);
    let name = between(text, at, end);
    let is_numbered =
        matches!(byte(text, end + 1), b'0' | b'5' | b'7' | b'8' | b'9') && byte(text, end + 2) == b' ';
    let line = between(text, at.saturating_sub(SENTENCE), at).rsplit(|byte| is(*byte, NEWLINE)).next()?;
    let line = line.trim_ascii_start();
    let is_user = line.starts_with(b"username ") || line.starts_with(b"enable ");
    if byte(text, end) != b' ' || ![&b"password"[..], b"secret"].contains(&name) || !(is_numbered || is_user)
    {
        return None;
    }
    let value = value::word(text, if is_numbered { end + 2 } else { end })?;
    let secret = value.of(text);
    let fits = is_password(secret, if is_user { Writing::Bare } else { Writing::Quoted });
    (fits && !value::is_expression(text, &value)).then_some(found(value, "password"))
}

/// `ConvertTo-SecureString '…'`, `ConvertTo-SecureString -String "…"`
fn converted(text: &[u8], at: usize) -> Option<Found> {
    let mut start = run(text, at, ALNUM | DASH);
    if from(text, start).starts_with(b" -String ") {
        start += 8;
    }
    let value = value::word(text, start)?;
    let manner = if value.writing == Writing::Quoted { Manner::Quoted } else { Manner::Word };
    is_chosen(value.of(text), Strength::Password, manner).then_some(found(value, "password"))
}

/// `echo '…' | kinit`: what a program reads that asks for a password.
fn piped(text: &[u8], at: usize) -> Option<Found> {
    let mut start = run(text, at, ALNUM);
    for option in [&b" -n"[..], b" -e", b" -ne", b" '%s'", b" '%s\\n'", b" \"%s\""] {
        start += if from(text, start).starts_with(option) { option.len() } else { 0 };
    }
    let value = value::after(text, start, Writing::Plain).filter(|value| value.end > value.start)?;
    let line = from(text, value.end).get(..SENTENCE).unwrap_or(from(text, value.end));
    let line = line.split(|byte| is(*byte, NEWLINE)).next()?;
    let bar = line.iter().position(|byte| *byte == b'|')?;
    let asks = ASKING.iter().any(|program| contains(from(line, bar), program.as_bytes()));
    let start = value.of(text).iter().position(|byte| *byte == b':').filter(|_| contains(line, b"chpasswd"));
    let value = Value { start: start.map_or(value.start, |colon| value.start + colon + 1), ..value };
    (asks && is_chosen(value.of(text), Strength::Password, Manner::Quoted))
        .then_some(found(value, "password"))
}

/// Programs that read a password from what is piped into them.
const ASKING: &[&str] = &[
    " kinit",
    "sudo -S",
    "sudo -kS",
    "--stdin",
    "--password-stdin",
    "chpasswd",
    "--passphrase-fd",
    "cryptsetup",
    " passwd",
    "su -c",
    "--with-token",
    "-pass stdin",
    "smbpasswd",
    "docker login",
    "veracrypt",
    "ecryptfs",
    "--batch-pass",
    "vncpasswd",
    "pdbedit",
    "saslpasswd",
    "keyctl padd",
    "secret create",
    "secret put",
    "secrets versions add",
    "openssl passwd",
    "mkpasswd",
    "htpasswd",
    "argon2",
    "systemd-ask",
    "gpg --pass",
    "gopass insert",
    "pass insert",
    "openconnect",
];

/// `net use Z: \\server\share …`
fn mounted(text: &[u8], at: usize) -> Option<Found> {
    let mut value = value::word(text, at + 7)?;
    while byte(text, value.end) == b':' || value.of(text).starts_with(b"\\") || value.of(text).ends_with(b":")
    {
        value = value::word(text, value.end + usize::from(byte(text, value.end) == b':'))?;
    }
    if value.of(text).starts_with(b"/user:") {
        value = value::word(text, value.end)?;
    }
    let is_option = value.of(text).starts_with(b"/");
    (!is_option && is_chosen(value.of(text), Strength::Password, Manner::Quoted))
        .then_some(found(value, "password"))
}

/// `net user ann … /add`
fn added(text: &[u8], at: usize) -> Option<Found> {
    let user = value::word(text, at + 8)?;
    let value = value::word(text, user.end)?;
    let fits = byte(text, value.start) != b'/' && is_chosen(value.of(text), Strength::Password, Manner::Line);
    (fits && byte(text, user.start) != b'/').then_some(found(value, "password"))
}

/// `Authorization "Basic …"`, as servers of the web set it.
fn authorized(text: &[u8], at: usize) -> Option<Found> {
    let value = value::word(text, at + 13).filter(|value| value.writing == Writing::Quoted)?;
    let scheme = value.of(text).iter().position(|byte| *byte == b' ')?;
    let value = Value { start: value.start + scheme + 1, ..value };
    is_credential(value.of(text)).then_some(found(value, "authorization"))
}

/// The texts that a call is given, before anything else that it is given.
fn arguments(text: &[u8], at: usize) -> Option<Vec<Value>> {
    let near = text.get(..text.len().min(at + SENTENCE * 4)).unwrap_or(text);
    let mut next = at + from(near, at).iter().position(|byte| *byte == b'(')? + 1;
    let mut values = Vec::new();
    loop {
        let value = value::after(near, next, Writing::Plain)?;
        values.push(value);
        let end = run(near, value.end + usize::from(value.writing == Writing::Quoted), BLANK);
        match byte(near, end) {
            b',' if values.len() < 5 => next = end + 1,
            _ => return Some(values),
        }
    }
}

/// `login("ann", "…")`: a user and a password.
fn called(text: &[u8], at: usize) -> Option<Found> {
    let values = arguments(text, at)?;
    let name = from(text, at);
    let is_sure = !["login(", "logon(", "auth(", "sign", "authenticate("]
        .iter()
        .any(|verb| name.starts_with(verb.as_bytes()));
    password_of(text, *values.get(1)?, is_sure)
}

/// `connect("host", "user", "…", "database")`, of something that speaks with a database.
fn connected(text: &[u8], at: usize) -> Option<Found> {
    let line = between(text, at.saturating_sub(SENTENCE), at).rsplit(|byte| is(*byte, NEWLINE)).next()?;
    let name = from(text, at);
    let is_database = !(name.starts_with(b"connect(") || name.starts_with(b"construct("))
        || DATABASES.iter().any(|name| contains(line, name.as_bytes()));
    let values = arguments(text, at).filter(|_| is_database)?;
    password_of(text, *values.get(2)?, true)
}

/// What programs call that speaks with a database.
const DATABASES: &[&str] = &[
    "sql", "psycopg", "oracle", "maria", "pg", "db", "odbc", "ftp", "ssh", "imap", "smtp", "redis", "hive",
    "impala", "vertica", "teradata", "pdo", "dbi",
];

/// A text in quotes that somebody chose, where a call takes a password.
fn password_of(text: &[u8], value: Value, is_sure: bool) -> Option<Found> {
    let secret = value.of(text);
    let is_text = value.writing == Writing::Quoted && (is_sure || is_marked(secret));
    (is_text && is_chosen(secret, Strength::Password, Manner::Quoted)).then_some(found(value, "password"))
}

/// `the login is scan/…`, `admin is admin / …`: a user, a stroke and a password.
fn paired(text: &[u8], at: usize) -> Option<Found> {
    // Most of what stands behind such a word has no stroke.
    let first = until(text, at, |byte| is(*byte, BLANK | NEWLINE)) + 1;
    let first = run(text, run(text, first, WORD | DASH | DOT), BLANK);
    if byte(text, first) != b'/' {
        return None;
    }
    let near = between(text, at, text.len().min(at + SENTENCE * 2));
    let line = near.split(|byte| is(*byte, NEWLINE)).next()?;
    let start = line.iter().position(|byte| is(*byte, BLANK))? + 1;
    let user = run(line, start, WORD | DASH | DOT);
    let stroke = run(line, user, BLANK);
    let value = run(line, stroke + 1, BLANK);
    let end = until(line, value, |byte| is(*byte, SPACE) || matches!(byte, b',' | b';' | b'/' | b')'));
    let secret = between(line, value, end);
    let secret = secret.strip_suffix(b".").unwrap_or(secret);
    let is_pair = user > start && byte(line, stroke) == b'/' && (stroke == user) == (value == stroke + 1);
    let has = |set| secret.iter().any(|byte| is(*byte, set));
    let is_told = byte(text, at) != b'i' || speaks_of_login(between(text, at.saturating_sub(SENTENCE), at));
    let fits = has(LETTER)
        && has(DIGIT)
        && byte(line, end) != b'/'
        && is_chosen(secret, Strength::Password, Manner::Word);
    let found = Found { start: at + value, end: at + value + secret.len(), kind: "password" };
    (is_pair && is_told && fits).then_some(found)
}

/// `admin / …`, wherever it stands.
fn paired_at(text: &[u8], at: usize) -> Option<Found> {
    let value = value::word(text, run(text, at, ALNUM) + 3)?;
    let secret = value.of(text);
    let secret = secret.strip_suffix(b".").unwrap_or(secret);
    let has = |set| secret.iter().any(|byte| is(*byte, set));
    let fits = has(LETTER) && has(DIGIT) && is_chosen(secret, Strength::Password, Manner::Word);
    fits.then_some(Found { start: value.start, end: value.start + secret.len(), kind: "password" })
}

/// `{PLAIN}…` in the users of a mail server.
fn in_scheme(text: &[u8], at: usize) -> Option<Found> {
    let start = run(text, at, ALNUM) + 1;
    let end = until(text, start, |byte| is(*byte, SPACE | QUOTE) || *byte == b':');
    let is_one =
        before(text, at) == b'{' && is_chosen(between(text, start, end), Strength::Password, Manner::Quoted);
    is_one.then_some(Found { start, end, kind: "password" })
}

/// `: RSA key.pem "…"`: the passphrase of a key, in quotes at the end of its line.
fn shared_last(text: &[u8], at: usize) -> Option<Found> {
    let file = value::word(text, run(text, at, ALNUM))?;
    let value = value::word(text, file.end).filter(|value| value.writing == Writing::Quoted)?;
    let line = between(text, at.saturating_sub(SENTENCE), at).rsplit(|byte| is(*byte, NEWLINE)).next()?;
    let is_one = line.trim_ascii_end().ends_with(b":") && value.end - value.start >= 6;
    is_one.then_some(found(value, "password"))
}

/// `ann : PSK 0x…`, in hexadecimal or in Base64.
fn shared_bare(text: &[u8], at: usize) -> Option<Found> {
    let (start, end) = (at + 4, run(text, at + 6, super::bytes::BASE64));
    let line = between(text, at.saturating_sub(SENTENCE), at).rsplit(|byte| is(*byte, NEWLINE)).next()?;
    (line.trim_ascii_end().ends_with(b":") && end >= start + 16).then_some(Found {
        start,
        end,
        kind: "password",
    })
}

/// `stats auth ann:…`
fn of_account(text: &[u8], at: usize) -> Option<Found> {
    let value = value::word(text, at + 10)?;
    let colon = value.of(text).iter().position(|byte| *byte == b':')? + 1;
    let value = Value { start: value.start + colon, ..value };
    is_chosen(value.of(text), Strength::Password, Manner::Line).then_some(found(value, "password"))
}

/// `FTP: PASS …`: the last word of its line, behind what says whose line it is.
fn passed(text: &[u8], at: usize) -> Option<Found> {
    let value = value::word(text, at + 4)?;
    let secret = value.of(text);
    let is_last = is(byte(text, run(text, value.end, BLANK)), NEWLINE) || byte(text, value.end) == b'\\';
    let is_said = matches!(between(text, at.saturating_sub(2), at), b": " | b"> " | b"] ")
        || between(text, 0, at).ends_with(b"\"");
    let is_path = secret.contains(&b'/') || secret.contains(&b':');
    // Alone on its line it may be the outcome of a test, whose name has no such signs.
    let is_sent = before(text, at) == b'\n'
        && secret.iter().any(|byte| b"!@#$%^&*+?~=".contains(byte) || is(*byte, DIGIT))
        && !secret
            .iter()
            .any(|byte| is(*byte, super::bytes::UNDERSCORE | DOT) || matches!(byte, b'(' | b'['));
    let is_said = is_said || is_sent;
    (is_last && is_said && !is_path && is_chosen(secret, Strength::Password, Manner::Word))
        .then_some(found(value, "password"))
}

/// `a001 LOGIN "ann" "…"`, as mail is fetched.
fn logged_in(text: &[u8], at: usize) -> Option<Found> {
    let user = value::word(text, at + 5)?;
    let is_quoted = user.writing == Writing::Quoted;
    let value = value::word(text, user.end + usize::from(is_quoted))
        .filter(|value| value.writing == Writing::Quoted)?;
    (is_quoted && is_chosen(value.of(text), Strength::Password, Manner::Quoted))
        .then_some(found(value, "password"))
}

/// `"AUTH" "worker" "…"`: the last text of its line.
fn authed(text: &[u8], at: usize) -> Option<Found> {
    let mut value = value::word(text, at + 5)?;
    if let Some(next) = value::word(text, value.end + 1).filter(|next| next.writing == Writing::Quoted) {
        value = next;
    }
    is_chosen(value.of(text), Strength::Password, Manner::Quoted).then_some(found(value, "password"))
}

/// `expect "assword:"; send "…"`
fn sent_to_prompt(text: &[u8], at: usize) -> Option<Found> {
    let value = value::word(text, at + 4).filter(|value| value.writing == Writing::Quoted)?;
    let is_asked = contains(between(text, at.saturating_sub(SENTENCE), at), b"assword");
    let length = value.of(text).iter().position(|byte| *byte == b'\\').unwrap_or(value.end - value.start);
    let value = Value { end: value.start + length, ..value };
    (is_asked && is_chosen(value.of(text), Strength::Password, Manner::Quoted))
        .then_some(found(value, "password"))
}

/// `Basic …`: a user and a password in Base64, of which the colon betrays them.
fn basic(text: &[u8], at: usize) -> Option<Found> {
    let start = at + 6;
    let end = run(text, start, super::bytes::BASE64);
    let value = between(text, start, end);
    let whole = value.len() >= 12 && value.len().is_multiple_of(4);
    let told = whole
        && super::encoded::decoded(value).is_some_and(|text| text.contains(&b':') && !contains(&text, b" "));
    told.then_some(Found { start, end, kind: "authorization" })
}

/// `schtasks … /rp …`, `xfreerdp … /p:…`
fn slashed(text: &[u8], at: usize) -> Option<Found> {
    let line = between(text, at.saturating_sub(SENTENCE * 3), at).rsplit(|byte| is(*byte, NEWLINE)).next()?;
    let is_one = line.ends_with(b" /") && (contains(line, b"schtasks") || contains(line, b"rdp"));
    let value = value::word(text, at + 2)?;
    (is_one && is_chosen(value.of(text), Strength::Password, Manner::Quoted))
        .then_some(found(value, "password"))
}

/// `pk 0x…`: the private key of an account.
fn wallet(text: &[u8], at: usize) -> Option<Found> {
    let (start, end) = (at + 3, run(text, at + 5, super::bytes::ANY_HEX));
    (end == at + 5 + 64).then_some(Found { start, end, kind: "private-key" })
}

/// `accounts: ["0x…"]`: the private keys that sign for a network.
fn accounts(text: &[u8], at: usize) -> Option<Found> {
    let open = at + from(text, at).iter().position(|byte| *byte == b'[')? + 1;
    let start = run(text, open, BLANK | QUOTE);
    let digits = start + if from(text, start).starts_with(b"0x") { 2 } else { 0 };
    let end = run(text, digits, super::bytes::ANY_HEX);
    (end == digits + 64).then_some(Found { start, end, kind: "private-key" })
}

/// The two keys of a storage account, in a table: 64 bytes in Base64.
fn of_storage(text: &[u8], at: usize) -> Option<Found> {
    let line = from(text, at).split(|byte| is(*byte, NEWLINE)).next()?;
    let start = line
        .iter()
        .rposition(|byte| is(*byte, BLANK))
        .map(|blank| blank + 1)
        .filter(|start| line.len() - start == 88)?;
    let is_one =
        line.ends_with(b"==") && from(line, start).iter().all(|byte| is(*byte, super::bytes::BASE64));
    is_one.then_some(Found { start: at + start, end: at + line.len(), kind: "secret" })
}

/// The path of an address that a hook is called by.
fn hooked(text: &[u8], at: usize) -> Option<Found> {
    let end = until(text, at, |byte| is(*byte, SPACE | QUOTE) || matches!(byte, b'?' | b')' | b'>'));
    let path = between(text, at, end);
    let path = path.strip_suffix(b"/").unwrap_or(path);
    let start = path.iter().rposition(|byte| *byte == b'/')? + 1;
    let is_one = path.len() - start >= 6 && path.iter().skip(start).any(|byte| is(*byte, DIGIT));
    is_one.then_some(Found { start: at + start, end: at + path.len(), kind: "webhook" })
}

/// `/private-…/basic.ics`: the address of a calendar that nobody else knows.
fn calendar(text: &[u8], at: usize) -> Option<Found> {
    let end = run(text, at + 8, super::bytes::HEX);
    (before(text, at) == b'/' && end == at + 40 && byte(text, end) == b'/').then_some(Found {
        start: at,
        end,
        kind: "secret",
    })
}

/// `tool login <<< …`
fn given_in(text: &[u8], at: usize) -> Option<Found> {
    let value = value::word(text, at + 10)?;
    is_chosen(value.of(text), Strength::Password, Manner::Line).then_some(found(value, "password"))
}

/// Whether a sentence is about getting in somewhere.
fn speaks_of_login(sentence: &[u8]) -> bool {
    let line = sentence.rsplit(|byte| is(*byte, NEWLINE)).next().unwrap_or_default();
    [&b"login"[..], b"cred", b"account", b"admin", b"access", b"user", b"zugang", b"anmeldung"]
        .iter()
        .any(|word| contains(line, word))
}

/// A key of Kerberos: `(aes256-cts-hmac-sha1-96)  (0x…)`.
fn keytab(text: &[u8], at: usize) -> Option<Found> {
    let near = between(text, at, text.len().min(at + SENTENCE));
    let line = near.split(|byte| is(*byte, NEWLINE)).next()?;
    let open = line.windows(3).position(|three| three == b"(0x")? + 3;
    let end = run(text, at + open, super::bytes::ANY_HEX);
    (end >= at + open + 16 && byte(text, end) == b')').then_some(Found {
        start: at + open,
        end,
        kind: "secret",
    })
}

/// Whether a name stands in a line that gives variables without a sign: `ENV NAME value`.
pub(super) fn is_directive(line: &[u8]) -> bool {
    [&b"ENV"[..], b"ARG", b"setenv", b"set -gx", b"set -x"].contains(&line.trim_ascii())
}

/// The hash of a password, as `crypt` writes it: the number of a method stands here, between dollars.
pub(super) fn crypt(text: &[u8], at: usize) -> Option<Found> {
    let start = at.checked_sub(1).filter(|start| byte(text, *start) == b'$')?;
    let mut end = at;
    while is(byte(text, end), ALNUM | DOT | super::bytes::PLUS_SLASH | super::bytes::EQUALS)
        || matches!(byte(text, end), b'$' | b',')
    {
        end += 1;
    }
    let last = between(text, at, end).rsplit(|byte| *byte == b'$').next()?;
    let parts = between(text, at, end).split(|byte| *byte == b'$').skip(1).count();
    (parts >= 2 && last.len() >= 20).then_some(Found { start, end, kind: "password-hash" })
}

/// The hash of a password behind the name of its method: `$pbkdf2-sha512$600000$…`, `pbkdf2_sha256$600000$…`, `scrypt:32768:8:1$…`.
fn hashed(text: &[u8], at: usize) -> Option<Found> {
    let set = WORD | DASH | DOT | super::bytes::PLUS_SLASH | super::bytes::EQUALS;
    let end = until(text, at, |byte| !is(*byte, set) && !matches!(byte, b'$' | b':' | b','));
    let hash = between(text, at, end);
    let last = hash.rsplit(|byte| matches!(byte, b'$' | b':')).next()?;
    let parts = hash.iter().filter(|byte| matches!(byte, b'$' | b':')).count();
    let start = at - usize::from(before(text, at) == b'$');
    (parts >= 2 && last.len() >= 20).then_some(Found { start, end, kind: "password-hash" })
}

/// `impacket-psexec corp/ann:…@host`: a domain, a user, a password and a host.
fn of_domain(text: &[u8], at: usize) -> Option<Found> {
    let near = between(text, at, text.len().min(at + SENTENCE * 4));
    let line = near.split(|byte| is(*byte, NEWLINE)).next()?;
    let colon = line.iter().position(|byte| *byte == b':')?;
    let end = colon + from(line, colon).iter().position(|byte| *byte == b'@')?;
    let user = super::run_back(line, colon, WORD | DASH | DOT, 64);
    let secret = between(line, colon + 1, end);
    let is_one = before(line, user) == b'/' && user < colon && !secret.iter().any(|byte| is(*byte, BLANK));
    (is_one && super::plausible::is_url_password(secret)).then_some(Found {
        start: at + colon + 1,
        end: at + end,
        kind: "password",
    })
}

/// `grub.pbkdf2.sha512.10000.…`
fn of_boot(text: &[u8], at: usize) -> Option<Found> {
    let end = run(text, at, ALNUM | DOT);
    (end - at >= 100).then_some(Found { start: at, end, kind: "password-hash" })
}

/// `hmac.new(b"…", body)`, `new Wallet("0x…")`: what a call takes that signs or encrypts, if it can be nothing but a key.
fn keyed_call(text: &[u8], at: usize) -> Option<Found> {
    let near = between(text, at, text.len().min(at + SENTENCE * 3));
    let line = near.split(|byte| is(*byte, NEWLINE)).next()?;
    let mut next = line.iter().position(|byte| *byte == b'(')?;
    while let Some(open) = from(line, next).iter().position(|byte| is(*byte, QUOTE)) {
        let start = next + open + 1;
        let end = until(line, start, |byte| is(*byte, QUOTE));
        let value = between(line, start, end);
        let digits = value.strip_prefix(b"0x").unwrap_or(value);
        let is_hex = digits.len() >= 32 && digits.iter().all(|byte| is(*byte, super::bytes::ANY_HEX));
        let is_key = is_hex && (digits.len() == 64 || digits.len() == value.len());
        if is_key || super::plausible::is_surely_secret(value) {
            return Some(Found { start: at + start, end: at + end, kind: "secret" });
        }
        next = end + 1;
    }
    None
}

/// `WIFI:S:attic;T:WPA;P:…;;`, as a picture holds it that somebody takes a photograph of.
fn shared_in_air(text: &[u8], at: usize) -> Option<Found> {
    let near = between(text, at, text.len().min(at + SENTENCE * 4));
    let line = near.split(|byte| is(*byte, NEWLINE)).next()?;
    let start = line.windows(3).position(|part| matches!(part, [b';' | b':', b'P', b':']))? + 3;
    let is_end = |end: &usize| byte(line, *end) == b';' && before(line, *end) != b'\\';
    let end = (start..line.len()).find(is_end)?;
    (end > start).then_some(Found { start: at + start, end: at + end, kind: "password" })
}

/// `login=ann:…`: a user and a password, as a proxy logs in at another.
fn login_of(text: &[u8], at: usize) -> Option<Found> {
    let user = run(text, at + 6, WORD | DASH | DOT);
    let end = until(text, user + 1, |byte| is(*byte, SPACE | QUOTE));
    let secret = between(text, user + 1, end);
    let is_pair = user > at + 6 && byte(text, user) == b':';
    (is_pair && is_marked(secret) && is_chosen(secret, Strength::Password, Manner::Line)).then_some(Found {
        start: user + 1,
        end,
        kind: "password",
    })
}

/// `socks5 10.0.0.1 1080 ann …`: the last of a host, a port, a user and a password.
fn proxied(text: &[u8], at: usize) -> Option<Found> {
    let line = from(text, at).split(|byte| is(*byte, NEWLINE)).next()?;
    let mut words = line.split(|byte| is(*byte, BLANK)).filter(|word| !word.is_empty()).skip(2);
    let (port, user, secret) = (words.next()?, words.next()?, words.next()?);
    let is_one = port.iter().all(|byte| is(*byte, DIGIT)) && !user.is_empty() && words.next().is_none();
    let end = at + line.trim_ascii_end().len();
    (is_one && is_password(secret, Writing::Bare)).then_some(Found {
        start: end - secret.len(),
        end,
        kind: "password",
    })
}

/// `$P$B…`, as many programs of the web keep passwords.
fn portable(text: &[u8], at: usize) -> Option<Found> {
    let start = at.checked_sub(1).filter(|start| byte(text, *start) == b'$')?;
    let end = until(text, at + 2, |byte| !is(*byte, ALNUM | DOT) && *byte != b'/');
    (31..=60).contains(&(end - at - 2)).then_some(Found { start, end, kind: "password-hash" })
}

/// `-pass pass:"…"`, `-passin 'pass:…'`: a password as a command for encrypting takes it.
fn encrypting(text: &[u8], at: usize) -> Option<Found> {
    let open = Some(before(text, at)).filter(|byte| is(*byte, QUOTE));
    let option = between(text, 0, at - usize::from(open.is_some()));
    let is_one = [&b"-pass "[..], b"-passin ", b"-passout ", b"-k ", b"-passin=", b"-pass="]
        .iter()
        .any(|name| option.ends_with(name));
    let value = match open {
        Some(quote) => Value {
            start: at + 5,
            end: until(text, at + 5, |byte| *byte == quote || *byte == b'\n'),
            writing: Writing::Quoted,
        },
        None => value::after(text, at + 5, Writing::Bare)?,
    };
    let manner = if value.writing == Writing::Quoted { Manner::Quoted } else { Manner::Line };
    let fits =
        is_password(value.of(text), Writing::Bare) || is_chosen(value.of(text), Strength::Password, manner);
    (is_one && (fits || is_worded(value.of(text)))).then_some(found(value, "password"))
}

/// `user ann on #…`: the hash of a password in the users of Redis.
fn access_list(text: &[u8], at: usize) -> Option<Found> {
    let near = between(text, at, text.len().min(at + SENTENCE * 4));
    let line = near.split(|byte| is(*byte, NEWLINE)).next()?;
    let hash = line.windows(2).position(|two| two == b" #")? + 2;
    let is_one = |end: usize| end >= 64 && run(line, end - 64, super::bytes::HEX) == end;
    let mut end = run(line, hash, super::bytes::HEX);
    let first = end;
    // One user may have several.
    while from(line, end).starts_with(b" #") && is_one(run(line, end + 2, super::bytes::HEX)) {
        end = run(line, end + 2, super::bytes::HEX);
    }
    (first - hash == 64).then_some(Found { start: at + hash, end: at + end, kind: "password-hash" })
}

/// The same right behind a word that says nothing.
fn paired_behind(text: &[u8], at: usize) -> Option<Found> {
    let user = until(text, at, |byte| *byte == b' ') + 1;
    let end = run(text, user, WORD | DASH | DOT | QUOTE);
    from(text, end).starts_with(b" / ").then(|| paired_near(text, at)).flatten()
}

/// ``log in with `ann` / `…` ``, `its ann / …`: a user, a stroke and a password, with or without quotes.
fn paired_near(text: &[u8], at: usize) -> Option<Found> {
    let near = between(text, at, text.len().min(at + SENTENCE * 2));
    let line = near.split(|byte| is(*byte, NEWLINE)).next()?;
    let stroke = line.windows(3).position(|three| three == b" / ")?;
    let user = between(line, 0, stroke).rsplit(|byte| is(*byte, BLANK)).next()?;
    let is_user = user.iter().all(|byte| is(*byte, WORD | DASH | DOT | QUOTE) || *byte == b'@')
        && user.iter().filter(|byte| is(**byte, LOWER)).count() > 1;
    let open = stroke + 3 + usize::from(is(byte(line, stroke + 3), QUOTE));
    let end = until(line, open, |byte| {
        is(*byte, SPACE | QUOTE) || matches!(byte, b',' | b';' | b'/' | b')' | b'\\')
    });
    let secret = between(line, open, end);
    let secret = secret.strip_suffix(b".").unwrap_or(secret);
    let has = |set| secret.iter().any(|byte| is(*byte, set));
    let fits = has(LETTER)
        && has(DIGIT)
        && has(LOWER)
        && (has(super::bytes::UPPER) || secret.iter().any(|byte| b"!@#$%^&*+?~=".contains(byte)))
        && byte(line, end) != b'/'
        && is_chosen(secret, Strength::Password, Manner::Word);
    let found = Found { start: at + open, end: at + open + secret.len(), kind: "password" };
    (is_user && fits).then_some(found)
}

/// What the dollars of `crypt` have between them.
pub(super) const METHODS: &[&str] = &[
    "1$",
    "2a$",
    "2b$",
    "2y$",
    "5$",
    "6$",
    "7$",
    "8$",
    "9$",
    "y$",
    "gy$",
    "apr1$",
    "argon2i$",
    "argon2id$",
    "argon2d$",
    "scrypt$",
    "md5,",
    "sha1$",
    "bcrypt$",
];

/// The password behind a user in an address without a scheme: `//user:…@host`.
pub(super) fn in_address(text: &[u8], colon: usize) -> Option<Found> {
    if let Some(found) = in_driver_address(text, colon) {
        return Some(found);
    }
    let start = super::run_back(text, colon, WORD | DASH | DOT, 64);
    let end = run(text, colon + 1, WORD | DASH | DOT);
    let is_one = start < colon && between(text, 0, start).ends_with(b"//") && byte(text, end) == b'@';
    let secret = between(text, colon + 1, end);
    (is_one && super::plausible::is_url_password(secret)).then_some(Found {
        start: colon + 1,
        end,
        kind: "url-password",
    })
}

/// The password in an address as drivers of databases have it: `user:…@tcp(host)`, `oracle:thin:user/…@host`.
fn in_driver_address(text: &[u8], colon: usize) -> Option<Found> {
    let near = between(text, colon + 1, text.len().min(colon + 1 + SENTENCE));
    let near = near.split(|byte| is(*byte, SPACE | QUOTE)).next()?;
    let at = near.iter().rposition(|byte| *byte == b'@')?;
    let host = from(near, at + 1);
    let user = if host.starts_with(b"tcp(") || host.starts_with(b"unix(") {
        is(before(text, colon), WORD).then_some(0)?
    } else {
        let is_oracle =
            [&b":thin"[..], b":oci"].iter().any(|driver| between(text, 0, colon).ends_with(driver));
        let user = run(near, 0, WORD);
        (is_oracle && byte(near, user) == b'/').then_some(user + 1)?
    };
    let fits = super::plausible::is_url_password(between(near, user, at));
    fits.then_some(Found { start: colon + 1 + user, end: colon + 1 + at, kind: "url-password" })
}

/// A value without the full stop that ends its sentence.
fn trimmed(text: &[u8], value: Value) -> Value {
    let ends = value.writing != Writing::Quoted && value.of(text).ends_with(b".");
    Value { end: value.end - usize::from(ends), ..value }
}

fn found(value: Value, kind: &'static str) -> Found {
    Found { start: value.start, end: value.end, kind }
}
