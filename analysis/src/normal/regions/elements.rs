//! Elements of shared arrays of which the directives of a loop prove that its iterations don't meet there.

use std::collections::BTreeSet;

use costate_grammar::ir::{
    Arg, Callee, Designator, Expr, ExprKind, LoopControl, Part, ProcId, Program, Stmt, StmtKind, Subscript, SymId,
    for_each_expr, for_each_stmt,
};

use crate::callgraph::{calls, reached};
use crate::calls::{bind, target};
use crate::dataflow::variables::used_before_assigned;
use crate::loops::step_sign;
use crate::sections::scene::changed_arguments;
use crate::storage::{symbols, through_pointer};

/// Elements of which no two iterations touch the same one (see [`costate_grammar::ir::Evidence`]).
#[derive(Clone, Default)]
pub(super) struct Apart {
    pub(super) written: Vec<Expr>,
    pub(super) own: Vec<Expr>,
    pub(super) touched: [Vec<Expr>; 2],
}

impl Apart {
    /// What is known of the references in the body of a loop; `shared` tells the variables that iterations share.
    pub(super) fn of(program: &Program, body: &[Stmt], shared: &dyn Fn(SymId) -> bool) -> Apart {
        let mut walk =
            Walk { program, mentions: Vec::new(), path: Vec::new(), loops: Vec::new(), leaves: false, jumps: false };
        walk.block(body);
        let called = reached(program, &calls(program, body));
        let changed = called.iter().flat_map(|p| super::may_change(&program[*p].body)).collect();
        let elsewhere = elsewhere(program, body, &called);
        let exposed = used_before_assigned(program, body);
        let steady = Steady { program, body, loops: walk.loops.clone(), elsewhere, changed, exposed };
        let mut out = Apart::default();
        let add = |list: &mut Vec<Expr>, e: &Expr| {
            if !list.contains(e) {
                list.push(e.clone());
            }
        };
        for m in &walk.mentions {
            let Some(names) = steady.element(m.of, shared) else { continue };
            add(&mut out.touched[1], m.of);
            if m.assigned {
                add(&mut out.touched[0], m.of);
                if m.is_certain(&names) {
                    add(&mut out.written, m.of);
                }
            }
        }
        out.own = out.touched[0].iter().filter(|e| walk.is_always_assigned(e, &steady)).cloned().collect();
        out.written.retain(|e| out.own.contains(e));
        out
    }
}

/// What stands around a reference.
#[derive(Clone, Copy)]
enum Around<'a> {
    /// A block of a statement: it may not run.
    Block(&'a Stmt, usize),
    /// A loop with a count.
    Loop(&'a Stmt),
}

impl Around<'_> {
    fn is(&self, other: &Around<'_>) -> bool {
        match (self, other) {
            (Around::Block(a, k), Around::Block(b, l)) => std::ptr::eq(*a, *b) && k == l,
            (Around::Loop(a), Around::Loop(b)) => std::ptr::eq(*a, *b),
            _ => false,
        }
    }
}

/// A reference to a variable.
struct Mention<'a> {
    of: &'a Expr,
    stmt: &'a Stmt,
    assigned: bool,
    /// Outermost first.
    path: Vec<Around<'a>>,
}

impl Mention<'_> {
    /// True where an iteration makes it for sure: under no condition, and in no loop that gives it no subscript of its own,
    /// which may have no iteration.
    fn is_certain(&self, names: &BTreeSet<SymId>) -> bool {
        self.path.iter().all(|p| matches!(p, Around::Loop(s) if counter(s).is_some_and(|v| names.contains(&v))))
    }
}

/// All references of an iteration, in the order of the text.
struct Walk<'a> {
    program: &'a Program,
    mentions: Vec<Mention<'a>>,
    path: Vec<Around<'a>>,
    /// The variables of the loops.
    loops: Vec<SymId>,
    /// Some iterations, of loops inside maybe, end early.
    leaves: bool,
    /// Statements may be passed over in other ways.
    jumps: bool,
}

impl<'a> Walk<'a> {
    fn block(&mut self, block: &'a [Stmt]) {
        for s in block {
            self.statement(s);
        }
    }

    fn statement(&mut self, s: &'a Stmt) {
        match &s.kind {
            StmtKind::Assign { lhs, .. } => self.mention(lhs, s, true),
            StmtKind::Call { callee, args } => {
                assigned_arguments(self.program, callee, args).for_each(|e| self.mention(e, s, true));
            }
            StmtKind::Exit(_) | StmtKind::Cycle(_) => self.leaves = true,
            StmtKind::Goto(_) => self.jumps = true,
            _ => {}
        }
        for e in s.exprs() {
            for_each_expr(e, &mut |x| self.mention(x, s, false));
        }
        let count = counter(s);
        self.loops.extend(count);
        for (k, inner) in s.blocks().into_iter().enumerate() {
            self.path.push(if count.is_some() { Around::Loop(s) } else { Around::Block(s, k) });
            self.block(inner);
            self.path.pop();
        }
    }

