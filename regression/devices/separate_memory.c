/* A device with memory of its own, for programs with OpenACC on a machine that has none.

   Without an offload compiler, gfortran runs compute constructs on the host's memory, where a missing `update`, a
   forgotten copy or a wrong `present` makes no difference. This file takes the place of libgomp's entry points for
   OpenACC. Kernels run on the host, but on copies: each mapped object gets a block of "device" memory that is filled
   with NaN, data clauses and `update` copy between the two, and a table says what is present. So a program that would
   compute wrong values on a real device does so here, and one that would be stopped by libgomp is stopped here.

     gcc -std=gnu11 -O1 -c separate_memory.c
     gfortran -fopenacc -foffload=disable model.f90 separate_memory.o

   The rules are those of libgomp in GCC 12, and so are the names of the kinds of mappings and of the entry points. A
   violation ends the program with exit code 99 and a message that begins with "separate memory: ". With DEVICE_TRACE=1
   in the environment, each event and each mapped object is written to stderr.

   What this can't show:
   - Races: the iterations of a kernel run serially, and the work on a queue runs as late as its `wait` allows.
   - Module variables of `declare`: a kernel finds them under their own names, on the host.
   - Calls of the library's routines (`acc_is_present`, `acc_copyin`): they aren't replaced, and know no device.
   - Late copies to the device: what `enter data async` and the clauses of a kernel on a queue send is sent at once.
   Kinds of mappings that the project's programs don't need (`deviceptr`, `host_data`) are refused. */
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum gomp_map_kind {
  GOMP_MAP_ALLOC = 0x00, GOMP_MAP_TO, GOMP_MAP_FROM, GOMP_MAP_TOFROM,
  GOMP_MAP_POINTER = 0x04,          /* The address within a descriptor; the size is a bias. */
  GOMP_MAP_TO_PSET = 0x05,          /* An array descriptor. */
  GOMP_MAP_FORCE_PRESENT = 0x06,    /* `present`. */
  GOMP_MAP_DELETE = 0x07,           /* `delete` with `finalize`. */
  GOMP_MAP_IF_PRESENT = 0x0b,       /* `no_create`. */
  GOMP_MAP_FIRSTPRIVATE = 0x0c,
  GOMP_MAP_FIRSTPRIVATE_INT = 0x0d, /* The value itself stands in place of an address. */
  GOMP_MAP_USE_DEVICE_PTR = 0x0e,   /* `use_device`: the address on the device takes the place of the one that is given. */
  GOMP_MAP_RELEASE = 0x17,          /* `delete`. */
  GOMP_MAP_STRUCT = 0x1c,           /* The size is the number of the components that follow. */
  GOMP_MAP_ALWAYS_POINTER = 0x1d,
  GOMP_MAP_ATTACH = 0x50, GOMP_MAP_DETACH = 0x51, GOMP_MAP_FORCE_DETACH = 0xd1,
  GOMP_MAP_FORCE_ALLOC = 0x80, GOMP_MAP_FORCE_TO, GOMP_MAP_FORCE_FROM, GOMP_MAP_FORCE_TOFROM
};

enum { GOMP_MAP_FLAG_TO = 0x01, GOMP_MAP_FLAG_FROM = 0x02, GOMP_MAP_FLAG_SPECIAL = 0x0c };
enum { GOMP_ASYNC_NOVAL = -1, GOMP_ASYNC_SYNC = -2 };
enum { GOACC_FLAG_HOST_FALLBACK = 1 };
enum { GOMP_LAUNCH_DIM = 1, GOMP_LAUNCH_ASYNC = 2, GOMP_LAUNCH_WAIT = 3, GOMP_LAUNCH_OP_MAX = 0xffff };

/* The arrays in which the compiler passes the clauses of a directive. */
typedef struct {
  size_t count;
  void **hosts;
  size_t *sizes;
  unsigned short *kinds;
} Clauses;

/* An object of the host that is present on the device. */
typedef struct {
  uintptr_t start, end;   /* On the host; the end isn't part of it. */
  char *device;
  int references;         /* Regions, kernels and `enter data` that hold it. */
  int dynamic_references; /* Those of `enter data` alone. */
  unsigned *attachments;  /* Per place of a pointer in the object, if one has ever been attached. */
} Mapping;

