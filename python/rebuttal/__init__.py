"""Runs debates between AI agents, and audits the ones you already have.

Debates: :class:`Arena`, :class:`Environment`, :class:`DebateProtocol`, :class:`Agent`.
Flips: :class:`FlipDetector`, :func:`detect_flips`. Hollow agreement: :class:`EvidencePoweredTrickster`.
Reports: :func:`reconcile`, :func:`detect_contradictions`, :func:`conduct_debate`, :func:`build_consensus`.
Conversations: :func:`rubric`, :func:`audit`, :func:`compare`, :func:`evidence_quality`.
Targeted debates: :class:`TargetedDebate`, :func:`identify_conflicts`, :class:`ModeratorAgent`.

``rebuttal.langgraph``, ``rebuttal.autogen``, ``rebuttal.openai_agents``, ``rebuttal.notebook`` and
``rebuttal.pytest_plugin`` are for those who work there. Everything is computed by the Rust program.
"""

from ._native import (
    AgentError,
    ConfigError,
    DebateError,
    ModelError,
    RebuttalError,
    ReceiptError,
    StoreError,
    Table,
    TextError,
)
from ._native import version as _version
from .agents import Agent, Ask, Vote
from .arena import Arena, Debate, DebateProtocol, DebateResult, Environment, Event, resume
from .conversation import (
    Audit,
    Comparison,
    EvidenceQuality,
    Finding,
    RubricResult,
    audit,
    compare,
    evidence_quality,
    evidence_quality_batch,
    explain_rubric,
    rubric,
    rubric_batch,
)
from .flips import AgentConsistencyScore, FlipDetector, FlipEvent, Flips, detect_flips, format_flip_for_ui
from .reports import (
    AgentReport,
    ConsensusResult,
    Contradiction,
    Contradictions,
    DebateResolution,
    Reconciliation,
    apply_debate_resolutions,
    build_consensus,
    conduct_debate,
    detect_contradictions,
    read_reports,
    reconcile,
)
from .targeted import (
    DebateTranscript,
    Decision,
    ModeratorAgent,
    ModeratorEvaluation,
    Proposal,
    TargetedDebate,
    compute_debate_metrics,
    evidence_exchange,
    identify_conflicts,
    is_converged,
    requires_debate,
    track_position_changes,
)
from .trickster import (
    EvidencePoweredTrickster,
    HollowConsensusAlert,
    InterventionType,
    RoleAssignment,
    TricksterConfig,
    TricksterIntervention,
)

__version__ = _version()

__all__ = [
    "Agent",
    "AgentConsistencyScore",
    "AgentError",
    "AgentReport",
    "Arena",
    "Ask",
    "Audit",
    "Comparison",
    "ConfigError",
    "ConsensusResult",
    "Contradiction",
    "Contradictions",
    "Debate",
    "DebateError",
    "DebateProtocol",
    "DebateResolution",
    "DebateResult",
    "DebateTranscript",
    "Decision",
    "Environment",
    "Event",
    "EvidencePoweredTrickster",
    "EvidenceQuality",
    "Finding",
    "FlipDetector",
    "FlipEvent",
    "Flips",
    "HollowConsensusAlert",
    "InterventionType",
    "ModelError",
    "ModeratorAgent",
    "ModeratorEvaluation",
    "Proposal",
    "RebuttalError",
    "ReceiptError",
    "Reconciliation",
    "RoleAssignment",
    "RubricResult",
    "StoreError",
    "Table",
    "TargetedDebate",
    "TextError",
    "TricksterConfig",
    "TricksterIntervention",
    "Vote",
    "apply_debate_resolutions",
    "audit",
    "build_consensus",
    "compare",
    "compute_debate_metrics",
    "conduct_debate",
    "detect_contradictions",
    "detect_flips",
    "evidence_exchange",
    "evidence_quality",
    "evidence_quality_batch",
    "explain_rubric",
    "format_flip_for_ui",
    "identify_conflicts",
    "is_converged",
    "read_reports",
    "reconcile",
    "requires_debate",
    "resume",
    "rubric",
    "rubric_batch",
    "track_position_changes",
]
