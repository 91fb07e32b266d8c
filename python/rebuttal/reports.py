"""Several agents' reports: where they conflict, who is right, and what to go on with (seed 002)."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from . import _native
from ._data import Data, dump, framed, load, number, table, wanted


@dataclass(slots=True)
class AgentReport(Data):
    """What one agent found."""

    agent: str
    text: str
    confidence: float | None = None
    #: The text with notes beside what was ruled on; the text itself is never changed.
    adjusted_text: str | None = None
    #: What the rulings mean for pieces of the text.
    adjustments: list[dict[str, Any]] = field(default_factory=list)
    _raw: Any = None


@dataclass(slots=True)
class Contradiction(Data):
    """Two agents that cannot both be right as they stand."""

    metric_name: str
    agent1_name: str
    agent1_value: float | None
    agent1_citation: str
    agent1_confidence: float | None
    agent2_name: str
    agent2_value: float | None
    agent2_citation: str
    agent2_confidence: float | None
    #: high, medium or low.
    severity: str = "medium"
    explanation: str = ""
    #: value, source_data, interpretation or confidence.
    kind: str = "value"
    _raw: Any = None
    _reports: Any = None

    @property
    def agents(self) -> list[str]:
        """All agents on its sides: two, or more where more spoke."""
        return [side["agent"] for side in self._whole()["sides"]]

    def _whole(self) -> dict[str, Any]:
        """Everything the program knows of it; of one made by hand, what can be made of its fields."""
        return self._raw if self._raw is not None else _by_hand(self)


class Contradictions(list[Contradiction]):
    """Contradictions, and the reports they were found in."""

    def to_arrow(self) -> _native.Table:
        """The contradictions as an Arrow table, one row each."""
        kinds = {}
        for name in Contradiction.__dataclass_fields__:
            if not name.startswith("_"):
                kinds[name] = "number" if name.endswith(("_value", "_confidence")) else "text"
        return table([one.to_dict() for one in self], kinds)


@dataclass(slots=True)
class DebateResolution(Data):
    """A ruling on one contradiction."""

    #: agent1_correct, agent2_correct, both_valid or neither_valid; None where a person must look.
    resolution: str | None
    explanation: str
    recommended_value: float | None
    recommended_citation: str | None
    confidence: float
    #: use_agent1, use_agent2, use_both or flag_for_review.
    action: str
    contradiction: Contradiction
    #: Who ruled: rules, or the model's name.
    by: str = "rules"
    steps: list[dict[str, Any]] = field(default_factory=list)
    _raw: Any = None


@dataclass(slots=True)
class ConsensusResult(Data):
    """What reconciling reports comes to."""

    resolved_contradictions: int
    flagged_for_review: int
    consensus_narrative: str
    adjusted_reports: list[AgentReport]


def _sure(raw: Any) -> float | None:
    sure: float | None = raw["value"] if isinstance(raw, Mapping) else raw
    return sure


def _report(raw: Mapping[str, Any], text: str | None = None) -> AgentReport:
    return AgentReport(
        agent=raw["agent"],
        text=raw["text"],
        confidence=_sure(raw.get("confidence")),
        adjusted_text=text,
        adjustments=list(raw.get("adjustments", [])),
        _raw=dict(raw),
    )


def read_reports(reports: Any) -> list[AgentReport]:
    """Reports of any form the program reads: dictionaries with ``agent`` and ``text`` or ``findings``,
    :class:`AgentReport`, or messages of a framework with ``name`` and ``content``."""
    if isinstance(reports, (str, bytes)) or not isinstance(reports, Iterable):
        raise TypeError(f"reports must be a list of dict, not {type(reports).__name__}")
    rows = []
    for at, one in enumerate(reports):
        rows.append(_row(one, f"reports[{at}]"))
    if not rows:
        return []
    found = load(_native.read_reports(dump(rows, "reports")))
    if not found["reports"]:
        raise ValueError(f"reports: {'; '.join(found['problems'])}")
    return [_report(raw) for raw in found["reports"]]


def _row(one: Any, argument: str) -> dict[str, Any]:
    if isinstance(one, AgentReport):
        row = {"agent": one.agent, "text": one.text}
        return row if one.confidence is None else {**row, "confidence": one.confidence}
    if isinstance(one, Mapping):
        return dict(one)
    content, name = getattr(one, "content", None), getattr(one, "name", None) or getattr(one, "source", None)
    text = getattr(one, "text", None) or getattr(one, "narrative", None) or content
    agent = getattr(one, "agent", None) or getattr(one, "agent_name", None) or name
    if not isinstance(text, str) or not isinstance(agent, str):
        raise TypeError(f"{argument} must be a dict with agent and text, not {type(one).__name__}")
    sure = getattr(one, "confidence", None)
    return {"agent": agent, "text": text} | ({"confidence": sure} if isinstance(sure, (int, float)) else {})


def _raws(reports: Iterable[AgentReport]) -> list[dict[str, Any]]:
    return [one._raw if one._raw is not None else _row(one, "reports") for one in reports]


def _contradiction(raw: dict[str, Any], reports: list[AgentReport]) -> Contradiction:
    one, two = raw["sides"][0], raw["sides"][1]

    def side(of: Mapping[str, Any], number: int) -> dict[str, Any]:
        cited = of.get("citation")
        return {
            f"agent{number}_name": of["agent"],
            f"agent{number}_value": of.get("value"),
            f"agent{number}_citation": cited["text"] if cited else "",
            f"agent{number}_confidence": _sure(of.get("confidence")),
        }

    return Contradiction(
        metric_name=raw["metric_name"],
        **side(one, 1),
        **side(two, 2),
        severity=raw["severity"],
        explanation=raw["explanation"],
        kind=raw["kind"],
        _raw=raw,
        _reports=reports,
    )


def _by_hand(made: Contradiction) -> dict[str, Any]:
    """The program's form of a contradiction that somebody wrote down."""

    def side(at: int) -> dict[str, Any]:
        value = getattr(made, f"agent{at}_value")
        cited, sure = getattr(made, f"agent{at}_citation"), getattr(made, f"agent{at}_confidence")
        of: dict[str, Any] = {
            "agent": getattr(made, f"agent{at}_name"),
            "report": at - 1,
            "span": [0, 0],
            "quote": cited or str(value),
            "value": value,
            "shown": str(value),
            "shown_span": [0, 0],
        }
        if cited:
            of["citation"] = load(_native.cited(cited))
        if sure is not None:
            of["confidence"] = {"value": number(sure, "confidence"), "whose": "stated"}
        return of

    return {
        "id": f"by-hand-{made.metric_name}-{made.agent1_name}-{made.agent2_name}",
        "kind": made.kind,
        "metric_name": made.metric_name,
        "metric": made.metric_name.replace("_", " "),
        "sides": [side(1), side(2)],
        "severity": made.severity,
        "confidence": {"value": 1.0, "whose": "detector"},
        "method": "rules",
        "explanation": made.explanation or f"{made.agent1_name} and {made.agent2_name} differ on {made.metric_name}",
    }


