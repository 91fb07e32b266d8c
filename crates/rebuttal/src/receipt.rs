//! Receipts: what a debate came to and the head of its journal, signed if there is a key.
//!
//! Whoever keeps a receipt can tell later whether the journal was changed: the head is a hash over
//! every record. A signature also shows who gave it out.

use std::fmt::Write as _;
use std::fs::OpenOptions;
use std::io::{BufReader, Read as _, Write as _};
use std::path::Path;

use crate::error::{Context, Result, ensure, err};
use ed25519_dalek::{Signature, Signer, SigningKey, VerifyingKey};
use rebuttal_engine::debate::State;
use rebuttal_model::{DebateId, Hash, Record};
use rebuttal_store::Head;
use rebuttal_transcripts::open;
use serde::{Deserialize, Serialize};

/// Begins what is signed, so that no other text can be taken for a receipt.
const VERSION: &[u8] = b"rebuttal.receipt.v1\0";
/// Longest receipt or key file read, in bytes.
const FILE_BYTES: u64 = 64 << 10;

/// What a debate came to, in few words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Receipt {
    debate: DebateId,
    question: String,
    answer: Option<String>,
    rule: String,
    records: u64,
    head: Hash,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    signed: Option<Signed>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Signed {
    algorithm: String,
    public_key: String,
    signature: String,
}

impl Receipt {
    /// A receipt of a debate that has ended, not signed; `None` of one that has not.
    pub fn new(state: &State, last: &Record) -> Option<Self> {
        let decision = state.decision.as_ref()?;
        Some(Self {
            debate: state.spec().id.clone(),
            question: state.spec().question.clone(),
            answer: decision.answer.clone(),
            rule: decision.how(),
            records: last.seq,
            head: last.hash,
            signed: None,
        })
    }

    /// Signs it with the key in a file.
    pub fn signed_with(self, path: &Path) -> Result<Self> {
        Ok(self.sign(&read_key(path)?))
    }

    /// The head it vouches for.
    pub fn head(&self) -> Head {
        Head { seq: self.records, hash: self.head }
    }

    /// The debate it is about.
    pub fn debate(&self) -> &DebateId {
        &self.debate
    }

    /// What is signed: every field after its length.
    fn bytes(&self) -> Vec<u8> {
        let mut bytes = VERSION.to_vec();
        let records = self.records.to_string();
        let (head, given) = (self.head.to_string(), self.answer.is_some());
        let answer = self.answer.as_deref().unwrap_or_default();
        let given = if given { "decided" } else { "undecided" };
        for field in
            [self.debate.as_str(), &self.question, given, answer, &self.rule, &records, &head]
        {
            bytes.extend((field.len() as u64).to_le_bytes());
            bytes.extend(field.as_bytes());
        }
        bytes
    }

    fn sign(mut self, key: &SigningKey) -> Self {
        self.signed = Some(Signed {
            algorithm: "ed25519".to_owned(),
            public_key: hex(key.verifying_key().as_bytes()),
            signature: hex(&key.sign(&self.bytes()).to_bytes()),
        });
        self
    }

    /// Whose signature it carries, if it is good; an error if it is not.
    fn signer(&self, wanted: Option<&str>) -> Result<Option<String>> {
        let Some(signed) = &self.signed else {
            ensure!(Receipt; wanted.is_none(), "the receipt is not signed");
            return Ok(None);
        };
        ensure!(
            Receipt;
            signed.algorithm == "ed25519",
            "the receipt is signed by {:?}, which this program does not know",
            signed.algorithm
        );
        let key = VerifyingKey::from_bytes(&unhex(&signed.public_key)?)
            .map_err(|_| err!(Receipt; "the receipt's public key is none"))?;
        let signature = Signature::from_bytes(&unhex(&signed.signature)?);
        key.verify_strict(&self.bytes(), &signature)
            .map_err(|_| err!(Receipt; "the receipt was changed after it was signed"))?;
        if let Some(wanted) = wanted {
            ensure!(
            Receipt;
                wanted.eq_ignore_ascii_case(&signed.public_key),
                "the receipt is signed by another key: {}",
                signed.public_key
            );
        }
        Ok(Some(signed.public_key.clone()))
    }
}

