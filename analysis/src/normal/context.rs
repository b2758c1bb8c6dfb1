//! What the passes share: fresh names, new variables, statements with their origin, and what is known to keep its value.

use std::collections::{BTreeMap, BTreeSet};

use costate_grammar::diag::{Code, Diagnostic};
use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{
    Base, Block, Designator, Dim, Expr, ExprKind, Name, Origin, ProcId, Program, Role, ScopeId, ScopeKind, Stmt,
    StmtId, StmtKind, SymId, SymbolKind, Ty, Variable, for_each_expr,
};
use costate_grammar::source::Span;

use super::callee;
use super::designator;
use super::facts::Facts;
use super::postings::Shared;

/// The passes that open statements, for what makes statements of its own that have to be opened: an array constructor
/// holds objects, their components are arrays, and these may be constructed.
#[derive(Clone, Copy)]
pub(super) struct Openers {
    /// Opens the assignment of an object, if it has to be.
    pub(super) object: for<'c, 'p> fn(&'c mut Cx<'p>, &Expr, &Expr) -> Option<Block>,
    /// Opens the assignments of objects in a block.
    pub(super) objects: for<'c, 'p> fn(&'c mut Cx<'p>, Block) -> Block,
    /// Opens the array statements of a block.
    pub(super) arrays: for<'c, 'p> fn(&'c mut Cx<'p>, Block) -> Block,
}

/// The state of one run of [`super::normalise`].
pub(super) struct Cx<'p> {
    /// The program; new symbols go into the procedure's scope.
    pub(super) program: &'p mut Program,
    /// The procedure.
    pub(super) proc: ProcId,
    /// Its scope.
    pub(super) scope: ScopeId,
    /// New symbols in the order they were made.
    pub(super) temporaries: Vec<SymId>,
    /// What stands in the way.
    pub(super) problems: Vec<Diagnostic>,
    /// What is known of the body as the user wrote it.
    pub(super) facts: Facts,
    /// What calls that pass messages say in the whole program.
    pub(super) messages: &'p Shared,
    /// Products of arrays are opened element by element.
    pub(super) products_by_element: bool,
    /// The passes that open statements.
    pub(super) openers: Openers,
    taken: BTreeSet<Name>,
    /// Names that only inner scopes bear, which they may keep when they move to the procedure's.
    inner: BTreeSet<Name>,
    /// Bounds of array temporaries.
    sized: BTreeMap<SymId, Vec<(Expr, Expr)>>,
    /// Array temporaries that are allocated before their elements get their values, each of them once, and freed behind.
    fresh: BTreeSet<SymId>,
    /// The variable of [`Cx::memory`].
    memory: Option<SymId>,
    /// Variables of blocks.
    moved: BTreeSet<SymId>,
    indices: Vec<(SymId, bool)>,
    from: StmtId,
    span: Span,
}

impl<'p> Cx<'p> {
    /// Looks at a procedure.
    pub(super) fn new(program: &'p mut Program, proc: ProcId, messages: &'p Shared, openers: Openers) -> Self {
        let scope = program[proc].scope;
        let (taken, inner) = taken_names(program, scope);
        let span = program[proc].span;
        let facts = Facts::new(program, proc);
        Cx {
            program,
            proc,
            scope,
            temporaries: Vec::new(),
            problems: Vec::new(),
            facts,
            messages,
            products_by_element: false,
            openers,
            taken,
            inner,
            sized: BTreeMap::new(),
            fresh: BTreeSet::new(),
            memory: None,
            moved: BTreeSet::new(),
            indices: Vec::new(),
            from: StmtId(0),
            span,
        }
    }

    /// Statements made from now on are derived from `stmt`.
    pub(super) fn at(&mut self, stmt: &Stmt) {
        (self.from, self.span) = match stmt.origin {
            Origin::Source(span) => (stmt.id, span),
            Origin::Derived { from, span, .. } => (from, span),
        };
    }

    /// Statements made from now on are derived from none of the procedure's, which may have none.
    pub(super) fn at_head(&mut self) {
        (self.from, self.span) = (self.program.fresh_stmt(), self.program[self.proc].head);
    }

    /// A new statement, derived from the current one.
    pub(super) fn stmt(&mut self, kind: StmtKind) -> Stmt {
        self.stmt_for(kind, Role::Normal)
    }

    /// The same in another role.
    pub(super) fn stmt_for(&mut self, kind: StmtKind, role: Role) -> Stmt {
        let id = self.program.fresh_stmt();
        Stmt::new(id, kind, Origin::Derived { from: self.from, span: self.span, role })
    }

