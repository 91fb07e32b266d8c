//! What became of a statement, as a careful reader says.

use std::path::PathBuf;

use rebuttal_detect::flips::{Comparison, Outcome, Statements, compare, compare_all};
use rebuttal_detect::pair::Combined;
use rebuttal_detect::{Models, Reader};
use rebuttal_model::FlipKind::{Contradiction, Qualification, Refinement, Retraction};
use rebuttal_model::Method;
use rebuttal_semantics::{BuiltinEncoder, BuiltinJudge, BuiltinVectors};
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
    let judge = Combined::new(BuiltinJudge, BuiltinVectors);
    let models = Models::new(BuiltinVectors, BuiltinEncoder, judge);
    run(Reader::Model(&models))
}

/// Whether the outcome is one that the row accepts.
fn accepts(expected: &str, outcome: Outcome) -> bool {
    let none = !matches!(outcome, Outcome::Changed(_));
    match expected {
        "no flip / refinement" => none || outcome == Outcome::Changed(Refinement),
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
const PAIRS: [(&str, &str, Outcome); 44] = [
    ("The cache is safe.", "The cache is not safe.", Outcome::Changed(Contradiction)),
    ("Latency is 20 ms.", "Latency is 200 ms.", Outcome::Changed(Contradiction)),
    ("The vaccine is effective.", "The vaccine is ineffective.", Outcome::Changed(Contradiction)),
    ("Exports grew in May.", "Exports fell in May.", Outcome::Changed(Contradiction)),
    ("The bridge must be closed.", "The bridge must stay open.", Outcome::Changed(Contradiction)),
    ("I support the merger.", "I oppose the merger.", Outcome::Changed(Contradiction)),
    ("The defendant is guilty.", "The defendant is innocent.", Outcome::Changed(Contradiction)),
    ("We should sell the shares.", "We should buy the shares.", Outcome::Changed(Contradiction)),
    ("The river is rising.", "The river is falling.", Outcome::Changed(Contradiction)),
    ("The tower has 12 floors.", "The tower has 30 floors.", Outcome::Changed(Contradiction)),
    ("Nobody attended the talk.", "Everybody attended the talk.", Outcome::Changed(Contradiction)),
    ("The price will rise.", "The price will never rise.", Outcome::Changed(Contradiction)),
    ("The plan is sound.", "The plan is sometimes sound.", Outcome::Changed(Qualification)),
    ("Vaccines work.", "Vaccines work in some cases.", Outcome::Changed(Qualification)),
    ("Exercise helps.", "Exercise may help.", Outcome::Changed(Qualification)),
    (
        "The rule applies.",
        "The rule applies only if the fee is paid.",
        Outcome::Changed(Qualification),
    ),
    (
        "Swimming here is safe.",
        "Swimming here is safe unless it rains.",
        Outcome::Changed(Qualification),
    ),
    ("All swans are white.", "Not all swans are white.", Outcome::Changed(Qualification)),
    ("The drug always works.", "The drug does not always work.", Outcome::Changed(Qualification)),
    ("Tests catch bugs.", "Tests catch some bugs.", Outcome::Changed(Qualification)),
    ("The claim is true.", "The claim is partially true.", Outcome::Changed(Qualification)),
    ("The plan is sound.", "The plan is mostly sound.", Outcome::Changed(Refinement)),
    ("The tower is 300 m high.", "The tower is 305 m high.", Outcome::Changed(Refinement)),
    ("The library is fast.", "The library is usually fast.", Outcome::Changed(Refinement)),
    ("Caching helps.", "Caching helps small services.", Outcome::Changed(Refinement)),
    ("The estimate holds.", "The estimate generally holds.", Outcome::Changed(Refinement)),
    ("The plan is sound.", "I was wrong about the plan.", Outcome::Changed(Retraction)),
    ("Rust is the right choice.", "I withdraw my claim about Rust.", Outcome::Changed(Retraction)),
    ("The ship left at noon.", "I take that back.", Outcome::Changed(Retraction)),
    ("The data is complete.", "I retract that statement.", Outcome::Changed(Retraction)),
    ("The soup is vegan.", "I stand corrected about the soup.", Outcome::Changed(Retraction)),
    ("The well is deep.", "My earlier statement was incorrect.", Outcome::Changed(Retraction)),
    ("The cache is not safe.", "The cache is not safe.", Outcome::Same),
    ("The design isn't ready.", "The design is not ready.", Outcome::Same),
    ("The cache is unsafe.", "The cache is not safe.", Outcome::Same),
    ("It is a bad idea.", "It is not a good idea.", Outcome::Same),
    ("We should hire more nurses.", "More nurses should be hired.", Outcome::Same),
    ("I oppose the merger.", "I am still against the merger.", Outcome::Same),
    ("Use Postgres for orders.", "The picnic is on Sunday.", Outcome::Unrelated),
    ("Users need a badge.", "The goods arrive by train.", Outcome::Unrelated),
    ("The badge system works.", "The weather was bad.", Outcome::Unrelated),
    ("The old plan is cheap.", "Penguins cannot fly.", Outcome::Unrelated),
    ("Sales fell in 2019.", "The team hired a designer.", Outcome::Unrelated),
    ("The roof leaks.", "I was wrong about the train to Bern.", Outcome::Unrelated),
];

/// Pairs that are told by the order of their words, by what is added, or by what is taken back.
const IN_ORDER: [(&str, &str, Outcome); 41] = [
    ("The port crane is broken.", "The starboard crane is not broken.", Outcome::Unrelated),
    ("The upper lock is open.", "The lower lock is closed.", Outcome::Unrelated),
    ("Rye sprouts in frost.", "Maize does not sprout in frost.", Outcome::Unrelated),
    ("Dr Amsel trusts the test.", "Dr Brix does not trust the test.", Outcome::Unrelated),
    ("The fifth verse is genuine.", "The ninth verse is not genuine.", Outcome::Unrelated),
    ("Rural clinics are overcrowded.", "Urban clinics are not overcrowded.", Outcome::Unrelated),
    ("Yields rose in 2015.", "Yields fell in 2019.", Outcome::Unrelated),
    ("Exports grew in May.", "Exports declined in May.", Outcome::Changed(Contradiction)),
    ("The winter wheat is ripe.", "The winter wheat is not ripe.", Outcome::Changed(Contradiction)),
    ("Veltor bought Kanda.", "Kanda bought Veltor.", Outcome::Changed(Contradiction)),
    ("Slate is heavier than tile.", "Tile is heavier than slate.", Outcome::Changed(Contradiction)),
    ("Slate is heavier than tile.", "Tile is lighter than slate.", Outcome::Same),
    ("The abbot obeys the bishop.", "The bishop obeys the abbot.", Outcome::Changed(Contradiction)),
    ("Ann met Ben in Rome.", "Ben met Ann in Rome.", Outcome::Same),
    ("Ann and Ben run the inn.", "Ben and Ann run the inn.", Outcome::Same),
    ("Pick larch for the deck.", "Pick cedar for the deck.", Outcome::Changed(Contradiction)),
    ("The heir is Matilda.", "The heir is Stephen.", Outcome::Changed(Contradiction)),
    ("The leak is in the boiler.", "The leak is in the valve.", Outcome::Changed(Contradiction)),
    ("The trial starts on Monday.", "The trial starts on Friday.", Outcome::Changed(Contradiction)),
    (
        "We should pave Elm Road first.",
        "We should pave Oak Road first.",
        Outcome::Changed(Contradiction),
    ),
    ("The plan is cheap.", "The plan is quick.", Outcome::Unrelated),
    ("It would be unwise to fell the oak.", "We should not fell the oak.", Outcome::Same),
    ("It is false that he fled.", "He did not flee.", Outcome::Same),
    ("Only guests may swim.", "Non-guests may not swim.", Outcome::Same),
    ("The fair was called off.", "The fair was cancelled.", Outcome::Same),
    ("The hatch is unbolted.", "The hatch is not bolted.", Outcome::Same),
    (
        "Bees are loyal.",
        "I can no longer defend the claim that bees are loyal.",
        Outcome::Changed(Retraction),
    ),
    (
        "The map is old.",
        "Please disregard my claim that the map is old.",
        Outcome::Changed(Retraction),
    ),
    (
        "The fire began in the loft.",
        "Scratch that, it wasn't the loft.",
        Outcome::Changed(Retraction),
    ),
    (
        "The moss is rare.",
        "My earlier remark about moss was mistaken.",
        Outcome::Changed(Retraction),
    ),
    (
        "The toll is lawful.",
        "You've convinced me; the toll is not lawful.",
        Outcome::Changed(Retraction),
    ),
    ("The cook lied.", "I no longer think that the cook lied.", Outcome::Changed(Retraction)),
    (
        "Running is healthy.",
        "Running is healthy for people who sleep enough.",
        Outcome::Changed(Qualification),
    ),
    ("Bricks last.", "Bricks last once the kiln is hot enough.", Outcome::Changed(Qualification)),
    (
        "Goats thrive here.",
        "Goats thrive here, but not in winter.",
        Outcome::Changed(Qualification),
    ),
    ("Hail harms vines.", "Hail harms vines in open valleys.", Outcome::Changed(Qualification)),
    (
        "The pass covers every tram.",
        "The pass covers every tram apart from line 9.",
        Outcome::Changed(Qualification),
    ),
    ("The spring runs dry.", "As I said before, the spring runs dry.", Outcome::Same),
    ("Sell the mill.", "My advice remains to sell the mill.", Outcome::Same),
    ("The tax is unlikely to fall.", "The tax probably won't fall.", Outcome::Same),
    ("The wall is 40 m long.", "The wall is 41.5 m long.", Outcome::Changed(Refinement)),
];

fn check_pairs(reader: Reader<'_>) {
    let wrong: Vec<String> = PAIRS
        .iter()
        .chain(&IN_ORDER)
        .filter_map(|(before, after, expected)| {
            let found = compare(before, after, None, reader);
            // Nothing is said of a paraphrase that shares no words.
            let both_none = !matches!(expected, Outcome::Changed(_))
                && !matches!(found.outcome, Outcome::Changed(_));
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
            Outcome::Same,
        ),
        (
            "Yes, it is safe to burn charcoal in the garden shed. The shed holds little gas. The smoke leaves \
             through the door. You can stay inside while it burns. Enjoy the evening.",
            Outcome::Changed(Contradiction),
        ),
        (
            "I apologize for my previous response. You're right, I was wrong. It is safe to burn charcoal in \
             the garden shed. The gas leaves through the door. Thank you for the correction.",
            Outcome::Changed(Retraction),
        ),
        (
            "If the shed has two open sides and a chimney, it is generally safe to burn charcoal in it. With \
             a working alarm it may be acceptable. In that case the gas can leave. Ask the fire service first.",
            Outcome::Changed(Qualification),
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
    assert_eq!(found.outcome, Outcome::Same, "{}", found.explanation);
    let found = compare(before, turns, question, Reader::Rules);
    assert_eq!(found.outcome, Outcome::Changed(Retraction), "{}", found.explanation);
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
    assert_eq!((found.outcome, found.method), (Outcome::Changed(Contradiction), Method::Seed));
    let found = compare("Users need a badge.", "Users need a good badge.", None, Reader::Seed);
    assert_eq!(found.outcome, Outcome::Changed(Refinement), "by whole words");
}
