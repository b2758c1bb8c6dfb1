//! Loops that make tasks. Tasks of which each iteration makes one run beside each other as the iterations of a shared loop do;
//! what the thread that makes them computes for them stands in a loop in front and is kept for each of them.

use std::collections::BTreeSet;

use costate_grammar::directives::{Clause, ClauseKind, Directive, OmpConstruct};
use costate_grammar::ir::{
    Block, Expr, Governing, LoopControl, LoopDirective, Program, Stmt, StmtKind, SymId, for_each_stmt,
};

use super::super::context::Cx;
use super::super::subst::{self, Map};
use super::asked::Team;
use super::kept::Kept;
use super::private::{copies_unnamed, may_change, named_otherwise};
use super::{for_each_mut, proved};
use crate::sections::scene::calls;
use crate::storage::symbols;

/// The task that is all that a loop's iterations make, and the variables that it names. The loop's own one belongs to the
/// thread that makes them.
pub(super) fn only_task(stmt: &Stmt) -> Option<(Directive, Vec<SymId>)> {
    let StmtKind::Do { body, control, .. } = &stmt.kind else { return None };
    let counts = |x: &SymId| matches!(control, LoopControl::Count { var, .. } if var == x);
    let (directive, names, _) = said(body).and_then(task)?;
    Some((directive.clone(), names.iter().copied().filter(|x| !counts(x)).collect()))
}

/// A loop that makes tasks, in parts: what comes before and behind, the loop of the thread that makes them, and one for each
/// task of an iteration, with its directive.
pub(super) struct Made {
    pub(super) around: (Block, Block),
    pub(super) maker: Stmt,
    pub(super) tasks: Vec<(Stmt, LoopDirective)>,
}

/// Takes the tasks out of a loop whose iterations compute scalars besides, of which tasks get copies. `None` where more than
/// that is done, or where the thread that makes a task may wait for it.
pub(super) fn taken_out(cx: &mut Cx, stmt: &Stmt, team: &Team) -> Option<Made> {
    let StmtKind::Do { body, control, .. } = &stmt.kind else { return None };
    let LoopControl::Count { var, lo, hi, step } = control else { return None };
    let up = step.as_ref().map_or(Some(1), Expr::as_int).filter(|s| *s != 0)? > 0;
    let ends = if up { (lo.clone(), hi.clone()) } else { (hi.clone(), lo.clone()) };
    let (found, own): (Vec<&Stmt>, Vec<&Stmt>) = body.iter().filter(|s| says(s)).partition(|s| task(s).is_some());
    if found.is_empty() || own.is_empty() || !own.iter().all(|s| computes_scalars(cx.program, s)) {
        return None;
    }
    let computed: BTreeSet<SymId> = own.iter().flat_map(|s| may_change(std::slice::from_ref(*s))).collect();
    let mut used = BTreeSet::new();
    for s in own {
        for_each_stmt(std::slice::from_ref(s), &mut |x| used.extend(x.exprs().into_iter().flat_map(symbols)));
    }
    let moved: BTreeSet<SymId> = [lo, hi].into_iter().chain(step).flat_map(symbols).chain([*var]).collect();
    if !computed.is_disjoint(&moved) {
        return None;
    }
    let copied: Vec<Vec<SymId>> =
        found.iter().map(|s| copies(cx.program, s, team, (&computed, &used))).collect::<Option<_>>()?;
    cx.at(stmt);
    let mut made = Made { around: (Block::new(), Block::new()), maker: stmt.clone(), tasks: Vec::new() };
    let mut keeping: Vec<Block> = Vec::new();
    for (s, copied) in found.into_iter().zip(copied) {
        let mut loop_of_tasks = Task::of(s)?;
        let mut keep = Block::new();
        for sym in copied {
            keep.push(loop_of_tasks.copy(cx, sym, (*var, &ends), &mut made.around)?);
        }
        keeping.push(keep);
        let Task { directive, begin, mut body } = loop_of_tasks;
        body.splice(0..0, begin);
        made.tasks.push((Stmt::new(stmt.id, StmtKind::repeat(control.clone(), body), stmt.origin), directive));
    }
    let mut keeping = keeping.into_iter();
    let maker =
        body.iter().flat_map(|s| if task(s).is_some() { keeping.next().unwrap_or_default() } else { vec![s.clone()] });
    made.maker.kind = StmtKind::repeat(control.clone(), maker.collect());
    Some(made)
}

/// The only statement of a block that isn't text alone.
pub(super) fn said(block: &[Stmt]) -> Option<&Stmt> {
    let mut all = block.iter().filter(|s| says(s));
    all.next().filter(|_| all.next().is_none())
}

