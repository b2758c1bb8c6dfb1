//! Which variables hold handles of the message passing interface: communicators, datatypes, requests and the like. In
//! Fortran without `mpi_f08` they are integers like others, and only calls tell them apart. What calls make differs from
//! run to run.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use costate_grammar::ir::{
    Arg, Callee, Expr, ExprKind, ModuleKind, Name, ProcKind, Program, Stmt, StmtKind, SymId, for_each_expr,
    for_each_stmt,
};

use super::messages::{REQUEST, arguments, called, handle};
use crate::calls::{bind, target};

/// A variable and the names of the components on the way to a part of it.
pub type Place = (SymId, Vec<Name>);

/// Components of components are followed to this depth: lists that are linked have no end.
const DEEPEST: usize = 8;

/// The variables of a program that hold handles.
#[derive(Clone, Debug, Default)]
pub struct Handles {
    /// What calls of MPI give, and where it may be copied to.
    made: BTreeSet<Place>,
    /// What calls are given, by the names of their arguments, and what may be copied there.
    used: BTreeMap<Place, &'static str>,
}

/// How values go from one place to another.
#[derive(Default)]
struct Ways {
    /// From the second to the first.
    copies: Vec<(Place, Place)>,
    /// Dummies and what they stand for.
    stands: Vec<(Place, Place)>,
}

impl Handles {
    /// Finds them by the calls in all procedures.
    pub fn of(program: &Program) -> Handles {
        let (mut out, mut ways) = (Handles::default(), Ways::default());
        for (_, procedure) in program.procedures() {
            for_each_stmt(&procedure.body, &mut |stmt| {
                if let StmtKind::Call { callee, args } = &stmt.kind {
                    out.passed(program, callee, args);
                    ways.passed(program, callee, args);
                }
                ways.add(program, stmt);
            });
        }
        let down = |(dummy, actual): &(Place, Place)| (dummy.clone(), actual.clone());
        let up = |(dummy, actual): &(Place, Place)| (actual.clone(), dummy.clone());
        let forward: Vec<_> =
            ways.copies.iter().cloned().chain(ways.stands.iter().flat_map(|w| [down(w), up(w)])).collect();
        let made = out.made.iter().map(|p| (p.clone(), ())).collect();
        spread(made, &forward, &mut |place, ()| out.made.insert(place));
        let backward: Vec<_> = ways.copies.iter().map(up).chain(ways.stands.iter().map(up)).collect();
        spread(out.used.clone().into_iter().collect(), &backward, &mut |place, what| {
            let new = !out.used.contains_key(&place);
            out.used.entry(place).or_insert(what);
            new
        });
        out
    }

    /// What a call of MPI is given and gives.
    fn passed(&mut self, program: &Program, callee: &Callee, args: &[Arg]) {
        let Some((name, _)) = called(program, callee) else { return };
        let Some(known) = arguments(&name) else { return };
        for (i, arg) in args.iter().enumerate() {
            let Some(argument) = arg.keyword.as_ref().or(known.names.get(i)) else { continue };
            let (Some(place), Some(what)) = (place(&arg.value), what(argument)) else { continue };
            let given = known.changes.contains(argument);
            if given {
                self.made.insert(place.clone());
            }
            // A request may stand for nothing before it is given.
            if !given || what == REQUEST {
                self.used.entry(place).or_insert(what);
            }
        }
    }

    /// True where a part of a variable holds a handle that a call may have made, so that its value says nothing.
    pub fn holds(&self, program: &Program, sym: SymId, path: &[Name]) -> bool {
        is_of_types(program, sym, path) || self.made.contains(&(sym, path.to_vec()))
    }

    /// What a part of a variable must hold a handle of before the call: `communicator` and the like, or `root` for the
    /// rank of a process.
    pub fn needed(&self, sym: SymId, path: &[Name]) -> Option<&'static str> {
        let object = path.split_last().filter(|_| ends_in_value(path)).map(|(_, object)| object);
        [Some(path), object].into_iter().flatten().find_map(|p| self.used.get(&(sym, p.to_vec())).copied())
    }

    /// All places that must hold one.
    pub fn all_needed(&self) -> impl Iterator<Item = (&Place, &'static str)> {
        self.used.iter().map(|(p, what)| (p, *what))
    }

    /// True where a call may make it.
    pub fn is_made(&self, sym: SymId, path: &[Name]) -> bool {
        (0..=path.len()).any(|n| self.made.contains(&(sym, path[..n].to_vec())))
    }
}

