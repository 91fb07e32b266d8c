//! Exact posteriors by variable elimination: up through the buckets, and down again.
//!
//! Eliminating a claim leaves a table over its later neighbours, which goes to the bucket of the
//! first of them. Going down, each bucket learns from that one what the rest of the part says about
//! its neighbours. Two walks give the posterior of every claim.

use super::loopy::pass;
use super::order::Bucket;
use super::part::Part;
use super::{at, probability};

/// No entry of a table that is sent is smaller than this share of its largest, so that no product of
/// two ever vanishes; what that adds to a posterior is far below its last digit.
const FLOOR: f64 = 1e-150;
/// Sums of a field and couplings up to this make weights that are above [`FLOOR`].
const POWER_MAX: f64 = 150.0;

/// A bucket at work. The entry for a way the claims can turn out has one bit for each of the scope,
/// in order, and above them one for the bucket's own claim.
struct Cell {
    /// Half the log odds of the claim: its field and what came up from claims that touch only it.
    field: f64,
    /// The weights of all ways; empty while the scope is.
    table: Vec<f64>,
    /// What was sent up: one weight for each way of the scope.
    sent: Vec<f64>,
    /// Buckets that send a table here, by their place in the order.
    children: Vec<usize>,
}

/// The posteriors of a part, claim by claim.
pub(super) fn posteriors(part: &Part, buckets: &[Bucket]) -> Vec<f64> {
    let mut position = vec![0; buckets.len()];
    for (index, bucket) in buckets.iter().enumerate() {
        if let Some(slot) = position.get_mut(bucket.claim) {
            *slot = index;
        }
    }
    let mut cells: Vec<Cell> = buckets
        .iter()
        .map(|bucket| Cell {
            field: at(&part.field, bucket.claim),
            table: Vec::new(),
            sent: Vec::new(),
            children: Vec::new(),
        })
        .collect();
    for index in 0..buckets.len() {
        go_up(part, buckets, &position, &mut cells, index);
    }
    let mut found = vec![0.5; buckets.len()];
    for (index, bucket) in buckets.iter().enumerate().rev() {
        let posterior = go_down(buckets, &position, &mut cells, index);
        if let Some(slot) = found.get_mut(bucket.claim) {
            *slot = posterior;
        }
    }
    found
}

/// The place of the bucket that gets what this one sends.
fn parent(bucket: &Bucket, position: &[usize]) -> Option<usize> {
    position.get(*bucket.scope.first()?).copied()
}

/// Fills a bucket's table and sends what is left without its claim.
fn go_up(part: &Part, buckets: &[Bucket], position: &[usize], cells: &mut [Cell], index: usize) {
    let Some(bucket) = buckets.get(index) else { return };
    let Some(above) = parent(bucket, position) else { return };
    let Some(cell) = cells.get_mut(index) else { return };
    let children = std::mem::take(&mut cell.children);
    let field = cell.field;
    let couplings: Vec<f64> =
        bucket.scope.iter().map(|&other| coupling(part, bucket.claim, other)).collect();
    let mut table = own_table(field, &couplings);
    for (nth, child) in children.iter().enumerate() {
        if nth > 0 {
            level(&mut table);
        }
        if let (Some(from), Some(sent)) = (buckets.get(*child), cells.get(*child)) {
            let map = map(bucket, &from.scope);
            for (entry, &place) in table.iter_mut().zip(&map) {
                *entry *= at(&sent.sent, place as usize);
            }
        }
    }
    let (if_false, if_true) = table.split_at(table.len() / 2);
    let mut sent: Vec<f64> =
        if_false.iter().zip(if_true).map(|(if_false, if_true)| if_false + if_true).collect();
    level(&mut sent);
    let alone = match (couplings.as_slice(), children.as_slice(), sent.as_slice()) {
        // In closed form, so that trees are exact however sure their claims are.
        ([coupling], [], _) => Some(pass(*coupling, field)),
        (_, _, [if_false, if_true]) => Some((if_true / if_false).ln() / 2.0),
        _ => None,
    };
    if let Some(cell) = cells.get_mut(index) {
        (cell.table, cell.sent, cell.children) = (table, sent, children);
    }
    if let Some(above) = cells.get_mut(above) {
        match alone {
            Some(message) => above.field += message,
            None => above.children.push(index),
        }
    }
}

