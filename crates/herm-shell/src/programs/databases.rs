//! Clients of databases, queues and key stores.

use super::arguments::Parsed;
use super::phrases::{HELP, destroys, emit, operands_from, stops, sub, values};
use super::schema::{
    Aim, Deed, Do, Operands, Opt, Program, Role, Syntax, attached, before, deed, flag, interactive, program,
    quiet, value,
};
use crate::effect::{Flags, Verb};
use crate::lang::Lang;
use crate::scripts::redis;
use crate::sink::Sink;
use crate::value::{Provenance, Value};

const SQL: Role = Role::Code(Lang::Sql);
const SQL_FILE: Role = Role::Script(Lang::Sql);
const EVERY_TABLE: Deed = deed(Verb::Destroy, Aim::Kind("table"), Flags::ALL);

/// The file that an address of sqlite's names: `file:app.db?mode=ro`.
pub(crate) fn database_file(address: &Value) -> Value {
    let prefix = address.known_prefix();
    let Some(rest) = prefix.strip_prefix("file:") else { return address.clone() };
    let path = super::arguments::tail(address, prefix.len() - rest.trim_start_matches("//").len());
    match path.known() {
        Some(text) => Value::literal(text.split('?').next().unwrap_or_default()).from(path.provenance),
        None => path,
    }
}

/// A file of sqlite's, by its path or its address.
fn addressed(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if let Some(address) = parsed.operand(0).filter(|address| address.known_prefix().starts_with("file:")) {
        sink.read(&database_file(address));
    }
}

