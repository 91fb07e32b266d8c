//! In which form a structured reply is asked for: the ladder from a provider's own schema over a tool
//! call and JSON mode to plain words.
//!
//! An endpoint starts at the top and goes one rung down when, and only when, the server refuses the
//! form. The rung that was taken is remembered for the model, so that nothing is refused twice.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::dialect::{Dialect, on_the_wire};
use super::{Message, Provider, Request, Role, Wanted};
use crate::error::Fault;
use rebuttal_model::structured::Schema;
use serde_json::Value;

/// A rung of the ladder.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Form {
    /// The provider's own structured output.
    Schema,
    /// A tool that must be called, whose arguments are the reply.
    Tool,
    /// JSON, of whatever shape; the schema stands in the request's words.
    Json,
    /// Words; the schema stands among them.
    #[default]
    Text,
}

/// A form with what it needs.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Asked {
    Text,
    Json,
    Schema { name: String, schema: Value },
    Tool { name: String, schema: Value },
}

/// The rungs of a format for what is wanted, from the top. Anthropic has no JSON mode, and Ollama
/// cannot be made to call a tool.
fn rungs(provider: Provider, wanted: &Wanted) -> &'static [Form] {
    use Form::{Json, Schema, Text, Tool};
    match (wanted, provider) {
        (Wanted::Text, _) | (Wanted::Json, Provider::Anthropic) => &[Text],
        (Wanted::Json, _) => &[Json, Text],
        (Wanted::Schema { .. }, Provider::Anthropic) => &[Schema, Tool, Text],
        (Wanted::Schema { .. }, Provider::Ollama) => &[Schema, Json, Text],
        (Wanted::Schema { .. }, _) => &[Schema, Tool, Json, Text],
    }
}

/// How far down the ladder one model stands, for schemas and for bare JSON: some servers take the
/// one and refuse the other.
#[derive(Debug, Default)]
pub(crate) struct Ladder {
    schema: AtomicUsize,
    json: AtomicUsize,
}

impl Ladder {
    /// How far down the ladder this model was found to be, for requests of this kind.
    fn place(&self, wanted: &Wanted) -> &AtomicUsize {
        if *wanted == Wanted::Json { &self.json } else { &self.schema }
    }

    /// The form to begin with.
    pub(crate) fn start(&self, provider: Provider, wanted: &Wanted) -> Form {
        let rungs = rungs(provider, wanted);
        let place = if rungs.len() == 1 { 0 } else { self.place(wanted).load(Ordering::Relaxed) };
        rungs.get(place).copied().unwrap_or_default()
    }

    /// The next form, if the server refused this one.
    pub(crate) fn below(
        provider: Provider,
        wanted: &Wanted,
        form: Form,
        fault: &Fault,
    ) -> Option<Form> {
        let rungs = rungs(provider, wanted);
        let place = rungs.iter().position(|rung| *rung == form)?;
        rungs.get(place + 1).copied().filter(|_| is_refused(form, fault))
    }

    /// Begins with this form from now on.
    pub(crate) fn remember(&self, provider: Provider, wanted: &Wanted, form: Form) {
        let place = rungs(provider, wanted).iter().position(|rung| *rung == form);
        if let Some(place) = place.filter(|place| *place > 0) {
            self.place(wanted).fetch_max(place, Ordering::Relaxed);
        }
    }
}

/// Whether a server refused the form in which a reply was asked for, and not something else. The
/// names are those of the fields that carry it, as the servers' messages give them.
fn is_refused(form: Form, fault: &Fault) -> bool {
    let Fault::Status { code: code @ (400 | 404 | 422), message, .. } = fault else { return false };
    let message = message.to_lowercase();
    let says = |signs: &[&str]| signs.iter().any(|sign| message.contains(sign));
    if *code == 404 {
        // OpenRouter's words for a model none of whose providers takes what was asked for.
        return says(&["no endpoints found that"]) && says(&["requested parameters", "tool use"]);
    }
    let names_it = match form {
        Form::Schema => says(&[
            "response_format",
            "text.format",
            "output_config",
            "output_format",
            "schema",
            "structured output",
            "grammar",
            "chatrequest.format",
            "invalid format",
            "mime",
        ]),
        Form::Tool => says(&["tool", "function"]),
        Form::Json => says(&["response_format", "text.format", "json", "mime", "invalid format"]),
        Form::Text => false,
    };
    let unsupported = says(&["not supported", "unsupported", "not support", "unavailable"]);
    let names_another = says(&[
        "temperature",
        "max_tokens",
        "max_completion_tokens",
        "max_output_tokens",
        "stream",
    ]);
    names_it || (form != Form::Text && unsupported && !names_another)
}

