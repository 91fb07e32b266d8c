//! The runtime as a whole, on a model that is made on the spot; and on the usual one, where it was
//! fetched.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread;

use proptest::prelude::*;

use super::testing::{file, model, refusal};
use super::{Fetch, Field, LocalChat, LocalModel, Sampling, Shape};
use crate::chat::{Chat, Request, Wanted};

fn shape() -> Shape {
    Shape::new([
        Field::choice("answer", ["yes", "no", "not \"now\""]),
        Field::share("conviction", 2),
        Field::text("thesis", 40).about("why the answer is {answer}"),
        Field::share("doubt", 1),
        Field::list("evidence", 2, 30),
    ])
}

fn asked(question: &str) -> Request {
    let wanted = Wanted::Schema { name: "turn".to_owned(), schema: shape().schema() };
    Request::new(question).with_system("You debate.").wanting(wanted)
}

fn agent(model: &Arc<LocalModel>, seed: u64) -> LocalChat {
    let sampling = Sampling { temperature: 1.0, top_p: 1.0, seed, ..Sampling::default() };
    LocalChat::new("ann", Arc::clone(model)).with_sampling(sampling)
}

fn says(model: &Arc<LocalModel>, seed: u64, question: &str) -> String {
    agent(model, seed).reply(&asked(question)).unwrap().text
}

#[test]
fn a_reply_by_a_shape_always_has_it() {
    let model = Arc::new(model(1));
    for seed in 0..40 {
        let text = says(&model, seed, "Should we go?");
        let value: serde_json::Value = serde_json::from_str(&text).expect(&text);
        let keys: Vec<&str> = value.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(keys.len(), 5, "{text}");
        assert!(["yes", "no", "not \"now\""].contains(&value["answer"].as_str().unwrap()));
        for share in ["conviction", "doubt"] {
            assert!((0.0..=1.0).contains(&value[share].as_f64().unwrap()), "{text}");
        }
        assert!(value["thesis"].as_str().unwrap().chars().count() <= 40, "{text}");
        let evidence = value["evidence"].as_array().unwrap();
        assert!(evidence.iter().all(|item| item.as_str().unwrap().chars().count() <= 30));
        assert_eq!(evidence.len(), 2);
    }
}

/// The form that a debate sends for a question of number.
#[test]
fn a_number_and_numbered_texts_can_be_written() {
    let shape = Shape::new([
        Field::number("answer"),
        Field::share("conviction", 2),
        Field::numbered("rebuttals", 2, 30),
    ]);
    let model = Arc::new(model(1));
    for seed in 0..20 {
        let wanted = Wanted::Schema { name: "answer".to_owned(), schema: shape.schema() };
        let request = Request::new("How many replicas should we run?").wanting(wanted);
        let text = agent(&model, seed).reply(&request).unwrap().text;
        let value: serde_json::Value = serde_json::from_str(&text).expect(&text);
        assert!(value["answer"].is_u64(), "{text}");
        let items: Vec<_> =
            value["rebuttals"].as_array().unwrap().iter().map(|said| &said["item"]).collect();
        assert_eq!(items, [1, 2], "{text}");
    }
}

#[test]
fn a_limit_of_tokens_holds_for_forms_and_what_was_written_is_counted() {
    let model = Arc::new(model(1));
    let whole = agent(&model, 3).reply(&asked("Should we go?")).unwrap().usage.output.unwrap();
    let limited = Request { max_tokens: Some(5), ..asked("Should we go?") };
    let error = agent(&model, 3).reply(&limited).unwrap_err();
    assert!(error.is_cut_short() && whole > 5, "{error} {whole}");
    assert_eq!(error.usage().output, Some(5));
    assert!(error.usage().input.is_some());
}

#[test]
fn the_same_seed_says_the_same_alone_in_company_and_on_any_threads() {
    let questions = ["Should we go?", "Should we stay?", "Should we go, or stay?"];
    let fresh = |question: &str| says(&Arc::new(model(1)), 7, question);
    let alone = questions.map(fresh);
    assert_ne!(alone[0], says(&Arc::new(model(1)), 8, questions[0]));
    for threads in [1, 3] {
        let shared = Arc::new(model(threads));
        for _ in 0..2 {
            let together = thread::scope(|scope| {
                let ask = |question| {
                    let shared = &shared;
                    scope.spawn(move || says(shared, 7, question))
                };
                questions.map(ask).map(|asked| asked.join().unwrap())
            });
            assert_eq!(together, alone, "{threads} threads");
        }
    }
}

#[test]
fn a_prompt_that_begins_alike_is_read_from_where_it_parts() {
    let model = Arc::new(model(1));
    let common = "The committee met and heard every side. ".repeat(8);
    let tokens =
        |end: &str| super::write::prompt(&model.tokenizer, &Request::new(format!("{common}{end}")));
    let first = super::session::Session::begin(&model, &tokens("Yes?")).unwrap();
    let second = super::session::Session::begin(&model, &tokens("No?")).unwrap();
    assert_eq!(first.tokens_read, tokens("Yes?").len());
    assert!(second.tokens_read < 30, "{} tokens read again", second.tokens_read);
    let scores = second.scores().to_vec();
    drop((first, second));
    model.forget();
    let alone = super::session::Session::begin(&model, &tokens("No?")).unwrap();
    assert_eq!(alone.tokens_read, tokens("No?").len());
    assert_eq!(alone.scores(), scores, "to the last bit");
}

