//! What must go because of other lines, and what of them must stay.

use herm_scan::Redactor;

use crate::random::{BASE64, Random};

const SECRET: &str = "q7Rk2vXz9LmT4wPs";

/// Names and values on different lines, in tables and in sentences.
const TEXTS: &[&str] = &[
    "- name: DB_PASSWORD\n  value: {}\n",
    "[{\n  \"name\": \"DB_PASSWORD\",\n  \"value\": \"{}\"\n}]",
    "{\"Key\": \"DbPassword\",\n \"Value\": \"{}\"}",
    "\"password\"\n:\n\"{}\"\n",
    "password: >-\n  {}\n",
    "<key>apiPassword</key>\n<string>{}</string>\n",
    "variable \"db_password\" {\n  default = \"{}\"\n",
    " user | password | id\n------+----------+---\n ann  | {} | 3\n",
    "NAME   PASSWORD             AGE\nann    {}   3d\n",
    "username,password,email\nann,{},ann@x.org\n",
    "DB_PASSWORD  {}\n",
    "The password for user ann is {}.",
    "Your new API key is: {}",
    "CREATE USER a IDENTIFIED BY '{}';",
    "ENV DB_PASSWORD {}",
    "AUTH {}",
    "curl -uann:{} https://x.example",
    "remote: //ann:{}@host/x",
    "db.example.com:5432:app:ann:{}",
    "\u{1b}[1mDB_PASSWORD\u{1b}[0m=\u{1b}[36m{}\u{1b}[0m",
];

#[test]
fn values_are_taken_out_because_of_other_lines() {
    for text in TEXTS {
        let text = text.replacen("{}", SECRET, 1);
        let out = Redactor::new().redact(&text);
        assert!(!out.contains(SECRET), "{text:?}: {out:?}");
    }
}

#[test]
fn made_up_values_go_under_names_that_say_secret() {
    for text in
        ["JWT_SECRET=mysupersecretkey2024", "\"clientSecret\": \"letmein123\"", "SECRET_KEY='admin@123'"]
    {
        assert!(Redactor::new().redact(text).contains("[REDACTED]"), "{text}");
    }
}

#[test]
fn fields_of_a_form_do_not_swallow_the_next() {
    let out = Redactor::new().redact(&format!("password={SECRET}&username=bob"));
    assert_eq!(out, "password=[REDACTED]&username=bob");
}

#[test]
fn keys_behind_line_numbers_quotes_and_times_are_taken_out() {
    let mut random = Random::new();
    let body: Vec<String> = (0..6).map(|_| random.text(BASE64, 64)).collect();
    let whole = |begin: &str, end: &str| {
        let lines = std::iter::once(begin.to_owned()).chain(body.clone()).chain([end.to_owned()]);
        lines.filter(|line| !line.is_empty()).collect::<Vec<_>>()
    };
    let (begin, end) =
        (concat!("-----BEGIN RSA ", "PRIVATE KEY-----"), concat!("-----END RSA ", "PRIVATE KEY-----"));
    let prefix: [fn(usize) -> String; 7] = [
        |at| format!("{at:6}\t"),
        |at| format!("{at}:"),
        |at| format!("{at}→"),
        |at| format!("key.pem-{at}-"),
        |_| "> ".to_owned(),
        |at| format!("{at} | "),
        |at| format!("2024-05-01T10:00:0{at}Z stdout F "),
    ];
    for prefix in prefix {
        for lines in [whole(begin, end), whole(begin, ""), whole("", end)] {
            let numbered = lines.iter().enumerate().map(|(at, line)| prefix(at + 1) + line + "\n");
            let text = numbered.collect::<String>();
            for size in [1, 7, 4096] {
                let (mut redactor, mut out) = (Redactor::new(), Vec::new());
                text.as_bytes().chunks(size).for_each(|piece| redactor.feed(piece, &mut out));
                redactor.finish(&mut out);
                let out = String::from_utf8_lossy(&out);
                assert!(body.iter().all(|line| !out.contains(line.as_str())), "{text}\n{out}");
            }
        }
    }
}

#[test]
fn certificates_and_tables_without_secrets_stay() {
    let mut random = Random::new();
    let body: Vec<_> = (0..6).map(|_| random.text(BASE64, 64) + "\n").collect();
    let body = body.concat();
    for text in [
        format!("-----BEGIN CERTIFICATE-----\n{body}-----END CERTIFICATE-----\n"),
        body,
        "\"nextPageToken\": \"mvQDKbDlBRwuik5rQZaltDjRHEkZgzZtLL2R\"".to_owned(),
        "token: 0x0a4fb045cda8517c85a343012a3756856280b5f5".to_owned(),
        "key: Linux-cargo-2b677eb5e7e4c7f77f7b73c80151d86666bc6e167a6760a6".to_owned(),
        "\"Key\": \"AWSLogs/123456789012/xWaWIC6lP6bIVLkEWIZp\"".to_owned(),
        "NAME        TYPE     DATA   AGE\ndb-secret   Opaque   2      3d\n".to_owned(),
        "- name: DB_PASSWORD\n  valueFrom:\n    secretKeyRef:\n      name: db\n      key: password\n"
            .to_owned(),
        "token,count\nthe,300\nof,200\n".to_owned(),
    ] {
        assert_eq!(Redactor::new().redact(&text), text);
    }
}

