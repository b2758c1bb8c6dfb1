//! What elements an iteration assigns, or refers to, by one reference.

use std::collections::BTreeSet;

use costate_analysis::sections::{Range, Section, apart, covered, holds, swept};
use costate_analysis::storage::symbols;
use costate_grammar::ir::{Designator, Expr, ExprKind, Part, Role, StmtId, SymId, Ty};

use super::super::places::{is_below, section, values_in};
use super::super::references::How;
use super::{Access, Accesses};

impl Accesses<'_, '_> {
    /// True when each iteration assigns all elements that it uses of an array before it uses them.
    pub(in crate::parallel) fn assigns_first(&self, sym: SymId) -> bool {
        let all: Vec<&Access<'_>> = self.to(sym).filter(|a| !self.is_inquiry(a)).collect();
        let known = |k: usize| {
            let earlier = || all[..k].iter().filter(|w| w.how == How::Assigned && !w.by_call);
            let parts = values_in(self.scene.program, &all[k].of);
            parts.iter().all(|part| {
                earlier().any(|w| self.holds(w, (all[k], part))) || self.holds_in_all_blocks(&all[..k], (all[k], part))
            })
        };
        (0..all.len()).all(|k| all[k].how == How::Assigned && !all[k].by_call || known(k))
    }

    /// The same where a branch assigns it in each of its blocks.
    fn holds_in_all_blocks(&self, earlier: &[&Access<'_>], (read, part): (&Access<'_>, &Designator)) -> bool {
        let depth = read.path.len();
        let assigned_in = |at: (StmtId, usize)| {
            earlier.iter().any(|w| {
                let inside = w.path.len() == depth + 1 && w.path.starts_with(&read.path) && w.path[depth] == at;
                let as_if = || Access { path: read.path.clone(), ..(*w).clone() };
                inside && w.how == How::Assigned && !w.by_call && self.holds(&as_if(), (read, part))
            })
        };
        let branches: BTreeSet<StmtId> = earlier.iter().filter_map(|w| w.path.get(depth)).map(|p| p.0).collect();
        let all = |s: &StmtId| self.blocks.get(s).is_some_and(|n| (0..*n).all(|k| assigned_in((*s, k))));
        branches.iter().any(all)
    }

    /// True for a variable that holds a value from where it is saved to where it is restored, both in one iteration.
    pub(in crate::parallel) fn is_kept_within(&self, sym: SymId) -> bool {
        self.to(sym).all(|a| match a.how {
            How::Assigned => a.role == Some(Role::Save) && !a.by_call,
            How::Read => a.role == Some(Role::Restore),
            How::Added => false,
        }) && self.to(sym).any(|a| a.how == How::Assigned)
    }

    /// True for an array in which an iteration brings together what it saves, before a tape takes that over. It comes back
    /// from there before anything else uses it.
    pub(in crate::parallel) fn goes_to_tape(&self, sym: SymId) -> bool {
        let some = |how| self.to(sym).any(|a| a.how == how);
        some(How::Assigned)
            && some(How::Read)
            && self.to(sym).all(|a| match a.how {
                How::Assigned => a.role == Some(Role::Save) && !a.by_call,
                How::Read => self.pushes.contains(&a.stmt),
                How::Added => false,
            })
    }

    /// True for a variable that is only asked for its status or shape.
    pub(in crate::parallel) fn is_inquiry(&self, a: &Access<'_>) -> bool {
        a.how == How::Read && self.asked.iter().any(|d| std::ptr::eq(*d, &*a.of))
    }