/// The request and the form in which it is asked, on one rung. Where no field of a request carries
/// the schema, its words do.
pub(crate) fn ask(
    provider: Provider,
    request: &Request,
    form: Form,
) -> Result<(Request, Asked), Fault> {
    let Wanted::Schema { name, schema: written } = &request.wanted else {
        let asked = if form == Form::Json { Asked::Json } else { Asked::Text };
        return Ok((request.clone(), asked));
    };
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if name.is_empty() || name.len() > 64 || !name.chars().all(is_word) {
        let reason =
            "a schema's name may hold letters, digits, _ and - only, at most 64".to_owned();
        return Err(Fault::Setup(reason));
    }
    let schema = Schema::new(written.clone()).map_err(|error| Fault::Setup(error.to_string()))?;
    let name = name.clone();
    Ok(match form {
        Form::Schema => {
            let schema = on_the_wire(&schema, Dialect::JsonSchema);
            (request.clone(), Asked::Schema { name, schema })
        }
        Form::Tool => {
            let gemini = provider == Provider::Gemini;
            let dialect = if gemini { Dialect::OpenApi } else { Dialect::JsonSchema };
            let schema = on_the_wire(&schema, dialect);
            (request.clone(), Asked::Tool { name, schema })
        }
        Form::Json => (in_words(request, written), Asked::Json),
        Form::Text => (in_words(request, written), Asked::Text),
    })
}

/// The most tokens that a schema takes on any rung: in a field of the request, or among its words.
pub(crate) fn schema_tokens_at_most(written: &Value, tokens: &dyn Fn(&str) -> usize) -> usize {
    let said = tokens(&words(written));
    // A schema that cannot be sent costs nothing: the call fails before it leaves.
    let Ok(schema) = Schema::new(written.clone()) else { return said };
    let sent = |dialect| tokens(&on_the_wire(&schema, dialect).to_string());
    said.max(sent(Dialect::JsonSchema)).max(sent(Dialect::OpenApi))
}

/// A schema in words. Limits stay in: nobody refuses words.
fn words(schema: &Value) -> String {
    format!(
        "Reply with one JSON object and nothing else: no code fence, no words around it. It must \
         keep to this JSON Schema:\n{schema}"
    )
}

