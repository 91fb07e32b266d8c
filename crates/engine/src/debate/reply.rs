//! What an agent is asked to fill in, and what is made of it. Votes come through here and nowhere
//! else: nothing an agent writes in its prose is counted.

use std::collections::BTreeMap;

use rebuttal_model::structured::{self, Schema};
use rebuttal_model::{
    AgentId, Ballot, Call, Confidence, DebateSpec, Role, Structured, Turn, Whose,
};
use rebuttal_policy::voting::{Answer, Options};
use serde::Deserialize;
use serde_json::{Value, json};

/// Longest thesis, item of evidence or rebuttal kept, in characters.
const SAID_CHARS: usize = 2_000;
/// Most items of evidence or rebuttals kept.
const ITEMS: usize = 12;

/// The form of an answer, as JSON Schema. Every field is required, as the strictest servers want.
pub(crate) fn answer_schema(options: &Options, ranked: bool, rebuts: bool) -> Value {
    let names = options.names();
    let said = "my answer to the question";
    let answer = match options {
        _ if !names.is_empty() => json!({"type": "string", "enum": names, "description": said}),
        Options::Number => json!({"type": "number", "description": said}),
        _ => json!({"type": "string", "maxLength": 200, "description": said}),
    };
    // A model that fills in a form goes on from these words; `{answer}` is what it chose.
    let text = json!({"type": "string", "maxLength": 600,
        "description": "My answer is {answer}, because..."});
    let list =
        json!({"type": "array", "items": {"type": "string", "maxLength": 300}, "maxItems": 6});
    let mut fields = vec![("answer", answer)];
    if ranked {
        let items = json!({"type": "string", "enum": names});
        fields.push(("ranking", json!({"type": "array", "items": items, "maxItems": names.len()})));
    }
    fields.push(("conviction", json!({"type": "number", "minimum": 0, "maximum": 1})));
    fields.push(("thesis", text));
    fields.push(("evidence", list.clone()));
    if rebuts {
        fields.push(("rebuttals", list));
    }
    object(&fields)
}

/// The form of a moderator's opinion: the JSON of seed 004.
pub(crate) fn moderator_schema(options: &Options) -> Value {
    let names = options.names();
    let action = if names.is_empty() {
        json!({"type": "string", "maxLength": 200})
    } else {
        json!({"type": "string", "enum": names})
    };
    let list =
        json!({"type": "array", "items": {"type": "string", "maxLength": 300}, "maxItems": 5});
    object(&[
        ("strongest_arguments", list.clone()),
        ("weakest_arguments", list.clone()),
        ("recommended_action", action),
        ("recommended_conviction", json!({"type": "number", "minimum": 0, "maximum": 1})),
        ("rationale", json!({"type": "string", "maxLength": 600})),
        ("risks", list),
    ])
}

/// The form of a judge's ruling.
pub(crate) fn judge_schema(options: &Options) -> Value {
    object(&[
        ("answer", json!({"type": "string", "enum": options.names()})),
        ("reason", json!({"type": "string", "maxLength": 400})),
    ])
}

/// The form of a devil's advocate's objections.
pub(crate) fn critique_schema() -> Value {
    let items = json!({"type": "string", "maxLength": 300});
    object(&[("objections", json!({"type": "array", "items": items, "maxItems": 5}))])
}

/// The form of an opinion on whether enough has been said.
pub(crate) fn done_schema() -> Value {
    object(&[
        ("done", json!({"type": "boolean"})),
        ("reason", json!({"type": "string", "maxLength": 400})),
    ])
}

fn object(fields: &[(&str, Value)]) -> Value {
    let required: Vec<&str> = fields.iter().map(|(name, _)| *name).collect();
    let properties: serde_json::Map<String, Value> =
        fields.iter().map(|(name, schema)| ((*name).to_owned(), schema.clone())).collect();
    json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}

