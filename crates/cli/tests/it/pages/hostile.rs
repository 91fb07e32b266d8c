//! 150 things that hostile agents write, as name, model, question, text and file name: none of them
//! becomes a part of a page, runs, or makes the browser ask anybody.

use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use rebuttal::model::{Event, StreamId};
use rebuttal::report::site::{Read, Task, upload};
use rebuttal::store::{Location, Store, StoreOptions};
use serde_json::{Map, Value, json};

use super::driver::{Browser, Scripts};
use super::payloads::PAYLOADS;
use super::served::Served;
use crate::debate::server::Panel;
use crate::run::folder;

/// What of a page is not the program's own: an element, an attribute, an address.
const FOREIGN: &str = r#"
const own = new Set(["LINK", "META", "SCRIPT", "BASE"]);
const bad = "script:not([src^='/assets/']), iframe, object, embed, base, img, video, audio, style:not(head > style), " +
  "foreignObject, animate, set, image, use, math, template, dialog, marquee, [srcset], [ping], [formaction], [style], " +
  "meta[http-equiv=refresh], link:not([href^='/assets/'], [href='data:,'])";
const found = [...page.querySelectorAll(bad)].map((one) => one.outerHTML.slice(0, 200));
for (const one of page.querySelectorAll("*")) for (const { name, value } of one.attributes) {
  const leads = ["href", "src", "action", "xlink:href", "data"].includes(name) && one.tagName !== "LINK";
  if (name.startsWith("on") || (leads && !/^(\/(?!\/)|#|\?)/.test(value))) found.push(`${one.tagName} ${name}=${value}`);
}
return found;
"#;

/// Counts who asks it.
struct Canary {
    address: String,
    asked: Arc<AtomicUsize>,
}

impl Canary {
    fn new() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("bound").to_string();
        let asked = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&asked);
        std::thread::spawn(move || {
            for _ in listener.incoming() {
                count.fetch_add(1, Ordering::SeqCst);
            }
        });
        Self { address, asked }
    }

    fn payloads(&self) -> Vec<String> {
        let armed = |(_, text): &(&str, &str)| {
            let text =
                text.replace("RUN", "(window.__pwned=1)").replace("CANARYHOST", &self.address);
            text.replace("CANARY", &format!("http://{}", self.address))
        };
        PAYLOADS.iter().map(armed).collect()
    }
}

/// The recorded example with every name, model, question and text replaced.
struct Poison<'p> {
    payloads: &'p [String],
    next: usize,
}

impl Poison<'_> {
    fn at(&self, at: usize) -> &str {
        &self.payloads[at % self.payloads.len()]
    }

    fn name(&self, known: &str) -> Option<String> {
        let place = ["platform", "sre", "finance"].iter().position(|name| *name == known)?;
        Some(self.at(self.next + place).to_owned())
    }

    fn value(&self, key: &str, value: Value) -> Value {
        match value {
            Value::String(text) => Value::String(self.text(key, text)),
            Value::Array(all) => all.into_iter().map(|one| self.value(key, one)).collect(),
            Value::Object(fields) => {
                let fields = fields.into_iter().map(|(name, value)| {
                    let value = self.value(&name, value);
                    (self.name(&name).unwrap_or(name), value)
                });
                Value::Object(fields.collect::<Map<_, _>>())
            }
            other => other,
        }
    }

    fn text(&self, key: &str, text: String) -> String {
        if let Some(name) = self.name(&text) {
            return name;
        }
        let said = [
            "question",
            "thesis",
            "text",
            "evidence",
            "explanation",
            "narrative",
            "reason",
            "words",
            "quote",
            "rationale",
            "model",
            "context",
            "seen",
            "assumption",
        ];
        if said.contains(&key) { self.at(self.next).to_owned() } else { text }
    }
}

