//! Builds the node tree of a body in normal form and refuses what can't be reversed.

use std::collections::BTreeSet;
use std::rc::Rc;

use costate_analysis::covers;
use costate_analysis::dependence::mentions::for_each_value;
use costate_analysis::devices::{Move, moves_alone, moves_of};
use costate_analysis::effects::{Access, inner_calls, target};
use costate_analysis::normal::kind::{Call, Kind, Left, kind};
use costate_analysis::storage::{LocId, LocSet, canonical};
use costate_grammar::diag::{Code, Diagnostic};
use costate_grammar::intrinsics::{Class, Intrinsic};
use costate_grammar::ir::{
    Block, Callee, Expr, ExprKind, IfArm, Name, Role, SelectArm, Stmt, StmtKind, SymId, for_each_expr,
};
use costate_grammar::lines::Sentinel;

use super::call_site::CallSite;
use super::decisions::Storage;
use super::node::{Branch, Leaf, Node, Replay, writes};
use crate::obstacles::{VALUES, takes_values};
use crate::reverse::Reverse;
use crate::reverse::decide::allocations::item;
use costate_analysis::sections::Range;

impl Reverse<'_, '_> {
    /// The node tree of the procedure's body.
    pub(in crate::reverse) fn construct(&mut self, body: &[Stmt]) -> Vec<Node> {
        let mut nodes = self.block(body);
        settle(&mut nodes, &LocSet::new());
        let changing = writes(&nodes).iter().map(|l| self.effects.locs.get(*l).sym).collect();
        self.find_covers(&mut nodes, &changing);
        let mentions = costate_analysis::normal::mentions(self.b.program, body);
        self.find_private(&mut nodes, &mentions);
        self.find_disjoint(&mut nodes);
        self.find_storage(&mut nodes, body);
        self.find_iterated(&mut nodes);
        nodes
    }

    /// Notes what each loop assigns from end to end.
    fn find_covers(&mut self, nodes: &mut [Node], changing: &BTreeSet<SymId>) {
        for node in nodes {
            match node {
                Node::Leaf(_) => {}
                Node::Branch(b) => b.arms.iter_mut().for_each(|a| self.find_covers(a, changing)),
                Node::Loop(l) => {
                    for sym in covers::of_loop(self.b.program, &l.stmt, changing) {
                        l.covers.extend(self.effects.locs.leaves(self.b.program, sym, &[]));
                    }
                    self.find_covers(&mut l.body, changing);
                }
            }
        }
    }

    pub(super) fn block(&mut self, block: &[Stmt]) -> Vec<Node> {
        let mut out = Vec::new();
        for stmt in block {
            match kind(stmt) {
                Kind::If { .. } | Kind::Select { .. } => out.push(self.branch(stmt)),
                Kind::Loop { body, exit, .. } => match self.fixed_point_at(stmt, body, exit) {
                    Some(nodes) => out.extend(nodes),
                    None => out.push(self.for_loop(stmt, body, exit)),
                },
                Kind::Left(Left::Scope(body)) => out.extend(self.block(body)),
                Kind::Nothing => {}
                Kind::Directive(_) if moves_alone(self.b.program, stmt) => {
                    // Where this runs again, what was put on the device is there, and what was taken from there isn't.
                    let moves = moves_of(self.b.program, stmt);
                    let (again, once): (Vec<SymId>, Vec<SymId>) =
                        moves.into_iter().flat_map(|m| m.arrays).partition(|a| self.unpaired.contains(a));
                    if again.is_empty() {
                        out.extend(self.leaf(stmt));
                    } else if !once.is_empty() {
                        self.refuse(
                            stmt,
                            Code::UnsupportedDirective,
                            "it moves arrays of which some stay on the device from call to call, and others don't",
                            "write a directive for each of them",
                        );
                    }
                }
                Kind::Directive(directive) => {
                    if !matches!(directive.sentinel, Sentinel::Ad | Sentinel::Vendor) {
                        self.refuse(
                            stmt,
                            Code::UnsupportedDirective,
                            &format!("a directive ({}) stands in it", directive.text),
                            "remove the directive, or keep the region out of the differentiated code",
                        );
                    }
                }
                Kind::Region { .. } => out.extend(self.region(stmt)),
                Kind::Allocate { .. } | Kind::Deallocate { .. } => {
                    let items = crate::reverse::statements::allocate::single(stmt);
                    out.extend(items.iter().filter_map(|s| self.leaf(s)).collect::<Vec<_>>());
                }
                Kind::Left(Left::Concurrent) => self.refuse_left(stmt),
                Kind::Assign { .. }
                | Kind::Product { .. }
                | Kind::Call(_)
                | Kind::PointerAssign { .. }
                | Kind::Nullify(_)
                | Kind::InputOutput { .. }
                | Kind::Stop(_)
                | Kind::Exit
                | Kind::Left(Left::Jump | Left::Goto | Left::Masked | Left::Unsupported(_)) => {
                    out.extend(self.leaf(stmt));
                }
            }
        }
        out
    }

