//! Any bytes, loaded as a model.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| rebuttal_fuzz::model_file(bytes));
