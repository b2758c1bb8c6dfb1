//! Loops over the elements of a part of a variable, and the routines that pack groups into vectors.

use super::slots::{Group, Part, Slots, Step};
use super::writer::Writer;

/// Writes the loops and guards that reach every element of a part of the variable called `root`; `body` gets an element.
pub(super) fn each_element(w: &mut Writer, root: &str, part: &Part<'_>, body: &mut dyn FnMut(&mut Writer, &str)) {
    descend(w, root.to_string(), part, 0, true, &mut 0, body);
}

/// The same for a part as a whole: its parents' elements are looped over, its own are not.
pub(super) fn each_whole(w: &mut Writer, root: &str, part: &Part<'_>, body: &mut dyn FnMut(&mut Writer, &str)) {
    descend(w, root.to_string(), part, 0, false, &mut 0, body);
}

fn descend(
    w: &mut Writer,
    base: String,
    part: &Part<'_>,
    at: usize,
    elements: bool,
    counter: &mut usize,
    body: &mut dyn FnMut(&mut Writer, &str),
) {
    let step = part.steps[at];
    let last = at + 1 == part.steps.len();
    let text = match step.name {
        Some(name) => format!("{base}%{name}"),
        None => base,
    };
    if last && !elements {
        body(w, &text);
        return;
    }
    let attrs = &step.var.attrs;
    let guard = match (attrs.allocatable, attrs.pointer) {
        (true, _) => Some("allocated"),
        (_, true) => Some("associated"),
        _ => None,
    };
    if let Some(guard) = guard {
        w.open(&format!("if ({guard}({text})) then"));
    }
    let rank = step.var.dims.len();
    let first = *counter + 1;
    *counter += rank;
    for dim in (1..=rank).rev() {
        let i = first + dim - 1;
        w.open(&format!("do i{i} = lbound({text}, {dim}), ubound({text}, {dim})"));
    }
    let indices: Vec<String> = (first..first + rank).map(|i| format!("i{i}")).collect();
    let element = if rank == 0 { text } else { format!("{text}({})", indices.join(", ")) };
    if last {
        body(w, &element);
    } else {
        descend(w, element, part, at + 1, elements, counter, body);
    }
    for _ in 0..rank {
        w.close("end do");
    }
    if guard.is_some() {
        w.close("end if");
    }
}

/// How many loop variables a part needs.
pub(super) fn loop_count(part: &Part<'_>) -> usize {
    part.steps.iter().map(|s| s.var.dims.len()).sum()
}

