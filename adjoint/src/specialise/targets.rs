//! Which procedures a procedure pointer may point to, as far as the statements of the program say. What associates it elsewhere
//! is found when the program runs: derivative code stops there.

use std::collections::{BTreeMap, BTreeSet};

use costate_analysis::effects::{bind, call_parts, target};
use costate_analysis::storage::{all_components, resolve};
use costate_grammar::ir::{
    Arg, Callee, Component, Expr, ExprKind, Name, ParentUnit, Part, ProcId, ProcKind, Program, Stmt, StmtKind, SymId,
    for_each_expr, for_each_stmt,
};

/// What may stand for a procedure. Components count by their names: objects are copied and passed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Holder {
    /// A procedure pointer, a dummy procedure, or a function's result that is one.
    Name(SymId),
    /// A component that points to a procedure.
    Component(Name),
}

/// What holders may stand for.
#[derive(Default)]
pub(super) struct Targets {
    known: BTreeMap<Holder, BTreeSet<SymId>>,
    /// Holders that take what another one has.
    flows: BTreeSet<(Holder, Holder)>,
}

impl Targets {
    /// Those of the whole program.
    pub(super) fn of(program: &Program) -> Targets {
        let mut out = Targets::default();
        for symbol in &program.symbols {
            if let Some(d) = symbol.derived() {
                for c in d.components.iter().filter(|c| c.procedure.is_some()) {
                    c.var.init.iter().for_each(|e| out.assign(program, Holder::Component(c.name.clone()), e));
                }
            }
        }
        for at in 0..program.symbols.len() {
            let sym = SymId::new(at);
            if let Some(init) = program[sym].procedure().and_then(|p| p.init.as_ref()) {
                out.assign(program, Holder::Name(sym), init);
            }
        }
        for p in &program.procedures {
            for_each_stmt(&p.body, &mut |s| out.statement(program, s));
        }
        out.settle();
        out
    }

    /// The procedures with an interface that a holder may stand for; none where one of them can't be called everywhere.
    pub(super) fn find(&self, program: &Program, holder: &Holder, interface: ProcId) -> Vec<SymId> {
        let mut out = Vec::new();
        for t in self.known.get(holder).into_iter().flatten() {
            let definition = program[*t].procedure().and_then(|p| p.definition.or(p.interface));
            let everywhere = |p: &ProcId| !matches!(program[*p].parent, ParentUnit::Procedure(_));
            let Some(p) = definition.filter(everywhere) else { return Vec::new() };
            if alike(program, interface, p) {
                out.push(*t);
            }
        }
        out
    }

    fn statement(&mut self, program: &Program, s: &Stmt) {
        if let StmtKind::PointerAssign { lhs, rhs } = &s.kind
            && let Some(to) = holder(program, lhs)
        {
            self.assign(program, to, rhs);
        }
        if let Some((callee, args, _)) = call_parts(s) {
            self.call(program, callee, args);
        }
        for e in s.exprs() {
            for_each_expr(e, &mut |e| match &e.kind {
                ExprKind::Call { callee, args } => self.call(program, callee, args),
                ExprKind::StructCtor { ty, args } => self.constructor(program, *ty, args),
                _ => {}
            });
        }
    }

    /// `to => rhs`
    fn assign(&mut self, program: &Program, to: Holder, rhs: &Expr) {
        let rhs = rhs.unparen();
        if let ExprKind::Call { callee, .. } = &rhs.kind
            && let Some(p) = target(program, callee)
            && let ProcKind::Function(result) = program[p].kind
        {
            self.flows.insert((Holder::Name(result), to));
            return;
        }
        match (holder(program, rhs), &rhs.kind) {
            (Some(from), _) => drop(self.flows.insert((from, to))),
            (None, ExprKind::ProcRef(t)) => drop(self.known.entry(to).or_default().insert(*t)),
            _ => {}
        }
    }

    /// Dummies stand for what is passed, and hand back what pointers among them are associated with.
    fn call(&mut self, program: &Program, callee: &Callee, args: &[Arg]) {
        let Some(p) = target(program, callee) else { return };
        for (dummy, actual) in program[p].dummies.iter().zip(bind(program, &program[p], args)) {
            let (Some(info), Some(actual)) = (program[*dummy].procedure(), actual) else { continue };
            self.assign(program, Holder::Name(*dummy), actual);
            if let Some(from) = holder(program, actual).filter(|_| info.pointer) {
                self.flows.insert((Holder::Name(*dummy), from));
            }
        }
    }

    fn constructor(&mut self, program: &Program, ty: SymId, args: &[Arg]) {
        let components = all_components(program, ty);
        for (at, arg) in args.iter().enumerate() {
            let named = |c: &&Component| arg.keyword.as_ref().is_none_or(|k| *k == c.name);
            let component = match arg.keyword {
                Some(_) => components.iter().copied().find(named),
                None => components.get(at).copied(),
            };
            if let Some(c) = component.filter(|c| c.procedure.is_some()) {
                self.assign(program, Holder::Component(c.name.clone()), &arg.value);
            }
        }
    }

    fn settle(&mut self) {
        loop {
            let mut changed = false;
            for (from, to) in &self.flows {
                let more = self.known.get(from).cloned().unwrap_or_default();
                let own = self.known.entry(to.clone()).or_default();
                let before = own.len();
                own.extend(more);
                changed |= own.len() != before;
            }
            if !changed {
                return;
            }
        }
    }
}

/// What an expression without arguments names, if that may stand for several procedures.
pub(super) fn holder(program: &Program, e: &Expr) -> Option<Holder> {
    match &e.kind {
        ExprKind::ProcRef(sym) => {
            // Pointers whose targets are known are variables later on.
            let several = program[*sym].procedure().is_none_or(|p| p.pointer || p.dummy.is_some());
            several.then_some(Holder::Name(*sym))
        }
        ExprKind::Var(d) => match d.parts.last() {
            Some(Part::Component(name)) => {
                let of = resolve(program, d.sym, &d.path()[..d.path().len() - 1])?;
                program.procedure_component(of.ty.derived()?, name)?;
                Some(Holder::Component(name.clone()))
            }
            _ => None,
        },
        _ => None,
    }
}

/// True for procedures that take the same arguments and give the same value.
fn alike(program: &Program, a: ProcId, b: ProcId) -> bool {
    let shape = |s: &SymId| program.var(*s).map(|v| (v.ty.base, v.ty.kind, v.rank()));
    let value = |p: ProcId| match program[p].kind {
        ProcKind::Function(r) => Some(shape(&r)),
        ProcKind::Subroutine | ProcKind::Program => None,
    };
    let dummies = |p: ProcId| program[p].dummies.iter().map(shape).collect::<Vec<_>>();
    value(a) == value(b) && dummies(a) == dummies(b)
}
