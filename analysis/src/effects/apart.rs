//! Which pointers surely point to different memory where a procedure is called: a flow-sensitive analysis of pairs.
//!
//! What a pointer may point to at any time doesn't tell two buffers apart that are swapped at every step. So the state of
//! this analysis holds, beside what each pointer may point to at a point of the program, the pairs of pointers whose
//! memory may meet there (may-alias pairs, Landi and Ryder 1992). Calls are followed with the state that they start with.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use costate_grammar::ir::{Arg, Callee, Designator, Expr, Part, ProcId, Program, Stmt, StmtId, StmtKind, Subscript};

use super::{CallMap, Effects, bind, calls, functions, outlives, target, within};
use crate::dataflow::engine::{Direction, Problem, solve};
use crate::dataflow::graph::{Edge, Node, Place, of_body};
use crate::storage::{Loc, LocId, LocSet, Overlap, Root, overlap, pointer_paths, resolve};

/// States that a procedure is followed from.
const CONTEXTS: usize = 16;

/// Memory that a pointer may point to.
#[derive(Clone, Debug, PartialEq)]
struct Object {
    loc: Loc,
    /// The part of a variable that it is, where constants pick it.
    part: Option<Vec<Part>>,
}

impl Object {
    fn meets(&self, program: &Program, other: &Object) -> bool {
        let (a, b) = (&self.loc, &other.loc);
        let same = a.sym == b.sym && a.root == b.root && a.path.iter().zip(&b.path).all(|(x, y)| x == y);
        let (Some(p), Some(q)) = (&self.part, &other.part) else { return same };
        let designator = |parts: &[Part]| Designator { sym: a.sym, parts: parts.to_vec() };
        same && overlap(program, &designator(p), &designator(q)) != Overlap::Apart
    }
}

fn meet(program: &Program, a: &[Object], b: &[Object]) -> bool {
    a.iter().any(|x| b.iter().any(|y| x.meets(program, y)))
}

/// What is known at a point of the program. Of a pointer that isn't mentioned, nothing but what holds at any time.
#[derive(Clone, Debug, Default, PartialEq)]
struct State {
    /// What pointers may point to.
    objects: BTreeMap<LocId, Vec<Object>>,
    /// Pairs of them that may point to the same memory.
    pairs: BTreeSet<(LocId, LocId)>,
}

fn pair(a: LocId, b: LocId) -> (LocId, LocId) {
    if a < b { (a, b) } else { (b, a) }
}

impl State {
    fn forget(&mut self, cell: LocId) {
        self.objects.remove(&cell);
        self.pairs.retain(|(a, b)| *a != cell && *b != cell);
    }

    /// Of two ways to a point, what holds on both; true when that is less than before.
    fn join(&mut self, other: &State) -> bool {
        let mut changed = false;
        for cell in self.objects.keys().copied().collect::<Vec<_>>() {
            match other.objects.get(&cell) {
                None => {
                    self.forget(cell);
                    changed = true;
                }
                Some(list) => {
                    let own = self.objects.entry(cell).or_default();
                    let new: Vec<Object> = list.iter().filter(|o| !own.contains(o)).cloned().collect();
                    changed |= !new.is_empty();
                    own.extend(new);
                }
            }
        }
        let known = |c: &LocId| self.objects.contains_key(c);
        let pairs: Vec<_> = other.pairs.iter().filter(|(a, b)| known(a) && known(b)).copied().collect();
        let before = self.pairs.len();
        self.pairs.extend(pairs);
        changed | (self.pairs.len() != before)
    }
}

/// The states at calls, joined over all ways to them.
#[derive(Clone, Debug, Default)]
pub(super) struct Apart {
    at: BTreeMap<(ProcId, StmtId), State>,
    /// States at the end of procedures, by those at their beginning.
    known: BTreeMap<ProcId, Vec<(State, State)>>,
    running: Vec<ProcId>,
}

