//! What is going on while one file is read: the sink, and the transcripts that single turns join.

use rebuttal_model::{ProblemKind, Span, limits};

use crate::Format;
use crate::json::{Fault, Json};
use crate::open::{Open, OpenDebates};
use crate::out::Out;
use crate::place::Place;
use crate::reports::KeptReports;
use crate::talk::{Said, Talk};

/// Reading one file.
pub(crate) struct Session<'s> {
    pub(crate) out: Out<'s>,
    /// The transcripts that turns standing alone on a line belong to.
    open: OpenDebates,
    first_format: Option<Format>,
    mixed: bool,
    /// What to say when the file turns out to hold nothing.
    if_silent: Option<&'static str>,
    /// The reports found, where reports are wanted and not only conversations.
    pub(crate) reports: Option<KeptReports>,
}

impl<'s> Session<'s> {
    pub(crate) fn new(out: Out<'s>) -> Self {
        Self {
            out,
            open: OpenDebates::default(),
            first_format: None,
            mixed: false,
            if_silent: None,
            reports: None,
        }
    }

    /// Reads agents' reports where there are any, and transcripts everywhere else.
    pub(crate) fn for_reports(out: Out<'s>) -> Self {
        Self { reports: Some(KeptReports::default()), ..Self::new(out) }
    }

    /// Longest line read: one that holds a report is as long as the report.
    pub(crate) fn line_bytes_max(&self) -> usize {
        if self.reports.is_some() { limits::DOCUMENT_BYTES } else { limits::LINE_BYTES }
    }

    /// Delivers the open transcripts and closes the books. No file is passed over in silence.
    pub(crate) fn finish(&mut self) {
        self.flush();
        if self.is_silent() {
            let message = self.if_silent.unwrap_or(
                "was read to its end, and nobody says anything in it; is this the right file, or \
                 another format? Name it with --from",
            );
            self.out.problem(ProblemKind::MissingField, None, message);
        }
        self.out.finish();
    }

    /// True when nothing came of the file so far, not even a problem.
    pub(crate) fn is_silent(&self) -> bool {
        let reports = self.reports.as_ref().is_some_and(|held| !held.is_empty());
        self.out.transcripts() == 0 && self.out.problems() == 0 && !reports
    }

    /// Why there may be nothing in this file.
    pub(crate) fn if_silent(&mut self, message: &'static str) {
        self.if_silent = Some(message);
    }

    /// Delivers all transcripts that single turns were joining.
    pub(crate) fn flush(&mut self) {
        self.open.flush(&mut self.out);
    }

    /// Starts a new transcript for the single turns that follow.
    pub(crate) fn begin(&mut self, format: Format, key: Option<&str>, question: Option<String>) {
        self.open.restart(format, key, &mut self.out);
        if let Some(open) = self.open.enter(format, key, 1, &mut self.out) {
            open.talk.question = question;
        }
    }

    /// Takes note of the format of one record, and says once when a file mixes them.
    pub(crate) fn saw(&mut self, format: Format, line: u32) {
        let first = *self.first_format.get_or_insert(format);
        if first.family() != format.family() && !std::mem::replace(&mut self.mixed, true) {
            let message = format!(
                "this record looks like {}, but the file began as {}; both are read. To read the \
                 whole file as one format, name it with --from",
                format.name(),
                first.name()
            );
            self.out.problem(ProblemKind::Mixed, Some(line), &message);
        }
    }
}

/// What an importer needs: the session, and where its bytes come from.
pub(crate) struct Cx<'c, 's> {
    pub(crate) session: &'c mut Session<'s>,
    pub(crate) place: &'c Place<'c>,
}

impl Cx<'_, '_> {
    pub(crate) fn problem(&mut self, kind: ProblemKind, span: Span, message: &str) {
        let line = self.place.line(span.start());
        self.session.out.problem(kind, Some(line), message);
    }

    pub(crate) fn push(&mut self, talk: &mut Talk, said: Said) {
        talk.push(said, self.place, &mut self.session.out);
    }

