//! Random statements: which kind comes next, and those of one line.

use super::scope::{Array, Counter, Extent, Scope};
use super::syntax::{Node, Statement};

impl Scope {
    /// Statements, as many as chance and the budget allow.
    pub fn block(&mut self, most: usize, depth: usize) -> Vec<Statement> {
        let count = 1 + self.rng.below(most);
        let mut out = Vec::new();
        for _ in 0..count {
            if self.budget == 0 {
                break;
            }
            self.budget -= 1;
            match if self.rng.chance(8) { self.reuse() } else { Vec::new() } {
                list if list.is_empty() => out.extend(self.statement(depth)),
                list => out.extend(list),
            }
        }
        out
    }

    /// A work array that is computed, used and overwritten: its first value can be recomputed.
    fn reuse(&mut self) -> Vec<Statement> {
        let writable: Vec<Array> = self.arrays.iter().filter(|a| a.writable && a.suffix.is_empty()).cloned().collect();
        if writable.is_empty() {
            return Vec::new();
        }
        let [work, other] = [0, 1].map(|_| self.rng.pick(&writable).clone());
        let all = self.arrays.clone();
        self.arrays.retain(|a| a.name != work.name);
        if work.name == other.name || self.arrays.is_empty() {
            self.arrays = all;
            return Vec::new();
        }
        let extent = if self.rng.chance(70) { Extent::Full } else { Extent::Short };
        let (w, o) = (self.section(&work, extent, true), self.section(&other, extent, true));
        let [first, last] = [0, 1].map(|_| Node::of("sin(#)", vec![self.array(extent, 1)]));
        self.arrays = all;
        let lines = [
            Node::fixed(&format!("{w} = #"), vec![first]),
            Node::leaf(format!("{o} = 0.3d0*{o} + cos({w})*{w}")),
            Node::fixed(&format!("{w} = #"), vec![last]),
        ];
        lines.map(Statement::Line).into()
    }

    fn statement(&mut self, depth: usize) -> Vec<Statement> {
        if self.rng.chance(self.special) {
            let list = self.special(depth);
            if !list.is_empty() {
                return list;
            }
        }
        if depth == 0 {
            return vec![self.simple()];
        }
        vec![match self.rng.below(100) {
            0..=23 => self.counted(depth - 1),
            24..=29 => self.repeated(depth - 1),
            30..=43 => self.branch(depth - 1),
            44..=47 => self.select(depth - 1),
            48..=50 => self.scoped(depth - 1),
            51..=54 => self.masked(),
            55..=58 if !self.labels.is_empty() => self.jump(),
            _ => self.simple(),
        }]
    }

    fn simple(&mut self) -> Statement {
        match self.rng.below(100) {
            0..=19 => self.array_assignment(),
            20..=31 if self.calls && !self.helpers.is_empty() => self.call(),
            32..=36 if !self.positions.is_empty() => self.integers(),
            37 if !self.structures.is_empty() => {
                let (a, b) = (self.rng.pick(&self.structures).clone(), self.rng.pick(&self.structures).clone());
                if a == b { self.assignment() } else { Statement::Line(Node::leaf(format!("{a} = {b}"))) }
            }
            38 if !self.structures.is_empty() => {
                let a = self.rng.pick(&self.structures).clone();
                let (e, f) = (self.scalar(1), self.scalar(1));
                Statement::Line(Node::fixed(&format!("{a} = t(#, [0.1d0, #, 0.2d0])"), vec![e, f]))
            }
            39 if !self.logicals.is_empty() => {
                let l = self.rng.pick(&self.logicals).clone();
                let (a, b) = (self.scalar(1), self.scalar(0));
                Statement::Line(Node::fixed(&format!("{l} = # > #"), vec![a, b]))
            }
            40 => {
                let e = self.scalar(1);
                Statement::Line(Node::fixed("if (n < 0) print *, #", vec![e]))
            }
            41 if self.free.iter().any(|v| v == "l") => {
                let a: Vec<Array> = self.arrays.iter().filter(|a| a.writable && a.suffix.is_empty()).cloned().collect();
                self.counters.push(Counter { var: "l".into(), low: 0, high: 0 });
                let e = self.scalar(1);
                self.counters.pop();
                match a.first() {
                    Some(a) => Statement::Line(Node::fixed(&format!("{}(1:n) = [(#, l = 1, n)]", a.name), vec![e])),
                    None => self.assignment(),
                }
            }
            42 if self.free.iter().any(|v| v == "l") => {
                let a: Vec<Array> = self.arrays.iter().filter(|a| a.writable && a.suffix.is_empty()).cloned().collect();
                self.counters.push(Counter { var: "l".into(), low: 0, high: 0 });
                let functions = std::mem::take(&mut self.functions);
                let e = self.scalar(1);
                self.functions = functions;
                self.counters.pop();
                match a.first() {
                    Some(a) => Statement::Line(Node::fixed(&format!("forall (l = 1:n) {}(l) = #", a.name), vec![e])),
                    None => self.assignment(),
                }
            }
            _ => self.assignment(),
        }
    }

    /// An assignment of a scalar.
    pub fn assignment(&mut self) -> Statement {
        let t = self.target();
        let e = self.bounded(&t);
        Statement::Line(Node::fixed(&format!("{t} = #"), vec![e]))
    }

    fn array_assignment(&mut self) -> Statement {
        let writable: Vec<Array> = self.arrays.iter().filter(|a| a.writable).cloned().collect();
        if writable.is_empty() {
            return self.assignment();
        }
        let extent = *self.rng.pick(&[Extent::Full, Extent::Full, Extent::Short, Extent::Odd]);
        let a = self.rng.pick(&writable).clone();
        let t = if self.square && extent == Extent::Full && self.rng.chance(15) {
            let i = self.index(0);
            if self.rng.chance(50) { format!("cc(:,{i})") } else { format!("cc({i},:)") }
        } else {
            self.section(&a, extent, true)
        };
        let e = self.array(extent, 2);
        // What may run many times mustn't grow: there, a value that is more than copied is bounded.
        let again = !self.labels.is_empty() || self.bounded_only;
        let template = match self.rng.below(6) {
            0 => "sin(#)".to_string(),
            1 => "tanh(#)".to_string(),
            2 => format!("0.8d0*{t} - 0.3d0*sin(#)"),
            3 if !again => "0.5d0*(#)".to_string(),
            _ if !again || e.operands.is_empty() => "#".to_string(),
            _ => "cos(#)".to_string(),
        };
        let e = Node { replaceable: true, ..Node::of(&template, vec![e]) };
        Statement::Line(Node::fixed(&format!("{t} = #"), vec![e]))
    }

    fn integers(&mut self) -> Statement {
        let p = self.rng.pick(&self.positions).clone();
        let k = self.integer();
        let text = match self.rng.below(4) {
            0 if self.index_arrays => {
                let i = self.index(0);
                format!("idx({i}) = mod(idx({i}) + {k}, n) + 1")
            }
            1 => format!("{p} = n + 1 - {p}"),
            _ => format!("{p} = mod({p} + {k}, n) + 1"),
        };
        Statement::Line(Node::leaf(text))
    }

    fn jump(&mut self) -> Statement {
        let label = self.rng.pick(&self.labels).clone();
        let word = self.rng.text(&["exit", "cycle"]);
        let c = self.condition(false);
        Statement::Line(Node::fixed(&format!("if (#) {word} {label}"), vec![c]))
    }
}
