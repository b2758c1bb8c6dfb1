//! What the adjoint of a head does before and after its sweeps, so that its derivatives mean there what the head says.

use costate_analysis::storage::{LocId, LocSet, resolve};
use costate_grammar::diag::{Code, Diagnostic};
use costate_grammar::ir::{
    Block, Designator, Dim, Expr, ExprKind, Intent, Name, ProcKind, Role, Stmt, SymId, Symbol, Variable,
};

use crate::interface::Signature;
use crate::reverse::Reverse;
use crate::reverse::emit::around::is_sizeless;
use crate::session::HeadFacts;
use crate::shape::settle_all_but;

/// A part of an input of which the adjoint is increased: the statements that set what it held on entry aside, and those
/// that add it again.
type Aside = (Block, Block);

impl Reverse<'_, '_> {
    /// The statements before the sweeps and after them. Adjoints of module variables that the head doesn't name start at
    /// zero, as does the derivative of what is an input alone and is overwritten: it is increased at the end. That of a pure
    /// output ends at zero.
    pub(crate) fn head_edges(
        &mut self,
        facts: &HeadFacts,
        signature: &Signature,
        writes: &LocSet,
        anchor: &Stmt,
    ) -> (Block, Block) {
        let (mut before, mut after) = (Vec::new(), Vec::new());
        let named = |g: SymId| facts.head.dependents.iter().chain(&facts.head.independents).any(|t| t.sym == g);
        let globals: Vec<SymId> = self.b.globals.keys().copied().collect();
        let mut targets: Vec<SymId> = signature.derivative.iter().copied().collect();
        for g in globals {
            if !self.touches(g) {
                continue;
            }
            if named(g) {
                targets.push(g);
                continue;
            }
            self.followed.insert((g, Vec::new()));
            let whole = self.b.var(g);
            before.extend(self.settle(&whole, anchor));
            before.extend(crate::pointers::dissociate(self.b, self.effects, self.storage, g, anchor));
        }
        before.extend(self.free_outputs(anchor));
        if let (ProcKind::Function(f), true) = (self.b.program[signature.primal].kind, signature.result) {
            targets.push(f);
        }
        for d in targets {
            before.extend(self.unnamed_parts(facts, d, anchor));
            let (kept, added) = self.inputs_aside(facts, d, writes, anchor);
            before.extend(kept);
            after.extend(added);
            if self.is_pure_output(facts, signature, d) {
                let e = self.b.var(d);
                after.extend(self.zero(&e, anchor));
            }
        }
        (before, after)
    }

    /// Adjoints of components that the head doesn't name start at zero, beside those that it names, and have memory when
    /// their components have.
    fn unnamed_parts(&mut self, facts: &HeadFacts, d: SymId, anchor: &Stmt) -> Block {
        let e = self.b.var(d);
        if !e.is_derived() {
            return Block::new();
        }
        let named = |l: &LocId| facts.independents.contains(l) || facts.dependents.contains(l);
        let (kept, others): (LocSet, LocSet) = self.leaves_of(d).into_iter().partition(named);
        let mut parts = LocSet::new();
        for l in others.into_iter().filter(|l| self.storage.contains(l)) {
            let loc = self.effects.locs.get(l);
            if loc.sym == d && loc.is_named() {
                self.followed.insert((d, loc.path.clone()));
                parts.insert(l);
            }
        }
        let set = settle_all_but(self.b, &self.effects.locs, &parts, &kept, &e, anchor);
        self.where_present(&e, (set, Block::new()), anchor).0
    }

    /// A dependent that isn't read, as far as its declaration says, and has a whole: the elements of an assumed-size array
    /// were set to zero where they are assigned.
    fn is_pure_output(&mut self, facts: &HeadFacts, signature: &Signature, d: SymId) -> bool {
        let locs = self.leaves_of(d);
        let Some(v) = self.b.program.var(d) else { return false };
        let result = matches!(self.b.program[signature.primal].kind, ProcKind::Function(f) if f == d);
        let whole = !v.attrs.allocatable && !v.dims.iter().any(|x| matches!(x, Dim::AssumedSize(_) | Dim::AssumedRank));
        let among = |set: &LocSet| locs.iter().any(|l| set.contains(l));
        (result || v.intent == Some(Intent::Out)) && whole && among(&facts.dependents) && !among(&facts.independents)
    }

