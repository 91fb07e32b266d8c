"""The rows the reader is taught with, one list a task, each row with the origin and group it may not be split from.

A row is (first text, second text, target, group). Groups that share a question or a contrast set stay on one side
of every split. Targets: stance 0 no, 1 none, 2 yes; relation a set of classes (a label of three classes covers two of
the five); change (class, acknowledged); support a number.
"""

import glob
import gzip
import json
import os
import random

STANCE = {"no": 0, "none": 1, "unclear": 1, "yes": 2}
RELATION = ["same", "entails", "contradicts", "qualifies", "unrelated"]
CHANGE = ["none", "refinement", "qualification", "retraction", "contradiction"]
# What a label of the usual three classes leaves open among our five.
THREE = {"entailment": (0, 1), "contradiction": (2,), "neutral": (3, 4), "self_contradiction": (2,), "no_self_contradiction": (0, 1, 3, 4)}


def read(path):
    opened = gzip.open(path, "rt") if path.endswith(".gz") else open(path)
    with opened as file:
        for line in file:
            if line.strip():
                yield json.loads(line)


def option_rows(row, group):
    """A choice among options as yes/no questions: one for the option taken, one for another."""
    options, answer = row["options"] or [], row["answer"]
    if not options:
        return
    if answer not in options:
        if answer == "none":
            yield f"{row['question']} The answer: {options[0]}.", row["turn"], STANCE["none"], group
        return
    yield f"{row['question']} The answer: {answer}.", row["turn"], STANCE["yes"], group
    others = [option for option in options if option != answer]
    if others:
        other = random.Random(row["turn"]).choice(others)
        yield f"{row['question']} The answer: {other}.", row["turn"], STANCE["no"], group


def written(folder):
    """The rows of `training/rows`: task -> rows, with the writer as origin."""
    tasks = {"stance": [], "relation": [], "change": [], "support": []}
    for writer in sorted(os.listdir(folder)):
        for path in sorted(glob.glob(os.path.join(folder, writer, "*.jsonl"))):
            kind = os.path.basename(path).removesuffix(".jsonl")
            for number, row in enumerate(read(path)):
                block = f"{writer}/{kind}/{number // 5}"
                if kind == "stance":
                    group = f"{writer}/{row['question']}"
                    if row["question_kind"] == "yes_no" and row["answer"] in STANCE:
                        tasks["stance"].append((row["question"], row["turn"], STANCE[row["answer"]], group))
                    elif row["question_kind"] == "options":
                        tasks["stance"].extend(option_rows(row, group))
                elif kind == "relation":
                    target = (RELATION.index(row["relation"]),)
                    tasks["relation"].append((row["a"], row["b"], target, block))
                    if row["relation"] in ("same", "contradicts", "unrelated"):
                        tasks["relation"].append((row["b"], row["a"], target, block))
                elif kind == "change":
                    before = f"{row['question']} {row['before']}"
                    target = (CHANGE.index(row["change"]), float(bool(row["acknowledged"])))
                    tasks["change"].append((before, row["after"], target, block))
                elif kind == "support":
                    tasks["support"].append((row["text"], "", float(row["quality"]), block))
                elif kind == "panel":
                    for turn in row["turns"]:
                        answer = str(turn.get("answer", "")).lower()
                        if answer in ("yes", "no"):
                            tasks["stance"].append((row["question"], turn["text"], STANCE[answer], f"{writer}/panel/{row['question']}"))
    return tasks


def sycon(data, fold):
    """SYCON-Bench (MIT): answers that hold or leave their stance. Every fifth question, from `fold` on, is kept to measure with."""
    rows = [row for row in read(os.path.join(data, "dev/g_sycon_answer_stance_49.jsonl.gz")) if row["label"] in STANCE]
    kept = set(sycon_kept(rows, fold))
    return [(row["text_a"], row["text_b"], STANCE[row["label"]], f"sycon/{row['text_a']}") for row in rows if row["text_a"] not in kept]


def sycon_kept(rows, fold):
    """The questions of one fold of five."""
    return sorted({row["text_a"] for row in rows})[fold::5]


def short_arguments(data):
    """IBM ArgQ-30k and ExplaGraphs: one-sentence arguments for or against a motion."""
    rows = [(row["text_a"], row["text_b"], 2 if row["stance"] == 1 else 0, f"argq/{row['text_a']}") for row in read(os.path.join(data, "train/ibm_argq30k_train.jsonl.gz"))]
    rows += [(row["text_a"], row["text_b"], STANCE[row["label"]], f"explagraphs/{row['text_a']}")
             for row in read(os.path.join(data, "train/explagraphs_stance.jsonl.gz")) if row["label"] in STANCE]
    return rows


def inference(data, most):
    """Pairs labelled with the usual three classes."""
    rows = []
    for name in ("mnli_subset", "nli_mix_train"):
        for row in read(os.path.join(data, f"train/{name}.jsonl.gz")):
            if row["label"] in THREE and row.get("src") != "sick" and "anli" not in row.get("src", ""):
                rows.append((row["text_a"], row["text_b"], THREE[row["label"]], f"{row.get('src')}/{row['text_a']}"))
    random.Random(3).shuffle(rows)
    return rows[:most]
