//! Reading a GGUF file: what it says about itself, and where its tensors lie.
//!
//! The file may come from anywhere, so every count is checked against a limit and every length
//! against what is left of the file before anything is taken from it. Nothing here panics, and
//! nothing is allocated that the file's own size does not pay for.

use std::collections::BTreeMap;

use rebuttal_semantics::kernel::blocks::Format;

/// Most facts and tensors believed. Large models have some hundred of the first and a few thousand
/// of the second.
const ENTRIES_MAX: u64 = 16_384;
/// Most sizes of a tensor. The format knows four.
const DIMENSIONS_MAX: u32 = 4;
/// The largest single size believed, which keeps every product far from overflow.
const SIZE_MAX: u64 = 1 << 24;

/// What is wrong with a file, for a message.
pub(crate) type Wrong = String;

/// A fact of the file. Numbers of every width are one kind each.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Fact<'f> {
    Whole(i128),
    Real(f64),
    Flag(bool),
    Text(&'f str),
    Texts(Vec<&'f str>),
    Wholes(Vec<i128>),
    /// Lists nobody asks for.
    Others,
}

/// Where a tensor lies and how it is written.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Tensor<'f> {
    /// The longest run first: inputs, then outputs.
    pub(crate) sizes: Vec<usize>,
    pub(crate) format: Format,
    pub(crate) bytes: &'f [u8],
}

/// A file, read as far as where everything is.
#[derive(Debug, Default)]
pub(crate) struct Gguf<'f> {
    facts: BTreeMap<&'f str, Fact<'f>>,
    tensors: BTreeMap<&'f str, Tensor<'f>>,
}

impl<'f> Gguf<'f> {
    /// Reads the head of a file: its facts, and where its tensors lie. No tensor is copied.
    pub(crate) fn read(file: &'f [u8]) -> Result<Self, Wrong> {
        let mut rest = Rest { bytes: file };
        if rest.take(4)? != b"GGUF" {
            return Err("it does not begin as a GGUF file does".to_owned());
        }
        let version = rest.u32()?;
        if !(2..=3).contains(&version) {
            return Err(format!("it is GGUF version {version}; known are 2 and 3"));
        }
        let tensors = rest.count(ENTRIES_MAX, "tensors")?;
        let facts = rest.count(ENTRIES_MAX, "facts")?;
        let mut gguf = Self::default();
        for _ in 0..facts {
            let name = rest.text()?;
            let kind = rest.u32()?;
            gguf.facts.insert(name, rest.fact(kind)?);
        }
        let places = (0..tensors).map(|_| rest.place()).collect::<Result<Vec<_>, _>>()?;
        let begin = (file.len() - rest.bytes.len()).next_multiple_of(gguf.alignment()?);
        let data = file.get(begin..).unwrap_or_default();
        for place in places {
            let tensor = place.tensor(data)?;
            gguf.tensors.insert(place.name, tensor);
        }
        Ok(gguf)
    }

    /// To which multiple of bytes tensors are aligned.
    fn alignment(&self) -> Result<usize, Wrong> {
        let Ok(alignment) = self.whole("general.alignment") else { return Ok(32) };
        let within = alignment.is_power_of_two() && alignment <= 1 << 16;
        if within { Ok(alignment) } else { Err(format!("it is aligned to {alignment}")) }
    }

    /// A count or size; at most [`SIZE_MAX`].
    pub(crate) fn whole(&self, name: &str) -> Result<usize, Wrong> {
        match self.facts.get(name) {
            Some(Fact::Whole(number)) if (0..=i128::from(SIZE_MAX)).contains(number) => {
                usize::try_from(*number).map_err(|_| format!("its {name} is {number}"))
            }
            Some(other) => Err(format!("its {name} is {}", shown(other))),
            None => Err(format!("it does not say its {name}")),
        }
    }

    /// A fact that is a number.
    pub(crate) fn real(&self, name: &str) -> Result<f64, Wrong> {
        match self.facts.get(name) {
            Some(Fact::Real(number)) if number.is_finite() => Ok(*number),
            Some(other) => Err(format!("its {name} is {}", shown(other))),
            None => Err(format!("it does not say its {name}")),
        }
    }

