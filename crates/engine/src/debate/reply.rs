//! What is made of a filled-in form. Votes come through here and nowhere else: nothing an agent writes
//! in its prose is counted.

use std::collections::BTreeMap;

use rebuttal_model::structured::{self, Schema};
use rebuttal_model::{
    AgentId, Ballot, Call, Confidence, DebateSpec, Rebuttal, RebuttedItem, Role, Structured, Turn,
    Whose,
};
use rebuttal_policy::voting::{Answer, Options};
use serde::Deserialize;
use serde_json::{Value, json};

/// Longest thesis, item of evidence or rebuttal kept, in characters.
const SAID_CHARS: usize = 2_000;
/// Most items of evidence kept, and of rebuttals where fewer items were shown.
const ITEMS: usize = 12;

/// An agent's answer as it comes; only the answer itself must be there.
#[derive(Deserialize)]
struct Filled<R> {
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
    #[serde(default = "Vec::new", alias = "rebuttal")]
    rebuttals: Vec<R>,
}

/// A rebuttal as it comes: with the number of the item it answers, or bare.
#[derive(Deserialize)]
#[serde(untagged)]
enum Said {
    Tied {
        #[serde(alias = "number")]
        item: u32,
        #[serde(alias = "rebuttal", alias = "answer")]
        text: String,
    },
    Text(String),
}

/// The turn and the ballot in an agent's reply, or what is wrong with it, in words to the agent.
/// `items` are the numbered items it was shown.
pub(crate) fn read_answer(
    spec: &DebateSpec,
    options: &Options,
    items: &[RebuttedItem],
    call: &Call,
    text: &str,
) -> Result<(Turn, Ballot), String> {
    let share = json!({"type": "number", "minimum": 0, "maximum": 1});
    let form = form("answer", &json!({"conviction": share}))?
        .with_aliases("answer", &["action", "position"])
        .with_aliases("conviction", &["confidence"]);
    if spec.policy == 0 {
        let filled: Filled<String> = parse(spec.policy, text, &form)?;
        let rebuttals = self::items(&filled.rebuttals).into_iter().map(Rebuttal::from).collect();
        let name = option(options, &filled.answer)?;
        return made(spec, options, call, filled, Some(name), rebuttals);
    }
    let filled: Filled<Said> = parse(spec.policy, text, &form)?;
    let rebuttals = tied(&filled.rebuttals, items);
    let name = chosen(spec, options, &filled.answer)?;
    made(spec, options, call, filled, name, rebuttals)
}

/// The option that an answer names, in debates of policy version 0.
fn option(options: &Options, answer: &Value) -> Result<String, String> {
    let answer = match answer {
        Value::String(answer) => answer.clone(),
        Value::Null => return Err("the field answer is empty".to_owned()),
        other => other.to_string(),
    };
    match options.read(&answer) {
        Answer::Outside(why) => Err(outside(options, &why)),
        read => Ok(read.name().unwrap_or(answer)),
    }
}

/// The option that an answer names or comes near to; `None` for an abstention.
fn chosen(spec: &DebateSpec, options: &Options, answer: &Value) -> Result<Option<String>, String> {
    let answer = match answer {
        Value::String(answer) => answer.clone(),
        Value::Null if matches!(options, Options::Number) => return Ok(None),
        Value::Null => return Err("the field answer is empty".to_owned()),
        other => other.to_string(),
    };
    if options.abstains(&answer) {
        return Ok(None);
    }
    if options.is_open() && options.same(&answer, &spec.question) {
        return Err("the answer repeats the question".to_owned());
    }
    match options.read_near(&answer) {
        Answer::Outside(why) => Err(outside(options, &why)),
        read => Ok(Some(read.name().unwrap_or(answer))),
    }
}

