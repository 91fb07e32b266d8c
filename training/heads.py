"""Two linear heads on the sentence encoder's vectors: how hedged a text is, and how specific.

    python heads.py sentences --data TRAIN --out SENTENCES.jsonl
    (crates/detect's example text_features turns SENTENCES.jsonl into CUES.jsonl)
    python heads.py rows --sentences SENTENCES.jsonl --cues CUES.jsonl --out ROWS.jsonl
    (text_features turns ROWS.jsonl into FEATURES.jsonl and VECTORS)
    python heads.py fit --rows ROWS.jsonl --features FEATURES.jsonl --vectors VECTORS --out WEIGHTS.rs

No row is labelled by a person. Labels come from the rules, with the words that decided taken out of half
of the hedged rows, so that a head must go by what stands around them; and from twins: a sentence and the same
sentence hedged, or with its names and numbers made vague. The rules count particulars, so a long sentence is
specific to them; the head for specificity learns what length does not explain. The sets that are measured on are
not read.

What is written is added to what the rules say. The heads count for half as much as the rules.
"""

import argparse
import json
import os
import random
import re

import numpy as np
from sklearn.linear_model import LogisticRegression, Ridge

import rows
import swaps

WIDTH = 384
# Most sentences of a source: no genre may drown the others.
MOST = {"wikifactcheck-neg": 9000, "litl": 6000, "conj-adv": 3000, "ibm": 3000, "decode-pos": 2000, "gu-dnli": 1000}
TWINS = 3000
ALONE = 6000
# How much a head counts beside the rules, in deviations over ordinary sentences.
COUNTS = 0.5

# Wordings that make a statement less than a statement; {s} opens in lower case, {S} as it was.
HEDGES = [
    "It may be that {s}", "It is believed that {s}", "It is possible that {s}", "Some say that {s}", "Many people think that {s}",
    "According to some accounts, {s}", "There is some evidence that {s}", "Perhaps {s}", "It has been suggested that {s}", "It seems that {s}",
    "Critics have argued that {s}", "Experts tend to agree that {s}", "I am not sure, but I think {s}", "It could well be that {s}",
    "As far as anyone can tell, {s}", "Rumour has it that {s}", "One might say that {s}", "{S}, or so it is said.", "{S}, at least in the opinion of many.",
    "{S}, although this is disputed.", "There is reason to suspect that {s}", "It is widely held that {s}", "It would not be surprising if {s}",
    "My impression is that {s}", "To some degree, {s}", "Under certain conditions {s}", "Supposedly {s}", "It is hard to say, but {s}",
]
# As long, and no hedge.
PLAIN = [
    "It is a fact that {s}", "It was recorded that {s}", "In 1998 it was shown that {s}", "Without doubt {s}", "The report of 2011 states that {s}",
    "{S}, as the records show.", "{S}, and this was confirmed in court.", "Table 3 shows that {s}", "We measured it: {s}", "It is certain that {s}",
    "On 4 June the court ruled that {s}", "{S}, which was announced in March.", "The figures prove that {s}", "Everyone knows that {s}",
]
VAGUE_NAMES = ["someone", "somebody", "something", "some place", "one of them", "a certain thing"]
VAGUE_NUMBERS = ["some", "many", "several", "a few", "a lot of"]
VAGUE_TAILS = ["and so on", "and things like that", "or something", "in some way", "somehow"]
TAILS = ["in Berlin in 2014", "on 12 March 1997", "at the Toyota plant in Ohio", "by 37 percent", "with a Nikon D90", "near Lake Geneva",
         "for $4,200", "after the Senate vote of 9 May", "using PostgreSQL 14", "at the Mayo Clinic"]


def sentences(args):
    """Plain sentences of the training sources."""
    rng = random.Random(11)
    found = {}
    for row in rows.read(os.path.join(args.data, "nli_mix_train.jsonl.gz")):
        if row["src"] in MOST and row["src"] not in rows.EXCLUDED:
            found.setdefault(row["src"], []).append(row["text_a"])
    for row in rows.read(os.path.join(args.data, "ibm_argq30k_train.jsonl.gz")):
        found.setdefault("ibm", []).append(row["text_b"])
    with open(args.out, "w") as out:
        for source in sorted(found):
            unique = sorted({" ".join(text.split()) for text in found[source] if 4 <= len(text.split()) <= 60})
            for text in rng.sample(unique, min(MOST[source], len(unique))):
                out.write(json.dumps({"text": text, "source": source}) + "\n")


def without(text, cues):
    """The text without the words that hedge it."""
    for cue in sorted(cues, key=len, reverse=True):
        text = re.sub(rf"(?<!\w){re.escape(cue)}(?!\w)", " ", text)
    return " ".join(text.split())


def said(template, sentence):
    body = sentence.rstrip(" .!?")
    lower = body if re.match(r"(I\b|[A-Z]{2}|[A-Z][a-z]+ [A-Z])", body) else body[:1].lower() + body[1:]
    made = template.format(s=lower, S=body)
    return made if made.endswith(".") else made + "."


