//! Work that computes or waits for long, beside the executor.

use crate::error::{Error, ErrorKind, Result};

/// Does what computes or waits for long beside the executor.
pub async fn beside<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
    tokio::task::spawn_blocking(work).await.map_err(|error| {
        Error::new(ErrorKind::Other, format!("the work broke off: {error}"))
            .hint("please report it, with what was asked")
    })
}
