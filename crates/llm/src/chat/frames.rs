//! From bytes to frames: server-sent events, or lines of JSON.
//!
//! Pure: the same bytes give the same frames, and the same fault at the same place, however they
//! were split on the way.

use std::ops::ControlFlow;

use rebuttal_model::limits;

use crate::error::Fault;

/// How a server cuts its stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Framing {
    /// Server-sent events: `data:` lines, ended by a blank one.
    Events,
    /// One document on each line.
    Lines,
}

/// What has begun and not ended.
#[derive(Debug)]
pub(crate) struct Frames {
    framing: Framing,
    shape: Shape,
    line: Vec<u8>,
    /// The data of the event under way.
    data: Option<Vec<u8>>,
    /// A line feed right after a carriage return ends nothing more.
    after_return: bool,
    /// Bytes of the lines that have ended.
    seen: usize,
    /// The first bytes, for a message.
    beginning: Vec<u8>,
}

/// Some servers answer a request for a stream with one document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    Unknown,
    Stream,
    Whole,
}

/// What is left when the bytes end.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Rest {
    Nothing,
    /// A frame that may not be complete.
    Frame(Vec<u8>),
    /// One document instead of a stream.
    Whole(Vec<u8>),
}

/// Who is given the frames, and says when they have seen enough.
pub(crate) type Each<'e> = dyn FnMut(&[u8]) -> Result<ControlFlow<()>, Fault> + 'e;

impl Frames {
    /// Reads frames of this kind from the first byte on.
    pub(crate) fn new(framing: Framing) -> Self {
        let shape = match framing {
            Framing::Events => Shape::Unknown,
            Framing::Lines => Shape::Stream,
        };
        Self {
            framing,
            shape,
            line: Vec::new(),
            data: None,
            after_return: false,
            seen: 0,
            beginning: Vec::new(),
        }
    }

    /// The first bytes of the stream, for messages.
    pub(crate) fn beginning(&self) -> &[u8] {
        &self.beginning
    }

    /// Takes the next bytes and hands on each frame that ends in them.
    pub(crate) fn push(
        &mut self,
        bytes: &[u8],
        each: &mut Each<'_>,
    ) -> Result<ControlFlow<()>, Fault> {
        let room = limits::SHOWN_CHARS.saturating_sub(self.beginning.len());
        self.beginning.extend(bytes.iter().take(room));
        let mut bytes = self.sniffed(bytes);
        if self.shape == Shape::Whole {
            return self.hold(bytes, limits::CHAT_REPLY_BYTES).map(ControlFlow::Continue);
        }
        while let Some(&first) = bytes.first() {
            if std::mem::take(&mut self.after_return) && first == b'\n' {
                bytes = bytes.get(1..).unwrap_or_default();
                continue;
            }
            let Some(end) = self.line_end(bytes) else {
                return self.hold(bytes, limits::STREAM_EVENT_BYTES).map(ControlFlow::Continue);
            };
            let (head, rest) = bytes.split_at(end);
            self.hold(head, limits::STREAM_EVENT_BYTES)?;
            self.after_return = rest.first() == Some(&b'\r');
            bytes = rest.get(1..).unwrap_or_default();
            if self.end_line(each)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// What is left. A frame of events may lack the blank line that ends it: not every server
    /// sends the last one.
    pub(crate) fn finish(mut self) -> Result<Rest, Fault> {
        match (self.shape, self.framing) {
            (Shape::Whole, _) => return Ok(Rest::Whole(self.line)),
            (_, Framing::Lines) => self.data = Some(std::mem::take(&mut self.line)),
            (_, Framing::Events) => self.take_field()?,
        }
        let data = self.data.filter(|data| !data.trim_ascii().is_empty());
        Ok(data.map_or(Rest::Nothing, Rest::Frame))
    }

    /// Where the first line among these bytes ends.
    fn line_end(&self, bytes: &[u8]) -> Option<usize> {
        match self.framing {
            Framing::Events => memchr::memchr2(b'\n', b'\r', bytes),
            Framing::Lines => memchr::memchr(b'\n', bytes),
        }
    }

    /// Skips what may stand before the first line, and looks what that begins with: no field of an
    /// event begins with a bracket.
    fn sniffed<'b>(&mut self, bytes: &'b [u8]) -> &'b [u8] {
        if self.shape != Shape::Unknown {
            return bytes;
        }
        let is_before = |byte: &u8| byte.is_ascii_whitespace() || b"\xef\xbb\xbf".contains(byte);
        let Some(start) = bytes.iter().position(|byte| !is_before(byte)) else { return &[] };
        let bytes = bytes.get(start..).unwrap_or_default();
        let whole = matches!(bytes.first(), Some(b'{' | b'['));
        self.shape = if whole { Shape::Whole } else { Shape::Stream };
        bytes
    }

    /// Keeps the beginning of a line until its end arrives; what grows beyond the limit is a fault.
    fn hold(&mut self, bytes: &[u8], most: usize) -> Result<(), Fault> {
        if self.line.len() + bytes.len() > most {
            return Err(Fault::Oversize(most));
        }
        self.line.extend_from_slice(bytes);
        Ok(())
    }

    /// Ends a line, and hands out the frame that it completes.
    fn end_line(&mut self, each: &mut Each<'_>) -> Result<ControlFlow<()>, Fault> {
        self.seen += self.line.len() + 1;
        if self.seen > limits::STREAM_BYTES {
            return Err(Fault::Oversize(limits::STREAM_BYTES));
        }
        let ended = match self.framing {
            Framing::Lines => Some(std::mem::take(&mut self.line)),
            Framing::Events if self.line.is_empty() => self.data.take(),
            Framing::Events => {
                self.take_field()?;
                None
            }
        };
        match ended.filter(|frame| !frame.trim_ascii().is_empty()) {
            Some(frame) => each(&frame),
            None => Ok(ControlFlow::Continue(())),
        }
    }