    /// `lhs = rhs`
    pub(super) fn assign(&mut self, lhs: Expr, rhs: Expr) -> Stmt {
        self.stmt(StmtKind::Assign { lhs, rhs })
    }

    /// `if (cond) then`, with an `else` unless it is empty.
    pub(super) fn if_else(&mut self, cond: Expr, body: Block, otherwise: Block) -> Stmt {
        let otherwise = (!otherwise.is_empty()).then_some(otherwise);
        let arms = vec![costate_grammar::ir::IfArm { cond, body }];
        self.stmt(StmtKind::If { name: None, arms, otherwise, one_line: false })
    }

    /// `if (cond) stmt`
    pub(super) fn if_one(&mut self, cond: Expr, stmt: Stmt) -> Stmt {
        let arms = vec![costate_grammar::ir::IfArm { cond, body: vec![stmt] }];
        self.stmt(StmtKind::If { name: None, arms, otherwise: None, one_line: true })
    }

    /// `if (cond) error stop "text"`
    pub(super) fn stop_if(&mut self, cond: Expr, text: &str) -> Stmt {
        let code = Some(Expr::new(ExprKind::Str(format!("\"{text}\"")), Ty::CHARACTER, 0));
        let stop = self.stmt(StmtKind::Stop { error: true, code });
        self.if_one(cond, stop)
    }

    /// `if (allocated(object)) deallocate(object)`
    pub(super) fn deallocation(&mut self, object: &Expr) -> Stmt {
        let free = self.stmt(StmtKind::Deallocate { items: vec![object.clone()], options: Vec::new() });
        self.if_one(Expr { rank: 0, ..object.allocated() }, free)
    }

    /// A changed statement: same label and comments, new kind, derived origin.
    pub(super) fn changed(&mut self, stmt: Stmt, kind: StmtKind) -> Stmt {
        self.at(&stmt);
        let new = self.stmt(kind);
        Stmt { label: stmt.label, leading: stmt.leading, trailing: stmt.trailing, ..new }
    }

    /// Hands the label and comments of `stmt` to what replaces it.
    pub(super) fn inherit(&mut self, stmt: &Stmt, out: &mut [Stmt]) {
        if let Some(first) = out.first_mut() {
            if first.label.is_none() {
                first.label = stmt.label;
            }
            let mut leading = stmt.leading.clone();
            leading.append(&mut first.leading);
            first.leading = leading;
            if first.trailing.is_none() {
                first.trailing = stmt.trailing.clone();
            }
        }
    }

    /// Refuses the statement the run stands at.
    pub(super) fn refuse(&mut self, code: Code, message: impl Into<String>, reason: &str, help: &str) {
        self.problems.push(Diagnostic::error(code, self.span, message).reason(reason).help(help));
    }

    /// A name `base1`, `base2`, ... that nothing visible bears.
    pub(super) fn fresh_name(&mut self, base: &str) -> Name {
        let mut n = 1;
        loop {
            let name = Name::new(&format!("{base}{n}"));
            if self.free(&name) {
                self.taken.insert(name.clone());
                return name;
            }
            n += 1;
        }
    }

    /// The name of an inner scope's entity that moves to the procedure: its own where no other bears it.
    pub(super) fn import_name(&mut self, name: &Name) -> Name {
        if self.inner.remove(name) || self.free(name) {
            self.taken.insert(name.clone());
            return name.clone();
        }
        self.fresh_name(name.as_str())
    }

    /// Bounds of an array temporary.
    pub(super) fn sized(&self, d: &Designator) -> Option<&Vec<(Expr, Expr)>> {
        if d.parts.is_empty() { self.sized.get(&d.sym) } else { None }
    }

    /// An array temporary is allocated before each of its elements gets a value, once, and freed behind.
    pub(super) fn set_fresh(&mut self, temporary: SymId) {
        self.fresh.insert(temporary);
    }

    /// True for an array temporary whose elements get their values now, and for the components of these: what is
    /// allocatable in them isn't allocated yet.
    pub(super) fn is_fresh(&self, e: &Expr) -> bool {
        e.as_var().is_some_and(|d| self.fresh.contains(&d.sym))
    }

    /// Which loop indices are in use.
    pub(super) fn held(&self) -> Vec<SymId> {
        self.indices.iter().filter(|i| i.1).map(|i| i.0).collect()
    }

    /// Only these loop indices are in use.
    pub(super) fn restore(&mut self, held: Vec<SymId>) {
        for slot in &mut self.indices {
            slot.1 = held.contains(&slot.0);
        }
    }

    /// True for a name that nothing visible bears.
    fn free(&self, name: &Name) -> bool {
        !self.taken.contains(name) && Intrinsic::find(name.as_str()).is_none()
    }

