//! `[debate]`, `[presets]` and `[providers]` as users write them.

use std::time::Duration;

use rebuttal_llm::{Breaker, Rate};
use rebuttal_model::{BreakpointAnswer, Sees, TricksterConfig};

use super::*;
use crate::config::Preset;

fn config(text: &str) -> Result<Config> {
    read::sections(text, Path::new("conf/rebuttal.toml"))
}

#[test]
fn every_field_of_the_trickster_can_be_set() {
    let mut usual = serde_json::to_value(TricksterConfig::default()).unwrap();
    let weights = usual.as_object_mut().unwrap().remove("weights").unwrap();
    let written = |fields: &serde_json::Value| -> String {
        let fields = fields.as_object().unwrap().iter();
        fields.map(|(name, value)| format!("{name} = {value}")).collect::<Vec<_>>().join("\n")
    };
    let text = format!(
        "[debate.trickster]\n{}\n[debate.trickster.weights]\n{}",
        written(&usual),
        written(&weights)
    );
    let strict = config(&text).unwrap().protocol(Some("strict")).unwrap();
    assert_eq!(strict.trickster, TricksterConfig::default());
    let strict = config("").unwrap().protocol(Some("strict")).unwrap();
    assert_eq!(strict.trickster, TricksterConfig::strict());
    let brainstorm = config("").unwrap().protocol(Some("brainstorm")).unwrap();
    assert_eq!(brainstorm.trickster, TricksterConfig::brainstorming());
}

#[test]
fn a_field_has_settings_of_its_own_after_those_of_all_debates() {
    let text = "[debate.trickster]\nhollow_detection_threshold = 0.61\nnovelty_threshold = 0.33\n\
                [debate.trickster.fields.finance]\nhollow_detection_threshold = 0.47\n\
                [debate.trickster.fields.general]\nhollow_detection_threshold = 0.72\n";
    let config = config(text).unwrap();
    let of = |question: &str| config.protocol_for(question, None).unwrap().trickster;
    let finance = of("Should the fund sell its bonds before the interest rate rises?");
    assert_eq!((finance.hollow_detection_threshold, finance.novelty_threshold), (0.47, 0.33));
    let general = of("Should we paint the fence?");
    assert_eq!((general.hollow_detection_threshold, general.novelty_threshold), (0.72, 0.33));
    let law = config.protocol_in("legal", Some("strict")).unwrap().trickster;
    assert_eq!((law.hollow_detection_threshold, law.min_quality_threshold), (0.61, 0.7));
}

#[test]
fn the_preset_is_changed_by_its_own_section_and_then_by_debate() {
    let text = "[presets.mine]\nbase = 'quick'\nrounds = 3\nsees = 'random:2'\n\
                [debate]\npreset = 'mine'\nrounds = 4\n[debate.breakpoints]\n\
                timeout_seconds = 'never'\non_timeout = 'abort'\n";
    let config = config(text).unwrap();
    let mine = config.protocol(None).unwrap();
    assert_eq!((mine.rounds, mine.sees), (4, Sees::Random(2)));
    assert_eq!(mine.breakpoints.timeout_seconds, None);
    assert_eq!(mine.breakpoints.on_timeout, BreakpointAnswer::Abort);
    assert_eq!(mine.detail, Preset::Quick.protocol().detail);
    assert_eq!(config.protocol(Some("hybrid")).unwrap().rounds, 4);
    for preset in ["quick", "hybrid", "strict", "brainstorm"] {
        let protocol = super::config_of("").protocol(Some(preset)).unwrap();
        assert_eq!(protocol, Preset::named(preset).unwrap().protocol(), "{preset}");
    }
}

#[test]
fn limits_of_a_provider_hold_for_its_agents_unless_they_say_otherwise() {
    let text = "[providers.anthropic]\ntimeout = 7\nretries = 1\nrate = { requests = 5, tokens = 900 }\n\
                breaker = 'off'\n[agents.claude]\nretries = 0\nbreaker = { failures = 2, rest = 9 }\n\
                [agents.other]\nprovider = 'anthropic'\nmodel = 'm'\nidle = 3\n";
    let config = config(text).unwrap();
    let settings = |name: &str| config.agents.get(name).unwrap().settings(name).unwrap();
    let (claude, other) = (settings("claude"), settings("other"));
    let rate = Rate { requests_per_minute: Some(5), tokens_per_minute: Some(900) };
    assert_eq!((claude.rate, other.rate), (rate, rate));
    assert_eq!((claude.retries.attempts, other.retries.attempts), (1, 2));
    assert_eq!(claude.breaker, Breaker { failures: 2, rest: Duration::from_secs(9) });
    assert_eq!(other.breaker.failures, 0);
    assert_eq!(other.timeouts.idle, Duration::from_secs(3));
    assert_eq!(claude.timeouts.total, Duration::from_secs(7));
    assert_eq!(settings("gpt4").rate, Rate::default());
    let patient = super::config_of("[agents.claude]\ntimeout = 3000");
    let patient = patient.agents.get("claude").unwrap().settings("claude").unwrap();
    assert_eq!(patient.retries.deadline, Duration::from_mins(50), "a call may take as long");
}

