//! Checks in several processes, where there is an MPI.

use std::path::PathBuf;

use super::tests::{ADJOINT, Case, TANGENT, unit};
use super::{CheckOptions, MpiRuns, mpi_launcher};

/// A module variable that counts runs, and another shape on each rank.
const PRIMAL: &str = "module m
  implicit none
  integer :: rank = -1, runs = 0
contains
  subroutine find_rank()
    use mpi
    integer :: error
    call mpi_comm_rank(mpi_comm_world, rank, error)
  end subroutine
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), allocatable, intent(out) :: y(:)
    integer :: i
    runs = runs + 1
    allocate(y(n - rank))
    do i = 1, n - rank
      y(i) = runs*sin(x(i))*x(1)
    end do
  end subroutine
end module
";

fn options(runtime: Result<Vec<String>, PathBuf>) -> CheckOptions {
    let fc = MpiRuns::COMPILER.to_string();
    let launcher = mpi_launcher(&fc).split(' ').map(str::to_string).collect();
    CheckOptions {
        fc,
        setup: vec!["m::find_rank".to_string()],
        mpi: Some(MpiRuns { processes: 3, launcher, runtime }),
        ..CheckOptions::default()
    }
}

fn case(adjoint: &str) -> Case {
    let declare = |s: &str, out: &str| {
        format!(
            "integer, intent(in) :: n\nreal(8) :: x(n), x{s}(n)\nreal(8), allocatable{out} :: y(:), y{s}(:)\ninteger :: i"
        )
    };
    let local = |text: &str| text.replace("= 1, n", "= 1, n - rank").replace("= n,", "= n - rank,");
    let allocate = "allocate(y(n - rank), y_d(n - rank))\nruns = runs + 1\n";
    let t = unit("_d", "n, x, x_d, y, y_d", &declare("_d", ", intent(out)"), &(allocate.to_string() + &local(TANGENT)));
    let b = unit("_b", "n, x, x_b, y, y_b", &declare("_b", ""), &local(adjoint));
    Case::new(PRIMAL, "m::f(y)/(x)").with(["n x x_d y y_d", "n x x_b y y_b"], &t, &b)
}

/// Nobody has to have an MPI.
fn is_there() -> bool {
    std::process::Command::new(MpiRuns::COMPILER).arg("--version").output().is_ok_and(|o| o.status.success())
}

#[test]
fn the_processes_of_a_program_are_verified_together() {
    if !is_there() {
        return;
    }
    assert!(case(ADJOINT).check(&options(Ok(Vec::new()))).passed());
    // Of the first rank's eight elements all are right, of the second's seven the last isn't.
    let wrong = ADJOINT.replace("  x_b(i) =", "  if (rank /= 1 .or. i < 7) x_b(i) =");
    let report = case(&wrong).check(&options(Ok(Vec::new())));
    assert!(report.heads[0].is_wrong());
    let told = report.heads[0].explanations.iter().any(|e| e.contains("the adjoint of element 7 on rank 1 of `x`"));
    assert!(told, "{report}");
}

#[test]
fn messages_need_several_processes_and_their_library() {
    let with_messages = ADJOINT.to_string() + "\n! costate_mpi";
    let message = |options: &CheckOptions| case(&with_messages).try_check(options).unwrap_err()[0].message.clone();
    let alone = CheckOptions { mpi: None, ..options(Ok(Vec::new())) };
    assert_eq!(message(&alone), "the program calls MPI, and runs in one process");
    let missing = options(Err(PathBuf::from("/nowhere/libcostate_rt_mpi.a")));
    assert_eq!(message(&missing), "the run-time library for MPI isn't there: `/nowhere/libcostate_rt_mpi.a`");
}
