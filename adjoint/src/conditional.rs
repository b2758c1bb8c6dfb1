//! Conditional lines in generated code: what is there with OpenMP only is used on such lines only.

use std::collections::BTreeSet;

use costate_grammar::diag::{Code, Diagnostic};
use costate_grammar::ir::{Program, Stmt};
use costate_grammar::print;

use crate::remap::mentioned;
use crate::session::Session;

/// What generated procedures would do wrong when they are compiled without OpenMP.
pub(crate) fn misplaced(session: &Session<'_>) -> Vec<Diagnostic> {
    let program = &*session.program;
    let mut out = Vec::new();
    if !program.has_conditional_lines {
        return out;
    }
    let mut procedures = session.generated();
    for p in procedures.clone() {
        procedures.extend(&program[p].internals);
    }
    for m in session.modules.values() {
        procedures.extend(&program[*m].procedures);
    }
    for p in procedures {
        block(program, &program[p].body, &mut out);
    }
    out
}

fn block(program: &Program, stmts: &[Stmt], out: &mut Vec<Diagnostic>) {
    for s in stmts.iter().filter(|s| s.kind.conditional_body().is_none()) {
        let span = s.origin.span();
        if s.exprs().into_iter().any(|e| e.depends_on_openmp()) {
            let d = Diagnostic::error(Code::Internal, span, "generated code asks elsewhere than on a conditional line for OpenMP")
                .reason("a pass has moved the condition of the conditional lines that are made of this one")
                .help("this is a bug in Costate, not in your code: please report it with the lines above; nothing was written");
            out.push(d);
        }
        let mut own = s.clone();
        own.blocks_mut().into_iter().for_each(Vec::clear);
        let mut named = BTreeSet::new();
        mentioned(&[own], &mut named);
        if let Some(sym) = named.into_iter().find(|s| print::needs_openmp(program, *s)) {
            let name = &program[sym].name;
            let message =
                format!("derivative code needs `{name}` without OpenMP too, which is known on conditional lines only");
            let d = Diagnostic::error(Code::ConditionalLine, span, message)
                .reason("without OpenMP generated code would not compile")
                .help("declare it, or use its module, on lines that aren't conditional");
            if !out.contains(&d) {
                out.push(d);
            }
        }
        s.blocks().into_iter().for_each(|b| block(program, b, out));
    }
}
