//! A procedure copied for what it is given.

use std::collections::{BTreeMap, BTreeSet};

use costate_analysis::effects::target;
use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{
    Arg, Base, Block, Callee, CopyOf, Expr, ExprKind, Given, Handle, Intent, ModuleId, Name, ParentUnit, ProcId,
    ProcKind, Program, ScopeId, ScopeKind, Stmt, StmtKind, SymId, Symbol, SymbolKind, for_each_expr, map_expr,
};
use costate_grammar::source::Span;

use super::{exact, needs};
use crate::remap::{self, SymMap};

/// Where a copy can stand: inside the host of an internal procedure that it is given, or in a module that sees all it
/// needs.
pub(super) fn home(
    program: &Program,
    caller: ProcId,
    proc: ProcId,
    given: &[(usize, Given)],
    far: Option<&BTreeSet<SymId>>,
) -> Option<(ParentUnit, ScopeId)> {
    let p = &program[proc];
    // What stands inside the procedure would have to be copied, too; and that a dummy is there is asked of it.
    if !p.internals.is_empty() || p.parent == ParentUnit::Interface || asks(program, proc, given) {
        return None;
    }
    let own = (p.parent, program[p.sym].scope);
    let mut hosts = BTreeSet::new();
    let mut modules: BTreeSet<ModuleId> = program.module_of(own.1).into_iter().collect();
    modules.extend(far.into_iter().flatten().filter_map(|s| program.module_of(program[*s].scope)));
    for (_, g) in given {
        let (Given::Procedure(sym) | Given::Type(sym)) = g else { continue };
        let definition = program[*sym].procedure().and_then(|p| p.definition);
        match definition.map(|d| program[d].parent) {
            Some(ParentUnit::Procedure(host)) => drop(hosts.insert(host)),
            _ => modules.extend(program.module_of(program[*sym].scope)),
        }
    }
    if let ParentUnit::Procedure(host) = p.parent {
        hosts.insert(host);
    }
    match hosts.len() {
        0 => {}
        1 => {
            let host = hosts.pop_first()?;
            return Some((ParentUnit::Procedure(host), program[host].scope));
        }
        _ => return None,
    }
    if modules.len() <= 1 {
        return Some(own);
    }
    let callers = program.module_of(program[caller].scope);
    let sees = |m: &ModuleId| {
        let reached = reached(program, *m);
        modules.iter().all(|o| reached.contains(o))
    };
    let m = program.module_of(own.1).into_iter().chain(modules.iter().copied()).chain(callers).find(sees)?;
    Some((ParentUnit::Module(m), program[m].scope))
}

/// True where a dummy procedure is a pointer, is called with keywords, or isn't there and is passed to what isn't known.
fn asks(program: &Program, proc: ProcId, given: &[(usize, Given)]) -> bool {
    let dummies: BTreeSet<SymId> = given
        .iter()
        .filter(|(_, g)| matches!(g, Given::Procedure(_) | Given::Absent))
        .map(|(at, _)| program[proc].dummies[*at])
        .collect();
    let absent = absent_dummies(program, proc, given);
    let pointer = |d: &SymId| program[*d].procedure().is_none_or(|p| p.pointer);
    let mut found = dummies.iter().any(pointer);
    let mut look = |callee: &Callee, args: &[Arg]| match callee {
        Callee::Proc { sym, .. } => {
            let unknown = target(program, callee).is_none();
            found |= dummies.contains(sym) && args.iter().any(|a| a.keyword.is_some());
            found |= unknown && args.iter().filter_map(procedure_in).any(|p| absent.contains(&p));
        }
        Callee::Intrinsic(Intrinsic::Present) => {}
        Callee::Intrinsic(_) => {
            found |= args.iter().any(|a| matches!(a.value.kind, ExprKind::ProcRef(s) if dummies.contains(&s)));
        }
        Callee::Bound { .. } => found |= args.iter().filter_map(procedure_in).any(|p| absent.contains(&p)),
    };
    costate_grammar::ir::for_each_stmt(&program[proc].body, &mut |s| {
        if let StmtKind::Call { callee, args } = &s.kind {
            look(callee, args);
        }
        for e in s.exprs() {
            costate_grammar::ir::for_each_expr(e, &mut |e| {
                if let ExprKind::Call { callee, args } = &e.kind {
                    look(callee, args);
                }
            });
        }
    });
    found
}

