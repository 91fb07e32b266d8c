//! Sentences as people read them.

use std::collections::BTreeMap;

use rebuttal_model::{Echo, PanelRole, Quality};

use super::*;

fn texts(event: &Event) -> Vec<String> {
    Teller::default().said(event).into_iter().map(|said| said.text).collect()
}

fn quality(overall: f64) -> Quality {
    Quality { overall, ..Quality::default() }
}

#[test]
fn a_round_is_one_line_and_hollow_agreement_another() {
    let hollow = HollowAlert {
        detected: true,
        severity: 0.62,
        raw_severity: 0.62,
        avg_quality: 0.3,
        quality_variance: 0.0,
        similarity: 0.83,
        reason: "they agree and nobody gives a source.".to_owned(),
    };
    let mut analysis = RoundAnalysis {
        round: 1,
        quality: BTreeMap::from([
            (AgentId::new("ann"), quality(0.2)),
            (AgentId::new("bob"), quality(0.4)),
        ]),
        convergence: Some(0.834),
        independent_voices: 1.25,
        hollow: Some(hollow),
        echo: Some(Echo {
            redundancy: 0.5,
            unique_sources: 2,
            total_citations: 4,
            sources: Vec::new(),
            agents: Vec::new(),
        }),
        ..RoundAnalysis::default()
    };
    let event =
        |analysis: &RoundAnalysis| Event::RoundAnalyzed { analysis: Box::new(analysis.clone()) };
    assert_eq!(
        texts(&event(&analysis)),
        [
            "Evidence 0.30, agreement 83 %, 2 voices worth 1.2 independent ones, 4 citations of 2 sources.",
            "Hollow agreement, severity 0.62: they agree and nobody gives a source.",
        ]
    );
    analysis.hollow.as_mut().unwrap().detected = false;
    assert_eq!(texts(&event(&analysis)).len(), 1);
    assert!(texts(&event(&RoundAnalysis::default())).is_empty());
}

#[test]
fn an_intervention_says_what_to_whom_and_why() {
    let mut intervention = Intervention {
        kind: InterventionKind::Challenge,
        round: 1,
        priority: 0.6,
        reason: "nobody gives a source.".to_owned(),
        findings: Vec::new(),
        targets: vec![AgentId::new("ann"), AgentId::new("bob")],
        text: "Give one.".to_owned(),
        role: None,
        extra_rounds: 0,
    };
    let text = |intervention: &Intervention| {
        texts(&Event::Intervened { intervention: intervention.clone() }).concat()
    };
    assert_eq!(text(&intervention), "Challenge (ann, bob): nobody gives a source.");
    intervention.kind = InterventionKind::Role;
    intervention.role = Some(PanelRole::QualityChallenger);
    intervention.targets.pop();
    intervention.extra_rounds = 1;
    assert_eq!(
        text(&intervention),
        "Role of quality challenger (ann): nobody gives a source. One round is added."
    );
}

#[test]
fn a_breakpoint_says_how_to_answer_and_until_when() {
    let breakpoint = Breakpoint {
        number: 1,
        round: 2,
        reason: "The agreement is hollow.".to_owned(),
        severity: 0.85,
        until: Some("2026-11-16T12:30:00Z".parse().unwrap()),
    };
    let text =
        texts(&Event::Paused { reason: String::new(), breakpoint: Some(breakpoint) }).concat();
    assert_eq!(
        text,
        "The debate waits for a person (breakpoint 1, severity 0.85): The agreement is hollow. \
         Answer with `rebuttal breakpoints answer`: continue, redirect, add-evidence or abort. If nobody \
         has answered by 2026-11-16T12:30:00Z, `rebuttal resume ` takes it for `continue`."
    );
    let answer = BreakpointAnswer::Redirect;
    let resumed =
        Event::Resumed { answer, note: Some("Look at costs.".to_owned()), timed_out: false };
    let words = "A person answered: it goes on in another direction. “Look at costs.”";
    assert_eq!(texts(&resumed), [words]);
    let resumed =
        Event::Resumed { answer: BreakpointAnswer::Continue, note: None, timed_out: true };
    assert_eq!(texts(&resumed), ["Nobody answered in time: it goes on."]);
}

#[test]
fn what_was_said_is_not_said_again() {
    let reason = "they agree and nobody gives a source.";
    let hollow = HollowAlert {
        detected: true,
        severity: 0.85,
        raw_severity: 0.85,
        avg_quality: 0.1,
        quality_variance: 0.0,
        similarity: 0.9,
        reason: reason.to_owned(),
    };
    let analysis = RoundAnalysis { hollow: Some(hollow), ..RoundAnalysis::default() };
    let mut teller = Teller::default();
    teller.said(&Event::RoundAnalyzed { analysis: Box::new(analysis) });
    let intervention = Intervention {
        kind: InterventionKind::Challenge,
        round: 0,
        priority: 0.85,
        reason: format!("Hollow consensus of severity 0.85: {reason}"),
        findings: Vec::new(),
        targets: vec![AgentId::new("ann")],
        text: String::new(),
        role: None,
        extra_rounds: 0,
    };
    let said = teller.said(&Event::Intervened { intervention: intervention.clone() });
    assert_eq!(said, [warning("Challenge (ann): Hollow consensus of severity 0.85.".to_owned())]);
    let kind = InterventionKind::Breakpoint;
    let said =
        teller.said(&Event::Intervened { intervention: Intervention { kind, ..intervention } });
    assert!(said.is_empty(), "the pause behind it says so: {said:?}");
}

#[test]
fn why_an_answer_is_not_judged_is_said() {
    let not_judged = |reasons: &[(&str, &str)]| {
        let own = reasons.iter().map(|(agent, why)| (AgentId::new(*agent), (*why).to_owned()));
        let analysis = RoundAnalysis { not_judged: own.collect(), ..RoundAnalysis::default() };
        texts(&Event::RoundAnalyzed { analysis: Box::new(analysis) })
    };
    let other = "the answer is not in English, and the analysis is for English";
    let one = not_judged(&[("ann", other), ("bob", other)]);
    assert_eq!(one, [format!("2 not judged ({other}).")]);
    let two = not_judged(&[("ann", other), ("bob", "the answer is empty")]);
    assert_eq!(two, [format!("2 not judged (bob: the answer is empty; ann: {other}).")]);
}
