//! What directives declare for devices.

use std::collections::{BTreeMap, BTreeSet};

use costate_grammar::directives::{AccConstruct, Construct, Directive, OmpConstruct, parse};
use costate_grammar::ir::{Expr, ProcId, Program, ScopeKind, Stmt, StmtKind, SymId, Variable, for_each_stmt};
use costate_grammar::print::expr;

use crate::callgraph::{calls, reached};
use crate::calls::{bind, called};

/// True for a variable of a module that a directive declares for devices, too: all threads have the same one.
pub fn is_on_devices(program: &Program, sym: SymId) -> bool {
    declared_on_devices(program, sym, "!$acc declare") || declared_on_devices(program, sym, "!$omp declare target")
}

/// True where a directive that begins with `words` names an entity of a module.
pub fn declared_on_devices(program: &Program, sym: SymId, words: &str) -> bool {
    let name = program[sym].name.as_str().to_ascii_lowercase();
    let mut texts = program[program[sym].scope].texts.iter().map(|t| t.to_ascii_lowercase());
    texts.any(|text| text.starts_with(words) && costate_grammar::ir::words(&text).any(|w| w == name))
}

/// True for a directive that stands alone and puts variables on a device, or takes them from there.
pub fn is_lasting(c: &Construct) -> bool {
    use AccConstruct as A;
    use OmpConstruct as O;
    matches!(c, Construct::Acc(A::EnterData | A::ExitData) | Construct::Omp(O::TargetEnterData | O::TargetExitData))
}

/// True for a procedure that puts variables on a device, or takes them from there, for longer than it lasts.
pub fn moves(program: &Program, proc: ProcId) -> bool {
    let mut found = false;
    for_each_stmt(&program[proc].body, &mut |s| found |= moves_alone(program, s));
    found
}

/// True for a directive that does so with arrays and stands alone: what it does outlasts a procedure, and derivative code does the
/// same.
pub fn moves_alone(program: &Program, s: &Stmt) -> bool {
    let array = |x: &SymId| is_array(program, *x);
    match &s.kind {
        StmtKind::Directive { directive, names, body: None } => {
            let all =
                names.iter().any(array) && names.iter().all(|x| array(x) || program.var(*x).is_some_and(is_number));
            is_lasting(&directive.construct) && all
        }
        _ => false,
    }
}

/// A directive that puts arrays on a device for longer than a procedure lasts, or takes them from there.
pub struct Move {
    /// Those that it puts there; else it takes them.
    pub puts: bool,
    /// It takes them however often they were put there.
    pub is_final: bool,
    /// The arrays, in the caller's terms.
    pub arrays: Vec<SymId>,
    /// What undoes it, once.
    pub undone: Option<Directive>,
}

/// What a statement, and the procedures that it calls, move in this way. Dummies that stand for parts of arrays are left out.
pub fn moves_of(program: &Program, s: &Stmt) -> Vec<Move> {
    let mut out = Vec::new();
    out.extend(of_directive(program, s, &|n| Some(n)));
    let bound = called(program, s).map(|(p, args)| (p, bind(program, &program[p], args)));
    for p in reached(program, &calls(program, std::slice::from_ref(s))) {
        let actual = |n: SymId| match program[p].dummies.iter().position(|d| *d == n) {
            Some(k) => {
                let (_, actuals) = bound.as_ref().filter(|(proc, _)| *proc == p)?;
                actuals[k].and_then(Expr::as_var).filter(|d| d.parts.is_empty()).map(|d| d.sym)
            }
            None => is_of_module(program, n).then_some(n),
        };
        for_each_stmt(&program[p].body, &mut |x| out.extend(of_directive(program, x, &actual)));
    }
    out
}

/// Arrays that statements put on a device, and those that they take from there.
#[derive(Debug, Default)]
pub struct Moved {
    /// What is put there.
    pub put: BTreeSet<SymId>,
    /// What is taken from there,
    pub taken: BTreeSet<SymId>,
    /// and of that, what is however often it was put there.
    pub at_last: BTreeSet<SymId>,
}

impl Moved {
    /// Adds what a statement moves.
    pub fn add(&mut self, program: &Program, s: &Stmt) {
        for m in moves_of(program, s) {
            self.at_last.extend(m.arrays.iter().filter(|_| m.is_final));
            let set = if m.puts { &mut self.put } else { &mut self.taken };
            set.extend(m.arrays);
        }
    }
}