    pub(in crate::reverse) fn refuse(&mut self, stmt: &Stmt, code: Code, reason: &str, help: &str) {
        let d = Diagnostic::error(code, stmt.origin.span(), "this statement can't be differentiated")
            .reason(reason)
            .help(help);
        if !self.problems.contains(&d) {
            self.problems.push(d);
        }
    }

    /// Refuses what isn't in normal form.
    fn refuse_left(&mut self, stmt: &Stmt) {
        let (code, reason, help) = match kind(stmt) {
            Kind::Left(Left::Unsupported(what)) => (
                Code::UnsupportedStatement,
                format!("{what} isn't supported in differentiated code"),
                "rewrite it, or keep it out of the procedures that the head reaches",
            ),
            Kind::Left(Left::Masked) => {
                let reason = "normal form could not turn it into loops".to_string();
                (Code::UnsupportedStatement, reason, "write it as loops")
            }
            Kind::Left(Left::Concurrent) => {
                let reason = "do concurrent is left after normal form".to_string();
                (Code::UnsupportedStatement, reason, "write it as do loops")
            }
            _ => {
                let reason = "a jump is left after normal form".to_string();
                (Code::UnsupportedControl, reason, "write the jump with if blocks")
            }
        };
        self.refuse(stmt, code, &reason, help);
    }

    fn branch(&mut self, stmt: &Stmt) -> Node {
        let mut reads = LocSet::new();
        for e in stmt.exprs() {
            self.effects.reads(self.b.program, e, &mut reads);
        }
        if let StmtKind::Select { arms, .. } = &stmt.kind {
            for range in arms.iter().flat_map(|a| &a.ranges) {
                for e in range.exprs() {
                    self.effects.reads(self.b.program, e, &mut reads);
                }
            }
        }
        let bodies: Vec<&Vec<Stmt>> = ordered_blocks(stmt);
        let arms = bodies.into_iter().map(|b| self.block(b)).collect();
        let asks_status = stmt.exprs().into_iter().any(asks_status);
        let exhaustive = costate_analysis::activity::exhaustive(stmt);
        let replay = Replay::Save;
        Node::Branch(Box::new(Branch { stmt: without_bodies(stmt), reads, arms, exhaustive, asks_status, replay }))
    }

    fn for_loop(&mut self, stmt: &Stmt, body: &[Stmt], exit: Option<(&Stmt, &Expr)>) -> Node {
        let exit = exit.map(|(stmt, flag)| {
            let mut reads = LocSet::new();
            self.effects.reads(self.b.program, flag, &mut reads);
            (stmt.clone(), flag.clone(), reads)
        });
        let range = match &stmt.kind {
            StmtKind::Do { control, body, .. } => self.b.scene().range_of(control, body),
            _ => Range::default(),
        };
        self.ranges.push(range.clone());
        let body = self.block(body);
        self.ranges.pop();
        let mut out = self.new_loop(stmt, body);
        out.exit = exit;
        out.range = range;
        Node::Loop(Box::new(out))
    }

