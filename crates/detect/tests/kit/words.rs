//! Conflicts in words: deficits and surpluses, rising and falling, safe and unsafe.

use super::claim::{Claim, Thing};
use super::entities::Entity;
use super::mechanism::{Company, Draft};
use super::metrics::{Metric, Trait};
use super::rng::Rng;
use super::styles::Unit;
use super::value::{Verdict, Written, judge};

/// Sentences for a value above and below zero, of the metric of this name.
struct Poles {
    metric: &'static str,
    unit: Unit,
    above: &'static [&'static str],
    below: &'static [&'static str],
}

const POLES: &[Poles] = &[
    Poles {
        metric: "GDP growth",
        unit: Unit::Percent,
        above: &[
            "{Es} economy grew by {V} {inP}.",
            "{inP}, {Es} economy expanded by {V}.",
            "{tM} {in} {was} +{V} {inP}.",
            "{Es} {M} {was} {V} {inP}.",
            "Real GDP {in} grew {V} {inP}.",
        ],
        below: &[
            "{Es} economy shrank by {V} {inP}.",
            "{inP}, {Es} economy contracted by {V}.",
            "{tM} {in} {was} -{V} {inP}.",
            "{Es} {M} {was} minus {V} {inP}.",
            "{Es} {M} {was} \u{2212}{V} {inP}.",
            "Real GDP {in} fell {V} {inP}.",
        ],
    },
    Poles {
        metric: "budget deficit",
        unit: Unit::OfGdp,
        above: &[
            "{E} ran a budget surplus of {V} {inP}.",
            "{inP}, {Es} budget surplus was {V}.",
            "{inP}, {E} posted a fiscal surplus of {V}.",
        ],
        below: &[
            "{E} ran a budget deficit of {V} {inP}.",
            "{inP}, {Es} budget deficit was {V}.",
            "{inP}, {E} posted a fiscal deficit of {V}.",
        ],
    },
    Poles {
        metric: "current account deficit",
        unit: Unit::OfGdp,
        above: &[
            "{E} ran a current account surplus of {V} {inP}.",
            "{Es} current account surplus was {V} {inP}.",
            "{inP}, {Es} current account balance was +{V}.",
        ],
        below: &[
            "{E} ran a current account deficit of {V} {inP}.",
            "{Es} current account deficit was {V} {inP}.",
            "{inP}, {Es} current account balance was -{V}.",
        ],
    },
    Poles {
        metric: "net income",
        unit: Unit::Dollars,
        above: &[
            "{E} posted a net profit of {V} {inP}.",
            "{inP}, {Es} net income was {V}.",
            "{E} made a net profit of {V} {inP}.",
        ],
        below: &[
            "{E} posted a net loss of {V} {inP}.",
            "{inP}, {Es} net loss was {V}.",
            "{E} made a net loss of {V} {inP}.",
        ],
    },
    Poles {
        metric: "",
        unit: Unit::Percent,
        above: &[
            "{Es} {M} rose by {V} {inP}.",
            "{inP}, {tM} {in} increased by {V}.",
            "{Es} {M} {was} up {V} {inP}.",
        ],
        below: &[
            "{Es} {M} fell by {V} {inP}.",
            "{inP}, {tM} {in} decreased by {V}.",
            "{Es} {M} {was} down {V} {inP}.",
        ],
    },
];

/// Metrics whose change in percent is no change in points.
fn counted(metric: &Metric) -> bool {
    let units = [Unit::Dollars, Unit::Tonnes, Unit::People, Unit::PerSecond, Unit::Count];
    metric.is(Trait::Moves) && units.contains(&metric.unit)
}

fn pole(rng: &mut Rng) -> (&'static Poles, Thing) {
    loop {
        let poles = rng.pick(POLES);
        let fits = |metric: &Metric| match poles.metric {
            "" => counted(metric),
            id => metric.id() == id,
        };
        let thing = Thing::any(rng, fits);
        if thing.period.is_some() {
            return (poles, thing);
        }
    }
}

