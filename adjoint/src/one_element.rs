//! Dummy arrays that are declared with one element (`dimension a(1)`), as was done before Fortran had `*`. Where more of them
//! is used they are of assumed size to compilers, and to derivatives.

use costate_analysis::effects::reached;
use costate_grammar::ir::{
    Arg, Callee, Dim, Expr, ExprKind, Part, ProcId, Program, Stmt, StmtKind, Subscript, SymId, SymbolKind, Variable,
    for_each_expr, for_each_stmt,
};

/// Gives such dummies assumed size in the procedures below the heads.
pub(crate) fn settle(program: &mut Program, heads: &[ProcId]) {
    let procedures = reached(program, heads);
    // What hands its argument on to one of assumed size uses more than one element itself.
    loop {
        let found: Vec<SymId> = procedures.iter().flat_map(|p| used_beyond(program, *p)).collect();
        if found.is_empty() {
            return;
        }
        for sym in found {
            if let SymbolKind::Variable(v) = &mut program[sym].kind
                && let Some(last) = v.dims.last_mut()
            {
                *last = Dim::AssumedSize(None);
            }
        }
    }
}

/// True for an array whose last extent is written as 1.
fn has_one(v: &Variable) -> bool {
    let one = |e: &Expr| e.as_int() == Some(1);
    matches!(v.dims.last(), Some(Dim::Explicit(lo, hi)) if lo.as_ref().is_none_or(one) && one(hi))
}

/// Dummies with one element of which a procedure uses others.
fn used_beyond(program: &Program, proc: ProcId) -> Vec<SymId> {
    let p = &program[proc];
    let with_one: Vec<SymId> = p.dummies.iter().copied().filter(|s| program.var(*s).is_some_and(has_one)).collect();
    let beyond = |sym: &SymId| {
        let mut uses = Uses { program, sym: *sym, beyond: false, whole: 0, passed: 0 };
        for q in std::iter::once(&proc).chain(&p.internals) {
            for_each_stmt(&program[*q].body, &mut |s| uses.stmt(s));
        }
        // An array of assumed size is used as a whole in calls alone.
        uses.beyond && uses.whole == uses.passed
    };
    with_one.into_iter().filter(beyond).collect()
}

/// How statements use an array.
struct Uses<'p> {
    program: &'p Program,
    sym: SymId,
    beyond: bool,
    /// References to it as a whole, and how many of them are passed.
    whole: usize,
    passed: usize,
}

impl Uses<'_> {
    fn stmt(&mut self, s: &Stmt) {
        if let StmtKind::Call { callee, args } = &s.kind {
            self.call(callee, args);
        }
        for e in s.exprs() {
            for_each_expr(e, &mut |x| match &x.kind {
                ExprKind::Call { callee, args } => self.call(callee, args),
                ExprKind::Var(d) if d.sym == self.sym => match d.parts.first() {
                    Some(Part::Subscripts(list)) => {
                        self.beyond |= matches!(list.last(), Some(Subscript::Index(e)) if e.as_int() != Some(1));
                    }
                    _ => self.whole += 1,
                },
                _ => {}
            });
        }
    }

    /// Whether a call goes beyond the first element.
    fn call(&mut self, callee: &Callee, args: &[Arg]) {
        let Callee::Proc { sym, .. } = callee else { return };
        let called = self.program[*sym].procedure().and_then(|p| p.definition.or(p.interface));
        for (at, a) in args.iter().enumerate() {
            let Some(d) = a.value.as_var().filter(|d| d.sym == self.sym) else { continue };
            let index = |s: &Subscript| matches!(s, Subscript::Index(e) if e.rank == 0);
            let element = matches!(d.parts.as_slice(), [Part::Subscripts(list)] if list.iter().all(index));
            self.passed += usize::from(d.parts.is_empty());
            let dummy = called.and_then(|c| self.program[c].dummies.get(at)).and_then(|s| self.program.var(*s));
            let more = dummy.is_some_and(|v| v.rank() > 0 && !has_one(v));
            self.beyond |= more && (d.parts.is_empty() || element);
        }
    }
}
