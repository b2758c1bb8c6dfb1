//! Loops of generated code that come from loops whose iterations directives of OpenMP and OpenACC, or `do concurrent`,
//! share out. Derivative code is right as it stands, one statement after the other. Here it is decided which of its loops
//! keep a directive: those of which it can be shown that their iterations may run at the same time, as they are or with
//! sums, private variables and atomic increments. The others run serially.

mod accesses;
mod aliases;
mod arriving;
mod atomic;
mod automatic;
mod begin;
mod blocks;
mod bounds;
mod calls;
mod clamped;
pub(crate) mod components;
mod concurrent;
mod device;
mod directives;
mod elements;
mod hand_over;
mod handed;
mod library;
mod nests;
mod orphaned;
mod own_copies;
mod own_sums;
mod own_variables;
mod passed_elements;
mod places;
mod planning;
mod references;
mod sections;
mod segments;
mod sharing;
mod tasks;
mod vouched;
mod zeros;

pub(crate) use atomic::calls_impure_one;
pub(crate) use device::{Assumptions, Divided};
pub(crate) use directives::{depth, takes_threads};
pub(crate) use library::{Derivative, Library};
pub(crate) use orphaned::{begin_regions, has_orphaned_loops};
pub(crate) use sections::{Places, places};
pub(crate) use sharing::{ASKED, Added};
pub(crate) use tasks::begin_regions_of_tasks;

use std::collections::{BTreeMap, BTreeSet};

use costate_analysis::dataflow::variables::{used_after, used_and_assigned};
use costate_analysis::devices::{declared_on_devices, moves_alone};
use costate_analysis::effects::{ThreadVariables, outlives};
use costate_analysis::normal::mentions;
use costate_analysis::sections::scene::Scene;
use costate_analysis::storage::symbols;
use costate_grammar::directives::parse;
use costate_grammar::ir::{
    Block, Expr, IfArm, Origin, Parallel, ProcId, Program, Role, ScopeId, Stmt, StmtId, StmtKind, SymId, SymbolKind,
    Ty, Variable, for_each_stmt,
};
use costate_grammar::lines::Sentinel;
use costate_grammar::source::Span;

use crate::names::Taken;
use accesses::Accesses;
use arriving::arriving;
use calls::Calls;
use components::Components;
use nests::{in_headers, nest_of};
use own_copies::OwnCopies;
use sharing::Sharing;

/// What is known of a generated procedure.
pub(crate) struct Facts<'p> {
    scene: Scene<'p>,
    /// Of which variable a derivative is.
    primal: BTreeMap<SymId, SymId>,
    /// What is of use after each construct.
    used: BTreeMap<StmtId, BTreeSet<SymId>>,
    calls: Calls<'p>,
    /// Types of records of calls that are split.
    records: BTreeSet<SymId>,
    /// What is zero where each iteration of a loop begins.
    zeros: BTreeMap<StmtId, BTreeSet<SymId>>,
    /// Variables of which threads have their own, and that get the value of the first one's where it is asked for.
    copied_in: BTreeSet<SymId>,
    /// Variables of which each thread has its own, by what they are to derivative code.
    own_copies: OwnCopies,
    /// The procedure is a tangent: each of its statements stands where the user's does.
    tangent: bool,
    /// A device calls the procedure, as part of a loop that is shared out.
    on_device: bool,
    /// It shares out loops of its own there.
    shares_on_device: bool,
    /// Variables that are freed without asking first whether they have memory, and where.
    freed_anyway: BTreeSet<(SymId, StmtId)>,
    /// Arrays in which messages may be arriving.
    arriving: BTreeSet<SymId>,
    /// The user's variables that internal procedures use, too.
    inside: BTreeSet<SymId>,
}

impl Facts<'_> {
    /// True for an array, or the derivative of one, that internal procedures use, too: GNU Fortran 12 breaks off where threads
    /// have sums of such a one.
    fn is_used_inside(&self, sym: SymId) -> bool {
        let of = self.primal.get(&sym).copied().unwrap_or(sym);
        self.inside.contains(&of) && self.scene.program.var(sym).is_some_and(|v| v.rank() > 0)
    }

    /// What a block may use before it assigns it.
    fn exposed(&self, block: &[Stmt]) -> BTreeSet<SymId> {
        used_and_assigned(self.scene.program, block, &|s| self.calls.known(self.scene.program, s)).0
    }
}

