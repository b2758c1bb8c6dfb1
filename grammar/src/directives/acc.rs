//! OpenACC constructs.

/// An OpenACC construct; blanks between the words of combined ones don't matter.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum AccConstruct {
    /// `parallel`
    Parallel,
    /// `parallel loop`
    ParallelLoop,
    /// `kernels`
    Kernels,
    /// `kernels loop`
    KernelsLoop,
    /// `serial`
    Serial,
    /// `serial loop`
    SerialLoop,
    /// `loop`
    Loop,
    /// `data`
    Data,
    /// `enter data`
    EnterData,
    /// `exit data`
    ExitData,
    /// `host_data`
    HostData,
    /// `update`
    Update,
    /// `wait`; the directive's argument is the list
    Wait,
    /// `atomic`; `read`, `write`, `update`, `capture` are clauses
    Atomic,
    /// `routine`; the directive's argument is a name
    Routine,
    /// `declare`
    Declare,
    /// `cache`; the directive's argument is the list
    Cache,
    /// `init`
    Init,
    /// `shutdown`
    Shutdown,
    /// `set`
    Set,
    /// The end of a construct
    End(Box<AccConstruct>),
}

impl AccConstruct {
    /// Does it govern the loop that follows?
    pub fn governs_loop(&self) -> bool {
        use AccConstruct as C;
        matches!(self, C::ParallelLoop | C::KernelsLoop | C::SerialLoop | C::Loop)
    }

    /// Does it begin a region that an `end` closes (for atomic, only optionally)?
    pub fn begins_region(&self) -> bool {
        use AccConstruct as C;
        matches!(self, C::Parallel | C::Kernels | C::Serial | C::Data | C::HostData | C::Atomic)
    }

    /// Does it stand alone, with no region or loop?
    pub fn stands_alone(&self) -> bool {
        !self.governs_loop() && !self.begins_region()
    }
}

/// The construct that lower-case words written as one stand for.
pub(crate) fn lookup(word: &str) -> Option<AccConstruct> {
    use AccConstruct as C;
    Some(match word {
        "parallel" => C::Parallel,
        "parallelloop" => C::ParallelLoop,
        "kernels" => C::Kernels,
        "kernelsloop" => C::KernelsLoop,
        "serial" => C::Serial,
        "serialloop" => C::SerialLoop,
        "loop" => C::Loop,
        "data" => C::Data,
        "enterdata" => C::EnterData,
        "exitdata" => C::ExitData,
        "host_data" => C::HostData,
        "update" => C::Update,
        "wait" => C::Wait,
        "atomic" => C::Atomic,
        "routine" => C::Routine,
        "declare" => C::Declare,
        "cache" => C::Cache,
        "init" => C::Init,
        "shutdown" => C::Shutdown,
        "set" => C::Set,
        _ => {
            let ended = word.strip_prefix("end").filter(|w| !w.starts_with("end"));
            return ended.and_then(lookup).map(|c| C::End(Box::new(c)));
        }
    })
}
