//! Keys of those who serve models.

use super::bytes::{ALNUM, BASE64, HEX, URL64, WORD};
use super::format::Format;
use super::plausible::is_token;

pub(super) static FORMATS: &[Format] = &[
    Format::new("anthropic-key", "sk-ant-", URL64, 24).check(is_anthropic),
    Format::new("openai-key", "sk-proj-", URL64, 20),
    Format::new("openai-key", "sk-svcacct-", URL64, 20),
    Format::new("openai-key", "sk-admin-", URL64, 20),
    Format::new("openai-style-key", "sk-", URL64, 20)
        .check(|body| !body.starts_with(b"ant-") && is_token(body)),
    Format::new("openai-session", "sess-", ALNUM, 40),
    Format::new("huggingface-token", "hf_", ALNUM, 30).apart(),
    Format::new("huggingface-token", "api_org_", ALNUM, 34),
    Format::new("groq-key", "gsk_", ALNUM, 30),
    Format::new("perplexity-key", "pplx-", ALNUM, 30),
    Format::new("xai-key", "xai-", ALNUM, 30),
    Format::new("replicate-token", "r8_", ALNUM, 30).apart(),
    Format::new("fireworks-key", "fw_", ALNUM, 22).apart(),
    Format::new("fireworks-key", "fw-", ALNUM, 22).apart(),
    Format::new("fireworks-key", "fpk_", ALNUM, 22),
    Format::new("together-key", "tgp_v1_", URL64, 30),
    Format::new("nvidia-key", "nvapi-", URL64, 40),
    Format::new("fal-key", "fal_", URL64, 20).apart(),
    Format::new("firecrawl-key", "fc-", HEX, 24).apart(),
    Format::new("tavily-key", "tvly-", URL64, 20),
    Format::new("exa-key", "exa_", URL64, 20).apart(),
    Format::new("langsmith-key", "lsv2_pt_", WORD, 30),
    Format::new("langsmith-key", "lsv2_sk_", WORD, 30),
    Format::new("langfuse-key", "sk-lf-", URL64, 30),
    Format::new("mem0-key", "mem0_", WORD, 20),
    Format::new("memory-key", "brv_", WORD, 20),
    Format::new("memory-key", "hsk-", URL64, 20),
    Format::new("memory-key", "retaindb_", WORD, 16),
    Format::new("browserbase-key", "bb_live_", URL64, 16),
    Format::new("elevenlabs-key", "sk_", HEX, 40),
    Format::new("agentmail-key", "am_", ALNUM, 24).apart(),
    Format::new("cerebras-key", "csk-", ALNUM, 30),
    Format::new("wandb-key", "wandb_v1_", WORD, 30),
    Format::new("fernet-token", "gAAAA", BASE64 | URL64, 60).apart(),
    Format::new("settlemint-token", "sm_aat_", ALNUM, 16),
    Format::new("settlemint-token", "sm_pat_", ALNUM, 16),
    Format::new("settlemint-token", "sm_sat_", ALNUM, 16),
    Format::new("pinecone-key", "pcsk_", WORD, 30),
    Format::new("jina-key", "jina_", URL64, 40),
    Format::new("runpod-key", "rpa_", ALNUM, 40).apart(),
    Format::new("apify-token", "apify_api_", ALNUM, 30),
    Format::new("e2b-key", "e2b_", HEX, 40).apart(),
    Format::new("daytona-key", "dtn_", HEX, 64).apart(),
];

/// A key of full length ends in two letters that its padding makes.
fn is_anthropic(body: &[u8]) -> bool {
    let longest = body.iter().position(|byte| *byte == b'-').map_or(0, |dash| body.len() - dash - 1);
    is_token(body) && (longest != 95 || body.ends_with(b"AA"))
}
