"""A linear head on the sentence encoder's vectors: how good readers find a short argument.

    python evidence.py sentences --data TRAIN --out ARGUMENTS.jsonl
    (crates/detect's example text_features turns ARGUMENTS.jsonl into FEATURES.jsonl and VECTORS)
    python evidence.py choose --data TRAIN --features FEATURES.jsonl --vectors VECTORS
    python evidence.py fit --data TRAIN --features FEATURES.jsonl --vectors VECTORS --out WEIGHTS.rs

Fitted on the arguments of IBM-ArgQ-Rank-30kArgs (its training part only), each with the share of readers who would
recommend it, weighted by how reliable they are. Ridge regression on the encoder's vector and eight marks of form: words and
how far they are from the usual number, capitals, exclamation and question marks, the length of words, a mark at the end, and how specific the
rules find it. `choose` prints what marks and penalties are worth on the training part itself, in five folds of topics
that were not fitted to; no development row is read.
"""

import argparse
import json
import os

import numpy as np
from scipy.stats import spearmanr
from sklearn.linear_model import Ridge

import heads
import rows

PENALTY = 50.0
# Marks of form count for less than their deviation: what is said should decide.
FORM = 0.3
# The arguments have at most about this many words; what more of them would be worth they do not say.
MOST_WORDS = 40
# The logarithm of how many an argument has mostly; one much shorter or longer is liked less.
MIDDLE = 2.9
FOLDS = 5


def arguments(data):
    return list(rows.read(os.path.join(data, "ibm_argq30k_train.jsonl.gz")))


def sentences(args):
    with open(args.out, "w") as out:
        for row in arguments(args.data):
            out.write(json.dumps({"text": row["text_b"]}) + "\n")


def form(text, specificity):
    """As `crates/detect/src/evidence/head.rs` counts it."""
    words = text.split()
    long = np.log(1 + min(len(words), MOST_WORDS))
    return [
        long, (long - MIDDLE) ** 2, sum(c.isupper() for c in text) / max(1, len(text)), min(3, text.count("!")), min(3, text.count("?")),
        np.mean([len(word) for word in words]) if words else 0.0, float(text.rstrip()[-1:] in tuple(".!?")), specificity,
    ]


def read(args):
    """Vectors, marks and labels of the arguments, and the topic of each."""
    made = arguments(args.data)
    vectors = np.fromfile(args.vectors, dtype="<f4").reshape(-1, heads.WIDTH).astype(np.float64)
    with open(args.features) as lines:
        specific = [json.loads(line)["specificity"] for line in lines]
    assert len(made) == len(vectors) == len(specific)
    marks = np.array([form(row["text_b"], value) for row, value in zip(made, specific)])
    topics = sorted({row["text_a"] for row in made})
    return vectors, marks, np.array([row["wa"] for row in made]), np.array([topics.index(row["text_a"]) for row in made])


def choose(args):
    vectors, marks, labels, topics = read(args)
    marks = (marks - marks.mean(0)) / marks.std(0)
    without = [at for at in range(marks.shape[1]) if at not in (1, 7)]
    for name, columns in (("six marks", without), ("and specificity", without + [7]), ("and far from the usual length", without + [1, 7])):
        for weight in (0.1, 0.3, 1.0):
            for penalty in (20, 50, 100):
                numbers = np.hstack([vectors, marks[:, columns] * weight])
                found = []
                for fold in range(FOLDS):
                    held = topics % FOLDS == fold
                    model = Ridge(alpha=penalty).fit(numbers[~held], labels[~held])
                    found.append(spearmanr(model.predict(numbers[held]), labels[held])[0])
                print(f"{name}, weight {weight}, penalty {penalty}: {np.mean(found):.4f}")


def fit(args):
    vectors, marks, labels, _ = read(args)
    mean, deviation = marks.mean(0), marks.std(0)
    model = Ridge(alpha=PENALTY).fit(np.hstack([vectors, (marks - mean) / deviation * FORM]), labels)
    head, marked = model.coef_[: heads.WIDTH], model.coef_[heads.WIDTH :] / deviation * FORM
    offset = model.intercept_ - marked @ mean
    said = vectors @ head + marks @ marked + offset
    print(f"deviation of the head over {len(labels)} arguments {said.std():.5f}")
    parts = ["//! A head on the sentence encoder's vectors. Written by `training/evidence.py`; do not edit.\n"]
    parts.append(heads.constant("ARGUMENT", "What each number of a vector adds to an argument's quality.", head))
    parts.append(heads.constant("FORM", "What each mark of form adds.", marked))
    parts.append(f"/// What is added to their sum.\npub(super) const OFFSET: f32 = {offset:.5f};")
    parts.append(f"/// How far arguments lie apart.\npub(super) const DEVIATION: f32 = {said.std():.5f};")
    with open(args.out, "w") as out:
        out.write("\n".join(parts) + "\n")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("step", choices=["sentences", "choose", "fit"])
    for name in ("data", "features", "vectors", "out"):
        parser.add_argument(f"--{name}")
    args = parser.parse_args()
    {"sentences": sentences, "choose": choose, "fit": fit}[args.step](args)


if __name__ == "__main__":
    main()
