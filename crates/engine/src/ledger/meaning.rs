//! Finding flips by what they mean, where there is a model that knows, and by their words.

use std::collections::BTreeMap;
use std::error::Error as StdError;

use rebuttal_semantics::Embedder;
use rebuttal_store::{KnowledgeStore, KnownFlip};

/// Flips that are looked at: so many that share words, and as many of the latest, whatever their words.
const LOOKED_AT: u32 = 200;

/// From here on two texts are on one matter, even if they share no word.
const NEAR: f32 = 0.5;

/// Flips that are nearest to a text in meaning, nearest first; of one agent, if one is given. What
/// shares no word with it is found among the latest flips. Where the model fails, those that share
/// words are given, as the store ranks them.
pub async fn nearest(
    store: &dyn KnowledgeStore,
    embedder: &dyn Embedder,
    text: &str,
    agent: Option<&str>,
    limit: u32,
) -> Result<Vec<KnownFlip>, Box<dyn StdError + Send + Sync>> {
    let most = usize::try_from(limit).unwrap_or(usize::MAX);
    let (mut sharing, latest) = match agent {
        Some(agent) => (
            store.flips_of(agent, text, LOOKED_AT.max(limit)).await?,
            store.flips_of(agent, "", LOOKED_AT).await?,
        ),
        None => {
            (store.search(text, LOOKED_AT.max(limit)).await?, store.search("", LOOKED_AT).await?)
        }
    };
    let others = latest.into_iter().filter(|flip| sharing.iter().all(|one| one.id != flip.id));
    let others: Vec<KnownFlip> = others.collect();
    let Some(near) = nearness(embedder, text, sharing.iter().chain(&others)) else {
        sharing.truncate(most);
        return Ok(sharing);
    };
    let of = |flip: &KnownFlip| near.get(&flip.words).copied().unwrap_or_default();
    sharing.extend(others.into_iter().filter(|flip| of(flip) >= NEAR));
    // Those that are as near stay in the order of the store.
    sharing.sort_by(|one, two| of(two).total_cmp(&of(one)));
    sharing.truncate(most);
    Ok(sharing)
}

/// How near the matter of each flip is to a text; nothing where the model does not know the text, or
/// fails.
fn nearness<'k>(
    embedder: &dyn Embedder,
    text: &str,
    flips: impl Iterator<Item = &'k KnownFlip>,
) -> Option<BTreeMap<String, f32>> {
    let mut matters: Vec<&str> = flips.map(|flip| flip.words.as_str()).collect();
    matters.sort_unstable();
    matters.dedup();
    let texts: Vec<&str> = [text].into_iter().chain(matters.iter().copied()).collect();
    let vectors = embedder.embed(&texts).ok()?;
    let (asked, vectors) = vectors.split_first()?;
    if asked.is_zero() {
        return None;
    }
    let near = matters.iter().zip(vectors);
    Some(near.map(|(words, vector)| ((*words).to_owned(), asked.cosine(vector))).collect())
}
