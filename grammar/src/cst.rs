//! The syntax tree of one program unit: tree-sitter's, copied into a plain arena. Nothing outside here and `lower` sees it.
//!
//! Node kinds are an enum. That each exists in the grammar is checked by a test, so that a change of the grammar's names
//! can't silently turn a construct into an unknown one.

use std::sync::OnceLock;

use tree_sitter::{Language, Parser};

use crate::lines::LogicalLine;
use crate::source::Span;

macro_rules! kinds {
    ($($id:ident $name:literal)*) => {
        /// Kinds of named nodes.
        // The names are the grammar's.
        #[allow(clippy::enum_variant_names)]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub(crate) enum Kind {
            $($id,)*
            /// An anonymous token: keyword or punctuation.
            Token,
            /// A node that the parser couldn't make sense of.
            Error,
            /// A node that the parser made up.
            Missing,
            /// A named node of a kind that isn't listed here.
            Unknown,
        }
        const KINDS: &[(&str, Kind)] = &[$(($name, Kind::$id),)*];
    };
}

kinds! {
    TranslationUnit "translation_unit" Program "program" ProgramStatement "program_statement" EndProgramStatement "end_program_statement"
    Module "module" ModuleStatement "module_statement" EndModuleStatement "end_module_statement"
    Submodule "submodule" SubmoduleStatement "submodule_statement" EndSubmoduleStatement "end_submodule_statement"
    BlockData "block_data" BlockDataStatement "block_data_statement" EndBlockDataStatement "end_block_data_statement"
    Subroutine "subroutine" SubroutineStatement "subroutine_statement" EndSubroutineStatement "end_subroutine_statement"
    Function "function" FunctionStatement "function_statement" EndFunctionStatement "end_function_statement"
    ModuleProcedure "module_procedure" ModuleProcedureStatement "module_procedure_statement"
    EndModuleProcedureStatement "end_module_procedure_statement"
    InternalProcedures "internal_procedures" ContainsStatement "contains_statement" ModuleName "module_name"
    Interface "interface" InterfaceStatement "interface_statement" EndInterfaceStatement "end_interface_statement"
    AbstractSpecifier "abstract_specifier" Assignment "assignment" Operator "operator" OperatorName "operator_name"
    DefinedIoProcedure "defined_io_procedure" LanguageBinding "language_binding" ProcedureAttributes "procedure_attributes"
    ProcedureQualifier "procedure_qualifier" FunctionResult "function_result" Name "name" Parameters "parameters"
    UseStatement "use_statement" IncludedItems "included_items" UseAlias "use_alias" LocalName "local_name"
    ImplicitStatement "implicit_statement" None "none" ImplicitRange "implicit_range" SaveStatement "save_statement"
    BindStatement "bind_statement" CommonBlock "common_block" PrivateStatement "private_statement"
    PublicStatement "public_statement" NamelistStatement "namelist_statement" CommonStatement "common_statement"
    VariableGroup "variable_group" ImportStatement "import_statement" DerivedTypeDefinition "derived_type_definition"
    SequenceStatement "sequence_statement" AccessSpecifier "access_specifier" BaseTypeSpecifier "base_type_specifier"
    DerivedTypeStatement "derived_type_statement" EndTypeStatement "end_type_statement" TypeName "type_name"
    DerivedTypeParameterList "derived_type_parameter_list" DerivedTypeProcedures "derived_type_procedures"
    ProcedureStatement "procedure_statement" GenericStatement "generic_statement" FinalStatement "final_statement"
    Binding "binding" BindingName "binding_name" BindingList "binding_list" MethodName "method_name"
    ProcedureKind "procedure_kind" ProcedureInterface "procedure_interface" ProcedureAttribute "procedure_attribute"
    VariableDeclaration "variable_declaration" Procedure "procedure" VariableModification "variable_modification"
    VariableAttributes "variable_attributes" SizedDeclarator "sized_declarator" InitDeclarator "init_declarator"
    PointerInitDeclarator "pointer_init_declarator" DataDeclarator "data_declarator" IntrinsicType "intrinsic_type"
    DerivedType "derived_type" DeclaredType "declared_type" UnlimitedPolymorphic "unlimited_polymorphic" KindNode "kind"
    CharacterLength "character_length" TypeQualifier "type_qualifier" ParameterStatement "parameter_statement"
    ParameterAssignment "parameter_assignment" EquivalenceStatement "equivalence_statement" EquivalenceSet "equivalence_set"
    CrayPointerDeclaration "cray_pointer_declaration" CrayPointerPair "cray_pointer_pair" Size "size"
    StopStatement "stop_statement" AssignmentStatement "assignment_statement"
    PointerAssociationStatement "pointer_association_statement" SubroutineCall "subroutine_call"
    KeywordStatement "keyword_statement" IncludeStatement "include_statement" Filename "filename"
    DataStatement "data_statement" DataSet "data_set" DataValue "data_value" DoLoop "do_loop" DoStatement "do_statement"
    EndDoLabelLoopStatement "end_do_label_loop_statement" EndDoLoopStatement "end_do_loop_statement"
    DoLabelVirtual "do_label_virtual" WhileStatement "while_statement" ConcurrentStatement "concurrent_statement"
    ConcurrentHeader "concurrent_header" ConcurrentControl "concurrent_control" ConcurrentLocality "concurrent_locality"
    ConcurrentMask "concurrent_mask" BinaryOp "binary_op" IfStatement "if_statement" ArithmeticIf "arithmetic_if_statement"
    EndIfStatement "end_if_statement" ElseifClause "elseif_clause" ElseClause "else_clause" WhereStatement "where_statement"
    EndWhereStatement "end_where_statement" ElsewhereClause "elsewhere_clause" ForallStatement "forall_statement"
    TripletSpec "triplet_spec" EndForallStatement "end_forall_statement" SelectCaseStatement "select_case_statement"
    SelectTypeStatement "select_type_statement" SelectRankStatement "select_rank_statement"
    EndSelectStatement "end_select_statement" Selector "selector" CaseStatement "case_statement" Default "default"
    TypeStatement "type_statement" CaseValueRangeList "case_value_range_list" RankStatement "rank_statement"
    BlockConstruct "block_construct" EndBlockConstructStatement "end_block_construct_statement"
    AssociateStatement "associate_statement" AssociationList "association_list" Association "association"
    EndAssociateStatement "end_associate_statement" FormatStatement "format_statement" TransferItems "transfer_items"
    EditDescriptor "edit_descriptor" ReadStatement "read_statement" PrintStatement "print_statement"
    OpenStatement "open_statement" CloseStatement "close_statement" WriteStatement "write_statement"
    InquireStatement "inquire_statement" Enum "enum" EnumStatement "enum_statement" EnumerationType "enumeration_type"
    EnumeratorStatement "enumerator_statement" EndEnumStatement "end_enum_statement" UnitIdentifier "unit_identifier"
    FormatIdentifier "format_identifier" FilePositionStatement "file_position_statement" InputItemList "input_item_list"
    OutputItemList "output_item_list" AllocateStatement "allocate_statement" SizedAllocation "sized_allocation"
    CoarrayAllocation "coarray_allocation" DeallocateStatement "deallocate_statement" NullifyStatement "nullify_statement"
    EntryStatement "entry_statement" AssignStatement "assign_statement" ParenthesizedExpression "parenthesized_expression"
    MemberExpression "derived_type_member_expression" TypeMember "type_member" LogicalExpression "logical_expression"
    RelationalExpression "relational_expression" ConcatenationExpression "concatenation_expression"
    MathExpression "math_expression" UnaryExpression "unary_expression" UserDefinedOperator "user_defined_operator"
    CallExpression "call_expression" ImpliedDo "implied_do_loop_expression" ArgumentList "argument_list"
    KeywordArgument "keyword_argument" ExtentSpecifier "extent_specifier" AssumedSize "assumed_size"
    AssumedShape "assumed_shape" AssumedRank "assumed_rank" BlockLabelStart "block_label_start_expression"
    BlockLabel "block_label" LoopControl "loop_control_expression" ArrayLiteral "array_literal"
    ComplexLiteral "complex_literal" NumberLiteral "number_literal" BooleanLiteral "boolean_literal"
    NullLiteral "null_literal" StringLiteral "string_literal" CoarrayIndex "coarray_index" CoarraySize "coarray_size"
    CoarrayDeclarator "coarray_declarator" CoarrayExpression "coarray_expression" CoarrayStatement "coarray_statement"
    CoarrayTeamStatement "coarray_team_statement" CoarrayCriticalStatement "coarray_critical_statement"
    ConditionalExpression "conditional_expression" Identifier "identifier" Comment "comment" Hollerith "hollerith_constant"
    StatementLabel "statement_label" StatementLabelReference "statement_label_reference"
}

