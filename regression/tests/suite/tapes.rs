//! Schedules that keep the tapes of several steps in the memory of snapshots: gradients of loops whose step has a tape
//! that is smaller than the state, as large, and larger, and the steps that run forward for them.

use std::path::{Path, PathBuf};
use std::process::Command;

use costate_adjoint::pipeline::Mode;
use costate_grammar::diag::Code;
use costate_regression::chain;
use costate_regression::fortran::{self, Fortran};
use costate_schedules::action::{Action, Budget, Simulator};
use costate_schedules::dynamic::{self, Transfer};
use costate_schedules::{mixed, revolve};
use rayon::prelude::*;

const N: u64 = 12;

const FLAGS: &[&str] = &["-O1", "-fcheck=all,no-array-temps"];

/// A time step, and the bytes of its state and of what it saves.
struct Step {
    name: &'static str,
    text: &'static str,
    state: u64,
    tape: u64,
}

const STEPS: [Step; 4] = [
    Step {
        name: "tiny",
        // All but a scalar enters linearly.
        text: "
      c = c*cos(0.1d0*c) + 0.01d0*v(2)
      do i = 2, n
        v(i) = v(i) + 0.1d0*u(i-1) + 0.01d0*c
      end do
      do i = 1, n
        u(i) = 0.99d0*u(i) - 0.05d0*v(i)
      end do",
        state: 8 * (1 + (N - 1) + N),
        tape: 8,
    },
    Step {
        name: "smaller",
        text: "
      do i = 1, n
        v(i) = v(i) + 0.1d0*sin(v(i)) + 0.05d0*u(i)
      end do
      do i = 2, n
        u(i) = 0.8d0*u(i) - 0.05d0*v(i) + 0.1d0*u(i-1)
      end do",
        state: 8 * (N + (N - 1)),
        tape: 8 * N,
    },
    Step {
        name: "equal",
        text: "
      do i = 2, n
        v(i) = v(i) + 0.1d0*u(i-1)*a(i)
      end do
      do i = 2, n
        u(i) = u(i) + 0.01d0*sin(v(i))*u(i-1)
      end do",
        state: 8 * 2 * (N - 1),
        tape: 8 * 2 * (N - 1),
    },
    Step {
        name: "larger",
        text: "
      do i = 2, n
        v(i) = v(i) + 0.1d0*u(i-1)**2
        u(i) = u(i) + 0.01d0*sin(v(i))*u(i-1)
      end do
      do i = 2, n
        v(i) = v(i)*cos(u(i))
        u(i) = u(i) - 0.02d0*u(i)*v(i-1)
      end do
      do i = 1, n
        u(i) = u(i)*exp(-0.01d0*a(i)*u(i)**2)
      end do",
        state: 8 * ((N - 1) + N),
        tape: 8 * (4 * (N - 1) + N),
    },
];

const DRIVER: &str = "
program driver
  use m_b
  implicit none
  integer, parameter :: n = @N
  real(8) :: a(n), a_b(n), y, y_b
  integer :: i, nt, ns
  character(20) :: text
  call get_command_argument(1, text)
  read (text, *) nt
  call get_command_argument(2, text)
  read (text, *) ns
  do i = 1, n
    a(i) = 0.3d0 + 0.2d0*sin(real(i, 8))
  end do
  a_b = 0
  y_b = 1
  call f_b(n, nt, ns, a, a_b, y, y_b)
  print '(es24.16)', a_b
end program
";

fn model(step: &Step, clauses: &str) -> String {
    let text = step.text;
    format!(
        "module m\n  implicit none\ncontains\n  subroutine f(n, nt, ns, a, y)\n    integer, intent(in) :: n, nt, ns\n    \
         real(8), intent(in) :: a(n)\n    real(8), intent(out) :: y\n    real(8) :: u(n), v(n), c\n    integer :: i, it\n    \
         u = 0.5d0 + a\n    v = 0.2d0*a\n    c = a(1)\n    !$ad checkpoint {clauses}\n    do it = 1, nt{text}\n    end do\n    \
         y = sum(u**2) + sum(v*a) + c\n  end subroutine\nend module\n"
    )
}

