//! What holds for sections of arrays from statement to statement, through loops and branches.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use costate_grammar::ir::{Designator, LoopControl, Stmt, StmtKind, SymId, for_each_stmt};

use super::scene::{Changes, Scene, calls};
use super::{Facts, Range, Section, Span, apart, covered, swept};

/// What a statement does to a property.
#[derive(Clone, Debug)]
pub enum Event {
    /// It holds for a section.
    Make(SymId, Section),
    /// It may no longer hold for a section.
    Break(SymId, Section),
    /// It may hold nowhere in a variable.
    Forget(SymId),
    /// A procedure is called, which may do anything to variables of others.
    Call,
}

/// A property of array elements that is followed through a procedure.
pub trait Property {
    /// It follows from what comes later, not from what came before.
    const BACKWARD: bool;
    /// What a statement without blocks, or the header of a construct, does, in the order in which it is done.
    fn events(&self, scene: &Scene<'_>, s: &Stmt) -> Vec<Event>;
    /// Rewrites a statement where the property may be asked for; false when the statement goes.
    fn rewrite(&self, scene: &Scene<'_>, s: &mut Stmt, known: &Known<'_>) -> bool;
    /// What is left of a statement, given what is known where the analysis comes to it; `None` when it stays as it is.
    fn shorten(&self, _scene: &Scene<'_>, _s: &Stmt, _facts: &Facts) -> Option<Vec<Stmt>> {
        None
    }
}

/// What is known at a statement.
pub struct Known<'k> {
    facts: &'k Facts,
    /// The loops around it, outermost first.
    within: &'k [Range],
}

impl Known<'_> {
    /// True when the property holds in a section.
    pub fn holds_in(&self, sym: SymId, section: &[Span]) -> bool {
        self.facts.hold(sym, section) || self.facts.cover(sym, section)
    }

    /// True when the property holds for all that a reference to a plain array stands for.
    pub fn holds(&self, scene: &Scene<'_>, d: &Designator) -> bool {
        scene.plain_array(d.sym) && scene.place(d, self.within).is_some_and(|section| self.holds_in(d.sym, &section))
    }
}

/// True when the statements are run one after the other, save for `if (...) exit` at the end of a loop.
fn structured(block: &[Stmt]) -> bool {
    block.iter().enumerate().all(|(k, s)| match &s.kind {
        StmtKind::Exit(_) | StmtKind::Cycle(_) | StmtKind::Return | StmtKind::Goto(_) => false,
        StmtKind::Do { body, .. } => match body.split_last() {
            Some((_, rest)) if crate::loops::exit_flag(body).is_some() => structured(rest),
            _ => structured(body),
        },
        _ => s.label.is_none() && k < block.len() && s.blocks().into_iter().all(|b| structured(b)),
    })
}

/// Rewrites a block by a property of which `facts` are known at its start (its end, for one that comes from later).
pub fn rewrite<P: Property>(property: &P, scene: &Scene<'_>, block: &mut Vec<Stmt>, facts: Facts) {
    if structured(block) {
        Walk::new(property, scene).rewrite(block, facts, &mut Vec::new());
    }
}

/// What is known before a block by a property that follows from what comes later; `facts` hold at its end.
pub fn facts_before<P: Property>(property: &P, scene: &Scene<'_>, block: &[Stmt], mut facts: Facts) -> Facts {
    if !P::BACKWARD || !structured(block) {
        return Facts::default();
    }
    Walk::new(property, scene).block(block, &mut facts);
    facts
}

struct Walk<'a, P> {
    property: &'a P,
    scene: &'a Scene<'a>,
    /// What is known of loops whatever comes before them; as long as `seen` is.
    loops: RefCell<BTreeMap<*const Stmt, Rc<LoopFacts>>>,
    /// From where the analysis enters loops to where it leaves them. A loop in others is come to again and again, mostly
    /// with the same facts. Statements keep their places until all of their block are rewritten, and none is looked at
    /// after it was.
    seen: RefCell<BTreeMap<*const Stmt, Vec<(Facts, Facts)>>>,
    /// What statements without blocks and the headers of constructs do; as long as `seen` is.
    transfers: RefCell<BTreeMap<*const Stmt, Rc<Transfer>>>,
    /// What the analysis has done so far, in comparisons of sections. Each loop is gone through several times for every time
    /// that the one around it is.
    work: Cell<usize>,
}