/* What one clause of a region has mapped. */
typedef struct {
  Mapping *mapping;
  uintptr_t start;
  size_t size;
  bool copy_back;
  bool attached; /* A pointer within the mapping, which then isn't held by this. */
} Held;

/* What a data region or a kernel has mapped, and the addresses that its kernel is to get. */
typedef struct Region {
  size_t count;
  Held *held;
  void **devices;
  struct Region *outer;
} Region;

/* A derived type some of whose components are mapped; together they lie as on the host. */
typedef struct {
  size_t last; /* The last of its components among the clauses. */
  uintptr_t base;
  char *device;
} Structure;

/* Runs a kernel for a region, else frees a region, else copies; without a source it fills with NaN. */
typedef struct Job {
  int queue;
  void (*kernel)(void *);
  Region *region;
  void *to;
  const void *from;
  size_t size;
  struct Job *next;
} Job;

static Mapping **present_table;
static size_t present_count, present_capacity;
static Region *innermost_region;
static Job *pending_jobs;

static _Noreturn __attribute__((format(printf, 1, 2))) void fatal(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fputs("separate memory: ", stderr);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
  /* As libgomp does, so that the program's output up to here is written; but with a code of its own. */
  exit(99);
}

static __attribute__((format(printf, 1, 2))) void trace(const char *format, ...) {
  static int wanted = -1;
  if (wanted < 0) wanted = getenv("DEVICE_TRACE") != NULL;
  if (!wanted) return;
  va_list arguments;
  va_start(arguments, format);
  fputs("device: ", stderr);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
}

static void *allocate(size_t count, size_t size) {
  void *memory = calloc(count ? count : 1, size);
  if (!memory) fatal("no memory left");
  return memory;
}

/* Memory of the device is full of NaN until something is written there. Its blocks are never freed: a device address
   that is used too late then reads NaN, and not what the host has put there since. */
static char *device_memory(size_t size) {
  /* At least one byte, so that no two blocks have the same address. */
  return memset(allocate(size + 1, 1), 0xff, size + 1);
}

/* --- The present table --- */

/* Ranges that overlap are the same, and so are all empty ones, wherever they are: libgomp's search tree has this
   order. Whether it meets another empty range depends on the form of the tree; here it always does. */
static Mapping *lookup(uintptr_t start, uintptr_t end) {
  for (size_t i = 0; i < present_count; i++) {
    Mapping *mapping = present_table[i];
    bool both_empty = start == end && mapping->start == mapping->end;
    if (both_empty || (end > mapping->start && start < mapping->end)) return mapping;
  }
  return NULL;
}

/* An address belongs to the object that begins there, else to the one that ends there, else to an empty one. */
static Mapping *lookup_address(uintptr_t address) {
  Mapping *mapping = lookup(address, address + 1);
  if (!mapping) mapping = lookup(address - 1, address);
  return mapping ? mapping : lookup(address, address);
}

static bool contains(const Mapping *mapping, uintptr_t start, uintptr_t end) {
  return start >= mapping->start && end <= mapping->end;
}

static char *device_address(const Mapping *mapping, uintptr_t host) {
  return mapping->device + (intptr_t)(host - mapping->start);
}

static Mapping *add_mapping(uintptr_t start, uintptr_t end, char *device) {
  if (present_count == present_capacity) {
    present_capacity = present_capacity ? 2 * present_capacity : 64;
    present_table = realloc(present_table, present_capacity * sizeof *present_table);
    if (!present_table) fatal("no memory left");
  }
  Mapping *mapping = allocate(1, sizeof *mapping);
  *mapping = (Mapping){.start = start, .end = end, .device = device};
  return present_table[present_count++] = mapping;
}

static void remove_mapping(Mapping *mapping) {
  size_t i = 0;
  while (present_table[i] != mapping) i++;
  present_table[i] = present_table[--present_count];
  free(mapping->attachments);
  free(mapping);
}

/* --- Queues --- */

static void free_region(Region *region) {
  free(region->held);
  free(region->devices);
  free(region);
}

static void run_job(const Job *job) {
  if (job->kernel) job->kernel(job->region->devices);
  else if (job->region) free_region(job->region);
  else if (job->from) memcpy(job->to, job->from, job->size);
  else memset(job->to, 0xff, job->size);
}

