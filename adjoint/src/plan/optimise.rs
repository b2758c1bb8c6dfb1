//! Chooses by integer programming: every way to reverse a site is built and evaluated, and the combination of least run time
//! within the budget is taken.
//!
//! What a site costs and holds depends on the sites around it (a record in a loop is there once for each iteration that is
//! held at a time), so that its options are those for every combination of theirs. Sites beside each other are taken to be
//! independent; the plan is evaluated as a whole in the end, and found again with less room should it take more than that.

use std::collections::{BTreeMap, BTreeSet};

use costate_checkpoint::ilp::{self, Limits, PlanError};
use costate_checkpoint::problem::{Choice, Pick, Point, Problem};
use costate_grammar::diag::{Code, Diagnostic};
use costate_grammar::ir::StmtId;

use super::evaluate::{Evaluation, Model};
use super::left_out::LeftOut;
use super::site_use::Use;
use super::ways::{Way, action, for_each_step, groups, ways};
use super::{Choices, Decided, SiteId, SiteKind};
use crate::memory::{Path, amount};

/// A site's options are worked out for at most so many combinations of the sites around it, and all together for so many, by how
/// many statements there are: an adjoint is built for each, which takes the longer the more these are.
const MOST_COMBINATIONS: usize = 64;
const MOST_TOGETHER: (usize, usize) = (40, 120);
const STATEMENTS_TOGETHER: usize = 60_000;
/// Among more loops and calls than this a loop has only a few ways in the problem, and gets the best of all in the end.
const FEW_SITES: usize = 2;
/// How many ways a loop has then.
const FEW_WAYS: usize = 6;
/// How often a plan that takes more than the model says is looked for again.
const TRIES: usize = 8;

/// A plan and what it costs.
#[derive(Debug)]
pub struct Optimum {
    /// What is chosen.
    pub choices: Choices,
    /// Run time of the adjoint, in run times of the primal.
    pub ratio: f64,
    /// The most memory that it holds at a time, in bytes.
    pub peak: u64,
    /// No plan has a smaller ratio, as far as the model goes.
    pub bound: f64,
    /// What is chosen, in words.
    pub words: Vec<String>,
    combination: Combination,
}

/// Ways of sites, by the indices of site and way.
type Combination = Vec<(usize, usize)>;

/// Combinations that can't be generated, and why.
type Refused = BTreeMap<Combination, Vec<Diagnostic>>;

/// What the integer programme comes to within a budget.
#[derive(Default)]
struct Solved {
    /// The plan, if it keeps the budget.
    found: Option<Optimum>,
    /// Of those that don't, the smallest.
    smallest: Option<Optimum>,
    /// Why its plan can't be generated, though each of its ways can with others.
    refused: Option<Vec<Diagnostic>>,
}

/// An optimiser whose alternatives are evaluated; it finds plans for any budget.
pub struct Optimiser<'a> {
    model: Model<'a>,
    base: Evaluation,
    /// Choices with which the adjoint can be generated, where nothing else is chosen.
    start: Choices,
    sites: Vec<Use>,
    ways: Vec<Vec<Way>>,
    /// For every site that is there only with certain ways of another: that one, and which of its ways these are.
    behind: Vec<Option<(usize, Vec<bool>)>>,
    /// The values for which a site stands besides its own.
    groups: BTreeMap<SiteId, Vec<SiteId>>,
    /// For every site, those of its ways that are in the problem.
    offered: Vec<Vec<usize>>,
    /// For every site, the combinations of its ways with those around it, its own last.
    combinations: Vec<Vec<Combination>>,
    problem: Problem,
    /// What is not among the alternatives since it can't be generated.
    left_out: LeftOut,
    /// Run time and peak memory of the combinations that were evaluated.
    known: Vec<(Combination, f64, u64)>,
    /// Added to the problem's cost this is a plan's run time.
    constant: f64,
}

