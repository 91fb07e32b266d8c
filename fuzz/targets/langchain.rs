//! Any bytes, read as `langchain`.
#![no_main]

use rebuttal_transcripts::Format;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    rebuttal_fuzz::transcripts(bytes, Some(Format::LangChain));
});
