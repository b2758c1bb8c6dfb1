//! Calls of the run-time library that take part in messages say which statement of the user's they stand for, so that what goes
//! wrong in a run is told with its line: `at="(halo.f90:42)"`. The library reads up to the parenthesis.

use costate_analysis::externals::messages::{ARRIVED, AWAITING, BEGIN, LEAVING, MODULE, NEW_COMMUNICATOR};
use costate_grammar::ir::{Arg, Block, Callee, Expr, ExprKind, Name, Program, ScopeId, StmtKind, SymId, Ty};
use costate_grammar::source::{SourceMap, Span};

use crate::session::Session;

/// Adds the places to the calls of all generated procedures.
pub(crate) fn run(session: &mut Session<'_>) {
    let Some(module) = session.program.module_names.get(MODULE).map(|m| session.program[*m].scope) else { return };
    for p in session.all_generated() {
        let mut body = std::mem::take(&mut session.program[p].body);
        block(session.program, session.sources, module, &mut body);
        session.program[p].body = body;
    }
}

fn block(program: &Program, sources: &SourceMap, module: ScopeId, stmts: &mut Block) {
    for s in stmts {
        let span = s.origin.span();
        if let StmtKind::Call { callee: Callee::Proc { sym, .. }, args } = &mut s.kind
            && takes_place(program, module, *sym)
        {
            let value = Expr::new(ExprKind::Str(place(sources, span)), Ty::CHARACTER, 0);
            args.push(Arg { keyword: Some(Name::new("at")), value });
        }
        s.blocks_mut().into_iter().for_each(|b| block(program, sources, module, b));
    }
}

/// True for a derivative of a procedure of MPI's. To what only the library has nothing corresponds.
fn takes_place(program: &Program, module: ScopeId, sym: SymId) -> bool {
    let own = [ARRIVED, AWAITING, BEGIN, LEAVING, NEW_COMMUNICATOR];
    program[sym].scope == module && !own.iter().any(|own| program[sym].name.starts_with(own))
}

/// File and line as a literal. The file's name has no folders, so that the same program gives the same text anywhere.
fn place(sources: &SourceMap, span: Span) -> String {
    let file = sources.file(span.file);
    let name = file.name.rsplit(['/', '\\']).next().unwrap_or_default();
    // What ends the place or a literal, or isn't the same in all compilers' literals.
    let plain = |c: char| if c.is_ascii_alphanumeric() || "._-+ ".contains(c) { c } else { '_' };
    let name: String = name.chars().map(plain).collect();
    format!("\"({name}:{})\"", file.line_col(span.start).0)
}