    /// A fact that is a text.
    pub(crate) fn text(&self, name: &str) -> Result<&'f str, Wrong> {
        match self.facts.get(name) {
            Some(Fact::Text(text)) => Ok(text),
            Some(other) => Err(format!("its {name} is {}", shown(other))),
            None => Err(format!("it does not say its {name}")),
        }
    }

    /// A fact that is a list of texts.
    pub(crate) fn texts(&self, name: &str) -> Result<&[&'f str], Wrong> {
        match self.facts.get(name) {
            Some(Fact::Texts(texts)) => Ok(texts),
            _ => Err(format!("it has no list of {name}")),
        }
    }

    /// A fact that is a list of whole numbers, if there is one.
    pub(crate) fn wholes(&self, name: &str) -> Option<&[i128]> {
        match self.facts.get(name) {
            Some(Fact::Wholes(wholes)) => Some(wholes),
            _ => None,
        }
    }

    /// Whether there is such a tensor.
    pub(crate) fn has(&self, tensor: &str) -> bool {
        self.tensors.contains_key(tensor)
    }

    /// The tensor of this name, which must have these sizes.
    pub(crate) fn tensor(&self, name: &str, sizes: &[usize]) -> Result<&Tensor<'f>, Wrong> {
        let tensor = self.tensors.get(name).ok_or_else(|| format!("it has no tensor {name}"))?;
        if tensor.sizes != sizes {
            return Err(format!("its {name} is {:?}, not {sizes:?}", tensor.sizes));
        }
        Ok(tensor)
    }
}

/// A fact as an error shows it, cut short.
fn shown(fact: &Fact<'_>) -> String {
    match fact {
        Fact::Whole(number) => number.to_string(),
        Fact::Real(number) => number.to_string(),
        Fact::Flag(flag) => flag.to_string(),
        Fact::Text(text) => format!("{:?}", text.chars().take(40).collect::<String>()),
        Fact::Texts(_) | Fact::Wholes(_) | Fact::Others => "a list".to_owned(),
    }
}

/// What has not been read yet.
struct Rest<'f> {
    bytes: &'f [u8],
}

/// A tensor's entry in the table.
struct Place<'f> {
    name: &'f str,
    sizes: Vec<usize>,
    format: Format,
    offset: u64,
}

impl<'f> Place<'f> {
    /// The bytes of a tensor, if the file has all of them.
    fn tensor(&self, data: &'f [u8]) -> Result<Tensor<'f>, Wrong> {
        let Self { name, sizes, format, offset } = self;
        let count = sizes.iter().try_fold(1_usize, |count, size| count.checked_mul(*size));
        let bytes = count.and_then(|count| {
            let whole = sizes.first().is_some_and(|first| first.is_multiple_of(format.block()));
            let length = whole.then_some(count / format.block())?.checked_mul(format.bytes())?;
            let begin = usize::try_from(*offset).ok()?;
            data.get(begin..begin.checked_add(length)?)
        });
        let bytes = bytes.ok_or_else(|| format!("its {name} reaches beyond its end"))?;
        Ok(Tensor { sizes: sizes.clone(), format: *format, bytes })
    }
}

impl<'f> Rest<'f> {
    /// The next so many bytes.
    fn take(&mut self, length: usize) -> Result<&'f [u8], Wrong> {
        let (taken, rest) = self.bytes.split_at_checked(length).ok_or("it ends too soon")?;
        self.bytes = rest;
        Ok(taken)
    }

    /// The next bytes of a number.
    fn array<const N: usize>(&mut self) -> Result<[u8; N], Wrong> {
        let taken = self.take(N)?;
        taken.first_chunk().copied().ok_or_else(|| "it ends too soon".to_owned())
    }

    /// The next number of 32 bits, the lowest byte first.
    fn u32(&mut self) -> Result<u32, Wrong> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    /// The next number of 64 bits, the lowest byte first.
    fn u64(&mut self) -> Result<u64, Wrong> {
        Ok(u64::from_le_bytes(self.array()?))
    }