/// The request with its schema said in words.
fn in_words(request: &Request, schema: &Value) -> Request {
    let mut request = request.clone();
    let words = words(schema);
    // Two messages of ours in a row are refused by some servers.
    match request.messages.last_mut() {
        Some(last) if last.role == Role::User => last.text = format!("{}\n\n{words}", last.text),
        _ => request.messages.push(Message::user(words)),
    }
    request
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status(code: u16, message: &str) -> Fault {
        Fault::Status { code, message: message.to_owned(), attempts: 1 }
    }

    #[test]
    fn no_rung_takes_more_tokens_than_the_ceiling_counts() {
        let schema = serde_json::json!({
            "type": "object", "required": ["answer"],
            "properties": {
                "answer": {"type": "string", "enum": ["yes", "no"], "description": "my answer"},
                "conviction": {"type": "number", "minimum": 0, "maximum": 1},
                "evidence": {"type": "array", "maxItems": 5,
                             "items": {"type": "string", "maxLength": 300}},
            },
        });
        let count = |text: &str| crate::tokens_at_most(text, crate::Counting::Script);
        let plain = Request::new("Should we ship it?");
        let wanted = Wanted::Schema { name: "answer".to_owned(), schema: schema.clone() };
        let request = plain.clone().wanting(wanted);
        let most = count(&plain.messages[0].text) + schema_tokens_at_most(&schema, &count);
        for provider in Provider::ALL {
            for form in rungs(provider, &request.wanted) {
                let (asked, sent) = ask(provider, &request, *form).unwrap();
                let schema = match sent {
                    Asked::Schema { schema, .. } | Asked::Tool { schema, .. } => schema.to_string(),
                    Asked::Json | Asked::Text => String::new(),
                };
                let said: usize = asked.messages.iter().map(|said| count(&said.text)).sum();
                assert!(
                    said + count(&schema) <= most + 2,
                    "{provider:?} {form:?}: {said} {schema}"
                );
            }
        }
    }

    #[test]
    fn refusals_of_a_form_are_known_by_the_words_of_the_servers() {
        for (form, code, message) in [
            (
                Form::Schema,
                400,
                "output_config.format.schema: For 'integer' type, property 'minimum' is not supported",
            ),
            (Form::Schema, 400, "output_config: Extra inputs are not permitted"),
            (
                Form::Schema,
                400,
                "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model.",
            ),
            (Form::Schema, 400, "This response_format type is unavailable now"),
            (
                Form::Schema,
                422,
                "Failed to deserialize the JSON body into the target type: response_format: response_format.type `json_schema` is unavailable now at line 1 column 1193",
            ),
            (
                Form::Schema,
                400,
                "Invalid JSON payload received. Unknown name \"responseJsonSchema\" at 'generation_config': Cannot find field.",
            ),
            (
                Form::Schema,
                400,
                "json: cannot unmarshal object into Go struct field ChatRequest.format of type string",
            ),
            (Form::Schema, 404, "No endpoints found that can handle the requested parameters."),
            (Form::Tool, 404, "No endpoints found that support tool use."),
            (Form::Tool, 400, "registry.ollama.ai/library/gemma:2b does not support tools"),
            (Form::Tool, 400, "Thinking mode does not support this tool_choice"),
            (Form::Json, 400, "'response_format.type' must be 'json_schema' or 'text'"),
            (Form::Json, 400, "This model does not support it"),
        ] {
            assert!(is_refused(form, &status(code, message)), "{message}");
        }
    }

    #[test]
    fn other_errors_are_no_refusals_of_a_form() {
        for (form, fault) in [
            (
                Form::Schema,
                status(400, "max_tokens: 9000000 > 64000, which is the maximum allowed"),
            ),
            (
                Form::Schema,
                status(
                    400,
                    "Unsupported value: 'temperature' does not support 0.5 with this model.",
                ),
            ),
            (Form::Schema, status(400, "Your credit balance is too low to access the API.")),
            (Form::Schema, status(404, "The model `m-1` does not exist")),
            (Form::Schema, status(401, "response_format")),
            (Form::Schema, status(500, "json_schema")),
            (Form::Schema, status(429, "schema")),
            (Form::Text, status(400, "json_schema is not supported")),
            (Form::Schema, Fault::CutShort { max_tokens: 1 }),
        ] {
            assert!(!is_refused(form, &fault), "{fault}");
        }
    }

    #[test]
    fn what_was_taken_is_remembered_for_each_kind() {
        let (ladder, openai) = (Ladder::default(), Provider::OpenAi);
        let schema = Wanted::Schema { name: "s".to_owned(), schema: Value::Null };
        assert_eq!(ladder.start(openai, &schema), Form::Schema);
        ladder.remember(openai, &schema, Form::Json);
        ladder.remember(openai, &schema, Form::Schema);
        assert_eq!(ladder.start(openai, &schema), Form::Json);
        assert_eq!(ladder.start(openai, &Wanted::Json), Form::Json);
        assert_eq!(ladder.start(openai, &Wanted::Text), Form::Text);
        ladder.remember(openai, &Wanted::Json, Form::Text);
        assert_eq!(ladder.start(openai, &Wanted::Json), Form::Text);
    }
}
