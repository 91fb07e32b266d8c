//! A server that behaves: what goes over the wire, and what comes back.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rebuttal_llm::{
    Chat, ChatEndpoint, ChatSettings, Message, PlainHttp, Provider, Reply, Request, Usage, Wanted,
};
use serde_json::{Value, json};

use super::formats::{Ending, answer};
use super::{KEY, ask, settings, with_key};
use crate::server::{Server, reply};

fn good(provider: Provider) -> Server {
    Server::new(move |_, _, stream| {
        reply(stream, "200 OK", "", &answer(provider, "Yes.", Ending::Stop).to_string());
    })
}

/// A request that uses everything.
fn rich(wanted: Wanted) -> Request {
    Request {
        system: "Be brief.".to_owned(),
        messages: vec![Message::user("Is it so?"), Message::model("No."), Message::user("Sure?")],
        wanted,
        max_tokens: Some(50),
        temperature: Some(0.5),
        ..Request::default()
    }
}

/// The path and the body that a request makes.
fn sent(provider: Provider, request: &Request) -> (String, Value) {
    let server = good(provider);
    ChatEndpoint::new(settings(&server, provider)).unwrap().reply(request).unwrap();
    let seen = server.requests().remove(0);
    let path = seen.head.split(' ').nth(1).unwrap().to_owned();
    (path, seen.body)
}

#[test]
fn every_format_answers() {
    for provider in Provider::ALL {
        let usage = Usage { input: Some(19), output: Some(10) };
        let expected = Reply::new("Yes.").with_usage(usage);
        assert_eq!(ask(&good(provider), provider).unwrap(), expected, "{provider:?}");
        assert_eq!(provider.name().parse::<Provider>().unwrap(), provider);
    }
    let error = "grpc".parse::<Provider>().unwrap_err().to_string();
    assert!(error.contains("there is no \"grpc\"; known: openai, openai-responses"), "{error}");
}

#[test]
fn openai_is_spoken() {
    let (path, body) = sent(Provider::OpenAi, &rich(Wanted::Json));
    assert_eq!(path, "/chat/completions");
    let messages = json!([
        {"role": "system", "content": "Be brief."}, {"role": "user", "content": "Is it so?"},
        {"role": "assistant", "content": "No."}, {"role": "user", "content": "Sure?"},
    ]);
    let expected = json!({
        "model": "m-1", "messages": messages, "max_tokens": 50, "temperature": 0.5,
        "response_format": {"type": "json_object"},
    });
    assert_eq!(body, expected);
    let (_, body) = sent(Provider::OpenAi, &rich(schema()));
    let strict = json!({"name": "ruling", "schema": closed(), "strict": true});
    assert_eq!(body["response_format"], json!({"type": "json_schema", "json_schema": strict}));
}

#[test]
fn openai_responses_are_spoken() {
    let (path, body) = sent(Provider::OpenAiResponses, &rich(schema()));
    assert_eq!(path, "/responses");
    let input = json!([
        {"role": "user", "content": "Is it so?"}, {"role": "assistant", "content": "No."},
        {"role": "user", "content": "Sure?"},
    ]);
    let format = json!({
        "type": "json_schema", "name": "ruling", "schema": closed(), "strict": true
    });
    let expected = json!({
        "model": "m-1", "instructions": "Be brief.", "input": input, "max_output_tokens": 50,
        "temperature": 0.5, "store": false, "text": {"format": format},
    });
    assert_eq!(body, expected);
}

#[test]
fn anthropic_is_spoken() {
    let (path, body) = sent(Provider::Anthropic, &rich(schema()));
    assert_eq!(path, "/v1/messages");
    let messages = json!([
        {"role": "user", "content": "Is it so?"}, {"role": "assistant", "content": "No."},
        {"role": "user", "content": "Sure?"},
    ]);
    let expected = json!({
        "model": "m-1", "system": "Be brief.", "messages": messages, "max_tokens": 50,
        "temperature": 0.5,
        "output_config": {"format": {"type": "json_schema", "schema": closed()}},
    });
    assert_eq!(body, expected);
    let (_, body) = sent(Provider::Anthropic, &rich(Wanted::Json));
    assert!(body.get("output_config").is_none());
}

#[test]
fn gemini_is_spoken() {
    let (path, body) = sent(Provider::Gemini, &rich(schema()));
    assert_eq!(path, "/v1beta/models/m-1:generateContent");
    let contents = json!([
        {"role": "user", "parts": [{"text": "Is it so?"}]},
        {"role": "model", "parts": [{"text": "No."}]},
        {"role": "user", "parts": [{"text": "Sure?"}]},
    ]);
    let config = json!({
        "maxOutputTokens": 50, "temperature": 0.5, "responseMimeType": "application/json",
        "responseJsonSchema": closed(),
    });
    let expected = json!({
        "systemInstruction": {"parts": [{"text": "Be brief."}]}, "contents": contents,
        "generationConfig": config,
    });
    assert_eq!(body, expected);
}

