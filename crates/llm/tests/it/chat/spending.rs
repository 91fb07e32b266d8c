//! What failed, truncated and repeated calls cost, as the provider reports it.

use rebuttal_llm::{Ceiling, Chat, ChatEndpoint, LlmError, Provider, Reply, Request, Usage};
use serde_json::{Value, json};

use super::formats::{Ending, answer, knows};
use super::streams::run;
use super::wire::{Close, closes, content_type, error, stream};
use super::{ask, settings};
use crate::server::{Server, reply};

/// Tokens as every format of these tests counts them.
const COUNTED: Usage = Usage { input: Some(19), output: Some(10) };

/// A server that sends this for a stream.
fn streaming(provider: Provider, text: String) -> Server {
    Server::new(move |_, _, wire| {
        let kind = format!("Content-Type: {}\r\n", content_type(provider));
        reply(wire, "200 OK", &kind, &text);
    })
}

fn streamed(server: &Server, provider: Provider) -> Result<Reply, LlmError> {
    let agent = ChatEndpoint::new(settings(server, provider)).unwrap();
    run(agent.stream(&Request::new("Is it so?"), &|_| ()))
}

#[test]
fn a_reply_of_eighteen_thousand_tokens_that_is_cut_off_costs_eighteen_thousand() {
    let server = Server::new(|_, _, wire| {
        let mut body = answer(Provider::OpenAi, "It is", Ending::Length);
        body["usage"] = json!({"prompt_tokens": 400, "completion_tokens": 18_000});
        reply(wire, "200 OK", "", &body.to_string());
    });
    let error = ask(&server, Provider::OpenAi).unwrap_err();
    assert!(error.is_cut_short());
    assert_eq!(error.usage(), Usage { input: Some(400), output: Some(18_000) });
    assert_eq!((error.requests(), error.may_have_cost()), (1, true));
}

#[test]
fn every_end_that_is_no_reply_says_what_it_cost() {
    for provider in Provider::ALL {
        for ending in [Ending::Length, Ending::Filtered, Ending::Declined] {
            if knows(provider, ending) {
                let server = Server::new(move |_, _, wire| {
                    reply(wire, "200 OK", "", &answer(provider, "No.", ending).to_string());
                });
                let error = ask(&server, provider).unwrap_err();
                assert_eq!(error.usage(), COUNTED, "{provider:?} {ending:?}");
            }
        }
        for close in [Close::Length, Close::Filtered, Close::Declined, Close::Tools] {
            if closes(provider, close) {
                let server = streaming(provider, stream(provider, &["No."], close).all());
                let error = streamed(&server, provider).unwrap_err();
                assert_eq!(error.usage(), COUNTED, "{provider:?} {close:?}");
            }
        }
    }
}

#[test]
fn an_answer_nobody_understands_is_paid_for_all_the_same() {
    let body = json!({"choices": null, "usage": {"prompt_tokens": 5, "completion_tokens": 6}});
    let counted = Usage { input: Some(5), output: Some(6) };
    let text = body.to_string();
    let server = Server::new(move |_, _, wire| reply(wire, "200 OK", "", &text));
    assert_eq!(ask(&server, Provider::OpenAi).unwrap_err().usage(), counted);
    assert_eq!(streamed(&server, Provider::OpenAi).unwrap_err().usage(), counted);
}

#[test]
fn a_stream_that_breaks_off_costs_what_was_counted_before() {
    let text = stream(Provider::Anthropic, &["Yes, "], Close::Stop).open();
    let broken = text.clone() + &error(Provider::Anthropic, "overloaded");
    for text in [text, broken] {
        let error = streamed(&streaming(Provider::Anthropic, text), Provider::Anthropic);
        let usage = error.unwrap_err().usage();
        assert_eq!(usage.input, Some(19));
    }
}

/// Breaks after the head of a stream, as often as told, and then answers.
fn shaky(times: usize) -> Server {
    let good = stream(Provider::Anthropic, &["Yes."], Close::Stop);
    let (head, all) = (good.head.concat(), good.all());
    Server::new(move |n, _, wire| {
        reply(wire, "200 OK", "", if n < times { &head } else { &all });
    })
}

#[test]
fn repeats_are_counted_as_requests_and_add_up() {
    let whole = streamed(&shaky(0), Provider::Anthropic).unwrap();
    assert_eq!((whole.requests, whole.usage), (1, COUNTED));
    let repeated = streamed(&shaky(2), Provider::Anthropic).unwrap();
    assert_eq!((repeated.requests, repeated.usage.input), (3, Some(3 * 19)));
    let failed = streamed(&shaky(9), Provider::Anthropic).unwrap_err();
    assert_eq!((failed.requests(), failed.usage().input), (4, Some(4 * 19)));
    let server = Server::new(|_, _, wire| reply(wire, "503 Service Unavailable", "", "{}"));
    let failed = ask(&server, Provider::OpenAi).unwrap_err();
    assert_eq!((failed.requests(), failed.usage()), (4, Usage::default()));
    assert!(!failed.may_have_cost());
}

#[test]
fn a_budget_for_one_request_pays_for_one() {
    let (server, request) = (shaky(1), Request::new("Is it so?"));
    let request = Request { paid_requests_max: Some(1), ..request };
    let agent = ChatEndpoint::new(settings(&server, Provider::Anthropic)).unwrap();
    let failed = run(agent.stream(&request, &|_| ())).unwrap_err();
    assert_eq!((failed.requests(), server.requests().len()), (1, 1));
    assert!(
        failed.usage().input.unwrap() <= Ceiling::of(&request, agent.max_tokens(), None).tokens()
    );
}

#[test]
fn what_a_cache_holds_is_counted_too() {
    let server = Server::new(|_, _, wire| {
        let mut body: Value = answer(Provider::Anthropic, "Yes.", Ending::Stop);
        body["usage"] = json!({
            "input_tokens": 3, "cache_creation_input_tokens": 40, "cache_read_input_tokens": 500,
            "output_tokens": 7,
        });
        reply(wire, "200 OK", "", &body.to_string());
    });
    let usage = ask(&server, Provider::Anthropic).unwrap().usage;
    assert_eq!(usage, Usage { input: Some(543), output: Some(7) });
}
