//! What isn't understood in the procedures that the heads reach: which calls the user declares to have no part in the
//! derivative, and refusals where derivatives may pass.

use costate_analysis::activity::Context;
use costate_analysis::effects::{called, inner_calls, target};
use costate_analysis::storage::LocId;
use costate_grammar::diag::{Code, Diagnostic};
use costate_grammar::directives::{AdDirective, Construct};
use costate_grammar::intrinsics::is_left_out;
use costate_grammar::ir::{
    Callee, ExprKind, Program, ScopeKind, Stmt, StmtId, StmtKind, SymId, SymbolKind, Ty, Variable, for_each_stmt,
};
use costate_grammar::source::Span;

use crate::communication::one_sided;
use crate::externals::row_for;
use crate::obstacles::is_procedure_component;
use crate::passed::twin_of;
use crate::session::{Session, unread};

impl Session<'_> {
    /// Finds what unknown procedures may reach.
    pub(crate) fn meet_unknown(&mut self) {
        let hidden = self.unseen_variable("values that other procedures keep");
        for body in self.effects.bodies.values() {
            declared_inactive(self.program, body, &mut self.effects.inactive);
        }
        self.effects.find_reach(self.program, hidden);
    }

    /// A variable that no code names.
    pub(crate) fn unseen_variable(&mut self, name: &str) -> SymId {
        let scope = self.program.add_scope(None, ScopeKind::Global);
        let ty = Ty::DOUBLE;
        let variable = Variable::scalar(ty, self.program.spell(ty));
        let kind = SymbolKind::Variable(Box::new(variable));
        self.program.add_symbol(scope, costate_grammar::ir::Name::new(name), Span::default(), kind)
    }

    /// Refuses statements through which derivatives may pass in a way that isn't known.
    pub(crate) fn check_unknown(&mut self) -> Result<(), Vec<Diagnostic>> {
        let mut problems: Vec<Diagnostic> = self.check_given();
        problems.extend(self.check_begun_besides());
        problems.extend(self.check_calls_of_declared());
        problems.extend(self.check_windows());
        for c in self.activity.contexts.clone() {
            // What its calls lead to isn't known where its statements aren't.
            if self.deferred.get(&c.proc).is_some_and(|d| unread(d)) {
                continue;
            }
            let mut found = Vec::new();
            self.check_finals(c.proc, &mut found);
            for d in found {
                if !problems.contains(&d) {
                    problems.push(d);
                }
            }
            let body = self.effects.bodies.get(&c.proc).cloned().unwrap_or_default();
            for_each_stmt(&body, &mut |s| {
                // Statements that are kept as text are refused wherever they are differentiated.
                if matches!(s.kind, StmtKind::Unsupported { .. }) {
                    return;
                }
                let executed = runs_plan(self.program, s) && !self.effects.inactive.contains(&s.id);
                let refused = match executed {
                    true => Some(plan_refusal(s)),
                    false => self.passed(&c, s).map(|passed| refusal(self.program, s, &passed)),
                };
                problems.extend(refused.filter(|d| !problems.contains(d)).into_iter().collect::<Vec<_>>());
            });
        }
        if problems.is_empty() { Ok(()) } else { Err(problems) }
    }

    /// What carries a derivative through the unknown part of a statement.
    fn passed(&mut self, c: &Context, s: &Stmt) -> Option<String> {
        if self.effects.inactive.contains(&s.id) {
            return None;
        }
        let (varied, useful) = c.varied.get(&s.id).zip(c.useful.get(&s.id))?;
        let pairs = self.effects.opaque_depends(self.program, s);
        let through = |from: LocId| varied.contains(&from);
        let mut found = pairs.iter().filter(|(to, from, _)| useful.contains(to) && from.iter().any(through));
        // What a dummy procedure gives to its arguments comes from elsewhere.
        if called(self.program, s).is_some_and(|(p, _)| self.effects.is_passed(p)) {
            let source = found.clone().flat_map(|(_, from, _)| from.iter()).find(|l| through(*l));
            return source.map(|l| self.effects.locs.describe(self.program, l));
        }
        // Something that the user can name makes the better example.
        let named = |(to, _, _): &&(LocId, _, bool)| {
            !matches!(self.program[self.program[self.effects.locs.get(*to).sym].scope].kind, ScopeKind::Global)
        };
        let example = found.clone().find(named).or_else(|| found.next());
        example.map(|(to, _, _)| self.effects.locs.describe(self.program, *to))
    }
}

