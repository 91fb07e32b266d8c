//! The two tiny models in `tests/onnx`, and every way a folder can be wrong.

use std::fs;
use std::path::PathBuf;

use super::*;

const EMBEDDER: &[u8] = include_bytes!("../../tests/onnx/embedder/model.onnx");
const INFERENCE: &[u8] = include_bytes!("../../tests/onnx/inference/model.onnx");
const WORDS: &str = include_str!("../../tests/onnx/embedder/vocab.txt");
const LABELS: &str = include_str!("../../tests/onnx/inference/config.json");
const TOKENIZER: &str = r###"{"model": {"type": "WordPiece", "continuing_subword_prefix": "##",
    "vocab": {"[PAD]": 0, "[UNK]": 1, "[CLS]": 2, "[SEP]": 3, "good": 4, "bad": 5, "##ly": 6, "not": 7}},
    "normalizer": {"type": "BertNormalizer", "lowercase": true, "strip_accents": null}}"###;

fn folder(files: &[(&str, &[u8])]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, content) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
    folder
}

fn embedder(files: &[(&str, &[u8])]) -> Result<OnnxEmbedder, SemanticsError> {
    OnnxEmbedder::open(folder(files).path(), 1)
}

fn refused(files: &[(&str, &[u8])]) -> String {
    embedder(files).unwrap_err().to_string()
}

fn here(name: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "tests", "onnx", name].iter().collect()
}

fn vector(values: [f32; 2]) -> Embedding {
    Embedding::new(values.to_vec())
}

#[test]
fn vectors_are_the_mean_of_the_tokens() {
    assert!(is_onnx_folder(&here("embedder")) && !is_onnx_folder(&here("")));
    let embedder = OnnxEmbedder::open(&here("embedder"), 2).unwrap();
    let texts = ["Good", "bad", "", "good bad", "badly", "xyzzy", "not good"];
    let expected =
        [[4.0, 0.0], [0.0, 4.0], [0.0, 0.0], [4.0, 4.0], [2.0, 6.0], [0.0, 0.0], [0.0, 4.0]];
    assert_eq!(embedder.embed(&texts).unwrap(), expected.map(vector));
    assert!(embedder.embed(&[]).unwrap().is_empty());
}

#[test]
fn company_does_not_change_a_vector() {
    let embedder = OnnxEmbedder::open(&here("embedder"), 2).unwrap();
    let texts: Vec<String> = (0..90).map(|n| "good bad not badly ".repeat(1 + n % 7)).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let together = embedder.embed(&texts).unwrap();
    for (text, vector) in texts.iter().zip(&together) {
        assert_eq!(embedder.embed(&[text]).unwrap(), std::slice::from_ref(vector));
    }
}

#[test]
fn what_the_folder_says_counts() {
    let model: (&str, &[u8]) = ("onnx/model.onnx", EMBEDDER);
    let words: (&str, &[u8]) = ("vocab.txt", WORDS.as_bytes());
    let plain = embedder(&[model, words]).unwrap();
    assert_eq!(plain.embed(&["good"]).unwrap(), [vector([4.0, 0.0])]);

    let cls = br#"{"word_embedding_dimension": 2, "pooling_mode_cls_token": true, "pooling_mode_mean_tokens": false}"#;
    let first = embedder(&[model, words, ("1_Pooling/config.json", cls)]).unwrap();
    assert_eq!(first.embed(&["good"]).unwrap(), [vector([0.0, 0.0])]);
    assert_ne!(plain.id(), first.id());

    let short = br#"{"max_seq_length": 4}"#;
    let short = embedder(&[model, words, ("sentence_bert_config.json", short)]).unwrap();
    assert_eq!(short.embed(&["good good bad bad bad"]).unwrap(), [vector([8.0, 0.0])]);

    let full =
        embedder(&[("model_quantized.onnx", EMBEDDER), ("tokenizer.json", TOKENIZER.as_bytes())]);
    assert_eq!(full.unwrap().embed(&["badly"]).unwrap(), [vector([2.0, 6.0])]);
}

#[test]
fn an_id_names_the_files() {
    let open = || OnnxEmbedder::open(&here("embedder"), 1).unwrap();
    assert_eq!(open().id(), open().id());
    let longer = format!("{WORDS}new\n");
    let other = embedder(&[("model.onnx", EMBEDDER), ("vocab.txt", longer.as_bytes())]).unwrap();
    assert_ne!(open().id(), other.id());
}

#[test]
fn foreign_tokenizers_are_refused_by_name() {
    let with = |from: &str, to: &str| {
        let tokenizer = TOKENIZER.replace(from, to);
        refused(&[("model.onnx", EMBEDDER), ("tokenizer.json", tokenizer.as_bytes())])
    };
    for kind in ["BPE", "Unigram", "WordLevel"] {
        let reason = with("WordPiece", kind);
        assert!(
            reason.contains(&format!("tokenizer.json: its tokenizer is {kind}; only")),
            "{reason}"
        );
    }
    assert!(with("BertNormalizer", "NFKC").contains("its normalizer is NFKC"));
    assert!(with("\"lowercase\": true", "\"lowercase\": false").contains("uncased"));
    assert!(with("\"##\"", "\"@@\"").contains("other than by ##"));
    assert!(with("\"not\": 7", "\"not\": 9").contains("\"not\" has an id that is not its own"));
    assert!(with("\"not\": 7", "\"not\": -1").contains("\"not\" has an id that is not its own"));
    assert!(with("[CLS]", "[BOS]").contains("[CLS] is missing"));
    assert!(with("{", "").contains("tokenizer.json: is not as it should be"));

    let piece = refused(&[("model.onnx", EMBEDDER), ("sentencepiece.bpe.model", b"x")]);
    assert!(piece.contains("its tokenizer is SentencePiece"), "{piece}");
    assert!(
        refused(&[("model.onnx", EMBEDDER)])
            .contains("vocab.txt: is missing, and so is tokenizer.json")
    );
    let cased = br#"{"do_lower_case": false}"#;
    let words = ("vocab.txt", WORDS.as_bytes());
    let cased = refused(&[("model.onnx", EMBEDDER), words, ("tokenizer_config.json", cased)]);
    assert!(
        cased.contains("tokenizer_config.json: the model tells upper from lower case"),
        "{cased}"
    );
}

