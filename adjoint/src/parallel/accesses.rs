//! What an iteration of a loop refers to.

use std::collections::BTreeSet;

use costate_analysis::dependence::meeting;
use costate_analysis::sections::flow::Scene;
use costate_analysis::sections::{Range, Section, apart, swept};
use costate_analysis::storage::symbols;
use costate_grammar::intrinsics::Class;
use costate_grammar::ir::{
    Arg, Callee, CaseRange, Designator, Expr, ExprKind, LoopControl, Part, Stmt, StmtId, StmtKind, SymId, for_each_expr,
};
use costate_grammar::lines::Sentinel;
use costate_grammar::operators::BinaryOp;

use super::calls::Calls;

/// How a reference is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum How {
    /// Its value is used.
    Read,
    /// It gets a value.
    Assigned,
    /// Something is added to it, which doesn't depend on it.
    Added,
}

/// A reference to a variable.
#[derive(Clone, Debug)]
pub(super) struct Access<'s> {
    /// The reference.
    pub(super) of: &'s Designator,
    /// What is done with it.
    pub(super) how: How,
    /// The statement.
    pub(super) stmt: StmtId,
    /// The loops around it inside the loop, outermost first.
    pub(super) within: Vec<Range>,
    /// A procedure does it.
    pub(super) by_call: bool,
    /// It stands under no condition, and in no loop that may have no iteration.
    pub(super) certain: bool,
}

/// All that an iteration refers to.
pub(super) struct Accesses<'s, 'p> {
    scene: &'s Scene<'p>,
    /// The variables of the loops whose iterations are shared out.
    vars: Vec<SymId>,
    /// The values of these variables.
    ranges: Vec<Range>,
    /// In the order of the text.
    pub(super) list: Vec<Access<'s>>,
    /// The variables of the loops inside.
    pub(super) inner: BTreeSet<SymId>,
    /// Everything that an iteration assigns, these variables among them.
    pub(super) assigned: BTreeSet<SymId>,
    /// There is a loop inside.
    pub(super) loops: bool,
    /// A procedure is called.
    pub(super) calls: bool,
    known: &'s Calls,
    /// Variables of modules that called procedures use.
    pub(super) globals: BTreeSet<SymId>,
}

/// Where the walk is.
#[derive(Clone)]
struct At {
    within: Vec<Range>,
    certain: bool,
    /// How many loops inside the loop are around it.
    depth: usize,
}

impl<'s, 'p> Accesses<'s, 'p> {
    /// Those of the body of loops over `vars`, or why it can't be told what they are.
    pub(super) fn of(
        scene: &'s Scene<'p>,
        nest: &[(SymId, &LoopControl)],
        body: &'s [Stmt],
        known: &'s Calls,
    ) -> Result<Accesses<'s, 'p>, String> {
        let mut out = Accesses {
            scene,
            vars: nest.iter().map(|l| l.0).collect(),
            ranges: nest.iter().map(|l| scene.range_of(l.1, body)).collect(),
            list: Vec::new(),
            inner: BTreeSet::new(),
            assigned: BTreeSet::new(),
            loops: false,
            calls: false,
            known,
            globals: BTreeSet::new(),
        };
        out.block(body, &At { within: Vec::new(), certain: true, depth: 0 })?;
        let written = out.list.iter().filter(|a| a.how != How::Read).map(|a| a.of.sym);
        out.assigned = written.chain(out.inner.iter().copied()).collect();
        Ok(out)
    }

    fn block(&mut self, block: &'s [Stmt], at: &At) -> Result<(), String> {
        block.iter().try_for_each(|s| self.statement(s, at))
    }

