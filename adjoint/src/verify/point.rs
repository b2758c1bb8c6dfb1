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
    /// The seed after that, positive numbers, and the smaller sizes.
    Smaller,
}

impl Point {
    /// All.
    pub const ALL: [Point; 3] = [Point::Asked, Point::Signed, Point::Smaller];
    /// Where the first point takes longer than so many seconds, there is no other, which may take as long.
    pub(super) const LONGEST: u64 = 5;

    /// The word for a driver's command line.
    pub(super) fn word(self) -> &'static str {
        match self {
            Point::Asked => "asked",
            Point::Signed => "signed",
            Point::Smaller => "smaller",
        }
    }

    /// How messages speak of it.
    pub(super) fn described(self) -> &'static str {
        match self {
            Point::Asked => "with the values that are asked for",
            Point::Signed => {
                "with numbers of both signs (the next seed), conditions that don't hold, and sizes of about half as much"
            }
            Point::Smaller => "with other numbers (of the seed after the next), and sizes of about half as much",
        }
    }
}
