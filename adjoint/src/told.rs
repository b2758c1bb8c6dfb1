//! Directives that tell what the derivatives of the procedure are in which they stand: `!$ad external`, `!$ad linear-solve`. Its
//! statements aren't followed.

use std::collections::BTreeSet;

use costate_analysis::externals::{External, Matrix, Solve, Written};
use costate_grammar::diag::{Code, Diagnostic};
use costate_grammar::directives::{AdDirective, Construct};
use costate_grammar::ir::{
    Base, Dim, Intent, Name, ParentUnit, ProcId, ProcKind, Procedure, Program, Stmt, StmtKind, SymId, Variable,
};
use costate_grammar::source::Span;

/// Marks the procedures with source that have such a directive.
pub(crate) fn mark(program: &mut Program) {
    let all = (0..program.procedures.len()).map(costate_grammar::ir::Handle::new);
    let own = |p: &ProcId| !program.declarations.contains(&program[*p].file);
    let told = all.filter(|p| own(p) && is_told(program, *p)).collect();
    program.told = told;
}

/// True where such a directive stands in a procedure, or in what declares it.
pub(crate) fn is_told(program: &Program, proc: ProcId) -> bool {
    directives(&program[proc].body).next().is_some()
}

/// Such directives in a block.
fn directives(body: &[Stmt]) -> impl Iterator<Item = (&AdDirective, Span)> {
    body.iter().filter_map(|s| match &s.kind {
        StmtKind::Directive { directive, .. } => match &directive.construct {
            Construct::Ad(d @ (AdDirective::External(_) | AdDirective::LinearSolve(_))) => Some((d, s.origin.span())),
            _ => None,
        },
        _ => None,
    })
}

/// Where the directive stands.
pub(crate) fn place(program: &Program, proc: ProcId) -> Span {
    directives(&program[proc].body).next().map_or(program[proc].head, |d| d.1)
}

/// The directive of a procedure, by its first word.
pub(crate) fn shown(program: &Program, proc: ProcId) -> &'static str {
    match directives(&program[proc].body).next() {
        Some((AdDirective::LinearSolve(_), _)) => "!$ad linear-solve",
        Some(_) | None => "!$ad external",
    }
}

/// A directive that can't be followed.
fn refusal(span: Span, reason: impl Into<String>, help: &str) -> Diagnostic {
    Diagnostic::error(Code::UnsupportedDirective, span, "this directive can't be followed").reason(reason).help(help)
}

/// What the directive of a procedure says, and what is wrong with it.
pub(crate) fn row(program: &Program, proc: ProcId) -> (External, Vec<Diagnostic>) {
    let p = &program[proc];
    let mut all = directives(&p.body);
    let Some((directive, span)) = all.next() else { return Default::default() };
    let mut found = Vec::new();
    if let Some((_, second)) = all.next() {
        found.push(refusal(
            second,
            "the procedure has two, and each tells what its derivatives are",
            "keep one of them",
        ));
    }
    if matches!(p.parent, ParentUnit::Procedure(_)) || p.kind == ProcKind::Program {
        let reason = "it tells what the derivatives of an external or module procedure are";
        found.push(refusal(span, reason, "put the procedure into a module"));
    }
    let described = |s: &SymId| {
        program.var(*s).is_some_and(|v| {
            let shape = v.dims.iter().any(|d| !matches!(d, Dim::Explicit(..) | Dim::AssumedSize(_)));
            shape || v.attrs.optional || v.attrs.value || v.result && v.rank() > 0
        })
    };
    // Generated code calls what an interface block describes by that, and what is inactive has no derivatives to call.
    let inactive = |(word, list): &(String, Option<String>)| word == "inactive" && list.is_none();
    let by_itself = program.declarations.contains(&p.file)
        && matches!(directive, AdDirective::External(c) if c.iter().any(inactive));
    if matches!(p.parent, ParentUnit::File(_)) && !by_itself && named(program, p).iter().any(|(_, s)| described(s)) {
        let reason = "the procedure needs an explicit interface where it is called, and is in no module";
        found.push(refusal(span, reason, "put the procedure into a module"));
    }
    let names: BTreeSet<Name> = named(program, p).into_iter().map(|(n, _)| n).collect();
    let (external, help) = match directive {
        AdDirective::External(clauses) => {
            let help = "write `tangent(f_d)`, `adjoint(f_b)`, `module(m)`, `linear`, `self-adjoint`, `transpose(g)`, `inactive`, \
                        or `linear(x, y)` and `inactive(w)` for some dummies";
            (External::told(&p.name, &names, clauses), help)
        }
        AdDirective::LinearSolve(clauses) => {
            let solve = Solve::told(clauses);
            if let Ok(solve) = &solve {
                found.extend(Checked { program, p, span }.solve(solve));
            }
            let help = "write `matrix(a)` or `tridiagonal(l, d, u)`, `rhs(b)`, `solution(x)` unless it takes the place of `b`, \
                        and `size(n)`, `symmetric`, `triangle(upper)`, `transposed(f)`, `work(w)` where needed";
            let row = |s: Solve| External {
                without: s.work.clone(),
                written: Some(Written::Solve(s)),
                ..External::default()
            };
            (solve.map(row), help)
        }
        _ => return Default::default(),
    };
    match external {
        Ok(row) => (row, found),
        Err(reason) => {
            found.push(refusal(span, reason, help));
            (External::default(), found)
        }
    }
}