    pub(in crate::reverse) fn leaf(&mut self, stmt: &Stmt) -> Option<Node> {
        let mut access = self.effects.access(self.b.program, stmt);
        // No statement may define the variable of a loop around it, whatever it is passed to.
        let counters: Vec<SymId> = self.ranges.iter().filter_map(|r| r.var).collect();
        let counting = |s: &Self, l: &LocId| counters.contains(&s.effects.locs.get(*l).sym);
        access.writes.retain(|l| !counting(self, l));
        access.kills.retain(|l| !counting(self, l));
        if access.irreproducible && !self.context.head {
            self.refuse(
                stmt,
                Code::ActiveIo,
                "an adjoint runs this procedure again, and this statement would then give other values",
                "move the input or the random numbers to the procedure of the head",
            );
        }
        let mut leaf = Leaf::new(stmt.clone(), access);
        // What calls within the statement overwrite.
        for (callee, args) in inner_calls(stmt) {
            let targets = self.call_targets(&CallSite { stmt, callee, args, result: None });
            leaf.add_targets(targets);
        }
        match kind(stmt) {
            Kind::Assign { lhs, rhs } | Kind::Product { lhs, rhs, .. } => {
                leaf.adjoint = Rc::new(self.adjoint_of_assign(stmt, lhs, rhs));
                leaf.needs = self.primal_reads(&leaf.adjoint);
                leaf.add_targets(self.targets_of(lhs));
            }
            Kind::Call(Call { callee, args, result }) => {
                self.call_leaf(&CallSite { stmt, callee, args, result: result.map(|r| r.to) }, &mut leaf);
            }
            Kind::Allocate { .. } | Kind::Deallocate { .. } if self.manages_pointer(stmt) => {
                self.association_leaf(stmt, &mut leaf);
            }
            Kind::Allocate { options, .. } | Kind::Deallocate { options, .. } => {
                leaf.storage = Some(Storage::Forward);
                leaf.add_targets(self.outcome_of(options));
                self.check_allocation(stmt);
                if takes_values(stmt)
                    && item(stmt).and_then(Expr::as_var).cloned().is_some_and(|d| self.has_storage(&d))
                {
                    let (reason, help) = VALUES;
                    self.refuse(stmt, Code::UnsupportedStatement, reason, help);
                }
            }
            Kind::InputOutput { items, .. } => {
                for e in &items.defines {
                    leaf.add_targets(self.targets_of(e));
                    if e.as_var().cloned().is_some_and(|d| self.has_storage(&d)) {
                        self.refuse(
                            stmt,
                            Code::ActiveIo,
                            "it reads an active variable",
                            "read into a variable that is not active and assign it",
                        );
                    }
                }
            }
            Kind::Stop(_) | Kind::Directive(_) => {}
            Kind::PointerAssign { .. } | Kind::Nullify(_) => self.association_leaf(stmt, &mut leaf),
            Kind::Exit | Kind::Left(Left::Jump | Left::Goto | Left::Masked | Left::Unsupported(_)) => {
                self.refuse_left(stmt);
            }
            Kind::If { .. }
            | Kind::Select { .. }
            | Kind::Loop { .. }
            | Kind::Region { .. }
            | Kind::Nothing
            | Kind::Left(Left::Scope(_) | Left::Concurrent) => return None,
        }
        Rc::make_mut(&mut leaf.targets).retain(|(e, _)| e.as_var().is_none_or(|d| !counters.contains(&d.sym)));
        self.note_ways_to_targets(&mut leaf);
        Some(Node::Leaf(Box::new(leaf)))
    }

    /// Notes the subscripts and pointers of the references that a leaf may assign.
    pub(in crate::reverse) fn note_ways_to_targets(&mut self, leaf: &mut Leaf) {
        for d in leaf.targets.iter().filter_map(|(e, _)| e.as_var()) {
            self.effects.only_subscripts(self.b.program, d, &mut leaf.subscripts);
            leaf.pointers.extend(self.effects.locs.pointers(self.b.program, d));
        }
    }

    /// What an allocation tells about itself: status and message.
    pub(in crate::reverse) fn outcome_of(&mut self, options: &[(Name, Expr)]) -> Vec<(Expr, LocSet)> {
        let told = options.iter().filter(|o| matches!(o.0.as_str(), "stat" | "errmsg"));
        told.flat_map(|(_, e)| self.targets_of(e)).collect()
    }

    /// By which reference the value of a variable, an element or a section is saved, and what it stands for.
    pub(in crate::reverse) fn targets_of(&mut self, e: &Expr) -> Vec<(Expr, LocSet)> {
        let Some(d) = e.as_var().cloned() else { return Vec::new() };
        let locs: LocSet = self.leaves(&d).into_iter().collect();
        let mut used = Vec::new();
        for child in e.children() {
            for_each_value(child, &mut |x| used.extend(x.as_var().cloned()));
        }
        // Putting back an element that tells which one it is needs the whole array: `idx(idx(1)) = k`.
        let own = used.iter().any(|x| self.leaves(x).iter().any(|l| locs.contains(l)));
        let target = if own { e.array() } else { e.clone() };
        vec![(target, locs)]
    }

