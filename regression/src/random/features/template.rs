//! Statements from templates: text with gaps for random expressions.
//!
//! Gaps: `{e}` an expression, `{l}` a short one, `{a}` and `{b}` the same for arrays of n elements, `{c}` a condition,
//! `{k}` an integer expression, `{i}` an index from 1 to n, `{p}` an integer variable between 1 and n, `{t}` and `{v}`
//! scalar variables that have nothing to do with each other, `{w}` one that isn't `s1`, `{A}` and `{B}` arrays, `{u}` a
//! number for names, `{S}` a function that keeps values from growing where statements run again, or nothing,
//! `{m}` a free loop variable, `{d}` statements of any kind on a line of their own, `{D}` the same
//! without jumps out of them, `{y|z}` one of several texts. A line that begins with `=` isn't taken away when a program
//! is made smaller.

use super::Feature;
use crate::random::scope::{Counter, Extent, Scope, root};
use crate::random::syntax::{Node, Part, Procedure, Statement};

/// What gaps of one template were filled with: the same gap has the same filling.
#[derive(Default)]
struct Filled {
    known: Vec<(char, String)>,
    calls: bool,
}

/// A line of a template.
enum Line {
    Plain(Node),
    Kept(String),
    Statements(Vec<Statement>),
}

impl Line {
    fn text(&self) -> String {
        match self {
            Line::Plain(n) => n.print(),
            Line::Kept(t) => t.clone(),
            Line::Statements(_) => String::new(),
        }
    }
}

impl Scope {
    /// Statements of a construct from a template.
    pub fn fill(&mut self, feature: &'static Feature, template: &str, depth: usize) -> Vec<Statement> {
        let again = !self.labels.is_empty() || self.bounded_only;
        // A schedule saves the state between steps, which loops around it would have to save again: it is refused there.
        if again && template.contains("!$ad checkpoint") {
            return Vec::new();
        }
        let text = self.chosen(template);
        let mut filled = Filled { known: Vec::new(), calls: text.contains("call ") };
        let looped = text.contains("{m}");
        let Some(var) = (if looped { self.free.pop() } else { Some(String::new()) }) else { return Vec::new() };
        filled.known.push(('m', var.clone()));
        let mut lines = Vec::new();
        let mut open: Vec<Option<String>> = Vec::new();
        let mut complete = true;
        for line in text.lines() {
            if line.starts_with("end do") {
                match open.pop().flatten() {
                    Some(label) => {
                        self.labels.pop();
                        self.counters.retain(|c| c.var != var);
                        lines.push(Line::Plain(Node::leaf(format!("end do {label}"))));
                    }
                    None => lines.push(Line::Plain(Node::leaf(line))),
                }
                continue;
            }
            let Some(made) = self.line(feature, line, &mut filled, depth) else {
                complete = false;
                break;
            };
            lines.push(made);
            if line.starts_with("do ") {
                open.push(self.entered(line, &var, &mut lines));
            }
        }
        for label in open.into_iter().flatten() {
            self.labels.retain(|l| *l != label);
            self.counters.retain(|c| c.var != var);
        }
        if looped {
            self.free.push(var);
        }
        if complete { statements(&mut lines.into_iter().peekable()) } else { Vec::new() }
    }

    /// A loop over the free variable gets a label, and its variable may be used as an index where its range is known.
    fn entered(&mut self, line: &str, var: &str, lines: &mut [Line]) -> Option<String> {
        let range = line.strip_prefix("do {m} = ")?;
        let label = format!("loop{}", self.fresh());
        if let Some(Line::Plain(node)) = lines.last_mut() {
            node.text[0] = format!("{label}: {}", node.text[0]);
        }
        let margins = match range {
            "1, n" | "n, 1, -1" | "1, n, 2" | "1, {p}" | "{p}, n" => Some((0, 0)),
            "2, n" => Some((1, 0)),
            "1, n-1" => Some((0, 1)),
            _ => None,
        };
        if let Some((low, high)) = margins {
            self.counters.push(Counter { var: var.to_string(), low, high });
        }
        self.labels.push(label.clone());
        Some(label)
    }

    /// A template with each choice made.
    fn chosen(&mut self, text: &str) -> String {
        let mut out = text.to_string();
        let mut from = 0;
        while let Some(start) = out[from..].find('{').map(|k| k + from) {
            let mut depth = 0;
            let mut bars = Vec::new();
            let mut end = start;
            for (k, c) in out[start..].char_indices() {
                match c {
                    '{' => depth += 1,
                    '}' => depth -= 1,
                    '|' if depth == 1 => bars.push(start + k),
                    _ => {}
                }
                end = start + k;
                if depth == 0 {
                    break;
                }
            }
            if bars.is_empty() {
                from = end;
                continue;
            }
            let starts = std::iter::once(start).chain(bars.iter().copied());
            let ends = bars.iter().copied().chain(std::iter::once(end));
            let options: Vec<String> = starts.zip(ends).map(|(a, b)| out[a + 1..b].to_string()).collect();
            let one = self.rng.pick(&options).clone();
            out.replace_range(start..=end, &one);
            from = start;
        }
        out
    }

