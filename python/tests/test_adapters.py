"""LangGraph, AutoGen, the OpenAI Agents SDK, notebooks and pytest, each against the real package."""

import asyncio
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, TypedDict

import pytest

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"


class State(TypedDict, total=False):
    agent_reports: list[Any]
    debate_results: dict[str, Any]
    event_callback: Any
    verified: bool
    trace: list[str]


def graph(node: Any, first: list[dict[str, Any]]) -> Any:
    from langgraph.graph import END, START, StateGraph

    async def agents(state: State) -> State:
        return {"agent_reports": first}

    async def verify(state: State) -> State:
        return {"verified": state["debate_results"]["status"] in ("complete", "skipped")}

    builder = StateGraph(State)
    builder.add_node("agents", agents)
    builder.add_node("debate", node)
    builder.add_node("verify", verify)
    builder.add_edge(START, "agents")
    builder.add_edge("agents", "debate")
    builder.add_edge("debate", "verify")
    builder.add_edge("verify", END)
    return builder.compile()


QATAR = [
    {"agent": "labour", "text": "Unemployment in Qatar was 4.6 % in 2017, the World Bank reports.", "id": 1},
    {"agent": "strategy", "text": "In 2017 the jobless rate in Qatar stood at 5.9 % (GCC-STAT).", "id": 2},
]


def test_langgraph_agents_debate_verify() -> None:
    from rebuttal.langgraph import debate_node

    told: list[Any] = []

    async def callback(*what: Any) -> None:
        told.append(what)

    app = graph(debate_node(authority='rules = ["GCC-STAT > World Bank > other"]'), QATAR)
    after = asyncio.run(app.ainvoke({"event_callback": callback, "trace": ["kept"]}))
    results = after["debate_results"]
    assert (results["status"], results["contradictions_found"], results["resolved"]) == ("complete", 1, 1)
    assert results["consensus_narrative"] and results["latency_ms"] > 0 and results["flagged_for_review"] == 0
    assert after["trace"] == ["kept"] and after["verified"] is True
    first = after["agent_reports"][0]
    assert first["id"] == 1 and first["text"] == QATAR[0]["text"] and first["adjusted_text"] != first["text"]
    assert [what[:2] for what in told] == [("debate", "running"), ("debate", "complete")]
    assert told[1][2] == {"contradictions": 1, "resolved": 1, "flagged": 0}


def test_langgraph_skips_where_nothing_conflicts() -> None:
    from rebuttal.langgraph import debate_node

    after = asyncio.run(graph(debate_node(), QATAR[:1]).ainvoke({"trace": []}))
    assert after["debate_results"] == {"contradictions_found": 0, "status": "skipped", "latency_ms": 0}
    assert after["agent_reports"] == QATAR[:1] and after["verified"]
    assert asyncio.run(graph(debate_node(), []).ainvoke({}))["debate_results"]["status"] == "skipped"


def test_langgraph_with_a_model_and_a_callback_that_fails() -> None:
    from langchain_core.language_models.fake_chat_models import FakeListChatModel

    from rebuttal.langgraph import debate_node

    def broken(*_: Any) -> None:
        raise ValueError("deaf")

    model = FakeListChatModel(responses=["this is no ruling"])
    app = graph(debate_node(model, event_callback=broken), QATAR)
    with pytest.warns(UserWarning, match="deaf"):
        after = asyncio.run(app.ainvoke({}))
    assert after["debate_results"]["status"] == "complete"
    assert after["debate_results"]["resolutions"][0]["by"] == "rules"


def chat(replies: dict[str, list[str]], condition: Any, turns: int = 6) -> Any:
    """A group chat of AutoGen whose agents say these words."""
    from collections.abc import Sequence

    from autogen_agentchat.agents import BaseChatAgent
    from autogen_agentchat.base import Response
    from autogen_agentchat.messages import BaseChatMessage, TextMessage
    from autogen_agentchat.teams import RoundRobinGroupChat

    class Speaker(BaseChatAgent):
        def __init__(self, name: str, words: list[str]) -> None:
            super().__init__(name, "says what it was given")
            self.words = list(words)

        @property
        def produced_message_types(self) -> Sequence[type[BaseChatMessage]]:
            return (TextMessage,)

        async def on_messages(self, messages: Any, cancellation_token: Any) -> Response:
            return Response(chat_message=TextMessage(content=self.words.pop(0), source=self.name))

        async def on_reset(self, cancellation_token: Any) -> None:
            pass

    speakers = [Speaker(name, words) for name, words in replies.items()]
    team = RoundRobinGroupChat(speakers, termination_condition=condition, max_turns=turns)
    return asyncio.run(team.run(task="Should we ship the release?"))


SILENT = {
    "ann": ["Yes, we should ship the release.", "No, we should not ship the release.", "Fine."],
    "bob": ["No, we should not ship the release.", "No, it is too early.", "Fine."],
}


