//! Kinds and fields of nodes. That each exists in the grammar is checked by a test, so that a change of the grammar's names
//! can't silently turn a construct into an unknown one.

use std::sync::OnceLock;

use tree_sitter::Language;

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
    pub(super) fn is_construct(self) -> bool {
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

/// What the grammar's numbers stand for.
pub(super) struct Tables {
    pub(super) language: Language,
    pub(super) kinds: Vec<Kind>,
    pub(super) fields: Vec<Field>,
}

pub(super) fn tables() -> &'static Tables {
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

#[cfg(test)]
mod tests {
    use super::*;

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