/// What is known of a program: the derivatives of a procedure's variables and of those of modules, the types of records of
/// calls that are split, the procedures without source, and variables of which each thread has its own.
pub(crate) type Known<'k, S> = (S, BTreeSet<SymId>, &'k Library<'k>, &'k ThreadVariables);

/// The symbol of a generated procedure, and its dummies.
pub(crate) type Own<'d> = (SymId, &'d [SymId]);

/// Gives loops their directives, or takes what is asked for them away. What uses values that it leaves, `later`, isn't
/// changed. `itself` is the procedure with its dummies, where it may call itself. Returns what became of the loops.
pub(crate) fn share_out<'s>(
    program: &mut Program,
    (primal, scope, tangent): (ProcId, ScopeId, bool),
    (shadows, records, library, threads): Known<'_, impl Iterator<Item = (&'s SymId, &'s SymId)>>,
    (body, later, itself): (&mut Block, &[Stmt], Option<Own<'_>>),
) -> Vec<(Stmt, Outcome)> {
    let places = sections::places(program, primal);
    let mut any = !places.is_empty();
    for_each_stmt(body, &mut |s| any |= s.followed().is_some());
    if !any {
        return Vec::new();
    }
    let mut names = Taken::visible(program, scope);
    names.extend(&Taken::visible(program, program[primal].scope));
    automatic::declare(program, [program[primal].scope, scope], body);
    device::with_memory_before_loops(program, body);
    let of: BTreeMap<SymId, SymId> = shadows.map(|(p, s)| (*s, *p)).collect();
    let mut own_copies = OwnCopies::of(program, threads, &of);
    let (scopes, known) = ([program[primal].scope, scope], (library, own_copies.all()));
    passed_elements::pass_scalars(program, (scopes, scope, &mut names), known, body);
    let left = |sym: SymId| is_left(program, (primal, scope), &of, sym);
    own_copies.follow(program, [body, later]);
    let mut calls = Calls::new(library, own_copies.all());
    if let Some(itself) = itself {
        calls = calls.of_one_that_calls_itself(program, (primal, body), itself, (&of, tangent));
    }
    let used = used_after(program, body, &left, &|s| calls.known(program, s));
    let mut freed_anyway = BTreeSet::new();
    self::freed_anyway(body, &mut freed_anyway);
    let inside: BTreeSet<SymId> =
        program[primal].internals.iter().flat_map(|p| mentions(program, &program[*p].body).into_keys()).collect();
    let used_inside = |sym: SymId| inside.contains(&of.get(&sym).copied().unwrap_or(sym));
    let zeros = zeros::between(program, scope, body, (&calls, &used_inside));
    let mut facts = Facts {
        scene: Scene { program, scopes: [program[primal].scope, scope] },
        primal: of.clone(),
        used,
        calls,
        records,
        zeros,
        tangent,
        on_device: device_routine(program, primal).is_some(),
        shares_on_device: device_routine(program, primal).is_some_and(|kind| directives::shares_loops(&kind)),
        copied_in: BTreeSet::new(),
        own_copies,
        freed_anyway,
        arriving: arriving(program, body),
        inside,
    };
    let mut own = work_arrays(&facts, body, &left);
    own.extend(given(&facts, body, &left));
    facts.used.values_mut().for_each(|u| u.retain(|s| !own.contains(s)));
    let mut plans = Vec::new();
    planning::plan(&mut facts, body, (false, &BTreeSet::new()), &mut plans);
    let rows = sections::plan(&facts, body, &places, &left);
    let mut plans = plans.into_iter();
    let mut writing = Writing { scope, names, outcomes: Vec::new(), declared: BTreeSet::new(), summed_up: Vec::new() };
    carry_out(program, body, &mut || plans.next(), &mut writing);
    own_variables::drop_unused(program, body, &writing.declared);
    sections::carry_out(program, (scope, &mut writing.names), body, &rows);
    writing.outcomes
}

/// True where the host runs statements of a block that come from some places.
pub(crate) fn runs_on_host(block: &[Stmt], places: &BTreeSet<Span>) -> bool {
    block.iter().filter(|s| !device::is_device_code(s)).any(|s| {
        let works = matches!(s.kind, StmtKind::Assign { .. } | StmtKind::Call { .. } | StmtKind::Do { .. });
        works && places.contains(&s.origin.span()) || s.blocks().into_iter().any(|b| runs_on_host(b, places))
    })
}

