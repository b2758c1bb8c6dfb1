//! Benchmarks: speed of the tool on large programs and on difficult ones, and of generated adjoints against the primal and
//! against adjoints written by hand.
//!
//!     bench [--size S|M|L] [--only NAME]... [--no-tool] [--threads N] [--plans | --parallel | --against COSTATE]
//!
//! `--plans` prints the table of plans alone, `--parallel` that of kernels on several threads, `--against` compares with
//! another `costate` command. Exit status 1 when a gradient is wrong or a kernel fails; times are only reported.

#[path = "../bench/against.rs"]
mod against;
#[path = "../bench/choice.rs"]
mod choice;
#[path = "../bench/kernel.rs"]
mod kernel;
#[path = "../bench/kernels.rs"]
mod kernels;
#[path = "../bench/large.rs"]
mod large;
#[path = "../bench/parallel.rs"]
mod parallel;
#[path = "../bench/planned.rs"]
mod planned;
#[path = "../bench/plans.rs"]
mod plans;
#[path = "../bench/program.rs"]
mod program;
#[path = "../bench/shapes.rs"]
mod shapes;
#[path = "../bench/shared.rs"]
mod shared;

use std::path::Path;
use std::process::{Command, ExitCode};

use costate_adjoint::pipeline::Mode;

use choice::{Choice, USAGE};
use kernel::Kernel;
use kernels::KERNELS;
use program::{Alternation, Run, TOLERANCE, Workshop, folders};

/// What was measured of a gradient.
struct Gradient {
    first: Run,
    seconds: f64,
    /// Peak memory in MB above the primal's.
    memory: f64,
}

/// What was measured of a kernel.
struct Figures {
    /// Of the primal.
    seconds: f64,
    /// Peak memory of the primal in MB.
    memory: f64,
    ours: Gradient,
    hand: Option<Gradient>,
    /// The greatest relative difference of the gradient.
    apart: f64,
}

impl Figures {
    fn right(&self) -> bool {
        self.apart < TOLERANCE
    }

    /// Time of a gradient over the primal's.
    fn ratio(&self, gradient: &Gradient) -> f64 {
        gradient.seconds / self.seconds
    }

    /// A row of the table.
    fn row(&self, kernel: &Kernel) -> String {
        let of_hand = |f: &dyn Fn(&Gradient) -> String| self.hand.as_ref().map_or(String::new(), f);
        format!(
            "| {}{} | {:.3} | {:.3} | {:.2} | {} | {} | {:.1} | {:.1} | {} | {:.1e}{} |",
            kernel.name,
            if kernel.allow_undo { " `--allow-undo`" } else { "" },
            self.seconds * 1e3,
            self.ours.seconds * 1e3,
            self.ratio(&self.ours),
            kernel.goal,
            of_hand(&|g| format!("{:.2}", self.ratio(g))),
            self.memory,
            self.ours.memory,
            of_hand(&|g| format!("{:.1}", g.memory)),
            self.apart,
            if self.right() { "" } else { " WRONG" }
        )
    }
}

/// The head of the table.
const HEAD: &str = "\
| kernel | primal ms | gradient ms | ratio | goal | by hand | primal MB | extra MB | by hand | difference |
|---|---|---|---|---|---|---|---|---|---|";

