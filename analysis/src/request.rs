//! The request: heads as the user writes them, resolved against the program.
