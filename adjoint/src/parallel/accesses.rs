//! What an iteration of a loop refers to.

mod held;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use costate_analysis::affine::difference;
use costate_analysis::dependence::wrapping::Values;
use costate_analysis::dependence::{Meeting, meeting};
use costate_analysis::sections::scene::Scene;
use costate_analysis::sections::{Range, Section, apart, swept};
use costate_analysis::storage::{symbols, through_pointer};
use costate_grammar::intrinsics::Class;
use costate_grammar::ir::{
    Arg, Callee, CaseRange, Designator, Expr, ExprKind, LoopControl, Origin, Part, Role, Stmt, StmtId, StmtKind,
    Subscript, SymId, Ty, for_each_expr,
};
use costate_grammar::lines::Sentinel;
use costate_grammar::operators::BinaryOp;

use super::calls::{Calls, on_tape};
use super::nests::in_headers;
use super::places::{in_one_part, up_to_common};
use super::references::{How, Increments, Passed, added};

/// A reference to a variable.
#[derive(Clone, Debug)]
pub(super) struct Access<'s> {
    /// The reference.
    pub(super) of: Cow<'s, Designator>,
    /// What is done with it.
    pub(super) how: How,
    /// The statement.
    pub(super) stmt: StmtId,
    /// The loops around it inside the loop, outermost first.
    pub(super) within: Vec<Range>,
    /// These loops.
    loops: Vec<StmtId>,
    /// The blocks of branches around it inside the loop, by statement and position, and loops without a count.
    path: Vec<(StmtId, usize)>,
    /// Only iterations do so in which the variable of this loop, by its position, has this value.
    pub(super) only: Option<(usize, &'s Expr)>,
    /// What the statement is for, for one that was made.
    pub(super) role: Option<Role>,
    /// A procedure does it.
    pub(super) by_call: bool,
    /// The statements of procedures that do nothing but to add to it, number by number.
    pub(super) adds: Option<Increments>,
    /// It stands under no condition, and in no loop that may have no iteration.
    pub(super) certain: bool,
}

impl Access<'_> {
    /// True where no branch is around it, and no loop without a count.
    pub(super) fn is_unconditional(&self) -> bool {
        self.path.is_empty()
    }
}

/// All that an iteration refers to.
pub(super) struct Accesses<'s, 'p> {
    pub(super) scene: &'s Scene<'p>,
    /// The variables of the loops whose iterations are shared out.
    pub(super) vars: Vec<SymId>,
    /// Their steps.
    pub(super) by: Vec<Expr>,
    /// The values of these variables.
    pub(super) ranges: Vec<Range>,
    /// In the order of the text.
    pub(super) list: Vec<Access<'s>>,
    /// The variables of the loops inside.
    pub(super) inner: BTreeSet<SymId>,
    /// Everything that an iteration assigns, these variables among them.
    pub(super) assigned: BTreeSet<SymId>,
    /// The loops inside that have a count.
    controls: BTreeMap<StmtId, (SymId, &'s LoopControl)>,
    /// The branches of which a block runs in any case, with how many they have.
    blocks: BTreeMap<StmtId, usize>,
    /// There is a loop inside.
    pub(super) loops: bool,
    /// The statements that hand values over to tapes.
    pushes: BTreeSet<StmtId>,
    /// There are tapes, in a procedure that is called maybe.
    pub(super) tapes: bool,
    known: &'s Calls<'s>,
    /// References that only ask for status or shape.
    asked: Vec<&'s Designator>,
    /// What gets memory, or is freed.
    pub(super) allocated: BTreeSet<SymId>,
    /// Variables of modules that called procedures use.
    pub(super) globals: BTreeSet<SymId>,
    /// Arrays of modules to which called procedures refer by their own names: they are everybody's there.
    pub(super) by_name: BTreeSet<SymId>,
}

/// Where the walk is.
#[derive(Clone)]
struct At<'s> {
    within: Vec<Range>,
    loops: Vec<StmtId>,
    path: Vec<(StmtId, usize)>,
    certain: bool,
    only: Option<(usize, &'s Expr)>,
    /// How many loops inside the loop are around it.
    depth: usize,
}

impl<'s, 'p> Accesses<'s, 'p> {
    /// Those of the body of loops over `vars`, or why it can't be told what they are.
    pub(super) fn of(
        scene: &'s Scene<'p>,
        nest: &[(SymId, &LoopControl)],
        body: &'s [Stmt],
        known: &'s Calls<'s>,
    ) -> Result<Accesses<'s, 'p>, String> {
        let mut out = Accesses {
            scene,
            vars: nest.iter().map(|l| l.0).collect(),
            by: nest.iter().map(|l| step_of(l.1)).collect(),
            ranges: nest.iter().map(|l| scene.range_of(l.1, body)).collect(),
            list: Vec::new(),
            inner: BTreeSet::new(),
            assigned: BTreeSet::new(),
            controls: BTreeMap::new(),
            blocks: BTreeMap::new(),
            loops: false,
            pushes: BTreeSet::new(),
            tapes: false,
            known,
            asked: Vec::new(),
            allocated: BTreeSet::new(),
            globals: BTreeSet::new(),
            by_name: BTreeSet::new(),
        };
        out.block(
            body,
            &At { within: Vec::new(), loops: Vec::new(), path: Vec::new(), certain: true, only: None, depth: 0 },
        )?;
        let written = out.list.iter().filter(|a| a.how != How::Read).map(|a| a.of.sym);
        out.assigned = written.chain(out.inner.iter().copied()).collect();
        out.narrow_ranges(nest);
        Ok(out)
    }

