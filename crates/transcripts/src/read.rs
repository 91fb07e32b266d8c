//! From bytes to transcripts: what kind of file it is, and who reads it.

use std::fs::File;
use std::io::{self, Cursor, Read};
use std::path::Path;

use rebuttal_model::{ProblemKind, limits};

use crate::decode::Decoded;
use crate::formats::{self, table};
use crate::input::{Gunzip, Lines};
use crate::json::{Fault, Json};
use crate::out::Out;
use crate::place::Place;
use crate::session::{Cx, Session};
use crate::talk::Said;
use crate::{Format, Item, ReadOptions, archive, records};

/// How much of a file is looked at to find out what it is.
const HEAD: usize = 1 << 16;

/// How many lines may stand before the first record of a log.
const LOOK: usize = 50;

/// Reads a file and hands every transcript and problem to `sink` as it is complete.
pub fn read_path(path: &Path, options: &ReadOptions, sink: &mut dyn FnMut(Item)) {
    let name = path.to_string_lossy();
    let mut sink = with_sides(options, sink);
    let mut session = Session::new(Out::new(&name, &mut sink));
    file(path, options, &mut session);
    session.finish();
}

/// Adds the sides that the user told of; the last one told of an agent counts.
fn with_sides<'s>(
    options: &'s ReadOptions,
    sink: &'s mut dyn FnMut(Item),
) -> impl FnMut(Item) + 's {
    move |mut item| {
        if let Item::Transcript(transcript) = &mut item {
            transcript.sides.extend_from_slice(&options.sides);
        }
        sink(item);
    }
}

/// Reads a file of any kind.
pub(crate) fn file(path: &Path, options: &ReadOptions, session: &mut Session<'_>) {
    match open(path) {
        Ok(file) => archive_or_stream(file, options, session),
        Err(message) => session.out.problem(ProblemKind::Unreadable, None, &message),
    }
}

/// Reads transcripts from anything that can be read; `name` is what problems call it.
pub fn read(name: &str, input: impl Read, options: &ReadOptions, sink: &mut dyn FnMut(Item)) {
    let mut sink = with_sides(options, sink);
    let mut session = Session::new(Out::new(name, &mut sink));
    stream(Box::new(input), options, &mut session);
    session.finish();
}

/// Opens a file that ends: a pipe, a socket or a device is refused, unless the shell opened it for this
/// process. The error says what to try, without the path.
pub fn open(path: &Path) -> Result<File, String> {
    let cannot = |error: io::Error| format!("cannot be opened: {error}");
    // Asked before it is opened: opening a pipe nobody writes to would wait for ever.
    let about = path.metadata().map_err(cannot)?;
    if about.is_dir() {
        return Err("is a directory, not a file; name the files in it".to_owned());
    }
    if !about.is_file() && !is_handed_over(path) {
        return Err("is not a regular file but a pipe, a socket or a device; to read what comes \
                    out of it, pass it on standard input"
            .to_owned());
    }
    File::open(path).map_err(cannot)
}

/// True for what the shell opened for this process: standard input, and `<(command)`; and for nothing.
fn is_handed_over(path: &Path) -> bool {
    // What is thrown away ends at once.
    path == Path::new("/dev/null")
        || path == Path::new("/dev/stdin")
        || ["/dev/fd", "/proc/self/fd"].iter().any(|handed| path.starts_with(handed))
}

/// Archives in a file are read where they are; only those in a stream must fit into memory.
fn archive_or_stream(file: File, options: &ReadOptions, session: &mut Session<'_>) {
    let mut magic = [0; 4];
    let mut rest = &file;
    let count = match fill(&mut rest, &mut magic) {
        Ok(count) => count,
        Err(error) => return unreadable(&error, session),
    };
    let head = magic.get(..count).unwrap_or_default().to_vec();
    if archive::is_zip(&head) {
        archive::read(io::BufReader::new(file), options, session);
    } else {
        stream(Box::new(Cursor::new(head).chain(file)), options, session);
    }
}

/// Reads a file of any kind from a stream.
pub(crate) fn stream<'r>(
    mut input: Box<dyn Read + 'r>,
    options: &ReadOptions,
    session: &mut Session<'_>,
) {
    let head = match head(&mut input) {
        Ok(head) => head,
        Err(error) => return unreadable(&error, session),
    };
    if head.starts_with(&[0x1f, 0x8b]) {
        let mut unpacked: Box<dyn Read + 'r> =
            Box::new(Gunzip::new(Cursor::new(head).chain(input)));
        match self::head(&mut unpacked) {
            Ok(head) => unpacked_stream(head, unpacked, options, session),
            Err(error) => unreadable(&error, session),
        }
    } else if archive::is_zip(&head) {
        let mut bytes = head;
        match bounded(&mut input, &mut bytes) {
            Ok(true) => archive::read(Cursor::new(bytes), options, session),
            Ok(false) => too_large("archive that is not a file", session),
            Err(error) => unreadable(&error, session),
        }
    } else {
        unpacked_stream(head, input, options, session);
    }
}

/// How a text is laid out.
enum Layout {
    Json,
    Table(u8),
    Prose,
}

