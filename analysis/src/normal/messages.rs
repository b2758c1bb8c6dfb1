//! Calls that pass messages between processes. Buffers may be of any type and rank, and have no declaration by which their
//! effects could be told: each kind of calls gets one of its own. Where messages are completed is said which variables
//! received data are stored in: a procedure that waits doesn't name them.

use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{
    Arg, Attrs, Base, Block, Callee, Designator, Dim, Expr, ExprKind, Intent, Name, Origin, ParentUnit, Part, Prefix,
    ProcId, ProcInfo, ProcKind, Procedure, Program, Role as StatementRole, ScopeId, ScopeKind, Stmt, StmtKind,
    Subscript, SymId, SymbolKind, Ty, Variable, for_each_stmt,
};
use costate_grammar::source::Span;

use super::context::Cx;
use super::designator::continuous;
pub use super::postings::copied;
use super::postings::{Posting, Shared, argument, is_element, postings};
use super::room::{Reach, in_one_piece, is_type_of, reach};
use crate::externals::blocks::{EVEN, LISTED, OWN, SUMMED};
use crate::externals::messages::{
    ARRIVED, AWAITING, BEGIN, BRANCHED, Buffer, Kind, LEAVING, MODULE, Message, NEW_COMMUNICATOR, Role, Traffic,
    called, message_of, messages,
};

/// Gives calls declarations.
pub(super) fn run(cx: &mut Cx<'_>, body: Block) -> Block {
    let postings = postings(cx.program, &body);
    let completes = |s: &Stmt| matches!(traffic_of(cx.program, s), Some(Traffic::Starts | Traffic::Completes));
    let mut asks = false;
    for_each_stmt(&body, &mut |s| asks |= completes(s));
    let prepared = if asks { cx.messages.prepared_by_others(cx.program, cx.proc) } else { Vec::new() };
    block(cx, body, (&postings, &prepared), false)
}

/// True where a buffer is `MPI_BOTTOM`: what is passed lies at the addresses in the datatype.
fn at_bottom(program: &Program, name: &Name, args: &[Arg]) -> bool {
    let Some(message) = messages().get(name) else { return false };
    let buffer = |b: &Name| argument(message, args, b).is_some_and(|e| is_constant(program, e, "mpi_bottom"));
    message.buffers.keys().any(buffer)
}

/// True for one of the constants of the message passing interface.
fn is_constant(program: &Program, e: &Expr, name: &str) -> bool {
    e.as_var().is_some_and(|d| program[d.sym].name.as_str() == name)
}

/// What a call of a procedure of the message passing interface does with messages.
fn traffic_of(program: &Program, stmt: &Stmt) -> Option<Traffic> {
    let StmtKind::Call { callee, .. } = &stmt.kind else { return None };
    Some(messages().get(&called(program, callee)?.0)?.traffic)
}

/// True for a call that passes messages.
pub(super) fn passes_messages(program: &Program, stmt: &Stmt) -> bool {
    traffic_of(program, stmt).is_some()
}

