//! How many elements collective calls mean where no argument is their number: it depends on how many processes there are.

use costate_grammar::ir::Name;

/// A block of the same size for each process: `even size`.
pub const EVEN: &str = "costate_mpi_even";
/// Blocks with sizes and places of their own: `listed sizes places`.
pub const LISTED: &str = "costate_mpi_listed";
/// Blocks of which each is behind the one before: `summed sizes`.
pub const SUMMED: &str = "costate_mpi_summed";
/// The own one of such blocks: `own sizes`.
pub const OWN: &str = "costate_mpi_own";

/// The blocks of a buffer.
#[derive(Clone, Debug)]
pub struct Blocks {
    /// The procedure of the run-time library that finds out how far they reach, one of [`EVEN`], [`LISTED`], [`SUMMED`] and [`OWN`].
    pub procedure: &'static str,
    /// The arguments of the call that it needs for that.
    pub sizes: Vec<Name>,
    /// Which processes have one each: all (0), or those that a neighbour receives from (1) or sends to (2).
    pub of: i64,
}

impl Blocks {
    /// What a row says of a buffer of `procedure`, which is sent or received.
    pub(super) fn read(text: &str, procedure: &str, sent: bool) -> Option<Self> {
        let (kind, sizes) = text.split_once(' ')?;
        let told =
            [EVEN, LISTED, SUMMED, OWN].into_iter().find(|told| told.strip_prefix("costate_mpi_") == Some(kind))?;
        let of = match procedure.contains("neighbor") {
            false => 0,
            true if sent => 2,
            true => 1,
        };
        Some(Self { procedure: told, sizes: sizes.split_whitespace().map(Name::new).collect(), of })
    }
}
