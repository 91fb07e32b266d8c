//! Words as they come, token by token, and how much of them can be said already.
//!
//! What was said cannot be taken back, so a line hands out what will surely stay: whole characters,
//! or whole sentences where the line may still have to be cut.

use super::write::capitalised;

/// A line that is being written.
#[derive(Debug, Default)]
pub(crate) struct Line {
    text: String,
    /// Bytes of a character that is not whole yet.
    pending: Vec<u8>,
    /// How many bytes of the text were handed out.
    said: usize,
}

impl Line {
    /// Adds a token's bytes. What can become no character is left out, and so are controls: a
    /// model has no business with a terminal.
    pub(crate) fn add(&mut self, bytes: &[u8]) {
        self.pending.extend_from_slice(bytes);
        let pending = std::mem::take(&mut self.pending);
        let chunks: Vec<_> = pending.utf8_chunks().collect();
        for (at, chunk) in chunks.iter().enumerate() {
            let seen = |c: &char| !c.is_control() || matches!(c, '\n' | '\t');
            self.text.extend(chunk.valid().chars().filter(seen));
            let last = at + 1 == chunks.len();
            if last && std::str::from_utf8(chunk.invalid()).is_err_and(|e| e.error_len().is_none())
            {
                self.pending = chunk.invalid().to_vec();
            }
        }
    }

    /// Whether nothing waits to be handed out.
    pub(crate) fn is_empty(&self) -> bool {
        self.text.is_empty() && self.pending.is_empty()
    }

    /// Characters so far.
    pub(crate) fn chars(&self) -> usize {
        self.text.trim().chars().count()
    }

    /// What is whole and was not handed out yet, up to the last blank.
    pub(crate) fn whole_words(&mut self) -> String {
        let end = self.text.rfind(char::is_whitespace).unwrap_or_default();
        self.hand_out(end)
    }

    /// The line up to the end of its last sentence.
    pub(crate) fn whole_sentences(&mut self) -> String {
        let end = sentence_end(&self.text);
        self.hand_out(end)
    }

    /// The rest, whole or not; broken characters are left out.
    pub(crate) fn rest(&mut self) -> String {
        let end = self.text.trim_end().len();
        self.hand_out(end)
    }

    /// The rest of a line that is too long: up to the last end of a sentence within the limit or,
    /// where there is none and nothing was said yet, up to the last whole word.
    pub(crate) fn cut(&mut self, chars_max: usize) -> String {
        let text = &self.text;
        let begin = text.len() - text.trim_start().len();
        let mut within = text.char_indices().skip_while(|(at, _)| *at < begin).skip(chars_max);
        let within = within.next().map_or(text.len(), |(at, _)| at);
        let within = text.get(..within).unwrap_or_default();
        let word = within.rfind(char::is_whitespace).filter(|end| *end > begin);
        let end = match sentence_end(within) {
            0 if self.said == 0 => word.unwrap_or(within.len()),
            end => end,
        };
        self.hand_out(end)
    }

    /// Hands out what was written up to here.
    fn hand_out(&mut self, end: usize) -> String {
        let first = self.said == 0;
        let new = self.text.get(self.said..end).unwrap_or_default().to_owned();
        self.said = self.said.max(end);
        if first { capitalised(new.trim_start()) } else { new }
    }
}

/// Behind the last mark that ends a sentence and has a blank behind it.
fn sentence_end(text: &str) -> usize {
    let marks = text.match_indices(['.', '!', '?']);
    let mut ends = marks.filter(|(at, _)| {
        let behind = text.get(at + 1..).unwrap_or_default();
        let before = text.get(..*at).unwrap_or_default();
        // The number of a list and an initial end no sentence.
        let word = before.rsplit(char::is_whitespace).next().unwrap_or_default();
        behind.starts_with(char::is_whitespace) && word.chars().count() > 1
    });
    ends.next_back().map_or(0, |(at, _)| at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str) -> Line {
        Line { text: text.to_owned(), ..Line::default() }
    }

    #[test]
    fn sentences_are_handed_out_once_they_are_whole() {
        let mut line = line(" It costs too much. It al");
        assert_eq!(line.whole_sentences(), "It costs too much.");
        assert_eq!(line.whole_sentences(), "");
        line.add(b"so breaks. ");
        assert_eq!(line.whole_sentences(), " It also breaks.");
        line.add(b"Often");
        assert_eq!(line.rest(), " Often");
    }

    #[test]
    fn a_line_too_long_is_cut_at_a_sentence_or_else_a_word() {
        let mut first = line(" One two. Three four five");
        assert_eq!(first.cut(20), "One two.");
        let mut second = line(" One two three four");
        assert_eq!(second.cut(9), "One two");
        let mut third = line(" Onetwothree");
        assert_eq!(third.cut(5), "Onetw");
        let mut fourth = line(" One. Two thr");
        assert_eq!(fourth.whole_sentences(), "One.");
        assert_eq!(fourth.cut(5), "", "what was said ends well already");
    }

    #[test]
    fn half_characters_wait() {
        let mut line = line(" caf\u{e9} ");
        line.add(&[0xc3]);
        assert_eq!(line.whole_words(), "Café");
        assert_eq!(line.rest(), "");
        line.add(&[0xa9, 0xff, 0x1b, b'!']);
        assert_eq!(line.rest(), " é!", "what is no character, and controls, are left out");
        assert_eq!(sentence_end("1. First e. g. this"), 0);
    }
}
