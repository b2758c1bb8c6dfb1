//! Adjoints as this build generates them against those of another one, kernel by kernel.

use std::path::Path;

use costate_adjoint::pipeline::Mode;

use crate::choice::Choice;
use crate::kernel::Kernel;
use crate::kernels::KERNELS;
use crate::program::{Alternation, TOLERANCE, Workshop, folders};

/// Processor time counts, which other programs on the machine change least.
const ALTERNATION: Alternation = Alternation { rounds: 6, round: 0.4, clock: |run| run.busy };
/// A kernel that takes so many times as long is slower.
const SLOWER: f64 = 1.05;

/// Prints the ratio of run times for every kernel whose code differs; false when a kernel fails or gradients differ.
pub(crate) fn table(choice: &Choice, other: &Path) -> bool {
    let mut fine = true;
    let (mut same, mut all, mut slower) = (0, 0, Vec::new());
    println!("| kernel | primal ms | other ms | this ms | this/other | difference |\n|---|---|---|---|---|---|");
    for kernel in KERNELS.iter().filter(|k| choice.wants(k)) {
        all += 1;
        match compare(kernel, kernel.sizes[choice.size], other) {
            Ok(None) => same += 1,
            Ok(Some([primal, theirs, ours, apart])) => {
                let ratio = ours / theirs;
                println!(
                    "| {} | {:.3} | {:.3} | {:.3} | {ratio:.3} | {apart:.1e} |",
                    kernel.name,
                    primal * 1e3,
                    theirs * 1e3,
                    ours * 1e3
                );
                if ratio > SLOWER {
                    slower.push(kernel.name);
                }
                fine &= apart < TOLERANCE;
            }
            Err(e) => {
                println!("{}: {}", kernel.name, e.trim_end());
                fine = false;
            }
        }
    }
    println!("\nOf {all} kernels {same} have the same code from both.");
    println!("More than 5 % slower: {}", if slower.is_empty() { "none".to_string() } else { slower.join(", ") });
    fine
}

/// Least times of the primal, the other adjoint and this one, and how far their gradients are apart; none where the code is
/// the same.
fn compare(kernel: &Kernel, ints: &[i64], other: &Path) -> Result<Option<[f64; 4]>, String> {
    let shop = Workshop::new(kernel, ints, &folders().0)?;
    let (text, theirs) = shop.generate_by(other, "other")?;
    let made = shop.differentiate(Mode::Adjoint, &shop.options())?;
    if made.files.first().is_some_and(|f| f.text == text) {
        shop.clear();
        return Ok(None);
    }
    let primal = shop.build("primal", None)?;
    let theirs = shop.build("other.out", Some((&theirs, "GRAD")))?;
    let ours = shop.build("this.out", Some((&shop.write("this", &made)?, "GRAD")))?;
    let mut seconds = [
        shop.run(&primal, 1, None)?.busy,
        shop.run(&theirs, 1, Some("hand"))?.busy,
        shop.run(&ours, 1, Some("ours"))?.busy,
    ];
    let [first, second, third] = &mut seconds;
    shop.alternate(&mut [(&primal, first), (&theirs, second), (&ours, third)], ALTERNATION)?;
    let apart = shop.difference("ours", "hand")?;
    shop.clear();
    let [primal, theirs, ours] = seconds;
    Ok(Some([primal, theirs, ours, apart]))
}
