//! Units, and the ways to write them.

use super::rng::Rng;

/// What a metric is measured in. Values are kept at scale 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    Percent,
    OfGdp,
    Dollars,
    /// Dollars a piece.
    Price,
    People,
    Count,
    Millis,
    Seconds,
    Months,
    Days,
    Years,
    PerSecond,
    Megabytes,
    Milligrams,
    Tonnes,
    PerKwh,
    Megawatts,
}

/// One way to write a quantity: `$` and ` billion` around the value divided by the scale.
#[derive(Debug)]
pub(crate) struct Style {
    pub(crate) scale: f64,
    pub(crate) before: &'static str,
    pub(crate) after: &'static str,
    /// Numbers that read well in this style.
    least: f64,
    most: f64,
}

const fn style(
    scale: f64,
    before: &'static str,
    after: &'static str,
    (least, most): (f64, f64),
) -> Style {
    Style { scale, before, after, least, most }
}

const ANY: (f64, f64) = (0.0, 1e15);
const WHOLE: (f64, f64) = (20.0, 1e15);
const LARGE: (f64, f64) = (0.2, 999_999.0);

const PERCENT: &[Style] = &[
    style(1.0, "", "%", ANY),
    style(1.0, "", "%", ANY),
    style(1.0, "", " percent", ANY),
    style(1.0, "", " per cent", ANY),
    style(1.0, "", " %", ANY),
];
const OF_GDP: &[Style] = &[
    style(1.0, "", "% of GDP", ANY),
    style(1.0, "", " percent of GDP", ANY),
    style(1.0, "", " per cent of GDP", ANY),
];
const DOLLARS: &[Style] = &[
    style(1.0, "$", "", WHOLE),
    style(1e9, "$", " billion", LARGE),
    style(1e9, "USD ", "bn", LARGE),
    style(1e9, "US$", "bn", LARGE),
    style(1e9, "", " billion dollars", LARGE),
    style(1e9, "$", "bn", LARGE),
    style(1e6, "$", " million", LARGE),
    style(1e6, "", " million dollars", LARGE),
    style(1e6, "$", "m", LARGE),
    style(1e6, "USD ", " million", LARGE),
    style(1e3, "$", "k", (1.0, 999.0)),
    style(1e3, "", " thousand dollars", (1.0, 999.0)),
];
const PRICE: &[Style] = &[
    style(1.0, "$", "", ANY),
    style(1.0, "", " dollars", ANY),
    style(1.0, "USD ", "", ANY),
    style(1.0, "US$", "", ANY),
];
const COUNT: &[Style] = &[
    style(1.0, "", "", WHOLE),
    style(1e6, "", " million", LARGE),
    style(1e6, "", "m", LARGE),
    style(1e3, "", "k", (1.0, 999.0)),
    style(1e3, "", " thousand", (1.0, 999.0)),
];
const PEOPLE: &[Style] = &[
    style(1.0, "", "", WHOLE),
    style(1.0, "", " people", WHOLE),
    style(1e6, "", " million", LARGE),
    style(1e6, "", " million people", LARGE),
    style(1e6, "", "m", LARGE),
    style(1e3, "", " thousand", (1.0, 999.0)),
    style(1e3, "", "k", (1.0, 999.0)),
];
const MILLIS: &[Style] = &[
    style(1.0, "", " ms", ANY),
    style(1.0, "", "ms", ANY),
    style(1.0, "", " milliseconds", ANY),
    style(1e3, "", " s", (0.1, 90.0)),
    style(1e3, "", " seconds", (0.1, 90.0)),
];
const SECONDS: &[Style] = &[
    style(1.0, "", " seconds", ANY),
    style(1.0, "", " s", ANY),
    style(60.0, "", " minutes", (1.2, 90.0)),
    style(60.0, "", " min", (1.2, 90.0)),
];
const MONTHS: &[Style] = &[style(1.0, "", " months", ANY), style(12.0, "", " years", (1.2, 30.0))];
const DAYS: &[Style] = &[style(1.0, "", " days", ANY), style(7.0, "", " weeks", (1.2, 9.0))];
const YEARS: &[Style] = &[style(1.0, "", " years", ANY)];
const PER_SECOND: &[Style] = &[
    style(1.0, "", " requests per second", ANY),
    style(1.0, "", " requests/s", ANY),
    style(1.0, "", " req/s", ANY),
    style(1.0, "", " rps", ANY),
    style(1e3, "", "k requests per second", (1.0, 900.0)),
    style(1e3, "", "k rps", (1.0, 900.0)),
    style(1.0 / 60.0, "", " requests per minute", ANY),
];
const MEGABYTES: &[Style] = &[
    style(1.0, "", " MB", ANY),
    style(1.0, "", " megabytes", ANY),
    style(1e3, "", " GB", (0.2, 90.0)),
    style(1e3, "", " gigabytes", (0.2, 90.0)),
];
const MILLIGRAMS: &[Style] = &[
    style(1.0, "", " mg", ANY),
    style(1.0, "", " milligrams", ANY),
    style(1e3, "", " g", (0.01, 9.0)),
    style(1e-3, "", " micrograms", (100.0, 90_000.0)),
];
const TONNES: &[Style] = &[
    style(1e6, "", " million tonnes", LARGE),
    style(1e6, "", " Mt", LARGE),
    style(1e6, "", " megatonnes", LARGE),
    style(1e9, "", " billion tonnes", LARGE),
    style(1.0, "", " tonnes", WHOLE),
];
const PER_KWH: &[Style] = &[
    style(1.0, "$", " per kWh", ANY),
    style(1.0, "$", "/kWh", ANY),
    style(0.01, "", " cents per kWh", ANY),
    style(1e-3, "$", " per MWh", ANY),
    style(1e-3, "$", "/MWh", ANY),
];
const MEGAWATTS: &[Style] = &[
    style(1.0, "", " MW", ANY),
    style(1.0, "", " megawatts", ANY),
    style(1e3, "", " GW", (0.2, 999.0)),
    style(1e3, "", " gigawatts", (0.2, 999.0)),
];

