//! Random kernels: loops over arrays with offsets, elements that stay the same in a loop, sums and products of the same
//! operands, increments from several loops, bounds that depend on outer loops, loops without an iteration. They are
//! meant for the passes that arrange loops, and each is run with a random set of them.

use costate_adjoint::optimise::{Pass, PassSet};

use super::Rng;
use super::program::{HeadKind, RandomProgram};
use super::syntax::{Node, Part, Procedure, Statement, local};

/// Headers of loops over elements that every array has, by how far their ends stay from those of `1:n`.
const LOOPS: &[(&str, i32, i32)] = &[
    ("do @ = 1, n", 0, 0),
    ("do @ = 1, n", 0, 0),
    ("do @ = 1, n", 0, 0),
    ("do @ = n, 1, -1", 0, 0),
    ("do @ = 2, n", 1, 0),
    ("do @ = 1, n - 1", 0, 1),
    ("do @ = 2, n - 1", 1, 1),
    ("do @ = n - 1, 1, -1", 0, 1),
    ("do @ = n, 2, -1", 1, 0),
    ("do @ = 1, n, 2", 0, 0),
    ("do @ = n, 1, -2", 0, 0),
    ("do @ = 1, m1", 0, 0),
    ("do @ = m1, n", 0, 0),
    ("do @ = m1 + 1, n", 0, 0),
    ("do @ = 2, 1", 0, 0),
    ("do @ = 3, n", 2, 0),
    ("do @ = 1, n - 2", 0, 2),
];

struct Kernel {
    rng: Rng,
    /// The variables of the loops around, outermost first, with how far they stay from both ends.
    loops: Vec<(&'static str, i32, i32)>,
    /// x is written.
    writes_x: bool,
    budget: usize,
}

/// The kernel of a seed, with the passes that it is run with.
pub fn program(seed: u64) -> RandomProgram {
    let mut rng = Rng::new(seed ^ 0x5eed_0000_0000);
    let kind = *rng.pick(&[HeadKind::Plain, HeadKind::Plain, HeadKind::Update, HeadKind::Both]);
    let passes = passes(&mut rng);
    let budget = 3 + rng.below(10);
    let mut k = Kernel { rng, loops: Vec::new(), writes_x: kind == HeadKind::Both, budget };
    let mut body = Vec::new();
    while k.budget > 0 {
        let s = k.outermost();
        body.push(s);
    }
    let e = k.sum(2);
    body.push(Statement::Line(Node::fixed("y = y + #", vec![e])));
    let (x, y) = match kind {
        HeadKind::Plain => ("in", "out"),
        HeadKind::Update => ("in", "inout"),
        HeadKind::Both => ("inout", "inout"),
    };
    let fixed = if kind == HeadKind::Plain { vec!["y = 0.7d0*x".to_string()] } else { Vec::new() };
    let head = Procedure {
        name: "f".into(),
        head: "subroutine f(n, x, y)".into(),
        end: "end subroutine f".into(),
        dummies: vec![
            "integer, intent(in) :: n".into(),
            format!("real(8), intent({x}) :: x(n)"),
            format!("real(8), intent({y}) :: y(n)"),
        ],
        locals: locals(),
        fixed,
        body,
        internal: Vec::new(),
    };
    RandomProgram { seed, kind, module: Vec::new(), procedures: vec![head], passes, refused: Vec::new() }
}

/// All passes, all but one, or any.
pub fn passes(rng: &mut Rng) -> PassSet {
    match rng.below(4) {
        0 | 1 => PassSet::ALL,
        2 => PassSet::ALL.without(*rng.pick(&Pass::ALL)),
        _ => Pass::ALL.into_iter().filter(|_| rng.chance(50)).fold(PassSet::NONE, PassSet::with),
    }
}

fn locals() -> Vec<(String, String, String)> {
    vec![
        local("i", "integer :: i", ""),
        local("k", "integer :: k", ""),
        local("l", "integer :: l", ""),
        local("i0", "integer :: i0", ""),
        local("m1", "integer :: m1", "m1 = (n + 1)/2"),
        local("idx", "integer :: idx(n)", "do i0 = 1, n\n  idx(i0) = mod(3*i0, n) + 1\nend do"),
        local("s", "real(8) :: s", "s = 0.5d0*x(1)"),
        local("t", "real(8) :: t", "t = 0.9d0"),
        local("r", "real(8) :: r", "r = x(n)"),
        local("p", "real(8) :: p(3)", "p = [0.2d0, x(1), 0.5d0*x(n)]"),
        local("a", "real(8) :: a(-1:n+2)", "a = 0.3d0\na(1:n) = x"),
        local("b", "real(8) :: b(-1:n+2)", "b = 0.4d0*x(1)"),
        local("w", "real(8), allocatable :: w(:)", "allocate(w(-1:n+2))\nw = 0.1d0\nw(1:n) = 0.5d0*x"),
        local("c", "real(8) :: c(-1:n+2,n)", "do i0 = 1, n\n  c(:,i0) = 0.2d0*x(i0)\n  c(i0,i0) = 0.4d0\nend do"),
    ]
}

impl Kernel {
    fn outermost(&mut self) -> Statement {
        self.budget = self.budget.saturating_sub(1);
        match self.rng.below(10) {
            0..=5 => self.counted(),
            6 => {
                let t = self.rng.text(&["s", "t", "r"]);
                let [a, b] = [0, 1].map(|_| self.section());
                let e = match self.rng.below(3) {
                    0 => Node::of("0.2d0*sum(#)", vec![a]),
                    1 => Node::of("0.2d0*dot_product(#, #)", vec![a, b]),
                    _ => Node::of("#*sum(#)", vec![self.scalar(), a]),
                };
                Statement::Line(Node::fixed(&format!("{t} = #"), vec![e]))
            }
            7 => {
                let t = self.rng.text(&["a(1:n)", "b(1:n)", "w(1:n)", "c(1:n,1)", "c(1,:)", "y"]);
                let (u, v) = (self.scalar(), self.section());
                let e = match self.rng.below(4) {
                    0 => Node::of("#*# + sum(#)*0.1d0", vec![u, v, self.section()]),
                    1 => Node::of("0.3d0*matmul(c(1:n,:), #)", vec![v]),
                    2 => v,
                    _ => Node::of("#*# + #", vec![u, v, self.scalar()]),
                };
                Statement::Line(Node::fixed(&format!("{t} = #"), vec![e]))
            }
            _ => self.assignment(),
        }
    }

