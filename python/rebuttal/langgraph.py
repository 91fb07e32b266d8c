"""The debate node of seed 002 for a LangGraph ``StateGraph``: agents → debate → verify."""

from __future__ import annotations

import inspect
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from ._data import wanted
from .reports import AgentReport, reconcile

#: What a node is to LangGraph.
Node = Callable[[Any], Awaitable[dict[str, Any]]]


def debate_node(
    llm: Any = None,
    *,
    authority: str | None = None,
    tolerance: float | None = None,
    reports_key: str = "agent_reports",
    results_key: str = "debate_results",
    callback_key: str = "event_callback",
    event_callback: Callable[..., Any] | None = None,
) -> Node:
    """A node that takes ``agent_reports`` out of the state, finds where they conflict, rules on each conflict
    and gives back adjusted reports and ``debate_results``; it gives back no other key, so all others stay
    as they are.

    Without contradictions ``debate_results`` has the status ``skipped`` and the reports are untouched.
    ``event_callback(stage, status[, payload, latency_ms])``, async or not, is taken from the state or given
    here; one that raises is told in a warning. ``llm`` rules instead of the written rules, see
    :func:`rebuttal.conduct_debate`. Dictionaries stay dictionaries: adjusted ones have ``adjusted_text`` and
    ``adjustments`` besides.
    """
    for name, key in (("reports_key", reports_key), ("results_key", results_key), ("callback_key", callback_key)):
        wanted(key, str, name)

    async def debate(state: Any) -> dict[str, Any]:
        tell = event_callback or _get(state, callback_key)
        await _tell(tell, "debate", "running")
        begun = time.perf_counter()
        given = list(_get(state, reports_key) or [])
        came = await reconcile(given, llm, authority=authority, tolerance=tolerance)
        found = len(came.contradictions)
        if came.status == "skipped":
            results: dict[str, Any] = {"contradictions_found": 0, "status": "skipped", "latency_ms": 0}
            await _tell(tell, "debate", "skipped", {"contradictions": 0}, 0)
            return {results_key: results}
        latency_ms = (time.perf_counter() - begun) * 1e3
        consensus = came.consensus
        counts = {"resolved": consensus.resolved_contradictions, "flagged": consensus.flagged_for_review}
        await _tell(tell, "debate", "complete", {"contradictions": found, **counts}, latency_ms)
        return {
            reports_key: _adjusted(given, consensus.adjusted_reports),
            results_key: {
                "contradictions_found": found,
                "resolved": counts["resolved"],
                "flagged_for_review": counts["flagged"],
                "consensus_narrative": consensus.consensus_narrative,
                "contradictions": [one.to_dict() for one in came.contradictions],
                "resolutions": [one.to_dict() for one in came.resolutions],
                "latency_ms": latency_ms,
                "status": "complete",
            },
        }

    return debate


def _get(state: Any, key: str) -> Any:
    return state.get(key) if isinstance(state, Mapping) else getattr(state, key, None)


async def _tell(tell: Any, *what: Any) -> None:
    if tell is None:
        return
    try:
        answer = tell(*what)
        if inspect.isawaitable(answer):
            await answer
    except Exception as error:  # noqa: BLE001 - whoever listens must not stop the graph
        import warnings

        warnings.warn(f"event_callback failed: {error!r}", stacklevel=2)


def _adjusted(given: list[Any], adjusted: list[AgentReport]) -> list[Any]:
    """The reports in the form they came in."""
    if len(given) != len(adjusted):
        return list(adjusted)
    out: list[Any] = []
    for one, new in zip(given, adjusted, strict=True):
        if isinstance(one, Mapping):
            out.append({**one, "adjusted_text": new.adjusted_text, "adjustments": new.adjustments})
        else:
            out.append(new)
    return out
