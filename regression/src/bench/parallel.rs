//! Kernels with directives of OpenMP on several threads: what becomes of their parallelism in adjoints.

use std::path::{Path, PathBuf};

use costate_adjoint::pipeline::{Differentiated, Mode};
use costate_grammar::diag::Code;

use crate::choice::Choice;
use crate::program::{Alternation, Launch, TOLERANCE, Workshop, folders};
use crate::shared::{Shared, kernels};

/// Threads wait for each other, so the time on the clock counts.
const ALTERNATION: Alternation = Alternation { rounds: 4, round: 0.6, clock: |run| run.seconds };
/// The gradients of one thread and of several may differ by so much: sums have another order.
const OF_THREADS: f64 = 1e-12;
/// So often the gradient of several threads is compared: a race doesn't show in every run.
const RUNS: usize = 3;
/// An adjoint's speed-up over the primal's to reach, and the ratio of an adjoint on one thread to one without OpenMP.
const GOALS: [f64; 2] = [0.9, 1.05];
/// A primal that gains less from threads is too small for them, or the machine is busy.
const SPEED_UP: f64 = 1.2;
const OPENMP: [&str; 1] = ["-fopenmp"];

/// Least times in seconds.
#[derive(Clone, Copy)]
struct Seconds {
    /// Of the primal on one thread and on several.
    primal: [f64; 2],
    /// Of the adjoint.
    adjoint: [f64; 2],
    /// Of the adjoint that is compiled without OpenMP.
    serial: f64,
    /// Of the adjoint by hand, where there is one.
    hand: Option<[f64; 2]>,
}

/// What was measured of a kernel.
struct Figures {
    seconds: Seconds,
    /// Updates in the adjoint that threads do one after the other.
    atomics: usize,
    /// Loops that run serially in the adjoint, as its warnings say.
    lost: usize,
    /// How far adjoint and tangent are apart, and gradients of different numbers of threads.
    apart: [f64; 2],
}

impl Figures {
    fn right(&self) -> bool {
        self.apart[0] < TOLERANCE && self.apart[1] < OF_THREADS
    }

    /// Speed-ups of primal and adjoint.
    fn faster(&self) -> [f64; 2] {
        [self.seconds.primal, self.seconds.adjoint].map(|[one, many]| one / many)
    }

    /// The adjoint's speed-up over the primal's.
    fn kept(&self) -> f64 {
        self.faster()[1] / self.faster()[0]
    }

    /// Times of the adjoint over those of the primal with as many threads.
    fn ratios(&self) -> [f64; 2] {
        [0, 1].map(|i| self.seconds.adjoint[i] / self.seconds.primal[i])
    }

    /// The adjoint's time on one thread over that without OpenMP.
    fn overhead(&self) -> f64 {
        self.seconds.adjoint[0] / self.seconds.serial
    }

    /// A row of the table.
    fn row(&self, shared: &Shared) -> String {
        let Seconds { primal, adjoint, serial, hand } = self.seconds;
        let times = [primal[0], primal[1], adjoint[0], adjoint[1], serial].map(|t| format!("{:.2}", t * 1e3));
        let ([of_primal, of_adjoint], [one, many]) = (self.faster(), self.ratios());
        let [hand_one, hand_many] =
            [0, 1].map(|i| hand.map_or(String::new(), |seconds| format!("{:.2}", seconds[i] / primal[i])));
        format!(
            "| {} | {} | {of_primal:.2} | {of_adjoint:.2} | {:.2} | {one:.2} | {many:.2} | {} | {hand_one} | {hand_many} | \
             {:.2} | {} | {} | {:.1e} | {:.1e}{} |",
            shared.kernel.name,
            times.join(" | "),
            self.kept(),
            shared.goal,
            self.overhead(),
            self.atomics,
            self.lost,
            self.apart[0],
            self.apart[1],
            if self.right() { "" } else { " WRONG" }
        )
    }

    /// What isn't reached, in words.
    fn short_of(&self, shared: &Shared, threads: usize) -> Vec<String> {
        let mut out = Vec::new();
        if threads > 1 && self.faster()[0] < SPEED_UP {
            out.push(format!(
                "the primal gains nothing from {threads} threads here, other figures of them say nothing"
            ));
        } else if threads == 2 && self.kept() < GOALS[0] {
            out.push(format!("{:.2} of the primal's speed-up", self.kept()));
        }
        if self.ratios()[1] > shared.goal {
            out.push(format!("{:.2} times the primal on {threads} threads", self.ratios()[1]));
        }
        if self.overhead() > GOALS[1] {
            out.push(format!("{:.2} times the serial adjoint on one thread", self.overhead()));
        }
        out
    }
}

/// The kernels that are asked for.
pub(crate) fn wanted(choice: &Choice) -> Vec<Shared> {
    kernels().into_iter().filter(|s| choice.wants(s.kernel)).collect()
}

/// The head of the table.
fn head(threads: usize) -> String {
    let columns = [
        "kernel".to_string(),
        "primal ms, 1 thread".to_string(),
        format!("{threads} threads"),
        "adjoint ms, 1 thread".to_string(),
        format!("{threads} threads"),
        "without OpenMP".to_string(),
        "speed-up of primal".to_string(),
        "of adjoint".to_string(),
        "quotient".to_string(),
        "ratio, 1 thread".to_string(),
        format!("{threads} threads"),
        "goal".to_string(),
        "by hand, 1 thread".to_string(),
        format!("{threads} threads"),
        "1 thread/without".to_string(),
        "atomic".to_string(),
        "serial loops".to_string(),
        "difference".to_string(),
        "of threads".to_string(),
    ];
    format!("| {} |\n|{}", columns.join(" | "), "---|".repeat(columns.len()))
}

