//! Final procedures that change more than their object: normal form calls them where the primal's objects end, and what
//! the compiler does of itself for the objects of generated code, derivatives and copies among them, leaves no trace.
//!
//! Local variables whose lives end with a generated procedure stand in a `block`, after which what their final procedures
//! change gets back the value that it had before its end; so it does after a statement that frees or assigns such objects.

use std::collections::BTreeSet;

use costate_analysis::effects::{finals_of, leaves_trace};
use costate_analysis::storage::{LocId, all_components, component, holds_pointers, resolve};
use costate_grammar::diag::{Code, Diagnostic};
use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{
    Base, Block, Callee, Dim, Expr, IfArm, Name, Origin, ProcId, Program, ScopeKind, Stmt, StmtKind, SymId, SymbolKind,
    Ty, Variable,
};
use costate_grammar::source::Span;

use crate::interface::mentions::mentions;
use crate::names::Taken;
use crate::session::Session;

/// Undoes what final procedures change for the objects of generated procedures.
pub(crate) fn run(session: &mut Session<'_>) {
    let mut queue: Vec<ProcId> = session.generated().into_iter().collect();
    while let Some(p) = queue.pop() {
        queue.extend(session.program[p].internals.iter());
        if session.program[p].header.is_empty() {
            // A primal procedure that came along with its host's derivative ends the lives of its own objects.
            continue;
        }
        let mut keeper = Keeper { session, procedure: p, kept: Vec::new() };
        let body = std::mem::take(&mut keeper.session.program[p].body);
        let body = keeper.block(body);
        let body = keeper.locals(body);
        session.program[p].body = body;
    }
}

/// What a final procedure of a type changes beside its object.
fn traces(session: &Session<'_>, ty: Ty) -> BTreeSet<LocId> {
    let finals = finals_of(session.program, ty);
    let one = |p: ProcId| session.effects.trace(session.program, p).map(|(_, writes)| writes);
    finals.into_iter().filter_map(one).flatten().collect()
}

/// The variable, or scalar component of one, behind a location whose value can be kept aside.
fn place(session: &Session<'_>, loc: LocId) -> Option<(Expr, Variable)> {
    let (program, loc) = (&*session.program, session.effects.locs.get(loc).clone());
    let simple = |v: &Variable| {
        let fixed = v.dims.iter().all(|d| matches!(d, Dim::Explicit(lo, hi) if lo.iter().chain([hi]).all(constant)));
        !v.attrs.pointer && !v.attrs.allocatable && !v.attrs.changes_unseen() && v.dummy.is_none() && fixed
    };
    let named = loc.is_named() && matches!(program[program[loc.sym].scope].kind, ScopeKind::Module(_));
    let base = program.var(loc.sym).filter(|v| named && simple(v))?;
    let mut out = Expr::var(loc.sym, base.ty, base.rank());
    for k in 0..loc.path.len() {
        let v = resolve(program, loc.sym, &loc.path[..=k]).filter(|v| simple(v))?;
        if out.rank > 0 {
            return None;
        }
        out = out.component(&loc.path[k], v.ty, v.rank());
    }
    let v = resolve(program, loc.sym, &loc.path)?;
    let intrinsic = !matches!(v.ty.base, Base::Derived(_) | Base::Class(_) | Base::Unlimited | Base::Character);
    intrinsic.then(|| (out, v.clone()))
}

/// True for a `deallocate` that stops the program where there is nothing to free.
fn frees_anyway(s: &Stmt) -> bool {
    matches!(&s.kind, StmtKind::Deallocate { options, .. } if options.is_empty())
}

fn constant(e: &Expr) -> bool {
    e.as_int().is_some()
}

