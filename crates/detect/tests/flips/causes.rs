//! What moved an agent: dialogues of our own with the cause their author meant.

use jiff::Timestamp;
use rebuttal_detect::flips::{cause, positions_of};
use rebuttal_detect::{DebateView, Reader};
use rebuttal_model::{AgentId, Cause, DebateId, Position, Role, Transcript, Turn};

const DIALOGUES: &str = include_str!("dialogues.txt");

struct Dialogue {
    cause: &'static str,
    agent: &'static str,
    transcript: Transcript,
}

fn transcript(lines: &str) -> Transcript {
    let turns = lines.lines().filter_map(|line| line.split_once(": ")).map(|(name, text)| {
        let role = if name == "user" { Role::User } else { Role::Agent };
        Turn::new(AgentId::new(name), role, text)
    });
    Transcript::new(DebateId::new("dialogue"), None, turns.collect())
}

fn dialogues() -> Vec<Dialogue> {
    DIALOGUES
        .split("\n@ ")
        .skip(1)
        .map(|text| {
            let (head, lines) = text.split_once('\n').expect("a head and lines");
            let (cause, agent) = head.split_once(' ').expect("a cause and an agent");
            Dialogue { cause, agent, transcript: transcript(lines) }
        })
        .collect()
}

/// The first and the last position of an agent.
fn ends(view: &DebateView<'_>, agent: &str) -> (Position, Position) {
    let taken = positions_of(view, Reader::Rules, Timestamp::UNIX_EPOCH);
    let own: Vec<&Position> = taken.iter().filter(|it| it.agent.as_str() == agent).collect();
    (own[0].clone(), own[own.len() - 1].clone())
}

#[test]
fn causes_of_the_dialogues() {
    let dialogues = dialogues();
    let mut wrong = Vec::new();
    for dialogue in &dialogues {
        let view = DebateView::new(&dialogue.transcript);
        let (before, after) = ends(&view, dialogue.agent);
        let (found, because) = cause(&view, &before, &after);
        if let Some(because) = &because {
            let turn = dialogue.transcript.turn(because.quote.turn).expect("the turn exists");
            assert_eq!(because.quote.span.of(&turn.text), Some(because.quote.text.as_str()));
            assert_eq!(because.by, turn.agent);
        }
        if found.as_str() != dialogue.cause {
            wrong.push(format!("{} for {}: {}", found.as_str(), dialogue.cause, after.claim));
        }
    }
    let right = dialogues.len() - wrong.len();
    println!("causes: {right} of {} right\n{}", dialogues.len(), wrong.join("\n"));
    assert!(dialogues.len() >= 60);
    assert!(right * 100 >= dialogues.len() * 85, "{right} of {}", dialogues.len());
}

/// Sentences put together at random choices: other words than in the dialogues, same causes.
#[test]
fn causes_of_generated_dialogues() {
    let topics = [
        (
            "Should we lease the second truck?",
            "we should lease the second truck",
            "lease the second truck",
        ),
        ("Should the choir sing in Latin?", "the choir should sing in Latin", "sing in Latin"),
        (
            "Should we plant maize this year?",
            "we should plant maize this year",
            "plant maize this year",
        ),
        ("Should the lift be replaced?", "the lift should be replaced", "be replaced"),
    ];
    let (mut right, mut all) = (0, 0);
    let mut wrong = Vec::new();
    for (question, yes, _) in topics {
        let no = yes.replacen("should", "should not", 1);
        for (expected, between, lead) in [
            (
                Cause::NewEvidence,
                "bo: The survey by Tanaka (2021) puts the loss at 63,500 a year.",
                "A loss of 63,500 is too much.",
            ),
            (
                Cause::NewEvidence,
                "bo: I measured it twice this week: 7.4 tonnes each time.",
                "With 7.4 tonnes measured,",
            ),
            (
                Cause::CounterArgument,
                "bo: The caretaker retires in autumn and nobody else holds the key to the cellar.",
                "Good point that nobody else holds the cellar key.",
            ),
            (
                Cause::CounterArgument,
                "bo: Neighbours complained about noise before breakfast, and they would again.",
                "I agree, the neighbours would complain about noise again.",
            ),
            (
                Cause::Authority,
                "bo: I'm a chartered accountant, believe me, we had better not.",
                "I defer to your professional judgment.",
            ),
            (Cause::Insistence, "user: Are you sure about that?", ""),
            (Cause::Insistence, "user: That's wrong.", ""),
            (Cause::NoneVisible, "user: Thank you.", ""),
        ] {
            let lines =
                format!("user: {question}\nal: Yes, {yes}.\n{between}\nal: {lead} No, {no}.");
            let transcript = transcript(&lines);
            let view = DebateView::new(&transcript);
            let (before, after) = ends(&view, "al");
            let found = cause(&view, &before, &after).0;
            all += 1;
            right += usize::from(found == expected);
            if found != expected {
                wrong.push(format!("{} for {}: {lines}", found.as_str(), expected.as_str()));
            }
        }
    }
    println!("generated causes: {right} of {all} right\n{}", wrong.join("\n"));
    assert!(right * 10 >= all * 9, "{right} of {all}");
}

#[test]
fn positions_know_their_place_and_what_they_were_shown() {
    let transcript = transcript(
        "user: Should we lease the truck?\nal: Yes, we should lease the truck.\nuser: Are you sure?\nal: No, we should not lease the truck.",
    );
    let view = DebateView::new(&transcript);
    let taken = positions_of(&view, Reader::Rules, Timestamp::UNIX_EPOCH);
    assert_eq!(taken.len(), 2);
    for position in &taken {
        let turn = transcript.turn(position.turn.expect("a turn")).expect("the turn exists");
        assert_eq!(
            position.span.and_then(|span| span.of(&turn.text)),
            Some(position.claim.as_str())
        );
        assert_eq!(position.question.as_deref(), Some("Should we lease the truck?"));
    }
    assert!(taken[0].stance.opposes(taken[1].stance));
    assert_eq!(taken[0].exposed_to, []);
    assert_eq!(taken[1].exposed_to, [Cause::Insistence]);
    let again = positions_of(&view, Reader::Rules, Timestamp::MAX);
    assert_eq!(again[1].id, taken[1].id, "an assumed time is no part of the id");
}

#[test]
fn offices_crowds_and_numbers_that_are_held() {
    for (lines, expected) in [
        (
            "ada: The lock is open.\nbo: As harbour master I say it is not.\nada: The lock is not open.",
            "authority",
        ),
        (
            "ada: The cargo is dry.\nbo: The cargo is damp.\ncy: I also think the cargo is damp.\nada: The cargo is damp.",
            "majority",
        ),
        (
            "ada: The crew needs 12 coats.\nbo: The tide turns at six.\nada: The crew needs 30 coats.",
            "none_visible",
        ),
        (
            "ada: The rope holds.\nbo: I'm telling you it doesn't.\nada: The rope does not hold.",
            "insistence",
        ),
        (
            "ada: The pump is sound.\nbo: I ran it dry for 20 minutes and it seized.\nada: Your trial settles it. The pump is not sound.",
            "new_evidence",
        ),
    ] {
        let transcript = transcript(lines);
        let view = DebateView::new(&transcript);
        let (before, after) = ends(&view, "ada");
        let (found, _) = cause(&view, &before, &after);
        assert_eq!(found.as_str(), expected, "{lines}");
    }
}
