//! The stylesheet and the scripts. The address of each holds a hash of what is in it, so a browser may
//! keep it for ever.

use std::sync::LazyLock;

use axum::extract::Path;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use rebuttal::report::STYLESHEET;

use crate::problem::{NOT_FOUND, Problem};

/// A file that pages need.
pub(super) struct Asset {
    name: &'static str,
    ending: &'static str,
    kind: &'static str,
    text: &'static str,
}

pub(super) const STYLE: Asset =
    Asset { name: "style", ending: "css", kind: "text/css; charset=utf-8", text: STYLESHEET };
pub(super) const LIVE: Asset = script("live", include_str!("../../assets/live.js"));
pub(super) const FORMS: Asset = script("forms", include_str!("../../assets/forms.js"));

const ALL: [Asset; 3] = [STYLE, LIVE, FORMS];

/// Digits of the hash in an address.
const DIGITS: usize = 12;

/// The file names, in the order of [`ALL`].
static NAMES: LazyLock<Vec<String>> = LazyLock::new(|| ALL.iter().map(Asset::hashed).collect());

const fn script(name: &'static str, text: &'static str) -> Asset {
    Asset { name, ending: "js", kind: "text/javascript; charset=utf-8", text }
}

impl Asset {
    fn hashed(&self) -> String {
        let hash = blake3::hash(self.text.as_bytes()).to_hex();
        let short: String = hash.chars().take(DIGITS).collect();
        format!("{}.{short}.{}", self.name, self.ending)
    }

    /// Where it is.
    pub(super) fn address(&self) -> String {
        let known = ALL.iter().position(|asset| asset.name == self.name);
        let name = known.and_then(|at| NAMES.get(at)).map_or("", String::as_str);
        format!("/assets/{name}")
    }
}

/// One of them, by its name with its hash.
pub(super) async fn file(Path(file): Path<String>) -> Result<Response, Problem> {
    let known = NAMES.iter().position(|name| *name == file).and_then(|at| ALL.get(at));
    let Some(asset) = known else {
        return Err(Problem::new(NOT_FOUND, "no such file; load the page again"));
    };
    let keep = "public, max-age=31536000, immutable";
    Ok(([(CONTENT_TYPE, asset.kind), (CACHE_CONTROL, keep)], asset.text).into_response())
}