    /// True when what one reference assigns, in the loops that are around it alone, holds all of a part that the other one
    /// uses.
    fn holds(&self, write: &Access<'_>, (read, part): (&Access<'_>, &Designator)) -> bool {
        if !read.path.starts_with(&write.path) {
            return false;
        }
        let common = write.loops.iter().zip(&read.loops).take_while(|(a, b)| a == b).count();
        if write.of == read.of && write.loops.len() == common {
            return self.stays(write);
        }
        if !is_below(part, &write.of) {
            return false;
        }
        let (Some((w, true)), Some((r, _))) = (section(self.scene, &write.of, false), section(self.scene, part, true))
        else {
            return false;
        };
        // What a component of an object has beside it is part of that.
        let r = r[..w.len()].to_vec();
        let all = write.within[common..].iter().rev().try_fold(w, |s, range| covered(&s, range));
        let used = read.within[common..].iter().rev().fold(r, |s, range| swept(&s, range, &|_| false));
        all.is_some_and(|all| self.contains(&all, &used))
    }

    /// True for a section with all of another one; what stands in the limits must mean the same in both places.
    fn contains(&self, all: &Section, used: &Section) -> bool {
        holds(all, used) && self.stands(all) && self.stands(used)
    }

    /// True when all elements that an iteration refers to by one reference are among those to which it refers by another one under no
    /// condition.
    pub(in crate::parallel) fn lies_within(&self, r: &Access<'_>, whole: &Access<'_>) -> bool {
        if !whole.path.is_empty() || whole.only.is_some() || whole.by_call || !is_below(&r.of, &whole.of) {
            return false;
        }
        let Some((w, true)) = section(self.scene, &whole.of, false) else { return false };
        let all = whole.within.iter().rev().try_fold(w, |s, range| covered(&s, range));
        matches!((all, self.of_iteration(r, &r.of)), (Some(all), Some(used)) if self.contains(&all, &used))
    }

    /// True for an element that its subscripts mean from then on to the end of the iteration.
    fn stays(&self, write: &Access<'_>) -> bool {
        let e = Expr::new(ExprKind::Var(write.of.clone().into_owned()), Ty::INTEGER, 0);
        let at = self.list.iter().position(|a| std::ptr::eq(a, write)).unwrap_or(0);
        let used: BTreeSet<SymId> = e.children().into_iter().flat_map(symbols).collect();
        used.into_iter().all(|s| {
            let around = write.within.iter().any(|r| r.var == Some(s));
            let set: Vec<usize> =
                (0..self.list.len()).filter(|k| self.list[*k].of.sym == s && self.list[*k].how != How::Read).collect();
            around || !self.inner.contains(&s) && (set.is_empty() || set.len() == 1 && set[0] < at)
        })
    }

    /// True when no limit of a section changes within an iteration.
    fn stands(&self, s: &Section) -> bool {
        let changing: Vec<SymId> = self.assigned.iter().filter(|x| !self.inner.contains(x)).copied().collect();
        s.iter().all(|d| !changing.iter().any(|x| d.mentions(*x)))
    }

    /// All that an iteration refers to by a reference, in the loops inside. `of` is what the reference is to, or more.
    pub(in crate::parallel) fn of_iteration(&self, r: &Access<'_>, of: &Designator) -> Option<Section> {
        let (section, _) = section(self.scene, of, false)?;
        Some(r.within.iter().rev().fold(section, |s, range| swept(&s, range, &|_| false)))
    }

    /// True when a reference is to none of the elements that a reference in other statements is to, wherever loops are.
    pub(in crate::parallel) fn apart_from(&self, a: &Access<'_>, other: &Accesses<'_, '_>, b: &Access<'_>) -> bool {
        let section = |of: &Accesses<'_, '_>, r: &Access<'_>| -> Option<Section> {
            let subscripts = r.of.parts.iter().all(|p| matches!(p, Part::Subscripts(_)));
            let moves = |s: SymId| self.assigned.contains(&s) || other.assigned.contains(&s);
            Some(swept(&of.of_iteration(r, &r.of).filter(|_| subscripts)?, &Range::default(), &moves))
        };
        matches!((section(self, a), section(other, b)), (Some(x), Some(y)) if apart(&x, &y))
    }
}
