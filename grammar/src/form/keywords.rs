//! Where keywords end in a statement without blanks.

/// Stands for the characters of constants.
pub(super) const LITERAL: u8 = b'\'';

/// What follows a keyword.
#[derive(Clone, Copy, PartialEq)]
enum After {
    /// A name, a number, a text, or nothing.
    Name,
    /// Another statement, as behind a prefix.
    Statement,
    /// A condition in parentheses, and perhaps a statement.
    Condition,
    /// A condition in parentheses, and `then`.
    Then,
    /// What follows `do`.
    Loop,
    /// What follows a type.
    Declared,
    /// Types with the letters that they are meant for.
    Letters,
    /// A label, `to`, and a name.
    Assigned,
    /// A name, unless the user parted it: `module procedures` is a module, `module procedure s` isn't.
    IfApart,
}

use After::{Assigned, Condition, Declared, IfApart, Letters, Loop, Name, Statement, Then};

/// The keywords that begin statements. Of several that fit the longest counts.
const KEYWORDS: &[(&[&str], After)] = &[
    (&["abstract", "interface"], Name),
    (&["allocatable"], Name),
    (&["allocate"], Name),
    (&["assign"], Assigned),
    (&["associate"], Name),
    (&["asynchronous"], Name),
    (&["backspace"], Name),
    (&["block"], Name),
    (&["block", "data"], Name),
    (&["byte"], Declared),
    (&["call"], Name),
    (&["case"], Name),
    (&["case", "default"], Name),
    (&["character"], Declared),
    (&["class"], Declared),
    (&["class", "default"], Name),
    (&["class", "is"], Name),
    (&["close"], Name),
    (&["common"], Name),
    (&["complex"], Declared),
    (&["contains"], Name),
    (&["contiguous"], Name),
    (&["continue"], Name),
    (&["critical"], Name),
    (&["cycle"], Name),
    (&["data"], Name),
    (&["deallocate"], Name),
    (&["dimension"], Name),
    (&["do"], Loop),
    (&["double", "complex"], Declared),
    (&["double", "precision"], Declared),
    (&["elemental"], Statement),
    (&["else"], Name),
    (&["else", "if"], Then),
    (&["else", "where"], Name),
    (&["end"], Name),
    (&["end", "associate"], Name),
    (&["end", "block"], Name),
    (&["end", "block", "data"], Name),
    (&["end", "critical"], Name),
    (&["end", "do"], Name),
    (&["end", "enum"], Name),
    (&["end", "file"], Name),
    (&["end", "forall"], Name),
    (&["end", "function"], Name),
    (&["end", "if"], Name),
    (&["end", "interface"], Name),
    (&["end", "module"], Name),
    (&["end", "procedure"], Name),
    (&["end", "program"], Name),
    (&["end", "select"], Name),
    (&["end", "submodule"], Name),
    (&["end", "subroutine"], Name),
    (&["end", "type"], Name),
    (&["end", "where"], Name),
    (&["entry"], Name),
    (&["enum"], Name),
    (&["enumerator"], Name),
    (&["equivalence"], Name),
    (&["error", "stop"], Name),
    (&["exit"], Name),
    (&["external"], Name),
    (&["final"], Name),
    (&["flush"], Name),
    (&["forall"], Condition),
    (&["function"], Name),
    (&["generic"], Name),
    (&["go", "to"], Name),
    (&["if"], Condition),
    (&["implicit"], Letters),
    (&["implicit", "none"], Name),
    (&["import"], Name),
    (&["impure"], Statement),
    (&["inquire"], Name),
    (&["integer"], Declared),
    (&["intent"], Name),
    (&["interface"], Name),
    (&["intrinsic"], Name),
    (&["logical"], Declared),
    (&["module"], Name),
    (&["module", "function"], IfApart),
    (&["module", "procedure"], IfApart),
    (&["module", "subroutine"], IfApart),
    (&["namelist"], Name),
    (&["nullify"], Name),
    (&["open"], Name),
    (&["optional"], Name),
    (&["parameter"], Name),
    (&["pause"], Name),
    (&["pointer"], Name),
    (&["print"], Name),
    (&["private"], Name),
    (&["procedure"], Name),
    (&["program"], Name),
    (&["protected"], Name),
    (&["public"], Name),
    (&["pure"], Statement),
    (&["read"], Name),
    (&["real"], Declared),
    (&["recursive"], Statement),
    (&["return"], Name),
    (&["rank"], Name),
    (&["rank", "default"], Name),
    (&["rewind"], Name),
    (&["save"], Name),
    (&["select", "case"], Name),
    (&["select", "rank"], Name),
    (&["select", "type"], Name),
    (&["sequence"], Name),
    (&["stop"], Name),
    (&["submodule"], Name),
    (&["subroutine"], Name),
    (&["target"], Name),
    (&["type"], Declared),
    (&["type", "is"], Name),
    (&["use"], Name),
    (&["value"], Name),
    (&["volatile"], Name),
    (&["where"], Condition),
    (&["write"], Name),
];

