//! Procedures that call what they are given: a dummy procedure, or a binding that the dynamic type of a dummy decides.
//! Where a call says what that is, the procedure is copied for it, and derivatives are made of the copy. The same is done
//! for calls that give one variable to two dummies. Calls of a copy in generated code are calls of the user's procedure
//! again.

mod associations;
mod copy;
mod needs;
mod one_memory;
mod pointers;
mod targets;

use std::collections::{BTreeMap, BTreeSet};

use costate_analysis::effects::{bind, target};
use costate_analysis::normal::{CallRewrites, as_plain_call};
use costate_grammar::ir::{
    Arg, Base, Block, Callee, Expr, ExprKind, Given, Name, ParentUnit, ProcId, Program, Stmt, StmtKind, SymId, Ty,
    map_expr,
};

use associations::LeadsTo;
use needs::Needs;

/// What a copy is made for: dummy positions with a procedure or a type for each.
type Key = (ProcId, Vec<(usize, Given)>);

struct Specialiser<'p> {
    program: &'p mut Program,
    needs: Needs,
    /// Procedures that lead to others which their own modules can't name, with these.
    far: LeadsTo,
    /// What is done to calls: dummies that are given one variable become one.
    rewrites: &'p CallRewrites,
    copies: BTreeMap<Key, ProcId>,
    queue: Vec<ProcId>,
}

/// Copies what the heads call, directly or not, for what is passed there; where `rewrites` say so, also where that is one
/// variable for two dummies.
pub fn run(program: &mut Program, heads: &[ProcId], rewrites: &CallRewrites) {
    pointers::run(program);
    let leads_to = associations::run(program);
    let far = far(program, leads_to);
    let needs = Needs::of(program);
    if needs.is_empty() && far.is_empty() && !rewrites.one_name {
        return;
    }
    let mut s = Specialiser { program, needs, far, rewrites, copies: BTreeMap::new(), queue: heads.to_vec() };
    let mut next = 0;
    while let Some(&proc) = s.queue.get(next) {
        next += 1;
        if s.queue[..next - 1].contains(&proc) {
            continue;
        }
        let body = std::mem::take(&mut s.program[proc].body);
        let body = s.block(proc, body);
        let called = costate_analysis::effects::calls(s.program, &body);
        s.program[proc].body = body;
        s.queue.extend(called);
        s.queue.extend(bound(s.program, proc));
    }
}

/// What procedures lead to by pointers, in their callees, too, where their own modules can't use the modules of that.
fn far(program: &Program, mut leads_to: LeadsTo) -> LeadsTo {
    if leads_to.is_empty() {
        return leads_to;
    }
    let ids = (0..program.procedures.len()).map(ProcId::new);
    let called = |p: ProcId| {
        let mut callees = costate_analysis::effects::calls(program, &program[p].body);
        callees.extend(bound(program, p));
        callees
    };
    let calls: Vec<(ProcId, Vec<ProcId>)> = ids.map(|p| (p, called(p))).collect();
    loop {
        let before: usize = leads_to.values().map(BTreeSet::len).sum();
        for (p, callees) in &calls {
            let more: BTreeSet<SymId> = callees.iter().filter_map(|c| leads_to.get(c)).flatten().copied().collect();
            if !more.is_empty() {
                leads_to.entry(*p).or_default().extend(more);
            }
        }
        if before == leads_to.values().map(BTreeSet::len).sum::<usize>() {
            leads_to.retain(|p, targets| copy::is_far(program, *p, targets));
            return leads_to;
        }
    }
}

/// Procedures that calls of bindings reach.
fn bound(program: &Program, proc: ProcId) -> Vec<ProcId> {
    let mut out = Vec::new();
    let mut look = |c: &Callee| {
        if let Callee::Bound { resolved: Some(sym), .. } = c {
            out.extend(program[*sym].procedure().and_then(|p| p.definition));
        }
    };
    costate_grammar::ir::for_each_stmt(&program[proc].body, &mut |s| {
        if let StmtKind::Call { callee, .. } = &s.kind {
            look(callee);
        }
        for e in s.exprs() {
            costate_grammar::ir::for_each_expr(e, &mut |e| {
                if let ExprKind::Call { callee, .. } = &e.kind {
                    look(callee);
                }
            });
        }
    });
    out
}

/// Calls that would take more copies of procedures stay as they are, and are refused where derivatives pass.
const MOST_COPIES: usize = 128;

