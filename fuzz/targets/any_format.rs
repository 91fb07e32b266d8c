//! Any bytes, the format guessed.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| rebuttal_fuzz::transcripts(bytes, None));
