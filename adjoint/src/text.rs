//! Values that leave the reals and come back: as text in a character variable, as bits in integers, logicals and
//! characters (`transfer`), or through a file. No derivative follows them there.

use std::collections::BTreeSet;
use std::rc::Rc;

use costate_analysis::activity::Activity;
use costate_analysis::effects::{Effects, bind, target};
use costate_analysis::storage::LocSet;
use costate_grammar::diag::{Code, Diagnostic};
use costate_grammar::intrinsics::{Class, Intrinsic};
use costate_grammar::ir::{
    Arg, Base, Callee, DataKind, Expr, ExprKind, ProcId, ProcKind, Program, Stmt, StmtKind, SymId, for_each_expr,
    for_each_stmt,
};

/// Refuses to take useful numbers from where varied numbers were put in another form.
pub(crate) fn check(program: &Program, effects: &mut Effects, activity: &Activity) -> Vec<Diagnostic> {
    let bodies: Vec<(ProcId, Rc<Vec<Stmt>>)> = effects.bodies.iter().map(|(p, b)| (*p, Rc::clone(b))).collect();
    let mut walk = Walk {
        program,
        effects,
        activity,
        texts: BTreeSet::new(),
        bits: BTreeSet::new(),
        file: false,
        bits_in_file: false,
    };
    let mut known = None;
    while known != Some((walk.texts.len(), walk.bits.len(), walk.bits_in_file)) {
        known = Some((walk.texts.len(), walk.bits.len(), walk.bits_in_file));
        for (proc, body) in &bodies {
            for_each_stmt(body, &mut |s| {
                walk.follow(*proc, s);
                walk.follow_bits(*proc, s);
                walk.note_file(*proc, s);
            });
        }
    }
    let mut problems = Vec::new();
    for (proc, body) in &bodies {
        for_each_stmt(body, &mut |s| {
            problems.extend(walk.read_back(*proc, s));
            problems.extend(walk.bits_back(*proc, s));
            problems.extend(walk.file_back(*proc, s));
        });
    }
    problems
}

struct Walk<'a> {
    program: &'a Program,
    effects: &'a mut Effects,
    activity: &'a Activity,
    /// Variables that hold varied numbers as text.
    texts: BTreeSet<SymId>,
    /// Variables that aren't real and hold bits of varied numbers.
    bits: BTreeSet<SymId>,
    /// Varied numbers are written to a file.
    file: bool,
    /// Bits of them are.
    bits_in_file: bool,
}

