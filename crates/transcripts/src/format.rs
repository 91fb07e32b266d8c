//! The formats that are read, by name.

/// A format of transcripts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// Rebuttal's own JSONL.
    Rebuttal,
    /// OpenAI chat messages.
    OpenAi,
    /// Anthropic messages.
    Anthropic,
    /// AutoGen 0.4 and later.
    AutoGen,
    /// AutoGen 0.2 and AG2.
    Ag2,
    /// LangChain and LangGraph.
    LangChain,
    /// TradingAgents' debate states.
    TradingAgents,
    /// MALLM.
    Mallm,
    /// Inspect logs.
    Inspect,
    /// CrewAI output.
    CrewAi,
    /// ShareGPT.
    ShareGpt,
    /// OpenTelemetry GenAI spans.
    Otel,
    /// Society of minds: every agent's messages, question by question.
    Minds,
    /// Two debaters and a judge.
    Judged,
    /// Solvers who refine what they found.
    Solvers,
    /// Trajectories of `HyperAgent`.
    HyperAgent,
    /// Results of a council's evaluation.
    Council,
    /// Session logs of Codex.
    Codex,
    /// What `AutoGen` prints on a console.
    Console,
    /// Comma-separated values.
    Csv,
    /// Tab-separated values.
    Tsv,
    /// Markdown.
    Markdown,
    /// Plain text.
    Text,
}

/// Formats that cannot be told apart record by record count as one when a file is checked for
/// mixing them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Family {
    Chat,
    Own(Format),
}

impl Format {
    /// All of them, in the order they are listed to users.
    pub const ALL: [Self; 23] = [
        Self::Rebuttal,
        Self::OpenAi,
        Self::Anthropic,
        Self::AutoGen,
        Self::Ag2,
        Self::LangChain,
        Self::TradingAgents,
        Self::Mallm,
        Self::Inspect,
        Self::CrewAi,
        Self::ShareGpt,
        Self::Otel,
        Self::Minds,
        Self::Judged,
        Self::Solvers,
        Self::HyperAgent,
        Self::Council,
        Self::Codex,
        Self::Console,
        Self::Csv,
        Self::Tsv,
        Self::Markdown,
        Self::Text,
    ];

