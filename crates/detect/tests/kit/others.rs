//! Reports that do not conflict, though their numbers differ, and reports that agree.

use super::claim::{Claim, Thing};
use super::entities::Entity;
use super::figures::Style::Any;
use super::figures::{Gap, base, bounded, conflicting, has_alias, money, ranged, rename, three};
use super::mechanism::{Company, Draft};
use super::metrics::{Metric, Trait};
use super::period::Period;
use super::rng::Rng;
use super::styles::Unit;
use super::templates::MENTIONS;
use super::value::{CLEARLY_CLOSE, Verdict, Written, grouped, judge};

/// Two ways to write one value.
pub(crate) fn agreeing(rng: &mut Rng, metric: &Metric, value: f64) -> (Written, Written) {
    loop {
        let one = Written::any(rng, metric.unit, value);
        let two = Written::any(rng, metric.unit, value);
        let close = (one.low - two.low).abs() <= CLEARLY_CLOSE * one.low.abs().min(two.low.abs());
        if close && judge(&one, &two) == Verdict::Agree {
            return (one, two);
        }
    }
}

/// A quarter or a month, and its year.
pub(crate) fn part_of_year(rng: &mut Rng) -> Draft {
    let whole = Thing::any(rng, |metric| {
        metric.unit == Unit::Percent && !metric.is(Trait::Yearly) && metric.is(Trait::Moves)
    });
    let year = super::period::year(rng);
    let part = match rng.below(4) {
        0 => Period::Month(year, 1 + rng.below(12)),
        _ => Period::Quarter(year, 1 + rng.below(4)),
    };
    let (one, two) = conflicting(rng, whole.metric, Gap::Any, Any);
    let one = Claim::new(rng, whole.at(Some(Period::Year(year)), 0), one);
    let two = Claim::new(rng, whole.at(Some(part), 1), two);
    let (one, two) = if rng.chance(0.5) { (one, two) } else { (two, one) };
    Draft::two(one, two).with(Company::Apart)
}

/// One text, twice or three times.
pub(crate) fn identical(rng: &mut Rng) -> Draft {
    let thing = Thing::any(rng, |_| true);
    let value = thing.metric.value(rng);
    let written = Written::any(rng, thing.metric.unit, value);
    let claim = Claim::new(rng, thing, written);
    let copies = if rng.chance(0.2) { 3 } else { 2 };
    Draft { reports: vec![vec![claim]; copies], company: Company::Copies }
}

pub(crate) fn unit_agrees(rng: &mut Rng) -> Draft {
    loop {
        let thing = Thing::any(rng, |metric| metric.unit.scales());
        let value = thing.metric.value(rng);
        let one = Written::any(rng, thing.metric.unit, value);
        let style = thing.metric.unit.rescaled(rng, value, one.style);
        let two = Written::styled(rng, thing.metric.unit, value, style);
        let scales = one.style.scale.to_bits() != two.style.scale.to_bits();
        if scales && judge(&one, &two) == Verdict::Agree {
            return Draft::two(Claim::new(rng, thing, one), Claim::new(rng, thing, two));
        }
    }
}

/// 4.6 and 4.64; 4.6 and 4.60; about 5 and 4.97.
pub(crate) fn rounded(rng: &mut Rng) -> Draft {
    loop {
        let thing = Thing::any(rng, |_| true);
        let unit = thing.metric.unit;
        let value = thing.metric.value(rng);
        let style = unit.style(rng, value);
        if style.scale.to_bits() == 1_f64.to_bits() && unit.is_whole() {
            continue;
        }
        let coarse = usize::from(value / style.scale < 40.0);
        let most = if matches!(unit, Unit::Percent | Unit::Price) { 2 } else { 3 };
        let fine = Written::exactly(value, style, (coarse + 1 + rng.below(2)).min(most));
        let mut one = Written::exactly(fine.low, style, coarse);
        let real = one.low > 0.0 && (one.low - fine.low).abs() <= 0.95 * one.half;
        let readable = value / style.scale < 9000.0;
        if !real || !readable || judge(&one, &fine) != Verdict::Agree {
            continue;
        }
        if rng.chance(0.3) {
            one = one.about(rng);
        }
        let (one, two) = (Claim::new(rng, thing, one), Claim::new(rng, thing, fine));
        return if rng.chance(0.5) { Draft::two(one, two) } else { Draft::two(two, one) };
    }
}

