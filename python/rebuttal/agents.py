"""Agents: any object with ``async def respond(ask)``, a callable, a LangChain chat model, or a name."""

from __future__ import annotations

import inspect
import json
import time
import warnings
from collections.abc import Awaitable, Callable, Generator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from . import _native
from ._data import Data, dump, load, wanted

if TYPE_CHECKING:
    import asyncio

#: Seconds without a pause from which an agent is said to block the event loop.
BLOCKED_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class Ask(Data):
    """One question to one agent of a debate."""

    agent: str
    #: 0 is blind: nobody has seen anybody yet.
    round: int
    #: answer, moderate, judge, judge_reversed, critique or done.
    purpose: str
    attempt: int
    question: str
    context: str
    #: The answers to choose from; empty if the agent answers in its own words.
    options: list[str]
    #: What the other side has brought: {"number", "text"} each.
    items: list[dict[str, Any]]
    #: The whole prompt as chat models are asked, with the JSON that is wanted.
    prompt: str
    _say: Callable[[str], None] = field(default=lambda words: None, repr=False, compare=False)

    def say(self, words: str) -> None:
        """Shows words of the answer to whoever watches the debate, while it is being worked out."""
        self._say(wanted(words, str, "words"))


@dataclass(slots=True)
class Vote(Data):
    """An answer to the debate's question, with reasons."""

    answer: str
    conviction: float | None = None
    thesis: str = ""
    evidence: list[str] = field(default_factory=list)
    #: The options in order, the best first, for rules that count more than first choices.
    ranking: list[str] = field(default_factory=list)
    #: Answers to numbered items of the other side: {"item": number, "text": words} each.
    rebuttals: list[dict[str, Any]] = field(default_factory=list)


@dataclass(slots=True)
class Agent:
    """One who takes part, where a name or a limit is to be set.

    ``responder`` is an object with ``async def respond(ask)``, a callable (async or not) of an
    :class:`Ask`, a LangChain chat model, or the name of an agent of ``rebuttal.toml``. A callable that is not
    async runs on a thread of its own.
    """

    responder: Any
    name: str | None = None
    persona: str | None = None
    model: str | None = None
    weight: float | None = None
    #: Seconds one answer may take; 10 minutes unless set.
    timeout: float | None = None


def seat(agent: Any, argument: str, loop: asyncio.AbstractEventLoop) -> _native.Seat:
    """What the native half asks; calls of async agents run on this event loop."""
    who = agent if isinstance(agent, Agent) else Agent(agent)
    if isinstance(who.responder, str):
        return _native.Seat.configured(who.responder, who.name)
    respond, blocks = _respond(who.responder, argument)
    name = who.name or _name(who.responder)
    if name is None:
        raise TypeError(f"{argument} has no name: give it one by rebuttal.Agent({argument}, name=…)")
    about: dict[str, Any] = {"name": name, "persona": who.persona, "model": who.model}
    about |= {"weight": who.weight, "timeout": who.timeout}
    begin = _on_thread(respond) if blocks else _on_loop(respond, loop, name)
    return _native.Seat.python(dump(about, argument), begin, blocks)


def _name(responder: Any) -> str | None:
    for name in ("name", "model_name", "model", "__name__"):
        given = getattr(responder, name, None)
        if isinstance(given, str) and given and given != "<lambda>":
            return given
    return None


def _respond(responder: Any, argument: str) -> tuple[Callable[[Ask], Any], bool]:
    """How it is asked, and whether that blocks."""
    own = getattr(responder, "respond", None)
    if callable(own):
        return own, not inspect.iscoroutinefunction(own)
    if callable(getattr(responder, "ainvoke", None)):
        return _chat_model(responder), False
    if callable(responder):
        call = responder if inspect.isroutine(responder) else responder.__call__
        return responder, not inspect.iscoroutinefunction(call)
    kind = type(responder).__name__
    raise TypeError(
        f"{argument} must be a name, a callable, a LangChain chat model or an object with "
        f"`async def respond(self, ask)`, not {kind}"
    )


def _chat_model(model: Any) -> Callable[[Ask], Awaitable[Any]]:
    async def respond(ask: Ask) -> Any:
        return await model.ainvoke(ask.prompt)

    return respond


async def ask_model(model: Any, prompt: str) -> str:
    """A model's reply to a prompt: of a callable, or of an object with ``ainvoke``, ``complete`` or
    ``generate``."""
    import asyncio

    calls = (getattr(model, name, None) for name in ("ainvoke", "complete", "generate"))
    call = next((call for call in calls if callable(call)), model)
    if not callable(call):
        raise TypeError(f"llm must be a callable or have ainvoke, complete or generate, not {type(model).__name__}")
    plain = call if inspect.isroutine(call) else call.__call__
    if inspect.iscoroutinefunction(plain):
        reply = await call(prompt)
    else:
        reply = await asyncio.to_thread(call, prompt)
        if inspect.isawaitable(reply):
            reply = await reply
    return words_of(reply)[0]


