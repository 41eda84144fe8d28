//! How many requests a second go through, and how fast bytes do: `cargo bench -p herm-proxy`.
//!
//! Bytes are sent in turn through the proxy and directly, so that a noisy machine is noisy for both.

#![expect(clippy::unwrap_used, reason = "a measurement that cannot be set up has failed")]
#![expect(clippy::print_stdout, reason = "the numbers are the result")]
#![expect(clippy::disallowed_methods, reason = "a measurement has sockets and threads of its own")]

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use herm::call::SessionId;
use herm::policy::{Config, Source, Surroundings};
use herm::{AbsPath, Engine, Policy};
use herm_proxy::{Doors, Guard, Proxy, Terms};

/// Requests a second that were promised.
const REQUESTS: usize = 10_000;

/// Connections that requests come over.
const CLIENTS: usize = 8;

/// How long each measurement takes.
const TIME: Duration = Duration::from_secs(3);

/// Bytes of one transfer.
const BYTES: usize = 1 << 30;

fn main() {
    let (web, bytes) = (web(), bytes());
    let (_proxy, door) = proxy(&[web, bytes]);
    let rate = requests(door, web);
    println!("{rate} requests/s through the proxy, {CLIENTS} connections, kept alive");
    let mut ratios: Vec<f64> = (0..9).map(|_| ratio(door, bytes)).collect();
    ratios.sort_by(f64::total_cmp);
    let median = ratios.get(4).copied().unwrap_or_default();
    println!("{median:.2} of a direct loopback connection's throughput (median of {ratios:.2?})");
    println!("{}", if rate >= REQUESTS && median >= 0.5 { "kept" } else { "missed" });
}

fn proxy(endpoints: &[SocketAddr]) -> (Proxy, SocketAddr) {
    let named: Vec<_> = endpoints.iter().map(|endpoint| format!("'{endpoint}'")).collect();
    let config = format!("egress: {{endpoints: [{}]}}", named.join(", "));
    let config = Config::read(Source::User, "config.yaml", &config).unwrap();
    let policy = Policy::compile(vec![config], &Surroundings::default()).unwrap();
    let guard = Guard::new(Engine::new(policy), SessionId::default(), AbsPath::root());
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let door = listener.local_addr().unwrap();
    let terms = Terms::new(Arc::new(guard));
    (Proxy::start(Doors::default().tcp(listener), terms, Arc::new(|_| ())).unwrap(), door)
}

/// A server that answers every request alike.
fn web() -> SocketAddr {
    serve(|mut stream| {
        let mut buffer = [0; 4096];
        while let Ok(length) = stream.read(&mut buffer) {
            if length == 0 || stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello").is_err()
            {
                return;
            }
        }
    })
}

/// A server that sends a lot once it is spoken to.
fn bytes() -> SocketAddr {
    serve(|mut stream| {
        let piece = vec![7; 256 * 1024];
        let mut first = [0; 1];
        if stream.read_exact(&mut first).is_ok() {
            for _ in 0..BYTES / piece.len() {
                if stream.write_all(&piece).is_err() {
                    return;
                }
            }
        }
    })
}

fn serve(answer: fn(TcpStream)) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            stream.set_nodelay(true).unwrap();
            thread::spawn(move || answer(stream));
        }
    });
    address
}

fn requests(door: SocketAddr, web: SocketAddr) -> usize {
    let done = Arc::new(AtomicUsize::new(0));
    let begun = Instant::now();
    let clients: Vec<_> = (0..CLIENTS)
        .map(|_| {
            let done = Arc::clone(&done);
            thread::spawn(move || {
                let mut stream = TcpStream::connect(door).unwrap();
                stream.set_nodelay(true).unwrap();
                let request = format!(
                    "GET http://{web}/ HTTP/1.1\r\nHost: {web}\r\nAccept: */*\r\nUser-Agent: bench\r\n\r\n"
                );
                let mut buffer = [0; 4096];
                while begun.elapsed() < TIME {
                    stream.write_all(request.as_bytes()).unwrap();
                    let length = stream.read(&mut buffer).unwrap();
                    assert!(
                        buffer.get(..length).is_some_and(|answer| answer.ends_with(b"hello")),
                        "an answer is missing"
                    );
                    done.fetch_add(1, Ordering::Relaxed);
                }
            })
        })
        .collect();
    for client in clients {
        client.join().unwrap();
    }
    let seconds = usize::try_from(TIME.as_secs()).unwrap();
    done.load(Ordering::Relaxed) / seconds
}

/// How fast bytes come through a tunnel, over how fast they come directly.
fn ratio(door: SocketAddr, bytes: SocketAddr) -> f64 {
    let direct = transfer(TcpStream::connect(bytes).unwrap());
    let mut tunnel = TcpStream::connect(door).unwrap();
    tunnel.write_all(format!("CONNECT {bytes} HTTP/1.1\r\nHost: {bytes}\r\n\r\n").as_bytes()).unwrap();
    let mut head = [0; 39];
    tunnel.read_exact(&mut head).unwrap();
    assert!(head.ends_with(b"\r\n\r\n"), "the tunnel was not opened");
    direct.as_secs_f64() / transfer(tunnel).as_secs_f64()
}

fn transfer(mut stream: TcpStream) -> Duration {
    let begun = Instant::now();
    stream.write_all(b"!").unwrap();
    let mut buffer = vec![0; 256 * 1024];
    let mut left = BYTES;
    while left > 0 {
        let length = stream.read(&mut buffer).unwrap();
        assert!(length > 0, "the transfer broke off");
        left -= length;
    }
    begun.elapsed()
}
