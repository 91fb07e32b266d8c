//! Files that are not what they should be.

use super::super::testing::{Model, file};
use super::*;

fn refusal(bytes: &[u8]) -> String {
    read_rbt(Bytes::Passing(bytes)).map(|_| ()).unwrap_err().0
}

/// A valid file with its header changed and its checksums made anew.
fn with_header(change: impl FnOnce(String) -> String) -> Vec<u8> {
    let bytes = Model::new().rbt("mean");
    let parts = split(&bytes).unwrap();
    let header = change(String::from_utf8(parts.header.to_vec()).unwrap());
    file(header.as_bytes(), &bytes[parts.payload])
}

#[test]
fn a_whole_file_is_read() {
    let weights = read_rbt(Bytes::Passing(&Model::new().rbt("cls"))).unwrap();
    assert!(weights.id.starts_with("tiny@"));
    assert_eq!(weights.vocab.lines().last(), Some("w49"));
    assert_eq!(weights.layers.len(), 2);
}

#[test]
fn a_file_in_place_is_the_same_model_and_takes_less_memory() {
    let bytes: &'static [u8] = Model::new().rbt("mean").leak();
    let placed = read_rbt(Bytes::Static(bytes)).unwrap();
    let owned = read_rbt(Bytes::Passing(bytes)).unwrap();
    assert_eq!(placed.id, owned.id);
    assert_eq!(placed.words.values, owned.words.values);
    assert!(placed.words.bytes() < owned.words.bytes());
}

#[test]
fn a_file_cut_anywhere_is_refused() {
    let bytes = Model::new().rbt("mean");
    for length in (0..200).chain((200..bytes.len()).step_by(997)).chain([bytes.len() - 1]) {
        let reason = refusal(&bytes[..length]);
        assert!(!reason.is_empty(), "cut at {length}");
    }
    let mut longer = bytes;
    longer.push(0);
    assert!(refusal(&longer).contains("fetch it again"));
}

#[test]
fn a_flipped_bit_is_noticed() {
    let bytes = Model::new().rbt("mean");
    for at in (0..100).chain((100..bytes.len()).step_by(613)) {
        let mut broken = bytes.clone();
        broken[at] ^= 1 << (at % 8);
        assert!(!refusal(&broken).is_empty(), "bit flipped in byte {at}");
    }
}

#[test]
fn foreign_bytes_are_refused() {
    let mut seed = 1_u32;
    for length in [0, 1, 8, 31, 32, 33, 500, 5000] {
        let mut bytes = Vec::new();
        for _ in 0..length {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            bytes.push((seed >> 24) as u8);
        }
        assert!(!refusal(&bytes).is_empty());
        bytes.splice(0..bytes.len().min(12), *b"REBUTTAL\x01\0\0\0");
        assert!(!refusal(&bytes).is_empty());
    }
    assert!(
        refusal(b"PK\x03\x04 some other file, long enough to have a prelude")
            .contains("not a model")
    );
}

#[test]
fn a_newer_format_is_named() {
    let mut bytes = Model::new().rbt("mean");
    bytes[8] = 9;
    assert_eq!(refusal(&bytes), "it has format 9; this program reads 1");
}

#[test]
fn sizes_that_lie_are_refused_without_being_believed() {
    let huge = usize::MAX.to_string();
    let cases: Vec<(String, &str)> = vec![
        (r#""hidden":42"#.into(), r#""hidden":43"#),
        (r#""hidden":42"#.into(), r#""hidden":18446744073709551615"#),
        (r#""layers":2"#.into(), r#""layers":3"#),
        (r#""layers":2"#.into(), r#""layers":16777216"#),
        (r#""layers":2"#.into(), r#""layers":-1"#),
        (r#""heads":3"#.into(), r#""heads":0"#),
        (r#""heads":3"#.into(), r#""heads":4"#),
        (r#""vocab":50"#.into(), r#""vocab":51"#),
        (r#""positions":40"#.into(), r#""positions":16000000"#),
        (r#""shape":[50, 42]"#.into(), r#""shape":[16000000, 16000000]"#),
        (r#""shape":[3, 42]"#.into(), r#""shape":[18446744073709551615, 42]"#),
        (r#""shape":[3, 42]"#.into(), r#""shape":[]"#),
        (r#""epsilon":1e-12"#.into(), r#""epsilon":-1"#),
        (r#""pooling":"mean""#.into(), r#""pooling":"max""#),
        (r#""kind":"i8""#.into(), r#""kind":"f32""#),
        (r#""scales":"#.into(), r#""scales":99999999"#),
        (r#""offset":"#.into(), r#""offset":9999999999"#),
        ("{".into(), "["),
    ];
    for (from, to) in cases {
        let bytes = with_header(|header| {
            assert!(header.contains(&from), "{from}");
            header.replacen(&from, to, 1)
        });
        assert!(!refusal(&bytes).is_empty(), "{from} became {to}");
    }
    let bytes =
        with_header(|header| header.replacen(r#""bytes":"#, &format!(r#""bytes":{huge},"_":"#), 1));
    assert_eq!(refusal(&bytes), "the vocabulary lies outside the file");
}

#[test]
fn numbers_that_would_spoil_answers_are_refused() {
    let bytes = Model::new().rbt("mean");
    let parts = split(&bytes).unwrap();
    let header: Header = serde_json::from_slice(parts.header).unwrap();
    let spoilt = |name: &str, raw: &[u8]| {
        let mut payload = bytes[parts.payload.clone()].to_vec();
        let at = header.tensors[name].offset;
        payload[at..at + raw.len()].copy_from_slice(raw);
        refusal(&file(parts.header, &payload))
    };
    let name = "embeddings.LayerNorm.weight";
    assert!(spoilt(name, &f32::NAN.to_le_bytes()).contains("not finite"));
    assert!(spoilt(name, &f32::INFINITY.to_le_bytes()).contains(name));
    assert!(spoilt("embeddings.word_embeddings.weight", &[0x80]).contains("-128"));
}
