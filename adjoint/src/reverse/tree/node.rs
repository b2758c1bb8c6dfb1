//! The tree of a procedure body on which the reverse pass plans: what each statement does, what its adjoint needs, where
//! values are saved.

use std::rc::Rc;

use costate_analysis::effects::Access;
use costate_analysis::storage::LocSet;
use costate_grammar::ir::{Expr, Stmt};

use super::call_site::CallAdjoint;
use super::decisions::{Blocks, Decided, Direct, Iterated, Recompute, Reshaped, SplitCall, Storage};
use crate::memory::Part;
use costate_analysis::sections::Range;

/// A statement or construct with its plan.
#[derive(Clone, Debug)]
pub(crate) enum Node {
    /// A statement.
    Leaf(Box<Leaf>),
    /// `if` or `select case`.
    Branch(Box<Branch>),
    /// A loop.
    Loop(Box<Loop>),
}

/// A statement.
#[derive(Clone, Debug)]
pub(crate) struct Leaf {
    /// The primal statement.
    pub stmt: Rc<Stmt>,
    /// What it does.
    pub access: Rc<Access>,
    /// Its adjoint, without saves and restores.
    pub adjoint: Rc<Vec<Stmt>>,
    /// Primal values that the adjoint uses, as they are before the statement.
    pub needs: LocSet,
    /// Primal values that its adjoint, or what undoes it, uses as they are after the statement.
    pub after: LocSet,
    /// Its adjoint uses the value that it assigns in place of the one that it overwrites.
    pub by_result: bool,
    /// Brings back the value that it overwrites, in place of a save.
    pub undo: Option<Stmt>,
    /// It has to be undone.
    pub undone: bool,
    /// Primal values that the adjoint may change (a call's forward sweep within it).
    pub clobbers: LocSet,
    /// References that the statement may assign, by which values are saved: the left side, or a call's actual arguments.
    pub targets: Rc<Vec<(Expr, LocSet)>>,
    /// Those of them whose value no adjoint needs when the forward sweep of each level assigns them.
    pub unneeded: Vec<Vec<Expr>>,
    /// What the subscripts of the targets use.
    pub subscripts: LocSet,
    /// The associations of the pointers through which the targets are reached.
    pub pointers: LocSet,
    /// It may associate pointers anew.
    pub associates: bool,
    /// What runs in its place in its own forward sweep, and keeps what its adjoint needs to know.
    pub forward: Option<Stmt>,
    /// It runs in the forward sweep whatever is needed of it.
    pub forced: bool,
    /// Kept in the forward sweep of each level.
    pub keep: Vec<bool>,
    /// References whose value is saved before it and restored before its adjoint.
    pub saves: Vec<Expr>,
    /// References whose value is restored after the adjoint, which changes them.
    pub preserve: Vec<Expr>,
    /// How it is undone, for an `allocate` or `deallocate`.
    pub storage: Option<Storage>,
    /// A variable of a module that it allocates stays as the forward sweep leaves it: nothing before has to do with it, and
    /// what tells whether it is to be allocated stays, too.
    pub left: bool,
    /// Objects that a call may allocate, free, or give another shape.
    pub reshaped: Vec<Reshaped>,
    /// Follows the statement in the forward sweep: adjoints of what it allocates.
    pub follow: Vec<Stmt>,
    /// Its forward half, for a call that is reversed in two halves; `adjoint` is the backward half.
    pub(in crate::reverse) split: Option<SplitCall>,
    /// Of a call: its adjoint by what the call leaves, in place of one that runs the callee again.
    pub(in crate::reverse) by_what_is_left: Option<Rc<CallAdjoint>>,
    /// What of the callee's adjoint `adjoint` calls, where the call isn't split.
    pub(in crate::reverse) part: Part,
    /// Why a call isn't split.
    pub(in crate::reverse) whole: Option<&'static str>,
    /// Nothing but its adjoint runs, which computes values again.
    pub(in crate::reverse) recompute: Option<Recompute>,
    /// What runs in its place in steps of a time loop that run again, where its outcome is known.
    pub(in crate::reverse) decided: Option<Box<Decided>>,
}

/// How the backward sweep learns which way a branch went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Replay {
    /// The condition has the same value there.
    Evaluate,
    /// It is saved.
    Save,
}

/// A branch.
#[derive(Clone, Debug)]
pub(crate) struct Branch {
    /// The primal statement, without its bodies.
    pub stmt: Stmt,
    /// What its conditions use.
    pub reads: LocSet,
    /// Its blocks; the last one is the `else` or default when `exhaustive`.
    pub arms: Vec<Vec<Node>>,
    /// One of the blocks runs for sure.
    pub exhaustive: bool,
    /// Its conditions ask for the status of storage, which the backward sweep doesn't bring back.
    pub asks_status: bool,
    /// How the backward sweep learns the way.
    pub replay: Replay,
}

