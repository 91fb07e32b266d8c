//! How well a text supports what it says, by rule and at the speed of reading.
//!
//! A text is cut into sentences, and what a sentence offers counts for what that sentence states: a
//! source for the claim beside it, a number for what it measures, a connective for the premise and the
//! conclusion it joins. Words that stand around without a statement count for nothing, so a heap of
//! keywords scores 0. [`quality`] gives the four figures and their weighted mean; [`read`] also says
//! which words were counted and for which claim.
//!
//! ```
//! use rebuttal_detect::evidence;
//! use rebuttal_model::QualityWeights;
//!
//! let weights = QualityWeights::default();
//! let stuffed = evidence::quality("[1] [2] therefore 4% because 5% hence https://x", &weights);
//! assert!(stuffed.overall < 0.05);
//! let sound = "The 2023 Gartner survey of 412 firms found that outages fell by 18%.";
//! assert!(evidence::quality(sound, &weights).overall > 0.4);
//! ```

mod attribution;
mod head;
mod head_weights;
mod measure;
mod reading;
mod scan;
mod score;
pub mod seed;
mod sources;
mod statement;
mod temporal;
mod words;

#[cfg(test)]
mod tests;

use rebuttal_model::{Quality, QualityWeights};

pub use head::{Argued, argued, argued_by_rule};
pub use reading::{Claim, Evidence, Item, read};
pub use score::{Severity, combined, net, severity};
pub use statement::ItemKind;
pub use temporal::freshness;

use scan::{Kind, Token};
use statement::{Sink, Statement};

/// Reads many texts without asking for memory each time.
#[derive(Debug, Default)]
pub struct Reader {
    tokens: Vec<Token>,
    statements: Vec<Statement>,
    supports: Vec<f32>,
}

impl Reader {
    /// Makes an empty one.
    pub fn new() -> Self {
        Self::default()
    }

    /// The four figures of a text and their mean by `weights`.
    pub fn quality(&mut self, text: &str, weights: &QualityWeights) -> Quality {
        self.statements_of(text, &mut ());
        score::quality(&self.statements, &self.supports, weights)
    }

    fn statements_of(&mut self, text: &str, sink: &mut (impl Sink + Placed)) {
        scan::scan(text, &mut self.tokens);
        self.statements.clear();
        sentences(&self.tokens, text.as_bytes(), &mut self.statements, sink);
        score::supports(&self.statements, &mut self.supports);
    }
}

/// The four figures of a text and their mean by `weights`.
pub fn quality(text: &str, weights: &QualityWeights) -> Quality {
    Reader::new().quality(text, weights)
}

/// Whether there is any sentence outside code and tables.
pub fn has_prose(text: &str) -> bool {
    let mut tokens = Vec::new();
    scan::scan(text, &mut tokens);
    tokens.iter().any(Token::is_word)
}

/// How many items a sink has been told of.
trait Placed {
    fn len(&self) -> u32;
}

impl Placed for () {
    #[inline]
    fn len(&self) -> u32 {
        0
    }
}

/// Cuts tokens into sentences and reads each.
fn sentences(
    tokens: &[Token],
    bytes: &[u8],
    statements: &mut Vec<Statement>,
    sink: &mut (impl Sink + Placed),
) {
    let mut paragraph = 0u16;
    let mut start = 0;
    let mut item = false;
    for (at, token) in tokens.iter().enumerate() {
        let end = match token.kind {
            Kind::Break | Kind::Blank | Kind::Row | Kind::Mark(b'!' | b'?') => true,
            Kind::Mark(b'.') => ends(tokens, at) && !is_note(tokens, at + 1),
            // A note after the full stop belongs to the sentence before it.
            Kind::Note => !is_note(tokens, at + 1) && follows_stop(tokens, at),
            _ => false,
        };
        if end || at + 1 == tokens.len() {
            let until = if is_break(token) { at } else { at + 1 };
            let asked = token.is_mark(b'?');
            if let Some(own) = tokens.get(start..until).filter(|own| own.len() > 1) {
                let from = sink.len();
                let mut statement = statement::read(own, bytes, asked, sink);
                statement.paragraph = paragraph;
                statement.item = item;
                statement.items = (from, sink.len());
                statements.push(statement);
            }
            start = at + 1;
        }
        if is_break(token) {
            item = token.has(scan::LISTED);
        }
        if token.kind == Kind::Row {
            let (start, end) = (token.start, token.end);
            let items = (sink.len(), sink.len());
            statements.push(Statement {
                start,
                end,
                items,
                paragraph,
                row: true,
                ..Statement::default()
            });
        }
        paragraph = paragraph.saturating_add(u16::from(token.kind == Kind::Blank));
    }
}

/// Ends whatever stands before it and belongs to nothing.
fn is_break(token: &Token) -> bool {
    matches!(token.kind, Kind::Break | Kind::Blank | Kind::Row)
}

fn is_note(tokens: &[Token], at: usize) -> bool {
    tokens.get(at).is_some_and(|token| token.kind == Kind::Note)
}

/// Whether nothing but notes stands between here and the full stop before.
fn follows_stop(tokens: &[Token], at: usize) -> bool {
    let mut before = tokens.get(..at).unwrap_or_default().iter().rev();
    before.find(|token| token.kind != Kind::Note).is_some_and(|token| token.is_mark(b'.'))
}

/// A full stop that ends a sentence: space after it, and no abbreviation before it.
fn ends(tokens: &[Token], at: usize) -> bool {
    let Some(stop) = tokens.get(at) else { return true };
    let Some(next) = tokens.get(at + 1) else { return true };
    if next.start == stop.end {
        // `.)` and `."` end; `.com` and `.,` do not.
        return matches!(
            next.kind,
            Kind::Mark(b')' | b'"' | b']' | b'*') | Kind::Break | Kind::Blank | Kind::Note
        );
    }
    let Some(before) = at.checked_sub(1).and_then(|at| tokens.get(at)) else { return true };
    let length = before.end - before.start;
    let short = before.is_word() && before.is(words::SHORT) && before.end == stop.start;
    // "Smith v. Jones", "J. Smith".
    let initial = before.is_word() && length == 1 && (short || before.has(scan::CAPITAL));
    let dotted = before.is_word() && before.is(words::EXAMPLE) && length == 3;
    let more = next.is_word() && next.has(scan::CAPITAL);
    // After a small word a single letter is a label that ends its sentence: "we conclude X."
    let small = |token: &Token| token.is_word() && !token.has(scan::CAPITAL);
    let labelled = !short && at.checked_sub(2).and_then(|at| tokens.get(at)).is_some_and(small);
    !(dotted
        || (short && (!more || before.has(scan::CAPITAL)))
        || (initial && more && at > 2 && !labelled))
}
