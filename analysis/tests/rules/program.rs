//! The Fortran program that checks rows: tangents against differences in quadruple precision, adjoints against tangents.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::Command;

use costate_analysis::rules::{HELPERS, Partial, apply, factored, partials, tangent, transpose};
use costate_grammar::ir::{Base, Expr, ExprKind, Ty};

use crate::cases::{Case, quad};
use crate::printer::print;

pub(crate) fn name(text: &str, ty: Ty) -> Expr {
    Expr::new(ExprKind::Opaque(text.into()), ty, 0)
}

pub(crate) fn spelling(ty: Ty) -> String {
    match ty.base {
        Base::Integer => format!("integer({})", ty.kind),
        Base::Real => format!("real({})", ty.kind),
        Base::Complex => format!("complex({})", ty.kind),
        Base::Logical => format!("logical({})", ty.kind),
        other => panic!("no variables of type {other:?}"),
    }
}

/// A random value of a type.
fn draw(ty: Ty, (lo, hi): (f64, f64)) -> String {
    match ty.base {
        Base::Integer => format!("nint(draw({lo:?}d0, {hi:?}d0))"),
        Base::Real => format!("real(draw({lo:?}d0, {hi:?}d0), {})", ty.kind),
        Base::Complex => format!("cmplx(draw({lo:?}d0, {hi:?}d0), draw({lo:?}d0, {hi:?}d0), {})", ty.kind),
        Base::Logical => "draw(0.0d0, 1.0d0) > 0.5d0".into(),
        other => panic!("no values of type {other:?}"),
    }
}

/// The operation on variables `a1`, `a2`..., its row with the result in `y`, and for each linear partial the variable.
pub(crate) fn row_of(case: &Case) -> (Expr, Vec<(String, Ty, Partial)>) {
    let args: Vec<Expr> = case.tys.iter().enumerate().map(|(i, t)| name(&format!("a{}", i + 1), *t)).collect();
    let node = (case.build)(&args, false);
    let row = partials(&node, &name("y", node.ty)).unwrap_or_else(|| panic!("{}: no row", case.name));
    let children = node.children();
    assert_eq!(row.len(), children.len(), "{}", case.name);
    let pairs = children.into_iter().zip(row).filter_map(|(c, p)| match &c.kind {
        ExprKind::Opaque(text) => Some((text.clone(), c.ty, p)),
        _ => {
            assert_eq!(p, Partial::Zero, "{}: a literal has no derivative", case.name);
            None
        }
    });
    let pairs = pairs.collect();
    (node, pairs)
}

/// Perturbed variables with the tangent and the adjoints that a row gives: names end in `_d` and `_b`.
pub(crate) struct Check {
    pub(crate) vars: Vec<(String, Ty)>,
    pub(crate) tangent: Expr,
    /// The value of `t`, of the result's type.
    pub(crate) common: Option<Expr>,
    pub(crate) adjoints: Vec<Expr>,
}

impl Check {
    /// One partial alone.
    pub(crate) fn single(node: &Expr, var: &str, ty: Ty, partial: &Partial) -> Check {
        let (tangent, adjoint) = match partial {
            Partial::Zero => (Expr::zero(node.ty), Expr::zero(ty)),
            Partial::Linear(map) => (
                apply(map, name(&format!("{var}_d"), ty), ty, node.ty),
                transpose(map, name("y_b", node.ty), ty, node.ty),
            ),
            Partial::Unsupported(why) => panic!("{}: {why}", print(node)),
        };
        Check { vars: vec![(var.into(), ty)], tangent, common: None, adjoints: vec![adjoint] }
    }

    /// All operands at once, factored where the operation can be.
    pub(crate) fn whole(node: &Expr, vars: Vec<(String, Ty)>) -> Check {
        let y = name("y", node.ty);
        let dx = |e: &&Expr| e.ty.is_continuous().then(|| name(&format!("{}_d", print(e)), e.ty));
        let tangents: Vec<Option<Expr>> = node.children().iter().map(dx).collect();
        let tangent = tangent(node, &y, &tangents).unwrap().unwrap_or_else(|| Expr::zero(node.ty));
        let (common, row, yb) = match factored(node, &y) {
            Some(f) => {
                let common = transpose(&f.outer, name("y_b", node.ty), node.ty, node.ty);
                (Some(common), f.partials, name("t", node.ty))
            }
            None => (None, partials(node, &y).unwrap(), name("y_b", node.ty)),
        };
        let operands = node.children().into_iter().zip(row);
        let active = operands.filter(|(e, _)| e.ty.is_continuous());
        let adjoint = |(e, p): (&Expr, Partial)| match p {
            Partial::Zero => Expr::zero(e.ty),
            Partial::Linear(map) => transpose(&map, yb.clone(), e.ty, node.ty),
            Partial::Unsupported(why) => panic!("{}: {why}", print(node)),
        };
        let adjoints = active.map(adjoint).collect();
        Check { vars, tangent, common, adjoints }
    }
}

