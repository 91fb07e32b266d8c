//! Bars and lines made of characters: blocks on a terminal, plain letters elsewhere.

use crate::output::{Output, Target};
use crate::terminal::Paint;

/// Columns of a bar.
const BAR: u32 = 20;

const BLOCKS: [&str; 8] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];
const LETTERS: [&str; 8] = ["_", ".", ",", "-", "~", "=", "*", "#"];

/// What a drawing may be made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Strokes {
    /// Block characters, which every terminal font of today has.
    Blocks,
    /// ASCII, for files, pipes and terminals that say they can do nothing.
    Letters,
}

impl Strokes {
    /// The style for where results go.
    pub(super) fn of(out: &Output) -> Self {
        let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        let is_terminal = out.target() == Target::Terminal && !is_dumb;
        if is_terminal || out.paint() == Paint::Colour { Self::Blocks } else { Self::Letters }
    }

    /// A share from 0 to 1 as a bar. Something that is not nothing shows, and what is not whole
    /// does not look whole.
    pub(super) fn bar(self, share: f64) -> String {
        let full = (0..BAR).filter(|at| (f64::from(*at) + 0.5) / f64::from(BAR) < share).count();
        let most = usize::try_from(BAR).unwrap_or_default();
        let full = match full {
            0 if share > 0.0 => 1,
            full if full == most && share < 1.0 => most - 1,
            full => full,
        };
        let (one, none) = match self {
            Self::Blocks => ("█", "░"),
            Self::Letters => ("#", "."),
        };
        one.repeat(full) + &none.repeat(most - full)
    }

    /// Values from 0 to 1 as a line of as many characters; what is not known is a blank.
    pub(super) fn sparkline(self, values: impl IntoIterator<Item = Option<f64>>) -> String {
        let steps = match self {
            Self::Blocks => BLOCKS,
            Self::Letters => LETTERS,
        };
        let step = |value: f64| {
            let bounds = [0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875];
            let level = bounds.iter().filter(|bound| value >= **bound).count();
            steps.get(level).copied().unwrap_or(" ")
        };
        values.into_iter().map(|value| value.map_or(" ", step)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_do_not_flatter() {
        let bar = |share| Strokes::Letters.bar(share);
        assert_eq!(bar(0.0), ".".repeat(20));
        assert_eq!(bar(1.0), "#".repeat(20));
        assert_eq!(bar(0.999), "#".repeat(19) + ".");
        assert_eq!(bar(0.001), "#".to_owned() + &".".repeat(19));
        assert_eq!(Strokes::Blocks.bar(0.5), "█".repeat(10) + &"░".repeat(10));
    }

    #[test]
    fn lines_show_what_is_not_known() {
        let values = [Some(0.0), None, Some(0.5), Some(1.0)];
        assert_eq!(Strokes::Blocks.sparkline(values), "▁ ▅█");
        assert_eq!(Strokes::Letters.sparkline(values), "_ ~#");
    }
}
