//! Any bytes, read as a file of positions.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| rebuttal_fuzz::positions_file(bytes));