impl Effects {
    /// True when two references of a call's arguments surely touch different memory, because the pointers that they go
    /// through do.
    pub(super) fn are_apart(
        &mut self,
        program: &Program,
        (caller, call): (ProcId, StmtId),
        a: &Designator,
        b: &Designator,
    ) -> bool {
        if self.have_own_memory(program, a, b) {
            return true;
        }
        if self.apart.is_none() {
            let found = self.find_apart(program);
            self.apart = Some(found);
        }
        let Some(state) = self.apart.as_ref().and_then(|f| f.at.get(&(caller, call))).cloned() else { return false };
        let (x, y) = (self.gate(program, a), self.gate(program, b));
        match (x, y) {
            (Some(p), Some(q)) => p != q && state.objects.contains_key(&p) && !self.may_meet(program, &state, p, q),
            (Some(p), None) => self.is_apart_from(program, &state, p, b),
            (None, Some(q)) => self.is_apart_from(program, &state, q, a),
            (None, None) => false,
        }
    }

    /// True when a pointer surely doesn't point to what a reference without pointers touches.
    fn is_apart_from(&mut self, program: &Program, state: &State, pointer: LocId, d: &Designator) -> bool {
        let certain = self.locs.is_certain(program, d.sym, &d.path());
        let named = self.touched(program, d);
        certain && state.objects.get(&pointer).is_some_and(|list| !meet(program, list, &named))
    }

    /// The pointer that all memory of a reference is behind.
    fn gate(&mut self, program: &Program, d: &Designator) -> Option<LocId> {
        let leading = self.locs.leading(program, d);
        let last = self.locs.association(program, d.sym, &d.path());
        match (leading.as_slice(), last.as_slice()) {
            ([cell], []) | ([], [cell]) => Some(*cell).filter(|c| self.is_single(program, *c)),
            _ => None,
        }
    }

    /// True for the association of one pointer: neither of one of an array's elements nor of memory without a name.
    fn is_single(&self, program: &Program, cell: LocId) -> bool {
        let loc = self.locs.get(cell);
        let scalar = |k: usize| {
            let on_way = resolve(program, loc.sym, &loc.path[..k]);
            on_way.is_some_and(|v| v.rank() == 0 && !v.attrs.pointer && !v.attrs.allocatable)
        };
        loc.association
            && loc.root == Root::Variable
            && (0..loc.path.len()).all(scalar)
            && self.locs.is_certain_pointer(program, loc.sym, &loc.path)
    }

    /// What a pointer may point to at any time.
    fn anything(&self, program: &Program, cell: LocId) -> Vec<Object> {
        let objects = self.locs.objects_of(program, cell);
        objects.into_iter().map(|loc| Object { loc, part: None }).collect()
    }

    /// What a reference to a variable or a component touches.
    fn touched(&mut self, program: &Program, d: &Designator) -> Vec<Object> {
        let whole = |s: &Subscript| match s {
            Subscript::Index(e) => e.as_int().is_some(),
            Subscript::Range { lo, hi, step } => lo.is_none() && hi.is_none() && step.is_none(),
        };
        let fixed = d.parts.iter().all(|p| match p {
            Part::Component(_) => true,
            Part::Subscripts(list) => list.iter().all(whole),
            Part::Substring(..) => false,
        });
        let part = (fixed && self.locs.is_certain(program, d.sym, &d.path())).then(|| d.parts.clone());
        let objects = self.locs.objects(program, d);
        objects.into_iter().map(|loc| Object { loc, part: part.clone() }).collect()
    }

    fn may_meet(&self, program: &Program, state: &State, a: LocId, b: LocId) -> bool {
        match (state.objects.get(&a), state.objects.get(&b)) {
            (Some(_), Some(_)) => a == b || state.pairs.contains(&pair(a, b)),
            (x, y) => {
                let list = |known: Option<&Vec<Object>>, c| known.cloned().unwrap_or_else(|| self.anything(program, c));
                a == b || meet(program, &list(x, a), &list(y, b))
            }
        }
    }

    fn find_apart(&mut self, program: &Program) -> Apart {
        let mut found = Apart::default();
        // What isn't known may call any procedure.
        if self.calls_unknown(program) {
            return found;
        }
        let procs: Vec<ProcId> = self.bodies.keys().copied().collect();
        let called: BTreeSet<ProcId> = self.bodies.values().flat_map(|b| calls(program, b)).collect();
        let outside = self.of_outside(program);
        for p in procs.iter().filter(|p| !called.contains(p)) {
            self.run_from(program, *p, outside.clone(), &mut found);
        }
        for p in procs {
            if !found.known.contains_key(&p) {
                self.run_from(program, p, State::default(), &mut found);
            }
        }
        found
    }

