//! From the file's text to values. Every error names the line.

mod agents;
mod debate;
mod limits;
mod protocol;

use std::num::NonZeroUsize;
use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::error::{Error, Result, err};
use rebuttal_llm::{Address, Api, KeyRef, PlainHttp, Settings};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::{
    CACHE_MB, Cache, Config, Embeddings, InferenceBy, JudgeConfig, Reconcile, Semantics, Set,
};
use crate::judge::When;
use rebuttal_text::nearest;

pub use protocol::sees;

const SECTIONS: [&str; 7] =
    ["semantics", "providers", "agents", "presets", "debate", "reconcile", "judge"];
const JUDGE: [&str; 4] = ["agent", "ask", "sure", "budget_usd"];
const RECONCILE: [&str; 3] = ["authority", "tolerance", "arbiter"];
const SEMANTICS: [&str; 4] = ["embeddings", "inference", "cache", "threads"];
const ENDPOINT: [&str; 5] = ["endpoint", "api", "model", "key", "plain_http"];
const UNENCRYPTED: &str = "the key would travel unencrypted to another machine; use https, or \
                           write plain_http = true";
/// More threads than this is a slip.
const MOST_THREADS: usize = 1024;

/// A value in the file.
type Item<'t> = Spanned<DeValue<'t>>;

/// Reads the whole file.
pub(super) fn sections(text: &str, path: &Path) -> Result<Config> {
    let file = Source { text, path };
    let parsed = DeTable::parse(text).map_err(|error| {
        let at = error.span().unwrap_or_default();
        file.error(&at, error.message())
    })?;
    let top = parsed.get_ref();
    file.check_keys(top, &SECTIONS, "section")?;
    let semantics = top.get("semantics").map(|section| semantics(&file, section)).transpose()?;
    let providers = top.get("providers").map(|section| file.providers(section)).transpose()?;
    let providers = providers.unwrap_or_default();
    let agents = file.agents(top.get("agents"), &providers)?;
    let presets = top.get("presets").map(|section| file.presets(section)).transpose()?;
    let presets = presets.unwrap_or_default();
    let debate = top.get("debate").map(|section| file.debate(section, &presets)).transpose()?;
    let reconcile = top.get("reconcile").map(|section| reconcile(&file, section)).transpose()?;
    let judge = top.get("judge").map(|section| judge(&file, section)).transpose()?;
    Ok(Config {
        file: None,
        semantics: semantics.unwrap_or_default(),
        providers,
        agents,
        presets,
        debate: debate.unwrap_or_default(),
        reconcile: reconcile.unwrap_or_default(),
        judge: judge.unwrap_or_default(),
    })
}

fn reconcile(file: &Source<'_>, section: &Item<'_>) -> Result<Reconcile> {
    let table = file.table(section, "[reconcile]")?;
    file.check_keys(table, &RECONCILE, "key")?;
    let mut reconcile = Reconcile::default();
    if let Some(item) = table.get("authority") {
        reconcile.authority = file.set(item, Some(file.path(item, "authority")?));
    }
    if let Some(item) = table.get("tolerance") {
        let share = decimal(item).filter(|share| (0.0..=1.0).contains(share));
        let ways = "`tolerance` must be a number from 0 to 1, for example 0.05";
        let share = share.ok_or_else(|| file.error(&item.span(), ways))?;
        reconcile.tolerance = file.set(item, share);
    }
    if let Some(item) = table.get("arbiter") {
        let name = file.text(item, "arbiter")?;
        reconcile.arbiter = file.set(item, (name != "none").then(|| name.to_owned()));
    }
    Ok(reconcile)
}

fn judge(file: &Source<'_>, section: &Item<'_>) -> Result<JudgeConfig> {
    let table = file.table(section, "[judge]")?;
    file.check_keys(table, &JUDGE, "key")?;
    let mut judge = JudgeConfig::default();
    if let Some(item) = table.get("agent") {
        let name = file.text(item, "agent")?;
        judge.agent = file.set(item, (name != "none").then(|| name.to_owned()));
    }
    if let Some(item) = table.get("ask") {
        let when = match file.text(item, "ask")? {
            "unsure" => When::Unsure,
            "all" => When::Always,
            _ => return Err(file.error(&item.span(), "`ask` must be \"unsure\" or \"all\"")),
        };
        judge.ask = file.set(item, when);
    }
    if let Some(item) = table.get("sure") {
        let share = decimal(item).filter(|share| (0.0..=1.0).contains(share));
        let ways = "`sure` must be a number from 0 to 1, for example 0.85";
        judge.sure = file.set(item, share.ok_or_else(|| file.error(&item.span(), ways))?);
    }
    if let Some(item) = table.get("budget_usd") {
        let dollars = decimal(item).filter(|dollars| dollars.is_finite() && *dollars >= 0.0);
        let ways = "`budget_usd` must be a number of dollars, for example 0.50";
        judge.budget_usd =
            file.set(item, Some(dollars.ok_or_else(|| file.error(&item.span(), ways))?));
    }
    Ok(judge)
}

