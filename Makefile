# The commands people type. `make` alone lists them.

# Cargo is often installed where make's PATH does not reach.
CARGO ?= $(firstword $(shell command -v cargo 2>/dev/null) $(wildcard $(HOME)/.cargo/bin/cargo) cargo)
ifeq ($(origin FC),default)
FC := gfortran
endif
export FC

EXAMPLES := flow shallow_water burgers heat lorenz
target_dir := $(or $(CARGO_TARGET_DIR),target)
RELEASE := $(abspath $(target_dir))/release
COSTATE := $(RELEASE)/costate
# The Fortran half of the run-time library; its compiled modules are for the compiler that made them.
MODULES := $(RELEASE)/include/costate
# In the order in which they are compiled.
MODULE_FILES := $(patsubst %,costate_rt%.f90,_tape _push _pop _schedule _verify) costate_rt.f90 \
  $(patsubst %,costate_blas%.f90,_s _d) costate_blas.f90 \
  $(patsubst %,costate_lapack%.f90,_s _d) costate_lapack.f90
PREFIX ?= /usr/local

.PHONY: help deps build install demo test examples-check install-check lint bench clean $(EXAMPLES:%=check-%)

help: ## list these commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

deps: ## check what the build needs, and install what is missing where that is allowed
	@CARGO='$(CARGO)' FC='$(FC)' .ci/deps

build: deps ## build the costate command and the run-time library
	$(CARGO) build --release -p costate-adjoint -p costate-runtime-lib
	@mkdir -p '$(MODULES)' && cp runtime-lib/fortran/*.f90 '$(MODULES)'
	cd '$(MODULES)' && for file in $(MODULE_FILES); do $(FC) -O2 -fPIC -c $$file || exit 1; done
	@# Not every compiler has reals of 16 bytes.
	@cd '$(MODULES)' && $(FC) -O2 -fPIC -c costate_rt_quad.f90 2> /dev/null || true
	@cd '$(MODULES)' && rm -f '$(RELEASE)/libcostate_rt_fortran.a' && ar rc '$(RELEASE)/libcostate_rt_fortran.a' *.o && rm *.o

install: build ## install command and run-time library into PREFIX (/usr/local)
	install -d '$(DESTDIR)$(PREFIX)/bin' '$(DESTDIR)$(PREFIX)/lib' '$(DESTDIR)$(PREFIX)/include/costate'
	install '$(COSTATE)' '$(DESTDIR)$(PREFIX)/bin'
	install -m 644 '$(RELEASE)/libcostate_rt.a' '$(RELEASE)/libcostate_rt_fortran.a' '$(DESTDIR)$(PREFIX)/lib'
	install -m 644 '$(MODULES)'/* '$(DESTDIR)$(PREFIX)/include/costate'

demo: build ## generate, verify and use an adjoint: the shallow water example
	$(MAKE) -C examples/shallow_water COSTATE='$(COSTATE)' run
	@echo "that is $(CURDIR)/examples/shallow_water/shallow_water.svg"

# Unit tests are part of their crates, which are compiled once more for them: optimised, that takes minutes. All other tests
# use what users run.
UNOPTIMISED := $(foreach crate,adjoint analysis grammar,--config profile.release.package.costate-$(crate).opt-level=0)

test: build ## run all tests, and the gradient checks of the examples
	$(CARGO) test --release --workspace --lib $(UNOPTIMISED)
	$(CARGO) test --release --workspace --bins --test '*'
	$(CARGO) test --release --workspace --doc
	$(MAKE) install-check
	$(MAKE) examples-check

install-check: build
	COSTATE='$(COSTATE)' .ci/installed

# An example by itself keeps one processor busy.
examples-check:
	@$(MAKE) --no-print-directory --output-sync -j2 $(EXAMPLES:%=check-%)

$(EXAMPLES:%=check-%): check-%:
	@echo "example $*"
	@$(MAKE) --no-print-directory -s -C examples/$* COSTATE='$(COSTATE)' check
	@cd examples/$* && '$(COSTATE)' check $*_model.[fF]90

lint: deps ## check format and lints
	$(CARGO) fmt --all --check
	$(CARGO) clippy --release --workspace --all-targets -- -D warnings

bench: build ## measure generated adjoints against hand-written ones, and plans against choices by hand
	$(CARGO) run --release -p costate-regression --bin bench

clean: ## remove everything that was made
	$(CARGO) clean
	@for example in $(EXAMPLES); do $(MAKE) --no-print-directory -s -C examples/$$example clean; done