impl Kind {
    /// A construct that statements stand in.
    fn is_construct(self) -> bool {
        matches!(
            self,
            Kind::IfStatement
                | Kind::DoLoop
                | Kind::BlockConstruct
                | Kind::AssociateStatement
                | Kind::SelectCaseStatement
                | Kind::SelectTypeStatement
                | Kind::SelectRankStatement
                | Kind::WhereStatement
                | Kind::ForallStatement
                | Kind::CoarrayCriticalStatement
                | Kind::CoarrayTeamStatement
        )
    }
}

macro_rules! fields {
    ($($id:ident $name:literal)*) => {
        /// Fields of nodes.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Field {
            $($id,)*
            /// No field, or one that isn't listed here.
            Other,
        }
        const FIELDS: &[(&str, Field)] = &[$(($name, Field::$id),)*];
    };
}

fields! {
    Name "name" Parameters "parameters" Type "type" Kind "kind" Left "left" Right "right" Operator "operator" Argument "argument"
    Declarator "declarator" Attribute "attribute" Access "access" Base "base" Subroutine "subroutine" Initial "initial"
    Final "final" Step "step" Allocation "allocation" Selector "selector" Value "value" Repeat "repeat" Ancestor "ancestor"
    Parent "parent" DoLabel "do_label" Mold "mold"
}

