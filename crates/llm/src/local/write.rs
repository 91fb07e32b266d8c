//! Writing a reply: free words, or the values of a shape.
//!
//! By a shape, the model never writes JSON: it fills in a form of plain lines ("Answer: yes"), which
//! a small model has seen far more of, and the JSON is made from the values. So a reply always
//! parses, and no sign the model could write changes its form.

use rebuttal_semantics::kernel::Kernels;

use super::line::Line;
use super::model::LocalModel;
use super::runner::lock;
use super::sample::{Sampler, Sampling};
use super::session::Session;
use super::shape::{Field, Kind, Shape};
use super::tokenizer::Tokenizer;
use crate::chat::{Request, Role};
use crate::error::Fault;

/// How many of the last tokens count as just used.
const RECENT: usize = 96;

/// A line has at least so many characters, if so many are allowed: asked for a reason, a small
/// model likes to say "No".
const LINE_CHARS_MIN: usize = 32;

/// Most digits of a number.
const NUMBER_DIGITS: usize = 9;

/// Who the model is where nobody says it: as its own template has it.
const NOBODY: &str = "You are a helpful AI assistant named SmolLM, trained by Hugging Face";

/// The tokens of a conversation, up to where the model's words begin.
pub(crate) fn prompt(tokenizer: &Tokenizer, request: &Request) -> Vec<u32> {
    let mut tokens = Vec::new();
    let mut turn = |who: &str, text: &str| {
        tokens.push(tokenizer.turn);
        tokens.extend(tokenizer.encode(&format!("{who}\n{text}")));
        tokens.push(tokenizer.end);
        tokens.extend(tokenizer.encode("\n"));
    };
    let system = request.system.trim();
    turn("system", if system.is_empty() { NOBODY } else { system });
    for message in &request.messages {
        let who = match message.role {
            Role::User => "user",
            Role::Model => "assistant",
        };
        turn(who, message.text.trim());
    }
    tokens.push(tokenizer.turn);
    tokens.extend(tokenizer.encode("assistant\n"));
    tokens
}

/// Writes one reply.
pub(crate) struct Writer<'m, 'c> {
    model: &'m LocalModel,
    session: Session<'m>,
    sampler: Sampler,
    stop: &'c dyn Fn() -> bool,
    heard: &'c mut dyn FnMut(&str),
    /// What was written so far.
    pub(crate) text: String,
    recent: Vec<u32>,
    pub(crate) tokens_written: usize,
    /// Most tokens written; beyond them the reply is cut short.
    tokens_max: u32,
    /// The values of fields so far, by name, as labels may quote them.
    values: Vec<(String, String)>,
    /// The share of the option that was just chosen.
    sure: Option<f32>,
    /// The conversation with nobody in particular; nothing where nobody was to be anybody.
    plain: Option<Vec<u32>>,
    /// What was read since the prompt.
    read: Vec<u32>,
}

impl<'m, 'c> Writer<'m, 'c> {
    /// Begins a reply behind this prompt.
    pub(crate) fn begin(
        model: &'m LocalModel,
        request: &Request,
        sampling: Sampling,
        tokens_max: u32,
        stop: &'c dyn Fn() -> bool,
        heard: &'c mut dyn FnMut(&str),
    ) -> Result<Self, Fault> {
        let session = Session::begin(model, &prompt(&model.tokenizer, request))?;
        Ok(Self {
            model,
            session,
            sampler: Sampler::new(sampling),
            stop,
            heard,
            text: String::new(),
            recent: Vec::new(),
            tokens_written: 0,
            tokens_max,
            values: Vec::new(),
            sure: None,
            plain: plain(model, request),
            read: Vec::new(),
        })
    }

    /// Tokens in the session, the prompt included.
    pub(crate) fn tokens(&self) -> usize {
        self.session.len()
    }

    /// Writes text of the form that the model does not choose.
    fn say(&mut self, text: &str) {
        if !text.is_empty() {
            self.text.push_str(text);
            (self.heard)(text);
        }
    }

