"""What is verified in hydro-smash: its files, heads, and values within the range of each procedure."""

# A grid of 4 by 3 cells, all of them active and numbered one by one.
MESH = [
    "mesh%nrow=4",
    "mesh%ncol=3",
    "mesh%nac=12",
    "mesh%rowcol_to_ind_ac=1 + (k - 1)",
    "mesh%active_cell=1",
    "mesh%local_active_cell=1",
    "setup%sparse_storage=.false.",
    "setup%ntime_step=2",
    "setup%dt=3600.0",
    "returns%internal_fluxes_flag=.false.",
    "time_step=2",
]
MESH_SIZES = [
    f"mesh%{name}=4,3" for name in ("rowcol_to_ind_ac", "active_cell", "local_active_cell", "dx", "dy", "flwdir", "flwacc")
] + [f"input_data%atmos_data%{name}=4,3,2" for name in ("prcp", "pet", "snow", "temp")] + [
    "input_data%physio_data%imperviousness=4,3",
]
NETWORK = [f"{a}=-0.5:0.5" for a in ("weight_1", "weight_2", "weight_3")]
FOUR = NETWORK + ["setup%n_layers=3", "setup%neurons=4"]
FIVE = NETWORK + ["setup%n_layers=3", "setup%neurons=5"]

# Evaporation below rainfall: stores that run empty have exact zeros where only rounding is left to compare.
ATMOS_PET = "input_data%atmos_data%pet=0.1:0.15"

WEIGHTS = "weight_1,bias_1,weight_2,bias_2,weight_3,bias_3"


def step(module, name, outputs, inputs):
    return f"{module}::{name}({outputs})/({inputs})"


def gr(name, states, parameters, network=False):
    """A time step of a GR model: discharge and states by parameters, states and melt."""
    states = ",".join(f"ac_{s}" for s in states.split())
    inputs = ",".join(f"ac_{p}" for p in parameters.split())
    inputs = f"ac_mlt,{inputs},{states}" + (f",{WEIGHTS}" if network else "")
    return step("md_gr_operator", name, f"ac_qt,{states}", inputs)


METRICS = ["nse", "nnse", "kge", "mae", "mape", "se", "mse", "rmse", "lgrm"]

