//! OpenMP constructs.

/// An OpenMP construct. Combined ones are named as a whole; blanks between their words don't matter.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum OmpConstruct {
    /// `parallel`
    Parallel,
    /// `do`
    Do,
    /// `parallel do`
    ParallelDo,
    /// `do simd`
    DoSimd,
    /// `parallel do simd`
    ParallelDoSimd,
    /// `simd`
    Simd,
    /// `sections`
    Sections,
    /// `section`
    Section,
    /// `parallel sections`
    ParallelSections,
    /// `workshare`
    Workshare,
    /// `parallel workshare`
    ParallelWorkshare,
    /// `single`
    Single,
    /// `master`
    Master,
    /// `masked`
    Masked,
    /// `critical`; its name is the directive's argument
    Critical,
    /// `atomic`; `read`, `write`, `update`, `capture` are clauses
    Atomic,
    /// `barrier`
    Barrier,
    /// `flush`
    Flush,
    /// `ordered`
    Ordered,
    /// `task`
    Task,
    /// `taskwait`
    TaskWait,
    /// `taskyield`
    TaskYield,
    /// `taskgroup`
    TaskGroup,
    /// `taskloop`
    TaskLoop,
    /// `loop`
    Loop,
    /// `threadprivate`; the directive's argument is the list
    ThreadPrivate,
    /// `declare ...`: `simd`, `reduction`, `target`, `variant`, `mapper`; the words after `declare`
    Declare(String),
    /// `target`
    Target,
    /// `target data`
    TargetData,
    /// `target enter data`
    TargetEnterData,
    /// `target exit data`
    TargetExitData,
    /// `target update`
    TargetUpdate,
    /// Combined constructs that begin with `target`, as one word: `targetteamsdistributeparalleldo`
    TargetCombined(String),
    /// `teams`
    Teams,
    /// `distribute`
    Distribute,
    /// Combined constructs that begin with `teams` or `distribute`, as one word
    TeamsCombined(String),
    /// Anything else that the standard has: kept, not interpreted (`cancel`, `requires`, `scan`, ...), as one word
    Other(String),
    /// The end of a construct
    End(Box<OmpConstruct>),
}

impl OmpConstruct {
    /// Does it govern the loop that follows?
    pub fn governs_loop(&self) -> bool {
        use OmpConstruct as C;
        match self {
            C::Do | C::ParallelDo | C::DoSimd | C::ParallelDoSimd | C::Simd | C::TaskLoop | C::Loop | C::Distribute => {
                true
            }
            C::TargetCombined(w) | C::TeamsCombined(w) => {
                w.ends_with("do") || w.ends_with("simd") || w.ends_with("distribute") || w.ends_with("loop")
            }
            C::Other(w) => w.contains("taskloop") || w.ends_with("loop") || w == "unroll" || w == "tile",
            _ => false,
        }
    }

    /// Does it stand alone, with no region or loop?
    pub fn stands_alone(&self) -> bool {
        use OmpConstruct as C;
        match self {
            C::Barrier | C::Flush | C::TaskWait | C::TaskYield | C::ThreadPrivate | C::Declare(_) => true,
            C::TargetEnterData | C::TargetExitData | C::TargetUpdate | C::Section | C::End(_) => true,
            C::Other(w) => ALONE.contains(&w.as_str()),
            _ => false,
        }
    }

    /// Does it begin a region that an `end` closes (for atomic, only optionally)?
    pub fn begins_region(&self) -> bool {
        !self.governs_loop() && !self.stands_alone()
    }
}

/// Further constructs without a region.
const ALONE: [&str; 11] = [
    "cancel",
    "cancellationpoint",
    "requires",
    "scan",
    "depobj",
    "interop",
    "error",
    "nothing",
    "allocate",
    "assume",
    "groupprivate",
];

/// Further constructs with a region or a loop.
const REST: [&str; 21] = [
    "allocators",
    "assumes",
    "dispatch",
    "metadirective",
    "scope",
    "tile",
    "unroll",
    "taskloopsimd",
    "mastertaskloop",
    "mastertaskloopsimd",
    "maskedtaskloop",
    "maskedtaskloopsimd",
    "parallelmaster",
    "parallelmasked",
    "parallelloop",
    "parallelmastertaskloop",
    "parallelmastertaskloopsimd",
    "parallelmaskedtaskloop",
    "parallelmaskedtaskloopsimd",
    "beginmetadirective",
    "begindeclaretarget",
];

/// What may follow `target` or `target teams` in a combined construct.
const COMBINED: [&str; 12] = [
    "parallel",
    "paralleldo",
    "paralleldosimd",
    "parallelloop",
    "simd",
    "teams",
    "teamsdistribute",
    "teamsdistributesimd",
    "teamsdistributeparalleldo",
    "teamsdistributeparalleldosimd",
    "teamsloop",
    "parallelsections",
];

/// The construct that lower-case words written as one stand for.
pub(crate) fn lookup(word: &str) -> Option<OmpConstruct> {
    use OmpConstruct as C;
    let construct = match word {
        "parallel" => C::Parallel,
        "do" => C::Do,
        "paralleldo" => C::ParallelDo,
        "dosimd" => C::DoSimd,
        "paralleldosimd" => C::ParallelDoSimd,
        "simd" => C::Simd,
        "sections" => C::Sections,
        "section" => C::Section,
        "parallelsections" => C::ParallelSections,
        "workshare" => C::Workshare,
        "parallelworkshare" => C::ParallelWorkshare,
        "single" => C::Single,
        "master" => C::Master,
        "masked" => C::Masked,
        "critical" => C::Critical,
        "atomic" => C::Atomic,
        "barrier" => C::Barrier,
        "flush" => C::Flush,
        "ordered" => C::Ordered,
        "task" => C::Task,
        "taskwait" => C::TaskWait,
        "taskyield" => C::TaskYield,
        "taskgroup" => C::TaskGroup,
        "taskloop" => C::TaskLoop,
        "loop" => C::Loop,
        "threadprivate" => C::ThreadPrivate,
        "declaresimd" | "declarereduction" | "declaretarget" | "declarevariant" | "declaremapper" => {
            C::Declare(word.get(7..)?.to_string())
        }
        "target" => C::Target,
        "targetdata" => C::TargetData,
        "targetenterdata" => C::TargetEnterData,
        "targetexitdata" => C::TargetExitData,
        "targetupdate" => C::TargetUpdate,
        "teams" => C::Teams,
        "distribute" => C::Distribute,
        _ => return lookup_further(word),
    };
    Some(construct)
}

fn lookup_further(word: &str) -> Option<OmpConstruct> {
    if let Some(rest) = word.strip_prefix("target").filter(|r| COMBINED.contains(r)) {
        return Some(OmpConstruct::TargetCombined(format!("target{rest}")));
    }
    let teams = COMBINED.contains(&word) && word.starts_with("teams");
    let distribute = word.starts_with("distribute") && COMBINED.contains(&format!("teams{word}").as_str());
    if teams || distribute {
        return Some(OmpConstruct::TeamsCombined(word.to_string()));
    }
    if let Some(ended) = word.strip_prefix("end").filter(|w| !w.starts_with("end")).and_then(lookup) {
        return Some(OmpConstruct::End(Box::new(ended)));
    }
    (ALONE.contains(&word) || REST.contains(&word)).then(|| OmpConstruct::Other(word.to_string()))
}