/// One text a class: sentences, tables, devices, tools and what they print on several lines.
const CLASSES: &[(&str, &[&str])] = &[
    (
        "sentences",
        &[
            "The password for bob is {}\n",
            "    A temporary password is generated for root@localhost: {}\n",
            "dein WLAN-Passwort lautet: {}\n",
            "Unseal Key 1: {}AbC9zQ8w\n",
            "[setup] password set to {} (change it after the first login)\n",
            "Admin password changed, the new one follows: {}\n",
            "I rotated it, the new token for staging is {}AbC9zQ8w so please update\n",
        ],
    ),
    (
        "announcements",
        &[
            "Please use the following password to proceed:\n\n{}\n",
            "Password for the elastic user (reset with `x -u elastic`):\n  {}\n",
            "Your personal access token has been created.\n\n  {}AbC9zQ8w\n",
        ],
    ),
    (
        "tables",
        &[
            "NAME           TYPE      VALUE\ndb_password    secret    {}\nregion         string    fra1\n",
            "│ region       │ fra1             │\n│ clientSecret │ {} │\n",
            "│ #  │ username │ password         │\n├────┼──────────┼──────────────────┤\n│ 0  │ alice    │ {} │\n",
            "|  Name               |  Type          |  Value  |\n|  /prod/db/password  |  SecureString  |  {}  |\n",
        ],
    ),
    (
        "rows of SQL",
        &[
            "INSERT INTO users (name, password) VALUES ('bob', '{}'), ('ann', 'x');\n",
            "INSERT INTO `users` (`id`, `password_hash`) VALUES\n(1, 'q7Rk2vXz9LmT'),\n(2, '{}');\n",
            "COPY users (id, email, password) FROM stdin;\n1\tann@x.org\t{}\n\\.\n",
        ],
    ),
    (
        "files of others",
        &[
            "name,url,password\nbank,https://bank.example,\"{}, and more\"\n",
            "chpasswd:\n  list: |\n    root:{}\n    ann:Sunny-Radar-3\n",
            ": PSK \"{}\"\n",
            "rootpw --plaintext {}\n",
        ],
    ),
    (
        "redis",
        &[
            "127.0.0.1:6379> AUTH {}\nOK\n",
            "1) \"requirepass\"\n2) \"{}\"\n",
            "901:requirepass {}\n",
            "955:user worker on >{} ~jobs:* +@all\n",
        ],
    ),
    ("htpasswd", &["old:{SHA}{}AbCdEfGhIjK=\n", "$ htpasswd -nbB ci '{}'\n"]),
    (
        "terraform",
        &[
            "      ~ master_password   = \"6sK1tWxtv_Yb5J3d\" -> \"{}\"\n",
            "      ~ master_password   = null -> \"{}\"\n",
            "  \"admin_password\": {\n    \"sensitive\": true,\n    \"type\": \"string\",\n    \"value\": \"{}\"\n",
            "\"type\": \"random_password\",\n\"instances\": [\n{\n\"attributes\": {\n\"length\": 24,\n\"result\": \"{}\",\n",
        ],
    ),
    ("azure", &["\"primaryKey\": \"{}q7Rk2vXz9LmT4wPs8Ny3Hd6AbCdEf9hIjKlMn==\"\n"]),
    ("php", &["  [\"password\"]=>\n  string(16) \"{}\"\n", "define( 'DB_PASSWORD', '{}' );\n"]),
    (
        "addresses of drivers",
        &["dsn=\"root:{}@tcp(db:3306)/orders\"\n", "for url jdbc:oracle:thin:hr/{}@//ora1:1521/XE\n"],
    ),
    (
        "devices",
        &[
            "enable secret 9 {}\n",
            "username netops privilege 15 password 0 {}\n",
            "snmp-server community {} RO\n",
        ],
    ),
    ("colours", &["\u{1b}[1mToken:\u{1b}[0m \u{1b}[38;5;114m{}\u{1b}[0m\n"]),
    (
        "commands that ask",
        &[
            "$ echo -n \"$DB_PASSWORD\" | base64\n{}\n",
            "$ kubectl get secret db -o jsonpath='{.data.password}'; echo\n{}\n",
        ],
    ),
];