    /// The name a user types.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rebuttal => "rebuttal",
            Self::OpenAi => "openai",
            Self::Anthropic => "anthropic",
            Self::AutoGen => "autogen",
            Self::Ag2 => "ag2",
            Self::LangChain => "langchain",
            Self::TradingAgents => "tradingagents",
            Self::Mallm => "mallm",
            Self::Inspect => "inspect",
            Self::CrewAi => "crewai",
            Self::ShareGpt => "sharegpt",
            Self::Otel => "otel",
            Self::Minds => "minds",
            Self::Judged => "judged",
            Self::Solvers => "solvers",
            Self::HyperAgent => "hyperagent",
            Self::Council => "council",
            Self::Codex => "codex",
            Self::Console => "console",
            Self::Csv => "csv",
            Self::Tsv => "tsv",
            Self::Markdown => "markdown",
            Self::Text => "text",
        }
    }

    /// What the format is, in one line.
    pub fn about(self) -> &'static str {
        match self {
            Self::Rebuttal => "Rebuttal's own JSONL: one turn per line",
            Self::OpenAi => "OpenAI chat messages: a document, JSONL, or batch files",
            Self::Anthropic => "Anthropic messages with content blocks; Claude Code sessions",
            Self::AutoGen => "AutoGen 0.4 and later: messages with a source",
            Self::Ag2 => "AutoGen 0.2 and AG2: chat_history; also Who&When and MAST",
            Self::LangChain => "LangChain messages and LangGraph state",
            Self::TradingAgents => "TradingAgents' investment and risk debate states",
            Self::Mallm => "MALLM discussions: globalMemory",
            Self::Inspect => "Inspect logs: .json and .eval",
            Self::CrewAi => "CrewAI output: tasks_output, or its log file",
            Self::ShareGpt => "ShareGPT: conversations with from and value",
            Self::Otel => "OpenTelemetry GenAI spans and events as OTLP JSON",
            Self::Minds => "Society of minds: for each question, the agents' lists of messages",
            Self::Judged => "two debaters and a judge: initial_positions, rounds, judge_response",
            Self::Solvers => "solvers who refine: initial_solutions, refinements, judge_decision",
            Self::HyperAgent => "HyperAgent trajectories: lines of NAME's Response",
            Self::Council => "results of a council: componentAnswers and the answer they came to",
            Self::Codex => "Codex session logs: lines with a type and a payload",
            Self::Console => "what AutoGen prints on a console: ---------- NAME ----------",
            Self::Csv => "comma- or semicolon-separated values with named columns",
            Self::Tsv => "tab-separated values with named columns",
            Self::Markdown => "Markdown: speakers as headings or in bold",
            Self::Text => "plain text: lines of Name: text",
        }
    }

    /// A short example of the format, which the importer can read.
    pub fn example(self) -> &'static str {
        match self {
            Self::Rebuttal => {
                r#"{"debate":"d1","round":0,"agent":"pro","role":"agent","text":"We should adopt it.","answer":"yes","confidence":0.8}"#
            }
            Self::OpenAi => {
                r#"{"id":"c1","model":"m-1","messages":[{"role":"user","content":"Adopt it?"},{"role":"assistant","name":"pro","content":"Yes."}]}"#
            }
            Self::Anthropic => {
                r#"{"system":"Be brief.","messages":[{"role":"user","content":"Adopt it?"},{"role":"assistant","content":[{"type":"text","text":"Yes."}]}]}"#
            }
            Self::AutoGen => {
                r#"{"messages":[{"type":"TextMessage","source":"pro","content":"Adopt it.","models_usage":{"prompt_tokens":9,"completion_tokens":3}}],"stop_reason":null}"#
            }
            Self::Ag2 => {
                r#"{"chat_history":[{"role":"assistant","name":"pro","content":"Adopt it."},{"role":"user","name":"con","content":"Do not."}]}"#
            }
            Self::LangChain => {
                r#"{"values":{"messages":[{"type":"human","content":"Adopt it?"},{"type":"ai","name":"pro","content":"Yes."}]}}"#
            }
            Self::TradingAgents => {
                r#"{"company_of_interest":"ACME","trade_date":"2024-05-10","investment_debate_state":{"history":"\nBull Analyst: Buy.\nBear Analyst: Sell.","judge_decision":"Hold."}}"#
            }
            Self::Mallm => {
                r#"{"exampleId":"e1","globalMemory":[{"message_id":0,"turn":1,"agent_id":"a1","persona":"Economist","message":"Adopt it.","agreement":null,"solution":"yes"}]}"#
            }
            Self::Inspect => {
                r#"{"version":2,"status":"success","eval":{"task":"debate","model":"m-1"},"samples":[{"id":1,"epoch":1,"messages":[{"role":"assistant","content":"Adopt it."}]}]}"#
            }
            Self::CrewAi => {
                r#"{"raw":"Adopt it.","tasks_output":[{"description":"Decide.","agent":"Researcher","raw":"Adopt it."}],"token_usage":{"total_tokens":12}}"#
            }
            Self::ShareGpt => {
                r#"{"id":"s1","conversations":[{"from":"human","value":"Adopt it?"},{"from":"gpt","value":"Yes."}]}"#
            }
            Self::Otel => {
                r#"{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"t1","spanId":"s1","startTimeUnixNano":"1715342400000000000","attributes":[{"key":"gen_ai.agent.name","value":{"stringValue":"pro"}},{"key":"gen_ai.output.messages","value":{"stringValue":"[{\"role\":\"assistant\",\"parts\":[{\"type\":\"text\",\"content\":\"Adopt it.\"}]}]"}}]}]}]}]}"#
            }
            Self::Minds => {
                r#"{"Adopt it?":[[[{"role":"user","content":"Adopt it?"},{"role":"assistant","content":"Yes."}]],"yes"]}"#
            }
            Self::Judged => {
                r#"{"question":"Adopt it?","initial_positions":{"proponent":"Yes.","opponent":"No."},"rounds":[{"round":1,"proponent":"Still yes.","opponent":"Still no."}],"judge_response":"Yes."}"#
            }
            Self::Solvers => {
                r#"{"problem":{"id":"p1","question":"How many?"},"initial_solutions":[{"solver_id":"s1","reasoning":"I counted.","final_answer":"3","confidence":0.9}],"refinements":[]}"#
            }
            Self::HyperAgent => {
                r#"{"instance_id":"i1","trajectory":["HyperAgent_i1 - INFO - Planner's Response: Adopt it."]}"#
            }
            Self::Council => {
                r#"{"unitId":"u1","variantId":"v1","answer":"Adopt it.","componentAnswers":["Adopt it."]}"#
            }
            Self::Codex => {
                r#"{"timestamp":"2026-02-01T10:00:00.000Z","type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Adopt it."}]}}"#
            }
            Self::Console => {
                "---------- Pro ----------\nAdopt it.\n---------- Con ----------\nDo not."
            }
            Self::Csv => "agent,round,text\npro,0,\"Adopt it, now.\"",
            Self::Tsv => "agent\tround\ttext\npro\t0\tAdopt it.",
            Self::Markdown => "**Pro:** Adopt it.",
            Self::Text => "Pro: Adopt it.",
        }
    }

    /// The format a user means by `name`; case does not matter.
    pub fn parse(name: &str) -> Option<Self> {
        let name = name.trim();
        Self::ALL.into_iter().find(|format| format.name().eq_ignore_ascii_case(name)).or_else(
            || {
                let other = match name.to_ascii_lowercase().as_str() {
                    "jsonl" => Self::Rebuttal,
                    "langgraph" => Self::LangChain,
                    "claude" => Self::Anthropic,
                    "opentelemetry" | "otlp" => Self::Otel,
                    "md" => Self::Markdown,
                    "txt" | "plain" => Self::Text,
                    _ => return None,
                };
                Some(other)
            },
        )
    }

    pub(crate) fn family(self) -> Family {
        match self {
            Self::OpenAi | Self::Anthropic | Self::Ag2 => Family::Chat,
            other => Family::Own(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_parses_back() {
        for format in Format::ALL {
            assert_eq!(Format::parse(format.name()), Some(format));
            assert_eq!(Format::parse(&format.name().to_uppercase()), Some(format));
            assert!(!format.about().contains('\n'));
        }
        assert_eq!(Format::parse("docx"), None);
    }
}