pub(super) static PROGRAMS: &[Program] = &[
    program(&["psql", "pgcli", "usql"]).options(PSQL).stdin(SQL),
    program(&["mysql", "mariadb", "mycli"]).options(MYSQL).stdin(SQL).refine(client_plugin),
    program(&["sqlite3", "sqlite", "litecli"])
        .syntax(Syntax::SingleDash)
        .options(SQLITE)
        .operands(Operands::Each(&[Role::Read, SQL]))
        .stdin(SQL)
        .refine(addressed),
    program(&["duckdb"])
        .syntax(Syntax::SingleDash)
        .options(&[
            value("-c -s", SQL),
            before("-cmd", SQL),
            value("-f", SQL_FILE),
            before("-init", SQL_FILE),
            values("-separator -nullvalue -newline"),
            flag("-help -version --help --version", Do::Stop),
        ])
        .operands(Operands::Each(&[Role::Read, SQL]))
        .stdin(SQL),
    program(&["clickhouse-client", "clickhouse"])
        .options(&[
            value("-q --query", SQL),
            value("--queries-file", SQL_FILE),
            values("-h --host --port -u --user --password -d --database --format"),
            flag("--help --version", Do::Stop),
        ])
        .stdin(SQL),
    program(&[
        "cqlsh",
        "snowsql",
        "hive",
        "beeline",
        "presto",
        "trino",
        "spark-sql",
        "impala-shell",
        "vsql",
        "exaplus",
    ])
    .options(&[
        value("-e --execute -q --query", SQL),
        value("-f --file", SQL_FILE),
        values("-u -p -k --keyspace -a -d -s -w -r -h --host --server --catalog --schema"),
        flag("--help --version", Do::Stop),
    ])
    .stdin(SQL),
    program(&["sqlcmd", "osql", "isql", "bcp"])
        .options(&[
            value("-Q -q", SQL),
            value("-i", SQL_FILE),
            value("-o", Role::Write),
            values("-S -U -P -d -t -l -h -s -w -v"),
            flag("-?", Do::Stop),
        ])
        .stdin(SQL),
    program(&["sqlplus", "sql", "impdp"])
        .options(&[quiet("-S -s -L -l")])
        .operands(Operands::Each(&[Role::Inert, Role::Inert]))
        .stdin(SQL),
    program(&["cockroach"])
        .options(&[HELP, values("--host --url --certs-dir --user --database -d -u"), quiet("--insecure")])
        .subs(&[
            program(&["sql"]).options(&[value("-e --execute", SQL), value("-f --file", SQL_FILE)]).stdin(SQL),
            sub(&["node decommission", "node drain", "quit"], &[stops("database")]),
        ]),
    program(&["influx"])
        .options(&[
            value("-execute", SQL),
            values("-host -port -database -username -password --org -o --token -t --host"),
        ])
        .subs(&[
            sub(&["delete"], &[deed(Verb::Destroy, Aim::Kind("rows"), Flags::NO_WHERE)])
                .options(&[values("--bucket -b --start --stop --predicate -p")]),
            sub(&["bucket delete", "org delete"], &[destroys("database")]),
            program(&["backup"]).refine(dump),
        ]),
    program(&["mongosh", "mongo"])
        .options(&[
            value("--eval", Role::Code(Lang::JavaScript)),
            value("-f --file", Role::Script(Lang::JavaScript)),
            values("-u --username -p --password --host --port --authenticationDatabase --tlsCAFile"),
            interactive("--shell", Lang::JavaScript),
            quiet("--quiet --norc --nodb --tls"),
            flag("-h --help --version", Do::Stop),
        ])
        .stdin(Role::Code(Lang::JavaScript)),
    program(&["redis-cli", "valkey-cli", "keydb-cli"])
        .syntax(Syntax::FirstOperandEnds)
        .options(REDIS)
        .refine(redis_cli),
    program(&["etcdctl"])
        .options(&[HELP, values("--endpoints --cacert --cert --key --user --prefix-key")])
        .subs(&[
            program(&["del", "rm", "rmdir"])
                .options(&[quiet("--prefix --from-key --recursive")])
                .does(&[destroys("key space")]),
            sub(&["member remove"], &[destroys("cluster resource")]),
            sub(&["auth disable"], &[deed(Verb::Disable, Aim::Kind("audit"), Flags::NONE)]),
        ]),
    program(&["rabbitmqctl", "rabbitmqadmin"])
        .options(&[HELP, values("-n --node -p --vhost -u --username -H --host -P --port")])
        .subs(&[
            sub(
                &["reset", "force_reset", "delete_vhost"],
                &[deed(Verb::Destroy, Aim::Kind("queue"), Flags::ALL)],
            ),
            sub(&["delete_queue", "purge_queue", "delete", "purge"], &[destroys("queue")]),
            sub(&["delete_user"], &[destroys("account")]),
            sub(&["stop", "stop_app", "shutdown", "forget_cluster_node"], &[stops("queue")]),
        ]),
    program(&[
        "kafka-topics",
        "kafka-topics.sh",
        "kafka-consumer-groups",
        "kafka-consumer-groups.sh",
        "kafka-delete-records",
        "kafka-delete-records.sh",
        "kafka-acls",
        "kafka-acls.sh",
    ])
    .options(&[
        flag("--delete --remove", Do::Emit(deed(Verb::Destroy, Aim::Kind("queue"), Flags::IRREVERSIBLE))),
        flag("--offset-json-file", Do::Emit(deed(Verb::Destroy, Aim::Kind("queue"), Flags::IRREVERSIBLE))),
        values("--bootstrap-server --zookeeper --topic --group --command-config"),
        flag("--help --version", Do::Stop),
    ]),
    program(&["hdfs", "hadoop"]).syntax(Syntax::Words).operands(Operands::None).refine(distributed_files),
    program(&["celery"])
        .options(&[
            HELP,
            values("-A --app -b --broker --workdir -Q --queues -n --hostname -c -l --loglevel -P"),
        ])
        .subs(&[
            program(&["purge"]).options(&[quiet("-f --force")]).does(&[deed(
                Verb::Destroy,
                Aim::Kind("queue"),
                Flags::ALL,
            )]),
            sub(&["control shutdown"], &[stops("queue")]),
        ]),
    program(&["nats"])
        .options(&[HELP, values("-s --server --context --creds"), quiet("-f --force")])
        .refine(|parsed, sink| super::verbs::read_of(parsed, sink, "queue")),
    program(&["zkCli.sh", "zkCli", "zkcli"])
        .options(&[values("-server")])
        .subs(&[sub(&["deleteall", "rmr", "delete"], &[destroys("key space")])]),
    program(&["nodetool"])
        .options(&[flag("--help", Do::Stop), values("-h --host -p --port -u --username -pw --password")])
        .subs(&[
            sub(&["clearsnapshot", "removenode", "assassinate"], &[destroys("database")]),
            sub(
                &["decommission", "drain", "stopdaemon", "disablegossip", "disablebinary"],
                &[stops("database")],
            ),
        ]),
    program(&["snow"]).options(&[HELP]).subs(&[program(&["sql"])
        .options(&[value("-q --query", SQL), value("-f --filename", SQL_FILE), values("-c --connection")])
        .stdin(SQL)]),
    program(&["dropdb"])
        .options(&[
            values("-h --host -p --port -U --username --maintenance-db"),
            quiet("-f --force -i --interactive -e --echo --if-exists -w -W"),
            flag("-? --help -V --version", Do::Stop),
        ])
        .does(&[destroys("database")]),
    program(&["dropuser"])
        .options(&[values("-h --host -p --port -U --username"), flag("-? --help -V --version", Do::Stop)])
        .does(&[destroys("account")]),
    program(&["pg_dropcluster"]).does(&[destroys("database")]),
    program(&["pg_resetwal"]).options(&[flag("-n --dry-run", Do::Stop)]).does(&[destroys("database")]),
    program(&["pg_ctl", "pg_ctlcluster"])
        .options(&[value("-D --pgdata", Role::Inert), values("-l -o -m --mode")])
        .subs(&[
            sub(&["stop", "kill"], &[stops("service")]),
            sub(&["restart"], &[deed(Verb::Service, Aim::Kind("service"), Flags::RESTART)]),
        ]),
    program(&["pg_restore"])
        .options(&[
            flag("-c --clean", Do::Emit(EVERY_TABLE)),
            value("-f --file", Role::Write),
            values("-h --host -p --port -U --username -d --dbname -F --format -j --jobs -n"),
            values("--schema -t --table -L --use-list"),
            flag("-l --list --help --version", Do::Stop),
        ])
        .all(Role::Read),
    program(&["pg_dump", "pg_dumpall", "mysqldump", "mariadb-dump", "mongodump", "mongoexport"])
        .options(&[
            value("-f --file -o --out --result-file -r", Role::Write),
            values("-h --host -p --port -U --username -u --user -d --dbname --db -F --format -j -n"),
            values("-t -c --collection"),
            flag("-s --schema-only --no-data", Do::Nothing),
            flag("--help --version", Do::Stop),
        ])
        .refine(dump),
    program(&["mysqladmin", "mariadb-admin"])
        .options(&[
            values("-u --user -h --host -P --port -S --socket"),
            attached("-p --password", Do::Nothing),
            quiet("-f --force"),
        ])
        .shortened()
        .subs(&[
            sub(&["drop"], &[destroys("database")]),
            sub(&["shutdown"], &[stops("service")]),
            program(&[
                "create",
                "debug",
                "extended-status",
                "flush-hosts",
                "flush-logs",
                "flush-status",
                "flush-tables",
            ]),
            program(&[
                "kill",
                "password",
                "ping",
                "processlist",
                "reload",
                "refresh",
                "status",
                "variables",
                "version",
            ]),
        ]),
    program(&["mysqlimport"]).options(&[flag("-d --delete", Do::Emit(EVERY_TABLE))]).all(Role::Inert),
    program(&["mongorestore", "mongoimport"]).options(&[
        flag("--drop", Do::Emit(EVERY_TABLE)),
        values("-h --host --port -u --username -p --password -d --db -c --collection --uri"),
        values("--file"),
    ]),
];

