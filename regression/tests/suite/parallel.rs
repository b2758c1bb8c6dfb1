//! The parallel kernels of the benchmarks keep their parallelism where each iteration has elements of its own, and their
//! gradients are right whatever the number of threads. How fast they are is for `bench --parallel` to say.

use std::path::{Path, PathBuf};
use std::process::Command;

use costate_adjoint::pipeline::{Mode, Options};
use costate_adjoint::plan::{CallChoice, Choices};
use costate_grammar::diag::Code;
use costate_regression::{chain, fortran, tool};
use rayon::prelude::*;

/// A kernel in `regression/bench/parallel`, and how it is checked at a small size.
struct Kernel {
    name: &'static str,
    head: &'static str,
    /// Values of `--size` and `--value`.
    sizes: &'static [&'static str],
    values: &'static [&'static str],
    /// What its adjoint shows, where iterations of all loops have elements of their own.
    shows: Option<Shows>,
    /// It has a variant for devices, `kernel_acc.f90`.
    on_device: bool,
}

/// What the text of an adjoint shows. There are no atomic updates in any case.
struct Shows {
    /// At least so many loops are shared out.
    loops: usize,
    /// So many lost their directive. What isn't zero is still to be learnt: this can only shrink.
    lost: usize,
}

const KERNELS: &[Kernel] = &[
    Kernel {
        name: "jacobi_2d",
        head: "kernel(f,a,b)/(a,b)",
        sizes: &["n=9", "tsteps=4"],
        values: &[],
        shows: Some(Shows { loops: 3, lost: 0 }),
        on_device: true,
    },
    Kernel {
        name: "heat_3d",
        head: "kernel(f,a,b)/(a,b)",
        sizes: &["n=7", "tsteps=4"],
        values: &[],
        shows: Some(Shows { loops: 3, lost: 0 }),
        on_device: true,
    },
    Kernel {
        name: "hdiff",
        head: "kernel(f,outf)/(inf,outf,coeff)",
        sizes: &["ni=6", "nj=5", "nk=4"],
        values: &[],
        shows: Some(Shows { loops: 1, lost: 0 }),
        on_device: true,
    },
    Kernel {
        name: "vadv",
        head: "kernel(f,utens_stage)/(utens_stage,u_stage,wcon,u_pos,utens)",
        sizes: &["ni=5", "nj=4", "nk=6"],
        values: &["wcon=0:0.2", "dtr=0.15"],
        shows: Some(Shows { loops: 10, lost: 0 }),
        on_device: true,
    },
    Kernel {
        name: "fdtd_2d",
        head: "kernel(f,ex,ey,hz)/(fict,ex,ey,hz)",
        sizes: &["nx=7", "ny=8", "tmax=4"],
        values: &[],
        shows: Some(Shows { loops: 5, lost: 0 }),
        on_device: false,
    },
    Kernel {
        name: "docking",
        head: "kernel(f,energy)/(poses)",
        sizes: &["nposes=5", "nligand=4", "nprotein=7"],
        values: &["poses=-3:3", "ligand=-2:2", "protein=-4:4"],
        shows: Some(Shows { loops: 2, lost: 0 }),
        on_device: true,
    },
    Kernel {
        name: "hydrodynamics",
        head: "kernel(f)/(shift,v,e)",
        sizes: &["m=3", "nelements=27", "nnodes=64", "nsteps=4"],
        values: &["courant=0.3", "shift=-0.1:0.1", "v=-0.1:0.1", "e=1:2"],
        shows: None,
        on_device: false,
    },
];

fn file(kernel: &Kernel, name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("bench/parallel").join(kernel.name).join(name)
}

/// Checks the kernel in a file, compiled with further options of `costate check`.
fn check(kernel: &Kernel, name: &str, options: &[&str]) {
    check_file(kernel, &file(kernel, name), options);
}

fn check_file(kernel: &Kernel, file: &Path, options: &[&str]) {
    let mut command = Command::new(tool::tool());
    command.arg("check").arg(file).args(["--fc", &fortran::compiler(), "--head", kernel.head]);
    command.args(["--build", "optimised"]).args(options);
    for size in kernel.sizes {
        command.args(["--size", size]);
    }
    for value in kernel.values {
        command.args(["--value", value]);
    }
    let told = fortran::output(&mut command);
    assert!(told.contains("all derivatives are right"), "{}: {told}", file.display());
}

/// A loop whose iterations read neighbours, and an element by an index table.
const ASKED: &str = "module m\ncontains\nsubroutine f(n, x, k, y)\ninteger, intent(in) :: n, k(n)\n\
    real(8), intent(in) :: x(n)\nreal(8), intent(out) :: y(n)\ninteger :: i\n!$ad parallel strategy(STRATEGY)\n\
    !$omp parallel do\ndo i = 2, n - 1\ny(i) = x(READ)*x(i)\nend do\ny(1) = x(1)\ny(n) = x(n)\n\
    end subroutine f\nend module m\n";

