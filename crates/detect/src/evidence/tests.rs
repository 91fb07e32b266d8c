//! Own sentences, own answers.

use rebuttal_model::QualityWeights;

use super::*;

const LOAD_TEST: &str = "We ran a load test on 12 March 2025 (run LT-4821) with 2,000 requests per second \
    for 30 minutes. The p99 latency was 180 ms and the error rate stayed at 0.02%. Because the connection \
    pool was saturated at 85 connections, we raised its limit to 200, which cut p99 to 95 ms. For example, \
    the checkout endpoint went from 210 ms to 101 ms. Therefore the pool, not the database, limits \
    throughput.";

fn found(text: &str) -> Evidence {
    read(text, &QualityWeights::default())
}

fn words(text: &str, kind: ItemKind) -> Vec<&str> {
    found(text).of(kind).filter_map(|item| item.span.of(text)).collect()
}

#[test]
fn a_real_measurement_scores_high_and_says_what_counted() {
    let evidence = found(LOAD_TEST);
    assert!(evidence.quality.overall > 0.65, "{:?}", evidence.quality);
    assert_eq!(evidence.claims.len(), 5);
    assert!(words(LOAD_TEST, ItemKind::Data).contains(&"180 ms"));
    assert!(words(LOAD_TEST, ItemKind::Source).contains(&"LT-4821"));
    assert_eq!(words(LOAD_TEST, ItemKind::Example), ["For example"]);
    assert_eq!(words(LOAD_TEST, ItemKind::Test), ["load test"]);
    // The last sentence follows from what was measured before it.
    assert!(evidence.claims[4].support > 0.4 && evidence.claims[4].joined);
}

#[test]
fn heaps_of_keywords_score_nothing() {
    for text in [
        "therefore because thus hence 4% [1] [2] https://x.org",
        "According to data, study 2023, because therefore 40% for example thus hence since [1] improved.",
        "Study. Benchmark. 40%. [1]. (Smith, 2020). Therefore. For example.",
        "[3][4][5] 10ms 20ms 30ms therefore",
    ] {
        assert!(found(text).quality.overall < 0.05, "{text}: {:?}", found(text).quality);
    }
}

#[test]
fn notes_on_vague_claims_buy_little() {
    let stuffed = "This is widely seen as the best way [1]. It brings significant benefits to everyone [2]. \
        Many experts agree that it is very effective [3].";
    assert!(found(stuffed).quality.overall < 0.2, "{:?}", found(stuffed).quality);
}

#[test]
fn nobody_is_no_source() {
    for text in [
        "According to me, the plan is sound and the budget will hold.",
        "According to some people the plan is sound and the budget will hold.",
        "Studies show that the plan is sound and the budget will hold.",
        "Experts say the plan is sound and the budget will hold.",
        "The plan costs about (roughly 1000) coins and the budget will hold.",
        "There is no source: none of us could find the budget anywhere.",
    ] {
        assert_eq!(words(text, ItemKind::Source), [""; 0], "{text}");
    }
}

#[test]
fn what_can_be_looked_up_is_a_source() {
    for text in [
        "Gradients vanish in deep recurrent nets (Pascanu & Bengio, 2013).",
        "Vaswani et al. (2017) replaced recurrence by attention in their model.",
        "Clients must not retry a POST, as RFC 9110 says in its ninth section.",
        "The flaw is known as CVE-2021-44228 and was fixed within a week.",
        "According to the World Bank, rents rose faster than wages there.",
        "The 2019 census found fewer households than the city had planned for.",
        "The proof is at https://example.org/proof and nobody has refuted it.",
        "The rate was cut twice, see arXiv:1706.03762 for the derivation.",
        "Gartner found that most of the projects were late by a quarter.",
    ] {
        assert_eq!(found(text).of(ItemKind::Source).count(), 1, "{text}");
    }
}

#[test]
fn a_number_counts_for_what_it_measures() {
    assert_eq!(words("We run 5 services and 12 daemons on one host.", ItemKind::Data), [""; 0]);
    assert_eq!(words("The proxy listens on port 8443 of the host.", ItemKind::Data), [""; 0]);
    assert_eq!(words("Error 500 was returned by version 7 of it.", ItemKind::Data), [""; 0]);
    assert_eq!(
        words("The queue held 5 seconds of traffic at night.", ItemKind::Data),
        ["5 seconds"]
    );
    assert_eq!(words("Churn fell to 0.21 after the change was made.", ItemKind::Data), ["0.21"]);
    assert_eq!(
        words("It costs $1,200 each month and saves 3x that.", ItemKind::Data),
        ["1,200", "3x"]
    );
}

