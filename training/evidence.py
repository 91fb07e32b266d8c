"""A linear head on the sentence encoder's vectors: how good readers find a short argument.

    python evidence.py sentences --data TRAIN --out ARGUMENTS.jsonl
    (crates/detect's example text_features turns ARGUMENTS.jsonl into FEATURES.jsonl and VECTORS)
    python evidence.py fit --data TRAIN --vectors VECTORS --out WEIGHTS.rs

Fitted on arguments of IBM-ArgQ-Rank-30kArgs (its training part only), each with the share of readers who would
recommend it, weighted by how reliable they are. Ridge regression on the encoder's vector and six marks of form: words,
capitals, exclamation and question marks, the length of words, a mark at the end. The penalty was one of 1, 3, 10, 20
and 30, looking at a thousand development rows; from 3 on they hardly differ.
"""

import argparse
import json
import os
import random

import numpy as np
from sklearn.linear_model import Ridge

import heads
import rows

SAMPLE = 9000
PENALTY = 20.0
# Marks of form count for less than their deviation: what is said should decide.
FORM = 0.1


def chosen(data):
    """The arguments that are used, always the same."""
    found = list(rows.read(os.path.join(data, "ibm_argq30k_train.jsonl.gz")))
    return random.Random(5).sample(found, SAMPLE)


def sentences(args):
    with open(args.out, "w") as out:
        for row in chosen(args.data):
            out.write(json.dumps({"text": row["text_b"]}) + "\n")


def form(text):
    """As `crates/detect/src/evidence/head.rs` counts it."""
    words = text.split()
    return [
        np.log(1 + len(words)), sum(c.isupper() for c in text) / max(1, len(text)), min(3, text.count("!")), min(3, text.count("?")),
        np.mean([len(word) for word in words]) if words else 0.0, float(text.rstrip()[-1:] in tuple(".!?")),
    ]


def fit(args):
    made = chosen(args.data)
    vectors = np.fromfile(args.vectors, dtype="<f4").reshape(-1, heads.WIDTH).astype(np.float64)
    assert len(made) == len(vectors)
    marks = np.array([form(row["text_b"]) for row in made])
    mean, deviation = marks.mean(0), marks.std(0)
    model = Ridge(alpha=PENALTY).fit(np.hstack([vectors, (marks - mean) / deviation * FORM]), [row["wa"] for row in made])
    head, marked = model.coef_[: heads.WIDTH], model.coef_[heads.WIDTH :] / deviation * FORM
    offset = model.intercept_ - marked @ mean
    said = vectors @ head + marks @ marked + offset
    print(f"deviation of the head over {len(made)} arguments {said.std():.5f}")
    parts = ["//! A head on the sentence encoder's vectors. Written by `training/evidence.py`; do not edit.\n"]
    parts.append(heads.constant("ARGUMENT", "What each number of a vector adds to an argument's quality.", head))
    parts.append(heads.constant("FORM", "What each mark of form adds.", marked))
    parts.append(f"/// What is added to their sum.\npub(super) const OFFSET: f32 = {offset:.5f};")
    parts.append(f"/// How far arguments lie apart.\npub(super) const DEVIATION: f32 = {said.std():.5f};")
    with open(args.out, "w") as out:
        out.write("\n".join(parts) + "\n")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("step", choices=["sentences", "fit"])
    for name in ("data", "vectors", "out"):
        parser.add_argument(f"--{name}")
    args = parser.parse_args()
    {"sentences": sentences, "fit": fit}[args.step](args)


if __name__ == "__main__":
    main()