/// What the parent knows beyond what this bucket told it, and with that the claim's posterior. The
/// table becomes the joint posterior of the bucket, for the buckets below.
fn go_down(buckets: &[Bucket], position: &[usize], cells: &mut [Cell], index: usize) -> f64 {
    let Some(bucket) = buckets.get(index) else { return 0.5 };
    let above = parent(bucket, position);
    let news = above.and_then(|above| {
        let (from, joint) = (buckets.get(above)?, &cells.get(above)?.table);
        let mut news = vec![0.0; 1 << bucket.scope.len()];
        for (weight, place) in joint.iter().zip(map(from, &bucket.scope)) {
            if let Some(sum) = news.get_mut(place as usize) {
                *sum += weight;
            }
        }
        Some(news)
    });
    let Some(cell) = cells.get_mut(index) else { return 0.5 };
    let Some(news) = news else {
        let posterior = probability(cell.field);
        cell.table = vec![(1.0 - posterior).max(FLOOR), posterior.max(FLOOR)];
        return posterior;
    };
    let factors: Vec<f64> = news.iter().zip(&cell.sent).map(|(news, sent)| news / sent).collect();
    let (if_false, if_true) = cell.table.split_at_mut(factors.len());
    for half in [if_false, if_true] {
        half.iter_mut().zip(&factors).for_each(|(entry, factor)| *entry *= factor);
    }
    level(&mut cell.table);
    let (if_false, if_true) = cell.table.split_at(factors.len());
    let (if_false, if_true) = (if_false.iter().sum::<f64>(), if_true.iter().sum::<f64>());
    if_true / (if_false + if_true)
}

/// The table of a claim's own field and links: e to the power of ±(field ± couplings).
fn own_table(field: f64, couplings: &[f64]) -> Vec<f64> {
    let most = field.abs() + couplings.iter().map(|coupling| coupling.abs()).sum::<f64>();
    if most > POWER_MAX {
        return from_powers(field, couplings);
    }
    // The largest weight is 1 from the start: e to the power of field and couplings less their most.
    let mut if_true = Vec::with_capacity(1 << couplings.len());
    if_true.push((field - most).exp());
    for coupling in couplings {
        let (down, up) = ((-coupling).exp(), coupling.exp());
        let raised: Vec<f64> = if_true.iter().map(|weight| weight * up).collect();
        for weight in &mut if_true {
            *weight *= down;
        }
        if_true.extend(raised);
    }
    let scale = (-2.0 * most).exp();
    let mut table = Vec::with_capacity(2 << couplings.len());
    table.extend(if_true.iter().map(|weight| scale / weight));
    table.append(&mut if_true);
    table
}

/// Sums by powers, for numbers too large for their weights: slower.
fn from_powers(field: f64, couplings: &[f64]) -> Vec<f64> {
    let mut if_true = vec![field];
    for coupling in couplings {
        let raised: Vec<f64> = if_true.iter().map(|power| power + coupling).collect();
        for power in &mut if_true {
            *power -= coupling;
        }
        if_true.extend(raised);
    }
    let most = if_true.iter().map(|power| power.abs()).fold(0.0, f64::max);
    let powers = if_true.iter().map(|power| -power).chain(if_true.iter().copied());
    powers.map(|power| (power - most).exp().max(FLOOR)).collect()
}

/// For each entry of a bucket's table, the entry over some of its claims that it belongs to.
fn map(bucket: &Bucket, scope: &[usize]) -> Vec<u32> {
    let stride =
        |claim: &usize| scope.iter().position(|other| other == claim).map_or(0u32, |bit| 1 << bit);
    let mut map = Vec::with_capacity(2 << bucket.scope.len());
    map.push(0u32);
    for claim in bucket.scope.iter().chain([&bucket.claim]) {
        let stride = stride(claim);
        let count = map.len();
        map.extend_from_within(..);
        map.iter_mut().skip(count).for_each(|place| *place += stride);
    }
    map
}

/// Scales the largest entry to 1, and lifts what would vanish.
fn level(table: &mut [f64]) {
    let scale = largest(table).recip();
    for entry in table {
        let scaled = *entry * scale;
        *entry = if scaled > FLOOR { scaled } else { FLOOR };
    }
}

/// The largest entry, looked for in eight lanes side by side.
fn largest(table: &[f64]) -> f64 {
    let larger = |one: f64, two: f64| if two > one { two } else { one };
    let mut lanes = [f64::MIN_POSITIVE; 8];
    let chunks = table.chunks_exact(lanes.len());
    let rest = chunks.remainder();
    for chunk in chunks {
        for (lane, entry) in lanes.iter_mut().zip(chunk) {
            *lane = larger(*lane, *entry);
        }
    }
    lanes.iter().chain(rest).copied().fold(f64::MIN_POSITIVE, larger)
}

fn coupling(part: &Part, one: usize, two: usize) -> f64 {
    let near = part.near.get(one).map_or(&[][..], Vec::as_slice);
    let found = near.binary_search_by_key(&two, |(other, _)| *other);
    found.ok().and_then(|at| near.get(at)).map_or(0.0, |(_, coupling)| *coupling)
}
