//! Drops questions about memory whose answer is known: the assignment of an array to an allocatable of the same shape asks
//! nothing. Only questions that normal form itself put in are looked at.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use costate_grammar::intrinsics::{Class, Intrinsic};
use costate_grammar::ir::{
    Arg, Block, Callee, Expr, ExprKind, Intent, LoopControl, Origin, Part, ProcId, ProcKind, Program, Role, Stmt,
    StmtKind, SymId, for_each_stmt, map_expr,
};
use costate_grammar::operators::{BinaryOp, UnaryOp};

use super::callee;
use super::context::Cx;
use crate::dataflow::engine::{Direction, Problem, solve};
use crate::dataflow::graph::{Edge, Node, Place, Way, of_body};
use crate::effects::outlives;
use crate::storage::symbols;

/// What is known of an allocatable variable's memory.
#[derive(Clone, Debug, PartialEq)]
enum Memory {
    None,
    /// It has memory; its extents, where they are known.
    Some(Option<Vec<Expr>>),
}

/// What is known where; a variable that is missing may have memory or not.
type State = BTreeMap<SymId, Memory>;

/// Drops what is known.
pub(super) fn run(cx: &mut Cx<'_>, block: Block) -> Block {
    if !cx.program[cx.proc].internals.is_empty() || jumps(&block) {
        return block;
    }
    let entry = start(cx);
    if entry.is_empty() {
        return block;
    }
    let tracked = entry.keys().copied().collect();
    let mut problem = Memories { program: cx.program, proc: cx.proc, tracked, entry, answers: BTreeMap::new() };
    solve(&of_body(&block), &mut problem);
    drop_known(numbered(block, 0), &problem.answers)
}

/// True where statements are left by other ways than their end, an exit at the end of a loop aside.
fn jumps(block: &[Stmt]) -> bool {
    block.iter().any(|s| match &s.kind {
        StmtKind::Exit(_) | StmtKind::Cycle(_) | StmtKind::Return | StmtKind::Goto(_) => true,
        StmtKind::Do { body, .. } if crate::loops::exit_flag(body).is_some() => jumps(&body[..body.len() - 1]),
        _ => s.blocks().into_iter().any(|b| jumps(b)),
    })
}

/// Local allocatables have no memory at the start, nor have results and outputs.
fn start(cx: &Cx<'_>) -> State {
    let program = &*cx.program;
    let mut out = State::new();
    let temporaries = cx.temporaries.iter().copied();
    for sym in program[cx.scope].names.values().copied().chain(temporaries) {
        let Some(v) = program.var(sym) else { continue };
        let own = program[sym].scope == cx.scope && v.attrs.allocatable && !v.attrs.target && !v.attrs.save;
        let result = program[cx.proc].kind == ProcKind::Function(sym);
        let output = v.dummy.is_some() && v.intent == Some(Intent::Out);
        if own && (result || output || !outlives(program, cx.proc, sym)) {
            out.insert(sym, Memory::None);
        }
    }
    out
}

/// The question that a branch asks which normal form put in: its condition, if it has one arm.
fn question(stmt: &Stmt) -> Option<&Expr> {
    match (&stmt.kind, &stmt.origin) {
        (StmtKind::If { arms, .. }, Origin::Derived { role: Role::Normal, .. }) => match arms.as_slice() {
            [arm] => Some(&arm.cond),
            _ => None,
        },
        _ => None,
    }
}

/// The problem: a forward one, in which a branch whose condition is known goes one way.
struct Memories<'p> {
    program: &'p Program,
    proc: ProcId,
    tracked: BTreeSet<SymId>,
    entry: State,
    /// The answers to questions that are known, by the numbers of their statements: copies of one share its identity.
    answers: BTreeMap<usize, bool>,
}

impl<'a> Problem<Node<'a>, Edge<'a>> for Memories<'_> {
    type Fact = State;
    const DIRECTION: Direction = Direction::Forward;

    fn boundary(&mut self) -> State {
        self.entry.clone()
    }

    fn join(&mut self, fact: &mut State, other: &State) -> bool {
        join(fact, other)
    }

    fn transfer(&mut self, node: Node<'a>, fact: &mut State) {
        match (&node.stmt.kind, node.place) {
            (StmtKind::Do { control: LoopControl::Count { var, .. }, .. }, Place::Header | Place::Again) => {
                forget(fact, &BTreeSet::from([*var]));
            }
            (StmtKind::If { .. } | StmtKind::Select { .. } | StmtKind::Do { .. }, _) => {}
            (_, Place::Leaf) => self.leaf(node.stmt, fact),
            // What governs statements in other ways may do anything.
            (_, Place::Header | Place::Again | Place::End) => fact.clear(),
        }
    }