/// A value in a sentence that says on which side of zero it is.
fn at_pole(rng: &mut Rng, poles: &Poles, thing: Thing, value: f64, above: bool) -> Claim {
    let mut written = Written::any(rng, poles.unit, value);
    if !above {
        (written.low, written.high) = (-written.low, -written.high);
    }
    let sentence = *rng.pick(if above { poles.above } else { poles.below });
    Claim::new(rng, thing, written).saying(sentence)
}

/// A value above zero, and one below.
pub(crate) fn sign(rng: &mut Rng) -> Draft {
    let (poles, thing) = pole(rng);
    let value = magnitude(rng, poles, thing.metric);
    let other = if rng.chance(0.6) { value } else { magnitude(rng, poles, thing.metric) };
    let above = rng.chance(0.5);
    let one = at_pole(rng, poles, thing, value, above);
    let two = at_pole(rng, poles, thing, other, !above);
    Draft::two(one, two).with(Company::Apart)
}

/// One value on one side, in two wordings.
pub(crate) fn sign_agrees(rng: &mut Rng) -> Draft {
    loop {
        let (poles, thing) = pole(rng);
        let value = magnitude(rng, poles, thing.metric);
        let above = rng.chance(0.3);
        let one = at_pole(rng, poles, thing, value, above);
        let two = at_pole(rng, poles, thing, value, above);
        if judge(&one.written, &two.written) == Verdict::Agree {
            return Draft::two(one, two).with(Company::Apart);
        }
    }
}

fn magnitude(rng: &mut Rng, poles: &Poles, metric: &Metric) -> f64 {
    if poles.metric.is_empty() { rng.between(1.5, 28.0) } else { metric.value(rng) }
}

const RISING: &[&str] = &["rising", "increasing", "climbing", "going up"];
const FALLING: &[&str] = &["falling", "decreasing", "declining", "going down"];
const ROSE: &[&str] = &["rose", "increased", "climbed", "went up"];
const FELL: &[&str] = &["fell", "decreased", "declined", "went down"];

/// A sentence without numbers that says where the metric is going.
fn going(rng: &mut Rng, thing: Thing, up: bool) -> Claim {
    let sentence = if thing.period.is_some() {
        let verb = rng.pick(if up { ROSE } else { FELL });
        match rng.below(3) {
            0 => format!("{{Es}} {{M}} {verb} {{inP}}."),
            1 => format!("{{inP}}, {{tM}} {{in}} {verb}."),
            _ => format!("We find that {{Es}} {{M}} {verb} {{inP}}."),
        }
    } else {
        let word = rng.pick(if up { RISING } else { FALLING });
        let noun = if up { "rise" } else { "decline" };
        match rng.below(5) {
            0 | 1 => format!("{{Es}} {{M}} {{is}} {word}."),
            2 => format!("{{tM}} {{in}} {{is}} {word}."),
            3 => format!("{{Es}} {{M}} {{is}} currently {word}."),
            _ => format!("{{tM}} {{in}} {{is}} on the {noun}."),
        }
    };
    Claim::words(rng, thing, up, sentence)
}

/// A sentence that denies a direction and counts as the other one.
fn denied(rng: &mut Rng, thing: Thing, up: bool) -> Claim {
    let word = rng.pick(if up { FALLING } else { RISING });
    let sentence = match rng.below(2) {
        0 => format!("{{Es}} {{M}} {{is}} not {word}."),
        _ => format!("{{tM}} {{in}} {{is}} not currently {word}."),
    };
    Claim::words(rng, thing, up, sentence)
}

/// Something that goes up or down; without a time in half of the cases.
fn moving(rng: &mut Rng) -> Thing {
    let thing = Thing::any(rng, |metric| metric.is(Trait::Moves));
    if rng.chance(0.5) { thing.at(None, 0) } else { thing }
}