    /// The next token, written and read. `None` at the model's end of turn.
    fn next(&mut self, allowed: impl Fn(&Tokenizer, u32) -> bool) -> Result<Option<u32>, Fault> {
        if (self.stop)() {
            return Err(Fault::Setup("it was stopped".to_owned()));
        }
        if u32::try_from(self.tokens_written).unwrap_or(u32::MAX) >= self.tokens_max {
            return Err(Fault::CutShort { max_tokens: self.tokens_max });
        }
        let tokenizer = &self.model.tokenizer;
        let is_end = |token| token == tokenizer.end || Some(token) == tokenizer.end_of_text;
        let fine =
            |token| allowed(tokenizer, token) && (is_end(token) || !tokenizer.is_mark(token));
        let recent = self.recent.len().saturating_sub(RECENT);
        let recent = self.recent.get(recent..).unwrap_or_default();
        let token = self.sampler.choose(self.session.scores(), recent, fine);
        self.tokens_written += 1;
        let Some(token) = token.filter(|token| !is_end(*token)) else { return Ok(None) };
        Ok(Some(token))
    }

    /// Takes a token into the reply.
    fn keep(&mut self, token: u32) -> Result<(), Fault> {
        self.recent.push(token);
        self.read.push(token);
        self.session.read(&[token])
    }

    /// Free words, up to the model's end.
    pub(crate) fn words(&mut self) -> Result<(), Fault> {
        let mut line = Line::default();
        loop {
            let first = line.is_empty();
            let token =
                self.next(|tokenizer, token| !(first && is_blank(tokenizer.bytes(token))))?;
            let Some(token) = token else {
                let rest = line.rest();
                self.say(&rest);
                return Ok(());
            };
            line.add(self.model.tokenizer.bytes(token));
            let whole = line.whole_words();
            self.say(&whole);
            self.keep(token)?;
        }
    }

    /// Every field of a shape, as JSON.
    pub(crate) fn form(&mut self, shape: &Shape) -> Result<(), Fault> {
        for (at, field) in shape.fields().iter().enumerate() {
            self.say(if at == 0 { "{" } else { ", " });
            self.say(&format!("{}: ", quoted(field.name())));
            let label = label(field, &self.values);
            let lead = if at == 0 { label.clone() } else { format!("\n{label}") };
            self.lead(&lead)?;
            let sure = self.sure.take();
            match field.kind() {
                Kind::Choice { options } => self.choice(field.name(), &label, options)?,
                Kind::Share { decimals } => self.share(&label, *decimals, sure)?,
                Kind::Text { chars_max } => {
                    self.say("\"");
                    self.line(*chars_max)?;
                    self.say("\"");
                }
                Kind::Number => self.number(field.name())?,
                Kind::List { items_max, chars_max } => self.list(*items_max, *chars_max)?,
                Kind::Numbered { items_max, chars_max } => {
                    self.numbered(*items_max, *chars_max)?;
                }
            }
        }
        self.say("}");
        Ok(())
    }

    /// Words of the form, which the model only reads.
    fn lead(&mut self, text: &str) -> Result<(), Fault> {
        let tokens = self.model.tokenizer.encode(text);
        self.read.extend(&tokens);
        self.session.read(&tokens)
    }

    /// Has the model choose among options, by how likely each is as a whole.
    fn choice(&mut self, name: &str, label: &str, options: &[String]) -> Result<(), Fault> {
        let spaced: Vec<String> = options.iter().map(|option| format!(" {option}")).collect();
        let mut found = match self.plain.clone() {
            Some(plain) => self.beside(plain, &spaced)?,
            None => self.weigh(label, &spaced)?,
        };
        Kernels::detect().softmax(&mut found);
        let best = self.sampler.pick(&found);
        let option = options.get(best).cloned().unwrap_or_default();
        self.lead(spaced.get(best).map(String::as_str).unwrap_or_default())?;
        self.say(&quoted(&option));
        self.values.push((name.to_owned(), option));
        self.sure = found.get(best).copied();
        Ok(())
    }

