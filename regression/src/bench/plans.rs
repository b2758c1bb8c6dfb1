//! Plans within memory budgets against what a user could choose by hand: what is predicted, and what is measured.

use std::path::PathBuf;

use costate_adjoint::pipeline::{Differentiated, Mode, Options};
use costate_adjoint::plan::{Decided, PlanFile};

use crate::choice::Choice;
use crate::kernel::Kernel;
use crate::planned::PROGRAMS;
use crate::program::{Alternation, Run, TOLERANCE, Workshop, folders};

/// So many budgets for each program.
const BUDGETS: usize = 5;
/// Processor time counts, which other programs on the machine change least.
const ALTERNATION: Alternation = Alternation { rounds: 6, round: 0.1, clock: |run| run.busy };
/// Measured memory may be so many MB above a budget: the first use of the run-time library and of Fortran's takes 16 kB,
/// whatever the plan.
const SLACK: f64 = 0.02;
/// The chosen plan's time is at most so many times that of the best alternative, and predicted so well.
const GOALS: [f64; 2] = [1.1, 1.3];
const MB: f64 = (1 << 20) as f64;

/// An adjoint under one plan.
struct Variant {
    /// The plan in a few words.
    words: String,
    text: String,
    predicted: f64,
    /// Predicted memory in MB.
    peak: f64,
    program: PathBuf,
    seconds: f64,
    /// Memory in MB that is allocated at a time, above the primal's.
    memory: f64,
}

/// All adjoints of a program, and its primal's time.
struct Measured {
    variants: Vec<Variant>,
    primal: f64,
    /// Budgets in MB, and the variants that were chosen for them.
    chosen: Vec<(f64, usize)>,
}

const HEAD: &str = "\
| program | budget MB | chosen plan | predicted ratio | measured | predicted MB | measured | best that fits | ratio | verdict |
|---|---|---|---|---|---|---|---|---|---|";

/// The programs that are asked for.
pub(crate) fn wanted(choice: &Choice) -> Vec<&'static Kernel> {
    PROGRAMS.iter().filter(|k| choice.wants(k)).collect()
}

/// Prints the table; false when a gradient is wrong or a program fails.
pub(crate) fn table(choice: &Choice) -> bool {
    println!("{HEAD}");
    let mut fine = true;
    let mut rows = Vec::new();
    for kernel in wanted(choice) {
        match measure(kernel, kernel.sizes[choice.size.min(1)]) {
            Ok(measured) => rows.extend(measured.rows(kernel)),
            Err(e) => {
                println!("{}: {}", kernel.name, e.trim_end());
                fine = false;
            }
        }
    }
    let count = |f: &dyn Fn(&Row) -> bool| rows.iter().filter(|r| f(r)).count();
    println!("\nOf {} plans, {} within 10 % of the best that fits,", rows.len(), count(&|r| r.behind <= GOALS[0]));
    println!("{} predicted within 30 %, {} within the budget.", count(&|r| r.is_predicted()), count(&|r| r.fits));
    fine
}

/// What is counted of a row.
struct Row {
    /// Times the time of the best alternative.
    behind: f64,
    /// Predicted over measured ratio.
    off: f64,
    fits: bool,
}

impl Row {
    fn is_predicted(&self) -> bool {
        (1.0 / GOALS[1]..=GOALS[1]).contains(&self.off)
    }

    fn verdict(&self) -> String {
        let mut faults = Vec::new();
        if self.behind > GOALS[0] {
            faults.push(format!("{:.0} % slower", 100.0 * (self.behind - 1.0)));
        }
        if !self.is_predicted() {
            faults.push(format!("predicted {:+.0} %", 100.0 * (self.off - 1.0)));
        }
        if !self.fits {
            faults.push("over the budget".to_string());
        }
        if faults.is_empty() { "good".to_string() } else { faults.join(", ") }
    }
}