impl Session<'_> {
    /// Refuses objects whose final procedures change what can't be kept aside, or what depends on their order.
    pub(crate) fn check_finals(&self, proc: ProcId, problems: &mut Vec<Diagnostic>) {
        let mut ending: Vec<SymId> = Vec::new();
        for (finaliser, object) in costate_analysis::effects::finalisers(self.program, proc) {
            let Some((_, writes)) = self.effects.trace(self.program, finaliser) else { continue };
            let unknown = writes.iter().find(|l| place(self, **l).is_none());
            let first = writes.first().filter(|_| !leaves_trace(self.program, finaliser));
            if let Some(changed) = unknown.or(first) {
                problems.push(self.final_refusal(finaliser, object, *changed));
                continue;
            }
            if let Some(s) = self.program[finaliser].body.iter().find(|s| frees_anyway(s)) {
                let d = Diagnostic::error(
                    Code::UnsupportedStatement,
                    s.origin.span(),
                    "a final procedure frees memory that may not be there",
                )
                .reason(
                    "derivative code has objects more, whose components have no memory when the final procedure runs",
                )
                .help("write `if (associated(...))` or `if (allocated(...))` before it");
                problems.push(d);
            }
            let v = self.program.var(object);
            let local = v.is_some_and(|v| v.dummy.is_none() && !v.attrs.save && !v.attrs.pointer);
            let real = writes.iter().any(|l| self.effects.locs.is_continuous(self.program, *l));
            if local && real && !ending.contains(&object) {
                ending.push(object);
            }
        }
        if let [_, second, ..] = ending[..] {
            let symbol = &self.program[second];
            problems.push(
                Diagnostic::error(
                    Code::UnsupportedDeclaration,
                    symbol.span,
                    format!(
                        "`{}` ends where another object does, and their final procedures change real variables",
                        symbol.name
                    ),
                )
                .reason("compilers call them in different orders, so that the values differ")
                .help("call the procedure by its name where the objects are no longer needed, in place of `final`"),
            );
        }
    }

    fn final_refusal(&self, finaliser: ProcId, object: SymId, changed: LocId) -> Diagnostic {
        let changed = self.effects.locs.describe(self.program, changed);
        let (name, object) = (&self.program[finaliser].name, &self.program[object]);
        Diagnostic::error(
            Code::UnsupportedDeclaration,
            object.span,
            format!(
                "`{}` is used in differentiated code, and where its life ends `{name}` changes `{changed}`",
                object.name
            ),
        )
        .reason(
            "derivative code has variables of this type more, for which the final procedure runs too; what that changes can \
             only be restored where it is a number of a module, of constant shape",
        )
        .help("call the procedure by its name where the object is no longer needed, in place of `final`")
    }
}

/// The pointer components of an object; `false` where not all can be named.
fn pointers(program: &Program, object: &Expr, depth: u8, out: &mut Vec<Expr>) -> bool {
    let Some(ty) = object.ty.derived().filter(|_| depth < 8) else { return !object.is_derived() };
    all_components(program, ty).iter().all(|c| {
        let part = component(program, object, &c.name, c.var.ty, c.var.rank());
        if c.var.attrs.pointer {
            out.push(part);
            object.rank == 0
        } else if c.var.ty.derived().is_some() && holds_pointers(program, c.var.ty) {
            !c.var.attrs.allocatable && object.rank == 0 && pointers(program, &part, depth + 1, out)
        } else {
            true
        }
    })
}

/// A generated procedure, and where it keeps what final procedures change.
struct Keeper<'s, 'a> {
    session: &'s mut Session<'a>,
    procedure: ProcId,
    kept: Vec<(LocId, SymId)>,
}

impl Keeper<'_, '_> {
    fn block(&mut self, block: Block) -> Block {
        block.into_iter().flat_map(|s| self.statement(s)).collect()
    }

    fn statement(&mut self, mut s: Stmt) -> Block {
        let ended: Vec<Expr> = match &s.kind {
            StmtKind::Assign { lhs, .. } => vec![lhs.clone()],
            StmtKind::Deallocate { items, .. } => items.clone(),
            StmtKind::Call { callee: Callee::Intrinsic(Intrinsic::MoveAlloc), args } => {
                args.iter().map(|a| a.value.clone()).collect()
            }
            _ => {
                for b in s.blocks_mut() {
                    let inner = std::mem::take(b);
                    *b = self.block(inner);
                }
                return vec![s];
            }
        };
        let changed: BTreeSet<LocId> = ended.iter().flat_map(|e| traces(self.session, e.ty)).collect();
        let (mut out, after) = self.around(&changed, s.origin);
        let objects: Vec<&Expr> = ended.iter().filter(|e| !traces(self.session, e.ty).is_empty()).collect();
        out.extend(self.loose(objects, s.origin));
        out.push(s);
        out.extend(after);
        out
    }

    /// Objects without what their pointers lead to, which a final procedure may free: what the primal frees is freed by
    /// calls, and a copy of an object leads to the same memory.
    fn loose(&mut self, objects: Vec<&Expr>, origin: Origin) -> Option<Stmt> {
        let mut out = Vec::new();
        for object in objects {
            if !pointers(self.session.program, object, 0, &mut out) {
                let span = origin.span();
                let d = Diagnostic::error(
                    Code::UnsupportedStatement,
                    span,
                    "derivative code has more objects whose final procedures free what pointers lead to",
                )
                .reason("they are elements of an array, or behind allocatable components, and their pointers can't be reset")
                .help("call the procedure by its name where the objects are no longer needed, in place of `final`");
                self.session.problems.push(d);
            }
        }
        let id = self.session.program.fresh_stmt();
        (!out.is_empty()).then(|| Stmt::new(id, StmtKind::Nullify(out), origin))
    }