/// Keeps arrays of a generated procedure on the device between the loops that run there. Returns what calls would leave there in
/// part. `assumed` are those that aren't there yet.
pub(crate) fn keep_on_device<'s>(
    program: &mut Program,
    (primal, scope): (ProcId, ScopeId),
    shadows: impl Iterator<Item = (&'s SymId, &'s SymId)>,
    (body, components, assumed): (&mut Block, Components, &Assumptions),
) -> BTreeSet<Divided> {
    let mut divided = BTreeSet::new();
    if device_routine(program, primal).is_some() {
        return divided;
    }
    let callees = device::Callees::of_generated(program, primal, assumed);
    let mut names = Taken::visible(program, scope);
    names.extend(&Taken::visible(program, program[primal].scope));
    let of: BTreeMap<SymId, SymId> = shadows.map(|(p, s)| (*s, *p)).collect();
    let one_thread = device::places_of_one_thread(&program[primal].body);
    let left = |program: &Program, sym: SymId| is_left(program, (primal, scope), &of, sym);
    // Where components have names, each part of the body is for itself: between parts the host's memory counts.
    let parts = components.name_them(program, body);
    let mentioned: Vec<BTreeSet<SymId>> = parts.iter().map(|p| components::all_symbols(p.stmts())).collect();
    for (k, part) in parts.into_iter().enumerate() {
        let others = mentioned.iter().enumerate().filter(|(other, _)| *other != k).flat_map(|(_, all)| all.iter());
        let outside: BTreeSet<SymId> = others.copied().collect();
        let left = |program: &Program, sym: SymId| outside.contains(&sym) || left(program, sym);
        let mut keep = |block: &mut Block| {
            divided.extend(device::keep(program, &callees, (scope, &left), one_thread.clone(), &mut names, block));
        };
        match part {
            components::Segment::Plain(mut own) => {
                keep(&mut own);
                body.extend(own);
            }
            components::Segment::Named(mut own) => {
                own[0].blocks_mut().into_iter().for_each(&mut keep);
                body.extend(own);
            }
        }
    }
    divided
}

/// True where generated procedures that call each other do no more on devices than was assumed of them; otherwise that is
/// assumed now, and they have to be generated again.
pub(crate) fn assumptions_hold(program: &Program, assumed: &mut Assumptions, made: &[ProcId]) -> bool {
    device::hold(program, assumed, made)
}

/// True for a variable of a generated procedure whose value is of use after it; `of` are the variables of derivatives.
fn is_left(program: &Program, (primal, scope): (ProcId, ScopeId), of: &BTreeMap<SymId, SymId>, sym: SymId) -> bool {
    match of.get(&sym) {
        // What stands in place of a component is the generated procedure's own, as its derivative is.
        Some(p) if program[*p].scope != scope => outlives(program, primal, *p),
        _ if program[sym].scope == scope => program.var(sym).is_some_and(|v| v.dummy.is_some()),
        _ => outlives(program, primal, sym),
    }
}

/// True for a program with loops or regions for a device, or variables of modules there.
pub(crate) fn runs_on_device(program: &Program) -> bool {
    let mut found = false;
    for (_, p) in program.procedures() {
        for_each_stmt(&p.body, &mut |s| found |= device::is_device_code(s) || moves_alone(program, s));
    }
    found
}

/// Arrays that stand nowhere but in loops to share out, each iteration of which assigns the elements that it uses, and what
/// keeps a value from where it is saved to where it is restored there: no value of theirs is of use outside an iteration.
fn work_arrays(facts: &Facts<'_>, body: &[Stmt], left: &dyn Fn(SymId) -> bool) -> BTreeSet<SymId> {
    let mut within: BTreeMap<SymId, usize> = BTreeMap::new();
    outermost(body, &mut |s| {
        let Some((nest, inner)) = nest_of(s, 1) else { return };
        let Ok(accesses) = Accesses::of(&facts.scene, &nest, inner, &facts.calls) else { return };
        for (sym, count) in mentions(facts.scene.program, std::slice::from_ref(s)) {
            let array = facts.scene.program.var(sym).is_some_and(|v| v.rank() > 0);
            let anew = || array && accesses.assigned.contains(&sym) && accesses.assigns_first(sym);
            if !left(sym) && (anew() || !array && accesses.is_kept_within(sym)) {
                *within.entry(sym).or_default() += count;
            }
        }
    });
    let all = mentions(facts.scene.program, body);
    within.into_iter().filter(|(sym, count)| all.get(sym) == Some(count)).map(|(sym, _)| sym).collect()
}

