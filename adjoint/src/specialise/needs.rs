//! Which dummies of a procedure decide what it calls.

use std::collections::{BTreeMap, BTreeSet};

use costate_analysis::effects::{bind, target};
use costate_analysis::normal::as_plain_call;
use costate_grammar::ir::{
    Arg, Base, Callee, Expr, ExprKind, ParentUnit, ProcId, Program, Stmt, StmtKind, SymId, for_each_expr, for_each_stmt,
};

/// Positions of such dummies by procedure.
#[derive(Default)]
pub(super) struct Needs(BTreeMap<ProcId, BTreeSet<usize>>);

impl Needs {
    /// Those of all procedures.
    pub(super) fn of(program: &Program) -> Needs {
        let mut needs = Needs::default();
        let mut candidates = Vec::new();
        for (id, p) in program.procedures() {
            let procedures = |d: &SymId| program[*d].procedure().is_some();
            let objects = |d: &SymId| program.var(*d).is_some_and(|v| matches!(v.ty.base, Base::Class(_)));
            let decides = p.dummies.iter().any(|d| procedures(d) || objects(d));
            if p.parent == ParentUnit::Interface || !decides || p.copy_of.is_some() {
                continue;
            }
            let given: BTreeSet<usize> = (0..p.dummies.len()).filter(|&i| procedures(&p.dummies[i])).collect();
            if !given.is_empty() {
                needs.0.insert(id, given);
            }
            if p.dummies.iter().any(objects) {
                candidates.push(id);
            }
        }
        loop {
            let before = needs.size();
            for &id in &candidates {
                needs.objects(program, id);
            }
            if needs.size() == before {
                return needs;
            }
        }
    }

    fn size(&self) -> usize {
        self.0.values().map(BTreeSet::len).sum()
    }

    /// True when there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Those of one procedure, if it has any.
    pub(super) fn of_procedure(&self, proc: ProcId) -> Option<&BTreeSet<usize>> {
        self.0.get(&proc)
    }

    /// Adds the objects of a procedure whose dynamic type decides something in it.
    fn objects(&mut self, program: &Program, id: ProcId) {
        let dummies = &program[id].dummies;
        let mut found = BTreeSet::new();
        // Names of `associate` and `select type` stand for dummies.
        let mut names: BTreeMap<SymId, usize> = dummies.iter().copied().zip(0..).collect();
        let at = |names: &BTreeMap<SymId, usize>, e: &Expr| {
            let d = e.as_var().filter(|d| d.path().is_empty() && matches!(e.ty.base, Base::Class(_)))?;
            names.get(&d.sym).copied()
        };
        for_each_stmt(&program[id].body, &mut |s| {
            if let StmtKind::Associate { bindings, .. } = &s.kind {
                let known: Vec<_> = bindings.iter().filter_map(|(n, e)| Some((*n, at(&names, e)?))).collect();
                names.extend(known);
            }
            if let StmtKind::Unsupported { what, body, .. } = &s.kind
                && what == "select type"
            {
                found.extend(selector(body).and_then(|e| at(&names, e)));
            }
            for (callee, args) in calls(s) {
                if let Callee::Bound { object, resolved: None, .. } = callee {
                    found.extend(at(&names, object));
                }
                let plain = match callee {
                    Callee::Bound { .. } => as_plain_call(program, callee, args),
                    Callee::Proc { .. } => Some((callee.clone(), args.to_vec())),
                    Callee::Intrinsic(_) => None,
                };
                let Some((callee, args)) = plain else { continue };
                let Some(wanted) = target(program, &callee).and_then(|p| Some((p, self.0.get(&p)?))) else { continue };
                let actuals = bind(program, &program[wanted.0], &args);
                found.extend(wanted.1.iter().filter_map(|k| at(&names, actuals.get(*k).copied().flatten()?)));
            }
        });
        if !found.is_empty() {
            self.0.entry(id).or_default().extend(found);
        }
    }
}

/// The selector of a `select type`.
pub(super) fn selector(body: &[Stmt]) -> Option<&Expr> {
    let [Stmt { kind: StmtKind::If { arms, .. }, .. }] = body else { return None };
    arms.iter().flat_map(|a| &a.body).find_map(|s| match &s.kind {
        StmtKind::Associate { bindings, .. } => bindings.first().map(|(_, e)| e),
        _ => None,
    })
}

fn calls(s: &Stmt) -> Vec<(&Callee, &[Arg])> {
    let mut out = Vec::new();
    if let StmtKind::Call { callee, args } = &s.kind {
        out.push((callee, args.as_slice()));
    }
    for e in s.exprs() {
        for_each_expr(e, &mut |e| {
            if let ExprKind::Call { callee, args } = &e.kind {
                out.push((callee, args.as_slice()));
            }
        });
    }
    out
}

/// True for a type that others extend.
pub(super) fn is_extended(program: &Program, ty: SymId) -> bool {
    program.symbols.iter().any(|s| s.derived().is_some_and(|d| d.extends == Some(ty)))
}