    /// A count, which a broken file must not make into a large allocation.
    fn count(&mut self, max: u64, what: &str) -> Result<u64, Wrong> {
        let count = self.u64()?;
        if count <= max { Ok(count) } else { Err(format!("it claims {count} {what}")) }
    }

    /// The next text, with its length before it.
    fn text(&mut self) -> Result<&'f str, Wrong> {
        let length = usize::try_from(self.u64()?).map_err(|_| "it ends too soon")?;
        std::str::from_utf8(self.take(length)?).map_err(|_| "it has a name that is no text".into())
    }

    /// A number by the format's number for its kind; `None` for texts and lists.
    fn number(&mut self, kind: u32) -> Result<Option<Fact<'f>>, Wrong> {
        Ok(Some(match kind {
            0 => Fact::Whole(u8::from_le_bytes(self.array()?).into()),
            1 => Fact::Whole(i8::from_le_bytes(self.array()?).into()),
            2 => Fact::Whole(u16::from_le_bytes(self.array()?).into()),
            3 => Fact::Whole(i16::from_le_bytes(self.array()?).into()),
            4 => Fact::Whole(self.u32()?.into()),
            5 => Fact::Whole(i32::from_le_bytes(self.array()?).into()),
            6 => Fact::Real(f32::from_le_bytes(self.array()?).into()),
            7 => Fact::Flag(u8::from_le_bytes(self.array()?) != 0),
            10 => Fact::Whole(self.u64()?.into()),
            11 => Fact::Whole(i64::from_le_bytes(self.array()?).into()),
            12 => Fact::Real(f64::from_le_bytes(self.array()?)),
            _ => return Ok(None),
        }))
    }

    /// A fact of a kind that the format numbers.
    fn fact(&mut self, kind: u32) -> Result<Fact<'f>, Wrong> {
        match kind {
            8 => Ok(Fact::Text(self.text()?)),
            9 => self.list(),
            kind => self.number(kind)?.ok_or_else(|| format!("it has a fact of kind {kind}")),
        }
    }

    /// A list of facts of one kind.
    fn list(&mut self) -> Result<Fact<'f>, Wrong> {
        let kind = self.u32()?;
        // Every entry takes at least a byte, so the file itself bounds the list.
        let left = u64::try_from(self.bytes.len()).unwrap_or(u64::MAX);
        let count = self.count(left, "entries of a list")?;
        match kind {
            8 => (0..count).map(|_| self.text()).collect::<Result<_, _>>().map(Fact::Texts),
            6 | 7 | 12 => {
                (0..count).try_for_each(|_| self.number(kind).map(|_| ()))?;
                Ok(Fact::Others)
            }
            kind => {
                let mut wholes = Vec::new();
                for _ in 0..count {
                    match self.number(kind)? {
                        Some(Fact::Whole(number)) => wholes.push(number),
                        _ => return Err(format!("it has a list of kind {kind}")),
                    }
                }
                Ok(Fact::Wholes(wholes))
            }
        }
    }

    /// Where a tensor lies, and its shape.
    fn place(&mut self) -> Result<Place<'f>, Wrong> {
        let name = self.text()?;
        let count = self.u32()?;
        if count == 0 || count > DIMENSIONS_MAX {
            return Err(format!("its {name} has {count} dimensions"));
        }
        let size = |rest: &mut Self| {
            let size = rest.count(SIZE_MAX, "numbers in a row")?;
            usize::try_from(size).map_err(|_| "it claims too much".to_owned())
        };
        let sizes = (0..count).map(|_| size(self)).collect::<Result<Vec<_>, _>>()?;
        let kind = self.u32()?;
        let format = format(kind)
            .ok_or_else(|| format!("its {name} is written in format {kind}, which is not read"))?;
        Ok(Place { name, sizes, format, offset: self.u64()? })
    }
}

/// How the numbers of a tensor are packed, for the kinds that can be read.
fn format(kind: u32) -> Option<Format> {
    Some(match kind {
        0 => Format::F32,
        1 => Format::F16,
        2 => Format::Q4_0,
        3 => Format::Q4_1,
        6 => Format::Q5_0,
        7 => Format::Q5_1,
        8 => Format::Q8_0,
        30 => Format::Bf16,
        _ => return None,
    })
}
