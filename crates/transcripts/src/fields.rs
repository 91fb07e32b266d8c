//! Which telling fields an object has, found in one pass.
//!
//! A record is compared with every format, and asking it for each field by name would read its
//! names over and over: on short lines that took longer than everything else together.

use crate::value::Value;

macro_rules! fields {
    ($($field:ident = $name:literal),* $(,)?) => {
        /// A field that tells formats apart.
        #[derive(Clone, Copy, Debug)]
        pub(crate) enum Field { $($field),* }

        fn named(name: &[u8]) -> Option<Field> {
            match name {
                $($name => Some(Field::$field),)*
                _ => None,
            }
        }
    };
}

fields! {
    ComponentAnswers = b"componentAnswers", InitialPositions = b"initial_positions",
    InitialSolutions = b"initial_solutions", Payload = b"payload", Summary = b"summary",
    Trajectory = b"trajectory",
    Agent = b"agent", AgentId = b"agent_id", AgentStates = b"agent_states",
    Attributes = b"attributes", Body = b"body", Choices = b"choices", Content = b"content",
    Context = b"context", Conversation = b"conversation", Conversations = b"conversations",
    CustomId = b"custom_id", Data = b"data", Debate = b"debate", Description = b"description",
    Epoch = b"epoch", Eval = b"eval", Format = b"format", From = b"from",
    FunctionCall = b"function_call", GlobalMemory = b"globalMemory", Input = b"input",
    InvestmentDebate = b"investment_debate_state", Lc = b"lc", LeafUuid = b"leafUuid",
    Message = b"message", Messages = b"messages", Name = b"name", Output = b"output",
    Params = b"params", Parts = b"parts", Persona = b"persona", Plan = b"plan",
    Question = b"question", Raw = b"raw", Request = b"request", ResourceLogs = b"resourceLogs",
    ResourceSpans = b"resourceSpans", Response = b"response", Result = b"result",
    RiskDebate = b"risk_debate_state", Role = b"role", Samples = b"samples",
    ScopeLogs = b"scopeLogs", ScopeSpans = b"scopeSpans", Scores = b"scores",
    SessionId = b"sessionId", Source = b"source", SpanId = b"spanId", SpanIdSnake = b"span_id",
    Speaker = b"speaker", Statement = b"statement", Status = b"status", StopReason = b"stop_reason",
    Target = b"target", Task = b"task", TaskName = b"task_name", TasksOutput = b"tasks_output",
    Text = b"text", ToolCalls = b"tool_calls", TraceId = b"traceId", TraceIdSnake = b"trace_id",
    Transcript = b"transcript", Turns = b"turns", Type = b"type", Usage = b"usage",
    Utterance = b"utterance", Uuid = b"uuid", Value = b"value", Version = b"version",
}

/// The telling fields of one object.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Fields {
    present: u128,
    filled: u128,
    /// Some member is an object or a list, so there is more to look into.
    pub(crate) nested: bool,
}

impl Fields {
    pub(crate) fn of(value: Value<'_>) -> Self {
        let mut fields = Self::default();
        for (name, member) in value.pairs() {
            fields.nested |= member.is_object() || member.is_array();
            if let Some(field) = named(name.encoded()) {
                fields.present |= bit(field);
                if !member.is_null() {
                    fields.filled |= bit(field);
                }
            }
        }
        fields
    }

    /// True when the field is there, be it null.
    pub(crate) fn has(self, field: Field) -> bool {
        self.present & bit(field) != 0
    }

    /// True when one of these is there and not null.
    pub(crate) fn any(self, fields: &[Field]) -> bool {
        let wanted = fields.iter().fold(0, |wanted, field| wanted | bit(*field));
        self.filled & wanted != 0
    }
}

fn bit(field: Field) -> u128 {
    1 << (field as u32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Json;

    #[test]
    fn null_is_there_but_not_filled() {
        let json = Json::parse(br#"{"role":"x","content":null,"other":[]}"#, 0);
        let fields = Fields::of(json.root().unwrap());
        assert!(fields.has(Field::Content) && !fields.any(&[Field::Content, Field::Text]));
        assert!(fields.any(&[Field::Role]) && fields.nested);
    }
}
