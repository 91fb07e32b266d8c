//! Any lines, audited as a debate.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| rebuttal_fuzz::audit(bytes));