def test_autogen_ends_at_a_silent_reversal() -> None:
    from rebuttal.autogen import AuditTermination

    seen: list[Any] = []
    condition = AuditTermination(stop_at="low", on_finding=seen.append)
    result = chat(SILENT, condition)
    assert "The audit ends this chat" in (result.stop_reason or "")
    # The task, ann, bob, and ann again.
    assert len(result.messages) == 4
    assert seen[0].rule == "self-contradiction/silent" and seen[0].agent == "ann"
    assert condition.report is not None and condition.seconds < 5


def test_autogen_only_watches_and_joins_other_conditions() -> None:
    from autogen_agentchat.conditions import MaxMessageTermination

    from rebuttal.autogen import AuditTermination

    watcher = AuditTermination(stop_at=None)
    result = chat(SILENT, watcher | MaxMessageTermination(6))
    assert len(result.messages) == 6 and watcher.report is not None and watcher.report.silent_flips
    with pytest.raises(ValueError, match="stop_at"):
        AuditTermination(stop_at="worst")


def test_openai_agents_are_audited() -> None:
    from agents import Agent, Model, ModelResponse, OutputGuardrailTripwireTriggered, RunConfig, Runner, Usage
    from openai.types.responses import ResponseOutputMessage, ResponseOutputText

    from rebuttal.openai_agents import AuditHooks, consistency_guardrail

    class Scripted(Model):
        def __init__(self, words: list[str]) -> None:
            self.words = words

        async def get_response(self, *_: Any, **__: Any) -> ModelResponse:
            text = ResponseOutputText(text=self.words.pop(0), type="output_text", annotations=[])
            said = ResponseOutputMessage(id="1", content=[text], role="assistant", status="completed", type="message")
            return ModelResponse(output=[said], usage=Usage(), response_id=None)

        def stream_response(self, *_: Any, **__: Any) -> Any:
            raise NotImplementedError

    words = ["Yes, we should ship the release.", "No, we should not ship the release."]
    quiet = RunConfig(tracing_disabled=True)

    async def run() -> Any:
        hooks = AuditHooks("Should we ship the release?")
        agent = Agent(name="ann", model=Scripted(words))
        for _ in range(2):
            await Runner.run(agent, "Should we ship the release?", hooks=hooks, run_config=quiet)
        assert hooks.report is not None
        assert [one.agent for one in hooks.report.silent_flips] == ["ann"]
        hooks = AuditHooks("Should we ship the release?")
        again = ["Yes, we should ship the release.", "No, we should not ship the release."]
        held = Agent(name="ann", model=Scripted(again), output_guardrails=[consistency_guardrail(hooks)])
        await Runner.run(held, "Should we ship the release?", hooks=hooks, run_config=quiet)
        with pytest.raises(OutputGuardrailTripwireTriggered):
            await Runner.run(held, "Are you sure?", hooks=hooks, run_config=quiet)

    asyncio.run(run())


def test_the_example_notebook_runs(tmp_path: Path) -> None:
    import nbformat
    from nbclient import NotebookClient

    notebook = nbformat.read(EXAMPLES / "debate.ipynb", as_version=4)
    NotebookClient(notebook, timeout=60, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}).execute()
    shown = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    pages = [output["data"]["text/html"] for output in shown if "text/html" in output.get("data", {})]
    assert len(pages) >= 3 and any("<iframe sandbox" in page for page in pages)


@pytest.mark.parametrize("name", ["own_agents.py", "langgraph_node.py", "autogen_chat.py", "arrow_tables.py"])
def test_the_examples_run(name: str) -> None:
    out = subprocess.run([sys.executable, str(EXAMPLES / name)], capture_output=True, text=True, timeout=60)
    assert out.returncode == 0, out.stderr
    assert out.stdout.strip()


def test_the_pytest_plugin_fails_on_a_silent_reversal(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        from rebuttal.pytest_plugin import assert_no_silent_flips as check

        TURNED = "user: Should we ship?\\nann: Yes, we should ship.\\nann: No, we should not ship.\\n"
        OWNED = "user: Should we ship?\\nann: Yes, we should ship.\\nann: I changed my mind: we should not ship.\\n"

        def test_turned():
            check(TURNED)

        def test_owned(assert_no_silent_flips):
            assert_no_silent_flips(OWNED)
        """
    )
    result = pytester.runpytest_subprocess()
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*1 silent reversal:*", "*position before*Yes*"])


def test_the_import_is_quick_and_the_package_small() -> None:
    # Of the processor's time: the clock of a machine that others use says little.
    code = "import time; t = time.process_time(); import rebuttal; print(time.process_time() - t)"
    seconds = min(
        float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout)
        for _ in range(5)
    )
    assert seconds < 0.1, seconds
    loaded = "import sys, rebuttal; print([name for name in ('asyncio', 'langgraph', 'IPython', 'agents') if name in sys.modules])"
    assert subprocess.run([sys.executable, "-c", loaded], capture_output=True, text=True).stdout.strip() == "[]"
