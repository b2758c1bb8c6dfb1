//! Random procedures, and the program that they make.

use std::collections::BTreeSet;

use super::Rng;
use super::features::{self, Selection};
use super::kernel;
use super::program::{HeadKind, RandomProgram};
use super::scope::{Array, Extent, Feature, Helper, Passed, Scope};
use super::syntax::{Node, Part, Procedure, Statement, local};

/// What statements have changed is to be seen in the results of the head.
pub(super) fn observations(s: &mut Scope, chosen: &[&'static Feature], body: &[Statement]) -> Vec<Statement> {
    let mut text = String::new();
    super::program::print_block(body, 0, &mut text);
    let mut used = Default::default();
    super::program::words(&text, &mut used);
    let scalars = s.scalars.iter().filter(|v| used.contains(super::scope::root(v))).cloned();
    let arrays = s.arrays.iter().filter(|a| used.contains(super::scope::root(&a.name)) && a.name != "y");
    let arrays = arrays.map(|a| format!("sum({}{})", a.name, if a.suffix.is_empty() { "" } else { &a.suffix }));
    let mut seen: Vec<String> = scalars.chain(arrays).collect();
    seen.extend(chosen.iter().flat_map(|f| f.observed).map(|e| (*e).to_string()));
    let line = |e: String, k: usize| {
        let at = if k.is_multiple_of(2) { "1" } else { "n" };
        Statement::Line(Node::leaf(format!("y({at}) = y({at}) + 0.{}d0*sin({e})", k % 7 + 2)))
    };
    seen.into_iter().enumerate().map(|(k, e)| line(e, k)).collect()
}

/// Integers that every procedure may use.
pub(super) fn integers(size: &str) -> Vec<(String, String, String)> {
    let mut out: Vec<_> =
        ["i", "j", "k", "l", "i0", "c1", "c2"].iter().map(|v| local(v, &format!("integer :: {v}"), "")).collect();
    out.push(local("m1", "integer :: m1", "m1 = (n + 1)/2"));
    out.push(local("m2", "integer :: m2", "m2 = 1"));
    out.push(local("idx", &format!("integer :: idx({size})"), "do i0 = 1, n\n  idx(i0) = mod(3*i0, n) + 1\nend do"));
    out
}

pub(super) fn array(name: &str, suffix: &str, margin: i32, writable: bool) -> Array {
    Array { name: name.to_string(), suffix: suffix.to_string(), margin, writable }
}

pub(super) fn scope(rng: Rng, budget: usize) -> Scope {
    let names = |list: &[&str]| list.iter().map(|s| (*s).to_string()).collect::<Vec<_>>();
    Scope {
        rng,
        counters: Vec::new(),
        labels: Vec::new(),
        scalars: Vec::new(),
        constants: names(&["gp"]),
        arrays: Vec::new(),
        triples: Vec::new(),
        free: names(&["l", "k", "j", "i"]),
        trips: names(&["c2", "c1"]),
        positions: names(&["m1", "m2"]),
        helpers: Vec::new(),
        functions: Vec::new(),
        elementals: Vec::new(),
        structures: Vec::new(),
        square: false,
        index_arrays: true,
        logicals: Vec::new(),
        budget,
        calls: true,
        number: 0,
        bounded_only: false,
        features: Vec::new(),
        special: 0,
        groups: Vec::new(),
    }
}

/// The program of a seed, with the constructs that are asked for.
pub fn program(seed: u64) -> RandomProgram {
    program_of(seed, Selection::asked())
}

/// The program of a seed, with constructs of a selection.
pub fn program_of(seed: u64, selection: &Selection) -> RandomProgram {
    let mut rng = Rng::new(seed);
    let chosen = drawn(&mut rng, selection);
    let mut procedures = Vec::new();
    let mut helpers: Vec<Helper> = Vec::new();
    let (functions, elementals) = (vec!["hf".to_string()], vec!["he".to_string()]);
    procedures.push(function(&mut rng, "he", true));
    procedures.push(function(&mut rng, "hf", false));
    for number in 1..=rng.below(4) {
        let own = if rng.chance(50) { chosen.clone() } else { Vec::new() };
        let (h, p) = helper(&mut rng, number, &helpers, &own);
        helpers.push(h);
        procedures.push(p);
    }
    let kind = *rng.pick(&[HeadKind::Plain, HeadKind::Plain, HeadKind::Update, HeadKind::Both]);
    let mut s = scope(rng.clone(), 4 + rng.below(16));
    s.functions = functions;
    s.elementals = elementals;
    s.helpers = helpers;
    let head = head(&mut s, kind, &chosen, selection.every);
    procedures.push(head);
    procedures.reverse();
    procedures.extend(features::procedures());
    let own = [
        ("t", "type t\n  real(8) :: s\n  real(8) :: v(3)\nend type t"),
        ("gp", "real(8), parameter :: gp = 0.9d0"),
        ("gs", "real(8) :: gs"),
        ("ga", "real(8) :: ga(3)"),
    ];
    let declared = features::declarations().map(|(n, l, _)| (*n, *l));
    let module = own.into_iter().chain(declared).map(|(n, l)| (n.to_string(), l.to_string())).collect();
    let refused = chosen.iter().flat_map(|f| f.refused).map(|c| (*c).to_string()).collect();
    let passes = kernel::passes(&mut Rng::new(seed ^ 0xa11_0000));
    RandomProgram { seed, kind, module, procedures, passes, refused }
}

/// The constructs of a program: most programs have a few.
fn drawn(rng: &mut Rng, selection: &Selection) -> Vec<&'static Feature> {
    if selection.every {
        return selection.features.clone();
    }
    let mut left = selection.features.clone();
    let count = if rng.chance(85) { 1 + rng.below(5) } else { 0 };
    let mut out = Vec::new();
    while out.len() < count && !left.is_empty() {
        out.push(left.swap_remove(rng.below(left.len())));
    }
    out
}

