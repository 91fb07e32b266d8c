//! Conflicts between figures for one thing.

use super::claim::{Claim, Thing};
use super::entities::Entity;
use super::mechanism::{Company, Draft};
use super::metrics::{Metric, Trait};
use super::rng::Rng;
use super::styles::Unit;
use super::value::{Shape, Verdict, Written, judge, round_to};

/// How far apart two values are to be, as a share of the smaller.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Gap {
    /// Just beyond the rule's 5 %.
    Narrow,
    Any,
    /// Beyond what `about` leaves open.
    Wide,
}

/// How the second value is written.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Style {
    Same,
    Rescaled,
    Any,
}

/// A value this metric could have as well, so far from that one.
pub(crate) fn elsewhere(rng: &mut Rng, metric: &Metric, value: f64, gap: Gap) -> f64 {
    let (least, most) = (metric.least, metric.most);
    for _ in 0..60 {
        let share = match gap {
            Gap::Narrow => rng.between(0.075, 0.14),
            Gap::Any => 0.09 * 20_f64.powf(rng.unit()),
            Gap::Wide => 0.25 * 8_f64.powf(rng.unit()),
        };
        let other = if rng.chance(0.5) { value * (1.0 + share) } else { value / (1.0 + share) };
        if (least..=most).contains(&other) {
            return other;
        }
    }
    if value - least > most - value { least } else { most }
}

/// Two values for one metric that a reader sees to conflict.
pub(crate) fn conflicting(
    rng: &mut Rng,
    metric: &Metric,
    gap: Gap,
    style: Style,
) -> (Written, Written) {
    loop {
        let (value, unit) = (metric.value(rng), metric.unit);
        let other = elsewhere(rng, metric, value, gap);
        let below = metric.is(Trait::Signed) && unit == Unit::Percent && rng.chance(0.15);
        let sign = if below { -1.0 } else { 1.0 };
        let one = Written::any(rng, unit, sign * value);
        let two = match style {
            Style::Same => one.style,
            Style::Rescaled => unit.rescaled(rng, other, one.style),
            Style::Any => unit.style(rng, other),
        };
        let two = Written::styled(rng, unit, sign * other, two);
        if judge(&one, &two) == Verdict::Conflict {
            return (one, two);
        }
    }
}

fn draft(rng: &mut Rng, thing: Thing, gap: Gap, style: Style) -> Draft {
    let (one, two) = conflicting(rng, thing.metric, gap, style);
    Draft::two(Claim::new(rng, thing, one), Claim::new(rng, thing, two))
}

/// Figures in one wording and one unit.
pub(crate) fn same_unit(rng: &mut Rng) -> Draft {
    let thing = Thing::any(rng, |_| true);
    let name = rng.below(thing.metric.names.len());
    let mut draft = draft(rng, thing, Gap::Any, Style::Same);
    for claims in &mut draft.reports {
        claims[0].name = name;
    }
    draft
}

pub(crate) fn just_apart(rng: &mut Rng) -> Draft {
    let thing = Thing::any(rng, |_| true);
    draft(rng, thing, Gap::Narrow, Style::Any)
}

pub(crate) fn other_unit(rng: &mut Rng) -> Draft {
    loop {
        let thing = Thing::any(rng, |metric| metric.unit.scales());
        let draft = draft(rng, thing, Gap::Any, Style::Rescaled);
        let scale = |report: usize| draft.reports[report][0].written.style.scale.to_bits();
        if scale(0) != scale(1) {
            return draft;
        }
    }
}

pub(crate) fn other_name(rng: &mut Rng) -> Draft {
    let thing = Thing::any(rng, |metric| metric.names.len() > 1);
    let mut draft = draft(rng, thing, Gap::Any, Style::Any);
    rename(rng, thing.metric, &mut draft);
    draft
}

/// Gives both claims different names of the metric.
pub(crate) fn rename(rng: &mut Rng, metric: &Metric, draft: &mut Draft) {
    let count = metric.names.len();
    let first = rng.below(count);
    let second = (first + 1 + rng.below(count - 1)) % count;
    draft.reports[0][0].name = first;
    draft.reports[1][0].name = second;
}

