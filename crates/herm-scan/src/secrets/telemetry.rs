//! Keys of those who watch programs run.

use super::bytes::{ALNUM, BASE64, DASH, DOT, HEX, UNDERSCORE, URL64, WORD};
use super::format::Format;

pub(super) static FORMATS: &[Format] = &[
    Format::new("dynatrace-token", "dt0c01.", ALNUM | DOT, 80),
    Format::new("dynatrace-token", "dt0s01.", ALNUM | DOT, 80),
    Format::new("grafana-token", "glc_", BASE64, 32),
    Format::new("grafana-token", "glsa_", WORD, 32),
    Format::new("grafana-key", "eyJrIjoi", BASE64, 60),
    Format::new("newrelic-key", "NRAK-", ALNUM, 27),
    Format::new("newrelic-key", "NRII-", URL64, 30),
    Format::new("newrelic-key", "NRJS-", HEX, 19),
    Format::new("newrelic-key", "NRIQ-", URL64, 30),
    Format::new("sentry-token", "sntrys_", BASE64 | UNDERSCORE, 60),
    Format::new("sentry-token", "sntryu_", HEX, 60),
    Format::new("posthog-key", "phx_", ALNUM, 30),
    Format::new("honeycomb-key", "hcaik_", ALNUM, 40),
    Format::new("honeycomb-key", "hcbik_", ALNUM, 40),
    Format::new("logfire-token", "pylf_v1_", WORD, 30),
    Format::new("axiom-token", "xaat-", HEX | DASH, 36),
    Format::new("axiom-token", "xapt-", HEX | DASH, 36),
    Format::new("launchdarkly-key", "sdk-", HEX | DASH, 36).exactly().apart(),
];
