//! Procedure pointers that live longer than a call, dummies and components among them. Where such a pointer is called, or passed
//! as a procedure, the statement is repeated for each procedure that it may point to, under the condition that it does so; at
//! the end derivative code stops. The pointers themselves become pointers like others: they are associated, saved and brought
//! back, and lead to nothing.

use std::collections::{BTreeMap, BTreeSet};

use costate_analysis::effects::bind;
use costate_analysis::storage::resolve;
use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{
    Arg, Attrs, Block, Callee, Expr, ExprKind, IfArm, LoopControl, ParentUnit, ProcId, Program, Stmt, StmtKind, SymId,
    SymbolKind, Ty, Variable, for_each_expr, map_expr,
};

use super::targets::{Holder, Targets, holder};

/// Procedures that calls through pointers lead to, by the procedure in which these stand.
pub(super) type LeadsTo = BTreeMap<ProcId, BTreeSet<SymId>>;

/// Rewrites all procedures.
pub(super) fn run(program: &mut Program) -> LeadsTo {
    let mut leads_to = LeadsTo::new();
    let targets = Targets::of(program);
    let mut pointers = BTreeSet::new();
    for at in 0..program.symbols.len() {
        let sym = SymId::new(at);
        if let Some(var) = as_variable(program, &targets, sym) {
            pointers.insert(sym);
            program[sym].kind = SymbolKind::Variable(Box::new(var));
        }
        name_interfaces(program, sym);
    }
    for id in (0..program.procedures.len()).map(ProcId::new) {
        if program[id].parent == ParentUnit::Interface {
            continue;
        }
        let body = std::mem::take(&mut program[id].body);
        let found = BTreeSet::new();
        let mut one = Rewriter { program, procedure: id, targets: &targets, pointers: &pointers, found };
        let body = one.block(body);
        let found = one.found;
        program[id].body = body;
        if !found.is_empty() {
            leads_to.insert(id, found);
        }
    }
    leads_to
}

/// What is declared in place of a procedure pointer whose targets are known.
fn as_variable(program: &Program, targets: &Targets, sym: SymId) -> Option<Variable> {
    let info = program[sym].procedure().filter(|p| p.pointer)?;
    let interface = info.interface.filter(|p| program[*p].sym != sym)?;
    if targets.find(program, &Holder::Name(sym), interface).is_empty() {
        return None;
    }
    let init = info.init.clone();
    let mut var = Variable::scalar(Ty::NONE, format!("procedure({})", program[interface].name));
    var.spelling_uses = vec![program[interface].sym];
    var.attrs = Attrs { pointer: true, save: info.saved, ..Attrs::default() };
    (var.dummy, var.init) = (info.dummy, init);
    Some(var)
}

/// Interfaces of components are found by the names that their types know.
fn name_interfaces(program: &mut Program, ty: SymId) {
    let Some(d) = program[ty].derived().filter(|d| d.components.iter().any(|c| c.procedure.is_some())) else { return };
    let uses: Vec<Option<SymId>> =
        d.components.iter().map(|c| program.bound_procedure(ty, c.procedure.as_deref()?)).collect();
    if let SymbolKind::Type(d) = &mut program[ty].kind {
        for (c, s) in d.components.iter_mut().zip(uses) {
            c.var.spelling_uses.extend(s);
        }
    }
}

struct Rewriter<'a> {
    program: &'a mut Program,
    procedure: ProcId,
    targets: &'a Targets,
    /// Pointers that are variables now.
    pointers: &'a BTreeSet<SymId>,
    /// The targets of those that were rewritten.
    found: BTreeSet<SymId>,
}

/// A pointer that a statement calls or passes as a procedure.
struct Use {
    pointer: Expr,
    interface: ProcId,
    targets: Vec<SymId>,
}