    fn counted(&mut self) -> Statement {
        let free: Vec<&'static str> =
            ["l", "k", "i"].into_iter().filter(|v| !self.loops.iter().any(|l| l.0 == *v)).collect();
        let Some(var) = free.last().copied() else { return self.assignment() };
        let (text, mut low, mut high) = *self.rng.pick(LOOPS);
        let mut text = text.to_string();
        if let Some((outer, ..)) = self.loops.last().filter(|_| self.rng.chance(25)) {
            text = self.rng.text(&["do @ = 1, %", "do @ = %, n", "do @ = % + 1, n", "do @ = %, 1, -1"]);
            text = text.replace('%', outer);
            (low, high) = (0, 0);
        }
        self.loops.push((var, low, high));
        let mut body = Vec::new();
        for _ in 0..1 + self.rng.below(4) {
            let s = match self.rng.below(12) {
                0 | 1 if self.budget > 0 && self.loops.len() < 3 => {
                    self.budget -= 1;
                    self.counted()
                }
                2 => {
                    let (c, s) = (self.reference(), self.assignment());
                    let head = Node::fixed("if (# > 0.1d0) then", vec![c]);
                    let mut parts = vec![Part { head, fixed: Vec::new(), body: vec![s] }];
                    if self.rng.chance(40) {
                        let s = self.assignment();
                        parts.push(Part { head: Node::leaf("else"), fixed: Vec::new(), body: vec![s] });
                    }
                    Statement::Construct { before: Vec::new(), parts, end: "end if".into(), open: true }
                }
                _ => self.assignment(),
            };
            body.push(s);
        }
        self.loops.pop();
        let head = Node::leaf(text.replace('@', var));
        let parts = vec![Part { head, fixed: Vec::new(), body }];
        Statement::Construct { before: Vec::new(), parts, end: "end do".into(), open: false }
    }

