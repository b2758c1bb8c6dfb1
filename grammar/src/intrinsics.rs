//! THE intrinsic table: every intrinsic procedure by name, with its class, its dummy arguments and how its result is typed.

use crate::ir::{Base, Ty};

/// Class of an intrinsic (F2018 16.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// Works element by element.
    Elemental,
    /// Changes shape or reduces.
    Transformational,
    /// Asks about an argument, not its value.
    Inquiry,
    /// A subroutine.
    Subroutine,
}

/// How the result is typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ResultTy {
    /// As the first argument.
    First,
    /// As all arguments promoted (`dot_product`, `matmul`, `max`).
    Promoted,
    /// Default integer, or the kind given by `kind=`.
    Integer,
    /// Default real, or of `kind=`; of the kind of a real or complex first argument when `Keep` applies (`real(z)`).
    Real,
    /// Real of the kind of the first argument (`abs(z)`, `aimag`).
    RealPart,
    /// Complex, of `kind=` or default.
    Complex,
    /// Logical, default or of the first argument's kind.
    Logical,
    /// Double precision.
    Double,
    /// Default real whatever the argument (`float`, `sngl`).
    Single,
    /// Character.
    Character,
    /// No result.
    None,
}

macro_rules! intrinsics {
    ($($id:ident $name:literal $class:ident $ty:ident [$($dummy:literal)*];)*) => {
        /// An intrinsic procedure.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Intrinsic {
            $(#[doc = $name] $id,)*
        }
        impl Intrinsic {
            /// Every intrinsic, in the table's order.
            pub const ALL: &'static [Intrinsic] = &[$(Intrinsic::$id),*];
            /// Its name in lower case.
            pub fn name(self) -> &'static str {
                match self { $(Intrinsic::$id => $name,)* }
            }
            /// Its class.
            pub fn class(self) -> Class {
                match self { $(Intrinsic::$id => Class::$class,)* }
            }
            /// How its result is typed.
            pub fn result(self) -> ResultTy {
                match self { $(Intrinsic::$id => ResultTy::$ty,)* }
            }
            /// Names of its dummy arguments in order (`max` and `min` take any number).
            pub fn dummies(self) -> &'static [&'static str] {
                match self { $(Intrinsic::$id => &[$($dummy),*],)* }
            }
            /// The intrinsic of a name in lower case. Helper functions of generated code are never found: to user code
            /// their names mean nothing.
            pub fn find(name: &str) -> Option<Intrinsic> {
                match name {
                    helper if helper.starts_with("costate_") => None,
                    $($name => Some(Intrinsic::$id),)*
                    _ => None,
                }
            }
        }
    };
}

