//! Any text, cut into word pieces.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| rebuttal_fuzz::wordpiece(bytes));
