"""Debates with Python agents: what they may be, what they may do wrong, and where they run."""

import asyncio
import http.server
import json
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
import warnings
from pathlib import Path
from typing import Any

import pytest
from conftest import voter

import rebuttal
from rebuttal import Agent, Arena, Ask, DebateProtocol, Environment, Vote

ENV = Environment("Should we migrate to Kubernetes?")


def failed(result: rebuttal.DebateResult) -> dict[str, str]:
    """Why each agent gave no answer, the last time."""
    events = (record["event"] for record in result.records())
    return {one["call"]["agent"]: one["reason"] for one in events if one["type"] == "call_failed"}


def test_an_object_a_coroutine_a_callable_and_a_chat_model_on_one_panel() -> None:
    from langchain_core.language_models.fake_chat_models import FakeListChatModel

    async def coroutine(ask: Ask) -> dict[str, Any]:
        return {"answer": "yes", "conviction": 0.6, "thesis": "A trial worked.", "evidence": []}

    def blocking(ask: Ask) -> str:
        time.sleep(0.05)
        return json.dumps({"answer": "no", "conviction": 0.9, "thesis": "Nobody can run it.", "evidence": []})

    reply = '{"answer": "yes", "conviction": 0.8, "thesis": "It scales.", "evidence": []}'
    model = Agent(FakeListChatModel(responses=[reply]), name="chat")
    ann = voter("ann", "yes")
    result = Arena(ENV, [ann, coroutine, blocking, model], DebateProtocol(rounds=1)).run_sync()
    assert (result.answer, result.status, failed(result)) == ("yes", "decided", {})
    assert {turn["agent"] for turn in result.turns} == {"ann", "coroutine", "blocking", "chat"}
    assert ann.asked[0].round == 0 and ann.asked[0].options == ["yes", "no"] and "Kubernetes" in ann.asked[0].prompt


class OpenAi(http.server.BaseHTTPRequestHandler):
    """A server in the chat completions format."""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        said = json.dumps({"answer": "yes", "conviction": 0.8, "thesis": "The server says so.", "evidence": []})
        usage = {"prompt_tokens": 3, "completion_tokens": 4}
        delta = {"choices": [{"index": 0, "delta": {"content": said}, "finish_reason": "stop"}], "usage": usage}
        body = f"data: {json.dumps(delta)}\n\ndata: [DONE]\n\n".encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        pass


def test_python_agents_sit_beside_built_in_providers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), OpenAi)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    config = tmp_path / "rebuttal.toml"
    config.write_text(f'[agents.remote]\nprovider = "openai"\nmodel = "m"\nurl = "http://127.0.0.1:{server.server_port}/v1"\n')
    monkeypatch.setenv("REBUTTAL_CONFIG", str(config))
    try:
        result = Arena(ENV, [voter("ann", "yes"), "remote"], DebateProtocol(rounds=1)).run_sync()
    finally:
        server.shutdown()
    assert failed(result) == {}
    assert {turn["agent"] for turn in result.turns} == {"ann", "remote"}


def test_events_while_it_runs() -> None:
    async def run() -> tuple[list[rebuttal.Event], rebuttal.DebateResult, list[rebuttal.Event]]:
        class Talker:
            name = "talker"

            async def respond(self, ask: Ask) -> Vote:
                ask.say("thinking")
                return Vote("yes", 0.6, "Yes.")

        debate = Arena(ENV, [Talker(), voter("bob", "no")], DebateProtocol(rounds=1)).start()
        events = [event async for event in debate]
        again = [event async for event in debate]
        return events, await debate.result(), again

    events, result, again = asyncio.run(run())
    kinds = [event.type for event in events]
    assert kinds[0] == "debate_started" and "asked" in kinds and "turn_taken" in kinds and "words" in kinds
    assert [event.seq for event in events] == sorted(event.seq for event in events)
    assert again == events and result.status == "decided"


