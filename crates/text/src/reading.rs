//! One text, read once; every question about it is then cheap.

mod spare;

use rebuttal_model::{Owner, Span};

use crate::lexicon::{Group, Hit, Hits, Lexicon};
use crate::normalise::Clean;
use crate::segments::{self, Segment};
use crate::sentences::{self, Sentence};
use crate::tokens::{self, Kind, Token};
use spare::Spare;

/// A piece of the original text that decided something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cue {
    /// Its bytes in the original text.
    pub span: Span,
    /// Which group of which lexicon it belongs to.
    pub group: &'static str,
}

/// A text, read once: tokens, phrases, sentences and segments.
///
/// ```
/// use rebuttal_text::Reading;
///
/// let reading = Reading::new("On reflection, I was wrong about the cost.");
/// assert!(reading.acknowledgment().is_some());
/// ```
#[derive(Clone, Debug)]
pub struct Reading<'t> {
    original: &'t str,
    clean: Clean<'t>,
    pub(crate) tokens: Vec<Token>,
    pub(crate) hits: Hits,
    pub(crate) sentences: Vec<Sentence>,
    pub(crate) segments: Vec<Segment>,
}

impl Drop for Reading<'_> {
    fn drop(&mut self) {
        let (tokens, hits) = (std::mem::take(&mut self.tokens), std::mem::take(&mut self.hits));
        let sentences = std::mem::take(&mut self.sentences);
        let segments = std::mem::take(&mut self.segments);
        Spare { tokens, hits, sentences, segments }.keep();
    }
}

impl<'t> Reading<'t> {
    /// Reads a text.
    pub fn new(original: &'t str) -> Self {
        #[cfg(feature = "count-readings")]
        crate::counted::count(original);
        let lexicon = Lexicon::english();
        let clean = Clean::new(original);
        let Spare { mut tokens, mut hits, mut sentences, mut segments } = Spare::take();
        tokens::scan(clean.text(), lexicon, &mut tokens);
        lexicon.find(&tokens, &mut hits);
        sentences::cut(clean.text(), &tokens, &hits, &mut sentences);
        segments::cut(clean.text(), &tokens, &hits, &sentences, &mut segments);
        Self { original, clean, tokens, hits, sentences, segments }
    }

    /// The text as it was given.
    pub fn original(&self) -> &'t str {
        self.original
    }

    /// The text after normalisation; what the scanners for quantities and citations read.
    pub fn clean(&self) -> &str {
        self.clean.text()
    }

    /// Bytes of the clean text as bytes of the original.
    pub fn original_span(&self, clean: Span) -> Span {
        self.clean.original_span(clean)
    }

    /// Where each sentence stands in the original text.
    pub fn sentence_spans(&self) -> impl Iterator<Item = Span> {
        self.sentences.iter().filter_map(|sentence| self.span_of(sentence.tokens.clone()))
    }

    /// The answer after a label: `Rating: SELL`, `Final answer: (B)`; the last one, where there are several.
    pub fn labelled_answer(&self) -> Option<Span> {
        let mut labels = self.hits.iter().rev().filter(|hit| hit.group == Group::Label);
        labels.find_map(|label| self.answer_after(*label))
    }

    fn answer_after(&self, label: Hit) -> Option<Span> {
        const ANSWER_TOKENS: usize = 4;
        let colon = label.end as usize;
        if !self.tokens.get(colon)?.is_mark(b':') || !self.is_own_statement(label.first as usize) {
            return None;
        }
        let ends = |token: &Token| {
            matches!(
                token.kind,
                Kind::Break | Kind::Blank | Kind::Mark(b'.' | b',' | b';' | b'!' | b'?' | b'-')
            )
        };
        let rest = self.tokens.get(colon + 1..)?;
        let length = rest.iter().take(ANSWER_TOKENS + 1).position(ends).unwrap_or(rest.len());
        let own = rest.get(..length).filter(|own| own.len() <= ANSWER_TOKENS)?;
        let worded = |token: &&Token| matches!(token.kind, Kind::Word | Kind::Number);
        let (first, last) = (own.iter().find(worded)?, own.iter().rfind(worded)?);
        Some(self.original_span(first.span().join(last.span())))
    }

    /// True when the text ends by asking something.
    pub fn asks(&self) -> bool {
        self.sentences.last().is_some_and(|sentence| sentence.question)
    }

    /// Number of words.
    pub fn word_count(&self) -> usize {
        self.tokens.iter().filter(|token| token.is_word()).count()
    }

    /// The original bytes of a run of tokens.
    pub(crate) fn span_of(&self, range: std::ops::Range<usize>) -> Option<Span> {
        let body = self.tokens.get(range)?;
        let span = body.first()?.span().join(body.last()?.span());
        Some(self.original_span(span))
    }

    /// The words of a token, as cleaned.
    pub(crate) fn word(&self, token: usize) -> &str {
        self.tokens
            .get(token)
            .and_then(|token| token.span().of(self.clean.text()))
            .unwrap_or_default()
    }

    /// True for a capital in the middle of a sentence: part of a name ("Traffic Safety
    /// Administration"). All capitals are emphasis, not a name.
    pub(crate) fn is_name(&self, segment: &Segment, token: usize) -> bool {
        let opens = segment.first && token == segment.tokens.start;
        let mut letters = self.word(token).chars();
        let capital = letters.next().is_some_and(char::is_uppercase);
        capital && !opens && letters.any(char::is_lowercase)
    }

    /// The phrases that start within these tokens, by where they start.
    pub(crate) fn hits_in(&self, range: &std::ops::Range<usize>) -> &[Hit] {
        self.hits.within(range)
    }

    /// A phrase as a cue in the original text.
    pub(crate) fn cue(&self, hit: Hit) -> Cue {
        Cue { span: self.span_of(hit.tokens()).unwrap_or_default(), group: hit.group.name() }
    }

    /// The segment a token stands in.
    pub(crate) fn segment_at(&self, token: usize) -> Option<&Segment> {
        let after = self.segments.partition_point(|segment| segment.tokens.start <= token);
        let segment = self.segments.get(after.checked_sub(1)?)?;
        segment.tokens.contains(&token).then_some(segment)
    }

    /// True when the token stands in the speaker's own words and not in a question.
    pub(crate) fn is_own_statement(&self, token: usize) -> bool {
        self.segment_at(token)
            .is_some_and(|segment| segment.owner == Owner::Speaker && !segment.question)
    }

    /// True when a phrase of `group` covers or touches the hit.
    pub(crate) fn overlapped_by(&self, hit: Hit, group: Group) -> bool {
        // Phrases have a bounded length, so looking a little back is enough.
        const BACK: usize = 10;
        let range = (hit.first as usize).saturating_sub(BACK)..hit.end as usize;
        self.hits_in(&range).iter().any(|other| other.group == group && other.end > hit.first)
    }
}
