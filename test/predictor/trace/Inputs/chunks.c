/* Prints the chunks that the OpenMP runtime really deals out. Reads "SCHEDULE THREADS ITERATIONS CHUNK" lines. The
   compiler's own calls are seen on their way to the runtime. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

static struct Range {
  long first, count;
} seen[1 << 16];
static int taken;

static void note(long first, long end) {
  int at = __atomic_fetch_add(&taken, 1, __ATOMIC_RELAXED);
  seen[at].first = first;
  seen[at].count = end - first;
}

#ifdef __clang__
int __kmpc_dispatch_next_4(void *place, int thread, int *last, int *low, int *high, int *step) {
  int (*next)(void *, int, int *, int *, int *, int *) = dlsym(RTLD_NEXT, "__kmpc_dispatch_next_4");
  int more = next(place, thread, last, low, high, step);
  if (more)
    note(*low, *high + 1L);
  return more;
}
#else
char GOMP_loop_nonmonotonic_guided_next(long *low, long *end) {
  char (*next)(long *, long *) = dlsym(RTLD_NEXT, "GOMP_loop_nonmonotonic_guided_next");
  char more = next(low, end);
  if (more)
    note(*low, *end);
  return more;
}
char GOMP_loop_nonmonotonic_guided_start(long from, long to, long step, long chunk, long *low, long *end) {
  char (*start)(long, long, long, long, long *, long *) = dlsym(RTLD_NEXT, "GOMP_loop_nonmonotonic_guided_start");
  char more = start(from, to, step, chunk, low, end);
  if (more)
    note(*low, *end);
  return more;
}
#endif

static int byFirst(const void *a, const void *b) {
  long x = ((const struct Range *)a)->first, y = ((const struct Range *)b)->first;
  return (x > y) - (x < y);
}

int main(void) {
  char schedule[16];
  int threads, n, chunk;
  while (scanf("%15s %d %d %d", schedule, &threads, &n, &chunk) == 4) {
    taken = 0;
#pragma omp parallel num_threads(threads)
    if (schedule[0] == 'g') {
#pragma omp for schedule(guided, chunk)
      for (int i = 0; i < n; ++i)
        __asm__ volatile("");
    } else {
#pragma omp for schedule(auto)
      for (int i = 0; i < n; ++i)
        __asm__ volatile("");
    }
    qsort(seen, taken, sizeof(seen[0]), byFirst);
    printf("%s %d %d %d:", schedule, threads, n, chunk);
    for (int i = 0; i < taken; ++i)
      printf(" %ld+%ld", seen[i].first, seen[i].count);
    printf("\n");
  }
}
