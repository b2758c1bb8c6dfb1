//! The passes over both sweeps, in the order in which they run.

use super::code::{Code, Fact};
use super::pass::Pass;
use super::{
    accumulators, copies, dead_code, factors, first_use, fission, fusion, order, scalar_replacement, selection, simd,
    vector_math, zeroing,
};

/// A pass, with the facts it uses and those to which it adds what it makes. A fact is found when the first pass that needs
/// it runs. What passes remove may stay among the facts; what they make has to be added.
struct Entry {
    pass: Pass,
    run: fn(&mut Code<'_, '_>),
    needs: &'static [Fact],
    gives: &'static [Fact],
}

const TABLE: [Entry; 14] = [
    Entry { pass: Pass::Selection, run: selection::run, needs: &[], gives: &[] },
    Entry { pass: Pass::FirstUse, run: first_use::run, needs: &[Fact::LocalAdjoints], gives: &[] },
    Entry { pass: Pass::DeadCode, run: dead_code::run, needs: &[Fact::LocalAdjoints], gives: &[] },
    Entry { pass: Pass::Factors, run: factors::run, needs: &[Fact::PrivateScalars], gives: &[] },
    Entry {
        pass: Pass::Accumulators,
        run: accumulators::run,
        needs: &[Fact::PrivateScalars, Fact::Changes],
        gives: &[Fact::PrivateScalars],
    },
    Entry { pass: Pass::Fission, run: fission::run, needs: &[Fact::PrivateScalars], gives: &[] },
    Entry { pass: Pass::Zeroing, run: zeroing::run, needs: &[Fact::LocalAdjoints, Fact::Changes], gives: &[] },
    Entry { pass: Pass::Copies, run: copies::run, needs: &[Fact::LocalAdjoints], gives: &[] },
    Entry { pass: Pass::Fusion, run: fusion::run, needs: &[Fact::PrivateScalars], gives: &[] },
    Entry { pass: Pass::VectorMath, run: vector_math::run, needs: &[Fact::PrivateScalars], gives: &[] },
    Entry { pass: Pass::Order, run: order::run, needs: &[Fact::PrivateScalars], gives: &[] },
    Entry {
        pass: Pass::ScalarReplacement,
        run: scalar_replacement::run,
        needs: &[Fact::PrivateScalars, Fact::Changes],
        gives: &[Fact::PrivateScalars],
    },
    Entry { pass: Pass::UnusedScalars, run: dead_code::run_on_private, needs: &[Fact::PrivateScalars], gives: &[] },
    Entry { pass: Pass::Simd, run: simd::run, needs: &[Fact::PrivateScalars], gives: &[] },
];

impl Code<'_, '_> {
    /// Runs the passes.
    pub(crate) fn run(&mut self) {
        self.check("emission");
        for entry in &TABLE {
            if !self.has(entry.pass) {
                continue;
            }
            entry.needs.iter().chain(entry.gives).for_each(|f| self.provide(*f));
            (entry.run)(self);
            self.check(entry.pass.name());
        }
    }
}
