use super::*;

fn omp(text: &str) -> Directive {
    parse(Sentinel::Omp, text, Span::default()).unwrap_or_else(|d| panic!("{text}: {}", d.message))
}

fn acc(text: &str) -> Directive {
    parse(Sentinel::Acc, text, Span::default()).unwrap_or_else(|d| panic!("{text}: {}", d.message))
}

fn strings(list: &[&str]) -> Vec<String> {
    list.iter().map(|s| s.to_string()).collect()
}

#[test]
fn combined_constructs_in_any_spelling() {
    assert_eq!(omp("PARALLEL DO").omp(), Some(&OmpConstruct::ParallelDo));
    assert_eq!(omp("paralleldo simd").omp(), Some(&OmpConstruct::ParallelDoSimd));
    assert_eq!(omp("end parallel do").omp(), Some(&OmpConstruct::End(Box::new(OmpConstruct::ParallelDo))));
    assert_eq!(omp("enddo nowait").omp(), Some(&OmpConstruct::End(Box::new(OmpConstruct::Do))));
    let target = omp("target teams distribute parallel do collapse(2) map(to: a, b(1:n)) map(c)");
    assert_eq!(target.omp(), Some(&OmpConstruct::TargetCombined("targetteamsdistributeparalleldo".into())));
    assert!(target.omp().is_some_and(OmpConstruct::governs_loop));
    assert_eq!(target.clauses[1].kind, ClauseKind::Map { kind: "to".into(), list: strings(&["a", "b(1:n)"]) });
    assert_eq!(target.clauses[2].kind, ClauseKind::Map { kind: "tofrom".into(), list: strings(&["c"]) });
    assert_eq!(acc("end parallel loop").acc(), Some(&AccConstruct::End(Box::new(AccConstruct::ParallelLoop))));
}

#[test]
fn clauses_are_typed_and_verbatim() {
    let d = omp(
        "parallel do if(n>1), default(NONE) Private(i,j) reduction(+ : s,t(:)) schedule(static,4) num_threads (2) proc_bind(close) nowait",
    );
    let kinds: Vec<_> = d.clauses.iter().map(|c| c.kind.clone()).collect();
    assert_eq!(
        kinds,
        [
            ClauseKind::If("n>1".into()),
            ClauseKind::Default(DefaultKind::None),
            ClauseKind::Private(strings(&["i", "j"])),
            ClauseKind::Reduction { op: "+".into(), list: strings(&["s", "t(:)"]) },
            ClauseKind::Schedule { kind: "static".into(), chunk: Some("4".into()) },
            ClauseKind::NumThreads("2".into()),
            ClauseKind::Other { name: "proc_bind".into(), text: Some("close".into()) },
            ClauseKind::NoWait,
        ]
    );
    assert_eq!(d.clauses[2].text, "Private(i,j)");
    assert_eq!(d.clauses[5].text, "num_threads (2)");
    let d = acc("parallel loop gang vector(128) copyin(a(1:n)) present(b) async(1) independent");
    assert_eq!(d.clauses[1].kind, ClauseKind::Vector(Some("128".into())));
    assert_eq!(d.clauses[2].kind, ClauseKind::CopyIn(strings(&["a(1:n)"])));
    assert_eq!(d.clauses[4].kind, ClauseKind::Async(Some("1".into())));
}

#[test]
fn arguments_of_constructs() {
    assert_eq!(omp("critical (lock)").argument.as_deref(), Some("lock"));
    assert_eq!(omp("threadprivate(/c/, x)").argument.as_deref(), Some("/c/, x"));
    let d = omp("atomic update");
    assert_eq!(d.omp(), Some(&OmpConstruct::Atomic));
    assert_eq!(d.clauses[0].kind, ClauseKind::Other { name: "update".into(), text: None });
    let d = acc("routine(f) seq");
    assert_eq!((d.argument.as_deref(), &d.clauses[0].kind), (Some("f"), &ClauseKind::Seq));
}

