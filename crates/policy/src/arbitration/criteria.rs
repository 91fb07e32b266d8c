//! The four criteria, and what each sees. Each is a partial order over the sides, so that the best
//! ones do not depend on the order of the sides.

use jiff::civil::Date;
use rebuttal_model::{Contradiction, ContradictionKind, Side};

use crate::authority::{Authority, Ranks, Standing};
use crate::camps::Camps;
use crate::side::{agent, cited_parts, days, source};
use crate::words::{key, list, short};

/// Stated confidences closer than this are the same, written by different programs.
const SAME_CONFIDENCE: f64 = 1e-9;
/// Longest piece of a citation repeated, in characters.
const PIECE: usize = 160;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Criterion {
    Authority,
    Freshness,
    Completeness,
    Confidence,
}

/// What the criteria go by, for every side.
pub(super) struct Facts<'c> {
    pub(super) contradiction: &'c Contradiction,
    ranks: Ranks<'c>,
    by_side: Vec<Fact<'c>>,
}

struct Fact<'c> {
    side: &'c Side,
    /// The source it names, as a sentence says it.
    source: Option<String>,
    /// That source in the policy.
    rank: Option<usize>,
    /// The days its data are from.
    date: Option<(Date, Date)>,
    /// True when the citation says so, and not only the sentence.
    citation_dated: bool,
    parts: Vec<&'static str>,
    confidence: Option<f64>,
}

impl<'c> Facts<'c> {
    pub(super) fn of(contradiction: &'c Contradiction, authority: &'c Authority) -> Self {
        let name = format!("{} {}", contradiction.metric_name, contradiction.metric);
        let by_side = contradiction.sides.iter().map(|side| Fact::of(side, authority)).collect();
        Self { contradiction, ranks: authority.on(&name), by_side }
    }

    fn get(&self, which: &[usize]) -> Vec<&Fact<'c>> {
        which.iter().filter_map(|index| self.by_side.get(*index)).collect()
    }

    /// The best of some sides by all criteria in turn. What even those leave open says the same
    /// with the same backing; the agent's name decides, so that the order of the sides does not.
    pub(super) fn best_of(&self, which: &[usize]) -> Option<(usize, &'c Side)> {
        let mut left = which.to_vec();
        for criterion in Criterion::ALL {
            left = criterion.best(self, &left);
        }
        let named = left.iter().filter_map(|index| Some((*index, self.by_side.get(*index)?.side)));
        named.min_by_key(|(_, side)| (&side.agent, side.span, side.report))
    }
}

impl<'c> Fact<'c> {
    fn of(side: &'c Side, authority: &Authority) -> Self {
        let mut source = source(side);
        let mut rank = source.as_deref().and_then(|source| authority.find(source));
        // A citation whose source nobody picked out may still hold a name that the policy knows.
        if let (None, Some(citation)) = (&source, &side.citation) {
            rank = authority.find(&citation.text);
            source = rank.map(|_| short(&citation.text, PIECE));
        }
        let cited = side.citation.as_ref().and_then(|citation| citation.period.as_ref()?.days);
        Self {
            side,
            source,
            rank,
            date: cited.or(days(side)),
            citation_dated: cited.is_some(),
            parts: cited_parts(side),
            confidence: side.confidence.map(rebuttal_model::Confidence::value),
        }
    }

    /// More recent from its first to its last day; a year and a quarter of it are neither.
    fn is_fresher(&self, other: &Self) -> bool {
        let (Some(own), Some(others)) = (self.date, other.date) else { return false };
        // Of data for one period, an undated source may be the newer or the older one.
        let one_undated = days(self.side).is_some()
            && days(other.side).is_some()
            && self.citation_dated != other.citation_dated;
        !one_undated && own.0 > others.0 && own.1 > others.1
    }

    /// True unless each names a source, and they name two.
    fn is_of_source(&self, other: &Self) -> bool {
        let sources = self.source.as_deref().zip(other.source.as_deref());
        sources.is_none_or(|(one, two)| key(one) == key(two))
    }

    fn of_source(&self) -> String {
        match &self.source {
            Some(source) => format!("{} cites {source}", agent(self.side)),
            None => format!("{} names no source", agent(self.side)),
        }
    }

    fn of_date(&self) -> String {
        let who = agent(self.side);
        let cited = self.side.citation.as_ref().and_then(|citation| citation.period.as_ref());
        match (cited, &self.side.period) {
            (Some(when), _) if self.citation_dated => {
                format!("{who}'s source is from {}", short(&when.text, PIECE))
            }
            (_, Some(when)) => format!("{who} speaks of {}", short(&when.text, PIECE)),
            _ => format!("{who} gives no date"),
        }
    }

    fn of_parts(&self) -> String {
        let who = agent(self.side);
        match (self.parts.is_empty(), &self.side.citation) {
            (false, _) => format!("{who} {}", list(&self.parts)),
            (true, Some(_)) => format!("{who}'s citation names nothing to check"),
            (true, None) => format!("{who} cites nothing"),
        }
    }

    fn of_confidence(&self) -> String {
        match self.confidence {
            Some(confidence) => format!("{} states confidence {confidence}", agent(self.side)),
            None => format!("{} states no confidence", agent(self.side)),
        }
    }
}

