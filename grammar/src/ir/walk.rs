use super::{Arg, Block, Callee, CtorItem, Designator, Expr, ExprKind, LoopControl, Part, Stmt, StmtKind, Subscript};

/// Calls `f` on every statement of a block, outer before inner.
pub fn for_each_stmt<'a>(block: &'a [Stmt], f: &mut impl FnMut(&'a Stmt)) {
    for stmt in block {
        f(stmt);
        for inner in stmt.blocks() {
            for_each_stmt(inner, f);
        }
    }
}

/// Calls `f` on an expression and all its parts (subscripts and arguments included), outer before inner.
pub fn for_each_expr<'a>(e: &'a Expr, f: &mut dyn FnMut(&'a Expr)) {
    f(e);
    e.for_each_child(&mut |child| for_each_expr(child, f));
}

/// Rebuilds an expression bottom-up: `f` gets every node after its parts were rebuilt.
pub fn map_expr(e: Expr, f: &mut dyn FnMut(Expr) -> Expr) -> Expr {
    let kind = match e.kind {
        ExprKind::Var(d) => ExprKind::Var(map_designator(d, f)),
        ExprKind::Unary(op, a) => ExprKind::Unary(op, Box::new(map_expr(*a, f))),
        ExprKind::Binary(op, a, b) => ExprKind::Binary(op, Box::new(map_expr(*a, f)), Box::new(map_expr(*b, f))),
        ExprKind::Call { callee, args } => {
            let callee = match callee {
                Callee::Bound { object, binding, resolved } => {
                    Callee::Bound { object: Box::new(map_expr(*object, f)), binding, resolved }
                }
                other @ (Callee::Intrinsic(_) | Callee::Proc { .. }) => other,
            };
            ExprKind::Call { callee, args: map_args(args, f) }
        }
        ExprKind::ArrayCtor { type_spec, items } => {
            ExprKind::ArrayCtor { type_spec, items: items.into_iter().map(|i| map_item(i, f)).collect() }
        }
        ExprKind::StructCtor { ty, args } => ExprKind::StructCtor { ty, args: map_args(args, f) },
        ExprKind::Paren(a) => ExprKind::Paren(Box::new(map_expr(*a, f))),
        ExprKind::ComplexLit(a, b) => ExprKind::ComplexLit(Box::new(map_expr(*a, f)), Box::new(map_expr(*b, f))),
        leaf @ (ExprKind::Int { .. }
        | ExprKind::Real { .. }
        | ExprKind::Logical { .. }
        | ExprKind::Str(_)
        | ExprKind::Boz(_)
        | ExprKind::ProcRef(_)
        | ExprKind::Opaque(_)) => leaf,
    };
    f(Expr { kind, ..e })
}

fn map_args(args: Vec<Arg>, f: &mut dyn FnMut(Expr) -> Expr) -> Vec<Arg> {
    args.into_iter().map(|a| Arg { keyword: a.keyword, value: map_expr(a.value, f) }).collect()
}

fn map_item(item: CtorItem, f: &mut dyn FnMut(Expr) -> Expr) -> CtorItem {
    match item {
        CtorItem::Value(e) => CtorItem::Value(map_expr(e, f)),
        CtorItem::ImpliedDo { items, var, lo, hi, step } => CtorItem::ImpliedDo {
            items: items.into_iter().map(|i| map_item(i, f)).collect(),
            var,
            lo: map_expr(lo, f),
            hi: map_expr(hi, f),
            step: step.map(|s| Box::new(map_expr(*s, f))),
        },
    }
}

/// Rebuilds the expressions within a designator (its subscripts), not the designator itself.
pub(crate) fn map_designator(d: Designator, f: &mut dyn FnMut(Expr) -> Expr) -> Designator {
    fn bound(e: Option<Box<Expr>>, f: &mut dyn FnMut(Expr) -> Expr) -> Option<Box<Expr>> {
        e.map(|e| Box::new(map_expr(*e, f)))
    }
    let mut out = d.map_subscripts(&mut |e| map_expr(e, f));
    for part in &mut out.parts {
        if let Part::Substring(lo, hi) = part {
            (*lo, *hi) = (bound(lo.take(), f), bound(hi.take(), f));
        }
    }
    out
}

impl Designator {
    /// The same with other subscripts; those inside them and bounds of substrings stay.
    pub fn map_subscripts(self, f: &mut dyn FnMut(Expr) -> Expr) -> Designator {
        let mut map = |s| match s {
            Subscript::Index(e) => Subscript::Index(f(e)),
            Subscript::Range { lo, hi, step } => {
                let [lo, hi, step] = [lo, hi, step].map(|e| e.map(&mut *f));
                Subscript::Range { lo, hi, step }
            }
        };
        let part = |p| match p {
            Part::Subscripts(list) => Part::Subscripts(list.into_iter().map(&mut map).collect()),
            Part::Substring(..) | Part::Component(_) => p,
        };
        Designator { sym: self.sym, parts: self.parts.into_iter().map(part).collect() }
    }
}

