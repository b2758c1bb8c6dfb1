//! Where called procedures use arrays: on the device, or on the host.

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use costate_analysis::devices::is_lasting;
use costate_analysis::effects::{bind, target, within};
use costate_analysis::externals::Externals;
use costate_analysis::externals::messages::message_of;
use costate_analysis::loops::assigned;
use costate_analysis::storage::symbols;
use costate_grammar::directives::{AccConstruct, Construct, Directive, OmpConstruct};
use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{
    Arg, Callee, Expr, ExprKind, Intent, ParentUnit, ProcId, Program, Stmt, StmtKind, SymId, for_each_expr,
};
use costate_grammar::source::Span;

use super::code::{is_device_code, mentioned, own_values, values};
use super::conditions::{self, Condition};
use super::current::Use;
use super::flow;
use super::parts::{created, dropped, updated};
use super::touch::{Case, Touch, is_whole, join};

/// What a call passes for dummies.
type Actuals<'e> = BTreeMap<SymId, Option<&'e Expr>>;

/// What calls of a generated procedure are taken to do that isn't there yet.
#[derive(Clone, Debug, Default)]
pub(crate) struct Assumed {
    dummies: Vec<SymId>,
    touch: Rc<Touch>,
    /// How often it was taken to do something else before.
    revised: usize,
}

impl Assumed {
    /// The dummies with what a call passes for them.
    fn bound<'e>(&self, program: &Program, args: &'e [Arg]) -> Actuals<'e> {
        let named = |a: &Arg| a.keyword.as_ref().and_then(|k| self.dummies.iter().find(|d| program[**d].name == *k));
        let dummy = |(k, a): (usize, &Arg)| if a.keyword.is_some() { named(a) } else { self.dummies.get(k) }.copied();
        args.iter().enumerate().filter_map(|(k, a)| Some((dummy((k, a))?, Some(&a.value)))).collect()
    }
}

/// What is assumed of generated procedures that call each other, by their symbols: nothing at first.
pub(crate) type Assumptions = BTreeMap<SymId, Assumed>;

/// How often assumptions may be revised by others: after that they only grow, and that comes to an end.
const TRIALS: usize = 4;

/// True where generated procedures, `made` being all of them, do what is assumed of them and no more. Revises the assumptions
/// otherwise; the second ones are that all arrays stay on the device that are used there.
pub(in crate::parallel) fn hold(program: &Program, assumptions: &mut Assumptions, made: &[ProcId]) -> bool {
    let callees = Callees::default();
    let mut held = true;
    for &p in made {
        let Some(known) = assumptions.get_mut(&program[p].sym) else { continue };
        let found = callees.of_procedure(program, p);
        if known.revised == 0 {
            let dummies = program[p].dummies.clone();
            *known = Assumed { dummies, touch: Rc::new(found.kept_there(program)), revised: 1 };
            held = false;
            continue;
        }
        let names = program[p].dummies.iter().copied().zip(known.dummies.iter().copied()).collect();
        let found = found.renamed(&names);
        let mut both = found.clone();
        both.join(&known.touch);
        if both != *known.touch {
            known.touch = Rc::new(if known.revised < TRIALS { found } else { both });
            known.revised += 1;
            held = false;
        }
    }
    held
}

/// The procedures that were looked at.
#[derive(Debug, Default)]
pub(in crate::parallel) struct Callees<'a> {
    assumed: Option<&'a Assumptions>,
    /// Variables that data regions around the user's statements name.
    regions: BTreeMap<Span, BTreeSet<SymId>>,
    /// Conditions that hold wherever the program has arrays on a device.
    given: OnceCell<Vec<Condition>>,
    known: RefCell<BTreeMap<ProcId, Rc<Touch>>>,
    /// Those that are looked at now; true for one that is called by those inside.
    begun: RefCell<BTreeMap<ProcId, bool>>,
}

