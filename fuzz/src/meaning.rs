//! Model files, vocabularies and pairs of statements.

use rebuttal_detect::pair::PairReading;
use rebuttal_semantics::{
    CrossEncoder, Embedder, Encoder, Inference, Pair, SemanticsError, SentenceEncoder,
    StaticVectors, Tokens, WordPiece,
};

/// Words that a small model may know, and some that it cannot.
const TEXT: &str = "A cat is not a dog. [SEP] \u{e9}\u{301} 猫 0.5 %";

/// Loads bytes as a model, as they are and with right checksums: no panic, and what can be loaded
/// answers or refuses.
///
/// # Panics
///
/// When that does not hold: that is the point.
pub fn model_file(bytes: &[u8]) {
    run_model(bytes.to_vec()).ok();
    let mut sealed = bytes.to_vec();
    if seal_model(&mut sealed).is_some() {
        run_model(sealed).ok();
    }
}

/// Lengths and checksums of the model file that hold for whatever comes after them.
fn seal_model(file: &mut [u8]) -> Option<()> {
    let length = u32::from_le_bytes(*file.get(12..16)?.first_chunk()?) as usize;
    let (prelude, rest) = file.split_at_mut_checked(32)?;
    let (header, payload) = rest.split_at_checked(length.min(rest.len()))?;
    prelude.get_mut(12..16)?.copy_from_slice(&u32::try_from(header.len()).ok()?.to_le_bytes());
    prelude.get_mut(16..24)?.copy_from_slice(&(payload.len() as u64).to_le_bytes());
    prelude.get_mut(24..28)?.copy_from_slice(&crc32fast::hash(header).to_le_bytes());
    prelude.get_mut(28..)?.copy_from_slice(&crc32fast::hash(payload).to_le_bytes());
    Some(())
}

fn run_model(file: Vec<u8>) -> Result<(), SemanticsError> {
    let encoder = Encoder::load(file.clone(), "fuzz")?;
    let ids = vec![0, u32::try_from(encoder.vocab().lines().count() - 1).unwrap_or(0), 0];
    let sequence = Tokens { segment_b_start: ids.len(), ids };
    if let Ok(pooled) = encoder.hidden(&[sequence]) {
        let vector = pooled.first().map(Vec::as_slice).unwrap_or_default();
        assert_eq!(vector.len(), encoder.width());
        for head in encoder.heads() {
            encoder.head(head, vector)?;
        }
    }
    if let Ok(embeddings) = SentenceEncoder::load(file.clone(), "fuzz")?.embed(&[TEXT, ""]) {
        assert_eq!(embeddings.len(), 2, "a vector for each text");
    }
    let judge = CrossEncoder::load(file, "fuzz")?;
    let pairs = [Pair { premise: TEXT, hypothesis: "" }, Pair { premise: "a", hypothesis: TEXT }];
    assert_eq!(judge.infer(&pairs)?.len(), 2, "a verdict for each pair");
    assert_eq!(judge.lean(&pairs)?.len(), 2, "a leaning for each pair");
    Ok(())
}

/// Loads bytes as static vectors, as they are and with a right checksum: no panic, and every number
/// that comes out is one.
///
/// # Panics
///
/// When one of these does not hold: that is the point.
pub fn vectors_file(bytes: &[u8]) {
    run_vectors(bytes.to_vec()).ok();
    let mut sealed = bytes.to_vec();
    if let Some((sizes, rest)) = sealed.split_at_mut_checked(24)
        && let Some((checksum, body)) = rest.split_at_mut_checked(blake3::OUT_LEN)
    {
        let mut hasher = blake3::Hasher::new();
        checksum.copy_from_slice(hasher.update(sizes).update(body).finalize().as_bytes());
        run_vectors(sealed).ok();
    }
}

fn run_vectors(file: Vec<u8>) -> Result<(), SemanticsError> {
    let vectors = StaticVectors::from_bytes("fuzz", file)?;
    let embeddings = vectors.embed(&[TEXT, "", "cat"])?;
    assert_eq!(embeddings.len(), 3, "a vector for each text");
    for embedding in &embeddings {
        assert_eq!(embedding.values().len(), vectors.width());
        assert!(embedding.values().iter().all(|value| value.is_finite()));
    }
    Ok(())
}

/// A vocabulary in which much can be spelled.
const VOCAB: &[u8] = b"[CLS]\n[SEP]\n[UNK]\na\nb\n##a\n##b\nab\n##ab\nnot\ncat\n##s\n.\n,\n[\n]\n\
    #\n##\n\xe7\x8c\xab\ne\n##e\n1\n##1\n%";

/// Cuts a text into pieces, by a fixed vocabulary and by its own first lines: every id is one, a
/// limit only cuts, and a blank line parts what can be cut apart.
///
/// # Panics
///
/// When one of these does not hold: that is the point.
pub fn wordpiece(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let (vocab, rest) = text.split_once("\n\n").unwrap_or(("", &text));
    let fixed = WordPiece::new(VOCAB).expect("the fixed vocabulary is right");
    let own = WordPiece::new(vocab.as_bytes()).ok();
    for pieces in std::iter::once(&fixed).chain(&own) {
        let ids = encode(pieces, rest);
        assert!(ids.iter().all(|id| *id < pieces.size()), "an id that is none");
        assert!(ids.len() <= 4 * rest.chars().count(), "more pieces than there can be");
        for limit in [0, 1.min(ids.len()), ids.len() / 2, ids.len()] {
            let mut first = Vec::new();
            pieces.encode_up_to(rest, limit, &mut first);
            assert_eq!(Some(first.as_slice()), ids.get(..limit), "a limit only cuts");
        }
        if let Some((one, two)) = rest.split_once('\n') {
            let apart = [encode(pieces, one), encode(pieces, two)].concat();
            assert_eq!(apart, ids, "lines are read one by one");
        }
    }
}

fn encode(pieces: &WordPiece, text: &str) -> Vec<u32> {
    let mut ids = Vec::new();
    pieces.encode_into(text, &mut ids);
    ids
}

/// Bytes of a text that is said over and over, to make what is not linear slow.
const LONG: usize = 8 * 1024;

/// Reads the first line beside the rest: no panic, places lie on the texts, and every number is a
/// share. The same over and over must not take longer than the fuzzer's limit.
///
/// # Panics
///
/// When one of these does not hold: that is the point.
pub fn pair(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let (one, two) = text.split_once('\n').unwrap_or((&text, &text));
    check_pair(one, two);
    check_pair(two, one);
    let often = |text: &str| text.repeat(LONG / text.len().max(1));
    check_pair(&often(one), &often(two));
}

fn check_pair(one: &str, two: &str) {
    let share = |value: f32| (0.0..=1.0).contains(&value);
    let reading = PairReading::new(one, two);
    for (at, feature) in reading.features.iter().enumerate() {
        assert!(share(*feature), "feature {at} is {feature}");
    }
    for cue in &reading.cues {
        assert!(cue.span_a.of(one).is_some() && cue.span_b.of(two).is_some(), "{cue:?} is off");
        assert!(share(cue.strength), "{cue:?}");
    }
    assert!(share(reading.similarity()), "similarity {}", reading.similarity());
    let verdict = reading.verdict();
    let shares = [verdict.entailment, verdict.neutral, verdict.contradiction];
    assert!(shares.into_iter().all(share), "{verdict:?}");
    assert!((shares.iter().sum::<f32>() - 1.0).abs() < 1e-4, "{verdict:?}");
}
