//! Node kinds of the syntax tree, checked at compile time; nothing outside `cst` and `lower` sees a tree-sitter node.
