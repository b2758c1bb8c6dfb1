//! Fortran in, facts out. Points of a body are marked by assignments of numbers to `p`. That each solution is a fixed point is
//! checked by the solver itself.

use std::collections::{BTreeMap, BTreeSet};

use costate_grammar::form::ReadOptions;
use costate_grammar::ir::{Expr, ExprKind, Program, Stmt, StmtKind, for_each_expr, for_each_stmt};
use costate_grammar::program::parse_program;
use costate_grammar::source::SourceMap;

use super::engine::{Direction, Problem, solve};
use super::graph::{Edge, Node, Place, Way, of_body};

fn parse(body: &str) -> Program {
    let text = format!("subroutine s(n, x, y, z)\ninteger :: n, i, j, p\nreal :: x, y, z\n{body}\nend subroutine s\n");
    let mut sources = SourceMap::default();
    let load = |_: &str| None;
    let options = ReadOptions { loader: &load, ..ReadOptions::default() };
    let (program, problems) = parse_program(&mut sources, [("s.f90".to_string(), text)], &options);
    assert!(problems.is_empty(), "{problems:#?}");
    program
}

fn body(program: &Program) -> &[Stmt] {
    let (_, procedure) = program.procedures().next().unwrap();
    assert!(procedure.problems.is_empty(), "{:#?}", procedure.problems);
    &procedure.body
}

type Names = BTreeSet<String>;

/// The reals that an expression mentions.
fn named(program: &Program, e: &Expr) -> Names {
    let mut out = Names::new();
    for_each_expr(e, &mut |x| {
        if let (ExprKind::Var(d), true) = (&x.kind, x.is_continuous()) {
            out.insert(program[d.sym].name.to_string());
        }
    });
    out
}

/// The number of the point that a statement marks.
fn mark(program: &Program, node: Node<'_>) -> Option<i64> {
    match &node.stmt.kind {
        StmtKind::Assign { lhs, rhs } => {
            rhs.as_int().filter(|_| lhs.as_var().is_some_and(|d| program[d.sym].name.as_str() == "p"))
        }
        _ => None,
    }
}

fn text(names: &Names) -> String {
    names.iter().map(String::as_str).collect::<Vec<_>>().join(" ")
}

/// What has been assigned, on every way to a point or on some way.
struct Assigned<'p> {
    program: &'p Program,
    surely: bool,
    /// The fact at marked points.
    at: BTreeMap<i64, String>,
    /// The loops of which it is known that they have iterations.
    run: bool,
    transfers: usize,
}

impl<'a> Problem<Node<'a>, Edge<'a>> for Assigned<'_> {
    type Fact = Names;
    const DIRECTION: Direction = Direction::Forward;

    fn boundary(&mut self) -> Names {
        Names::new()
    }

    fn join(&mut self, fact: &mut Names, other: &Names) -> bool {
        let before = fact.len();
        if self.surely {
            fact.retain(|n| other.contains(n));
        } else {
            fact.extend(other.iter().cloned());
        }
        fact.len() != before
    }

    fn transfer(&mut self, node: Node<'a>, fact: &mut Names) {
        self.transfers += 1;
        if let StmtKind::Assign { lhs, .. } = &node.stmt.kind {
            fact.extend(named(self.program, lhs));
        }
    }

    fn cross(&mut self, edge: Edge<'a>, _fact: &mut Names) -> bool {
        !(self.run && edge.way == Way::Skip && edge.stmt.is_some_and(|s| matches!(s.kind, StmtKind::Do { .. })))
    }

    fn settled(&mut self, node: Node<'a>, fact: &Names) {
        if let Some(point) = mark(self.program, node) {
            assert!(self.at.insert(point, text(fact)).is_none(), "a node comes twice");
        }
    }
}

/// What may be used later, before it is assigned.
struct Live<'p> {
    program: &'p Program,
    at: BTreeMap<i64, String>,
}

impl<'a> Problem<Node<'a>, Edge<'a>> for Live<'_> {
    type Fact = Names;
    const DIRECTION: Direction = Direction::Backward;

    fn boundary(&mut self) -> Names {
        Names::from(["z".to_string()])
    }

    fn join(&mut self, fact: &mut Names, other: &Names) -> bool {
        let before = fact.len();
        fact.extend(other.iter().cloned());
        fact.len() != before
    }

    fn transfer(&mut self, node: Node<'a>, fact: &mut Names) {
        if node.place == Place::End {
            return;
        }
        let used: Vec<&Expr> = match &node.stmt.kind {
            StmtKind::Assign { lhs, rhs } => {
                let replaced = named(self.program, lhs);
                fact.retain(|n| !replaced.contains(n));
                vec![rhs]
            }
            _ => node.stmt.exprs(),
        };
        used.into_iter().for_each(|e| fact.extend(named(self.program, e)));
    }

    fn settled(&mut self, node: Node<'a>, fact: &Names) {
        if let Some(point) = mark(self.program, node) {
            assert!(self.at.insert(point, text(fact)).is_none(), "a node comes twice");
        }
    }
}