    fn mention(&mut self, of: &'a Expr, stmt: &'a Stmt, assigned: bool) {
        if matches!(of.kind, ExprKind::Var(_)) {
            self.mentions.push(Mention { of, stmt, assigned, path: self.path.clone() });
        }
    }

    /// True for an element that an iteration assigns whenever it refers to it at all.
    fn is_always_assigned(&self, e: &Expr, steady: &Steady<'_>) -> bool {
        let all: Vec<(usize, &Mention<'_>)> = self.mentions.iter().enumerate().filter(|m| m.1.of == e).collect();
        let assigned = || all.iter().filter(|m| m.1.assigned);
        let sym = e.as_var().map(|d| d.sym);
        !sym.is_some_and(|s| steady.elsewhere.contains(&s))
            && all.iter().all(|m| assigned().any(|a| self.covers(*a, *m, steady)))
    }

    /// True where an iteration that gets to one reference makes an assignment to the same element, too.
    fn covers(&self, (at, a): (usize, &Mention<'_>), (place, m): (usize, &Mention<'_>), steady: &Steady<'_>) -> bool {
        if std::ptr::eq(a.stmt, m.stmt) {
            return true;
        }
        let names = symbols(a.of);
        let around = |p: &Around<'_>| match p {
            same if m.path.iter().any(|q| q.is(same)) => true,
            Around::Loop(s) => {
                let own = counter(s).is_some_and(|v| names.contains(&v));
                let other = |q: &Around<'_>| matches!(q, Around::Loop(t) if steady.same_range(s, t));
                own && !self.leaves && m.path.iter().any(other)
            }
            Around::Block(..) => false,
        };
        !self.jumps && (at < place || !self.leaves) && a.path.iter().all(around)
    }
}

/// The numbers among the arguments of a call that the procedure assigns in any case.
fn assigned_arguments<'a>(program: &'a Program, callee: &Callee, args: &'a [Arg]) -> impl Iterator<Item = &'a Expr> {
    let known = target(program, callee).map(|p| &program[p]);
    let bound =
        known.into_iter().flat_map(|p| p.dummies.iter().zip(bind(program, p, args)).map(move |(d, e)| (p, d, e)));
    bound.filter_map(|(p, dummy, actual)| {
        let scalar = program.var(*dummy).is_some_and(|v| v.rank() == 0 && v.ty.derived().is_none() && !v.attrs.value);
        let itself = |e: &Expr| e.as_var().is_some_and(|d| d.sym == *dummy && d.parts.is_empty());
        let goes_on = |s: &&Stmt| matches!(s.kind, StmtKind::Assign { .. } | StmtKind::Comment(_) | StmtKind::Continue);
        let mut assigned = p
            .body
            .iter()
            .take_while(goes_on)
            .filter(|s| matches!(&s.kind, StmtKind::Assign { lhs, .. } if itself(lhs)));
        (scalar && assigned.next().is_some()).then_some(actual?)
    })
}

/// The variable of a loop with a count.
fn counter(s: &Stmt) -> Option<SymId> {
    match &s.kind {
        StmtKind::Do { control: LoopControl::Count { var, .. }, .. } => Some(*var),
        _ => None,
    }
}

/// What means the same wherever it stands in an iteration.
struct Steady<'a> {
    program: &'a Program,
    body: &'a [Stmt],
    loops: Vec<SymId>,
    /// Variables that called procedures refer to, as a whole or by names of their own, or other names in the loop.
    elsewhere: BTreeSet<SymId>,
    /// What called procedures may change by names of their own: each thread may have its own index of a module.
    changed: BTreeSet<SymId>,
    /// What an iteration may use before it assigns it.
    exposed: BTreeSet<SymId>,
}

