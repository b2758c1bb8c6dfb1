//! Scalars whose value nobody uses aren't computed (dead code elimination by liveness).

use std::collections::BTreeSet;

use costate_analysis::dataflow::engine::{Direction, Problem, solve};
use costate_analysis::dataflow::graph::{Edge, Node, Place, of_body};
use costate_analysis::sections::scene::calls;
use costate_analysis::storage::symbols;
use costate_grammar::ir::{Block, Expr, LoopControl, Stmt, StmtKind, SymId};

use super::code::Code;
use super::statements::{has_other_blocks, skip};

/// Drops what computes scalar adjoints that aren't used. The forward sweep gets shorter too: assignments of variables to
/// themselves are dropped.
pub(super) fn run(code: &mut Code<'_, '_>) {
    let Code { forward, backward, facts, .. } = code;
    let live = drop_dead(backward, &facts.adjoints, BTreeSet::new());
    drop_dead(forward, &facts.adjoints, live);
}

/// Drops what computes private scalars that the passes before left without use.
pub(super) fn run_on_private(code: &mut Code<'_, '_>) {
    drop_dead(&mut code.backward, &code.facts.private, BTreeSet::new());
}

/// Removes assignments to scalars among `own` whose value isn't used afterwards, given those that are live after the block.
/// Returns those that are live before it.
fn drop_dead(block: &mut Block, own: &BTreeSet<SymId>, after: BTreeSet<SymId>) -> BTreeSet<SymId> {
    let graph = of_body(block);
    let mut problem = Live { own, after, dead: vec![false; graph.nodes().len()] };
    let before = solve(&graph, &mut problem).unwrap_or_default();
    let mut dead = problem.dead.into_iter();
    drop_from(block, &mut || dead.next().unwrap_or(false));
    before
}

/// Drops statements and what is left empty without them. `dead` is asked for each statement in the order of the text.
fn drop_from(block: &mut Block, dead: &mut dyn FnMut() -> bool) {
    block.retain_mut(|s| {
        if dead() {
            return false;
        }
        let full = s.blocks().iter().any(|b| !b.is_empty());
        if has_other_blocks(s) {
            skip(s, dead);
            return true;
        }
        s.blocks_mut().into_iter().for_each(|b| drop_from(b, dead));
        if let StmtKind::If { otherwise, .. } = &mut s.kind
            && otherwise.as_ref().is_some_and(Vec::is_empty)
        {
            *otherwise = None;
        }
        let emptied = full && s.blocks().iter().all(|b| b.is_empty());
        !emptied || calls(s)
    });
}

/// The problem whose facts are the scalars whose value may be used from a point on, and its solution.
struct Live<'a> {
    own: &'a BTreeSet<SymId>,
    /// Those that are used after the block.
    after: BTreeSet<SymId>,
    /// Assignments without use, by the numbers of statements.
    dead: Vec<bool>,
}

impl Live<'_> {
    fn read(&self, e: &Expr, live: &mut BTreeSet<SymId>) {
        live.extend(symbols(e).intersection(self.own));
    }

    /// The scalar that a statement assigns.
    fn target(&self, s: &Stmt) -> Option<SymId> {
        let StmtKind::Assign { lhs, .. } = &s.kind else { return None };
        lhs.as_var().filter(|d| d.parts.is_empty() && self.own.contains(&d.sym)).map(|d| d.sym)
    }

    /// True for an assignment without use, given what is live after it.
    fn is_dead(&self, s: &Stmt, live: &BTreeSet<SymId>) -> bool {
        assigns_itself(s) || self.target(s).is_some_and(|x| !live.contains(&x)) && !calls(s)
    }
}

impl<'a> Problem<Node<'a>, Edge<'a>> for Live<'_> {
    type Fact = BTreeSet<SymId>;
    const DIRECTION: Direction = Direction::Backward;

    fn boundary(&mut self) -> Self::Fact {
        self.after.clone()
    }

    fn join(&mut self, fact: &mut Self::Fact, other: &Self::Fact) -> bool {
        let before = fact.len();
        fact.extend(other);
        fact.len() != before
    }

    fn transfer(&mut self, node: Node<'a>, live: &mut Self::Fact) {
        match (node.place, &node.stmt.kind) {
            (Place::Leaf, StmtKind::Assign { lhs, rhs }) => {
                if self.is_dead(node.stmt, live) {
                    return;
                }
                match self.target(node.stmt) {
                    Some(x) => {
                        live.remove(&x);
                    }
                    None => self.read(lhs, live),
                }
                self.read(rhs, live);
            }
            (Place::Leaf | Place::Header, _) => {
                if has_other_blocks(node.stmt) {
                    live.extend(self.own);
                }
                node.stmt.exprs().into_iter().for_each(|e| self.read(e, live));
            }
            // The condition is evaluated behind each iteration too.
            (Place::Again, StmtKind::Do { control: LoopControl::While(cond), .. }) => self.read(cond, live),
            (Place::Again | Place::End, _) => {}
        }
    }

    fn settled(&mut self, node: Node<'a>, live: &Self::Fact) {
        if node.place == Place::Leaf {
            self.dead[node.number] = self.is_dead(node.stmt, live);
        }
    }
}

/// True for an assignment of a variable, or of an element that is a number, to itself.
fn assigns_itself(s: &Stmt) -> bool {
    let StmtKind::Assign { lhs, rhs } = &s.kind else { return false };
    let element = lhs.rank == 0 && lhs.ty.is_continuous() && !calls(s);
    lhs == rhs && lhs.as_var().is_some_and(|d| d.parts.is_empty() || element)
}