pub(crate) fn direction(rng: &mut Rng) -> Draft {
    let thing = moving(rng);
    let up = rng.chance(0.5);
    let one = going(rng, thing, up);
    let two = if thing.period.is_none() && rng.chance(0.2) {
        denied(rng, thing, !up)
    } else {
        going(rng, thing, !up)
    };
    let (one, two) = if rng.chance(0.5) { (one, two) } else { (two, one) };
    Draft::two(one, two).with(Company::Apart)
}

pub(crate) fn same_direction(rng: &mut Rng) -> Draft {
    let thing = moving(rng);
    let up = rng.chance(0.5);
    let one = going(rng, thing, up);
    let two = if thing.period.is_none() && rng.chance(0.2) {
        denied(rng, thing, up)
    } else {
        going(rng, thing, up)
    };
    Draft::two(one, two).with(Company::Apart)
}

/// Opposite directions of another metric, entity or time.
pub(crate) fn other_direction(rng: &mut Rng) -> Draft {
    let thing = moving(rng);
    let fits = |metric: &Metric| {
        let fine = !metric.is(Trait::Yearly) || thing.metric.is(Trait::Yearly);
        metric.is(Trait::Moves) && !metric.same(thing.metric) && fine
    };
    let (dice, metric) = (rng.below(3), Metric::any(rng, thing.metric.of, fits));
    let other = match (dice, thing.period, metric) {
        (0, Some(period), _) => thing.at(Some(period.other(rng)), 1),
        (1, _, Some(metric)) => Thing { metric, group: 1, ..thing },
        _ => {
            let entity = Entity::other(rng, thing.entity.kind, &[thing.entity]);
            Thing { entity, group: 1, ..thing }
        }
    };
    let up = rng.chance(0.5);
    let (one, two) = (going(rng, thing, up), going(rng, other, !up));
    Draft::two(one, two).with(Company::Apart)
}

/// A judgement for and against, and of what it can be said.
struct Frame {
    for_it: &'static [&'static str],
    against: &'static [&'static str],
    /// Leaves it open.
    open: &'static str,
    of: &'static [&'static str],
}

const SOFTWARE: &[&str] = &[
    "the Orion scheduler",
    "the new cache layer",
    "the payment library",
    "the Falcon update",
    "the event queue",
    "the token service",
    "the schema migration",
];
const TOOLS: &[&str] =
    &["Kafka", "Postgres", "Kubernetes", "the Orion scheduler", "the new pricing model", "GraphQL"];
const STATES: &[&str] = &[
    "the labour market in Qatar",
    "the labour market in Oman",
    "the financial position of Vellor",
    "the reliability of the search service",
    "the reliability of the billing service",
    "water quality in the lake",
    "morale in the support team",
];
const MEASURES: &[&str] = &[
    "the carbon tax",
    "the training programme",
    "the vaccine",
    "the price cap",
    "the hiring subsidy",
    "the screening programme",
];

