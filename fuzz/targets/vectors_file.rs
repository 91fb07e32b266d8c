//! Any bytes, loaded as a table of static vectors.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| rebuttal_fuzz::vectors_file(bytes));
