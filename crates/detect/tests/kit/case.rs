//! Whole cases: the planted claims, what stands beside them, and the texts.

use std::ops::Range;

use super::claim::{Claim, Thing, Trend};
use super::compose::{Laid, lay};
use super::entities::Entity;
use super::mechanism::{Company, Draft, Label, Mechanism};
use super::metrics::{Metric, Trait};
use super::others::agreeing;
use super::period::Period;
use super::render::Place;
use super::rng::Rng;
use super::value::{Shape, Verdict, Written, judge};

/// Groups of things that are not what the case is about start here.
const ASIDE: usize = 100;

/// Reports, and what a careful reader finds in them.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) mechanism: Mechanism,
    pub(crate) reports: Vec<String>,
    /// Every claim with a value or a judgement, where it stands.
    pub(crate) mentions: Vec<Mention>,
    /// Pairs of mentions that cannot both be right.
    pub(crate) conflicts: Vec<(usize, usize)>,
    /// Pairs of mentions that differ and can both be right.
    pub(crate) both_valid: Vec<(usize, usize)>,
    /// Templates used, for the test that all are.
    pub(crate) used: Vec<(&'static str, usize)>,
}

/// One claim in one report.
#[derive(Clone, Debug)]
pub(crate) struct Mention {
    pub(crate) report: usize,
    /// Mentions of one group speak of one thing.
    pub(crate) group: usize,
    /// The value in the report's text; for a judgement, its sentence.
    pub(crate) value: Range<usize>,
    pub(crate) sentence: Range<usize>,
    pub(crate) place: Place,
    /// The words it was put in.
    pub(crate) template: String,
    pub(crate) written: Written,
    pub(crate) thing: Thing,
}

/// Cases without end.
#[derive(Debug)]
pub(crate) struct Cases {
    seed: u64,
    made: u64,
    only: Option<Mechanism>,
}

impl Cases {
    pub(crate) fn new(seed: u64) -> Self {
        Self { seed, made: 0, only: None }
    }

    /// Cases of one mechanism.
    pub(crate) fn of(seed: u64, mechanism: Mechanism) -> Self {
        Self { seed, made: 0, only: Some(mechanism) }
    }
}

impl Iterator for Cases {
    type Item = Case;

    fn next(&mut self) -> Option<Case> {
        // Each case has a seed of its own, so that one can be looked at alone.
        let mut rng = Rng::new(self.seed.wrapping_mul(1_000_003).wrapping_add(self.made));
        self.made += 1;
        let mechanism = self.only.unwrap_or_else(|| Mechanism::any(&mut rng));
        Some(Case::new(&mut rng, mechanism))
    }
}

impl Case {
    fn new(rng: &mut Rng, mechanism: Mechanism) -> Self {
        let mut draft = mechanism.draft(rng);
        surround(rng, &mut draft);
        trends(rng, &mut draft);
        let laid: Vec<Laid> = if draft.company == Company::Copies {
            let first = lay(rng, &draft.reports[0]);
            vec![first; draft.reports.len()]
        } else {
            draft.reports.iter().map(|claims| lay(rng, claims)).collect()
        };
        let mut case = Self {
            mechanism,
            reports: laid.iter().map(|laid| laid.text.clone()).collect(),
            mentions: mentions(&draft, &laid),
            conflicts: Vec::new(),
            both_valid: Vec::new(),
            used: laid.into_iter().flat_map(|laid| laid.used).collect(),
        };
        case.label();
        case
    }

    /// Pairs of reports in it.
    pub(crate) fn pairs(&self) -> usize {
        self.reports.len() * (self.reports.len() - 1) / 2
    }

    fn label(&mut self) {
        for (index, one) in self.mentions.iter().enumerate() {
            for (other, two) in self.mentions.iter().enumerate().skip(index + 1) {
                if one.report == two.report {
                    continue;
                }
                if one.group == two.group && judge(&one.written, &two.written) != Verdict::Agree {
                    self.conflicts.push((index, other));
                }
                let planted = one.group < ASIDE && two.group < ASIDE && one.group != two.group;
                if self.mechanism.label() == Label::BothValid && planted {
                    self.both_valid.push((index, other));
                }
            }
        }
    }
}

fn mentions(draft: &Draft, laid: &[Laid]) -> Vec<Mention> {
    let mut mentions = Vec::new();
    for (report, (claims, laid)) in draft.reports.iter().zip(laid).enumerate() {
        for mark in &laid.marks {
            let claim = &claims[mark.claim];
            mentions.push(Mention {
                report,
                group: claim.thing.group,
                value: mark.value.clone(),
                sentence: mark.sentence.clone(),
                place: mark.place,
                template: mark.template.clone(),
                written: claim.written.clone(),
                thing: claim.thing,
            });
        }
    }
    mentions
}

