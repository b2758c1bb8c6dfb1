//! The variables that a head names.

use costate_grammar::diag::{Code, Diagnostic};
use costate_grammar::ir::{Base, Intent, ProcId, ProcKind, Program, SymId, SymbolKind, Ty, Variable};
use costate_grammar::source::Span;

use super::procedure::with_nearest;
use super::{NameText, Side, Target};

/// True when a value of the type is, or holds, real or complex numbers.
pub fn holds_continuous(program: &Program, ty: Ty) -> bool {
    fn holds(program: &Program, ty: Ty, seen: &mut Vec<SymId>) -> bool {
        match ty.base {
            Base::Real | Base::Complex => true,
            Base::Derived(t) | Base::Class(t) => {
                if seen.contains(&t) {
                    return false;
                }
                seen.push(t);
                let Some(derived) = program[t].derived() else { return false };
                let parent = derived.extends.map(|e| Ty::new(Base::Derived(e), 0));
                let types = parent.into_iter().chain(derived.components.iter().map(|c| c.var.ty));
                types.into_iter().any(|t| holds(program, t, seen))
            }
            Base::Integer | Base::Logical | Base::Character | Base::Unlimited | Base::None => false,
        }
    }
    holds(program, ty, &mut Vec::new())
}

/// All real inputs or outputs among a procedure's dummies, the function result included.
pub fn dummy_targets(program: &Program, proc: ProcId, side: Side) -> Vec<Target> {
    let procedure = &program[proc];
    let mut out = Vec::new();
    for &sym in &procedure.dummies {
        let Some(v) = program.var(sym) else { continue };
        let wanted = match (side, v.intent) {
            (Side::Dependent, Some(Intent::In)) | (Side::Independent, Some(Intent::Out)) => false,
            (Side::Dependent, _) => !v.attrs.value,
            (Side::Independent, _) => true,
        };
        if wanted && holds_continuous(program, v.ty) {
            out.push(Target::whole(sym));
        }
    }
    if let (Side::Dependent, ProcKind::Function(result)) = (side, procedure.kind)
        && program.var(result).is_some_and(|v| holds_continuous(program, v.ty))
    {
        out.push(Target::whole(result));
    }
    out
}

pub(super) fn resolve_list(
    program: &Program,
    proc: ProcId,
    names: &[NameText],
    side: Side,
    problems: &mut Vec<Diagnostic>,
) -> Vec<Target> {
    let mut out: Vec<Target> = Vec::new();
    for name in names {
        match resolve_one(program, proc, name, side) {
            Err(d) => problems.push(*d),
            Ok(target) => match out.iter().find(|t| overlap(t, &target)) {
                Some(other) => problems.push(overlapping(program, proc, name, other, side)),
                None => out.push(target),
            },
        }
    }
    out
}

fn overlap(a: &Target, b: &Target) -> bool {
    a.sym == b.sym && (a.path.starts_with(&b.path) || b.path.starts_with(&a.path))
}

fn overlapping(program: &Program, proc: ProcId, name: &NameText, other: &Target, side: Side) -> Diagnostic {
    let message =
        format!("the {} `{}` overlaps `{}`, which the head names too", side.word(), name.text, other.display(program));
    Diagnostic::error(Code::HeadVariable, program[proc].head, message).help("name it once")
}

fn resolve_one(program: &Program, proc: ProcId, name: &NameText, side: Side) -> Result<Target, Box<Diagnostic>> {
    let refuse = |span: Span, message: String| Diagnostic::error(Code::HeadVariable, span, message);
    let sym = find_base(program, proc, name)?;
    let span = program[sym].span;
    let Some(variable) = program.var(sym) else {
        return Err(Box::new(
            refuse(span, format!("`{}` isn't a variable", name.text))
                .help("a head names dummies, components, the function itself or module variables"),
        ));
    };
    allowed(name, side, span, variable)?;
    let leaf = component(program, name, span, variable)?;
    if !holds_continuous(program, leaf.ty) {
        return Err(Box::new(
            refuse(span, format!("the {} `{}` isn't real", side.word(), name.text))
                .reason(format!("it is `{}`; only real and complex values can be differentiated", leaf.spelling))
                .help("leave it out of the head"),
        ));
    }
    Ok(Target { sym, path: name.path.clone() })
}