/// The subroutine that checks a tangent and its adjoints.
pub(crate) fn subroutine(index: usize, case: &Case, node: &Expr, check: &Check) -> String {
    let wide: Vec<Expr> = case.tys.iter().enumerate().map(|(i, t)| name(&format!("q{}", i + 1), quad(*t))).collect();
    let wide_node = (case.build)(&wide, true);
    assert_eq!(check.tangent.ty, node.ty, "{}: type of the tangent {}", case.name, print(&check.tangent));
    let tolerance = |kind: u8| if kind == 4 { "2.0e-5_16" } else { "1.0e-12_16" };
    let mut lowest = node.ty.kind;
    let mut out = String::new();
    let mut line = |text: String| writeln!(out, "{text}").unwrap();
    line(format!("subroutine case_{index}()"));
    for (i, t) in case.tys.iter().enumerate() {
        line(format!("  {} :: a{}", spelling(*t), i + 1));
        line(format!("  {} :: q{}", spelling(quad(*t)), i + 1));
    }
    for (var, ty) in &check.vars {
        line(format!("  {} :: {var}_d, {var}_b", spelling(*ty)));
        lowest = lowest.min(ty.kind);
    }
    line(format!("  {} :: y, y_d, y_b, t", spelling(node.ty)));
    line("  complex(16) :: f(-2:2), fd\n  real(16) :: backward\n  integer :: i, m\n  do i = 1, 6".into());
    for (i, t) in case.tys.iter().enumerate() {
        line(format!("    a{} = {}", i + 1, draw(*t, case.ranges[i])));
    }
    for (var, ty) in &check.vars {
        line(format!("    {var}_d = {}", draw(*ty, (0.5, 1.5))));
    }
    line(format!("    y_b = {}", draw(node.ty, (0.5, 1.5))));
    line(format!("    y = {}", print(node)));
    line(format!("    y_d = &\n      {}", print(&check.tangent)));
    line(format!("    t = {}", check.common.as_ref().map_or("y_b".into(), print)));
    line("    backward = 0".into());
    for ((var, ty), adjoint) in check.vars.iter().zip(&check.adjoints) {
        assert_eq!(adjoint.ty, *ty, "{}: type of the adjoint {}", case.name, print(adjoint));
        line(format!("    {var}_b = &\n      {}", print(adjoint)));
        line(format!("    backward = backward + inner(cmplx({var}_d, kind=16), cmplx({var}_b, kind=16))"));
    }
    line("    do m = -2, 2".into());
    for i in 1..=case.tys.len() {
        line(format!("      q{i} = a{i}"));
    }
    for (var, _) in &check.vars {
        line(format!("      {0} = {0} + m*h*{var}_d", var.replace('a', "q")));
    }
    line(format!("      f(m) = {}", print(&wide_node)));
    line("    end do\n    fd = (8*(f(1) - f(-1)) - (f(2) - f(-2)))/(12*h)".into());
    let vars: Vec<&str> = check.vars.iter().map(|(v, _)| v.as_str()).collect();
    line(format!("    call check('{} wrt {}', cmplx(y_d, kind=16), fd, &", case.name, vars.join(",")));
    line("      inner(cmplx(y_d, kind=16), cmplx(y_b, kind=16)), backward, &".into());
    line(format!("      {}, {})", tolerance(node.ty.kind), tolerance(lowest)));
    line(format!("  end do\nend subroutine case_{index}"));
    out
}

const SUPPORT: &str = "
function draw(lo, hi) result(x)
  real(8), intent(in) :: lo, hi
  real(8) :: x
  seed = mod(seed*48271_8, 2147483647_8)
  x = lo + (hi - lo)*(real(seed, 8)/2147483647.0d0)
end function draw
function inner(u, v) result(s)
  complex(16), intent(in) :: u, v
  real(16) :: s
  s = real(conjg(u)*v)
end function inner
subroutine check(name, y_d, fd, forward, backward, tol, tol_dot)
  character(*), intent(in) :: name
  complex(16), intent(in) :: y_d, fd
  real(16), intent(in) :: forward, backward, tol, tol_dot
  checks = checks + 1
  if (.not. abs(y_d - fd) <= tol*max(abs(fd), 0.1_16)) then
    failures = failures + 1
    print '(a,a,4es24.15)', name, ': tangent, differences', &
       real(y_d, 8), real(aimag(y_d), 8), real(fd, 8), real(aimag(fd), 8)
  end if
  if (.not. abs(forward - backward) <= tol_dot*max(abs(forward), 0.1_16)) then
    failures = failures + 1
    print '(a,a,2es24.15)', name, ': <y_d,y_b>, <x_d,x_b>', real(forward, 8), real(backward, 8)
  end if
end subroutine check
";

/// A module with all subroutines and helpers, and a program that calls them.
pub(crate) fn assemble(subroutines: &[String]) -> String {
    let mut out = String::from(
        "module cases\n  implicit none\n  integer(8) :: seed = 20011_8\n  integer :: failures = 0, checks = 0\n  \
         real(16), parameter :: h = 1.0e-6_16\ncontains\n",
    );
    out.push_str(SUPPORT);
    HELPERS.iter().for_each(|h| out.push_str(h.text));
    subroutines.iter().for_each(|s| out.push_str(s));
    out.push_str("end module cases\nprogram run\n  use cases\n  implicit none\n");
    (0..subroutines.len()).for_each(|i| writeln!(out, "  call case_{i}()").unwrap());
    out.push_str("  print '(i0,a,i0,a)', checks, ' checks, ', failures, ' failures'\nend program run\n");
    out
}

/// Compiles and runs a program; what it prints.
pub(crate) fn run(stem: &str, source: &str, flags: &[&str]) -> String {
    let dir = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("rules-{stem}"));
    std::fs::create_dir_all(&dir).unwrap();
    let file = dir.join(format!("{stem}.f90"));
    std::fs::write(&file, source).unwrap();
    let exe = dir.join(stem);
    let compiler = Command::new("gfortran")
        .current_dir(&dir)
        .args(["-O0", "-ffree-line-length-none"])
        .args(flags)
        .arg(&file)
        .arg("-o")
        .arg(&exe)
        .output()
        .expect("gfortran is needed for this test");
    assert!(compiler.status.success(), "gfortran: {}", String::from_utf8_lossy(&compiler.stderr));
    let run = Command::new(&exe).output().unwrap();
    let text = String::from_utf8_lossy(&run.stdout).into_owned();
    assert!(run.status.success(), "{text}{}", String::from_utf8_lossy(&run.stderr));
    text
}
