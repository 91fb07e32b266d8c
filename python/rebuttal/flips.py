"""Position flips: who gave up what, and how consistent each agent is (seed 000)."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from . import _native
from ._data import Data, dump, framed, load, number, table, texts, wanted

#: Most flips and positions that one call gives.
ROWS_MAX = 100_000


@dataclass(frozen=True, slots=True)
class FlipEvent(Data):
    """Two positions of one agent, the later of which is not the earlier any more."""

    id: str
    agent_name: str
    original_claim: str
    new_claim: str
    original_confidence: float | None
    new_confidence: float | None
    original_debate_id: str | None
    new_debate_id: str | None
    similarity_score: float
    #: contradiction, retraction, qualification or refinement.
    flip_type: str
    domain: str | None
    detected_at: str
    #: Whether the agent changed its position without saying so.
    silent: bool = False
    #: What moved it: new_evidence, counter_argument, majority, authority, insistence or none_visible.
    cause: str = "none_visible"
    explanation: str = ""
    _raw: Any = None

    @classmethod
    def of(cls, raw: Mapping[str, Any]) -> FlipEvent:
        """A flip as the program keeps it."""
        names = (
            "id agent_name original_claim new_claim original_confidence new_confidence original_debate_id "
            "new_debate_id similarity_score flip_type domain detected_at cause explanation"
        )
        values = {name: raw[name] for name in names.split()}
        return cls(**values, silent=raw["acknowledgment"] == "silent", _raw=dict(raw))

    @property
    def raw(self) -> dict[str, Any]:
        """Everything the program knows of it: both positions whole, and the bytes that decided."""
        return dict(self._raw or {})


class Flips(list[FlipEvent]):
    """Flips, the latest found first."""

    def to_arrow(self) -> _native.Table:
        """The flips as an Arrow table, one row each."""
        kinds = {
            name: "text"
            for name in (
                "id agent_name original_claim new_claim original_debate_id new_debate_id flip_type domain "
                "detected_at cause explanation"
            ).split()
        }
        kinds |= dict.fromkeys(("original_confidence", "new_confidence", "similarity_score"), "number")
        return table([flip.to_dict() for flip in self], {**kinds, "silent": "flag"})

    def html(self) -> str:
        """The flips as one page to hand on."""
        return _native.flips_html(dump([flip.raw for flip in self], "flips"))

    def _repr_html_(self) -> str:
        return framed(self.html())


@dataclass(frozen=True, slots=True)
class AgentConsistencyScore(Data):
    """An agent's flips in numbers; 1.0 is perfectly consistent."""

    agent_name: str
    total_positions: int
    total_flips: int
    contradictions: int
    refinements: int
    retractions: int
    qualifications: int
    avg_confidence_on_flip: float
    domains_with_flips: list[str]
    consistency_score: float
    flip_rate: float

    @classmethod
    def of(cls, raw: Mapping[str, Any]) -> AgentConsistencyScore:
        """A score as the program gives it."""
        return cls(**{name: raw[name] for name in cls.__dataclass_fields__})


class KnowledgeAdapter(Protocol):
    """Who is told of every flip once."""

    def store_flip(self, flip: FlipEvent, /) -> Any:
        """Takes a flip."""


def lines(positions: Iterable[Any]) -> str:
    """Positions as the program reads them, one JSON object a line."""
    if isinstance(positions, (str, bytes, Mapping)) or not isinstance(positions, Iterable):
        raise TypeError(f"positions must be a list of dict, not {type(positions).__name__}")
    rows = []
    for at, position in enumerate(positions):
        row = position.to_dict() if hasattr(position, "to_dict") else position
        rows.append(dump(wanted(row, dict, f"positions[{at}]"), f"positions[{at}]"))
    return "".join(f"{row}\n" for row in rows)


def _told(problems: list[str]) -> None:
    for problem in problems[:5]:
        warnings.warn(problem, stacklevel=3)
    if len(problems) > 5:
        warnings.warn(f"{len(problems) - 5} more positions are left out", stacklevel=3)


def detect_flips(
    positions: Iterable[Any], *, lookback_positions: int | None = None, method: str = "rules"
) -> Flips:
    """The flips among positions, in the order of time; nothing is stored.

    A position is a dictionary with ``agent`` and ``claim``, and where they are known ``confidence``,
    ``debate_id``, ``round``, ``domain``, ``question`` and ``at``. One that cannot be used is named in a
    warning and left out. ``method`` is ``rules``, ``model`` (slower, reads more) or ``seed``.
    """
    lookback = None if lookback_positions is None else _lookback(lookback_positions)
    found = load(_native.detect_flips(lines(positions), lookback, wanted(method, str, "method")))
    _told(found["problems"])
    return Flips(FlipEvent.of(raw) for raw in found["flips"])


def _lookback(value: Any) -> int:
    if int(wanted(value, int, "lookback_positions")) < 1:
        raise ValueError(f"lookback_positions must be at least 1, not {value}")
    return min(int(value), ROWS_MAX)


