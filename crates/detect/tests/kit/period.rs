//! Times, and how they are written.

use super::entities::Kind;
use super::rng::Rng;

/// The time a figure is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Period {
    Year(u32),
    /// A company's own year.
    Fiscal(u32),
    /// Counted from 1.
    Quarter(u32, usize),
    /// Counted from 1.
    Month(u32, usize),
}

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
const NTH: [&str; 4] = ["first", "second", "third", "fourth"];

impl Period {
    /// A time that suits such a thing, or none.
    pub(crate) fn any(rng: &mut Rng, kind: Kind, yearly: bool) -> Option<Self> {
        let dice = rng.unit();
        let year = year(rng);
        let whole = match kind {
            Kind::Company if rng.chance(0.4) => Self::Fiscal(year),
            _ => Self::Year(year),
        };
        let fine = match kind {
            Kind::Service => 0.9,
            Kind::Country | Kind::Company => 0.35,
            Kind::Hospital => 0.2,
            Kind::Test | Kind::Drug => 0.0,
        };
        let none = match kind {
            Kind::Country | Kind::Company => 0.12,
            Kind::Service | Kind::Hospital => 0.4,
            Kind::Test | Kind::Drug => 0.75,
        };
        match () {
            () if dice < none => None,
            () if yearly || !rng.chance(fine) => Some(whole),
            () if rng.chance(0.6) => Some(Self::Quarter(year, 1 + rng.below(4))),
            () => Some(Self::Month(year, 1 + rng.below(12))),
        }
    }

    /// Another time of the same sort that does not overlap.
    pub(crate) fn other(self, rng: &mut Rng) -> Self {
        loop {
            let near = rng.chance(0.5);
            let year = year(rng);
            let other = match self {
                Self::Year(_) => Self::Year(year),
                Self::Fiscal(_) => Self::Fiscal(year),
                Self::Quarter(same, _) if near => Self::Quarter(same, 1 + rng.below(4)),
                Self::Quarter(_, part) => Self::Quarter(year, part),
                Self::Month(same, _) if near => Self::Month(same, 1 + rng.below(12)),
                Self::Month(_, part) => Self::Month(year, part),
            };
            if other != self {
                return other;
            }
        }
    }

    pub(crate) fn year(self) -> u32 {
        self.rank().0
    }

    /// What it is sorted by.
    pub(crate) fn rank(self) -> (u32, usize) {
        match self {
            Self::Year(year) | Self::Fiscal(year) => (year, 0),
            Self::Quarter(year, part) | Self::Month(year, part) => (year, part),
        }
    }

    /// As in brackets: `Q1-2024`.
    pub(crate) fn short(self, rng: &mut Rng) -> String {
        match self {
            Self::Year(year) => year.to_string(),
            Self::Fiscal(year) => format!("FY{year}"),
            Self::Quarter(year, part) => match rng.below(3) {
                0 => format!("Q{part}-{year}"),
                1 => format!("{year} Q{part}"),
                _ => format!("Q{part} {year}"),
            },
            Self::Month(year, part) => format!("{} {year}", MONTHS[part - 1]),
        }
    }

    /// As in a sentence: `the first quarter of 2024`.
    pub(crate) fn long(self, rng: &mut Rng) -> String {
        match self {
            Self::Fiscal(year) if rng.chance(0.5) => format!("fiscal {year}"),
            Self::Quarter(year, part) if rng.chance(0.5) => {
                format!("the {} quarter of {year}", NTH[part - 1])
            }
            Self::Quarter(year, part) => format!("Q{part} {year}"),
            _ => self.short(rng),
        }
    }
}

/// A year most reports are about.
pub(crate) fn year(rng: &mut Rng) -> u32 {
    2012 + u32::try_from(rng.below(13)).expect("small")
}
