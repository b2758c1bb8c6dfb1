//! Generated code copies objects with `=`, and means the assignment that Fortran itself defines. Where an assignment of the
//! user's would be called instead, and for objects of a class, which can't be assigned as a whole, it copies the components.
//! So it does where it brings an object back that pointers may lead into: `=` frees allocatable components and allocates
//! them again (Fortran 2018, 10.2.1.3), while an assignment to the component itself keeps its memory.

use costate_analysis::affine::plus;
use costate_analysis::normal::is_intrinsic;
use costate_analysis::storage::{
    all_components, component, holds_allocatables, is_allocatable, resolve, through_pointer,
};
use costate_grammar::diag::{Code, Diagnostic};
use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{
    AllocItem, Attrs, Base, Block, Callee, Dim, Expr, ExprKind, IfArm, LoopControl, Name, Origin, Part, Program, Role,
    ScopeId, Stmt, StmtKind, Subscript, SymId, SymbolKind, Ty, Variable,
};
use costate_grammar::operators::BinaryOp;
use costate_grammar::source::Span;

use crate::names::Taken;

/// Writes the assignments of a body that Fortran would take for something else component by component. Those that can't
/// be are added to `problems`.
/// `scope` is that of the primal, and `generated` that of the procedure that the body belongs to.
pub(crate) fn spell_out(
    program: &mut Program,
    [scope, generated]: [ScopeId; 2],
    body: Block,
    problems: &mut Vec<Diagnostic>,
) -> Block {
    let mut out = Block::with_capacity(body.len());
    for mut stmt in body {
        for inner in stmt.blocks_mut() {
            *inner = spell_out(program, [scope, generated], std::mem::take(inner), problems);
        }
        match &stmt.kind {
            StmtKind::Assign { lhs, rhs }
                if !holds(program, scope, lhs) || is_restored_in_place(program, &stmt, lhs) =>
            {
                let mut spelt = Spelling { program, scope, generated, from: &stmt, out: Block::new() };
                match spelt.value(lhs, rhs) {
                    Some(()) => out.append(&mut spelt.out),
                    None => problems.push(refusal(&stmt)),
                }
            }
            _ => out.push(stmt),
        }
    }
    out
}

/// Whether `=` gives an object its value.
fn holds(program: &Program, scope: ScopeId, lhs: &Expr) -> bool {
    match lhs.ty.base {
        Base::Class(_) => false,
        Base::Derived(t) => is_intrinsic(program, scope, t),
        _ => true,
    }
}

/// Whether a statement brings an object back whose allocatable components pointers may lead to.
fn is_restored_in_place(program: &Program, stmt: &Stmt, lhs: &Expr) -> bool {
    let back = matches!(stmt.origin, Origin::Derived { role: Role::Restore, .. });
    back && matches!(lhs.ty.base, Base::Derived(_)) && holds_allocatables(program, lhs.ty) && is_target(program, lhs)
}

/// Whether an object may be the target of pointers. Of a dummy it isn't known: some object of its type may be passed.
fn is_target(program: &Program, object: &Expr) -> bool {
    let Some(d) = object.as_var() else { return false };
    let Some(v) = program.var(d.sym) else { return true };
    let passed = || {
        let target = |v: &Variable| (v.attrs.target || v.attrs.pointer) && v.ty.derived().is_some();
        program.symbols.iter().any(|s| matches!(&s.kind, SymbolKind::Variable(v) if target(v)))
    };
    v.attrs.target || through_pointer(program, d) || v.dummy.is_some() && passed()
}

fn refusal(stmt: &Stmt) -> Diagnostic {
    Diagnostic::error(
        Code::UnsupportedStatement,
        stmt.origin.span(),
        "an object that is overwritten here can't be copied",
    )
    .reason("derivative code saves it and puts it back, and its type has an assignment of its own or is found out at run time")
    .help("declare it with type(...), and give its components values one by one")
}

struct Spelling<'a> {
    program: &'a mut Program,
    scope: ScopeId,
    generated: ScopeId,
    from: &'a Stmt,
    out: Block,
}

