//! Debates and their reports as resources a client can read.
//!
//! `rebuttal://debates` lists what is stored, `rebuttal://debates/ID` is one debate as it stands in
//! JSON, `rebuttal://debates/ID/report` its report in Markdown.

use rebuttal::debates::{self, DebateEntry};
use rebuttal::model::DebateId;
use rebuttal::report::debate::markdown;
use rebuttal::store::{Cursor, DebateFilter, DebateRow, DebateStatus, Store};
use rmcp::model::{
    ErrorData, ListResourceTemplatesResult, ListResourcesResult, Resource, ResourceContents,
    ResourceTemplate,
};
use serde_json::json;

use crate::fault::{Code, Fault};
use crate::reading::document;

const DEBATES: &str = "rebuttal://debates";
const JSON: &str = "application/json";
const MARKDOWN: &str = "text/markdown";

/// How many debates are listed at a time.
const PAGE: usize = 50;

/// Longest part of a question in a name.
const NAME_CHARS: usize = 80;

/// The list of debates first, then a report for each, the latest first.
pub(crate) async fn list(after: Option<&str>, store: &Store) -> Result<ListResourcesResult, Fault> {
    let wrong = |_| Fault::new(Code::InvalidArguments, "the cursor is none of this server's");
    let cursor = after.map(str::parse::<Cursor>).transpose().map_err(wrong)?;
    let mut resources = Vec::new();
    if cursor.is_none() {
        resources.push(
            Resource::new(DEBATES, "debates")
                .with_title("Stored debates")
                .with_description(
                    "Which debates are stored, the latest first, and where each stands",
                )
                .with_mime_type(JSON),
        );
    }
    let filter = DebateFilter { after: cursor, limit: PAGE, ..DebateFilter::default() };
    let page = store.debates(&filter).await?;
    let readable = page.debates.iter().filter(|row| row.status != DebateStatus::Damaged);
    resources.extend(readable.map(report_of));
    let mut listed = ListResourcesResult::with_all_items(resources);
    listed.next_cursor = page.next.map(|next| next.to_string());
    Ok(listed)
}

fn report_of(row: &DebateRow) -> Resource {
    let question: String = row.question.chars().take(NAME_CHARS).collect();
    let told = match &row.answer {
        Some(answer) => format!("{}: {answer}", row.status.as_str()),
        None => row.status.as_str().to_owned(),
    };
    Resource::new(format!("{DEBATES}/{}/report", row.id), row.id.as_str())
        .with_title(question)
        .with_description(told)
        .with_mime_type(MARKDOWN)
}

/// What there is of every debate.
pub(crate) fn templates() -> ListResourceTemplatesResult {
    ListResourceTemplatesResult::with_all_items(vec![
        ResourceTemplate::new(format!("{DEBATES}/{{id}}"), "debate")
            .with_title("A debate")
            .with_description("The question, the protocol, the decision with votes and metrics")
            .with_mime_type(JSON),
        ResourceTemplate::new(format!("{DEBATES}/{{id}}/report"), "report")
            .with_title("A debate's report")
            .with_description("Who said what in which round, who moved, what was challenged")
            .with_mime_type(MARKDOWN),
    ])
}

/// What stands at an address.
pub(crate) async fn read(uri: &str, store: &Store) -> Result<ResourceContents, Fault> {
    if uri == DEBATES {
        let filter = DebateFilter { limit: PAGE, ..DebateFilter::default() };
        let page = store.debates(&filter).await?;
        let entries: Vec<DebateEntry<'_>> = page.debates.iter().map(DebateEntry::from).collect();
        let list = document(&json!({ "debates": entries, "more": page.next.is_some() }))?;
        return Ok(ResourceContents::text(list.to_string(), uri).with_mime_type(JSON));
    }
    let unknown = || {
        Fault::new(Code::NotFound, format!("nothing is at {uri:?}"))
            .hint(format!("there are {DEBATES}, {DEBATES}/ID and {DEBATES}/ID/report"))
    };
    let rest = uri.strip_prefix(DEBATES).and_then(|rest| rest.strip_prefix('/'));
    let rest = rest.ok_or_else(unknown)?;
    let (id, wants_report) = match rest.strip_suffix("/report") {
        Some(id) => (id, true),
        None => (rest, false),
    };
    if id.is_empty() || id.contains('/') {
        return Err(unknown());
    }
    let known = store.debate_ids(id, 1).await?;
    let id = known.into_iter().find(|known| known.as_str() == id).ok_or_else(unknown)?;
    debate(&id, wants_report, uri, store).await
}

async fn debate(
    id: &DebateId,
    wants_report: bool,
    uri: &str,
    store: &Store,
) -> Result<ResourceContents, Fault> {
    let debate = debates::read(store, id).await?;
    if wants_report {
        let report = markdown(&debate.state, &debate.records);
        return Ok(ResourceContents::text(report, uri).with_mime_type(MARKDOWN));
    }
    let whole = match debate.document() {
        Some(whole) => document(&whole)?,
        // It has not ended: there is a question and a protocol, and no decision yet.
        None => document(&json!({
            "spec": debate.state.spec(), "decision": null, "records": debate.records.len(),
        }))?,
    };
    Ok(ResourceContents::text(whole.to_string(), uri).with_mime_type(JSON))
}

/// A fault where the protocol has no other place for one.
pub(crate) fn refused(fault: &Fault) -> ErrorData {
    let (message, data) = (fault.message.clone(), Some(fault.value()));
    match fault.code {
        Code::NotFound => ErrorData::resource_not_found(message, data),
        Code::InvalidArguments => ErrorData::invalid_params(message, data),
        _ => ErrorData::internal_error(message, data),
    }
}
