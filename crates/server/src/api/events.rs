//! A debate's journal as server-sent events.

use std::convert::Infallible;
use std::sync::Arc;

use axum::Extension;
use axum::body::{Body, Bytes};
use axum::extract::{Path, State};
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, Uri};
use axum::response::{IntoResponse as _, Response};
use futures_util::stream;

use super::Answered;
use super::query::Query;
use crate::app::{App, Seen, Subscription, Watched, Words};
use crate::auth::Caller;
use crate::problem::{INVALID, Problem};

/// What a browser is told first: how long to wait before it connects again, in milliseconds.
const HELLO: &[u8] = b"retry: 2000\n\n";

pub(super) async fn events(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
    headers: HeaderMap,
    uri: Uri,
) -> Answered {
    let query = Query::of(&uri, &["kind", "words", "after"])?;
    let last = match headers.get("last-event-id") {
        None => None,
        Some(last) => {
            Some(last.to_str().ok().and_then(|last| last.parse().ok()).ok_or_else(|| {
                Problem::new(INVALID, "`Last-Event-ID` is not the number of a record")
            })?)
        }
    };
    let kinds = query.text("kind").unwrap_or_default().split(',').map(str::trim);
    let wanted = Watched {
        after: last.or(query.parsed("after")?).unwrap_or(0),
        kinds: kinds.filter(|kind| !kind.is_empty()).map(str::to_owned).collect(),
        words: if query.is_set("words")? { Words::Shown } else { Words::Hidden },
    };
    Ok(sent(app.subscribe(&caller, &id, wanted).await?))
}

fn sent(subscription: Subscription) -> Response {
    let hello = stream::iter([Ok::<_, Infallible>(Bytes::from_static(HELLO))]);
    let rest = stream::unfold(subscription, |mut subscription| async move {
        let seen = subscription.next().await?;
        Some((Ok(frame(seen)), subscription))
    });
    let body = Body::from_stream(futures_util::StreamExt::chain(hello, rest));
    ([(CONTENT_TYPE, "text/event-stream")], body).into_response()
}

fn frame(seen: Seen) -> Bytes {
    match seen {
        Seen::Record(shown) => shown.frame,
        Seen::Words(frame) => frame,
        Seen::Heartbeat => Bytes::from_static(b": nothing new\n\n"),
        Seen::Ended => Bytes::from_static(b"event: end\ndata: {}\n\n"),
        Seen::Stopping => Bytes::from_static(b"retry: 500\nevent: stopping\ndata: {}\n\n"),
    }
}
