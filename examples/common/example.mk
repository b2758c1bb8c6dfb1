# What the examples have in common. An example sets `name`, `model` and `head` and includes this file.
#
#   make          generate the adjoint, compile, run the demonstration
#   make check    generate, compile, check the gradient
#   make clean    remove what was made

COSTATE ?= ../../target/release/costate
ifeq ($(origin FC),default)
FC := gfortran
endif
FFLAGS ?= -O2 -g
# An adjoint keeps the primal's dummies, used or not: its interface follows from the primal's.
WARNINGS ?= -std=f2018 -Wall -Wno-unused-dummy-argument

common := ../common
objects := build/lbfgs.o build/demo_support.o build/svg_colours.o build/svg_plot.o \
  build/$(model).o build/$(model)_b.o build/$(name).o

.PHONY: run check clean
.DELETE_ON_ERROR:
# Generated code is there to be read.
.SECONDARY: $(model)_b.f90

run: build/$(name)
	./build/$(name)

check: build/$(name)
	./build/$(name) --check

# The rule that a build needs: derivative code from primal code.
%_b.f90: %.f90 $(wildcard $(COSTATE))
	@command -v $(COSTATE) >/dev/null || { echo "$(COSTATE) is not there: run 'make build' in the top folder"; exit 1; }
	$(COSTATE) adjoint $< --head '$(head)' -o $@

build/$(name): $(objects)
	$(FC) $(FFLAGS) -o $@ $(objects) $(LDLIBS)

build/%.o: %.f90 | build
	$(FC) $(FFLAGS) $(WARNINGS) -Jbuild -c $< -o $@

build/%.o: $(common)/%.f90 | build
	$(FC) $(FFLAGS) $(WARNINGS) -Jbuild -c $< -o $@

# Which module is used where.
build/demo_support.o: build/lbfgs.o
build/svg_plot.o: build/svg_colours.o
build/$(model)_b.o: build/$(model).o
build/$(name).o: $(filter-out build/$(name).o,$(objects))

build:
	mkdir -p $@

clean:
	rm -rf build $(model)_b.f90 $(name).svg
