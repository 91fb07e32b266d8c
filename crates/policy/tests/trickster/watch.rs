//! The trickster for programs of others: what it remembers, whom it tells, and what cannot break it.

use std::sync::{Arc, Mutex};

use rebuttal_model::{InterventionKind as Kind, PanelRole, TricksterConfig};
use rebuttal_policy::trickster::{Context, Trickster};

use crate::kit::{id, kinds, panel, round};

#[test]
fn it_tells_of_alerts_and_interventions_and_remembers() {
    let told: Arc<Mutex<Vec<String>>> = Arc::default();
    let (alerts, acts) = (Arc::clone(&told), Arc::clone(&told));
    let mut trickster = Trickster::new(TricksterConfig::default())
        .unwrap()
        .on_alert(move |alert| {
            alerts.lock().unwrap().push(format!("alert {:.2}", alert.severity));
            Ok(())
        })
        .on_intervention(move |one| {
            acts.lock().unwrap().push(format!("{:?} after {}", one.kind, one.round));
            Ok(())
        });
    let members = panel(&["a", "b"]);
    for number in 0..2 {
        let analysis = round(number, 0.9, &[("a", 0.2), ("b", 0.2)]);
        trickster.check_and_intervene(analysis, &Context::new(number, 2, &members));
    }
    // Seen and told, but not acted on: below the threshold.
    let mild = round(2, 0.9, &[("a", 0.6), ("b", 0.6)]);
    assert!(trickster.check_and_intervene(mild, &Context::new(2, 2, &members)).is_empty());
    let expected = ["alert 0.72", "Role after 0", "alert 0.72", "Challenge after 1", "alert 0.36"];
    assert_eq!(*told.lock().unwrap(), expected);
    let stats = trickster.get_stats();
    assert_eq!((stats.total_interventions, stats.hollow_alerts_detected), (2, 3));
    assert_eq!(trickster.failures(), (&[][..], 0));
}

#[test]
fn a_callback_that_fails_or_panics_changes_nothing() {
    let members = panel(&["a", "b"]);
    let rounds: Vec<_> =
        (0..9).map(|number| round(number, 0.9, &[("a", 0.2), ("b", 0.2)])).collect();
    let mut plain = Trickster::new(TricksterConfig::default()).unwrap();
    let mut broken = Trickster::new(TricksterConfig::default())
        .unwrap()
        .on_alert(|_| panic!("no one home"))
        .on_intervention(|one| Err(format!("no route for {:?}", one.kind).into()));
    for analysis in &rounds {
        let ctx = Context::new(analysis.round, 3, &members);
        let expected = plain.check_and_intervene(analysis.clone(), &ctx);
        assert_eq!(broken.check_and_intervene(analysis.clone(), &ctx), expected);
    }
    assert_eq!(broken.get_stats(), plain.get_stats());
    assert_eq!(broken.interventions().len(), 5);
    let (failures, count) = broken.failures();
    assert_eq!(count, 9 + 5);
    assert_eq!(failures[0].error, "it panicked: no one home");
    assert_eq!((failures[1].callback, failures[1].round), ("on_intervention", 0));
    assert_eq!(failures[1].error, "no route for Role");
}

#[test]
fn failures_are_counted_and_not_all_kept() {
    let mut broken =
        Trickster::new(TricksterConfig::default()).unwrap().on_alert(|_| Err("down".into()));
    let members = panel(&["a", "b"]);
    for number in 0..500 {
        let analysis = round(number, 0.9, &[("a", 0.2), ("b", 0.2)]);
        broken.check_and_intervene(analysis, &Context::new(number, 3, &members));
    }
    assert_eq!((broken.failures().0.len(), broken.failures().1), (100, 500));
}

#[test]
fn settings_out_of_range_are_refused() {
    let config = TricksterConfig { min_quality_threshold: 1.5, ..TricksterConfig::default() };
    assert!(Trickster::new(config).unwrap_err().to_string().contains("min_quality_threshold"));
}

#[test]
fn a_quality_challenger_is_told_what_it_is() {
    let trickster = Trickster::new(TricksterConfig::default()).unwrap();
    let part = trickster.get_quality_challenger_assignment(&id("a"), 3);
    assert_eq!((part.agent, part.round, part.role), (id("a"), 3, PanelRole::QualityChallenger));
    assert!(part.prompt.contains("What is the source?"), "{}", part.prompt);
}

#[test]
fn a_round_handed_in_twice_is_acted_on_once() {
    let mut trickster = Trickster::new(TricksterConfig::default()).unwrap();
    let members = panel(&["a", "b"]);
    let ctx = Context::new(0, 3, &members);
    let analysis = round(0, 0.9, &[("a", 0.2), ("b", 0.2)]);
    assert_eq!(kinds(&trickster.check_and_intervene(analysis.clone(), &ctx)), [Kind::Role]);
    assert_eq!(kinds(&trickster.check_and_intervene(analysis, &ctx)), []);
    assert_eq!(trickster.get_stats().hollow_alerts_detected, 1);
}
