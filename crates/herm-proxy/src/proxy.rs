//! The proxy itself: doors in, connections out.

use std::fmt;
use std::io;
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use herm::host::Endpoint;
use tokio::net::{TcpListener, TcpStream, UdpSocket, UnixListener};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};

use crate::door::{Doors, Original};
use crate::http::{self, Next};
use crate::record::Sink;
use crate::route::Shared;
use crate::sniff::{pass, tunnel, turn_away};
use crate::socks;
use crate::terms::Terms;
use crate::upstream::Upstream;
use crate::wire::Wire;

/// A proxy at work. It stops when it is dropped, and everything that goes through it with it.
pub struct Proxy {
    runtime: Option<Runtime>,
}

impl Proxy {
    /// Serves some doors, on terms, and gives a record of each connection.
    ///
    /// # Errors
    /// When there are no threads to be had, or a socket is not what it should be.
    pub fn start(doors: Doors, terms: Terms, sink: Sink) -> io::Result<Self> {
        find_threads()?;
        let runtime = Builder::new_multi_thread()
            .worker_threads(WORKERS)
            .thread_name("herm-proxy")
            .enable_all()
            .build()?;
        let room = Arc::new(Semaphore::new(terms.limits.connections));
        let shared = Shared::new(terms, doors.book, sink);
        let entered = runtime.enter();
        for listener in doors.tcp {
            listener.set_nonblocking(true)?;
            let listener = TcpListener::from_std(listener)?;
            runtime.spawn(accept_tcp(listener, Arc::clone(&shared), Arc::clone(&room)));
        }
        for listener in doors.unix {
            listener.set_nonblocking(true)?;
            let listener = UnixListener::from_std(listener)?;
            runtime.spawn(accept_unix(listener, Arc::clone(&shared), Arc::clone(&room)));
        }
        for (listener, original) in doors.transparent {
            listener.set_nonblocking(true)?;
            let listener = TcpListener::from_std(listener)?;
            runtime.spawn(accept_meant(listener, original, Arc::clone(&shared), Arc::clone(&room)));
        }
        for socket in doors.names {
            socket.set_nonblocking(true)?;
            let socket = UdpSocket::from_std(socket)?;
            let shared = Arc::clone(&shared);
            runtime.spawn(async move { shared.names.serve(&socket).await });
        }
        for listener in doors.conversations {
            listener.set_nonblocking(true)?;
            let listener = TcpListener::from_std(listener)?;
            runtime.spawn(accept_questions(listener, Arc::clone(&shared), Arc::clone(&room)));
        }
        drop(entered);
        Ok(Self { runtime: Some(runtime) })
    }
}

/// Whether there are threads to be had. The runtime neither says that there are none nor survives it.
fn find_threads() -> io::Result<()> {
    let mut found = Vec::new();
    for _ in 0..WORKERS {
        let (keep, wait) = channel::<()>();
        found.push((keep, thread::Builder::new().spawn(move || wait.recv())?));
    }
    for (keep, thread) in found {
        drop(keep);
        let _ = thread.join();
    }
    Ok(())
}

impl Proxy {
    /// Ends everything that goes through it, and waits until each connection has left its record.
    pub fn close(mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_timeout(PATIENCE);
        }
    }
}

/// How long connections may take to end once they are told to.
const PATIENCE: Duration = Duration::from_secs(2);

/// Threads that move bytes.
const WORKERS: usize = 2;

impl Drop for Proxy {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

impl fmt::Debug for Proxy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Proxy").finish_non_exhaustive()
    }
}

/// Lets connections in, as long as there is room. Each has a task of its own: one that panics takes nothing else along.
async fn accept_tcp(listener: TcpListener, shared: Arc<Shared>, room: Arc<Semaphore>) {
    while let Ok(place) = Arc::clone(&room).acquire_owned().await {
        let Some(stream) = next(listener.accept().await).await else { continue };
        let shared = Arc::clone(&shared);
        tokio::spawn(async move {
            // What breaks a connection is written down where it is known; here there is nobody left to be told.
            let _ = mixed(&shared, Wire::near(stream, shared.terms.limits.idle)).await;
            drop(place);
        });
    }
}