def test_what_an_agent_does_wrong_costs_its_own_vote() -> None:
    async def raises(ask: Ask) -> Vote:
        raise ValueError("no idea")

    async def garbage(ask: Ask) -> Any:
        return 7

    def exits(ask: Ask) -> Vote:
        sys.exit(3)

    async def hangs(ask: Ask) -> Vote:
        await asyncio.sleep(60)
        return Vote("yes")

    panel = [voter("ann", "yes"), voter("bob", "yes"), raises, garbage, exits, Agent(hangs, timeout=0.3)]
    begun = time.perf_counter()
    result = Arena(ENV, panel, DebateProtocol(rounds=1, rule="plurality")).run_sync()
    why = failed(result)
    assert time.perf_counter() - begun < 8 and result.status == "decided"
    assert "ValueError: no idea" in why["raises"]
    assert "an answer must be a rebuttal.Vote" in why["garbage"]
    assert "SystemExit" in why["exits"]
    assert "no answer within 0.3 s" in why["hangs"]


def test_an_agent_that_hangs_is_cancelled() -> None:
    cancelled = []

    async def hangs(ask: Ask) -> Vote:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            cancelled.append(ask.round)
            raise
        return Vote("yes")

    async def run() -> None:
        await Arena(ENV, [voter("a", "yes"), voter("b", "yes"), Agent(hangs, timeout=0.2)], DebateProtocol(rounds=0)).run()
        await asyncio.sleep(0.2)

    asyncio.run(run())
    assert cancelled


def test_an_agent_that_blocks_the_loop_is_named() -> None:
    async def blocks(ask: Ask) -> Vote:
        time.sleep(1.2)
        return Vote("yes", 0.5, "Slow.")

    panel = [voter("ann", "yes"), blocks]
    with pytest.warns(RuntimeWarning, match="agent blocks blocked the event loop for 1"):
        result = Arena(ENV, panel, DebateProtocol(rounds=0)).run_sync()
    assert result.status == "decided"


def test_fifty_agents_wait_side_by_side() -> None:
    def one(number: int) -> Agent:
        async def respond(ask: Ask) -> Vote:
            await asyncio.sleep(0.1)
            return Vote("yes" if number % 2 else "no", 0.6, f"Reason {number}.")

        return Agent(respond, name=f"agent{number}")

    protocol = DebateProtocol(rounds=0, enable_trickster=False)
    seconds = []
    for _ in range(3):
        begun = time.perf_counter()
        result = Arena(ENV, [one(number) for number in range(50)], protocol).run_sync()
        seconds.append(time.perf_counter() - begun)
        assert len(result.turns) == 50
    # On an idle machine 1.05 times 0.1 s (docs/performance.md); here others use the same two cores.
    assert min(seconds) < 1.0, seconds


def test_a_thousand_awaits_do_not_block_each_other() -> None:
    waiting = most = 0

    def one(number: int) -> Agent:
        async def respond(ask: Ask) -> Vote:
            nonlocal waiting, most
            waiting += 1
            most = max(most, waiting)
            await asyncio.sleep(1.0)
            waiting -= 1
            return Vote("yes", 0.6, "Yes.")

        return Agent(respond, name=f"agent{number}")

    async def run() -> list[rebuttal.DebateResult]:
        protocol = DebateProtocol(rounds=0, enable_trickster=False)
        arenas = [Arena(ENV, [one(number) for number in range(50)], protocol) for _ in range(20)]
        return await asyncio.gather(*(arena.run() for arena in arenas))

    results = asyncio.run(run())
    assert [len(result.turns) for result in results] == [50] * 20
    assert most > 500, most