    /// Statements that keep values aside, and those that restore them.
    fn around(&mut self, changed: &BTreeSet<LocId>, origin: Origin) -> (Block, Block) {
        let (mut before, mut after) = (Block::new(), Block::new());
        for &loc in changed {
            // What can't be kept is refused before.
            let Some((place, like)) = place(self.session, loc) else { continue };
            let sym = self.aside(loc, &place, &like);
            let copy = Expr::var(sym, place.ty, place.rank);
            let program = &mut *self.session.program;
            let (a, b) = (program.fresh_stmt(), program.fresh_stmt());
            before.push(Stmt::new(a, StmtKind::Assign { lhs: copy.clone(), rhs: place.clone() }, origin));
            after.push(Stmt::new(b, StmtKind::Assign { lhs: place, rhs: copy }, origin));
        }
        (before, after)
    }

    /// The local variable for a value.
    fn aside(&mut self, loc: LocId, place: &Expr, like: &Variable) -> SymId {
        if let Some((_, sym)) = self.kept.iter().find(|(l, _)| *l == loc) {
            return *sym;
        }
        let program = &mut *self.session.program;
        let scope = program[self.procedure].scope;
        let mut v = Variable::scalar(like.ty, program.spell(like.ty));
        v.dims.clone_from(&like.dims);
        let base = place.as_var().map_or_else(|| Name::new("state"), |d| program[d.sym].name.clone());
        let mut taken = Taken::visible(program, scope);
        for p in &program[self.procedure].internals {
            taken.extend(&Taken::visible(program, program[*p].scope));
        }
        let name = taken.fresh(&format!("{base}_kept"));
        let sym = program.add_symbol(scope, name, Span::default(), SymbolKind::Variable(Box::new(v)));
        self.kept.push((loc, sym));
        sym
    }

    /// Puts the local variables whose ends leave a trace in a block around the procedure's statements.
    fn locals(&mut self, body: Block) -> Block {
        let scope = self.session.program[self.procedure].scope;
        let names: Vec<(Name, SymId)> =
            self.session.program[scope].names.iter().map(|(n, s)| (n.clone(), *s)).collect();
        let (mut moved, mut changed) = (Vec::new(), BTreeSet::new());
        for (name, sym) in names {
            let program = &*self.session.program;
            let Some(v) = program.var(sym).filter(|_| program[sym].scope == scope) else { continue };
            let kept = v.dummy.is_some() || v.attrs.save || v.attrs.parameter || v.attrs.pointer || v.init.is_some();
            let found = if kept { BTreeSet::new() } else { traces(self.session, v.ty) };
            if !found.is_empty() && !self.session.program[self.procedure].dummies.contains(&sym) {
                changed.extend(found);
                moved.push((name, sym));
            }
        }
        let Some(first) = body.first().map(|s| s.origin).filter(|_| !moved.is_empty()) else { return body };
        self.refuse_inside(&moved);
        let (before, after) = self.around(&changed, first);
        let program = &mut *self.session.program;
        let inner = program.add_scope(Some(scope), ScopeKind::Inner);
        for (name, sym) in &moved {
            program[scope].names.shift_remove(name);
            program[inner].names.insert(name.clone(), *sym);
            program[*sym].scope = inner;
        }
        let objects: Vec<Expr> =
            moved.iter().filter_map(|(_, s)| program.var(*s).map(|v| Expr::var(*s, v.ty, v.rank()))).collect();
        let allocatable = |e: &&Expr| e.as_var().and_then(|d| program.var(d.sym)).is_some_and(|v| v.attrs.allocatable);
        let (frees, plain): (Vec<&Expr>, Vec<&Expr>) = objects.iter().partition(allocatable);
        let there: Vec<(Expr, Option<Stmt>)> =
            frees.into_iter().map(|e| (e.allocated(), self.loose(vec![e], first))).collect();
        let end = self.loose(plain, first);
        let program = &mut *self.session.program;
        let mut body = body;
        for (cond, end) in there {
            let Some(end) = end else { continue };
            let arms = vec![IfArm { cond, body: vec![end] }];
            let id = program.fresh_stmt();
            let kind = StmtKind::If { name: None, arms, otherwise: None, one_line: true };
            body.push(Stmt::new(id, kind, first));
        }
        body.extend(end);
        body.extend(before);
        let id = program.fresh_stmt();
        let mut out = vec![Stmt::new(id, StmtKind::BlockScope { name: None, scope: inner, body }, first)];
        out.extend(after);
        out
    }

    /// Procedures inside this one don't see the variables of its block.
    fn refuse_inside(&mut self, moved: &[(Name, SymId)]) {
        let program = &*self.session.program;
        let inside: Vec<ProcId> = program[self.procedure].internals.clone();
        let seen: BTreeSet<SymId> = inside.iter().flat_map(|p| mentions(program, *p)).collect();
        let Some((name, sym)) = moved.iter().find(|(_, s)| seen.contains(s)) else { return };
        let d = Diagnostic::error(
            Code::UnsupportedDeclaration,
            program[*sym].span,
            format!("internal procedures use `{name}`, whose final procedure changes more than its object"),
        )
        .reason("where its life ends can't be seen in derivative code")
        .help("pass the object to the internal procedures as an argument");
        self.session.problems.push(d);
    }
}
