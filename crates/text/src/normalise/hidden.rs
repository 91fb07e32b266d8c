//! Characters that a reader does not see, found and made visible.
//!
//! Emoji use some of the same characters in plain sight (the joiner in a family, the selector
//! after a heart, the tags of the three British flags); those are not reported.

use std::borrow::Cow;
use std::fmt::Write;

use super::classes::{is_ignorable, is_pictograph, is_plain};

const JOINER: char = '\u{200d}';
const BLACK_FLAG: char = '\u{1f3f4}';
/// What follows the black flag in the only flags that fonts draw from tags.
const FLAG_TAGS: [&str; 3] = [
    "\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
    "\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}",
    "\u{e0067}\u{e0062}\u{e0077}\u{e006c}\u{e0073}\u{e007f}",
];

/// The control, escape, bidi, zero-width and tag characters of `original`, with byte offsets.
///
/// Newline, tab and the two characters of a Windows line end are not hidden.
pub fn hidden(original: &str) -> impl Iterator<Item = (usize, char)> {
    Hidden { text: original, at: 0, before: ' ', flag_end: 0 }
}

/// `original` with every hidden character written as `\u{…}`; safe to print to a terminal or log.
pub fn visible(original: &str) -> Cow<'_, str> {
    let mut found = hidden(original).peekable();
    if found.peek().is_none() {
        return Cow::Borrowed(original);
    }
    let mut shown = String::with_capacity(original.len() + 32);
    let mut copied = 0;
    for (at, c) in found {
        shown.push_str(original.get(copied..at).unwrap_or_default());
        // Writing to a `String` cannot fail.
        let _ = write!(shown, "\\u{{{:x}}}", u32::from(c));
        copied = at + c.len_utf8();
    }
    shown.push_str(original.get(copied..).unwrap_or_default());
    Cow::Owned(shown)
}

/// `original` on one line, safe to print: as [`visible`], with line breaks and tabs spelled out.
/// Left alone, a name could end our line and write one that looks like ours.
pub fn one_line(original: &str) -> Cow<'_, str> {
    let shown = visible(original);
    if !shown.contains(['\n', '\r', '\t']) {
        return shown;
    }
    Cow::Owned(shown.replace('\r', "\\r").replace('\n', "\\n").replace('\t', "\\t"))
}

#[derive(Debug)]
struct Hidden<'t> {
    text: &'t str,
    at: usize,
    /// The last character, selectors not counted: what a joiner or selector would attach to.
    before: char,
    /// Where the tags of a flag end; tags up to here are in plain sight.
    flag_end: usize,
}

impl Iterator for Hidden<'_> {
    type Item = (usize, char);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let rest = self.text.as_bytes().get(self.at..)?;
            let skipped = rest.iter().position(|&byte| !is_plain(byte)).unwrap_or(rest.len());
            if let Some(&last) = skipped.checked_sub(1).and_then(|last| rest.get(last)) {
                self.before = char::from(last);
            }
            self.at += skipped;
            let mut rest = self.text.get(self.at..)?.chars();
            let c = rest.next()?;
            let (at, before) = (self.at, self.before);
            self.at += c.len_utf8();
            if !is_selector(c) {
                self.before = c;
            }
            if c == BLACK_FLAG {
                let tags = FLAG_TAGS.iter().find(|tags| rest.as_str().starts_with(**tags));
                self.flag_end = self.at + tags.map_or(0, |tags| tags.len());
            }
            if at >= self.flag_end && is_hidden(c, before, rest.next()) {
                return Some((at, c));
            }
        }
    }
}

fn is_selector(c: char) -> bool {
    matches!(c, '\u{fe0e}' | '\u{fe0f}')
}

fn is_hidden(c: char, before: char, after: Option<char>) -> bool {
    match c {
        '\n' | '\t' => false,
        '\r' => after != Some('\n'),
        '\u{2028}' | '\u{2029}' => true,
        // An emoji or text selector after what it selects, such as a heart or a keycap digit.
        _ if is_selector(c) => !(is_symbol(before) || matches!(before, '0'..='9' | '#' | '*')),
        JOINER => !(is_symbol(before) && after.is_some_and(is_symbol)),
        _ => c.is_control() || is_ignorable(c),
    }
}

/// True for pictographs and for the arrows, clocks and marks that have an emoji form.
fn is_symbol(c: char) -> bool {
    is_pictograph(c)
        || matches!(c, '\u{a9}' | '\u{ae}' | '\u{203c}' | '\u{2049}' | '\u{2122}' | '\u{2139}'
            | '\u{2190}'..='\u{21ff}' | '\u{2300}'..='\u{23ff}' | '\u{24c2}'
            | '\u{25a0}'..='\u{25ff}' | '\u{2934}' | '\u{2935}' | '\u{3030}' | '\u{303d}'
            | '\u{3297}' | '\u{3299}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_stays_on_its_line() {
        assert_eq!(one_line("bob\nNothing found."), "bob\\nNothing found.");
        assert_eq!(one_line("a\tb\r\nc\u{2028}\u{85}"), "a\\tb\\r\\nc\\u{2028}\\u{85}");
        assert!(matches!(one_line("plain"), Cow::Borrowed("plain")));
    }

    #[test]
    fn shows_what_hides() {
        for (text, shown) in [
            ("plain\ttext\nonly", "plain\ttext\nonly"),
            ("a\u{200b}b", "a\\u{200b}b"),
            ("\u{1b}[31mred", "\\u{1b}[31mred"),
            ("user\u{202e}txt.exe", "user\\u{202e}txt.exe"),
            ("\u{e0041}\u{e0042}", "\\u{e0041}\\u{e0042}"),
            ("over\rwritten", "over\\u{d}written"),
            ("windows\r\nline", "windows\r\nline"),
            ("line\u{2028}two", "line\\u{2028}two"),
            ("a\u{fe0f}", "a\\u{fe0f}"),
            ("bell\u{7}\u{7f}\u{9b}", "bell\\u{7}\\u{7f}\\u{9b}"),
            ("na\u{ef}ve caf\u{e9}", "na\u{ef}ve caf\u{e9}"),
        ] {
            assert_eq!(visible(text), shown, "{text:?}");
        }
    }

    #[test]
    fn emoji_hide_nothing() {
        for text in [
            "\u{2764}\u{fe0f}",
            "\u{2764}\u{fe0f}\u{200d}\u{1f525}",
            "\u{1f468}\u{200d}\u{1f469}\u{1f3fd}\u{200d}\u{1f467}",
            "\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}",
            "1\u{fe0f}\u{20e3}",
            "\u{1f642}\u{200d}\u{2194}\u{fe0f}",
        ] {
            assert_eq!(hidden(text).collect::<Vec<_>>(), [], "{text:?}");
        }
    }

    #[test]
    fn a_flag_does_not_excuse_other_tags() {
        let text = "\u{1f3f4}\u{e0061}\u{e0062}\u{e007f}";
        assert_eq!(hidden(text).count(), 3);
        let text = "\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}\u{e0041}";
        assert_eq!(hidden(text).collect::<Vec<_>>(), [(28, '\u{e0041}')]);
    }

    proptest::proptest! {
        #[test]
        fn what_is_visible_hides_nothing(text in "\\PC{0,20}[\\x00-\\x1f\u{200b}-\u{200f}\u{202a}-\u{202e}\r\n a]{0,20}\\PC{0,20}") {
            let shown = visible(&text);
            proptest::prop_assert_eq!(hidden(&shown).count(), 0, "{:?}", shown);
        }
    }
}