async fn accept_unix(listener: UnixListener, shared: Arc<Shared>, room: Arc<Semaphore>) {
    while let Ok(place) = Arc::clone(&room).acquire_owned().await {
        let Some(stream) = next(listener.accept().await).await else { continue };
        let shared = Arc::clone(&shared);
        tokio::spawn(async move {
            let _ = mixed(&shared, Wire::unix(stream, shared.terms.limits.idle)).await;
            drop(place);
        });
    }
}

async fn accept_meant(listener: TcpListener, original: Original, shared: Arc<Shared>, room: Arc<Semaphore>) {
    while let Ok(place) = Arc::clone(&room).acquire_owned().await {
        let Some(stream) = next(listener.accept().await).await else { continue };
        let (shared, original) = (Arc::clone(&shared), Arc::clone(&original));
        tokio::spawn(async move {
            let _ = transparent(&shared, stream, &original).await;
            drop(place);
        });
    }
}

async fn accept_questions(listener: TcpListener, shared: Arc<Shared>, room: Arc<Semaphore>) {
    while let Ok(place) = Arc::clone(&room).acquire_owned().await {
        let Some(stream) = next(listener.accept().await).await else { continue };
        let shared = Arc::clone(&shared);
        tokio::spawn(async move {
            let _ = shared.names.converse(stream, shared.terms.limits.head).await;
            drop(place);
        });
    }
}

/// A connection that could not be let in is gone. Where the reason is that too much is open, it helps to wait.
async fn next<S, A>(accepted: io::Result<(S, A)>) -> Option<S> {
    if let Ok((stream, _)) = accepted {
        return Some(stream);
    }
    sleep(Duration::from_millis(50)).await;
    None
}

/// A client that knows that it speaks with a proxy. Its first byte says in which language.
async fn mixed(shared: &Shared, mut client: Wire) -> io::Result<()> {
    let begun = timeout(shared.terms.limits.head, client.reader.at_least(1)).await;
    begun.map_err(|_| io::Error::from(io::ErrorKind::TimedOut))??;
    if client.reader.ready().first() == Some(&socks::VERSION) {
        return socks(shared, client).await;
    }
    match http::serve(shared, &mut client).await? {
        Next::Nothing => Ok(()),
        Next::Tunnel(to) => match Upstream::open(shared, &to).await {
            Ok(upstream) => {
                client.send(b"HTTP/1.1 200 Connection Established\r\n\r\n").await?;
                tunnel(shared, client, upstream).await
            }
            Err(refused) => http::refusal(&mut client, &refused).await,
        },
        Next::Upgrade(upstream) => pass(client, *upstream).await,
    }
}

async fn socks(shared: &Shared, mut client: Wire) -> io::Result<()> {
    let asked = timeout(shared.terms.limits.head, socks::request(&mut client)).await;
    let Some(to) = asked.map_err(|_| io::Error::from(io::ErrorKind::TimedOut))?? else { return Ok(()) };
    match Upstream::open(shared, &to).await {
        Ok(upstream) => {
            socks::connected(&mut client).await?;
            tunnel(shared, client, upstream).await
        }
        Err(refused) => socks::refused(&mut client, &refused).await,
    }
}

/// A client that believes to speak with the server itself. Where it wanted to go, the kernel knows.
async fn transparent(shared: &Shared, stream: TcpStream, original: &Original) -> io::Result<()> {
    let Some(meant) = original(&stream) else { return Ok(()) };
    let Some(host) = shared.names.meant(meant.ip()) else {
        shared.meter(meant).note(|record| "nobody was given this address".clone_into(&mut record.reason));
        return Ok(());
    };
    let client = Wire::near(stream, shared.terms.limits.idle);
    match Upstream::open(shared, &Endpoint { host, port: meant.port() }).await {
        Ok(upstream) => tunnel(shared, client, upstream).await,
        Err(refused) => turn_away(shared, client, &refused).await,
    }
}
