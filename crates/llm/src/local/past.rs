//! Keys and values of what a sequence has read, in blocks that sequences may share.
//!
//! A copy of a past costs nothing until one of the two goes on: blocks are shared, and only one that
//! is written to is copied. So agents that read the same prompt hold it once.

use std::sync::Arc;

use rebuttal_semantics::kernel::{BLOCK, Past as HeadPast};

use super::weights::Config;

/// What a sequence has read.
#[derive(Clone, Debug)]
pub(crate) struct Past {
    layout: Layout,
    blocks: Vec<Arc<Vec<f32>>>,
    tokens: Vec<u32>,
}

/// Where a head's numbers are inside a block.
#[derive(Clone, Copy, Debug)]
struct Layout {
    layers: usize,
    heads: usize,
    width: usize,
}

impl Layout {
    /// Numbers of one head's keys, or of its values, in one layer.
    fn part(self) -> usize {
        self.width * BLOCK
    }

    /// How many numbers a block of positions has.
    fn block(self) -> usize {
        self.layers * self.heads * 2 * self.part()
    }

    /// Where a head's keys begin; its values follow.
    fn begin(self, layer: usize, head: usize) -> usize {
        (layer * self.heads + head) * 2 * self.part()
    }
}

impl Past {
    pub(crate) fn new(config: &Config) -> Self {
        let layout =
            Layout { layers: config.layers, heads: config.shared_heads, width: config.head_width };
        Self { layout, blocks: Vec::new(), tokens: Vec::new() }
    }

    /// What was read.
    pub(crate) fn tokens(&self) -> &[u32] {
        &self.tokens
    }

    /// Forgets everything behind the first `length` tokens.
    pub(crate) fn truncate(&mut self, length: usize) {
        self.tokens.truncate(length);
        self.blocks.truncate(self.tokens.len().div_ceil(BLOCK));
    }

    /// Makes room for these tokens, whose keys and values are then put layer by layer.
    pub(crate) fn extend(&mut self, tokens: &[u32]) {
        self.tokens.extend_from_slice(tokens);
        let blocks = self.tokens.len().div_ceil(BLOCK);
        self.blocks.resize_with(blocks, || Arc::new(vec![0.0; self.layout.block()]));
    }

    /// Puts one position's keys and values of one layer, all heads of each.
    pub(crate) fn put(&mut self, layer: usize, position: usize, keys: &[f32], values: &[f32]) {
        let (layout, lane) = (self.layout, position % BLOCK);
        let Some(block) = self.blocks.get_mut(position / BLOCK) else { return };
        let block = Arc::make_mut(block);
        let heads = keys.chunks_exact(layout.width).zip(values.chunks_exact(layout.width));
        for (head, (keys, values)) in heads.enumerate() {
            let begin = layout.begin(layer, head);
            let Some(part) = block.get_mut(begin..begin + 2 * layout.part()) else { return };
            let (to_keys, to_values) = part.split_at_mut(layout.part());
            let columns = to_keys.as_chunks_mut::<BLOCK>().0.iter_mut();
            for (column, key) in columns.zip(keys) {
                if let Some(to) = column.get_mut(lane) {
                    *to = *key;
                }
            }
            if let Some(row) = to_values.chunks_exact_mut(layout.width).nth(lane) {
                row.copy_from_slice(values);
            }
        }
    }

    /// One head's keys and values of one layer, up to `length` positions.
    pub(crate) fn head<'s>(
        &'s self,
        layer: usize,
        head: usize,
        length: usize,
    ) -> Vec<HeadPast<'s>> {
        let (begin, part) = (self.layout.begin(layer, head), self.layout.part());
        let blocks = self.blocks.iter().take(length.div_ceil(BLOCK));
        let of = |block: &'s Arc<Vec<f32>>| {
            let (keys, values) = block.get(begin..begin + 2 * part)?.split_at_checked(part)?;
            Some(HeadPast { keys, values })
        };
        blocks.filter_map(of).collect()
    }
}