struct Tables {
    language: Language,
    kinds: Vec<Kind>,
    fields: Vec<Field>,
}

fn tables() -> &'static Tables {
    static TABLES: OnceLock<Tables> = OnceLock::new();
    TABLES.get_or_init(|| {
        let language: Language = tree_sitter_fortran::LANGUAGE.into();
        let kind = |id: u16| {
            if !language.node_kind_is_named(id) {
                return Kind::Token;
            }
            let name = language.node_kind_for_id(id).unwrap_or("");
            KINDS.iter().find(|(n, _)| *n == name).map_or(Kind::Unknown, |(_, k)| *k)
        };
        let kinds = (0..language.node_kind_count() as u16).map(kind).collect();
        let field = |id: u16| {
            let name = language.field_name_for_id(id).unwrap_or("");
            FIELDS.iter().find(|(n, _)| *n == name).map_or(Field::Other, |(_, f)| *f)
        };
        let fields = (0..=language.field_count() as u16).map(field).collect();
        Tables { language, kinds, fields }
    })
}

#[derive(Clone, Debug)]
struct NodeData {
    kind: Kind,
    field: Field,
    start: u32,
    end: u32,
    row: u32,
    end_row: u32,
    first: u32,
    count: u32,
}

/// A line of a tree's text.
#[derive(Clone, Copy, Debug)]
struct Row {
    /// Where its statement (without label) starts in the tree's text.
    start: u32,
    /// Index of the logical line in the file; `usize::MAX` for a line that stands for none.
    line: usize,
    /// Where something stands in the statement that isn't the user's, and its length.
    added: Option<(u32, u32)>,
}

/// What is put before the mask of a `forall`: the parser takes operations only.
const MASKED: &str = ".true. .and. ";

/// The syntax tree of one unit.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tree {
    text: String,
    nodes: Vec<NodeData>,
    rows: Vec<Row>,
    /// Children of nodes, as ranges named by `first` and `count`.
    links: Vec<u32>,
    has_error: bool,
    /// Statements that nest too deeply, by row, with what does.
    beyond: Vec<(u32, Beyond)>,
}

/// A limit on how deeply code may nest. Everything after the parser follows the tree recursively, and some of it goes
/// over the inside of a construct once for each level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Beyond {
    /// Brackets in a statement.
    Brackets,
    /// Constructs: `if`, `do`, `block` and their like.
    Constructs,
    /// Operations in a chain: terms of a sum, say.
    Operations,
    /// Products, quotients and powers in a chain: the derivative of each factor names all others.
    Factors,
}