/// After so much work, nothing more is found out about loops.
const MOST_WORK: usize = 10_000_000;

impl<'a, P: Property> Walk<'a, P> {
    fn new(property: &'a P, scene: &'a Scene<'a>) -> Self {
        Walk {
            property,
            scene,
            loops: RefCell::default(),
            seen: RefCell::default(),
            transfers: RefCell::default(),
            work: Cell::new(0),
        }
    }

    fn spent(&self) -> bool {
        self.work.get() > MOST_WORK
    }

    fn order<T>(list: impl DoubleEndedIterator<Item = T>) -> Vec<T> {
        if P::BACKWARD { list.rev().collect() } else { list.collect() }
    }

    fn rewrite(&self, block: &mut Vec<Stmt>, mut facts: Facts, within: &mut Vec<Range>) {
        let mut instead = BTreeMap::new();
        for (k, s) in Self::order(block.iter_mut().enumerate()) {
            let before = facts.clone();
            self.step(s, &mut facts);
            if let Some(shorter) = self.property.shorten(self.scene, s, &before) {
                instead.insert(k, shorter);
                continue;
            }
            if s.is_region() {
                continue;
            }
            match &mut s.kind {
                StmtKind::Do { .. } => {
                    let Some(l) = self.loop_facts(s) else { continue };
                    let inside = self.inside(s, &l, &before);
                    within.push(l.all.clone());
                    if let StmtKind::Do { body, .. } = &mut s.kind {
                        let had = !body.is_empty();
                        self.rewrite(body, inside, within);
                        if had && body.is_empty() {
                            instead.insert(k, Vec::new());
                        }
                    }
                    within.pop();
                }
                StmtKind::If { .. } | StmtKind::Select { .. } => {
                    let mut before = before;
                    if !P::BACKWARD {
                        self.apply(s, &mut before);
                    }
                    let empty = |s: &Stmt| s.blocks().iter().all(|b| b.is_empty());
                    let had = !empty(s);
                    s.blocks_mut().into_iter().for_each(|b| self.rewrite(b, before.clone(), within));
                    if had && empty(s) && !calls(s) {
                        instead.insert(k, Vec::new());
                    }
                }
                _ => {
                    if !self.property.rewrite(self.scene, s, &Known { facts: &before, within }) {
                        instead.insert(k, Vec::new());
                    }
                }
            }
        }
        replace(block, instead);
    }

    fn block(&self, block: &[Stmt], facts: &mut Facts) {
        for s in Self::order(block.iter()) {
            self.step(s, facts);
        }
    }

    fn step(&self, s: &Stmt, facts: &mut Facts) {
        if matches!(s.kind, StmtKind::Do { .. }) && !s.is_region() {
            let known = |list: &Vec<(Facts, Facts)>| list.iter().find(|k| k.0 == *facts).map(|k| k.1.clone());
            let found = self.seen.borrow().get(&std::ptr::from_ref(s)).and_then(known);
            match (found, self.loop_facts(s)) {
                (Some(after), _) => *facts = after,
                (None, Some(l)) => {
                    let before = facts.clone();
                    self.around(s, &l, facts);
                    self.seen.borrow_mut().entry(s).or_default().push((before, facts.clone()));
                }
                (None, None) => {}
            }
            return;
        }
        match &s.kind {
            StmtKind::If { otherwise, .. } => self.branch(s, otherwise.is_some(), facts),
            StmtKind::Select { arms, .. } => self.branch(s, arms.iter().any(|a| a.ranges.is_empty()), facts),
            _ => {
                let blocks = s.blocks();
                if !blocks.is_empty() {
                    // A construct that isn't looked into, and regions are none that are.
                    *facts = Facts::default();
                }
                self.apply(s, facts);
            }
        }
    }

    fn branch(&self, s: &Stmt, exhaustive: bool, facts: &mut Facts) {
        if !P::BACKWARD {
            self.apply(s, facts);
        }
        let mut joined = (!exhaustive).then(|| facts.clone());
        for b in s.blocks() {
            let mut own = facts.clone();
            self.block(b, &mut own);
            joined = Some(match joined {
                None => own,
                Some(j) => j.common(&own),
            });
        }
        *facts = joined.unwrap_or_default();
        if P::BACKWARD {
            self.apply(s, facts);
        }
    }

