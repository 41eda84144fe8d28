//! What must stay, byte for byte.

use herm_scan::Redactor;

const TEXTS: &[&str] = &[
    // References and placeholders.
    "MODEL_API_KEY=your-own-key-here",
    "password: ${SHOP_DATABASE_PASSWORD}",
    "TOKEN=$TOKEN ./deploy",
    "token = os.environ[\"SERVICE_TOKEN_9f86d081884c\"]",
    "const key = process.env.API_KEY_9f86d081884c;",
    "client_secret = <the secret that you were given>",
    "password = prompt_for_password2(terminal)",
    "token: ${{ secrets.RELEASE_TOKEN }}",
    "Authorization: Bearer <token>",
    "Authorization: Bearer $TOKEN",
    "-H \"Authorization: Bearer {token}\"",
    "curl -u \"$USER:$PASSWORD\" https://example.com",
    "curl -u \"me:$(cat password.txt)\" https://example.com",
    "mysql://root:secret@127.0.0.1:3306/shop",
    "postgres://user:${PASSWORD}@localhost/db",
    "API_KEY=xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
    "token: ********************",
    "AKIAIOSFODNN7EXAMPLE",
    "password=[REDACTED] token: \"[REDACTED]\"",
    // Settings, types and sentences about secrets.
    "MAX_TOKENS=100",
    "max_tokens: 1234567890123",
    "TOKEN_URL=https://example.com/oauth2/token9f86",
    "password: str = None",
    "def login(user: str, password: str) -> Token:",
    "fn token(&self) -> Result<Token, Error> {",
    "let token = self.tokens.next_token_kind();",
    "if token == TokenKind::Identifier { return; }",
    "secret_key = SecretKey::from_slice(bytes)",
    "A password needs twelve characters, a token none",
    "Use Bearer authentication with the token below",
    "a_forgotten_password_can_be_reset ... ok",
    "INSERT INTO sessions (token, secret) VALUES (?, ?)",
    "cargo run --example token -- --verbose",
    "\"password\": \"Enter your password\"",
    "password: required",
    "passwordVariable: 'PASSWORD', credentialsId: '3c9d1f60-52ab-4e07-9b18-6f0a7d2e41c5'",
    "mkdir -p somewhere/deep1 && docker run -p 8080:80 image",
    "docker compose -p shop-2024-test up",
    "Authorization: Basic <credentials>",
    "Authorization: Basic $CREDENTIALS",
    "WWW-Authenticate: Basic realm=\"Area 51\"",
    "headers: { Authorization: \"Basic \" + btoa(user + \":\" + pass) }",
    "{\"name\": \"LOG_LEVEL\", \"value\": \"verbose-9f86d081884c7d659a\"}",
    "{\"name\": \"password\", \"value\": \"string\"}",
    "{\"name\": \"TOKEN_FILE\", \"value\": \"9f86d081884c7d659a2feaa0\"}",
    "https://example.com/invite?code=SPRING24",
    "Last login 2026-11-16T23:46:05Z",
    "password required pam_unix.so sha512",
    "  password field2\n",
    "tls-psk-identity: client1",
    "Private-Lines: as many as there are\n",
    "PWD=/home/dev/project9 OLDPWD=/home/dev",
    "-----BEGIN CERTIFICATE-----\nMIIBszCCAVmgAwIBAgIUQ2hlcnJ5VHJlZUluVGhlR2FyZGVuMAoGCCqGSM49BAMC\n-----END CERTIFICATE-----",
    "if text.contains(\"-----BEGIN RSA PRIVATE KEY-----\") { warn(); }",
    "-----BEGIN PRIVATE KEY-----\nis how such a file begins.\n",
    "pub const PASSWORD_WAS_WRONG: u32 = 3221225578u32;",
    "pub const SHORT_PWD: Status = 0xC0DE027A_u32 as _;",
    "pub pass: RENDER_PASS_DEPTH_ONLY32,",
    "# one of \"md5\", \"password\", \"scram-sha-256\"",
    "(\"../etc/passwd\", b\"root:x:0:0\")",
    "\"authorization_digest_sha256\": entry.authorization_digest_sha256,",
    "[![codecov](https://codecov.io/gh/a/b/graph/badge.svg?token=kW7xQ2mRz9)](https://codecov.io/gh/a/b)",
    "\"signature\": \"MEQCIHk3WqZx8LtVn6RyXb1JcHsDm4GfTe9UaQo2IiMxKl7SAiBv\"",
    // Hashes, identifiers and names.
    "commit 90c1f7d2e8b34a6f5d0e1c2b3a49586776859403",
    "sha256:4e1b7c90d2a35f68e7019c4b8d5a2f3601e9b7c8d4f5a6032918c7b6e5d4f3a2",
    "integrity: sha512-Qm7vK2xT9bLrYp4Zs8HdWnEj6GuCfA1iO3tMqXyRlVbN5oPkDwSgUhIeJzFcTa0Q==",
    "example.com/a/module v1.2.3 h1:Zk8wPq3LtVn6RyXb1JcHsDm4GfTe9UaQo2IiMxKl7SE=",
    "job b7e2d4f1-08c3-4a95-8d6e-1f20c9a7b358; trace_id=5d0c8e7f1a2b3c4d9e6f708192a3b4c5",
    "cache_key: 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    "<assemblyIdentity name=\"X\" publicKeyToken=\"b03f5f7f11d50a3a\" />",
    "did:key:z6MkgYGgjDkcD5utGphihmjhDSVzVSO2nbkjMlrEEVpKKzZk",
    "example/bot123456:latest",
    "gpg: using RSA key 7C1A90E4D2B85F6630E9A1C47B5D28F0E36A94B1",
    "https://example.com/favicon.ico-5d0c8e7f1a2b3c4d9e6f708192a3b4c5.png",
    "class=\"sk-estimator-doc-link sk-toggleable__content\"",
    "2026-01-02T03:04:05Z INFO request id=12345678 status=200",
    "int hf_collectedWhileTheFileWasBeingWritten;",
    "https://example.com:8080/a@b?c=d",
    "git@example.com:a/b.git",
    "0123456789:abcdefghijklmnopqrstuvwxyzabcdefghi",
];

#[test]
fn what_is_no_secret_survives() {
    for text in TEXTS {
        assert_eq!(Redactor::new().redact(text), *text);
    }
}

#[test]
fn bytes_that_are_no_text_survive() {
    let bytes: Vec<u8> = (0..=255_u8).chain([0xff, 0xfe, 0, 0x80]).cycle().take(10_000).collect();
    let mut output = Vec::new();
    let mut redactor = Redactor::new();
    redactor.feed(&bytes, &mut output);
    redactor.finish(&mut output);
    assert_eq!(output, bytes);
}
