//! Branches that named constants switch off, with calls of procedures without source in them: `if (use_c_kernels) call kernel_c(...)`.
//! They have no part in the derivative. In generated code the program stops there, should the constants be others some day.

use std::collections::BTreeSet;

use costate_analysis::effects::target;
use costate_grammar::ir::{
    Block, Callee, Expr, ExprKind, IfArm, Origin, ProcId, Program, Stmt, StmtId, StmtKind, Ty, for_each_expr,
    for_each_stmt,
};
use costate_grammar::lower::{Const, fold};

use crate::unknown::is_outside;

/// Puts `error stop` in the place of such branches in all procedures.
pub(crate) fn mark(program: &mut Program) {
    for p in (0..program.procedures.len()).map(ProcId::new) {
        let mut found = BTreeSet::new();
        look(program, &program[p].body, &mut found);
        if !found.is_empty() {
            let mut body = std::mem::take(&mut program[p].body);
            stop(program, &mut body, &found);
            program[p].body = body;
        }
    }
}

/// The branches of a block that never run, by the place of their first statement.
fn look(program: &Program, block: &[Stmt], found: &mut BTreeSet<StmtId>) {
    for s in block {
        if let StmtKind::If { arms, otherwise, .. } = &s.kind {
            for body in switched_off(program, arms, otherwise.as_ref()).filter(|b| calls_unknown(program, b)) {
                found.extend(body.first().map(|s| s.id));
            }
        }
        s.blocks().into_iter().for_each(|b| look(program, b, found));
    }
}

/// The arms of a branch that never run.
fn switched_off<'s>(
    program: &Program,
    arms: &'s [IfArm],
    otherwise: Option<&'s Block>,
) -> impl Iterator<Item = &'s Block> {
    let mut decided = false;
    let mut out = Vec::new();
    for arm in arms {
        let value = fold(program, &arm.cond);
        if decided || value == Some(Const::Logical(false)) {
            out.push(&arm.body);
        }
        decided |= value == Some(Const::Logical(true));
    }
    out.extend(otherwise.filter(|_| decided));
    out.into_iter()
}

/// True where a procedure without source is called.
fn calls_unknown(program: &Program, block: &[Stmt]) -> bool {
    let mut found = false;
    let unknown = |callee: &Callee| match callee {
        Callee::Proc { sym, .. } => target(program, callee).is_none() && is_outside(program, *sym),
        _ => false,
    };
    for_each_stmt(block, &mut |s| {
        if let StmtKind::Call { callee, .. } = &s.kind {
            found |= unknown(callee);
        }
        for e in s.exprs() {
            for_each_expr(e, &mut |e| found |= matches!(&e.kind, ExprKind::Call { callee, .. } if unknown(callee)));
        }
    });
    found
}

fn stop(program: &mut Program, block: &mut Block, found: &BTreeSet<StmtId>) {
    if let Some(first) = block.first().filter(|s| found.contains(&s.id)) {
        let origin = Origin::Source(first.origin.span());
        let text = "'a constant was another one when derivatives were generated: generate them anew'";
        let code = Some(Expr::new(ExprKind::Str(text.into()), Ty::CHARACTER, 0));
        *block = vec![Stmt::new(program.fresh_stmt(), StmtKind::Stop { error: true, code }, origin)];
        return;
    }
    for s in block {
        s.blocks_mut().into_iter().for_each(|b| stop(program, b, found));
    }
}