#[test]
fn no_class_leaks_however_the_text_is_cut() {
    for (class, texts) in CLASSES {
        for text in *texts {
            let text = text.replacen("{}", SECRET, 1);
            for size in [1, 7, 4096] {
                let (mut redactor, mut out) = (Redactor::new(), Vec::new());
                text.as_bytes().chunks(size).for_each(|piece| redactor.feed(piece, &mut out));
                redactor.finish(&mut out);
                let out = String::from_utf8_lossy(&out);
                assert!(!out.contains(SECRET), "{class}: {text:?}: {out:?}");
            }
        }
    }
}

#[test]
fn values_that_people_chose_go_under_strong_names() {
    for (text, secret) in [
        ("root_password: letmein-pirate\n", "letmein-pirate"),
        ("user_password: \"correct horse battery cheese\"\n", "correct horse battery cheese"),
        ("export EMAIL_HOST_PASSWORD=\"wswk yqaz nxum imdp\"\n", "wswk yqaz nxum imdp"),
        ("define('DB_PASSWORD', 'winter598');\n", "winter598"),
        ("The password for bob is guitar-winter-15\n", "guitar-winter-15"),
        ("requirepass cheese-tiger-11\n", "cheese-tiger-11"),
        ("password = \"my cat ate 7 pears\"\n", "my cat ate 7 pears"),
        ("DB_PASSWORD='secret with spaces'\n", "secret with spaces"),
        ("dsn=\"host=db password=blue.green.sky dbname=x\"\n", "blue.green.sky"),
        ("Kennwort: Birnbaum77\n", "Birnbaum77"),
        ("SIM_PIN=4821\n", "4821"),
        ("define('AUTH_KEY', 'x1$!V,^@7Pq{+|8z}L0<a#Rk>w;=*Jm(~yS)uT');\n", "V,^@7Pq{+|8z}L0"),
    ] {
        let out = Redactor::new().redact(text);
        assert!(!out.contains(secret), "{text:?}: {out:?}");
    }
}

#[test]
fn codes_and_phrases_below_a_heading_are_taken_out() {
    for (text, secrets) in [
        (
            "Recovery codes (keep them safe):\n\n  48d1b-41c7b\n  f2a20-00ce2\n",
            &["48d1b-41c7b", "f2a20-00ce2"][..],
        ),
        ("Backup codes:\n1. 1234 5678\n2. 8765 4321\n", &["1234 5678", "8765 4321"]),
        (
            "Write down your seed phrase:\nripple orbit cactus vivid lemon jungle arrow mimic canyon tobacco pulse galaxy\n",
            &["ripple orbit cactus"],
        ),
    ] {
        let out = Redactor::new().redact(text);
        assert!(secrets.iter().all(|secret| !out.contains(secret)), "{text:?}: {out:?}");
    }
}

#[test]
fn encoded_files_of_secrets_are_taken_out() {
    let encoded = "REJfUEFTU1dPUkQ9Vm5vaVB4NkhBdy1tRUM3OQpHSVRIVUJfVE9LRU49";
    assert!(!Redactor::new().redact(&format!("$ base64 -w0 .env\n{encoded}\n")).contains(encoded));
    let plain = "Tk9ERV9FTlY9cHJvZHVjdGlvbgpQT1JUPTMwMDAK\n";
    assert_eq!(Redactor::new().redact(plain), plain);
}

#[test]
fn a_value_that_is_awaited_is_not_shown_before_its_line_ends() {
    let mut redactor = Redactor::new();
    redactor.feed(b"Please use the following password to proceed:\n", &mut Vec::new());
    assert_eq!(redactor.harmless(format!("{SECRET} ").as_bytes()), 0);
    assert_eq!(redactor.harmless(b"Do you go on? "), 14);
}

#[test]
fn sentences_tables_and_code_about_secrets_stay() {
    for text in [
        "The password for this file is required\n",
        "The token count for the request is 1234567\n",
        "Invalid token in request: 3c9d1f60-52ab-4e07-9b18-6f0a7d2e41c5\n",
        "The password was checked.\n\n3 tests passed\n",
        "invalid_password: \"the password does not match\"\n",
        "reset_password: reset-password\n",
        "250-AUTH CRAM-MD5\n",
        "NAME       TYPE     VALUE\nregion     string   fra1-eu-99\n",
        "│ name   │ value    │\n│ region │ fra1-x99 │\n",
        "if password:\n    return check(hash_v2)\n",
        "snmp-server community public RO\n",
        "\"password\": \"Repeat your password\"\n",
        "credential.helper=osxkeychain\n",
        "gpio: { pin: 13 }\n",
        "PIN_SETTINGS: u32 = 3227532559;\n",
        "The password of this account was changed by ann@x.org to satisfy policy p4ss2\n",
        "Recovery keys work as codes do.\nThat took 3 days.\n",
        "names = [\n    'password',\n    'sqlite3_stmt',\n]\n",
        "\"type\": \"string\",\n\"result\": \"a1b2c3-d4\"\n",
        "$ git log --grep=token --format=%h\n1a2b3c4\n",
    ] {
        assert_eq!(Redactor::new().redact(text), text);
    }
}