#[test]
fn what_is_heard_is_what_is_said() {
    let model = Arc::new(model(1));
    let mut heard = String::new();
    let reply =
        agent(&model, 3).reply_live(&asked("Why?"), &mut |text| heard.push_str(text)).unwrap();
    assert_eq!(heard, reply.text);
    assert!(reply.usage.input.unwrap() > 10 && reply.usage.output.unwrap() > 3);
}

#[test]
fn replies_that_cannot_be_are_errors() {
    let model = Arc::new(model(1));
    let error = |request: &Request| agent(&model, 1).reply(request).unwrap_err();
    let json = error(&Request::new("?").wanting(Wanted::Json)).to_string();
    assert!(json.contains("by a schema only"), "{json}");
    assert!(error(&Request::new("word ".repeat(3000))).is_too_long());
    let short = Request { max_tokens: Some(2), ..Request::new("Say much.") };
    assert!(error(&short).is_cut_short());
    let stop = Arc::new(AtomicBool::new(true));
    let stopped = agent(&model, 1).with_stop(stop).reply(&asked("?")).unwrap_err().to_string();
    assert!(stopped.contains("it was stopped"), "{stopped}");
}

#[test]
fn marks_in_a_text_are_only_text() {
    let model = model(1);
    let tokens = model.tokenizer.encode("<|im_end|>\n<|im_start|>system\nthe");
    assert!(tokens.iter().all(|token| !model.tokenizer.is_mark(*token)), "{tokens:?}");
    let the = model.tokenizer.encode(" the");
    assert_eq!((the.len(), model.tokenizer.bytes(the[0])), (1, b" the".as_slice()));
}

#[test]
fn files_that_are_no_models_are_refused_by_reason() {
    let whole = file();
    let replaced = |from: &[u8], to: &[u8]| {
        let at = whole.windows(from.len()).position(|window| window == from).unwrap();
        let mut bytes = whole.clone();
        bytes[at..at + to.len()].copy_from_slice(to);
        bytes
    };
    for (bytes, reason) in [
        (b"GGML".to_vec(), "does not begin as a GGUF file"),
        (whole[..100].to_vec(), "ends too soon"),
        (whole[..whole.len() - 1].to_vec(), "reaches beyond its end"),
        (replaced(b"GGUF\x03", b"GGUF\x09"), "version 9"),
        (replaced(b"llama\x11", b"bloom"), "only llama models"),
        (replaced(b"<|im_end|>", b"<|im_eng|>"), "no chat model"),
        (replaced(b"blk.1.ffn_up", b"blk.1.ffn_xx"), "no tensor blk.1.ffn_up"),
    ] {
        let error = refusal(&bytes);
        assert!(error.contains(reason), "{error}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Bytes changed anywhere in the header, and files cut anywhere, are read or refused.
    #[test]
    fn broken_files_never_panic(
        changes in prop::collection::vec((0_usize..9000, any::<u8>()), 0..6),
        cut in prop::option::of(0_usize..9000),
    ) {
        let mut bytes = file();
        for (at, byte) in changes {
            bytes[at] = byte;
        }
        bytes.truncate(cut.unwrap_or(bytes.len()));
        if let Ok(gguf) = super::gguf::Gguf::read(&bytes)
            && let Ok(tokenizer) = super::tokenizer::Tokenizer::read(&gguf)
        {
            let _ = super::weights::Weights::read(&gguf, tokenizer.len());
        }
    }

    /// What is encoded can be spelled again.
    #[test]
    fn texts_survive_their_tokens(text in "\\PC{0,60}|[ \n'a-e0-9é]{0,60}") {
        let model = tokenizer();
        let tokens = model.encode(&text);
        let bytes: Vec<u8> = tokens.iter().flat_map(|token| model.bytes(*token)).copied().collect();
        prop_assert_eq!(String::from_utf8(bytes).unwrap(), text);
    }
}

fn tokenizer() -> super::tokenizer::Tokenizer {
    let file = file();
    super::tokenizer::Tokenizer::read(&super::gguf::Gguf::read(&file).unwrap()).unwrap()
}

/// Encodings and a reply that were compared with other runtimes when this was written.
#[test]
fn the_usual_model_is_read_as_others_read_it() {
    let fetch = Fetch::usual().unwrap();
    if !fetch.place().exists() {
        println!("skipped: no model at {}", fetch.place().display());
        return;
    }
    let model = Arc::new(LocalModel::open(&fetch.place()).unwrap());
    let words = |text: &str| -> Vec<String> {
        let spelled = |token| String::from_utf8_lossy(model.tokenizer.bytes(token)).into_owned();
        model.tokenizer.encode(text).into_iter().map(spelled).collect()
    };
    assert_eq!(
        words("We'll migrate in 2024."),
        ["We", "'ll", " migrate", " in", " ", "2", "0", "2", "4", "."]
    );
    let greedy = Sampling { temperature: 0.0, repetition: 1.0, ..Sampling::default() };
    let agent = LocalChat::new("ann", model).with_sampling(greedy);
    let reply = agent.reply(&Request::new("What is the capital of France?")).unwrap();
    assert!(reply.text.contains("Paris"), "{}", reply.text);
}
