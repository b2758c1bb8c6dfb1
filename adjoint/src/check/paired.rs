//! Saves and restores: each value that is saved is used again, and what is popped from a tape is what was pushed, in the
//! opposite order.
//!
//! For tapes statements are summed up to what they push and pop. A loop pushes or pops the same in each iteration and a
//! branch what one of its blocks does; a construct that does both, as the loop over a schedule's actions, isn't followed.

use std::collections::BTreeSet;

use costate_grammar::check::Finding;
use costate_grammar::ir::{
    Callee, Expr, LoopControl, Origin, ProcId, Program, Role, Stmt, StmtKind, SymId, for_each_stmt,
};
use costate_grammar::print;
use costate_grammar::source::Span;

use super::uses;

/// Saves without restores, and pops that don't match pushes.
pub(super) fn unpaired(program: &Program, p: ProcId) -> Vec<Finding> {
    let mut out = unread(program, p);
    for tape in tapes(program, p) {
        let mut pairs = Pairs { program, tape, out: Vec::new() };
        if let Some(left) = pairs.block(&program[p].body) {
            left.pushes.iter().for_each(|e| pairs.wrong(e, "is pushed and never popped"));
            left.pops.iter().for_each(|e| pairs.wrong(e, "is popped and was never pushed"));
        }
        out.extend(pairs.out);
    }
    out
}

/// Variables that values are saved in and that nothing uses. Those of loops hold the number of an iteration that stands behind
/// its loop, which may not use it.
fn unread(program: &Program, p: ProcId) -> Vec<Finding> {
    let scope = program[p].scope;
    let (mut saved, mut read, mut of_loops) = (Vec::new(), BTreeSet::new(), BTreeSet::new());
    for_each_stmt(&program[p].body, &mut |s| {
        let uses = uses::of(program, s);
        read.extend(uses.reads);
        if let StmtKind::Do { control: LoopControl::Count { var, .. }, .. } = &s.kind {
            of_loops.insert(*var);
        }
        read.extend(uses.passed.into_iter().filter(|_| transfer(program, s).is_none_or(|(pushes, ..)| pushes)));
        if let (StmtKind::Assign { lhs, .. }, Origin::Derived { role: Role::Save, span, .. }) = (&s.kind, &s.origin) {
            saved.extend(lhs.as_var().map(|d| (d.sym, *span)));
        }
    });
    let local = |s: SymId| program[s].scope == scope && program.var(s).is_some_and(|v| v.dummy.is_none());
    let unused = saved.into_iter().filter(|(s, _)| local(*s) && !read.contains(s) && !of_loops.contains(s));
    let finding = |(s, span): (SymId, Span)| Finding {
        span,
        what: format!("a value is saved in `{}` and never restored", program[s].name),
    };
    unused.map(finding).collect()
}

/// The tapes that only this procedure uses.
fn tapes(program: &Program, p: ProcId) -> BTreeSet<SymId> {
    let scope = program[p].scope;
    let mut out = BTreeSet::new();
    for_each_stmt(&program[p].body, &mut |s| {
        if let Some((_, tape, _)) = transfer(program, s)
            && program[tape].scope == scope
            && program.var(tape).is_some_and(|v| v.dummy.is_none())
        {
            out.insert(tape);
        }
    });
    out
}

/// For a push or pop: whether it pushes, the tape, and what it moves.
fn transfer<'a>(program: &Program, s: &'a Stmt) -> Option<(bool, SymId, &'a Expr)> {
    let StmtKind::Call { callee: Callee::Proc { sym, .. }, args } = &s.kind else { return None };
    let pushes = match program[*sym].name.as_str() {
        "costate_push" => true,
        "costate_pop" => false,
        _ => return None,
    };
    let [tape, value] = args.as_slice() else { return None };
    let tape = tape.value.as_var()?;
    Some((pushes, tape.sym, &value.value))
}

/// Something that is pushed or popped as one.
#[derive(Clone, Debug)]
enum Entry<'a> {
    Value(&'a Expr, Span),
    Repeated(Vec<Entry<'a>>),
    OneOf(Vec<Vec<Entry<'a>>>),
}

/// What statements do to a tape: pops of what was there before, then pushes.
#[derive(Default)]
struct Effect<'a> {
    pops: Vec<Entry<'a>>,
    pushes: Vec<Entry<'a>>,
}

struct Pairs<'p> {
    program: &'p Program,
    tape: SymId,
    out: Vec<Finding>,
}

impl<'p> Pairs<'p> {
    fn wrong(&mut self, e: &Entry<'_>, what: &str) {
        match e {
            Entry::Value(e, span) => {
                let what = format!("`{}` {what}", print::expr(self.program, e));
                self.out.push(Finding { span: *span, what });
            }
            Entry::Repeated(list) => list.iter().for_each(|e| self.wrong(e, what)),
            Entry::OneOf(lists) => lists.iter().flatten().for_each(|e| self.wrong(e, what)),
        }
    }

