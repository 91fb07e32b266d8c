"""How fast the package is, beside the PyPI package ``aragora-debate`` where that has the same function.

    python -P python/bench/beside_aragora.py

Prints a Markdown table: processor seconds, the best of three runs in one process, so that other work on the
machine does not count. All texts are made here, from a seed.
"""

import asyncio
import json
import random
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import rebuttal

TOPICS = "cache queue index schema release budget backup gateway parser scheduler".split()
CLAIMS = ["The {0} is safe to share.", "The {0} is not safe to share.", "We should replace the {0}.",
          "We should keep the {0} as it is.", "The {0} handled {1} requests a second in the 2024 test."]
SENTENCES = [
    "According to the 2023 survey of {1} firms, outages of the {0} fell by {2} %.",
    "For example, the {0} answered in {2} ms after the change [3].",
    "Everybody knows that the {0} is generally better.",
    "Because the {0} grew by {2} %, the team moved it, and therefore costs rose.",
]


def best(work: Callable[[], Any], runs: int = 3) -> float:
    seconds = []
    for _ in range(runs):
        begun = time.process_time()
        work()
        seconds.append(time.process_time() - begun)
    return min(seconds)


def positions(number: int, rng: random.Random) -> list[dict[str, Any]]:
    rows = []
    for at in range(number):
        claim = rng.choice(CLAIMS).format(rng.choice(TOPICS), rng.randint(10, 999))
        when = f"2026-01-{1 + at % 28:02}T{at // 28 % 24:02}:{at // 672 % 60:02}:00Z"
        rows.append({"agent": f"agent{at % 50}", "claim": claim, "at": when, "debate_id": f"d{at // 10}"})
    return rows


def texts(number: int, rng: random.Random) -> list[str]:
    def one() -> str:
        picked = rng.choices(SENTENCES, k=5)
        return " ".join(line.format(rng.choice(TOPICS), rng.randint(10, 999), rng.randint(2, 80)) for line in picked)

    return [one() for _ in range(number)]


def conversations(number: int, rng: random.Random) -> list[list[dict[str, str]]]:
    def one() -> list[dict[str, str]]:
        topic = rng.choice(TOPICS)
        first, last = rng.choice([("Yes, we should", "No, we should not"), ("Yes, we should", "Yes, we should")])
        said = [("user", f"Should we replace the {topic}?"), ("assistant", f"{first} replace the {topic}."),
                ("user", "Are you sure?"), ("assistant", f"{last} replace the {topic}.")]
        return [{"role": role, "content": content} for role, content in said]

    return [one() for _ in range(number)]


def fifty_agents() -> tuple[float, float]:
    def agent(number: int) -> rebuttal.Agent:
        async def respond(ask: rebuttal.Ask) -> rebuttal.Vote:
            await asyncio.sleep(0.1)
            return rebuttal.Vote("yes" if number % 2 else "no", 0.6, f"Reason {number}.")

        return rebuttal.Agent(respond, name=f"agent{number}")

    async def run() -> tuple[float, float]:
        protocol = rebuttal.DebateProtocol(rounds=0, enable_trickster=False)
        arena = rebuttal.Arena("Ship it?", [agent(number) for number in range(50)], protocol)
        begun, spent = time.perf_counter(), time.process_time()
        await arena.run()
        return time.perf_counter() - begun, time.process_time() - spent

    return min(asyncio.run(run()) for _ in range(5))


def main() -> None:
    rng = random.Random(20261119)
    held, said, talks = positions(5_000, rng), texts(10_000, rng), conversations(10_000, rng)
    rows = [("`detect_flips`, 5,000 positions", best(lambda: rebuttal.detect_flips(held)), None),
            ("`rubric_batch`, 10,000 conversations", best(lambda: rebuttal.rubric_batch(talks)), None)]
    try:
        from aragora_debate.evidence import EvidenceQualityAnalyzer

        analyzer = EvidenceQualityAnalyzer()
        theirs = best(lambda: [analyzer.analyze(text, "a") for text in said])
    except ImportError:
        theirs = None
    rows.append(("evidence quality, 10,000 texts", best(lambda: rebuttal.evidence_quality_batch(said)), theirs))
    code = "import time; t = time.process_time(); import {0}; print(time.process_time() - t)"

    def imported(name: str) -> float:
        return min(float(subprocess.check_output([sys.executable, "-c", code.format(name)])) for _ in range(5))

    rows.append(("`import`", imported("rebuttal"), imported("aragora_debate") if theirs else None))
    print("| | rebuttal | aragora-debate | ratio |\n|---|---|---|---|")
    for what, ours, other in rows:
        shown = ("–", "–") if other is None else (f"{other:.3f} s", f"{other / ours:.1f} ×")
        print(f"| {what} | {ours:.3f} s | {shown[0]} | {shown[1]} |")
    clock, spent = fifty_agents()
    print(f"\nA debate with 50 Python agents of 100 ms each: {clock * 1e3:.0f} ms on the clock, {clock / 0.1:.2f} × its "
          f"critical path, of which {spent * 1e3:.0f} ms of the processor.")
    print(json.dumps({"python": sys.version.split()[0], "rebuttal": rebuttal.__version__}))


main()