/// Reads a text whose first bytes are `head`.
fn unpacked_stream<'r>(
    head: Vec<u8>,
    input: Box<dyn Read + 'r>,
    options: &ReadOptions,
    session: &mut Session<'_>,
) {
    if head.starts_with(&[0xFF, 0xFE]) || head.starts_with(&[0xFE, 0xFF]) {
        let message =
            "is UTF-16; convert it to UTF-8 first, for example with iconv -f utf-16 -t utf-8";
        return session.out.problem(ProblemKind::UnknownFormat, None, message);
    }
    let mark = if head.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
    let text = head.get(mark..).unwrap_or_default();
    if text.iter().all(u8::is_ascii_whitespace) && head.len() < HEAD {
        let message = "is empty: there is nothing to read";
        return session.out.problem(ProblemKind::Empty, None, message);
    }
    let layout = layout(text, options);
    let mut head = Cursor::new(head);
    head.set_position(mark as u64);
    let mut lines = Lines::new(Box::new(head.chain(input)), mark);
    let done = match layout {
        Layout::Json => records::read(lines, options, session),
        Layout::Table(separator) => table::read(lines, separator, &options.columns, session),
        Layout::Prose => {
            let mut bytes = Vec::new();
            match lines.read_rest(&mut bytes, limits::DOCUMENT_BYTES) {
                Ok(true) => {
                    prose(&bytes, mark, options, session);
                    Ok(())
                }
                Ok(false) => {
                    too_large("text", session);
                    Ok(())
                }
                Err(error) => Err(error),
            }
        }
    };
    if let Err(error) = done {
        session.flush();
        unreadable(&error, session);
    }
}

fn layout(text: &[u8], options: &ReadOptions) -> Layout {
    let mut lines = text.split_inclusive(|byte| *byte == b'\n');
    let first = lines.find(|line| !line.trim_ascii().is_empty()).unwrap_or_default();
    match options.from {
        Some(Format::Tsv) => return Layout::Table(b'\t'),
        Some(Format::Csv) => {
            let separator = table::separator(first, &options.columns).unwrap_or(b',');
            return Layout::Table(separator);
        }
        Some(Format::Markdown | Format::Text | Format::Console) => return Layout::Prose,
        Some(_) => return Layout::Json,
        None => {}
    }
    let is_record = |line: &[u8]| {
        let line = line.trim_ascii();
        line.starts_with(b"{") && Json::parse(line, 0).is_whole()
    };
    let start = first.trim_ascii_start();
    // `null` or a number: JSON, though nothing is in it.
    if text.len() < HEAD && Json::parse(text, 0).is_whole() {
        return Layout::Json;
    }
    if start.starts_with(b"{") || (start.starts_with(b"[") && is_list(start)) {
        return Layout::Json;
    }
    let rest = lines.clone().find(|line| !line.trim_ascii().is_empty()).unwrap_or_default();
    if let Some(separator) = table::separator(first, &options.columns)
        .or_else(|| table::separator_misnamed(first, rest, &options.columns))
    {
        return Layout::Table(separator);
    }
    // A log may begin with a line of something else.
    if lines.take(LOOK).any(is_record) { Layout::Json } else { Layout::Prose }
}

/// `[12:30] Ann: hello` begins like a list and is none.
fn is_list(line: &[u8]) -> bool {
    let json = Json::parse(line, 0);
    let at_once = json.tape.len() <= 2;
    !(at_once && json.broken.is_some_and(|broken| broken.fault == Fault::Unexpected))
}

/// Reads a text written for people.
fn prose(bytes: &[u8], base: usize, options: &ReadOptions, session: &mut Session<'_>) {
    let Some(decoded) = Decoded::new(bytes) else {
        let message =
            format!("is not text: more than {} places in it are not UTF-8", limits::BAD_BYTES);
        return session.out.problem(ProblemKind::UnknownFormat, None, &message);
    };
    let place = Place::new(bytes, base, 1);
    let mut cx = Cx { session, place: &place };
    let Some(heard) = formats::recognise(decoded.text(), options.from) else {
        return formats::unheard(options.from, &mut cx);
    };
    decoded.report(&mut cx);
    let turns = heard.turns.map(|said| Said { span: decoded.original(said.span), ..said });
    formats::deliver(heard.question, turns, &mut cx);
}

pub(crate) fn head(input: &mut dyn Read) -> io::Result<Vec<u8>> {
    let mut head = vec![0; HEAD];
    let count = fill(input, &mut head)?;
    head.truncate(count);
    Ok(head)
}

/// Reads until `buffer` is full or the input ends.
fn fill(input: &mut dyn Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut count = 0;
    while let Some(room) = buffer.get_mut(count..).filter(|room| !room.is_empty()) {
        match input.read(room) {
            Ok(0) => break,
            Ok(read) => count += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            // What came before the fault is still read; the fault comes back with the next read.
            Err(_) if count > 0 => break,
            Err(error) => return Err(error),
        }
    }
    Ok(count)
}

/// Reads the rest of a stream. False when it is larger than a document may be.
pub(crate) fn bounded(input: &mut dyn Read, bytes: &mut Vec<u8>) -> io::Result<bool> {
    let room = (limits::DOCUMENT_BYTES - bytes.len().min(limits::DOCUMENT_BYTES)) as u64;
    input.take(room + 1).read_to_end(bytes)?;
    Ok(bytes.len() <= limits::DOCUMENT_BYTES)
}

pub(crate) fn too_large(what: &str, session: &mut Session<'_>) {
    let message = format!(
        "is larger than {} bytes, the limit for {what}; split it, or turn it into JSONL",
        limits::DOCUMENT_BYTES
    );
    session.out.problem(ProblemKind::Limit, None, &message);
}

fn unreadable(error: &io::Error, session: &mut Session<'_>) {
    let (kind, message) = match error.kind() {
        io::ErrorKind::FileTooLarge => {
            (ProblemKind::Limit, format!("was not read to its end: {error}"))
        }
        _ => (ProblemKind::Unreadable, format!("cannot be read any further: {error}")),
    };
    session.out.problem(kind, None, &message);
}
