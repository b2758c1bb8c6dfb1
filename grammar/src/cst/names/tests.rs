use super::*;

fn shown(text: &str) -> String {
    respelt(text).unwrap_or_else(|| text.to_string())
}

#[test]
fn names_are_told_from_keywords() {
    let cases = [
        ("close = a - b < 1d-3", "clos_ = a - b < 1d-3"),
        ("read(1) = open", "rea_(1) = ope_"),
        ("if (stop > end) then", "if (sto_ > en_) then"),
        ("if (a) close = 1", "if (a) clos_ = 1"),
        ("if (a) close (1)", "if (a) close (1)"),
        ("if (a) stop", "if (a) stop"),
        ("if(1) = 2", "i_(1) = 2"),
        ("if: if (a) then", "i_: if (a) then"),
        ("end if if", "end if i_"),
        ("do do = 1, open", "do d_ = 1, ope_"),
        ("do while (read)", "do while (rea_)"),
        ("do 10 while = 1, 2", "do 10 whil_ = 1, 2"),
        (
            "do concurrent (integer :: do = 1:2) local(if) default(none)",
            "do concurrent (integer :: d_ = 1:2) local(i_) default(none)",
        ),
        ("x = [real(8) :: real, 2]", "x = [real(8) :: rea_, 2]"),
        ("x = [real(open), 2.0]", "x = [rea_(ope_), 2.0]"),
        ("x = (/character(len=3) :: 'a'/)", "x = (/character(len=3) :: 'a'/)"),
        ("real :: real, end(3) = 1", "real :: rea_, en_(3) = 1"),
        ("real*8 data(3), type", "real*8 dat_(3), typ_"),
        ("double precision stop", "double precision sto_"),
        ("type(data), intent(in) :: class", "type(dat_), intent(in) :: clas_"),
        ("type(real) :: p => null(), null", "type(real) :: p => null(), nul_"),
        ("null(1) = null(2)", "nul_(1) = nul_(2)"),
        ("p => null(q)", "p => null(q)"),
        ("module function", "module functio_"),
        ("module function function(x)", "module function functio_(x)"),
        ("block data data", "block data dat_"),
        ("type data", "type dat_"),
        ("type, extends(data) :: target", "type, extends(dat_) :: targe_"),
        ("type%data = 1", "typ_%dat_ = 1"),
        ("type is (real)", "type is (real)"),
        ("select case (case)", "select case (cas_)"),
        ("case (open)", "case (ope_)"),
        ("case default", "case default"),
        ("call call(call)", "call cal_(cal_)"),
        ("write (unit=write, fmt=*) read, print", "write (unit=writ_, fmt=*) rea_, prin_"),
        ("read (read, *) write", "read (rea_, *) writ_"),
        ("print *, print", "print *, prin_"),
        ("allocate (real(8) :: real(3), stat=end)", "allocate (real(8) :: rea_(3), stat=en_)"),
        (
            "use result, only: open => close, operator(+), assignment(=)",
            "use resul_, only: ope_ => clos_, operator(+), assignment(=)",
        ),
        ("use, intrinsic :: iso_c_binding", "use, intrinsic :: iso_c_binding"),
        (
            "elemental logical function is_close(a, end) result(close)",
            "elemental logical function is_close(a, en_) result(clos_)",
        ),
        ("subroutine read(data) bind(c, name='x')", "subroutine rea_(dat_) bind(c, name='x')"),
        ("end subroutine read", "end subroutine rea_"),
        ("generic :: write(formatted) => write", "generic :: write(formatted) => writ_"),
        ("public :: read(unformatted), read", "public :: read(unformatted), rea_"),
        ("a.and.b", "a.and.b"),
        ("x = .not.stop.and.'stop'", "x = .not.sto_.and.'stop'"),
        ("where (where > 0) where = 0", "where (wher_ > 0) wher_ = 0"),
        ("forall (do = 1:n) data(do) = 1", "forall (d_ = 1:n) dat_(d_) = 1"),
        ("common /common/ data", "common /commo_/ dat_"),
        ("common // data, x(3)", "common    dat_, x(3)"),
        ("common / / a", "common     a"),
        ("character name*( n )", "character name ( n )"),
        ("character(len=8) :: a*(n+1), b*(*), c*4", "character(len=8) :: a (n+1), b*(*), c*4"),
        ("data data(1), end /1.0, 2.0/", "data dat_(1), en_ /1.0, 2.0/"),
        ("return", "return"),
        ("contains", "contains"),
        ("implicit none", "implicit none"),
        ("private", "private"),
    ];
    for (text, want) in cases {
        assert_eq!(shown(text), want);
    }
}
