//! The only outgoing connections: servers that embed texts, and models one can talk to.
//!
//! [`EmbeddingsEndpoint`] is a [`rebuttal_semantics::Embedder`] whose model runs on a server that
//! speaks the `OpenAI` or the Ollama format. [`ChatEndpoint`] is a [`Chat`] whose model runs on a
//! server of any [`Provider`]; [`Scripted`] is one that says what a test wrote, without a network.
//!
//! [`LocalChat`] is one whose model runs inside this process.
//!
//! Rules for every connection made here:
//!
//! * Nothing is sent to a host the user did not write: redirects are errors, and proxies of the
//!   environment are not used.
//! * A key is named, never written: `env:NAME` or `file:PATH`. It is in no message and in no
//!   `Debug`, and does not travel over plain HTTP to another machine unless that is allowed.
//! * Everything that waits has a time limit, and everything that is read a size limit.
//! * There is one layer of retries ([`Retries`]); the client below it has none.

mod address;
mod breaker;
mod budget;
mod cassette;
mod chat;
mod embeddings;
mod error;
mod exchange;
mod files;
mod key;
mod leak;
mod local;
mod outlet;
mod prices;
mod rate;
mod retry;
mod said;
mod tokens;
mod transport;
mod worker;

pub use address::{Address, PlainHttp};
pub use breaker::Breaker;
pub use budget::RetryBudget;
pub use cassette::{Cassette, Played, Player, Recorder, digest};
pub use chat::{
    Chat, ChatEndpoint, ChatSettings, Finish, Hear, Message, Pending, Provider, Reply, Request,
    Role, Scene, Scripted, Usage, Wanted, decode,
};
pub use embeddings::{Api, EmbeddingsEndpoint, Settings};
pub use error::LlmError;
pub use exchange::{Delay, Watch};
pub use key::KeyRef;
pub use local::{
    Download, Fetch, FetchWatch, Field, Kind, LocalChat, LocalError, LocalModel, Progress,
    Sampling, Shape,
};
pub use outlet::{Network, Outlet, OutletError, is_public};
pub use prices::{Ceiling, Price};
pub use rate::Rate;
pub use retry::Retries;
pub use tokens::{Counting, tokens_at_most};
pub use transport::Timeouts;

/// The one reader of model replies, which the pure crates use too.
pub use rebuttal_model::structured;
