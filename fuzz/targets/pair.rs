//! Any two texts, side by side.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| rebuttal_fuzz::pair(bytes));
