//! Procedures that know one memory by two names and assign it under one of them. Compilers may take the two for different
//! memory, and read a value before or after the assignment. What such a procedure does is certain only where every value
//! is read, under its other name, before its own element is assigned, and where whole loops or calls lie between the two,
//! of lengths that compilers don't know:
//!
//! ```fortran
//! do i = 1, n                      do i = 1, n                     do i = 1, n
//!  b(i) = b(i) + a(i)    certain    b(i) = 2*b(i)     not certain   b(i) = 2*b(i)     certain
//! end do                            c(i) = a(i)                    end do
//!                                  end do                          c = a
//! ```

use costate_grammar::intrinsics::Class;
use costate_grammar::ir::{
    Arg, Callee, Designator, Expr, ExprKind, LoopControl, Program, Stmt, StmtId, StmtKind, Subscript, SymId, Ty,
    for_each_stmt,
};
use costate_grammar::lower::{integer, size};

use crate::effects::{bind, target};
use crate::storage::resolve;

/// A loop around a statement.
#[derive(Clone, PartialEq)]
struct Around {
    id: StmtId,
    /// Its variable, where it counts.
    var: Option<SymId>,
    /// It is known how many iterations it has.
    constant: bool,
}

struct Order<'p> {
    program: &'p Program,
    read: SymId,
    written: SymId,
    loops: Vec<Around>,
    /// What has been read.
    reads: Vec<Access>,
    /// What has been assigned.
    writes: Vec<Access>,
}

/// One reference to the memory.
struct Access {
    to: Designator,
    /// The loops around it, outer ones first.
    loops: Vec<Around>,
    at: StmtId,
    form: Form,
    /// It is to an array of which it is known how many elements it has.
    constant: bool,
}

/// How much of the memory a reference means at a time.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// A scalar or an element.
    Element,
    /// An array of which each element is used for an element of the result.
    Array,
    /// An array as a whole: an argument of a procedure or of a function that rearranges or sums it.
    Whole,
}

impl Access {
    /// True where the reference runs over an array within what it doesn't share with the other one, so that no value of it
    /// waits in a register while the other one is executed. Of a loop whose length they know compilers may peel iterations,
    /// or make straight code.
    fn sweeps(&self, shared: usize) -> bool {
        let runs = |v: &SymId| self.to.subscripts().any(|s| is_index(s, *v));
        let long = self.loops[shared..].iter().filter(|l| !l.constant);
        self.form != Form::Element && !self.constant || long.filter_map(|l| l.var.as_ref()).any(runs)
    }
}

/// True when a block reads nothing under the name `read` once the same element may have been assigned under the name
/// `written`. Both stand for all of the same variable.
pub fn reads_before_writes(program: &Program, body: &[Stmt], read: SymId, written: SymId) -> bool {
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
    let mut order = Order { program, read, written, loops: Vec::new(), reads: Vec::new(), writes: Vec::new() };
    order.block(body).is_some()
}

