//! The models' arithmetic: integer products of quantised rows, and the small float steps between.
//!
//! Everything is written so that the same numbers come out on every machine: integer sums are
//! exact, float steps keep one order of operations and never fuse a product with a sum. The
//! vector instructions of the machine make it faster, not different.
//!
//! What is public serves the decoder in `rebuttal-llm`: [`Kernels`] names the steps, and
//! [`blocks`] reads the number formats its files use.

mod attention;
pub mod blocks;
mod causal;
mod decode;
mod gemm;
mod math;

pub use causal::{BLOCK, Past};
pub use decode::LinearScratch;
pub use gemm::Packed;
pub use math::exp;

pub(crate) use attention::{Attention, AttentionScratch, Queries};
pub(crate) use gemm::{Activation, Gemm, Quantise, Quantised, Step, padded_channels, padded_rows};
pub(crate) use math::{AddNorm, dot, tanh};

use pulp::NullaryFnOnce;

/// The steps of a decoder, by the best instructions of this machine. Whoever calls them decides on
/// how many threads: they use those of the pool they are called in.
#[derive(Clone, Copy, Debug)]
pub struct Kernels(Level);

impl Kernels {
    /// The best this machine has.
    pub fn detect() -> Self {
        Self(Level::detect())
    }

    /// What every machine has. The numbers are the same.
    pub fn portable() -> Self {
        Self(Level::Portable)
    }
}

/// Which instructions the kernels may use.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Level {
    /// 256-bit integers and floats, found when the program started.
    #[cfg(target_arch = "x86_64")]
    Avx2(pulp::x86::V3),
    /// Whatever the compiler makes of plain loops.
    Portable,
}

impl Level {
    /// The best this machine has.
    pub(crate) fn detect() -> Self {
        #[cfg(target_arch = "x86_64")]
        if let Some(simd) = pulp::x86::V3::try_new() {
            return Self::Avx2(simd);
        }
        Self::Portable
    }

    /// Compiles `op` for this level and runs it. What `op` calls must be `inline(always)`, or it
    /// is compiled for the oldest machine.
    pub(crate) fn run<O: NullaryFnOnce>(self, op: O) -> O::Output {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(simd) => simd.vectorize(op),
            Self::Portable => op.call(),
        }
    }
}
