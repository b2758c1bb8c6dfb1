/* Times a kernel, its adjoint (-DGRAD) or its tangent (-DTANGENT); case.h is written by the benchmark.
   usage: driver DATADIR OUTDIR|- REPS ints... doubles...
   Prints the minimum wall time in seconds, f, a directional derivative, the sum of its terms' sizes (with -DGRAD) and
   the peak memory in MB above that at the start, without pages of the program itself and of libraries, and the minimum of the processor time. */
#define _GNU_SOURCE
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "case.h"

void kernel(PRIMAL_TYPES);
#if defined GRAD
void kernel_b(DERIVATIVE_TYPES);
#elif defined TANGENT
void kernel_d(DERIVATIVE_TYPES);
#endif

static double now(clockid_t clock)
{
  struct timespec t;
  clock_gettime(clock, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

/* A line of /proc/self/status in MB. Unlike getrusage's, its peak isn't that of the parent process. */
static double memory(const char *name)
{
  char line[256];
  double kb = 0;
  FILE *h = fopen("/proc/self/status", "r");
  while (h && fgets(line, sizeof line, h))
    if (!strncmp(line, name, strlen(name))) kb = atof(line + strlen(name));
  if (h) fclose(h);
  return kb / 1024;
}

static double *load(const char *folder, const char *name, size_t *count)
{
  char path[4096];
  snprintf(path, sizeof path, "%s/%s.bin", folder, name);
  FILE *h = fopen(path, "rb");
  if (!h) { perror(path); exit(2); }
  fseek(h, 0, SEEK_END);
  size_t bytes = ftell(h);
  rewind(h);
  double *x = aligned_alloc(64, (bytes + 63) / 64 * 64);
  if (!x || fread(x, 1, bytes, h) != bytes) exit(3);
  fclose(h);
  *count = bytes / sizeof(double);
  return x;
}

static void store(const char *folder, const char *name, const double *x, size_t count)
{
  char path[4096];
  snprintf(path, sizeof path, "%s/%s.bin", folder, name);
  FILE *h = fopen(path, "wb");
  if (!h || fwrite(x, sizeof(double), count, h) != count) { perror(path); exit(2); }
  fclose(h);
}

/* The direction of the directional derivative, the same in every program. */
static void direction(double *x, size_t count, int array)
{
  unsigned long long s = 0x9e3779b97f4a7c15ull * (array + 1);
  for (size_t i = 0; i < count; i++) {
    s = s * 6364136223846793005ull + 1442695040888963407ull;
    x[i] = (double)(s >> 11) / 9007199254740992.0 - 0.5;
  }
}

int main(int argc, char **argv)
{
  double start_memory = memory("VmRSS:") - memory("RssFile:");
  const char *names[] = {NAMES};
  const char *data = argv[1], *out = argv[2];
  int reps = atoi(argv[3]);
  if (reps > 1) {
    /* Memory is given back to the system only at the end, as in a program that calls the gradient again and again; else
       page faults on fresh memory would be most of what is measured. A single repetition is for the memory. */
    mallopt(M_MMAP_THRESHOLD, 1 << 30);
    mallopt(M_TRIM_THRESHOLD, -1);
  }
  int k[NI + 1];
  double c[ND + 1];
  for (int i = 0; i < NI; i++) k[i] = atoi(argv[4 + i]);
  for (int i = 0; i < ND; i++) c[i] = atof(argv[4 + NI + i]);
  double *w[NA], *from[NA], *g[NA], f = 0, fd = 1, best = 1e300, busy = 1e300, dot = 0, scale = 0;
  size_t count[NA];
  for (int q = 0; q < NA; q++) {
    w[q] = load(data, names[q], &count[q]);
    from[q] = NULL;
    g[q] = NULL;
    if (reps > 1) {
      from[q] = malloc(count[q] * sizeof(double));
      memcpy(from[q], w[q], count[q] * sizeof(double));
    }
#if defined GRAD || defined TANGENT
    g[q] = aligned_alloc(64, (count[q] * sizeof(double) + 63) / 64 * 64);
#endif
  }
  for (int r = 0; r < reps; r++) {
    if (r) for (int q = 0; q < NA; q++) memcpy(w[q], from[q], count[q] * sizeof(double));
#if defined GRAD
    for (int q = 0; q < NA; q++) memset(g[q], 0, count[q] * sizeof(double));
    fd = 1;
#elif defined TANGENT
    for (int q = 0; q < NA; q++) direction(g[q], count[q], q);
    fd = 0;
#endif
    double start = now(CLOCK_MONOTONIC), start_busy = now(CLOCK_PROCESS_CPUTIME_ID);
#if defined GRAD
    kernel_b(DERIVATIVE_ARGS);
#elif defined TANGENT
    kernel_d(DERIVATIVE_ARGS);
#else
    kernel(PRIMAL_ARGS);
#endif
    double t = now(CLOCK_MONOTONIC) - start, b = now(CLOCK_PROCESS_CPUTIME_ID) - start_busy;
    if (t < best) best = t;
    if (b < busy) busy = b;
  }
  double peak = memory("VmHWM:") - memory("RssFile:") - start_memory;
#if defined GRAD
  for (int q = 0; q < NA; q++) {
    if (strcmp(out, "-")) store(out, names[q], g[q], count[q]);
    double *d = malloc(count[q] * sizeof(double));
    direction(d, count[q], q);
    for (size_t i = 0; i < count[q]; i++) {
      double term = g[q][i] * d[i];
      dot += term;
      scale += term < 0 ? -term : term;
    }
    free(d);
  }
#elif defined TANGENT
  dot = fd;
#endif
  (void)argc, (void)store, (void)direction, (void)out, (void)fd;
  printf("%.9e %.17g %.17g %.17g %.3f %.9e\n", best, f, dot, scale, peak, busy);
  return 0;
}
