//! What a set of documents may hold, each limit with a sentence why.

/// Most files looked at in all folders together. A folder of more is a whole disk, named by mistake.
pub const FILES: usize = 20_000;

/// Deepest folder below the one that was named. Deeper trees are copies of caches.
pub const DEPTH: usize = 32;

/// Largest file read as a whole, in bytes; a longer text is no document that people cite.
pub const FILE_BYTES: u64 = 64 << 20;

/// Most passages kept in all. At about 1 kB each with their words and vectors this is about 250 MB.
pub const PASSAGES: usize = 200_000;

/// Longest passage, in characters; a longer paragraph is cut between sentences. What is cited is shown
/// whole in a prompt, several at a time.
pub const PASSAGE_CHARS: usize = 1_200;

/// Shortest passage, in characters, that is not joined with what stands next to it under its heading.
pub const PASSAGE_CHARS_MIN: usize = 120;

/// Longest query or claim that is looked up, in characters; what follows says no more about what is meant.
pub const QUERY_CHARS: usize = 4_000;

/// Most passages that one search gives.
pub const HITS: usize = 1_000;

const _: () = assert!(PASSAGE_CHARS_MIN < PASSAGE_CHARS);
