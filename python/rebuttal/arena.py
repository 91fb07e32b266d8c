"""Debates: a question, a panel, a protocol; run to a decision, or watched event by event."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Callable, Iterable
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

from . import _native
from ._data import Data, dump, framed, load, table, texts, wanted
from .agents import seat
from .trickster import HollowConsensusAlert, TricksterConfig, TricksterIntervention, seed_stats

if TYPE_CHECKING:
    import asyncio


@dataclass(slots=True)
class Environment(Data):
    """What is debated."""

    #: The question.
    task: str
    #: What everybody should know beside it.
    context: str = ""
    #: The answers to choose from; found in the question if there are none.
    options: list[str] = field(default_factory=list)
    #: The right answer, where it is known: for measuring, shown to nobody.
    truth: str | None = None

    def __post_init__(self) -> None:
        wanted(self.task, str, "task")
        wanted(self.context, str, "context")
        self.options = texts(self.options, "options")

    @property
    def question(self) -> str:
        """The question."""
        return self.task


@dataclass(slots=True)
class DebateProtocol(Data):
    """How a debate is run. What is not set is as ``rebuttal config`` shows it."""

    #: Most rounds after the blind one.
    rounds: int = 2
    #: When it ends before that.
    stop: str = "unanimity or no-change"
    #: How votes are counted: majority, supermajority:0.66, borda, schulze, judge, …
    rule: str = "usual"
    tie: str = "none"
    #: Only the camps that disagree debate.
    targeted: bool = True
    #: The evidence of the other side is shown, and each item is owed a rebuttal.
    evidence_exchange: bool = True
    #: Whose turns an agent sees: all, opposing, ring, or {"random": n}.
    sees: str | dict[str, int] = "opposing"
    #: How much of a turn it sees: full, summary or answer.
    detail: str = "full"
    anonymous: bool = True
    in_turn: bool = False
    conviction_step: float = 0.1
    evidence_required: bool = False
    roles: bool = False
    critique: bool = False
    #: Hollow agreement is looked for after each round, and challenged.
    enable_trickster: bool = True
    trickster: TricksterConfig | None = None
    #: Seconds a breakpoint waits for a person, and what is done then.
    breakpoint_seconds: float | None = 1800.0
    on_breakpoint_timeout: str = "continue"
    #: Most requests, tokens, US dollars and seconds.
    budget_calls: int | None = None
    budget_tokens: int | None = None
    budget_usd: float | None = None
    budget_seconds: float | None = None

    def _plan(self) -> dict[str, Any]:
        plain = {one.name for one in fields(self)} - {"trickster", "breakpoint_seconds", "on_breakpoint_timeout"}
        plan = {name: getattr(self, name) for name in plain if not name.startswith("budget_")}
        plan["budget"] = {
            name: getattr(self, f"budget_{name}")
            for name in ("calls", "tokens", "usd", "seconds")
            if getattr(self, f"budget_{name}") is not None
        }
        answer: dict[str, Any] = {"on_timeout": self.on_breakpoint_timeout, "timeout_seconds": self.breakpoint_seconds}
        plan["breakpoints"] = answer
        if self.trickster is not None:
            plan["trickster"] = wanted(self.trickster, TricksterConfig, "trickster").to_dict()
        return plan

    def __post_init__(self) -> None:
        kinds: dict[str, Any] = {"int": int, "str": str, "bool": bool, "float": (int, float)}
        for one in fields(self):
            kind = kinds.get(str(one.type))
            if kind is not None:
                wanted(getattr(self, one.name), kind, one.name)


@dataclass(frozen=True, slots=True)
class Event(Data):
    """Something that happened in a running debate."""

    #: The kind: debate_started, round_started, turn_taken, intervened, …; asked and words for what is under way.
    type: str
    #: The number of the record, or of the last one before it.
    seq: int
    #: What happened, under the names of the journal.
    data: dict[str, Any]


def _event(text: str) -> Event:
    raw = load(text)
    kind, seq = raw.pop("type"), raw.pop("seq")
    if kind != "recorded":
        return Event(kind, seq, raw)
    event = dict(raw["record"]["event"])
    return Event(event.pop("type"), seq, event | {"at": raw["record"].get("at")})


class DebateResult:
    """What a run came to: a decision, or that it waits for a person, or that it was paused."""

    def __init__(self, finished: _native.Finished) -> None:
        self._finished = finished
        raw = load(finished.result())
        self._raw: dict[str, Any] = raw
        #: decided, waiting or paused.
        self.status: str = raw["ended"]
        #: Why it waits, where it does.
        self.reason: str | None = raw["reason"]
        #: The decision as the program writes it; empty while there is none.
        self.decision: dict[str, Any] = raw["decision"] or {}
        self.debate_id: str = raw["spec"]["id"]

    @property
    def answer(self) -> str | None:
        """The answer; None is an explicit "no decision"."""
        answer: str | None = self.decision.get("answer")
        return answer

    @property
    def final_answer(self) -> str | None:
        """The answer, under the seed's name."""
        return self.answer

    @property
    def confidence(self) -> float | None:
        """How sure the panel is."""
        sure = self.decision.get("confidence")
        return None if sure is None else float(sure["value"])

    @property
    def verdict(self) -> str | None:
        """What follows for whoever must act: approved, approved_with_conditions, needs_review, rejected."""
        return self.decision.get("verdict")

    @property
    def narrative(self) -> str:
        """How it came to this, for a person."""
        return str(self.decision.get("narrative", ""))

    @property
    def dissent(self) -> list[dict[str, Any]]:
        """Agents that hold something else, with what they said."""
        return list(self.decision.get("dissent", []))

    @property
    def metrics(self) -> dict[str, Any]:
        """What moved over the whole debate, under the seed's names."""
        return dict(self.decision.get("debate_metrics") or {})

    @property
    def turns(self) -> list[dict[str, Any]]:
        """What was said, in order."""
        return list(self._raw["turns"])

    @property
    def trickster_stats(self) -> dict[str, Any]:
        """What the trickster saw and did."""
        document = self._raw["document"]
        if document is None:
            none: dict[str, Any] = {"avg_quality_per_round": {}, "interventions": []}
            return {"total_interventions": 0, "hollow_alerts_detected": 0, **none}
        return seed_stats(document["stats"])

    def to_dict(self) -> dict[str, Any]:
        """The debate as ``rebuttal show --format json`` writes it."""
        return dict(self._raw["document"] or self._raw)

    def records(self) -> list[dict[str, Any]]:
        """Every record of the journal."""
        records: list[dict[str, Any]] = load(self._finished.records())
        return records

    def steps(self) -> list[dict[str, Any]]:
        """One step for each agent and round: state, action and rewards, for reinforcement learning."""
        steps: list[dict[str, Any]] = load(self._finished.steps())
        return steps

    def to_arrow(self) -> _native.Table:
        """The turns as an Arrow table, one row each."""
        rows = []
        for turn in self.turns:
            said = turn.get("structured", {})
            sure = said.get("conviction")
            conviction = sure["value"] if isinstance(sure, dict) else sure
            row = {name: turn.get(name) for name in ("agent", "round", "text")}
            rows.append({**row, "answer": said.get("answer"), "conviction": conviction})
        kinds = {"agent": "text", "round": "whole", "text": "text", "answer": "text", "conviction": "number"}
        return table(rows, kinds)

    def html(self) -> str:
        """The debate as one page to hand on."""
        return self._finished.html()

    def markdown(self) -> str:
        """The debate as Markdown."""
        return self._finished.markdown()

    def _repr_html_(self) -> str:
        return framed(self.html(), height=640)

    def __repr__(self) -> str:
        return f"DebateResult({self.debate_id}: {self.status}, {self.answer!r})"


