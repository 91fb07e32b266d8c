"""Distils static vectors from the encoder: one vector a word piece, so that a text is a mean.

    python distil.py --base FOLDER --data FOLDER --out FILE [--dev FOLDER]

1. Every piece goes through the encoder: alone, and in sentences of the training rows.
2. The outputs, side by side, are projected to 256 numbers and weighted by how rare the piece is.
3. Projection and weights are tuned so that means of vectors come near the encoder's sentence vectors.
   The vectors themselves are not free: with 24,000 sentences they would learn those by heart.
4. Eight bits a number, with a scale a row; `vectors.rs` describes the file.

No row of the dev folder is learnt from, nor any sentence that stands in one of its files of pairs.
SICK is left out altogether: it is measured on.
"""

import argparse
import gzip
import json
import random
import struct
from collections import Counter
from pathlib import Path

import blake3
import numpy as np
import torch
import torch.nn.functional as F
from tokenizers import Tokenizer

from bert import Encoder

WIDTH, LONGEST, SENTENCES, BATCH = 256, 44, 24_000, 256
CLS, SEP, UNK = 101, 102, 100
FILES = ("nli_mix_train", "ibm_argq30k_train")
HELD_OUT = "sick"
MEASURED = ("f_sts_2012_2016", "f_sick_relatedness", "f_msrp_test", "f_argkp2021")
# How much the three views of a piece count at first: in sentences, its own output alone, the mean alone.
VIEWS = (1.0, 0.3, 0.3)
# Pieces more frequent than this weigh less, in proportion.
FREQUENT = 1e-2


def read(path):
    with gzip.open(path, "rt") as lines:
        return [json.loads(line) for line in lines]


def sentences(data, dev):
    """(genre, sentence), each sentence once, in a fixed random order."""
    seen = set()
    for path in sorted(dev.glob("f_*.jsonl.gz")) if dev else []:
        seen |= {row[side].lower().strip() for row in read(path) for side in ("text_a", "text_b")}
    found = []
    for name in FILES:
        for row in read(data / f"{name}.jsonl.gz"):
            for side in ("text_a", "text_b"):
                key = row[side].lower().strip()
                if row.get("src") != HELD_OUT and key not in seen:
                    seen.add(key)
                    found.append((row.get("src", name), row[side]))
    random.Random(7).shuffle(found)
    return found


def chosen(found, ids):
    """Sentences that bring a piece not yet seen twice, no genre above a fifth."""
    seen, genres, picked = np.zeros(1 << 16, int), Counter(), []
    for (genre, _), pieces in zip(found, ids):
        inner = pieces[1:-1]
        if 3 <= len(inner) < LONGEST - 1 and genres[genre] < SENTENCES // 5 and seen[inner].min() < 2:
            genres[genre] += 1
            seen[inner] += 1
            picked.append(pieces)
            if len(picked) == SENTENCES:
                break
    return picked


@torch.inference_mode()
def hidden(encoder, sequences, size=64):
    """(positions in `sequences`, ids, outputs, mask) by batches of like length."""
    order = sorted(range(len(sequences)), key=lambda i: len(sequences[i]))
    for start in range(0, len(order), size):
        chunk = order[start : start + size]
        ids = torch.zeros(len(chunk), len(sequences[chunk[-1]]), dtype=torch.long)
        mask = torch.zeros_like(ids, dtype=torch.bool)
        for row, i in enumerate(chunk):
            ids[row, : len(sequences[i])] = torch.tensor(sequences[i])
            mask[row, : len(sequences[i])] = True
        x = encoder.norm(encoder.word(ids) + encoder.position.weight[: ids.shape[1]] + encoder.kind.weight[0])
        for layer in encoder.layers:
            x = layer(x, mask[:, None, None, :])
        yield chunk, ids, x, mask


def teach(encoder, sequences, pieces):
    """Sentence vectors of length one, and three views of every piece."""
    width = encoder.word.weight.shape[1]
    target = np.zeros((len(sequences), width), np.float32)
    inside, count = np.zeros((pieces, width)), np.zeros(pieces)
    for chunk, ids, x, mask in hidden(encoder, sequences):
        target[chunk] = F.normalize((x * mask[..., None]).sum(1), dim=1).numpy()
        np.add.at(inside, ids[mask].numpy(), x[mask].numpy())
        np.add.at(count, ids[mask].numpy(), 1)
    own, mean = np.zeros((2, pieces, width), np.float32)
    for chunk, _, x, _ in hidden(encoder, [[CLS, i, SEP] for i in range(pieces)], 256):
        own[chunk], mean[chunk] = x[:, 1].numpy(), x.mean(1).numpy()
    # A piece met rarely in sentences leans on what it is alone.
    inside /= np.maximum(count, 1)[:, None]
    known = (count / (count + 2.0))[:, None]
    centred = np.where(count[:, None] > 0, inside - inside[count > 0].mean(0), 0)
    return target, [known * centred + (1 - known) * (own - own.mean(0)), own, mean]


def bags(sequences):
    ids = [torch.tensor([i for i in pieces[1:-1] if i != UNK]) for pieces in sequences]
    return ids, lambda rows: (torch.cat([ids[i] for i in rows]), torch.tensor([0, *np.cumsum([len(ids[i]) for i in rows])[:-1]]))


