//! The values that a driver gives to the variables.

/// A set of values. What agrees by chance for one of them, or is never reached, seldom is for all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Point {
    /// The seed and the sizes that are asked for, positive numbers, conditions that hold.
    #[default]
    Asked,
    /// The next seed, numbers of both signs, conditions that don't hold, and sizes of about half as much: a program has room
    /// for what is smaller.
    Signed,
    /// The seed after that, positive numbers, and the smaller sizes; of sizes that are given, two less.
    Smaller,
    /// Another seed, numbers of both signs, conditions that hold by chance; of sizes that are given, one less: what an even
    /// number of steps hides, an odd one shows.
    Mixed,
    /// Another seed, positive numbers; allocatable components that are neither inputs nor outputs have no memory yet.
    Bare,
    /// Another seed, positive numbers; allocatable and pointer arrays start at 0.
    Shifted,
    /// Another seed, numbers of both signs, conditions that hold: of the values for which a branch is taken, some more.
    Further,
}

impl Point {
    /// All.
    pub const ALL: [Point; 7] =
        [Point::Asked, Point::Signed, Point::Smaller, Point::Mixed, Point::Bare, Point::Shifted, Point::Further];
    /// Those after the third run where the first one takes no longer than so many seconds.
    pub(super) const SHORT: f64 = 1.0;
    /// Where the first point takes longer than so many seconds, there is no other, which may take as long.
    pub(super) const LONGEST: u64 = 5;

    /// Whether it differs from others for a head. `bare` and `shifted` say whether it has what these are for.
    pub(super) fn is_for(self, bare: bool, shifted: bool, seconds: f64) -> bool {
        match self {
            Point::Asked | Point::Signed | Point::Smaller => true,
            Point::Mixed | Point::Further => seconds <= Point::SHORT,
            Point::Bare => bare && seconds <= Point::SHORT,
            Point::Shifted => shifted && seconds <= Point::SHORT,
        }
    }

    /// The word for a driver's command line.
    pub(super) fn word(self) -> &'static str {
        match self {
            Point::Asked => "asked",
            Point::Signed => "signed",
            Point::Smaller => "smaller",
            Point::Mixed => "mixed",
            Point::Bare => "bare",
            Point::Shifted => "shifted",
            Point::Further => "further",
        }
    }

    /// How messages speak of it.
    pub(super) fn described(self) -> &'static str {
        match self {
            Point::Asked => "with the values that are asked for",
            Point::Signed => {
                "with numbers of both signs (the next seed), conditions that don't hold, and sizes of about half as much"
            }
            Point::Smaller => {
                "with other numbers (of the seed after the next), sizes of about half as much, and two less of those that are given"
            }
            Point::Mixed => {
                "with numbers of both signs (the third seed from here), conditions by chance, and one less of the sizes that \
                 are given"
            }
            Point::Bare => "where allocatable components that are neither inputs nor outputs have no memory at first",
            Point::Shifted => "where allocatable and pointer arrays start at 0",
            Point::Further => "with numbers of both signs (of a seed far from here)",
        }
    }
}
