"""Live views for notebooks. Results show themselves: a flip list, an audit, a debate at the end of a cell."""

from __future__ import annotations

from html import escape
from typing import Any

from ._data import framed
from .arena import Arena, DebateResult, Event


async def live(arena: Arena, *, every: float = 0.25) -> DebateResult:
    """Runs a debate with a view that follows it, and is replaced by the finished page at the end.

    Use it as ``result = await live(arena)``. The view is drawn at most once in ``every`` seconds.
    """
    import asyncio

    from IPython import display

    page: Any = display.HTML
    show: Any = display.display
    view = LiveView(arena)
    handle = show(page(view.html()), display_id=True)
    debate = arena.start()
    drawn = asyncio.get_running_loop().time()
    try:
        async for event in debate:
            view.add(event)
            now = asyncio.get_running_loop().time()
            if now - drawn >= every:
                drawn = now
                handle.update(page(view.html()))
        result = await debate.result()
    except BaseException:
        debate.close()
        handle.update(page(view.html()))
        raise
    handle.update(page(framed(result.html(), height=640)))
    return result


class LiveView:
    """What is known of a debate that runs: who is asked, who said what, what was done about it."""

    def __init__(self, arena: Arena) -> None:
        self._question = arena.environment.task
        self._rows: list[tuple[str, str, str]] = []
        self._words: dict[str, str] = {}
        self._now = "starting"

    def add(self, event: Event) -> None:
        """Takes an event in."""
        data: dict[str, Any] = event.data
        if event.type == "asked":
            call = data["call"]
            self._now = f"round {call['round']}: {call['agent']} is asked"
        elif event.type == "words":
            self._words[data["agent"]] = (self._words.get(data["agent"], "") + data["words"])[-2000:]
        elif event.type == "turn_taken":
            turn = data["turn"]
            self._words.pop(turn["agent"], None)
            answer = turn.get("structured", {}).get("answer") or ""
            self._rows.append((f"{turn['agent']} · round {turn.get('round', 0)}", answer, turn["text"][:2000]))
        elif event.type == "intervened":
            done = data["intervention"]
            self._rows.append(("trickster", done["kind"], done["reason"]))
        elif event.type == "call_failed":
            self._rows.append((data["call"]["agent"], "no answer", data["reason"]))

    def html(self) -> str:
        """The view as it stands."""
        rows = "".join(
            f"<tr><th>{escape(who)}</th><td>{escape(answer)}</td><td>{escape(text)}</td></tr>"
            for who, answer, text in self._rows[-200:]
        )
        said = "".join(f"<p><b>{escape(who)}</b> {escape(words)}…</p>" for who, words in self._words.items())
        return f"<h4>{escape(self._question)}</h4><p>{escape(self._now)}</p><table>{rows}</table>{said}"

    _repr_html_ = html
