//! The cases and what is expected of each: in the table below, or in comments of the program ([`described`]).

mod described;
pub(crate) mod faults;

use costate_adjoint::pipeline::Layout;
use costate_adjoint::verify::ParallelRuns;
use costate_grammar::diag::Code;

/// What is expected.
#[derive(Clone, Debug)]
pub(crate) enum Expected {
    /// Tangent and adjoint pass the check.
    Right,
    /// The input is refused with this code at this line.
    Refused(Code, usize),
}

/// A program and its head.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    /// File in `cases/`.
    pub(crate) file: &'static str,
    /// More files of the program.
    pub(crate) with: &'static [&'static str],
    /// What is differentiated.
    pub(crate) head: &'static str,
    /// `--size`.
    pub(crate) sizes: &'static [(&'static str, &'static [i64])],
    /// `--value`.
    pub(crate) values: &'static [(&'static str, &'static str)],
    /// `--setup`.
    pub(crate) setup: &'static [&'static str],
    /// Where generated procedures go.
    pub(crate) layout: Layout,
    /// `--calls split`.
    pub(crate) split: bool,
    /// `--memory`, in bytes.
    pub(crate) memory: Option<u64>,
    /// Directives that are heeded, for a program that has some.
    pub(crate) parallel: ParallelRuns,
    /// Flags for linking.
    pub(crate) link: &'static [&'static str],
    /// Checked with run-time checks and trapping undefined reals too.
    pub(crate) strict: bool,
    /// What is expected.
    pub(crate) expected: Expected,
}

impl Case {
    /// True for right cases that differ in their heads alone, so that one run generates and compiles all of them.
    pub(crate) fn goes_with(&self, other: &Case) -> bool {
        let right = |c: &Case| matches!(c.expected, Expected::Right);
        let program = |c: &Case| {
            ((c.file, c.with, c.sizes, c.values, c.setup), (c.split, c.memory, c.parallel, c.link, c.strict))
        };
        right(self) && right(other) && self.layout == other.layout && program(self) == program(other)
    }
}

const BLAS: &[&str] = &["-llapack", "-lblas"];
const N8: &[(&str, &[i64])] = &[("n", &[8])];
const HEAD: &str = "m::f(y)/(x)";

const fn right(file: &'static str) -> Case {
    Case {
        file,
        with: &[],
        head: HEAD,
        sizes: N8,
        values: &[],
        setup: &[],
        layout: Layout::Separate,
        split: false,
        memory: None,
        parallel: ParallelRuns { threads: None, acc: false },
        link: &[],
        strict: true,
        expected: Expected::Right,
    }
}

const fn refused(file: &'static str, code: Code, line: usize) -> Case {
    Case { strict: false, expected: Expected::Refused(code, line), ..right(file) }
}

/// A time loop with so many steps.
const fn steps(head: &'static str, sizes: &'static [(&'static str, &'static [i64])]) -> Case {
    Case { head, sizes, ..right("time_loops.f90") }
}

/// A time loop that finds out when it ends.
const fn open(head: &'static str, sizes: &'static [(&'static str, &'static [i64])]) -> Case {
    Case { head, sizes, ..right("online_loops.f90") }
}

/// A stencil on a small grid.
const fn ends(sizes: &'static [(&'static str, &'static [i64])]) -> Case {
    let head = "m::f(y,u)/(c,u)";
    Case { head, sizes, ..right("stencil_ends.f90") }
}

/// Time steps on a grid of so many points.
const fn columns(head: &'static str, sizes: &'static [(&'static str, &'static [i64])]) -> Case {
    Case { head, sizes, ..right("step_columns.f90") }
}

/// Elements overwritten in place.
const fn elements(sizes: &'static [(&'static str, &'static [i64])]) -> Case {
    Case { sizes, ..right("overwritten_elements.f90") }
}

/// True for the name of a program.
pub(crate) fn is_program(name: &str) -> bool {
    [".f90", ".F90", ".f", ".F"].iter().any(|ending| name.ends_with(ending))
}

/// All cases.
pub(crate) fn cases() -> Vec<Case> {
    TABLE.iter().cloned().chain(described::cases()).collect()
}

