"""Writes how pairs of texts are encoded for the reader: the fixture of judge.rs.

    python training/pairs_fixture.py <folder of all-MiniLM-L6-v2> \
        crates/semantics/tests/data/pairs.json
"""

import json
import sys
from pathlib import Path

from tokenizers import Tokenizer

from reader import encode

SHORT = "Should the harbour be closed at night?"
LONG = " ".join(f"Point {n}: the ferries carried {n * 37} passengers, and unaffably so." for n in range(40))
PAIRS = [
    (SHORT, "No."),
    (SHORT, ""),
    ("", SHORT),
    (SHORT, LONG),
    (LONG, SHORT),
    (LONG, LONG),
    (f"{SHORT} {LONG}", f"I had it backwards. {LONG} So I now say yes."),
    (SHORT * 9, LONG),
    (LONG, SHORT * 9),
    ("Is 3.5 % too much?", "  Na\u00efve\nquestion\u2014\u201cyes\u201d \u2026 `x == 1`  "),
]


def main():
    base, out = Path(sys.argv[1]), Path(sys.argv[2])
    tokenizer = Tokenizer.from_file(str(base / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    encoded = encode(tokenizer, PAIRS, 176)
    rows = [{"first": a, "second": b, "ids": ids.tolist(), "split": split} for (a, b), (ids, split) in zip(PAIRS, encoded)]
    lines = ",\n".join(json.dumps(row, separators=(",", ":")) for row in rows)
    out.write_text(f"[\n{lines}\n]\n")


if __name__ == "__main__":
    main()
