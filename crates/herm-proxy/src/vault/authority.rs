//! An authority for one sandbox: it can speak for the hosts of its credentials, and for nobody else.

use std::collections::HashMap;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use herm::host::Host;
use herm::policy::Site;
use rcgen::{
    BasicConstraints, CertificateParams, DistinguishedName, DnType, ExtendedKeyUsagePurpose, GeneralSubtree,
    IsCa, Issuer, KeyPair, KeyUsagePurpose, NameConstraints,
};
use tokio_rustls::rustls::crypto::ring::default_provider;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};
use tokio_rustls::rustls::{ClientConfig, RootCertStore, ServerConfig};

use super::base64;

/// An authority for one sandbox.
pub(super) struct Authority {
    issuer: Issuer<'static, KeyPair>,
    certificate: CertificateDer<'static>,
    servers: Mutex<HashMap<Host, Arc<ServerConfig>>>,
}

/// The most hosts that certificates are kept for.
const MOST: usize = 256;

impl Authority {
    pub(super) fn new<'a>(hosts: impl Iterator<Item = &'a Site>) -> io::Result<Self> {
        let key = KeyPair::generate().map_err(other)?;
        let mut parameters = CertificateParams::default();
        parameters.distinguished_name = named("herm, for one sandbox");
        parameters.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
        parameters.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
        let permitted: Vec<_> =
            hosts.filter_map(Site::domain).map(|name| GeneralSubtree::DnsName(name.to_owned())).collect();
        parameters.name_constraints =
            Some(NameConstraints { permitted_subtrees: permitted, excluded_subtrees: Vec::new() });
        let certificate = parameters.self_signed(&key).map_err(other)?;
        let certificate = certificate.der().clone();
        Ok(Self { issuer: Issuer::new(parameters, key), certificate, servers: Mutex::default() })
    }

    /// Its certificate as PEM.
    pub(super) fn certificate(&self) -> String {
        let coded = base64::encode(&self.certificate);
        let lines: Vec<_> = coded.as_bytes().chunks(64).map(String::from_utf8_lossy).collect();
        format!("-----BEGIN CERTIFICATE-----\n{}\n-----END CERTIFICATE-----\n", lines.join("\n"))
    }

    /// How to be a host.
    pub(super) fn server(&self, host: &Host) -> io::Result<Arc<ServerConfig>> {
        let mut servers = self.servers.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(server) = servers.get(host) {
            return Ok(Arc::clone(server));
        }
        let server = Arc::new(self.make(host)?);
        if servers.len() < MOST {
            servers.insert(host.clone(), Arc::clone(&server));
        }
        Ok(server)
    }

    fn make(&self, host: &Host) -> io::Result<ServerConfig> {
        let Host::Name(name) = host else { return Err(io::ErrorKind::InvalidInput.into()) };
        let key = KeyPair::generate().map_err(other)?;
        let mut parameters = CertificateParams::new(vec![name.clone()]).map_err(other)?;
        parameters.distinguished_name = named(name);
        parameters.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
        parameters.key_usages = vec![KeyUsagePurpose::DigitalSignature];
        parameters.use_authority_key_identifier_extension = true;
        let certificate = parameters.signed_by(&key, &self.issuer).map_err(other)?;
        let chain = vec![certificate.der().clone(), self.certificate.clone()];
        let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(key.serialize_der()));
        let versions = ServerConfig::builder_with_provider(Arc::new(default_provider()))
            .with_safe_default_protocol_versions();
        let mut config =
            versions.map_err(other)?.with_no_client_auth().with_single_cert(chain, key).map_err(other)?;
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(config)
    }
}

/// How to speak with servers that are known by the usual authorities, or by these.
pub(crate) fn client(more: &[Vec<u8>]) -> io::Result<Arc<ClientConfig>> {
    let mut roots: RootCertStore = webpki_roots::TLS_SERVER_ROOTS.iter().cloned().collect();
    for root in more {
        roots.add(CertificateDer::from(root.clone())).map_err(other)?;
    }
    let versions = ClientConfig::builder_with_provider(Arc::new(default_provider()))
        .with_safe_default_protocol_versions();
    let mut config = versions.map_err(other)?.with_root_certificates(roots).with_no_client_auth();
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(Arc::new(config))
}

fn named(name: &str) -> DistinguishedName {
    let mut distinguished = DistinguishedName::new();
    distinguished.push(DnType::CommonName, name);
    distinguished
}

fn other(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> io::Error {
    io::Error::other(error)
}
