//! Verification of generated code: drivers, builds, runs, figures.