impl<'a> Optimiser<'a> {
    /// Evaluates all alternatives.
    pub(crate) fn new(model: Model<'a>) -> Result<Self, Vec<Diagnostic>> {
        let (base, _) = model.survey(&model.options.choices);
        let groups = groups(&base, &model.options.choices);
        let grouped: BTreeSet<&SiteId> = groups.values().flatten().collect();
        let sites: Vec<Use> = base.sites.iter().filter(|u| !grouped.contains(&u.site.id())).cloned().collect();
        let ways: Vec<Vec<Way>> = sites.iter().map(|u| ways(u, &model)).collect();
        let mut out = Optimiser {
            start: model.options.choices.clone(),
            model,
            sites,
            groups,
            behind: vec![None; ways.len()],
            base,
            offered: ways.iter().map(|w| (0..w.len()).collect()).collect(),
            ways,
            combinations: Vec::new(),
            problem: Problem::default(),
            left_out: LeftOut::default(),
            known: Vec::new(),
            constant: 0.0,
        };
        // Without a choice, loops of unknown length would save what all iterations need.
        out.find_start()?;
        out.prune()?;
        out.drop_beaten();
        let (least, most_together) = MOST_TOGETHER;
        let together = (STATEMENTS_TOGETHER / out.model.statements().max(1)).clamp(least, most_together);
        let mut most = MOST_COMBINATIONS;
        loop {
            out.combinations = (0..out.ways.len()).map(|s| out.combinations_of(s, most)).collect();
            if most <= 2 || out.combinations.iter().map(Vec::len).sum::<usize>() <= together {
                break;
            }
            most /= 2;
        }
        let mut wanted: BTreeSet<Combination> = out.combinations.iter().flatten().cloned().collect();
        for list in &out.combinations {
            wanted.extend(list.iter().map(|c| c[..c.len() - 1].to_vec()));
        }
        let (mut evaluated, refused) = out.evaluate(wanted);
        out.leave_out(&evaluated, refused)?;
        evaluated.values_mut().for_each(|e| out.attribute(e));
        out.formulate(&evaluated);
        out.known.extend(evaluated.iter().map(|(c, e)| (c.clone(), e.cost, e.peak)));
        if out.known.is_empty() {
            out.known.push((Combination::new(), out.base.cost, out.base.peak));
        }
        Ok(out)
    }

    /// What is not among the alternatives, since it can't be generated, as warnings.
    pub fn notes(&self) -> Vec<Diagnostic> {
        self.left_out.notes()
    }

    /// Evaluates the adjoint without choices. Where that can't be generated, sites get the first of their ways that leaves
    /// least in the way.
    fn find_start(&mut self) -> Result<(), Vec<Diagnostic>> {
        let (base, problems) = self.model.survey(&self.choices(&[]));
        self.base = base;
        let mut left = problems.clone();
        for site in 0..self.ways.len() {
            if left.is_empty() {
                break;
            }
            let trials = (0..self.ways[site].len()).map(|way| self.choices(&[(site, way)]));
            let trials: Vec<Choices> = trials.collect();
            let surveyed: Vec<_> = trials.iter().map(|c| self.model.survey(c)).collect();
            let best = surveyed.into_iter().zip(trials).min_by_key(|((_, problems), _)| problems.len());
            if let Some(((base, fewer), choices)) = best.filter(|((_, fewer), _)| fewer.len() < left.len()) {
                (self.base, self.start, left) = (base, choices, fewer);
            }
        }
        if left.is_empty() { Ok(()) } else { Err(problems) }
    }

    /// Notes ways that can't be generated, given what can.
    fn note(&mut self, evaluated: &BTreeMap<Combination, Evaluation>, refused: &Refused) {
        for (combination, why) in refused {
            let Some((own, others)) = combination.split_last() else { continue };
            if refused.contains_key(others) {
                continue;
            }
            let words = |&(site, _): &(usize, usize)| Decided::at(&self.sites[site], &self.choices(combination));
            let only_here = evaluated.keys().any(|c| c.last() == Some(own));
            let named = if only_here { combination.as_slice() } else { std::slice::from_ref(own) };
            let named: Vec<String> = named.iter().rev().map(|c| words(c).to_string()).collect();
            self.left_out.add(self.sites[own.0].site.origin.span(), named.join(" within: "), why);
        }
    }

