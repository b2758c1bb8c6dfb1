//! Normal form of a procedure body: what derivatives are made from.
//!
//! Adjoint level: no `associate`, `block`, `where`, `forall`, `do concurrent` or statement function; user functions are
//! called in statements `v = f(...)` of their own; real arrays are assigned element by element in loops, or are products
//! `c = matmul(a, b)` of others; a loop's only jump is `if (flag) exit` at its end, and there is no `return`. Tangent level: only names are resolved and calls pulled out.
//! What a pass can't bring into this form stays as it was; whoever differentiates it refuses it.

mod absent;
mod allocate;
mod array_assignment;
mod assumed_size;
mod bound;
mod callee;
mod calls;
pub mod check;
mod component_bounds;
mod context;
mod copies;
mod defaults;
mod defined;
mod defined_assignment;
mod designator;
mod element;
mod expand;
mod extreme;
mod facts;
mod finals;
mod fold;
mod forall;
mod guards;
mod inline;
mod intrinsic;
mod jumps;
pub mod kind;
mod loop_bounds;
mod lower_bounds;
mod matmul;
mod memory;
pub mod messages;
mod overlap;
mod parts;
mod pointed;
mod pointer_names;
mod postings;
mod reach;
mod rearranged;
mod reassociate;
mod reduce;
mod regions;
mod result;
mod result_copy;
mod room;
mod scalarise;
mod sequences;
mod shape;
mod status;
mod structures;
mod subst;
mod temporary;
mod transfer;
mod transform;
mod two_names;
mod value;
mod where_;

use std::collections::BTreeSet;

use costate_grammar::diag::Diagnostic;
use costate_grammar::ir::{
    Block, Dim, Expr, LoopControl, ProcId, Program, ScopeId, StmtKind, SymId, for_each_expr, for_each_stmt,
};
use costate_grammar::source::Span;

pub use bound::as_plain_call;
use check::Established::{self, Calls, Inlined, Jumps, Scalars, Structures, Types};
use context::{Cx, Openers};
pub use defined_assignment::is_intrinsic;
pub use guards::Pair;
pub use postings::Shared;
pub use regions::{mentions, stands, unserial};
pub use two_names::reads_before_writes;

/// How much is brought into normal form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// For tangent code: array statements and jumps stay.
    Tangent,
    /// For adjoint code.
    Adjoint,
}

/// A body in normal form.
#[derive(Clone, Debug)]
pub struct Normal {
    /// Its statements.
    pub body: Block,
    /// Variables that it uses beyond the user's; they are declared in the procedure's scope.
    pub temporaries: Vec<SymId>,
}

/// Brings a procedure's body into normal form. The procedure itself keeps its body.
pub fn normalise(program: &mut Program, proc: ProcId, level: Level) -> Result<Normal, Vec<Diagnostic>> {
    let messages = Shared::of(program);
    normalise_with(program, proc, level, (&CallRewrites::default(), &messages), true)
}

/// What is done to calls and regions beside bringing them into normal form.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CallRewrites {
    /// Procedures are copied for calls that give one variable to two of their dummies.
    pub one_name: bool,
    /// Procedures that belong to no module and pass messages get one for the halves of their adjoints.
    pub housed: bool,
    /// Procedures whose statements stand in place of their calls.
    pub in_line: BTreeSet<ProcId>,
    /// Regions of OpenMP and OpenACC whose statements are followed, by the places where they begin.
    pub regions: BTreeSet<Span>,
    /// Dummies that must be different elements: before calls whose subscripts decide that stands a statement that stops
    /// where they are the same.
    pub apart: BTreeSet<Pair>,
}

/// The same with calls rewritten, given what calls that pass messages say in the whole program. With `check` each pass must have established what it is for.
pub fn normalise_with(
    program: &mut Program,
    proc: ProcId,
    level: Level,
    (calls, messages): (&CallRewrites, &Shared),
    check: bool,
) -> Result<Normal, Vec<Diagnostic>> {
    let own = program[proc].body.clone();
    let mut cx = Cx::new(program, proc, messages, OPENERS);
    let mut body = pointer_names::run(&mut cx, own.clone(), &calls.regions);
    if !calls.regions.is_empty() {
        body = regions::run(&mut cx, body, &calls.regions);
    }
    if !cx.problems.is_empty() {
        return Err(cx.problems);
    }
    if !calls.in_line.is_empty() {
        body = bound::run(&mut cx, body);
        body = expand::run(&mut cx, body, &calls.in_line);
    }
    let made = std::mem::take(&mut cx.temporaries);
    // What is known of a body is found in what is brought into normal form.
    program[proc].body = body;
    let normal = normal_form(program, proc, level, (made, calls, messages), check);
    program[proc].body = own;
    normal
}

