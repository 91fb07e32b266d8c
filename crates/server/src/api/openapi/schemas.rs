//! The objects that operations take, and the problem document.

use serde_json::{Value, json};

use crate::problem::CODES;

/// All of them, by name.
pub(super) fn schemas() -> Value {
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
