/* Calls of MPI that may wait for other processes, in code that has no derivative or runs as it is: where there is a limit
   (COSTATE_MPI_TIMEOUT) the library knows of them. Compiled with the MPI's compiler into libcostate_rt_mpi.a. The definitions
   are weak, so that a program may have its own, and pass what they are given to the next ones, be they those of a profiling
   tool or MPI's. All arguments are addresses; MPICH's procedures of the module mpi_f08 that take a buffer pass descriptors of
   the Fortran compiler's, and are left alone. */
#define _GNU_SOURCE
#include <dlfcn.h>

/* Notes a call that begins, and that it is over; in src/mpi/watch.rs. A call without a number isn't watched. */
unsigned long costate_mpi_waits(const char *name);
void costate_mpi_waited(unsigned long number);

#define WEAK __attribute__((weak))
#define V void *

#define TYPES1 V
#define TYPES2 TYPES1, V
#define TYPES3 TYPES2, V
#define TYPES4 TYPES3, V
#define TYPES5 TYPES4, V
#define TYPES6 TYPES5, V
#define TYPES7 TYPES6, V
#define TYPES8 TYPES7, V
#define TYPES9 TYPES8, V
#define TYPES12 TYPES9, V, V, V

#define TAKES1 V a
#define TAKES2 TAKES1, V b
#define TAKES3 TAKES2, V c
#define TAKES4 TAKES3, V d
#define TAKES5 TAKES4, V e
#define TAKES6 TAKES5, V f
#define TAKES7 TAKES6, V g
#define TAKES8 TAKES7, V h
#define TAKES9 TAKES8, V i
#define TAKES12 TAKES9, V j, V k, V l

#define GIVES1 a
#define GIVES2 GIVES1, b
#define GIVES3 GIVES2, c
#define GIVES4 GIVES3, d
#define GIVES5 GIVES4, e
#define GIVES6 GIVES5, f
#define GIVES7 GIVES6, g
#define GIVES8 GIVES7, h
#define GIVES9 GIVES8, i
#define GIVES12 GIVES9, j, k, l

/* The procedure of a symbol. What another definition isn't found of, where MPI is linked in as it is or a library of its is
   left out, the profiling interface has. */
#define DEFINE(name, symbol, number)                                                                                        \
  WEAK void symbol(TAKES##number, int *ierror) {                                                                            \
    static void (*next)(TYPES##number, int *);                                                                              \
    int failure = 0;                                                                                                        \
    if (!next) *(void **)&next = dlsym(RTLD_NEXT, #symbol);                                                                 \
    if (!next) next = p##name##_;                                                                                           \
    unsigned long watched = costate_mpi_waits(#name);                                                                       \
    next(GIVES##number, &failure);                                                                                          \
    costate_mpi_waited(watched);                                                                                            \
    if (ierror) *ierror = failure;                                                                                          \
  }

/* That of the module mpi and of mpif.h, and that of the module mpi_f08, whose handles are objects with a number inside. */
#define WAITS(name, number)                                                                                                 \
  void p##name##_(TYPES##number, int *);                                                                                    \
  DEFINE(name, name##_, number)                                                                                             \
  DEFINE(name, name##_f08_, number)

WAITS(mpi_send, 6)
WAITS(mpi_ssend, 6)
WAITS(mpi_rsend, 6)
WAITS(mpi_recv, 7)
WAITS(mpi_sendrecv, 12)
WAITS(mpi_sendrecv_replace, 9)
WAITS(mpi_probe, 4)
WAITS(mpi_mprobe, 5)
WAITS(mpi_mrecv, 5)
WAITS(mpi_wait, 2)
WAITS(mpi_waitall, 3)
WAITS(mpi_waitany, 4)
WAITS(mpi_waitsome, 5)
WAITS(mpi_barrier, 1)
WAITS(mpi_bcast, 5)
WAITS(mpi_reduce, 7)
WAITS(mpi_allreduce, 6)
WAITS(mpi_scan, 6)
WAITS(mpi_exscan, 6)
WAITS(mpi_reduce_scatter, 6)
WAITS(mpi_reduce_scatter_block, 6)
WAITS(mpi_gather, 8)
WAITS(mpi_gatherv, 9)
WAITS(mpi_scatter, 8)
WAITS(mpi_scatterv, 9)
WAITS(mpi_allgather, 7)
WAITS(mpi_allgatherv, 8)
WAITS(mpi_alltoall, 7)
WAITS(mpi_alltoallv, 9)
WAITS(mpi_alltoallw, 9)
WAITS(mpi_neighbor_allgather, 7)
WAITS(mpi_neighbor_allgatherv, 8)
WAITS(mpi_neighbor_alltoall, 7)
WAITS(mpi_neighbor_alltoallv, 9)
WAITS(mpi_neighbor_alltoallw, 9)
WAITS(mpi_comm_dup, 2)
WAITS(mpi_comm_split, 4)
WAITS(mpi_comm_create, 3)
WAITS(mpi_cart_create, 6)
WAITS(mpi_cart_sub, 3)
