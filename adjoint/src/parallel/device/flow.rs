//! What the statements of a procedure do to the copies of arrays on the device and on the host, in their order.

use std::collections::{BTreeMap, BTreeSet};

use costate_analysis::loops::assigned;
use costate_grammar::directives::{AccConstruct, Construct, Directive, OmpConstruct};
use costate_grammar::ir::{
    Callee, Designator, Expr, ExprKind, LoopControl, Name, Procedure, Program, Stmt, StmtKind, SymId, for_each_expr,
    for_each_stmt,
};

use super::code::{is_device_code, mentioned, own_references, values};
use super::conditions::{self, Condition, Side};
use super::current::{Current, Flow, Use};
use super::newer::{self, Newer};
use super::parts::{self, Counted, Piece, Section, Updated, updated};
use super::touch::{Called, Case, Flows, Touch, join};

/// What the statements of a procedure do; `None` where it has jumps that aren't followed. Where the program has an array on the
/// device, the conditions `given` hold.
pub(super) fn of_body(
    program: &Program,
    called: Called<'_>,
    procedure: &Procedure,
    given: &[Condition],
) -> Option<(Flows, BTreeMap<SymId, Case>)> {
    let follow = |given: &[(Condition, bool)]| followed(program, called, &procedure.body, given);
    let given: Vec<(Condition, bool)> = given.iter().map(Condition::base).map(|(c, opposite)| (c, !opposite)).collect();
    let (flows, newer) = follow(&[])?;
    let (there, newer) = if given.is_empty() { (flows.clone(), newer) } else { follow(&given)? };
    let mut out = Flows::new();
    for (sym, flow) in flows {
        let there = there.get(&sym).copied().unwrap_or(Flow::NOTHING);
        out.insert(sym, flow.with_there(there, newer.state(sym)));
    }
    let mut cases = BTreeMap::new();
    if let Some(condition) = deciding(program, called, procedure) {
        let with = |holds| [given.as_slice(), &[(condition.clone(), holds)]].concat();
        let [holds, fails] = [follow(&with(true))?, follow(&with(false))?];
        for (sym, flow) in &out {
            let both = [flow.behind(Current::Both), flow.behind_there(Current::Both)];
            if both.iter().all(|state| state.is_of_one_side()) {
                continue;
            }
            let states =
                [&holds, &fails].map(|(flows, _)| flows.get(sym).map_or(Current::Both, |f| f.behind(Current::Both)));
            let there = [&holds, &fails].map(|(_, newer)| newer.state(*sym));
            let case = Case { condition: condition.clone(), states, there };
            if case.tells() {
                cases.insert(*sym, case);
            }
        }
    }
    Some((out, cases))
}

/// The one condition on dummies that decides where code of a procedure runs, if there is no other.
fn deciding(program: &Program, called: Called<'_>, procedure: &Procedure) -> Option<Condition> {
    let mut found = BTreeSet::new();
    let mut other = false;
    for_each_stmt(&procedure.body, &mut |s| {
        let alone = matches!(s.kind, StmtKind::Directive { body: None, .. });
        let list = if is_device_code(s) || alone { conditions::directives(s) } else { Vec::new() };
        if conditions::side(&list, || None) == Side::Either {
            match Condition::of(program, &list) {
                Some(c) => _ = found.insert(c.base().0),
                None => other = true,
            }
        }
        if s.blocks().is_empty()
            && let Some(touch) = called(s)
        {
            found.extend(touch.cases.into_values().map(|c| c.condition));
        }
    });
    let condition = found.pop_first().filter(|_| found.is_empty() && !other)?;
    let changed = assigned(&procedure.body);
    let dummy = |x: SymId| procedure.dummies.contains(&x) && !changed.contains(&x);
    (condition.variables().next().is_some() && condition.variables().all(dummy)).then_some(condition)
}

fn followed(
    program: &Program,
    called: Called<'_>,
    body: &[Stmt],
    given: &[(Condition, bool)],
) -> Option<(Flows, Newer)> {
    let mut follow = Follow {
        called,
        program,
        names: BTreeMap::new(),
        now: Some(Here::default()),
        ends: None,
        loops: Vec::new(),
        conditions: Vec::new(),
        given: given.to_vec(),
        jumps: false,
    };
    follow.block(body);
    let out = either(follow.now, follow.ends).unwrap_or_default();
    (!follow.jumps).then_some((out.flows, out.newer))
}