impl Criterion {
    /// In the order they are asked.
    pub(super) const ALL: [Self; 4] =
        [Self::Authority, Self::Freshness, Self::Completeness, Self::Confidence];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Authority => super::AUTHORITY,
            Self::Freshness => "freshness",
            Self::Completeness => "citation completeness",
            Self::Confidence => "stated confidence",
        }
    }

    /// Those that no other beats.
    pub(super) fn best(self, facts: &Facts<'_>, left: &[usize]) -> Vec<usize> {
        let all = facts.get(left);
        let unbeaten = |index: &&usize| {
            let own = facts.by_side.get(**index);
            own.is_some_and(|own| !all.iter().any(|other| self.beats(facts, other, own)))
        };
        left.iter().filter(unbeaten).copied().collect()
    }

    fn beats(self, facts: &Facts<'_>, one: &Fact<'_>, two: &Fact<'_>) -> bool {
        let copied = facts.contradiction.kind == ContradictionKind::SourceData;
        let one_source = copied && one.is_of_source(two);
        match self {
            // Two numbers of one source and period differ in neither.
            Self::Authority | Self::Freshness if one_source => false,
            Self::Authority => {
                one.source.is_some()
                    && two.source.is_some()
                    && facts.ranks.compare(one.rank, two.rank) == Standing::Above
            }
            Self::Freshness => one.is_fresher(two),
            Self::Completeness => one.parts.len() > two.parts.len(),
            Self::Confidence => match (one.confidence, two.confidence) {
                (Some(one), Some(two)) => one > two + SAME_CONFIDENCE,
                _ => false,
            },
        }
    }

    /// One sentence: what each of those left gives, and what follows.
    pub(super) fn saw(self, facts: &Facts<'_>, left: &[usize], best: &[usize]) -> String {
        let all = facts.get(left);
        let (winners, losers): (Vec<_>, Vec<_>) = left.iter().partition(|side| best.contains(side));
        let losers = facts.get(&losers);
        let winners: Vec<&Fact<'_>> = facts
            .get(&winners)
            .into_iter()
            .filter(|one| losers.iter().any(|two| self.beats(facts, one, two)))
            .collect();
        let given = list(all.iter().map(|fact| match self {
            Self::Authority => fact.of_source(),
            Self::Freshness => fact.of_date(),
            Self::Completeness => fact.of_parts(),
            Self::Confidence => fact.of_confidence(),
        }));
        let follows = if losers.is_empty() {
            self.tie(facts, &all).to_owned()
        } else {
            self.lead(&winners, &losers)
        };
        format!("{given}; {follows}.")
    }

    fn tie(self, facts: &Facts<'_>, left: &[&Fact<'_>]) -> &'static str {
        let copied = facts.contradiction.kind == ContradictionKind::SourceData;
        let one_source = copied
            && left.first().is_some_and(|first| left.iter().all(|it| it.is_of_source(first)));
        match self {
            Self::Authority if one_source => {
                "one source does not give two numbers for one thing, so one was copied wrongly"
            }
            Self::Freshness if one_source => "one source and period are as fresh as each other",
            Self::Authority => "the policy ranks none above another",
            Self::Freshness => "none is known to be more recent",
            Self::Completeness => "no citation is more complete",
            Self::Confidence => "nobody is known to be surer",
        }
    }

    fn lead(self, winners: &[&Fact<'_>], losers: &[&Fact<'_>]) -> String {
        let agents = list(winners.iter().map(|fact| agent(fact.side)));
        match self {
            Self::Authority => {
                let sources = |facts: &[&Fact<'_>]| {
                    let mut sources: Vec<_> =
                        facts.iter().filter_map(|fact| fact.source.clone()).collect();
                    sources.sort();
                    sources.dedup();
                    list(sources)
                };
                format!("the policy ranks {} above {}", sources(winners), sources(losers))
            }
            Self::Freshness => format!("the more recent data are those of {agents}"),
            Self::Completeness => format!("more complete is the citation of {agents}"),
            Self::Confidence => format!("surer is {agents}"),
        }
    }

    /// How sure a ruling is that this criterion decided; the table stands in the module's docs.
    pub(super) fn confidence(
        self,
        facts: &Facts<'_>,
        camps: &Camps,
        best: &[usize],
        left: &[usize],
    ) -> f64 {
        let is_rival = |index: &usize| best.first().is_none_or(|best| !camps.same(*best, *index));
        let rivals: Vec<usize> = left.iter().copied().filter(is_rival).collect();
        let (best, rivals) = (facts.get(best), facts.get(&rivals));
        match self {
            Self::Authority if rivals.iter().all(|rival| rival.rank.is_some()) => 0.85,
            Self::Authority => 0.75,
            Self::Freshness => {
                let year_ahead = |one: &Fact<'_>, two: &Fact<'_>| match (one.date, two.date) {
                    (Some(one), Some(two)) => (one.1 - two.1).get_days() >= 365,
                    _ => false,
                };
                let clear = rivals.iter().all(|two| best.iter().any(|one| year_ahead(one, two)));
                if clear { 0.75 } else { 0.65 }
            }
            Self::Completeness => {
                let most = |facts: &[&Fact<'_>]| {
                    facts.iter().map(|fact| fact.parts.len()).max().unwrap_or_default()
                };
                let lead = most(&best).saturating_sub(most(&rivals)).min(4);
                [0.55, 0.6, 0.65, 0.7, 0.75].get(lead).copied().unwrap_or(0.55)
            }
            Self::Confidence => {
                let most = |facts: &[&Fact<'_>]| {
                    facts.iter().filter_map(|fact| fact.confidence).fold(0.0, f64::max)
                };
                (0.5 + (most(&best) - most(&rivals)) / 2.0).min(0.7)
            }
        }
    }
}
