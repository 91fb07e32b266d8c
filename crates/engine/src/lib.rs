//! Carries out what the pure crates decide.
//!
//! [`reconcile::reconcile`] takes agents' reports to a consensus; [`arbitration`] rules on what
//! was found, by rules or by asking a model. [`debate`] runs debates.

pub mod arbitration;
pub mod debate;
pub mod ledger;
pub mod reconcile;
