//! Pointers: a derivative pointer points to the derivative of what its primal points to.

use costate_grammar::diag::{Code, Diagnostic};
use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{Block, Callee, Expr, Name, ProcId, Program, Role, ScopeKind, Stmt, StmtKind, SymId};

use costate_analysis::effects::Effects;
use costate_analysis::request::Head;
use costate_analysis::storage::{Loc, LocSet, component as component_of, resolve};

use crate::build::Builder;
use crate::session::Session;
use crate::shape::{branch, for_elements};

/// The refusal of `c_f_pointer`.
pub(crate) fn address(program: &Program, callee: &Callee, stmt: &Stmt) -> Option<Diagnostic> {
    let Callee::Proc { sym, .. } = callee else { return None };
    let found = program[*sym].name.as_str() == "c_f_pointer" && program[*sym].procedure().is_some_and(|p| p.external);
    found.then(|| {
        Diagnostic::error(
            Code::UnsupportedCall,
            stmt.origin.span(),
            "a pointer is associated by an address in differentiated code",
        )
        .reason("an address doesn't say what the derivative of the pointer would have to point to")
        .help("associate the pointer with the variable itself, or pass the variable")
    })
}

/// True for a pointer through which derivatives pass.
pub(crate) fn carries(program: &Program, effects: &mut Effects, storage: &LocSet, pointer: &Expr) -> bool {
    let Some(d) = pointer.as_var() else { return false };
    effects.locs.association(program, d.sym, &d.path()).iter().any(|l| storage.contains(l))
}

/// True for a local pointer that no statement associates: it can only be dissociated.
fn leads_nowhere(program: &Program, effects: &mut Effects, pointer: &Expr) -> bool {
    let Some(d) = pointer.as_var().filter(|d| effects.is_pointer(program, d)) else { return false };
    let local = program.var(d.sym).is_some_and(|v| v.dummy.is_none() && !v.result)
        && matches!(program[program[d.sym].scope].kind, ScopeKind::Procedure(_) | ScopeKind::Inner);
    let cells = effects.locs.association(program, d.sym, &d.path());
    local && !cells.is_empty() && cells.iter().all(|c| !effects.locs.is_associated(program, *c))
}

/// `p_d => x_d` beside `p => x`, where derivatives pass through the pointer; else nothing, or why there can't be one and
/// what to do about it.
pub(crate) fn derivative_of_association(
    b: &mut Builder<'_>,
    effects: &mut Effects,
    storage: &LocSet,
    lhs: &Expr,
    rhs: &Expr,
) -> Result<Option<StmtKind>, (&'static str, &'static str)> {
    if !lhs.as_var().is_some_and(|d| effects.is_pointer(b.program, d)) {
        return Err(("procedure pointers aren't supported in differentiated code", "call the procedure by its name"));
    }
    if !carries(b.program, effects, storage, lhs) {
        return Ok(None);
    }
    let target = rhs.unparen().as_var();
    let stored = target.is_some_and(|d| effects.locs.of(b.program, d).iter().any(|l| storage.contains(l)));
    let from = if stored || carries(b.program, effects, storage, rhs) {
        b.shadow_ref(rhs)
    } else if rhs.is_null() || leads_nowhere(b.program, effects, rhs) {
        Expr::intrinsic(Intrinsic::Null, Vec::new())
    } else {
        return Err((
            "the derivative of what the pointer is associated with isn't known",
            "associate the pointer with a variable",
        ));
    };
    Ok(Some(StmtKind::PointerAssign { lhs: b.shadow_ref(lhs), rhs: from }))
}

/// Dissociates the derivatives of a variable's pointers that a head is taken to associate itself: what an earlier call left
/// them with isn't used without a fault.
pub(crate) fn dissociate(
    b: &mut Builder<'_>,
    effects: &mut Effects,
    storage: &LocSet,
    sym: SymId,
    from: &Stmt,
) -> Block {
    let cells: Vec<Loc> = effects.presumed.iter().filter(|c| c.sym == sym).cloned().collect();
    let mut out = Vec::new();
    for cell in cells {
        let path = cell.path.clone();
        if resolve(b.program, sym, &path).is_some() && storage.contains(&effects.locs.id(cell)) {
            let whole = b.var(sym);
            let derivative = b.shadow_ref(&whole);
            out.extend(nullified(b, &derivative, &path, from));
        }
    }
    out
}

/// Dissociates the pointer that a path leads to from an object, in all elements of the arrays on the way.
fn nullified(b: &mut Builder<'_>, object: &Expr, path: &[Name], from: &Stmt) -> Block {
    let Some((first, rest)) = path.split_first() else {
        return vec![b.derive(StmtKind::Nullify(vec![object.clone()]), from, Role::Storage)];
    };
    let component = |b: &mut Builder<'_>, e: &Expr| {
        let component = e.ty.derived().and_then(|t| b.program.component(t, first));
        let part = component.map(|c| component_of(b.program, e, first, c.ty, c.rank()));
        part.map(|part| nullified(b, &part, rest, from)).unwrap_or_default()
    };
    if object.rank == 0 {
        return component(b, object);
    }
    let inside = for_elements(b, object, from, component);
    let d = object.as_var();
    if d.and_then(|d| resolve(b.program, d.sym, &d.path())).is_some_and(|v| v.attrs.allocatable) && !inside.is_empty() {
        return vec![branch(b, object.allocated(), inside, from)];
    }
    inside
}

impl Session<'_> {
    /// Refuses pointers that a head uses as they were associated before: nothing says what their derivatives point to,
    /// unless they come with their derivatives.
    pub(crate) fn check_pointers(&mut self, heads: &[Head]) -> Result<(), Vec<Diagnostic>> {
        let mut problems: Vec<Diagnostic> = Vec::new();
        let exposed: Vec<_> = self.effects.exposed.iter().cloned().collect();
        for cell in exposed {
            let id = self.effects.locs.id(cell.clone());
            if !self.storage.iter().any(|s| s.contains(&id)) || heads.iter().any(|h| self.comes_with(h, cell.sym)) {
                continue;
            }
            let symbol = &self.program[cell.sym];
            let help = match self.program.var(cell.sym).and_then(|v| v.dummy) {
                Some(_) => "name it in the head, so that its derivative is an argument too".to_string(),
                None => format!("associate `{}` in the procedure of the head or in one that it calls", symbol.name),
            };
            let d = Diagnostic::error(
                Code::UnsupportedDeclaration,
                symbol.span,
                format!(
                    "derivatives pass through the pointer `{}`, which is associated before the head is called",
                    symbol.name
                ),
            )
            .reason("what its derivative would have to point to isn't known")
            .help(help);
            if !problems.contains(&d) {
                problems.push(d);
            }
        }
        if problems.is_empty() { Ok(()) } else { Err(problems) }
    }

    /// True for a dummy of a head that has a derivative dummy.
    fn comes_with(&self, head: &Head, sym: SymId) -> bool {
        let proc: ProcId = head.proc;
        let named = head.independents.iter().chain(&head.dependents).any(|t| t.sym == sym);
        named && self.program[proc].dummies.contains(&sym)
    }
}
