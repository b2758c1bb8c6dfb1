//! Which derivative code is generated, and where it goes.

/// Which derivative code to generate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Mode {
    /// Forward mode.
    Tangent,
    /// Reverse mode.
    Adjoint,
}

/// Where generated procedures go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Layout {
    /// A module of their own that uses the primal's.
    #[default]
    Separate,
    /// The primal's module, extended.
    Extend,
}
