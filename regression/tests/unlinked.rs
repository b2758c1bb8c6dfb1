//! Programs with procedures that aren't there, which can't be run: what is generated for them must compile.

use costate_adjoint::pipeline::Mode;
use costate_regression::chain;
use costate_regression::fortran::Fortran;

/// A loop variable that goes to a procedure without source, by a callee and at once.
const LOOP_VARIABLE: &str = "module m
implicit none
contains
subroutine step(u, k)
real(8), intent(inout) :: u
integer, intent(in) :: k
integer :: got
external ask
call ask(k, got)
u = u*sin(u*got)
end subroutine
subroutine f(x, y)
real(8), intent(in) :: x(3)
real(8), intent(out) :: y(3)
integer :: k, got
external ask
y = x
do k = 1, 3
 call step(y(k), k)
 call ask(k, got)
 y(k) = y(k)**2*got
end do
end subroutine
end module
";

#[test]
fn a_loop_variable_may_go_to_a_procedure_without_source() {
    let loaded = chain::loaded("m.f90", LOOP_VARIABLE).expect("it is read");
    let heads = chain::heads(&loaded.program, "m::f(y)/(x)").expect("there is such a head");
    for mode in [Mode::Tangent, Mode::Adjoint] {
        let out = loaded.differentiate(&heads, mode).expect("it is differentiated");
        let folder = tempfile::tempdir().expect("a folder");
        let files: Vec<(&str, &str)> = std::iter::once(("m.f90", LOOP_VARIABLE))
            .chain(out.files.iter().map(|f| (f.name.as_str(), f.text.as_str())))
            .collect();
        Fortran::new(&["-O0", "-Wall"]).objects(folder.path(), &files).expect("it compiles");
    }
}
