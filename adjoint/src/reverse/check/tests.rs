//! Trees with decisions that are spoilt, one at a time: each is found. What is right is checked by every test that
//! generates code.

use std::cell::RefCell;

use costate_analysis::storage::LocSet;
use costate_grammar::diag::Code;

use crate::optimise::tests::{VECTORS, derived, subroutine};
use crate::options::Options;
use crate::reverse::tree::node::{Branch, Leaf, Loop, Node, Replay};

/// A decision that is spoilt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Spoilt {
    /// A save is left out.
    Save,
    /// What a statement does in the forward sweep of a level is left out.
    Keep(usize),
    /// A snapshot takes less.
    Snapshot,
    /// What an iteration leaves in its own variables isn't saved.
    Last,
    /// A value isn't restored after an adjoint that changes it.
    Preserve,
    /// A part of a snapshot isn't restored after the adjoints of a block.
    Restored,
    /// A condition that is saved is evaluated again.
    Replay,
    /// An adjoint changes everything that another one needs.
    Clobber,
    /// A bound that is saved is evaluated again.
    Bounds,
    /// A statement that is undone is not.
    Undone,
    /// What an adjoint leaves alone is restored after it.
    Stray,
}

/// What is to be spoilt: the number of the place, and whether it was there.
struct Order {
    what: Spoilt,
    place: usize,
    done: bool,
}

thread_local! {
    static ORDER: RefCell<Option<Order>> = const { RefCell::new(None) };
}

/// Spoils the decisions of a tree as it is ordered, before they are checked.
pub(in crate::reverse) fn spoil(nodes: &mut [Node]) {
    ORDER.with_borrow_mut(|order| {
        let Some(order) = order else { return };
        let mut all = LocSet::new();
        nodes.iter().for_each(|n| n.for_each_leaf(&mut |l| all.extend(&l.needs)));
        let mut count = 0;
        let mut next = || {
            count += 1;
            count == order.place + 1
        };
        let mut done = false;
        each(nodes, &mut |at| done |= spoil_at(at, order.what, &all, &mut next));
        order.done |= done;
    });
}

