//! Servers that speak HTTPS, known by an authority that the tests made.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::sync::Arc;

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use tokio_rustls::rustls::crypto::ring::default_provider;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer, ServerName};
use tokio_rustls::rustls::{
    ClientConfig, ClientConnection, RootCertStore, ServerConfig, ServerConnection, StreamOwned,
};

use crate::server::{Heard, listen, spawn};

/// An authority that the clients of a test trust.
pub(crate) struct Trusted {
    issuer: CertifiedIssuer<'static, KeyPair>,
}

impl Trusted {
    pub(crate) fn new() -> Self {
        let mut parameters = CertificateParams::default();
        parameters.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        parameters.distinguished_name.push(rcgen::DnType::CommonName, "an authority for tests");
        Self { issuer: CertifiedIssuer::self_signed(parameters, KeyPair::generate().unwrap()).unwrap() }
    }

    pub(crate) fn der(&self) -> Vec<u8> {
        self.issuer.der().to_vec()
    }

    fn config(&self, names: &[&str]) -> Arc<ServerConfig> {
        let key = KeyPair::generate().unwrap();
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        let mut parameters = CertificateParams::new(names).unwrap();
        parameters.use_authority_key_identifier_extension = true;
        let certificate = parameters.signed_by(&key, &self.issuer).unwrap();
        let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(key.serialize_der()));
        let builder = ServerConfig::builder_with_provider(Arc::new(default_provider()));
        let builder = builder.with_safe_default_protocol_versions().unwrap().with_no_client_auth();
        Arc::new(builder.with_single_cert(vec![certificate.der().clone()], key).unwrap())
    }

    /// A server under some names that answers as it is told; what it hears is kept.
    pub(crate) fn serve(
        &self,
        address: &str,
        names: &[&str],
        answer: impl Fn(&str) -> Vec<u8> + Send + Sync + 'static,
    ) -> Heard {
        let (listener, config, heard) = (listen(address), self.config(names), Heard::default());
        let (kept, answer) = (Arc::clone(&heard), Arc::new(answer));
        spawn(move || {
            for stream in listener.incoming().flatten() {
                let (config, kept, answer) = (Arc::clone(&config), Arc::clone(&kept), Arc::clone(&answer));
                spawn(move || {
                    let mut stream = StreamOwned::new(ServerConnection::new(config).unwrap(), stream);
                    while let Some(request) = request(&mut stream) {
                        let answer = answer(&request);
                        kept.lock().unwrap().push(request);
                        if stream.write_all(&answer).and_then(|()| stream.flush()).is_err() {
                            return;
                        }
                    }
                });
            }
        });
        heard
    }
}

fn request(stream: &mut impl Read) -> Option<String> {
    let mut text = Vec::new();
    while !text.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        stream.read_exact(&mut byte).ok()?;
        text.push(byte[0]);
    }
    let text = String::from_utf8(text).ok()?;
    let length =
        text.lines().find_map(|line| line.to_lowercase().strip_prefix("content-length: ")?.parse().ok());
    let mut body = vec![0; length.unwrap_or(0)];
    stream.read_exact(&mut body).ok()?;
    Some(text + &String::from_utf8_lossy(&body))
}

/// Whether a client says in its handshake whom it means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Naming {
    Named,
    Nameless,
}

/// A handshake with `host` through an open connection, by a client that trusts one authority.
pub(crate) fn handshake(
    stream: TcpStream,
    authority: &[u8],
    host: &str,
    naming: Naming,
) -> StreamOwned<ClientConnection, TcpStream> {
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from(authority.to_vec())).unwrap();
    let builder = ClientConfig::builder_with_provider(Arc::new(default_provider()));
    let builder = builder.with_safe_default_protocol_versions().unwrap();
    let mut config = builder.with_root_certificates(roots).with_no_client_auth();
    config.enable_sni = naming == Naming::Named;
    let name = ServerName::try_from(host.to_owned()).unwrap();
    StreamOwned::new(ClientConnection::new(Arc::new(config), name).unwrap(), stream)
}

/// An answer with a body.
pub(crate) fn ok(body: &[u8]) -> Vec<u8> {
    [head("text/html", body.len()).as_bytes(), body].concat()
}

fn head(kind: &str, length: usize) -> String {
    format!("HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\n\r\n")
}

/// Answers with the files of a directory; an `index.html` or an `index.json` stands for its own.
#[expect(clippy::disallowed_methods, reason = "tests read their own files")]
pub(crate) fn files(root: PathBuf) -> impl Fn(&str) -> Vec<u8> + Send + Sync + 'static {
    move |request| {
        let path = request.split(' ').nth(1).unwrap_or("/").split('?').next().unwrap_or("/");
        let place = root.join(path.trim_start_matches('/').replace("%2f", "/").replace("%2F", "/"));
        let indices = [("index.html", "text/html"), ("index.json", "application/json")];
        let inside =
            indices.iter().map(|(name, kind)| (place.join(name), *kind)).find(|(file, _)| file.is_file());
        let (file, kind) = inside.unwrap_or((place, "application/octet-stream"));
        match std::fs::read(file) {
            Ok(bytes) if request.starts_with("HEAD") => head(kind, bytes.len()).into_bytes(),
            Ok(bytes) => [head(kind, bytes.len()).as_bytes(), &bytes].concat(),
            Err(_) => b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n".to_vec(),
        }
    }
}

impl Trusted {
    /// The certificate of the authority, as PEM.
    pub(crate) fn pem(&self) -> String {
        let coded = base64(&self.der());
        let lines: Vec<_> = coded.as_bytes().chunks(64).map(String::from_utf8_lossy).collect();
        format!("-----BEGIN CERTIFICATE-----\n{}\n-----END CERTIFICATE-----\n", lines.join("\n"))
    }
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let letter = |group: &[u8], place: usize| {
        let number =
            group.iter().chain([&0, &0]).take(3).fold(0, |number, byte| number << 8 | usize::from(*byte));
        if place <= group.len() { char::from(LETTERS[number >> (18 - 6 * place) & 63]) } else { '=' }
    };
    bytes.chunks(3).flat_map(|group| (0..4).map(move |place| letter(group, place))).collect()
}