/// What is written, and what is said about it.
const SLIPS: &[(&str, &str)] = &[
    ("[debate]\nrouns = 3", "2: unknown key `rouns`; did you mean `rounds`?"),
    ("[debate]\nrounds = 51", "2: `rounds` must be a whole number, at most 50"),
    ("[debate]\nrule = 'boorda'", "2: `rule`: there is no rule “boorda”; did you mean “borda”?"),
    ("[debate]\nstop = 'unanimty'", "did you mean"),
    ("[debate]\ntie = 'dice'", "2: `tie`: "),
    ("[debate]\nroles = 'yes'", "2: `roles` must be true or false"),
    ("[debate]\nsees = 'sideways'", "2: `sees` is all, opposing, ring or random:K"),
    ("[debate]\npreset = 'strct'", "2: there is no preset `strct`; did you mean `strict`?"),
    ("[debate]\nenable_tricster = true", "did you mean `enable_trickster`?"),
    ("[debate]\ntrickster = 1", "2: `trickster` must be a table"),
    (
        "[debate.trickster]\n\nnovelty_threshold = 1.5",
        "3: `novelty_threshold` is 1.5: give a number from 0 to 1",
    ),
    (
        "[debate.trickster]\nnovelty_treshold = 0.5",
        "2: unknown key `novelty_treshold`; did you mean `novelty_threshold`?",
    ),
    (
        "[debate.trickster]\nextension_rounds = 0.5",
        "2: `trickster.extension_rounds` must be a whole number",
    ),
    (
        "[debate.trickster]\nextension_rounds = 500",
        "2: `extension_rounds` is 500: give a whole number up to 100",
    ),
    (
        "[debate.trickster]\nenable_breakpoints = 1",
        "2: `trickster.enable_breakpoints` must be true or false",
    ),
    (
        "[debate.trickster]\nnovelty_threshold = nan",
        "2: `trickster.novelty_threshold` must be a number",
    ),
    (
        "[debate.trickster.weights]\ncitation_density = 0\nspecificity_score = 0\n\
             logical_chain_score = 0\nevidence_diversity = 0",
        "2: the weights of evidence quality are all 0",
    ),
    ("[debate.trickster.weights]\ncitation_density = -1.0", "`weights.citation_density` is -1"),
    (
        "[debate.breakpoints]\ntimeout = 3",
        "2: unknown key `timeout`; there are timeout_seconds, on_timeout",
    ),
    (
        "[debate.breakpoints]\ntimeout_seconds = 0",
        "2: `timeout_seconds` must be a number of seconds above 0",
    ),
    (
        "[debate.breakpoints]\non_timeout = 'redirect'",
        "2: `on_timeout` is continue or abort: other answers need a person's words",
    ),
    (
        "[debate.trickster.fields.medcine]\nnovelty_threshold = 0.5",
        "1: there is no field `medcine`",
    ),
    (
        "[debate.trickster.fields.finance]\nnovelty_treshold = 0.5",
        "2: unknown key `novelty_treshold`",
    ),
    ("[debate.trickster.fields.finance]\nnovelty_threshold = 1.5", "2: `novelty_threshold` is 1.5"),
    (
        "[debate.breakpoints]\non_timeout = 'stop'",
        "2: `on_timeout` is continue or abort: other answers need a person's words",
    ),
    ("[debate.budget]\ncall = 3", "2: unknown key `call`; did you mean `calls`?"),
    ("[debate.budget]\ncalls = 1.5", "2: `calls` of the budget must be a whole number above 0"),
    ("[debate.budget]\nusd = 0", "2: `usd` of the budget must be a number above 0"),
    ("[presets.x]\nbase = 'mine'", "2: `base` is quick, hybrid, strict or brainstorm"),
    ("[presets.x]\npreset = 'quick'", "2: unknown key `preset`"),
    ("[presets.'a b']", "1: a preset's name has 1 to 40 letters"),
    ("[providers.opanai]", "1: unknown provider `opanai`; did you mean `openai`?"),
    ("[providers.openai]\nratee = 1", "2: unknown key `ratee`; did you mean `rate`?"),
    ("[providers.openai]\nrate = 60", "2: `rate` is what may be asked in a minute"),
    ("[providers.openai]\nrate = {}", "2: `rate` is what may be asked in a minute"),
    ("[providers.openai]\nrate = { requests = 0 }", "2: `rate` is what may be asked in a minute"),
    (
        "[providers.openai]\nrate = { request = 1 }",
        "unknown key `request`; did you mean `requests`?",
    ),
    ("[providers.openai]\nretries = 11", "2: `retries` must be a whole number, at most 10"),
    ("[providers.openai]\nidle = 0", "2: `idle` must be a number of seconds above 0"),
    ("[providers.openai]\nbreaker = 'on'", "2: `breaker` must be \"off\" or { failures"),
    ("[providers.openai]\nbreaker = { failures = 0 }", "2: `breaker` must be"),
];

#[test]
fn slips_in_debates_name_the_line_the_key_and_what_was_meant() {
    for (text, reason) in SLIPS {
        let error = config(text).unwrap_err().to_string();
        assert!(error.starts_with("conf/rebuttal.toml:") && error.contains(reason), "{error}");
    }
}
