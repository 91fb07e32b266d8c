"""Negating a plain English sentence, or saying that it cannot be done safely."""

import re

AUX = "is are was were will would can could should has have had does do did must".split()
CONTRACTED = {
    "is": "isn't", "are": "aren't", "was": "wasn't", "were": "weren't", "will": "won't",
    "would": "wouldn't", "can": "can't", "could": "couldn't", "should": "shouldn't",
    "has": "hasn't", "have": "haven't", "had": "hadn't", "does": "doesn't", "do": "don't",
    "did": "didn't", "must": "mustn't",
}
EXPANDED = {short: full for full, short in CONTRACTED.items()} | {"cannot": "can"}
# Words that open a clause of its own: an auxiliary after one is not the main verb.
SUBORDINATE = set(
    "who which that where when if because whose what how why while although though since unless until"
    " before after whether than as but and or so".split()
)
# Subjects whose negation is a matter of scope, not of a word.
QUANTIFIED = set(
    "all every everyone everybody everything some someone somebody something no none nobody nothing"
    " both either neither only most few many any each always never often rarely sometimes hardly nor"
    " anyone anything without not may might".split()
)
# Base forms of verbs common in debates and captions, for sentences without an auxiliary.
VERBS = """accept achieve add affect agree allow approve argue arrive ask attack avoid become begin
believe belong benefit block break bring build buy call carry catch cause change claim clean climb
close collect come complete consider consist contain continue contribute control convince cook
cost cover create cross cut damage dance decide decline decrease deliver depend deserve destroy
develop differ disappear discuss drive drop earn eat encourage end enjoy ensure enter exceed exist
expand expect explain fail fall favour favor fear feature feel fight fit fix fly follow force form
gain get give go grow happen harm hate have help hit hold hurt ignore improve include increase
indicate influence invest involve join jump keep kill know lack last lead learn leave let like limit
listen live look lose love lower maintain make manage matter mean meet mention miss move need occur
offer open oppose outweigh own pay perform play point possess prefer prevent produce promote protect
prove provide pull push put raise reach read receive recommend record reduce reflect reject release
remain remove replace report represent require result return reveal ride rise run save say score see
seem sell serve share show sing sit sleep solve speak spend stand start stay stop strengthen suffer
suggest support survive swim take talk teach tell tend think threaten throw touch trust try turn
understand undermine use value violate visit vote walk want warn waste watch wear win wish work
worry worsen write yield""".split()
IRREGULAR_PAST = {
    "became": "become", "began": "begin", "broke": "break", "brought": "bring", "built": "build",
    "bought": "buy", "caught": "catch", "came": "come", "cost": "cost", "cut": "cut", "ate": "eat",
    "fell": "fall", "felt": "feel", "fought": "fight", "flew": "fly", "got": "get", "gave": "give",
    "went": "go", "grew": "grow", "held": "hold", "kept": "keep", "knew": "know", "led": "lead",
    "left": "leave", "lost": "lose", "made": "make", "meant": "mean", "met": "meet", "paid": "pay",
    "ran": "run", "rose": "rise", "said": "say", "saw": "see", "sold": "sell", "sang": "sing",
    "sat": "sit", "slept": "sleep", "spoke": "speak", "spent": "spend", "stood": "stand",
    "swam": "swim", "took": "take", "taught": "teach", "told": "tell", "thought": "think",
    "threw": "throw", "understood": "understand", "wore": "wear", "won": "win", "wrote": "write",
    "drove": "drive", "rode": "ride", "began": "begin",
}


def third_person(verb):
    if verb == "have":
        return "has"
    if verb.endswith(("s", "x", "ch", "sh", "o", "z")):
        return verb + "es"
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return verb[:-1] + "ies"
    return verb + "s"


def past(verb):
    if verb.endswith("e"):
        return verb + "d"
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return verb[:-1] + "ied"
    return verb + "ed"


THIRD = {third_person(verb): verb for verb in VERBS}
PAST = {past(verb): verb for verb in VERBS} | IRREGULAR_PAST
# Past forms of these are as often adjectives or nouns: "a closed door", "a record".
PAST_UNSAFE = set("closed cut cost used left led felt limited covered".split())
THIRD_UNSAFE = set(
    "plays works looks needs uses costs reports calls moves runs shows stands talks turns waits walks"
    " visits votes values claims changes drives drops ends falls fears feels fights forms gains helps"
    " hits holds keeps limits lives means offers points produces records reflects results returns"
    " rides rises scores sells starts stays stops supports touches wants watches wins".split()
)


def _spliced(words, at, replacement):
    return " ".join(words[:at] + replacement + words[at + 1 :])