impl<'a> Callees<'a> {
    /// Those that the generated procedure of a primal calls.
    pub(in crate::parallel) fn of_generated(program: &Program, primal: ProcId, assumed: &'a Assumptions) -> Self {
        let mut regions = BTreeMap::new();
        in_regions(&program[primal].body, &BTreeSet::new(), &mut regions);
        Callees { assumed: Some(assumed), regions, ..Callees::default() }
    }

    /// True where the statement of the user's from which one comes stands in a data region that names a variable.
    pub(super) fn is_in_region(&self, s: &Stmt, sym: SymId) -> bool {
        self.regions.get(&s.origin.span()).is_some_and(|names| names.contains(&sym))
    }

    /// What the procedures do that a statement calls itself; `None` where it calls none.
    pub(super) fn touch(&self, program: &Program, s: &Stmt) -> Option<Touch> {
        let mut out: Option<Touch> = None;
        let mut add = |callee: &Callee, args: &[Arg]| {
            let all = out.get_or_insert_default();
            all.add(self.call(program, callee, args));
        };
        if let StmtKind::Call { callee: callee @ (Callee::Proc { .. } | Callee::Bound { .. }), args } = &s.kind {
            add(callee, args);
        }
        for e in s.exprs() {
            for_each_expr(e, &mut |x| {
                if let ExprKind::Call { callee: callee @ (Callee::Proc { .. } | Callee::Bound { .. }), args } = &x.kind
                {
                    add(callee, args);
                }
            });
        }
        out
    }

    fn call(&self, program: &Program, callee: &Callee, args: &[Arg]) -> Touch {
        let mut out = Touch::default();
        let Some((inside, actuals)) = self.inside(program, callee, args) else {
            return unfollowed(program, callee, args);
        };
        out.kinds.clone_from(&inside.kinds);
        for (dummy, actual) in &actuals {
            match actual.map(|e| (e, e.as_var())) {
                Some((_, Some(d))) => {
                    let whole = d.parts.is_empty() && is_whole(program, (*dummy, d.sym), &actuals);
                    out.passed(program, (*dummy, d, whole), &inside);
                }
                Some((e, None)) => {
                    let mut used = BTreeSet::new();
                    values(e, &mut used);
                    out.all_do(&used, Use::HostReads);
                    out.host.extend(used);
                }
                None => {}
            }
        }
        let shared = |set: &BTreeSet<SymId>| -> Vec<SymId> {
            set.iter().copied().filter(|s| !actuals.contains_key(s)).collect()
        };
        out.host.extend(shared(&inside.host));
        out.device.extend(shared(&inside.device));
        out.written.extend(shared(&inside.written));
        out.allocated.extend(shared(&inside.allocated));
        out.entered.extend(shared(&inside.entered));
        out.updated.extend(shared(&inside.updated));
        let others = inside.flows.iter().filter(|(s, _)| !actuals.contains_key(s));
        others.for_each(|(s, flow)| out.does(*s, *flow));
        out.cases = passed_cases(program, &inside, &actuals);
        out
    }

