//! Regions of OpenMP and OpenACC through which derivatives pass, whose statements are followed.

use std::collections::BTreeSet;

use costate_grammar::diag::{Code, Diagnostic, Severity};
use costate_grammar::directives::{AccConstruct, Directive};
use costate_grammar::ir::{Stmt, StmtKind, for_each_stmt};

use costate_analysis::devices::moves_alone;

use crate::failure::Failure;
use crate::region::{Surroundings, can_be_followed, outermost, passing};
use crate::session::Session;

impl Session<'_> {
    /// Asks for the statements of the regions through which derivatives pass to be followed.
    pub(crate) fn check_regions(&mut self) -> Result<(), Failure> {
        let mut regions = BTreeSet::new();
        let mut problems = Vec::new();
        for (context, storage) in self.activity.contexts.iter().zip(&self.storage) {
            let around = Surroundings { program: self.program, context, storage };
            let body = self.effects.bodies.get(&context.proc).cloned().unwrap_or_default();
            outside_regions(&body, &mut |s| {
                if let StmtKind::Directive { directive, body: None, .. } = &s.kind
                    && directive.stands_for_nothing()
                    && !moves_alone(self.program, s)
                {
                    regions.insert(s.origin.span());
                    let what = "this directive can't stand in differentiated code";
                    let found = Diagnostic::error(Code::UnsupportedDirective, s.origin.span(), what);
                    let why = format!("a directive ({}) stands in it", directive.text);
                    problems.push(found.reason(why).help("remove the directive"));
                }
            });
            for stmt in outermost(&body) {
                let Err((reason, help)) = passing(&around, &mut self.effects, stmt) else { continue };
                if can_be_followed(self.program, &self.effects, stmt) {
                    regions.insert(stmt.start().span());
                    let what = "this region can't be differentiated as a whole";
                    let found = Diagnostic::error(Code::UnsupportedDirective, stmt.start().span(), what);
                    problems.push(found.reason(reason).help(help));
                }
            }
        }
        // What a name of `associate` stands for isn't known to those who only look at a region as a whole.
        let mut hidden = false;
        for body in self.effects.bodies.values() {
            for stmt in outermost(body).into_iter().filter(|s| associates(s)) {
                let at = stmt.start().span();
                if regions.contains(&at) {
                    continue;
                }
                match can_be_followed(self.program, &self.effects, stmt) {
                    true => _ = regions.insert(at),
                    false => hidden = true,
                }
                let what = "this region can't be differentiated as a whole";
                let found = Diagnostic::error(Code::UnsupportedDirective, at, what);
                let why = "names of `associate` stand for variables in it";
                problems.push(found.reason(why).help("use the variables by their own names"));
            }
        }
        let told = self.moved_data().into_iter().chain(self.shared_twice()).collect();
        self.warn(told);
        if regions.is_empty() && !hidden { Ok(()) } else { Err(Failure { regions, ..problems.into() }) }
    }
}

/// True for a region in which an `associate` construct stands.
fn associates(region: &Stmt) -> bool {
    let mut found = false;
    for_each_stmt(std::slice::from_ref(region), &mut |s| found |= matches!(s.kind, StmtKind::Associate { .. }));
    found
}

/// Shows the statements that are in no region: one that is kept as a whole needs the directives in it.
fn outside_regions<'s>(block: &'s [Stmt], f: &mut dyn FnMut(&'s Stmt)) {
    for s in block.iter().filter(|s| !s.is_region()) {
        f(s);
        s.blocks().into_iter().for_each(|b| outside_regions(b, f));
    }
}

/// Loops that directives of both OpenMP and OpenACC share out, with what is around them.
fn shared_twice<'s>(block: &'s [Stmt], [omp, acc]: [bool; 2], out: &mut Vec<&'s Stmt>) {
    for s in block {
        let of = s.governing();
        let omp = omp || of.iter().any(|d| d.directive.omp().is_some());
        let acc = acc || of.iter().any(|d| d.directive.acc().is_some_and(|c| *c != AccConstruct::Data));
        match &s.kind {
            StmtKind::Do { .. } if omp && acc => out.push(s),
            _ => s.blocks().into_iter().for_each(|b| shared_twice(b, [omp, acc], out)),
        }
    }
}

impl Session<'_> {
    /// Warnings of loops whose directives of OpenMP derivative code leaves out, because those of OpenACC stand beside them.
    fn shared_twice(&self) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        for context in &self.activity.contexts {
            shared_twice(&self.program[context.proc].body, [false; 2], &mut found);
        }
        let warning = |s: &Stmt| {
            let what = "a loop that comes from this one runs serially with OpenMP in derivative code";
            let found = Diagnostic::error(Code::SerialLoop, s.start().span(), what).severity(Severity::Warning);
            let why = "it has directives of OpenMP and of OpenACC, and derivative code has those of OpenACC";
            found
                .reason(why)
                .help("the derivative is the same; preprocess the source with the directives of one of them")
        };
        found.into_iter().map(warning).collect()
    }

    /// Warnings of directives about a device's memory in procedures that are differentiated.
    fn moved_data(&self) -> Vec<Diagnostic> {
        let mut out = Vec::new();
        for context in &self.activity.contexts {
            for_each_stmt(&self.program[context.proc].body, &mut |s| {
                let alone = match &s.kind {
                    StmtKind::Directive { directive, body: None, .. } if !moves_alone(self.program, s) => {
                        Some(directive)
                    }
                    _ => None,
                };
                let mut all = s.governing().into_iter().map(|d| d.directive).chain(alone);
                if !all.any(Directive::relies_on_device) {
                    return;
                }
                let what = "what this says of data on a device isn't carried over";
                let found = Diagnostic::error(Code::DeviceData, s.start().span(), what).severity(Severity::Warning);
                out.push(
                    found
                        .reason(
                            "derivative code has data regions of its own: what they use goes to the device and back",
                        )
                        .help("call derivative procedures while their arguments aren't on the device"),
                );
            });
        }
        out
    }
}