impl Order<'_> {
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
                    self.write(d, if lhs.rank > 0 { Form::Array } else { Form::Element }, s.id)?;
                }
            }
            StmtKind::Do { control, body, .. } => {
                s.exprs().into_iter().try_for_each(|e| self.expression(e, s.id))?;
                let outer = self.loops.len();
                self.enter(s.id, control);
                self.block(body)?;
                self.loops.truncate(outer);
            }
            StmtKind::Call { callee, args } => self.call(callee, args, s.id)?,
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

    /// Notes the loops that a header begins.
    fn enter(&mut self, id: StmtId, control: &LoopControl) {
        let around = |var: Option<SymId>, constant| Around { id, var, constant };
        match control {
            LoopControl::Count { var, lo, hi, .. } => {
                self.loops.push(around(Some(*var), self.is_constant(lo, hi)));
            }
            LoopControl::Concurrent { indices, .. } => {
                let all: Vec<Around> =
                    indices.iter().map(|i| around(Some(i.0), self.is_constant(&i.1, &i.2))).collect();
                self.loops.extend(all);
            }
            LoopControl::While(_) | LoopControl::Forever => self.loops.push(around(None, false)),
        }
    }

    /// What a procedure does with an array that it is given is done when it returns. Scalars may be in registers, and so may
    /// elements that it reads one by one.
    fn call(&mut self, callee: &Callee, args: &[Arg], at: StmtId) -> Option<()> {
        let passed =
            |e: &Expr| e.as_var().filter(|d| e.rank > 0 && [self.read, self.written].contains(&d.sym)).cloned();
        let arrays: Vec<Designator> = args.iter().filter_map(|a| passed(&a.value)).collect();
        for e in args.iter().map(|a| &a.value).filter(|e| passed(e).is_none()) {
            let own = e.as_var().is_some_and(|d| [self.read, self.written].contains(&d.sym));
            if own || e.children().into_iter().any(|x| mentions(x, self.read) || mentions(x, self.written)) {
                return None;
            }
        }
        let mut accesses = Vec::new();
        for d in &arrays {
            Expr::new(ExprKind::Var(d.clone()), Ty::NONE, 0)
                .children()
                .into_iter()
                .try_for_each(|e| self.expression(e, at))?;
            let whole = d.sym == self.written || sweeps_in(self.program, callee, args, d, DEEPEST);
            let form = if whole { Form::Whole } else { Form::Element };
            accesses.push(self.fits(d, form, at, d.sym == self.written)?);
        }
        // What the procedure does with two of them in one call is asked of that call.
        for access in accesses {
            let list = if access.to.sym == self.read { &mut self.reads } else { &mut self.writes };
            list.push(access);
        }
        Some(())
    }

    fn expression(&mut self, e: &Expr, at: StmtId) -> Option<()> {
        let class = intrinsic_class(e);
        if class == Some(Class::Inquiry) {
            return Some(());
        }
        if let Some(d) = e.as_var().filter(|d| d.sym == self.read) {
            self.read(d, if e.rank > 0 { Form::Array } else { Form::Element }, at)?;
        }
        // A function of a whole array has no element of its own.
        let args: &[Arg] = if let ExprKind::Call { args, .. } = &e.kind { args } else { &[] };
        for a in args.iter().filter(|_| class != Some(Class::Elemental)) {
            for d in arrays_in(&a.value, self.read) {
                let called = if let ExprKind::Call { callee, .. } = &e.kind { Some(callee) } else { None };
                let whole = class.is_some() || called.is_some_and(|c| sweeps_in(self.program, c, args, &d, DEEPEST));
                self.read(&d, if whole { Form::Whole } else { Form::Element }, at)?;
            }
            // A function may assign its arguments.
            let assigned = a.value.as_var().filter(|d| class.is_none() && d.sym == self.written);
            assigned.into_iter().try_for_each(|d| self.write(d, Form::Whole, at))?;
        }
        e.children().into_iter().try_for_each(|x| self.expression(x, at))
    }

    fn read(&mut self, d: &Designator, form: Form, at: StmtId) -> Option<()> {
        let access = self.fits(d, form, at, false)?;
        self.reads.push(access);
        Some(())
    }

    fn write(&mut self, d: &Designator, form: Form, at: StmtId) -> Option<()> {
        let access = self.fits(d, form, at, true)?;
        self.writes.push(access);
        Some(())
    }

    /// A reference, if its order among those before it is certain.
    fn fits(&self, d: &Designator, form: Form, at: StmtId, writes: bool) -> Option<Access> {
        let access = self.access(d, form, at);
        let before = if writes { &self.reads } else { &self.writes };
        let met = before.iter().filter(|x| same_component(&x.to, d));
        let fits = |x: &Access| if writes { read_first(x, &access) } else { written_first(x, &access) };
        met.into_iter().all(fits).then_some(access)
    }
}

impl Order<'_> {
    /// A reference within the loops that the statements before have begun.
    fn access(&self, d: &Designator, form: Form, at: StmtId) -> Access {
        Access { to: d.clone(), loops: self.loops.clone(), at, form, constant: self.has_constant_shape(d) }
    }

    /// True for values from one number to another one.
    fn is_constant(&self, lo: &Expr, hi: &Expr) -> bool {
        [lo, hi].into_iter().all(|e| integer(self.program, e).is_some())
    }

    /// True for an array that is declared with numbers, and for a scalar.
    fn has_constant_shape(&self, d: &Designator) -> bool {
        resolve(self.program, d.sym, &d.path()).is_none_or(|v| size(self.program, &v.dims).is_some())
    }
}

/// True where all that is assigned is there when a later reference reads it.
fn written_first(w: &Access, r: &Access) -> bool {
    let shared = shared(w, r);
    w.sweeps(shared) && r.sweeps(shared) && w.at != r.at
}

/// True where each value is read before it is assigned.
fn read_first(r: &Access, w: &Access) -> bool {
    let shared = shared(r, w);
    let apart = r.at != w.at && (shared == 0 || r.sweeps(shared) && w.sweeps(shared));
    // Loops whose variable is no subscript are around both in whole sweeps.
    let counts = |l: &Around| l.var.is_some_and(|v| w.to.subscripts().any(|s| is_index(s, v)));
    let from = shared - w.loops[..shared].iter().rev().take_while(|l| counts(l)).count();
    let own = r.to.parts == w.to.parts
        && (from == 0 || r.sweeps(from) && w.sweeps(from))
        && ![r.form, w.form].contains(&Form::Whole);
    apart || own
}

