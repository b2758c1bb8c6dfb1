//! Local procedure pointers: what they are associated with is said by statements of the procedure itself. An integer stands
//! for each, and where it is used the statement is repeated for each procedure that it may mean. One that keeps its association
//! from call to call and begins with none (`procedure(p), pointer :: f => null()`) is associated anew in each call, or the program
//! stops where it is used.

use std::collections::BTreeMap;

use costate_analysis::effects::{bind, target};
use costate_grammar::ir::{
    Arg, Block, Callee, CaseRange, Expr, ExprKind, ParentUnit, ProcId, ProcInfo, ProcKind, Program, SelectArm, Stmt,
    StmtKind, SymId, SymbolKind, Ty, Variable, for_each_expr, for_each_stmt,
};

use crate::remap::{self, SymMap};

/// Rewrites all procedures that have such pointers.
pub(super) fn run(program: &mut Program) {
    for id in (0..program.procedures.len()).map(ProcId::new) {
        let scope = program[id].scope;
        let local = |s: &SymId| {
            let info = program[*s].procedure();
            let handed_back = program[id].kind == ProcKind::Function(*s);
            program[*s].scope == scope
                && info.is_some_and(|p| p.pointer && p.dummy.is_none() && (!p.saved || begins_with_none(p)))
                && !handed_back
        };
        let pointers: Vec<SymId> = program[scope].names.values().copied().filter(local).collect();
        if program[id].parent != ParentUnit::Interface {
            pointers.into_iter().for_each(|p| rewrite(program, id, p));
        }
    }
}

fn rewrite(program: &mut Program, id: ProcId, pointer: SymId) {
    let Some(targets) = targets(program, id, pointer) else { return };
    let mut body = std::mem::take(&mut program[id].body);
    let mut one = Rewriter { program, pointer, targets: &targets, which: None };
    if targets.len() > 1 {
        let name = super::unused_name(one.program, id, &format!("{}_which", one.program[pointer].name));
        let scope = one.program[id].scope;
        let span = one.program[pointer].span;
        let var = SymbolKind::Variable(Box::new(Variable::scalar(Ty::INTEGER, "integer")));
        one.which = Some(one.program.add_symbol(scope, name, span, var));
    }
    body = one.block(body);
    if let Some(which) = one.which
        && program[pointer].procedure().is_some_and(|p| p.saved)
        && let Some(first) = body.first()
    {
        let kind = StmtKind::Assign { lhs: Expr::var(which, Ty::INTEGER, 0), rhs: Expr::int(0) };
        let origin = first.origin;
        body.insert(0, Stmt::new(program.fresh_stmt(), kind, origin));
    }
    program[id].body = body;
}

/// True for a pointer that is declared with `null()`.
fn begins_with_none(p: &ProcInfo) -> bool {
    p.init.as_ref().is_some_and(Expr::is_null)
}

/// The procedures that a pointer is associated with, where that is all that is known to be done with it.
fn targets(program: &Program, id: ProcId, pointer: SymId) -> Option<Vec<SymId>> {
    let mut out: Vec<SymId> = Vec::new();
    let mut fine = true;
    let mut headers = false;
    for inner in &program[id].internals {
        for_each_stmt(&program[*inner].body, &mut |s| fine &= !uses(s, pointer));
    }
    for_each_stmt(&program[id].body, &mut |s| match &s.kind {
        StmtKind::PointerAssign { lhs, rhs } if is(lhs, pointer) => match &rhs.kind {
            ExprKind::ProcRef(t) => {
                let known = program[*t].procedure().is_some_and(|p| !p.pointer && p.dummy.is_none());
                fine &= known && *t != pointer;
                if !out.contains(t) {
                    out.push(*t);
                }
            }
            _ => fine &= rhs.is_null(),
        },
        StmtKind::Nullify(items) => fine &= items.len() == 1 || items.iter().all(|e| !is(e, pointer)),
        StmtKind::Assign { .. } | StmtKind::Call { .. } => {}
        StmtKind::Unsupported { names, .. } => fine &= !names.contains(&pointer),
        _ => headers |= uses(s, pointer),
    });
    for_each_stmt(&program[id].body, &mut |s| fine &= !asks(s, pointer) && !hands_on(program, s, pointer));
    (fine && !out.is_empty() && (!headers || out.len() == 1)).then_some(out)
}