/// The calls of unknown procedures behind an `!$ad inactive`, and those after which the program ends: no derivative comes
/// out of it.
fn declared_inactive(program: &Program, block: &[Stmt], out: &mut std::collections::BTreeSet<StmtId>) {
    for (i, s) in block.iter().enumerate() {
        for inner in s.blocks() {
            declared_inactive(program, inner, out);
        }
        if unknown_callee(program, s) && ends(&block[i + 1..]) {
            out.insert(s.id);
        }
        if !is_inactive(s) {
            continue;
        }
        // Arguments that are expressions are assigned to variables before the call.
        let call = block[i + 1..].iter().find(|s| unknown_callee(program, s) || one_sided(program, s).is_some());
        if let Some(call) = call.filter(|c| c.origin.span() == block[i + 1].origin.span()) {
            out.extend([s.id, call.id]);
        }
    }
}

/// Does the program end with the next statement?
fn ends(rest: &[Stmt]) -> bool {
    let frees = |s: &&Stmt| matches!(s.kind, StmtKind::Deallocate { .. } | StmtKind::Comment(_));
    rest.iter().find(|s| !frees(s)).is_some_and(|s| matches!(s.kind, StmtKind::Stop { .. }))
}

/// True for `!$ad inactive` without a list.
fn is_inactive(s: &Stmt) -> bool {
    match &s.kind {
        StmtKind::Directive { directive, .. } => {
            matches!(&directive.construct, Construct::Ad(AdDirective::Inactive(names)) if names.is_empty())
        }
        _ => false,
    }
}

/// True where FFTW executes a plan on the arrays that it was made for: no argument names them, and they may be local ones.
fn runs_plan(program: &Program, s: &Stmt) -> bool {
    const NAMES: [&str; 4] = ["dfftw_execute", "sfftw_execute", "fftw_execute", "fftwf_execute"];
    let StmtKind::Call { callee: Callee::Proc { sym, .. }, .. } = &s.kind else { return false };
    unknown_callee(program, s) && NAMES.contains(&program[*sym].name.as_str())
}

fn plan_refusal(s: &Stmt) -> Diagnostic {
    let message = "this call transforms arrays that it doesn't name";
    Diagnostic::error(Code::ExternalProcedure, s.origin.span(), message)
        .reason("they are those for which its plan was made, and derivatives may pass from one to the other")
        .help(
            "call `dfftw_execute_dft(plan, x, y)` or its like, in a procedure of its own with `!$ad external linear(x, y) \
             transpose(...)`; where the call has no part in the derivative, write `!$ad inactive` before it",
        )
}

/// True for the call of a procedure without source.
fn unknown_callee(program: &Program, s: &Stmt) -> bool {
    let callee = match &s.kind {
        StmtKind::Call { callee, .. } => callee,
        StmtKind::Assign { rhs, .. } => match &rhs.kind {
            ExprKind::Call { callee, .. } => callee,
            _ => return false,
        },
        _ => return false,
    };
    !matches!(callee, Callee::Intrinsic(_)) && target(program, callee).is_none()
}

