//! The words of an HTML page with the lines they stand on. Scripts, styles and tags are left out; nothing is
//! run or fetched.

use super::markdown::{About, day};

/// A page without its marks.
pub(super) struct Page {
    pub(super) about: About,
    /// Lines of text and the line of the file each begins on; headings as Markdown has them.
    pub(super) lines: Vec<(u32, String)>,
}

/// Elements whose content is no text.
const SILENT: [&str; 7] = ["script", "style", "template", "noscript", "svg", "nav", "head"];
/// Elements that do not end a line.
const INLINE: [&str; 22] = [
    "a", "abbr", "b", "bdi", "cite", "code", "data", "del", "em", "font", "i", "ins", "kbd",
    "mark", "q", "s", "small", "span", "strong", "sub", "sup", "u",
];

pub(super) fn read(text: &str) -> Page {
    let mut page =
        Reader { lines: Vec::new(), open: String::new(), line: 1, at: 1, about: About::default() };
    let mut rest = text;
    while let Some(start) = rest.find('<') {
        let (words, tag) = rest.split_at(start);
        page.words(words);
        let taken = page.tag(tag);
        page.at += lines(tag.get(..taken).unwrap_or_default());
        rest = tag.get(taken..).unwrap_or_default();
    }
    page.words(rest);
    page.end();
    Page { about: page.about, lines: page.lines }
}

struct Reader {
    lines: Vec<(u32, String)>,
    open: String,
    /// Where the open line began.
    line: u32,
    /// Where the reader is.
    at: u32,
    about: About,
}

impl Reader {
    fn words(&mut self, words: &str) {
        if !words.trim().is_empty() {
            if self.open.trim().is_empty() {
                let before = words.len() - words.trim_start().len();
                self.line = self.at + lines(words.get(..before).unwrap_or_default());
            }
            if words.starts_with(char::is_whitespace) {
                self.open.push(' ');
            }
            let decoded = decoded(words);
            self.open.push_str(&decoded.split_whitespace().collect::<Vec<_>>().join(" "));
        }
        if words.ends_with(char::is_whitespace) && !self.open.is_empty() {
            self.open.push(' ');
        }
        self.at += lines(words);
    }

    /// Reads a tag, a comment or a stray `<`, and gives its length with what it silences.
    fn tag(&mut self, tag: &str) -> usize {
        if let Some(comment) = tag.strip_prefix("<!--") {
            return comment.find("-->").map_or(tag.len(), |end| end + "<!---->".len());
        }
        let inner = tag.get(1..).unwrap_or_default();
        if !inner.starts_with(|c: char| c.is_ascii_alphabetic() || c == '/' || c == '!' || c == '?')
        {
            self.open.push('<');
            return 1;
        }
        let end = tag.find('>').map_or(tag.len(), |end| end + 1);
        let body = tag.get(1..end).unwrap_or_default();
        let name = body.trim_start_matches('/');
        let name = name.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
        let name = name.to_ascii_lowercase();
        let closes = body.starts_with('/');
        if !closes && SILENT.contains(&name.as_str()) {
            return self.silent(tag, end, &name);
        }
        if name == "time" || name == "meta" {
            self.said(body);
        }
        if !INLINE.contains(&name.as_str()) && name != "time" {
            match name.as_str() {
                "td" | "th" => self.open.push_str(if closes { " | " } else { "" }),
                _ => self.end(),
            }
            if let (Some(level), false) = (heading(&name), closes) {
                self.open = format!("{} ", "#".repeat(level));
                self.line = self.at;
            }
        }
        end
    }

    /// Passes over an element that is not shown, but for what the head says of the page.
    fn silent(&mut self, tag: &str, end: usize, name: &str) -> usize {
        let close = format!("</{name}");
        let rest = tag.get(end..).unwrap_or_default();
        // Lower-casing ASCII keeps every byte in its place.
        let found = rest.to_ascii_lowercase().find(&close);
        let inside = rest.get(..found.unwrap_or(rest.len())).unwrap_or_default();
        if name == "head" {
            inside.split('<').filter(|it| it.starts_with("meta")).for_each(|it| self.said(it));
        }
        let after = rest.get(inside.len()..).unwrap_or_default();
        end + inside.len() + after.find('>').map_or(after.len(), |at| at + 1)
    }

