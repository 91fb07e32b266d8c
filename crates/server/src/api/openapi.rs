//! What the API takes and gives, as `OpenAPI` 3.1: written once, here, and read by programs, by people and by the
//! tests, which compare it with what the server does.

mod operations;
mod page;
mod parameters;
mod schemas;

use serde_json::{Map, Value, json};

use super::{Answered, value};
use crate::problem::CODES;
use operations::{ANYBODY, Body, JSON, OPERATIONS, Operation};
use parameters::parameter;
use schemas::schemas;

pub(super) use page::page;

/// What any request can be answered with: by the guard, the database or a mistake.
const EVERYWHERE: [&str; 10] = [
    "malformed",
    "forbidden",
    "method",
    "timeout",
    "too-large",
    "wrong-host",
    "busy",
    "database",
    "database-away",
    "internal",
];

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
