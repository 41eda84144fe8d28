//! What must go.

use herm_scan::Redactor;

use crate::random::{ALNUM, BASE64, HEX, LOWER, Random, UPPER};

/// Tokens by their beginning, alphabet and length; none of them is real.
const TOKENS: &[(&str, &str, usize)] = &[
    (concat!("gh", "p_"), ALNUM, 36),
    (concat!("gh", "s_"), ALNUM, 36),
    (concat!("github", "_pat_"), ALNUM, 82),
    (concat!("gl", "pat-"), ALNUM, 20),
    (concat!("AK", "IA"), UPPER, 16),
    (concat!("AI", "za"), ALNUM, 35),
    (concat!("sk", "-proj-"), ALNUM, 60),
    (concat!("sk", "-ant-", "api03-"), ALNUM, 60),
    (concat!("sk", "-"), ALNUM, 48),
    (concat!("hf", "_"), ALNUM, 34),
    (concat!("gs", "k_"), ALNUM, 52),
    (concat!("xo", "xb-123456789012-"), ALNUM, 24),
    (concat!("sk", "_live_"), ALNUM, 24),
    (concat!("np", "m_"), ALNUM, 36),
    (concat!("py", "pi-"), ALNUM, 80),
    (concat!("dop", "_v1_"), HEX, 64),
    (concat!("da", "pi"), HEX, 32),
    (concat!("hv", "s."), ALNUM, 90),
    (concat!("shp", "at_"), HEX, 32),
    (concat!("SG", "."), ALNUM, 66),
    (concat!("SK", ""), HEX, 32),
    (concat!("AGE-SECRET", "-KEY-1"), UPPER, 58),
    (concat!("lin", "_api_"), ALNUM, 40),
    (concat!("xa", "i-"), ALNUM, 80),
    (concat!("123456789", ":AA"), ALNUM, 33),
    (concat!("fig", "d_"), ALNUM, 40),
    (concat!("nf", "p_"), ALNUM, 36),
    (concat!("EA", "AB"), ALNUM, 160),
    (concat!("sl", ".u.AF"), ALNUM, 130),
    (concat!("sk", ".eyJ1Ijoi"), ALNUM, 60),
    (concat!("live", "_"), HEX, 35),
    (concat!("sc", "_a1b2c3d4.x9y8.acc_k3j5h7g9f1d3."), ALNUM, 40),
    (concat!("na", "pi_"), LOWER, 64),
    (concat!("apify", "_api_"), ALNUM, 36),
    (concat!("eyJhbGciOi", "JIUzI1NiJ9.eyJzdWIi"), ALNUM, 40),
];

/// What a token may stand in.
const PLACES: &[&str] = &[
    "{}",
    "key {} was refused (401)",
    "export NAME={}",
    "  api: \"{}\",",
    "curl -H 'X-Thing: {}' https://example.com/",
    "https://example.com/?q={}&page=1",
    "git clone https://{}@example.com/a/b.git",
    "{\"config\": \"A=1\\nB={}\\nC=2\"}",
    "q=a%20{}",
    "\\x1b[32m{}\\x1b[0m",
    "\\u001b[1;31m{}",
    "\\033[0m{}",
    "a\\u0026token\\u003d{}",
    "\u{1b}[32m{}\u{1b}[0m",
    "[{}]",
    "`{}`.",
    "tool login --with {}\n",
    "+{}",
    "({}),",
];

#[test]
fn tokens_are_taken_out_wherever_they_stand() {
    let mut random = Random::new();
    for (prefix, alphabet, length) in TOKENS {
        for place in PLACES {
            let body = random.text(alphabet, *length);
            let secret = format!("{prefix}{body}");
            let text = place.replace("{}", &secret);
            let output = Redactor::new().redact(&text);
            assert!(!output.contains(&body), "{text}\n{output}");
            // Of a token with a colon in an address, what stands before the colon is taken for the user.
            if !place.contains('@') {
                assert_eq!(output, place.replace("{}", "[REDACTED]"), "{text}");
            }
        }
    }
}