impl Unit {
    pub(crate) const ALL: [Self; 17] = [
        Self::Percent,
        Self::OfGdp,
        Self::Dollars,
        Self::Price,
        Self::People,
        Self::Count,
        Self::Millis,
        Self::Seconds,
        Self::Months,
        Self::Days,
        Self::Years,
        Self::PerSecond,
        Self::Megabytes,
        Self::Milligrams,
        Self::Tonnes,
        Self::PerKwh,
        Self::Megawatts,
    ];

    fn styles(self) -> &'static [Style] {
        match self {
            Self::Percent => PERCENT,
            Self::OfGdp => OF_GDP,
            Self::Dollars => DOLLARS,
            Self::Price => PRICE,
            Self::People => PEOPLE,
            Self::Count => COUNT,
            Self::Millis => MILLIS,
            Self::Seconds => SECONDS,
            Self::Months => MONTHS,
            Self::Days => DAYS,
            Self::Years => YEARS,
            Self::PerSecond => PER_SECOND,
            Self::Megabytes => MEGABYTES,
            Self::Milligrams => MILLIGRAMS,
            Self::Tonnes => TONNES,
            Self::PerKwh => PER_KWH,
            Self::Megawatts => MEGAWATTS,
        }
    }

    /// True when nobody writes decimals of it at scale 1.
    pub(crate) fn is_whole(self) -> bool {
        matches!(self, Self::People | Self::Count | Self::PerSecond | Self::Dollars)
    }

    /// True when it can be written at two scales.
    pub(crate) fn scales(self) -> bool {
        let first = self.styles()[0].scale;
        self.styles().iter().any(|style| style.scale.to_bits() != first.to_bits())
    }

    /// A style in which this value reads well.
    pub(crate) fn style(self, rng: &mut Rng, value: f64) -> &'static Style {
        let suits = |style: &&Style| {
            let number = value.abs() / style.scale;
            (style.least..=style.most).contains(&number)
        };
        let suiting: Vec<&'static Style> = self.styles().iter().filter(suits).collect();
        suiting[rng.below(suiting.len())]
    }

    /// A style for this value at another scale than that one, where there is one.
    pub(crate) fn rescaled(self, rng: &mut Rng, value: f64, than: &Style) -> &'static Style {
        let tries = (0..40).map(|_| self.style(rng, value)).collect::<Vec<_>>();
        let other = |style: &&&Style| style.scale.to_bits() != than.scale.to_bits();
        tries.iter().find(other).copied().unwrap_or(tries[0])
    }
}

/// The style of what has no unit.
pub(crate) fn plain() -> &'static Style {
    &PERCENT[0]
}
