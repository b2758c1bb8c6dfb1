//! Plans of both solvers against all plans of small problems, against the greedy plan, and against each other.

mod generate;

use costate_checkpoint::greedy::greedy;
use costate_checkpoint::ilp::{Limits, Plan, PlanError, Solver, least_peak, plan};
use costate_checkpoint::problem::Problem;

const SOLVERS: &[Solver] = &[
    #[cfg(feature = "cbc")]
    Solver::Cbc,
    Solver::Microlp,
];

fn exact(solver: Solver) -> Limits {
    Limits { gap: 0.0, nodes: 100_000, solver }
}

/// The peak memory and the cost of every complete plan.
fn all_plans(problem: &Problem) -> Vec<(u64, f64)> {
    let mut chosen = vec![0; problem.decisions.len()];
    let mut plans = Vec::new();
    loop {
        if problem.is_complete(&chosen) {
            plans.push((problem.peak(&chosen).0, problem.cost(&chosen)));
        }
        let last = |decision: usize, option: usize| option + 1 == problem.decisions[decision].options.len();
        let Some(next) = (0..chosen.len()).find(|&decision| !last(decision, chosen[decision])) else { return plans };
        chosen[..next].fill(0);
        chosen[next] += 1;
    }
}

/// Small random problems that can be enumerated, with all their plans.
fn small_problems() -> impl Iterator<Item = (u64, Problem, Vec<(u64, f64)>)> {
    let size = |problem: &Problem| problem.decisions.iter().map(|data| data.options.len() as f64).product::<f64>();
    let problems = (0..400).map(|seed| (seed, generate::small(seed))).filter(move |(_, p)| size(p) < 200_000.0);
    problems.map(|(seed, problem)| {
        let plans = all_plans(&problem);
        (seed, problem, plans)
    })
}

/// Budgets from less than the least that works to more than the most that matters.
fn budgets(plans: &[(u64, f64)]) -> Vec<u64> {
    let least = plans.iter().map(|plan| plan.0).min().unwrap();
    let most = plans.iter().map(|plan| plan.0).max().unwrap();
    vec![least / 2, least.saturating_sub(1), least, (3 * least + most) / 4, (least + most) / 2, most]
}

fn assert_sound(problem: &Problem, plan: &Plan, budget: u64) {
    assert!(problem.is_complete(&plan.chosen));
    assert_eq!(problem.cost(&plan.chosen), plan.cost);
    assert_eq!(problem.peak(&plan.chosen), (plan.peak, plan.peak_at));
    assert!(plan.peak <= budget);
    assert!(plan.bound <= plan.cost && plan.gap >= 0.0);
}

#[test]
fn plans_of_small_problems_are_optimal() {
    let (mut solved, mut refused, mut recomputes) = (0, 0, 0);
    for (seed, problem, plans) in small_problems() {
        let least = plans.iter().map(|plan| plan.0).min().unwrap();
        for budget in budgets(&plans) {
            let within = plans.iter().filter(|plan| plan.0 <= budget);
            let best = within.map(|plan| plan.1).min_by(f64::total_cmp);
            for &solver in SOLVERS {
                match (plan(&problem, Some(budget), &exact(solver)), best) {
                    (Ok(found), Some(best)) => {
                        assert_sound(&problem, &found, budget);
                        assert!((found.cost - best).abs() < 1e-9, "seed {seed}, {solver}: {} not {best}", found.cost);
                        assert!((found.bound - best).abs() < 1e-5 * best.max(1.0), "seed {seed}, {solver}");
                        solved += 1;
                        recomputes += usize::from(found.cost > plans.iter().map(|p| p.1).fold(f64::MAX, f64::min));
                    }
                    (Err(PlanError::Budget { least: found, .. }), None) => {
                        assert_eq!((found.peak, found.bound), (least, least), "seed {seed}, {solver}");
                        assert_eq!(problem.peak(&found.chosen).0, least);
                        refused += 1;
                    }
                    (found, best) => panic!("seed {seed}, budget {budget}, {solver}: {found:?}, best {best:?}"),
                }
            }
        }
    }
    println!("{solved} plans, {recomputes} of them with added run time, {refused} refusals");
    assert!(solved > 500 && refused > 200 && recomputes > 100);
}

