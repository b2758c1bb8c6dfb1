//! Modules that come with the compiler: their constants by value, their procedures by name.

use super::{Ctx, Lowerer};
use crate::intrinsics::Intrinsic;
use crate::ir::{
    Base, Component, CtorItem, DerivedType, Dim, Expr, ExprKind, ModuleId, ModuleKind, Name, ProcInfo, ScopeId, SymId,
    SymbolKind, Ty, Variable,
};
use crate::source::Span;

const ISO_FORTRAN_ENV: &[(&str, i64)] = &[
    ("int8", 1),
    ("int16", 2),
    ("int32", 4),
    ("int64", 8),
    ("real32", 4),
    ("real64", 8),
    ("real128", 16),
    ("logical8", 1),
    ("logical16", 2),
    ("logical32", 4),
    ("logical64", 8),
    ("input_unit", 5),
    ("output_unit", 6),
    ("error_unit", 0),
    ("iostat_end", -1),
    ("iostat_eor", -2),
    ("iostat_inquire_internal_unit", 5018),
    ("character_storage_size", 8),
    ("file_storage_size", 8),
    ("numeric_storage_size", 32),
    ("atomic_int_kind", 4),
    ("atomic_logical_kind", 4),
];

/// Lists of kinds, the default character's first.
const KIND_LISTS: &[(&str, &[i64])] = &[
    ("integer_kinds", &[1, 2, 4, 8, 16]),
    ("real_kinds", &[4, 8, 10, 16]),
    ("logical_kinds", &[1, 2, 4, 8, 16]),
    ("character_kinds", &[1, 4]),
];

const ISO_C_BINDING: &[(&str, i64)] = &[
    ("c_int", 4),
    ("c_short", 2),
    ("c_long", 8),
    ("c_long_long", 8),
    ("c_signed_char", 1),
    ("c_size_t", 8),
    ("c_int8_t", 1),
    ("c_int16_t", 2),
    ("c_int32_t", 4),
    ("c_int64_t", 8),
    ("c_int128_t", 16),
    ("c_int_least8_t", 1),
    ("c_int_least16_t", 2),
    ("c_int_least32_t", 4),
    ("c_int_least64_t", 8),
    ("c_int_fast8_t", 1),
    ("c_int_fast16_t", 8),
    ("c_int_fast32_t", 8),
    ("c_int_fast64_t", 8),
    ("c_intmax_t", 8),
    ("c_intptr_t", 8),
    ("c_ptrdiff_t", 8),
    ("c_float", 4),
    ("c_double", 8),
    ("c_long_double", 10),
    ("c_float128", 16),
    ("c_float_complex", 4),
    ("c_double_complex", 8),
    ("c_long_double_complex", 10),
    ("c_bool", 1),
    ("c_char", 1),
];

const C_CHARACTERS: &[&str] = &[
    "c_null_char",
    "c_alert",
    "c_backspace",
    "c_form_feed",
    "c_new_line",
    "c_carriage_return",
    "c_horizontal_tab",
    "c_vertical_tab",
];

const IEEE_PROCEDURES: &[(&str, Option<Ty>)] = &[
    ("ieee_class", None),
    ("ieee_copy_sign", None),
    ("ieee_logb", None),
    ("ieee_next_after", None),
    ("ieee_rem", None),
    ("ieee_rint", None),
    ("ieee_scalb", None),
    ("ieee_value", None),
    ("ieee_fma", None),
    ("ieee_is_negative", Some(Ty::LOGICAL)),
    ("ieee_is_normal", Some(Ty::LOGICAL)),
    ("ieee_signbit", Some(Ty::LOGICAL)),
    ("ieee_unordered", Some(Ty::LOGICAL)),
    ("ieee_support_datatype", Some(Ty::LOGICAL)),
    ("ieee_support_denormal", Some(Ty::LOGICAL)),
    ("ieee_support_divide", Some(Ty::LOGICAL)),
    ("ieee_support_inf", Some(Ty::LOGICAL)),
    ("ieee_support_io", Some(Ty::LOGICAL)),
    ("ieee_support_nan", Some(Ty::LOGICAL)),
    ("ieee_support_rounding", Some(Ty::LOGICAL)),
    ("ieee_support_sqrt", Some(Ty::LOGICAL)),
    ("ieee_support_standard", Some(Ty::LOGICAL)),
    ("ieee_support_underflow_control", Some(Ty::LOGICAL)),
    ("ieee_support_flag", Some(Ty::LOGICAL)),
    ("ieee_support_halting", Some(Ty::LOGICAL)),
    ("ieee_selected_real_kind", Some(Ty::INTEGER)),
    ("ieee_get_rounding_mode", None),
    ("ieee_set_rounding_mode", None),
    ("ieee_get_underflow_mode", None),
    ("ieee_set_underflow_mode", None),
    ("ieee_get_flag", None),
    ("ieee_set_flag", None),
    ("ieee_get_halting_mode", None),
    ("ieee_set_halting_mode", None),
    ("ieee_get_status", None),
    ("ieee_set_status", None),
];