/// False for what is only text.
fn says(s: &Stmt) -> bool {
    !matches!(s.kind, StmtKind::Comment(_) | StmtKind::Continue)
}

fn task(s: &Stmt) -> Option<(&Directive, &[SymId], &Block)> {
    match &s.kind {
        StmtKind::Directive { directive, body: Some(body), names } if directive.omp() == Some(&OmpConstruct::Task) => {
            Some((directive, names, body))
        }
        _ => None,
    }
}

/// True for assignments to scalars, conditional ones too, that call nothing.
fn computes_scalars(program: &Program, s: &Stmt) -> bool {
    let mut out = true;
    for_each_stmt(std::slice::from_ref(s), &mut |x| {
        out &= !calls(x)
            && match &x.kind {
                StmtKind::Assign { lhs, .. } => {
                    let plain = |v: SymId| program.var(v).is_some_and(|v| !v.attrs.pointer && !v.attrs.allocatable);
                    lhs.rank == 0 && lhs.as_var().is_some_and(|d| d.parts.is_empty() && plain(d.sym))
                }
                StmtKind::If { .. } | StmtKind::Comment(_) | StmtKind::Continue => true,
                _ => false,
            };
    });
    out
}

/// The computed variables of which a task gets copies; `None` where it uses others of these, changes what is computed with, may
/// run at once, or waits for others.
fn copies(
    program: &Program,
    s: &Stmt,
    team: &Team,
    (computed, used): (&BTreeSet<SymId>, &BTreeSet<SymId>),
) -> Option<Vec<SymId>> {
    let (directive, names, body) = task(s)?;
    // One that depends on others waits for them, and the order of several isn't that of their loops.
    let in_order =
        |c: &Clause| ["if", "final", "detach", "depend"].iter().any(|word| c.text.trim_start().starts_with(word));
    if directive.clauses.iter().any(in_order) {
        return None;
    }
    let d = Governing { directive, names };
    let listed = d.first_private(program);
    let otherwise = named_otherwise(program, &d);
    let private = d.private(program);
    let unnamed = |v: SymId| copies_unnamed(&d) && !otherwise.contains(&v) && team.is_of_one_thread(program, v);
    let is_copied = |v: SymId| listed.contains(&v) || unnamed(v);
    let mut mentioned = BTreeSet::new();
    for_each_stmt(body, &mut |x| mentioned.extend(x.exprs().into_iter().flat_map(symbols)));
    let changed = may_change(body);
    mentioned.extend(&changed);
    let of_task = |v: SymId| private.contains(&v) || is_copied(v);
    if changed.iter().any(|v| used.contains(v) && !of_task(*v)) {
        return None;
    }
    let shared: Vec<SymId> = mentioned.into_iter().filter(|v| computed.contains(v) && !private.contains(v)).collect();
    shared.iter().all(|v| is_copied(*v)).then_some(shared)
}

/// A loop of tasks that is being made.
struct Task {
    directive: LoopDirective,
    begin: Block,
    body: Block,
}

impl Task {
    fn of(s: &Stmt) -> Option<Task> {
        let (directive, names, body) = task(s)?;
        let directive = LoopDirective { names: names.to_vec(), ..LoopDirective::new(directive.clone(), s.origin) };
        Some(Task { directive, begin: Block::new(), body: body.clone() })
    }

    /// Lets a task begin with its copy of a variable; returns what keeps the value.
    fn copy(
        &mut self,
        cx: &mut Cx,
        sym: SymId,
        (var, ends): (SymId, &(Expr, Expr)),
        around: &mut (Block, Block),
    ) -> Option<Stmt> {
        let like = Expr::var(sym, cx.program.var(sym)?.ty, 0);
        let name = cx.program[sym].name.as_str().to_string();
        let own = cx.scalar(&name, like.ty, &like);
        let own_sym = own.as_var()?.sym;
        let mut kept = Kept::new(cx, &name, &like, ends);
        around.0.append(&mut kept.before);
        around.1.append(&mut kept.after);
        let map = Map::from([(sym, own.clone())]);
        subst::block(cx, &map, &mut self.body);
        for_each_mut(&mut self.body, &mut |s| proved::substitute(cx.program, &map, s));
        self.begin.push(cx.assign(own, kept.of(cx, var)));
        let own_name = cx.program[own_sym].name.as_str().to_string();
        let clauses = &mut self.directive.directive.clauses;
        for c in clauses.iter_mut() {
            if let ClauseKind::FirstPrivate(list) = &mut c.kind {
                list.retain(|item| !item.eq_ignore_ascii_case(&name));
            }
        }
        clauses.push(Clause { text: format!("private({own_name})"), kind: ClauseKind::Private(vec![own_name]) });
        self.directive.names.push(own_sym);
        Some(cx.assign(kept.of(cx, var), like))
    }
}
