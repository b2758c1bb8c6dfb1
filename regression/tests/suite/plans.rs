//! Every way to store and recompute gives the same gradient: the examples under all kinds of plans.

use std::path::{Path, PathBuf};
use std::process::Command;

use costate_adjoint::pipeline::{Differentiated, Mode, Options};
use costate_adjoint::plan::{Choices, Decided, PlanFile};
use costate_analysis::request::Head;
use costate_regression::chain;
use costate_regression::fortran::{self, Fortran};

/// An example: its name, its head, its sizes for plans, the declaration of the controls and their first values.
struct Example {
    name: &'static str,
    head: &'static str,
    sizes: &'static [(&'static str, i64)],
    start: &'static str,
}

const EXAMPLES: &[Example] = &[
    Example {
        name: "burgers",
        head: "burgers_model::cost(j)/(u0)",
        sizes: &[("n", 200), ("steps", 150)],
        start: "real(dp) :: x(n), g(n), j\ncall make_measurements()\nx = measured",
    },
    Example {
        name: "heat",
        head: "heat_model::cost(j)/(p)",
        sizes: &[("n", 60), ("steps", 60)],
        start: "real(dp) :: x(0:n), g(0:n), j\ncall make_measurements()\nx = log(0.4_dp)",
    },
    Example {
        name: "lorenz",
        head: "lorenz_model::cost(j)/(x0)",
        sizes: &[("n", 30)],
        start: "real(dp) :: x(3), g(3), j\ncall make_observations()\nx = [2.0_dp, -2.5_dp, 24.0_dp]",
    },
    Example {
        name: "shallow_water",
        head: "shallow_water_model::cost(j)/(initial)",
        sizes: &[],
        start: "real(dp), allocatable :: x(:), g(:)\nreal(dp) :: j\ncall make_observations()\nx = 0.5_dp*reshape(truth, \
                [size(truth)])\ng = x",
    },
];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples")
}

fn read(path: &str) -> String {
    std::fs::read_to_string(folder().join(path)).unwrap_or_else(|e| panic!("{path}: {e}"))
}

/// The example's module that evaluates the cost and its gradient, and a program that prints the gradient.
fn driver(example: &Example) -> String {
    let text = read(&format!("{0}/{0}.f90", example.name));
    let (module, _) = text.split_once("\nprogram ").expect("the program follows the module");
    let name = example.name;
    let start = example.start;
    format!(
        "{module}\nprogram gradient\nuse {name}_experiment\nimplicit none\n{start}\ncall evaluate(x, j, g)\n\
         print '(es24.16)', g\nend program\n"
    )
}

/// What doesn't depend on the adjoint.
const OBJECTS: &[&str] = &["lbfgs.o", "demo_support.o", "model.o"];

/// A folder in which that is compiled.
fn prepared(fortran: &Fortran, example: &Example) -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("a folder can be made");
    let [lbfgs, support] = ["lbfgs", "demo_support"].map(|name| read(&format!("common/{name}.f90")));
    let model = read(&format!("{0}/{0}_model.f90", example.name));
    let files = [("lbfgs.f90", lbfgs.as_str()), ("demo_support.f90", &support), ("model.f90", &model)];
    fortran.objects(dir.path(), &files).unwrap_or_else(|told| panic!("{}: {told}", example.name));
    dir
}

/// Compiles an adjoint with the program that prints its gradient, and runs it.
fn gradient(fortran: &Fortran, folder: &Path, driver: &str, made: &Differentiated, told: &str) -> Vec<f64> {
    let files = [("model_b.f90", made.files[0].text.as_str()), ("driver.f90", driver)];
    let program = fortran.program(folder, OBJECTS, &files).unwrap_or_else(|why| panic!("{told}: {why}"));
    fortran::numbers(Command::new(program).env("COSTATE_VERIFY", "1"))
}

