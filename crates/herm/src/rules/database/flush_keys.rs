//! Flushed stores.

use herm_shell::Verb;

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::named::{kind, of_kind, the};
use crate::rules::rule::{Layer, Report, Rule};

/// A key store or message queue that is emptied.
pub static FLUSH_KEYS: Rule = Rule {
    name: "flush-keys",
    title: "flush key store or queue",
    layer: Layer::Command,
    stance: Stance::Ask,
    finds: "A key store or message queue that is emptied.",
    matters: "Sessions, jobs and messages that nobody has read yet are lost.",
    instead: "Look at what is there, and delete by name.",
    suggestion: "redis-cli DBSIZE",
    examples: &[
        "redis-cli FLUSHALL",
        "redis-cli -h 10.0.0.1 -p 6380 flushdb",
        r#"redis-cli eval "return redis.call('FLUSHALL')" 0"#,
        "redis-cli keys '*' | xargs redis-cli del",
        "redis-cli del $(redis-cli keys '*')",
        "rabbitmqctl reset",
        "celery -A app purge -f",
        "kafka-topics --delete --topic t --bootstrap-server k:9092",
        r#"etcdctl del "" --prefix"#,
    ],
    near_misses: &[
        "redis-cli GET key",
        "redis-cli DEL key",
        "redis-cli del \"$key\"",
        r#"redis-cli eval "return redis.call('get', KEYS[1])" 1 key"#,
        "rabbitmqctl list_queues",
        "kafka-topics --list --bootstrap-server k:9092",
    ],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for (effect, name) in of_kind(facts, Verb::Destroy, &["key space", "queue"]) {
        report.effect(effect, format!("empties {}", the(kind(effect), name)));
    }
}