/* Work on a queue is put off until something waits for it, so that a missing `wait` shows. */
static void submit(Job job) {
  if (job.queue == GOMP_ASYNC_SYNC) {
    run_job(&job);
    return;
  }
  Job **end = &pending_jobs;
  while (*end) end = &(*end)->next;
  *end = allocate(1, sizeof job);
  **end = job;
}

static void submit_copy(int queue, void *to, const void *from, size_t size) {
  submit((Job){.queue = queue, .to = to, .from = from, .size = size});
}

/* Runs the work on a queue, or on all of them for GOMP_ASYNC_NOVAL. */
static void wait_for_queue(int queue) {
  trace("wait for queue %d", queue);
  Job **place = &pending_jobs;
  while (*place) {
    Job *job = *place;
    if (queue != GOMP_ASYNC_NOVAL && job->queue != queue) {
      place = &job->next;
      continue;
    }
    *place = job->next;
    run_job(job);
    free(job);
  }
}

/* Where one queue would wait for another, the program itself waits, which gives the same order. */
static void wait_for_queues(int count, va_list *queues) {
  for (int i = 0; i < count; i++) wait_for_queue(va_arg(*queues, int));
}

static __attribute__((destructor)) void at_end(void) {
  if (pending_jobs) fputs("separate memory: warning: nothing has waited for the work on a queue\n", stderr);
  trace("end, %zu objects are still present", present_count);
}

/* --- Pointers in device memory --- */

/* Writes the device's address of a pointer's target. The bias leads from the pointer's value to the part of its target
   that is mapped. A pointer without a target stays null. */
static void set_device_pointer(char *place, uintptr_t target, size_t bias) {
  char *value = NULL;
  if (target) {
    Mapping *mapping = lookup_address(target + bias);
    if (!mapping) fatal("the target of a pointer isn't present: %p, bias %zu", (void *)target, bias);
    value = device_address(mapping, target);
  }
  memcpy(place, &value, sizeof value);
}

static unsigned *attachment_count(Mapping *mapping, uintptr_t pointer) {
  size_t places = (mapping->end - mapping->start) / sizeof(void *) + 1;
  if (!mapping->attachments) mapping->attachments = allocate(places, sizeof *mapping->attachments);
  return &mapping->attachments[(pointer - mapping->start) / sizeof(void *)];
}

static void attach(Mapping *mapping, uintptr_t pointer, size_t bias) {
  if ((*attachment_count(mapping, pointer))++) return;
  uintptr_t target = *(uintptr_t *)pointer;
  if (!target) fatal("attach of a null pointer at %p", (void *)pointer);
  if (!lookup(target + bias, target + bias + 1)) fatal("attach: the target %p isn't present", (void *)target);
  set_device_pointer(device_address(mapping, pointer), target, bias);
}

/* Puts the host's pointer back, so that a copy of the object to the host doesn't bring an address of the device. */
static void detach(Mapping *mapping, uintptr_t pointer, bool finalize, int queue) {
  unsigned *count = attachment_count(mapping, pointer);
  if (!*count) fatal("detach of what isn't attached: the pointer at %p", (void *)pointer);
  *count = finalize ? 0 : *count - 1;
  if (!*count) submit_copy(queue, device_address(mapping, pointer), (void *)pointer, sizeof(void *));
}

/* --- Mapping --- */

/* The byte above the kind holds the alignment, which plays no part here. */
static int kind_of(const Clauses *clauses, size_t i) { return clauses->kinds[i] & 0xff; }

static uintptr_t start_of(const Clauses *clauses, size_t i) { return (uintptr_t)clauses->hosts[i]; }

static size_t size_of(const Clauses *clauses, size_t i) {
  int kind = kind_of(clauses, i);
  return kind == GOMP_MAP_POINTER || kind == GOMP_MAP_ATTACH ? sizeof(void *) : clauses->sizes[i];
}

static bool copies_to_device(int kind) {
  return kind == GOMP_MAP_TO_PSET || (!(kind & GOMP_MAP_FLAG_SPECIAL) && (kind & GOMP_MAP_FLAG_TO));
}

static bool copies_from_device(int kind) { return !(kind & GOMP_MAP_FLAG_SPECIAL) && (kind & GOMP_MAP_FLAG_FROM); }

