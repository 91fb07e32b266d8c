"""For tests of people's own agents: fails where an agent turns around without saying so."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from .conversation import audit


def assert_no_silent_flips(transcript: Any, *, method: str = "rules", min_severity: str = "info") -> None:
    """Fails with the quotes where an agent of this conversation takes the opposite of what it held and does
    not say that it changed its mind.

    ``transcript`` is a text, a path, or messages as LangChain, AutoGen or the OpenAI format have them.
    """
    __tracebackhide__ = True
    silent = audit(transcript, method=method, min_severity=min_severity).silent_flips
    if not silent:
        return
    told = [f"{len(silent)} silent {'reversal' if len(silent) == 1 else 'reversals'}:"]
    for one in silent:
        told.append(f"  {one.explanation}")
        told += [f"    {quote.get('shows', 'said')}: \"{quote['text']}\"" for quote in one.quotes]
    raise AssertionError("\n".join(told))


@pytest.fixture(name="assert_no_silent_flips")
def _fixture() -> Callable[..., None]:
    """:func:`assert_no_silent_flips` for tests that do not import it."""
    return assert_no_silent_flips