    /// The state that heads start with: pointers that were associated before are presumed to lead to different memory.
    fn of_outside(&mut self, program: &Program) -> State {
        let mut state = State::default();
        for loc in self.exposed.clone() {
            let cell = self.locs.id(loc);
            if self.is_single(program, cell) {
                let objects = self.anything(program, cell);
                state.objects.insert(cell, objects);
            }
        }
        state
    }

    /// The state at the end of a procedure.
    fn run_from(&mut self, program: &Program, proc: ProcId, entry: State, found: &mut Apart) -> State {
        let seen = found.known.get(&proc).and_then(|l| l.iter().find(|(from, _)| *from == entry));
        if let Some((_, end)) = seen {
            return end.clone();
        }
        let many = found.known.get(&proc).is_some_and(|l| l.len() >= CONTEXTS);
        if (many || found.running.contains(&proc)) && entry != State::default() {
            // Of a recursive call nothing is known.
            return self.run_from(program, proc, State::default(), found);
        }
        found.known.entry(proc).or_default().push((entry.clone(), State::default()));
        found.running.push(proc);
        let mut state = entry.clone();
        self.start(program, proc, &mut state);
        let body = self.bodies.get(&proc).cloned().unwrap_or_default();
        if self.unstructured.contains(&proc) {
            self.follow_calls(program, proc, &body, found);
            state = State::default();
        } else {
            let mut problem = Pairs { effects: self, program, proc, found: &mut *found, entry: state };
            state = solve(&of_body(&body), &mut problem).unwrap_or_default();
        }
        found.running.pop();
        for e in found.known.get_mut(&proc).into_iter().flatten() {
            if e.0 == entry {
                e.1 = state.clone();
            }
        }
        state
    }

    /// Local pointers of a procedure aren't associated at its beginning.
    fn start(&mut self, program: &Program, proc: ProcId, state: &mut State) {
        let own: Vec<_> = program[program[proc].scope].names.values().copied().collect();
        for sym in own {
            let Some(v) = program.var(sym).cloned() else { continue };
            if outlives(program, proc, sym) || v.init.is_some() {
                continue;
            }
            let paths = if v.attrs.pointer { vec![Vec::new()] } else { pointer_paths(program, v.ty) };
            for path in paths {
                let fresh = resolve(program, sym, &path).is_some_and(|c| c.init.as_ref().is_none_or(Expr::is_null));
                for cell in self.locs.association(program, sym, &path) {
                    if fresh && self.is_single(program, cell) {
                        state.forget(cell);
                        state.objects.insert(cell, Vec::new());
                    }
                }
            }
        }
    }

    /// Procedures that are called from where nothing is known.
    fn follow_calls(&mut self, program: &Program, proc: ProcId, block: &[Stmt], found: &mut Apart) {
        costate_grammar::ir::for_each_stmt(block, &mut |s| {
            found.at.insert((proc, s.id), State::default());
        });
        for p in calls(program, block) {
            self.run_from(program, p, State::default(), found);
        }
    }

    /// What a statement without blocks does to the state, or the header of a construct.
    fn step(&mut self, program: &Program, s: &Stmt, state: &mut State, found: &mut Apart) {
        match &s.kind {
            StmtKind::PointerAssign { lhs, rhs } => {
                let source = self.source(program, rhs, state);
                self.other(program, s, state, found);
                if let (Some(cell), Some((objects, pairs))) = (self.pointer(program, lhs), source) {
                    Self::set(state, cell, objects, pairs);
                }
            }
            StmtKind::Nullify(items) | StmtKind::Deallocate { items, .. } => {
                self.other(program, s, state, found);
                items.iter().for_each(|e| self.clear(program, e, state));
            }
            StmtKind::Allocate { items, .. } => {
                self.other(program, s, state, found);
                for item in items {
                    let Some(cell) = self.pointer(program, &item.object) else { continue };
                    let made = self.anything(program, cell).into_iter().filter(|o| o.loc.root == Root::Heap(s.id));
                    // Nothing else points to new memory.
                    let made: Vec<Object> = made.collect();
                    state.objects.insert(cell, made);
                }
            }
            StmtKind::Call { callee, args } => self.run_call(program, s, (callee, args), state, found),
            _ => self.other(program, s, state, found),
        }
    }

