//! The library as other programs use it.

mod audit;
mod instances;

/// Three agents agree with nothing behind it, and one of them turns round.
const HOLLOW: &str = "\
user: Should we move to Kubernetes?
ann: Yes, we should move. It is clearly the best way forward, and everybody in the field agrees.
ben: Yes, we should move. It is clearly the best way forward, and everybody in the field agrees.
cam: Yes, we should move. It is clearly the best way forward, and everybody in the field agrees.
ann: Yes, we should move. It is clearly the best way forward, and everybody in the field agrees.
ben: Yes, we should move. It is clearly the best way forward, and everybody in the field agrees.
cam: No, we should not move to Kubernetes. It is clearly not the best way forward for us today.
";
