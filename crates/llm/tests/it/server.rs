//! A server that reads real requests and writes whatever bytes a test wants.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use rebuttal_llm::{Api, EmbeddingsEndpoint, Retries, Settings, Timeouts};
use serde_json::{Value, json};

/// A request as it came over the wire.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    pub(crate) head: String,
    pub(crate) body: Value,
    pub(crate) at: Instant,
}

impl Request {
    /// The texts to embed.
    pub(crate) fn texts(&self) -> Vec<String> {
        serde_json::from_value(self.body["input"].clone()).expect("texts")
    }
}

/// Writes the answer to the request that came as number `n`, counted from 0.
type Answer = dyn Fn(usize, &Request, &mut TcpStream) + Send + Sync;

pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    requests: Arc<Mutex<Vec<Request>>>,
}

impl Server {
    pub(crate) fn new(
        answer: impl Fn(usize, &Request, &mut TcpStream) + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("bound");
        let requests = Arc::new(Mutex::new(Vec::new()));
        let (answer, seen): (Arc<Answer>, _) = (Arc::new(answer), Arc::clone(&requests));
        // Ends with the test's process: a test that fails must not wait for it.
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (answer, seen) = (Arc::clone(&answer), Arc::clone(&seen));
                thread::spawn(move || serve(stream, &seen, &*answer));
            }
        });
        Self { address, requests }
    }

    /// Every request so far.
    pub(crate) fn requests(&self) -> Vec<Request> {
        self.requests.lock().expect("no panic").clone()
    }

    pub(crate) fn base(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// Settings with waits short enough for a test.
    pub(crate) fn settings(&self, api: Api) -> Settings {
        let mut settings = Settings::new(self.base().parse().expect("an address"), api, "m");
        settings.retries = Retries {
            first_wait: Duration::from_millis(10),
            longest_wait: Duration::from_millis(20),
            ..Retries::default()
        };
        settings.timeouts = Timeouts { total: Duration::from_secs(20), ..Timeouts::default() };
        settings
    }

    pub(crate) fn endpoint(&self, api: Api) -> EmbeddingsEndpoint {
        EmbeddingsEndpoint::new(self.settings(api)).expect("sets up")
    }

    /// What a call to a misbehaving server ends with.
    pub(crate) fn error(&self) -> String {
        let error = self.endpoint(Api::OpenAi).vectors(&["a", "b"]).expect_err("misbehaves");
        assert!(error.to_string().starts_with(&format!("{}/embeddings: ", self.base())), "{error}");
        error.to_string()
    }
}

fn serve(mut stream: TcpStream, seen: &Mutex<Vec<Request>>, answer: &Answer) {
    let Some((head, body)) = read(&stream) else { return };
    let body = serde_json::from_slice(&body).expect("sends JSON");
    let request = Request { head, body, at: Instant::now() };
    let n = {
        let mut seen = seen.lock().expect("no panic");
        seen.push(request.clone());
        seen.len() - 1
    };
    answer(n, &request, &mut stream);
}

fn read(stream: &TcpStream) -> Option<(String, Vec<u8>)> {
    let mut reader = BufReader::new(stream);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if reader.read_line(&mut head).ok()? == 0 {
            return None;
        }
    }
    let lower = head.to_lowercase();
    let length = lower.lines().find_map(|line| line.strip_prefix("content-length: "))?;
    let mut body = vec![0; length.trim().parse().ok()?];
    reader.read_exact(&mut body).ok()?;
    Some((head, body))
}

/// Writes a whole answer. The client may hang up first, so nothing here may fail.
pub(crate) fn reply(stream: &mut TcpStream, status: &str, headers: &str, body: &str) {
    let length = body.len();
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: application/json\r\nConnection: close\r\n\
         Content-Length: {length}\r\n{headers}\r\n"
    );
    stream.write_all(head.as_bytes()).ok();
    stream.write_all(body.as_bytes()).ok();
}

/// What a good `OpenAI` server answers: a text's vector is its length and one.
pub(crate) fn openai(request: &Request) -> String {
    let data: Vec<Value> = request
        .texts()
        .iter()
        .enumerate()
        .map(|(index, text)| {
            json!({"object": "embedding", "index": index, "embedding": [text.len(), 1.0]})
        })
        .collect();
    let usage = json!({"prompt_tokens": 8, "total_tokens": 8});
    json!({"object": "list", "data": data, "model": "m", "usage": usage}).to_string()
}

/// What a good Ollama answers.
pub(crate) fn ollama(request: &Request) -> String {
    let rows: Vec<Value> = request.texts().iter().map(|text| json!([text.len(), 1.0])).collect();
    json!({"model": "m", "embeddings": rows, "total_duration": 14_143_917, "load_duration": 1_019_500,
           "prompt_eval_count": 8})
    .to_string()
}
