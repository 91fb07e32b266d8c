//! From the policy file's text to an [`Authority`]. Every problem names its line and costs no more
//! than what is wrong.

use std::fmt::Display;
use std::ops::Range;
use std::sync::Arc;

use rebuttal_model::{Problem, ProblemKind, limits};
use rebuttal_text::nearest;
use rebuttal_text::visible;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::order::{Edge, Order};
use super::{Authority, Metric, Source};
use crate::words::{key, short};

/// Most sources that can be ranked. Their order takes the square of it.
const SOURCES: usize = 256;
/// Most metrics with rules of their own, each with an order of its own.
const METRICS: usize = 64;
/// Most rules of one list.
const RULES: usize = 2_000;

const KEYS: [&str; 4] = ["rules", "aliases", "tier", "metric"];
const TIER: [&str; 2] = ["name", "sources"];
const METRIC: [&str; 2] = ["name", "rules"];
/// What everything is that the file does not name.
const OTHER: [&str; 2] = ["other", "others"];

/// A value in the file.
type Item<'t> = Spanned<DeValue<'t>>;

pub(super) fn read(text: &str, file: Arc<str>) -> (Authority, Vec<Problem>) {
    let mut reader = Reader::new(text, file);
    if text.len() as u64 > limits::CONFIG_BYTES {
        let message = format!("is longer than {} bytes and was not read", limits::CONFIG_BYTES);
        reader.say(ProblemKind::Limit, &(0..0), message);
        return (Authority::default(), reader.problems);
    }
    let (parsed, errors) = DeTable::parse_recoverable(text);
    for error in errors {
        let at = error.span().unwrap_or_default();
        reader.say(ProblemKind::Malformed, &at, error.message());
    }
    let top = parsed.get_ref();
    reader.check_keys(top, &KEYS);
    // Before all else, so that a rule may use an alias.
    reader.aliases(top);
    let mut edges = reader.tiers(top);
    if let Some(item) = top.get("rules") {
        edges.extend(reader.rules(item));
    }
    let metrics = reader.metrics(top);
    reader.unused_aliases(top);
    reader.finish(&edges, metrics)
}

/// An edge, and where it stands.
struct Rule {
    edge: Edge,
    at: Range<usize>,
}

/// The rules of one metric.
struct MetricRules {
    key: String,
    rules: Vec<Rule>,
}

struct Reader {
    file: Arc<str>,
    /// Where lines begin.
    lines: Vec<usize>,
    authority: Authority,
    problems: Vec<Problem>,
}

impl Reader {
    fn new(text: &str, file: Arc<str>) -> Self {
        let after_breaks = text.match_indices('\n').map(|(at, _)| at + 1);
        let lines = std::iter::once(0).chain(after_breaks).collect();
        Self { file, lines, authority: Authority::default(), problems: Vec::new() }
    }

    /// The line of a byte, counted from 1.
    fn line(&self, at: &Range<usize>) -> u32 {
        let line = self.lines.partition_point(|start| *start <= at.start);
        u32::try_from(line).unwrap_or(u32::MAX)
    }

    fn say(&mut self, kind: ProblemKind, at: &Range<usize>, message: impl Display) {
        if self.problems.len() < limits::PROBLEMS {
            let line = self.line(at);
            let message = visible(&message.to_string()).into_owned();
            self.problems.push(Problem::new(Arc::clone(&self.file), kind, message).at_line(line));
        }
    }

    fn bad(&mut self, at: &Range<usize>, message: impl Display) {
        // Values that stand nowhere are what the parser put in place of broken ones, and those
        // have been reported.
        if !at.is_empty() {
            self.say(ProblemKind::Malformed, at, message);
        }
    }

    /// Names keys nobody reads: a slip must not silently mean nothing.
    fn check_keys(&mut self, table: &DeTable<'_>, known: &[&str]) {
        let mut unknown: Vec<_> =
            table.keys().filter(|key| !known.contains(&key.get_ref().as_ref())).collect();
        unknown.sort_by_key(|key| key.span().start);
        for key in unknown {
            let name = short(key.get_ref(), limits::NAME_CHARS);
            let hint = match nearest(&name, known) {
                Some(nearest) => format!("did you mean `{nearest}`?"),
                None => format!("there are {}", known.join(", ")),
            };
            self.bad(&key.span(), format!("unknown key `{name}`; {hint}"));
        }
    }

