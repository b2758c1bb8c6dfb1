//! Blocks that all processes run, and statements between messages.

use super::Talk;
use super::buffers::Held;
use crate::random::syntax::{Node, Part, Statement};

impl Talk {
    /// Statements that all processes run in the same order.
    pub(super) fn uniform(&mut self, most: usize, depth: usize) -> Vec<Statement> {
        let count = 1 + self.s.rng.below(most);
        let mut out = Vec::new();
        for _ in 0..count {
            if self.s.budget == 0 {
                break;
            }
            self.s.budget -= 1;
            match self.s.rng.below(100) {
                0..=54 => {
                    for _ in 0..3 {
                        if let Some(list) = self.message(depth) {
                            out.extend(list);
                            break;
                        }
                    }
                }
                55..=66 if depth > 0 => out.extend(self.repeated_alike(depth - 1)),
                67..=72 if depth > 0 => out.extend(self.branch_alike(depth - 1)),
                73..=80 if !self.called.is_empty() => out.extend(self.call_alike()),
                _ => out.extend(self.serial(depth)),
            }
        }
        out
    }

    /// Statements of one process.
    pub(super) fn serial(&mut self, depth: usize) -> Vec<Statement> {
        let labels = std::mem::take(&mut self.s.labels);
        let again = self.s.bounded_only;
        self.s.bounded_only |= !labels.is_empty();
        let out = self.s.block(2, depth.min(2));
        self.s.labels = labels;
        self.s.bounded_only = again;
        out
    }

    /// Statements while messages are on their way.
    pub(super) fn meanwhile(&mut self, held: &Held, depth: usize) -> Vec<Statement> {
        self.during(held, |t| if depth > 0 && t.s.rng.chance(35) { t.uniform(2, depth - 1) } else { t.serial(depth) })
    }

    /// A loop that all processes run equally often.
    fn repeated_alike(&mut self, depth: usize) -> Vec<Statement> {
        if self.s.rng.chance(30) {
            return vec![self.repeated_openly(depth)];
        }
        let Some(var) = self.s.free.pop() else { return Vec::new() };
        let range = self.s.rng.text(&["1, n", "1, 3", "2, n", "n, 1, -1", "1, 2", "1, n, 2"]);
        let margins = match range.as_str() {
            "1, n" | "n, 1, -1" | "1, n, 2" => Some((0, 0)),
            "2, n" => Some((1, 0)),
            _ => None,
        };
        if let Some((low, high)) = margins {
            self.s.counters.push(crate::random::scope::Counter { var: var.clone(), low, high });
        }
        let again = std::mem::replace(&mut self.s.bounded_only, true);
        let body = self.uniform(3, depth);
        self.s.bounded_only = again;
        if margins.is_some() {
            self.s.counters.pop();
        }
        self.s.free.push(var.clone());
        let parts = vec![Part { head: Node::leaf(format!("do {var} = {range}")), fixed: Vec::new(), body }];
        vec![Statement::Construct { before: Vec::new(), parts, end: "end do".into(), open: true }]
    }

    /// The same for a loop of which nobody knows how often it runs: until all processes agree, at most four times.
    fn repeated_openly(&mut self, depth: usize) -> Statement {
        let number = self.s.fresh();
        let (count, most) = (format!("lc{number}"), format!("lm{number}"));
        self.own(&count, &format!("integer :: {count}"));
        self.own(&most, &format!("real(8) :: {most}"));
        let again = std::mem::replace(&mut self.s.bounded_only, true);
        let body = self.uniform(3, depth);
        self.s.bounded_only = again;
        let e = self.s.scalar(1).print();
        let until = self.s.rng.text(&["0.2d0", "0.9d0", "-1d0"]);
        let first = self.s.rng.text(&["1d0", "1d0", "-2d0"]);
        let agreed = vec![
            format!("{count} = {count} + 1"),
            format!("{most} = {e}"),
            format!("call mpi_allreduce(mpi_in_place, {most}, 1, mpi_double_precision, mpi_max, mpi_comm_world, ierr)"),
        ];
        let head = format!("{count} = 0\n{most} = {first}\ndo while ({most} > {until} .and. {count} < 4)");
        let parts = vec![Part { head: Node::leaf(head), fixed: agreed, body }];
        Statement::Construct { before: Vec::new(), parts, end: "end do".into(), open: true }
    }

    /// A branch that all processes take alike.
    fn branch_alike(&mut self, depth: usize) -> Vec<Statement> {
        let counter = self.s.free.first().map_or(0, |_| self.s.counters.len());
        let mut before = Vec::new();
        let condition = match self.s.rng.below(4) {
            0 if counter > 0 => format!("mod({}, 2) == 0", self.s.counters[counter - 1].var),
            1 => "npw > 2".to_string(),
            2 => {
                let name = format!("mx{}", self.s.fresh());
                self.own(&name, &format!("real(8) :: {name}"));
                let e = self.s.scalar(1).print();
                let op = self.s.rng.text(&["mpi_max", "mpi_sum"]);
                before = vec![
                    format!("{name} = {e}"),
                    format!(
                        "call mpi_allreduce(mpi_in_place, {name}, 1, mpi_double_precision, {op}, mpi_comm_world, ierr)"
                    ),
                ];
                format!("{name} > 0.4d0")
            }
            _ => "n > 2".to_string(),
        };
        let mut parts = vec![(
            before.into_iter().chain([format!("if ({condition}) then")]).collect::<Vec<_>>().join("\n"),
            self.uniform(2, depth),
        )];
        if self.s.rng.chance(50) {
            parts.push(("else".into(), self.uniform(2, depth)));
        }
        vec![Statement::together(parts, "end if".into())]
    }

    /// A call of a procedure that passes messages.
    fn call_alike(&mut self) -> Option<Statement> {
        let x = self.s.rng.pick(&self.called.clone()).clone();
        let global = |n: &String| ["gs", "ga", "mb", "ms"].contains(&n.as_str());
        let names: Vec<String> = self.s.full_names().into_iter().filter(|n| !global(n)).collect();
        let scalars: Vec<String> = self.s.scalars.iter().filter(|n| !global(n)).cloned().collect();
        let comms = self.comms.clone();
        let c = *self.s.rng.pick(&comms);
        let comm = self.comm(c);
        if names.len() < 2 || scalars.is_empty() {
            return None;
        }
        let first = self.s.rng.pick(&names).clone();
        let rest: Vec<String> = names.into_iter().filter(|n| *n != first).collect();
        let second = self.s.rng.pick(&rest).clone();
        let second = if self.s.rng.chance(30) { format!("0.5d0*{second}") } else { second };
        let third = self.s.rng.pick(&scalars).clone();
        Some(Statement::Line(Node::leaf(format!("call {}(n, {comm}, {first}, {second}, {third})", x.name))))
    }
}
