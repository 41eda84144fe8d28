//! Keys that move money or goods.

use super::bytes::{ALNUM, ANY_HEX, DASH, URL64, WORD};
use super::format::Format;

pub(super) static FORMATS: &[Format] = &[
    Format::new("stripe-key", "sk_live_", ALNUM, 10),
    Format::new("stripe-key", "sk_test_", ALNUM, 10),
    Format::new("stripe-key", "sk_prod_", ALNUM, 10),
    Format::new("stripe-key", "rk_live_", ALNUM, 10),
    Format::new("stripe-key", "rk_test_", ALNUM, 10),
    Format::new("stripe-key", "rk_prod_", ALNUM, 10),
    Format::new("stripe-webhook-secret", "whsec_", ALNUM, 24),
    Format::new("square-token", "sq0atp-", URL64, 20),
    Format::new("square-secret", "sq0csp-", URL64, 20),
    Format::new("square-token", "EAAA", URL64, 40).most(64).apart(),
    Format::new("shopify-token", "shpat_", ANY_HEX, 32),
    Format::new("shopify-token", "shpca_", ANY_HEX, 32),
    Format::new("shopify-token", "shppa_", ANY_HEX, 32),
    Format::new("shopify-secret", "shpss_", ANY_HEX, 32),
    Format::new("shippo-token", "shippo_live_", ANY_HEX, 40),
    Format::new("shippo-token", "shippo_test_", ANY_HEX, 40),
    Format::new("easypost-key", "EZAK", ALNUM, 54).exactly(),
    Format::new("easypost-key", "EZTK", ALNUM, 54).exactly(),
    Format::new("flutterwave-key", "FLWSECK_TEST-", ALNUM | DASH, 12),
    Format::new("flutterwave-key", "FLWSECK-", ALNUM | DASH, 12),
    Format::new("flutterwave-key", "FLWPUBK_TEST-", ALNUM | DASH, 32),
    Format::new("plaid-token", "access-sandbox-", ANY_HEX | DASH, 36),
    Format::new("plaid-token", "access-development-", ANY_HEX | DASH, 36),
    Format::new("plaid-token", "access-production-", ANY_HEX | DASH, 36),
    Format::new("razorpay-key", "rzp_live_", ALNUM, 14),
    Format::new("razorpay-key", "rzp_test_", ALNUM, 14),
    Format::new("gocardless-token", "live_", URL64 | super::bytes::EQUALS, 40).most(44).apart(),
    Format::new("lob-key", "live_pub_", WORD, 31),
    Format::new("lob-key", "test_pub_", WORD, 31),
];
