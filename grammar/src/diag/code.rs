//! The catalogue of diagnostics. A code is stable: it is never reused for another meaning.

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $code:literal, $title:literal;)*) => {
        /// A stable diagnostic code.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Code {
            $($(#[$doc])* #[doc = $title] $name,)*
        }
        impl Code {
            /// Every code, in order.
            pub const ALL: &'static [Code] = &[$(Code::$name),*];
            /// The code as printed, `C0101` say.
            pub fn as_str(self) -> &'static str {
                match self { $(Code::$name => $code,)* }
            }
            /// What the code stands for, in a few words.
            pub fn title(self) -> &'static str {
                match self { $(Code::$name => $title,)* }
            }
        }
    };
}

// C01xx reading text; C02xx names and types; C03xx the request; C04xx refused in differentiated code;
// C05xx verification; C09xx internal.
codes! {
    FileUnreadable = "C0101", "a file can't be read";
    BadContinuation = "C0102", "a continued line has no continuation";
    BadDirective = "C0103", "a directive can't be read";
    Preprocessor = "C0104", "a preprocessor line can't be processed";
    IncludeNotFound = "C0105", "an included file isn't found";
    UnitStructure = "C0106", "program units don't nest";
    Syntax = "C0107", "a statement can't be parsed";
    BadFixedForm = "C0108", "a line isn't in fixed form";
    TooDeep = "C0109", "code nests too deeply";
    ModuleNotFound = "C0201", "a module isn't among the files";
    NameNotFound = "C0202", "a name isn't declared";
    DuplicateName = "C0203", "a name is declared twice";
    BadDeclaration = "C0204", "a declaration can't be understood";
    BadExpression = "C0205", "an expression can't be understood";
    BadConstant = "C0206", "a constant expression can't be evaluated";
    NoSpecific = "C0207", "no specific procedure of a generic matches";
    HeadNotFound = "C0301", "the head isn't found";
    HeadVariable = "C0302", "a name of the head isn't a variable that can be differentiated";
    HeadSyntax = "C0303", "the head can't be read";
    Configuration = "C0305", "the configuration file can't be read";
    FileUnwritable = "C0306", "a file can't be written";
    OutOfDate = "C0307", "a generated file isn't what would be written";
    NumberedName = "C0308", "a generated name isn't the usual one";
    UnsupportedStatement = "C0401", "a statement can't be differentiated";
    UnsupportedExpression = "C0402", "an expression can't be differentiated";
    UnsupportedDeclaration = "C0404", "a declaration can't be differentiated";
    ExternalProcedure = "C0405", "the source of a called procedure isn't known";
    PrivateEntity = "C0406", "a generated module needs an entity that is private";
    ActiveAliasing = "C0407", "an active argument is aliased";
    ActiveIo = "C0408", "an active value is read from a file";
    UnsupportedDirective = "C0409", "a directive governs differentiated code";
    UnsupportedCall = "C0410", "a call can't be differentiated";
    UnsupportedControl = "C0411", "a jump can't be reversed";
    MemoryBudget = "C0412", "an adjoint takes more memory than allowed";
    StalePlan = "C0413", "a plan was made for another program";
    SerialLoop = "C0414", "a loop that directives share out runs serially in derivative code";
    DeviceData = "C0415", "what a directive says of data on a device isn't carried over to derivative code";
    ConditionalLine = "C0416", "a conditional line can't be followed";
    CheckFailed = "C0501", "a derivative doesn't pass verification";
    CompilerFailed = "C0502", "the compiler refused the code";
    CheckDriver = "C0503", "no driver can be written for a head";
    Internal = "C0901", "a bug in Costate";
}
