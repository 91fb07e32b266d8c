//! A model in memory, and how it gets there.

use std::collections::BTreeMap;
use std::io::Read;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Mutex;
use std::thread;

use rayon::{ThreadPool, ThreadPoolBuilder};

use super::error::LocalError;
use super::gguf::Gguf;
use super::past::Past;
use super::runner::Runner;
use super::tokenizer::Tokenizer;
use super::weights::Weights;
use crate::files;

/// Largest file read. One byte a weight: two gigabytes are as much as a laptop bears.
const FILE_BYTES: u64 = 2 << 30;

/// Most threads used. More wait for memory and for each other.
const THREADS_MAX: usize = 8;

/// A model in memory, which any number of agents may share.
///
/// A request gets one reply, to the last letter: on every machine, on any number of
/// threads, whatever else is asked at the same time.
#[derive(Debug)]
pub struct LocalModel {
    pub(crate) runner: Runner,
    pub(crate) tokenizer: Tokenizer,
    /// Prompts that were read lately.
    pub(crate) remembered: Mutex<Vec<Past>>,
    /// How likely options are where nothing was asked; by the words they follow.
    pub(crate) habits: Mutex<BTreeMap<String, Vec<f32>>>,
}

impl LocalModel {
    /// Loads a GGUF file: a Llama with a vocabulary of `SmolLM`'s kind, of the formats
    /// F32, F16, BF16, `Q4_0`, `Q4_1`, `Q5_0`, `Q5_1` and `Q8_0`.
    pub fn open(path: &Path) -> Result<Self, LocalError> {
        Self::open_on(path, thread::available_parallelism().map_or(1, NonZeroUsize::get))
    }

    /// Sets on how many threads it runs.
    pub fn open_on(path: &Path, threads: usize) -> Result<Self, LocalError> {
        let bytes = read(path)?;
        Self::from_bytes(&bytes, threads, || Ok(())).map_err(|wrong| wrong.unwrap_or_else(path))
    }

    /// Loads a file whose checksum is known.
    pub(crate) fn open_checked(path: &Path, checksum: &str) -> Result<Self, LocalError> {
        let threads = thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let bytes = read(path)?;
        let check = || {
            let found = blake3::hash(&bytes).to_hex();
            if found.as_str() == checksum {
                Ok(())
            } else {
                Err("its checksum is wrong".to_owned())
            }
        };
        Self::from_bytes(&bytes, threads, check).map_err(|wrong| wrong.unwrap_or_else(path))
    }

    /// A model from the bytes of its file, all of it checked.
    fn from_bytes(
        bytes: &[u8],
        threads: usize,
        check: impl FnOnce() -> Result<(), String> + Send,
    ) -> Result<Self, Wrong> {
        let pool = pool(threads).map_err(Wrong::Known)?;
        let gguf = Gguf::read(bytes).map_err(Wrong::File)?;
        let (checked, read) = pool.install(|| {
            rayon::join(check, || {
                let tokenizer = Tokenizer::read(&gguf)?;
                let weights = Weights::read(&gguf, tokenizer.len())?;
                Ok((tokenizer, weights))
            })
        });
        checked.map_err(Wrong::File)?;
        let (tokenizer, weights) = read.map_err(Wrong::File)?;
        let (remembered, habits) = (Mutex::default(), Mutex::default());
        Ok(Self { runner: Runner::new(weights, pool), tokenizer, remembered, habits })
    }

    /// Bytes the weights take.
    pub fn bytes(&self) -> usize {
        self.runner.weights.bytes()
    }

    /// Most tokens of a conversation, the reply included.
    pub fn context(&self) -> usize {
        self.runner.weights.config.context
    }

    /// How many tokens a text has.
    pub fn count(&self, text: &str) -> usize {
        self.tokenizer.encode(text).len()
    }

    /// Forgets the prompts it remembers; what it says does not change.
    pub fn forget(&self) {
        super::runner::lock(&self.remembered).clear();
    }
}

/// What is wrong: with the file, or with something else.
enum Wrong {
    File(String),
    Known(LocalError),
}

impl Wrong {
    fn unwrap_or_else(self, path: &Path) -> LocalError {
        match self {
            Self::File(reason) => LocalError::Unusable { path: path.to_owned(), reason },
            Self::Known(error) => error,
        }
    }
}

/// Threads of the model's own: it must not hold up what else runs here.
fn pool(threads: usize) -> Result<ThreadPool, LocalError> {
    let threads = threads.clamp(1, THREADS_MAX);
    let name = |at| format!("rebuttal-local-{at}");
    let built = ThreadPoolBuilder::new().num_threads(threads).thread_name(name).build();
    built.map_err(|error| LocalError::Threads(error.to_string()))
}

/// Reads a file, up to the limit.
fn read(path: &Path) -> Result<Vec<u8>, LocalError> {
    let unusable = |reason: String| LocalError::Unusable { path: path.to_owned(), reason };
    let file = files::open(path).map_err(|error| unusable(error.to_string()))?;
    let length = file.metadata().map_err(|error| unusable(error.to_string()))?.len();
    if length > FILE_BYTES {
        return Err(unusable(format!("it is larger than {FILE_BYTES} bytes")));
    }
    let mut bytes = Vec::with_capacity(usize::try_from(length).unwrap_or_default());
    file.take(FILE_BYTES).read_to_end(&mut bytes).map_err(|error| unusable(error.to_string()))?;
    Ok(bytes)
}
