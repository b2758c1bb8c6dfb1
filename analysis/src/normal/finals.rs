//! Final procedures that leave a trace are called by statements of their own where an object's life ends: before it is
//! deallocated, and where its scope is left. What the compiler does of itself for the objects of generated code is undone
//! there (`adjoint::finals`).
//!
//! Where compilers differ (assignments, function results) and where the call would come before the procedure begins
//! (`intent(out)`), such objects are refused.

use costate_grammar::diag::Code;
use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{
    Arg, Base, Block, Callee, Expr, ExprKind, Intent, Name, ProcKind, ScopeId, Stmt, StmtKind, SymId, Ty,
    for_each_expr, for_each_stmt,
};

use super::context::Cx;
use crate::effects::finals_of;
use crate::storage::{component, resolve};

/// How deep components are followed.
const DEPTH: u8 = 8;

/// Calls final procedures where lives end.
pub(super) fn run(cx: &mut Cx<'_>, body: Block) -> Block {
    let scope = cx.scope;
    refuse_declarations(cx);
    let mentioned = mentions_traced(cx, &body);
    let own = ending(cx, scope);
    if own.is_empty() && !mentioned {
        return body;
    }
    let mut ends = Ends { scopes: vec![own], loops: vec![0] };
    let Some(last) = body.last().cloned() else { return body };
    let mut out = ends.block(cx, body);
    cx.at(&last);
    if !matches!(last.kind, StmtKind::Return) {
        ends.leave(cx, 0, &mut out);
    }
    out
}

/// True for a type whose objects' final procedures leave a trace.
fn traced(cx: &Cx<'_>, ty: Ty) -> bool {
    finals_of(cx.program, ty).iter().any(|p| crate::effects::leaves_trace(cx.program, *p))
}

fn mentions_traced(cx: &Cx<'_>, body: &Block) -> bool {
    let mut found = false;
    for_each_stmt(body, &mut |s| {
        found |= matches!(s.kind, StmtKind::BlockScope { .. });
        for e in s.exprs() {
            for_each_expr(e, &mut |e| found |= e.ty.derived().is_some() && traced(cx, e.ty));
        }
    });
    found
}

/// The variables of a scope that end with it.
fn ending(cx: &Cx<'_>, scope: ScopeId) -> Vec<SymId> {
    let ends = |s: &SymId| {
        cx.program[*s].scope == scope
            && cx.program.var(*s).is_some_and(|v| {
                let kept = v.attrs.save || v.attrs.parameter || v.attrs.pointer || v.result || v.dummy.is_some();
                !kept && v.init.is_none() && traced(cx, v.ty)
            })
    };
    if cx.program[cx.proc].kind == ProcKind::Program {
        return Vec::new();
    }
    let result = match cx.program[cx.proc].kind {
        ProcKind::Function(r) => Some(r),
        ProcKind::Subroutine | ProcKind::Program => None,
    };
    cx.program[scope].names.values().copied().filter(|s| Some(*s) != result && ends(s)).collect()
}

/// Refuses dummies and results that are finalised by the call itself.
fn refuse_declarations(cx: &mut Cx<'_>) {
    let result = match cx.program[cx.proc].kind {
        ProcKind::Function(r) => Some(r),
        ProcKind::Subroutine | ProcKind::Program => None,
    };
    let names: Vec<SymId> = cx.program[cx.scope].names.values().copied().collect();
    for sym in names {
        let Some(v) = cx.program.var(sym).filter(|_| cx.program[sym].scope == cx.scope) else { continue };
        let by_call = v.dummy.is_some() && (v.intent == Some(Intent::Out) || v.attrs.value) && !v.attrs.pointer;
        if !(by_call || result == Some(sym)) || !traced(cx, v.ty) {
            continue;
        }
        let (name, span) = (cx.program[sym].name.clone(), cx.program[sym].span);
        let d = costate_grammar::diag::Diagnostic::error(
            Code::UnsupportedDeclaration,
            span,
            format!("a call finalises `{name}`, and the final procedure changes more than its object"),
        )
        .reason("derivative code has variables of this type more, for which the final procedure would run too")
        .help("pass the object with intent(inout), in place of an output or a function's result, and set it there");
        cx.problems.push(d);
    }
}

