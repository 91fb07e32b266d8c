//! What `AutoGen` prints on a console: `---------- WebSurfer ----------`, and what it said below.

use rebuttal_model::{Role, Span};

use super::prose::{Heard, Trust};
use crate::chat;
use crate::talk::Said;

/// The line that opens a turn, without the name.
const RULE: &str = "----------";

/// Longest name, in bytes.
const NAME: usize = 80;

/// The conversation in a text, if there is one.
pub(crate) fn hear(text: &str, trust: Trust) -> Option<Heard<'_>> {
    let enough = match trust {
        Trust::Told => 1,
        Trust::Guess => 2,
    };
    let found = turns(text).take(enough).count() == enough;
    found.then(|| {
        // The task is what the user says first.
        let asked = turns(text).next().filter(|said| said.role == Role::User);
        Heard { question: asked.map(|said| said.text), turns: Box::new(turns(text)) }
    })
}

/// The name in a line that opens a turn: `---------- TextMessage (user) ----------`.
fn opens(line: &str) -> Option<&str> {
    let inner = line.trim().strip_prefix(RULE)?.strip_suffix(RULE)?;
    let name = inner.trim_matches(['-', ' ']);
    let name = match name.split_once(" (") {
        Some((_, inside)) => inside.trim_end_matches(')'),
        None => name,
    };
    let is_name =
        !name.is_empty() && name.len() <= NAME && inner.starts_with(' ') && inner.ends_with(' ');
    is_name.then_some(name)
}

fn turns(text: &str) -> impl Iterator<Item = Said> {
    let mut at = 0;
    let mut lines = text.split_inclusive('\n').map(move |line| {
        let start = at;
        at += line.len();
        (start, line)
    });
    let mut open: Option<(usize, usize, &str)> = None;
    let mut ended = false;
    std::iter::from_fn(move || {
        while !ended {
            let next = lines.next();
            ended = next.is_none();
            let (start, name) = match next {
                Some((start, line)) => (start, opens(line)),
                None => (text.len(), Some("")),
            };
            let Some(name) = name else { continue };
            let body = next.map_or(start, |(start, line)| start + line.len());
            if let Some(said) =
                open.replace((start, body, name)).and_then(|open| turn(text, open, start))
            {
                return Some(said);
            }
        }
        None
    })
}

fn turn(text: &str, (start, body, name): (usize, usize, &str), end: usize) -> Option<Said> {
    let said = text.get(body..end)?.trim();
    let role = chat::role(name).unwrap_or(Role::Agent);
    let stop = body + text.get(body..end)?.trim_end().len();
    (!said.is_empty() && !name.is_empty())
        .then(|| Said::new(name, role, said, Span::new(start, stop)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_stand_between_rules() {
        let text = "pip: done\n---------- user ----------\nHow deep is it?\n\n---------- Diver ----------\n\
                    I will look.\n----\nTwo rules.\n---------- Diver ----------\n12 metres\n";
        let heard = hear(text, Trust::Guess).unwrap();
        assert_eq!(heard.question.as_deref(), Some("How deep is it?"));
        let said: Vec<(String, String)> = heard.turns.map(|said| (said.agent, said.text)).collect();
        let pair = |agent: &str, text: &str| (agent.to_owned(), text.to_owned());
        assert_eq!(
            said,
            [
                pair("user", "How deep is it?"),
                pair("Diver", "I will look.\n----\nTwo rules."),
                pair("Diver", "12 metres")
            ]
        );
        assert!(hear("---------- user ----------\nhi\n", Trust::Guess).is_none());
        assert!(
            hear(
                "------------------------------\na\n------------------------------\nb",
                Trust::Guess
            )
            .is_none()
        );
    }
}
