//! Saved variables that only steer messages: the flag of a first call, a counter of calls that are reported. Nothing else
//! of what a procedure does depends on them.

use std::collections::BTreeSet;

use costate_grammar::ir::{
    Callee, DataKind, Expr, ExprKind, LoopControl, ProcId, Program, Stmt, StmtKind, SymId, for_each_expr, for_each_stmt,
};

/// The saved local variables of a procedure that only steer messages.
pub fn steers_messages_only(program: &Program, proc: ProcId, body: &[Stmt]) -> BTreeSet<SymId> {
    let scope = program[proc].scope;
    let saved = |s: &SymId| {
        program[*s].scope == scope
            && program.var(*s).is_some_and(|v| v.attrs.save && !v.attrs.parameter && !v.equivalenced)
    };
    let mut known: BTreeSet<SymId> = program[scope].names.values().copied().filter(saved).collect();
    // Procedures inside may do anything with them.
    for inner in &program[proc].internals {
        let mut used = BTreeSet::new();
        for_each_stmt(&program[*inner].body, &mut |s| mentioned(s, &mut used));
        known.retain(|s| !used.contains(s));
    }
    loop {
        let mut other = BTreeSet::new();
        block(body, &known, &mut other);
        let before = known.len();
        known.retain(|s| !other.contains(s));
        if known.len() == before {
            return known;
        }
    }
}

/// Adds the variables that a block uses for more than messages.
fn block(stmts: &[Stmt], known: &BTreeSet<SymId>, other: &mut BTreeSet<SymId>) {
    for s in stmts {
        if message(s, known) {
            continue;
        }
        mentioned(s, other);
        s.blocks().into_iter().for_each(|b| block(b, known, other));
    }
}

/// True for a statement that writes messages, or changes what steers them only.
fn message(s: &Stmt, known: &BTreeSet<SymId>) -> bool {
    match &s.kind {
        StmtKind::Assign { lhs, rhs } => {
            lhs.as_var().is_some_and(|d| d.parts.is_empty() && known.contains(&d.sym)) && free(rhs)
        }
        StmtKind::If { .. } => {
            s.exprs().into_iter().all(free) && s.blocks().into_iter().all(|b| b.iter().all(|s| message(s, known)))
        }
        StmtKind::Io { kind: DataKind::Print | DataKind::Write, items, .. } => {
            items.defines.is_empty() && !items.internal && items.uses.iter().all(free)
        }
        StmtKind::Continue | StmtKind::Comment(_) => true,
        _ => false,
    }
}

/// Adds what a statement mentions; those inside it are others.
fn mentioned(s: &Stmt, out: &mut BTreeSet<SymId>) {
    match &s.kind {
        StmtKind::Do { control: LoopControl::Count { var, .. }, .. } => drop(out.insert(*var)),
        StmtKind::Unsupported { names, .. } => out.extend(names),
        _ => {}
    }
    for e in s.exprs() {
        for_each_expr(e, &mut |e| out.extend(e.as_var().map(|d| d.sym)));
    }
}

/// True for an expression without calls of users' procedures.
fn free(e: &Expr) -> bool {
    let mut calls = false;
    for_each_expr(e, &mut |e| {
        calls |= matches!(&e.kind, ExprKind::Call { callee: Callee::Proc { .. } | Callee::Bound { .. }, .. });
    });
    !calls
}
