//! Sections of arrays with symbolic bounds, and facts that hold for every element of them.

pub mod flow;
mod limit;
pub mod scene;

use std::collections::BTreeMap;
use std::rc::Rc;

use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{Callee, Expr, ExprKind, SymId};
use costate_grammar::operators::BinaryOp;

use crate::affine::combine;
use limit::Limit;

/// How many sections are kept for an array; further facts are forgotten.
const MOST: usize = 24;

/// The same for arrays of this rank: what is left of a section falls into two pieces for each dimension.
fn most(rank: usize) -> usize {
    if rank > 3 { MOST / 3 } else { MOST }
}

/// From the greatest of `lo` to the least of `hi`; without limit where a list is empty. It may hold no element.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Span {
    lo: Vec<Limit>,
    hi: Vec<Limit>,
}

/// A span for each dimension.
pub type Section = Vec<Span>;

/// The values that the variable of a loop takes.
#[derive(Clone, Debug, Default)]
pub struct Range {
    /// The variable.
    pub var: Option<SymId>,
    /// Its values.
    pub span: Span,
    /// No value in between is left out.
    pub dense: bool,
    /// Direction in which it runs; 0 when that isn't known.
    pub sign: i64,
}

impl Range {
    /// The values before the present one.
    pub fn earlier(&self) -> Range {
        self.beside(self.sign)
    }

    /// The values after the present one.
    pub fn later(&self) -> Range {
        self.beside(-self.sign)
    }

    /// The lesser values for 1, the greater ones for -1.
    fn beside(&self, sign: i64) -> Range {
        let here = self.var.map(|v| Expr::var(v, costate_grammar::ir::Ty::INTEGER, 0));
        let span = match (here, sign) {
            (Some(e), 1) => self.span.before(&e.into()),
            (Some(e), -1) => self.span.after(&e.into()),
            _ => Span::default(),
        };
        Range { span, ..self.clone() }
    }
}

impl Span {
    /// A single index; `None` when it isn't index arithmetic.
    pub fn point(e: &Expr) -> Option<Span> {
        fixed(e).then(|| {
            let at = Limit::from(e.clone());
            Span { lo: vec![at.clone()], hi: vec![at] }
        })
    }

    /// From `lo` to `hi`, which may be a greatest or least of several. The flag is false when a limit isn't understood
    /// and left out.
    pub fn between(lo: &Expr, hi: &Expr) -> (Span, bool) {
        let mut exact = true;
        let lo = bounds(lo, Intrinsic::Max, &mut exact);
        let hi = bounds(hi, Intrinsic::Min, &mut exact);
        (Span { lo, hi }, exact)
    }

    /// What begins at one index, ends at another one, or both; or more.
    pub fn with_ends(lo: Option<&Expr>, hi: Option<&Expr>) -> Span {
        let of = |e: Option<&Expr>, f| e.map_or(Vec::new(), |e| bounds(e, f, &mut true));
        Span { lo: of(lo, Intrinsic::Max), hi: of(hi, Intrinsic::Min) }
    }

    /// The part before an index.
    fn before(&self, e: &Limit) -> Span {
        Span { lo: self.lo.clone(), hi: vec![e.plus(-1)] }
    }

    /// The part after an index.
    fn after(&self, e: &Limit) -> Span {
        Span { lo: vec![e.plus(1)], hi: self.hi.clone() }
    }

    fn holds(&self, other: &Span) -> bool {
        if self == other {
            return true;
        }
        self.lo.iter().all(|a| other.lo.iter().any(|b| a.below(b, 0)))
            && self.hi.iter().all(|a| other.hi.iter().any(|b| b.below(a, 0)))
    }

    /// True when they surely share no element.
    fn apart(&self, other: &Span) -> bool {
        let ends = |a: &Span, b: &Span| a.hi.iter().any(|x| b.lo.iter().any(|y| x.below(y, 1)));
        ends(self, other) || ends(other, self) || self.far_before(other) || other.far_before(self)
    }

    /// True for a span that lies before another one by a multiple of its own length, where it has elements: `1:q` and
    /// `2*q + 1:n`.
    fn far_before(&self, other: &Span) -> bool {
        let ([lo], [hi], [then]) = (self.lo.as_slice(), self.hi.as_slice(), other.lo.as_slice()) else { return false };
        lo != hi && (1..=3).any(|times| hi.further(lo, times).below(then, 1))
    }