/// Asserts what is assigned surely and perhaps before each marked point.
#[track_caller]
fn assigned(source: &str, expected: &[(i64, &str, &str)]) {
    let program = parse(source);
    let graph = of_body(body(&program));
    let solution = |surely| {
        let mut problem = Assigned { program: &program, surely, at: BTreeMap::new(), run: false, transfers: 0 };
        solve(&graph, &mut problem);
        problem.at
    };
    let (surely, perhaps) = (solution(true), solution(false));
    let found: Vec<_> = surely.iter().zip(&perhaps).map(|((k, s), (_, m))| (*k, s.as_str(), m.as_str())).collect();
    assert_eq!(found, expected, "{source}");
}

/// Asserts what is live behind each marked point, and where the body begins.
#[track_caller]
fn live(source: &str, expected: &[(i64, &str)], at_entry: Option<&str>) {
    let program = parse(source);
    let mut problem = Live { program: &program, at: BTreeMap::new() };
    let entry = solve(&of_body(body(&program)), &mut problem);
    let found: Vec<_> = problem.at.iter().map(|(k, s)| (*k, s.as_str())).collect();
    assert_eq!(found, expected, "{source}");
    assert_eq!(entry.as_ref().map(text).as_deref(), at_entry, "{source}");
}

#[test]
fn a_loop_may_have_no_iteration() {
    let counted = "p = 1\ndo i = 1, n\np = 2\nx = y\np = 3\nend do\np = 4";
    assigned(counted, &[(1, "", ""), (2, "", "x"), (3, "x", "x"), (4, "", "x")]);
    live(counted, &[(1, "y z"), (2, "y z"), (3, "y z"), (4, "z")], Some("y z"));
    let condition = "do while (x < y)\np = 1\nx = 2*x\nend do\np = 2";
    assigned(condition, &[(1, "", "x"), (2, "", "x")]);
    live(condition, &[(1, "x y z"), (2, "z")], Some("x y z"));
}

#[test]
fn loops_can_be_known_to_run() {
    let program = parse("do i = 1, n\nx = 1\nif (x > y) z = 1\nend do\np = 1");
    let mut problem = Assigned { program: &program, surely: true, at: BTreeMap::new(), run: true, transfers: 0 };
    let end = solve(&of_body(body(&program)), &mut problem);
    assert_eq!(problem.at[&1], "x");
    assert_eq!(end.as_ref().map(text).as_deref(), Some("x"));
}

#[test]
fn branches_are_joined() {
    let both = "if (x > y) then\nx = 1\ny = 1\nelse if (x < y) then\nx = 2\np = 1\nelse\nx = 3\nz = 3\nend if\np = 2";
    assigned(both, &[(1, "x", "x"), (2, "x", "x y z")]);
    let one = "if (x > y) then\nx = 1\nend if\np = 1";
    assigned(one, &[(1, "", "x")]);
    let cases = "select case (n)\ncase (1)\nx = 1\ncase (2:)\nx = 2\ny = 2\nend select\np = 1";
    assigned(cases, &[(1, "", "x y")]);
    let all = "select case (n)\ncase (1)\nx = 1\ncase default\nx = 2\ny = 2\nend select\np = 1";
    assigned(all, &[(1, "x", "x y")]);
    live(all, &[(1, "z")], Some("z"));
}

#[test]
fn an_exit_leaves_the_loop_that_it_names() {
    let source = "outer: do i = 1, n\nx = 1\ndo j = 1, n\ny = 1\nif (y > x) exit outer\nz = 1\np = 1\nend do\np = 2\n\
                  end do outer\np = 3";
    assigned(source, &[(1, "x y z", "x y z"), (2, "x", "x y z"), (3, "", "x y z")]);
    let inner = "do i = 1, n\nx = 1\ndo\ny = 1\nif (y > x) exit\nz = 1\nend do\np = 1\nend do\np = 2";
    assigned(inner, &[(1, "x y", "x y z"), (2, "", "x y z")]);
    let construct = "a: if (x > y) then\nx = 1\nif (y > x) exit a\ny = 1\np = 1\nelse\nx = 2\nend if a\np = 2";
    assigned(construct, &[(1, "x y", "x y"), (2, "x", "x y")]);
}

#[test]
fn a_cycle_begins_the_next_iteration() {
    let source = "do i = 1, n\nx = 1\nif (x > y) cycle\ny = 1\np = 1\nend do\np = 2";
    assigned(source, &[(1, "x y", "x y"), (2, "", "x y")]);
    live(source, &[(1, "y z"), (2, "z")], Some("y z"));
}

#[test]
fn an_endless_loop_has_an_iteration() {
    assigned("do\nx = 1\nif (x > y) exit\nz = 1\np = 1\nend do\np = 2", &[(1, "x z", "x z"), (2, "x", "x z")]);
    let left_by_return = "do\nx = 1\nif (x > y) return\nz = 1\nend do\np = 1";
    live(left_by_return, &[(1, "z")], Some("y z"));
    live("do\np = 1\nx = y\nend do\n", &[(1, "y z")], Some("y z"));
}

