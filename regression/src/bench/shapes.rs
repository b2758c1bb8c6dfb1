//! How long the tool takes for programs of a difficult shape, and how that grows with their length.

use std::fmt::Write as _;
use std::process::{Command, ExitCode};

use costate_adjoint::pipeline::{Mode, Options};
use costate_regression::chain;

/// A program of a difficult shape.
struct Shape {
    name: &'static str,
    /// Seconds of processor time that its adjoint may take.
    goal: f64,
    head: &'static str,
    text: fn() -> String,
}

const SHAPES: &[Shape] = &[
    Shape {
        name: "cavity_flow",
        goal: 0.3,
        head: "kernel(f)/(u,v,p)",
        text: || include_str!("../../bench/cavity_flow/kernel.f90").to_string(),
    },
    Shape { name: "400 loop nests over 40 arrays", goal: 4.0, head: "nests", text: || nests(400) },
    Shape { name: "arrays of rank 7", goal: 0.5, head: "rank_7(b)/(a)", text: rank_7 },
    Shape { name: "18 loops in each other, with exits", goal: 0.5, head: "s(y)/(x)", text: || exits(18) },
    Shape { name: "400 ifs in each other", goal: 0.5, head: "s(y)/(x)", text: || ifs(400) },
    Shape { name: "200 sines in each other", goal: 0.5, head: "s(y)/(x)", text: || sines(200) },
    Shape { name: "5000 assignments to 300 scalars", goal: 4.0, head: "s(f)/(x,y)", text: || scalars(300, 5000) },
    Shape { name: "a sum of 8000 terms", goal: 0.5, head: "s(y)/(x)", text: || terms(8000) },
];

/// Lines of the programs by which growth is seen.
const LINES: [usize; 3] = [1_000, 5_000, 20_000];
/// What stands before the number of lines in the name of such a program.
const GROWN: &str = "lines ";
/// Expressions and constructs are followed recursively.
const STACK: usize = 1 << 30;

/// Prints the tables; false when a program is refused.
pub(crate) fn tables() -> bool {
    let mut fine = true;
    println!("| the adjoint of | user seconds | goal | peak MiB | lines |\n|---|---|---|---|---|");
    for s in SHAPES {
        fine &= row(s.name, &format!("{}", s.goal));
    }
    println!("\n| a program of | user seconds | | peak MiB | lines generated |\n|---|---|---|---|---|");
    for n in LINES {
        fine &= row(&format!("{GROWN}{n}"), "");
    }
    fine & plan_table()
}