    /// The effect of a block; `None` where it can't be told.
    fn block(&mut self, block: &'p [Stmt]) -> Option<Effect<'p>> {
        let mut out = Effect::default();
        for s in block {
            let own = self.stmt(s)?;
            for pop in own.pops {
                if matches!(pop, Entry::Repeated(_)) && out.pushes.last().is_some_and(|push| !reverses(push, &pop)) {
                    absorb_last_iteration(&mut out.pushes);
                }
                match out.pushes.pop() {
                    None => out.pops.push(pop),
                    Some(push) if reverses(&push, &pop) => {}
                    Some(_) => self.wrong(&pop, "is popped where another value lies on the tape"),
                }
            }
            out.pushes.extend(own.pushes);
        }
        Some(out)
    }

    fn stmt(&mut self, s: &'p Stmt) -> Option<Effect<'p>> {
        if let Some((pushes, tape, e)) = transfer(self.program, s) {
            let entry = vec![Entry::Value(e, s.origin.span())];
            return Some(match (tape == self.tape, pushes) {
                (false, _) => Effect::default(),
                (true, true) => Effect { pops: Vec::new(), pushes: entry },
                (true, false) => Effect { pops: entry, pushes: Vec::new() },
            });
        }
        if let (true, [body]) = (runs_once(s), s.blocks().as_slice()) {
            return self.block(body);
        }
        let mut effects = Vec::new();
        for b in s.blocks() {
            effects.push(self.block(b)?);
        }
        let (pops, pushes): (Vec<_>, Vec<_>) = effects.into_iter().map(|e| (e.pops, e.pushes)).unzip();
        match (pops.iter().all(Vec::is_empty), pushes.iter().all(Vec::is_empty)) {
            (true, true) => Some(Effect::default()),
            (true, false) => Some(Effect { pops: Vec::new(), pushes: vec![grouped(s, pushes)] }),
            (false, true) => Some(Effect { pops: vec![grouped(s, pops)], pushes: Vec::new() }),
            (false, false) => None,
        }
    }
}

/// True for a construct whose statements stand in it for other reasons than to run several times, or not at all.
fn runs_once(s: &Stmt) -> bool {
    matches!(s.kind, StmtKind::Directive { .. } | StmtKind::BlockScope { .. } | StmtKind::Associate { .. })
}

/// What is pushed once more behind a loop that pushes it in each iteration is one of its iterations, which stands apart.
fn absorb_last_iteration(pushes: &mut Vec<Entry<'_>>) {
    let Some(at) = pushes.iter().rposition(|e| matches!(e, Entry::Repeated(_))) else { return };
    let (Entry::Repeated(each), rest) = (&pushes[at], &pushes[at + 1..]) else { return };
    if all_alike(each, rest, Order::Same) {
        pushes.truncate(at + 1);
    }
}

/// What a construct does as one.
fn grouped<'a>(s: &Stmt, mut lists: Vec<Vec<Entry<'a>>>) -> Entry<'a> {
    match s.kind {
        StmtKind::Do { .. } => Entry::Repeated(lists.pop().unwrap_or_default()),
        _ => {
            lists.retain(|l| !l.is_empty());
            Entry::OneOf(lists)
        }
    }
}

/// True when a pop takes what a push has left.
fn reverses(push: &Entry<'_>, pop: &Entry<'_>) -> bool {
    alike(push, pop, Order::Opposite)
}

/// How the entries of two lists follow each other.
#[derive(Clone, Copy)]
enum Order {
    Same,
    Opposite,
}

/// True when two entries are the same values in an order.
fn alike(a: &Entry<'_>, b: &Entry<'_>, order: Order) -> bool {
    match (a, b) {
        (Entry::Value(a, _), Entry::Value(b, _)) => a == b,
        (Entry::Repeated(a), Entry::Repeated(b)) => all_alike(innermost(a), innermost(b), order),
        (Entry::OneOf(a), Entry::OneOf(b)) => {
            // The default of a selection stands anywhere in it in the program, and last or with a number in the backward sweep.
            let mut left: Vec<_> = b.iter().collect();
            let mut meets = |a: &Vec<Entry<'_>>| {
                let at = left.iter().position(|b| all_alike(a, b, order));
                at.map(|k| left.remove(k)).is_some()
            };
            a.len() == b.len() && a.iter().all(&mut meets)
        }
        (Entry::Value(..) | Entry::Repeated(_) | Entry::OneOf(_), _) => false,
    }
}

/// What loops in each other repeat: a loop may run in blocks in one sweep, which makes two of it.
fn innermost<'e, 'a>(list: &'e [Entry<'a>]) -> &'e [Entry<'a>] {
    match list {
        [Entry::Repeated(inside)] => innermost(inside),
        _ => list,
    }
}

/// The same of lists.
fn all_alike(a: &[Entry<'_>], b: &[Entry<'_>], order: Order) -> bool {
    let alike = |(a, b)| alike(a, b, order);
    a.len() == b.len()
        && match order {
            Order::Same => a.iter().zip(b).all(alike),
            Order::Opposite => a.iter().zip(b.iter().rev()).all(alike),
        }
}