    fn statement(&mut self, s: &'s Stmt, at: &At) -> Result<(), String> {
        let inside = At { certain: false, ..at.clone() };
        match &s.kind {
            StmtKind::Assign { lhs, rhs } => self.assignment(s, lhs, rhs, at),
            StmtKind::If { arms, otherwise, .. } => {
                for arm in arms {
                    self.read(&arm.cond, s, at)?;
                }
                arms.iter().map(|a| &a.body).chain(otherwise).try_for_each(|b| self.block(b, &inside))
            }
            StmtKind::Select { selector, arms, .. } => {
                self.read(selector, s, at)?;
                for e in arms.iter().flat_map(|a| &a.ranges).flat_map(CaseRange::exprs) {
                    self.read(e, s, at)?;
                }
                arms.iter().try_for_each(|a| self.block(&a.body, &inside))
            }
            StmtKind::Do { control, body, .. } => {
                for e in s.exprs() {
                    self.read(e, s, at)?;
                }
                self.loops = true;
                let mut inside = At { depth: at.depth + 1, ..inside };
                match control {
                    LoopControl::Count { var, .. } => {
                        self.inner.insert(*var);
                        inside.within.push(self.scene.range_of(control, body));
                    }
                    LoopControl::While(_) | LoopControl::Forever => {}
                    LoopControl::Concurrent { .. } => return Err("a do concurrent loop stands in it".into()),
                }
                self.block(body, &inside)
            }
            StmtKind::Exit(None) | StmtKind::Cycle(None) if at.depth > 0 => Ok(()),
            StmtKind::Continue | StmtKind::Comment(_) => Ok(()),
            StmtKind::Directive { directive, body: None, .. } if directive.sentinel == Sentinel::Ad => Ok(()),
            StmtKind::Stop { .. } => s.exprs().into_iter().try_for_each(|e| self.read(e, s, at)),
            StmtKind::Call { callee, args } => self.call(callee, args, s, at),
            StmtKind::Allocate { .. } | StmtKind::Deallocate { .. } => Err("memory is allocated in it".into()),
            StmtKind::Io { .. } => Err("there is input or output in it".into()),
            _ => Err("there is a statement in it that isn't followed here".into()),
        }
    }

    fn assignment(&mut self, s: &'s Stmt, lhs: &'s Expr, rhs: &'s Expr, at: &At) -> Result<(), String> {
        let Some(d) = lhs.as_var() else { return Err("it assigns what is no variable".into()) };
        let amounts = increments(lhs, rhs).filter(|list| list.iter().all(|e| !mentions(e, d.sym)));
        match &amounts {
            Some(list) => list.iter().try_for_each(|e| self.read(e, s, at))?,
            None => self.read(rhs, s, at)?,
        }
        lhs.children().into_iter().try_for_each(|e| self.read(e, s, at))?;
        let how = if amounts.is_some() { How::Added } else { How::Assigned };
        self.add(d, how, s, at, false);
        Ok(())
    }

    fn read(&mut self, e: &'s Expr, s: &Stmt, at: &At) -> Result<(), String> {
        let mut refused = None;
        for_each_expr(e, &mut |x| match &x.kind {
            ExprKind::Var(d) => self.add(d, How::Read, s, at, false),
            ExprKind::Call { callee: Callee::Intrinsic(f), .. } => {
                if !matches!(f.class(), Class::Elemental | Class::Inquiry | Class::Transformational) {
                    refused = Some("an intrinsic procedure in it may do something beside giving a value".to_string());
                }
            }
            ExprKind::Call { callee, args } => {
                let found = self.call(callee, args, s, at);
                refused = refused.take().or(found.err());
            }
            ExprKind::Opaque(_) => refused = Some("an expression in it isn't understood".to_string()),
            _ => {}
        });
        refused.map_or(Ok(()), Err)
    }

    fn add(&mut self, of: &'s Designator, how: How, s: &Stmt, at: &At, by_call: bool) {
        self.list.push(Access { of, how, stmt: s.id, within: at.within.clone(), by_call, certain: at.certain });
    }