    fn line(&mut self, feature: &Feature, line: &str, filled: &mut Filled, depth: usize) -> Option<Line> {
        if line == "{d}" || line == "{D}" {
            let jumps = line == "{d}";
            return Some(Line::Statements(self.inner(jumps, depth)));
        }
        let (kept, line) = line.strip_prefix('=').map_or((false, line), |l| (true, l));
        let (mut text, mut operands, mut rest) = (String::new(), Vec::new(), line);
        while let Some((before, after)) = rest.split_once('{') {
            let (gap, after) = after.split_once('}')?;
            text.push_str(before);
            rest = after;
            match self.gap(feature, gap.chars().next()?, filled)? {
                Gap::Text(t) => text.push_str(&t),
                Gap::Operand(n) => {
                    text.push('#');
                    operands.push(n);
                }
            }
        }
        text.push_str(rest);
        let node = Node::fixed(&text, operands);
        Some(if kept { Line::Kept(node.print()) } else { Line::Plain(node) })
    }

    /// Statements inside a construct.
    fn inner(&mut self, jumps: bool, depth: usize) -> Vec<Statement> {
        let again = self.bounded_only;
        let labels = self.labels.clone();
        if !jumps {
            self.bounded_only |= !labels.is_empty();
            self.labels.clear();
        }
        let out = if depth > 0 { self.block(3, depth - 1) } else { vec![self.assignment()] };
        self.bounded_only = again;
        self.labels = labels;
        out
    }

    fn gap(&mut self, feature: &Feature, gap: char, filled: &mut Filled) -> Option<Gap> {
        match gap {
            'e' => return Some(Gap::Operand(self.scalar(1))),
            'l' => return Some(Gap::Operand(self.scalar(0))),
            'a' => return Some(Gap::Operand(self.array(Extent::Full, 1))),
            'b' => return Some(Gap::Operand(self.array_reference(Extent::Full))),
            'c' => return Some(Gap::Operand(self.condition(false))),
            'S' => return Some(Gap::Text(self.bound())),
            _ => {}
        }
        if let Some((_, text)) = filled.known.iter().find(|(g, _)| *g == gap) {
            return Some(Gap::Text(text.clone()));
        }
        let taken: Vec<String> = filled.known.iter().map(|(_, t)| self.group(t)).collect();
        let other = |s: &Scope, name: &str, scalar: bool| {
            let g = s.group(name);
            let own = filled.calls && g == feature.name;
            let avoided = scalar && gap == 'w' && g == "s1";
            !(own || avoided || taken.contains(&g))
        };
        let text = match gap {
            'k' => self.integer(),
            'i' => self.index(0),
            'u' => self.fresh().to_string(),
            't' | 'v' | 'w' => {
                let list: Vec<String> = self.scalars.iter().filter(|s| other(self, s, true)).cloned().collect();
                if list.is_empty() { return None } else { self.rng.pick(&list).clone() }
            }
            'A' | 'B' => {
                let list: Vec<String> = self.full_names().into_iter().filter(|s| other(self, s, false)).collect();
                if list.is_empty() { return None } else { self.rng.pick(&list).clone() }
            }
            'p' => {
                let list: Vec<String> = self.positions.iter().filter(|s| other(self, s, false)).cloned().collect();
                if list.is_empty() { return None } else { self.rng.pick(&list).clone() }
            }
            _ => return None,
        };
        filled.known.push((gap, text.clone()));
        Some(Gap::Text(text))
    }

    /// A function that keeps values from growing; none where that isn't needed.
    fn bound(&mut self) -> String {
        let again = !self.labels.is_empty() || self.bounded_only;
        if again || self.rng.chance(30) { self.rng.text(&["sin", "cos", "tanh"]) } else { String::new() }
    }

    /// What a name shares memory with.
    pub fn group(&self, name: &str) -> String {
        let name = root(name);
        self.groups.iter().find(|(n, _)| n == name).map_or(name, |(_, g)| g).to_string()
    }

    /// Arrays of n elements that may be changed as a whole.
    pub fn full_names(&self) -> Vec<String> {
        let fits = |a: &&crate::random::scope::Array| a.writable && a.suffix.is_empty() && a.margin == 0;
        self.arrays.iter().filter(fits).map(|a| a.name.clone()).collect()
    }
}

enum Gap {
    Text(String),
    Operand(Node),
}

