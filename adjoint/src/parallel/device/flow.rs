//! What the statements of a procedure do to the copies of arrays on the device and on the host, in their order.

use std::collections::{BTreeMap, BTreeSet};

use costate_analysis::loops::assigned;
use costate_grammar::directives::{AccConstruct, ClauseKind, Construct, Directive, OmpConstruct};
use costate_grammar::ir::{
    Callee, Designator, Expr, ExprKind, LoopControl, Name, Program, Stmt, StmtKind, SymId, for_each_expr, for_each_stmt,
};

use super::code::{is_conditional, is_device_code, mentioned, own_values, values};
use super::current::{Current, Flow, Use};
use super::parts::{self, Changed, Section, Updated, updated};
use super::touch::{Called, Flows, Touch};

/// What the statements of a procedure do; `None` where it has jumps that aren't followed.
pub(super) fn of_body(program: &Program, called: Called<'_>, body: &[Stmt]) -> Option<Flows> {
    let mut follow = Follow {
        called,
        program,
        names: BTreeMap::new(),
        now: Some(Here::default()),
        ends: None,
        loops: Vec::new(),
        jumps: false,
    };
    follow.block(body);
    let out = either(follow.now, follow.ends).map(|here| here.flows).unwrap_or_default();
    (!follow.jumps).then_some(out)
}

/// What one of two does.
pub(super) fn join(mut a: Flows, b: &Flows) -> Flows {
    for (sym, flow) in &mut a {
        *flow = flow.join(b.get(sym).copied().unwrap_or(Flow::NOTHING));
    }
    for (sym, flow) in b {
        a.entry(*sym).or_insert_with(|| flow.join(Flow::NOTHING));
    }
    a
}

/// What was done up to a place.
#[derive(Clone, Debug, Default, PartialEq)]
struct Here {
    flows: Flows,
    /// Parts that the host may have changed since the device's copy was brought up to date.
    changed: BTreeMap<SymId, BTreeSet<Changed>>,
}

impl Here {
    fn revise(&mut self, to: impl Fn(Changed) -> Changed) {
        for all in self.changed.values_mut() {
            *all = std::mem::take(all).into_iter().map(&to).collect();
        }
    }
}

/// One of two places, each of which may be out of reach.
fn either(a: Option<Here>, b: Option<Here>) -> Option<Here> {
    match (a, b) {
        (Some(mut a), Some(b)) => {
            a.flows = join(a.flows, &b.flows);
            for (sym, sections) in b.changed {
                a.changed.entry(sym).or_default().extend(sections);
            }
            Some(a)
        }
        (a, b) => a.or(b),
    }
}

/// A loop that statements inside may leave, or begin anew.
struct Around {
    name: Option<Name>,
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
    /// There are jumps that aren't followed.
    jumps: bool,
}