const FRAMES: &[Frame] = &[
    Frame {
        for_it: &["{X} is safe for production.", "{X} is safe to run in production."],
        against: &[
            "{X} is not safe for production.",
            "{X} is unsafe for production.",
            "{X} is not safe to run in production.",
        ],
        open: "The question is whether {X} is safe for production.",
        of: SOFTWARE,
    },
    Frame {
        for_it: &["{X} is ready for release.", "{X} is ready to be released."],
        against: &["{X} is not ready for release.", "{X} is not yet ready to be released."],
        open: "Is {X} ready for release?",
        of: SOFTWARE,
    },
    Frame {
        for_it: &[
            "We should adopt {X}.",
            "We recommend adopting {X}.",
            "The team should adopt {X}.",
        ],
        against: &[
            "We should avoid {X}.",
            "We should not adopt {X}.",
            "We recommend against adopting {X}.",
            "The team should not adopt {X}.",
        ],
        open: "We were asked whether we should adopt {X}.",
        of: TOOLS,
    },
    Frame {
        for_it: &["{X} is improving.", "{X} is getting better."],
        against: &["{X} is deteriorating.", "{X} is getting worse.", "{X} is worsening."],
        open: "We were asked whether {X} is improving.",
        of: STATES,
    },
    Frame {
        for_it: &["{X} is effective.", "{X} works."],
        against: &["{X} is not effective.", "{X} is ineffective.", "{X} does not work."],
        open: "The question is whether {X} is effective.",
        of: MEASURES,
    },
    Frame {
        for_it: &["{X} is reliable.", "We found that {X} is reliable."],
        against: &["{X} is unreliable.", "{X} is not reliable."],
        open: "We were asked whether {X} is reliable.",
        of: SOFTWARE,
    },
    Frame {
        for_it: &[
            "The benefits of {X} outweigh the risks.",
            "The benefits of {X} outweigh its risks.",
        ],
        against: &[
            "The risks of {X} outweigh the benefits.",
            "The benefits of {X} do not outweigh the risks.",
        ],
        open: "The question is whether the benefits of {X} outweigh the risks.",
        of: MEASURES,
    },
    Frame {
        for_it: &["{X} complies with the data protection rules."],
        against: &[
            "{X} does not comply with the data protection rules.",
            "{X} violates the data protection rules.",
        ],
        open: "The lawyers will say whether {X} complies with the data protection rules.",
        of: SOFTWARE,
    },
];

/// A judgement in words of its frame. The thing only says what the rest may be about.
fn judged(rng: &mut Rng, frame: &Frame, of: &str, group: usize, for_it: bool) -> Claim {
    let sentence = rng.pick(if for_it { frame.for_it } else { frame.against }).replace("{X}", of);
    let thing = Thing::any(rng, |_| true);
    Claim::words(rng, Thing { group, ..thing }, for_it, sentence)
}

pub(crate) fn judgement(rng: &mut Rng) -> Draft {
    let frame = rng.pick(FRAMES);
    let of = rng.pick(frame.of);
    let first = rng.chance(0.5);
    let one = judged(rng, frame, of, 0, first);
    let two = judged(rng, frame, of, 0, !first);
    Draft::two(one, two).with(Company::Apart)
}

pub(crate) fn same_judgement(rng: &mut Rng) -> Draft {
    let frame = rng.pick(FRAMES);
    let of = rng.pick(frame.of);
    let side = rng.chance(0.5);
    let one = judged(rng, frame, of, 0, side);
    let two = judged(rng, frame, of, 0, side);
    Draft::two(one, two).with(Company::Apart)
}

/// Opposite judgements of other things or in other respects, and open questions.
pub(crate) fn other_judgement(rng: &mut Rng) -> Draft {
    let at = rng.below(FRAMES.len());
    let frame = &FRAMES[at];
    let first = rng.below(frame.of.len());
    let side = rng.chance(0.5);
    let one = judged(rng, frame, frame.of[first], 0, side);
    let two = match rng.below(3) {
        0 => {
            let other = frame.of[(first + 1 + rng.below(frame.of.len() - 1)) % frame.of.len()];
            judged(rng, frame, other, 1, !side)
        }
        1 => {
            let respects = |other: &&Frame| other.open != frame.open && other.of == frame.of;
            let others: Vec<&Frame> = FRAMES.iter().filter(respects).collect();
            match others.as_slice() {
                [] => open(rng, frame, frame.of[first]),
                others => {
                    let other = *rng.pick(others);
                    judged(rng, other, frame.of[first], 1, !side)
                }
            }
        }
        _ => open(rng, frame, frame.of[first]),
    };
    Draft::two(one, two).with(Company::Apart)
}

fn open(rng: &mut Rng, frame: &Frame, of: &str) -> Claim {
    let thing = Thing::any(rng, |_| true);
    Claim::words(rng, Thing { group: 1, ..thing }, true, frame.open.replace("{X}", of))
}
