//! Scalars whose value nobody uses aren't computed (dead code elimination by liveness).

use std::collections::{BTreeSet, HashMap};

use costate_analysis::storage::symbols;
use costate_grammar::ir::{Block, Expr, LoopControl, Stmt, StmtKind, SymId};

use super::code::Code;

use super::statements::has_other_blocks;
use costate_analysis::sections::flow::calls;

/// Drops what computes scalar adjoints that aren't used. The forward sweep gets shorter too: assignments of variables to
/// themselves are dropped.
pub(super) fn run(code: &mut Code<'_, '_>) {
    let Code { forward, backward, facts, .. } = code;
    drop_unused_of_both(forward, backward, &facts.adjoints);
}

/// Drops what computes private scalars that the passes before left without use.
pub(super) fn run_on_private(code: &mut Code<'_, '_>) {
    drop_unused(&mut code.backward, &code.facts.private);
}

/// Removes assignments to scalars among `own` whose value isn't used afterwards; after the block none of them is.
fn drop_unused(block: &mut Block, own: &BTreeSet<SymId>) {
    drop_unused_of_both(&mut Block::new(), block, own);
}

/// The same for two blocks of which the second one follows the first.
fn drop_unused_of_both(first: &mut Block, second: &mut Block, own: &BTreeSet<SymId>) {
    let mut live = BTreeSet::new();
    Unused { own }.block(second, &mut live);
    Unused { own }.block(first, &mut live);
}

/// For loops, what was live after them when they were last looked at, and at the end of their iterations: the loops of a nest are gone over
/// again and again until nothing changes, and most of the time nothing has changed for the loops inside.
type Known = HashMap<*const Stmt, (BTreeSet<SymId>, BTreeSet<SymId>)>;

/// Goes from the end of a block to its beginning. `live` are scalars whose value may be used from there on.
struct Unused<'a> {
    own: &'a BTreeSet<SymId>,
}

impl Unused<'_> {
    fn block(&self, block: &mut Block, live: &mut BTreeSet<SymId>) {
        let mut kept = Vec::new();
        for mut s in std::mem::take(block).into_iter().rev() {
            let full = s.blocks().iter().any(|b| !b.is_empty());
            let needed = self.statement(&mut s, live);
            if let StmtKind::If { otherwise, .. } = &mut s.kind
                && otherwise.as_ref().is_some_and(Vec::is_empty)
            {
                *otherwise = None;
            }
            let emptied = full && s.blocks().iter().all(|b| b.is_empty());
            if needed && (!emptied || calls(&s)) {
                kept.push(s);
            }
        }
        kept.reverse();
        *block = kept;
    }

    /// Goes into the blocks of a statement. False for a statement that isn't needed.
    fn statement(&self, s: &mut Stmt, live: &mut BTreeSet<SymId>) -> bool {
        let after = live.clone();
        let mut known = Known::new();
        if !self.before(s, live, &mut known) {
            return false;
        }
        let at_end = known.remove(&std::ptr::from_ref(&*s)).map(|(_, end)| end);
        match &mut s.kind {
            StmtKind::Do { body, .. } => self.block(body, &mut at_end.unwrap_or_else(|| self.own.clone())),
            StmtKind::If { arms, otherwise, .. } => {
                let bodies = arms.iter_mut().map(|a| &mut a.body).chain(otherwise);
                bodies.for_each(|body| self.block(body, &mut after.clone()));
            }
            StmtKind::Select { arms, .. } => {
                arms.iter_mut().for_each(|arm| self.block(&mut arm.body, &mut after.clone()));
            }
            _ => {}
        }
        true
    }

    /// From what is live after a statement to what is live before it; false for a statement that isn't needed.
    fn before(&self, s: &Stmt, live: &mut BTreeSet<SymId>, known: &mut Known) -> bool {
        if let StmtKind::Assign { lhs, rhs } = &s.kind {
            let whole = lhs.as_var().filter(|d| d.parts.is_empty()).map(|d| d.sym);
            if lhs == rhs && whole.is_some() {
                return false;
            }
            match whole.filter(|x| self.own.contains(x)) {
                Some(x) if !live.remove(&x) && !calls(s) => return false,
                Some(_) => {}
                None => self.read(lhs, live),
            }
            self.read(rhs, live);
            return true;
        }
        match &s.kind {
            StmtKind::Do { control, body, .. } => {
                let place = std::ptr::from_ref(s);
                let found = known.get(&place).filter(|(after, _)| after == live).map(|(_, before)| before.clone());
                let before = found.unwrap_or_else(|| {
                    let end = self.at_end(control, body, live.clone(), known);
                    known.insert(place, (live.clone(), end.clone()));
                    end
                });
                *live = before;
            }
            StmtKind::If { arms, otherwise, .. } => {
                self.any_of(arms.iter().map(|a| &a.body).chain(otherwise), otherwise.is_some(), live, known);
            }
            StmtKind::Select { arms, .. } => {
                let exhaustive = arms.iter().any(|a| a.ranges.is_empty());
                self.any_of(arms.iter().map(|a| &a.body), exhaustive, live, known);
            }
            StmtKind::Exit(_) | StmtKind::Cycle(_) | StmtKind::Return | StmtKind::Goto(_) => live.extend(self.own),
            // Constructs that aren't looked into.
            other if has_other_blocks(other) => live.extend(self.own),
            _ => {}
        }
        s.exprs().into_iter().for_each(|e| self.read(e, live));
        true
    }

    fn before_all(&self, block: &[Stmt], live: &mut BTreeSet<SymId>, known: &mut Known) {
        for s in block.iter().rev() {
            self.before(s, live, known);
        }
    }

    /// What is live at the end of each iteration of a loop, of what is live after the loop.
    fn at_end(
        &self,
        control: &LoopControl,
        body: &[Stmt],
        mut live: BTreeSet<SymId>,
        known: &mut Known,
    ) -> BTreeSet<SymId> {
        if let LoopControl::While(cond) = control {
            self.read(cond, &mut live);
        }
        // Each iteration may be followed by another one.
        loop {
            let mut start = live.clone();
            self.before_all(body, &mut start, known);
            let count = live.len();
            live.extend(start);
            if live.len() == count {
                return live;
            }
        }
    }

    /// What is live before one of several blocks; none of them may be executed unless they are `exhaustive`.
    fn any_of<'b>(
        &self,
        blocks: impl Iterator<Item = &'b Block>,
        exhaustive: bool,
        live: &mut BTreeSet<SymId>,
        known: &mut Known,
    ) {
        let after = live.clone();
        if exhaustive {
            live.clear();
        }
        for block in blocks {
            let mut own = after.clone();
            self.before_all(block, &mut own, known);
            live.extend(own);
        }
    }

    fn read(&self, e: &Expr, live: &mut BTreeSet<SymId>) {
        live.extend(symbols(e).intersection(self.own));
    }
}