class Debate:
    """A running debate. Iterate over it (``async for event in debate``) to watch, ``await
    debate.result()`` for its end; both work at once, and in the event loop it was started in only."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        import asyncio

        self._loop = loop
        # As they came: whoever does not watch needs none of them read.
        self._texts: list[str] = []
        self._waking = False
        self._more = asyncio.Event()
        self._end: asyncio.Future[_native.Finished] = loop.create_future()
        self._native: _native.Debate | None = None

    def _heard(self, text: str) -> None:
        """Called on a thread of the native half."""
        self._texts.append(text)
        if not self._waking:
            self._waking = True
            self._safely(self._wake)

    def _ended(self, finished: _native.Finished | None, error: BaseException | None) -> None:
        self._safely(lambda: self._finish(finished, error))

    def _safely(self, call: Callable[[], None]) -> None:
        try:
            self._loop.call_soon_threadsafe(call)
        except RuntimeError:
            # The loop is closed: nobody waits any more, and what was run to here is in the journal.
            if self._native is not None:
                self._native.close()

    def _wake(self) -> None:
        self._waking = False
        self._more.set()

    def _finish(self, finished: _native.Finished | None, error: BaseException | None) -> None:
        if not self._end.done():
            if finished is not None:
                self._end.set_result(finished)
            else:
                self._end.set_exception(error or _native.DebateError("the debate broke off"))
                # Told when it is awaited, and not a second time by asyncio.
                self._end.exception()
        self._more.set()

    def _here(self) -> None:
        import asyncio

        if asyncio.get_running_loop() is not self._loop:
            raise RuntimeError(
                "this debate runs in another event loop; await it there, or start another one in this loop"
            )

    @property
    def id(self) -> str:
        """Its id."""
        return self._native.id if self._native is not None else ""

    async def __aiter__(self) -> AsyncIterator[Event]:
        """Everything that happens, from the first record on."""
        self._here()
        seen = 0
        while True:
            while seen < len(self._texts):
                seen += 1
                yield _event(self._texts[seen - 1])
            if self._end.done():
                return
            self._more.clear()
            await self._more.wait()

    async def result(self) -> DebateResult:
        """The end of the run. Whoever cancels this ends the debate."""
        import asyncio

        self._here()
        try:
            return DebateResult(await asyncio.shield(self._end))
        except asyncio.CancelledError:
            self.close()
            raise

    def pause(self) -> None:
        """Asks nobody any more; the run ends as soon as the calls in flight are answered."""
        if self._native is not None:
            self._native.pause()

    def stop(self) -> None:
        """Ends the rounds now, and counts the votes so far."""
        if self._native is not None:
            self._native.stop()

    def close(self) -> None:
        """Ends the run at once, with the calls in flight."""
        if self._native is not None:
            self._native.close()


class Arena:
    """A debate about to begin: who debates what, and how."""

    def __init__(
        self,
        environment: Environment | str,
        agents: Iterable[Any],
        protocol: DebateProtocol | None = None,
        *,
        moderator: Any = None,
        judges: Iterable[Any] = (),
        seed: int | None = None,
        database: Any = None,
        on_alert: Callable[[HollowConsensusAlert], Any] | None = None,
        on_intervention: Callable[[TricksterIntervention], Any] | None = None,
    ) -> None:
        """``agents`` are names, callables, LangChain chat models or objects with ``async def
        respond(ask)``, in any mixture. With ``database`` (a path, or ``True`` for the one the program uses)
        the debate is stored, can be resumed and verified, and its positions go into the ledger."""
        if isinstance(environment, str):
            environment = Environment(environment)
        self.environment: Environment = wanted(environment, Environment, "environment")
        if isinstance(agents, (str, bytes)) or not isinstance(agents, Iterable):
            raise TypeError(f"agents must be a list of agents, not {type(agents).__name__}")
        self.agents = list(agents)
        self.protocol: DebateProtocol = wanted(protocol or DebateProtocol(), DebateProtocol, "protocol")
        self.moderator, self.judges = moderator, list(judges)
        self._seed = None if seed is None else wanted(seed, int, "seed")
        self._database = database
        self._on_alert, self._on_intervention = on_alert, on_intervention

    def start(self) -> Debate:
        """Starts the debate in the running event loop."""
        import asyncio

        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            raise RuntimeError("a debate is started inside an event loop; use Arena.run_sync outside one") from None
        debate = Debate(loop)
        environment = self.environment
        plan = {
            "question": environment.task,
            "context": environment.context,
            "options": environment.options,
            "truth": environment.truth,
            "seed": self._seed,
            "protocol": self.protocol._plan(),
        }
        debate._native = _native.Debate.start(
            dump(plan, "environment"),
            [seat(agent, f"agents[{at}]", loop) for at, agent in enumerate(self.agents)],
            debate._heard,
            debate._ended,
            moderator=None if self.moderator is None else seat(self.moderator, "moderator", loop),
            judges=[seat(judge, f"judges[{at}]", loop) for at, judge in enumerate(self.judges)],
            alert=_told(self._on_alert, HollowConsensusAlert.of, loop),
            intervention=_told(self._on_intervention, TricksterIntervention.of, loop),
            ledger=self._ledger(),
        )
        return debate

    def _ledger(self) -> _native.Ledger | None:
        if self._database is None or self._database is False:
            return None
        return _native.Ledger(None if self._database is True else str(self._database))

    async def run(self) -> DebateResult:
        """Runs the debate to its end, or to a breakpoint."""
        return await self.start().result()

    def run_sync(self) -> DebateResult:
        """:meth:`run` for programs without an event loop. Ctrl-C ends it."""
        import asyncio

        return asyncio.run(self.run())


def _told(
    call: Callable[[Any], Any] | None, of: Callable[[Any], Any], loop: asyncio.AbstractEventLoop
) -> Callable[[str], None] | None:
    if call is None:
        return None
    if not callable(call):
        raise TypeError(f"a callback must be callable, not {type(call).__name__}")

    def tell(text: str) -> None:
        loop.call_soon_threadsafe(call, of(load(text)))

    return tell


async def resume(result: DebateResult, answer: str | None = None, note: str | None = None) -> Debate:
    """Goes on with a debate that was paused, or waits for a person: ``answer`` is continue, redirect,
    add_evidence or abort, with words for the agents in ``note``. The agents are asked as before, in the same
    event loop."""
    import asyncio

    wanted(result, DebateResult, "result")
    if answer is not None:
        result._finished.answer(wanted(answer, str, "answer"), note)
    debate = Debate(asyncio.get_running_loop())
    debate._native = result._finished.resume(debate._heard, debate._ended)
    return debate


def show_live(event: Event) -> str:
    """An event in one line, for watching on a terminal."""
    said = ", ".join(f"{name}: {str(value)[:60]}" for name, value in event.data.items() if name != "at")
    return f"{event.seq:>4} {event.type} {said}"[: 200 if sys.stdout.isatty() else 400]
