//! Routines of the driver that set variables up: values on entry, shapes and zeros of derivatives.

use costate_grammar::diag::Diagnostic;
use costate_grammar::ir::{Base, Dim, Expr, ExprKind, Variable, for_each_expr};

use super::access::{declare_loops, each_element, each_whole, loop_count};
use super::declare::{bounds, is_local};
use super::names::Names;
use super::slots::{Group, Part, Place, Slots};
use super::values::Values;
use super::writer::Writer;

type Done = Result<(), Box<Diagnostic>>;

/// The routine `set_up_head`: every variable gets its value on entry. Module variables keep what they were initialised with;
/// inputs among them get random values unless procedures of the user's set the modules up.
pub(super) fn set_up(
    w: &mut Writer,
    names: &mut Names<'_>,
    slots: &Slots<'_>,
    values: &Values,
    modules_are_set_up: bool,
) -> Done {
    w.open("module subroutine set_up_head()");
    declare_loops(w, deepest(slots));
    w.line("k = 0");
    for i in order(slots) {
        let slot = &slots.slots[i];
        let root = format!("p_{}", slot.stem);
        w.line(&format!("call start_numbers({})", i + 1));
        // What an option alone names keeps its state but for what is given.
        let touched = |shown: &str| !slot.by_option || values.names(shown);
        if touched(&slot.shown) {
            allocate_slot(w, names, slots, i, values)?;
        }
        for part in slots.storage(i) {
            let shown = format!("{}{}", slot.shown, part.path());
            if !touched(&shown) {
                continue;
            }
            let extents = bounds(names, slots, part.last(), &shown, values)?;
            let guard = is_own(slots, i, &part);
            each_whole(w, &root, &part, &mut |w, whole| {
                if guard {
                    w.open("if (.not. bare) then");
                }
                provide(w, slot.place, whole, part.last().attrs.pointer, &extents);
                if guard {
                    w.close("end if");
                }
            });
        }
        if slot.place == Place::Result {
            continue;
        }
        for part in slots.leaves(i) {
            let shown = format!("{}{}", slot.shown, part.path());
            let given = values.given(&shown).is_some() || slot.by_option && values.names(&shown);
            let named = || slots.inputs.iter().any(|g| g.slot == i && g.part.path() == part.path());
            let kept = match slot.place {
                Place::Module(_) => modules_are_set_up || !named() || has_default(part.last()),
                Place::Dummy | Place::Result => part.steps.len() > 1 && has_default(part.last()),
            };
            if kept && !given {
                continue;
            }
            let value = values.of_leaf(&shown, slot.sym, &part);
            let counts = value.contains("(k - 1");
            if counts {
                w.line("k = 0");
            }
            each_element(w, &root, &part, &mut |w, element| {
                if counts {
                    w.line("k = k + 1");
                }
                w.line(&format!("{element} = {value}"));
            });
        }
    }
    w.close("end subroutine set_up_head");
    w.line("");
    Ok(())
}

/// Whether a part is an allocatable component that holds no input and no output, which the primal may allocate itself.
pub(super) fn is_own(slots: &Slots<'_>, i: usize, part: &Part<'_>) -> bool {
    let path = part.path();
    let holds = |g: &Group<'_>| g.slot == i && (g.part.path() + "%").starts_with(&(path.clone() + "%"));
    part.last().attrs.allocatable
        && is_local(slots.slots[i].place)
        && !slots.inputs.iter().chain(&slots.outputs).any(holds)
}

/// Slots in an order in which bounds are known before they are needed.
fn order(slots: &Slots<'_>) -> Vec<usize> {
    let needs = |i: usize| -> Vec<usize> {
        let mut out = Vec::new();
        let mut collect = |e: &Expr| {
            for_each_expr(e, &mut |e| {
                if let ExprKind::Var(d) = &e.kind {
                    out.extend(slots.index(d.sym).filter(|&j| j != i));
                }
            });
        };
        for dim in &slots.slots[i].var.dims {
            match dim {
                Dim::Explicit(lo, hi) => {
                    lo.iter().for_each(&mut collect);
                    collect(hi);
                }
                Dim::Assumed(lo) | Dim::AssumedSize(lo) => lo.iter().for_each(&mut collect),
                Dim::Deferred | Dim::AssumedRank => {}
            }
        }
        out
    };
    let mut done: Vec<usize> = Vec::new();
    while done.len() < slots.slots.len() {
        let left: Vec<usize> = (0..slots.slots.len()).filter(|i| !done.contains(i)).collect();
        let ready = left.iter().copied().find(|&i| needs(i).iter().all(|j| done.contains(j)));
        // Bounds that depend on each other aren't Fortran; any order will do.
        done.push(ready.unwrap_or(left[0]));
    }
    done
}

/// True for a variable or component with an initial value worth keeping: a real zero is a place to start from for nobody.
fn has_default(v: &Variable) -> bool {
    let zero = |e: &Expr| v.ty.is_continuous() && e.literal_value() == Some(0.0);
    // What a pointer is initialised with is its association.
    !v.attrs.pointer && v.init.as_ref().is_some_and(|e| !zero(e))
}