/// Prints the table and what falls short of the goals; false when a gradient is wrong or a kernel fails.
pub(crate) fn table(choice: &Choice) -> bool {
    let mut fine = true;
    let mut short = Vec::new();
    println!("{}", head(choice.threads));
    for shared in wanted(choice) {
        match measure(&shared, shared.kernel.sizes[choice.size], choice.threads) {
            Ok(figures) => {
                fine &= figures.right();
                println!("{}", figures.row(&shared));
                let faults = figures.short_of(&shared, choice.threads);
                short.extend(faults.into_iter().map(|f| format!("{}: {f}", shared.kernel.name)));
            }
            Err(e) => {
                println!("{}: {}", shared.kernel.name, e.trim_end());
                fine = false;
            }
        }
    }
    println!("\nShort of the goals: {}", if short.is_empty() { "none".to_string() } else { short.join("; ") });
    fine
}

/// The programs of a kernel.
struct Programs {
    primal: PathBuf,
    tangent: PathBuf,
    adjoint: PathBuf,
    /// The adjoint without OpenMP.
    serial: PathBuf,
    hand: Option<PathBuf>,
}

impl Programs {
    /// Compiles them; the adjoint's text is in a file.
    fn new(shop: &Workshop<'_>, adjoint: &Path) -> Result<Programs, String> {
        let by_hand = |file: PathBuf| shop.build_with(&OPENMP, "by_hand", Some((&file, "GRAD")));
        let tangent = shop.generate(Mode::Tangent)?;
        Ok(Programs {
            primal: shop.build_with(&OPENMP, "primal", None)?,
            tangent: shop.build_with(&OPENMP, "tangent", Some((&tangent, "TANGENT")))?,
            adjoint: shop.build_with(&OPENMP, "adjoint", Some((adjoint, "GRAD")))?,
            serial: shop.build("serial", Some((adjoint, "GRAD")))?,
            hand: shop.by_hand().map(by_hand).transpose()?,
        })
    }

    /// How far the adjoint is from the tangent or one by hand, and its gradient on one thread from those on several and
    /// without OpenMP.
    fn compare(&self, shop: &Workshop<'_>, threads: usize) -> Result<[f64; 2], String> {
        let many = Launch::new(&self.adjoint, threads);
        let forward = shop.run(Launch::new(&self.tangent, threads), 1, None)?;
        let one = shop.run(&self.adjoint, 1, Some("ours"))?;
        let from = |launch: Launch<'_>| -> Result<f64, String> {
            shop.run(launch, 1, Some("hand"))?;
            shop.difference("ours", "hand")
        };
        let mut apart = (forward.directional - one.directional).abs() / one.scale;
        if let Some(hand) = &self.hand {
            apart = greater(apart, from(Launch::new(hand, threads))?);
        }
        let mut of_threads = from(Launch::new(&self.serial, 1))?;
        for _ in 0..RUNS {
            of_threads = greater(of_threads, from(many)?);
        }
        Ok([apart, of_threads])
    }

    /// Least times; each program has had a run before.
    fn times(&self, shop: &Workshop<'_>, threads: usize) -> Result<Seconds, String> {
        let both = |program| [1, threads].map(|n| Launch::new(program, n));
        let mut launches: Vec<Launch<'_>> = both(&self.primal).into_iter().chain(both(&self.adjoint)).collect();
        launches.push(Launch::new(&self.serial, 1));
        launches.extend(self.hand.iter().flat_map(|hand| both(hand)));
        let mut seconds = Vec::new();
        for launch in &launches {
            seconds.push(shop.run(*launch, 1, None)?.seconds);
        }
        shop.alternate(&mut launches.into_iter().zip(&mut seconds).collect::<Vec<_>>(), ALTERNATION)?;
        let pair = |i: usize| [seconds[i], seconds[i + 1]];
        Ok(Seconds { primal: pair(0), adjoint: pair(2), serial: seconds[4], hand: self.hand.as_ref().map(|_| pair(5)) })
    }
}

/// The greater difference; NaN counts as one.
fn greater(a: f64, b: f64) -> f64 {
    if b > a || b.is_nan() { b } else { a }
}

/// Measures one kernel.
fn measure(shared: &Shared, ints: &[i64], threads: usize) -> Result<Figures, String> {
    let shop = Workshop::new(shared.kernel, ints, &folders().0.join("parallel"))?;
    let made = shop.differentiate(Mode::Adjoint, &shop.options())?;
    let programs = Programs::new(&shop, &shop.write("kernel_b", &made)?)?;
    let apart = programs.compare(&shop, threads)?;
    let seconds = programs.times(&shop, threads)?;
    shop.clear();
    Ok(Figures { seconds, atomics: atomics(&made), lost: lost(&made), apart })
}

/// Atomic updates in generated code.
fn atomics(made: &Differentiated) -> usize {
    let lines = made.files.iter().flat_map(|f| f.text.lines());
    lines.filter(|l| l.trim_start().starts_with("!$omp atomic")).count()
}

/// Loops that lost their directives.
fn lost(made: &Differentiated) -> usize {
    made.notes.iter().filter(|d| d.code == Code::SerialLoop).count()
}