#[test]
fn own_directives() {
    let ad = |text: &str| parse(Sentinel::Ad, text, Span::default()).map(|d| d.construct);
    assert_eq!(ad("II-LOOP"), Ok(Construct::Ad(AdDirective::IiLoop)));
    let asked = vec![(Strategy::Atomic, strings(&["x", "s%y"])), (Strategy::Shared, Vec::new())];
    assert_eq!(
        ad("parallel strategy(Atomic: x, s%y) strategy(shared)"),
        Ok(Construct::Ad(AdDirective::Parallel(asked)))
    );
    for wrong in ["parallel", "parallel strategy(fast)", "parallel schedule(static)", "parallel strategy(atomic"] {
        assert!(ad(wrong).is_err(), "{wrong}");
    }
    assert_eq!(ad("start-exclude"), Ok(Construct::Ad(AdDirective::StartExclude)));
    assert_eq!(ad("End-Exclude"), Ok(Construct::Ad(AdDirective::EndExclude)));
    assert!(ad("end-exclude x").is_err());
    let clause = |word: &str, value: Option<&str>| (word.to_string(), value.map(str::to_string));
    assert_eq!(
        ad("linear-solve Matrix(A), rhs(b) symmetric"),
        Ok(Construct::Ad(AdDirective::LinearSolve(vec![
            clause("matrix", Some("a")),
            clause("rhs", Some("b")),
            clause("symmetric", None),
        ])))
    );
    assert_eq!(
        ad("external self-adjoint linear(x, y)"),
        Ok(Construct::Ad(AdDirective::External(vec![clause("self-adjoint", None), clause("linear", Some("x, y")),])))
    );
    for wrong in [
        "linear-solve matrix",
        "linear-solve rhs(b) rhs(c)",
        "external solution(x)",
        "external self-adjoint(x)",
        "external tangent(",
    ] {
        assert!(ad(wrong).is_err(), "{wrong}");
    }
    assert_eq!(ad("inactive(x, s%y)"), Ok(Construct::Ad(AdDirective::Inactive(strings(&["x", "s%y"])))));
    let ckp = AdDirective::BinomialCkp { steps: "nt+1".into(), snapshots: "f(4, 2)".into(), first: "1".into() };
    assert_eq!(ad("binomial-ckp nt+1 f(4, 2) 1"), Ok(Construct::Ad(ckp)));
    let checkpoint = |schedule: &str, snapshots: Option<&str>, memory: Option<&str>| {
        let (snapshots, memory) = (snapshots.map(Into::into), memory.map(Into::into));
        Ok(Construct::Ad(AdDirective::Checkpoint { schedule: Some(schedule.into()), snapshots, memory }))
    };
    assert_eq!(ad("checkpoint schedule(revolve) snapshots(10)"), checkpoint("revolve", Some("10"), None));
    assert_eq!(ad("checkpoint schedule(dynamic), memory(2 GiB)"), checkpoint("dynamic", None, Some("2 GiB")));
    let fixed = |state: &[&str], tolerance: Option<&str>, iterations: Option<&str>| {
        let (state, tolerance, iterations) = (strings(state), tolerance.map(Into::into), iterations.map(Into::into));
        Ok(Construct::Ad(AdDirective::FixedPoint { state, tolerance, iterations }))
    };
    assert_eq!(ad("fixed-point"), fixed(&[], None, None));
    assert_eq!(
        ad("Fixed-Point state(u, v) tolerance(1e-10), maxiterations(n)"),
        fixed(&["u", "v"], Some("1e-10"), Some("n"))
    );
    assert_eq!(ad("FP-LOOP \"u\" v"), fixed(&["u", "v"], None, None));
    assert_eq!(ad("fp-loop (u, v)"), fixed(&["u", "v"], None, None));
    for bad in [
        "",
        "nocheckpoint",
        "binomial-ckp 1 2",
        "checkpoint 3",
        "checkpoint memory()",
        "fixed-point u",
        "fixed-point state()",
        "fp-loop u+v",
        "ii-loop x",
        "inactive x+y",
    ] {
        assert_eq!(ad(bad).map_err(|d| d.code), Err(Code::BadDirective), "{bad}");
    }
}

#[test]
fn broken_directives_are_refused() {
    for bad in ["", "paralel do", "parallel private(x", "parallel private()", "do reduction(x)", "parallel )"] {
        assert_eq!(parse(Sentinel::Omp, bad, Span::default()).map_err(|d| d.code), Err(Code::BadDirective), "{bad}");
    }
}
