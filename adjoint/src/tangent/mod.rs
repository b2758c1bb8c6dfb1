//! Forward mode: every statement of the normal form, with the tangent of each active assignment before it.

mod call;
mod memory;

use costate_analysis::activity::ContextId;
use costate_grammar::diag::{Code, Diagnostic};
use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{
    Base, Block, Designator, Dim, Expr, ExprKind, Intent, Name, ProcKind, Role, Stmt, StmtKind, SymId, SymbolKind, Ty,
    Variable,
};

use costate_grammar::lines::Sentinel;

use crate::build::{Builder, anchor, new_scope};
use crate::interface::{self, Signature, Signatures};
use crate::internal::{Host, Inside};
use crate::obstacles::with_memory;
use crate::partials::{Active, tangent};
use crate::pointers::dissociate;
use crate::procedure::{Finished, header, host_shadows, local_dummy_shadows};
use crate::session::Session;
use crate::shape::{branch, settle};
use crate::unit::is_renewed;
use costate_analysis::activity::Context;
use costate_analysis::effects::Effects;
use costate_analysis::normal::kind::{Call, Kind, Left, kind};
use costate_analysis::storage::{LocSet, is_global, resolve, value_paths};

impl Session<'_> {
    /// Builds the tangent procedure of a context.
    pub(crate) fn build_tangent(&mut self, id: ContextId, host: Option<&Host>) {
        let context = self.activity.get(id).clone();
        let primal = context.proc;
        if self.refuse_kind(primal) {
            return;
        }
        let signature = self.signatures[&id].clone();
        let home = self.home(id);
        let body = self.effects.bodies.get(&primal).cloned().unwrap_or_default();
        let storage = self.storage[id.0 as usize].clone();
        let inner = self.inner_contexts(id);
        let taken = self.names_for(primal, home, host, &inner);
        let scope = new_scope(self.program);
        let naming = self.naming.clone();
        let mut builder = Builder {
            program: self.program,
            primal,
            scope,
            naming: &naming,
            taken,
            names: signature.names.clone(),
            shadow: host.map(|h| h.shadow.clone()).unwrap_or_default(),
            globals: &mut self.globals,
            made: Default::default(),
        };
        let facts = self.heads.iter().find(|h| h.context == id).cloned();
        let dummies = tangent_dummies(&mut builder, &signature, facts.is_some());
        let roots = interface::roots(builder.program, &mut self.effects, primal, &storage);
        let anchor = anchor(&builder, &body);
        let dynamic = with_memory(builder.program, &self.effects.locs, &storage, false);
        let mut text = local_dummy_shadows(&mut builder, &signature, &roots, &dynamic, &anchor, &mut self.problems);
        let inside = if inner.is_empty() {
            Inside::default()
        } else {
            let handed = host_shadows(&mut builder, &roots);
            let (shadow, taken, made) = (builder.shadow, builder.taken, builder.made);
            let inside = self.build_inside(&inner, &handed);
            builder = Builder {
                program: self.program,
                primal,
                scope,
                naming: &naming,
                taken,
                names: signature.names.clone(),
                shadow,
                globals: &mut self.globals,
                made,
            };
            inside
        };
        let mut forward = Forward {
            b: &mut builder,
            effects: &mut self.effects,
            context: &context,
            storage: &storage,
            signatures: &self.signatures,
            problems: Vec::new(),
            only_associations: false,
        };
        text.extend(forward.start(&signature, facts.as_ref(), &anchor));
        text.extend(forward.block(&body));
        let problems = std::mem::take(&mut forward.problems);
        self.problems.extend(problems);
        let header = header(&builder, &signature, self.mode, facts.as_ref(), &dummies);
        let shadows = std::mem::take(&mut builder.shadow);
        drop(builder);
        self.finish(Finished { id, scope, home, dummies, body: text, header, shadows, adjoint: false }, &inside);
    }
}

