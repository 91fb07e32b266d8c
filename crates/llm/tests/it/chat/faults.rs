//! Every fault in every format: what comes of it, after how many requests, and no key in sight.

use std::io::Write;
use std::net::TcpStream;
use std::thread;
use std::time::{Duration, Instant};

use rebuttal_llm::{Chat, ChatEndpoint, Finish, Provider, Request, Usage};

use super::formats::{Ending, answer, knows};
use super::{KEY, ask, settings, with_key};
use crate::server::{Server, reply};

const HEAD: &str = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n";

/// What a call must come to.
#[derive(Clone, Copy, Debug)]
enum Outcome {
    /// A reply.
    Says,
    /// An error with these words, which may pass by itself.
    Passing(&'static str),
    /// An error with these words, which will not.
    Lasting(&'static str),
}
use Outcome::{Lasting, Passing, Says};

/// One cell in each format: what the server writes, how many requests it shall see, and the outcome.
fn cell(
    name: &str,
    requests: usize,
    outcome: Outcome,
    fault: impl Fn(usize, Provider, &mut TcpStream) + Send + Sync + Clone + 'static,
) {
    thread::scope(|scope| {
        for provider in Provider::ALL {
            let fault = fault.clone();
            scope.spawn(move || {
                let server = Server::new(move |n, _, stream| fault(n, provider, stream));
                let result = ask(&server, provider);
                let seen = server.requests().len();
                assert_eq!(seen, requests, "{name}, {provider:?}: {result:?}");
                let shown = format!("{result:?}");
                assert!(!shown.contains("sk-canar"), "{name}, {provider:?}: {shown}");
                let (words, transient, error) = match (outcome, result) {
                    (Says, Ok(reply)) => return assert_eq!(reply.text, "Yes."),
                    (Passing(words), Err(error)) => (words, true, error),
                    (Lasting(words), Err(error)) => (words, false, error),
                    (_, result) => panic!("{name}, {provider:?}: {result:?}"),
                };
                assert_eq!(error.is_transient(), transient, "{name}, {provider:?}: {error}");
                let error = error.to_string();
                let whom = format!("ann (http://{}", server.address);
                assert!(error.starts_with(&whom) && error.contains(words), "{name}: {error}");
                assert!(!error.contains("sk-canar"), "{name}, {provider:?}: {error}");
            });
        }
    });
}

/// A server that repeats the key in everything it says.
fn says(status: &'static str, headers: &'static str) -> impl Fn(&mut TcpStream) + Clone {
    move |stream| {
        let body = format!(r#"{{"error":{{"message":"no: {KEY}, {}***"}}}}"#, &KEY[..8]);
        reply(stream, status, headers, &body);
    }
}

fn good(provider: Provider, stream: &mut TcpStream) {
    reply(stream, "200 OK", "", &answer(provider, "Yes.", Ending::Stop).to_string());
}

/// One status again and again.
fn stays(status: &'static str, headers: &'static str, requests: usize, outcome: Outcome) {
    let says = says(status, headers);
    cell(status, requests, outcome, move |_, _, stream| says(stream));
}

/// One body, whatever the format.
fn body(name: &str, body: &'static [u8], words: &'static str) {
    cell(name, 1, Lasting(words), move |_, _, stream| {
        write!(stream, "{HEAD}Content-Length: {}\r\n\r\n", body.len()).ok();
        stream.write_all(body).ok();
    });
}

#[test]
fn refusals_are_final_and_say_what_to_check() {
    for (status, words) in [
        ("400 Bad Request", "answered 400 (no: (key), (key)); check the model's name"),
        ("401 Unauthorized", "answered 401 (no: (key), (key)); check the key"),
        ("403 Forbidden", "; check the key"),
        ("404 Not Found", "; check the address, its format and the model's name"),
        ("422 Unprocessable", "answered 422"),
        ("413 Content Too Large", "the request is longer than the model reads; shorten it"),
    ] {
        stays(status, "", 1, Lasting(words));
    }
}

#[test]
fn passing_faults_are_tried_again_and_named_when_they_stay() {
    for (status, words) in [
        ("408 Request Timeout", "answered 408 4 times in a row"),
        ("429 Too Many Requests", "it has too much to do: try again later"),
        ("500 Internal Server Error", "answered 500 4 times in a row (no: (key), (key))"),
        ("502 Bad Gateway", "the fault is the server's"),
        ("503 Service Unavailable", "answered 503 4 times"),
        ("529 Overloaded", "answered 529 4 times"),
    ] {
        stays(status, "", 4, Passing(words));
        let says = says(status, "");
        cell(
            status,
            3,
            Says,
            move |n, provider, stream| {
                if n < 2 { says(stream) } else { good(provider, stream) }
            },
        );
    }
    cell("502 in HTML", 4, Passing("answered 502 4 times in a row (<html>)"), |_, _, stream| {
        reply(stream, "502 Bad Gateway", "", "<html>");
    });
}

#[test]
fn a_server_is_waited_for_as_it_asks() {
    let asks = |headers: &'static str, wait: Duration| {
        let (says, start) = (says("429 Too Many Requests", headers), Instant::now());
        cell(headers, 2, Says, move |n, provider, stream| {
            if n == 0 {
                return says(stream);
            }
            assert!(start.elapsed() >= wait);
            good(provider, stream);
        });
        assert!(start.elapsed() >= wait, "{headers}");
    };
    asks("Retry-After: 1\r\n", Duration::from_secs(1));
    asks("retry-after-ms: 200\r\n", Duration::from_millis(200));
    let date =
        "Date: Sun, 15 Nov 2026 10:00:00 GMT\r\nRetry-After: Sun, 15 Nov 2026 10:00:01 GMT\r\n";
    asks(date, Duration::from_secs(1));
    let day = "Retry-After: 86400\r\n";
    stays("429 Too Many Requests", day, 1, Passing("asks to wait 86400 seconds; try again then"));
}

#[test]
fn waits_in_the_body_and_empty_purses_are_understood() {
    cell("RetryInfo", 2, Says, |n, provider, stream| {
        let body = r#"{"error":{"code":429,"message":"quota","details":[{"retryDelay":"0.2s"}]}}"#;
        if n == 0 {
            return reply(stream, "429 Too Many Requests", "", body);
        }
        good(provider, stream);
    });
    cell("no credit", 1, Lasting("the account has no credit left (pay)"), |_, _, stream| {
        let body = r#"{"error":{"message":"pay","code":"insufficient_quota"}}"#;
        reply(stream, "429 Too Many Requests", "", body);
    });
}

#[test]
fn broken_connections_are_tried_again() {
    let broke = Passing("the connection broke");
    cell("hangs up at once", 4, broke, |_, _, _| ());
    cell("cut body", 4, broke, |_, provider, stream| {
        let body = answer(provider, "Yes.", Ending::Stop).to_string();
        write!(stream, "{HEAD}Content-Length: {}\r\n\r\n{}", body.len(), &body[..40]).ok();
    });
    cell("cut chunks", 4, broke, |_, _, stream| {
        write!(stream, "{HEAD}Transfer-Encoding: chunked\r\n\r\n5\r\n{{\"cho").ok();
    });
    cell("cut body that heals", 2, Says, |n, provider, stream| {
        if n == 0 {
            write!(stream, "{HEAD}Content-Length: 500\r\n\r\n{{").ok();
            return;
        }
        good(provider, stream);
    });
}

#[test]
fn garbage_is_named_and_not_asked_for_again() {
    body("empty body", b"", "not what was asked for: EOF");
    body("HTML", b"<html>welcome</html>", "it begins \"<html>welcome</html>\"");
    body("half a document", b"{\"choices\": [", "EOF while parsing");
    body("not UTF-8", b"{\"choices\": \"\xff\xfe\"}", "not what was asked for");
    body("a lone surrogate", b"{\"choices\": \"\\ud800\"}", "not what was asked for");
    body("a huge number", b"{\"created\": 1e999}", "number out of range");
    body("gzip", b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03", "not what was asked for");
    body("an error with 200", br#"{"error":{"message":"quota exceeded"}}"#, "an error: quota");
    body("an error as text", br#"{"error":"quota exceeded"}"#, "an error: quota exceeded");
    for shape in [&b"{}"[..], b"[]", b"7", b"null", b"\"yes\"", br#"{"choices":{},"output":{}}"#] {
        body("wrong shape", shape, "not what was asked for: it has no ");
    }
    cell("the key in garbage", 1, Lasting("it begins \"(key)\""), |_, _, stream| {
        reply(stream, "200 OK", "", KEY);
    });
    cell("10,000 deep", 1, Lasting("recursion limit exceeded"), |_, _, stream| {
        reply(stream, "200 OK", "", &"[".repeat(10_000));
    });
}

#[test]
fn choices_without_a_choice_are_errors() {
    for (provider, empty, words) in [
        (Provider::OpenAi, r#"{"choices":[]}"#, "it has no choice"),
        (Provider::OpenAi, r#"{"choices":[{}]}"#, "its choice has no message"),
        (Provider::OpenAi, r#"{"choices":[{"message":{}}]}"#, "the reply is empty"),
        (
            Provider::OpenAi,
            r#"{"choices":[{"message":{"content":null,"tool_calls":[{}]},
            "finish_reason":"tool_calls"}]}"#,
            "it asks for a tool",
        ),
        (
            Provider::OpenAi,
            r#"{"choices":[{"message":{"content":"Ye"},"finish_reason":"error",
            "error":{"message":"upstream"}}]}"#,
            "the server broke off (upstream)",
        ),
        (Provider::OpenAiResponses, r#"{"output":[]}"#, "the reply is empty"),
        (
            Provider::OpenAiResponses,
            r#"{"status":"failed","error":{"message":"oops"},
            "output":[]}"#,
            "the server broke off (oops)",
        ),
        (
            Provider::OpenAiResponses,
            r#"{"status":"in_progress","output":[]}"#,
            "broke off (in_progress)",
        ),
        (Provider::Anthropic, r#"{"content":[]}"#, "the reply is empty"),
        (Provider::Anthropic, r#"{"content":[],"stop_reason":"tool_use"}"#, "asks for a tool"),
        (
            Provider::Anthropic,
            r#"{"content":[{"type":"text","text":"Ye"}],
            "stop_reason":"pause_turn"}"#,
            "broke off (it paused)",
        ),
        (Provider::Gemini, r#"{"candidates":[]}"#, "it has no candidate"),
        (Provider::Gemini, r#"{"candidates":[{"finishReason":"STOP"}]}"#, "the reply is empty"),
        (
            Provider::Gemini,
            r#"{"candidates":[{"finishReason":"MALFORMED_FUNCTION_CALL"}]}"#,
            "the server broke off (MALFORMED",
        ),
        (
            Provider::Gemini,
            r#"{"promptFeedback":{"blockReason":"PROHIBITED_CONTENT"}}"#,
            "a content filter stepped in (the request: PROHIBITED_CONTENT)",
        ),
        (Provider::Ollama, r#"{"message":{}}"#, "the reply is empty"),
        (
            Provider::Ollama,
            r#"{"message":{"content":"Ye"},"done":false}"#,
            "broke off (it is not done)",
        ),
    ] {
        let server = Server::new(move |_, _, stream| reply(stream, "200 OK", "", empty));
        let error = ask(&server, provider).unwrap_err();
        assert!(error.to_string().contains(words), "{empty}: {error}");
        assert_eq!(error.is_transient(), words.contains("broke off"), "{empty}: {error}");
        assert_eq!(server.requests().len(), 1);
    }
}

#[test]
fn half_replies_are_errors() {
    let cut = Lasting("the reply was cut off before its end, at most 8192 tokens; raise");
    let ends = |ending, outcome, text: &'static str| {
        for provider in Provider::ALL.into_iter().filter(|provider| knows(*provider, ending)) {
            let server = Server::new(move |_, _, stream| {
                reply(stream, "200 OK", "", &answer(provider, text, ending).to_string());
            });
            let (Passing(words) | Lasting(words)) = outcome else { panic!("an error") };
            let error = ask(&server, provider).unwrap_err();
            assert!(error.to_string().contains(words), "{provider:?}: {error}");
            assert_eq!(error.is_cut_short(), ending == Ending::Length);
            assert_eq!(error.is_refusal(), matches!(ending, Ending::Filtered | Ending::Declined));
            assert_eq!(server.requests().len(), 1);
        }
    };
    ends(Ending::Length, cut, "Half an ans");
    ends(Ending::Length, cut, "");
    ends(Ending::Filtered, Lasting("a content filter stepped in"), "Half");
    ends(
        Ending::Declined,
        Lasting("declined to answer (I would rather not.)"),
        "I would rather not.",
    );
    ends(Ending::Stop, Lasting("the reply is empty; ask again"), " \n ");
    ends(Ending::Unsaid, Lasting("the reply is empty; ask again"), "");
    ends(Ending::New, Lasting("the reply is empty ("), "");
}

#[test]
fn what_servers_leave_out_or_invent_does_no_harm() {
    for provider in Provider::ALL {
        let told = |ending, change: &'static (dyn Fn(&mut serde_json::Value) + Sync)| {
            let server = Server::new(move |_, _, stream| {
                let mut body = answer(provider, "Yes.", ending);
                change(&mut body);
                reply(stream, "200 OK", "", &body.to_string());
            });
            ask(&server, provider).unwrap()
        };
        assert_eq!(told(Ending::Unsaid, &|_| ()).finish, Finish::Unsaid, "{provider:?}");
        if knows(provider, Ending::New) {
            let Finish::Other(reason) = told(Ending::New, &|_| ()).finish else { panic!() };
            assert_eq!(reason.to_lowercase(), "brand_new");
        }
        let broken = told(Ending::Stop, &|body| {
            for usage in ["usage", "usageMetadata", "prompt_eval_count", "eval_count"] {
                body[usage] = serde_json::json!(-5);
            }
            body["brand_new"] = serde_json::json!([{}]);
        });
        assert_eq!(broken.usage, Usage::default(), "{provider:?}");
    }
}

#[test]
fn endless_answers_are_cut_off() {
    let oversize = Lasting("the answer is longer than 4194304 bytes");
    cell("huge body", 1, oversize, |_, _, stream| {
        write!(stream, "{HEAD}Content-Length: 104857600\r\n\r\n{{\"choices\":[").ok();
        let filler = vec![b' '; 1 << 20];
        while stream.write_all(&filler).is_ok() {}
    });
}

#[test]
fn silence_and_trickles_end_in_time() {
    let silence = |_: &mut TcpStream| thread::sleep(Duration::from_secs(30));
    let trickle = |stream: &mut TcpStream| {
        write!(stream, "{HEAD}Content-Length: 500\r\n\r\n").ok();
        while stream.write_all(b" ").and_then(|()| stream.flush()).is_ok() {
            thread::sleep(Duration::from_millis(50));
        }
    };
    for fault in [silence as fn(&mut TcpStream), trickle] {
        for provider in Provider::ALL {
            let server = Server::new(move |_, _, stream| fault(stream));
            let mut settings = settings(&server, provider);
            settings.timeouts.total = Duration::from_millis(200);
            let start = Instant::now();
            let error = with_key(settings).reply(&Request::new("?")).unwrap_err();
            assert!(
                error.to_string().contains("no complete answer in 200ms; send less"),
                "{error}"
            );
            assert!(error.is_transient() && start.elapsed() < Duration::from_secs(5));
            // On a busy machine the server may not have read it in that time.
            assert!(server.requests().len() <= 1);
        }
    }
}

#[test]
fn redirects_are_not_followed() {
    let other = Server::new(|_, _, stream| good(Provider::OpenAi, stream));
    let location = format!("Location: http://{}/x?key={KEY}\r\n", other.address).leak();
    stays("307 Temporary Redirect", location, 1, Lasting("which is not followed: a key must not"));
    assert!(other.requests().is_empty());
}

#[test]
fn nobody_there_is_said_at_once() {
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    for provider in Provider::ALL {
        let server = Server::new(|_, _, _| ());
        let mut settings = settings(&server, provider);
        settings.address = format!("http://{free}").parse().unwrap();
        let error = ChatEndpoint::new(settings).unwrap().reply(&Request::new("?")).unwrap_err();
        assert!(error.to_string().contains("is the server running"), "{error}");
        assert!(error.is_transient());
    }
}
