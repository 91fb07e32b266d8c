//! What the words of orders can be; `lexicons/orders.txt` lists them.

use std::sync::LazyLock;

use crate::lexicon::{Lexicon, ORDERS, parse};

/// What a word can be in an order, a bit for each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Roles(u32);

impl Roles {
    pub(super) const DROP: Self = Self(1);
    pub(super) const FOLLOW: Self = Self(1 << 1);
    pub(super) const BRIEF: Self = Self(1 << 2);
    pub(super) const OWNED: Self = Self(1 << 3);
    pub(super) const TOLD: Self = Self(1 << 4);
    pub(super) const SPEAKER: Self = Self(1 << 5);
    pub(super) const YOU: Self = Self(1 << 6);
    pub(super) const MUST: Self = Self(1 << 7);
    pub(super) const OUGHT: Self = Self(1 << 8);
    pub(super) const ASK: Self = Self(1 << 9);
    pub(super) const SAY: Self = Self(1 << 10);
    pub(super) const CHANGE: Self = Self(1 << 11);
    pub(super) const COPY: Self = Self(1 << 12);
    pub(super) const REPLY: Self = Self(1 << 13);
    pub(super) const SIDE: Self = Self(1 << 14);
    pub(super) const GROUP: Self = Self(1 << 15);
    pub(super) const RIG: Self = Self(1 << 16);
    pub(super) const MACHINERY: Self = Self(1 << 17);
    pub(super) const URGENT: Self = Self(1 << 18);
    pub(super) const HEADER: Self = Self(1 << 19);
    pub(super) const TITLE: Self = Self(1 << 20);
    pub(super) const TASK: Self = Self(1 << 21);
    pub(super) const SOLE: Self = Self(1 << 22);
    pub(super) const WEIGH: Self = Self(1 << 23);
    pub(super) const OTHERS: Self = Self(1 << 24);
    pub(super) const VOID: Self = Self(1 << 25);

    /// What can be commanded.
    pub(super) const VERBS: Self = Self(
        Self::DROP.0
            | Self::FOLLOW.0
            | Self::SAY.0
            | Self::CHANGE.0
            | Self::COPY.0
            | Self::RIG.0
            | Self::WEIGH.0,
    );

    fn named(section: &str) -> Option<Self> {
        Some(match section {
            "order.drop" => Self::DROP,
            "order.follow" => Self::FOLLOW,
            "order.brief" => Self::BRIEF,
            "order.owned" => Self::OWNED,
            "order.told" => Self::TOLD,
            "order.speaker" => Self::SPEAKER,
            "order.you" => Self::YOU,
            "order.must" => Self::MUST,
            "order.ought" => Self::OUGHT,
            "order.ask" => Self::ASK,
            "order.say" => Self::SAY,
            "order.change" => Self::CHANGE,
            "order.copy" => Self::COPY,
            "order.reply" => Self::REPLY,
            "order.side" => Self::SIDE,
            "order.group" => Self::GROUP,
            "order.weigh" => Self::WEIGH,
            "order.others" => Self::OTHERS,
            "order.void" => Self::VOID,
            "order.rig" => Self::RIG,
            "order.machinery" => Self::MACHINERY,
            "order.urgent" => Self::URGENT,
            "order.header" => Self::HEADER,
            "order.title" => Self::TITLE,
            "order.task" => Self::TASK,
            "order.sole" => Self::SOLE,
            _ => return None,
        })
    }

    pub(super) fn any(self, wanted: Self) -> bool {
        self.0 & wanted.0 != 0
    }
}

/// The roles of a word, by its number in the lexicon.
pub(super) static BY_WORD: LazyLock<Vec<Roles>> = LazyLock::new(|| {
    let lexicon = Lexicon::english();
    let mut all: Vec<Roles> = Vec::new();
    for entry in parse::entries(ORDERS) {
        let Some(role) = Roles::named(entry.section) else { continue };
        for word in parse::spelled_out(entry.text) {
            let at = lexicon.look_up(&word).0.index();
            if all.len() <= at {
                all.resize(at + 1, Roles::default());
            }
            if let Some(own) = all.get_mut(at).filter(|_| at > 0) {
                own.0 |= role.0;
            }
        }
    }
    all
});

impl std::ops::BitOr for Roles {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}