/// How often the adjoint of the procedure `f` of a module shows each of some texts.
fn shown(text: &str, what: &[&str]) -> Vec<usize> {
    let loaded = chain::loaded("shown.f90", text).expect("it is read");
    let heads = chain::heads(&loaded.program, "m::f(y)/(x)").expect("there is such a head");
    let made = loaded.differentiate_with(&heads, Mode::Adjoint, &Options::default()).expect("it is differentiated");
    let adjoint: String = made.files.iter().map(|f| f.text.as_str()).collect();
    what.iter().map(|w| adjoint.matches(w).count()).collect()
}

/// The sides of cells take what is in the cells beside them: by values of their own, so that nothing is gathered.
#[test]
fn increments_of_neighbours_need_no_atomic_updates() {
    let text = "module m\ncontains\nsubroutine f(n, x, y)\ninteger, intent(in) :: n\nreal(8), intent(in) :: x(n, n)\n\
        real(8), intent(out) :: y(n, n)\nreal(8) :: side(2)\ninteger :: i, j\n\
        !$omp parallel do private(side)\ndo j = 3, n\ndo i = 1, n\nside = [x(i, j) - x(i, j - 1), x(i, j - 2)]\n\
        y(i, j) = side(1)*side(2)\nend do\nend do\ny(:, 1:2) = 0\nend subroutine f\nend module m\n";
    let what = ["!$omp parallel do", "!$omp atomic", "do round = 0, 1", "do j_block = n - 2*round, 3, -4"];
    assert_eq!(shown(text, &what), [1, 0, 1, 1]);
    // Of those that are further apart there are few blocks: what an iteration adds waits for a loop behind.
    let far = text.replace("j - 2", "j - 9").replace("j = 3, n", "j = 10, n");
    assert_eq!(shown(&far, &what[..3]), [3, 0, 0]);
    // Where the last iteration's value is of use, that hands it on itself, whenever it runs.
    let last =
        text.replace("private(side)", "private(i) lastprivate(side)").replace("y(:, 1:2) = 0", "y(:, 1:2) = side(1)");
    assert_eq!(shown(&last, &[what[1], what[2], "if (j == n) then"]), [0, 1, 1]);
}

/// Nor do those of boundaries that stand in branches of the same loop, by the limits of the loop.
#[test]
fn increments_at_the_limits_of_a_loop_are_those_of_neighbours() {
    let text = include_str!("../../cases/elements_at_limits.f90");
    let loaded = chain::loaded("loops.f90", text).expect("it is read");
    for head in heads_of(text) {
        let heads = chain::heads(&loaded.program, head).expect("there is such a head");
        let made = loaded.differentiate(&heads, Mode::Adjoint).expect("it is differentiated");
        let text: String = made.files.iter().map(|f| f.text.as_str()).collect();
        assert!(!text.contains("atomic"), "{head}: {text}");
    }
}

/// On devices the conditions of a stencil move with its increments.
#[test]
fn conditions_move_with_increments_of_neighbours_on_devices() {
    let text = "module m\ncontains\nsubroutine f(n, a, x, y)\ninteger, intent(in) :: n\nreal(8), intent(in) :: a(n), x(n)\n\
        real(8), intent(out) :: y(n)\nreal(8) :: t\ninteger :: i\n!$acc parallel loop private(t)\ndo i = 1, n\n\
        t = a(i) - 1\nif (i == 1 .or. i == n) then\ny(i) = 0\nelse if (t > 0) then\ny(i) = t*(x(i) - x(i - 1))\n\
        else\ny(i) = t*(x(i + 1) - x(i))\nend if\nend do\nend subroutine f\nend module m\n";
    let what = ["!$acc parallel loop", "atomic", "t = a(i-1) - 1", "if (i - 1 == 1 .or. i - 1 == n) then"];
    assert_eq!(shown(text, &what), [2, 0, 2, 2]);
    let openmp = text.replace("!$acc parallel loop", "!$omp target teams distribute parallel do");
    assert_eq!(shown(&openmp, &what)[1..], [0, 2, 2]);
}

/// A region without derivatives is kept with all that is in it.
#[test]
fn regions_without_derivatives_keep_their_barriers() {
    let text = "module m\ncontains\nsubroutine f(n, x, y)\ninteger, intent(in) :: n\nreal(8), intent(in) :: x(n)\n\
        real(8), intent(out) :: y(n)\ninteger :: i, k(n), l(n)\n!$omp parallel\n!$omp do\ndo i = 1, n\nk(i) = i\nend do\n\
        !$omp end do nowait\n!$omp barrier\n!$omp do\ndo i = 1, n\nl(i) = k(n + 1 - i)\nend do\n!$omp end parallel\n\
        do i = 1, n\ny(i) = x(l(i))\nend do\nend subroutine f\nend module m\n";
    assert_eq!(shown(text, &["!$omp barrier", "!$omp end do nowait"]), [1, 1]);
}

