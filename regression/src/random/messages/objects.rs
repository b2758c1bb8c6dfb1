//! Objects with integers among their reals, of which some have no derivative where they are sent; and objects with buffers.

use super::Talk;
use super::declared::asynchronous;
use crate::random::syntax::Statement;

/// The type of these objects; its datatype is `to`.
pub(super) const TYPE: &str =
    "type ob\n  sequence\n  real(8) :: s\n  real(8) :: v(3)\n  integer :: k, l\n  real(8) :: w\nend type ob";

/// The type of neighbours with their buffers.
pub(super) const NEIGHBOUR: &str = "type nb\n  integer :: k\n  real(8), allocatable :: r(:), s(:)\nend type nb";

impl Talk {
    /// Messages both ways, with buffers in a list of neighbours, and requests elsewhere: at the wait any of the list may be meant.
    pub(super) fn listed(&mut self, depth: usize) -> Option<Statement> {
        let c = self.letter();
        let scalars = self.s.scalars.clone();
        let (x, y) = (self.s.rng.pick(&scalars).clone(), self.s.rng.pick(&scalars).clone());
        if y == "gp" {
            return None;
        }
        let (comm, u, (to, from)) = (self.comm(c), self.s.fresh(), self.shift(c));
        let tags = (self.next_tag(), self.next_tag());
        // One more than there are messages may have no memory.
        let spare = self.s.rng.below(2) + 2;
        self.own(&format!("na{u}"), &asynchronous(&format!("type(nb) :: na{u}({spare})")));
        self.own(&format!("ia{u}"), &format!("integer :: ia{u}"));
        self.own(&format!("rn{u}"), &format!("REQUEST :: rn{u}(4)"));
        let (a, i, q) = (format!("na{u}"), format!("ia{u}"), format!("rn{u}"));
        let other = |one: &str, two: &str| format!("merge({one}, {two}, {i} == 1)");
        let tag = other(&tags.0.to_string(), &tags.1.to_string());
        let message = |of: &str, with: String| format!("{a}({i})%{of}, 2, mpi_double_precision, {with}, {tag}, {comm}");
        let (received, sent) = (message("r", other(&from, &to)), message("s", other(&to, &from)));
        let head = [
            format!("do {i} = 1, 2"),
            format!("if (.not. allocated({a}({i})%r)) allocate({a}({i})%r(2), {a}({i})%s(2))"),
            format!("{a}({i})%r = 0.3d0*sin({x})"),
            format!("{a}({i})%s = [sin({x}), 0.5d0*{i}]"),
            format!("call mpi_irecv({received}, &\n  {q}({i}), ierr)"),
            format!("call mpi_isend({sent}, &\n  {q}({i} + 2), ierr)"),
            "end do".to_string(),
        ];
        let wait = if self.s.rng.chance(60) {
            format!("call mpi_waitall(4, {q}, mpi_statuses_ignore, ierr)")
        } else {
            format!("do {i} = 1, 4\ncall mpi_wait({q}({i}), mpi_status_ignore, ierr)\nend do")
        };
        let used = format!("{y} = 0.5d0*{y} + 0.1d0*sin({a}(1)%r(1)*{a}(2)%r(2) + {a}(2)%r(1)*{a}(1)%s(1))");
        let body = self.serial(depth);
        Some(Statement::together(vec![(head.join("\n"), body)], format!("{wait}\n{used}")))
    }

    /// Objects that are passed around, and are of use afterwards.
    pub(super) fn objects(&mut self, depth: usize) -> Option<Statement> {
        let c = self.letter();
        let scalars = self.s.scalars.clone();
        let (x, y) = (self.s.rng.pick(&scalars).clone(), self.s.rng.pick(&scalars).clone());
        if y == "gp" {
            return None;
        }
        let (comm, u, (to, from), tag) = (self.comm(c), self.s.fresh(), self.shift(c), self.next_tag());
        for name in ["oa", "ob"] {
            self.own(&format!("{name}{u}"), &asynchronous(&format!("type(ob) :: {name}{u}(0:3)")));
        }
        let mut head = vec![
            format!("oa{u}(:)%s = 0.5d0"),
            format!("oa{u}(:)%w = 1.5d0"),
            format!("oa{u}(:)%k = 2"),
            format!("oa{u}(0)%v = 1"),
            format!("oa{u}(1)%v = [1, 2, 3]*sin({x})"),
            format!("oa{u}(2)%v = [3, 2, 1]*0.1d0"),
            format!("oa{u}(3)%v = 0"),
            format!("ob{u} = oa{u}"),
        ];
        if self.s.rng.chance(50) {
            head.push(format!("oa{u}(2)%s = cos({x})"));
        }
        if self.s.rng.chance(30) {
            head.push(format!("ob{u}(3)%w = sin({x})"));
        }
        let (mut end, at) = (Vec::new(), self.s.rng.below(2));
        match self.s.rng.below(4) {
            0 => head.push(format!("call mpi_bcast(oa{u}(1), 2, to, 0, {comm}, ierr)")),
            1 => {
                let (sent, received) = (format!("oa{u}(1), 2, to, {to}, {tag}"), format!("ob{u}({at}), 3, to, {from}, {tag}"));
                head.push(format!("call mpi_sendrecv({sent}, &\n  {received}, {comm}, mpi_status_ignore, ierr)"));
            }
            2 => head.push(format!(
                "call mpi_sendrecv_replace(oa{u}({at}), 3, to, {to}, {tag}, {from}, {tag}, {comm}, &\n  mpi_status_ignore, ierr)"
            )),
            _ => {
                let q = self.requests(2).names().to_vec();
                head.push(format!("call mpi_irecv(ob{u}({at}), 3, to, {from}, {tag}, {comm}, {}, ierr)", q[0]));
                head.push(format!("call mpi_isend(oa{u}(1), 2, to, {to}, {tag}, {comm}, {}, ierr)", q[1]));
                end.extend(q.iter().map(|r| format!("call mpi_wait({r}, mpi_status_ignore, ierr)")));
            }
        }
        end.push(format!(
            "{y} = 0.5d0*{y} + 0.1d0*sin(oa{u}(1)%v(2)*oa{u}(2)%s + ob{u}(2)%v(1)*ob{u}(1)%s*ob{u}(3)%w*ob{u}(2)%k)"
        ));
        let body = self.serial(depth);
        Some(Statement::together(vec![(head.join("\n"), body)], end.join("\n")))
    }
}
