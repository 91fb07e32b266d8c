//! Static vectors: a text is the mean of its pieces' vectors, which were distilled from the encoder.
//!
//! For searching, not for deciding: word order is lost, so "A beats B" is "B beats A". The file is
//! made by `training/distil.py`; what a piece weighs is in the length of its vector.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use crate::{Embedder, Embedding, SemanticsError, WordPiece};

const MAGIC: &[u8; 8] = b"RBTVEC\r\n";
const VERSION: u32 = 1;
/// Magic, version, rows, width, bytes of the vocabulary.
const SIZES: usize = 24;
/// The sizes and the checksum of all other bytes.
const HEADER: usize = SIZES + blake3::OUT_LEN;
/// More would be a mistake, not a table of static vectors.
const MOST_ROWS: u32 = 1 << 20;
const WIDEST: u32 = 4096;

/// A table of one vector a word piece, in eight bits a number.
pub struct StaticVectors {
    id: String,
    bytes: Cow<'static, [u8]>,
    pieces: WordPiece,
    scales: Box<[f32]>,
    /// Where the numbers start in `bytes`; they reach to its end.
    numbers: usize,
    width: usize,
}

impl fmt::Debug for StaticVectors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StaticVectors")
            .field("id", &self.id)
            .field("rows", &self.scales.len())
            .field("width", &self.width)
            .finish_non_exhaustive()
    }
}

impl StaticVectors {
    /// Reads a table and checks every byte of it. `name` is what an error calls the file.
    pub fn from_bytes(
        name: &str,
        bytes: impl Into<Cow<'static, [u8]>>,
    ) -> Result<Self, SemanticsError> {
        let bytes = bytes.into();
        read(bytes).map_err(|reason| SemanticsError::Model { name: name.to_owned(), reason })
    }

    /// How many numbers a vector has.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The vocabulary the table goes by.
    pub fn pieces(&self) -> &WordPiece {
        &self.pieces
    }

    fn embed_one(&self, text: &str, ids: &mut Vec<u32>) -> Embedding {
        ids.clear();
        self.pieces.encode_into(text, ids);
        let mut sum = vec![0.0; self.width];
        for id in ids.iter().filter(|id| **id != self.pieces.unk()) {
            self.add(*id, &mut sum);
        }
        Embedding::new(sum)
    }

    /// Adds a piece's vector; the ids of the vocabulary are all in the table.
    pub(crate) fn add(&self, id: u32, sum: &mut [f32]) {
        let row = id as usize;
        let start = self.numbers + row * self.width;
        if let (Some(scale), Some(numbers)) =
            (self.scales.get(row), self.bytes.get(start..start + self.width))
        {
            for (slot, number) in sum.iter_mut().zip(numbers) {
                *slot += f32::from(number.cast_signed()) * scale;
            }
        }
    }
}