impl Expr {
    /// Its direct parts, in order: operands, arguments, subscripts, constructor values.
    pub fn children(&self) -> Vec<&Expr> {
        let mut out = Vec::new();
        self.for_each_child(&mut |e| out.push(e));
        out
    }

    /// Calls `f` on its direct parts, in order.
    fn for_each_child<'a>(&'a self, f: &mut dyn FnMut(&'a Expr)) {
        match &self.kind {
            ExprKind::Var(d) => children_of_designator(d, f),
            ExprKind::Unary(_, a) | ExprKind::Paren(a) => f(a),
            ExprKind::Binary(_, a, b) | ExprKind::ComplexLit(a, b) => {
                f(a);
                f(b);
            }
            ExprKind::Call { callee, args } => {
                if let Callee::Bound { object, .. } = callee {
                    f(object);
                }
                args.iter().for_each(|a| f(&a.value));
            }
            ExprKind::StructCtor { args, .. } => args.iter().for_each(|a| f(&a.value)),
            ExprKind::ArrayCtor { items, .. } => items.iter().for_each(|i| children_of_item(i, f)),
            ExprKind::Int { .. }
            | ExprKind::Real { .. }
            | ExprKind::Logical { .. }
            | ExprKind::Str(_)
            | ExprKind::Boz(_)
            | ExprKind::ProcRef(_)
            | ExprKind::Opaque(_) => {}
        }
    }
}

fn children_of_item<'a>(item: &'a CtorItem, f: &mut dyn FnMut(&'a Expr)) {
    match item {
        CtorItem::Value(e) => f(e),
        CtorItem::ImpliedDo { items, lo, hi, step, .. } => {
            items.iter().for_each(|i| children_of_item(i, f));
            [Some(lo), Some(hi), step.as_deref()].into_iter().flatten().for_each(f);
        }
    }
}

fn children_of_designator<'a>(d: &'a Designator, f: &mut dyn FnMut(&'a Expr)) {
    for part in &d.parts {
        match part {
            Part::Component(_) => {}
            Part::Subscripts(list) => {
                for s in list {
                    match s {
                        Subscript::Index(e) => f(e),
                        Subscript::Range { lo, hi, step } => [lo, hi, step].into_iter().flatten().for_each(&mut *f),
                    }
                }
            }
            Part::Substring(lo, hi) => [lo, hi].into_iter().flatten().for_each(|b| f(b)),
        }
    }
}

impl StmtKind {
    /// Replaces each expression directly in it (not those of inner statements, nor the ranges of cases) by what `f` makes of it.
    pub fn map_exprs(&mut self, f: &mut dyn FnMut(&Expr) -> Expr) {
        let mut ex = |e: &mut Expr| *e = f(e);
        match self {
            StmtKind::Assign { lhs, rhs } | StmtKind::PointerAssign { lhs, rhs } => {
                ex(lhs);
                ex(rhs);
            }
            StmtKind::Call { callee, args } => {
                if let Callee::Bound { object, .. } = callee {
                    ex(object);
                }
                args.iter_mut().for_each(|a| ex(&mut a.value));
            }
            StmtKind::If { arms, .. } | StmtKind::Where { arms, .. } => arms.iter_mut().for_each(|a| ex(&mut a.cond)),
            StmtKind::Select { selector, .. } => ex(selector),
            StmtKind::Do { control, .. } => match control {
                LoopControl::Count { lo, hi, step, .. } => {
                    ex(lo);
                    ex(hi);
                    step.iter_mut().for_each(ex);
                }
                LoopControl::While(cond) => ex(cond),
                LoopControl::Forever => {}
                LoopControl::Concurrent { indices, mask, .. } => {
                    for (_, lo, hi, step) in indices {
                        ex(lo);
                        ex(hi);
                        step.iter_mut().for_each(&mut ex);
                    }
                    mask.iter_mut().for_each(ex);
                }
            },
            StmtKind::Forall { indices, mask, .. } => {
                for (_, lo, hi, step) in indices {
                    ex(lo);
                    ex(hi);
                    step.iter_mut().for_each(&mut ex);
                }
                mask.iter_mut().for_each(ex);
            }
            StmtKind::Associate { bindings, .. } => bindings.iter_mut().for_each(|b| ex(&mut b.1)),
            StmtKind::Stop { code, .. } => code.iter_mut().for_each(ex),
            StmtKind::Allocate { items, options, .. } => {
                for i in items {
                    ex(&mut i.object);
                    for (lo, hi) in &mut i.shape {
                        lo.iter_mut().for_each(&mut ex);
                        ex(hi);
                    }
                }
                options.iter_mut().for_each(|o| ex(&mut o.1));
            }
            StmtKind::Deallocate { items, options } => {
                items.iter_mut().for_each(&mut ex);
                options.iter_mut().for_each(|o| ex(&mut o.1));
            }
            StmtKind::Nullify(items) => items.iter_mut().for_each(ex),
            StmtKind::Io { items, .. } => {
                items.uses.iter_mut().for_each(&mut ex);
                items.defines.iter_mut().for_each(ex);
            }
            StmtKind::BlockScope { .. }
            | StmtKind::Exit(_)
            | StmtKind::Cycle(_)
            | StmtKind::Return
            | StmtKind::Goto(_)
            | StmtKind::Continue
            | StmtKind::Directive { .. }
            | StmtKind::Unsupported { .. }
            | StmtKind::Comment(_) => {}
        }
    }
}

