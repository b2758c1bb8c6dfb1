use crate::harness::{Group, check};

#[test]
fn jumps() {
    check(&Group {
        name: "jumps",
        module: "",
        helpers: "",
        sizes: &[1, 2, 5, 6, 9],
        snippets: &[
            ("cycle_top", "integer :: i\n do i = 1, n\n if (x(i) < 0) cycle\n y(i) = y(i) + x(i)\n s = s + y(i)\n end do"),
            (
                "cycle_after",
                "integer :: i\n do i = 1, n\n if (x(i) < 0) then\n y(i) = 2*y(i)\n cycle\n end if\n y(i) = y(i) + x(i)\n end do",
            ),
            (
                "cycle_deep",
                "integer :: i\n do i = 1, n\n if (x(i) < 0.5) then\n s = s + 1\n if (y(i) < 0) cycle\n s = s*1.5\n end if
                 t = t + x(i)\n end do",
            ),
            (
                "cycle_twice",
                "integer :: i\n do i = 1, n\n if (x(i) < 0) cycle\n s = s + x(i)\n if (y(i) < 0) cycle\n s = s + y(i)\n end do",
            ),
            (
                "cycle_else",
                "integer :: i\n do i = 1, n\n if (x(i) < -0.3) then\n s = s + 1\n else if (x(i) < 0.3) then\n cycle\n else
                 s = s*2\n end if\n t = t + s*x(i)\n end do",
            ),
            ("exit_top", "integer :: i\n do i = 1, n\n if (x(i) > 0.5) exit\n y(i) = y(i) + x(i)\n end do\n k = i"),
            ("exit_last", "integer :: i\n do i = 1, n\n s = s + x(i)\n if (s > 1) exit\n end do\n k = i"),
            (
                "exit_and_cycle",
                "integer :: i\n do i = 1, n\n if (x(i) < -0.5) cycle\n s = s + x(i)\n if (s > 1) exit\n t = t + y(i)
                 if (t < 0) cycle\n y(i) = s*t\n end do\n k = i",
            ),
            (
                "exit_two",
                "integer :: i\n do i = 1, n\n if (x(i) > 0.7) exit\n s = s + 1\n if (y(i) > 0.7) then\n t = t + 1\n exit\n end if
                 s = s*1.1\n end do",
            ),
            (
                "outer",
                "integer :: i, j\n rows: do i = 1, n\n do j = 1, n\n if (a(i,j) > 0.8) cycle rows\n if (a(i,j) < -0.9) exit rows
                 s = s + a(i,j)\n end do\n t = t + s\n end do rows\n k = i",
            ),
            (
                "outer_mixed",
                "integer :: i, j\n rows: do i = 1, n\n do j = 1, n\n if (a(i,j) > 0.8) cycle rows\n if (b(i,j) > 0.8) exit
                 if (a(i,j) < -0.9) exit rows\n s = s + a(i,j)\n if (b(j,i) < 0.1) cycle\n s = s + 0.1\n end do\n t = t + s
                 if (t > 3) cycle rows\n t = t + 0.2\n end do rows\n k = k + i",
            ),
            (
                "outer_in_if",
                "integer :: i, j\n rows: do i = 1, n\n if (x(i) > 0) then\n do j = 1, n\n if (a(i,j) > 0.6) cycle rows
                 s = s + a(i,j)\n end do\n s = s + 1\n end if\n t = t + s\n end do rows",
            ),
            (
                "three",
                "integer :: i, j, l\n one: do i = 1, n\n two: do j = 1, n\n do l = 1, n\n if (a(i,l)*b(l,j) > 0.7) cycle one
                 if (a(i,l)*b(l,j) < -0.7) cycle two\n if (a(l,l) > 0.9) exit one\n if (a(l,j) > 0.8) exit two\n s = s + a(i,l)*b(l,j)
                 end do\n t = t + s\n end do two\n x(i) = s\n end do one\n k = i",
            ),
            ("return_top", "if (s > 0.5) return\n t = t + s\n y = 2*y"),
            (
                "return_loop",
                "integer :: i\n do i = 1, n\n if (x(i) > 0.5) return\n s = s + x(i)\n end do\n t = s*2",
            ),
            (
                "return_nest",
                "integer :: i, j\n if (s > 0.9) then\n t = 1\n return\n end if\n do i = 1, n\n do j = 1, n
                 if (a(j,i) > 0.9) return\n if (a(j,i) < -0.8) exit\n s = s + a(j,i)\n end do\n t = t + s\n end do\n t = 3*t",
            ),
            (
                "return_both",
                "integer :: i\n if (s > 0.2) then\n do i = 1, n\n if (x(i) > 0.6) return\n t = t + x(i)\n end do
                 if (t > 0.5) return\n t = 7*t\n end if\n y(1) = t\n if (s < 0.1) return\n y(n) = t + 1",
            ),
            ("return_end", "s = s + 1\n return"),
            ("while_plain", "integer :: i\n i = 1\n do while (i <= n)\n s = s + x(i)\n i = i + 1\n end do"),
            (
                "while_cycle",
                "integer :: i\n i = 0\n do while (i < n)\n i = i + 1\n if (x(i) < 0) cycle\n s = s + x(i)\n end do",
            ),
            (
                "while_exit",
                "integer :: i\n i = 0\n do while (i < n)\n i = i + 1\n if (x(i) > 0.7) exit\n s = s + x(i)\n end do\n k = i",
            ),
            (
                "forever",
                "integer :: i\n i = 0\n do\n i = i + 1\n if (i > n) exit\n if (x(i) < 0) cycle\n s = s + x(i)\n end do\n k = i",
            ),
            (
                "select_jumps",
                "integer :: i\n do i = 1, n\n select case (mod(i, 4))\n case (0)\n cycle\n case (1)\n s = s + x(i)\n case (2)
                 if (x(i) > 0.6) exit\n s = s - 1\n end select\n t = t + s\n end do\n k = i",
            ),
            (
                "select_one",
                "integer :: i\n do i = 1, n\n select case (mod(i, 3))\n case (0)\n cycle\n case (1)\n s = s + x(i)\n cycle
                 end select\n t = t + s\n end do",
            ),
            (
                "negative",
                "integer :: i\n do i = n, 1, -2\n if (x(i) > 0.5) exit\n if (y(i) > 0) cycle\n s = s + x(i)\n end do\n k = i",
            ),
            ("zero_trip", "integer :: i\n do i = 1, 0\n if (x(1) > 0) exit\n s = s + 1\n end do\n k = i\n t = t + 1"),
            (
                "comments",
                "integer :: i\n ! first\n do i = 1, n\n ! skip them\n if (x(i) < 0) cycle ! negative\n s = s + x(i)\n end do",
            ),
            (
                "own_flag",
                "integer :: i\n logical :: done\n done = .false.\n do i = 1, n\n s = s + x(i)\n done = s > 1\n if (done) exit
                 end do\n k = i",
            ),
            (
                "guarded_rest",
                "integer :: i\n do i = 1, n\n if (x(i) > 0) then\n if (y(i) > 0.3) cycle\n s = s + 1\n else\n if (y(i) < -0.3) cycle
                 s = s + 2\n end if\n t = t + s\n end do",
            ),
            (
                "mixed_kinds",
                "integer :: i\n do i = 1, n\n if (x(i) > 0) then\n if (y(i) > 0.5) cycle\n s = s + 1\n else\n if (y(i) < -0.5) exit
                 s = s + 2\n if (z(i) > 0.9) return\n end if\n t = t + s\n end do\n t = t*2",
            ),
        ],
    });
}