/// What ends with the constructs around a statement, outermost first.
struct Ends {
    scopes: Vec<Vec<SymId>>,
    /// Loops within each of the scopes.
    loops: Vec<u32>,
}

impl Ends {
    fn block(&mut self, cx: &mut Cx<'_>, block: Block) -> Block {
        let mut out = Block::new();
        for stmt in block {
            self.statement(cx, stmt, &mut out);
        }
        out
    }

    fn statement(&mut self, cx: &mut Cx<'_>, mut stmt: Stmt, out: &mut Block) {
        cx.at(&stmt);
        self.refuse(cx, &stmt);
        if stmt.is_region() {
            out.push(stmt);
            return;
        }
        match &mut stmt.kind {
            StmtKind::Return => self.leave(cx, 0, out),
            StmtKind::Deallocate { items, options } => {
                for item in items.iter() {
                    if traced(cx, item.ty) && freed(cx, item, !options.is_empty(), out).is_none() {
                        unknown(cx);
                    }
                }
            }
            StmtKind::BlockScope { scope, body, .. } => {
                let own = ending(cx, *scope);
                self.scopes.push(own);
                self.loops.push(0);
                let inner = self.block(cx, std::mem::take(body));
                *body = inner;
                let level = self.scopes.len() - 1;
                let returned = matches!(body.last().map(|s| &s.kind), Some(StmtKind::Return));
                if !returned {
                    let mut end = Block::new();
                    self.leave(cx, level, &mut end);
                    body.extend(end);
                }
                self.scopes.pop();
                self.loops.pop();
            }
            StmtKind::Do { body, .. } => {
                if let Some(n) = self.loops.last_mut() {
                    *n += 1;
                }
                let inner = self.block(cx, std::mem::take(body));
                *body = inner;
                if let Some(n) = self.loops.last_mut() {
                    *n -= 1;
                }
            }
            _ => {
                for b in stmt.blocks_mut() {
                    let inner = std::mem::take(b);
                    *b = self.block(cx, inner);
                }
            }
        }
        out.push(stmt);
    }

    /// Ends the lives of what belongs to the scopes from `level` on, innermost first.
    fn leave(&self, cx: &mut Cx<'_>, level: usize, out: &mut Block) {
        for own in self.scopes[level..].iter().rev() {
            for &sym in own {
                let Some(v) = cx.program.var(sym) else { continue };
                let (object, allocatable) = (Expr::var(sym, v.ty, v.rank()), v.attrs.allocatable);
                let mut end = Block::new();
                if finalise(cx, &object, 0, &mut end).is_none() {
                    unknown(cx);
                }
                if allocatable {
                    end = vec![cx.if_else(object.allocated(), end, Block::new())];
                }
                out.extend(end);
            }
        }
    }

    /// Refuses what finalises objects in ways that compilers differ about, and jumps out of scopes.
    fn refuse(&self, cx: &mut Cx<'_>, stmt: &Stmt) {
        let inner = self.scopes[1..].iter().any(|own| !own.is_empty());
        let jumps = match &stmt.kind {
            StmtKind::Goto(_) => inner,
            StmtKind::Exit(name) | StmtKind::Cycle(name) => {
                inner && (name.is_some() || self.loops.last().is_some_and(|n| *n == 0))
            }
            _ => false,
        };
        if jumps {
            unknown(cx);
        }
        let mut found = match &stmt.kind {
            StmtKind::Assign { lhs, .. } => traced(cx, lhs.ty),
            StmtKind::Call { callee: Callee::Intrinsic(Intrinsic::MoveAlloc), args } => {
                args.iter().any(|a| traced(cx, a.value.ty))
            }
            _ => false,
        };
        for e in stmt.exprs() {
            for_each_expr(e, &mut |e| {
                if let ExprKind::Call { callee, .. } = &e.kind {
                    found |= !matches!(callee, Callee::Intrinsic(_)) && traced(cx, e.ty);
                }
            });
        }
        if found {
            cx.refuse(
                Code::UnsupportedStatement,
                "a final procedure runs in this statement, and it changes more than its object",
                "compilers differ in when they call it for the left side of an assignment and for a function's result",
                "assign the components one by one, or call the procedure by its name in place of `final`",
            );
        }
    }
}