/// Private objects and arrays, and calls of libraries, keep no loop from being shared out; what a thread hands on from one
/// iteration to the next does.
#[test]
fn private_memory_stays_private() {
    let cases = [
        (include_str!("../../cases/parallel_private_objects.f90"), 9, 0),
        (include_str!("../../cases/parallel_private_in_regions.f90"), 4, 2),
        (include_str!("../../cases/parallel_linear_algebra.f90"), 7, 0),
    ];
    for (text, shared, serial) in cases {
        assert_eq!(shown(text, &["!$omp parallel do"]), [shared], "{text}");
        assert_eq!(serial_loops(text), serial, "{text}");
    }
}

/// Variables of which each thread has its own keep no loop from being shared out that fills them anew in each iteration, or
/// only uses them; what is handed on from one iteration to the next does, and what is left behind them.
#[test]
fn variables_of_each_thread_are_its_own() {
    let text = include_str!("../../cases/variables_of_each_thread.f90");
    let loaded = chain::loaded("threads.f90", text).expect("it is read");
    let of = |head: &str, what: &str| {
        let heads = chain::heads(&loaded.program, head).expect("there is such a head");
        let made = loaded.differentiate_with(&heads, Mode::Adjoint, &Options::default()).expect("it is differentiated");
        made.files.iter().map(|f| f.text.matches(what).count()).sum::<usize>()
    };
    let heads: Vec<&str> = heads_of(text).collect();
    let shared: Vec<usize> = heads.iter().map(|head| of(head, "!$omp parallel do")).collect();
    assert_eq!(shared, [1, 3, 4, 1, 3, 1, 2, 0, 0, 1, 1], "{heads:?}");
    let kept: usize = heads.iter().map(|head| of(head, "work_save(:, i) = work")).sum();
    assert_eq!(kept, 0, "values from before an iteration are of no use to it");
}

/// Loops as models have them run in parallel in both modes.
#[test]
fn ordinary_loops_stay_parallel() {
    let cases = [
        include_str!("../../cases/accelerator_own_objects.f90"),
        include_str!("../../cases/accelerator_routine_levels.f90"),
        include_str!("../../cases/blocks_of_columns.f90"),
        include_str!("../../cases/chunks_in_calls.f90"),
        include_str!("../../cases/chunks_of_rows.f90"),
        include_str!("../../cases/elements_at_limits.f90"),
        include_str!("../../cases/error_flags.f90"),
        include_str!("../../cases/extremes_with_indices.f90"),
        include_str!("../../cases/exclusive_extremes.f90"),
        include_str!("../../cases/counters_of_loops.f90"),
        include_str!("../../cases/nested_regions.f90"),
        include_str!("../../cases/own_then_neighbours.f90"),
        include_str!("../../cases/recursive_tasks.f90"),
        include_str!("../../cases/sums_before_own_parts.f90"),
        include_str!("../../cases/internal_functions_on_threads.f90"),
        include_str!("../../cases/neighbours_in_functions.f90"),
        include_str!("../../cases/objects_read_elsewhere.f90"),
        include_str!("../../cases/pairs_assigned_by_calls.f90"),
        include_str!("../../cases/parameters_in_objects.f90"),
        include_str!("../../cases/periodic_neighbours.f90"),
        include_str!("../../cases/pointer_fields_on_threads.f90"),
        include_str!("../../cases/private_arrays_with_limits.f90"),
        include_str!("../../cases/private_assigned_in_branches.f90"),
        include_str!("../../cases/sections_of_calls.f90"),
        include_str!("../../cases/sections_of_columns.f90"),
        include_str!("../../cases/simd_calls.f90"),
        include_str!("../../cases/sums_behind_terms.f90"),
        include_str!("../../cases/sums_used_inside.f90"),
        include_str!("../../cases/tables_in_functions.f90"),
        include_str!("../../cases/tables_on_devices.f90"),
        include_str!("../../cases/tasks_sum_in_loops.f90"),
        include_str!("../../cases/tasks_that_wait.f90"),
        include_str!("../../cases/teams_with_threads.f90"),
        include_str!("../../cases/temporaries_of_iterations.f90"),
        include_str!("../../cases/time_levels_of_objects.f90"),
        include_str!("../../cases/windows_of_elements.f90"),
        include_str!("../../cases/work_arrays_begun_apart.f90"),
    ];
    for text in cases {
        let loaded = chain::loaded("loops.f90", text).expect("it is read");
        for (head, mode) in heads_of(text).flat_map(|h| [(h, Mode::Tangent), (h, Mode::Adjoint)]) {
            let heads = chain::heads(&loaded.program, head).expect("there is such a head");
            let made = loaded.differentiate_with(&heads, mode, &Options::default()).expect("it is differentiated");
            let serial: Vec<_> = made.notes.iter().filter(|n| n.code == Code::SerialLoop).collect();
            assert!(serial.is_empty(), "{head} {mode:?}: {serial:?}");
        }
    }
}

