//! What directives declare for devices.

use costate_grammar::directives::{AccConstruct, Construct, OmpConstruct};
use costate_grammar::ir::{ProcId, Program, ScopeKind, StmtKind, SymId, for_each_stmt};

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
    let of_module = |x: &SymId| matches!(program[program[*x].scope].kind, ScopeKind::Module(_));
    let mut found = false;
    for_each_stmt(&program[proc].body, &mut |s| {
        if let StmtKind::Directive { directive, names, body: None } = &s.kind {
            found |= is_lasting(&directive.construct) && names.iter().any(of_module);
        }
    });
    found
}
