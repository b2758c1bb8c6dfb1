//! What the command line asks for.

use std::path::PathBuf;

use crate::kernel::Kernel;

/// How the program is called.
pub(crate) const USAGE: &str = "usage: bench [--size S|M|L] [--only NAME]... [--no-tool] [--threads N] \
                                [--plans | --parallel | --against COSTATE]";

/// What is asked for.
pub(crate) struct Choice {
    /// Small, medium, large.
    pub(crate) size: usize,
    /// Kernels and programs; all where none is named.
    pub(crate) only: Vec<String>,
    /// The tool itself is measured, too.
    pub(crate) tool: bool,
    /// Only the table of plans is printed.
    pub(crate) plans_alone: bool,
    /// Only the table of parallel kernels is printed.
    pub(crate) parallel_alone: bool,
    /// So many threads run the parallel kernels.
    pub(crate) threads: usize,
    /// A `costate` command to compare with.
    pub(crate) against: Option<PathBuf>,
}

impl Choice {
    /// True for a kernel that is to be measured.
    pub(crate) fn wants(&self, kernel: &Kernel) -> bool {
        self.only.is_empty() || self.only.iter().any(|n| n == kernel.source().0)
    }

    /// From the arguments of this process.
    pub(crate) fn given() -> Result<Choice, String> {
        let mut choice = Choice {
            size: 2,
            only: Vec::new(),
            tool: true,
            plans_alone: false,
            parallel_alone: false,
            threads: 2,
            against: None,
        };
        let mut args = std::env::args().skip(1);
        while let Some(arg) = args.next() {
            match arg.as_str() {
                "--size" => {
                    let size = args.next().unwrap_or_default();
                    let known = ["S", "M", "L"].iter().position(|s| *s == size);
                    choice.size = known.ok_or_else(|| format!("`{size}` is no size"))?;
                }
                "--only" => choice.only.push(args.next().unwrap_or_default()),
                "--no-tool" => choice.tool = false,
                "--plans" => choice.plans_alone = true,
                "--parallel" => choice.parallel_alone = true,
                "--threads" => {
                    let count = args.next().unwrap_or_default();
                    let known = count.parse().ok().filter(|n| *n > 0);
                    choice.threads = known.ok_or_else(|| format!("`{count}` is no number of threads"))?;
                }
                "--against" => choice.against = Some(PathBuf::from(args.next().ok_or("--against needs a command")?)),
                _ => return Err(format!("`{arg}` is no option")),
            }
        }
        Ok(choice)
    }
}
