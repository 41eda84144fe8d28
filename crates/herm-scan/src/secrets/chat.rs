//! Tokens of chats, mail and messengers.

use super::bytes::{ALNUM, ANY_HEX, DASH, DIGIT, DOT, EQUALS, HEX, URL64, is};
use super::format::Format;
use super::plausible::{is_placeholder, is_token};

pub(super) static FORMATS: &[Format] = &[
    Format::new("clickup-token", "pk_", ALNUM | super::bytes::UNDERSCORE, 38).check(is_clickup).apart(),
    Format::new("contentful-token", "CFPAT-", URL64, 43),
    Format::new("figma-token", "figd_", URL64, 40),
    Format::new("figma-token", "figo_", URL64, 40),
    Format::new("slack-token", "xoxb-", ALNUM | DASH, 16).check(is_slack),
    Format::new("slack-token", "xoxp-", ALNUM | DASH, 16).check(is_slack),
    Format::new("slack-token", "xoxa-", ALNUM | DASH, 10).check(is_slack),
    Format::new("slack-token", "xoxr-", ALNUM | DASH, 10).check(is_slack),
    Format::new("slack-token", "xoxs-", ALNUM | DASH, 10).check(is_slack),
    Format::new("slack-token", "xoxo-", ALNUM | DASH, 10).check(is_slack),
    Format::new("slack-token", "xoxc-", ALNUM | DASH, 10).check(is_slack),
    Format::new("slack-token", "xoxd-", URL64, 20).check(is_slack),
    Format::new("slack-token", "xoxe-", ALNUM | DASH, 40).check(is_slack),
    Format::new("slack-token", "xoxe.xoxp-", ALNUM | DASH, 40).check(is_token),
    Format::new("slack-token", "xoxe.xoxb-", ALNUM | DASH, 40).check(is_token),
    Format::new("slack-token", "xapp-", ALNUM | DASH, 30).check(is_slack),
    Format::new("matrix-token", "syt_", URL64, 20),
    Format::new("matrix-token", "mct_", URL64, 20),
    Format::new("mailgun-key", "key-", HEX, 32).exactly().apart(),
    Format::new("sendgrid-key", "SG.", URL64 | DOT | EQUALS, 60),
    Format::new("brevo-key", "xkeysib-", ALNUM | DASH, 60),
    Format::new("brevo-key", "xsmtpsib-", ALNUM | DASH, 60),
    Format::new("twilio-key", "SK", ANY_HEX, 32).exactly().apart(),
    Format::new("notion-token", "ntn_", ALNUM, 40),
    Format::new("notion-token", "secret_", ALNUM, 43).exactly(),
    Format::new("linear-key", "lin_api_", ALNUM, 30),
    Format::new("linear-key", "lin_oauth_", ALNUM, 30),
    Format::new("airtable-token", "pat", ALNUM | DOT, 60).apart(),
    Format::new("typeform-token", "tfp_", URL64 | DOT | EQUALS, 40),
    Format::new("frameio-token", "fio-u-", URL64 | EQUALS, 60),
    Format::new("adobe-secret", "p8e-", URL64, 32),
    Format::new("facebook-token", "EAAM", ALNUM, 60),
    Format::new("facebook-token", "EAAC", ALNUM, 60),
    Format::new("facebook-token", "EAAG", ALNUM, 60),
    Format::new("facebook-token", "EAA", ALNUM, 100).apart(),
    Format::new("dropbox-token", "sl.", URL64 | DOT | EQUALS, 120).apart(),
    Format::new("mapbox-token", "sk.eyJ", URL64 | DOT, 60),
    Format::new("hubspot-token", "pat-na1-", ANY_HEX | DASH, 36).exactly(),
    Format::new("hubspot-token", "pat-na2-", ANY_HEX | DASH, 36).exactly(),
    Format::new("hubspot-token", "pat-eu1-", ANY_HEX | DASH, 36).exactly(),
    Format::new("resend-key", "re_", ALNUM | super::bytes::UNDERSCORE, 30).apart(),
    Format::new("zoho-token", "1000.", HEX | DOT, 64).apart(),
];

/// Numbers of teams and users, then the secret; one that begins with no number is prose.
fn is_slack(body: &[u8]) -> bool {
    let digits = body.iter().filter(|byte| is(**byte, DIGIT)).count();
    digits >= 4 && !is_placeholder(body)
}

/// The number of a user, then the secret; behind the same beginning come public keys as well.
fn is_clickup(body: &[u8]) -> bool {
    let parts: Vec<_> = body.split(|byte| *byte == b'_').collect();
    matches!(parts.as_slice(), [user, secret] if user.iter().all(|byte| is(*byte, DIGIT)) && secret.len() >= 30)
}
