//! P2: an outage is not multiplied, and one bad moment is still passed over.

use std::net::TcpStream;
use std::thread;
use std::time::Duration;

use rebuttal_llm::{Breaker, Chat, ChatEndpoint, Provider, Request, RetryBudget};

use super::formats::{Ending, answer};
use super::settings;
use crate::server::{Server, reply};

/// Agents of one provider that ask side by side, without a breaker in the way.
fn agents(server: &Server, names: &[&str]) -> Vec<ChatEndpoint> {
    let agent = |name: &&str| {
        let mut settings = settings(server, Provider::OpenAi);
        settings.id = (*name).to_owned();
        settings.breaker = Breaker { failures: 0, rest: Duration::ZERO };
        ChatEndpoint::new(settings).unwrap()
    };
    names.iter().map(agent).collect()
}

fn good(stream: &mut TcpStream) {
    reply(stream, "200 OK", "", &answer(Provider::OpenAi, "Yes.", Ending::Stop).to_string());
}

/// Each asks so many times; how many got a reply.
fn ask(agents: &[ChatEndpoint], times: usize) -> usize {
    thread::scope(|scope| {
        let each = |agent: &ChatEndpoint| {
            let asked = (0..times).map(|_| agent.reply(&Request::new("Is it so?")));
            asked.flatten().count()
        };
        let asking: Vec<_> = agents.iter().map(|agent| scope.spawn(move || each(agent))).collect();
        asking.into_iter().map(|thread| thread.join().unwrap()).sum()
    })
}

#[test]
fn an_outage_is_not_multiplied() {
    let server = Server::new(|_, _, stream| reply(stream, "503 Service Unavailable", "", "{}"));
    let panel = agents(&server, &["ann", "bob", "cem"]);
    assert_eq!(ask(&panel, 40), 0);
    let RetryBudget { percent, least } = RetryBudget::default();
    let most = 120 + 120 * percent as usize / 100 + least as usize;
    let seen = server.requests().len();
    // Without the budget it would be 480. The budget is there to be used, too.
    assert!((120 + least as usize..=most).contains(&seen), "{seen} requests, at most {most}");
}

#[test]
fn single_failures_are_passed_over_within_the_budget() {
    let server = Server::new(|n, _, stream| match n % 10 {
        3 => reply(stream, "503 Service Unavailable", "", "{}"),
        _ => good(stream),
    });
    let panel = agents(&server, &["ann", "bob"]);
    assert_eq!(ask(&panel, 30), 60, "everybody was answered");
    assert!(server.requests().len() <= 60 + 10);
}

#[test]
fn another_provider_has_a_budget_of_its_own() {
    let down = Server::new(|_, _, stream| reply(stream, "503 Service Unavailable", "", "{}"));
    ask(&agents(&down, &["ann"]), 20);
    let heals = Server::new(|n, _, stream| match n {
        0 | 1 => reply(stream, "503 Service Unavailable", "", "{}"),
        _ => good(stream),
    });
    assert_eq!(ask(&agents(&heals, &["ann"]), 1), 1);
}