/// Values with no shape of their own, by what they stand beside.
const NAMED: &[&str] = &[
    "GITHUB_TOKEN={}",
    "export SERVICE_API_KEY=\"{}\"",
    "serviceToken := `{}`",
    "string serviceToken = \"{}\";",
    "service_token: '{}'",
    "let api_key: &str = \"{}\";",
    "{\"client_secret\": \"{}\", \"model\": \"x\"}",
    "{\"text\": \"{\\\"token\\\": \\\"{}\\\"}\"}",
    "config: { token: {} }",
    "System.setProperty(\"SERVICE_TOKEN\", \"{}\")",
    "https://example.com/cb?access_token={}&state=1",
    "Authorization: Bearer {}",
    "curl -H \"authorization: Token {}\" https://example.com/",
    "curl -H 'X-Api-Key: {}'",
    "<apiKey>{}</apiKey>",
    "deploy --token {} --yes",
    "deploy --token={}",
    "tool configure set aws_secret_access_key {}",
    "request failed with key {} (401)",
    "docker run -e SERVICE_TOKEN={} image",
    "SERVICE_TOKEN ?= \"{}\"",
    "'secret_key' => '{}',",
    "  \"Authorization\": \"Bearer {}\"",
    "Cookie: session={}; theme=dark",
    "sourcegraph: {}",
    "https://a.blob.example.net/c?sv=2024-01-01&sig={}&se=2026",
    "-  token = '{}'",
    "Authorization: Basic {}",
    "{\"Authorization\": \"Basic {}\"}",
    "Authorization: SSWS {}",
    "Authorization: Scheme-Of-Ours {}",
    "<add key=\"ApiKey\" value=\"{}\" />",
    "{\"name\": \"SERVICE_TOKEN\", \"value\": \"{}\"}",
    "{\\\"Name\\\":\\\"SERVICE_TOKEN\\\",\\\"Value\\\":\\\"{}\\\"}",
    "https://example.com/api/call?code={}",
    "tool login {}",
    "tool config add-authtoken {}",
    "machine example.com login me password {}",
    "machine example.com\n  login me\n  password {}\n",
    "PASS oauth:{}",
];

#[test]
fn values_are_taken_out_because_of_their_names() {
    let mut random = Random::new();
    for place in NAMED {
        for (alphabet, length) in [(HEX, 40), (LOWER, 32), (ALNUM, 24), (ALNUM, 64)] {
            let text = place.replace("{}", &random.text(alphabet, length));
            assert_eq!(Redactor::new().redact(&text), place.replace("{}", "[REDACTED]"), "{text}");
        }
    }
}

#[test]
fn passwords_are_taken_out() {
    for (text, expected) in [
        ("DB_PASSWORD=correct!h0rse", "DB_PASSWORD=[REDACTED]"),
        ("PGPASSWORD=letmein psql -h db", "PGPASSWORD=[REDACTED] psql -h db"),
        ("password: \"tr0ub4dor&3\"", "password: \"[REDACTED]\""),
        ("mysql -u root -ptr0ub4dor app", "mysql -u root -p[REDACTED] app"),
        ("sshpass -p 'tr0ub4dor&3' ssh host", "sshpass -p '[REDACTED]' ssh host"),
        ("curl -u me:tr0ub4dor https://example.com", "curl -u me:[REDACTED] https://example.com"),
        ("curl --user 'me:tr0ub4dor' https://example.com", "curl --user 'me:[REDACTED]' https://example.com"),
        ("postgres://app:tr0ub@dor@db:5432/prod", "postgres://app:[REDACTED]@db:5432/prod"),
        ("redis://:tr0ub4dor@cache:6379/0", "redis://:[REDACTED]@cache:6379/0"),
        ("<password>tr0ub4dor</password>", "<password>[REDACTED]</password>"),
        ("login --password tr0ub4dor", "login --password [REDACTED]"),
        ("docker login -u me -p tr0ub4dor example.com", "docker login -u me -p [REDACTED] example.com"),
        (
            "az login --service-principal -u me -p tr0ub4dor",
            "az login --service-principal -u me -p [REDACTED]",
        ),
        ("machine db login me password tr0ub4dor", "machine db login me password [REDACTED]"),
        ("psk=\"tr0ub4dor\"", "psk=\"[REDACTED]\""),
        ("token=\"tr0ub4dorzkq9 unfinished", "token=\"[REDACTED] unfinished"),
    ] {
        assert_eq!(Redactor::new().redact(text), expected);
    }
}

fn key(label: &str, lines: usize) -> String {
    let mut random = Random::new();
    let body: String = (0..lines).map(|_| random.text(BASE64, 64) + "\n").collect();
    format!("-----BEGIN {label}-----\n{body}{}==\n-----END {label}-----\n", random.text(BASE64, 22))
}