class FlipDetector:
    """Finds where agents give up positions, over all debates and audits in one database.

    Without ``database`` it is the one the ``rebuttal`` program uses: ``REBUTTAL_DB``, else the user's data
    folder. ``km_adapter`` is any object with ``store_flip(flip)``: it is told of each flip once by this
    detector; where it fails, the flip stays stored here and is told again the next time.
    """

    def __init__(
        self,
        database: Any = None,
        *,
        km_adapter: KnowledgeAdapter | None = None,
        method: str = "rules",
    ) -> None:
        if km_adapter is not None and not callable(getattr(km_adapter, "store_flip", None)):
            raise TypeError("km_adapter must have a method store_flip(flip)")
        self._ledger = _native.Ledger(None if database is None else str(database))
        self._method = wanted(method, str, "method")
        self._km = km_adapter
        self._told: set[str] = set()

    @property
    def database(self) -> str:
        """Where the positions are kept."""
        return self._ledger.location

    def record_positions(self, positions: Iterable[Any]) -> int:
        """Adds positions (see :func:`detect_flips`); how many are new. Adding them again changes nothing."""
        added = load(self._ledger.add(lines(positions)))
        _told(added["problems"])
        return int(added["imported"]["added"])

    def record_position(
        self,
        agent_name: str,
        claim: str,
        confidence: float | None = None,
        debate_id: str | None = None,
        *,
        domain: str | None = None,
        question: str | None = None,
        at: Any = None,
    ) -> int:
        """Adds one position. ``at`` is a time of :mod:`datetime` or in RFC 3339, else now."""
        row: dict[str, Any] = {
            "agent": wanted(agent_name, str, "agent_name"),
            "claim": wanted(claim, str, "claim"),
            "confidence": None if confidence is None else number(confidence, "confidence"),
            "debate_id": debate_id,
            "domain": domain,
            "question": question,
            "at": at.isoformat() if hasattr(at, "isoformat") else at,
        }
        return self.record_positions([{name: one for name, one in row.items() if one is not None}])

    def record_transcript(self, transcript: Any) -> int:
        """Adds the positions that agents take in a conversation; how many are new."""
        from .conversation import as_text

        added, _flips = self._ledger.add_transcript(as_text(transcript, "transcript"), self._method)
        return added

    def detect_flips_for_agent(self, agent_name: str, lookback_positions: int = 50) -> Flips:
        """The agent's flips, the latest found first. Each position is compared with at most so many
        earlier ones."""
        name = wanted(agent_name, str, "agent_name")
        self._ledger.look(_lookback(lookback_positions), self._method)
        return self._tell(self._flips(name))

    def get_recent_flips(self, limit: int = 20) -> Flips:
        """The flips of all agents that were found last."""
        self._ledger.look(50, self._method)
        return self._tell(self._flips(None, min(wanted(limit, int, "limit"), ROWS_MAX)))

    def get_agent_consistency(self, agent_name: str) -> AgentConsistencyScore:
        """How consistent an agent is."""
        return self.get_agents_consistency_batch([wanted(agent_name, str, "agent_name")])[agent_name]

    def get_agents_consistency_batch(self, agent_names: Iterable[str]) -> dict[str, AgentConsistencyScore]:
        """How consistent each of these agents is, in one query. An agent without positions scores 1.0."""
        names = texts(agent_names, "agent_names")
        self._ledger.look(50, self._method)
        scores = [AgentConsistencyScore.of(raw) for raw in load(self._ledger.consistency(names))]
        return {score.agent_name: score for score in scores}

    def get_flip_summary(self) -> dict[str, Any]:
        """The dashboard's numbers: total_flips, by_type, by_agent, recent_24h."""
        self._ledger.look(50, self._method)
        summary: dict[str, Any] = load(self._ledger.summary())
        return summary

    def _flips(self, agent: str | None, limit: int = ROWS_MAX) -> Flips:
        return Flips(FlipEvent.of(raw) for raw in load(self._ledger.flips(agent, limit=limit))["flips"])

    def _tell(self, flips: Flips) -> Flips:
        for flip in reversed(flips):
            if self._km is None or flip.id in self._told:
                continue
            try:
                answer = self._km.store_flip(flip)
            except Exception as error:  # noqa: BLE001 - whatever an adapter raises, the flip is kept
                warnings.warn(f"km_adapter.store_flip failed and is told again: {error!r}", stacklevel=3)
                break
            if hasattr(answer, "__await__"):
                getattr(answer, "close", lambda: None)()
                raise TypeError("km_adapter.store_flip must not be async: detection waits for nobody")
            self._told.add(flip.id)
        return flips

    def _repr_html_(self) -> str:
        return framed(self._ledger.html())


def format_flip_for_ui(flip: FlipEvent) -> dict[str, Any]:
    """A flip in short, as a page shows it."""
    raw = wanted(flip, FlipEvent, "flip").raw
    if not raw:
        raise ValueError("flip: it was not found by this package, so there is nothing more to show of it")
    card: dict[str, Any] = load(_native.format_flip(dump(raw, "flip")))
    return card
