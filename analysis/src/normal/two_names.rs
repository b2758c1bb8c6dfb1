//! Procedures that know one memory by two names and assign it under one of them. Compilers may take the two for different
//! memory, and read a value before or after the assignment. What such a procedure does is certain only where every value
//! is read, under its other name, before its own element is assigned:
//!
//! ```fortran
//! do i = 1, n                      do i = 1, n
//!  b(i) = b(i) + a(i)    certain    b(i) = 2*b(i)      not certain
//! end do                            c(i) = a(i)
//!                                  end do
//! ```

use costate_grammar::ir::{
    Designator, Expr, ExprKind, LoopControl, Stmt, StmtId, StmtKind, Subscript, SymId, for_each_stmt,
};

/// A loop around a statement, with its variable where it counts.
type Around = (StmtId, Option<SymId>);

struct Order {
    read: SymId,
    written: SymId,
    loops: Vec<Around>,
    /// What has been read, where.
    reads: Vec<(Designator, Vec<Around>, StmtId)>,
    /// What has been assigned.
    writes: Vec<Designator>,
}

/// True when a block reads nothing under the name `read` once the same element may have been assigned under the name
/// `written`. Both stand for all of the same variable.
pub(super) fn reads_before_writes(body: &[Stmt], read: SymId, written: SymId) -> bool {
    let mut named = [false, false];
    for_each_stmt(body, &mut |s| {
        for e in s.exprs() {
            named[0] |= mentions(e, read);
            named[1] |= mentions(e, written);
        }
    });
    if named != [true, true] {
        return true;
    }
    let mut order = Order { read, written, loops: Vec::new(), reads: Vec::new(), writes: Vec::new() };
    order.block(body).is_some()
}

impl Order {
    fn block(&mut self, body: &[Stmt]) -> Option<()> {
        for s in body {
            self.statement(s)?;
        }
        Some(())
    }

    /// Nothing where the order isn't certain.
    fn statement(&mut self, s: &Stmt) -> Option<()> {
        match &s.kind {
            StmtKind::Assign { lhs, rhs } => {
                for e in lhs.children().into_iter().chain([rhs]) {
                    self.expression(e, s.id)?;
                }
                if let Some(d) = lhs.as_var().filter(|d| d.sym == self.written) {
                    self.write(d, s.id)?;
                }
            }
            StmtKind::Do { control, body, .. } => {
                s.exprs().into_iter().try_for_each(|e| self.expression(e, s.id))?;
                let var = if let LoopControl::Count { var, .. } = control { Some(*var) } else { None };
                self.loops.push((s.id, var));
                self.block(body)?;
                self.loops.pop();
            }
            StmtKind::If { .. } | StmtKind::Select { .. } => {
                s.exprs().into_iter().try_for_each(|e| self.expression(e, s.id))?;
                s.blocks().into_iter().try_for_each(|b| self.block(b))?;
            }
            _ => {
                // What it does to the two isn't looked into.
                if s.exprs().into_iter().any(|e| mentions(e, self.read) || mentions(e, self.written)) {
                    return None;
                }
                s.blocks().into_iter().try_for_each(|b| self.block(b))?;
            }
        }
        Some(())
    }

    fn expression(&mut self, e: &Expr, at: StmtId) -> Option<()> {
        if let ExprKind::Call { args, .. } = &e.kind {
            // A function of a whole array has no element of its own.
            let whole = args.iter().any(|a| a.value.rank > e.rank && mentions(&a.value, self.read));
            if whole && !self.writes.is_empty() {
                return None;
            }
        }
        if let Some(d) = e.as_var().filter(|d| d.sym == self.read) {
            if self.writes.iter().any(|w| same_component(w, d)) {
                return None;
            }
            self.reads.push((d.clone(), self.loops.clone(), at));
        }
        e.children().into_iter().try_for_each(|x| self.expression(x, at))
    }

    fn write(&mut self, d: &Designator, at: StmtId) -> Option<()> {
        for (r, loops, from) in self.reads.iter().filter(|r| same_component(&r.0, d)) {
            let common = loops.iter().zip(&self.loops).take_while(|(a, b)| a == b);
            let vars: Vec<Option<SymId>> = common.map(|(a, _)| a.1).collect();
            let counts = |v: &Option<SymId>| v.is_some_and(|v| d.subscripts().any(|s| is_index(s, v)));
            if (*from == at || !vars.is_empty()) && !(r.parts == d.parts && vars.iter().all(counts)) {
                return None;
            }
        }
        self.writes.push(d.clone());
        Some(())
    }
}

fn mentions(e: &Expr, sym: SymId) -> bool {
    e.as_var().is_some_and(|d| d.sym == sym) || e.children().into_iter().any(|x| mentions(x, sym))
}

fn is_index(s: &Subscript, var: SymId) -> bool {
    matches!(s, Subscript::Index(e) if e.as_var().is_some_and(|d| d.sym == var && d.parts.is_empty()))
}

/// True unless two references name different components.
fn same_component(a: &Designator, b: &Designator) -> bool {
    a.path().iter().zip(&b.path()).all(|(x, y)| x == y)
}
