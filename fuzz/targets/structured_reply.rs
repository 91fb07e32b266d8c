//! Any text, read as a reply by a schema.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| rebuttal_fuzz::structured_reply(bytes));
