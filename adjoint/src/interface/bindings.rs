//! Private procedures of another module are called as its users call them: through a binding of the object that is passed.

use costate_grammar::ir::{
    Arg, Base, Binding, BindingName, Block, Callee, Expr, ExprKind, ProcId, Program, StmtKind, SymId, map_expr,
};

use super::mentions::mentions;

/// Calls a procedure through bindings wherever another one calls it. False, and nothing is changed, where it is mentioned in
/// another way or by a call without such an object.
pub(super) fn call_bound(program: &mut Program, caller: ProcId, callee: SymId) -> bool {
    let mut body = program[caller].body.clone();
    in_block(program, &mut body, callee);
    let plain = std::mem::replace(&mut program[caller].body, body);
    let done = !mentions(program, caller).contains(&callee);
    if !done {
        program[caller].body = plain;
    }
    done
}

fn in_block(program: &Program, block: &mut Block, sym: SymId) {
    for s in block {
        s.blocks_mut().into_iter().for_each(|b| in_block(program, b, sym));
        s.kind.map_exprs(&mut |e| {
            map_expr(e.clone(), &mut |mut e| {
                if let ExprKind::Call { callee, args } = &mut e.kind {
                    in_call(program, callee, args, sym);
                }
                e
            })
        });
        if let StmtKind::Call { callee, args } = &mut s.kind {
            in_call(program, callee, args, sym);
        }
    }
}

fn in_call(program: &Program, callee: &mut Callee, args: &mut Vec<Arg>, sym: SymId) {
    if !matches!(callee, Callee::Proc { sym: s, generic: None, operator: None } if *s == sym) {
        return;
    }
    let bound = |(at, a): (usize, &Arg)| {
        let binding = binding_of(program, &a.value, sym, passed_to(program, sym, at, a)?)?;
        Some((at, binding.name.clone()))
    };
    let Some((at, name)) = args.iter().enumerate().find_map(bound) else { return };
    let object = args.remove(at).value;
    // Dummies that follow the object are reached by position as before: a binding doesn't count the object.
    *callee = Callee::Bound { object: Box::new(object), binding: BindingName::of(name), resolved: None };
}

/// The position of the dummy that an argument is for.
fn passed_to(program: &Program, sym: SymId, at: usize, arg: &Arg) -> Option<usize> {
    let definition = program[sym].procedure()?.definition?;
    let dummies = &program[definition].dummies;
    match &arg.keyword {
        Some(k) => dummies.iter().position(|d| program[*d].name == *k),
        None => Some(at),
    }
}

/// A public binding by which an object is passed to a procedure, as the dummy of this position, whatever the object's
/// dynamic type.
fn binding_of<'p>(program: &'p Program, object: &Expr, sym: SymId, dummy: usize) -> Option<&'p Binding> {
    object.as_var()?;
    let ty = object.ty.derived()?;
    let dynamic = matches!(object.ty.base, Base::Class(_));
    let dummies = &program[program[sym].procedure()?.definition?].dummies;
    let leads = |(owner, b): &(SymId, &Binding)| {
        let passed = b.pass.as_ref().map_or(Some(0), |p| dummies.iter().position(|d| program[*d].name == *p));
        let special = b.generic || b.deferred || b.nopass || b.private;
        let nearest = program.binding(ty, &b.name).is_some_and(|(nearest, _)| nearest == *owner);
        let certain = nearest && !(dynamic && program.overridden(ty, &b.name));
        !special && certain && passed == Some(dummy) && program.bound_procedure(*owner, b) == Some(sym)
    };
    program.bindings(ty).find(leads).map(|(_, b)| b)
}
