//! The control-flow graph of a body: how execution goes from statement to statement.
//!
//! This is the only place that knows what `if`, `select case`, `do`, `exit` and the like mean for the order of execution. A
//! problem of dataflow (`engine.rs`) sees nodes, which stand in a row in a block, and the edges between blocks.

use std::collections::BTreeMap;
use std::ops::Range;

use costate_grammar::ir::{LoopControl, Name, Stmt, StmtKind};
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::DfsPostOrder;

/// What of a statement is executed at a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// All of it: it has no statements inside, or they are nodes of their own and it isn't understood.
    Leaf,
    /// What a construct does before what is inside: it evaluates conditions or bounds, it gives names.
    Header,
    /// What a loop does behind each iteration: the next value of its variable, its condition.
    Again,
    /// Nothing more; the construct has ended, in whatever way.
    End,
}

/// A node: a statement, or a part of what a construct does by itself.
#[derive(Clone, Copy, Debug)]
pub struct Node<'a> {
    /// What of the statement.
    pub place: Place,
    /// The statement.
    pub stmt: &'a Stmt,
    /// Number of the statement in the order of the text, for tables of what is known of each.
    pub number: usize,
}

/// Why execution goes along an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// There is no other way.
    Next,
    /// Into a block of a branch, by its position; an `else` comes behind all others.
    Arm(usize),
    /// None of the blocks of a branch is chosen, or a loop has no iteration, or nothing is left of what is executed inside
    /// a region, or nothing is executed of what is inside something that isn't understood.
    Skip,
    /// Into the first iteration of a loop.
    Enter,
    /// Into a further iteration.
    Again,
    /// A loop has had its last iteration.
    Done,
    /// By `exit`, `cycle`, `return`, `goto`, or what isn't understood.
    Jump,
}

/// An edge, and the statement that decides.
#[derive(Clone, Copy, Debug)]
pub struct Edge<'a> {
    /// Why execution goes along it.
    pub way: Way,
    /// The construct, or the jump; nothing for [`Way::Next`].
    pub stmt: Option<&'a Stmt>,
}

/// A block of the graph.
pub(crate) type BlockId = NodeIndex<u32>;

/// A control-flow graph.
#[derive(Debug)]
pub struct Graph<'a> {
    /// All nodes in the order of the text.
    nodes: Vec<Node<'a>>,
    /// Blocks, each with its nodes.
    pub(super) blocks: DiGraph<Range<usize>, Edge<'a>>,
    /// Where execution begins: a block without nodes, to which nothing leads.
    pub(super) entry: BlockId,
    /// Where it ends: a block without nodes, from which nothing leads.
    pub(super) exit: BlockId,
    /// The blocks that can be reached, in strongly connected components, each before those that it leads to; within one, in
    /// reverse postorder.
    pub(super) components: Vec<Vec<BlockId>>,
}