    /// Parts of `self` that surely lie outside of `other`.
    fn without(&self, other: &Span) -> Vec<Span> {
        let mut out = Vec::new();
        // A start of `other` that lies before all of `self` leaves nothing.
        let start = other.lo.iter().find(|t| !self.lo.iter().any(|s| t.below(s, 0)));
        if let Some(t) = start {
            let mut hi = self.hi.clone();
            hi.push(t.plus(-1));
            out.push(Span { lo: self.lo.clone(), hi: least(hi) });
        }
        let end = other.hi.iter().find(|t| !self.hi.iter().any(|s| s.below(t, 0)));
        if let Some(t) = end {
            let mut lo = self.lo.clone();
            lo.push(t.plus(1));
            out.push(Span { lo: greatest(lo), hi: self.hi.clone() });
        }
        out
    }

    /// Spans that hold, together, everything in `self` that may lie outside of `other`.
    fn rest(&self, other: &Span) -> Vec<Span> {
        let mut out = Vec::new();
        for t in other.lo.iter().filter(|t| !self.lo.iter().any(|s| t.below(s, 0))) {
            let hi = self.hi.iter().cloned().chain([t.plus(-1)]);
            out.push(Span { lo: self.lo.clone(), hi: hi.collect() });
        }
        for t in other.hi.iter().filter(|t| !self.hi.iter().any(|s| s.below(t, 0))) {
            let lo = self.lo.iter().cloned().chain([t.plus(1)]);
            out.push(Span { lo: lo.collect(), hi: self.hi.clone() });
        }
        out
    }

    fn common(&self, other: &Span) -> Span {
        let join = |a: &[Limit], b: &[Limit]| a.iter().chain(b).cloned().collect::<Vec<_>>();
        Span { lo: greatest(join(&self.lo, &other.lo)), hi: least(join(&self.hi, &other.hi)) }
    }

    /// Both in one span, when no element is missing in between: `other` goes on where `self` ends.
    fn followed_by(&self, other: &Span) -> Option<Span> {
        let seamless = other.lo.iter().all(|l| {
            self.lo.iter().any(|m| l.below(m, 0))
                || self.hi.iter().all(|h| other.hi.iter().any(|e| e.below(h, 0)) || l.below(&h.plus(1), 0))
        });
        seamless.then(|| Span { lo: self.lo.clone(), hi: other.hi.clone() })
    }

    /// The first and the last index, when they are no greatest or least of several.
    pub fn limits(&self) -> Option<(Expr, Expr)> {
        match (self.lo.as_slice(), self.hi.as_slice()) {
            ([lo], [hi]) => Some((lo.expr().clone(), hi.expr().clone())),
            _ => None,
        }
    }

    /// The first index is the greatest of these.
    pub fn first(&self) -> impl Iterator<Item = &Expr> {
        self.lo.iter().map(Limit::expr)
    }

    /// The last index is the least of these.
    pub fn last(&self) -> impl Iterator<Item = &Expr> + Clone {
        self.hi.iter().map(Limit::expr)
    }

    /// The same without limits that others make superfluous.
    pub fn short(&self) -> Span {
        Span { lo: greatest(self.lo.clone()), hi: least(self.hi.clone()) }
    }

    /// True when a variable stands in its bounds.
    pub fn mentions(&self, sym: SymId) -> bool {
        self.lo.iter().chain(&self.hi).any(|e| e.mentions(sym))
    }

    /// Every index that it may hold while the variable runs, or more. Bounds with `changing` symbols say nothing.
    fn swept(&self, range: &Range, changing: &dyn Fn(SymId) -> bool) -> Span {
        let side = |list: &[Limit], up: &[Limit], down: &[Limit]| {
            let mut out = Vec::new();
            for e in list {
                match range.var.map(|v| (v, e.slope(v))) {
                    None | Some((_, Some(0))) => out.push(e.clone()),
                    Some((v, Some(s))) => out.extend((if s > 0 { up } else { down }).iter().map(|x| e.at(v, x))),
                    Some((_, None)) => {}
                }
            }
            out.retain(|e| !e.any_symbol(changing));
            out
        };
        let (first, last) = (&range.span.lo, &range.span.hi);
        Span { lo: side(&self.lo, first, last), hi: side(&self.hi, last, first) }
    }
}

/// True for index arithmetic whose value depends on nothing but the symbols in it.
pub fn fixed(e: &Expr) -> bool {
    let mut fine = e.rank == 0;
    costate_grammar::ir::for_each_expr(e, &mut |x| {
        fine &= matches!(
            x.kind,
            ExprKind::Int { .. } | ExprKind::Var(_) | ExprKind::Unary(..) | ExprKind::Binary(..) | ExprKind::Paren(_)
        );
    });
    fine
}