/// How many calls in each other are looked into.
const DEEPEST: usize = 6;

/// True where a procedure reads an argument in whole sweeps only.
fn sweeps_in(program: &Program, callee: &Callee, args: &[Arg], of: &Designator, depth: usize) -> bool {
    let Some(proc) = target(program, callee).filter(|_| depth > 0) else { return false };
    let dummies = program[proc].dummies.iter().zip(bind(program, &program[proc], args));
    let given = dummies.filter(|(_, e)| e.is_some_and(|e| e.as_var() == Some(of))).map(|(d, _)| *d);
    let mut order =
        Order { program, read: of.sym, written: of.sym, loops: Vec::new(), reads: Vec::new(), writes: Vec::new() };
    given.into_iter().all(|dummy| {
        order.read = dummy;
        order.only_sweeps(&program[proc].body, depth - 1)
    })
}

impl Order<'_> {
    /// True where statements read the variable in sweeps only.
    fn only_sweeps(&mut self, body: &[Stmt], depth: usize) -> bool {
        body.iter().all(|s| {
            let outer = self.loops.len();
            if let StmtKind::Do { control, .. } = &s.kind {
                self.enter(s.id, control);
            }
            let fine = self.values_sweep(s, depth) && s.blocks().into_iter().all(|b| self.only_sweeps(b, depth));
            self.loops.truncate(outer);
            fine
        })
    }

    fn values_sweep(&self, s: &Stmt, depth: usize) -> bool {
        match &s.kind {
            StmtKind::Assign { lhs, rhs } => {
                lhs.children().into_iter().chain([rhs]).all(|e| self.value_sweeps(e, s.id, depth))
            }
            StmtKind::Call { callee, args } => self.arguments_sweep(callee, args, s.id, depth),
            _ => s.exprs().into_iter().all(|e| self.value_sweeps(e, s.id, depth)),
        }
    }

    /// True where a procedure is given the variable, as a whole or in values, for sweeps only.
    fn arguments_sweep(&self, callee: &Callee, args: &[Arg], at: StmtId, depth: usize) -> bool {
        let own = |e: &Expr| e.as_var().filter(|d| d.sym == self.read).cloned();
        args.iter().map(|a| &a.value).all(|e| match own(e) {
            Some(d) => e.rank > 0 && sweeps_in(self.program, callee, args, &d, depth),
            None => self.value_sweeps(e, at, depth),
        })
    }

    fn value_sweeps(&self, e: &Expr, at: StmtId, depth: usize) -> bool {
        let class = intrinsic_class(e);
        match &e.kind {
            _ if class == Some(Class::Inquiry) => return true,
            ExprKind::Call { callee, args } if class.is_none() => {
                return self.arguments_sweep(callee, args, at, depth);
            }
            _ => {}
        }
        let own = e.as_var().filter(|d| d.sym == self.read).is_none_or(|d| {
            let form = if e.rank > 0 { Form::Array } else { Form::Element };
            self.access(d, form, at).sweeps(0)
        });
        own && e.children().into_iter().all(|x| self.value_sweeps(x, at, depth))
    }
}

/// How many loops two references share.
fn shared(a: &Access, b: &Access) -> usize {
    a.loops.iter().zip(&b.loops).take_while(|(a, b)| a == b).count()
}

fn mentions(e: &Expr, sym: SymId) -> bool {
    e.as_var().is_some_and(|d| d.sym == sym) || e.children().into_iter().any(|x| mentions(x, sym))
}

/// The arrays of a variable that an expression mentions.
fn arrays_in(e: &Expr, sym: SymId) -> Vec<Designator> {
    let own = e.as_var().filter(|d| d.sym == sym && e.rank > 0).cloned();
    own.into_iter().chain(e.children().into_iter().flat_map(|x| arrays_in(x, sym))).collect()
}

/// The class of an intrinsic function that an expression calls.
fn intrinsic_class(e: &Expr) -> Option<Class> {
    match &e.kind {
        ExprKind::Call { callee: Callee::Intrinsic(f), .. } => Some(f.class()),
        _ => None,
    }
}

fn is_index(s: &Subscript, var: SymId) -> bool {
    matches!(s, Subscript::Index(e) if e.as_var().is_some_and(|d| d.sym == var && d.parts.is_empty()))
}

/// True unless two references name different components.
fn same_component(a: &Designator, b: &Designator) -> bool {
    a.path().iter().zip(&b.path()).all(|(x, y)| x == y)
}