impl Embedder for StaticVectors {
    fn id(&self) -> &str {
        &self.id
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Embedding>, SemanticsError> {
        let mut ids = Vec::new();
        Ok(texts.iter().map(|text| self.embed_one(text, &mut ids)).collect())
    }
}

fn read(bytes: Cow<'static, [u8]>) -> Result<StaticVectors, String> {
    if !bytes.starts_with(MAGIC) {
        return Err("this is not a file of static vectors".to_owned());
    }
    let version = number(&bytes, 8)?;
    if version != VERSION {
        return Err(format!("it has version {version} and this program reads {VERSION}"));
    }
    let (rows, width) = (number(&bytes, 12)?, number(&bytes, 16)?);
    let vocab_len = number(&bytes, 20)? as usize;
    if rows == 0 || rows > MOST_ROWS || width == 0 || width > WIDEST {
        return Err(format!("{rows} rows of {width} numbers cannot be right"));
    }
    let (rows, width) = (rows as usize, width as usize);
    let scales = HEADER + vocab_len;
    let numbers = scales + rows * 4;
    let expected = numbers + rows * width;
    if bytes.len() != expected {
        return Err(format!("it has {} bytes and should have {expected}", bytes.len()));
    }
    let sum = checksum(&bytes)?;
    if part(&bytes, SIZES..HEADER)? != sum.as_bytes() {
        return Err("its checksum is wrong: it was changed or cut; install it again".to_owned());
    }
    let pieces = WordPiece::new(part(&bytes, HEADER..scales)?).map_err(|e| e.to_string())?;
    if pieces.size() as usize != rows {
        return Err(format!("it has {rows} vectors for {} pieces", pieces.size()));
    }
    let scales = read_scales(part(&bytes, scales..numbers)?)?;
    let digits: String = sum.to_hex().chars().take(12).collect();
    let id = format!("static-{width}-{digits}");
    Ok(StaticVectors { id, bytes, pieces, scales, numbers, width })
}

fn read_scales(bytes: &[u8]) -> Result<Box<[f32]>, String> {
    let (values, _) = bytes.as_chunks::<4>();
    let scales: Box<[f32]> = values.iter().map(|value| f32::from_le_bytes(*value)).collect();
    match scales.iter().position(|scale| !scale.is_finite() || *scale < 0.0) {
        Some(row) => Err(format!("the scale of row {row} is no length")),
        None => Ok(scales),
    }
}

/// Over everything but the checksum itself.
fn checksum(bytes: &[u8]) -> Result<blake3::Hash, String> {
    let mut hasher = blake3::Hasher::new();
    hasher.update(part(bytes, 0..SIZES)?);
    hasher.update(part(bytes, HEADER..bytes.len())?);
    Ok(hasher.finalize())
}

fn number(bytes: &[u8], at: usize) -> Result<u32, String> {
    let bytes = part(bytes, at..at + 4)?;
    bytes.first_chunk().map(|value| u32::from_le_bytes(*value)).ok_or_else(cut)
}

fn part(bytes: &[u8], range: Range<usize>) -> Result<&[u8], String> {
    bytes.get(range).ok_or_else(cut)
}

fn cut() -> String {
    "it ends too early: it was cut; install it again".to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Six pieces, two numbers each: cats and dogs are alike, tax is not.
    fn file() -> Vec<u8> {
        let vocab = b"[CLS]\n[SEP]\n[UNK]\ncat\ndog\ntax";
        let mut bytes = MAGIC.to_vec();
        for size in [VERSION, 6, 2, u32::try_from(vocab.len()).unwrap()] {
            bytes.extend(size.to_le_bytes());
        }
        bytes.extend([0; blake3::OUT_LEN]);
        bytes.extend(vocab);
        for scale in [0.0f32, 0.0, 1.0, 0.5, 0.25, 1.0] {
            bytes.extend(scale.to_le_bytes());
        }
        for row in [[0i8, 0], [0, 0], [9, 9], [100, 2], [90, 1], [-3, 127]] {
            bytes.extend(row.map(i8::cast_unsigned));
        }
        seal(bytes)
    }

    fn seal(mut bytes: Vec<u8>) -> Vec<u8> {
        let sum = checksum(&bytes).unwrap();
        bytes[SIZES..HEADER].copy_from_slice(sum.as_bytes());
        bytes
    }

    fn refusal(bytes: Vec<u8>) -> String {
        StaticVectors::from_bytes("small.rbv", bytes).unwrap_err().to_string()
    }

    #[test]
    fn alike_is_near_and_nothing_is_zero() {
        let vectors = StaticVectors::from_bytes("small.rbv", file()).unwrap();
        let found = vectors.embed(&["Cat!", "dog", "tax tax", "", "zebra"]).unwrap();
        assert!(found[0].cosine(&found[1]) > 0.99);
        assert!(found[0].cosine(&found[2]) < 0.1);
        assert!(found[3].is_zero() && found[4].is_zero());
        assert!(vectors.id().starts_with("static-2-"));
    }

    #[test]
    fn any_changed_byte_is_refused() {
        let good = file();
        for at in 0..good.len() {
            let mut bad = good.clone();
            bad[at] ^= 0x10;
            assert!(refusal(bad).starts_with("model small.rbv: "), "byte {at}");
        }
    }

    #[test]
    fn any_cut_is_refused() {
        let good = file();
        for len in 0..good.len() {
            refusal(good[..len].to_vec());
        }
        let mut longer = good;
        longer.push(0);
        assert!(refusal(longer).contains("should have"));
    }

    #[test]
    fn a_sealed_lie_is_refused_too() {
        let mut newer = file();
        newer[8] = 2;
        assert!(refusal(seal(newer)).contains("has version 2"));
        let mut huge = file();
        huge[12..16].fill(0xff);
        assert!(refusal(huge).contains("cannot be right"));
        let mut scale = file();
        let at = scale.len() - 12 - 4;
        scale[at..at + 4].copy_from_slice(&f32::NAN.to_le_bytes());
        assert!(refusal(seal(scale)).contains("scale of row 5"));
        let mut vocab = file();
        vocab[HEADER + 5] = b' ';
        assert!(refusal(seal(vocab)).contains("missing"));
    }
}
