//! Users' model files that ask for more memory than there is, or for more time than anybody has.

use std::path::Path;
use std::time::Duration;

use rebuttal::semantics::{Embedder as _, IsolatedEmbedder, OnnxEmbedder, Worker, WorkerLimits};

use crate::run::{Run, rebuttal};

/// A field of a protocol buffer that holds bytes.
fn field(number: u64, bytes: &[u8]) -> Vec<u8> {
    let mut out = varint(number << 3 | 2);
    out.extend(varint(bytes.len() as u64));
    out.extend(bytes);
    out
}

/// A field of a protocol buffer that holds a number.
fn number(field: u64, value: u64) -> Vec<u8> {
    let mut out = varint(field << 3);
    out.extend(varint(value));
    out
}

fn varint(mut value: u64) -> Vec<u8> {
    let mut out = Vec::new();
    while value >= 0x80 {
        out.push(value.to_le_bytes()[0] | 0x80);
        value >>= 7;
    }
    out.push(value.to_le_bytes()[0]);
    out
}

const FLOAT: u64 = 1;
const INT64: u64 = 7;
const BOOL: u64 = 9;

/// A constant of one dimension, or of none.
fn tensor(name: &str, kind: u64, is_scalar: bool, values: &[&[u8]]) -> Vec<u8> {
    let mut out = if is_scalar { Vec::new() } else { number(1, values.len() as u64) };
    out.extend(number(2, kind));
    out.extend(field(8, name.as_bytes()));
    out.extend(field(9, &values.concat()));
    field(5, &out)
}

fn shape(name: &str, sizes: &[i64]) -> Vec<u8> {
    let bytes: Vec<[u8; 8]> = sizes.iter().map(|size| size.to_le_bytes()).collect();
    let bytes: Vec<&[u8]> = bytes.iter().map(|bytes| &bytes[..]).collect();
    tensor(name, INT64, false, &bytes)
}

fn float(name: &str, value: f32) -> Vec<u8> {
    tensor(name, FLOAT, true, &[&value.to_le_bytes()])
}

fn node(operator: &str, inputs: &[&str], output: &str, attributes: &[Vec<u8>]) -> Vec<u8> {
    let mut out: Vec<u8> = inputs.iter().flat_map(|name| field(1, name.as_bytes())).collect();
    out.extend(field(2, output.as_bytes()));
    out.extend(field(4, operator.as_bytes()));
    out.extend(attributes.concat());
    field(1, &out)
}

/// An input or output of a graph.
fn value(place: u64, name: &str, kind: u64, sizes: &[u64]) -> Vec<u8> {
    let sizes: Vec<u8> = sizes.iter().flat_map(|size| field(1, &number(1, *size))).collect();
    let kind = field(1, &[number(1, kind), field(2, &sizes)].concat());
    field(place, &[field(1, name.as_bytes()), field(2, &kind)].concat())
}

fn model(parts: &[Vec<u8>]) -> Vec<u8> {
    let mut graph = parts.concat();
    graph.extend(field(2, b"g"));
    graph.extend(value(11, "input_ids", INT64, &[1, 3]));
    graph.extend(value(12, "sentence_embedding", FLOAT, &[1, 1]));
    [number(1, 8), field(7, &graph), field(8, &number(2, 13))].concat()
}

/// What becomes large, summed up so that what comes out is small.
fn summed(large: &[Vec<u8>]) -> Vec<u8> {
    model(&[large.concat(), node("ReduceSum", &["large"], "sentence_embedding", &[])])
}