/// A loop.
#[derive(Clone, Debug)]
pub(crate) struct Loop {
    /// The primal statement, with its body.
    pub stmt: Rc<Stmt>,
    /// What its header uses and assigns.
    pub access: Rc<Access>,
    /// Its body, without the exit at its end.
    pub body: Vec<Node>,
    /// The condition of the exit at its end.
    pub exit: Option<(Stmt, Expr, LocSet)>,
    /// The bounds have the same value in the backward sweep.
    pub stable_bounds: bool,
    /// The forward part of an iteration runs again in the backward sweep, so that nothing but `snapshot` is saved.
    pub region: bool,
    /// Its iterations are blocks of iterations of a time loop.
    pub(in crate::reverse) blocks: Option<Blocks>,
    /// It is one iteration that stands for those of a loop with a fixed point.
    pub(in crate::reverse) iterated: Option<Box<Iterated>>,
    /// Arrays that are saved as a whole at the start of each iteration, to be read there by its adjoints.
    pub(in crate::reverse) direct: Vec<Direct>,
    /// Values saved at the start of each iteration of a region.
    pub snapshot: Vec<Expr>,
    /// What a region's iteration uses of the state at its start.
    pub needs: LocSet,
    /// The loop variable's value from before is saved.
    pub save_variable: bool,
    /// The variable that it counts with.
    pub(in crate::reverse) variable: Option<Expr>,
    /// Arrays that it assigns from end to end.
    pub covers: LocSet,
    /// Work arrays: what an iteration uses of them it has assigned before.
    pub(in crate::reverse) private: LocSet,
    /// Variables of which directives give each iteration its own, and that nothing mentions outside the loop.
    pub(in crate::reverse) proved: LocSet,
    /// Of these, what has its memory from where it is declared, each component of an object by itself.
    pub(in crate::reverse) plain: Vec<(Expr, LocSet)>,
    /// Of these, what is saved where an iteration ends: its adjoint begins with the values that it has left, which the next
    /// iteration doesn't overwrite, since it has its own.
    pub(in crate::reverse) last: Vec<Expr>,
    /// Arrays of whose elements no two iterations touch the same.
    pub(in crate::reverse) disjoint: LocSet,
    /// The values of its variable.
    pub(in crate::reverse) range: Range,
    /// Each iteration frees what it allocates.
    pub portable: bool,
    /// Objects that are allocated and freed inside, and variables that directives make private: what an iteration has of
    /// its own.
    pub own: LocSet,
    /// What is used after the loop, for one that runs in blocks.
    pub(in crate::reverse) after: LocSet,
}

impl Leaf {
    /// A statement that does this and has no adjoint yet.
    pub(in crate::reverse) fn new(stmt: Stmt, access: Access) -> Leaf {
        Leaf {
            stmt: Rc::new(stmt),
            access: Rc::new(access),
            adjoint: Rc::default(),
            needs: LocSet::new(),
            after: LocSet::new(),
            by_result: false,
            undo: None,
            undone: false,
            clobbers: LocSet::new(),
            targets: Rc::default(),
            unneeded: Vec::new(),
            subscripts: LocSet::new(),
            pointers: LocSet::new(),
            associates: false,
            forward: None,
            forced: false,
            keep: Vec::new(),
            saves: Vec::new(),
            preserve: Vec::new(),
            storage: None,
            left: false,
            reshaped: Vec::new(),
            follow: Vec::new(),
            split: None,
            by_what_is_left: None,
            part: Part::Whole,
            whole: None,
            recompute: None,
            decided: None,
        }
    }

    /// Adds references that the statement may assign.
    pub(in crate::reverse) fn add_targets(&mut self, more: impl IntoIterator<Item = (Expr, LocSet)>) {
        Rc::make_mut(&mut self.targets).extend(more);
    }

    /// True when it runs in the forward sweep of a level.
    pub(in crate::reverse) fn kept(&self, level: usize) -> bool {
        self.keep.get(level).copied().unwrap_or(false)
    }

    /// True when no adjoint needs the value of a target that the forward sweep of a level assigns.
    pub(in crate::reverse) fn spares(&self, target: &Expr, level: usize) -> bool {
        self.unneeded.get(level).is_some_and(|list| list.contains(target))
    }
}

impl Loop {
    /// The time loop inside a loop over blocks of its iterations.
    pub(in crate::reverse) fn steps(&self) -> Option<&Loop> {
        match (&self.blocks, self.body.as_slice()) {
            (Some(blocks), [.., Node::Loop(inner)]) if !blocks.single() => Some(inner),
            _ => None,
        }
    }

