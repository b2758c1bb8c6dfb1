//! Random programs that pass messages. What all processes have to do together stands in blocks that all of them run, in the
//! same order and equally often: none depends on data or ranks but through conditions of its own. Between it stand statements
//! of the serial programs, which may differ as they like. No order of messages relies on buffers of MPI, and nothing depends on
//! which of several messages comes first, so that programs neither wait for ever nor give other results the next time.

mod blocks;
mod buffers;
mod collectives;
mod declared;
mod exchanges;
mod objects;
mod packed;
mod patterns;

use super::kernel;
use super::procedure::{self, array};
use super::program::{HeadKind, RandomProgram};
use super::scope::Scope;
use super::syntax::{Node, Procedure, Statement, local};
use super::{Rng, scope::Helper};

/// How a program is bound to MPI.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Binding {
    /// `use mpi`.
    Module,
    /// `use mpi_f08`.
    Types,
    /// `include 'mpif.h'`.
    Header,
}

/// A procedure that passes messages.
#[derive(Clone, Debug)]
struct Called {
    name: String,
}

/// What a procedure that passes messages is written with.
struct Talk {
    /// What its statements may refer to.
    s: Scope,
    binding: Binding,
    /// Communicators, by the letter that their names end with.
    comms: Vec<char>,
    /// Procedures that pass messages.
    called: Vec<Called>,
    /// Variables that statements have brought along: name, declaration, definition.
    locals: Vec<(String, String, String)>,
    /// The same in the module.
    module: Vec<(String, String)>,
    /// The number of the last message in the program.
    tag: usize,
}

/// The program of a seed.
pub fn program(seed: u64) -> RandomProgram {
    let mut rng = Rng::new(seed ^ 0x4d50_4900);
    let mut procedures = vec![procedure::function(&mut rng, "he", true), procedure::function(&mut rng, "hf", false)];
    let mut helpers: Vec<Helper> = Vec::new();
    for number in 1..=rng.below(3) {
        let (h, p) = procedure::helper(&mut rng, number, &helpers, &[]);
        helpers.push(h);
        procedures.push(p);
    }
    let kind = *rng.pick(&[HeadKind::Plain, HeadKind::Plain, HeadKind::Update, HeadKind::Both]);
    let binding = *rng.pick(&[Binding::Module, Binding::Module, Binding::Types, Binding::Header]);
    let mut talk = Talk {
        s: procedure::scope(Rng::new(rng.draw()), 0),
        binding,
        comms: Vec::new(),
        called: Vec::new(),
        locals: Vec::new(),
        module: Vec::new(),
        tag: 0,
    };
    for number in 1..=rng.below(3) {
        let p = talk.called_procedure(&helpers, number);
        procedures.push(p);
    }
    let head = talk.head(kind, &helpers);
    procedures.extend(talk.bound());
    procedures.push(head);
    procedures.reverse();
    let own = [
        ("t", "type t\n  real(8) :: s\n  real(8) :: v(3)\nend type t"),
        ("ob", objects::TYPE),
        ("nb", objects::NEIGHBOUR),
        ("gp", "real(8), parameter :: gp = 0.9d0"),
        ("gs", "real(8), asynchronous :: gs"),
        ("ga", "real(8), asynchronous :: ga(3)"),
        ("mb", "real(8), asynchronous :: mb(0:7)"),
        ("ms", "real(8), asynchronous :: ms"),
    ];
    let mut module = vec![("ierr".to_string(), talk.binding.import().to_string())];
    module.extend(own.map(|(n, l)| (n.to_string(), l.to_string())));
    module.extend(talk.module);
    let passes = kernel::passes(&mut Rng::new(seed ^ 0xa11_0000));
    RandomProgram { seed, kind, module, procedures, passes, refused: Vec::new() }
}