    /// The source of a name, new or known; `None` when it is no name.
    fn source(&mut self, name: &str, at: &Range<usize>) -> Option<usize> {
        let (name, key) = (name.trim(), key(name));
        if key.is_empty() || name.chars().count() > limits::NAME_CHARS {
            let shown = short(name, limits::NAME_CHARS);
            self.bad(at, format!("`{shown}` is no name of a source"));
            return None;
        }
        if let Some(index) = self.authority.keys.get(&key) {
            return Some(*index);
        }
        let index = self.authority.sources.len();
        if index == SOURCES {
            let message = format!("more than {SOURCES} sources; `{name}` is left out");
            self.say(ProblemKind::Limit, at, message);
            return None;
        }
        self.authority.sources.push(Source { name: name.to_owned(), ranked: false });
        self.authority.keys.insert(key, index);
        Some(index)
    }

    /// Checks a name that is given a rank.
    fn ranked(&mut self, name: &str, at: &Range<usize>) -> Option<usize> {
        let index = self.source(name, at)?;
        self.authority.sources.get_mut(index)?.ranked = true;
        Some(index)
    }

    fn name_of(&self, index: usize) -> &str {
        self.authority.sources.get(index).map_or("", |source| &source.name)
    }

    fn aliases(&mut self, top: &DeTable<'_>) {
        let Some(item) = top.get("aliases") else { return };
        let Some(table) = item.get_ref().as_table() else {
            return self.bad(&item.span(), "[aliases] must be a table: \"World Bank\" = [\"WDI\"]");
        };
        // All names first: an alias must not take the name of a source further down.
        for (name, _) in table {
            self.source(name.get_ref(), &name.span());
        }
        for (name, list) in table {
            let Some(index) = self.authority.keys.get(&key(name.get_ref())).copied() else {
                continue;
            };
            for (alias, at) in self.texts(list, "aliases") {
                let key = key(&alias);
                let used_by =
                    self.authority.keys.get(&key).copied().filter(|other| *other != index);
                if let Some(other) = used_by {
                    let message = format!("`{alias}` already means {}", self.name_of(other));
                    self.bad(&at, message);
                } else if key.is_empty() {
                    self.bad(&at, format!("`{alias}` is no name of a source"));
                } else {
                    self.authority.keys.insert(key, index);
                }
            }
        }
    }

    /// An alias of what has no rank is a slip, or a `rules` line below the wrong header.
    fn unused_aliases(&mut self, top: &DeTable<'_>) {
        let Some(table) = top.get("aliases").and_then(|item| item.get_ref().as_table()) else {
            return;
        };
        let ranked: Vec<String> = self
            .authority
            .sources
            .iter()
            .filter(|source| source.ranked)
            .map(|source| source.name.clone())
            .collect();
        let ranked: Vec<&str> = ranked.iter().map(String::as_str).collect();
        for (name, _) in table {
            let index = self.authority.keys.get(&key(name.get_ref())).copied();
            let source = index.and_then(|index| self.authority.sources.get(index));
            if source.is_some_and(|source| !source.ranked) {
                let name_shown = short(name.get_ref(), limits::NAME_CHARS);
                let hint = match nearest(&name_shown, &ranked) {
                    Some(nearest) => format!("did you mean `{nearest}`?"),
                    None => "keys of the file stand above [aliases]".to_owned(),
                };
                let message = format!("no tier or rule names `{name_shown}`; {hint}");
                self.bad(&name.span(), message);
            }
        }
    }

    /// The texts of a list, with their places. What is no text costs itself.
    fn texts(&mut self, item: &Item<'_>, what: &str) -> Vec<(String, Range<usize>)> {
        let Some(list) = item.get_ref().as_array() else {
            self.bad(&item.span(), format!("`{what}` must be a list of texts: [\"…\", \"…\"]"));
            return Vec::new();
        };
        let mut texts = Vec::new();
        for item in list {
            match item.get_ref().as_str() {
                _ if texts.len() == RULES => {
                    let message =
                        format!("`{what}` has more than {RULES} items; the rest is left out");
                    self.say(ProblemKind::Limit, &item.span(), message);
                    break;
                }
                Some(text) => texts.push((text.to_owned(), item.span())),
                None => self.bad(&item.span(), format!("`{what}` holds texts in quotes only")),
            }
        }
        texts
    }

    /// The tables of `[[name]]`, in the order of the file.
    fn tables<'i, 't>(
        &mut self,
        top: &'i DeTable<'t>,
        name: &str,
    ) -> Vec<(&'i DeTable<'t>, Range<usize>)> {
        let Some(item) = top.get(name) else { return Vec::new() };
        let Some(list) = item.get_ref().as_array() else {
            self.bad(&item.span(), format!("write [[{name}]], with two brackets"));
            return Vec::new();
        };
        let mut tables = Vec::new();
        for item in list {
            match item.get_ref().as_table() {
                Some(table) => tables.push((table, item.span())),
                None => self.bad(&item.span(), format!("[[{name}]] must be a table")),
            }
        }
        tables
    }

