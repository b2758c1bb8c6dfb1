//! Where called procedures use arrays: on the device, or on the host.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use costate_analysis::effects::{bind, target, within};
use costate_analysis::loops::assigned;
use costate_analysis::storage::symbols;
use costate_grammar::directives::{AccConstruct, Construct, OmpConstruct};
use costate_grammar::ir::{
    Arg, Callee, Designator, Expr, ExprKind, Intent, Part, ProcId, Program, Stmt, StmtKind, Subscript, SymId,
    for_each_expr,
};

use super::code::{is_device_code, mentioned, values};

/// Arrays that a procedure, or a statement with its calls, uses.
#[derive(Clone, Debug, Default)]
pub(super) struct Touch {
    /// On the host, without a word about their copies on the device.
    pub(super) host: BTreeSet<SymId>,
    /// On the device.
    pub(super) device: BTreeSet<SymId>,
    /// Those that may change.
    pub(super) written: BTreeSet<SymId>,
    /// It has code for a device with directives of OpenACC; of OpenMP.
    pub(super) kinds: BTreeSet<bool>,
}

/// The procedures that were looked at.
#[derive(Debug, Default)]
pub(super) struct Callees {
    known: RefCell<BTreeMap<ProcId, Rc<Touch>>>,
}

impl Callees {
    /// What the procedures do that a statement calls itself; `None` where it calls none.
    pub(super) fn touch(&self, program: &Program, s: &Stmt) -> Option<Touch> {
        let mut out: Option<Touch> = None;
        let mut add = |callee: &Callee, args: &[Arg]| {
            let all = out.get_or_insert_default();
            let found = self.call(program, callee, args);
            all.host.extend(found.host);
            all.device.extend(found.device);
            all.written.extend(found.written);
            all.kinds.extend(found.kinds);
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
        let Some(proc) = target(program, callee) else {
            let passed: BTreeSet<SymId> = args.iter().flat_map(|a| symbols(&a.value)).collect();
            return Touch { host: passed.clone(), written: passed, ..out };
        };
        let inside = self.of_procedure(program, proc);
        out.kinds.clone_from(&inside.kinds);
        let actuals: BTreeMap<SymId, Option<&Expr>> =
            program[proc].dummies.iter().copied().zip(bind(program, &program[proc], args)).collect();
        for (dummy, actual) in &actuals {
            let Some(actual) = actual else { continue };
            let (host, device) = (inside.host.contains(dummy), inside.device.contains(dummy));
            match actual.as_var() {
                Some(d) => {
                    if host || device && !in_one_piece(d) {
                        out.host.insert(d.sym);
                    }
                    if device && in_one_piece(d) {
                        out.device.insert(d.sym);
                    }
                    if inside.written.contains(dummy) {
                        out.written.insert(d.sym);
                    }
                    d.subscripts().for_each(|s| out.host.extend(subscript_values(s)));
                }
                None => values(actual, &mut out.host),
            }
        }
        let shared = |set: &BTreeSet<SymId>| -> Vec<SymId> {
            set.iter().copied().filter(|s| !actuals.contains_key(s)).collect()
        };
        out.host.extend(shared(&inside.host));
        out.device.extend(shared(&inside.device));
        out.written.extend(shared(&inside.written));
        out
    }

    fn of_procedure(&self, program: &Program, proc: ProcId) -> Rc<Touch> {
        if let Some(known) = self.known.borrow().get(&proc) {
            return Rc::clone(known);
        }
        let (mut out, mut updated) = (Touch::default(), BTreeSet::new());
        // Of one that calls itself, what it mentions is used by the host.
        let body = &program[proc].body;
        let mut all = BTreeSet::new();
        body.iter().for_each(|s| all.extend(mentioned(s)));
        let first = Touch { host: all.clone(), written: all, ..Touch::default() };
        self.known.borrow_mut().insert(proc, Rc::new(first));
        self.block(program, body, &mut out, &mut updated);
        out.host.retain(|s| !updated.contains(s));
        let own = program[proc].scope;
        let seen = |s: &SymId| {
            let home = program[*s].scope;
            let outside = home != own && !within(program, home, own);
            program.var(*s).is_some_and(|v| v.rank() > 0 && !v.attrs.parameter && (v.dummy.is_some() || outside))
        };
        let only_read = |s: &SymId| program.var(*s).is_some_and(|v| v.intent == Some(Intent::In));
        out.host.retain(seen);
        out.device.retain(seen);
        // What is passed for a scalar may be an element.
        let passed = |s: &SymId| program.var(*s).is_some_and(|v| v.dummy.is_some());
        out.written.retain(|s| (seen(s) || passed(s)) && !only_read(s));
        let out = Rc::new(out);
        self.known.borrow_mut().insert(proc, Rc::clone(&out));
        out
    }

    fn block(&self, program: &Program, block: &[Stmt], out: &mut Touch, updated: &mut BTreeSet<SymId>) {
        for s in block {
            out.written.extend(assigned(std::slice::from_ref(s)));
            if is_device_code(s) {
                out.device.extend(mentioned(s));
                out.kinds.insert(s.governing().iter().any(|d| d.directive.acc().is_some()));
                continue;
            }
            if let StmtKind::Directive { directive, names, .. } = &s.kind
                && moves(&directive.construct)
            {
                updated.extend(names);
            }
            match self.touch(program, s) {
                Some(touch) => {
                    out.host.extend(touch.host);
                    out.device.extend(touch.device);
                    out.written.extend(touch.written);
                    out.kinds.extend(touch.kinds);
                }
                None if matches!(s.kind, StmtKind::Allocate { .. } | StmtKind::Deallocate { .. }) => {}
                None => s.exprs().into_iter().for_each(|e| values(e, &mut out.host)),
            }
            s.blocks().into_iter().for_each(|b| self.block(program, b, out, updated));
        }
    }
}

/// True for a directive that brings memory up to date.
fn moves(c: &Construct) -> bool {
    matches!(c, Construct::Acc(AccConstruct::Update) | Construct::Omp(OmpConstruct::TargetUpdate))
}

/// True for what is passed as it stands in memory.
fn in_one_piece(d: &Designator) -> bool {
    match d.parts.as_slice() {
        [] => true,
        [Part::Subscripts(list)] => {
            let whole = |s: &&Subscript| matches!(s, Subscript::Range { lo: None, hi: None, step: None });
            let full = list.iter().take_while(whole).count();
            list[full..].iter().all(|s| matches!(s, Subscript::Index(e) if e.rank == 0))
        }
        _ => false,
    }
}

fn subscript_values(s: &Subscript) -> BTreeSet<SymId> {
    let mut out = BTreeSet::new();
    match s {
        Subscript::Index(e) => values(e, &mut out),
        Subscript::Range { lo, hi, step } => {
            [lo, hi, step].into_iter().flatten().for_each(|e| values(e, &mut out));
        }
    }
    out
}