const IEEE_CLASSES: &[&str] = &[
    "ieee_signaling_nan",
    "ieee_quiet_nan",
    "ieee_negative_inf",
    "ieee_negative_normal",
    "ieee_negative_denormal",
    "ieee_negative_zero",
    "ieee_positive_zero",
    "ieee_positive_denormal",
    "ieee_positive_normal",
    "ieee_positive_inf",
    "ieee_other_value",
];

const IEEE_FLAGS: &[&str] = &["ieee_overflow", "ieee_underflow", "ieee_divide_by_zero", "ieee_inexact", "ieee_invalid"];
const IEEE_ROUNDS: &[&str] = &["ieee_nearest", "ieee_to_zero", "ieee_up", "ieee_down", "ieee_other"];

impl<'t> Lowerer<'t> {
    /// A module that belongs to no file, made on first use.
    pub(super) fn intrinsic_module(&mut self, name: &str) -> Option<ModuleId> {
        let known = matches!(
            name,
            "iso_fortran_env"
                | "iso_c_binding"
                | "ieee_arithmetic"
                | "ieee_exceptions"
                | "ieee_features"
                | "omp_lib"
                | "omp_lib_kinds"
                | "openacc"
                | "mpi"
                | "mpi_f08"
        );
        if !known {
            return None;
        }
        let scope = self.program.module_outside(name);
        match name {
            "iso_fortran_env" => self.fill_env(scope),
            "iso_c_binding" => self.fill_c(scope),
            "ieee_arithmetic" | "ieee_exceptions" => self.fill_ieee(scope),
            "omp_lib" | "omp_lib_kinds" => self.fill_omp(scope),
            "mpi_f08" => self.fill_mpi_types(scope),
            _ => {}
        }
        self.program.module_names.get(name).copied()
    }

    fn constant(&mut self, scope: ScopeId, name: &str, ty: Ty, spelling: &str, init: Option<Expr>) {
        let mut var = Variable::scalar(ty, spelling);
        var.attrs.parameter = true;
        var.init = init;
        self.program.add_symbol(scope, Name::new(name), Span::default(), SymbolKind::Variable(Box::new(var)));
    }

    fn known_procedure(&mut self, scope: ScopeId, name: &str, ty: Option<Ty>) -> SymId {
        let info = ProcInfo { ty, external: true, intrinsic: Intrinsic::find(name), ..ProcInfo::default() };
        self.program.add_symbol(scope, Name::new(name), Span::default(), SymbolKind::Procedure(Box::new(info)))
    }

    fn opaque_type(&mut self, scope: ScopeId, name: &str) -> Ty {
        let kind = SymbolKind::Type(Box::new(DerivedType { private_components: true, ..DerivedType::default() }));
        let sym = self.program.add_symbol(scope, Name::new(name), Span::default(), kind);
        Ty::new(Base::Derived(sym), 0)
    }