    /// Of pointers that a statement may associate, nothing is known; the functions that it calls start with nothing known.
    fn other(&mut self, program: &Program, s: &Stmt, state: &mut State, found: &mut Apart) {
        for cell in self.access(program, s).writes {
            if self.locs.get(cell).association {
                state.forget(cell);
            }
        }
        for p in functions(program, s) {
            self.run_from(program, p, State::default(), found);
        }
    }

    /// The association of the pointer that a statement associates for sure.
    fn pointer(&mut self, program: &Program, e: &Expr) -> Option<LocId> {
        let d = e.as_var()?;
        let cells = self.locs.association(program, d.sym, &d.path());
        match cells.as_slice() {
            [cell] => Some(*cell).filter(|c| self.is_single(program, *c)),
            _ => None,
        }
    }

    /// What the right side of an association gives, and the pointers that may point there too, as far as they are known.
    fn source(&mut self, program: &Program, rhs: &Expr, state: &State) -> Option<(Vec<Object>, LocSet)> {
        if rhs.is_null() {
            return Some((Vec::new(), LocSet::new()));
        }
        let d = rhs.unparen().as_var()?;
        let cells = self.locs.association(program, d.sym, &d.path());
        if let Some(from) = self.pointer(program, rhs.unparen())
            && let Some(objects) = state.objects.get(&from)
        {
            let known: Vec<LocId> = state.objects.keys().copied().collect();
            let also = known.into_iter().filter(|c| self.may_meet(program, state, *c, from)).collect();
            return Some((objects.clone(), also));
        }
        let objects: Vec<Object> = match cells.as_slice() {
            [] => self.touched(program, d),
            cells => cells.iter().flat_map(|c| self.anything(program, *c)).collect(),
        };
        let also = state.objects.iter().filter(|(_, list)| meet(program, list, &objects)).map(|(c, _)| *c).collect();
        Some((objects, also))
    }

    /// Associates a pointer.
    fn set(state: &mut State, cell: LocId, objects: Vec<Object>, also: LocSet) {
        let also: Vec<LocId> = also.into_iter().filter(|c| *c != cell && state.objects.contains_key(c)).collect();
        state.forget(cell);
        state.objects.insert(cell, objects);
        state.pairs.extend(also.into_iter().map(|c| pair(c, cell)));
    }

    fn clear(&mut self, program: &Program, e: &Expr, state: &mut State) {
        if let Some(cell) = self.pointer(program, e) {
            state.forget(cell);
            state.objects.insert(cell, Vec::new());
        }
    }
}

/// The problem of one procedure, from one state at its beginning.
struct Pairs<'e> {
    effects: &'e mut Effects,
    program: &'e Program,
    proc: ProcId,
    found: &'e mut Apart,
    entry: State,
}

impl<'a> Problem<Node<'a>, Edge<'a>> for Pairs<'_> {
    type Fact = State;
    const DIRECTION: Direction = Direction::Forward;

    fn boundary(&mut self) -> State {
        self.entry.clone()
    }

    fn join(&mut self, fact: &mut State, other: &State) -> bool {
        fact.join(other)
    }

    fn transfer(&mut self, node: Node<'a>, fact: &mut State) {
        match node.place {
            Place::Leaf | Place::Header => self.effects.step(self.program, node.stmt, fact, self.found),
            Place::Again | Place::End => {}
        }
    }

    fn settled(&mut self, node: Node<'a>, fact: &State) {
        if matches!(node.place, Place::Leaf | Place::Header) {
            match self.found.at.entry((self.proc, node.stmt.id)) {
                Entry::Vacant(e) => drop(e.insert(fact.clone())),
                Entry::Occupied(e) => drop(e.into_mut().join(fact)),
            }
        }
    }
}

/// Associations that stand for each other in a call: the caller's and the callee's.
type Shared = Vec<(LocId, LocId)>;

