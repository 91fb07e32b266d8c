//! Any text, read in every way there is.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| rebuttal_fuzz::reading(bytes));
