//! Random expressions. They stay in domains where every operation is smooth enough and values don't grow.

use super::scope::{Array, Extent, Scope};
use super::syntax::Node;

impl Scope {
    /// A scalar that can be assigned.
    pub fn target(&mut self) -> String {
        let writable: Vec<Array> = self.arrays.iter().filter(|a| a.writable).cloned().collect();
        let elements = if self.counters.is_empty() { 35 } else { 65 };
        if !writable.is_empty() && self.rng.chance(elements) {
            return self.element_of(&writable);
        }
        if self.square && self.rng.chance(15) {
            return format!("cc({},{})", self.index(0), self.index(0));
        }
        if !self.triples.is_empty() && self.rng.chance(12) {
            return self.triple();
        }
        self.rng.pick(&self.scalars).clone()
    }

    fn element_of(&mut self, list: &[Array]) -> String {
        let a = self.rng.pick(list).clone();
        let i = self.index(a.margin);
        format!("{}({i}){}", a.name, a.suffix)
    }

    fn triple(&mut self) -> String {
        let name = self.rng.pick(&self.triples).clone();
        let i =
            if self.rng.chance(40) { format!("mod({},3)+1", self.integer()) } else { self.rng.text(&["1", "2", "3"]) };
        format!("{name}({i})")
    }

    fn scalar_leaf(&mut self) -> Node {
        let arrays = self.arrays.clone();
        let text = match self.rng.below(20) {
            0..=8 if !arrays.is_empty() => self.element_of(&arrays),
            9 if self.square => format!("cc({},{})", self.index(0), self.index(0)),
            10 if !self.triples.is_empty() => self.triple(),
            11 if !self.constants.is_empty() => self.rng.pick(&self.constants).clone(),
            12 => self.rng.text(&["0.3d0", "1.1d0", "(-0.7d0)"]),
            13 => format!("(0.1d0*{})", self.integer()),
            _ => self.rng.pick(&self.scalars).clone(),
        };
        Node::leaf(text)
    }

    /// A scalar expression.
    pub fn scalar(&mut self, depth: usize) -> Node {
        if depth == 0 || self.rng.chance(15) {
            return self.scalar_leaf();
        }
        let d = depth - 1;
        match self.rng.below(30) {
            24 => self.reduction(d),
            25 if !self.functions.is_empty() => {
                let f = self.rng.pick(&self.functions).clone();
                let (a, b) = (self.scalar(d), self.scalar(d));
                Node::of(&format!("{f}(#, #)"), vec![a, b])
            }
            26 => self.reduction(d),
            27 => {
                let (a, b) = (self.scalar(d), self.scalar(d));
                let c = self.condition(false);
                Node { replaceable: false, ..Node::fixed("merge(#, #, #)", vec![a, b, c]) }
            }
            k => {
                let binary = k >= 9;
                let first = self.scalar(d);
                let template = self.operation(k);
                if binary {
                    let second = self.scalar(d);
                    Node::of(template, vec![first, second])
                } else {
                    Node::of(template, vec![first])
                }
            }
        }
    }