/// `branched`: not all processes may come here.
fn block(cx: &mut Cx<'_>, body: Block, postings: (&[Posting], &[&Posting]), branched: bool) -> Block {
    let mut out = Block::new();
    for mut stmt in body {
        let branch = branched || matches!(stmt.kind, StmtKind::If { .. } | StmtKind::Select { .. });
        for inner in stmt.blocks_mut() {
            *inner = block(cx, std::mem::take(inner), postings, branch);
        }
        let StmtKind::Call { callee, args } = &stmt.kind else {
            out.push(stmt);
            continue;
        };
        let Some((name, sym)) = called(cx.program, callee) else {
            out.push(stmt);
            continue;
        };
        let (args, span) = (args.clone(), stmt.origin.span());
        cx.at(&stmt);
        let asked = Kind { branched, ..Kind::default() };
        let (elsewhere, mut told) = told_of(cx.program, &name, &args, postings);
        let addressed = at_bottom(cx.program, &name, &args).then(|| cx.messages.at_addresses(cx.program, cx.proc));
        let asked = (Kind { elsewhere, anywhere: addressed == Some(None), ..asked }, cx.messages);
        told.extend(addressed.flatten().into_iter().flatten().flat_map(|v| [(LEAVING, v.clone()), (AWAITING, v)]));
        if let Some((callee, args, beyond)) = declared(cx.program, (&name, sym), &args, asked, span) {
            stmt.kind = StmtKind::Call { callee, args };
            for far in beyond {
                match far {
                    Reach::BeyondIf(cond) => out.push(cx.stop_if(cond, "a message is longer than what it begins with")),
                    Reach::Asked(what, args) => {
                        let args: Vec<Arg> = args.into_iter().map(|value| Arg { keyword: None, value }).collect();
                        let question = own_call(cx.program, what, &args, span);
                        out.extend(question.map(|question| cx.stmt(question)));
                    }
                    Reach::Within | Reach::Beyond => {}
                }
            }
        }
        let (behind, before): (Vec<_>, Vec<_>) = told.into_iter().partition(|(what, _)| *what == ARRIVED);
        for (what, buffer) in before {
            out.extend(tell_each(cx, what, &buffer, (0, span)).into_iter().flatten());
        }
        out.push(stmt);
        for (what, buffer) in behind {
            out.extend(tell_each(cx, what, &buffer, (0, span)).into_iter().flatten());
        }
    }
    out
}