    /// Delivers a transcript that came as a whole; says so when there is nothing in it.
    pub(crate) fn finish(&mut self, mut talk: Talk, format: Format, span: Span) {
        self.session.open.flush_nameless(&mut self.session.out);
        if talk.is_empty() {
            let message = format!(
                "a record of format {} holds no turn with text; it was left out",
                format.name()
            );
            self.problem(ProblemKind::MissingField, span, &message);
        }
        talk.format = Some(format);
        talk.finish(&mut self.session.out);
    }

    /// The open transcript with this key, for something said at `span`.
    fn enter(&mut self, format: Format, key: Option<&str>, span: Span) -> Option<&mut Open> {
        let line = self.place.line(span.start());
        self.session.open.enter(format, key, line, &mut self.session.out)
    }

    /// Sets the question of an open transcript, where it has none yet.
    pub(crate) fn ask(&mut self, format: Format, key: Option<&str>, span: Span, question: String) {
        if let Some(open) = self.enter(format, key, span) {
            open.talk.question.get_or_insert(question);
        }
    }

    /// Adds a turn that stands alone. Turns with the same key are one transcript.
    pub(crate) fn loose(&mut self, format: Format, key: Option<&str>, said: Said) {
        let line = self.place.line(said.span.start());
        let Session { open, out, .. } = &mut *self.session;
        if let Some(joined) = open.enter(format, key, line, out) {
            joined.talk.push(said, self.place, out);
        }
        open.keep_within(out);
    }

    /// Adds a turn unless its text was heard in this transcript before.
    pub(crate) fn loose_once(&mut self, format: Format, key: Option<&str>, said: Said) {
        if self.enter(format, key, said.span).is_some_and(|open| open.hear(&said.text)) {
            self.loose(format, key, said);
        }
    }

    /// Adds a turn in any case, and remembers its text.
    pub(crate) fn loose_heard(&mut self, format: Format, key: Option<&str>, said: Said) {
        if let Some(open) = self.enter(format, key, said.span) {
            open.hear(&said.text);
        }
        self.loose(format, key, said);
    }

    /// Reports what the JSON reader forgave, and why it stopped.
    pub(crate) fn report_json(&mut self, json: &Json<'_>, unit: &str) {
        let notes = json.notes;
        let forgiven = [
            (
                notes.surrogates,
                ProblemKind::Encoding,
                "half of a surrogate pair",
                "replaced by U+FFFD",
            ),
            (notes.bad_utf8, ProblemKind::Encoding, "text that is not UTF-8", "replaced by U+FFFD"),
            (notes.controls, ProblemKind::Encoding, "a raw control character in a string", "kept"),
        ];
        for (tally, kind, what, done) in forgiven {
            // A column takes a look back over its line; nobody will read it beyond the cap.
            if tally.count > 0 && self.session.out.is_full() {
                self.session.out.problem(kind, None, "");
            } else if tally.count > 0 {
                let message = format!(
                    "{what} (column {}, {} in this {unit}); {done}",
                    self.place.column(tally.first),
                    times(tally.count)
                );
                self.problem(kind, Span::new(tally.first, tally.first), &message);
            }
        }
        if let Some(broken) = json.broken {
            let (kind, what) = describe(broken.fault);
            let message = format!(
                "not valid JSON from column {} on: {what}; this part of the {unit} was skipped",
                self.place.column(broken.at)
            );
            self.problem(kind, Span::new(broken.at, broken.at), &message);
        }
    }
}

fn times(count: usize) -> String {
    if count == 1 { "once".to_owned() } else { format!("{count} times") }
}

fn describe(fault: Fault) -> (ProblemKind, String) {
    match fault {
        Fault::End => {
            (ProblemKind::Malformed, "the text ends too early; was it cut off?".to_owned())
        }
        Fault::OpenString => (ProblemKind::Malformed, "a string is never closed".to_owned()),
        Fault::Unexpected => (ProblemKind::Malformed, "an unexpected character".to_owned()),
        Fault::Escape => (ProblemKind::Malformed, "an unknown escape sequence".to_owned()),
        Fault::Depth => (
            ProblemKind::Limit,
            format!("nested deeper than the limit of {} levels", limits::JSON_DEPTH),
        ),
        Fault::Nodes => {
            (ProblemKind::Limit, format!("more than the limit of {} values", limits::JSON_NODES))
        }
    }
}