    /// What a called procedure does, with what its dummies are; `None` where that isn't known.
    fn inside<'e>(&self, program: &Program, callee: &Callee, args: &'e [Arg]) -> Option<(Rc<Touch>, Actuals<'e>)> {
        let followed = |p: &ProcId| !program.is_declared_only(*p) && program[*p].parent != ParentUnit::Interface;
        let Some(proc) = target(program, callee) else {
            let Callee::Proc { sym, .. } = callee else { return None };
            return self.assumed?.get(sym).map(|known| (Rc::clone(&known.touch), known.bound(program, args)));
        };
        if !followed(&proc) {
            return None;
        }
        let passed = bind(program, &program[proc], args);
        Some((self.of_procedure(program, proc), program[proc].dummies.iter().copied().zip(passed).collect()))
    }

    fn of_procedure(&self, program: &Program, proc: ProcId) -> Rc<Touch> {
        if let Some(known) = self.known.borrow().get(&proc) {
            self.begun.borrow_mut().entry(proc).and_modify(|recursive| *recursive = true);
            return Rc::clone(known);
        }
        // What one uses that calls itself is what it uses given that its calls do: the least such.
        let others: BTreeSet<ProcId> = self.known.borrow().keys().copied().collect();
        let mut first = true;
        loop {
            self.begun.borrow_mut().insert(proc, false);
            let guess = Rc::clone(self.known.borrow_mut().entry(proc).or_default());
            let mut found = self.used_by(program, proc);
            if !std::mem::take(&mut first) {
                found.flows = join(found.flows, &guess.flows);
                found.cases.clear();
            }
            let found = Rc::new(found);
            let recursive = self.begun.borrow_mut().remove(&proc) == Some(true);
            let mut known = self.known.borrow_mut();
            if recursive && *found != *guess {
                known.retain(|p, _| others.contains(p));
            }
            known.insert(proc, Rc::clone(&found));
            if !recursive || *found == *guess {
                return found;
            }
        }
    }

    /// The same, given what is known of the procedures that it calls.
    fn used_by(&self, program: &Program, proc: ProcId) -> Touch {
        let mut out = Touch::default();
        self.block(program, &program[proc].body, &mut out);
        let given = self.given.get_or_init(|| conditions::entering(program));
        let called = |s: &Stmt| self.touch(program, s);
        match flow::of_body(program, &called, &program[proc], given) {
            Some((flows, cases)) => (out.flows, out.cases) = (flows, cases),
            None => out.flows = out.in_any_order(),
        }
        let seen = |s: &SymId| {
            let array = program.var(*s).is_some_and(|v| v.rank() > 0 && !v.attrs.parameter);
            array && is_seen_by_callers(program, proc, *s)
        };
        let only_read = |s: &SymId| program.var(*s).is_some_and(|v| v.intent == Some(Intent::In));
        // What is passed for a scalar may be an element.
        let passed = |s: &SymId| program.var(*s).is_some_and(|v| v.dummy.is_some());
        out.host.retain(|s| seen(s) || passed(s));
        out.device.retain(|s| seen(s) || passed(s));
        out.written.retain(|s| (seen(s) || passed(s)) && !only_read(s));
        out.allocated.retain(seen);
        out.entered.retain(seen);
        out.updated.retain(|s| seen(s) || passed(s));
        out.flows.retain(|s, _| seen(s) || passed(s));
        out.cases.retain(|s, _| seen(s));
        out
    }

    fn block(&self, program: &Program, block: &[Stmt], out: &mut Touch) {
        for s in block {
            out.written.extend(assigned(std::slice::from_ref(s)));
            if is_device_code(s) {
                out.device.extend(mentioned(s));
                if conditions::is_conditional(s) {
                    out.host.extend(mentioned(s));
                }
                out.kinds.insert(s.governing().iter().any(|d| d.directive.acc().is_some()));
                continue;
            }
            if let StmtKind::Directive { directive, names, .. } = &s.kind
                && moves(&directive.construct)
            {
                out.updated.extend(updated(program, directive, names).into_iter().map(|u| u.sym));
            }
            if let StmtKind::Directive { directive, names, body: None } = &s.kind {
                out.host.extend(dropped(program, directive, names));
                let created = created(program, directive, names);
                out.host.extend(&created);
                out.written.extend(created);
            }
            out.entered.extend(entered(s));
            out.allocated.extend(allocated(program, s));
            match self.touch(program, s) {
                Some(touch) => {
                    out.add(touch);
                    if !matches!(s.kind, StmtKind::Call { .. }) {
                        s.exprs().into_iter().for_each(|e| own_values(e, &mut out.host));
                    }
                }
                None if matches!(s.kind, StmtKind::Allocate { .. } | StmtKind::Deallocate { .. }) => {}
                None => s.exprs().into_iter().for_each(|e| values(e, &mut out.host)),
            }
            s.blocks().into_iter().for_each(|b| self.block(program, b, out));
        }
    }
}