    /// Applies a statement, or the header of a construct.
    fn apply(&self, s: &Stmt, facts: &mut Facts) {
        let transfer = self.transfer(s);
        if let Some(changes) = &transfer.changes {
            facts.unbind(|x| self.scene.changed(changes, x));
        }
        for event in &transfer.events {
            self.work.set(self.work.get() + 1 + facts.weight());
            match event {
                Event::Make(sym, section) => facts.add(*sym, section.clone()),
                Event::Break(sym, section) => facts.remove(*sym, section),
                Event::Forget(sym) => facts.forget(|x| x == *sym),
                Event::Call => facts.forget(|x| !self.scene.local(x)),
            }
        }
    }

    fn transfer(&self, s: &Stmt) -> Rc<Transfer> {
        if let Some(known) = self.transfers.borrow().get(&std::ptr::from_ref(s)) {
            return Rc::clone(known);
        }
        let changes = s.blocks().is_empty().then(|| self.scene.changes(std::slice::from_ref(s)));
        let events = Self::order(self.property.events(self.scene, s).into_iter());
        let found = Rc::new(Transfer { changes, events });
        self.transfers.borrow_mut().insert(s, Rc::clone(&found));
        found
    }

    /// What holds where the analysis enters an iteration, given what holds where it enters the loop.
    fn inside(&self, s: &Stmt, l: &LoopFacts, outside: &Facts) -> Facts {
        let mut facts = outside.clone();
        facts.unbind(|x| self.scene.changed(&l.changes, x));
        let lasting = self.lasting(s, l, &facts);
        self.spoil(l, &l.earlier, &mut facts);
        facts.extend(&lasting);
        facts
    }

    /// What holds at the start of every iteration because each one leaves it so.
    fn lasting(&self, s: &Stmt, l: &LoopFacts, facts: &Facts) -> Facts {
        let mut held = facts.clone();
        held.forget(|x| !(l.made.contains(&x) && l.breaks(self.scene, x)));
        for _ in 0..4 {
            if held == Facts::default() || self.spent() {
                return Facts::default();
            }
            let mut end = held.clone();
            self.block(body_of(s), &mut end);
            self.apply(s, &mut end);
            end.unbind(|x| self.scene.changed(&l.changes, x));
            let next = held.common(&end);
            if next == held {
                return held;
            }
            held = next;
        }
        Facts::default()
    }

    /// From where the analysis enters a loop to where it leaves it.
    fn around(&self, s: &Stmt, l: &LoopFacts, facts: &mut Facts) {
        facts.unbind(|x| self.scene.changed(&l.changes, x));
        let lasting = self.lasting(s, l, facts);
        let mut end = facts.clone();
        self.spoil(l, &l.earlier, &mut end);
        end.extend(&lasting);
        self.spoil(l, &l.all, facts);
        facts.extend(&lasting);
        // Only what the body makes is there to be found at its end.
        end.forget(|x| !l.made.contains(&x));
        if l.made.is_empty() || self.spent() {
            end = Facts::default();
        } else {
            self.block(body_of(s), &mut end);
        }
        for (sym, f) in end.sections() {
            let kept = l.broken.iter().all(|b| match b {
                Event::Break(x, w) => *x != sym || apart(&self.sweep(l, w, &l.later), f),
                Event::Forget(x) => *x != sym,
                Event::Call => self.scene.local(sym),
                Event::Make(..) => true,
            });
            if let (true, Some(section)) = (kept, covered(f, &l.all)) {
                facts.add(sym, section);
            }
        }
        facts.unbind(|x| self.scene.changed(&l.changes, x));
        self.apply(s, facts);
    }

    fn sweep(&self, l: &LoopFacts, section: &[Span], range: &Range) -> Section {
        swept(section, range, &|x| Some(x) != range.var && self.scene.changed(&l.changes, x))
    }

    /// Takes away what the iterations of a range break.
    fn spoil(&self, l: &LoopFacts, range: &Range, facts: &mut Facts) {
        for b in &l.broken {
            match b {
                Event::Break(sym, section) => facts.remove(*sym, &self.sweep(l, section, range)),
                Event::Forget(sym) => facts.forget(|x| x == *sym),
                Event::Call => facts.forget(|x| !self.scene.local(x)),
                Event::Make(..) => {}
            }
        }
    }

