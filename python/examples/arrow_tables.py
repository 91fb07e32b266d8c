"""Flips as tables: Polars and DuckDB read them without a copy."""

import duckdb
import polars

from rebuttal import detect_flips

flips = detect_flips([
    {"agent": "claude", "claim": "The cache is safe to share.", "at": "2026-01-05T09:00:00Z"},
    {"agent": "claude", "claim": "The cache is not safe to share.", "at": "2026-02-05T09:00:00Z"},
])
frame = polars.DataFrame(flips.to_arrow())
print(frame.select("agent_name", "flip_type", "silent"))
print(duckdb.sql("select agent_name, count(*) as flips from frame group by agent_name").fetchall())