/// Variables that stand nowhere but in loops of which directives prove that each iteration has its own: with the user's
/// statements from the first one on, or with another value at first.
fn given(facts: &Facts<'_>, body: &[Stmt], left: &dyn Fn(SymId) -> bool) -> BTreeSet<SymId> {
    let mut within: BTreeMap<SymId, usize> = BTreeMap::new();
    outermost(body, &mut |s| {
        let Some(evidence) = s.followed().and_then(|p| p.evidence) else { return };
        let in_order = facts.tangent || evidence.again || is_forward(s);
        let anew = if in_order { BTreeSet::new() } else { assigned_first(facts, s) };
        let inside = mentions(facts.scene.program, std::slice::from_ref(s));
        for sym in evidence.private.into_iter().filter(|x| !left(*x) && (in_order || anew.contains(x))) {
            *within.entry(sym).or_default() += inside.get(&sym).unwrap_or(&0);
        }
    });
    let mut rest = body.to_vec();
    drop_freeing(&mut rest);
    let all = mentions(facts.scene.program, &rest);
    within.into_iter().filter(|(sym, count)| all.get(sym) == Some(count)).map(|(sym, _)| sym).collect()
}

/// True for a loop in which the user's statements stand in their order.
fn is_forward(s: &Stmt) -> bool {
    matches!(s.origin, Origin::Derived { role: Role::Forward, .. })
}

/// Variables that an iteration assigns before it uses them.
fn assigned_first(facts: &Facts<'_>, s: &Stmt) -> BTreeSet<SymId> {
    let Some((nest, inner)) = nest_of(s, 1) else { return BTreeSet::new() };
    let Ok(accesses) = Accesses::of(&facts.scene, &nest, inner, &facts.calls) else { return BTreeSet::new() };
    let exposed = facts.exposed(inner);
    let assigned = accesses.assigned.iter().copied();
    assigned.filter(|x| !exposed.contains(x) || accesses.assigns_first(*x)).collect()
}

/// Drops what frees variables where they have memory, outside of loops to share out.
fn drop_freeing(block: &mut Block) {
    block.retain(|s| !asks_before_it_frees(s));
    for s in block.iter_mut().filter(|s| s.followed().is_none()) {
        s.blocks_mut().into_iter().for_each(drop_freeing);
    }
}

/// Shows the loops to share out that stand in no other one.
fn outermost<'s>(block: &'s [Stmt], f: &mut dyn FnMut(&'s Stmt)) {
    for s in block {
        match s.followed() {
            Some(_) => f(s),
            None => s.blocks().into_iter().for_each(|b| outermost(b, f)),
        }
    }
}

/// The directive that lets a device call a procedure: it stands in the procedure, or among the declarations of its module.
pub(crate) fn device_routine(program: &Program, p: ProcId) -> Option<StmtKind> {
    let own = |s: &&Stmt| matches!(&s.kind, StmtKind::Directive { directive, .. } if directive.lets_devices_call());
    let of_module = || {
        let sym = program[p].sym;
        let text =
            if declared_on_devices(program, sym, "!$omp declare target") { "declare target" } else { return None };
        let directive = parse(Sentinel::Omp, text, program[p].head).ok()?;
        Some(StmtKind::Directive { directive, names: Vec::new(), body: None })
    };
    program[p].body.iter().find(own).map(|s| s.kind.clone()).or_else(of_module)
}

/// Variables that are freed without asking first whether they have memory, and where.
fn freed_anyway(block: &[Stmt], out: &mut BTreeSet<(SymId, StmtId)>) {
    for s in block {
        if asks_before_it_frees(s) {
            continue;
        }
        if let StmtKind::Deallocate { items, .. } = &s.kind {
            out.extend(items.iter().filter_map(Expr::as_var).map(|d| (d.sym, s.id)));
        }
        s.blocks().into_iter().for_each(|b| freed_anyway(b, out));
    }
}

/// `if (allocated(x)) deallocate(x)`
fn asks_before_it_frees(s: &Stmt) -> bool {
    let StmtKind::If { arms, otherwise: None, .. } = &s.kind else { return false };
    let [IfArm { cond, body }] = arms.as_slice() else { return false };
    let [Stmt { kind: StmtKind::Deallocate { items, .. }, .. }] = body.as_slice() else { return false };
    let [only] = items.as_slice() else { return false };
    only.as_var().is_some_and(|d| d.parts.is_empty() && symbols(cond) == BTreeSet::from([d.sym]))
}

