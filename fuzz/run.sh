#!/bin/sh
# Builds every fuzz target once and runs each over its corpus, then for SECONDS on fresh input.
#
#     fuzz/run.sh SECONDS [TARGET...]
#
# One line for each target; exit 1 when one of them crashed (the input is then in fuzz/artifacts).
set -u
seconds=${1:?usage: fuzz/run.sh SECONDS [TARGET...]}
shift
here=$(cd "$(dirname "$0")" && pwd)
target_dir=${CARGO_TARGET_DIR:-$here/target}
# Coverage for libFuzzer on a stable compiler, without cargo-fuzz. `--target` keeps the flags away
# from build scripts and macros, which have no fuzzer to link with.
host=$(rustc -vV | sed -n 's/^host: //p')
flags="-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
-Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
-Cllvm-args=-sanitizer-coverage-trace-compares -Ccodegen-units=1 --cfg fuzzing"
CARGO_TARGET_DIR=$target_dir RUSTFLAGS=$flags cargo build --quiet --release --locked \
    --manifest-path "$here/Cargo.toml" --target "$host" --features "${FUZZ_FEATURES:-}" --bins || exit 2

targets=${*:-$(for file in "$here"/targets/*.rs; do basename "$file" .rs; done)}
mkdir -p "$here/artifacts"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
for name in $targets; do
    # New inputs go to a scratch directory: the corpus in the repository grows by hand only.
    mkdir -p "$work/$name" "$here/corpus/$name"
    log=$work/$name.log
    if "$target_dir/$host/release/$name" "$work/$name" "$here/corpus/$name" \
        -max_total_time="$seconds" -max_len=4096 -rss_limit_mb=1024 -timeout=10 \
        -artifact_prefix="$here/artifacts/$name-" -print_final_stats=1 >"$log" 2>&1; then
        verdict=
    else
        verdict=" CRASHED"
        failed=1
    fi
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log" | tail -1)
    cov=$(sed -n 's/.* cov: \([0-9]*\).*/\1/p' "$log" | tail -1)
    echo "$name: ${runs:-0} runs, cov ${cov:-0}$verdict"
    if [ -n "$verdict" ]; then
        grep -E 'panicked|assertion|ERROR|SUMMARY|Test unit written' "$log" | head -8
    fi
done
exit $failed
