"""The training rows: which sources, how many of each, and what is made of them."""

import gzip
import json
import os
import random
import re

import swaps
import templates
from negation import DENIALS, MAYBES, RETRACTIONS, SAYINGS, negate, wrapped
from wordnet import WordNet

LABELS = {"entailment": 0, "neutral": 1, "contradiction": 2}
STANCES = {"no": 0, "unclear": 1, "yes": 2}
# Non-commercial, or marked by their authors as not to be trained on.
EXCLUDED = {"sick"}
# Most rows of a source per epoch: no genre may drown the others.
CAPS = {"snli": 30000, "decode-pos": 10000, "conj-adv": 9000, "gu-dnli": 5000, "wikifactcheck-neg": 12000}


def read(path):
    opened = gzip.open(path, "rt", encoding="utf-8") if path.endswith(".gz") else open(path, encoding="utf-8")
    with opened as lines:
        for line in lines:
            yield json.loads(line)


def sources(data, snli):
    """Real labelled pairs by source."""
    found = {}
    for row in read(os.path.join(data, "nli_mix_train.jsonl.gz")):
        if row["src"] not in EXCLUDED:
            found.setdefault(row["src"], []).append((row["text_a"], row["text_b"], row["label"]))
    for row in read(snli):
        label = row.get("gold_label")
        if label in LABELS:
            found.setdefault("snli", []).append((row["sentence1"], row["sentence2"], label))
    return found


def one_sentence(text):
    return 3 <= len(text.split()) <= 35 and not re.search(r"[.!?]\s+\w", text)


def negated_hypotheses(pairs, rng):
    """A pair with its hypothesis negated has a label that follows by logic alone."""
    flipped = {"entailment": "contradiction", "contradiction": "entailment", "neutral": "neutral"}
    for premise, hypothesis, label in pairs:
        if not one_sentence(hypothesis):
            continue
        made = wrapped(hypothesis, DENIALS, rng) if rng.random() < 0.12 else negate(hypothesis, rng)
        if made:
            yield premise, made, flipped[label]
            if label == "entailment" and one_sentence(premise) and rng.random() < 0.5:
                other = negate(premise, rng)
                if other:
                    yield made, other, "entailment"


def made_from_sentences(sentences, wordnet, rng):
    """Pairs made by one known change to a real sentence."""
    for sentence in sentences:
        if not one_sentence(sentence):
            continue
        kind = rng.random()
        if kind < 0.20:
            no = negate(sentence, rng)
            if not no:
                continue
            forms = [(sentence, no, "contradiction"), (no, sentence, "contradiction"), (no, wrapped(no, SAYINGS, rng), "entailment"),
                     (wrapped(sentence, SAYINGS, rng), no, "contradiction"), (wrapped(sentence, DENIALS, rng), no, "entailment")]
            yield rng.choice(forms)
        elif kind < 0.30:
            yield rng.choice([
                (sentence, wrapped(sentence, SAYINGS, rng), "entailment"), (wrapped(sentence, SAYINGS, rng), sentence, "entailment"),
                (sentence, wrapped(sentence, DENIALS, rng), "contradiction"), (wrapped(sentence, DENIALS, rng), sentence, "contradiction"),
                (wrapped(sentence, MAYBES, rng), sentence, "neutral"), (sentence, wrapped(sentence, RETRACTIONS, rng), "contradiction"),
                (sentence, sentence, "entailment"),
            ])
        elif kind < 0.52:
            made = swaps.opposite(sentence, wordnet, rng)
            if made:
                no = negate(made[0], rng) if rng.random() < 0.35 else None
                yield (sentence, no, "entailment") if no else (sentence, made[0], "contradiction")
        elif kind < 0.68:
            made = swaps.synonym(sentence, wordnet, rng)
            if made:
                no = negate(made[0], rng) if rng.random() < 0.35 else None
                yield (sentence, no, "contradiction") if no else (sentence, made[0], "entailment")
        elif kind < 0.78:
            made = swaps.sibling(sentence, rng)
            if made:
                yield sentence, made[0], "contradiction"
        elif kind < 0.88:
            made = swaps.wider(sentence, rng)
            if made:
                no, wide_no = (negate(sentence, random.Random(1)), negate(made[0], random.Random(1))) if rng.random() < 0.6 else (None, None)
                forms = [(sentence, made[0], "entailment"), (made[0], sentence, "neutral")]
                if no and wide_no:
                    forms = [(wide_no, no, "entailment"), (no, wide_no, "neutral"), (no, wide_no, "neutral"), (sentence, wide_no, "contradiction"), (made[0], no, "neutral")]
                yield rng.choice(forms)
        else:
            made = swaps.number(sentence, rng)
            if made:
                yield sentence, made[0], made[1]


