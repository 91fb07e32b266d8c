//! What a set of documents may hold, each limit with a sentence why.

/// Most files looked at in all folders together. A folder of more is a whole disk, named by mistake.
pub const FILES: usize = 20_000;

/// Most names looked at in all folders together, files of any kind: a folder of a million is not listed to
/// its end.
pub const ENTRIES: usize = 200_000;

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

/// Most rows of one table. A larger one is a database: what is cited of it is a summary.
pub const ROWS: usize = 50_000;

/// Most facts that documents disagree on which are put before a panel.
pub const FACTS: usize = 12;

/// Longest query or claim that is looked up, in characters; what follows says no more about what is meant.
pub const QUERY_CHARS: usize = 4_000;

/// Most passages that one search gives.
pub const HITS: usize = 1_000;

/// Deepest nesting of values in a PDF, and longest chain of references.
pub(crate) const PDF_DEPTH: usize = 32;

/// Most values in one list of a PDF.
pub(crate) const PDF_VALUES: usize = 1 << 17;

/// Most values before one operator of a page; none takes more than six.
pub(crate) const PDF_OPERANDS: usize = 64;

/// Most objects of a PDF. A book has tens of thousands.
pub(crate) const PDF_OBJECTS: usize = 1 << 19;

/// Most pages of a PDF, and most fonts of a page.
pub(crate) const PDF_PAGES: usize = 5_000;
/// See [`PDF_PAGES`].
pub(crate) const PDF_FONTS: usize = 256;

/// Most bytes that one stream of a PDF unpacks to: a page of text has a few thousand.
pub(crate) const PDF_STREAM_BYTES: usize = 8 << 20;

/// Most bytes that all streams with packed objects unpack to.
pub(crate) const PDF_UNPACKED_BYTES: usize = 64 << 20;

/// Most text taken from one PDF, in bytes.
pub(crate) const PDF_TEXT_BYTES: usize = 16 << 20;

const _: () = assert!(PASSAGE_CHARS_MIN < PASSAGE_CHARS);
const _: () = assert!(ROWS <= PASSAGES && FILES <= ENTRIES);
