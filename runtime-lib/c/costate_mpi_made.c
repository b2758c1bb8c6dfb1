/* Persistent requests that a program makes by itself, before or beside generated code: MPI's profiling interface tells what
   they are for. Compiled with the MPI's compiler into libcostate_rt_mpi.a. The definitions are weak, so that a profiling tool may
   have its own; what is made by those isn't seen. MPICH's procedures of the module mpi_f08 pass descriptors of the Fortran
   compiler's, and are left alone. */

/* Notes what a request is made for; in src/mpi/persistent.rs. */
void costate_mpi_made(int sends, void *buf, const int *count, const int *datatype, const int *peer, const int *tag,
                      const int *comm, const int *request);
/* Forgets it. */
void costate_mpi_unmade(const int *request);

#define WEAK __attribute__((weak))

#define MAKES(procedure, profiled, sends)                                                                                   \
  void profiled(void *, int *, int *, int *, int *, int *, int *, int *);                                                   \
  WEAK void procedure(void *buf, int *count, int *datatype, int *peer, int *tag, int *comm, int *request, int *ierror) {    \
    int failure = 0;                                                                                                        \
    profiled(buf, count, datatype, peer, tag, comm, request, &failure);                                                     \
    if (failure == 0) costate_mpi_made(sends, buf, count, datatype, peer, tag, comm, request);                              \
    if (ierror) *ierror = failure;                                                                                          \
  }

MAKES(mpi_send_init_, pmpi_send_init_, 1)
MAKES(mpi_ssend_init_, pmpi_ssend_init_, 1)
MAKES(mpi_bsend_init_, pmpi_bsend_init_, 1)
MAKES(mpi_rsend_init_, pmpi_rsend_init_, 1)
MAKES(mpi_recv_init_, pmpi_recv_init_, 0)
/* Open MPI's for the module mpi_f08, whose handles are objects with a number inside. */
MAKES(mpi_send_init_f08_, pmpi_send_init_, 1)
MAKES(mpi_ssend_init_f08_, pmpi_ssend_init_, 1)
MAKES(mpi_bsend_init_f08_, pmpi_bsend_init_, 1)
MAKES(mpi_rsend_init_f08_, pmpi_rsend_init_, 1)
MAKES(mpi_recv_init_f08_, pmpi_recv_init_, 0)

void pmpi_request_free_(int *, int *);
WEAK void mpi_request_free_(int *request, int *ierror) {
  int failure = 0;
  costate_mpi_unmade(request);
  pmpi_request_free_(request, &failure);
  if (ierror) *ierror = failure;
}
WEAK void mpi_request_free_f08_(int *request, int *ierror) { mpi_request_free_(request, ierror); }
