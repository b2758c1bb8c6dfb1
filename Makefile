# The commands people type. `make` alone lists them.

# Cargo is often installed where make's PATH does not reach.
CARGO ?= $(firstword $(shell command -v cargo 2>/dev/null) $(wildcard $(HOME)/.cargo/bin/cargo) cargo)
ifeq ($(origin FC),default)
FC := gfortran
endif
export FC

EXAMPLES := flow shallow_water burgers burgers_halo ice_stream heat lorenz
# What is checked besides.
BESIDES_flow := check-processes
target_dir := $(or $(CARGO_TARGET_DIR),target)
RELEASE := $(abspath $(target_dir))/release
COSTATE := $(RELEASE)/costate
# The Fortran half of the run-time library; its compiled modules are for the compiler that made them.
MODULES := $(RELEASE)/include/costate
# In the order in which they are compiled.
MODULE_FILES := $(patsubst %,costate_rt%.f90,_tape _push _pop _schedule _verify) costate_rt.f90 \
  $(foreach part,linear_algebra blas1 blas2 blas_stored blas3,$(patsubst %,costate_$(part)_%.f90,s d c z)) costate_blas.f90 \
  $(foreach part,factors inverse,$(patsubst %,costate_lapack_$(part)_%.f90,s d c z)) \
  $(foreach part,banded orthogonal eigen,$(patsubst %,costate_lapack_$(part)_%.f90,s d)) costate_lapack.f90
