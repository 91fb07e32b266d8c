"""The debate node in a LangGraph: agents → debate → verify."""

import asyncio
from typing import Any, TypedDict

from langgraph.graph import END, START, StateGraph

from rebuttal.langgraph import debate_node


class State(TypedDict, total=False):
    agent_reports: list[dict[str, Any]]
    debate_results: dict[str, Any]


async def agents(state: State) -> State:
    return {
        "agent_reports": [
            {"agent": "labour", "text": "Unemployment in Qatar was 0.10 % in Q1 2024 (GCC-STAT).", "confidence": 0.9},
            {"agent": "strategy", "text": "Unemployment in Qatar was 0.12 % in Q1 2024 (World Bank).", "confidence": 0.85},
        ]
    }


async def verify(state: State) -> State:
    print(state["debate_results"]["status"], state["debate_results"]["consensus_narrative"], sep=": ")
    return {}


builder = StateGraph(State)
builder.add_node("agents", agents)
builder.add_node("debate", debate_node(authority='rules = ["GCC-STAT > World Bank > other"]'))
builder.add_node("verify", verify)
builder.add_edge(START, "agents")
builder.add_edge("agents", "debate")
builder.add_edge("debate", "verify")
builder.add_edge("verify", END)
final = asyncio.run(builder.compile().ainvoke({}))
for report in final["agent_reports"]:
    print(f"{report['agent']}: {report['adjusted_text']}")
