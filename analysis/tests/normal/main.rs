//! Normal form keeps the meaning: each snippet is compiled as written and in normal form, both run on the same random
//! numbers, and everything they set must agree.

mod arrays;
mod calls;
mod harness;
mod jumps;
mod masks;
mod names;
mod reductions;
