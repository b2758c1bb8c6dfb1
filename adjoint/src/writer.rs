//! What derivatives that are written from what is said of a procedure have in common: local variables, calls of the primal.

use std::collections::{BTreeMap, BTreeSet};

use costate_grammar::ir::{
    Arg, Block, Callee, Dim, Expr, ExprKind, Name, ProcKind, Program, Role, Stmt, StmtKind, SymId,
};

use crate::build::Builder;
use crate::mode::Mode;

/// What a procedure does with a dummy.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Use {
    pub(crate) read: bool,
    pub(crate) written: bool,
}

/// What is known where a derivative is written.
pub(crate) struct Writer<'w, 'b> {
    pub(crate) b: &'w mut Builder<'b>,
    /// What the primal does with its dummies and its result.
    pub(crate) uses: BTreeMap<SymId, Use>,
    /// The dummies, and the result, that have a derivative here.
    pub(crate) derivatives: BTreeSet<SymId>,
    /// The procedure's dummies by their names, and its result.
    pub(crate) named: Vec<(Name, SymId)>,
    /// The solution that the procedure has left isn't passed.
    pub(crate) unseen: bool,
    /// Arrays in which it leaves something else.
    pub(crate) overwritten: Vec<SymId>,
    /// The extent that is meant where a dummy's last one isn't declared.
    pub(crate) size: Option<Expr>,
    pub(crate) mode: Mode,
    pub(crate) from: &'w Stmt,
    pub(crate) out: Block,
}

/// True for a dummy of which there may be a copy.
pub(crate) fn has_copies(program: &Program, dummy: SymId) -> bool {
    program.var(dummy).is_some_and(|v| {
        let (a, array) = (&v.attrs, |d: &Dim| matches!(d, Dim::Explicit(..) | Dim::Assumed(_)));
        !(a.allocatable || a.pointer || a.optional) && v.ty.derived().is_none() && v.dims.iter().all(array)
    })
}

/// What is passed for dummies where not they themselves are.
pub(crate) type Actuals = BTreeMap<SymId, Expr>;

impl Writer<'_, '_> {
    /// The derivative of a dummy, if it has one here.
    pub(crate) fn shadow(&mut self, sym: SymId) -> Option<Expr> {
        self.derivatives.contains(&sym).then(|| {
            let shadow = self.b.shadow_of(sym);
            self.b.var(shadow)
        })
    }

    fn role(&self) -> Role {
        if self.mode == Mode::Tangent { Role::Tangent } else { Role::Adjoint }
    }

    pub(crate) fn made(&mut self, kind: StmtKind) -> Stmt {
        let role = self.role();
        self.b.derive(kind, self.from, role)
    }

    pub(crate) fn set(&mut self, lhs: Expr, rhs: Expr) {
        let s = self.made(StmtKind::Assign { lhs, rhs });
        self.out.push(s);
    }

    /// A local variable of the shape of a dummy, with a value; the value gives it its shape where the declaration doesn't.
    pub(crate) fn local(&mut self, of: SymId, ending: &str, shape: &Expr, value: Option<Expr>) -> Expr {
        let Some(v) = self.b.program.var(of).cloned() else { return shape.clone() };
        let sized = |d: &Dim| match (d, &self.size) {
            (Dim::AssumedSize(_), Some(n)) => Dim::Explicit(None, n.clone()),
            (d, _) => d.clone(),
        };
        let declared: Vec<Dim> = v.dims.iter().map(sized).collect();
        let fixed = declared.iter().all(|d| matches!(d, Dim::Explicit(..)));
        let dims = if fixed { declared } else { vec![Dim::Deferred; v.dims.len()] };
        let base = format!("{}{ending}", self.b.program[of].name);
        let sym = self.b.local_like(&base, &v, dims);
        let own = Expr::var(sym, v.ty, v.rank());
        if !fixed && value.as_ref().is_none_or(|e| e.rank == 0) {
            self.set(own.clone(), shape.clone());
        }
        if let Some(value) = value {
            self.set(own.clone(), value);
        }
        own
    }

    /// What a further call of the primal is given for the arguments that aren't `told`: what it changes among these it must not
    /// change twice.
    pub(crate) fn spared(&mut self, told: &BTreeSet<SymId>) -> Actuals {
        let mut out = Actuals::new();
        for (_, sym) in self.named.clone() {
            let u = self.uses.get(&sym).copied().unwrap_or_default();
            // Arrays of unknown size are changed only where nobody uses what is in them.
            if told.contains(&sym) || !u.written || !has_copies(self.b.program, sym) {
                continue;
            }
            let own = self.b.var(sym);
            let copy = self.local(sym, "_copy", &own, u.read.then(|| own.clone()));
            out.insert(sym, copy);
        }
        out
    }

    /// Calls a procedure with the arguments of the primal, some of which are others.
    pub(crate) fn call(&mut self, procedure: SymId, actuals: &Actuals) {
        let p = self.b.program[self.b.primal].clone();
        let actual = |w: &Self, s: SymId| actuals.get(&s).cloned().unwrap_or_else(|| w.b.var(s));
        let args: Vec<Arg> = p.dummies.iter().map(|d| Arg::new(actual(self, *d))).collect();
        let callee = Callee::Proc { sym: procedure, generic: None, operator: None };
        let s = match p.kind {
            ProcKind::Function(r) => {
                let lhs = actual(self, r);
                let rhs = Expr::new(ExprKind::Call { callee, args }, lhs.ty, lhs.rank);
                self.made(StmtKind::Assign { lhs, rhs })
            }
            ProcKind::Subroutine | ProcKind::Program => self.made(StmtKind::Call { callee, args }),
        };
        self.out.push(s);
    }
}
