//! Time and processor time, noted as a ledger grows.

use std::io::Read;
use std::time::{Duration, Instant};

/// Ticks of `/proc/self/stat` in a second, on every Linux of today.
const TICKS: f64 = 100.0;

/// What a stretch of positions cost.
#[derive(Clone, Copy)]
pub(crate) struct Point {
    /// Positions in the ledger after it.
    pub(crate) size: u64,
    positions: u64,
    clock: Duration,
    processor: f64,
}

/// What positions cost, as the ledger grows.
#[derive(Default)]
pub(crate) struct Curve {
    points: Vec<Point>,
    /// How large the ledger is, whoever made it grow.
    size: u64,
}

impl Curve {
    /// How large the ledger is.
    pub(crate) fn size(&self) -> u64 {
        self.size
    }

    /// The ledger has grown without being measured.
    pub(crate) fn go_to(&mut self, size: u64) {
        self.size = size;
    }

    /// One that has measured nothing of a ledger this large.
    pub(crate) fn at_same_size(&self) -> Self {
        Self { points: Vec::new(), size: self.size }
    }

    /// Adds what another measured, as one point.
    pub(crate) fn add(&mut self, other: &Self) {
        let none = Point { size: other.size, positions: 0, clock: Duration::ZERO, processor: 0.0 };
        let whole = other.points.iter().fold(none, |sum, point| Point {
            size: point.size,
            positions: sum.positions + point.positions,
            clock: sum.clock + point.clock,
            processor: sum.processor + point.processor,
        });
        self.points.push(whole);
        self.size = whole.size;
    }

    /// Each size, with what a position cost on the way to it.
    pub(crate) fn each(&self) -> impl Iterator<Item = (u64, f64)> {
        self.points.iter().map(|point| (point.size, point.processor * 1e6 / real(point.positions)))
    }

    /// What a position costs nearest to this size.
    pub(crate) fn cost_near(&self, size: u64) -> f64 {
        let known = self.cost_at(size);
        let near = self.points.iter().min_by_key(|point| point.size.abs_diff(size));
        let near = near.map_or(f64::NAN, |point| point.processor * 1e6 / real(point.positions));
        if known.is_finite() { known } else { near }
    }

    /// Positions a second, from nothing to `size`: by the clock, and of one processor's time.
    pub(crate) fn speed_to(&self, size: u64) -> Speed {
        let (mut positions, mut clock, mut processor) = (0, 0.0, 0.0);
        for point in self.points.iter().filter(|point| point.size <= size) {
            positions += point.positions;
            clock += point.clock.as_secs_f64();
            processor += point.processor;
        }
        let per = |seconds: f64| real(positions) / seconds.max(1e-9);
        Speed { clock: per(clock), processor: per(processor) }
    }

    /// Microseconds of processor for one position while the ledger grows to `size`, over the last
    /// fifth of the way: single stretches are too short to tell.
    pub(crate) fn cost_at(&self, size: u64) -> f64 {
        let near =
            self.points.iter().filter(|point| point.size <= size && point.size > size / 5 * 4);
        let (positions, seconds) = near.fold((0, 0.0), |(positions, seconds), point| {
            (positions + point.positions, seconds + point.processor)
        });
        if positions == 0 { f64::NAN } else { seconds * 1e6 / real(positions) }
    }

    /// Sizes to draw, each half as large again as the one before, with what a position costs there.
    pub(crate) fn drawn(&self) -> Vec<(f64, f64)> {
        // Few points are drawn as they are.
        if self.points.len() < FEW {
            return self.each().map(|(size, cost)| (real(size), cost)).collect();
        }
        let last = self.points.last().map_or(0, |point| point.size);
        let mut size = 10_000;
        let mut drawn = Vec::new();
        while size <= last {
            let cost = self.cost_at(size);
            if cost.is_finite() {
                drawn.push((real(size), cost));
            }
            size = if size == last { last + 1 } else { (size * 3 / 2).min(last) };
        }
        drawn
    }
}

/// So few points need no smoothing.
const FEW: usize = 8;

/// Positions a second.
#[derive(Clone, Copy)]
pub(crate) struct Speed {
    /// By the clock, on all processors and beside whatever else runs.
    pub(crate) clock: f64,
    /// Of the time of one processor, whatever else runs.
    pub(crate) processor: f64,
}

/// A watch and a meter of the processor.
pub(crate) struct Meter {
    clock: Instant,
    processor: f64,
    size: u64,
}

impl Meter {
    pub(crate) fn start() -> Self {
        Self::start_at(0)
    }

    /// Of a ledger that is this large already.
    pub(crate) fn start_at(size: u64) -> Self {
        Self { clock: Instant::now(), processor: processor(), size }
    }

    /// Forgets what was done since the last note.
    pub(crate) fn restart(&mut self) {
        (self.clock, self.processor) = (Instant::now(), processor());
    }

    /// Notes what was done since the last note, which made the ledger grow to `size`.
    pub(crate) fn note(&mut self, size: u64, curve: &mut Curve) {
        let (clock, processor) = (self.clock.elapsed(), processor() - self.processor);
        let positions = size - self.size;
        curve.points.push(Point { size, positions, clock, processor });
        curve.size = size;
        self.size = size;
        self.restart();
    }
}

/// Processor time of all threads so far, in seconds; the clock where the system does not tell.
fn processor() -> f64 {
    static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    let mut text = String::new();
    let read =
        std::fs::File::open("/proc/self/stat").and_then(|mut file| file.read_to_string(&mut text));
    let fields = text.rsplit_once(')').map(|(_, fields)| fields.split_whitespace());
    let ticks =
        |at: usize| fields.clone().and_then(|mut fields| fields.nth(at)?.parse::<f64>().ok());
    if let (Ok(_), Some(user), Some(system)) = (read, ticks(11), ticks(12)) {
        return (user + system) / TICKS;
    }
    START.get_or_init(Instant::now).elapsed().as_secs_f64()
}

#[expect(clippy::cast_precision_loss, reason = "counts stay far below 2^52")]
fn real(count: u64) -> f64 {
    count as f64
}
