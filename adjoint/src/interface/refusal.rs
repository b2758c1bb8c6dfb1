//! Refusals of entities that generated code can't reach.
//!
//! With the separate layout, generated code of a module stands outside of it; with the extended one, only that of other
//! modules does.

use costate_grammar::diag::{Code, Diagnostic};
use costate_grammar::ir::{Expr, ExprKind, ModuleId, Program, SymId};
use costate_grammar::source::Span;

use crate::mode::Layout;

fn reason(layout: Layout) -> &'static str {
    match layout {
        Layout::Separate => "a generated module sees only the public entities of the module that it differentiates",
        Layout::Extend => "generated code of another module needs it, which sees only public entities",
    }
}

fn help(layout: Layout, otherwise: &str) -> String {
    match layout {
        Layout::Separate => {
            format!("use `--layout extend`, which adds the generated procedures to the module itself, or {otherwise}")
        }
        Layout::Extend => otherwise.to_string(),
    }
}

/// A private entity that generated code of another unit needs.
pub(crate) fn private(program: &Program, sym: SymId, layout: Layout) -> Diagnostic {
    let name = &program[sym].name;
    if program.module_of(program[sym].scope).is_some_and(|m| program.top_module(m) != m) {
        let message = format!("`{name}` belongs to a submodule, and generated code needs it");
        return Diagnostic::error(Code::PrivateEntity, program[sym].span, message)
            .reason("no other unit sees what a submodule declares, and generated code stands in a module")
            .help("declare it in the module that the submodule belongs to");
    }
    Diagnostic::error(
        Code::PrivateEntity,
        program[sym].span,
        format!("`{name}` is private, and generated code needs it"),
    )
    .reason(reason(layout))
    .help(help(layout, "make the entity public"))
}

/// A private procedure pointer of an extended module, which no procedure that is added there hands on.
pub(crate) fn private_pointer(program: &Program, m: ModuleId, e: &Expr) -> Diagnostic {
    let sym = match &e.kind {
        ExprKind::ProcRef(sym) => Some(*sym),
        _ => e.as_var().map(|d| d.sym),
    };
    let span = sym.map_or(Span::default(), |sym| program[sym].span);
    let what = format!("a procedure pointer of `{}` is private, and generated code needs it", program[m].name);
    let found = Diagnostic::error(Code::PrivateEntity, span, what).reason(reason(Layout::Extend));
    found.help(help(Layout::Extend, "make the pointer public"))
}

/// A private component of a type that generated code of another unit needs.
pub(crate) fn private_component(
    program: &Program,
    ty: SymId,
    component: &str,
    span: Span,
    layout: Layout,
) -> Diagnostic {
    let message =
        format!("the component `{component}` of `{}` is private, and generated code needs it", program[ty].name);
    Diagnostic::error(Code::PrivateEntity, program[ty].span, message)
        .label(span, "for the derivative of this")
        .reason(reason(layout))
        .help(help(layout, "make the component public"))
}

/// A protected variable that generated code of another unit must change.
pub(crate) fn protected(program: &Program, sym: SymId, span: Span, layout: Layout) -> Diagnostic {
    let name = &program[sym].name;
    Diagnostic::error(
        Code::PrivateEntity,
        program[sym].span,
        format!("`{name}` is protected, and generated code changes it"),
    )
    .label(span, "for the derivative of this")
    .reason("only the module that declares it may change it, and generated code stands in another one")
    .help(help(layout, "drop the attribute"))
}

/// An entity that has the name of an intrinsic procedure, both of which generated code needs.
pub(crate) fn hidden_intrinsic(program: &Program, sym: SymId, intrinsic: &str, span: Span) -> Diagnostic {
    Diagnostic::error(
        Code::UnsupportedDeclaration,
        program[sym].span,
        format!("`{intrinsic}` is an entity of this module, and generated code needs the intrinsic procedure too"),
    )
    .label(span, "for the derivative of this")
    .reason("both would have to stand in the extended module under one name")
    .help("rename the entity, or do without `--layout extend`")
}