/// A plan with one choice for all time loops, one for all nests that take long to run again, and one for all calls.
fn plan(file: &PlanFile, for_loops: impl Fn(&mut Decided), (nests, calls): (&str, &str)) -> PlanFile {
    let mut out = file.clone();
    for site in &mut out.sites {
        match site.choice.as_str() {
            "joint" | "split" => site.choice = calls.to_string(),
            "rerun" => site.choice = nests.to_string(),
            "store" | "recompute" => {}
            _ => for_loops(site),
        }
    }
    out
}

/// Plans of all kinds.
fn plans(file: &PlanFile) -> Vec<(&'static str, PlanFile)> {
    let schedule = |kind: &'static str, snapshots, on_disk| {
        move |d: &mut Decided| {
            d.choice = "schedule".to_string();
            d.kind = Some(kind.to_string());
            d.snapshots = Some(snapshots);
            d.on_disk = Some(on_disk);
        }
    };
    let blocks = |length| {
        move |d: &mut Decided| {
            d.choice = "blocks".to_string();
            d.length = length;
        }
    };
    let store_all = |d: &mut Decided| d.choice = "store-all".to_string();
    let mut again = file.clone();
    again.sites.iter_mut().filter(|s| s.value.is_some()).for_each(|s| s.choice = "recompute".to_string());
    vec![
        ("values again", again.clone()),
        ("values again, store all", plan(&again, store_all, ("store-all", "split"))),
        ("store all", plan(file, store_all, ("store-all", "joint"))),
        ("store all, split", plan(file, store_all, ("store-all", "split"))),
        ("recompute all", plan(file, schedule("revolve", 1, 0), ("rerun", "joint"))),
        ("blocks", plan(file, blocks(None), ("rerun", "split"))),
        ("each iteration", plan(file, blocks(Some(1)), ("rerun", "joint"))),
        ("revolve", plan(file, schedule("revolve", 4, 0), ("rerun", "split"))),
        ("two levels", plan(file, schedule("two-level", 5, 0), ("rerun", "joint"))),
        ("dynamic", plan(file, schedule("dynamic", 3, 0), ("rerun", "joint"))),
        ("dynamic, split", plan(file, schedule("dynamic", 4, 0), ("rerun", "split"))),
        ("mixed", plan(file, schedule("mixed", 2, 0), ("store-all", "split"))),
        ("disk", plan(file, schedule("revolve", 1, 3), ("rerun", "joint"))),
    ]
}

/// All plans of an example.
fn agree(fortran: &Fortran, example: &Example) {
    let model = format!("{}_model.f90", example.name);
    let text = read(&format!("{}/{model}", example.name));
    let loaded = chain::loaded(&model, &text).unwrap_or_else(|(s, d)| panic!("{}", chain::describe(&s, &d)));
    let heads = chain::heads(&loaded.program, example.head).expect("the head is there");
    let sizes = example.sizes.iter().map(|(n, v)| ((*n).to_string(), vec![*v])).collect();
    let options = Options { sizes, ..costate_regression::checked() };
    let made = |options: &Options, told: &str| {
        let made = loaded.differentiate_with(&heads, Mode::Adjoint, options);
        made.unwrap_or_else(|d| panic!("{told}: {}", chain::describe(&loaded.sources, &d)))
    };
    let driver = driver(example);
    let dir = prepared(fortran, example);
    let base = made(&options, example.name);
    let expected = gradient(fortran, dir.path(), &driver, &base, example.name);
    let largest = expected.iter().fold(0.0f64, |m, g| m.max(g.abs()));
    assert!(largest > 0.0, "{}: the gradient vanishes", example.name);
    let mut compared: Vec<String> = vec![base.files[0].text.clone()];
    let mut compare = |options: &Options, told: &str| {
        let told = format!("{}, {told}", example.name);
        let made = made(options, &told);
        if compared.contains(&made.files[0].text) {
            return;
        }
        let found = gradient(fortran, dir.path(), &driver, &made, &told);
        assert_eq!(found.len(), expected.len(), "{told}");
        for (a, b) in found.iter().zip(&expected) {
            assert!((a - b).abs() <= 1e-12 * largest, "{told}: {a} instead of {b}");
        }
        compared.push(made.files[0].text.clone());
    };
    for (told, plan) in plans(&base.plan_file) {
        compare(&Options { plan: Some(plan), ..options.clone() }, told);
    }
    let trades = loaded.trades(&heads, &options, 3).unwrap_or_else(|d| panic!("{d:?}"));
    for trade in trades {
        let told = format!("within {} bytes", trade.budget);
        let within = Options { memory: Some(trade.budget), ..options.clone() };
        // What is said of a plan is what the adjoint that it leads to comes to.
        let file = made(&within, &told).plan_file;
        assert!(file.peak <= trade.peak, "{told}: {}", file.peak);
        assert!(file.ratio < trade.ratio + 1e-3, "{told}: {} instead of {}", file.ratio, trade.ratio);
        compare(&within, &told);
    }
    println!("{}: {} different adjoints", example.name, compared.len());
}

