//! Servers that refuse what the real ones refuse, with the real status and words.
//!
//! Where each rule comes from stands in docs/providers.md.

use rebuttal_llm::structured::{Schema, read};
use rebuttal_llm::{Chat, ChatEndpoint, Provider, Request, Wanted};
use serde_json::{Value, json};

use super::formats::{Ending, answer};
use super::settings;
use crate::server::{Server, reply};

/// A schema with everything that somebody refuses.
pub(super) fn demanding() -> Value {
    let item = json!({
        "type": "object", "properties": {
            "item": {"type": "integer", "minimum": 1, "maximum": 9},
            "text": {"type": "string", "minLength": 1, "maxLength": 300},
        },
    });
    json!({
        "type": "object", "required": ["vote", "conviction"],
        "properties": {
            "vote": {"type": "string", "enum": ["yes", "no"]},
            "conviction": {"type": "number", "minimum": 0, "maximum": 1},
            "thesis": {"type": "string", "maxLength": 600},
            "rebuttals": {"type": "array", "items": item, "minItems": 2, "maxItems": 6},
        },
    })
}

/// Where a request has its schema, natively or as a tool's.
fn schema_of(provider: Provider, body: &Value) -> Option<(&'static str, &Value)> {
    let places: &[(&str, &str)] = match provider {
        Provider::OpenAi => &[("schema", "/response_format/json_schema/schema")],
        Provider::OpenAiResponses => &[("schema", "/text/format/schema")],
        Provider::Anthropic => &[("schema", "/output_config/format/schema")],
        Provider::Gemini => &[
            ("schema", "/generationConfig/responseJsonSchema"),
            ("tool", "/tools/0/functionDeclarations/0/parameters"),
        ],
        Provider::Ollama => &[("schema", "/format")],
    };
    let found = |(kind, place): &(&'static str, &str)| Some((*kind, body.pointer(place)?));
    places.iter().find_map(found)
}

/// What a provider says of a schema it does not take. Ollama and Gemini's `responseJsonSchema` take
/// all of JSON Schema, and heed a part of it.
pub(super) fn refusal(provider: Provider, body: &Value) -> Option<Value> {
    let (kind, schema) = schema_of(provider, body)?;
    match (provider, kind) {
        (Provider::Anthropic, _) => {
            let message = anthropic(schema)?;
            let message = format!("output_config.format.schema: {message}");
            let error = json!({"type": "invalid_request_error", "message": message});
            Some(json!({"type": "error", "error": error, "request_id": "req_011"}))
        }
        (Provider::OpenAi | Provider::OpenAiResponses, _) => {
            let message = openai(schema, "")?;
            let message = format!("Invalid schema for response_format 'ballot': {message}");
            let param =
                if provider == Provider::OpenAi { "response_format" } else { "text.format.schema" };
            Some(json!({"error": {"message": message, "type": "invalid_request_error",
                "param": param, "code": "invalid_json_schema"}}))
        }
        (Provider::Gemini, "tool") => {
            let at = "tools[0].function_declarations[0].parameters";
            let message = gemini(schema, at)?;
            Some(json!({"error": {"code": 400, "message": message, "status": "INVALID_ARGUMENT"}}))
        }
        _ => None,
    }
}

/// Every schema inside a schema, with its way from the top.
fn inside<'s>(schema: &'s Value, way: &str) -> Vec<(String, &'s Value)> {
    let mut found = vec![(way.to_owned(), schema)];
    if let Some(items) = schema.get("items") {
        found.extend(inside(items, &format!("{way}, 'items'")));
    }
    for (name, field) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
        found.extend(inside(field, &format!("{way}, 'properties', '{name}'")));
    }
    found
}

/// `agentjido/req_llm#302`, NVIDIA/SkillSpector#66, ghostlobster/memorize-everything#93.
fn anthropic(schema: &Value) -> Option<String> {
    inside(schema, "").into_iter().find_map(|(_, node)| {
        let kind = match &node["type"] {
            Value::Array(kinds) => kinds[0].as_str()?,
            kind => kind.as_str()?,
        };
        let refused: &[&str] = match kind {
            "integer" | "number" => &["maximum", "minimum"],
            "string" => &["maxLength", "minLength"],
            "array" => &["maxItems"],
            _ => &[],
        };
        let found: Vec<&str> =
            refused.iter().copied().filter(|word| node.get(word).is_some()).collect();
        match &found[..] {
            [] => {}
            [one] => return Some(format!("For '{kind}' type, property '{one}' is not supported")),
            several => {
                let several = several.join(", ");
                return Some(format!("For '{kind}' type, properties {several} are not supported"));
            }
        }
        if node["minItems"].as_u64().is_some_and(|least| least > 1) {
            let what = "'minItems' values other than 0 or 1 are not supported";
            return Some(format!("For 'array' type, {what}"));
        }
        let open = kind == "object" && node["additionalProperties"] != json!(false);
        open.then(|| {
            "For 'object' type, 'additionalProperties' must be explicitly set to false".to_owned()
        })
    })
}