    /// Leaves out combinations that can't be generated, and those for which sites around them would need such a one.
    fn leave_out(
        &mut self,
        evaluated: &BTreeMap<Combination, Evaluation>,
        refused: Refused,
    ) -> Result<(), Vec<Diagnostic>> {
        self.note(evaluated, &refused);
        let mut count = usize::MAX;
        while count > self.combinations.iter().map(Vec::len).sum() {
            count = self.combinations.iter().map(Vec::len).sum();
            let before = self.combinations.clone();
            let there = |(site, way): &(usize, usize)| before[*site].iter().any(|c| c.last() == Some(&(*site, *way)));
            for list in &mut self.combinations {
                list.retain(|c| {
                    let others = &c[..c.len() - 1];
                    evaluated.contains_key(c) && evaluated.contains_key(others) && others.iter().all(there)
                });
            }
        }
        if refused.is_empty() || self.combinations.iter().all(|list| !list.is_empty()) {
            return Ok(());
        }
        Err(refused.into_values().next().unwrap_or_default())
    }

    fn choices(&self, combination: &[(usize, usize)]) -> Choices {
        let mut out = self.start.clone();
        for used in self.sites.iter().filter(|u| u.guessed && matches!(u.site.kind, SiteKind::Open(_))) {
            out.loops.entry(used.site.stmt).or_insert_with(|| for_each_step(used.trips));
        }
        for &(site, way) in combination {
            let id = self.sites[site].site.id();
            let stmt = id.stmt;
            match &self.ways[site][way] {
                Way::Loop(l) => drop(out.loops.insert(stmt, l.clone())),
                Way::Call(c) => drop(out.calls.insert(stmt, *c)),
                Way::Value(v) => {
                    let all = self.groups.get(&id).into_iter().flatten().chain([&id]);
                    out.values.extend(all.filter_map(|s| Some(((s.stmt, s.value.clone()?), *v))));
                }
                Way::Given => {}
            }
        }
        out
    }

    /// What comes of combinations, and why others can't be generated.
    fn evaluate(&self, wanted: BTreeSet<Combination>) -> (BTreeMap<Combination, Evaluation>, Refused) {
        let (mut evaluated, mut refused) = (BTreeMap::new(), Refused::new());
        let choices: Vec<Choices> = wanted.iter().map(|c| self.choices(c)).collect();
        for (c, found) in wanted.into_iter().zip(self.model.evaluate_all(&choices)) {
            match found {
                Ok(evaluation) => drop(evaluated.insert(c, evaluation)),
                Err(why) => drop(refused.insert(c, why)),
            }
        }
        (evaluated, refused)
    }

    /// Leaves out ways of loops that take more run time and more memory than others, puts the rest in order, the fastest
    /// first, and finds the loops inside them that have ways of their own with some of these.
    fn prune(&mut self) -> Result<(), Vec<Diagnostic>> {
        let mut site = 0;
        while site < self.sites.len() {
            self.prune_site(site)?;
            site += 1;
        }
        Ok(())
    }

    /// Leaves out the one of two ways that takes more run time and no less memory than the other: what is inside, or is computed
    /// from it, has half as many combinations with those around it.
    fn drop_beaten(&mut self) {
        let open = |s: &usize| self.ways[*s].len() == 2 && self.behind[*s].is_none();
        let pairs: Vec<usize> = (0..self.ways.len()).filter(open).collect();
        let (evaluated, _) = self.evaluate(pairs.iter().flat_map(|s| [vec![(*s, 0)], vec![(*s, 1)]]).collect());
        for site in pairs {
            let merits = [0, 1].map(|w| evaluated.get([(site, w)].as_slice()).map(|e| (e.cost, self.most(e, site))));
            let [Some(a), Some(b)] = merits else { continue };
            let beaten = |x: (f64, u64), by: (f64, u64)| by.0 < x.0 && by.1 <= x.1;
            if beaten(a, b) || beaten(b, a) {
                self.ways[site].remove(usize::from(beaten(b, a)));
                self.offered[site] = vec![0];
            }
        }
    }

