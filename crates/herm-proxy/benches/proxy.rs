//! How many requests a second go through, and how fast bytes do: `cargo bench -p herm-proxy`.
//!
//! Bytes are sent in turn through the proxy and directly, so that a noisy machine is noisy for both.

#![expect(clippy::unwrap_used, reason = "a measurement that cannot be set up has failed")]
#![expect(clippy::print_stdout, reason = "the numbers are the result")]
#![expect(clippy::disallowed_methods, reason = "a measurement has sockets and threads of its own")]

use std::io::{Read, Write};
use std::iter::repeat_with;
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

/// Bytes that are sent or taken at once.
const PIECE: usize = 256 * 1024;

fn main() {
    let (web, source, sink) =
        (web(), serve(|stream| spoken_to(stream, send)), serve(|stream| spoken_to(stream, receive)));
    let (_proxy, door) = proxy(&[web, source, sink]);
    let rate = requests(door, web);
    println!("{rate} requests/s through the proxy, {CLIENTS} connections, kept alive");
    let down = throughput("down", || ratio(door, source, receive));
    let up = throughput("up", || ratio(door, sink, send));
    println!("{}", if rate >= REQUESTS && down >= 0.5 && up >= 0.5 { "kept" } else { "missed" });
}

/// The median of several ratios, told.
fn throughput(way: &str, ratio: impl FnMut() -> f64) -> f64 {
    let mut ratios: Vec<f64> = repeat_with(ratio).take(9).collect();
    ratios.sort_by(f64::total_cmp);
    let median = ratios.get(4).copied().unwrap_or_default();
    println!("{way}: {median:.2} of a direct loopback connection's throughput (median of {ratios:.2?})");
    median
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

/// The client speaks first, as with nearly all servers.
fn spoken_to(mut stream: TcpStream, transfer: fn(TcpStream)) {
    stream.read_exact(&mut [0]).unwrap();
    transfer(stream);
}

/// Sends a lot, and waits until it is said that all of it is there.
fn send(mut stream: TcpStream) {
    let piece = vec![7; PIECE];
    for _ in 0..BYTES / PIECE {
        stream.write_all(&piece).unwrap();
    }
    stream.read_exact(&mut [0]).unwrap();
}

/// Takes a lot, and says so when all of it is there.
fn receive(mut stream: TcpStream) {
    let mut buffer = vec![0; PIECE];
    let mut left = BYTES;
    while left > 0 {
        let length = stream.read(&mut buffer).unwrap();
        assert!(length > 0, "the transfer broke off");
        left -= length;
    }
    stream.write_all(b"!").unwrap();
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

/// How long a transfer takes directly, over how long it takes through a tunnel.
fn ratio(door: SocketAddr, server: SocketAddr, transfer: fn(TcpStream)) -> f64 {
    let direct = timed(transfer, TcpStream::connect(server).unwrap());
    direct.as_secs_f64() / timed(transfer, tunnel(door, server)).as_secs_f64()
}

fn tunnel(door: SocketAddr, server: SocketAddr) -> TcpStream {
    let mut stream = TcpStream::connect(door).unwrap();
    stream.write_all(format!("CONNECT {server} HTTP/1.1\r\nHost: {server}\r\n\r\n").as_bytes()).unwrap();
    let mut head = [0; 39];
    stream.read_exact(&mut head).unwrap();
    assert!(head.ends_with(b"\r\n\r\n"), "the tunnel was not opened");
    stream
}

fn timed(transfer: fn(TcpStream), mut stream: TcpStream) -> Duration {
    let begun = Instant::now();
    stream.write_all(b"!").unwrap();
    transfer(stream);
    begun.elapsed()
}