impl Stmt {
    /// The blocks directly inside it.
    pub fn blocks(&self) -> Vec<&Block> {
        match &self.kind {
            StmtKind::If { arms, otherwise, .. } | StmtKind::Where { arms, otherwise, .. } => {
                arms.iter().map(|a| &a.body).chain(otherwise).collect()
            }
            StmtKind::Select { arms, .. } => arms.iter().map(|a| &a.body).collect(),
            StmtKind::Do { body, .. }
            | StmtKind::Forall { body, .. }
            | StmtKind::Associate { body, .. }
            | StmtKind::BlockScope { body, .. }
            | StmtKind::Directive { body: Some(body), .. }
            | StmtKind::Unsupported { body, .. } => vec![body],
            _ => Vec::new(),
        }
    }

    /// The blocks directly inside it, to change.
    pub fn blocks_mut(&mut self) -> Vec<&mut Block> {
        match &mut self.kind {
            StmtKind::If { arms, otherwise, .. } | StmtKind::Where { arms, otherwise, .. } => {
                arms.iter_mut().map(|a| &mut a.body).chain(otherwise).collect()
            }
            StmtKind::Select { arms, .. } => arms.iter_mut().map(|a| &mut a.body).collect(),
            StmtKind::Do { body, .. }
            | StmtKind::Forall { body, .. }
            | StmtKind::Associate { body, .. }
            | StmtKind::BlockScope { body, .. }
            | StmtKind::Directive { body: Some(body), .. }
            | StmtKind::Unsupported { body, .. } => vec![body],
            _ => Vec::new(),
        }
    }

    /// The expressions directly in it (not those of inner statements): left sides, conditions, bounds, arguments.
    pub fn exprs(&self) -> Vec<&Expr> {
        let mut out: Vec<&Expr> = Vec::new();
        match &self.kind {
            StmtKind::Assign { lhs, rhs } | StmtKind::PointerAssign { lhs, rhs } => out.extend([lhs, rhs]),
            StmtKind::Call { callee, args } => {
                if let Callee::Bound { object, .. } = callee {
                    out.push(object);
                }
                out.extend(args.iter().map(|a| &a.value));
            }
            StmtKind::If { arms, .. } | StmtKind::Where { arms, .. } => out.extend(arms.iter().map(|a| &a.cond)),
            StmtKind::Select { selector, .. } => out.push(selector),
            StmtKind::Do { control, .. } => control_exprs(control, &mut out),
            StmtKind::Forall { indices, mask, .. } => {
                indices.iter().for_each(|(_, lo, hi, st)| out.extend([lo, hi].into_iter().chain(st)));
                out.extend(mask);
            }
            StmtKind::Associate { bindings, .. } => out.extend(bindings.iter().map(|(_, e)| e)),
            StmtKind::Stop { code, .. } => out.extend(code),
            StmtKind::Allocate { items, options, .. } => {
                for item in items {
                    out.push(&item.object);
                    item.shape.iter().for_each(|(lo, hi)| out.extend(lo.iter().chain([hi])));
                }
                out.extend(options.iter().map(|(_, e)| e));
            }
            StmtKind::Deallocate { items, options } => {
                out.extend(items);
                out.extend(options.iter().map(|(_, e)| e));
            }
            StmtKind::Nullify(items) => out.extend(items),
            StmtKind::Io { items, .. } => out.extend(items.uses.iter().chain(&items.defines)),
            StmtKind::BlockScope { .. }
            | StmtKind::Exit(_)
            | StmtKind::Cycle(_)
            | StmtKind::Return
            | StmtKind::Goto(_)
            | StmtKind::Continue
            | StmtKind::Directive { .. }
            | StmtKind::Unsupported { .. }
            | StmtKind::Comment(_) => {}
        }
        out
    }
}

fn control_exprs<'a>(control: &'a LoopControl, out: &mut Vec<&'a Expr>) {
    match control {
        LoopControl::Count { lo, hi, step, .. } => out.extend([lo, hi].into_iter().chain(step)),
        LoopControl::While(cond) => out.push(cond),
        LoopControl::Forever => {}
        LoopControl::Concurrent { indices, mask, .. } => {
            indices.iter().for_each(|(_, lo, hi, st)| out.extend([lo, hi].into_iter().chain(st)));
            out.extend(mask);
        }
    }
}
