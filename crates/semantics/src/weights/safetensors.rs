//! The safetensors format: a JSON table of names, types, shapes and byte ranges, then the bytes.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use super::assemble::finite;
use super::quantise::quantise;
use super::{Matrix, Reason, Source};

/// Longest table read; the format's own limit.
const HEADER_MAX: usize = 100_000_000;

#[derive(Deserialize)]
struct Entry {
    dtype: String,
    shape: Vec<usize>,
    data_offsets: (usize, usize),
}

/// Tensors by name, as floats of one of three widths.
pub(super) struct SafeTensors<'a> {
    tensors: BTreeMap<String, Entry>,
    data: &'a [u8],
}

impl<'a> SafeTensors<'a> {
    /// Reads the table. A leading `bert.` is dropped from names: models with a task's head have it.
    pub(super) fn parse(bytes: &'a [u8]) -> Result<Self, Reason> {
        let Some((length, rest)) = bytes.split_first_chunk() else {
            return Err(Reason::new("it is too short for a safetensors file"));
        };
        let length = usize::try_from(u64::from_le_bytes(*length)).unwrap_or(usize::MAX);
        let split = rest.split_at_checked(length).filter(|_| length <= HEADER_MAX);
        let Some((header, data)) = split else {
            return Err(Reason::new("it is not a safetensors file, or it is cut off"));
        };
        let table: BTreeMap<String, Value> = serde_json::from_slice(header)
            .map_err(|error| Reason::new(format!("its table cannot be read: {error}")))?;
        let mut tensors = BTreeMap::new();
        for (name, entry) in table {
            if name == "__metadata__" {
                continue;
            }
            let entry: Entry = serde_json::from_value(entry)
                .map_err(|error| Reason::new(format!("{name} cannot be read: {error}")))?;
            let short = name.strip_prefix("bert.").map(str::to_owned);
            tensors.insert(short.unwrap_or(name), entry);
        }
        Ok(Self { tensors, data })
    }
}

impl Source for SafeTensors<'_> {
    fn matrix(&self, name: &str, rows: usize, columns: usize) -> Result<Matrix, Reason> {
        Ok(quantise(&self.floats(name, &[rows, columns])?, columns))
    }

    fn floats(&self, name: &str, shape: &[usize]) -> Result<Vec<f32>, Reason> {
        let Some(entry) = self.tensors.get(name) else {
            return Err(Reason::new(format!("it has no {name}")));
        };
        if entry.shape != shape {
            let found = &entry.shape;
            return Err(Reason::new(format!("{name} has the shape {found:?}, not {shape:?}")));
        }
        let (start, end) = entry.data_offsets;
        let Some(bytes) = self.data.get(start..end) else {
            return Err(Reason::new(format!("{name} lies outside the file; it may be cut off")));
        };
        let values: Vec<f32> = match entry.dtype.as_str() {
            "F32" => bytes.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect(),
            "F16" => {
                bytes.as_chunks().0.iter().map(|bytes| half(u16::from_le_bytes(*bytes))).collect()
            }
            "BF16" => {
                let wide = |bytes: &[u8; 2]| u32::from(u16::from_le_bytes(*bytes)) << 16;
                bytes.as_chunks().0.iter().map(|bytes| f32::from_bits(wide(bytes))).collect()
            }
            other => {
                let reason = format!("{name} is {other}; F32, F16 and BF16 can be read");
                return Err(Reason::new(reason));
            }
        };
        let count = shape.iter().fold(1_usize, |all, size| all.saturating_mul(*size));
        if values.len() != count {
            return Err(Reason::new(format!("{name} has {} numbers, not {count}", values.len())));
        }
        finite(name, &values)?;
        Ok(values)
    }

    fn shape(&self, name: &str) -> Option<Vec<usize>> {
        self.tensors.get(name).map(|entry| entry.shape.clone())
    }

    fn names(&self) -> Vec<String> {
        self.tensors.keys().cloned().collect()
    }
}

/// A 16-bit IEEE float.
fn half(bits: u16) -> f32 {
    let sign = u32::from(bits >> 15) << 31;
    let exponent = u32::from(bits >> 10 & 0x1f);
    let fraction = u32::from(bits & 0x3ff);
    let magnitude = match exponent {
        // Zero and numbers below the smallest exponent: units of 2^-24.
        0 => (f32::from(bits & 0x3ff) * 2.0_f32.powi(-24)).to_bits(),
        0x1f => 0x7f80_0000 | fraction << 13,
        _ => (exponent + 112) << 23 | fraction << 13,
    };
    f32::from_bits(sign | magnitude)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(table: &str, data: &[u8]) -> Vec<u8> {
        let mut bytes = (table.len() as u64).to_le_bytes().to_vec();
        bytes.extend_from_slice(table.as_bytes());
        bytes.extend_from_slice(data);
        bytes
    }

    #[test]
    fn reads_three_widths_of_floats() {
        let table = r#"{"__metadata__":{"format":"pt"},
            "bert.a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},
            "b":{"dtype":"F16","shape":[2],"data_offsets":[4,8]},
            "c":{"dtype":"BF16","shape":[1],"data_offsets":[8,10]}}"#;
        let data = [0, 0, 0xc0, 0x3f, 0, 0x3c, 0, 0xc1, 0x80, 0x3f];
        let bytes = file(table, &data);
        let tensors = SafeTensors::parse(&bytes).unwrap();
        assert_eq!(tensors.floats("a", &[1]).unwrap(), [1.5]);
        assert_eq!(tensors.floats("b", &[2]).unwrap(), [1.0, -2.5]);
        assert_eq!(tensors.floats("c", &[1]).unwrap(), [1.0]);
        assert_eq!(tensors.names(), ["a", "b", "c"]);
    }

    #[test]
    fn halves_match_their_definition() {
        let cases = [
            (0x0000, 0.0),
            (0x0001, 5.960_464_5e-8),
            (0x03ff, 6.097_555e-5),
            (0x0400, 6.103_515_6e-5),
            (0x7bff, 65504.0),
            (0xbc00, -1.0),
            (0x7c00, f32::INFINITY),
        ];
        for (bits, wanted) in cases {
            assert_eq!(half(bits).to_bits(), f32::to_bits(wanted), "{bits:#06x}");
        }
        assert!(half(0x7e00).is_nan());
    }

    #[test]
    fn broken_files_are_refused_with_the_reason() {
        let entry = |dtype: &str, shape: &str, range: &str| {
            file(
                &format!(r#"{{"a":{{"dtype":"{dtype}","shape":{shape},"data_offsets":{range}}}}}"#),
                &[0; 8],
            )
        };
        let cases = [
            (entry("F32", "[3]", "[0,8]"), "shape"),
            (entry("F32", "[2]", "[0,4]"), "1 numbers, not 2"),
            (entry("F32", "[2]", "[8,16]"), "outside"),
            (entry("F32", "[2]", "[8,0]"), "outside"),
            (entry("I64", "[2]", "[0,8]"), "I64"),
        ];
        for (bytes, wanted) in cases {
            let tensors = SafeTensors::parse(&bytes).unwrap();
            let Reason(found) = tensors.floats("a", &[2]).unwrap_err();
            assert!(found.contains(wanted), "{found} / {wanted}");
        }
        for bytes in [&[][..], &[255; 40], &file("[1]", &[]), &file("{\"a\":1}", &[])] {
            assert!(SafeTensors::parse(bytes).is_err());
        }
    }
}