    fn prune_site(&mut self, site: usize) -> Result<(), Vec<Diagnostic>> {
        if self.ways[site].len() <= 2 {
            return Ok(());
        }
        let around = self.ways_to(site);
        let alone = (0..self.ways[site].len()).map(|w| [around.as_slice(), &[(site, w)]].concat()).collect();
        let (evaluated, refused) = self.evaluate(alone);
        self.note(&evaluated, &refused);
        if evaluated.is_empty() {
            return Err(refused.into_values().next().unwrap_or_default());
        }
        let works = evaluated.keys().filter_map(|c| c.last()).map(|own| self.ways[site][own.1].clone());
        self.ways[site] = works.collect();
        let merits: Vec<(f64, u64)> = evaluated.values().map(|e| (e.cost, self.most(e, site))).collect();
        let beaten = |w: usize| {
            (0..merits.len()).any(|o| {
                let (better, here) = (merits[o], merits[w]);
                better.0 <= here.0 && better.1 <= here.1 && (better != here || o < w)
            })
        };
        let mut kept: Vec<usize> = (0..merits.len()).filter(|w| !beaten(*w)).collect();
        kept.sort_by(|a, b| merits[*a].0.total_cmp(&merits[*b].0));
        self.ways[site] = kept.iter().map(|w| self.ways[site][*w].clone()).collect();
        let evaluated: Vec<Evaluation> = evaluated.into_values().collect();
        let evaluated: Vec<&Evaluation> = kept.iter().map(|w| &evaluated[*w]).collect();
        let known =
            evaluated.iter().enumerate().map(|(i, e)| ([around.as_slice(), &[(site, i)]].concat(), e.cost, e.peak));
        self.known.extend(known);
        self.look_inside(site, &evaluated);
        let inside = self.behind.iter().flatten().any(|b| b.0 == site);
        let others = self.sites.iter().filter(|u| u.site.id().value.is_none()).count();
        let among_many = others > FEW_SITES || inside || self.behind[site].is_some();
        let few = if among_many { kept.len().min(FEW_WAYS) } else { kept.len() };
        // The fastest and the smallest are always among them.
        self.offered[site] = (0..few).map(|i| i * (kept.len() - 1) / (few - 1).max(1)).collect();
        Ok(())
    }

    /// True for a time loop that isn't among the sites.
    fn is_new(&self, used: &Use) -> bool {
        let time_loop = matches!(used.site.kind, SiteKind::Loop(_) | SiteKind::Open(_));
        time_loop && self.sites.iter().all(|u| u.site.id() != used.site.id())
    }

    /// Adds the time loops that there are with some ways of a site, given what comes of each.
    fn look_inside(&mut self, site: usize, evaluated: &[&Evaluation]) {
        for used in evaluated.iter().flat_map(|e| &e.sites) {
            if let Some(known) = self.sites.iter_mut().find(|u| u.site.id() == used.site.id()) {
                // Such a loop may be around it.
                if known.chain.len() < used.chain.len() {
                    known.chain.clone_from(&used.chain);
                }
            } else if self.is_new(used) {
                let has = |e: &&Evaluation| e.sites.iter().any(|u| u.site.id() == used.site.id());
                self.behind.push(Some((site, evaluated.iter().map(has).collect())));
                let ways = ways(used, &self.model);
                self.offered.push((0..ways.len()).collect());
                self.ways.push(ways);
                self.sites.push(used.clone());
            }
        }
    }

    /// Ways of other sites with which a site is there.
    fn ways_to(&self, site: usize) -> Combination {
        let Some((outer, shown)) = &self.behind[site] else { return Combination::new() };
        let way = shown.iter().position(|s| *s).unwrap_or(0);
        [self.ways_to(*outer), vec![(*outer, way)]].concat()
    }

