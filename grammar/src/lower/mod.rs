//! Text to IR: units, declarations, statements, expressions.