impl Beyond {
    /// How deep is deep enough.
    pub(crate) const fn limit(self) -> u32 {
        match self {
            Beyond::Brackets => 128,
            Beyond::Constructs => 64,
            Beyond::Operations => 20_000,
            Beyond::Factors => 500,
        }
    }

    /// What is said of it.
    pub(crate) fn message(self) -> String {
        let limit = self.limit();
        match self {
            Beyond::Brackets => format!("more than {limit} parentheses are open in this statement"),
            Beyond::Constructs => format!("more than {limit} constructs are nested here"),
            Beyond::Operations => format!("an expression has more than {limit} operations in a row"),
            Beyond::Factors => format!("an expression has more than {limit} products, quotients or powers in a row"),
        }
    }

    /// The way out.
    pub(crate) fn help(self) -> &'static str {
        match self {
            Beyond::Brackets | Beyond::Operations | Beyond::Factors => "divide the expression among several statements",
            Beyond::Constructs => "move inner constructs to a procedure of their own",
        }
    }
}

/// The most brackets that are open at a time in a statement.
fn brackets(text: &str) -> u32 {
    let (mut depth, mut most, mut quote) = (0u32, 0, None);
    for b in text.bytes() {
        match (quote, b) {
            (Some(q), _) if b == q => quote = None,
            (Some(_), _) => {}
            (None, b'\'' | b'"') => quote = Some(b),
            (None, b'(' | b'[') => {
                depth += 1;
                most = most.max(depth);
            }
            (None, b')' | b']') => depth = depth.saturating_sub(1),
            (None, _) => {}
        }
    }
    most
}

/// Gathers the text of a unit line by line, then parses it.
#[derive(Default)]
pub(crate) struct TreeBuilder {
    text: String,
    rows: Vec<Row>,
    beyond: Vec<(u32, Beyond)>,
}

impl TreeBuilder {
    /// Adds statement `line` of the file.
    pub(crate) fn push(&mut self, line: usize, logical: &LogicalLine) {
        if let Some(label) = logical.label {
            self.text.push_str(&label.to_string());
            self.text.push(' ');
        }
        let text = &logical.text;
        let added = plain_mask(text).map(|at| (at, MASKED)).or_else(|| bare_final(text).map(|at| (at, ":: ")));
        match (mended(text), added) {
            (Some(text), _) => self.push_text(line, &text),
            (None, Some((at, what))) => {
                let (before, after) = text.split_at(at);
                self.push_text(line, &format!("{before}{what}{after}"));
                self.rows.last_mut().into_iter().for_each(|r| r.added = Some((at as u32, what.len() as u32)));
            }
            (None, None) => self.push_text(line, text),
        }
    }

    /// Adds text in place of statement `line`.
    pub(crate) fn push_text(&mut self, line: usize, text: &str) {
        // The parser itself takes too long over it.
        let deep = brackets(text) > Beyond::Brackets.limit();
        if deep {
            self.beyond.push((self.rows.len() as u32, Beyond::Brackets));
        }
        let text = if deep { "" } else { text };
        self.rows.push(Row { start: self.text.len() as u32, line, added: None });
        self.text.push_str(text);
        self.text.push('\n');
    }

    /// Parses what was gathered.
    pub(crate) fn parse(self) -> Tree {
        let mut tree = Tree { text: self.text, rows: self.rows, beyond: self.beyond, ..Tree::default() };
        let mut parser = Parser::new();
        let parsed = match parser.set_language(&tables().language) {
            Ok(()) => parser.parse(&tree.text, None),
            Err(_) => None,
        };
        if let Some(parsed) = parsed {
            tree.has_error = parsed.root_node().has_error();
            tree.copy(&mut parsed.walk());
        } else {
            tree.has_error = true;
        }
        tree
    }
}