    /// The most that is held at a time for a site and those inside it.
    fn most(&self, e: &Evaluation, site: usize) -> u64 {
        let id = self.sites[site].site.id();
        let inside = e.sites.iter().filter(|u| u.site.id() == id || u.chain.contains(&id.stmt));
        let family: Vec<Option<SiteId>> = inside.map(|u| Some(u.site.id())).collect();
        let of = |held: &BTreeMap<Option<SiteId>, u64>| family.iter().filter_map(|s| held.get(s)).sum();
        e.points.values().map(of).max().unwrap_or(0)
    }

    /// The ways of a site, each with all ways of the sites around it; of too many the outermost are left as they are.
    fn combinations_of(&self, site: usize, most: usize) -> Vec<Combination> {
        let place = |stmt: &StmtId| self.sites.iter().position(|u| u.site.id() == SiteId::of(*stmt));
        let mut chain: Vec<usize> = self.sites[site].chain.iter().filter_map(place).collect();
        chain.extend(self.readers(site));
        let needed: Vec<usize> = self.ways_to(site).into_iter().map(|(outer, _)| outer).collect();
        // With many sites around it these are more than can be counted.
        let size = |c: &[usize]| c.iter().map(|s| self.offered[*s].len()).fold(1, usize::saturating_mul);
        while size(&chain).saturating_mul(self.offered[site].len()) > most {
            let spare = chain.iter().enumerate().filter(|(_, s)| !needed.contains(s));
            let Some((smallest, _)) = spare.min_by_key(|(_, s)| self.offered[**s].len()) else { break };
            chain.remove(smallest);
        }
        chain.push(site);
        let mut out: Vec<Combination> = vec![Vec::new()];
        for s in chain {
            out = out.iter().flat_map(|c| self.ways_with(s, c).map(|w| [c.as_slice(), &[(s, *w)]].concat())).collect();
        }
        out
    }

    /// The values that may be recomputed from that of a site, itself or by way of others, what is computed last first.
    fn readers(&self, site: usize) -> Vec<usize> {
        let mut out = vec![site];
        let mut next = 0;
        while let Some(&at) = out.get(next) {
            let readers = self.sites[at].site.readers.iter();
            let found: Vec<usize> = readers.filter_map(|r| self.sites.iter().position(|u| u.site.id() == *r)).collect();
            out.extend(found.into_iter().filter(|r| !out.contains(r)).collect::<Vec<_>>());
            next += 1;
        }
        out.remove(0);
        out.reverse();
        out
    }

