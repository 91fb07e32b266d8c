//! JSON that is almost JSON: a comma before a closing bracket, single quotes instead of double ones.
//!
//! Mending takes commas away and changes quotes; it never writes a value. So what a mended reply says
//! is what the model said. Where a quote could mean two things there is nothing to mend.

/// The text as JSON, if there is one way to mend it. One pass.
pub(super) fn mend(text: &str) -> Option<String> {
    let mut mended = String::with_capacity(text.len());
    // The last character that is no blank, and where its comma stands if it is one.
    let (mut last, mut comma) = (' ', 0);
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let consumed = match c {
            '"' => {
                let string = double_quoted(rest)?;
                mended.push_str(string);
                string.len()
            }
            '\'' if matches!(last, '{' | '[' | ',' | ':') => {
                let words = single_quoted(rest)?;
                mended.push_str(&serde_json::Value::from(words).to_string());
                words.len() + 2
            }
            _ => {
                if matches!(c, '}' | ']') && last == ',' {
                    mended.remove(comma);
                }
                if c == ',' {
                    comma = mended.len();
                }
                mended.push(c);
                c.len_utf8()
            }
        };
        if !c.is_whitespace() {
            last = c;
        }
        rest = rest.get(consumed..)?;
    }
    Some(mended)
}

/// The string a text begins with, quotes included.
fn double_quoted(text: &str) -> Option<&str> {
    let mut escaped = false;
    let end = text.char_indices().skip(1).find(|(_, c)| {
        let ends = *c == '"' && !escaped;
        escaped = *c == '\\' && !escaped;
        ends
    });
    text.get(..=end?.0)
}

/// The words between the single quotes a text begins with. An apostrophe could end them too early,
/// so the first one must be followed by what may follow a string.
fn single_quoted(text: &str) -> Option<&str> {
    let inside = text.get(1..)?;
    let (words, after) = inside.split_once('\'')?;
    let next = after.trim_start().chars().next();
    let ends = matches!(next, Some(',' | ':' | '}' | ']'));
    (ends && !words.contains(['\\', '\n'])).then_some(words)
}