pub(crate) fn other_template(rng: &mut Rng) -> Draft {
    let thing = Thing::any(rng, |_| true);
    draft(rng, thing, Gap::Any, Style::Any)
}

/// Two numbers ascribed to one source.
pub(crate) fn same_source(rng: &mut Rng) -> Draft {
    let thing = Thing::any(rng, |metric| !metric.is(Trait::Unsourced));
    let source = *rng.pick(thing.entity.kind.sources());
    let mut draft = draft(rng, thing, Gap::Any, Style::Any);
    for claims in &mut draft.reports {
        claims[0].source = Some(source);
    }
    draft
}

/// One report uses another name of the entity.
pub(crate) fn alias(rng: &mut Rng) -> Draft {
    let mut thing = Thing::any(rng, |metric| metric.of.entities().iter().any(has_alias));
    let known: Vec<&Entity> =
        thing.entity.kind.entities().iter().filter(|one| has_alias(one)).collect();
    thing.entity = known[rng.below(known.len())];
    let mut draft = draft(rng, thing, Gap::Any, Style::Any);
    draft.reports[rng.below(2)][0].alias = true;
    draft
}

pub(crate) fn has_alias(entity: &Entity) -> bool {
    entity.alias != entity.name
}

/// The words for the prices of one year, behind this.
pub(crate) fn base(rng: &mut Rng, behind: &str, year: u32) -> String {
    match rng.below(3) {
        0 if !behind.contains("dollars") => format!(" in {year} dollars"),
        1 if !behind.contains("dollars") => format!(" in constant {year} dollars"),
        _ => format!(" (at {year} prices)"),
    }
}

/// Money of countries, over years.
pub(crate) fn money(rng: &mut Rng) -> Thing {
    loop {
        let thing = Thing::any(rng, |metric| {
            metric.unit == Unit::Dollars && metric.of == super::entities::Kind::Country
        });
        if thing.period.is_some() {
            return thing;
        }
    }
}

/// Both in the prices of the same year.
pub(crate) fn same_base(rng: &mut Rng) -> Draft {
    let thing = money(rng);
    let year = *rng.pick(&[2005, 2010, 2011]);
    let (one, two) = conflicting(rng, thing.metric, Gap::Any, Style::Any);
    let [one, two] = [one, two].map(|written| {
        let words = base(rng, &written.text, year);
        Claim::new(rng, thing, written).adding(&words)
    });
    Draft::two(one, two).with(Company::Apart)
}

/// `about` a value, and one far from it.
pub(crate) fn hedged(rng: &mut Rng) -> Draft {
    let thing = Thing::any(rng, |_| true);
    loop {
        let (one, two) = conflicting(rng, thing.metric, Gap::Wide, Style::Any);
        let one = one.about(rng);
        if judge(&one, &two) == Verdict::Conflict {
            return Draft::two(Claim::new(rng, thing, one), Claim::new(rng, thing, two));
        }
    }
}

/// None at all, and some.
pub(crate) fn zero(rng: &mut Rng) -> Draft {
    let ids = ["consumer price inflation", "error rate", "infection rate", "GDP growth"];
    let thing = Thing::any(rng, |metric| ids.contains(&metric.id()));
    let value = rng.between(1.5, 6.0);
    let some = Written::any(rng, Unit::Percent, value);
    let mut none = Written::exactly(0.0, some.style, rng.below(2));
    if rng.chance(0.3) {
        "zero".clone_into(&mut none.text);
    }
    Draft::two(Claim::new(rng, thing, none), Claim::new(rng, thing, some))
}

/// A bound and a value, or two bounds, for which `wanted` holds.
pub(crate) fn bounded(rng: &mut Rng, metric: &Metric, wanted: Verdict) -> (Written, Written) {
    loop {
        let value = metric.value(rng);
        let share = rng.between(0.03, 0.5);
        let raised = if rng.chance(0.5) { value * (1.0 + share) } else { value / (1.0 + share) };
        let bound = Written::any(rng, metric.unit, raised);
        let more = rng.chance(0.5);
        let bound = if more { bound.more_than(rng) } else { bound.less_than(rng) };
        let mut exact = Written::any(rng, metric.unit, value);
        if wanted == Verdict::Conflict && rng.chance(0.15) {
            exact = if more { exact.less_than(rng) } else { exact.more_than(rng) };
        }
        let likely = metric.most >= raised && (metric.unit != Unit::Percent || raised < 99.0);
        if likely && judge(&bound, &exact) == wanted {
            return (bound, exact);
        }
    }
}