impl Session<'_> {
    /// The primal procedure of a context with the associations of derivative pointers, for forward sweeps of callers.
    pub(crate) fn build_associations(&mut self, id: ContextId) {
        let context = self.activity.get(id).clone();
        let primal = context.proc;
        let Some(sym) = self.signatures[&id].associates else { return };
        let signature = Signature { sym, ..self.signatures[&id].clone() };
        if self.refuse_kind(primal) {
            return;
        }
        let home = self.home(id);
        let body = self.effects.bodies.get(&primal).cloned().unwrap_or_default();
        let storage = self.storage[id.0 as usize].clone();
        let inner = self.inner_contexts(id);
        let taken = self.names_for(primal, home, None, &inner);
        let scope = new_scope(self.program);
        let naming = self.naming.clone();
        let mut builder = Builder {
            program: self.program,
            primal,
            scope,
            naming: &naming,
            taken,
            names: signature.names.clone(),
            shadow: Default::default(),
            globals: &mut self.globals,
            made: Default::default(),
        };
        let dummies = tangent_dummies(&mut builder, &signature, false);
        let mut forward = Forward {
            b: &mut builder,
            effects: &mut self.effects,
            context: &context,
            storage: &storage,
            signatures: &self.signatures,
            problems: Vec::new(),
            only_associations: true,
        };
        let text = forward.block(&body);
        let problems = std::mem::take(&mut forward.problems);
        self.problems.extend(problems);
        let name = builder.program[primal].name.clone();
        let header = vec![format!("{name} with the associations of derivative pointers, generated by Costate.")];
        let shadows = std::mem::take(&mut builder.shadow);
        drop(builder);
        self.finish_associations(&signature, (scope, home), (dummies, text), header, &shadows);
    }
}

/// Dummies in call order; a function's result and its derivative come last (contract, section 3).
fn tangent_dummies(b: &mut Builder<'_>, signature: &Signature, head: bool) -> Vec<SymId> {
    let p = b.program[signature.primal].clone();
    let mut out = Vec::new();
    for d in &p.dummies {
        out.push(*d);
        if signature.derivative.contains(d) {
            out.push(dummy(b, *d, head));
        }
    }
    if let ProcKind::Function(r) = p.kind {
        out.push(r);
        if signature.result {
            out.push(dummy(b, r, head));
        }
    }
    out
}

fn dummy(b: &mut Builder<'_>, primal: SymId, head: bool) -> SymId {
    let (attrs, intent) = b.program.var(primal).map(|v| (v.attrs, v.intent)).unwrap_or_default();
    let result = matches!(b.program[b.primal].kind, ProcKind::Function(r) if r == primal);
    let renewed = b.program.var(primal).is_some_and(|v| is_renewed(b.program, v));
    let sym = b.shadow_of(primal);
    if let SymbolKind::Variable(v) = &mut b.program[sym].kind {
        v.attrs = attrs;
        v.attrs.save = false;
        v.attrs.parameter = false;
        // A tangent that is only partly set keeps the rest of what came in.
        // An allocatable output comes without memory, and so does its derivative. What a type that extends the declared
        // one has by default would be its derivative's value too: calls in generated code take care of that, and heads
        // have no such types.
        let extended = matches!(v.ty.base, Base::Class(_) | Base::Unlimited) && !head;
        let fresh = (v.attrs.allocatable || renewed && !extended) && (result || intent == Some(Intent::Out));
        v.intent = match intent {
            _ if fresh => Some(Intent::Out),
            Some(Intent::In) => Some(Intent::In),
            _ if result => Some(Intent::InOut),
            other => other.map(|_| Intent::InOut),
        };
    }
    sym
}

struct Forward<'a, 'p> {
    b: &'a mut Builder<'p>,
    effects: &'a mut Effects,
    context: &'a Context,
    storage: &'a LocSet,
    signatures: &'a Signatures,
    problems: Vec<Diagnostic>,
    /// Nothing but the associations of derivative pointers, and their memory, goes beside the primal.
    only_associations: bool,
}

struct Site<'r, 'a, 'p> {
    forward: &'r mut Forward<'a, 'p>,
    stmt: &'r Stmt,
}

impl Active for Site<'_, '_, '_> {
    fn active(&mut self, d: &Designator) -> bool {
        let varied = self.forward.context.varied.get(&self.stmt.id);
        let leaves = self.forward.effects.locs.of(self.forward.b.program, d);
        leaves.iter().any(|l| self.forward.storage.contains(l) && varied.is_some_and(|v| v.contains(l)))
    }

    fn temporary(&mut self, ty: Ty) -> Expr {
        Expr::zero(ty)
    }

    fn derivative(&mut self, operand: &Expr) -> Expr {
        self.forward.b.shadow_ref(operand)
    }
}