def tune(target, views, frequency, sequences, epochs=2, rate=3e-4, alike=5.0, drop=0.1):
    """The table of vectors, as floats."""
    torch.manual_seed(0)
    scaled = [(v - v.mean(0)) / np.linalg.norm(v - v.mean(0), axis=1).mean() for v in views]
    x = torch.tensor(np.concatenate(scaled, 1), dtype=torch.float32)
    _, _, basis = np.linalg.svd(target[:12_000], full_matrices=False)
    basis = torch.tensor(basis[:WIDTH].T.copy())
    target = F.normalize(torch.tensor(target) @ basis, dim=1)
    project = torch.nn.Parameter(torch.cat([basis * view for view in VIEWS]))
    share = torch.tensor(frequency / frequency.sum(), dtype=torch.float32)
    prior = torch.log(FREQUENT / (FREQUENT + share))
    weight = torch.nn.Parameter(torch.zeros(len(x)))
    rates = [rate, rate * 10]
    optimiser = torch.optim.Adam([{"params": [project]}, {"params": [weight]}], lr=rate)
    ids, batch = bags(sequences)
    usable = [i for i, bag in enumerate(ids) if len(bag)]
    steps = [part for epoch in range(epochs) for part in np.array_split(np.random.RandomState(epoch).permutation(usable), len(usable) // BATCH)]
    for step, rows in enumerate(steps):
        for group, base in zip(optimiser.param_groups, rates):
            group["lr"] = base * (1 - step / len(steps))
        pieces, starts = batch(rows)
        unique, place = torch.unique(pieces, return_inverse=True)
        table = (x[unique] @ project) * torch.exp(prior + weight)[unique, None]
        keep = (torch.rand(len(pieces)) > drop).float()
        mean = F.normalize(F.embedding_bag(place, table, starts, mode="sum", per_sample_weights=keep), dim=1)
        goal = target[rows]
        loss = (1 - (mean * goal).sum(1)).mean() + alike * ((mean @ mean.T - goal @ goal.T) ** 2).mean()
        loss = loss + 1e-3 * (weight[unique] ** 2).mean()
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    with torch.no_grad():
        return ((x @ project) * torch.exp(prior + weight)[:, None]).numpy()


def write(path, table, vocab):
    """Returns the table as a reader will see it."""
    scale = np.maximum(np.abs(table).max(1), 1e-9).astype("<f4") / 127
    numbers = np.clip(np.rint(table / scale[:, None]), -127, 127).astype(np.int8)
    sizes = b"RBTVEC\r\n" + struct.pack("<4I", 1, *table.shape, len(vocab))
    payload = vocab + scale.astype("<f4").tobytes() + numbers.tobytes()
    path.write_bytes(sizes + blake3.blake3(sizes + payload).digest() + payload)
    return numbers * scale[:, None]


def measure(table, tokenizer, dev):
    from scipy.stats import spearmanr
    from sklearn.metrics import roc_auc_score

    def vectors(texts):
        all_ids = [[i for i in e.ids if i != UNK] for e in tokenizer.encode_batch(texts, add_special_tokens=False)]
        sums = np.array([table[ids].sum(0) for ids in all_ids])
        return sums / np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-9)

    for name in MEASURED:
        rows = read(dev / f"{name}.jsonl.gz")
        cosine = (vectors([row["text_a"] for row in rows]) * vectors([row["text_b"] for row in rows])).sum(1)
        labels = [row["label"] for row in rows]
        if isinstance(labels[0], str):
            figure = roc_auc_score([label in ("paraphrase", "match") for label in labels], cosine)
            print(f"{name}: AUROC {figure:.4f}")
        else:
            print(f"{name}: Spearman {spearmanr(cosine, labels)[0]:.4f}")


def main():
    parser = argparse.ArgumentParser()
    for name in ("base", "data", "out"):
        parser.add_argument(f"--{name}", required=True, type=Path)
    parser.add_argument("--dev", type=Path, help="beside the data, unless told")
    options = parser.parse_args()
    dev = options.dev or options.data.parent / "dev"
    torch.set_num_threads(1)
    tokenizer = Tokenizer.from_file(str(options.base / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(LONGEST)
    tokenizer.encode_special_tokens = True
    vocab = (options.base / "vocab.txt").read_bytes().rstrip(b"\n")
    pieces = vocab.count(b"\n") + 1

    found = sentences(options.data, dev if dev.is_dir() else None)
    ids = [encoding.ids for encoding in tokenizer.encode_batch([text for _, text in found])]
    frequency = np.bincount(np.concatenate([i[1:-1] for i in ids]), minlength=pieces)
    sequences = chosen(found, ids)
    print(f"{len(found)} sentences, {len(sequences)} of them for the encoder")
    encoder = Encoder(options.base).load(options.base / "model.safetensors").eval()
    target, views = teach(encoder, sequences, pieces)
    table = write(options.out, tune(target, views, frequency, sequences), vocab)
    print(f"{options.out.name}: {options.out.stat().st_size} bytes")
    if dev.is_dir():
        tokenizer.no_truncation()
        measure(table, tokenizer, dev)


if __name__ == "__main__":
    main()
