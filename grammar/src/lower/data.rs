//! Data statements: what they give to variables becomes initial values, so that a declaration can be repeated whole.
//! A statement stays a statement where that isn't possible.

use indexmap::IndexMap;

use super::{Const, Ctx, Lowerer};
use crate::cst::{Field, Kind, Node};
use crate::intrinsics::Intrinsic;
use crate::ir::{Base, CtorItem, Dim, Expr, ExprKind, Part, Subscript, SymId, Ty, map_expr};

/// More elements than this aren't followed.
const MOST_ELEMENTS: usize = 1 << 22;
/// More values than this aren't written out in a declaration.
const MOST_VALUES: usize = 4096;

/// What takes values: bases with subscripts, and implied loops around them.
enum Target {
    Whole(SymId),
    Part(SymId, Vec<Subscript>),
    Loop { items: Vec<Target>, var: SymId, bounds: Box<[Expr; 3]> },
}

/// The values of all data statements of a scope.
#[derive(Default)]
struct Values {
    /// Those that were written.
    list: Vec<Expr>,
    /// For each variable the value of each element, as its place in `list` plus one.
    of: IndexMap<SymId, Vec<u32>>,
    /// Variables that can't be initialised in their declarations.
    failed: Vec<SymId>,
}

/// The variables of implied loops and their values.
type Env = Vec<(SymId, i64)>;

