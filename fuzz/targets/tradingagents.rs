//! Any bytes, read as `tradingagents`.
#![no_main]

use rebuttal_transcripts::Format;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    rebuttal_fuzz::transcripts(bytes, Some(Format::TradingAgents));
});
