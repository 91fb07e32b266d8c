//! The models that ship, as they come: they load, and what they say of a text depends on nothing
//! but the text. Scores are not tested here: weights change, the scoreboard measures them.

use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};
use rebuttal_semantics::{
    BuiltinEncoder, BuiltinReader, BuiltinVectors, Embedder, Embedding, Inference, Pair, Verdict,
};

const TEXTS: [&str; 5] = [
    "The cache is safe.",
    "",
    "Wind farms cost more than they return, in my view, although I have not seen this year's bill.",
    "I agree.",
    "Die Brücke ist nicht sicher. 桥是安全的。 🙂",
];

fn pool(threads: usize) -> Result<ThreadPool, ThreadPoolBuildError> {
    ThreadPoolBuilder::new().num_threads(threads).build()
}

/// A text of several windows.
fn long() -> String {
    let line = |year| format!("In {} it cost {} francs. ", 1960 + year, 17 * year);
    (0..60).map(line).collect::<Vec<String>>().concat()
}

fn megabyte() -> String {
    "The committee met again and could not agree on a budget. ".repeat(20_000)
}

fn distance(a: &Embedding, b: &Embedding) -> f32 {
    assert_eq!(a.values().len(), b.values().len());
    a.values().iter().zip(b.values()).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
}

fn shares(verdict: Verdict) -> [f32; 3] {
    [verdict.entailment, verdict.neutral, verdict.contradiction]
}

fn apart(a: Verdict, b: Verdict) -> f32 {
    shares(a).iter().zip(shares(b)).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
}

fn assert_is_shares(verdict: Verdict) {
    let shares = shares(verdict);
    assert!(shares.iter().all(|share| (0.0..=1.0).contains(share)), "{verdict:?}");
    assert!((shares.iter().sum::<f32>() - 1.0).abs() < 1e-5, "{verdict:?}");
}

#[test]
fn all_three_load_and_name_their_weights() {
    let encoder = BuiltinEncoder.load().unwrap();
    let judge = BuiltinReader.load().unwrap();
    let vectors = BuiltinVectors.load().unwrap();
    assert!(encoder.id().starts_with("minilm-l6-embed@"), "{}", encoder.id());
    assert!(judge.id().starts_with("minilm-l6-judge@"), "{}", judge.id());
    assert!(vectors.id().starts_with("static-256-"), "{}", vectors.id());
    assert_eq!(BuiltinReader.id(), judge.id(), "the same before and after loading");
    let both: [&dyn Embedder; 2] = [&BuiltinEncoder, &BuiltinVectors];
    for model in both {
        let found = model.embed(&["A dog barks.", "Dogs bark.", "Tax law of 1913"]).unwrap();
        assert!(found[0].cosine(&found[1]) > found[0].cosine(&found[2]), "{}", model.id());
    }
}

#[test]
fn opposites_are_judged_and_leanings_are_read() {
    let pair = |premise, hypothesis| Pair { premise, hypothesis };
    let opposed = pair("The cache is safe.", "The cache is not safe.");
    let same = pair("The cache is safe.", "The cache is safe.");
    let verdicts = BuiltinReader.infer(&[opposed, same]).unwrap();
    verdicts.iter().copied().for_each(assert_is_shares);
    assert!(verdicts[0].contradiction > verdicts[1].contradiction, "{verdicts:?}");
    let question = "Should we adopt Kubernetes?";
    let answers = [
        pair(question, "Yes, we should adopt Kubernetes, without any doubt."),
        pair(question, "No, we must not adopt Kubernetes, under any circumstances."),
    ];
    let leanings = BuiltinReader.lean(&answers).unwrap();
    assert!(leanings[0].score() > leanings[1].score(), "{leanings:?}");
}

#[test]
fn a_vector_depends_on_its_text_alone() {
    let long = long();
    let texts: Vec<&str> = TEXTS.into_iter().chain([long.as_str()]).collect();
    let models: [&dyn Embedder; 2] = [&BuiltinEncoder, &BuiltinVectors];
    for model in models {
        let together = model.embed(&texts).unwrap();
        let many: Vec<&str> = texts.iter().rev().cycle().take(3 * texts.len()).copied().collect();
        let [one, two] =
            [1, 2].map(|threads| pool(threads).unwrap().install(|| model.embed(&many).unwrap()));
        for (at, text) in texts.iter().enumerate() {
            let alone = model.embed(&[text]).unwrap().remove(0);
            assert!(distance(&alone, &together[at]) < 1e-5, "{}: {text}", model.id());
            for many in [&one, &two] {
                let again = &many[many.len() - 1 - at];
                assert!(distance(&alone, again) < 1e-5, "{}: {text}", model.id());
            }
        }
    }
}

#[test]
fn a_verdict_depends_on_its_pair_alone() {
    let long = long();
    let texts: Vec<&str> = TEXTS.into_iter().chain([long.as_str()]).collect();
    let pairs: Vec<Pair<'_>> = texts
        .iter()
        .zip(texts.iter().cycle().skip(2))
        .map(|(premise, hypothesis)| Pair { premise, hypothesis })
        .collect();
    let reversed: Vec<Pair<'_>> = pairs.iter().rev().copied().collect();
    let together = pool(1).unwrap().install(|| BuiltinReader.infer(&pairs).unwrap());
    let mut back = pool(2).unwrap().install(|| BuiltinReader.infer(&reversed).unwrap());
    back.reverse();
    let leaning = BuiltinReader.lean(&pairs).unwrap();
    for (at, pair) in pairs.iter().enumerate() {
        let alone = BuiltinReader.infer(&[*pair]).unwrap()[0];
        assert_is_shares(alone);
        assert!(apart(alone, together[at]) < 1e-5 && apart(alone, back[at]) < 1e-5, "{pair:?}");
        let lean = BuiltinReader.lean(&[*pair]).unwrap()[0];
        assert!((lean.score() - leaning[at].score()).abs() < 1e-5, "{pair:?}");
    }
}

#[test]
fn nothing_gives_nothing() {
    let models: [&dyn Embedder; 2] = [&BuiltinEncoder, &BuiltinVectors];
    for model in models {
        assert!(model.embed(&[]).unwrap().is_empty());
        for empty in ["", " \n\t", "\u{200b}"] {
            let found = model.embed(&[empty]).unwrap().remove(0);
            assert!(found.is_zero(), "{}: {empty:?}", model.id());
        }
    }
    assert!(BuiltinReader.infer(&[]).unwrap().is_empty());
    let (empty, long) = (Pair { premise: "", hypothesis: "" }, long());
    let half = Pair { premise: &long, hypothesis: "" };
    for verdict in BuiltinReader.infer(&[empty, half, half.reversed()]).unwrap() {
        assert_is_shares(verdict);
    }
    let half = BuiltinReader.infer(&[half]).unwrap()[0];
    assert!(half.contradiction < 0.5, "nothing said contradicts nothing: {half:?}");
}

#[test]
fn a_megabyte_is_read() {
    let text = megabyte();
    assert!(text.len() > 1 << 20);
    let models: [&dyn Embedder; 2] = [&BuiltinEncoder, &BuiltinVectors];
    for model in models {
        let found = model.embed(&[&text, "A budget"]).unwrap();
        assert!(!found[0].is_zero() && found[0].values().iter().all(|value| value.is_finite()));
    }
    let pair = Pair { premise: &text, hypothesis: "They agreed." };
    let verdicts = BuiltinReader.infer(&[pair, pair.reversed()]).unwrap();
    verdicts.into_iter().for_each(assert_is_shares);
}