/// What was done up to a place.
#[derive(Clone, Debug, Default, PartialEq)]
struct Here {
    flows: Flows,
    /// Parts that the host may have changed since the device's copy was brought up to date.
    changed: BTreeMap<SymId, BTreeSet<Piece>>,
    /// Parts that are up to date on the host, whatever was before: it has changed them, or they were brought there.
    held: BTreeMap<SymId, BTreeSet<Piece>>,
    /// Of arrays that the program itself has on the device, what isn't the same on both sides.
    newer: Newer,
}

impl Here {
    /// The same behind a loop that counts with a variable.
    fn behind(&mut self, program: &Program, counted: &Counted) {
        for all in self.changed.values_mut() {
            *all = std::mem::take(all).into_iter().map(|p| p.behind(program, counted)).collect();
        }
        self.held.values_mut().for_each(|all| all.retain(|p| !p.uses(&|x| x == counted.var)));
        self.newer.behind(program, counted);
    }

    /// Some variables have other values.
    fn revise(&mut self, revised: impl Fn(SymId) -> bool) {
        for all in self.changed.values_mut() {
            *all = std::mem::take(all).into_iter().map(|p| p.without(&revised)).collect();
        }
        self.held.values_mut().for_each(|all| all.retain(|p| !p.uses(&revised)));
        self.newer.revise(&revised);
    }
}

/// One of two places, each of which may be out of reach.
fn either(a: Option<Here>, b: Option<Here>) -> Option<Here> {
    match (a, b) {
        (Some(mut a), Some(b)) => {
            a.flows = join(a.flows, &b.flows);
            for (sym, pieces) in b.changed {
                a.changed.entry(sym).or_default().extend(pieces);
            }
            for (sym, pieces) in &mut a.held {
                pieces.retain(|p| b.held.get(sym).is_some_and(|other| other.contains(p)));
            }
            a.held.retain(|_, pieces| !pieces.is_empty());
            a.newer.join(b.newer);
            Some(a)
        }
        (a, b) => a.or(b),
    }
}

/// A loop that statements inside may leave, or begin anew.
struct Around {
    name: Option<Name>,
    counted: Vec<Counted>,
    left: Option<Here>,
}

struct Follow<'f> {
    called: Called<'f>,
    program: &'f Program,
    /// What names of `associate` stand for; true for a part of it.
    names: BTreeMap<SymId, (SymId, bool)>,
    /// What was done up to here; `None` where this isn't reached.
    now: Option<Here>,
    /// What was done where the procedure is left before its end.
    ends: Option<Here>,
    loops: Vec<Around>,
    /// Conditions of directives that hold here, or don't.
    conditions: Vec<(Condition, bool)>,
    /// Conditions that are known to hold, or not to, from the start.
    given: Vec<(Condition, bool)>,
    /// There are jumps that aren't followed.
    jumps: bool,
}