/// An agent's answer as it comes; only the answer itself must be there.
#[derive(Deserialize)]
struct Filled {
    #[serde(alias = "action", alias = "position")]
    answer: Value,
    #[serde(default)]
    ranking: Vec<String>,
    #[serde(default)]
    probabilities: BTreeMap<String, f64>,
    #[serde(default, alias = "confidence")]
    conviction: Option<f64>,
    #[serde(default, alias = "rationale", alias = "reasoning")]
    thesis: String,
    #[serde(default)]
    evidence: Vec<String>,
    #[serde(default, alias = "rebuttal")]
    rebuttals: Vec<String>,
}

/// The turn and the ballot in an agent's reply, or what is wrong with it, in words to the agent.
pub(crate) fn read_answer(
    spec: &DebateSpec,
    options: &Options,
    call: &Call,
    text: &str,
) -> Result<(Turn, Ballot), String> {
    let share = json!({"type": "number", "minimum": 0, "maximum": 1});
    let form = form("answer", &json!({"conviction": share}))?
        .with_aliases("answer", &["action", "position"])
        .with_aliases("conviction", &["confidence"]);
    let filled: Filled = parse(spec.policy, text, &form)?;
    let answer = match &filled.answer {
        Value::String(answer) => answer.clone(),
        Value::Null => return Err("the field answer is empty".to_owned()),
        other => other.to_string(),
    };
    let name = match options.read(&answer) {
        Answer::Outside(why) => return Err(outside(options, &why)),
        read => read.name().unwrap_or(answer),
    };
    let conviction = match filled.conviction {
        Some(value) => Some(
            Confidence::new(value, Whose::Stated)
                .ok_or_else(|| format!("conviction {value} is not within 0..1"))?,
        ),
        None => None,
    };
    let structured = Structured {
        answer: Some(name.clone()),
        conviction,
        thesis: Some(cut(&filled.thesis)).filter(|thesis| !thesis.is_empty()),
        evidence: items(&filled.evidence),
        rebuttals: items(&filled.rebuttals),
    };
    let turn = turn(spec, call, structured);
    Ok((turn, ballot(call, options, name, conviction, &filled.ranking, filled.probabilities)))
}

fn turn(spec: &DebateSpec, call: &Call, structured: Structured) -> Turn {
    let model = spec.panel.iter().find(|member| member.agent == call.agent);
    Turn {
        round: Some(call.round),
        model: model.map(|member| member.model.clone()).filter(|model| !model.is_empty()),
        text: prose(&structured),
        structured,
        ..Turn::new(call.agent.clone(), Role::Agent, "")
    }
}

/// What the agent said, as prose for people and detectors.
fn prose(said: &Structured) -> String {
    let mut out = said.thesis.clone().unwrap_or_default();
    for item in said.evidence.iter().chain(&said.rebuttals) {
        if !out.is_empty() {
            out.push('\n');
        }
        out.push_str("- ");
        out.push_str(item);
    }
    if out.is_empty() {
        out = said.answer.clone().unwrap_or_default();
    }
    out
}

fn ballot(
    call: &Call,
    options: &Options,
    name: String,
    conviction: Option<Confidence>,
    ranking: &[String],
    probabilities: BTreeMap<String, f64>,
) -> Ballot {
    let number = matches!(options, Options::Number).then(|| name.parse().ok()).flatten();
    // The answer leads its ranking, whatever order the agent wrote.
    let mut ranked = vec![name];
    for option in ranking.iter().filter_map(|option| options.read(option).name()) {
        if !ranked.contains(&option) {
            ranked.push(option);
        }
    }
    let given: BTreeMap<String, f64> = probabilities
        .into_iter()
        .filter_map(|(option, share)| Some((options.read(&option).name()?, share)))
        .filter(|(_, share)| share.is_finite() && *share >= 0.0)
        .collect();
    let probabilities =
        if given.is_empty() { implied(options, &ranked, conviction) } else { given };
    Ballot {
        ranking: ranked,
        number,
        conviction,
        probabilities,
        ..Ballot::new(call.agent.clone(), call.round)
    }
}

