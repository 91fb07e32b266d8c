"""The debate of crates/engine/examples/concurrent.rs as a LangGraph graph: three agents, a blind
round and two rounds in which each sees the others, agents of a round side by side, the same
log-normal latencies. Prints one line of JSON.

Usage: debates.py [DEBATES] [MEDIAN_SECONDS]
"""

import asyncio
import json
import math
import operator
import resource
import sys
import time
from typing import Annotated, TypedDict

from langgraph.graph import END, START, StateGraph

SIGMA, AGENTS, ROUNDS = 0.54, 3, 2
MASK = (1 << 64) - 1


def latency(debate, agent, round_, median):
    def uniform(salt):
        state = ((debate * 1000 + agent * 10 + round_) * 4 + salt) * 0x9E3779B97F4A7C15 & MASK
        state = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 & MASK
        state = (state ^ state >> 27) * 0x94D049BB133111EB & MASK
        return max(((state ^ state >> 31) >> 11) / (1 << 53), 1e-12)

    normal = math.sqrt(-2 * math.log(uniform(1))) * math.cos(math.tau * uniform(2))
    return median * math.exp(SIGMA * normal)


class State(TypedDict):
    debate: int
    round: int
    turns: Annotated[list, operator.add]
    decision: str


def build(median):
    def speaker(agent):
        async def speak(state):
            seen = [turn for turn in state["turns"] if turn["round"] == state["round"] - 1]
            await asyncio.sleep(latency(state["debate"], agent, state["round"], median))
            answer = "no" if agent == 0 else "yes"
            text = json.dumps({"answer": answer, "conviction": 0.6, "thesis": f"I am for {answer}.",
                               "evidence": ["A trial ran for 14 days."], "seen": len(seen)})
            turn = json.loads(text)
            return {"turns": [{"agent": agent, "round": state["round"], **turn}]}

        return speak

    def after(state):
        return {"round": state["round"] + 1}

    def decide(state):
        last = [turn["answer"] for turn in state["turns"] if turn["round"] == ROUNDS]
        return {"decision": max(set(last), key=last.count)}

    graph = StateGraph(State)
    graph.add_node("after", after)
    graph.add_node("decide", decide)
    for agent in range(AGENTS):
        graph.add_node(f"agent-{agent}", speaker(agent))
        graph.add_edge(START, f"agent-{agent}")
    graph.add_edge([f"agent-{agent}" for agent in range(AGENTS)], "after")
    names = [f"agent-{agent}" for agent in range(AGENTS)]
    graph.add_conditional_edges(
        "after", lambda state: names if state["round"] <= ROUNDS else "decide", names + ["decide"])
    graph.add_edge("decide", END)
    return graph.compile()


async def main(debates, median):
    app = build(median)
    before = resource.getrusage(resource.RUSAGE_SELF)
    start = time.perf_counter()
    runs = [app.ainvoke({"debate": debate, "round": 0, "turns": [], "decision": ""})
            for debate in range(debates)]
    results = await asyncio.gather(*runs)
    wall = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_SELF)
    calls = sum(len(result["turns"]) for result in results)
    path = max(sum(max(latency(debate, agent, round_, median) for agent in range(AGENTS))
                   for round_ in range(ROUNDS + 1)) for debate in range(debates))
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(json.dumps({
        "engine": "langgraph", "debates": debates, "calls": calls, "wall_s": wall,
        "critical_path_s": path, "ratio": wall / path, "cpu_us_per_call": cpu * 1e6 / calls,
        "kb_per_debate": (after.ru_maxrss - before.ru_maxrss) / debates,
    }))


if __name__ == "__main__":
    argument = lambda at, usual: type(usual)(sys.argv[at]) if len(sys.argv) > at else usual
    asyncio.run(main(argument(1, 1000), argument(2, 2.0)))
