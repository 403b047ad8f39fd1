// What reads and writes is told to the profiler as one access, and counts as two: the same as by two calls.
// RUN: %clang -O1 -I%include -I%S/Inputs %s -L%libdir -lprophet-memory -Wl,-rpath,%libdir -o %t
// RUN: env PROPHET_MEMORY_RATE=1 PROPHET_MEMORY_OUT=%t.json %t
// RUN: %python %S/../plugin/Inputs/show_memory.py %t.json | FileCheck %s
// CHECK:      apart executions=1 reads=3000 writes=3000
// CHECK-NEXT:   stream first=1000 again=2000
// CHECK-NEXT:   written=[[WRITTEN:[0-9]+]] dirty=1000
// CHECK:      together executions=1 reads=3000 writes=3000
// CHECK-NEXT:   stream first=1000 again=2000
// CHECK-NEXT:   written=[[WRITTEN]] dirty=1000
#include "measured.h"

enum { LINES = 1000 };
static _Alignas(64) char lines[2][LINES][64], other[64];
static const unsigned write_only[] = {1, 0, 8 << 8 | 1};
static const unsigned update[] = {2, 0, 8 << 8, 0, 8 << 8 | 1};
/* Two lines. */
static const unsigned two_reads[] = {1, 0, 128 << 8}, two_writes[] = {1, 0, 128 << 8 | 1};
static const unsigned two_updates[] = {2, 0, 128 << 8, 0, 128 << 8 | 1};

static unsigned long long at(int section, int line) {
  return (unsigned long long)lines[section][line];
}

static void apart(void) {
  for (int pass = 0; pass < 2; ++pass)
    for (int i = 0; i < LINES; ++i) {
      api->touch(at(0, i), one_read);
      api->touch(at(0, i), write_only);
    }
  for (int i = 0; i < LINES; i += 2) {
    api->touch(at(0, i), two_reads);
    api->touch(at(0, i), two_writes);
  }
}

static void together(void) {
  for (int i = 0; i < LINES; ++i)
    api->touch(at(1, i), update);
  for (int i = 0; i < LINES; ++i)
    api->touch_line(at(1, i), PROPHET_MEMORY_THEN_WRITE);
  for (int i = 0; i < LINES; i += 2)
    api->touch(at(1, i), two_updates);
}

int main(void) {
  start_measuring();
  void (*const sections[])(void) = {apart, together};
  const char *const names[] = {"parallel_for|app.c|1|apart|", "parallel_for|app.c|2|together|"};
  for (int i = 0; i < 2; ++i) {
    unsigned handle = api->calls.section_begin(names[i]);
    sections[i]();
    counted[0] += 3 * LINES;
    counted[1] += 3 * LINES;
    api->calls.section_end(&handle);
  }
  read_line(other); // so that the last ones were used before another, too
  return 0;
}