impl<'a> Graph<'a> {
    /// The graph of a body, or of a part of one: what jumps out of it goes to its end.
    pub fn new(body: &'a [Stmt]) -> Graph<'a> {
        let mut blocks = DiGraph::new();
        let [entry, exit, first] = [(); 3].map(|()| blocks.add_node(0..0));
        let mut builder = Builder {
            nodes: Vec::new(),
            count: 0,
            blocks,
            at: first,
            exit,
            frames: Vec::new(),
            labels: BTreeMap::new(),
            jumps: Vec::new(),
            unknown: Vec::new(),
        };
        builder.edge(entry, first, Way::Next, None);
        builder.block(body);
        builder.edge(builder.at, exit, Way::Next, None);
        for (from, label, stmt) in std::mem::take(&mut builder.jumps) {
            let to = builder.labels.get(&label).copied().unwrap_or(exit);
            builder.edge(from, to, Way::Jump, Some(stmt));
        }
        for (from, stmt) in std::mem::take(&mut builder.unknown) {
            for to in builder.labels.values().copied().collect::<Vec<_>>() {
                builder.edge(from, to, Way::Jump, Some(stmt));
            }
        }
        let Builder { nodes, blocks, .. } = builder;
        let components = components(&blocks, entry);
        Graph { nodes, blocks, entry, exit, components }
    }

    /// All nodes in the order of the text, those that can't be reached among them.
    pub fn nodes(&self) -> &[Node<'a>] {
        &self.nodes
    }

    /// The nodes of a block, first one first.
    pub(super) fn of(&self, block: BlockId) -> &[Node<'a>] {
        &self.nodes[self.blocks[block].clone()]
    }
}

/// Strongly connected components in topological order, as far as they can be reached.
fn components(blocks: &DiGraph<Range<usize>, Edge<'_>>, entry: BlockId) -> Vec<Vec<BlockId>> {
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

/// A construct that is being built.
struct Frame<'a> {
    name: Option<&'a Name>,
    is_loop: bool,
    /// Where `cycle` leads, once there is one.
    again: Option<BlockId>,
    /// Where `exit` leads, once there is one.
    after: Option<BlockId>,
}

struct Builder<'a> {
    nodes: Vec<Node<'a>>,
    /// Statements so far.
    count: usize,
    blocks: DiGraph<Range<usize>, Edge<'a>>,
    /// The block that is being filled. None is gone back to, so that its nodes stand in a row.
    at: BlockId,
    exit: BlockId,
    frames: Vec<Frame<'a>>,
    labels: BTreeMap<u32, BlockId>,
    /// Jumps to labels, which may stand further down.
    jumps: Vec<(BlockId, u32, &'a Stmt)>,
    /// What isn't understood, which may jump to any label.
    unknown: Vec<(BlockId, &'a Stmt)>,
}

impl<'a> Builder<'a> {
    fn new_block(&mut self) -> BlockId {
        self.blocks.add_node(0..0)
    }

    fn edge(&mut self, from: BlockId, to: BlockId, way: Way, stmt: Option<&'a Stmt>) {
        self.blocks.add_edge(from, to, Edge { way, stmt });
    }

    fn next(&mut self, to: BlockId) {
        self.edge(self.at, to, Way::Next, None);
        self.at = to;
    }

    fn node(&mut self, place: Place, stmt: &'a Stmt, number: usize) {
        let at = self.nodes.len();
        self.nodes.push(Node { place, stmt, number });
        let range = &mut self.blocks[self.at];
        *range = if range.start == range.end { at..at + 1 } else { range.start..at + 1 };
    }

    fn block(&mut self, stmts: &'a [Stmt]) {
        stmts.iter().for_each(|s| self.statement(s));
    }

    fn statement(&mut self, stmt: &'a Stmt) {
        if let Some(label) = stmt.label {
            let here = self.new_block();
            self.next(here);
            self.labels.insert(label, here);
        }
        if !stmt.is_region() {
            return self.itself(stmt);
        }
        // What a region keeps private is afterwards what it was before, so that there is a way around it.
        let (before, inside) = (self.at, self.new_block());
        self.next(inside);
        self.itself(stmt);
        let after = self.new_block();
        self.next(after);
        self.edge(before, after, Way::Skip, Some(stmt));
    }

    fn itself(&mut self, stmt: &'a Stmt) {
        let number = self.count;
        self.count += 1;
        match &stmt.kind {
            StmtKind::If { name, otherwise, .. } => self.branch(stmt, number, name.as_ref(), otherwise.is_some()),
            StmtKind::Where { otherwise, .. } => self.branch(stmt, number, None, otherwise.is_some()),
            StmtKind::Select { name, arms, .. } => {
                self.branch(stmt, number, name.as_ref(), arms.iter().any(|a| a.ranges.is_empty()));
            }
            StmtKind::Do { name, control, body, .. } => {
                let endless = matches!(control, LoopControl::Forever);
                self.iterate(stmt, number, name.as_ref(), body, endless);
            }
            StmtKind::Forall { body, .. } => self.iterate(stmt, number, None, body, false),
            StmtKind::Associate { name, body, .. } | StmtKind::BlockScope { name, body, .. } => {
                self.once(stmt, number, name.as_ref(), body);
            }
            StmtKind::Directive { body: Some(body), .. } => self.once(stmt, number, None, body),
            StmtKind::Unsupported { body, .. } => {
                self.node(Place::Leaf, stmt, number);
                self.unknown.push((self.at, stmt));
                self.any_times(stmt, number, body);
            }
            StmtKind::Exit(name) => {
                self.node(Place::Leaf, stmt, number);
                let to = self.frame(name.as_ref()).map(|k| self.after(k));
                self.jump(to, stmt);
            }
            StmtKind::Cycle(name) => {
                self.node(Place::Leaf, stmt, number);
                let to = self.frame(name.as_ref()).map(|k| self.again(k));
                self.jump(to, stmt);
            }
            StmtKind::Return => {
                self.node(Place::Leaf, stmt, number);
                self.jump(None, stmt);
            }
            StmtKind::Goto(label) => {
                self.node(Place::Leaf, stmt, number);
                self.jumps.push((self.at, *label, stmt));
                self.at = self.new_block();
            }
            // What holds where a `stop` ends the run holds at the end too, as if it went on.
            StmtKind::Stop { .. }
            | StmtKind::Assign { .. }
            | StmtKind::PointerAssign { .. }
            | StmtKind::Call { .. }
            | StmtKind::Continue
            | StmtKind::Allocate { .. }
            | StmtKind::Deallocate { .. }
            | StmtKind::Nullify(_)
            | StmtKind::Io { .. }
            | StmtKind::Directive { body: None, .. }
            | StmtKind::Comment(_) => self.node(Place::Leaf, stmt, number),
        }
    }

    /// A construct of which one block is executed, or none unless they are `exhaustive`.
    fn branch(&mut self, stmt: &'a Stmt, number: usize, name: Option<&'a Name>, exhaustive: bool) {
        self.node(Place::Header, stmt, number);
        let (from, after) = (self.at, self.new_block());
        self.frames.push(Frame { name, is_loop: false, again: None, after: Some(after) });
        if !exhaustive {
            self.edge(from, after, Way::Skip, Some(stmt));
        }
        for (k, body) in stmt.blocks().into_iter().enumerate() {
            self.at = self.new_block();
            self.edge(from, self.at, Way::Arm(k), Some(stmt));
            self.block(body);
            self.edge(self.at, after, Way::Next, None);
        }
        self.frames.pop();
        self.at = after;
        self.node(Place::End, stmt, number);
    }

    /// A loop. Whether it has an iteration at all is asked before the first one, and whether there is another one behind each,
    /// so that what is known where it has none stays apart from the rest.
    fn iterate(&mut self, stmt: &'a Stmt, number: usize, name: Option<&'a Name>, body: &'a [Stmt], endless: bool) {
        self.node(Place::Header, stmt, number);
        let (before, first) = (self.at, self.new_block());
        self.edge(before, first, Way::Enter, Some(stmt));
        self.frames.push(Frame { name, is_loop: true, again: None, after: None });
        self.at = first;
        self.block(body);
        let frame = self.frames.pop();
        if let Some(again) = frame.as_ref().and_then(|f| f.again) {
            self.next(again);
        }
        self.node(Place::Again, stmt, number);
        self.edge(self.at, first, Way::Again, Some(stmt));
        let left = frame.and_then(|f| f.after);
        let after = left.unwrap_or_else(|| self.new_block());
        // An endless loop that nothing leaves is followed by what stands behind it all the same: so every statement has facts.
        if !endless || left.is_none() {
            self.edge(self.at, after, Way::Done, Some(stmt));
        }
        if !endless {
            self.edge(before, after, Way::Skip, Some(stmt));
        }
        self.at = after;
        self.node(Place::End, stmt, number);
    }

    /// What is inside something that isn't understood: it is executed any number of times.
    fn any_times(&mut self, stmt: &'a Stmt, number: usize, body: &'a [Stmt]) {
        let (before, first, after) = (self.at, self.new_block(), self.new_block());
        self.edge(before, first, Way::Enter, Some(stmt));
        self.edge(before, after, Way::Skip, Some(stmt));
        self.at = first;
        self.block(body);
        self.edge(self.at, first, Way::Again, Some(stmt));
        self.edge(self.at, after, Way::Done, Some(stmt));
        self.at = after;
        self.node(Place::End, stmt, number);
    }

    /// A construct whose block is executed once.
    fn once(&mut self, stmt: &'a Stmt, number: usize, name: Option<&'a Name>, body: &'a [Stmt]) {
        self.node(Place::Header, stmt, number);
        self.frames.push(Frame { name, is_loop: false, again: None, after: None });
        self.block(body);
        if let Some(after) = self.frames.pop().and_then(|f| f.after) {
            self.next(after);
        }
        self.node(Place::End, stmt, number);
    }

    /// The construct that a jump names, or the innermost loop.
    fn frame(&self, name: Option<&Name>) -> Option<usize> {
        self.frames.iter().rposition(|f| match name {
            Some(_) => f.name == name,
            None => f.is_loop,
        })
    }

    fn after(&mut self, frame: usize) -> BlockId {
        let new = self.frames[frame].after.unwrap_or_else(|| self.new_block());
        *self.frames[frame].after.insert(new)
    }

    fn again(&mut self, frame: usize) -> BlockId {
        let new = self.frames[frame].again.unwrap_or_else(|| self.new_block());
        *self.frames[frame].again.insert(new)
    }

    /// Goes on at a block, or out of the body. What stands behind a jump is reached by others, or never.
    fn jump(&mut self, to: Option<BlockId>, stmt: &'a Stmt) {
        self.edge(self.at, to.unwrap_or(self.exit), Way::Jump, Some(stmt));
        self.at = self.new_block();
    }
}
