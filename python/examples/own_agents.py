"""A debate between agents of your own: an object, a coroutine, and a function that blocks."""

import asyncio

from rebuttal import Agent, Arena, Ask, DebateProtocol, Environment, Vote


class Accountant:
    """Any object with ``async def respond`` can sit on a panel."""

    name = "accountant"
    costs = {"PostgreSQL": 60, "SQLite": 0}

    async def respond(self, ask: Ask) -> Vote:
        cheapest = min(ask.options, key=lambda option: self.costs.get(option, 1_000))
        return Vote(cheapest, 0.7, f"{cheapest} is the cheapest.", [f"It costs {self.costs[cheapest]} euros a month."])


async def follower(ask: Ask) -> Vote:
    """Sees what the others say from round 1 on."""
    heard = ask.round > 0 and "is the cheapest" in ask.prompt
    return Vote("SQLite" if heard else "PostgreSQL", 0.6, f"In round {ask.round} I looked again.")


def expert(ask: Ask) -> Vote:
    """A function that is not async may block: it has a thread of its own."""
    return Vote("SQLite", 0.9, "There is one writer.", ["The log of last week shows 3 writes a second."])


async def main() -> None:
    environment = Environment("Which database do we take?", options=["PostgreSQL", "SQLite"])
    panel = [Accountant(), follower, Agent(expert, timeout=30)]
    debate = Arena(environment, panel, DebateProtocol(rounds=2)).start()
    async for event in debate:
        if event.type == "asked":
            print(f"round {event.data['call']['round']}: {event.data['call']['agent']} is asked")
    result = await debate.result()
    print(f"{result.answer} ({result.confidence:.0%}, {result.verdict})")
    print(result.narrative)


asyncio.run(main())