    /// Of calls more is known now than that they mention a limit, or might change it.
    fn narrow_ranges(&mut self, nest: &[(SymId, &LoopControl)]) {
        let (scene, assigned) = (self.scene, &self.assigned);
        let stays = |x: &SymId| !assigned.contains(x) && !scene.has_other_names(*x);
        let known = |var, control| {
            let limits = in_headers(&[(var, control)]);
            limits.iter().all(stays).then(|| scene.range_of(control, &[]).span)
        };
        for (k, (var, control)) in nest.iter().enumerate() {
            if let Some(span) = known(*var, control) {
                self.ranges[k].span = span;
            }
        }
        for (id, (var, control)) in &self.controls {
            let Some(span) = known(*var, control) else { continue };
            for a in &mut self.list {
                let inside = a.loops.iter().zip(&mut a.within).filter(|(l, _)| *l == id);
                inside.for_each(|(_, range)| range.span = span.clone());
            }
        }
    }

    fn block(&mut self, block: &'s [Stmt], at: &At<'s>) -> Result<(), String> {
        block.iter().try_for_each(|s| self.statement(s, at))
    }

    fn statement(&mut self, s: &'s Stmt, at: &At<'s>) -> Result<(), String> {
        let inside = |block: Option<usize>| {
            let mut inner = At { certain: false, ..at.clone() };
            inner.path.extend(block.map(|k| (s.id, k)));
            inner
        };
        match &s.kind {
            StmtKind::Assign { lhs, rhs } => self.assignment(s, lhs, rhs, at),
            StmtKind::If { arms, otherwise, .. } => {
                for arm in arms {
                    self.read(&arm.cond, s, at)?;
                }
                let blocks = arms.iter().map(|a| &a.body).chain(otherwise);
                self.blocks.extend(otherwise.iter().map(|_| (s.id, arms.len() + 1)));
                let only = arms.first().and_then(|a| self.one_iteration(&a.cond));
                blocks.enumerate().try_for_each(|(k, b)| {
                    let inner = inside(Some(k));
                    self.block(b, &At { only: inner.only.or(only.filter(|_| k == 0)), ..inner })
                })
            }
            StmtKind::Select { selector, arms, .. } => {
                self.read(selector, s, at)?;
                for e in arms.iter().flat_map(|a| &a.ranges).flat_map(CaseRange::exprs) {
                    self.read(e, s, at)?;
                }
                let other = arms.iter().any(|a| a.ranges.is_empty());
                self.blocks.extend(other.then_some((s.id, arms.len())));
                arms.iter().enumerate().try_for_each(|(k, a)| self.block(&a.body, &inside(Some(k))))
            }
            StmtKind::Do { control, body, .. } => {
                for e in s.exprs() {
                    self.read(e, s, at)?;
                }
                self.loops = true;
                let counted = matches!(control, LoopControl::Count { .. });
                let mut inside = At { depth: at.depth + 1, ..inside((!counted).then_some(0)) };
                inside.loops.push(s.id);
                match control {
                    LoopControl::Count { var, .. } => {
                        self.inner.insert(*var);
                        self.controls.insert(s.id, (*var, control));
                        inside.within.push(self.scene.range_of(control, body));
                    }
                    LoopControl::While(_) | LoopControl::Forever => inside.within.push(Range::default()),
                    LoopControl::Concurrent { .. } => return Err("a do concurrent loop stands in it".into()),
                }
                self.block(body, &inside)
            }
            StmtKind::Exit(None) | StmtKind::Cycle(None) if at.depth > 0 => Ok(()),
            StmtKind::Continue | StmtKind::Comment(_) => Ok(()),
            StmtKind::Directive { directive, body: None, .. } if directive.sentinel == Sentinel::Ad => Ok(()),
            StmtKind::Stop { .. } => s.exprs().into_iter().try_for_each(|e| self.read(e, s, at)),
            StmtKind::Call { callee, args } => self.call(callee, args, s, at),
            StmtKind::Allocate { items, options, .. } if options.is_empty() => {
                for item in items {
                    let Some(d) = item.object.as_var() else { return Err("memory is allocated in it".into()) };
                    self.allocated.insert(d.sym);
                    let bounds = item.shape.iter().flat_map(|(lo, hi)| lo.iter().chain([hi]));
                    bounds.into_iter().try_for_each(|e| self.read(e, s, at))?;
                }
                Ok(())
            }
            StmtKind::Deallocate { items, options } if options.is_empty() => {
                self.allocated.extend(items.iter().filter_map(Expr::as_var).map(|d| d.sym));
                Ok(())
            }
            StmtKind::Io { .. } => Err("there is input or output in it".into()),
            _ => Err("there is a statement in it that isn't followed here".into()),
        }
    }