#[test]
fn private_keys_are_taken_out() {
    for label in ["PRIVATE KEY", "RSA PRIVATE KEY", "OPENSSH PRIVATE KEY", "PGP PRIVATE KEY BLOCK"] {
        let text = format!("before\n{}after\n", key(label, 20));
        let expected = format!("before\n-----BEGIN {label}-----\n[REDACTED]\n-----END {label}-----\nafter\n");
        assert_eq!(Redactor::new().redact(&text), expected);
    }
}

#[test]
fn a_private_key_of_putty_is_taken_out() {
    let lines = |random: &mut Random| format!("{}\n{}=\n", random.text(BASE64, 64), random.text(BASE64, 39));
    let mut random = Random::new();
    let public = lines(&mut random);
    let file = |private: &str| {
        format!(
            "PuTTY-User-Key-File-3: ssh-ed25519\nPublic-Lines: 2\n{public}Private-Lines: 2\n{private}Private-MAC: 0\n"
        )
    };
    let text = file(&lines(&mut random));
    assert_eq!(Redactor::new().redact(&text), file("[REDACTED]\n"));
}

#[test]
fn the_token_of_a_bot_is_taken_out_of_its_address() {
    let text =
        format!("https://api.example.org/bot{}:AA{}/getMe", 2_435_833_867_u64, Random::new().text(ALNUM, 33));
    assert_eq!(Redactor::new().redact(&text), "https://api.example.org/bot[REDACTED]/getMe");
}

#[test]
fn a_private_key_may_be_cut_off_quoted_or_on_one_line() {
    let whole = key("PRIVATE KEY", 4);
    let cut: Vec<_> = whole.lines().take(4).chain(["[output truncated]\n"]).collect();
    let text = cut.join("\n");
    assert_eq!(
        Redactor::new().redact(&text),
        "-----BEGIN PRIVATE KEY-----\n[REDACTED]\n[output truncated]\n"
    );
    let json = |name: &str| format!("{{\"{name}\": \"{}\"}}", whole.replace('\n', "\\n"));
    assert_eq!(Redactor::new().redact(&json("private_key")), "{\"private_key\": \"[REDACTED]\"}");
    assert_eq!(
        Redactor::new().redact(&json("content")),
        "{\"content\": \"-----BEGIN PRIVATE KEY-----[REDACTED]-----END PRIVATE KEY-----\\n\"}"
    );
    let indented = format!("    {}", whole.trim_end().replace('\n', "\r\n    "));
    assert_eq!(
        Redactor::new().redact(&indented),
        "    -----BEGIN PRIVATE KEY-----\r\n[REDACTED]\r\n    -----END PRIVATE KEY-----"
    );
}

#[test]
fn known_values_are_taken_out_in_every_form() {
    let mut redactor = Redactor::with_values(["open sesame!", "short", "swordfish"]);
    let text = "say open sesame! or b3BlbiBzZXNhbWUh or open%20sesame%21, not short; xswordfishx";
    let output = redactor.redact(text);
    assert_eq!(output, "say [REDACTED] or [REDACTED] or [REDACTED], not short; x[REDACTED]x");
    assert_eq!(redactor.taken().collect::<Vec<_>>(), [("known-value", 4)]);
}

#[test]
fn what_was_taken_is_counted_by_kind() {
    let mut random = Random::new();
    let mut redactor = Redactor::new();
    let token = format!("{}{}", concat!("gh", "p_"), random.text(ALNUM, 36));
    let _ = redactor.redact(&format!(
        "{token} {token} postgres://a:{token}@h/ password: tr0ub4dor\n{}",
        key("PRIVATE KEY", 2)
    ));
    let counts: Vec<_> = redactor.taken().collect();
    assert_eq!(counts, [("github-token", 2), ("password", 1), ("private-key", 1), ("url-password", 1)]);
}

#[test]
fn nothing_of_it_shows_in_debug() {
    let mut redactor = Redactor::with_values(["swordfish"]);
    redactor.feed(b"half a line with swordf", &mut Vec::new());
    assert!(!format!("{redactor:?}").contains("swordf"));
}

#[test]
fn what_looks_like_the_header_of_a_key_hides_nothing() {
    let text =
        "-----BEGIN PRIVATE KEY-----\nAuthorization: Bearer q8w7e6r5t4y3u2i1\nNote: swordfish\n\nrest\n";
    let output = Redactor::with_values(["swordfish"]).redact(text);
    let expected =
        "-----BEGIN PRIVATE KEY-----\nAuthorization: Bearer [REDACTED]\nNote: [REDACTED]\n\nrest\n";
    assert_eq!(output, expected);
}