    /// Right behind a choice: how clearly it was chosen. Elsewhere the mean of the tenths, each by
    /// its share: asked for a number, a small model has a favourite and no opinion.
    #[expect(clippy::cast_precision_loss, reason = "ten digits")]
    fn share(&mut self, label: &str, decimals: usize, sure: Option<f32>) -> Result<(), Fault> {
        self.lead(" 0.")?;
        let mean = if let Some(sure) = sure {
            sure
        } else {
            let digits: Vec<String> = (1..10).map(|digit: u8| digit.to_string()).collect();
            let mut shares = self.weigh(&format!("{label} 0."), &digits)?;
            Kernels::detect().softmax(&mut shares);
            (1..).zip(&shares).map(|(digit, share)| digit as f32 / 10.0 * share).sum()
        };
        let most = if decimals == 1 { 0.9 } else { 0.99 };
        let text = format!("{:.decimals$}", mean.clamp(0.0, most));
        self.lead(text.strip_prefix("0.").unwrap_or("5"))?;
        self.say(&text);
        Ok(())
    }

    /// How much more likely each option is for who the model is to be than for nobody in particular:
    /// a small model has a favourite answer to any question, and a persona moves it a little.
    fn beside(&mut self, plain: Vec<u32>, options: &[String]) -> Result<Vec<f32>, Fault> {
        let mut tokens = plain;
        tokens.extend(&self.read);
        let mut nobody = Session::begin(self.model, &tokens)?;
        let usual = likelihoods(self.model, &mut nobody, options)?;
        drop(nobody);
        let here = likelihoods(self.model, &mut self.session, options)?;
        self.tokens_written += 1;
        Ok(here.iter().zip(&usual).map(|(here, usual)| here - usual).collect())
    }

    /// How much more likely each option is here than where nothing was asked.
    fn weigh(&mut self, label: &str, options: &[String]) -> Result<Vec<f32>, Fault> {
        let habits = habits(self.model, label, options)?;
        let likelihoods = likelihoods(self.model, &mut self.session, options)?;
        self.tokens_written += 1;
        Ok(likelihoods.iter().zip(&habits).map(|(here, usual)| here - usual).collect())
    }

    /// As many lines as are allowed: a small model does not know when to stop.
    fn list(&mut self, items_max: usize, chars_max: usize) -> Result<(), Fault> {
        self.say("[");
        for at in 0..items_max {
            self.lead("\n-")?;
            self.say(if at == 0 { "\"" } else { ", \"" });
            self.line(chars_max)?;
            self.say("\"");
        }
        self.say("]");
        Ok(())
    }

    /// [`Self::list`], each line with the number of what it answers.
    fn numbered(&mut self, items_max: usize, chars_max: usize) -> Result<(), Fault> {
        self.say("[");
        for item in 1..=items_max {
            self.lead(&format!("\n[{item}]"))?;
            let comma = if item == 1 { "" } else { ", " };
            self.say(&format!("{comma}{{\"item\": {item}, \"text\": \""));
            self.line(chars_max)?;
            self.say("\"}");
        }
        self.say("]");
        Ok(())
    }

    /// A whole number: digits, until the model writes something else.
    fn number(&mut self, name: &str) -> Result<(), Fault> {
        let mut digits = String::new();
        while digits.len() < NUMBER_DIGITS {
            let first = digits.is_empty();
            let is_number = |bytes: &[u8]| {
                let bare = bytes.strip_prefix(b" ").filter(|_| first).unwrap_or(bytes);
                !bare.is_empty() && bare.iter().all(u8::is_ascii_digit)
            };
            let token = self.next(|tokenizer, token| {
                let bytes = tokenizer.bytes(token);
                is_number(bytes) || !first
            })?;
            let Some(token) = token else { break };
            let bytes = self.model.tokenizer.bytes(token);
            if !is_number(bytes) {
                break;
            }
            digits.push_str(String::from_utf8_lossy(bytes).trim());
            self.keep(token)?;
        }
        digits.truncate(NUMBER_DIGITS);
        let number = digits.parse::<u64>().unwrap_or_default().to_string();
        self.say(&number);
        self.values.push((name.to_owned(), number));
        Ok(())
    }