/// `character x*(16)` with the length as the parser reads it; of the same length, so that places stay as they are.
fn mended(text: &str) -> Option<String> {
    let character = text.get(..9).is_some_and(|t| t.eq_ignore_ascii_case("character"));
    if !character || !text.contains("*(") || text.contains(['\'', '"']) {
        return None;
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(i) = rest.find("*(") {
        let (before, after) = rest.split_at(i + 2);
        let digits = after.bytes().take_while(u8::is_ascii_digit).count();
        if digits > 0 && after.as_bytes().get(digits) == Some(&b')') {
            out.push_str(&before[..i + 1]);
            out.push_str(&after[..digits]);
            out.push_str("  ");
            rest = &after[digits + 1..];
        } else {
            out.push_str(before);
            rest = after;
        }
    }
    out.push_str(rest);
    Some(out)
}

/// Where the names of a `final` statement start that has no `::`, which the parser wants.
fn bare_final(text: &str) -> Option<usize> {
    let (word, rest) = text.split_at_checked(5)?;
    let mut names = rest.split(',');
    let is_name = |n: &str| {
        let n = n.trim();
        n.starts_with(|c: char| c.is_ascii_alphabetic()) && n.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    (word.eq_ignore_ascii_case("final") && rest.starts_with(' ') && names.all(is_name)).then_some(6)
}

/// Where the mask of a `forall` starts that is no operation: `m(i)`, `s%m(i)`, `(a > b)`.
fn plain_mask(text: &str) -> Option<usize> {
    let head = text.find('(')?;
    let word = text[..head].rsplit(':').next()?.trim();
    if !word.eq_ignore_ascii_case("forall") {
        return None;
    }
    let (mut depth, mut comma) = (0, None);
    for (i, c) in text.bytes().enumerate().skip(head) {
        match c {
            b'\'' | b'"' => return None,
            b'(' => depth += 1,
            b')' if depth == 1 => break,
            b')' => depth -= 1,
            b',' if depth == 1 => comma = Some(i + 1),
            _ => {}
        }
        // Anything but names and parentheses after the comma is an operation or another index.
        let plain = depth > 1 || c.is_ascii_alphanumeric() || matches!(c, b'_' | b'%' | b' ' | b',' | b')');
        if !plain {
            comma = None;
        }
    }
    comma
}

/// A node whose children are being copied.
struct Open {
    id: u32,
    /// Those so far.
    children: Vec<u32>,
    /// How many constructs it is in, itself included.
    constructs: u32,
    /// How many products in a row it ends.
    factors: u32,
}

/// `a*b`, `a/b` or `a**b`.
fn is_product(node: tree_sitter::Node<'_>) -> bool {
    (0..node.child_count()).filter_map(|i| node.child(i)).any(|c| matches!(c.kind(), "*" | "/" | "**"))
}

impl Tree {
    /// Copies the tree at the cursor, which may be very deep, node by node.
    fn copy(&mut self, cursor: &mut tree_sitter::TreeCursor<'_>) {
        let mut open: Vec<Open> = Vec::new();
        loop {
            let id = self.add(cursor);
            let kind = self.nodes[id as usize].kind;
            let (constructs, factors) = open.last().map_or((0, 0), |o| (o.constructs, o.factors));
            let constructs = constructs + u32::from(kind.is_construct());
            let factors = if kind == Kind::MathExpression && is_product(cursor.node()) { factors + 1 } else { 0 };
            let depth = open.len() as u32;
            let depths = [(Beyond::Constructs, constructs), (Beyond::Operations, depth), (Beyond::Factors, factors)];
            let beyond = depths.into_iter().find(|(b, depth)| *depth > b.limit()).map(|(b, _)| b);
            if let Some(at) =
                beyond.map(|b| (self.nodes[id as usize].row, b)).filter(|at| self.beyond.last() != Some(at))
            {
                self.beyond.push(at);
            }
            open.push(Open { id, children: Vec::new(), constructs, factors });
            if beyond.is_none() && cursor.goto_first_child() {
                continue;
            }
            loop {
                let Some(Open { id, children, .. }) = open.pop() else { return };
                let node = &mut self.nodes[id as usize];
                node.first = self.links.len() as u32;
                node.count = children.len() as u32;
                self.links.extend(children);
                let Some(parent) = open.last_mut() else { return };
                parent.children.push(id);
                if cursor.goto_next_sibling() {
                    break;
                }
                cursor.goto_parent();
            }
        }
    }

    /// Adds the node at the cursor, without its children.
    fn add(&mut self, cursor: &tree_sitter::TreeCursor<'_>) -> u32 {
        let node = cursor.node();
        let kind = if node.is_error() {
            Kind::Error
        } else if node.is_missing() {
            Kind::Missing
        } else {
            tables().kinds.get(usize::from(node.kind_id())).copied().unwrap_or(Kind::Unknown)
        };
        let field = cursor.field_id().and_then(|f| tables().fields.get(usize::from(f.get())).copied());
        self.nodes.push(NodeData {
            kind,
            field: field.unwrap_or(Field::Other),
            start: node.start_byte() as u32,
            end: node.end_byte() as u32,
            row: node.start_position().row as u32,
            end_row: node.end_position().row as u32,
            first: 0,
            count: 0,
        });
        self.nodes.len() as u32 - 1
    }

    /// The root, unless nothing was parsed.
    pub(crate) fn root(&self) -> Option<Node<'_>> {
        (!self.nodes.is_empty()).then_some(Node { tree: self, id: 0 })
    }

    /// Does it contain ERROR or MISSING nodes?
    pub(crate) fn has_error(&self) -> bool {
        self.has_error
    }

    /// Does something in it nest too deeply?
    pub(crate) fn is_beyond(&self) -> bool {
        !self.beyond.is_empty()
    }

    /// The places that nest too deeply, with the limits: one of each limit, and the first of it.
    pub(crate) fn beyond(&self, lines: &[LogicalLine]) -> Vec<(Span, Beyond)> {
        let mut out: Vec<(Span, Beyond)> = Vec::new();
        for (row, b) in &self.beyond {
            if !out.iter().any(|(_, known)| known == b) {
                let start = self.rows.get(*row as usize).map_or(0, |r| r.start);
                out.push((self.span(lines, *row, start, start + 1), *b));
            }
        }
        out
    }

    /// The innermost broken nodes, in order.
    pub(crate) fn errors(&self) -> Vec<Node<'_>> {
        let broken = |n: &NodeData| matches!(n.kind, Kind::Error | Kind::Missing);
        (0..self.nodes.len()).filter(|&i| broken(&self.nodes[i])).map(|i| Node { tree: self, id: i as u32 }).collect()
    }
}

