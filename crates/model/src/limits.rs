//! A limit on everything, in one place, each with a sentence why.
//!
//! What exceeds a limit is reported as a [`crate::Problem`] that names it; the rest goes on.

use jiff::SignedDuration;

/// Longest line accepted in a line-oriented file, in bytes. A turn is at most a few hundred
/// kilobytes; a longer line is a broken export, and is skipped without being held in memory.
pub const LINE_BYTES: usize = 8 << 20;

/// Largest file accepted that must be in memory as a whole (a JSON document, a Markdown page).
/// Line-oriented files have no limit: they are streamed.
pub const DOCUMENT_BYTES: usize = 64 << 20;

/// Deepest nesting accepted in JSON. Real transcripts stay below 20.
pub const JSON_DEPTH: usize = 128;

/// Most values (objects, arrays, strings, …) accepted in one JSON document, so that a small file
/// of `[[],[],…` cannot take gigabytes.
pub const JSON_NODES: usize = 2_000_000;

/// Longest single turn read, in bytes; the rest of a longer one is cut off and reported.
pub const TURN_BYTES: usize = 4 << 20;

/// Longest text of one agent's report read, its findings included, in bytes; the rest of a longer
/// one is cut off and reported. A report is handed in as a whole, and may be a book of 10 MB.
pub const REPORT_BYTES: usize = 16 << 20;

/// Most figures read of one report. Each is kept with its words, time and source, in about a kilobyte;
/// what has more is a table for a database, and the rest of it is left out and reported.
pub const REPORT_FIGURES: usize = 1 << 15;

/// Most numbers read in one text, figures or not; what follows them is read without numbers.
pub const TEXT_QUANTITIES: usize = 2 * REPORT_FIGURES;

/// Most turns in one transcript. The rest of a longer one becomes a transcript of its own. A
/// debate has tens of turns, a long agent run thousands; and whoever audits a transcript holds
/// many times its turns.
pub const TURNS: usize = 20_000;

/// Most memory one transcript may take, in bytes, counted as its text and [`TURN_COST_BYTES`] for
/// each turn, before the rest becomes a transcript of its own. Keeps memory flat over a file of
/// any size.
pub const TRANSCRIPT_BYTES: usize = 8 << 20;

/// What a turn takes in memory beside its text: a million turns of one letter are no small file.
pub const TURN_COST_BYTES: usize = 400;

/// Most debates read side by side, where the lines of a file belong to several in turn. A log of
/// more at once is a server's; the one idle longest is closed.
pub const OPEN_DEBATES: usize = 64;

/// Most memory all open debates may take together, counted as for [`TRANSCRIPT_BYTES`].
pub const OPEN_BYTES: usize = 4 * TRANSCRIPT_BYTES;

/// Most debates remembered as closed, so that one that goes on later can be reported. A million
/// short debates in one file must not take a million entries.
pub const CLOSED_DEBATES: usize = 200_000;

/// Most different names weighed while looking for the speakers of a text. Beyond these a new name
/// is not known to recur.
pub const CANDIDATES: usize = 200_000;

/// Most different agents in one transcript. A million speakers is a file read with the wrong
/// columns, not a debate.
pub const AGENTS: usize = 10_000;

/// Longest agent name kept, in characters. What is longer is a text in the wrong column.
pub const NAME_CHARS: usize = 120;

/// Most bytes one member of an archive may unpack to.
pub const MEMBER_BYTES: u64 = DOCUMENT_BYTES as u64;

/// Most bytes one archive may unpack to in all.
pub const ARCHIVE_BYTES: u64 = 1 << 30;

/// Highest ratio of unpacked to packed bytes believed. Text packs 3:1 to 20:1; beyond this it is
/// a bomb.
pub const ARCHIVE_RATIO: u64 = 100;

/// Unpacked bytes that harm nobody whatever their ratio: a short file of one repeated sentence
/// packs better than [`ARCHIVE_RATIO`] and is no bomb.
pub const ARCHIVE_GRACE_BYTES: u64 = 1 << 20;

/// Most members looked at in one archive. An evaluation log has one for each sample.
pub const ARCHIVE_MEMBERS: usize = 100_000;

/// Most places with bad bytes in a text file before it is taken for something that is not text.
pub const BAD_BYTES: usize = 10_000;

/// Most alternative answers read from one response. No provider gives more, and each repeats the
/// whole request.
pub const CHOICES: usize = 128;

/// Most columns of a table looked at. A wider one is not a transcript.
pub const COLUMNS: usize = 1_000;

/// Most problems kept for one file; the rest are counted.
pub const PROBLEMS: usize = 100;

/// Largest file of a user's model. What a processor without a graphics card computes in reasonable
/// time is some hundred megabytes.
pub const MODEL_BYTES: u64 = 2 << 30;

/// Longest configuration file. A long one has some kilobytes.
pub const CONFIG_BYTES: u64 = 1 << 20;

/// Longest file that holds a key. Keys have some hundred characters at most.
pub const KEY_BYTES: u64 = 8 << 10;

/// Most texts sent to an embeddings server at once. The strictest known refuse more than some
/// hundred, and a server without a graphics card takes seconds for this many.
pub const EMBEDDINGS_BATCH_TEXTS: usize = 64;

/// Most bytes of text sent to an embeddings server at once: below the token limits per request of
/// the strictest known.
pub const EMBEDDINGS_BATCH_BYTES: usize = 256 << 10;