    /// The value that the variable of one of the loops has where a condition holds, and which loop that is.
    fn one_iteration(&self, cond: &'s Expr) -> Option<(usize, &'s Expr)> {
        let ExprKind::Binary(BinaryOp::Eq, a, b) = &cond.kind else { return None };
        let which = |e: &Expr| {
            let d = e.as_var().filter(|d| d.parts.is_empty())?;
            self.vars.iter().position(|v| *v == d.sym)
        };
        match (which(a), which(b)) {
            (Some(k), None) => Some((k, b)),
            (None, Some(k)) => Some((k, a)),
            _ => None,
        }
    }

    /// True where a value is the same in all iterations.
    pub(super) fn is_steady(&self, e: &Expr) -> bool {
        !symbols(e).iter().any(|x| self.assigned.contains(x) || self.vars.contains(x))
    }

    /// True when only one iteration refers to a variable.
    pub(super) fn in_one_iteration(&self, sym: SymId) -> bool {
        let mut all = self.to(sym).map(|a| a.only);
        let Some(Some(first)) = all.next() else { return false };
        self.vars.len() == 1 && all.all(|o| o == Some(first)) && self.is_steady(first.1)
    }

    fn assignment(&mut self, s: &'s Stmt, lhs: &'s Expr, rhs: &'s Expr, at: &At<'s>) -> Result<(), String> {
        let Some(d) = lhs.as_var() else { return Err("it assigns what is no variable".into()) };
        let amounts = added(lhs, rhs);
        match &amounts {
            Some(list) => list.iter().try_for_each(|e| self.read(e, s, at))?,
            None => self.read(rhs, s, at)?,
        }
        lhs.children().into_iter().try_for_each(|e| self.read(e, s, at))?;
        let how = if amounts.is_some() { How::Added } else { How::Assigned };
        self.add(Cow::Borrowed(d), how, s, at, false);
        Ok(())
    }

