//! What a person says of findings, and the rows that come of it.

use std::fmt::Write as _;
use std::sync::Arc;

use axum::Extension;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::IntoResponse;
use rebuttal::labels::{self, Label};
use rebuttal::report::site::{Verdict, label, message};
use rebuttal::store::Scope;

use super::form::Form;
use super::{Answered, shown};
use crate::app::App;
use crate::auth::Caller;
use crate::problem::{INVALID, NOT_FOUND, Problem};

/// Keeps "right" or "wrong".
pub(super) async fn add(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    body: Bytes,
) -> Answered {
    caller.needs(Scope::Run)?;
    let form = Form::of_body(&body)?;
    let verdict = match form.text("verdict").as_str() {
        "right" => Verdict::Right,
        "wrong" => Verdict::Wrong,
        other => {
            return Err(Problem::new(
                INVALID,
                format!("`verdict` is {other:?}; it is right or wrong"),
            )
            .into());
        }
    };
    let (task, id) = (form.text("task"), form.text("id"));
    let Some(label) = label(&task, &form.text("right"), verdict) else {
        return Err(Problem::new(INVALID, "nothing can be said of a finding like this").into());
    };
    let (text_a, text_b) = (form.text("text_a"), form.text("text_b"));
    let said = Label { task: &task, id: &id, text_a: &text_a, text_b: &text_b, label };
    labels::add(&app.store, app.now(), &said).await?;
    let words = format!(
        "It is kept. /labels/{task}.jsonl has all rows, and `rebuttal score {task}` reads them."
    );
    shown(&app, &caller, "/flips", &message("Thank you", &words)).await
}

/// The rows of a question, for `rebuttal score`.
pub(super) async fn rows(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Path(file): Path<String>,
) -> Answered {
    let Some(task) = file.strip_suffix(".jsonl") else {
        return Err(Problem::new(
            NOT_FOUND,
            "there are self-contradiction.jsonl, contradiction.jsonl and flip.jsonl",
        )
        .into());
    };
    let rows = labels::rows(app.ledger(&caller)?, task).await?;
    let mut text = String::new();
    for row in &rows {
        writeln!(text, "{row}").ok();
    }
    let head = [
        (CONTENT_TYPE, "application/jsonl; charset=utf-8"),
        (CONTENT_DISPOSITION, "attachment; filename=\"labels.jsonl\""),
    ];
    Ok((head, text).into_response())
}