/* Lets a region, or `enter data` with dynamic, hold a mapping through one of its clauses. */
static void hold(Region *region, const Clauses *clauses, size_t i, Mapping *mapping, bool dynamic) {
  uintptr_t start = start_of(clauses, i);
  mapping->references++;
  mapping->dynamic_references += dynamic;
  bool copy_back = copies_from_device(kind_of(clauses, i));
  region->held[i] = (Held){.mapping = mapping, .start = start, .size = size_of(clauses, i), .copy_back = copy_back};
  region->devices[i] = device_address(mapping, start);
}

/* Handles the pointers that follow a descriptor and lie within it; the result is the last of them. A descriptor that
   was mapped while its array wasn't allocated is sent anew once it is; any other keeps what the device has. */
static size_t map_descriptor(Region *region, const Clauses *clauses, size_t i, Mapping *mapping, bool is_new,
                             bool dynamic) {
  uintptr_t start = start_of(clauses, i), end = start + size_of(clauses, i);
  size_t j = i + 1;
  for (; j < clauses->count && kind_of(clauses, j) == GOMP_MAP_POINTER; j++) {
    uintptr_t pointer = start_of(clauses, j);
    if (pointer < start || pointer + sizeof(void *) > end) break;
    hold(region, clauses, j, mapping, dynamic);
    char *place = device_address(mapping, pointer);
    uintptr_t target = *(uintptr_t *)pointer, on_device;
    memcpy(&on_device, place, sizeof on_device);
    bool now_allocated = !is_new && !on_device && target;
    if (now_allocated) memcpy(device_address(mapping, start), (void *)start, end - start);
    if (is_new || now_allocated) set_device_pointer(place, target, clauses->sizes[j]);
  }
  return j - 1;
}

/* Maps an object unless it is present; the result is the last clause that this has handled. */
static size_t map_object(Region *region, const Clauses *clauses, size_t i, const Structure *structure, bool dynamic) {
  int kind = kind_of(clauses, i);
  uintptr_t start = start_of(clauses, i), end = start + size_of(clauses, i);
  Mapping *mapping = lookup(start, end);
  bool is_new = !mapping;
  if (is_new) {
    if (kind == GOMP_MAP_IF_PRESENT) {
      region->devices[i] = (void *)start;
      return i;
    }
    if (kind == GOMP_MAP_FORCE_PRESENT) fatal("not present: %p, %zu bytes", (void *)start, (size_t)(end - start));
    bool component = structure->device && i <= structure->last;
    char *device = component ? structure->device + (start - structure->base) : device_memory(end - start);
    mapping = add_mapping(start, end, device);
    if (copies_to_device(kind)) memcpy(device, (void *)start, end - start);
    if (kind == GOMP_MAP_POINTER) set_device_pointer(device, *(uintptr_t *)start, clauses->sizes[i]);
  } else if (!contains(mapping, start, end)) {
    fatal("mapping %p, %zu bytes, when %p, %zu bytes, is already mapped", (void *)start, (size_t)(end - start),
          (void *)mapping->start, (size_t)(mapping->end - mapping->start));
  }
  hold(region, clauses, i, mapping, dynamic);
  return kind == GOMP_MAP_TO_PSET ? map_descriptor(region, clauses, i, mapping, is_new, dynamic) : i;
}

/* Components of a derived type are mapped all together or not at all, since they share one block of memory. */
static Structure map_structure(Region *region, const Clauses *clauses, size_t i) {
  Structure structure = {.last = i + clauses->sizes[i], .base = start_of(clauses, i)};
  uintptr_t end = start_of(clauses, structure.last) + size_of(clauses, structure.last);
  Mapping *mapping = lookup(structure.base, end);
  if (!mapping) {
    structure.device = device_memory(end - structure.base);
    region->devices[i] = structure.device;
    return structure;
  }
  region->devices[i] = device_address(mapping, structure.base);
  for (size_t j = i + 1; j <= structure.last; j++) {
    uintptr_t start = start_of(clauses, j);
    Mapping *component = lookup(start, start + size_of(clauses, j));
    if (!component || device_address(component, start) != device_address(mapping, start))
      fatal("mapping a component at %p when others of its structure are already mapped", (void *)start);
  }
  return structure;
}