/// What is said beside a call that starts or completes messages of the buffers that it doesn't name, and whether that can't be
/// said here. What this procedure itself has begun goes before what others have prepared.
fn told_of(
    program: &Program,
    name: &Name,
    args: &[Arg],
    (postings, prepared): (&[Posting], &[&Posting]),
) -> (bool, Vec<(&'static str, Expr)>) {
    let Some(message) = messages().get(name) else { return (false, Vec::new()) };
    let starts = message.traffic == Traffic::Starts;
    if !starts && message.traffic != Traffic::Completes {
        return (false, Vec::new());
    }
    let request = argument(message, args, "request").and_then(|e| e.as_var().cloned());
    let of_these = |p: &&Posting| p.is_of(request.as_ref()) && (p.persistent || !starts);
    let own: Vec<&Posting> = postings.iter().filter(of_these).collect();
    let others = if own.is_empty() { prepared } else { &[] };
    let pending = || own.iter().chain(others).copied().filter(of_these);
    let mut told: Vec<(&str, Expr)> = Vec::new();
    let buffers = pending().filter(|p| p.received || starts).flat_map(|p| p.buffers.iter().map(move |b| (p, b)));
    for (p, buffer) in buffers {
        let what = match (starts, p.received) {
            (false, _) => ARRIVED,
            (true, true) => AWAITING,
            (true, false) => LEAVING,
        };
        let whole = match p.whole(program, buffer, &request) {
            Some(whole) => whole,
            // To compilers they seem to have their values before, where nothing is said of them here.
            None if p.collective => continue,
            None => return (true, Vec::new()),
        };
        if !told.iter().any(|(w, e)| *w == what && *e == whole) {
            told.push((what, whole));
        }
    }
    (pending().next().is_none(), told)
}

/// Tells in which variables a message may be: of several objects in a component of each, where that has memory. What stands before
/// part `from` of the designator is said already.
fn tell_each(cx: &mut Cx, what: &str, buffer: &Expr, (from, span): (usize, Span)) -> Option<Block> {
    let d = buffer.as_var()?.clone();
    let is_range = |s: &Subscript| matches!(s, Subscript::Range { .. });
    let several = |p: &Part| matches!(p, Part::Subscripts(list) if list.iter().any(is_range));
    let first = d.parts.iter().position(several);
    for k in from..d.parts.len() {
        let (at, guarded) = match d.parts[k] {
            Part::Component(_) => (k + 1, from > 0),
            Part::Subscripts(_) if Some(k) == first => (k, from == 0),
            Part::Subscripts(_) | Part::Substring(..) => continue,
        };
        let there = Designator { sym: d.sym, parts: d.parts[..at].to_vec() };
        let v = crate::storage::resolve(cx.program, there.sym, &there.path())?;
        let (ty, rank, attrs) = (v.ty, v.rank(), (v.attrs.allocatable, v.attrs.pointer));
        let object = Expr::new(ExprKind::Var(there), ty, rank);
        let inside = match d.parts[k] {
            Part::Subscripts(_) => {
                let axes = cx.axes_of(&object)?;
                let mut one = d.clone();
                one.parts[k] = Part::Subscripts(axes.iter().map(|a| Subscript::Index(cx.index_expr(a))).collect());
                let one = Expr { kind: ExprKind::Var(one), ..buffer.clone() };
                let body = tell_each(cx, what, &one, (k + 1, span));
                let body = body.map(|body| cx.nest(&axes, body));
                cx.release_axes(&axes);
                body?
            }
            _ if guarded && (attrs.0 || attrs.1) => tell_each(cx, what, buffer, (k + 1, span))?,
            _ => continue,
        };
        let has_memory = match attrs {
            (true, _) if guarded => Some(object.allocated()),
            (_, true) if guarded => Some(Expr::intrinsic(Intrinsic::Associated, vec![object])),
            _ => None,
        };
        return Some(match has_memory {
            Some(cond) => vec![cx.if_else(Expr { rank: 0, ty: Ty::LOGICAL, ..cond }, inside, Block::new())],
            None => inside,
        });
    }
    let told = tell(cx, what, buffer, span)?;
    if d.parts.is_empty() && gets_memory_in_branch(cx.program, cx.proc, d.sym) {
        let there = Expr { rank: 0, ty: Ty::LOGICAL, ..buffer.allocated() };
        return Some(vec![cx.if_else(there, vec![told], Block::new())]);
    }
    Some(vec![told])
}

/// True for a variable that a procedure allocates under a condition: some processes may have none.
fn gets_memory_in_branch(program: &Program, proc: ProcId, sym: SymId) -> bool {
    let mut found = false;
    for_each_stmt(&program[proc].body, &mut |s| {
        if matches!(s.kind, StmtKind::If { .. } | StmtKind::Select { .. }) {
            s.blocks().into_iter().for_each(|b| {
                for_each_stmt(b, &mut |x| {
                    if let StmtKind::Allocate { items, .. } = &x.kind {
                        found |=
                            items.iter().filter_map(|i| i.object.as_var()).any(|d| d.sym == sym && d.parts.is_empty());
                    }
                });
            });
        }
    });
    found && program.var(sym).is_some_and(|v| v.attrs.allocatable)
}

/// Tells in which variable a message is.
fn tell(cx: &mut Cx<'_>, what: &str, buffer: &Expr, span: Span) -> Option<Stmt> {
    let v = buffer.as_var().and_then(|d| crate::storage::resolve(cx.program, d.sym, &d.path()))?;
    // Objects are longer than their reals.
    let endless = v.dims.iter().any(|d| matches!(d, Dim::AssumedSize(_))) || buffer.ty.derived().is_some();
    let size = match (buffer.rank, endless) {
        (_, true) => Expr::int(-1),
        (0, false) => Expr::int(1),
        (_, false) => Expr::intrinsic(Intrinsic::Size, vec![buffer.clone()]),
    };
    let args: Vec<Arg> = [buffer.clone(), size].map(|value| Arg { keyword: None, value }).into();
    let made = own_call(cx.program, what, &args, span)?;
    Some(cx.stmt(made))
}

/// The call of a procedure that only the run-time library has.
fn own_call(program: &mut Program, name: &str, args: &[Arg], span: Span) -> Option<StmtKind> {
    let message = messages().get(name)?;
    let passed: Vec<(Name, Expr)> =
        message.arguments.iter().cloned().zip(args.iter().map(|a| a.value.clone())).collect();
    let sym = procedure(program, (&Name::new(name), Kind::default()), Some(message), &passed, span);
    let callee = Callee::Proc { sym, generic: None, operator: None };
    Some(StmtKind::Call { callee, args: args.to_vec() })
}

/// What a head that passes messages starts with.
pub fn start(program: &mut Program, proc: ProcId) -> Option<Stmt> {
    // No statement of the user's stands for it.
    let head = program[proc].head;
    let span = Span { end: head.start, ..head };
    let made = own_call(program, BEGIN, &[], span)?;
    let from = program.fresh_stmt();
    let origin = Origin::Derived { from, span, role: StatementRole::Normal };
    Some(Stmt::new(program.fresh_stmt(), made, origin))
}

/// What stands behind a call that makes a communicator.
pub fn made(program: &mut Program, stmt: &Stmt) -> Option<Stmt> {
    let StmtKind::Call { callee: Callee::Proc { sym, .. }, args } = &stmt.kind else { return None };
    let message = message_of(&program[*sym].name)?;
    let at = message.arguments.iter().position(|a| Some(a) == message.makes.as_ref())?;
    let new = args.get(at).filter(|a| a.value.as_var().is_some())?.clone();
    let span = stmt.origin.span();
    let span = Span { start: span.end, ..span };
    let told = own_call(program, NEW_COMMUNICATOR, &[new], span)?;
    let origin = Origin::Derived { from: stmt.id, span, role: StatementRole::Normal };
    Some(Stmt::new(program.fresh_stmt(), told, origin))
}

/// The same procedure for calls that not all processes may run.
pub fn in_branch(program: &mut Program, proc: ProcId) -> SymId {
    let name = Name::new(&format!("{}{BRANCHED}", program[proc].name));
    let like = |p: &&Procedure| p.declared && p.name == name && p.dummies == program[proc].dummies;
    if let Some(known) = program.procedures.iter().find(like) {
        return known.sym;
    }
    let id = ProcId::new(program.procedures.len());
    let sym = symbol_of(program, &name, id, program[proc].span);
    let copy = Procedure { name, sym, ..program[proc].clone() };
    program.procedures.push(copy);
    sym
}

/// A call with the declaration that fits it, and where its messages would go on behind what they begin with; none where what it
/// does can't be told.
fn declared(
    program: &mut Program,
    (name, sym): (&Name, SymId),
    args: &[Arg],
    (asked, shared): (Kind, &Shared),
    span: Span,
) -> Option<(Callee, Vec<Arg>, Vec<Reach>)> {
    let message = messages().get(name);
    let passed: Vec<(Name, Expr)> = match message {
        Some(m) => in_order(m, args)?,
        None => {
            let word = |(i, a): (usize, &Arg)| {
                (a.keyword.clone().unwrap_or_else(|| Name::new(&format!("a{}", i + 1))), a.value.clone())
            };
            args.iter().enumerate().map(word).collect()
        }
    };
    if passed.iter().any(|(_, e)| matches!(e.ty.base, Base::None | Base::Class(_) | Base::Unlimited)) {
        return None;
    }
    // What such calls do to buffers was said elsewhere, maybe before the program came here.
    let cancels = name.as_str() == "mpi_cancel";
    let known = kind(program, message, &passed, asked, shared).filter(|_| !cancels);
    let unknown = Kind { unknown: true, elsewhere: cancels, anywhere: asked.anywhere, ..Kind::default() };
    let kind = known.unwrap_or(unknown);
    let message = message.filter(|_| !kind.unknown);
    let specific = procedure(program, (&kind.name(name), kind), message, &passed, span);
    let callee = Callee::Proc { sym: specific, generic: Some(sym), operator: None };
    let active = message.filter(|_| !kind.passive);
    let beyond = active.into_iter().flat_map(|m| reaches(program, m, &passed)).collect();
    Some((callee, passed.into_iter().map(|(_, value)| Arg { keyword: None, value }).collect(), beyond))
}

/// How far the messages of a call reach.
fn reaches<'e>(
    program: &'e Program,
    message: &'e Message,
    passed: &'e [(Name, Expr)],
) -> impl Iterator<Item = Reach> + 'e {
    let find = |name: &Name| passed.iter().find(|(n, _)| n == name).map(|(_, e)| e);
    message.buffers.iter().filter_map(move |(name, b)| Some(reach(program, find(name)?, b, &find)))
}

