//! Lays the claims of one report out as a text: prose, lists, tables, and filler between.

use std::fmt::Write as _;

use super::claim::Claim;
use super::render::{Mark, Place, Reference, Template, Text, parsed};
use super::rng::Rng;
use super::templates::{
    DATED_HEADINGS, FILLERS, HEADINGS, INTRODUCTIONS, LINES, NUMBERED, ONE, ROWS, TWO_ENTITIES,
    TWO_METRICS, TWO_PERIODS,
};

/// A text with the places of its claims.
#[derive(Clone, Debug)]
pub(crate) struct Laid {
    pub(crate) text: String,
    pub(crate) marks: Vec<Mark>,
    pub(crate) used: Vec<(&'static str, usize)>,
}

/// Sentences that stay together, or lines.
#[derive(Debug)]
enum Block {
    Filler(&'static str),
    /// One sentence with these claims.
    Sentence(&'static str, &'static [&'static str], Vec<usize>),
    /// A sentence that names somebody, and sentences that point back.
    Introduced(Vec<usize>),
    List(Vec<usize>),
    Table(Vec<usize>),
    /// Entities by lines, one metric.
    Grid(Vec<usize>),
    /// A claim in its own words.
    Own(usize),
}

impl Block {
    /// Where its claims are said to stand.
    fn place(&self) -> Place {
        match self {
            Self::Filler(_) | Self::Own(_) => Place::Own,
            Self::Sentence(_, _, claims) if claims.len() > 1 => Place::Shared,
            Self::Sentence(..) => Place::Sentence,
            Self::Introduced(_) => Place::Pointing,
            Self::List(_) => Place::List,
            Self::Table(_) => Place::Table,
            Self::Grid(_) => Place::Grid,
        }
    }

    fn is_lines(&self) -> bool {
        matches!(self, Self::List(_) | Self::Table(_) | Self::Grid(_))
    }
}

/// Writes a report.
pub(crate) fn lay(rng: &mut Rng, claims: &[Claim]) -> Laid {
    let mut blocks = blocks(rng, claims);
    rng.shuffle(&mut blocks);
    let mut text = Text { curly: rng.chance(0.12), ..Text::default() };
    let spread = rng.chance(0.3);
    let mut lines_before = false;
    for block in &blocks {
        if !text.out.is_empty() {
            let apart = lines_before || block.is_lines() || (spread && rng.chance(0.4));
            text.out.push_str(if apart { "\n\n" } else { " " });
        }
        lines_before = block.is_lines();
        write(rng, &mut text, block, claims);
    }
    Laid { text: text.out, marks: text.marks, used: text.used }
}

fn blocks(rng: &mut Rng, claims: &[Claim]) -> Vec<Block> {
    let (mut free, own): (Vec<usize>, Vec<usize>) =
        (0..claims.len()).partition(|&index| claims[index].sentence.is_none());
    rng.shuffle(&mut free);
    let mut blocks: Vec<Block> = own.into_iter().map(Block::Own).collect();
    if rng.chance(0.3) {
        blocks.extend(grid(claims, &mut free));
    }
    match rng.below(10) {
        0..3 => blocks.extend(together(claims, &mut free, |_| true).map(Block::List)),
        3 => {
            let bare = |claim: &Claim| claim.source.is_none();
            blocks.extend(together(claims, &mut free, bare).map(Block::Table));
        }
        4..7 => blocks.extend(together(claims, &mut free, |_| true).map(Block::Introduced)),
        _ => {}
    }
    while let Some(first) = free.pop() {
        let two = rng.chance(0.5).then(|| pair(claims, first, &mut free)).flatten();
        let alone = || Block::Sentence("one", ONE, vec![first]);
        blocks.push(two.unwrap_or_else(alone));
    }
    let fillers = rng.below(6).min(11_usize.saturating_sub(blocks.len()));
    let mut known: Vec<&'static str> = Vec::new();
    for _ in 0..fillers {
        let from = if rng.chance(0.2) { NUMBERED } else { FILLERS };
        known.push(*rng.pick::<&str>(from));
    }
    known.sort_unstable();
    known.dedup();
    blocks.extend(known.into_iter().map(Block::Filler));
    blocks
}

/// All free claims on the entity of one of them, taken out.
fn together(
    claims: &[Claim],
    free: &mut Vec<usize>,
    fits: impl Fn(&Claim) -> bool,
) -> Option<Vec<usize>> {
    let first = free.iter().copied().find(|&index| fits(&claims[index]))?;
    let entity = claims[first].entity_name();
    let joins = |index: usize| claims[index].entity_name() == entity && fits(&claims[index]);
    let (taken, left) = free.iter().copied().partition(|&index| joins(index));
    *free = left;
    Some(taken)
}

/// Two or more claims on one metric and time, of several entities, taken out.
fn grid(claims: &[Claim], free: &mut Vec<usize>) -> Option<Block> {
    let alike = |one: &Claim, two: &Claim| {
        one.metric_name().text == two.metric_name().text
            && one.thing.period == two.thing.period
            && one.source.is_none()
            && two.source.is_none()
    };
    let first = free
        .iter()
        .copied()
        .find(|&one| free.iter().any(|&two| one != two && alike(&claims[one], &claims[two])))?;
    let (taken, left): (Vec<usize>, Vec<usize>) =
        free.iter().copied().partition(|&index| alike(&claims[first], &claims[index]));
    *free = left;
    Some(Block::Grid(taken))
}

/// This claim and another free one that go into one sentence.
fn pair(claims: &[Claim], first: usize, free: &mut Vec<usize>) -> Option<Block> {
    let one = &claims[first];
    let found = free.iter().position(|&index| set(one, &claims[index]).is_some())?;
    let second = free.remove(found);
    let (name, templates) = set(one, &claims[second])?;
    let rank = |index: usize| claims[index].thing.period.map(super::period::Period::rank);
    let order = if rank(first) < rank(second) { [second, first] } else { [first, second] };
    Some(Block::Sentence(name, templates, order.to_vec()))
}

/// The templates that take both claims.
fn set(one: &Claim, two: &Claim) -> Option<(&'static str, &'static [&'static str])> {
    if !one.sociable() || !two.sociable() {
        return None;
    }
    let same_entity = one.entity_name() == two.entity_name();
    let same_metric = one.metric_name().text == two.metric_name().text;
    let same_period = one.thing.period == two.thing.period;
    match (same_entity, same_metric, same_period) {
        (true, false, true) => Some(("metrics", TWO_METRICS)),
        (false, true, true) => Some(("entities", TWO_ENTITIES)),
        (true, true, false) => Some(("periods", TWO_PERIODS)),
        _ => None,
    }
}

fn write(rng: &mut Rng, text: &mut Text, block: &Block, claims: &[Claim]) {
    text.place = block.place();
    match block {
        Block::Filler(words) => text.say(rng, words),
        Block::Own(index) => {
            let claim = &claims[*index];
            let template = Template::parse(claim.sentence.as_deref().unwrap_or_default());
            text.write(rng, &template, &[(*index, claim)], Reference::Name);
        }
        Block::Sentence(name, templates, indexes) => {
            sentence(rng, text, (name, templates), claims, indexes, Reference::Name);
        }
        Block::Introduced(indexes) => introduced(rng, text, claims, indexes),
        Block::List(indexes) => list(rng, text, claims, indexes),
        Block::Table(indexes) => table(rng, text, claims, indexes),
        Block::Grid(indexes) => columns(rng, text, claims, indexes),
    }
}

/// Writes one sentence, or one for each claim where no template takes all.
fn sentence(
    rng: &mut Rng,
    text: &mut Text,
    set: (&'static str, &'static [&'static str]),
    claims: &[Claim],
    indexes: &[usize],
    reference: Reference,
) {
    let (name, templates) = set;
    let chosen: Vec<&Claim> = indexes.iter().map(|&index| &claims[index]).collect();
    let keyed: Vec<(usize, &Claim)> =
        indexes.iter().map(|&index| (index, &claims[index])).collect();
    if let Some(index) = Text::choose(rng, parsed(templates), &chosen, reference) {
        text.used.push((name, index));
        text.write(rng, &parsed(templates)[index], &keyed, reference);
    } else if let ([only], true) = (indexes, reference == Reference::Name) {
        panic!("no template for {:?}", claims[*only]);
    } else {
        for (turn, index) in indexes.iter().enumerate() {
            text.out.push_str(if turn > 0 { " " } else { "" });
            sentence(rng, text, ("one", ONE), claims, &[*index], Reference::Name);
        }
    }
}

fn introduced(rng: &mut Rng, text: &mut Text, claims: &[Claim], indexes: &[usize]) {
    let first = (indexes[0], &claims[indexes[0]]);
    let opening = rng.below(INTRODUCTIONS.len());
    text.used.push(("introductions", opening));
    text.write(rng, &parsed(INTRODUCTIONS)[opening], &[first], Reference::Name);
    let references = [Reference::Noun, Reference::Pronoun, Reference::Pronoun, Reference::Omitted];
    for index in indexes {
        text.out.push(' ');
        let reference = *rng.pick(&references);
        sentence(rng, text, ("one", ONE), claims, &[*index], reference);
    }
}

/// Writes a heading and says whether it names the time.
fn heading(rng: &mut Rng, text: &mut Text, claims: &[Claim], indexes: &[usize]) -> bool {
    let first = &claims[indexes[0]];
    let period = first.thing.period;
    let shared = period.is_some()
        && indexes
            .iter()
            .all(|&index| claims[index].thing.period == period && claims[index].source.is_none());
    let dated = shared && rng.chance(0.5);
    let (name, from) = if dated { ("dated", DATED_HEADINGS) } else { ("headings", HEADINGS) };
    let index = rng.below(from.len());
    text.used.push((name, index));
    text.write(rng, &parsed(from)[index], &[(indexes[0], first)], Reference::Name);
    text.out.push('\n');
    dated
}

fn list(rng: &mut Rng, text: &mut Text, claims: &[Claim], indexes: &[usize]) {
    let dated = heading(rng, text, claims, indexes);
    let mark = rng.below(5);
    for (turn, &index) in indexes.iter().enumerate() {
        text.out.push_str(if turn > 0 { "\n" } else { "" });
        match mark {
            0 | 1 => text.out.push_str("- "),
            2 => text.out.push_str("* "),
            3 => _ = write!(text.out, "{}. ", turn + 1),
            _ => {}
        }
        line(rng, text, ("lines", LINES), (index, &claims[index]), dated);
    }
}

fn table(rng: &mut Rng, text: &mut Text, claims: &[Claim], indexes: &[usize]) {
    let dated = heading(rng, text, claims, indexes);
    let periods = !dated && indexes.iter().any(|&index| claims[index].thing.period.is_some());
    let (dated_head, head) =
        ("| Metric | Value | Period |\n|---|---|---|", "| Metric | Value |\n|---|---|");
    text.out.push_str(if periods { dated_head } else { head });
    for &index in indexes {
        text.out.push('\n');
        line(rng, text, ("rows", ROWS), (index, &claims[index]), dated);
        if periods && claims[index].thing.period.is_none() {
            text.out.push_str(" |");
        }
    }
}

/// Writes a claim without its entity, and without its time where the heading names it.
fn line(
    rng: &mut Rng,
    text: &mut Text,
    set: (&'static str, &'static [&'static str]),
    (key, claim): (usize, &Claim),
    dated: bool,
) {
    let mut claim = claim.clone();
    if dated {
        claim.thing.period = None;
    }
    let (name, templates) = set;
    let index = Text::choose(rng, parsed(templates), &[&claim], Reference::Omitted)
        .expect("lines take every claim");
    text.used.push((name, index));
    text.write(rng, &parsed(templates)[index], &[(key, &claim)], Reference::Omitted);
}

fn columns(rng: &mut Rng, text: &mut Text, claims: &[Claim], indexes: &[usize]) {
    let first = &claims[indexes[0]];
    let period = first.thing.period.map(|period| format!(" ({})", period.short(rng)));
    let name = first.metric_name().text;
    let kind = format!("{:?}", first.thing.entity.kind);
    let period = period.unwrap_or_default();
    _ = write!(text.out, "| {kind} | {name}{period} |\n|---|---|");
    for &index in indexes {
        text.out.push('\n');
        let row = Template::parse("| {H} | {V} |");
        text.write(rng, &row, &[(index, &claims[index])], Reference::Name);
    }
}
