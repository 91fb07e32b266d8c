"""Weighs the inference model and the rules together, and says what each part is worth.

    python combine.py rows   --dev DEV [--most N] --out ROWS.jsonl
    (crates/detect's example pair_features turns ROWS.jsonl and a model into FEATURES.jsonl)
    python combine.py fit    --features FEATURES.jsonl --out WEIGHTS.rs
    python combine.py ablate --features FEATURES.jsonl

The parts are added as log odds of a contradiction, as for witnesses that err on their own: the
model there, the model back at a third, the rules at four fifths; where numbers are compared the rules count
for more and the model for less. That was chosen by the AUROC over all sets; only a scale and an offset are fitted, for calibration, on every second row of one set, `a_litl_val`, which
the encoder was not trained on. The other rows and all other sets are measured on.
"""

import argparse
import json
import os
import random

import numpy as np
from scipy.optimize import minimize
from sklearn.metrics import roc_auc_score

import rows

CALIBRATION = "a_litl_val"
THERE, BACK, RULES = 1.0, 0.3, 0.8
# Where numbers or times are compared, rules count and the model guesses.
COUNTED = {"model": 0.3, "rules": 1.5}
NUMERIC = ("number", "number_agreement", "period")
# Nothing is surer than one in ten thousand.
SUREST = 1e-4


def write_rows(args):
    rng = random.Random(3)
    with open(args.out, "w") as out:
        for file in sorted(os.listdir(args.dev)):
            if not file.startswith(("a_", "b_decode", "d_")):
                continue
            found = list(rows.read(os.path.join(args.dev, file)))
            if args.most:
                rng.shuffle(found)
                found = found[: args.most]
            for row in found:
                out.write(json.dumps({"set": file.split(".")[0], "text_a": row["text_a"], "text_b": row["text_b"], "label": row["label"]}) + "\n")


def odds(share):
    share = np.clip(share, SUREST, 1 - SUREST)
    return np.log(share / (1 - share))


class Table:
    def __init__(self, path):
        with open(path) as lines:
            names = json.loads(next(lines))["names"]
            read = [json.loads(line) for line in lines]
        self.sets = np.array([row["set"] for row in read])
        self.gold = np.array([row["label"] in ("contradiction", "self_contradiction") for row in read])
        self.there, self.back = (np.array([self.softmax(row[way])[2] for row in read]) for way in ("there", "back"))
        self.rules = np.array([row["rules"][2] for row in read])
        places = [names.index(name) for name in NUMERIC]
        self.counted = np.array([any(row["features"][at] > 0 for at in places) for row in read])
        number = {name: 0 for name in self.sets}
        self.even = np.zeros(len(read), dtype=bool)
        for at, name in enumerate(self.sets):
            self.even[at] = number[name] % 2 == 0
            number[name] += 1

    @staticmethod
    def softmax(logits):
        raised = np.exp(np.array(logits) - np.max(logits))
        return raised / raised.sum()

    def sum(self, there=THERE, back=BACK, rules=RULES):
        model = there * odds(self.there) + back * odds(self.back)
        if not rules or not there:
            return model + rules * odds(self.rules)
        weight = {who: np.where(self.counted, share, 1.0) for who, share in COUNTED.items()}
        return weight["model"] * model + weight["rules"] * rules * odds(self.rules)

    def calibrated(self, total):
        """(scale, offset) that make the sum a probability on the calibration rows."""
        mask = (self.sets == CALIBRATION) & self.even
        x, y = total[mask], self.gold[mask]

        def loss(p):
            z = p[0] * x + p[1]
            return np.mean(np.logaddexp(0, z) - y * z)

        return minimize(loss, [1.0, 0.0]).x


def calibration_error(gold, score, bins=15):
    at = np.minimum((score * bins).astype(int), bins - 1)
    return sum(abs(score[at == b].mean() - gold[at == b].mean()) * (at == b).mean() for b in range(bins) if (at == b).any())


def figures(table, score):
    """AUROC, F1 at one half, calibration error and false alarms by set, without the calibration rows."""
    found = {}
    for name in sorted(set(table.sets)):
        mask = (table.sets == name) & ~((table.sets == CALIBRATION) & table.even)
        gold, s = table.gold[mask], score[mask]
        auroc = roc_auc_score(gold, s) if 0 < gold.sum() < len(gold) else float("nan")
        called = s > 0.5
        f1 = 2 * (called & gold).sum() / max(called.sum() + gold.sum(), 1)
        alarms = (called & ~gold).sum() / max((~gold).sum(), 1)
        found[name] = (auroc, f1, calibration_error(gold, s), alarms)
    return found


def ablate(table):
    parts = {"rules": (0, 0, 1), "model": (1, 0, 0), "model both ways": (1, BACK, 0), "model + rules": (1, 0, RULES), "all": (THERE, BACK, RULES)}
    results = {}
    for name, weights in parts.items():
        total = table.sum(*weights)
        scale, offset = table.calibrated(total)
        results[name] = figures(table, 1 / (1 + np.exp(-(scale * total + offset))))
    print("AUROC, F1 at .5, calibration error, false alarms\n")
    print("| set | " + " | ".join(results) + " |\n|---" * 1 + "|---" * len(results) + "|")
    for name in sorted(set(table.sets)):
        print(f"| `{name}` | " + " | ".join("%.3f, %.2f, %.2f, %.2f" % results[column][name] for column in results) + " |")
    macro = {column: np.nanmean([results[column][name][0] for name in set(table.sets) if name.startswith("a_")]) for column in results}
    print("| macro of a_ | " + " | ".join(f"{value:.3f}" for value in macro.values()) + " |")


def write_weights(table, path):
    scale, offset = table.calibrated(table.sum())
    values = {"THERE": scale * THERE, "BACK": scale * BACK, "RULES": scale * RULES, "OFFSET": offset,
              "COUNTED_MODEL": COUNTED["model"], "COUNTED_RULES": COUNTED["rules"]}
    with open(path, "w") as out:
        out.write("//! What each witness is worth, in log odds. Written by `training/combine.py`; do not edit.\n\n")
        for name, value in values.items():
            out.write(f"pub(super) const {name}: f32 = {value:.4f};\n")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("step", choices=["rows", "fit", "ablate"])
    for name in ("dev", "features", "out"):
        parser.add_argument(f"--{name}")
    parser.add_argument("--most", type=int, help="rows of each dev set; all unless given")
    args = parser.parse_args()
    if args.step == "rows":
        write_rows(args)
    elif args.step == "fit":
        write_weights(Table(args.features), args.out)
    else:
        ablate(Table(args.features))


if __name__ == "__main__":
    main()