/// Dummy procedures that aren't there.
fn absent_dummies(program: &Program, proc: ProcId, given: &[(usize, Given)]) -> Vec<SymId> {
    given.iter().filter(|(_, g)| *g == Given::Absent).map(|(at, _)| program[proc].dummies[*at]).collect()
}

/// Statements with what is known of dummy procedures: the ones that are given are there, the `absent` ones aren't, and
/// what would call these is never executed.
fn with_known_procedures(program: &Program, block: Block, dummies: &[SymId], absent: &[SymId]) -> Block {
    let mut out = Block::with_capacity(block.len());
    for mut s in block.into_iter().filter(|s| !calls_any(s, absent)) {
        for inner in s.blocks_mut() {
            *inner = with_known_procedures(program, std::mem::take(inner), dummies, absent);
        }
        s.kind.map_exprs(&mut |e| map_expr(e.clone(), &mut |e| known(program, e, dummies, absent)));
        if let StmtKind::Call { callee, args } = &mut s.kind {
            leave_out(program, callee, args, absent);
        }
        out.push(s);
    }
    out
}

/// An inquiry that is decided, and a call without procedures that aren't there.
fn known(program: &Program, mut e: Expr, dummies: &[SymId], absent: &[SymId]) -> Expr {
    let ExprKind::Call { callee, args } = &mut e.kind else { return e };
    let asked = args.iter().find_map(|a| procedure_in(a).filter(|s| dummies.contains(s)));
    match (callee, asked) {
        (Callee::Intrinsic(Intrinsic::Present), Some(p)) => {
            Expr { span: e.span, ..Expr::logical(!absent.contains(&p)) }
        }
        (callee, _) => {
            leave_out(program, callee, args, absent);
            e
        }
    }
}

/// Takes procedures that aren't there from the arguments of a call. What follows them is passed by name.
fn leave_out(program: &Program, callee: &Callee, args: &mut Vec<Arg>, absent: &[SymId]) {
    let left_out = |a: &Arg| procedure_in(a).is_some_and(|p| absent.contains(&p));
    let (Some(first), Some(proc)) = (args.iter().position(left_out), target(program, callee)) else { return };
    for (arg, dummy) in args.iter_mut().zip(&program[proc].dummies).skip(first) {
        arg.keyword.get_or_insert_with(|| program[*dummy].name.clone());
    }
    args.retain(|a| !left_out(a));
}

fn procedure_in(a: &Arg) -> Option<SymId> {
    match a.value.kind {
        ExprKind::ProcRef(s) => Some(s),
        _ => None,
    }
}

/// True for a statement that calls one of these procedures by itself.
fn calls_any(s: &Stmt, procedures: &[SymId]) -> bool {
    let one = |c: &Callee| matches!(c, Callee::Proc { sym, .. } if procedures.contains(sym));
    let mut found = matches!(&s.kind, StmtKind::Call { callee, .. } if one(callee));
    for e in s.exprs() {
        for_each_expr(e, &mut |e| found |= matches!(&e.kind, ExprKind::Call { callee, .. } if one(callee)));
    }
    found
}

/// A module and those that it uses, directly or not.
fn reached(program: &Program, from: ModuleId) -> BTreeSet<ModuleId> {
    let mut out = BTreeSet::from([from]);
    let mut queue = vec![from];
    while let Some(m) = queue.pop() {
        for (i, scope) in program.scopes.iter().enumerate() {
            if program.module_of(Handle::new(i)) == Some(m) {
                let used = scope.uses.iter().filter_map(|u| program.module_names.get(&u.module));
                queue.extend(used.filter(|u| out.insert(**u)));
            }
        }
    }
    out
}

/// True for a module procedure that can't name all of some procedures of other modules.
pub(super) fn is_far(program: &Program, proc: ProcId, targets: &BTreeSet<SymId>) -> bool {
    let Some(own) = program.module_of(program[program[proc].sym].scope) else { return false };
    let reached = reached(program, own);
    targets.iter().filter_map(|t| program.module_of(program[*t].scope)).any(|m| !reached.contains(&m))
}