/// A receipt from a file, its signature checked; and who signed it.
pub fn read(path: &Path, wanted: Option<&str>) -> Result<(Receipt, Option<String>)> {
    let file = open(path).map_err(|error| err!("{} {error}", path.display()))?;
    let file = file.take(FILE_BYTES);
    let receipt: Receipt = serde_json::from_reader(BufReader::new(file))
        .with_context(|| format!("{} is no receipt", path.display()))?;
    let signer = receipt.signer(wanted).with_context(|| path.display().to_string())?;
    Ok((receipt, signer))
}

/// Makes a key in a file of its own that only its owner can read; gives the public part.
pub fn new_key(path: &Path) -> Result<String> {
    let mut seed = [0; 32];
    getrandom::fill(&mut seed).map_err(|error| err!(Receipt; "no random numbers: {error}"))?;
    let key = SigningKey::from_bytes(&seed);
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(path).with_context(|| {
        format!("{}: the key cannot be written there; it must not exist yet", path.display())
    })?;
    writeln!(file, "{}", hex(&seed))?;
    Ok(hex(key.verifying_key().as_bytes()))
}

fn read_key(path: &Path) -> Result<SigningKey> {
    let shown = path.display();
    let mut text = String::new();
    let file = open(path).map_err(|error| err!("the key {shown} {error}"))?;
    file.take(FILE_BYTES).read_to_string(&mut text).with_context(|| format!("the key {shown}"))?;
    let seed = unhex(text.trim()).map_err(
        |_| err!(Receipt; "the key {shown} is no key; rebuttal receipt --new-key FILE makes one"),
    )?;
    Ok(SigningKey::from_bytes(&seed))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a string cannot fail.
        write!(text, "{byte:02x}").ok();
        text
    })
}

fn unhex<const N: usize>(text: &str) -> Result<[u8; N]> {
    let mut bytes = [0; N];
    ensure!(Receipt; text.len() == 2 * N && text.is_ascii(), "{} hexadecimal digits are wanted", 2 * N);
    for (byte, digits) in bytes.iter_mut().zip(text.as_bytes().chunks_exact(2)) {
        let digits = std::str::from_utf8(digits).context("hexadecimal digits are wanted")?;
        *byte = u8::from_str_radix(digits, 16).context("hexadecimal digits are wanted")?;
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn receipt() -> Receipt {
        Receipt {
            debate: DebateId::new("d-1"),
            question: "Ship?".to_owned(),
            answer: Some("yes".to_owned()),
            rule: "majority".to_owned(),
            records: 9,
            head: Hash::new([7; 32]),
            signed: None,
        }
    }

    #[test]
    fn a_signed_receipt_shows_any_change() {
        let key = SigningKey::from_bytes(&[3; 32]);
        let public = hex(key.verifying_key().as_bytes());
        let signed = receipt().sign(&key);
        assert_eq!(signed.signer(Some(&public)).unwrap().as_deref(), Some(public.as_str()));
        let changed = [
            Receipt { answer: Some("no".to_owned()), ..signed.clone() },
            Receipt { answer: None, ..signed.clone() },
            Receipt { question: "Ship it?".to_owned(), ..signed.clone() },
            Receipt { records: 8, ..signed.clone() },
            Receipt { head: Hash::new([8; 32]), ..signed.clone() },
        ];
        for receipt in changed {
            let error = receipt.signer(None).unwrap_err().to_string();
            assert!(error.contains("changed after it was signed"), "{error}");
        }
        assert!(
            signed.signer(Some(&"00".repeat(32))).unwrap_err().to_string().contains("another key")
        );
        assert!(receipt().signer(Some(&public)).unwrap_err().to_string().contains("not signed"));
    }
}
