"""Flips, the trickster, reports, conversations and targeted debates: the values, and what is refused."""

import asyncio
import math
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import pytest
from conftest import CACHE

import rebuttal
from rebuttal import FlipDetector, detect_flips

TURNED = [
    {"role": "user", "content": "Should we ship?"},
    {"role": "assistant", "content": "Yes, we should ship."},
    {"role": "user", "content": "Are you sure?"},
    {"role": "assistant", "content": "No, we should not ship."},
]


def test_flips_among_positions(positions: list[dict[str, Any]]) -> None:
    (flip,) = detect_flips(positions)
    assert (flip.agent_name, flip.flip_type, flip.silent) == ("claude", "contradiction", True)
    assert (flip.original_confidence, flip.new_confidence) == (0.85, 0.7)
    assert (flip.original_debate_id, flip.new_debate_id, flip.domain) == ("d1", "d2", "engineering")
    page = detect_flips(positions).html()
    assert page.startswith("<!DOCTYPE html>") and "claude" in page
    assert flip.to_dict()["original_claim"] == "The cache is safe to share." and "_raw" not in flip.to_dict()
    with pytest.warns(UserWarning, match="85"):
        assert detect_flips([{**positions[0], "confidence": 85}, positions[1]]) == []


def test_the_detector_remembers(positions: list[dict[str, Any]]) -> None:
    told: list[str] = []

    class Adapter:
        def store_flip(self, flip: rebuttal.FlipEvent) -> None:
            told.append(flip.id)

    detector = FlipDetector(km_adapter=Adapter())
    assert (detector.record_positions(positions), detector.record_positions(positions)) == (3, 0)
    for _ in range(2):
        (flip,) = detector.detect_flips_for_agent("claude", lookback_positions=50)
    assert told == [flip.id]
    assert FlipDetector().get_recent_flips()[0].id == flip.id
    score = detector.get_agent_consistency("claude")
    assert (score.consistency_score, score.flip_rate, score.contradictions) == (0.5, 0.5, 1)
    assert detector.get_flip_summary()["by_type"] == {"contradiction": 1}
    assert "<iframe" in detector._repr_html_()


def test_one_position_at_a_time_and_a_transcript() -> None:
    detector = FlipDetector()
    at = datetime(2026, 1, 5, tzinfo=timezone.utc)
    assert detector.record_position("ann", "The bridge is safe.", 0.9, "d1", at=at) == 1
    assert detector.record_position("ann", "The bridge is not safe.", 0.0, "d2") == 1
    (flip,) = detector.detect_flips_for_agent("ann")
    assert flip.new_confidence == 0.0
    assert detector.record_transcript(TURNED) == 2
    assert [flip.agent_name for flip in detector.detect_flips_for_agent("assistant")] == ["assistant"]


def test_an_adapter_that_fails_is_told_again(positions: list[dict[str, Any]]) -> None:
    class Adapter:
        calls = 0

        def store_flip(self, flip: rebuttal.FlipEvent) -> None:
            self.calls += 1
            if self.calls == 1:
                raise OSError("away")

    adapter = Adapter()
    detector = FlipDetector(km_adapter=adapter)
    detector.record_positions(positions)
    with pytest.warns(UserWarning, match="away"):
        assert len(detector.detect_flips_for_agent("claude")) == 1
    detector.detect_flips_for_agent("claude")
    assert adapter.calls == 2


def test_hollow_agreement() -> None:
    said = {name: "It is clearly better, as everybody knows. It scales well." for name in ("claude", "gpt4")}
    alerts: list[Any] = []
    trickster = rebuttal.EvidencePoweredTrickster(on_alert=alerts.append)
    first = trickster.check_and_intervene(responses=said, convergence_similarity=0.95, round_num=1)
    assert first is not None and first.round_num == 1 and 0 < first.priority <= 1 and first.challenge_text
    assert alerts[0].detected and alerts[0].similarity == 0.95
    trickster.check_and_intervene(said, 0.1, 2)
    assert not alerts[-1].detected
    stats = trickster.get_stats()
    assert stats["total_interventions"] == len(trickster.interventions) and stats["avg_quality_per_round"][1] < 0.3
    part = trickster.get_quality_challenger_assignment("claude", 3)
    assert (part.agent_name, part.role, part.round_num) == ("claude", "quality_challenger", 3)