def negate(sentence, rng):
    """The sentence's plain negation, or None where that is not safe to make."""
    words = sentence.strip().split()
    if not 2 <= len(words) <= 40 or sentence.rstrip().endswith("?"):
        return None
    lower = [word.lower().strip(",.;:!\"") for word in words]
    if lower[0] in SUBORDINATE or set(lower[:6]) & QUANTIFIED - {"not", "never", "no"}:
        return None
    for at, word in enumerate(lower):
        following = lower[at + 1] if at + 1 < len(lower) else ""
        if word in SUBORDINATE:
            return None
        if word in EXPANDED and at:
            return _spliced(words, at, [EXPANDED[word]])
        if word in AUX and at and words[at][-1] not in ",;:":
            return _negate_auxiliary(words, lower, at, word, following, rng)
        if word in ("never", "no", "not"):
            return None
        if at and words[at][-1] not in ",;:":
            if word in THIRD and word not in THIRD_UNSAFE:
                return _spliced(words, at, [rng.choice(["does not", "doesn't"]), THIRD[word]])
            if word in PAST and word not in PAST_UNSAFE and following not in ("by",):
                return _spliced(words, at, [rng.choice(["did not", "didn't"]), PAST[word]])
            plain = lower[0] in ("i", "we", "they", "you") and at == 1
            if plain and word in VERBS:
                return _spliced(words, at, [rng.choice(["do not", "don't"]), word])
    return None


def _negate_auxiliary(words, lower, at, word, following, rng):
    if following in ("not", "never"):
        return " ".join(words[: at + 1] + words[at + 2 :])
    if word in ("have", "has", "had", "do", "does", "did") and following in ("a", "an", "the", "no", "to", "it"):
        if following == "to":
            return None
        base = {"has": "does not have", "have": "do not have", "had": "did not have"}.get(word)
        return None if base is None or following == "no" else _spliced(words, at, [base])
    if following in QUANTIFIED or following in ("no", "just", "also", "still", "already", "almost"):
        return " ".join(words[: at + 1] + words[at + 2 :]) if following == "no" and lower[0] == "there" else None
    if lower[0] == "there":
        rest = words[at + 2 :] if following in ("a", "an") else words[at + 1 :]
        return " ".join(words[: at + 1] + ["no"] + rest)
    kind = rng.random()
    if kind < 0.35:
        return _spliced(words, at, [_cased(CONTRACTED[word], words[at])])
    if kind < 0.42 and word in ("is", "are", "was", "were", "has", "have", "will", "would", "can"):
        return " ".join(words[: at + 1] + ["never"] + words[at + 1 :])
    return " ".join(words[: at + 1] + ["not"] + words[at + 1 :])


def _cased(word, like):
    return word.capitalize() if like[:1].isupper() else word


DENIALS = [
    "It is not true that {s}", "It is not the case that {s}", "It is false that {s}",
    "It is wrong to say that {s}", "I disagree that {s}", "No, it is a myth that {s}",
    "It is simply untrue that {s}", "I deny that {s}",
]
SAYINGS = [
    "I think that {s}", "In my view, {s}", "I believe {s}", "It is true that {s}", "Clearly, {s}",
    "The evidence shows that {s}", "As I said before, {s}", "We know that {s}", "In fact, {s}",
    "There is no doubt that {s}", "It is clear that {s}", "Yes, {s}", "I still think {s}",
    "I agree that {s}", "My position is that {s}", "To be precise, {s}",
]
MAYBES = [
    "It is possible that {s}", "Perhaps {s}", "Maybe {s}", "It may be that {s}",
    "It might be the case that {s}", "Some people say that {s}", "I wonder whether {s}",
    "It has been claimed that {s}", "Nobody knows whether {s}",
]
RETRACTIONS = [
    "I no longer think that {s}", "I was wrong to say that {s}", "I have changed my mind: it is not true that {s}",
    "I take back my claim that {s}", "I used to believe that {s}, but I was mistaken",
]


def lowered(sentence):
    """The sentence as a clause: first letter small (unless a name or I), full stop gone."""
    text = sentence.strip().rstrip(".!")
    first = text.split()[0] if text.split() else ""
    if first in ("I", "I'm", "I've") or first.isupper() and len(first) > 1:
        return text
    common = first.lower() in (
        "the a an this that these those we they it he she you there people many our their his her"
        " my your in on at for by with two three several most some all if when".split()
    )
    return text[:1].lower() + text[1:] if common else text


def wrapped(sentence, forms, rng):
    text = rng.choice(forms).format(s=lowered(sentence))
    return re.sub(r"\s+", " ", text) + "."