#[test]
fn a_connective_joins_a_premise_to_a_conclusion() {
    let score = |text: &str| found(text).quality.logical_chain_score;
    assert!(score("The pool was full, so new requests had to wait in the queue.") > 0.5);
    assert!(score("Because the pool was full, new requests had to wait in the queue.") > 0.5);
    assert!(score("The pool was full at noon. Therefore new requests waited in the queue.") > 0.5);
    for text in [
        "Since 2010 the office has been in Porto, and since Monday it is closed.",
        "The result is so good that we all like it a lot.",
        "Therefore we wait.",
        "The causeway was flooded, and the thusness of it all impressed the hence-men.",
    ] {
        assert!(score(text) < f64::EPSILON, "{text}");
    }
    // A reason that only repeats what it is for is hardly one.
    let circular = score("The new plan works because the new plan works.");
    assert!(circular < 0.3, "{circular}");
}

#[test]
fn words_inside_words_never_count() {
    let text = "The unusually mighty softener was atypically presented at the goodwill manifold.";
    assert_eq!(words(text, ItemKind::Vague), [""; 0]);
}

#[test]
fn a_source_counts_for_the_claim_it_stands_by() {
    let text =
        "The cache halves the load (Okafor, 2022). Nobody has asked the users of the portal yet.";
    let evidence = found(text);
    assert!(evidence.claims[0].support > 0.9 && evidence.claims[1].support < 0.1, "{evidence:?}");
    let after = found("The cache halves the load on the database. [4] Nobody asked the users yet.");
    assert!(after.claims[0].support > 0.5, "{after:?}");
}

#[test]
fn questions_code_and_tables_state_nothing() {
    for text in [
        "Should we adopt it? What does it cost us per month?",
        "```\nlet because = therefore; // 40% [1]\n```",
        "| metric | value |\n|---|---|\n| p99 | 180 ms |",
        "",
        "   \n\t",
        "100 200 300 400",
    ] {
        assert_eq!(found(text).claims, [], "{text}");
        assert!(found(text).quality.overall < f64::EPSILON);
    }
    assert!(!has_prose("```\nfn main() {}\n```") && has_prose("It works."));
}

#[test]
fn weights_are_honoured_and_need_no_sum() {
    let only = |weights: QualityWeights| quality(LOAD_TEST, &weights);
    let none = QualityWeights {
        citation_density: 0.0,
        specificity_score: 0.0,
        logical_chain_score: 0.0,
        evidence_diversity: 0.0,
    };
    let cited = only(QualityWeights { citation_density: 0.5, ..none });
    assert!((cited.overall - cited.citation_density).abs() < 1e-9);
    assert!(only(none).overall < f64::EPSILON);
}

#[test]
fn severity_is_cut_but_kept() {
    let found = severity(0.0, 1.0, 0.25);
    assert!((found.raw - 1.25).abs() < 1e-12 && (found.clamped - 1.0).abs() < 1e-12);
}

#[test]
fn old_years_are_stale_and_years_to_come_are_not_fresher_than_now() {
    assert!(freshness("The 1998 census and a study of 1987 agree.", 2026) < 0.5);
    let coming = freshness("By 2050 and by 2060 the coast will have moved.", 2026);
    assert!((0.0..=1.0).contains(&coming));
    assert!((freshness("The daemon listens on port 2049.", 2026) - 0.8).abs() < 1e-9);
}

#[test]
fn the_seeds_rules_can_be_gamed() {
    let stuffed = "[1] [2] blah blah blah blah. therefore 4% because 5% for example 6%";
    let seed = seed::seed_quality(stuffed, 2026).overall();
    assert!(seed > 0.5 && found(stuffed).quality.overall < 0.05, "{seed}");
    assert!(seed::seed_quality("Since she softens it.", 2026).reasoning > 0.9);
}

#[test]
fn what_somebody_saw_on_an_occasion_is_a_test_of_its_own() {
    for text in [
        "I opened the six valves on Tuesday and found rust in four of them.",
        "Counted 17 cracked tiles on the north wall, 5 on the south one.",
        "Batch 12 boiled over at 94 C, batch 13 held at 91 C.",
        "queue depth 312 -> 40 after the swap, host 7, job 4410",
        "Eleven of the twelve drivers who came in June were late.",
        "My logbook has 14 stalls for April against 3 for March.",
    ] {
        assert!(found(text).of(ItemKind::Test).count() == 1, "{text}: {:?}", found(text).items);
        assert!(found(text).quality.overall > 0.4, "{text}: {:?}", found(text).quality);
    }
    // What will be, what is so in general and what goes on in a head was seen by nobody.
    for text in [
        "The new route will cut delays by 43.6 % and pays for itself in 6.8 years.",
        "A heat pump saves 61 % of the gas that a house burns.",
        "Deliveries would fall from 40 to 12 a day if we closed the gate.",
        "I believed on Monday that the old plan was much worse than this one.",
        "We agreed that everybody in the building likes the new entrance.",
    ] {
        assert_eq!(words(text, ItemKind::Test), [""; 0], "{text}");
    }
}

