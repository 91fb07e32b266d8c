"""One conversation: does it contradict itself, what does an audit find, how do two statements relate."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import _native
from ._data import Data, dump, framed, load, table, wanted


def as_text(conversation: Any, argument: str = "conversation") -> str:
    """A conversation as the program reads it: a text, a path, messages, or an object that holds them.

    A message is a dictionary with ``role`` (or ``agent``) and ``content``, or an object with those names,
    as LangChain and AutoGen have them.
    """
    if isinstance(conversation, str):
        return conversation
    if isinstance(conversation, Path):
        return conversation.read_text(encoding="utf-8")
    if isinstance(conversation, Mapping):
        for name in ("conversation", "messages"):
            if name in conversation:
                return as_text(conversation[name], argument)
        return dump(dict(conversation), argument)
    if isinstance(conversation, Iterable) and not isinstance(conversation, bytes):
        return dump([message(one, f"{argument}[{at}]") for at, one in enumerate(conversation)], argument)
    raise TypeError(f"{argument} must be a text or a list of messages, not {type(conversation).__name__}")


#: What frameworks call those who speak.
_ROLES = {"human": "user", "ai": "assistant", "developer": "system"}


def message(one: Any, argument: str) -> dict[str, Any]:
    """A message as ``{"role", "name", "content"}``."""
    if isinstance(one, Mapping):
        return dict(one)
    content = getattr(one, "content", None)
    if content is None:
        raise TypeError(f"{argument} must be a message with role and content, not {type(one).__name__}")
    if not isinstance(content, str):
        parts = content if isinstance(content, Sequence) else [content]
        said = [part.get("text", "") if isinstance(part, Mapping) else str(part) for part in parts]
        content = "\n".join(text for text in said if text)
    source = getattr(one, "source", None)
    kind = getattr(one, "role", None) or getattr(one, "type", None)
    if isinstance(source, str):
        # AutoGen: who spoke is the source, and the person is called user.
        return {"role": "user" if source == "user" else "assistant", "name": source, "content": content}
    role = _ROLES.get(str(kind), str(kind))
    name = getattr(one, "name", None)
    return {"role": role, "content": content} | ({"name": name} if name else {})


@dataclass(frozen=True, slots=True)
class RubricResult(Data):
    """Why the rubric answers what it answers."""

    #: yes, no or unclear.
    contradiction: str
    score: float
    before: dict[str, Any] | None
    after: dict[str, Any] | None
    reversal: list[str] | None
    acknowledgment: dict[str, Any] | None
    reason: str


def explain_rubric(conversation: Any, *, method: str = "rules") -> RubricResult:
    """The rubric's answer, with the two positions and the acknowledgment it rests on."""
    return RubricResult(**load(_native.rubric(as_text(conversation), wanted(method, str, "method"))))


def rubric(conversation: Any, *, method: str = "rules") -> bool:
    """True when an agent takes the opposite of what it held, and nothing acknowledges it (seed 003)."""
    return _native.rubric_batch([as_text(conversation)], wanted(method, str, "method"))[0]


def rubric_batch(conversations: Iterable[Any], *, method: str = "rules") -> list[bool]:
    """:func:`rubric` of many conversations."""
    texts = [as_text(one, f"conversations[{at}]") for at, one in enumerate(conversations)]
    return _native.rubric_batch(texts, wanted(method, str, "method"))


@dataclass(frozen=True, slots=True)
class Finding(Data):
    """What a detector saw, with the words it saw it in."""

    rule: str
    agent: str
    severity: str
    explanation: str
    quotes: list[dict[str, Any]]
    confidence: float
    method: str


class Audit:
    """What an audit of one text found."""

    def __init__(self, document: dict[str, Any], asked: tuple[Any, ...]) -> None:
        self._document, self._asked = document, asked
        #: What was found, in the order of the text.
        self.findings = [_finding(raw) for raw in document["findings"]]

    @property
    def silent_flips(self) -> list[Finding]:
        """Reversals that their agents did not own up to."""
        return [one for one in self.findings if one.rule == "self-contradiction/silent"]

    def to_dict(self) -> dict[str, Any]:
        """Everything, as ``rebuttal audit --format json`` writes it."""
        return dict(self._document)

    def to_arrow(self) -> _native.Table:
        """The findings as an Arrow table, one row each."""
        kinds = dict.fromkeys(("rule", "agent", "severity", "explanation", "method"), "text")
        return table([one.to_dict() for one in self.findings], {**kinds, "confidence": "number"})

    def html(self) -> str:
        """The audit as one page to hand on."""
        return _native.audit_html(*self._asked)

    def _repr_html_(self) -> str:
        return framed(self.html())

    def __repr__(self) -> str:
        return f"Audit({len(self.findings)} findings)"


def _finding(raw: Mapping[str, Any]) -> Finding:
    values = {name: raw[name] for name in "rule agent severity explanation quotes method".split()}
    sure = raw["confidence"]
    return Finding(**values, confidence=sure["value"] if isinstance(sure, Mapping) else sure)


def audit(
    conversation: Any,
    *,
    method: str = "rules",
    format: str | None = None,
    min_severity: str = "info",
) -> Audit:
    """Finds flips, contradictions and hollow agreement in a log, as ``rebuttal audit`` does.

    ``format`` names the log's format where it cannot be seen; ``min_severity`` is info, low, medium or high.
    """
    text = as_text(conversation)
    asked = (text, wanted(method, str, "method"), format, wanted(min_severity, str, "min_severity"))
    return Audit(load(_native.audit(*asked)), asked)


@dataclass(frozen=True, slots=True)
class Comparison(Data):
    """How two statements of one agent relate."""

    #: same, entails, contradicts, qualifies or unrelated.
    relation: str
    confidence: float
    why: str
    similarity: float
    #: contradiction, retraction, qualification, refinement; or that there is no flip.
    flip: str | None
    acknowledged: bool
    explanation: str
    cues: list[dict[str, Any]]


def compare(before: str, after: str, *, question: str | None = None, method: str = "rules") -> Comparison:
    """Whether the second statement contradicts, qualifies or repeats the first."""
    wanted(before, str, "before")
    wanted(after, str, "after")
    found = load(_native.compare(before, after, question, wanted(method, str, "method")))
    relation, flip = found["relation"], found["flip"] or {}
    return Comparison(
        relation=relation["relation"],
        confidence=relation["confidence"],
        why=relation["why"],
        similarity=relation["similarity"],
        flip=flip.get("outcome"),
        acknowledged=flip.get("acknowledged", False),
        explanation=flip.get("explanation", ""),
        cues=relation["cues"],
    )


@dataclass(frozen=True, slots=True)
class EvidenceQuality(Data):
    """How well a text supports what it says, each part from 0 to 1."""

    citation_density: float
    specificity_score: float
    logical_chain_score: float
    evidence_diversity: float
    overall: float


class Qualities(list[EvidenceQuality]):
    """The quality of many texts, in their order."""

    def to_arrow(self) -> _native.Table:
        """One row for each text."""
        names = EvidenceQuality.__dataclass_fields__
        return table([one.to_dict() for one in self], dict.fromkeys(names, "number"))


def evidence_quality(text: str) -> EvidenceQuality:
    """How well a text supports what it says."""
    return evidence_quality_batch([wanted(text, str, "text")])[0]


def evidence_quality_batch(texts: Iterable[str]) -> Qualities:
    """:func:`evidence_quality` of many texts."""
    from ._data import texts as checked

    found = _native.assess_evidence_batch(checked(texts, "texts"))
    return Qualities(EvidenceQuality(*one) for one in found)