#[test]
fn gradients_agree_under_every_plan() {
    let fortran = Fortran::new(&["-fcheck=all"]);
    std::thread::scope(|scope| {
        for example in EXAMPLES {
            scope.spawn(|| agree(&fortran, example));
        }
    });
}

/// A module with a subroutine `f` that is differentiated.
struct Model {
    loaded: chain::Loaded,
    heads: Vec<Head>,
}

impl Model {
    fn read(text: &str) -> Model {
        let loaded = chain::loaded("m.f90", text).unwrap_or_else(|(s, d)| panic!("{}", chain::describe(&s, &d)));
        let heads = chain::heads(&loaded.program, "m::f(y)/(x,y)").expect("the head is there");
        Model { loaded, heads }
    }

    fn adjoint(&self, options: &Options) -> Result<Differentiated, String> {
        let made = self.loaded.differentiate_with(&self.heads, Mode::Adjoint, options);
        made.map_err(|d| chain::describe(&self.loaded.sources, &d))
    }

    /// The adjoint for a million elements within a budget.
    fn within(&self, memory: u64) -> Differentiated {
        let sizes = vec![("n".to_string(), vec![1_000_000])];
        let options = Options { sizes, memory: Some(memory), ..costate_regression::checked() };
        let made = self.adjoint(&options).unwrap_or_else(|told| panic!("{told}"));
        assert!(made.plan_file.peak <= memory, "{}", made.plan_file);
        made
    }
}

/// Its iterations take long to run again.
const LONG: &str = "
module m
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: y(n)
    real(8) :: a, b
    integer :: i
    do i = 1, n
      a = exp(x(i)*y(i))
      b = log(1 + a)
      y(i) = a*b + sin(a*b)
    end do
    do i = 2, n
      y(i) = y(i)*y(i-1)
    end do
  end subroutine
end module
";

#[test]
fn what_takes_long_is_stored_where_there_is_room() {
    let model = Model::read(LONG);
    let chosen = |memory: u64| {
        let file = model.within(memory).plan_file;
        let again = PlanFile::parse(&file.text()).expect("a plan can be read back");
        assert_eq!(again, file);
        (file.sites[0].choice.clone(), file.ratio)
    };
    let (stored, fast) = chosen(100_000_000);
    let (run, slow) = chosen(20_000_000);
    assert_eq!((stored.as_str(), run.as_str()), ("store-all", "rerun"));
    assert!(fast < slow, "{fast} and {slow}");
}

/// Its work array holds a cheap value, then one that takes long to compute.
const REUSED: &str = "
module m
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: y(n)
    real(8) :: t(n)
    integer :: i
    do i = 1, n
      t(i) = 2*x(i) - 1
    end do
    do i = 1, n
      y(i) = y(i) + t(i)*t(i)
    end do
    do i = 1, n
      t(i) = exp(sin(x(i)))**x(i)
    end do
    do i = 1, n
      y(i) = y(i) + t(i)*t(i)
    end do
    do i = 1, n
      t(i) = x(i)*y(i)
    end do
    do i = 1, n
      y(i) = y(i) + t(i)*t(i)
    end do
  end subroutine
