//! What a model is asked to fill in. One list of fields gives the JSON Schema and the words of the
//! prompt, so that the two never disagree.

use rebuttal_llm::Wanted;
use rebuttal_policy::voting::{ABSTAIN, Options};
use serde_json::{Map, Value, json};

/// One field of a form.
struct Field {
    name: &'static str,
    /// What belongs there, for the prompt; may be empty.
    about: String,
    schema: Value,
}

/// The fields of a reply, in the order they are filled in.
pub(crate) struct Form {
    name: &'static str,
    fields: Vec<Field>,
}

/// Which rebuttals an answer has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rebuts {
    /// None: nobody of the other side was shown.
    Nothing,
    /// One for each of so many numbered items.
    Items(usize),
    /// Plain texts: debates of policy version 0.
    Texts,
}

/// Where the facts of an answer come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Facts {
    /// Wherever the agent has them from.
    Own,
    /// From passages that it was given, and names.
    OfPassages,
}

/// What an answer is asked for beside the answer itself.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asks {
    /// All options in order.
    pub(crate) ranking: bool,
    /// Answers to the other side's evidence.
    pub(crate) rebuts: Rebuts,
    /// Whether it may abstain: not in debates of policy version 0.
    pub(crate) may_abstain: bool,
    /// Where its facts come from.
    pub(crate) facts: Facts,
}

impl Form {
    /// An agent's answer.
    pub(crate) fn answer(options: &Options, asks: Asks) -> Self {
        let mut form = Self { name: "answer", fields: vec![answer_field(options, asks)] };
        let names = options.names();
        if asks.ranking {
            let items = json!({"type": "string", "enum": names});
            form.add(
                "ranking",
                "every option once, the best first",
                json!({"type": "array", "items": items, "maxItems": names.len()}),
            );
        }
        form.add("conviction", "0 to 1", share());
        // A model that fills in a form goes on from these words; `{answer}` is what it chose.
        let thesis = json!({"type": "string", "maxLength": 600,
            "description": "My answer is {answer}, because..."});
        form.add("thesis", "one or two sentences", thesis);
        let about = match asks.facts {
            Facts::Own => "a list of facts",
            Facts::OfPassages => {
                "a list of facts, each with the id of the passage it rests on behind it, as in \
                 [p0123456789ab]; words in quotation marks must stand there"
            }
        };
        form.add("evidence", about, texts(6));
        match asks.rebuts {
            Rebuts::Nothing => {}
            Rebuts::Texts => form.add("rebuttals", "a list", texts(6)),
            Rebuts::Items(items) => {
                let about = "a list with one {item, text} for each numbered item: its number and \
                             what you say to it";
                form.add("rebuttals", about, tied(items));
            }
        }
        form
    }

    /// A moderator's opinion: the JSON of seed 004.
    pub(crate) fn moderation(options: &Options) -> Self {
        let names = options.names();
        let (about, action) = match options {
            Options::Number => ("a number".to_owned(), json!({"type": "number"})),
            _ if names.is_empty() => (String::new(), json!({"type": "string", "maxLength": 200})),
            _ => (names.join(" | "), json!({"type": "string", "enum": names})),
        };
        let mut form = Self { name: "moderation", fields: Vec::new() };
        form.add("strongest_arguments", "a list", texts(5));
        form.add("weakest_arguments", "a list", texts(5));
        form.add("recommended_action", &about, action);
        form.add("recommended_conviction", "0 to 1", share());
        form.add("rationale", "", text(600));
        form.add("risks", "a list", texts(5));
        form
    }

    /// A judge's ruling.
    pub(crate) fn ruling(names: &[String]) -> Self {
        let answer =
            if names.is_empty() { text(200) } else { json!({"type": "string", "enum": names}) };
        let mut form = Self { name: "ruling", fields: Vec::new() };
        form.add("answer", &names.join(" | "), answer);
        form.add("reason", "", text(400));
        form
    }

    /// A devil's advocate's objections.
    pub(crate) fn critique() -> Self {
        let mut form = Self { name: "critique", fields: Vec::new() };
        form.add("objections", "a list", texts(5));
        form
    }

    /// What a debate came to.
    pub(crate) fn synthesis() -> Self {
        let mut form = Self { name: "synthesis", fields: Vec::new() };
        form.add("answer", "a list of one or two sentences", texts(2));
        form.add("reasons", "a list, one sentence each", texts(5));
        form.add("contested", "a list, one sentence each", texts(5));
        form.add("would_change", "a list, one sentence each", texts(5));
        form
    }

    /// An opinion on whether enough has been said.
    pub(crate) fn done() -> Self {
        let mut form = Self { name: "done", fields: Vec::new() };
        form.add("done", "true or false", json!({"type": "boolean"}));
        form.add("reason", "", text(400));
        form
    }

    /// Adds a field that must be filled in.
    fn add(&mut self, name: &'static str, about: &str, schema: Value) {
        self.fields.push(Field { name, about: about.to_owned(), schema });
    }