impl Talk {
    /// A scope for the next procedure.
    fn enter(&mut self, helpers: &[Helper]) {
        let mut s = procedure::scope(Rng::new(self.s.rng.draw()), 6 + self.s.rng.below(14));
        s.number = self.s.number;
        s.functions = vec!["hf".into()];
        s.elementals = vec!["he".into()];
        s.helpers = helpers.to_vec();
        s.index_arrays = s.rng.chance(30);
        s.scalars = vec!["s1".into()];
        for name in ["s2", "s3", "gs", "ms", "p%s"] {
            if s.rng.chance(55) {
                s.scalars.push(name.into());
            }
        }
        s.arrays = Vec::new();
        for (name, suffix, margin) in [
            ("a", "", 0),
            ("b", "", 0),
            ("w", "", 0),
            ("h", "", 1),
            ("q", "%s", 0),
            ("mb", "", 1),
            ("bg", "", 1),
            ("bh", "", 1),
        ] {
            if margin == 0 && name != "q" && name != "w" || s.rng.chance(45) {
                s.arrays.push(array(name, suffix, margin, true));
            }
        }
        s.square = s.rng.chance(35);
        self.s = s;
        self.locals.clear();
    }

    /// A procedure that is given a communicator, called `cma`.
    fn called_procedure(&mut self, helpers: &[Helper], number: usize) -> Procedure {
        self.enter(helpers);
        self.comms = vec!['a'];
        if self.s.rng.chance(30) {
            self.comms.push('w');
        }
        self.s.bounded_only = true;
        self.s.arrays.extend([array("d1", "", 0, true), array("d2", "", 0, false)]);
        self.s.scalars.push("d3".into());
        let depth = 1 + self.s.rng.below(2);
        let mut body = self.uniform(4, depth);
        body.push(Statement::Line(Node::leaf("d1(1) = cos(d1(1) + s1 + a(n) + d3)")));
        let name = format!("x{number}");
        self.called.push(Called { name: name.clone() });
        let dummies = [
            "integer, intent(in) :: n".to_string(),
            self.binding.typed("COMM, intent(in) :: cma"),
            "real(8), intent(inout), asynchronous :: d1(n)".into(),
            "real(8), intent(in), asynchronous :: d2(n)".into(),
            "real(8), intent(inout), asynchronous :: d3".into(),
        ];
        let locals = self.declarations("d1", false);
        Procedure {
            head: format!("subroutine {name}(n, cma, d1, d2, d3)"),
            end: format!("end subroutine {name}"),
            name,
            dummies: dummies.into(),
            locals,
            fixed: Vec::new(),
            body,
            internal: Vec::new(),
        }
    }

    fn head(&mut self, kind: HeadKind, helpers: &[Helper]) -> Procedure {
        self.enter(helpers);
        self.comms = vec!['w'];
        for c in ['d', 's', 'r', 'c'] {
            if self.s.rng.chance(18) {
                self.comms.push(c);
            }
        }
        let writable = kind == HeadKind::Both;
        self.s.arrays.extend([array("x", "", 0, writable), array("y", "", 0, true)]);
        let depth = 1 + self.s.rng.below(3);
        let mut body = self.uniform(7, depth);
        body.push(Statement::Line(Node::fixed("y = y + #", vec![self.s.array(super::scope::Extent::Full, 1)])));
        body.extend(procedure::observations(&mut self.s, &[], &body));
        body.extend(self.freed());
        let (x, y) = match kind {
            HeadKind::Plain => ("in", "out"),
            HeadKind::Update => ("in", "inout"),
            HeadKind::Both => ("inout", "inout"),
        };
        let mut locals = self.declarations("x", true);
        locals.extend([
            local("gs", "", "gs = 0.3d0*x(1)"),
            local("ga", "", "ga = [0.2d0, x(1), 0.5d0*x(n)]"),
            local("mb", "", "mb = 0.1d0\nmb(1:n) = 0.6d0*x"),
            local("ms", "", "ms = 0.4d0 + x(n)"),
        ]);
        Procedure {
            name: "f".into(),
            head: "subroutine f(n, x, y)".into(),
            end: "end subroutine f".into(),
            dummies: vec![
                "integer, intent(in) :: n".into(),
                format!("real(8), intent({x}), asynchronous :: x(n)"),
                format!("real(8), intent({y}), asynchronous :: y(n)"),
            ],
            locals,
            fixed: if kind == HeadKind::Plain { vec!["y = 0.7d0*x".to_string()] } else { Vec::new() },
            body,
            internal: Vec::new(),
        }
    }
}
