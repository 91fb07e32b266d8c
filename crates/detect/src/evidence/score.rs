//! From counted sentences to the four figures.

use rebuttal_model::{Quality, QualityWeights};

use super::sources;
use super::statement::{Statement, StatementKind, link};

/// A source supports a vague claim this much less: there is nothing in it to look up.
const VAGUE_CLAIM: f32 = 0.4;
/// What references are worth that are heaped on a bare opinion.
const STUFFED: f32 = 0.3;
/// What a figure gets from a source earlier in its paragraph.
const CONTINUED: f32 = 0.8;
/// What a conclusion gets from a premise that has a source.
const CONCLUDED: f32 = 0.7;
/// What a claim gets from the sentence beside it that is about the same and has a source.
const BESIDE: f32 = 0.5;
/// What a claim gets from the best-supported item of the list under it.
const LISTED: f32 = 0.5;
/// A claim that has this much of its own is not helped by what stands beside it.
const OWN_ENOUGH: f32 = 0.5;
/// What a claim gets from the table beside it, and how particular its figures make it.
const TABLE: f32 = 0.6;
/// The bit of a figure among the kinds.
const DATA: u32 = 1;
/// Kinds of evidence that reach the full score.
const KINDS: f32 = 3.0;
/// Claims for each link that reach the full score.
const CLAIMS_A_LINK: f32 = 2.0;
/// The most that reasoning counts in the mean where nothing it starts from is given: no source, no
/// figure, no case.
const FROM_NOTHING: f64 = 0.4;
/// The more of it, the more evidence it takes to move specificity away from one half.
const DOUBT: f32 = 0.25;
/// More particulars in one sentence add nothing.
const MOST_PARTICULARS: f32 = 3.0;

/// How far each statement is supported, 0 to 1.
pub(super) fn supports(statements: &[Statement], out: &mut Vec<f32>) {
    out.clear();
    // The best source so far in this paragraph, and what the statement before has.
    let (mut source, mut last, mut paragraph) = (0.0f32, 0.0f32, 0);
    for (at, own) in statements.iter().enumerate() {
        if own.paragraph != paragraph {
            (source, last, paragraph) = (0.0, 0.0, own.paragraph);
        }
        let mut best = direct(own);
        source = source.max(best);
        if best < OWN_ENOUGH {
            best = best.max(from_others(statements, at, own, (source, last)));
        }
        if has_table(statements, at) {
            best = best.max(TABLE);
        }
        last = best;
        out.push(if is_vague(own) { best * VAGUE_CLAIM } else { best });
    }
    from_lists(statements, out);
}

/// Whether the rows of a table with figures stand right before or after a statement.
fn has_table(statements: &[Statement], at: usize) -> bool {
    let row =
        |at: Option<usize>| at.and_then(|at| statements.get(at)).is_some_and(|beside| beside.row);
    row(at.checked_sub(1)) || row(Some(at + 1))
}

/// What is listed under a statement is given for it, unless it turns to another matter.
fn from_lists(statements: &[Statement], supports: &mut [f32]) {
    let mut listed: f32 = 0.0;
    let (mut under, mut paragraph) = (false, 0);
    for (own, support) in statements.iter().zip(supports.iter_mut()).rev() {
        if own.item {
            listed = if under { listed } else { 0.0 };
            listed = listed.max(if own.aside { 0.0 } else { *support });
            (under, paragraph) = (true, own.paragraph);
        } else {
            under = false;
            // An empty line may stand before the list; what is further up has nothing to do with it.
            listed = if own.paragraph + 1 < paragraph { 0.0 } else { listed };
            let own_worth = if is_vague(own) { VAGUE_CLAIM } else { 1.0 };
            *support = support.max(listed * LISTED * own_worth);
        }
    }
}

/// Nothing in it could be checked.
fn is_vague(own: &Statement) -> bool {
    own.particulars == 0.0 && (own.vague > 0 || own.content < 3)
}

/// References hung on what gives no figure and no name, two or more of them: nobody can say which of
/// them says what.
fn is_stuffed(own: &Statement) -> bool {
    own.sources > 1 && own.data == 0 && own.links == 0.0
}

fn direct(own: &Statement) -> f32 {
    let source = if is_stuffed(own) { own.source * STUFFED } else { own.source };
    source.max(if own.quotation { 0.6 } else { 0.0 })
}

/// What a statement without a source of its own gets from others of its paragraph.
fn from_others(
    statements: &[Statement],
    at: usize,
    own: &Statement,
    (source, last): (f32, f32),
) -> f32 {
    let before = at.checked_sub(1).and_then(|at| statements.get(at));
    let before = before.filter(|before| before.paragraph == own.paragraph);
    let after = statements.get(at + 1).filter(|after| after.paragraph == own.paragraph);
    let mut best: f32 = 0.0;
    // A note of its own after the full stop: "… is faster. [1]"
    if let Some(after) = after.filter(|after| is_note(after)) {
        best = best.max(after.source);
    }
    if own.data > 0 {
        best = best.max(source * CONTINUED);
        if after.is_some_and(|after| after.origin) || before.is_some_and(|before| before.origin) {
            best = best.max(sources::KIND);
        }
    }
    if own.concludes {
        best = best.max(last * CONCLUDED);
    }
    for beside in [before, after].into_iter().flatten() {
        let shared = (own.stems & beside.stems).count_ones() >= 2;
        if shared || beside.back || own.back || beside.example {
            best = best.max(direct(beside) * BESIDE);
        }
    }
    best
}

