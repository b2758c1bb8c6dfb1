//! What wrong figures mean, where they are worst, and what to try.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::driver::Driver;
use super::figures::{Fault, Figures, Pair};
use super::raw::Raw;

/// One text for each way in which derivatives are wrong, with the groups where they are.
pub(super) fn explain(driver: &Driver, raw: &Raw, pairs: &[Pair], whole: &Figures) -> Vec<String> {
    let mut found: BTreeMap<Fault, Vec<(usize, &Pair)>> = BTreeMap::new();
    for (at, pair) in pairs.iter().enumerate() {
        if let Some(fault) = pair.figures.fault {
            found.entry(fault).or_default().push((at, pair));
        }
    }
    let mut out: Vec<String> = found
        .iter()
        .map(|(fault, list)| {
            let mut text = format!("{}: {}", names(list), meaning(*fault));
            for (at, pair) in list.iter().take(3) {
                let (i, j) = (at / driver.outputs.len().max(1) + 1, at % driver.outputs.len().max(1) + 1);
                place(&mut text, *fault, pair, raw, (i, j));
            }
            let _ = write!(text, "\n    {}{}", vouched(driver), advice(*fault));
            text
        })
        .collect();
    if let (true, Some(fault)) = (out.is_empty(), whole.fault) {
        out.push(format!("all together: {}\n    {}{}", meaning(fault), vouched(driver), advice(fault)));
    }
    out
}

fn names(list: &[(usize, &Pair)]) -> String {
    let mut names: Vec<String> = list.iter().take(6).map(|(_, p)| format!("`{}` / `{}`", p.output, p.input)).collect();
    if list.len() > names.len() {
        names.push(format!("{} more", list.len() - names.len()));
    }
    names.join(", ")
}

fn meaning(fault: Fault) -> &'static str {
    match fault {
        Fault::Adjoint => {
            "the adjoint is wrong: difference quotients of the primal confirm the tangent, and <d, Jt w> isn't <J d, w>"
        }
        Fault::Tangent => "the tangent is wrong: difference quotients of the primal confirm the adjoint",
        Fault::Same => "tangent and adjoint agree with each other, and not with difference quotients of the primal",
        Fault::Both => "tangent and adjoint both differ from difference quotients of the primal, and from each other",
        Fault::Either => {
            "tangent and adjoint differ from each other; difference quotients are too inexact here to tell which is wrong"
        }
    }
}

/// The element that shows it.
fn place(text: &mut String, fault: Fault, pair: &Pair, raw: &Raw, at: (usize, usize)) {
    let (output, input) = (&pair.output, &pair.input);
    let by_element = |text: &mut String| {
        let Some([element, wrong, of, adjoint, tangent]) = raw.elements.get(&at) else { return };
        let _ = match *of as usize {
            0 | 1 => {
                write!(text, "\n    the adjoint of `{input}` is {adjoint:.6e} where the tangent gives {tangent:.6e}")
            }
            _ => write!(
                text,
                "\n    the adjoint of {} of `{input}` is {adjoint:.6e} where the tangent gives {tangent:.6e} \
                 ({wrong} of the {of} elements looked at are wrong)",
                raw.element(true, at.0, *element)
            ),
        };
    };
    let by_output = |text: &mut String| {
        let Some([element, tangent, quotient]) = raw.worst.get(&at) else { return };
        let _ = write!(
            text,
            "\n    most in {} of `{output}`: the tangent is {tangent:.6e}, the difference quotient {quotient:.6e}",
            raw.element(false, at.1, *element)
        );
    };
    match fault {
        Fault::Adjoint | Fault::Either => by_element(text),
        Fault::Tangent | Fault::Same => by_output(text),
        Fault::Both => {
            by_output(text);
            by_element(text);
        }
    }
}

/// What derivatives rest on that nobody has proven.
fn vouched(driver: &Driver) -> String {
    match driver.vouched.as_slice() {
        [] => String::new(),
        list => format!(
            "you vouch for {}: see first whether what is said there, and each procedure that is named there, is right; ",
            list.join(", ")
        ),
    }
}

fn advice(fault: Fault) -> &'static str {
    match fault {
        Fault::Same => {
            "where the primal branches, iterates to a tolerance or has a kink at these values this is no error: \
             `--seed 7` or `--value x=1:2` try others; if it stays, both modes make the same mistake: please report it"
        }
        Fault::Adjoint | Fault::Tangent | Fault::Both | Fault::Either => {
            "unless the file was edited this is a bug in Costate: please report it; smaller sizes (`--size n=2`) and one \
             head for each called procedure show where it starts, `--keep DIR` keeps the code and a script that runs it"
        }
    }
}