/// The user's procedures that share out loops among the threads that call them are called by a team again, but where that
/// would change what each thread has of its own.
#[test]
fn orphaned_loops_run_again_in_regions() {
    let text = include_str!("../../cases/orphaned_loops_run_again.f90");
    let loaded = chain::loaded("orphaned.f90", text).expect("it is read");
    for (head, called) in
        [("f", vec!["stage1", "stage2"]), ("g", vec!["step", "rhs"]), ("h", vec![]), ("k", vec!["mean"])]
    {
        let heads = chain::heads(&loaded.program, head).expect("there is such a head");
        let made = loaded.differentiate_with(&heads, Mode::Adjoint, &Options::default()).expect("it is differentiated");
        let lines: Vec<&str> = made.files.iter().flat_map(|f| f.text.lines()).map(str::trim).collect();
        for at in 0..lines.len() {
            let call = lines[at].strip_prefix("call ").and_then(|l| l.split('(').next()).filter(|n| !n.ends_with("_b"));
            let in_region = at > 0 && lines[at - 1] == "!$omp parallel";
            assert_eq!(call.is_some_and(|name| called.contains(&name)), in_region, "{head}: {}", lines[at]);
        }
    }
}

/// A component of an iteration's own object that it assigns says nothing of others, which iterations read anywhere.
#[test]
fn components_read_elsewhere_are_added_to_one_by_one() {
    let text = include_str!("../../cases/objects_read_elsewhere.f90");
    let loaded = chain::loaded("objects.f90", text).expect("it is read");
    let of = |head: &str| {
        let heads = chain::heads(&loaded.program, head).expect("there is such a head");
        let made = loaded.differentiate_with(&heads, Mode::Adjoint, &Options::default()).expect("it is differentiated");
        let count = |what: &str| made.files.iter().map(|f| f.text.matches(what).count()).sum::<usize>();
        (count("!$omp atomic"), count("do round = 0, 1"))
    };
    let found: Vec<(usize, usize)> = heads_of(text).map(of).collect();
    assert_eq!(found, [(2, 0), (0, 0), (2, 0), (0, 1), (0, 1)]);
}

fn heads_of(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|l| l.strip_prefix("! head: "))
}

/// How many loops of a case run serially in its adjoint.
fn serial_loops(text: &str) -> usize {
    let loaded = chain::loaded("serial.f90", text).expect("it is read");
    let heads = chain::heads(&loaded.program, "m::f(y)/(x)").expect("there is such a head");
    let made = loaded.differentiate_with(&heads, Mode::Adjoint, &Options::default()).expect("it is differentiated");
    made.notes.iter().filter(|n| n.code == Code::SerialLoop).count()
}

/// Extremes of `do concurrent` are formed by iteration, in the tangent's order.
#[test]
fn extremes_of_concurrent_loops_keep_their_form() {
    let text = "module m\ncontains\nsubroutine f(n, x, y)\ninteger, intent(in) :: n\nreal(8), intent(in) :: x(n)\n\
        real(8), intent(out) :: y\ninteger :: i\ny = 0\ndo concurrent (i = 1:n) shared(x) reduce(max: y)\n\
        y = max(y, sin(x(i))**2)\nend do\nend subroutine f\nend module m\n";
    assert_eq!((shown(text, &["do concurrent"]), serial_loops(text)), (vec![2], 0));
}

/// Regions inside a loop that is shared out stay, but for those on devices, and those that are serial by their own directive;
/// what doesn't stay is told of.
#[test]
fn regions_that_are_not_kept_are_told_of() {
    let nested = |outer: &str| {
        format!(
            "module m\ncontains\nsubroutine f(n, x, y)\ninteger, intent(in) :: n\nreal(8), intent(in) :: x(n, n)\n\
            real(8), intent(out) :: y(n, n)\ninteger :: i, j\n{outer} private(i)\ndo j = 1, n\n\
            !$omp parallel do num_threads(2)\ndo i = 1, n\ny(i, j) = x(i, j)**2\nend do\nend do\nend subroutine f\n\
            end module m\n"
        )
    };
    let [host, teams, device] =
        ["!$omp parallel do", "!$omp target teams distribute", "!$omp target teams distribute parallel do"].map(nested);
    let serial = "module m\ncontains\nsubroutine f(n, x, y)\ninteger, intent(in) :: n\nreal(8), intent(in) :: x(n)\n\
        real(8), intent(out) :: y(n)\ninteger :: i\n!$acc serial copyin(x) copyout(y)\ny(1) = x(1)\ndo i = 2, n\n\
        y(i) = y(i - 1)*x(i)\nend do\n!$acc end serial\nend subroutine f\nend module m\n";
    assert_eq!(shown(&host, &["!$omp parallel do"]), [2]);
    assert_eq!([serial_loops(&host), serial_loops(&teams), serial_loops(&device)], [0, 0, 1]);
    // Loops without a count are for the host.
    let uncounted = serial.replace("y(1) = x(1)", "y(1) = x(1)\ndo while (y(1) > 1)\ny(1) = y(1)*x(2)/2\nend do");
    assert_eq!([serial_loops(serial), serial_loops(&uncounted)], [0, 1]);
}