    fn fill_env(&mut self, scope: ScopeId) {
        for (name, value) in ISO_FORTRAN_ENV {
            self.constant(scope, name, Ty::INTEGER, "integer", Some(signed(*value)));
        }
        for (name, kinds) in KIND_LISTS {
            let items = kinds.iter().map(|k| CtorItem::Value(Expr::int(*k))).collect();
            let list = Expr::new(ExprKind::ArrayCtor { type_spec: None, items }, Ty::INTEGER, 1);
            let mut var = Variable::scalar(Ty::INTEGER, "integer");
            var.attrs.parameter = true;
            var.dims = vec![Dim::Explicit(None, Expr::int(kinds.len() as i64))];
            var.init = Some(list);
            self.program.add_symbol(scope, Name::new(name), Span::default(), SymbolKind::Variable(Box::new(var)));
        }
        self.known_procedure(scope, "compiler_version", Some(Ty::CHARACTER));
        self.known_procedure(scope, "compiler_options", Some(Ty::CHARACTER));
    }

    fn fill_c(&mut self, scope: ScopeId) {
        for (name, value) in ISO_C_BINDING {
            self.constant(scope, name, Ty::INTEGER, "integer", Some(signed(*value)));
        }
        for name in C_CHARACTERS {
            self.constant(scope, name, Ty::CHARACTER, "character(len=1)", None);
        }
        let ptr = self.opaque_type(scope, "c_ptr");
        let funptr = self.opaque_type(scope, "c_funptr");
        self.constant(scope, "c_null_ptr", ptr, "type(c_ptr)", None);
        self.constant(scope, "c_null_funptr", funptr, "type(c_funptr)", None);
        self.known_procedure(scope, "c_loc", Some(ptr));
        self.known_procedure(scope, "c_funloc", Some(funptr));
        self.known_procedure(scope, "c_associated", Some(Ty::LOGICAL));
        self.known_procedure(scope, "c_sizeof", Some(Ty::INTEGER));
        self.known_procedure(scope, "c_f_pointer", None);
        self.known_procedure(scope, "c_f_procpointer", None);
    }

    fn fill_ieee(&mut self, scope: ScopeId) {
        for name in ["ieee_is_nan", "ieee_is_finite"] {
            self.known_procedure(scope, name, Some(Ty::LOGICAL));
        }
        for (name, ty) in IEEE_PROCEDURES {
            self.known_procedure(scope, name, *ty);
        }
        for (list, ty) in
            [(IEEE_CLASSES, "ieee_class_type"), (IEEE_FLAGS, "ieee_flag_type"), (IEEE_ROUNDS, "ieee_round_type")]
        {
            let of = self.opaque_type(scope, ty);
            for name in list {
                self.constant(scope, name, of, &format!("type({ty})"), None);
            }
        }
        self.opaque_type(scope, "ieee_status_type");
    }

    fn fill_omp(&mut self, scope: ScopeId) {
        let functions = [
            "omp_get_thread_num",
            "omp_get_num_threads",
            "omp_get_max_threads",
            "omp_get_num_procs",
            "omp_get_thread_limit",
            "omp_get_level",
            "omp_get_active_level",
            "omp_get_max_active_levels",
            "omp_get_ancestor_thread_num",
            "omp_get_team_size",
            "omp_get_num_devices",
            "omp_get_default_device",
            "omp_get_initial_device",
            "omp_get_num_teams",
            "omp_get_team_num",
            "omp_get_device_num",
            "omp_get_cancellation",
        ];
        for name in functions {
            self.known_procedure(scope, name, Some(Ty::INTEGER));
        }
        for name in ["omp_get_wtime", "omp_get_wtick"] {
            self.known_procedure(scope, name, Some(Ty::DOUBLE));
        }
        for name in ["omp_in_parallel", "omp_get_dynamic", "omp_get_nested", "omp_is_initial_device", "omp_in_final"] {
            self.known_procedure(scope, name, Some(Ty::LOGICAL));
        }
        for name in [
            "omp_set_num_threads",
            "omp_set_dynamic",
            "omp_set_nested",
            "omp_set_schedule",
            "omp_get_schedule",
            "omp_set_max_active_levels",
            "omp_set_default_device",
            "omp_init_lock",
            "omp_destroy_lock",
            "omp_set_lock",
            "omp_unset_lock",
            "omp_init_nest_lock",
            "omp_destroy_nest_lock",
            "omp_set_nest_lock",
            "omp_unset_nest_lock",
        ] {
            self.known_procedure(scope, name, None);
        }
        self.known_procedure(scope, "omp_test_lock", Some(Ty::LOGICAL));
        for (name, value) in [
            ("omp_lock_kind", 8),
            ("omp_nest_lock_kind", 8),
            ("omp_sched_kind", 4),
            ("omp_proc_bind_kind", 4),
            ("omp_sched_static", 1),
            ("omp_sched_dynamic", 2),
            ("omp_sched_guided", 3),
            ("omp_sched_auto", 4),
            ("openmp_version", 201_511),
        ] {
            self.constant(scope, name, Ty::INTEGER, "integer", Some(signed(value)));
        }
    }