    /// Everything that is broken anywhere in a block.
    fn broken(&self, block: &[Stmt]) -> Vec<Event> {
        let mut out = Vec::new();
        for s in block {
            let events = &self.transfer(s).events;
            out.extend(Self::order(events.iter()).into_iter().filter(|e| !matches!(e, Event::Make(..))).cloned());
            if let Some(l) = self.loop_facts(s) {
                out.extend(l.broken.iter().map(|e| match e {
                    Event::Break(sym, section) => Event::Break(*sym, self.sweep(&l, section, &l.all)),
                    other => other.clone(),
                }));
            } else {
                s.blocks().into_iter().for_each(|b| out.extend(self.broken(b)));
            }
        }
        out
    }

    /// What there is to know about a loop; `None` for other statements.
    fn loop_facts(&self, s: &Stmt) -> Option<Rc<LoopFacts>> {
        let StmtKind::Do { control, body, .. } = &s.kind else { return None };
        if let Some(known) = self.loops.borrow().get(&std::ptr::from_ref(s)) {
            return Some(Rc::clone(known));
        }
        let found = Rc::new(self.find_loop_facts(control, body));
        self.loops.borrow_mut().insert(s, Rc::clone(&found));
        Some(found)
    }

    fn find_loop_facts(&self, control: &LoopControl, body: &[Stmt]) -> LoopFacts {
        let mut changes = self.scene.changes(body);
        let broken = self.broken(body);
        let mut made = BTreeSet::new();
        for_each_stmt(body, &mut |s| {
            made.extend(self.transfer(s).events.iter().filter_map(|e| match e {
                Event::Make(sym, _) => Some(*sym),
                Event::Break(..) | Event::Forget(_) | Event::Call => None,
            }));
        });
        let LoopControl::Count { var, .. } = control else {
            if let LoopControl::Concurrent { indices, .. } = control {
                changes.symbols.extend(indices.iter().map(|i| i.0));
            }
            let broken = broken.into_iter().map(|e| match e {
                Event::Break(sym, _) => Event::Forget(sym),
                other => other,
            });
            let none = Range::default();
            let (earlier, later, all) = (none.clone(), none.clone(), none);
            return LoopFacts { changes, broken: broken.collect(), made, earlier, later, all };
        };
        changes.symbols.insert(*var);
        let all = self.scene.range(control, &changes, body);
        let (low, high) = (all.earlier(), all.later());
        let (earlier, later) = if P::BACKWARD { (high, low) } else { (low, high) };
        LoopFacts { changes, broken, made, earlier, later, all }
    }
}

/// What a statement without blocks or the header of a construct does.
struct Transfer {
    /// `None` for a header.
    changes: Option<Changes>,
    /// In the order in which the analysis comes to them.
    events: Vec<Event>,
}

/// A loop: what its body changes and breaks, and the iterations before and after one in the direction of the analysis.
struct LoopFacts {
    changes: Changes,
    broken: Vec<Event>,
    /// For what variables the body may make the property hold.
    made: BTreeSet<SymId>,
    earlier: Range,
    later: Range,
    all: Range,
}

impl LoopFacts {
    /// True when an iteration may end a property of a variable.
    fn breaks(&self, scene: &Scene<'_>, sym: SymId) -> bool {
        self.broken.iter().any(|b| match b {
            Event::Break(x, _) | Event::Forget(x) => *x == sym,
            Event::Call => !scene.local(sym),
            Event::Make(..) => false,
        })
    }
}

/// The statements of a loop.
fn body_of(s: &Stmt) -> &[Stmt] {
    if let StmtKind::Do { body, .. } = &s.kind { body } else { &[] }
}

/// Puts other statements in the place of some of a block, or none; their comments stay with what follows.
fn replace(block: &mut Vec<Stmt>, mut instead: BTreeMap<usize, Vec<Stmt>>) {
    let mut comments: Vec<String> = Vec::new();
    let mut kept = Vec::new();
    for (k, mut s) in std::mem::take(block).into_iter().enumerate() {
        let these = match instead.remove(&k) {
            None => vec![s],
            Some(others) => {
                comments.append(&mut s.leading);
                others
            }
        };
        for mut s in these {
            if s.leading.is_empty() {
                s.leading = std::mem::take(&mut comments);
            }
            comments.clear();
            kept.push(s);
        }
    }
    *block = kept;
}
