//! Zip archives: Inspect's `.eval` logs, and any archive with transcripts in it.

use std::io::{self, Read, Seek};
use std::sync::Arc;

use rebuttal_model::{ProblemKind, limits};
use zip::ZipArchive;
use zip::result::ZipError;

use crate::formats::{self, Header};
use crate::input::check_ratio;
use crate::json::Json;
use crate::out::excerpt;
use crate::place::Place;
use crate::read::stream;
use crate::session::{Cx, Session};
use crate::{Format, ReadOptions};

/// True for the first bytes of an archive, empty ones included.
pub(crate) fn is_zip(head: &[u8]) -> bool {
    head.starts_with(b"PK\x03\x04") || head.starts_with(b"PK\x05\x06")
}

/// Reads every member worth reading, in the order of their names.
pub(crate) fn read(input: impl Read + Seek, options: &ReadOptions, session: &mut Session<'_>) {
    let archive = match ZipArchive::new(input) {
        Ok(archive) => archive,
        Err(error) => {
            let message = format!("is not a whole zip archive: {error}; was it cut off?");
            return session.out.problem(ProblemKind::Unreadable, None, &message);
        }
    };
    let mut names: Vec<String> =
        archive.file_names().filter_map(Result::ok).map(Into::into).collect();
    if names.len() > limits::ARCHIVE_MEMBERS {
        let message = format!(
            "holds {} members; only the first {} are read, the limit",
            names.len(),
            limits::ARCHIVE_MEMBERS
        );
        session.out.problem(ProblemKind::Limit, None, &message);
        names.truncate(limits::ARCHIVE_MEMBERS);
    }
    names.sort_unstable();
    let is_eval = names.iter().any(|name| name == "header.json" || name == "_journal/start.json")
        && names.iter().any(|name| name.starts_with("samples/"));
    let mut reader = Members { archive, file: Arc::clone(&session.out.file), unpacked: 0 };
    if is_eval || options.from == Some(Format::Inspect) {
        eval(&mut reader, &names, session);
    } else {
        for name in names.iter().filter(|name| !name.ends_with('/')) {
            if let Some(bytes) = reader.member(name, session) {
                stream_member(&bytes, options, session);
            }
        }
    }
    session.out.file = reader.file;
    if session.is_silent() {
        session.out.problem(ProblemKind::Empty, None, "is an archive with nothing to read in it");
    }
}

fn stream_member(bytes: &[u8], options: &ReadOptions, session: &mut Session<'_>) {
    // An archive in an archive is how bombs are built; it is reported like any unknown file.
    if is_zip(bytes) || bytes.starts_with(&[0x1f, 0x8b]) {
        let message = "is packed inside an archive; unpack it first";
        session.out.problem(ProblemKind::UnknownFormat, None, message);
        return;
    }
    stream(Box::new(bytes), options, session);
    session.flush();
}

fn eval<R: Read + Seek>(members: &mut Members<R>, names: &[String], session: &mut Session<'_>) {
    let head = ["header.json", "_journal/start.json"]
        .into_iter()
        .find(|head| names.iter().any(|name| name == head));
    let mut header = Header::default();
    if let Some(bytes) = head.and_then(|name| members.member(name, session)) {
        let json = Json::parse(&bytes, 0);
        header = json.root().map(Header::of).unwrap_or_default();
    }
    let is_sample = |name: &&String| {
        name.strip_prefix("samples/").is_some_and(|file| file.strip_suffix(".json").is_some())
    };
    for name in names.iter().filter(is_sample) {
        let Some(bytes) = members.member(name, session) else { continue };
        let place = Place::new(&bytes, 0, 1);
        let json = Json::parse(&bytes, 0);
        let mut cx = Cx { session, place: &place };
        cx.report_json(&json, "member");
        if let Some(root) = json.root() {
            formats::sample(root, &header, &mut cx);
        }
    }
}

/// The members of an archive, unpacked one at a time.
struct Members<R> {
    archive: ZipArchive<R>,
    /// What the archive itself is called.
    file: Arc<str>,
    unpacked: u64,
}

impl<R: Read + Seek> Members<R> {
    /// Unpacks one member; from then on problems and turns name it.
    fn member(&mut self, name: &str, session: &mut Session<'_>) -> Option<Vec<u8>> {
        session.out.file = format!("{}!{name}", self.file).into();
        match self.unpack(name) {
            Ok(bytes) => Some(bytes),
            Err(error) => {
                let kind = match error.kind() {
                    io::ErrorKind::FileTooLarge => ProblemKind::Limit,
                    _ => ProblemKind::Unreadable,
                };
                let message = format!("the member “{}” cannot be unpacked: {error}", excerpt(name));
                session.out.problem(kind, None, &message);
                None
            }
        }
    }

    fn unpack(&mut self, name: &str) -> io::Result<Vec<u8>> {
        let mut member = self.archive.by_name(name).map_err(|error| match error {
            ZipError::Io(error) => error,
            other => io::Error::other(other.to_string()),
        })?;
        let packed = member.compressed_size();
        let most = limits::MEMBER_BYTES.min(limits::ARCHIVE_BYTES.saturating_sub(self.unpacked));
        let mut bytes = Vec::new();
        let mut chunk = vec![0; 1 << 16];
        loop {
            let count = match member.read(&mut chunk) {
                Ok(0) => break,
                Ok(count) => count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            check_ratio(bytes.len() as u64 + count as u64, packed, most)?;
            bytes.extend_from_slice(chunk.get(..count).unwrap_or_default());
        }
        self.unpacked += bytes.len() as u64;
        Ok(bytes)
    }
}