intrinsics! {
    Abs "abs" Elemental RealPart ["a"];
    Acos "acos" Elemental First ["x"];
    Acosh "acosh" Elemental First ["x"];
    Aimag "aimag" Elemental RealPart ["z"];
    Aint "aint" Elemental First ["a" "kind"];
    Anint "anint" Elemental First ["a" "kind"];
    Asin "asin" Elemental First ["x"];
    Asinh "asinh" Elemental First ["x"];
    Atan "atan" Elemental First ["y" "x"];
    Atan2 "atan2" Elemental First ["y" "x"];
    Atanh "atanh" Elemental First ["x"];
    BesselJ0 "bessel_j0" Elemental First ["x"];
    BesselJ1 "bessel_j1" Elemental First ["x"];
    BesselJn "bessel_jn" Elemental RealPart ["n" "x"];
    BesselY0 "bessel_y0" Elemental First ["x"];
    BesselY1 "bessel_y1" Elemental First ["x"];
    BesselYn "bessel_yn" Elemental RealPart ["n" "x"];
    Ceiling "ceiling" Elemental Integer ["a" "kind"];
    Cmplx "cmplx" Elemental Complex ["x" "y" "kind"];
    Conjg "conjg" Elemental First ["z"];
    Cos "cos" Elemental First ["x"];
    Cosh "cosh" Elemental First ["x"];
    Dble "dble" Elemental Double ["a"];
    Dim "dim" Elemental First ["x" "y"];
    Dprod "dprod" Elemental Double ["x" "y"];
    Erf "erf" Elemental First ["x"];
    Erfc "erfc" Elemental First ["x"];
    ErfcScaled "erfc_scaled" Elemental First ["x"];
    Exp "exp" Elemental First ["x"];
    Floor "floor" Elemental Integer ["a" "kind"];
    Gamma "gamma" Elemental First ["x"];
    Hypot "hypot" Elemental First ["x" "y"];
    Int "int" Elemental Integer ["a" "kind"];
    Log "log" Elemental First ["x"];
    Log10 "log10" Elemental First ["x"];
    LogGamma "log_gamma" Elemental First ["x"];
    Max "max" Elemental Promoted ["a1" "a2" "a3"];
    Min "min" Elemental Promoted ["a1" "a2" "a3"];
    Mod "mod" Elemental First ["a" "p"];
    Modulo "modulo" Elemental First ["a" "p"];
    Nint "nint" Elemental Integer ["a" "kind"];
    Real "real" Elemental Real ["a" "kind"];
    Sign "sign" Elemental First ["a" "b"];
    Sin "sin" Elemental First ["x"];
    Sinh "sinh" Elemental First ["x"];
    Sqrt "sqrt" Elemental First ["x"];
    Tan "tan" Elemental First ["x"];
    Tanh "tanh" Elemental First ["x"];
    Merge "merge" Elemental First ["tsource" "fsource" "mask"];
    All "all" Transformational Logical ["mask" "dim"];
    Any "any" Transformational Logical ["mask" "dim"];
    Count "count" Transformational Integer ["mask" "dim" "kind"];
    Cshift "cshift" Transformational First ["array" "shift" "dim"];
    DotProduct "dot_product" Transformational Promoted ["vector_a" "vector_b"];
    Eoshift "eoshift" Transformational First ["array" "shift" "boundary" "dim"];
    Findloc "findloc" Transformational Integer ["array" "value" "dim" "mask" "kind" "back"];
    Matmul "matmul" Transformational Promoted ["matrix_a" "matrix_b"];
    Maxloc "maxloc" Transformational Integer ["array" "dim" "mask" "kind" "back"];
    Maxval "maxval" Transformational First ["array" "dim" "mask"];
    Minloc "minloc" Transformational Integer ["array" "dim" "mask" "kind" "back"];
    Minval "minval" Transformational First ["array" "dim" "mask"];
    Norm2 "norm2" Transformational First ["x" "dim"];
    Pack "pack" Transformational First ["array" "mask" "vector"];
    Parity "parity" Transformational Logical ["mask" "dim"];
    Product "product" Transformational First ["array" "dim" "mask"];
    Reshape "reshape" Transformational First ["source" "shape" "pad" "order"];
    Spread "spread" Transformational First ["source" "dim" "ncopies"];
    Sum "sum" Transformational First ["array" "dim" "mask"];
    Transpose "transpose" Transformational First ["matrix"];
    Unpack "unpack" Transformational First ["vector" "mask" "field"];
    Iall "iall" Transformational First ["array" "dim" "mask"];
    Iany "iany" Transformational First ["array" "dim" "mask"];
    Iparity "iparity" Transformational First ["array" "dim" "mask"];
    Iabs "iabs" Elemental Integer ["a"];
    Dabs "dabs" Elemental First ["a"];
    Cabs "cabs" Elemental RealPart ["a"];
    Zabs "zabs" Elemental RealPart ["a"];
    Cdabs "cdabs" Elemental RealPart ["a"];
    Dacos "dacos" Elemental First ["x"];
    Dacosh "dacosh" Elemental First ["x"];
    Dasin "dasin" Elemental First ["x"];
    Dasinh "dasinh" Elemental First ["x"];
    Datan "datan" Elemental First ["x"];
    Datan2 "datan2" Elemental First ["y" "x"];
    Datanh "datanh" Elemental First ["x"];
    Dcos "dcos" Elemental First ["x"];
    Ccos "ccos" Elemental First ["x"];
    Zcos "zcos" Elemental First ["x"];
    Dcosh "dcosh" Elemental First ["x"];
    Dexp "dexp" Elemental First ["x"];
    Cexp "cexp" Elemental First ["x"];
    Zexp "zexp" Elemental First ["x"];
    Dlog "dlog" Elemental First ["x"];
    Alog "alog" Elemental First ["x"];
    Clog "clog" Elemental First ["x"];
    Zlog "zlog" Elemental First ["x"];
    Dlog10 "dlog10" Elemental First ["x"];
    Alog10 "alog10" Elemental First ["x"];
    Dsin "dsin" Elemental First ["x"];
    Csin "csin" Elemental First ["x"];
    Zsin "zsin" Elemental First ["x"];
    Dsinh "dsinh" Elemental First ["x"];
    Dsqrt "dsqrt" Elemental First ["x"];
    Csqrt "csqrt" Elemental First ["x"];
    Zsqrt "zsqrt" Elemental First ["x"];
    Dtan "dtan" Elemental First ["x"];
    Dtanh "dtanh" Elemental First ["x"];
    Dsign "dsign" Elemental First ["a" "b"];
    Isign "isign" Elemental First ["a" "b"];
    Dmod "dmod" Elemental First ["a" "p"];
    Amod "amod" Elemental First ["a" "p"];
    Ddim "ddim" Elemental First ["x" "y"];
    Idim "idim" Elemental First ["x" "y"];
    Dint "dint" Elemental First ["a"];
    Dnint "dnint" Elemental First ["a"];
    Idint "idint" Elemental Integer ["a"];
    Idnint "idnint" Elemental Integer ["a"];
    Ifix "ifix" Elemental Integer ["a"];
    Dmax1 "dmax1" Elemental Promoted ["a1" "a2" "a3"];
    Dmin1 "dmin1" Elemental Promoted ["a1" "a2" "a3"];
    Amax1 "amax1" Elemental Promoted ["a1" "a2" "a3"];
    Amin1 "amin1" Elemental Promoted ["a1" "a2" "a3"];
    Max0 "max0" Elemental Promoted ["a1" "a2" "a3"];
    Min0 "min0" Elemental Promoted ["a1" "a2" "a3"];
    Max1 "max1" Elemental Integer ["a1" "a2" "a3"];
    Min1 "min1" Elemental Integer ["a1" "a2" "a3"];
    Amax0 "amax0" Elemental Single ["a1" "a2" "a3"];
    Amin0 "amin0" Elemental Single ["a1" "a2" "a3"];
    Float "float" Elemental Single ["a"];
    Sngl "sngl" Elemental Single ["a"];
    Dfloat "dfloat" Elemental Double ["a"];
    Dreal "dreal" Elemental RealPart ["a"];
    Dimag "dimag" Elemental RealPart ["z"];
    Dconjg "dconjg" Elemental First ["z"];
    Dcmplx "dcmplx" Elemental Complex ["x" "y"];
    Derf "derf" Elemental First ["x"];
    Derfc "derfc" Elemental First ["x"];
    Dgamma "dgamma" Elemental First ["x"];
    Achar "achar" Elemental Character ["i" "kind"];
    Adjustl "adjustl" Elemental Character ["string"];
    Adjustr "adjustr" Elemental Character ["string"];
    Allocated "allocated" Inquiry Logical ["array"];
    Associated "associated" Inquiry Logical ["pointer" "target"];
    Bge "bge" Elemental Logical ["i" "j"];
    Bgt "bgt" Elemental Logical ["i" "j"];
    BitSize "bit_size" Inquiry First ["i"];
    Ble "ble" Elemental Logical ["i" "j"];
    Blt "blt" Elemental Logical ["i" "j"];
    Btest "btest" Elemental Logical ["i" "pos"];
    Char "char" Elemental Character ["i" "kind"];
    CommandArgumentCount "command_argument_count" Transformational Integer [];
    Digits "digits" Inquiry Integer ["x"];
    Dshiftl "dshiftl" Elemental First ["i" "j" "shift"];
    Dshiftr "dshiftr" Elemental First ["i" "j" "shift"];
    Epsilon "epsilon" Inquiry First ["x"];
    Exponent "exponent" Elemental Integer ["x"];
    ExtendsTypeOf "extends_type_of" Inquiry Logical ["a" "mold"];
    Fraction "fraction" Elemental First ["x"];
    Huge "huge" Inquiry First ["x"];
    Iachar "iachar" Elemental Integer ["c" "kind"];
    Iand "iand" Elemental First ["i" "j"];
    Ibclr "ibclr" Elemental First ["i" "pos"];
    Ibits "ibits" Elemental First ["i" "pos" "len"];
    Ibset "ibset" Elemental First ["i" "pos"];
    Ichar "ichar" Elemental Integer ["c" "kind"];
    Ieor "ieor" Elemental First ["i" "j"];
    Index "index" Elemental Integer ["string" "substring" "back" "kind"];
    Ior "ior" Elemental First ["i" "j"];
    Ishft "ishft" Elemental First ["i" "shift"];
    Ishftc "ishftc" Elemental First ["i" "shift" "size"];
    IsContiguous "is_contiguous" Inquiry Logical ["array"];
    IsIostatEnd "is_iostat_end" Elemental Logical ["i"];
    IsIostatEor "is_iostat_eor" Elemental Logical ["i"];
    Isnan "isnan" Elemental Logical ["x"];
    Kind "kind" Inquiry Integer ["x"];
    Lbound "lbound" Inquiry Integer ["array" "dim" "kind"];
    LeadZ "leadz" Elemental Integer ["i"];
    Len "len" Inquiry Integer ["string" "kind"];
    LenTrim "len_trim" Elemental Integer ["string" "kind"];
    Lge "lge" Elemental Logical ["string_a" "string_b"];
    Lgt "lgt" Elemental Logical ["string_a" "string_b"];
    Lle "lle" Elemental Logical ["string_a" "string_b"];
    Llt "llt" Elemental Logical ["string_a" "string_b"];
    Loc "loc" Inquiry Integer ["x"];
    LogicalFn "logical" Elemental Logical ["l" "kind"];
    Maskl "maskl" Elemental Integer ["i" "kind"];
    Maskr "maskr" Elemental Integer ["i" "kind"];
    Maxexponent "maxexponent" Inquiry Integer ["x"];
    MergeBits "merge_bits" Elemental First ["i" "j" "mask"];
    Minexponent "minexponent" Inquiry Integer ["x"];
    Nearest "nearest" Elemental First ["x" "s"];
    NewLine "new_line" Inquiry Character ["a"];
    Not "not" Elemental First ["i"];
    Null "null" Transformational None ["mold"];
    Popcnt "popcnt" Elemental Integer ["i"];
    Poppar "poppar" Elemental Integer ["i"];
    Precision "precision" Inquiry Integer ["x"];
    Present "present" Inquiry Logical ["a"];
    Radix "radix" Inquiry Integer ["x"];
    Range "range" Inquiry Integer ["x"];
    Rank "rank" Inquiry Integer ["a"];
    Repeat "repeat" Transformational Character ["string" "ncopies"];
    Rrspacing "rrspacing" Elemental First ["x"];
    SameTypeAs "same_type_as" Inquiry Logical ["a" "b"];
    Scale "scale" Elemental First ["x" "i"];
    Scan "scan" Elemental Integer ["string" "set" "back" "kind"];
    SelectedCharKind "selected_char_kind" Transformational Integer ["name"];
    SelectedIntKind "selected_int_kind" Transformational Integer ["r"];
    SelectedRealKind "selected_real_kind" Transformational Integer ["p" "r" "radix"];
    SetExponent "set_exponent" Elemental First ["x" "i"];
    Shape "shape" Inquiry Integer ["source" "kind"];
    Shiftl "shiftl" Elemental First ["i" "shift"];
    Shiftr "shiftr" Elemental First ["i" "shift"];
    Shifta "shifta" Elemental First ["i" "shift"];
    Size "size" Inquiry Integer ["array" "dim" "kind"];
    Sizeof "sizeof" Inquiry Integer ["x"];
    Spacing "spacing" Elemental First ["x"];
    StorageSize "storage_size" Inquiry Integer ["a" "kind"];
    Tiny "tiny" Inquiry First ["x"];
    TrailZ "trailz" Elemental Integer ["i"];
    Transfer "transfer" Transformational First ["source" "mold" "size"];
    Trim "trim" Transformational Character ["string"];
    Ubound "ubound" Inquiry Integer ["array" "dim" "kind"];
    Verify "verify" Elemental Integer ["string" "set" "back" "kind"];
    IeeeIsNan "ieee_is_nan" Elemental Logical ["x"];
    IeeeIsFinite "ieee_is_finite" Elemental Logical ["x"];
    CLoc "c_loc" Inquiry None ["x"];
    CSizeof "c_sizeof" Inquiry Integer ["x"];
    Abort "abort" Subroutine None [];
    CpuTime "cpu_time" Subroutine None ["time"];
    DateAndTime "date_and_time" Subroutine None ["date" "time" "zone" "values"];
    ExecuteCommandLine "execute_command_line" Subroutine None ["command" "wait" "exitstat" "cmdstat" "cmdmsg"];
    Exit "exit" Subroutine None ["status"];
    Flush "flush" Subroutine None ["unit"];
    GetCommand "get_command" Subroutine None ["command" "length" "status"];
    GetCommandArgument "get_command_argument" Subroutine None ["number" "value" "length" "status"];
    GetEnvironmentVariable "get_environment_variable" Subroutine None ["name" "value" "length" "status" "trim_name"];
    MoveAlloc "move_alloc" Subroutine None ["from" "to"];
    Mvbits "mvbits" Subroutine None ["from" "frompos" "len" "to" "topos"];
    RandomInit "random_init" Subroutine None ["repeatable" "image_distinct"];
    RandomNumber "random_number" Subroutine None ["harvest"];
    RandomSeed "random_seed" Subroutine None ["size" "put" "get"];
    SystemClock "system_clock" Subroutine None ["count" "count_rate" "count_max"];
    System "system" Subroutine None ["command"];
    Cdexp "cdexp" Elemental First ["x"];
    Cdlog "cdlog" Elemental First ["x"];
    Cdsin "cdsin" Elemental First ["x"];
    Cdcos "cdcos" Elemental First ["x"];
    Cdsqrt "cdsqrt" Elemental First ["x"];
    Sind "sind" Elemental First ["x"];
    Cosd "cosd" Elemental First ["x"];
    Tand "tand" Elemental First ["x"];
    Asind "asind" Elemental First ["x"];
    Acosd "acosd" Elemental First ["x"];
    Atand "atand" Elemental First ["x"];
    Atan2d "atan2d" Elemental First ["y" "x"];
    WithOpenmp "costate_with_openmp" Inquiry Logical [];
    DigammaR4 "costate_digamma_r4" Elemental First ["x"];
    DigammaR8 "costate_digamma_r8" Elemental First ["x"];
    DigammaR16 "costate_digamma_r16" Elemental First ["x"];
}

