//! What each character is worth to a reader: kept, replaced, or invisible.
//!
//! Invariant: a replacement never holds a character that would itself be replaced or dropped, so
//! that cleaning twice is cleaning once.

/// What cleaning does to one character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Action {
    /// The character stays.
    Keep,
    /// The character leaves no trace.
    Drop,
    /// The character is written in a plainer way.
    Replace(&'static str),
}

/// True for ASCII that cleaning never touches: printable characters, newline and tab.
pub(super) fn is_plain(byte: u8) -> bool {
    matches!(byte, b' '..=b'~' | b'\n' | b'\t')
}

/// What cleaning does to `c`, its neighbours not regarded.
pub(super) fn action(c: char) -> Action {
    match c {
        '\n' | '\t' | ' '..='~' => Action::Keep,
        '\u{85}' | '\u{2028}' | '\u{2029}' => Action::Replace("\n"),
        '\u{0}'..='\u{1f}' | '\u{7f}'..='\u{9f}' => Action::Replace(" "),
        _ if is_ignorable(c) => Action::Drop,
        // The letters of most European languages, before the longer table below.
        '\u{c0}'..='\u{2b8}' => Action::Keep,
        _ => plainer(c).map_or(Action::Keep, Action::Replace),
    }
}

/// The plain form of quotes, spaces, dashes, ligatures and fullwidth letters.
fn plainer(c: char) -> Option<&'static str> {
    Some(match c {
        '\u{a0}'
        | '\u{1680}'
        | '\u{2000}'..='\u{200a}'
        | '\u{202f}'
        | '\u{205f}'
        | '\u{2800}'
        | '\u{3000}' => " ",
        // The acute accent, modifier letters and primes stand in for the apostrophe. U+1FFD and
        // U+0374 are canonically the same characters as U+00B4 and U+02B9.
        '\u{2018}'..='\u{201b}'
        | '\u{2032}'
        | '\u{2035}'
        | '\u{2039}'
        | '\u{203a}'
        | '\u{b4}'
        | '\u{1ffd}'
        | '\u{2b9}'
        | '\u{374}'
        | '\u{2bb}'
        | '\u{2bc}'
        | '\u{275b}'
        | '\u{275c}' => "'",
        '\u{201c}'..='\u{201f}'
        | '\u{2033}'
        | '\u{2036}'
        | '\u{ab}'
        | '\u{bb}'
        | '\u{275d}'
        | '\u{275e}'
        | '\u{301d}'..='\u{301f}' => "\"",
        '\u{2010}' | '\u{2011}' | '\u{2212}' | '\u{fe63}' => "-",
        '\u{2012}' => "\u{2013}",
        '\u{2015}' | '\u{fe58}' => "\u{2014}",
        '\u{fb00}' => "ff",
        '\u{fb01}' => "fi",
        '\u{fb02}' => "fl",
        '\u{fb03}' => "ffi",
        '\u{fb04}' => "ffl",
        '\u{fb05}' | '\u{fb06}' => "st",
        '\u{ffe0}' => "\u{a2}",
        '\u{ffe1}' => "\u{a3}",
        '\u{ffe5}' => "\u{a5}",
        '\u{ffe6}' => "\u{20a9}",
        '\u{ff01}'..='\u{ff5e}' => return fullwidth(c),
        _ => return None,
    })
}

/// The ASCII character that a fullwidth form draws wider.
fn fullwidth(c: char) -> Option<&'static str> {
    const ASCII: &str = "!\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`\
                         abcdefghijklmnopqrstuvwxyz{|}~";
    let at = usize::try_from(u32::from(c).checked_sub(0xff01)?).ok()?;
    ASCII.get(at..at + 1)
}

/// True for characters that Unicode calls default-ignorable, and for the invisible marks of
/// interlinear annotation: nothing is drawn where they stand.
pub(super) fn is_ignorable(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
        | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

/// True for characters that a zero-width joiner may glue into one emoji.
///
/// Only characters that cleaning keeps and that have no canonical decomposition, so that the
/// answer is the same for a text, for its decomposed form and for its clean form.
pub(super) fn is_pictograph(c: char) -> bool {
    matches!(c, '\u{2600}'..='\u{275a}' | '\u{275f}'..='\u{27bf}' | '\u{2b00}'..='\u{2bff}'
        | '\u{1f000}'..='\u{1faff}')
}
