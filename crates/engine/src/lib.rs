//! Carries out what the pure crates decide.
//!
//! [`reconcile::reconcile`] takes agents' reports to a consensus; [`arbitration`] rules on what
//! was found, by rules or by asking a model. [`debate`] runs debates, and [`hindsight`] says of
//! those that others ran where it would have stepped in.

pub mod arbitration;
pub mod debate;
pub mod hindsight;
pub mod ledger;
pub mod reconcile;
