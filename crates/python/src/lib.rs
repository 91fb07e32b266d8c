//! The native half of the Python package `rebuttal`: conversion, and nothing decided here.
//!
//! Values cross as JSON text, in the shapes the library serialises: Python's own reader makes of it what
//! people know, and one mechanism serves all. Tables cross as Arrow. What works for long lets other Python
//! threads run meanwhile, and ends at Ctrl-C ([`threads`]). Everything with a type of its own for users is
//! made of this by the Python files beside it, in `python/rebuttal`.

#![expect(clippy::needless_pass_by_value, reason = "PyO3 hands arguments over by value")]

mod agent;
mod callback;
mod debate;
mod error;
mod evidence;
mod json;
mod ledger;
mod policy;
mod reports;
mod table;
mod texts;
mod threads;
mod trickster;

/// What `rebuttal` imports from here.
#[pyo3::pymodule]
mod _native {
    #[pymodule_export]
    use crate::agent::{Reply, Seat};
    #[pymodule_export]
    use crate::debate::{Debate, Finished};
    #[pymodule_export]
    use crate::error::{
        AgentError, ConfigError, DebateError, ModelError, RebuttalError, ReceiptError, StoreError,
        TextError,
    };
    #[pymodule_export]
    use crate::evidence::{assess_evidence, assess_evidence_batch};
    #[pymodule_export]
    use crate::ledger::Ledger;
    #[pymodule_export]
    use crate::policy::{
        converged, debate_metrics, evidence_exchange, identify_conflicts, moderate,
        position_changes, read_evaluation,
    };
    #[pymodule_export]
    use crate::reports::{
        apply_resolutions, arbitrate, build_consensus, cited, debate_prompt, detect_contradictions,
        read_reports, reconcile_html, settle,
    };
    #[pymodule_export]
    use crate::table::Table;
    #[pymodule_export]
    use crate::texts::{
        audit, audit_html, compare, detect_flips, flips_html, format_flip, rubric, rubric_batch,
        version,
    };
    #[pymodule_export]
    use crate::trickster::Trickster;
}