static void map_pointer(Region *region, const Clauses *clauses, size_t i) {
  uintptr_t pointer = start_of(clauses, i);
  Mapping *mapping = lookup(pointer, pointer + sizeof(void *));
  if (!mapping) fatal("attach: the object that has the pointer at %p isn't present", (void *)pointer);
  region->devices[i] = device_address(mapping, pointer);
  if (kind_of(clauses, i) == GOMP_MAP_ATTACH) {
    attach(mapping, pointer, clauses->sizes[i]);
    region->held[i] = (Held){.mapping = mapping, .start = pointer, .attached = true};
  } else {
    set_device_pointer(region->devices[i], *(uintptr_t *)pointer, clauses->sizes[i]);
  }
}

/* Maps what the clauses of a region name or, with dynamic, those of `enter data`. */
static Region *map_all(const Clauses *clauses, bool dynamic) {
  Region *region = allocate(1, sizeof *region);
  region->count = clauses->count;
  region->held = allocate(clauses->count, sizeof *region->held);
  region->devices = allocate(clauses->count, sizeof *region->devices);
  Structure structure = {0};
  for (size_t i = 0; i < clauses->count; i++) {
    int kind = kind_of(clauses, i);
    trace("  map kind 0x%02x, %p, size %zu", (unsigned)kind, clauses->hosts[i], clauses->sizes[i]);
    /* A null address is that of an optional argument that is absent, or of an array that isn't allocated. */
    if (kind == GOMP_MAP_FIRSTPRIVATE_INT || !clauses->hosts[i]) {
      region->devices[i] = clauses->hosts[i];
    } else if (kind == GOMP_MAP_FIRSTPRIVATE) {
      region->devices[i] = memcpy(device_memory(clauses->sizes[i]), clauses->hosts[i], clauses->sizes[i]);
    } else if (kind == GOMP_MAP_USE_DEVICE_PTR) {
      const Mapping *mapping = lookup_address(start_of(clauses, i));
      if (!mapping) fatal("use_device: %p isn't present", clauses->hosts[i]);
      clauses->hosts[i] = device_address(mapping, start_of(clauses, i));
    } else if (kind == GOMP_MAP_STRUCT) {
      structure = map_structure(region, clauses, i);
    } else if (kind == GOMP_MAP_ATTACH || kind == GOMP_MAP_ALWAYS_POINTER) {
      map_pointer(region, clauses, i);
    } else if (kind <= GOMP_MAP_FORCE_PRESENT || kind == GOMP_MAP_IF_PRESENT ||
               (kind >= GOMP_MAP_FORCE_ALLOC && kind <= GOMP_MAP_FORCE_TOFROM)) {
      i = map_object(region, clauses, i, &structure, dynamic);
    } else {
      fatal("mappings of kind 0x%02x aren't supported", (unsigned)kind);
    }
  }
  return region;
}

/* Takes an object that nothing holds any more from the device, after a copy of the given part to the host. Whatever
   still uses its memory then finds NaN. */
static void discard(Mapping *mapping, bool copy_back, uintptr_t start, size_t size, int queue) {
  if (copy_back) submit_copy(queue, (void *)start, device_address(mapping, start), size);
  submit_copy(queue, mapping->device, NULL, mapping->end - mapping->start);
  remove_mapping(mapping);
}

/* Ends a region. On a queue, the table forgets the objects at once and only the copies are put off, as in libgomp. */
static void unmap_all(Region *region, int queue) {
  for (size_t i = 0; i < region->count; i++)
    if (region->held[i].attached) detach(region->held[i].mapping, region->held[i].start, false, queue);
  for (size_t i = 0; i < region->count; i++) {
    Held *held = &region->held[i];
    if (!held->mapping || held->attached || --held->mapping->references > 0) continue;
    discard(held->mapping, held->copy_back, held->start, held->size, queue);
  }
  submit((Job){.queue = queue, .region = region});
}

/* --- `exit data` --- */

static void exit_object(const Clauses *clauses, size_t i, int queue) {
  int kind = kind_of(clauses, i);
  uintptr_t start = start_of(clauses, i);
  size_t size = size_of(clauses, i);
  Mapping *mapping = lookup(start, start + size);
  /* What isn't present has nothing to exit from. */
  if (!start || !mapping) return;
  if (!contains(mapping, start, start + size))
    fatal("exit data: %p, %zu bytes, isn't within what is mapped", (void *)start, size);
  if (kind == GOMP_MAP_DELETE || kind == GOMP_MAP_FORCE_FROM) {
    mapping->references -= mapping->dynamic_references;
    mapping->dynamic_references = 0;
  } else if (mapping->dynamic_references) {
    mapping->references--;
    mapping->dynamic_references--;
  }
  if (mapping->references <= 0) discard(mapping, copies_from_device(kind), start, size, queue);
}