/// Makes the copy.
pub(super) fn make(
    program: &mut Program,
    proc: ProcId,
    (parent, home): (ParentUnit, ScopeId),
    given: &[(usize, Given)],
) -> ProcId {
    let mut copy = program[proc].clone();
    let id = Handle::new(program.procedures.len());
    let name = unused(program, proc, given, home);
    let mut map = SymMap::new();
    let mut types = BTreeMap::new();
    for (at, g) in given {
        match g {
            Given::Procedure(sym) => drop(map.insert(copy.dummies[*at], *sym)),
            Given::Type(ty) => drop(types.insert(copy.dummies[*at], *ty)),
            Given::Same(first) => drop(map.insert(copy.dummies[*at], copy.dummies[*first])),
            Given::Absent => {}
        }
    }
    let mut scopes = BTreeMap::new();
    scope(program, copy.scope, Some(home), &mut map, &mut scopes);
    for (at, first) in same(given) {
        join(program, &mut map, copy.dummies[at], copy.dummies[first]);
    }
    inner_scopes(program, &copy.body, &mut map, &mut scopes);
    for (_, g) in given {
        declare_external(program, scopes[&copy.scope], *g, &mut map);
    }
    for (old, new) in &scopes {
        remap::declarations(program, *new, &map);
        remap::storage(program, *old, *new, &map);
    }
    program[scopes[&copy.scope]].kind = ScopeKind::Procedure(id);
    let to = |s: &SymId| map.get(s).copied().unwrap_or(*s);
    let user = copy.sym;
    let kept = |s: &SymId| program[*s].procedure().is_none_or(|p| p.dummy.is_none());
    let dropped: Vec<SymId> = copy.dummies.iter().filter(|d| map.contains_key(d) && !kept(d)).copied().collect();
    let absent = absent_dummies(program, proc, given);
    let joined: Vec<SymId> = same(given).map(|(at, _)| copy.dummies[at]).collect();
    let left = |d: &&SymId| !dropped.contains(d) && !joined.contains(d);
    copy.dummies = copy.dummies.iter().filter(left).map(to).collect();
    let mut known: BTreeMap<SymId, SymId> = types.iter().map(|(s, t)| (to(s), *t)).collect();
    if let ProcKind::Function(r) = copy.kind {
        copy.kind = ProcKind::Function(to(&r));
    }
    let body = with_known_procedures(program, std::mem::take(&mut copy.body), &dropped, &absent);
    let body = remap::block(&body, &map);
    let body = Fixed { program, scopes: &scopes, known: &mut known }.block(body);
    copy.body = body;
    for (at, d) in copy.dummies.iter().enumerate() {
        if let SymbolKind::Variable(v) = &mut program[*d].kind {
            v.dummy = Some(at);
        }
    }
    for (s, ty) in known {
        declare(program, s, ty);
    }
    copy.scope = scopes[&copy.scope];
    let mut info = program[user].procedure().cloned().unwrap_or_default();
    info.definition = Some(id);
    let private = program[user].private;
    copy.sym = program.add_symbol(home, name.clone(), Span::default(), SymbolKind::Procedure(Box::new(info)));
    program[copy.sym].private = private;
    (copy.name, copy.parent) = (name, parent);
    copy.copy_of = Some(CopyOf { procedure: user, given: given.to_vec() });
    program.procedures.push(copy);
    if let ParentUnit::Procedure(host) = parent {
        program[host].internals.push(id);
    }
    id
}

/// Dummies that are the variable of an earlier one, with that one.
fn same(given: &[(usize, Given)]) -> impl Iterator<Item = (usize, usize)> {
    given.iter().filter_map(|(at, g)| if let Given::Same(first) = g { Some((*at, *first)) } else { None })
}

/// The copy of one dummy stands for another one, too: for what is read and for what is assigned.
fn join(program: &mut Program, map: &mut SymMap, dummy: SymId, first: SymId) {
    let Some(own) = map.get(&first).copied() else { return };
    map.insert(dummy, own);
    let other = program.var(dummy).and_then(|v| v.intent);
    if let SymbolKind::Variable(v) = &mut program[own].kind
        && v.intent != other
    {
        v.intent = Some(Intent::InOut);
    }
}