pub(crate) fn bound(rng: &mut Rng) -> Draft {
    let thing = Thing::any(rng, |_| true);
    let (one, two) = bounded(rng, thing.metric, Verdict::Conflict);
    Draft::two(Claim::new(rng, thing, one), Claim::new(rng, thing, two))
}

/// A range and a value, or two ranges, for which `wanted` holds.
pub(crate) fn ranged(rng: &mut Rng, metric: &Metric, wanted: Verdict) -> (Written, Written) {
    loop {
        let value = metric.value(rng);
        let from = value * rng.between(0.6, 1.4);
        if !(metric.least..=metric.most).contains(&from) {
            continue;
        }
        let range = span(rng, metric, from);
        let other = if rng.chance(0.3) {
            span(rng, metric, value)
        } else {
            Written::any(rng, metric.unit, value)
        };
        let inside = |one: &Written| one.low >= metric.least && one.high <= metric.most;
        let proper = |one: &Written| one.shape != Shape::Range || one.high > one.low * 1.06;
        let fine = inside(&range) && inside(&other) && proper(&range) && proper(&other);
        if fine && judge(&range, &other) == wanted {
            return (range, other);
        }
    }
}

fn span(rng: &mut Rng, metric: &Metric, from: f64) -> Written {
    let upper = round_to(from * rng.between(1.1, 1.3), 4);
    let low = Written::any(rng, metric.unit, from);
    let decimals = low
        .text
        .split_once('.')
        .map_or(0, |(_, rest)| rest.bytes().take_while(u8::is_ascii_digit).count());
    let high = Written::exactly(upper, low.style, decimals);
    low.up_to(rng, &high)
}

pub(crate) fn range(rng: &mut Rng) -> Draft {
    let thing = Thing::any(rng, |_| true);
    let (one, two) = ranged(rng, thing.metric, Verdict::Conflict);
    let one = Claim::new(rng, thing, one).citing(None);
    Draft::two(one, Claim::new(rng, thing, two).citing(None))
}

/// One conflict among many figures that agree.
pub(crate) fn crowd(rng: &mut Rng) -> Draft {
    other_template(rng).with(Company::Crowd)
}

/// Two reports agree, the third does not.
pub(crate) fn three_one_off(rng: &mut Rng) -> Draft {
    let thing = Thing::any(rng, |_| true);
    loop {
        let (one, two) = conflicting(rng, thing.metric, Gap::Any, Style::Any);
        let again = Written::any(rng, thing.metric.unit, one.low);
        let agrees = judge(&one, &again) == Verdict::Agree;
        if agrees && judge(&again, &two) == Verdict::Conflict {
            return three(rng, thing, [one, again, two]);
        }
    }
}

/// Three reports, three values.
pub(crate) fn three_ways(rng: &mut Rng) -> Draft {
    let thing = Thing::any(rng, |_| true);
    loop {
        let (one, two) = conflicting(rng, thing.metric, Gap::Any, Style::Any);
        let three_value = elsewhere(rng, thing.metric, two.low.abs(), Gap::Any);
        let third = Written::any(rng, thing.metric.unit, three_value);
        let apart = |other: &Written| judge(other, &third) == Verdict::Conflict;
        if apart(&one) && apart(&two) {
            return three(rng, thing, [one, two, third]);
        }
    }
}

/// One claim in each of three reports, in any order.
pub(crate) fn three(rng: &mut Rng, thing: Thing, mut values: [Written; 3]) -> Draft {
    rng.shuffle(&mut values);
    let reports = values.map(|written| vec![Claim::new(rng, thing, written)]).into();
    Draft { reports, company: Company::Any }
}