def test_a_callback_that_fails_changes_nothing() -> None:
    def broken(_: Any) -> None:
        raise KeyError("oops")

    trickster = rebuttal.EvidencePoweredTrickster(on_intervention=broken)
    said = {name: "It is clearly better, as everybody knows." for name in ("a", "b")}
    with pytest.warns(UserWarning, match="oops"):
        assert trickster.check_and_intervene(said, 0.95, 1) is not None
    assert len(trickster.failures) >= 1


REPORTS = [
    {"agent": "labour", "text": "Unemployment in Qatar was 4.6 % in 2017, the World Bank reports.", "confidence": 0.9},
    {"agent": "strategy", "text": "In 2017 the jobless rate in Qatar stood at 5.9 % (GCC-STAT).", "confidence": 0.8},
]


def test_reports_are_reconciled() -> None:
    came = asyncio.run(rebuttal.reconcile(REPORTS, authority='rules = ["GCC-STAT > World Bank > other"]'))
    (one,), (ruling,) = came.contradictions, came.resolutions
    assert {one.agent1_value, one.agent2_value} == {4.6, 5.9}
    assert (ruling.resolution, ruling.recommended_value) == ("agent2_correct", 5.9)
    adjusted = came.consensus.adjusted_reports
    assert adjusted[0].text == REPORTS[0]["text"] and adjusted[0].adjustments
    assert adjusted[0].adjusted_text != adjusted[0].text
    assert came.html().startswith("<!DOCTYPE html>")
    assert came.contradictions.to_arrow().column_names[0] == "metric_name"


def test_a_model_rules_in_both_orders_and_invents_nothing() -> None:
    (one,) = rebuttal.detect_contradictions(REPORTS)
    prompts: list[str] = []

    async def fair(prompt: str) -> str:
        prompts.append(prompt)
        side = 1 if prompt.index("4.6") < prompt.index("5.9") else 2
        return (f'{{"resolution": "agent{side}_correct", "explanation": "labour cites the source", '
                f'"recommended_value": 4.6, "recommended_citation": null, "confidence": 0.8, "action": "use_agent{side}"}}')

    ruling = asyncio.run(rebuttal.conduct_debate(one, fair))
    assert (ruling.resolution, ruling.recommended_value, ruling.by) == ("agent1_correct", 4.6, "fair")
    assert len(prompts) == 2 and prompts[0] != prompts[1]

    def inventive(prompt: str) -> str:
        return ('{"resolution": "agent1_correct", "explanation": "x", "recommended_value": 77, '
                '"recommended_citation": null, "confidence": 0.8, "action": "use_agent1"}')

    assert asyncio.run(rebuttal.conduct_debate(one, inventive)).by == "rules"

    def broken(prompt: str) -> str:
        raise OSError("no network")

    fallen = asyncio.run(rebuttal.conduct_debate(one, broken))
    assert fallen.by == "rules" and "no network" in str(fallen.steps)


def test_conversations() -> None:
    assert rebuttal.rubric(TURNED) and rebuttal.rubric({"conversation": TURNED})
    assert rebuttal.rubric_batch([TURNED, TURNED[:2]]) == [True, False]
    why = rebuttal.explain_rubric(TURNED)
    assert why.contradiction == "yes" and why.reversal == ["yes", "no"]
    found = rebuttal.audit(TURNED)
    assert [one.rule for one in found.silent_flips] == ["self-contradiction/silent"]
    assert found.silent_flips[0].quotes[0]["text"] and found.to_arrow().column_names[0] == "rule"
    assert "<iframe sandbox" in found._repr_html_()
    came = rebuttal.compare("Caching is safe.", "Caching is not safe.")
    assert (came.relation, came.flip) == ("contradicts", "contradiction")
    strong, weak = rebuttal.evidence_quality_batch(
        ["The 2023 Gartner survey of 412 firms found that outages fell by 18 %.", "Everybody knows it is good."])
    assert strong.overall > 0.4 > weak.overall
    assert rebuttal.evidence_quality("").overall == 0


def test_tables_go_to_pandas_polars_and_duckdb(positions: list[dict[str, Any]]) -> None:
    import duckdb
    import pandas
    import polars
    import pyarrow

    table = table_ = detect_flips(positions).to_arrow()
    arrow = pyarrow.table(table)
    assert arrow.num_rows == len(table) == 1 and arrow.column("silent").to_pylist() == [True]
    assert polars.DataFrame(table)["flip_type"].to_list() == ["contradiction"]
    frame = pandas.DataFrame.from_arrow(table) if hasattr(pandas.DataFrame, "from_arrow") else arrow.to_pandas()
    assert frame["agent_name"].tolist() == ["claude"]
    assert duckdb.sql("select agent_name from table_").fetchall() == [("claude",)]
    # The stream can be had again, and outlives the table.
    stream = detect_flips(positions).to_arrow().__arrow_c_stream__()
    del table, table_, stream