    /// Fills in a call: its adjoint, or the reason why there can be none.
    fn call_leaf(&mut self, site: &CallSite<'_>, leaf: &mut Leaf) {
        leaf.add_targets(self.call_targets(site));
        leaf.associates = !self.associations(&leaf.access).is_empty();
        self.associate_in_call(site, leaf);
        leaf.reshaped = self.reshaped(site, &leaf.access);
        let child = self.context.callees.get(&site.stmt.id);
        if let Some(signature) = child.and_then(|c| self.signatures.get(c)).cloned() {
            if signature.only_associates {
                return;
            }
            leaf.forward = self.recording(site, &signature);
            let adjoint = match self.halves_for(site, &signature, leaf) {
                Some(halves) => self.split_call(site, &signature, &halves, leaf),
                None => {
                    leaf.by_what_is_left = self.adjoint_by_what_is_left(site, &signature, leaf).map(Rc::new);
                    self.adjoint_of_call(site, &signature)
                }
            };
            // Where a value is used as it was before, what is used as it is after the call can't be the same variable's.
            if signature.external.is_some() && !adjoint.needs.is_disjoint(&adjoint.after) {
                self.refuse_call(site, "its adjoint uses values of one variable from before and after the call");
            }
            let taken_off = self.taken_off(site.stmt, Rc::make_mut(&mut leaf.access));
            leaf.adjoint = Rc::new([adjoint.stmts, taken_off].concat());
            leaf.needs = adjoint.needs;
            leaf.clobbers = adjoint.clobbers;
            leaf.by_result |= !adjoint.after.is_empty();
            leaf.after.extend(adjoint.after);
            return;
        }
        let active_write = leaf.access.writes.iter().any(|w| self.storage.contains(w));
        if let Callee::Intrinsic(f) = site.callee {
            let touches = active_write || leaf.access.reads.iter().any(|r| self.storage.contains(r));
            if *f == Intrinsic::MoveAlloc && touches || active_write {
                self.refuse(
                    site.stmt,
                    Code::UnsupportedCall,
                    "this intrinsic subroutine changes active variables",
                    "assign the variables instead",
                );
            }
            return;
        }
        // Where derivatives may pass through a procedure without source, it is refused before.
        if target(self.b.program, site.callee).is_none() {
            return;
        }
        leaf.adjoint = Rc::new(self.taken_off(site.stmt, Rc::make_mut(&mut leaf.access)));
        if active_write {
            self.made_inactive(site, leaf);
        }
    }

    /// What a call puts on a device for a second time, where the primal did so before, is taken off once. A call that only takes
    /// off what is gone isn't needed for that.
    fn taken_off(&mut self, stmt: &Stmt, access: &mut Access) -> Block {
        let moves = if self.unpaired.is_empty() { Vec::new() } else { moves_of(self.b.program, stmt) };
        let again = |m: &Move| m.arrays.iter().all(|a| self.unpaired.contains(a));
        access.on_device &= moves.is_empty() || moves.iter().any(|m| m.puts || !again(m));
        let put = moves.iter().rev().filter(|m| again(m)).filter_map(|m| Some((m.undone.clone()?, m.arrays.clone())));
        let put: Vec<_> = put.collect();
        put.into_iter()
            .map(|(directive, names)| {
                self.b.derive(StmtKind::Directive { directive, names, body: None }, stmt, Role::Layout)
            })
            .collect()
    }

    /// A known procedure without derivative: what it overwrites is inactive from then on.
    fn made_inactive(&mut self, site: &CallSite<'_>, leaf: &mut Leaf) {
        for (e, locs) in Rc::clone(&leaf.targets).iter() {
            let written: Vec<_> = locs
                .iter()
                .filter(|l| leaf.access.writes.contains(l) && self.storage.contains(l))
                // What may be without memory is set to zero where it gets memory.
                .filter(|l| !leaf.access.shapes.contains(l))
                .copied()
                .collect();
            if written.is_empty() {
                continue;
            }
            // A function's result is defined as a whole, whatever it goes to.
            let killed = site.result == Some(e) || written.iter().all(|l| leaf.access.kills.contains(l));
            let parts =
                if site.result == Some(e) { Some(vec![e.clone()]) } else { self.written_parts(e, locs, &written) };
            if let Some(parts) = parts.filter(|_| killed) {
                for part in &parts {
                    Rc::make_mut(&mut leaf.adjoint).extend(self.zero_reference(part, site.stmt));
                }
            } else {
                let varied = self.context.varied.get(&site.stmt.id).cloned().unwrap_or_default();
                let useful = self.context.useful.get(&site.stmt.id).cloned().unwrap_or_default();
                if written.iter().any(|l| varied.contains(l) && useful.contains(l)) {
                    self.refuse(
                        site.stmt,
                        Code::UnsupportedCall,
                        "it overwrites part of an active variable with inactive values",
                        "let the procedure assign the whole variable",
                    );
                }
            }
        }
        leaf.needs = self.primal_reads(&leaf.adjoint);
    }

