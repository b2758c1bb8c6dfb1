//! What directives declare for devices.

use costate_grammar::ir::{Program, SymId};

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