fn main() -> ExitCode {
    // Figures of the tool come from processes of their own.
    let first = std::env::args().nth(1);
    match (first.as_deref(), std::env::args().nth(2)) {
        (Some("--large"), _) => return large(),
        (Some("--shape"), Some(name)) => return shapes::measure(&name),
        _ => {}
    }
    let choice = match Choice::given() {
        Ok(c) => c,
        Err(text) => {
            eprintln!("{text}\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    if let Some(other) = &choice.against {
        return status(against::table(&choice, other));
    }
    if choice.plans_alone {
        return status(plans::table(&choice));
    }
    if choice.parallel_alone {
        return status(parallel::table(&choice));
    }
    let mut fine = true;
    if choice.tool {
        // In a process of its own: the peak memory of the kernels' programs counts from their parent's.
        let child = std::env::current_exe().and_then(|exe| Command::new(exe).arg("--large").status());
        fine &= child.is_ok_and(|s| s.success());
        println!();
        fine &= shapes::tables();
        println!();
    }
    fine &= table(&choice);
    if !parallel::wanted(&choice).is_empty() {
        println!();
        fine &= parallel::table(&choice);
    }
    if !plans::wanted(&choice).is_empty() {
        println!();
        fine &= plans::table(&choice);
    }
    status(fine)
}

fn status(fine: bool) -> ExitCode {
    if fine { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Measures the chosen kernels and prints the table; false when a gradient is wrong or a kernel fails.
fn table(choice: &Choice) -> bool {
    let mut fine = true;
    let (mut ours, mut hand) = (Vec::new(), Vec::new());
    let wanted: Vec<&Kernel> = KERNELS.iter().filter(|k| choice.wants(k)).collect();
    if wanted.is_empty() {
        return true;
    }
    println!("{HEAD}");
    for kernel in wanted {
        match measure(kernel, kernel.sizes[choice.size]) {
            Ok(figures) => {
                fine &= figures.right();
                println!("{}", figures.row(kernel));
                if kernel.in_mean {
                    ours.push(figures.ratio(&figures.ours));
                    hand.extend(figures.hand.as_ref().map(|g| figures.ratio(g)));
                }
            }
            Err(e) => {
                println!("{}: {}", kernel.name, e.trim_end());
                fine = false;
            }
        }
    }
    let count = KERNELS.iter().filter(|k| k.in_mean).count();
    if ours.len() == count {
        println!("\nGeometric mean over the {count}: {:.2} (goal: 2.2)", mean(&ours));
        println!("Of the {} written by hand among them: {:.2}", hand.len(), mean(&hand));
    }
    fine
}

/// The geometric mean.
fn mean(ratios: &[f64]) -> f64 {
    (ratios.iter().map(|r| r.ln()).sum::<f64>() / ratios.len() as f64).exp()
}

/// Reads the large program, in this process.
fn large() -> ExitCode {
    match large::measure(100_000) {
        Ok(text) => {
            println!("{text}");
            ExitCode::SUCCESS
        }
        Err(e) => {
            println!("the large program is refused: {e}");
            ExitCode::FAILURE
        }
    }
}

/// A program that takes longer than a turn runs a second time, with memory that it has had before as all others.
const ALTERNATION: Alternation = Alternation { rounds: 4, round: 0.6, clock: |run| run.seconds };

/// Measures one kernel.
fn measure(kernel: &Kernel, ints: &[i64]) -> Result<Figures, String> {
    let shop = Workshop::new(kernel, ints, &folders().0)?;
    let tangent = shop.build("tangent", Some((&shop.generate(Mode::Tangent)?, "TANGENT")))?;
    let adjoint = shop.build("adjoint", Some((&shop.generate(Mode::Adjoint)?, "GRAD")))?;
    // A single run comes first: its peak memory is that of one evaluation. Where it takes long it is the only one.
    let primal = shop.build("primal", None)?;
    let once = shop.run(&primal, 1, None)?;
    let gradient = |program: &Path, name: &str| -> Result<Gradient, String> {
        let first = shop.run(program, 1, Some(name))?;
        Ok(Gradient { first, seconds: first.seconds, memory: first.peak - once.peak })
    };
    let mut seconds = once.seconds;
    let mut ours = gradient(&adjoint, "ours")?;
    let by_hand = shop.by_hand().map(|file| shop.build("by_hand", Some((&file, "GRAD")))).transpose()?;
    let mut hand = by_hand.as_ref().map(|program| gradient(program, "hand")).transpose()?;
    let mut alternation = vec![(primal.as_path(), &mut seconds), (&adjoint, &mut ours.seconds)];
    alternation.extend(by_hand.as_deref().zip(hand.as_mut().map(|h| &mut h.seconds)));
    shop.alternate(&mut alternation, ALTERNATION)?;
    let forward = shop.run(&tangent, 1, None)?;
    let mut apart = (forward.directional - ours.first.directional).abs() / ours.first.scale;
    if hand.is_some() {
        let other = shop.difference("ours", "hand")?;
        // NaN counts as a difference.
        apart = if other > apart || other.is_nan() { other } else { apart };
    }
    shop.clear();
    Ok(Figures { seconds, memory: once.peak, ours, hand, apart })
}
