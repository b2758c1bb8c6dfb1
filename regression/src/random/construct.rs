//! Random constructs.

use super::scope::{Array, Counter, Extent, Scope};
use super::syntax::{Node, Part, Statement};

/// A condition that stops a loop for good, at the latest after three times.
const TRIPS: usize = 3;

impl Scope {
    /// A loop with a counter.
    pub fn counted(&mut self, depth: usize) -> Statement {
        let Some(var) = self.free.pop() else { return self.assignment() };
        let outer: Vec<Counter> = self.counters.clone();
        let (range, low, high) = match self.rng.below(14) {
            0..=2 => ("1, n".to_string(), 0, 0),
            3 => ("2, n".to_string(), 1, 0),
            4 => ("1, n-1".to_string(), 0, 1),
            5 => ("2, n-1".to_string(), 1, 1),
            6 => ("n, 1, -1".to_string(), 0, 0),
            7 => ("n-1, 2, -1".to_string(), 1, 1),
            8 => ("1, n, 2".to_string(), 0, 0),
            9 => ("n, 2, -2".to_string(), 1, 0),
            10 if !self.positions.is_empty() => (format!("1, {}", self.rng.pick(&self.positions)), 0, 0),
            11 if !outer.is_empty() => (format!("{}, n", self.rng.pick(&outer).var), 0, 0),
            12 if !outer.is_empty() => (format!("1, {}", self.rng.pick(&outer).var), 0, 0),
            13 if !outer.is_empty() => (format!("{}-1, 1, -1", self.rng.pick(&outer).var), 0, 1),
            _ => ("1, n".to_string(), 0, 0),
        };
        let label = format!("loop{}", self.fresh());
        self.counters.push(Counter { var: var.clone(), low, high });
        self.labels.push(label.clone());
        let body = self.block(3, depth);
        self.labels.pop();
        self.counters.pop();
        self.free.push(var.clone());
        let head = Node::leaf(format!("{label}: do {var} = {range}"));
        let parts = vec![Part { head, fixed: Vec::new(), body }];
        Statement::Construct { before: Vec::new(), parts, end: format!("end do {label}"), open: false }
    }

    /// A loop with a condition.
    pub fn repeated(&mut self, depth: usize) -> Statement {
        let Some(var) = self.trips.pop() else { return self.assignment() };
        let label = format!("loop{}", self.fresh());
        let before = vec![format!("{var} = 0")];
        let mut fixed = vec![format!("{var} = {var} + 1")];
        let c = self.condition(false);
        let head = if self.rng.chance(60) {
            Node::fixed(&format!("{label}: do while ({var} < {TRIPS} .and. (#))"), vec![c])
        } else {
            fixed.push(format!("if ({var} >= {TRIPS}) exit"));
            Node::leaf(format!("{label}: do"))
        };
        self.labels.push(label.clone());
        let body = self.block(3, depth);
        self.labels.pop();
        self.trips.push(var);
        Statement::Construct {
            before,
            parts: vec![Part { head, fixed, body }],
            end: format!("end do {label}"),
            open: false,
        }
    }

    /// An `if` construct.
    pub fn branch(&mut self, depth: usize) -> Statement {
        let c = self.condition(false);
        let mut parts =
            vec![Part { head: Node::fixed("if (#) then", vec![c]), fixed: Vec::new(), body: self.block(2, depth) }];
        if self.rng.chance(25) {
            let c = self.condition(false);
            let head = Node::fixed("else if (#) then", vec![c]);
            parts.push(Part { head, fixed: Vec::new(), body: self.block(2, depth) });
        }
        if self.rng.chance(60) {
            parts.push(Part { head: Node::leaf("else"), fixed: Vec::new(), body: self.block(2, depth) });
        }
        Statement::Construct { before: Vec::new(), parts, end: "end if".to_string(), open: true }
    }

    /// A `select case` construct.
    pub fn select(&mut self, depth: usize) -> Statement {
        let i = self.integer();
        let mut parts =
            vec![Part { head: Node::leaf(format!("select case (mod({i}, 4))")), fixed: Vec::new(), body: Vec::new() }];
        let cases: &[&str] = match self.rng.below(4) {
            0 | 1 => &["case (0)", "case (1:2)", "case default"],
            2 => &["case (:0)", "case (3:)"],
            _ => &["case (1, 3:)", "case default", "case (:-1, 2)"],
        };
        for head in cases {
            parts.push(Part { head: Node::leaf(*head), fixed: Vec::new(), body: self.block(2, depth) });
        }
        Statement::Construct { before: Vec::new(), parts, end: "end select".to_string(), open: true }
    }

    /// A `block` or `associate` construct.
    pub fn scoped(&mut self, depth: usize) -> Statement {
        let number = self.fresh();
        let name = format!("t{number}");
        let calls = self.calls;
        let (head, fixed, end) = if self.rng.chance(50) {
            let value = self.scalar(1).print();
            let fixed = vec![format!("real(8) :: {name}"), format!("{name} = {value}")];
            ("block".to_string(), fixed, "end block")
        } else {
            let target = self.target();
            // The associate name is another name of its target: passing both would be aliasing.
            self.calls = false;
            (format!("associate ({name} => {target})"), Vec::new(), "end associate")
        };
        self.scalars.push(name);
        // Jumps out of the construct are left to other constructs.
        let labels = std::mem::take(&mut self.labels);
        let body = self.block(3, depth);
        self.labels = labels;
        self.scalars.pop();
        self.calls = calls;
        let parts = vec![Part { head: Node::leaf(head), fixed, body }];
        Statement::Construct { before: Vec::new(), parts, end: end.to_string(), open: false }
    }

    /// A `where` construct.
    pub fn masked(&mut self) -> Statement {
        let writable: Vec<Array> = self.arrays.iter().filter(|a| a.writable).cloned().collect();
        if writable.is_empty() {
            return self.assignment();
        }
        let extent = *self.rng.pick(&[Extent::Full, Extent::Full, Extent::Short]);
        let assign = |s: &mut Scope| {
            let a = s.rng.pick(&writable).clone();
            let t = s.section(&a, extent, true);
            let e = s.array(extent, 1);
            Statement::Line(Node::fixed(&format!("{t} = sin(#)"), vec![e]))
        };
        let (m, limit) = (self.array_reference(extent), self.scalar(0));
        let first = assign(self);
        let mut parts =
            vec![Part { head: Node::fixed("where (# > #)", vec![m, limit]), fixed: Vec::new(), body: vec![first] }];
        if self.rng.chance(60) {
            let second = assign(self);
            parts.push(Part { head: Node::leaf("elsewhere"), fixed: Vec::new(), body: vec![second] });
        }
        Statement::Construct { before: Vec::new(), parts, end: "end where".to_string(), open: true }
    }
}