impl Follow<'_> {
    /// What is done with an array, or with a part of which nothing is known.
    fn does(&mut self, sym: SymId, done: impl Into<Flow>) {
        let (base, part) = self.names.get(&sym).copied().unwrap_or((sym, false));
        let flow: Flow = done.into();
        let flow = if part { flow.of_part() } else { flow };
        if let Some(now) = &mut self.now {
            now.newer.does(base, flow);
        }
        self.step(base, flow);
    }

    /// The same for what is known of the whole array.
    fn step(&mut self, base: SymId, flow: Flow) {
        let Some(now) = &mut self.now else { return };
        let entry = now.flows.entry(base).or_insert(Flow::NOTHING);
        *entry = entry.then(flow);
        let alone = flow.behind(Current::Both);
        if !matches!(entry.behind(Current::Both), Current::Host | Current::Parted) {
            now.changed.remove(&base);
        } else if alone == Current::Host {
            // Which part it is that another one changes isn't known.
            now.changed.entry(base).or_default().insert(Piece::default());
        }
        if !matches!(alone, Current::Both | Current::Host) {
            now.held.remove(&base);
        }
        if alone != Current::Both {
            self.given.retain(|(c, _)| !c.uses(&|x| x == base));
            self.revise(|x| x == base);
        }
    }

    /// Some variables have other values.
    fn revise(&mut self, revised: impl Fn(SymId) -> bool) {
        self.now.iter_mut().for_each(|now| now.revise(&revised));
        self.conditions.retain(|(c, _)| !c.uses(&revised));
    }

    /// The host changes what a reference names.
    fn changes(&mut self, d: &Designator, done: Use) {
        if self.names.contains_key(&d.sym) {
            return self.does(d.sym, done);
        }
        let known = self.now.as_ref().and_then(|now| now.changed.get(&d.sym)).cloned().unwrap_or_default();
        self.step(d.sym, done.into());
        let at = Piece::by(self.program, d);
        if let Some(now) = &mut self.now {
            now.newer.on_host(d.sym, at.clone());
            now.held.entry(d.sym).or_default().extend((!at.at.is_empty()).then(|| at.clone()));
            let known = known.into_iter().map(|p| p.without(&|x| x == d.sym));
            now.changed.insert(d.sym, known.chain([at]).collect());
        }
    }

    /// The host reads what a reference names.
    fn reads_at(&mut self, d: &Designator) {
        let held = self.now.as_ref().and_then(|now| now.held.get(&d.sym)).filter(|_| !self.names.contains_key(&d.sym));
        let part = held.is_some_and(|held| {
            let mut at = Piece::by(self.program, d);
            let within = |at: &Piece| held.iter().any(|p| at.is_within(p));
            let mut found = within(&at);
            for counted in self.loops.iter().rev().flat_map(|l| &l.counted) {
                at = at.behind(self.program, counted);
                found |= within(&at);
            }
            found
        });
        self.does(d.sym, if part { Use::HostReadsPart } else { Use::HostReads });
    }

    /// A part of the host's copy is brought up to date.
    fn pulls(&mut self, sym: SymId, piece: Piece) {
        if self.names.contains_key(&sym) {
            return self.does(sym, Use::PartToHost);
        }
        self.step(sym, Use::PartToHost.into());
        if let Some(now) = &mut self.now {
            now.newer.brought(sym, false, Some(&piece));
            now.held.entry(sym).or_default().insert(piece);
        }
    }

    /// A part of the device's copy is brought up to date: all that this procedure has changed, or not all of it.
    fn brings(&mut self, sym: SymId, section: &Section, names: &[SymId]) {
        let Some(now) = &mut self.now else { return };
        if !self.names.contains_key(&sym) {
            now.newer.brought(sym, true, Some(&Piece::of_item(self.program, section, names)));
        }
        let changed = now.changed.entry(sym).or_default();
        changed.retain(|p| !parts::is_within(&p.at, section));
        let all = changed.is_empty() && !self.names.contains_key(&sym);
        let entry = now.flows.entry(sym).or_insert(Flow::NOTHING);
        *entry = if all { entry.brought() } else { entry.then(Use::OtherToDevice.into()) };
    }

    fn all_do(&mut self, syms: &BTreeSet<SymId>, done: Use) {
        syms.iter().for_each(|s| self.does(*s, done));
    }

    fn block(&mut self, block: &[Stmt]) {
        for (k, s) in block.iter().enumerate() {
            if let Some(condition) = self.undecided(s) {
                return self.decide(&condition, &block[k..]);
            }
            self.statement(s);
        }
    }

    /// The condition of a directive of which it isn't known yet here whether it holds.
    fn undecided(&self, s: &Stmt) -> Option<Condition> {
        if self.conditions.len() >= CONDITIONS {
            return None;
        }
        if !is_device_code(s) && !matches!(s.kind, StmtKind::Directive { body: None, .. }) {
            let leaf = s.blocks().is_empty();
            let cases = (self.called)(s).filter(|_| leaf).map(|t| t.cases).unwrap_or_default();
            return cases.into_values().map(|c| c.condition).find(|c| self.holds(c).is_none());
        }
        let found = Condition::of(self.program, &conditions::directives(s)).filter(|c| self.holds(c).is_none());
        found.map(|c| c.base().0)
    }

    /// Statements where a condition holds, and where it doesn't.
    fn decide(&mut self, condition: &Condition, block: &[Stmt]) {
        let (before, known) = (self.now.clone(), self.conditions.clone());
        let (mut out, mut left) = (None, known.clone());
        for holds in [true, false] {
            self.now.clone_from(&before);
            self.conditions.clone_from(&known);
            self.conditions.push((condition.clone(), holds));
            self.block(block);
            out = either(out, self.now.take());
            left.retain(|c| self.conditions.contains(c));
        }
        (self.now, self.conditions) = (out, left);
    }

    /// Where a directive lets statements run, or whether it does anything.
    fn side(&self, directives: &[(&Directive, &[SymId])]) -> Side {
        conditions::side(directives, || self.holds(&Condition::of(self.program, directives)?))
    }

    /// Whether a condition holds here, where that is known.
    fn holds(&self, condition: &Condition) -> Option<bool> {
        let (base, opposite) = condition.base();
        let known = self.conditions.iter().chain(&self.given).find(|(c, _)| *c == base);
        known.map(|(_, holds)| *holds != opposite)
    }

    fn statement(&mut self, s: &Stmt) {
        if is_device_code(s) {
            return self.device_code(s);
        }
        match &s.kind {
            StmtKind::Directive { directive, body: None, .. } => self.alone(directive, s),
            StmtKind::Assign { lhs, rhs } => {
                self.calls(s);
                self.reads([rhs]);
                lhs.as_var().into_iter().flat_map(|d| d.subscripts()).for_each(|x| self.reads(parts::exprs(x)));
                if let Some(d) = lhs.as_var() {
                    let all = lhs.rank > 0 && d.parts.is_empty();
                    self.changes(d, if all { Use::HostSets } else { Use::HostWrites });
                }
            }
            StmtKind::Call { callee: Callee::Proc { .. } | Callee::Bound { .. }, .. } => self.calls(s),
            StmtKind::Allocate { .. } | StmtKind::Deallocate { .. } | StmtKind::Comment(_) | StmtKind::Continue => {}
            StmtKind::If { arms, otherwise, .. } => {
                self.condition(s);
                let blocks = arms.iter().map(|a| &a.body[..]).chain([otherwise.as_deref().unwrap_or_default()]);
                let first = Condition::of_branch(self.program, &arms[0].cond).and_then(|c| self.holds(&c));
                self.one_of(match first {
                    Some(true) => vec![&arms[0].body[..]],
                    Some(false) => blocks.skip(1).collect(),
                    None => blocks.collect(),
                });
            }
            StmtKind::Select { arms, .. } => {
                self.condition(s);
                self.one_of(arms.iter().map(|a| &a.body[..]).chain([&[][..]]).collect());
            }
            StmtKind::Do { name, control, body, .. } => self.repeated(s, (name, control), body),
            StmtKind::BlockScope { body, .. } | StmtKind::Directive { body: Some(body), .. } => self.block(body),
            StmtKind::Associate { bindings, body, .. } => {
                for (name, d) in bindings.iter().filter_map(|(name, e)| Some((*name, e.as_var()?))) {
                    let (base, part) = self.names.get(&d.sym).copied().unwrap_or((d.sym, false));
                    self.names.insert(name, (base, part || !d.parts.is_empty()));
                }
                self.block(body);
            }
            StmtKind::Exit(name) | StmtKind::Cycle(name) => self.leave(name.as_ref()),
            StmtKind::Return | StmtKind::Stop { .. } => self.ends = either(self.ends.take(), self.now.take()),
            StmtKind::Goto(_) => self.jumps = true,
            StmtKind::Io { items, .. } => {
                self.calls(s);
                self.reads(&items.uses);
                let defined: BTreeSet<SymId> = items.defines.iter().filter_map(Expr::as_var).map(|d| d.sym).collect();
                self.all_do(&defined, Use::HostWrites);
            }
            // Its blocks aren't told apart, and it may be a jump.
            StmtKind::Unsupported { .. } => self.jumps = true,
            _ => self.other(s),
        }
    }

    /// A statement of which no more is known than what it mentions.
    fn other(&mut self, s: &Stmt) {
        self.calls(s);
        self.all_do(&mentioned(s), Use::HostWrites);
    }

    fn reads<'e>(&mut self, exprs: impl IntoIterator<Item = &'e Expr>) {
        let mut used = Vec::new();
        exprs.into_iter().for_each(|e| own_references(e, &mut |d| used.push(d)));
        used.into_iter().for_each(|d| self.reads_at(d));
    }

    /// What the expressions of a construct make use of.
    fn condition(&mut self, s: &Stmt) {
        self.calls(s);
        self.reads(s.exprs());
    }

    /// What called procedures do.
    fn calls(&mut self, s: &Stmt) {
        let Some(touch) = (self.called)(s) else { return };
        let program = self.program;
        self.revise(|x| !conditions::is_own(program, x));
        for (sym, flow) in touch.flows {
            let case = touch.cases.get(&sym).and_then(|c| Some((c, usize::from(!self.holds(&c.condition)?))));
            self.does(sym, case.map_or(flow, |(c, k)| flow.with_states(c.states[k], c.there[k])));
        }
    }

    fn one_of(&mut self, blocks: Vec<&[Stmt]>) {
        let before = self.now.clone();
        let mut out = None;
        for b in blocks {
            self.now.clone_from(&before);
            self.block(b);
            out = either(out, self.now.take());
        }
        self.now = out;
    }

    /// A loop: any number of times.
    fn repeated(&mut self, s: &Stmt, (name, control): (&Option<Name>, &LoopControl), body: &[Stmt]) {
        self.condition(s);
        let start = self.now.clone();
        loop {
            let (before, known) = (self.now.clone(), self.conditions.len());
            let counted = parts::counted(self.program, s);
            counted.iter().for_each(|c| self.does(c.var, Use::HostWrites));
            self.loops.push(Around { name: name.clone(), counted: counted.clone(), left: None });
            self.block(body);
            if matches!(control, LoopControl::While(_)) {
                self.condition(s);
            }
            let left = self.loops.pop().and_then(|l| l.left);
            let mut behind = either(self.now.take(), left);
            for c in &counted {
                behind.iter_mut().for_each(|here| here.behind(self.program, c));
            }
            self.now = either(behind, before.clone());
            if self.now == before && self.conditions.len() == known {
                break;
            }
        }
        if start.is_none() {
            self.now = None;
        }
    }

    /// Statements that leave a loop, or begin it anew.
    fn leave(&mut self, name: Option<&Name>) {
        let now = self.now.take();
        let at = match name {
            Some(_) => self.loops.iter().rposition(|l| l.name.as_ref() == name),
            None => self.loops.len().checked_sub(1),
        };
        match at.and_then(|k| self.loops.get_mut(k)) {
            Some(around) => around.left = either(around.left.take(), now),
            None => self.jumps = true,
        }
    }

    /// A region for the device.
    fn device_code(&mut self, s: &Stmt) {
        let side = self.side(&conditions::directives(s));
        let mut changed = assigned(std::slice::from_ref(s));
        let mut used = mentioned(s);
        for_each_stmt(std::slice::from_ref(s), &mut |x| {
            for e in x.exprs() {
                for_each_expr(e, &mut |e| {
                    if let ExprKind::Call { callee: Callee::Proc { .. } | Callee::Bound { .. }, args } = &e.kind {
                        args.iter().for_each(|a| values(&a.value, &mut changed));
                    }
                });
            }
            if matches!(&x.kind, StmtKind::Call { .. }) {
                changed.extend(x.exprs().into_iter().flat_map(costate_analysis::storage::symbols));
            }
            if let Some(Touch { host, device, .. }) = (self.called)(x) {
                changed.extend(host.iter().chain(&device));
                used.extend(host.into_iter().chain(device));
            }
        });
        for sym in used {
            let done = match (changed.contains(&sym), side) {
                (false, Side::Device) => Use::DeviceReads,
                (true, Side::Device) => {
                    self.device_changes(sym, s, &changed);
                    continue;
                }
                (false, Side::Host) => Use::HostReads,
                (true, Side::Host) => Use::HostWrites,
                (false, Side::Either) => Use::EitherReads,
                (true, Side::Either) => Use::EitherWrites,
            };
            self.does(sym, done);
        }
    }

    /// The device changes an array, `changed` being all that changes in the region.
    fn device_changes(&mut self, sym: SymId, s: &Stmt, changed: &BTreeSet<SymId>) {
        let parts = newer::assigned_parts(self.program, std::slice::from_ref(s), sym);
        let Some(parts) = parts.filter(|p| !p.is_empty() && !self.names.contains_key(&sym)) else {
            return self.does(sym, Use::DeviceWrites);
        };
        self.step(sym, Use::DeviceWrites.into());
        let Some(now) = &mut self.now else { return };
        for part in parts {
            now.newer.on_device(sym, part.without(&|x| changed.contains(&x)));
        }
    }

    /// What a directive that stands alone does: an update of arrays or of parts of them, or one that lasts longer than the procedure.
    fn alone(&mut self, directive: &Directive, s: &Stmt) {
        let StmtKind::Directive { names, .. } = &s.kind else { return };
        for sym in parts::dropped(self.program, directive, names) {
            self.does(sym, Use::Dropped);
        }
        for sym in parts::entered(self.program, directive, names) {
            self.does(sym, Use::Entered);
        }
        for sym in parts::created(self.program, directive, names) {
            self.does(sym, Use::Created);
        }
        let of = &directive.construct;
        if !matches!(of, Construct::Acc(AccConstruct::Update) | Construct::Omp(OmpConstruct::TargetUpdate)) {
            return;
        }
        let side = self.side(&[(directive, names.as_slice())]);
        if side == Side::Host {
            return;
        }
        let before = self.now.clone();
        for Updated { sym, to_device, section } in updated(self.program, directive, names) {
            match (to_device, section) {
                (false, None) => self.does(sym, Use::ToHost),
                (false, Some(section)) => self.pulls(sym, Piece::of_item(self.program, &section, names)),
                (true, None) => self.does(sym, Use::ToDevice),
                (true, Some(section)) => self.brings(sym, &section, names),
            }
        }
        if side == Side::Either {
            self.now = either(self.now.take(), before);
        }
    }
}

/// How many conditions are told apart at a time: each makes two cases of the others.
const CONDITIONS: usize = 3;
