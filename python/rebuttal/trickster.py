"""Hollow agreement, and what is done about it, for programs that run debates of their own (seed 001)."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Any

from . import _native
from ._data import Data, dump, load, number, wanted


@dataclass(slots=True)
class TricksterConfig(Data):
    """When and how hollow agreement is challenged."""

    min_quality_threshold: float = 0.65
    hollow_detection_threshold: float = 0.5
    convergence_threshold: float = 0.7
    redundancy_threshold: float = 0.7
    novelty_threshold: float = 0.15
    breakpoint_severity: float = 0.8
    intervention_cooldown_rounds: int = 1
    enable_challenge_prompts: bool = True
    enable_role_assignment: bool = True
    enable_extended_rounds: bool = True
    enable_breakpoints: bool = True
    max_challenges_per_round: int = 3
    max_interventions_total: int = 5
    extension_rounds: int = 1

    def __post_init__(self) -> None:
        for field in fields(self):
            kinds: dict[str, Any] = {"float": (int, float), "int": int, "bool": bool}
            kind = kinds[str(field.type)]
            wanted(getattr(self, field.name), kind, field.name)


class InterventionType(StrEnum):
    """What was done."""

    CHALLENGE_PROMPT = "challenge_prompt"
    QUALITY_ROLE = "quality_role"
    EXTENDED_ROUND = "extended_round"
    BREAKPOINT = "breakpoint"
    EVIDENCE_GAP = "evidence_gap"
    ECHO_CHAMBER = "echo_chamber"
    NOVELTY_CHALLENGE = "novelty_challenge"


#: What the program calls them.
_KINDS = {
    "challenge": InterventionType.CHALLENGE_PROMPT,
    "role": InterventionType.QUALITY_ROLE,
    "extra_round": InterventionType.EXTENDED_ROUND,
    "breakpoint": InterventionType.BREAKPOINT,
    "evidence_gap": InterventionType.EVIDENCE_GAP,
    "echo_chamber": InterventionType.ECHO_CHAMBER,
    "novelty": InterventionType.NOVELTY_CHALLENGE,
}


@dataclass(frozen=True, slots=True)
class TricksterIntervention(Data):
    """What is to be done after a round."""

    intervention_type: InterventionType
    round_num: int
    target_agents: list[str]
    #: What to tell the targets.
    challenge_text: str
    #: How much it matters, 0 to 1.
    priority: float
    reason: str
    extra_rounds: int = 0

    @classmethod
    def of(cls, raw: Mapping[str, Any]) -> TricksterIntervention:
        """An intervention as the program has it."""
        return cls(
            intervention_type=_KINDS[raw["kind"]],
            round_num=raw["round"],
            target_agents=list(raw["targets"]),
            challenge_text=raw["text"],
            priority=raw["priority"],
            reason=raw["reason"],
            extra_rounds=raw.get("extra_rounds", 0),
        )


@dataclass(frozen=True, slots=True)
class HollowConsensusAlert(Data):
    """Agreement with nothing behind it, or why it is none."""

    detected: bool
    #: (1 − avg_quality) · similarity · (1 + quality_variance), at most 1.
    severity: float
    avg_quality: float
    quality_variance: float
    similarity: float
    reason: str
    round_num: int = 0

    @classmethod
    def of(cls, raw: Mapping[str, Any], round_num: int = 0) -> HollowConsensusAlert:
        """An alert as the program has it."""
        names = "detected severity avg_quality quality_variance similarity reason".split()
        return cls(**{name: raw[name] for name in names}, round_num=round_num)


@dataclass(frozen=True, slots=True)
class RoleAssignment(Data):
    """A part that an agent plays for a round."""

    agent_name: str
    role: str
    round_num: int
    #: What the agent is told.
    prompt: str


def seed_stats(raw: Mapping[str, Any]) -> dict[str, Any]:
    """The numbers of a debate under the seed's names."""
    return {
        "total_interventions": raw["total_interventions"],
        "hollow_alerts_detected": raw["hollow_alerts_detected"],
        "avg_quality_per_round": {int(at): one for at, one in raw["avg_quality_per_round"].items()},
        "interventions": [
            {
                "round": one["round"],
                "type": str(_KINDS[one["kind"]]),
                "targets": list(one["targets"]),
                "priority": one["priority"],
            }
            for one in raw["interventions"]
        ],
    }


