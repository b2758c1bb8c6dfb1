//! References of which the directives of the user's loop prove that iterations don't meet at them: what one iteration assigns,
//! no other one touches, and where it is the derivative's that is referred to, the same holds for it.

use costate_grammar::ir::{Evidence, Expr, Part, Role, StmtId, SymId};

use super::accesses::{Access, Accesses};
use super::aliases::Touched;
use super::references::How;

/// True for two references by which no two iterations refer to the same element.
pub(super) type NeverMeet<'a> = dyn Fn(&Access<'_>, &Access<'_>) -> bool + 'a;

/// What is proved of one variable, and of its derivative.
pub(super) struct Vouched<'e> {
    /// What each iteration assigns.
    written: Vec<&'e [Part]>,
    /// What an iteration assigns whenever it refers to it.
    own: Vec<&'e [Part]>,
    /// What it may assign.
    assigned: Vec<&'e [Part]>,
    /// What it may use, these among them.
    used: Vec<&'e [Part]>,
    /// The user's statements stand in their order: what is assigned here, they assign.
    in_order: bool,
    /// References, by their statements and elements, to elements among those of others that the iteration assigns.
    within: Vec<(StmtId, Vec<Part>)>,
}

impl<'e> Vouched<'e> {
    pub(super) fn of(evidence: &'e Evidence, variable: SymId, in_order: bool) -> Vouched<'e> {
        let of = |list: &'e [Expr]| -> Vec<&'e [Part]> {
            // An iteration that gathers does what several of the user's do.
            let known = list.iter().filter(|_| !evidence.gathered);
            let own = known.filter_map(Expr::as_var).filter(|d| d.sym == variable);
            own.map(|d| d.parts.as_slice()).collect()
        };
        let [assigned, used] = [0, 1].map(|k| of(&evidence.touched[k]));
        Vouched { written: of(&evidence.written), own: of(&evidence.own), assigned, used, in_order, within: Vec::new() }
    }

    /// Takes references for such as well that are to parts of what others refer to: after loops were peeled or their increments
    /// gathered, an iteration uses `y(i + 1)` for all but its last `i`.
    pub(super) fn look_within(&mut self, all: &[&Access<'_>], accesses: &Accesses<'_, '_>) {
        let own: Vec<&Access<'_>> = all.iter().copied().filter(|a| self.is_own(a)).collect();
        let within = |a: &Access<'_>| !a.by_call && own.iter().any(|o| accesses.lies_within(a, o));
        let found = all.iter().filter(|a| within(a)).map(|a| (a.stmt, a.of.parts.clone()));
        self.within = found.collect();
    }

    /// True for two references by which no two iterations refer to the same element: the user's iterations assign that of
    /// one of them wherever they get there, and refer to that of the other one.
    pub(super) fn never_meet(&self, a: &Access<'_>, b: &Access<'_>) -> bool {
        self.is_own(a) && self.is_touched(b) || self.is_own(b) && self.is_touched(a)
    }

    /// What the user's iteration does with the element, as far as it is known.
    pub(super) fn touched(&self, a: &Access<'_>) -> Option<Touched> {
        match self.is_own(a) {
            true => Some(Touched::Assigned),
            false => self.is_touched(a).then_some(Touched::Used),
        }
    }

    fn is_own(&self, a: &Access<'_>) -> bool {
        let parts = a.of.parts.as_slice();
        let assigned =
            || self.own.contains(&parts) || self.in_order && a.how != How::Read && self.assigned.contains(&parts);
        let within = || self.within.iter().any(|(stmt, w)| *stmt == a.stmt && w == parts);
        self.written.contains(&parts) || within() || assigned() && self.is_where_the_user_refers_to_it(a)
    }

    fn is_touched(&self, a: &Access<'_>) -> bool {
        self.used.contains(&a.of.parts.as_slice()) && self.is_where_the_user_refers_to_it(a) || self.is_own(a)
    }

    /// False where a value is saved or comes back in each iteration, and not each of them refers to the element.
    fn is_where_the_user_refers_to_it(&self, a: &Access<'_>) -> bool {
        !(a.certain && matches!(a.role, Some(Role::Save | Role::Restore)))
    }
}