    fn read(&mut self, e: &'s Expr, s: &Stmt, at: &At<'s>) -> Result<(), String> {
        let mut refused = None;
        for_each_expr(e, &mut |x| match &x.kind {
            ExprKind::Var(d) => self.add(Cow::Borrowed(d), How::Read, s, at, false),
            // Whether something has memory is asked before it gets some.
            ExprKind::Call { callee: Callee::Intrinsic(f), args } => {
                if f.class() == Class::Inquiry {
                    self.asked.extend(args.iter().filter_map(|a| a.value.as_var()));
                }
                if !matches!(f.class(), Class::Elemental | Class::Inquiry | Class::Transformational) {
                    refused = Some("an intrinsic procedure in it may do something beside giving a value".to_string());
                }
            }
            ExprKind::Call { callee, args } => {
                let found = self.call(callee, args, s, at);
                refused = refused.take().or(found.err());
            }
            ExprKind::Opaque(_) => refused = Some("an expression in it isn't understood".to_string()),
            _ => {}
        });
        refused.map_or(Ok(()), Err)
    }

    fn add(&mut self, of: Cow<'s, Designator>, how: How, s: &Stmt, at: &At<'s>, by_call: bool) {
        let role = match s.origin {
            Origin::Derived { role, .. } => Some(role),
            Origin::Source(_) => None,
        };
        let At { within, loops, path, only, certain, .. } = at.clone();
        self.list.push(Access { of, how, stmt: s.id, within, loops, path, only, role, by_call, adds: None, certain });
    }

    /// The same for what a procedure does that is called.
    fn add_by_call(&mut self, of: Cow<'s, Designator>, (how, adds): (How, Option<Increments>), s: &Stmt, at: &At<'s>) {
        self.add(of, how, s, at, true);
        self.list.last_mut().into_iter().for_each(|a| a.adds = adds.clone());
    }

    fn call(&mut self, callee: &'s Callee, args: &'s [Arg], s: &Stmt, at: &At<'s>) -> Result<(), String> {
        let program = self.scene.program;
        self.pushes.extend((on_tape(program, callee) == Some("costate_push")).then_some(s.id));
        let Some((effect, list)) = self.known.arguments(program, callee, args) else {
            return Err("a procedure that is called in it may do more than to compute with its arguments".into());
        };
        self.globals.extend(effect.reads.iter().copied());
        self.tapes |= effect.tapes;
        for global in self.known.globals(program, callee, args) {
            self.by_name.insert(global.of.sym);
            self.add_by_call(Cow::Owned(global.of), (global.how, global.adds), s, at);
        }
        for mut passed in list {
            let adds = passed.adds.take();
            let Passed { how, value: e, rank, .. } = passed;
            match (e.as_var(), passed.known()) {
                (Some(_), Some(list)) => {
                    e.children().into_iter().try_for_each(|e| self.read(e, s, at))?;
                    list.into_iter().for_each(|d| self.add_by_call(Cow::Owned(d), (how, adds.clone()), s, at));
                }
                (Some(_), None) if rank > 0 && e.rank == 0 => {
                    return Err("an element stands for an array in a call".into());
                }
                (Some(d), None) if how != How::Read => {
                    self.add_by_call(Cow::Borrowed(d), (how, adds), s, at);
                    e.children().into_iter().try_for_each(|e| self.read(e, s, at))?;
                }
                _ => self.read(e, s, at)?,
            }
        }
        Ok(())
    }

    /// The references to a variable.
    pub(super) fn to(&self, sym: SymId) -> impl Iterator<Item = &Access<'s>> {
        self.list.iter().filter(move |a| a.of.sym == sym)
    }

