//! Benchmarks: speed of the tool on large programs and on difficult ones, and of generated adjoints against the primal and
//! against adjoints written by hand.
//!
//!     bench [--size S|M|L] [--only KERNEL]... [--no-tool]
//!
//! Exit status 1 when a gradient is wrong or a kernel fails; times are only reported.

#[path = "../bench/kernel.rs"]
mod kernel;
#[path = "../bench/kernels.rs"]
mod kernels;
#[path = "../bench/large.rs"]
mod large;
#[path = "../bench/program.rs"]
mod program;
#[path = "../bench/shapes.rs"]
mod shapes;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use costate_adjoint::pipeline::Mode;

use kernel::Kernel;
use kernels::KERNELS;
use program::{Run, Workshop};

/// Gradients that differ by more are wrong.
const TOLERANCE: f64 = 1e-11;

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

struct Choice {
    size: usize,
    only: Vec<String>,
    tool: bool,
}

fn main() -> ExitCode {
    // Figures of the tool come from processes of their own.
    let first = std::env::args().nth(1);
    match (first.as_deref(), std::env::args().nth(2)) {
        (Some("--large"), _) => return large(),
        (Some("--shape"), Some(name)) => return shapes::measure(&name),
        _ => {}
    }
    let choice = match arguments() {
        Ok(c) => c,
        Err(text) => {
            eprintln!("{text}\nusage: bench [--size S|M|L] [--only KERNEL]... [--no-tool]");
            return ExitCode::from(2);
        }
    };
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
    if fine { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Measures the chosen kernels and prints the table; false when a gradient is wrong or a kernel fails.
fn table(choice: &Choice) -> bool {
    let mut fine = true;
    let (mut ours, mut hand) = (Vec::new(), Vec::new());
    println!("{HEAD}");
    for kernel in KERNELS {
        if !choice.only.is_empty() && !choice.only.iter().any(|n| n == kernel.source().0) {
            continue;
        }
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

fn arguments() -> Result<Choice, String> {
    let mut choice = Choice { size: 2, only: Vec::new(), tool: true };
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--size" => {
                let size = args.next().unwrap_or_default();
                let known = ["S", "M", "L"].iter().position(|s| *s == size);
                choice.size = known.ok_or_else(|| format!("`{size}` is no size"))?;
            }
            "--only" => choice.only.push(args.next().unwrap_or_default()),
            "--no-tool" => choice.tool = false,
            _ => return Err(format!("`{arg}` is no option")),
        }
    }
    Ok(choice)
}

fn folders() -> (PathBuf, PathBuf) {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| here.join("../target"), PathBuf::from);
    (here.join("bench"), target.join("bench"))
}

/// How often the programs of a kernel take turns.
const ROUNDS: usize = 4;
/// Seconds for which a program is repeated in a round; one that takes longer runs only once in all.
const ROUND: f64 = 0.6;
/// A program is repeated no more often than this in a round.
const MOST_RUNS: usize = 100;

/// Measures one kernel.
fn measure(kernel: &Kernel, ints: &[i64]) -> Result<Figures, String> {
    let (bench, work) = folders();
    let shop = Workshop::new(kernel, ints, &bench, &work)?;
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
    // They take turns, so that what else the machine does meets them alike.
    for _ in 0..ROUNDS {
        let timed = [(&primal, &mut seconds), (&adjoint, &mut ours.seconds)].into_iter();
        for (program, least) in timed.chain(by_hand.as_ref().zip(hand.as_mut().map(|h| &mut h.seconds))) {
            let reps = (ROUND / least.max(1e-9)) as usize;
            if reps > 0 {
                *least = least.min(shop.run(program, reps.min(MOST_RUNS), None)?.seconds);
            }
        }
    }
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