def detect_contradictions(
    reports: Any, *, tolerance: float | None = None, method: str = "rules"
) -> Contradictions:
    """Where reports conflict: values that differ by more than ``tolerance`` (0.05), opposite readings,
    one claim held with very different confidence, one source quoted differently."""
    share = None if tolerance is None else number(tolerance, "tolerance")
    known = read_reports(reports)
    raws = dump(_raws(known), "reports")
    found = load(_native.detect_contradictions(raws, share, wanted(method, str, "method")))
    return Contradictions(_contradiction(raw, known) for raw in found["contradictions"])


def _resolution(raw: dict[str, Any], contradiction: Contradiction) -> DebateResolution:
    by = raw["by"]
    return DebateResolution(
        resolution=raw["resolution"],
        explanation=raw["explanation"],
        recommended_value=raw["recommended_value"],
        recommended_citation=raw["recommended_citation"],
        confidence=raw["confidence"]["value"],
        action=raw["action"],
        contradiction=contradiction,
        by=by["agent"] if isinstance(by, Mapping) else by,
        steps=raw.get("steps", []),
        _raw=raw,
    )


async def conduct_debate(
    contradiction: Contradiction, llm: Any = None, *, authority: str | None = None
) -> DebateResolution:
    """Rules on one contradiction: by written rules, or by a model that is asked in both orders.

    ``llm`` is a callable of a prompt (async or not), an object with ``complete``, ``ainvoke`` or
    ``generate``, or nothing. A reply that is not usable, or holds a value that nobody gave, leaves the
    ruling to the rules, and a step says why. ``authority`` is a policy, as in
    ``rules = ["GCC-STAT > World Bank > other"]``.
    """
    raw = dump(wanted(contradiction, Contradiction, "contradiction")._whole(), "contradiction")
    if llm is None:
        return _resolution(load(_native.arbitrate(raw, authority)), contradiction)
    import asyncio

    prompts = _native.debate_prompt(raw, authority)
    given, reversed_ = await asyncio.gather(*(_asked(llm, prompt) for prompt in prompts))
    ruling = _native.settle(raw, _name_of(llm), given, reversed_, authority)
    return _resolution(load(ruling), contradiction)


