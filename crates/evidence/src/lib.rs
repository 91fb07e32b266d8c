//! The user's own documents as evidence: passages with their places, an index over them, and checks of
//! what is cited from them.
//!
//! Reading files is the only IO; whatever is wrong with one becomes a [`Problem`](rebuttal_model::Problem)
//! and the others are read. The same documents give the same passages, ids, order and verdicts on every
//! machine.
//!
//! ```
//! use rebuttal_detect::Reader;
//! use rebuttal_evidence::{Citation, Index, Verdict, check};
//! use rebuttal_model::{Passage, Place};
//! use rebuttal_semantics::BuiltinVectors;
//!
//! let passage = Passage::new("costs.md", Place::Lines(3, 3), "Hosting cost 41,000 euros in 2023.");
//! let index = Index::new(vec![passage], Box::new(BuiltinVectors));
//! let nearest = index.search("What did hosting cost?", 5);
//! assert_eq!(nearest[0].passage.locator(), "costs.md, line 3");
//!
//! let cited = Citation { passage: Some(nearest[0].passage.id.clone()), ..Citation::default() };
//! let checked = check("Hosting cost 61,000 euros in 2023.", &cited, &index, Reader::Rules);
//! assert_eq!(checked.verdict, Verdict::WrongNumber);
//! ```

mod check;
mod claims;
mod documents;
mod facts;
mod finding;
mod index;
pub mod limits;
mod split;

pub use check::{Checked, Citation, check};
pub use claims::{Statement, cited, statements};
pub use documents::{Document, Documents, Limits, gives_orders};
pub use facts::facts;
pub use finding::finding;
pub use index::{Hit, Index};
pub use rebuttal_model::{CitationVerdict as Verdict, Cites};