#[test]
fn branches_left_by_name() {
    check(&Group {
        name: "left_by_name",
        module: "",
        helpers: "",
        sizes: &[1, 2, 5, 6, 9],
        snippets: &[
            ("branch", "top: if (s > 0.1) then\n t = t + 1\n if (t > 1.2) exit top\n s = 2*s\n end if top\n y(1) = s*t"),
            (
                "two_arms",
                "top: if (s > 0.1) then\n if (t > 0) exit top\n s = 2*s\n else\n if (t < 0) exit top\n s = 3*s\n end if top
                 y(1) = s*t",
            ),
            (
                "choice_in_loop",
                "integer :: i\n rows: do i = 1, n\n which: select case (mod(i, 3))\n case (0)\n if (x(i) > 0) exit which
                 s = s + x(i)\n case (1)\n if (x(i) > 0.5) cycle\n if (x(i) < -0.5) exit rows\n t = t + x(i)
                 if (t > 0.2) exit\n end select which\n y(i) = s + t\n end do rows\n k = i",
            ),
            (
                "out_of_loops",
                "integer :: i, j\n top: if (s < 5) then\n do i = 1, n\n do j = 1, n\n if (a(i,j) > 0.9) exit top
                 if (a(i,j) < -0.9) return\n s = s + a(i,j)\n end do\n t = t + s\n end do\n t = 2*t\n end if top\n s = s*t",
            ),
            (
                "block",
                "integer :: i\n work: block\n real(8) :: r\n r = x(1)\n do i = 1, n\n r = r + x(i)\n if (r > 1) exit work\n end do
                 s = s*r\n end block work\n t = t + s",
            ),
            (
                "associated",
                "part: associate (z => x(1:n:2))\n inner: block\n real(8) :: r\n r = sum(z)\n if (r > 1) exit part
                 z = z*r\n if (r > 0) exit inner\n z = z + 1\n end block inner\n s = sum(z)\n end associate part\n t = t + s",
            ),
            (
                "nested",
                "integer :: i\n do i = 1, n\n one: if (x(i) > -0.9) then\n two: if (y(i) > 0) then\n if (x(i) > 0.8) exit one
                 if (x(i) > 0.4) exit two\n if (x(i) > 0.2) cycle\n if (y(i) > 0.95) exit\n s = s + 1\n end if two\n s = s*1.5
                 if (s > 9) exit one\n t = t + s\n else\n exit one\n end if one\n y(i) = s - t\n end do\n k = i",
            ),
        ],
    });
}