/// An external procedure that the caller declares is declared in the copy.
fn declare_external(program: &mut Program, home: ScopeId, given: Given, map: &mut SymMap) {
    let Given::Procedure(sym) = given else { return };
    let definition = program[sym].procedure().and_then(|p| p.definition);
    let internal = definition.is_some_and(|d| matches!(program[d].parent, ParentUnit::Procedure(_)));
    if internal || !matches!(program[program[sym].scope].kind, ScopeKind::Procedure(_)) {
        return;
    }
    let Symbol { name, span, kind, .. } = program[sym].clone();
    let own = program.add_symbol(home, name, span, kind);
    map.values_mut().filter(|s| **s == sym).for_each(|s| *s = own);
}

/// Declares an object as one of a type exactly.
fn declare(program: &mut Program, sym: SymId, ty: SymId) {
    let spelling = format!("type({})", program[ty].name);
    if let SymbolKind::Variable(v) = &mut program[sym].kind {
        v.ty = exact(v.ty, ty);
        (v.spelling, v.spelling_uses) = (spelling, vec![ty]);
    }
}

/// Copies a scope with what it declares. What stands for a dummy already isn't declared again.
fn scope(
    program: &mut Program,
    old: ScopeId,
    parent: Option<ScopeId>,
    map: &mut SymMap,
    scopes: &mut BTreeMap<ScopeId, ScopeId>,
) {
    let kind = program[old].kind;
    let new = program.add_scope(parent, kind);
    scopes.insert(old, new);
    for (name, s) in program[old].names.clone() {
        if map.contains_key(&s) {
            continue;
        }
        if program[s].scope == old {
            let symbol = program[s].clone();
            let private = symbol.private;
            let copy = program.add_symbol(new, name, symbol.span, symbol.kind);
            program[copy].private = private;
            map.insert(s, copy);
        } else {
            program[new].names.insert(name, s);
        }
    }
    program[new].uses = program[old].uses.clone();
    program[new].texts = program[old].texts.clone();
}

fn inner_scopes(program: &mut Program, block: &[Stmt], map: &mut SymMap, scopes: &mut BTreeMap<ScopeId, ScopeId>) {
    for s in block {
        if let StmtKind::Associate { scope: own, .. } | StmtKind::BlockScope { scope: own, .. } = &s.kind {
            let parent = program[*own].parent.map(|p| scopes.get(&p).copied().unwrap_or(p));
            scope(program, *own, parent, map, scopes);
        }
        s.blocks().into_iter().for_each(|b| inner_scopes(program, b, map, scopes));
    }
}

/// A name that nothing has.
fn unused(program: &Program, proc: ProcId, given: &[(usize, Given)], home: ScopeId) -> Name {
    let mut base = program[proc].name.to_string();
    if let (true, Some(m)) = (given.is_empty(), program.module_of(home)) {
        base = format!("{base}_{}", program[m].name);
    }
    for (at, g) in given {
        base = match g {
            Given::Procedure(sym) | Given::Type(sym) => format!("{base}_{}", program[*sym].name),
            Given::Absent => format!("{base}_without_{}", program[program[proc].dummies[*at]].name),
            Given::Same(first) => {
                let [one, other] = [*at, *first].map(|k| &program[program[proc].dummies[k]].name);
                format!("{base}_{one}_is_{other}")
            }
        };
    }
    // A suffix is to follow.
    base.truncate(50);
    let taken: BTreeSet<&str> = program.symbols.iter().map(|s| s.name.as_str()).collect();
    let numbered = std::iter::once(base.clone()).chain((2..).map(|n| format!("{base}_{n}")));
    Name::new(&numbered.filter(|n| !taken.contains(n.as_str())).take(1).collect::<String>())
}

/// Gives the copy's statements what is theirs, and takes the blocks of `select type` that are known to be executed.
struct Fixed<'a> {
    program: &'a mut Program,
    scopes: &'a BTreeMap<ScopeId, ScopeId>,
    /// Objects whose type is known.
    known: &'a mut BTreeMap<SymId, SymId>,
}