@pytest.mark.parametrize(
    ("make", "error", "argument"),
    [
        (lambda: detect_flips("claude"), TypeError, "positions"),
        (lambda: detect_flips([7]), TypeError, r"positions\[0\]"),
        (lambda: detect_flips([{"agent": "a", "claim": object()}]), TypeError, r"positions\[0\]"),
        (lambda: detect_flips(CACHE, lookback_positions="many"), TypeError, "lookback_positions"),
        (lambda: detect_flips(CACHE, method="magic"), ValueError, "method"),
        (lambda: FlipDetector(km_adapter=object()), TypeError, "km_adapter"),
        (lambda: FlipDetector().detect_flips_for_agent(5), TypeError, "agent_name"),
        (lambda: FlipDetector().detect_flips_for_agent("a", 0), ValueError, "lookback_positions"),
        (lambda: FlipDetector().get_agents_consistency_batch("claude"), TypeError, "agent_names"),
        (lambda: FlipDetector().record_position("a", "b", "high"), TypeError, "confidence"),
        (lambda: rebuttal.format_flip_for_ui({}), TypeError, "flip"),
        (lambda: rebuttal.rubric(5), TypeError, "conversation"),
        (lambda: rebuttal.rubric([5]), TypeError, r"conversation\[0\]"),
        (lambda: rebuttal.rubric(""), rebuttal.TextError, "text"),
        (lambda: rebuttal.evidence_quality(b"x"), TypeError, "text"),
        (lambda: rebuttal.evidence_quality_batch("x"), TypeError, "texts"),
        (lambda: rebuttal.compare("", "x"), rebuttal.TextError, "first text is empty"),
        (lambda: rebuttal.compare(None, "x"), TypeError, "before"),
        (lambda: rebuttal.audit("a: b", min_severity="worst"), ValueError, "min_severity"),
        (lambda: rebuttal.TricksterConfig(min_quality_threshold="high"), TypeError, "min_quality_threshold"),
        (lambda: rebuttal.EvidencePoweredTrickster(rebuttal.TricksterConfig(min_quality_threshold=7)), ValueError, "config"),
        (lambda: rebuttal.EvidencePoweredTrickster({"x": 1}), TypeError, "config"),
        (lambda: rebuttal.EvidencePoweredTrickster().check_and_intervene(["a"], 0.9, 1), TypeError, "responses"),
        (lambda: rebuttal.EvidencePoweredTrickster().check_and_intervene({"a": 1}, 0.9, 1), TypeError, "responses"),
        (lambda: rebuttal.EvidencePoweredTrickster().check_and_intervene({"a": "b"}, 7, 1), ValueError, "convergence_similarity"),
        (lambda: rebuttal.EvidencePoweredTrickster().check_and_intervene({"a": "b"}, math.nan, 1), ValueError, "convergence_similarity"),
        (lambda: rebuttal.detect_contradictions("x"), TypeError, "reports"),
        (lambda: rebuttal.detect_contradictions([5]), TypeError, r"reports\[0\]"),
        (lambda: asyncio.run(rebuttal.conduct_debate("x")), TypeError, "contradiction"),
        (lambda: rebuttal.Proposal("a", "BUY", 7), ValueError, "conviction"),
        (lambda: rebuttal.Proposal("a", "BUY", evidence="x"), TypeError, "evidence"),
        (lambda: rebuttal.identify_conflicts("x"), TypeError, "proposals"),
        (lambda: rebuttal.identify_conflicts({"a": 7}), TypeError, "proposals"),
    ],
)
def test_bad_input_names_its_argument(make: Any, error: type[Exception], argument: str) -> None:
    with pytest.raises(error, match=argument):
        make()


def test_a_database_that_is_none(tmp_path: Path) -> None:
    path = tmp_path / "no.db"
    path.write_text("this is no database, but it is long enough to be taken for one " * 100)
    with pytest.raises(rebuttal.StoreError, match="no.db"):
        FlipDetector(path)