impl Measured {
    /// Prints a row for each budget.
    fn rows(&self, kernel: &Kernel) -> Vec<Row> {
        let mut out = Vec::new();
        for (budget, chosen) in &self.chosen {
            let chosen = &self.variants[*chosen];
            let fitting = self.variants.iter().filter(|v| v.memory <= budget + SLACK);
            let best = fitting.min_by(|a, b| a.seconds.total_cmp(&b.seconds)).unwrap_or(chosen);
            let ratio = chosen.seconds / self.primal;
            let row = Row {
                behind: chosen.seconds / best.seconds,
                off: chosen.predicted / ratio,
                fits: chosen.memory <= budget + SLACK,
            };
            println!(
                "| {} | {budget:.2} | {} | {:.2} | {ratio:.2} | {:.2} | {:.2} | {} | {:.2} | {} |",
                kernel.name,
                chosen.words,
                chosen.predicted,
                chosen.peak,
                chosen.memory,
                if best.words == chosen.words { "the same" } else { &best.words },
                best.seconds / self.primal,
                row.verdict()
            );
            out.push(row);
        }
        out
    }
}

/// Builds and measures the adjoints of a program.
fn measure(kernel: &Kernel, ints: &[i64]) -> Result<Measured, String> {
    let shop = Workshop::new(kernel, ints, &folders().0.join("plans"))?.with_sizes();
    let tangent = shop.build("tangent", Some((&shop.generate(Mode::Tangent)?, "TANGENT")))?;
    let tangent = shop.run(&tangent, 1, None)?;
    let primal = shop.build("primal", None)?;
    let once = shop.run(&primal, 1, None)?;
    let primal_heap = shop.allocated(&primal)?;
    let mut pool = Pool { shop: &shop, tangent, primal_heap, variants: Vec::new() };
    let base = shop.differentiate(Mode::Adjoint, &shop.options())?;
    pool.add(&base)?;
    for plan in by_hand(&base.plan_file) {
        // Not all that could be written down can be generated.
        if let Ok(made) = shop.differentiate(Mode::Adjoint, &Options { plan: Some(plan), ..shop.options() }) {
            pool.add(&made)?;
        }
    }
    let mut chosen = Vec::new();
    for budget in budgets(&shop, &pool.variants)? {
        let made = shop.differentiate(Mode::Adjoint, &Options { memory: Some(budget), ..shop.options() })?;
        chosen.push((budget as f64 / MB, pool.add(&made)?));
    }
    let mut variants = pool.variants;
    let mut primal_seconds = once.busy;
    let mut alternation = vec![(primal.as_path(), &mut primal_seconds)];
    alternation.extend(variants.iter_mut().map(|v| (v.program.as_path(), &mut v.seconds)));
    shop.alternate(&mut alternation, ALTERNATION)?;
    shop.clear();
    Ok(Measured { variants, primal: primal_seconds, chosen })
}

/// Budgets from what the plan that stores most holds down to the least that works; from one to the next they shrink by a
/// factor.
fn budgets(shop: &Workshop<'_>, variants: &[Variant]) -> Result<Vec<u64>, String> {
    let least = shop.trades(2)?.iter().map(|t| t.budget).min().unwrap_or(1).max(1) as f64;
    let most = variants.iter().map(|v| v.peak * MB).fold(least, f64::max);
    let factor = (least / most).powf(1.0 / (BUDGETS - 1) as f64);
    Ok((0..BUDGETS).map(|i| (most * factor.powi(i as i32)).ceil() as u64).collect())
}

/// The adjoints of a program that were built.
struct Pool<'a> {
    shop: &'a Workshop<'a>,
    /// What the tangent says of the derivative.
    tangent: Run,
    /// The most that the primal has allocated at a time, in MB.
    primal_heap: f64,
    variants: Vec<Variant>,
}

