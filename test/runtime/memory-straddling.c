// An access in two lines is one to each that is in the sample: the first, the second or both.
// RUN: %clang -O1 -no-pie -I%include -I%S/Inputs %s -L%libdir -lprophet-memory -Wl,-rpath,%libdir -o %t
// RUN: env PROPHET_MEMORY_RATE=1 PROPHET_MEMORY_OUT=%t.1.json %t
// RUN: env PROPHET_MEMORY_RATE=1 PROPHET_MEMORY_OUT=%t.2.json %t straddling
// RUN: %python %S/../plugin/Inputs/show_memory.py %t.1.json > %t.1
// RUN: %python %S/../plugin/Inputs/show_memory.py %t.2.json > %t.2
// RUN: diff %t.1 %t.2
// RUN: FileCheck --check-prefix=ALL %s < %t.1
// ALL: site executions=1 reads=8000 writes=4000
// ALL-NEXT: stream first=2001 again=5999
// Half of the lines, of which some lie side by side.
// RUN: env PROPHET_MEMORY_RATE=1/2 PROPHET_MEMORY_OUT=%t.1.json %t
// RUN: env PROPHET_MEMORY_RATE=1/2 PROPHET_MEMORY_OUT=%t.2.json %t straddling
// RUN: %python %S/../plugin/Inputs/show_memory.py %t.1.json > %t.1
// RUN: %python %S/../plugin/Inputs/show_memory.py %t.2.json > %t.2
// RUN: diff %t.1 %t.2
#include "measured.h"

enum { LINES = 2000 };
static _Alignas(64) char lines[LINES + 1][64];
static const unsigned over_the_edge[] = {1, 48, 32 << 8};
static const unsigned update[] = {2, 48, 32 << 8, 48, 32 << 8 | 1};

static int is_sampled(unsigned long long address) {
  return (unsigned)(address / PROPHET_MEMORY_LINE) * PROPHET_MEMORY_HASH < threshold;
}

static void touch(const unsigned *group, unsigned kind, int apart) {
  for (int i = 0; i < LINES; ++i) {
    unsigned long long line = (unsigned long long)lines[i * 7 % LINES], next = line + 64;
    if (!apart && (is_sampled(line) || is_sampled(next)))
      api->touch(line, group);
    if (apart && is_sampled(line))
      api->touch_line(line, kind);
    if (apart && is_sampled(next))
      api->touch_line(next, kind);
  }
}

int main(int argc, char **argv) {
  (void)argv;
  start_measuring();
  unsigned handle = api->calls.section_begin("parallel_for|app.c|1|site|");
  touch(over_the_edge, 0, argc == 1);
  touch(update, PROPHET_MEMORY_THEN_WRITE, argc == 1);
  counted[0] += 4 * LINES;
  counted[1] += 2 * LINES;
  api->calls.section_end(&handle);
  return 0;
}