/// A node of a [`Tree`].
#[derive(Clone, Copy)]
pub(crate) struct Node<'t> {
    tree: &'t Tree,
    id: u32,
}

impl std::fmt::Debug for Node<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?} `{}`", self.kind(), self.text())
    }
}

impl PartialEq for Node<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id && std::ptr::eq(self.tree, other.tree)
    }
}

impl<'t> Node<'t> {
    fn data(self) -> &'t NodeData {
        &self.tree.nodes[self.id as usize]
    }

    /// Its kind.
    pub(crate) fn kind(self) -> Kind {
        self.data().kind
    }

    /// True for a keyword or punctuation.
    pub(crate) fn is_token(self) -> bool {
        self.kind() == Kind::Token
    }

    /// True for the keyword or punctuation `text`.
    pub(crate) fn is(self, text: &str) -> bool {
        self.is_token() && self.text().eq_ignore_ascii_case(text)
    }

    /// The field through which its parent holds it.
    pub(crate) fn field_of(self) -> Field {
        self.data().field
    }

    /// Its text.
    pub(crate) fn text(self) -> &'t str {
        let d = self.data();
        self.tree.text.get(d.start as usize..d.end as usize).unwrap_or("").trim_end()
    }

    /// Where its text stands in that of a node around it.
    pub(crate) fn place_in(self, outer: Node<'_>) -> std::ops::Range<usize> {
        let start = self.data().start.saturating_sub(outer.data().start) as usize;
        start..start + self.text().len()
    }

    /// Its text in lower case without blanks.
    pub(crate) fn squeezed(self) -> String {
        self.text().chars().filter(|c| !c.is_whitespace()).map(|c| c.to_ascii_lowercase()).collect()
    }

    /// Its text in lower case.
    pub(crate) fn lower(self) -> String {
        self.text().to_ascii_lowercase()
    }

    /// Its children, comments left out.
    pub(crate) fn children(self) -> impl Iterator<Item = Node<'t>> + Clone {
        let d = self.data();
        let tree = self.tree;
        tree.links[d.first as usize..(d.first + d.count) as usize]
            .iter()
            .map(move |&id| Node { tree, id })
            .filter(|n| n.kind() != Kind::Comment)
    }

    /// Its named children.
    pub(crate) fn named(self) -> impl Iterator<Item = Node<'t>> + Clone {
        self.children().filter(|n| !n.is_token())
    }

    /// Its first child of a kind.
    pub(crate) fn child(self, kind: Kind) -> Option<Node<'t>> {
        self.children().find(|n| n.kind() == kind)
    }

    /// Its first child in a field.
    pub(crate) fn field(self, field: Field) -> Option<Node<'t>> {
        self.children().find(|n| n.field_of() == field)
    }

    /// All its children in a field.
    pub(crate) fn fields(self, field: Field) -> impl Iterator<Item = Node<'t>> + Clone {
        self.children().filter(move |n| n.field_of() == field)
    }

    /// Has it the token `text` among its children?
    pub(crate) fn has_token(self, text: &str) -> bool {
        self.children().any(|n| n.is(text))
    }

    /// Does it stand on one line?
    pub(crate) fn on_one_line(self) -> bool {
        let d = self.data();
        // A node's end may include the end of its line.
        d.end_row == d.row || self.text().len() <= self.tree.row_rest(d.row, d.start)
    }

    /// Index of the logical line it starts on.
    pub(crate) fn line(self) -> usize {
        self.tree.rows.get(self.data().row as usize).map_or(usize::MAX, |r| r.line)
    }

    /// The user's place of it.
    pub(crate) fn span(self, lines: &[LogicalLine]) -> Span {
        let d = self.data();
        let end = d.start + self.text().len() as u32;
        self.tree.span(lines, d.row, d.start, end)
    }
}

