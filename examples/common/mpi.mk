# An MPI for an example, and Costate's run-time library for it (`make runtime-mpi` or `make runtime-mpis` in the top folder).
MPI ?= $(shell command -v mpif90.openmpi > /dev/null && echo openmpi || echo default)
MPIFC ?= $(if $(filter default,$(MPI)),mpif90,mpif90.$(MPI))
MPIEXEC ?= $(if $(filter default,$(MPI)),mpirun,mpirun.$(MPI))
# More processes than processors, for any user.
export OMPI_MCA_rmaps_base_oversubscribe = 1
export OMPI_ALLOW_RUN_AS_ROOT = 1
export OMPI_ALLOW_RUN_AS_ROOT_CONFIRM = 1