static void exit_all(const Clauses *clauses, int queue) {
  for (size_t i = 0; i < clauses->count; i++) {
    int kind = kind_of(clauses, i);
    trace("  exit kind 0x%02x, %p, size %zu", (unsigned)kind, clauses->hosts[i], clauses->sizes[i]);
    if (kind != GOMP_MAP_DETACH && kind != GOMP_MAP_FORCE_DETACH) continue;
    uintptr_t pointer = start_of(clauses, i);
    Mapping *mapping = lookup(pointer, pointer + sizeof(void *));
    if (!mapping) fatal("detach: the object that has the pointer at %p isn't present", (void *)pointer);
    detach(mapping, pointer, kind == GOMP_MAP_FORCE_DETACH, queue);
  }
  for (size_t i = 0; i < clauses->count; i++) {
    int kind = kind_of(clauses, i);
    if (kind != GOMP_MAP_STRUCT && kind != GOMP_MAP_DETACH && kind != GOMP_MAP_FORCE_DETACH)
      exit_object(clauses, i, queue);
  }
}

/* --- `update` --- */

static void update_object(const Clauses *clauses, size_t i, int queue) {
  int kind = kind_of(clauses, i);
  uintptr_t start = start_of(clauses, i);
  size_t size = clauses->sizes[i];
  if (!start || !size) return;
  Mapping *mapping = lookup(start, start + size);
  if (!mapping || !contains(mapping, start, start + size)) {
    /* Without the flag of FORCE the clause `if_present` was given. */
    if (kind == GOMP_MAP_TO || kind == GOMP_MAP_FROM) return;
    fatal("update: %p, %zu bytes, isn't present", (void *)start, size);
  }
  char *device = device_address(mapping, start);
  if (kind == GOMP_MAP_TO || kind == GOMP_MAP_FORCE_TO) submit_copy(queue, device, (void *)start, size);
  else if (kind == GOMP_MAP_FROM || kind == GOMP_MAP_FORCE_FROM) submit_copy(queue, (void *)start, device, size);
  else fatal("update: mappings of kind 0x%02x aren't supported", (unsigned)kind);
}

/* --- Entry points of libgomp; the flags come inverted. --- */

static bool on_host(int inverted_flags) { return ~inverted_flags & GOACC_FLAG_HOST_FALLBACK; }

void GOACC_parallel_keyed(int flags, void (*kernel)(void *), size_t count, void **hosts, size_t *sizes,
                          unsigned short *kinds, ...) {
  Clauses clauses = {count, hosts, sizes, kinds};
  int queue = GOMP_ASYNC_SYNC;
  unsigned tag;
  trace("kernel, %zu objects%s", count, on_host(flags) ? ", on the host" : "");
  if (on_host(flags)) {
    kernel(hosts);
    return;
  }
  va_list arguments;
  va_start(arguments, kinds);
  while ((tag = va_arg(arguments, unsigned))) {
    unsigned operand = tag & GOMP_LAUNCH_OP_MAX;
    switch (tag >> 28) {
    case GOMP_LAUNCH_DIM:
      /* The numbers of gangs, workers and lanes, those whose bits are set. */
      for (; operand; operand >>= 1)
        if (operand & 1) (void)va_arg(arguments, unsigned);
      break;
    case GOMP_LAUNCH_ASYNC: queue = operand == GOMP_LAUNCH_OP_MAX ? va_arg(arguments, int) : (int)operand; break;
    case GOMP_LAUNCH_WAIT: wait_for_queues((int)operand, &arguments); break;
    default: fatal("unknown argument 0x%x of a kernel", tag);
    }
  }
  va_end(arguments);
  Region *region = map_all(&clauses, false);
  submit((Job){.queue = queue, .kernel = kernel, .region = region});
  unmap_all(region, queue);
}

void GOACC_data_start(int flags, size_t count, void **hosts, size_t *sizes, unsigned short *kinds) {
  /* A region whose condition is false maps nothing, but has an end. */
  Clauses clauses = {on_host(flags) ? 0 : count, hosts, sizes, kinds};
  trace("data, %zu objects", clauses.count);
  Region *region = map_all(&clauses, false);
  region->outer = innermost_region;
  innermost_region = region;
}

