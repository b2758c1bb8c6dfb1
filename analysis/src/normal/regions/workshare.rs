//! `workshare` and `kernels`: threads share out the elements of each array statement, as they would the iterations of its loop.

use costate_grammar::directives::{AccConstruct, Directive, OmpConstruct, parse};
use costate_grammar::ir::{Block, Evidence, LoopControl, LoopDirective, Origin, Parallel, Stmt, StmtKind};
use costate_grammar::lines::Sentinel;

use super::asked::{self, Team};
use crate::normal::context::Cx;

/// True for a construct whose array statements threads share out.
pub(super) fn shares_statements(d: &Directive) -> bool {
    matches!(d.omp(), Some(OmpConstruct::Workshare | OmpConstruct::ParallelWorkshare))
        || d.acc() == Some(&AccConstruct::Kernels)
}

/// The statements in such a construct, array statements as loops that ask for what the construct does. Nothing is known of
/// their iterations: statements may use what others of their elements change.
pub(super) fn as_loops(cx: &mut Cx, body: Block, team: &Team) -> Block {
    let mut out = Block::with_capacity(body.len());
    for stmt in body {
        if !matches!(stmt.kind, StmtKind::Assign { .. } | StmtKind::Where { .. } | StmtKind::Forall { .. }) {
            out.push(stmt);
            continue;
        }
        let origin = stmt.origin;
        let arrays = cx.openers.arrays;
        let mut made = arrays(cx, vec![stmt]);
        made.iter_mut().for_each(|s| share(cx, s, origin, team));
        out.extend(made);
    }
    out
}

/// Has a loop ask for its iterations to be shared out.
fn share(cx: &Cx, s: &mut Stmt, origin: Origin, team: &Team) {
    let StmtKind::Do { control: LoopControl::Count { .. }, parallel, .. } = &mut s.kind else { return };
    let own = match team.is_kernels() {
        true => Vec::new(),
        false => {
            let Ok(directive) = parse(Sentinel::Omp, "do", origin.span()) else { return };
            vec![LoopDirective::new(directive, origin)]
        }
    };
    let directives = asked::directives(cx.program, (&own, &[]), team, origin);
    if !directives.is_empty() {
        *parallel = Some(Box::new(Parallel { directives, evidence: Some(Box::new(Evidence::default())) }));
    }
}