/// What a line does to the constructs around it.
#[derive(PartialEq, Eq)]
enum Shape {
    Begins,
    Divides,
    Ends,
    Precedes,
    Plain,
}

fn shape(line: &str) -> Shape {
    let bare = line.split_once(": ").filter(|(l, _)| l.starts_with("loop")).map_or(line, |(_, rest)| rest);
    // A variable may have the name of a statement.
    if bare.split_whitespace().nth(1) == Some("=") {
        return Shape::Plain;
    }
    let starts = |list: &[&str]| list.iter().any(|w| bare.starts_with(w));
    if starts(&["!$"]) {
        Shape::Precedes
    } else if starts(&["end "]) {
        Shape::Ends
    } else if starts(&["else", "case ", "type is", "class is", "class default"]) {
        Shape::Divides
    } else if line == "do"
        || starts(&["do ", "select ", "block", "associate "])
        || (starts(&["if "]) && bare.ends_with(" then"))
        || (starts(&["where "]) && bare.ends_with(')') && !bare.contains(" = "))
    {
        Shape::Begins
    } else {
        Shape::Plain
    }
}

/// Lines as statements, up to a line that belongs to a construct around them.
fn statements(lines: &mut std::iter::Peekable<impl Iterator<Item = Line>>) -> Vec<Statement> {
    let mut out = Vec::new();
    let mut before = Vec::new();
    while let Some(next) = lines.peek() {
        let next = shape(&next.text());
        if next == Shape::Divides || next == Shape::Ends {
            break;
        }
        let Some(line) = lines.next() else { break };
        match (line, next) {
            (Line::Statements(list), _) => out.extend(list),
            (Line::Plain(n), Shape::Precedes) => before.push(n.print()),
            (Line::Plain(head), Shape::Begins) => {
                let open = head.print().starts_with("if ");
                let mut parts = vec![part(head, lines)];
                while let Some(Line::Plain(head)) = lines.next_if(|l| shape(&l.text()) == Shape::Divides) {
                    parts.push(part(head, lines));
                }
                let end = lines.next().map(|l| l.text()).unwrap_or_default();
                out.push(Statement::Construct { before: std::mem::take(&mut before), parts, end, open });
            }
            (Line::Plain(n), _) => out.push(Statement::Line(n)),
            (Line::Kept(text), _) => out.push(Statement::Kept(text)),
        }
    }
    out
}

fn part(head: Node, lines: &mut std::iter::Peekable<impl Iterator<Item = Line>>) -> Part {
    let mut fixed = Vec::new();
    while let Some(Line::Kept(text)) = lines.next_if(|l| matches!(l, Line::Kept(_))) {
        fixed.push(text);
    }
    Part { head, fixed, body: statements(lines) }
}

/// A procedure without random parts, from its text.
pub fn procedure(text: &str) -> Procedure {
    let mut lines: Vec<&str> = text.trim().lines().map(str::trim).collect();
    let end = lines.pop().unwrap_or_default().to_string();
    let head = lines.remove(0).to_string();
    let name = name(&head);
    let inner = lines.iter().position(|l| *l == "contains").map(|k| lines.split_off(k));
    let internal = inner.map(|l| internals(&l[1..].join("\n"))).unwrap_or_default();
    let mut declares = 0;
    let mut interface = false;
    for (k, l) in lines.iter().enumerate() {
        interface = (interface || l.starts_with("interface")) && !l.starts_with("end interface");
        let word = ["common", "equivalence", "use ", "implicit", "import", "end interface", "external", "dimension"];
        if interface || l.contains("::") || word.iter().any(|w| l.starts_with(w)) {
            declares = k + 1;
        }
    }
    let body = lines.split_off(declares);
    let line = |l: &str| match l.strip_prefix('=') {
        Some(kept) => Line::Kept(kept.to_string()),
        None => Line::Plain(Node::leaf(l)),
    };
    let body = statements(&mut body.into_iter().map(line).peekable());
    let dummies = lines.into_iter().map(str::to_string).collect();
    Procedure { name, head, end, dummies, locals: Vec::new(), fixed: Vec::new(), body, internal }
}

/// The name that the first line of a procedure gives it.
fn name(head: &str) -> String {
    let after = head.split_once("subroutine ").or_else(|| head.split_once("function ")).map_or(head, |(_, rest)| rest);
    after.split(['(', ' ']).next().unwrap_or_default().to_string()
}

/// Internal procedures by name, from their text.
pub fn internals(text: &str) -> Vec<(String, String)> {
    let mut out: Vec<(String, String)> = Vec::new();
    let mut current = String::new();
    for line in text.trim().lines() {
        current.push_str(line);
        if line.starts_with("end subroutine") || line.starts_with("end function") {
            out.push((name(current.lines().next().unwrap_or_default()), std::mem::take(&mut current)));
        } else {
            current.push('\n');
        }
    }
    out
}