impl<'t> Lowerer<'t> {
    /// Understands all data statements of a scope.
    pub(super) fn data_statements(&mut self, ctx: Ctx<'t>, statements: &[Node<'t>]) {
        let mut values = Values::default();
        let mut bases: Vec<Vec<SymId>> = Vec::new();
        for n in statements {
            let mut all = Vec::new();
            for set in n.named().filter(|s| s.kind() == Kind::DataSet) {
                let targets: Vec<Node<'t>> = set.named().filter(|t| t.kind() != Kind::DataValue).collect();
                let mut mine = Vec::new();
                for t in &targets {
                    self.data_target(ctx, *t, &mut mine);
                }
                if self.data_set(ctx, &targets, set, &mut values).is_none() {
                    values.failed.extend(mine.iter().copied());
                }
                all.extend(mine);
            }
            bases.push(all);
        }
        let inits: Vec<(SymId, Option<Expr>)> =
            values.of.iter().map(|(s, of)| (*s, self.initial_value(*s, &values.list, of))).collect();
        values.failed.extend(inits.iter().filter(|(_, init)| init.is_none()).map(|(s, _)| *s));
        // A statement stays or goes as a whole.
        loop {
            let before = values.failed.len();
            for list in &bases {
                if list.iter().any(|s| values.failed.contains(s)) {
                    let new: Vec<SymId> = list.iter().copied().filter(|s| !values.failed.contains(s)).collect();
                    values.failed.extend(new);
                }
            }
            if values.failed.len() == before {
                break;
            }
        }
        for (sym, init) in inits {
            if !values.failed.contains(&sym) {
                self.with_variable(sym, |v| v.init = init);
            }
        }
        for (n, list) in statements.iter().zip(&bases) {
            if list.is_empty() || list.iter().any(|s| values.failed.contains(s)) {
                self.keep_text(ctx, *n);
            }
        }
    }

    /// Declares what a data statement initialises.
    fn data_target(&mut self, ctx: Ctx<'t>, t: Node<'t>, out: &mut Vec<SymId>) {
        if t.kind() == Kind::Identifier {
            let sym = match self.lookup(ctx, &t.lower()).filter(|s| self.program[*s].scope == ctx.scope) {
                Some(sym) => sym,
                None => self.declare(ctx, t),
            };
            self.type_by_name(ctx, sym);
            self.with_variable(sym, |v| {
                v.data = true;
                v.attrs.save = true;
            });
            out.push(sym);
        } else if t.kind() == Kind::ImpliedDo {
            let items = t.named().filter(|i| !matches!(i.kind(), Kind::LoopControl | Kind::IntrinsicType));
            for i in items.collect::<Vec<_>>() {
                self.data_target(ctx, i, out);
            }
        } else if let Some(base) = t.named().next() {
            self.data_target(ctx, base, out);
        }
    }

    /// Gives the values of a set to its elements; `None` where that isn't understood.
    fn data_set(&mut self, ctx: Ctx<'t>, targets: &[Node<'t>], set: Node<'t>, values: &mut Values) -> Option<()> {
        let given = self.data_values(ctx, set.child(Kind::DataValue)?, &mut values.list)?;
        let targets: Vec<Target> = targets.iter().map(|t| self.target(ctx, *t)).collect::<Option<_>>()?;
        let mut elements = Vec::new();
        for t in &targets {
            self.elements(t, &mut Vec::new(), &mut elements)?;
        }
        if elements.len() != given.len() {
            return None;
        }
        for ((sym, at), value) in elements.into_iter().zip(given) {
            if !values.of.contains_key(&sym) {
                let size = super::constant::size(&self.program, &self.program.var(sym)?.dims)?;
                let size = usize::try_from(size).ok().filter(|n| *n <= MOST_ELEMENTS)?;
                values.of.insert(sym, vec![0; size]);
            }
            *values.of.get_mut(&sym)?.get_mut(at)? = value;
        }
        Some(())
    }

    /// The values of a set, repetitions written out, by their places in `list` plus one.
    fn data_values(&mut self, ctx: Ctx<'t>, v: Node<'t>, list: &mut Vec<Expr>) -> Option<Vec<u32>> {
        let mut out = Vec::new();
        let mut repeat = 1;
        for n in v.named() {
            let e = self.expr(ctx, n);
            if n.field_of() == Field::Repeat {
                let Some(Const::Int(times)) = super::fold(&self.program, &e) else { return None };
                repeat = usize::try_from(times).ok()?;
                continue;
            }
            if out.len() + repeat > MOST_ELEMENTS {
                return None;
            }
            list.push(e);
            out.extend(std::iter::repeat_n(u32::try_from(list.len()).ok()?, repeat));
            repeat = 1;
        }
        Some(out)
    }

    fn target(&mut self, ctx: Ctx<'t>, t: Node<'t>) -> Option<Target> {
        if t.kind() == Kind::ImpliedDo {
            let (var, lo, hi, step) = self.loop_control(ctx, t.child(Kind::LoopControl)?)?;
            let items = t.named().filter(|i| !matches!(i.kind(), Kind::LoopControl | Kind::IntrinsicType));
            let items: Vec<Node<'t>> = items.collect();
            let items = items.into_iter().map(|i| self.target(ctx, i)).collect::<Option<_>>()?;
            return Some(Target::Loop { items, var, bounds: Box::new([lo, hi, step.unwrap_or_else(|| Expr::int(1))]) });
        }
        let e = self.expr(ctx, t);
        let d = e.as_var()?;
        match d.parts.as_slice() {
            [] => Some(Target::Whole(d.sym)),
            [Part::Subscripts(list)] => Some(Target::Part(d.sym, list.clone())),
            _ => None,
        }
    }

    /// The elements of a target in order: variables and places in them.
    fn elements(&self, t: &Target, env: &mut Env, out: &mut Vec<(SymId, usize)>) -> Option<()> {
        match t {
            Target::Whole(sym) => {
                let size =
                    usize::try_from(super::constant::size(&self.program, &self.program.var(*sym)?.dims)?).ok()?;
                if size + out.len() > MOST_ELEMENTS {
                    return None;
                }
                out.extend((0..size).map(|i| (*sym, i)));
            }
            Target::Part(sym, list) => {
                let dims = &self.program.var(*sym)?.dims;
                if dims.len() != list.len() {
                    return None;
                }
                // Places of the part, the first subscript fastest.
                let (mut places, mut stride) = (vec![0usize], 1usize);
                for (dim, s) in dims.iter().zip(list) {
                    let Dim::Explicit(lo, hi) = dim else { return None };
                    let lo = lo.as_ref().map_or(Some(1), |l| self.value(l, env))?;
                    let hi = self.value(hi, env)?;
                    let extent = usize::try_from((hi - lo + 1).max(0)).ok()?;
                    let chosen = self.chosen(s, lo, hi, env)?;
                    if places.len() * chosen.len() + out.len() > MOST_ELEMENTS {
                        return None;
                    }
                    let at = |i: &i64| usize::try_from(i - lo).ok().filter(|i| *i < extent).map(|i| i * stride);
                    let steps: Vec<usize> = chosen.iter().map(at).collect::<Option<_>>()?;
                    places = steps.iter().flat_map(|s| places.iter().map(move |p| p + s)).collect();
                    stride = stride.checked_mul(extent)?;
                }
                out.extend(places.into_iter().map(|p| (*sym, p)));
            }
            Target::Loop { items, var, bounds } => {
                let [mut at, hi, step] =
                    [self.value(&bounds[0], env)?, self.value(&bounds[1], env)?, self.value(&bounds[2], env)?];
                let (lo, mut rounds) = (at, 0);
                if step == 0 {
                    return None;
                }
                while if step > 0 { at <= hi } else { at >= hi } {
                    env.push((*var, at));
                    for item in items {
                        self.elements(item, env, out)?;
                    }
                    env.pop();
                    rounds += 1;
                    if rounds > MOST_ELEMENTS as i64 {
                        return None;
                    }
                    at = lo.checked_add(rounds.checked_mul(step)?)?;
                }
            }
        }
        Some(())
    }

    /// The indices that a subscript stands for.
    fn chosen(&self, s: &Subscript, first: i64, last: i64, env: &Env) -> Option<Vec<i64>> {
        match s {
            Subscript::Index(e) if e.rank == 0 => Some(vec![self.value(e, env)?]),
            Subscript::Index(_) => None,
            Subscript::Range { lo, hi, step } => {
                let or = |e: &Option<Expr>, other: i64| e.as_ref().map_or(Some(other), |e| self.value(e, env));
                let (lo, hi, step) = (or(lo, first)?, or(hi, last)?, or(step, 1)?);
                let inside = |i: &i64| (first..=last).contains(i);
                let stride = usize::try_from(step).ok().filter(|s| *s > 0)?;
                // Values outside the bounds are refused before they are listed.
                let ends = lo > hi || inside(&lo) && inside(&hi);
                ends.then(|| (lo..=hi).step_by(stride).collect())
            }
        }
    }

    /// The value of an integer expression in implied loops.
    fn value(&self, e: &Expr, env: &Env) -> Option<i64> {
        let e = map_expr(e.clone(), &mut |e| {
            let var = e.as_var().filter(|d| d.parts.is_empty()).and_then(|d| env.iter().find(|(s, _)| *s == d.sym));
            var.map_or_else(|| e.clone(), |(_, value)| Expr::int(*value))
        });
        match super::fold(&self.program, &e)? {
            Const::Int(i) => Some(i),
            Const::Real(_) | Const::Logical(_) | Const::Str(_) => None,
        }
    }

    /// The initial value of a variable whose elements have the values `of`. Those without one get zero, which is what the
    /// memory that holds them has in practice.
    fn initial_value(&self, sym: SymId, list: &[Expr], of: &[u32]) -> Option<Expr> {
        let var = self.program.var(sym)?;
        let scalar = |i: u32| match usize::try_from(i).ok()?.checked_sub(1) {
            Some(i) => typed(list.get(i)?, var.ty),
            None => nothing(var.ty),
        };
        let first = *of.first()?;
        if of.iter().all(|i| *i == first) {
            return scalar(first);
        }
        if of.len() > MOST_VALUES {
            return None;
        }
        let mut values: Vec<Expr> = of.iter().map(|i| scalar(*i)).collect::<Option<_>>()?;
        let mut type_spec = None;
        if var.ty.base == Base::Character {
            values = self.padded(&values)?;
        } else if values.iter().any(|v| v.ty != var.ty) {
            type_spec = Some(format!("{}({})", keyword(var.ty.base)?, var.ty.kind));
        }
        let items = values.into_iter().map(CtorItem::Value).collect();
        let list = Expr::new(ExprKind::ArrayCtor { type_spec, items }, var.ty, 1);
        if var.rank() == 1 {
            return Some(list);
        }
        let extents: Option<Vec<CtorItem>> = var
            .dims
            .iter()
            .map(|d| super::constant::size(&self.program, std::slice::from_ref(d)))
            .map(|n| n.map(|n| CtorItem::Value(Expr::int(n))))
            .collect();
        let shape = Expr::new(ExprKind::ArrayCtor { type_spec: None, items: extents? }, Ty::INTEGER, 1);
        let mut e = Expr::intrinsic(Intrinsic::Reshape, vec![list, shape]);
        (e.ty, e.rank) = (var.ty, var.rank());
        Some(e)
    }

    /// Texts of one length, as an array constructor needs them.
    fn padded(&self, values: &[Expr]) -> Option<Vec<Expr>> {
        let text = |e: &Expr| match super::fold(&self.program, e) {
            Some(Const::Str(s)) => Some(s),
            _ => None,
        };
        let texts: Vec<String> = values.iter().map(text).collect::<Option<_>>()?;
        let longest = texts.iter().map(|t| t.chars().count()).max().unwrap_or(0);
        let quoted = |t: String| format!("'{}'", format!("{t:longest$}").replace('\'', "''"));
        let expr = |(e, t): (&Expr, String)| Expr { kind: ExprKind::Str(quoted(t)), ..e.clone() };
        Some(values.iter().zip(texts).map(expr).collect())
    }
}

