"""Teaches the reader: one encoder, heads for the stance of a turn, the relation of two statements, what became of a
position, whether that was said, and how well a text is supported.

    python reader.py --base FOLDER --data FOLDER --rows FOLDER --out FOLDER [--leave w1,w9] [--minutes N] [--resume]

Two stages in one run: many cheap rows first (inference pairs, short arguments), then the registers that count (rows
written for this project, SYCON's answers). A checkpoint with the optimiser's state is written every few minutes, and
`--resume` goes on from it, so that a run may be cut into pieces.
"""

import argparse
import json
import os
import random
import time

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from safetensors.torch import save_file
from tokenizers import Tokenizer

import reader_rows as source
from bert import Encoder

HEADS = {"stance": 3, "relation": 5, "change": 5, "acknowledged": 1, "support": 1}


class Reader(Encoder):
    """The encoder with the reader's heads."""

    HEADS = HEADS

    def vector(self, batch):
        return torch.tanh(self.pooler(self.pooled(*batch)))


def cut(ids, room):
    """The opening and, twice as long, the end: where turns say what they are for."""
    if len(ids) <= room:
        return ids
    head = room // 3
    return ids[:head] + ids[len(ids) - (room - head) :]


def encode(tokenizer, rows, longest):
    firsts = tokenizer.encode_batch([row[0] for row in rows], add_special_tokens=False)
    seconds = tokenizer.encode_batch([row[1] for row in rows], add_special_tokens=False)
    encoded = []
    for first, second in zip(firsts, seconds):
        room = longest - 3
        own = min(len(first.ids), max(room // 2, room - len(second.ids)))
        a = cut(first.ids, own)
        b = cut(second.ids, room - len(a))
        encoded.append((np.array([101, *a, 102, *b, 102], dtype=np.int32), len(a) + 2))
    return encoded


def collate(encoded):
    width = max(len(ids) for ids, _ in encoded)
    tokens = torch.zeros(len(encoded), width, dtype=torch.long)
    kinds, mask = torch.zeros_like(tokens), torch.zeros_like(tokens)
    for line, (ids, split) in enumerate(encoded):
        tokens[line, : len(ids)] = torch.from_numpy(ids.astype(np.int64))
        kinds[line, split : len(ids)] = 1
        mask[line, : len(ids)] = 1
    return tokens, kinds, mask


class Task:
    """Rows of one head in batches of like length."""

    def __init__(self, name, rows, tokenizer, longest, tokens_a_batch):
        self.name, self.rows = name, rows
        self.encoded = encode(tokenizer, rows, longest)
        self.tokens = tokens_a_batch

    def batches(self, rng):
        order = list(range(len(self.rows)))
        rng.shuffle(order)
        out = []
        for start in range(0, len(order), 1024):
            part = sorted(order[start : start + 1024], key=lambda i: len(self.encoded[i][0]))
            while part:
                size = max(4, min(48, self.tokens // len(self.encoded[part[0]][0])))
                out.append((self, part[:size]))
                part = part[size:]
        return out

    def loss(self, model, picks):
        vector = model.vector(collate([self.encoded[i] for i in picks]))
        gold = [self.rows[i][2] for i in picks]
        head = lambda name: model.head[name](vector)
        if self.name == "stance":
            return F.cross_entropy(head("stance"), torch.tensor(gold), label_smoothing=0.05)
        if self.name == "relation":
            chances = torch.log_softmax(head("relation"), 1)
            return -torch.stack([torch.logsumexp(chances[line, list(classes)], 0) for line, classes in enumerate(gold)]).mean()
        if self.name == "change":
            said = torch.tensor([acknowledged for _, acknowledged in gold])
            return F.cross_entropy(head("change"), torch.tensor([kind for kind, _ in gold]), label_smoothing=0.05) + F.binary_cross_entropy_with_logits(head("acknowledged")[:, 0], said)
        return F.binary_cross_entropy_with_logits(head("support")[:, 0], torch.tensor(gold))


def stages(args, tokenizer):
    """What is shown first, and what after it, with how often each list is shown."""
    left = set(filter(None, args.leave.split(",")))
    own = source.written(args.rows)
    keep = {task: [row for row in rows if row[3].split("/")[0] not in left] for task, rows in own.items()}
    task = lambda name, rows: Task(name, rows, tokenizer, args.longest, args.tokens)
    cheap = [task("stance", source.short_arguments(args.data)), task("relation", source.inference(args.data, args.inference))]
    sycon = [] if "sycon" in left else [task("stance", source.sycon(args.data, args.fold))]
    mine = [task(name, rows) for name, rows in keep.items() if rows]
    few = [task("relation", source.inference(args.data, len(keep["relation"])))]
    return [(cheap + mine, args.first), (mine + mine + sycon + few, 1 - args.first)]


def main():
    parser = argparse.ArgumentParser()
    for name in ("base", "data", "rows", "out"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--leave", default="", help="writers (and `sycon`) whose rows are not shown")
    parser.add_argument("--minutes", type=float, default=60, help="of processor time on all threads together, so that a busy machine changes nothing")
    parser.add_argument("--first", type=float, default=0.5, help="share of the time for the cheap rows")
    parser.add_argument("--inference", type=int, default=60_000)
    parser.add_argument("--longest", type=int, default=176)
    parser.add_argument("--tokens", type=int, default=2_048, help="in a batch")
    parser.add_argument("--rate", type=float, default=1e-4)
    parser.add_argument("--fold", type=int, default=0, help="which fifth of SYCON's questions is not shown")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--start", help="a checkpoint to begin from instead of the base")
    parser.add_argument("--resume", action="store_true")
    args = parser.parse_args()
    os.makedirs(args.out, exist_ok=True)
    torch.manual_seed(args.seed)
    torch.set_num_threads(args.threads)
    tokenizer = Tokenizer.from_file(os.path.join(args.base, "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    model = Reader(args.base, 0.1).load(args.start or os.path.join(args.base, "model.safetensors"))
    fit(model, stages(args, tokenizer), args)
    save(model, os.path.join(args.out, "reader.safetensors"))


def save(model, path):
    state = model.state_dict()
    save_file({theirs: state[ours].contiguous() for ours, theirs in model.names()}, path)


def fit(model, stages, args):
    # The embeddings stay as they are: half the weights, and every model here can share one table.
    for part in (model.word, model.position, model.kind, model.norm):
        part.requires_grad_(False)
    learning = [p for p in model.parameters() if p.requires_grad]
    groups = [{"params": [p for p in learning if p.ndim > 1], "weight_decay": 0.01}, {"params": [p for p in learning if p.ndim == 1], "weight_decay": 0.0}]
    optimiser = torch.optim.AdamW(groups, lr=args.rate)
    kept = os.path.join(args.out, "checkpoint.pt")
    spent, step, rows = 0.0, 0, 0
    if args.resume and os.path.exists(kept):
        held = torch.load(kept, weights_only=False)
        model.load_state_dict(held["model"])
        optimiser.load_state_dict(held["optimiser"])
        spent, step, rows = held["spent"], held["step"], held["rows"]
    rng = random.Random(args.seed + step)
    batches, at, mean, last, told = [], None, {}, time.process_time(), time.time()
    model.train()
    while spent < args.minutes * 60:
        done = spent / (args.minutes * 60)
        stage = 0 if done < stages[0][1] else 1
        if stage != at or not batches:
            at, batches = stage, [entry for task in stages[stage][0] for entry in task.batches(rng)]
            rng.shuffle(batches)
        for group in optimiser.param_groups:
            group["lr"] = args.rate * min(1.0, (step + 1) / 200) * (1 - done)
        task, picks = batches.pop()
        loss = task.loss(model, picks)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(learning, 1.0)
        optimiser.step()
        step, rows = step + 1, rows + len(picks)
        value = loss.item()
        mean[task.name] = 0.98 * mean.get(task.name, value) + 0.02 * value
        now = time.process_time()
        spent, last = spent + now - last, now
        if step % 100 == 0:
            print(f"step {step} stage {at + 1} rows {rows} {spent / 60:.1f} min", {name: round(v, 3) for name, v in mean.items()}, flush=True)
        if time.time() - told > 300:
            told = time.time()
            torch.save({"model": model.state_dict(), "optimiser": optimiser.state_dict(), "spent": spent, "step": step, "rows": rows}, kept + ".part")
            os.replace(kept + ".part", kept)


if __name__ == "__main__":
    main()
