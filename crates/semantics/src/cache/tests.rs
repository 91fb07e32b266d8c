//! Nothing is run twice, nothing wrong is ever answered, and limits hold.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::*;

/// Answers with a vector made from the text, and counts how many texts it was given.
#[derive(Debug, Default)]
struct Counting {
    id: String,
    runs: AtomicUsize,
}

impl Counting {
    fn named(id: &str) -> Self {
        Self { id: id.to_owned(), ..Self::default() }
    }
}

fn vector(id: &str, text: &str) -> Embedding {
    let hash = blake3::hash(format!("{id} {text}").as_bytes());
    Embedding::new(hash.as_bytes().iter().map(|byte| f32::from(*byte) - 127.0).collect())
}

impl Embedder for Counting {
    fn id(&self) -> &str {
        &self.id
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Embedding>, SemanticsError> {
        self.runs.fetch_add(texts.len(), Ordering::Relaxed);
        Ok(texts.iter().map(|text| vector(&self.id, text)).collect())
    }
}

impl Inference for Counting {
    fn id(&self) -> &str {
        &self.id
    }

    fn infer(&self, pairs: &[Pair<'_>]) -> Result<Vec<Verdict>, SemanticsError> {
        self.runs.fetch_add(pairs.len(), Ordering::Relaxed);
        let share = |pair: &Pair<'_>| 1.0 / f32::from(u8::try_from(pair.premise.len()).unwrap());
        Ok(pairs
            .iter()
            .map(|pair| Verdict {
                entailment: share(pair),
                neutral: 0.0,
                contradiction: 1.0 - share(pair),
            })
            .collect())
    }
}

fn runs(cached: &Cached<Counting>) -> usize {
    cached.model().runs.load(Ordering::Relaxed)
}

fn on_disk(folder: &Path, limit: u64) -> Cached<Counting> {
    Cached::new(Counting::named("m"), 1 << 20).with_store(Store::open(folder, limit).unwrap())
}

fn segments(folder: &Path) -> Vec<std::path::PathBuf> {
    let mut found: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    found.sort();
    found
}

fn texts(range: std::ops::Range<usize>) -> Vec<String> {
    range.map(|n| format!("text {n}")).collect()
}

fn embed(cached: &Cached<Counting>, texts: &[String]) -> Vec<Embedding> {
    cached.embed(&texts.iter().map(String::as_str).collect::<Vec<_>>()).unwrap()
}

#[test]
fn one_text_costs_one_run() {
    let cached = Cached::new(Counting::named("m"), 1 << 20);
    let found = cached.embed(&["a", "b", "a", "a"]).unwrap();
    assert_eq!(runs(&cached), 2);
    assert_eq!(found, ["a", "b", "a", "a"].map(|text| vector("m", text)));
    assert_eq!(cached.embed(&["b", "c"]).unwrap(), ["b", "c"].map(|text| vector("m", text)));
    assert_eq!(runs(&cached), 3);
}

#[test]
fn a_pair_is_not_its_reverse_nor_its_words_run_together() {
    let cached = Cached::new(Counting::named("m"), 1 << 20);
    let pair = Pair { premise: "ab", hypothesis: "c" };
    let other = Pair { premise: "a", hypothesis: "bc" };
    let found = cached.infer(&[pair, pair.reversed(), other, pair]).unwrap();
    assert_eq!(runs(&cached), 3);
    assert_eq!(found[0], found[3]);
    assert_eq!(cached.infer(&[pair]).unwrap()[0], found[0]);
    assert_eq!(runs(&cached), 3);
}

#[test]
fn threads_share_it() {
    let cached = Cached::new(Counting::named("m"), 10_000);
    std::thread::scope(|scope| {
        for start in 0..4 {
            let cached = &cached;
            scope.spawn(move || {
                for n in 0..50 {
                    let texts = texts(start * 10 + n..start * 10 + n + 20);
                    let expected: Vec<_> = texts.iter().map(|text| vector("m", text)).collect();
                    assert_eq!(embed(cached, &texts), expected);
                }
            });
        }
    });
}

#[test]
fn the_next_run_finds_it_on_disk_to_the_bit() {
    let folder = tempfile::tempdir().unwrap();
    let first = on_disk(folder.path(), 1 << 20);
    let before = embed(&first, &texts(0..50));
    drop(first);
    let second = on_disk(folder.path(), 1 << 20);
    assert_eq!(embed(&second, &texts(0..50)), before);
    assert_eq!(runs(&second), 0);
    embed(&second, &texts(50..60));
    drop(second);
    assert_eq!(segments(folder.path()).len(), 1, "a run goes on where the last one ended");
    let other = Cached::new(Counting::named("other"), 1 << 20)
        .with_store(Store::open(folder.path(), 1 << 20).unwrap());
    assert_eq!(embed(&other, &texts(0..1))[0], vector("other", "text 0"));
}

#[test]
fn two_at_once_write_two_files() {
    let folder = tempfile::tempdir().unwrap();
    let (one, two) = (on_disk(folder.path(), 1 << 20), on_disk(folder.path(), 1 << 20));
    for n in 0..40 {
        embed(&one, &texts(n..n + 1));
        embed(&two, &texts(100 + n..101 + n));
    }
    drop((one, two));
    assert_eq!(segments(folder.path()).len(), 2);
    let third = on_disk(folder.path(), 1 << 20);
    embed(&third, &texts(0..40));
    embed(&third, &texts(100..140));
    assert_eq!(runs(&third), 0);
}

#[test]
fn the_limit_drops_the_oldest() {
    let folder = tempfile::tempdir().unwrap();
    let cached = on_disk(folder.path(), 1 << 17);
    for n in 0..100 {
        embed(&cached, &texts(n * 20..n * 20 + 20));
        let size: u64 =
            segments(folder.path()).iter().map(|path| fs::metadata(path).unwrap().len()).sum();
        assert!(size <= (1 << 17) + 200, "{size}");
    }
    drop(cached);
    let again = on_disk(folder.path(), 1 << 17);
    embed(&again, &texts(1990..2000));
    assert_eq!(runs(&again), 0);
    embed(&again, &texts(0..10));
    assert_eq!(runs(&again), 10);
}

#[test]
fn damage_is_a_miss_and_never_a_wrong_answer() {
    let folder = tempfile::tempdir().unwrap();
    embed(&on_disk(folder.path(), 1 << 20), &texts(0..5));
    let path = segments(folder.path()).remove(0);
    let good = bytes_of(&path);
    let expected: Vec<_> = texts(0..5).iter().map(|text| vector("m", text)).collect();
    for at in (0..good.len()).step_by(7) {
        let mut bad = good.clone();
        bad[at] ^= 0x41;
        fs::write(&path, bad).unwrap();
        assert_eq!(embed(&on_disk(folder.path(), 1 << 20), &texts(0..5)), expected, "byte {at}");
        for path in segments(folder.path()) {
            fs::remove_file(path).unwrap();
        }
    }
    for len in (0..good.len()).step_by(5) {
        fs::write(&path, &good[..len]).unwrap();
        assert_eq!(embed(&on_disk(folder.path(), 1 << 20), &texts(0..5)), expected, "cut {len}");
        let healed = on_disk(folder.path(), 1 << 20);
        assert_eq!(embed(&healed, &texts(0..5)), expected);
        assert_eq!(runs(&healed), 0, "cut {len}");
        drop(healed);
        for path in segments(folder.path()) {
            fs::remove_file(path).unwrap();
        }
    }
}

fn bytes_of(path: &Path) -> Vec<u8> {
    let mut bytes = Vec::new();
    std::io::Read::read_to_end(&mut fs::File::open(path).unwrap(), &mut bytes).unwrap();
    bytes
}

#[test]
fn other_files_are_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["notes.txt", "00000001.rbc.bak", "x.rbc", "1.rbc"] {
        fs::write(folder.path().join(name), vec![7; 1 << 18]).unwrap();
    }
    let cached = on_disk(folder.path(), 1 << 17);
    embed(&cached, &texts(0..2000));
    assert_eq!(cached.problem(), None);
    for name in ["notes.txt", "00000001.rbc.bak", "x.rbc", "1.rbc"] {
        assert_eq!(fs::metadata(folder.path().join(name)).unwrap().len(), 1 << 18, "{name}");
    }
}

#[test]
fn a_folder_that_cannot_be_made_is_named() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let error = Store::open(file.path(), 1 << 20).unwrap_err().to_string();
    assert!(error.contains(&file.path().display().to_string()), "{error}");
}