/// What becomes of a loop: how it is shared out, and over how many loops in each other; or why it isn't.
type Plan = Result<(Sharing, Form), String>;

/// The form of the directive.
#[derive(Clone, Copy)]
struct Form {
    /// So many loops in each other are shared out together.
    depth: usize,
    /// The loop stands in another one that is shared out.
    inner: bool,
}

/// What is written down while loops get their directives.
struct Writing {
    /// The procedure's scope, and names that are taken in it.
    scope: ScopeId,
    names: Taken,
    /// The headers of loops, and what becomes of these.
    outcomes: Vec<(Stmt, Outcome)>,
    /// Variables for which loops have declared their own.
    declared: BTreeSet<SymId>,
    /// Statements that add to a sum of a loop now, and the statement behind the loop that adds this to what they added to.
    summed_up: Vec<(BTreeSet<StmtId>, StmtId)>,
}

/// What becomes of a loop.
#[derive(Debug)]
pub(crate) enum Outcome {
    /// It runs serially, for a reason.
    Serial(String),
    /// Its iterations are shared out, and add to derivatives in these ways.
    Shared(Vec<Added>),
}

/// Writes what was decided into the loops of a block.
fn carry_out(program: &mut Program, block: &mut Block, next: &mut dyn FnMut() -> Option<Plan>, writing: &mut Writing) {
    for mut s in std::mem::take(block) {
        let mut plan = s.followed().and_then(|p| Some((p, next()?)));
        if let Some((p, Ok((_, form)))) = &mut plan
            && form.depth > directives::depth(p, &s)
        {
            **p = directives::with_levels(p, &s, form.depth);
        }
        let known = program.symbols.len();
        for inner in s.blocks_mut() {
            carry_out(program, inner, next, writing);
        }
        if let Some((p, Ok(sharing))) = plan.as_mut().map(|(p, plan)| (p, plan.as_mut().map(|x| &mut x.0))) {
            // Sums and limits of loops inside are each iteration's own.
            let made = (known..program.symbols.len()).map(SymId::new);
            let made = made.filter(|x| program[*x].scope == writing.scope && program.var(*x).is_some());
            if p.directives.is_empty() { &mut sharing.declared } else { &mut sharing.private }.extend(made);
            writing.summed_up.iter().for_each(|(stmts, behind)| sharing.take_over(stmts, *behind));
        }
        if let StmtKind::Do { parallel, .. } = &mut s.kind
            && plan.is_some()
        {
            *parallel = None;
        }
        let mut after = Block::new();
        let header = |s: &Stmt| Stmt { kind: StmtKind::Continue, ..s.clone() };
        match plan {
            Some((p, Ok((mut sharing, form)))) => {
                writing.outcomes.push((header(&s), Outcome::Shared(std::mem::take(&mut sharing.strategies))));
                let [first, last] = add_up(program, &mut s, (&p, &mut sharing, form), writing);
                block.extend(first);
                after.extend(last);
                for handed in &sharing.handed {
                    let place = (writing.scope, &mut writing.names);
                    let [first, last] = hand_over::hand_over(program, &mut s, (handed, form, &p), place);
                    block.extend(first);
                    after.extend(last);
                }
                if !directives::is_concurrent(&p) {
                    let place = (writing.scope, &mut writing.names);
                    block.extend(bounds::named(program, &mut s, form.depth, place));
                }
                let place = (writing.scope, &mut writing.names);
                sharing.private.extend(elements::named_amounts(program, &mut s, &sharing.atomic, place));
                let place = (writing.scope, &mut writing.names);
                let zeroed = [sharing.zeroed.as_slice(), &sharing.begun].concat();
                begin::at_zero(program, &mut s, (&zeroed, form.depth), place);
                let place = (writing.scope, &mut writing.names);
                let blocks = sharing.blocks.and_then(|blocks| {
                    Some((blocks, blocks::every_other(program, &mut s, (blocks, form.depth), place)?))
                });
                // Limits may have got names, and depend on the round.
                let limits = nest_of(&s, form.depth).map_or_else(BTreeSet::new, |(nest, _)| in_headers(&nest));
                sharing.read.extend(limits.difference(&sharing.mentioned()));
                directives::write(program, &mut s, &p, &sharing, form);
                own_variables::declare(program, &mut s, &sharing.declared, writing.scope);
                writing.declared.extend(sharing.declared);
                if !sharing.last.is_empty() {
                    s = bounds::where_it_runs(program, s, form.depth);
                }
                if let Some((blocks, round)) = blocks {
                    s = blocks::in_rounds(program, s, blocks, round);
                }
            }
            Some((_, Err(reason))) if !reason.is_empty() => {
                writing.outcomes.push((header(&s), Outcome::Serial(reason)));
            }
            Some(_) | None => {}
        }
        block.push(s);
        block.extend(after);
    }
}