    /// A scalar, or an element that every array has.
    fn scalar(&mut self) -> Node {
        let all = ["s", "t", "r", "p(1)", "p(2)", "p(3)", "a(1)", "a(n)", "b(1)", "w(0)", "x(1)", "c(1,1)", "0.7d0"];
        Node::leaf(self.rng.text(&all))
    }

    fn section(&mut self) -> Node {
        let all = ["a(1:n)", "b(1:n)", "w(1:n)", "x", "a(0:n-1)", "a(2:n+1)", "c(1:n,1)", "c(1,:)", "a(n:1:-1)"];
        Node::leaf(self.rng.text(&all))
    }

    /// An element of an array of one dimension with margins, or of x or y.
    fn index(&mut self, margin: i32) -> String {
        let Some((var, low, high)) = (!self.loops.is_empty()).then(|| *self.rng.pick(&self.loops.clone())) else {
            return self.rng.text(&["1", "n", "m1"]);
        };
        let by = |d: i32| match d {
            0 => var.to_string(),
            d if d > 0 => format!("{var}+{d}"),
            d => format!("{var}{d}"),
        };
        match self.rng.below(12) {
            0..=4 => by(0),
            5 => by(-(low + margin).min(1)),
            6 => by((high + margin).min(1)),
            7 => by(-(low + margin).min(2)),
            8 => format!("n+1-{var}"),
            9 => format!("idx({var})"),
            _ => self.rng.text(&["1", "n", "m1"]),
        }
    }

    fn element(&mut self, arrays: &[&str]) -> String {
        let array = self.rng.text(arrays);
        match array.as_str() {
            "c" => {
                let (i, k) = (self.index(1), self.index(0));
                format!("c({i},{k})")
            }
            "x" | "y" => {
                let i = self.index(0);
                format!("{array}({i})")
            }
            "p" => format!("p({})", 1 + self.rng.below(3)),
            _ => {
                let i = self.index(1);
                format!("{array}({i})")
            }
        }
    }

    fn reference(&mut self) -> Node {
        if self.rng.chance(30) {
            return self.scalar();
        }
        let e = self.element(&["a", "a", "b", "w", "x", "x", "y", "p", "c"]);
        Node::leaf(e)
    }

    /// A sum of products of references.
    fn sum(&mut self, terms: usize) -> Node {
        let mut out = self.term();
        for _ in 0..self.rng.below(terms) {
            let t = self.term();
            let op = self.rng.text(&["# + #", "# + #", "# - #"]);
            out = Node::of(&op, vec![out, t]);
        }
        out
    }

    fn term(&mut self) -> Node {
        let (a, b) = (self.reference(), self.reference());
        match self.rng.below(9) {
            0..=2 => Node::of("#*#", vec![a, b]),
            3 => Node::of("0.6d0*#", vec![a]),
            4 => Node::of("sin(#)*#", vec![a, b]),
            5 => Node::of("#/(2d0 + #**2)", vec![a, b]),
            6 => Node::of("sin(#) + cos(#)", vec![a.clone(), a]),
            _ => a,
        }
    }

    fn assignment(&mut self) -> Statement {
        let mut arrays = vec!["a", "a", "b", "b", "w", "y", "p", "c"];
        arrays.extend(self.writes_x.then_some("x"));
        let t = if self.rng.chance(35) { self.rng.text(&["s", "s", "t", "r"]) } else { self.element(&arrays) };
        let e = self.sum(3);
        let template = match self.rng.below(8) {
            // Increments, and values that don't grow.
            0..=2 => format!("{t} = {t} + 0.3d0*(#)"),
            3 => format!("{t} = {t} - 0.2d0*sin(#)"),
            4 => format!("{t} = 0d0*{t} + sin(#)"),
            5 => format!("{t} = 0.5d0*{t} + 0.2d0*(#)"),
            _ => format!("{t} = 0.4d0*(#)"),
        };
        Statement::Line(Node::fixed(&template, vec![Node { replaceable: true, ..e }]))
    }
}
