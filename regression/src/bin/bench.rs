//! Benchmarks: speed of the tool on a large program, and of generated adjoints against the primal and against adjoints
//! written by hand.
//!
//!     bench [--size S|M|L] [--only KERNEL]... [--no-tool]
//!
//! Exit status 1 when a gradient is wrong or a kernel fails; times are only reported.

#[path = "../bench/kernels.rs"]
mod kernels;
#[path = "../bench/large.rs"]
mod large;
#[path = "../bench/program.rs"]
mod program;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use costate_adjoint::pipeline::Mode;

use kernels::{KERNELS, Kernel};
use program::Workshop;

/// Gradients that differ by more are wrong.
const TOLERANCE: f64 = 1e-11;

struct Choice {
    size: usize,
    only: Vec<String>,
    tool: bool,
}

fn main() -> ExitCode {
    if std::env::args().nth(1).as_deref() == Some("--large") {
        return large();
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
    }
    println!("kernel         primal ms    ours ms  ratio   goal  hand ratio  max rel. diff.  peak MB");
    for kernel in KERNELS {
        if !choice.only.is_empty() && !choice.only.iter().any(|n| n == kernel.name) {
            continue;
        }
        match measure(kernel, kernel.sizes[choice.size]) {
            Ok(right) => fine &= right,
            Err(e) => {
                println!("{:13} failed: {}", kernel.name, e.trim_end());
                fine = false;
            }
        }
    }
    if fine { ExitCode::SUCCESS } else { ExitCode::FAILURE }
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
    let mut choice = Choice { size: 1, only: Vec::new(), tool: true };
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

/// Measures one kernel and prints its row; false when the gradient is wrong.
fn measure(kernel: &Kernel, ints: &[i64]) -> Result<bool, String> {
    let (bench, work) = folders();
    let shop = Workshop::new(kernel, ints, &bench, &work)?;
    let primal = shop.build("primal", None)?;
    let tangent = shop.build("tangent", Some((&shop.generate(Mode::Tangent)?, "TANGENT")))?;
    let adjoint = shop.build("adjoint", Some((&shop.generate(Mode::Adjoint)?, "GRAD")))?;
    let once = shop.run(&primal, 1, None)?;
    let reps = ((1.0 / once.seconds.max(1e-9)) as usize).clamp(3, 50);
    let base = shop.run(&primal, reps, None)?;
    let ours = shop.run(&adjoint, reps.min(20), Some("ours"))?;
    let forward = shop.run(&tangent, 1, None)?;
    let mut apart = (forward.directional - ours.directional).abs() / ours.scale;
    let mut by_hand = String::new();
    if let Some(file) = shop.by_hand() {
        let hand = shop.build("by_hand", Some((&file, "GRAD")))?;
        let run = shop.run(&hand, reps.min(20), Some("hand"))?;
        by_hand = format!("{:.2}", run.seconds / base.seconds);
        let other = shop.difference("ours", "hand")?;
        apart = if other > apart || other.is_nan() { other } else { apart };
    }
    let right = apart < TOLERANCE;
    let goal = kernel.goal.map_or(String::new(), |(g, _)| format!("{g:.0}"));
    println!(
        "{:13} {:10.3} {:10.3} {:6.2} {:>6} {:>11} {:15.1e} {:8.0}{}",
        kernel.name,
        base.seconds * 1e3,
        ours.seconds * 1e3,
        ours.seconds / base.seconds,
        goal,
        by_hand,
        apart,
        ours.peak,
        if right { "" } else { "  WRONG" }
    );
    Ok(right)
}
