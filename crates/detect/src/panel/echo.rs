//! Sources that are the same few for all.

use std::collections::{BTreeMap, BTreeSet};

use rebuttal_model::Echo;

use super::claims::Stated;
use super::count;
use super::keys::Source;
use super::voices::Voice;

/// The voices that lean on the same sources, and how much of what they cite is repeated; from which
/// share on that is an echo chamber is a matter of policy.
///
/// Voices belong together when they give the same source. Among such voices every citation counts, so
/// sources of their own make it less of an echo; what others cite on other topics does not.
pub(super) fn echo(voices: &[Voice<'_>], stated: &Stated) -> Option<Echo> {
    let mut cited: BTreeMap<&Source, BTreeSet<usize>> = BTreeMap::new();
    let mut own: Vec<Vec<&Source>> = vec![Vec::new(); voices.len()];
    for one in &stated.all {
        for source in one.sources.iter().filter(|source| matches!(source, Source::Named(_))) {
            cited.entry(source).or_default().insert(one.voice);
            if let Some(own) = own.get_mut(one.voice) {
                own.push(source);
            }
        }
    }
    let mut groups: Vec<BTreeSet<usize>> = Vec::new();
    for who in together(voices, stated, &cited) {
        let (touching, mut apart): (Vec<_>, Vec<_>) =
            groups.into_iter().partition(|group| !group.is_disjoint(&who));
        let joined = touching.into_iter().flatten().chain(who).collect();
        apart.push(joined);
        groups = apart;
    }
    let measured = groups.into_iter().map(|group| {
        let citations: Vec<&Source> =
            group.iter().filter_map(|at| own.get(*at)).flatten().copied().collect();
        let unique: BTreeSet<&Source> = citations.iter().copied().collect();
        // Of three that all lean on one source, two repeat it, and two can: who cites most repeats
        // nobody.
        let most = group.iter().filter_map(|at| own.get(*at)).map(Vec::len).max().unwrap_or(0);
        let repeats = count(citations.len()) - count(unique.len());
        let redundancy = (repeats / (count(citations.len()) - count(most)).max(1.0)).min(1.0);
        (redundancy, group, citations.len(), unique)
    });
    let worst = measured.max_by(|one, two| one.0.total_cmp(&two.0))?;
    let (redundancy, group, total, unique) = worst;
    let repeated = |source: &&Source| cited.get(source).is_some_and(|who| who.len() > 1);
    let whole = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    Some(Echo {
        redundancy,
        unique_sources: whole(unique.len()),
        total_citations: whole(total),
        sources: unique.into_iter().filter(repeated).map(Source::shown).collect(),
        agents: group.iter().filter_map(|at| voices.get(*at)).map(|v| v.agent.clone()).collect(),
    })
}

/// Voices that give the same source and do not read the opposite in it: opponents who cite one report
/// repeat nobody.
fn together(
    voices: &[Voice<'_>],
    stated: &Stated,
    cited: &BTreeMap<&Source, BTreeSet<usize>>,
) -> Vec<BTreeSet<usize>> {
    let answer = |at: usize| voices.get(at).and_then(|voice| voice.answer);
    let denied: BTreeSet<(usize, usize)> = stated
        .matches
        .iter()
        .filter(|pair| pair.opposed)
        .filter_map(|pair| Some((stated.all.get(pair.a)?.voice, stated.all.get(pair.b)?.voice)))
        .collect();
    let opposed = |a: usize, b: usize| {
        let answers = answer(a).zip(answer(b));
        denied.contains(&(a, b)) || answers.is_some_and(|(one, two)| !one.eq_ignore_ascii_case(two))
    };
    let mut found = Vec::new();
    for who in cited.values() {
        // One link back is enough to join all.
        for (at, b) in who.iter().enumerate() {
            let before = who.iter().take(at).find(|a| !opposed(**a, *b));
            found.extend(before.map(|a| BTreeSet::from([*a, *b])));
        }
    }
    found
}
