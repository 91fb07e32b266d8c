//! Any bytes, read as agents' reports.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| rebuttal_fuzz::reports(bytes));