impl Tree {
    /// Bytes from `start` to the end of its line.
    fn row_rest(&self, row: u32, start: u32) -> usize {
        let end = self.text[start as usize..].find('\n').map_or(self.text.len(), |i| i + start as usize);
        let _ = row;
        end - start as usize
    }

    /// The user's place of bytes `start..end`, that begin in row `row`.
    pub(crate) fn span(&self, lines: &[LogicalLine], row: u32, start: u32, end: u32) -> Span {
        let at = |row: usize, from: u32, to: u32| {
            let r = self.rows.get(row)?;
            let line = lines.get(r.line)?;
            let len = line.text.len() as u32;
            let clip = |x: u32| {
                let x = x.saturating_sub(r.start);
                let added = r.added.map_or(0, |(at, length)| x.saturating_sub(at).min(length));
                (x - added).min(len)
            };
            Some(line.span_of(clip(from), clip(to)))
        };
        let row = row as usize;
        let last = self.rows.partition_point(|r| r.start < end.max(start + 1)).max(1) - 1;
        let first = at(row, start, if last == row { end } else { u32::MAX });
        let span = first.unwrap_or_default();
        if last == row { span } else { at(last, 0, end).map_or(span, |s| span.to(s)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depth_is_limited() {
        let found = |text: &str| {
            let mut b = TreeBuilder::default();
            text.lines().enumerate().for_each(|(i, line)| b.push_text(i, line));
            b.parse().beyond
        };
        let program = |body: &str| format!("subroutine s\n{body}end subroutine s\n");
        let nested = |n: usize| program(&format!("x = {}y{}\n", "(".repeat(n), ")".repeat(n)));
        assert_eq!(found(&nested(128)), []);
        assert_eq!(found(&nested(129)), [(1, Beyond::Brackets)]);
        assert_eq!(found(&program(&format!("x = '{}'\n", "(".repeat(1000)))), []);
        let blocks = |n: usize| program(&format!("{}{}", "block\n".repeat(n), "end block\n".repeat(n)));
        assert_eq!(found(&blocks(64)), []);
        assert_eq!(found(&blocks(65)), [(65, Beyond::Constructs)]);
        let sum = |n: usize| program(&format!("x = y{}\n", " + y".repeat(n)));
        assert_eq!(found(&sum(15_000)), []);
        assert_eq!(found(&sum(100_000)), [(1, Beyond::Operations)]);
        let product = |n: usize| program(&format!("x = {}y\n", "y * ".repeat(n)));
        assert_eq!(found(&product(400)), []);
        assert_eq!(found(&product(600)), [(1, Beyond::Factors)]);
    }

    #[test]
    fn every_kind_exists_in_the_grammar() {
        let language = &tables().language;
        for (name, _) in KINDS {
            assert_ne!(language.id_for_node_kind(name, true), 0, "no node kind {name}");
        }
        for (name, _) in FIELDS {
            assert!(language.field_id_for_name(name).is_some(), "no field {name}");
        }
    }
}