end module
";

#[test]
fn values_are_stored_or_recomputed() {
    let model = Model::read(REUSED);
    let chosen = |memory: u64| {
        let made = model.within(memory);
        assert!(made.plan_file.bound.is_some_and(|b| b > 1.0 && b <= made.plan_file.ratio), "{}", made.plan_file);
        let plan = PlanFile::parse(&made.plan_file.text()).expect("a plan can be read back");
        let again = model.adjoint(&Options { plan: Some(plan), ..costate_regression::checked() });
        let again = again.unwrap_or_else(|told| panic!("{told}"));
        assert_eq!(again.files[0].text, made.files[0].text);
        assert_eq!(PlanFile { memory: Some(memory), ..again.plan_file }, made.plan_file);
        values(&made.plan_file)
    };
    // The adjoint of `t` takes 8 MB, and so does a saved value.
    assert_eq!(chosen(100_000_000), ["t recompute", "t store"]);
    assert_eq!(chosen(10_000_000), ["t recompute", "t recompute"]);
}

/// The values that a plan is about, and what is chosen for them.
fn values(plan: &PlanFile) -> Vec<String> {
    plan.sites.iter().filter_map(|s| Some(format!("{} {}", s.value.as_ref()?, s.choice))).collect()
}

/// What loops and calls compute in each step: all of it is used with factors, and overwritten in the next step.
const SLICES: &str = "
module m
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: y(n)
    real(8) :: flux(0:n), c(n), s(n)
    integer :: i, k
    do k = 1, 100
      call coefficients(n, y, c)
      do i = 1, n - 1
        flux(i) = c(i)*y(i+1)
      end do
      flux(0) = 0
      flux(n) = y(1)
      do i = 1, n
        s(i) = c(i)*flux(i)*flux(i-1)
      end do
      do i = 1, n
        y(i) = y(i) + 0.1d0*s(i)
      end do
    end do
  end subroutine
  subroutine coefficients(n, y, c)
    integer, intent(in) :: n
    real(8), intent(in) :: y(n)
    real(8), intent(out) :: c(n)
    integer :: i
    do i = 1, n
      c(i) = 1/(1 + y(i)*y(i))
    end do
  end subroutine
end module
";

#[test]
fn values_of_a_step_are_recomputed_from_its_state() {
    let model = Model::read(SLICES);
    let sizes = vec![("n".to_string(), vec![1000])];
    let made = |choose: &dyn Fn(&mut Decided)| {
        let made = model
            .adjoint(&Options { sizes: sizes.clone(), ..costate_regression::checked() })
            .expect("it has an adjoint");
        let mut plan = made.plan_file;
        plan.sites.iter_mut().for_each(choose);
        model
            .adjoint(&Options { sizes: sizes.clone(), plan: Some(plan), ..costate_regression::checked() })
            .expect("as planned")
    };
    let stored = made(&|d| d.choice = if d.value.is_some() { "store" } else { "store-all" }.to_string());
    assert_eq!(values(&stored.plan_file), ["c store", "flux store"]);
    let again = made(&|d| d.choice = if d.value.is_some() { "recompute" } else { "store-all" }.to_string());
    assert_eq!(values(&again.plan_file), ["c recompute", "flux recompute"]);
    let only = made(&|d| {
        d.choice = if d.value.as_deref() == Some("flux") { "recompute" } else { "store" }.to_string();
        if d.value.is_none() {
            d.choice = "store-all".to_string();
        }
    });
    // For each step the coefficients, the fluxes and the state, or some of them.
    let [all, two, one] = [stored, only, again].map(|m| m.plan_file.peak / 800_000);
    assert_eq!((all, two, one), (3, 2, 1));
}