async def _asked(llm: Any, prompt: str) -> tuple[str | None, str]:
    """The model's reply, or why there is none."""
    from .agents import ask_model

    try:
        return await ask_model(llm, prompt), ""
    except Exception as error:  # noqa: BLE001 - whatever a model raises, the rules decide instead
        return None, f"{type(error).__name__}: {error}"


def _name_of(llm: Any) -> str:
    names = (getattr(llm, name, None) for name in ("name", "model_name", "model", "__name__"))
    return next((name for name in names if isinstance(name, str) and name), type(llm).__name__)


def _raw_resolution(one: DebateResolution) -> dict[str, Any]:
    raw: dict[str, Any] = wanted(one, DebateResolution, "resolutions")._raw
    if raw is not None:
        return raw
    return {
        "contradiction": one.contradiction._whole()["id"],
        "resolution": one.resolution,
        "explanation": one.explanation,
        "recommended_value": one.recommended_value,
        "recommended_citation": one.recommended_citation,
        "confidence": {"value": number(one.confidence, "confidence"), "whose": "stated"},
        "action": one.action,
        "by": one.by if one.by in ("rules", "human") else {"agent": one.by},
    }


def _joined(resolutions: Iterable[DebateResolution], reports: Any) -> tuple[str, str, str]:
    ruled = list(resolutions)
    raws = [_raw_resolution(one) for one in ruled]
    known = reports
    if known is None:
        known = next((one.contradiction._reports for one in ruled if one.contradiction._reports), [])
    wholes = [one.contradiction._whole() for one in ruled]
    return dump(wholes, "resolutions"), dump(raws, "resolutions"), dump(_raws(read_reports(known)), "reports")


def build_consensus(resolutions: Iterable[DebateResolution], reports: Any = None) -> ConsensusResult:
    """What all rulings come to: how many stand, how many a person must look at, and what to go on with.
    Without ``reports``, those that the contradictions were found in."""
    ruled = list(resolutions)
    raw = load(_native.build_consensus(*_joined(ruled, reports)))
    return ConsensusResult(
        resolved_contradictions=raw["resolved_contradictions"],
        flagged_for_review=raw["flagged_for_review"],
        consensus_narrative=raw["consensus_narrative"],
        adjusted_reports=apply_debate_resolutions(reports, ruled),
    )


def apply_debate_resolutions(reports: Any, resolutions: Iterable[DebateResolution]) -> list[AgentReport]:
    """The reports with what the rulings mean for them: ``adjusted_text`` has notes, ``text`` stays."""
    adjusted = load(_native.apply_resolutions(*_joined(resolutions, reports)))
    return [_report(one["report"], one["text"]) for one in adjusted]


@dataclass(slots=True)
class Reconciliation(Data):
    """Reports taken to a consensus."""

    #: complete, or skipped where nothing conflicts.
    status: str
    contradictions: Contradictions
    resolutions: list[DebateResolution]
    consensus: ConsensusResult
    latency_ms: float
    _reports: Any = None

    def html(self) -> str:
        """One page: the conflicts, their rulings, each report beside its adjusted text."""
        joined = _joined(self.resolutions, self._reports)
        by = next((one.by for one in self.resolutions if one.by != "rules"), None)
        return _native.reconcile_html(*joined, by, self.latency_ms)

    def _repr_html_(self) -> str:
        return framed(self.html())


async def reconcile(
    reports: Any,
    llm: Any = None,
    *,
    authority: str | None = None,
    tolerance: float | None = None,
    concurrency: int = 8,
) -> Reconciliation:
    """From reports to a consensus: finds contradictions, rules on each, adjusts. At most ``concurrency``
    contradictions are before the model at once."""
    import asyncio

    begun = time.perf_counter()
    known = read_reports(reports)
    found = detect_contradictions(known, tolerance=tolerance)
    room = asyncio.Semaphore(max(1, wanted(concurrency, int, "concurrency")))

    async def one(contradiction: Contradiction) -> DebateResolution:
        async with room:
            return await conduct_debate(contradiction, llm, authority=authority)

    resolutions = list(await asyncio.gather(*(one(contradiction) for contradiction in found)))
    consensus = build_consensus(resolutions, known)
    latency_ms = (time.perf_counter() - begun) * 1e3 if found else 0.0
    status = "complete" if found else "skipped"
    return Reconciliation(status, found, resolutions, consensus, latency_ms, known)