impl Rewriter<'_> {
    fn block(&mut self, block: Block) -> Block {
        block.into_iter().flat_map(|s| self.stmt(s)).collect()
    }

    fn stmt(&mut self, mut s: Stmt) -> Block {
        // An assignment under a mask is no statement that could be repeated under a condition.
        if matches!(s.kind, StmtKind::Where { .. } | StmtKind::Forall { .. }) {
            return vec![self.with_variables(s)];
        }
        for b in s.blocks_mut() {
            let inner = std::mem::take(b);
            *b = self.block(inner);
        }
        let found = self.find(&s);
        if found.is_none() || s.blocks().is_empty() {
            return match found {
                Some(used) => vec![self.repeated(s, &used)],
                None => vec![self.with_variables(s)],
            };
        }
        self.header(s)
    }

    /// A construct whose header calls through a pointer: what is called there is called before it.
    fn header(&mut self, s: Stmt) -> Block {
        let Stmt { kind, origin, .. } = s.clone();
        match kind {
            StmtKind::If { name: None, mut arms, otherwise, .. } => {
                let rest = arms.split_off(1);
                let Some(IfArm { cond, body }) = arms.pop() else { return vec![s] };
                let (mut out, cond) = self.evaluated(&s, cond);
                let otherwise = match rest.is_empty() {
                    true => otherwise,
                    false => {
                        let kind = StmtKind::If { name: None, arms: rest, otherwise, one_line: false };
                        let inner = Stmt::new(self.program.fresh_stmt(), kind, origin);
                        let simple = self.find(&inner).is_none();
                        Some(if simple { vec![self.with_variables(inner)] } else { self.header(inner) })
                    }
                };
                let arms = vec![IfArm { cond, body }];
                out.push(Stmt { kind: StmtKind::If { name: None, arms, otherwise, one_line: false }, ..s });
                out
            }
            StmtKind::Select { name, selector, arms } => {
                let (mut out, selector) = self.evaluated(&s, selector);
                out.push(Stmt { kind: StmtKind::Select { name, selector, arms }, ..s });
                out
            }
            StmtKind::Do { name, control: LoopControl::While(cond), mut body, parallel } => {
                let (mut first, cond) = self.evaluated(&s, cond);
                let leave = Stmt::new(self.program.fresh_stmt(), StmtKind::Exit(name.clone()), origin);
                let arms = vec![IfArm { cond: cond.negated(), body: vec![leave] }];
                let test = StmtKind::If { name: None, arms, otherwise: None, one_line: true };
                first.push(Stmt::new(self.program.fresh_stmt(), test, origin));
                first.append(&mut body);
                vec![Stmt { kind: StmtKind::Do { name, control: LoopControl::Forever, body: first, parallel }, ..s }]
            }
            _ => vec![self.with_variables(s)],
        }
    }
}

