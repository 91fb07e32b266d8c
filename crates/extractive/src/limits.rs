//! What a panel that quotes reads and says, each limit with a sentence why.

/// Most passages that are read for a question; whoever has more hands in the nearest. A panel quotes some
/// thirty sentences, and each sentence that is read costs a pass through the encoder.
pub const PASSAGES: usize = 240;

/// Most sentences whose side is read. Each costs a pass through the reader.
pub const SENTENCES: usize = 240;

/// Shortest sentence that is quoted, in words. Shorter ones say nothing away from their paragraph.
pub const SENTENCE_WORDS_MIN: usize = 4;

/// Longest sentence that is quoted, in bytes. What is quoted must be read at a glance.
pub const SENTENCE_BYTES: usize = 400;

/// How many sentences a persona has read before it hears the others: enough for both sides, and few enough
/// that the others can bring something new.
pub const READ_FIRST: usize = 8;

/// Most sentences of evidence in a first answer, and in one that changes sides.
pub const OFFERED: usize = 3;

/// Most items that are answered at once: who reads a debate wants the best answers, not all.
pub const ANSWERED: usize = 4;

/// Most sentences of evidence in an answer that is kept: the others know the rest.
pub const OFFERED_AGAIN: usize = 2;