    fn cross(&mut self, edge: Edge<'a>, fact: &mut State) -> bool {
        let Some(Stmt { kind: StmtKind::If { arms, .. }, .. }) = edge.stmt else { return true };
        let chosen = match edge.way {
            Way::Arm(k) => arms.get(k).map(|_| k),
            Way::Skip => None,
            Way::Next | Way::Enter | Way::Again | Way::Done | Way::Jump => return true,
        };
        // Where the answer is known, the other way isn't taken.
        let all = arms.iter().enumerate().take(chosen.map_or(arms.len(), |k| k + 1));
        for (k, arm) in all {
            let holds = Some(k) == chosen;
            if answer(&arm.cond, fact) == Some(!holds) {
                return false;
            }
            learn(&arm.cond, holds, &self.tracked, fact);
        }
        true
    }

    fn settled(&mut self, node: Node<'a>, fact: &State) {
        if let (Place::Header, Some(question)) = (node.place, question(node.stmt)) {
            self.answers.extend(answer(question, fact).map(|holds| (node.number, holds)));
        }
    }
}

/// The statements of a block, each with its number in the order of the text.
fn numbered(block: Block, first: usize) -> VecDeque<(usize, Stmt)> {
    let mut next = first;
    let number = |s: Stmt| {
        let own = next;
        next += count(std::slice::from_ref(&s));
        (own, s)
    };
    block.into_iter().map(number).collect()
}

/// How many statements a block has, those in others included.
fn count(block: &[Stmt]) -> usize {
    let mut n = 0;
    for_each_stmt(block, &mut |_| n += 1);
    n
}

/// Puts the statements of branches in their place where the answer to their question is known.
fn drop_known(mut rest: VecDeque<(usize, Stmt)>, answers: &BTreeMap<usize, bool>) -> Block {
    let mut out = Block::new();
    while let Some((number, mut stmt)) = rest.pop_front() {
        let mut next = number + 1;
        let Some(holds) = answers.get(&number) else {
            let looked_into = matches!(stmt.kind, StmtKind::If { .. } | StmtKind::Select { .. } | StmtKind::Do { .. });
            if looked_into && !stmt.is_region() {
                for b in stmt.blocks_mut() {
                    let inner = std::mem::take(b);
                    let size = count(&inner);
                    *b = drop_known(numbered(inner, next), answers);
                    next += size;
                }
            }
            out.push(stmt);
            continue;
        };
        let StmtKind::If { arms, otherwise, .. } = &mut stmt.kind else { continue };
        let body = arms.pop().map(|a| a.body).unwrap_or_default();
        let mut chosen = if *holds {
            numbered(body, next)
        } else {
            next += count(&body);
            numbered(otherwise.take().unwrap_or_default(), next)
        };
        // Comments go to what is left.
        match chosen.front_mut().or(rest.front_mut()) {
            Some((_, next)) => {
                let mut leading = stmt.leading;
                leading.append(&mut next.leading);
                next.leading = leading;
                next.label = next.label.or(stmt.label);
            }
            None if stmt.leading.is_empty() && stmt.label.is_none() => {}
            None => out.push(Stmt { kind: StmtKind::Continue, ..stmt }),
        }
        chosen.into_iter().rev().for_each(|s| rest.push_front(s));
    }
    out
}

