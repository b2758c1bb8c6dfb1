//! What modules hold before the first run of a driver for MPI, and have again before each: its runs share processes.

use std::collections::BTreeSet;

use costate_grammar::diag::Diagnostic;
use costate_grammar::ir::{Base, ModuleKind, Program, Variable};
use costate_grammar::source::FileId;

use super::declare::{colons, type_text};
use super::names::Names;
use super::writer::Writer;

/// A module variable.
struct Kept {
    /// Its name in the driver.
    name: String,
    /// Its type as the driver spells it.
    ty: String,
    rank: usize,
    allocatable: bool,
}

/// Declares copies of the public module variables of the files that are linked, and writes the routines `keep_state()` and
/// `restore_state()`.
pub(super) fn write(
    declarations: &mut Writer,
    body: &mut Writer,
    names: &mut Names<'_>,
    linked: &[FileId],
) -> Result<(), Box<Diagnostic>> {
    let list = find(names, linked)?;
    for (i, kept) in list.iter().enumerate() {
        declarations.line(&format!("{}, allocatable :: s_{}{}", kept.ty, i + 1, colons(kept.rank)));
    }
    body.open("module subroutine keep_state()");
    for (i, kept) in list.iter().enumerate() {
        let guard = if kept.allocatable { format!("if (allocated({})) ", kept.name) } else { String::new() };
        body.line(&format!("{guard}s_{} = {}", i + 1, kept.name));
    }
    body.close("end subroutine keep_state");
    body.line("");
    body.open("module subroutine restore_state()");
    for (i, kept) in list.iter().enumerate() {
        let (name, copy) = (&kept.name, format!("s_{}", i + 1));
        if kept.allocatable {
            body.line(&format!("if (allocated({name}) .and. .not. allocated({copy})) deallocate({name})"));
        }
        body.line(&format!("if (allocated({copy})) {name} = {copy}"));
    }
    body.close("end subroutine restore_state");
    body.line("");
    Ok(())
}

fn find(names: &mut Names<'_>, linked: &[FileId]) -> Result<Vec<Kept>, Box<Diagnostic>> {
    let program = names.program;
    let linked: BTreeSet<FileId> = linked.iter().copied().collect();
    let mut out = Vec::new();
    for (_, module) in program.modules() {
        if !linked.contains(&module.file) || module.kind != ModuleKind::Module {
            continue;
        }
        for &sym in program[module.scope].names.values() {
            let symbol = &program[sym];
            let Some(var) = symbol.var().filter(|v| can_be_copied(program, v)) else { continue };
            if symbol.scope != module.scope || symbol.private || symbol.conditional {
                continue;
            }
            out.push(Kept {
                ty: type_text(names, var.ty, "1")?,
                name: names.module_entity(sym)?,
                rank: var.dims.len(),
                allocatable: var.attrs.allocatable,
            });
        }
    }
    Ok(out)
}

fn can_be_copied(program: &Program, var: &Variable) -> bool {
    let a = &var.attrs;
    let reachable = match var.ty.base {
        Base::Integer | Base::Real | Base::Complex | Base::Logical => true,
        Base::Derived(t) => !program[t].private && !program[t].conditional,
        Base::Character | Base::Class(_) | Base::Unlimited | Base::None => false,
    };
    reachable && !a.pointer && !a.parameter && !a.protected
}