/// Actual arguments in the order of the interface, with their names: only the last may be left out.
fn in_order(message: &Message, args: &[Arg]) -> Option<Vec<(Name, Expr)>> {
    let mut out = Vec::new();
    for (i, name) in message.arguments.iter().enumerate() {
        let keyword = args.iter().find(|a| a.keyword.as_ref() == Some(name));
        match keyword.or_else(|| args.get(i).filter(|a| a.keyword.is_none())) {
            Some(a) => out.push((name.clone(), a.value.clone())),
            None if name.as_str() == "ierror" => {}
            None => return None,
        }
    }
    (out.len() == args.len()).then_some(out)
}

/// Which kind of calls this is; none where a buffer holds more than numbers of one type.
fn kind(
    program: &Program,
    message: Option<&Message>,
    passed: &[(Name, Expr)],
    asked: Kind,
    shared: &Shared,
) -> Option<Kind> {
    let constant = |e: &Expr, name: &str| is_constant(program, e, name);
    let Some(message) = message else {
        return passed
            .iter()
            .all(|(_, e)| !continuous(program, e.ty))
            .then_some(Kind { passive: true, ..Kind::default() });
    };
    let find = |name: &Name| passed.iter().find(|(n, _)| n == name).map(|(_, e)| e);
    let in_place = message.in_place.as_ref().and_then(find).is_some_and(|e| constant(e, "mpi_in_place"));
    let mut buffers = message.buffers.keys().filter(|b| !in_place || Some(*b) != message.in_place.as_ref());
    let types: Vec<&Expr> = buffers.by_ref().filter_map(&find).collect();
    if types.iter().any(|e| constant(e, "mpi_bottom")) {
        return None;
    }
    let active = types.iter().filter(|e| continuous(program, e.ty)).count();
    // A real variable that holds packed data may be used as what it isn't.
    let bytes = passed.iter().filter(|(n, _)| message.packs && matches!(n.as_str(), "inbuf" | "outbuf"));
    if bytes.filter(|(_, e)| continuous(program, e.ty)).count() > active {
        return None;
    }
    if active > 0 {
        // Which of an object's reals travel is known when the datatype is.
        let (objects, numbers): (Vec<&Expr>, Vec<&Expr>) = types.iter().partition(|e| e.ty.derived().is_some());
        let alike =
            |e: &&Expr| e.ty.is_continuous() && (e.ty.base, e.ty.kind) == (numbers[0].ty.base, numbers[0].ty.kind);
        if !numbers.iter().all(alike) || !objects.iter().all(|e| in_one_piece(program, e.ty)) {
            return None;
        }
        if !objects.is_empty() && (message.packs || message.reduces.is_some()) {
            return None;
        }
    }
    if active > 0 && reaches(program, message, passed).any(|r| matches!(r, Reach::Beyond)) {
        return None;
    }
    // Where variables lie to each other isn't the same with their derivatives.
    let named = |(name, b): (&Name, &Buffer)| {
        find(name).is_none_or(|e| b.datatype.as_ref().and_then(find).is_some_and(|t| is_type_of(program, t, e)))
    };
    if active > 0 && shared.spans && !message.buffers.iter().all(named) {
        return None;
    }
    let datatypes: Vec<&Expr> = message.buffers.values().filter_map(|b| b.datatype.as_ref()).filter_map(find).collect();
    let of_type = |n: &&str| datatypes.iter().any(|e| constant(e, n));
    // Reals that are passed as bytes have no type.
    if active > 0 && ["mpi_byte", "mpi_packed", "mpi_character"].iter().any(of_type) {
        return None;
    }
    let packed = shared.packs && active == 0 && of_type(&"mpi_packed");
    if packed && !(message.packed && !in_place && datatypes.iter().all(|e| constant(e, "mpi_packed"))) {
        return None;
    }
    let by_value = message.reduces.as_ref().and_then(find).is_some_and(|op| !constant(op, "mpi_sum"));
    let passive = !message.buffers.is_empty() && active == 0 && !packed;
    let branched = asked.branched && message.traffic == Traffic::Collective;
    Some(Kind { in_place, by_value, packed, passive, branched, ..asked })
}