fn what(argument: &str) -> Option<&'static str> {
    handle(argument).or((argument == "root").then_some("root"))
}

/// The integer in an object of `mpi_f08`.
fn ends_in_value(path: &[Name]) -> bool {
    path.last().is_some_and(|n| n.as_str() == "mpi_val")
}

/// True for the integer in an object of a type of `mpi_f08`.
fn is_of_types(program: &Program, sym: SymId, path: &[Name]) -> bool {
    let Some((_, object)) = path.split_last().filter(|_| ends_in_value(path)) else { return false };
    let ty = crate::storage::resolve(program, sym, object).and_then(|e| e.ty.derived());
    let module = ty.and_then(|t| program.module_of(program[t].scope)).map(|m| &program[m]);
    module.is_some_and(|m| m.kind == ModuleKind::Intrinsic && m.name.as_str() == "mpi_f08")
}

fn place(e: &Expr) -> Option<Place> {
    e.as_var().map(|d| (d.sym, d.path()))
}

impl Ways {
    fn passed(&mut self, program: &Program, callee: &Callee, args: &[Arg]) {
        let (definition, mut all) = match callee {
            Callee::Bound { object, resolved: Some(sym), .. } => {
                let definition = program[*sym].procedure().and_then(|p| p.definition);
                (definition, vec![Arg { keyword: None, value: (**object).clone() }])
            }
            _ => (target(program, callee), Vec::new()),
        };
        let Some(procedure) = definition.map(|p| &program[p]) else { return };
        if procedure.dummies.len() <= args.len() {
            // The object isn't passed.
            all.clear();
        }
        all.extend(args.iter().cloned());
        for (&dummy, actual) in procedure.dummies.iter().zip(bind(program, procedure, &all)) {
            self.stands.extend(actual.and_then(place).map(|actual| ((dummy, Vec::new()), actual)));
        }
    }

    fn add(&mut self, program: &Program, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Assign { lhs, rhs } => {
                let from = match &rhs.kind {
                    ExprKind::Call { callee, .. } => result(program, callee),
                    _ => place(rhs),
                };
                self.copies.extend(place(lhs).zip(from));
            }
            StmtKind::PointerAssign { lhs, rhs } => self.stands.extend(place(lhs).zip(place(rhs))),
            StmtKind::Associate { bindings, .. } => {
                self.stands.extend(bindings.iter().filter_map(|(name, e)| Some(((*name, Vec::new()), place(e)?))));
            }
            _ => {}
        }
        for e in stmt.exprs() {
            for_each_expr(e, &mut |e| {
                if let ExprKind::Call { callee, args } = &e.kind {
                    self.passed(program, callee, args);
                }
            });
        }
    }
}

/// The result of a function.
fn result(program: &Program, callee: &Callee) -> Option<Place> {
    match program[target(program, callee)?].kind {
        ProcKind::Function(result) => Some((result, Vec::new())),
        ProcKind::Subroutine | ProcKind::Program => None,
    }
}

/// Follows places along ways, each to the first of a pair from the second; `enter` is true for what it hasn't seen.
fn spread<T: Copy>(from: Vec<(Place, T)>, ways: &[(Place, Place)], enter: &mut dyn FnMut(Place, T) -> bool) {
    let mut left: VecDeque<(Place, T)> = from.into();
    while let Some(((sym, path), what)) = left.pop_front() {
        for ((to, to_path), (_, from_path)) in ways.iter().filter(|w| w.1.0 == sym) {
            let place = match (path.strip_prefix(from_path.as_slice()), from_path.starts_with(&path)) {
                // A part of what goes there.
                (Some(rest), _) => (*to, [to_path, rest].concat()),
                // It goes there with what it is a part of.
                (None, true) => (*to, to_path.clone()),
                (None, false) => continue,
            };
            if place.1.len() <= DEEPEST && enter(place.clone(), what) {
                left.push_back((place, what));
            }
        }
    }
}
