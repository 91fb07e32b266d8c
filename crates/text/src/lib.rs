//! Reads text: from bytes to sentences, claims, stance and evidence.
//!
//! Pure and linear-time: no IO, no clock, no model, and no input that makes it slow. A text is
//! [read](Reading::new) once, and every question about it is then cheap. Every span handed out lands on the
//! *original* text, whatever normalisation did to the copy that was read.

mod acknowledgment;
mod answers;
mod asked;
mod citations;
mod claims;
mod content;
#[cfg(feature = "count-readings")]
mod counted;
mod evidence;
mod fence;
mod figures;
mod hedging;
mod injection;
mod lexicon;
mod nearest;
mod negation;
mod normalise;
mod particulars;
mod periods;
mod places;
mod quantities;
mod reading;
mod roots;
mod segments;
mod senses;
mod sentences;
mod specificity;
mod stance;
mod things;
mod tokens;
mod traits;
mod words;

pub use answers::{Explicit, FinalAnswer, Given, StatedSide, side_named};
pub use asked::{Asked, Choice, MOST_OPTIONS, plain};
pub use citations::{Citation, CitationKind};
pub use claims::{ClaimReading, Side, Term};
pub use content::{Clause, Content, ContentWord, Range};
#[cfg(feature = "count-readings")]
pub use counted::readings_of;
pub use fence::{fence_name, may_hold_fence_name, without_template_marks};
pub use figures::{Figure, Figures, Marks, MetricWord, Notes, Trend};
pub use hedging::Hedging;
pub use nearest::nearest;
pub use normalise::{Clean, hidden, one_line, visible};
pub use particulars::Particular;
pub use periods::{Grain, Period, Relation};
pub use quantities::{Quantity, Unit, Value};
pub use reading::{Cue, Reading};
pub use senses::Tie;
pub use stance::{Attitude, Basis, Before, Piece, Previous, StanceReading, Topic, Weighing};