void GOACC_data_end(void) {
  trace("end data");
  Region *region = innermost_region;
  innermost_region = region->outer;
  unmap_all(region, GOMP_ASYNC_SYNC);
}

/* The kinds that both directives have don't tell which one it is; the first other one does. */
static bool is_enter(const Clauses *clauses) {
  for (size_t i = 0; i < clauses->count; i++) {
    int kind = kind_of(clauses, i);
    if (kind == GOMP_MAP_POINTER || kind == GOMP_MAP_TO_PSET || kind == GOMP_MAP_STRUCT) continue;
    return kind == GOMP_MAP_ALLOC || kind == GOMP_MAP_TO || kind == GOMP_MAP_FORCE_ALLOC ||
           kind == GOMP_MAP_FORCE_TO || kind == GOMP_MAP_FORCE_PRESENT || kind == GOMP_MAP_ATTACH;
  }
  return false;
}

void GOACC_enter_exit_data(int flags, size_t count, void **hosts, size_t *sizes, unsigned short *kinds, int queue,
                           int wait_count, ...) {
  Clauses clauses = {count, hosts, sizes, kinds};
  bool enter = is_enter(&clauses);
  trace("%s data, %zu objects, queue %d", enter ? "enter" : "exit", count, queue);
  if (on_host(flags)) return;
  va_list queues;
  va_start(queues, wait_count);
  wait_for_queues(wait_count, &queues);
  va_end(queues);
  if (enter) free_region(map_all(&clauses, true));
  else exit_all(&clauses, queue);
}

/* GCC 12 calls these two, and earlier versions the one above; the kinds tell them apart all the same. */
void GOACC_enter_data(int, size_t, void **, size_t *, unsigned short *, int, int, ...)
  __attribute__((alias("GOACC_enter_exit_data")));
void GOACC_exit_data(int, size_t, void **, size_t *, unsigned short *, int, int, ...)
  __attribute__((alias("GOACC_enter_exit_data")));

void GOACC_update(int flags, size_t count, void **hosts, size_t *sizes, unsigned short *kinds, int queue,
                  int wait_count, ...) {
  Clauses clauses = {count, hosts, sizes, kinds};
  trace("update, %zu objects, queue %d", count, queue);
  if (on_host(flags)) return;
  va_list queues;
  va_start(queues, wait_count);
  wait_for_queues(wait_count, &queues);
  va_end(queues);
  for (size_t i = 0; i < count; i++) {
    int kind = kind_of(&clauses, i);
    trace("  update kind 0x%02x, %p, size %zu", (unsigned)kind, hosts[i], sizes[i]);
    /* Pointers on the device keep their targets. */
    if (kind != GOMP_MAP_POINTER && kind != GOMP_MAP_TO_PSET && kind != GOMP_MAP_ALWAYS_POINTER)
      update_object(&clauses, i, queue);
  }
}

void GOACC_wait(int queue, int wait_count, ...) {
  trace("wait, %d queues, queue %d", wait_count, queue);
  va_list queues;
  va_start(queues, wait_count);
  if (wait_count) wait_for_queues(wait_count, &queues);
  else wait_for_queue(GOMP_ASYNC_NOVAL);
  va_end(queues);
}

/* Variables of a procedure in `declare` are entered at its beginning and left at its end. */
void GOACC_declare(int flags, size_t count, void **hosts, size_t *sizes, unsigned short *kinds) {
  for (size_t i = 0; i < count; i++) {
    Clauses clause = {1, &hosts[i], &sizes[i], &kinds[i]};
    int kind = kind_of(&clause, 0);
    uintptr_t start = (uintptr_t)hosts[i], end = start + sizes[i];
    Mapping *mapping = lookup(start, end);
    bool present = mapping && contains(mapping, start, end);
    if (kind == GOMP_MAP_FORCE_PRESENT && !present) fatal("declare: %p, %zu bytes, isn't present", hosts[i], sizes[i]);
    bool skip = kind == GOMP_MAP_POINTER || kind == GOMP_MAP_TO_PSET || kind == GOMP_MAP_FORCE_PRESENT ||
                (kind == GOMP_MAP_ALLOC && present);
    if (!skip) GOACC_enter_exit_data(flags, 1, &hosts[i], &sizes[i], &kinds[i], GOMP_ASYNC_SYNC, 0);
  }
}
