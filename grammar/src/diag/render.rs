//! Diagnostics as text, JSON and SARIF.
