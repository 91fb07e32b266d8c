"""Hooks for the OpenAI Agents SDK: what agents say in a run is audited, and can be held to it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from agents import Agent, GuardrailFunctionOutput, OutputGuardrail, RunContextWrapper, RunHooks

from ._data import wanted
from .conversation import Audit, Finding, audit


class AuditHooks(RunHooks[Any]):
    """Collects what each agent of a run answers, and audits it after every answer.

    Give it as ``Runner.run(…, hooks=AuditHooks(question=…))``; one object may go through several runs of the
    same conversation. Every new finding goes to ``on_finding``; ``report`` has the audit so far.
    """

    def __init__(
        self,
        question: str | None = None,
        *,
        on_finding: Callable[[Finding], Any] | None = None,
        method: str = "rules",
    ) -> None:
        self._messages: list[dict[str, Any]] = []
        if question is not None:
            self._messages.append({"role": "user", "content": wanted(question, str, "question")})
        self._on_finding, self._method = on_finding, wanted(method, str, "method")
        self._told: set[tuple[str, str, str]] = set()
        #: The audit of what was said so far.
        self.report: Audit | None = None

    async def on_agent_end(self, context: Any, agent: Any, output: Any) -> None:
        """Called by the SDK when an agent has answered."""
        import asyncio

        text = output if isinstance(output, str) else str(output)
        if not text.strip():
            return
        self._messages.append({"role": "assistant", "name": agent.name, "content": text})
        self.report = await asyncio.to_thread(audit, list(self._messages), method=self._method)
        for finding in self.report.findings:
            key = (finding.rule, finding.agent, finding.explanation)
            if key not in self._told:
                self._told.add(key)
                if self._on_finding is not None:
                    self._on_finding(finding)


def consistency_guardrail(hooks: AuditHooks, *, name: str = "rebuttal_consistency") -> OutputGuardrail[Any]:
    """An output guardrail that trips where the answer silently reverses what the agent said before in the
    conversation that ``hooks`` has heard."""

    async def check(context: RunContextWrapper[Any], agent: Agent[Any], output: Any) -> GuardrailFunctionOutput:
        said = [*hooks._messages, {"role": "assistant", "name": agent.name, "content": str(output)}]
        silent = [one for one in audit(said, method=hooks._method).silent_flips if one.agent == agent.name]
        told = [one.explanation for one in silent]
        return GuardrailFunctionOutput(output_info={"silent_flips": told}, tripwire_triggered=bool(silent))

    return OutputGuardrail(guardrail_function=check, name=name)
