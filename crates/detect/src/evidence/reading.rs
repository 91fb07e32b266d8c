//! A text's evidence with the words that were counted.

use rebuttal_model::{Quality, QualityWeights, Span};

use super::statement::{ItemKind, Sink, StatementKind};
use super::{Placed, Reader, score};

/// Words that were counted, and what for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Item {
    /// As what they counted.
    pub kind: ItemKind,
    /// Where they stand.
    pub span: Span,
    /// Which claim they count for, in the order of [`Evidence::claims`].
    pub claim: Option<usize>,
}

/// A statement and how it is supported.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a thing of its own that is seen or not")]
pub struct Claim {
    /// The sentence.
    pub span: Span,
    /// How far something supports it, 0 to 1: a source in it, one it continues, or one beside it.
    pub support: f64,
    /// Says what should be done, not how things are.
    pub advice: bool,
    /// Gives itself as an opinion: "I think …", "perhaps …".
    pub opinion: bool,
    /// A number in it measures something.
    pub data: bool,
    /// Denies something.
    pub negated: bool,
    /// Another statement is joined to it as its reason, or it is one's reason.
    pub joined: bool,
    /// Words that carry the topic.
    pub content: u16,
}

/// What a text offers for what it says.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Evidence {
    /// The four figures and their mean.
    pub quality: Quality,
    /// The statements, in the order of the text.
    pub claims: Vec<Claim>,
    /// What was counted, in the order of the text; where nothing is stated only
    /// sources are named, and count for nothing.
    pub items: Vec<Item>,
}

impl Evidence {
    /// The items of one kind.
    pub fn of(&self, kind: ItemKind) -> impl Iterator<Item = &Item> {
        self.items.iter().filter(move |item| item.kind == kind)
    }
}

#[derive(Default)]
struct Found(Vec<(ItemKind, Span)>);

impl Sink for Found {
    fn item(&mut self, kind: ItemKind, start: u32, end: u32) {
        self.0.push((kind, Span::new(start as usize, end as usize)));
    }
}

impl Placed for Found {
    fn len(&self) -> u32 {
        u32::try_from(self.0.len()).unwrap_or(u32::MAX)
    }
}

/// A text's evidence, with what was counted and for which claim.
pub fn read(text: &str, weights: &QualityWeights) -> Evidence {
    let mut reader = Reader::new();
    let mut found = Found::default();
    reader.statements_of(text, &mut found);
    let statements = &reader.statements;
    let mut evidence = Evidence {
        quality: score::quality(statements, &reader.supports, weights),
        ..Evidence::default()
    };
    for (own, support) in statements.iter().zip(&reader.supports) {
        let items = found.0.get(own.items.0 as usize..own.items.1 as usize).unwrap_or_default();
        if own.kind == StatementKind::Nothing {
            // A note after the full stop belongs to the claim before it; any other source to none.
            let claim = evidence.claims.len().checked_sub(1).filter(|_| own.content < 2);
            let sources = items.iter().filter(|(kind, _)| *kind == ItemKind::Source);
            evidence.items.extend(sources.map(|&(kind, span)| Item { kind, span, claim }));
            continue;
        }
        let claim = Some(evidence.claims.len());
        let mut items: Vec<Item> =
            items.iter().map(|&(kind, span)| Item { kind, span, claim }).collect();
        items.sort_by_key(|item| item.span.start());
        evidence.items.append(&mut items);
        evidence.claims.push(Claim {
            span: Span::new(own.start as usize, own.end as usize),
            support: f64::from(*support),
            advice: own.kind == StatementKind::Advice,
            opinion: own.kind == StatementKind::Opinion,
            data: own.data > 0,
            negated: own.negated,
            joined: own.links > 0.0 || own.concludes,
            content: own.content,
        });
    }
    evidence
}