/// Lets iterations add to sums of the loop what they add to elements that all of them add to, and to variables of which each
/// thread has its own. Returns what comes before the loop and behind it.
fn add_up(
    program: &mut Program,
    s: &mut Stmt,
    (p, sharing, form): (&Parallel, &mut Sharing, Form),
    writing: &mut Writing,
) -> [Block; 2] {
    let (mut before, mut after) = (Block::new(), Block::new());
    for (element, stmts) in std::mem::take(&mut sharing.elements) {
        let sum = elements::sum_up(program, s, (&element, &stmts), (writing.scope, &mut writing.names));
        sharing.sums.push(sum.variable);
        writing.summed_up.push((stmts, sum.adds));
        before.push(sum.before);
        after.push(sum.after);
    }
    for sym in std::mem::take(&mut sharing.own_sums) {
        let place = (writing.scope, &mut writing.names);
        let Some(sum) = own_copies::sum_up(program, s, (sym, form.depth), place) else { continue };
        sharing.sums.push(sum.variable);
        before.push(sum.before);
        after.push(sum.after);
    }
    for sym in large_sums(program, p, sharing) {
        let origin = Origin::Derived { from: s.id, span: s.origin.span(), role: Role::Adjoint };
        let (base, place) = (format!("{}_sum", program[sym].name), (writing.scope, &mut writing.names));
        let mut own = vec![s.clone()];
        let Some(sum) = own_sums::add_apart(program, &mut own, (sym, &base), (place, origin)) else { continue };
        own.into_iter().for_each(|whole| *s = whole);
        sharing.sums.iter_mut().filter(|x| **x == sym).for_each(|x| *x = sum.variable);
        before.extend(sum.before);
        after.extend(sum.after);
    }
    if directives::is_concurrent(p) {
        for sum in std::mem::take(&mut sharing.sums) {
            let place = (writing.scope, &mut writing.names);
            let [first, last] = elements::by_iteration(program, s, (sum, form.depth), place);
            before.extend(first);
            after.splice(0..0, last);
        }
    }
    [before, after]
}

/// Arrays to which iterations add that may be large, but for those that the user's directive sums up: compilers put the
/// threads' copies of arrays on stacks, where these may have no room.
fn large_sums(program: &Program, p: &Parallel, sharing: &Sharing) -> Vec<SymId> {
    let users = |x: &SymId| p.evidence.as_ref().is_some_and(|e| e.sums.contains(x));
    let large = |x: &SymId| program.var(*x).is_some_and(|v| v.rank() > 0 && !references::small(v));
    let wanted = |x: &&SymId| !directives::is_concurrent(p) && large(x) && !users(x);
    sharing.sums.iter().filter(wanted).copied().collect()
}

/// A new scalar of a scope, of the type of another variable where there is one of that type.
fn new_scalar(
    program: &mut Program,
    (scope, names): (ScopeId, &mut Taken),
    base: &str,
    (ty, like): (Ty, Option<SymId>),
) -> SymId {
    let like = like.and_then(|x| program.var(x)).filter(|v| v.ty == ty);
    let spelling = like.map_or_else(|| program.spell(ty), |v| v.spelling.clone());
    let spelling_uses = like.map(|v| v.spelling_uses.clone()).unwrap_or_default();
    let var = Variable { spelling_uses, ..Variable::scalar(ty, spelling) };
    program.add_symbol(scope, names.fresh(base), Span::default(), SymbolKind::Variable(Box::new(var)))
}

/// True for an array that a clause can name as a whole.
fn has_whole(v: &Variable) -> bool {
    !v.dims
        .iter()
        .any(|d| matches!(d, costate_grammar::ir::Dim::AssumedSize(_) | costate_grammar::ir::Dim::AssumedRank))
}