impl Specialiser<'_> {
    fn block(&mut self, caller: ProcId, body: Block) -> Block {
        body.into_iter().map(|s| self.stmt(caller, s)).collect()
    }

    fn stmt(&mut self, caller: ProcId, mut stmt: Stmt) -> Stmt {
        for b in stmt.blocks_mut() {
            let inner = std::mem::take(b);
            *b = self.block(caller, inner);
        }
        stmt.kind.map_exprs(&mut |e| {
            map_expr(e.clone(), &mut |e| {
                let ExprKind::Call { callee, args } = &e.kind else { return e };
                match self.call(caller, callee, args) {
                    Some((callee, args)) => Expr { kind: ExprKind::Call { callee, args }, ..e },
                    None => e,
                }
            })
        });
        if let StmtKind::Call { callee, args } = &mut stmt.kind
            && let Some((new, rest)) = self.call(caller, callee, args)
        {
            (*callee, *args) = (new, rest);
        }
        stmt
    }

    /// The call of a copy that stands for a call.
    fn call(&mut self, caller: ProcId, callee: &Callee, args: &[Arg]) -> Option<(Callee, Vec<Arg>)> {
        let known = self.certain(callee);
        let callee = known.as_ref().unwrap_or(callee);
        let (plain, all) = match callee {
            Callee::Bound { .. } => as_plain_call(self.program, callee, args)?,
            Callee::Proc { operator: None, .. } => (callee.clone(), args.to_vec()),
            Callee::Proc { .. } | Callee::Intrinsic(_) => return None,
        };
        // What is certain by now stays a call of the binding.
        let settled = known.clone().map(|k| (k, args.to_vec()));
        let Some(proc) = target(self.program, &plain).filter(|p| !self.program.is_declared_only(*p)) else {
            return settled;
        };
        let actuals = bind(self.program, &self.program[proc], &all);
        let joined = self.rewrites.one_name && !self.rewrites.in_line.contains(&proc);
        let mut given = if joined { one_memory::given(self.program, proc, &actuals) } else { Vec::new() };
        for &at in self.needs.of_procedure(proc).into_iter().flatten() {
            let found = match actuals.get(at).copied().flatten() {
                Some(actual) => self.given(actual)?,
                None => self.absent(self.program[proc].dummies[at])?,
            };
            given.push((at, found));
        }
        if given.is_empty() && !self.far.contains_key(&proc) {
            return settled;
        }
        given.sort_unstable();
        let key = (proc, given.iter().map(|(at, g)| (*at, self.canonical(*g))).collect());
        let copy = match self.copies.get(&key) {
            Some(copy) => *copy,
            // A procedure that gives copies of itself to itself would have copies without end.
            None if self.copies.len() >= MOST_COPIES => return settled,
            None => {
                let copy = self.copy(caller, proc, &given)?;
                self.copies.insert(key, copy);
                self.queue.push(copy);
                copy
            }
        };
        let dropped: Vec<&Expr> =
            given.iter().filter(|(_, g)| g.is_left_out()).filter_map(|(at, _)| actuals[*at]).collect();
        let rest = all.iter().filter(|a| !dropped.iter().any(|d| std::ptr::eq(*d, &a.value))).cloned().collect();
        Some((Callee::Proc { sym: self.program[copy].sym, generic: None, operator: None }, rest))
    }

    /// An external procedure is known by the symbols of all who declare it.
    fn canonical(&self, given: Given) -> Given {
        let definition = |s: SymId| self.program[s].procedure().and_then(|p| p.definition);
        match given {
            Given::Procedure(s) => Given::Procedure(definition(s).map_or(s, |d| self.program[d].sym)),
            Given::Type(_) | Given::Absent | Given::Same(_) => given,
        }
    }

    /// The binding of an object whose type is certain.
    fn certain(&self, callee: &Callee) -> Option<Callee> {
        let Callee::Bound { object, binding: named, resolved: None } = callee else { return None };
        let Base::Derived(ty) = object.ty.base else { return None };
        let (owner, binding) = self.program.binding(ty, named.specific())?;
        if binding.generic || binding.deferred {
            return None;
        }
        let sym = self.program.bound_procedure(owner, binding)?;
        self.program[sym].procedure()?.definition?;
        Some(Callee::Bound { object: object.clone(), binding: named.clone(), resolved: Some(sym) })
    }

    /// What an argument is known to be.
    fn given(&self, actual: &Expr) -> Option<Given> {
        if let ExprKind::ProcRef(sym) = actual.kind {
            let info = self.program[sym].procedure()?;
            return (info.dummy.is_none() && !info.pointer).then_some(Given::Procedure(sym));
        }
        match actual.ty.base {
            Base::Derived(t) => Some(Given::Type(t)),
            Base::Class(t) if !needs::is_extended(self.program, t) => Some(Given::Type(t)),
            _ => None,
        }
    }

    /// What stands for an optional argument that isn't there: for an object, one of the declared type would do.
    fn absent(&self, dummy: SymId) -> Option<Given> {
        if self.program[dummy].procedure().is_some() {
            return Some(Given::Absent);
        }
        let v = self.program.var(dummy).filter(|v| v.attrs.optional)?;
        match v.ty.base {
            Base::Class(t) => Some(Given::Type(t)),
            _ => None,
        }
    }

    fn copy(&mut self, caller: ProcId, proc: ProcId, given: &[(usize, Given)]) -> Option<ProcId> {
        let far = self.far.get(&proc);
        let home = copy::home(self.program, caller, proc, given, far)?;
        Some(copy::make(self.program, proc, home, given))
    }
}

