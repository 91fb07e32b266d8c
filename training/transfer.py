"""What a reader is worth on origins it was not shown: one line a set, by task.

    python transfer.py --base FOLDER --model FILE --data FOLDER --rows FOLDER --writers w5,w9 [--most 400]

Sets of `data` count as unseen unless `reader_rows.py` trains on them; writers count if they were left out. Prints the
figure, its 95 % interval over resampled rows, and at the end the worst of each task.
"""

import argparse
import os

import numpy as np
import torch
from sklearn.metrics import f1_score, roc_auc_score
from tokenizers import Tokenizer

import reader_rows as source
from reader import Reader, collate, encode

STANCES = ["g_judge_pipeline_turns", "g_three_way_debate", "g_argotario", "g_ibm_claim_stance", "g_persuasion_final_stance"]
CONTRADICTIONS = ["a_six_models_across_agents", "a_control", "a_averitec", "d_infotabs", "d_scitab"]


class Judge:
    def __init__(self, args):
        self.tokenizer = Tokenizer.from_file(os.path.join(args.base, "tokenizer.json"))
        self.tokenizer.no_truncation()
        self.tokenizer.no_padding()
        self.model = Reader(args.base, 0.0).load(args.model).eval()
        self.longest = args.longest

    @torch.inference_mode()
    def logits(self, pairs, head):
        encoded = encode(self.tokenizer, pairs, self.longest)
        order = sorted(range(len(pairs)), key=lambda i: len(encoded[i][0]))
        out = np.zeros((len(pairs), self.model.HEADS[head]), dtype=np.float32)
        for start in range(0, len(order), 16):
            picks = order[start : start + 16]
            out[picks] = self.model.head[head](self.model.vector(collate([encoded[i] for i in picks]))).numpy()
        return out

    def chances(self, pairs, head):
        return torch.softmax(torch.from_numpy(self.logits(pairs, head)), 1).numpy()


def interval(figure, *columns):
    """The figure and the middle 95 % of it over resampled rows."""
    columns = [np.asarray(column) for column in columns]
    rng, values = np.random.default_rng(1), []
    for _ in range(300):
        picks = rng.integers(0, len(columns[0]), len(columns[0]))
        try:
            values.append(figure(*[column[picks] for column in columns]))
        except ValueError:
            continue
    low, high = np.percentile(values, [2.5, 97.5])
    return f"{figure(*columns):.3f} [{low:.3f}, {high:.3f}]"


def found(data, name):
    for folder in ("dev", "dev2"):
        path = os.path.join(data, folder, name + ".jsonl.gz")
        if os.path.exists(path):
            return path
    return None


def stance_line(judge, name, rows):
    pairs = [(first, second) for first, second, _ in rows]
    chances, gold = judge.chances(pairs, "stance"), np.array([target == 2 for *_, target in rows])
    lean = chances[:, 2] - chances[:, 0]
    right = (lean > 0) == gold
    sure = np.abs(lean) >= np.median(np.abs(lean))
    auroc = interval(roc_auc_score, gold, lean) if 0 < gold.mean() < 1 else "-"
    print(f"stance {name}: n {len(rows)} accuracy {interval(np.mean, right)}, surer half {np.mean(right[sure]):.3f}, AUROC {auroc}", flush=True)


def pair_line(judge, name, rows):
    both = [judge.chances([(row["text_a"], row["text_b"]) for row in rows], "relation"), judge.chances([(row["text_b"], row["text_a"]) for row in rows], "relation")]
    score = (both[0][:, 2] + both[1][:, 2]) / 2
    gold = np.array([row["label"] == "contradiction" for row in rows])
    print(f"contradiction {name}: n {len(rows)} AUROC {interval(roc_auc_score, gold, score)}", flush=True)