/// A node that is spoilt.
enum At<'n> {
    Leaf(&'n mut Leaf),
    Branch(&'n mut Branch),
    Loop(&'n mut Loop),
}

fn each(nodes: &mut [Node], f: &mut dyn FnMut(At<'_>)) {
    for node in nodes {
        match node {
            Node::Leaf(l) => f(At::Leaf(l)),
            Node::Branch(b) => {
                f(At::Branch(b));
                b.arms.iter_mut().for_each(|a| each(a, f));
            }
            Node::Loop(l) => {
                f(At::Loop(l));
                each(&mut l.body, f);
            }
        }
    }
}

/// Takes the item out that is the next one.
fn take<T>(list: &mut Vec<T>, next: &mut dyn FnMut() -> bool) -> bool {
    let at = (0..list.len()).find(|_| next());
    at.map(|at| list.remove(at)).is_some()
}

/// Spoils a node, if it is its turn. `all` is what adjoints need.
fn spoil_at(at: At<'_>, what: Spoilt, all: &LocSet, next: &mut dyn FnMut() -> bool) -> bool {
    match (at, what) {
        (At::Leaf(l), Spoilt::Save) => take(&mut l.saves, next),
        (At::Leaf(l), Spoilt::Preserve) => take(&mut l.preserve, next),
        (At::Leaf(l), Spoilt::Keep(level)) if l.keep.get(level) == Some(&true) && next() => {
            l.keep[level] = false;
            // What doesn't run saves nothing, by the structure of the tree.
            l.saves.clear();
            true
        }
        (At::Leaf(l), Spoilt::Clobber) if !l.adjoint.is_empty() && next() => {
            let targets = l.targets.iter().flat_map(|(_, locs)| locs);
            l.clobbers.extend(targets.filter(|x| all.contains(x)));
            true
        }
        (At::Leaf(l), Spoilt::Undone) if l.undone && next() => {
            l.undone = false;
            true
        }
        (At::Leaf(l), Spoilt::Stray) if l.clobbers.is_empty() && !l.targets.is_empty() && next() => {
            l.preserve.push(l.targets[0].0.clone());
            true
        }
        (At::Branch(b), Spoilt::Replay) if b.replay == Replay::Save && next() => {
            b.replay = Replay::Evaluate;
            true
        }
        (At::Loop(l), Spoilt::Snapshot) => take(&mut l.snapshot, next),
        (At::Loop(l), Spoilt::Last) => take(&mut l.last, next),
        (At::Loop(l), Spoilt::Restored) => l.blocks.as_mut().is_some_and(|b| take(&mut b.restored, next)),
        (At::Loop(l), Spoilt::Bounds) if !l.stable_bounds && next() => {
            l.stable_bounds = true;
            true
        }
        _ => false,
    }
}

/// Whether a finding is made for each place of a decision in a program.
fn findings(text: &str, options: &Options, what: Spoilt) -> Vec<bool> {
    let mut out = Vec::new();
    loop {
        ORDER.set(Some(Order { what, place: out.len(), done: false }));
        let made = derived(options, text);
        let done = ORDER.take().is_some_and(|o| o.done);
        if !done {
            assert!(made.is_ok(), "{text}\n{:#?}", made.err());
            return out;
        }
        out.push(made.is_err_and(|found| found.iter().any(|d| d.code == Code::Internal)));
    }
}

/// Checks that each place of decisions is found when it is spoilt, and that there are so many of each.
fn found(options: &Options, text: &str, decisions: &[(Spoilt, usize)]) {
    for &(what, places) in decisions {
        assert_eq!(findings(text, options, what), vec![true; places], "{what:?}\n{text}");
    }
}

fn options() -> Options {
    Options { check_forms: true, ..Options::default() }
}

/// The same for statements with two scalars.
fn found_in(body: &str, decisions: &[(Spoilt, usize)]) {
    found(&options(), &subroutine(&format!("{VECTORS}\nreal(8) :: a, b, w(n)\ninteger :: k, l"), body), decisions);
}

#[test]
fn straight_lines_save_what_they_overwrite() {
    let body = "a = x(1)\nb = a*x(2)\na = sin(a)*b\nb = b*a\na = a*b*b\ny(1) = a*b";
    found_in(body, &[(Spoilt::Save, 3), (Spoilt::Keep(0), 5), (Spoilt::Stray, 6)]);
}

#[test]
fn loops_save_in_each_iteration() {
    let body = "do t = 1, 3\ndo i = 1, n\na = x(i)*y(i)\na = sin(a)*a\ny(i) = y(i)*a\nend do\nend do";
    found_in(body, &[(Spoilt::Save, 1), (Spoilt::Keep(0), 3), (Spoilt::Keep(1), 2), (Spoilt::Snapshot, 1)]);
}

#[test]
fn iterations_of_parallel_loops_keep_what_they_leave() {
    let body = "!$omp parallel do private(k, l)\ndo i = 1, n\nl = i\nif (x(i) > 0d0) l = n + 1 - i\nk = 0\n\
                do while (y(l) < 1.5d0)\ny(l) = y(l)*1.2d0 + 0.1d0*x(i)\nk = k + 1\nend do\ny(l) = y(l)*k\nend do";
    found_in(body, &[(Spoilt::Last, 2)]);
}

#[test]
fn time_loops_take_snapshots() {
    let body = "y = x*y\ndo t = 1, m\ndo i = 2, n-1\nw(i) = y(i)*y(i-1)*y(i+1)\nend do\ndo i = 2, n-1\n\
                y(i) = sin(w(i))\nend do\nend do\ny = y*y";
    let decisions = [(Spoilt::Keep(0), 4), (Spoilt::Keep(1), 2), (Spoilt::Snapshot, 3), (Spoilt::Restored, 1)];
    found_in(body, &decisions);
}

#[test]
fn bounds_are_as_they_were() {
    let body = "k = n\na = x(1)\ndo t = 1, 2\nl = k\ndo i = 1, k\nif (i == 2) k = k - 1\na = a*sin(a*x(i))\nend do\n\
                y(l) = y(l)*a\nend do";
    found_in(body, &[(Spoilt::Save, 2), (Spoilt::Keep(0), 6), (Spoilt::Bounds, 1)]);
}

#[test]
fn ways_through_branches_are_known() {
    let body = "a = x(1)\ndo t = 1, 3\nif (a > 1d0) then\na = a*x(2)\nelse\na = a*sin(a)\nend if\nb = a*a\na = sin(b)*a\n\
                end do\ny(1) = a";
    found_in(body, &[(Spoilt::Save, 2), (Spoilt::Keep(0), 5), (Spoilt::Replay, 1)]);
}

#[test]
fn undone_statements_are_undone() {
    let body = "do i = 1, n\ny(i) = x(i)\nend do\na = 0d0\ndo i = 2, n\na = a + sin(y(i))*y(i-1)\n\
                y(i) = y(i) + x(i)**2\na = a + y(i)\nend do\ny(1) = y(1) + a";
    let text = subroutine(&format!("{VECTORS}\nreal(8) :: a"), body);
    found(&Options { allow_undo: true, ..options() }, &text, &[(Spoilt::Undone, 1)]);
}

#[test]
fn what_adjoints_of_calls_change_is_restored() {
    let text = "subroutine s(n, x, y)\ninteger, intent(in) :: n\nreal(8), intent(in) :: x(n)\n\
                real(8), intent(inout) :: y(n)\ninteger :: k\nreal(8) :: a\nk = min(1, n)\na = x(1)\ny(k) = y(k)*a\n\
                call q(a, y(2), k)\ny(k) = y(k)*a\ncall q(a, y(2), k)\ny(k) = y(k)*a\ncontains\n\
                subroutine q(a, b, k)\nreal(8), intent(inout) :: a, b\ninteger, intent(inout) :: k\n\
                k = k + 1\na = a*sin(b)*k\nb = b*a\nend subroutine\nend subroutine\n";
    found(&options(), text, &[(Spoilt::Save, 8), (Spoilt::Preserve, 3), (Spoilt::Keep(0), 6)]);
}

#[test]
fn what_an_adjoint_changes_is_missed_by_those_before() {
    // The adjoint of the second statement needs `y`, which the last one's changes; nothing earlier needs the others.
    let text = subroutine(&format!("{VECTORS}\nreal(8) :: a"), "a = x(1)\ny(1) = y(1)*a\na = a*a\ny(2) = y(2)*a");
    assert_eq!(findings(&text, &options(), Spoilt::Clobber), [false, false, false, true]);
}
