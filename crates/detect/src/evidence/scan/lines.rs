//! Where lines begin: items, counters, and lines that are no prose.

use super::{Kind, LISTED, Scanner};

impl Scanner<'_> {
    pub(super) fn newline(&mut self) {
        let start = self.at;
        self.at += 1;
        let mut empty = false;
        loop {
            match self.byte(self.at) {
                b' ' | b'\t' | b'\r' => self.at += 1,
                b'\n' => {
                    empty = true;
                    self.at += 1;
                }
                _ => break,
            }
        }
        let kind = match self.byte(self.at) {
            _ if empty => Kind::Blank,
            // A line that was only wrapped goes on in small letters.
            b'a'..=b'z' => {
                self.line_start();
                return;
            }
            _ => Kind::Break,
        };
        let at = self.at;
        self.at = start + 1;
        self.push(start, kind, 0);
        self.at = at;
        let broken = self.tokens.len() - 1;
        let listed = if self.line_start() { LISTED } else { 0 };
        if let Some(token) = self.tokens.get_mut(broken) {
            token.shape = listed;
        }
    }

    /// Skips what a line may open with, and whole lines that are not prose. Whether it opens an item.
    pub(super) fn line_start(&mut self) -> bool {
        let mut listed = false;
        loop {
            let rest = self.bytes.get(self.at..).unwrap_or_default();
            if rest.starts_with(b"```") || rest.starts_with(b"~~~") {
                let fence = rest.get(..3).unwrap_or_default();
                self.skip_fenced(fence);
                continue;
            }
            match rest.first() {
                Some(b'|') => self.skip_line(),
                Some(b'#' | b'>' | b'*' | b'+' | b'-' | b' ' | b'\t') => {
                    listed |= matches!(rest, [b'*' | b'+' | b'-', b' ', ..]);
                    self.at += 1;
                    continue;
                }
                Some(b'0'..=b'9') => {
                    let before = self.at;
                    self.skip_counter();
                    listed |= self.at > before;
                }
                _ => {}
            }
            return listed;
        }
    }

    /// "1." or "2)" before an item.
    fn skip_counter(&mut self) {
        let mut at = self.at;
        while self.byte(at).is_ascii_digit() && at - self.at < 3 {
            at += 1;
        }
        if matches!(self.byte(at), b'.' | b')') && self.byte(at + 1) == b' ' {
            self.at = at + 2;
        }
    }

    fn skip_line(&mut self) {
        let start = self.at;
        while !matches!(self.byte(self.at), b'\n' | 0) {
            self.at += 1;
        }
        let row = self.bytes.get(start..self.at).unwrap_or_default();
        self.push(start, if has_figure(row) { Kind::Row } else { Kind::Blank }, 0);
    }

    fn skip_fenced(&mut self, fence: &[u8]) {
        let start = self.at;
        self.skip_to_next_line();
        while let Some(rest) = self.bytes.get(self.at..).filter(|rest| !rest.is_empty()) {
            let closed = rest.starts_with(fence);
            self.skip_to_next_line();
            if closed {
                break;
            }
        }
        self.push(start, Kind::Blank, 0);
    }

    fn skip_to_next_line(&mut self) {
        while !matches!(self.bytes.get(self.at), Some(b'\n') | None) {
            self.at += 1;
        }
        self.at = (self.at + 1).min(self.bytes.len());
    }
}

/// Whether a cell of this row, other than the first, holds a figure and nothing before it. The first
/// says what the row is about, and may well be its number.
fn has_figure(row: &[u8]) -> bool {
    let cells = row.split(|byte| *byte == b'|').skip(2);
    cells.map(<[u8]>::trim_ascii).any(|cell| {
        let cell = cell.trim_ascii_start();
        let signed =
            cell.first().is_some_and(|sign| matches!(sign, b'+' | b'-' | b'$' | b'<' | b'>'));
        cell.get(usize::from(signed)).is_some_and(u8::is_ascii_digit)
    })
}
