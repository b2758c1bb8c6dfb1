//! In which variables messages may arrive while the program goes on. The host has the newer values then, and a copy back from a
//! device would overwrite them: no loop that uses such a variable runs there.

use std::collections::BTreeSet;

use costate_analysis::externals::messages::{Message, message_of};
use costate_grammar::ir::{Block, Callee, Program, Stmt, StmtKind, SymId, for_each_stmt};

/// Arrays and objects of generated code in which data may arrive while the program goes on.
pub(super) fn arriving(program: &Program, body: &Block) -> BTreeSet<SymId> {
    let mut out = BTreeSet::new();
    for_each_stmt(body, &mut |s: &Stmt| {
        let StmtKind::Call { callee: Callee::Proc { sym, .. }, args } = &s.kind else { return };
        if message_of(&program[*sym].name).is_some_and(Message::arrives_later) {
            let passed = args.iter().filter_map(|a| a.value.as_var()).map(|d| d.sym);
            out.extend(passed.filter(|x| program.var(*x).is_some_and(|v| v.rank() > 0 || v.ty.derived().is_some())));
        }
    });
    out
}
