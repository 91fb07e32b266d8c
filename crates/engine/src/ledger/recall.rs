//! What a debate is told before it begins: who of its panel has flipped on this before, and whether the
//! matter is contested.

use std::collections::HashSet;

use rebuttal_model::AgentId;
use rebuttal_store::{Contested, KnowledgeStore, KnownFlip};
use rebuttal_text::Reading;

/// Flips asked for of each agent; few of them are on the matter.
const ASKED: u32 = 20;

/// Contested matters looked through for the one of the debate.
const CONTESTED: u32 = 200;

/// What a knowledge store knows of a question.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recalled {
    /// Flips of the panel on it, agent by agent.
    pub flips: Vec<KnownFlip>,
    /// The matter itself, if several agents flip on it.
    pub contested: Option<Contested>,
}

/// Asks a knowledge store about a question and a panel. A store that fails knows nothing: no debate
/// waits for it.
pub async fn recall(store: &dyn KnowledgeStore, panel: &[AgentId], question: &str) -> Recalled {
    let mut recalled = Recalled::default();
    for agent in panel {
        let found = store.flips_of(agent.as_str(), question, ASKED).await.unwrap_or_default();
        recalled.flips.extend(found.into_iter().filter(|flip| is_on(flip, question)));
    }
    let contested = store.contested(CONTESTED).await.unwrap_or_default();
    recalled.contested =
        contested.into_iter().find(|one| one.agents > 1 && is_about(&one.words, question));
    recalled
}

/// Whether a flip is on a matter given in words: full text search finds whatever shares a single one.
pub fn is_on(flip: &KnownFlip, matter: &str) -> bool {
    is_about(&flip.words, matter) || is_about(&flip.before, matter) || is_about(&flip.after, matter)
}

/// Whether a text is about what another is about: it has more than half of its content words.
fn is_about(text: &str, matter: &str) -> bool {
    let terms = |text: &str| -> HashSet<u32> {
        let words = Reading::new(text).content().words;
        words.iter().filter(|word| word.content).map(|word| word.term.id()).collect()
    };
    let (have, wanted) = (terms(text), terms(matter));
    let shared = wanted.intersection(&have).count();
    shared > 0 && shared * 2 > wanted.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_word_in_common_is_not_the_matter() {
        let asked = "Should we move the billing service to Kubernetes?";
        assert!(is_about("The billing service should move to Kubernetes.", asked));
        assert!(!is_about("The billing address is wrong.", asked));
        assert!(!is_about("", asked) && !is_about("Anything.", ""));
    }
}