/// What the variable's own declaration has to say.
fn allowed(name: &NameText, side: Side, span: Span, v: &Variable) -> Result<(), Box<Diagnostic>> {
    let refuse = |message: String| Diagnostic::error(Code::HeadVariable, span, message);
    let text = &name.text;
    if v.attrs.parameter {
        return Err(Box::new(refuse(format!("`{text}` is a constant")).help("leave it out of the head")));
    }
    if v.equivalenced {
        return Err(Box::new(
            refuse(format!("`{text}` shares memory with other variables, and a head can't name those"))
                .reason("what is given of its derivative would be part of theirs")
                .help("give the head an argument or a variable of its own that carries the value"),
        ));
    }
    match (side, v.intent) {
        (Side::Dependent, Some(Intent::In)) => Err(Box::new(
            refuse(format!("the dependent `{text}` is `intent(in)`"))
                .reason("a dependent is an output")
                .help("write outputs first: `procedure(dependents)/(independents)`"),
        )),
        (Side::Independent, Some(Intent::Out)) => Err(Box::new(
            refuse(format!("the independent `{text}` is `intent(out)`"))
                .reason("an independent is an input, and this one's value on entry isn't defined")
                .help("write outputs first: `procedure(dependents)/(independents)`"),
        )),
        (Side::Independent, _) if v.result => Err(Box::new(
            refuse(format!("the independent `{text}` is the function's result"))
                .help("write outputs first: `procedure(dependents)/(independents)`"),
        )),
        (Side::Dependent, _) if v.attrs.value => Err(Box::new(
            refuse(format!("the dependent `{text}` is passed by value"))
                .reason("its changes don't leave the procedure"),
        )),
        (Side::Dependent | Side::Independent, _) => Ok(()),
    }
}

/// The base variable: a dummy, the function's own name, or a module variable.
fn find_base(program: &Program, proc: ProcId, name: &NameText) -> Result<SymId, Box<Diagnostic>> {
    let procedure = &program[proc];
    if let Some(module) = &name.module {
        return in_module(program, proc, name, module);
    }
    if let ProcKind::Function(result) = procedure.kind
        && (name.base == procedure.name || name.base == program[result].name)
    {
        return Ok(result);
    }
    if let Some(&sym) = procedure.dummies.iter().find(|&&s| program[s].name == name.base) {
        return Ok(sym);
    }
    if let Some(sym) = program.lookup(procedure.scope, &name.base)
        && let SymbolKind::Variable(v) = &program[sym].kind
    {
        let declared = program[sym].scope;
        if program.module_of(declared).is_some_and(|m| program[m].scope == declared) {
            return Ok(sym);
        }
        let d = Diagnostic::error(
            Code::HeadVariable,
            program[sym].span,
            format!("`{}` is local to `{}`", name.base, procedure.name),
        );
        return Err(Box::new(match &v.common {
            Some(block) => d
                .reason(format!("it lies in the common block `/{block}/`, and a head can't name those"))
                .help("give the head an argument or a module variable that carries the value"),
            None => {
                d.reason("a caller has no access to it").help("name a dummy, the function itself or a module variable")
            }
        }));
    }
    let known = procedure.dummies.iter().map(|&s| program[s].name.as_str());
    let d = Diagnostic::error(
        Code::HeadVariable,
        procedure.head,
        format!("`{}` has no dummy `{}`", procedure.name, name.base),
    );
    Err(Box::new(with_nearest(d, &name.base, known, "name a module variable as `module::name`")))
}

fn in_module(program: &Program, proc: ProcId, name: &NameText, module: &str) -> Result<SymId, Box<Diagnostic>> {
    let Some(&id) = program.module_names.get(module) else {
        let d = Diagnostic::error(
            Code::HeadVariable,
            program[proc].head,
            format!("no module `{module}` is among the files"),
        );
        let known = program.module_names.keys().map(|n| n.as_str());
        return Err(Box::new(with_nearest(d, module, known, "add its file to the command line")));
    };
    let scope = &program[program[id].scope];
    scope.names.get(&name.base).copied().ok_or_else(|| {
        let known = scope.names.iter().filter(|(_, s)| program.var(**s).is_some()).map(|(n, _)| n.as_str());
        let d = Diagnostic::error(
            Code::HeadVariable,
            program[id].span,
            format!("module `{module}` has no variable `{}`", name.base),
        );
        Box::new(with_nearest(d, &name.base, known, "name one of its variables"))
    })
}

/// The declaration of the part that the components lead to.
fn component<'a>(
    program: &'a Program,
    name: &NameText,
    span: Span,
    variable: &'a Variable,
) -> Result<&'a Variable, Box<Diagnostic>> {
    let mut at = variable;
    let mut text = name.base.to_string();
    for step in &name.path {
        let Some(ty) = at.ty.derived() else {
            return Err(Box::new(
                Diagnostic::error(Code::HeadVariable, span, format!("`{text}` has no components"))
                    .reason(format!("it is `{}`", at.spelling)),
            ));
        };
        let Some(next) = program.component(ty, step) else {
            let components = program[ty].derived().map(|d| d.components.as_slice()).unwrap_or_default();
            let d = Diagnostic::error(Code::HeadVariable, span, format!("`{text}` has no component `{step}`"));
            let known = components.iter().map(|c| c.name.as_str());
            return Err(Box::new(with_nearest(d, step, known, "name one of the type's components")));
        };
        at = next;
        text = format!("{text}%{step}");
    }
    Ok(at)
}
