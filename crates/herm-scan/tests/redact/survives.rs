//! What must stay, byte for byte.

use herm_scan::Redactor;

const TEXTS: &[&str] = &[
    // References and placeholders.
    "OPENAI_API_KEY=your-api-key-here",
    "password: ${DB_PASSWORD}",
    "TOKEN=$TOKEN ./deploy",
    "token = os.environ[\"SERVICE_TOKEN_9f86d081884c\"]",
    "const key = process.env.API_KEY_9f86d081884c;",
    "aws_secret_access_key = <YOUR_SECRET>",
    "password = getpass.getpass()",
    "${{ secrets.NPM_TOKEN }}",
    "Authorization: Bearer <token>",
    "Authorization: Bearer $TOKEN",
    "-H \"Authorization: Bearer {token}\"",
    "curl -u \"$USER:$PASSWORD\" https://example.com",
    "curl -u \"me:$(cat password.txt)\" https://example.com",
    "postgres://user:password@localhost/db",
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
    "The password field must not be empty",
    "Bearer token authentication is supported",
    "test_password_reset_flow PASSED",
    "SELECT token, secret FROM api_keys WHERE id = ?",
    "cargo test token:: -- --nocapture",
    "\"password\": \"Enter your password\"",
    "password: required",
    "passwordVariable: 'PASSWORD', credentialsId: '0736f5ef-7e88-499a-80cc-90c85d2a5180'",
    "mkdir -p somewhere/deep1 && docker run -p 8080:80 image",
    "PWD=/home/dev/project9 OLDPWD=/home/dev",
    "-----BEGIN CERTIFICATE-----\nMIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG9w0BAQUFADBaMQswCQYDVQQGEwJJ\n-----END CERTIFICATE-----",
    "if text.contains(\"-----BEGIN RSA PRIVATE KEY-----\") { warn(); }",
    "-----BEGIN PRIVATE KEY-----\nis how such a file begins.\n",
    "pub const ERROR_PASSWORD_EXPIRED: u32 = 2150859079u32;",
    "pub const STATUS_PWD_TOO_LONG: NTSTATUS = 0xC000027A_u32 as _;",
    "pub PassThrough: SCSI_PASS_THROUGH_DIRECT32,",
    "# one of \"md5\", \"password\", \"scram-sha-256\"",
    "(\"../etc/passwd\", b\"root:x:0:0\")",
    "\"authorization_projection_sha256\": entry.authorization_projection_sha256,",
    "[![codecov](https://codecov.io/gh/a/b/graph/badge.svg?token=yt4XSmQNKQ)](https://codecov.io/gh/a/b)",
    "\"signature\": \"MEUCIEITm1rgqLERChR08Kee2lbt0X/85Vr4U9Dxdc24fU3cAiEAq\"",
    // Hashes, identifiers and names.
    "commit 2ff2b2d409dd311ca871902316d9841aab4ccec3",
    "sha256:fcd6fc150634c333694dd456dfae080aac639626c77a72a966c0974828b694b6",
    "integrity: sha512-g7nH6P6dyDioJogAAGprGpCtVImJhpPk/roCzdb3fIh61/s/nPsfR6onyMwkCAR==",
    "golang.org/x/sys v0.19.0 h1:/VUhepiaJMQUp4+oa/7Zr1D23ma6VTLIYjOOTFZPUcA=",
    "job 117c1cf0-773c-4f65-aa3b-3198e9f780ab; trace_id=a21d20302051f16a6fafb1c9c295d3ca",
    "cache_key: 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b",
    "gpg: using RSA key 5DE3E0509C47EA3CF04A42D34AEE18F83AFDEB23",
    "https://example.com/favicon.ico-7a388b69018576d24b59331fd60aab0c.png",
    "class=\"sk-estimator-doc-link sk-toggleable__content\"",
    "2026-01-02T03:04:05Z INFO request id=12345678 status=200",
    "int hf_generatedByHomeAppForDebuggingPurposes;",
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
