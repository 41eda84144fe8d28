//! One grammar: every name in every layout gives every kind of value, and what only looks like it stays byte for byte.

use herm_scan::Redactor;

use crate::random::{ALNUM, Random};

/// Names that can mean nothing but a password, in the languages that people write in.
const NAMES: &[&str] = &[
    "password",
    "Password",
    "DB_PASSWORD",
    "dbPassword",
    "smtp.password",
    "root-password",
    "passphrase",
    "Passwort",
    "WLAN-Passwort",
    "Kennwort",
    "mot_de_passe",
    "contraseña",
    "Contraseña",
    "clave",
    "senha",
    "wachtwoord",
    "lösenord",
    "Lösenord",
    "passord",
    "adgangskode",
    "kodeord",
    "salasana",
    "hasło",
    "heslo",
    "jelszó",
    "lozinka",
    "zaporka",
    "Şifre",
    "şifre",
    "parola",
    "slaptažodis",
    "parool",
    "lykilorð",
    "пароль",
    "Пароль",
    "лозинка",
    "κωδικός",
    "密码",
    "密碼",
    "口令",
    "パスワード",
    "비밀번호",
    "암호",
    "סיסמה",
    "पासवर्ड",
    "รหัสผ่าน",
    "գաղտնաբառ",
    "პაროლი",
];

/// Names of several words.
const SPOKEN: &[&str] = &[
    "Mot de passe",
    "mật khẩu",
    "Mật khẩu",
    "kata sandi",
    "كلمة المرور",
    "رمز عبور",
    "Κωδικός πρόσβασης",
    "parola d'ordine",
];

/// What people take for passwords.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    /// Random letters and digits.
    Random,
    /// Words with a digit or a sign.
    Marked,
    /// The same with letters that are not ASCII.
    Foreign,
    /// Words run together with humps and strokes, and nothing else.
    Joined,
    /// One word of small letters.
    Word,
    /// Several words.
    Phrase,
}

const KINDS: [Kind; 6] = [Kind::Random, Kind::Marked, Kind::Foreign, Kind::Joined, Kind::Word, Kind::Phrase];

const WORDS: &[&str] = &[
    "otter",
    "lantern",
    "pickle",
    "Garten",
    "Muschel",
    "tortuga",
    "fromage",
    "zebra",
    "Winter",
    "kettle",
    "marmot",
    "Pfeffer",
    "bicicleta",
    "cascade",
    "rhubarb",
    "Nordlicht",
    "pumpkin",
    "saddle",
    "Walfisch",
    "thimble",
];

const FOREIGN: &[&str] =
    &["müde", "smörgås", "żaba", "снег", "桜", "ñandú", "rødgrød", "çilek", "κύμα", "バナナ"];

const SIGNS: &[&str] = &["!", "#", "?", "*", "+", "%", "^", "@"];

fn of<'a>(random: &mut Random, list: &[&'a str]) -> &'a str {
    list[random.below(list.len())]
}

fn value(random: &mut Random, kind: Kind) -> String {
    let (one, two) = (of(random, WORDS), of(random, WORDS));
    match kind {
        Kind::Random => random.text(ALNUM, 20) + "7Qx",
        Kind::Marked if random.below(2) == 0 => format!("{one}-{two}{}", 10 + random.below(90)),
        Kind::Marked => format!("{one}{}{two}{}", of(random, SIGNS), random.below(10)),
        Kind::Foreign => format!("{one}_{}_{}", of(random, FOREIGN), random.below(100)),
        Kind::Joined if random.below(2) == 0 => format!("{one}_{two}_ahoy"),
        Kind::Joined => format!("{one}-{two}-{}", of(random, WORDS)),
        Kind::Word => format!("{}{}", one.to_lowercase(), two.to_lowercase()),
        Kind::Phrase => format!("{one} {two} {} {}", of(random, FOREIGN), random.below(100)),
    }
}