#[test]
fn the_default_limits_keep_their_promise() {
    for (seed, problem, plans) in small_problems() {
        for budget in budgets(&plans) {
            let within = plans.iter().filter(|plan| plan.0 <= budget);
            let Some(best) = within.map(|plan| plan.1).min_by(f64::total_cmp) else { continue };
            for &solver in SOLVERS {
                let found = plan(&problem, Some(budget), &Limits { solver, ..Limits::default() }).unwrap();
                assert!(found.bound <= best * (1.0 + 1e-6) + 1e-9, "seed {seed}, {solver}: bound {}", found.bound);
                assert!(found.cost <= best * 1.0102 + 1e-9, "seed {seed}, {solver}: {} not {best}", found.cost);
                assert!(found.gap <= 0.0102, "seed {seed}, {solver}: {found:?}");
            }
        }
    }
}

#[test]
fn never_worse_than_greedy() {
    let mut better = 0;
    for (seed, problem, plans) in small_problems() {
        for budget in budgets(&plans) {
            let Some(simple) = greedy(&problem, budget) else { continue };
            assert!(problem.is_complete(&simple) && problem.peak(&simple).0 <= budget, "seed {seed}");
            for &solver in SOLVERS {
                let found = plan(&problem, Some(budget), &Limits { solver, ..Limits::default() }).unwrap();
                assert!(found.cost <= problem.cost(&simple), "seed {seed}, {solver}");
                better += usize::from(found.cost < problem.cost(&simple));
            }
        }
    }
    assert!(better > 20, "the greedy plan is hardly ever improved: {better}");
}

#[test]
fn without_a_budget_the_cheapest_plan() {
    for (seed, problem, plans) in small_problems() {
        let best = plans.iter().map(|plan| plan.1).fold(f64::INFINITY, f64::min);
        for &solver in SOLVERS {
            let found = plan(&problem, None, &exact(solver)).unwrap();
            assert!((found.cost - best).abs() < 1e-9, "seed {seed}, {solver}: {} not {best}", found.cost);
        }
    }
}

/// Half of what the plan without a budget takes.
fn half(problem: &Problem) -> u64 {
    problem.peak(&greedy(problem, u64::MAX >> 1).unwrap()).0 / 2
}

#[test]
fn solvers_agree_within_their_gaps() {
    let problem = generate::large(200, true);
    let plans =
        SOLVERS.iter().map(|&solver| plan(&problem, Some(half(&problem)), &Limits { solver, ..Limits::default() }));
    let plans: Vec<Plan> = plans.map(Result::unwrap).collect();
    for (a, b) in plans.iter().zip(plans.iter().skip(1)) {
        assert!(a.gap <= 0.01 && b.gap <= 0.01);
        assert!(a.bound <= b.cost && b.bound <= a.cost);
        assert!((a.cost - b.cost).abs() <= 0.0102 * a.cost, "{} and {}", a.cost, b.cost);
    }
}

#[test]
fn the_same_plan_every_time() {
    let problem = generate::large(150, true);
    for &solver in SOLVERS {
        let limits = Limits { solver, ..Limits::default() };
        let run = || plan(&problem, Some(half(&problem)), &limits).unwrap();
        let first = run();
        let others: Vec<Plan> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..3).map(|_| scope.spawn(run)).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert!(others.iter().all(|other| *other == first), "{solver}");
    }
}

#[cfg(feature = "cbc")]
#[test]
fn ten_thousand_binaries() {
    for (number, chains) in [(5300, false), (1200, true)] {
        let problem = generate::large(number, chains);
        let binaries: usize = problem.decisions.iter().map(|data| data.options.len()).sum();
        assert!((10_000..12_000).contains(&binaries), "{binaries}");
        let begin = std::time::Instant::now();
        let found = plan(&problem, Some(half(&problem)), &Limits::default()).unwrap();
        println!("{binaries} binaries: gap {:.5} in {:.2?}", found.gap, begin.elapsed());
        assert_sound(&problem, &found, half(&problem));
        assert!(found.gap <= 0.01);
        assert!(found.stopped != costate_checkpoint::ilp::Stopped::NodeLimit);
    }
}

#[test]
fn problems_and_plans_can_be_kept() {
    let problem = generate::small(3);
    let text = serde_json::to_string(&problem).unwrap();
    let again: Problem = serde_json::from_str(&text).unwrap();
    assert_eq!(again, problem);
    let found = plan(&problem, None, &Limits::default()).unwrap();
    let kept: Plan = serde_json::from_str(&serde_json::to_string(&found).unwrap()).unwrap();
    assert_eq!(kept, found);
    assert!(least_peak(&problem, &Limits::default()).unwrap().peak <= found.peak);
}