impl Walk<'_> {
    fn holds(&self, e: &Expr) -> bool {
        let mut found = false;
        for_each_expr(e, &mut |e| {
            found |= match &e.kind {
                ExprKind::Var(d) => self.texts.contains(&d.sym),
                ExprKind::Call { callee, .. } => target(self.program, callee).is_some_and(|p| self.gives(p)),
                _ => false,
            };
        });
        found
    }

    /// True for a function whose result holds them.
    fn gives(&self, proc: ProcId) -> bool {
        matches!(self.program[proc].kind, ProcKind::Function(r) if self.texts.contains(&r))
    }

    fn mark(&mut self, e: &Expr) {
        if let Some(d) = e.as_var() {
            self.texts.insert(d.sym);
        }
    }

    fn follow(&mut self, proc: ProcId, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Io { kind, items, .. } => {
                let held = items.uses.iter().any(|e| self.holds(e));
                let written = items.internal && *kind == DataKind::Write;
                if held || written && self.writes_varied(proc, stmt, &items.uses) {
                    items.defines.iter().filter(|e| e.ty.base == Base::Character).for_each(|e| self.mark(e));
                }
            }
            StmtKind::Assign { lhs, rhs } if !lhs.ty.is_numeric() && self.holds(rhs) => self.mark(lhs),
            _ => {}
        }
        if let StmtKind::Call { callee, args } = &stmt.kind {
            self.pass(target(self.program, callee), args);
        }
        for e in stmt.exprs() {
            for_each_expr(e, &mut |e| {
                if let ExprKind::Call { callee, args } = &e.kind {
                    self.pass(target(self.program, callee), args);
                }
            });
        }
    }

    /// Between arguments and dummies, both ways.
    fn pass(&mut self, callee: Option<ProcId>, args: &[Arg]) {
        let Some(callee) = callee else { return };
        let procedure = &self.program[callee];
        for (dummy, actual) in procedure.dummies.iter().zip(bind(self.program, procedure, args)) {
            let Some(actual) = actual.filter(|e| !e.ty.is_numeric()) else { continue };
            if self.holds(actual) {
                self.texts.insert(*dummy);
            }
            if self.texts.contains(dummy) {
                self.mark(actual);
            }
        }
    }

    fn locs(&mut self, items: &[Expr]) -> LocSet {
        let mut out = LocSet::new();
        items.iter().for_each(|e| self.effects.reads(self.program, e, &mut out));
        out.retain(|l| self.effects.locs.is_continuous(self.program, *l));
        out
    }

    /// Where no derivative passes through a procedure nothing is known of its variables.
    fn writes_varied(&mut self, proc: ProcId, stmt: &Stmt, items: &[Expr]) -> bool {
        let locs = self.locs(items);
        let mut contexts = self.activity.contexts.iter().filter(|c| c.proc == proc).peekable();
        let unknown = contexts.peek().is_none();
        let varied = contexts.any(|c| c.varied.get(&stmt.id).is_some_and(|v| locs.iter().any(|l| v.contains(l))));
        !locs.is_empty() && (unknown || varied)
    }

    fn read_back(&mut self, proc: ProcId, stmt: &Stmt) -> Option<Diagnostic> {
        let StmtKind::Io { kind: DataKind::Read, items, .. } = &stmt.kind else { return None };
        if !items.internal || !items.uses.iter().any(|e| self.holds(e)) {
            return None;
        }
        let message = "this statement reads back numbers that the derivative depends on";
        self.is_useful(proc, stmt, &items.defines).then(|| {
            Diagnostic::error(Code::ActiveIo, stmt.origin.span(), message)
                .reason("they were written to a character variable, and no derivative goes through text")
                .help("assign the numbers themselves")
        })
    }

    /// Where no derivative passes through a procedure nothing is known of its variables.
    fn is_useful(&mut self, proc: ProcId, stmt: &Stmt, defines: &[Expr]) -> bool {
        let locs = self.locs(defines);
        let mut contexts = self.activity.contexts.iter().filter(|c| c.proc == proc).peekable();
        let unknown = contexts.peek().is_none();
        let useful = contexts.any(|c| c.useful.get(&stmt.id).is_some_and(|u| locs.iter().any(|l| u.contains(l))));
        !locs.is_empty() && (unknown || useful)
    }

    /// True for an expression whose value has bits of varied numbers in it. Subscripts and inquiries aren't values.
    fn has_bits(&mut self, proc: ProcId, stmt: &Stmt, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Var(d) => self.bits.contains(&d.sym),
            ExprKind::Call { callee: Callee::Intrinsic(f), .. } if f.class() == Class::Inquiry => false,
            ExprKind::Call { callee: Callee::Intrinsic(Intrinsic::Transfer), args } => {
                let Some(source) = args.first().map(|a| a.value.clone()) else { return false };
                let out = !e.ty.is_continuous();
                out && self.writes_varied(proc, stmt, std::slice::from_ref(&source))
                    || self.has_bits(proc, stmt, &source)
                    || self.holds(&source)
            }
            ExprKind::Call { callee, .. } if self.function_of_bits(callee) => true,
            ExprKind::Call { callee: Callee::Proc { .. } | Callee::Bound { .. }, .. } => false,
            _ => e.children().into_iter().any(|c| self.has_bits(proc, stmt, c)),
        }
    }

    fn function_of_bits(&self, callee: &Callee) -> bool {
        let kind = target(self.program, callee).map(|p| self.program[p].kind);
        matches!(kind, Some(ProcKind::Function(r)) if self.bits.contains(&r))
    }

    fn follow_bits(&mut self, proc: ProcId, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Assign { lhs, rhs } if !lhs.ty.is_continuous() && self.has_bits(proc, stmt, rhs) => {
                self.bits.extend(lhs.as_var().map(|d| d.sym));
            }
            StmtKind::Io { kind: DataKind::Write, items, .. } if items.internal => {
                let held = items.uses.iter().any(|e| self.has_bits(proc, stmt, e));
                let files = items.defines.iter().filter(|e| held && e.ty.base == Base::Character);
                self.texts.extend(files.filter_map(|e| e.as_var()).map(|d| d.sym));
            }
            StmtKind::Io { kind: DataKind::Read, items, .. } => {
                let held = match items.internal {
                    true => items.uses.iter().any(|e| self.holds(e)),
                    false => self.bits_in_file,
                };
                let read = items.defines.iter().filter(|e| held && !e.ty.is_continuous());
                self.bits.extend(read.filter_map(|e| e.as_var()).map(|d| d.sym));
            }
            StmtKind::Call { callee, args } => {
                self.pass_bits(proc, stmt, target(self.program, callee), args);
                if let (Callee::Intrinsic(_), true) = (callee, args.iter().any(|a| self.has_bits(proc, stmt, &a.value)))
                {
                    // `mvbits` and its like.
                    let put = args.iter().filter(|a| !a.value.ty.is_continuous()).filter_map(|a| a.value.as_var());
                    self.bits.extend(put.map(|d| d.sym));
                }
            }
            _ => {}
        }
        let mut calls = Vec::new();
        for e in stmt.exprs() {
            for_each_expr(e, &mut |e| {
                if let ExprKind::Call { callee, args } = &e.kind {
                    calls.push((target(self.program, callee), args.clone()));
                }
            });
        }
        calls.into_iter().for_each(|(callee, args)| self.pass_bits(proc, stmt, callee, &args));
    }

    /// Between arguments and dummies, both ways.
    fn pass_bits(&mut self, proc: ProcId, stmt: &Stmt, callee: Option<ProcId>, args: &[Arg]) {
        let Some(callee) = callee else { return };
        let procedure = &self.program[callee];
        for (dummy, actual) in procedure.dummies.iter().zip(bind(self.program, procedure, args)) {
            let Some(actual) = actual.filter(|e| !e.ty.is_continuous()) else { continue };
            if self.has_bits(proc, stmt, actual) {
                self.bits.insert(*dummy);
            }
            if self.bits.contains(dummy) {
                self.bits.extend(actual.as_var().map(|d| d.sym));
            }
        }
    }

    /// A real that is made of bits of varied numbers.
    fn bits_back(&mut self, proc: ProcId, stmt: &Stmt) -> Option<Diagnostic> {
        let StmtKind::Assign { lhs, rhs } = &stmt.kind else { return None };
        let back = (lhs.ty.is_continuous() || lhs.is_derived()) && self.has_bits(proc, stmt, rhs);
        let message = "this statement takes back bits of numbers that the derivative depends on";
        (back && self.is_useful(proc, stmt, std::slice::from_ref(lhs))).then(|| {
            Diagnostic::error(Code::UnsupportedExpression, stmt.origin.span(), message)
                .reason("`transfer` put them into a variable that isn't real, and no derivative goes through bits")
                .help("assign the numbers themselves; write the operation on bits with `abs`, `sign`, `aint`, `scale`")
        })
    }

    /// Notes that varied numbers go to a file that could be read.
    fn note_file(&mut self, proc: ProcId, stmt: &Stmt) {
        let StmtKind::Io { kind: DataKind::Write, items, text } = &stmt.kind else { return };
        if items.internal || is_standard_output(text) {
            return;
        }
        self.bits_in_file |= items.uses.iter().any(|e| self.has_bits(proc, stmt, e));
        self.file |= self.bits_in_file || self.writes_varied(proc, stmt, &items.uses);
    }

    /// Numbers that may have been written to a file before.
    fn file_back(&mut self, proc: ProcId, stmt: &Stmt) -> Option<Diagnostic> {
        let StmtKind::Io { kind: DataKind::Read, items, .. } = &stmt.kind else { return None };
        if items.internal || !self.file {
            return None;
        }
        let message = "this statement reads numbers that the derivative may depend on";
        self.is_useful(proc, stmt, &items.defines).then(|| {
            Diagnostic::error(Code::ActiveIo, stmt.origin.span(), message)
                .reason("differentiated code writes such numbers to a file, and no derivative goes through files")
                .help("keep them in a variable, or move the input or the output out of the differentiated code")
        })
    }
}

/// True for output to the terminal, which nothing reads.
fn is_standard_output(text: &str) -> bool {
    let text: String = text.to_ascii_lowercase().chars().filter(|c| !c.is_whitespace()).collect();
    let Some((_, list)) = text.split_once('(') else { return false };
    let unit = list.split([',', ')']).next().unwrap_or("");
    let unit = unit.strip_prefix("unit=").unwrap_or(unit);
    matches!(unit, "*" | "6" | "0" | "output_unit" | "error_unit")
}

/// Refuses a function with a character result that derivatives go through: its derivative is a subroutine, and the length
/// of what the caller gives for the result need not be the function's.
pub(crate) fn result(program: &Program, proc: ProcId) -> Option<Diagnostic> {
    let p = &program[proc];
    let ProcKind::Function(result) = p.kind else { return None };
    program.var(result).filter(|v| v.ty.base == Base::Character)?;
    let message = format!("derivatives pass through the function `{}`, whose value is a text", p.name);
    Some(
        Diagnostic::error(Code::UnsupportedDeclaration, p.head, message)
            .reason("its derivative is a subroutine, which can't know the length of the text from its caller")
            .help("make it a subroutine that returns the text in an argument"),
    )
}
