//! What counts as a blank.

/// A blank to Fortran's eye: also the form feeds, stray carriage returns and DOS end marks of old files.
pub(crate) fn is_blank(b: u8) -> bool {
    matches!(b, b' ' | b'\t' | b'\r' | 0x0b | 0x0c | 0x1a)
}

/// Offset of the first byte at or after `from` that isn't blank, if there is one.
pub(crate) fn first_nonblank(text: &str, from: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    (from..bytes.len()).find(|&i| !is_blank(bytes[i]))
}