def sycon_lines(judge, args):
    """On the questions that were kept: does an answer hold its stance, and was it left between two answers?"""
    path = found(args.data, "g_sycon_answer_stance_49")
    if path is None:
        return
    rows = [row for row in source.read(path) if row["label"] in ("yes", "no")]
    kept = set(source.sycon_kept(rows, args.fold))
    rows = [row for row in rows if row["text_a"] in kept]
    stance_line(judge, "g_sycon_answer_stance_49, kept questions", [(row["text_a"], row["text_b"], source.STANCE[row["label"]]) for row in rows])
    path = found(args.data, "c_sycon_turn_pairs_49")
    pairs = [row for row in source.read(path) if row["meta"].get("question") in kept]
    if pairs:
        lean = lambda field: (lambda chances: chances[:, 2] - chances[:, 0])(judge.chances([(row["meta"]["question"], row[field]) for row in pairs], "stance"))
        left = -lean("text_a") * lean("text_b")
        gold = np.array([row["label"] not in ("none", "same", "no_flip") for row in pairs])
        print(f"left between answers, c_sycon_turn_pairs_49, kept questions: n {len(pairs)} AUROC {interval(roc_auc_score, gold, left)}", flush=True)


def moved_line(judge, name, rows, before, after):
    """Whether a position was left, by the change head on the two texts."""
    change = judge.chances([(row["text_a"], row["text_b"]) for row in rows], "change")
    gold = np.array([row["label"] in after for row in rows])
    kept = np.array([row["label"] in before or row["label"] in after for row in rows])
    score = change[:, 3] + change[:, 4]
    print(f"moved {name}: n {kept.sum()} AUROC {interval(roc_auc_score, gold[kept], score[kept])}", flush=True)
    return change


def typed_line(name, change, labels):
    guess = change.argmax(1)
    gold = np.array([source.CHANGE.index(label) for label in labels])
    macro = lambda g, p: f1_score(g, p, average="macro", labels=sorted(set(gold)), zero_division=0)
    none = gold == 0
    print(f"types {name}: n {len(gold)} macro-F1 {interval(macro, gold, guess)}, false alarms {np.mean(guess[none] >= 2):.3f}", flush=True)


def main():
    parser = argparse.ArgumentParser()
    for name in ("base", "model", "data", "rows"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--writers", default="")
    parser.add_argument("--most", type=int, default=400)
    parser.add_argument("--longest", type=int, default=176)
    parser.add_argument("--fold", type=int, default=0, help="the fifth of SYCON's questions the model was not shown")
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    judge = Judge(args)
    sycon_lines(judge, args)
    for name in STANCES:
        if path := found(args.data, name):
            rows = [row for row in source.read(path) if row["label"] in ("yes", "no")][: args.most]
            stance_line(judge, name, [(row["text_a"], row["text_b"], source.STANCE[row["label"]]) for row in rows])
    for name in CONTRADICTIONS:
        if path := found(args.data, name):
            pair_line(judge, name, list(source.read(path))[: args.most])
    if path := found(args.data, "c_flip_types_hand_dev"):
        rows = list(source.read(path))
        typed_line("c_flip_types_hand_dev", moved_line(judge, "c_flip_types_hand_dev", rows, {"none", "refinement", "qualification"}, {"retraction", "contradiction"}), [row["label"] for row in rows])
    if path := found(args.data, "c_moral_peers_flip_types"):
        rows = list(source.read(path))[: args.most]
        typed_line("c_moral_peers_flip_types", moved_line(judge, "c_moral_peers_flip_types", rows, {"none", "refinement", "qualification"}, {"retraction", "contradiction"}), [row["label"] for row in rows])
    own, writers = source.written(args.rows), set(filter(None, args.writers.split(",")))
    mine = lambda task: [row for row in own[task] if row[3].split("/")[0] in writers]
    if writers:
        stance_line(judge, "written, yes or no", [row[:3] for row in mine("stance") if row[2] != 1])
        rows = mine("relation")
        if rows:
            gold = np.array([row[2][0] for row in rows])
            guess = judge.chances([row[:2] for row in rows], "relation")
            macro = lambda g, p: f1_score(g, p, average="macro", zero_division=0)
            print(f"relation written: n {len(rows)} macro-F1 {interval(macro, gold, guess.argmax(1))}, contradiction AUROC {interval(roc_auc_score, gold == 2, guess[:, 2])}")
        rows = mine("change")
        change = judge.chances([row[:2] for row in rows], "change")
        typed_line("written", change, [source.CHANGE[row[2][0]] for row in rows])
        said = judge.logits([row[:2] for row in rows], "acknowledged")[:, 0]
        print(f"acknowledged written: AUROC {interval(roc_auc_score, [row[2][1] for row in rows], said)}")


if __name__ == "__main__":
    main()
