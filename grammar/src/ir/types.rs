use super::SymId;

/// The base of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Base {
    /// `integer`
    Integer,
    /// `real`
    Real,
    /// `complex`
    Complex,
    /// `logical`
    Logical,
    /// `character`
    Character,
    /// `type(t)`
    Derived(SymId),
    /// `class(t)`
    Class(SymId),
    /// `class(*)` or `type(*)`
    Unlimited,
    /// No value: a subroutine, or something that couldn't be typed.
    None,
}

/// A type with its resolved kind: bytes of storage for integer, real and logical, of one part for complex,
/// 1 for default character, 0 where kinds don't apply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Ty {
    /// What it is.
    pub base: Base,
    /// Its kind.
    pub kind: u8,
}

impl Ty {
    /// Default integer.
    pub const INTEGER: Ty = Ty { base: Base::Integer, kind: 4 };
    /// Default real.
    pub const REAL: Ty = Ty { base: Base::Real, kind: 4 };
    /// Double precision.
    pub const DOUBLE: Ty = Ty { base: Base::Real, kind: 8 };
    /// Default logical.
    pub const LOGICAL: Ty = Ty { base: Base::Logical, kind: 4 };
    /// Default character.
    pub const CHARACTER: Ty = Ty { base: Base::Character, kind: 1 };
    /// No type.
    pub const NONE: Ty = Ty { base: Base::None, kind: 0 };

    /// A type from its parts.
    pub const fn new(base: Base, kind: u8) -> Ty {
        Ty { base, kind }
    }

    /// True for real and complex: types that can carry a derivative by themselves.
    pub fn is_continuous(self) -> bool {
        matches!(self.base, Base::Real | Base::Complex)
    }

    /// True for integer, real and complex.
    pub fn is_numeric(self) -> bool {
        matches!(self.base, Base::Integer | Base::Real | Base::Complex)
    }

    /// The derived type behind `type(t)` or `class(t)`.
    pub fn derived(self) -> Option<SymId> {
        match self.base {
            Base::Derived(s) | Base::Class(s) => Some(s),
            _ => None,
        }
    }

    /// The type of a numeric operation on two operands (F2018 10.1.9.3).
    pub fn promote(self, other: Ty) -> Ty {
        let order = |t: Ty| match t.base {
            Base::Integer => 1,
            Base::Real => 2,
            Base::Complex => 3,
            _ => 0,
        };
        let (a, b) = (order(self), order(other));
        match a.cmp(&b) {
            std::cmp::Ordering::Equal => Ty { base: self.base, kind: self.kind.max(other.kind) },
            std::cmp::Ordering::Greater if b >= 2 => Ty { base: self.base, kind: self.kind.max(other.kind) },
            std::cmp::Ordering::Less if a >= 2 => Ty { base: other.base, kind: self.kind.max(other.kind) },
            std::cmp::Ordering::Greater => self,
            std::cmp::Ordering::Less => other,
        }
    }
}