impl Forward<'_, '_> {
    /// Tangents that start at zero: of local variables, and of outputs and module variables that aren't independents.
    fn start(&mut self, signature: &Signature, facts: Option<&crate::session::HeadFacts>, anchor: &Stmt) -> Block {
        let mut out = Vec::new();
        let primal = signature.primal;
        let roots = interface::roots(self.b.program, self.effects, primal, self.storage);
        let mut roots: Vec<SymId> = roots.into_iter().collect();
        if facts.is_some() {
            roots.extend(signature.derivative.iter().copied());
        }
        if let ProcKind::Function(r) = self.b.program[signature.primal].kind
            && signature.result
        {
            roots.push(r);
        }
        roots.sort();
        roots.dedup();
        for sym in roots {
            let global = is_global(self.b.program, sym);
            let own = self.b.program[sym].scope == self.b.program[signature.primal].scope;
            let Some(v) = self.b.program.var(sym).cloned() else { continue };
            let result = matches!(self.b.program[signature.primal].kind, ProcKind::Function(r) if r == sym);
            let local = own && !signature.derivative.contains(&sym);
            let named = facts.is_some_and(|f| f.head.independents.iter().any(|t| t.sym == sym));
            if global && facts.is_some() && !named {
                let e = self.b.var(sym);
                out.extend(self.settle(&e, anchor));
                out.extend(dissociate(self.b, self.effects, self.storage, sym, anchor));
                continue;
            }
            let head_output = facts.is_some() && (global || v.intent != Some(Intent::In)) && !named;
            // An assumed-size array has no whole that could be set; what isn't assigned keeps its tangent.
            let sized = !v.dims.iter().any(|x| matches!(x, Dim::AssumedSize(_) | Dim::AssumedRank));
            if v.attrs.allocatable
                || v.attrs.pointer
                || !sized
                || !(local || result || head_output)
                || (global && facts.is_none())
            {
                continue;
            }
            let e = self.b.var(sym);
            for r in self.zero_refs(&e) {
                out.extend(self.b.zero(&r, anchor, Role::Storage));
            }
        }
        for sym in signature.derivative.iter().filter(|_| facts.is_none()) {
            out.extend(self.without_defaults(*sym, anchor));
        }
        out
    }

    /// Zeros for what the derivative of an output gets from the default values of its type where the procedure has no
    /// derivative of it: its callers may have one.
    fn without_defaults(&mut self, sym: SymId, anchor: &Stmt) -> Block {
        let e = self.b.var(sym);
        let shadow = self.b.shadow_ref(&e).as_var().map(|d| d.sym);
        let fresh = |v: &Variable| v.intent == Some(Intent::Out) && !v.attrs.allocatable && v.ty.derived().is_some();
        let Some(v) = shadow.and_then(|s| self.b.program.var(s)).filter(|v| fresh(v)).cloned() else {
            return Block::new();
        };
        let mut out = Block::new();
        for r in self.zero_refs(&e) {
            let Some(d) = r.as_var() else { continue };
            let path = d.path();
            let set = |n| resolve(self.b.program, sym, &path[..n]).is_some_and(|c| c.init.is_some());
            let followed = self.effects.locs.of(self.b.program, d).iter().any(|l| self.storage.contains(l));
            if (1..=path.len()).any(set) && !followed {
                out.extend(self.b.zero(&r, anchor, Role::Storage));
            }
        }
        if v.attrs.optional && !out.is_empty() {
            let cond = Expr { rank: 0, ..Expr::intrinsic(Intrinsic::Present, vec![e]) };
            out = vec![branch(self.b, cond, out, anchor)];
        }
        out
    }

    /// Gives the tangent of a variable the variable's shape, and zeros.
    fn settle(&mut self, e: &Expr, from: &Stmt) -> Block {
        settle(self.b, &self.effects.locs, self.storage, e, from)
    }