#[test]
fn foreign_parts_are_refused_by_name() {
    let with = |name: &str, content: &str| {
        let words = ("vocab.txt", WORDS.as_bytes());
        refused(&[("model.onnx", EMBEDDER), words, (name, content.as_bytes())])
    };
    let dense = r#"[{"idx": 2, "type": "sentence_transformers.models.Dense"}]"#;
    assert!(with("modules.json", dense).contains("asks for a module \"Dense\""));
    let max = r#"{"pooling_mode_max_tokens": true, "pooling_mode_cls_token": true}"#;
    let max = with("1_Pooling/config.json", max);
    assert!(max.contains("pooling_mode_cls_token and pooling_mode_max_tokens; known"), "{max}");
}

#[test]
fn missing_and_foreign_models_are_refused_by_name() {
    assert!(refused(&[]).contains("holds no ONNX file; it must be named one of model.onnx"));
    let nowhere = OnnxEmbedder::open(&here("nowhere"), 1).unwrap_err().to_string();
    assert!(nowhere.contains("nowhere: is not a folder"), "{nowhere}");
    for content in [&b""[..], b"ONNX", b"<html>", &[0; 64], b"RTEN\x02\0\0\0\0\0\0\0\0\0\0\0"] {
        let reason = refused(&[("model.onnx", content), ("vocab.txt", WORDS.as_bytes())]);
        assert!(reason.contains("model.onnx: "), "{reason}");
    }
    let wrong = refused(&[("model.onnx", INFERENCE), ("vocab.txt", WORDS.as_bytes())]);
    assert!(
        wrong.contains("has outputs [\"logits\"], but none of [\"sentence_embedding\""),
        "{wrong}"
    );
    // A vocabulary larger than the model's table.
    let more: Vec<String> = (0..600).map(|n| format!("w{n}")).collect();
    let many = format!("{WORDS}{}\n", more.join("\n"));
    let embedder = embedder(&[("model.onnx", EMBEDDER), ("vocab.txt", many.as_bytes())]).unwrap();
    let reason = embedder.embed(&["w99"]).unwrap_err().to_string();
    assert!(reason.contains("model.onnx: cannot be run"), "{reason}");
}

#[test]
fn damaged_models_are_errors_or_work() {
    let folder = folder(&[("vocab.txt", WORDS.as_bytes())]);
    let open = |bytes: &[u8]| {
        fs::write(folder.path().join("model.onnx"), bytes).unwrap();
        // Whatever comes of it, it comes back.
        OnnxEmbedder::open(folder.path(), 1).and_then(|embedder| embedder.embed(&["good bad"]))
    };
    for end in (0..EMBEDDER.len()).step_by(3) {
        open(&EMBEDDER[..end]).ok();
    }
    for (at, flip) in (0..EMBEDDER.len()).zip([0x01, 0x80, 0xff].into_iter().cycle()) {
        let mut bytes = EMBEDDER.to_vec();
        bytes[at] ^= flip;
        open(&bytes).ok();
    }
    assert!(open(EMBEDDER).is_ok());
}

#[test]
fn labels_are_mapped_by_name() {
    let inference = OnnxInference::open(&here("inference"), 1).unwrap();
    let pair = |premise, hypothesis| Pair { premise, hypothesis };
    let pairs = [
        pair("good", "good"),
        pair("good", "not good"),
        pair("not good", "good"),
        pair("xyzzy", ""),
    ];
    let verdicts = inference.infer(&pairs).unwrap();
    let best = |verdict: &Verdict| {
        let Verdict { entailment, neutral, contradiction } = *verdict;
        assert!((entailment + neutral + contradiction - 1.0).abs() < 1e-6);
        if entailment > neutral.max(contradiction) {
            "entailment"
        } else if neutral > contradiction {
            "neutral"
        } else {
            "contradiction"
        }
    };
    let best: Vec<&str> = verdicts.iter().map(best).collect();
    assert_eq!(best, ["entailment", "contradiction", "entailment", "neutral"]);
}

#[test]
fn labels_without_meaning_are_refused() {
    let refused = |config: &str| {
        let folder = folder(&[
            ("model.onnx", INFERENCE),
            ("vocab.txt", WORDS.as_bytes()),
            ("config.json", config.as_bytes()),
        ]);
        OnnxInference::open(folder.path(), 1).unwrap_err().to_string()
    };
    let nameless = LABELS.replace("ENTAILMENT", "LABEL_1");
    assert!(refused(&nameless).contains("must be entailment, neutral and contradiction"));
    assert!(refused("{}").contains("config.json: names no labels"));
    let outside = LABELS.replace("\"2\"", "\"7\"");
    assert!(refused(&outside).contains("must be entailment"));
    let fourth = LABELS.replace("\"2\"", "\"3\": \"other\", \"2\"");
    assert!(refused(&fourth).contains("must number three labels"));
}