    /// The sentence of the prompt that names every field.
    pub(crate) fn words(&self) -> String {
        let one = |field: &Field| match field.about.as_str() {
            "" => field.name.to_owned(),
            about => format!("{} ({about})", field.name),
        };
        let fields: Vec<String> = self.fields.iter().map(one).collect();
        format!("Return one JSON object: {}.\n", fields.join(", "))
    }

    /// The form as a server is told of it. Every field is required, as the strictest servers want.
    pub(crate) fn wanted(&self) -> Wanted {
        let fields = self.fields.iter().map(|field| (field.name, field.schema.clone()));
        Wanted::Schema { name: self.name.to_owned(), schema: object(fields) }
    }
}

/// The field of the answer, as the options leave it to be filled in.
fn answer_field(options: &Options, asks: Asks) -> Field {
    let said = "my answer to the question";
    let mut names = options.names();
    let (about, schema) = match options {
        Options::Number if asks.may_abstain => (
            "a number, or null to abstain".to_owned(),
            json!({"type": ["number", "null"], "description": said}),
        ),
        Options::Number => ("a number".to_owned(), json!({"type": "number", "description": said})),
        _ if names.is_empty() => {
            let about = if asks.may_abstain { "a few words, or abstain" } else { "a few words" };
            (about.to_owned(), json!({"type": "string", "maxLength": 200, "description": said}))
        }
        _ => {
            if asks.may_abstain && !options.is_option(ABSTAIN) {
                names.push(ABSTAIN.to_owned());
            }
            (names.join(" | "), json!({"type": "string", "enum": names, "description": said}))
        }
    };
    Field { name: "answer", about, schema }
}

/// A number from 0 to 1.
fn share() -> Value {
    json!({"type": "number", "minimum": 0, "maximum": 1})
}

/// A text of at most so many characters.
fn text(chars_max: usize) -> Value {
    json!({"type": "string", "maxLength": chars_max})
}

/// A list of at most so many texts.
fn texts(items_max: usize) -> Value {
    json!({"type": "array", "items": text(300), "maxItems": items_max})
}

/// Rebuttals, each with the number of the item it answers.
fn tied(items: usize) -> Value {
    let number = json!({"type": "integer", "minimum": 1, "maximum": items});
    let rebuttal = object([("item", number), ("text", text(300))]);
    json!({"type": "array", "items": rebuttal, "maxItems": items})
}

/// An object of which every field is required and no other is allowed.
fn object<'f>(fields: impl IntoIterator<Item = (&'f str, Value)>) -> Value {
    let mut properties = Map::new();
    let mut required = Vec::new();
    for (name, schema) in fields {
        properties.insert(name.to_owned(), schema);
        required.push(name);
    }
    json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every field of the schema stands in the prompt's sentence and every choice is offered there,
    /// whatever is asked.
    #[test]
    fn prompt_and_schema_name_the_same_fields_and_choices() {
        let choices = Options::given(["BUY", "SELL", "HOLD"]).unwrap();
        let mut forms =
            vec![Form::critique(), Form::done(), Form::synthesis(), Form::ruling(&choices.names())];
        for options in [Options::YesNo, choices, Options::Number, Options::Free] {
            forms.push(Form::moderation(&options));
            for rebuts in [Rebuts::Nothing, Rebuts::Items(30), Rebuts::Texts] {
                for (ranking, may_abstain) in [(false, true), (true, false)] {
                    forms.push(Form::answer(
                        &options,
                        Asks { ranking, rebuts, may_abstain, facts: Facts::OfPassages },
                    ));
                }
            }
        }
        for form in forms {
            let Wanted::Schema { schema, .. } = form.wanted() else { panic!("a schema") };
            let words = form.words();
            let listed = words.strip_prefix("Return one JSON object: ").unwrap();
            let properties = schema["properties"].as_object().unwrap();
            assert_eq!(form.fields.len(), properties.len());
            assert_eq!(schema["required"].as_array().unwrap().len(), properties.len());
            for (name, property) in properties {
                assert!(listed.contains(name.as_str()), "{name} in {words}");
                for choice in property["enum"].as_array().into_iter().flatten() {
                    assert!(listed.contains(choice.as_str().unwrap()), "{choice} in {words}");
                }
                let nested = property["items"]["properties"].as_object();
                for name in nested.into_iter().flatten().map(|(name, _)| name) {
                    assert!(listed.contains(name.as_str()), "{name} in {words}");
                }
            }
            let Some(answer) = properties.get("answer") else { continue };
            let abstains = answer.to_string();
            let offered = abstains.contains("abstain") || abstains.contains("null");
            let free = answer.get("maxLength").is_some();
            assert!(free || words.contains("abstain") == offered, "{words}");
        }
    }

    #[test]
    fn there_are_as_many_rebuttals_as_items_shown() {
        let asks = Asks {
            ranking: false,
            rebuts: Rebuts::Items(30),
            may_abstain: true,
            facts: Facts::Own,
        };
        let Wanted::Schema { schema, .. } = Form::answer(&Options::YesNo, asks).wanted() else {
            panic!("a schema")
        };
        assert_eq!(schema["properties"]["rebuttals"]["maxItems"], 30);
    }
}
