//! What messages may have of their buffers: whole objects or not, and how far they reach. In objects and common blocks another
//! variable lies behind the one that is named, which a message may mean too, by the number of its elements or by their datatype.

use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{Base, Designator, Dim, Expr, Name, Part, Program, Subscript, Ty, Variable};
use costate_grammar::lower::integer;
use costate_grammar::operators::BinaryOp;

use super::callee::has_user_call;
use super::postings::is_element;
use crate::externals::blocks::Blocks;
use crate::externals::messages::Buffer;

/// Whether a message goes on behind the variable or component that it begins in.
pub(super) enum Reach {
    /// It doesn't, or there is nothing that it could reach.
    Within,
    /// It does where this is true.
    BeyondIf(Expr),
    /// It does, or may do so by what can't be asked.
    Beyond,
    /// The run-time library finds out, by this procedure with these arguments.
    Asked(&'static str, Vec<Expr>),
}

/// How far the message in a buffer reaches; `find` gives the actual argument of a name.
pub(super) fn reach<'e>(
    program: &Program,
    buffer: &Expr,
    of: &Buffer,
    find: &impl Fn(&Name) -> Option<&'e Expr>,
) -> Reach {
    let Some(d) = buffer.as_var() else { return Reach::Within };
    let Some(v) = crate::storage::resolve(program, d.sym, &d.path()) else { return Reach::Beyond };
    // What has memory of its own, an allocatable or pointer, is alone there.
    if v.attrs.allocatable || v.attrs.pointer || !has_neighbours(program, d) {
        return Reach::Within;
    }
    let component = d.parts.iter().any(|p| matches!(p, Part::Component(_)));
    if !of.datatype.as_ref().and_then(find).is_some_and(|e| is_type_of(program, e, buffer)) {
        // Rows and columns of arrays in common blocks are passed by datatypes.
        return if component || buffer.rank == 0 && !is_element(d) { Reach::Beyond } else { Reach::Within };
    }
    if let Some(blocks) = of.blocks.as_ref().filter(|_| buffer.rank > 0 || is_element(d)) {
        return asked(program, (v, d, buffer), blocks, find);
    }
    let Some(count) = of.count.as_ref().and_then(find) else {
        return if buffer.rank == 0 && !is_element(d) { Reach::Beyond } else { Reach::Within };
    };
    if *count == Expr::intrinsic(Intrinsic::Size, vec![buffer.clone()]) {
        return Reach::Within;
    }
    let Some(room) = room(program, v, d, buffer) else { return Reach::Beyond };
    match (integer(program, count), integer(program, &room)) {
        (Some(count), Some(room)) if count <= room => Reach::Within,
        (Some(_), Some(_)) => Reach::Beyond,
        _ if has_user_call(count) || has_user_call(&room) => Reach::Beyond,
        _ => Reach::BeyondIf(Expr::binary(BinaryOp::Gt, count.clone(), room)),
    }
}

/// The question how far the blocks of a collective call reach.
fn asked<'e>(
    program: &Program,
    (v, d, buffer): (&Variable, &Designator, &Expr),
    blocks: &Blocks,
    find: &impl Fn(&Name) -> Option<&'e Expr>,
) -> Reach {
    let sizes: Option<Vec<Expr>> = blocks.sizes.iter().map(|name| find(name).cloned()).collect();
    let (Some(mut args), Some(comm)) = (sizes, find(&Name::new("comm"))) else { return Reach::Beyond };
    let Some(room) = room(program, v, d, buffer) else { return Reach::Beyond };
    let root = find(&Name::new("root")).cloned().unwrap_or_else(|| Expr::int(-1));
    args.extend([Expr::int(blocks.of), root, comm.clone(), room]);
    if args.iter().any(has_user_call) { Reach::Beyond } else { Reach::Asked(blocks.procedure, args) }
}

/// True where other variables of the program's lie behind one: for components, and in common blocks.
fn has_neighbours(program: &Program, d: &Designator) -> bool {
    if d.parts.iter().any(|p| matches!(p, Part::Component(_))) {
        return true;
    }
    let listed = || program[program[d.sym].scope].commons.values().any(|block| block.contains(&d.sym));
    program.var(d.sym).is_some_and(|v| v.equivalenced || v.common.is_some()) || listed()
}

/// How many elements a variable or component has from the first one of a designator on; none where that can't be said.
fn room(program: &Program, v: &Variable, d: &Designator, buffer: &Expr) -> Option<Expr> {
    let subscripts = match d.parts.last() {
        Some(Part::Subscripts(subscripts)) => subscripts.as_slice(),
        _ => &[],
    };
    let single = subscripts.iter().filter(|s| matches!(s, Subscript::Index(e) if e.rank == 0)).count();
    // Several objects' components are passed as a copy.
    if usize::from(buffer.rank) + single != v.dims.len() {
        return Some(Expr::intrinsic(Intrinsic::Size, vec![buffer.clone()]));
    }
    let (mut before, mut stride) = (Expr::int(0), 1);
    for (k, dim) in v.dims.iter().enumerate() {
        let Dim::Explicit(lo, hi) = dim else { return None };
        let lo = lo.as_ref().map_or(Some(1), |e| integer(program, e))?;
        let first = match subscripts.get(k) {
            Some(Subscript::Index(e) | Subscript::Range { lo: Some(e), .. }) if e.rank == 0 => Some(e),
            Some(Subscript::Index(_)) => return None,
            _ => None,
        };
        if let Some(first) = first {
            let first = integer(program, first).map_or_else(|| first.clone(), Expr::int);
            before = before.add(first.sub(Expr::int(lo)).mul(Expr::int(stride)));
        }
        stride *= integer(program, hi)? - lo + 1;
    }
    Some(Expr::int(stride).sub(before))
}

/// True for the named constant of the type of a buffer's elements.
pub(super) fn is_type_of(program: &Program, datatype: &Expr, buffer: &Expr) -> bool {
    let Some(d) = datatype.as_var().filter(|d| d.parts.is_empty()) else { return false };
    // A constant of the program's may stand for one of MPI's.
    let meant = program.var(d.sym).filter(|v| v.attrs.parameter).and_then(|v| v.init.as_ref());
    if let Some(meant) = meant.filter(|e| e.as_var().is_some_and(|m| m.sym != d.sym)) {
        return is_type_of(program, meant, buffer);
    }
    let names: &[&str] = match (buffer.ty.base, buffer.ty.kind) {
        (Base::Real, 8) => &["mpi_double_precision", "mpi_real8"],
        (Base::Real, 4) => &["mpi_real", "mpi_real4"],
        (Base::Complex, 8) => &["mpi_double_complex", "mpi_complex16"],
        (Base::Complex, 4) => &["mpi_complex", "mpi_complex8"],
        _ => &[],
    };
    names.contains(&program[d.sym].name.as_str())
}

/// True for objects that have all their components in one piece of memory, and no type that extends their own.
pub(super) fn in_one_piece(program: &Program, ty: Ty) -> bool {
    fn look(program: &Program, ty: Ty, depth: usize) -> bool {
        let Base::Derived(t) = ty.base else { return !matches!(ty.base, Base::Class(_) | Base::Unlimited) };
        let apart = |v: &Variable| v.attrs.allocatable || v.attrs.pointer;
        program[t].derived().filter(|_| depth < 8).is_some_and(|object| {
            let mut components = object.components.iter();
            let inside = |v: &Variable| !apart(v) && look(program, v.ty, depth + 1);
            object.extends.is_none() && components.all(|c| c.procedure.is_none() && inside(&c.var))
        })
    }
    look(program, ty, 0)
}
