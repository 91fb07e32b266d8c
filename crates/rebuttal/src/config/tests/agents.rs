//! `[agents]` as users write it.

use std::time::Duration;

use rebuttal_llm::Provider;

use super::*;
use crate::config::agents::AgentConfig;

fn agents(text: &str) -> Result<Agents> {
    Ok(read::sections(text, Path::new("conf/rebuttal.toml"))?.agents)
}

/// The fields of one agent that matter most.
fn shown(agent: &AgentConfig) -> (&str, &str, String, Option<String>) {
    let key = agent.key.value.as_ref().map(ToString::to_string);
    (agent.provider.value.name(), &agent.model.value, agent.shown_url(), key)
}

#[test]
fn four_agents_come_without_a_file() {
    let agents = agents("").unwrap();
    let all: Vec<_> = agents.iter().map(|(name, agent)| (name, shown(agent))).collect();
    let key = |name: &str| Some(format!("env:{name}"));
    let (anthropic, google) =
        ("https://api.anthropic.com", "https://generativelanguage.googleapis.com");
    let openai = "https://api.openai.com/v1";
    assert_eq!(
        all,
        [
            (
                "claude",
                ("anthropic", "claude-sonnet-5", anthropic.into(), key("ANTHROPIC_API_KEY"))
            ),
            ("gemini", ("gemini", "gemini-flash-latest", google.into(), key("GEMINI_API_KEY"))),
            ("gpt4", ("openai", "gpt-4.1", openai.into(), key("OPENAI_API_KEY"))),
            ("ollama", ("ollama", "llama3.2", "http://127.0.0.1:11434".into(), None)),
        ]
    );
    for (name, agent) in agents.iter() {
        assert!(agent.is_predefined());
        let settings = agent.settings(name).unwrap();
        assert_eq!(settings.address.to_string(), agent.shown_url());
        assert_eq!((settings.id.as_str(), settings.max_tokens), (name, 8192));
    }
}

#[test]
fn an_agent_is_read_with_its_lines() {
    let text = "[agents.mine]\nprovider = 'openai-responses'\nmodel = 'm'\nurl = 'https://host/v1'\n\
                key = 'file:keys/mine'\ntemperature = 0.5\nmax_tokens = 100\ntimeout = 7.5\n";
    let agents = agents(text).unwrap();
    let agent = agents.get("mine").unwrap();
    assert_eq!(agent.provider, Set { value: Provider::OpenAiResponses, line: Some(2) });
    assert_eq!(agent.url.line, Some(4));
    assert_eq!(agent.key.value, Some(KeyRef::File("conf/keys/mine".into())));
    assert_eq!(agent.temperature, Set { value: Some(0.5), line: Some(6) });
    assert_eq!(agent.max_tokens, Set { value: 100, line: Some(7) });
    assert_eq!(agent.limits.timeout, Set { value: Duration::from_millis(7500), line: Some(8) });
    let settings = agent.settings("mine").unwrap();
    assert_eq!((settings.temperature, settings.max_tokens), (Some(0.5), 100));
    assert_eq!(settings.timeouts.total, Duration::from_millis(7500));
    assert_eq!(agents.iter().count(), 5);
}

#[test]
fn a_predefined_agent_can_be_changed_in_part() {
    let changed = |text: &str| {
        let agents = agents(&format!("[agents.claude]\n{text}")).unwrap();
        let (provider, model, url, key) = shown(agents.get("claude").unwrap());
        (provider.to_owned(), model.to_owned(), url, key)
    };
    let (provider, model, url, key) = changed("model = 'claude-opus-5'");
    assert_eq!((provider.as_str(), model.as_str()), ("anthropic", "claude-opus-5"));
    assert_eq!(url, "https://api.anthropic.com");
    assert_eq!(key.as_deref(), Some("env:ANTHROPIC_API_KEY"));
    // Its key goes to no other server.
    let (_, model, url, key) = changed("url = 'https://proxy.example.com'");
    assert_eq!((model.as_str(), url.as_str()), ("claude-sonnet-5", "https://proxy.example.com"));
    assert_eq!(key, None);
    // Nor to another provider.
    let (_, model, url, key) = changed("provider = 'openai'\nmodel = 'm'");
    assert_eq!((model.as_str(), url.as_str()), ("m", "https://api.openai.com/v1"));
    assert_eq!(key.as_deref(), Some("env:OPENAI_API_KEY"));
}

#[test]
fn slips_and_wrong_values_are_named() {
    let mine = "[agents.x]\nprovider = 'openai'\nmodel = 'm'\n";
    for (text, reason) in [
        ("agents = 1".to_owned(), "1: [agents] must be a table"),
        ("[agents]\nclaude = 1".to_owned(), "2: [agents.claude] must be a table"),
        ("[agent.x]".to_owned(), "1: unknown section `agent`; did you mean `agents`?"),
        ("[agents.x]\nmodle = 'm'".to_owned(), "2: unknown key `modle`; did you mean `model`?"),
        ("[agents.x]\nmodel = 'm'".to_owned(), "agent `x` needs `provider`"),
        ("[agents.x]\nprovider = 'openai'".to_owned(), "agent `x` needs `model`"),
        ("[agents.claude]\nprovider = 'openai'".to_owned(), "agent `claude` needs `model`"),
        ("[agents.x]\nprovider = 'grok'".to_owned(), "2: provider: there is no \"grok\"; known: "),
        ("[agents.'a b']".to_owned(), "1: an agent's name has 1 to 40 letters, digits"),
        ("[agents.'']".to_owned(), "1: an agent's name has"),
        (format!("{mine}url = 'host'"), "4: endpoint: not the address of a server"),
        (format!("{mine}temperature = 2.5"), "4: `temperature` must be a number from 0 to 2"),
        (format!("{mine}temperature = nan"), "4: `temperature` must be"),
        (format!("{mine}temperature = '1'"), "4: `temperature` must be"),
        (
            format!("{mine}max_tokens = 0"),
            "4: `max_tokens` must be a whole number from 1 to 1000000",
        ),
        (format!("{mine}max_tokens = 1.5"), "4: `max_tokens` must be"),
        (format!("{mine}max_tokens = 99999999999"), "4: `max_tokens` must be"),
        (format!("{mine}timeout = 0"), "4: `timeout` must be a number of seconds above 0"),
        (format!("{mine}timeout = -1"), "4: `timeout` must be"),
        (format!("{mine}timeout = inf"), "4: `timeout` must be"),
        (format!("{mine}timeout = 86400"), "at most an hour (3600)"),
        (format!("{mine}plain_http = 1"), "4: `plain_http` must be true or false"),
        (
            format!("{mine}url = 'http://host'\nkey = 'env:K'"),
            "5: the key would travel unencrypted",
        ),
    ] {
        let error = agents(&text).unwrap_err().to_string();
        assert!(error.starts_with("conf/rebuttal.toml:") && error.contains(reason), "{error}");
    }
    let allowed = format!("{mine}url = 'http://host'\nkey = 'env:K'\nplain_http = true");
    assert!(agents(&allowed).is_ok());
}

#[test]
fn a_key_written_outright_is_not_repeated() {
    for key in ["'sk-canary'", "'env:sk-canary'", "12345"] {
        let error = agents(&format!("[agents.claude]\nkey = {key}")).unwrap_err().to_string();
        assert!(error.contains("write env:NAME or file:PATH"), "{error}");
        assert!(!error.contains("canary"), "{error}");
    }
}