const PSQL: &[Opt] = &[
    value("-c --command", SQL),
    value("-f --file", SQL_FILE),
    value("-o --output", Role::Write),
    value("-L --log-file", Role::Append),
    values("-d --dbname -h --host -p --port -U --username -v --set --variable -P --pset -F"),
    values("--field-separator -R -T"),
    quiet("-A -a -b -e -E -H -n -q -s -S -t -w -W -x -X -z -0 -1 --csv"),
    flag("-l --list -V --version --help", Do::Stop),
];

const MYSQL: &[Opt] = &[
    value("-e --execute", SQL),
    before("--init-command", SQL),
    attached("--pager", Do::Is(Role::Code(Lang::Shell))),
    value("--tee", Role::Write),
    values("-u --user -h --host -P --port -D --database -S --socket --default-auth"),
    values("--plugin-dir --defaults-file"),
    values("--defaults-extra-file --default-character-set --protocol --delimiter"),
    attached("-p --password", Do::Nothing),
    flag("--help --version -V -?", Do::Stop),
];

const SQLITE: &[Opt] = &[
    before("-cmd --cmd", SQL),
    before("-init --init", SQL_FILE),
    values("-separator -nullvalue -newline -vfs -mmap -maxsize -lookaside -pagecache -heap"),
    flag("-help --help -version --version", Do::Stop),
    quiet("-header -noheader -csv -json -line -list -column -html -batch -interactive"),
    quiet("-readonly -bail -echo -stats -safe"),
];