/// Less than 5 % apart.
pub(crate) fn within(rng: &mut Rng) -> Draft {
    loop {
        let thing = Thing::any(rng, |_| true);
        let value = thing.metric.value(rng);
        let other = value * (1.0 + rng.between(0.008, CLEARLY_CLOSE));
        let (one, two) = (
            Written::any(rng, thing.metric.unit, value),
            Written::any(rng, thing.metric.unit, other),
        );
        let likely = thing.metric.unit != Unit::Percent || other < 99.0;
        let differ = (one.low - two.low).abs() > 0.005 * one.low;
        if likely && differ && judge(&one, &two) == Verdict::Agree {
            return Draft::two(Claim::new(rng, thing, one), Claim::new(rng, thing, two));
        }
    }
}

/// One value under two names of the metric, and perhaps of the entity.
pub(crate) fn name_agrees(rng: &mut Rng) -> Draft {
    let thing = Thing::any(rng, |metric| metric.names.len() > 1);
    let value = thing.metric.value(rng);
    let (one, two) = agreeing(rng, thing.metric, value);
    let mut draft = Draft::two(Claim::new(rng, thing, one), Claim::new(rng, thing, two));
    rename(rng, thing.metric, &mut draft);
    draft.reports[1][0].alias = has_alias(thing.entity) && rng.chance(0.7);
    draft
}

/// More than 300, and 325.
pub(crate) fn bound_holds(rng: &mut Rng) -> Draft {
    let thing = Thing::any(rng, |_| true);
    let (one, two) = bounded(rng, thing.metric, Verdict::Agree);
    Draft::two(Claim::new(rng, thing, one), Claim::new(rng, thing, two))
}

/// A range, and a value in it.
pub(crate) fn range_holds(rng: &mut Rng) -> Draft {
    let thing = Thing::any(rng, |_| true);
    let (one, two) = ranged(rng, thing.metric, Verdict::Agree);
    let one = Claim::new(rng, thing, one).citing(None);
    Draft::two(one, Claim::new(rng, thing, two).citing(None))
}

pub(crate) fn three_agree(rng: &mut Rng) -> Draft {
    let thing = Thing::any(rng, |_| true);
    loop {
        let value = thing.metric.value(rng);
        let values = [(); 3].map(|()| Written::any(rng, thing.metric.unit, value));
        let agree = |one: usize, two: usize| judge(&values[one], &values[two]) == Verdict::Agree;
        if agree(0, 1) && agree(0, 2) && agree(1, 2) {
            return three(rng, thing, values);
        }
    }
}

/// Two things with values of their own, that would conflict if they were one.
fn apart(rng: &mut Rng, one: Thing, two: Thing) -> Draft {
    let (first, second) = if one.metric.same(two.metric) {
        conflicting(rng, one.metric, Gap::Any, Any)
    } else {
        let (value, other) = (one.metric.value(rng), two.metric.value(rng));
        (Written::any(rng, one.metric.unit, value), Written::any(rng, two.metric.unit, other))
    };
    Draft::two(Claim::new(rng, one, first), Claim::new(rng, two, second)).with(Company::Apart)
}

pub(crate) fn other_period(rng: &mut Rng) -> Draft {
    loop {
        let thing = Thing::any(rng, |_| true);
        if let Some(period) = thing.period {
            let other = period.other(rng);
            let mut draft = apart(rng, thing, thing.at(Some(other), 1));
            if rng.chance(0.6) {
                draft.reports[1][0].name = draft.reports[0][0].name;
            }
            return draft;
        }
    }
}

pub(crate) fn other_entity(rng: &mut Rng) -> Draft {
    let thing = Thing::any(rng, |_| true);
    let entity = Entity::other(rng, thing.entity.kind, &[thing.entity]);
    let mut draft = apart(rng, thing, Thing { entity, group: 1, ..thing });
    if rng.chance(0.6) {
        draft.reports[1][0].name = draft.reports[0][0].name;
    }
    draft
}

pub(crate) fn other_metric(rng: &mut Rng) -> Draft {
    loop {
        let thing = Thing::any(rng, |_| true);
        let Some(metric) = thing.metric.lookalike(rng) else { continue };
        let fine = matches!(thing.period, Some(Period::Quarter(..) | Period::Month(..)));
        if !(fine && metric.is(Trait::Yearly)) {
            return apart(rng, thing, Thing { metric, group: 1, ..thing });
        }
    }
}