/// A value for a variable of type `ty`: bits become a number of this type.
fn typed(e: &Expr, ty: Ty) -> Option<Expr> {
    if !matches!(e.kind, ExprKind::Boz(_)) {
        return Some(e.clone());
    }
    let f = match ty.base {
        Base::Integer => Intrinsic::Int,
        Base::Real => Intrinsic::Real,
        _ => return None,
    };
    let mut call = Expr::intrinsic(f, vec![e.clone(), Expr::int(i64::from(ty.kind))]);
    call.ty = ty;
    Some(call)
}

/// Zero, false or blank.
fn nothing(ty: Ty) -> Option<Expr> {
    match ty.base {
        Base::Integer => Some(Expr { ty, ..Expr::int(0) }),
        Base::Real | Base::Complex => Some(Expr::zero(ty)),
        Base::Logical => Some(Expr { ty, ..Expr::logical(false) }),
        Base::Character => Some(Expr::new(ExprKind::Str("' '".into()), ty, 0)),
        _ => None,
    }
}

/// The keyword of an intrinsic type that bears a kind.
fn keyword(base: Base) -> Option<&'static str> {
    match base {
        Base::Integer => Some("integer"),
        Base::Real => Some("real"),
        Base::Complex => Some("complex"),
        Base::Logical => Some("logical"),
        Base::Character | Base::Derived(_) | Base::Class(_) | Base::Unlimited | Base::None => None,
    }
}
