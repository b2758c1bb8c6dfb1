//! The run-time library's Fortran interface, as far as generated code refers to it.

use costate_analysis::externals::messages::{ARRIVED, AWAITING, BEGIN, LEAVING, NEW_COMMUNICATOR};
use costate_analysis::storage::all_components;
use costate_grammar::ir::{Arg, Block, Callee, Component, Name, Program, Stmt, StmtKind, SymId, SymbolKind, Ty};
use costate_grammar::source::Span;

/// Name of the library's module.
pub const MODULE: &str = "costate_rt";

/// A file of the interface: its name and its text.
macro_rules! file {
    ($name:literal) => {
        ($name, include_str!(concat!("../../runtime-lib/fortran/", $name)))
    };
}

/// The Fortran half of the library, in the order in which its files are compiled.
pub const FILES: [(&str, &str); 6] = [
    file!("costate_rt_tape.f90"),
    file!("costate_rt_push.f90"),
    file!("costate_rt_pop.f90"),
    file!("costate_rt_schedule.f90"),
    file!("costate_rt_verify.f90"),
    file!("costate_rt.f90"),
];

/// The files of modules of derivatives that each type has, of those that real types have, and one more for all of them.
macro_rules! of_types {
    ($all:literal: $($module:literal)*; real: $($own:literal)*) => {
        &[
            $(of_type!($module, "s"), of_type!($module, "d"), of_type!($module, "c"), of_type!($module, "z"),)*
            $(of_type!($own, "s"), of_type!($own, "d"),)*
            file!($all),
        ]
    };
}

macro_rules! of_type {
    ($module:literal, $letter:literal) => {
        (
            concat!("costate_", $module, "_", $letter, ".f90"),
            include_str!(concat!("../../runtime-lib/fortran/costate_", $module, "_", $letter, ".f90")),
        )
    };
}

/// Derivatives of BLAS procedures, for programs that use them.
pub const BLAS_FILES: &[(&str, &str)] =
    of_types!("costate_blas.f90": "linear_algebra" "blas1" "blas2" "blas_stored" "blas3"; real:);

/// Those of LAPACK's, which need those of BLAS.
pub const LAPACK_FILES: &[(&str, &str)] = of_types!("costate_lapack.f90": "lapack_factors" "lapack_inverse"; real: "lapack_banded" "lapack_orthogonal" "lapack_eigen");

/// Those of MPI's, for programs of several processes.
pub const MPI_FILES: [(&str, &str); 1] = [file!("costate_mpi.f90")];

/// What it has for kinds of 16 bytes.
pub const QUAD_FILE: (&str, &str) = file!("costate_rt_quad.f90");

/// Modules with derivatives of libraries' procedures.
const DERIVATIVES: [&str; 3] = ["costate_blas", "costate_lapack", "costate_mpi"];

/// True for a module of the library.
pub(crate) fn is_module(name: &str) -> bool {
    name == MODULE || DERIVATIVES.contains(&name)
}

/// True for a derivative of a procedure without source that the library has.
pub(crate) fn has_derivative(program: &Program, sym: SymId) -> bool {
    let of = |name: &&str| program.module_names.get(*name).is_some_and(|m| program[*m].scope == program[sym].scope);
    DERIVATIVES.iter().any(of)
}

/// Statements without the arguments of derivatives that the run-time library has: which values these use is known from the calls
/// that they belong to, and subscripts are evaluated anyway.
pub(crate) fn without_unused(program: &Program, block: &Block) -> Block {
    let mut out = block.clone();
    for s in &mut out {
        if let StmtKind::Call { callee: Callee::Proc { sym, .. }, args } = &mut s.kind
            && has_derivative(program, *sym)
        {
            let all = std::mem::take(args);
            for arg in all {
                if arg.value.as_var().is_none() {
                    args.push(arg);
                    continue;
                }
                let subscripts = arg.value.children().into_iter().cloned();
                args.extend(subscripts.map(|value| Arg { keyword: None, value }));
            }
        }
        for inner in s.blocks_mut() {
            *inner = without_unused(program, inner);
        }
    }
    out
}

/// The symbol of a name of the library, made on first use.
pub fn symbol(program: &mut Program, name: &str, kind: SymbolKind) -> SymId {
    symbol_of(program, MODULE, name, kind)
}

/// The symbol of a name of a module that isn't among the files, made on first use.
pub(crate) fn symbol_of(program: &mut Program, module: &str, name: &str, kind: SymbolKind) -> SymId {
    let scope = program.module_outside(module);
    match program[scope].names.get(name) {
        Some(&s) => s,
        None => program.add_symbol(scope, Name::new(name), Span::default(), kind),
    }
}

/// True for a symbol of the library.
pub(crate) fn is_of_library(program: &Program, sym: SymId) -> bool {
    program.module_names.get(MODULE).is_some_and(|m| program[*m].scope == program[sym].scope)
}

/// True for a variable that is a tape, or several.
pub(crate) fn is_tape(program: &Program, sym: SymId) -> bool {
    let ty = program.var(sym).and_then(|v| v.ty.derived());
    ty.is_some_and(|ty| is_type_of_tapes(program, ty))
}

/// True for a type with tapes in it, at any depth.
pub(crate) fn holds_tapes(program: &Program, ty: Ty) -> bool {
    let Some(ty) = ty.derived() else { return false };
    let inside = |c: &&Component| !c.var.attrs.pointer && holds_tapes(program, c.var.ty);
    is_type_of_tapes(program, ty) || all_components(program, ty).iter().any(inside)
}

fn is_type_of_tapes(program: &Program, ty: SymId) -> bool {
    is_of_library(program, ty) && program[ty].name.as_str() == "costate_tape"
}

/// True for a call of what only the run-time library has, to which the user's program has nothing that corresponds.
pub(crate) fn is_hidden(program: &Program, s: &Stmt) -> bool {
    let StmtKind::Call { callee: Callee::Proc { sym, generic: None, .. }, .. } = &s.kind else { return false };
    let name = program[*sym].name.as_str();
    [ARRIVED, LEAVING, AWAITING, BEGIN, NEW_COMMUNICATOR].contains(&name)
        && program[*sym].procedure().is_some_and(|p| p.definition.is_some_and(|p| program[p].declared))
}

/// A block without such calls.
pub(crate) fn without_hidden(program: &Program, block: &mut Block) {
    block.retain(|s| !is_hidden(program, s));
    for s in block {
        s.blocks_mut().into_iter().for_each(|b| without_hidden(program, b));
    }
}