def test_two_event_loops() -> None:
    arena = Arena(ENV, [voter("ann", "yes"), voter("bob", "no")], DebateProtocol(rounds=1))
    assert asyncio.run(arena.run()).status == "decided"
    # Another loop, the same arena; and both at once, in two threads.
    results: list[rebuttal.DebateResult] = []
    threads = [threading.Thread(target=lambda: results.append(asyncio.run(arena.run()))) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert [result.status for result in results] == ["decided", "decided"]


def test_a_debate_of_another_loop_is_refused() -> None:
    async def start() -> rebuttal.Debate:
        return Arena(ENV, [voter("ann", "yes"), voter("bob", "no")]).start()

    debate = asyncio.run(start())
    with pytest.raises(RuntimeError, match="another event loop"):
        asyncio.run(debate.result())
    debate.close()


def test_a_loop_that_is_closed_under_a_debate() -> None:
    async def start() -> rebuttal.Debate:
        async def slow(ask: Ask) -> Vote:
            await asyncio.sleep(0.05)
            return Vote("yes", 0.5, "Yes.")

        return Arena(ENV, [Agent(slow, name="a"), Agent(slow, name="b")], DebateProtocol(rounds=3)).start()

    debate = asyncio.run(start())
    time.sleep(0.5)
    # Nothing crashed; the next debate runs.
    assert debate.id
    assert Arena(ENV, [voter("ann", "yes"), voter("bob", "no")]).run_sync().status == "decided"


def test_outside_an_event_loop() -> None:
    with pytest.raises(RuntimeError, match="run_sync"):
        Arena(ENV, [voter("ann", "yes"), voter("bob", "no")]).start()


def test_cancelling_ends_the_debate() -> None:
    async def never(ask: Ask) -> Vote:
        await asyncio.sleep(60)
        return Vote("yes")

    async def run() -> None:
        arena = Arena(ENV, [Agent(never, name="a"), Agent(never, name="b")])
        async with asyncio.timeout(0.3):
            await arena.run()

    begun = time.perf_counter()
    with pytest.raises(TimeoutError):
        asyncio.run(run())
    assert time.perf_counter() - begun < 5


INTERRUPTED = """
import asyncio, rebuttal
async def never(ask):
    print("asked", flush=True)
    await asyncio.sleep(60)
try:
    rebuttal.Arena("Ship it?", [rebuttal.Agent(never, name="a"), rebuttal.Agent(never, name="b")]).run_sync()
except KeyboardInterrupt:
    print("interrupted")
"""


def test_ctrl_c() -> None:
    child = subprocess.Popen([sys.executable, "-c", INTERRUPTED], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None and child.stdout.readline() == "asked\n"
    begun = time.perf_counter()
    child.send_signal(signal.SIGINT)
    out, _ = child.communicate(timeout=30)
    assert "interrupted" in out and child.returncode == 0 and time.perf_counter() - begun < 10


def _forked(queue: Any) -> None:
    try:
        rebuttal.FlipDetector("forked.db")
    except rebuttal.RebuttalError as error:
        queue.put(str(error))
    else:
        queue.put("it worked")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="skipped: no fork on this system")
def test_a_fork_after_the_threads_were_started_is_told_so() -> None:
    rebuttal.FlipDetector()
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        child = context.Process(target=_forked, args=(queue,))
        child.start()
    assert "spawn" in queue.get(timeout=20)
    child.join(20)
    assert child.exitcode == 0


FORK_FIRST = """
import multiprocessing, rebuttal
def work(queue):
    queue.put(rebuttal.evidence_quality("A 2023 survey of 412 firms found 18 % fewer outages.").overall)
if __name__ == "__main__":
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    child = context.Process(target=work, args=(queue,))
    child.start()
    print(queue.get(timeout=20) > 0)
"""


def test_a_fork_after_the_import_works() -> None:
    out = subprocess.run([sys.executable, "-c", FORK_FIRST], capture_output=True, text=True, timeout=60)
    assert out.stdout.strip() == "True", out.stderr


def test_errors_have_types_and_say_what_to_do() -> None:
    with pytest.raises(rebuttal.DebateError, match="at least two agents"):
        Arena(ENV, [voter("ann", "yes")]).run_sync()
    with pytest.raises(rebuttal.DebateError, match="two agents are called ann"):
        Arena(ENV, [voter("ann", "yes"), voter("ann", "no")]).run_sync()
    with pytest.raises(rebuttal.RebuttalError, match="hal"):
        Arena(ENV, ["hal", voter("ann", "no")]).run_sync()
    with pytest.raises(rebuttal.DebateError, match="rounds"):
        Arena(ENV, [voter("a", "yes"), voter("b", "no")], DebateProtocol(rounds=500)).run_sync()
    assert issubclass(rebuttal.DebateError, rebuttal.RebuttalError)


@pytest.mark.parametrize(
    ("make", "argument"),
    [
        (lambda: Arena(7, []), "environment"),
        (lambda: Arena(ENV, "claude"), "agents"),
        (lambda: Arena(ENV, [], {"rounds": 5}), "protocol"),
        (lambda: Arena(ENV, [], seed="x"), "seed"),
        (lambda: Environment(5), "task"),
        (lambda: Environment("q", options="yes"), "options"),
        (lambda: DebateProtocol(rounds="5"), "rounds"),
        (lambda: DebateProtocol(rounds=True), "rounds"),
        (lambda: DebateProtocol(enable_trickster="yes"), "enable_trickster"),
        (lambda: DebateProtocol(round=5), "round"),
        (lambda: Arena(ENV, [object(), object()]).run_sync(), r"agents\[0\]"),
        (lambda: Arena(ENV, [Agent(lambda ask: "yes"), voter("b", "no")]).run_sync(), "name"),
    ],
)
def test_a_wrong_type_names_its_argument(make: Any, argument: str) -> None:
    with pytest.raises(TypeError, match=argument):
        make()


def test_callbacks_of_the_trickster() -> None:
    alerts: list[Any] = []
    interventions: list[Any] = []

    def hollow(name: str) -> Agent:
        async def respond(ask: Ask) -> Vote:
            return Vote("yes", 0.9, "Everybody knows that it is clearly better, and it scales well.")

        return Agent(respond, name=name)

    protocol = DebateProtocol(rounds=2, enable_trickster=True)
    arena = Arena(ENV, [hollow("a"), hollow("b")], protocol, on_alert=alerts.append, on_intervention=interventions.append)

    async def run() -> rebuttal.DebateResult:
        debate = arena.start()
        async for event in debate:
            if event.type == "breakpoint_reached":
                break
        return await debate.result()

    result = asyncio.run(run())
    assert alerts and alerts[0].detected and alerts[0].severity > 0.5
    assert interventions and interventions[0].target_agents
    assert result.trickster_stats["hollow_alerts_detected"] >= 1 or result.status == "waiting"


def test_a_breakpoint_waits_for_a_person_and_goes_on() -> None:
    async def run() -> tuple[rebuttal.DebateResult, rebuttal.DebateResult]:
        def hollow(name: str) -> Agent:
            async def respond(ask: Ask) -> Vote:
                return Vote("yes", 0.9, "Everybody knows that it is clearly better, and it scales well.")

            return Agent(respond, name=name)

        config = rebuttal.TricksterConfig(breakpoint_severity=0.2, enable_challenge_prompts=False)
        protocol = DebateProtocol(rounds=1, trickster=config)
        first = await Arena(ENV, [hollow("a"), hollow("b")], protocol).run()
        with pytest.raises(rebuttal.DebateError, match="answers no breakpoint"):
            await rebuttal.resume(first, "whatever")
        last = first
        while last.status == "waiting":
            last = await (await rebuttal.resume(last, "continue")).result()
        return first, last

    first, last = asyncio.run(run())
    assert first.status == "waiting" and first.reason
    assert last.status == "decided" and last.answer == "yes"


def test_a_debate_is_stored_with_its_positions(tmp_path: Path) -> None:
    database = tmp_path / "debates.db"
    arena = Arena(ENV, [voter("ann", "yes"), voter("bob", "no", later="yes")], database=database, seed=7)
    result = arena.run_sync()
    assert result.answer == "yes"
    detector = rebuttal.FlipDetector(database)
    assert [flip.agent_name for flip in detector.detect_flips_for_agent("bob")] == ["bob"]
    assert detector.get_agent_consistency("ann").consistency_score == 1.0


def test_results_as_values_pages_and_steps() -> None:
    result = Arena(ENV, [voter("ann", "yes"), voter("bob", "no", later="yes")], seed=7).run_sync()
    assert result.metrics["agents_changed_action"] == 1 and result.verdict
    assert json.dumps(result.to_dict()) and result.to_dict()["decision"]["answer"] == "yes"
    assert result.html().startswith("<!DOCTYPE html>") and "<iframe sandbox" in result._repr_html_()
    assert "Kubernetes" in result.markdown()
    assert {"state", "action", "reward"} <= set(result.steps()[0])
    assert result.to_arrow().column_names == ["agent", "round", "text", "answer", "conviction"]