    /// Adds a variable to the procedure's scope.
    pub(super) fn add_variable(&mut self, name: Name, var: Variable) -> SymId {
        let sym = self.program.add_symbol(self.scope, name, self.span, SymbolKind::Variable(Box::new(var)));
        self.temporaries.push(sym);
        sym
    }

    /// A scalar temporary; `like` gives the type and, where it can, the spelling of the type.
    pub(super) fn scalar(&mut self, base: &str, ty: Ty, like: &Expr) -> Expr {
        let var = self.variable_like(ty, like);
        let name = self.fresh_name(base);
        Expr::var(self.add_variable(name, var), ty, 0)
    }

    /// A logical flag.
    pub(super) fn flag(&mut self, base: &str) -> SymId {
        let name = self.fresh_name(base);
        self.add_variable(name, Variable::scalar(Ty::LOGICAL, "logical"))
    }

    /// An array temporary of known bounds: an automatic array when the bounds can stand in a declaration, else an
    /// allocatable one, to be allocated and freed around its use.
    pub(super) fn array(&mut self, base: &str, ty: Ty, like: &Expr, bounds: &[(Expr, Expr)]) -> (SymId, bool) {
        let mut var = self.variable_like(ty, like);
        let fixed = bounds.iter().all(|(lo, hi)| self.declarable(lo) && self.declarable(hi));
        for (lo, hi) in bounds {
            let lo = (lo.as_int() != Some(1)).then(|| lo.clone());
            var.dims.push(if fixed { Dim::Explicit(lo, hi.clone()) } else { Dim::Deferred });
        }
        var.attrs.allocatable = !fixed;
        let name = self.fresh_name(base);
        let sym = self.add_variable(name, var);
        self.sized.insert(sym, bounds.to_vec());
        (sym, fixed)
    }

    /// An allocatable temporary whose memory comes with an assignment.
    pub(super) fn deferred(&mut self, base: &str, ty: Ty, like: &Expr, rank: u8) -> SymId {
        let mut var = self.variable_like(ty, like);
        var.dims = vec![Dim::Deferred; usize::from(rank)];
        var.attrs.allocatable = true;
        let name = self.fresh_name(base);
        self.add_variable(name, var)
    }

    /// An allocatable number that has memory nowhere but between statements that are made together.
    pub(super) fn memory(&mut self) -> Expr {
        let sym = match self.memory {
            Some(sym) => sym,
            None => self.deferred("memory", Ty::INTEGER, &Expr::int(0), 0),
        };
        self.memory = Some(sym);
        Expr::var(sym, Ty::INTEGER, 0)
    }

    /// A pointer temporary for a function's result.
    pub(super) fn pointer(&mut self, base: &str, result: &Variable, call: &Expr) -> SymId {
        let mut var = if self.program.spelling_holds(self.scope, result) {
            let mut like = Variable::scalar(result.ty, result.spelling.clone());
            like.spelling_uses.clone_from(&result.spelling_uses);
            like
        } else {
            self.variable_like(result.ty, call)
        };
        var.dims = vec![Dim::Deferred; result.dims.len()];
        var.attrs.allocatable = false;
        var.attrs.pointer = true;
        var.attrs.contiguous = result.attrs.contiguous;
        let name = self.fresh_name(base);
        self.add_variable(name, var)
    }

    /// A variable of a type, spelt like a variable of the same type in `like` if its names are visible here.
    pub(super) fn variable_like(&self, ty: Ty, like: &Expr) -> Variable {
        let mut found: Option<(String, Vec<SymId>)> = None;
        for_each_expr(like, &mut |e| {
            if found.is_some() || matches!(ty.base, Base::Character) {
                return;
            }
            let var = match &e.kind {
                ExprKind::Var(d) if e.ty == ty => designator::declared(self.program, d),
                ExprKind::Call { callee, .. } if e.ty == ty => callee::result_variable(self.program, callee),
                _ => None,
            };
            if let Some(v) = var
                && v.ty == ty
                && self.program.spelling_holds(self.scope, v)
            {
                found = Some((v.spelling.clone(), v.spelling_uses.clone()));
            }
        });
        let (spelling, uses) = found.unwrap_or_else(|| self.canonical(ty));
        let mut var = Variable::scalar(ty, spelling);
        var.spelling_uses = uses;
        var.attrs.allocatable = matches!(ty.base, Base::Character);
        var
    }

    /// How a type is spelt when no variable's spelling can be used.
    fn canonical(&self, ty: Ty) -> (String, Vec<SymId>) {
        let ty = match ty.base {
            Base::None | Base::Unlimited => Ty::new(Base::Real, ty.kind),
            Base::Class(t) => Ty::new(Base::Derived(t), ty.kind),
            _ => ty,
        };
        (self.program.spell(ty), ty.derived().into_iter().collect())
    }