fn is_note(statement: &Statement) -> bool {
    statement.kind == StatementKind::Nothing && statement.content < 2
}

/// The four figures and their mean.
pub(super) fn quality(
    statements: &[Statement],
    supports: &[f32],
    weights: &QualityWeights,
) -> Quality {
    let mut sums = Sums::default();
    for (at, (own, support)) in statements.iter().zip(supports).enumerate() {
        // What turns to another matter says nothing on this one.
        if own.kind != StatementKind::Nothing && !own.aside {
            sums.add(statements, at, own, *support);
        }
    }
    if sums.stated == 0.0 {
        sums.table(statements);
    }
    sums.quality(weights)
}

#[derive(Default)]
struct Sums {
    claims: f32,
    advice: f32,
    support: f32,
    specific: f32,
    stated: f32,
    links: f32,
    kinds: u8,
}

impl Sums {
    fn add(&mut self, statements: &[Statement], at: usize, own: &Statement, support: f32) {
        self.stated += 1.0;
        if own.kind == StatementKind::Advice && own.source == 0.0 {
            self.advice += 1.0;
        } else {
            self.claims += 1.0;
            self.support += support;
        }
        let table = has_table(statements, at);
        let shown = if table { own.particulars.max(1.0) } else { own.particulars };
        let particulars = shown.min(MOST_PARTICULARS);
        let vague = f32::from(own.vague);
        self.specific += (particulars + DOUBT) / (particulars + vague + 2.0 * DOUBT);
        self.links += own.links.min(2.0);
        if own.concludes {
            let earlier = statements.get(..at).unwrap_or_default().iter().rev();
            let mut stated = earlier.filter(|other| other.kind != StatementKind::Nothing);
            if let Some(before) = stated.next() {
                self.links += link(before.stems, own.stems, before.particulars > 0.0);
            }
        }
        let kinds = [own.source > 0.0, own.data > 0, own.example, own.quotation, own.test];
        for (bit, has) in kinds.into_iter().enumerate() {
            self.kinds |= u8::from(has && !is_vague(own)) << bit;
        }
        self.kinds |= u8::from(table) << DATA;
    }

    /// A table and hardly a word beside it: the table is what is stated.
    fn table(&mut self, statements: &[Statement]) {
        let rows = statements.iter().filter(|statement| statement.row).count();
        let noted = statements.iter().any(|statement| !statement.row && statement.words > 0);
        if rows > 1 && noted {
            let sourced = statements.iter().any(|statement| statement.source > 0.0);
            (self.stated, self.claims, self.support) = (1.0, 1.0, TABLE);
            self.specific = (MOST_PARTICULARS + DOUBT) / (MOST_PARTICULARS + 2.0 * DOUBT);
            self.kinds = 1 << DATA | u8::from(sourced);
        }
    }

    fn quality(&self, weights: &QualityWeights) -> Quality {
        if self.stated == 0.0 {
            return Quality::default();
        }
        // What should be done needs reasons, not sources; without any claim it has neither.
        let claims = if self.claims == 0.0 { self.advice } else { self.claims };
        let kinds = f32::from(u16::try_from(self.kinds.count_ones()).unwrap_or(0));
        let asked = (self.stated / CLAIMS_A_LINK).max(1.0);
        let share = |value: f32| f64::from(value.clamp(0.0, 1.0));
        let parts = Quality {
            citation_density: share(self.support / claims.max(1.0)),
            specificity_score: share(self.specific / self.stated),
            logical_chain_score: share(self.links / asked),
            evidence_diversity: share(kinds / KINDS),
            overall: 0.0,
        };
        let most = if self.kinds == 0 { FROM_NOTHING } else { 1.0 };
        let counted = Quality { logical_chain_score: parts.logical_chain_score.min(most), ..parts };
        Quality { overall: combined(&counted, weights), ..parts }
    }
}

/// The four figures by their weights, which need not add up to 1.
pub fn combined(parts: &Quality, weights: &QualityWeights) -> f64 {
    let weighted = [
        (parts.citation_density, weights.citation_density),
        (parts.specificity_score, weights.specificity_score),
        (parts.logical_chain_score, weights.logical_chain_score),
        (parts.evidence_diversity, weights.evidence_diversity),
    ];
    let all: f64 = weighted.iter().map(|(_, weight)| weight).sum();
    if all <= 0.0 {
        return 0.0;
    }
    let sum: f64 = weighted.iter().map(|(part, weight)| part * weight).sum();
    (sum / all).clamp(0.0, 1.0)
}

/// How severe hollow agreement is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Severity {
    /// By the formula.
    pub raw: f64,
    /// At most 1.
    pub clamped: f64,
}

/// `(1 − average quality) · similarity · (1 + variance)`.
pub fn severity(avg_quality: f64, similarity: f64, variance: f64) -> Severity {
    let raw = (1.0 - avg_quality) * similarity * (1.0 + variance);
    Severity { raw, clamped: raw.clamp(0.0, 1.0) }
}

/// What evidence for and against a claim comes to: the share of it that is for, one half without any.
pub fn net(support: &[f64], refute: &[f64]) -> f64 {
    let (support, refute): (f64, f64) = (support.iter().sum(), refute.iter().sum());
    if support + refute <= 0.0 { 0.5 } else { support / (support + refute) }
}