/// Columns whose work array comes from coefficients that are overwritten later: it is only worth while to compute the one
/// again together with the other.
const CHAIN: &str = "
module m
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(100, n)
    real(8), intent(inout) :: y(100, n)
    real(8) :: a(100), k(100, n)
    integer :: i, j
    do j = 1, n
      do i = 1, 100
        k(i, j) = x(i, j)**2
      end do
    end do
    do j = 1, n
      do i = 2, 100
        a(i) = 0.5d0*(k(i, j) + k(i-1, j))
      end do
      a(1) = 0
      do i = 2, 100
        y(i, j) = y(i, j) + a(i)*y(i-1, j)*a(i-1)
      end do
    end do
    k = y*x
    y = y + k*k
  end subroutine
end module
";

#[test]
fn values_that_come_from_each_other_are_chosen_together() {
    let plan = Model::read(CHAIN).within(1 << 40).plan_file;
    assert_eq!(values(&plan), ["k recompute", "a recompute"], "{plan}");
}

/// So many places where there is something to decide that its time loop has only a few ways in the problem.
const STEPS: &str = "
module m
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: y(n)
    integer :: i, k
    do k = 1, 400
      do i = 2, n
        y(i) = y(i) + 0.1d0*sin(x(i)*y(i-1))
      end do
      call react(n, x, y)
    end do
  end subroutine
  subroutine react(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: y(n)
    real(8) :: a
    integer :: i
    do i = 1, n
      a = exp(-x(i)*y(i))
      y(i) = y(i) - tanh(a)*a
    end do
  end subroutine
end module
";

#[test]
fn a_time_loop_among_many_places_has_all_its_ways() {
    let model = Model::read(STEPS);
    // (budget, most run time): schedules with 2, 3 and 8 snapshots, and all iterations stored.
    for (budget, most) in [(60_000_000, 30.0), (70_000_000, 15.0), (100_000_000, 6.8), (1 << 40, 3.5)] {
        let plan = model.within(budget).plan_file;
        assert!(plan.ratio <= most && plan.bound.is_some_and(|b| b <= plan.ratio), "{plan}");
    }
}

/// Procedures that call the next one twice, with other sizes: there are very many ways down to the last.
fn tower(levels: usize) -> String {
    let level = |k: usize| match k {
        0 => "  subroutine s0(n, y)\n    integer, intent(in) :: n\n    real(8), intent(inout) :: y(:)
    y = y*y + 0.1d0*n\n    y = sin(y)\n  end subroutine\n"
            .to_string(),
        _ => format!(
            "  subroutine s{k}(n, y)\n    integer, intent(in) :: n\n    real(8), intent(inout) :: y(:)
    y = 0.9d0*y + 0.05d0*y**2\n    call s{0}(2*n, y)\n    y = sin(y)\n    call s{0}(2*n + 1, y(size(y):1:-1))
  end subroutine\n",
            k - 1
        ),
    };
    let levels_down: String = (0..levels).rev().map(level).collect();
    format!(
        "module m\ncontains\n  subroutine f(n, x, y)\n    integer, intent(in) :: n\n    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: y(n)\n    y = y*x\n    call s{}(1, y)\n  end subroutine\n{levels_down}end module\n",
        levels - 1
    )
}

#[test]
fn procedures_are_planned_once_however_often_they_are_called() {
    let levels = 40;
    let made =
        Model::read(&tower(levels)).adjoint(&costate_regression::checked()).unwrap_or_else(|told| panic!("{told}"));
    let calls = made.plan_file.sites.iter().filter(|s| s.choice == "joint").count();
    assert_eq!(calls, 2 * levels - 1, "{}", made.plan_file);
    let generated = made.files.iter().flat_map(|f| f.text.lines());
    let generated = generated.filter(|l| l.trim_start().starts_with("end subroutine")).count();
    assert!(generated <= 3 * levels, "{generated}");
}

/// Its steps can't all save what their adjoints need: no tape takes these integers.
const SHORT_INTEGERS: &str = "
module m
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: y(n)
    integer(2) :: power
    real(8) :: r
    power = 1
    r = 1
    newton: do while (r > 1d-3)
      y = 0.1d0*y**power + x
      power = mod(3_2*power, 7_2)
      y = 0.1d0*sin(y)**power + x
      r = r*0.5d0
    end do newton
  end subroutine
end module
";

#[test]
fn a_plan_does_without_what_cannot_be_generated() {
    let model = Model::read(SHORT_INTEGERS);
    let alone = model.adjoint(&costate_regression::checked()).expect_err("all iterations would be stored");
    assert_eq!(alone.matches("a value that is overwritten here can't be saved").count(), 1, "{alone}");
    let with = |memory, trips: &[i64]| {
        let given = |(name, value): (&str, i64)| (name.to_string(), vec![value]);
        let sizes = [("n", 100)].into_iter().chain(trips.iter().map(|t| ("newton", *t))).map(given).collect();
        model.adjoint(&Options { sizes, memory: Some(memory), ..costate_regression::checked() })
    };
    for (memory, trips) in [(1 << 20, &[30][..]), (4000, &[30]), (1 << 20, &[])] {
        let made = with(memory, trips).unwrap_or_else(|told| panic!("{told}"));
        let site = &made.plan_file.sites[0];
        assert_eq!((site.choice.as_str(), site.kind.as_deref()), ("schedule", Some("online")), "{}", made.plan_file);
        let said = chain::describe(&model.loaded.sources, &made.notes);
        let left_out = "the plan leaves out, for this statement: all iterations save what their adjoints need";
        // Where nobody says how many iterations there are, storing them all isn't thought of.
        assert_eq!(said.contains(left_out), !trips.is_empty(), "{said}");
        assert_eq!(said.contains("the tape doesn't take values of this type"), !trips.is_empty(), "{said}");
    }
    let said = with(1000, &[30]).expect_err("no plan takes so little");
    assert!(said.contains("the adjoint of `f` takes"), "{said}");
}

#[test]
fn a_plan_that_cannot_be_followed_is_refused() {
    let model = Model::read(STEPS);
    let made = model.adjoint(&costate_regression::checked()).expect("it has an adjoint");
    let with = |change: &dyn Fn(&mut Decided)| {
        let mut plan = made.plan_file.clone();
        plan.sites.iter_mut().filter(|s| s.choice == "blocks").for_each(change);
        assert_ne!(plan, made.plan_file);
        model.adjoint(&Options { plan: Some(plan), ..costate_regression::checked() }).expect_err("it can't be followed")
    };
    let schedule = |kind: &'static str, snapshots| {
        move |d: &mut Decided| {
            d.choice = "schedule".to_string();
            d.kind = Some(kind.to_string());
            d.snapshots = Some(snapshots);
        }
    };
    let plan = PlanFile { allow_undo: true, ..made.plan_file.clone() };
    let undone = model
        .adjoint(&Options { plan: Some(plan), ..costate_regression::checked() })
        .expect_err("it can't be followed");
    let cases = [
        (with(&|d| d.choice = "best".to_string()), "can't be reversed as the plan says: best"),
        (with(&|d| d.choice = "split".to_string()), "can't be reversed as the plan says: split"),
        (with(&schedule("best", 3)), "can't be reversed as the plan says: schedule best"),
        (with(&schedule("revolve", 1 << 31)), "can't be reversed as the plan says: schedule revolve"),
        (undone, "it was made with `--allow-undo`, which isn't given"),
        (with(&|d| d.nth = 2), "there is nothing to decide about `do k = 1, 400` any more"),
    ];
    for (said, expected) in cases {
        assert!(said.contains(expected), "{said}\ninstead of: {expected}");
    }
}

