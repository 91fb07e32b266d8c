"""Every test has a database of its own, and no configuration but its own."""

import os
from pathlib import Path

import pytest

pytest_plugins = ["pytester"]


@pytest.fixture(autouse=True)
def own_world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REBUTTAL_DB", str(tmp_path / "ledger.db"))
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("REBUTTAL_CONFIG", "XDG_CONFIG_HOME", "ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    os.chdir(tmp_path)


CACHE = [
    {"agent": "claude", "claim": "The cache is safe to share.", "confidence": 0.85, "debate_id": "d1",
     "domain": "engineering", "at": "2026-01-05T09:00:00Z"},
    {"agent": "claude", "claim": "The cache is not safe to share.", "confidence": 0.7, "debate_id": "d2",
     "domain": "engineering", "at": "2026-02-05T09:00:00Z"},
    {"agent": "gpt4", "claim": "The cache is safe to share.", "at": "2026-01-06T09:00:00Z"},
]


@pytest.fixture
def positions() -> list[dict[str, object]]:
    return [dict(one) for one in CACHE]


def voter(name: str, answer: str, conviction: float = 0.7, later: str | None = None):
    """An agent that votes for one answer, and from round 1 on for another one."""
    import rebuttal

    class Voter:
        def __init__(self) -> None:
            self.name = name
            self.asked: list[rebuttal.Ask] = []

        async def respond(self, ask: rebuttal.Ask) -> rebuttal.Vote:
            self.asked.append(ask)
            vote = later if later is not None and ask.round > 0 else answer
            return rebuttal.Vote(vote, conviction, f"{name} is for {vote} in round {ask.round}.",
                                 [f"A trial of {len(name)} weeks cut incidents by 18 % ({name} 2024)."])

    return Voter()
