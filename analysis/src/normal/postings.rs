//! What is begun with requests, in one procedure and in the whole program.

use costate_grammar::ir::{
    Arg, Callee, CtorItem, Designator, Expr, ExprKind, Name, Part, ProcId, Program, ScopeKind, Stmt, StmtKind,
    Subscript, SymId, for_each_stmt,
};

use super::designator::continuous;
use crate::externals::messages::{Buffer, Message, Role, Traffic, called, messages};

/// Requests are found in components of so many components at most.
const DEEPEST: usize = 8;

/// What is begun with a request.
#[derive(Clone)]
pub(super) struct Posting {
    pub(super) request: Designator,
    /// What is sent or received with it, where it may have a derivative; of collective procedures what is received.
    pub(super) buffers: Vec<Expr>,
    /// They are received.
    pub(super) received: bool,
    /// Derivatives of collective procedures know their buffers without being told.
    pub(super) collective: bool,
    /// The request is made for messages that others start.
    pub(super) persistent: bool,
    /// It is a copy of the one that the call has made, which may have stood beside other buffers.
    copied: bool,
}

impl Posting {
    /// True where a call may complete it.
    pub(super) fn is_of(&self, request: Option<&Designator>) -> bool {
        request.is_some_and(|r| (r.sym, r.path()) == (self.request.sym, self.request.path()))
    }

    /// The same with the request in another variable, if it is copied from a variable or a part of it.
    fn copied(&self, from: &Designator, to: &Designator) -> Option<Posting> {
        let (path, from_path) = (self.request.path(), from.path());
        let rest = path.strip_prefix(from_path.as_slice()).filter(|_| self.request.sym == from.sym)?;
        let parts: Vec<Part> = to.path().into_iter().chain(rest.iter().cloned()).map(Part::Component).collect();
        // In a list each copy is one further down.
        if parts.len() > DEEPEST {
            return None;
        }
        Some(Posting { request: Designator { sym: to.sym, parts }, copied: true, ..self.clone() })
    }

    /// The variable or component in which the buffer lies, by the name that it has at the call that completes it: its subscripts before
    /// the last are fixed, or those of the request there, or stand for all elements.
    pub(super) fn whole(&self, program: &Program, buffer: &Expr, request: &Option<Designator>) -> Option<Expr> {
        let d = buffer.as_var()?;
        let element = is_element(d);
        let mut parts = if element { d.parts[..d.parts.len() - 1].to_vec() } else { d.parts.clone() };
        let common = match self.copied {
            true => 0,
            false => parts.iter().zip(&self.request.parts).take_while(|(a, b)| a == b).count(),
        };
        if let Some(r) = request.as_ref().filter(|r| r.sym == d.sym && r.parts.len() >= common) {
            parts[..common].clone_from_slice(&r.parts[..common]);
        }
        for (k, part) in parts.iter_mut().enumerate() {
            match part {
                Part::Component(_) => {}
                Part::Subscripts(_) if d.sym == self.request.sym && k < common => {}
                Part::Subscripts(list) => list.iter_mut().try_for_each(any_element)?,
                Part::Substring(..) => return None,
            }
        }
        let d = Designator { sym: d.sym, parts };
        let rank = crate::storage::resolve(program, d.sym, &d.path())?.rank();
        Some(Expr { kind: ExprKind::Var(d), rank, ..buffer.clone() })
    }
}

/// Leaves a subscript that is a number, and takes all elements in place of one.
fn any_element(subscript: &mut Subscript) -> Option<()> {
    match subscript {
        Subscript::Index(e) if e.as_int().is_some() => {}
        Subscript::Index(e) if e.rank == 0 => *subscript = Subscript::Range { lo: None, hi: None, step: None },
        _ => return None,
    }
    Some(())
}

/// True for an element of an array, or a section.
pub(super) fn is_element(d: &Designator) -> bool {
    matches!(d.parts.last(), Some(Part::Subscripts(_)))
}

/// What calls of the message passing interface in all procedures of a program say of those in each of them.
#[derive(Default)]
pub struct Shared {
    /// Persistent requests of modules, each with the procedure that makes it.
    prepared: Vec<(SymId, Posting)>,
    /// Real values are packed into buffers of bytes.
    pub(super) packs: bool,
    /// Datatypes may be made of the addresses of several variables.
    pub(super) spans: bool,
    /// What addresses are asked for, each with the procedure that asks.
    addressed: Vec<(SymId, Addressed)>,
}