    /// Sets aside the adjoints of the parts of a variable that are inputs alone and are overwritten.
    fn inputs_aside(&mut self, facts: &HeadFacts, d: SymId, writes: &LocSet, anchor: &Stmt) -> Aside {
        let e = self.b.var(d);
        let locs = self.leaves_of(d);
        let Some(v) = self.b.program.var(d).cloned() else { return Aside::default() };
        if !e.is_derived() {
            let among = |set: &LocSet| locs.iter().any(|l| set.contains(l));
            let alone = among(&facts.independents) && !among(&facts.dependents) && among(writes);
            return if alone { self.aside(&e, &v, anchor) } else { Aside::default() };
        }
        let alone = locs
            .into_iter()
            .filter(|l| writes.contains(l) && facts.independents.contains(l) && !facts.dependents.contains(l));
        let (mut before, mut after) = (Vec::new(), Vec::new());
        for l in alone.collect::<Vec<_>>() {
            let loc = self.effects.locs.get(l).clone();
            if loc.sym != d || !loc.is_named() {
                continue;
            }
            let Some(leaf) = resolve(self.b.program, d, &loc.path).cloned() else { continue };
            let part = self.extend(&e, &loc.path);
            let (a, b) = self.aside(&part, &leaf, anchor);
            before.extend(a);
            after.extend(b);
        }
        (before, after)
    }

    /// The same for a variable or a component. Its derivative has at the end the shape that it had on entry.
    fn aside(&mut self, part: &Expr, declared: &Variable, anchor: &Stmt) -> Aside {
        let Some(d) = part.as_var().cloned() else { return Aside::default() };
        if is_sizeless(self.b.program, part) {
            self.problems.push(not_kept(&self.b.program[d.sym], &[], "its size isn't known"));
            return Aside::default();
        }
        if self.b.arrays_of(&d).len() > 1 {
            self.problems.push(not_kept(
                &self.b.program[d.sym],
                &d.path(),
                "it is an array in the elements of another",
            ));
            return Aside::default();
        }
        let name = format!("{}_in", self.short_name(part));
        let kept = self.b.local_like(&name, declared, vec![Dim::Deferred; part.rank as usize]);
        let kept = Expr::var(kept, part.ty, part.rank);
        let shadow = self.b.shadow_ref(part);
        let before = vec![
            self.b.assign(kept.clone(), shadow.clone(), anchor, Role::Storage),
            self.b.assign(shadow.clone(), Expr::zero(part.ty), anchor, Role::Storage),
        ];
        let after = vec![self.b.assign(shadow.clone(), shadow.clone().add(kept), anchor, Role::Storage)];
        let mut blocks = (before, after);
        for end in (0..=d.parts.len()).rev() {
            let way = Designator { sym: d.sym, parts: d.parts[..end].to_vec() };
            if resolve(self.b.program, d.sym, &way.path()).is_some_and(|v| v.attrs.allocatable) {
                let object = Expr { kind: ExprKind::Var(way), ..part.clone() };
                let there = self.b.shadow_ref(&object).allocated();
                blocks = self.under(there, blocks, anchor);
            }
        }
        self.where_present(part, blocks, anchor)
    }
}

fn not_kept(object: &Symbol, path: &[Name], why: &str) -> Diagnostic {
    let part: String = path.iter().map(|p| format!("%{p}")).collect();
    let name = format!("{}{part}", object.name);
    Diagnostic::error(
        Code::UnsupportedDeclaration,
        object.span,
        format!("what the adjoint of `{name}` holds on entry can't be set aside"),
    )
    .reason(format!("it is an input that is overwritten and no output, so its adjoint is increased; {why}"))
    .help(format!("name `{name}` among the dependents of the head, too"))
}