/// The cases of a called procedure as they are named where it is called.
fn passed_cases(program: &Program, inside: &Touch, actuals: &Actuals<'_>) -> BTreeMap<SymId, Case> {
    let mut out = BTreeMap::new();
    for (sym, case) in &inside.cases {
        let to = match actuals.get(sym) {
            Some(e) => e.and_then(Expr::as_var).filter(|d| d.parts.is_empty()).map(|d| d.sym),
            None => Some(*sym),
        };
        let Some(to) = to.filter(|to| to == sym || is_whole(program, (*sym, *to), actuals)) else { continue };
        let Some(condition) = case.condition.passed(program, actuals) else { continue };
        let twice = actuals.values().flatten().filter_map(|e| e.as_var()).filter(|d| d.sym == to).count() > 1;
        if !twice && !condition.variables().any(|x| changed(x, inside, actuals)) {
            let (condition, opposite) = condition.base();
            let case = Case { condition, ..case.clone() };
            out.insert(to, if opposite { case.turned() } else { case });
        }
    }
    out
}

/// True for a variable that a procedure changes which gets it.
fn changed(sym: SymId, inside: &Touch, actuals: &Actuals<'_>) -> bool {
    actuals
        .iter()
        .any(|(dummy, e)| e.and_then(Expr::as_var).is_some_and(|d| d.sym == sym) && inside.written.contains(dummy))
}

/// Adds the variables that data regions around statements name, `outer` being those around the block.
fn in_regions(block: &[Stmt], outer: &BTreeSet<SymId>, out: &mut BTreeMap<Span, BTreeSet<SymId>>) {
    for s in block {
        if !outer.is_empty() {
            out.entry(s.origin.span()).or_default().extend(outer);
        }
        let mut inner = outer.clone();
        if let StmtKind::Directive { directive, names, body: Some(_) } = &s.kind
            && is_data(directive)
        {
            inner.extend(names);
        }
        s.blocks().into_iter().for_each(|b| in_regions(b, &inner, out));
    }
}

/// True for a directive of a data region.
pub(super) fn is_data(directive: &Directive) -> bool {
    matches!(directive.construct, Construct::Acc(AccConstruct::Data) | Construct::Omp(OmpConstruct::TargetData))
}

/// What a procedure does whose statements aren't known: one of a library works on the host. Others may do so, or on the device where
/// they find the copy of an array, as procedures do that are passed.
fn unfollowed(program: &Program, callee: &Callee, args: &[Arg]) -> Touch {
    let passed: BTreeSet<SymId> = args.iter().flat_map(|a| symbols(&a.value)).collect();
    if let Some(changes) = of_library(program, callee) {
        let (written, done) =
            if changes { (passed.clone(), Use::HostWrites) } else { (BTreeSet::new(), Use::HostReads) };
        let mut out = Touch { written, ..Touch::default() };
        out.all_do(&passed, done);
        return Touch { host: passed, ..out };
    }
    let whole = args.iter().filter_map(|a| a.value.as_var()).filter(|d| d.parts.is_empty());
    let allocated = whole.map(|d| d.sym).filter(|s| is_allocatable(program, *s)).collect();
    let device = if is_of_table(program, callee) { BTreeSet::new() } else { passed.clone() };
    let mut written = passed.clone();
    if let Some(p) = target(program, callee) {
        let only_read = |s: &SymId| program.var(*s).is_some_and(|v| v.intent == Some(Intent::In));
        let passed = program[p].dummies.iter().zip(bind(program, &program[p], args));
        let (read, changed): (Vec<_>, Vec<_>) = passed.partition(|(dummy, _)| only_read(dummy));
        let of = |list: Vec<(&SymId, Option<&Expr>)>| -> BTreeSet<SymId> {
            list.into_iter().filter_map(|(_, e)| e?.as_var()).map(|d| d.sym).collect()
        };
        let changed = of(changed);
        of(read).iter().filter(|s| !changed.contains(s)).for_each(|s| _ = written.remove(s));
    }
    let mut out = Touch { host: passed, written, device, allocated, ..Touch::default() };
    for sym in &out.host {
        let done = match (out.device.contains(sym), out.written.contains(sym)) {
            (true, true) => Use::EitherWrites,
            (true, false) => Use::EitherReads,
            (false, true) => Use::HostWrites,
            (false, false) => Use::HostReads,
        };
        out.flows.insert(*sym, done.into());
    }
    out
}

