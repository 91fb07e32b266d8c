//! What the API takes and gives, as OpenAPI 3.1: written once, here, and read by programs, by people and by the
//! tests, which compare it with what the server does.

use std::fmt::Write as _;

use axum::http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::response::IntoResponse as _;
use serde_json::{Map, Value, json};

use super::{Answered, value};
use crate::problem::CODES;

/// What may call an operation.
const READ: &str = "read";
const RUN: &str = "run";
const ADMIN: &str = "admin";
const ANYBODY: &str = "none";

/// One operation.
struct Operation {
    method: &'static str,
    path: &'static str,
    scope: &'static str,
    summary: &'static str,
    /// Names of parameters, as in [`parameter`].
    parameters: &'static [&'static str],
    body: Body,
    /// What a good answer is: its status, its type and what it holds.
    good: (u16, &'static str, &'static str),
    /// Codes beside those of every operation.
    problems: &'static [&'static str],
}

/// What an operation takes.
#[derive(Clone, Copy)]
enum Body {
    None,
    /// An object of this name in the document.
    Json(&'static str),
    /// The same, which may be left out.
    Optional(&'static str),
    /// A file of any type.
    Upload,
}

const JSON: &str = "application/json";
const ID: &[&str] = &["id"];

const OPERATIONS: &[Operation] = &[
    Operation {
        method: "get",
        path: "/api/debates",
        scope: READ,
        summary: "Lists debates, the latest first",
        parameters: &["status", "question", "after", "limit"],
        body: Body::None,
        good: (
            200,
            JSON,
            "`debates`, `next` (the cursor to go on with), `queued` (taken in, not begun; on the first page only)",
        ),
        problems: &["invalid"],
    },
    Operation {
        method: "post",
        path: "/api/debates",
        scope: RUN,
        summary: "Starts a debate",
        parameters: &["Idempotency-Key"],
        body: Body::Json("DebateRequest"),
        good: (202, JSON, "`id` and `links`; `repeated` if the key came before"),
        problems: &["malformed", "invalid", "media-type", "key-reused", "budget"],
    },
    Operation {
        method: "get",
        path: "/api/debates/{id}",
        scope: READ,
        summary: "Says how a debate stands",
        parameters: ID,
        body: Body::None,
        good: (200, JSON, "`status`, `so_far`, `breakpoint`, `links`"),
        problems: &["invalid", "not-found"],
    },
    Operation {
        method: "get",
        path: "/api/debates/{id}/events",
        scope: READ,
        summary: "Streams a debate's journal",
        parameters: &["id", "kind", "words", "after_seq", "Last-Event-ID"],
        body: Body::None,
        good: (
            200,
            "text/event-stream",
            "events whose id is the number of the record; `end` when the debate has ended",
        ),
        problems: &["invalid", "not-found"],
    },
    Operation {
        method: "get",
        path: "/api/debates/{id}/state",
        scope: READ,
        summary: "Gives the state after any record",
        parameters: &["id", "at"],
        body: Body::None,
        good: (200, JSON, "`at`, `spec`, `standing` votes, `decision`, …"),
        problems: &["invalid", "not-found", "conflict"],
    },
    Operation {
        method: "get",
        path: "/api/debates/{id}/report",
        scope: READ,
        summary: "Gives the report",
        parameters: &["id", "report_format"],
        body: Body::None,
        good: (200, "text/html", "the report, as HTML, Markdown or JSON"),
        problems: &["invalid", "not-found", "conflict"],
    },
    Operation {
        method: "get",
        path: "/api/debates/{id}/receipt",
        scope: READ,
        summary: "Gives the receipt of an ended debate",
        parameters: ID,
        body: Body::None,
        good: (200, JSON, "the receipt"),
        problems: &["invalid", "not-found", "conflict"],
    },
    Operation {
        method: "post",
        path: "/api/debates/{id}/pause",
        scope: RUN,
        summary: "Asks nobody any more until it is resumed",
        parameters: ID,
        body: Body::None,
        good: (202, JSON, "`id` and `links`"),
        problems: &["not-found", "conflict"],
    },
    Operation {
        method: "post",
        path: "/api/debates/{id}/resume",
        scope: RUN,
        summary: "Goes on with a paused or unfinished debate",
        parameters: ID,
        body: Body::None,
        good: (202, JSON, "`id` and `links`"),
        problems: &["not-found", "conflict"],
    },
    Operation {
        method: "post",
        path: "/api/debates/{id}/cancel",
        scope: RUN,
        summary: "Ends the rounds and counts the votes so far",
        parameters: ID,
        body: Body::None,
        good: (202, JSON, "`id` and `links`"),
        problems: &["not-found", "conflict"],
    },
    Operation {
        method: "post",
        path: "/api/debates/{id}/fork",
        scope: RUN,
        summary: "Branches a debate after a round",
        parameters: ID,
        body: Body::Optional("ForkRequest"),
        good: (202, JSON, "`id` and `links` of the branch"),
        problems: &["malformed", "invalid", "media-type", "not-found", "conflict"],
    },
    Operation {
        method: "post",
        path: "/api/debates/{id}/redecide",
        scope: READ,
        summary: "Counts the votes again under every rule",
        parameters: ID,
        body: Body::None,
        good: (200, JSON, "`outcomes`"),
        problems: &["not-found", "conflict"],
    },
    Operation {
        method: "get",
        path: "/api/breakpoints",
        scope: READ,
        summary: "Lists debates that wait for a person",
        parameters: &[],
        body: Body::None,
        good: (200, JSON, "a list, the most urgent first"),
        problems: &["invalid"],
    },
    Operation {
        method: "get",
        path: "/api/breakpoints/{id}",
        scope: READ,
        summary: "Says what a debate waits for",
        parameters: ID,
        body: Body::None,
        good: (200, JSON, "the breakpoint, with its reason in Markdown"),
        problems: &["invalid", "not-found", "conflict"],
    },
    Operation {
        method: "post",
        path: "/api/breakpoints/{id}",
        scope: RUN,
        summary: "Answers a breakpoint",
        parameters: ID,
        body: Body::Json("Answer"),
        good: (200, JSON, "`debate` and `answer`"),
        problems: &["malformed", "invalid", "media-type", "not-found", "conflict"],
    },
    Operation {
        method: "get",
        path: "/api/agents",
        scope: ADMIN,
        summary: "Lists agents, the least consistent first",
        parameters: &["limit"],
        body: Body::None,
        good: (200, JSON, "`agents`"),
        problems: &["invalid"],
    },
    Operation {
        method: "get",
        path: "/api/agents/{name}",
        scope: ADMIN,
        summary: "Shows one agent",
        parameters: &["name", "limit"],
        body: Body::None,
        good: (200, JSON, "consistency, calibration, rating, positions, flips"),
        problems: &["invalid", "not-found"],
    },
    Operation {
        method: "get",
        path: "/api/flips",
        scope: ADMIN,
        summary: "Lists flips, the latest found first",
        parameters: &["agent", "flip_kind", "domain", "silent", "since", "before", "limit"],
        body: Body::None,
        good: (200, JSON, "`flips` and `more`"),
        problems: &["invalid", "not-found"],
    },
    Operation {
        method: "get",
        path: "/api/flips/summary",
        scope: ADMIN,
        summary: "Counts flips by kind, agent and domain",
        parameters: &[],
        body: Body::None,
        good: (200, JSON, "the summary"),
        problems: &["invalid"],
    },
    Operation {
        method: "get",
        path: "/api/positions",
        scope: ADMIN,
        summary: "Lists positions",
        parameters: &["agent", "limit"],
        body: Body::None,
        good: (200, JSON, "`positions`"),
        problems: &["invalid", "not-found"],
    },
    Operation {
        method: "get",
        path: "/api/claims/contested",
        scope: ADMIN,
        summary: "Lists contested claims",
        parameters: &["limit"],
        body: Body::None,
        good: (200, JSON, "`contested`"),
        problems: &["invalid"],
    },
    Operation {
        method: "get",
        path: "/api/quality",
        scope: ADMIN,
        summary: "Tells how well the latest debates were supported",
        parameters: &["limit"],
        body: Body::None,
        good: (200, JSON, "`debates`, `trend`, `flagged`"),
        problems: &["invalid"],
    },
    Operation {
        method: "post",
        path: "/api/audit",
        scope: RUN,
        summary: "Audits a conversation",
        parameters: &["name_of", "from", "method", "min_severity", "limit", "audit_format"],
        body: Body::Upload,
        good: (200, JSON, "what `rebuttal audit` writes in that format"),
        problems: &["invalid", "unreadable"],
    },
    Operation {
        method: "post",
        path: "/api/reconcile",
        scope: RUN,
        summary: "Finds where reports contradict each other",
        parameters: &["name_of", "from", "method", "tolerance"],
        body: Body::Upload,
        good: (200, JSON, "contradictions, resolutions, consensus"),
        problems: &["invalid", "unreadable"],
    },
    Operation {
        method: "post",
        path: "/api/rubric",
        scope: RUN,
        summary: "Answers the rubric of conversations",
        parameters: &["name_of", "from", "method"],
        body: Body::Upload,
        good: (200, JSON, "`conversations` with their answers"),
        problems: &["invalid", "unreadable"],
    },
    Operation {
        method: "post",
        path: "/api/compare",
        scope: RUN,
        summary: "Says how two statements stand to each other",
        parameters: &[],
        body: Body::Json("Pair"),
        good: (200, JSON, "the relation"),
        problems: &["malformed", "invalid", "unreadable", "media-type"],
    },
    Operation {
        method: "get",
        path: "/v1/models",
        scope: READ,
        summary: "Lists panels as models, for chat clients",
        parameters: &[],
        body: Body::None,
        good: (200, JSON, "`data`"),
        problems: &[],
    },
    Operation {
        method: "post",
        path: "/v1/chat/completions",
        scope: RUN,
        summary: "Has a panel answer a chat, as OpenAI's API does",
        parameters: &[],
        body: Body::Json("ChatRequest"),
        good: (200, JSON, "a completion; with `stream`, chunks as server-sent events"),
        problems: &["malformed", "invalid", "media-type", "not-found", "budget"],
    },
    Operation {
        method: "get",
        path: "/health",
        scope: ANYBODY,
        summary: "Says that the server lives",
        parameters: &[],
        body: Body::None,
        good: (200, JSON, "`ok`"),
        problems: &[],
    },
    Operation {
        method: "get",
        path: "/ready",
        scope: ANYBODY,
        summary: "Says whether it can do its work",
        parameters: &[],
        body: Body::None,
        good: (200, JSON, "`ready`, `running`, `free`"),
        problems: &[],
    },
    Operation {
        method: "get",
        path: "/metrics",
        scope: ADMIN,
        summary: "Gives figures for Prometheus",
        parameters: &[],
        body: Body::None,
        good: (200, "text/plain", "the figures"),
        problems: &[],
    },
    Operation {
        method: "get",
        path: "/openapi.json",
        scope: ANYBODY,
        summary: "Gives this document",
        parameters: &[],
        body: Body::None,
        good: (200, JSON, "the document"),
        problems: &[],
    },
    Operation {
        method: "get",
        path: "/docs/api",
        scope: ANYBODY,
        summary: "Shows this document as a page",
        parameters: &[],
        body: Body::None,
        good: (200, "text/html", "the page"),
        problems: &[],
    },
    Operation {
        method: "get",
        path: "/docs/errors/{code}",
        scope: ANYBODY,
        summary: "Explains an error code",
        parameters: &["code"],
        body: Body::None,
        good: (200, "text/plain", "Markdown"),
        problems: &["not-found"],
    },
];

/// What any request can be answered with: by the guard, the database or a mistake.
const EVERYWHERE: [&str; 9] = [
    "malformed",
    "forbidden",
    "method",
    "timeout",
    "too-large",
    "wrong-host",
    "busy",
    "database",
    "internal",
];

/// A parameter by the name it has in [`OPERATIONS`]: where it is, what it is called, its schema, what it says.
fn parameter(name: &str) -> Value {
    let (at, called, schema, says) = match name {
        "id" => ("path", "id", json!({"type": "string"}), "the debate"),
        "name" => ("path", "name", json!({"type": "string"}), "the agent"),
        "code" => ("path", "code", json!({"type": "string"}), "the code"),
        "Idempotency-Key" => (
            "header",
            name,
            json!({"type": "string", "minLength": 1, "maxLength": 200, "pattern": "^[!-~]+$"}),
            "a word of the client's own: the same word starts one debate, however often it is sent",
        ),
        "Last-Event-ID" => {
            ("header", name, json!({"type": "integer", "minimum": 0}), "goes on after this record")
        }
        "after_seq" => (
            "query",
            "after",
            json!({"type": "integer", "minimum": 0}),
            "goes on after this record",
        ),
        "status" => (
            "query",
            name,
            json!({"enum": ["running", "unfinished", "waiting", "decided", "undecided", "damaged"]}),
            "only debates that stand so",
        ),
        "question" => {
            ("query", name, json!({"type": "string"}), "only debates whose question contains this")
        }
        "after" => {
            ("query", name, json!({"type": "string"}), "goes on after `next` of the page before")
        }
        "limit" => (
            "query",
            name,
            json!({"type": "integer", "minimum": 1, "maximum": 500}),
            "at most so many",
        ),
        "kind" => (
            "query",
            name,
            json!({"type": "string"}),
            "only events of these kinds, with commas between",
        ),
        "words" => ("query", name, json!({"type": "boolean"}), "words as they are said, too"),
        "at" => (
            "query",
            name,
            json!({"type": "integer", "minimum": 1}),
            "the number of the record; the last one if not given",
        ),
        "report_format" => {
            ("query", "format", json!({"enum": ["html", "md", "json"]}), "how it is written")
        }
        "audit_format" => (
            "query",
            "format",
            json!({"enum": ["json", "html", "md", "sarif", "junit"]}),
            "how it is written",
        ),
        "agent" => ("query", name, json!({"type": "string"}), "only of this agent"),
        "flip_kind" => (
            "query",
            "kind",
            json!({"enum": ["refinement", "qualification", "retraction", "contradiction"]}),
            "only of this kind",
        ),
        "domain" => ("query", name, json!({"type": "string"}), "only in this domain"),
        "silent" => (
            "query",
            name,
            json!({"type": "boolean"}),
            "only those that the agent did not own up to",
        ),
        "since" => (
            "query",
            name,
            json!({"type": "string", "format": "date-time"}),
            "only from this time on",
        ),
        "before" => (
            "query",
            name,
            json!({"type": "integer", "minimum": 0}),
            "only those before this number",
        ),
        "name_of" => (
            "query",
            "name",
            json!({"type": "string", "minLength": 1, "maxLength": 200}),
            "what the text is called in findings",
        ),
        "from" => ("query", name, json!({"type": "string"}), "its format, instead of finding out"),
        "method" => ("query", name, json!({"enum": ["model", "rules", "seed"]}), "who decides"),
        "min_severity" => (
            "query",
            name,
            json!({"enum": ["info", "low", "medium", "high"]}),
            "leaves milder findings out",
        ),
        _ => (
            "query",
            name,
            json!({"type": "number", "minimum": 0, "maximum": 1}),
            "values may differ by this share",
        ),
    };
    json!({ "name": called, "in": at, "required": at == "path", "schema": schema, "description": says })
}

fn schemas() -> Value {
    let texts = json!({"type": "array", "maxItems": 32, "items": {"type": "string", "minLength": 1, "maxLength": 200}});
    json!({
        "DebateRequest": {
            "type": "object", "additionalProperties": false,
            "oneOf": [{"required": ["task"]}, {"required": ["question"]}],
            "properties": {
                "task": {"type": "string", "minLength": 1, "maxLength": 4000, "description": "what is asked"},
                "question": {"type": "string", "minLength": 1, "maxLength": 4000, "description": "the same under another name"},
                "context": {"type": "string", "maxLength": 40000, "description": "what everybody should know beside it"},
                "options": texts, "agents": texts, "judges": texts,
                "moderator": {"type": ["string", "null"]},
                "preset": {"type": ["string", "null"], "description": "quick, hybrid, strict, brainstorm, or one of rebuttal.toml"},
                "protocol": {"type": "object", "description": "fields of a protocol: rounds, rule, stop, enable_trickster, trickster, budget, …"},
            },
            "example": {"task": "Should we migrate to Kubernetes?", "agents": ["claude", "gpt4"], "protocol": {"rounds": 5, "enable_trickster": true}},
        },
        "ForkRequest": {
            "type": "object", "additionalProperties": false,
            "properties": {
                "round": {"type": ["integer", "null"], "minimum": 0, "description": "after which round"},
                "preset": {"type": ["string", "null"]},
                "protocol": {"type": "object"},
                "agents": {"type": "object", "additionalProperties": {"type": "string"}, "description": "who answers for whom, by seat"},
            },
        },
        "Answer": {
            "type": "object", "additionalProperties": false, "required": ["answer"],
            "properties": {
                "answer": {"enum": ["continue", "redirect", "add_evidence", "abort"]},
                "note": {"type": ["string", "null"], "description": "words for the agents: needed to redirect and to add evidence"},
                "number": {"type": ["integer", "null"], "minimum": 0, "description": "which breakpoint is meant"},
            },
        },
        "Pair": {
            "type": "object", "additionalProperties": false, "required": ["a", "b"],
            "properties": {"a": {"type": "string"}, "b": {"type": "string"}, "method": {"enum": ["model", "rules", "seed", null]}},
        },
        "ChatRequest": {
            "type": "object", "required": ["model", "messages"],
            "properties": {
                "model": {"type": "string", "example": "rebuttal/hybrid"},
                "messages": {"type": "array", "items": {"type": "object", "required": ["role"], "properties": {"role": {"type": "string"}, "content": {}}}},
                "stream": {"type": ["boolean", "null"]},
            },
        },
        "Problem": {
            "type": "object", "required": ["type", "code", "title", "status", "detail"],
            "properties": {
                "type": {"type": "string"},
                "code": {"enum": CODES.iter().map(|code| code.name).collect::<Vec<_>>()},
                "title": {"type": "string"}, "status": {"type": "integer"},
                "detail": {"type": "string"}, "hint": {"type": "string"},
            },
        },
    })
}

/// The whole document.
pub fn openapi() -> Value {
    let mut paths: Map<String, Value> = Map::new();
    for operation in OPERATIONS {
        let path = paths.entry(operation.path).or_insert_with(|| json!({}));
        if let Some(path) = path.as_object_mut() {
            path.insert(operation.method.to_owned(), described(operation));
        }
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Rebuttal", "version": env!("CARGO_PKG_VERSION"),
            "description": "Debates between AI agents, and audits of those you already have.",
            "license": {"name": "MIT OR Apache-2.0"},
        },
        "paths": paths,
        "components": {
            "schemas": schemas(),
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    })
}

fn described(operation: &Operation) -> Value {
    let (status, media, holds) = operation.good;
    let schema = match media {
        JSON => json!({}),
        _ => json!({"type": "string"}),
    };
    let mut answers = Map::new();
    let mut content = Map::from_iter([(media.to_owned(), json!({ "schema": schema }))]);
    for media in others(operation.path) {
        content.insert((*media).to_owned(), json!({"schema": {}}));
    }
    answers.insert(status.to_string(), json!({ "description": holds, "content": content }));
    let mut problems: Vec<&str> =
        EVERYWHERE.into_iter().chain(operation.problems.iter().copied()).collect();
    if operation.scope != ANYBODY {
        problems.extend(["unauthenticated", "rate"]);
    }
    problems.push("store-full");
    for code in CODES.iter().filter(|code| problems.contains(&code.name)) {
        let answer = answers.entry(code.status.as_str()).or_insert_with(|| {
            json!({
                "description": "",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}},
            })
        });
        let before = answer.get("description").and_then(Value::as_str).unwrap_or_default();
        let text = if before.is_empty() {
            format!("`{}`", code.name)
        } else {
            format!("{before}, `{}`", code.name)
        };
        if let Some(answer) = answer.as_object_mut() {
            answer.insert("description".to_owned(), json!(text));
        }
    }
    let mut document = json!({
        "summary": operation.summary,
        "operationId": format!("{} {}", operation.method, operation.path),
        "x-scope": operation.scope,
        "parameters": operation.parameters.iter().map(|name| parameter(name)).collect::<Vec<_>>(),
        "responses": answers,
    });
    let body = match operation.body {
        Body::None => None,
        Body::Json(name) | Body::Optional(name) => Some(json!({
            "required": matches!(operation.body, Body::Json(_)),
            "content": {"application/json": {"schema": {"$ref": format!("#/components/schemas/{name}")}}},
        })),
        Body::Upload => Some(
            json!({ "required": true, "content": {"application/octet-stream": {"schema": {"type": "string"}}} }),
        ),
    };
    if let Some(document) = document.as_object_mut() {
        document.extend(body.map(|body| ("requestBody".to_owned(), body)));
        if operation.scope != ANYBODY {
            document.insert("security".to_owned(), json!([{}, {"token": []}]));
        }
    }
    document
}

