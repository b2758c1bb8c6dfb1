//! How each loop of a procedure is shared out: over how many loops in each other, and with what.

use std::collections::BTreeSet;

use costate_analysis::loops::step_sign;
use costate_analysis::normal::mentions;
use costate_grammar::ir::{Evidence, LoopControl, Parallel, Stmt, StmtId, SymId, for_each_stmt};

use super::accesses::Accesses;
use super::nests::{Header, in_headers, innermost, nest_of};
use super::sharing::{Means, Sharing, decide};
use super::{Facts, Form, Plan, concurrent, directives, own_variables};

/// Decides for all loops of a block, in the order of the text. `within` a loop that is shared out there may be vector
/// operations only, and what OpenACC shares out on further levels.
pub(super) fn plan(
    facts: &mut Facts<'_>,
    block: &[Stmt],
    (within, handed): (bool, &BTreeSet<StmtId>),
    out: &mut Vec<Plan>,
) {
    for s in block {
        let (mut shared, mut handed) = (within, handed.clone());
        if let Some(p) = s.followed() {
            facts.copied_in = directives::copied_in(facts.scene.program, &p);
            let mut found = loop_plan(facts, s, &p, within);
            // Those around have to find what they hand over.
            if found.as_ref().is_ok_and(|(sharing, _)| sharing.elements.iter().any(|e| !e.1.is_disjoint(&handed))) {
                found = Err(String::new());
            }
            let mut levels_in_one = false;
            if let Ok((sharing, form)) = &found {
                shared |= !directives::only_vectors(&p);
                handed.extend(sharing.handed.iter().flat_map(|h| h.stmts.iter().copied()));
                levels_in_one = form.depth > directives::depth(&p, s);
            }
            out.push(found);
            if levels_in_one {
                let mut inner = |x: &Stmt| out.extend(x.followed().map(|_| Err(String::new())));
                s.blocks().into_iter().for_each(|b| for_each_stmt(b, &mut inner));
                continue;
            }
        }
        s.blocks().into_iter().for_each(|b| plan(facts, b, (shared, &handed), out));
    }
}

fn loop_plan(facts: &Facts<'_>, s: &Stmt, p: &Parallel, within: bool) -> Plan {
    let of_region =
        facts.on_device && directives::is_acc(p) && !(facts.shares_on_device && directives::may_be_inner(p));
    if within && !directives::may_be_inner(p) || of_region {
        return Err(String::new());
    }
    // A copy back from the device would overwrite what has come meanwhile.
    if p.on_device()
        && mentions(facts.scene.program, std::slice::from_ref(s)).keys().any(|x| facts.arriving.contains(x))
    {
        return Err("the host may be receiving a message in an array that it uses".into());
    }
    if directives::is_concurrent(p) && concurrent::calls_impure(facts.scene.program, s) {
        return Err("a procedure that is called in it isn't pure".into());
    }
    if p.evidence.as_ref().is_some_and(|e| e.ordered) {
        return Err("its iterations use the sums of those before them".into());
    }
    let (mut reason, mut best): (_, Option<(usize, Sharing, usize)>) = (String::new(), None);
    for depth in (1..=directives::depth(p, s)).rev() {
        match over(facts, (s, p), depth, within) {
            // Over fewer loops there may be a way with less.
            Ok(sharing) => {
                let burden = sharing.burden();
                if best.as_ref().is_none_or(|b| burden < b.0) {
                    best = Some((burden, sharing, depth));
                }
                if burden == 0 {
                    break;
                }
            }
            Err(why) => reason = why.unwrap_or(reason),
        }
    }
    // Loops for the levels of a device may be taken together.
    let levels = directives::levels(p, s);
    if levels > directives::depth(p, s)
        && !within
        && best.as_ref().is_some_and(|b| b.0 > 1)
        && let Ok(sharing) = over(facts, (s, p), levels, within)
        && sharing.burden() == 1
    {
        best = Some((1, sharing, levels));
    }
    best.map(|(_, sharing, depth)| (sharing, Form { depth, inner: within || facts.shares_on_device })).ok_or(reason)
}

/// How so many loops in each other are shared out together; without a reason where there aren't so many.
fn over(facts: &Facts<'_>, (s, p): (&Stmt, &Parallel), depth: usize, within: bool) -> Result<Sharing, Option<String>> {
    let none = (Evidence::default(), BTreeSet::new());
    let evidence = p.evidence.as_deref().unwrap_or(&none.0);
    let used = facts.used.get(&s.id).unwrap_or(&none.1);
    let Some((nest, body)) = nest_of(s, depth) else { return Err(None) };
    let vars: Vec<SymId> = nest.iter().map(|l| l.0).collect();
    let accesses = Accesses::of(&facts.scene, &nest, body, &facts.calls)?;
    if nest.len() > 1 && !in_headers(&nest[1..]).is_disjoint(&accesses.assigned) {
        return Err(Some("the limits of a loop in it change".into()));
    }
    let zero = facts.zeros.get(&innermost(s, depth).id).unwrap_or(&none.1);
    let unknown = |l: &Header<'_>| matches!(l.1, LoopControl::Count { step, .. } if step_sign(step.as_ref()).is_none());
    let unknown = nest.iter().any(unknown);
    let inner = within || facts.on_device || directives::only_vectors(p) || shares_inside(p, body);
    let decided = |in_blocks| {
        let means = Means {
            only_scalar_sums: directives::is_acc(p),
            in_blocks,
            threads: p.among_threads(),
            hands_over: !inner && !unknown,
            concurrent: directives::is_concurrent(p),
        };
        decide(facts, &accesses, (s, body), &vars, (evidence, used, zero), means)
    };
    let mut sharing = decided(!within && directives::may_run_in_blocks(p))?;
    let moves = !in_headers(&nest).is_disjoint(&accesses.assigned);
    if sharing.blocks.is_some() && (moves || !sharing.last.is_empty()) {
        sharing = decided(false)?;
    }
    if p.directives.is_empty() {
        sharing.declared = own_variables::declared(facts.scene.program, &sharing, &accesses)?;
        let by_iteration = !(sharing.sums.is_empty() && sharing.elements.is_empty());
        if unknown && (by_iteration || !sharing.handed.is_empty()) {
            return Err(Some("it isn't known in which direction it runs".into()));
        }
    }
    sharing.read.extend(in_headers(&nest).difference(&sharing.mentioned()));
    directives::fits(facts.scene.program, p, &sharing, &accesses)?;
    // Derivatives of a module's variables are declared for the host.
    let named = || accesses.globals.iter().chain(&accesses.by_name);
    if p.on_device() && named().any(|x| facts.primal.contains_key(x)) {
        return Err(Some("a procedure that is called in it uses the derivative of a module's variable".into()));
    }
    Ok(sharing)
}

/// True for a loop on a device with further ones inside that are shared out there: a loop behind it would have none.
fn shares_inside(p: &Parallel, body: &[Stmt]) -> bool {
    let mut found = false;
    for_each_stmt(body, &mut |s| found |= s.followed().is_some());
    found && p.on_device()
}