    /// True when some name means a symbol here (`use` may have renamed it).
    pub(super) fn visible(&self, sym: SymId) -> bool {
        let name = self.program[sym].name.as_str();
        if self.program.lookup(self.scope, name) == Some(sym) {
            return true;
        }
        let mut at = Some(self.scope);
        while let Some(s) = at {
            let mut names = self.program[s].names.iter();
            if names.any(|(n, &known)| known == sym && self.program.lookup(self.scope, n) == Some(sym)) {
                return true;
            }
            at = self.program[s].parent;
        }
        false
    }

    /// True when all names of an expression are visible here.
    pub(super) fn all_visible(&self, e: &Expr) -> bool {
        let mut ok = true;
        for_each_expr(e, &mut |e| {
            if let ExprKind::Var(d) = &e.kind {
                ok &= self.visible(d.sym);
            }
        });
        ok
    }

    /// A loop index that no enclosing loop of the run uses; give it back with [`Cx::release`].
    pub(super) fn index(&mut self, kind: u8) -> SymId {
        let program = &*self.program;
        let fits = |s: SymId| program.var(s).is_some_and(|v| v.ty.kind == kind);
        if let Some(slot) = self.indices.iter_mut().find(|(s, used)| !*used && fits(*s)) {
            slot.1 = true;
            return slot.0;
        }
        let ty = Ty::new(Base::Integer, kind);
        let (spelling, _) = self.canonical(ty);
        let name = self.fresh_name("i");
        let sym = self.add_variable(name, Variable::scalar(ty, spelling));
        self.indices.push((sym, true));
        sym
    }

    /// Gives a loop index back.
    pub(super) fn release(&mut self, sym: SymId) {
        self.set_used(sym, false);
    }

    /// Marks an index as used (or not) by an enclosing loop; true if it was one of ours and changed.
    pub(super) fn set_used(&mut self, sym: SymId, used: bool) -> bool {
        match self.indices.iter_mut().find(|(s, _)| *s == sym) {
            Some(slot) if slot.1 != used => {
                slot.1 = used;
                true
            }
            _ => false,
        }
    }

    /// Runs a pass in which products of arrays are opened element by element.
    pub(super) fn with_products_by_element<T>(&mut self, pass: impl FnOnce(&mut Self) -> T) -> T {
        let before = std::mem::replace(&mut self.products_by_element, true);
        let out = pass(self);
        self.products_by_element = before;
        out
    }

    /// A user's variable that moved to the procedure's scope stays declared: text that is kept as it is may name it.
    pub(super) fn keep_declared(&mut self, sym: SymId) {
        self.moved.insert(sym);
    }

    /// Takes temporaries that nothing uses out of the scope again; returns the others.
    pub(super) fn purge(&mut self, used: &BTreeSet<SymId>) -> Vec<SymId> {
        let (kept, gone): (Vec<SymId>, Vec<SymId>) =
            self.temporaries.iter().partition(|s| used.contains(s) || self.moved.contains(s));
        for sym in gone {
            let name = self.program[sym].name.clone();
            let scope = self.scope;
            if self.program[scope].names.get(&name) == Some(&sym) {
                self.program[scope].names.shift_remove(&name);
            }
        }
        kept
    }

    /// True for an expression that means the same in a declaration, evaluated on entry, as where it stands.
    pub(super) fn declarable(&self, e: &Expr) -> bool {
        let mut ok = true;
        for_each_expr(e, &mut |e| ok &= self.facts.declarable(self.program, self.scope, e));
        ok
    }
}

/// Every name that is visible in a scope or in one inside it, and those that only ones inside it bear.
fn taken_names(program: &Program, scope: ScopeId) -> (BTreeSet<Name>, BTreeSet<Name>) {
    let mut taken = BTreeSet::new();
    let mut at = Some(scope);
    while let Some(s) = at {
        taken.extend(program[s].names.keys().cloned());
        at = program[s].parent;
    }
    taken.extend(program.globals.keys().cloned());
    taken.extend(program.module_names.keys().cloned());
    let mut inner = BTreeSet::new();
    for s in &program.scopes {
        let mut at = s.parent;
        while let Some(p) = at {
            if p == scope {
                let into = if s.kind == ScopeKind::Inner { &mut inner } else { &mut taken };
                into.extend(s.names.keys().cloned());
                break;
            }
            at = program[p].parent;
        }
    }
    inner.retain(|n| !taken.contains(n));
    taken.extend(inner.iter().cloned());
    (taken, inner)
}
