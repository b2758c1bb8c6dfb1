//! Objects with integers among their reals, of which some have no derivative where they are sent; objects with buffers; and objects
//! whose procedures pass messages and call each other.

use super::Talk;
use super::declared::asynchronous;
use crate::random::syntax::{Procedure, Statement, local};

/// The type of these objects; its datatype is `to`.
pub(super) const TYPE: &str =
    "type ob\n  sequence\n  real(8) :: s\n  real(8) :: v(3)\n  integer :: k, l\n  real(8) :: w\nend type ob";

/// The type of neighbours with their buffers.
pub(super) const NEIGHBOUR: &str = "type nb\n  integer :: k\n  real(8), allocatable :: r(:), s(:)\nend type nb";

/// The type of objects that exchange the ends of what they hold.
const CLASS: &str = "type hc\n  integer :: n = 2\n  real(8) :: k = 0.5d0\n  real(8), allocatable :: q(:), w(:)\ncontains\n  \
procedure :: hcx\n  procedure :: hcs\nend type hc";

impl Talk {
    /// The procedures of these objects, where there are some.
    pub(super) fn bound(&self) -> Vec<Procedure> {
        if !self.module.iter().any(|(name, _)| name == "hc") {
            return Vec::new();
        }
        let message = |call: &str, part: &str, to: &str, tag: &str, r: usize| {
            format!(
                "call mpi_{call}(self%q({part}), 1, mpi_double_precision, modulo(me {to} 1, np), {tag}, cma, r({r}), ierr)"
            )
        };
        let exchange = vec![
            "call mpi_comm_rank(cma, me, ierr)".to_string(),
            "call mpi_comm_size(cma, np, ierr)".to_string(),
            message("irecv", "0", "-", "tag", 1),
            message("irecv", "self%n + 1", "+", "tag + 1", 2),
            message("isend", "self%n", "+", "tag", 3),
            message("isend", "1", "-", "tag + 1", 4),
            "call mpi_waitall(4, r, mpi_statuses_ignore, ierr)".to_string(),
            "self%w(:) = 0.5d0*self%q(1:self%n)*(self%q(2:self%n+1) - self%k*self%q(0:self%n-1))".to_string(),
        ];
        let step = vec![
            "call self%hcx(cma, tag)".to_string(),
            "self%q(1:self%n) = self%q(1:self%n) + 0.3d0*self%w*sin(self%q(1:self%n))".to_string(),
            "self%k = sin(self%k + 0.1d0*self%w(1))".to_string(),
        ];
        [("hcx", exchange), ("hcs", step)].map(|(name, fixed)| self.bound_procedure(name, fixed)).into()
    }

    fn bound_procedure(&self, name: &str, fixed: Vec<String>) -> Procedure {
        let own = ["integer :: ierr", "integer :: me", "integer :: np", "REQUEST :: r(4)"];
        let declared = |text: &&str| {
            let name = text.rsplit(' ').next().unwrap_or_default().split('(').next().unwrap_or_default();
            local(name, &self.binding.typed(text), "")
        };
        Procedure {
            head: format!("subroutine {name}(self, cma, tag)"),
            end: format!("end subroutine {name}"),
            name: name.into(),
            dummies: vec![
                "class(hc), intent(inout), asynchronous :: self".into(),
                self.binding.typed("COMM, intent(in) :: cma"),
                "integer, intent(in) :: tag".into(),
            ],
            locals: own.iter().map(declared).collect(),
            fixed,
            body: Vec::new(),
            internal: Vec::new(),
        }
    }

    /// An object that exchanges its ends, once or twice.
    pub(super) fn of_class(&mut self, depth: usize) -> Option<Statement> {
        let c = self.letter();
        let scalars = self.s.scalars.clone();
        let (x, y) = (self.s.rng.pick(&scalars).clone(), self.s.rng.pick(&scalars).clone());
        if y == "gp" {
            return None;
        }
        let (comm, u) = (self.comm(c), self.s.fresh());
        if !self.module.iter().any(|(name, _)| name == "hc") {
            self.module.push(("hc".into(), CLASS.into()));
        }
        let o = format!("hk{u}");
        self.own(&o, &asynchronous(&format!("type(hc) :: {o}")));
        let mut head = vec![
            format!("if (.not. allocated({o}%q)) allocate({o}%q(0:3), {o}%w(2))"),
            format!("{o}%q = 0.3d0*sin({x})"),
            format!("{o}%q(2) = 0.2d0"),
            format!("{o}%k = 0.4d0*cos({x})"),
        ];
        for _ in 0..=self.s.rng.below(2) {
            let (tag, _) = (self.next_tag(), self.next_tag());
            let step = self.s.rng.text(&["hcs", "hcs", "hcx"]);
            head.push(format!("call {o}%{step}({comm}, {tag})"));
        }
        let used = format!("{y} = 0.5d0*{y} + 0.1d0*sin({o}%q(1)*{o}%k + {o}%w(2)*{o}%q(0))");
        let body = self.serial(depth);
        Some(Statement::together(vec![(head.join("\n"), body)], used))
    }

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