    /// One line of words, at most so many characters, said sentence by sentence.
    fn line(&mut self, chars_max: usize) -> Result<(), Fault> {
        let mut line = Line::default();
        let chars_min = LINE_CHARS_MIN.min(chars_max / 3);
        // Tokens of no character at all must not go on for ever.
        for _ in 0..=chars_max {
            let (first, short) = (line.is_empty(), line.chars() < chars_min);
            let token = self.next(|tokenizer, token| {
                let bytes = tokenizer.bytes(token);
                let ends = bytes.is_empty() || bytes.contains(&b'\n');
                !(short && ends || first && is_opening(bytes))
            })?;
            let Some(token) = token else { break };
            let bytes = self.model.tokenizer.bytes(token);
            let end = bytes.iter().position(|byte| *byte == b'\n');
            line.add(bytes.get(..end.unwrap_or(bytes.len())).unwrap_or_default());
            if end.is_some() {
                break;
            }
            if line.chars() > chars_max {
                let cut = line.cut(chars_max);
                self.say(&escaped(&cut));
                return Ok(());
            }
            let whole = line.whole_sentences();
            self.say(&escaped(&whole));
            self.keep(token)?;
        }
        let rest = line.rest();
        self.say(&escaped(&rest));
        Ok(())
    }
}

/// The conversation without the words on who the model is to be: the first of several paragraphs of
/// what is said to it beforehand.
fn plain(model: &LocalModel, request: &Request) -> Option<Vec<u32>> {
    let (_persona, rest) = request.system.split_once("\n\n")?;
    let nobody = Request { system: rest.to_owned(), ..request.clone() };
    Some(prompt(&model.tokenizer, &nobody))
}

/// How likely options are where nothing was asked, which is the model's habit and not its opinion.
fn habits(model: &LocalModel, label: &str, options: &[String]) -> Result<Vec<f32>, Fault> {
    let key = format!("{label}\n{}", options.join("\n"));
    if let Some(known) = lock(&model.habits).get(&key) {
        return Ok(known.clone());
    }
    let mut tokens = prompt(&model.tokenizer, &Request::new("Answer."));
    tokens.extend(model.tokenizer.encode(label));
    let mut session = Session::begin(model, &tokens)?;
    let found = likelihoods(model, &mut session, options)?;
    lock(&model.habits).insert(key, found.clone());
    Ok(found)
}

/// How likely each option is to follow, token by token.
fn likelihoods(
    model: &LocalModel,
    session: &mut Session<'_>,
    options: &[String],
) -> Result<Vec<f32>, Fault> {
    let tokens = options.iter().map(|option| model.tokenizer.encode(option));
    tokens.map(|tokens| session.likelihood(&tokens)).collect()
}

/// What stands before a field in the form: what is said about it, else its name. `{name}` stands
/// for what was chosen in the field of that name; words that end in "..." are gone on with.
fn label(field: &Field, values: &[(String, String)]) -> String {
    let about = field.described().trim();
    let mut words =
        if about.is_empty() { field.name().replace('_', " ") } else { about.to_owned() };
    for (name, value) in values {
        words = words.replace(&format!("{{{name}}}"), value);
    }
    if let Some(words) = words.strip_suffix("...") {
        return capitalised(words);
    }
    format!("{}:", capitalised(words.trim_end_matches(['.', ':'])))
}

/// With a capital at the beginning.
pub(super) fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().map(|c| c.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}", chars.as_str())
}

/// Whether a token is nothing but blanks.
fn is_blank(bytes: &[u8]) -> bool {
    bytes.iter().all(u8::is_ascii_whitespace)
}

/// Signs that a line of plain words does not begin with.
fn is_opening(bytes: &[u8]) -> bool {
    let first = bytes.iter().find(|byte| **byte != b' ');
    first.is_none_or(|byte| b"\n\"'([{*#-:;,.".contains(byte))
}

/// A text as a JSON string.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// A text inside a JSON string.
fn escaped(text: &str) -> String {
    let quoted = quoted(text);
    quoted.get(1..quoted.len().saturating_sub(1)).unwrap_or_default().to_owned()
}
