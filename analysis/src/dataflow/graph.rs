//! The control-flow graph of a body: how execution goes from statement to statement.
//!
//! This is the only place that knows what `if`, `select case`, `do`, `exit` and the like mean for the order of execution. A
//! problem of dataflow (`engine.rs`) sees nodes, which stand in a row in a block, and the edges between blocks.

use std::collections::BTreeMap;

use costate_grammar::ir::{LoopControl, Name, Stmt, StmtKind};

use super::flow::{self, BlockId, Flow};

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

/// A control-flow graph of statements.
pub type Graph<'a> = Flow<Node<'a>, Edge<'a>>;

const NEXT: Edge<'_> = Edge { way: Way::Next, stmt: None };

/// The graph of a body, or of a part of one: what jumps out of it goes to its end.
pub fn of_body(body: &[Stmt]) -> Graph<'_> {
    let mut builder = Builder {
        flow: flow::Builder::new(NEXT),
        count: 0,
        frames: Vec::new(),
        labels: BTreeMap::new(),
        jumps: Vec::new(),
        unknown: Vec::new(),
    };
    builder.block(body);
    for (from, label, stmt) in std::mem::take(&mut builder.jumps) {
        let to = builder.labels.get(&label).copied().unwrap_or(builder.flow.exit());
        builder.edge(from, to, Way::Jump, Some(stmt));
    }
    for (from, stmt) in std::mem::take(&mut builder.unknown) {
        for to in builder.labels.values().copied().collect::<Vec<_>>() {
            builder.edge(from, to, Way::Jump, Some(stmt));
        }
    }
    builder.flow.finish(NEXT)
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
    flow: flow::Builder<Node<'a>, Edge<'a>>,
    /// Statements so far.
    count: usize,
    frames: Vec<Frame<'a>>,
    labels: BTreeMap<u32, BlockId>,
    /// Jumps to labels, which may stand further down.
    jumps: Vec<(BlockId, u32, &'a Stmt)>,
    /// What isn't understood, which may jump to any label.
    unknown: Vec<(BlockId, &'a Stmt)>,
}

impl<'a> Builder<'a> {
    fn new_block(&mut self) -> BlockId {
        self.flow.new_block()
    }

    fn at(&self) -> BlockId {
        self.flow.at()
    }

    fn edge(&mut self, from: BlockId, to: BlockId, way: Way, stmt: Option<&'a Stmt>) {
        self.flow.edge(from, to, Edge { way, stmt });
    }

    fn next(&mut self, to: BlockId) {
        self.flow.next(to, NEXT);
    }

    /// Goes on at a new block, to which nothing leads yet.
    fn apart(&mut self) -> BlockId {
        let block = self.new_block();
        self.flow.go_on_at(block);
        block
    }

    fn node(&mut self, place: Place, stmt: &'a Stmt, number: usize) {
        self.flow.node(Node { place, stmt, number });
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
        let (before, inside) = (self.at(), self.new_block());
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
                self.unknown.push((self.at(), stmt));
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
                self.jumps.push((self.at(), *label, stmt));
                self.apart();
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
        let (from, after) = (self.at(), self.new_block());
        self.frames.push(Frame { name, is_loop: false, again: None, after: Some(after) });
        if !exhaustive {
            self.edge(from, after, Way::Skip, Some(stmt));
        }
        for (k, body) in stmt.blocks().into_iter().enumerate() {
            let arm = self.apart();
            self.edge(from, arm, Way::Arm(k), Some(stmt));
            self.block(body);
            self.edge(self.at(), after, Way::Next, None);
        }
        self.frames.pop();
        self.flow.go_on_at(after);
        self.node(Place::End, stmt, number);
    }

    /// A loop. Whether it has an iteration at all is asked before the first one, and whether there is another one behind each,
    /// so that what is known where it has none stays apart from the rest.
    fn iterate(&mut self, stmt: &'a Stmt, number: usize, name: Option<&'a Name>, body: &'a [Stmt], endless: bool) {
        self.node(Place::Header, stmt, number);
        let (before, first) = (self.at(), self.new_block());
        self.edge(before, first, Way::Enter, Some(stmt));
        self.frames.push(Frame { name, is_loop: true, again: None, after: None });
        self.flow.go_on_at(first);
        self.block(body);
        let frame = self.frames.pop();
        if let Some(again) = frame.as_ref().and_then(|f| f.again) {
            self.next(again);
        }
        self.node(Place::Again, stmt, number);
        self.edge(self.at(), first, Way::Again, Some(stmt));
        let left = frame.and_then(|f| f.after);
        let after = left.unwrap_or_else(|| self.new_block());
        // An endless loop that nothing leaves is followed by what stands behind it all the same: so every statement has facts.
        if !endless || left.is_none() {
            self.edge(self.at(), after, Way::Done, Some(stmt));
        }
        if !endless {
            self.edge(before, after, Way::Skip, Some(stmt));
        }
        self.flow.go_on_at(after);
        self.node(Place::End, stmt, number);
    }

    /// What is inside something that isn't understood: it is executed any number of times.
    fn any_times(&mut self, stmt: &'a Stmt, number: usize, body: &'a [Stmt]) {
        let (before, first, after) = (self.at(), self.new_block(), self.new_block());
        self.edge(before, first, Way::Enter, Some(stmt));
        self.edge(before, after, Way::Skip, Some(stmt));
        self.flow.go_on_at(first);
        self.block(body);
        self.edge(self.at(), first, Way::Again, Some(stmt));
        self.edge(self.at(), after, Way::Done, Some(stmt));
        self.flow.go_on_at(after);
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
        self.edge(self.at(), to.unwrap_or(self.flow.exit()), Way::Jump, Some(stmt));
        self.apart();
    }
}