def hedge_rows(read, rng):
    """(text, hedged, weight)."""
    hedged = [(row, cue) for row, cue in read if cue["hedge"] >= 0.5]
    plain = [(row, cue) for row, cue in read if not cue["cues"]]
    rng.shuffle(hedged)
    rng.shuffle(plain)
    for at, (row, cue) in enumerate(hedged):
        cut = without(row["text"], cue["cues"]) if at % 2 else row["text"]
        # What is left may be plain: such a row counts for half.
        yield (cut, 1, 0.5) if at % 2 else (cut, 1, 1.0)
    for row, _ in plain[: len(hedged)]:
        yield row["text"], 0, 1.0
    for row, _ in plain[-TWINS:]:
        if rows.one_sentence(row["text"]):
            yield said(rng.choice(HEDGES), row["text"]), 1, 1.0
            yield (said(rng.choice(PLAIN), row["text"]) if rng.random() < 0.5 else row["text"]), 0, 1.0


def vaguer(sentence, rng):
    """The sentence with its names and numbers made vague, or nothing where it has none."""
    made = re.sub(r"(?<=[a-z,] )(?:[A-Z][\w'-]*)(?: (?:of |the )?[A-Z][\w'-]*)*", lambda _: rng.choice(VAGUE_NAMES), sentence)
    made = re.sub(r"\b(?:in|since|until|by) (?:1[5-9]|20)\d\d\b", lambda _: rng.choice(["at some point", "back then", "at the time"]), made)
    made = re.sub(r"[$€£]?\b\d[\d,.]*%?", lambda _: rng.choice(VAGUE_NUMBERS), made)
    wider = swaps.wider(made, rng)
    made = wider[0] if wider else made
    return made if made != sentence else None


def specific_twins(read, rng):
    """(the more specific, the less specific)."""
    texts = [row["text"] for row, _ in read if rows.one_sentence(row["text"])]
    rng.shuffle(texts)
    made = ((text, vaguer(text, rng)) for text in texts)
    yield from [pair for pair in made if pair[1]][:TWINS]
    for text in texts[-TWINS // 2 :]:
        body = text.rstrip(" .!?")
        yield f"{body} {rng.choice(TAILS)}.", f"{body} {rng.choice(VAGUE_TAILS)}."


def make(args):
    rng = random.Random(12)
    read = list(zip(rows.read(args.sentences), rows.read(args.cues), strict=True))
    with open(args.out, "w") as out:
        def put(**row):
            out.write(json.dumps(row) + "\n")
        for text, label, weight in hedge_rows(read, rng):
            put(task="hedge", text=text, label=label, weight=weight)
        for row, _ in rng.sample(read, min(ALONE, len(read))):
            put(task="alone", text=row["text"])
        for more, less in specific_twins(read, rng):
            put(task="more", text=more)
            put(task="less", text=less)


def of(made, task):
    return np.array([at for at, row in enumerate(made) if row["task"] == task])


def hedge_head(made, features, vectors):
    """Hedged or not."""
    at = of(made, "hedge")
    label, weight = (np.array([made[i][name] for i in at]) for name in ("label", "weight"))
    return LogisticRegression(C=1.0, max_iter=2000).fit(vectors[at], label, sample_weight=weight).coef_[0]


def specific_head(made, features, vectors):
    """How much more specific a sentence is than others of its length; and of twins, the one before the other."""
    alone, more, less = (of(made, task) for task in ("alone", "more", "less"))
    length = np.log([len(made[i]["text"].split()) for i in alone])
    score = np.array([features[i]["specificity"] for i in alone])
    left = score - np.polyval(np.polyfit(length, score, 1), length)
    x = np.concatenate([vectors[alone] - vectors[alone].mean(0), vectors[more] - vectors[less]])
    y = np.concatenate([left, np.full(len(more), left.std())])
    return Ridge(alpha=10.0, fit_intercept=False).fit(x, y).coef_


def constant(name, what, values):
    lines = [f"/// {what}", f"pub(super) const {name}: [f32; {len(values)}] = ["]
    row = ""
    for value in (f"{value:.5f}," for value in values):
        if len(row) + len(value) + 5 > 100:
            lines.append("    " + row.rstrip())
            row = ""
        row += value + " "
    return "\n".join(lines + ["    " + row.rstrip(), "];"])


def fit(args):
    made, features = list(rows.read(args.rows)), list(rows.read(args.features))
    vectors = np.fromfile(args.vectors, dtype="<f4").reshape(-1, WIDTH).astype(np.float64)
    assert len(made) == len(features) == len(vectors)
    alone = of(made, "alone")
    parts = ["//! Heads on the sentence encoder's vectors. Written by `training/heads.py`; do not edit.\n"]
    for name, head in (("hedge", hedge_head), ("specificity", specific_head)):
        weights = head(made, features, vectors)
        said = vectors[alone] @ weights
        rules = np.array([features[i][name] for i in alone])
        print(f"{name}: correlation of head and rules over {len(alone)} sentences {np.corrcoef(said, rules)[0, 1]:.3f}")
        # Over ordinary sentences a head has mean nought, and the deviation that it is to have beside the rules.
        scale = COUNTS * rules.std() / said.std()
        parts.append(constant(name.upper(), f"What each number of a vector adds to the rules' {name}.", scale * weights))
        parts.append(f"/// What is added to their sum.\npub(super) const {name.upper()}_OFFSET: f32 = {-scale * said.mean():.5f};")
    with open(args.out, "w") as out:
        out.write("\n".join(parts) + "\n")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("step", choices=["sentences", "rows", "fit"])
    for name in ("data", "sentences", "cues", "rows", "features", "vectors", "out"):
        parser.add_argument(f"--{name}")
    args = parser.parse_args()
    {"sentences": sentences, "rows": make, "fit": fit}[args.step](args)


if __name__ == "__main__":
    main()
