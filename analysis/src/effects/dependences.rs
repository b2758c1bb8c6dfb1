//! How values depend on others, statement by statement, for the problems of dataflow that ask for it again and again.

use costate_grammar::ir::Program;

use super::{Dependence, Effects};
use crate::dataflow::graph::{Graph, Node, Place};

/// The dependences of each leaf statement of a body on which derivatives can pass.
#[derive(Debug, Default)]
pub struct Dependences(Vec<Vec<Dependence>>);

impl Dependences {
    /// Those of the statement of a node.
    pub fn of(&self, node: Node<'_>) -> &[Dependence] {
        self.0.get(node.number).map_or(&[], Vec::as_slice)
    }
}

impl Effects {
    /// The dependences of the statements of a body.
    pub fn dependences(&mut self, program: &Program, graph: &Graph<'_>) -> Dependences {
        let mut out = Vec::new();
        for node in graph.nodes() {
            let mut pairs = Vec::new();
            match node.place {
                Place::Again | Place::End => continue,
                Place::Header => {}
                Place::Leaf => {
                    let access = self.access(program, node.stmt);
                    pairs = self.statement_depends(program, node.stmt, &access);
                    pairs.retain(|(to, _, _)| self.locs.is_continuous(program, *to));
                }
            }
            out.push(pairs);
        }
        Dependences(out)
    }
}