/// Of components of objects that are found by an index table, only those are added to by atomic updates that iterations
/// may share.
#[test]
fn components_of_objects_are_added_to_one_by_one() {
    let text = "module m\ntype t\nreal(8) :: p, q\nend type\ncontains\nsubroutine f(n, k, x, y)\n\
        integer, intent(in) :: n, k(n)\ntype(t), intent(in) :: x(n)\nreal(8), intent(out) :: y(n)\ninteger :: i\n\
        !$omp parallel do\ndo i = 1, n\ny(i) = x(k(i))%p*x(i)%q\nend do\nend subroutine f\nend module m\n";
    assert_eq!(shown(text, &["!$omp parallel do", "!$omp atomic", "_b(k(i))%p + "]), [1, 1, 1]);
}

/// The same picked by an inner loop, whose bounds are named constants.
#[test]
fn elements_within_constant_distance_are_those_of_neighbours() {
    let text = "module m\ninteger, parameter :: w = 4, h = 2\ncontains\nsubroutine f(n, x, y)\n\
        integer, intent(in) :: n\nreal(8), intent(in) :: x(n)\nreal(8), intent(out) :: y(n)\nreal(8) :: near(4)\n\
        integer :: i, s\n!$omp parallel do private(near, s)\ndo i = 1 + h, n - 1\ndo s = 1, w\n\
        near(s) = x(i - h - 1 + s)\nend do\ny(i) = near(1)*near(4) - near(2)*near(3)\nend do\ny(1:h) = 0\ny(n) = 0\n\
        end subroutine f\nend module m\n";
    let what = ["!$omp parallel do", "!$omp atomic", "_save", "do i_block = n - 1 - 3*round, 1 + h, -6"];
    assert_eq!(shown(text, &what), [1, 0, 0, 1]);
    let concurrent = text
        .replace("!$omp parallel do private(near, s)\n", "")
        .replace("do i = 1 + h, n - 1", "do concurrent (i = 1 + h:n - 1)");
    let what = ["do concurrent (i_block", "end block\n", "real(8) :: near_b(4)"];
    assert_eq!(shown(&concurrent, &what), [1, 1, 1]);
}

/// The record of a call whose halves stand in one iteration is each thread's own, with a tape that is empty at first:
/// compilers give private objects no default values.
#[test]
fn tapes_in_records_are_empty_at_first() {
    let text = "module m\ncontains\nsubroutine g(a, b)\nreal(8), intent(inout) :: a\nreal(8), intent(out) :: b\n\
        b = a\ndo\nif (a < 0.1d0) exit\nb = sin(b*a)\na = 0.6d0*a*b\nend do\nend subroutine g\n\
        subroutine f(n, x, y)\ninteger, intent(in) :: n\nreal(8), intent(in) :: x(n)\nreal(8), intent(out) :: y(n)\n\
        real(8) :: s(n)\ninteger :: i\ns = x\n!$omp parallel do\ndo i = 1, n\ncall g(s(i), y(i))\nend do\n\
        end subroutine f\nend module m\n";
    let loaded = chain::loaded("records.f90", text).expect("it is read");
    let heads = chain::heads(&loaded.program, "m::f(y)/(x)").expect("there is such a head");
    let choices = Choices { other_calls: Some(CallChoice::Split), ..Choices::default() };
    let options = Options { choices, ..Options::default() };
    let made = loaded.differentiate_with(&heads, Mode::Adjoint, &options).expect("it is differentiated");
    assert!(made.files.iter().any(|f| f.text.contains("firstprivate(g_kept)")));
}

/// An element that iterations use and none assigns may be that of several, also where some of them assign it: what they add
/// to its derivative isn't their own.
#[test]
fn elements_are_own_where_an_iteration_assigns_them() {
    let text = |statements: &str| {
        format!(
            "module m\ncontains\nsubroutine f(n, k, x, y)\ninteger, intent(in) :: n, k(n)\n\
            real(8), intent(in) :: x(n)\nreal(8), intent(inout) :: y(5*n)\ninteger :: i, j\n\
            !$omp parallel do private(j)\ndo i = 1, n\n{statements}\nend do\nend subroutine f\nend module m\n"
        )
    };
    let assigned = "do j = k(i), k(i) + 3\ny(j) = 2*y(j)\nend do\n";
    let what = ["!$omp parallel do", "!$omp atomic"];
    let used = |range: &str| text(&format!("{assigned}do j = {range}\ny(i) = y(i) + 2*y(j)\nend do"));
    assert_eq!(shown(&text(assigned), &what), [1, 0]);
    assert_eq!(shown(&text("if (i > 3) y(k(i)) = y(k(i))*2"), &what), [1, 0]);
    assert_eq!(shown(&text("if (i > 3) y(k(i)) = x(i)\ny(i) = y(i) + 2*y(k(i))"), &what)[0], 0);
    assert_eq!(shown(&used("k(i) - 1, k(i) + 4"), &what)[0], 0);
    // An iteration may read neighbours of its own elements.
    let text = text("y(k(i)) = y(k(i))*x(i)\ny(k(i)) = y(k(i)) + y(k(i) + 1)");
    assert_eq!(shown(&text, &["!$omp parallel do", "!$omp atomic", "y_b_part = y_b(k(i))"]), [2, 1, 1]);
}

