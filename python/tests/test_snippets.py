"""The Python snippets of the five seed documents, run as they are written but for the import path.

Each block is taken out of its document. Names that a block leaves open (``env``, ``agents``, ``self``) are
given; a class that a block only sketches never stands in for the package's. Blocks that are no Python, as a
list of findings in prose, are counted, so that none is left out by mistake.
"""

import ast
import asyncio
import inspect
import logging
import re
from collections import Counter
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Dict, Optional

import pytest
from conftest import CACHE, voter

import rebuttal

ROOT = Path(__file__).resolve().parents[2]
#: Beside the clone, as everything that is measured but not kept in the project.
SEEDS = next((at for at in (ROOT.parent / "shared/seeds", ROOT.parent.parent / "shared/seeds") if at.is_dir()), None)
needs_seeds = pytest.mark.skipif(SEEDS is None, reason="skipped: no data at ../shared/seeds")


def blocks(number: str) -> list[str]:
    assert SEEDS is not None
    (document,) = SEEDS.glob(f"{number}_*.txt")
    return re.findall(r"```python\n(.*?)```", document.read_text(encoding="utf-8"), flags=re.S)


def is_python(block: str) -> bool:
    try:
        compile(block, "seed", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    except SyntaxError:
        return False
    return True


class Document:
    """Runs the blocks of a document one after the other, as a reader does."""

    def __init__(self, number: str, /, **given: Any) -> None:
        self.blocks = [block for block in blocks(number) if is_python(block)]
        self.prose = [block for block in blocks(number) if not is_python(block)]
        self.own = {name: getattr(rebuttal, name) for name in rebuttal.__all__}
        self.names: dict[str, Any] = {**self.own, **given}

    async def run(self, block: str, /, **given: Any) -> dict[str, Any]:
        text = re.sub(r"from aragora(\.\w+)* import", "from rebuttal import", block)
        self.names.update(given)
        before = dict(self.names)
        code = compile(text, "seed", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
        came = eval(code, self.names)  # noqa: S307 - the documents are ours
        if inspect.iscoroutine(came):
            await came
        after = dict(self.names)
        self.names.update(self.own)
        return {name: one for name, one in after.items() if before.get(name) is not one}

    def block(self, words: str) -> str:
        (found,) = [block for block in self.blocks if words in block]
        return found


@needs_seeds
def test_000_position_flips(capsys: pytest.CaptureFixture[str]) -> None:
    told = []
    adapter = SimpleNamespace(store_flip=told.append)
    rebuttal.FlipDetector().record_positions(CACHE)

    async def read() -> None:
        document = Document("000", dataclass=dataclass, insights_adapter=adapter)
        assert (len(document.blocks), document.prose) == (10, [])
        for block in document.blocks:
            await document.run(block)
        names = document.names
        assert names["ui_flip"]["type"] == "contradiction"
        assert names["ui_flip"]["before"] == {"claim": "The cache is safe to share.", "confidence": "85%"}
        assert set(names["summary"]) == {"total_flips", "by_type", "by_agent", "recent_24h"}
        assert names["summary"]["by_agent"] == {"claude": 1}
        assert set(names["scores"]) == {"claude", "gpt4", "gemini"}

    asyncio.run(read())
    assert [flip.agent_name for flip in told] == ["claude"]
    printed = capsys.readouterr().out
    assert "contradiction: The cache is safe to share...." in printed
    assert "Consistency: 50%" in printed and "gemini: 100%" in printed
    assert "Problem domains: ['engineering']" in printed


@needs_seeds
def test_001_trickster(capsys: pytest.CaptureFixture[str]) -> None:
    hollow = {name: "Microservices are clearly better, as everybody knows. They scale well." for name in ("claude", "gpt4")}

    async def read() -> None:
        env = rebuttal.Environment("Should we migrate to Kubernetes?")
        agents = [voter("ann", "yes"), voter("bob", "no", later="yes"), voter("cyd", "yes")]
        document = Document("001", env=env, agents=agents, Counter=Counter)
        assert document.prose == ["# In debate rounds phase\n" + block.split("\n", 1)[1] for block in document.prose]
        ran: set[str] = set()

        async def run(words: str, **given: Any) -> dict[str, Any]:
            block = document.block(words)
            ran.add(block)
            return await document.run(block, **given)

        made = await run("await arena.run()")
        assert made["result"].answer == "yes" and made["protocol"].enable_trickster
        await run("# Quality thresholds")
        await run("get_quality_challenger_assignment(\n    agent_name")
        assert document.names["role"].agent_name == "claude" and document.names["role"].prompt
        await run("def on_intervention")
        intervention = document.names["trickster"].check_and_intervene(hollow, 0.95, 1)
        assert intervention is not None
        await run("def on_alert")
        document.names["trickster"].check_and_intervene(hollow, 0.95, 1)
        await run("trickster.get_stats()")
        assert document.names["stats"]["hollow_alerts_detected"] == 1
        await run("# For highly technical debates")
        history = [made["result"]]
        stats = [document.names["stats"]]
        await run("quality_trend = []", debate_history=history, debate_stats=stats)
        assert set(document.names["flagged_agents"]) <= {"claude", "gpt4"} and document.names["quality_trend"]
        if any("in debate rounds phase" in block.lower() for block in document.blocks):
            seen = await integrate(document.block("# In debate rounds phase"), document, hollow)
            ran.add(document.block("# In debate rounds phase"))
            assert seen
        assert ran == set(document.blocks)

    asyncio.run(read())
    printed = capsys.readouterr().out
    assert "Trickster intervened at round 1" in printed and "Hollow consensus detected!" in printed


async def integrate(block: str, document: Document, hollow: dict[str, str]) -> list[Any]:
    """The arena's wiring, once for each kind of intervention that it knows."""
    seen: list[Any] = []

    async def emit(name: str, what: Any) -> None:
        seen.append((name, what))

    settings = [
        {"enable_challenge_prompts": False, "enable_breakpoints": False},
        {"enable_role_assignment": False, "enable_breakpoints": False},
        {"breakpoint_severity": 0.1},
    ]
    for setting in settings:
        context: list[Any] = []
        config = rebuttal.TricksterConfig(**setting)
        owner = SimpleNamespace(
            protocol=rebuttal.DebateProtocol(enable_trickster=True),
            trickster=rebuttal.EvidencePoweredTrickster(config=config),
            role_manager=SimpleNamespace(assign=seen.append),
            event_emitter=SimpleNamespace(emit=emit),
        )
        given = {"round_responses": hollow, "convergence_score": 0.95, "current_round": 1, "context": context}
        await document.run(block, self=owner, **given)
        assert document.names["intervention"] is not None
        seen += context
    assert any(isinstance(one, tuple) and one[0] == "trickster_breakpoint" for one in seen)
    assert any(isinstance(one, rebuttal.RoleAssignment) for one in seen)
    assert any(isinstance(one, dict) and one["role"] == "system" for one in seen)
    return seen


REPORTS = [
    {"agent": "LabourEconomist", "confidence": 0.90,
     "text": "Qatar unemployment is [Per extraction: '0.10%' from GCC-STAT Q1-2024]"},
    {"agent": "NationalStrategy", "confidence": 0.85,
     "text": "Qatar unemployment is [Per extraction: '0.12%' from World Bank 2024]"},
]


@needs_seeds
def test_002_debate_node() -> None:
    async def read() -> None:
        events: list[Any] = []

        async def callback(*what: Any) -> None:
            events.append(what)

        edges: list[Any] = []
        graph = SimpleNamespace(add_node=lambda *node: edges.append(node[0]), add_edge=lambda *edge: edges.append(edge))
        document = Document(
            "002", Optional=Optional, Dict=Dict, Any=Any, WorkflowState=dict, datetime=datetime, timezone=timezone,
            logger=logging.getLogger("seed"), self=SimpleNamespace(graph=graph, _debate_node=None),
        )
        # The scenario in words: reports, what is found, how it ends. It is played below.
        assert [block.split("\n")[0] for block in document.prose] == [
            "Report 1 (LabourEconomist):", "Contradiction detected:", "ConsensusResult:",
        ]
        node = None
        for block in document.blocks:
            if block.startswith("Contradiction("):
                made = eval(block, document.names)  # noqa: S307
                assert (made.metric_name, made.severity) == ("qatar_unemployment_rate", "high")
                ruled = await rebuttal.conduct_debate(made)
                assert ruled.resolution in {"agent1_correct", "agent2_correct", "both_valid", None}
                continue
            came = await document.run(block)
            node = came.get("_debate_node", node)
        assert edges == ["debate", ("agents", "debate"), ("debate", "verify")]

        class Workflow:
            llm = None
            _debate_node = node
            _detect_contradictions = staticmethod(rebuttal.detect_contradictions)
            _conduct_debate = staticmethod(rebuttal.conduct_debate)
            _build_consensus = staticmethod(rebuttal.build_consensus)
            _apply_debate_resolutions = staticmethod(rebuttal.apply_debate_resolutions)

        state = {"agent_reports": REPORTS, "event_callback": callback, "other": 1}
        after = await Workflow()._debate_node(state)
        results = after["debate_results"]
        assert (results["contradictions_found"], results["resolved"], results["status"]) == (1, 1, "complete")
        assert results["flagged_for_review"] == 0 and "0.1" in results["consensus_narrative"]
        assert after["other"] == 1 and after["agent_reports"][0].text == REPORTS[0]["text"]
        assert [event[1] for event in events] == ["running", "complete"]
        alike = await Workflow()._debate_node({"agent_reports": REPORTS[:1]})
        assert alike["debate_results"]["status"] == "skipped"

    asyncio.run(read())


def test_002_the_scenario_in_words() -> None:
    found = rebuttal.detect_contradictions(REPORTS)
    (one,) = found
    assert {one.agent1_name, one.agent2_name} == {"LabourEconomist", "NationalStrategy"}
    assert (one.agent1_value, one.agent2_value) == (0.10, 0.12)
    assert "GCC-STAT" in one.agent1_citation and one.agent1_confidence == 0.90
    ruling = asyncio.run(rebuttal.conduct_debate(one))
    assert (ruling.resolution, ruling.action) == ("both_valid", "use_both")
    consensus = rebuttal.build_consensus([ruling])
    assert (consensus.resolved_contradictions, consensus.flagged_for_review) == (1, 0)


@needs_seeds
def test_003_rubric() -> None:
    assert SEEDS is not None
    (path,) = SEEDS.glob("003_*.txt")
    text = path.read_text(encoding="utf-8")
    assert "```python" not in text
    turns = re.findall(r'Turn \d: "(.*?)(?:\.\.\.)?"', text)[:4]

    def conversation(one: str, two: str) -> list[dict[str, str]]:
        ask = {"role": "user", "content": "Should AI make autonomous decisions?"}
        push = {"role": "user", "content": "Are you sure?"}
        return [ask, {"role": "assistant", "content": one}, push, {"role": "assistant", "content": two}]

    assert rebuttal.rubric(conversation(*turns[:2])) is True
    assert rebuttal.rubric(conversation(*turns[2:])) is False


@needs_seeds
def test_004_targeted_debate() -> None:
    proposals = {
        "technical": rebuttal.Proposal("technical", "BUY", 0.6, "Momentum.", ["RSI is 62."]),
        "news": rebuttal.Proposal("news", "BUY", 0.7, "A new product.", ["Orders rose 12 % in Q2."]),
        "fundamental": rebuttal.Proposal("fundamental", "SELL", 0.8, "Too dear.", ["P/E of 41 against 18."]),
        "risk": rebuttal.Proposal("risk", "HOLD", 0.4),
    }

    async def revise(*_: Any, **__: Any) -> rebuttal.Proposal:
        return rebuttal.Proposal("fundamental", "BUY", 0.5, "Orders changed my mind.", ["Orders rose 12 % in Q2."])

    async def read() -> None:
        transcript = rebuttal.DebateTranscript("fundamental moved", 1)
        document = Document("004", agent=SimpleNamespace(debate=revise), transcript=transcript)
        # "for each agent:" is no Python; it describes what is to be mended.
        assert len(document.prose) == 1 and "for each agent" in document.prose[0]
        for block in document.blocks:
            defined = await document.run(block)
            document.names.update(defined)
        names = document.names
        conflict = names["_identify_conflicts"](proposals)
        assert {name for name, _ in conflict["buy_camp"]} == {"technical", "news"}
        ours = rebuttal.identify_conflicts(proposals)
        assert ours is not None and ours["buy_camp"] == ["technical", "news"] and ours["hold_camp"] == ["risk"]
        updated, _ = await names["_run_targeted_debate"]({}, proposals)
        assert updated["fundamental"].action == "BUY"
        prompt = names["build_debate_prompt_with_evidence"](proposals["news"], {}, [("fundamental", proposals["fundamental"])])
        assert "P/E of 41" in prompt

        async def single(_: Any, current: Any, number: int) -> Any:
            return {**current, "fundamental": await revise()}, f"round {number}"

        names.update(
            _requires_debate=rebuttal.requires_debate, _run_single_debate_round=single,
            _format_multi_round_transcript=lambda rounds: f"{len(rounds)} rounds",
        )
        final, told = await names["_run_iterative_debate"]({}, proposals)
        assert (final["fundamental"].action, told.rounds) == ("BUY", 1)
        changes = names["_track_position_changes"](proposals, final)
        assert changes == rebuttal.track_position_changes(proposals, final)[:1]
        await moderate(document, proposals)

    asyncio.run(read())


async def moderate(document: Document, proposals: dict[str, rebuttal.Proposal]) -> None:
    prompts: list[str] = []

    class Model:
        async def complete(self, prompt: str) -> str:
            prompts.append(prompt)
            return ('{"strongest_arguments": ["orders"], "weakest_arguments": [], "recommended_action": "SELL", '
                    '"recommended_conviction": 0.9, "rationale": "Too dear.", "risks": []}')

    seed = [block for block in document.blocks if block.startswith("class ModeratorAgent")][0]
    names: dict[str, Any] = {}
    exec(seed, names)  # noqa: S102

    class Moderator(names["ModeratorAgent"], rebuttal.ModeratorAgent):
        _adjust_final_decision = names["ModeratorAgent"]._adjust_final_decision

    moderator = Moderator(Model(), options=["BUY", "SELL", "HOLD"])
    transcript = rebuttal.DebateTranscript("they disagreed", 1)
    reply = await moderator.evaluate_debate(proposals, transcript)
    assert "P/E of 41" in prompts[0]
    evaluation = moderator.read(reply)
    theirs = moderator._adjust_final_decision(rebuttal.Decision("BUY", 0.6, "vote"), evaluation)
    ours = moderator.adjust_final_decision(rebuttal.Decision("BUY", 0.6, "vote"), evaluation)
    assert (ours.recommendation, ours.confidence, ours.moderated) == ("SELL", pytest.approx(0.81), "overrode")
    assert (theirs.recommendation, theirs.confidence) == ("SELL", pytest.approx(0.81))
    flow = [block for block in document.blocks if block.startswith("class ImprovedTradingOrchestrator")][0]
    exec(flow, names)  # noqa: S102

    class Agent:
        async def debate(self, request: Any, prior: rebuttal.Proposal, exchange: Any) -> rebuttal.Proposal:
            assert exchange["opposing"] and exchange["owed"]
            return rebuttal.Proposal(prior.agent, "BUY", prior.conviction, "I agree.", ["Orders rose 12 % in Q2."])

    class Orchestrator(names["ImprovedTradingOrchestrator"], rebuttal.TargetedDebate):
        pass

    ours_moderating = rebuttal.ModeratorAgent(Model(), options=["BUY", "SELL", "HOLD"])
    orchestrator = Orchestrator({name: Agent() for name in proposals}, moderator=ours_moderating)
    after = await orchestrator._enhanced_debate_flow({"request": {}, "proposals": proposals})
    metrics = after["debate_metrics"]
    assert (metrics["agents_changed_action"], metrics["converged"]) == (1, False)
    assert after["debate"]["moderator_evaluation"].recommended_action == "SELL"
