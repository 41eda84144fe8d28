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
