//! Who is no agent, although a file has it among the agents: moderators, judges, and what runs code.
//!
//! Names that frameworks give are believed first; then what a speaker says, where it is nothing but
//! the output of a program. Whoever is found here is never judged.

use std::collections::HashMap;

use rebuttal_model::{AgentId, AssignedSide, Role, Turn};

use crate::talk::SIDES;

/// The last words of a name that say what its bearer does.
const NAMES: [(&str, Role); 36] = [
    ("moderator", Role::Moderator),
    ("host", Role::Moderator),
    ("facilitator", Role::Moderator),
    ("chair", Role::Moderator),
    ("chairman", Role::Moderator),
    ("chairperson", Role::Moderator),
    ("chairwoman", Role::Moderator),
    ("secretary", Role::Moderator),
    ("mediator", Role::Moderator),
    ("chatmanager", Role::Moderator),
    ("groupchatmanager", Role::Moderator),
    ("timekeeper", Role::Moderator),
    ("judge", Role::Judge),
    ("judges", Role::Judge),
    ("jury", Role::Judge),
    ("adjudicator", Role::Judge),
    ("arbiter", Role::Judge),
    ("arbitrator", Role::Judge),
    ("referee", Role::Judge),
    ("executor", Role::Executor),
    ("codeexecutor", Role::Executor),
    ("executoragent", Role::Executor),
    ("terminal", Role::Executor),
    ("computerterminal", Role::Executor),
    ("interpreter", Role::Executor),
    ("sandbox", Role::Executor),
    ("shell", Role::Executor),
    ("console", Role::Executor),
    ("runner", Role::Executor),
    ("proxyagent", Role::User),
    ("userproxy", Role::User),
    ("userproxyagent", Role::User),
    ("mathproxyagent", Role::User),
    ("tool", Role::Tool),
    ("environment", Role::Tool),
    ("observation", Role::Tool),
];

/// What a name says its bearer is. Only the last word counts: a "judge of wines" is no judge, and
/// `Computer_terminal` is a terminal.
pub(crate) fn named(name: &str) -> Option<Role> {
    let bare =
        name.trim_end_matches(|c: char| c.is_ascii_digit() || " #-_()".contains(c)).to_lowercase();
    let joined: String = bare.chars().filter(|c| c.is_alphanumeric()).collect();
    if joined.ends_with("groupchatmanager")
        || bare == "chat_manager"
        || joined.ends_with("proxyagent")
    {
        return Some(if joined.ends_with("manager") { Role::Moderator } else { Role::User });
    }
    let last = bare.rsplit([' ', '_', '-', '.']).next().unwrap_or(&bare);
    let known = |word: &str| NAMES.iter().find(|(known, _)| *known == word).map(|(_, role)| *role);
    known(&joined).or_else(|| known(last))
}

/// Gives moderators, judges and programs among the agents their roles.
pub(crate) fn assign(turns: &mut [Turn]) {
    let mut cast: HashMap<AgentId, (usize, usize)> = HashMap::new();
    for turn in turns.iter().filter(|turn| turn.role == Role::Agent) {
        let (said, output) = cast.entry(turn.agent.clone()).or_default();
        *said += 1;
        *output += usize::from(is_output(&turn.text));
    }
    let by_name: HashMap<AgentId, Role> =
        cast.keys().filter_map(|agent| Some((agent.clone(), named(agent.as_str())?))).collect();
    // Somebody must be left: whose only speakers are called judges are a panel of judges.
    let all_named = by_name.len() == cast.len();
    for turn in turns.iter_mut().filter(|turn| turn.role == Role::Agent) {
        let (said, output) = cast.get(&turn.agent).copied().unwrap_or_default();
        let named = by_name.get(&turn.agent).filter(|_| !all_named);
        // Nearly all of what it says is output; a single turn that is, was pasted by whoever ran it.
        let is_program = output * 5 >= said * 4 && output > 0;
        turn.role = match named {
            Some(role) => *role,
            None if is_program || is_output(&turn.text) => Role::Executor,
            None => Role::Agent,
        };
    }
}

/// True of a text that is what a program gave back: an exit code, a traceback, and nothing said.
pub(crate) fn is_output(text: &str) -> bool {
    let text = text.trim_start();
    let starts = [
        "exitcode:",
        "exit code:",
        "Traceback (most recent call last)",
        "Code output:",
        "stdout:",
        "stderr:",
    ];
    starts
        .iter()
        .any(|start| text.get(..start.len()).is_some_and(|head| head.eq_ignore_ascii_case(start)))
}

/// The sides that the names of the speakers give them: whoever is called the proponent argues for.
pub(crate) fn sides(turns: &[Turn]) -> Vec<AssignedSide> {
    let mut found: Vec<AssignedSide> = Vec::new();
    for turn in turns.iter().filter(|turn| turn.role == Role::Agent) {
        let Some(side) = side_in(turn.agent.as_str()) else { continue };
        if found.iter().all(|known| known.agent != turn.agent) {
            found.push(AssignedSide { agent: turn.agent.clone(), side: side.to_owned() });
        }
        // A debate has few sides; a log of thousands of speakers is none.
        if found.len() >= SIDES {
            break;
        }
    }
    found.extend(told(turns));
    found
}

