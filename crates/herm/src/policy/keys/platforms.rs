//! What belongs to platforms for messages and to servers of tools.

use super::{Key, Kind, kept};

/// The keys of platforms and servers, none of which has an effect yet.
pub(super) static PLATFORMS: &[Key] = &[
    kept(
        "discord.auto_thread",
        Kind::Boolean,
        "true",
        "Read and kept: whether an answer on Discord opens a thread.",
    ),
    kept(
        "discord.free_response_channels",
        Kind::TextOrTexts,
        "''",
        "Read and kept: channels of Discord in which nobody has to mention the bot.",
    ),
    kept(
        "discord.require_mention",
        Kind::Boolean,
        "true",
        "Read and kept: whether the bot answers on Discord only when it is mentioned.",
    ),
    kept(
        "discord.unauthorized_dm_behavior",
        STRANGERS,
        "pair",
        "Read and kept: `unauthorized_dm_behavior`, on Discord alone.",
    ),
    kept(
        "email.unauthorized_dm_behavior",
        STRANGERS,
        "pair",
        "Read and kept: `unauthorized_dm_behavior`, by mail alone.",
    ),
    kept(
        "group_sessions_per_user",
        Kind::Boolean,
        "true",
        "Read and kept: whether each member of a group has a session of their own.",
    ),
    kept(
        "mattermost.unauthorized_dm_behavior",
        STRANGERS,
        "pair",
        "Read and kept: `unauthorized_dm_behavior`, on Mattermost alone.",
    ),
    kept(
        "mcp_servers",
        Kind::Mappings,
        "{}",
        "Read and kept: the servers of tools, each with `command`, `args` and the `env` that it alone gets.",
    ),
    kept(
        "signal.unauthorized_dm_behavior",
        STRANGERS,
        "pair",
        "Read and kept: `unauthorized_dm_behavior`, on Signal alone.",
    ),
    kept(
        "slack.unauthorized_dm_behavior",
        STRANGERS,
        "pair",
        "Read and kept: `unauthorized_dm_behavior`, on Slack alone.",
    ),
    kept(
        "telegram.unauthorized_dm_behavior",
        STRANGERS,
        "pair",
        "Read and kept: `unauthorized_dm_behavior`, on Telegram alone.",
    ),
    kept(
        "unauthorized_dm_behavior",
        STRANGERS,
        "pair",
        "Read and kept: what somebody unknown who writes gets, a code to pair with or nothing.",
    ),
    kept(
        "whatsapp.unauthorized_dm_behavior",
        STRANGERS,
        "pair",
        "Read and kept: `unauthorized_dm_behavior`, on WhatsApp alone.",
    ),
];

/// What is done about somebody unknown who writes.
const STRANGERS: Kind = Kind::Choice(&["pair", "ignore"]);