    /// True when what is assigned by one reference is nothing to another iteration's other reference to the same variable.
    pub(super) fn apart(&self, a: &Access<'_>, b: &Access<'_>) -> bool {
        (0..self.vars.len()).all(|k| self.met(a, b, k).in_one_iteration())
    }

    /// True when no iteration refers by one reference to an element to which it, or another one, refers by the other.
    pub(super) fn never_meet(&self, a: &Access<'_>, b: &Access<'_>) -> bool {
        let Some((x, y)) = up_to_common(&a.of, &b.of) else { return false };
        if self.leads_away(a, b) {
            return false;
        }
        if x.path != y.path {
            return true;
        }
        (0..self.vars.len()).any(|k| {
            let moving = self.moving(k);
            meeting(&x.of, &y.of, self.vars[k], &moving) == Meeting::Never || self.sections_apart(a, b, k, &moving)
        })
    }

    /// True when one reference comes behind the other one in the text, and no loop inside the iteration brings the other one
    /// again.
    pub(super) fn follows(&self, a: &Access<'_>, b: &Access<'_>) -> bool {
        let at = |x: &Access<'_>| self.list.iter().position(|y| std::ptr::eq(x, y));
        at(b) < at(a) && !a.loops.iter().any(|l| b.loops.contains(l))
    }

    /// The step of one of the loops, if it is a number.
    pub(super) fn step(&self, k: usize) -> Option<i64> {
        self.by[k].as_int().filter(|s| *s != 0)
    }

    /// What has other values in other iterations of the loops beside one of them.
    pub(super) fn moving(&self, k: usize) -> BTreeSet<SymId> {
        let others = self.vars.iter().filter(|v| **v != self.vars[k]);
        self.assigned.iter().chain(others).copied().collect()
    }

    /// Where iterations of one of the loops meet, whatever those of the others are.
    pub(super) fn met(&self, a: &Access<'_>, b: &Access<'_>, k: usize) -> Meeting {
        let Some((x, y)) = up_to_common(&a.of, &b.of) else { return Meeting::Anywhere };
        if self.leads_away(a, b) {
            return Meeting::Anywhere;
        }
        if x.path != y.path {
            return Meeting::Never;
        }
        // Both are in one iteration, the same one.
        if a.only.is_some_and(|(at, e)| at == k && self.is_steady(e)) && a.only == b.only {
            return Meeting::At(0);
        }
        let moving = self.moving(k);
        match meeting(&x.of, &y.of, self.vars[k], &moving) {
            Meeting::At(by) if self.step(k).is_some_and(|s| by % s != 0) => Meeting::Never,
            met if met.in_one_iteration() => met,
            _ if self.sections_apart(a, b, k, &moving) || self.has_segments(a, b, k, &moving) => Meeting::Never,
            Meeting::Anywhere if x.of == y.of && self.wraps(&x.of, k, &moving) => Meeting::At(0),
            met => met,
        }
    }

    /// True for a reference to another element in each iteration of a loop, by a subscript that wraps around, say.
    fn wraps(&self, d: &Designator, k: usize, moving: &BTreeSet<SymId>) -> bool {
        self.by_subscript(d, k, moving, &|values, e| values.are_told_apart_by(e).then_some(())).is_some()
    }

    /// The one of the loops, in steps of one, in which iterations by which a reference meets itself are a few at the ends, with how
    /// many are to be left out there, so that the rest refer to other elements each.
    pub(super) fn meets_at_ends(&self, a: &Access<'_>) -> Option<(usize, [i64; 2])> {
        let mut meeting = (0..self.vars.len()).filter(|k| !self.met(a, a, *k).in_one_iteration());
        let (k, None) = (meeting.next()?, meeting.next()) else { return None };
        if self.step(k).is_none_or(|step| step.abs() != 1) {
            return None;
        }
        let apart = |values: &Values<'_>, e: &Expr| values.are_told_apart_but_at_ends(e);
        let ends = self.by_subscript(&a.of, k, &self.moving(k), &apart)?;
        (!self.leads_away(a, a)).then_some((k, ends))
    }