/// jina-ai/node-DeepResearch#79, sherifkozman/the-llm-council#9, agentscope-ai/agentscope-java#2548.
fn openai(schema: &Value, way: &str) -> Option<String> {
    inside(schema, way).into_iter().find_map(|(way, node)| {
        let context = format!("In context=({})", way.trim_start_matches(", "));
        for word in ["minLength", "maxLength"] {
            if node.get(word).is_some() {
                return Some(format!("{context}, '{word}' is not permitted."));
            }
        }
        let fields = node.get("properties").and_then(Value::as_object)?;
        if node["additionalProperties"] != json!(false) {
            let what = "'additionalProperties' is required to be supplied and to be false.";
            return Some(format!("{context}, {what}"));
        }
        let required = node["required"].as_array().cloned().unwrap_or_default();
        let missing = fields.keys().find(|name| !required.contains(&json!(name)))?;
        Some(format!(
            "{context}, 'required' is required to be supplied and to be an array including every \
             key in properties. Missing '{missing}'."
        ))
    })
}

/// openswarm-ai/openswarm#24, simonw/llm-gemini#49.
fn gemini(schema: &Value, at: &str) -> Option<String> {
    inside(schema, "").into_iter().find_map(|(_, node)| {
        if node.get("additionalProperties").is_some() {
            return Some(format!(
                "Invalid JSON payload received. Unknown name \"additionalProperties\" at '{at}': \
                 Cannot find field."
            ));
        }
        node["type"].is_array().then(|| {
            format!(
                "Invalid JSON payload received. Unknown name \"type\" at '{at}': Proto field is not \
                 repeating, cannot start list."
            )
        })
    })
}

/// A server that takes what the real one takes, and then says this.
fn strict(provider: Provider, text: &'static str) -> Server {
    Server::new(move |_, request, wire| match refusal(provider, &request.body) {
        Some(body) => reply(wire, "400 Bad Request", "", &body.to_string()),
        None => reply(wire, "200 OK", "", &answer(provider, text, Ending::Stop).to_string()),
    })
}

#[test]
fn the_servers_refuse_what_the_real_ones_refuse() {
    let said = |provider, place: &str| {
        let mut body = json!({});
        let mut at = &mut body;
        for part in place.split('/').skip(1) {
            at[part] = json!({});
            at = &mut at[part];
        }
        *at = demanding();
        let refused = refusal(provider, &body).map(|body| body["error"]["message"].clone());
        refused.map(|message| message.as_str().unwrap().to_owned())
    };
    assert_eq!(
        said(Provider::Anthropic, "/output_config/format/schema").as_deref(),
        Some(
            "output_config.format.schema: For 'object' type, 'additionalProperties' must be explicitly set to false"
        )
    );
    let openai = said(Provider::OpenAi, "/response_format/json_schema/schema").unwrap();
    assert!(
        openai.starts_with("Invalid schema for response_format 'ballot': In context=()"),
        "{openai}"
    );
    assert!(said(Provider::OpenAiResponses, "/text/format/schema").is_some());
    assert_eq!(said(Provider::Ollama, "/format"), None);
    let age = json!({"type": "integer", "minimum": 0});
    let person =
        json!({"type": "object", "additionalProperties": false, "properties": {"age": age}});
    let expected = "For 'integer' type, property 'minimum' is not supported";
    assert_eq!(anthropic(&person).as_deref(), Some(expected));
}

#[test]
fn every_provider_takes_the_schema_as_it_is_sent_to_it() {
    for provider in Provider::ALL {
        let server = strict(provider, r#"{"vote": "yes", "conviction": 0.5, "thesis": null}"#);
        let agent = ChatEndpoint::new(settings(&server, provider)).unwrap();
        let wanted = Wanted::Schema { name: "ballot".to_owned(), schema: demanding() };
        let reply = agent.reply(&Request::new("Vote, as JSON.").wanting(wanted)).unwrap();
        assert_eq!((reply.requests, server.requests().len()), (1, 1), "{provider:?}");
        let schema = Schema::new(demanding()).unwrap();
        let value = read(&reply.text, &schema).unwrap();
        assert_eq!(value, json!({"vote": "yes", "conviction": 0.5}), "{provider:?}");
    }
}

#[test]
fn limits_that_are_not_sent_are_checked_here() {
    let server = strict(Provider::Anthropic, r#"{"vote": "yes", "conviction": 75}"#);
    let agent = ChatEndpoint::new(settings(&server, Provider::Anthropic)).unwrap();
    let wanted = Wanted::Schema { name: "ballot".to_owned(), schema: demanding() };
    let reply = agent.reply(&Request::new("Vote.").wanting(wanted)).unwrap();
    let sent = &server.requests()[0].body["output_config"]["format"]["schema"];
    let conviction = json!({"type": "number", "description": "from 0 to 1"});
    assert_eq!(sent["properties"]["conviction"], conviction);
    let unfit = read(&reply.text, &Schema::new(demanding()).unwrap()).unwrap_err();
    assert_eq!(unfit.to_string(), "/conviction: must be at most 1");
}
