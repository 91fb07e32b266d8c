//! What holds whatever the sides.

use proptest::prelude::*;
use rebuttal_model::{
    Action, AgentId, Arbiter, Contradiction, ContradictionKind, Report, Resolution, Ruling, Side,
};
use rebuttal_policy::{Authority, Piece, Standing, adjust, arbitrate, consensus, read_beside};

use crate::kit::{Backed, contradiction, example, reports, side};

const SOURCES: [&str; 5] = ["GCC-STAT", "World Bank", "IMF", "A Blog", "World Bankers Daily"];
const YEARS: [&str; 3] = ["2022", "2023", "Q2-2023"];

/// What backs a side: source, its date, completeness, the sentence's period, confidence.
type Backing = (Option<usize>, Option<usize>, bool, Option<usize>, Option<u8>);

fn backing() -> impl Strategy<Value = Backing> {
    let maybe = |most: usize| prop::option::weighted(0.7, 0..most);
    (
        maybe(SOURCES.len()),
        maybe(YEARS.len()),
        any::<bool>(),
        prop::option::weighted(0.2, 0..YEARS.len()),
        prop::option::of(0u8..4),
    )
}

fn built(agent: usize, value: u8, backing: Backing) -> Side {
    let (source, dated, fully, during, sure) = backing;
    let value = f64::from(value) + 0.25;
    let mut side = side(
        &format!("Agent{}", ["Ann", "Bob", "Cyd", "Dan", "Eve"][agent]),
        value,
        &format!("{value}%"),
    );
    if let Some(source) = source {
        side = side.cites(SOURCES[source]);
        if let Some(dated) = dated {
            side = side.dated(YEARS[dated]);
        }
        if fully {
            side = side.fully();
        }
    }
    if let Some(during) = during {
        side = side.during(YEARS[during]);
    }
    match sure {
        Some(sure) => side.sure(f64::from(sure) / 4.0),
        None => side,
    }
}

fn kinds() -> impl Strategy<Value = ContradictionKind> {
    prop_oneof![Just(ContradictionKind::Value), Just(ContradictionKind::SourceData)]
}

fn any_contradiction() -> impl Strategy<Value = Contradiction> {
    let sides = prop::collection::vec((4u8..8, backing()), 2..=5);
    (kinds(), sides).prop_map(|(kind, sides)| {
        let sides = sides.into_iter().enumerate();
        let sides: Vec<Side> =
            sides.map(|(agent, (value, backing))| built(agent, value, backing)).collect();
        contradiction(kind, sides)
    })
}

/// Who won, by name; `None` where nobody did.
fn winner(contradiction: &Contradiction, resolution: &Resolution) -> Option<AgentId> {
    match resolution.resolution? {
        Ruling::Correct(side) => Some(contradiction.sides[side].agent.clone()),
        Ruling::BothValid | Ruling::NeitherValid => None,
    }
}

/// Digit runs, as text.
fn digits(text: &str) -> Vec<&str> {
    text.split(|letter: char| !letter.is_ascii_digit() && letter != '.')
        .map(|run| run.trim_matches('.'))
        .filter(|run| !run.is_empty())
        .collect()
}

/// Everything the sides say, their confidences included.
fn input(contradiction: &Contradiction) -> String {
    serde_json::to_string(&contradiction.sides).unwrap()
}

