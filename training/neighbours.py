"""Pairs on one topic that do not contradict: what keeps a style or a topic from becoming the label."""

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer

import rows


def nearest(left, right, low, high, rng):
    """For each left text, one right text of middling likeness: the same topic, another statement."""
    words = TfidfVectorizer(min_df=2, sublinear_tf=True, stop_words="english")
    words.fit(left + right)
    a, b = words.transform(left), words.transform(right)
    pairs = []
    for start in range(0, len(left), 512):
        alike = (a[start : start + 512] @ b.T).tocsr()
        for line in range(alike.shape[0]):
            row = alike.getrow(line)
            fit = row.indices[(row.data > low) & (row.data < high)]
            if len(fit):
                pairs.append((start + line, int(fit[rng.randrange(len(fit))])))
    return pairs


def neighbours(real, data, rng):
    """(name, rows) for each source that lacks its neutral pairs."""
    spoken = rng.sample(real["decode-pos"], 9000)
    left, right = [a for a, _, _ in spoken], [b for _, b, _ in spoken]
    pairs = [pair for pair in nearest(left, right, 0.12, 0.5, rng) if pair[0] != pair[1]]
    yield "decode, other speakers", [(left[i], right[j], "neutral") for i, j in pairs]
    yield "decode, same side", [(left[i], left[j], "neutral") for i, j in nearest(left[:4500], left[4500:], 0.1, 0.5, rng)]
    wiki = [a for a, _, _ in real["wikifactcheck-neg"]][:6000]
    yield "wiki, other facts", rows.strangers(wiki, [(i, j) for i, j in nearest(wiki, wiki, 0.15, 0.6, rng) if i != j], rng)
    arguments = {}
    for row in rows.read(data + "/ibm_argq30k_train.jsonl.gz"):
        arguments.setdefault((row["text_a"], row["stance"]), []).append(row["text_b"])
    same = []
    for key in sorted(arguments, key=str):
        texts = arguments[key]
        same += [(*rng.sample(texts, 2), "neutral") for _ in range(min(40, len(texts)))]
    yield "ibm, same side", same
    claims = [b for _, b, _ in real["litl"]][:8000]
    yield "litl, other claims", rows.strangers(claims, [(i, j) for i, j in nearest(claims, claims, 0.2, 0.6, rng) if i != j][:5000], rng)