/// A plan within a budget against generation without one: a name, a head, the program's text, a budget in bytes.
type Budgeted = (&'static str, &'static str, &'static str, u64);

const BUDGETED: &[Budgeted] = &[
    ("cavity_flow", "kernel(f)/(u,v,p)", include_str!("../../bench/cavity_flow/kernel.f90"), 30 << 20),
    ("vadv", "kernel", include_str!("../../bench/vadv/kernel.f90"), 1 << 30),
    ("burgers", "burgers_model::cost(j)/(u0)", include_str!("../../../examples/burgers/burgers_model.f90"), 1 << 20),
    ("heat", "heat_model::cost(j)/(p)", include_str!("../../../examples/heat/heat_model.f90"), 1 << 20),
    (
        "shallow_water",
        "shallow_water_model::cost(j)/(initial)",
        include_str!("../../../examples/shallow_water/shallow_water_model.f90"),
        10 << 20,
    ),
];
/// A plan may take so many times as long as generation without one.
const MOST_TIMES: f64 = 10.0;
/// The system counts processor time in hundredths of a second: short times are summed until they make so many seconds.
const LONG_ENOUGH: f64 = 1.0;

/// Prints how many times as long as without it generation takes with a budget; false when a program is refused.
fn plan_table() -> bool {
    println!("\n| a plan for | user seconds | without | times | goal |\n|---|---|---|---|---|");
    BUDGETED.iter().all(|(name, head, text, budget)| match [None, Some(*budget)].map(|b| seconds_for(head, text, b)) {
        [Ok(plain), Ok(planned)] => {
            println!("| {name} | {planned:.3} | {plain:.3} | {:.1} | {MOST_TIMES} |", planned / plain);
            true
        }
        [Err(why), _] | [_, Err(why)] => {
            eprintln!("{name}: {why}");
            false
        }
    })
}

/// Mean processor time of reading a program and generating its adjoint.
fn seconds_for(head: &str, text: &str, memory: Option<u64>) -> Result<f64, String> {
    let before = user_seconds();
    for runs in 1.. {
        let loaded = chain::loaded("model.f90", text).map_err(|(s, d)| chain::describe(&s, &d))?;
        let told = |d: Vec<_>| chain::describe(&loaded.sources, &d);
        let heads = chain::heads(&loaded.program, head).map_err(told)?;
        let options = Options { memory, ..Options::default() };
        loaded.differentiate_with(&heads, Mode::Adjoint, &options).map_err(told)?;
        let spent = user_seconds() - before;
        if spent >= LONG_ENOUGH {
            return Ok(spent / f64::from(runs));
        }
    }
    unreachable!("runs are counted without end")
}

/// Measures one program in a process of its own.
fn row(name: &str, goal: &str) -> bool {
    let output = std::env::current_exe().and_then(|exe| Command::new(exe).args(["--shape", name]).output());
    let figures = output.map(|o| (o.status.success(), String::from_utf8_lossy(&o.stdout).into_owned()));
    let (fine, text) = figures.unwrap_or_default();
    let mut words = text.split_whitespace();
    let mut next = || words.next().unwrap_or("?");
    println!("| {name} | {} | {goal} | {} | {} |", next(), next(), next());
    fine
}

/// Generates the adjoint of the program of this name and prints seconds of processor time, peak memory and lines.
pub(crate) fn measure(name: &str) -> ExitCode {
    let (head, text) = match SHAPES.iter().find(|s| s.name == name) {
        Some(s) => (s.head, (s.text)()),
        None => match name.strip_prefix(GROWN).and_then(|n| n.parse().ok()) {
            Some(n) => ("model::run(y)/(x)", grown(n)),
            None => return ExitCode::FAILURE,
        },
    };
    let generate = move || -> Result<usize, String> {
        let loaded = chain::loaded("shape.f90", &text).map_err(|(s, d)| chain::describe(&s, &d))?;
        let told = |d: Vec<_>| chain::describe(&loaded.sources, &d);
        let heads = chain::heads(&loaded.program, head).map_err(told)?;
        let done = loaded.differentiate_with(&heads, Mode::Adjoint, &Options::default()).map_err(told)?;
        Ok(done.files.iter().map(|f| f.text.lines().count()).sum())
    };
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(generate);
    match thread.map(std::thread::JoinHandle::join) {
        Ok(Ok(Ok(lines))) => {
            println!("{:.2} {:.0} {lines}", user_seconds(), super::large::peak_memory());
            ExitCode::SUCCESS
        }
        Ok(Ok(Err(e))) => {
            eprintln!("{name}: {e}");
            ExitCode::FAILURE
        }
        _ => ExitCode::FAILURE,
    }
}

/// Processor time of this process outside the system, where the system tells; its clock has 100 ticks in a second.
fn user_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after = stat.rsplit(')').next().unwrap_or_default();
    after.split_whitespace().nth(11).and_then(|t| t.parse::<f64>().ok()).unwrap_or(f64::NAN) / 100.0
}

fn nests(count: usize) -> String {
    let arrays: Vec<String> = (0..40).map(|k| format!("a{k}")).collect();
    let mut t = format!(
        "subroutine nests(n, {list})\n  implicit none\n  integer, intent(in) :: n\n  \
         real(8), dimension(n, n), intent(inout) :: {list}\n  integer :: i, j\n",
        list = arrays.join(", &\n    ")
    );
    for k in 0..count {
        let (a, b, c) = (k % 40, (7 * k + 3) % 40, (11 * k + 5) % 40);
        let _ = write!(
            t,
            "  do j = 2, n - 1\n    do i = 2, n - 1\n      a{a}(i, j) = a{a}(i, j) + 0.1d0*a{b}(i, j)*a{c}(i - 1, j + 1) &\n        \
             - 0.01d0*sin(a{b}(i + 1, j))\n    end do\n  end do\n"
        );
    }
    t + "end subroutine nests\n"
}

fn rank_7() -> String {
    let (n, all) = (["n"; 7].join(", "), [":"; 7].join(", "));
    format!(
        "subroutine rank_7(n, a, b)\n  implicit none\n  integer, intent(in) :: n\n  real(8), intent(in) :: a({n})\n  \
         real(8), intent(out) :: b({n})\n  b = a*a + sin(a)\n  b({all}) = b({all})*a({all}) - sum(a({all}))\n  \
         b = b/(1d0 + a**2)\nend subroutine rank_7\n"
    )
}

/// A procedure of one input and one output.
fn procedure(declarations: &str, body: &str) -> String {
    format!("subroutine s(x, y)\n{declarations}{body}end subroutine s\n")
}

const SCALARS: &str = "real(8), intent(in) :: x\nreal(8), intent(out) :: y\n";