/// The adjoint of a step's loop under a schedule, as a program.
fn program(fortran: &Fortran, folder: &Path, step: &Step, clauses: &str) -> PathBuf {
    let text = model(step, clauses);
    let loaded = chain::loaded("m.f90", &text).unwrap_or_else(|(s, d)| panic!("{}", chain::describe(&s, &d)));
    let heads = chain::heads(&loaded.program, "m::f(y)/(a)").expect("a head");
    let made = loaded.differentiate(&heads, Mode::Adjoint);
    let made = made.unwrap_or_else(|d| panic!("{}", chain::describe(&loaded.sources, &d)));
    let own: String = format!("{}-{clauses}", step.name).chars().filter(char::is_ascii_alphanumeric).collect();
    let folder = folder.join(own);
    std::fs::create_dir(&folder).expect("a folder can be made");
    let driver = DRIVER.replace("@N", &N.to_string());
    let files = [("m.f90", text.as_str()), ("m_b.f90", &made.files[0].text), ("driver.f90", &driver)];
    fortran.program(&folder, &[], &files).unwrap_or_else(|told| panic!("{}: {told}", step.name))
}

/// The gradient, and the steps that ran forward for it where the run-time library counts them.
fn gradient(driver: &Path, steps: u64, amount: u64) -> (Vec<f64>, Option<u64>) {
    let stats = driver.with_file_name(format!("stats-{steps}-{amount}.json"));
    let mut run = Command::new(driver);
    run.args([steps.to_string(), amount.to_string()]).env("COSTATE_VERIFY", "1").env("COSTATE_STATS", &stats);
    let values = fortran::numbers(&mut run);
    let counted = std::fs::read_to_string(stats).unwrap_or_default();
    let forward = counted.split_once("\"forward_steps\": ").and_then(|(_, rest)| rest.split_once(','));
    (values, forward.map(|(number, _)| number.parse().expect("a number")))
}

fn counted(steps: u64, budget: Budget, actions: impl Iterator<Item = Action>) -> u64 {
    Simulator::run(steps, budget, actions).expect("a legal schedule").forward_steps
}

fn of_mixed(steps: u64, slots: u64) -> u64 {
    counted(steps, Budget::slots(slots), mixed::schedule(steps, slots).expect("a slot"))
}

fn of_dynamic(step: &Step, steps: u64, memory: u64) -> u64 {
    let budget = Budget { snapshot: step.state, tape: step.tape, memory, disk: 0 };
    let transfer = Transfer { write: 1.0, read: 1.0 };
    counted(steps, budget, dynamic::schedule(steps, budget, transfer).expect("memory enough"))
}

/// Numbers of steps and of snapshots.
const SWEEP: [(u64, u64); 9] = [(0, 1), (1, 1), (2, 1), (7, 1), (10, 3), (20, 2), (43, 5), (200, 10), (1000, 100)];

