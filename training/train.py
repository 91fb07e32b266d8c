"""Trains the inference model: one encoder, heads for inference, stance and argument quality.

    python train.py --base FOLDER --data FOLDER --snli FILE --wordnet FOLDER --out FOLDER [--dev FOLDER]

Checkpoints and a log with figures on the dev rows are written as it goes.
"""

import argparse
import json
import os
import random
import time

import numpy as np
import torch
import torch.nn.functional as F
from safetensors.torch import save_file
from sklearn.metrics import roc_auc_score
from tokenizers import Tokenizer

import rows
from bert import Encoder
from neighbours import neighbours

WATCHED = "a_mnli_dev_matched a_snli_test a_negation_nli a_semantoneg a_vitaminc a_breaking_nli a_conj_nli_dev b_decode_pairs".split()


def tokenised(tokenizer, pairs, longest):
    ids, kinds = [], []
    for start in range(0, len(pairs), 4096):
        for a, b in zip(tokenizer.encode_batch([p[0] for p in pairs[start : start + 4096]], add_special_tokens=False),
                        tokenizer.encode_batch([p[1] for p in pairs[start : start + 4096]], add_special_tokens=False)):
            room = longest - 3
            b_ids = b.ids[: max(room - min(len(a.ids), room // 2), 1)]
            a_ids = a.ids[: room - len(b_ids)]
            ids.append(np.array([101, *a_ids, 102, *b_ids, 102], dtype=np.int32))
            kinds.append(len(a_ids) + 2)
    return ids, kinds


def batch(ids, kinds, picks):
    width = max(len(ids[i]) for i in picks)
    tokens = torch.zeros(len(picks), width, dtype=torch.long)
    types, mask = torch.zeros_like(tokens), torch.zeros_like(tokens)
    for line, i in enumerate(picks):
        n = len(ids[i])
        tokens[line, :n] = torch.from_numpy(ids[i].astype(np.int64))
        types[line, kinds[i] : n] = 1
        mask[line, :n] = 1
    return tokens, types, mask


class Task:
    """Rows of one head, in batches of like length."""

    def __init__(self, head, tokenizer, pairs, gold, longest, size, rng):
        self.head, self.gold = head, gold
        self.ids, self.kinds = tokenised(tokenizer, pairs, longest)
        self.size, self.rng = size, rng

    def batches(self):
        order = list(range(len(self.ids)))
        self.rng.shuffle(order)
        chunks = []
        for start in range(0, len(order), self.size * 64):
            part = sorted(order[start : start + self.size * 64], key=lambda i: len(self.ids[i]))
            chunks += [part[at : at + self.size] for at in range(0, len(part), self.size)]
        self.rng.shuffle(chunks)
        return [(self, chunk) for chunk in chunks]


@torch.inference_mode()
def answers(model, ids, kinds, head, size=64):
    order = sorted(range(len(ids)), key=lambda i: len(ids[i]))
    out = np.zeros((len(ids), Encoder.HEADS[head]), dtype=np.float32)
    for start in range(0, len(order), size):
        picks = order[start : start + size]
        out[picks] = model(*batch(ids, kinds, picks), head).numpy()
    return out


def watch(model, tokenizer, dev, most, longest):
    model.eval()
    figures = {}
    for name in WATCHED:
        read = list(rows.read(os.path.join(dev, name + ".jsonl.gz")))
        random.Random(5).shuffle(read)
        read = read[:most]
        ids, kinds = tokenised(tokenizer, [(r["text_a"], r["text_b"]) for r in read], longest)
        score = torch.softmax(torch.from_numpy(answers(model, ids, kinds, "nli")), 1)[:, 2].numpy()
        gold = [r["label"] in ("contradiction", "self_contradiction") for r in read]
        figures[name] = round(float(roc_auc_score(gold, score)), 3)
    read = list(rows.read(os.path.join(dev, "g_ibm_claim_stance.jsonl.gz")))[: most * 2]
    ids, kinds = tokenised(tokenizer, [(r["text_a"], r["text_b"]) for r in read], longest)
    stance = answers(model, ids, kinds, "stance")
    figures["claim stance accuracy"] = round(float(np.mean([(s[2] > s[0]) == (r["label"] == "yes") for s, r in zip(stance, read)])), 3)
    model.train()
    return figures


def save(model, path):
    state = model.state_dict()
    save_file({theirs: state[ours].contiguous() for ours, theirs in model.names()}, path)


def main():
    parser = argparse.ArgumentParser()
    for name in ("base", "data", "snli", "wordnet", "out"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--dev")
    parser.add_argument("--epochs", type=float, default=1.0)
    parser.add_argument("--minutes", type=float, help="stop and decay by the clock instead")
    parser.add_argument("--rate", type=float, default=1.2e-4)
    parser.add_argument("--size", type=int, default=32)
    parser.add_argument("--longest", type=int, default=72)
    parser.add_argument("--pooling", default="mean")
    parser.add_argument("--drop", type=float, default=0.0)
    parser.add_argument("--stance", type=int, default=1, help="times the stance rows are shown in an epoch")
    parser.add_argument("--warm-up", type=int, default=300, help="steps")
    parser.add_argument("--start", help="a checkpoint to go on from, instead of the base")
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--watch-every", type=int, default=1000)
    args = parser.parse_args()
    os.makedirs(args.out, exist_ok=True)
    torch.manual_seed(args.seed)
    torch.set_num_threads(args.threads)
    rng = random.Random(args.seed)
    tokenizer = Tokenizer.from_file(os.path.join(args.base, "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    model = Encoder(args.base, args.drop, args.pooling).load(args.start or os.path.join(args.base, "model.safetensors"))

    pairs, stance, report = rows.mixture(args.data, args.snli, args.wordnet, args.seed,
                                         neighbours=lambda real, r: neighbours(real, args.data, r))
    json.dump(report, open(os.path.join(args.out, "rows.json"), "w"), indent=1)
    # What contradicts is contradicted: the order of such a pair carries nothing.
    pairs = [(b, a, c) if c == "contradiction" and rng.random() < 0.35 else (a, b, c) for a, b, c in pairs]
    inference = Task("nli", tokenizer, pairs, [rows.LABELS[c] for _, _, c in pairs], args.longest, args.size, rng)
    stances = Task("stance", tokenizer, [(m, t) for m, t, _, _ in stance], [(rows.STANCES[s], q) for _, _, s, q in stance], args.longest, args.size, rng)
    fit(model, [inference] + [stances] * args.stance, tokenizer, args, rng)


def loss_of(model, task, picks, counts):
    x = batch(task.ids, task.kinds, picks)
    if task.head == "nli":
        return F.cross_entropy(model(*x, "nli"), torch.tensor([task.gold[i] for i in picks]), weight=counts, label_smoothing=0.03)
    pooled = torch.tanh(model.pooler(model.pooled(*x)))
    gold = [task.gold[i] for i in picks]
    loss = F.cross_entropy(model.head["stance"](pooled), torch.tensor([s for s, _ in gold]), label_smoothing=0.03)
    rated = [line for line, (_, q) in enumerate(gold) if q is not None]
    if rated:
        truth = torch.tensor([gold[line][1] for line in rated], dtype=torch.float32)
        loss = loss + 0.5 * F.binary_cross_entropy_with_logits(model.head["quality"](pooled)[rated, 0], truth)
    return loss


def fit(model, tasks, tokenizer, args, rng):
    # The embeddings stay as they are: half the weights, and both models can share one table.
    for part in (model.word, model.position, model.kind, model.norm):
        part.requires_grad_(False)
    learning = [p for p in model.parameters() if p.requires_grad]
    groups = [{"params": [p for p in learning if p.ndim > 1], "weight_decay": 0.01}, {"params": [p for p in learning if p.ndim == 1], "weight_decay": 0.0}]
    optimiser = torch.optim.AdamW(groups, lr=args.rate, fused=True)
    balance = np.bincount(tasks[0].gold, minlength=3)
    counts = torch.tensor((balance.mean() / balance) ** 0.5, dtype=torch.float32)
    begun, step, seen, mean = time.time(), 0, 0, None
    batches = []
    total = int(args.epochs * sum(len(task.ids) / args.size for task in tasks))
    log = open(os.path.join(args.out, "log.jsonl"), "a")
    model.train()
    while True:
        if not batches:
            batches = [entry for task in tasks for entry in task.batches()]
            rng.shuffle(batches)
        clock = (time.time() - begun) / 60
        progress = clock / args.minutes if args.minutes else step / total
        if progress >= 1:
            break
        scale = min(1.0, (step + 1) / args.warm_up) * (1 - progress)
        for group in optimiser.param_groups:
            group["lr"] = args.rate * scale
        task, picks = batches.pop()
        loss = loss_of(model, task, picks, counts)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_([p for p in model.parameters() if p.grad is not None], 1.0)
        optimiser.step()
        step += 1
        seen += len(picks)
        mean = loss.item() if mean is None else 0.98 * mean + 0.02 * loss.item()
        if step % 100 == 0:
            print(f"step {step} rows {seen} {clock:.1f} min loss {mean:.4f} rows/s {seen / (clock * 60):.0f}", flush=True)
        if step % args.watch_every == 0:
            entry = {"step": step, "rows": seen, "minutes": round(clock, 1), "loss": round(mean, 4)}
            if args.dev:
                entry |= watch(model, tokenizer, args.dev, 250, args.longest)
            print(json.dumps(entry), flush=True)
            log.write(json.dumps(entry) + "\n")
            log.flush()
            save(model, os.path.join(args.out, "checkpoint.safetensors"))
    save(model, os.path.join(args.out, "model.safetensors"))


if __name__ == "__main__":
    main()