impl Fixed<'_> {
    fn block(&mut self, block: Block) -> Block {
        let mut out = Block::with_capacity(block.len());
        for s in block {
            match self.selected(&s) {
                Some(inner) => {
                    let inner = self.block(inner);
                    out.extend(inner);
                }
                None => out.push(self.stmt(s)),
            }
        }
        out
    }

    fn stmt(&mut self, mut s: Stmt) -> Stmt {
        s.id = self.program.fresh_stmt();
        let known = &*self.known;
        s.kind.map_exprs(&mut |e| typed(e, known));
        if let StmtKind::Call { callee, .. } = &mut s.kind {
            intrinsic(self.program, callee);
        }
        let program = &*self.program;
        s.kind.map_exprs(&mut |e| {
            map_expr(e.clone(), &mut |mut e| {
                if let ExprKind::Call { callee, .. } = &mut e.kind {
                    intrinsic(program, callee);
                }
                e
            })
        });
        if let StmtKind::Associate { scope, .. } | StmtKind::BlockScope { scope, .. } = &mut s.kind {
            *scope = self.scopes.get(scope).copied().unwrap_or(*scope);
        }
        if let StmtKind::Associate { bindings, .. } = &s.kind {
            for (name, e) in bindings {
                self.known.extend(self.exactly(e).map(|t| (*name, t)));
            }
        }
        for b in s.blocks_mut() {
            let inner = std::mem::take(b);
            *b = self.block(inner);
        }
        s
    }

    fn exactly(&self, e: &Expr) -> Option<SymId> {
        let d = e.as_var().filter(|d| d.path().is_empty())?;
        self.known.get(&d.sym).copied()
    }

    /// The statements of the block that a `select type` executes.
    fn selected(&self, s: &Stmt) -> Option<Block> {
        let StmtKind::Unsupported { what, body, .. } = &s.kind else { return None };
        if what != "select type" {
            return None;
        }
        let ty = self.exactly(needs::selector(body)?)?;
        let [Stmt { kind: StmtKind::If { arms, .. }, .. }] = body.as_slice() else { return None };
        let mut best: Option<(u8, usize, &Block)> = None;
        for arm in arms {
            let ExprKind::Opaque(head) = &arm.cond.kind else { return None };
            let head: String = head.to_ascii_lowercase().chars().filter(|c| !c.is_whitespace()).collect();
            let guard = arm.body.iter().find_map(|s| match &s.kind {
                StmtKind::Associate { bindings, .. } => self.program.var(bindings.first()?.0).map(|v| v.ty.base),
                _ => None,
            });
            let fits = match guard {
                _ if head.starts_with("classdefault") => Some((0, 0)),
                Some(Base::Derived(t)) if head.starts_with("typeis") => (t == ty).then_some((2, 0)),
                Some(Base::Class(t)) if head.starts_with("classis") => {
                    self.program.extends(ty, t).then(|| (1, depth(self.program, t)))
                }
                _ => return None,
            };
            if let Some((rank, depth)) = fits
                && best.as_ref().is_none_or(|b| (b.0, b.1) < (rank, depth))
            {
                best = Some((rank, depth, &arm.body));
            }
        }
        Some(best.map(|b| b.2.clone()).unwrap_or_default())
    }
}

/// How many types a type extends.
fn depth(program: &Program, ty: SymId) -> usize {
    std::iter::successors(Some(ty), |t| program[*t].derived()?.extends).count()
}

/// An expression with the types of objects that are known.
fn typed(e: &Expr, known: &BTreeMap<SymId, SymId>) -> Expr {
    map_expr(e.clone(), &mut |mut e| {
        if let Some(ty) = e.as_var().filter(|d| d.path().is_empty()).and_then(|d| known.get(&d.sym)) {
            e.ty = exact(e.ty, *ty);
        }
        e
    })
}

/// A dummy procedure may be an intrinsic one.
fn intrinsic(program: &Program, callee: &mut Callee) {
    if let Callee::Proc { sym, .. } = callee
        && let Some(f) = program[*sym].procedure().and_then(|p| p.intrinsic)
    {
        *callee = Callee::Intrinsic(f);
    }
}