impl Spelling<'_> {
    /// Gives an object a value. That of a function is held by a variable first, whose allocation takes no assignment.
    fn value(&mut self, to: &Expr, from: &Expr) -> Option<()> {
        if !matches!(from.kind, ExprKind::Call { .. }) || !matches!(from.ty.base, Base::Derived(_)) {
            if is_allocatable(self.program, to) && matches!(to.ty.base, Base::Derived(_)) {
                let all = self.assigned_memory(to, from)?;
                self.out.push(all);
                return Some(());
            }
            return self.copy(to, from);
        }
        let mut from = from.clone();
        // gfortran fails on a bound operator there.
        if let ExprKind::Call { callee: Callee::Proc { generic: None, operator, .. }, .. } = &mut from.kind {
            *operator = None;
        }
        let value = Expr::var(self.holder(&from), from.ty, from.rank);
        self.copy(to, &value)?;
        let copies = std::mem::take(&mut self.out);
        let items = vec![AllocItem { object: value.clone(), shape: Vec::new() }];
        let options = vec![("source".into(), from)];
        self.push(StmtKind::Allocate { items, type_spec: None, options });
        self.out.extend(copies);
        self.push(StmtKind::Deallocate { items: vec![value], options: Vec::new() });
        Some(())
    }

    /// An allocatable variable of the generated procedure for values like one.
    fn holder(&mut self, like: &Expr) -> SymId {
        let mut taken = Taken::visible(self.program, self.scope);
        taken.extend(&Taken::visible(self.program, self.generated));
        let mut var = Variable::scalar(like.ty, self.program.spell(like.ty));
        var.spelling_uses.extend(like.ty.derived());
        var.attrs.allocatable = true;
        var.dims = vec![Dim::Deferred; usize::from(like.rank)];
        let kind = SymbolKind::Variable(Box::new(var));
        self.program.add_symbol(self.generated, taken.fresh("value"), Span::default(), kind)
    }

    fn copy(&mut self, to: &Expr, from: &Expr) -> Option<()> {
        let t = to.ty.derived()?;
        to.as_var()?;
        from.as_var()?;
        if to.rank > 0 && to.rank == from.rank && !self.flat(to.ty) {
            return self.elements(to, from);
        }
        let components: Vec<(Name, Attrs, Ty, u8)> = all_components(self.program, t)
            .iter()
            .map(|c| (c.name.clone(), c.var.attrs, c.var.ty, c.var.rank()))
            .collect();
        for (name, attrs, ty, rank) in components {
            let whole_array = to.rank > 0 || from.rank > 0;
            if whole_array && (rank > 0 || attrs.pointer || attrs.allocatable) {
                return None;
            }
            let [part, held] = [to, from].map(|e| component(self.program, e, &name, ty, rank.max(e.rank)));
            if attrs.pointer {
                self.push(StmtKind::PointerAssign { lhs: part, rhs: held });
            } else if matches!(ty.base, Base::Class(_) | Base::Unlimited) {
                return None;
            } else if !holds(self.program, self.scope, &part)
                || !attrs.allocatable && holds_allocatables(self.program, ty)
            {
                if attrs.allocatable {
                    return None;
                }
                self.copy(&part, &held)?;
            } else if attrs.allocatable {
                self.copy_memory(part, held)?;
            } else {
                self.push(StmtKind::Assign { lhs: part, rhs: held });
            }
        }
        Some(())
    }

    /// The elements of an array one by one.
    fn elements(&mut self, to: &Expr, from: &Expr) -> Option<()> {
        let counters: Vec<SymId> = (0..to.rank).map(|_| self.counter()).collect();
        let place: Vec<Expr> = counters.iter().map(|c| Expr::var(*c, Ty::INTEGER, 0)).collect();
        let [one, other] = [to, from].map(|e| element(self.program, e, &place));
        let around = std::mem::take(&mut self.out);
        self.copy(&one?, &other?)?;
        for (k, var) in counters.into_iter().enumerate() {
            let body = std::mem::take(&mut self.out);
            let size = Expr::intrinsic(Intrinsic::Size, vec![to.clone(), Expr::int(k as i64 + 1)]);
            let control = LoopControl::Count { var, lo: Expr::int(0), hi: plus(&size, &Expr::int(-1)), step: None };
            self.push(StmtKind::repeat(control, body));
        }
        let copies = std::mem::replace(&mut self.out, around);
        self.out.extend(copies);
        Some(())
    }

    /// An integer variable of the generated procedure.
    fn counter(&mut self) -> SymId {
        let mut taken = Taken::visible(self.program, self.scope);
        taken.extend(&Taken::visible(self.program, self.generated));
        let var = Variable::scalar(Ty::INTEGER, self.program.spell(Ty::INTEGER));
        let kind = SymbolKind::Variable(Box::new(var));
        self.program.add_symbol(self.generated, taken.fresh("k"), Span::default(), kind)
    }

    /// Whether all components of a type are scalars that lie in it, at any depth.
    fn flat(&self, ty: Ty) -> bool {
        ty.derived().is_none_or(|t| {
            all_components(self.program, t).iter().all(|c| {
                let attrs = c.var.attrs;
                !attrs.pointer && !attrs.allocatable && c.var.rank() == 0 && self.flat(c.var.ty)
            })
        })
    }

    /// An allocatable component: its memory follows what is copied.
    fn copy_memory(&mut self, to: Expr, from: Expr) -> Option<()> {
        let body = self.assigned_memory(&to, &from)?;
        let free = self.stmt(StmtKind::Deallocate { items: vec![to.clone()], options: Vec::new() });
        let arms =
            vec![IfArm { cond: from.allocated(), body: vec![body] }, IfArm { cond: to.allocated(), body: vec![free] }];
        self.push(StmtKind::If { name: None, arms, otherwise: None, one_line: false });
        Some(())
    }

    /// What gives an allocatable object a value: where it has the value's shape its memory stays where it is, and so does
    /// what is in it.
    fn assigned_memory(&mut self, to: &Expr, from: &Expr) -> Option<Stmt> {
        let assign = self.stmt(StmtKind::Assign { lhs: to.clone(), rhs: from.clone() });
        if !holds_allocatables(self.program, to.ty) {
            return Some(assign);
        }
        let around = std::mem::take(&mut self.out);
        self.copy(to, from)?;
        let mut inside = std::mem::replace(&mut self.out, around);
        if to.rank > 0 {
            let [a, b] = [to, from].map(|e| Expr::intrinsic(Intrinsic::Shape, vec![e.clone()]));
            let same = Expr::intrinsic(Intrinsic::All, vec![Expr::binary(BinaryOp::Eq, a, b)]);
            inside = vec![self.when(same, inside, Some(vec![assign.clone()]))];
        }
        Some(self.when(to.allocated(), inside, Some(vec![assign])))
    }

    fn when(&mut self, cond: Expr, body: Block, otherwise: Option<Block>) -> Stmt {
        self.stmt(StmtKind::If { name: None, arms: vec![IfArm { cond, body }], otherwise, one_line: false })
    }

    fn stmt(&mut self, kind: StmtKind) -> Stmt {
        Stmt { id: self.program.fresh_stmt(), kind, ..self.from.clone() }
    }

    fn push(&mut self, kind: StmtKind) {
        let stmt = self.stmt(kind);
        self.out.push(stmt);
    }
}