/// The passes that others ask to open what they make.
const OPENERS: Openers = Openers { object: structures::open_object, objects: structures::run, arrays: scalarise::run };

fn normal_form(
    program: &mut Program,
    proc: ProcId,
    level: Level,
    (made, calls, messages): (Vec<SymId>, &CallRewrites, &Shared),
    check: bool,
) -> Result<Normal, Vec<Diagnostic>> {
    let body = program[proc].body.clone();
    let mut cx = Cx::new(program, proc, messages, OPENERS);
    cx.temporaries = made;
    let mut form = Form::new(cx, body, check);
    form.pass("bound", Types, bound::run);
    form.pass("messages", Types, messages::run);
    form.pass("pointed", Types, pointed::run);
    form.pass("value", Types, value::run);
    form.pass("result_copy", Types, result_copy::run);
    form.pass("finals", Types, finals::run);
    form.pass("defaults", Types, defaults::run);
    form.pass("inline", Inlined, inline::run);
    form.pass("absent", Inlined, absent::run);
    form.pass("defined assignments", Inlined, structures::call_defined);
    form.pass("parts", Inlined, parts::run);
    form.pass("allocate", Inlined, allocate::run);
    match level {
        Level::Tangent => {
            form.pass("calls", Inlined, calls::run);
            form.pass("status", Inlined, status::run);
        }
        Level::Adjoint => {
            form.pass("conditions", Inlined, calls::split_conditions);
            form.pass("loop_bounds", Inlined, loop_bounds::run);
            form.pass("structures", Structures, structures::run);
            form.pass("scalarise", Scalars, scalarise::run);
            form.pass("calls", Calls, calls::run);
            form.pass("jumps", Jumps, jumps::run);
            form.pass("status", Jumps, status::run);
        }
    }
    let established = if level == Level::Adjoint { Jumps } else { Inlined };
    form.pass("guards", established, |cx, body| guards::run(cx, body, &calls.apart));
    let Form { mut cx, mut body, .. } = form;
    regions::own::note(cx.program, &mut body, &cx.temporaries);
    regions::strategies::run(&mut body);
    if !cx.problems.is_empty() {
        cx.purge(&BTreeSet::new());
        return Err(cx.problems);
    }
    let used = used(&body, cx.program, cx.scope);
    let temporaries = cx.purge(&used);
    Ok(Normal { body, temporaries })
}

/// A body on its way to normal form.
struct Form<'p> {
    cx: Cx<'p>,
    body: Block,
    /// Each pass is checked. What the user's own statements don't hold isn't asked for.
    check: bool,
}

impl<'p> Form<'p> {
    fn new(cx: Cx<'p>, body: Block, check: bool) -> Form<'p> {
        let check = check && check::findings(cx.program, &body, Types).broken.is_empty();
        Form { cx, body, check }
    }

    /// Runs a pass, after which something is established.
    fn pass(&mut self, name: &str, established: Established, run: impl FnOnce(&mut Cx<'p>, Block) -> Block) {
        self.body = run(&mut self.cx, std::mem::take(&mut self.body));
        if self.check && self.cx.problems.is_empty() {
            let found = check::findings(self.cx.program, &self.body, established).broken;
            let place = format!("normal form after `{name}`");
            self.cx.problems.extend(found.into_iter().map(|f| f.into_bug(&place)));
        }
    }
}

/// The symbols that a body uses, and those that the declarations of its scope use.
fn used(body: &Block, program: &Program, scope: ScopeId) -> BTreeSet<SymId> {
    let mut seen = BTreeSet::new();
    let look = |e: &Expr, seen: &mut BTreeSet<SymId>| {
        for_each_expr(e, &mut |e| seen.extend(e.as_var().map(|d| d.sym)));
    };
    for_each_stmt(body, &mut |s| {
        if let StmtKind::Do { control: LoopControl::Count { var, .. }, .. } = &s.kind {
            seen.insert(*var);
        }
        s.exprs().into_iter().for_each(|e| look(e, &mut seen));
    });
    for &sym in program[scope].names.values() {
        let Some(v) = program.var(sym) else { continue };
        v.init.iter().for_each(|e| look(e, &mut seen));
        for d in &v.dims {
            match d {
                Dim::Explicit(lo, hi) => lo.iter().chain([hi]).for_each(|e| look(e, &mut seen)),
                Dim::Assumed(lo) | Dim::AssumedSize(lo) => lo.iter().for_each(|e| look(e, &mut seen)),
                Dim::Deferred | Dim::AssumedRank => {}
            }
        }
        seen.extend(&v.spelling_uses);
    }
    seen
}
