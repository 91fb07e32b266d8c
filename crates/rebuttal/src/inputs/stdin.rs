//! Standard input, which may not end.

use std::io::{self, Read, StdinLock};

use rebuttal_model::limits;

/// Reads up to a limit, and fails beyond it: cutting off in silence would pass for the end.
#[derive(Debug)]
pub struct Bounded<R> {
    input: R,
    most: u64,
    left: u64,
}

impl<R: Read> Bounded<R> {
    /// Reads at most so many bytes.
    pub fn new(input: R, most: u64) -> Self {
        Self { input, most, left: most }
    }
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.left == 0 {
            // Exactly as much as is allowed is no more than that.
            return match self.input.read(buffer.get_mut(..1).unwrap_or_default())? {
                0 => Ok(0),
                _ => Err(io::Error::other(format!(
                    "it has more than {} bytes, the limit for what is piped; split it, or give files",
                    self.most
                ))),
            };
        }
        let room = usize::try_from(self.left).unwrap_or(usize::MAX).min(buffer.len());
        let read = self.input.read(buffer.get_mut(..room).unwrap_or_default())?;
        self.left = self.left.saturating_sub(read as u64);
        Ok(read)
    }
}

/// Standard input, as far as it is read.
pub fn stdin() -> Bounded<StdinLock<'static>> {
    Bounded::new(io::stdin().lock(), limits::STDIN_BYTES)
}

#[cfg(test)]
mod tests {
    use rebuttal_transcripts::{Item, ReadOptions, read};

    use super::*;

    /// `yes '{…}' | rebuttal audit -`.
    struct Yes(&'static [u8], usize);

    impl Read for Yes {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            for byte in buffer.iter_mut() {
                *byte = self.0[self.1 % self.0.len()];
                self.1 += 1;
            }
            Ok(buffer.len())
        }
    }

    #[test]
    fn valid_lines_without_end_are_told_as_such() {
        let line = b"{\"agent\":\"ann\",\"text\":\"Yes, we should ship it.\"}\n";
        let (mut turns, mut problems) = (0, Vec::new());
        let input = Bounded::new(Yes(line, 0), 1 << 20);
        read("stdin", input, &ReadOptions::default(), &mut |item| match item {
            Item::Transcript(transcript) => turns += transcript.turns.len(),
            Item::Problem(problem) => problems.push(problem.to_string()),
        });
        assert!(turns > 10_000, "what came before is used: {turns} {problems:?}");
        let last = problems.last().unwrap();
        assert!(last.contains("more than 1048576 bytes, the limit for what is piped"), "{last}");
    }

    #[test]
    fn as_much_as_is_allowed_is_no_more() {
        let mut text = String::new();
        Bounded::new(&b"abc"[..], 3).read_to_string(&mut text).unwrap();
        assert_eq!(text, "abc");
        assert!(Bounded::new(&b"abcd"[..], 3).read_to_string(&mut text).is_err());
    }
}