/// The procedure that stands for calls with such arguments, made on first use.
fn procedure(
    program: &mut Program,
    (name, kind): (&Name, Kind),
    message: Option<&Message>,
    passed: &[(Name, Expr)],
    span: Span,
) -> SymId {
    let id = ProcId::new(program.procedures.len());
    let scope = program.add_scope(None, ScopeKind::Procedure(id));
    let mut dummies: Vec<SymId> = Vec::new();
    // Extents are dummies' values: these have to be there first.
    let buffer = |n: &Name| message.and_then(|m| m.buffers.get(n));
    let mut made: Vec<(usize, SymId)> = Vec::new();
    let (first, last): (Vec<usize>, Vec<usize>) = (0..passed.len()).partition(|i| buffer(&passed[*i].0).is_none());
    for i in first.into_iter().chain(last) {
        let (n, e) = &passed[i];
        let dims = match buffer(n) {
            Some(b) => extents(program, b, passed, e, &made),
            None => other_extents(n, e),
        };
        let said_to_be_in_place = kind.in_place && message.is_some_and(|m| m.in_place.as_ref() == Some(n));
        let intent = match buffer(n).filter(|b| b.role != Role::Sent && kind.in_place) {
            // A constant, in place of a buffer.
            _ if said_to_be_in_place => Intent::In,
            // What is there before is sent.
            Some(_) => Intent::InOut,
            None => intent(program, message, (n, e), &dims),
        };
        let spelling = program.spell(e.ty);
        let v = Variable {
            dims,
            intent: Some(intent),
            dummy: Some(i),
            attrs: Attrs::default(),
            ..Variable::scalar(e.ty, spelling)
        };
        made.push((i, program.add_symbol(scope, n.clone(), span, SymbolKind::Variable(Box::new(v)))));
    }
    made.sort_unstable();
    dummies.extend(made.into_iter().map(|(_, s)| s));
    let asks = [EVEN, LISTED, SUMMED, OWN].contains(&name.as_str());
    if asks {
        dummies.push(place_of_call(program, scope, dummies.len(), span));
    }
    if let Some(known) = same(program, name, &dummies, id) {
        return known;
    }
    let outside = if asks { program.module_outside(MODULE) } else { program.add_scope(None, ScopeKind::Global) };
    let sym = symbol_in(program, outside, name, id, span);
    program.procedures.push(Procedure {
        name: name.clone(),
        sym,
        scope,
        kind: ProcKind::Subroutine,
        dummies,
        prefix: Prefix::default(),
        bind: None,
        parent: ParentUnit::Interface,
        internals: Vec::new(),
        body: Block::new(),
        file: span.file,
        span,
        head: span,
        problems: Vec::new(),
        header: Vec::new(),
        copy_of: None,
        declared: true,
    });
    sym
}

