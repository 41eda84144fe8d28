//! Where the usual providers are, and what their keys are called.

/// A provider.
#[derive(Clone, Copy, Debug)]
pub(super) struct Provider {
    pub(super) name: &'static str,
    pub(super) base_url: &'static str,
    /// What its key is called in `.env`; empty where none is needed.
    pub(super) key: &'static str,
}

/// The provider with this name.
pub(super) fn find(name: &str) -> Option<&'static Provider> {
    PROVIDERS.iter().find(|provider| provider.name.eq_ignore_ascii_case(name))
}

const fn provider(name: &'static str, base_url: &'static str, key: &'static str) -> Provider {
    Provider { name, base_url, key }
}

static PROVIDERS: &[Provider] = &[
    provider("deepseek", "https://api.deepseek.com/v1", "DEEPSEEK_API_KEY"),
    provider("gemini", "https://generativelanguage.googleapis.com/v1beta/openai", "GEMINI_API_KEY"),
    provider("groq", "https://api.groq.com/openai/v1", "GROQ_API_KEY"),
    provider("lmstudio", "http://127.0.0.1:1234/v1", ""),
    provider("mistral", "https://api.mistral.ai/v1", "MISTRAL_API_KEY"),
    provider("ollama", "http://127.0.0.1:11434/v1", ""),
    provider("openai", "https://api.openai.com/v1", "OPENAI_API_KEY"),
    provider("openrouter", "https://openrouter.ai/api/v1", "OPENROUTER_API_KEY"),
    provider("together", "https://api.together.xyz/v1", "TOGETHER_API_KEY"),
    provider("xai", "https://api.x.ai/v1", "XAI_API_KEY"),
];