fn unknown(cx: &mut Cx<'_>) {
    cx.refuse(
        Code::UnsupportedStatement,
        "a final procedure runs here, and it changes more than its object",
        "which one, or for which elements, isn't known: the object is polymorphic, or an array in an array, or a jump leaves \
         its block",
        "call the procedure by its name where the object is no longer needed, in place of `final`",
    );
}

/// Ends the life of what a `deallocate` frees; `doubtful` when it may not be there.
fn freed(cx: &mut Cx<'_>, item: &Expr, doubtful: bool, out: &mut Block) -> Option<()> {
    let d = item.as_var()?;
    let pointer = resolve(cx.program, d.sym, &d.path())?.attrs.pointer;
    let mut end = Block::new();
    finalise(cx, item, 0, &mut end)?;
    if doubtful {
        let there = if pointer { Intrinsic::Associated } else { Intrinsic::Allocated };
        let there = Expr { rank: 0, ..Expr::intrinsic(there, vec![item.clone()]) };
        end = vec![cx.if_else(Expr { ty: Ty::LOGICAL, ..there }, end, Block::new())];
    }
    out.extend(end);
    Some(())
}

/// The final procedure of the object's type, then those of its components, then those of the type that it extends.
fn finalise(cx: &mut Cx<'_>, object: &Expr, depth: u8, out: &mut Block) -> Option<()> {
    let ty = match object.ty.base {
        Base::Derived(t) if depth < DEPTH => t,
        _ => return None,
    };
    let derived = cx.program[ty].derived()?.clone();
    if let Some(sym) = matching(cx, ty, &derived.finals, object.rank) {
        let callee = Callee::Proc { sym, generic: None, operator: None };
        out.push(cx.stmt(StmtKind::Call { callee, args: vec![Arg::new(object.clone())] }));
    }
    for c in &derived.components {
        if c.var.attrs.pointer || finals_of(cx.program, c.var.ty).is_empty() {
            continue;
        }
        if object.rank > 0 {
            return None;
        }
        let part = component(cx.program, object, &c.name, c.var.ty, c.var.rank());
        let mut end = Block::new();
        finalise(cx, &part, depth + 1, &mut end)?;
        if c.var.attrs.allocatable {
            end = vec![cx.if_else(part.allocated(), end, Block::new())];
        }
        out.extend(end);
    }
    if let Some(parent) = derived.extends {
        let inherited = Ty::new(Base::Derived(parent), 0);
        if !finals_of(cx.program, inherited).is_empty() {
            let name = cx.program[parent].name.clone();
            finalise(cx, &component(cx.program, object, &name, inherited, object.rank), depth + 1, out)?;
        }
    }
    Some(())
}

/// The final procedure for objects of a rank, if there is one.
fn matching(cx: &Cx<'_>, ty: SymId, finals: &[Name], rank: u8) -> Option<SymId> {
    let procedures: Vec<(SymId, u8, bool)> = finals
        .iter()
        .filter_map(|name| {
            let sym = cx.program.lookup(cx.program[ty].scope, name)?;
            let p = &cx.program[cx.program[sym].procedure()?.definition?];
            let of = cx.program.var(*p.dummies.first()?)?.rank();
            Some((sym, of, p.prefix.elemental))
        })
        .collect();
    let exact = procedures.iter().find(|(_, of, _)| *of == rank);
    exact.or_else(|| procedures.iter().find(|(_, _, elemental)| *elemental)).map(|(sym, ..)| *sym)
}
