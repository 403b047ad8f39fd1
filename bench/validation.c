//===- validation.c - The paper's Test1 and Test2 as real programs --------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// usage: validation PATTERN SEED MICROSECONDS
//
// Parallel Prophet §VII-B: Test1 (Figure 9) is a loop with imbalance and two
// critical sections, Test2 (Figure 10) a loop around delays and Test1, PATTERN 1
// or 2; 10 more have no critical section. SEED draws their arguments, and all delays
// together last MICROSECONDS. validation.py builds it serially, with the plugin and
// with OpenMP.
//
//===----------------------------------------------------------------------===//
#include "../examples/support.h"

#include <stdbool.h>

enum Shape { Random, Rising, Falling, Sawtooth, Equal, Mixed, shapes };

enum { longestLoop = 120, longestOuterLoop = 12 };

/// The arguments of Figure 9.
struct Test1 {
  int iterations;
  double overhead[longestLoop]; ///< ComputeOverhead(i)
  int ratios[5];                ///< delay 1, critical 1, delay 2, critical 2, delay 3
  bool locks[2], sameLock;
};

/// The arguments of Figure 10. `inner` is the same in every iteration.
struct Test2 {
  int iterations;
  double delays[longestOuterLoop][2]; ///< A and B
  bool nested[longestOuterLoop];      ///< do_nested_parallelism
};

static int below(uint64_t *random, int bound) {
  return (int)(randomBits(random) % (uint64_t)bound);
}

static double computeOverhead(enum Shape shape, double least, double most, int i, int iterations,
                              uint64_t *random) {
  double span = most - least;
  switch (shape) {
  case Random:
    return least + span * randomUnit(random);
  case Rising:
    return least + span * i / iterations;
  case Falling:
    return most - span * i / iterations;
  case Sawtooth:
    return least + span * (i % 7) / 6;
  case Mixed: // plateaus, with an outlier now and then
    return below(random, 16) == 0 ? 10 * most : least + span * (i / 8 % 3) / 2;
  default:
    return most;
  }
}

static void drawTest1(struct Test1 *test, bool locked, uint64_t *random) {
  test->iterations = 1 + below(random, longestLoop);
  enum Shape shape = (enum Shape)below(random, shapes);
  double least = 1 + below(random, 20), most = least + below(random, 200);
  for (int i = 0; i < test->iterations; ++i)
    test->overhead[i] = computeOverhead(shape, least, most, i, test->iterations, random);
  test->ratios[0] = 1 + below(random, 7); // the loop has something to do
  for (int part = 1; part < 5; ++part)
    test->ratios[part] = below(random, 8);
  for (int lock = 0; lock < 2; ++lock)
    test->locks[lock] = locked && below(random, 10) < 7;
  test->sameLock = below(random, 2) == 0;
}

static void drawTest2(struct Test2 *test, uint64_t *random) {
  test->iterations = 1 + below(random, longestOuterLoop);
  for (int k = 0; k < test->iterations; ++k) {
    test->delays[k][0] = below(random, 500);
    test->nested[k] = below(random, 4) != 0;
    test->delays[k][1] = 1 + below(random, 500);
  }
}

/// Seconds that a unit of the arguments lasts.
static double unit = 0;

/// A busy loop that touches no memory.
static void fakeDelay(double units) {
  double end = secondsNow() + units * unit;
  while (secondsNow() < end)
    ;
}

static void runTest1(const struct Test1 *test) {
#pragma prophet parallel for name(test1)
#pragma omp parallel for schedule(SCHEDULE)
  for (int i = 0; i < test->iterations; ++i) {
    double overhead = test->overhead[i];
    fakeDelay(overhead * test->ratios[0]);
    if (test->locks[0]) {
#pragma prophet critical(first)
#pragma omp critical(first)
      fakeDelay(overhead * test->ratios[1]);
    }
    fakeDelay(overhead * test->ratios[2]);
    if (test->locks[1] && test->sameLock) {
#pragma prophet critical(first)
#pragma omp critical(first)
      fakeDelay(overhead * test->ratios[3]);
    } else if (test->locks[1]) {
#pragma prophet critical(second)
#pragma omp critical(second)
      fakeDelay(overhead * test->ratios[3]);
    }
    fakeDelay(overhead * test->ratios[4]);
  }
}

static void runTest2(const struct Test2 *test, const struct Test1 *inner) {
#pragma prophet parallel for name(test2)
#pragma omp parallel for schedule(SCHEDULE)
  for (int k = 0; k < test->iterations; ++k) {
    fakeDelay(test->delays[k][0]);
    if (test->nested[k])
      runTest1(inner);
    fakeDelay(test->delays[k][1]);
  }
}

static double unitsOfTest1(const struct Test1 *test) {
  double sum = 0;
  for (int i = 0; i < test->iterations; ++i)
    for (int part = 0; part < 5; ++part)
      if (part % 2 == 0 || test->locks[part / 2])
        sum += test->overhead[i] * test->ratios[part];
  return sum;
}

static double unitsOfTest2(const struct Test2 *test, const struct Test1 *inner) {
  double sum = 0;
  for (int k = 0; k < test->iterations; ++k)
    sum += test->delays[k][0] + test->delays[k][1] + (test->nested[k] ? unitsOfTest1(inner) : 0);
  return sum;
}

int main(int argc, char **argv) {
  int pattern = argument(argc, argv, 1, 1, 1);
  bool isTest2 = pattern % 10 == 2;
  if (pattern % 10 > 2 || pattern > 12) {
    fprintf(stderr, "%s: there is no pattern %d; give 1, 2, 11 or 12\n", argv[0], pattern);
    return 2;
  }
  uint64_t random = (uint64_t)argument(argc, argv, 2, 1, 0);
  int microseconds = argument(argc, argv, 3, 50000, 1);

  struct Test1 inner;
  struct Test2 outer;
  drawTest1(&inner, pattern < 10, &random);
  drawTest2(&outer, &random);
  unit = 1e-6 * microseconds / (isTest2 ? unitsOfTest2(&outer, &inner) : unitsOfTest1(&inner));

  double start = startClock();
  if (isTest2)
    runTest2(&outer, &inner);
  else
    runTest1(&inner);
  return finish(start, NULL);
}