    /// A reference that is written, or the components of it that are where others with derivatives are left alone; nothing
    /// where these have no names.
    fn written_parts(&self, e: &Expr, locs: &LocSet, written: &[LocId]) -> Option<Vec<Expr>> {
        if locs.iter().filter(|l| self.storage.contains(l)).all(|l| written.contains(l)) {
            return Some(vec![e.clone()]);
        }
        let d = e.as_var()?;
        let own = canonical(self.b.program, d.sym, &d.path());
        let part = |l: &LocId| {
            let loc = self.effects.locs.get(*l);
            let rest = loc.path.strip_prefix(own.as_slice()).filter(|_| loc.sym == d.sym && loc.is_named())?;
            Some(self.extend(e, rest))
        };
        written.iter().map(part).collect()
    }
}

/// The blocks of a branch, the default last.
pub(in crate::reverse) fn ordered_blocks(stmt: &Stmt) -> Vec<&Vec<Stmt>> {
    match &stmt.kind {
        StmtKind::Select { arms, .. } => {
            let (default, cases): (Vec<_>, Vec<_>) = arms.iter().partition(|a| a.ranges.is_empty());
            cases.into_iter().chain(default).map(|a| &a.body).collect()
        }
        _ => stmt.blocks(),
    }
}

/// A branch with its conditions and without its statements: with them, branches in each other would hold the inner ones
/// once for each level.
fn without_bodies(stmt: &Stmt) -> Stmt {
    let kind = match &stmt.kind {
        StmtKind::If { name, arms, otherwise, one_line } => StmtKind::If {
            name: name.clone(),
            arms: arms.iter().map(|a| IfArm { cond: a.cond.clone(), body: Vec::new() }).collect(),
            otherwise: otherwise.as_ref().map(|_| Vec::new()),
            one_line: *one_line,
        },
        StmtKind::Select { name, selector, arms } => StmtKind::Select {
            name: name.clone(),
            selector: selector.clone(),
            arms: arms.iter().map(|a| SelectArm { ranges: a.ranges.clone(), body: Vec::new() }).collect(),
        },
        other => other.clone(),
    };
    let (leading, trailing) = (stmt.leading.clone(), stmt.trailing.clone());
    Stmt { id: stmt.id, label: stmt.label, kind, origin: stmt.origin, leading, trailing }
}

/// True when an expression asks for an allocation status, or for the shape of something that may be allocated anew.
fn asks_status(e: &Expr) -> bool {
    let mut found = false;
    for_each_expr(e, &mut |x| {
        if let ExprKind::Call { callee: Callee::Intrinsic(f), .. } = &x.kind {
            found |= matches!(f, Intrinsic::Allocated | Intrinsic::Associated)
                || f.class() == Class::Inquiry && !matches!(f, Intrinsic::Present | Intrinsic::WithOpenmp);
        }
    });
    found
}

/// Decides how branches are replayed and whether loop bounds stand. `later` is what is assigned after the nodes.
pub(in crate::reverse) fn settle(nodes: &mut [Node], later: &LocSet) {
    let mut later = later.clone();
    for node in nodes.iter_mut().rev() {
        let after = later.clone();
        node.writes(&mut later);
        match node {
            Node::Leaf(_) => {}
            Node::Branch(b) => {
                let changed = b.asks_status || b.reads.iter().any(|r| later.contains(r));
                b.replay = if changed { Replay::Save } else { Replay::Evaluate };
                b.arms.iter_mut().for_each(|a| settle(a, &after));
            }
            Node::Loop(l) => {
                let inside = writes(&l.body);
                let own = l.access.writes.clone();
                l.stable_bounds = !l.access.reads.iter().any(|r| inside.contains(r) || own.contains(r));
                // Other iterations come later. The loop's own variable stands still within an iteration, and the backward
                // loop gives it again.
                let mut inner = later.clone();
                if !inside.iter().any(|w| own.contains(w)) {
                    inner.retain(|x| !own.contains(x));
                }
                settle(&mut l.body, &inner);
            }
        }
    }
}