    fn fill_mpi_types(&mut self, scope: ScopeId) {
        for name in [
            "mpi_comm",
            "mpi_datatype",
            "mpi_op",
            "mpi_request",
            "mpi_group",
            "mpi_win",
            "mpi_file",
            "mpi_info",
            "mpi_errhandler",
            "mpi_message",
        ] {
            let var = Variable::scalar(Ty::INTEGER, "integer");
            let ty = DerivedType { components: vec![Component::new("mpi_val".into(), var)], ..DerivedType::default() };
            self.program.add_symbol(scope, Name::new(name), Span::default(), SymbolKind::Type(Box::new(ty)));
        }
        let parts = ["mpi_source", "mpi_tag", "mpi_error"];
        let components =
            parts.iter().map(|n| Component::new(Name::new(n), Variable::scalar(Ty::INTEGER, "integer"))).collect();
        let ty = DerivedType { components, ..DerivedType::default() };
        self.program.add_symbol(scope, Name::new("mpi_status"), Span::default(), SymbolKind::Type(Box::new(ty)));
    }

    /// Is this a module whose names are made when they are met?
    pub(super) fn is_open(&self, m: ModuleId) -> bool {
        self.program[m].kind == ModuleKind::Intrinsic
            && matches!(self.program[m].name.as_str(), "mpi" | "mpi_f08" | "openacc" | "omp_lib" | "omp_lib_kinds")
    }

    /// A name of a module whose names are known by their prefix.
    pub(super) fn open_name(&mut self, m: ModuleId, name: &str) -> Option<SymId> {
        if !self.is_open(m) {
            return None;
        }
        let scope = self.program[m].scope;
        if let Some(&sym) = self.program[scope].names.get(name) {
            return Some(sym);
        }
        let module = self.program[m].name.clone();
        match module.as_str() {
            "mpi" | "mpi_f08" if name.starts_with("mpi_") || name.starts_with("pmpi_") => {
                Some(self.mpi_name(scope, &module, name))
            }
            "openacc" if name.starts_with("acc_") => Some(self.acc_name(scope, name)),
            "omp_lib" | "omp_lib_kinds" if name.starts_with("omp_") => Some(self.known_procedure(scope, name, None)),
            _ => None,
        }
    }