/// What a good answer may be beside its usual type.
fn others(path: &str) -> &'static [&'static str] {
    match path {
        "/api/debates/{id}/report" => &["text/markdown", "application/json"],
        "/api/audit" => {
            &["text/html", "text/markdown", "application/sarif+json", "application/xml"]
        }
        "/v1/chat/completions" => &["text/event-stream"],
        _ => &[],
    }
}

pub(super) async fn document() -> Answered {
    value(&openapi())
}

/// The document to read, without a script.
pub(super) async fn page() -> Answered {
    let mut page = String::from(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" \
         content=\"width=device-width\"><title>Rebuttal: the API</title><style>body{font:16px/1.5 \
         system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}\
         code{font-size:.95em}section{border-top:1px solid;padding:.5rem 0}</style><h1>Rebuttal: the \
         API</h1><p>For programs: <a href=\"/openapi.json\">/openapi.json</a>. Errors are problem \
         documents with a code:",
    );
    for code in CODES {
        write!(page, " <a href=\"/docs/errors/{0}\">{0}</a>", code.name).ok();
    }
    page.push_str("</p>");
    for operation in OPERATIONS {
        let (status, media, holds) = operation.good;
        write!(
            page,
            "<section><h2><code>{} {}</code></h2><p>{}. Scope: {}.</p><p>{status} <code>{media}</code>: {}</p>",
            operation.method.to_uppercase(), operation.path, operation.summary, operation.scope, marked(holds)
        )
        .ok();
        if !operation.parameters.is_empty() {
            page.push_str("<ul>");
            for parameter in operation.parameters.iter().map(|name| parameter(name)) {
                let text = |name: &str| {
                    parameter.get(name).and_then(Value::as_str).unwrap_or_default().to_owned()
                };
                write!(
                    page,
                    "<li><code>{}</code> ({}): {}</li>",
                    text("name"),
                    text("in"),
                    marked(&text("description"))
                )
                .ok();
            }
            page.push_str("</ul>");
        }
        if let Body::Json(name) | Body::Optional(name) = operation.body {
            let schemas = schemas();
            let schema = schemas.get(name).map(Value::to_string).unwrap_or_default();
            write!(
                page,
                "<p>Body: <code>{}</code></p>",
                schema.replace('&', "&amp;").replace('<', "&lt;")
            )
            .ok();
        }
        page.push_str("</section>");
    }
    let policy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";
    let headers = [(CONTENT_TYPE, "text/html; charset=utf-8"), (CONTENT_SECURITY_POLICY, policy)];
    Ok((headers, page).into_response())
}