    /// Everybody of one tier above everybody of those below.
    fn tiers(&mut self, top: &DeTable<'_>) -> Vec<Rule> {
        let mut placed: Vec<usize> = Vec::new();
        let mut rules = Vec::new();
        for (table, at) in self.tables(top, "tier") {
            let mut tier = Vec::new();
            for (name, at) in self.members(table, &at) {
                if OTHER.contains(&key(&name).as_str()) {
                    continue;
                }
                match self.ranked(&name, &at) {
                    Some(source) if placed.contains(&source) || tier.contains(&source) => {
                        let name = self.name_of(source).to_owned();
                        self.bad(
                            &at,
                            format!("{name} already stands in a tier; the first one counts"),
                        );
                    }
                    Some(source) => tier.push(source),
                    None => {}
                }
            }
            let line = self.line(&at);
            for &upper in &placed {
                rules.extend(
                    tier.iter()
                        .map(|&lower| Rule { edge: Edge { upper, lower, line }, at: at.clone() }),
                );
            }
            placed.extend(tier);
        }
        rules
    }

    /// The sources of a tier: those it lists, else its name.
    fn members(&mut self, table: &DeTable<'_>, at: &Range<usize>) -> Vec<(String, Range<usize>)> {
        self.check_keys(table, &TIER);
        if let Some(item) = table.get("sources") {
            return self.texts(item, "sources");
        }
        let name = table.get("name").and_then(|item| Some((item.get_ref().as_str()?, item.span())));
        if let Some((name, at)) = name {
            return vec![(name.to_owned(), at)];
        }
        self.bad(at, "a tier needs `sources`, or a `name` that is its source");
        Vec::new()
    }

    /// `A > B > C` is two rules. A bad link costs itself.
    fn rules(&mut self, item: &Item<'_>) -> Vec<Rule> {
        let mut rules = Vec::new();
        for (text, at) in self.texts(item, "rules") {
            let names: Vec<&str> = text.split('>').collect();
            let shown = short(&text, limits::NAME_CHARS);
            if names.len() < 2 || names.iter().any(|name| key(name).is_empty()) {
                self.bad(&at, format!("`{shown}` is no rule; write \"A > B\""));
                continue;
            }
            let is_other = |name: &&str| OTHER.contains(&key(name).as_str());
            let ranks = names.iter().position(is_other).unwrap_or(names.len());
            if ranks + 1 < names.len() {
                self.bad(
                    &at,
                    format!("in `{shown}` something stands below `other`, which is always last"),
                );
            }
            let ranked: Vec<_> =
                names.iter().take(ranks).map(|name| self.ranked(name, &at)).collect();
            let line = self.line(&at);
            for (upper, lower) in ranked.iter().zip(ranked.iter().skip(1)) {
                if let (Some(upper), Some(lower)) = (*upper, *lower) {
                    rules.push(Rule { edge: Edge { upper, lower, line }, at: at.clone() });
                }
            }
        }
        rules
    }

    fn metrics(&mut self, top: &DeTable<'_>) -> Vec<MetricRules> {
        let mut metrics = Vec::new();
        for (table, at) in self.tables(top, "metric") {
            self.check_keys(table, &METRIC);
            let name = table.get("name").and_then(|item| item.get_ref().as_str()).map(key);
            let (Some(key), Some(rules)) = (name.filter(|key| !key.is_empty()), table.get("rules"))
            else {
                self.bad(&at, "a metric needs a `name` and `rules`");
                continue;
            };
            if metrics.len() == METRICS {
                let message = format!("more than {METRICS} metrics; the rest is left out");
                self.say(ProblemKind::Limit, &at, message);
                break;
            }
            metrics.push(MetricRules { key, rules: self.rules(rules) });
        }
        metrics
    }

    /// Puts the rules in order, now that all sources are known.
    fn finish(mut self, general: &[Rule], metrics: Vec<MetricRules>) -> (Authority, Vec<Problem>) {
        let sources = self.authority.sources.len();
        let mut order = Order::new(sources);
        self.take(&mut order, general);
        for metric in metrics {
            let mut own = Order::new(sources);
            self.take(&mut own, &metric.rules);
            for edge in order.edges() {
                // What the metric turns around is no mistake of the file.
                let _ = own.add(*edge);
            }
            self.authority.metrics.push(Metric { key: metric.key, order: own });
        }
        self.authority.general = order;
        (self.authority, self.problems)
    }

    fn take(&mut self, order: &mut Order, rules: &[Rule]) {
        for rule in rules {
            let Err(circle) = order.add(rule.edge) else { continue };
            let links: Vec<String> = circle
                .iter()
                .map(|Edge { upper, lower, line }| {
                    format!("{} > {} (line {line})", self.name_of(*upper), self.name_of(*lower))
                })
                .collect();
            let links = links.join(", ");
            self.bad(&rule.at, format!("this rule closes a circle and is left out: {links}"));
        }
    }
}
