//! Builds one generated procedure: its scope, its derivative variables, its local variables, its statements.

use std::collections::{BTreeMap, BTreeSet};

use costate_analysis::effects::outlives;
use costate_analysis::sections::scene::Scene;
use costate_analysis::storage::resolve;
use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{
    Attrs, Base, Designator, Dim, Expr, ExprKind, LoopControl, Name, Origin, Part, ProcId, Program, Role, ScopeId,
    ScopeKind, Stmt, StmtId, StmtKind, Subscript, SymId, SymbolKind, Ty, Variable,
};
use costate_grammar::source::Span;

use crate::interface::mentions::shares_locals;
use crate::names::{Naming, Taken};

/// A generated procedure under construction. Statements refer to the primal's symbols and to new ones; the primal's
/// local symbols are cloned into the new scope when the procedure is finished.
pub struct Builder<'p> {
    /// Everything that was read, and what is generated.
    pub program: &'p mut Program,
    /// The primal procedure.
    pub primal: ProcId,
    /// The new scope.
    pub scope: ScopeId,
    /// How derivative entities are named.
    pub naming: &'p Naming,
    /// Names that are taken.
    pub taken: Taken,
    /// Names that are set aside for derivative dummies.
    pub names: BTreeMap<SymId, Name>,
    /// Derivative variables by primal variable.
    pub shadow: BTreeMap<SymId, SymId>,
    /// Derivative variables of module variables, made once for the whole run.
    pub globals: &'p mut BTreeMap<SymId, SymId>,
    /// All symbols made here (their values are no values of the primal).
    pub made: BTreeSet<SymId>,
}

/// Loop variables for the dimensions of an array, with first and last value and step.
pub type Indices = Vec<(SymId, Expr, Expr, Option<Expr>)>;