/// Longest reply read from a server, in bytes: twice a full batch of the longest vectors in use
/// (64 of 8,192 numbers of some 20 characters).
pub const REPLY_BYTES: usize = 24 << 20;

/// Longest reply of a model read, in bytes. The longest replies of the most talkative models have
/// some hundred thousand tokens of some five bytes.
pub const CHAT_REPLY_BYTES: usize = 4 << 20;

/// Longest event or line of a streamed reply, in bytes. The last one may repeat the whole reply,
/// escaped.
pub const STREAM_EVENT_BYTES: usize = 2 * CHAT_REPLY_BYTES;

/// Most bytes of a whole stream. Each word travels in some hundred bytes of its own.
pub const STREAM_BYTES: usize = 32 * CHAT_REPLY_BYTES;

/// Most requests remembered for a limit on requests or tokens a minute. Beyond it a request waits:
/// nobody is granted more in a minute.
pub const RATE_ENTRIES: usize = 100_000;

/// Most places in a reply where an object may begin that are tried. A batch of rulings has five
/// objects; a reply with more braces than this is a page of code.
pub const JSON_CANDIDATES: usize = 64;

/// Longest reply in which JSON is looked for, in bytes. A ballot or a ruling has some thousand.
pub const STRUCTURED_REPLY_BYTES: usize = 256 << 10;

/// Most bytes gone through in search of the end of a line that is too long anyway. What has none by
/// then is no file of lines, and may not end at all.
pub const ENDLESS_LINE_BYTES: usize = 1 << 30;

/// Most bytes read from standard input. A bulk run of ten million rows has some ten billion; what goes on
/// after that may not end at all, and is given as files if it does.
pub const STDIN_BYTES: u64 = 16 << 30;

/// Longest line of a recorded exchange, in bytes: the longest reply beside its words and a request
/// of the same size, escaped.
pub const CASSETTE_LINE_BYTES: usize = 64 << 20;

/// Most numbers in one vector. Models have some hundred to some thousand.
pub const EMBEDDING_NUMBERS: usize = 65_536;

/// Most characters of a server's own message that are repeated in ours.
pub const SHOWN_CHARS: usize = 300;

/// Longest piece of another's text put into a model's context, in characters. What matters of an
/// argument fits; a flood must not push the question out of the window.
pub const FRAGMENT_CHARS: usize = 6_000;

/// Most characters of a debate that its moderator reads in full: some fifty thousand tokens. Of a
/// longer one, the earliest rounds are shown by their answers alone.
pub const MODERATED_CHARS: usize = 200_000;

/// Longest question of a debate, in bytes: every agent reads it in every round.
pub const QUESTION_BYTES: usize = 64 << 10;

/// Most agents on a panel. Each reads the others.
pub const PANEL: usize = 64;

/// Most rounds of a debate. Long debates lose their facts before they reach this.
pub const ROUNDS: u32 = 50;

/// How often an agent is asked again for an answer that could not be used.
pub const RE_ASKS: u32 = 2;

/// Most positions in one record of the journal. Enough that the cost of a record is shared, few
/// enough that one is read in a moment.
pub const RECORD_POSITIONS: usize = 1_000;

/// Most bytes of claims in one record of the journal, beyond its first position.
pub const RECORD_CLAIM_BYTES: usize = 4 << 20;

/// Longest line of an exported journal read, in bytes: a record of the longest claims, each
/// character escaped.
pub const RECORD_BYTES: usize = 128 << 20;

/// Longest claim in a file of positions, in bytes. A claim is a sentence or a paragraph; what is
/// longer is a transcript in the wrong column.
pub const CLAIM_BYTES: usize = 64 << 10;

/// How far ahead of this machine's clock that of whoever wrote a position may be. What is dated later
/// lies in the future.
pub const CLOCK_AHEAD: SignedDuration = SignedDuration::from_mins(5);

/// Longest id of a position or a debate in a file of positions, in bytes.
pub const ID_BYTES: usize = 512;

/// Longest text that one call over MCP may bring, in bytes: an audit of it ends long before a client
/// gives up on the call.
pub const MCP_TEXT_BYTES: usize = 4 << 20;
/// Longest request over MCP, in bytes: such a text with every character escaped twice, and what is
/// around it.
pub const MCP_BODY_BYTES: usize = 3 * MCP_TEXT_BYTES;

const _: () = assert!(CLAIM_BYTES <= RECORD_CLAIM_BYTES && 8 * RECORD_CLAIM_BYTES <= RECORD_BYTES);
const _: () = assert!(TURN_BYTES <= LINE_BYTES && LINE_BYTES <= TRANSCRIPT_BYTES);
const _: () = assert!(TRANSCRIPT_BYTES <= DOCUMENT_BYTES);
const _: () = assert!(TURN_BYTES <= REPORT_BYTES && REPORT_BYTES <= DOCUMENT_BYTES);
const _: () = assert!(MEMBER_BYTES <= ARCHIVE_BYTES);
const _: () = assert!(TURN_BYTES + TURN_COST_BYTES <= TRANSCRIPT_BYTES);
const _: () = assert!(TRANSCRIPT_BYTES <= OPEN_BYTES && 1 < OPEN_DEBATES);
const _: () = assert!(CHAT_REPLY_BYTES <= STREAM_EVENT_BYTES && STREAM_EVENT_BYTES <= STREAM_BYTES);
const _: () = assert!(MCP_TEXT_BYTES < MCP_BODY_BYTES && MCP_TEXT_BYTES <= TRANSCRIPT_BYTES);
