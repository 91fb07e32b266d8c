//! The reference's ids on every kind of text, hostile ones included.

use super::*;

const VOCAB: &[u8] = include_bytes!("../../../../assets/vocab.txt");

fn pieces() -> WordPiece {
    WordPiece::new(VOCAB).unwrap()
}

fn encode(text: &str) -> Vec<u32> {
    let mut ids = Vec::new();
    pieces().encode_into(text, &mut ids);
    ids
}

#[test]
fn gives_the_reference_ids() {
    let rows: serde_json::Value =
        serde_json::from_str(include_str!("../../tests/data/wordpiece.json")).unwrap();
    for row in rows.as_array().unwrap() {
        let text = row["text"].as_str().unwrap();
        let expected: Vec<u64> =
            row["ids"].as_array().unwrap().iter().map(|id| id.as_u64().unwrap()).collect();
        let found: Vec<u64> = encode(text).into_iter().map(u64::from).collect();
        assert_eq!(found, expected, "{text:?}");
    }
}

#[test]
fn knows_its_specials() {
    let pieces = pieces();
    assert_eq!((pieces.cls(), pieces.sep(), pieces.unk()), (101, 102, 100));
    assert_eq!(pieces.size(), 30_522);
}

#[test]
fn nobody_can_write_structure() {
    for special in ["[CLS]", "[SEP]", "[PAD]", "[MASK]"] {
        assert!(encode(special).iter().all(|id| ![0, 101, 102, 103].contains(id)), "{special}");
    }
}

#[test]
fn a_limit_gives_the_first_ids() {
    let pieces = pieces();
    for text in ["One, two — three unaffable words; é\u{2014}中文 end.", "plain words only here"]
    {
        let all = encode(text);
        for limit in 0..=all.len() + 1 {
            let mut ids = vec![7];
            pieces.encode_up_to(text, limit, &mut ids);
            assert_eq!(ids[1..], all[..limit.min(all.len())], "{limit} of {text:?}");
        }
    }
}

#[test]
fn hostile_texts_cost_no_more_than_long_ones() {
    let pieces = pieces();
    let mut ids = Vec::new();
    for unit in
        ["a", "\u{301}", "\u{1d165}", "\u{1f600}", "\u{0}", "\u{200d}", "é", "!", "中", "\u{3099}"]
    {
        ids.clear();
        pieces.encode_into(&unit.repeat(1 << 17), &mut ids);
        assert!(ids.len() <= 1 << 17, "{unit:?}");
    }
}

#[test]
fn refuses_what_is_no_vocabulary() {
    for (vocab, reason) in [
        (&b""[..], "line 1 is empty"),
        (b"[CLS]\n[SEP]\n", "[UNK] is missing"),
        (b"[CLS]\n\n[SEP]\n", "line 2 is empty"),
        (b"[CLS]\n[SEP]\n[UNK]\na\na\n", "line 5 is there twice"),
    ] {
        let error = WordPiece::new(vocab).unwrap_err().to_string();
        assert!(error.contains(reason), "{error}");
    }
}