#[test]
fn what_cannot_be_reached_has_no_facts() {
    assigned("x = 1\np = 1\nreturn\ny = 1\np = 2", &[(1, "x", "x")]);
    assigned("do i = 1, n\nexit\nx = 1\np = 1\nend do\np = 2", &[(2, "", "")]);
}

#[test]
fn jumps_go_to_their_labels() {
    // No loop of which all iterations begin with the same statement.
    let source = "if (x > y) goto 20\n10 y = 1\np = 1\n20 x = 1\np = 2\nif (x < 1) goto 10\np = 3";
    let mut jumps = 0;
    for_each_stmt(body(&parse(source)), &mut |s| jumps += usize::from(matches!(s.kind, StmtKind::Goto(_))));
    assert_eq!(jumps, 2, "lowering has no structure for these");
    assigned(source, &[(1, "y", "x y"), (2, "x", "x y"), (3, "x", "x y")]);
    live(source, &[(1, "z"), (2, "x z"), (3, "z")], Some("x y z"));
}

#[test]
fn nothing_is_sure_of_what_is_not_understood() {
    let source = "critical\np = 1\nx = 1\np = 2\nend critical\np = 3";
    assigned(source, &[(1, "", "x"), (2, "x", "x"), (3, "", "x")]);
}

#[test]
fn what_a_region_assigns_may_be_private() {
    let region = "!$omp parallel private(x)\np = 1\nx = 1\np = 2\n!$omp end parallel\np = 3";
    assigned(region, &[(1, "", ""), (2, "x", "x"), (3, "", "x")]);
    let used = "p = 1\n!$omp parallel private(x)\nx = y\n!$omp end parallel\np = 2\nz = x";
    live(used, &[(1, "x y"), (2, "x")], Some("x y"));
    let endless = "!$acc parallel loop\ndo i = 1, n\nx = 1\nend do\np = 1";
    assigned(endless, &[(1, "", "x")]);
    // A directive of another kind changes nothing.
    assigned("!$ad ii-loop\nx = 1\np = 1", &[(1, "x", "x")]);
}

#[test]
fn nested_loops_take_few_rounds() {
    let depth = 18;
    let nest = |leave: &str| {
        let (begin, end) = ("do\nx = y\ny = z\n", format!("z = x\n{leave}\nend do\n"));
        format!("{}{}", begin.repeat(depth), end.repeat(depth))
    };
    for source in [nest("if (x > y) exit"), nest("if (x > y) exit").replace("do\nx", "do i = 1, n\nx")] {
        let program = parse(&source);
        let graph = of_body(body(&program));
        let mut problem = Assigned { program: &program, surely: true, at: BTreeMap::new(), run: false, transfers: 0 };
        solve(&graph, &mut problem);
        let most = 5 * graph.nodes().len();
        assert!(problem.transfers < most, "{} transfers, {} nodes", problem.transfers, graph.nodes().len());
    }
}

/// The arrays that statements may use before they assign them.
fn exposed(statements: &str) -> String {
    let program = parse(&format!("integer, intent(in) :: k(9)\nreal :: a(9), b(9), f\nexternal :: f\n{statements}"));
    let used = super::variables::used_before_assigned(&program, body(&program));
    let arrays = used.into_iter().filter(|s| program.var(*s).is_some_and(|v| v.rank() > 0));
    text(&arrays.map(|s| program[s].name.to_string()).filter(|n| n != "k").collect())
}

#[test]
fn elements_that_were_just_assigned_are_no_use_of_earlier_values() {
    assert_eq!(exposed("do i = 1, n\na(i) = x\nb(i) = a(i)*2\nif (b(i) > 1) a(i) = a(i) + b(i)\nend do"), "");
    assert_eq!(exposed("do i = 1, n\na(k(i)) = x\ny = a(k(i))\nend do"), "");
    // In another iteration, of another element, on one of two ways, after a call, through an index that changes.
    assert_eq!(exposed("do i = 2, n\na(i) = x\ny = a(i-1)\nend do"), "a");
    assert_eq!(exposed("do i = 1, n\nif (x > 1) a(i) = x\ny = a(i)\nend do"), "a");
    assert_eq!(exposed("do i = 1, n\na(i) = a(i) + x\nend do"), "a");
    assert_eq!(exposed("j = 1\na(j) = x\ndo i = 1, n\nj = j + 1\ny = a(j)\nend do"), "a");
    assert_eq!(exposed("a(j) = x\nif (x > 1) j = 2\ny = a(j)"), "a");
    assert_eq!(exposed("a(j) = x\ncall g(j)\ny = a(j)"), "a");
    assert_eq!(exposed("a(j) = x\ndo i = 1, n\ny = a(j)\ncall g(j)\nend do"), "a");
    assert_eq!(exposed("a(j) = f(j)\ny = a(j)"), "a");
    assert_eq!(exposed("if (x > 1) goto 10\na(j) = x\n10 y = a(j)"), "a");
}