fn semantics(file: &Source<'_>, section: &Item<'_>) -> Result<Semantics> {
    let table = file.table(section, "[semantics]")?;
    file.check_keys(table, &SEMANTICS, "key")?;
    let mut semantics = Semantics::default();
    if let Some(item) = table.get("embeddings") {
        semantics.embeddings = file.set(item, file.embeddings(item)?);
    }
    if let Some(item) = table.get("inference") {
        semantics.inference = file.set(item, file.inference(item)?);
    }
    if let Some(item) = table.get("cache") {
        semantics.cache = file.set(item, file.cache(item)?);
    }
    if let Some(item) = table.get("threads") {
        semantics.threads = file.set(item, file.threads(item)?);
    }
    Ok(semantics)
}

/// The file, for messages and for what is relative to it.
struct Source<'f> {
    text: &'f str,
    path: &'f Path,
}

impl Source<'_> {
    /// The line of a byte, counted from 1.
    fn line(&self, at: &Range<usize>) -> usize {
        1 + self.text.get(..at.start).unwrap_or_default().matches('\n').count()
    }

    fn error(&self, at: &Range<usize>, reason: impl std::fmt::Display) -> Error {
        self.error_at(self.line(at), reason)
    }

    fn error_at(&self, line: usize, reason: impl std::fmt::Display) -> Error {
        err!("{}:{line}: {reason}", self.path.display())
    }

    fn set<T>(&self, item: &Item<'_>, value: T) -> Set<T> {
        Set { value, line: Some(self.line(&item.span())) }
    }

    /// Refuses keys nobody reads: a slip must not silently mean the default.
    fn check_keys(&self, table: &DeTable<'_>, known: &[&str], what: &str) -> Result<()> {
        for (key, _) in table {
            let name = key.get_ref().as_ref();
            if !known.contains(&name) {
                // The first letter is rarely the one that is wrong: `modle` is no `idle`.
                let begin = |word: &str| word.chars().next();
                let alike: Vec<&str> =
                    known.iter().copied().filter(|key| begin(key) == begin(name)).collect();
                let hint = match nearest(name, &alike).or_else(|| nearest(name, known)) {
                    Some(nearest) => format!("did you mean `{nearest}`?"),
                    None => format!("there are {}", known.join(", ")),
                };
                return Err(self.error(&key.span(), format!("unknown {what} `{name}`; {hint}")));
            }
        }
        Ok(())
    }

    fn table<'i, 't>(&self, item: &'i Item<'t>, name: &str) -> Result<&'i DeTable<'t>> {
        item.get_ref()
            .as_table()
            .ok_or_else(|| self.error(&item.span(), format!("{name} must be a table")))
    }

    /// A text that is there and not empty.
    fn text<'i>(&self, item: &'i Item<'_>, name: &str) -> Result<&'i str> {
        let text = item.get_ref().as_str().filter(|text| !text.trim().is_empty());
        text.ok_or_else(|| self.error(&item.span(), format!("`{name}` must be a text in quotes")))
    }

    /// A path, relative to the file.
    fn path(&self, item: &Item<'_>, name: &str) -> Result<PathBuf> {
        let text = self.text(item, name)?;
        Ok(self.path.parent().unwrap_or(Path::new("")).join(text))
    }

    fn embeddings(&self, item: &Item<'_>) -> Result<Embeddings> {
        const WAYS: &str = "`embeddings` must be \"builtin\", { folder = \"…\" } or { endpoint = \"…\", model = \"…\" }";
        match item.get_ref() {
            DeValue::String(word) if word == "builtin" => Ok(Embeddings::Builtin),
            DeValue::Table(table) if table.contains_key("endpoint") => {
                Ok(Embeddings::Endpoint(Box::new(self.endpoint(item, table)?)))
            }
            DeValue::Table(table) if table.contains_key("folder") => {
                self.folder(table).map(Embeddings::Folder)
            }
            DeValue::Table(table) => {
                let all: Vec<&str> = ENDPOINT.into_iter().chain(["folder"]).collect();
                self.check_keys(table, &all, "key")?;
                Err(self.error(&item.span(), WAYS))
            }
            _ => Err(self.error(&item.span(), WAYS)),
        }
    }

    fn inference(&self, item: &Item<'_>) -> Result<InferenceBy> {
        match item.get_ref() {
            DeValue::String(word) if word == "builtin" => Ok(InferenceBy::Builtin),
            DeValue::String(word) if word == "rules" => Ok(InferenceBy::Rules),
            DeValue::Table(table) if table.contains_key("folder") => {
                self.folder(table).map(InferenceBy::Folder)
            }
            other => {
                if let DeValue::Table(table) = other {
                    self.check_keys(table, &["folder"], "key")?;
                }
                let ways = "`inference` must be \"builtin\", \"rules\" or { folder = \"…\" }";
                Err(self.error(&item.span(), ways))
            }
        }
    }

    /// A model in a folder.
    fn folder(&self, table: &DeTable<'_>) -> Result<PathBuf> {
        self.check_keys(table, &["folder"], "key")?;
        table.get("folder").map_or_else(|| Ok(PathBuf::new()), |item| self.path(item, "folder"))
    }

    /// A model on a server.
    fn endpoint(&self, whole: &Item<'_>, table: &DeTable<'_>) -> Result<Settings> {
        self.check_keys(table, &ENDPOINT, "key")?;
        let missing = |name| self.error(&whole.span(), format!("an endpoint needs `{name}`"));
        let required = |name| table.get(name).ok_or_else(|| missing(name));
        let endpoint = required("endpoint")?;
        let text = self.text(endpoint, "endpoint")?;
        let address: Address = self.parsed(endpoint, text)?;
        let api = match table.get("api") {
            Some(item) => self.parsed(item, self.text(item, "api")?)?,
            None => Api::OpenAi,
        };
        let model = self.text(required("model")?, "model")?;
        let mut settings = Settings::new(address, api, model);
        if let Some(item) = table.get("plain_http") {
            settings.plain_http = self.plain_http(item)?;
        }
        if let Some(item) = table.get("key") {
            settings.key = Some(self.key(item)?);
            if !settings.address.may_carry_a_key(settings.plain_http) {
                return Err(self.error(&item.span(), UNENCRYPTED));
            }
        }
        Ok(settings)
    }

    fn plain_http(&self, item: &Item<'_>) -> Result<PlainHttp> {
        match item.get_ref().as_bool() {
            Some(true) => Ok(PlainHttp::Anywhere),
            Some(false) => Ok(PlainHttp::Loopback),
            None => Err(self.error(&item.span(), "`plain_http` must be true or false")),
        }
    }

    fn key(&self, item: &Item<'_>) -> Result<KeyRef> {
        // Not `self.text`, whose message would be about quotes.
        let key: KeyRef = self.parsed(item, item.get_ref().as_str().unwrap_or_default())?;
        Ok(match key {
            KeyRef::File(path) => {
                KeyRef::File(self.path.parent().unwrap_or(Path::new("")).join(path))
            }
            KeyRef::Env(_) => key,
        })
    }

    /// What a library reads, with its error at the right line.
    fn parsed<T>(&self, item: &Item<'_>, text: &str) -> Result<T>
    where
        T: std::str::FromStr<Err = rebuttal_llm::LlmError>,
    {
        text.parse().map_err(|error| self.error(&item.span(), error))
    }

    fn cache(&self, item: &Item<'_>) -> Result<Option<Cache>> {
        if item.get_ref().as_str() == Some("none") {
            return Ok(None);
        }
        let ways = "`cache` must be \"none\" or { folder = \"…\", max_mb = 512 }";
        let Some(table) = item.get_ref().as_table() else {
            return Err(self.error(&item.span(), ways));
        };
        self.check_keys(table, &["folder", "max_mb"], "key")?;
        let folder = table.get("folder").ok_or_else(|| self.error(&item.span(), ways))?;
        let folder = self.path(folder, "folder")?;
        let max_mb = match table.get("max_mb") {
            None => CACHE_MB,
            Some(item) => number(item).filter(|mb| *mb > 0).ok_or_else(|| {
                self.error(&item.span(), "`max_mb` must be a whole number above 0")
            })?,
        };
        Ok(Some(Cache { folder, max_mb }))
    }

    fn threads(&self, item: &Item<'_>) -> Result<Option<NonZeroUsize>> {
        if item.get_ref().as_str() == Some("all") {
            return Ok(None);
        }
        let threads = number(item).and_then(|threads| usize::try_from(threads).ok());
        let threads = threads.filter(|threads| *threads <= MOST_THREADS);
        threads.and_then(NonZeroUsize::new).map(Some).ok_or_else(|| {
            let ways = format!("`threads` must be \"all\" or a number from 1 to {MOST_THREADS}");
            self.error(&item.span(), ways)
        })
    }
}

/// A number, with or without a point.
fn decimal(item: &Item<'_>) -> Option<f64> {
    match item.get_ref().as_float() {
        Some(float) => float.as_str().parse().ok(),
        None => u32::try_from(number(item)?).ok().map(f64::from),
    }
}

/// A whole number that is not negative.
fn number(item: &Item<'_>) -> Option<u64> {
    let number = item.get_ref().as_integer()?;
    u64::from_str_radix(number.as_str(), number.radix()).ok()
}
