/* Counts what is passed between processes: by MPI's Fortran procedures, which a program and its forward sweep call, and by those
   of C, which derivatives call. */
#include <mpi.h>

/* Messages, their bytes, collective calls, their bytes; of values and of derivatives. */
static long long counted[2][4];

void counted_(long long *out) {
  for (int i = 0; i < 8; i++) out[i] = counted[i / 4][i % 4];
}

/* Some MPIs' Fortran procedures call those of C. */
static int in_fortran;

static void note(int of, int what, int count, MPI_Datatype type) {
  int size;
  if (of == 1 && in_fortran) return;
  PMPI_Type_size(type, &size);
  counted[of][what] += 1;
  counted[of][what + 1] += (long long)count * size;
}

void pmpi_isend_(void *, int *, int *, int *, int *, int *, int *, int *);
void mpi_isend_(void *buf, int *n, int *type, int *dest, int *tag, int *comm, int *request, int *error) {
  note(0, 0, *n, MPI_Type_f2c(*type));
  in_fortran = 1;
  pmpi_isend_(buf, n, type, dest, tag, comm, request, error);
  in_fortran = 0;
}

void pmpi_allreduce_(void *, void *, int *, int *, int *, int *, int *);
void mpi_allreduce_(void *from, void *to, int *n, int *type, int *op, int *comm, int *error) {
  note(0, 2, *n, MPI_Type_f2c(*type));
  in_fortran = 1;
  pmpi_allreduce_(from, to, n, type, op, comm, error);
  in_fortran = 0;
}

void pmpi_bcast_(void *, int *, int *, int *, int *, int *);
void mpi_bcast_(void *buf, int *n, int *type, int *root, int *comm, int *error) {
  note(0, 2, *n, MPI_Type_f2c(*type));
  in_fortran = 1;
  pmpi_bcast_(buf, n, type, root, comm, error);
  in_fortran = 0;
}

int MPI_Isend(const void *buf, int n, MPI_Datatype type, int dest, int tag, MPI_Comm comm, MPI_Request *request) {
  note(1, 0, n, type);
  return PMPI_Isend(buf, n, type, dest, tag, comm, request);
}

int MPI_Send(const void *buf, int n, MPI_Datatype type, int dest, int tag, MPI_Comm comm) {
  note(1, 0, n, type);
  return PMPI_Send(buf, n, type, dest, tag, comm);
}

int MPI_Allreduce(const void *from, void *to, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  note(1, 2, n, type);
  return PMPI_Allreduce(from, to, n, type, op, comm);
}

int MPI_Reduce(const void *from, void *to, int n, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm) {
  note(1, 2, n, type);
  return PMPI_Reduce(from, to, n, type, op, root, comm);
}

int MPI_Bcast(void *buf, int n, MPI_Datatype type, int root, MPI_Comm comm) {
  note(1, 2, n, type);
  return PMPI_Bcast(buf, n, type, root, comm);
}