    /// What is found for one of the subscripts of a reference, given the values of a loop's variable.
    fn by_subscript<T>(
        &self,
        d: &Designator,
        k: usize,
        moving: &BTreeSet<SymId>,
        f: &dyn Fn(&Values<'_>, &Expr) -> Option<T>,
    ) -> Option<T> {
        let numbers = |e: &Expr| self.scene.with_constants(e.clone());
        let span = &self.ranges[k].span;
        let (least, greatest): (Vec<Expr>, Vec<Expr>) =
            (span.first().map(numbers).collect(), span.last().map(numbers).collect());
        let greatest: Vec<Option<&Expr>> = greatest.iter().map(Some).chain([None]).collect();
        let of = |e: &Expr| {
            let e = numbers(e);
            least
                .iter()
                .flat_map(|l| greatest.iter().map(move |g| (l, *g)))
                .find_map(|(least, greatest)| f(&Values { var: self.vars[k], least, greatest, step: self.step(k) }, &e))
        };
        let steady = |e: &Expr| !symbols(e).iter().any(|x| moving.contains(x));
        d.subscripts().filter(|_| d.parts.len() == 1).find_map(|s| match s {
            Subscript::Index(e) if steady(e) => of(e),
            _ => None,
        })
    }

    /// True for two references that stand for different elements in one iteration.
    pub(super) fn differ(&self, a: &Access<'_>, b: &Access<'_>) -> bool {
        let (Some(x), Some(y)) = (in_one_part(&a.of), in_one_part(&b.of)) else { return false };
        let ([Part::Subscripts(p)], [Part::Subscripts(q)]) = (x.of.parts.as_slice(), y.of.parts.as_slice()) else {
            return self.never_meet(a, b);
        };
        let apart = |i: &Subscript, j: &Subscript| match (i, j) {
            (Subscript::Index(i), Subscript::Index(j)) => difference(i, j).is_some_and(|d| d != 0),
            _ => false,
        };
        x.path == y.path && p.iter().zip(q).any(|(i, j)| apart(i, j)) || self.never_meet(a, b)
    }

    /// Pointers in several objects may lead to the same memory, and so may several of one object; to what is no target none
    /// does.
    pub(super) fn leads_away(&self, a: &Access<'_>, b: &Access<'_>) -> bool {
        let program = self.scene.program;
        let by_pointer = |x: &Access<'_>| x.of.parts.len() > 1 && through_pointer(program, &x.of);
        let one_pointer = || match (a.of.parts.as_slice(), b.of.parts.as_slice()) {
            ([own @ .., Part::Subscripts(_)], [other @ .., Part::Subscripts(_)]) => {
                own == other && own.iter().all(|p| matches!(p, Part::Component(_)))
            }
            _ => false,
        };
        match (by_pointer(a), by_pointer(b)) {
            (false, false) => false,
            (true, true) => !one_pointer(),
            _ => program.var(a.of.sym).is_none_or(|v| v.attrs.target || v.attrs.pointer),
        }
    }

    /// True for a reference to the same element in all iterations.
    pub(super) fn stands_still(&self, a: &Access<'_>) -> bool {
        let e = Expr::new(ExprKind::Var(a.of.clone().into_owned()), Ty::INTEGER, 0);
        e.children().into_iter().all(|i| self.is_steady(i))
    }

    fn sections_apart(&self, a: &Access<'_>, b: &Access<'_>, k: usize, moving: &BTreeSet<SymId>) -> bool {
        let var = self.vars[k];
        let section = |r: &Access<'_>| -> Option<Section> {
            let whole = swept(&self.of_iteration(r, &r.of)?, &self.ranges[k], &|_| false);
            Some(swept(&whole, &Range::default(), &|s| s == var || moving.contains(&s)))
        };
        matches!((section(a), section(b)), (Some(x), Some(y)) if apart(&x, &y))
    }
}

/// The step of a loop.
fn step_of(control: &LoopControl) -> Expr {
    match control {
        LoopControl::Count { step: Some(s), .. } => s.clone(),
        _ => Expr::int(1),
    }
}
