//! One file for each format, and the way from a record to the right one.

mod autogen;
pub(crate) mod codex;
mod console;
pub(crate) mod council;
mod crewai;
pub(crate) mod hyperagent;
mod inspect;
pub(crate) mod judged;
mod langchain;
mod mallm;
mod markdown;
mod messages;
pub(crate) mod minds;
mod names;
mod otel;
mod otel_value;
mod plain;
mod prose;
mod rebuttal;
mod sharegpt;
pub(crate) mod solvers;
pub(crate) mod table;
mod tradingagents;

use rebuttal_model::ProblemKind;

use crate::session::Cx;
use crate::sniff::{self, Shape};
use crate::value::Value;
use crate::{Format, reports};

pub(crate) use inspect::{Header, sample};
pub(crate) use langchain::{kind as langchain_kind, list as langchain_list};
pub(crate) use prose::{deliver, is_no_name, recognise, unheard};
pub(crate) use tradingagents::is_log as is_trading_log;

/// Reads one JSON value: a record, a list of records, or a list of messages.
pub(crate) fn value(value: Value<'_>, forced: Option<Format>, cx: &mut Cx<'_, '_>) {
    if forced.is_none() && reports::value(value, cx) {
        return;
    }
    if forced.is_none_or(|format| format == Format::Anthropic) && messages::is_heading(value) {
        return;
    }
    let shape = match forced {
        Some(format) => Some(sniff::shape_as(value, format)),
        None => sniff::shape(value),
    };
    match shape {
        Some(Shape::Records) => {
            for item in value.items() {
                self::value(item, forced, cx);
            }
        }
        Some(Shape::Spans) => otel::record(value, cx),
        Some(Shape::Messages(format)) => {
            note(value, format, cx);
            whole(format, value, value, cx);
        }
        Some(Shape::Message(format)) => {
            note(value, format, cx);
            loose(format, value, cx);
        }
        Some(Shape::Record(format)) => {
            note(value, format, cx);
            record(format, value, cx);
        }
        None => unknown(value, cx),
    }
}

fn note(value: Value<'_>, format: Format, cx: &mut Cx<'_, '_>) {
    let line = cx.place.line(value.span().start());
    cx.session.saw(format, line);
}

/// A record that holds a conversation.
fn record(format: Format, value: Value<'_>, cx: &mut Cx<'_, '_>) {
    match format {
        Format::OpenAi | Format::Anthropic => messages::record(format, value, cx),
        Format::AutoGen | Format::Ag2 => autogen::record(format, value, cx),
        Format::LangChain => langchain::record(value, cx),
        Format::TradingAgents => tradingagents::record(value, cx),
        Format::Mallm => mallm::record(value, cx),
        Format::Inspect => inspect::record(value, cx),
        Format::CrewAi => crewai::record(value, cx),
        Format::ShareGpt => sharegpt::record(value, cx),
        Format::Otel => otel::record(value, cx),
        Format::Minds => minds::record(value, cx),
        Format::Judged => judged::record(value, cx),
        Format::Solvers => solvers::record(value, cx),
        Format::HyperAgent => hyperagent::record(value, cx),
        Format::Council => council::record(value, cx),
        Format::Codex => codex::line(value, cx),
        Format::Rebuttal
        | Format::Csv
        | Format::Tsv
        | Format::Markdown
        | Format::Text
        | Format::Console => {
            rebuttal::record(value, cx);
        }
    }
}

/// A list of messages is one conversation; `head` is what surrounds it.
fn whole(format: Format, head: Value<'_>, list: Value<'_>, cx: &mut Cx<'_, '_>) {
    match format {
        Format::AutoGen | Format::Ag2 => autogen::conversation(format, head, list, cx),
        Format::LangChain => langchain::conversation(head, list, cx),
        Format::ShareGpt => sharegpt::conversation(head, list, cx),
        Format::CrewAi => crewai::log(list, cx),
        Format::Mallm => mallm::conversation(head, list, cx),
        Format::Rebuttal => rebuttal::conversation(head, list, cx),
        _ => messages::conversation(format, head, list, cx),
    }
}

/// A message that stands alone, on a line of its own.
fn loose(format: Format, value: Value<'_>, cx: &mut Cx<'_, '_>) {
    match format {
        Format::Rebuttal => rebuttal::line(value, cx),
        Format::AutoGen | Format::Ag2 => autogen::line(format, value, cx),
        Format::LangChain => langchain::line(value, cx),
        Format::ShareGpt => sharegpt::line(value, cx),
        Format::CrewAi => crewai::line(value, cx),
        Format::Mallm => mallm::line(value, cx),
        Format::Codex => codex::line(value, cx),
        _ => messages::line(format, value, cx),
    }
}

fn unknown(value: Value<'_>, cx: &mut Cx<'_, '_>) {
    if value.is_cut() {
        return;
    }
    if !value.is_object() && !value.is_array() {
        let message = "is JSON without any conversation: a single value, where an object or a \
                       list with messages or turns is needed";
        cx.problem(ProblemKind::UnknownFormat, value.span(), message);
        return;
    }
    let keys: Vec<_> = value
        .pairs()
        .filter_map(|(key, _)| key.str())
        .take(6)
        .map(|key| crate::out::excerpt(&key))
        .collect();
    let message = if keys.is_empty() {
        "no known format: this is not an object with messages or turns; name the format with \
         --from"
            .to_owned()
    } else {
        format!(
            "no known format has a record with the fields {}; name the format with --from",
            keys.join(", ")
        )
    };
    cx.problem(ProblemKind::UnknownFormat, value.span(), &message);
}