/// Rebuttals with the items they answer, one for each item. What has no number is tied by its place if
/// there are as many as items; what has a wrong one answers nothing that was shown.
fn tied(said: &[Said], items: &[RebuttedItem]) -> Vec<Rebuttal> {
    let one_each = said.len() == items.len();
    let mut rebuttals: Vec<Rebuttal> = Vec::new();
    for (at, said) in said.iter().enumerate() {
        let (item, text) = match said {
            Said::Tied { item, text } => (items.iter().find(|one| one.number == *item), text),
            Said::Text(text) => (items.get(at).filter(|_| one_each), text),
        };
        let answers = |other: &Rebuttal| other.item.as_ref() == item;
        let text = cut(text);
        if text.is_empty() || (item.is_some() && rebuttals.iter().any(answers)) {
            continue;
        }
        rebuttals.push(Rebuttal { item: item.cloned(), text });
    }
    // Where nothing was shown, nothing is answered.
    rebuttals.truncate(if items.is_empty() { 0 } else { items.len().max(ITEMS) });
    rebuttals
}

/// The turn and the vote that a filled-in form makes.
fn made<R>(
    spec: &DebateSpec,
    options: &Options,
    call: &Call,
    filled: Filled<R>,
    name: Option<String>,
    rebuttals: Vec<Rebuttal>,
) -> Result<(Turn, Ballot), String> {
    let conviction = match filled.conviction {
        Some(value) => Some(
            Confidence::new(value, Whose::Stated)
                .ok_or_else(|| format!("conviction {value} is not within 0..1"))?,
        ),
        None => None,
    };
    let structured = Structured {
        answer: name.clone(),
        conviction,
        thesis: Some(cut(&filled.thesis)).filter(|thesis| !thesis.is_empty()),
        evidence: items(&filled.evidence),
        rebuttals,
    };
    let turn = turn(spec, call, structured);
    let ballot = match name {
        Some(name) => {
            ballot(call, options, name, conviction, &filled.ranking, filled.probabilities)
        }
        None => Ballot::abstention(call.agent.clone(), call.round),
    };
    Ok((turn, ballot))
}

/// The turn that an answer is in the transcript.
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
    let rebuttals = said.rebuttals.iter().map(|rebuttal| &rebuttal.text);
    for item in said.evidence.iter().chain(rebuttals) {
        if !out.is_empty() {
            out.push('\n');
        }
        out.push_str("- ");
        out.push_str(item);
    }
    if out.is_empty() {
        out = said.answer.clone().unwrap_or_else(|| "I abstain.".to_owned());
    }
    out
}

/// The vote that an answer is.
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
    /// A judge's reply.
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
    /// The reply to a request for objections.
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

/// What a debate came to: answer, reasons, what is contested, what would change it.
pub(crate) fn read_synthesis(policy: u32, text: &str) -> Result<[Vec<String>; 4], String> {
    #[derive(Deserialize)]
    struct Wrote {
        answer: Vec<String>,
        #[serde(default)]
        reasons: Vec<String>,
        #[serde(default)]
        contested: Vec<String>,
        #[serde(default)]
        would_change: Vec<String>,
    }
    let list = json!({"type": "array", "items": {"type": "string"}});
    let form = form("answer", &json!({"answer": list, "reasons": list}))?;
    let wrote: Wrote = parse(policy, text, &form)?;
    let parts = [wrote.answer, wrote.reasons, wrote.contested, wrote.would_change];
    let parts = parts.map(|part| self::items(&part));
    if parts.iter().all(Vec::is_empty) { Err("nothing is written".to_owned()) } else { Ok(parts) }
}

/// Whether enough has been said, or what is wrong with the reply.
pub(crate) fn read_done(policy: u32, text: &str) -> Result<bool, String> {
    /// The reply of a moderator who is asked whether to go on.
    #[derive(Deserialize)]
    struct Asked {
        done: bool,
    }
    let form = form("done", &json!({"done": {"type": "boolean"}}))?;
    parse::<Asked>(policy, text, &form).map(|asked| asked.done)
}

/// Says that an answer is none of the options.
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

/// The items of a list that say something, cut to their limits.
fn items(list: &[String]) -> Vec<String> {
    let kept = list.iter().map(|item| cut(item)).filter(|item| !item.is_empty());
    kept.take(ITEMS).collect()
}

/// A text cut to the limit of one item.
fn cut(text: &str) -> String {
    text.trim().chars().take(SAID_CHARS).collect()
}

/// A vote that could not be had, and why.
pub(crate) fn silent(agent: &AgentId, round: u32, reason: &str) -> Ballot {
    Ballot::failed(agent.clone(), round, reason)
}
