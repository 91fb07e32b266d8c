//! What a server wrote, before it is known to be a reply.

use serde_json::Value;

use super::form::Form;
use super::{Finish, Reply, Usage};
use crate::error::Fault;
use crate::said::one_line;

/// A reply as far as it got.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Draft {
    pub(crate) text: String,
    /// What a tool was called with: the reply, where a tool was asked for.
    pub(crate) arguments: String,
    pub(crate) usage: Usage,
    pub(crate) end: End,
}

/// Why it ended.
#[derive(Debug, Default, PartialEq)]
pub(crate) enum End {
    Stop,
    #[default]
    Unsaid,
    /// At the limit of tokens.
    Length,
    /// The model would not; its words.
    Declined(String),
    /// A filter would not.
    Filtered(String),
    /// The server broke off.
    Failed(String),
    /// It wants tools, of which there are none.
    Tools,
    Other(String),
}

impl Draft {
    /// The draft of a reply that was asked for in this form.
    pub(crate) fn asked_as(self, form: Form) -> Self {
        if form != Form::Tool || self.arguments.is_empty() {
            return self;
        }
        let end = if self.end == End::Tools { End::Stop } else { self.end };
        Self { text: self.arguments, arguments: String::new(), end, ..self }
    }

    /// The reply, if it is a whole one.
    pub(crate) fn reply(self, max_tokens: u32) -> Result<Reply, Fault> {
        let finish = match self.end {
            End::Stop => Finish::Stop,
            End::Unsaid => Finish::Unsaid,
            End::Other(reason) => Finish::Other(one_line(&reason)),
            End::Length => return Err(Fault::CutShort { max_tokens }),
            End::Declined(words) => return Err(Fault::Declined(one_line(&words))),
            End::Filtered(why) => return Err(Fault::Filtered(one_line(&why))),
            End::Failed(why) => {
                return Err(Fault::BrokeOff { attempts: 1, reason: one_line(&why) });
            }
            End::Tools => return Err(Fault::Empty("it asks for a tool".to_owned())),
        };
        if self.text.trim().is_empty() {
            let why = match finish {
                Finish::Other(reason) => reason,
                Finish::Stop | Finish::Unsaid => String::new(),
            };
            return Err(Fault::Empty(why));
        }
        Ok(Reply { finish, ..Reply::new(self.text).with_usage(self.usage) })
    }
}

/// The text of a content that is a string, or a list of parts of which some are text.
pub(crate) fn text_of(content: &Value) -> String {
    if let Some(text) = content.as_str() {
        return text.to_owned();
    }
    let is_text = |part: &&Value| {
        let kind = part.get("type").and_then(Value::as_str).unwrap_or("text");
        let thought = part.get("thought").and_then(Value::as_bool).unwrap_or_default();
        matches!(kind, "text" | "output_text") && !thought
    };
    let parts = content.as_array().map(Vec::as_slice).unwrap_or_default();
    parts.iter().filter(is_text).filter_map(|part| part.get("text")?.as_str()).collect()
}

/// A text at a place, if there is one and it is not empty.
pub(crate) fn string_at<'v>(value: &'v Value, place: &str) -> Option<&'v str> {
    value.pointer(place).and_then(Value::as_str).filter(|text| !text.is_empty())
}

/// Tokens read and written. What is no count (missing, negative, a text) is none.
pub(crate) fn usage(value: &Value, input: &[&str], output: &[&str]) -> Usage {
    let count = |place: &&str| value.pointer(place).and_then(Value::as_u64);
    let sum = |places: &[&str]| places.iter().filter_map(count).reduce(u64::saturating_add);
    Usage { input: sum(input), output: sum(output) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn drafted(text: &str, end: End) -> Result<Reply, String> {
        let draft = Draft { text: text.to_owned(), end, ..Draft::default() };
        draft.reply(100).map_err(|fault| fault.to_string())
    }

    #[test]
    fn whole_replies_are_kept_as_they_are() {
        let reply = drafted(" yes\n", End::Stop).unwrap();
        assert_eq!((reply.text.as_str(), reply.finish), (" yes\n", Finish::Stop));
        assert_eq!(drafted("yes", End::Unsaid).unwrap().finish, Finish::Unsaid);
        let other = drafted("yes", End::Other("eos_token".to_owned())).unwrap();
        assert_eq!(other.finish, Finish::Other("eos_token".to_owned()));
    }

    #[test]
    fn everything_else_is_named() {
        for (text, end, reason) in [
            ("half an ans", End::Length, "cut off before its end, at most 100 tokens"),
            ("", End::Length, "cut off before its end"),
            ("", End::Declined("I can't".to_owned()), "declined to answer (I can't); ask in other"),
            ("half", End::Filtered("SAFETY".to_owned()), "filter stepped in (SAFETY); ask in"),
            (
                "half",
                End::Failed("overloaded".to_owned()),
                "the server broke off (overloaded), once; try again",
            ),
            ("", End::Tools, "the reply is empty (it asks for a tool)"),
            (" \n", End::Stop, "the reply is empty; ask again"),
            ("", End::Other("recitation".to_owned()), "the reply is empty (recitation)"),
        ] {
            let error = drafted(text, end).unwrap_err();
            assert!(error.contains(reason), "{error}");
        }
    }

    #[test]
    fn contents_are_texts_or_parts() {
        assert_eq!(text_of(&json!("a")), "a");
        let parts = json!([
            {"type": "thinking", "thinking": "hm", "text": "no"}, {"type": "text", "text": "a"},
            {"text": "hm", "thought": true}, {"text": "b"}, {"text": 7}, 7
        ]);
        assert_eq!(text_of(&parts), "ab");
        assert_eq!(text_of(&Value::Null), "");
    }

    #[test]
    fn counts_are_read_where_they_are_counts() {
        let value = json!({"a": 3, "b": 4, "c": -1, "d": "5", "e": 1e3});
        let of = |input: &str, output: &[&str]| usage(&value, &[input], output);
        assert_eq!(of("/a", &["/a", "/b"]), Usage { input: Some(3), output: Some(7) });
        assert_eq!(of("/c", &["/d", "/e", "/f"]), Usage::default());
        assert_eq!(of("/c", &["/f", "/b"]), Usage { input: None, output: Some(4) });
    }
}