/// The element of an array, or of a section, at a place that is counted from 0 in each dimension.
fn element(program: &Program, array: &Expr, place: &[Expr]) -> Option<Expr> {
    let mut d = array.as_var()?.clone();
    let all = || Subscript::Range { lo: None, hi: None, step: None };
    let mut list = match d.parts.pop() {
        Some(Part::Subscripts(list)) => list,
        last => {
            d.parts.extend(last);
            vec![all(); usize::from(resolve(program, d.sym, &d.path())?.rank())]
        }
    };
    let whole = Expr { kind: ExprKind::Var(d.clone()), rank: list.len() as u8, ..array.clone() };
    let mut places = place.iter();
    for (k, s) in list.iter_mut().enumerate() {
        let Subscript::Range { lo, step, .. } = s.clone() else { continue };
        let first =
            lo.unwrap_or_else(|| Expr::intrinsic(Intrinsic::Lbound, vec![whole.clone(), Expr::int(k as i64 + 1)]));
        let offset = places.next()?.clone();
        *s = Subscript::Index(plus(&first, &step.map_or(offset.clone(), |s| offset.mul(s))));
    }
    if places.next().is_some() {
        return None;
    }
    d.parts.push(Part::Subscripts(list));
    Some(Expr { kind: ExprKind::Var(d), rank: 0, ..array.clone() })
}