/// The probabilities behind an answer that came without: at conviction 0 all options are alike, at 1
/// the answer has it all, and in between it goes in a straight line.
fn implied(
    options: &Options,
    ranked: &[String],
    conviction: Option<Confidence>,
) -> BTreeMap<String, f64> {
    let names = options.names();
    let (Some(answer), Some(sure)) = (ranked.first(), conviction) else { return BTreeMap::new() };
    let count = u32::try_from(names.len()).unwrap_or(u32::MAX);
    let even = 1.0 / f64::from(count.max(1));
    let share = |name: &String| {
        let left = even * (1.0 - sure.value());
        if name == answer { left + sure.value() } else { left }
    };
    names.iter().map(|name| (name.clone(), share(name))).collect()
}

/// The option a judge is for, or what is wrong with its ruling.
pub(crate) fn read_judge(policy: u32, options: &Options, text: &str) -> Result<String, String> {
    #[derive(Deserialize)]
    struct Ruled {
        answer: String,
    }
    let text_form = json!({"answer": {"type": "string"}});
    let Ruled { answer } = parse(policy, text, &form("answer", &text_form)?)?;
    match options.read(&answer) {
        Answer::Outside(why) => Err(outside(options, &why)),
        read => Ok(read.name().unwrap_or(answer)),
    }
}

/// The objections of a devil's advocate, one a line, or what is wrong with them.
pub(crate) fn read_critique(policy: u32, text: &str) -> Result<String, String> {
    #[derive(Deserialize)]
    struct Objected {
        #[serde(alias = "critique")]
        objections: Vec<String>,
    }
    let list = json!({"type": "array", "items": {"type": "string"}});
    let form = form("objections", &json!({"objections": list}))?;
    let form = form.with_aliases("objections", &["critique"]);
    let Objected { objections } = parse(policy, text, &form)?;
    let lines: Vec<String> =
        items(&objections).into_iter().map(|item| format!("- {item}")).collect();
    if lines.is_empty() { Err("there is no objection".to_owned()) } else { Ok(lines.join("\n")) }
}

/// Whether enough has been said, or what is wrong with the reply.
pub(crate) fn read_done(policy: u32, text: &str) -> Result<bool, String> {
    #[derive(Deserialize)]
    struct Asked {
        done: bool,
    }
    let form = form("done", &json!({"done": {"type": "boolean"}}))?;
    parse::<Asked>(policy, text, &form).map(|asked| asked.done)
}

fn outside(options: &Options, why: &str) -> String {
    let names = options.names();
    if names.is_empty() {
        return format!("the answer does not count: {why}");
    }
    format!("the answer is none of the options ({}): {why}", names.join(", "))
}

/// What a reply says, by the one reader there is. Fields that are not in the form are forgiven what
/// serde forgives.
fn parse<T: for<'de> Deserialize<'de>>(
    policy: u32,
    text: &str,
    form: &Schema,
) -> Result<T, String> {
    if policy == 0 {
        return parse_under_policy_0(text);
    }
    let value = structured::read(text, form).map_err(|unfit| unfit.to_string())?;
    serde_json::from_value(value).map_err(|error| format!("the JSON does not fit: {error}"))
}

/// How replies were read before policies had versions. Never changes: journals from then must
/// verify for ever, and verifying reads their replies again.
fn parse_under_policy_0<T: for<'de> Deserialize<'de>>(text: &str) -> Result<T, String> {
    let (Some(start), Some(end)) = (text.find('{'), text.rfind('}')) else {
        return Err("there is no JSON object in the reply".to_owned());
    };
    let object = text.get(start..=end).unwrap_or_default();
    serde_json::from_str(object).map_err(|error| format!("the JSON does not fit: {error}"))
}

/// What must be there, and what must be right if it is there. Whether an answer is one of the
/// options is not part of it: options are spelled in many ways.
fn form(required: &str, checked: &Value) -> Result<Schema, String> {
    let form = json!({"type": "object", "required": [required], "properties": checked});
    Schema::new(form).map_err(|error| error.to_string())
}

fn items(list: &[String]) -> Vec<String> {
    let kept = list.iter().map(|item| cut(item)).filter(|item| !item.is_empty());
    kept.take(ITEMS).collect()
}

fn cut(text: &str) -> String {
    text.trim().chars().take(SAID_CHARS).collect()
}

/// A vote that could not be had, and why.
pub(crate) fn silent(agent: &AgentId, round: u32, reason: &str) -> Ballot {
    Ballot::failed(agent.clone(), round, reason)
}
