//! Normal form of a procedure body.