#[test]
fn a_plan_of_loops_on_disk_can_be_read_back() {
    let model = Model::read(STEPS);
    let choices = Choices { disk: Some("folder".to_string()), ..Choices::default() };
    let options = Options { choices, ..costate_regression::checked() };
    let made = model.adjoint(&options).expect("it has an adjoint");
    let plan = Some(PlanFile::parse(&made.plan_file.text()).expect("a plan can be read back"));
    let again = model.adjoint(&Options { plan: plan.clone(), ..options }).unwrap_or_else(|told| panic!("{told}"));
    assert_eq!(again.files[0].text, made.files[0].text);
    let said = model.adjoint(&Options { plan, ..costate_regression::checked() }).expect_err("it names no folder");
    assert!(said.contains("can't be reversed as the plan says: a snapshot on disk"), "{said}");
}

#[test]
fn a_plan_for_other_heads_is_refused() {
    let model = Model::read(REUSED);
    let made = model.adjoint(&costate_regression::checked()).expect("it has an adjoint");
    let plan = PlanFile { heads: vec!["g".to_string()], ..made.plan_file };
    let refused = model.adjoint(&Options { plan: Some(plan), ..costate_regression::checked() });
    let said = refused.expect_err("the plan is for something else");
    assert!(said.contains("the heads were `g`, and are `f`"), "{said}");
}

