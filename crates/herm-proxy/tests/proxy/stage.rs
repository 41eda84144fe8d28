//! A proxy with its doors, and what it records.

use std::collections::HashMap;
use std::future::Future;
use std::io::{Read, Write};
use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream};
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use herm::call::SessionId;
use herm::policy::{Config, Source, Surroundings};
use herm::{AbsPath, Engine, Policy};
use herm_proxy::{Doors, Guard, Limits, Proxy, Record, Resolve, Sink, Terms};

/// A proxy with its doors, and what it records.
pub(crate) struct Stage {
    proxy: Proxy,
    pub(crate) address: SocketAddr,
    records: Arc<Mutex<Vec<Record>>>,
}

/// Names and what they resolve to: one list for each time that they are looked up, the last for all times after.
#[derive(Debug, Default)]
pub(crate) struct Listed(Mutex<HashMap<String, Vec<Vec<IpAddr>>>>);

impl Listed {
    pub(crate) fn new(names: &[(&str, &[&str])]) -> Self {
        let mut listed: HashMap<String, Vec<Vec<IpAddr>>> = HashMap::new();
        for (name, addresses) in names {
            let addresses = addresses.iter().map(|address| address.parse().unwrap()).collect();
            listed.entry((*name).to_owned()).or_default().push(addresses);
        }
        Self(Mutex::new(listed))
    }
}

impl Resolve for Listed {
    fn resolve<'a>(&'a self, name: &'a str) -> Pin<Box<dyn Future<Output = Vec<IpAddr>> + Send + 'a>> {
        let mut listed = self.0.lock().unwrap();
        let answer = match listed.get_mut(name) {
            Some(answers) if answers.len() > 1 => answers.remove(0),
            Some(answers) => answers.first().cloned().unwrap_or_default(),
            None => Vec::new(),
        };
        Box::pin(async move { answer })
    }
}

/// The names of most tests: two sites, one that is private and one that is both.
pub(crate) const SITES: &[(&str, &[&str])] = &[
    ("site.example", &["93.184.216.34"]),
    ("other.example", &["93.184.216.35"]),
    ("six.example", &["2606:2800:220:1::34"]),
    ("inside.example", &["10.9.8.7"]),
    ("both.example", &["93.184.216.34", "10.9.8.7"]),
    ("mapped.example", &["::ffff:10.9.8.7"]),
    ("meta.example", &["169.254.169.254"]),
];

pub(crate) fn terms(config: &str, names: &[(&str, &[&str])]) -> Terms {
    let config = Config::read(Source::User, "config.yaml", config).unwrap();
    let policy = Policy::compile(vec![config], &Surroundings::default()).unwrap();
    let guard = Guard::new(Engine::new(policy), SessionId::default(), AbsPath::root());
    Terms::new(Arc::new(guard)).resolving(Arc::new(Listed::new(names))).limited(quick())
}

fn quick() -> Limits {
    Limits {
        head: Duration::from_secs(2),
        connect: Duration::from_secs(2),
        idle: Duration::from_secs(20),
        ..Limits::default()
    }
}

impl Stage {
    /// A proxy under a configuration, with the usual names.
    pub(crate) fn new(config: &str) -> Self {
        Self::with(terms(config, SITES), Doors::default())
    }

    #[expect(clippy::disallowed_methods, reason = "tests make their own sockets")]
    pub(crate) fn with(terms: Terms, doors: Doors) -> Self {
        let records: Arc<Mutex<Vec<Record>>> = Arc::default();
        let kept = Arc::clone(&records);
        let sink: Sink = Arc::new(move |record| kept.lock().unwrap().push(record));
        let door = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = door.local_addr().unwrap();
        Self { proxy: Proxy::start(doors.tcp(door), terms, sink).unwrap(), address, records }
    }

    /// Ends everything. What was recorded is all there is then.
    pub(crate) fn close(self) -> Vec<Record> {
        self.proxy.close();
        let records = self.records.lock().unwrap();
        records.clone()
    }

    /// A new connection to the proxy.
    pub(crate) fn client(&self) -> Client {
        Client::to(self.address)
    }

    /// Sends some bytes, and gives all that comes until the connection ends.
    pub(crate) fn answer(&self, bytes: &str) -> String {
        let mut client = self.client();
        client.send(bytes.as_bytes());
        client.rest()
    }

    /// The status of a plain request through the proxy.
    pub(crate) fn get(&self, url: &str) -> String {
        let answer = self.answer(&format!("GET {url} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"));
        answer.lines().next().unwrap_or_default().to_owned()
    }

    /// The status of a tunnel through the proxy.
    pub(crate) fn connect(&self, to: &str) -> String {
        let mut client = self.client();
        client.send(format!("CONNECT {to} HTTP/1.1\r\nHost: {to}\r\n\r\n").as_bytes());
        client.head().lines().next().unwrap_or_default().to_owned()
    }

    /// What was recorded: destination, outcome, rule. Waits until there is so much.
    pub(crate) fn records(&self, count: usize) -> Vec<Record> {
        for _ in 0..200 {
            let records = self.records.lock().unwrap().clone();
            if records.len() >= count {
                return records;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        let records = self.records.lock().unwrap().clone();
        panic!("{} records: {records:?}", records.len());
    }

    pub(crate) fn told(&self, count: usize) -> Vec<(String, &'static str, Option<&'static str>)> {
        let told = |record: Record| (record.destination, record.outcome.word(), record.rule);
        self.records(count).into_iter().map(told).collect()
    }
}

/// One end of a connection.
pub(crate) struct Client(pub(crate) TcpStream);

impl Client {
    #[expect(clippy::disallowed_methods, reason = "tests make their own connections")]
    pub(crate) fn to(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        Self(stream)
    }

    pub(crate) fn send(&mut self, bytes: &[u8]) {
        self.0.write_all(bytes).unwrap();
    }

    /// So many bytes.
    pub(crate) fn bytes(&mut self, count: usize) -> Vec<u8> {
        let mut bytes = vec![0; count];
        self.0.read_exact(&mut bytes).unwrap();
        bytes
    }

    /// A head, up to its empty line.
    pub(crate) fn head(&mut self) -> String {
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            let mut byte = [0];
            match self.0.read(&mut byte) {
                Ok(0) | Err(_) => break,
                Ok(_) => head.push(byte[0]),
            }
        }
        String::from_utf8(head).unwrap()
    }

    /// All that comes until the connection ends, however it does.
    pub(crate) fn rest(&mut self) -> String {
        let mut rest = Vec::new();
        let _ = self.0.read_to_end(&mut rest);
        String::from_utf8_lossy(&rest).into_owned()
    }
}