class EvidencePoweredTrickster:
    """Looks at each round of one debate, and says what to do where agreement has nothing behind it.

    A callback that raises changes nothing: what it raised is told in a warning and kept in ``failures``.
    """

    def __init__(
        self,
        config: TricksterConfig | None = None,
        *,
        on_intervention: Callable[[TricksterIntervention], Any] | None = None,
        on_alert: Callable[[HollowConsensusAlert], Any] | None = None,
    ) -> None:
        for call, name in ((on_intervention, "on_intervention"), (on_alert, "on_alert")):
            if call is not None and not callable(call):
                raise TypeError(f"{name} must be callable, not {type(call).__name__}")
        self.config: TricksterConfig = wanted(config or TricksterConfig(), TricksterConfig, "config")
        self._trickster = _native.Trickster(dump(self.config, "config"))
        self._on_intervention, self._on_alert = on_intervention, on_alert
        #: Everything that was to be done so far.
        self.interventions: list[TricksterIntervention] = []
        #: What callbacks raised.
        self.failures: list[BaseException] = []
        #: What was seen in the last round, as the program has it.
        self.last_analysis: dict[str, Any] = {}

    def check_and_intervene(
        self,
        responses: Mapping[str, str],
        convergence_similarity: float | None = None,
        round_num: int = 0,
        *,
        rounds_left: int | None = None,
    ) -> TricksterIntervention | None:
        """What to do after a round: the most important intervention, or nothing. All of the round's are in
        ``interventions``.

        ``responses`` is what each agent said. Without ``convergence_similarity`` it is measured how alike
        they are.
        """
        said = wanted(responses, Mapping, "responses").items()
        rows = [(wanted(name, str, "responses"), wanted(text, str, f"responses[{name!r}]")) for name, text in said]
        alike = None if convergence_similarity is None else number(convergence_similarity, "convergence_similarity")
        at = wanted(round_num, int, "round_num")
        if at < 0:
            raise ValueError(f"round_num must not be negative, and is {at}")
        looked = load(self._trickster.look(rows, at, alike, rounds_left))
        self.last_analysis = looked["analysis"]
        found = [TricksterIntervention.of(raw) for raw in looked["interventions"]]
        self.interventions += found
        hollow = looked["analysis"].get("hollow")
        if self._on_alert is not None and hollow is not None:
            self._tell(self._on_alert, [HollowConsensusAlert.of(hollow, at)])
        if self._on_intervention is not None:
            self._tell(self._on_intervention, found)
        return found[0] if found else None

    def get_stats(self) -> dict[str, Any]:
        """total_interventions, hollow_alerts_detected, avg_quality_per_round, interventions."""
        return seed_stats(load(self._trickster.stats()))

    def get_quality_challenger_assignment(self, agent_name: str, round_num: int) -> RoleAssignment:
        """The quality challenger's part for an agent."""
        name, at = wanted(agent_name, str, "agent_name"), wanted(round_num, int, "round_num")
        part = load(self._trickster.challenger(name, at))
        return RoleAssignment(part["agent"], part["role"], part["round"], part["prompt"])

    def _tell(self, call: Callable[[Any], Any], values: Iterable[Any]) -> None:
        for value in values:
            try:
                call(value)
            except Exception as error:  # noqa: BLE001 - a callback's mistake is not the debate's
                self.failures.append(error)
                warnings.warn(f"a callback of the trickster failed: {error!r}", stacklevel=3)
