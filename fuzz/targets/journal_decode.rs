//! Any bytes, checked as an exported journal.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| rebuttal_fuzz::journal_decode(bytes));