/// The routine `get_<what>(v, first)` or `put_<what>(v)`: groups of the variables with a prefix, to or from a vector. `get`
/// with a vector of length 0 only counts. A variable without derivative counts as zero.
pub(super) fn pack(
    w: &mut Writer,
    slots: &Slots<'_>,
    groups: &[Group<'_>],
    get: bool,
    what: &str,
    name_of: &dyn Fn(usize) -> Option<String>,
) {
    let depth = groups.iter().map(|g| loop_count(&g.part)).max().unwrap_or(0);
    if get {
        w.open(&format!("module subroutine get_{what}(v, first)"));
        w.line("real(wk_), intent(inout) :: v(:)");
        w.line("integer, intent(inout) :: first(:)");
    } else {
        w.open(&format!("module subroutine put_{what}(v)"));
        w.line("real(wk_), intent(in) :: v(:)");
    }
    declare_loops(w, depth);
    w.line("k = 0");
    if get {
        w.line("first(1) = 1");
    }
    for (g, group) in groups.iter().enumerate() {
        let own = name_of(group.slot);
        let root = own.clone().unwrap_or_else(|| format!("p_{}", slots.slots[group.slot].stem));
        let ty = group.part.ty();
        let complex = ty.base == costate_grammar::ir::Base::Complex;
        each_element(w, &root, &group.part, &mut |w, element| {
            let parts: &[&str] = if complex { &["real", "aimag"] } else { &["real"] };
            if !get && complex && own.is_some() {
                w.line(&format!("{element} = cmplx(v(k + 1), v(k + 2), {})", ty.kind));
            }
            for part in parts {
                w.line("k = k + 1");
                match (get, own.is_some()) {
                    (true, true) if *part == "aimag" => {
                        w.line(&format!("if (k <= size(v)) v(k) = real(aimag({element}), wk_)"))
                    }
                    (true, true) => w.line(&format!("if (k <= size(v)) v(k) = real({element}, wk_)")),
                    (true, false) => w.line("if (k <= size(v)) v(k) = 0"),
                    (false, true) if !complex => w.line(&format!("{element} = real(v(k), {})", ty.kind)),
                    (false, _) => {}
                }
            }
        });
        if get {
            w.line(&format!("first({}) = k + 1", g + 2));
        }
    }
    if !get {
        w.line("if (k /= size(v)) call give_up('a shape changed')");
    }
    w.close(&format!("end subroutine {}_{what}", if get { "get" } else { "put" }));
    w.line("");
}

/// The routines `get_shapes(v, count)` and `put_shapes(v)`: whether the primal has allocated the storage of the listed
/// variables, and with what bounds, to a vector; and from there to their derivatives, which hold zeros then.
pub(super) fn shapes(w: &mut Writer, slots: &Slots<'_>, list: &[(usize, String)]) {
    let storage = |i: usize| {
        let whole = Part { steps: vec![Step { name: None, var: slots.slots[i].var }] };
        let own = whole.last().attrs.allocatable || whole.last().attrs.pointer;
        own.then_some(whole).into_iter().chain(slots.storage(i)).collect::<Vec<_>>()
    };
    let parts = list.iter().flat_map(|(i, _)| storage(*i).into_iter().chain(slots.leaves(*i)));
    let depth = parts.map(|p| loop_count(&p)).max().unwrap_or(0);
    w.open("module subroutine get_shapes(v, count)");
    w.line("integer, intent(inout) :: v(:)");
    w.line("integer, intent(out) :: count");
    declare_loops(w, depth);
    w.line("k = 0");
    for (i, _) in list {
        for part in storage(*i) {
            each_whole(w, &format!("p_{}", slots.slots[*i].stem), &part, &mut |w, whole| get_shape(w, &part, whole));
        }
    }
    w.line("count = k");
    w.close("end subroutine get_shapes");
    w.line("");
    w.open("module subroutine put_shapes(v)");
    w.line("integer, intent(in) :: v(:)");
    declare_loops(w, depth);
    w.line("k = 0");
    for (i, name) in list {
        for part in storage(*i) {
            each_whole(w, name, &part, &mut |w, whole| put_shape(w, &part, whole));
        }
        for part in slots.leaves(*i).iter().filter(|p| p.ty().is_continuous()) {
            each_element(w, name, part, &mut |w, element| w.line(&format!("{element} = 0")));
        }
    }
    w.line("if (k /= size(v)) call give_up('a shape changed')");
    w.close("end subroutine put_shapes");
    w.line("");
}

fn get_shape(w: &mut Writer, part: &Part<'_>, whole: &str) {
    let there = if part.last().attrs.pointer { "associated" } else { "allocated" };
    let put = |w: &mut Writer, value: &str| {
        w.line("k = k + 1");
        w.line(&format!("if (k <= size(v)) v(k) = {value}"));
    };
    put(w, &format!("merge(1, 0, {there}({whole}))"));
    w.open(&format!("if ({there}({whole})) then"));
    for dim in 1..=part.last().dims.len() {
        for bound in ["lbound", "ubound"] {
            put(w, &format!("{bound}({whole}, {dim})"));
        }
    }
    w.close("end if");
}

fn put_shape(w: &mut Writer, part: &Part<'_>, whole: &str) {
    if part.last().attrs.pointer {
        w.line(&format!("nullify({whole})"));
    } else {
        w.line(&format!("if (allocated({whole})) deallocate({whole})"));
    }
    w.line("k = k + 1");
    w.open("if (v(k) == 1) then");
    let rank = part.last().dims.len();
    let bounds: Vec<String> = (0..rank).map(|d| format!("v(k + {}):v(k + {})", 2 * d + 1, 2 * d + 2)).collect();
    let extents = if rank == 0 { String::new() } else { format!("({})", bounds.join(", ")) };
    w.line(&format!("allocate({whole}{extents})"));
    w.line(&format!("k = k + {}", 2 * rank));
    w.close("end if");
}

/// Declares the counter and the loop variables of a routine.
pub(super) fn declare_loops(w: &mut Writer, depth: usize) {
    let mut names: Vec<String> = vec!["k".to_string()];
    names.extend((1..=depth).map(|i| format!("i{i}")));
    w.line(&format!("integer :: {}", names.join(", ")));
}
