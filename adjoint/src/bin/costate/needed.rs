//! Which files matter to the heads: what is wrong with others is no reason to refuse.

use std::collections::BTreeSet;

use costate_analysis::effects::{reached, target};
use costate_analysis::request::Head;
use costate_grammar::diag::{Code, Diagnostic, Severity};
use costate_grammar::ir::{
    Callee, ExprKind, ModuleId, ModuleKind, ProcId, Program, ScopeId, ScopeKind, StmtKind, for_each_expr, for_each_stmt,
};
use costate_grammar::source::FileId;

/// Makes warnings of errors in files that no head needs.
pub(crate) fn excuse(program: &Program, heads: &[Head], problems: &mut [Diagnostic]) {
    let errors = problems.iter().filter(|d| d.severity == Severity::Error && d.code != Code::FileUnreadable);
    if errors.count() == 0 {
        return;
    }
    let Some(needed) = files(program, heads) else { return };
    for d in problems.iter_mut().filter(|d| d.severity == Severity::Error) {
        let places = d.span.iter().chain(d.labels.iter().map(|(span, _)| span));
        let files: Vec<FileId> = places.map(|span| span.file).collect();
        if !files.is_empty() && !files.iter().any(|f| needed.contains(f)) {
            d.severity = Severity::Warning;
        }
    }
}

/// The files of the procedures that the heads reach, and of the modules that these use; `None` where something that isn't
/// known is reached: it may be in any file.
fn files(program: &Program, heads: &[Head]) -> Option<BTreeSet<FileId>> {
    let procs = reached(program, &heads.iter().map(|h| h.proc).collect::<Vec<ProcId>>());
    let mut scopes: Vec<ScopeId> = Vec::new();
    let mut out = BTreeSet::new();
    for p in &procs {
        if unknown(program, *p) {
            return None;
        }
        out.insert(program[*p].file);
        scopes.push(program[*p].scope);
        scopes.extend(program[*p].internals.iter().map(|i| program[*i].scope));
    }
    let mut next = 0;
    while let Some(scope) = scopes.get(next).copied() {
        next += 1;
        scopes.extend(program[scope].parent.filter(|p| !scopes.contains(p)));
        if let ScopeKind::Module(m) = program[scope].kind
            && program[m].kind != ModuleKind::Intrinsic
        {
            out.insert(program[m].file);
        }
        for used in &program[scope].uses {
            // A module that isn't known may be in a file that can't be read.
            let m: ModuleId = *program.module_names.get(&used.module)?;
            let scope = program[m].scope;
            if !scopes.contains(&scope) {
                scopes.push(scope);
            }
        }
    }
    Some(out)
}

/// True for a procedure that calls what has no source, or that isn't understood.
fn unknown(program: &Program, p: ProcId) -> bool {
    let mut found = program[p].problems.iter().any(|d| d.severity == Severity::Error);
    let mut look =
        |callee: &Callee| found |= !matches!(callee, Callee::Intrinsic(_)) && target(program, callee).is_none();
    for_each_stmt(&program[p].body, &mut |s| {
        if let StmtKind::Call { callee, .. } = &s.kind {
            look(callee);
        }
        for e in s.exprs() {
            for_each_expr(e, &mut |e| {
                if let ExprKind::Call { callee, .. } = &e.kind {
                    look(callee);
                }
            });
        }
    });
    found
}
