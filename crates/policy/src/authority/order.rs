//! Which source stands above which, without circles.

/// One source above another, and the line that says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Edge {
    pub(super) upper: usize,
    pub(super) lower: usize,
    pub(super) line: u32,
}

/// A partial order of sources. Invariant: nothing stands above itself, by whatever way round.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Order {
    edges: Vec<Edge>,
    /// For each source, whom it stands above.
    above: Vec<Vec<bool>>,
}

impl Order {
    /// No order yet between `sources` sources.
    pub(super) fn new(sources: usize) -> Self {
        Self { edges: Vec::new(), above: vec![vec![false; sources]; sources] }
    }

    pub(super) fn is_above(&self, upper: usize, lower: usize) -> bool {
        self.above.get(upper).and_then(|row| row.get(lower)).copied().unwrap_or(false)
    }

    /// What was put in and kept, in that order.
    pub(super) fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// Adds an edge, and all that follows from it. One that would close a circle is not added;
    /// the circle is handed back, the refused edge last.
    pub(super) fn add(&mut self, edge: Edge) -> Result<(), Vec<Edge>> {
        if edge.upper == edge.lower || self.is_above(edge.lower, edge.upper) {
            let mut circle = self.path(edge.lower, edge.upper);
            circle.push(edge);
            return Err(circle);
        }
        self.edges.push(edge);
        if self.is_above(edge.upper, edge.lower) {
            return Ok(());
        }
        let below = self.above.get(edge.lower).cloned().unwrap_or_default();
        for (source, row) in self.above.iter_mut().enumerate() {
            let stands_above = row.get(edge.upper).copied().unwrap_or(false);
            if source != edge.upper && !stands_above {
                continue;
            }
            for (lower, (mark, follows)) in row.iter_mut().zip(&below).enumerate() {
                *mark |= *follows || lower == edge.lower;
            }
        }
        Ok(())
    }

    /// The edges that lead from one source down to another, the fewest there are.
    fn path(&self, from: usize, to: usize) -> Vec<Edge> {
        let mut came_by: Vec<Option<Edge>> = vec![None; self.above.len()];
        let mut next = std::collections::VecDeque::from([from]);
        while let Some(at) = next.pop_front().filter(|at| *at != to) {
            for edge in self.edges.iter().filter(|edge| edge.upper == at && edge.lower != from) {
                if let Some(mark @ None) = came_by.get_mut(edge.lower) {
                    *mark = Some(*edge);
                    next.push_back(edge.lower);
                }
            }
        }
        let back = |edge: &Edge| came_by.get(edge.upper).copied().flatten();
        let last = came_by.get(to).copied().flatten();
        let mut path: Vec<Edge> = std::iter::successors(last, back).collect();
        path.reverse();
        path
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edge(upper: usize, lower: usize) -> Edge {
        Edge { upper, lower, line: u32::try_from(10 * upper + lower).unwrap() }
    }

    #[test]
    fn what_follows_is_known_whatever_the_order_of_rules() {
        for edges in [[(0, 1), (1, 2), (2, 3)], [(2, 3), (0, 1), (1, 2)], [(1, 2), (2, 3), (0, 1)]]
        {
            let mut order = Order::new(5);
            for (upper, lower) in edges {
                order.add(edge(upper, lower)).unwrap();
            }
            assert!(order.is_above(0, 3) && order.is_above(0, 2) && order.is_above(1, 3));
            assert!(!order.is_above(3, 0) && !order.is_above(0, 4) && !order.is_above(0, 0));
        }
    }

    #[test]
    fn a_circle_is_refused_and_named() {
        let mut order = Order::new(4);
        for (upper, lower) in [(0, 1), (1, 2), (0, 2), (2, 3)] {
            order.add(edge(upper, lower)).unwrap();
        }
        assert_eq!(order.add(edge(3, 0)), Err(vec![edge(0, 2), edge(2, 3), edge(3, 0)]));
        assert_eq!(order.add(edge(1, 1)), Err(vec![edge(1, 1)]));
        assert!(!order.is_above(3, 0));
    }
}