    /// References to the continuous leaves of a variable that exist without allocation.
    fn zero_refs(&mut self, e: &Expr) -> Vec<Expr> {
        let Some(d) = e.as_var().cloned() else { return Vec::new() };
        if !e.is_derived() {
            return vec![e.clone()];
        }
        let own = d.path();
        let mut out = Vec::new();
        for path in value_paths(self.b.program, e.ty) {
            let full: Vec<Name> = own.iter().chain(&path).cloned().collect();
            let at = |n: usize| resolve(self.b.program, d.sym, &full[..n]);
            let fixed = (own.len() + 1..=full.len()).all(|n| at(n).is_some_and(|v| !v.attrs.allocatable));
            if fixed && at(full.len()).is_some_and(|v| v.ty.is_continuous()) {
                out.push(self.b.extend(e, &path));
            }
        }
        out
    }

    fn block(&mut self, block: &[Stmt]) -> Block {
        let mut out = Vec::new();
        for stmt in block {
            self.statement(stmt, &mut out);
        }
        out
    }

    fn refuse(&mut self, stmt: &Stmt, code: Code, reason: &str, help: &str) {
        let d = Diagnostic::error(code, stmt.origin.span(), "this statement can't be differentiated")
            .reason(reason)
            .help(help);
        if !self.problems.contains(&d) {
            self.problems.push(d);
        }
    }

    fn statement(&mut self, stmt: &Stmt, out: &mut Block) {
        match kind(stmt) {
            Kind::Assign { lhs, rhs } | Kind::Product { lhs, rhs, .. } => {
                self.assign(stmt, lhs, rhs, out);
                out.push(self.copy(stmt));
            }
            Kind::Call(Call { callee, args, result }) => {
                self.call(stmt, callee, args, result.map(|r| r.to), out);
            }
            Kind::Allocate { items, .. } => {
                out.push(self.copy(stmt));
                for item in items.iter() {
                    self.allocate(item, stmt, out);
                }
            }
            Kind::Deallocate { items, .. } => self.deallocate(stmt, items, out),
            Kind::InputOutput { items, .. } => {
                for e in &items.defines {
                    if e.as_var().cloned().is_some_and(|d| self.has_storage(&d)) {
                        self.refuse(
                            stmt,
                            Code::ActiveIo,
                            "it reads an active variable",
                            "read into a variable that is not active and assign it",
                        );
                    }
                }
                out.push(self.copy(stmt));
            }
            Kind::If { .. } | Kind::Select { .. } | Kind::Loop { .. } | Kind::Left(Left::Concurrent) => {
                let mut s = self.copy(stmt);
                for body in s.blocks_mut() {
                    let inner = std::mem::take(body);
                    *body = self.block(&inner);
                }
                out.push(s);
            }
            Kind::Left(Left::Scope(body)) => {
                let inner = self.block(body);
                out.extend(inner);
            }
            Kind::Directive { directive, body } => {
                if !matches!(directive.sentinel, Sentinel::Ad | Sentinel::Vendor) {
                    let reason = format!("a directive ({}) stands in it", directive.text);
                    self.refuse(
                        stmt,
                        Code::UnsupportedDirective,
                        &reason,
                        "remove the directive, or keep the region out of the differentiated code",
                    );
                }
                if let Some(body) = body {
                    let inner = self.block(body);
                    out.extend(inner);
                }
            }
            Kind::PointerAssign { lhs, rhs } => {
                self.associate(stmt, lhs, rhs, out);
                out.push(self.copy(stmt));
            }
            Kind::Nullify(items) => {
                let carrying: Vec<Expr> = items.iter().filter(|e| self.carries(e)).cloned().collect();
                let shadows: Vec<Expr> = carrying.iter().map(|e| self.b.shadow_ref(e)).collect();
                if !shadows.is_empty() {
                    out.push(self.b.derive(StmtKind::Nullify(shadows), stmt, Role::Tangent));
                }
                out.push(self.copy(stmt));
            }
            Kind::Left(Left::Unsupported(what)) => {
                let reason = format!("{what} isn't supported in differentiated code");
                self.refuse(
                    stmt,
                    Code::UnsupportedStatement,
                    &reason,
                    "rewrite it, or keep it out of the procedures that the head reaches",
                );
            }
            Kind::Left(Left::Masked) => {
                self.refuse(
                    stmt,
                    Code::UnsupportedStatement,
                    "normal form could not turn it into loops",
                    "write it as loops",
                );
            }
            Kind::Left(Left::Goto) => {
                self.refuse(
                    stmt,
                    Code::UnsupportedControl,
                    "a jump is left after normal form",
                    "write the jump with if blocks",
                );
            }
            Kind::Exit | Kind::Left(Left::Jump) | Kind::Stop(_) | Kind::Nothing => out.push(self.copy(stmt)),
        }
    }