fn is(e: &Expr, pointer: SymId) -> bool {
    matches!(&e.kind, ExprKind::ProcRef(s) if *s == pointer) || e.as_var().is_some_and(|d| d.sym == pointer)
}

fn uses(s: &Stmt, pointer: SymId) -> bool {
    let called = |c: &Callee| matches!(c, Callee::Proc { sym, .. } if *sym == pointer);
    let mut found = matches!(&s.kind, StmtKind::Call { callee, .. } if called(callee));
    for e in s.exprs() {
        for_each_expr(e, &mut |e| {
            found |= is(e, pointer) || matches!(&e.kind, ExprKind::Call { callee, .. } if called(callee));
        });
    }
    found
}

/// True where an intrinsic is asked about the pointer.
fn asks(s: &Stmt, pointer: SymId) -> bool {
    let mut found = false;
    for e in s.exprs() {
        for_each_expr(e, &mut |e| {
            if let ExprKind::Call { callee: Callee::Intrinsic(_), args } = &e.kind {
                found |= args.iter().any(|a| is(&a.value, pointer));
            }
        });
    }
    found
}

/// True where the pointer itself is passed: what is called may associate it.
fn hands_on(program: &Program, s: &Stmt, pointer: SymId) -> bool {
    let takes = |callee: &Callee, args: &[Arg]| {
        let Some(p) = target(program, callee) else { return false };
        let bound = bind(program, &program[p], args);
        let taken = program[p].dummies.iter().zip(bound).filter(|(_, e)| e.is_some_and(|e| is(e, pointer)));
        taken.into_iter().any(|(d, _)| program[*d].procedure().is_some_and(|p| p.pointer))
    };
    let mut found = matches!(&s.kind, StmtKind::Call { callee, args } if takes(callee, args));
    for e in s.exprs() {
        for_each_expr(e, &mut |e| found |= matches!(&e.kind, ExprKind::Call { callee, args } if takes(callee, args)));
    }
    found
}

struct Rewriter<'a> {
    program: &'a mut Program,
    pointer: SymId,
    targets: &'a [SymId],
    /// Says which of the targets it is, where there are several.
    which: Option<SymId>,
}

impl Rewriter<'_> {
    fn block(&mut self, block: Block) -> Block {
        block.into_iter().filter_map(|s| self.stmt(s)).collect()
    }

    fn stmt(&mut self, mut s: Stmt) -> Option<Stmt> {
        for b in s.blocks_mut() {
            let inner = std::mem::take(b);
            *b = self.block(inner);
        }
        let set = match &s.kind {
            StmtKind::PointerAssign { lhs, rhs } if is(lhs, self.pointer) => {
                Some(self.targets.iter().position(|t| is(rhs, *t)).map_or(0, |at| at as i64 + 1))
            }
            StmtKind::Nullify(items) => items.iter().any(|e| is(e, self.pointer)).then_some(0),
            _ => None,
        };
        if let Some(at) = set {
            let lhs = Expr::var(self.which?, Ty::INTEGER, 0);
            return Some(Stmt { kind: StmtKind::Assign { lhs, rhs: Expr::int(at) }, ..s });
        }
        if !uses(&s, self.pointer) {
            return Some(s);
        }
        let meant = |t: SymId| -> SymMap { BTreeMap::from([(self.pointer, t)]) };
        let Some(which) = self.which else { return Some(remap::stmt(&s, &meant(self.targets[0]))) };
        let (label, leading, trailing) = (s.label.take(), std::mem::take(&mut s.leading), s.trailing.take());
        let mut arms: Vec<SelectArm> = Vec::new();
        for (t, at) in self.targets.iter().zip(1..) {
            let id = self.program.fresh_stmt();
            let body = vec![Stmt { id, ..remap::stmt(&s, &BTreeMap::from([(self.pointer, *t)])) }];
            arms.push(SelectArm { ranges: vec![CaseRange::Value(Expr::int(at))], body });
        }
        let id = self.program.fresh_stmt();
        let stop = Stmt::new(id, StmtKind::Stop { error: true, code: None }, s.origin);
        arms.push(SelectArm { ranges: Vec::new(), body: vec![stop] });
        let kind = StmtKind::Select { name: None, selector: Expr::var(which, Ty::INTEGER, 0), arms };
        let id = self.program.fresh_stmt();
        Some(Stmt { label, leading, trailing, ..Stmt::new(id, kind, s.origin) })
    }
}