/// The dummy for the place of the user's call, which generated code adds.
fn place_of_call(program: &mut Program, scope: ScopeId, position: usize, span: Span) -> SymId {
    let v = Variable {
        intent: Some(Intent::In),
        dummy: Some(position),
        attrs: Attrs { optional: true, ..Attrs::default() },
        ..Variable::scalar(Ty::CHARACTER, program.spell(Ty::CHARACTER))
    };
    program.add_symbol(scope, Name::new("at"), span, SymbolKind::Variable(Box::new(v)))
}

/// The symbol of a procedure that stands for calls, which no scope of the program's has.
fn symbol_of(program: &mut Program, name: &Name, id: ProcId, span: Span) -> SymId {
    let outside = program.add_scope(None, ScopeKind::Global);
    symbol_in(program, outside, name, id, span)
}

/// The same in a scope of its own, or in the module of what the library answers.
fn symbol_in(program: &mut Program, outside: ScopeId, name: &Name, id: ProcId, span: Span) -> SymId {
    let info = ProcInfo { definition: Some(id), external: true, ..ProcInfo::default() };
    program.add_symbol(outside, name.clone(), span, SymbolKind::Procedure(Box::new(info)))
}

/// The procedure of the same name whose dummies are the same.
fn same(program: &Program, name: &Name, dummies: &[SymId], before: ProcId) -> Option<SymId> {
    let alike = |a: &SymId, b: &SymId| {
        let (Some(a), Some(b)) = (program.var(*a), program.var(*b)) else { return false };
        let explicit = |v: &Variable| matches!(v.dims.as_slice(), [Dim::Explicit(..)]);
        (a.ty, a.intent, a.dims.len(), explicit(a)) == (b.ty, b.intent, b.dims.len(), explicit(b))
    };
    let found = program.procedures.iter().take(before.index()).find(|p| {
        p.declared
            && p.name == *name
            && p.dummies.len() == dummies.len()
            && p.dummies.iter().zip(dummies).all(|(a, b)| alike(a, b))
    });
    found.map(|p| p.sym)
}