/// One debate for each payload, in the panel's database.
fn store(panel: &Panel, payloads: &[String]) {
    let example = include_str!("../../../../server/assets/example.jsonl");
    let events: Vec<Value> = example
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("JSON")["event"].take())
        .filter(|event| !event["type"].as_str().unwrap_or_default().starts_with("call_"))
        .collect();
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let location = Location::file(panel.database());
        let store = Store::open(&location, StoreOptions::default()).await.expect("a store");
        for next in 0..payloads.len() {
            let poison = Poison { payloads, next };
            let poisoned =
                events.iter().map(|event| poison.value("", event.clone())).map(|mut event| {
                    if let Some(id) = event.pointer_mut("/spec/id") {
                        *id = json!(format!("d-hostile{next}"));
                    }
                    serde_json::from_value::<Event>(event).expect("still an event")
                });
            let poisoned: Vec<Event> = poisoned.collect();
            let stream = StreamId::new(format!("debate/d-hostile{next}"));
            store
                .append(
                    &stream,
                    Some(0),
                    "2026-11-19T00:00:00Z".parse().expect("a time"),
                    &poisoned,
                )
                .await
                .expect("stored");
        }
    });
}

#[test]
fn nothing_of_150_payloads_becomes_part_of_any_page() {
    assert_eq!(PAYLOADS.len(), 150);
    let (panel, canary) = (Panel::split(), Canary::new());
    let Some(browser) = Browser::open(Scripts::On) else { return };
    let payloads = canary.payloads();
    store(&panel, &payloads);
    let served = Served::start(&panel);
    let mut visited = 0;
    let mut visit = |address: &str| {
        browser.go(address);
        let found = browser.run(&format!("const page = document;{FOREIGN}"));
        assert_eq!(found, json!([]), "{address}");
        assert_eq!(browser.run("return window.__pwned ?? null"), Value::Null, "{address}");
        visited += 1;
    };
    // Every payload as a question.
    let mut list = "/".to_owned();
    for _ in 0..5 {
        visit(&served.url(&list));
        let (_, page) = served.get(&list);
        let Some((_, next)) = page.split_once("rel=\"next\" href=\"") else { break };
        list = next.split('"').next().unwrap_or_default().replace("&amp;", "&");
    }
    // Every payload as a name, a model and a text.
    for at in (0..payloads.len()).step_by(3) {
        visit(&served.url(&format!("/debates/d-hostile{at}")));
    }
    for path in [
        "/breakpoints",
        "/agents",
        "/flips",
        "/claims",
        "/quality",
        "/debates/d-hostile0/redecide",
        "/debates/%3Cscript%3E",
    ] {
        visit(&served.url(path));
    }
    // The report that is handed on.
    for at in (0..payloads.len()).step_by(30) {
        let (status, report) = served.get(&format!("/debates/d-hostile{at}/report.html"));
        assert_eq!(status, 200);
        let files = folder(&[("report.html", &report)]);
        visit(&format!("file://{}", files.path().join("report.html").display()));
    }
    file_names(&browser, &payloads);
    let mut complaints = browser.complaints();
    complaints.retain(|it| !it.contains("404 (Not Found)"));
    assert_eq!(complaints, Vec::<String>::new(), "the policy had nothing to refuse");
    assert_eq!(canary.asked.load(Ordering::SeqCst), 0, "nobody outside was asked");
    assert!(visited >= 60, "{visited} pages");
}

/// Every payload as the name of a file that is handed in, parsed by the browser.
fn file_names(browser: &Browser, payloads: &[String]) {
    for name in payloads {
        let (name, again) = (name.clone(), String::new());
        let read = Read {
            name,
            again,
            conversations: Vec::new(),
            reports: Vec::new(),
            problems: Vec::new(),
        };
        let page = upload(Task::Audit, Some(&read), Some(&read.name)).body.into_string();
        let page = Value::String(page);
        let script =
            format!("const page = new DOMParser().parseFromString({page}, 'text/html');{FOREIGN}");
        assert_eq!(browser.run(&script), json!([]), "{page}");
    }
}