/// `PRO`, `Proponent`, `Negative 2`: a side, and nothing else that could be a name.
fn side_in(name: &str) -> Option<&'static str> {
    let bare = name.trim_end_matches(|c: char| c.is_ascii_digit() || " #-_".contains(c));
    match bare {
        "PRO" => return Some("PRO"),
        "CON" => return Some("CON"),
        _ => {}
    }
    let first = bare.split([' ', '_', '-']).next().unwrap_or(bare).to_lowercase();
    match first.as_str() {
        "proponent" | "affirmative" => Some("PRO"),
        "opponent" | "negative" => Some("CON"),
        "persuader" => Some("persuader"),
        _ => None,
    }
}

/// "You argue PRO": instructions that give the only agent of a conversation its side.
fn told(turns: &[Turn]) -> Option<AssignedSide> {
    const LOOKED_AT: usize = 4_000;
    let agent = &turns.iter().find(|turn| turn.role == Role::Agent)?.agent;
    if turns.iter().any(|turn| turn.role == Role::Agent && turn.agent != *agent) {
        return None;
    }
    let system = turns.iter().find(|turn| turn.role == Role::System)?;
    let head =
        system.text.get(..system.text.floor_char_boundary(LOOKED_AT.min(system.text.len())))?;
    let lower = head.to_lowercase();
    let says = |phrases: &[&str]| phrases.iter().any(|phrase| lower.contains(phrase));
    let pro = says(&[
        "you argue pro",
        "you argue for",
        "argue in favor of",
        "argue in favour of",
        "you are the proponent",
        "you are arguing for",
        "you are on the affirmative",
        "your side is pro",
        "assigned side: pro",
        "you defend the motion",
    ]);
    let con = says(&[
        "you argue con",
        "you argue against",
        "you are the opponent",
        "you are arguing against",
        "you are on the negative",
        "your side is con",
        "assigned side: con",
        "argue against the",
    ]);
    let side = match (pro, con) {
        (true, false) => "PRO",
        (false, true) => "CON",
        _ => return None,
    };
    Some(AssignedSide { agent: agent.clone(), side: side.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turn(agent: &str, text: &str) -> Turn {
        Turn::new(AgentId::new(agent), Role::Agent, text)
    }

    fn roles(turns: &[(&str, &str)]) -> Vec<Role> {
        let mut turns: Vec<Turn> = turns.iter().map(|(agent, text)| turn(agent, text)).collect();
        assign(&mut turns);
        turns.iter().map(|turn| turn.role).collect()
    }

    #[test]
    fn names_of_frameworks_tell() {
        for (name, role) in [
            ("Moderator", Some(Role::Moderator)),
            ("Debate_Host", Some(Role::Moderator)),
            ("chat_manager", Some(Role::Moderator)),
            ("Judge 2", Some(Role::Judge)),
            ("Computer_terminal", Some(Role::Executor)),
            ("ComputerTerminal", Some(Role::Executor)),
            ("code-executor", Some(Role::Executor)),
            ("mathproxyagent", Some(Role::User)),
            ("Judge of Wines", None),
            ("Pro", None),
            ("Analyst", None),
        ] {
            assert_eq!(named(name), role, "{name}");
        }
    }

    #[test]
    fn what_only_gives_output_back_runs_code() {
        let found = roles(&[
            ("solver", "Let me compute it."),
            ("env", "exitcode: 0 (execution succeeded)\nCode output: 42"),
            ("solver", "So it is 42."),
            ("env", "exitcode: 1 (execution failed)\nCode output: Traceback"),
        ]);
        assert_eq!(found, [Role::Agent, Role::Executor, Role::Agent, Role::Executor]);
        // An agent that talks about output is an agent.
        assert_eq!(roles(&[("a", "The exit code: 0 tells us that it ran.")]), [Role::Agent]);
    }

    #[test]
    fn a_panel_of_judges_is_a_panel() {
        assert_eq!(roles(&[("Judge 1", "Yes."), ("Judge 2", "No.")]), [Role::Agent, Role::Agent]);
        assert_eq!(roles(&[("Ann", "Yes."), ("Judge", "Ann wins.")]), [Role::Agent, Role::Judge]);
    }

    #[test]
    fn sides_come_from_names_and_instructions() {
        let named =
            sides(&[turn("Proponent", "Yes."), turn("Opponent", "No."), turn("Prosper", "Hm.")]);
        let given: Vec<(&str, &str)> =
            named.iter().map(|it| (it.agent.as_str(), it.side.as_str())).collect();
        assert_eq!(given, [("Proponent", "PRO"), ("Opponent", "CON")]);
        let system =
            Turn::new(AgentId::new("system"), Role::System, "You argue against the motion.");
        let found = sides(&[system, turn("assistant", "It should not pass.")]);
        assert_eq!(found.first().map(|it| it.side.as_str()), Some("CON"));
    }
}