/// Intrinsic procedures of the standard that have no row: they are treated as procedures without source.
const WITHOUT_ROW: &[&str] = &[
    "acospi",
    "asinpi",
    "atan2pi",
    "atanpi",
    "co_broadcast",
    "co_max",
    "co_min",
    "co_reduce",
    "co_sum",
    "cospi",
    "coshape",
    "image_index",
    "image_status",
    "lcobound",
    "num_images",
    "out_of_range",
    "reduce",
    "selected_logical_kind",
    "sinpi",
    "split",
    "tanpi",
    "team_number",
    "this_image",
    "tokenize",
    "ucobound",
];

/// True for the name, in lower case, of an intrinsic procedure that the table leaves out.
pub fn is_left_out(name: &str) -> bool {
    WITHOUT_ROW.contains(&name)
}

impl Intrinsic {
    /// The generic that a specific name stands for (`dsin` is `sin`); itself for a generic name. Conversions that pin a
    /// kind (`float`, `amax0`) have no generic of the same meaning and stay themselves.
    pub fn generic(self) -> Intrinsic {
        use Intrinsic as I;
        match self {
            I::Iabs | I::Dabs | I::Cabs | I::Zabs | I::Cdabs => I::Abs,
            I::Dacos => I::Acos,
            I::Dacosh => I::Acosh,
            I::Dasin => I::Asin,
            I::Dasinh => I::Asinh,
            I::Datan => I::Atan,
            I::Datan2 => I::Atan2,
            I::Datanh => I::Atanh,
            I::Dcos | I::Ccos | I::Zcos | I::Cdcos => I::Cos,
            I::Dcosh => I::Cosh,
            I::Dexp | I::Cexp | I::Zexp | I::Cdexp => I::Exp,
            I::Dlog | I::Alog | I::Clog | I::Zlog | I::Cdlog => I::Log,
            I::Dlog10 | I::Alog10 => I::Log10,
            I::Dsin | I::Csin | I::Zsin | I::Cdsin => I::Sin,
            I::Dsinh => I::Sinh,
            I::Dsqrt | I::Csqrt | I::Zsqrt | I::Cdsqrt => I::Sqrt,
            I::Dtan => I::Tan,
            I::Dtanh => I::Tanh,
            I::Dsign | I::Isign => I::Sign,
            I::Dmod | I::Amod => I::Mod,
            I::Ddim | I::Idim => I::Dim,
            I::Dint => I::Aint,
            I::Dnint => I::Anint,
            I::Idint | I::Ifix => I::Int,
            I::Idnint => I::Nint,
            I::Dmax1 | I::Amax1 | I::Max0 => I::Max,
            I::Dmin1 | I::Amin1 | I::Min0 => I::Min,
            I::Dimag => I::Aimag,
            I::Dconjg => I::Conjg,
            I::Derf => I::Erf,
            I::Derfc => I::Erfc,
            I::Dgamma => I::Gamma,
            other => other,
        }
    }