#[test]
fn ollama_is_spoken() {
    let (path, body) = sent(Provider::Ollama, &rich(Wanted::Json));
    assert_eq!(path, "/api/chat");
    assert_eq!((&body["stream"], &body["truncate"]), (&json!(false), &json!(false)));
    assert_eq!(body["format"], "json");
    assert_eq!(body["options"], json!({"num_predict": 50, "temperature": 0.5}));
    assert_eq!(body["messages"][0], json!({"role": "system", "content": "Be brief."}));
    assert_eq!(sent(Provider::Ollama, &rich(schema())).1["format"], closed());
}

/// An object without fields, as it is sent.
fn closed() -> Value {
    json!({"type": "object", "properties": {}, "required": [], "additionalProperties": false})
}

fn schema() -> Wanted {
    Wanted::Schema { name: "ruling".to_owned(), schema: json!({"type": "object"}) }
}

#[test]
fn what_is_not_asked_for_is_left_out() {
    for provider in Provider::ALL {
        let (_, body) = sent(provider, &Request::new("Is it so?"));
        let text = body.to_string();
        for absent in ["temperature", "system", "instructions", "format", "responseMimeType"] {
            assert!(!text.contains(absent), "{provider:?}: {text}");
        }
        assert!(text.contains("8192"), "{provider:?}: {text}");
    }
}

#[test]
fn a_key_goes_where_each_format_wants_it() {
    for (provider, header) in [
        (Provider::OpenAi, format!("authorization: bearer {KEY}")),
        (Provider::OpenAiResponses, format!("authorization: bearer {KEY}")),
        (Provider::Anthropic, format!("x-api-key: {KEY}")),
        (Provider::Gemini, format!("x-goog-api-key: {KEY}")),
        (Provider::Ollama, format!("authorization: bearer {KEY}")),
    ] {
        let server = good(provider);
        let endpoint = with_key(settings(&server, provider));
        endpoint.reply(&Request::new("?")).unwrap();
        let head = server.requests()[0].head.to_lowercase();
        assert_eq!(head.matches(KEY).count(), 1, "{head}");
        assert!(head.contains(&format!("\r\n{header}\r\n")), "{head}");
        assert_eq!(head.contains("anthropic-version: 2023-06-01"), provider == Provider::Anthropic);
        assert!(!format!("{endpoint:?} {endpoint:#?}").contains("canary"));
    }
}

#[test]
fn calls_of_several_threads_run_side_by_side() {
    static UNDER_WAY: AtomicUsize = AtomicUsize::new(0);
    static MOST: AtomicUsize = AtomicUsize::new(0);
    let server = Server::new(|_, request, stream| {
        MOST.fetch_max(UNDER_WAY.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
        thread::sleep(Duration::from_millis(300));
        UNDER_WAY.fetch_sub(1, Ordering::SeqCst);
        let asked = request.body["messages"][0]["content"].as_str().unwrap();
        let body = answer(Provider::OpenAi, asked, Ending::Stop).to_string();
        reply(stream, "200 OK", "", &body);
    });
    let endpoint = ChatEndpoint::new(settings(&server, Provider::OpenAi)).unwrap();
    let start = Instant::now();
    thread::scope(|scope| {
        for n in 0..8 {
            let endpoint: &dyn Chat = &endpoint;
            scope.spawn(move || {
                let question = format!("question {n}");
                let reply = endpoint.reply(&Request::new(question.as_str())).unwrap();
                assert_eq!(reply.text, question);
            });
        }
    });
    assert_eq!(MOST.load(Ordering::SeqCst), 8);
    assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
}

#[test]
fn works_and_drops_inside_an_async_runtime() {
    let server = good(Provider::Ollama);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let endpoint = ChatEndpoint::new(settings(&server, Provider::Ollama)).unwrap();
        assert_eq!(endpoint.reply(&Request::new("?")).unwrap().text, "Yes.");
        drop(endpoint);
    });
}

#[test]
fn wrong_settings_are_refused_before_anything_is_sent() {
    let refused = |change: &dyn Fn(&mut ChatSettings)| {
        let address = "http://models.example.com/v1".parse().unwrap();
        let mut settings = ChatSettings::new("ann", Provider::Gemini, address, "m");
        change(&mut settings);
        ChatEndpoint::new(settings).unwrap_err().to_string()
    };
    for model in ["", " ", "../../files", "m?key=x", "m#x", "a b", "..", "m\n"] {
        let error = refused(&|settings| settings.model = model.to_owned());
        assert!(error.starts_with("ann (http://") && error.contains("`model` is not"), "{error}");
    }
    assert!(refused(&|settings| settings.max_tokens = 0).contains("`max_tokens` must be above 0"));
    for wrong in [-0.1, 2.1, f64::NAN, f64::INFINITY] {
        let error = refused(&|settings| settings.temperature = Some(wrong));
        assert!(error.contains("`temperature` must be within 0 and 2"), "{error}");
    }
    let key = |settings: &mut ChatSettings| settings.key = Some("env:K".parse().unwrap());
    assert!(refused(&key).contains("would travel unencrypted"));
    let allowed = refused(&|settings| {
        key(settings);
        settings.plain_http = PlainHttp::Anywhere;
    });
    assert_eq!(allowed, "env:K: this environment variable is not set");
}
