//! Local variables that are used without a value: no statement that may run before a use defines them. A use under a
//! condition within a loop may see what a later statement of the loop has defined in an iteration before; all others must
//! have a definition that comes first.

use std::collections::BTreeSet;

use costate_analysis::loops::has_iteration;
use costate_grammar::check::Finding;
use costate_grammar::ir::{Name, Origin, ProcId, Program, Role, Stmt, StmtKind, SymId, for_each_stmt};

use super::uses;
use crate::remap::mentioned;

/// Uses of undefined variables in a procedure. Those with these names are excused: the user's code uses them so as well.
pub(super) fn undefined(program: &Program, p: ProcId, excused: &BTreeSet<Name>) -> Vec<Finding> {
    let mut walk = Walk { program, among: local(program, p), out: Vec::new() };
    walk.block(&program[p].body, &mut BTreeSet::new(), &BTreeSet::new());
    let shown = walk.out.into_iter().filter(|(s, _)| !excused.contains(&program[*s].name));
    shown
        .map(|(s, stmt)| Finding {
            span: stmt.origin.span(),
            what: format!("`{}` is used before it has a value", program[s].name),
        })
        .collect()
}

/// The names of the variables that are used undefined.
pub(super) fn names(program: &Program, p: ProcId) -> BTreeSet<Name> {
    let mut walk = Walk { program, among: local(program, p), out: Vec::new() };
    walk.block(&program[p].body, &mut BTreeSet::new(), &BTreeSet::new());
    walk.out.into_iter().map(|(s, _)| program[s].name.clone()).collect()
}

/// Variables of intrinsic types that only the procedure's own statements define.
pub(super) fn local(program: &Program, p: ProcId) -> BTreeSet<SymId> {
    let scope = program[p].scope;
    let mut inside = BTreeSet::new();
    for inner in &program[p].internals {
        mentioned(&program[*inner].body, &mut inside);
    }
    let fine = |s: &SymId| {
        let Some(v) = program.var(*s) else { return false };
        let given = v.dummy.is_some() || v.result || v.init.is_some() || v.data || v.attrs.save || v.attrs.parameter;
        let known = !(v.has_other_names() || v.directive) && v.ty.derived().is_none();
        program[*s].scope == scope && !given && known && !inside.contains(s)
    };
    program[scope].names.values().copied().filter(fine).collect()
}

struct Walk<'p> {
    program: &'p Program,
    among: BTreeSet<SymId>,
    out: Vec<(SymId, &'p Stmt)>,
}

impl<'p> Walk<'p> {
    /// `defined` may have a value here, `carried` only after an iteration of a loop around this.
    fn block(&mut self, block: &'p [Stmt], defined: &mut BTreeSet<SymId>, carried: &BTreeSet<SymId>) {
        for s in block {
            let mut uses = uses::of(self.program, s);
            if let Some(copied) = saved(s) {
                uses.reads.remove(&copied);
            }
            for r in uses.reads.iter().filter(|r| self.among.contains(r) && !defined.contains(r)) {
                // One use is enough for each.
                if !self.out.iter().any(|(known, _)| known == r) {
                    self.out.push((*r, s));
                }
            }
            defined.extend(uses.defines);
            let blocks = s.blocks();
            if blocks.is_empty() || uses::is_idle(s) {
                continue;
            }
            let inside: BTreeSet<SymId> = match &s.kind {
                StmtKind::Directive { .. } => defined.clone(),
                _ => defined.union(carried).copied().collect(),
            };
            // What is never executed uses nothing.
            let empty = matches!(&s.kind, StmtKind::Do { control, .. } if has_iteration(control) == Some(false));
            for inner in blocks.into_iter().filter(|_| !empty) {
                let mut own = inside.clone();
                let mut again = carried.clone();
                if matches!(s.kind, StmtKind::Do { .. }) {
                    self.definitions(inner, &mut again);
                }
                self.block(inner, &mut own, &again);
                self.definitions(inner, defined);
            }
        }
    }

    fn definitions(&self, block: &[Stmt], out: &mut BTreeSet<SymId>) {
        for_each_stmt(block, &mut |s| out.extend(uses::of(self.program, s).defines));
    }
}

/// The variable whose value a statement saves. There need not be one before the first iteration of a loop: what is restored
/// then is as undefined as it was.
fn saved(s: &Stmt) -> Option<SymId> {
    let StmtKind::Assign { rhs, .. } = &s.kind else { return None };
    let saves = matches!(s.origin, Origin::Derived { role: Role::Save, .. });
    rhs.as_var().filter(|_| saves).map(|d| d.sym)
}