/// Cases with several sizes or heads, and those that stand here since the first day.
const TABLE: &[Case] = &[
    right("aliasing_call.f90"),
    right("alloc_auto_realloc.f90"),
    right("alloc_branches.f90"),
    right("alloc_carried.f90"),
    right("alloc_components.f90"),
    right("alloc_grown.f90"),
    right("alloc_in_calls.f90"),
    right("alloc_in_loop.f90"),
    right("alloc_local.f90"),
    right("alloc_module.f90"),
    right("alloc_module_ensure.f90"),
    right("alloc_module_setup.f90"),
    right("alloc_output.f90"),
    right("alloc_parts_in_calls.f90"),
    Case { head: "m::g(y)/(x)", ..right("alloc_parts_in_calls.f90") },
    right("alloc_results.f90"),
    right("alloc_scalar.f90"),
    right("alloc_state.f90"),
    Case { sizes: &[("n", &[6]), ("nt", &[21])], ..right("alloc_time_loops.f90") },
    right("array_2d.f90"),
    right("array_ctor.f90"),
    right("array_fn.f90"),
    right("array_overlap.f90"),
    right("array_syntax.f90"),
    right("associate_construct.f90"),
    right("assumed_shape.f90"),
    right("assumed_size.f90"),
    Case { sizes: &[("n", &[8]), ("x", &[8]), ("y", &[8])], ..right("assumed_size_output.f90") },
    right("auto_array.f90"),
    Case { link: BLAS, ..right("blas_dgemv.f90") },
    right("block_construct.f90"),
    right("common_block.f90"),
    right("carried_sum.f90"),
    Case { head: "m::f(y,c)/(x,y,c)", ..right("constant_beside_stencil.f90") },
    right("complex_num.f90"),
    right("complex_parts.f90"),
    right("cpp_ifdef.F90"),
    right("cpp_include.F90"),
    right("data_stmt.f90"),
    right("declaration_bounds.f90"),
    right("derived_alloc.f90"),
    right("derived_array.f90"),
    right("derived_type.f90"),
    right("do_concurrent.f90"),
    right("do_forever_newton.f90"),
    right("do_labels.f90"),
    right("submodule_unit.f90"),
    right("do_while.f90"),
    right("dp_legacy.f90"),
    right("dummy_proc.f90"),
    right("elemental_fn.f90"),
    right("elemental_overlap.f90"),
    refused("entry_stmt.f90", Code::UnsupportedStatement, 21),
    right("equivalence_stmt.f90"),
    right("exit_construct.f90"),
    right("exit_cycle.f90"),
    right("external_proc.f90"),
    right("factors.f90"),
    right("forall_masks.f90"),
    right("forall_stmt.f90"),
    right("generic_iface.f90"),
    right("goto_stmt.f90"),
    right("implicit_typing.f90"),
    right("include_stmt.f90"),
    right("increments.f90"),
    right("indirect.f90"),
    right("indirect_scalar.f90"),
    right("int_counter.f90"),
    right("internal_proc.f90"),
    right("intrinsics_arr.f90"),
    right("intrinsics_arr_simple.f90"),
    right("intrinsics_sc.f90"),
    right("io_write.f90"),
    Case { head: "m::f(y,g,b,p,s,q)/(x,g)", ..right("keep_allocated.f90") },
    right("keyword_arg.f90"),
    right("keyword_names.f90"),
    right("kind_param.f90"),
    Case { link: BLAS, ..right("lapack_dgesv.f90") },
    right("long_semicolons.f90"),
    right("maxval_loc.f90"),
    right("maxval_places.f90"),
    right("merge_fn.f90"),
    Case { setup: &["store::set_up"], ..right("module_allocatable.f90") },
    right("mixed_kinds.f90"),
    Case { head: "m::f(y,z)/(x)", ..right("mixed_kinds_apart.f90") },
    right("output_defaults.f90"),
    Case { head: "m::g(p)/(x)", ..right("output_defaults.f90") },
    right("module_var.f90"),
    right("move_alloc_stmt.f90"),
    right("named_exit.f90"),
    right("namelist_io.f90"),
    right("neg_stride.f90"),
    right("no_intent.f90"),
    Case { head: "m::nested(y)/(x)", sizes: &[("n", &[8]), ("nt", &[4])], ..right("open_nests.f90") },
    Case { head: "m::called(y)/(x)", sizes: &[("n", &[8]), ("nt", &[3])], ..right("open_nests.f90") },
    Case { head: "m::inside(y)/(x)", sizes: &[("n", &[8]), ("nt", &[3])], ..right("open_nests.f90") },
    open("m::until(y)/(x)", &[("n", &[6]), ("nt", &[0])]),
    open("m::allocates(y)/(x)", &[("n", &[6]), ("nt", &[4])]),
    open("m::fixed_point(y)/(x)", &[("n", &[6]), ("nt", &[5])]),
    open("m::middle(y)/(x)", &[("n", &[6]), ("nt", &[4])]),
    open("m::several(y)/(x)", &[("n", &[6]), ("nt", &[5])]),
    open("m::several(y)/(x)", &[("n", &[6]), ("nt", &[6])]),
    open("m::several(y)/(x)", &[("n", &[6]), ("nt", &[7])]),
    open("m::inner(y)/(x)", &[("n", &[6]), ("nt", &[4])]),
    open("m::inner(y)/(x)", &[("n", &[6]), ("nt", &[5])]),
    open("m::calls(y)/(x)", &[("n", &[6]), ("nt", &[1])]),
    open("m::asked(y)/(x)", &[("n", &[6]), ("nt", &[3])]),
    open("m::history(y)/(x)", &[("n", &[6]), ("nt", &[7])]),
    right("online_schedule.f90"),
    right("op_overload.f90"),
    right("optional_arg.f90"),
    right("polymorphic.f90"),
    Case { layout: Layout::Extend, ..right("private_counter.f90") },
    Case { layout: Layout::Extend, ..right("private_head.f90") },
    Case { layout: Layout::Extend, ..right("private_state.f90") },
    right("proc_pointer.f90"),
    right("pure_fn.f90"),
    Case { head: "m::f(y)/(x,p,y)", ..right("recompute.f90") },
    Case { head: "m::f(y)/(x,y)", ..right("recompute_part.f90") },
    Case { head: "m::f(y)/(x,y)", ..right("recompute_slices.f90") },
    Case { head: "m::f(y)/(x,y)", ..right("recompute_steps.f90") },
    right("recursive_sub.f90"),
    right("reshape_pad.f90"),
    right("return_early.f90"),
    refused("save_var.f90", Code::UnsupportedDeclaration, 8),
    Case { layout: Layout::Extend, ..right("save_var.f90") },
    Case { head: "m::f(y)/(x,y)", ..right("saved_condition.f90") },
    Case { layout: Layout::Extend, ..right("saved_state.f90") },
    Case { head: "m::f(y)/(x,y)", ..right("saved_subscripts.f90") },
    right("scalar_loop.f90"),
    right("select_case.f90"),
    elements(&[("n", &[2]), ("steps", &[2])]),
    elements(&[("n", &[3]), ("steps", &[3])]),
    elements(&[("n", &[8]), ("steps", &[3])]),
    steps("m::down(y)/(x)", &[("n", &[8]), ("nt", &[0])]),
    steps("m::down(y)/(x)", &[("n", &[8]), ("nt", &[13])]),
    steps("m::before(x,y)/(x,y)", &[("n", &[8]), ("nt", &[2])]),
    steps("m::before(x,y)/(x,y)", &[("n", &[8]), ("nt", &[30])]),
    steps("m::counter(y)/(x)", &[("n", &[80]), ("nt", &[25])]),
    steps("m::calls(y)/(x,obs)", &[("n", &[8]), ("nt", &[17])]),
    steps("m::subcycled(y)/(x)", &[("n", &[8]), ("nt", &[0])]),
    steps("m::subcycled(y)/(x)", &[("n", &[8]), ("nt", &[26])]),
    steps("m::shaped(y)/(x)", &[("x", &[8]), ("y", &[8]), ("nt", &[1])]),
    steps("m::shaped(y)/(x)", &[("x", &[8]), ("y", &[8]), ("nt", &[20])]),
    steps("m::shrinking(y)/(x)", &[("n", &[8]), ("nt", &[0])]),
    steps("m::shrinking(y)/(x)", &[("n", &[24]), ("nt", &[27])]),
    columns("m::upwind(u)/(c,u)", &[("n", &[1]), ("steps", &[3])]),
    columns("m::upwind(u)/(c,u)", &[("n", &[2]), ("steps", &[30])]),
    columns("m::upwind(u)/(c,u)", &[("n", &[100]), ("steps", &[20])]),
    columns("m::downwind(u)/(c,u)", &[("n", &[3]), ("steps", &[3])]),
    columns("m::downwind(u)/(c,u)", &[("n", &[4]), ("steps", &[30])]),
    columns("m::downwind(u)/(c,u)", &[("n", &[100]), ("steps", &[20])]),
    columns("m::waves(h,v)/(c,h,v)", &[("n", &[1]), ("l", &[0]), ("steps", &[20])]),
    columns("m::waves(h,v)/(c,h,v)", &[("n", &[3]), ("l", &[2]), ("steps", &[2])]),
    columns("m::waves(h,v)/(c,h,v)", &[("n", &[12]), ("l", &[9]), ("steps", &[20])]),
    columns("m::waves(h,v)/(c,h,v)", &[("n", &[12]), ("l", &[9]), ("steps", &[27])]),
    columns("m::upwind_sum(total)/(c,u)", &[("n", &[2]), ("steps", &[0])]),
    columns("m::upwind_sum(total)/(c,u)", &[("n", &[80]), ("steps", &[20])]),
    columns("m::upwind_sum(total)/(c,u)", &[("n", &[80]), ("steps", &[31])]),
    columns("m::plane(u)/(c,u)", &[("n", &[4]), ("l", &[3]), ("steps", &[5])]),
    columns("m::plane(u)/(c,u)", &[("n", &[12]), ("l", &[9]), ("steps", &[20])]),
    columns("m::kept(u,total)/(c,u)", &[("n", &[3]), ("steps", &[5])]),
    columns("m::kept(u,total)/(c,u)", &[("n", &[80]), ("steps", &[20])]),
    columns("m::halves(a,b)/(a,b)", &[("n", &[2]), ("l", &[5]), ("steps", &[4])]),
    columns("m::halves(a,b)/(a,b)", &[("n", &[3]), ("l", &[3]), ("steps", &[4])]),
    columns("m::halves(a,b)/(a,b)", &[("n", &[4]), ("l", &[3]), ("steps", &[4])]),
    columns("m::halves(a,b)/(a,b)", &[("n", &[5]), ("l", &[4]), ("steps", &[4])]),
    columns("m::halves(a,b)/(a,b)", &[("n", &[12]), ("l", &[9]), ("steps", &[20])]),
    columns("m::lines(a)/(c,a)", &[("n", &[3]), ("l", &[3]), ("steps", &[3])]),
    columns("m::lines(a)/(c,a)", &[("n", &[4]), ("l", &[6]), ("steps", &[3])]),
    columns("m::lines(a)/(c,a)", &[("n", &[12]), ("l", &[9]), ("steps", &[20])]),
    columns("m::lines(a)/(a)", &[("n", &[3]), ("l", &[3]), ("steps", &[3])]),
    columns("m::lines(a)/(a)", &[("n", &[4]), ("l", &[6]), ("steps", &[3])]),
    columns("m::lines(a)/(a)", &[("n", &[12]), ("l", &[9]), ("steps", &[20])]),
    ends(&[("n", &[1]), ("steps", &[2])]),
    ends(&[("n", &[2]), ("steps", &[2])]),
    ends(&[("n", &[3]), ("steps", &[2])]),
    ends(&[("n", &[4]), ("steps", &[2])]),
    ends(&[("n", &[5]), ("steps", &[2])]),
    ends(&[("n", &[8]), ("steps", &[3])]),
    Case { values: &[("x", "0.6:0.9")], ..right("split_calls.f90") },
    right("split_sizes.f90"),
    right("stmt_function.f90"),
    right("stop_stmt.f90"),
    right("struct_broadcast.f90"),
    right("struct_ctor.f90"),
    right("sums_meet.f90"),
    refused("text_null_value.f90", Code::ActiveIo, 13),
    right("text_numbers.f90"),
    refused("text_read_back.f90", Code::ActiveIo, 10),
    right("timestep_inplace.f90"),
    right("timestep_nl.f90"),
    right("twin_contexts.f90"),
    right("type_bound.f90"),
    right("use_other_module.f90"),
    right("where_stmt.f90"),
    right("work_array_shared.f90"),
    right("branch_scalar_adjoint.f90"),
    right("component_arrays.f90"),
    right("component_copies.f90"),
    right("vector_subscript_actual.f90"),
    right("overwritten_by_call.f90"),
    right("result_subscript.f90"),
    right("index_of_itself.f90"),
    right("index_of_itself_by_call.f90"),
    right("zero_slope.f90"),
    Case { head: "m::f(x,y)/(u,x)", sizes: &[("n", &[5]), ("nk", &[7])], ..right("vertical_solver.f90") },
    Case { head: "m::f(x,y)/(u,x)", sizes: &[("n", &[5]), ("nk", &[2])], ..right("vertical_solver.f90") },
    Case { head: "m::f(x,y)/(u,x)", sizes: &[("n", &[5]), ("nk", &[1])], ..right("vertical_solver.f90") },
];