/// How a name and a value stand in a text, and up to which kind of value that says enough.
const LAYOUTS: &[(&str, Kind)] = &[
    // Quoted: everything is a value.
    ("{\"NAME\": \"VALUE\"}\n", Kind::Phrase),
    ("{\"user\":\"ann\",\"NAME\":\"VALUE\",\"port\":5432}\n", Kind::Phrase),
    ("  \"NAME\": \"VALUE\",\n", Kind::Phrase),
    ("{'user': 'ann', 'NAME': 'VALUE'}\n", Kind::Phrase),
    ("NAME = \"VALUE\"\n", Kind::Phrase),
    ("NAME='VALUE'\n", Kind::Phrase),
    ("NAME: 'VALUE'\n", Kind::Phrase),
    ("'NAME' => 'VALUE',\n", Kind::Phrase),
    ("\"NAME\" => \"VALUE\"\n", Kind::Phrase),
    ("$cfg['NAME'] = 'VALUE';\n", Kind::Phrase),
    ("settings[\"NAME\"] = \"VALUE\";\n", Kind::Phrase),
    ("const NAME = \"VALUE\";\n", Kind::Phrase),
    ("let NAME: &str = \"VALUE\";\n", Kind::Joined),
    ("NAME := \"VALUE\"\n", Kind::Phrase),
    ("Login { user: \"ann\", NAME: \"VALUE\", retries: 3 }\n", Kind::Phrase),
    ("Login { NAME: Some(\"VALUE\") }\n", Kind::Phrase),
    ("main.DB{User:\"svc\", NAME:\"VALUE\"}\n", Kind::Phrase),
    ("NAME=“VALUE”\n", Kind::Phrase),
    ("NAME: „VALUE“\n", Kind::Phrase),
    ("NAME: «VALUE»\n", Kind::Phrase),
    ("<NAME>VALUE</NAME>\n", Kind::Phrase),
    ("  <cfg:NAME type=\"x\">VALUE</cfg:NAME>\n", Kind::Phrase),
    ("<string name=\"NAME\">VALUE</string>\n", Kind::Phrase),
    ("<add key=\"NAME\" value=\"VALUE\" />\n", Kind::Phrase),
    ("<db user=\"ann\" NAME=\"VALUE\"/>\n", Kind::Phrase),
    ("<NAME><Value>VALUE</Value></NAME>\n", Kind::Phrase),
    ("define('NAME', 'VALUE');\n", Kind::Phrase),
    ("props.setProperty(\"NAME\", \"VALUE\");\n", Kind::Phrase),
    ("os.Setenv(\"NAME\", \"VALUE\")\n", Kind::Phrase),
    ("{\"value\":\"VALUE\",\"name\":\"NAME\"}\n", Kind::Phrase),
    ("{\"name\":\"NAME\",\"value\":\"VALUE\"}\n", Kind::Phrase),
    ("Environment=\"NAME=VALUE\"\n", Kind::Phrase),
    // Escaped once and twice.
    ("{\"body\":\"{\\\"NAME\\\":\\\"VALUE\\\"}\"}\n", Kind::Phrase),
    ("{\"body\":\"{\\\"a\\\":\\\"{\\\\\\\"NAME\\\\\\\":\\\\\\\"VALUE\\\\\\\"}\\\"}\"}\n", Kind::Phrase),
    ("{&quot;NAME&quot;: &quot;VALUE&quot;}\n", Kind::Phrase),
    // A setting: the rest of its line.
    ("NAME: VALUE\n", Kind::Phrase),
    ("  NAME: VALUE\n", Kind::Phrase),
    ("NAME = VALUE\n", Kind::Phrase),
    ("NAME     : VALUE\n", Kind::Phrase),
    ("- NAME: VALUE\n", Kind::Phrase),
    ("NAME -> VALUE\n", Kind::Phrase),
    ("NAME → VALUE\n", Kind::Phrase),
    ("NAME：VALUE\n", Kind::Phrase),
    ("NAME (admin): VALUE\n", Kind::Phrase),
    ("**NAME:** VALUE\n", Kind::Phrase),
    ("host: db1\nNAME: VALUE\nport: 5432\n", Kind::Phrase),
    ("config/app.yml:12:  NAME: VALUE\n", Kind::Phrase),
    ("12\t  NAME: VALUE\n", Kind::Phrase),
    ("[09:15] <tim> NAME: VALUE\n", Kind::Marked),
    ("NAME=VALUE\n", Kind::Joined),
    ("export NAME=VALUE\n", Kind::Joined),
    ("host=db1 NAME=VALUE port=5432\n", Kind::Foreign),
    ("\u{1b}[1mNAME\u{1b}[0m: \u{1b}[32mVALUE\u{1b}[0m\n", Kind::Marked),
    ("NAME:\n  VALUE\n", Kind::Phrase),
    ("NAME: |-\n  VALUE\nport: 22\n", Kind::Phrase),
    ("NAME: >-\n  VALUE\n", Kind::Phrase),
    ("NAME: Some(\n    \"VALUE\",\n),\n", Kind::Phrase),
    ("\"NAME\": [\n  \"VALUE\"\n]\n", Kind::Joined),
    ("NAME:\n  - VALUE\n", Kind::Marked),
    // Columns.
    ("Key       Value\n---       -----\nusername  ann\nNAME      VALUE\n", Kind::Joined),
    ("│ NAME │ VALUE │\n", Kind::Joined),
    // Sentences.
    ("The NAME for the alarm: VALUE\n", Kind::Phrase),
    ("NAME lautet VALUE\n", Kind::Foreign),
];

