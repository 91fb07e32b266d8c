//! `cargo xtask mutation-score`: how often the trickster is right, written to `docs/mutation-score.md`.

use anyhow::bail;

use crate::process::Step;
use crate::{files, say};

/// Where the page goes.
const PAGE: &str = "docs/mutation-score.md";

/// Runs the harness, which writes the page.
pub(crate) fn run(arguments: &[String]) -> anyhow::Result<()> {
    let seeds = seeds(arguments)?;
    let root = files::root();
    let cargo = ["run", "--quiet", "--locked", "--release", "-p", "rebuttal-engine"];
    let harness = ["--example", "mutation", "--", "--seeds", seeds, "--out", PAGE];
    let arguments: Vec<&str> = cargo.into_iter().chain(harness).collect();
    Step::cargo(&arguments).current_dir(&root).run()?;
    say::line(format_args!("wrote {PAGE}"));
    Ok(())
}

/// How many variations of each kind: as many as the page promises, or fewer to try something.
fn seeds(arguments: &[String]) -> anyhow::Result<&str> {
    match arguments {
        [] => Ok("50"),
        [option, seeds] if option == "--seeds" && seeds.parse::<u32>().is_ok() => Ok(seeds),
        _ => bail!("`cargo xtask mutation-score` takes `--seeds N`"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variations() {
        let owned =
            |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect::<Vec<String>>();
        assert_eq!(seeds(&[]).unwrap(), "50");
        assert_eq!(seeds(&owned(&["--seeds", "6"])).unwrap(), "6");
        assert!(seeds(&owned(&["--seeds", "many"])).is_err());
        assert!(seeds(&owned(&["--fast"])).is_err());
    }
}