fn refusal(program: &Program, s: &Stmt, passed: &str) -> Diagnostic {
    let known = inner_calls(s).iter().any(|(callee, _)| target(program, callee).is_some());
    if known && !unknown_callee(program, s) {
        return Diagnostic::error(
            Code::UnsupportedStatement,
            s.origin.span(),
            format!("a function that is called in this statement may change `{passed}`, which is active"),
        )
        .reason("derivative code can't be made of calls within such a statement")
        .help("assign the function's value to a variable before the statement");
    }
    let callee = match &s.kind {
        StmtKind::Call { callee, .. } => Some(callee),
        StmtKind::Assign { rhs, .. } => match &rhs.kind {
            ExprKind::Call { callee, .. } => Some(callee),
            _ => None,
        },
        _ => None,
    };
    let callee = callee.or_else(|| inner_calls(s).first().map(|(c, _)| *c));
    if let Some(d) = callee.and_then(|c| crate::pointers::address(program, c, s)) {
        return d;
    }
    let (message, help) = match callee {
        Some(c) if is_procedure_component(program, c) => {
            ("which procedure runs here depends on what the component points to", "call the procedure by its own name")
        }
        Some(Callee::Bound { .. }) => {
            ("which procedure runs here depends on the object's dynamic type", "call the procedure by its own name")
        }
        Some(Callee::Proc { sym, .. }) if twin_of(program, *sym).is_some() => (
            "a procedure is called through a dummy procedure, and what that may reach beside its arguments is active",
            "where it uses nothing but its arguments, make it an argument what is active; one that changes nothing else is `pure` in \
             its interface; a head that passes the procedure by its name (a small procedure around this one will do) knows what it does",
        ),
        Some(Callee::Proc { sym, .. }) if program[*sym].procedure().is_some_and(|p| p.dummy.is_some()) => (
            "a procedure is called through a dummy procedure",
            "name a head that passes the procedure by its name (a small procedure around this one will do), not by a pointer; \
             an optional procedure has to be given; where the call has no part in the derivative, write `!$ad inactive` before it",
        ),
        Some(Callee::Proc { sym, .. }) if is_procedure_pointer(program, *sym) => (
            "a procedure is called through a procedure pointer",
            "associate it with procedures of modules that are among the files, and assign the function's value to a variable where the \
             call stands in a `where` or `forall`; or call the procedure by its own name; where the call has no part in the derivative, \
             write `!$ad inactive` before it",
        ),
        Some(Callee::Proc { sym, .. }) if is_foreign(program, *sym) => (
            "this procedure isn't written in Fortran, and what it does isn't known",
            "where the call has no part in the derivative (an error message, output, a timer), write `!$ad inactive` before \
             it; else move it out of what is differentiated",
        ),
        Some(Callee::Proc { sym, .. }) if is_left_out(&program[*sym].name) => (
            "derivatives of this intrinsic procedure aren't known",
            "write what it does as statements, a loop for a reduction; if it is a procedure of your own, add its source file \
             to the command line",
        ),
        Some(Callee::Proc { sym, .. }) if is_entry(program, &program[*sym].name) => (
            "this procedure is an `entry` of another one, and these aren't followed",
            "write it as a procedure of its own; what both have in common belongs into a third one, and into a module what one leaves \
             for the other",
        ),
        Some(Callee::Proc { .. } | Callee::Intrinsic(_)) | None => (
            "the source of this procedure isn't among the files",
            "add its source file to the command line; where the call has no part in the derivative (it stops the program \
             with a message, say), write `!$ad inactive` before it",
        ),
    };
    let declarable = |sym| is_outside(program, sym) && !is_entry(program, &program[sym].name);
    let named = callee.is_some_and(|c| matches!(c, Callee::Proc { sym, .. } if declarable(*sym)));
    let help = match row_for(program, s).filter(|_| named) {
        Some(row) => {
            format!("{help}. Or declare it, with intents, in `externals.toml`, and name its derivatives:\n\n{row}\n")
        }
        None => help.to_string(),
    };
    Diagnostic::error(Code::ExternalProcedure, s.origin.span(), message)
        .reason(format!("it may read and change all that it can reach, `{passed}` for one, which is active"))
        .help(help)
}

/// True for the name of an `entry` of a procedure among the files.
fn is_entry(program: &Program, name: &costate_grammar::ir::Name) -> bool {
    let names = |text: &str| text.split_whitespace().nth(1).is_some_and(|n| n.split('(').next() == Some(name.as_str()));
    program.procedures.iter().flat_map(|p| &p.body).any(|s| match &s.kind {
        StmtKind::Unsupported { what, text, .. } => what == "entry" && names(&text.to_ascii_lowercase()),
        _ => false,
    })
}

/// True for a procedure that a table can declare: one outside modules that is called by its own name.
pub(crate) fn is_outside(program: &Program, sym: SymId) -> bool {
    program[sym].procedure().is_some_and(|p| p.external && p.dummy.is_none() && !p.pointer)
}

/// True for a pointer to procedures, whether its targets are known or not.
fn is_procedure_pointer(program: &Program, sym: SymId) -> bool {
    let known = program.var(sym).is_some_and(Variable::points_to_procedure);
    known || program[sym].procedure().is_some_and(|p| p.pointer)
}

/// True for a procedure with a C interface, and for MPI's.
fn is_foreign(program: &Program, sym: SymId) -> bool {
    let symbol = &program[sym];
    let interface = symbol.procedure().and_then(|p| p.interface);
    interface.is_some_and(|p| program[p].bind.is_some()) || symbol.name.starts_with("mpi_")
}
