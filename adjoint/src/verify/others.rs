//! What the head's procedure leaves in variables that aren't among its dependents: tangents leave the same there, adjoints
//! leave alone what the primal does.

use std::collections::BTreeSet;

use costate_analysis::effects::{calls, reached};
use costate_analysis::externals::handles::Handles;
use costate_grammar::diag::Diagnostic;
use costate_grammar::ir::{
    Base, Expr, LoopControl, ModuleKind, Name, ProcId, Program, Stmt, StmtKind, SymId, Variable, for_each_stmt,
};
use costate_grammar::source::FileId;

use super::access::{declare_loops, each_element, loop_count};
use super::names::Names;
use super::slots::{Part, Slots, Step};
use super::writer::Writer;
use crate::region::outermost;

/// A leaf that is compared.
pub(super) struct Other<'a> {
    /// The variable's name in the driver.
    root: String,
    part: Part<'a>,
    /// How the user names it.
    pub(super) shown: String,
    /// The primal assigns it, whatever value it has in the end.
    pub(super) assigned: bool,
    /// Its value may be another each time the primal runs.
    pub(super) unsteady: bool,
}

/// More than this many module variables aren't watched.
const MOST: usize = 300;

/// Leaves of the driver's variables that aren't outputs, and public module variables of the files that are linked.
pub(super) fn find<'a>(
    program: &'a Program,
    names: &mut Names<'_>,
    slots: &Slots<'a>,
    (head, linked, handles): (ProcId, &[FileId], &Handles),
    unsteady: &BTreeSet<(SymId, Vec<Name>)>,
) -> Result<Vec<Other<'a>>, Box<Diagnostic>> {
    let mut out = Vec::new();
    let assigned = assigned(program, head);
    for (i, slot) in slots.slots.iter().enumerate() {
        let is_output = |p: &Part<'_>| slots.outputs.iter().any(|g| g.slot == i && g.part.path() == p.path());
        let root = format!("p_{}", slot.stem);
        for part in slots.leaves(i).into_iter().filter(|p| is_number(p.last()) && !is_output(p)) {
            let shown = format!("{}{}", slot.shown, part.path());
            let path: Vec<Name> = part.steps.iter().filter_map(|s| s.name.cloned()).collect();
            // What a handle is called says nothing.
            if handles.holds(program, slot.sym, &path) {
                continue;
            }
            out.push(Other {
                root: root.clone(),
                part,
                shown,
                assigned: assigned.contains(&slot.sym),
                unsteady: unsteady.contains(&(slot.sym, path)),
            });
        }
    }
    let of_threads = changed_by_threads(program, head);
    let linked: BTreeSet<FileId> = linked.iter().copied().collect();
    let mut left = MOST;
    for (_, module) in program.modules() {
        if !linked.contains(&module.file) || module.kind != ModuleKind::Module {
            continue;
        }
        for &sym in program[module.scope].names.values() {
            let symbol = &program[sym];
            let Some(var) = symbol.var().filter(|v| is_number(v) && !v.attrs.pointer && !v.attrs.parameter) else {
                continue;
            };
            let hidden = symbol.private || symbol.conditional || handles.holds(program, sym, &[]);
            if symbol.scope != module.scope || hidden || slots.index(sym).is_some() || left == 0 {
                continue;
            }
            left -= 1;
            let root = names.module_entity(sym)?;
            let part = Part { steps: vec![Step { name: None, var }] };
            let shown = format!("{}::{}", module.name, symbol.name);
            let unsteady = unsteady.contains(&(sym, Vec::new())) || of_threads.contains(&sym);
            out.push(Other { root, part, shown, assigned: assigned.contains(&sym), unsteady });
        }
    }
    Ok(out)
}

/// What statements of the head's procedure, or of one that it calls, assign by name. A variable that has its old value
/// again at the end is among them, and its value after an adjoint is as open as that of any other.
pub(super) fn assigned(program: &Program, head: ProcId) -> BTreeSet<SymId> {
    reached(program, &[head]).into_iter().flat_map(|p| assigned_in(&program[p].body)).collect()
}

/// What statements assign by name.
fn assigned_in(body: &[Stmt]) -> BTreeSet<SymId> {
    let mut out = BTreeSet::new();
    for_each_stmt(body, &mut |s| match &s.kind {
        StmtKind::Assign { lhs, .. } => out.extend(lhs.as_var().map(|d| d.sym)),
        StmtKind::Io { items, .. } => out.extend(items.defines.iter().filter_map(Expr::as_var).map(|d| d.sym)),
        StmtKind::Do { control: LoopControl::Count { var, .. }, .. } => {
            out.insert(*var);
        }
        _ => {}
    });
    out
}

/// Variables of which each thread has its own, and which regions change: how the work is shared out decides what the first
/// thread's hold behind a region.
fn changed_by_threads(program: &Program, head: ProcId) -> BTreeSet<SymId> {
    let mut out = BTreeSet::new();
    for proc in reached(program, &[head]) {
        for region in outermost(&program[proc].body) {
            let body = std::slice::from_ref(region);
            out.extend(assigned_in(body));
            calls(program, body).into_iter().for_each(|p| out.extend(assigned(program, p)));
        }
    }
    out.retain(|s| program.is_of_each_thread(*s));
    out
}

fn is_number(var: &Variable) -> bool {
    match var.ty.base {
        Base::Integer | Base::Real | Base::Complex | Base::Logical => true,
        Base::Character | Base::Derived(_) | Base::Class(_) | Base::Unlimited | Base::None => false,
    }
}

/// The routine `get_o(v, first)`: they all as a vector; one of length 0 is only counted.
pub(super) fn pack(w: &mut Writer, others: &[Other<'_>]) {
    w.open("module subroutine get_o(v, first)");
    w.line("real(wk_), intent(inout) :: v(:)");
    w.line("integer, intent(inout) :: first(:)");
    declare_loops(w, others.iter().map(|o| loop_count(&o.part)).max().unwrap_or(0));
    w.line("k = 0");
    w.line("first(1) = 1");
    for (g, other) in others.iter().enumerate() {
        let base = other.part.ty().base;
        each_element(w, &other.root, &other.part, &mut |w, element| {
            let mut put = |value: String| {
                w.line("k = k + 1");
                w.line(&format!("if (k <= size(v)) v(k) = {value}"));
            };
            match base {
                Base::Complex => {
                    put(format!("real({element}, wk_)"));
                    put(format!("real(aimag({element}), wk_)"));
                }
                Base::Logical => put(format!("merge(1.0_wk_, 0.0_wk_, {element})")),
                _ => put(format!("real({element}, wk_)")),
            }
        });
        w.line(&format!("first({}) = k + 1", g + 2));
    }
    w.close("end subroutine get_o");
    w.line("");
}