    /// An operation by number: those below 9 take one operand.
    fn operation(&mut self, k: usize) -> &'static str {
        match k {
            0 => "sin(#)",
            1 => "cos(#)",
            2 => "exp(-abs(#))",
            3 => "sqrt(1d0 + (#)**2)",
            4 => "tanh(#)",
            5 => "atan(#)",
            6 => "abs(#)",
            7 => "log(1.5d0 + (#)**2)",
            8 => "(#)**2",
            9..=11 => "(# + #)",
            12..=13 => "(# - #)",
            14..=16 => "#*#",
            17 => "#/(1d0 + (#)**2)",
            18 => "max(#, #)",
            19 => "min(#, #)",
            20 => "atan2(#, 2d0 + (#)**2)",
            21 => "sign(#, #)",
            22 => "(1.2d0 + cos(#))**(0.5d0*#)",
            23 => "hypot(1d0 + #, 1d0 + abs(#))",
            28 => "(# - 0.5d0*#)",
            _ => "(0.5d0*# + #)",
        }
    }

    fn extent(&mut self) -> Extent {
        *self.rng.pick(&[Extent::Full, Extent::Full, Extent::Full, Extent::Short, Extent::Odd])
    }

    fn reduction(&mut self, depth: usize) -> Node {
        let extent = self.extent();
        let a = self.array(extent, depth.min(1));
        match self.rng.below(8) {
            0 | 1 => Node::fixed("sum(#)", vec![a]),
            2 => {
                let b = self.array(extent, 0);
                Node::fixed("dot_product(#, #)", vec![a, b])
            }
            // An empty section has no extreme element.
            3 if extent == Extent::Full => Node::fixed("maxval(#)", vec![a]),
            4 if extent == Extent::Full => Node::fixed("minval(#)", vec![a]),
            5 => {
                let b = self.array(extent, 0);
                Node::fixed("sum(#, mask=# > 0.1d0)", vec![a, b])
            }
            6 => Node::fixed("sqrt(1d0 + sum((#)**2))", vec![a]),
            7 => Node::fixed("product(0.9d0 + 0.2d0*sin(#))", vec![a]),
            _ => Node::fixed("(sum(abs(#))/n)", vec![a]),
        }
    }

    /// A reference to a section of an array.
    pub fn section(&mut self, array: &Array, extent: Extent, target: bool) -> String {
        let (n, s) = (&array.name, &array.suffix);
        let range = match extent {
            Extent::Full if array.margin == 0 => match self.rng.below(if target { 8 } else { 10 }) {
                0 => "(n:1:-1)".to_string(),
                1 => "(1:n)".to_string(),
                2 => "(:)".to_string(),
                9 if self.index_arrays => "(idx)".to_string(),
                _ if s.is_empty() => String::new(),
                _ => "(:)".to_string(),
            },
            Extent::Full => self.rng.text(&["(1:n)", "(0:n-1)", "(2:n+1)", "(n:1:-1)"]),
            Extent::Short => self.rng.text(&["(2:n)", "(1:n-1)", "(n:2:-1)", "(:n-1)"]),
            Extent::Odd => self.rng.text(&["(1:n:2)", "(::2)", "(n-mod(n+1,2):1:-2)"]),
        };
        // With margins, open bounds would take other elements.
        let range =
            if array.margin > 0 { range.replace("(:n-1)", "(1:n-1)").replace("(::2)", "(1:n:2)") } else { range };
        format!("{n}{range}{s}")
    }

    fn array_leaf(&mut self, extent: Extent) -> Node {
        if self.rng.chance(15) {
            return self.scalar_leaf();
        }
        self.array_reference(extent)
    }

    /// A reference to an array or a section of one.
    pub fn array_reference(&mut self, extent: Extent) -> Node {
        if self.square && extent == Extent::Full && self.rng.chance(15) {
            let i = self.index(0);
            return Node::leaf(if self.rng.chance(50) { format!("cc(:,{i})") } else { format!("cc({i},:)") });
        }
        let a = self.rng.pick(&self.arrays).clone();
        Node::leaf(self.section(&a, extent, false))
    }

    /// An array expression; one operand at least is an array.
    pub fn array(&mut self, extent: Extent, depth: usize) -> Node {
        if depth == 0 || self.rng.chance(20) {
            return self.array_reference(extent);
        }
        let d = depth - 1;
        match self.rng.below(32) {
            24 if self.square && extent == Extent::Full => {
                let a = self.array(extent, d);
                let t = self.rng.text(&["matmul(cc, #)", "matmul(#, cc)", "matmul(transpose(cc), #)"]);
                Node::of(&t, vec![a])
            }
            25 if extent == Extent::Full => {
                let a = self.array(extent, d);
                let t = self.rng.text(&["cshift(#, 1)", "eoshift(#, -1)", "cshift(#, -2)"]);
                Node::of(&t, vec![a])
            }
            26 => {
                let (a, b, c) = (self.array(extent, d), self.array(extent, d), self.array(extent, 0));
                let c2 = self.scalar_leaf();
                Node::fixed("merge(#, #, # > #)", vec![a, b, c, c2])
            }
            27 if !self.elementals.is_empty() => {
                let f = self.rng.pick(&self.elementals).clone();
                let a = self.array(extent, d);
                Node::of(&format!("{f}(#)"), vec![a])
            }
            30 if self.square && extent == Extent::Full => {
                Node::leaf(self.rng.text(&["sum(cc, dim=1)", "sum(cc, dim=2)", "sum(cc*transpose(cc), 2)"]))
            }
            k => {
                let k = if (24..=27).contains(&k) { 9 } else { k };
                let a = self.array(extent, d);
                let template = self.operation(k);
                if k >= 9 {
                    let b = if d == 0 { self.array_leaf(extent) } else { self.array(extent, d) };
                    let order = self.rng.chance(50);
                    let operands = if order { vec![a, b] } else { vec![b, a] };
                    // Either may be a scalar, which can't stand for an array under a reduction.
                    Node::fixed(template, operands)
                } else {
                    Node::of(template, vec![a])
                }
            }
        }
    }

    /// A condition on active data or integers.
    pub fn condition(&mut self, array: bool) -> Node {
        let _ = array;
        match self.rng.below(12) {
            0 => Node::leaf(format!("mod({}, 2) == 0", self.integer())),
            1 => Node::leaf(format!("{} > 2", self.integer())),
            2 if !self.logicals.is_empty() => Node::leaf(self.rng.pick(&self.logicals).clone()),
            3 => {
                let (a, b) = (self.scalar_leaf(), self.scalar_leaf());
                let i = self.integer();
                Node::fixed(&format!("# > 0.2d0*# .and. {i} /= 2"), vec![a, b])
            }
            _ => {
                let (a, b) = (self.scalar(1), self.scalar_leaf());
                let op = self.rng.text(&[">", "<", ">="]);
                Node::fixed(&format!("# {op} #"), vec![a, b])
            }
        }
    }

    /// An expression that a variable may take over and over without growing.
    pub fn bounded(&mut self, target: &str) -> Node {
        let e = self.scalar(2);
        let again = !self.labels.is_empty() || self.bounded_only;
        match self.rng.below(12) {
            0 => Node::of(&format!("{target} + 0.1d0*sin(#)"), vec![e]),
            1 => Node::of(&format!("0.8d0*{target} - 0.3d0*cos(#)"), vec![e]),
            2 => Node::of(&format!("{target}*sin(#)"), vec![e]),
            3 => Node::of(&format!("sin({target} + #)"), vec![e]),
            4 => Node::of("sin(#)", vec![e]),
            5 if !again => Node::of("0.5d0*(#)", vec![e]),
            6 if !again => {
                let f = self.scalar(1);
                Node::of("#/(1d0 + (#)**2)", vec![e, f])
            }
            7 => Node::of("cos(#)", vec![e]),
            8 => Node::of("tanh(#)", vec![e]),
            _ if !again || e.operands.is_empty() => e,
            _ => Node::of("sin(#)", vec![e]),
        }
    }
}
