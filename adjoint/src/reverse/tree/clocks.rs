//! Clocks in differentiated procedures, and calls that give other values each time. What runs again asks them again: that
//! does no harm where a program measures its run time, and gives wrong derivatives where an adjoint uses the value.

use std::rc::Rc;

use costate_analysis::storage::LocSet;
use costate_grammar::diag::Code;
use costate_grammar::ir::{Callee, Stmt, StmtKind};

use super::node::Node;
use crate::reverse::Reverse;

impl Reverse<'_, '_> {
    /// Sees to it that nothing runs again that asks a clock for a value that adjoints use.
    pub(in crate::reverse) fn heed_clocks(&mut self, body: &[Stmt], nodes: &mut [Node]) {
        let mut asked = Vec::new();
        for node in nodes.iter() {
            node.for_each_leaf(&mut |l| {
                if !l.access.unsteady.is_empty() {
                    asked.push(l.stmt.clone());
                }
            });
        }
        if asked.is_empty() {
            return;
        }
        let unsteady = self.effects.unsteady_in_use(self.b.program, body);
        if !nodes.iter().any(|n| uses(n, &unsteady)) {
            return;
        }
        for node in nodes {
            node.for_each_leaf_mut(&mut |l| {
                Rc::make_mut(&mut l.access).irreproducible |= !l.access.unsteady.is_empty();
            });
        }
        if self.context.head {
            return;
        }
        for stmt in &asked {
            let (reason, help) = match &stmt.kind {
                StmtKind::Call { callee: Callee::Intrinsic(_), .. } => (
                    "an adjoint runs this procedure again and uses the time, which would then be another",
                    "ask for the time in the procedure of the head, and pass it on",
                ),
                _ if stmt.is_region() => (
                    "an adjoint runs this procedure again, and the order in which threads come to a statement here may be \
                     another one then",
                    "keep what is computed here the same in whatever order threads come to it, or do it in the procedure \
                     of the head",
                ),
                _ => (
                    "an adjoint runs this procedure again, and the procedure that is called here may give other values then: \
                     it keeps a state of its own, or its source isn't known",
                    "call it in the procedure of the head and pass its values on; or use `--layout extend`, which makes the \
                     state that it keeps variables of its module, or add its source file",
                ),
            };
            self.refuse(stmt, Code::ActiveIo, reason, help);
        }
    }
}

/// True when adjoints in a node use some of these values, or where they decide which adjoints run.
fn uses(node: &Node, values: &LocSet) -> bool {
    if !node.has_adjoint() {
        return false;
    }
    let used = |reads: &LocSet| !reads.is_disjoint(values);
    match node {
        Node::Leaf(l) => used(&l.needs) || l.storage.is_some() && used(&l.access.reads),
        Node::Branch(b) => used(&b.reads) || b.arms.iter().flatten().any(|n| uses(n, values)),
        Node::Loop(l) => {
            let exit = l.exit.as_ref().is_some_and(|(_, _, reads)| used(reads));
            exit || used(&l.access.reads) || l.body.iter().any(|n| uses(n, values))
        }
    }
}