impl Effects {
    fn run_call(
        &mut self,
        program: &Program,
        s: &Stmt,
        (callee, args): (&Callee, &[Arg]),
        state: &mut State,
        found: &mut Apart,
    ) {
        let known = target(program, callee);
        let Some(child) = known.filter(|_| !self.inactive.contains(&s.id)) else {
            self.other(program, s, state, found);
            if let Some(p) = known {
                self.run_from(program, p, State::default(), found);
            }
            return;
        };
        let reached = self.access(program, s).writes;
        let shared = self.shared_pointers(program, child, args, (state, &reached));
        let mut entry = State::default();
        for (outer, inner) in &shared {
            entry.objects.insert(*inner, state.objects.get(outer).cloned().unwrap_or_default());
        }
        for (i, (a, x)) in shared.iter().enumerate() {
            for (b, y) in &shared[..i] {
                if self.may_meet(program, state, *a, *b) {
                    entry.pairs.insert(pair(*x, *y));
                }
            }
        }
        let end = self.run_from(program, child, entry, found);
        let before: Vec<LocId> = state.objects.keys().copied().collect();
        self.other(program, s, state, found);
        // What two names lead to may have changed under either.
        let written = self.summaries.get(&child).map(|s| s.access.writes.clone()).unwrap_or_default();
        let once = |(o, i): &(LocId, LocId)| {
            shared.iter().filter(|(outer, _)| outer == o).count() == 1 && (o == i || !written.contains(o))
        };
        let back: Shared = shared
            .iter()
            .filter(|p| before.contains(&p.0) && once(p) && end.objects.contains_key(&p.1))
            .copied()
            .collect();
        let changed: Shared = back.iter().filter(|(o, _)| !state.objects.contains_key(o)).copied().collect();
        for (outer, inner) in &changed {
            state.objects.insert(*outer, end.objects.get(inner).cloned().unwrap_or_default());
        }
        for (a, x) in &changed {
            let others: Vec<LocId> = state.objects.keys().copied().filter(|c| c != a).collect();
            for c in others {
                let met = match back.iter().find(|(outer, _)| *outer == c) {
                    Some((_, y)) => self.may_meet(program, &end, *x, *y),
                    None => state.objects.get(a).zip(state.objects.get(&c)).is_some_and(|(l, m)| meet(program, l, m)),
                };
                if met {
                    state.pairs.insert(pair(*a, c));
                }
            }
        }
    }

    /// The pointers of which something is known and that keep a name in a callee: actual arguments, and all others that
    /// it changes by no other name than theirs. Those of the caller alone say what new memory they don't lead to.
    fn shared_pointers(
        &mut self,
        program: &Program,
        child: ProcId,
        args: &[Arg],
        (state, reached): (&State, &LocSet),
    ) -> Shared {
        let mut out = self.passed_pointers(program, child, args, state);
        let written = self.summaries.get(&child).map(|s| s.access.writes.clone()).unwrap_or_default();
        let scope = program[child].scope;
        for cell in state.objects.keys() {
            let sym = self.locs.get(*cell).sym;
            // In a recursive call, local variables and dummies are others.
            let own = program[sym].scope == scope || within(program, program[sym].scope, scope);
            let passed = out.iter().any(|(outer, _)| outer == cell);
            if !own && !passed && (written.contains(cell) || !reached.contains(cell)) {
                out.push((*cell, *cell));
            }
        }
        out
    }

    /// The pointers among the actual arguments of which something is known.
    fn passed_pointers(&mut self, program: &Program, child: ProcId, args: &[Arg], state: &State) -> Shared {
        let mut out = Shared::new();
        let p = &program[child];
        let map = CallMap::new(program, child, args, None);
        for (dummy, actual) in p.dummies.iter().zip(bind(program, p, args)) {
            let Some(v) = program.var(*dummy) else { continue };
            let scalar =
                actual.and_then(Expr::as_var).is_some_and(|d| d.parts.iter().all(|p| matches!(p, Part::Component(_))));
            let paths = if v.attrs.pointer { vec![Vec::new()] } else { pointer_paths(program, v.ty) };
            for path in paths.into_iter().filter(|_| scalar) {
                for inner in self.locs.association(program, *dummy, &path) {
                    let outer = map.locs(self, program, inner);
                    if let [outer] = outer.as_slice()
                        && self.is_single(program, inner)
                        && state.objects.contains_key(outer)
                    {
                        out.push((*outer, inner));
                    }
                }
            }
        }
        out
    }
}