/// A procedure as users know it: a copy whose dummies are one variable is one of theirs.
pub(crate) fn described(program: &Program, proc: ProcId) -> String {
    let name = &program[proc].name;
    let of = program[proc].copy_of.as_ref().and_then(|of| program[of.procedure].procedure()?.definition.zip(Some(of)));
    let Some((user, of)) = of else { return name.to_string() };
    let dummy = |at: usize| &program[program[user].dummies[at]].name;
    let same = of.given.iter().filter_map(|(at, g)| match g {
        Given::Same(first) => Some(format!("{} is {}", dummy(*at), dummy(*first))),
        Given::Procedure(_) | Given::Type(_) | Given::Absent => None,
    });
    match same.reduce(|all, one| format!("{all} and {one}")) {
        Some(how) => format!("{} where {how}", program[user].name),
        None => name.to_string(),
    }
}

/// Calls of copies in the procedures inside a generated one are calls of the user's procedures again.
pub fn restore_inside(program: &mut Program, proc: ProcId) {
    for inner in program[proc].internals.clone() {
        let mut body = std::mem::take(&mut program[inner].body);
        restore_calls(program, &mut body);
        program[inner].body = body;
        restore_inside(program, inner);
    }
}

/// Calls of copies in generated statements are calls of the user's procedures again.
pub(crate) fn restore_calls(program: &Program, block: &mut Block) {
    for s in block {
        s.blocks_mut().into_iter().for_each(|b| restore_calls(program, b));
        let mut kind = s.kind.clone();
        kind.map_exprs(&mut |e| {
            map_expr(e.clone(), &mut |mut e| {
                if let ExprKind::Call { callee, args } = &mut e.kind {
                    restore_call(program, callee, args);
                }
                e
            })
        });
        if let StmtKind::Call { callee, args } = &mut kind {
            restore_call(program, callee, args);
        }
        if kind != s.kind {
            s.kind = kind;
        }
    }
}

fn restore_call(program: &Program, callee: &mut Callee, args: &mut Vec<Arg>) {
    let Some(proc) = target(program, callee) else { return };
    let p = &program[proc];
    let Some(of) = &p.copy_of else { return };
    // A copy inside a host comes along with the derivative of the host.
    if matches!(p.parent, ParentUnit::Procedure(_)) {
        return;
    }
    let Some(user) = program[of.procedure].procedure().and_then(|p| p.definition) else { return };
    // What follows a dummy that isn't there is passed by its name.
    if let Some((first, _)) = of.given.iter().find(|(_, g)| *g == Given::Absent) {
        let dropped = of.given.iter().filter(|(at, g)| at < first && g.is_left_out()).count();
        for (arg, dummy) in args.iter_mut().zip(&p.dummies).skip(first - dropped) {
            arg.keyword.get_or_insert_with(|| program[*dummy].name.clone());
        }
    }
    for (at, given) in &of.given {
        let positional = args.iter().take_while(|a| a.keyword.is_none()).count();
        let name = |at: usize| -> Name { program[program[user].dummies[at]].name.clone() };
        let value = match given {
            Given::Procedure(sym) => Expr::new(ExprKind::ProcRef(*sym), Ty::NONE, 0),
            Given::Same(first) => {
                let named = || args.iter().find(|a| a.keyword.as_ref() == Some(&name(*first)));
                let Some(arg) = args.get(*first).filter(|_| *first < positional).or_else(named) else { continue };
                arg.value.clone()
            }
            Given::Type(_) | Given::Absent => continue,
        };
        let keyword = (*at > positional).then(|| name(*at));
        args.insert((*at).min(positional), Arg { keyword, value });
    }
    *callee = Callee::Proc { sym: of.procedure, generic: None, operator: None };
}

/// A name for a new variable of a procedure, which the procedures inside it don't have either.
fn unused_name(program: &Program, id: ProcId, base: &str) -> Name {
    let inner = program[id].internals.iter().map(|p| program[*p].scope);
    let scopes: Vec<_> = std::iter::once(program[id].scope).chain(inner).collect();
    let taken = |n: &str| scopes.iter().any(|s| program.lookup(*s, n).is_some());
    let numbered = std::iter::once(base.to_string()).chain((2..).map(|n| format!("{base}{n}")));
    Name::new(&numbered.filter(|n| !taken(n)).take(1).collect::<String>())
}

/// The type of an object, exactly.
fn exact(ty: Ty, of: SymId) -> Ty {
    Ty { base: Base::Derived(of), ..ty }
}