#[test]
fn a_witness_needs_no_figure_but_something_to_tell() {
    let told = "I knelt on the plank by the door and pushed a knife in up to the handle.";
    assert_eq!(found(told).of(ItemKind::Test).count(), 1, "{:?}", found(told));
    for text in ["I liked the plank by the door.", "I voted for the plank by the door again."] {
        assert_eq!(words(text, ItemKind::Test), [""; 0], "{text}");
    }
}

#[test]
fn evidence_that_is_not_there_counts_for_nothing() {
    for text in [
        "If a benchmark showed 40 % lower latency on 12 nodes, we would be right.",
        "Were a trial by the NHS to show 12 % fewer falls, the rule would be proven.",
        "One could imagine that Lee et al. (2021) had measured a drop of 31 %.",
        "A hypothetical audit by Deloitte finding 22 % waste supports the plan.",
        "I wish the regulator's report of 2021 had found 300 cases at 12 banks.",
        "There is neither a study nor any audit that counted 30 cases in 2020.",
        "No recent survey by the OECD has found 14 % fewer pupils there.",
    ] {
        let quality = found(text).quality;
        assert!(quality.citation_density < 0.01 && quality.overall < 0.25, "{text}: {quality:?}");
    }
    // What is denied here is something else, and what follows the condition is not conditional.
    for text in [
        "The pool, not the database, held 85 connections in run 118 on Monday.",
        "If that matters, the audit of April 2021 found 30 cases at 12 banks.",
    ] {
        assert!(found(text).quality.citation_density > 0.5, "{text}: {:?}", found(text).quality);
    }
}

#[test]
fn a_figure_must_fit_what_it_is_said_of() {
    for text in [
        "The 45% shows that Smith (2020) measured 12 ms because revenue is 30 GB.",
        "Revenue rose by 30 kelvin in the quarter, says Garcia (2016).",
        "According to Nilsson (2018) the latency of 12 kg fell to 3 kg.",
        "Ozols (2019) counted 14 % of Tuesday in the sample of last year.",
        "Chen (2018) measured 3 volts of customer loyalty in the panel.",
        "Smith (2020) 12 % because Jones (2019) 14 % therefore Lee (2018) 16 %.",
    ] {
        assert!(found(text).quality.overall < 0.3, "{text}: {:?}", found(text).quality);
    }
    for text in [
        "The latency of the proxy fell to 12 ms, as Nilsson (2018) measured.",
        "Revenue rose by 30 dollars a head, says Garcia (2016).",
        "Costs fell by 14 % (Ozols, 2019) after the gate was closed.",
    ] {
        assert!(found(text).quality.overall > 0.4, "{text}: {:?}", found(text).quality);
    }
}

#[test]
fn the_rows_of_a_table_are_figures_for_what_stands_beside_them() {
    let table = "| file | before | after |\n|---|---|---|\n| a.js | 312 kB | 261 kB |\n| b.css | 44 kB | 37 kB |";
    let bare = "The new format makes every page smaller.";
    let with = format!("{bare}\n\n{table}");
    assert!(found(bare).quality.overall < 0.2 && found(&with).quality.overall > 0.4);
    assert_eq!(found(&with).claims.len(), 1, "a row states nothing by itself");
    let refs = "| no | source |\n|---|---|\n| 1 | Weber 1995 |\n| 2 | Lang 2008 |";
    assert!(found(&format!("{bare}\n\n{refs}")).quality.overall < 0.2);
}

proptest::proptest! {
    #[test]
    fn any_text_gives_shares_and_spans_on_characters(text in "\\PC{0,200}|[a-z0-9 .,%\\[\\]()\"'`|\n-]{0,300}") {
        let evidence = found(&text);
        let Quality { citation_density, specificity_score, logical_chain_score, evidence_diversity, overall } =
            evidence.quality;
        for part in [citation_density, specificity_score, logical_chain_score, evidence_diversity, overall] {
            assert!((0.0..=1.0).contains(&part));
        }
        for span in evidence.items.iter().map(|item| item.span).chain(evidence.claims.iter().map(|claim| claim.span)) {
            assert!(span.of(&text).is_some(), "{span:?} in {text:?}");
        }
        assert_eq!(quality(&text, &QualityWeights::default()), evidence.quality);
    }
}