/// A variable of which an address is asked for, or the component that has memory of its own.
type Addressed = (SymId, Vec<Name>);

impl Shared {
    /// Finds it.
    pub fn of(program: &Program) -> Shared {
        let of_module = |d: &Designator| matches!(program[program[d.sym].scope].kind, ScopeKind::Module(_));
        let mut out = Shared::default();
        for p in program.procedures.iter().filter(|p| !p.declared) {
            let kept = postings(program, &p.body).into_iter().filter(|b| b.persistent && of_module(&b.request));
            out.prepared.extend(kept.map(|begun| (p.sym, begun)));
            let mut addressed = Vec::new();
            for_each_stmt(&p.body, &mut |s| {
                addressed.extend(addressed_by(program, s));
                out.packs |= packs_reals(program, s);
            });
            out.spans |= spans(program, &addressed);
            out.addressed.extend(addressed.into_iter().map(|a| (p.sym, a)));
        }
        // A request whose buffer has no name elsewhere may be any of its array.
        let named = |b: &Expr| b.as_var().is_some_and(of_module);
        let unnamed = |(_, p): &&(SymId, Posting)| !p.buffers.iter().all(named);
        let unnamed: Vec<SymId> = out.prepared.iter().filter(unnamed).map(|(_, p)| p.request.sym).collect();
        out.prepared.retain(|(_, p)| !unnamed.contains(&p.request.sym));
        out
    }

    /// The real variables that a procedure's messages at `MPI_BOTTOM` may be made of: those of which addresses are asked for. None
    /// where some have no name there, or nobody asks.
    pub(super) fn at_addresses(&self, program: &Program, proc: ProcId) -> Option<Vec<Expr>> {
        let mut out = Vec::new();
        for (by, (sym, path)) in &self.addressed {
            let v = crate::storage::resolve(program, *sym, path)?;
            if !continuous(program, v.ty) {
                continue;
            }
            let of_module = matches!(program[program[*sym].scope].kind, ScopeKind::Module(_));
            if !of_module && *by != program[proc].sym {
                return None;
            }
            // Which object of several, isn't known here.
            let above = (0..path.len()).map(|k| crate::storage::resolve(program, *sym, &path[..k]));
            if !above.into_iter().all(|v| v.is_some_and(|v| v.rank() == 0)) {
                return None;
            }
            let parts = path.iter().cloned().map(Part::Component).collect();
            let whole = Expr::new(ExprKind::Var(Designator { sym: *sym, parts }), v.ty, v.rank());
            if !out.contains(&whole) {
                out.push(whole);
            }
        }
        (!self.addressed.is_empty()).then_some(out)
    }

    /// What persistent requests of modules are made for in other procedures than this, which may run before the program comes
    /// here: messages in module variables, which have a name here too.
    pub(super) fn prepared_by_others(&self, program: &Program, proc: ProcId) -> Vec<&Posting> {
        self.prepared.iter().filter(|(by, _)| *by != program[proc].sym).map(|(_, p)| p).collect()
    }
}

/// True where a procedure that asks for these addresses may tell by them how its variables, or its callers', lie to each other.
fn spans(program: &Program, addressed: &[Addressed]) -> bool {
    // Datatypes of several objects are made of the components of each.
    let object =
        |(sym, path): &&Addressed| path.is_empty() && program.var(*sym).is_some_and(|v| v.ty.derived().is_some());
    match addressed {
        [] => false,
        [(only, _)] => program.var(*only).is_some_and(|v| v.dummy.is_some()),
        [first, others @ ..] => !others.iter().all(|o| o == first) && !addressed.iter().all(|a| object(&a)),
    }
}

/// The variable of which a call asks for the address, or the component that has memory of its own.
fn addressed_by(program: &Program, stmt: &Stmt) -> Option<Addressed> {
    let StmtKind::Call { callee, args } = &stmt.kind else { return None };
    let (name, _) = called(program, callee)?;
    let message = messages().get(&name)?;
    let d = argument(message, args, "location")?.as_var()?;
    let path = d.path();
    let apart = |n: &usize| {
        let v = crate::storage::resolve(program, d.sym, &path[..*n]);
        v.is_some_and(|v| v.attrs.allocatable || v.attrs.pointer)
    };
    let own = (1..=path.len()).rev().find(apart).unwrap_or(0);
    Some((d.sym, path[..own].to_vec()))
}