    /// What a tag says of when the page was written and by whom.
    fn said(&mut self, tag: &str) {
        let lower = tag.to_ascii_lowercase();
        if self.about.date.is_none() && (lower.contains("date") || lower.contains("published")) {
            self.about.date = ["datetime=", "content="]
                .into_iter()
                .find_map(|name| day(attribute(tag, name)?.get(..10)?));
        }
        if self.about.source.is_none() && lower.contains("\"author\"") {
            self.about.source = attribute(tag, "content=").map(decoded);
        }
    }

    fn end(&mut self) {
        let open = std::mem::take(&mut self.open);
        let words = open.trim().trim_end_matches(" |");
        if !words.trim_start_matches('#').trim().is_empty() {
            self.lines.push((self.line, words.to_owned()));
        }
    }
}

fn heading(name: &str) -> Option<usize> {
    let level = name.strip_prefix('h')?.parse().ok()?;
    (1..=6).contains(&level).then_some(level)
}

/// The value of an attribute in quotation marks.
fn attribute<'t>(tag: &'t str, name: &str) -> Option<&'t str> {
    let value = tag.get(tag.find(name)? + name.len()..)?;
    let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    value.get(1..)?.split(quote).next()
}

/// Character references as characters; unknown ones stay as they are.
fn decoded(text: &str) -> String {
    /// Longest reference that is read.
    const REFERENCE: usize = 12;
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        let (before, reference) = rest.split_at(at);
        out.push_str(before);
        let end = reference.find(';').filter(|end| *end <= REFERENCE);
        let known = end.and_then(|end| character(reference.get(1..end)?).zip(Some(end + 1)));
        let (c, taken) = known.unwrap_or(('&', 1));
        out.push(c);
        rest = reference.get(taken..).unwrap_or_default();
    }
    out + rest
}

fn character(name: &str) -> Option<char> {
    Some(match name {
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "quot" => '"',
        "apos" => '\'',
        "nbsp" => ' ',
        "ndash" => '\u{2013}',
        "mdash" => '\u{2014}',
        "hellip" => '\u{2026}',
        "lsquo" => '\u{2018}',
        "rsquo" => '\u{2019}',
        "ldquo" => '\u{201c}',
        "rdquo" => '\u{201d}',
        "euro" => '\u{20ac}',
        "pound" => '\u{a3}',
        "percnt" => '%',
        "deg" => '\u{b0}',
        _ => {
            let number = name.strip_prefix('#')?;
            let number = match number.strip_prefix(['x', 'X']) {
                Some(digits) => u32::from_str_radix(digits, 16).ok()?,
                None => number.parse().ok()?,
            };
            return char::from_u32(number);
        }
    })
}

fn lines(text: &str) -> u32 {
    u32::try_from(text.matches('\n').count()).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_a_page_keep_their_lines() {
        let page = read(
            "<html><head><meta name=\"author\" content=\"Ops\"><title>x</title></head>\n<body>\n<h1>Costs</h1>\n\
             <script>ignore('<p>')</script>\n<p>Hosting cost <b>41,000</b>\n&euro; &lt;net&gt;.</p>\n\
             <table><tr><th>Year<th>Cost</tr><tr><td>2022</td><td>38</td></tr></table>5 < 6",
        );
        assert_eq!(page.about.source.as_deref(), Some("Ops"));
        let lines: Vec<_> = page.lines.iter().map(|(at, line)| (*at, line.as_str())).collect();
        assert_eq!(lines[0], (3, "# Costs"));
        assert_eq!(lines[1], (5, "Hosting cost 41,000 \u{20ac} <net>."));
        assert!(lines.iter().any(|it| it.1 == "2022 | 38"), "{lines:?}");
        assert!(lines.iter().any(|it| it.1 == "5 < 6"), "{lines:?}");
        assert!(lines.iter().all(|it| !it.1.contains("ignore")));
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_read(text in "(?s)([<>/a-z\"=&;! \n-]{0,30}){0,30}") {
            read(&text);
        }
    }
}