    /// The same to be changed.
    pub(in crate::reverse) fn steps_mut(&mut self) -> Option<&mut Loop> {
        match (&self.blocks, self.body.as_mut_slice()) {
            (Some(blocks), [.., Node::Loop(inner)]) if !blocks.single() => Some(inner),
            _ => None,
        }
    }

    /// The user's loop: blocks of iterations stand for the time loop inside them.
    pub(in crate::reverse) fn own(&self) -> &Loop {
        self.steps().unwrap_or(self)
    }
}

impl Node {
    /// Its primal statement: blocks of iterations stand for the time loop inside them.
    pub(in crate::reverse) fn statement(&self) -> &Stmt {
        match self {
            Node::Leaf(l) => &l.stmt,
            Node::Branch(b) => &b.stmt,
            Node::Loop(l) => &l.own().stmt,
        }
    }

    /// True when there is anything to do for it in the backward sweep.
    pub(crate) fn has_adjoint(&self) -> bool {
        match self {
            Node::Leaf(l) => {
                !l.adjoint.is_empty()
                    || !l.saves.is_empty()
                    || l.undone
                    || l.reshaped.iter().any(|r| r.undone)
                    || matches!(l.storage, Some(Storage::Held | Storage::Undone { .. }))
            }
            Node::Branch(b) => b.arms.iter().flatten().any(Node::has_adjoint),
            Node::Loop(l) => l.body.iter().any(Node::has_adjoint),
        }
    }

    /// True when something is saved for the backward sweep.
    pub(in crate::reverse) fn saves_something(&self) -> bool {
        match self {
            Node::Leaf(l) => !l.saves.is_empty() || l.storage.is_some(),
            Node::Branch(b) => {
                b.replay == Replay::Save && self.has_adjoint() || b.arms.iter().flatten().any(Node::saves_something)
            }
            Node::Loop(l) => !l.snapshot.is_empty() || l.body.iter().any(Node::saves_something),
        }
    }

    /// Calls `f` on every leaf, in order.
    pub(crate) fn for_each_leaf<'a>(&'a self, f: &mut dyn FnMut(&'a Leaf)) {
        match self {
            Node::Leaf(l) => f(l),
            Node::Branch(b) => b.arms.iter().flatten().for_each(|n| n.for_each_leaf(f)),
            Node::Loop(l) => l.body.iter().for_each(|n| n.for_each_leaf(f)),
        }
    }

    /// The same with leaves that can be changed.
    pub(crate) fn for_each_leaf_mut(&mut self, f: &mut dyn FnMut(&mut Leaf)) {
        match self {
            Node::Leaf(l) => f(l),
            Node::Branch(b) => b.arms.iter_mut().flatten().for_each(|n| n.for_each_leaf_mut(f)),
            Node::Loop(l) => l.body.iter_mut().for_each(|n| n.for_each_leaf_mut(f)),
        }
    }

    /// Calls `f` with the variables of all loops, this one included, and what their headers assign.
    pub(in crate::reverse) fn for_each_variable<'a>(&'a self, f: &mut dyn FnMut(&'a Expr, &'a LocSet)) {
        match self {
            Node::Leaf(_) => {}
            Node::Branch(b) => b.arms.iter().flatten().for_each(|n| n.for_each_variable(f)),
            Node::Loop(l) => {
                if let Some(v) = &l.variable {
                    f(v, &l.access.writes);
                }
                l.body.iter().for_each(|n| n.for_each_variable(f));
            }
        }
    }

    /// True when the node holds a loop, itself included.
    pub(crate) fn has_loop(&self) -> bool {
        match self {
            Node::Leaf(_) => false,
            Node::Branch(b) => b.arms.iter().flatten().any(Node::has_loop),
            Node::Loop(_) => true,
        }
    }

    /// Everything that may be assigned inside, loop variables included.
    pub(crate) fn writes(&self, out: &mut LocSet) {
        match self {
            Node::Leaf(l) => out.extend(l.access.writes.iter().copied()),
            Node::Branch(b) => b.arms.iter().flatten().for_each(|n| n.writes(out)),
            Node::Loop(l) => {
                out.extend(l.access.writes.iter().copied());
                l.body.iter().for_each(|n| n.writes(out));
            }
        }
    }
}

/// Sets the level of the sweep that tests.
pub(in crate::reverse) fn set_level(nodes: &mut [Node], level: usize) {
    for n in nodes {
        n.for_each_leaf_mut(&mut |l| l.decided.iter_mut().for_each(|d| d.level = level));
    }
}

/// Everything that may be assigned in a list of nodes.
pub(crate) fn writes(nodes: &[Node]) -> LocSet {
    let mut out = LocSet::new();
    nodes.iter().for_each(|n| n.writes(&mut out));
    out
}