/// What a procedure declares for constructs: its arrays have the size `n` and are first filled from `x`.
fn constructs(features: &[&'static Feature], x: &str, n: &str) -> Vec<(String, String, String)> {
    let filled = |text: &str| text.replace("{x}", x).replace("{n}", n);
    let mut seen = BTreeSet::new();
    let own = features.iter().flat_map(|f| f.locals).filter(|l| seen.insert(l.0));
    own.map(|(a, b, c)| local(a, &filled(b), &filled(c))).collect()
}

/// Internal procedures that constructs call.
fn internals(features: &[&'static Feature]) -> Vec<(String, String)> {
    features.iter().flat_map(|f| f.internal).flat_map(|text| features::template::internals(text)).collect()
}

/// Locals that any procedure may have: its arrays have the size `n` and are first filled from `x`.
pub(super) fn variables(x: &str, n: &str) -> Vec<(String, String, String)> {
    let each = "do i0 = 1, n\n";
    let list = [
        ("s1", "real(8) :: s1", "s1 = 0.5d0*{x}(1)"),
        ("s2", "real(8) :: s2", "s2 = 1.1d0"),
        ("s3", "real(8) :: s3", "s3 = {x}(n)*{x}(1)"),
        ("a", "real(8) :: a({n})", "a = 0.3d0*{x}"),
        ("b", "real(8), dimension({n}) :: b", "b = 0.8d0"),
        ("w", "real(8), allocatable :: w(:)", "allocate(w(n))\nw = {x} - 0.2d0"),
        ("h", "real(8) :: h(0:{n}+1)", "h = 0.6d0\nh(1:n) = {x}"),
        ("cc", "real(8) :: cc({n},{n})", "{each}  cc(:,i0) = 0.2d0*{x}(i0)\n  cc(i0,i0) = 0.4d0\nend do"),
        ("p", "type(t) :: p", "p%s = {x}(n)\np%v = 0.6d0*{x}(1)"),
        ("r", "type(t) :: r", "r%s = 0.4d0\nr%v = [0.1d0, {x}(1), 0.3d0]"),
        ("q", "type(t) :: q({n})", "{each}  q(i0)%s = {x}(i0)\n  q(i0)%v = 0.1d0\nend do"),
        ("lg", "logical :: lg", "lg = {x}(1) > 0.3d0"),
    ];
    let filled = |text: &str| text.replace("{x}", x).replace("{n}", n).replace("{each}", each);
    list.iter().map(|(a, b, c)| local(a, &filled(b), &filled(c))).collect()
}

/// Each of a list with some chance.
fn some<T>(rng: &mut Rng, percent: usize, list: Vec<T>) -> Vec<T> {
    list.into_iter().filter(|_| rng.chance(percent)).collect()
}

fn head(s: &mut Scope, kind: HeadKind, chosen: &[&'static Feature], every: bool) -> Procedure {
    let (x, y) = match kind {
        HeadKind::Plain => ("in", "out"),
        HeadKind::Update => ("in", "inout"),
        HeadKind::Both => ("inout", "inout"),
    };
    let mut locals = integers("n");
    locals.extend([local("gs", "", "gs = 0.3d0*x(1)"), local("ga", "", "ga = [0.2d0, x(1), 0.5d0*x(n)]")]);
    locals.extend(features::declarations().filter(|d| !d.2.is_empty()).map(|(name, _, start)| local(name, "", start)));
    locals.extend(variables("x", "n"));
    locals.extend(constructs(chosen, "x", "n"));
    let scalars = vec!["s2", "s3", "gs", "p%s", "r%s"];
    s.scalars = vec!["s1".to_string()];
    s.scalars.extend(some(&mut s.rng, 45, scalars).into_iter().map(str::to_string));
    let writable = kind == HeadKind::Both;
    s.arrays = vec![array("x", "", 0, writable), array("y", "", 0, true), array("a", "", 0, true)];
    let more =
        vec![array("b", "", 0, true), array("w", "", 0, true), array("h", "", 1, true), array("q", "%s", 0, true)];
    let more = some(&mut s.rng, 40, more);
    s.arrays.extend(more);
    s.triples = some(&mut s.rng, 30, vec!["p%v", "ga", "r%v"]).into_iter().map(str::to_string).collect();
    s.structures = if s.rng.chance(20) { vec!["p".into(), "r".into()] } else { Vec::new() };
    s.square = s.rng.chance(35);
    s.index_arrays = s.rng.chance(40);
    s.logicals = some(&mut s.rng, 30, vec!["lg".to_string()]);
    s.admit(chosen);
    s.special = if every { 45 } else { 25 };
    let depth = 1 + s.rng.below(4);
    let mut body = s.block(8, depth);
    if every {
        for f in chosen {
            body.extend(s.special_of(f, depth));
        }
    }
    if s.rng.chance(10) {
        let c = s.condition(false);
        leave_early(&mut body, c);
    }
    let e = s.array(Extent::Full, 1);
    body.push(Statement::Line(Node::fixed("y = y + #", vec![e])));
    body.extend(observations(s, chosen, &body));
    let mut fixed = if kind == HeadKind::Plain { vec!["y = 0.7d0*x".to_string()] } else { Vec::new() };
    // Results may be declared as if they were read, too.
    let y = if s.rng.chance(20) { "inout" } else { y };
    let y = format!("real(8), intent({y}) :: y(n)");
    // Derivatives of a result that nothing influences are to become zero all the same: at the end, or everywhere.
    if s.rng.chance(2) {
        if s.rng.chance(30) {
            fixed.clear();
            body.clear();
        }
        let last = s.rng.text(&["y = 0.3d0", "y = anint(x)", "y(:) = int(x)", "if (x(1) > 0d0) y = 2d0"]);
        body.push(Statement::Line(Node::leaf("y = 0.5d0")));
        body.push(Statement::Line(Node::leaf(last)));
    }
    Procedure {
        name: "f".into(),
        head: "subroutine f(n, x, y)".into(),
        end: "end subroutine f".into(),
        dummies: vec!["integer, intent(in) :: n".into(), format!("real(8), intent({x}) :: x(n)"), y],
        locals,
        fixed,
        body,
        internal: internals(chosen),
    }
}

pub(super) fn function(rng: &mut Rng, name: &str, elemental: bool) -> Procedure {
    let mut s = scope(Rng::new(rng.draw()), 1 + rng.below(5));
    s.scalars = vec!["s1".into()];
    s.constants.extend(if elemental { vec!["u".to_string()] } else { vec!["u".to_string(), "v".to_string()] });
    s.constants.remove(0);
    s.positions.clear();
    s.free.clear();
    s.index_arrays = false;
    s.trips.truncate(if elemental { 0 } else { 2 });
    let body = s.pure_block();
    let list = if elemental { "u" } else { "u, v" };
    let prefix = if elemental { "elemental " } else { "pure " };
    let mut locals = vec![
        local("n", "integer, parameter :: n = 2", ""),
        local("c1", "integer :: c1", ""),
        local("c2", "integer :: c2", ""),
        local("s1", "real(8) :: s1", "s1 = sin(u)"),
    ];
    locals.retain(|l| l.0 != "c1" || !elemental);
    let dummies = if elemental {
        vec!["real(8), intent(in) :: u".to_string()]
    } else {
        vec!["real(8), intent(in) :: u, v".to_string()]
    };
    let mut body = body;
    body.push(Statement::Line(Node::fixed("g = #", vec![Node::of("s1*#", vec![Node::leaf("cos(u)")])])));
    let mut dummies = dummies;
    dummies.push("real(8) :: g".into());
    Procedure {
        name: name.into(),
        head: format!("{prefix}function {name}({list}) result(g)"),
        end: format!("end function {name}"),
        dummies,
        locals,
        fixed: vec![format!("g = 0.5d0*u{}", if elemental { "" } else { " + v**2" })],
        body,
        internal: Vec::new(),
    }
}

impl Scope {
    /// Statements for a function without side effects: no arrays, no calls.
    fn pure_block(&mut self) -> Vec<Statement> {
        self.calls = false;
        let mut out = Vec::new();
        for _ in 0..1 + self.rng.below(3) {
            let t = self.bounded_scalar();
            out.push(t);
        }
        out
    }

    fn bounded_scalar(&mut self) -> Statement {
        let operands = ["u", "s1", "u*s1", "sin(u)"];
        let e = Node::leaf(self.rng.text(&operands));
        let f = Node::leaf(self.rng.text(&operands));
        match self.rng.below(4) {
            0 => {
                let inner = Statement::Line(Node::fixed("s1 = sin(#)*s1", vec![e]));
                let head = Node::fixed("if (# > 0.2d0) then", vec![f]);
                let parts = vec![Part { head, fixed: Vec::new(), body: vec![inner] }];
                Statement::Construct { before: Vec::new(), parts, end: "end if".into(), open: true }
            }
            1 => Statement::Line(Node::fixed("s1 = 0.5d0*s1 + #", vec![e])),
            2 => Statement::Line(Node::fixed("if (# > 0.6d0) return", vec![f])),
            _ => Statement::Line(Node::fixed("s1 = #/(1d0 + (#)**2)", vec![e, f])),
        }
    }
}

pub(super) fn helper(
    rng: &mut Rng,
    number: usize,
    helpers: &[Helper],
    chosen: &[&'static Feature],
) -> (Helper, Procedure) {
    let assumed = rng.chance(40);
    let kinds = [Passed::Value, Passed::Changed, Passed::Set, Passed::Values, Passed::ChangedAll, Passed::SetAll];
    let mut passed: Vec<Passed> = (0..1 + rng.below(3)).map(|_| *rng.pick(&kinds)).collect();
    passed.push(*rng.pick(&[Passed::Changed, Passed::Set, Passed::ChangedAll, Passed::SetAll]));
    // The size comes from the first array where arrays have assumed shape.
    passed.insert(0, *rng.pick(&[Passed::Values, Passed::ChangedAll]));
    let mut s = scope(Rng::new(rng.draw()), 2 + rng.below(7));
    let mut dummies = if assumed { Vec::new() } else { vec!["integer, intent(in) :: n".to_string()] };
    let mut fixed = Vec::new();
    let mut names = Vec::new();
    for (i, p) in passed.iter().enumerate() {
        let name = format!("d{}", i + 1);
        let (intent, is_array) = match p {
            Passed::Value => ("in", false),
            Passed::Changed => ("inout", false),
            Passed::Set => ("out", false),
            Passed::Values => ("in", true),
            Passed::ChangedAll => ("inout", true),
            Passed::SetAll => ("out", true),
        };
        let shape = match (is_array, assumed) {
            (false, _) => "",
            (true, true) => "(:)",
            (true, false) => "(n)",
        };
        dummies.push(format!("real(8), intent({intent}) :: {name}{shape}"));
        if intent == "out" {
            fixed.push(format!("{name} = {}", if is_array { "0.4d0*d1" } else { "0.7d0*d1(1)" }));
        }
        match (is_array, intent) {
            (true, _) => s.arrays.push(array(&name, "", 0, intent != "in")),
            (false, "in") => s.constants.push(name.clone()),
            (false, _) => s.scalars.push(name.clone()),
        }
        names.push(name);
    }
    if assumed {
        dummies.push("integer :: n".to_string());
        fixed.insert(0, "n = size(d1)".to_string());
    }
    let n = if assumed { "size(d1)" } else { "n" };
    let locals = [integers(n), variables("d1", n), constructs(chosen, "d1", n)].concat();
    s.scalars.push("s1".into());
    if s.rng.chance(50) {
        s.arrays.push(array("a", "", 0, true));
    }
    let globals = s.rng.chance(30);
    if globals {
        s.scalars.push("gs".into());
        if s.rng.chance(50) {
            s.triples.push("ga".into());
        }
    }
    s.bounded_only = true;
    s.helpers = if s.rng.chance(40) { helpers.to_vec() } else { Vec::new() };
    s.functions = if s.rng.chance(30) { vec!["hf".into()] } else { Vec::new() };
    s.elementals = if s.rng.chance(30) { vec!["he".into()] } else { Vec::new() };
    s.index_arrays = s.rng.chance(30);
    s.admit(chosen);
    s.special = 35;
    let depth = 1 + s.rng.below(2);
    let mut body = s.block(4, depth);
    if s.rng.chance(12) {
        let c = s.condition(false);
        leave_early(&mut body, c);
    }
    // Its last dummy is changed; locals are to be seen in it.
    let last = names.len() - 1;
    let at = if matches!(passed[last], Passed::ChangedAll | Passed::SetAll) { "(1)" } else { "" };
    let seen = if s.rng.chance(70) { "s1".to_string() } else { "a(1)".to_string() };
    let name = &names[last];
    body.push(Statement::Line(Node::leaf(format!("{name}{at} = cos({name}{at} + {seen})"))));
    let globals = globals || s.helpers.iter().any(|h| h.globals);
    let name = format!("h{number}");
    let list = if assumed { names.join(", ") } else { format!("n, {}", names.join(", ")) };
    let procedure = Procedure {
        name: name.clone(),
        head: format!("subroutine {name}({list})"),
        end: format!("end subroutine {name}"),
        dummies,
        locals,
        fixed,
        body,
        internal: internals(chosen),
    };
    (Helper { name, passed, assumed, globals }, procedure)
}

/// Adds a way out of a procedure, which there is none in a region of a directive.
fn leave_early(body: &mut Vec<Statement>, condition: Node) {
    let directive = |s: &Statement| matches!(s, Statement::Kept(line) if line.starts_with("!$"));
    let at = body.iter().position(directive).unwrap_or(body.len()).min(body.len() / 2);
    body.insert(at, Statement::Line(Node::fixed("if (#) return", vec![condition])));
}