/// A procedure with something to decide, with statements like those of another, between what plans don't depend on.
const SURROUNDED: &str = "
module constants
  implicit none
  real(8), parameter :: rate = 0.5d0
contains
  subroutine step(n, u)
    integer, intent(in) :: n
    real(8), intent(inout) :: u(n)
    integer :: i
    do i = 2, n
      u(i) = u(i) + u(i-1)**2
    end do
  end subroutine step
end module constants
module m
  use constants, only: rate, other => step
  implicit none
contains
  subroutine step(n, u)
    integer, intent(in) :: n
    real(8), intent(inout) :: u(n)
    integer :: i
    do i = 2, n
      u(i) = u(i)*exp(-rate*u(i-1))
    end do
  end subroutine step
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: y(n)
    integer :: k
    y = x
    do k = 1, 100
      call step(n, y)
      call other(n, y)
    end do
  end subroutine f
end module m
";

#[test]
fn plans_outlive_changes_of_what_they_do_not_depend_on() {
    let plan = Model::read(SURROUNDED).within(80_000_000).plan_file;
    let followed = |from: &str, to: &str| {
        assert!(SURROUNDED.contains(from), "{from}");
        let model = Model::read(&SURROUNDED.replace(from, to));
        model.adjoint(&Options { plan: Some(plan.clone()), ..costate_regression::checked() })
    };
    let loops: Vec<&str> = plan.sites.iter().filter(|s| s.statement == "do k = 1, 100").map(|s| &*s.choice).collect();
    assert!(matches!(*loops, ["schedule" | "blocks"]), "{plan}");
    // A constant, a comment, a local variable, a procedure before it.
    let harmless = [
        ("rate = 0.5d0", "rate = 0.25d0"),
        ("    y = x\n", "    ! A copy.\n    y = x\n"),
        ("    integer :: k\n", "    integer :: k, unused\n"),
        ("contains\n  subroutine step", "contains\n  subroutine g()\n  end subroutine g\n  subroutine step"),
    ];
    for (from, to) in harmless {
        let file = followed(from, to).unwrap_or_else(|told| panic!("{told}")).plan_file;
        assert_eq!(file.sites, plan.sites, "{to}");
    }
    let told = followed("    y = x\n", "    y = 2*x\n").expect_err("a statement has changed");
    assert!(told.contains("procedure `f` has changed"), "{told}");
    // Calls of two procedures of one name are told apart.
    let names: Vec<&String> = plan.procedures.keys().collect();
    assert!(names.iter().all(|n| !n.ends_with("step") || n.contains("::")), "{names:?}");
}