/// Arrays that a block puts on a device and doesn't take from there, or the other way round, whatever its conditions: what is put
/// there under a condition is taken from there under the same one.
pub fn unpaired(program: &Program, block: &[Stmt]) -> BTreeSet<SymId> {
    let mut moved = BTreeMap::new();
    by_conditions(program, block, &mut Vec::new(), &mut moved);
    moved.values().flat_map(|m: &Moved| m.put.symmetric_difference(&m.taken)).copied().collect()
}

/// What statements move, by the conditions and loops that they stand in.
fn by_conditions(program: &Program, block: &[Stmt], inside: &mut Vec<String>, out: &mut BTreeMap<Vec<String>, Moved>) {
    for s in block {
        match &s.kind {
            StmtKind::If { arms, otherwise, .. } => {
                let (mut list, mut each) = (Vec::new(), Vec::new());
                let bodies = arms.iter().map(|a| (Some(&a.cond), a.body.as_slice()));
                for (cond, body) in bodies.chain([(None, otherwise.as_deref().unwrap_or_default())]) {
                    list.push(cond.map_or_else(|| "else".to_string(), |e| expr(program, e)));
                    inside.push(list.join(" else "));
                    by_conditions(program, body, inside, out);
                    each.push(inside.clone());
                    inside.pop();
                }
                whatever_the_condition(inside, &each, out);
            }
            _ if s.blocks().is_empty() => out.entry(inside.clone()).or_default().add(program, s),
            _ => {
                for (k, b) in s.blocks().into_iter().enumerate() {
                    let always = matches!(
                        s.kind,
                        StmtKind::BlockScope { .. } | StmtKind::Associate { .. } | StmtKind::Directive { .. }
                    );
                    inside.extend((!always).then(|| format!("{:?} {k}", s.id)));
                    by_conditions(program, b, inside, out);
                    inside.truncate(inside.len() - usize::from(!always));
                }
            }
        }
    }
}

/// What is moved in each branch of a construct is moved behind it.
fn whatever_the_condition(inside: &[String], each: &[Vec<String>], out: &mut BTreeMap<Vec<String>, Moved>) {
    let all = |of: fn(&Moved) -> &BTreeSet<SymId>, out: &BTreeMap<Vec<String>, Moved>| {
        let mut sets = each.iter().map(|key| out.get(key).map(|m| of(m).clone()).unwrap_or_default());
        let first = sets.next().unwrap_or_default();
        sets.fold(first, |a, b| a.intersection(&b).copied().collect::<BTreeSet<SymId>>())
    };
    let (put, taken) = (all(|m| &m.put, out), all(|m| &m.taken, out));
    for key in each {
        if let Some(m) = out.get_mut(key) {
            m.put.retain(|x| !put.contains(x));
            m.taken.retain(|x| !taken.contains(x));
        }
    }
    let outer = out.entry(inside.to_vec()).or_default();
    outer.put.extend(put);
    outer.taken.extend(taken);
}

fn of_directive(program: &Program, s: &Stmt, named: &dyn Fn(SymId) -> Option<SymId>) -> Option<Move> {
    let StmtKind::Directive { directive, names, .. } = &s.kind else { return None };
    if !moves_alone(program, s) {
        return None;
    }
    let arrays: Vec<SymId> = names.iter().copied().filter(|n| is_array(program, *n)).collect();
    let list: Vec<SymId> = arrays.iter().map(|n| named(*n)).collect::<Option<_>>()?;
    let undone = if list == arrays {
        directive.undone()
    } else {
        let words = if directive.acc().is_some() { "exit data copyout(" } else { "target exit data map(from: " };
        let names: Vec<String> = list.iter().map(|n| program[*n].name.to_string()).collect();
        let puts = directive.undone().is_some();
        puts.then(|| parse(directive.sentinel, &format!("{words}{})", names.join(", ")), s.origin.span()).ok())
            .flatten()
    };
    Some(Move { puts: directive.undone().is_some(), is_final: directive.is_final(), arrays: list, undone })
}

fn is_array(program: &Program, sym: SymId) -> bool {
    program.var(sym).is_some_and(|v| v.rank() > 0 && v.ty.derived().is_none())
}

fn is_number(v: &Variable) -> bool {
    v.rank() == 0 && v.ty.derived().is_none()
}

fn is_of_module(program: &Program, sym: SymId) -> bool {
    matches!(program[program[sym].scope].kind, ScopeKind::Module(_))
}