const REDIS: &[Opt] = &[
    value("--eval", Role::Script(Lang::Lua)),
    value("--rdb --functions-rdb", Role::Write),
    values("-h -p -s -a -u -n -r -i -d -D -t --user --pass --sni --cacert --cert --key"),
    values("--pattern --intrinsic-latency --lru-test --cluster"),
    quiet("-x -X -c --tls --insecure --raw --no-raw --csv --json --stat --latency"),
    quiet("--bigkeys --memkeys --hotkeys --scan --pipe -3 -e --no-auth-warning"),
    flag("--help --version -v", Do::Stop),
];

/// `hdfs dfs -rm -r PATH`, `hadoop fs -rm …`, `hdfs namenode -format`.
fn distributed_files(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let lost = |word: &String| matches!(word.as_str(), "-rm" | "-rmr" | "-rmdir" | "-expunge" | "-format");
    let words: Vec<String> = parsed.words().collect();
    if words.iter().any(lost) {
        let name = words.last().cloned().unwrap_or_default();
        emit(sink, Verb::Destroy, "cluster resource", name, Flags::IRREVERSIBLE);
    }
}

/// What a database holds is somebody's, and belongs to nobody else; how its tables look is not as much.
fn dump(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if !parsed.has("--schema-only --no-data -s") {
        sink.print(Value::unknown(crate::value::DUMP, Provenance::SECRET));
    }
}

/// `redis-cli COMMAND…`, or commands on standard input.
fn redis_cli(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if parsed.value("--rdb").is_some_and(|to| to.known().as_deref() == Some("-")) {
        sink.print(Value::unknown("what the key store holds", Provenance::SECRET));
    }
    let words = operands_from(parsed, 0);
    redis::read(&words, sink);
    let Some(lines) = sink.stdin().known().map(std::borrow::Cow::into_owned) else { return };
    if words.is_empty() {
        for line in lines.lines() {
            redis::read(&line.split_whitespace().map(Value::literal).collect::<Vec<_>>(), sink);
        }
    }
}

/// A plugin that is named by a path is loaded from there.
fn client_plugin(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let plugin = parsed.value("--default-auth").filter(|value| value.shown().contains('/'));
    if let Some(path) =
        plugin.or_else(|| parsed.value("--plugin-dir").filter(|value| value.shown().starts_with("/tmp")))
    {
        sink.path(Verb::Execute, path, Flags::HOOK);
    }
}