fn redact(text: &str) -> String {
    Redactor::new().redact(text)
}

/// Whether a name stands for itself in a layout: one of several words needs a notation that has room for it.
fn fits(layout: &str, name: &str) -> bool {
    let is_ascii = name.is_ascii();
    let is_spoken = name.contains(' ');
    let has_dots = name.contains(['.', '-']);
    let is_code = ["let ", "const ", ":= ", "export ", "NAME=V", "Login {", "main.", "<db", "lautet"]
        .iter()
        .any(|part| layout.contains(part));
    !(is_spoken && !layout.contains("NAME: V") || is_code && (!is_ascii || has_dots))
}

#[test]
fn every_name_gives_its_value_in_every_layout() {
    let mut random = Random::new();
    let mut left = Vec::new();
    let mut count = 0;
    for (layout, most) in LAYOUTS {
        for name in NAMES.iter().chain(SPOKEN).filter(|name| fits(layout, name)) {
            for kind in KINDS.into_iter().filter(|kind| kind <= most) {
                let value = value(&mut random, kind);
                let text = layout.replace("NAME", name).replace("VALUE", &value);
                let output = redact(&text);
                count += 1;
                if output.contains(&value) {
                    left.push(format!("{kind:?}: {text}"));
                }
            }
        }
    }
    assert!(count > 10_000, "{count}");
    assert!(
        left.is_empty(),
        "{} of {count} are left:\n{}",
        left.len(),
        left.iter().step_by(left.len() / 60 + 1).cloned().collect::<String>()
    );
}

/// What stands behind such a name and is no password.
const NO_VALUES: &[&str] = &[
    "required",
    "optional",
    "string",
    "null",
    "true",
    "false",
    "********",
    "[REDACTED]",
    "<password>",
    "${DB_PASSWORD}",
    "$PASSWORD",
    "{{ password }}",
    "%s",
    "/run/secrets/db_password",
    "https://vault.example/db",
    "Passwort",
    "Passwort wiederholen",
    "Mot de passe",
    "Contraseña",
    "Enter your password",
    "Bitte Passwort eingeben",
    "Incorrect password",
    "must be at least 8 characters",
    "erforderlich",
    "changeme",
    "",
];

#[test]
fn what_only_stands_for_a_value_stays_in_every_layout() {
    let mut changed = Vec::new();
    for (layout, _) in LAYOUTS.iter().filter(|(layout, _)| !layout.contains("lautet")) {
        for name in NAMES.iter().step_by(3).filter(|name| fits(layout, name)) {
            for value in NO_VALUES {
                let text = layout.replace("NAME", name).replace("VALUE", value);
                let output = redact(&text);
                if output != text {
                    changed.push(format!("{text}  {output}"));
                }
            }
        }
    }
    assert!(
        changed.is_empty(),
        "{} are changed:\n{}",
        changed.len(),
        changed.iter().step_by(changed.len() / 60 + 1).cloned().collect::<String>()
    );
}

/// Names of something about a secret, and of nothing secret.
const OTHER_NAMES: &[&str] = &[
    "password_file",
    "passwordPolicy",
    "password_hint",
    "password-length",
    "passwordField",
    "token_type",
    "secretName",
    "compass",
    "bypass",
    "keyboard",
    "author",
    "username",
    "primary_key",
    "пользователь",
    "Benutzer",
];

#[test]
fn names_of_other_things_give_nothing_away() {
    let mut random = Random::new();
    for (layout, most) in
        LAYOUTS.iter().filter(|(layout, _)| !layout.contains("lautet") && !layout.contains("<add"))
    {
        for name in OTHER_NAMES.iter().filter(|name| fits(layout, name)) {
            for kind in [Kind::Marked, Kind::Foreign, Kind::Joined, Kind::Word, Kind::Phrase]
                .into_iter()
                .filter(|kind| kind <= most)
            {
                let text = layout.replace("NAME", name).replace("VALUE", &value(&mut random, kind));
                assert_eq!(redact(&text), text);
            }
        }
    }
}

#[test]
fn the_value_goes_and_nothing_around_it() {
    for (text, expected) in [
        (
            "{\"user\":\"ann\",\"contraseña\":\"mi gato azul\",\"port\":5432}",
            "{\"user\":\"ann\",\"contraseña\":\"[REDACTED]\",\"port\":5432}",
        ),
        ("пароль = снегопад-в-мае # общий", "пароль = [REDACTED] # общий"),
        ("<lösenord>SmörgåsTårta</lösenord>", "<lösenord>[REDACTED]</lösenord>"),
        ("Passwort: Birnbaum&Co", "Passwort: [REDACTED]"),
    ] {
        assert_eq!(redact(text), expected);
    }
}