    /// A procedure unless it is one of the constants.
    fn mpi_name(&mut self, scope: ScopeId, module: &str, name: &str) -> SymId {
        let handle = |ty: &'static str| if module == "mpi_f08" { ty } else { "" };
        let class = match name {
            "mpi_comm_world" | "mpi_comm_self" | "mpi_comm_null" => handle("mpi_comm"),
            "mpi_request_null" => handle("mpi_request"),
            "mpi_message_null" | "mpi_message_no_proc" => handle("mpi_message"),
            "mpi_info_null" => handle("mpi_info"),
            "mpi_group_null" | "mpi_group_empty" => handle("mpi_group"),
            "mpi_win_null" => handle("mpi_win"),
            "mpi_sum" | "mpi_max" | "mpi_min" | "mpi_prod" | "mpi_land" | "mpi_lor" | "mpi_band" | "mpi_bor"
            | "mpi_lxor" | "mpi_bxor" | "mpi_maxloc" | "mpi_minloc" | "mpi_replace" | "mpi_op_null" | "mpi_no_op" => {
                handle("mpi_op")
            }
            "mpi_double_precision"
            | "mpi_real"
            | "mpi_real4"
            | "mpi_real8"
            | "mpi_real16"
            | "mpi_integer"
            | "mpi_integer1"
            | "mpi_integer2"
            | "mpi_integer4"
            | "mpi_integer8"
            | "mpi_logical"
            | "mpi_character"
            | "mpi_complex"
            | "mpi_double_complex"
            | "mpi_complex8"
            | "mpi_complex16"
            | "mpi_byte"
            | "mpi_packed"
            | "mpi_2integer"
            | "mpi_2real"
            | "mpi_2double_precision"
            | "mpi_datatype_null"
            | "mpi_int"
            | "mpi_float"
            | "mpi_double" => handle("mpi_datatype"),
            "mpi_success"
            | "mpi_any_source"
            | "mpi_any_tag"
            | "mpi_proc_null"
            | "mpi_undefined"
            | "mpi_status_size"
            | "mpi_source"
            | "mpi_tag"
            | "mpi_error"
            | "mpi_max_processor_name"
            | "mpi_max_error_string"
            | "mpi_bsend_overhead"
            | "mpi_address_kind"
            | "mpi_offset_kind"
            | "mpi_integer_kind"
            | "mpi_count_kind"
            | "mpi_thread_single"
            | "mpi_thread_funneled"
            | "mpi_thread_serialized"
            | "mpi_thread_multiple"
            | "mpi_in_place"
            | "mpi_bottom"
            | "mpi_status_ignore"
            | "mpi_statuses_ignore"
            | "mpi_order_fortran"
            | "mpi_mode_rdonly"
            | "mpi_mode_wronly"
            | "mpi_mode_create"
            | "mpi_root"
            | "mpi_comm_type_shared"
            | "mpi_version"
            | "mpi_subversion"
            | "mpi_max_object_name"
            | "mpi_lock_exclusive"
            | "mpi_lock_shared"
            | "mpi_errors_return"
            | "mpi_errors_are_fatal" => "",
            "mpi_wtime" | "mpi_wtick" | "pmpi_wtime" => return self.known_procedure(scope, name, Some(Ty::DOUBLE)),
            _ => return self.known_procedure(scope, name, None),
        };
        let (ty, spelling) = match self.program[scope].names.get(class) {
            Some(&t) => (Ty::new(Base::Derived(t), 0), format!("type({class})")),
            None => (Ty::INTEGER, "integer".to_string()),
        };
        let value = match name {
            "mpi_address_kind" | "mpi_offset_kind" | "mpi_count_kind" => Some(8),
            "mpi_integer_kind" => Some(4),
            "mpi_success" => Some(0),
            _ => None,
        };
        self.constant(scope, name, ty, &spelling, value.map(signed));
        self.program[scope].names[name]
    }

    fn acc_name(&mut self, scope: ScopeId, name: &str) -> SymId {
        if name.starts_with("acc_device_") && name != "acc_device_kind" {
            self.constant(scope, name, Ty::INTEGER, "integer(acc_device_kind)", None);
            return self.program[scope].names[name];
        }
        if name.ends_with("_kind") {
            self.constant(scope, name, Ty::INTEGER, "integer", Some(signed(4)));
            return self.program[scope].names[name];
        }
        let ty = match name {
            "acc_get_num_devices" | "acc_get_device_num" | "acc_get_device_type" => Some(Ty::INTEGER),
            "acc_is_present" | "acc_on_device" | "acc_async_test" => Some(Ty::LOGICAL),
            _ => None,
        };
        self.known_procedure(scope, name, ty)
    }

    /// A name that a module used here or in a host stands for, made on demand.
    pub(super) fn open_module_name(&mut self, ctx: Ctx<'t>, name: &str) -> Option<SymId> {
        let mut at = Some(ctx.scope);
        while let Some(s) = at {
            let open = self.scope_info.get(s.index()).map_or_else(Vec::new, |i| i.open.clone());
            for m in open {
                // With an only list nothing but the listed names comes in; those were made with the `use`.
                let module = self.program[m].name.clone();
                let all = self.program[s].uses.iter().all(|u| u.module != module || !u.only);
                if all && let Some(sym) = self.open_name(m, name) {
                    self.program[s].names.insert(Name::new(name), sym);
                    return Some(sym);
                }
            }
            at = self.program[s].parent;
        }
        None
    }
}

fn signed(value: i64) -> Expr {
    if value < 0 {
        return Expr::new(
            ExprKind::Unary(crate::operators::UnaryOp::Minus, Box::new(Expr::int(-value))),
            Ty::INTEGER,
            0,
        );
    }
    Expr::int(value)
}