impl Builder<'_> {
    /// A new local variable.
    pub fn local(&mut self, base: &str, ty: Ty, dims: Vec<Dim>) -> SymId {
        let like = self.spelt(ty);
        self.local_like(base, &like, dims)
    }

    /// A new local variable of the type of a primal one.
    pub fn local_like(&mut self, base: &str, like: &Variable, dims: Vec<Dim>) -> SymId {
        let mut var = self.scalar_like(like);
        var.attrs = Attrs { allocatable: dims.contains(&Dim::Deferred), ..Attrs::default() };
        var.dims = dims;
        self.add(base, var)
    }

    /// A scalar of a type, spelt like the primal's variables of this type.
    pub fn spelt(&self, ty: Ty) -> Variable {
        let host = self.program[self.primal].scope;
        let named = |v: &&Variable| v.ty == ty && self.program.spelling_holds(host, v);
        let own = self.program[host].names.values().filter_map(|s| self.program.var(*s));
        match own.filter(|_| ty.is_continuous()).find(named) {
            Some(like) => self.scalar_like(like),
            None => Variable::scalar(ty, self.program.spell(ty)),
        }
    }

    /// A scalar of the type of a primal variable, without attributes.
    pub fn plain_like(&self, like: &Variable) -> Variable {
        self.scalar_like(like)
    }

    /// A scalar of the type of a primal variable, spelt as the user spelt it where all its names mean the same here, else
    /// with the kind as a number.
    fn scalar_like(&self, like: &Variable) -> Variable {
        let host = self.program[self.primal].scope;
        let as_written = match like.ty.base {
            Base::Character => like.spelling.contains('*') || self.program.spelling_holds(host, like),
            Base::Class(_) => false,
            _ => self.program.spelling_holds(host, like),
        };
        let ty = match like.ty.base {
            Base::Class(t) => Ty::new(Base::Derived(t), like.ty.kind),
            _ => like.ty,
        };
        let mut var =
            Variable::scalar(like.ty, if as_written { like.spelling.clone() } else { self.program.spell(ty) });
        if as_written {
            var.spelling_uses.clone_from(&like.spelling_uses);
        }
        if let Some(t) = like.ty.derived()
            && !var.spelling_uses.contains(&t)
        {
            var.spelling_uses.push(t);
        }
        var
    }

    /// Adds a variable under a free name.
    pub fn add(&mut self, base: &str, var: Variable) -> SymId {
        let name = self.taken.fresh(base);
        self.add_named(name, var)
    }

    fn add_named(&mut self, name: Name, var: Variable) -> SymId {
        self.taken.insert(name.clone());
        let sym = self.program.add_symbol(self.scope, name, Span::default(), SymbolKind::Variable(Box::new(var)));
        self.made.insert(sym);
        sym
    }

    /// The derivative variable of a primal variable, made on first use.
    pub fn shadow_of(&mut self, sym: SymId) -> SymId {
        if let Some(&s) = self.shadow.get(&sym).or_else(|| self.globals.get(&sym)) {
            return s;
        }
        let Some(mut shadow) = self.program.var(sym).cloned() else { return sym };
        let reserved = self.names.get(&sym).cloned();
        let spelt = self.scalar_like(&shadow);
        (shadow.spelling, shadow.spelling_uses) = (spelt.spelling, spelt.spelling_uses);
        // A pointer that starts without a target has a derivative that does.
        shadow.init = shadow.init.take().filter(|e| shadow.attrs.pointer && e.is_null());
        shadow.data = false;
        shadow.dummy = None;
        shadow.intent = None;
        shadow.result = false;
        // A pointer that keeps its association from call to call has a derivative that does.
        shadow.attrs.save &= shadow.attrs.pointer;
        shadow.attrs.parameter = false;
        shadow.attrs.protected = false;
        let name = reserved
            .unwrap_or_else(|| self.taken.fresh(&format!("{}{}", self.program[sym].name, self.naming.variable)));
        let s = self.add_named(name, shadow);
        self.shadow.insert(sym, s);
        s
    }

    /// The derivative of a reference: the same reference to the derivative variable.
    pub fn shadow_ref(&mut self, e: &Expr) -> Expr {
        match &e.kind {
            ExprKind::Var(d) => {
                let sym = self.shadow_of(d.sym);
                Expr { kind: ExprKind::Var(Designator { sym, parts: d.parts.clone() }), ..e.clone() }
            }
            _ => e.clone(),
        }
    }

    /// The variables that statements under construction may mention: the primal's and new ones.
    pub(crate) fn scene(&self) -> Scene<'_> {
        Scene { program: self.program, scopes: [self.program[self.primal].scope, self.scope] }
    }

    /// True when calls may use local variables, by host association.
    pub(crate) fn shares_locals(&self) -> bool {
        shares_locals(self.program, self.primal)
    }

    /// True for a variable that is of use after the procedure, and for its derivative.
    pub(crate) fn outlives(&self, sym: SymId) -> bool {
        let program = &self.program;
        match self.shadow.iter().find(|(_, s)| **s == sym) {
            Some((primal, _)) => outlives(program, self.primal, *primal),
            None if program[sym].scope == self.scope => program.var(sym).is_some_and(|v| v.dummy.is_some()),
            None => outlives(program, self.primal, sym),
        }
    }

    /// A statement derived from another.
    pub fn derive(&mut self, kind: StmtKind, from: &Stmt, role: Role) -> Stmt {
        let id = self.program.fresh_stmt();
        Stmt::new(id, kind, Origin::Derived { from: from.id, span: from.origin.span(), role })
    }

    /// `lhs = rhs`, derived from another statement.
    pub fn assign(&mut self, lhs: Expr, rhs: Expr, from: &Stmt, role: Role) -> Stmt {
        self.derive(StmtKind::Assign { lhs, rhs }, from, role)
    }

    /// Statements that set the derivative of a reference to zero.
    ///
    /// Fortran has no reference to an array component of all elements of an array: there a loop visits the elements.
    pub fn zero(&mut self, e: &Expr, from: &Stmt, role: Role) -> Vec<Stmt> {
        let target = self.shadow_ref(e);
        self.zero_of(target, from, role)
    }

    /// Statements that set a reference itself to zero.
    pub fn zero_of(&mut self, mut target: Expr, from: &Stmt, role: Role) -> Vec<Stmt> {
        let ExprKind::Var(mut d) = target.kind.clone() else { return Vec::new() };
        let mut loops = Vec::new();
        while let [first, _, ..] = self.arrays_of(&d)[..] {
            loops.push(self.visit_elements(&mut d, first));
        }
        if !loops.is_empty() {
            target.rank = self.arrays_of(&d).first().map_or(0, |at| self.ranges_of(&d, *at));
        }
        target.kind = ExprKind::Var(d);
        let zero = Expr::zero(target.ty);
        let body = vec![self.assign(target, zero, from, role)];
        self.nested(loops, body, from, role)
    }

    /// Statements in loops over the elements of arrays, an outer array before those that are parts of its elements.
    pub fn nested(&mut self, loops: Vec<Indices>, mut body: Vec<Stmt>, from: &Stmt, role: Role) -> Vec<Stmt> {
        for (var, lo, hi, step) in loops.into_iter().rev().flatten() {
            let control = LoopControl::Count { var, lo, hi, step };
            body = vec![self.derive(StmtKind::repeat(control, body), from, role)];
        }
        body
    }

    /// The same element of every array in references that end in the same components, and the loops over it. Their arrays
    /// are those of the components.
    pub fn elements(&mut self, refs: &mut [Expr]) -> Vec<Indices> {
        let mut loops = Vec::new();
        let [first, others @ ..] = refs else { return loops };
        let ExprKind::Var(mut d) = first.kind.clone() else { return loops };
        while let Some(at) = self.arrays_of(&d).first().copied() {
            let from_end = d.parts.len() - at;
            loops.push(self.visit_elements(&mut d, at));
            for other in others.iter_mut() {
                let ExprKind::Var(o) = &mut other.kind else { continue };
                o.parts.insert(o.parts.len() - from_end, d.parts[at].clone());
                other.rank = 0;
            }
        }
        first.rank = 0;
        first.kind = ExprKind::Var(d);
        loops
    }

    /// The numbers of parts before the arrays of a reference that aren't subscripted.
    pub fn arrays_of(&self, d: &Designator) -> Vec<usize> {
        let mut path: Vec<Name> = Vec::new();
        let mut arrays = Vec::new();
        for at in 0..=d.parts.len() {
            if at > 0 {
                match &d.parts[at - 1] {
                    Part::Component(name) => path.push(name.clone()),
                    Part::Subscripts(_) | Part::Substring(..) => {}
                }
            }
            let array = match d.parts.get(at) {
                Some(Part::Subscripts(list)) => list.iter().any(|s| matches!(s, Subscript::Range { .. })),
                Some(Part::Component(_)) | None => {
                    let subscripted = at > 0 && matches!(d.parts[at - 1], Part::Subscripts(_));
                    !subscripted && resolve(self.program, d.sym, &path).is_some_and(|v| v.rank() > 0)
                }
                Some(Part::Substring(..)) => false,
            };
            if array {
                arrays.push(at);
            }
        }
        arrays
    }

    /// A reference to the component of an object that a path leads to. Its rank is that of the array on the way.
    pub fn extend(&self, e: &Expr, path: &[Name]) -> Expr {
        let ExprKind::Var(d) = &e.kind else { return e.clone() };
        let mut d = d.clone();
        d.parts.extend(path.iter().cloned().map(Part::Component));
        let ty = resolve(self.program, d.sym, &d.path()).map_or(Ty::NONE, |v| v.ty);
        let arrays = self.arrays_of(&d).into_iter();
        let rank = arrays.map(|at| self.ranges_of(&d, at)).max().unwrap_or(0);
        Expr { ty, rank: rank.max(e.rank), span: e.span, kind: ExprKind::Var(d) }
    }

    /// The rank of the array that ends before part `at`.
    fn ranges_of(&self, d: &Designator, at: usize) -> u8 {
        if let Some(Part::Subscripts(list)) = d.parts.get(at) {
            return list.iter().filter(|s| matches!(s, Subscript::Range { .. })).count() as u8;
        }
        let before = Designator { sym: d.sym, parts: d.parts[..at].to_vec() };
        resolve(self.program, d.sym, &before.path()).map_or(0, |v| v.rank())
    }

    /// Puts loop variables for the ranges of the array that ends before part `at`.
    fn visit_elements(&mut self, d: &mut Designator, at: usize) -> Indices {
        let mut loops = Indices::new();
        let before = Designator { sym: d.sym, parts: d.parts[..at].to_vec() };
        let Some(array) = resolve(self.program, d.sym, &before.path()).cloned() else { return loops };
        let whole = Expr::new(ExprKind::Var(before), array.ty, array.rank());
        let subscripted = matches!(d.parts.get(at), Some(Part::Subscripts(_)));
        let all = || vec![Subscript::Range { lo: None, hi: None, step: None }; array.rank() as usize];
        let mut list = match d.parts.get(at) {
            Some(Part::Subscripts(list)) => list.clone(),
            Some(Part::Component(_) | Part::Substring(..)) | None => all(),
        };
        for (i, s) in list.iter_mut().enumerate() {
            let Subscript::Range { lo, hi, step } = s.clone() else { continue };
            let bound = |which| Expr::intrinsic(which, vec![whole.clone(), Expr::int(i as i64 + 1)]);
            let var = self.local("i", Expr::int(1).ty, Vec::new());
            let lo = lo.unwrap_or_else(|| bound(Intrinsic::Lbound));
            let hi = hi.unwrap_or_else(|| bound(Intrinsic::Ubound));
            loops.push((var, lo, hi, step));
            *s = Subscript::Index(self.var(var));
        }
        if subscripted {
            d.parts[at] = Part::Subscripts(list);
        } else {
            d.parts.insert(at, Part::Subscripts(list));
        }
        loops
    }

    /// A variable as an expression.
    pub fn var(&self, sym: SymId) -> Expr {
        match self.program.var(sym) {
            Some(v) => Expr::var(sym, v.ty, v.rank()),
            None => Expr::var(sym, Ty::NONE, 0),
        }
    }
}

/// A new scope for a generated procedure.
pub fn new_scope(program: &mut Program) -> ScopeId {
    program.add_scope(None, ScopeKind::Inner)
}

/// A name with a suffix.
pub fn suffixed(name: &Name, suffix: &str) -> String {
    format!("{name}{suffix}")
}

/// A statement to derive set-up and tear-down from: the body's first, or the head of the procedure.
pub(crate) fn anchor(b: &Builder<'_>, body: &[Stmt]) -> Stmt {
    let span = body.first().map_or(b.program[b.primal].head, |s| s.origin.span());
    Stmt::new(StmtId(u32::MAX), StmtKind::Continue, Origin::Source(span))
}
