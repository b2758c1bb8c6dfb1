//! Control flow as such: blocks of nodes that are executed in a row, and edges between blocks. What nodes and edges are is
//! for those to say who build one: statements of a body (`graph.rs`), nodes of the tree on which a reverse pass plans.

use std::ops::Range;

use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::DfsPostOrder;

/// A block of the graph.
pub type BlockId = NodeIndex<u32>;

/// A control-flow graph of nodes `N`, with edges `E`.
#[derive(Debug)]
pub struct Flow<N, E> {
    /// All nodes in the order of the text.
    nodes: Vec<N>,
    /// Blocks, each with its nodes.
    pub(super) blocks: DiGraph<Range<usize>, E>,
    /// Where execution begins: a block without nodes, to which nothing leads.
    pub(super) entry: BlockId,
    /// Where it ends: a block without nodes, from which nothing leads.
    pub(super) exit: BlockId,
    /// The blocks that can be reached, in strongly connected components, each before those that it leads to; within one, in
    /// reverse postorder.
    pub(super) components: Vec<Vec<BlockId>>,
}

impl<N, E> Flow<N, E> {
    /// All nodes in the order of the text, those that can't be reached among them.
    pub fn nodes(&self) -> &[N] {
        &self.nodes
    }

    /// The nodes of a block, first one first.
    pub(super) fn of(&self, block: BlockId) -> &[N] {
        &self.nodes[self.blocks[block].clone()]
    }
}

/// A graph that is being built.
#[derive(Debug)]
pub struct Builder<N, E> {
    nodes: Vec<N>,
    blocks: DiGraph<Range<usize>, E>,
    entry: BlockId,
    exit: BlockId,
    at: BlockId,
}

impl<N, E> Builder<N, E> {
    /// A graph without nodes. The edge leads from where execution begins to the first block.
    pub fn new(edge: E) -> Self {
        let mut blocks = DiGraph::new();
        let [entry, exit, at] = [(); 3].map(|()| blocks.add_node(0..0));
        blocks.add_edge(entry, at, edge);
        Builder { nodes: Vec::new(), blocks, entry, exit, at }
    }

    /// The block that is being filled.
    pub fn at(&self) -> BlockId {
        self.at
    }

    /// Where execution ends.
    pub fn exit(&self) -> BlockId {
        self.exit
    }

    /// Adds a block, to which nothing leads yet.
    pub fn new_block(&mut self) -> BlockId {
        self.blocks.add_node(0..0)
    }

    /// Adds an edge.
    pub fn edge(&mut self, from: BlockId, to: BlockId, edge: E) {
        self.blocks.add_edge(from, to, edge);
    }

    /// Goes on at another block. None that has nodes may be gone back to, so that the nodes of each stand in a row.
    pub fn go_on_at(&mut self, block: BlockId) {
        debug_assert!(self.blocks[block].is_empty(), "a block of a control-flow graph is filled twice");
        self.at = block;
    }

    /// Goes on at another block, to which an edge leads from here.
    pub fn next(&mut self, to: BlockId, edge: E) {
        self.edge(self.at, to, edge);
        self.go_on_at(to);
    }

    /// Adds a node to the block that is being filled.
    pub fn node(&mut self, node: N) {
        let at = self.nodes.len();
        self.nodes.push(node);
        let range = &mut self.blocks[self.at];
        *range = if range.start == range.end { at..at + 1 } else { range.start..at + 1 };
    }

    /// The graph, with an edge from here to where execution ends.
    pub fn finish(mut self, edge: E) -> Flow<N, E> {
        self.edge(self.at, self.exit, edge);
        let Builder { nodes, blocks, entry, exit, .. } = self;
        let components = components(&blocks, entry);
        Flow { nodes, blocks, entry, exit, components }
    }
}

/// Strongly connected components in topological order, as far as they can be reached.
fn components<E>(blocks: &DiGraph<Range<usize>, E>, entry: BlockId) -> Vec<Vec<BlockId>> {
    let mut position = vec![None; blocks.node_count()];
    let mut order = DfsPostOrder::new(blocks, entry);
    let mut count = 0;
    while let Some(block) = order.next(blocks) {
        position[block.index()] = Some(std::cmp::Reverse(count));
        count += 1;
    }
    let mut out = kosaraju_scc(blocks);
    out.reverse();
    out.retain(|c| c.iter().any(|b| position[b.index()].is_some()));
    out.iter_mut().for_each(|c| c.sort_by_key(|b| position[b.index()]));
    out
}
