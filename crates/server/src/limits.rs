//! How much one client may take of the server.

use std::time::Duration;

/// How many clients are served at once, and how long each may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Most connections at once. For one more, the oldest that waits for its client is closed.
    pub connections: usize,
    /// Most bytes of a request's body: a question with its context, or a note of some pages.
    pub body_bytes: usize,
    /// Most bytes of an upload: a log of a long debate.
    pub upload_bytes: usize,
    /// Longest that a client may take to send an upload.
    pub upload: Duration,
    /// Most requests of one user in a minute.
    pub requests_a_minute: u32,
    /// Longest that a client may take to send a request's headers.
    pub headers: Duration,
    /// Longest that a client may take to send a request's body.
    pub body: Duration,
    /// Longest that making an answer may take.
    pub answer: Duration,
    /// Longest that a client may leave an answer unread before it takes more of it.
    pub write: Duration,
    /// Longest that nothing may move on a connection for which no answer is being made.
    pub idle: Duration,
    /// Longest that open requests are waited for at the end.
    pub drain: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections: 1_024,
            body_bytes: 256 * 1024,
            upload_bytes: 4 << 20,
            upload: Duration::from_mins(1),
            requests_a_minute: 6_000,
            headers: Duration::from_secs(10),
            body: Duration::from_secs(10),
            answer: Duration::from_secs(30),
            write: Duration::from_secs(10),
            idle: Duration::from_mins(1),
            drain: Duration::from_secs(5),
        }
    }
}