/// Adds figures for other things: in one report, or in all of them and in agreement.
fn surround(rng: &mut Rng, draft: &mut Draft) {
    let count = match draft.company {
        Company::Crowd => 3 + rng.below(4),
        _ => rng.below(5).saturating_sub(1),
    };
    let copies = draft.company == Company::Copies;
    for group in ASIDE..ASIDE + count {
        let known: Vec<Thing> = draft.reports.iter().flatten().map(|claim| claim.thing).collect();
        let near = *rng.pick(&known);
        let Some(thing) = aside(rng, near, &known, draft.company) else { continue };
        let thing = Thing { group, ..thing };
        let value = thing.metric.value(rng);
        let everywhere = copies || rng.chance(0.3) || draft.company == Company::Crowd;
        let only = rng.below(draft.reports.len());
        let (first, second) = agreeing(rng, thing.metric, value);
        let mut claim = Claim::new(rng, thing, first);
        for (report, claims) in draft.reports.iter_mut().enumerate() {
            if everywhere || report == only {
                claims.push(claim.clone());
            }
            // Two reports may write it in two ways, three must not drift apart.
            if report == 0 && !copies {
                claim = Claim::new(rng, thing, second.clone());
            }
        }
    }
}

/// Something else near to this, that cannot be taken for any of those.
fn aside(rng: &mut Rng, near: Thing, known: &[Thing], company: Company) -> Option<Thing> {
    let metric = near.metric;
    let mut thing = near;
    match rng.below(10) {
        0..4 => thing.metric = Metric::any(rng, metric.of, |other| !other.same(metric))?,
        4..7 => thing.entity = Entity::other(rng, metric.of, &[near.entity]),
        7 | 8 => thing.period = Some(near.period?.other(rng)),
        _ => {
            thing.metric = Metric::any(rng, metric.of, |other| !other.same(metric))?;
            thing.entity = Entity::other(rng, metric.of, &[near.entity]);
        }
    }
    if thing.metric.is(Trait::Yearly) {
        thing.period = thing.period.map(|period| Period::Year(period.year()));
    }
    let distinct = |other: &Thing| {
        !thing.alike(other)
            || matches!((thing.period, other.period), (Some(one), Some(two)) if one.year() != two.year())
                && matches!(company, Company::Any | Company::Crowd)
    };
    known.iter().all(distinct).then_some(thing)
}

/// Lets some figures have risen or fallen, the same way wherever they are mentioned, where no figure
/// of another time could gainsay it.
fn trends(rng: &mut Rng, draft: &mut Draft) {
    let all: Vec<Claim> = draft.reports.iter().flatten().cloned().collect();
    for claim in &all {
        let thing = claim.thing;
        let quiet = |other: &&Claim| {
            other.thing.group == thing.group
                && other.sentence.is_none()
                && other.written.shape == Shape::Exact
                && other.written.low > 0.0
        };
        let alike = || all.iter().filter(|other| other.thing.alike(&thing));
        let settled = draft
            .reports
            .iter()
            .flatten()
            .any(|other| other.thing.group == thing.group && other.trend != Trend::Unsaid);
        let fits = thing.metric.is(Trait::Moves) && thing.period.is_some() && !settled;
        if !fits || alike().count() != alike().filter(quiet).count() || !rng.chance(0.3) {
            continue;
        }
        let trend = if rng.chance(0.5) { Trend::Up } else { Trend::Down };
        let claims = draft.reports.iter_mut().flatten();
        for other in claims.filter(|other| other.thing.group == thing.group) {
            other.trend = trend;
        }
    }
}

impl std::fmt::Display for Case {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "── {}: {:?}", self.mechanism.name(), self.mechanism.label())?;
        for (index, text) in self.reports.iter().enumerate() {
            writeln!(f, "[{index}] {text}")?;
        }
        for (one, two) in self.conflicts.iter().chain(&self.both_valid) {
            let of = |index: usize| {
                let mention = &self.mentions[index];
                let words = &self.reports[mention.report][mention.value.clone()];
                format!("[{}] {words:?} ({:?})", mention.report, mention.place)
            };
            writeln!(f, "    planted: {} against {}", of(*one), of(*two))?;
        }
        Ok(())
    }
}
