//! Costate's own directives in differentiated code: what they promise is checked, what can't be honoured is refused.

use costate_analysis::activity::Context;
use costate_analysis::effects::Effects;
use costate_grammar::diag::{Code, Diagnostic, Severity};
use costate_grammar::directives::{AdDirective, Construct};
use costate_grammar::ir::{Program, Stmt, StmtKind, for_each_stmt};

use crate::mode::Mode;

/// Problems with the directives in the body of a context's procedure.
pub fn check(program: &Program, effects: &mut Effects, context: &Context, mode: Mode) -> Vec<Diagnostic> {
    let body = effects.bodies.get(&context.proc).cloned().unwrap_or_default();
    // A tangent reverses no loop, however that is to be done.
    let mut problems = match mode {
        Mode::Tangent => Vec::new(),
        Mode::Adjoint => {
            let scope = program[context.proc].scope;
            let (orders, mut wrong) = crate::plan::orders(program, scope, &body);
            wrong.extend(crate::fixed_point::fixed_points(program, scope, &body, &orders).1);
            wrong
        }
    };
    problems.extend(unknown_names(program, context));
    // A region may begin and end in different blocks of normal form, but never out of order.
    let mut excluded = false;
    for_each_stmt(&body, &mut |stmt| {
        match &stmt.kind {
        StmtKind::Directive { directive, .. } => match &directive.construct {
            Construct::Ad(AdDirective::StartExclude) => excluded = true,
            Construct::Ad(AdDirective::EndExclude) => excluded = false,
            Construct::Ad(AdDirective::Inactive(_)) if effects.inactive.contains(&stmt.id) => {}
            Construct::Ad(AdDirective::Inactive(_)) => problems.push(
                Diagnostic::error(
                    Code::UnsupportedDirective,
                    stmt.origin.span(),
                    "`!$ad inactive` isn't supported yet",
                )
                .reason("the derivative would not be the one that the directive asks for")
                .help("leave the variables out of the head, and remove the directive"),
            ),
            Construct::Ad(AdDirective::External(_) | AdDirective::LinearSolve(_)) => problems.push(
                Diagnostic::error(Code::UnsupportedDirective, stmt.origin.span(), "this directive can't be followed")
                    .reason("it tells what the derivatives are of the procedure that it stands in, and stands inside of a construct")
                    .help("put it between the declarations and the statements of the procedure"),
            ),
            // These are about cost, and about how an adjoint comes to the same derivative.
            Construct::Ad(
                AdDirective::BinomialCkp { .. }
                | AdDirective::Checkpoint { .. }
                | AdDirective::FixedPoint { .. }
                | AdDirective::IiLoop
                | AdDirective::Parallel(_),
            )
            | Construct::Omp(_)
            | Construct::Acc(_)
            | Construct::Uninterpreted => {}
        },
        _ if excluded => problems.extend(carried(program, effects, context, stmt)),
        _ => {}
    }
    });
    problems
}

/// Names in directives of a procedure's text that mean no variable.
fn unknown_names(program: &Program, context: &Context) -> Vec<Diagnostic> {
    let mut out = Vec::new();
    for_each_stmt(&program[context.proc].body, &mut |stmt| {
        let StmtKind::Directive { directive, .. } = &stmt.kind else { return };
        let Construct::Ad(AdDirective::Parallel(strategies)) = &directive.construct else { return };
        for name in strategies.iter().flat_map(|s| &s.1) {
            let found = program.lookup(program[context.proc].scope, &name.to_ascii_lowercase());
            if found.is_none_or(|s| program.var(s).is_none()) {
                let message = format!("`!$ad parallel` names `{name}`, which isn't a variable");
                out.push(
                    Diagnostic::error(Code::UnsupportedDirective, stmt.origin.span(), message)
                        .reason("a strategy is for the derivatives of variables of the procedure")
                        .help("name variables, without subscripts or components, or none for all others"),
                );
            }
        }
    });
    out
}

/// Warnings of directives that ask for something that the code alone decides.
pub fn unused(effects: &Effects, context: &Context) -> Vec<Diagnostic> {
    let mut out = Vec::new();
    for_each_stmt(effects.bodies.get(&context.proc).map_or(&[], |b| b.as_slice()), &mut |stmt| {
        let StmtKind::Directive { directive, .. } = &stmt.kind else { return };
        let (message, reason, help) = match &directive.construct {
            Construct::Ad(AdDirective::IiLoop) => (
                "`!$ad ii-loop` isn't followed",
                "whether the iterations of a loop are independent is found from the code; the derivative is the same",
                "remove the directive; `costate plan` says what is saved for this loop",
            ),
            Construct::Ad(AdDirective::Parallel(_)) => (
                "`!$ad parallel` isn't followed",
                "no parallel loop through which derivatives pass stands right behind it",
                "put it before the loop, or before the directive that the loop has",
            ),
            _ => return,
        };
        let d = Diagnostic::error(Code::UnsupportedDirective, stmt.origin.span(), message);
        out.push(d.severity(Severity::Warning).reason(reason).help(help));
    });
    out
}

/// A statement between `start-exclude` and `end-exclude` that the dependents depend on.
fn carried(program: &Program, effects: &mut Effects, context: &Context, stmt: &Stmt) -> Option<Diagnostic> {
    let useful = context.useful.get(&stmt.id)?;
    let writes = effects.access(program, stmt).writes;
    let found = writes.iter().find(|w| useful.contains(w))?;
    let name = &program[effects.locs.get(*found).sym].name;
    let message = format!("`{name}` is assigned here, and the dependents depend on it");
    Some(
        Diagnostic::error(Code::UnsupportedDirective, stmt.origin.span(), message)
            .reason("`!$ad start-exclude` promises that no derivative goes through these statements")
            .help("move the statement out of the excluded region, or remove the directive"),
    )
}