/// The arguments of `max` or `min`, or the expression itself.
fn bounds(e: &Expr, function: Intrinsic, exact: &mut bool) -> Vec<Limit> {
    match &e.unparen().kind {
        ExprKind::Call { callee: Callee::Intrinsic(f), args } if *f == function => {
            args.iter().flat_map(|a| bounds(&a.value, function, exact)).collect()
        }
        _ if fixed(e) => vec![e.clone().into()],
        // The same amount is added to each of them.
        ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), a, b) if fixed(b) => {
            let factor = if *op == BinaryOp::Add { 1 } else { -1 };
            bounds(a, function, exact).iter().map(|l| combine(l.expr(), factor, b).into()).collect()
        }
        ExprKind::Binary(BinaryOp::Add, a, b) if fixed(a) => {
            bounds(b, function, exact).iter().map(|l| combine(l.expr(), 1, a).into()).collect()
        }
        _ => {
            *exact = false;
            Vec::new()
        }
    }
}

fn greatest(list: Vec<Limit>) -> Vec<Limit> {
    shortened(list, |a, b| a.below(b, 0))
}

fn least(list: Vec<Limit>) -> Vec<Limit> {
    shortened(list, |a, b| b.below(a, 0))
}

/// Drops what another entry makes superfluous.
fn shortened(list: Vec<Limit>, weaker: impl Fn(&Limit, &Limit) -> bool) -> Vec<Limit> {
    let mut out: Vec<Limit> = Vec::new();
    for e in list {
        if out.iter().any(|o| weaker(&e, o)) {
            continue;
        }
        out.retain(|o| !weaker(o, &e));
        out.push(e);
    }
    out
}

/// True when `a` holds every element of `b`.
pub fn holds(a: &[Span], b: &[Span]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(x, y)| x.holds(y))
}

/// True when they surely share no element.
pub fn apart(a: &[Span], b: &[Span]) -> bool {
    a.len() == b.len() && a.iter().zip(b).any(|(x, y)| x.apart(y))
}

/// Everything that a section may hold while the variable runs, or more.
pub fn swept(s: &[Span], range: &Range, changing: &dyn Fn(SymId) -> bool) -> Section {
    s.iter().map(|d| d.swept(range, changing)).collect()
}

/// The same section, with the limits that the range of a variable in its bounds gives it written out.
pub fn limited(s: Section, range: &Range) -> Section {
    let add = |d: Span| {
        let ends = d.swept(range, &|_| false);
        Span { lo: joined(d.lo, ends.lo), hi: joined(d.hi, ends.hi) }
    };
    s.into_iter().map(add).collect()
}

fn joined(mut a: Vec<Limit>, b: Vec<Limit>) -> Vec<Limit> {
    for e in b {
        if !a.contains(&e) {
            a.push(e);
        }
    }
    a
}

/// The elements that a section holds in turn while the variable runs; `None` when they don't make up a section.
pub fn covered(s: &[Span], range: &Range) -> Option<Section> {
    let var = range.var?;
    let moving: Vec<usize> = (0..s.len()).filter(|k| s[*k].mentions(var)).collect();
    let [k] = moving[..] else { return None };
    let point = s[k].lo.len() == 1 && s[k].lo == s[k].hi;
    if !range.dense || !point || s[k].lo[0].slope(var)?.abs() != 1 {
        return None;
    }
    let mut out = s.to_vec();
    out[k] = s[k].swept(range, &|_| false);
    Some(out)
}

/// Sections of arrays for whose elements something holds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Facts {
    /// Lists are shared by the facts of many places.
    of: BTreeMap<SymId, Rc<Vec<Section>>>,
}

impl Facts {
    /// True when it holds for every element of a section.
    pub fn hold(&self, sym: SymId, s: &[Span]) -> bool {
        self.of.get(&sym).is_some_and(|list| list.iter().any(|f| holds(f, s)))
    }

    /// True when it holds for every element of a section by several sections together.
    pub fn cover(&self, sym: SymId, s: &[Span]) -> bool {
        self.left(sym, s).is_empty()
    }

