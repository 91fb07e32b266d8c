//! What became of a statement, as a careful reader says.

use std::path::PathBuf;

use rebuttal_detect::flips::{Comparison, FlipOutcome, Statements, compare, compare_all};
use rebuttal_detect::pair::Combined;
use rebuttal_detect::{Models, Reader};
use rebuttal_model::FlipKind::{Contradiction, Qualification, Refinement, Retraction};
use rebuttal_model::Method;
use rebuttal_semantics::{BuiltinEncoder, BuiltinReader, BuiltinVectors};
use serde_json::Value;

/// The rows of a case file, or none where the folder is not at hand.
fn rows(file: &str) -> Vec<Value> {
    let root = std::env::var_os("REBUTTAL_SHARED").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
        PathBuf::from,
    );
    let path = root.join("cases").join(file);
    let Ok(bytes) = std::fs::File::open(&path).and_then(std::io::read_to_string) else {
        println!("skipped: no data at {}", path.display());
        return Vec::new();
    };
    bytes.lines().map(|line| serde_json::from_str(line).expect("a row is JSON")).collect()
}

fn by_models<T>(run: impl FnOnce(Reader<'_>) -> T) -> T {
    let judge = Combined::new(BuiltinReader, BuiltinVectors);
    let models = Models::new(BuiltinVectors, BuiltinEncoder, judge);
    run(Reader::Model(&models))
}

/// Whether the outcome is one that the row accepts.
fn accepts(expected: &str, outcome: FlipOutcome) -> bool {
    let none = !matches!(outcome, FlipOutcome::Changed(_));
    match expected {
        "no flip / refinement" => none || outcome == FlipOutcome::Changed(Refinement),
        "unrelated" | "unrelated (no flip)" | "no flip (paraphrase)" => none,
        kind => outcome.as_str() == kind,
    }
}

fn probe(reader: Reader<'_>) {
    let (mut checked, mut wrong) = (0, Vec::new());
    for row in rows("adversarial.jsonl").into_iter().chain(rows("upstream_expectations.jsonl")) {
        let contested = row["note"].as_str().is_some_and(|note| note.contains("CONTESTED"));
        if row["area"] != "flip_classify" || contested {
            continue;
        }
        let expected = row["expected"]["label"].as_str().or(row["expected"].as_str());
        let text = |name: &str| row["input"][name].as_str().expect("two texts");
        let found = compare(text("original"), text("new"), None, reader);
        checked += 1;
        if !accepts(expected.expect("an expectation"), found.outcome) {
            wrong.push(format!(
                "{} → {}, {}",
                row["input"],
                found.outcome.as_str(),
                row["expected"]
            ));
        }
    }
    println!("flip_classify: {checked} rows");
    assert!(wrong.is_empty(), "{} of {checked} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn every_probe_by_rules() {
    probe(Reader::Rules);
}

#[test]
fn every_probe_by_model() {
    by_models(probe);
}

/// Pairs of our own, in several fields.
const PAIRS: [(&str, &str, FlipOutcome); 44] = [
    ("The cache is safe.", "The cache is not safe.", FlipOutcome::Changed(Contradiction)),
    ("Latency is 20 ms.", "Latency is 200 ms.", FlipOutcome::Changed(Contradiction)),
    (
        "The vaccine is effective.",
        "The vaccine is ineffective.",
        FlipOutcome::Changed(Contradiction),
    ),
    ("Exports grew in May.", "Exports fell in May.", FlipOutcome::Changed(Contradiction)),
    (
        "The bridge must be closed.",
        "The bridge must stay open.",
        FlipOutcome::Changed(Contradiction),
    ),
    ("I support the merger.", "I oppose the merger.", FlipOutcome::Changed(Contradiction)),
    ("The defendant is guilty.", "The defendant is innocent.", FlipOutcome::Changed(Contradiction)),
    (
        "We should sell the shares.",
        "We should buy the shares.",
        FlipOutcome::Changed(Contradiction),
    ),
    ("The river is rising.", "The river is falling.", FlipOutcome::Changed(Contradiction)),
    ("The tower has 12 floors.", "The tower has 30 floors.", FlipOutcome::Changed(Contradiction)),
    (
        "Nobody attended the talk.",
        "Everybody attended the talk.",
        FlipOutcome::Changed(Contradiction),
    ),
    ("The price will rise.", "The price will never rise.", FlipOutcome::Changed(Contradiction)),
    ("The plan is sound.", "The plan is sometimes sound.", FlipOutcome::Changed(Qualification)),
    ("Vaccines work.", "Vaccines work in some cases.", FlipOutcome::Changed(Qualification)),
    ("Exercise helps.", "Exercise may help.", FlipOutcome::Changed(Qualification)),
    (
        "The rule applies.",
        "The rule applies only if the fee is paid.",
        FlipOutcome::Changed(Qualification),
    ),
    (
        "Swimming here is safe.",
        "Swimming here is safe unless it rains.",
        FlipOutcome::Changed(Qualification),
    ),
    ("All swans are white.", "Not all swans are white.", FlipOutcome::Changed(Qualification)),
    (
        "The drug always works.",
        "The drug does not always work.",
        FlipOutcome::Changed(Qualification),
    ),
    ("Tests catch bugs.", "Tests catch some bugs.", FlipOutcome::Changed(Qualification)),
    ("The claim is true.", "The claim is partially true.", FlipOutcome::Changed(Qualification)),
    ("The plan is sound.", "The plan is mostly sound.", FlipOutcome::Changed(Refinement)),
    ("The tower is 300 m high.", "The tower is 305 m high.", FlipOutcome::Changed(Refinement)),
    ("The library is fast.", "The library is usually fast.", FlipOutcome::Changed(Refinement)),
    ("Caching helps.", "Caching helps small services.", FlipOutcome::Changed(Refinement)),
    ("The estimate holds.", "The estimate generally holds.", FlipOutcome::Changed(Refinement)),
    ("The plan is sound.", "I was wrong about the plan.", FlipOutcome::Changed(Retraction)),
    (
        "Rust is the right choice.",
        "I withdraw my claim about Rust.",
        FlipOutcome::Changed(Retraction),
    ),
    ("The ship left at noon.", "I take that back.", FlipOutcome::Changed(Retraction)),
    ("The data is complete.", "I retract that statement.", FlipOutcome::Changed(Retraction)),
    ("The soup is vegan.", "I stand corrected about the soup.", FlipOutcome::Changed(Retraction)),
    ("The well is deep.", "My earlier statement was incorrect.", FlipOutcome::Changed(Retraction)),
    ("The cache is not safe.", "The cache is not safe.", FlipOutcome::Same),
    ("The design isn't ready.", "The design is not ready.", FlipOutcome::Same),
    ("The cache is unsafe.", "The cache is not safe.", FlipOutcome::Same),
    ("It is a bad idea.", "It is not a good idea.", FlipOutcome::Same),
    ("We should hire more nurses.", "More nurses should be hired.", FlipOutcome::Same),
    ("I oppose the merger.", "I am still against the merger.", FlipOutcome::Same),
    ("Use Postgres for orders.", "The picnic is on Sunday.", FlipOutcome::Unrelated),
    ("Users need a badge.", "The goods arrive by train.", FlipOutcome::Unrelated),
    ("The badge system works.", "The weather was bad.", FlipOutcome::Unrelated),
    ("The old plan is cheap.", "Penguins cannot fly.", FlipOutcome::Unrelated),
    ("Sales fell in 2019.", "The team hired a designer.", FlipOutcome::Unrelated),
    ("The roof leaks.", "I was wrong about the train to Bern.", FlipOutcome::Unrelated),
];

/// Pairs that are told by the order of their words, by what is added, or by what is taken back.
const IN_ORDER: [(&str, &str, FlipOutcome); 41] = [
    ("The port crane is broken.", "The starboard crane is not broken.", FlipOutcome::Unrelated),
    ("The upper lock is open.", "The lower lock is closed.", FlipOutcome::Unrelated),
    ("Rye sprouts in frost.", "Maize does not sprout in frost.", FlipOutcome::Unrelated),
    ("Dr Amsel trusts the test.", "Dr Brix does not trust the test.", FlipOutcome::Unrelated),
    ("The fifth verse is genuine.", "The ninth verse is not genuine.", FlipOutcome::Unrelated),
    (
        "Rural clinics are overcrowded.",
        "Urban clinics are not overcrowded.",
        FlipOutcome::Unrelated,
    ),
    ("Yields rose in 2015.", "Yields fell in 2019.", FlipOutcome::Unrelated),
    ("Exports grew in May.", "Exports declined in May.", FlipOutcome::Changed(Contradiction)),
    (
        "The winter wheat is ripe.",
        "The winter wheat is not ripe.",
        FlipOutcome::Changed(Contradiction),
    ),
    ("Veltor bought Kanda.", "Kanda bought Veltor.", FlipOutcome::Changed(Contradiction)),
    (
        "Slate is heavier than tile.",
        "Tile is heavier than slate.",
        FlipOutcome::Changed(Contradiction),
    ),
    ("Slate is heavier than tile.", "Tile is lighter than slate.", FlipOutcome::Same),
    (
        "The abbot obeys the bishop.",
        "The bishop obeys the abbot.",
        FlipOutcome::Changed(Contradiction),
    ),
    ("Ann met Ben in Rome.", "Ben met Ann in Rome.", FlipOutcome::Same),
    ("Ann and Ben run the inn.", "Ben and Ann run the inn.", FlipOutcome::Same),
    ("Pick larch for the deck.", "Pick cedar for the deck.", FlipOutcome::Changed(Contradiction)),
    ("The heir is Matilda.", "The heir is Stephen.", FlipOutcome::Changed(Contradiction)),
    (
        "The leak is in the boiler.",
        "The leak is in the valve.",
        FlipOutcome::Changed(Contradiction),
    ),
    (
        "The trial starts on Monday.",
        "The trial starts on Friday.",
        FlipOutcome::Changed(Contradiction),
    ),
    (
        "We should pave Elm Road first.",
        "We should pave Oak Road first.",
        FlipOutcome::Changed(Contradiction),
    ),
    ("The plan is cheap.", "The plan is quick.", FlipOutcome::Unrelated),
    ("It would be unwise to fell the oak.", "We should not fell the oak.", FlipOutcome::Same),
    ("It is false that he fled.", "He did not flee.", FlipOutcome::Same),
    ("Only guests may swim.", "Non-guests may not swim.", FlipOutcome::Same),
    ("The fair was called off.", "The fair was cancelled.", FlipOutcome::Same),
    ("The hatch is unbolted.", "The hatch is not bolted.", FlipOutcome::Same),
    (
        "Bees are loyal.",
        "I can no longer defend the claim that bees are loyal.",
        FlipOutcome::Changed(Retraction),
    ),
    (
        "The map is old.",
        "Please disregard my claim that the map is old.",
        FlipOutcome::Changed(Retraction),
    ),
    (
        "The fire began in the loft.",
        "Scratch that, it wasn't the loft.",
        FlipOutcome::Changed(Retraction),
    ),
    (
        "The moss is rare.",
        "My earlier remark about moss was mistaken.",
        FlipOutcome::Changed(Retraction),
    ),
    (
        "The toll is lawful.",
        "You've convinced me; the toll is not lawful.",
        FlipOutcome::Changed(Retraction),
    ),
    ("The cook lied.", "I no longer think that the cook lied.", FlipOutcome::Changed(Retraction)),
    (
        "Running is healthy.",
        "Running is healthy for people who sleep enough.",
        FlipOutcome::Changed(Qualification),
    ),
    (
        "Bricks last.",
        "Bricks last once the kiln is hot enough.",
        FlipOutcome::Changed(Qualification),
    ),
    (
        "Goats thrive here.",
        "Goats thrive here, but not in winter.",
        FlipOutcome::Changed(Qualification),
    ),
    ("Hail harms vines.", "Hail harms vines in open valleys.", FlipOutcome::Changed(Qualification)),
    (
        "The pass covers every tram.",
        "The pass covers every tram apart from line 9.",
        FlipOutcome::Changed(Qualification),
    ),
    ("The spring runs dry.", "As I said before, the spring runs dry.", FlipOutcome::Same),
    ("Sell the mill.", "My advice remains to sell the mill.", FlipOutcome::Same),
    ("The tax is unlikely to fall.", "The tax probably won't fall.", FlipOutcome::Same),
    ("The wall is 40 m long.", "The wall is 41.5 m long.", FlipOutcome::Changed(Refinement)),
];

fn check_pairs(reader: Reader<'_>) {
    let wrong: Vec<String> = PAIRS
        .iter()
        .chain(&IN_ORDER)
        .filter_map(|(before, after, expected)| {
            let found = compare(before, after, None, reader);
            // Nothing is said of a paraphrase that shares no words.
            let both_none = !matches!(expected, FlipOutcome::Changed(_))
                && !matches!(found.outcome, FlipOutcome::Changed(_));
            let right = found.outcome == *expected || both_none;
            (!right).then(|| format!("{before} / {after}: {}", found.explanation))
        })
        .collect();
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn our_own_pairs_by_rules() {
    check_pairs(Reader::Rules);
}

#[test]
fn our_own_pairs_by_model() {
    by_models(check_pairs);
}

#[test]
fn a_batch_says_what_each_pair_says_alone() {
    by_models(|reader| {
        let pairs: Vec<Statements<'_>> = PAIRS
            .iter()
            .map(|(before, after, _)| Statements { before, after, question: None, reply_to: None })
            .collect();
        let alone: Vec<Comparison> =
            PAIRS.iter().map(|(before, after, _)| compare(before, after, None, reader)).collect();
        assert_eq!(compare_all(&pairs, reader), alone);
    });
}

const QUESTION: &str = "Is it safe to burn charcoal in the garden shed?";
const BEFORE: &str = "No, it is not safe to burn charcoal in the garden shed. Charcoal gives off carbon \
    monoxide, which has no smell. A shed holds the gas. People have died within an hour. Burn it outside \
    and keep a distance from the door.";

fn answer(after: &str) -> Comparison {
    compare(BEFORE, after, Some(QUESTION), Reader::Rules)
}

#[test]
fn long_answers() {
    for (after, expected) in [
        (
            "I understand that you have done it before. However, it is still not safe to burn charcoal in \
             the garden shed. Carbon monoxide cannot be smelled. Please burn it outside.",
            FlipOutcome::Same,
        ),
        (
            "Yes, it is safe to burn charcoal in the garden shed. The shed holds little gas. The smoke leaves \
             through the door. You can stay inside while it burns. Enjoy the evening.",
            FlipOutcome::Changed(Contradiction),
        ),
        (
            "I apologize for my previous response. You're right, I was wrong. It is safe to burn charcoal in \
             the garden shed. The gas leaves through the door. Thank you for the correction.",
            FlipOutcome::Changed(Retraction),
        ),
        (
            "If the shed has two open sides and a chimney, it is generally safe to burn charcoal in it. With \
             a working alarm it may be acceptable. In that case the gas can leave. Ask the fire service first.",
            FlipOutcome::Changed(Qualification),
        ),
    ] {
        let found = answer(after);
        assert_eq!(found.outcome, expected, "{}", found.explanation);
    }
}

#[test]
fn where_both_sides_are_known_they_decide() {
    let question = Some("Should the parish sell the chapel?");
    let before = "The parish should not sell the chapel. Its roof was mended with gifts.";
    let holds_on = "The dean is right about the cost, but I remain opposed to selling the chapel.";
    let turns = "That settles it, and I have come round: the parish should sell the chapel.";
    let found = compare(before, holds_on, question, Reader::Rules);
    assert_eq!(found.outcome, FlipOutcome::Same, "{}", found.explanation);
    let found = compare(before, turns, question, Reader::Rules);
    assert_eq!(found.outcome, FlipOutcome::Changed(Retraction), "{}", found.explanation);
    assert!(found.acknowledgment.is_some());
}

#[test]
fn spans_and_acknowledgments_lie_in_their_texts() {
    let after = "Ühm, I was wrong. It is safe to burn charcoal in the garden shed. The gas leaves through \
        the door. You can stay inside. Enjoy the evening, and keep the fire small.";
    let found = answer(after);
    assert!(found.before.of(BEFORE).is_some() && found.after.of(after).is_some());
    let said = found.acknowledgment.and_then(|span| span.of(after));
    assert_eq!(said, Some("I was wrong"), "{found:?}");
}

#[test]
fn the_seed_calls_everything_a_change() {
    let found = compare("Use Redis.", "We meet in June.", None, Reader::Seed);
    assert_eq!((found.outcome, found.method), (FlipOutcome::Changed(Contradiction), Method::Seed));
    let found = compare("Users need a badge.", "Users need a good badge.", None, Reader::Seed);
    assert_eq!(found.outcome, FlipOutcome::Changed(Refinement), "by whole words");
}
