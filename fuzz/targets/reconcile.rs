//! Any two texts as reports of two agents.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| rebuttal_fuzz::reconcile(bytes));