impl Memories<'_> {
    fn leaf(&self, stmt: &Stmt, state: &mut State) {
        match &stmt.kind {
            StmtKind::Allocate { items, options, .. } => {
                for item in items {
                    let extents: Vec<Expr> = (item.shape.iter())
                        .map(|(lo, hi)| crate::affine::count(lo.as_ref().unwrap_or(&Expr::int(1)), hi))
                        .map(|n| resolved(&n, state))
                        .collect();
                    let known = (!extents.is_empty()).then_some(extents);
                    self.set(&item.object, options.is_empty().then_some(Memory::Some(known)), state);
                }
            }
            StmtKind::Deallocate { items, options } => {
                items.iter().for_each(|e| self.set(e, options.is_empty().then_some(Memory::None), state));
            }
            StmtKind::Assign { lhs, rhs } => {
                if let ExprKind::Call { callee, args } = &rhs.kind
                    && !matches!(callee, Callee::Intrinsic(_))
                {
                    self.call(callee, args, state);
                }
                if lhs.as_var().is_some_and(|d| d.parts.is_empty() && self.tracked.contains(&d.sym)) {
                    // Its shape may change, unless normal form has just seen to it.
                    let kept = lhs.as_var().and_then(|d| state.get(&d.sym)).cloned().filter(|_| !self.reshapes(rhs));
                    self.set(lhs, Some(kept.unwrap_or(Memory::Some(None))), state);
                }
                if let Some(d) = lhs.as_var() {
                    // An element of an array is none of its extents.
                    let part = matches!(d.parts.last(), Some(Part::Subscripts(_)));
                    forget_where(state, &|e| {
                        if part { valued(e).contains(&d.sym) } else { symbols(e).contains(&d.sym) }
                    });
                }
            }
            StmtKind::Call { callee, args } => self.call(callee, args, state),
            StmtKind::Io { items, .. } => {
                let changed = items.defines.iter().filter_map(Expr::as_var).map(|d| d.sym).collect();
                forget(state, &changed);
            }
            StmtKind::Continue
            | StmtKind::Comment(_)
            | StmtKind::Stop { .. }
            | StmtKind::Exit(_)
            | StmtKind::Directive { body: None, .. } => {}
            _ => state.clear(),
        }
    }

    /// True when the right side may give the whole of an allocatable another shape.
    fn reshapes(&self, rhs: &Expr) -> bool {
        match &rhs.kind {
            ExprKind::Call { callee, .. } if !matches!(callee, Callee::Intrinsic(_)) => {
                callee::result_variable(self.program, callee).is_none_or(|v| v.attrs.allocatable)
            }
            _ => true,
        }
    }

    fn set(&self, e: &Expr, memory: Option<Memory>, state: &mut State) {
        // Extents in terms of its own are those of another shape from now on.
        e.as_var().iter().for_each(|d| forget(state, &BTreeSet::from([d.sym])));
        let Some(d) = e.as_var().filter(|d| d.parts.is_empty() && self.tracked.contains(&d.sym)) else { return };
        match memory {
            Some(m) => state.insert(d.sym, m),
            None => state.remove(&d.sym),
        };
    }

    /// A call may change what it is given, and what isn't the procedure's own.
    fn call(&self, callee: &Callee, args: &[Arg], state: &mut State) {
        let program = self.program;
        let known = callee::interface(program, callee);
        let mut changed = BTreeSet::new();
        for (i, a) in args.iter().enumerate() {
            let Some(d) = a.value.as_var() else { continue };
            changed.insert(d.sym);
            let dummy = known.and_then(|p| callee::dummy_of(program, p, callee, i, a)).and_then(|s| program.var(s));
            let keeps = match callee {
                Callee::Intrinsic(f) => *f != Intrinsic::MoveAlloc,
                Callee::Proc { .. } => dummy.is_none_or(|v| !v.attrs.allocatable),
                Callee::Bound { .. } => dummy.is_some_and(|v| !v.attrs.allocatable),
            };
            if !keeps {
                state.remove(&d.sym);
            }
        }
        forget(state, &changed);
        let others = |e: &Expr| symbols(e).iter().any(|s| outlives(program, self.proc, *s) && !input(program, *s));
        for m in state.values_mut() {
            if matches!(m, Memory::Some(Some(extents)) if extents.iter().any(others)) {
                *m = Memory::Some(None);
            }
        }
    }
}

/// True for a dummy that can't change.
fn input(program: &costate_grammar::ir::Program, sym: SymId) -> bool {
    program.var(sym).is_some_and(|v| v.attrs.parameter || v.dummy.is_some() && v.intent == Some(Intent::In))
}

/// Extents that depend on variables that change are unknown from then on.
fn forget(state: &mut State, changed: &BTreeSet<SymId>) {
    forget_where(state, &|e| symbols(e).iter().any(|s| changed.contains(s)));
}

fn forget_where(state: &mut State, changed: &dyn Fn(&Expr) -> bool) {
    for m in state.values_mut() {
        if matches!(m, Memory::Some(Some(e)) if e.iter().any(changed)) {
            *m = Memory::Some(None);
        }
    }
}

/// The variable and the dimension that an inquiry is about.
fn inquiry(e: &Expr) -> Option<(Intrinsic, SymId, usize)> {
    let ExprKind::Call { callee: Callee::Intrinsic(f), args } = &e.kind else { return None };
    let d = args.first()?.value.as_var().filter(|d| d.parts.is_empty())?;
    let k = args.get(1).map_or(Some(1), |a| a.value.as_int())?;
    Some((*f, d.sym, usize::try_from(k - 1).ok()?))
}