/// Files that need more memory than a worker has.
fn large() -> [(&'static str, Vec<u8>); 4] {
    let filled = |sizes: &[i64]| {
        summed(&[shape("sizes", sizes), node("ConstantOfShape", &["sizes"], "large", &[])])
    };
    let expand = [
        float("one", 1.0),
        shape("sizes", &[60_000, 60_000]),
        node("Expand", &["one", "sizes"], "large", &[]),
    ];
    let range = [
        float("from", 0.0),
        float("to", 1e15),
        float("by", 1.0),
        node("Range", &["from", "to", "by"], "large", &[]),
    ];
    [
        ("ConstantOfShape in three dimensions", filled(&[200_000, 200_000, 3])),
        ("ConstantOfShape in one", filled(&[2_000_000_000])),
        ("Expand", summed(&expand)),
        ("Range", summed(&range)),
    ]
}

/// A file that computes for longer than anybody waits.
fn endless() -> Vec<u8> {
    let body = [
        node("Identity", &["go_on"], "goes_on", &[]),
        node("Add", &["sum", "one"], "next", &[]),
        field(2, b"body"),
        value(11, "turn", INT64, &[]),
        value(11, "go_on", BOOL, &[]),
        value(11, "sum", FLOAT, &[1, 1]),
        value(12, "goes_on", BOOL, &[]),
        value(12, "next", FLOAT, &[1, 1]),
    ];
    let body = [field(1, b"body"), field(6, &body.concat()), number(20, 5)].concat();
    model(&[
        tensor("turns", INT64, true, &[&(1_i64 << 62).to_le_bytes()]),
        tensor("go", BOOL, true, &[&[1]]),
        float("one", 1.0),
        shape("sizes", &[1, 1]),
        node("Expand", &["one", "sizes"], "first", &[]),
        node("Loop", &["turns", "go", "first"], "sentence_embedding", &[field(5, &body)]),
    ])
}

fn folder(model: &[u8]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let words = own("embedder").join("vocab.txt");
    std::fs::copy(words, folder.path().join("vocab.txt")).expect("copied");
    std::fs::write(folder.path().join("model.onnx"), model).expect("written");
    folder
}

fn own(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../semantics/tests/onnx").join(name)
}

fn worker(seconds: u64) -> Worker {
    let limits = WorkerLimits { time: Duration::from_secs(seconds), ..WorkerLimits::default() };
    Worker::new(env!("CARGO_BIN_EXE_rebuttal"), ["model-worker"]).limits(limits)
}

#[test]
fn a_model_in_a_worker_gives_what_it_gives_here() {
    let (here, there) = (
        OnnxEmbedder::open(&own("embedder"), 1).expect("opens"),
        IsolatedEmbedder::open(&own("embedder"), 1, &worker(60)).expect("opens"),
    );
    let texts = ["good", "not bad", "", "bad good badly"].repeat(40);
    assert_eq!(here.id(), there.id());
    assert_eq!(here.embed(&texts).expect("embeds"), there.embed(&texts).expect("embeds"));
}

#[test]
fn a_model_that_wants_all_memory_is_an_error() {
    for (what, bytes) in large() {
        let folder = folder(&bytes);
        // A busy machine may take long until it runs out of what it may have.
        let opened = IsolatedEmbedder::open(folder.path(), 1, &worker(240));
        let error = opened.expect_err(what).to_string();
        assert!(error.contains("cannot be run"), "{what}: {error}");
    }
}

#[test]
fn a_model_that_computes_for_ever_is_stopped() {
    let folder = folder(&endless());
    let error = IsolatedEmbedder::open(folder.path(), 1, &worker(1)).expect_err("is stopped");
    let error = error.to_string();
    assert!(error.contains("took longer than 1 s to compute"), "{error}");
}

#[test]
fn the_program_goes_on_by_rules() {
    for (what, bytes) in large() {
        let folder = folder(&bytes);
        let config = folder.path().join("rebuttal.toml");
        std::fs::write(&config, "[semantics]\nembeddings = { folder = \".\" }").expect("written");
        let mut command = rebuttal();
        command.args(["compare", "It is safe.", "It is not safe.", "--config"]).arg(&config);
        let run = Run::of(command.output().expect("starts"));
        assert_eq!(run.code, 0, "{what}: {}", run.shown());
        assert!(run.stdout.contains("rules say how alike texts are"), "{what}: {}", run.shown());
    }
}
