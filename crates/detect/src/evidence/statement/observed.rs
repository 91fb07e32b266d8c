//! What somebody saw, counted or measured: figures tied to an occasion.
//!
//! People who write notes, charts or reports of their own do not say "according to". What shows that
//! they report and do not guess is the occasion: when, where it can be found again, that they did it
//! themselves, and what it is compared with. A figure about what will be, or of things in general, has
//! no occasion and is nobody's observation.

use super::super::scan::{ENDS_ED, Token};
use super::super::words::{
    COGNITION, CONTRAST, FROM, FUNCTION, FUTURE, GENERIC, HEDGE, NUMERAL, OURS, PAPER, PAST,
    RECORD, SELF, STUDY, UNIT, VERB, WHEN,
};
use super::{ItemKind, Sentence, Sink, figures};

/// A figure with an occasion.
const OBSERVED: f32 = 0.7;
/// A figure set beside another or a count of what happened, without one.
const COMPARED: f32 = 0.4;
/// What somebody did and saw, without a figure.
const WITNESSED: f32 = 0.5;
/// Fewest words that must be about something for that.
const TOLD: u16 = 5;

/// With more connectives than this a sentence argues.
const MOST_CUES: u16 = 2;

/// What ties a sentence to an occasion.
#[derive(Clone, Copy, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a thing of its own that is seen or not")]
pub(super) struct Seen {
    pub(super) figures: u16,
    pub(super) compared: bool,
    pub(super) when: bool,
    pub(super) year: bool,
    /// A number by which it can be found again: "run 118", "page 17".
    pub(super) placed: bool,
    /// The speaker did something.
    pub(super) own: bool,
    /// The speaker says so of itself, with "I" or "we".
    said_so: bool,
    /// A record of the speaker's.
    kept: bool,
    past: bool,
    /// Within a clause on what is to come, and how many figures the clause has so far.
    future: bool,
    in_clause: u16,
    record: bool,
    /// Where the speaker last stood as a subject.
    subject: Option<usize>,
}

impl Seen {
    /// One more figure; what is to come was not seen.
    pub(super) fn figure(&mut self) {
        if !self.future {
            self.figures += 1;
            self.in_clause += 1;
        }
    }

    /// A clause ends, and what was said of the time in it.
    pub(super) fn clause_ends(&mut self) {
        (self.future, self.in_clause) = (false, 0);
    }

    /// Whether the speaker stood just before as the subject, so that what it did may come.
    pub(super) fn subject_near(&self, at: usize) -> bool {
        self.subject.is_some_and(|subject| at - subject <= 3)
    }
}

impl Sentence<'_> {
    /// Looks at a word for what ties it to an occasion.
    pub(super) fn observe(&mut self, at: usize, token: &Token, sink: &mut impl Sink) {
        let class = token.class;
        if class & NUMERAL != 0 {
            self.numeral(at, token, sink);
        }
        if class & CONTRAST != 0 {
            self.compares();
        }
        self.seen.when |= class & WHEN != 0;
        if class & FUTURE != 0 {
            self.seen.future = true;
            self.seen.figures -= self.seen.in_clause;
            self.seen.in_clause = 0;
        }
        let ended = token.has(ENDS_ED) && class & (FUNCTION | NUMERAL) == 0;
        let happened = class & PAST != 0 || ended;
        self.seen.past |= happened;
        self.seen.placed |= figures::is_tag(token) && token.has(super::super::scan::UPPER);
        self.seen.record |= class & PAPER != 0 && class & (VERB | STUDY | GENERIC) == 0;
        if class & OURS != 0 {
            self.seen.subject = Some(at);
        } else if let Some(subject) = self.seen.subject {
            let far = at - subject;
            let act = happened && class & (COGNITION | FUNCTION | HEDGE) == 0;
            if far <= 3 && act {
                self.seen.own = true;
                self.seen.said_so |= self.get(subject).is_some_and(is_subject);
            }
            self.seen.kept |= far <= 3 && class & RECORD != 0;
        }
        // "Counted 17 on the third frame": who writes notes leaves out the "I".
        self.seen.own |= at == self.first_word && act_first(token);
    }

    /// How good an observation the sentence is, 0 if it is none.
    pub(super) fn observation(&self) -> f32 {
        let Seen { figures, compared, when, year, placed, own, kept, past, record, .. } = self.seen;
        let named = self.names > 0 || year || record;
        // References heaped on what gives no figure tie it to nothing.
        let stuffed = self.found.sources > 1 && self.found.data == 0;
        // Who reports what was seen does not argue three times in the same breath.
        let argued = self.cues > MOST_CUES;
        if self.misfits > 0 || self.void.all || stuffed || argued {
            return 0.0;
        }
        let tied = when || placed || own || kept;
        if figures > 0 && (tied || (compared && named)) && (past || !self.verb || compared) {
            OBSERVED
        } else if figures > 0
            && (compared || (past && (self.counts > 0 || (named && self.found.data > 0))))
        {
            COMPARED
        } else if self.seen.said_so && self.found.vague == 0 && self.found.content >= TOLD {
            WITNESSED
        } else {
            0.0
        }
    }

    /// Counts the observation that the sentence is.
    pub(super) fn observed(&mut self, sink: &mut impl Sink) {
        let worth = self.observation();
        if worth == 0.0 {
            return;
        }
        self.found.source = self.found.source.max(worth);
        if worth > COMPARED && !self.found.test {
            self.found.test = true;
            self.found.particulars = self.found.particulars.max(0.5);
            let (start, end) = self.test_at.unwrap_or((self.found.start, self.found.end));
            sink.item(ItemKind::Test, start, end);
        }
    }
}

fn is_subject(token: &Token) -> bool {
    token.is(SELF) || token.end - token.start <= 2
}

fn act_first(token: &Token) -> bool {
    let act = token.has(ENDS_ED) || (token.is(PAST) && !token.is(FUNCTION | UNIT));
    act && !token.is(COGNITION | FUNCTION | FROM | NUMERAL)
}
