//! Bytes in, with bounds: lines of a stream, and unpacked data that cannot explode.

use std::io::{self, BufRead, BufReader, Read};

use rebuttal_model::limits;

/// A stream read line by line. Never holds more than one line, nor more of it than asked for.
pub(crate) struct Lines<'r> {
    input: BufReader<Box<dyn Read + 'r>>,
    buffer: Vec<u8>,
    /// Where the next line starts.
    offset: usize,
    /// The number of the next line, counted from 1.
    number: u32,
}

/// What the next line is.
pub(crate) enum Line {
    /// A line, now in [`Lines::bytes`], with its line feed if it has one.
    Whole { start: usize, number: u32 },
    /// A line longer than the bound; it was skipped.
    TooLong { number: u32, bytes: usize },
    /// The input ended.
    End,
}

impl<'r> Lines<'r> {
    /// Reads `input`, whose first byte stands at `offset` of its file.
    pub(crate) fn new(input: Box<dyn Read + 'r>, offset: usize) -> Self {
        Self {
            input: BufReader::with_capacity(1 << 16, input),
            buffer: Vec::new(),
            offset,
            number: 1,
        }
    }

    /// The line last read.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.buffer
    }

    /// Takes the line last read.
    pub(crate) fn take(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.buffer)
    }

    /// Reads the next line, of at most `most` bytes.
    pub(crate) fn next(&mut self, most: usize) -> io::Result<Line> {
        self.buffer.clear();
        let (start, number) = (self.offset, self.number);
        let mut length = 0;
        loop {
            let available = match self.input.fill_buf() {
                Ok(available) => available,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            let feed = memchr::memchr(b'\n', available);
            let used = feed.map_or(available.len(), |at| at + 1);
            length += used;
            if length <= most {
                self.buffer.extend_from_slice(available.get(..used).unwrap_or_default());
            } else if !self.buffer.is_empty() {
                self.buffer = Vec::new();
            }
            let ended = used == 0;
            self.input.consume(used);
            if feed.is_some() || ended {
                break;
            }
            if length > limits::ENDLESS_LINE_BYTES {
                let most = limits::ENDLESS_LINE_BYTES;
                return Err(io::Error::other(format!("a line does not end within {most} bytes")));
            }
        }
        self.offset += length;
        if length == 0 {
            return Ok(Line::End);
        }
        self.number = self.number.saturating_add(1);
        if length > most {
            return Ok(Line::TooLong { number, bytes: length });
        }
        Ok(Line::Whole { start, number })
    }

    /// True when there is no further line.
    pub(crate) fn at_end(&mut self) -> io::Result<bool> {
        Ok(self.input.fill_buf()?.is_empty())
    }

    /// Appends what is left of the stream to `bytes`, up to `most` in all. False when there is more.
    pub(crate) fn read_rest(&mut self, bytes: &mut Vec<u8>, most: usize) -> io::Result<bool> {
        let room = most.saturating_sub(bytes.len()) as u64;
        (&mut self.input).take(room).read_to_end(bytes)?;
        Ok(self.input.fill_buf()?.is_empty())
    }

    /// Puts lines back: `bytes` first, then what is left of this stream. `start` and
    /// `number` say where `bytes` were read.
    pub(crate) fn rewound(self, bytes: Vec<u8>, start: usize, number: u32) -> Lines<'r> {
        let input = Box::new(io::Cursor::new(bytes).chain(self.input));
        Lines {
            input: BufReader::with_capacity(1 << 16, input),
            buffer: Vec::new(),
            offset: start,
            number,
        }
    }
}

/// Why unpacking stopped, as the message of an [`io::Error`].
fn bomb(message: String) -> io::Error {
    io::Error::new(io::ErrorKind::FileTooLarge, message)
}

/// Packed bytes, counted as they are read.
struct Counted<R> {
    input: R,
    bytes: u64,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.input.read(buffer)?;
        self.bytes += count as u64;
        Ok(count)
    }
}

/// Checks unpacked against packed bytes.
pub(crate) fn check_ratio(unpacked: u64, packed: u64, most: u64) -> io::Result<()> {
    if unpacked > most {
        return Err(bomb(format!("it unpacks to more than the limit of {most} bytes")));
    }
    let believed = packed.saturating_mul(limits::ARCHIVE_RATIO).max(limits::ARCHIVE_GRACE_BYTES);
    if unpacked > believed {
        return Err(bomb(format!(
            "it unpacks to more than {} times its size, the limit for packed files",
            limits::ARCHIVE_RATIO
        )));
    }
    Ok(())
}

/// A gzip stream that stops when it unpacks to more than is believable.
pub(crate) struct Gunzip<R: Read> {
    decoder: flate2::read::MultiGzDecoder<Counted<R>>,
    bytes: u64,
}

impl<R: Read> Gunzip<R> {
    pub(crate) fn new(input: R) -> Self {
        let decoder = flate2::read::MultiGzDecoder::new(Counted { input, bytes: 0 });
        Self { decoder, bytes: 0 }
    }
}

impl<R: Read> Read for Gunzip<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.decoder.read(buffer)?;
        self.bytes += count as u64;
        check_ratio(self.bytes, self.decoder.get_ref().bytes, limits::ARCHIVE_BYTES)?;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &'static str, most: usize) -> Vec<(usize, u32, String)> {
        let mut lines = Lines::new(Box::new(text.as_bytes()), 0);
        let mut seen = Vec::new();
        loop {
            match lines.next(most).unwrap() {
                Line::Whole { start, number } => {
                    seen.push((start, number, String::from_utf8_lossy(lines.bytes()).into_owned()));
                }
                Line::TooLong { number, bytes } => seen.push((bytes, number, "too long".into())),
                Line::End => return seen,
            }
        }
    }

    #[test]
    fn lines_know_where_they_start() {
        assert_eq!(
            lines("a\n\nbc", 10),
            [(0, 1, "a\n".into()), (2, 2, "\n".into()), (3, 3, "bc".into())]
        );
    }

    #[test]
    fn a_long_line_is_skipped_and_the_next_is_read() {
        assert_eq!(
            lines("aaaaaaaaaaaa\nb\n", 4),
            [(13, 1, "too long".into()), (13, 2, "b\n".into())]
        );
    }

    #[test]
    fn small_things_may_pack_well_but_large_ones_may_not() {
        assert!(check_ratio(limits::ARCHIVE_GRACE_BYTES, 1, u64::MAX).is_ok());
        assert!(check_ratio(limits::ARCHIVE_GRACE_BYTES + 1, 1, u64::MAX).is_err());
        assert!(check_ratio(10, 10, 9).is_err());
    }
}