impl Pool<'_> {
    /// Builds an adjoint, unless it is there, and runs it once for its gradient and its memory; returns its number.
    fn add(&mut self, made: &Differentiated) -> Result<usize, String> {
        let text = made.files.first().ok_or("nothing was generated")?.text.clone();
        if let Some(known) = self.variants.iter().position(|v| v.text == text) {
            return Ok(known);
        }
        let number = self.variants.len();
        let file = self.shop.write(&format!("plan_{number}"), made)?;
        let program = self.shop.build(&format!("plan_{number}.out"), Some((&file, "GRAD")))?;
        let run = self.shop.run(&program, 1, None)?;
        let words = brief(&made.plan_file);
        let apart = (self.tangent.directional - run.directional).abs() / run.scale;
        // NaN is wrong, too.
        if apart.is_nan() || apart > TOLERANCE {
            return Err(format!("WRONG under the plan {words}: {apart:.1e}"));
        }
        let memory = self.shop.allocated(&program)? - self.primal_heap;
        let (predicted, peak) = (made.plan_file.ratio, made.plan_file.peak as f64 / MB);
        self.variants.push(Variant { words, text, predicted, peak, program, seconds: run.busy, memory });
        Ok(number)
    }
}

/// A plan in a few words: each choice, with the number of sites that have it where these are several.
fn brief(plan: &PlanFile) -> String {
    let mut counted: Vec<(String, usize)> = Vec::new();
    for d in &plan.sites {
        let numbers = [d.length, d.snapshots, d.on_disk].into_iter().flatten().filter(|n| *n > 0);
        let numbers: String = numbers.map(|n| format!(" {n}")).collect();
        let words = format!("{}{numbers}", d.kind.as_deref().unwrap_or(&d.choice));
        match counted.iter_mut().find(|c| c.0 == words) {
            Some(known) => known.1 += 1,
            None => counted.push((words, 1)),
        }
    }
    let told = |(words, count): (String, usize)| if count > 1 { format!("{count} x {words}") } else { words };
    let parts: Vec<String> = counted.into_iter().map(told).collect();
    if parts.is_empty() { "nothing to choose".to_string() } else { parts.join(", ") }
}

/// Plans that a user could write down: a choice for the outermost time loop or for all of them, and one for what is inside.
fn by_hand(base: &PlanFile) -> Vec<PlanFile> {
    let loops: Vec<usize> = (0..base.sites.len()).filter(|i| is_time_loop(&base.sites[*i])).collect();
    let outermost: Vec<usize> = loops.first().copied().into_iter().collect();
    let mut out = Vec::new();
    for inside in [None, Some(["store-all", "split", "store"]), Some(["rerun", "joint", "recompute"])] {
        let mut with = base.clone();
        for d in with.sites.iter_mut().filter(|d| !is_time_loop(d)) {
            if let Some([nest, call, value]) = inside {
                d.choice = match d.choice.as_str() {
                    "joint" | "split" => call,
                    "store" | "recompute" => value,
                    _ => nest,
                }
                .to_string();
            }
        }
        out.push(with.clone());
        for which in [&outermost, &loops] {
            for (choice, length, kind, snapshots) in LOOP_CHOICES {
                let mut plan = with.clone();
                for i in which {
                    let d = &mut plan.sites[*i];
                    d.choice = (*choice).to_string();
                    (d.length, d.kind, d.snapshots) = (*length, kind.map(str::to_string), *snapshots);
                }
                out.push(plan);
            }
        }
    }
    out
}

/// A choice, the length of blocks, the kind of a schedule and its snapshots.
type LoopChoice = (&'static str, Option<u64>, Option<&'static str>, Option<u64>);

const LOOP_CHOICES: &[LoopChoice] = &[
    ("store-all", None, None, None),
    ("blocks", None, None, None),
    ("blocks", Some(1), None, None),
    ("blocks", Some(4), None, None),
    ("blocks", Some(12), None, None),
    ("schedule", None, Some("revolve"), Some(3)),
    ("schedule", None, Some("revolve"), Some(6)),
    ("schedule", None, Some("revolve"), Some(16)),
    ("schedule", None, Some("revolve"), Some(50)),
    ("schedule", None, Some("two-level"), Some(16)),
    ("schedule", None, Some("dynamic"), Some(8)),
    ("schedule", None, Some("dynamic"), Some(50)),
    ("schedule", None, Some("online"), Some(8)),
];

/// A time loop, in a plan without choices.
fn is_time_loop(d: &Decided) -> bool {
    !matches!(d.choice.as_str(), "rerun" | "joint" | "split" | "store" | "recompute")
}
