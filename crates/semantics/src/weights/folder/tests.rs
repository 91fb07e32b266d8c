//! Folders as users have them.

use std::fs;

use super::super::testing::{HIDDEN, LAYERS, Model, VOCAB};
use super::*;
use crate::weights::{Bytes, read_rbt};

const CONFIG: &str = r#"{"model_type":"bert","hidden_act":"gelu","vocab_size":50,
    "max_position_embeddings":40,"type_vocab_size":2,"hidden_size":42,"num_hidden_layers":2,
    "num_attention_heads":3,"intermediate_size":71,"layer_norm_eps":1e-12}"#;

fn safetensors(model: &Model) -> Vec<u8> {
    let (mut table, mut data) = (serde_json::Map::new(), Vec::new());
    for (name, values) in &model.floats {
        let start = data.len();
        data.extend(values.iter().flat_map(|value| value.to_le_bytes()));
        let shape = model.shape(name);
        let entry = serde_json::json!({
            "dtype": "F32", "shape": shape, "data_offsets": [start, data.len()],
        });
        table.insert(format!("bert.{name}"), entry);
    }
    let table = serde_json::to_vec(&table).unwrap();
    let mut bytes = (table.len() as u64).to_le_bytes().to_vec();
    bytes.extend(table);
    bytes.extend(data);
    bytes
}

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let words: Vec<String> = (0..VOCAB).map(|id| format!("w{id}\n")).collect();
    fs::write(folder.path().join("vocab.txt"), words.concat()).unwrap();
    fs::write(folder.path().join("config.json"), CONFIG).unwrap();
    fs::write(folder.path().join("model.safetensors"), safetensors(&Model::new())).unwrap();
    folder
}

#[test]
fn a_folder_gives_the_model_its_file_gives() {
    let folder = folder();
    let read = read_folder(folder.path()).unwrap();
    let wanted = read_rbt(Bytes::Passing(&Model::new().rbt("mean"))).unwrap();
    assert_eq!(read.words.values, wanted.words.values);
    assert_eq!(read.config.pooling, Pooling::Mean);
    assert_eq!(read.vocab.trim_end(), wanted.vocab);
    assert_eq!((read.layers.len(), read.norm.weight.len()), (LAYERS, HIDDEN));
    assert!(read.config.lowercase);
}

#[test]
fn side_files_decide_pooling_and_case() {
    let folder = folder();
    let pooling = folder.path().join("1_Pooling");
    fs::create_dir(&pooling).unwrap();
    let config = pooling.join("config.json");
    fs::write(&config, r#"{"pooling_mode_cls_token":true,"pooling_mode_mean_tokens":false}"#)
        .unwrap();
    fs::write(folder.path().join("tokenizer_config.json"), r#"{"do_lower_case":false}"#).unwrap();
    let read = read_folder(folder.path()).unwrap();
    assert_eq!(read.config.pooling, Pooling::Cls);
    assert!(!read.config.lowercase);
    fs::write(&config, r#"{"pooling_mode_max_tokens":true}"#).unwrap();
    assert!(read_folder(folder.path()).unwrap_err().to_string().contains("pooled"));
}

#[test]
fn other_architectures_are_refused_by_name() {
    let cases = [
        (r#"{"model_type":"roberta"}"#.to_owned(), "type \"roberta\""),
        ("{}".to_owned(), "type \"\""),
        ("not json".to_owned(), "config.json"),
        (CONFIG.replace("\"gelu\"", "\"relu\""), "\"relu\""),
        (
            CONFIG.replace("{\"model", "{\"position_embedding_type\":\"relative_key\",\"model"),
            "relative_key",
        ),
        (CONFIG.replace("{\"model", "{\"is_decoder\":true,\"model"), "decoder"),
        (CONFIG.replace("\"hidden_size\":42", "\"hidden_size\":48"), "shape"),
        (CONFIG.replace("\"vocab_size\":50", "\"vocab_size\":60"), "50 words, not 60"),
    ];
    let folder = folder();
    for (config, wanted) in cases {
        fs::write(folder.path().join("config.json"), config).unwrap();
        let found = read_folder(folder.path()).unwrap_err().to_string();
        assert!(found.contains(wanted), "{found} / {wanted}");
    }
}

#[test]
fn a_missing_file_is_named() {
    for file in ["config.json", "vocab.txt", "model.safetensors"] {
        let folder = folder();
        fs::remove_file(folder.path().join(file)).unwrap();
        assert!(read_folder(folder.path()).unwrap_err().to_string().contains(file));
    }
}
