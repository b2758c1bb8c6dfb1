//! IR to text, in the style of the file it came from.