/// A column that is swept in one of two directions needs nothing saved in either.
#[test]
fn what_another_branch_uses_is_not_saved() {
    let text = "module m\ncontains\nsubroutine f(n, m, up, x, y)\ninteger, intent(in) :: n, m\nlogical, intent(in) :: up\n\
        real(8), intent(in) :: x(n, m)\nreal(8), intent(out) :: y(n, m)\ninteger :: i, k\nif (up) then\n\
        !$acc parallel loop\ndo i = 1, n\ny(i, 1) = x(i, 1)\ndo k = 2, m\ny(i, k) = y(i, k - 1)*exp(x(i, k))\n\
        end do\nend do\nelse\n!$acc parallel loop\ndo i = 1, n\ny(i, m) = x(i, m)\ndo k = m - 1, 1, -1\n\
        y(i, k) = y(i, k + 1)*exp(x(i, k))\nend do\nend do\nend if\nend subroutine f\nend module m\n";
    assert_eq!(shown(text, &["!$acc parallel loop", "_save", "do i = "]), [3, 0, 2]);
}

/// A copy of a procedure, in which two dummies are one, is made where what it does is certain.
#[test]
fn one_array_for_two_dummies_has_one_name() {
    let text = "module m\ncontains\nsubroutine g(n, a, b, w)\ninteger, intent(in) :: n\nreal(8), intent(in) :: a(n)\n\
        real(8), intent(inout) :: b(n), w(n)\ninteger :: i\ndo i = 1, n\nw(i) = a(i)*w(i)\nend do\ndo i = 1, n\n\
        b(i) = sin(a(i)) + b(i)\nend do\ndo i = 1, n\nw(i) = w(i)*a(i)\nend do\nend subroutine g\n\
        subroutine f(n, x, y)\ninteger, intent(in) :: n\nreal(8), intent(in) :: x(n)\nreal(8), intent(out) :: y(n)\n\
        real(8) :: s(n)\ns = x\ny = x\ncall g(n, s, s, y)\ncall g(n, x, s, y)\ny = y*s\nend subroutine f\n\
        end module m\n";
    let what =
        ["subroutine g_b_is_a_b(n, a, a_b, w, w_b)\n    ! Adjoint of g where b is a,", "\n    call g(n, s, s, y)\n"];
    assert_eq!(shown(text, &what), [1, 1]);
    // Within a loop, what is read after it has been assigned may be what it was before, and so may constants' elements.
    for refused in [
        text.replace("b(i) = sin(a(i)) + b(i)", "b(i) = sin(b(i))\nw(i) = w(i) + a(i)"),
        text.replace("b(i) = sin(a(i)) + b(i)", "b(i) = sin(a(n + 1 - i)) + b(i)"),
        text.replace("a(n)", "a(40)").replace("b(n), w(n)", "b(40), w(40)").replace("i = 1, n", "i = 1, 40"),
        // A called procedure reads a single element, too.
        text.replace("integer :: i\ndo i", "integer :: i\ncall e(n, a, w)\ndo i")
            .replace("w(i) = w(i)*a(i)\nend do", "w(i) = w(i)*a(i)\nend do\ncall e(n, a, w)")
            .replace(
                "contains\n",
                "contains\nsubroutine e(n, a, w)\ninteger, intent(in) :: n\nreal(8), intent(in) :: a(n)\n\
                real(8), intent(inout) :: w(n)\nw(1) = w(1)*a(n)\nend subroutine e\n",
            ),
    ] {
        let loaded = chain::loaded("shown.f90", &refused).expect("it is read");
        let heads = chain::heads(&loaded.program, "m::f(y)/(x)").expect("there is such a head");
        let found = loaded.differentiate_with(&heads, Mode::Adjoint, &Options::default()).expect_err("it is refused");
        assert!(found.iter().any(|d| d.code == Code::ActiveAliasing), "{found:?}");
    }
}