    /// The ways of a site with those of others; where it isn't there it doesn't matter which.
    fn ways_with(&self, site: usize, others: &[(usize, usize)]) -> std::slice::Iter<'_, usize> {
        let hidden = self.behind[site].as_ref().is_some_and(|(outer, shown)| {
            let way = others.iter().find(|o| o.0 == *outer);
            way.is_some_and(|w| !shown[w.1])
        });
        let offered = &self.offered[site];
        offered[..if hidden { 1 } else { offered.len() }].iter()
    }

    /// What is held for a site that there is with few combinations only is held for the one around it.
    fn attribute(&self, e: &mut Evaluation) {
        let known: BTreeSet<SiteId> = self.sites.iter().map(|u| u.site.id()).collect();
        let around = |u: &Use| u.chain.iter().rev().map(|s| SiteId::of(*s)).find(|s| known.contains(s));
        let other = e.sites.iter().filter(|u| !known.contains(&u.site.id()));
        let mut instead: BTreeMap<SiteId, Option<SiteId>> = other.map(|u| (u.site.id(), around(u))).collect();
        for (by, group) in &self.groups {
            instead.extend(group.iter().map(|s| (s.clone(), Some(by.clone()))));
        }
        for held in e.points.values_mut() {
            for (site, by) in &instead {
                if let Some(bytes) = held.remove(&Some(site.clone())) {
                    *held.entry(by.clone()).or_default() += bytes;
                }
            }
        }
    }

    fn formulate(&mut self, evaluated: &BTreeMap<Combination, Evaluation>) {
        let mut fixed: BTreeMap<&Path, u64> = BTreeMap::new();
        for e in evaluated.values().chain([&self.base]) {
            for (path, held) in &e.points {
                let most = fixed.entry(path).or_default();
                *most = (*most).max(held.get(&None).copied().unwrap_or(0));
            }
        }
        let number: BTreeMap<&Path, usize> = fixed.keys().enumerate().map(|(i, p)| (*p, i)).collect();
        let points =
            fixed.iter().enumerate().map(|(i, (_, bytes))| Point { name: format!("place {i}"), bytes: *bytes });
        self.problem.points = points.collect();
        self.constant = evaluated.get(&Combination::new()).map_or(self.base.cost, |e| e.cost);
        for (site, combinations) in self.combinations.iter().enumerate() {
            let used = &self.sites[site];
            let added = |c: &Combination| evaluated[c].cost - evaluated[&c[..c.len() - 1]].cost;
            let least = combinations.iter().map(added).fold(f64::INFINITY, f64::min);
            self.constant += least;
            let options = combinations.iter().map(|c| {
                let way = &self.ways[site][c.last().map_or(0, |own| own.1)];
                let mut choice = Choice::new(action(way, used), added(c) - least);
                for (path, held) in &evaluated[c].points {
                    let bytes = held.get(&Some(used.site.id())).copied().unwrap_or(0);
                    choice = choice.holding(number[path], number[path], bytes);
                }
                for &(outer, way) in &c[..c.len() - 1] {
                    let same = |(_, o): &(usize, &Combination)| o.last() == Some(&(outer, way));
                    let all = self.combinations[outer].iter().enumerate().filter(same);
                    choice = choice.requiring(all.map(|(option, _)| Pick { decision: outer, option }).collect());
                }
                choice
            });
            let options = options.collect();
            self.problem.decide(used.procedure.clone(), options);
        }
    }

    /// The plan of least run time within a budget, or without one.
    pub fn plan(&self, budget: Option<u64>) -> Result<Optimum, Vec<Diagnostic>> {
        let allowed = budget.unwrap_or(u64::MAX);
        let Solved { found, smallest, refused } = self.solved(allowed)?;
        // What the model leaves out may make an alternative that was evaluated as a whole the better one.
        let fits = self.known.iter().filter(|k| k.2 <= allowed);
        let known = fits.min_by(|a, b| a.1.total_cmp(&b.1)).map(|k| self.whole(&k.0, 0.0)).transpose()?;
        let plan = match (found, known) {
            (Some(found), Some(known)) if known.ratio < found.ratio => {
                Optimum { bound: found.bound.min(known.ratio), ..known }
            }
            (Some(plan), _) | (None, Some(plan)) => plan,
            (None, None) => return Err(vec![self.refusal(allowed, smallest, refused.unwrap_or_default())]),
        };
        self.refined(plan, allowed)
    }

    /// Gives every loop the best of all its ways, with the others as they are.
    fn refined(&self, mut plan: Optimum, allowed: u64) -> Result<Optimum, Vec<Diagnostic>> {
        let partly = |s: &usize| self.offered[*s].len() < self.ways[*s].len();
        for site in (0..self.ways.len()).filter(partly) {
            let others: Combination = plan.combination.iter().copied().filter(|c| c.0 != site).collect();
            let all = (0..self.ways[site].len()).map(|w| [others.as_slice(), &[(site, w)]].concat()).collect();
            let (tried, _) = self.evaluate(all);
            let fits = tried.into_iter().filter(|(_, e)| e.peak <= allowed);
            let Some((combination, best)) = fits.min_by(|a, b| a.1.cost.total_cmp(&b.1.cost)) else { continue };
            let better = self.optimum(combination, &best, plan.bound);
            if better.ratio < plan.ratio {
                plan = better;
            }
        }
        Ok(plan)
    }

    /// What the integer programme comes to.
    fn solved(&self, allowed: u64) -> Result<Solved, Vec<Diagnostic>> {
        let limits = Limits::default();
        let mut room = allowed;
        let mut out = Solved::default();
        for _ in 0..TRIES {
            let (chosen, bound, fits) = match ilp::plan(&self.problem, Some(room.min(u64::MAX >> 1)), &limits) {
                Ok(plan) => (plan.chosen, plan.bound, true),
                Err(PlanError::Budget { least, .. }) => (least.chosen, 0.0, false),
                Err(other) => return Err(vec![Diagnostic::global(Code::MemoryBudget, other.to_string())]),
            };
            let found = match self.planned(&chosen, bound) {
                Ok(found) => found,
                Err(why) => return Ok(Solved { refused: Some(why), ..out }),
            };
            if found.peak <= allowed {
                return Ok(Solved { found: Some(found), ..out });
            }
            let over = found.peak - allowed;
            if out.smallest.as_ref().is_none_or(|s| found.peak < s.peak) {
                out.smallest = Some(found);
            }
            if !fits {
                break;
            }
            room = room.saturating_sub(over.max(1));
        }
        Ok(out)
    }

    /// The least memory that a plan takes.
    pub fn least(&self) -> Result<Optimum, Vec<Diagnostic>> {
        let failed = |e: PlanError| vec![Diagnostic::global(Code::MemoryBudget, e.to_string())];
        let least = ilp::least_peak(&self.problem, &Limits::default()).map_err(failed)?;
        let least = self.planned(&least.chosen, 0.0);
        let smaller = |k: &&(Combination, f64, u64)| least.as_ref().map_or(true, |l| k.2 < l.peak);
        match self.known.iter().filter(smaller).min_by_key(|k| k.2) {
            Some(known) => self.whole(&known.0, 0.0),
            None => least,
        }
    }

    /// No plan keeps the budget. `refused` says why one that would take less can't be generated.
    fn refusal(&self, budget: u64, smallest: Option<Optimum>, refused: Vec<Diagnostic>) -> Diagnostic {
        let least = [self.least().ok(), smallest].into_iter().flatten().map(|o| o.peak).min().unwrap_or(0);
        let (name, place) = self.model.first_head().unwrap_or_default();
        let what = format!("the adjoint of `{name}` takes {} at least", amount(least));
        let allowed = match amount(budget) == amount(least) {
            true => format!("{budget} bytes of these {least}"),
            false => amount(budget),
        };
        let place_of = |d: &Diagnostic| d.span.map_or(String::new(), |s| self.model.sources.locate(s));
        let why = refused.first().map_or(String::new(), |d| {
            let reason = d.reason.as_deref().unwrap_or("the reason isn't known");
            format!("; with less, {} ({}): {reason}", d.message, place_of(d))
        });
        Diagnostic::error(Code::MemoryBudget, place, what)
            .reason(format!("`--memory` allows {allowed}{why}"))
            .help(format!("allow `--memory {least}`; `costate plan` lists what is held; `--size` gives sizes"))
    }

    /// A plan of the problem as a whole.
    fn planned(&self, chosen: &[usize], bound: f64) -> Result<Optimum, Vec<Diagnostic>> {
        let own = |(site, option): (usize, &usize)| self.combinations[site][*option].last().copied();
        let combination: Combination = chosen.iter().enumerate().filter_map(own).collect();
        self.whole(&combination, bound)
    }

    fn whole(&self, combination: &Combination, bound: f64) -> Result<Optimum, Vec<Diagnostic>> {
        let evaluation = self.model.evaluate(&self.choices(combination))?;
        let bound = (self.constant + bound) / evaluation.primal.max(1.0);
        Ok(self.optimum(combination.clone(), &evaluation, bound))
    }

    /// A plan that was evaluated; none is known to be below `bound`.
    fn optimum(&self, combination: Combination, evaluation: &Evaluation, bound: f64) -> Optimum {
        let ratio = evaluation.cost / evaluation.primal.max(1.0);
        let choices = self.choices(&combination);
        let words = evaluation.sites.iter().map(|u| format!("{}: {}", u.place(), Decided::at(u, &choices))).collect();
        Optimum { choices, ratio, peak: evaluation.peak, bound: bound.min(ratio), words, combination }
    }
}