impl Follow<'_> {
    fn does(&mut self, sym: SymId, done: impl Into<Flow>) {
        let (base, part) = self.names.get(&sym).copied().unwrap_or((sym, false));
        let flow: Flow = done.into();
        let flow = if part { flow.of_part() } else { flow };
        let Some(now) = &mut self.now else { return };
        let entry = now.flows.entry(base).or_insert(Flow::NOTHING);
        *entry = entry.then(flow);
        if !matches!(entry.behind(Current::Both), Current::Host | Current::Parted) {
            now.changed.remove(&base);
        } else if flow.behind(Current::Both) == Current::Host {
            // Which part it is that another one changes isn't known.
            now.changed.entry(base).or_default().insert(Changed::default());
        }
        if flow.behind(Current::Both) != Current::Both {
            now.revise(|changed| changed.without(base));
        }
    }

    /// The host changes what a reference names.
    fn changes(&mut self, d: &Designator, done: Use) {
        let known = self.now.as_ref().and_then(|now| now.changed.get(&d.sym)).cloned().unwrap_or_default();
        self.does(d.sym, done);
        let at = Changed::by(self.program, d);
        if let Some(now) = &mut self.now
            && !self.names.contains_key(&d.sym)
        {
            let known = known.into_iter().map(|c| c.without(d.sym));
            now.changed.insert(d.sym, known.chain([at]).collect());
        }
    }

    /// A part of the device's copy is brought up to date: all that this procedure has changed, or not all of it.
    fn brings(&mut self, sym: SymId, section: &Section) {
        let Some(now) = &mut self.now else { return };
        let changed = now.changed.entry(sym).or_default();
        changed.retain(|c| !parts::is_within(&c.at, section));
        let all = changed.is_empty() && !self.names.contains_key(&sym);
        let entry = now.flows.entry(sym).or_insert(Flow::NOTHING);
        *entry = if all { entry.brought() } else { entry.then(Use::OtherToDevice.into()) };
    }

    fn all_do(&mut self, syms: &BTreeSet<SymId>, done: Use) {
        syms.iter().for_each(|s| self.does(*s, done));
    }

    fn block(&mut self, block: &[Stmt]) {
        block.iter().for_each(|s| self.statement(s));
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
                self.one_of(blocks.collect());
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
        let mut used = BTreeSet::new();
        exprs.into_iter().for_each(|e| own_values(e, &mut used));
        self.all_do(&used, Use::HostReads);
    }

    /// What the expressions of a construct make use of.
    fn condition(&mut self, s: &Stmt) {
        self.calls(s);
        self.reads(s.exprs());
    }

    /// What called procedures do.
    fn calls(&mut self, s: &Stmt) {
        let Some(touch) = (self.called)(s) else { return };
        touch.flows.into_iter().for_each(|(sym, flow)| self.does(sym, flow));
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
            let before = self.now.clone();
            self.loops.push(Around { name: name.clone(), left: None });
            let counted = parts::counted(self.program, s);
            counted.iter().for_each(|c| self.does(c.var, Use::HostWrites));
            self.block(body);
            if matches!(control, LoopControl::While(_)) {
                self.condition(s);
            }
            let left = self.loops.pop().and_then(|l| l.left);
            let mut behind = either(self.now.take(), left);
            for c in &counted {
                behind.iter_mut().for_each(|here| here.revise(|changed| changed.behind(self.program, c)));
            }
            self.now = either(behind, before.clone());
            if self.now == before {
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
        let conditional = is_conditional(s);
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
            let done = match (changed.contains(&sym), conditional) {
                (false, false) => Use::DeviceReads,
                (true, false) => Use::DeviceWrites,
                (false, true) => Use::EitherReads,
                (true, true) => Use::EitherWrites,
            };
            self.does(sym, done);
        }
    }

    /// What a directive that stands alone does: an update of arrays or of parts of them, or one that lasts longer than the procedure.
    fn alone(&mut self, directive: &Directive, s: &Stmt) {
        let StmtKind::Directive { names, .. } = &s.kind else { return };
        for sym in parts::dropped(self.program, directive, names) {
            self.does(sym, Use::HostReads);
        }
        for sym in parts::created(self.program, directive, names) {
            self.does(sym, Use::HostWrites);
        }
        let of = &directive.construct;
        if !matches!(of, Construct::Acc(AccConstruct::Update) | Construct::Omp(OmpConstruct::TargetUpdate)) {
            return;
        }
        let before = self.now.clone();
        for Updated { sym, to_device, section } in updated(self.program, directive, names) {
            match (to_device, section) {
                (false, None) => self.does(sym, Use::ToHost),
                (false, Some(_)) => self.does(sym, Use::PartToHost),
                (true, None) => self.does(sym, Use::ToDevice),
                (true, Some(section)) => self.brings(sym, &section),
            }
        }
        if directive.clauses.iter().any(|c| matches!(c.kind, ClauseKind::If(_))) {
            self.now = either(self.now.take(), before);
        }
    }
}
