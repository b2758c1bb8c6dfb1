//! THE derivative table: one row for each intrinsic and operator.