GROUPS = [
    {
        "file": "signal_analysis/mwd_metrics.f90",
        "heads": [f"mwd_metrics::{m}(res)/(x,y)" for m in METRICS] + ["mwd_metrics::kge_components(r,a,b)/(x,y)"],
    },
    {
        "file": "common/md_algebra.f90",
        "heads": ["md_algebra::solve_linear_system_2vars(x)/(a,b)", "md_algebra::dot_product_2d_1d(b)/(a,x)"],
    },
    # A loop by `goto`.
    {"file": "common/md_stats.f90", "size": ["n=8"], "heads": ["md_stats::heap_sort(arr)/(arr)"]},
    {
        "file": "operator/md_neural_network.f90",
        "value": NETWORK,
        "heads": [
            f"md_neural_network::forward_mlp(output_layer)/({WEIGHTS},input_layer)",
            "md_neural_network::forward_and_backward_mlp(output_layer,output_jacobian_1,output_jacobian_2)/"
            f"({WEIGHTS},input_layer)",
        ],
    },
    {
        "file": "operator/md_snow_operator.f90",
        "heads": ["md_snow_operator::simple_snow(hs,mlt)/(snow,temp,kmlt,hs)"],
    },
    {
        "file": "operator/md_snow_operator.f90",
        "value": MESH,
        "size": MESH_SIZES,
        "heads": ["md_snow_operator::ssn_time_step(ac_hs,ac_mlt)/(ac_kmlt,ac_hs)"],
    },
    {
        "file": "operator/md_vic3l_operator.f90",
        "value": ["pbc=2.0:4.0", "ws=0.1:0.15", "en=0.01:0.05", "cbsl=5:10", "cusl=5:10", "cmsl=5:10", "pet=0.1:0.15"],
        "heads": [
            "md_vic3l_operator::vic3l_canopy_interception(hcl,pn,en)/(prcp,pet,ccl,hcl)",
            "md_vic3l_operator::vic3l_upper_soil_layer_evaporation(husl)/(en,b,cusl,husl)",
            "md_vic3l_operator::vic3l_infiltration(husl,hmsl,qr)/(pn,b,cusl,cmsl,husl,hmsl)",
            "md_vic3l_operator::vic3l_drainage_2l(hu,hl)/(cu,cl,ks,pbc,hu,hl)",
            "md_vic3l_operator::vic3l_drainage(husl,hmsl,hbsl)/(cusl,cmsl,cbsl,ks,pbc,husl,hmsl,hbsl)",
            "md_vic3l_operator::vic3l_baseflow(hbsl,qb)/(cbsl,ds,dsm,ws,hbsl)",
        ],
    },
    {
        "file": "operator/md_vic3l_operator.f90",
        "value": MESH + ["ac_pbc=2.0:4.0", "ac_ws=0.1:0.15", "ac_cbsl=5:10", "ac_cusl=5:10", "ac_cmsl=5:10", ATMOS_PET],
        "size": MESH_SIZES,
        "heads": [
            "md_vic3l_operator::vic3l_time_step(ac_qt,ac_hcl,ac_husl,ac_hmsl,ac_hbsl)/(ac_mlt,ac_b,ac_cusl,ac_cmsl,"
            "ac_cbsl,ac_ks,ac_pbc,ac_dsm,ac_ds,ac_ws,ac_hcl,ac_husl,ac_hmsl,ac_hbsl)"
        ],
    },
    {
        "file": "operator/md_gr_operator.f90",
        "value": ["n=5.0", "pet=0.1:0.15", "ci=5:10", "alpha1=1e-6:1e-5"],
        "heads": [
            "md_gr_operator::gr_interception(hi,pn,en)/(prcp,pet,ci,hi)",
            "md_gr_operator::gr_production(pn,hp,pr,perc,ps,es)/(fq_ps,fq_es,pn,en,imperviousness,cp,beta,hp)",
            "md_gr_operator::gr_ri_production(pn,hp,pr,perc,ps,es)/(pn,en,imperviousness,cp,beta,alpha1,hp,dt)",
            "md_gr_operator::gr_exchange(l)/(fq_l,kexc,ht)",
            "md_gr_operator::gr_threshold_exchange(l)/(fq_l,kexc,aexc,ht)",
            "md_gr_operator::gr_transfer(ht,q)/(n,prcp,pr,ct,ht)",
            "md_gr_operator::gr_exponential_transfer(he,qe)/(pre,be,he)",
            "md_gr_operator::gr_production_transfer_ode(pn,hp,ht,q,l)/(pn,en,imperviousness,cp,ct,kexc,hp,ht)",
            "md_gr_operator::gr_production_transfer_ude(pn,hp,ht,q,l)/"
            "(fq,jacobian_nn_1,jacobian_nn_2,pn,en,imperviousness,cp,ct,kexc,hp,ht)",
        ],
    },
    {
        "file": "operator/md_gr_operator.f90",
        "value": MESH + FOUR + [ATMOS_PET, "ac_ci=0.2:6", "ac_alpha1=1e-6:1e-5"],
        "size": MESH_SIZES,
        "heads": [
            gr("gr4_time_step", "hi hp ht", "ci cp ct kexc"),
            gr("gr4_mlp_time_step", "hi hp ht", "ci cp ct kexc", True),
            gr("gr4_ri_time_step", "hi hp ht", "ci cp ct alpha1 alpha2 kexc"),
            gr("gr4_ri_mlp_exc_time_step", "hi hp ht", "ci cp ct alpha1 alpha2 kexc", True),
            gr("gr4_ode_time_step", "hi hp ht", "ci cp ct kexc"),
            gr("gr4_ude_time_step", "hi hp ht", "ci cp ct kexc", True),
            gr("gr5_time_step", "hi hp ht", "ci cp ct kexc aexc"),
            gr("gr5_mlp_time_step", "hi hp ht", "ci cp ct kexc aexc", True),
            gr("gr5_ri_time_step", "hi hp ht", "ci cp ct alpha1 alpha2 kexc aexc"),
            gr("gr5_ri_mlp_exc_time_step", "hi hp ht", "ci cp ct alpha1 alpha2 kexc aexc", True),
            gr("gr6_time_step", "hi hp ht he", "ci cp ct be kexc aexc"),
            gr("grc_time_step", "hi hp ht hl", "ci cp ct cl kexc"),
            gr("grd_time_step", "hp ht", "cp ct"),
            gr("grd_mlp_time_step", "hp ht", "cp ct", True),
            gr("loieau_time_step", "ha hc", "ca cc kb"),
            gr("loieau_mlp_time_step", "ha hc", "ca cc kb", True),
        ],
    },
    {
        "file": "operator/md_gr_operator.f90",
        "value": MESH + FIVE + [ATMOS_PET, "ac_ci=0.2:6"],
        "size": MESH_SIZES,
        "heads": [
            gr("gr6_mlp_time_step", "hi hp ht he", "ci cp ct be kexc aexc", True),
            gr("grc_mlp_time_step", "hi hp ht hl", "ci cp ct cl kexc", True),
        ],
    },
]

# Heads that must be refused, and a pattern of the message.
REFUSED = [
    # With all outputs the diagnostics between `start-exclude` and `end-exclude` are among them.
    {"file": "operator/md_gr_operator.f90", "head": "md_gr_operator::gr4_time_step", "why": "C0409 `returns`"},
    {"file": "forward/mw_forward.f90", "head": "mw_forward::forward_run", "why": "C0405"},
]
