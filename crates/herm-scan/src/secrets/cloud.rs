//! Keys of clouds, hosts and what runs on them.

use super::bytes::{ALNUM, BASE64, DASH, DIGIT, DOT, EQUALS, HEX, UPPER, URL64, WORD, contains};
use super::format::Format;
use super::letters::entropy;
use super::plausible::{is_placeholder, is_token};
use super::published::is_published;

pub(super) static FORMATS: &[Format] = &[
    Format::new("nats-seed", "SUA", super::bytes::UPPER | super::bytes::DIGIT, 55).exactly().apart(),
    Format::new("nats-seed", "SAA", super::bytes::UPPER | super::bytes::DIGIT, 55).exactly().apart(),
    Format::new("nats-seed", "SOA", super::bytes::UPPER | super::bytes::DIGIT, 55).exactly().apart(),
    Format::new("nats-seed", "SNA", super::bytes::UPPER | super::bytes::DIGIT, 55).exactly().apart(),
    Format::new("nats-seed", "SCA", super::bytes::UPPER | super::bytes::DIGIT, 55).exactly().apart(),
    Format::new("google-hmac-key", "GOOG1E", UPPER | DIGIT, 55),
    Format::new("google-hmac-key", "GOOG", UPPER | DIGIT, 20).exactly().check(is_mixed),
    Format::new("vercel-token", "vcp_", ALNUM, 24),
    Format::new("vercel-token", "vci_", ALNUM, 24),
    Format::new("vercel-token", "vca_", ALNUM, 24),
    Format::new("vercel-token", "vcr_", ALNUM, 24),
    Format::new("vercel-token", "vck_", ALNUM, 24),
    Format::new("vercel-blob-token", "vercel_blob_rw_", WORD, 30),
    Format::new("aws-access-key", "AKIA", UPPER | DIGIT, 16).exactly().check(is_aws),
    Format::new("aws-access-key", "ASIA", UPPER | DIGIT, 16).exactly().check(is_aws),
    Format::new("aws-access-key", "ABIA", UPPER | DIGIT, 16).exactly().check(is_aws),
    Format::new("aws-access-key", "ACCA", UPPER | DIGIT, 16).exactly().check(is_aws),
    Format::new("aws-access-key", "A3T", UPPER | DIGIT, 17).exactly().check(is_aws),
    Format::new("aws-bedrock-key", "ABSKQmVkcm9ja0FQSUtleS1", BASE64, 60),
    Format::new("aws-bedrock-key", "bedrock-api-key-", BASE64 | URL64, 28).check(is_bedrock),
    Format::new("alibaba-access-key", "LTAI", ALNUM, 16).most(24),
    Format::new("cloudflare-key", "v1.0-", HEX | DASH, 100),
    Format::new("databricks-token", "dapi", HEX | DASH, 32).most(34).apart(),
    Format::new("digitalocean-token", "dop_v1_", HEX, 64),
    Format::new("digitalocean-token", "doo_v1_", HEX, 64),
    Format::new("digitalocean-token", "dor_v1_", HEX, 64),
    Format::new("fly-token", "fo1_", URL64, 40),
    Format::new("fly-token", "fm1a_", BASE64 | URL64, 60),
    Format::new("fly-token", "fm1r_", BASE64 | URL64, 60),
    Format::new("fly-token", "fm2_", BASE64 | URL64, 60),
    Format::new("google-api-key", "AIza", URL64, 35).exactly().check(is_google),
    Format::new("google-oauth-secret", "GOCSPX-", URL64, 20),
    Format::new("google-oauth-token", "ya29.", URL64 | DOT, 30),
    Format::new("heroku-key", "HRKU-", URL64, 30),
    Format::new("authress-key", "sc_", URL64 | DOT | EQUALS, 60).check(is_authress).apart(),
    Format::new("neon-key", "napi_", ALNUM, 60),
    Format::new("netlify-token", "nfp_", ALNUM, 36),
    Format::new("netlify-token", "nfc_", ALNUM, 36),
    Format::new("netlify-token", "nfo_", ALNUM, 36),
    Format::new("render-key", "rnd_", ALNUM, 28).apart(),
    Format::new("deno-token", "ddp_", ALNUM, 36).apart(),
    Format::new("openshift-token", "sha256~", URL64, 40),
    Format::new("planetscale-token", "pscale_tkn_", URL64 | DOT | EQUALS, 24),
    Format::new("planetscale-token", "pscale_pw_", URL64 | DOT | EQUALS, 24),
    Format::new("planetscale-token", "pscale_oauth_", URL64 | DOT | EQUALS, 24),
    Format::new("pulumi-token", "pul-", HEX, 40).exactly().apart(),
    Format::new("scalingo-token", "tk-us-", URL64, 48),
    Format::new("supabase-key", "sbp_", HEX, 40),
    Format::new("supabase-key", "sb_secret_", URL64, 20),
    Format::new("tailscale-key", "tskey-", URL64, 20),
    Format::new("yandex-key", "AQVN", URL64, 35).most(38).apart(),
    Format::new("yandex-token", "t1.", URL64 | DOT | EQUALS, 100),
    Format::new("yandex-access-key", "YC", URL64, 38).exactly().check(is_mixed).apart(),
    Format::new("clickhouse-key", "4b1d", ALNUM, 38).exactly().apart(),
    Format::new("dnkey", "dnkey-", URL64 | EQUALS, 60),
    Format::new("duffel-token", "duffel_test_", URL64 | EQUALS, 40),
    Format::new("duffel-token", "duffel_live_", URL64 | EQUALS, 40),
    Format::new("vault-token", "hvs.", WORD | DASH, 24),
    Format::new("vault-token", "hvb.", WORD | DASH, 80),
    Format::new("vault-token", "hvr.", WORD | DASH, 24),
    Format::new("vault-token", "s.", ALNUM, 24).exactly().check(is_mixed).apart(),
    Format::new("vault-token", "b.AAAAAQ", WORD | DASH, 60),
    Format::new("doppler-token", "dp.pt.", ALNUM, 40),
    Format::new("doppler-token", "dp.st.", WORD | DASH | DOT, 40),
    Format::new("doppler-token", "dp.ct.", ALNUM, 40),
    Format::new("doppler-token", "dp.sa.", ALNUM, 40),
    Format::new("doppler-token", "dp.scim.", ALNUM, 40),
    Format::new("age-key", "AGE-SECRET-KEY-1", UPPER | DIGIT, 58).check(|body| !is_placeholder(body)),
    Format::new("age-key", "AGE-PLUGIN-", UPPER | DIGIT | DASH, 40),
];

/// Amazon's own examples end in a word that says so.
fn is_aws(body: &[u8]) -> bool {
    !body.ends_with(b"EXAMPLE") && !is_placeholder(body) && entropy(body) >= 2.5
}

/// A service, a number, an account, and only then the secret.
fn is_authress(body: &[u8]) -> bool {
    (contains(body, b".acc_") || contains(body, b".acc-")) && is_token(body)
}

/// The first part is an address in Base64, always the same one.
fn is_bedrock(body: &[u8]) -> bool {
    body.starts_with(b"YmVkcm9jay5hbWF6b25hd3MuY29t")
}

fn is_google(body: &[u8]) -> bool {
    is_token(body) && !is_published(body)
}

/// The beginning says little, so that letters and digits must be well mixed.
fn is_mixed(body: &[u8]) -> bool {
    let digits = body.iter().filter(|byte| byte.is_ascii_digit()).count();
    (2..body.len() - 2).contains(&digits) && entropy(body) >= 3.5 && is_token(body)
}