impl Steady<'_> {
    /// The names in the subscripts of an element of a shared array, where they mean the same wherever it stands.
    fn element(&self, e: &Expr, shared: &dyn Fn(SymId) -> bool) -> Option<BTreeSet<SymId>> {
        let d = e.as_var().filter(|d| shared(d.sym))?;
        let mut subscripts = false;
        let picked = d.parts.iter().all(|p| match p {
            Part::Component(_) => true,
            Part::Subscripts(list) => {
                subscripts = true;
                list.iter().all(|s| matches!(s, Subscript::Index(_)))
            }
            Part::Substring(..) => false,
        });
        let kept = e.children().into_iter().all(|i| self.is_kept(i));
        (subscripts && picked && kept).then(|| e.children().into_iter().flat_map(symbols).collect())
    }

    /// True for a value that stays the same from where it gets it to the end of the iteration, but for variables of loops.
    fn is_kept(&self, e: &Expr) -> bool {
        let mut kept = true;
        for_each_expr(e, &mut |x| {
            kept &= match &x.kind {
                ExprKind::Var(d) => {
                    let first = || match times_assigned(self.program, self.body, d) {
                        0 => true,
                        1 => !self.exposed.contains(&d.sym),
                        _ => false,
                    };
                    self.loops.contains(&d.sym) || !self.changed.contains(&d.sym) && first()
                }
                _ => true,
            };
        });
        kept
    }

    /// True for loops over the same values of one variable, in whichever direction.
    fn same_range(&self, a: &Stmt, b: &Stmt) -> bool {
        let (StmtKind::Do { control: p, .. }, StmtKind::Do { control: q, .. }) = (&a.kind, &b.kind) else {
            return false;
        };
        let (
            LoopControl::Count { var, lo, hi, step },
            LoopControl::Count { var: other, lo: first, hi: last, step: by },
        ) = (p, q)
        else {
            return false;
        };
        let one = |s: &Option<Expr>| s.as_ref().is_none_or(|e| matches!(e.as_int(), Some(1 | -1)));
        let same = lo == first && hi == last && step == by;
        let back = one(step)
            && one(by)
            && match step_sign(step.as_ref()) == step_sign(by.as_ref()) {
                true => lo == first && hi == last,
                false => lo == last && hi == first,
            };
        var == other && (same || back) && [lo, hi].into_iter().chain(step).all(|e| self.is_kept(e))
    }
}

/// How many statements of a body assign a variable, or may; of a component of an object, it or what it is in.
pub(super) fn times_assigned(program: &Program, body: &[Stmt], of: &Designator) -> usize {
    let path = of.path();
    let beside = |d: &Designator| {
        let other = d.path();
        let common = path.iter().zip(&other).all(|(a, b)| a == b);
        !common && !through_pointer(program, d) && !through_pointer(program, of)
    };
    let mut count = 0;
    for_each_stmt(body, &mut |s| {
        count += match &s.kind {
            StmtKind::Assign { lhs, .. } => usize::from(lhs.as_var().is_some_and(|d| d.sym == of.sym && !beside(d))),
            StmtKind::Do { control: LoopControl::Count { var, .. }, .. } => usize::from(*var == of.sym),
            StmtKind::If { .. } | StmtKind::Select { .. } | StmtKind::Directive { .. } => 0,
            StmtKind::Call { callee, args } => {
                2 * usize::from(changed_arguments(program, callee, args).contains(&of.sym))
            }
            _ => 2 * usize::from(s.exprs().into_iter().any(|e| symbols(e).contains(&of.sym))),
        };
        for e in s.exprs() {
            for_each_expr(e, &mut |x| match &x.kind {
                ExprKind::Call { callee: Callee::Intrinsic(_), .. } => {}
                ExprKind::Call { callee, args } => {
                    count += 2 * usize::from(changed_arguments(program, callee, args).contains(&of.sym));
                }
                _ => {}
            });
        }
    });
    count
}

/// Variables that called procedures refer to, as a whole or by names of their own, and those that get other names.
fn elsewhere(program: &Program, body: &[Stmt], called: &[ProcId]) -> BTreeSet<SymId> {
    let mut out = BTreeSet::new();
    let whole = |e: &Expr| e.as_var().filter(|_| e.rank > 0 || e.is_derived()).map(|d| d.sym);
    let mut passed = |args: &[Arg]| out.extend(args.iter().filter_map(|a| whole(&a.value)));
    for_each_stmt(body, &mut |s| {
        if let StmtKind::Call { args, .. } = &s.kind {
            passed(args);
        }
        for e in s.exprs() {
            for_each_expr(e, &mut |x| match &x.kind {
                ExprKind::Call { callee: Callee::Intrinsic(_), .. } => {}
                ExprKind::Call { args, .. } => passed(args),
                _ => {}
            });
        }
    });
    for_each_stmt(body, &mut |s| match &s.kind {
        StmtKind::Associate { .. } => out.extend(s.exprs().into_iter().flat_map(symbols)),
        StmtKind::Call { callee: Callee::Bound { object, .. }, .. } => out.extend(symbols(object)),
        _ => {}
    });
    for p in called {
        for_each_stmt(&program[*p].body, &mut |s| out.extend(s.exprs().into_iter().flat_map(symbols)));
    }
    out
}