/// Backticks as code. The texts are this file's own.
fn marked(text: &str) -> String {
    let pieces = text.split('`').enumerate();
    pieces
        .map(
            |(at, piece)| {
                if at % 2 == 1 { format!("<code>{piece}</code>") } else { piece.to_owned() }
            },
        )
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_committed_document_is_this_one() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/openapi.json");
        let mut text = serde_json::to_string_pretty(&openapi()).unwrap();
        text.push('\n');
        if std::env::var_os("REBUTTAL_WRITE_OPENAPI").is_some() {
            std::fs::write(path, &text).unwrap();
        }
        let committed = include_str!("../../../../docs/openapi.json");
        assert_eq!(
            committed, text,
            "REBUTTAL_WRITE_OPENAPI=1 cargo test -p rebuttal-server writes it anew"
        );
    }

    #[test]
    fn every_code_has_a_page_and_is_told_of_somewhere() {
        let document = openapi().to_string();
        for code in CODES {
            assert!(code.page.starts_with(&format!("# `{}`", code.name)), "{}", code.name);
            assert!(
                code.page.contains(&format!("Status {}.", code.status.as_u16())),
                "{}",
                code.name
            );
            assert!(code.page.contains("**What to try.**"), "{}", code.name);
            assert!(document.contains(&format!("`{}`", code.name)), "{} is nowhere", code.name);
        }
        for operation in OPERATIONS {
            for problem in EVERYWHERE.iter().chain(operation.problems) {
                assert!(CODES.iter().any(|code| code.name == *problem), "no code {problem}");
            }
        }
        let folder =
            std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/errors")).unwrap();
        assert_eq!(folder.count(), CODES.len(), "a page without a code");
    }
}
