"""A termination condition and audit hook for AutoGen's group chat."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

from autogen_agentchat.base import TerminatedException, TerminationCondition
from autogen_agentchat.messages import BaseAgentEvent, BaseChatMessage, StopMessage

from ._data import wanted
from .conversation import Audit, Finding, audit

#: Severities, the mildest first.
_SEVERITIES = ("info", "low", "medium", "high")


class AuditTermination(TerminationCondition):
    """Audits the conversation after each message, and ends the chat at a finding that matters.

    Findings of ``stop_at`` or graver end the chat; with ``None`` it is only watched. Every new finding goes
    to ``on_finding``, and ``report`` has the audit so far. Agents' own turns count; tool events do not. It can
    be joined with AutoGen's conditions by ``|`` and ``&``.
    """

    def __init__(
        self,
        *,
        stop_at: str | None = "medium",
        on_finding: Callable[[Finding], Any] | None = None,
        method: str = "rules",
        source: str = "rebuttal",
    ) -> None:
        if stop_at is not None and stop_at not in _SEVERITIES:
            raise ValueError(f"stop_at must be one of {', '.join(_SEVERITIES)} or None, not {stop_at!r}")
        if on_finding is not None and not callable(on_finding):
            raise TypeError(f"on_finding must be callable, not {type(on_finding).__name__}")
        self._stop_at, self._on_finding = stop_at, on_finding
        self._method, self._source = wanted(method, str, "method"), source
        self._messages: list[BaseChatMessage] = []
        self._told: set[tuple[str, str, str]] = set()
        self._terminated = False
        #: The audit of the conversation so far; after a run, of the whole.
        self.report: Audit | None = None
        #: How long the audits took, in seconds.
        self.seconds = 0.0

    @property
    def terminated(self) -> bool:
        """Whether it has ended the chat."""
        return self._terminated

    async def __call__(self, messages: Sequence[BaseAgentEvent | BaseChatMessage]) -> StopMessage | None:
        """Looks at what was said since the last time."""
        if self._terminated:
            raise TerminatedException("the audit has already ended this chat; reset it first")
        self._messages += [one for one in messages if isinstance(one, BaseChatMessage)]
        if not any(one.source != "user" for one in self._messages):
            return None
        import asyncio

        begun = time.perf_counter()
        said = list(self._messages)
        self.report = await asyncio.to_thread(audit, said, method=self._method)
        self.seconds += time.perf_counter() - begun
        grave: list[Finding] = []
        for finding in self.report.findings:
            key = (finding.rule, finding.agent, finding.explanation)
            if key in self._told:
                continue
            self._told.add(key)
            if self._on_finding is not None:
                self._on_finding(finding)
            if self._matters(finding):
                grave.append(finding)
        if not grave:
            return None
        self._terminated = True
        told = "; ".join(finding.explanation for finding in grave)
        return StopMessage(content=f"The audit ends this chat: {told}", source=self._source)

    async def reset(self) -> None:
        """Begins a new conversation; ``report`` keeps that of the last one until something is said."""
        self._messages.clear()
        self._told.clear()
        self._terminated = False

    def _matters(self, finding: Finding) -> bool:
        if self._stop_at is None:
            return False
        return _SEVERITIES.index(finding.severity) >= _SEVERITIES.index(self._stop_at)
