//! Handles of MPI in a driver: what the head needs is provided, with what constants.

use std::collections::BTreeSet;

use costate_analysis::callgraph::reached;
use costate_analysis::externals::handles::Handles;
use costate_analysis::externals::messages::{COMMUNICATOR, REQUEST, is_of_mpi};
use costate_analysis::request::Head;
use costate_grammar::diag::Diagnostic;
use costate_grammar::ir::{Base, ExprKind, Intent, ModuleKind, Name, Program, SymId, for_each_expr, for_each_stmt};

use super::names::Names;
use super::others::assigned;
use super::slots::{Place, Slots};
use super::{CheckOptions, no_driver};

/// The options with values for what must hold handles: all processes are the communicator, the first is the root. Other
/// handles are the user's to give.
pub(super) fn complete(
    program: &Program,
    head: &Head,
    handles: &Handles,
    options: &CheckOptions,
) -> Result<CheckOptions, Box<Diagnostic>> {
    let mut out = options.clone();
    // A head without driver is refused elsewhere.
    let Ok(slots) = Slots::of(program, head, options) else { return Ok(out) };
    let given =
        |shown: &str| options.values.iter().find(|(n, _)| n.eq_ignore_ascii_case(shown)).map(|(_, v)| v.clone());
    for (i, slot) in slots.slots.iter().enumerate() {
        for part in slots.leaves(i).iter().filter(|p| p.ty().base == Base::Integer) {
            let path: Vec<Name> = part.steps.iter().filter_map(|s| s.name.cloned()).collect();
            let shown = format!("{}{}", slot.shown, part.path());
            let of_object = shown.strip_suffix("%mpi_val").and_then(given);
            if let (None, Some(value)) = (given(&shown), &of_object) {
                out.values.push((shown.clone(), value.clone()));
            }
            let needed = handles.needed(slot.sym, &path);
            let (Some(what), Place::Dummy, None) = (needed, slot.place, given(&shown).or(of_object)) else { continue };
            match value_of(what) {
                Some(value) => out.values.push((shown, value.to_string())),
                None if slot.var.intent == Some(Intent::Out) || handles.is_made(slot.sym, &path) => {}
                None => return Err(Box::new(unknown(program, head, what, &slot.shown))),
            }
        }
    }
    if options.setup.is_empty() {
        let names = communicators(program, head, handles).into_iter().filter(|n| given(n).is_none());
        out.values.extend(names.map(|n| (n, "mpi_comm_world".to_string())).collect::<Vec<_>>());
    }
    Ok(out)
}

/// What a dummy is given where nothing is said.
fn value_of(what: &str) -> Option<&'static str> {
    match what {
        COMMUNICATOR => Some("mpi_comm_world"),
        REQUEST => Some("mpi_request_null"),
        "root" => Some("0"),
        _ => None,
    }
}

fn unknown(program: &Program, head: &Head, what: &str, shown: &str) -> Diagnostic {
    let example = if what == "datatype" { "mpi_double_precision" } else { "..." };
    no_driver(head, program, format!("`{shown}` is a handle of MPI, of the kind {what}, and has no value"))
        .reason("calls of MPI are given it, and no call before makes it")
        .help(format!("give it a value: `--value {shown}={example}`"))
}

/// Module variables that the head's procedures use as communicators and that nothing sets.
fn communicators(program: &Program, head: &Head, handles: &Handles) -> Vec<String> {
    let procedures = reached(program, &[head.proc]);
    let assigned = assigned(program, head.proc);
    let mut named: BTreeSet<SymId> = BTreeSet::new();
    for &p in &procedures {
        for_each_stmt(&program[p].body, &mut |stmt| {
            for e in stmt.exprs() {
                for_each_expr(e, &mut |e| {
                    if let ExprKind::Var(d) = &e.kind {
                        named.insert(d.sym);
                    }
                });
            }
        });
    }
    let mut out = Vec::new();
    for ((sym, path), what) in handles.all_needed().filter(|((sym, _), _)| named.contains(sym)) {
        let symbol = &program[*sym];
        let Some(module) = program.module_of(symbol.scope).map(|m| &program[m]) else { continue };
        let Some(var) = symbol.var().filter(|_| module.scope == symbol.scope) else { continue };
        let own = module.kind == ModuleKind::Module && !symbol.private && !symbol.conditional;
        let a = &var.attrs;
        let settable = own && !a.parameter && !a.protected && !a.pointer && !a.allocatable;
        let unset = var.init.is_none() && !assigned.contains(sym) && !handles.is_made(*sym, path);
        if what == COMMUNICATOR && path.is_empty() && var.dims.is_empty() && settable && unset {
            let end = if var.ty.derived().is_some() { "%mpi_val" } else { "" };
            out.push(format!("{}::{}{end}", module.name, symbol.name));
        }
    }
    out
}

/// Imports the constants of MPI that values are given by. Those of the module `mpi` are integers, as handles are in all
/// drivers.
pub(super) fn import_constants(names: &mut Names<'_>, values: &[(String, String)]) {
    for (_, value) in values {
        let words = value.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        for word in words.map(str::to_ascii_lowercase).filter(|w| is_of_mpi(w)) {
            names.uses.import("mpi", &word, &word);
        }
    }
}