/// What an iteration saves of a private array before it assigns it for the first time is nobody's value.
#[test]
fn private_arrays_stay_so_in_time_loops() {
    let text = "module m\ncontains\nsubroutine f(n, x, y)\ninteger, intent(in) :: n\nreal(8), intent(in) :: x(n, n)\n\
        real(8), intent(inout) :: y(n, n)\nreal(8) :: a(3)\ninteger :: i, j, k, it\ndo it = 1, 3\n\
        !$omp parallel do private(a, k, i)\ndo j = 1, n\ndo i = 1, n\ndo k = 1, 3\na(k) = y(i, j)*k\nend do\n\
        y(i, j) = a(1)*a(3)*x(i, j)\nend do\nend do\nend do\nend subroutine f\nend module m\n";
    assert_eq!(shown(text, &["!$omp parallel do private(a"]), [2]);
}

/// Of a work array that stands nowhere else no iteration of `do concurrent` sees another one's elements. What is saved of it
/// needs no memory but what a declaration gives.
#[test]
fn work_arrays_of_concurrent_iterations_are_declared_in_them() {
    let text = "module m\ncontains\npure subroutine g(a, r)\nreal(8), intent(in) :: a(:)\nreal(8), intent(out) :: r(:)\n\
        r = a*a\nr(1) = r(2)*a(3)\nend subroutine g\nsubroutine f(n, x, y)\ninteger, intent(in) :: n\n\
        real(8), intent(in) :: x(n)\nreal(8), intent(out) :: y(n)\nreal(8) :: a(3), r(3)\ninteger :: i, k\n\
        do concurrent (i = 1:n)\ndo k = 1, 3\na(k) = x(i)**k\nend do\ncall g(a, r)\na = r\ncall g(a, r)\n\
        y(i) = r(1)*a(2)\nend do\nend subroutine f\nend module m\n";
    let what = ["do concurrent (", "real(8) :: a_save(3)", "allocate", "real(8) :: r_b(3)"];
    assert_eq!(shown(text, &what), [1, 1, 0, 1]);
}

#[test]
fn loops_without_a_count_save_on_tapes_of_iterations() {
    let text = "module m\ncontains\nsubroutine f(n, x, y)\ninteger, intent(in) :: n\nreal(8), intent(inout) :: x(n)\n\
        real(8), intent(out) :: y(n)\nreal(8) :: v\ninteger :: i\n!$omp parallel do private(v)\ndo i = 1, n\n\
        v = x(i)\ndo while (v > 0.1d0)\nv = 0.5d0*v*v\nend do\ny(i) = v\nend do\nend subroutine f\nend module m\n";
    let what = ["!$omp parallel do", "firstprivate(tape)", "call costate_push(tape, v)", "call costate_release(tape)"];
    assert_eq!(shown(text, &what), [1, 1, 1, 1]);
    // A call's argument goes to the tape as a whole, by an array of the iteration's own.
    let called = "module m\ncontains\nsubroutine g(v, w)\nreal(8), intent(in) :: v(2)\nreal(8), intent(out) :: w(2)\n\
        w = v(1)*v\nend subroutine g\nsubroutine f(n, x, y)\ninteger, intent(in) :: n\nreal(8), intent(inout) :: x(2, n)\n\
        real(8), intent(out) :: y(n)\nreal(8) :: v(2), w(2)\ninteger :: i\n!$omp parallel do private(v, w)\ndo i = 1, n\n\
        v = x(:, i)\ndo while (v(1) > 0.1d0)\ncall g(v + 0.1d0*v, w)\nv = 0.5d0*w\nend do\nx(:, i) = v\nend do\n\
        y = x(1, :)\nend subroutine f\nend module m\n";
    assert_eq!(shown(called, &["!$omp parallel do private("]), [2]);
    // Iterations save for the backward sweep what they begin with, too.
    let kept = "module m\ncontains\nsubroutine f(n, x, y)\ninteger, intent(in) :: n\nreal(8), intent(inout) :: x(n)\n\
        real(8), intent(out) :: y(n)\ninteger :: i, s\ndo s = 1, 3\n!$omp parallel do\ndo i = s, n\n\
        do while (x(i) > 0.2d0)\nx(i) = 0.5d0*x(i)*x(i)\nend do\nend do\nend do\ny = x\nend subroutine f\n\
        end module m\n";
    let what = ["!$omp parallel do", "type(costate_tape), allocatable :: tape(:)", "call costate_push(tape(i), x(i))"];
    assert_eq!(shown(kept, &what), [2, 1, 1]);
}

/// The adjoint of that, from where its loops begin that come from the loop.
fn asked(strategy: &str, read: &str) -> String {
    let text = ASKED.replace("STRATEGY", strategy).replace("READ", read);
    let loaded = chain::loaded("asked.f90", &text).expect("it is read");
    let heads = chain::heads(&loaded.program, "m::f(y)/(x)").expect("there is such a head");
    let made = loaded.differentiate_with(&heads, Mode::Adjoint, &Options::default()).expect("it is differentiated");
    made.files.iter().map(|f| f.text.as_str()).collect()
}

