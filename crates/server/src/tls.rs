//! Encryption by a certificate and a key in files.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;
use std::sync::Arc;

use rustls_pki_types::pem::PemObject as _;
use rustls_pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;

/// Most bytes of a file of certificates or of a key.
const FILE_BYTES: u64 = 1 << 20;

/// What connections are encrypted with.
#[derive(Clone)]
pub struct Tls(pub(crate) TlsAcceptor);

impl std::fmt::Debug for Tls {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Tls")
    }
}

/// Why there is no encryption.
#[derive(Debug, thiserror::Error)]
#[error("{what}: {why}")]
pub struct TlsError {
    what: String,
    why: String,
}

impl Tls {
    /// Reads a chain of certificates and its private key, both in PEM.
    pub fn open(certificates: &Path, key: &Path) -> Result<Self, TlsError> {
        let wrong = |path: &Path, why: String| TlsError { what: path.display().to_string(), why };
        let read = |path: &Path| bytes(path).map_err(|error| wrong(path, error.to_string()));
        let chain: Result<Vec<_>, _> =
            CertificateDer::pem_slice_iter(&read(certificates)?).collect();
        let chain = chain.map_err(|error| wrong(certificates, error.to_string()))?;
        if chain.is_empty() {
            return Err(wrong(certificates, "there is no certificate in it".to_owned()));
        }
        let own = PrivateKeyDer::from_pem_slice(&read(key)?)
            .map_err(|error| wrong(key, error.to_string()))?;
        let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .and_then(|config| config.with_no_client_auth().with_single_cert(chain, own))
            .map_err(|error| wrong(certificates, error.to_string()))?;
        Ok(Self(TlsAcceptor::from(Arc::new(config))))
    }
}

fn bytes(path: &Path) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(FILE_BYTES).read_to_end(&mut bytes)?;
    Ok(bytes)
}