/// The symbols whose values an expression uses, which the bounds of a variable are not.
fn valued(e: &Expr) -> BTreeSet<SymId> {
    match &e.kind {
        ExprKind::Var(_) => symbols(e),
        _ if inquiry(e).is_some_and(|(f, ..)| f.class() == Class::Inquiry) => BTreeSet::new(),
        _ => e.children().into_iter().flat_map(valued).collect(),
    }
}

/// An extent in terms of known extents: the upper bound of an array is its lower bound and its extent less one.
fn resolved(e: &Expr, state: &State) -> Expr {
    let known = |x: &Expr| {
        let (f, sym, k) = inquiry(x)?;
        let Some(Memory::Some(Some(extents))) = state.get(&sym) else { return None };
        let n = extents.get(k).filter(|n| n.ty == x.ty)?.clone();
        match f {
            Intrinsic::Size => Some(n),
            Intrinsic::Ubound => {
                let lower = map_expr(x.clone(), &mut |y| match y.kind {
                    ExprKind::Call { callee: Callee::Intrinsic(Intrinsic::Ubound), args } => {
                        let kind = ExprKind::Call { callee: Callee::Intrinsic(Intrinsic::Lbound), args };
                        Expr { kind, ..y }
                    }
                    _ => y,
                });
                Some(crate::affine::plus(&crate::affine::plus(&lower, &n), &Expr::int(-1)))
            }
            _ => None,
        }
    };
    let replaced = map_expr(e.clone(), &mut |x| known(&x).unwrap_or(x));
    crate::affine::plus(&replaced, &Expr::int(0))
}

/// Keeps of what is known what holds on another way too; true when that is less.
fn join(known: &mut State, other: &State) -> bool {
    let mut changed = false;
    known.retain(|sym, x| {
        let joined = match (&*x, other.get(sym)) {
            (x, Some(y)) if x == y => return true,
            (Memory::Some(_), Some(Memory::Some(_))) => Some(Memory::Some(None)),
            _ => None,
        };
        changed |= joined.as_ref() != Some(x);
        joined.map(|m| *x = m).is_some()
    });
    changed
}

/// The variable whose memory an expression asks for.
fn asked(e: &Expr) -> Option<SymId> {
    match &e.unparen().kind {
        ExprKind::Call { callee: Callee::Intrinsic(Intrinsic::Allocated), args } => {
            args.first()?.value.as_var().filter(|d| d.parts.is_empty()).map(|d| d.sym)
        }
        _ => None,
    }
}

/// What a condition tells.
fn learn(cond: &Expr, holds: bool, tracked: &BTreeSet<SymId>, state: &mut State) {
    match &cond.unparen().kind {
        ExprKind::Unary(UnaryOp::Not, inner) => learn(inner, !holds, tracked, state),
        _ => {
            let Some(sym) = asked(cond).filter(|s| tracked.contains(s)) else { return };
            state.entry(sym).or_insert(if holds { Memory::Some(None) } else { Memory::None });
        }
    }
}

/// The value of a condition, where it is known.
fn answer(cond: &Expr, state: &State) -> Option<bool> {
    match &cond.unparen().kind {
        ExprKind::Unary(UnaryOp::Not, inner) => answer(inner, state).map(|v| !v),
        ExprKind::Binary(BinaryOp::Or, a, b) => match (answer(a, state), answer(b, state)) {
            (Some(true), _) | (_, Some(true)) => Some(true),
            (Some(false), Some(false)) => Some(false),
            _ => None,
        },
        ExprKind::Binary(BinaryOp::Ne, size, n) => {
            let ExprKind::Call { callee: Callee::Intrinsic(Intrinsic::Size), args } = &size.kind else { return None };
            let d = args.first()?.value.as_var().filter(|d| d.parts.is_empty())?;
            let k = args.get(1).map_or(Some(1), |a| a.value.as_int())?;
            let Some(Memory::Some(Some(extents))) = state.get(&d.sym) else { return None };
            let known = extents.get(usize::try_from(k - 1).ok()?)?;
            // One more than the difference.
            crate::affine::count(&resolved(known, state), &resolved(n, state)).as_int().map(|v| v != 1)
        }
        _ => Some(matches!(state.get(&asked(cond)?)?, Memory::Some(_))),
    }
}