impl Rewriter<'_> {
    /// What a header needs, computed before its statement.
    fn evaluated(&mut self, s: &Stmt, e: Expr) -> (Block, Expr) {
        let rhs = e.clone();
        let assign = |lhs: Expr| StmtKind::Assign { lhs, rhs };
        let id = self.program.fresh_stmt();
        if self.find(&Stmt::new(id, assign(e.clone()), s.origin)).is_none() {
            return (Block::new(), e);
        }
        let scope = self.program[self.procedure].scope;
        let name = super::unused_name(self.program, self.procedure, "value");
        let like = Variable::scalar(e.ty, self.program.spell(e.ty));
        let sym = self.program.add_symbol(scope, name, s.origin.span(), SymbolKind::Variable(Box::new(like)));
        let value = Expr::var(sym, e.ty, 0);
        let kind = StmtKind::Assign { lhs: value.clone(), rhs: e };
        (self.stmt(Stmt::new(id, kind, s.origin)), value)
    }

    /// The first pointer that a statement, or the header of a construct, calls or passes as a procedure.
    fn find(&self, s: &Stmt) -> Option<Use> {
        let own = match &s.kind {
            StmtKind::Call { callee, args } => self.used(callee, args),
            _ => None,
        };
        let mut out = own;
        for e in s.exprs() {
            for_each_expr(e, &mut |e| {
                if let (None, ExprKind::Call { callee, args }) = (&out, &e.kind) {
                    out = self.used(callee, args);
                }
            });
        }
        out
    }

    fn used(&self, callee: &Callee, args: &[Arg]) -> Option<Use> {
        let called = match callee {
            Callee::Proc { sym, .. } => Some(Expr::new(ExprKind::ProcRef(*sym), Ty::NONE, 0)),
            Callee::Bound { object, binding, resolved: None } => {
                Some(object.component(&binding.name, Ty::NONE, 0)).filter(|_| object.as_var().is_some())
            }
            Callee::Bound { .. } | Callee::Intrinsic(_) => None,
        };
        let passed = args.iter().enumerate().filter(|(i, _)| takes_procedure(self.program, callee, args, *i));
        let all = called.into_iter().chain(passed.map(|(_, a)| a.value.clone()));
        all.into_iter().find_map(|e| self.pointer(e))
    }

    /// A pointer whose targets are known. Where it stands must be the same each time it is asked for.
    fn pointer(&self, pointer: Expr) -> Option<Use> {
        let holder = holder(self.program, &pointer)?;
        let interface = match &holder {
            Holder::Name(sym) => {
                let own = self.pointers.contains(sym).then(|| self.program.var(*sym)).flatten()?;
                own.spelling_uses.first().copied()
            }
            Holder::Component(_) => {
                let component = pointer.as_var()?;
                resolve(self.program, component.sym, &component.path())?.spelling_uses.first().copied()
            }
        };
        let info = self.program[interface?].procedure()?;
        let interface = info.interface.or(info.definition)?;
        let targets = self.targets.find(self.program, &holder, interface);
        let mut steady = true;
        let call =
            |e: &Expr| matches!(&e.kind, ExprKind::Call { callee, .. } if !matches!(callee, Callee::Intrinsic(_)));
        for_each_expr(&pointer, &mut |e| steady &= !call(e));
        (steady && !targets.is_empty()).then_some(Use { pointer, interface, targets })
    }

    /// A statement for each of the targets, each under its condition.
    fn repeated(&mut self, mut s: Stmt, used: &Use) -> Stmt {
        let (label, leading, trailing) = (s.label.take(), std::mem::take(&mut s.leading), s.trailing.take());
        let mut arms = Vec::new();
        let asked = self.variable(used.pointer.clone());
        self.found.extend(&used.targets);
        for t in &used.targets {
            let target = Expr::new(ExprKind::ProcRef(*t), Ty::NONE, 0);
            let cond = Expr::intrinsic(Intrinsic::Associated, vec![asked.clone(), target]);
            let mut one = Stmt { id: self.program.fresh_stmt(), ..s.clone() };
            self.put(&mut one, used, *t);
            arms.push(IfArm { cond: Expr { rank: 0, ..cond }, body: self.stmt(one) });
        }
        let code = Some(Expr::new(ExprKind::Str(NOT_KNOWN.into()), Ty::CHARACTER, 0));
        let stop = Stmt::new(self.program.fresh_stmt(), StmtKind::Stop { error: true, code }, s.origin);
        let kind = StmtKind::If { name: None, arms, otherwise: Some(vec![stop]), one_line: false };
        Stmt { label, leading, trailing, ..Stmt::new(self.program.fresh_stmt(), kind, s.origin) }
    }

    /// Calls or passes a procedure in place of a pointer.
    fn put(&self, s: &mut Stmt, used: &Use, target: SymId) {
        s.kind.map_exprs(&mut |e| {
            map_expr(e.clone(), &mut |mut e| {
                if let ExprKind::Call { callee, args } = &mut e.kind {
                    self.put_in_call(callee, args, used, target);
                }
                e
            })
        });
        if let StmtKind::Call { callee, args } = &mut s.kind {
            self.put_in_call(callee, args, used, target);
        }
    }

    fn put_in_call(&self, callee: &mut Callee, args: &mut Vec<Arg>, used: &Use, target: SymId) {
        for i in 0..args.len() {
            if args[i].value == used.pointer && takes_procedure(self.program, callee, args, i) {
                args[i].value = Expr::new(ExprKind::ProcRef(target), args[i].value.ty, 0);
            }
        }
        let all = match callee {
            Callee::Proc { sym, .. } if used.pointer.kind == ExprKind::ProcRef(*sym) => Some(args.clone()),
            Callee::Bound { object, binding, resolved: None }
                if object.component(&binding.name, Ty::NONE, 0) == used.pointer =>
            {
                let found = object.ty.derived().and_then(|t| self.program.procedure_component(t, &binding.name));
                found.and_then(|(owner, b)| {
                    let interface = self.program.bound_procedure(owner, b)?;
                    self.program.with_object(b, interface, object, args)
                })
            }
            Callee::Proc { .. } | Callee::Bound { .. } | Callee::Intrinsic(_) => None,
        };
        let Some(mut all) = all else { return };
        // Keywords are the names that the pointer's interface has.
        let (from, to) = (&self.program[used.interface].dummies, self.program[target].procedure());
        let own = to.and_then(|p| p.definition.or(p.interface)).map(|p| &self.program[p].dummies);
        for arg in &mut all {
            let at = arg.keyword.as_ref().and_then(|k| from.iter().position(|d| self.program[*d].name == *k));
            if let Some(dummy) = at.and_then(|at| own?.get(at)) {
                arg.keyword = Some(self.program[*dummy].name.clone());
            }
        }
        (*callee, *args) = (Callee::Proc { sym: target, generic: None, operator: None }, all);
    }

    fn variable(&self, e: Expr) -> Expr {
        map_expr(e, &mut |e| match e.kind {
            ExprKind::ProcRef(sym) if self.pointers.contains(&sym) => {
                Expr { span: e.span, ..Expr::var(sym, Ty::NONE, 0) }
            }
            _ => e,
        })
    }

    fn with_variables(&self, mut s: Stmt) -> Stmt {
        s.kind.map_exprs(&mut |e| self.variable(e.clone()));
        s
    }
}

/// What derivative code says before it stops.
const NOT_KNOWN: &str = "'a procedure pointer leads to a procedure that was not known when this code was generated'";

/// True for an actual argument of a dummy that is a procedure and no pointer.
fn takes_procedure(program: &Program, callee: &Callee, args: &[Arg], i: usize) -> bool {
    let Callee::Proc { sym, .. } = callee else { return false };
    let known = program[*sym].procedure().and_then(|p| p.definition.or(p.interface));
    let Some(p) = known else { return false };
    let bound = bind(program, &program[p], args);
    let at = bound.iter().position(|e| e.is_some_and(|e| std::ptr::eq(e, &args[i].value)));
    let dummy = at.and_then(|at| program[program[p].dummies[at]].procedure());
    dummy.is_some_and(|d| !d.pointer)
}
