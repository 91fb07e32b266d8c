//! Any bytes, read as a provider's streamed reply.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| rebuttal_fuzz::provider_reply(bytes));