/// True for a procedure of MPI, BLAS, LAPACK and others that Costate knows by their names.
fn is_of_table(program: &Program, callee: &Callee) -> bool {
    let Callee::Proc { sym, .. } = callee else { return false };
    let name = &program[*sym].name;
    message_of(name).is_some() || Externals::default().find(name).is_some()
}

/// Whether a procedure of the run-time library changes what it is passed; `None` for other procedures.
fn of_library(program: &Program, callee: &Callee) -> Option<bool> {
    let Callee::Proc { sym, .. } = callee else { return None };
    let name = program[*sym].name.as_str();
    let reads = ["costate_push", "costate_put", "costate_verify", "costate_note", "costate_compare"];
    name.starts_with("costate_").then(|| !reads.contains(&name))
}

fn is_allocatable(program: &Program, sym: SymId) -> bool {
    program.var(sym).is_some_and(|v| v.attrs.allocatable)
}

/// True for a dummy of a procedure, and for a variable from outside of it.
pub(super) fn is_seen_by_callers(program: &Program, proc: ProcId, sym: SymId) -> bool {
    let (own, home) = (program[proc].scope, program[sym].scope);
    let outside = home != own && !within(program, home, own);
    outside || program.var(sym).is_some_and(|v| v.dummy.is_some())
}

/// What a directive that stands alone puts on the device, or takes from there.
pub(super) fn entered(s: &Stmt) -> BTreeSet<SymId> {
    match &s.kind {
        StmtKind::Directive { directive, names, body: None }
            if is_lasting(&directive.construct) || directive.acc() == Some(&AccConstruct::Declare) =>
        {
            names.iter().copied().collect()
        }
        _ => BTreeSet::new(),
    }
}

/// What `allocate` gives memory to, or `deallocate` frees.
pub(super) fn given_memory(s: &Stmt) -> BTreeSet<SymId> {
    match &s.kind {
        StmtKind::Allocate { items, .. } => items.iter().filter_map(|i| i.object.as_var()).map(|d| d.sym).collect(),
        StmtKind::Deallocate { items, .. } => items.iter().filter_map(Expr::as_var).map(|d| d.sym).collect(),
        _ => BTreeSet::new(),
    }
}

/// What a statement itself gives other memory, or frees: assignments of whole allocatable arrays may, too.
pub(super) fn allocated(program: &Program, s: &Stmt) -> BTreeSet<SymId> {
    match &s.kind {
        StmtKind::Assign { lhs, .. } => {
            let whole = lhs.as_var().filter(|d| d.parts.is_empty() && lhs.rank > 0);
            whole.map(|d| d.sym).filter(|s| is_allocatable(program, *s)).into_iter().collect()
        }
        StmtKind::Call { callee: Callee::Intrinsic(Intrinsic::MoveAlloc), args } => {
            args.iter().filter_map(|a| a.value.as_var()).map(|d| d.sym).collect()
        }
        StmtKind::Unsupported { .. } => {
            let whole = s.exprs().into_iter().filter_map(Expr::as_var).filter(|d| d.parts.is_empty());
            whole.map(|d| d.sym).filter(|s| is_allocatable(program, *s)).collect()
        }
        _ => given_memory(s),
    }
}

/// True for a directive that brings memory up to date.
fn moves(c: &Construct) -> bool {
    matches!(c, Construct::Acc(AccConstruct::Update) | Construct::Omp(OmpConstruct::TargetUpdate))
}