#[cfg(test)]
mod tests {
    use costate_analysis::request::{parse_head, resolve};
    use costate_grammar::form::{ReadOptions, read};
    use costate_grammar::source::SourceMap;

    use super::*;
    use crate::options::Options;

    /// What is given to the head of a program, beside what options give, or the message of a refusal.
    fn given(text: &str, values: &[(&str, &str)]) -> Result<Vec<String>, String> {
        let mut sources = SourceMap::default();
        let files = vec![read(&mut sources, "m.f90", text.to_string(), &ReadOptions::default())];
        let program = crate::pipeline::load(&mut sources, &files, &Options::default()).unwrap();
        let head = resolve(&program, &parse_head("m::f(y)/(x)").unwrap()).unwrap();
        let values: Vec<_> = values.iter().map(|(n, v)| (n.to_string(), v.to_string())).collect();
        let options = CheckOptions { values: values.clone(), ..CheckOptions::default() };
        let out = complete(&program, &head, &Handles::of(&program), &options).map_err(|d| d.message)?;
        Ok(out.values[values.len()..].iter().map(|(n, v)| format!("{n}={v}")).collect())
    }

    const PROGRAM: &str = "module m
  use mpi
  implicit none
  type t
    integer :: comm
  end type
  integer :: unset, initial = MPI_COMM_NULL, made
contains
  subroutine f(x, y, comm, n, root, own, kind)
    real(8) :: x, y
    integer :: comm, n, root, kind, ierr
    type(t) :: own
    call mpi_comm_dup(unset, made, ierr)
    call g(x, comm, root)
    call mpi_bcast(x, n, kind, 0, own%comm, ierr)
    call mpi_allreduce(x, y, 1, MPI_DOUBLE_PRECISION, MPI_SUM, made, ierr)
    call mpi_barrier(initial, ierr)
  end subroutine
  subroutine g(x, c, root)
    real(8) :: x
    integer :: c, root, ierr
    call mpi_bcast(x, 1, MPI_DOUBLE_PRECISION, root, comm=c, ierror=ierr)
  end subroutine
end module
";

    #[test]
    fn communicators_and_roots_have_values_and_other_handles_are_asked_for() {
        let all = ["comm=mpi_comm_world", "root=0", "own%comm=mpi_comm_world", "m::unset=mpi_comm_world"];
        assert_eq!(given(PROGRAM, &[("kind", "MPI_REAL8")]).unwrap(), all);
        let some = [("kind", "MPI_REAL8"), ("Comm", "MPI_COMM_SELF"), ("m::unset", "7")];
        assert_eq!(given(PROGRAM, &some).unwrap(), ["root=0", "own%comm=mpi_comm_world"]);
        assert_eq!(
            given(PROGRAM, &[]).unwrap_err(),
            "`kind` is a handle of MPI, of the kind datatype, and has no value"
        );
        let made = PROGRAM
            .replace("real(8) :: x, y\n", "real(8) :: x, y\n    ")
            .replace("    call g(x, comm", "    call mpi_type_dup(MPI_REAL8, kind, ierr)\n    call g(x, comm");
        assert_eq!(given(&made, &[]).unwrap(), all);
    }

    #[test]
    fn objects_are_given_by_their_integers() {
        let text = "module m
  use mpi_f08
contains
  subroutine f(x, y, comm, other)
    real(8) :: x, y
    type(mpi_comm) :: comm, other
    call mpi_allreduce(x, y, 1, MPI_DOUBLE_PRECISION, MPI_SUM, comm)
    call mpi_barrier(other)
  end subroutine
end module
";
        let all = ["comm%mpi_val=MPI_COMM_SELF", "other%mpi_val=mpi_comm_world"];
        assert_eq!(given(text, &[("comm", "MPI_COMM_SELF")]).unwrap(), all);
    }

    #[test]
    fn what_calls_make_is_a_handle_wherever_it_goes() {
        let text = PROGRAM
            .replace("call mpi_barrier(initial, ierr)", "n = made\n    own%comm = n\n    call g(x, own%comm, root)");
        let mut sources = SourceMap::default();
        let files = vec![read(&mut sources, "m.f90", text, &ReadOptions::default())];
        let program = crate::pipeline::load(&mut sources, &files, &Options::default()).unwrap();
        let handles = Handles::of(&program);
        let holds = |scope, name: &str, path: &[&str]| {
            let path: Vec<Name> = path.iter().map(|n| Name::new(n)).collect();
            handles.holds(&program, program.lookup(scope, name).unwrap(), &path)
        };
        let head = resolve(&program, &parse_head("m::f(y)/(x)").unwrap()).unwrap();
        let own = program[head.proc].scope;
        assert!(holds(own, "made", &[]) && holds(own, "n", &[]) && holds(own, "own", &["comm"]));
        assert!(!holds(own, "root", &[]) && !holds(own, "initial", &[]) && !holds(own, "kind", &[]));
    }
}