/// The extent of a buffer: as many elements as the call says, where these are elements of the buffer's own type.
fn extents(
    program: &Program,
    buffer: &Buffer,
    passed: &[(Name, Expr)],
    actual: &Expr,
    made: &[(usize, SymId)],
) -> Vec<Dim> {
    let element = actual.as_var().is_some_and(is_element);
    if actual.rank == 0 && !element {
        return Vec::new();
    }
    let find = |name: &Option<Name>| name.as_ref().and_then(|n| passed.iter().position(|(m, _)| m == n));
    let (count, datatype) = (find(&buffer.count), find(&buffer.datatype));
    let plain = datatype.is_some_and(|d| is_type_of(program, &passed[d].1, actual));
    match count.filter(|_| plain) {
        Some(c) if actual.rank == 0 && passed[c].1.as_int() == Some(1) => Vec::new(),
        Some(c) if passed[c].1.rank == 0 => {
            let dummy = made.iter().find(|(i, _)| *i == c).map(|(_, s)| Expr::var(*s, passed[c].1.ty, 0));
            dummy.map_or(vec![Dim::AssumedSize(None)], |n| vec![Dim::Explicit(None, n)])
        }
        _ => vec![Dim::AssumedSize(None)],
    }
}

/// The shape of an argument that is no buffer: several, or one of them.
fn other_extents(name: &Name, actual: &Expr) -> Vec<Dim> {
    let several = name.starts_with("array_of")
        || matches!(name.as_str(), "status" | "displs" | "sdispls" | "rdispls" | "inbuf" | "outbuf")
        || name.ends_with("counts");
    let element = actual.as_var().is_some_and(is_element);
    let derived = actual.ty.derived().is_some();
    let array = actual.rank > 0 || several && element && !(derived && name.as_str() == "status");
    if array { vec![Dim::AssumedSize(None)] } else { Vec::new() }
}

fn intent(program: &Program, message: Option<&Message>, (name, actual): (&Name, &Expr), dims: &[Dim]) -> Intent {
    let whole = !dims.iter().any(|d| matches!(d, Dim::AssumedSize(_)));
    let fixed = actual.as_var().is_none_or(|d| program.var(d.sym).is_none_or(|v| v.attrs.parameter));
    if let Some(b) = message.and_then(|m| m.buffers.get(name)).filter(|_| !fixed) {
        return match b.role {
            Role::Sent => Intent::In,
            // Of objects travels what the datatype names.
            Role::Assigned if whole && actual.ty.derived().is_none() => Intent::Out,
            Role::Assigned | Role::Received | Role::Replaced => Intent::InOut,
        };
    }
    let changes = message.is_none_or(|m| m.changes.contains(name));
    let begins = message.is_some_and(|m| !matches!(m.traffic, Traffic::Starts | Traffic::Completes | Traffic::Frees));
    match name.as_str() {
        _ if fixed || !changes => Intent::In,
        "datatype" => Intent::InOut,
        _ if whole && message.is_some_and(|m| m.traffic == Traffic::Local) => Intent::Out,
        "ierror" | "flag" | "index" | "outcount" if whole => Intent::Out,
        "request" if whole && begins => Intent::Out,
        _ => Intent::InOut,
    }
}