fn sweep(fortran: &Fortran, step: &Step) {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let all = program(fortran, folder.path(), step, "schedule(store-all)");
    let schedules =
        ["schedule(revolve) snapshots(ns)", "schedule(mixed) snapshots(ns)", "schedule(dynamic) snapshots(ns)"];
    let [by_revolve, by_mixed, by_dynamic] = schedules.map(|s| program(fortran, folder.path(), step, s));
    let by_bytes = program(fortran, folder.path(), step, "schedule(dynamic), memory(ns)");
    let with_disk = program(fortran, folder.path(), step, "schedule(dynamic) snapshots(ns, 3)");
    for (steps, snapshots) in SWEEP {
        let (expected, _) = gradient(&all, steps, snapshots);
        let run = |driver: &Path, amount: u64| {
            let (found, forward) = gradient(driver, steps, amount);
            for (x, y) in found.iter().zip(&expected) {
                assert!((x - y).abs() <= 1e-12 * y.abs(), "{driver:?}, {steps} steps: {x} instead of {y}");
            }
            assert_eq!(found.len(), expected.len());
            forward.expect("it is counted")
        };
        let told = format!("{}, {steps} steps, {snapshots} snapshots", step.name);
        let revolve = revolve::forward_steps(steps, snapshots).expect("a snapshot");
        assert_eq!(run(&by_revolve, snapshots), revolve, "{told}");
        assert_eq!(run(&by_mixed, snapshots), of_mixed(steps, snapshots), "{told}");
        let dynamic = run(&by_dynamic, snapshots);
        assert_eq!(dynamic, of_dynamic(step, steps, snapshots * step.state), "{told}");
        assert!(dynamic <= revolve, "{told}: {dynamic} steps, where the binomial schedule takes {revolve}");
        if step.tape <= step.state {
            assert!(dynamic <= of_mixed(steps, snapshots), "{told}: {dynamic}");
        }
        let bytes = snapshots * step.state + step.tape;
        assert_eq!(run(&by_bytes, bytes), of_dynamic(step, steps, bytes), "{told}");
        run(&with_disk, snapshots);
    }
}

#[test]
fn gradients_agree_and_steps_are_the_fewest() {
    let fortran = Fortran::new(FLAGS);
    STEPS.par_iter().for_each(|step| sweep(&fortran, step));
}

#[test]
fn published_counts() {
    for (steps, slots, expected) in [(10, 3, 19), (20, 2, 79), (1000, 100, 1909)] {
        assert!(SWEEP.contains(&(steps, slots)));
        assert_eq!(of_mixed(steps, slots), expected);
    }
}

#[test]
fn too_little_memory_ends_the_program() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let driver = program(&Fortran::new(FLAGS), folder.path(), &STEPS[2], "schedule(dynamic) memory(100 B)");
    let run = Command::new(driver).args(["20", "0"]).output().expect("it can be started");
    let told = String::from_utf8_lossy(&run.stderr);
    assert!(
        !run.status.success() && told.contains("schedule `it`: reversing 20 steps takes at least 176 bytes"),
        "{told}"
    );
}

/// What a step saves has no size before it has run.
#[test]
fn tapes_of_unknown_size_are_refused() {
    let step = "
      c = a(1)
      do while (c < 2d0)
        c = c + 0.3d0*c*abs(cos(v(1)))
        v(1) = 0.3d0*v(1)*c
      end do";
    let step = Step { name: "open", text: step, state: 0, tape: 0 };
    let text = model(&step, "schedule(dynamic) snapshots(3)");
    let loaded = chain::loaded("m.f90", &text).unwrap_or_else(|(s, d)| panic!("{}", chain::describe(&s, &d)));
    let heads = chain::heads(&loaded.program, "m::f(y)/(a)").expect("a head");
    let found = loaded.differentiate(&heads, Mode::Adjoint).err().unwrap_or_default();
    let [refused] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!((refused.code, chain::line_of(&loaded.sources, refused)), (Code::UnsupportedDirective, 13));
    assert!(refused.message.contains("`dynamic`") && refused.help.is_some(), "{refused:?}");
    assert!(refused.reason.as_ref().is_some_and(|r| r.contains("size isn't known")), "{refused:?}");

    let folder = tempfile::tempdir().expect("a folder can be made");
    let fortran = Fortran::new(FLAGS);
    let all = program(&fortran, folder.path(), &step, "schedule(store-all)");
    let by_mixed = program(&fortran, folder.path(), &step, "schedule(mixed) snapshots(ns)");
    let (expected, _) = gradient(&all, 20, 2);
    let (found, forward) = gradient(&by_mixed, 20, 2);
    assert_eq!(forward, Some(79));
    assert!(found.iter().zip(&expected).all(|(x, y)| (x - y).abs() <= 1e-12 * y.abs()), "{found:?} {expected:?}");
}
