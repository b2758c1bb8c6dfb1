# The commands people type. `make` alone lists them.

# Cargo is often installed where make's PATH does not reach.
CARGO ?= $(firstword $(shell command -v cargo 2>/dev/null) $(wildcard $(HOME)/.cargo/bin/cargo) cargo)
ifeq ($(origin FC),default)
FC := gfortran
endif
export FC

EXAMPLES := lorenz heat burgers shallow_water
target_dir := $(or $(CARGO_TARGET_DIR),target)
COSTATE := $(abspath $(target_dir))/release/costate

.PHONY: help deps build demo test examples-check lint bench clean

help: ## list these commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

deps: ## check what the build needs, and install what is missing where that is allowed
	@CARGO='$(CARGO)' FC='$(FC)' .ci/deps

build: deps ## build the costate command and the run-time library
	$(CARGO) build --release -p costate-adjoint -p costate-runtime-lib

demo: build ## generate, verify and use an adjoint: the shallow water example
	$(MAKE) -C examples/shallow_water COSTATE='$(COSTATE)' run
	@echo "that is $(CURDIR)/examples/shallow_water/shallow_water.svg"

test: build ## run all tests, and the gradient checks of the examples
	$(CARGO) test --release --workspace
	$(MAKE) examples-check

examples-check:
	@for example in $(EXAMPLES); do \
	  echo "example $$example"; \
	  $(MAKE) --no-print-directory -s -C examples/$$example COSTATE='$(COSTATE)' check || exit 1; \
	done

lint: deps ## check format and lints
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets -- -D warnings

bench: build ## measure generated adjoints against hand-written ones
	$(CARGO) run --release -p costate-regression --bin bench

clean: ## remove everything that was made
	$(CARGO) clean
	@for example in $(EXAMPLES); do $(MAKE) --no-print-directory -s -C examples/$$example clean; done
