//! How well texts are supported.

use pyo3::prelude::*;
use rebuttal::detect::evidence::Reader;
use rebuttal::model::QualityWeights;
use rebuttal::read::read;
use serde_json::json;

use crate::error::raised;
use crate::json::write;
use crate::threads::compute;

/// The four shares of one text and what was counted, as `rebuttal read` gives them.
#[pyfunction]
pub(crate) fn assess_evidence(py: Python<'_>, text: &str) -> PyResult<String> {
    if text.trim().is_empty() {
        let nothing = json!({"citation_density": 0.0, "specificity_score": 0.0, "logical_chain_score": 0.0,
            "evidence_diversity": 0.0, "overall": 0.0, "items": []});
        return write(&nothing);
    }
    py.detach(|| {
        let facts = read(text, None).map_err(raised)?;
        write(&facts.evidence)
    })
}

/// The four shares of a text, and their mean.
type Shares = (f64, f64, f64, f64, f64);

/// For each text its four shares and their mean.
#[pyfunction]
pub(crate) fn assess_evidence_batch(py: Python<'_>, texts: Vec<String>) -> PyResult<Vec<Shares>> {
    compute(py, move || {
        let (mut reader, weights) = (Reader::new(), QualityWeights::default());
        let one = |text: &String| {
            let quality = reader.quality(text, &weights);
            (
                quality.citation_density,
                quality.specificity_score,
                quality.logical_chain_score,
                quality.evidence_diversity,
                quality.overall,
            )
        };
        texts.iter().map(one).collect()
    })
}
