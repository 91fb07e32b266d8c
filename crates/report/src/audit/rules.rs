//! What each rule is called and how to read its findings.

use rebuttal_model::RuleId;

/// A rule as reports present it.
#[derive(Clone, Copy, Debug)]
pub(super) struct RuleHelp {
    /// A few words.
    pub(super) title: &'static str,
    /// What it means and what to do about it.
    pub(super) help: &'static str,
}

/// Rules by the start of their name; the longest that fits counts, so families need one entry.
const RULES: &[(&str, RuleHelp)] = &[
    (
        "self-contradiction/silent",
        RuleHelp {
            title: "silent reversal",
            help: "The agent took one side and later the other, and nothing it said acknowledges \
                   the change. Read both quotes; then decide whether its conclusion can be relied \
                   on.",
        },
    ),
    (
        "self-contradiction/acknowledged",
        RuleHelp {
            title: "acknowledged change of mind",
            help: "The agent took one side and later the other, and said so. Nothing is wrong; it \
                   is worth knowing what changed its mind.",
        },
    ),
    (
        "self-contradiction",
        RuleHelp {
            title: "self-contradiction",
            help: "Two things the agent said do not go together. Read both quotes in context.",
        },
    ),
    (
        "hollow-consensus/evidence-gap",
        RuleHelp {
            title: "evidence gap",
            help: "Several agents make the same claim, and none of them supports it. Ask for the \
                   source before building on it.",
        },
    ),
    (
        "hollow-consensus/echo-chamber",
        RuleHelp {
            title: "echo chamber",
            help: "The agents cite the same few sources for the same claim. Count them as one voice \
                   until somebody brings a source of its own.",
        },
    ),
    (
        "hollow-consensus/nothing-new",
        RuleHelp {
            title: "nothing new",
            help: "The agents repeat what was said before without adding support. More rounds of \
                   this change nothing.",
        },
    ),
    (
        "hollow-consensus",
        RuleHelp {
            title: "hollow consensus",
            help: "The agents agree, and there is little behind it. Do not take the agreement for \
                   evidence: ask each for what it rests on.",
        },
    ),
    (
        "citation/unchecked",
        RuleHelp {
            title: "citation that could not be checked",
            help: "What is cited could not be told from others. This says nothing about whether it is \
                   right: name the passage or more of the path.",
        },
    ),
    (
        "citation",
        RuleHelp {
            title: "citation that fails",
            help: "The documents do not say what is cited from them. Read the passage; then correct the \
                   statement or what it rests on.",
        },
    ),
    (
        "injection/hidden-text",
        RuleHelp {
            title: "hidden text",
            help: "The text holds characters that a reader does not see and a model does. Look at \
                   what they spell before trusting what follows.",
        },
    ),
    (
        "injection",
        RuleHelp {
            title: "planted instruction",
            help: "The text addresses the models that read it, not the question. Treat what \
                   follows it in the debate as influenced.",
        },
    ),
];

/// A rule nobody wrote help for.
const OTHER: RuleHelp = RuleHelp {
    title: "",
    help: "Read the quotes in context; the finding's own sentence says what was seen.",
};

/// How to present a rule.
pub(super) fn help(rule: &RuleId) -> RuleHelp {
    RULES
        .iter()
        .filter(|(start, _)| rule.as_str().starts_with(start))
        .max_by_key(|(start, _)| start.len())
        .map_or(OTHER, |(_, help)| *help)
}

/// A rule's title; its name where it has none.
pub fn title(rule: &RuleId) -> &str {
    match help(rule).title {
        "" => rule.as_str(),
        title => title,
    }
}