proptest! {
    #[test]
    fn the_order_of_sides_does_not_matter(
        contradiction in any_contradiction(),
        turn in 0usize..5,
        reverse in any::<bool>(),
    ) {
        let first = arbitrate(&contradiction, &example());
        let mut other = contradiction.clone();
        let sides = other.sides.len();
        other.sides.rotate_left(turn % sides);
        if reverse {
            other.sides.reverse();
        }
        let second = arbitrate(&other, &example());
        prop_assert_eq!(winner(&contradiction, &first), winner(&other, &second));
        prop_assert_eq!(first.recommended_value, second.recommended_value);
        prop_assert_eq!(first.confidence, second.confidence);
    }

    #[test]
    fn a_ruling_is_consistent_and_of_the_sides(contradiction in any_contradiction()) {
        let resolution = arbitrate(&contradiction, &example());
        let decided = resolution.steps.iter().filter(|step| step.decided).count();
        prop_assert_eq!(decided, usize::from(resolution.resolution.is_some()));
        match resolution.resolution {
            Some(Ruling::Correct(index)) => {
                let side = &contradiction.sides[index];
                prop_assert_eq!(resolution.action, Action::Use(index));
                prop_assert_eq!(resolution.recommended_value, side.value);
                let citation = side.citation.as_ref().map(|citation| citation.text.clone());
                prop_assert_eq!(resolution.recommended_citation, citation);
            }
            Some(ruling) => {
                prop_assert_eq!((ruling, resolution.action), (Ruling::BothValid, Action::UseBoth));
            }
            None => prop_assert_eq!(resolution.action, Action::FlagForReview),
        }
    }

    #[test]
    fn nothing_is_invented(contradiction in any_contradiction()) {
        let given = input(&contradiction);
        let resolution = arbitrate(&contradiction, &example());
        let all = std::slice::from_ref(&contradiction);
        let told = consensus(all, std::slice::from_ref(&resolution), &reports(&contradiction));
        let mut texts = vec![resolution.explanation.clone(), told.consensus_narrative];
        texts.extend(resolution.steps.iter().map(|step| step.saw.clone()));
        let notes = told.adjusted_reports.iter().flat_map(|report| &report.adjustments);
        texts.extend(notes.map(|adjustment| adjustment.note.clone()));
        for text in texts {
            for run in digits(&text) {
                prop_assert!(digits(&given).contains(&run), "{} in {}", run, text);
            }
            for source in SOURCES.iter().filter(|source| text.contains(**source)) {
                prop_assert!(given.contains(source), "{} in {}", source, text);
            }
        }
    }

    #[test]
    fn adjusting_twice_is_adjusting_once(contradiction in any_contradiction(), second in any_contradiction()) {
        let mut second = second;
        second.id = rebuttal_model::FindingId::new("r-2");
        let before: Vec<Report> = (0..5)
            .map(|index| {
                let all = contradiction.sides.get(index).or(second.sides.get(index));
                let (agent, quote) = all.map_or(("x", ""), |side| (side.agent.as_str(), &side.quote));
                Report::new(AgentId::new(agent), format!("{quote} More."))
            })
            .collect();
        let contradictions = [contradiction, second];
        let rulings: Vec<Resolution> =
            contradictions.iter().map(|one| arbitrate(one, &example())).collect();
        let once = adjust(&before, &contradictions, &rulings);
        prop_assert_eq!(&adjust(&once, &contradictions, &rulings), &once);
        for (one, two) in before.iter().zip(&once) {
            prop_assert_eq!(&one.text, &two.text);
        }
        let all_at_once = consensus(&contradictions, &rulings, &once);
        prop_assert_eq!(&all_at_once, &consensus(&contradictions, &rulings, &before));
        prop_assert_eq!(all_at_once.adjusted_reports, once);
    }

    #[test]
    fn the_original_comes_back(
        text in "[a-zé\\[\\] .]{0,40}",
        spans in prop::collection::vec((0usize..50, 0usize..50, "[a-z\\[\\]]{0,8}"), 0..5),
    ) {
        let mut report = Report::new(AgentId::new("A"), text.clone());
        for (start, end, note) in spans {
            report.adjustments.push(rebuttal_model::Adjustment {
                contradiction: rebuttal_model::FindingId::new("r-1"),
                span: rebuttal_model::Span::new(start, end),
                original: String::new(),
                note,
                recommended_value: None,
                by: Arbiter::Human,
                why: String::new(),
            });
        }
        let pieces = read_beside(&report);
        let own = |piece: &Piece<'_>| match piece {
            Piece::Original(text) => (*text).to_owned(),
            Piece::Note(_) => String::new(),
        };
        prop_assert_eq!(pieces.iter().map(own).collect::<String>(), text);
        let notes = pieces.iter().filter(|piece| matches!(piece, Piece::Note(_))).count();
        prop_assert_eq!(notes, report.adjustments.len());
    }

    #[test]
    fn the_unknown_never_stand_above_the_known(
        rules in prop::collection::vec((0usize..8, 0usize..8), 0..30),
        known in 0usize..8,
    ) {
        let name = |index: usize| ["ab", "cd", "ef", "gh", "ij", "kl", "mn", "op"][index];
        let lines: Vec<String> =
            rules.iter().map(|(a, b)| format!("\"{} > {}\"", name(*a), name(*b))).collect();
        let (authority, problems) = Authority::read(&format!("rules = [{}]", lines.join(",\n")), "f");
        prop_assert!(problems.len() <= rules.len());
        let known = name(known);
        let named = rules.iter().any(|(a, b)| name(*a) == known || name(*b) == known);
        let expected = if named { Standing::Above } else { Standing::Tied };
        prop_assert_eq!(authority.compare("", known, "stranger"), expected);
        // And what stands above something never stands below it.
        for (a, b) in rules {
            let (forward, reverse) = (authority.compare("", name(a), name(b)), authority.compare("", name(b), name(a)));
            prop_assert_eq!(forward == Standing::Above, reverse == Standing::Below);
            prop_assert!(a == b || forward != Standing::Tied);
        }
    }

    #[test]
    fn no_answer_of_a_model_breaks_anything(text in "[\\[\\]{}\":,a-z0-9 ]{0,200}", cut in 0usize..300) {
        let contradiction = contradiction(ContradictionKind::Value, [built(0, 4, (None, None, false, None, None)), built(1, 5, (None, None, false, None, None))]);
        let _ = rebuttal_policy::replies(&text, &[&contradiction], rebuttal_policy::Order::Reversed);
        let answer = r#"{"resolution": "both_valid", "explanation": "é", "recommended_value": null, "recommended_citation": null, "confidence": 1, "action": "use_both"}"#;
        if let Some(cut) = answer.get(..cut.min(answer.len())) {
            let read = rebuttal_policy::replies(cut, &[&contradiction], rebuttal_policy::Order::AsGiven);
            prop_assert_eq!(read[0].is_ok(), cut.len() == answer.len());
        }
    }
}
