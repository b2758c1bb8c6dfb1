//! What directives declare for devices.

use costate_grammar::directives::{AccConstruct, Construct, Directive, OmpConstruct};
use costate_grammar::ir::{ProcId, Program, ScopeKind, Stmt, StmtKind, SymId, for_each_stmt};

use crate::callgraph::{calls, reached};

/// True for a variable of a module that a directive declares for devices, too: all threads have the same one.
pub fn is_on_devices(program: &Program, sym: SymId) -> bool {
    declared_on_devices(program, sym, "!$acc declare") || declared_on_devices(program, sym, "!$omp declare target")
}

/// True where a directive that begins with `words` names an entity of a module.
pub fn declared_on_devices(program: &Program, sym: SymId, words: &str) -> bool {
    let name = program[sym].name.as_str().to_ascii_lowercase();
    let mut texts = program[program[sym].scope].texts.iter().map(|t| t.to_ascii_lowercase());
    texts.any(|text| text.starts_with(words) && costate_grammar::ir::words(&text).any(|w| w == name))
}

/// True for a directive that stands alone and puts variables on a device, or takes them from there.
pub fn is_lasting(c: &Construct) -> bool {
    use AccConstruct as A;
    use OmpConstruct as O;
    matches!(c, Construct::Acc(A::EnterData | A::ExitData) | Construct::Omp(O::TargetEnterData | O::TargetExitData))
}

/// True for a procedure that puts variables of modules on a device, or takes them from there, for longer than it lasts.
pub fn moves_modules(program: &Program, proc: ProcId) -> bool {
    let mut found = false;
    for_each_stmt(&program[proc].body, &mut |s| {
        if let StmtKind::Directive { directive, names, body: None } = &s.kind {
            found |= is_lasting(&directive.construct) && names.iter().any(|x| is_of_module(program, *x));
        }
    });
    found
}

/// True for a directive that does so and stands alone: what it does outlasts all derivative code, which does the same.
pub fn moves_modules_alone(program: &Program, s: &Stmt) -> bool {
    match &s.kind {
        StmtKind::Directive { directive, names, body: None } => {
            let all = !names.is_empty() && names.iter().all(|x| is_of_module(program, *x));
            is_lasting(&directive.construct) && all
        }
        _ => false,
    }
}

/// The directives by which a block, and the procedures that it calls, put variables of modules on a device or take them from
/// there for longer than they last, with what they name.
pub fn moves_of_modules(program: &Program, block: &[Stmt]) -> Vec<(Directive, Vec<SymId>)> {
    let mut out = Vec::new();
    let mut look = |s: &Stmt| {
        if let StmtKind::Directive { directive, names, body: None } = &s.kind
            && moves_modules_alone(program, s)
        {
            out.push((directive.clone(), names.clone()));
        }
    };
    for_each_stmt(block, &mut look);
    for p in reached(program, &calls(program, block)) {
        for_each_stmt(&program[p].body, &mut look);
    }
    out
}

fn is_of_module(program: &Program, sym: SymId) -> bool {
    matches!(program[program[sym].scope].kind, ScopeKind::Module(_))
}