    /// Adds a line's data to the event under way. Other fields and comments say nothing that the
    /// data does not.
    fn take_field(&mut self) -> Result<(), Fault> {
        let line = std::mem::take(&mut self.line);
        let Some(rest) = line.strip_prefix(b"data") else { return Ok(()) };
        let value = match rest.strip_prefix(b":") {
            Some(value) => value.strip_prefix(b" ").unwrap_or(value),
            None if rest.is_empty() => rest,
            None => return Ok(()),
        };
        let mut data = self.data.take().map_or_else(Vec::new, |mut data| {
            data.push(b'\n');
            data
        });
        if data.len() + value.len() > limits::STREAM_EVENT_BYTES {
            return Err(Fault::Oversize(limits::STREAM_EVENT_BYTES));
        }
        data.extend_from_slice(value);
        self.data = Some(data);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The frames of pieces, and what is left.
    fn frames(framing: Framing, pieces: &[&[u8]]) -> (Vec<String>, Rest) {
        let mut found = Vec::new();
        let mut frames = Frames::new(framing);
        for piece in pieces {
            let each = &mut |frame: &[u8]| {
                found.push(String::from_utf8_lossy(frame).into_owned());
                Ok(ControlFlow::Continue(()))
            };
            assert!(frames.push(piece, each).unwrap().is_continue());
        }
        (found, frames.finish().unwrap())
    }

    fn events(text: &str) -> Vec<String> {
        frames(Framing::Events, &[text.as_bytes()]).0
    }

    #[test]
    fn events_are_cut_as_the_standard_says() {
        assert_eq!(events("data: a\n\ndata:b\n\n"), ["a", "b"]);
        assert_eq!(events("data: a\r\n\r\ndata: b\r\r"), ["a", "b"]);
        assert_eq!(events("data: a\ndata: b\n\n"), ["a\nb"]);
        assert_eq!(events("\u{feff}data:  a\n\n"), [" a"]);
        assert_eq!(events(": ping\nevent: x\nid: 7\nretry: 5\ndata: a\n\n: more\n\n"), ["a"]);
        assert_eq!(events("data\n\ndata:\n\ndatabase: x\n\n"), [""; 0]);
    }

    #[test]
    fn the_last_event_may_lack_its_blank_line() {
        for text in ["data: [DONE]", "data: [DONE]\n", "data: [DONE]\r"] {
            let (found, rest) = frames(Framing::Events, &[text.as_bytes()]);
            assert_eq!((found.len(), rest), (0, Rest::Frame(b"[DONE]".to_vec())), "{text:?}");
        }
        assert_eq!(frames(Framing::Events, &[b"data: a\n\n: bye"]).1, Rest::Nothing);
    }

    #[test]
    fn one_document_is_known_by_its_bracket() {
        let (found, rest) = frames(Framing::Events, &[b" \n", b"{\"a\":\n\n", b"1}"]);
        assert_eq!((found.len(), rest), (0, Rest::Whole(b"{\"a\":\n\n1}".to_vec())));
    }

    #[test]
    fn lines_are_documents() {
        let (found, rest) = frames(Framing::Lines, &[b"{\"a\"", b":1}\r\n\n{}\n{"]);
        assert_eq!(found, ["{\"a\":1}\r", "{}"]);
        assert_eq!(rest, Rest::Frame(b"{".to_vec()));
    }

    #[test]
    fn a_line_without_end_is_refused() {
        for framing in [Framing::Events, Framing::Lines] {
            let mut frames = Frames::new(framing);
            let mut heard = 0;
            let megabyte = [&b"data: x\n\ndata: "[..], &vec![b'x'; 1 << 20]].concat();
            let mut each = |_: &[u8]| {
                heard += 1;
                Ok(ControlFlow::Continue(()))
            };
            assert!(frames.push(&megabyte, &mut each).unwrap().is_continue());
            let filler = vec![b'x'; 1 << 20];
            let fault = (0..10).find_map(|_| frames.push(&filler, &mut each).err()).unwrap();
            assert!(matches!(fault, Fault::Oversize(limits::STREAM_EVENT_BYTES)));
            assert!(heard >= 1);
        }
    }

    #[test]
    fn a_stream_without_end_is_refused() {
        let mut frames = Frames::new(Framing::Events);
        let comment = [&vec![b':'; 1 << 20][..], b"\n"].concat();
        let mut each = |_: &[u8]| Ok(ControlFlow::Continue(()));
        let fault = (0..200).find_map(|_| frames.push(&comment, &mut each).err()).unwrap();
        assert!(matches!(fault, Fault::Oversize(limits::STREAM_BYTES)));
    }

    proptest! {
        #[test]
        fn any_split_gives_the_same_frames(
            text in r#"([dat:e \r\n{\[x]|data: |é|\n\n|\r\n\r\n|"){0,60}"#,
            cuts in prop::collection::vec(0_usize..200, 0..6),
        ) {
            let bytes = text.as_bytes();
            let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(bytes.len())).collect();
            cuts.sort_unstable();
            let mut pieces = Vec::new();
            let mut start = 0;
            for cut in cuts.into_iter().chain([bytes.len()]) {
                pieces.push(&bytes[start..cut]);
                start = cut;
            }
            for framing in [Framing::Events, Framing::Lines] {
                prop_assert_eq!(frames(framing, &pieces), frames(framing, &[bytes]));
            }
        }
    }
}
