//! Random calls: actual arguments that may stand together.

use super::scope::{Array, Extent, Passed, Scope};
use super::syntax::{Node, Statement};

impl Scope {
    /// A call of a helper.
    pub fn call(&mut self) -> Statement {
        if !self.arrays.iter().any(|a| a.writable) {
            return self.assignment();
        }
        let h = self.rng.pick(&self.helpers).clone();
        let extent = if h.assumed && self.rng.chance(25) { Extent::Odd } else { Extent::Full };
        let mut changed: Vec<String> = if h.globals { vec!["gs".into(), "ga".into()] } else { Vec::new() };
        let mut args: Vec<Option<Node>> = vec![None; h.passed.len()];
        // What is changed is chosen first; nothing else may then refer to the same variable.
        for (i, p) in h.passed.iter().enumerate() {
            let name = match p {
                Passed::Changed | Passed::Set => self.unused(&changed, |s| s.target()),
                Passed::ChangedAll | Passed::SetAll => self.unused(&changed, |s| {
                    let writable: Vec<Array> = s.arrays.iter().filter(|a| a.writable).cloned().collect();
                    let a = s.rng.pick(&writable).clone();
                    s.section(&a, extent, true)
                }),
                Passed::Value | Passed::Values => continue,
            };
            let Some(name) = name else { return self.assignment() };
            changed.push(self.group(&name));
            args[i] = Some(Node::leaf(name));
        }
        for (i, p) in h.passed.iter().enumerate() {
            let plain = self.rng.chance(50);
            let arg = match p {
                Passed::Value if plain => {
                    let arrays = self.arrays.clone();
                    self.unused(&changed, |s| {
                        let a = s.rng.pick(&arrays).clone();
                        let i = s.index(a.margin);
                        if s.rng.chance(50) {
                            s.rng.pick(&s.scalars.clone()).clone()
                        } else {
                            format!("{}({i}){}", a.name, a.suffix)
                        }
                    })
                    .map(Node::leaf)
                }
                Passed::Value => Some(Node::fixed("(#)", vec![self.scalar(1)])),
                Passed::Values if plain => self
                    .unused(&changed, |s| {
                        let a = s.rng.pick(&s.arrays.clone()).clone();
                        s.section(&a, extent, false)
                    })
                    .map(Node::leaf),
                Passed::Values => Some(Node::fixed("0.9d0*#", vec![self.array(extent, 1)])),
                Passed::Changed | Passed::Set | Passed::ChangedAll | Passed::SetAll => continue,
            };
            let Some(arg) = arg else { return self.assignment() };
            args[i] = Some(arg);
        }
        let args: Vec<Node> = args.into_iter().flatten().collect();
        let list = vec!["#"; args.len()].join(", ");
        let list = if h.assumed { list } else { format!("n, {list}") };
        Statement::Line(Node::fixed(&format!("call {}({list})", h.name), args))
    }

    fn unused(&mut self, changed: &[String], mut make: impl FnMut(&mut Scope) -> String) -> Option<String> {
        for _ in 0..8 {
            let name = make(self);
            if !changed.contains(&self.group(&name)) {
                return Some(name);
            }
        }
        None
    }
}