    /// Sections that hold, together, every element of a section for which it may not hold.
    pub fn left(&self, sym: SymId, s: &[Span]) -> Vec<Section> {
        let mut left = vec![s.to_vec()];
        for f in self.of.get(&sym).into_iter().flat_map(|list| list.iter()).filter(|f| f.len() == s.len()) {
            let rest = |part: Section| -> Vec<Section> {
                if apart(&part, f) {
                    return vec![part];
                }
                let along = |k: usize| part[k].rest(&f[k]).into_iter().map(move |r| (k, r));
                let pieces = (0..f.len()).flat_map(along).map(|(k, r)| {
                    let mut piece = part.clone();
                    piece[k] = r;
                    piece
                });
                pieces.collect()
            };
            left = left.into_iter().flat_map(rest).collect();
            if left.is_empty() || left.len() > most(s.len()) {
                break;
            }
        }
        left
    }

    /// It holds for a section now.
    pub fn add(&mut self, sym: SymId, s: Section) {
        let list = self.of.entry(sym).or_default();
        let mut work = vec![s];
        while let Some(s) = work.pop() {
            if list.contains(&s) || list.iter().any(|f| holds(f, &s)) {
                continue;
            }
            let list = Rc::make_mut(list);
            list.retain(|f| !holds(&s, f));
            list.iter().for_each(|f| unite(f, &s, &mut work));
            if list.len() >= most(s.len()) {
                return;
            }
            list.push(s);
        }
    }

    /// It no longer holds for a section.
    pub fn remove(&mut self, sym: SymId, s: &[Span]) {
        let Some(list) = self.of.get_mut(&sym) else { return };
        if list.iter().all(|f| apart(f, s)) {
            return;
        }
        let list = std::mem::take(Rc::make_mut(list));
        let (kept, touched): (Vec<Section>, Vec<Section>) = list.into_iter().partition(|f| apart(f, s));
        if kept.is_empty() {
            self.of.remove(&sym);
        } else {
            self.of.insert(sym, Rc::new(kept));
        }
        for f in touched.into_iter().filter(|f| f.len() == s.len()) {
            for k in 0..f.len() {
                for rest in f[k].without(&s[k]) {
                    let mut part = f.clone();
                    part[k] = rest;
                    self.add(sym, part);
                }
            }
        }
    }

    /// Nothing is known about the arrays for which `gone` holds.
    pub fn forget(&mut self, gone: impl Fn(SymId) -> bool) {
        self.of.retain(|s, _| !gone(*s));
    }

    /// Drops sections whose bounds mention one of the symbols.
    pub fn unbind(&mut self, changed: impl Fn(SymId) -> bool) {
        let keeps = |f: &Section| f.iter().flat_map(|d| d.lo.iter().chain(&d.hi)).all(|e| !e.any_symbol(&changed));
        for list in self.of.values_mut().filter(|list| !list.iter().all(keeps)) {
            Rc::make_mut(list).retain(keeps);
        }
    }

    /// What holds in both.
    pub fn common(&self, other: &Facts) -> Facts {
        let mut out = Facts::default();
        for (sym, list) in &self.of {
            let Some(theirs) = other.of.get(sym) else { continue };
            if list == theirs {
                out.of.insert(*sym, Rc::clone(list));
                continue;
            }
            for s in list.iter() {
                for f in theirs.iter().filter(|f| f.len() == s.len()) {
                    out.add(*sym, f.iter().zip(s).map(|(a, b)| a.common(b)).collect());
                }
            }
        }
        out
    }

    /// Takes over what holds in `other`.
    pub fn extend(&mut self, other: &Facts) {
        for (sym, s) in other.sections() {
            self.add(sym, s.clone());
        }
    }

    /// How many comparisons it takes, about, to find out what holds here and elsewhere.
    pub fn weight(&self) -> usize {
        self.of.values().flat_map(|list| list.iter()).map(Vec::len).sum::<usize>()
            * self.of.values().map(|list| list.len()).max().unwrap_or(0)
    }

    /// All sections.
    pub fn sections(&self) -> impl Iterator<Item = (SymId, &Section)> {
        self.of.iter().flat_map(|(sym, list)| list.iter().map(|s| (*sym, s)))
    }
}

/// Adds two sections that differ in one dimension as one, where that is more than each.
fn unite(a: &[Span], b: &[Span], out: &mut Vec<Section>) {
    if a.len() != b.len() {
        return;
    }
    let mut differ = (0..a.len()).filter(|k| !(a[*k].holds(&b[*k]) && b[*k].holds(&a[*k])));
    let (Some(k), None) = (differ.next(), differ.next()) else { return };
    for (first, second) in [(a, b), (b, a)] {
        let both = first[k].followed_by(&second[k]);
        if let Some(both) = both.filter(|both| !first[k].holds(both) && !second[k].holds(both)) {
            let mut section = first.to_vec();
            section[k] = both;
            out.push(section);
        }
    }
}