#[test]
fn directives_choose_how_iterations_add_to_derivatives() {
    let shown = |strategy: &str, read: &str| {
        let text = asked(strategy, read);
        let count = |what: &str| text.matches(what).count();
        [count("!$omp parallel do"), count("!$omp atomic"), count("reduction(+:x_b_sum)")]
    };
    // Of two increments the one to the iteration's own element needn't be atomic, but is asked to be.
    assert_eq!(shown("gather", "i+1"), [1, 0, 0]);
    assert_eq!(shown("atomic", "i+1"), [1, 2, 0]);
    assert_eq!(shown("reduction", "i+1"), [1, 0, 1]);
    assert_eq!(shown("serial", "i+1"), [0, 0, 0]);
    // What can't be gathered goes to a loop of its own.
    assert_eq!(shown("gather", "k(i)"), [2, 1, 0]);
    assert_eq!(shown("shared: x", "k(i)"), [1, 0, 0]);
    assert_eq!(shown("shared: y", "k(i)"), [1, 2, 0]);
}

#[test]
fn strategies_are_for_variables() {
    let text = ASKED.replace("STRATEGY", "atomic: x, z").replace("READ", "i+1");
    let loaded = chain::loaded("asked.f90", &text).expect("it is read");
    let heads = chain::heads(&loaded.program, "m::f(y)/(x)").expect("there is such a head");
    let refused = loaded.differentiate_with(&heads, Mode::Adjoint, &Options::default()).expect_err("it is refused");
    assert!(refused.iter().any(|d| d.code == Code::UnsupportedDirective && d.message.contains("`z`")), "{refused:?}");
}

#[test]
fn loops_over_own_elements_stay_parallel() {
    for (kernel, shows) in KERNELS.iter().filter_map(|k| k.shows.as_ref().map(|s| (k, s))) {
        let text = std::fs::read_to_string(file(kernel, "kernel.f90")).expect("the kernel is there");
        let loaded = chain::loaded("kernel.f90", &text).expect("it is read");
        let heads = chain::heads(&loaded.program, kernel.head).expect("there is such a head");
        let made = loaded.differentiate_with(&heads, Mode::Adjoint, &Options::default()).expect("it is differentiated");
        let lost = made.notes.iter().filter(|d| d.code == Code::SerialLoop).count();
        let adjoint: String = made.files.iter().map(|f| f.text.as_str()).collect();
        let lines = |begins: &str| adjoint.lines().filter(|l| l.trim_start().starts_with(begins)).count();
        assert_eq!(lines("!$omp atomic"), 0, "{}:\n{adjoint}", kernel.name);
        assert_eq!(lost, shows.lost, "{}: loops without a directive\n{adjoint}", kernel.name);
        let loops = lines("!$omp parallel do");
        assert!(loops >= shows.loops, "{}: {loops} loops are shared out\n{adjoint}", kernel.name);
    }
}

#[test]
fn gradients_of_parallel_kernels_are_right_on_two_threads() {
    KERNELS.par_iter().for_each(|kernel| check(kernel, "kernel.f90", &["--threads", "2"]));
}

/// What goes through index tables is added to sums of threads, or to elements of which the user vouches that they are apart.
#[test]
fn directives_of_hydrodynamics_leave_no_atomic_updates() {
    let kernel = KERNELS.iter().find(|k| k.name == "hydrodynamics").expect("there is such a kernel");
    let text = std::fs::read_to_string(file(kernel, "kernel.f90")).expect("the kernel is there");
    let adjoint = |text: &str| {
        let loaded = chain::loaded("kernel.f90", text).expect("it is read");
        let heads = chain::heads(&loaded.program, kernel.head).expect("there is such a head");
        let made = loaded.differentiate_with(&heads, Mode::Adjoint, &Options::default()).expect("it is differentiated");
        made.files.iter().map(|f| f.text.as_str()).collect::<String>()
    };
    let asked = text.replace("! $ad ", "!$ad ");
    let count = |text: &str| ["!$omp atomic", "step_block"].map(|what| adjoint(text).matches(what).count());
    assert!(count(&text).iter().all(|n| *n > 0));
    assert_eq!(count(&asked), [0, 0]);
    let folder = tempfile::tempdir().expect("a folder can be made");
    let file = folder.path().join("kernel.f90");
    std::fs::write(&file, asked).expect("it can be written");
    check_file(kernel, &file, &["--threads", "2"]);
}

/// On the host: what a compiler makes for a device needs one.
#[test]
fn gradients_of_kernels_for_devices_are_right() {
    let mut options = vec!["--acc"];
    if fortran::version().starts_with("GNU Fortran") {
        options.push("--fflags=-foffload=disable");
    }
    KERNELS.par_iter().filter(|k| k.on_device).for_each(|kernel| check(kernel, "kernel_acc.f90", &options));
}