def strangers(sentences, nearest, rng):
    """Two sentences on one topic that say different things, one of them sometimes negated."""
    for one, other in nearest:
        a, b = sentences[one], sentences[other]
        if rng.random() < 0.4:
            b = negate(b, rng) or b
        yield a, b, "neutral"


MOTIONS = [
    "{t}", "{t}.", "This house believes that {l}", "I believe that {l}", "Do you agree that {l}?", "The proposition: {l}.",
    "{t}?", "It is right that {l}.",
]


def motion(topic, rng):
    """A topic as a statement, a question or a motion."""
    low = topic[:1].lower() + topic[1:] if topic.split()[0] in ("We", "The", "Social") else topic
    match = re.match(r"We should (.*)", topic)
    forms = list(MOTIONS)
    if match:
        act = match.group(1)
        forms += [f"Should we {act}?", f"This house would {act}", f"This house would {act}.", f"Is it time to {act}?", f"We ought to {act}."]
    return rng.choice(forms).format(t=topic, l=low)


def opposed(topic):
    match = re.match(r"(We should) (?!not )(.*)", topic)
    if match:
        return f"We should not {match.group(2)}"
    match = re.match(r"(.*) should be (.*)", topic)
    return f"{match.group(1)} should not be {match.group(2)}" if match else None


def stances(data, rng):
    """(motion, argument, stance, quality): IBM's arguments, with motions turned, and arguments on other motions."""
    rows = list(read(os.path.join(data, "ibm_argq30k_train.jsonl.gz")))
    topics = sorted({row["text_a"] for row in rows})
    for row in rows:
        stance = "yes" if row["stance"] > 0 else "no"
        topic = row["text_a"]
        turned = opposed(topic) if rng.random() < 0.25 else None
        if turned:
            topic, stance = turned, {"yes": "no", "no": "yes"}[stance]
        yield motion(topic, rng), row["text_b"], stance, row["wa"]
        if rng.random() < 0.10:
            yield motion(rng.choice(topics), rng), row["text_b"], "unclear", None


def capped(rows, cap, rng):
    rng.shuffle(rows)
    return rows[:cap]


def mixture(data, snli, wordnet_folder, seed=7, made=32000, neighbours=None):
    """All inference rows (premise, hypothesis, label) and all stance rows."""
    rng = random.Random(seed)
    wordnet = WordNet(wordnet_folder)
    real = sources(data, snli)
    inference, report = [], {}

    def add(name, rows):
        rows = list(rows)
        inference.extend(rows)
        report[name] = len(rows)

    for source, rows in sorted(real.items()):
        add(source, capped(rows, CAPS.get(source, len(rows)), rng))
    for source, share in (("snli", 0.2), ("litl", 0.45), ("cad", 0.4), ("gu-dnli", 0.3), ("conj-adv", 0.3), ("snli-dev", 0.4)):
        some = [row for row in real[source] if rng.random() < share]
        add(f"{source}, hypothesis negated", capped(list(negated_hypotheses(some, rng)), 9000, rng))
    pool = [a for a, _, _ in real["wikifactcheck-neg"]] + [a for a, _, _ in real["conj-adv"]]
    pool += [b for _, b, _ in real["litl"]] + [a for a, _, _ in real["snli"][:20000]] + [b for _, b, _ in real["cad"]]
    pool += [row["text_b"] for row in read(os.path.join(data, "ibm_argq30k_train.jsonl.gz"))]
    rng.shuffle(pool)
    add("one word or number changed", capped(list(made_from_sentences(pool, wordnet, rng)), made, rng))
    # Sources that hold contradictions only would teach their style as the label: give them the rest.
    wiki = [a for a, _, _ in real["wikifactcheck-neg"]]
    plain = [row for row in made_from_sentences(wiki * 2, wordnet, rng) if row[2] == "entailment"]
    add("wikifactcheck, same meaning", capped(plain, 8000, rng))
    if neighbours:
        for name, rows in neighbours(real, rng):
            add(name, rows)
    pairs = [tuple(entry.split("/")) for entry in swaps.OPPOSED_WORDS]
    pairs += sorted({tuple(sorted((word, other))) for (tag, word), others in wordnet.antonyms.items() if tag == "a"
                     for other in others if wordnet.common("a", word) and wordnet.common("a", other)})
    add("templates", [templates.row(rng, pairs) for _ in range(24000)])
    stance = list(stances(data, rng))
    report["ibm stance"] = len(stance)
    return inference, stance, report