# What programs of several processes link with instead, for each MPI: the same library with derivatives of MPI procedures.
MPIFC ?= mpif90
MPICC ?= mpicc
MPI ?= default
MPI_RELEASE := $(RELEASE)/mpi/$(MPI)
MPI_TARGET := $(abspath $(target_dir))/mpi/$(MPI)
OTHER_MPI := $(firstword $(filter-out $(MPI_TARGET),$(wildcard $(abspath $(target_dir))/mpi/*)))
PREFIX ?= /usr/local

.PHONY: help deps build command modules runtime-mpi runtime-mpis mpi-deps units-check crates-check whole-check mpi-check \
  install demo test examples-check install-check lint bench clean $(EXAMPLES:%=check-%)

help: ## list these commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-11s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

deps: ## check what the build needs, and install what is missing where that is allowed
	@CARGO='$(CARGO)' FC='$(FC)' .ci/deps

build: command modules ## build the costate command and the run-time library
	@cd '$(MODULES)' && rm -f '$(RELEASE)/libcostate_rt_fortran.a' && ar rc '$(RELEASE)/libcostate_rt_fortran.a' *.o && rm *.o

command: deps
	$(CARGO) build --release -p costate-adjoint -p costate-runtime-lib

modules: deps
	@mkdir -p '$(MODULES)' && cp runtime-lib/fortran/*.f90 '$(MODULES)'
	cd '$(MODULES)' && for file in $(MODULE_FILES); do $(FC) -O2 -fPIC -c $$file || exit 1; done
	@# Not every compiler has reals of 16 bytes.
	@cd '$(MODULES)' && $(FC) -O2 -fPIC -c costate_rt_quad.f90 2> /dev/null || true

mpi-deps: deps
	@CARGO='$(CARGO)' FC='$(FC)' .ci/deps mpi

# Both MPIs that Debian has, or else another one.
runtime-mpis: mpi-deps
	@for mpi in openmpi mpich; do \
	  ! command -v mpif90.$$mpi > /dev/null || \
	    $(MAKE) --no-print-directory runtime-mpi MPIFC=mpif90.$$mpi MPICC=mpicc.$$mpi MPI=$$mpi || exit 1; done
	@command -v mpif90.openmpi mpif90.mpich > /dev/null || $(MAKE) --no-print-directory runtime-mpi

# A later LLVM's bitcode, which programs don't need, would make linkers with an LLVM of their own complain.
runtime-mpi: mpi-deps ## build the run-time library for an MPI (MPIFC=mpif90 MPICC=mpicc MPI=default); needs libclang
	@# What MPI has no part in is compiled for the first of several.
	@if [ ! -d '$(MPI_TARGET)' ] && [ -n '$(OTHER_MPI)' ]; then cp -a '$(OTHER_MPI)' '$(MPI_TARGET)' && \
	  $(CARGO) clean --quiet --release --target-dir '$(MPI_TARGET)' -p mpi-sys -p mpi; fi
	MPICC='$(MPICC)' CARGO_TARGET_DIR='$(MPI_TARGET)' $(CARGO) build --release -p costate-runtime-lib --features mpi
	@mkdir -p '$(MPI_RELEASE)/include/costate' && cp runtime-lib/fortran/costate_mpi.f90 '$(MPI_RELEASE)/include/costate'
	cd '$(MPI_RELEASE)/include/costate' && $(MPIFC) -O2 -fPIC -c costate_mpi.f90 && rm costate_mpi.o
	cp runtime-lib/fortran/costate_mpi_constants.f90 runtime-lib/fortran/costate_mpi_constants_f08.F90 '$(MPI_RELEASE)'
	cd '$(MPI_RELEASE)' && $(MPIFC) -O2 -fPIC -c costate_mpi_constants.f90
	@# Not every MPI has the module mpi_f08 for every compiler.
	@cd '$(MPI_RELEASE)' && { $(MPIFC) -O2 -fPIC -c costate_mpi_constants_f08.F90 2> /dev/null || \
	  $(MPIFC) -O2 -fPIC -DCOSTATE_NO_F08 -c costate_mpi_constants_f08.F90; }
	@for part in made waits; do \
	  $(MPICC) -O2 -fPIC -c runtime-lib/c/costate_mpi_$$part.c -o '$(MPI_RELEASE)'/costate_mpi_$$part.o || exit 1; done
	@cd '$(MPI_RELEASE)' && objcopy --remove-section=.llvmbc --remove-section=.llvmcmd \
	  '$(MPI_TARGET)/release/libcostate_rt.a' libcostate_rt_mpi.a 2> objcopy.log || { cat objcopy.log; exit 1; }
	@cd '$(MPI_RELEASE)' && ar r libcostate_rt_mpi.a *.o && rm -f *.o *.log *.mod costate_mpi_constants*

install: build ## install command and run-time library into PREFIX (/usr/local)
	install -d '$(DESTDIR)$(PREFIX)/bin' '$(DESTDIR)$(PREFIX)/lib' '$(DESTDIR)$(PREFIX)/include/costate'
	install '$(COSTATE)' '$(DESTDIR)$(PREFIX)/bin'
	install -m 644 '$(RELEASE)/libcostate_rt.a' '$(RELEASE)/libcostate_rt_fortran.a' '$(DESTDIR)$(PREFIX)/lib'
	install -m 644 '$(MODULES)'/* '$(DESTDIR)$(PREFIX)/include/costate'
	@[ ! -d '$(RELEASE)/mpi' ] || cp -r '$(RELEASE)/mpi' '$(DESTDIR)$(PREFIX)/lib'

demo: build ## generate, verify and use an adjoint: the shallow water example
	$(MAKE) -C examples/shallow_water COSTATE='$(COSTATE)' run
	@echo "that is $(CURDIR)/examples/shallow_water/shallow_water.svg"

# Unit tests are part of their crates, which are compiled once more for them: optimised, that takes minutes. All other tests
# use what users run.
UNOPTIMISED := $(foreach crate,adjoint analysis grammar,--config profile.release.package.costate-$(crate).opt-level=0)

test: ## run all tests, and the gradient checks of the examples
	@$(MAKE) --no-print-directory --output-sync=target -j2 build runtime-mpis
	@# What is built is built, and each of these keeps one processor busy at times.
	$(MAKE) --no-print-directory --output-sync=target -o build -o runtime-mpis -j3 whole-check crates-check units-check
	$(CARGO) test --release --workspace --doc
	$(MAKE) --no-print-directory --output-sync=target -o build -o runtime-mpis -j3 install-check mpi-check examples-check

units-check: build
	$(CARGO) test --release --workspace --exclude costate-regression --lib $(UNOPTIMISED)

# The tests of each crate, but for those that cross them.
crates-check: build runtime-mpis
	$(CARGO) test --release --workspace --exclude costate-regression --bins --test '*'

# Its threads wait for compilers and programs most of the time. Regions inside others have several threads.
WAITING := RAYON_NUM_THREADS=$$(( $$(nproc) + 2 )) RUST_TEST_THREADS=$$(( $$(nproc) + 1 ))
whole-check: build runtime-mpis
	OMP_MAX_ACTIVE_LEVELS=2 $(WAITING) $(CARGO) test --release -p costate-regression --lib --bins --test '*'

# The run-time library's own tests, for each MPI.
mpi-check: runtime-mpis
	@for mpi in openmpi mpich; do ! command -v mpif90.$$mpi > /dev/null || \
	  MPICC=mpicc.$$mpi MPIFC=mpif90.$$mpi MPIEXEC=mpirun.$$mpi CARGO_TARGET_DIR='$(abspath $(target_dir))/mpi/'$$mpi \
	  $(CARGO) test --release -p costate-runtime-lib --features mpi --test mpi || exit 1; done

install-check: build
	COSTATE='$(COSTATE)' .ci/installed

examples-check: $(EXAMPLES:%=check-%)

$(EXAMPLES:%=check-%): check-%: build runtime-mpis
	@echo "example $*"
	@$(MAKE) --no-print-directory -s -C examples/$* COSTATE='$(COSTATE)' check $(BESIDES_$*)
	@# What is verified over several processes says so itself.
	@if grep -q '^mpi' examples/$*/costate.toml; then \
	  $(MAKE) --no-print-directory -s -C examples/$* COSTATE='$(COSTATE)' verify; \
	  else cd examples/$* && '$(COSTATE)' check $*_model.[fF]90; fi

lint: deps ## check format and lints
	$(CARGO) fmt --all --check
	$(CARGO) clippy --release --workspace --all-targets -- -D warnings

bench: build ## measure generated adjoints against hand-written ones, and plans against choices by hand
	$(CARGO) run --release -p costate-regression --bin bench

clean: ## remove everything that was made
	$(CARGO) clean
	@for example in $(EXAMPLES); do $(MAKE) --no-print-directory -s -C examples/$$example clean; done