/// True for a call that packs real values, or unpacks some.
fn packs_reals(program: &Program, stmt: &Stmt) -> bool {
    let StmtKind::Call { callee, args } = &stmt.kind else { return false };
    let Some((name, _)) = called(program, callee) else { return false };
    let Some(message) = messages().get(&name).filter(|m| m.packs) else { return false };
    message.buffers.keys().filter_map(|b| argument(message, args, b)).any(|e| continuous(program, e.ty))
}

/// The actual argument for one of the arguments' names, or for several of the kind.
pub(super) fn argument<'a>(message: &Message, args: &'a [Arg], name: &str) -> Option<&'a Expr> {
    let of = |a: &Name| a.as_str() == name || a.as_str() == format!("array_of_{name}s");
    let at = message.arguments.iter().position(of)?;
    let keyword = args.iter().find(|a| a.keyword.as_ref().is_some_and(of));
    keyword.or_else(|| args.get(at).filter(|a| a.keyword.is_none())).map(|a| &a.value)
}

/// What a call begins with a request.
fn posting(program: &Program, stmt: &Stmt) -> Option<Posting> {
    let StmtKind::Call { callee, args } = &stmt.kind else { return None };
    let message = messages().get(&called(program, callee)?.0)?;
    let ends = matches!(message.traffic, Traffic::Starts | Traffic::Completes | Traffic::Frees);
    let request = argument(message, args, "request").filter(|_| !ends)?.as_var()?.clone();
    let collective = !message.traffic.begins();
    let named = |(name, b): (&Name, &Buffer)| {
        let actual = argument(message, args, name).filter(|e| continuous(program, e.ty));
        actual.filter(|_| !collective || b.role != Role::Sent).cloned()
    };
    let buffers = message.buffers.iter().filter_map(named).collect();
    let received = collective || matches!(message.traffic, Traffic::Receives | Traffic::ReceivesLater);
    Some(Posting { request, buffers, received, collective, persistent: message.traffic.prepares(), copied: false })
}

/// What is begun in a body, under all names that the requests have in it.
pub(super) fn postings(program: &Program, body: &[Stmt]) -> Vec<Posting> {
    let mut out = Vec::new();
    for_each_stmt(body, &mut |s| out.extend(posting(program, s)));
    if out.is_empty() {
        return out;
    }
    let mut copies = Vec::new();
    for_each_stmt(body, &mut |s| copies.extend(copied(s)));
    let mut next = 0;
    while let Some(known) = out.get(next).cloned() {
        for more in copies.iter().filter_map(|(from, to)| known.copied(from, to)) {
            let met = |p: &Posting| {
                p.is_of(Some(&more.request)) && (&p.buffers, p.received) == (&more.buffers, more.received)
            };
            if !out.iter().any(met) {
                out.push(more);
            }
        }
        next += 1;
    }
    out
}

/// The variables that a statement copies, each with the one that it copies it to.
pub fn copied(stmt: &Stmt) -> Vec<(Designator, Designator)> {
    let (lhs, rhs, both) = match &stmt.kind {
        StmtKind::Assign { lhs, rhs } => (lhs, rhs, false),
        StmtKind::PointerAssign { lhs, rhs } => (lhs, rhs, true),
        _ => return Vec::new(),
    };
    let Some(to) = lhs.as_var() else { return Vec::new() };
    let mut from = Vec::new();
    whole_values(rhs, &mut from);
    let mut out: Vec<_> = from.iter().map(|d| (d.clone(), to.clone())).collect();
    if both {
        out.extend(from.into_iter().map(|d| (to.clone(), d)));
    }
    out
}

/// The variables whose values are the value of an expression, or elements of it.
fn whole_values(e: &Expr, out: &mut Vec<Designator>) {
    match &e.kind {
        ExprKind::Var(d) => out.push(d.clone()),
        ExprKind::Paren(inner) => whole_values(inner, out),
        ExprKind::ArrayCtor { items, .. } => items.iter().for_each(|i| each_value(i, out)),
        // Elements are given other places.
        ExprKind::Call { callee: Callee::Intrinsic(_), args } => args.iter().for_each(|a| whole_values(&a.value, out)),
        _ => {}
    }
}

fn each_value(item: &CtorItem, out: &mut Vec<Designator>) {
    match item {
        CtorItem::Value(e) => whole_values(e, out),
        CtorItem::ImpliedDo { items, .. } => items.iter().for_each(|i| each_value(i, out)),
    }
}