/// A file of our own: keys, and what may be none.
const OURS: &str = "FOO=supersecretvalue\nBAR=hunter2\nPIN=48392017\nPHRASE='mad hatter tea'\nDEBUG=true\nPORT=3000\n\
                    APP_NAME=Corner Shop\nDB_PASSWORD=xk12\nDATA=/srv/data\nLINK=https://example.com/x\n";

#[test]
fn what_we_hold_goes_wherever_it_stands() {
    for (text, expected) in [
        ("it is supersecretvalue.", "it is [REDACTED]."),
        ("try hunter2 now", "try [REDACTED] now"),
        ("call 48392017!", "call [REDACTED]!"),
        ("the mad hatter tea party", "the [REDACTED] party"),
        ("?q=mad%20hatter%20tea&r=mad+hatter+tea", "?q=[REDACTED]&r=[REDACTED]"),
        ("xk12 is short, axk12 another", "[REDACTED] is short, axk12 another"),
        // `hunter2` and `user:hunter2`
        ("aHVudGVyMg== dXNlcjpodW50ZXIy", "[REDACTED]g== dXNlcjp[REDACTED]"),
    ] {
        assert_eq!(Redactor::holding(OURS).redact(text), expected);
        assert_eq!(Redactor::only_holding(OURS).redact(text), expected);
    }
}

#[test]
fn whatever_we_hold_goes_beside_its_name() {
    for (text, expected) in [
        ("DEBUG=true PORT=3000", "DEBUG=[REDACTED] PORT=[REDACTED]"),
        ("export APP_NAME='Corner Shop'", "export APP_NAME='[REDACTED]'"),
        ("{\"PORT\": \"3000\", \"DEBUG\": true}", "{\"PORT\": \"[REDACTED]\", \"DEBUG\": [REDACTED]}"),
        ("'DATA' => '/srv/data', LINK: https://example.com/x", "'DATA' => '[REDACTED]', LINK: [REDACTED]"),
        ("PORT=30001 SUPPORT=3000 true /srv/data 3000", "PORT=30001 SUPPORT=3000 true /srv/data 3000"),
        ("Corner Shop, https://example.com/x", "Corner Shop, https://example.com/x"),
    ] {
        assert_eq!(Redactor::holding(OURS).redact(text), expected);
        assert_eq!(Redactor::holding(OURS).redact(expected), expected, "once is enough");
    }
}

#[test]
fn what_we_hold_goes_however_it_comes() {
    let line = "a\tPORT = 3000; supersecretvalue; APP_NAME: Corner Shop; 48392017\n";
    let long = format!("{} {}", line.trim(), "word ".repeat(30_000)).repeat(3);
    for text in [line, &long] {
        let whole = Redactor::holding(OURS).redact(text);
        assert!(!whole.contains("3000") && !whole.contains("Corner Shop") && !whole.contains("48392017"));
        for size in [1, 2, 5, 4099] {
            let (mut redactor, mut output) = (Redactor::holding(OURS), Vec::new());
            text.as_bytes().chunks(size).for_each(|piece| redactor.feed(piece, &mut output));
            redactor.finish(&mut output);
            assert!(output == whole.as_bytes(), "in pieces of {size}");
        }
    }
}

#[test]
fn nothing_else_goes_where_only_ours_do() {
    let token = format!("gh{}_{}", "p", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8");
    let text = format!("token={token} password=Tr0ub4dor.3x hunter2\n");
    let expected = text.replace("hunter2", "[REDACTED]");
    assert_eq!(Redactor::only_holding(OURS).redact(&text), expected);
    assert!(Redactor::only_holding("# nothing\n").is_idle());
    assert_eq!(Redactor::only_holding("").redact(&text), text);
}

#[test]
fn a_line_that_goes_on_shows_nothing_of_what_we_hold() {
    for line in ["APP_NAME=Corner Shop is open ", "say mad hatter tea now ", "PORT=3000 ", "xk12 "] {
        for redactor in [Redactor::holding(OURS), Redactor::only_holding(OURS)] {
            let whole = Redactor::only_holding(OURS).redact(line);
            for cut in 0..=line.len() {
                let harmless = redactor.harmless(&line.as_bytes()[..cut]);
                assert!(
                    whole.as_bytes().starts_with(&line.as_bytes()[..harmless]),
                    "{line} at {cut}: {harmless}"
                );
            }
        }
    }
}