/// A loop over so many assignments to so many scalars.
fn scalars(count: usize, assignments: usize) -> String {
    let mut t = String::from(
        "subroutine s(n, x, y, f)\n  implicit none\n  integer, intent(in) :: n\n  real(8), intent(in) :: x(n), y(n)\n  \
         real(8), intent(inout) :: f(n)\n  integer :: i\n",
    );
    (0..count).for_each(|k| t.push_str(&format!("  real(8) :: t{k}\n")));
    t.push_str("  do i = 1, n\n");
    for k in 0..assignments {
        let [a, b, c] = [7 * k, 11 * k + 5, 13 * k + 3].map(|n| (n + n / count) % count);
        let _ = match k % 4 {
            _ if k < count => writeln!(t, "    t{k} = x(i) + {k}d0*y(i)"),
            0 => writeln!(t, "    t{a} = t{b}*t{c} + x(i)"),
            1 => writeln!(t, "    t{a} = sin(t{b}) - t{c}*y(i)"),
            2 => writeln!(t, "    t{a} = 0.5d0*(t{b} + t{c})"),
            _ => writeln!(t, "    t{a} = exp(-t{b}*t{b})*t{c}"),
        };
    }
    t + "    f(i) = f(i) + t0*t1\n  end do\nend subroutine s\n"
}

fn exits(depth: usize) -> String {
    let counters: Vec<String> = (1..=depth).map(|k| format!("i{k}")).collect();
    let heads: String = counters.iter().map(|i| format!("do {i} = 1, 9\n")).collect();
    let ends: String = counters.iter().rev().map(|i| format!("if (y > 1d1*{i}) exit\nend do\n")).collect();
    let declarations = format!("{SCALARS}integer :: {}\n", counters.join(", "));
    procedure(&declarations, &format!("y = 1\n{heads}y = y*x\n{ends}"))
}

fn ifs(depth: usize) -> String {
    let body = format!("y = 1\n{}y = y*x\n{}", "if (x > 0d0) then\n".repeat(depth), "end if\n".repeat(depth));
    procedure(SCALARS, &body)
}

fn sines(depth: usize) -> String {
    procedure(SCALARS, &format!("y = {}x{}\n", "sin(".repeat(depth), ")".repeat(depth)))
}

fn terms(count: usize) -> String {
    let terms: Vec<String> = (1..=count).map(|k| format!("x({k})*{}d-1", k % 7 + 1)).collect();
    let declarations = format!("real(8), intent(in) :: x({count})\nreal(8), intent(out) :: y\n");
    procedure(&declarations, &format!("y = {}\n", terms.join(" + &\n")))
}

/// A model of about so many lines: procedures that one calls after the other, each with loops, branches and calls.
fn grown(lines: usize) -> String {
    let mut t = String::from("module model\n  implicit none\ncontains\n");
    let count = lines / 42;
    for k in 1..=count {
        let _ = write!(
            t,
            "
  pure function rate_{k}(t) result(r)
    real(8), intent(in) :: t
    real(8) :: r
    if (t > 0.{k}d0) then
      r = exp(-t) + 0.{k}d0*t
    else
      r = 1d0/(1d0 + t*t)
    end if
  end function rate_{k}

  subroutine physics_{k}(n, m, t, q)
    integer, intent(in) :: n, m
    real(8), intent(inout) :: t(n, m), q(n, m)
    real(8) :: flux(n, m), work(n)
    integer :: i, j
    flux = 0d0
    work = t(:, 1)
    do j = 2, m - 1
      do i = 1, n
        flux(i, j) = 0.5d0*(t(i, j + 1) - t(i, j - 1)) + q(i, j)*work(i)
        if (flux(i, j) > 1d0) flux(i, j) = 1d0 + 0.1d0*flux(i, j)
        work(i) = work(i) + rate_{k}(t(i, j))*flux(i, j)
      end do
    end do
    where (q > 0.5d0)
      q = q - 0.1d0*flux
    elsewhere
      q = q*(1d0 + 0.01d0*flux)
    end where
    do i = 1, n
      t(i, :) = t(i, :) + 0.01d0*work(i)*q(i, :)
    end do
  end subroutine physics_{k}
"
        );
    }
    let _ = write!(
        t,
        "
  subroutine run(n, m, x, y)
    integer, intent(in) :: n, m
    real(8), intent(in) :: x(n, m)
    real(8), intent(out) :: y
    real(8) :: t(n, m), q(n, m)
    t = x
    q = 0.5d0*x
"
    );
    (1..=count).for_each(|k| t.push_str(&format!("    call physics_{k}(n, m, t, q)\n")));
    t + "    y = sum(t*q)\n  end subroutine run\nend module model\n"
}