/// The dummies of a procedure, and its result, by their names.
pub(crate) fn named(program: &Program, p: &Procedure) -> Vec<(Name, SymId)> {
    let result = if let ProcKind::Function(r) = p.kind { Some(r) } else { None };
    p.dummies.iter().copied().chain(result).map(|d| (program[d].name.clone(), d)).collect()
}

/// What is asked of a directive for a solver.
struct Checked<'a> {
    program: &'a Program,
    p: &'a Procedure,
    span: Span,
}

impl Checked<'_> {
    fn variable(&self, name: &Name) -> Option<&Variable> {
        let (_, sym) = named(self.program, self.p).into_iter().find(|(n, _)| n == name)?;
        self.program.var(sym)
    }

    fn solve(&self, solve: &Solve) -> Vec<Diagnostic> {
        let refuse = |reason: String, help: &str| Some(refusal(self.span, reason, help));
        let (arrays, rank) =
            (solve.matrix.arrays(), if matches!(solve.matrix, Matrix::Tridiagonal(_)) { 1 } else { 2 });
        let vectors: Vec<&Name> = std::iter::once(&solve.rhs).chain(&solve.solution).collect();
        let all: Vec<&Name> = arrays.iter().chain(&vectors).copied().collect();
        if let Some(unknown) =
            all.iter().copied().chain(&solve.size).chain(&solve.work).find(|n| self.variable(n).is_none())
        {
            let reason = format!("`{unknown}` is no dummy of `{}`", self.p.name);
            return refuse(reason, "name dummies of the procedure").into_iter().collect();
        }
        let twice = (0..all.len()).find(|i| all[..*i].contains(&all[*i]));
        if let Some(i) = twice {
            let reason = format!("`{}` is named twice", all[i]);
            return refuse(reason, "leave `solution` out where it takes the place of the right-hand side")
                .into_iter()
                .collect();
        }
        let rhs = self.variable(&solve.rhs);
        let mut found = Vec::new();
        for name in &all {
            let Some(v) = self.variable(name) else { continue };
            let matrix = arrays.contains(name);
            let wanted = if matrix { rank } else { rhs.map_or(1, Variable::rank) };
            found.extend(self.array(name, v, (wanted, matrix), rhs));
        }
        if rhs.is_none_or(|v| !matches!(v.rank(), 1 | 2)) {
            let reason = format!("`{}` is neither one right-hand side nor several as columns", solve.rhs);
            found.extend(refuse(reason, "pass an array of rank one or two"));
        }
        let complex = rhs.is_some_and(|v| v.ty.base == Base::Complex);
        if complex && (solve.transposed.is_some() || !matches!(solve.matrix, Matrix::Dense(_) | Matrix::Tridiagonal(_)))
        {
            let reason = "the adjoint of a complex matrix is its conjugate transpose";
            found.extend(refuse(reason.into(), "leave `symmetric` and `transposed` out"));
        }
        if self.p.prefix.elemental {
            found.extend(refuse("the procedure is elemental".into(), "leave `elemental` out"));
        }
        found.extend(self.size(solve, rhs));
        found.extend(self.rows(solve));
        found
    }

    fn array(
        &self,
        name: &Name,
        v: &Variable,
        (rank, matrix): (u8, bool),
        rhs: Option<&Variable>,
    ) -> Option<Diagnostic> {
        let a = &v.attrs;
        let moving = a.allocatable || a.pointer || a.optional || a.value || a.changes_unseen();
        let from_one = |d: &Dim| match d {
            Dim::Explicit(lo, _) | Dim::Assumed(lo) | Dim::AssumedSize(lo) => {
                lo.as_ref().is_none_or(|e| e.as_int() == Some(1))
            }
            Dim::Deferred | Dim::AssumedRank => false,
        };
        let reason = if v.rank() != rank {
            format!("`{name}` is of rank {}, and not of rank {rank}", v.rank())
        } else if !v.ty.is_continuous() || rhs.is_some_and(|r| r.ty != v.ty) {
            format!("`{name}` isn't of the type of the right-hand side, real or complex")
        } else if moving {
            format!("`{name}` is allocatable, a pointer, optional, or passed by value")
        } else if !v.dims.iter().all(from_one) {
            format!("the subscripts of `{name}` don't begin at 1")
        } else if rank == 2 && !matrix && matches!(v.dims.last(), Some(Dim::AssumedSize(_))) {
            // A matrix has as many columns as there are equations.
            format!("nobody knows how many columns `{name}` has")
        } else {
            return None;
        };
        Some(refusal(
            self.span,
            reason,
            "declare the arrays as `a(n, n)`, `b(n)`, `x(n)`, or `a(:, :)`, `b(:)`, `x(:)`",
        ))
    }

    /// The number of equations has to be known.
    fn size(&self, solve: &Solve, rhs: Option<&Variable>) -> Option<Diagnostic> {
        let integer = |v: &Variable| v.ty.base == Base::Integer && v.dims.is_empty();
        if let Some(size) = &solve.size {
            let fine =
                self.variable(size).is_some_and(|v| integer(v) && !v.attrs.optional && v.intent != Some(Intent::Out));
            let reason = format!("`{size}` isn't a number that the procedure is given");
            return (!fine).then(|| refusal(self.span, reason, "name an integer dummy: `size(n)`"));
        }
        let numbers = self
            .p
            .dummies
            .iter()
            .filter(|d| self.program.var(**d).is_some_and(|v| integer(v) && v.intent != Some(Intent::Out)));
        let numbers: Vec<&SymId> = numbers.collect();
        let known = match rhs?.dims.first()? {
            Dim::Explicit(_, hi) => hi.as_var().is_some_and(|d| numbers.contains(&&d.sym)) || numbers.is_empty(),
            Dim::Assumed(_) => numbers.is_empty(),
            Dim::AssumedSize(_) | Dim::Deferred | Dim::AssumedRank => false,
        };
        let reason = "it doesn't tell how many equations there are";
        (!known).then(|| refusal(self.span, reason, "name the integer dummy that says it: `size(n)`"))
    }

    /// Which row the elements beside a diagonal belong to.
    fn rows(&self, solve: &Solve) -> Option<Diagnostic> {
        let Matrix::Tridiagonal(arrays) = &solve.matrix else { return None };
        let dims: Vec<Option<&Dim>> = arrays.iter().map(|n| self.variable(n).and_then(|v| v.dims.first())).collect();
        // Extents that come with the call are compared as the derivative runs.
        let assumed = dims.iter().any(|d| matches!(d, Some(Dim::Assumed(_))));
        let sized = |d: &Option<&Dim>| match d {
            Some(Dim::Explicit(..) | Dim::Assumed(_)) => true,
            Some(Dim::AssumedSize(_)) => !assumed,
            Some(Dim::Deferred | Dim::AssumedRank) | None => false,
        };
        let alike = dims.iter().all(sized) && (assumed || dims.windows(2).all(|w| w[0] == w[1]));
        let reason = "the arrays of the three diagonals aren't declared with the same extent";
        (!alike).then(|| {
            refusal(
                self.span,
                reason,
                "declare `l(n)`, `d(n)`, `u(n)`, with `l(i)`, `d(i)` and `u(i)` in row i of the matrix",
            )
        })
    }
}