    fn deallocate(&mut self, stmt: &Stmt, items: &[Expr], out: &mut Block) {
        if self.only_associations && self.frees_pointer(items) {
            // The backward sweep needs the memory.
            let mut list = items.to_vec();
            for e in items {
                if self.carries(e) {
                    list.push(self.b.shadow_ref(e));
                }
            }
            out.push(self.b.derive(StmtKind::Nullify(list), stmt, Role::Forward));
            return;
        }
        for e in items {
            let pointer = e.as_var().is_some_and(|d| self.effects.is_pointer(self.b.program, d));
            let followed =
                if pointer { self.carries(e) } else { e.as_var().cloned().is_some_and(|d| self.has_storage(&d)) };
            if followed {
                let object = self.b.shadow_ref(e);
                let kind = StmtKind::Deallocate { items: vec![object], options: Vec::new() };
                out.push(self.b.derive(kind, stmt, Role::Storage));
            }
        }
        out.push(self.copy(stmt));
    }

    fn copy(&mut self, stmt: &Stmt) -> Stmt {
        let mut s = self.b.derive(stmt.kind.clone(), stmt, Role::Forward);
        s.leading = stmt.leading.clone();
        s.trailing = stmt.trailing.clone();
        s
    }

    fn has_storage(&mut self, d: &Designator) -> bool {
        self.effects.locs.of(self.b.program, d).iter().any(|l| self.storage.contains(l))
    }

    fn assign(&mut self, stmt: &Stmt, lhs: &Expr, rhs: &Expr, out: &mut Block) {
        let Some(d) = lhs.as_var().cloned() else { return };
        if self.only_associations || !self.has_storage(&d) {
            return;
        }
        if lhs.is_derived() {
            return self.derived(stmt, lhs, rhs, out);
        }
        let mut site = Site { forward: self, stmt };
        match tangent(rhs, &mut site) {
            Ok(value) => {
                let t = self.b.shadow_ref(lhs);
                let value = value.unwrap_or_else(|| Expr::zero(t.ty));
                out.push(self.b.assign(t, value, stmt, Role::Tangent));
            }
            Err(problem) => self.problems.push(problem),
        }
    }

    fn derived(&mut self, stmt: &Stmt, lhs: &Expr, rhs: &Expr, out: &mut Block) {
        match &rhs.unparen().kind {
            ExprKind::Var(d) if self.has_storage(d) => {
                let to = self.b.shadow_ref(lhs);
                let from = self.b.shadow_ref(rhs.unparen());
                out.push(self.b.assign(to, from, stmt, Role::Tangent));
            }
            ExprKind::Var(_) => {
                for r in self.zero_refs(lhs) {
                    out.extend(self.b.zero(&r, stmt, Role::Tangent));
                }
            }
            ExprKind::StructCtor { ty, args } => {
                let Some(derived) = self.b.program[*ty].derived().cloned() else { return };
                if derived.extends.is_some() {
                    self.refuse(
                        stmt,
                        Code::UnsupportedStatement,
                        "a structure constructor of an extended type is used in a way that isn't known",
                        "assign the components one by one",
                    );
                }
                for (i, c) in derived.components.iter().enumerate() {
                    let arg = args.iter().enumerate().find(|(k, a)| match &a.keyword {
                        Some(name) => *name == c.name,
                        None => *k == i,
                    });
                    let target = self.b.extend(lhs, std::slice::from_ref(&c.name));
                    if let (Some((_, a)), true) = (arg, c.var.attrs.pointer) {
                        self.associate(stmt, &target, &a.value, out);
                    } else if let Some((_, a)) = arg
                        && c.var.ty.is_continuous()
                    {
                        self.assign(stmt, &target, &a.value, out);
                    } else if c.var.ty.derived().is_some() {
                        self.refuse(
                            stmt,
                            Code::UnsupportedStatement,
                            "a component of derived type is given by an expression",
                            "assign the components one by one",
                        );
                    }
                }
            }
            _ => self.refuse(
                stmt,
                Code::UnsupportedStatement,
                "its right side is neither a variable nor a structure constructor",
                "assign the components one by one",
            ),
        }
    }
}