fn allocate_slot(w: &mut Writer, names: &mut Names<'_>, slots: &Slots<'_>, i: usize, values: &Values) -> Done {
    let slot = &slots.slots[i];
    let root = format!("p_{}", slot.stem);
    let attrs = &slot.var.attrs;
    if is_local(slot.place) {
        if attrs.pointer || attrs.allocatable || !slot.var.dims.is_empty() {
            let extents = bounds(names, slots, slot.var, &slot.shown, values)?;
            renew(w, &root, attrs.pointer, &extents);
        }
        // Default initialisation and unallocated components, afresh for every run.
        if slot.var.ty.derived().is_some() && slot.var.dims.is_empty() && !attrs.pointer {
            w.line(&format!("call renew_{}({root})", slot.stem));
        }
    } else if attrs.allocatable || attrs.pointer {
        let extents = bounds(names, slots, slot.var, &slot.shown, values)?;
        provide(w, slot.place, &root, attrs.pointer, &extents);
    }
    Ok(())
}

/// Allocates: a driver's variable afresh, a module's only where it isn't.
fn provide(w: &mut Writer, place: Place, whole: &str, pointer: bool, extents: &str) {
    if is_local(place) {
        renew(w, whole, pointer, extents);
    } else {
        let there = if pointer { "associated" } else { "allocated" };
        w.line(&format!("if (.not. {there}({whole})) allocate({whole}{extents})"));
    }
}

fn renew(w: &mut Writer, whole: &str, pointer: bool, extents: &str) {
    if pointer {
        w.line(&format!("nullify({whole})"));
    } else {
        w.line(&format!("if (allocated({whole})) deallocate({whole})"));
    }
    w.line(&format!("allocate({whole}{extents})"));
}

/// Routines that give a variable of derived type its default value.
pub(super) fn renewals(w: &mut Writer, names: &mut Names<'_>, slots: &Slots<'_>) -> Done {
    for slot in &slots.slots {
        if slot.var.ty.derived().is_some()
            && slot.var.dims.is_empty()
            && !slot.var.attrs.pointer
            && is_local(slot.place)
        {
            let ty = super::declare::type_text(names, slot.var.ty, "1")?;
            let allocatable = if slot.var.attrs.allocatable { ", allocatable" } else { "" };
            w.open(&format!("subroutine renew_{}(s)", slot.stem));
            if slot.var.attrs.allocatable {
                w.line(&format!("{ty}{allocatable}, intent(inout) :: s"));
                w.line("if (.not. allocated(s)) allocate(s)");
            } else {
                w.line(&format!("{ty}, intent(out) :: s"));
            }
            w.close(&format!("end subroutine renew_{}", slot.stem));
            w.line("");
        }
    }
    Ok(())
}

/// A routine that gives the listed derivatives the shape of their variables, and zeros.
pub(super) fn shape_derivatives(w: &mut Writer, slots: &Slots<'_>, routine: &str, list: &[(usize, String)]) {
    w.open(&format!("module subroutine {routine}()"));
    declare_loops(w, deepest(slots));
    w.line("k = 0");
    for (i, name) in list {
        let slot = &slots.slots[*i];
        let root = format!("p_{}", slot.stem);
        let attrs = &slot.var.attrs;
        let rank = slot.var.dims.len();
        let storage = attrs.allocatable || attrs.pointer || (rank > 0 && is_local(slot.place));
        if storage {
            like(w, name, &root, attrs.pointer, attrs.allocatable || attrs.pointer, rank);
        }
        if slot.var.ty.derived().is_some() {
            let guard = if attrs.allocatable { format!("if (allocated({name})) ") } else { String::new() };
            w.line(&format!("{guard}{name} = {root}"));
            pointer_components(w, slots, *i, name, &root);
        }
        for part in slots.leaves(*i) {
            if part.ty().is_continuous() {
                each_element(w, name, &part, &mut |w, element| w.line(&format!("{element} = 0")));
            }
        }
    }
    w.close(&format!("end subroutine {routine}"));
    w.line("");
}

/// Allocates `name` with the bounds of `root`, where that one is there.
fn like(w: &mut Writer, name: &str, root: &str, pointer: bool, guarded: bool, rank: usize) {
    let dims: Vec<String> = (1..=rank).map(|d| format!("lbound({root}, {d}):ubound({root}, {d})")).collect();
    let extents = if dims.is_empty() { String::new() } else { format!("({})", dims.join(", ")) };
    if pointer {
        w.line(&format!("nullify({name})"));
    } else {
        w.line(&format!("if (allocated({name})) deallocate({name})"));
    }
    if guarded {
        let there = if pointer { "associated" } else { "allocated" };
        w.open(&format!("if ({there}({root})) then"));
    }
    w.line(&format!("allocate({name}{extents})"));
    if guarded {
        w.close("end if");
    }
}

/// The assignment above made pointers of the derivative point to the primal's data: they get their own.
fn pointer_components(w: &mut Writer, slots: &Slots<'_>, i: usize, name: &str, root: &str) {
    for part in slots.storage(i) {
        if !part.last().attrs.pointer || part.last().ty.base == Base::Character {
            continue;
        }
        let rank = part.last().dims.len();
        each_whole(w, name, &part, &mut |w, whole| {
            let primal = format!("{root}{}", &whole[name.len()..]);
            like(w, whole, &primal, true, true, rank);
        });
    }
}

/// The most loop variables that any part needs.
fn deepest(slots: &Slots<'_>) -> usize {
    let parts = (0..slots.slots.len()).flat_map(|i| slots.leaves(i).into_iter().chain(slots.storage(i)));
    parts.map(|p| loop_count(&p)).max().unwrap_or(0)
}