/// In the prices of two different years, or of one year and of the day.
pub(crate) fn other_base(rng: &mut Rng) -> Draft {
    let thing = money(rng);
    let mut draft = apart(rng, thing, Thing { group: 1, ..thing });
    let years = [2005, 2010, 2011];
    let first = rng.below(3);
    let second = (first + 1 + rng.below(2)) % 3;
    for (report, year) in [first, second].into_iter().enumerate() {
        let claim = &mut draft.reports[report][0];
        let words = match (report, rng.below(4)) {
            (1, 0) => " at current prices".to_owned(),
            _ => base(rng, &claim.written.text, years[year]),
        };
        *claim = claim.clone().adding(&words);
    }
    draft
}

/// As money, and as a share of GDP.
pub(crate) fn other_measure(rng: &mut Rng) -> Draft {
    let ids = ["exports", "imports", "foreign exchange reserves"];
    let thing = Thing::any(rng, |metric| ids.contains(&metric.id()));
    let (value, share) = (thing.metric.value(rng), rng.between(12.0, 70.0));
    let money = Written::any(rng, Unit::Dollars, value);
    let share = Written::any(rng, Unit::OfGdp, share);
    let one = Claim::new(rng, thing, money);
    let two = Claim::new(rng, Thing { group: 1, ..thing }, share);
    Draft::two(one, two).with(Company::Apart)
}

pub(crate) fn unrelated(rng: &mut Rng) -> Draft {
    let one = Thing::any(rng, |_| true);
    loop {
        let two = Thing::any(rng, |_| true);
        if !one.metric.same(two.metric) && one.entity != two.entity {
            return apart(rng, one, Thing { group: 1, ..two });
        }
    }
}

/// Both name the metric beside numbers that are none of its values.
pub(crate) fn not_values(rng: &mut Rng) -> Draft {
    let thing = Thing::any(rng, |_| true);
    let value = thing.metric.value(rng);
    let (one, two) = agreeing(rng, thing.metric, value);
    let mut draft = Draft::two(Claim::new(rng, thing, one), Claim::new(rng, thing, two));
    let most = if rng.chance(0.7) { 2 } else { 1 };
    for claims in draft.reports.iter_mut().take(most) {
        let sentence = loop {
            let sentence = *rng.pick(MENTIONS);
            if thing.period.is_some() || !sentence.contains("inP") {
                break sentence;
            }
        };
        let mention = claims[0].clone().saying(sentence);
        // The value stands beside it, or not at all.
        if rng.chance(0.5) {
            claims.push(mention);
        } else {
            claims[0] = mention;
        }
    }
    draft.with(Company::Apart)
}

/// What was aimed at or foreseen, and what came of it.
pub(crate) fn target(rng: &mut Rng) -> Draft {
    let sentences = [
        "The target for {Es} {M} {inP} was {V}.",
        "{inP}, the target for {tM} {in} was {V}.",
        "The forecast for {Es} {M} {inP} had been {V}.",
        "It had been expected that {Es} {M} would be {V} {inP}.",
    ];
    loop {
        let thing = Thing::any(rng, |metric| metric.is(Trait::Moves));
        if thing.period.is_some() {
            let mut draft = apart(rng, thing, Thing { group: 1, ..thing });
            let sentence = *rng.pick(&sentences);
            draft.reports[1][0] = draft.reports[1][0].clone().saying(sentence);
            return draft;
        }
    }
}

/// A change beside the value it led to, or alone.
pub(crate) fn change(rng: &mut Rng) -> Draft {
    loop {
        let thing = Thing::any(rng, |metric| metric.is(Trait::Moves));
        if thing.period.is_none() {
            continue;
        }
        let value = thing.metric.value(rng);
        if value < 1.5 {
            continue;
        }
        let (one, two) = agreeing(rng, thing.metric, value);
        let by = match thing.metric.unit {
            Unit::Percent | Unit::OfGdp => {
                format!("{} percentage points", grouped(value * rng.between(0.05, 0.3), 1))
            }
            _ => format!("{}%", grouped(rng.between(1.5, 30.0), 1)),
        };
        let verb = *rng.pick(&["rose", "fell"]);
        let sentence = match rng.below(3) {
            0 => format!("{{Es}} {{M}} {verb} by {by} {{inP}}."),
            1 => format!("{{Es}} {{M}} {verb} by {by} to {{V}} {{inP}}."),
            _ => format!("{{inP}}, {{tM}} {{in}} {verb} by {by}, to {{V}}."),
        };
        let one = Claim::new(rng, thing, one).saying(sentence);
        let two = Claim::new(rng, thing, two);
        return Draft::two(one, two).with(Company::Apart);
    }
}
