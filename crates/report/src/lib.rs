//! What an audit, a debate, a ledger or a reconciliation came to, written for people and programs.
//!
//! Pages are self-contained HTML with charts in SVG: no script, no request. Text that agents wrote is
//! escaped for the format it goes into. Nothing here opens a file or a connection: every report is a
//! value, or is written to the [`std::io::Write`] it is given.

pub mod audit;
mod chart;
pub mod check;
pub mod debate;
mod escape;
pub mod ledger;
mod marks;
mod page;
pub mod problems;
pub mod reconcile;
pub mod site;
mod words;

pub use audit::json::{List, SCHEMA, VERSION};
pub use audit::markdown::{escape, fenced, span};
pub use escape::{JsonText, Piece, Xml, pieces};
pub use page::{Page, Place, STYLESHEET, Site, line, shown};
pub use words::{count, day, excerpt, flips, grouped, positions, share, stamps};
