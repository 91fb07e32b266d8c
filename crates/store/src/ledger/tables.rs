//! The derived tables by their columns, as they are compared with what the journal says.

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Int,
    Real,
    Text,
}

use Kind::{Int, Real, Text};

/// A table, read in the order of its first columns.
#[derive(Debug)]
pub(super) struct Table {
    pub(super) name: &'static str,
    /// How many of the columns are its key.
    pub(super) keys: usize,
    pub(super) names: &'static str,
    pub(super) kinds: &'static [Kind],
    /// The first rows, and those after a key.
    pub(super) first: &'static str,
    pub(super) next: &'static str,
}

/// A table with one key or two, and its other columns.
macro_rules! table {
    ($name:literal, $key:literal, $columns:literal, $kinds:expr) => {
        Table {
            name: $name,
            keys: 1,
            names: concat!($key, ", ", $columns),
            kinds: &$kinds,
            first: concat!(
                "SELECT ",
                $key,
                ", ",
                $columns,
                " FROM ",
                $name,
                " ORDER BY ",
                $key,
                " LIMIT 1000"
            ),
            next: concat!(
                "SELECT ",
                $key,
                ", ",
                $columns,
                " FROM ",
                $name,
                " WHERE ",
                $key,
                " > $1 ORDER BY ",
                $key,
                " LIMIT 1000"
            ),
        }
    };
    ($name:literal, $key:literal + $second:literal, $columns:literal, $kinds:expr) => {
        Table {
            name: $name,
            keys: 2,
            names: concat!($key, ", ", $second, ", ", $columns),
            kinds: &$kinds,
            first: concat!(
                "SELECT ",
                $key,
                ", ",
                $second,
                ", ",
                $columns,
                " FROM ",
                $name,
                " ORDER BY ",
                $key,
                ", ",
                $second,
                " LIMIT 1000"
            ),
            next: concat!(
                "SELECT ",
                $key,
                ", ",
                $second,
                ", ",
                $columns,
                " FROM ",
                $name,
                " WHERE (",
                $key,
                ", ",
                $second,
                ") > ($1, $2) ORDER BY ",
                $key,
                ", ",
                $second,
                " LIMIT 1000"
            ),
        }
    };
}

/// All that [`rebuild`](super::rebuild) makes anew.
#[rustfmt::skip]
pub(super) static TABLES: [Table; 13] = [
    table!(
        "positions", "n",
        "id, agent_name, claim, confidence, debate_id, round_num, outcome, reversed, \
         reversal_debate_id, domain, created_at, resolved_at, confidence_whose, question, stance, \
         turn, span_start, span_end, exposed_to, content",
        [Int, Text, Text, Text, Real, Text, Int, Text, Int, Text, Text, Int, Int, Text, Text, Text,
         Int, Int, Int, Text, Int]
    ),
    table!(
        "detected_flips", "n",
        "id, agent_name, original_claim, new_claim, original_confidence, new_confidence, \
         original_debate_id, new_debate_id, similarity_score, flip_type, domain, detected_at, \
         original_position_id, new_position_id, original_span_start, original_span_end, \
         new_span_start, new_span_end, acknowledged, acknowledged_start, acknowledged_end, cause, \
         because, method, severity, detector_confidence, confidence_whose, explanation, \
         detected_us, happened_us, toward",
        [Int, Text, Text, Text, Text, Real, Real, Text, Text, Real, Text, Text, Text, Text, Text,
         Int, Int, Int, Int, Int, Int, Int, Text, Text, Text, Real, Real, Text, Text, Int, Int, Text]
    ),
    table!(
        "agent_totals", "agent_name",
        "positions, flips, contradictions, retractions, qualifications, refinements, silent, \
         before_sum, before_count, after_sum, after_count, consistency, earliest_us, latest_us, \
         unordered",
        [Text, Int, Int, Int, Int, Int, Int, Int, Real, Int, Real, Int, Real, Int, Int, Int]
    ),
    table!(
        "agent_domain_totals", "agent_name" + "domain",
        "positions, flips, contradictions, retractions, qualifications, refinements, silent",
        [Text, Text, Int, Int, Int, Int, Int, Int, Int]
    ),
    table!(
        "domain_totals", "domain",
        "positions, flips, contradictions, retractions, qualifications, refinements, silent",
        [Text, Int, Int, Int, Int, Int, Int, Int]
    ),
    table!("flip_type_totals", "flip_type", "flips, silent", [Text, Int, Int]),
    table!("flip_minutes", "minute", "flips", [Int, Int]),
    table!("flip_days", "day" + "flip_type", "flips", [Int, Text, Int]),
    table!("exposures", "agent_name" + "cause", "exposed, flipped", [Text, Text, Int, Int]),
    table!(
        "topics", "topic", "words, agents, flips, toward_yes, toward_no",
        [Text, Text, Int, Int, Int, Int]
    ),
    table!("topic_agents", "topic" + "agent_name", "flips", [Text, Text, Int]),
    table!(
        "debate_scores", "n" + "agent_name", "debate_id, domain, score, at",
        [Int, Text, Text, Text, Real, Int]
    ),
    table!("ledger_state", "one", "folded, positions, flips, withdrawn", [Int, Int, Int, Int, Int]),
];

/// The detector's index, which is no part of what [`rebuild`](super::rebuild) makes.
pub(super) static LISTS: Table = table!("position_lists", "block", "numbers", [Int, Text]);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_column_has_a_kind() {
        for table in &TABLES {
            assert_eq!(table.names.split(", ").count(), table.kinds.len(), "{}", table.name);
        }
    }
}
