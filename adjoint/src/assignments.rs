//! Generated code copies objects with `=`, and means the assignment that Fortran itself defines. Where an assignment of the
//! user's would be called instead, and for objects of a class, which can't be assigned as a whole, it copies the components.

use costate_analysis::normal::is_intrinsic;
use costate_analysis::storage::{all_components, component};
use costate_grammar::diag::{Code, Diagnostic};
use costate_grammar::ir::{
    AllocItem, Attrs, Base, Block, Callee, Dim, Expr, ExprKind, IfArm, Name, Program, ScopeId, Stmt, StmtKind, SymId,
    SymbolKind, Ty, Variable,
};
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
            StmtKind::Assign { lhs, rhs } if !holds(program, scope, lhs) => {
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
            } else if !holds(self.program, self.scope, &part) {
                if attrs.allocatable || rank > 0 && !self.flat(ty) {
                    return None;
                }
                self.copy(&part, &held)?;
            } else if attrs.allocatable {
                self.copy_memory(part, held);
            } else {
                self.push(StmtKind::Assign { lhs: part, rhs: held });
            }
        }
        Some(())
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
    fn copy_memory(&mut self, to: Expr, from: Expr) {
        let free = self.stmt(StmtKind::Deallocate { items: vec![to.clone()], options: Vec::new() });
        let free = self.stmt(StmtKind::If {
            name: None,
            arms: vec![IfArm { cond: to.allocated(), body: vec![free] }],
            otherwise: None,
            one_line: false,
        });
        let cond = from.allocated();
        let body = vec![self.stmt(StmtKind::Assign { lhs: to, rhs: from })];
        let otherwise = Some(vec![free]);
        self.push(StmtKind::If { name: None, arms: vec![IfArm { cond, body }], otherwise, one_line: false });
    }

    fn stmt(&mut self, kind: StmtKind) -> Stmt {
        Stmt { id: self.program.fresh_stmt(), kind, ..self.from.clone() }
    }

    fn push(&mut self, kind: StmtKind) {
        let stmt = self.stmt(kind);
        self.out.push(stmt);
    }
}
