//! Which sources count for more than others: a policy file, not code.
//!
//! ```toml
//! # Best first; each `>` is one rule. `other` is everything that is not named.
//! rules = ["GCC-STAT > World Bank > other"]
//!
//! # Other names of a source.
//! [aliases]
//! "World Bank" = ["WDI", "World Development Indicators"]
//!
//! # Tiers, best first: every source of one stands above every source of the next, and beside those
//! # of its own. Without `sources`, the name is the source.
//! [[tier]]
//! name = "national offices"
//! sources = ["Planning and Statistics Authority", "Eurostat"]
//!
//! [[tier]]
//! name = "press"
//! sources = ["Reuters"]
//!
//! # What holds for one metric first; the rest of the file holds where this says nothing.
//! [[metric]]
//! name = "oil exports"
//! rules = ["OPEC > GCC-STAT"]
//! ```
//!
//! A source that the file does not name never stands above one that it does, and two such sources
//! tie. Tiers are taken before rules, and rules in their order; a rule that would close a circle is
//! left out and said to be. Whatever is wrong with a file costs what is wrong, and no more.

mod order;
mod read;

use std::collections::BTreeMap;
use std::sync::Arc;

use rebuttal_model::Problem;

use crate::words::{names, runs, words};
use order::Order;

/// Words of a citation in which a source's name is looked for. Citations are short; a longer text
/// names its source early or is none.
const WORDS: usize = 200;

/// How two sources stand to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Standing {
    /// The first counts for more.
    Above,
    /// The second counts for more.
    Below,
    /// The policy does not say, or they are one source.
    Tied,
}

/// Which sources count for more than others. The default knows none, so that all tie.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Authority {
    sources: Vec<Source>,
    /// The sources by the keys of their names and aliases.
    keys: BTreeMap<String, usize>,
    general: Order,
    metrics: Vec<Metric>,
}

#[derive(Clone, Debug, PartialEq)]
struct Source {
    name: String,
    /// True when a tier or a rule names it; an alias alone gives no rank.
    ranked: bool,
}

/// What holds for one metric.
#[derive(Clone, Debug, PartialEq)]
struct Metric {
    key: String,
    order: Order,
}

impl Authority {
    /// The documented example: `GCC-STAT > World Bank > other`.
    pub const EXAMPLE: &str = "rules = [\"GCC-STAT > World Bank > other\"]\n";

    /// Reads a policy file. `file` is its name as the user knows it, for the problems.
    ///
    /// ```
    /// use rebuttal_policy::{Authority, Standing};
    ///
    /// let text = "rules = [\n  \"GCC-STAT > World Bank\",\n  \"World Bank > GCC-STAT\",\n]\ntires = 1\n";
    /// let (authority, problems) = Authority::read(text, "authority.toml");
    /// assert_eq!(
    ///     problems.iter().map(ToString::to_string).collect::<Vec<_>>(),
    ///     [
    ///         "authority.toml:5: unknown key `tires`; did you mean `tier`?",
    ///         "authority.toml:3: this rule closes a circle and is left out: GCC-STAT > World Bank \
    ///          (line 2), World Bank > GCC-STAT (line 3)",
    ///     ]
    /// );
    /// let standing = authority.compare("unemployment", "GCC-STAT Q1-2024", "the World Bank");
    /// assert_eq!(standing, Standing::Above);
    /// ```
    pub fn read(text: &str, file: impl Into<Arc<str>>) -> (Self, Vec<Problem>) {
        read::read(text, file.into())
    }

    /// The policy's name for a source, where a tier or a rule names it.
    ///
    /// Case, punctuation, spaces and hyphens do not count, whole words do. Of several names in one
    /// text the first counts ("IMF, quoting GCC-STAT" is the IMF), and of two that begin at one
    /// word the longer.
    ///
    /// ```
    /// # use rebuttal_policy::Authority;
    /// let (authority, _) = Authority::read(Authority::EXAMPLE, "authority.toml");
    /// assert_eq!(authority.knows("World-Bank WDI 2024"), Some("World Bank"));
    /// assert_eq!(authority.knows("World Bankers Daily"), None);
    /// ```
    pub fn knows(&self, source: &str) -> Option<&str> {
        let index = self.find(source)?;
        self.sources.get(index).map(|source| source.name.as_str())
    }

    /// How two sources stand to each other in a matter of `metric`, whose words are looked through
    /// for the metrics the policy names.
    pub fn compare(&self, metric: &str, one: &str, two: &str) -> Standing {
        self.on(metric).compare(self.find(one), self.find(two))
    }

    /// The order that holds for a metric.
    pub(crate) fn on(&self, metric: &str) -> Ranks<'_> {
        let words = words(metric);
        let own = self.metrics.iter().find(|metric| names(&words, &metric.key));
        Ranks(own.map_or(&self.general, |metric| &metric.order))
    }

    /// The ranked source that a text names first.
    pub(crate) fn find(&self, source: &str) -> Option<usize> {
        let longest = self.keys.keys().map(String::len).max()?;
        let mut words = words(source);
        words.truncate(WORDS);
        let ranked = |index: &usize| self.sources.get(*index).is_some_and(|source| source.ranked);
        (0..words.len()).find_map(|from| {
            let known = runs(&words, from, longest).filter_map(|run| self.keys.get(&run).copied());
            known.filter(ranked).last()
        })
    }
}

/// The order of sources in one matter.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ranks<'a>(&'a Order);

impl Ranks<'_> {
    /// How two sources stand to each other; `None` is one that the policy does not name.
    pub(crate) fn compare(self, one: Option<usize>, two: Option<usize>) -> Standing {
        match (one, two) {
            (Some(_), None) => Standing::Above,
            (None, Some(_)) => Standing::Below,
            (Some(one), Some(two)) if self.0.is_above(one, two) => Standing::Above,
            (Some(one), Some(two)) if self.0.is_above(two, one) => Standing::Below,
            _ => Standing::Tied,
        }
    }
}