    fn call(&mut self, callee: &'s Callee, args: &'s [Arg], s: &Stmt, at: &At) -> Result<(), String> {
        self.calls = true;
        let program = self.scene.program;
        let Some((effect, list)) = self.known.arguments(program, callee, args) else {
            return Err("a procedure that is called in it may do more than to compute with its arguments".into());
        };
        self.globals.extend(effect.reads.iter().copied());
        for (how, e, rank) in list {
            match e.as_var() {
                Some(d) if how != How::Read => {
                    if rank > 0 && e.rank == 0 {
                        return Err("an element stands for an array in a call".into());
                    }
                    self.add(d, how, s, at, true);
                    e.children().into_iter().try_for_each(|e| self.read(e, s, at))?;
                }
                Some(_) if rank > 0 && e.rank == 0 => return Err("an element stands for an array in a call".into()),
                _ => self.read(e, s, at)?,
            }
        }
        Ok(())
    }

    /// The references to a variable.
    pub(super) fn to(&self, sym: SymId) -> impl Iterator<Item = &Access<'s>> {
        self.list.iter().filter(move |a| a.of.sym == sym)
    }

    /// True when what is assigned by one reference is nothing to another iteration's other reference to the same variable.
    pub(super) fn apart(&self, a: &Access<'_>, b: &Access<'_>) -> bool {
        let (Some(x), Some(y)) = (in_one_part(a.of), in_one_part(b.of)) else { return false };
        match (&x, &y) {
            (Place { path: p, .. }, Place { path: q, .. }) if p != q => {
                let common = p.iter().zip(q).position(|(m, n)| m != n);
                return common.is_some();
            }
            _ => {}
        }
        self.vars.iter().enumerate().all(|(k, var)| {
            let others = self.vars.iter().filter(|v| *v != var);
            let moving: BTreeSet<SymId> = self.assigned.iter().chain(others).copied().collect();
            meeting(&x.of, &y.of, *var, &moving).in_one_iteration() || self.sections_apart(a, b, k, &moving)
        })
    }

    fn sections_apart(&self, a: &Access<'_>, b: &Access<'_>, k: usize, moving: &BTreeSet<SymId>) -> bool {
        let var = self.vars[k];
        let section = |r: &Access<'_>| -> Option<Section> {
            let (section, _) = self.scene.section(r.of)?;
            let inner = r.within.iter().rev().fold(section, |s, range| swept(&s, range, &|_| false));
            let whole = swept(&inner, &self.ranges[k], &|_| false);
            Some(swept(&whole, &Range::default(), &|s| s == var || moving.contains(&s)))
        };
        matches!((section(a), section(b)), (Some(x), Some(y)) if apart(&x, &y))
    }
}

/// A reference as the names of its components, and all of its subscripts in one list.
struct Place {
    path: Vec<String>,
    of: Designator,
}

/// `None` for a part of a string.
fn in_one_part(d: &Designator) -> Option<Place> {
    let mut path = Vec::new();
    let mut subscripts = Vec::new();
    for part in &d.parts {
        match part {
            Part::Component(name) => path.push(name.to_string()),
            Part::Subscripts(list) => subscripts.extend(list.iter().cloned()),
            Part::Substring(..) => return None,
        }
    }
    let parts = if subscripts.is_empty() { Vec::new() } else { vec![Part::Subscripts(subscripts)] };
    Some(Place { path, of: Designator { sym: d.sym, parts } })
}

/// What `rhs` adds to `lhs`; `None` for another assignment.
pub(super) fn increments<'e>(lhs: &Expr, rhs: &'e Expr) -> Option<Vec<&'e Expr>> {
    let mut first = rhs;
    let mut out = Vec::new();
    while let ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, a, b) = &first.kind {
        out.push(&**b);
        first = a;
    }
    (first == lhs && !out.is_empty()).then_some(out)
}

fn mentions(e: &Expr, sym: SymId) -> bool {
    symbols(e).contains(&sym)
}