def words_of(reply: Any) -> tuple[str, int | None, int | None]:
    """The words of an answer, and the tokens it took where they are known."""
    if isinstance(reply, str):
        return reply, None, None
    if isinstance(reply, (Vote, Mapping)):
        values = reply.to_dict() if isinstance(reply, Vote) else dict(reply)
        if isinstance(reply, Vote):
            values = {name: one for name, one in values.items() if one not in (None, "", [])} | {
                "answer": reply.answer,
                "evidence": list(reply.evidence),
                "rebuttals": list(reply.rebuttals),
            }
        return json.dumps(values, ensure_ascii=False), None, None
    content = getattr(reply, "content", None)
    if isinstance(content, list):
        content = "".join(part if isinstance(part, str) else str(part.get("text", "")) for part in content)
    if isinstance(content, str):
        usage = getattr(reply, "usage_metadata", None) or {}
        return content, usage.get("input_tokens"), usage.get("output_tokens")
    kind = type(reply).__name__
    raise TypeError(f"an answer must be a rebuttal.Vote, a dict, a str or a chat message, not {kind}")


def _ask(text: str, reply: _native.Reply) -> Ask:
    return Ask(**load(text), _say=reply.say)


def _settle(reply: _native.Reply, answer: Any) -> None:
    try:
        words, read, written = words_of(answer)
    except (TypeError, ValueError) as error:
        reply.fail(str(error))
    else:
        reply.answer(words, read, written)


def _why(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"


def _on_thread(respond: Callable[[Ask], Any]) -> Callable[[str, _native.Reply], None]:
    """Asks one that blocks, on the thread it is called on."""

    def begin(text: str, reply: _native.Reply) -> None:
        try:
            answer = respond(_ask(text, reply))
            if inspect.isawaitable(answer):
                import asyncio

                async def awaited() -> Any:
                    return await answer

                answer = asyncio.run(awaited())
        except Exception as error:  # noqa: BLE001 - whatever it raises costs its own vote
            reply.fail(_why(error))
        except BaseException as error:  # noqa: BLE001 - SystemExit must not end the thread in silence
            reply.fail(_why(error))
        else:
            _settle(reply, answer)

    return begin


def _on_loop(
    respond: Callable[[Ask], Awaitable[Any]], loop: asyncio.AbstractEventLoop, name: str
) -> Callable[[str, _native.Reply], Callable[[], None]]:
    """Asks one that is async, as a task of the event loop."""

    async def run(ask: Ask, reply: _native.Reply) -> None:
        import asyncio

        try:
            answer = await _Watched(respond(ask), name)
        except asyncio.CancelledError:
            reply.fail("it was cancelled")
            raise
        except BaseException as error:  # noqa: BLE001 - whatever it raises costs its own vote
            reply.fail(_why(error))
            if not isinstance(error, Exception):
                raise
        else:
            _settle(reply, answer)

    def begin(text: str, reply: _native.Reply) -> Callable[[], None]:
        tasks: list[asyncio.Task[None]] = []

        def start() -> None:
            tasks.append(loop.create_task(run(_ask(text, reply), reply), name=f"rebuttal agent {name}"))

        def cancel() -> None:
            if not loop.is_closed():
                loop.call_soon_threadsafe(lambda: [task.cancel() for task in tasks])

        try:
            loop.call_soon_threadsafe(start)
        except RuntimeError:
            raise RuntimeError(
                "the event loop the debate was started in is closed; run the debate to its end inside one "
                "asyncio.run"
            ) from None
        return cancel

    return begin


class _Watched:
    """Awaits an answer, and warns where the agent holds up everybody else on the event loop."""

    __slots__ = ("_answer", "_name")

    def __init__(self, answer: Any, name: str) -> None:
        if not inspect.isawaitable(answer):
            raise TypeError(f"respond of {name} gave {type(answer).__name__}, and nothing to await")
        self._answer, self._name = answer, name

    def __await__(self) -> Generator[Any, Any, Any]:
        steps = self._answer.__await__()
        sent: Any = None
        raised: BaseException | None = None
        while True:
            begun = time.perf_counter()
            try:
                given = steps.send(sent) if raised is None else steps.throw(raised)
            except StopIteration as end:
                return end.value
            finally:
                self._look(time.perf_counter() - begun)
            sent = raised = None
            try:
                sent = yield given
            except BaseException as error:  # noqa: BLE001 - handed on to the agent
                raised = error

    def _look(self, seconds: float) -> None:
        if seconds >= BLOCKED_SECONDS:
            warnings.warn(
                f"agent {self._name} blocked the event loop for {seconds:.1f} s, and everybody on it waited; "
                "give a function that is not async, which runs on a thread of its own",
                RuntimeWarning,
                stacklevel=2,
            )