/// Constructs that may have a name before them.
const NAMED: &[&str] = &["associate(", "block", "critical", "do", "forall(", "if(", "select", "where("];

/// Before which characters of a statement free form needs a blank. The statement is in small letters and without blanks,
/// constants are masked; `apart` says before which characters the user had blanks.
pub(super) fn breaks(code: &[u8], apart: &[bool]) -> Vec<bool> {
    let mut found = Found { code, apart, breaks: vec![false; code.len()] };
    found.statement(0);
    found.operators();
    found.breaks
}

struct Found<'a> {
    code: &'a [u8],
    apart: &'a [bool],
    breaks: Vec<bool>,
}

fn is_word(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b == b'_'
}

impl Found<'_> {
    fn at(&self, i: usize) -> Option<u8> {
        self.code.get(i).copied()
    }

    fn starts(&self, from: usize, word: &str) -> bool {
        self.code.get(from..).is_some_and(|c| c.starts_with(word.as_bytes()))
    }

    /// Parts what meets at `i`, the end of a keyword.
    fn part(&mut self, i: usize) {
        let meets = |b: Option<u8>| b.is_some_and(|b| is_word(b) || b == LITERAL);
        if i > 0 && meets(self.at(i - 1)) && meets(self.at(i)) {
            self.breaks[i] = true;
        }
    }

    /// The end of the characters from `from` on of which `is` holds.
    fn run(&self, from: usize, is: impl Fn(u8) -> bool) -> usize {
        (from..self.code.len()).find(|&i| !is(self.code[i])).unwrap_or(self.code.len())
    }

    /// The end of a name at `from`; `from` where there is none.
    fn name(&self, from: usize) -> usize {
        match self.at(from) {
            Some(b) if b.is_ascii_alphabetic() => self.run(from, is_word),
            _ => from,
        }
    }

    /// The place behind the parenthesis that closes the one at `from`; the end where none does.
    fn closed(&self, from: usize) -> usize {
        let mut depth = 0;
        for i in from..self.code.len() {
            match self.code[i] {
                b'(' => depth += 1,
                b')' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return i + 1;
            }
        }
        self.code.len()
    }

    /// Places of a character outside of parentheses.
    fn outside(&self, from: usize, wanted: u8) -> Option<usize> {
        let mut depth = 0;
        (from..self.code.len()).find(|&i| {
            match self.code[i] {
                b'(' | b'[' => depth += 1,
                b')' | b']' => depth -= 1,
                _ => {}
            }
            depth == 0 && self.code[i] == wanted
        })
    }

    /// True for `designator = ...` and `designator => ...`, but not for the head of a loop.
    fn is_assignment(&self, from: usize) -> bool {
        let mut i = self.name(from);
        if i == from {
            return false;
        }
        loop {
            i = match self.at(i) {
                Some(b'(') => self.closed(i),
                Some(b'%') if self.name(i + 1) > i + 1 => self.name(i + 1),
                _ => break,
            };
        }
        let assigns = self.at(i) == Some(b'=') && self.at(i + 1) != Some(b'=');
        assigns && !(self.starts(from, "do") && self.outside(i, b',').is_some())
    }

    fn statement(&mut self, from: usize) {
        let name = self.name(from);
        if name > from && self.at(name) == Some(b':') && NAMED.iter().any(|w| self.starts(name + 1, w)) {
            return self.statement(name + 1);
        }
        if self.is_assignment(from) {
            return;
        }
        let length = |words: &[&str]| words.iter().map(|w| w.len()).sum::<usize>();
        let fits = |words: &[&str]| {
            let mut at = from;
            words.iter().all(|w| {
                at += w.len();
                self.starts(at - w.len(), w)
            })
        };
        let usable = |words: &[&str], after: After| {
            let end = from + length(words);
            match after {
                IfApart => self.at(end).is_some_and(is_word) && self.apart.get(end) == Some(&true),
                Condition | Then => self.at(end) == Some(b'('),
                _ if words == ["type", "is"] || words == ["class", "is"] => self.at(end) == Some(b'('),
                _ => true,
            }
        };
        let found = KEYWORDS.iter().filter(|(w, after)| fits(w) && usable(w, *after)).max_by_key(|(w, _)| length(w));
        let Some((words, after)) = found else { return };
        let mut end = from;
        for word in *words {
            self.part(end);
            end += word.len();
        }
        self.follow(*after, end);
    }

    /// What stands behind a keyword, which ends at `end`.
    fn follow(&mut self, after: After, end: usize) {
        match after {
            Name | IfApart => self.part(end),
            Statement => {
                self.part(end);
                self.statement(end);
            }
            Condition => {
                let rest = self.closed(end);
                if !self.starts(rest, "then") || self.code.len() > rest + "then".len() {
                    self.statement(rest);
                }
            }
            Then => self.part(self.closed(end) + "then".len()),
            Loop => self.loop_head(end),
            Declared => self.declared(end),
            Letters => {
                self.part(end);
                self.statement(end);
                let mut i = end;
                while let Some(comma) = self.outside(i, b',') {
                    self.statement(comma + 1);
                    i = comma + 1;
                }
            }
            Assigned => {
                let to = self.run(end, |b| b.is_ascii_digit());
                [end, to, to + "to".len()].into_iter().for_each(|i| self.part(i));
            }
        }
    }

    /// `do 10 i = 1, n`, `do 10, while (...)`, `do concurrent (...)`.
    fn loop_head(&mut self, end: usize) {
        self.part(end);
        let label = self.run(end, |b| b.is_ascii_digit());
        self.part(label);
    }

    /// The kind of a type, and names, attributes or a function.
    fn declared(&mut self, end: usize) {
        let mut i = end;
        if self.at(i) == Some(b'*') {
            i = self.run(i + 1, |b| b.is_ascii_digit());
        }
        if self.at(i) == Some(b'(') {
            i = self.closed(i);
        }
        self.part(i);
        let mut prefix = i;
        while let Some(word) = ["recursive", "elemental", "impure", "pure"].iter().find(|w| self.starts(prefix, w)) {
            prefix += word.len();
        }
        if self.is_function(prefix) {
            self.statement(i);
        }
    }

    /// True for `function f(x, y)`, and not for an array that is called `functionf`.
    fn is_function(&self, from: usize) -> bool {
        let end = from + "function".len();
        let name = self.name(end);
        if !self.starts(from, "function") || name == end || self.at(name) != Some(b'(') {
            return false;
        }
        let one_word = self.apart[from] && !self.apart[end];
        let list = &self.code[name + 1..self.closed(name).max(name + 2) - 1];
        let dummies = list.split(|b| *b == b',').all(|d| d.first().is_some_and(u8::is_ascii_alphabetic));
        !one_word && (list.is_empty() || (dummies && list.iter().all(|b| is_word(*b) || *b == b',')))
    }

    /// Operators and constants with dots stand by themselves: `1.eq.i`, `x.lt..5`.
    fn operators(&mut self) {
        let mut i = 0;
        while i < self.code.len() {
            let end = self.run(i + 1, |b| b.is_ascii_alphabetic());
            if self.code[i] != b'.' || end == i + 1 || self.at(end) != Some(b'.') {
                i += 1;
                continue;
            }
            let meets = |b: Option<u8>| b.is_some_and(|b| is_word(b) || matches!(b, b'.' | b')' | b'(' | LITERAL));
            if i > 0 && self.at(i - 1) != Some(b'(') && meets(self.at(i - 1)) {
                self.breaks[i] = true;
            }
            // The kind of a logical constant stays.
            if self.at(end + 1) != Some(b'_') && self.at(end + 1) != Some(b')') && meets(self.at(end + 1)) {
                self.breaks[end + 1] = true;
            }
            i = end + 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A statement without blanks as free form has it.
    fn parted(code: &str) -> String {
        let bytes = code.replace(' ', "").into_bytes();
        let mut apart = Vec::new();
        let mut blank = false;
        for b in code.bytes() {
            if b != b' ' {
                apart.push(blank);
            }
            blank = b == b' ';
        }
        let breaks = breaks(&bytes, &apart);
        let mut out = String::new();
        for (b, part) in bytes.iter().zip(breaks) {
            out.extend(part.then_some(' '));
            out.push(char::from(*b));
        }
        out
    }

    #[test]
    fn statements_have_the_blanks_of_free_form() {
        for text in [
            "do 10 i=1,n",
            "do10i=1.5",
            "do i=1,n",
            "do 10 while(x .lt. 5)",
            "name:do i=1,n",
            "doi=f(1,2)",
            "if(a .eq. 1.e5)go to 10",
            "if(a)10,20,30",
            "if(x .lt. .5 .and. .not. b)x=1",
            "if(x)then",
            "if(x)thenx=1",
            "if(x)=1",
            "else if(x)then",
            "end do",
            "enddo=5",
            "end",
            "endif=1",
            "double precision x,y",
            "double precision function f(x)",
            "real*8 x(10),y",
            "real*8 function f(x)",
            "real recursive function f()",
            "realfunction(i)=x",
            "real functionf(10)",
            "integer,parameter::n=5",
            "character*(*)s",
            "character*10 s",
            "implicit real*8(a-h,o-z)",
            "implicit double precision(a-h),integer*4(i-n)",
            "implicit none",
            "subroutine f(x)",
            "recursive subroutine f",
            "call f(x)",
            "callf(x)=1",
            "goto=1",
            "go to(10,20),i",
            "print 10,x",
            "read(5,10)x",
            "assign 10 to l",
            "type(t)::x",
            "type t",
            "type is(t)",
            "select case(i)",
            "case default",
            "where(m)a=b",
            "where(m)call f",
            "use m,only:a=>b",
            "p%q(3)=>r",
            "x=.true._4",
            "x=a .and. .true.",
            "block data b",
            "end block data b",
            "data x/1/",
            "return",
            "return 1",
            "if(x)return",
            "common x,y",
            "program p",
            "module m",
        ] {
            assert_eq!(parted(&text.replace(' ', "")), text);
        }
    }

    #[test]
    fn the_users_blanks_decide_where_nothing_else_does() {
        assert_eq!(parted("module procedures"), "module procedures");
        assert_eq!(parted("module procedure s"), "module procedure s");
        assert_eq!(parted("real functionf(n)"), "real functionf(n)");
        assert_eq!(parted("real function f(n)"), "real function f(n)");
    }
}
