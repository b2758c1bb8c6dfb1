use costate_grammar::{form::ReadOptions, ir::*, program::parse_program, source::SourceMap};
fn main() {
    let mut sources = SourceMap::default();
    let args: Vec<String> = std::env::args().skip(1).collect();
    let dump = args.first().is_some_and(|a| a == "-d");
    let files: Vec<_> = args.iter().filter(|a| *a != "-d").map(|p| (p.clone(), String::from_utf8_lossy(&std::fs::read(p).unwrap()).into_owned())).collect();
    let load = |p: &str| std::fs::read_to_string(p).ok();
    let opts = ReadOptions { loader: &load, ..Default::default() };
    let t = std::time::Instant::now();
    let (p, d) = parse_program(&mut sources, files, &opts);
    eprintln!("{:?}: {} procedures {} symbols", t.elapsed(), p.procedures.len(), p.symbols.len());
    let show = |d: &costate_grammar::diag::Diagnostic, w: &str| println!("{} {w} {} {} {}", d.span.map(|s| sources.locate(s)).unwrap_or_default(), d.code.as_str(), d.message, d.reason.clone().unwrap_or_default());
    d.iter().for_each(|d| show(d, "G"));
    p.modules().for_each(|(_, m)| m.problems.iter().for_each(|d| show(d, &m.name)));
    p.procedures().for_each(|(_, m)| m.problems.iter().for_each(|d| show(d, &m.name)));
    for (_, q) in p.procedures() { for_each_stmt(&q.body, &mut |s| if let StmtKind::Unsupported { what, .. } = &s.kind { println!("{} U {} {what}", sources.locate(s.origin.span()), q.name) }); }
    if dump { for (_, q) in p.procedures() { println!("== {}", q.name); for s in p[q.scope].names.values() { println!("{:?}", p[*s]); } println!("{:#?}", q.body); } }
}
