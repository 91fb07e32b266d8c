//! The library as other programs use it.
//!
//! `cfg(test)` on the modules tells clippy that helpers in them are test code as well.

#[cfg(test)]
mod audit;
#[cfg(test)]
mod examples;
#[cfg(test)]
mod instances;

/// Three agents agree with nothing behind it, and one of them turns round.
#[cfg(test)]
const HOLLOW: &str = "\
user: Should we move to Kubernetes?
ann: Yes, we should move. It is clearly the best way forward, and everybody in the field agrees.
ben: Yes, we should move. It is clearly the best way forward, and everybody in the field agrees.
cam: Yes, we should move. It is clearly the best way forward, and everybody in the field agrees.
ann: Yes, we should move. It is clearly the best way forward, and everybody in the field agrees.
ben: Yes, we should move. It is clearly the best way forward, and everybody in the field agrees.
cam: No, we should not move to Kubernetes. It is clearly not the best way forward for us today.
";