    /// Type of the result. `args` are the types of the actual arguments in dummy order (absent ones left out at the end),
    /// `kind` the value of a `kind=` argument. Default real has 4 bytes.
    pub fn result_ty(self, args: &[Ty], kind: Option<u8>) -> Ty {
        self.result_ty_of(args, kind, Ty::REAL)
    }

    /// The same for another default real.
    pub(crate) fn result_ty_of(self, args: &[Ty], kind: Option<u8>, real: Ty) -> Ty {
        let first = args.first().copied().unwrap_or(Ty::NONE);
        match self.result() {
            ResultTy::First => match (self.generic(), kind) {
                (Intrinsic::Aint | Intrinsic::Anint, Some(k)) => Ty::new(first.base, k),
                (Intrinsic::Transfer, _) => args.get(1).copied().unwrap_or(first),
                _ => first,
            },
            ResultTy::Promoted => args.iter().copied().reduce(Ty::promote).unwrap_or(Ty::NONE),
            ResultTy::Integer => Ty::new(Base::Integer, kind.unwrap_or(4)),
            ResultTy::Real => match kind {
                Some(k) => Ty::new(Base::Real, k),
                None if first.base == Base::Complex => Ty::new(Base::Real, first.kind),
                None => real,
            },
            ResultTy::RealPart => match self {
                Intrinsic::BesselJn | Intrinsic::BesselYn => args.last().copied().unwrap_or(real),
                _ if first.base == Base::Complex => Ty::new(Base::Real, first.kind),
                _ => first,
            },
            ResultTy::Complex if self == Intrinsic::Dcmplx => Ty::new(Base::Complex, 8),
            ResultTy::Complex => Ty::new(Base::Complex, kind.unwrap_or(real.kind)),
            ResultTy::Logical => Ty::new(Base::Logical, kind.unwrap_or(4)),
            ResultTy::Double => Ty::DOUBLE,
            ResultTy::Single => real,
            ResultTy::Character => Ty::CHARACTER,
            ResultTy::None => Ty::NONE,
        }
    }
}
